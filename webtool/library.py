"""The functions of `import webtool`. In: values. Out: values; failures are WebtoolError, coded as on every surface."""

from __future__ import annotations

import os

from webtool import markdown, registry
from webtool.context import Context, open_context
from webtool.errors import InvalidArgument, InvalidRequest
from webtool.html import Reading, parse_page
from webtool.html.node import Document, Element

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.extraction import Extraction
    from webtool.settings import Settings


def to_markdown(html: str | bytes | Document, base_url: str | None = None) -> str:
    """The whole document as GitHub Flavored Markdown, without scripts, styles, nav and what the page hides.

    Links become absolute against `base_url` and the document's <base>. Raises InvalidArgument for anything but HTML.
    """
    source = _source(html)
    with Reading() as reading:
        root = source if isinstance(source, Element) else reading.keep(parse_page(source))
        return markdown.to_markdown(root, base_url)


def extract(
    html: str | bytes | Document, base_url: str | None = None, strategy: str = "readability", **thresholds: object
) -> Extraction:
    """The main content with title, byline, published, language, site name and links.

    `strategy`: "readability" (a learned model), "dom_smoothie" (classical scoring) or "plain_text" (all visible text).
    Raises InvalidArgument for an unknown one and for anything but HTML.
    """
    from webtool import extraction

    return extraction.extract(_source(html), base_url, strategy, **thresholds)  # type: ignore[arg-type]


def _source(html: object) -> str | bytes | Element:
    if isinstance(html, (str, bytes, Element)):
        return html
    if isinstance(html, (bytearray, memoryview)):
        return bytes(html)
    raise InvalidArgument(f"html is {type(html).__name__}", hint="Give text, bytes or what parse_html returned.")


def fetch(url: str, *, settings: Settings | None = None, **members: object) -> dict[str, object]:
    """What web_fetch answers for this URL: url, title, content, lines_read, total_lines, ... Raises WebtoolError."""
    return run("web_fetch", {"url": url, **members}, settings=settings)


def search(
    query: str, provider: str = "auto", *, settings: Settings | None = None, **members: object
) -> dict[str, object]:
    """The JSON object of the search tools for this query, with `provider` and `more_results_available`.

    `provider` is auto (those that are set up, one after the other until one answers) or a name in the table of
    webtool.providers; `members` are count, allowed_domains, blocked_domains and the options of providers.driver.search.
    Raises WebtoolError.
    """
    from webtool.providers import chain, driver, results

    wants_all = bool(members.get("extra_snippets"))
    lists = members.pop("allowed_domains", None), members.pop("blocked_domains", None)
    wanted = driver.checked_query(query, members.pop("count", 10), *lists, members)  # type: ignore[arg-type]
    ctx = open_context(os.environ, settings)
    try:
        answer, notes = chain.search(ctx, chain.providers(ctx, provider), lambda _: wanted)
    finally:
        ctx.close()
    found = results.members(answer._replace(notes=notes + answer.notes), has_extra_snippets=wants_all)
    found.update(provider=answer.provider, more_results_available=answer.more_results_available)
    return found


def run(tool_name: str, request: dict[str, object], *, settings: Settings | None = None) -> dict[str, object]:
    """Run a tool by its name ("web_fetch") or command ("fetch") and return its JSON object. Raises WebtoolError."""
    command = command_of(tool_name)
    if not isinstance(request, dict):
        raise InvalidRequest(f"the request is {type(request).__name__}, not a dict", hint="Give the tool's members.")
    ctx: Context = open_context(os.environ, settings)
    try:
        return registry.call(command, ctx, request).data
    finally:
        ctx.close()


def command_of(tool_name: str) -> str:
    """The command of a tool given by either name. Raises InvalidArgument for an unknown one."""
    for command, (name, _) in registry.TOOLS.items():
        if tool_name in (command, name):
            return command
    known = ", ".join(name for name, _ in registry.TOOLS.values())
    raise InvalidArgument(f"there is no tool {tool_name!r}", hint=f"The tools are {known}.")
