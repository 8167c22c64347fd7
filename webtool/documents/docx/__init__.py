"""Word documents (docx) as markdown. In: a Source. Out: a Document.

Headings come from styles and outline levels, lists from numbering, footnotes and endnotes from their parts; pictures
are what their authors say of them, formulas TeX. Deleted and hidden text is left out.
Specification: ECMA-376 part 1, WordprocessingML (clause 17).
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.documents import NODE, Document, Source, charts, convert_source, heads, kind_of, tree
from webtool.documents.archive import Archive
from webtool.documents.docx.inline import (
    BLOCKS,
    DRAWN,
    SKIPPED,
    TEXT_BOX,
    Inlines,
    children_named,
    is_picture,
    notes_of,
    trimmed,
)
from webtool.documents.docx.styles import Level, Numbering, Paragraph, Styles
from webtool.documents.xmltree import child, children, integer, outermost
from webtool.errors import ExtractFailed
from webtool.html import parse_html
from webtool.html.node import Element
from webtool.lean.typing import XmlElement
from webtool.markdown import to_markdown
from webtool.running.budget import Budget, Spent

_QUOTE = "quote"
_CODE = "code"
_CONTINUE = "continue"
_HTML = (".htm", ".html", ".xhtml")
_CHUNK = "\ue0f2{}\ue0f3"
_MAX_SPAN = 64  # columns; Word has 63
_MAX_IMPORTS = 3  # documents in each other
_MAX_HEADS = 60  # three heads and three feet for each of ten sections


def convert(source: Source) -> Document:
    """The document's text with its structure. Raises ExtractFailed for a damaged one."""
    return _convert(source, _MAX_IMPORTS)


def _convert(source: Source, levels: int) -> Document:
    """convert(); `levels` is how deep documents may be imported into each other."""
    archive = Archive(source)
    title = archive.core_title()
    part = archive.main_part("word/document.xml")
    reader = _Reader(archive, part, source.budget)
    bodies = children(archive.xml(part), "w:body")  # one, but for some programs'
    if not bodies:
        raise source.failed("has no body")
    blocks = [block for body in bodies for block in reader.blocks(body)]
    text = tree.markdown([*reader.heads("header"), *blocks, *reader.heads("footer")], source.url)
    text = reader.notes.markdown(text, reader.note, source.url)
    notes = len(reader.notes)
    for number, name in enumerate(reader.chunks):
        made, notes = tree.renumbered(_imported(source, archive, name, levels).strip("\n"), notes)
        text = text.replace(_CHUNK.format(number) + ("" if made else "\n\n"), made, 1)
    source.leave_out(reader.inlines.unseen, "deleted or hidden word")
    return Document(title or reader.title, text, source.kind)


def _imported(source: Source, archive: Archive, name: str | None, levels: int) -> str:
    """The markdown of a file that Word is to import when it opens the document (clause 17.17.2.1)."""
    body = archive.read(name)[0] if name and name in archive else b""
    kind = kind_of(body, "text/html" if (name or "").lower().endswith(_HTML) else None, name or "")
    if body and kind == "html":
        return to_markdown(parse_html(body), budget=source.budget)
    inner = source._replace(body=body, kind=kind, content_type=None)
    try:
        if kind == "docx" and levels:
            return _convert(inner, levels - 1).markdown
        if body and kind in ("mail", "rtf", "text"):
            return convert_source(inner).markdown
    except ExtractFailed:
        pass
    source.leave_out(1, "embedded document")
    return ""


class _Reader:
    """Blocks of one document. `title` is the first paragraph in the style Title, else the first heading."""

    def __init__(self, archive: Archive, part: str, budget: Budget) -> None:
        self._links = archive.relationships(part)
        self._styles = Styles(archive.optional_xml(self._links.first("styles")))
        self._numbering = Numbering(archive.optional_xml(self._links.first("numbering")))
        self._archive = archive
        self._budget = budget
        self._parts = notes_of(archive, self._links)
        self.notes = tree.Notes()
        known = {kind: found.bodies for kind, found in self._parts.items()}
        self.inlines = Inlines(self._styles, self.notes, known, self._links, budget)
        self.chunks: list[str | None] = []  # files to import; each has its number in the text so far
        self.title = ""
        self._heading = 0
        self._initial: list[tree.Run] = []  # a large letter in a frame of its own, until the rest of its word comes

    def note(self, key: str) -> list[Element]:
        """The blocks of a footnote, an endnote or a comment, which opens with its author."""
        kind, _, number = key.partition(" ")
        part = self._parts[kind]
        body = part.bodies[number]
        self.inlines.links = part.links
        made = self.blocks(body)
        return tree.comment(body.get("w:author", ""), made) if kind == "comment" else made

    def heads(self, kind: str) -> list[Element]:
        """What stands at the top ("header") or the bottom ("footer") of the pages, each text once."""
        made = []
        title = self.title
        for name in self._links.of_kind(kind)[:_MAX_HEADS]:
            root = self._archive.optional_xml(name, is_kept=False)
            if root is not None:
                self.inlines.links = self._archive.relationships(name)
                made.append(self.blocks(root))
        self.inlines.links = self._links
        self.title = title  # no head is the document's title
        return heads.once(made)

    def blocks(self, container: XmlElement) -> list[Element]:
        """The blocks of a body, a note or a text box, as many as the budget has room for."""
        flow = _Flow()
        try:
            self._add_blocks(flow, container)
        except Spent:
            pass  # the note says so
        if self._initial:  # nothing came behind it
            flow.add(tree.element("p", tree.linked(self._initial)))
            self._initial = []
        return flow.blocks

    def _add_blocks(self, flow: _Flow, container: XmlElement) -> None:
        for block in outermost(container, BLOCKS, skipped=SKIPPED):
            self._budget.take(NODE)
            if block.tag == "w:altChunk":
                flow.add(tree.element("p", [_CHUNK.format(len(self.chunks))]))
                self.chunks.append(self._links.part(block.get("r:id")))
                continue
            if block.tag != "w:p":
                # Tables in its cells become lines of the cell, as markdown has nothing else.
                flow.add(tree.table(self._cells(row) for row in children_named(block, "w:tr")))
                continue
            paragraph = self._styles.paragraph(block)
            level = self._numbering.level(paragraph.number, paragraph.level)
            if paragraph.role == _CODE:
                is_in_item = level is not None and level.is_blank
                flow.add_code("".join(run.text for run in self.inlines.runs(block)), paragraph.depth, is_in_item)
            else:
                self._add_paragraph(flow, block, paragraph, level)

    def _add_paragraph(self, flow: _Flow, block: XmlElement, paragraph: Paragraph, level: Level | None) -> None:
        runs = self._initial + trimmed(list(self.inlines.runs(block)))
        frame = child(block, "w:pPr", "w:framePr")
        is_initial = frame is not None and frame.get("w:dropCap", "none") != "none" and not self._initial
        self._initial = runs if is_initial else []
        if self._initial:
            return
        if runs and paragraph.heading:
            if not self.title or (paragraph.is_title and self._heading != 0):
                self.title, self._heading = tree.text_of(runs), 0 if paragraph.is_title else paragraph.heading
            number = f"{level.next_number()} ".lstrip() if level is not None else ""
            flow.add(tree.element(f"h{paragraph.heading}", [number, *tree.inlines(runs, ("strong",))]))
        elif runs and (paragraph.role == _CONTINUE or (level is not None and level.is_blank)):
            flow.go_on(tree.element("p", tree.linked(runs)), paragraph.depth)
        elif runs and level is not None:
            flow.add_item(tree.linked(runs), paragraph.depth, level)
        elif runs and is_picture(runs):
            flow.add(tree.element("p", tree.linked(runs)), is_picture=True)
        elif runs:
            made = tree.element("p", tree.linked(runs))
            flow.add(tree.element("blockquote", [made]) if paragraph.role == _QUOTE else made)
        for found in outermost(block, DRAWN, skipped=SKIPPED):
            if found.tag == TEXT_BOX:
                flow.blocks.extend(self.blocks(found))
            else:
                flow.blocks.extend(charts.graphic(found, self._archive, self.inlines.links, self._budget))

    def _cells(self, row: XmlElement) -> Iterator[list[tree.Child]]:
        for item in children_named(row, "w:tc"):
            span, merged = _merge(child(item, "w:tcPr"))
            self._budget.take(NODE * span)
            lines = outermost(item, ("w:p",), skipped=SKIPPED, nested=True)  # text boxes come behind their own
            yield [] if merged else tree.cell(trimmed(list(self.inlines.runs(line))) for line in lines)
            yield from ([] for _ in range(span - 1))


class _Flow:
    """Blocks as they come: items are gathered into lists, lines of code into one block."""

    def __init__(self) -> None:
        self.blocks: list[Element] = []
        self._lists = tree.ListBuilder(self.blocks)
        self._picture: Element | None = None

    def add(self, block: Element, is_picture: bool = False) -> None:
        """Append a block that is not an item, perhaps a paragraph that is only a picture; it ends the list."""
        if self._picture is not None and self._picture.text.strip() == block.text.strip():
            self.blocks.pop()  # the caption below a picture says the same again
        self._picture = block if is_picture else None
        self._lists.add_block(block)

    def add_item(self, children: list[tree.Child], depth: int, level: Level) -> None:
        """Append an item to the list that is open."""
        self._picture = None
        label = level.next_label()
        if label:  # markdown has no such lists: it stays in the text
            self._lists.add([f"{label} ", *children], depth)
        else:
            self._lists.add(children, depth, level.is_ordered, level.number, level.name)

    def go_on(self, block: Element, depth: int) -> None:
        """Append a block to the last item at a depth; where no list is open, to the document."""
        item = self._lists.last_item(depth)
        self.add(block) if item is None else item.append(block)

    def add_code(self, line: str, depth: int, is_in_item: bool) -> None:
        """Append a line of code, to the last item where it stands in one."""
        item = self._lists.last_item(depth) if is_in_item else None
        if not tree.add_code(self.blocks if item is None else item.children, line):
            self.add(tree.code(line)) if item is None else item.append(tree.code(line))


def _merge(properties: XmlElement | None) -> tuple[int, bool]:
    """How many columns a cell covers, and whether it only goes on with the one above (clause 17.4.17, 17.4.84)."""
    if properties is None:
        return 1, False
    grid = child(properties, "w:gridSpan")
    span = integer(grid.get("w:val"), 1) if grid is not None else 1
    vertical = child(properties, "w:vMerge")
    is_merged = vertical is not None and vertical.get("w:val", "continue") == "continue"
    return min(span, _MAX_SPAN) or 1, is_merged
