"""PowerPoint presentations (pptx) as markdown. In: a Source. Out: a Document.

Each slide is a section under its title: text, lists by outline level, tables, charts, diagrams, what is said of its
pictures, then the speaker's notes. Hidden slides, slide numbers and footers are left out.
Specification: ECMA-376 part 1, PresentationML (clause 19), DrawingML (clause 21).
"""

from __future__ import annotations

from webtool.documents import NODE, Document, Source, charts, heads
from webtool.documents.archive import Archive
from webtool.documents.tree import ListBuilder, Run, alt_text, collapse, element, inlines, markdown, table
from webtool.documents.xmltree import child, child_text, children
from webtool.running.budget import Spent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NamedTuple
    from xml.etree.ElementTree import Element as XmlElement

    from webtool.documents.archive import Relationship
    from webtool.documents.tree import Child
    from webtool.html.node import Element
    from webtool.running.budget import Budget
else:
    from webtool.lean.records import NamedTuple

_TITLES = ("title", "ctrTitle")
_FURNITURE = frozenset(("sldNum", "ftr", "dt", "hdr", "sldImg"))
_BODIES = frozenset(("body", "obj", "subTitle"))
_LISTS = frozenset(("body", "obj"))


def convert(source: Source) -> Document:
    """The slides' text in order. Raises ExtractFailed for a damaged file."""
    archive = Archive(source)
    title = archive.core_title()
    part = archive.main_part("ppt/presentation.xml")
    links = archive.relationships(part)
    names = [links[key].target for item in archive.xml(part).iter("p:sldId") if (key := item.get("r:id", "")) in links]
    reader = _Reader(archive, source.budget, _authors(archive, part))
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
    note = f"{reader.hidden:,} hidden slides were left out." if reader.hidden else ""
    return Document(title or reader.title, markdown(blocks, source.url), source.kind, note)


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
        archive, budget = self._archive, self._budget
        links = archive.relationships(name)
        shape = _title_shape(slide)
        lines = shape.iter("a:p") if shape is not None else ()
        title = collapse(" ".join("".join(run.text for run in _runs(line, links, budget)) for line in lines))
        self.title = self.title or title
        self.blocks.append(element("h2", [title or f"Slide {self._count}"]))
        for block in _contents(slide, shape, archive, links, budget):
            self.blocks.append(block)
        self.blocks.extend(_notes(archive, name, budget))
        self.blocks.extend(_comments(archive, name, self._authors, budget))
        self.feet.append(_feet(slide, budget))


def _feet(slide: XmlElement, budget: Budget) -> list[Element]:
    """What a slide says in its footer, which most slides repeat."""
    bodies = [child(shape, "p:txBody") for shape in _shapes(slide) if _placeholder(shape) in ("ftr", "hdr")]
    return [block for body in bodies if body is not None for block in _text(body, {}, False, budget)]


def _authors(archive: Archive, part: str) -> dict[str, str]:
    """Who comments, by id (clause 19.4.2)."""
    root = archive.optional_xml(archive.part_of_kind(part, "commentAuthors"), is_kept=False)
    return {item.get("id", ""): item.get("name", "") for item in root} if root is not None else {}


def _comments(archive: Archive, part: str, authors: dict[str, str], budget: Budget) -> list[Element]:
    """What was said of a slide (clause 19.4.1; newer files have it as DrawingML text)."""
    root = archive.optional_xml(archive.part_of_kind(part, "comments"), is_kept=False)
    items: list[Element] = []
    for item in root if root is not None else ():
        lines = [line for line in item.iter() if line.tag in ("p:text", "a:p")]
        texts = ["".join(node.text or "" for node in line.iter() if node.tag in ("p:text", "a:t")) for line in lines]
        text = collapse(" ".join(texts))
        author = collapse(authors.get(item.get("authorId", ""), ""))[:100]
        budget.take(len(text) + NODE)
        if text:
            items.append(element("li", [f"{author}: {text}" if author else text]))
    return [element("p", [element("strong", ["Comments:"])]), element("ul", items)] if items else []


def _title_shape(slide: XmlElement) -> XmlElement | None:
    return next((s for s in _shapes(slide) if _placeholder(s) in _TITLES and child(s, "p:txBody") is not None), None)


def _contents(
    slide: XmlElement, title: XmlElement | None, archive: Archive, links: dict[str, Relationship], budget: Budget
) -> Iterator[Element]:
    """The blocks of a slide but for its title. Raises Spent."""
    for shape in _shapes(slide):
        if shape.tag == "p:graphicFrame":
            for found in shape.iter("a:tbl"):
                yield _table(found, links, budget)
            yield from _graphic(shape, archive, links, budget)
        elif shape.tag == "p:pic":
            yield from _picture(shape, links)
        else:
            kind = _placeholder(shape)
            body = child(shape, "p:txBody")
            if body is not None and kind not in _FURNITURE and shape is not title:
                yield from _text(body, links, kind in _LISTS, budget)


def _graphic(frame: XmlElement, archive: Archive, links: dict[str, Relationship], budget: Budget) -> Iterator[Element]:
    """A chart's numbers, or the texts of a diagram as a list. Raises Spent."""
    for node in frame.iter():
        link = links.get(node.get("r:id" if node.tag == "c:chart" else "r:dm", ""))
        part = archive.optional_xml(link.target, is_kept=False) if link and not link.is_external else None
        if part is not None:
            yield from charts.blocks(part, budget) if node.tag == "c:chart" else charts.diagram(part, budget)


def _picture(shape: XmlElement, links: dict[str, Relationship]) -> list[Element]:
    """A picture on the web as an image; one inside the file, which nobody can fetch, as its alternative text."""
    properties = child(shape, "p:nvPicPr", "p:cNvPr")
    alt = alt_text(properties.get("descr", "")) if properties is not None else ""
    link = next((links.get(blip.get("r:link", "")) for blip in shape.iter("a:blip")), None)
    if link and link.is_external and link.target.startswith(("http://", "https://")):
        return [element("p", [element("img", src=link.target, alt=alt)])]
    return [element("p", [alt])] if alt else []


def _notes(archive: Archive, part: str, budget: Budget) -> list[Element]:
    """The speaker's notes of a slide, under a line that says so."""
    notes = archive.optional_xml(archive.part_of_kind(part, "notesSlide"), is_kept=False)
    blocks: list[Element] = []
    for shape in _shapes(notes) if notes is not None else ():
        body = child(shape, "p:txBody")
        if body is not None and _placeholder(shape) in _BODIES:
            blocks.extend(_text(body, {}, False, budget))
    return [element("p", [element("strong", ["Notes:"])]), *blocks] if blocks else []


def _shapes(slide: XmlElement) -> Iterator[XmlElement]:
    """Shapes and frames in order, those of groups too; of alternatives the first."""
    stack = [iter(slide)]
    while stack:
        for node in stack[-1]:
            if node.tag in ("p:sp", "p:graphicFrame", "p:pic"):
                yield node
            elif node.tag in ("p:cSld", "p:spTree", "p:grpSp", "mc:AlternateContent", "mc:Choice"):
                stack.append(iter(node))
                break
        else:
            stack.pop()


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


def _text(body: XmlElement, links: dict[str, Relationship], is_list: bool, budget: Budget) -> list[Element]:
    """Paragraphs, or items of a list with the depth that the outline level says."""
    blocks: list[Element] = []
    builder = ListBuilder()
    for paragraph in body.iter("a:p"):
        runs = list(_runs(paragraph, links, budget))
        if not "".join(run.text for run in runs).strip():
            continue
        bullet = _bullet(child(paragraph, "a:pPr"))
        item = builder.last_item(bullet.depth - 1) if bullet.kind == "none" and bullet.depth else None
        if item is not None:
            item.append(element("p", inlines(runs)))  # further in, without a bullet: it goes on with the item above
        elif bullet.kind == "none" or (not is_list and not bullet.kind):
            builder = ListBuilder()
            blocks.append(element("p", inlines(runs)))
        else:
            known = len(builder.top)
            builder.add(inlines(runs), bullet.depth, bullet.kind == "ordered", bullet.start, bullet.scheme)
            blocks.extend(builder.top[known:])
    return blocks


def _bullet(properties: XmlElement | None) -> _Bullet:
    """Clauses 21.1.2.2.7 (pPr) and 21.1.2.4 (bullets)."""
    if properties is None:
        return _Bullet(0, "")
    text = properties.get("lvl", "0")
    depth = int(text) if text.isdigit() and len(text) == 1 else 0
    for tag, kind in (("a:buNone", "none"), ("a:buAutoNum", "ordered"), ("a:buChar", "plain"), ("a:buBlip", "plain")):
        found = child(properties, tag)
        if found is not None:
            start = found.get("startAt", "1")
            return _Bullet(depth, kind, found.get("type", ""), int(start) if start.isdigit() and len(start) < 6 else 1)
    return _Bullet(depth, "")


def _runs(paragraph: XmlElement, links: dict[str, Relationship], budget: Budget) -> Iterator[Run]:
    """The text of a paragraph with its formats. Raises Spent."""
    for run in _runs_of(paragraph, links):
        budget.take(NODE + len(run.text) + len(run.url))
        yield run


def _runs_of(paragraph: XmlElement, links: dict[str, Relationship]) -> Iterator[Run]:
    for node in paragraph.iter():
        if node.tag == "a:br":
            yield Run("\n")
        elif node.tag == "m:t":
            yield Run(node.text or "")
        elif node.tag in ("a:r", "a:fld"):
            properties = child(node, "a:rPr")
            formats, url = _formats(properties, links)
            yield Run((child_text(node, "a:t") or "").replace("\v", "\n"), formats, url)


def _formats(properties: XmlElement | None, links: dict[str, Relationship]) -> tuple[frozenset[str], str]:
    if properties is None:
        return frozenset(), ""
    formats = set()
    if properties.get("b") in ("1", "true"):
        formats.add("strong")
    if properties.get("i") in ("1", "true"):
        formats.add("em")
    if properties.get("strike", "noStrike") != "noStrike":
        formats.add("del")
    click = child(properties, "a:hlinkClick")
    link = links.get(click.get("r:id", "")) if click is not None else None
    return frozenset(formats), link.target if link and link.is_external else ""


def _table(found: XmlElement, links: dict[str, Relationship], budget: Budget) -> Element:
    rows: list[list[list[Child]]] = []
    try:
        for row in found.iter("a:tr"):
            rows.append([])
            for cell in children(row, "a:tc"):
                budget.take(NODE)
                rows[-1].append(_cell(cell, links, budget))
    except Spent:
        pass  # the rows so far; the note says so
    return table(rows)


def _cell(cell: XmlElement, links: dict[str, Relationship], budget: Budget) -> list[Child]:
    content: list[Child] = []
    if cell.get("hMerge") in ("1", "true") or cell.get("vMerge") in ("1", "true"):
        return content
    for paragraph in cell.iter("a:p"):
        runs = list(_runs(paragraph, links, budget))
        if "".join(run.text for run in runs).strip():
            content.extend([element("br")] if content else [])
            content.extend(inlines(runs))
    return content
