"""Styles of a page's elements, and backgrounds below their text. In: a tree. Out: Styles, and whether text blends in.

A Style is the dictionary that webtool.css.declarations describes. If the page links no style sheets, `is_complete` is
true: its own rules are all there are, and where none sets a colour the page is black on white.
Tests: tests/visibility/test_hidden.py
"""

from __future__ import annotations

from webtool.css.colours import is_same_colour
from webtool.css.declarations import Style, style_of
from webtool.css.style_elements import read_sheets
from webtool.html.node import Element, around

MAX_STYLE = 5000  # characters of a style attribute; the rest is not read
_MAX_AROUND = 60  # ancestors that are asked for a background or a place; also siblings
_PAGE = "page"  # the background if nothing sets one: white
_PICTURES = frozenset(("img", "picture", "video", "canvas", "svg", "iframe"))


class PageStyles:
    """The style sheet of one page and its elements."""

    def __init__(self, root: Element) -> None:
        self.sheet, has_links, self.page = read_sheets(root)
        self.is_complete = not has_links
        self.is_webflow = any("data-wf-page" in node.attrs for node in root.children if node.tag == "html")
        self._backgrounds: dict[Element, str | None] = {}

    def style_at(self, element: Element) -> Style:
        """Return the element's Style from all rules and its style attribute."""
        text = element.attrs.get("style", "")[:MAX_STYLE]
        if self.sheet is not None:
            return self.sheet.style_of(element, text)
        return style_of(text) if text else {}

    def is_blended(self, colour: str, element: Element) -> bool:
        """Return whether text of this colour ("#rrggbb") has the colour of its background, as far as that is known."""
        background = self._background_below(element)
        if background == _PAGE:
            is_unknown = self.sheet is not None and self.sheet.has_unread_backgrounds()
            return not is_unknown and is_same_colour(colour, "#ffffff")
        return is_same_colour(colour, background)

    def _background_below(self, element: Element) -> str | None:
        """Return the colour below an element's text: "#rrggbb", _PAGE, or None if it is not known."""
        passed: list[Element] = []
        background: str | None = _PAGE if self.is_complete else None
        node: Element | None = element
        while node is not None and len(passed) < _MAX_AROUND:
            if node in self._backgrounds:
                background = self._backgrounds[node]
                break
            passed.append(node)
            own = self._own_background(node)
            if own is not None:
                background = own or None
                break
            node = node.parent
        for node in passed:
            self._backgrounds[node] = background
        return background

    def _own_background(self, element: Element) -> str | None:
        """Return the element's own background: "#rrggbb", "" if it is unknown, None if it is transparent.

        It is unknown if a linked sheet may colour the element's class, or if a picture may be below a placed element.
        """
        attrs = element.attrs
        style = self.style_at(element)
        if "background" in style:
            return style["background"]
        if "bgcolor" in attrs or "background" in attrs:
            return attribute_colour(attrs.get("bgcolor", "")) or ""
        if not self.is_complete and ("class" in attrs or "id" in attrs):
            return ""
        return "" if "position" in style and _may_have_picture_below(element) else None

    def is_placed_away(self, element: Element, place: str) -> bool:
        """Return whether nobody sees an element because of its place.

        "below" is unseen if an ancestor up to the stacking context paints a background over it. "outside" is unseen if
        the containing block is the page itself. Ancestors that a linked sheet may style count as seen.
        """
        for box in around(element, _MAX_AROUND):
            if box.tag in ("body", "html"):
                return place == "outside"
            style = self.style_at(box)
            if place == "below" and style.get("background"):
                return "stacking" not in style
            is_known = self.is_complete or {"class", "id"}.isdisjoint(box.attrs)
            if "stacking" in style or (place == "outside" and "position" in style) or not is_known:
                return False
        return False


def attribute_colour(value: str) -> str | None:
    """Return the colour that an attribute such as bgcolor names, as "#rrggbb"; None if it is not a colour."""
    return style_of(f"color:{value}").get("colour")


def _may_have_picture_below(element: Element) -> bool:
    """Return whether a placed element's text may be painted over a picture: one inside it, or an earlier sibling."""
    if any(child.tag in _PICTURES for child in element.children):
        return True
    if element.parent is None:
        return True
    for sibling in element.parent.children[:_MAX_AROUND]:
        if sibling is element:
            return False
        if sibling.tag is not None and sibling.tag[0] not in "#!":
            return True
    return True
