"""Functions of `import webtool`. In: values. Out: values. Failures raise WebtoolError, with the codes of every
interface.

Tests: tests/test_library.py
"""

from __future__ import annotations

import os

from webtool import markdown, registry
from webtool.context import Context, open_context
from webtool.errors import InvalidArgument, InvalidRequest
from webtool.html import Reading, parse_page
from webtool.html.node import Document, Element

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal, overload

    from webtool.answer_types import FetchAnswer, OpenAnswer, SearchAnswer
    from webtool.extraction import Extraction
    from webtool.settings import Settings
else:

    def overload(function):
        """Leave out the types of calls, which only type checkers read."""
        return function


def to_markdown(html: str | bytes | Document, base_url: str | None = None) -> str:
    """Return the whole document as GitHub Flavored Markdown, without scripts, styles, nav and hidden parts.

    Links become absolute against `base_url` and the document's <base>. Raises InvalidArgument for anything but HTML.
    """
    source = _source(html)
    with Reading() as reading:  # takes the tree apart at the end; a tree that the caller gave stays
        root = source if isinstance(source, Element) else reading.keep(parse_page(source))
        return markdown.to_markdown(root, base_url)


def extract(
    html: str | bytes | Document, base_url: str | None = None, strategy: str = "readability", **thresholds: object
) -> Extraction:
    """Return the main content with title, byline, published, language, site name and links.

    `strategy`: "readability" (a learned model), "dom_smoothie" (classical scoring) or "plain_text" (all visible text).
    `thresholds` are the other arguments of extraction.extract: char_threshold, max_top_candidates, with_groups ...
    Raises InvalidArgument for an unknown strategy or threshold and for anything but HTML.
    """
    from webtool import extraction

    known = ("with_groups", *(extraction.extract.__kwdefaults__ or ()))
    for name in thresholds:
        if name not in known:
            raise InvalidArgument(f"unknown threshold {name!r}", hint=f"The names are {', '.join(known)}.")
    return extraction.extract(_source(html), base_url, strategy, **thresholds)  # type: ignore[arg-type]


def _source(html: object) -> str | bytes | Element:
    """Return HTML as text, bytes or a tree. Raises InvalidArgument for any other type."""
    if isinstance(html, (str, bytes, Element)):
        return html
    if isinstance(html, (bytearray, memoryview)):
        return bytes(html)
    raise InvalidArgument(f"html is {type(html).__name__}", hint="Give text, bytes or what parse_html returned.")


def fetch(url: str, *, settings: Settings | None = None, **arguments: object) -> FetchAnswer:
    """Return the whole page as markdown: url, title, content, lines_read, total_lines ...

    `arguments` are those of web_fetch: offset, limit, mode, find, query ... Raises WebtoolError.
    """
    return run("web_fetch", {"url": url, **arguments}, settings=settings)


def open(url: str, *, settings: Settings | None = None, **parts: object) -> OpenAnswer:  # noqa: A001
    """Return the main content of a page, kept in the cache: url, title, markdown, links, hash ...

    `parts` are the arguments of web_open: mode, outline, section, find, query, verify, max_tokens ... Raises
    WebtoolError.
    """
    return run("web_open", {"url": url, **parts}, settings=settings)


def search(query: str, provider: str = "auto", *, settings: Settings | None = None, **options: object) -> SearchAnswer:
    """Return the JSON object of the search tools for this query, with `provider` and `more_results_available`.

    `provider` is a name in the table of webtool.providers, or "auto": the configured providers in turn until one
    answers. `options` are those of providers.queries.checked. Raises WebtoolError.
    """
    from webtool.providers import chain, queries, results

    has_extra_snippets = bool(options.get("extra_snippets"))
    checked_query = queries.checked(query, **options)  # type: ignore[arg-type]
    ctx = open_context(os.environ, settings)
    try:
        answer, notes = chain.search(ctx, chain.providers(ctx, provider), lambda _: checked_query)
    finally:
        ctx.close()
    data = results.members(answer._replace(notes=notes + answer.notes), has_extra_snippets=has_extra_snippets)
    data.update(provider=answer.provider, more_results_available=answer.more_results_available)
    return data  # type: ignore[return-value]


@overload
def run(  # type: ignore[overload-overlap]
    tool_name: Literal["web_fetch", "fetch"], request: dict[str, object], *, settings: Settings | None = None
) -> FetchAnswer: ...
@overload
def run(  # type: ignore[overload-overlap]  # noqa: F811
    tool_name: Literal["web_open", "open"], request: dict[str, object], *, settings: Settings | None = None
) -> OpenAnswer: ...
@overload
def run(  # noqa: F811
    tool_name: str, request: dict[str, object], *, settings: Settings | None = None
) -> dict[str, object]: ...
def run(  # noqa: F811
    tool_name: str, request: dict[str, object], *, settings: Settings | None = None
) -> Mapping[str, object]:
    """Run a tool by its name ("web_fetch") or command ("fetch"); return its JSON object. Raises WebtoolError."""
    command = command_of(tool_name)
    if not isinstance(request, dict):
        raise InvalidRequest(
            f"the request is {type(request).__name__}, not a dict", hint="Give a dict of the tool's arguments."
        )
    ctx: Context = open_context(os.environ, settings)
    try:
        return registry.call(command, ctx, request).data
    finally:
        ctx.close()


def command_of(tool_name: str) -> str:
    """Return the command of a tool given by its name or command. Raises InvalidArgument for an unknown one."""
    for command, (name, _) in registry.TOOLS.items():
        if tool_name in (command, name):
            return command
    known = ", ".join(name for name, _ in registry.TOOLS.values())
    raise InvalidArgument(f"unknown tool {tool_name!r}", hint=f"The tools are {known}.")
