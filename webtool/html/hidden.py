"""Which elements a page hides. Tree in, the hidden elements with the reason out; nothing is changed.

Seen are the hidden and aria-hidden attributes, inline styles, the simple rules of style elements (webtool.html.sheets) and
the usual class names. Without layout some things stay guesses; where one would swallow the page, the text stays: a
container that holds most of the text is not hidden (pages fade in by script), and something inside a hidden container
that makes itself visible again brings it back. Specification: HTML section 15.3.1, CSS Display 3, CSS Color 4, CSS
Transforms 1; sizes that count as invisible are this module's.
"""

from __future__ import annotations

import re

from webtool.html.declarations import style_of
from webtool.html.sheets import Sheet, read_sheets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.html.declarations import Style
    from webtool.html.node import Element

_HIDING_CLASSES = frozenset(
    "screen-reader-text screen-reader-only sr-only visually-hidden visuallyhidden visually-hidden-focusable "
    "sr-only-focusable assistive-text element-invisible element-hidden d-none invisible hidden is-hidden u-hidden "
    "u-visually-hidden a11y-hidden hidden-visually offscreen off-screen show-for-sr".split()
)
# "hidden md:block", "d-none d-lg-flex": hidden on small screens only.
_shown_again = re.compile(
    r"(?:^|\s)(?:(?:sm|md|lg|xl|2xl|print|group-[a-z]+)\\?:(?:block|flex|grid|inline|table|contents|visible|not-sr-only)"
    r"|d-(?:sm|md|lg|xl|xxl)-(?:block|flex|grid|inline|table)|show\b|active\b|in\b)",
    re.I,
).search
_hiding_word = re.compile(r"hidden|invisible|d-none|sr-only|screen|assistive|off-?screen|show-for-sr", re.I).search
# Attributes and classes by which scripts of fade-in effects find what they will show.
_ANIMATED = ("data-aos", "data-w-id", "data-animate", "data-animation", "data-framer-appear-id", "data-scroll", "data-sal")
_animated_class = re.compile(r"(?:^|[\s_-])(?:wow|aos|fade|reveal|animat\w*|animate__\w+|lazy\w*)", re.I).search
_MOST = 0.6  # share of the document's text that no element can hide
_FEW = 40  # characters: below this there is no document to save

HIDDEN_DEFAULT = frozenset(("script", "style", "template", "noscript", "head", "title"))


def find_hidden(root: Element) -> dict[Element, str]:
    """The outermost hidden elements below `root`, each with its reason: "hidden", "aria-hidden", "class", or a CSS property.

    Linear in the size of the tree (style rules per element are bounded).
    """
    search = _Search(root)
    search.walk(root)
    return search.without_most()


class _Open:
    """An element that is open in the walk."""

    __slots__ = ("background", "colour", "element", "rest", "soft", "start")

    def __init__(self, element: Element, background: str | None, colour: str | None, soft: tuple[str, ...], start: int):
        self.element = element
        self.rest = iter(element.children)
        self.background = background
        self.colour = colour
        self.soft = soft
        self.start = start


class _Search:
    """One walk: collects candidates and how much text each holds."""

    def __init__(self, root: Element) -> None:
        self.sheet, has_links = read_sheets(root)
        # Without style sheets of its own the page is black on white, as browsers begin.
        self.page_background = None if has_links else "#ffffff"
        self.found: dict[Element, str] = {}
        self.length: dict[Element, int] = {}
        self.open_soft: dict[str, list[Element]] = {"font-size": [], "visibility": [], "color": []}
        self.total = 0

    def walk(self, root: Element) -> None:
        """Visit every element once."""
        styles: dict[str, Style] = {}
        sheet: Sheet | None = self.sheet
        stack = [_Open(root, self.page_background, None, (), 0)]
        while stack:
            top = stack[-1]
            for node in top.rest:
                tag = node.tag
                if tag is None:
                    self.total += len(node.text) if not node.text.isspace() else 0
                    continue
                if tag in HIDDEN_DEFAULT or tag[0] in "#!":
                    continue
                attrs = node.attrs
                if not attrs and (sheet is None or not sheet.has_types):
                    stack.append(_Open(node, top.background, top.colour, (), self.total))
                    break
                self._enter(node, top, styles, stack)  # type: ignore[arg-type]
                break
            else:
                stack.pop()
                self._leave(top)

    def _enter(self, element: Element, top: _Open, styles: dict[str, Style], stack: list[_Open]) -> None:
        attrs = element.attrs
        style: Style = {}
        if self.sheet is not None:
            style = self.sheet.style_for(element)
        text = attrs.get("style")
        if text:
            own = styles.get(text)
            if own is None:
                own = styles[text] = style_of(text[:5000])
            style = {**style, **own} if style else own
        background, colour = top.background, top.colour
        if "bgcolor" in attrs or "background" in attrs:
            background = _attribute_colour(attrs.get("bgcolor", ""))
        if style and "background" in style:
            background = style["background"]
        own_colour = style.get("colour") if style else None
        if element.tag == "font" and "color" in attrs:
            own_colour = own_colour or _attribute_colour(attrs["color"])
        soft: tuple[str, ...] = ()
        reason = _by_attribute(element) or (_by_style(element, style) if style else None)
        if own_colour is not None:
            colour = own_colour
            if _same_colour(colour, background):
                reason = reason or "color"
            else:
                self._bring_back("color")
        if style:
            if style.get("font-size") == "visible":
                self._bring_back("font-size")
            if style.get("visibility") == "visible":
                self._bring_back("visibility")
        if reason is not None:
            self.found[element] = reason
            if reason in self.open_soft:
                self.open_soft[reason].append(element)
                soft = (reason,)
        stack.append(_Open(element, background, colour, soft, self.total))

    def _bring_back(self, reason: str) -> None:
        """Something inside elements hidden for `reason` is visible after all, so they are not dropped."""
        for element in self.open_soft[reason]:
            self.found.pop(element, None)
        self.open_soft[reason].clear()

    def _leave(self, top: _Open) -> None:
        for reason in top.soft:
            if self.open_soft[reason] and self.open_soft[reason][-1] is top.element:
                self.open_soft[reason].pop()
        if top.element in self.found:
            self.length[top.element] = self.total - top.start

    def without_most(self) -> dict[Element, str]:
        """What was found, without the elements that hold most of the text."""
        most = self.total * _MOST
        if self.total < _FEW:
            return self.found
        return {
            element: reason
            for element, reason in self.found.items()
            if self.length.get(element, 0) <= most or reason in ("hidden", "display")
        }


def _by_attribute(element: Element) -> str | None:
    attrs = element.attrs
    if "hidden" in attrs and attrs["hidden"].strip().lower() != "until-found":
        return "hidden"
    if "aria-hidden" in attrs and attrs["aria-hidden"].strip().lower() == "true":
        return "aria-hidden"
    names = attrs.get("class")
    if names and _hiding_word(names) and not _HIDING_CLASSES.isdisjoint(names.lower().split()) and not _shown_again(names):
        return "class"
    if element.tag == "svg" and attrs.get("width", "").strip() == "0" and attrs.get("height", "").strip() == "0":
        return "size"
    return None


def _by_style(element: Element, style: Style) -> str | None:
    reason = style.get("hides")
    if reason in ("opacity", "visibility") and _is_animated(element):
        return None
    return reason


def _is_animated(element: Element) -> bool:
    attrs = element.attrs
    if any(name in attrs for name in _ANIMATED) or _animated_class(attrs.get("class", "")):
        return True
    return "transform" in attrs.get("style", "") or "transition" in attrs.get("style", "")


def _attribute_colour(value: str) -> str | None:
    return style_of(f"color:{value}").get("colour")


def _same_colour(colour: str, background: str | None) -> bool:
    """Whether text of `colour` cannot be told from `background`; both "#rrggbb"."""
    if background is None or len(background) != 7 or len(colour) != 7:
        return False
    return all(abs(int(colour[i : i + 2], 16) - int(background[i : i + 2], 16)) <= 8 for i in (1, 3, 5))
