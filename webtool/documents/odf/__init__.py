"""Convert OpenDocument texts, slides and spreadsheets (odt, odp, ods) to markdown. In: a Source. Out: a Document.

content.xml has the body. Styles, in content.xml and styles.xml, give formats, headings and list numbers. content.py
reads paragraphs, tables.py tables and sheets; styles.py builds lists; this module makes the other blocks. Tracked
deletions, hidden text and hidden slides are left out and counted.
Specification: OASIS OpenDocument 1.2 part 1, sections 4 to 9 and 16.
Tests: tests/documents/test_office.py, tests/documents/test_beside_the_text.py
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from webtool.documents import NODE_COST, Document, Source, drawings, runs, tree, unseen
from webtool.documents.archive import Archive
from webtool.documents.odf.content import NOTES, SHAPES, SKIPPED, Inlines
from webtool.documents.odf.styles import Lists, OpenList, Styles, headings_of, is_white_page
from webtool.documents.odf.tables import sheets, table_of
from webtool.documents.xmltree import child, child_text, integer, outermost
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Optional, XmlElement
from webtool.running.budget import Spent

MANIFEST = "META-INF/manifest.xml"
_BODIES = ("office:text", "office:presentation", "office:drawing", "office:spreadsheet")
_PARAGRAPHS = ("text:p", "text:h")
_BLOCK_HOLDERS = frozenset(("draw:text-box", "table:table"))  # children of a frame that has blocks of its own
_FRAMES = SHAPES | {"draw:text-box", "draw:object"}
_SHAPES = SHAPES | {"draw:frame"}
_SHAPE_HOLDERS = ("draw:g", "draw:a")
_LENGTH = patterns.compile(r"(-?\d{1,6}(?:\.\d{1,9})?)(cm|mm|in|pt|pc|px)")
_POINTS = {"cm": 72 / 2.54, "mm": 72 / 25.4, "in": 72.0, "pt": 1.0, "pc": 12.0, "px": 0.75}


def convert(source: Source) -> Document:
    """Convert the document. Raises ExtractFailed if it is damaged or encrypted."""
    archive = Archive(source)
    if b"encryption-data" in archive.optional(MANIFEST):  # OpenDocument 1.2 part 3, section 3.4
        raise source.failed("is encrypted with a password", "Open it with its password and save a copy without one.")
    content = archive.xml("content.xml")
    body = next((node for name in _BODIES for node in content.iter(name)), None)
    if body is None:
        raise source.failed("has no text body")
    meta = archive.side_xml("meta.xml")
    title = tree.collapse(next((node.text or "" for node in meta.iter("dc:title")), "")) if meta is not None else ""
    styles = archive.side_xml("styles.xml")
    all_styles = Styles(content, styles)
    reader = _Reader(archive, all_styles, source)
    if body.tag == "office:spreadsheet":
        return Document(title, sheets(source, body, all_styles, reader.blocks), source.kind)
    if body.tag in ("office:presentation", "office:drawing"):
        blocks = reader.slides(body, _slide_sizes(styles))
        title = title or reader.title
    else:
        reader.inlines.is_on_page = is_white_page(content, styles)
        headers = reader.headers(styles, "header")
        reader.title = ""  # the title is in the body, not in a header, a footer or a note
        blocks = [*headers, *reader.blocks(body)]
        title = title or reader.title
        blocks.extend(reader.headers(styles, "footer"))
    text = reader.notes.markdown(blocks, reader.note, source.url)
    source.leave_out(reader.hidden_slides, "hidden slide")
    return Document(title, text, source.kind)


class _OpenElement(NamedTuple):
    """An element whose children are being read."""

    rest: Iterator[XmlElement]
    items: Optional[OpenList]  # the list around it
    is_leaf_item: bool  # it is an item of `items` without a list in it


class _Reader:
    """Reads the blocks of one document. `title` is the first paragraph in the style Title, else the first heading."""

    def __init__(self, archive: Archive, styles: Styles, source: Source) -> None:
        self._archive = archive
        self._source = source
        self._budget = source.budget
        self._styles = styles
        self._lists = Lists(styles)
        self._object_name = ""  # the member of the last embedded object, kept as it is asked for several times
        self._object_root: XmlElement | None = None
        self.notes = tree.Notes()
        self.inlines = Inlines(styles, self.notes, self._object, source)
        self.title = ""
        self._has_title_style = False  # the title comes from the style Title
        self.hidden_slides = 0

    def _object(self, link: str) -> XmlElement | None:
        """Return the root of an embedded object, such as a chart or a formula; None if it is missing."""
        name = f"{link.removeprefix('./').strip('/')}/content.xml"
        if name != self._object_name:
            self._object_root = self._archive.side_xml(name, is_kept=False)
            self._object_name = name
        return self._object_root

    def _chart(self, node: XmlElement) -> list[Element]:
        """Return the title and the numbers of a draw:object that is a chart; [] for other objects."""
        root = self._object(node.get("xlink:href", ""))
        chart = next(root.iter("office:chart"), None) if root is not None else None
        if chart is None:
            return []
        title = "".join(_titles_of(chart, "chart:chart"))
        axes = ", ".join(_titles_of(chart, "chart:axis"))
        title = f"{title} ({axes})" if title and axes else title or axes
        numbers = [table_of(item, self.inlines, self._budget) for item in chart.iter("table:table")]
        return [*([tree.element("p", [title])] if title else []), *numbers]

    def _frame(self, node: XmlElement) -> list[Element]:
        """Return the blocks of a frame without text: a chart, a formula, or a picture's text alternative."""
        link = child(node, "draw:object")
        content = list(self.inlines.object_runs(node))
        chart = self._chart(link) if link is not None else []
        if chart:
            return chart
        return [tree.element("p", runs.inlines(content))] if content else []

    def note(self, key: str) -> list[Element]:
        """Return the blocks of a note; a comment starts with its author."""
        body = self.inlines.note_bodies[key]
        blocks = self.blocks(body)
        return tree.comment(child_text(body, "dc:creator"), blocks) if body.tag == "office:annotation" else blocks

    def headers(self, styles: XmlElement | None, kind: str) -> list[Element]:
        """Return the blocks at the top ("header") or the bottom ("footer") of pages (section 16.9), each text once."""
        if styles is None:
            return []
        names = [f"style:{kind}{which}" for which in ("", "-left", "-first")]
        parts = [item for page in styles.iter("style:master-page") for item in page if item.tag in names]
        return tree.distinct_headers(self.blocks(item) for item in parts)

    def blocks(self, container: Iterable[XmlElement]) -> list[Element]:
        """Return the blocks of a body, section, cell, note or frame; those so far if the budget ends."""
        builder = tree.BlockBuilder()
        try:
            self._add_blocks(builder, container)
        except Spent:
            pass  # the budget's note tells the reader
        return [part for block in builder.blocks for part in headings_of(block) or [block]]

    def _add_blocks(self, builder: tree.BlockBuilder, container: Iterable[XmlElement]) -> None:
        """Add the blocks of a container. Raises Spent."""
        stack = [_OpenElement(iter(container), None, False)]
        is_code = False  # the block before is a line of code
        while stack:
            rest, items, is_leaf_item = stack[-1]
            for node in rest:
                self._budget.take(NODE_COST)
                tag = str(node.tag)
                was_code, is_code = is_code, tag in _PARAGRAPHS and self._styles.paragraph(node).role == tree.CODE
                if is_code:
                    line = "".join(run.text for run in self.inlines.runs(node))
                    if was_code:
                        builder.add_code(line, None if items is None else items.depth)
                    elif is_code := bool(line.strip()):  # an empty paragraph in a style of code begins no block
                        _add(builder, items, tree.code(line))
                elif tag in _PARAGRAPHS:
                    self._add_paragraph(builder, items, node)
                elif tag == "table:table":
                    _add(builder, items, table_of(node, self.inlines, self._budget))
                elif tag == "draw:frame" and _BLOCK_HOLDERS.isdisjoint([item.tag for item in node]):
                    _add(builder, items, *self._frame(node))
                elif tag in SKIPPED or node.get("text:display") == "none":
                    reason = unseen.DELETED if tag == "text:tracked-changes" else unseen.MARKED
                    self._source.hide(_word_count(node), reason)
                else:
                    inner, is_leaf = items, False
                    if tag == "text:list":
                        inner = self._lists.open(node, items)
                    elif tag == "text:list-header" and len(stack) > 1:
                        # It is above the list's items, so it belongs to the list around that list.
                        inner = stack[-2].items
                    elif tag == "text:list-item" and items is not None:
                        items.next_item(node.get("text:start-value"))
                        is_leaf = child(node, "text:list") is None
                    stack.append(_OpenElement(iter(node), inner, is_leaf))
                    break
            else:
                is_code = False
                stack.pop()
                if items is not None and is_leaf_item:
                    _add_item(builder, items, [])  # an item without text keeps its bullet

    def _add_paragraph(self, builder: tree.BlockBuilder, items: OpenList | None, node: XmlElement) -> None:
        """Add a paragraph as a heading, a quotation, a list item or a text, then the frames in it."""
        content = list(self.inlines.runs(node))
        if runs.text_of(content):
            level = self._heading_level(node, content)
            if level:
                number = self._lists.chapter_number(node) if items is None else items.label()
                _add(builder, items, runs.heading(level, f"{number} ".lstrip(), content))
            elif self._styles.paragraph(node).role == tree.QUOTATION:
                _add(builder, items, tree.element("blockquote", [runs.paragraph(content)]))
            elif items is not None and items.is_item_empty and not items.is_blank:
                # Without a p element an item of one paragraph makes a tight list.
                _add_item(builder, items, runs.linked(content), items.label())
            else:
                _add(builder, items, runs.paragraph(content))
        # Text boxes, shapes and objects that are anchored in this paragraph.
        for frame in outermost(node, _FRAMES, skipped=SKIPPED | set(NOTES)):
            is_on_page = self.inlines.is_on_page
            self.inlines.is_on_page = False  # a frame may have a colour, on which white text is seen
            _add(builder, items, *(self._chart(frame) if frame.tag == "draw:object" else self.blocks(frame)))
            self.inlines.is_on_page = is_on_page

    def _heading_level(self, node: XmlElement, content: list[runs.Run]) -> int:
        """Return a paragraph's heading level, 0 for text; the first heading or Title becomes the document's title."""
        _, level, is_title = self._styles.paragraph(node)
        if node.tag == "text:h":
            level = min(integer(node.get("text:outline-level")) or 1, 6)
        if level and (not self.title or (is_title and not self._has_title_style)):
            self.title = runs.text_of(content)
            self._has_title_style = is_title
        return level

    def slides(self, body: XmlElement, sizes: dict[str, list[float]]) -> list[Element]:
        """Return each visible page of a presentation below its title. `sizes` are those of _slide_sizes()."""
        blocks: list[Element] = []
        pages = list(body.iter("draw:page"))
        for number, page in enumerate(pages, 1):
            if self._source.is_late():
                self._source.add_note(f"Only {number - 1:,} of {len(pages):,} slides were read before the deadline.")
                break
            if page.get("draw:style-name") in self._styles.hidden_pages:
                self.hidden_slides += 1
            else:
                self._remove_outside(page, sizes.get(page.get("draw:master-page-name", ""), []))
                blocks.extend(self._slide(page, number))
        return blocks

    def _remove_outside(self, page: XmlElement, size: list[float]) -> None:
        """Remove and count shapes beside the slide, except titles and if an animation may move shapes onto it."""
        if len(size) < 2 or min(size) <= 0 or next(page.iter("anim:animateMotion"), None) is not None:
            return
        kept = []
        for frame in page:
            if frame.get("presentation:class") != "title" and _is_outside(frame, *size):
                self._source.hide(_word_count(frame), unseen.OUTSIDE)
            else:
                kept.append(frame)
        page[:] = kept

    def _slide(self, page: XmlElement, number: int) -> list[Element]:
        """Return one page below its title: contents in reading order, speaker's notes."""
        title = ""
        blocks: list[Element] = []
        drawings.sort_shapes(page, ("draw:page", "draw:g"), _box)
        for frame in page:
            if frame.tag == "presentation:notes":
                texts = [block for box in frame.iter("draw:text-box") for block in self.blocks(box)]
                blocks.extend(tree.labelled("Notes:", texts))
            elif frame.get("presentation:class") == "title" and not title:
                title = " ".join(runs.text_of(self.inlines.runs(line)) for line in frame.iter("text:p")).strip()
            elif frame.tag not in SKIPPED:
                blocks.extend(self.blocks([frame]))
        self.title = self.title or title
        return [tree.element("h2", [title or f"Slide {number}"]), *blocks]


def _titles_of(chart: XmlElement, tag: str) -> list[str]:
    """Return the titles of the chart ("chart:chart") or of its axes ("chart:axis")."""
    titles = [item for node in chart.iter(tag) for item in node if item.tag == "chart:title"]
    return [text for item in titles if (text := tree.collapse("".join(item.itertext())))]


def _add(builder: tree.BlockBuilder, items: OpenList | None, *blocks: Element) -> None:
    """Add blocks to the open item of a list; `items` is None outside of lists."""
    for block in blocks:
        if items is None:
            builder.add_block(block)
        elif items.is_item_empty and not items.is_blank:
            _add_item(builder, items, [block])
        else:
            builder.add_to_item(block, items.depth)
            items.fill_item()


def _add_item(builder: tree.BlockBuilder, items: OpenList, content: Iterable[tree.Child], label: str = "") -> None:
    """Add the open item of a list with its first content, unless it has some already."""
    if items.is_item_empty and not items.is_blank:
        builder.add_item(content, items.depth, items.next_number if items.is_ordered else None, label)
    items.fill_item()


def _word_count(node: XmlElement) -> int:
    """Return how many words the paragraphs in an element have."""
    return sum(len("".join(text.itertext()).split()) for text in node.iter("text:p"))


def _slide_sizes(styles: XmlElement | None) -> dict[str, list[float]]:
    """Return width and height of slides in points, [] if unknown, by the name of their master page (16.5, 16.9)."""
    if styles is None:
        return {}
    layouts: dict[str, list[float]] = {}
    for layout in styles.iter("style:page-layout"):
        properties = child(layout, "style:page-layout-properties")
        if properties is not None:
            layouts[layout.get("style:name", "")] = _lengths(properties, "fo:page-width", "fo:page-height")
    pages = styles.iter("style:master-page")
    return {page.get("style:name", ""): layouts.get(page.get("style:page-layout-name", ""), []) for page in pages}


def _is_outside(frame: XmlElement, width: float, height: float) -> bool:
    """Return whether a shape is wholly beside a slide of this size; for a group or a link, whether all its shapes are.

    The place of a shape that is moved or turned (draw:transform) is not known.
    """
    if any(node.get("draw:transform") for node in frame.iter()):
        return False
    shapes = [node for node in frame.iter() if node.tag in _SHAPES] if frame.tag in _SHAPE_HOLDERS else [frame]
    boxes = [_box(shape) for shape in shapes]
    return bool(boxes) and all(box is not None and drawings.is_outside(box, width, height) for box in boxes)


def _box(frame: XmlElement) -> drawings.Box | None:
    """Return the place of a frame or a shape on its slide, in points; None if it is not given."""
    lengths = _lengths(frame, "svg:x", "svg:y", "svg:width", "svg:height")
    if len(lengths) < 4:
        return None
    left, top, width, height = lengths
    return left, top, left + width, top + height


def _lengths(node: XmlElement, *names: str) -> list[float]:
    """Return the attributes that are lengths, in points: "2.54cm" -> 72.0; all others are left out."""
    matches = [_LENGTH.fullmatch(node.get(name, "")) for name in names]
    return [float(match.group(1)) * _POINTS[match.group(2)] for match in matches if match]
