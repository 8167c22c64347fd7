"""The notes of a Word document, and ways through elements. In: an Archive, elements. Out: elements.

Specification: ECMA-376 part 1, clauses 11.3 (parts), 17.2, 17.4, 17.5.2 (content controls), 17.11 (notes), 17.13
(comments, revisions).
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.documents.archive import Archive, Links
from webtool.documents.charts import GRAPHICS
from webtool.documents.xmltree import outermost
from webtool.lean.records import NamedTuple
from webtool.lean.typing import XmlElement

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


class Part(NamedTuple):
    """Elements of one part of the package and what they may link to. `bodies` are by id."""

    bodies: dict[str, XmlElement]
    links: Links


def notes(archive: Archive, related: Links) -> dict[str, Part]:
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
