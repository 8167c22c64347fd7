"""The client over real sockets: redirects, retries, reused connections, limits, cancellation, headers per host."""

import json
import threading
import time

import pytest
from net import faults
from net.fault_server import FaultServer

from webtool.errors import Cancelled, FetchTimeout, FetchTooLarge, NetworkError, RobotsDisallowed, TlsError
from webtool.net.connector import MAX_PER_ORIGIN
from webtool.net.messages import Request

KEPT = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


def keeps(exchange):
    exchange.send(KEPT)
    return True


def test_a_response_lists_its_redirects_and_their_headers(make_client, get):
    with FaultServer(faults.hops(lambda n: f"/{n}", 2)) as server:
        response = get(make_client(), f"http://127.0.0.1:{server.port}/a#f")
    base = f"http://127.0.0.1:{server.port}"
    assert response.redirects == (f"{base}/a", f"{base}/1")
    assert response.url == f"{base}/2"
    assert response.status == 200
    assert 0 <= response.elapsed_ms < 10000


def test_max_redirects_can_be_set_per_call(make_client, get):
    with FaultServer(faults.hops(lambda n: f"/{n}", 2)) as server:
        url = f"http://127.0.0.1:{server.port}/"
        with pytest.raises(NetworkError, match="more than 1"):
            get(make_client(), url, max_redirects=1)


def test_error_statuses_are_returned_as_responses(make_client, get):
    with FaultServer(faults.status("404 Not Found")) as server:
        response = get(make_client(), f"http://127.0.0.1:{server.port}/")
    assert (response.status, response.reason) == (404, "Not Found")
    assert b"error page" in response.body


def test_connections_are_reused_between_requests_and_threads(make_client, get):
    client = make_client()
    with FaultServer(keeps, robots=keeps) as server:
        for _ in range(5):
            assert get(client, f"http://127.0.0.1:{server.port}/").body == b"ok"
        assert server.accepted == 1
        client.close()


def test_an_idle_connection_that_died_is_replaced(make_client, get):
    client = make_client()
    with FaultServer(keeps) as server:
        get(client, f"http://127.0.0.1:{server.port}/")
        key = next(iter(client._pool._idle))
        # As if the server had closed it between the look and the request: the look sees nothing to read.
        connection, since = client._pool._idle[key][0]
        client._pool._idle[key] = [(_Dead(connection), since)]
        assert get(client, f"http://127.0.0.1:{server.port}/").body == b"ok"
        assert server.accepted == 2
        client.close()


def gives_up(exchange):
    """Send a response, and later a 408 for the idle connection, as some servers do before they close it."""
    exchange.send(KEPT)
    exchange.wait(0.3)
    exchange.send(b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


def test_bytes_sent_to_an_idle_connection_do_not_answer_the_next_request(make_client, get):
    client = make_client()
    with FaultServer(faults.then(gives_up, keeps)) as server:
        url = f"http://127.0.0.1:{server.port}/"
        assert get(client, url).body == b"ok"
        # Asked while the server's mind is made up and its word not yet here: the answer is that word.
        assert get(client, url).body == b"ok"
        assert server.accepted == 2
        client.close()
    with FaultServer(faults.status("408 Request Timeout")) as server:
        assert get(make_client(), f"http://127.0.0.1:{server.port}/").status == 408


class _Dead:
    """A connection that ends when it is used."""

    def __init__(self, connection):
        self.connection = connection

    def send(self, data):
        return len(data)

    def recv(self, size):
        return b""

    def settimeout(self, seconds):
        pass

    def fileno(self):
        return self.connection.fileno()

    def close(self):
        self.connection.close()


def test_open_connections_to_one_origin_are_limited(make_client, get):
    client = make_client()
    begun, release = threading.Semaphore(0), threading.Event()

    def serve(exchange):
        begun.release()
        release.wait(10)
        return keeps(exchange)

    with FaultServer(serve) as server:
        results = []
        threads = [
            threading.Thread(target=lambda: results.append(get(client, f"http://127.0.0.1:{server.port}/").body))
            for _ in range(2 * MAX_PER_ORIGIN)
        ]
        for thread in threads:
            thread.start()
        for _ in range(MAX_PER_ORIGIN):
            assert begun.acquire(timeout=10)
        assert not begun.acquire(timeout=0.2)
        release.set()
        for thread in threads:
            thread.join(10)
        assert results == [b"ok"] * 2 * MAX_PER_ORIGIN
        assert server.accepted == MAX_PER_ORIGIN
        client.close()


def expect_timeout(get, client, url):
    with pytest.raises(FetchTimeout):
        get(client, url, 1.0)


def test_waiting_for_a_connection_ends_by_the_deadline(make_client, get):
    client = make_client()
    with FaultServer(faults.wait) as server:
        url = f"http://127.0.0.1:{server.port}/"
        threads = [threading.Thread(target=expect_timeout, args=(get, client, url)) for _ in range(MAX_PER_ORIGIN)]
        for thread in threads:
            thread.start()
        while server.accepted < MAX_PER_ORIGIN:
            time.sleep(0.01)
        with pytest.raises(FetchTimeout, match="same host"):
            get(client, url, 0.2)
        for thread in threads:
            thread.join(10)


def test_a_post_is_not_sent_twice(make_client):
    with FaultServer(faults.then(faults.reset, faults.page())) as server:
        request = Request(f"http://127.0.0.1:{server.port}/", "POST", (), b"body")
        with pytest.raises(NetworkError):
            make_client().fetch(request, deadline=time.monotonic() + 5)
        assert server.accepted == 1


def test_a_long_retry_after_is_not_waited_for(make_client, get):
    with FaultServer(faults.status("429 Slow", "Retry-After: 30")) as server:
        begun = time.monotonic()
        response = get(make_client(), f"http://127.0.0.1:{server.port}/", seconds=20.0)
        assert response.status == 429
        assert time.monotonic() - begun < 10
        assert len(server.requests) == 1


def test_the_number_of_remembered_waits_is_limited(make_client, get, monkeypatch):
    monkeypatch.setattr("webtool.net.client._MAX_RESTING_HOSTS", 1)
    client = make_client()
    for host in ("127.0.0.1", "localhost"):
        with FaultServer(faults.then(faults.status("503 Busy", "Retry-After: 0"), faults.page())) as server:
            assert get(client, f"http://{host}:{server.port}/").status == 200
    assert list(client._resting_until) == ["localhost"]


@pytest.mark.parametrize("serve", [faults.wait, faults.after(faults.CLOSED, b"x", 0.05)])
def test_cancelling_ends_a_wait_at_once(make_client, get, serve):
    cancelled = threading.Event()
    with FaultServer(serve) as server:
        timer = threading.Timer(0.2, cancelled.set)
        timer.start()
        begun = time.monotonic()
        with pytest.raises(Cancelled):
            get(make_client(), f"http://127.0.0.1:{server.port}/", is_cancelled=cancelled.is_set)
        assert time.monotonic() - begun < 10
        timer.join()


def test_max_bytes_counts_decoded_bytes_and_cut_stops_there(make_client, get):
    import gzip

    body = gzip.compress(b"a" * 100000)
    with FaultServer(faults.coded("gzip", body)) as server:
        url = f"http://127.0.0.1:{server.port}/"
        assert len(get(make_client(), url, max_bytes=100000).body) == 100000
        with pytest.raises(FetchTooLarge):
            get(make_client(), url, max_bytes=99999)
        response = get(make_client(), url, max_bytes=99999, cut=True)
        assert (len(response.body), response.truncated) == (99999, True)


def test_a_content_length_over_the_limit_is_refused_before_the_body_is_read(make_client, get):
    with FaultServer(faults.big_length) as server:
        begun = time.monotonic()
        with pytest.raises(FetchTooLarge, match="10000000000"):
            get(make_client(), f"http://127.0.0.1:{server.port}/", seconds=9)
        assert time.monotonic() - begun < 5


def test_check_hop_may_refuse_the_target_of_a_redirect(make_client, get):
    def check(url):
        if url.endswith("/next"):
            raise RobotsDisallowed("no", path="/next")

    with FaultServer(faults.redirect("/next")) as server:
        server.other_port = 0
        with pytest.raises(RobotsDisallowed):
            get(make_client(), f"http://127.0.0.1:{server.port}/", check_hop=check)
        assert len(server.requests) == 1


def head_of(server, number=-1):
    lines = server.requests[number].decode("latin-1").split("\r\n")[1:]
    return {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}


def test_the_user_agent_includes_the_contact(make_client, get):
    with FaultServer(faults.page()) as server:
        get(make_client(contact="https://example.com/bot"), f"http://127.0.0.1:{server.port}/")
        get(make_client(user_agent="mine/1"), f"http://127.0.0.1:{server.port}/", headers=[("Accept", "text/plain")])
    assert head_of(server, 0)["user-agent"].endswith(" (+https://example.com/bot)")
    assert head_of(server, 1)["user-agent"] == "mine/1"
    assert head_of(server, 1)["accept"] == "text/plain"


def test_headers_of_the_hosts_file_reach_only_their_host(make_client, get, tmp_path):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password hunter2\n")
    netrc.chmod(0o600)
    entry = {"headers": {"X-Team": "hunter2"}, "cookies": {"a": "hunter2", "b": "2"}, "netrc": True}
    hosts_file = tmp_path / "hosts.json"
    hosts_file.write_text(json.dumps({"http://127.0.0.1": entry, "*.example.com": {"headers": {"X-Wild": "1"}}}))
    client = make_client({"NETRC": str(netrc)}, hosts_file=str(hosts_file))
    with FaultServer(faults.page()) as other, FaultServer(faults.redirect("http://localhost:{other}/")) as server:
        server.other_port = other.port
        get(client, f"http://127.0.0.1:{server.port}/")
    sent, passed_on = head_of(server), head_of(other)
    assert sent["x-team"] == "hunter2"
    assert sent["cookie"] == "a=hunter2; b=2"
    assert sent["authorization"] == "Basic bWU6aHVudGVyMg=="
    assert "hunter2" not in str(passed_on)
    assert not {"x-team", "cookie", "authorization"} & passed_on.keys()


def test_cookies_of_a_redirect_chain_go_only_to_their_host(make_client, get):
    with FaultServer(faults.page()) as other:
        serve = faults.redirect("http://localhost:{other}/", "Set-Cookie: a=b; Path=/")
        with FaultServer(serve) as server:
            server.other_port = other.port
            get(make_client(), f"http://127.0.0.1:{server.port}/")
    assert "cookie" not in head_of(other)


def test_many_threads_share_one_client(make_client, get):
    client = make_client()
    with FaultServer(keeps) as server:
        results = []
        threads = [
            threading.Thread(
                target=lambda: results.extend(
                    get(client, f"http://127.0.0.1:{server.port}/{n}").status for n in range(20)
                )
            )
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        assert results == [200] * 160
        assert server.accepted <= MAX_PER_ORIGIN + 2
        client.close()


TLS_CAUSES = [
    ("selfsigned", "self-signed"), ("expired", "expired"), ("notyet", "not valid yet"), ("unknownca", "issuer"),
    ("wronghost", "another"), ("cnonly", "another"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "cause"), TLS_CAUSES)
def test_tls_errors_name_the_cause_and_the_setting(make_client, get, certificates, name, cause):
    client = make_client({"SSL_CERT_FILE": str(certificates["ca"])})
    server = FaultServer(faults.page(), certificate=certificates[name])
    with server, pytest.raises(TlsError, match=cause) as caught:
        get(client, f"https://127.0.0.1:{server.port}/")
    assert caught.value.hint
    assert not caught.value.retryable


@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"])
def test_each_variable_sets_the_certificate_authorities(make_client, get, certificates, variable):
    with FaultServer(faults.page(), certificate=certificates["good"]) as server:
        response = get(make_client({variable: str(certificates["ca"])}), f"https://localhost:{server.port}/")
        assert response.status == 200
        with pytest.raises(TlsError):
            get(make_client(), f"https://localhost:{server.port}/")


def test_a_missing_certificate_file_is_an_error_naming_the_variable(make_client, get):
    with FaultServer(faults.page()) as server, pytest.raises(TlsError, match="CURL_CA_BUNDLE"):
        get(make_client({"CURL_CA_BUNDLE": "/nowhere.pem"}), f"https://127.0.0.1:{server.port}/")


def test_only_the_setting_relaxes_the_strict_x509_rules(make_client, get, certificates):
    import ssl

    environ = {"SSL_CERT_FILE": str(certificates["ca"])}
    with FaultServer(faults.page(), certificate=certificates["noaki"]) as server:
        url = f"https://127.0.0.1:{server.port}/"
        is_strict = bool(ssl.create_default_context().verify_flags & getattr(ssl, "VERIFY_X509_STRICT", 0))
        if is_strict:
            with pytest.raises(TlsError) as caught:
                get(make_client(environ), url)
            assert "tls_relaxed" in caught.value.hint
        assert get(make_client(environ, tls_relaxed=True), url).status == 200
    with FaultServer(faults.page(), certificate=certificates["selfsigned"]) as server, pytest.raises(TlsError):
        get(make_client(environ, tls_relaxed=True), f"https://127.0.0.1:{server.port}/")


def test_tls_connections_are_reused_too(make_client, get, certificates):
    client = make_client({"SSL_CERT_FILE": str(certificates["ca"])})
    with FaultServer(keeps, certificate=certificates["good"]) as server:
        for _ in range(4):
            assert get(client, f"https://127.0.0.1:{server.port}/").body == b"ok"
        assert server.accepted <= 2  # a session ticket that comes late may cost the first connection
        client.close()
