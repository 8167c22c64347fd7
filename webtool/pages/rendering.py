"""Open one page in a browser and convert what it shows: mode rendered, and pages that scripts must fill.

In: a Context, a PageRequest with a normalised URL, the cache key. Out: a Page. webtool.browser runs the browser; this
module adds robots.txt, the conversion, and the cache.
Tests: tests/test_settings_surfaces.py
"""

from __future__ import annotations

import time

from webtool import urls
from webtool.answers.budget import shortened
from webtool.browser.behaviour import Rendered
from webtool.cache import freshness
from webtool.cache.tables import Snapshot
from webtool.context import Context
from webtool.errors import RenderDisabled, RenderFailed
from webtool.lean.typing import Any
from webtool.net.messages import Headers, Request, Response
from webtool.pages.in_worker import MAX_TYPE, convert, limit_address
from webtool.pages.policy import own_headers, robots_check, robots_note, rule_headers
from webtool.pages.request import Page, PageRequest, Source
from webtool.pages.stored_copies import with_notes, with_rendered_body


def open_rendered(ctx: Context, request: PageRequest, key: str) -> Page | str:
    """Open, convert and store the page of a browser; the media type if it is not HTML. Raises WebtoolError."""
    _require_enabled(ctx, request.url)
    headers = (*rule_headers(ctx, request), *own_headers(ctx, request))
    rendered = _render(ctx, request.url, max_bytes=request.max_bytes, headers=headers)
    if not rendered.html:
        return rendered.content_type
    started = time.perf_counter()
    client = _BrowserClient(ctx, request)
    final_url = limit_address(rendered.final_url, request.url)
    source = Source(rendered.html, None, final_url, rendered.mark)
    converted = convert(client.context(), request, source)
    notes = (*converted.notes, *rendered.notes, *client.notes)
    snapshot = _snapshot(ctx, request, key, rendered)._replace(**converted.columns)  # type: ignore[arg-type]
    snapshot = snapshot._replace(extract_ms=int((time.perf_counter() - started) * 1000))
    snapshot = with_notes(snapshot, notes)
    if ctx.cache is not None:
        snapshot = with_rendered_body(snapshot, rendered.html.encode(), rendered.mark)
        if not freshness.is_storable(rendered.status, rendered.headers, ()):
            ctx.cache.delete(key)
        elif rendered.is_whole and client.are_whole:  # an older whole copy is better than a part
            ctx.cache.put(snapshot)
    return Page(snapshot, notes=(*notes, *robots_note(ctx)))


def _render(ctx: Context, url: str, **options: Any) -> Rendered:
    """Open a URL in the browser, under the call's deadline and robots.txt. `options` are further ones of render()."""
    defaults = {"deadline": ctx.deadline, "is_cancelled": ctx.is_cancelled, "check_hop": robots_check(ctx)}
    return ctx.browser.render(url, **{**defaults, **options})


class _BrowserClient:
    """A client that opens the further pages of a rendered page (site rules join them) in the same browser."""

    def __init__(self, ctx: Context, request: PageRequest) -> None:
        self._ctx = ctx
        self._request = request
        self.are_whole = True  # False once a further page could not be loaded completely
        self.notes: list[str] = []

    def context(self) -> Context:
        """Return a context for the conversion, which fetches further pages through this client."""
        ctx = self._ctx
        derived = Context(ctx.settings._replace(cache=False), self, environ=ctx.environ, warn=ctx.warn)  # type: ignore[arg-type]
        derived.deadline, derived.is_cancelled, derived.workers = ctx.deadline, ctx.is_cancelled, ctx.workers
        return derived

    def fetch(self, request: Request, *, deadline: float, **_bounds: object) -> Response:
        """Return a page as the browser shows it, under the limits and robots.txt check of the first page."""
        bounds = {"deadline": deadline, "max_bytes": self._request.max_bytes}
        rendered = _render(self._ctx, request.url, headers=request.headers, **bounds)
        self.are_whole = self.are_whole and rendered.is_whole
        shown = urls.shortened(rendered.final_url)
        self.notes += [f"{shown}: {note}" for note in rendered.notes]
        content_type = "text/html; charset=utf-8" if rendered.html else rendered.content_type
        headers = Headers((("Content-Type", content_type),))
        return Response(rendered.final_url, rendered.status, "", headers, rendered.html.encode(), mark=rendered.mark)


def _snapshot(ctx: Context, request: PageRequest, key: str, rendered: Rendered) -> Snapshot:
    """Return a snapshot of what HTTP says about a rendered page, without its text."""
    columns = freshness.columns(rendered.status, rendered.headers, (), ctx.now(), rendered.elapsed_ms, ttl=request.ttl)
    return Snapshot(
        hash=key,
        url=urls.redact(request.url),
        final_url=limit_address(urls.redact(rendered.final_url), urls.redact(request.url)),
        mode=request.mode,
        content_type=shortened(rendered.content_type, MAX_TYPE),
        **columns,
    )


def screenshot(ctx: Context, url: str) -> bytes:
    """Return a picture (PNG) of the page as a browser shows it. Raises WebtoolError."""
    _require_enabled(ctx, url)
    rendered = _render(ctx, urls.normalise(url), screenshot=True)
    if rendered.screenshot is None:
        raise RenderFailed("the browser gave no picture", hint="Try again.", url=urls.redact(url))
    return rendered.screenshot


def _require_enabled(ctx: Context, url: str) -> None:
    if ctx.settings.render == "off":
        raise RenderDisabled(
            "rendered mode is off", hint="Set WEBTOOL_RENDER=1 to let pages run in a browser.", url=urls.redact(url)
        )
