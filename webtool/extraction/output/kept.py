"""Write the kept part of a page: as a tree of its own, and as plain text.

In: a cut page and which blocks to keep. Out: a Document; text. The tree has the page's own elements around the kept
text, so that tables, code, lists, headings, images and links stay what they are. The page itself is not changed.
Shortcodes, the marks of a page builder that never became a page, are left out: `[vc_column width="1/2"]`.
Tests: tests/extraction/output/test_kept.py
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Sequence
from itertools import chain, compress, groupby, islice

from webtool.extraction.output import pictures
from webtool.extraction.page import grids
from webtool.extraction.page.blocks import Block, Page
from webtool.extraction.rules import headlines
from webtool.extraction.rules.whole_units import is_preformatted
from webtool.html.elements import role_of
from webtool.html.node import CELL, Document, Element, Node, Text, around, nodes_below
from webtool.lean import patterns
from webtool.markdown import code, formulas, media
from webtool.markdown.handlers import roles

MAX_CAPTION = 300  # characters of a caption that becomes a text alternative
_STEPS_TO_READING = 2  # from a text up to the rt around it: <rt><span>
MAX_STEPS = 10  # elements from a text up to the pre around it, and from a paragraph down to the formula in it
_MAX_CELL_NODES = 10  # nodes of a cell without words among which fields are looked for
_CELLS = frozenset(("td", "th"))
_VOID = frozenset(("br", "hr"))
_SHOWN_TYPES = frozenset("text number date time datetime-local month week tel url range".split())  # values are text
_CHOOSING = frozenset(("p", "li", "dd", "td", "th"))  # a select elsewhere is a control of the page
_MAX_LINE = 40  # children of an element among which the text beside a field is looked for
_BOX_STEPS = 4  # elements from a task's box up to its list item
# Images in an element of _BLOCKS are copied into a div, but straight into a target of _LINES: `<td><div><img>`.
_BLOCKS = frozenset(("div", "p", "figure", "section", "article", "center"))
_LINES = frozenset(("td", "th", "a", "span", "p", "h1", "h2", "h3", "h4", "h5", "h6"))
_SHORTCODE = patterns.compile(
    r"\[/?[a-z][a-z0-9]*_[a-z0-9_]+(?:\s[^\[\]]*)?\]|\[[a-z][a-z0-9-]*(?:\s+[a-z_]+=[\"'\u2018-\u201f\u2032\u2033][^\[\]]*)\]"
    r"|\[/(?:caption|gallery|embed|audio|video|button|row|column)\]"
)
# A tag that ends or has attributes. In a text without such a tag, somebody wrote the brackets.
_SURE_SHORTCODE = patterns.compile(r"\[/[a-z][a-z0-9_-]*\]|\[[a-z][a-z0-9_-]*\s+[a-z_]+=")


def tree(page: Page, keep: Sequence[bool], hidden: Collection[Element] = ()) -> Document:
    """Return the kept part of the page as a tree of its own, without the hidden elements."""
    return _Copying(page, keep, hidden).copy()


class _Copying:
    """One copy of a page.

    texts     the kept text nodes
    needed    the elements around them
    images    the kept images, by the element of the page that shows them
    holders   the elements around kept images that are not in needed
    rows      the rows of data tables
    unlisted  list elements around the headline that become div
    arranged  what style sheets arrange otherwise than tags say
    """

    def __init__(self, page: Page, keep: Sequence[bool], hidden: Collection[Element]) -> None:
        self.page = page
        self.hidden = hidden
        self.texts = set(chain.from_iterable([block.nodes for block in compress(page.blocks, keep)]))
        self.needed = _elements_around(self.texts)
        self.unlisted = headlines.unlisted(page, keep)
        self.arranged = page.boxes(self.needed)
        self.images = pictures.kept(page, keep)
        self.holders = _elements_around(self.images, self.needed)
        self.rows = {page.element[row] for grid in grids.find(page) for row in grid.rows}

    def copy(self) -> Document:
        """Return the copy, without a rule at its end."""
        root = Document()
        texts, hidden, arranged, signs = self.texts, self.hidden, self.arranged, self.page.signs
        stack: list[tuple[Element, Element]] = [(self.page.element[0], root)]
        while stack:
            source, target = stack.pop()
            for node in source.children:
                if node.tag is None:
                    if node in texts:
                        text = node.text
                        if "[" in text and not any(e.tag in ("pre", "code") for e in around(node, MAX_STEPS)):
                            text = _without_shortcodes(text)
                        target.children.append(Text(text, target))
                    continue
                if node in hidden:
                    continue
                is_whole = self._is_whole(node, source)
                child = _copy(node, signs) if is_whole else self._shell(node, source)
                if child is not None:
                    if child.tag == "hr" and (not target.children or target.children[-1].tag == "hr"):
                        continue  # a rule at the beginning or after another rule
                    target.append(child)
                    if node in arranged:
                        root.arranged[child] = arranged[node]
                    if not is_whole:
                        stack.append((node, child))  # type: ignore[arg-type]
                elif node in signs and signs[node] in texts and node not in self.images:
                    # An img that was read as the text signs[node]: a word, or a formula.
                    target.append(_copy(node) if _is_formula(node) else Text(signs[node].text))
                elif node in self.images or node in self.holders:
                    self._append_images(node, target)
        last: Element = root
        while last.children and isinstance(node := last.children[-1], Element):
            if node.tag == "hr":
                last.children.pop()
            else:
                last = node
        return root

    def _is_whole(self, node: Node, source: Element) -> bool:
        """Return whether an element in `source` is copied with all that it holds: a formula, a task's box, a field."""
        if node in self.needed:
            may_be_formula = bool(self.page.formulas) or node.tag == "mjx-container"  # MathJax may draw it without math
            return may_be_formula and _is_formula(node)
        if source not in self.needed:
            return False
        # MathJax 2 leaves the author's TeX in a script.
        is_tex = node.tag == "script" and node.attrs.get("type", "").startswith("math/tex")
        if is_tex or _is_wordless_formula(node) or _is_task_box(node):
            return True
        is_control = node.tag == "select" and source.tag not in _CHOOSING  # "Sort by" of a list
        return not is_control and _is_field(node) and self._is_line(source)

    def _shell(self, node: Node, source: Element) -> Element | None:
        """Return the copy of an element that stays, without its children, else None.

        Elements around kept text stay, and so do line breaks and rules. Cells of a table stay even if they are empty,
        so that rows keep their columns. A cell without kept text is copied with its fields: boxes to tick, values.
        """
        if node in self.needed:
            return Element("div" if node in self.unlisted else node.tag, node.attrs, node.namespace)
        is_cell = self._is_cell(node, source)
        if node.tag not in _VOID and not is_cell:
            return None
        child = Element(node.tag, node.attrs, node.namespace)  # type: ignore[arg-type]
        if is_cell:
            for field in islice(nodes_below(node, self.hidden), _MAX_CELL_NODES):  # type: ignore[arg-type]
                if _is_field(field, in_cell=True):
                    child.append(_copy(field))
        return child

    def _is_line(self, element: Element) -> bool:
        """Return whether an element holds kept text or a kept label itself, as a line of a form does."""
        children = element.children[:_MAX_LINE]
        return any(node in self.texts or (node.tag == "label" and node in self.needed) for node in children)

    def _is_cell(self, node: Node, source: Element) -> bool:
        """Return whether an element without kept text in `source` is a cell of a table, by its tag, role or style."""
        if node.tag in _CELLS and source in self.rows:
            return True
        is_arranged = self.arranged.get(node) == CELL  # type: ignore[arg-type]
        return source in self.needed and (is_arranged or role_of(node.attrs) in roles.CELLS)

    def _append_images(self, node: Node, target: Element) -> None:
        """Copy the kept images inside an element without kept text, as a block of their own if that element is one."""
        if node.tag in _BLOCKS and target.tag not in _LINES:
            block = Element("div", {})
            target.append(block)
            target = block
        stack = [node]
        while stack:
            element = stack.pop()
            images = self.images.get(element)
            for image in images or []:
                alternative = image.attrs.get("alt", "").strip()
                caption = self._caption(element)  # type: ignore[arg-type]
                if caption and caption not in alternative:
                    alternative = caption if alternative in caption else f"{alternative}: {caption}"
                target.append(Element("img", {**image.attrs, "alt": alternative, "src": media.image_source(image)}))
            if images is None and element in self.holders:
                stack.extend(reversed(element.children))

    def _caption(self, image: Element) -> str:
        """Return the caption of an image's figure if it is not kept as text, else ""."""
        for figure in around(image, MAX_STEPS):
            if figure.tag == "figure":
                caption = next((child for child in figure.children if child.tag == "figcaption"), None)
                if caption is not None and caption not in self.needed and caption not in self.hidden:
                    nodes = nodes_below(caption, self.hidden)  # type: ignore[arg-type]
                    return " ".join("".join([node.text for node in nodes if node.tag is None]).split())[:MAX_CAPTION]
        return ""


def _is_formula(node: Node) -> bool:
    return node.tag in ("math", "mjx-container") or formulas.is_formula(node.attrs.get("class", ""))


def _is_task_box(node: Node) -> bool:
    """Return whether an element is the box of a task in a list: a checkbox, or the element that Notion draws as one."""
    is_box = node.tag == "input" and node.attrs.get("type", "").lower() == "checkbox"
    is_box = is_box or (node.tag == "div" and node.attrs.get("class", "")[:17] == "checkbox checkbox")
    return is_box and any(element.tag == "li" for element in around(node, _BOX_STEPS))


def _is_field(node: Node, *, in_cell: bool = False) -> bool:
    """Return whether an element shows a value: a filled field, a choice, a bar; in a cell of a table, a box, too."""
    attrs = node.attrs
    if node.tag == "input":
        kind = attrs.get("type", "text").lower()
        return (kind in _SHOWN_TYPES and bool(attrs.get("value"))) or (in_cell and kind in ("checkbox", "radio"))
    return node.tag == "select" or (node.tag in ("meter", "progress") and "value" in attrs)


def _is_wordless_formula(node: Node) -> bool:
    """Return whether an element is a formula without text, or a paragraph with such a formula alone.

    MathJax 4 draws formulas as pictures, KaTeX hides the boxes of its letters.
    """
    for _ in range(MAX_STEPS):
        if node.tag == "mjx-container" or "katex" in node.attrs.get("class", ""):
            return bool(formulas.tex_of(node)[0])  # type: ignore[arg-type]
        if node.tag not in ("p", "span"):
            break
        inside = [child for child in node.children if child.tag is not None or child.text.strip()]
        if len(inside) != 1:
            break
        node = inside[0]
    return False


def _copy(node: Node, signs: Container[Node] = ()) -> Element:
    """Return a copy of an element with all that it holds, hidden and empty parts, too: formulas need them.

    An img inside is left out, because it shows what the MathML beside it says. Those in `signs` are the formula.
    """
    top = Element(node.tag, node.attrs, node.namespace)  # type: ignore[arg-type]
    stack = [(node, top)]
    while stack:
        source, target = stack.pop()
        for child in source.children:
            if child.tag is None:
                target.append(Text(child.text))
            elif isinstance(child, Element) and (child.tag != "img" or child in signs):
                copy = Element(child.tag, child.attrs, child.namespace)
                target.append(copy)
                stack.append((child, copy))
    return top


def _elements_around(nodes: Iterable[Node], known: Container[Element] = ()) -> set[Element]:
    """Return the elements around these nodes, for each node up to the first element in `known`."""
    result: set[Element] = set()
    for node in nodes:
        element = node.parent
        while element is not None and element not in result and element not in known:
            result.add(element)
            element = element.parent
    return result


def text(page: Page, keep: Sequence[bool]) -> str:
    """Return the kept blocks except those of page.headline.

    An empty line separates blocks, a line end the items of a list, a tab the cells of a row.
    """
    parts: list[str] = []
    gutters: dict[Element, bool] = {}
    last = -1
    for i, (block, is_kept) in enumerate(zip(page.blocks, keep)):
        if not is_kept or i in page.headline:
            continue
        if part := (_code(block, gutters) if is_preformatted(page, block) else _plain(block)):
            if parts:
                parts.append(_separator(page, last, block.container))
            parts.append(part)
            last = block.container
    return "".join(parts)


def _code(block: Block, gutters: dict[Element, bool]) -> str:
    """Return the text of a block of code without line numbers, as in the markdown; `gutters` is for _is_in_gutter()."""
    return "".join([node.text for node in block.nodes if not _is_in_gutter(node, gutters)]).strip("\n")


def _is_in_gutter(node: Text, gutters: dict[Element, bool]) -> bool:
    """Return whether a text is a line number or a button: `<pre><span class=lineno>1</span>x = 1`.

    Some highlighters have the numbers in a cell beside the code: `<td class=gutter><pre>1`. `gutters` remembers what
    code.is_gutter() said of each element, which may read all text in it.
    """
    for element in around(node, MAX_STEPS):
        if element not in gutters:
            gutters[element] = code.is_gutter(element)
        if gutters[element]:
            return True
        if element.tag == "pre" and (element.parent is None or element.parent.tag != "td"):
            break
    return False


def _separator(page: Page, last: int, current: int) -> str:
    """Return what separates the blocks of two containers that follow each other."""
    before, after = page.element[last].tag, page.element[current].tag
    if last != current and {before, after} <= _CELLS and page.parent[last] == page.parent[current]:
        return "\t"
    is_line = last != current and before == after and before in ("li", "dd", "dt", "td", "th")
    return "\n" if is_line else "\n\n"


def _plain(block: Block) -> str:
    """Return the text of a block without soft hyphens, and without marks of a page builder unless it has code.

    Readings are in parentheses, as in the markdown: <ruby>東<rt>とう</rt></ruby> -> 東(とう).
    """
    has_reading = "rt" in {element.tag for node in block.nodes for element in around(node, _STEPS_TO_READING)}
    text = (_with_readings(block) if has_reading else block.text).replace("\u00ad", "")
    has_code = "[" in text and any(e.tag == "code" for node in block.nodes for e in around(node, MAX_STEPS))
    return text if has_code else _without_shortcodes(text)


def _with_readings(block: Block) -> str:
    def reading_of(node: Text) -> Element | None:
        return next((element for element in around(node, _STEPS_TO_READING) if element.tag == "rt"), None)

    parts = []
    for reading, nodes in groupby(block.nodes, reading_of):
        text = "".join([node.text for node in nodes])
        parts.append(f"({text.strip()})" if reading is not None and text.strip() else text)
    return " ".join("".join(parts).split())


def _without_shortcodes(text: str) -> str:
    """Return a text without marks of a page builder: `[vc_column width="1/2"]Tea[/vc_column]` -> `Tea`."""
    return _SHORTCODE.sub("", text) if "[" in text and _SURE_SHORTCODE.search(text) else text
