"""Footnotes: which links of a document are references to notes, and which elements are those notes.

In: the tree. Out: the labels. Recognised is the markup that Markdown converters write (GitHub, Pandoc, Python-Markdown,
kramdown, DPUB-ARIA), WordPress and Substack, and what all others do: a number that leads to a paragraph or an item
from which a link leads back to it (Word, LibreOffice, Google Docs, MediaWiki, AsciiDoc, DocBook). Other links stay
links. GFM's notation is [^label] and [^label]: text.
"""

from __future__ import annotations

from webtool.html.node import Element, around, short_text
from webtool.lean import patterns

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


_is_mark = patterns.compile(r"[\[(]?(?:[0-9]{1,3}|[a-z*†‡§¶]|[a-z]{2,12} [0-9]{1,3})[\])]?").fullmatch
_NOTES = frozenset(("li", "p", "div", "aside"))  # what holds a note and nothing else
_INLINE = frozenset(("a", "sup", "span", "b", "strong", "em", "i", "small", "font"))
_NEAR = 8  # elements around a link that are looked at
_MANY_NODES = 300  # among which a link's place is looked for
_MANY = 20  # links to one place that are looked at


def _anchor_before(link: Element) -> list[Element]:
    """The empty a element before a link, which was the way to name a place: Gutenberg's books have it."""
    siblings = link.parent.children if link.parent is not None else []
    at = siblings.index(link) if len(siblings) <= _MANY_NODES else 0
    return [one for one in siblings[max(at - 1, 0) : at] if one.tag == "a" and not one.children]  # type: ignore[misc]


def may_refer(link: Element, href: str) -> bool:
    """Whether a link may be a reference: it is marked as one, or is a number that leads elsewhere in the page."""
    return is_reference(link) or (href[0] == "#" and _is_mark(short_text(link).strip()) is not None)


class Notes:
    """The footnotes of the tree below `root`."""

    def __init__(self, root: Element) -> None:
        self._references: list[tuple[str, Element]] = []
        self._places: dict[str, Element] = {}
        self._links: dict[str, list[Element]] = {}
        self._back_links: dict[Element, list[Element]] = {}
        marked = self._marked_in(root)
        notes = {name: self._told_by_links(name, link) for name, link in self._references if name not in marked}
        counts: dict[Element | None, int] = {}
        for block in notes.values():
            counts[block] = counts.get(block, 0) + 1
        told = {name: block for name, block in notes.items() if block is not None and counts[block] == 1}
        known = [name for name, _ in self._references if name in marked or name in told]
        self.labels = {name: str(number) for number, name in enumerate(dict.fromkeys(known), 1)}
        """By the ids that references name; numbers in the order of the references."""
        self.blocks = {block: self.labels[name] for name, block in told.items()}
        """The notes that only links tell, with their labels."""
        self.back_links = {link for block in self.blocks for link in self._back_links[block]}
        """The links in these that lead back."""

    def _marked_in(self, root: Element) -> set[str]:
        """The ids of what is marked as a note; on the way, what refers to what is noted."""
        notes: set[str] = set()
        stack: list[tuple[object, bool]] = [(iter(root.children), False)]
        while stack:
            rest, in_section = stack[-1]
            for node in rest:  # type: ignore[attr-defined]
                attrs = node.attrs
                if attrs:
                    if "id" in attrs and (
                        (in_section and (node.tag == "li" or attrs.get("class") == NUMBER))
                        or attrs.get("role") == "doc-footnote"
                    ):
                        notes.add(attrs["id"])
                    self._note(node)
                if node.children:
                    stack.append((iter(node.children), in_section or (bool(attrs) and is_section(node))))
                    break
            else:
                stack.pop()
        return notes

    def _note(self, element: Element) -> None:
        attrs = element.attrs
        for name in filter(None, (attrs.get("id"), attrs.get("name") if element.tag == "a" else None)):
            self._places.setdefault(name, element)
        href = attrs.get("href", "") if element.tag == "a" else ""
        if "#" in href:
            name = href.partition("#")[2]
            self._links.setdefault(name, []).append(element)
            if is_reference(element) or (name not in self._places and may_refer(element, href)):
                self._references.append((name, element))

    def _told_by_links(self, name: str, link: Element) -> Element | None:
        """The block that a link leads to, if a link in it leads back to the link or to what is around it."""
        place = self._places.get(name)
        block = next((one for one in (place, *around(place, _NEAR)) if one.tag not in _INLINE), None) if place else None
        if block is None or block.tag not in _NOTES or block in around(link, _NEAR):
            return None
        places = (link, *_anchor_before(link), *around(link, 2))
        names = [one.attrs[key] for one in places for key in ("id", "name") if key in one.attrs]
        back = [one for name in names for one in self._links.get(name, ())[:_MANY] if block in around(one, _NEAR)]
        self._back_links.setdefault(block, []).extend(back)
        return block if back else None
