"""A loopback server that sends exactly the bytes that a test chooses, without an HTTP library."""

import contextlib
import socket
import ssl
import struct
import threading

LONGEST = 20.0  # seconds that any one connection of the server lives
NOT_FOUND = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Gone(Exception):
    """The client has closed the connection; the behaviour ends."""


class Exchange:
    """One request and its connection. `count` numbers the requests for pages, from 1."""

    def __init__(self, connection, server, head, count):
        self.connection = connection
        self.server = server
        self.head = head
        self.count = count
        first, *lines = head.decode("latin-1").split("\r\n")
        self.method, self.target = [*first.split(" "), "", ""][:2]
        pairs = [line.partition(":") for line in lines if line]
        self.headers = {name.lower(): value.strip() for name, _, value in pairs}
        self.port = server.port

    def send(self, data):
        """Send all bytes; end the behaviour if the client is gone."""
        try:
            self.connection.sendall(data)
        except OSError as exc:
            raise Gone from exc

    def drip(self, pieces, pause):
        """Send pieces one by one."""
        for piece in pieces:
            self.send(piece)
            self.wait(pause)

    def wait(self, seconds):
        """Wait; end the behaviour when the server is closed."""
        if self.server.closing.wait(seconds):
            raise Gone

    def reset(self):
        """End the connection with a TCP reset."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raise Gone


class FaultServer:
    """Listens on loopback; `serve(exchange)` answers pages, `robots(exchange)` /robots.txt.

    A behaviour that returns True keeps the connection for the next request. `certificate`: the file for TLS.
    """

    def __init__(self, serve, robots=None, certificate=None, host="127.0.0.1", accepts=True, ragged=False):
        self.serve = serve
        self.robots = robots or (lambda exchange: exchange.send(NOT_FOUND))
        self.closing = threading.Event()
        self.accepted = 0
        self.requests = []
        self._pages = 0
        self._ragged = ragged
        self._context = None
        if certificate is not None:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(certificate)
        self._listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        self._listener.bind((host, 0))
        self._listener.listen(16)
        self.port = self._listener.getsockname()[1]
        self._threads = []
        if accepts:
            self._spawn(self._accept)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def close(self):
        """Stop listening and close every connection."""
        self.closing.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(LONGEST)

    def _spawn(self, target, *arguments):
        thread = threading.Thread(target=target, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self):
        while not self.closing.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.accepted += 1
            self._spawn(self._serve_connection, connection)

    def _serve_connection(self, connection):
        connection.settimeout(LONGEST)
        try:
            if self._context is not None:
                connection = self._context.wrap_socket(connection, server_side=True)
            while self._answer(connection):
                pass
            if self._context is not None and not self._ragged:
                connection.unwrap()
        except (OSError, Gone):
            pass
        finally:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_WR)
            self._drain(connection)
            connection.close()

    def _drain(self, connection):
        """Read what the client still sends: otherwise closing would reset the connection before it has read the
        response."""
        with contextlib.suppress(OSError):
            if connection.getsockopt(socket.SOL_SOCKET, socket.SO_LINGER, 8) == struct.pack("ii", 1, 0):
                return
            connection.settimeout(0.05)
            while connection.recv(65536):
                pass

    def _answer(self, connection):
        head = b""
        while b"\r\n\r\n" not in head:
            data = connection.recv(65536)
            if not data:
                return False
            head += data
            if head[:1] == b"\x16" and self._context is None:  # a TLS ClientHello
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                return False
        head = head.partition(b"\r\n\r\n")[0]
        self.requests.append(head)
        if head.split(b" ")[1:2] == [b"/robots.txt"]:
            return self.robots(Exchange(connection, self, head, 0))
        self._pages += 1
        return self.serve(Exchange(connection, self, head, self._pages))
