"""Convert Word documents (docx) to markdown. In: a Source. Out: a Document.

Styles and outline levels give headings, numbering gives lists, and the parts for footnotes, endnotes and comments give
notes. Formulas become TeX. Pictures become their text alternatives. Deleted and hidden text is left out and counted.
styles.py says what a paragraph is, inline.py reads what is in it; this module makes blocks.
Specification: ECMA-376 part 1, WordprocessingML (clause 17).
Tests: tests/documents/test_office.py
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.documents import NODE_COST, Document, Source, convert_source, drawings, kind_of, runs, tree
from webtool.documents.archive import Archive
from webtool.documents.docx.inline import BLOCKS, DRAWN, SKIPPED, TEXT_BOX, Inlines, children_named, notes_of
from webtool.documents.docx.styles import CONTINUATION, Level, Numbering, Paragraph, Styles, fill_of
from webtool.documents.xmltree import TRUE, attribute, child, children, integer, outermost
from webtool.errors import ExtractFailed, counted
from webtool.html import parse_html
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.patterns import Match
from webtool.lean.typing import XmlElement
from webtool.markdown import to_markdown
from webtool.running.budget import Spent

_HTML_SUFFIXES = (".htm", ".html", ".xhtml")
_IMPORT_MARK = "\ue0f2{}\ue0f3"  # in the text, the place of an imported file until its markdown is inserted
_IMPORT_MARKS = patterns.compile(_IMPORT_MARK.replace("{}", r"(\d{1,9})") + r"(\n*)")
_MAX_SPAN = 64  # columns of one cell; Word has 63
_MAX_IMPORT_DEPTH = 3  # documents imported into each other; deeper ones are left out with a note
_MAX_HEADERS = 60  # header parts that are read: three for each of twenty sections


def convert(source: Source) -> Document:
    """Convert the document. Raises ExtractFailed if it is damaged."""
    return _convert(source, _MAX_IMPORT_DEPTH)


def _convert(source: Source, import_depth: int) -> Document:
    """Convert the document; files that it imports may import others, `import_depth` levels deep."""
    archive = Archive(source)
    title = archive.core_title()
    part = archive.main_part("word/document.xml")
    reader = _Reader(archive, part, source)
    root = archive.xml(part)
    bodies = children(root, "w:body")  # some programs write several
    if not bodies:
        raise source.failed("has no body")
    reader.check_background(root)
    headers = reader.headers("header")
    reader.title = ""  # the title is in the body, not in a header, a footer or a note
    blocks = [block for body in bodies for block in reader.blocks(body)]
    title = title or reader.title
    text = reader.notes.markdown([*headers, *blocks, *reader.headers("footer")], reader.note, source.url)
    note_count = len(reader.notes)
    imported: list[str] = []
    for name in reader.imports:
        markdown, note_count = tree.renumbered(_imported(source, archive, name, import_depth).strip("\n"), note_count)
        imported.append(markdown)

    def insert(mark: Match[str]) -> str:
        number = int(mark[1])
        markdown = imported[number] if number < len(imported) else ""
        if not markdown:
            return ""
        imported[number] = ""  # a file is inserted once: the document's own text may repeat the mark
        return f"{markdown}{mark[2]}"

    if imported:
        text = _IMPORT_MARKS.sub(insert, text).strip("\n")
        text = f"{text}\n" if text else ""
    if reader.inlines.doubtful_words:
        words = counted(reader.inlines.doubtful_words, "word")
        source.add_note(f"Perhaps hidden: {words} in white, on a background that is not known.")
    return Document(title, text, source.kind)


def _imported(source: Source, archive: Archive, name: str | None, import_depth: int) -> str:
    """Return the markdown of a file that Word imports when it opens the document (clause 17.17.2.1), else ""."""
    body = archive.read(name)[0] if name and name in archive else b""
    kind = kind_of(body, "text/html" if (name or "").lower().endswith(_HTML_SUFFIXES) else None, name or "")
    if body and kind == "html":
        return to_markdown(parse_html(body), budget=source.budget)
    inner = source._replace(body=body, kind=kind, content_type=None)
    try:
        if kind == "docx" and import_depth:
            return _convert(inner, import_depth - 1).markdown
        if body and kind in ("mail", "rtf", "text"):
            return convert_source(inner).markdown
    except ExtractFailed:
        pass
    source.leave_out(1, "embedded document")
    return ""


class _Reader:
    """Reads the blocks of one document. `title` is the first paragraph in the style Title, else the first heading.

    `imports` are the names of files to import, None for one that is missing; _IMPORT_MARK with the index of each is in
    the text.
    """

    def __init__(self, archive: Archive, part: str, source: Source) -> None:
        self._links = archive.relationships(part)
        self._styles = Styles(archive.side_xml(self._links.first("styles")))
        self._numbering = Numbering(archive.side_xml(self._links.first("numbering")))
        self._archive = archive
        self._budget = source.budget
        self._note_parts = notes_of(archive, self._links)
        self.notes = tree.Notes()
        self.inlines = Inlines(self._styles, self.notes, self._note_parts, self._links, source)
        self.imports: list[str | None] = []
        # The background of paragraphs of the body, see Inlines.background.
        self._page_background = self.inlines.background
        self.title = ""
        self._title_level = 0  # 0 for the style Title, else the level of the heading that is the title
        # What the next paragraph begins with: a drop cap, or text whose paragraph mark is deleted (clause 17.13.5.15).
        self._begun: list[runs.Run] = []

    def check_background(self, root: XmlElement) -> None:
        """Count the background as unknown if a part has a page colour, or a picture behind its text."""
        is_behind = any(item.get("behindDoc") in TRUE for item in root.iter("wp:anchor"))
        if is_behind or child(root, "w:background") is not None:
            self._page_background = self.inlines.background = ""

    def note(self, key: str) -> list[Element]:
        """Return the blocks of a footnote, an endnote or a comment; a comment starts with its author."""
        kind, _, number = key.partition(" ")
        part = self._note_parts[kind]
        body = part.bodies[number]
        self.inlines.links = part.links
        blocks = self.blocks(body)
        return tree.comment(body.get("w:author", ""), blocks) if kind == "comment" else blocks

    def headers(self, kind: str) -> list[Element]:
        """Return the blocks at the top ("header") or the bottom ("footer") of the pages, each text once."""
        headers = []
        for name in self._links.of_kind(kind)[:_MAX_HEADERS]:
            root = self._archive.side_xml(name, is_kept=False)
            if root is not None:
                self.check_background(root)
                self.inlines.links = self._archive.relationships(name)
                headers.append(self.blocks(root))
        self.inlines.links = self._links
        return tree.distinct_headers(headers)

    def blocks(self, container: XmlElement) -> list[Element]:
        """Return the blocks of a body, a note or a text box; those so far if the budget ends."""
        builder = tree.BlockBuilder()
        begun_around, self._begun = self._begun, []  # a text box is inside another paragraph
        try:
            self._add_blocks(builder, container)
        except Spent:
            pass  # the budget's note tells the reader
        self._end_begun(builder)
        self._begun = begun_around
        return builder.blocks

    def _end_begun(self, builder: tree.BlockBuilder) -> None:
        """Add what waits for the next paragraph: none follows."""
        if runs.trimmed(self._begun):
            builder.add_block(tree.element("p", runs.linked(self._begun)))
        self._begun = []

    def _add_blocks(self, builder: tree.BlockBuilder, container: XmlElement) -> None:
        """Add the paragraphs, tables and imported files of a container. Raises Spent."""
        for block in outermost(container, BLOCKS, skipped=SKIPPED):
            self._budget.take(NODE_COST)
            if block.tag != "w:p":
                self._end_begun(builder)
            if block.tag == "w:altChunk":
                builder.add_block(tree.element("p", [_IMPORT_MARK.format(len(self.imports))]))
                self.imports.append(self._links.part(block.get("r:id")))
            elif block.tag == "w:tbl":
                # A table inside a cell becomes lines of the cell, as markdown cannot nest tables.
                own_background = self._styles.table_background(block)
                background = self._page_background if own_background is None else own_background
                builder.add_block(tree.table(self._cells(row, background) for row in self._rows(block)))
                self.inlines.background = self._page_background
            else:
                self._add_paragraph(builder, block)

    def _add_paragraph(self, builder: tree.BlockBuilder, block: XmlElement) -> None:
        """Add a paragraph, then the text boxes, charts and diagrams in it. Raises Spent."""
        paragraph = self._styles.paragraph(block)
        level = self._numbering.level(paragraph.number, paragraph.level)
        if paragraph.role == tree.CODE:
            self._end_begun(builder)
            line = "".join(run.text for run in self.inlines.runs(block))
            builder.add_code(line, paragraph.depth if level is not None and level.form.is_blank else None)
        else:
            content = list(self.inlines.runs(block))
            # A drop cap is a large first letter in a paragraph of its own: its word continues in the next one.
            is_drop_cap = attribute(block, "w:pPr", "w:framePr", "w:dropCap", default="none") != "none"
            self._begun.extend(runs.trimmed(content) if is_drop_cap else content)
            mark = child(block, "w:pPr", "w:rPr")
            is_mark_gone = child(mark, "w:del") is not None or child(mark, "w:moveFrom") is not None
            if not is_drop_cap and not is_mark_gone:
                content, self._begun = runs.trimmed(self._begun), []
                if content:
                    self._add_text(builder, content, paragraph, level)
        for node in outermost(block, DRAWN, skipped=SKIPPED):
            if node.tag == TEXT_BOX:
                page_background = self._page_background
                self._page_background = self.inlines.background = ""  # a shape may have a fill
                builder.blocks.extend(self.blocks(node))
                self._page_background = self.inlines.background = page_background
            else:
                builder.blocks.extend(drawings.graphic(node, self._archive, self.inlines.links, self._budget))

    def _add_text(
        self, builder: tree.BlockBuilder, content: list[runs.Run], paragraph: Paragraph, level: Level | None
    ) -> None:
        """Add a paragraph's runs as what its style and numbering make it: heading, list item, quotation or text."""
        if paragraph.heading:
            if not self.title or (paragraph.is_title and self._title_level != 0):
                self.title = runs.text_of(content)
                self._title_level = 0 if paragraph.is_title else paragraph.heading
            before = f"{level.next_number()} ".lstrip() if level is not None else ""
            builder.add_block(runs.heading(paragraph.heading, before, content))
            return
        children = runs.linked(content)
        if paragraph.role == CONTINUATION or (level is not None and level.form.is_blank):
            builder.add_to_item(tree.element("p", children), paragraph.depth)
        elif level is not None:
            label = level.next_label()
            number = level.number if level.form.is_ordered and not label else None
            builder.add_item(children, paragraph.depth, number, label)
        elif runs.is_picture(content):
            builder.add_block(tree.element("p", children), is_picture=True)
        elif paragraph.role == tree.QUOTATION:
            builder.add_block(tree.element("blockquote", [tree.element("p", children)]))
        else:
            builder.add_block(tree.element("p", children))

    def _rows(self, table: XmlElement) -> Iterator[XmlElement]:
        """Yield the rows of a table, except deleted ones (clause 17.13.5.12), whose words are counted."""
        for row in children_named(table, "w:tr"):
            if child(row, "w:trPr", "w:del") is None:
                yield row
            else:
                self.inlines.hide_deleted(row)

    def _cells(self, row: XmlElement, background: str) -> Iterator[tree.Cell]:
        """Yield the cells of a table row; `background` is the colour of cells without one. Raises Spent."""
        skipped_columns = integer(attribute(row, "w:trPr", "w:gridBefore", "w:val"))  # clause 17.4.14
        yield from ([] for _ in range(min(skipped_columns, _MAX_SPAN)))
        for item in children_named(row, "w:tc"):
            properties = child(item, "w:tcPr")
            span = min(integer(attribute(properties, "w:gridSpan", "w:val"), 1), _MAX_SPAN) or 1  # clause 17.4.17
            vertical = child(properties, "w:vMerge")
            is_merged = vertical is not None and vertical.get("w:val", "continue") == "continue"  # clause 17.4.84
            fill = fill_of(child(properties, "w:shd"))
            self.inlines.background = background if fill is None else fill
            if any(nested is not None for nested in item.iter("w:tbl")):
                self.inlines.background = ""  # the text of a nested table is read with the cell's
            self._budget.take(NODE_COST * span)
            content: tree.Cell = []
            if not is_merged:
                paragraphs = outermost(item, ("w:p",), skipped=SKIPPED, nested=True)  # a text box follows its paragraph
                content = runs.cell(runs.trimmed(list(self.inlines.runs(node))) for node in paragraphs)
            yield from tree.spanning(content, span)
