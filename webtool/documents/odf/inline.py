"""What stands in an OpenDocument paragraph: text in its formats, links, notes' marks, pictures, formulas.

In: text:p or text:h. Out: Runs. Specification: OASIS OpenDocument 1.2 part 1, sections 6 (text), 10.4 (frames).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from webtool.documents import NODE
from webtool.documents.odf.styles import HIDDEN, Styles
from webtool.documents.tree import Notes, Run, alt_text, element, picture, web_url
from webtool.documents.xmltree import child, child_text, integer
from webtool.html.node import Element
from webtool.lean.typing import XmlElement
from webtool.running.budget import Budget

SKIPPED = frozenset((
    "text:tracked-changes", "office:annotation-end", "text:sequence-decls", "office:forms", "text:soft-page-break",
    "presentation:notes", "svg:title", "svg:desc", "text:hidden-text", "text:hidden-paragraph",
))  # fmt: skip
# Shapes, which may hold paragraphs of their own (section 10.3).
SHAPES = frozenset(
    f"draw:{name}"
    for name in (
        "custom-shape", "rect", "ellipse", "circle", "path", "polygon", "polyline", "line", "connector",
        "regular-polygon", "caption", "measure",
    )
)  # fmt: skip
NOTES = ("text:note", "office:annotation")
_MAX_SPACES = 200
_OBJECTS = frozenset((*NOTES, "draw:frame"))
_PASSED_OVER = _OBJECTS | SHAPES | {"text:ruby-text"}


class Inlines:
    """Reads the paragraphs of one document; `object_of` finds what a link to a member of the package stands for."""

    def __init__(
        self, styles: Styles, notes: Notes, object_of: Callable[[str], XmlElement | None], budget: Budget
    ) -> None:
        self._budget = budget
        self._styles = styles
        self._notes = notes
        self._object_of = object_of
        self.note_bodies: dict[str, XmlElement] = {}
        self.hidden_words = 0

    def runs(self, paragraph: XmlElement) -> Iterator[Run]:
        """The text of a paragraph with its formats (section 6.1), but for what is hidden. Raises Spent."""
        is_hidden = HIDDEN in self._styles.formats(paragraph)
        for run in self._runs(paragraph):
            self._budget.take(NODE + len(run.text) + len(run.url))
            if is_hidden or HIDDEN in run.formats:
                self.hidden_words += len(run.text.split())
            else:
                yield run

    def _runs(self, paragraph: XmlElement) -> Iterator[Run]:
        """White space is collapsed as section 6.1.2 says."""
        formats: list[frozenset[str]] = [frozenset()]
        urls = [""]
        was_space = True
        for event, node in _inline_walk(paragraph):
            if isinstance(node, str):
                text, was_space = _collapsed(node, was_space)
                yield Run(text, formats[-1], urls[-1])
            elif event == "close":
                formats.pop()
                urls.pop()
            elif event == "object":
                for run in self.object_runs(node, formats[-1], urls[-1]):
                    was_space = False
                    yield run
            else:
                tag = str(node.tag)
                formats.append(formats[-1] | self._styles.formats(node) if tag == "text:span" else formats[-1])
                urls.append(web_url(node.get("xlink:href", "")) if tag == "text:a" else urls[-1])
                make = _CHARACTERS.get(tag)
                if make:
                    made = make(node)
                    was_space = made[-1] in "\n\t"
                    yield Run(made, formats[-1], urls[-1])

    def object_runs(self, node: XmlElement, formats: frozenset[str] = frozenset(), url: str = "") -> Iterator[Run]:
        """What a note, a comment or a frame leaves in the text: a mark, a formula, a picture."""
        if node.tag != "draw:frame":
            mark = self._mark(node, node if node.tag == "office:annotation" else child(node, "text:note-body"))
            if mark:
                yield Run(mark, formats, url)
            return
        link = child(node, "draw:object")
        root = self._object_of(link.get("xlink:href", "")) if link is not None else None
        if root is not None and root.tag == "math:math":
            made = math(root)
            yield Run(made.text, node=made)
            return
        image = child(node, "draw:image")
        alt = alt_text(child_text(node, "svg:title")) or alt_text(child_text(node, "svg:desc"))
        yield from picture(alt, image.get("xlink:href", "") if image is not None else "", url)

    def _mark(self, node: XmlElement, body: XmlElement | None) -> str:
        if body is None:
            return ""
        key = node.get("text:id") or f"note {len(self.note_bodies)}"
        self.note_bodies[key] = body
        return self._notes.mark(key)


def math(root: XmlElement) -> Element:
    """A MathML document as an element for the markdown renderer."""
    made = element("math")
    stack = [(root, made)]
    while stack:
        source, target = stack.pop()
        for node in source:
            tag, text = str(node.tag).rpartition(":")[2], node.text or ""
            item = element(tag, [text] if text.strip() else (), **node.attrib)
            target.append(item)
            stack.append((node, item))
    return made


_CHARACTERS: dict[str, Callable[[XmlElement], str]] = {
    "text:s": lambda node: " " * min(integer(node.get("text:c"), 1), _MAX_SPACES),
    "text:tab": lambda _node: "\t",
    "text:line-break": lambda _node: "\n",
}


def _inline_walk(paragraph: XmlElement) -> Iterator[tuple[str, XmlElement | str]]:
    """Text as ("text", str), open and close events of the elements around it; notes and frames as ("object", ...), a
    comment on some words behind them."""
    ends = {node.get("office:name") for node in paragraph.iter("office:annotation-end")}
    waiting: dict[str | None, XmlElement] = {}
    if paragraph.text:
        yield "text", paragraph.text
    stack: list[tuple[XmlElement, Iterator[XmlElement]]] = [(paragraph, iter(paragraph))]
    while stack:
        parent, rest = stack[-1]
        for node in rest:
            if node.tag in SKIPPED or node.tag in _PASSED_OVER:
                name = node.get("office:name")
                if node.tag == "office:annotation" and name in ends:
                    waiting[name] = node
                elif node.tag == "office:annotation-end" and name in waiting:
                    yield "object", waiting.pop(name)
                elif node.tag in _OBJECTS:
                    yield "object", node
                if node.tail:
                    yield "text", node.tail
                continue
            yield "open", node
            if node.text and not (node.tag == "text:page-number" and node.text == "<number>"):
                yield "text", node.text
            stack.append((node, iter(node)))
            break
        else:
            stack.pop()
            if stack:
                yield "close", parent
                if parent.tail:
                    yield "text", parent.tail


def _collapsed(text: str, was_space: bool) -> tuple[str, bool]:
    """Text with white space collapsed, and whether it ends in some."""
    made = " ".join(text.split())
    if text[:1].isspace() and made and not was_space:
        made = f" {made}"
    if made and text[-1:].isspace():
        made += " "
    if not made:
        made = "" if was_space or not text else " "
    return made, made.endswith(" ") if made else was_space
