"""Find controls, which open something, and overlays, which open over a page. In: elements. Out: verdicts, ids.

Overlays are menus, dialogs, tooltips and banners, known by their roles and names. A control is known by its tag
(button, summary, label), its role ("tab", "button"), an attribute such as aria-controls or data-bs-toggle, or its class
name ("read-more", "accordion-arrow"). A link to an id of the page only counts if it is a control or in a list of tabs.
Controls with aria-haspopup open menus, which are not content.
Specification: WAI-ARIA 1.2 (aria-controls, aria-expanded, aria-haspopup).
Tests: tests/visibility/test_panels.py
"""

from __future__ import annotations

from collections.abc import Container
from itertools import islice

from webtool.css.elements import TARGETS, PageElements
from webtool.html.elements import role_of
from webtool.html.node import SILENT, Element, around, nodes_below
from webtool.lean import patterns
from webtool.lean.memory import Remembered
from webtool.urls.hosts import percent_decode

_MAX_AROUND = 30  # ancestors that may be an overlay or the page's header
MAX_OVERLAY_NAMES = 400  # characters of class, id and data-testid together
_MAX_CLASS = 400  # characters of a class attribute
_MAX_TABS_DEPTH = 3  # ancestors of a link that may be a list of tabs
_MAX_IDS = 8  # ids that are read of one attribute such as aria-controls
_MAX_ID_TEXT = 500  # characters that are read of an attribute with ids
_MAX_NODES = 200  # nodes of a box that are looked at
_ROLES = frozenset((
    "dialog", "alertdialog", "tooltip", "menu", "menubar", "listbox", "alert", "status", "navigation", "search",
    "combobox", "banner", "log", "progressbar",
))  # fmt: skip
# The first list only makes the search fast: the pattern is tried on text that contains one of these words.
_is_named_as_overlay = patterns.GuardedPattern(
    "menu|nav|modal|popup|popover|dialog|overlay|cookie|consent|tooltip|toast|search|drawer|dropdown|offcanvas|slide|"
    "login|signup|pagin|paging|banner|lightbox|share|clone|autocomplete|suggest|minicart|reader|sr-only|visually|mm-",
    r"(?i)menu|nav|modal|popup|popover|dialog|overlay|cookie|consent|tooltip|toast|search|drawer|dropdown|"
    r"offcanvas|slide-?out|login|signup|paging|paginat|banner|lightbox|share|clone|autocomplete|suggest|minicart|screen-?reader|sr-only|visually|(?<![a-z])mm-",
).search
# Pages repeat names, and a dictionary answers ten times as fast as the pattern.
_are_names_of_overlay = Remembered(lambda names: bool(_is_named_as_overlay(names)))


def names_of(element: Element) -> str:
    """Return the element's class, id and data-testid attributes, joined by spaces."""
    attrs = element.attrs
    if not attrs:
        return ""
    return f"{attrs.get('class', '')} {attrs.get('id', '')} {attrs.get('data-testid', '')}"[:MAX_OVERLAY_NAMES]


def is_overlay(element: Element) -> bool:
    """Return whether an element's role or names are those of an overlay: `<div class=cookie-banner>`."""
    attrs = element.attrs
    if role_of(attrs) in _ROLES:
        return True
    return _are_names_of_overlay[names_of(element)]


def is_in_overlay(element: Element) -> bool:
    """Return whether an element is inside an overlay, or in the page's header or navigation.

    Overlays around it count by tag or role only, since page builders give such names to boxes of ordinary text.
    """
    is_in_header = False  # an article has a header of its own: `<article><div><header>`
    for box in around(element, _MAX_AROUND):
        role = role_of(box.attrs)
        if box.tag in ("nav", "dialog") or (role in _ROLES and role != "listbox"):  # filters of shops are listboxes
            return True
        if box.tag in ("article", "main"):
            return False
        if box.tag == "header" and box.parent is not None and box.parent.tag in ("body", "div"):
            is_in_header = True
    return is_in_header


# "btn-primary", "read-more", "slick-next", "tab-link", "navTab"; not "table", "stable" or "narrow"
_NAMED_AS_CONTROL = patterns.compile(
    r"(?i)btn|button|toggle|more|accordion|trigger|(?<!n)arrow|slick|swiper|next"
    r"|(?:(?<![a-z])|nav|(?-i:(?=Tab)))tab(?!le|lo|ul|oo)"
)
# "tabs", "nav tab-list", "tab_menu"; not "table"
_NAMED_AS_TABS = patterns.compile(
    r"(?i)(?:^|[\s_-])(?:tabs?|tab-?(?:list|nav|bar|menu|links?|titles?|set))(?:$|[\s_-])"
)


class Controls:
    """The controls of one page, outside of its hidden elements."""

    def __init__(self, page: PageElements, hidden: Container[Element]) -> None:
        self._page = page
        self._hidden = hidden
        self._targets: set[str] | None = None  # None until targets() is called
        self._boxes: dict[Element, bool] = {}  # answers of are_in()

    def are_in(self, box: Element) -> bool:
        """Return whether one of the first visible elements in a box is a control."""
        if box not in self._boxes:
            self._boxes[box] = any(
                isinstance(node, Element) and node.tag not in SILENT and node not in self._hidden and _opens(node)
                for node in islice(nodes_below(box, self._hidden), _MAX_NODES)
            )
        return self._boxes[box]

    def targets(self) -> set[str]:
        """Return the ids that the page's controls name, without those of menus."""
        if self._targets is None:
            targets = self._targets = set()
            for node in self._page.notable:
                attrs = node.attrs
                if "aria-haspopup" in attrs:
                    continue
                for name in TARGETS.intersection(attrs):
                    targets.update(word.lstrip("#") for word in attrs[name][:_MAX_ID_TEXT].split()[:_MAX_IDS])
            for node in self._page.by_type.get("a", ()):
                attrs = node.attrs
                is_inside = attrs.get("href", "")[:1] == "#" and "aria-haspopup" not in attrs
                if is_inside and (_is_control(attrs) or _is_in_tabs(node)):
                    targets.update((attrs["href"][1:], percent_decode(attrs["href"][1:])))
        return self._targets


def _opens(element: Element) -> bool:
    """Return whether an element may open something: its tag, attributes or class names are those of a control."""
    attrs = element.attrs
    if element.tag in ("button", "summary", "label") or "aria-controls" in attrs or "onclick" in attrs:
        return True
    if _is_control(attrs) or (element.tag == "a" and attrs.get("href", "").startswith(("#", "javascript"))):
        return True
    return "class" in attrs and bool(_NAMED_AS_CONTROL.search(attrs["class"][:_MAX_CLASS]))


def _is_control(attrs: dict[str, str]) -> bool:
    names = ("aria-expanded", "aria-selected", "data-toggle", "data-bs-toggle")
    return role_of(attrs) in ("tab", "button") or any(name in attrs for name in names)


def _is_in_tabs(link: Element) -> bool:
    boxes = [box for box in around(link, _MAX_TABS_DEPTH) if box.attrs]
    return any(role_of(box.attrs) == "tablist" or _NAMED_AS_TABS.search(names_of(box)) for box in boxes)
