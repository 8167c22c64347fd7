"""Keep together what belongs together: a heading and its section, a question and its answer.

In: a Choice. Out: its `keep` changed. Shortcodes, the marks of a page builder that never became a page, are not text:
`[vc_column width="1/2"]`.
"""

from __future__ import annotations

from webtool.extraction.page.blocks import Block
from webtool.extraction.rules.choice import Choice
from webtool.html.elements import HEADINGS
from webtool.html.node import around
from webtool.lean import patterns

MIN_SECTION_WORDS = 15  # a shorter section that is not kept leaves its heading: it is name and date of a card
MIN_KEPT_SHARE = 0.7  # of a section's words; with less kept its heading is not added
MAX_OPENER_WORDS = 40  # a longer text is not a button that opens a panel
MAX_SHORTCODE_CHARACTERS = 2000  # of a block, that are compared with shortcodes
_TARGETS = ("aria-controls", "data-bs-target", "data-target", "href")
_MAX_STEPS = 4  # elements from a text up to the one that names the panel it opens
_CODE = frozenset(("pre", "code", "textarea"))
_SHORTCODES = patterns.compile(r"(?:\s*\[/?[a-z][a-z0-9]*[_-][a-z0-9_-]+(?:\s[^\]]*)?\]\s*)+")
_SHORTCODE = patterns.compile(
    r"\[/?[a-z][a-z0-9]*_[a-z0-9_]+(?:\s[^\[\]]*)?\]|\[[a-z][a-z0-9-]*(?:\s+[a-z_]+=[\"'\u2018-\u201f\u2032\u2033][^\[\]]*)\]"
    r"|\[/(?:caption|gallery|embed|audio|video|button|row|column)\]"
)
_SURE_SHORTCODE = patterns.compile(r"\[/[a-z][a-z0-9_-]*\]|\[[a-z][a-z0-9_-]*\s+[a-z_]+=")
"""One that ends or has attributes. In a text without such a tag, its brackets are what somebody wrote."""


def keep_openers(choice: Choice) -> None:
    """Keep the question or tab name whose panel right below is kept (FAQs, tabs).

    `<button aria-controls=a1>How long?</button><div id=a1>Two days.</div>` with only the answer kept.
    """
    page, keep = choice.page, choice.keep
    container_of: dict[str, int] = {}  # by id
    for i, block in enumerate(page.blocks):
        if keep[i] or block.words > MAX_OPENER_WORDS or not any(keep[i + 1 : i + 3]):
            continue
        target = _opened_id(block)
        if target and not container_of:
            container_of = {element.attrs["id"]: at for at, element in enumerate(page.element) if "id" in element.attrs}
        panel = container_of.get(target, 0)
        first, last = page.first[panel], page.last[panel]
        if i < first <= i + 2:
            kept = sum([page.sizes[n] for n in range(first, last) if keep[n]])
            keep[i] = kept >= max(block.words, (page.words[last] - page.words[first]) / 2)


def _opened_id(block: Block) -> str:
    """Return the id of the element that a click on a text opens, or ""."""
    for element in around(block.nodes[0], _MAX_STEPS):
        for name in _TARGETS:
            value = element.attrs.get(name, "")
            if not value:
                continue
            if name != "href" or (value[0] == "#" and element.attrs.keys() & {"aria-expanded", "data-toggle"}):
                return value.removeprefix("#")
    return ""


def match_headings(choice: Choice) -> None:
    """Drop headings (h2 to h6) of sections of which nothing is kept; keep headings between kept blocks of a section.

    `<p>kept</p><h2>Share</h2><p>fifteen dropped words</p>`: the h2 is dropped.
    `<p>kept</p><h2>Night</h2><p>kept</p>`: the h2 is kept.
    """
    page, keep, words = choice.page, choice.keep, choice.page.words
    kept = page.words_of(keep)
    ranks = [HEADINGS.get(page.element[block.container].tag, 0) for block in page.blocks]
    ends = [len(keep)] * 8  # by rank: where the next heading of this rank or a higher one begins; 7 is any heading
    for i in range(len(keep) - 1, -1, -1):
        rank = ranks[i]
        if not rank:
            continue
        end, near = ends[rank], ends[7]
        if keep[i]:
            is_empty = kept[end] == kept[i + 1]
            if rank > 1 and is_empty and words[end] - words[i + 1] >= MIN_SECTION_WORDS:
                keep[i] = False
        elif i and keep[i - 1] and i + 1 < near and keep[i + 1]:
            keep[i] = kept[near] - kept[i + 1] >= MIN_KEPT_SHARE * (words[near] - words[i + 1])
        for lower in range(rank, 8):
            ends[lower] = i


def drop_shortcodes(choice: Choice) -> None:
    """Drop blocks that are nothing but marks of a page builder: `[vc_row][vc_column]` (WordPress)."""
    page, keep = choice.page, choice.keep
    for i, block in enumerate(page.blocks):
        if keep[i] and block.text[0] == "[" and page.element[block.container].tag not in _CODE:
            keep[i] = not _SHORTCODES.fullmatch(block.text[:MAX_SHORTCODE_CHARACTERS])


def without_shortcodes(text: str) -> str:
    """Return a text without marks of a page builder: `[vc_column width="1/2"]Tea[/vc_column]` -> `Tea`."""
    return _SHORTCODE.sub("", text) if "[" in text and _SURE_SHORTCODE.search(text) else text
