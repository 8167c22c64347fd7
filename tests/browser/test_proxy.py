"""The browser's way out, spoken to with plain sockets."""

import contextlib
import socket
import threading
import time

import pytest

from webtool.browser import proxy as module
from webtool.browser.heads import body_length, rewritten, split_authority
from webtool.browser.proxy import Dialer, Proxy, Route
from webtool.errors import NetworkError, SsrfBlocked
from webtool.net import proxies
from webtool.net.dial import Network
from webtool.settings import Settings


class Server:
    """Takes one connection after the other, keeps what it reads until `until`, answers with `answer`."""

    def __init__(self, answer=b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", until=b"\r\n\r\n"):
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self.requests = []
        self.answer = answer
        self._until = until
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(5)
                data = b""
                try:
                    while self._until not in data:
                        chunk = connection.recv(65536)
                        if not chunk:
                            break
                        data += chunk
                    self.requests.append(data)
                    connection.sendall(self.answer)
                    self._more(connection)
                except OSError:
                    continue

    def _more(self, connection):
        """Act after the answer."""

    def close(self):
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes the thread that waits for a connection
        self._socket.close()


class Echo(Server):
    """Sends back whatever comes after the first answer."""

    def _more(self, connection):
        while True:
            data = connection.recv(65536)
            if not data:
                return
            connection.sendall(data.upper())


@pytest.fixture
def serve():
    made = []

    def make(kind=Server, *args, **options):
        made.append(kind(*args, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def proxy():
    made = []

    def make(dial=None, max_bytes=1 << 20, **settings):
        settings = Settings(**{"allow_private_hosts": ("127.0.0.1",), **settings})
        made.append(Proxy(dial or Dialer(settings, {}), max_bytes=max_bytes))
        return made[-1]

    yield make
    for one in made:
        one.close()


def talk(port, data):
    """Send, read to the end."""
    with socket.create_connection(("127.0.0.1", port), 5) as connection:
        connection.sendall(data)
        received = b""
        while True:
            chunk = connection.recv(65536)
            if not chunk:
                return received
            received += chunk


def test_plain_request_reaches_the_server_in_origin_form(proxy, serve):
    server = serve()
    head = (
        f"GET http://127.0.0.1:{server.port}/a?b=1 HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        "Proxy-Connection: keep-alive\r\nConnection: keep-alive\r\nX-A: 1\r\n\r\n"
    )
    answer = talk(proxy().port, head.encode())
    assert answer == b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
    lines = server.requests[0].decode().split("\r\n")
    assert lines[0] == "GET /a?b=1 HTTP/1.1"
    assert lines[1:] == [f"Host: 127.0.0.1:{server.port}", "X-A: 1", "Connection: close", "", ""]


def test_body_goes_along_and_nothing_after_it(proxy, serve):
    server = serve(until=b"END")
    head = f"POST http://127.0.0.1:{server.port} HTTP/1.1\r\nContent-Length: 100003\r\n\r\n".encode()
    talk(proxy().port, head + b"x" * 100000 + b"ENDGET http://10.0.0.1/ HTTP/1.1\r\n\r\n")
    sent = server.requests[0]
    assert sent.startswith(b"POST / HTTP/1.1\r\n")
    assert sent.endswith(b"x" * 1000 + b"END")


def test_interim_answers_are_passed_over(proxy, serve):
    server = serve(answer=b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n")
    answer = talk(proxy().port, f"GET http://127.0.0.1:{server.port}/ HTTP/1.1\r\n\r\n".encode())
    assert answer == b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"


@pytest.mark.parametrize("answer", [b"", b"SSH-2.0-x\r\n\r\n", b"HTTP/1.1 200 OK\r\nX: ", b"x" * 400000])
def test_answer_that_is_no_http_is_not_passed_on(proxy, serve, answer):
    server = serve(answer=answer)
    try:
        assert talk(proxy().port, f"GET http://127.0.0.1:{server.port}/ HTTP/1.1\r\n\r\n".encode()) == b""
    except ConnectionError:
        pass  # reset: nothing was passed on either


def test_tunnel_carries_bytes_both_ways_until_the_client_ends(proxy, serve):
    server = serve(Echo, answer=b"HELLO", until=b"hello")
    head = f"CONNECT 127.0.0.1:{server.port} HTTP/1.1\r\nHost: x\r\n\r\nhello".encode()
    with socket.create_connection(("127.0.0.1", proxy().port), 5) as connection:
        connection.sendall(head)
        received = b""
        while not received.endswith(b"HELLO"):
            received += connection.recv(65536) or pytest.fail("the proxy hung up")
        connection.sendall(b"more")
        while not received.endswith(b"MORE"):
            received += connection.recv(65536) or pytest.fail("the tunnel ended before its client did")
        connection.shutdown(socket.SHUT_WR)
        assert connection.recv(65536) == b""
    assert received == b"HTTP/1.1 200 Connection established\r\n\r\nHELLOMORE"


def test_tunnel_gives_back_what_the_server_says(proxy, serve):
    server = serve(answer=b"from the server", until=b"hello")
    answer = talk(proxy().port, f"CONNECT 127.0.0.1:{server.port} HTTP/1.1\r\n\r\nhello".encode())
    assert answer == b"HTTP/1.1 200 Connection established\r\n\r\nfrom the server"


def test_refused_tunnel_is_403_and_noted(proxy):
    one = proxy()
    answer = talk(one.port, b"CONNECT 127.0.0.2:8443 HTTP/1.1\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 403 ")
    assert isinstance(one.refusal("127.0.0.2", 8443), SsrfBlocked)
    assert one.refusal("127.0.0.2", 8444) is None


def test_refused_plain_request_gets_no_answer_at_all(proxy):
    one = proxy()
    assert talk(one.port, b"GET http://127.0.0.2:8080/ HTTP/1.1\r\n\r\n") == b""
    assert isinstance(one.refusal("127.0.0.2", 8080), SsrfBlocked)


def test_refusal_is_forgotten_once_the_host_is_reached(proxy, serve):
    server = serve()
    answers = [NetworkError("down"), None]

    def dial(scheme, host, port, deadline):
        error = answers.pop(0)
        if error:
            raise error
        return Route(socket.create_connection((host, port), 5))

    one = proxy(dial)
    request = f"GET http://127.0.0.1:{server.port}/ HTTP/1.1\r\n\r\n".encode()
    assert talk(one.port, request) == b""
    assert one.refusal("127.0.0.1", server.port).message == "down"
    assert talk(one.port, request).endswith(b"ok")
    assert one.refusal("127.0.0.1", server.port) is None


def test_own_port_is_refused(proxy):
    one = proxy()
    assert talk(one.port, f"GET http://127.0.0.1:{one.port}/ HTTP/1.1\r\n\r\n".encode()) == b""
    assert "own proxy" in one.refusal("127.0.0.1", one.port).message


MALFORMED = [
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET ftp://127.0.0.1/ HTTP/1.1\r\n\r\n",
    b"GET file:///etc/passwd HTTP/1.1\r\n\r\n",
    b"CONNECT 127.0.0.1 HTTP/1.1\r\n\r\n",
    b"CONNECT 127.0.0.1:0 HTTP/1.1\r\n\r\n",
    b"CONNECT 127.0.0.1:99999 HTTP/1.1\r\n\r\n",
    b"CONNECT :80 HTTP/1.1\r\n\r\n",
    b"junk\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\r\n\r\n",
    b"POST http://127.0.0.1:9999/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
    b"POST http://127.0.0.1:9999/ HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
    b"GET http://127.0.0.1:9999/ HTTP/1.1\r\nX: " + b"x" * 600000,
]


@pytest.mark.parametrize("request_", MALFORMED)
def test_malformed_requests_end_without_an_answer(proxy, request_):
    one = proxy(lambda *arguments: pytest.fail("nothing is to be dialled"))
    try:
        assert talk(one.port, request_) == b""
    except ConnectionError:
        pass


@pytest.mark.parametrize("line", ["CONNECT a.example:443 HTTP/1.1", "GET http://a.example/ HTTP/1.1"])
def test_connection_that_is_gone_before_it_is_used_is_closed(proxy, line):
    made = []

    def dial(*_):
        made.append(socket.socket())  # connected to nobody any more
        return Route(made[0], None)

    with contextlib.suppress(ConnectionError):
        talk(proxy(dial).port, f"{line}\r\n\r\n".encode())
    until = time.monotonic() + 20
    while made[0].fileno() != -1 and time.monotonic() < until:
        time.sleep(0.01)
    assert made[0].fileno() == -1


def test_threads_that_cannot_start_close_the_connection(proxy, monkeypatch):
    monkeypatch.setattr(module, "start_thread", lambda work: False)
    port = proxy().port
    for _ in range(module.MAX_CONNECTIONS + 1):
        with contextlib.suppress(ConnectionError):
            assert talk(port, b"GET http://a.example/ HTTP/1.1\r\n\r\n") == b""


def test_traffic_has_a_bound(proxy, serve):
    server = serve(answer=b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * (4 << 20))
    request = f"GET http://127.0.0.1:{server.port}/ HTTP/1.1\r\n\r\n".encode()
    try:
        received = len(talk(proxy(max_bytes=100000).port, request))
    except ConnectionError:
        received = 0
    assert received < 400000


def test_close_ends_open_tunnels_at_once(proxy, serve):
    server = serve(Echo, answer=b"hi", until=b"hello")
    one = proxy()
    with socket.create_connection(("127.0.0.1", one.port), 20) as connection:
        connection.sendall(f"CONNECT 127.0.0.1:{server.port} HTTP/1.1\r\n\r\nhello".encode())
        received = b""
        while not received.endswith(b"hi"):
            received += connection.recv(1000)
        started = time.monotonic()
        one.close()
        assert connection.recv(1000) == b""
        assert time.monotonic() - started < 15
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", one.port), 1)


def test_many_connections_at_a_time_are_all_served(proxy, serve):
    server = serve()
    one = proxy()
    answers = []
    request = f"GET http://127.0.0.1:{server.port}/ HTTP/1.1\r\n\r\n".encode()
    threads = [threading.Thread(target=lambda: answers.append(talk(one.port, request)[-2:])) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert answers == [b"ok"] * 40


def test_upstream_proxy_is_asked_for_a_tunnel_with_its_credentials(proxy, serve):
    upstream = serve(answer=b"HTTP/1.1 200 Go\r\n\r\n")
    environ = {"https_proxy": f"http://user:pw@127.0.0.1:{upstream.port}"}
    one = proxy(Dialer(Settings(), environ))
    assert talk(one.port, b"CONNECT news.example:443 HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 200 ")
    assert upstream.requests[0].startswith(b"CONNECT news.example:443 HTTP/1.1\r\nHost: news.example:443\r\n")
    assert b"Proxy-Authorization: Basic dXNlcjpwdw==\r\n" in upstream.requests[0]


def test_upstream_proxy_gets_plain_requests_in_absolute_form(proxy, serve):
    upstream = serve()
    one = proxy(Dialer(Settings(), {"http_proxy": f"http://user:pw@127.0.0.1:{upstream.port}"}))
    assert talk(one.port, b"GET http://news.example/x HTTP/1.1\r\nHost: news.example\r\n\r\n").endswith(b"ok")
    assert upstream.requests[0].startswith(b"GET http://news.example/x HTTP/1.1\r\nHost: news.example\r\n")
    assert b"\r\nProxy-Authorization: Basic dXNlcjpwdw==\r\n\r\n" in upstream.requests[0]


def test_upstream_proxy_does_not_open_private_addresses(proxy, serve):
    upstream = serve()
    environ = dict.fromkeys(("http_proxy", "https_proxy"), f"http://127.0.0.1:{upstream.port}")
    one = proxy(Dialer(Settings(), environ))
    for target in (b"10.0.0.1:443", b"intranet:443", b"metadata.google.internal:443"):
        assert talk(one.port, b"CONNECT " + target + b" HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 403 ")
        assert talk(one.port, b"GET http://" + target + b"/ HTTP/1.1\r\n\r\n") == b""
    assert upstream.requests == []


def test_a_name_that_our_resolver_knows_to_be_private_is_not_asked_of_the_upstream_proxy(proxy, serve):
    class Private(Network):
        def resolve(self, host, port, watch):
            return ["10.1.2.3"]

    upstream = serve()
    one = proxy(Dialer(Settings(), {"https_proxy": f"http://127.0.0.1:{upstream.port}"}, Private()))
    assert talk(one.port, b"CONNECT wiki.example:443 HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 403 ")
    assert upstream.requests == []


@pytest.mark.parametrize("answer", [b"HTTP/1.1 407 No\r\n\r\n", b"", b"junk\r\n\r\n"])
def test_upstream_proxy_that_refuses_is_a_network_error(proxy, serve, answer):
    upstream = serve(answer=answer)
    one = proxy(Dialer(Settings(), {"https_proxy": f"http://127.0.0.1:{upstream.port}"}))
    assert talk(one.port, b"CONNECT news.example:443 HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 403 ")
    assert isinstance(one.refusal("news.example", 443), NetworkError)


def test_https_upstream_proxy_is_refused_with_what_to_do(proxy):
    one = proxy(Dialer(Settings(), {"https_proxy": "https://proxy.example:443"}))
    talk(one.port, b"CONNECT news.example:443 HTTP/1.1\r\n\r\n")
    assert "https_proxy" in one.refusal("news.example", 443).hint


AUTHORITIES = [
    (b"x.example:8080", 80, ("x.example", 8080)),
    (b"x.example", 80, ("x.example", 80)),
    (b"user:pw@x.example", 80, ("x.example", 80)),
    (b"[2001:db8::1]:443", 0, ("2001:db8::1", 443)),
    (b"[2001:db8::1]", 80, ("2001:db8::1", 80)),
]


@pytest.mark.parametrize(("text", "default", "expected"), AUTHORITIES)
def test_authority_is_split(text, default, expected):
    assert split_authority(text, default) == expected


def test_rewritten_request_keeps_method_and_fields():
    head = b"PUT http://x/ HTTP/1.1\r\nHost: x\r\nTE: trailers\r\nUpgrade: h2c\r\nA: b\r\n\r\n"
    assert rewritten(head, b"/y") == b"PUT /y HTTP/1.1\r\nHost: x\r\nA: b\r\nConnection: close\r\n\r\n"
    assert body_length(b"PUT / HTTP/1.1\r\ncontent-LENGTH: 12 \r\n\r\n") == 12
    assert proxies.parse("http://h:1", "x").port == 1
