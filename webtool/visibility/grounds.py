"""What lies behind text. In: a colour, an element. Out: whether text of that colour is seen there."""

from __future__ import annotations

from webtool.css.colours import is_same_colour
from webtool.css.declarations import Style, style_of
from webtool.html.node import Element, around

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.css.sheets import Sheet

MAX_STYLE = 5000  # characters of a style attribute that are read
_MAX_AROUND = 60  # ancestors whose background is asked for
_PAGE = "page"  # the background that nothing has set: white
_PAINTED = frozenset(("img", "picture", "video", "canvas", "svg", "iframe"))


class Grounds:
    """The backgrounds of one page. `is_whole` says that it links no style sheets: it is black on white then, where it
    does not say otherwise."""

    def __init__(self, sheet: Sheet | None, is_whole: bool) -> None:
        self._sheet = sheet
        self._is_whole = is_whole
        self._grounds: dict[Element, str | None] = {}

    def hide(self, colour: str, element: Element) -> bool:
        """Whether text of `colour` has the colour of what is behind it, as far as that is known."""
        ground = self._ground_of(element)
        if ground == _PAGE:
            unread = self._sheet is not None and self._sheet.has_unread_backgrounds()
            return not unread and is_same_colour(colour, "#ffffff")
        return is_same_colour(colour, ground)

    def _ground_of(self, element: Element) -> str | None:
        """The colour behind an element's text: "#rrggbb", _PAGE, or None where it is not known.

        A picture may be behind what is placed over its siblings; a linked sheet may colour what has a class.
        """
        passed: list[Element] = []
        ground: str | None = _PAGE if self._is_whole else None
        at: Element | None = element
        while at is not None and len(passed) < _MAX_AROUND:
            if at in self._grounds:
                ground = self._grounds[at]
                break
            passed.append(at)
            own = self._painted(at)
            if own is not None:
                ground = own or None
                break
            at = at.parent
        for one in passed:
            self._grounds[one] = ground
        return ground

    def put_away(self, element: Element, stands: str) -> bool:
        """Whether nobody sees an element that stands "below" what is painted around it, or "outside" the box that it
        is placed in: then this is the page. What a linked sheet may say of a class or an id is not known."""
        for at in around(element, _MAX_AROUND):
            if at.tag in ("body", "html"):
                return stands == "outside"
            style = style_at(at, self._sheet)
            if stands == "below" and style.get("background"):
                return "stacking" not in style
            is_known = self._is_whole or {"class", "id"}.isdisjoint(at.attrs)
            if "stacking" in style or (stands == "outside" and "position" in style) or not is_known:
                return False
        return False

    def _painted(self, element: Element) -> str | None:
        """The element's own background, "" where it is not known, None where one sees through."""
        attrs = element.attrs
        style = style_at(element, self._sheet)
        if "background" in style:
            return style["background"]
        if "bgcolor" in attrs or "background" in attrs:
            return attribute_colour(attrs.get("bgcolor", "")) or ""
        if not self._is_whole and ("class" in attrs or "id" in attrs):
            return ""
        return "" if "position" in style and _may_be_painted(element) else None


def style_at(element: Element, sheet: Sheet | None) -> Style:
    """What the sheet, if there is one, and the style attribute say of an element."""
    text = element.attrs.get("style", "")[:MAX_STYLE]
    return sheet.style_of(element, text) if sheet is not None else style_of(text) if text else {}


def attribute_colour(value: str) -> str | None:
    """The colour that an attribute such as bgcolor names."""
    return style_of(f"color:{value}").get("colour")


def _may_be_painted(element: Element) -> bool:
    """Whether something that may lie under an element's text stands before it among its siblings, or in it."""
    if any(child.tag in _PAINTED for child in element.children):
        return True
    for sibling in element.parent.children[:_MAX_AROUND] if element.parent is not None else ():
        if sibling is element:
            return False
        if sibling.tag is not None and sibling.tag[0] not in "#!":
            return True
    return True
