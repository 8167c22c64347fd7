"""A loopback proxy for tests: absolute-form requests and CONNECT tunnels, with or without TLS and credentials.

Every host name leads to one target port, so that unresolvable names can be used.
"""

import contextlib
import select
import socket
import ssl
import threading


class ProxyServer:
    """`asked` are the heads of all requests; `authorization` is the required Proxy-Authorization, "" for none."""

    def __init__(self, target_port, authorization=None, certificate=None, refusal=None):
        self.target_port = target_port
        self.authorization = authorization
        self.refusal = refusal
        self.asked = []
        self._context = None
        if certificate is not None:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(certificate)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        connection.settimeout(10)
        with contextlib.suppress(OSError), connection:
            if self._context is not None:
                connection = self._context.wrap_socket(connection, server_side=True)
            with connection:
                self._answer(connection)

    def _answer(self, connection):
        head = b""
        while b"\r\n\r\n" not in head:
            data = connection.recv(65536)
            if not data:
                return
            head += data
        self.asked.append(head)
        if self.authorization and f"Proxy-Authorization: {self.authorization}".encode() not in head:
            connection.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
            return
        if self.refusal:
            connection.sendall(self.refusal)
            return
        with socket.create_connection(("127.0.0.1", self.target_port), timeout=10) as target:
            if head.startswith(b"CONNECT "):
                connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                method, url, rest = head.split(b" ", 2)
                path = b"/" + url.split(b"/", 3)[3]
                target.sendall(b" ".join((method, path, rest)))
            self._pump(connection, target)

    def _pump(self, connection, target):
        """Copy in both directions until each side has ended.

        One lock serves reads and writes: OpenSSL lets one thread at a time use a connection, and two lose bytes.
        """
        lock = threading.Lock()

        def back():
            with contextlib.suppress(OSError):
                while data := target.recv(65536):
                    with lock:
                        connection.sendall(data)
                with lock:
                    if self._context is None:
                        connection.shutdown(socket.SHUT_WR)
                    else:
                        connection.unwrap()

        thread = threading.Thread(target=back, daemon=True)
        thread.start()
        with contextlib.suppress(OSError):
            while data := self._receive(connection, lock):
                target.sendall(data)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)
        thread.join(10)

    def _receive(self, connection, lock):
        """Wait without the lock, then read with it."""
        if self._context is None:
            return connection.recv(65536)
        if not connection.pending():
            select.select([connection], [], [], 10)
        with lock:
            return connection.recv(65536)
