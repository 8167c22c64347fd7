"""The server under test: the built archive with a cache of its own, and a site on loopback that it may open."""

import socket
import threading

import pytest
from mcp_peer import Peer
from servers import Server, page

SENTENCE = (
    "<p>Paragraph {n} says that the sea rises and falls twice a day, and that the harbour of town {n} keeps a table,"
    " with <a href='/town/{n}'>its own page</a> for every month of the year.</p>"
)
ARTICLE = (
    '<!doctype html><title>Tide tables: how to "read" them</title><nav><a href=/>Home</a></nav>'
    "<main><h1>Tide tables: how to &quot;read&quot; them</h1>"
    + "".join(SENTENCE.format(n=n) for n in range(1, 13))
    + "</main>"
)


class Site(Server):
    """A site of ordinary pages; `/slow` answers when `release` is set."""

    def __init__(self):
        self.release = threading.Event()
        self.closed_early = threading.Event()
        super().__init__(
            {
                "/article": page(ARTICLE, **{"Cache-Control": "max-age=3600"}),
                "/data.json": (200, {"Content-Type": "application/json"}, b'{"a": [1, 2], "b": "caf\xc3\xa9"}'),
                "/robots.txt": (200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /private\n"),
                "/private": page("<p>not for you</p>"),
                "/long": (
                    200,
                    {"Content-Type": "text/plain"},
                    b"".join(b"line %d of many\n" % n for n in range(1, 20001)),
                ),
                "/slow": self._slow,
                "/broken": (503, {"Content-Type": "text/plain"}, b"later"),
            }
        )

    def _slow(self, request):
        """Hold the answer back, and notice when the client hangs up."""
        request.connection.settimeout(0.05)
        while not self.release.is_set():
            try:
                if not request.connection.recv(1):
                    self.closed_early.set()
                    return None
            except socket.timeout:  # not TimeoutError before Python 3.10
                continue
            except OSError:
                self.closed_early.set()
                return None
        return page("<p>at last</p>")


@pytest.fixture
def site():
    with Site() as server:
        yield server
        server.release.set()


@pytest.fixture
def environ(tmp_path):
    return {"WEBTOOL_CACHE_PATH": str(tmp_path / "cache.sqlite3"), "WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1"}


@pytest.fixture
def peer(archive, environ):
    """The server, before any handshake."""
    with Peer(archive, **environ) as started:
        yield started


@pytest.fixture
def legacy(peer):
    """The server after the handshake of 2025-11-25."""
    peer.shake_hands()
    return peer
