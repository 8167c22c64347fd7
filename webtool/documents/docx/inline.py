"""Read the inline content of Word paragraphs: text, links, note marks, pictures, formulas. In: w:p. Out: Runs.

The XML below a paragraph is walked with an explicit stack. Two states change on the way: the link that is open (from a
w:hyperlink or a field) and the format of the w:r that is open. notes_of() finds the notes of a document,
children_named() the rows and cells of its tables.
Specification: ECMA-376 part 1, clauses 17.3.3 (run content), 17.5.2 (content controls), 17.11 (notes), 17.16 (fields),
20.4 (pictures), 22.1 (formulas).
Tests: tests/documents/test_office.py
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from webtool.documents import NODE_COST, Source, drawings, formulas, unseen
from webtool.documents.archive import Archive, Links
from webtool.documents.docx.styles import RunFormat, Styles, flag
from webtool.documents.runs import Run, alt_text, picture, web_url
from webtool.documents.tree import Notes
from webtool.documents.xmltree import attribute, child, children, integer, outermost
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any, XmlElement

NOTE_KINDS = ("footnote", "endnote", "comment")
FORMULAS = ("m:oMath", "m:oMathPara")
PICTURES = ("w:drawing", "w:pict")
TEXT_BOX = "w:txbxContent"
BLOCKS = ("w:p", "w:tbl", "w:altChunk")
DRAWN = (TEXT_BOX, *drawings.GRAPHICS)
_LINKS = ("w:hyperlink", "w:fldSimple")
# Elements that are not part of the text: deletions, moves, properties, and w:rt, which is the pronunciation above East
# Asian text.
SKIPPED = frozenset((
    "w:del", "w:moveFrom", "w:pPr", "w:rPr", "w:tblPr", "w:sdtPr", "w:sectPr", "w:instrText", "w:delText", "w:rt",
))  # fmt: skip
_HYPERLINK = patterns.compile(r'(?i)\s*HYPERLINK\s+(?:\\l\s+)?"([^"]*)"')
_SYMBOLS = {0xF0B7: "•", 0xF0A7: "▪", 0xF0FC: "✓", 0xF0E0: "→", 0xF0DF: "←", 0xF0E8: "➔", 0xF06C: "●", 0xF06E: "■"}
_CHARACTERS = {"w:tab": "\t", "w:ptab": "\t", "w:br": "\n", "w:cr": "\n", "w:noBreakHyphen": "-", "w:softHyphen": ""}
_MAX_INSTRUCTION = 4000  # characters of a field's instruction; the rest is ignored
_MAX_PICTURE_NODES = 200  # searched for a picture's text: a drawing may hold a text box with the rest of the document


class Inlines:
    """Reads the paragraphs of one part of the package.

    `links` are the part's relationships, `note_parts` the notes by kind. `background` is the colour behind the next
    paragraphs, "" if unknown; `doubtful_words` counts white words on an unknown background. Words that are deleted or
    not seen are counted by the source.
    """

    def __init__(
        self, styles: Styles, notes: Notes, note_parts: dict[str, NotePart], links: Links, source: Source
    ) -> None:
        self._source = source
        self.links = links
        self.background = unseen.PAGE
        self.doubtful_words = 0
        self._styles = styles
        self._notes = notes
        self._note_parts = note_parts

    def runs(self, paragraph: XmlElement) -> Iterator[Run]:
        """Yield a paragraph's text with formats, without the text boxes in it. Raises Spent."""
        fields = _Fields()
        url = ""
        look = self._styles.look(paragraph)
        run_format = RunFormat(frozenset())
        for event, node in _inline_walk(paragraph):
            tag = node.tag
            if event == "close":
                url = ""
            elif tag == "w:r":
                run_format = self._styles.run_format(node, look, self.background)
            elif tag == "w:hyperlink":
                url = self.links.url(node.get("r:id"))
            elif tag == "w:fldSimple":
                url = field_url(node.get("w:instr", ""))
            elif event == "deleted":
                self.hide_deleted(node)
            elif run_format.hidden and tag == "w:t":
                self._source.hide(len((node.text or "").split()), run_format.hidden)
            elif fields.consume(node):
                if tag == "w:fldChar" and not run_format.hidden and (value := _form_value(node)):
                    yield Run(value, run_format.formats)
            elif tag in FORMULAS:
                yield from self._formula(node, look)
            elif not run_format.hidden:
                if run_format.is_doubtful and tag == "w:t":
                    self.doubtful_words += len((node.text or "").split())
                target = url or fields.url
                is_picture = tag in PICTURES
                content = (
                    self._picture(node, target) if is_picture else [Run(self._text(node), run_format.formats, target)]
                )
                for run in content:
                    if run.text:
                        self._source.budget.take(NODE_COST + len(run.text) + len(run.url))
                        yield run

    def hide_deleted(self, node: XmlElement) -> None:
        """Count the words of the deletions in an element."""
        words = sum(len((item.text or "").split()) for item in node.iter("w:delText"))
        self._source.hide(words, unseen.DELETED)

    def _formula(self, node: XmlElement, look: dict[str, Any]) -> Iterator[Run]:
        """Yield a formula without its hidden runs (m:r), in a paragraph with this look. Raises Spent."""
        for part in node.iter("m:r"):
            hidden = self._styles.run_format(part, look, self.background).hidden
            for text in part.iter("m:t") if hidden else ():
                self._source.hide(len((text.text or "").split()), hidden)
                text.text = ""
        if any(text.strip() for text in node.itertext()):
            formula = formulas.math(node, node.tag == "m:oMathPara")
            self._source.budget.take(NODE_COST + len(formula.text))
            yield Run(formula.text, node=formula)

    def _text(self, node: XmlElement) -> str:
        """Return the text of an element that has no children: characters, a symbol, a note's mark, a line break."""
        tag = str(node.tag)
        if tag == "w:t":
            return node.text or ""
        if tag in ("w:sym", "w16se:symEx"):  # the second one is an emoji (MS-DOCX 2.5.4)
            return symbol(node.get("w:char", node.get("w16se:char", "")))
        if tag in ("w:footnoteReference", "w:endnoteReference", "w:commentReference"):
            kind = tag.removeprefix("w:").removesuffix("Reference")
            number = node.get("w:id", "")
            return self._notes.mark(f"{kind} {number}") if number in self._note_parts[kind].bodies else ""
        return _CHARACTERS.get(tag, "")

    def _picture(self, node: XmlElement, url: str) -> Iterator[Run]:
        """Yield a picture between spaces; for a text box in the line a space, which separates the words beside it."""
        parts = list(islice(node.iter(), _MAX_PICTURE_NODES))
        alt = next((item.get("descr", "") for item in parts if item.tag == "wp:docPr"), "")
        alt = alt_text(alt or next((item.get("alt", "") for item in parts if item.tag == "v:shape"), ""))
        blip = next((item for item in parts if item.tag == "a:blip"), node)
        source = self.links.url(blip.get("r:link"))
        if alt or source:
            yield from (Run(" "), *picture(alt, source, url), Run(" "))
        elif any(item.tag == "wp:inline" for item in parts) and any(item.tag == TEXT_BOX for item in parts):
            yield Run(" ")


class _Fields:
    """Tracks complex fields (clause 17.16.18): begin, the instruction, separate, the result, end."""

    def __init__(self) -> None:
        self._urls: list[str] = []  # link targets of the open fields; "" if a field is not a link
        self._instruction = ""

    @property
    def url(self) -> str:
        """The link target of the innermost open field, or ""."""
        return self._urls[-1] if self._urls else ""

    def consume(self, node: XmlElement) -> bool:
        """Update the state by an element; return whether it delimits or instructs a field, so that it has no text."""
        if node.tag == "w:instrText":
            self._instruction = (self._instruction + (node.text or ""))[:_MAX_INSTRUCTION]
        elif node.tag != "w:fldChar":
            return False
        kind = node.get("w:fldCharType")
        if kind == "begin":
            self._urls.append("")
            self._instruction = ""
        elif kind == "separate" and self._urls:
            self._urls[-1] = field_url(self._instruction)
        elif kind == "end" and self._urls:
            self._urls.pop()
        return True


def _form_value(node: XmlElement) -> str:
    """Return what a form field shows: a check box as ☐ or ☑, the chosen entry of a drop-down list; "" for others."""
    box, choices = child(node, "w:ffData", "w:checkBox"), child(node, "w:ffData", "w:ddList")
    if box is not None:
        state = child(box, "w:checked")
        return "☑" if flag(state if state is not None else child(box, "w:default")) else "☐"
    if choices is None:
        return ""
    entries = children(choices, "w:listEntry")
    index = integer(attribute(choices, "w:result", "w:val"))
    return entries[index].get("w:val", "") if index < len(entries) else ""


def field_url(instruction: str) -> str:
    """Return the web page that a field links to: `HYPERLINK "http://e.example/"`; "" for all other fields."""
    match = _HYPERLINK.match(instruction)
    return web_url(match.group(1)) if match and "\\l" not in instruction[: match.start(1)] else ""


def symbol(code: str) -> str:
    """Return the character of a symbol font's hexadecimal code; "" if it is private and its shape is unknown."""
    try:
        number = int(code[:6], 16)
    except ValueError:
        return ""
    if 0xE000 <= number <= 0xF8FF:  # the private use area
        return _SYMBOLS.get(number, "")
    return chr(number) if 0 <= number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF else ""


class NotePart(NamedTuple):
    """The notes of one kind, by id, and the relationships of the part that they are in."""

    bodies: dict[str, XmlElement]
    links: Links


def notes_of(archive: Archive, related: Links) -> dict[str, NotePart]:
    """Return footnotes, endnotes and comments by kind, without the separator lines that are stored as notes."""
    parts: dict[str, NotePart] = {}
    for kind in NOTE_KINDS:
        name = related.first(f"{kind}s")
        root = archive.side_xml(name)
        items = [item for item in root if item.get("w:type", "normal") == "normal"] if root is not None else []
        links = archive.relationships(name) if name and items else Links()
        parts[kind] = NotePart({item.get("w:id", ""): item for item in items}, links)
    return parts


def _inline_walk(paragraph: XmlElement) -> Iterator[tuple[str, XmlElement]]:
    """Yield ("open", node) for each element, except those in SKIPPED and those in formulas, pictures and text boxes.

    ("close", node) follows the content of a link; ("deleted", node) stands for a w:del.
    """
    stack: list[tuple[XmlElement, Iterator[XmlElement]]] = [(paragraph, iter(paragraph))]
    while stack:
        parent, rest = stack[-1]
        for node in rest:
            tag = node.tag
            if tag in SKIPPED and tag != "w:instrText":
                if tag == "w:del":
                    yield "deleted", node
                continue
            yield "open", node
            if len(node) and tag not in FORMULAS and tag not in PICTURES and tag != TEXT_BOX:
                stack.append((node, iter(node)))
                break
        else:
            stack.pop()
            if parent.tag in _LINKS:
                yield "close", parent


def children_named(parent: XmlElement, tag: str) -> Iterator[XmlElement]:
    """Yield the rows of a table or the cells of a row, also those in content controls, but not of tables in cells."""
    return outermost(parent, (tag,), ("w:sdt", "w:sdtContent", "w:customXml", "w:ins"))
