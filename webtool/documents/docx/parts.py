"""The parts of a Word document beside its body: footnotes, endnotes, comments, heads and feet.

In: an Archive and the main part. Out: elements by id, with the relationships of their part.
Specification: ECMA-376 part 1, clauses 11.3 (parts), 17.10 (heads and feet), 17.11 (notes), 17.13.4 (comments).
"""

from __future__ import annotations

from webtool.documents.archive import Links

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NamedTuple
    from xml.etree.ElementTree import Element as XmlElement

    from webtool.documents.archive import Archive
else:
    from webtool.lean.records import NamedTuple

NOTE_KINDS = ("footnote", "endnote", "comment")
_MAX_HEADS = 60  # three heads and three feet for each of ten sections


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
