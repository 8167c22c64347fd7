"""Interpret OpenDocument styles: formats, heading and list levels, the numbers of items and headings.

In: content.xml and styles.xml, text:list and text:h elements. Out: formats, levels, labels.
A text names a style, which may have a parent. The built-in styles keep their English names in every language, with
"_20_" for a space: "Heading_20_1". headings_of() undoes what programs write: a list around headings.
Specification: OASIS OpenDocument 1.2 part 1, sections 5.3 (lists), 16 (styles), 16.30 (list styles), 16.34 (outline),
19.780 and 19.781 (numbers that continue), 20 (formatting attributes).
Tests: tests/documents/test_office.py, tests/documents/test_beside_the_text.py
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.documents import unseen
from webtool.documents.tree import CODE_SPANS, ROLES, element, heading_level, numeral
from webtool.documents.xmltree import attribute, child, integer
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.lean.typing import XmlElement

# Formats that decide whether a text is seen. White text is seen if it has a HIGHLIGHT, a colour behind the letters, or
# its paragraph a BACKGROUND, a colour or a picture. A WHITE_HIGHLIGHT is painted over the BACKGROUND.
LOOK = ("hidden", "small", "transparent", "white", "highlight", "white highlight", "background")
HIDDEN, SMALL, TRANSPARENT, WHITE, HIGHLIGHT, WHITE_HIGHLIGHT, BACKGROUND = LOOK
_MAX_CHAIN = 20  # styles based on one another; the rest is ignored
_MAX_AFFIX = 20  # characters before or after a list number; the rest is cut
_NUMBERED = ("text:list-level-style-number", "text:outline-level-style")
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))


class Paragraph(NamedTuple):
    """The role of a paragraph by its style."""

    role: str  # a value of tree.ROLES, or ""
    heading: int  # level 1 to 6, or 0: converters from HTML write headings this way
    is_title: bool


class _Style(NamedTuple):
    """One style: the formats that it switches on (True) or off (False)."""

    parent: str
    formats: dict[str, bool]


class ListLevel(NamedTuple):
    """How one level of a list, or of headings, is numbered."""

    digits: str = ""  # 1, a, A, i or I; "" for bullets
    start: int = 1
    prefix: str = ""  # before the number, e.g. "("
    suffix: str = ""  # after the number, e.g. ")"
    shown: int = 1  # levels in a number, e.g. 2 for "2.1"
    is_blank: bool = False  # nothing is shown before the text


class Styles:
    """The styles of one document, by name. `styles` is the root of styles.xml, or None if it is missing."""

    def __init__(self, content: XmlElement, styles: XmlElement | None) -> None:
        self._styles: dict[str, _Style] = {}
        self._paragraphs: dict[str, Paragraph] = {}  # by names of styles, as the next one
        self._formats: dict[str, tuple[frozenset[str], frozenset[str]]] = {}  # see formats()
        self.lists: dict[str, list[ListLevel]] = {}  # levels by names of list styles
        self.hidden_pages: set[str | None] = set()  # names of the styles of hidden slides
        self.hidden_sheets: set[str | None] = set()  # names of the styles of hidden sheets (section 20.267)
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
                if attribute(item, "style:table-properties", "table:display") == "false":
                    self.hidden_sheets.add(item.get("style:name"))
            for item in root.iter("text:list-style"):
                self.lists[item.get("style:name", "")] = [_list_level(level) for level in item]

    def formats(self, identity: str) -> tuple[frozenset[str], frozenset[str]]:
        """Return the formats, those for reason_of() too, that a style switches on, and those that it switches off."""
        if identity not in self._formats:
            switches: dict[str, bool] = {}
            for name in reversed(self._chain(identity)):
                if name in self._styles:
                    switches.update(self._styles[name].formats)
                if _plain_name(name) in CODE_SPANS:
                    switches["code"] = True
            on = frozenset([name for name, is_on in switches.items() if is_on])
            self._formats[identity] = on, frozenset(switches) - on
        return self._formats[identity]

    def paragraph(self, node: XmlElement) -> Paragraph:
        """Return what the style of a text:p or text:h makes it."""
        identity = node.get("text:style-name", "")
        if identity not in self._paragraphs:
            names = [_plain_name(name) for name in self._chain(identity)]
            role = next((ROLES[name] for name in names if name in ROLES), "")
            self._paragraphs[identity] = Paragraph(role, min(heading_level(names), 6), "title" in names)
        return self._paragraphs[identity]

    def _chain(self, name: str) -> list[str]:
        """Return the name of a style and those that it is based on, nearest first."""
        chain: list[str] = []
        while name and name not in chain and len(chain) < _MAX_CHAIN:
            chain.append(name)
            style = self._styles.get(name)
            name = style.parent if style else ""
        return chain


def _plain_name(name: str) -> str:
    """Return the name of a style without its escapes, in lower case: "Source_20_Text" -> "source text"."""
    return name.replace("_20_", " ").replace("_", " ").lower()


def reason_of(formats: frozenset[str], is_on_page: bool) -> str:
    """Return why a text is not seen, or "". `is_on_page`: the white page is behind it."""
    if formats.isdisjoint(LOOK):
        return ""
    reasons = ((HIDDEN, unseen.MARKED), (SMALL, unseen.SMALL), (TRANSPARENT, unseen.TRANSPARENT))
    reason = next((reason for name, reason in reasons if name in formats), "")
    is_on_white = WHITE_HIGHLIGHT in formats or (is_on_page and formats.isdisjoint((HIGHLIGHT, BACKGROUND)))
    return reason or (unseen.SAME_COLOUR if WHITE in formats and is_on_white else "")


def is_white_page(*roots: XmlElement | None) -> bool:
    """Return whether the white page is behind all text, not a colour of a page, header or section, nor a picture.

    Specification: sections 17 (the elements of _AREAS) and 20.316 (style:run-through, for pictures under the text).
    """
    for root in (root for root in roots if root is not None):
        for item in root.iter():
            if (item.tag in _AREAS and _has_background(item)) or item.get("style:run-through") == "background":
                return False
    return True


# Format, attribute, and the values that switch it on; all others switch it off.
_SWITCHES = (
    ("strong", "fo:font-weight", ("bold", "600", "700", "800", "900")),
    ("em", "fo:font-style", ("italic", "oblique")),
    (HIDDEN, "text:display", ("none",)),
)


def _style(item: XmlElement) -> _Style:
    text = child(item, "style:text-properties")
    switches = list(_switches(text)) if text is not None else []
    for box in [node for node in item if node.tag in _BOXES]:
        if _has_background(box) or "fo:background-color" in box.attrib:
            switches.append((BACKGROUND, _has_background(box)))
    return _Style(item.get("style:parent-style-name", ""), dict(switches))


_BOXES = ("style:paragraph-properties", "style:table-cell-properties")
_NO_BACKGROUNDS = ("transparent", unseen.PAGE)
_AREAS = ("style:page-layout-properties", "style:header-footer-properties", "style:section-properties")
_POINTS = patterns.compile(r"(\d{1,4}(?:\.\d{1,9})?)pt")
_PERCENT = patterns.compile(r"(\d{1,3}(?:\.\d{1,9})?)%")


def _has_background(properties: XmlElement) -> bool:
    """Return whether a colour other than white, a gradient or a picture is behind text (sections 17.3 and 20.175)."""
    image = child(properties, "style:background-image")  # often it is there without a picture
    has_image = image is not None and ("xlink:href" in image.attrib or len(image) > 0)
    has_colour = properties.get("fo:background-color", "transparent") not in _NO_BACKGROUNDS
    return has_colour or has_image or properties.get("draw:fill", "none") not in ("none", "solid")


def _switches(properties: XmlElement) -> Iterator[tuple[str, bool]]:
    """Yield the formats that text properties set, and whether they switch them on."""
    for name, key, values in _SWITCHES:
        value = properties.get(key)
        if value is not None:
            yield name, value in values
    line, position = properties.get("style:text-line-through-style"), properties.get("style:text-position")
    if line:
        yield "del", line != "none"
    if position:  # "super 58%", "33% 58%", "0% 100%", "-33% 58%": the height above the line, and the size of the font
        height = position.split(" ")[0]
        yield "sup", height == "super" or (height.endswith("%") and not height.startswith(("-", "0")))
        yield "sub", height == "sub" or height.startswith("-")
    colour, background = properties.get("fo:color"), properties.get("fo:background-color")
    # In the automatic colour a text is always seen, though LibreOffice writes loext:opacity="0%" beside it.
    is_automatic = properties.get("style:use-window-font-color") == "true"
    if is_automatic:
        yield WHITE, False
        yield TRANSPARENT, False
    elif colour is not None:
        yield WHITE, bool(unseen.reason(unseen.hexadecimal_colour(colour), unseen.PAGE))
    if background is not None:
        yield HIGHLIGHT, background not in _NO_BACKGROUNDS
        yield WHITE_HIGHLIGHT, background == unseen.PAGE
    size = _POINTS.fullmatch(properties.get("fo:font-size", ""))
    scale = _PERCENT.fullmatch(properties.get("style:text-scale", ""))
    if size or scale:
        points = float(size.group(1)) if size else 12.0
        stretch = float(scale.group(1)) / 100 if scale else 1.0
        yield SMALL, bool(unseen.reason("", "", points, stretch))
    opacity = _PERCENT.fullmatch(properties.get("loext:opacity", ""))
    if opacity and not is_automatic:
        yield TRANSPARENT, bool(unseen.reason("", "", alpha=float(opacity.group(1)) / 100))


def _list_level(level: XmlElement) -> ListLevel:
    digits = level.get("style:num-format", "") if level.tag in _NUMBERED else ""
    start = integer(level.get("text:start-value"), 1)
    prefix = level.get("style:num-prefix", "")[:_MAX_AFFIX]
    suffix = level.get("style:num-suffix", "")[:_MAX_AFFIX]
    is_bullet = level.tag == "text:list-level-style-bullet"
    sign = level.get("text:bullet-char", "•") if is_bullet else f"{digits}{prefix}{suffix}"
    is_blank = not sign.strip() and level.tag != "text:list-level-style-image"
    return ListLevel(digits, start, prefix, suffix, integer(level.get("text:display-levels"), 1), is_blank)


# Lists


class OpenList:
    """A text:list whose items are being read; the last item is the one that is open."""

    def __init__(self, level: ListLevel, depth: int) -> None:
        self.depth = depth  # from 0
        self.is_ordered = level.digits == "1"  # markdown numbers it itself
        self.is_blank = level.is_blank  # its items continue the item above
        self.next_number = level.start  # of the open item while it is empty, then of the one after it
        self._level = level
        self.is_item_empty = True  # nothing was added to the last item

    def next_item(self, start: str | None) -> None:
        """Open an item; `start` is its number if the item sets one (section 19.880), else None."""
        self.is_item_empty = True
        self.next_number = integer(start, self.next_number)

    def fill_item(self) -> None:
        """Count the last item, which has content now."""
        self.next_number += self.is_item_empty
        self.is_item_empty = False

    def label(self) -> str:
        """Return the label of an item that is still empty, e.g. "b)"; "" for bullets, and if markdown numbers it."""
        level = self._level
        if self.is_ordered or not level.digits or not self.is_item_empty:
            return ""
        return f"{level.prefix}{numeral(self.next_number, level.digits)}{level.suffix}"


class Lists:
    """Numbers the lists and headings of one document, in document order."""

    def __init__(self, styles: Styles) -> None:
        self._styles = styles
        self._levels: list[ListLevel] = []  # of the last list: a list inside it may name no style
        self._chapters = [0] * len(styles.outline)  # headings of each level since the last heading of a level above
        self._numbered: dict[str | int, OpenList] = {}  # by id of a list, and the last one of each depth

    def open(self, node: XmlElement, outer: OpenList | None) -> OpenList:
        """Return the state of a text:list inside another list or outside of lists.

        It may continue an earlier list (sections 19.780 and 19.781).
        """
        depth = outer.depth + 1 if outer is not None else 0
        if outer is None:
            self._levels = []
        self._levels = self._styles.lists.get(node.get("text:style-name", "")) or self._levels
        level = self._levels[depth] if depth < len(self._levels) else ListLevel()
        items = OpenList(level, depth)
        if level.digits:
            if "text:continue-list" in node.attrib or node.get("text:continue-numbering") == "true":
                earlier = self._numbered.get(node.get("text:continue-list", depth))
                if earlier is not None:
                    items.next_number = earlier.next_number
            self._numbered[depth] = self._numbered[node.get("xml:id", "")] = items
        return items

    def chapter_number(self, node: XmlElement) -> str:
        """Count a heading; return its number by the document's outline style, e.g. "2.1", or ""."""
        levels, index = self._styles.outline, (integer(node.get("text:outline-level")) or 1) - 1
        if node.tag != "text:h" or node.get("text:is-list-header") == "true":
            return ""
        if index >= len(levels) or not levels[index].digits:
            return ""
        self._chapters[index:] = [self._chapters[index] + 1] + [0] * (len(self._chapters) - index - 1)
        first = max(0, index + 1 - levels[index].shown)
        shown = zip(levels[first : index + 1], self._chapters[first : index + 1])
        numbers = [numeral(level.start + max(0, count - 1), level.digits) for level, count in shown if level.digits]
        return f"{levels[index].prefix}{'.'.join(numbers)}{levels[index].suffix}"


def headings_of(block: Element) -> list[Element]:
    """Return the headings of a list that has only headings; [] for another block.

    `<ol><li><h1>Tides</h1></li></ol>` -> `<h1>1. Tides</h1>`
    """
    headings: list[Element] = []
    stack = [(block, "")] if block.tag in ("ul", "ol") else []
    while stack:
        node, number = stack.pop()
        items = [item for item in node.children if isinstance(item, Element)]
        if node.tag in _HEADINGS:
            headings.append(element(node.tag, [number, *node.children]))  # type: ignore[list-item]
        elif len(items) < len(node.children):  # it has text
            return []
        elif node.tag == "li":
            numbered = [(item, "" if index else number) for index, item in enumerate(items)]
            stack.extend(reversed(numbered))
        elif node.tag in ("ul", "ol"):
            start = integer(node.attrs.get("start"), 1)
            numbers = [f"{value}. " if node.tag == "ol" else "" for value in range(start, start + len(items))]
            stack.extend(reversed(list(zip(items, numbers))))
        else:
            return []
    return headings
