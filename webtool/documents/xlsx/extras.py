"""What a sheet of a workbook holds beside its cells: comments, text boxes, charts. In: relationships. Out: a Sheet.

Specification: ECMA-376 part 1, clauses 18.7 (comments), 20.5 (drawings on sheets).
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.documents import NODE, charts
from webtool.documents.archive import Archive, Links
from webtool.documents.sheets import Sheet
from webtool.documents.tree import element, markdown
from webtool.documents.xmltree import child, children, integer
from webtool.html.node import Element
from webtool.lean.typing import XmlElement
from webtool.running.budget import Budget, Spent

_THREADED = "[Threaded comment]"  # what Excel writes for programs that know no replies, then the comment itself
_MAX_DRAWINGS = 200


def add(sheet: Sheet, archive: Archive, links: Links, budget: Budget) -> None:
    """Add the comments and drawings that a sheet's part is related to, as far as the budget goes."""
    try:
        _add(sheet, archive, links, budget)
    except Spent:
        pass  # the note says so


def _add(sheet: Sheet, archive: Archive, links: Links, budget: Budget) -> None:
    for link in links.values():
        if link.is_external or link.kind not in ("comments", "drawing"):
            continue
        root = archive.optional_xml(link.target, is_kept=False)
        if root is None:
            continue
        if link.kind == "comments":
            _add_comments(sheet, root, budget)
        elif len(sheet.blocks) < _MAX_DRAWINGS:
            made = _drawn(root, archive, archive.relationships(link.target), budget)
            sheet.blocks.extend(block for item in made if (block := markdown([item]).strip("\n")))


def _add_comments(sheet: Sheet, root: XmlElement, budget: Budget) -> None:
    authors = [item.text or "" for item in children(root, "x:authors", "x:author")]
    for item in children(root, "x:commentList", "x:comment"):
        said = child(item, "x:text")
        text = "".join(node.text or "" for node in said.iter("x:t")) if said is not None else ""
        if text.startswith(_THREADED):
            text = text.partition("\n")[2].partition(":\n")[2] or text
        budget.take(len(text) + NODE)
        number = integer(item.get("authorId"), len(authors))
        author = authors[number] if number < len(authors) else ""
        # Excel opens a comment with its author's name.
        sheet.add_comment(item.get("ref", "")[:20], text.removeprefix(f"{author}:"), author)


def _drawn(root: XmlElement, archive: Archive, links: Links, budget: Budget) -> Iterator[Element]:
    """Paragraphs of text boxes, and charts."""
    for count, node in enumerate(item for item in root.iter() if item.tag in ("a:p", *charts.GRAPHICS)):
        if count >= _MAX_DRAWINGS:
            break
        if node.tag == "a:p":
            text = "".join(item.text or "" for item in node.iter("a:t")).strip()
            budget.take(len(text) + NODE)
            yield element("p", [text] if text else [])
        else:
            yield from charts.graphic(node, archive, links, budget)
