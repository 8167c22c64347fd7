"""The blocks of a page, as extraction sees it. In: runs of text nodes (cutting.py). Out: Block and Page, with sums.

A Page has the blocks and the block-level elements around them ("containers") as parallel lists in document order. So
the blocks of a container are one range, and their words are words[last] - words[first] of a running total.
`<div>One <b>two</b><p>Three</div>` has the containers div and p and the blocks "One two" and "Three".
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from itertools import accumulate
from operator import mul

from webtool.html.node import Element, Node, Text, around
from webtool.lean import patterns
from webtool.lean.patterns import GuardedPattern
from webtool.lean.records import NamedTuple

# What cutting.py does at an element: INLINE joins its text to the run around it, BLOCK ends the run before and after
# it, LINK counts its words as linked, BREAK is a br, SKIP is passed over with all that it holds, FORMULA is read as
# text, IMAGE is noted. PANEL is for elements that wait for a click, whatever their tag. The order of the numbers
# matters: elements of kinds up to LINK are entered, and INLINE is 0, the false one, because nothing is done at its end.
(INLINE, BLOCK, LINK, BREAK, SKIP, FORMULA, IMAGE, PANEL) = range(8)

KINDS: dict[str, int] = {}
for _kind, _tags in (
    (
        BLOCK,
        "#document #document-fragment html body address article aside blockquote button caption center dd details"
        " dialog dir div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr"
        " legend li listing main menu nav ol p plaintext pre search section summary table tbody td tfoot th thead tr"
        " ul xmp",
    ),
    (LINK, "a"),
    (BREAK, "br"),
    (FORMULA, "math"),
    (IMAGE, "img"),
    (INLINE, "mjx-container mjx-assistive-mml"),
    (
        SKIP,
        "#comment !doctype applet area audio base canvas col datalist embed head iframe input link map meta meter"
        " noembed noframes noscript object optgroup option param picture progress rp script select source style svg"
        " template textarea title track video wbr mjx-math",
    ),
):
    KINDS.update(dict.fromkeys(_tags.split(), _kind))

# Scripts without spaces: two Chinese or Japanese characters count as a word, and so do five letters and signs of Thai,
# Lao, Burmese or Khmer.
CJK = patterns.compile(f"[\u3040-\u30ff{patterns.IDEOGRAPHS}]")
SOUTH_EAST = patterns.compile("[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff]")
MIN_SENTENCE_WORDS = 12  # a shorter block is not a sentence for is_sentence()
MAX_STEPS_TO_LINK = 4  # elements from a text up to the link that it may be in
MIN_VERSES = 3  # links in a run; the lines of a run with fewer links are not verses
NEW_LINE = Text("\n")  # put into a run for a br, so that the words before and after it stay apart


class Grid(NamedTuple):
    """One table of data, found by grids.find(). Numbers are those of the page's containers."""

    table: int
    rows: tuple[int, ...]


class PageImage(NamedTuple):
    """An img or noscript element where it lies between the blocks."""

    element: Element
    container: int  # the innermost container around it
    next_block: int  # the first block that ends after it
    is_inside: bool  # whether that block has begun before it: `<p>Press <img> now.</p>`


class Block:
    """One run of text.

    nodes       its text nodes
    text        their text, with white space collapsed
    words       the number of words; scripts without spaces are counted by characters
    links       the number of links in it
    link_words  the number of words in these links
    container   the number of the innermost container around it
    inline      the inline element that holds the first and the last text node, or None: <b> in <p><b>Note</b></p>;
                None also if white space follows it, as in <p><b>Note</b> </p>
    hidden      whether it is in an element that waits for a click
    """

    __slots__ = ("container", "hidden", "inline", "link_words", "links", "nodes", "text", "words")

    def __init__(self, nodes: list[Text], links: list[int], container: int, hidden: bool) -> None:
        self.nodes = nodes
        text = nodes[0].text if len(nodes) == 1 else "".join([node.text for node in nodes])
        self.text = " ".join(text.split())
        self.words = _words(self.text)
        self.container = container
        self.hidden = hidden
        parent: Element = nodes[0].parent  # type: ignore[assignment]
        self.inline: Element | None = parent if KINDS.get(parent.tag) != BLOCK and nodes[-1].parent is parent else None
        self.links = 0
        self.link_words = 0
        if any(links):
            self.links = len(set(links) - {0})
            linked = " ".join([node.text for node, link in zip(nodes, links) if link])
            self.link_words = _words(" ".join(linked.split()))
            # A break between two links has the number of the second one, so it is not counted here.
            pairs = zip(nodes[1:], links, links[1:])
            breaks_in_links = sum([node is NEW_LINE and link == last > 0 for node, last, link in pairs])
            # Verses that lead to notes about them count as plain text: `<a>One line<br>and another</a><br>`, repeated.
            if self.links >= MIN_VERSES and 2 * breaks_in_links >= self.links:
                self.links = self.link_words = 0


def takes_address(attrs: dict[str, str]) -> bool:
    """Return whether an input element with these attributes is a field for an e-mail address, by type or labels."""
    kind = (attrs.get("type") or "text").lower()
    labels = (attrs.get(name, "").lower() for name in ("name", "placeholder", "aria-label"))
    return kind == "email" or (kind == "text" and any("mail" in label for label in labels))


def link_around(node: Node) -> Element | None:
    """Return the link around a text node if it is one of the MAX_STEPS_TO_LINK innermost elements, else None."""
    return next((element for element in around(node, MAX_STEPS_TO_LINK) if element.tag == "a"), None)


def is_sentence(block: Block, min_words: int = MIN_SENTENCE_WORDS) -> bool:
    """Return whether a block is long enough for a sentence and has less than a quarter of its words in links."""
    return block.words >= min_words and 4 * block.link_words < block.words


def _words(text: str) -> int:
    """Return the number of words in a text whose white space is collapsed."""
    count = text.count(" ") + 1 if text else 0
    if text.isascii():
        return count
    return count + len(CJK.findall(text)) // 2 + len(SOUTH_EAST.findall(text)) // 5


class Page:
    """Blocks and containers as parallel lists, with sums that rules and features share.

    Containers, by number, in document order (the root is 0):
    element, parent, depth   the element, the container around it (-1 for the root), the number of containers around it
    first, last              the container holds blocks[first:last]
    kinds                    a number for its tag and class: equal numbers look alike
    by_tag                   tag -> containers
    fields                   containers that have an input for an e-mail address as a child

    Blocks:
    blocks                   the blocks in document order; text inside noscript is in none
    sizes                    words of each block
    words, links             running totals of words and of linked words; both begin with 0
    times                    text -> how many blocks have it
    headline                 blocks (numbers) that markdown shows above the text and plain text omits

    formulas                 math elements
    signs                    img element that is read as a word -> the text node for it
    images                   a PageImage for each img and noscript element
    noscripts                noscript elements
    boxes                    Hidden.boxes: element -> layout by style sheets, if it differs from the layout of its tag

    Filled when first asked for, None before: grids (by grids.find), copies (by copies.regions), consent (by
    consent.find), names (by called), is_manual (by manuals.is_manual).
    """

    __slots__ = (
        *"blocks boxes by_tag consent copies depth element fields first formulas grids headline images".split(),
        *"is_manual kinds last links names noscripts parent signs sizes times words".split(),
    )

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.element: list[Element] = []
        self.parent: list[int] = []
        self.depth: list[int] = []
        self.first: list[int] = []
        self.last: list[int] = []
        self.noscripts: list[Element] = []
        self.formulas: list[Element] = []
        self.signs: dict[Node, Text] = {}
        self.images: list[PageImage] = []
        self.fields: list[int] = []
        self.headline: tuple[int, ...] = ()
        self.sizes: list[int] = []
        self.words: list[int] = []
        self.links: list[int] = []
        self.kinds: list[int] = []
        self.by_tag: dict[str, list[int]] = {}
        self.times: dict[str, int] = {}
        self.grids: list[Grid] | None = None
        self.copies: list[tuple[int, int, int]] | None = None
        self.consent: list[tuple[int, int]] | None = None
        self.names: str | None = None
        self.is_manual: bool | None = None
        self.boxes: Callable[[Container[Node]], dict[Element, str]] = lambda _: {}

    def words_of(self, keep: Iterable[bool]) -> list[int]:
        """Return the running total of words over the blocks, where a block that is not kept counts 0."""
        return [0, *accumulate(map(mul, self.sizes, keep))]

    def inside(self, flags: Iterable[bool]) -> list[bool]:
        """Return for each container whether it or one around it has a flag; `flags` has one for each container."""
        is_inside: list[bool] = []
        for flag, parent in zip(flags, self.parent):
            is_inside.append(flag or (parent >= 0 and is_inside[parent]))
        return is_inside

    def tagged(self, tags: Iterable[str]) -> list[int]:
        """Return the containers with one of these tags in document order."""
        return sorted([i for tag in tags if tag in self.by_tag for i in self.by_tag[tag]])

    def called(self) -> str:
        """Return every class, id and itemprop of the containers as one lower-cased text.

        Looking for a name here first saves a walk over all elements: most names occur on no element of a page.
        """
        if self.names is None:
            values: set[str] = set()
            for name in ("class", "id", "itemprop"):
                values.update([element.attrs[name] for element in self.element if name in element.attrs])
            self.names = "\n".join(values).lower()
        return self.names

    def has_name(self, names: GuardedPattern) -> bool:
        """Return whether a class, id or itemprop of a container has one of these names, which ignore case."""
        return names.search_lines(self.called())

    def kinds_around(self, block: Block) -> tuple[int, int]:
        """Return the kinds of a block's container and of the container around that."""
        return self.kinds[block.container], self.kinds[max(self.parent[block.container], 0)]

    def around(self, container: int) -> Iterator[int]:
        """Yield a container and then the containers around it, from the inside out."""
        while container >= 0:
            yield container
            container = self.parent[container]
