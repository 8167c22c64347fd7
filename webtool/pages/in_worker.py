"""Where a page is converted: in a worker where the context has some, so that no page outlives its call, else here.

In: a context, a body. Out: what webtool.pages.conversion makes of it. A worker has no client of its own: where site
rules want a further page, it asks for it, and the page is fetched here, under robots.txt and the guard like any other.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

from webtool import documents, html
from webtool.answers import parts
from webtool.context import Context
from webtool.lean.typing import Any, Callable
from webtool.net.messages import Request, Response
from webtool.pages import bounds, conversion, policy
from webtool.pages.conversion import Converted
from webtool.pages.request import Wanted
from webtool.settings import Settings

Ask = Callable[[object], object]

_LONG = 65536  # characters; what is shorter is looked through in milliseconds
_MEMORY = 700 << 20  # bytes that one page may take
_MEMORY_TIMES = 70  # what a byte may take where max_bytes was raised: ordinary tables take 57


def convert(ctx: Context, wanted: Wanted, body: bytes, content_type: str | None, url: str) -> Converted:
    """webtool.pages.conversion.convert(), bounded in time and memory. Raises WebtoolError."""
    return _converted(ctx, "convert", wanted, body, content_type, url)


def convert_html(ctx: Context, wanted: Wanted, text: str | bytes, content_type: str | None, url: str) -> Converted:
    """webtool.pages.conversion.convert_html(), bounded in time and memory. Raises WebtoolError."""
    return _converted(ctx, "convert_html", wanted, text, content_type, url)


def _converted(ctx: Context, how: str, *page: Any) -> Converted:
    if ctx.workers is None:
        return _bounded(ctx, how, page)

    def fetched(request: object) -> object:
        return policy.fetch(ctx, request, reserve=policy.RESERVE)  # type: ignore[arg-type]

    where = ("webtool.pages.in_worker:in_worker", how, ctx.settings, ctx.deadline - time.monotonic(), page)
    memory = max(_MEMORY, _MEMORY_TIMES * len(page[1]))
    return ctx.compute(*where, answer=fetched, memory=memory)  # type: ignore[return-value]


def in_worker(how: str, settings: Settings, seconds: float, page: tuple[Any, ...], ask: Ask) -> Converted:
    """The conversion itself, in the worker."""
    deadline = time.monotonic() + seconds
    ctx = Context(settings._replace(cache=False), _Asking(ask), deadline=deadline)  # type: ignore[arg-type]
    return _bounded(ctx, how, page)


def _bounded(ctx: Context, how: str, page: tuple[Any, ...]) -> Converted:
    made: Converted = getattr(conversion, how)(ctx, *page)
    columns, notes = bounds.columns(made.columns)
    return made._replace(columns=columns, notes=(*made.notes, *notes))


class _Asking:
    """The client that a worker has: it asks the process that has one."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def fetch(self, request: Request, **_bounds: object) -> Response:
        """What the other process fetches, under its own bounds."""
        return self._ask(request)  # type: ignore[return-value]


def signpost(
    body: bytes, content_type: str | None, url: str, asks_for_markdown: bool, refreshed: str | None
) -> tuple[str | None, bool]:
    """Where an HTML page that only points to another sends its reader, and whether that is its markdown alternate."""
    if documents.kind_of(body, content_type, url) != "html":
        return None, False
    from webtool.html import head_links

    root = html.parse_html(body, content_type)
    alternate = head_links.markdown_alternate(root, url) if asks_for_markdown else None
    if alternate is None and not (refreshed and head_links.is_signpost(root)):
        return None, False
    return alternate or refreshed, alternate is not None


def part(ctx: Context, text: str, members: Mapping[str, object], offset: int = 1, max_tokens: int = 0) -> parts.Given:
    """webtool.answers.parts.give(), in a worker where the text is long enough to be worth it. Raises WebtoolError."""
    if len(text) < _LONG:
        return parts.give(text, members, offset, max_tokens)
    how = (text, dict(members), offset, max_tokens)
    return ctx.compute("webtool.answers.parts:give", *how)  # type: ignore[return-value]


def warm() -> None:
    """Load what most pages need, so that the first one does not wait for it."""
    from webtool import extraction

    extraction.extract("<title>t</title><p>A paragraph to warm up with.</p>", "https://example.com/")
