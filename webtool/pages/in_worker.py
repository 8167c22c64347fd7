"""Convert a page in a worker process, so that a hostile page costs only its own call; without workers, do it here.

In: a Context, a request, a body. Out: what webtool.pages.conversion makes of it, within limits of time, memory and
size. The text is limited where it is made (webtool.running.budget); what a page writes besides its text (title, links,
media type, its own address) is limited here. A worker has no network: if site rules need a further page, it asks the
parent process, which fetches it under robots.txt and the guard.
Tests: tests/pages/test_bounds.py
"""

from __future__ import annotations

import time
from collections.abc import Mapping

from webtool import documents, html
from webtool.answers import parts
from webtool.answers.budget import count_fitting, shortened
from webtool.context import Context
from webtool.lean import jsontext
from webtool.lean.typing import Any, Callable
from webtool.net.messages import Request, Response
from webtool.pages import conversion, policy
from webtool.pages.conversion import Converted
from webtool.pages.request import PageRequest, Source
from webtool.settings import Settings

Ask = Callable[[object], object]  # sends a Request to the parent process, returns its Response

_MIN_WORKER_TEXT = 65536  # characters; a shorter text takes milliseconds, so no worker is used
_MAX_MEMORY = 700 << 20  # bytes that one page may take in a worker
_MAX_MEMORY_PER_BYTE = 70  # bytes of memory per byte of body, if that is more; ordinary tables take 57
MAX_TITLE = 1000  # characters; a longer title is cut and ends in an ellipsis
MAX_LINKS = 2_000_000  # characters of all links as JSON; the last links are dropped
MAX_TYPE = 200  # characters of a media type as the server wrote it; the rest is cut
MAX_ADDRESS = 8192  # characters of an address that a page gives itself; a longer one is shortened or replaced


def convert(ctx: Context, request: PageRequest, source: Source) -> Converted:
    """Run conversion.convert() within limits. Raises WebtoolError."""
    converted = (_bounded if ctx.workers is None else _run_elsewhere)(ctx, request, source)
    for line in converted.changes:
        ctx.warn(line)
    return converted


def _run_elsewhere(ctx: Context, request: PageRequest, source: Source) -> Converted:
    """Convert in a worker."""

    def fetch_for_worker(http_request: object) -> object:
        return policy.fetch(ctx, http_request, reserve=policy.RESERVE)  # type: ignore[arg-type]

    seconds = ctx.deadline - time.monotonic()
    arguments = (ctx.settings, seconds, request, source)
    target = "webtool.pages.in_worker:run_conversion"
    memory = memory_for(source.body)
    return ctx.compute(target, *arguments, answer=fetch_for_worker, memory=memory)  # type: ignore[return-value]


def memory_for(body: bytes | str) -> int:
    """Return how many bytes of memory the conversion of a body may take."""
    return max(_MAX_MEMORY, _MAX_MEMORY_PER_BYTE * len(body))


def run_conversion(settings: Settings, seconds: float, request: PageRequest, source: Source, ask: Ask) -> Converted:
    """Convert in the worker process, within `seconds`."""
    deadline = time.monotonic() + seconds
    ctx = Context(settings._replace(cache=False), _AskingClient(ask), deadline=deadline)  # type: ignore[arg-type]
    return _bounded(ctx, request, source)


def _bounded(ctx: Context, request: PageRequest, source: Source) -> Converted:
    """Convert, and bring the columns into their limits."""
    converted = conversion.convert(ctx, request, source)
    columns, notes = limit_columns(converted.columns)
    return converted._replace(columns=columns, notes=(*converted.notes, *notes))


class _AskingClient:
    """The client of a worker: it asks the parent process to fetch."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def fetch(self, request: Request, **_bounds: object) -> Response:
        """Return the parent's response; the parent applies its own limits."""
        return self._ask(request)  # type: ignore[return-value]


def signpost(
    body: bytes, content_type: str | None, url: str, looks_for_markdown: bool, refresh: str | None
) -> tuple[str | None, bool]:
    """Return the address that an HTML page points to, and whether that is its markdown alternate; else (None, False).

    `refresh` is the target of the page's refresh: it counts only if the page has hardly any text of its own.
    """
    if documents.kind_of(body, content_type, url) != "html":
        return None, False
    from webtool.html import head_links

    root = html.parse_html(body, content_type)
    alternate = head_links.markdown_alternate(root, url) if looks_for_markdown else None
    if alternate is None and not (refresh and head_links.is_signpost(root)):
        return None, False
    return alternate or refresh, alternate is not None


def give_part(
    ctx: Context, text: str, members: Mapping[str, object], offset: int = 1, max_tokens: int = 0, whole: str = ""
) -> parts.PagePart:
    """Run answers.parts.give(), in a worker if the text is long or a query of SQL runs. Raises WebtoolError."""
    if len(text) + len(whole) < _MIN_WORKER_TEXT and not members.get("sql"):
        return parts.give(text, members, offset, max_tokens, whole)
    arguments: tuple[Any, ...] = (text, dict(members), offset, max_tokens, whole)
    return ctx.compute("webtool.answers.parts:give", *arguments)  # type: ignore[return-value]


def warm() -> None:
    """Load the modules and the model that most pages need, so that the first page does not wait for them."""
    from webtool import extraction

    extraction.extract("<title>t</title><p>A paragraph to warm up with.</p>", "https://example.com/")


def limit_columns(converted: Mapping[str, object]) -> tuple[dict[str, object], tuple[str, ...]]:
    """Return the columns within their limits, and notes about what is missing."""
    bounded, notes = dict(converted), []
    title, links = bounded.get("title"), bounded.get("links_json")
    if isinstance(title, str):
        bounded["title"] = shortened(title, MAX_TITLE)
    if isinstance(links, str) and len(links) > MAX_LINKS:
        all_links: list[object] = jsontext.loads(links)  # type: ignore[assignment]
        listed = count_fitting((len(jsontext.dumps(link)) + 2 for link in all_links), MAX_LINKS - 2)
        bounded["links_json"] = jsontext.dumps(all_links[:listed])
        notes.append(f"only the first {listed} of {len(all_links)} links are listed")
    return bounded, tuple(notes)


def limit_address(own_url: str, requested_url: str) -> str:
    """Return a page's address without query and fragment if too long; the requested one if its path is too long."""
    if len(own_url) <= MAX_ADDRESS:
        return own_url
    bare = own_url[: MAX_ADDRESS + 1].partition("#")[0].partition("?")[0]
    return bare if len(bare) <= MAX_ADDRESS else requested_url
