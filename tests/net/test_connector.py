"""Connections through proxies, over real sockets: plain, with credentials, CONNECT, and TLS inside TLS."""

import pytest
from net import faults
from net.fault_server import FaultServer
from net.proxy_server import ProxyServer

from webtool.errors import NetworkError, SsrfBlocked, TlsError
from webtool.net.statuses import error_for

BASIC = "Basic dXNlcjpodW50ZXIy"  # user:hunter2


def test_a_plain_request_goes_through_the_proxy_in_absolute_form(make_client, get):
    with FaultServer(faults.page()) as server, ProxyServer(server.port, BASIC) as proxy:
        client = make_client({"http_proxy": f"http://user:hunter2@127.0.0.1:{proxy.port}"})
        response = get(client, "http://nowhere.invalid/page?x")
    assert response.status == 200
    assert proxy.asked[0].startswith(b"GET http://nowhere.invalid/page?x HTTP/1.1\r\n")
    assert b"hunter2" not in server.requests[0]


def test_missing_proxy_credentials_have_their_own_hint(make_client, get):
    with FaultServer(faults.page()) as server, ProxyServer(server.port, BASIC) as proxy:
        client = make_client({"all_proxy": f"http://127.0.0.1:{proxy.port}"})
        assert "proxy" in error_for(get(client, "http://nowhere.invalid/")).hint
        with pytest.raises(NetworkError, match="407") as caught:
            get(client, "https://nowhere.invalid/")
    assert "user:password" in caught.value.hint


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_https_goes_through_a_tunnel(make_client, get, certificates, scheme):
    environ = {"SSL_CERT_FILE": str(certificates["ca"])}
    with FaultServer(faults.page(), certificate=certificates["named"]) as server:
        own = certificates["good"] if scheme == "https" else None
        with ProxyServer(server.port, BASIC, own) as proxy:
            environ["https_proxy"] = f"{scheme}://user:hunter2@127.0.0.1:{proxy.port}"
            response = get(make_client(environ), "https://named.invalid/page")
    assert faults.LAST.encode() in response.body
    assert proxy.asked[0].startswith(b"CONNECT named.invalid:443 HTTP/1.1\r\n")
    assert b"hunter2" not in server.requests[0]
    assert b"Proxy-Authorization" not in server.requests[0]


def test_plain_http_goes_through_an_https_proxy(make_client, get, certificates):
    environ = {"SSL_CERT_FILE": str(certificates["ca"])}
    with FaultServer(faults.page()) as server, ProxyServer(server.port, None, certificates["good"]) as proxy:
        environ["http_proxy"] = f"https://127.0.0.1:{proxy.port}"
        assert get(make_client(environ), "http://nowhere.invalid/").status == 200


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_certificate_of_the_target_is_verified_through_the_tunnel(make_client, get, certificates, scheme):
    environ = {"SSL_CERT_FILE": str(certificates["ca"])}
    with FaultServer(faults.page(), certificate=certificates["good"]) as server:
        own = certificates["good"] if scheme == "https" else None
        with ProxyServer(server.port, None, own) as proxy:
            environ["https_proxy"] = f"{scheme}://127.0.0.1:{proxy.port}"
            with pytest.raises(TlsError, match="another host"):
                get(make_client(environ), "https://named.invalid/page")


def test_a_target_on_a_private_address_is_refused_before_the_proxy_is_asked(make_client, get):
    with FaultServer(faults.page()) as server, ProxyServer(server.port) as proxy:
        client = make_client({"all_proxy": f"127.0.0.1:{proxy.port}"})
        for url in ("http://10.0.0.1/", "https://intranet/", "http://metadata.google.internal/"):
            with pytest.raises(SsrfBlocked):
                get(client, url)
    assert proxy.asked == []


def test_a_host_in_no_proxy_is_connected_to_directly(make_client, get):
    with FaultServer(faults.page()) as server:
        client = make_client({"all_proxy": "127.0.0.1:1", "no_proxy": "localhost"})
        assert get(client, f"http://localhost:{server.port}/").status == 200
