"""Fixtures of the network tests: certificates, and clients for loopback."""

import pathlib
import time

import pytest

from webtool.net.client import Client
from webtool.net.messages import Request
from webtool.settings import Settings

ROOT = pathlib.Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def certificates():
    """Return certificate files by name; "ca" is the authority to trust. certificates.py wrote them."""
    return {path.stem: path for path in (ROOT / "fixtures" / "certificates").glob("*.pem")}


@pytest.fixture
def make_client():
    """Return a function that makes clients which may reach loopback; all are closed at the end."""
    clients = []

    def make(environ=None, network=None, **settings):
        values = {"allow_private_hosts": ("127.0.0.1", "localhost"), **settings}
        clients.append(Client(Settings(**values), environ or {}, network))
        return clients[-1]

    yield make
    for client in clients:
        client.close()


@pytest.fixture
def get():
    """get(client, url, seconds=..., **options of Client.fetch)."""

    def fetch(client, url, seconds=10.0, headers=(), method="GET", **options):
        request = url if isinstance(url, Request) else Request(url, method, tuple(headers))
        return client.fetch(request, deadline=time.monotonic() + seconds, **options)

    return fetch
