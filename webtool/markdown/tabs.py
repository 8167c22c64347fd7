"""The text of the tab that shows a panel. In: the panel. Out: the text; "" where nothing says it, or the panel does.

Known are WAI-ARIA's tabs (a panel that is labelled by its tab, or the panels of a list of tabs in their order) and
those of MkDocs Material and VitePress, which are labels of check boxes.
"""

from __future__ import annotations

from itertools import islice

from webtool.html.node import Element, short_text, walk
from webtool.markdown.naming import Labels

_LISTS = frozenset(("tabbed-labels", "tabs", "tabs__list"))
_MAX_PANELS = 20
_MAX_LEVELS = 3  # of boxes around the panels, beside which the tabs are looked for
_MAX_NODES = 60  # of a list of tabs, and of a panel's beginning
_MAX_LABEL = 60  # characters


def label_of(panel: Element, labels: Labels) -> str:
    """The tab's text."""
    label = labels.of(panel) if "aria-labelledby" in panel.attrs else _by_place(panel)
    if not 0 < len(label) <= _MAX_LABEL or not any(map(str.isalpha, label)):
        return ""
    texts = (node.text.strip() for event, node in islice(walk(panel), _MAX_NODES) if event == "text")
    return "" if next(filter(None, texts), "").strip(" :").lower() == label.lower() else label


def _by_place(panel: Element) -> str:
    """The text of the tab that stands where the panel does among the panels."""
    box = panel.parent
    if box is None or len(box.children) > _MAX_NODES:
        return ""
    role = panel.attrs.get("role")
    panels = [node for node in box.children if isinstance(node, Element) and node.attrs.get("role") == role]
    if not 1 < len(panels) <= _MAX_PANELS:
        return ""
    around = panel
    for _ in range(_MAX_LEVELS):
        siblings = around.parent.children if around.parent is not None else []
        at = siblings.index(around) if 0 < len(siblings) <= _MAX_NODES else 0
        before = siblings[max(0, at - _MAX_PANELS) : at] if around is panel else siblings[max(0, at - 3) : at]
        tabs = [tab for node in before if isinstance(node, Element) for tab in _tabs_in(node)]
        if tabs:
            return tabs[panels.index(panel)] if len(panels) == len(tabs) else ""
        around = around.parent or around
    return ""


def _tabs_in(element: Element) -> list[str]:
    """The texts of the tabs of a list of tabs, which the element is or holds."""
    found: list[str] = []
    stack, seen = [(element, False)], 0
    while stack and seen < _MAX_NODES:
        node, is_in = stack.pop()
        seen += 1
        attrs = node.attrs
        if attrs.get("role") == "tabpanel":
            continue
        is_in = is_in or attrs.get("role") == "tablist" or not _LISTS.isdisjoint(attrs.get("class", "").split())
        if is_in and (attrs.get("role") == "tab" or node.tag == "label"):
            found.append(" ".join(short_text(node).split()))
        else:
            stack += [(child, is_in) for child in reversed(node.children[:_MAX_NODES]) if isinstance(child, Element)]
    return found
