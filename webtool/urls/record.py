"""Hold a parsed URL and serialise it. Spec: WHATWG URL Standard sections 4.1 and 4.5.

Tests: tests/urls/test_urls.py
"""

from __future__ import annotations

from webtool.lean.records import NamedTuple

DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21, "file": None}
"""The special schemes and their default ports."""


class Url(NamedTuple):
    """A parsed URL. `host` is serialised (IPv6 in brackets), None without one; `port` None when default."""

    scheme: str
    username: str
    password: str
    host: str | None
    port: int | None
    path: str
    query: str | None
    fragment: str | None

    @property
    def href(self) -> str:
        """The URL serialised."""
        fragment = "" if self.fragment is None else f"#{self.fragment}"
        return f"{self.scheme}:{self._authority()}{self.path}{self._search()}{fragment}"

    @property
    def without_fragment(self) -> str:
        """The URL serialised without its fragment."""
        return f"{self.scheme}:{self._authority()}{self.path}{self._search()}"

    @property
    def origin(self) -> str:
        """Scheme, host and port, the last only when not the scheme's default: `https://example.com:8443`."""
        return f"{self.scheme}://{self.netloc}"

    @property
    def netloc(self) -> str:
        """Host with the port if it is not the default one, as the Host header wants it."""
        return f"{self.host or ''}" if self.port is None else f"{self.host or ''}:{self.port}"

    @property
    def effective_port(self) -> int:
        """The port to dial; 0 for schemes without a port."""
        return (DEFAULT_PORTS.get(self.scheme) or 0) if self.port is None else self.port

    @property
    def target(self) -> str:
        """Path and query: the request target in origin form."""
        return f"{self.path}{self._search()}"

    def _search(self) -> str:
        return "" if self.query is None else f"?{self.query}"

    def _authority(self) -> str:
        if self.host is None:
            return "/." if self.path.startswith("//") else ""
        password = f":{self.password}" if self.password else ""
        userinfo = f"{self.username}{password}@" if self.username or password else ""
        return f"//{userinfo}{self.netloc}"
