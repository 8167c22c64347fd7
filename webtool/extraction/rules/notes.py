"""Keep the notes that kept marks point at: `Oak is heavy.<a href="#fn1">1</a>` keeps `<li id=fn1>Weighed twice.</li>`.

In: a Choice. Out: its `keep` changed. A mark is a short same-page link beside other text: a number, a sign, a letter,
or "[note 2]". Only marks above their note count. A longer link counts too if it is in a sentence and points at an entry
of a list: `(Lee 1999)`. What it points at is the container of that id, or the block at an anchor, with the next block
if that block is only a number. Notes are read for marks too, as those of an encyclopaedia point at its list of books.
"""

from __future__ import annotations

from webtool.extraction.metadata import evidence
from webtool.extraction.page.blocks import Block, Page
from webtool.extraction.rules import headings
from webtool.extraction.rules.choice import Choice
from webtool.html.node import Element, around, nodes_below
from webtool.lean import patterns

MAX_NOTE_WORDS = 300  # a longer target is a section of the page
MAX_MARK_CHARACTERS = 14  # a longer link is not a mark
MAX_LABEL_CHARACTERS = 8  # a longer block is more than the number of a note
MAX_STEPS = 4  # elements from a text up to the link around it
_MARK = patterns.compile(
    r"\W*(?:\d{1,4}|[ivxlc]{1,6})[a-z]?\W*|\W*[a-zA-Z]\W*|"
    r"\W*[*\u2020\u2021\u00a7\u00b6#]{1,3}\W*|\[\w{1,6}\.? \d{1,4}\]"
)
_ENTRIES = frozenset(("li", "dd", "cite"))


def may_have_notes(choice: Choice) -> bool:
    """Run on all pages but those of products, whose marks lead to terms of sale."""
    return not evidence.is_product(choice.head)


def keep_notes(choice: Choice) -> None:
    """Keep the notes at the end that kept marks point at, and the heading right above them."""
    page, keep = choice.page, choice.keep
    places: _Places | None = None
    waiting = [i for i, block in enumerate(page.blocks) if keep[i] and block.links]
    first_note = len(keep)
    while waiting:
        i = waiting.pop()
        for target, is_mark in _targets(page.blocks[i], choice.address):
            places = places or _Places(page)
            first, last = places.range_of(target, is_mark)
            if first <= i or all(keep[first:last]):  # a link back from a note to its mark, or all is there
                continue
            waiting += [i for i in range(first, last) if not keep[i] and page.blocks[i].links]
            choice.set_range(first, last, True)
            first_note = min(first_note, first)
    if first_note < len(keep):
        _keep_heading(choice, first_note - 1)


def _keep_heading(choice: Choice, i: int) -> None:
    """Keep block i if it is the heading of kept notes: "References"."""
    page = choice.page
    if i >= 0 and headings.rank(page, page.blocks[i].container) > 1:
        choice.keep[i] = True


def _targets(block: Block, address: str) -> list[tuple[str, bool]]:
    """Return the ids that the marks of a block point at, each with whether its link is as short as a mark."""
    targets: list[tuple[str, bool]] = []
    seen: set[Element] = set()
    for node in block.nodes:
        link = next((element for element in around(node, MAX_STEPS) if element.tag == "a"), None)
        if link is None or link in seen:
            continue
        seen.add(link)
        href = link.attrs.get("href", "")
        page_address, _, name = href.partition("#")
        if not name or (page_address and page_address != address.partition("#")[0]):
            continue
        label = link.text.strip() if len(link.children) < MAX_MARK_CHARACTERS else ""
        is_mark = len(label) <= MAX_MARK_CHARACTERS and bool(_MARK.fullmatch(label))
        if is_mark or 2 * block.link_words < block.words:
            targets.append((name, is_mark))
    return targets


class _Places:
    """Where ids are on a page, in blocks."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.containers = {element: i for i, element in enumerate(page.element)}
        self.blocks = {node: i for i, block in enumerate(page.blocks) for node in block.nodes}
        self.elements: dict[str, Element] = {}
        self.after: dict[Element, int] = {}  # by element with an id: the first block at or after its beginning
        waiting: list[Element] = []
        for node in nodes_below(page.element[0]):
            if node.tag is None:
                if waiting and node in self.blocks:
                    self.after.update(dict.fromkeys(waiting, self.blocks[node]))
                    waiting = []
                continue
            for name in ("id", "name"):
                if node.attrs.get(name) and node.attrs[name] not in self.elements:
                    self.elements[node.attrs[name]] = node  # type: ignore[assignment]
                    waiting.append(node)  # type: ignore[arg-type]

    def range_of(self, name: str, is_mark: bool) -> tuple[int, int]:
        """Return the range of the note with an id, (0, 0) if the target is no note."""
        page, element = self.page, self.elements.get(name)
        if element is None or element not in self.after:
            return 0, 0
        first = self.after[element]
        last = first + 1
        at = self.containers.get(element, page.blocks[first].container)
        outer = max(page.parent[at], 0)
        if page.element[outer].tag == "li" and page.first[outer] == first:  # <li><p id=fn1>
            at = outer
        if page.first[at] == first < page.last[at]:
            last = page.last[at]
        if last - first == 1 and last < len(page.blocks) and len(page.blocks[first].text) <= MAX_LABEL_CHARACTERS:
            last += 1
        is_short = page.words[last] - page.words[first] <= MAX_NOTE_WORDS
        return (first, last) if is_short and (is_mark or page.element[at].tag in _ENTRIES) else (0, 0)
