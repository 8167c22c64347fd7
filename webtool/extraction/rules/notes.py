"""Keep the notes that kept marks point at: `Oak is heavy.<a href="#fn1">1</a>` keeps `<li id=fn1>Weighed twice.</li>`.

In: a Choice. Out: its `keep` changed. Words of this module:
- a block is a run of text, a container a block-level element; both have numbers. `keep` has one flag for each block.
- a mark is a link to an id on the same page that is a number, a sign, a letter or "[note 2]", above its note.
- a long mark is another such link in a sentence: `(Lee 1999)`. Its note must be an entry of a list.
- a note is the container of the id. If the id is on an anchor, it is the block there, with the next block if that block
  is only a number: `<a id=fn1>1</a><p>Weighed twice.</p>`.
Marks in notes are followed too: short notes of an encyclopaedia point at its list of books.
"""

from __future__ import annotations

from webtool.extraction.metadata import evidence
from webtool.extraction.page.blocks import Block, Page, link_around
from webtool.extraction.rules import headings
from webtool.extraction.rules.choice import Choice
from webtool.html.node import Element, nodes_below
from webtool.lean import patterns

MAX_NOTE_WORDS = 300  # a longer target is a section of the page, not a note
MAX_MARK_CHARACTERS = 14  # a longer link is at most a long mark
MAX_LABEL_CHARACTERS = 8  # a longer block is more than the number of a note
# A number, a letter, up to three signs, or "[note 2]".
_MARK = patterns.compile(
    r"\W*(?:\d{1,4}|[ivxlc]{1,6})[a-z]?\W*|\W*[a-zA-Z]\W*|"
    r"\W*[*\u2020\u2021\u00a7\u00b6#]{1,3}\W*|\[\w{1,6}\.? \d{1,4}\]"
)
_ENTRIES = frozenset(("li", "dd", "cite"))


def may_have_notes(choice: Choice) -> bool:
    """Return whether the page is not about a product: marks of products lead to terms of sale."""
    return not evidence.is_product(choice.head)


def keep_notes(choice: Choice) -> None:
    """Keep the notes that kept marks point at, and the heading right above the first of them."""
    page, keep = choice.page, choice.keep
    places: _Places | None = None
    waiting = [i for i, block in enumerate(page.blocks) if keep[i] and block.links]  # blocks to search for marks
    first_note = len(keep)
    while waiting:
        i = waiting.pop()
        for target, is_mark in _targets(page.blocks[i], choice.address):
            places = places or _Places(page)
            first, last = places.range_of(target, is_mark)
            if first <= i or all(keep[first:last]):  # not below the mark, such as a link back from a note; or kept
                continue
            waiting += [j for j in range(first, last) if not keep[j] and page.blocks[j].links]
            choice.set_range(first, last, True)
            first_note = min(first_note, first)
    is_found = 0 < first_note < len(keep)
    if is_found and headings.rank(page, page.blocks[first_note - 1].container) > 1:  # "References"
        keep[first_note - 1] = True


def _targets(block: Block, address: str) -> list[tuple[str, bool]]:
    """Return the ids that the marks of a block point at, each with True for a mark and False for a long mark."""
    targets: list[tuple[str, bool]] = []
    seen: set[Element] = set()
    for node in block.nodes:
        link = link_around(node)
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
    """Finds the blocks of an id."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.containers = {element: i for i, element in enumerate(page.element)}
        self.elements: dict[str, Element] = {}  # by id or name
        self.after: dict[Element, int] = {}  # by element with an id: the first block at or after its beginning
        blocks = {node: i for i, block in enumerate(page.blocks) for node in block.nodes}  # by text node
        waiting: list[Element] = []  # elements with an id that no text followed so far
        for node in nodes_below(page.element[0]):
            if node.tag is None:
                if waiting and node in blocks:
                    self.after.update(dict.fromkeys(waiting, blocks[node]))
                    waiting = []
                continue
            for name in ("id", "name"):
                if node.attrs.get(name) and node.attrs[name] not in self.elements:
                    self.elements[node.attrs[name]] = node  # type: ignore[assignment]
                    waiting.append(node)  # type: ignore[arg-type]

    def range_of(self, name: str, is_mark: bool) -> tuple[int, int]:
        """Return the range of the note with an id, (0, 0) if the id is not on a note."""
        page, element = self.page, self.elements.get(name)
        if element is None or element not in self.after:
            return 0, 0
        first = self.after[element]
        last = first + 1
        container = self.containers.get(element, page.blocks[first].container)
        outer = max(page.parent[container], 0)
        if page.element[outer].tag == "li" and page.first[outer] == first:  # <li><p id=fn1>
            container = outer
        if page.first[container] == first < page.last[container]:
            last = page.last[container]
        if last - first == 1 and last < len(page.blocks) and len(page.blocks[first].text) <= MAX_LABEL_CHARACTERS:
            last += 1  # the block is the note's number, the next one its text
        if page.words[last] - page.words[first] > MAX_NOTE_WORDS:
            return 0, 0
        return (first, last) if is_mark or page.element[container].tag in _ENTRIES else (0, 0)
