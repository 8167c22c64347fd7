"""What a link is called that shows no text. In: the a element. Out: its name, or "".

The order is that of the accessible name computation (Accname 1.2): what aria-labelledby refers to, where it shows;
aria-label, the text for screen readers that is in it, the title of a graphic, the description of a picture, its own
title.
"""

from __future__ import annotations

from collections.abc import Container
from itertools import islice

from webtool.html.elements import HEADINGS
from webtool.html.node import Element, Node, around, by_id, elements, short_text, top_of, walk

_ABOVE = 4  # elements around a heading that what it opens may be beside
_MAX_SIBLINGS = 2000  # among which that is looked for
_MAX_IDS = 4  # that one aria-labelledby may name
_MAX_NODES = 60  # of a link that are looked at
_MAX_LENGTH = 120  # characters of a name
_SILENT = frozenset(("script", "style", "template", "noscript", "#comment", "desc", "button"))  # which has its own name
_MARKS = frozenset("¶ # § ⓘ \u21a9 \ufe0e \u2693 \U0001f517 ∞ ⚓ ◆".split())
_AROUND = " \n\t" + "".join(_MARKS)  # what may stand around the text of a heading
_ANCHOR_CLASSES = frozenset((
    "headerlink", "header-anchor", "anchor", "anchorjs-link", "anchor-link", "hash-link", "heading-anchor",
    "heading-link", "headinglink", "permalink", "direct-link", "headeranchor-link", "header-link", "octicon-link",
    "anchor-heading", "sl-anchor-link", "section-link", "heading-anchor-link", "linkjs-icon",
))  # fmt: skip


def _element_before(element: Element) -> Node | None:
    siblings = element.parent.children if element.parent is not None else []
    before = siblings[: siblings.index(element)] if len(siblings) <= _MAX_SIBLINGS else []
    return next((node for node in reversed(before) if node.tag not in (None, "#comment")), None)


class Labels:
    """What aria-labelledby refers to. The page's ids are looked for once, when the first reference is followed."""

    def __init__(self, hidden: Container[Element]) -> None:
        self._hidden = hidden
        self._ids: dict[str, Element] | None = None

    def of(self, element: Element, *, may_hide: bool = False) -> str:
        """The texts that the element's aria-labelledby names, without those that the page hides unless it `may_hide`
        them; "" for none."""
        names = element.attrs.get("aria-labelledby", "").split()[:_MAX_IDS]
        if not names:
            return ""
        ids = self._by_id(element)
        named = [ids[name] for name in names if name in ids]
        return " ".join(" ".join([short_text(one) for one in named if may_hide or self._shows(one)]).split())

    def _by_id(self, element: Element) -> dict[str, Element]:
        if self._ids is None:
            self._ids = by_id(top_of(element))
        return self._ids

    def leads_away(self, heading: Element, link: Element, name: str) -> bool:
        """Whether a link that is all a heading says leads to another place: not to the heading or what it opens, not
        to a table of contents that leads back, and not to nowhere."""
        target = self._by_id(link).get(name)
        boxes = [heading, *around(heading, _ABOVE)]
        if target is None or target in boxes or heading in around(target, _ABOVE) or _element_before(target) in boxes:
            return False
        backs = {f"#{box.attrs['id']}" for box in boxes if "id" in box.attrs}
        return not any(one.tag == "a" and one.attrs.get("href") in backs for one in elements(target))

    def _shows(self, element: Element) -> bool:
        return element not in self._hidden and all(box not in self._hidden for box in around(element, -1))


def name_of(link: Element, labels: Labels) -> str:
    """The name, at most 120 characters of it; "" where the page gives none."""
    label = labels.of(link) or link.attrs.get("aria-label", "").strip()
    if label:
        return label[:_MAX_LENGTH]
    texts, pictures, nodes = [], [], 0
    stack = [iter(link.children)]
    while stack and nodes < _MAX_NODES:
        for node in stack[-1]:
            nodes += 1
            if node.tag is None:
                texts.append(node.text)
            elif node.tag not in _SILENT:
                attrs = node.attrs
                pictures += [attrs[name] for name in ("aria-label", "alt", "title") if attrs.get(name, "").strip()][:1]
                stack.append(iter(node.children))
                break
        else:
            stack.pop()
    text = " ".join("".join(texts).split())
    for name in (text, *pictures, link.attrs.get("title", "")):
        if any(char.isalnum() for char in name):
            return name.strip()[:_MAX_LENGTH]
    return ""


def is_permalink(link: Element, href: str) -> bool:
    """Whether a link is only the mark beside a heading that leads to this very place."""
    if "#" not in href:
        return False
    text = short_text(link).strip()
    if len(text) > 2 and not _is_marks(text):
        return href[0] == "#" and len(text) <= _MAX_GENERIC and _is_generic(text) and leads_to_heading(link, href[1:])
    if not _ANCHOR_CLASSES.isdisjoint(link.attrs.get("class", "").lower().split()):
        return not any(char.isalnum() for char in text)
    if href[0] != "#" and text:
        return _is_marks(text) and _is_beside_heading(link)
    if not text and leads_to_heading(link, href.partition("#")[2]):
        return True
    return href[0] == "#" and (_is_marks(text) or (not text and _is_beside_heading(link)))


# What such a link says in words.
_GENERIC = frozenset("a anchor copy direct heading here link permalink permanent section share the this to url".split())
_MAX_GENERIC = 40  # characters


def _is_generic(text: str) -> bool:
    words = "".join(char if char.isalpha() else " " for char in text.lower()).split()
    return bool(words) and _GENERIC.issuperset(words)


def heading_of(link: Element) -> Element | None:
    """The heading of which a link is all that it says."""
    heading = _heading_around(link)
    is_all = heading is not None and len(short_text(heading).strip(_AROUND)) <= len(short_text(link).strip())
    return heading if is_all else None


def _heading_around(link: Element) -> Element | None:
    return next((one for one in around(link, 3) if one.tag in HEADINGS or one.attrs.get("role") == "heading"), None)


def leads_to_heading(link: Element, name: str) -> bool:
    """Whether the link stands in a heading that says more, and names its id, or that of what is around it."""
    heading = _heading_around(link)
    if heading is None or heading_of(link) is not None:
        return False
    named = {heading.attrs.get("id"), *(node.attrs.get("id") for node in heading.children)}
    return name in named or (heading.parent is not None and heading.parent.attrs.get("id") == name)


def _is_marks(text: str) -> bool:
    return bool(text) and all(char in _MARKS or not char.isprintable() for char in text)


def _is_beside_heading(link: Element) -> bool:
    return any(box.tag in HEADINGS or any(node.tag in HEADINGS for node in box.children[:4]) for box in around(link, 2))


_TAB_LISTS = frozenset(("tabbed-labels", "tabs", "tabs__list"))
_MAX_PANELS = 20
_MAX_LEVELS = 3  # of boxes around the panels, beside which the tabs are looked for
_MAX_TAB_NODES = 60  # of a list of tabs, and of a panel's beginning
_MAX_LABEL = 60  # characters


def tab_of(panel: Element, labels: Labels) -> str:
    """The tab's text."""
    label = labels.of(panel) if "aria-labelledby" in panel.attrs else _by_place(panel)
    if not 0 < len(label) <= _MAX_LABEL or not any(map(str.isalpha, label)):
        return ""
    texts = (node.text.strip() for event, node in islice(walk(panel), _MAX_TAB_NODES) if event == "text")
    return "" if next(filter(None, texts), "").strip(" :").lower() == label.lower() else label


def _by_place(panel: Element) -> str:
    """The text of the tab that stands where the panel does among the panels."""
    box = panel.parent
    if box is None or len(box.children) > _MAX_TAB_NODES:
        return ""
    role = panel.attrs.get("role")
    panels = [node for node in box.children if isinstance(node, Element) and node.attrs.get("role") == role]
    if not 1 < len(panels) <= _MAX_PANELS:
        return ""
    around = panel
    for _ in range(_MAX_LEVELS):
        siblings = around.parent.children if around.parent is not None else []
        at = siblings.index(around) if 0 < len(siblings) <= _MAX_TAB_NODES else 0
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
    while stack and seen < _MAX_TAB_NODES:
        node, is_in = stack.pop()
        seen += 1
        attrs = node.attrs
        if attrs.get("role") == "tabpanel":
            continue
        is_in = is_in or attrs.get("role") == "tablist" or not _TAB_LISTS.isdisjoint(attrs.get("class", "").split())
        if is_in and (attrs.get("role") == "tab" or node.tag == "label"):
            found.append(" ".join(short_text(node).split()))
        else:
            stack += [
                (child, is_in) for child in reversed(node.children[:_MAX_TAB_NODES]) if isinstance(child, Element)
            ]
    return found
