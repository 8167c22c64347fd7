"""Name what has no visible text of its own: links without text, and the panels of tabs.

In: an element. Out: its name, "" if the page gives none. The order is that of the accessible name computation (Accname
1.2): the visible texts that aria-labelledby refers to; aria-label; text for screen readers inside; the title of a
graphic or the description of an image; the element's own title.

Also here: is_permalink(), which recognises the "#" or "¶" beside a heading, and tab_of(), which finds the tab that
shows a panel.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import chain, islice

from webtool.html.elements import HEADINGS, role_of
from webtool.html.node import Element, Node, around, by_id, elements, short_text, top_of, walk
from webtool.lean.characters import is_alnum

_MAX_ABOVE = 4  # ancestors of a heading that are looked at
_MAX_SIBLINGS = 2000  # siblings of an element; with more, the element before it is not looked for
_MAX_IDS = 4  # ids in one aria-labelledby; further ones are ignored
_MAX_NODES = 60  # nodes of a link that are looked at for its name
_MAX_LENGTH = 120  # characters of a name; the rest is cut
# Elements whose text does not name the link around them; a button has a name of its own.
_SILENT = frozenset(("script", "style", "template", "noscript", "#comment", "desc", "button"))
# Texts of permalinks and back links.
_MARKS = frozenset("¶ # § ⓘ \u21a9 \ufe0e \u2693 \U0001f517 ∞ ⚓ ◆".split())
_STRIPPED = " \n\t" + "".join(_MARKS)  # stripped from a heading's text before its length is compared
# Class names of permalinks.
_ANCHOR_CLASSES = frozenset((
    "headerlink", "header-anchor", "anchor", "anchorjs-link", "anchor-link", "hash-link", "heading-anchor",
    "heading-link", "headinglink", "permalink", "direct-link", "headeranchor-link", "header-link", "octicon-link",
    "anchor-heading", "sl-anchor-link", "section-link", "heading-anchor-link", "linkjs-icon",
))  # fmt: skip
# Words of permalinks that have a text: "Permalink to this heading", "Copy link".
_GENERIC = frozenset("a anchor copy direct heading here link permalink permanent section share the this to url".split())
_MAX_GENERIC = 40  # characters of a generic text; a longer text is a real link
_TAB_LISTS = frozenset(("tabbed-labels", "tabs", "tabs__list"))  # classes of a list of tabs
_MAX_PANELS = 20  # panels of one group of tabs; more are not labelled
_MAX_LEVELS = 3  # ancestors of a panel whose preceding siblings may be the list of tabs
_MAX_BEFORE = 3  # siblings before such an ancestor that are looked at
_MAX_TAB_NODES = 60  # nodes of a list of tabs, and of a panel's beginning, that are looked at
_MAX_LABEL = 60  # characters of a tab's text; a longer text is not a tab


def _element_before(element: Element) -> Node | None:
    """Return the element before this one among its siblings, or None."""
    if element.parent is None or len(element.parent.children) > _MAX_SIBLINGS:
        return None
    siblings = element.parent.children
    before = siblings[: siblings.index(element)]
    return next((node for node in reversed(before) if node.tag not in (None, "#comment")), None)


class Labels:
    """Look up the texts that aria-labelledby refers to. The page's ids are collected when the first one is needed."""

    def __init__(self, hidden: Container[Element]) -> None:
        self._hidden = hidden
        self._ids: dict[str, Element] | None = None

    def of(self, element: Element, *, may_hide: bool = False) -> str:
        """Return the texts that the element's aria-labelledby names, joined by spaces; "" if it names no text.

        Texts that the page hides count only if `may_hide` is set.
        """
        names = element.attrs.get("aria-labelledby", "").split()[:_MAX_IDS]
        if not names:
            return ""
        ids = self._by_id(element)
        named = [ids[name] for name in names if name in ids]
        hidden = () if may_hide else self._hidden
        shown = [element for element in named if not any(box in hidden for box in (element, *around(element, -1)))]
        return " ".join(" ".join(map(short_text, shown)).split())

    def _by_id(self, element: Element) -> dict[str, Element]:
        if self._ids is None:
            self._ids = by_id(elements(top_of(element)))
        return self._ids

    def leads_away(self, heading: Element, link: Element, fragment: str) -> bool:
        """Whether a link that is all of a heading leads to another place, `fragment` being that of its href.

        It does not if it leads to the heading, to what the heading opens, nowhere, or to an element with a link back to
        the heading, such as a table of contents.
        """
        target = self._by_id(link).get(fragment)
        boxes = [heading, *around(heading, _MAX_ABOVE)]
        if target is None or target in boxes or heading in around(target, _MAX_ABOVE):
            return False
        if _element_before(target) in boxes:
            return False
        back_addresses = {f"#{box.attrs['id']}" for box in boxes if "id" in box.attrs}
        return not any(node.tag == "a" and node.attrs.get("href") in back_addresses for node in elements(target))


def name_of(link: Element, labels: Labels) -> str:
    """Return the name of a link, at most 120 characters, "" if the page gives none."""
    label = labels.of(link) or link.attrs.get("aria-label", "").strip()
    if label:
        return label[:_MAX_LENGTH]
    title = link.attrs.get("title", "")
    names = chain(_names_inside(link), [title], _names_inside(link, may_hide=True))
    return next((name.strip()[:_MAX_LENGTH] for name in names if any(map(is_alnum, name))), "")


def _names_inside(link: Element, *, may_hide: bool = False) -> Iterator[str]:
    """Yield the text inside a link, then what each element in it is called; hidden from screen readers if `may_hide`.

    `<i aria-hidden=true>search</i><span class=sr-only>Find</span>`: the first is the icon's glyph, the second the name.
    """
    texts: list[str] = []
    names: list[str] = []
    nodes = 0
    stack = [iter(link.children)]
    while stack and nodes < _MAX_NODES:
        node = next(stack[-1], None)
        if node is None:
            stack.pop()
            if len(stack) == 1:
                texts.append(" ")  # texts of different children are different words
            continue
        nodes += 1
        attrs = node.attrs
        if node.tag is None:
            texts.append(node.text)
        elif node.tag not in _SILENT and (may_hide or attrs.get("aria-hidden") != "true"):
            names += [attrs[name] for name in ("aria-label", "alt", "title") if attrs.get(name, "").strip()][:1]
            stack.append(iter(node.children))
    yield " ".join("".join(texts).split())
    yield from names


def is_permalink(link: Element, href: str) -> bool:
    """Whether a link is only the mark beside a heading that leads to this very place.

    `<h2>Install <a href="#install">#</a></h2>`: the link is a permalink and is left out (documentation sites).
    """
    if "#" not in href:
        return False
    is_in_page = href[0] == "#"
    text = short_text(link).strip()
    if len(text) > 2 and not _is_marks(text):  # words: only those of "Permalink to this heading" may be a permalink
        words = "".join(char if char.isalpha() else " " for char in text.lower()).split()
        is_generic = len(text) <= _MAX_GENERIC and bool(words) and _GENERIC.issuperset(words)
        return is_generic and is_in_page and leads_to_heading(link, href[1:])
    # From here on the text is empty, marks such as "¶", or at most two characters.
    if not _ANCHOR_CLASSES.isdisjoint(link.attrs.get("class", "").lower().split()):
        return not any(map(is_alnum, text))
    if text:
        return _is_marks(text) and (is_in_page or _is_beside_heading(link))
    return leads_to_heading(link, href.partition("#")[2]) or (is_in_page and _is_beside_heading(link))


def heading_of(link: Element) -> Element | None:
    """Return the heading around a link if the heading has no other text, else None."""
    heading = _heading_around(link)
    is_all = heading is not None and len(short_text(heading).strip(_STRIPPED)) <= len(short_text(link).strip())
    return heading if is_all else None


def _heading_around(link: Element) -> Element | None:
    """Return the nearest of three ancestors that is a heading, or None."""
    return next((box for box in around(link, 3) if box.tag in HEADINGS or role_of(box.attrs) == "heading"), None)


def leads_to_heading(link: Element, fragment: str) -> bool:
    """Whether the link is in a heading with more text than the link, and leads to this heading.

    `fragment`, that of the link, may be the id of the heading, of a child of it, or of the heading's parent.
    """
    heading = _heading_around(link)
    if heading is None or heading_of(link) is not None:
        return False
    ids = {heading.attrs.get("id"), *(node.attrs.get("id") for node in heading.children)}
    return fragment in ids or (heading.parent is not None and heading.parent.attrs.get("id") == fragment)


def _is_marks(text: str) -> bool:
    return bool(text) and all(char in _MARKS or not char.isprintable() for char in text)


def _is_beside_heading(link: Element) -> bool:
    """Whether one of the two boxes around a link is a heading, or has a heading among its first four children."""
    return any(box.tag in HEADINGS or any(node.tag in HEADINGS for node in box.children[:4]) for box in around(link, 2))


def tab_of(panel: Element, labels: Labels) -> str:
    """Return the text of the tab that shows a panel, "" without a tab or if the panel begins with that text.

    Known are WAI-ARIA's tabs (a panel labelled by its tab, or panels in the order of a list of tabs) and those of
    MkDocs Material and VitePress, whose tabs are labels of check boxes.
    """
    label = labels.of(panel) if "aria-labelledby" in panel.attrs else _by_place(panel)
    if not 0 < len(label) <= _MAX_LABEL or not any(map(str.isalpha, label)):
        return ""
    texts = (node.text.strip() for event, node in islice(walk(panel), _MAX_TAB_NODES) if event == "text")
    return "" if next(filter(None, texts), "").strip(" :").lower() == label.lower() else label


def _by_place(panel: Element) -> str:
    """Return the text of the tab that has the same place among the tabs as the panel among the panels; "" without one.

    The list of tabs comes before the panels, or before a box around them:
    `<div class=tabs>..</div><div><div role=tabpanel>..</div></div>`.
    """
    box = panel.parent
    if box is None or len(box.children) > _MAX_TAB_NODES:
        return ""
    role = role_of(panel.attrs)
    panels = [node for node in box.children if isinstance(node, Element) and role_of(node.attrs) == role]
    if not 1 < len(panels) <= _MAX_PANELS:
        return ""
    for inner in (panel, *around(panel, _MAX_LEVELS - 1)):
        nodes = inner.parent.children if inner.parent is not None else []
        siblings = [node for node in nodes[: _MAX_TAB_NODES + 1] if isinstance(node, Element)]
        index = siblings.index(inner) if 0 < len(nodes) <= _MAX_TAB_NODES else 0
        max_before = _MAX_PANELS if inner is panel else _MAX_BEFORE  # other panels may come before the panel itself
        before = siblings[max(0, index - max_before) : index]
        tabs = [tab for node in before for tab in _tabs_in(node)]
        if tabs:
            return tabs[panels.index(panel)] if len(panels) == len(tabs) else ""
    return ""


def _tabs_in(element: Element) -> list[str]:
    """Return the texts of the tabs in a list of tabs, which the element is or contains."""
    tabs: list[str] = []
    stack, visited = [(element, False)], 0
    while stack and visited < _MAX_TAB_NODES:
        node, in_tab_list = stack.pop()
        visited += 1
        attrs = node.attrs
        if role_of(attrs) == "tabpanel":
            continue
        names = attrs.get("class", "").split()
        in_tab_list = in_tab_list or role_of(attrs) == "tablist" or not _TAB_LISTS.isdisjoint(names)
        if in_tab_list and (role_of(attrs) == "tab" or node.tag == "label"):
            tabs.append(" ".join(short_text(node).split()))
        else:
            children = reversed(node.children[:_MAX_TAB_NODES])
            stack += [(child, in_tab_list) for child in children if isinstance(child, Element)]
    return tabs
