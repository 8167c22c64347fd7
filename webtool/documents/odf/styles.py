"""Interpret OpenDocument styles. In: content.xml and styles.xml. Out: formats, heading and list levels.

A text names a style, which may have a parent. The built-in styles keep their English names in every language, with
"_20_" for a space: "Heading_20_1".
Specification: OASIS OpenDocument 1.2 part 1, section 16 (styles) and 20 (formatting attributes).
Tests: tests/documents/test_office.py
"""

from __future__ import annotations

from webtool.documents.xmltree import child, integer
from webtool.lean.records import NamedTuple
from webtool.lean.typing import XmlElement as Element

HIDDEN = "hidden"  # a format of text that is not shown
_MAX_CHAIN = 20  # styles based on one another; the rest is ignored
_MAX_AFFIX = 20  # characters before or after a list number; the rest is cut
# Names of paragraph styles.
CODE = frozenset(("Preformatted_20_Text", "Source_20_Code"))
QUOTATIONS = frozenset(("Quotations", "Quote"))
TITLES = frozenset(("Title",))
_CODE_SPANS = ("Source_20_Text", "Source_Text", "Teletype")
_NUMBERED = ("text:list-level-style-number", "text:outline-level-style")


class _Style(NamedTuple):
    """One style: the formats that it switches on, and off (`without`)."""

    parent: str
    formats: frozenset[str]
    without: frozenset[str]


class ListLevel(NamedTuple):
    """How one level of a list, or of headings, is numbered."""

    digits: str = ""  # 1, a, A, i or I; "" for bullets
    start: int = 1
    prefix: str = ""  # before the number, e.g. "("
    suffix: str = ""  # after the number, e.g. ")"
    shown: int = 1  # levels in a number, e.g. 2 for "2.1"


class Styles:
    """The styles of one document, by name. `styles` is None if it has no styles.xml, or for a spreadsheet."""

    def __init__(self, content: Element, styles: Element | None) -> None:
        self._styles: dict[str, _Style] = {}
        self._lists: dict[str, list[ListLevel]] = {}
        self.hidden_pages: set[str | None] = set()  # names of the styles of hidden slides
        self._outer_list: list[ListLevel] = []  # the levels of the list before: a list in a list names no style
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
        """Return the formats of a text:span or a paragraph; HIDDEN may be one of them."""
        chain = self._chain(node)
        formats: frozenset[str] = frozenset()
        for name in reversed(chain):
            style = self._styles.get(name)
            if style:
                formats = (formats | style.formats) - style.without
            if name in _CODE_SPANS:
                formats |= {"code"}
        return formats

    def is_one_of(self, node: Element, names: frozenset[str]) -> bool:
        """Return whether a paragraph's style is one of `names`, or is based on one of them."""
        return not names.isdisjoint(self._chain(node))

    def heading_level(self, node: Element) -> int:
        """Return 1 to 6 for a paragraph in a heading style, else 0: converters from HTML write headings this way."""
        for name in self._chain(node):
            prefix, _, number = name.rpartition("_20_")
            if prefix == "Heading" and integer(number, -1) >= 0:
                return min(integer(number) or 1, 6)
        return 0

    def list_level(self, node: Element, depth: int) -> ListLevel:
        """Return how a text:list at a depth from 0 is numbered. Call it in document order."""
        levels = self._lists.get(node.get("text:style-name", "")) or self._outer_list
        self._outer_list = levels
        return levels[depth] if depth < len(levels) else ListLevel()

    def _chain(self, node: Element) -> list[str]:
        """Return the name of an element's style and those that it is based on, nearest first."""
        name = node.get("text:style-name", "")
        chain: list[str] = []
        while name and name not in chain and len(chain) < _MAX_CHAIN:
            chain.append(name)
            style = self._styles.get(name)
            name = style.parent if style else ""
        return chain


# Format, attribute, and the values that switch it on; all others switch it off.
_SWITCHES = (
    ("strong", "fo:font-weight", ("bold", "600", "700", "800", "900")),
    ("em", "fo:font-style", ("italic", "oblique")),
    (HIDDEN, "text:display", ("none",)),
)


def _style(item: Element) -> _Style:
    """Read a style:style element."""
    formats: set[str] = set()
    without: set[str] = set()
    properties = child(item, "style:text-properties")
    if properties is not None:
        for name, attribute, values in _SWITCHES:
            value = properties.get(attribute)
            if value is not None:
                (formats if value in values else without).add(name)
        line = properties.get("style:text-line-through-style")
        if line and line != "none":
            formats.add("del")
        position = (properties.get("style:text-position") or "").split(" ")[0]
        if position == "super" or (position.endswith("%") and not position.startswith(("-", "0"))):
            formats.add("sup")
        elif position == "sub" or position.startswith("-"):
            formats.add("sub")
    return _Style(item.get("style:parent-style-name", ""), frozenset(formats), frozenset(without))


def _list_level(level: Element) -> ListLevel:
    digits = level.get("style:num-format", "") if level.tag in _NUMBERED else ""
    start = integer(level.get("text:start-value"), 1)
    prefix = level.get("style:num-prefix", "")[:_MAX_AFFIX]
    suffix = level.get("style:num-suffix", "")[:_MAX_AFFIX]
    return ListLevel(digits, start, prefix, suffix, integer(level.get("text:display-levels"), 1))
