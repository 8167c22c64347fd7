"""Endpoints named in the settings may have private addresses; pages may not."""

import socket
import time

import pytest

from webtool.errors import NetworkError, WebtoolError
from webtool.net.client import Client
from webtool.net.messages import Request
from webtool.settings import Settings


@pytest.fixture
def client():
    client = Client(Settings(deny_domains=("127.0.0.1",)), {})
    yield client
    client.close()


def soon():
    return time.monotonic() + 10


def code(call, *arguments, **members):
    with pytest.raises(WebtoolError) as caught:
        call(*arguments, deadline=soon(), **members)
    return caught.value.code


def test_a_loopback_endpoint_is_asked_but_not_fetched_as_a_page(client, providers):
    request = Request(providers.url("brave"))
    assert client.ask(request, deadline=soon()).status == 200
    assert code(client.fetch, request) == "SSRF_BLOCKED"
    assert len(providers.sent()) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308, 304, 305])
def test_a_redirect_of_an_endpoint_is_returned_not_followed(client, providers, status):
    providers.answer("brave", status, b"", {"Location": providers.url("google")})
    assert client.ask(Request(providers.url("brave")), deadline=soon()).status == status
    assert len(providers.sent()) == 1


def test_a_server_that_asks_to_come_back_is_not_waited_for(client, providers):
    providers.answer("brave", 429, b"", {"Retry-After": "20"})
    begun = time.monotonic()
    assert client.ask(Request(providers.url("brave")), deadline=soon()).status == 429
    assert time.monotonic() - begun < 10
    assert len(providers.sent()) == 1


def test_a_connection_to_an_endpoint_is_reused(client, providers):
    for _ in range(3):
        client.ask(Request(providers.url("searxng")), deadline=soon())
    assert len(client._endpoints) == 1
    assert len(providers.sent()) == 3


@pytest.mark.parametrize("url", ["ftp://127.0.0.1/", "file:///etc/passwd", "http://", "", "http://u:p@127.0.0.1/"])
def test_a_url_with_another_scheme_is_refused(client, url):
    assert code(client.ask, Request(url)) == "INVALID_URL"


def test_an_error_names_the_endpoint_without_its_query():
    client = Client(Settings(), {})
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    with pytest.raises(NetworkError) as caught:
        client.ask(Request(f"http://127.0.0.1:{port}/search?q=private+matters&x=1"), deadline=time.monotonic() + 5)
    client.close()
    assert caught.value.url == f"http://127.0.0.1:{port}/search"
    assert "private" not in str(caught.value.to_dict())
