"""Find the footnotes of a document: which links are references to notes, and which elements are those notes.

In: the tree. Out: labels for GFM's notation, [^label] for a reference and "[^label]: text" for the note.

Recognised are two kinds. Marked notes have the classes or roles of Markdown converters (GitHub, Pandoc,
Python-Markdown, kramdown, DPUB-ARIA), WordPress and Substack. Linked notes have only links: a number that leads to a
paragraph or list item from which another link leads back (Word, LibreOffice, Google Docs, MediaWiki, AsciiDoc,
DocBook). All other links stay links.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from webtool.html.elements import role_of
from webtool.html.node import Element, around, short_text
from webtool.lean import patterns

_REFERENCE = "data-footnote-ref"  # attribute of a reference
_REFERENCE_CLASSES = frozenset("footnote footnote-ref footnoteref footnote-reference fn-ref footnote-anchor".split())
_SECTION_CLASSES = frozenset("footnotes footnote footnotes-list footnote-list footnotedefs wp-block-footnotes".split())
NUMBER = "footnote-number"  # class of the number before a Substack note; this element has the note's id
_BACK_CLASSES = frozenset("footnote-backref footnote-back reversefootnote data-footnote-backref fn-backref".split())
_is_back_address = patterns.compile(r"#(?:fn|footnote|note)-?_?(?:ref|back)").match
_BACK_SIGNS = frozenset("^ ↑ ↩ ↩\ufe0e ⏎ ↵ [^]".split())
# The text of a reference: 1, [1], (a), *, or "note 1".
_MARK = patterns.compile(r"[\[(]?(?:[0-9]{1,3}|[a-z*†‡§¶]|[a-z]{2,12} [0-9]{1,3})[\])]?")
_NOTES = frozenset(("li", "p", "div", "aside"))  # elements that may be one linked note
_INLINE = frozenset(("a", "sup", "span", "b", "strong", "em", "i", "small", "font"))
_MAX_AROUND = 8  # ancestors of a link or a place that are looked at
_MAX_SIBLINGS = 300  # siblings of a link; with more, the element before it is not looked at
_MAX_BACK_LINKS = 20  # links to one place that are looked at


def _is_marked_as(element: Element, data: str, role: str, names: frozenset[str]) -> bool:
    """Whether the element has the data attribute, the role (unless "") or one of the class names."""
    attrs = element.attrs
    is_named = (bool(role) and role_of(attrs) == role) or not names.isdisjoint(attrs.get("class", "").split())
    return is_named or data in attrs or "data-fn" in attrs  # data-fn: WordPress


def is_reference(link: Element) -> bool:
    """Whether a link is marked as a reference to a footnote."""
    parent = link.parent
    if parent is not None and parent.tag == "sup" and _is_marked_as(parent, _REFERENCE, "", _REFERENCE_CLASSES):
        return True
    return _is_marked_as(link, _REFERENCE, "doc-noteref", _REFERENCE_CLASSES)


def is_back_link(link: Element) -> bool:
    """Whether a link is marked as leading from a footnote back to the text."""
    if _is_back_address(link.attrs.get("href", "")) and short_text(link).strip() in _BACK_SIGNS:
        return True  # LessWrong: <a href="#fnref1">^</a>
    is_marked = _is_marked_as(link, "data-footnote-backref", "doc-backlink", _BACK_CLASSES)
    return is_marked or link.attrs.get("rev") == "footnote"


def is_section(element: Element) -> bool:
    """Whether an element is marked as holding the document's footnotes."""
    return _is_marked_as(element, "data-footnotes", "doc-endnotes", _SECTION_CLASSES)


def _anchor_before(link: Element) -> list[Element]:
    """Return the empty a element before a link, if any, as a list: Project Gutenberg's books name places so."""
    siblings = link.parent.children if link.parent is not None else []
    index = siblings.index(link) if len(siblings) <= _MAX_SIBLINGS else 0
    return [node for node in siblings[max(index - 1, 0) : index] if node.tag == "a" and not node.children]  # type: ignore[misc]


def may_refer(link: Element, href: str) -> bool:
    """Whether a link may refer to a footnote: it is marked so, or it is a number that leads to a place in the page."""
    return is_reference(link) or (href[0] == "#" and _MARK.fullmatch(short_text(link).strip()) is not None)


class Notes:
    """Find the footnotes of the tree below `root`.

    - labels: id of a note, as references name it -> its label. Labels count the notes in the order of their references.
    - blocks: element of a linked note -> its label. Marked notes are not in it.
    - back_links: the links in `blocks` that lead back to the text.
    """

    def __init__(self, root: Element) -> None:
        self._references: list[tuple[str, Element]] = []  # (id that it names, link), for links that may refer
        self._places: dict[str, Element] = {}  # id -> element
        self._links: dict[str, list[Element]] = {}  # id -> links to it
        self._back_links: dict[Element, list[Element]] = {}  # possible linked note -> links in it that lead back
        marked = self._marked_in(root)
        candidates = {name: self._linked_note(name, link) for name, link in self._references if name not in marked}
        counts: dict[Element | None, int] = {}
        for block in candidates.values():
            counts[block] = counts.get(block, 0) + 1
        # An element that several ids lead to is a list of notes, not one note.
        linked = {name: block for name, block in candidates.items() if block is not None and counts[block] == 1}
        names = [name for name, _ in self._references if name in marked or name in linked]
        self.labels = {name: str(number) for number, name in enumerate(dict.fromkeys(names), 1)}
        self.blocks = {block: self.labels[name] for name, block in linked.items()}
        self.back_links = {link for block in self.blocks for link in self._back_links[block]}

    def _marked_in(self, root: Element) -> set[str]:
        """Return the ids of the marked notes; collect references, places and links on the way."""
        notes: set[str] = set()
        stack: list[tuple[object, bool]] = [(iter(root.children), False)]
        while stack:
            rest, in_section = stack[-1]
            for node in rest:  # type: ignore[attr-defined]
                attrs = node.attrs
                if attrs:
                    is_in_list = in_section and (node.tag == "li" or attrs.get("class") == NUMBER)
                    if "id" in attrs and (is_in_list or role_of(attrs) == "doc-footnote"):
                        notes.add(attrs["id"])
                    self._collect(node)
                if node.children:
                    stack.append((iter(node.children), in_section or (bool(attrs) and is_section(node))))
                    break
            else:
                stack.pop()
        return notes

    def _collect(self, element: Element) -> None:
        """Remember the element if it is a place (has an id), a link to one, or a possible reference."""
        attrs = element.attrs
        for name in filter(None, (attrs.get("id"), attrs.get("name") if element.tag == "a" else None)):
            self._places.setdefault(name, element)
        href = attrs.get("href", "") if element.tag == "a" else ""
        if "#" in href:
            name = href.partition("#")[2]
            self._links.setdefault(name, []).append(element)
            if is_reference(element) or (name not in self._places and may_refer(element, href)):
                self._references.append((name, element))

    def _linked_note(self, name: str, link: Element) -> Element | None:
        """Return the block that a link leads to, if a link in it leads back to the link or to an element around it."""
        place = self._places.get(name)
        if place is None:
            return None
        boxes = (place, *around(place, _MAX_AROUND))
        block = next((box for box in boxes if box.tag not in _INLINE), None)
        if block is None or block.tag not in _NOTES or block in around(link, _MAX_AROUND):
            return None
        near_link = (link, *_anchor_before(link), *around(link, 2))
        names = [element.attrs[key] for element in near_link for key in ("id", "name") if key in element.attrs]
        to_link = [candidate for name in names for candidate in self._links.get(name, ())[:_MAX_BACK_LINKS]]
        back_links = [candidate for candidate in to_link if block in around(candidate, _MAX_AROUND)]
        self._back_links.setdefault(block, []).extend(back_links)
        return block if back_links else None
