"""A page cut into blocks: maximal runs of inline text between the borders of block-level elements.

In: the root of a tree, the elements its page hides and those of them that wait for a click. Out: Page, the blocks and
the block-level elements around them ("containers") as parallel lists, all in document order, so that the blocks of a
container are one range and its sums are differences of running totals. Judges nothing.
Spec: "block-level" is the Rendering section of the HTML Standard.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator
from itertools import accumulate
from operator import mul

from webtool.extraction.page.grids import Grid
from webtool.html.node import Element, Node, Text
from webtool.lean import patterns
from webtool.markdown.layout import is_letter

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

CJK = patterns.compile(f"[\u3040-\u30ff{patterns.IDEOGRAPHS}]")
"""Chinese and Japanese are written without spaces: two characters make a word."""
SOUTH_EAST = patterns.compile("[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff]")
"""So are Thai, Lao, Burmese and Khmer: five letters and signs make a word."""
_PERMALINKS = frozenset(("\u00b6", "#", "\u00a7", "\U0001f517"))
MAX_BLOCKS = 60_000  # the text behind is left out: no page that people read has a tenth of it


_NEW_LINE = Text("\n")
"""Stands in a run for each br that text follows, so that no two words become one."""
_SPACE = Text(" ")
"""So does this for an empty box between two words, which is drawn: an icon, a star."""


class Block:
    """One run: its text nodes, its text with white space collapsed, and where it hangs.

    `words` does not rely on spaces where a script has none; `inline` is the element that holds all of the text when
    that is not a block-level one.
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


def takes_address(attrs: dict[str, str]) -> bool:
    """Whether an input element is a field for an e-mail address."""
    kind = (attrs.get("type") or "text").lower()
    said = (attrs.get(name, "").lower() for name in ("name", "placeholder", "aria-label"))
    return kind == "email" or (kind == "text" and any("mail" in one for one in said))


def is_sentence(block: Block) -> bool:
    """Whether it is a sentence or more, and has few links."""
    return block.words >= 12 and 4 * block.link_words < block.words


def _words(text: str) -> int:
    count = text.count(" ") + 1 if text else 0
    if text.isascii():
        return count
    return count + len(CJK.findall(text)) // 2 + len(SOUTH_EAST.findall(text)) // 5


class Page:
    """Blocks and containers. Container i has element[i], parent[i] (-1 at the root), depth[i], and the blocks
    first[i] to last[i] - 1. What noscript elements hold is in no block. `formulas` are the math elements, `images` the
    img and noscript elements, each with its container, the block that it stands in or before, and whether it stands in
    it; `grids` the tables of data, `copies` the copied regions, `names` what containers are called, `is_manual` whether
    it is about code, once grids.find, copies.regions, called() and manuals looked; `boxes` what style sheets arrange
    otherwise than the tags say: see Hidden.boxes(); `sizes` the words of each block, `words` their running total and
    `links` that of the linked ones; `times` how often each text is there; `kinds` a number for each container, the same
    for those of one tag and class; `by_tag` the containers of each tag; `fields` those right in which a field takes an
    e-mail address; `headline` the blocks that readers see above the text and that are none of it."""

    __slots__ = (
        *"blocks boxes by_tag copies depth element fields first formulas grids headline images is_manual kinds".split(),
        *"last links names noscripts parent sizes times words".split(),
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
        self.images: list[tuple[Element, int, int, bool]] = []
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
        self.names: str | None = None
        self.is_manual: bool | None = None
        self.boxes: Callable[[Container[Node]], dict[Element, str]] = lambda _: {}

    def words_of(self, keep: Iterable[bool]) -> list[int]:
        """The running total of the words of the blocks to keep."""
        return [0, *accumulate(map(mul, self.sizes, keep))]

    def tagged(self, tags: Iterable[str]) -> list[int]:
        """The containers of some tags in document order."""
        return sorted([i for tag in tags if tag in self.by_tag for i in self.by_tag[tag]])

    def called(self) -> str:
        """All that the containers are called, lower-cased: three kinds of names in four are on no element of a page."""
        if self.names is None:
            values = self.by_tag.keys() & {"figcaption"}
            for name in ("class", "id", "itemprop"):
                values.update([element.attrs[name] for element in self.element if name in element.attrs])
            self.names = "\n".join(values).lower()
        return self.names

    def around(self, container: int) -> Iterator[int]:
        """A container and those that it is in, the innermost first."""
        while container >= 0:
            yield container
            container = self.parent[container]


def _is_permalink(link: Node) -> bool:
    """The mark beside a heading that gives its address."""
    children = link.children
    return len(children) == 1 and children[0].tag is None and children[0].text.strip() in _PERMALINKS


def _formula_text(formula: Node) -> list[Node]:
    """The text nodes of a math element: its TeX where it has an annotation of that kind, else all."""
    found: list[Node] = []
    stack: list[Node] = [formula]
    while stack:
        node = stack.pop()
        if node.tag is None:
            found.append(node)
        elif node.tag == "annotation" and "tex" in node.attrs.get("encoding", "").lower():
            return list(node.children)
        elif node.tag not in ("annotation", "annotation-xml"):
            stack.extend(reversed(node.children))
    return found


def cut(root: Element, hidden: Collection[Element] = (), panels: Collection[Element] = ()) -> Page:
    """The blocks below root. Linear in the size of the tree.

    Elements of `hidden` are passed over; blocks inside an element of `panels` (a subset of it) are there and say so.
    """
    page = Page()
    _cut(page, root, hidden, panels)
    page.sizes = [block.words for block in page.blocks]
    page.words = [0, *accumulate(page.sizes)]
    page.links = [0, *accumulate([block.link_words for block in page.blocks])]
    times = page.times
    for block in page.blocks:
        times[block.text] = times.get(block.text, 0) + 1
    number: dict[tuple[str, str], int] = {}
    kinds_of = [(element.tag, element.attrs.get("class", "")) for element in page.element]
    page.kinds = [number.setdefault(kind_of, len(number)) for kind_of in kinds_of]
    for i, (tag, _) in enumerate(kinds_of):
        page.by_tag.setdefault(tag, []).append(i)
    return page


def _cut(page: Page, root: Element, hidden: Collection[Element], panels: Collection[Element]) -> None:
    """One pass over the tree, in one function: calls would take half of its time. A run has nodes from its first text
    that is more than white space on, and becomes a block where a block-level element begins or ends."""
    blocks, parents, depths, lasts = page.blocks, page.parent, page.depth, page.last
    nodes: list[Text] = []
    links: list[int] = []  # of each node the number of the link that it is in
    container = link = links_open = links_seen = panels_open = breaks = 0
    is_seam = False  # an empty box that is drawn stands before the next text
    page.element.append(root)
    parents.append(-1)
    for numbers in (depths, page.first, lasts):
        numbers.append(0)

    def end_run() -> None:
        nonlocal nodes, links
        blocks.append(Block(nodes, links, container, panels_open > 0))
        nodes, links = [], []

    outer: list[tuple[Iterator[Node], int]] = []
    rest, ends = iter(root.children), BLOCK  # what is left of an element's children, and what that element ends
    while len(blocks) < MAX_BLOCKS:
        for node in rest:
            tag = node.tag
            if tag is None:
                if not node.text or node.text.isspace():
                    if not nodes:  # most text nodes are the white space between blocks
                        continue
                else:
                    if breaks and nodes:
                        nodes.append(_NEW_LINE)
                        links.append(link)
                    breaks = 0
                    if is_seam:
                        is_between = nodes and is_letter(node.text[0]) and is_letter(nodes[-1].text[-1:])
                        if is_between and page.element[container].tag != "pre":
                            nodes.append(_SPACE)
                            links.append(link)
                        is_seam = False
                nodes.append(node)  # type: ignore[arg-type]
                links.append(link)
                continue
            kind = KINDS.get(tag)
            if kind is None:
                kind = BLOCK if "-" in tag else INLINE  # custom elements are inline by default, and blocks in practice
            if kind <= LINK:
                if (kind == INLINE and not node.children) or (kind == LINK and _is_permalink(node)):
                    is_seam = is_seam or "class" in node.attrs
                    continue
                if node in hidden:
                    if node not in panels:
                        continue
                    if nodes:
                        end_run()
                    breaks = 0
                    panels_open += 1
                    outer.append((rest, ends))
                    rest, ends = iter(()), PANEL
                if kind == BLOCK:
                    if nodes:
                        end_run()
                    breaks = 0
                    page.element.append(node)  # type: ignore[arg-type]
                    depths.append(depths[container] + 1)
                    parents.append(container)
                    container = len(lasts)
                    page.first.append(len(blocks))
                    lasts.append(len(blocks))
                elif kind == LINK:
                    links_open += 1
                    links_seen += 1
                    link = links_seen
                outer.append((rest, ends))
                rest, ends = iter(node.children), kind
                break
            if kind == BREAK:  # two in a row are how old pages write paragraphs
                breaks += 1
                if breaks > 1:
                    if nodes:
                        end_run()
                        if len(blocks) >= MAX_BLOCKS:
                            break
                    breaks = 0
            elif kind == IMAGE:
                page.images.append((node, container, len(blocks), bool(nodes)))  # type: ignore[arg-type]
            elif kind == FORMULA:
                page.formulas.append(node)  # type: ignore[arg-type]
                outer.append((rest, ends))
                rest, ends = iter(_formula_text(node)), INLINE
                break
            elif tag == "picture":
                outer.append((rest, ends))
                rest, ends = iter([child for child in reversed(node.children) if child.tag == "img"]), INLINE
                break
            elif tag == "input":
                if node.parent is page.element[container] and takes_address(node.attrs):
                    page.fields.append(container)
            elif tag == "svg":
                is_seam = True
            elif tag == "noscript":
                page.noscripts.append(node)  # type: ignore[arg-type]
                page.images.append((node, container, len(blocks), bool(nodes)))  # type: ignore[arg-type]
        else:
            if ends == LINK:
                links_open -= 1
                if not links_open:
                    link = 0
            elif ends:
                if nodes:
                    end_run()
                breaks = 0
                if ends == BLOCK:
                    lasts[container] = len(blocks)
                    container = parents[container]
                else:
                    panels_open -= 1
            if not outer:
                return
            rest, ends = outer.pop()
    if nodes:
        end_run()
    while container >= 0:
        lasts[container] = len(blocks)
        container = parents[container]
