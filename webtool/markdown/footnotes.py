"""Footnotes: which links of a document are references to notes, and which elements are those notes.

In: the tree. Out: the labels. Recognised is the markup that Markdown converters write (GitHub, Pandoc, Python-Markdown,
kramdown, DPUB-ARIA), WordPress and Substack; other superscript links stay links. GFM's notation is [^label] and
[^label]: text.
"""

from __future__ import annotations

from webtool.html.node import Element

_REFERENCE_CLASSES = frozenset(
    ("footnote", "footnote-ref", "footnoteref", "footnote-reference", "fn-ref", "footnote-anchor")
)
_SECTION_CLASSES = frozenset(
    ("footnotes", "footnote", "footnotes-list", "footnote-list", "footnotedefs", "wp-block-footnotes")
)
NUMBER = "footnote-number"
"""The class of the number before a note of Substack's, which has its id."""
_BACK_CLASSES = frozenset(
    ("footnote-backref", "footnote-back", "reversefootnote", "data-footnote-backref", "fn-backref")
)


def _is(element: Element, data: str, role: str, names: frozenset[str]) -> bool:
    attrs = element.attrs
    is_named = attrs.get("role") == role or not names.isdisjoint(attrs.get("class", "").split())
    return is_named or data in attrs or "data-fn" in attrs  # WordPress


def is_reference(link: Element) -> bool:
    """Whether an a element refers to a footnote."""
    around = link.parent
    is_marked = around is not None and around.tag == "sup" and _is(around, "data-footnote-ref", "", _REFERENCE_CLASSES)
    return is_marked or _is(link, "data-footnote-ref", "doc-noteref", _REFERENCE_CLASSES)


def is_back_link(link: Element) -> bool:
    """Whether an a element leads from a footnote back to the text."""
    return link.attrs.get("rev") == "footnote" or _is(link, "data-footnote-backref", "doc-backlink", _BACK_CLASSES)


def is_section(element: Element) -> bool:
    """Whether an element holds the document's footnotes."""
    return _is(element, "data-footnotes", "doc-endnotes", _SECTION_CLASSES)


def labels_of(root: Element) -> dict[str, str]:
    """The ids of all notes that a reference names, each with its label; numbers in the order of the references."""
    references: list[str] = []
    notes: set[str] = set()
    stack: list[tuple[object, bool]] = [(iter(root.children), False)]
    while stack:
        rest, in_section = stack[-1]
        for node in rest:  # type: ignore[attr-defined]
            attrs = node.attrs
            if attrs:
                if node.tag == "a" and is_reference(node):
                    references.append(attrs.get("href", "").partition("#")[2])
                elif "id" in attrs and (
                    (in_section and (node.tag == "li" or attrs.get("class") == NUMBER))
                    or attrs.get("role") == "doc-footnote"
                ):
                    notes.add(attrs["id"])
            if node.children:
                stack.append((iter(node.children), in_section or (bool(attrs) and is_section(node))))
                break
        else:
            stack.pop()
    known = [name for name in dict.fromkeys(references) if name in notes]
    return {name: str(number) for number, name in enumerate(known, 1)}
