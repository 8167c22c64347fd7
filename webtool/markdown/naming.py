"""What a link is called that shows no text. In: the a element. Out: its name, or "".

The order is that of the accessible name computation (Accname 1.2): what aria-labelledby refers to, where it shows;
aria-label, the text for screen readers that is in it, the title of a graphic, the description of a picture, its own
title.
"""

from __future__ import annotations

from collections.abc import Container

from webtool.html.elements import HEADINGS
from webtool.html.node import Element, by_id, short_text, top_of

_MAX_IDS = 4  # that one aria-labelledby may name
_MAX_NODES = 60  # of a link that are looked at
_MAX_LENGTH = 120  # characters of a name
_SILENT = frozenset(("script", "style", "template", "noscript", "#comment", "desc", "button"))  # which has its own name
_MARKS = frozenset("¶ # § ⓘ \u21a9 \ufe0e \u2693 \U0001f517 ∞ ⚓".split())
_AROUND = " \n\t" + "".join(_MARKS)  # what may stand around the text of a heading
_ANCHOR_CLASSES = frozenset((
    "headerlink", "header-anchor", "anchor", "anchorjs-link", "anchor-link", "hash-link", "heading-anchor",
    "heading-link", "headinglink", "permalink", "direct-link", "headeranchor-link", "header-link", "octicon-link",
    "anchor-heading", "sl-anchor-link", "section-link", "heading-anchor-link", "linkjs-icon",
))  # fmt: skip


class Labels:
    """What aria-labelledby refers to. The page's ids are looked for once, when the first reference is followed."""

    def __init__(self, hidden: Container[Element]) -> None:
        self._hidden = hidden
        self._ids: dict[str, Element] | None = None

    def of(self, element: Element) -> str:
        """The texts that the element's aria-labelledby names, without those that the page hides; "" for none."""
        names = element.attrs.get("aria-labelledby", "").split()[:_MAX_IDS]
        if not names:
            return ""
        if self._ids is None:
            self._ids = by_id(top_of(element))
        named = [self._ids[name] for name in names if name in self._ids]
        return " ".join(" ".join(map(short_text, filter(self._shows, named))).split())

    def _shows(self, element: Element) -> bool:
        around: Element | None = element
        while around is not None and around not in self._hidden:
            around = around.parent
        return around is None


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
        return href[0] == "#" and len(text) <= _MAX_GENERIC and _is_generic(text) and _leads_to_heading(link, href[1:])
    if not _ANCHOR_CLASSES.isdisjoint(link.attrs.get("class", "").lower().split()):
        return not any(char.isalnum() for char in text)
    if href[0] != "#" and text:
        return _is_marks(text) and _is_beside_heading(link)
    if not text and _leads_to_heading(link, href.partition("#")[2]):
        return True
    return href[0] == "#" and (_is_marks(text) or (not text and _is_beside_heading(link)))


# What such a link says in words.
_GENERIC = frozenset("a anchor copy direct heading here link permalink permanent section share the this to url".split())
_MAX_GENERIC = 40  # characters


def _is_generic(text: str) -> bool:
    words = "".join(char if char.isalpha() else " " for char in text.lower()).split()
    return bool(words) and _GENERIC.issuperset(words)


def is_heading(link: Element) -> bool:
    """Whether a link is all that a heading says: one to this page leads there, or opens what is below."""
    around = _heading_around(link)
    return around is not None and len(short_text(around).strip(_AROUND)) <= len(short_text(link).strip())


def _heading_around(link: Element) -> Element | None:
    around = link.parent
    for _ in range(3):
        if around is None or around.tag in HEADINGS or around.attrs.get("role") == "heading":
            return around
        around = around.parent
    return None


def _leads_to_heading(link: Element, name: str) -> bool:
    """Whether the link stands in a heading that says more, and names its id, or that of what is around it."""
    around = _heading_around(link)
    if around is None or is_heading(link):
        return False
    named = {around.attrs.get("id"), *(node.attrs.get("id") for node in around.children)}
    return name in named or (around.parent is not None and around.parent.attrs.get("id") == name)


def _is_marks(text: str) -> bool:
    return bool(text) and all(char in _MARKS or not char.isprintable() for char in text)


def _is_beside_heading(link: Element) -> bool:
    parent = link.parent
    for _ in range(2):
        if parent is None:
            return False
        if parent.tag in HEADINGS or any(node.tag in HEADINGS for node in parent.children[:4]):
            return True
        parent = parent.parent
    return False
