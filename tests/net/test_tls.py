"""TLS over real sockets: waits that end before the bytes are sent, TLS inside TLS, connections that break."""

import contextlib
import socket
import ssl
import threading
import time

import pytest
from net.proxy_server import ProxyServer

from webtool.errors import NetworkError, TlsError
from webtool.net import tls
from webtool.net.dial import Watch
from webtool.net.receiving import receive, send

MESSAGE = bytes(range(256)) * 16384  # 4 MiB, more than the buffers of both connections and the proxy hold


class SlowServer:
    """A TLS server that reads nothing for a while, then everything, and answers with one byte."""

    def __init__(self, certificate, pause):
        self.received = b""
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate)
        self._pause = pause
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        connection, _ = self._listener.accept()
        connection.settimeout(10)
        with self._context.wrap_socket(connection, server_side=True) as encrypted:
            time.sleep(self._pause)
            data = bytearray()
            while len(data) < len(MESSAGE):
                data += encrypted.recv(1 << 20)
            self.received = bytes(data)
            encrypted.sendall(b".")
            encrypted.recv(1)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self._listener.close()


class Reluctant:
    """An encrypted socket of which every other send times out before it takes a byte, and the others take at most
    `most`."""

    def __init__(self, outer, most):
        self._outer, self._most = outer, most
        self._sends = 0

    def send(self, data):
        self._sends += 1
        if self._sends % 2:
            raise socket.timeout("timed out")
        return self._outer.send(data[: self._most])

    def sendall(self, data):
        self.send(data)
        if len(data) > self._most:
            raise socket.timeout("timed out")

    def __getattr__(self, name):
        return getattr(self._outer, name)


@pytest.fixture
def outer_to(certificates):
    """Return a function that opens TLS to an https proxy and asks it for a tunnel to a port."""
    cleanup = contextlib.ExitStack()

    def connect(port, watch):
        proxy = cleanup.enter_context(ProxyServer(port, None, certificates["good"]))
        context = tls.make_context({"SSL_CERT_FILE": str(certificates["ca"])}, False)
        outer = tls.wrap(socket.create_connection(("127.0.0.1", proxy.port)), "127.0.0.1", context, watch)
        cleanup.enter_context(outer)
        send(outer, b"CONNECT named.invalid:443 HTTP/1.1\r\n\r\n", watch)
        assert receive(outer, watch, "no tunnel").endswith(b"\r\n\r\n")
        return outer, context

    with cleanup:
        yield connect


def _watch(seconds=10.0):
    return Watch(time.monotonic() + seconds, lambda: False)  # with a cancellation, each wait is 0.25 s


def test_a_tunnel_sends_each_byte_once_although_waits_end_before(outer_to, certificates):
    watch = _watch()
    with SlowServer(certificates["named"], pause=1.0) as server:
        outer, context = outer_to(server.port, watch)
        tunnel = tls.Tunnel(outer, "named.invalid", context, watch)
        send(tunnel, MESSAGE, watch)
        assert receive(tunnel, watch, "no answer") == b"."
    assert server.received == MESSAGE


@pytest.mark.parametrize("most", [1000, 1 << 20])
def test_a_tunnel_continues_its_handshake_after_a_timeout(outer_to, certificates, most):
    watch = _watch()
    with SlowServer(certificates["named"], pause=0) as server:
        outer, context = outer_to(server.port, watch)
        tunnel = tls.Tunnel(Reluctant(outer, most), "named.invalid", context, watch)
        send(tunnel, MESSAGE, watch)
        assert receive(tunnel, watch, "no answer") == b"."
    assert server.received == MESSAGE


def test_a_folder_that_does_not_exist_is_an_error_naming_the_variable():
    with pytest.raises(TlsError, match="SSL_CERT_DIR names /nowhere"):
        tls.make_context({"SSL_CERT_DIR": "/nowhere"}, False)


def test_one_folder_of_a_list_is_enough(certificates):
    folders = f"/nowhere:{certificates['ca'].parent}"
    assert tls.make_context({"SSL_CERT_DIR": folders}, False).verify_mode == ssl.CERT_REQUIRED


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
RECORD = b"\x17\x03\x03\x00\x20" + b"x" * 32  # application data that no key decrypts
# What the server sends by TLS, what without TLS after it, and the error's code and message. TLS never ends in order.
BROKEN = [
    (b"", b"", "NETWORK_ERROR", "the server closed the connection without an answer"),
    (b"HTTP/1.1 200 OK\r\n", b"", "NETWORK_ERROR", "the connection closed inside the headers"),
    (HEAD + b"Content-Length: 9\r\n\r\nhalf", b"", "NETWORK_ERROR", "the connection closed before the body was"),
    (HEAD + b"Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", b"", "NETWORK_ERROR", "the connection closed before"),
    (b"", RECORD, "TLS_ERROR", "the TLS connection failed: "),
    (HEAD + b"Content-Length: 9\r\n\r\nhalf", RECORD, "TLS_ERROR", "the TLS connection failed: "),
    (b"", b"HTTP/1.1 200 OK\r\n\r\n", "TLS_ERROR", "the TLS connection failed: wrong version number"),
]


@pytest.mark.parametrize(("encrypted", "plain", "code", "message"), BROKEN)
def test_tls_that_breaks_after_the_handshake(make_client, get, certificates, encrypted, plain, code, message):
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificates["good"])
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve():
            with contextlib.suppress(OSError):
                while True:
                    connection = server.wrap_socket(listener.accept()[0], server_side=True)
                    connection.recv(65536)
                    connection.send(encrypted)
                    with socket.socket(fileno=connection.detach()) as bare:
                        bare.sendall(plain)

        threading.Thread(target=serve, daemon=True).start()
        client = make_client({"SSL_CERT_FILE": str(certificates["ca"])})
        with pytest.raises(NetworkError) as caught:
            get(client, f"https://127.0.0.1:{listener.getsockname()[1]}/")
    assert caught.value.code == code
    assert message in caught.value.message
    assert caught.value.retryable


def test_a_server_that_wants_a_certificate_is_named_so(make_client, get, certificates):
    """In TLS 1.3 the client learns so after the handshake."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificates["good"])
    server.load_verify_locations(certificates["ca"])
    server.verify_mode = ssl.CERT_REQUIRED
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve():
            with contextlib.suppress(OSError):
                while True:
                    connection = listener.accept()[0]
                    with connection.dup() as copy:  # it stays open when the handshake fails
                        with contextlib.suppress(ssl.SSLError):
                            server.wrap_socket(connection, server_side=True)
                        copy.recv(65536)

        threading.Thread(target=serve, daemon=True).start()
        client = make_client({"SSL_CERT_FILE": str(certificates["ca"])})
        with pytest.raises(TlsError) as caught:
            get(client, f"https://127.0.0.1:{listener.getsockname()[1]}/")
    assert "certificate required" in caught.value.message
    assert "wants a certificate of the client" in caught.value.hint
    assert not caught.value.retryable


@pytest.mark.parametrize("size", [0, 65536])
def test_a_handshake_that_the_server_leaves_may_be_tried_again(make_client, get, size):
    """Without reading, the server resets the connection; after it has read, TCP ends in order."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve():
            with contextlib.suppress(OSError):
                while True:
                    with listener.accept()[0] as connection:
                        connection.recv(size)

        threading.Thread(target=serve, daemon=True).start()
        with pytest.raises(TlsError, match="ended the connection inside the TLS handshake") as caught:
            get(make_client(), f"https://127.0.0.1:{listener.getsockname()[1]}/")
    assert caught.value.retryable
