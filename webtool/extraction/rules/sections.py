"""What belongs together is kept together. In: a cut page and which blocks are kept. Out: the choice, changed in place.

A heading is kept with text below it or not at all, and text that is kept has its heading; a term is kept with its
definition, a question with the answer that opens on a click. Marks of a page builder that were never turned into a page
are not text.
"""

from __future__ import annotations

from webtool.extraction.page.blocks import Block, Page
from webtool.html.elements import HEADINGS
from webtool.html.node import around
from webtool.lean import patterns

LEAST_SECTION = 15
"""Words of a section that is dropped with its heading: shorter ones are names and dates of cards."""
MOST_OF_SECTION = 0.7
"""The share of a section's words that is kept where its heading is kept too."""
MOST_OPENER = 40
"""Words of what is clicked to open a panel."""
_OPENS = ("aria-controls", "data-bs-target", "data-target", "href")
_MAX_STEPS = 4  # from a text to the element that says what it opens
_CODE = frozenset(("pre", "code", "textarea"))
_SHORTCODE = patterns.compile(r"(?:\s*\[/?[a-z][a-z0-9]*[_-][a-z0-9_-]+(?:\s[^\]]*)?\]\s*)+")
_MARK = patterns.compile(
    r"\[/?[a-z][a-z0-9]*_[a-z0-9_]+(?:\s[^\[\]]*)?\]|\[[a-z][a-z0-9-]*(?:\s+[a-z_]+=[\"'\u2018-\u201f\u2032\u2033][^\[\]]*)\]"
    r"|\[/(?:caption|gallery|embed|audio|video|button|row|column)\]"
)
_SURE_MARK = patterns.compile(r"\[/[a-z][a-z0-9_-]*\]|\[[a-z][a-z0-9_-]*\s+[a-z_]+=")
"""One that ends, or has attributes: where none is, brackets are what somebody wrote."""


def settle(page: Page, keep: list[bool]) -> None:
    """All of it, linear in the size of the page."""
    _openers(page, keep)
    _headings(page, keep)
    _terms(page, keep)
    for i, block in enumerate(page.blocks):
        if keep[i] and block.text[0] == "[" and page.element[block.container].tag not in _CODE:
            keep[i] = not _SHORTCODE.fullmatch(block.text[:2000])


def without_marks(text: str) -> str:
    """A text without the marks of a page builder that stand in it: [vc_column width="1/2"]Tea[/vc_column] is Tea."""
    return _MARK.sub("", text) if "[" in text and _SURE_MARK.search(text) else text


def _openers(page: Page, keep: list[bool]) -> None:
    """What is clicked to open a panel that is kept and stands right below: a question, the name of a tab."""
    ids: dict[str, int] = {}
    for i, block in enumerate(page.blocks):
        if keep[i] or block.words > MOST_OPENER or not any(keep[i + 1 : i + 3]):
            continue
        wanted = _opened(block)
        if wanted and not ids:
            ids = {element.attrs["id"]: at for at, element in enumerate(page.element) if "id" in element.attrs}
        at = ids.get(wanted, 0)
        first, last = page.first[at], page.last[at]
        if i < first <= i + 2:
            words = sum([block.words for block, is_kept in zip(page.blocks[first:last], keep[first:last]) if is_kept])
            keep[i] = words >= max(block.words, (page.words[last] - page.words[first]) / 2)


def _opened(block: Block) -> str:
    """The id of what a text opens; "" where it opens nothing."""
    for element in around(block.nodes[0], _MAX_STEPS):
        for name in _OPENS:
            value = element.attrs.get(name, "")
            if value and (
                name != "href" or (value[0] == "#" and element.attrs.keys() & {"aria-expanded", "data-toggle"})
            ):
                return value.removeprefix("#")
    return ""


def _headings(page: Page, keep: list[bool]) -> None:
    blocks = page.blocks
    words = page.words
    kept = page.words_of(keep)
    ranks = [HEADINGS.get(page.element[block.container].tag, 0) for block in blocks]
    ends = [len(blocks)] * 8  # where the next heading of a rank or a higher one begins
    for i in range(len(blocks) - 1, -1, -1):
        rank = ranks[i]
        if not rank:
            continue
        end, near = ends[rank], ends[7]
        inside = kept[end] - kept[i + 1]
        if keep[i]:
            if rank > 1 and not inside and words[end] - words[i + 1] >= LEAST_SECTION:
                keep[i] = False
        elif i and keep[i - 1] and i + 1 < near and keep[i + 1]:
            keep[i] = kept[near] - kept[i + 1] >= MOST_OF_SECTION * (words[near] - words[i + 1])
        for lower in range(rank, 8):
            ends[lower] = i


def _terms(page: Page, keep: list[bool]) -> None:
    """The terms before a kept definition."""
    wanted = is_term = False
    begin = -1  # the first block of the entry behind
    for i in reversed(page.tagged(("dt", "dd"))):
        first, last = page.first[i], page.last[i]
        if last != begin and not first <= begin <= last:  # something else stands between
            wanted = False
        is_definition = page.element[i].tag == "dd"
        if is_definition:
            wanted = (wanted and not is_term) or any(keep[first:last])
        elif wanted:
            keep[first:last] = [True] * (last - first)
        is_term = not is_definition
        begin = first
