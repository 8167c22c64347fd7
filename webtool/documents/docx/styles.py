"""What Word's styles and numbering say of a paragraph or a run. In: styles.xml and numbering.xml. Out: plain values.

Specification: ECMA-376 part 1, clauses 17.3 (direct formatting), 17.7 (styles), 17.9 (numbering).
"""

from __future__ import annotations

from webtool.documents.tree import numeral
from webtool.documents.xmltree import child, children, integer
from webtool.lean import patterns
from webtool.lean.patterns import Match
from webtool.lean.records import NamedTuple
from webtool.lean.typing import XmlElement as Element

_MAX_CHAIN = 20  # of styles based on one another
_HEADING = patterns.compile(r"heading ([1-9])\Z")
# Word's own list styles have a list each: the nesting is in their names only.
_LIST_STYLE = patterns.compile(r"list (?:bullet|number|continue) ([2-5])\Z")
_ROLES = (
    ("quote", patterns.compile(r"(?i)(?:intense )?quote|block text|quotations|block quotation")),
    ("continue", patterns.compile(r"list continue(?: [2-5])?")),
    ("code", patterns.compile(r"(?i)html preformatted|source ?code|code|preformatted text|plain code")),
)
_OFF = frozenset(("0", "false", "off", "none"))
_VERTICAL = {"superscript": "sup", "subscript": "sub"}
_DIGITS = {"lowerLetter": "a", "upperLetter": "A", "lowerRoman": "i", "upperRoman": "I"}
_PLACE = patterns.compile("%([1-9])")
_MAX_LABEL = 100  # characters
_CODE_STYLES = frozenset(("verbatim char", "html code", "source text", "code char", "inline code"))


class Paragraph(NamedTuple):
    """What a paragraph is: `heading` 1 to 6 or 0; `number`, `level` its place in a numbering, `depth` among the lists.

    `role` is quote, code, continue (goes on with the item above) or "".
    """

    heading: int
    is_title: bool
    number: str
    level: int
    depth: int
    role: str


class _Style(NamedTuple):
    name: str
    based_on: str
    outline: int  # 0 to 8, 9 for body text, -1 where it says nothing
    number: str
    depth: int
    formats: tuple[tuple[str, bool], ...]


class Styles:
    """The styles of one document."""

    def __init__(self, root: Element | None) -> None:
        self._styles = {
            item.get("w:styleId", ""): _style(item) for item in (root.iter("w:style") if root is not None else ())
        }
        self._paragraphs: dict[tuple[str, int], Paragraph] = {}

    def paragraph(self, node: Element) -> Paragraph:
        """What a w:p is, by its own properties and its style's."""
        properties = child(node, "w:pPr")
        if properties is None:
            return Paragraph(0, False, "", 0, 0, "")
        identity = _value(properties, "w:pStyle")
        outline = integer(_value(properties, "w:outlineLvl"), -1)
        key = (identity, outline)
        if key not in self._paragraphs:
            self._paragraphs[key] = self._by_style(identity, outline)
        made = self._paragraphs[key]
        numbering = child(properties, "w:numPr")
        if numbering is None:
            return made
        number = _value(numbering, "w:numId") or made.number
        level = _value(numbering, "w:ilvl")
        return made._replace(number=number, level=integer(level, made.level), depth=integer(level, made.depth))

    def formats(self, run: Element) -> tuple[frozenset[str], bool]:
        """The formats of a w:r, and whether it is hidden text."""
        properties = child(run, "w:rPr")
        if properties is None:
            return frozenset(), False
        identity = _value(properties, "w:rStyle")
        chain = self._chain(identity) if identity else []
        found = {name: on for style in reversed(chain) for name, on in style.formats}
        if chain and chain[0].name in _CODE_STYLES:
            found["code"] = True
        found.update(_formats(properties))
        is_hidden = found.pop("hidden", False)
        return frozenset(name for name, on in found.items() if on), is_hidden

    def _by_style(self, identity: str, outline: int) -> Paragraph:
        chain = self._chain(identity)
        title = any(style.name == "title" for style in chain)
        heading = 1 if title else 0
        for style in chain:
            match = _HEADING.match(style.name)
            if match and not heading:
                heading = int(match.group(1))
            if outline < 0 and style.outline >= 0:
                outline = style.outline
        if 0 <= outline < 9:
            heading = heading or outline + 1
        role = next((role for role, names in _ROLES for style in chain[:1] if names.fullmatch(style.name)), "")
        numbered = next((style for style in chain if style.number), None)
        deeper = _LIST_STYLE.match(chain[0].name) if chain else None
        number = numbered.number if numbered else ""
        level = numbered.depth if numbered else 0
        depth = max(level, int(deeper.group(1)) - 1 if deeper else 0)
        return Paragraph(min(heading, 6), title, number, level, depth, role)

    def _chain(self, identity: str) -> list[_Style]:
        chain: list[_Style] = []
        while identity in self._styles and len(chain) < _MAX_CHAIN:
            chain.append(self._styles[identity])
            identity = chain[-1].based_on
        return chain


class _Form(NamedTuple):
    """What a numbering says of one of its levels; `is_blank` where nothing is shown before the text.

    `digits` are 1, a, A, i or I, and `text` is what is shown, with %1 for the number of the first level and so on.
    """

    is_ordered: bool
    start: int
    is_blank: bool = False
    digits: str = "1"
    text: str = ""


class Level:
    """One level of a list, which counts its items. `name` tells lists apart that follow one another."""

    def __init__(self, form: _Form, name: str) -> None:
        self.is_ordered = form.is_ordered
        self.is_blank = form.is_blank
        self.name = name
        self.number = form.start - 1  # of the last item
        self.above: list[Level | None] = []
        self._form = form

    def next_label(self) -> str:
        """Count an item, and say what is shown before it where that is more than a number: (b), iv. or 2.1."""
        label = self.next_number()
        return "" if self._form.digits == "1" and self._form.text.count("%") < 2 else label

    def next_number(self) -> str:
        """Count an item or a heading, and say what number is shown before it; "" for a bullet."""
        self.number += 1
        return _PLACE.sub(self._shown, self._form.text).strip() if self.is_ordered else ""

    def _shown(self, match: Match[str]) -> str:
        place = int(match.group(1)) - 1
        level = self.above[place] if place < len(self.above) else self
        return numeral(level.number, level._form.digits) if level else "1"


class Numbering:
    """The lists of one document (clause 17.9): w:num elements, each on top of a w:abstractNum that others may share."""

    def __init__(self, root: Element | None) -> None:
        self._abstract: dict[str, dict[int, _Form]] = {}
        self._numbers: dict[str, str] = {}
        self._overrides: dict[str, list[Element]] = {}
        self._levels: dict[tuple[str, int, bool], Level] = {}
        for item in root if root is not None else ():
            if item.tag == "w:abstractNum":
                forms = {integer(level.get("w:ilvl"), 0): _form(level) for level in children(item, "w:lvl")}
                self._abstract[item.get("w:abstractNumId", "")] = forms
            elif item.tag == "w:num":
                number = item.get("w:numId", "")
                self._numbers[number] = _value(item, "w:abstractNumId")
                self._overrides[number] = children(item, "w:lvlOverride")

    def level(self, number: str, depth: int) -> Level | None:
        """The level of a paragraph's numbering; None where it has none, or number 0, which takes it away."""
        if not number or number == "0":
            return None
        form, restarts = self._form(number, depth)
        # Clause 17.9.15: lists on the same abstract numbering go on counting, but for one that says where it starts.
        name = f"list {number}" if restarts else self._numbers.get(number, "")
        key = (name, depth, form.is_ordered)
        if key not in self._levels:
            self._levels[key] = Level(form, name)
        self._levels[key].above = [self._levels.get((name, above, True)) for above in range(depth)]
        # A deeper list begins anew below each item.
        for deeper in range(depth + 1, 9):
            self._levels.pop((name, deeper, True), None)
        return self._levels[key]

    def _form(self, number: str, depth: int) -> tuple[_Form, bool]:
        """What a level looks like, and whether its list says itself where it starts (clause 17.9.8)."""
        form = self._abstract.get(self._numbers.get(number, ""), {}).get(depth, _Form(False, 1))
        restarts = False
        for override in self._overrides.get(number, ()):
            restarts = restarts or child(override, "w:startOverride") is not None
            if integer(override.get("w:ilvl"), 0) == depth:
                own = child(override, "w:lvl")
                form = _form(own) if own is not None else form
                form = form._replace(start=integer(_value(override, "w:startOverride"), form.start))
        return form, restarts


def flag(node: Element | None) -> bool:
    """Whether a toggle property is on (clause 17.17.4)."""
    return node is not None and node.get("w:val", "1") not in _OFF


def _style(item: Element) -> _Style:
    paragraph, run = child(item, "w:pPr"), child(item, "w:rPr")
    numbering = child(paragraph, "w:numPr") if paragraph is not None else None
    return _Style(
        _value(item, "w:name").lower(),
        _value(item, "w:basedOn"),
        integer(_value(paragraph, "w:outlineLvl"), -1) if paragraph is not None else -1,
        _value(numbering, "w:numId") if numbering is not None else "",
        integer(_value(numbering, "w:ilvl"), 0) if numbering is not None else 0,
        tuple(_formats(run).items()) if run is not None and item.get("w:type") == "character" else (),
    )


def _formats(properties: Element) -> dict[str, bool]:
    """The formats that run properties switch on or off."""
    found: dict[str, bool] = {}
    for node in properties:
        tag = node.tag
        if tag == "w:b":
            found["strong"] = flag(node)
        elif tag == "w:i":
            found["em"] = flag(node)
        elif tag in ("w:strike", "w:dstrike"):
            found["del"] = flag(node)
        elif tag == "w:vanish":
            found["hidden"] = flag(node)
        elif tag == "w:vertAlign" and node.get("w:val") in _VERTICAL:
            found[_VERTICAL[node.get("w:val", "")]] = True
    return found


def _form(item: Element) -> _Form:
    kind = _value(item, "w:numFmt")
    mark = child(item, "w:lvlText")
    is_blank = kind == "none" or (kind == "bullet" and mark is not None and not mark.get("w:val", "").strip())
    text = mark.get("w:val", "")[:_MAX_LABEL] if mark is not None else ""
    is_ordered = kind not in ("bullet", "none", "")
    return _Form(is_ordered, integer(_value(item, "w:start"), 1), is_blank, _DIGITS.get(kind, "1"), text)


def _value(parent: Element, tag: str) -> str:
    node = child(parent, tag)
    return node.get("w:val", "") if node is not None else ""
