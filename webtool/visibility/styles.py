"""Styles of a page's elements, and backgrounds below their text. In: a tree. Out: Styles, and whether text blends in.

A Style is the dictionary that webtool.css.declarations describes. If the page links no style sheets, `is_complete` is
true: its own rules are all there are, and where none sets a colour the page is black on white. Linked sheets are not
fetched. Style elements in noscript are left out: lazy loaders hide placeholder pictures with them.
Tests: tests/visibility/test_hidden.py
"""

from __future__ import annotations

from collections.abc import Iterable

from webtool.css.colours import colour_of, is_same_colour
from webtool.css.declarations import MAX_STYLE, Style, custom_properties_of, style_of
from webtool.css.elements import PageElements
from webtool.html.node import Document, Element, around, listed, top_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.css.sheets import Sheet

_MAX_TEXT = 2_000_000  # characters of all style elements together; the rest is not read
_MAX_MEDIA = 5000  # characters of a media attribute that are read
_MAX_AROUND = 60  # ancestors that are asked for a background or a place; also earlier siblings
_PAGE = "page"  # the background if nothing sets one: white
_PICTURES = frozenset(("img", "picture", "video", "canvas", "svg", "iframe"))
# Class -> rules of a linked style sheet that very many shops use; they are read if the page has the class and links
# sheets. Shopify's theme Dawn writes each price twice, for sales and for other days, and product names on cards twice.
_LINKED_RULES = {
    ".price__regular": ".price__sale,.price__availability,.price__badge-sale,.price__badge-sold-out,"
    ".price--on-sale .price__regular{display:none}.price--on-sale .price__sale,.price--on-sale .price__badge-sale,"
    ".price--sold-out .price__badge-sold-out,.price--sold-out .price__availability{display:block}",
    ".card__information": ".card--media .card__inner .card__information,.card--standard.card--text>.card__content "
    ".card__heading,.card--card.card--text .card__inner{display:none}",
    ".product__title": ".product__title>a{display:none}",
}


def read_sheets(root: Element) -> tuple[Sheet | None, bool, PageElements]:
    """Read the style elements of a document.

    In quirks mode, case does not count in classes and ids.

    Returns their Sheet (None if they have no rules of use), whether the document links style sheets, and its elements.
    """
    root = top_of(root)
    page = PageElements(listed(root))
    has_links = any("stylesheet" in node.attrs.get("rel", "").lower() for node in page.by_type.get("link", ()))
    texts = _texts_of(page.by_type.get("style", ()))
    class_names = {"." + name for name in page.class_names}
    if has_links:
        texts[:0] = [rules for name, rules in _LINKED_RULES.items() if name in class_names]
    if not texts and not page.variables:
        return None, has_links, page
    from webtool.css.selector_text import in_page_case  # one page in three needs no sheet
    from webtool.css.sheets import Sheet

    page_names = class_names.union(page.by_id, page.by_type)  # ".class", "#id" and types
    backgrounds = set() if has_links else _backgrounds_of(page)
    sheet = Sheet(page_names, page.variables, backgrounds, is_complete=not has_links)
    sheet.variables.note_uses(page.variables_named)
    spellings = _spellings(page_names) if isinstance(root, Document) and root.quirks else {}
    unread = _MAX_TEXT
    for text in texts:
        sheet.read(in_page_case(text[:unread], spellings) if spellings else text[:unread])
        unread = max(0, unread - len(text))
    sheet.judge()
    return (sheet if sheet.is_of_use() else None), has_links, page


def _spellings(page_names: set[str]) -> dict[str, list[str]]:
    """Return the page's ".class" and "#id" by their lower case."""
    spellings: dict[str, list[str]] = {}
    for name in sorted(page_names):
        if name[0] in ".#" and name.isascii():
            spellings.setdefault(name.lower(), []).append(name)
    return spellings


def _backgrounds_of(page: PageElements) -> set[str]:
    """Return the colours of the backgrounds that attributes set, and of all variables in them: "--bg: #333"."""
    colours = {attribute_colour(node.attrs["bgcolor"]) for node in page.notable if "bgcolor" in node.attrs}
    for text in {node.attrs["style"][:MAX_STYLE] for node in page.notable if "style" in node.attrs}:
        if "background" in text.lower():
            colours.add(style_of(text).get("background"))
        colours.update(map(colour_of, custom_properties_of(text).values()))
    return {colour for colour in colours if colour}


def _texts_of(styles: Iterable[Element]) -> list[str]:
    """Return the text of the style elements that are CSS for a screen, outside of noscript."""
    texts: list[str] = []
    for style in styles:
        is_css = style.attrs.get("type", "").strip().lower() in ("", "text/css")
        is_fallback = style.parent is not None and style.parent.tag == "noscript"
        if is_css and not is_fallback and _is_for_screen(style.attrs.get("media")):
            texts.append("".join([child.text for child in style.children]))
    return texts


def _is_for_screen(media: str | None) -> bool:
    if media is None:
        return True
    from webtool.css.conditions import matches_screen

    return matches_screen(media[:_MAX_MEDIA])


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
        passed: list[Element] = []  # transparent elements, and the one that decides
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
