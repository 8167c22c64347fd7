"""One page through the browser: what open_page does for mode "rendered", and for pages that need one.

In: a Context, what to open, the cache key. Out: a Page. The browser is webtool.browser's; here are robots.txt, the
conversion of what it shows, and the cache.
"""

from __future__ import annotations

import time

from webtool import urls
from webtool.answers.tokens import shortened
from webtool.browser.behaviour import Rendered
from webtool.cache import freshness
from webtool.cache.snapshot import Snapshot
from webtool.context import Context
from webtool.errors import RenderDisabled, RenderFailed
from webtool.net.messages import Headers, Request, Response
from webtool.pages import bounds, site_rules
from webtool.pages.in_worker import convert_html
from webtool.pages.policy import robots_check, robots_note
from webtool.pages.request import Page, Wanted
from webtool.pages.stored_notes import with_notes


def open_rendered(ctx: Context, wanted: Wanted, url: str, key: str) -> Page | str:
    """Open the page in a browser, convert what it shows, and keep it. Raises WebtoolError.

    What is not HTML the browser has no text of: its media type is returned instead of a page.
    """
    _require_enabled(ctx, url)
    rendered = ctx.browser.render(
        url,
        deadline=ctx.deadline,
        max_bytes=wanted.max_bytes,
        is_cancelled=ctx.is_cancelled,
        check_hop=robots_check(ctx),
        headers=(*site_rules.headers_for(ctx, url, wanted), *ctx.headers),
    )
    if not rendered.html:
        return rendered.content_type
    started = time.perf_counter()
    wanted = wanted._replace(mark=rendered.mark)
    further = _Further(ctx, wanted)
    address = bounds.address(rendered.final_url, url)
    converted = convert_html(further.context(), wanted, rendered.html, None, address)
    notes = (*converted.notes, *rendered.notes, *further.notes)
    snapshot = _snapshot(ctx, wanted, url, key, rendered)._replace(**converted.columns)  # type: ignore[arg-type]
    snapshot = snapshot._replace(extract_ms=int((time.perf_counter() - started) * 1000))
    snapshot = with_notes(snapshot, notes)
    if ctx.cache is not None:
        if rendered.is_whole and further.are_whole and freshness.is_storable(rendered.status, rendered.headers, ()):
            ctx.cache.put(snapshot)
        else:
            ctx.cache.delete(key)
    return Page(snapshot, notes=(*notes, *robots_note(ctx)))


class _Further:
    """The client that a rendered page has for its further pages: they are opened in the same browser."""

    def __init__(self, ctx: Context, wanted: Wanted) -> None:
        self._ctx = ctx
        self._wanted = wanted
        self.are_whole = True
        self.notes: list[str] = []

    def context(self) -> Context:
        """The context under which the page is converted."""
        ctx = self._ctx
        apart = Context(ctx.settings._replace(cache=False), self, environ=ctx.environ, warn=ctx.warn)  # type: ignore[arg-type]
        apart.deadline, apart.is_cancelled, apart.workers = ctx.deadline, ctx.is_cancelled, ctx.workers
        return apart

    def fetch(self, request: Request, *, deadline: float, **_bounds: object) -> Response:
        """The page as the browser shows it; its bounds and robots.txt are those of the first one."""
        rendered = self._ctx.browser.render(
            request.url,
            deadline=deadline,
            max_bytes=self._wanted.max_bytes,
            is_cancelled=self._ctx.is_cancelled,
            check_hop=robots_check(self._ctx),
            headers=request.headers,
        )
        self.are_whole = self.are_whole and rendered.is_whole
        self.notes += [f"{bounds.address(rendered.final_url, request.url)}: {note}" for note in rendered.notes]
        content_type = "text/html; charset=utf-8" if rendered.html else rendered.content_type
        headers = Headers((("Content-Type", content_type),))
        return Response(rendered.final_url, rendered.status, "", headers, rendered.html.encode(), mark=rendered.mark)


def _snapshot(ctx: Context, wanted: Wanted, url: str, key: str, rendered: Rendered) -> Snapshot:
    arrived = freshness.columns(rendered.status, rendered.headers, (), ctx.now(), rendered.elapsed_ms, ttl=wanted.ttl)
    return Snapshot(
        hash=key,
        url=urls.redact(url),
        final_url=bounds.address(urls.redact(rendered.final_url), urls.redact(url)),
        mode=wanted.mode,
        content_type=shortened(rendered.content_type, bounds.MAX_TYPE),
        **arrived,
    )


def screenshot(ctx: Context, url: str) -> bytes:
    """The page as a browser shows it, as PNG. Raises WebtoolError."""
    _require_enabled(ctx, url)
    rendered = ctx.browser.render(
        urls.normalise(url),
        deadline=ctx.deadline,
        is_cancelled=ctx.is_cancelled,
        check_hop=robots_check(ctx),
        screenshot=True,
    )
    if rendered.screenshot is None:
        raise RenderFailed("the browser gave no picture", hint="Try again.", url=urls.redact(url))
    return rendered.screenshot


def _require_enabled(ctx: Context, url: str) -> None:
    if ctx.settings.render == "off":
        raise RenderDisabled(
            "rendered mode is off", hint="Set WEBTOOL_RENDER=1 to let pages run in a browser.", url=urls.redact(url)
        )
