"""Overlays: menus, dialogs, tooltips and banners, which open over a page. In: an element. Out: whether it is one.
Tests: tests/visibility/test_panels.py
"""

from __future__ import annotations

from webtool.html.node import Element, around
from webtool.lean import patterns
from webtool.lean.memory import Remembered

_MAX_AROUND = 30  # ancestors that may be an overlay or the page's header
_MAX_NAMES = 400  # characters of class, id and data-testid together
_ROLES = frozenset((
    "dialog", "alertdialog", "tooltip", "menu", "menubar", "listbox", "alert", "status", "navigation", "search",
    "combobox", "banner", "log", "progressbar",
))  # fmt: skip
_is_named_as_overlay = patterns.GuardedPattern(
    "menu|nav|modal|popup|popover|dialog|overlay|cookie|consent|tooltip|toast|search|drawer|dropdown|offcanvas|slide|"
    "login|signup|pagin|paging|banner|lightbox|share|clone|autocomplete|suggest|minicart|reader|sr-only|visually|mm-",
    r"(?i)menu|nav|modal|popup|popover|dialog|overlay|cookie|consent|tooltip|toast|search|drawer|dropdown|"
    r"offcanvas|slide-?out|login|signup|paging|paginat|banner|lightbox|share|clone|autocomplete|suggest|minicart|screen-?reader|sr-only|visually|(?<![a-z])mm-",
).search
# By names: pages repeat them, and a dictionary answers ten times as fast as the pattern.
_overlay_names = Remembered(lambda names: bool(_is_named_as_overlay(names)))


def names_of(element: Element) -> str:
    """Return the element's class, id and data-testid attributes, joined by spaces."""
    attrs = element.attrs
    if not attrs:
        return ""
    return f"{attrs.get('class', '')} {attrs.get('id', '')} {attrs.get('data-testid', '')}"[:_MAX_NAMES]


def is_overlay(element: Element) -> bool:
    """Return whether an element's role or names are those of an overlay: `<div class=cookie-banner>`."""
    attrs = element.attrs
    if "role" in attrs and attrs["role"].strip().lower() in _ROLES:
        return True
    return _overlay_names[names_of(element)]


def is_in_overlay(element: Element) -> bool:
    """Return whether an element is inside an overlay, or in the page's header or navigation."""
    for box in around(element, _MAX_AROUND):
        role = box.attrs.get("role")
        if box.tag in ("nav", "dialog") or (role in _ROLES and role != "listbox"):  # filters of shops are listboxes
            return True
        if box.tag == "header" and box.parent is not None and box.parent.tag in ("body", "div"):
            return True
        if box.tag in ("article", "main"):
            return False
    return False
