"""Interpret Word's styles and numbering. In: styles.xml, numbering.xml, a paragraph or run. Out: plain values.

A paragraph names a style, which may be based on another one. Direct properties win, except that a style named "heading
2" makes a heading of level 2, whatever the outline level, which is for tables of contents. A list is a w:num with
levels; it refers to a w:abstractNum with the number formats, which several lists may share.
Specification: ECMA-376 part 1, clauses 17.3 (direct formatting), 17.7 (styles), 17.9 (numbering).
Tests: tests/documents/test_office.py
"""

from __future__ import annotations

from webtool.documents import unseen
from webtool.documents.tree import CODE_SPANS, ROLES, heading_level, numeral
from webtool.documents.xmltree import TRUE, attribute, child, children, integer
from webtool.lean import patterns
from webtool.lean.patterns import Match
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any
from webtool.lean.typing import XmlElement as Element

CONTINUATION = "continuation"  # the role of a paragraph that belongs to the list item above

_MAX_CHAIN = 20  # styles based on one another; the rest is ignored
_MAX_LEVEL = 8  # of a list, from 0; deeper levels count as this one
_BODY_TEXT = 9  # the outline level of paragraphs that are not headings
# Word's built-in list styles ("List Bullet 2") each have a list of their own: only their names show the nesting.
_LIST_STYLE = patterns.compile(r"list (?:bullet|number|continue) ([2-5])\Z")
_OFF = frozenset(("0", "false", "off", "none"))
# Names of formats. "double del" is shown as "del" is, but `<w:strike w:val="0"/>` does not switch it off.
_TOGGLES = {"w:b": "strong", "w:i": "em", "w:strike": "del", "w:dstrike": "double del", "w:vanish": "hidden"}
_LOOK = ("hidden", "colour", "background", "points", "stretch", "alpha")  # formats that can hide a text
_DIGITS = {"lowerLetter": "a", "upperLetter": "A", "lowerRoman": "i", "upperRoman": "I"}
_PLACE = patterns.compile("%([1-9])")
_PLAIN_LABEL = patterns.compile(r"\W*%[1-9]\W*")  # "%1." or "(%1)", but not "%1.%2", "Article %1" or "0."
_MAX_LABEL = 100  # characters of a number's pattern, e.g. "%1.%2"; the rest is cut


class Paragraph(NamedTuple):
    """The properties of a paragraph that decide what block it becomes."""

    heading: int  # level 1 to 6, or 0
    is_title: bool
    number: str  # the id of its list (w:num), or ""
    level: int  # in that list, from 0
    depth: int  # in the markdown list, from 0: `level`, or more by the style's name ("List Bullet 2")
    role: str  # CONTINUATION, a value of tree.ROLES, or ""


class _Style(NamedTuple):
    """One style; its name is in lower case."""

    name: str
    based_on: str
    outline: int  # 0 to 8, or _BODY_TEXT; -1 if unset
    number: str  # the id of a list, "0" for none of those of other styles; "" if unset
    level: int  # -1 if unset
    formats: dict[str, Any]  # _formats() of a character style; _look() of others, as a bold heading needs no **
    has_background: bool  # of a table style: some of its cells are shaded


class RunFormat(NamedTuple):
    """The look of a w:r by its direct properties and its styles."""

    formats: frozenset[str]  # names of runs.FORMATS
    hidden: str = ""  # why the run is not seen, a reason of unseen.py; "" if it is
    is_doubtful: bool = False  # it is white on an unknown background


class Styles:
    """The styles of one document, by id. `root` is None if it has no styles."""

    def __init__(self, root: Element | None) -> None:
        self._styles: dict[str, _Style] = {}
        self._paragraphs: dict[tuple[str, str, str, str], Paragraph] = {}  # by style and direct properties
        self._looks: dict[str, dict[str, Any]] = {}  # by paragraph style, see look()
        self._default = ""  # the id of the style of paragraphs that name no style
        for item in children(root, "w:style"):
            self._styles[item.get("w:styleId", "")] = _style(item)
            if item.get("w:default") in TRUE and item.get("w:type") == "paragraph":
                self._default = item.get("w:styleId", "")
        self._default_look: dict[str, Any] = _look(_formats(child(root, "w:docDefaults", "w:rPrDefault", "w:rPr")))

    def paragraph(self, node: Element) -> Paragraph:
        """Return what a w:p is, by its direct properties and its style."""
        properties = child(node, "w:pPr")
        numbering = child(properties, "w:numPr")
        outline = _value(properties, "w:outlineLvl")
        key = (self._style_id(properties), outline, _value(numbering, "w:numId"), _value(numbering, "w:ilvl"))
        if key not in self._paragraphs:
            self._paragraphs[key] = self._paragraph(*key)
        return self._paragraphs[key]

    def look(self, paragraph: Element) -> dict[str, Any]:
        """Return the _look() of a w:p by its style and its shading. Callers share the result and must not change it."""
        properties = child(paragraph, "w:pPr")
        identity = self._style_id(properties)
        if identity not in self._looks:
            look = dict(self._default_look)
            for style in reversed(self._chain(identity)):
                look.update(_look(style.formats))
            self._looks[identity] = look
        shading = child(properties, "w:shd")
        return self._looks[identity] if shading is None else {**self._looks[identity], "background": fill_of(shading)}

    def run_format(self, run: Element, look: dict[str, Any], background: str) -> RunFormat:
        """Return the format of a w:r in a paragraph with this look(), on this background ("" if unknown)."""
        properties = child(run, "w:rPr")
        known = look
        names: frozenset[str] = frozenset()
        if properties is not None:
            known = dict(look)
            chain = self._chain(_value(properties, "w:rStyle"))
            for style in reversed(chain):
                known.update(style.formats)
            if chain and chain[0].name in CODE_SPANS:
                known["code"] = True
            known.update(_formats(properties))
            formats = [name for name, is_on in known.items() if is_on and name not in _LOOK]
            names = frozenset([name.replace("double del", "del") for name in formats])
        if not known:
            return RunFormat(names)
        if known.get("hidden"):
            return RunFormat(names, unseen.MARKED)
        colour = known.get("colour", "")
        # The first one that is not None: of the run, of its paragraph, of what is around it.
        background = next(x for x in (known.get("background"), look.get("background"), background) if x is not None)
        points, stretch, alpha = known.get("points", 12.0), known.get("stretch", 1.0), known.get("alpha", 1.0)
        reason = unseen.reason(colour, background, points, stretch, alpha)
        return RunFormat(names, reason, not background and bool(unseen.reason(colour, unseen.PAGE)))

    def table_background(self, table: Element) -> str | None:
        """Return the background of a table's cells; "" (unknown) if its style shades some of them; None without one."""
        properties = child(table, "w:tblPr")
        fill = fill_of(child(properties, "w:shd"))
        chain = self._chain(_value(properties, "w:tblStyle"))
        return "" if fill is None and any(style.has_background for style in chain) else fill

    def _style_id(self, properties: Element | None) -> str:
        """Return the id of the style of a paragraph with this w:pPr (clause 17.3.1.27)."""
        identity = _value(properties, "w:pStyle")
        return identity if identity in self._styles else self._default

    def _paragraph(self, identity: str, direct_outline: str, direct_number: str, direct_level: str) -> Paragraph:
        """Return a paragraph by the id of its style and its direct properties, "" for those that it lacks."""
        chain = self._chain(identity)
        names = [style.name for style in chain]  # that of the style itself first
        outlines = [integer(direct_outline, -1), *(style.outline for style in chain)]
        outline = next((outline for outline in outlines if outline >= 0), _BODY_TEXT)
        is_title = "title" in names
        heading = heading_level(names)
        if not heading and outline < _BODY_TEXT:
            heading = outline + 1
        own_name = names[0] if names else ""
        role = CONTINUATION if own_name.startswith("list continue") else ROLES.get(own_name, "")
        number = next((style.number for style in chain if style.number), "")
        # A style with a level only changes that of the style below; one with a list only is at its first level.
        level = next((style.level for style in chain if style.level >= 0 or style.number), 0)
        level = min(integer(direct_level, max(0, level)), _MAX_LEVEL)
        deeper = _LIST_STYLE.match(own_name)
        depth = max(level, int(deeper.group(1)) - 1 if deeper else 0)
        return Paragraph(min(heading, 6), is_title, direct_number or number, level, depth, role)

    def _chain(self, identity: str) -> list[_Style]:
        """Return a style and those that it is based on, nearest first; [] for "" and unknown ids."""
        chain: list[_Style] = []
        while identity and identity in self._styles and len(chain) < _MAX_CHAIN:
            chain.append(self._styles[identity])
            identity = chain[-1].based_on
        return chain


class _NumberFormat(NamedTuple):
    """The number format of one level of a list."""

    is_ordered: bool
    start: int
    is_blank: bool = False  # nothing is shown before the text
    digits: str = "1"  # 1, a, A, i or I
    text: str = ""  # what is shown, with %1 for the number of the first level and so on: "%1.%2)"


_BULLET = _NumberFormat(False, 1)


class Level:
    """One level of a list. It counts its items."""

    def __init__(self, form: _NumberFormat) -> None:
        self.form = form  # of the next item: a list that continues this one may have its own, as in "1.", "2.", "c)"
        self.number = form.start - 1  # of the last item
        self.outer: list[Level | None] = []  # the levels above, outermost first; None for a level without items so far

    def next_label(self) -> str:
        """Count an item; return its label if that is more than a plain number: "(b)", "2.1", "Article 1"; else ""."""
        label = self.next_number()
        return "" if self.form.digits == "1" and _PLAIN_LABEL.fullmatch(self.form.text) else label

    def next_number(self) -> str:
        """Count an item or a heading; return the number shown before it, "" for a bullet."""
        self.number += 1
        return _PLACE.sub(self._numeral, self.form.text).strip() if self.form.is_ordered else ""

    def _numeral(self, match: Match[str]) -> str:
        """Return the number that replaces %1, %2 and so on; "1" for a level that has no items yet."""
        place = int(match.group(1)) - 1
        level = self.outer[place] if place < len(self.outer) else self
        return numeral(level.number, level.form.digits) if level else "1"


class _List(NamedTuple):
    """One list (w:num): the name under which it counts, and number formats by level."""

    name: str
    formats: dict[int, _NumberFormat]


class Numbering:
    """The lists of one document (clause 17.9). `root` is None if it has no lists."""

    def __init__(self, root: Element | None) -> None:
        self._lists: dict[str, _List] = {}  # by the id of the w:num
        self._levels: dict[tuple[str, int, bool], Level] = {}  # by name of the list, depth, is_ordered
        abstracts = {item.get("w:abstractNumId", ""): item for item in children(root, "w:abstractNum")}
        shared: dict[str, dict[int, _NumberFormat]] = {}  # by the id of a w:abstractNum, then by level
        for identity, item in abstracts.items():
            shared[identity] = {
                integer(level.get("w:ilvl")): _number_format(level) for level in children(item, "w:lvl")
            }
        # Clauses 17.9.21 and 17.9.27: the levels of a list style are in the w:abstractNum with its w:styleLink.
        of_styles = {_value(item, "w:styleLink"): identity for identity, item in abstracts.items()}
        for identity, item in abstracts.items():
            if style := _value(item, "w:numStyleLink"):
                shared[identity] = shared[of_styles.get(style, identity)]
        for item in children(root, "w:num"):
            number, abstract = item.get("w:numId", ""), _value(item, "w:abstractNumId")
            # Clause 17.9.15: lists of the same w:abstractNum continue counting, unless one has a start of its own.
            name, forms = abstract, shared.get(abstract, {})
            own_forms: dict[int, _NumberFormat] = {}
            for override in children(item, "w:lvlOverride"):
                depth, own = integer(override.get("w:ilvl")), child(override, "w:lvl")
                form = _number_format(own) if own is not None else forms.get(depth, _BULLET)
                own_forms[depth] = form._replace(start=integer(_value(override, "w:startOverride"), form.start))
                if child(override, "w:startOverride") is not None:
                    name = f"list {number}"
            self._lists[number] = _List(name, {**forms, **own_forms} if own_forms else forms)

    def level(self, number: str, depth: int) -> Level | None:
        """Return a level of the list with this id, None for "" and "0". Deeper levels count from their start again."""
        if not number or number == "0":
            return None
        name, forms = self._lists.get(number, _List("", {}))
        form = forms.get(depth, _BULLET)
        key = (name, depth, form.is_ordered)
        level = self._levels.setdefault(key, Level(form))
        level.form = form
        level.outer = [self._levels.get((name, outer, True)) for outer in range(depth)]
        for deeper in range(depth + 1, _MAX_LEVEL + 1):
            self._levels.pop((name, deeper, True), None)
        return level


def flag(node: Element | None) -> bool:
    """Return whether a toggle property is on (clause 17.17.4): `<w:b/>` is, `<w:b w:val="0"/>` is not."""
    return node is not None and node.get("w:val", "1") not in _OFF


def _style(item: Element) -> _Style:
    paragraph, run = child(item, "w:pPr"), child(item, "w:rPr")
    numbering = child(paragraph, "w:numPr")
    formats = {**_formats(paragraph), **_formats(run)}
    if formats.get("background", "") is None:  # the letters have no shading: that of the paragraph is behind them
        formats["background"] = fill_of(child(paragraph, "w:shd"))
    return _Style(
        _value(item, "w:name").lower(),
        _value(item, "w:basedOn"),
        integer(_value(paragraph, "w:outlineLvl"), -1),
        _value(numbering, "w:numId"),
        integer(_value(numbering, "w:ilvl"), -1),
        formats if item.get("w:type") == "character" else _look(formats),
        item.get("w:type") == "table" and next(item.iter("w:shd"), None) is not None,
    )


def _look(formats: dict[str, Any]) -> dict[str, Any]:
    """Return the members of _formats() that can hide a text."""
    return {name: value for name, value in formats.items() if name in _LOOK}


def _formats(properties: Element | None) -> dict[str, Any]:
    """Return what run properties say: {"em": True, "points": 9.0}; of paragraph properties, the shading."""
    formats: dict[str, Any] = {}
    fills: dict[str, str | None] = {}
    for node in properties if properties is not None else ():
        tag, value = node.tag, node.get("w:val", "")
        if tag in _TOGGLES:
            formats[_TOGGLES[tag]] = flag(node)
        elif tag == "w:vertAlign":  # "baseline" undoes the superscript of a style
            formats["sup"], formats["sub"] = value == "superscript", value == "subscript"
        elif tag == "w:color":
            formats["colour"] = unseen.hexadecimal_colour(value)
        elif tag == "w:sz":
            formats["points"] = integer(value, 24) / 2
        elif tag == "w:w":
            formats["stretch"] = integer(value.rstrip("%"), 100) / 100 or 1.0  # 0 is ignored
        elif tag in ("w:shd", "w:highlight"):
            fills[tag] = fill_of(node)
        elif tag == "w14:textFill":
            formats["alpha"] = _alpha(node)
    if fills:
        highlight = fills.get("w:highlight")  # it is painted over the shading
        formats["background"] = fills.get("w:shd") if highlight is None else highlight
    return formats


def fill_of(node: Element | None) -> str | None:
    """Return the colour of a w:shd or a w:highlight as "#rrggbb"; "" if unknown (patterns, names); None without one."""
    if node is None:
        return None
    if node.tag == "w:highlight":
        return {"none": None, "white": unseen.PAGE}.get(node.get("w:val", ""), "")
    is_pattern = node.get("w:val", "clear") not in ("clear", "nil")
    fill = "" if is_pattern else node.get("w:fill", "auto")
    is_unset = fill == "auto" and "w:themeFill" not in node.attrib  # a colour of the theme is unknown
    return None if is_unset else unseen.hexadecimal_colour(fill)


def _alpha(fill: Element) -> float:
    """Return how opaque a w14:textFill is, from 0 to 1; its w14:alpha is the transparency in 1/100,000."""
    if child(fill, "w14:noFill") is not None:
        return 0.0
    transparency = next(fill.iter("w14:alpha"), None)
    return 1.0 if transparency is None else 1 - integer(transparency.get("w14:val")) / 100_000


def _number_format(item: Element) -> _NumberFormat:
    kind, text = _value(item, "w:numFmt"), _value(item, "w:lvlText")
    is_blank = kind == "none" or (kind == "bullet" and child(item, "w:lvlText") is not None and not text.strip())
    start, digits = integer(_value(item, "w:start"), 1), _DIGITS.get(kind, "1")
    return _NumberFormat(kind not in ("bullet", "none", ""), start, is_blank, digits, text[:_MAX_LABEL])


def _value(parent: Element | None, tag: str) -> str:
    return attribute(parent, tag, "w:val")
