"""What OpenDocument styles say of text. In: content.xml and styles.xml. Out: plain values.

Specification: OASIS OpenDocument 1.2 part 1, section 16 (styles) and 20 (formatting attributes).
"""

from __future__ import annotations

from webtool.documents.xmltree import child, integer
from webtool.lean.records import NamedTuple
from webtool.lean.typing import XmlElement as Element

HIDDEN = "hidden"
_MAX_CHAIN = 20
_MAX_AROUND = 20  # characters before and behind a number
CODE = frozenset(("Preformatted_20_Text", "Source_20_Code"))
QUOTATIONS = frozenset(("Quotations", "Quote"))
_NUMBERED = ("text:list-level-style-number", "text:outline-level-style")
TITLES = frozenset(("Title",))


class _Style(NamedTuple):
    parent: str
    formats: frozenset[str]
    without: frozenset[str]


class ListLevel(NamedTuple):
    """How items or headings are numbered: `digits` are 1, a, A, i, I or "" for bullets; what stands around a number.

    `shown` is how many levels a number has, e.g. 2 for 2.1.
    """

    digits: str = ""
    start: int = 1
    prefix: str = ""
    suffix: str = ""
    shown: int = 1


class Styles:
    """The styles of one document, by name."""

    def __init__(self, content: Element, styles: Element | None) -> None:
        self._styles: dict[str, _Style] = {}
        self._lists: dict[str, list[ListLevel]] = {}
        self.hidden_pages: set[str | None] = set()  # styles of slides that are left out of the show
        outline = next(styles.iter("text:outline-style"), None) if styles is not None else None
        self.outline = [_list_level(level) for level in outline] if outline is not None else []
        for root in (styles, content):
            if root is None:
                continue
            for item in root.iter("style:style"):
                self._styles[item.get("style:name", "")] = _style(item)
                page = child(item, "style:drawing-page-properties")
                if page is not None and page.get("presentation:visibility") == "hidden":
                    self.hidden_pages.add(item.get("style:name"))
            for item in root.iter("text:list-style"):
                self._lists[item.get("style:name", "")] = [_list_level(level) for level in item]

    def formats(self, node: Element) -> frozenset[str]:
        """The formats of a text:span; HIDDEN is one of them."""
        chain = self._chain(node)
        formats: frozenset[str] = frozenset()
        for name in reversed(chain):
            style = self._styles.get(name)
            if style:
                formats = (formats | style.formats) - style.without
            if name in ("Source_20_Text", "Source_Text", "Teletype"):
                formats |= {"code"}
        return formats

    def is_one_of(self, node: Element, names: frozenset[str]) -> bool:
        """Whether a paragraph has one of some styles, or one that is based on it."""
        return not names.isdisjoint(self._chain(node))

    def heading_level(self, node: Element) -> int:
        """The level of a paragraph whose style is one of headings, 0 for others; HTML turned into ODF has these."""
        for name in self._chain(node):
            prefix, _, number = name.rpartition("_20_")
            if prefix == "Heading" and integer(number, -1) >= 0:
                return min(integer(number) or 1, 6)
        return 0

    def list_level(self, node: Element, depth: int) -> ListLevel:
        """How a text:list at a depth from 0 is numbered."""
        name = node.get("text:style-name", "")
        parent_levels = self._lists.get(name) or self._last
        self._last = parent_levels
        if depth < len(parent_levels):
            return parent_levels[depth]
        return ListLevel()

    _last: list[ListLevel] = []  # noqa: RUF012 (replaced, never changed): lists inside lists name no style

    def _chain(self, node: Element) -> list[str]:
        name = node.get("text:style-name", "")
        chain: list[str] = []
        while name and name not in chain and len(chain) < _MAX_CHAIN:
            chain.append(name)
            style = self._styles.get(name)
            name = style.parent if style else ""
        return chain


def _style(item: Element) -> _Style:
    formats: set[str] = set()
    without: set[str] = set()
    properties = child(item, "style:text-properties")
    if properties is not None:
        _sort(properties.get("fo:font-weight"), ("bold", "600", "700", "800", "900"), "strong", formats, without)
        _sort(properties.get("fo:font-style"), ("italic", "oblique"), "em", formats, without)
        _sort(properties.get("text:display"), ("none",), HIDDEN, formats, without)
        line = properties.get("style:text-line-through-style")
        if line and line != "none":
            formats.add("del")
        position = (properties.get("style:text-position") or "").split(" ")[0]
        if position == "super" or (position.endswith("%") and not position.startswith(("-", "0"))):
            formats.add("sup")
        elif position == "sub" or position.startswith("-"):
            formats.add("sub")
    return _Style(item.get("style:parent-style-name", ""), frozenset(formats), frozenset(without))


def _sort(value: str | None, on: tuple[str, ...], name: str, formats: set[str], without: set[str]) -> None:
    if value in on:
        formats.add(name)
    elif value is not None:
        without.add(name)


def _list_level(level: Element) -> ListLevel:
    digits = level.get("style:num-format", "") if level.tag in _NUMBERED else ""
    around = [level.get(f"style:num-{name}", "")[:_MAX_AROUND] for name in ("prefix", "suffix")]
    shown = integer(level.get("text:display-levels"), 1)
    return ListLevel(digits, integer(level.get("text:start-value"), 1), around[0], around[1], shown)
