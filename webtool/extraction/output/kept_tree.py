"""The kept part of a page as a tree of its own. In: a cut page and which blocks to keep. Out: a Document.

It is a copy of the page's own elements around the kept text, so that tables, code, lists, headings, images and links
stay what they are. Nothing of the page is changed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain, compress

from webtool.extraction.output import pictures
from webtool.extraction.page import grids
from webtool.extraction.page.blocks import Page
from webtool.extraction.rules import headlines, sections
from webtool.html.node import CELL, Document, Element, Node, Text, around
from webtool.markdown import formulas, media
from webtool.markdown.handlers import roles

MAX_CAPTION = 300
MOST_STEPS = 10  # from a text to the pre that it is in, from a paragraph to the formula in it
_VOID = frozenset(("br", "hr"))
_BOX_STEPS = 4  # from a task's box to its item
_BLOCKS = frozenset(("div", "p", "figure", "section", "article", "center"))
_LINES = frozenset(("td", "th", "a", "span", "p", "h1", "h2", "h3", "h4", "h5", "h6"))


def tree(page: Page, keep: Sequence[bool], hidden: Collection[Element] = ()) -> Document:
    """The kept part of the page as a tree of its own, from the body down."""
    return _Copying(page, keep, hidden).copy()


class _Copying:
    """What one copy knows of its page."""

    def __init__(self, page: Page, keep: Sequence[bool], hidden: Collection[Element]) -> None:
        self.page = page
        self.hidden = hidden
        self.texts = set(chain.from_iterable([block.nodes for block in compress(page.blocks, keep)]))
        self.needed = _needed(self.texts)
        self.unlisted = headlines.unlisted(page, keep)
        self.arranged = page.boxes(self.needed)
        self.images = pictures.kept(page, keep)
        self.holders = self._holders()
        self.rows = {page.element[row] for grid in grids.find(page) for row in grid.rows}

    def _holders(self) -> set[Element]:
        """What is around kept images and not around kept text."""
        holders: set[Element] = set()
        for node, *_ in self.page.images if self.images else ():
            element = node.parent if node in self.images else None
            while element is not None and element not in holders and element not in self.needed:
                holders.add(element)
                element = element.parent
        return holders

    def copy(self) -> Document:
        """The copy, made with a stack of its own: pages nest deeper than Python recurses."""
        root = Document()
        texts, hidden, arranged = self.texts, self.hidden, self.arranged
        stack: list[tuple[Element, Element]] = [(self.page.element[0], root)]
        while stack:
            source, target = stack.pop()
            for node in source.children:
                if node.tag is None:
                    if node in texts:
                        is_code = "[" not in node.text or any(
                            element.tag in ("pre", "code") for element in around(node, MOST_STEPS)
                        )
                        text = node.text if is_code else sections.without_shortcodes(node.text)
                        target.children.append(Text(text, target))
                elif node not in hidden:
                    child = self._child(node, source)
                    last = target.children[-1].tag if target.children else "hr"
                    if child is not None and (child.tag != "hr" or last != "hr"):  # a rule separates something
                        target.append(child)
                        if node in arranged:
                            root.arranged[child] = arranged[node]
                        if child.tag not in _VOID and not child.children:
                            stack.append((node, child))  # type: ignore[arg-type]
                    elif node in self.images or node in self.holders:
                        self._append_images(node, target)
        return root

    def _child(self, node: Node, source: Element) -> Element | None:
        """The copy of an element around kept text; of a cell too, so that rows keep their columns."""
        if node in self.needed:
            if self.page.formulas and _is_formula(node):
                return _copy(node)
            return Element("div" if node in self.unlisted else node.tag, node.attrs, node.namespace)
        is_inside = source in self.needed
        if is_inside and (_is_wordless_formula(node) or _is_own_tex(node)):
            return _copy(node)
        if is_inside and _is_task_box(node):
            return _copy(node)
        is_cell = (is_inside and node.attrs.get("role") in roles.CELLS) or (
            node.tag in ("td", "th") and source in self.rows
        )
        is_cell = is_cell or (is_inside and self.arranged.get(node) == CELL)  # type: ignore[arg-type]
        if node.tag not in _VOID and not is_cell:
            return None
        return Element(node.tag, node.attrs, node.namespace)  # type: ignore[arg-type]

    def _append_images(self, node: Node, target: Element) -> None:
        """The kept images below an element without kept text; those of a block of their own stay one."""
        if node.tag in _BLOCKS and target.tag not in _LINES:
            block = Element("div", {})
            target.append(block)
            target = block
        stack = [node]
        while stack:
            element = stack.pop()
            images = self.images.get(element)
            for image in images or ():
                named = image.attrs.get("alt", "").strip() or self._caption(element)  # type: ignore[arg-type]
                target.append(Element("img", {**image.attrs, "alt": named, "src": media.image_source(image)}))
            if images is None and element in self.holders:
                stack.extend(reversed(element.children))

    def _caption(self, image: Element) -> str:
        """What is written below an image that says nothing of itself, where that is not kept as text."""
        for figure in around(image, MOST_STEPS):
            if figure.tag == "figure":
                captions = [child for child in figure.children if child.tag == "figcaption"]
                if captions and captions[0] not in self.needed:
                    return " ".join(captions[0].text.split())[:MAX_CAPTION]
        return ""


def _is_formula(node: Node) -> bool:
    return node.tag in ("math", "mjx-container") or formulas.is_formula(node.attrs.get("class", ""))


def _is_task_box(node: Node) -> bool:
    """Whether it is what says that a task is done or not: the box in an item, also as Notion draws it."""
    is_box = node.tag == "input" and node.attrs.get("type") == "checkbox"
    is_box = is_box or (node.tag == "div" and node.attrs.get("class", "")[:17] == "checkbox checkbox")
    return is_box and any(element.tag == "li" for element in around(node, _BOX_STEPS))


def _is_own_tex(node: Node) -> bool:
    """Whether it is the script element in which MathJax 2 leaves the author's own TeX."""
    return node.tag == "script" and node.attrs.get("type", "").startswith("math/tex")


def _is_wordless_formula(node: Node) -> bool:
    """Whether it is a formula without text (MathJax 4 draws it, KaTeX hides its boxes), or a paragraph of it alone."""
    for _ in range(MOST_STEPS):
        if node.tag == "mjx-container" or "katex" in node.attrs.get("class", ""):
            return bool(formulas.tex_of(node)[0])  # type: ignore[arg-type]
        if node.tag not in ("p", "span"):
            break
        inside = [child for child in node.children if child.tag is not None or child.text.strip()]
        if len(inside) != 1:
            break
        node = inside[0]
    return False


def _copy(node: Node) -> Element:
    """The whole of an element, as a formula needs it: what is hidden or empty in it has a meaning."""
    top = Element(node.tag, node.attrs, node.namespace)  # type: ignore[arg-type]
    stack = [(node, top)]
    while stack:
        source, target = stack.pop()
        for child in source.children:
            if child.tag is None:
                target.append(Text(child.text))
            elif isinstance(child, Element) and child.tag != "img":  # the picture of what the MathML beside it says
                copy = Element(child.tag, child.attrs, child.namespace)
                target.append(copy)
                stack.append((child, copy))
    return top


def _needed(texts: set[Text]) -> set[Element]:
    """The elements around kept text."""
    needed: set[Element] = set()
    for node in texts:
        element = node.parent
        while element is not None and element not in needed:
            needed.add(element)
            element = element.parent
    return needed
