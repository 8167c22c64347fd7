"""Convert PowerPoint presentations (pptx) to markdown. In: a Source. Out: a Document.

Each slide is a section: its title, then text, lists, tables, charts, diagrams and text alternatives of pictures in
reading order, then the speaker's notes and comments. Hidden slides, slide numbers and what is beside the slide are left
out; the text of footers follows the last slide, once.
Specification: ECMA-376 part 1, PresentationML (clause 19), DrawingML (clause 21); MS-PPTX (p188).
Tests: tests/documents/test_office.py
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.documents import NODE_COST, Document, Source, bullets, drawings, runs, tree, unseen
from webtool.documents.archive import Archive, Links
from webtool.documents.xmltree import TRUE, attribute, child, child_text, children, decoded, integer, outermost
from webtool.html.node import Element
from webtool.lean.typing import XmlElement
from webtool.running.budget import Spent

# Types of placeholders (clause 19.7.10): shapes with a role, which the slide's layout defines.
_TITLES = ("title", "ctrTitle")
_NOT_CONTENT = frozenset(("sldNum", "ftr", "dt", "hdr", "sldImg"))  # number, footer, date, header, picture of the slide
_NOTES_TEXT = frozenset(("body", "obj", "subTitle"))  # placeholders with the text of speaker's notes
_LISTS = frozenset(("body", "obj"))  # placeholders whose paragraphs are list items, unless the layout says otherwise
_HEADERS = frozenset(("ftr", "hdr"))  # placeholders whose text follows the last slide
_SHAPES = frozenset(("p:sp", "p:graphicFrame", "p:pic"))
_SORTED = ("p:spTree", "p:grpSp")  # a slide and a group of shapes
_GROUPS = frozenset(("p:grpSp", "mc:AlternateContent", "mc:Choice"))  # elements around shapes


def convert(source: Source) -> Document:
    """Convert the slides in order. Raises ExtractFailed if the file is damaged."""
    archive = Archive(source)
    title = archive.core_title()
    part = archive.main_part("ppt/presentation.xml")
    links = archive.relationships(part)
    root = archive.xml(part)
    names = [name for item in root.iter("p:sldId") if (name := links.part(item.get("r:id")))]
    size = integer(attribute(root, "p:sldSz", "cx")), integer(attribute(root, "p:sldSz", "cy"))
    reader = _Reader(archive, source, size, _commenters(archive, links))
    for number, name in enumerate(names):
        if source.is_late():
            source.add_note(f"Only {number:,} of {len(names):,} slides were read before the deadline.")
            break
        try:
            reader.add(name)
        except Spent:
            source.add_note(f"Only {number:,} of {len(names):,} slides are shown.")
            break
    blocks = [*reader.blocks, *tree.distinct_headers(reader.footers)]
    source.leave_out(reader.hidden_slides, "hidden slide")
    return Document(title or reader.title, tree.markdown(blocks, source.url), source.kind)


def _commenters(archive: Archive, links: Links) -> dict[str, str]:
    """Return the names of those who commented, by id: of older comments (clause 19.4.2) and of newer ones.

    No tree of a presentation is kept longer than a slide (is_kept=False), so trees do not share one limit of memory.
    """
    roots = [archive.side_xml(links.first(kind), is_kept=False) for kind in ("commentAuthors", "authors")]
    return {item.get("id", ""): item.get("name", "") for root in roots if root is not None for item in root}


class _Reader:
    """Reads slides one by one into `blocks`, their footers into `footers`. `title` is the first title of a slide."""

    def __init__(self, archive: Archive, source: Source, size: tuple[int, int], commenters: dict[str, str]) -> None:
        self.blocks: list[Element] = []
        self.footers: list[list[Element]] = []
        self.title = ""
        self.hidden_slides = 0
        self._archive = archive
        self._source = source
        self._size = size  # width and height of the slides in EMU, 0 if unknown
        self._background = ""  # the fill of the shape that is being read, behind its text; "" if unknown
        self._commenters = commenters
        self._links = Links()  # of the slide that is being read
        self._layouts = bullets.Layouts(archive)
        self._shown_slides = 0

    def add(self, name: str) -> None:
        """Append the blocks of the slide in one part of the package. Raises Spent."""
        slide = self._archive.side_xml(name, is_kept=False)
        if slide is None:
            return
        if slide.get("show") in ("0", "false"):
            self.hidden_slides += 1
            return
        self._shown_slides += 1
        self._links = self._archive.relationships(name)
        self._remove_outside(slide)
        drawings.sort_shapes(slide, _SORTED, _box)
        titles = (shape for shape in _shapes(slide) if _placeholder(shape) in _TITLES)
        title_shape = next((s for s in titles if child(s, "p:txBody") is not None and not _is_hidden(s)), None)
        lines = title_shape.iter("a:p") if title_shape is not None else ()
        title = " ".join(filter(None, (runs.text_of(self._runs(line)) for line in lines)))
        self.title = self.title or title
        self.blocks.append(tree.element("h2", [title or f"Slide {self._shown_slides}"]))
        self.blocks.extend(self._contents(slide, title_shape))
        self.blocks.extend(self._notes())
        self.blocks.extend(self._comments())
        self.footers.append([block for body in _bodies(slide, _HEADERS) for block in self._text(body)])

    def _remove_outside(self, slide: XmlElement) -> None:
        """Remove and count shapes beside the slide, unless an animation may move them onto it.

        Titles stay: authors move them off the slide so that only screen readers and outlines show them.
        """
        shapes = child(slide, "p:cSld", "p:spTree")
        if shapes is None or not all(self._size) or next(slide.iter("p:animMotion"), None) is not None:
            return
        kept = []
        for shape in shapes:
            is_outside = drawings.is_outside(_reach(shape), *self._size)
            if is_outside and _placeholder(shape) not in _TITLES:
                self._count_hidden(shape, unseen.OUTSIDE)
            else:
                kept.append(shape)
        shapes[:] = kept

    def _contents(self, slide: XmlElement, title: XmlElement | None) -> Iterator[Element]:
        """Yield the blocks of a slide, except its title."""
        for shape in _shapes(slide):
            self._background = _fill(child(shape, "p:spPr"))
            if _is_hidden(shape):
                self._count_hidden(shape)
            elif shape.tag == "p:graphicFrame":
                for node in outermost(shape, ("a:tbl", *drawings.GRAPHICS)):
                    if node.tag == "a:tbl":
                        yield tree.table(self._cells(row) for row in children(node, "a:tr"))
                    else:
                        yield from drawings.graphic(node, self._archive, self._links, self._source.budget)
            elif shape.tag == "p:pic":
                alt = runs.alt_text(attribute(shape, "p:nvPicPr", "p:cNvPr", "descr"))
                url = next((self._links.url(blip.get("r:link")) for blip in shape.iter("a:blip")), "")
                content = runs.picture(alt, url)
                yield from [tree.element("p", runs.inlines(content))] if content else []
            else:
                kind = _placeholder(shape)
                body = child(shape, "p:txBody")
                if body is not None and kind not in _NOT_CONTENT and shape is not title:
                    yield from self._text(body, self._layouts.items(shape, self._links) if kind in _LISTS else None)
        self._background = ""

    def _notes(self) -> list[Element]:
        """Return the speaker's notes of the slide, below the label "Notes:"."""
        root = self._archive.side_xml(self._links.first("notesSlide"), is_kept=False)
        if root is None:
            return []
        drawings.sort_shapes(root, _SORTED, _box)
        for shape in filter(_is_hidden, _shapes(root)):
            self._count_hidden(shape)
        bodies = _bodies(root, _NOTES_TEXT)
        return tree.labelled("Notes:", [block for body in bodies for block in self._text(body)])

    def _count_hidden(self, shape: XmlElement, reason: str = unseen.MARKED) -> None:
        self._source.hide(sum(len((text.text or "").split()) for text in shape.iter("a:t")), reason)

    def _comments(self) -> list[Element]:
        """Return the reviewers' comments on the slide as a list, replies below the comment that they answer."""
        root = self._archive.side_xml(self._links.first("comments"), is_kept=False)
        if root is None:
            return []
        builder = tree.BlockBuilder()
        for item in (item for item in root if item.tag in ("p:cm", "p188:cm")):
            self._add_comment(builder, item, 0)
            for reply in children(item, "p188:replyLst", "p188:reply"):
                self._add_comment(builder, reply, 1)
        return tree.labelled("Comments:", builder.blocks)

    def _add_comment(self, builder: tree.BlockBuilder, item: XmlElement, depth: int) -> None:
        """Add a comment without its replies: its text is a p:text (clause 19.4.3), or a p188:txBody in newer files."""
        lines = ["".join(node.text or "" for node in line.iter("a:t")) for line in children(item, "p188:txBody", "a:p")]
        text = child_text(item, "p:text") or " ".join(lines)
        remark = tree.remark(self._commenters.get(item.get("authorId", ""), ""), text)
        self._source.budget.take(len(remark) + NODE_COST)
        if remark:
            builder.add_item([remark], depth)

    def _text(self, body: XmlElement, items: bullets.Items | None = None) -> list[Element]:
        """Return the paragraphs of a text body; `items` decides on those without a bullet property."""
        lists = bullets.Lists(items or {})
        for paragraph in body.iter("a:p"):
            content = list(self._runs(paragraph))
            if runs.text_of(content):
                lists.add(bullets.bullet(child(paragraph, "a:pPr")), runs.inlines(content))
        return lists.builder.blocks

    def _cells(self, row: XmlElement) -> Iterator[tree.Cell]:
        for item in children(row, "a:tc"):
            self._source.budget.take(NODE_COST)
            is_merged = item.get("hMerge") in TRUE or item.get("vMerge") in TRUE
            yield [] if is_merged else runs.cell(list(self._runs(line)) for line in item.iter("a:p"))

    def _runs(self, paragraph: XmlElement) -> Iterator[runs.Run]:
        """Yield a paragraph's text with formats, without unseen text. Raises Spent."""
        for node in paragraph.iter():
            if node.tag == "a:br":
                run = runs.Run("\n")
            elif node.tag == "m:r":  # a formula, as plain characters
                run = runs.Run("".join(item.text or "" for item in node if item.tag == "m:t"))
            elif node.tag in ("a:r", "a:fld"):
                formats, url = _formats(child(node, "a:rPr"), self._links)
                run = runs.Run(decoded(child_text(node, "a:t")), formats, url)
            else:
                continue
            self._source.budget.take(NODE_COST + len(run.text) + len(run.url))
            reason = _reason(child(node, "a:rPr"), self._background)
            if reason:
                self._source.hide(len(run.text.split()), reason)
            else:
                yield run


def _shapes(slide: XmlElement) -> Iterator[XmlElement]:
    """Yield shapes, pictures and frames, also those in groups; a hidden group instead of what is in it."""
    shapes = child(slide, "p:cSld", "p:spTree")
    stack = [iter(shapes)] if shapes is not None else []
    while stack:
        for item in stack[-1]:
            if item.tag in _SHAPES or (item.tag in _GROUPS and _is_hidden(item)):
                yield item
            elif item.tag in _GROUPS:
                stack.append(iter(item))
                break
        else:
            stack.pop()


def _is_hidden(shape: XmlElement) -> bool:
    """Return whether the selection pane of the program hides a shape or a group (clause 19.3.1.12)."""
    return any(item.get("hidden") in TRUE for part in shape for item in part if item.tag == "p:cNvPr")


def _box(item: XmlElement) -> drawings.Box | None:
    """Return the place of a shape, a frame or a group, in EMU; None if only the slide's layout has it."""
    if item.tag == "p:graphicFrame":
        place = child(item, "p:xfrm")
    else:
        place = child(item, "p:grpSpPr" if item.tag == "p:grpSp" else "p:spPr", "a:xfrm")
    if place is None:
        return None
    offset, size = child(place, "a:off"), child(place, "a:ext")
    if offset is None or size is None:
        return None
    left, top = _coordinate(offset, "x"), _coordinate(offset, "y")
    return left, top, left + _coordinate(size, "cx"), top + _coordinate(size, "cy")


def _coordinate(node: XmlElement, name: str) -> int:
    """Return a coordinate or a length in EMU; 0 for another form. Left of the slide and above it are negative ones."""
    text = node.get(name, "")
    digits = text[1:] if text.startswith("-") else text
    return int(text) if digits.isdecimal() and len(digits) < 20 else 0


def _reach(shape: XmlElement) -> drawings.Box:
    """Return a box around a shape, also if it is turned; (0, 0, 0, 0) if its place is unknown."""
    left, top, right, bottom = _box(shape) or (0, 0, 0, 0)
    is_turned = any(place.get("rot", "0") != "0" for place in shape.iter("a:xfrm"))
    margin = right - left + bottom - top if is_turned else 0  # more than a turn can move a corner
    return left - margin, top - margin, right + margin, bottom + margin


def _bodies(slide: XmlElement, kinds: frozenset[str]) -> list[XmlElement]:
    """Return the text bodies of the placeholders of these types, without hidden ones."""
    shown = (shape for shape in _shapes(slide) if not _is_hidden(shape))
    bodies = [child(shape, "p:txBody") for shape in shown if _placeholder(shape) in kinds]
    return [body for body in bodies if body is not None]


def _placeholder(shape: XmlElement) -> str:
    """Return the type of the placeholder that a shape fills (clause 19.7.10), "obj" by default; "" for other shapes."""
    placeholder = child(shape, "p:nvSpPr", "p:nvPr", "p:ph")
    return placeholder.get("type", "obj") if placeholder is not None else ""


def _reason(properties: XmlElement | None, background: str) -> str:
    """Return why a run is not seen, or "". Layouts and themes decide most colours, so only the run's own count."""
    if properties is None:
        return ""
    points = integer(properties.get("sz"), 1200) / 100
    fill = child(properties, "a:solidFill")
    alpha = next(fill.iter("a:alpha"), None) if fill is not None else None
    opacity = 1.0 if alpha is None else integer(alpha.get("val"), 100_000) / 100_000
    if child(properties, "a:noFill") is not None and child(properties, "a:ln") is None:  # no outline either
        opacity = 0.0
    return unseen.reason(_fill(properties), background, points, alpha=opacity)


def _fill(properties: XmlElement | None) -> str:
    """Return the fill of a shape or a run as "#rrggbb"; "" if it is not known.

    It is known if the colour is the shape's own, not the theme's, and has no children that change it (a:lumMod).
    """
    colour = child(properties, "a:solidFill", "a:srgbClr")
    has_changes = colour is not None and len(colour) > 0
    return "" if colour is None or has_changes else unseen.hexadecimal_colour(colour.get("val", ""))


def _formats(properties: XmlElement | None, links: Links) -> tuple[frozenset[str], str]:
    """Return the formats and the link target that run properties set."""
    if properties is None:
        return frozenset(), ""
    formats = {name for key, name in (("b", "strong"), ("i", "em")) if properties.get(key) in TRUE}
    if properties.get("strike", "noStrike") != "noStrike":
        formats.add("del")
    return frozenset(formats), links.url(attribute(properties, "a:hlinkClick", "r:id"))
