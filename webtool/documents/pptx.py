"""PowerPoint presentations (pptx) as markdown. In: a Source. Out: a Document.

Each slide is a section under its title: text, lists by outline level, tables, charts, diagrams, what is said of its
pictures, then the speaker's notes. Hidden slides, slide numbers and footers are left out.
Specification: ECMA-376 part 1, PresentationML (clause 19), DrawingML (clause 21).
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.documents import NODE, Document, Source, charts, heads, tree
from webtool.documents.archive import Archive, Links
from webtool.documents.placed import Box, from_the_top
from webtool.documents.xmltree import child, child_text, children, integer, outermost
from webtool.html.node import Element
from webtool.lean.records import NamedTuple
from webtool.lean.typing import XmlElement
from webtool.running.budget import Budget, Spent

_TITLES = ("title", "ctrTitle")
_FURNITURE = frozenset(("sldNum", "ftr", "dt", "hdr", "sldImg"))
_BODIES = frozenset(("body", "obj", "subTitle"))
_LISTS = frozenset(("body", "obj"))
_HEADS = frozenset(("ftr", "hdr"))
_TEXTS = ("p:text", "a:t")
_SHAPES = frozenset(("p:sp", "p:graphicFrame", "p:pic"))
_GROUPS = frozenset(("p:grpSp", "mc:AlternateContent", "mc:Choice"))
_TRUE = ("1", "true")


def convert(source: Source) -> Document:
    """The slides' text in order. Raises ExtractFailed for a damaged file."""
    archive = Archive(source)
    title = archive.core_title()
    part = archive.main_part("ppt/presentation.xml")
    links = archive.relationships(part)
    names = [links[key].target for item in archive.xml(part).iter("p:sldId") if (key := item.get("r:id", "")) in links]
    reader = _Reader(archive, source.budget, _authors(archive, links))
    for number, name in enumerate(names):
        if source.is_late():
            source.add_note(f"Only {number:,} of {len(names):,} slides were read before the deadline.")
            break
        try:
            reader.add(name)
        except Spent:
            source.add_note(f"Only {number:,} of {len(names):,} slides are shown.")
            break
    blocks = [*reader.blocks, *heads.once(reader.feet)]
    source.leave_out(reader.hidden, "hidden slide")
    return Document(title or reader.title, tree.markdown(blocks, source.url), source.kind)


class _Reader:
    """The slides so far, and the `feet` of each; `title` is the first that a slide has."""

    def __init__(self, archive: Archive, budget: Budget, authors: dict[str, str]) -> None:
        self.blocks: list[Element] = []
        self.feet: list[list[Element]] = []
        self.title = ""
        self.hidden = 0
        self._archive = archive
        self._budget = budget
        self._authors = authors
        self._links = Links()
        self._count = 0

    def add(self, name: str) -> None:
        """Append the blocks of one slide. Raises Spent."""
        slide = self._archive.optional_xml(name, is_kept=False)
        if slide is None:
            return
        if slide.get("show") in ("0", "false"):
            self.hidden += 1
            return
        self._count += 1
        self._links = self._archive.relationships(name)
        found = (s for s in _shapes(slide) if _placeholder(s) in _TITLES and child(s, "p:txBody") is not None)
        shape = next(found, None)
        lines = shape.iter("a:p") if shape is not None else ()
        title = " ".join(filter(None, (tree.text_of(self._runs(line)) for line in lines)))
        self.title = self.title or title
        self.blocks.append(tree.element("h2", [title or f"Slide {self._count}"]))
        self.blocks.extend(self._contents(slide, shape))
        self.blocks.extend(self._notes())
        self.blocks.extend(self._comments())
        self.feet.append([block for body in _bodies(slide, _HEADS) for block in self._text(body, False)])

    def _contents(self, slide: XmlElement, title: XmlElement | None) -> Iterator[Element]:
        """The blocks of a slide but for its title."""
        for shape in _shapes(slide):
            if shape.tag == "p:graphicFrame":
                for node in shape.iter():
                    if node.tag == "a:tbl":
                        yield tree.table(self._cells(row) for row in node.iter("a:tr"))
                    elif node.tag in charts.GRAPHICS:
                        yield from charts.graphic(node, self._archive, self._links, self._budget)
            elif shape.tag == "p:pic":
                yield from _picture(shape, self._links)
            else:
                kind = _placeholder(shape)
                body = child(shape, "p:txBody")
                if body is not None and kind not in _FURNITURE and shape is not title:
                    yield from self._text(body, kind in _LISTS)

    def _notes(self) -> list[Element]:
        """The speaker's notes of the slide, under a line that says so."""
        notes = self._archive.optional_xml(self._links.first("notesSlide"), is_kept=False)
        bodies = _bodies(notes, _BODIES) if notes is not None else []
        blocks = [block for body in bodies for block in self._text(body, False)]
        return [tree.element("p", [tree.element("strong", ["Notes:"])]), *blocks] if blocks else []

    def _comments(self) -> list[Element]:
        """What was said of the slide (clause 19.4.1; newer files have it as DrawingML text)."""
        root = self._archive.optional_xml(self._links.first("comments"), is_kept=False)
        items: list[Element] = []
        for item in root if root is not None else ():
            lines = [line for line in item.iter() if line.tag in ("p:text", "a:p")]
            texts = ["".join(node.text or "" for node in line.iter() if node.tag in _TEXTS) for line in lines]
            text = " ".join(" ".join(texts).split())
            author = " ".join(self._authors.get(item.get("authorId", ""), "").split())[:100]
            self._budget.take(len(text) + NODE)
            if text:
                items.append(tree.element("li", [f"{author}: {text}" if author else text]))
        return [tree.element("p", [tree.element("strong", ["Comments:"])]), tree.element("ul", items)] if items else []

    def _text(self, body: XmlElement, is_list: bool) -> list[Element]:
        """Paragraphs, or items of a list with the depth that the outline level says."""
        blocks: list[Element] = []
        builder = tree.ListBuilder(blocks)
        for paragraph in body.iter("a:p"):
            runs = list(self._runs(paragraph))
            if not tree.text_of(runs):
                continue
            bullet = _bullet(child(paragraph, "a:pPr"))
            item = builder.last_item(bullet.depth - 1) if bullet.kind == "none" and bullet.depth else None
            if item is not None:
                # Further in, without a bullet: it goes on with the item above.
                item.append(tree.element("p", tree.inlines(runs)))
            elif bullet.kind == "none" or (not is_list and not bullet.kind):
                builder.add_block(tree.element("p", tree.inlines(runs)))
            else:
                builder.add(tree.inlines(runs), bullet.depth, bullet.kind == "ordered", bullet.start, bullet.scheme)
        return blocks

    def _cells(self, row: XmlElement) -> Iterator[list[tree.Child]]:
        for item in children(row, "a:tc"):
            self._budget.take(NODE)
            is_merged = item.get("hMerge") in _TRUE or item.get("vMerge") in _TRUE
            yield [] if is_merged else tree.cell(list(self._runs(line)) for line in item.iter("a:p"))

    def _runs(self, paragraph: XmlElement) -> Iterator[tree.Run]:
        """The text of a paragraph with its formats."""
        for run in _runs_of(paragraph, self._links):
            self._budget.take(NODE + len(run.text) + len(run.url))
            yield run


def _authors(archive: Archive, links: Links) -> dict[str, str]:
    """Who comments, by id (clause 19.4.2)."""
    root = archive.optional_xml(links.first("commentAuthors"), is_kept=False)
    return {item.get("id", ""): item.get("name", "") for item in root} if root is not None else {}


def _shapes(slide: XmlElement) -> Iterator[XmlElement]:
    """Shapes and frames in order, those of groups too; of alternatives the first."""
    shapes = child(slide, "p:cSld", "p:spTree")
    for item in from_the_top(list(shapes), _box) if shapes is not None else ():
        if item.tag in _SHAPES:
            yield item
        elif item.tag in _GROUPS:
            yield from outermost(item, _SHAPES, _GROUPS)


def _box(item: XmlElement) -> Box | None:
    """Where a shape, a frame or a group stands on the slide; None where its layout says that."""
    parent = item if item.tag == "p:graphicFrame" else child(item, "p:grpSpPr" if item.tag == "p:grpSp" else "p:spPr")
    place = child(parent, "p:xfrm" if parent is item else "a:xfrm") if parent is not None else None
    offset, size = (child(place, "a:off"), child(place, "a:ext")) if place is not None else (None, None)
    if offset is None or size is None:
        return None
    left, top = integer(offset.get("x")), integer(offset.get("y"))
    return left, top, left + integer(size.get("cx")), top + integer(size.get("cy"))


def _bodies(slide: XmlElement, kinds: frozenset[str]) -> list[XmlElement]:
    """The texts of the placeholders of these kinds."""
    found = [child(shape, "p:txBody") for shape in _shapes(slide) if _placeholder(shape) in kinds]
    return [body for body in found if body is not None]


def _picture(shape: XmlElement, links: Links) -> list[Element]:
    properties = child(shape, "p:nvPicPr", "p:cNvPr")
    alt = tree.alt_text(properties.get("descr", "")) if properties is not None else ""
    runs = tree.picture(alt, next((links.url(blip.get("r:link")) for blip in shape.iter("a:blip")), ""))
    return [tree.element("p", tree.inlines(runs))] if runs else []


def _placeholder(shape: XmlElement) -> str:
    """The type of placeholder that a shape fills (clause 19.7.10); "" for none; obj where it does not say."""
    found = child(shape, "p:nvSpPr", "p:nvPr", "p:ph")
    return found.get("type", "obj") if found is not None else ""


class _Bullet(NamedTuple):
    """How a paragraph opens: `depth` its outline level, `kind` none, ordered, plain, or "" where it does not say."""

    depth: int
    kind: str
    scheme: str = ""
    start: int = 1


def _bullet(properties: XmlElement | None) -> _Bullet:
    """Clauses 21.1.2.2.7 (pPr) and 21.1.2.4 (bullets)."""
    if properties is None:
        return _Bullet(0, "")
    depth = integer(properties.get("lvl"))
    for tag, kind in (("a:buNone", "none"), ("a:buAutoNum", "ordered"), ("a:buChar", "plain"), ("a:buBlip", "plain")):
        found = child(properties, tag)
        if found is not None:
            return _Bullet(depth, kind, found.get("type", ""), integer(found.get("startAt"), 1))
    return _Bullet(depth, "")


def _runs_of(paragraph: XmlElement, links: Links) -> Iterator[tree.Run]:
    for node in paragraph.iter():
        if node.tag == "a:br":
            yield tree.Run("\n")
        elif node.tag == "m:t":
            yield tree.Run(node.text or "")
        elif node.tag in ("a:r", "a:fld"):
            properties = child(node, "a:rPr")
            formats, url = _formats(properties, links)
            yield tree.Run((child_text(node, "a:t") or "").replace("\v", "\n"), formats, url)


def _formats(properties: XmlElement | None, links: Links) -> tuple[frozenset[str], str]:
    if properties is None:
        return frozenset(), ""
    formats = set()
    if properties.get("b") in _TRUE:
        formats.add("strong")
    if properties.get("i") in _TRUE:
        formats.add("em")
    if properties.get("strike", "noStrike") != "noStrike":
        formats.add("del")
    click = child(properties, "a:hlinkClick")
    return frozenset(formats), links.url(click.get("r:id")) if click is not None else ""
