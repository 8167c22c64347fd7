"""The parts of a Word document beside its body: footnotes, endnotes, comments, heads, feet and charts.

In: an Archive and the main part. Out: elements by id, with the relationships of their part.
Specification: ECMA-376 part 1, clauses 11.3 (parts), 17.10 (heads and feet), 17.11 (notes), 17.13.4 (comments).
"""

from __future__ import annotations

from webtool.documents import charts
from webtool.documents.tree import collapse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NamedTuple
    from xml.etree.ElementTree import Element as XmlElement

    from webtool.documents.archive import Archive, Relationship
    from webtool.html.node import Element
    from webtool.running.budget import Budget
else:
    from webtool.lean.records import NamedTuple

NOTE_KINDS = ("footnote", "endnote", "comment")
_MAX_HEADS = 60  # three heads and three feet for each of ten sections


class Part(NamedTuple):
    """Elements of one part of the package and what they may link to. `bodies` are by id."""

    bodies: dict[str, XmlElement]
    links: dict[str, Relationship]


def notes(archive: Archive, part: str) -> dict[str, Part]:
    """Footnotes, endnotes and comments, without the separators that are stored as notes."""
    found: dict[str, Part] = {}
    for kind in NOTE_KINDS:
        name = archive.part_of_kind(part, f"{kind}s")
        root = archive.optional_xml(name)
        items = [item for item in (root if root is not None else ()) if item.get("w:type", "normal") == "normal"]
        found[kind] = Part(
            {item.get("w:id", ""): item for item in items}, archive.relationships(name) if name and items else {}
        )
    return found


def heads(archive: Archive, links: dict[str, Relationship], kind: str) -> Iterator[Part]:
    """The heads or feet ("header", "footer") of all sections, each part once."""
    names = dict.fromkeys(link.target for link in links.values() if link.kind == kind and not link.is_external)
    for name in list(names)[:_MAX_HEADS]:
        root = archive.optional_xml(name, is_kept=False)
        if root is not None:
            yield Part({"": root}, archive.relationships(name))


def author(comment: XmlElement) -> str:
    """Who wrote a comment, as its text begins."""
    name = collapse(comment.get("w:author", ""))
    return f"Comment ({name[:100]}): " if name else "Comment: "


def graphic(node: XmlElement, archive: Archive, links: dict[str, Relationship], budget: Budget) -> list[Element]:
    """The numbers of a chart, or the texts of a diagram, that an element of a drawing refers to. Raises Spent."""
    link = links.get(node.get("r:id" if node.tag == "c:chart" else "r:dm", ""))
    root = archive.optional_xml(link.target, is_kept=False) if link and not link.is_external else None
    if root is None:
        return []
    return charts.blocks(root, budget) if node.tag == "c:chart" else charts.diagram(root, budget)
