"""Cut a page into blocks: the longest runs of inline text between the borders of block-level elements.

In: the root of a tree, the elements its page hides and those of them that wait for a click. Out: a Page (blocks.py).
`<div>One <b>two</b><p>Three</div>` has the containers div and p and the blocks "One two" and "Three".

A run begins with its first text that is not white space. It ends where a block-level element begins or ends, or at two
br in a row. Order matters: a run ends before a container is opened or closed, so that it belongs to the container in
which it began; small pictures are read once the text after them is known.
Specification: "block-level" is the Rendering section of the HTML Standard.
Tests: tests/extraction/page/test_blocks.py
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import accumulate

from webtool.extraction.page import pictured_text
from webtool.extraction.page.blocks import (
    BLOCK,
    BREAK,
    FORMULA,
    IMAGE,
    INLINE,
    KINDS,
    LINK,
    NEW_LINE,
    PANEL,
    Block,
    Page,
    PageImage,
    takes_address,
)
from webtool.html.node import Element, Node, Text
from webtool.markdown.layout import is_letter

MAX_BLOCKS = 60_000  # text after that many blocks is left out; pages for readers have less than a tenth of it
_PHRASING = frozenset(("p", "h1", "h2", "h3", "h4", "h5", "h6"))  # hold no block-level elements
_PERMALINKS = frozenset(("\u00b6", "#", "\u00a7", "\U0001f517"))
_SPACE = Text(" ")  # put into a run for an empty element that style sheets draw between two words: an icon, a star


def _is_permalink(link: Node) -> bool:
    """Return whether a link is the mark beside a heading that leads to the heading itself: "#" or a pilcrow.

    The "#" of a glossary's index leads to another page: `<a href=/terms/0-9>#</a>`.
    """
    children = link.children
    is_mark = len(children) == 1 and children[0].tag is None and children[0].text.strip() in _PERMALINKS
    return is_mark and "#" in link.attrs.get("href", "#")


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

    This is one function because a call for each node would double its time.
    """
    blocks, parents, depths, lasts = page.blocks, page.parent, page.depth, page.last
    nodes: list[Text] = []
    links: list[int] = []  # for each node the number of the link around it, 0 outside of links
    container = -1
    link = links_open = links_seen = panels_open = breaks = 0
    # Small pictures since the last text, with the white space between them: node, container, link.
    signs: list[tuple[Node, int, int]] = []
    is_seam = False  # whether an empty element with a class came since the last text: style sheets may draw it

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
        spaces_after = [*(node.text for node, _, _ in signs[1:]), ""]  # "" if a picture follows
        for (node, sign_container, sign_link), space_after in zip(signs, spaces_after):
            if sign_container != container:
                continue
            text = node
            if node.tag:
                before = nodes[-1].text if nodes else ""
                # The picture ends a link that is closed and holds or touches it: `<a>docs <img></a> for more`.
                ends_link = last_link not in (0, link) and (sign_link == last_link or not before[-1:].isspace())
                text_after = space_after + after[: pictured_text.MAX_COMPARED]
                text = Text(pictured_text.read_sign(node, before, text_after, ends_link), node.parent)
                if text.text:
                    page.signs[node], last_link = text, sign_link
            if text.text.strip() or (text.text and nodes):
                nodes.append(text)  # type: ignore[arg-type]
                links.append(sign_link)
        signs.clear()

    def end_run() -> None:
        nonlocal nodes, links
        if signs:
            read_signs("")
        blocks.append(Block(nodes, links, container, panels_open > 0))
        nodes, links = [], []

    open_container(root)
    # `rest` are the children of an element that are not read yet, `ends` is its kind; `outer` has both for the elements
    # around it.
    rest, ends = iter(root.children), BLOCK
    outer: list[tuple[Iterator[Node], int]] = []
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
                        nodes.append(NEW_LINE)
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
                    # Below the element's entry goes one without children, whose end closes the panel.
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
                            break  # the outer loop ends, too
                    breaks = 0
            elif kind == IMAGE:
                page.images.append(PageImage(node, container, len(blocks), bool(nodes)))  # type: ignore[arg-type]
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
                page.images.append(PageImage(node, container, len(blocks), bool(nodes)))  # type: ignore[arg-type]
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
