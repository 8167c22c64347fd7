"""Cut a page into blocks: the longest runs of inline text between the borders of block-level elements.

In: the root of a tree, the elements its page hides and those of them that wait for a click. Out: Page, which has the
blocks and the block-level elements around them ("containers") as parallel lists in document order. So the blocks of a
container are one range, and their words are words[last] - words[first] of a running total. Judges nothing.
Spec: "block-level" is the Rendering section of the HTML Standard.

`<div>One <b>two</b><p>Three</div>` has the containers div and p and the blocks "One two" and "Three".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator
from itertools import accumulate
from operator import mul

from webtool.extraction.page import pictured_text
from webtool.html.node import Element, Node, Text
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.markdown.layout import is_letter

# What cut() does at an element: INLINE joins its text to the run around it, BLOCK ends the run before and after it,
# LINK counts its words as linked, BREAK is a br, SKIP is passed over with all that it holds, FORMULA is read as text,
# IMAGE is noted. PANEL is for elements that wait for a click, whatever their tag. The order of the numbers matters:
# _cut() enters the elements of kinds up to LINK, and INLINE is 0 so that a test for truth skips it.
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
MIN_VERSES = 3  # links in a run; the lines of a run with fewer links are not verses
_PHRASING = frozenset(("p", "h1", "h2", "h3", "h4", "h5", "h6"))  # hold no block-level elements
_PERMALINKS = frozenset(("\u00b6", "#", "\u00a7", "\U0001f517"))
MAX_BLOCKS = 60_000  # text after that many blocks is left out; pages for readers have less than a tenth of it

_NEW_LINE = Text("\n")  # put into a run for a br, so that the words before and after it stay apart
_SPACE = Text(" ")  # put into a run for an empty element that style sheets draw between two words: an icon, a star


class Grid(NamedTuple):
    """One table of data, found by grids.find(). Numbers are those of the page's containers."""

    table: int
    rows: tuple[int, ...]


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
            # A break between two links comes with the number of the second one.
            pairs = zip(nodes[1:], links, links[1:])
            breaks_in_links = sum([node is _NEW_LINE and link == last > 0 for node, last, link in pairs])
            # Verses that lead to notes about them count as plain text: `<a>One line<br>and another</a><br>`, repeated.
            if self.links >= MIN_VERSES and 2 * breaks_in_links >= self.links:
                self.links = self.link_words = 0


def takes_address(attrs: dict[str, str]) -> bool:
    """Return whether an input element with these attributes is a field for an e-mail address."""
    kind = (attrs.get("type") or "text").lower()
    labels = (attrs.get(name, "").lower() for name in ("name", "placeholder", "aria-label"))
    return kind == "email" or (kind == "text" and any("mail" in label for label in labels))


def is_sentence(block: Block) -> bool:
    """Return whether a block is long enough for a sentence and has less than a quarter of its words in links."""
    return block.words >= MIN_SENTENCE_WORDS and 4 * block.link_words < block.words


def _words(text: str) -> int:
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
    images                   (img or noscript element, container, number of the next block, whether it has begun)
    noscripts                noscript elements
    boxes                    Hidden.boxes: element -> layout by style sheets, if it differs from the layout of its tag

    Filled when first asked for, None before: grids (by grids.find), copies (by copies.regions), consent (by
    consent.find), names (by called), is_manual (by manuals).
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
        self.consent: list[tuple[int, int]] | None = None
        self.names: str | None = None
        self.is_manual: bool | None = None
        self.boxes: Callable[[Container[Node]], dict[Element, str]] = lambda _: {}

    def words_of(self, keep: Iterable[bool]) -> list[int]:
        """Return the running total of words over the blocks, where a block that is not kept counts 0."""
        return [0, *accumulate(map(mul, self.sizes, keep))]

    def tagged(self, tags: Iterable[str]) -> list[int]:
        """Return the containers with one of these tags in document order."""
        return sorted([i for tag in tags if tag in self.by_tag for i in self.by_tag[tag]])

    def called(self) -> str:
        """Return every class, id and itemprop of the containers as one lower-cased text.

        Looking for a name here first saves a walk over all elements: most names occur on no element of a page.
        "figcaption" is included if the page has such a tag, because class_names.drop() takes that tag for a name.
        """
        if self.names is None:
            values = self.by_tag.keys() & {"figcaption"}
            for name in ("class", "id", "itemprop"):
                values.update([element.attrs[name] for element in self.element if name in element.attrs])
            self.names = "\n".join(values).lower()
        return self.names

    def around(self, container: int) -> Iterator[int]:
        """Yield a container and then the containers around it, from the inside out."""
        while container >= 0:
            yield container
            container = self.parent[container]


def _is_permalink(link: Node) -> bool:
    """Return whether a link is the mark beside a heading that leads to the heading itself: "#" or a pilcrow."""
    children = link.children
    return len(children) == 1 and children[0].tag is None and children[0].text.strip() in _PERMALINKS


def _formula_text(formula: Node) -> list[Node]:
    """Return the text nodes of a math element: those of its TeX annotation if it has one, else all."""
    texts: list[Node] = []
    stack: list[Node] = [formula]
    while stack:
        node = stack.pop()
        if node.tag is None:
            texts.append(node)
        elif node.tag == "annotation" and "tex" in node.attrs.get("encoding", "").lower():
            return list(node.children)
        elif node.tag not in ("annotation", "annotation-xml"):
            stack.extend(reversed(node.children))
    return texts


def cut(root: Element, hidden: Collection[Element] = (), panels: Collection[Element] = ()) -> Page:
    """Return the Page below root. Linear in the size of the tree.

    Elements in `hidden` are passed over, except those also in `panels`: their blocks have `hidden` set.
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
    """Fill the page's blocks, containers, images, formulas, fields and noscripts in one pass over the tree.

    A run begins with its first text that is not white space and ends where a block-level element begins or ends, or at
    two br in a row. This is one function because a call for each node would double its time.
    """
    blocks, parents, depths, lasts = page.blocks, page.parent, page.depth, page.last
    nodes: list[Text] = []
    links: list[int] = []  # for each node the number of the link around it, 0 outside of links
    container = -1
    link = links_open = links_seen = panels_open = breaks = 0
    # Small pictures since the last text, and the white space after them: node, container, link
    signs: list[tuple[Node, int, int]] = []
    is_seam = False  # whether an empty element that may be drawn as a box comes before the next text

    def open_container(element: Node) -> None:
        nonlocal container, breaks
        if nodes:
            end_run()
        breaks = 0
        page.element.append(element)  # type: ignore[arg-type]
        depths.append(depths[container] + 1 if lasts else 0)
        parents.append(container)
        container = len(lasts)
        page.first.append(len(blocks))
        lasts.append(len(blocks))

    def read_signs(after: str) -> None:
        """Put the nodes in `signs` into the run, pictures as text nodes. `after` is the text that follows them."""
        last_link = next((link for node, link in zip(reversed(nodes), reversed(links)) if not node.text.isspace()), 0)
        following = [*(node.text for node, _, _ in signs[1:]), ""]  # "" for a picture
        for (node, its_container, its_link), blank in zip(signs, following):
            text = node
            if its_container == container and node.tag:
                before = nodes[-1].text if nodes else ""
                # It ends a link if it is in it or touches it, and the link is closed: `<a>docs <img></a> for more`.
                ends_link = last_link not in (0, link) and (its_link == last_link or not before[-1:].isspace())
                text = Text(
                    pictured_text.read_sign(node, before, blank + after[: pictured_text.MAX_COMPARED], ends_link),
                    node.parent,
                )
                if text.text:
                    page.signs[node], last_link = text, its_link
            if its_container == container and (text.text.strip() or (text.text and nodes)):
                nodes.append(text)  # type: ignore[arg-type]
                links.append(its_link)
        signs.clear()

    def end_run() -> None:
        nonlocal nodes, links
        if signs:
            read_signs("")
        blocks.append(Block(nodes, links, container, panels_open > 0))
        nodes, links = [], []

    open_container(root)
    outer: list[tuple[Iterator[Node], int]] = []
    rest, ends = iter(root.children), BLOCK  # children not read yet; kind of their parent
    while len(blocks) < MAX_BLOCKS:
        for node in rest:
            tag = node.tag
            if tag is None:
                if not node.text or node.text.isspace():
                    if signs:
                        signs.append((node, container, link))
                        continue
                    if not nodes:  # most text nodes are the white space between blocks
                        continue
                else:
                    if signs:
                        read_signs(f"\n{node.text}" if breaks else node.text)
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
                # custom elements are inline by default but blocks in practice, except in a paragraph
                kind = BLOCK if "-" in tag and page.element[container].tag not in _PHRASING else INLINE
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
                    # The stack gets an entry without children below that of the element. It closes the panel.
                    outer.append((rest, ends))
                    rest, ends = iter(()), PANEL
                if kind == BLOCK:
                    open_container(node)
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
                if pictured_text.is_sign(node) and node not in hidden:
                    signs.append((node, container, link))
                    is_seam = True
            elif kind == FORMULA:
                if node in hidden:
                    continue
                page.formulas.append(node)  # type: ignore[arg-type]
                outer.append((rest, ends))
                rest, ends = iter(_formula_text(node)), INLINE
                break
            elif tag == "picture":
                if node in hidden:
                    continue
                outer.append((rest, ends))
                rest, ends = iter([child for child in node.children if child.tag == "img"]), INLINE
                break
            elif tag == "input":
                if node.parent is page.element[container] and takes_address(node.attrs):
                    page.fields.append(container)
            elif tag == "svg":
                labels = [] if node in hidden else pictured_text.labels(node, hidden)  # type: ignore[arg-type]
                if not labels:  # a picture without text
                    is_seam = True
                    continue
                open_container(node)
                outer.append((rest, ends))
                rest, ends = iter(labels), BLOCK
                break
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
