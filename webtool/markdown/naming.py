"""What a link is called that shows no text. In: the a element. Out: its name, or "".

The order is that of the accessible name computation (Accname 1.2) without its references: aria-label, the text for
screen readers that is in it, the title of a graphic, the description of a picture, its own title.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.html.node import Element

_MAX_NODES = 60  # of a link that are looked at
_MAX_TEXT = 500  # characters of one text
_MAX_LENGTH = 120  # characters of a name
_SILENT = frozenset(("script", "style", "template", "noscript", "#comment", "desc"))
_MARKS = frozenset("¶ # § § \u21a9 \ufe0e \u2693 \U0001f517 ∞ ⚓".split())
_ANCHOR_CLASSES = frozenset((
    "headerlink", "header-anchor", "anchor", "anchorjs-link", "anchor-link", "hash-link", "heading-anchor",
    "heading-link", "headinglink", "permalink", "direct-link", "headeranchor-link", "header-link", "octicon-link",
    "anchor-heading", "sl-anchor-link", "section-link", "heading-anchor-link", "linkjs-icon",
))  # fmt: skip


def name_of(link: Element) -> str:
    """The name, at most 120 characters of it; "" where the page gives none."""
    label = link.attrs.get("aria-label", "").strip()
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


def short_text(element: Element) -> str:
    """The text of an element that holds a line of it; of a larger one, its beginning. Cost: bounded by a constant."""
    texts: list[str] = []
    nodes = 0
    stack = [iter(element.children)]
    while stack and nodes < _MAX_NODES:
        for node in stack[-1]:
            nodes += 1
            if node.tag is None:
                texts.append(node.text[:_MAX_TEXT])
            elif node.children:
                stack.append(iter(node.children))
                break
        else:
            stack.pop()
    return "".join(texts)


def is_permalink(link: Element, href: str) -> bool:
    """Whether a link is only the mark beside a heading that leads to this very place."""
    if "#" not in href:
        return False
    text = short_text(link).strip()
    if len(text) > 2 and not _is_marks(text):
        return False
    if not _ANCHOR_CLASSES.isdisjoint(link.attrs.get("class", "").lower().split()):
        return not any(char.isalnum() for char in text)
    if href[0] != "#":
        return False
    return _is_marks(text) or (not text and _is_beside_heading(link))


def _is_marks(text: str) -> bool:
    return bool(text) and all(char in _MARKS or not char.isprintable() for char in text)


def _is_beside_heading(link: Element) -> bool:
    parent = link.parent
    for _ in range(2):
        if parent is None:
            return False
        if len(parent.tag) == 2 and parent.tag[0] == "h" and parent.tag[1].isdigit():
            return True
        if any(node.tag in ("h1", "h2", "h3", "h4", "h5", "h6") for node in parent.children[:4]):
            return True
        parent = parent.parent
    return False
