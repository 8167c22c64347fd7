"""What stands in a Word paragraph: text in its formats, links, notes' marks, pictures, formulas. In: w:p. Out: Runs.

The notes of a document, and ways through its elements, are here too.
Specification: ECMA-376 part 1, clauses 17.3.3 (run content), 17.5.2 (content controls), 17.11 (notes), 17.16 (fields),
20.4 (pictures), 22.1 (formulas).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import islice

from webtool.documents import NODE, office_math
from webtool.documents.archive import Archive, Links
from webtool.documents.charts import GRAPHICS
from webtool.documents.docx.styles import Styles, flag
from webtool.documents.tree import ALT_TEXT, Notes, Run, alt_text, picture, web_url
from webtool.documents.xmltree import child, children, integer, outermost
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.lean.typing import XmlElement
from webtool.running.budget import Budget

NOTE_KINDS = ("footnote", "endnote", "comment")
FORMULAS = ("m:oMath", "m:oMathPara")
PICTURES = ("w:drawing", "w:pict")
TEXT_BOX = "w:txbxContent"
BLOCKS = ("w:p", "w:tbl", "w:altChunk")
DRAWN = (TEXT_BOX, *GRAPHICS)
_LINKS = ("w:hyperlink", "w:fldSimple")
# Contents that are not part of the text: what was deleted or moved away, properties, the second form of a drawing,
# how to pronounce what it stands above.
SKIPPED = frozenset((
    "w:del", "w:moveFrom", "w:pPr", "w:rPr", "w:tblPr", "w:sdtPr", "w:sectPr", "mc:Fallback", "w:instrText",
    "w:delText", "w:rt",
))  # fmt: skip
_HYPERLINK = patterns.compile(r'(?i)\s*HYPERLINK\s+(?:\\l\s+)?"([^"]*)"')
_SYMBOLS = {0xF0B7: "•", 0xF0A7: "▪", 0xF0FC: "✓", 0xF0E0: "→", 0xF0DF: "←", 0xF0E8: "➔", 0xF06C: "●", 0xF06E: "■"}
_CHARACTERS = {"w:tab": "\t", "w:cr": "\n", "w:noBreakHyphen": "-", "w:softHyphen": ""}
_MAX_INSTRUCTION = 4000
_PICTURE_NODES = 200  # a drawing may hold a text box with all the rest of the document in it


class Inlines:
    """Reads the paragraphs of one part; `links` are its relationships, `known` the notes that there are, by kind."""

    def __init__(
        self, styles: Styles, notes: Notes, known: Mapping[str, Collection[str]], links: Links, budget: Budget
    ) -> None:
        self._budget = budget
        self.links = links
        self._styles = styles
        self._notes = notes
        self._known = known
        self.unseen = 0  # words that are deleted or hidden

    def runs(self, paragraph: XmlElement) -> Iterator[Run]:
        """The text of a paragraph with its formats, without what text boxes in it hold. Raises Spent."""
        fields = _Fields()
        url = ""
        formats: frozenset[str] = frozenset()
        is_hidden = False
        for event, node in inline_walk(paragraph):
            tag = node.tag
            if event == "close":
                url = "" if tag in ("w:hyperlink", "w:fldSimple") else url
            elif tag == "w:r":
                formats, is_hidden = self._styles.formats(node)
            elif tag == "w:hyperlink":
                url = self.links.url(node.get("r:id"))
            elif tag == "w:fldSimple":
                url = field_url(node.get("w:instr", ""))
            elif event == "deleted":
                self.unseen += sum(len((item.text or "").split()) for item in node.iter("w:delText"))
            elif is_hidden and tag == "w:t":
                self.unseen += len((node.text or "").split())
            elif fields.take(node):
                if tag == "w:fldChar" and not is_hidden and (value := _form_value(node)):
                    yield Run(value, formats)
            elif not is_hidden:
                for run in self._content(node, formats, url or fields.url):
                    self._budget.take(NODE + len(run.text) + len(run.url))
                    yield run

    def _content(self, node: XmlElement, formats: frozenset[str], url: str) -> Iterator[Run]:
        if node.tag in FORMULAS:
            made = office_math.math(node, node.tag == "m:oMathPara")
            yield Run(made.text, node=made)
        elif node.tag in PICTURES:
            yield from self._picture(node, url)
        else:
            text = self._text(node)
            if text:
                yield Run(text, formats, url)

    def _text(self, node: XmlElement) -> str:
        tag = str(node.tag)
        if tag == "w:t":
            return node.text or ""
        if tag == "w:sym":
            return symbol(node.get("w:char", ""))
        if tag in ("w:footnoteReference", "w:endnoteReference", "w:commentReference"):
            kind = tag[2:-9]
            number = node.get("w:id", "")
            return self._notes.mark(f"{kind} {number}") if number in self._known[kind] else ""
        if tag == "w:br":
            return "" if node.get("w:type") in ("page", "column") else "\n"
        return _CHARACTERS.get(tag, "")

    def _picture(self, node: XmlElement, url: str) -> Iterator[Run]:
        """A picture, or the space that it parts words with."""
        parts = list(islice(node.iter(), _PICTURE_NODES))
        alt = next((item.get("descr", "") for item in parts if item.tag == "wp:docPr"), "")
        alt = alt_text(alt or next((item.get("alt", "") for item in parts if item.tag == "v:shape"), ""))
        blip = next((item for item in parts if item.tag == "a:blip"), node)
        source = self.links.url(blip.get("r:link"))
        if alt or source:
            yield from (Run(" "), *picture(alt, source, url), Run(" "))
        elif any(item.tag == "wp:inline" for item in parts) and any(item.tag == TEXT_BOX for item in parts):
            yield Run(" ")  # text boxes that stand in the line part its words


class _Fields:
    """Complex fields (clause 17.16.18): between begin and separate stands the instruction, then its result."""

    def __init__(self) -> None:
        self._urls: list[str] = []
        self._instruction = ""

    @property
    def url(self) -> str:
        """What the innermost open field links to, or ""."""
        return self._urls[-1] if self._urls else ""

    def take(self, node: XmlElement) -> bool:
        """Whether an element is part of a field's frame, which shows nothing."""
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
    """The state of a check box, or what is chosen of a list (clauses 17.16.7 and 17.16.9); "" for other fields."""
    box, choices = child(node, "w:ffData", "w:checkBox"), child(node, "w:ffData", "w:ddList")
    if box is not None:
        state = child(box, "w:checked")
        return "☑" if flag(state if state is not None else child(box, "w:default")) else "☐"
    if choices is None:
        return ""
    chosen = child(choices, "w:result")
    entries = children(choices, "w:listEntry")
    at = integer(chosen.get("w:val")) if chosen is not None else 0
    return entries[at].get("w:val", "") if at < len(entries) else ""


def field_url(instruction: str) -> str:
    """What a field with this instruction links to on the web; "" for others."""
    match = _HYPERLINK.match(instruction)
    return web_url(match.group(1)) if match and "\\l" not in instruction[: match.start(1)] else ""


def symbol(code: str) -> str:
    """The character of a symbol font; those of the private use area only where they are known."""
    try:
        number = int(code[:6], 16)
    except ValueError:
        return ""
    if 0xE000 <= number <= 0xF8FF:
        return _SYMBOLS.get(number, "")
    return chr(number) if number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF else ""


def trimmed(runs: list[Run]) -> list[Run]:
    """Runs without white space at the paragraph's ends; none where nothing else is left."""
    while runs and not runs[0].text.strip():
        del runs[0]
    while runs and not runs[-1].text.strip():
        del runs[-1]
    if runs:
        runs[0] = runs[0]._replace(text=runs[0].text.lstrip())
        runs[-1] = runs[-1]._replace(text=runs[-1].text.rstrip())
    return runs


def is_picture(runs: list[Run]) -> bool:
    """Whether there is nothing but what is said of pictures."""
    return all(run.formats is ALT_TEXT or not run.text.strip() for run in runs)


class Part(NamedTuple):
    """Elements of one part of the package and what they may link to. `bodies` are by id."""

    bodies: dict[str, XmlElement]
    links: Links


def notes_of(archive: Archive, related: Links) -> dict[str, Part]:
    """Footnotes, endnotes and comments, without the separators that are stored as notes."""
    found: dict[str, Part] = {}
    for kind in NOTE_KINDS:
        name = related.first(f"{kind}s")
        root = archive.optional_xml(name)
        items = [item for item in (root if root is not None else ()) if item.get("w:type", "normal") == "normal"]
        links = archive.relationships(name) if name and items else Links()
        found[kind] = Part({item.get("w:id", ""): item for item in items}, links)
    return found


def inline_walk(paragraph: XmlElement) -> Iterator[tuple[str, XmlElement]]:
    """Open events for all that may show something, close events for links, deleted ones for what was deleted.

    Formulas and pictures are not entered.
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
    """Rows of a table or cells of a row, through content controls, but not those of a table inside."""
    return outermost(parent, (tag,), ("w:sdt", "w:sdtContent", "w:customXml", "w:ins"))
