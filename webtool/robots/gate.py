"""Refuse URLs that robots.txt forbids. In: a client, settings, a cache or None, URLs. Out: RobotsDisallowed or nothing.

Fetches /robots.txt of the URL's origin, caches it for up to 24 hours, and applies its rules. A server error forbids
everything for FAILURE_LIFETIME seconds, unless a stale copy is cached. A missing file allows everything. A host that
cannot be reached raises its own NetworkError, TlsError or FetchTimeout. Spec: RFC 9309 sections 2.3 and 2.4.
Tests: tests/robots/test_gate.py
"""

from __future__ import annotations

import time
from collections.abc import Callable

from webtool import robots, urls
from webtool.cache.headers import delta_seconds, directives
from webtool.errors import FetchTooLarge, InvalidUrl, NetworkError, RobotsDisallowed, SsrfBlocked
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.net.messages import CutShort, Malformed, Request, Response
from webtool.net.redirects import RedirectError
from webtool.settings import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.cache.store import Cache
    from webtool.net.client import Client

LIFETIME = 86400.0  # seconds (section 2.4)
FAILURE_LIFETIME = 60.0  # seconds that a failure is remembered, so that a batch does not try again for each page
MAX_REDIRECTS = 5  # section 2.3.1.2; after more, the file counts as missing
MAX_DOWNLOAD = 4194304  # bytes; a longer file counts as a server error
_MAX_KEPT = 256  # origins in memory; at this number, all are forgotten
_PRODUCT_TOKEN = patterns.compile(r"[A-Za-z_-]+")


class _Kept(NamedTuple):
    """The rules of one origin. `expires_at` is in Unix seconds. `failure` is why the file was not read, or ""."""

    rules: robots.Robots
    expires_at: float
    failure: str = ""


class RobotsGate:
    """Decides under one set of settings. Thread-safe; at worst, two threads fetch the same file."""

    def __init__(
        self, client: Client, settings: Settings, cache: Cache | None = None, now: Callable[[], float] = time.time
    ) -> None:
        self._client = client
        self._cache = cache
        self._now = now
        self._agent = product_token(settings.user_agent)
        self._memory: dict[str, _Kept] = {}

    def check(self, url: str, deadline: float, is_cancelled: Callable[[], bool] | None = None) -> None:
        """Raise RobotsDisallowed unless the URL may be fetched. `deadline` is a time of time.monotonic()."""
        parsed = urls.parse(url)
        if parsed.path == "/robots.txt":
            return
        kept = self._kept_for(parsed.origin, deadline, is_cancelled)
        if kept.rules.allows(self._agent, url):
            return
        robots_url = f"{parsed.origin}/robots.txt"
        path = urls.shortened(parsed.target)
        if kept.failure:
            message = f"{robots_url} cannot be read ({kept.failure}), which forbids {path} for now"
            hint = "Try again later; until the file can be read nothing of this site is fetched."
        else:
            message = f"{robots_url} does not let {self._agent} fetch {path}"
            hint = "Look for the same text on another site."
        raise RobotsDisallowed(
            message, hint=hint, url=urls.redact(url), retryable=bool(kept.failure), path=path, robots_url=robots_url
        )

    def crawl_delay(self, url: str) -> float | None:
        """Return the Crawl-delay of a URL's site in seconds. It is None if check() has not read the file yet."""
        kept = self._memory.get(urls.parse(url).origin)
        return kept.rules.delay(self._agent) if kept is not None else None

    def content_signal(self, url: str) -> str:
        """Return the Content-Signal of a URL's site, "" if it states nothing or check() has not read its file."""
        kept = self._memory.get(urls.parse(url).origin)
        return kept.rules.signal(self._agent) if kept is not None else ""

    def sitemaps(self, url: str) -> tuple[str, ...]:
        """Return the Sitemap lines of a URL's site, () if its file is neither in memory nor in the cache."""
        origin = urls.parse(url).origin
        kept = self._memory.get(origin) or self._from_cache(origin)  # a cached page is opened without check()
        return kept.rules.sitemaps if kept is not None else ()

    def _kept_for(self, origin: str, deadline: float, is_cancelled: Callable[[], bool] | None) -> _Kept:
        kept = self._memory.get(origin) or self._from_cache(origin)
        now = self._now()
        if kept is None or not now < kept.expires_at <= now + LIFETIME:
            stale = kept if kept is not None and not kept.failure else None
            kept = self._fetched(origin, stale, deadline, is_cancelled)
        if len(self._memory) >= _MAX_KEPT:
            self._memory.clear()
        self._memory[origin] = kept
        return kept

    def _from_cache(self, origin: str) -> _Kept | None:
        row = self._cache.get_robots(origin) if self._cache is not None else None
        if row is None:
            return None
        body, status, fetched_at = row
        return _Kept(robots.of_response(status, body), fetched_at + LIFETIME, f"HTTP {status}" if status >= 500 else "")

    def _fetched(
        self, origin: str, stale: _Kept | None, deadline: float, is_cancelled: Callable[[], bool] | None
    ) -> _Kept:
        now = self._now()
        try:
            response = self._client.fetch(
                Request(f"{origin}/robots.txt", headers=(("Accept", "text/plain, */*;q=0.5"),)),
                deadline=deadline,
                max_bytes=MAX_DOWNLOAD,
                is_cancelled=is_cancelled,
                max_redirects=MAX_REDIRECTS,
            )
        except (RedirectError, SsrfBlocked, InvalidUrl):
            # The file redirects to a URL that we do not fetch, so it is unavailable (section 2.3.1.2).
            return _Kept(robots.ALLOW_ALL, now + FAILURE_LIFETIME)
        except FetchTooLarge:
            return _Kept(robots.DISALLOW_ALL, now + FAILURE_LIFETIME, f"more than {MAX_DOWNLOAD} bytes")
        except NetworkError as error:
            if stale is None:
                if isinstance(error, (Malformed, CutShort)):  # say that the error is about robots.txt, not the page
                    error.rephrase(f"{error.message} (of {origin}/robots.txt, which is asked for first)")
                raise
            return stale._replace(expires_at=now + FAILURE_LIFETIME)
        if response.status >= 500:
            failed = stale or _Kept(robots.DISALLOW_ALL, now, f"HTTP {response.status}")
            return failed._replace(expires_at=now + FAILURE_LIFETIME)
        return self._keep(origin, response, now)

    def _keep(self, origin: str, response: Response, now: float) -> _Kept:
        lifetime = freshness_lifetime(response)
        # One byte more tells parse() that the file is longer: it then drops the last line, which may be incomplete.
        body = response.body[: robots.MAX_BYTES + 1] if 200 <= response.status < 300 else b""
        if self._cache is not None and lifetime > 0:
            # The cache counts 24 hours from fetched_at. A shorter lifetime is stored as an earlier fetched_at.
            self._cache.put_robots(origin, body, response.status, now - (LIFETIME - lifetime))
        return _Kept(robots.of_response(response.status, body), now + max(lifetime, 1.0))


def freshness_lifetime(response: Response) -> float:
    """Return for how many seconds the file may be cached: its max-age, at most and by default a day."""
    control = directives(",".join(response.headers.get_all("cache-control")))
    if "no-store" in control or "no-cache" in control:
        return 0.0
    seconds = delta_seconds(control.get("max-age", ""))
    return LIFETIME if seconds is None else min(LIFETIME, float(seconds))


def product_token(user_agent: str) -> str:
    """Return the name to look for in the file: "Foo" for the User-Agent "Foo/1.0 (+https://...)" (section 2.2.1)."""
    match = _PRODUCT_TOKEN.match(user_agent)
    return match[0] if match else "webtool"
