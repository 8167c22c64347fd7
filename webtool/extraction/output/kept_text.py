"""Write the kept blocks as plain text, and list the links of the kept tree.

In: a cut page and which blocks are kept; a tree and the page's base URL. Out: text; links as {text, href}.
Tests: tests/extraction/rules/test_whole_units.py
"""

from __future__ import annotations

from collections.abc import Sequence

from webtool import urls
from webtool.errors import InvalidUrl
from webtool.extraction.page.blocks import Block, Page
from webtool.extraction.rules import sections
from webtool.extraction.rules.whole_units import is_preformatted
from webtool.html.node import Element, elements
from webtool.lean import patterns

Link = dict[str, str]
_SCRIPTED = patterns.compile(r"(?i)\s*(?:javascript|data|vbscript|blob|about):")


def text(page: Page, keep: Sequence[bool]) -> str:
    """Return the kept blocks except those of page.headline.

    An empty line separates blocks, a line end the items of a list, a tab the cells of a row.
    """
    parts: list[str] = []
    last = -1
    for i, (block, is_kept) in enumerate(zip(page.blocks, keep)):
        if not is_kept or i in page.headline:
            continue
        if parts:
            parts.append(_separator(page, last, block.container))
        parts.append(_preformatted(block) if is_preformatted(page, block) else _plain(block))
        last = block.container
    return "".join(parts)


def _separator(page: Page, last: int, current: int) -> str:
    """Return what separates the blocks of two containers."""
    before, after = page.element[last].tag, page.element[current].tag
    if last == current:
        return "\n\n"
    if before in ("td", "th") and after in ("td", "th") and page.parent[last] == page.parent[current]:
        return "\t"
    if before == after and before in ("li", "dd", "dt", "td", "th"):
        return "\n"
    return "\n\n"


def _plain(block: Block) -> str:
    """Return the text of a block without soft hyphens, and without marks of a page builder unless it has code.

    Readings are in parentheses, as in the markdown: <ruby>東<rt>とう</rt></ruby> -> 東(とう).
    """
    parents = {node.parent.tag for node in block.nodes if node.parent is not None}
    text = _with_readings(block) if "rt" in parents else block.text
    text = text.replace("\u00ad", "")
    return text if "[" not in text or "code" in parents else sections.without_shortcodes(text)


def _with_readings(block: Block) -> str:
    parts = []
    for node in block.nodes:
        is_reading = node.parent is not None and node.parent.tag == "rt" and node.text.strip()
        parts.append(f"({node.text.strip()})" if is_reading else node.text)
    return " ".join("".join(parts).split())


def _preformatted(block: Block) -> str:
    return "".join([node.text for node in block.nodes]).strip("\n")


def links(root: Element, base_url: str) -> list[Link]:
    """Return the links of a tree as {text, href}, absolute, each pair once.

    Fragments of the page, scripts and links without a text are left out.
    """
    by_key: dict[tuple[str, str], Link] = {}
    for element in elements(root):
        href = element.attrs.get("href") if element.tag == "a" else None
        if not href or _SCRIPTED.match(href) or href.lstrip().startswith("#"):
            continue
        children = element.children
        has_one_text = len(children) == 1 and children[0].tag is None  # as most links do
        label = " ".join((children[0].text if has_one_text else element.text).split())
        address = absolute(href, base_url)
        if label and address:
            by_key.setdefault((label, address), {"text": label, "href": address})
    return list(by_key.values())


def absolute(href: str, base_url: str) -> str:
    """Return the absolute URL of a reference; the reference itself without a base, "" if it is not a URL."""
    if not base_url:
        return href.strip()
    try:
        return urls.join(base_url, href)
    except InvalidUrl:
        return ""
