"""Read OpenDocument paragraphs. In: text:p or text:h. Out: Runs.

A paragraph has text, links, note marks, pictures and formulas. Its elements are walked with an explicit stack; formats
and links are those of all open elements. White space is collapsed as in HTML.
Specification: OASIS OpenDocument 1.2 part 1, sections 6 (text), 10.4 (frames).
Tests: tests/documents/test_office.py, tests/documents/test_beside_the_text.py, tests/documents/test_bounds.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from webtool.documents import NODE_COST, Source, unseen
from webtool.documents.odf.styles import LOOK, Styles, reason_of
from webtool.documents.runs import Run, alt_text, picture, web_url
from webtool.documents.tree import Notes, element
from webtool.documents.xmltree import attribute, child, child_text, integer, outermost
from webtool.html.node import Element
from webtool.lean.typing import XmlElement

# Elements that are not part of the text.
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
_WHITE_SPACE = {"text:tab": "\t", "text:line-break": "\n"}
_MAX_SPACES = 200  # of one text:s element, which gives their number; more are dropped
_OBJECTS = frozenset((*NOTES, "draw:frame"))  # elements that object_runs() represents in the text
_NOT_WALKED = SKIPPED | _OBJECTS | SHAPES | {"text:ruby-text"}


class Inlines:
    """Reads the paragraphs of one document.

    `object_of` returns the root of an embedded object by its link. `note_bodies` are the notes so far by the keys of
    their marks. Callers set `is_on_page` to False for paragraphs that may be on a colour, as in cells, and to True if
    the white page is behind them. The source counts the words that are not seen.
    """

    def __init__(
        self, styles: Styles, notes: Notes, object_of: Callable[[str], XmlElement | None], source: Source
    ) -> None:
        self._source = source
        self.is_on_page = False
        self._styles = styles
        self._notes = notes
        self._object_of = object_of
        self.note_bodies: dict[str, XmlElement] = {}

    def runs(self, paragraph: XmlElement) -> Iterator[Run]:
        """Yield a paragraph's text with formats (section 6.1), without hidden text. Raises Spent."""
        if _is_hidden(paragraph):
            texts = [node for _, node in _inline_walk(paragraph) if isinstance(node, str)]
            self._source.hide(sum(len(text.split()) for text in texts), unseen.MARKED)
            return
        for run in self._runs(paragraph):
            self._source.budget.take(NODE_COST + len(run.text) + len(run.url))
            reason = reason_of(run.formats, self.is_on_page)
            if reason:
                self._source.hide(len(run.text.split()), reason)
            elif run.formats.isdisjoint(LOOK):
                yield run
            else:  # without its look: runs.linked() finds URLs in texts without formats only
                yield run._replace(formats=run.formats.difference(LOOK))

    def _runs(self, paragraph: XmlElement) -> Iterator[Run]:
        """Yield all runs of a paragraph, hidden ones too; white space is collapsed (section 6.1.2)."""
        own = self._styles.formats(paragraph.get("text:style-name", ""))[0]
        formats: list[frozenset[str]] = [own & frozenset(LOOK)]
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
                style = node.get("text:style-name", "") if tag == "text:span" else ""
                on, off = self._styles.formats(style) if style else (frozenset(), frozenset())
                formats.append((formats[-1] | on) - off)
                urls.append(web_url(node.get("xlink:href", "")) if tag == "text:a" else urls[-1])
                text = _WHITE_SPACE.get(tag, "")
                if tag == "text:s":
                    text = " " * min(integer(node.get("text:c"), 1), _MAX_SPACES)
                if text:
                    was_space = False
                    yield Run(text, formats[-1], urls[-1])

    def object_runs(self, node: XmlElement, formats: frozenset[str] = frozenset(), url: str = "") -> Iterator[Run]:
        """Yield what represents an object in the text: a note's or comment's mark, a formula, a picture."""
        if node.tag != "draw:frame":
            mark = self._mark(node, node if node.tag == "office:annotation" else child(node, "text:note-body"))
            if mark:
                yield Run(mark, formats, url)
            return
        link = child(node, "draw:object")
        root = self._object_of(link.get("xlink:href", "")) if link is not None else None
        if root is not None and root.tag == "math:math":
            formula = math(root)
            yield Run(formula.text, node=formula)
            return
        alt = alt_text(child_text(node, "svg:title")) or alt_text(child_text(node, "svg:desc"))
        yield from picture(alt, attribute(node, "draw:image", "xlink:href"), url)

    def _mark(self, node: XmlElement, body: XmlElement | None) -> str:
        """Register a note and return its mark; "" without a body."""
        if body is None:
            return ""
        key = node.get("text:id") or f"note {len(self.note_bodies)}"
        self.note_bodies[key] = body
        return self._notes.mark(key)


def math(root: XmlElement) -> Element:
    """Return a MathML document as an HTML element."""
    formula = element("math")
    stack = [(root, formula)]
    while stack:
        source, target = stack.pop()
        for node in source:
            tag, text = str(node.tag).rpartition(":")[2], node.text or ""
            item = element(tag, [text] if text.strip() else (), **node.attrib)
            target.append(item)
            stack.append((node, item))
    return formula


def _is_hidden(paragraph: XmlElement) -> bool:
    """Return whether a field hides a paragraph; as in LibreOffice, a second field can show it again.

    A field in a note or a text box hides only the paragraph in it.
    """
    fields = outermost(paragraph, ("text:hidden-paragraph",), skipped=_NOT_WALKED)
    hides = [field.get("text:is-hidden") == "true" for field in fields]
    return any(hides) and all(hides)


def _inline_walk(paragraph: XmlElement) -> Iterator[tuple[str, XmlElement | str]]:
    """Yield ("text", string), ("open" or "close", node), ("object", node); a range's comment comes at its end."""
    ends = {node.get("office:name") for node in paragraph.iter("office:annotation-end")}
    waiting: dict[str | None, XmlElement] = {}  # comments by name, until their ranges end
    if paragraph.text:
        yield "text", paragraph.text
    stack: list[tuple[XmlElement, Iterator[XmlElement]]] = [(paragraph, iter(paragraph))]
    while stack:
        parent, rest = stack[-1]
        for node in rest:
            if node.tag in _NOT_WALKED:
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
    """Collapse white space; return the text, and whether it ends in a space. `was_space`: so does the text before."""
    if not text:
        return "", was_space
    before = " " if text[0].isspace() and not was_space else ""
    words = " ".join(text.split())
    if not words:
        return before, True
    after = " " if text[-1].isspace() else ""
    return f"{before}{words}{after}", bool(after)
