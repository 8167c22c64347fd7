"""Fakes for everything that does I/O: a client that answers from a table, a cache in memory, a clock that is set."""

from webtool.errors import NetworkError
from webtool.net.messages import Headers, Response


class Clock:
    """Returns `time`, which a test can change."""

    def __init__(self):
        self.time = 1.8e9

    def __call__(self):
        return self.time


class FakeClient:
    """Answers from `pages` and records the requests.

    `pages` has for each URL (status, headers, body), a function of the request that returns it, or an error to raise.
    """

    def __init__(self, pages):
        self.pages = dict(pages)
        self.asked = []

    def fetch(self, request, *, check_hop=None, **_):
        if check_hop is not None:
            check_hop(request.url)
        self.asked.append(request)
        answer = self.pages.get(request.url)
        if answer is None:
            raise NetworkError(f"nobody answers at {request.url}")
        if isinstance(answer, Exception):
            raise answer
        status, headers, body = answer(request) if callable(answer) else answer
        body = body.encode() if isinstance(body, str) else body
        return Response(request.url, status, "", Headers(headers.items()), body)

    def urls(self):
        """Return the requested URLs without robots.txt."""
        return [request.url for request in self.asked if not request.url.endswith("/robots.txt")]

    def close(self):
        pass


class FakeCache:
    """Snapshots in a dictionary."""

    def __init__(self):
        self.rows = {}

    def get(self, key, strict=False):
        return self.rows.get(key)

    def put(self, snapshot):
        self.rows[snapshot.hash] = snapshot

    touch = put

    def delete(self, key):
        self.rows.pop(key, None)

    def get_robots(self, origin):
        return None

    def put_robots(self, *row):
        pass

    def close(self):
        pass
