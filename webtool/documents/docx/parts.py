"""The parts of a Word document, and ways through their elements. In: an Archive, elements. Out: elements.

Parts are the footnotes, endnotes, comments, heads and feet beside the body, each with the relationships of its part.
Specification: ECMA-376 part 1, clauses 11.3 (parts), 17.2, 17.4, 17.5.2 (content controls), 17.10 (heads and feet),
17.11 (notes), 17.13 (comments, revisions).
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.documents.archive import Archive, Links
from webtool.documents.charts import GRAPHICS
from webtool.documents.xmltree import outermost
from webtool.lean.records import NamedTuple
from webtool.lean.typing import XmlElement

NOTE_KINDS = ("footnote", "endnote", "comment")
_MAX_HEADS = 60  # three heads and three feet for each of ten sections
FORMULAS = ("m:oMath", "m:oMathPara")
PICTURES = ("w:drawing", "w:pict")
TEXT_BOX = "w:txbxContent"
_LINKS = ("w:hyperlink", "w:fldSimple")
# Contents that are not part of the text: what was deleted or moved away, properties, the second form of a drawing,
# how to pronounce what it stands above.
_SKIPPED = frozenset((
    "w:del", "w:moveFrom", "w:pPr", "w:rPr", "w:tblPr", "w:sdtPr", "w:sectPr", "mc:Fallback", "w:instrText",
    "w:delText", "w:rt",
))  # fmt: skip


class Part(NamedTuple):
    """Elements of one part of the package and what they may link to. `bodies` are by id."""

    bodies: dict[str, XmlElement]
    links: Links


def notes(archive: Archive, part: str) -> dict[str, Part]:
    """Footnotes, endnotes and comments, without the separators that are stored as notes."""
    found: dict[str, Part] = {}
    for kind in NOTE_KINDS:
        name = archive.part_of_kind(part, f"{kind}s")
        root = archive.optional_xml(name)
        items = [item for item in (root if root is not None else ()) if item.get("w:type", "normal") == "normal"]
        links = archive.relationships(name) if name and items else Links()
        found[kind] = Part({item.get("w:id", ""): item for item in items}, links)
    return found


def heads(archive: Archive, links: Links, kind: str) -> Iterator[Part]:
    """The heads or feet ("header", "footer") of all sections, each part once."""
    for name in links.of_kind(kind)[:_MAX_HEADS]:
        root = archive.optional_xml(name, is_kept=False)
        if root is not None:
            yield Part({"": root}, archive.relationships(name))


def blocks_in(container: XmlElement) -> Iterator[XmlElement]:
    """Paragraphs and tables, through content controls and the like, in order."""
    return outermost(container, ("w:p", "w:tbl", "w:altChunk"), skipped=_SKIPPED)


def paragraphs_in(cell: XmlElement) -> Iterator[XmlElement]:
    """All paragraphs of a cell, those of tables inside it too, each before those of its text boxes."""
    return outermost(cell, ("w:p",), skipped=_SKIPPED, nested=True)


def inline_walk(paragraph: XmlElement) -> Iterator[tuple[str, XmlElement]]:
    """Open events for all that may show something, close events for links, deleted ones for what was deleted.

    Formulas and pictures are not entered.
    """
    stack: list[tuple[XmlElement, Iterator[XmlElement]]] = [(paragraph, iter(paragraph))]
    while stack:
        parent, rest = stack[-1]
        for node in rest:
            tag = node.tag
            if tag in _SKIPPED and tag != "w:instrText":
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


def drawn_in(paragraph: XmlElement) -> Iterator[XmlElement]:
    """Text boxes, charts and diagrams of a paragraph in order, not those inside of text boxes.

    The fallback of a drawing, which holds the same text again, is skipped.
    """
    return outermost(paragraph, (TEXT_BOX, *GRAPHICS), skipped=_SKIPPED)


def children_named(parent: XmlElement, tag: str) -> Iterator[XmlElement]:
    """Rows of a table or cells of a row, through content controls, but not those of a table inside."""
    return outermost(parent, (tag,), ("w:sdt", "w:sdtContent", "w:customXml", "w:ins"))
