"""Tell which paragraphs of a slide are list items. In: a:pPr, styles, layouts. Out: bullets, lists as HTML elements.

A paragraph's own bullet property comes first, then the styles of its shape, of the placeholder in the slide's layout,
and of the slide master. Without any of them it is an item.
Specification: ECMA-376 part 1, clauses 19.3.1.39 (layouts), 21.1.2.4 (bullets and numbers).
Tests: tests/documents/test_office.py
"""

from __future__ import annotations

from webtool.documents import tree
from webtool.documents.archive import Archive, Links
from webtool.documents.tree import Child
from webtool.documents.xmltree import attribute, child, integer
from webtool.lean.records import NamedTuple
from webtool.lean.typing import XmlElement

Items = dict[int, bool]  # by depth: whether paragraphs without a bullet property are list items

_ALL_ITEMS = dict.fromkeys(range(tree.MAX_DEPTH + 1), True)
# Numbers that markdown lacks (clause 20.1.10.61), by scheme: "alphaLcParenBoth" -> ("a", "({})") for (a), (b), (c).
_LABELS = {
    f"{script}{signs}": (digits, form)
    for script, digits in (("alphaLc", "a"), ("alphaUc", "A"), ("romanLc", "i"), ("romanUc", "I"))
    for signs, form in (("Period", "{}."), ("ParenR", "{})"), ("ParenBoth", "({})"))
}


class Bullet(NamedTuple):
    depth: int  # its outline level, from 0
    kind: str  # "none", "ordered", "plain"; "" if the layout decides
    scheme: str = ""  # how an ordered list is numbered, e.g. "arabicPeriod"
    start: int = 1


def bullet(properties: XmlElement | None) -> Bullet:
    """Read the bullet of a paragraph from its a:pPr (clauses 21.1.2.2.7 and 21.1.2.4)."""
    depth = min(integer(attribute(properties, "lvl")), tree.MAX_DEPTH)
    for tag, kind in (("a:buNone", "none"), ("a:buAutoNum", "ordered"), ("a:buChar", "plain"), ("a:buBlip", "plain")):
        own = child(properties, tag)
        if own is not None:
            return Bullet(depth, kind, own.get("type", ""), integer(own.get("startAt"), 1))
    return Bullet(depth, "")


class Layouts:
    """Bullets of the placeholders in the layouts of a presentation, each layout read once."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._layouts: dict[str, dict[str, Items]] = {}  # by name of a layout and index of a placeholder

    def items(self, shape: XmlElement, links: Links) -> Items:
        """Return which paragraphs of a placeholder are items; `links` are those of its slide."""
        name = links.first("slideLayout") or ""
        if name not in self._layouts:
            self._layouts[name] = self._read(name)
        layout_items = self._layouts[name].get(_index(shape)) or self._layouts[name][""]
        return {**layout_items, **_own_items(shape)}

    def _read(self, name: str) -> dict[str, Items]:
        """Read a layout and its master, whose bullets have the key ""."""
        layout = self._archive.side_xml(name, is_kept=False)
        master = self._archive.side_xml(self._archive.relationships(name).first("slideMaster"), is_kept=False)
        general = {**_ALL_ITEMS, **_items_of(child(master, "p:txStyles", "p:bodyStyle"))}
        shapes = [] if layout is None else list(layout.iter("p:sp"))
        return {**{_index(shape): {**general, **_own_items(shape)} for shape in shapes}, "": general}


def _index(shape: XmlElement) -> str:
    """Return the number by which a placeholder of a slide and that of its layout belong together."""
    return attribute(shape, "p:nvSpPr", "p:nvPr", "p:ph", "idx")


def _items_of(styles: XmlElement | None) -> Items:
    """Return which levels of an a:lstStyle have bullets; levels without a bullet property are left out."""
    bullets = {depth: bullet(child(styles, f"a:lvl{depth + 1}pPr")).kind for depth in _ALL_ITEMS}
    return {depth: kind != "none" for depth, kind in bullets.items() if kind}


def _own_items(shape: XmlElement) -> Items:
    return _items_of(child(shape, "p:txBody", "a:lstStyle"))


class Lists:
    """Puts the paragraphs of one text body into `builder`; `items` decides on those without a bullet property."""

    def __init__(self, items: Items) -> None:
        self.builder = tree.BlockBuilder()
        self._items = items
        self._last: dict[int, tuple[Bullet, int]] = {}  # by depth: bullet and number of the last item of each open list

    def add(self, bullet: Bullet, content: list[Child]) -> None:
        """Append a paragraph as an item, or as a paragraph."""
        depth = bullet.depth
        # A paragraph ends deeper lists, and one of its own depth with another bullet.
        self._last = {at: item for at, item in self._last.items() if at < depth or item[0] == bullet}
        has_no_bullet = bullet.kind == "none" or (bullet.kind == "" and not self._items.get(depth))
        if bullet.kind == "none" and depth:  # indented without a bullet: it continues the item above
            self.builder.add_to_item(tree.element("p", content), depth - 1)
        elif has_no_bullet:
            self.builder.add_block(tree.element("p", content))
        elif bullet.kind == "ordered":
            number = self._last[depth][1] + 1 if depth in self._last else bullet.start
            self._last[depth] = bullet, number
            if bullet.scheme in _LABELS:
                digits, form = _LABELS[bullet.scheme]
                self.builder.add_item(content, depth, label=form.format(tree.numeral(number, digits)))
            else:
                self.builder.add_item(content, depth, number)
        else:
            self.builder.add_item(content, depth)
