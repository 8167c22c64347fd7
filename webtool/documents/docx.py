"""Word documents (docx) as markdown. In: a Source. Out: a Document.

Headings come from styles and outline levels, lists from numbering, footnotes and endnotes from their parts. Deleted and
hidden text is left out. Specification: ECMA-376 part 1, WordprocessingML (clause 17).
"""

from __future__ import annotations

from webtool import patterns
from webtool.documents import Document, Source
from webtool.documents.archive import Archive
from webtool.documents.docx_styles import Numbering, Styles
from webtool.documents.tree import ListBuilder, Notes, Run, collapse, element, inlines, linkified, markdown, table
from webtool.documents.xmltree import child

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element as XmlElement

    from webtool.documents.archive import Relationship
    from webtool.documents.docx_styles import Paragraph
    from webtool.documents.tree import Child
    from webtool.html.node import Element

_BLOCKS = ("w:p", "w:tbl")
# Contents that are not part of the text: what was deleted or moved away, properties, the second form of a drawing.
_SKIPPED = frozenset(
    (
        "w:del",
        "w:moveFrom",
        "w:pPr",
        "w:rPr",
        "w:tblPr",
        "w:sdtPr",
        "w:sectPr",
        "mc:Fallback",
        "w:instrText",
        "w:delText",
    )
)
_HYPERLINK = patterns.compile(r'(?i)\s*HYPERLINK\s+(?:\\l\s+)?"([^"]*)"')
_SYMBOLS = {0xF0B7: "•", 0xF0A7: "▪", 0xF0FC: "✓", 0xF0E0: "→", 0xF0DF: "←", 0xF0E8: "➔", 0xF06C: "●", 0xF06E: "■"}
_QUOTE = "quote"
_CODE = "code"


def convert(source: Source) -> Document:
    """The document's text with its structure. Raises ExtractFailed for a damaged one."""
    archive = Archive(source)
    part = archive.main_part("word/document.xml")
    reader = _Reader(archive, part)
    body = child(archive.xml(part), "w:body")
    if body is None:
        raise source.failed("has no body")
    text = markdown(reader.blocks(body), source.url)
    bodies = [markdown(reader.note(key), source.url) for key in _all_keys(reader.notes)]
    title = archive.core_title() or reader.title
    return Document(title, reader.notes.markdown(text, bodies), source.kind)


def _all_keys(notes: Notes) -> Iterator[str]:
    """Keys of the notes, those included that a note refers to."""
    done = 0
    while done < len(notes.keys()):
        yield notes.keys()[done]
        done += 1


class _Reader:
    """Blocks of one document. `title` is the first paragraph in the style Title, else the first heading."""

    def __init__(self, archive: Archive, part: str) -> None:
        self._links = archive.relationships(part)
        self._styles = Styles(archive.optional_xml(archive.part_of_kind(part, "styles")))
        self._numbering = Numbering(archive.optional_xml(archive.part_of_kind(part, "numbering")))
        self._note_parts = {
            kind: _note_bodies(archive.optional_xml(archive.part_of_kind(part, f"{kind}s")))
            for kind in ("footnote", "endnote")
        }
        self._note_links: dict[str, dict[str, Relationship]] = {}
        for kind in self._note_parts:
            note_part = archive.part_of_kind(part, f"{kind}s")
            self._note_links[kind] = archive.relationships(note_part) if note_part else {}
        self.notes = Notes()
        self.title = ""
        self._heading = 0

    def note(self, key: str) -> list[Element]:
        """The blocks of a footnote or endnote."""
        kind, _, number = key.partition(" ")
        body = self._note_parts[kind].get(number)
        if body is None:
            return []
        self._links = self._note_links[kind]
        return self.blocks(body)

    def blocks(self, container: XmlElement) -> list[Element]:
        """The blocks of a body, a note or a text box."""
        result: list[Element] = []
        builder: ListBuilder | None = None
        code: list[str] = []
        for block in _blocks_in(container):
            paragraph = self._styles.paragraph(block) if block.tag == "w:p" else None
            if code and (paragraph is None or paragraph.role != _CODE):
                result.append(_code_block(code))
                code = []
            if paragraph is None:
                builder = None
                result.append(self._table(block))
                continue
            if paragraph.role == _CODE:
                builder = None
                code.append("".join(run.text for run in self._runs(block)))
                continue
            builder = self._add_paragraph(block, paragraph, builder, result)
        if code:
            result.append(_code_block(code))
        return result

    def _add_paragraph(
        self, block: XmlElement, paragraph: Paragraph, builder: ListBuilder | None, result: list[Element]
    ) -> ListBuilder | None:
        """Append one paragraph, to the open list where it is an item; return the list that is open then."""
        runs = _trimmed(list(self._runs(block)))
        boxes = [self.blocks(box) for box in _text_boxes(block)]
        if not runs and not boxes:
            return builder  # an empty paragraph between items does not end the list
        level = self._numbering.level(paragraph.number, paragraph.depth)
        if runs and paragraph.heading:
            self._note_title(runs, paragraph)
            result.append(element(f"h{paragraph.heading}", inlines(runs, ("strong",))))
            builder = None
        elif runs and level is not None:
            if builder is None:
                builder = ListBuilder()
            known = len(builder.top)
            builder.add(_linked(runs), paragraph.depth, level.is_ordered, level.next_number())
            result.extend(builder.top[known:])
        elif runs:
            made = element("p", _linked(runs))
            result.append(element("blockquote", [made]) if paragraph.role == _QUOTE else made)
            builder = None
        for box in boxes:
            result.extend(box)
        return builder

    def _note_title(self, runs: list[Run], paragraph: Paragraph) -> None:
        text = collapse("".join(run.text for run in runs))
        if not self.title or (paragraph.is_title and self._heading != 0):
            self.title = text
            self._heading = 0 if paragraph.is_title else paragraph.heading

    def _table(self, block: XmlElement) -> Element:
        """A table; tables in its cells become lines of the cell, as markdown has nothing else."""
        rows: list[list[list[Child]]] = []
        for row in _children_named(block, "w:tr"):
            cells: list[list[Child]] = []
            for cell in _children_named(row, "w:tc"):
                properties = child(cell, "w:tcPr")
                span, merged = _merge(properties)
                content: list[Child] = [] if merged else self._cell(cell)
                cells.extend([content, *([] for _ in range(span - 1))])
            rows.append(cells)
        return table(rows)

    def _cell(self, cell: XmlElement) -> list[Child]:
        children: list[Child] = []
        for paragraph in _paragraphs_in(cell):
            runs = _trimmed(list(self._runs(paragraph)))
            if runs:
                if children:
                    children.append(element("br"))
                children.extend(_linked(runs))
        return children

    def _runs(self, paragraph: XmlElement) -> Iterator[Run]:
        """The text of a paragraph with its formats, without what text boxes in it hold."""
        field: list[str] = []  # for each open complex field its URL, "" where it is no hyperlink
        instruction = ""
        url = ""
        formats: frozenset[str] = frozenset()
        is_hidden = False
        for event, node in _inline_walk(paragraph):
            tag = node.tag
            if event == "close":
                url = "" if tag == "w:hyperlink" else url
                continue
            if tag == "w:r":
                formats, is_hidden = self._styles.formats(node)
            elif tag == "w:hyperlink":
                url = self._target(node.get("r:id"))
            elif tag == "w:fldChar":
                kind = node.get("w:fldCharType")
                if kind == "begin":
                    field.append("")
                    instruction = ""
                elif kind == "separate" and field:
                    field[-1] = _field_url(instruction)
                elif kind == "end" and field:
                    field.pop()
            elif tag == "w:instrText":
                instruction += (node.text or "")[:4000]
            elif not is_hidden:
                text = self._text(node)
                if text:
                    yield Run(text, formats, url or (field[-1] if field else ""))

    def _text(self, node: XmlElement) -> str:
        tag = str(node.tag)
        if tag in ("w:t", "m:t"):
            return node.text or ""
        if tag == "w:sym":
            return _symbol(node.get("w:char", ""))
        if tag in ("w:footnoteReference", "w:endnoteReference"):
            kind = tag[2:-9]
            number = node.get("w:id", "")
            return self.notes.mark(f"{kind} {number}") if number in self._note_parts[kind] else ""
        if tag == "w:br":
            return "" if node.get("w:type") in ("page", "column") else "\n"
        return _CHARACTERS.get(tag, "")

    def _target(self, identity: str | None) -> str:
        link = self._links.get(identity or "")
        return link.target if link and link.is_external else ""


_CHARACTERS = {"w:tab": "\t", "w:cr": "\n", "w:noBreakHyphen": "-", "w:softHyphen": ""}
_ENTERED = frozenset(("w:r", "w:hyperlink"))


def _blocks_in(container: XmlElement) -> Iterator[XmlElement]:
    """Paragraphs and tables, through content controls and the like, in order."""
    stack = [iter(container)]
    while stack:
        for node in stack[-1]:
            if node.tag in _BLOCKS:
                yield node
            elif node.tag not in _SKIPPED:
                stack.append(iter(node))
                break
        else:
            stack.pop()


def _inline_walk(paragraph: XmlElement) -> Iterator[tuple[str, XmlElement]]:
    """Open events for all that may show text, and close events for hyperlinks."""
    stack: list[tuple[XmlElement, Iterator[XmlElement]]] = [(paragraph, iter(paragraph))]
    while stack:
        parent, rest = stack[-1]
        for node in rest:
            tag = node.tag
            if tag == "w:instrText":
                yield "open", node
            elif tag not in _SKIPPED and tag not in ("w:txbxContent", "w:pict"):
                yield "open", node
                if len(node):
                    stack.append((node, iter(node)))
                    break
        else:
            stack.pop()
            if parent.tag in _ENTERED:
                yield "close", parent


def _text_boxes(paragraph: XmlElement) -> list[XmlElement]:
    """The outermost text boxes of a paragraph, each once: the fallback of a drawing holds the same text again."""
    found: list[XmlElement] = []
    stack = [paragraph]
    while stack:
        for node in stack.pop():
            if node.tag == "w:txbxContent":
                found.append(node)
            elif node.tag not in _SKIPPED and len(node):
                stack.append(node)
    return found


def _children_named(parent: XmlElement, tag: str) -> Iterator[XmlElement]:
    """Rows of a table or cells of a row, through content controls, but not those of a table inside."""
    stack = [iter(parent)]
    while stack:
        for node in stack[-1]:
            if node.tag == tag:
                yield node
            elif node.tag in ("w:sdt", "w:sdtContent", "w:customXml", "w:ins"):
                stack.append(iter(node))
                break
        else:
            stack.pop()


def _paragraphs_in(cell: XmlElement) -> Iterator[XmlElement]:
    """All paragraphs of a cell, those of tables inside it too."""
    stack = [iter(cell)]
    while stack:
        for node in stack[-1]:
            if node.tag == "w:p":
                yield node
            elif node.tag not in _SKIPPED:
                stack.append(iter(node))
                break
        else:
            stack.pop()


def _merge(properties: XmlElement | None) -> tuple[int, bool]:
    """How many columns a cell covers, and whether it only goes on with the one above (clause 17.4.17, 17.4.84)."""
    if properties is None:
        return 1, False
    grid = child(properties, "w:gridSpan")
    text = grid.get("w:val", "1") if grid is not None else "1"
    vertical = child(properties, "w:vMerge")
    is_merged = vertical is not None and vertical.get("w:val", "continue") == "continue"
    return (min(int(text), 64) if text.isdigit() and int(text) else 1), is_merged


def _note_bodies(root: XmlElement | None) -> dict[str, XmlElement]:
    """Notes by id, without the separators that are stored as notes."""
    notes = root if root is not None else ()
    return {note.get("w:id", ""): note for note in notes if note.get("w:type", "normal") == "normal"}


def _field_url(instruction: str) -> str:
    match = _HYPERLINK.match(instruction)
    url = match.group(1) if match and "\\l" not in instruction[: match.start(1)] else ""
    return url if "://" in url or url.lower().startswith("mailto:") else ""


def _symbol(code: str) -> str:
    """The character of a symbol font; those of the private use area only where they are known."""
    try:
        number = int(code[:6], 16)
    except ValueError:
        return ""
    if 0xE000 <= number <= 0xF8FF:
        return _SYMBOLS.get(number, "")
    return chr(number) if number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF else ""


def _linked(runs: list[Run]) -> list[Child]:
    """Runs as elements, URLs in plain runs made links."""
    if any("://" in run.text and not run.url for run in runs) and not any(run.formats for run in runs):
        return [
            item for run in runs for item in (inlines([run]) if run.url or "\n" in run.text else linkified(run.text))
        ]
    return inlines(runs)


def _trimmed(runs: list[Run]) -> list[Run]:
    """Runs without white space at the paragraph's ends; none where nothing else is left."""
    while runs and not runs[0].text.strip():
        del runs[0]
    while runs and not runs[-1].text.strip():
        del runs[-1]
    if runs:
        runs[0] = runs[0]._replace(text=runs[0].text.lstrip())
        runs[-1] = runs[-1]._replace(text=runs[-1].text.rstrip())
    return runs


def _code_block(lines: list[str]) -> Element:
    return element("pre", [element("code", ["\n".join(lines)])])
