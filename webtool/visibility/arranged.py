"""Find boxes that style sheets lay out otherwise than tags do: lines, spaced items, tables, struck text.

In: a page's elements, its Sheet, its hidden elements. Out: element -> kind. Kinds are constants of webtool.html.node:

    BLOCK          an inline element that is a line of its own: `<span style="display: block">`
    ITEM           an inline element in a line of boxes; a space is written before it
    LAST_ITEM      an ITEM followed by text that begins with a letter or digit; a space is written after it too
    TABLE, ROW, CELL   boxes that together look like a table
    STRUCK         text with a line through it

`<div class=spec><span>Height</span><span>12 cm</span></div>` shows "Height 12 cm" if .spec is a flex container.
Several of these boxes below one another are rows of a table (arranged_tables.py). Linked style sheets are not read, so
class names count too (layout_names.py).

Looking up the rules of each element would be slow. So each rule and class name first gets a reach, which says which
elements it may lay out otherwise: NONE, INLINE (inline elements only) or ALL. Only elements in reach are looked at.
Specification: CSS Display 3 (inner and outer types, blockification), CSS Flexbox 1, CSS Grid 2, CSS 2 section 17.
"""

from __future__ import annotations

from collections.abc import Container

from webtool.css.cascade import KEY_OF, Cascade, RuleIndex, StyleRule
from webtool.css.declarations import MAX_STYLE, read_attribute
from webtool.css.elements import PageElements, Positions
from webtool.css.values import Values
from webtool.html.elements import role_of
from webtool.html.node import BLOCK, ITEM, LAST_ITEM, STRUCK, Element, Node, short_text
from webtool.lean import patterns
from webtool.lean.characters import is_alnum
from webtool.lean.memory import Remembered
from webtool.visibility import layout_names
from webtool.visibility.arranged_tables import BOXES, Rows, add_tables, shown_children

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.css.sheets import Sheet

_INLINE_TAGS = frozenset((
    "span", "a", "b", "strong", "i", "em", "u", "s", "small", "big", "label", "time", "font", "mark", "abbr", "cite",
    "bdi", "bdo", "data", "output", "ins", "q", "var", "dfn", "code", "button",
))  # fmt: skip
_ROW_TAGS = BOXES | {"span"}
# Elements with these roles are left alone: another module makes tables of them.
_TABLE_ROLES = frozenset((
    "table", "grid", "treegrid", "rowgroup", "row", "cell", "gridcell", "columnheader", "rowheader",
))  # fmt: skip
_STRIKABLE = _INLINE_TAGS - {"s", "ins"} | {"div", "p"}  # s is struck by its tag, and ins marks added text
_OUTER_BLOCK = frozenset(("block", "flex", "grid", "table", "list-item", "flow-root", "-webkit-box"))
_KINDS_OUTSIDE_TABLES = {"table-row": BLOCK, "table-cell": ITEM}  # by display

NONE, INLINE, ALL = 0, 1, 2  # values of a reach (see above), a larger one covers more elements

MIN_LETTERS = 3  # this many items of one letter each are one word with animated letters
_MAX_SIBLINGS = 200  # if an element has more siblings, the text after it is not looked for
_MAX_CACHED = 5000  # class attributes, or combinations of rules, whose values are remembered

# "$9", "US$ 1,200.50", "Was: £12", "9,90 €"
_PRICE = patterns.compile(r"(?:[Ww]as:? ?)?(?:[A-Z]{1,3} ?)?[$€£¥₹] ?[0-9][0-9.,]*|[0-9][0-9.,]* ?(?:€|zł|kr|Kč)")
_letter_in = patterns.compile(r"[^\W_]").search
# Keys of values that matter whatever the display is. "row" is not a CSS property: a class name means a row.
_WITHOUT_DISPLAY = frozenset(("row", "text-decoration"))
_NO_VALUES: Values = {}


def boxes_of(
    page: PageElements, sheet: Sheet | None, hidden: Container[Element], around: Container[Node] | None = None
) -> dict[Element, str]:
    """Return the elements that are laid out otherwise than their tags say, each with its kind.

    If `around` is given, only its elements and their children are looked at. The cost per element is constant.
    """
    return _Arrangement(sheet, hidden, around).kinds(page)


def _reach(values: Values) -> int:
    """Return which elements the values lay out otherwise than by default: ALL, INLINE ones or NONE."""
    display = values.get("display", "")
    if display.endswith(("flex", "grid", "-webkit-box")) or display[:6] == "table-":
        return ALL
    if not _WITHOUT_DISPLAY.isdisjoint(values):
        return ALL
    return INLINE if display in _OUTER_BLOCK else NONE


class _Arrangement:
    """Arranges the boxes of one page."""

    def __init__(self, sheet: Sheet | None, hidden: Container[Element], around: Container[Node] | None) -> None:
        self._hidden = hidden
        self._around = around
        self._positions = Positions() if sheet is None else sheet.positions
        self._rules = RuleIndex(self._positions)
        self._reaches: dict[StyleRule, int] = {}
        self._values_of_names = Remembered(layout_names.values_of_names, _MAX_CACHED)
        self._combined: dict[tuple[object, ...], Values] = {}  # style attribute, class attribute, rules -> values
        self._kinds: dict[Element, str] = {}
        self._struck: list[Element] = []
        self._rows: dict[Element, Rows] = {}  # container -> its possible rows
        if sheet is not None:
            self._read(sheet)
        # A key says what the last part of a rule's selector asks for: ".class", "#id", a tag, "*" or "[attribute".
        # kinds() looks for elements by class, then by id, and asks self._general about all others.
        reaches = {key: max([self._reaches[rule] for rule in rules]) for key, rules in self._rules.rules.items()}
        self._class_reaches = {key[1:]: reach for key, reach in reaches.items() if key[0] == "." and reach != NONE}
        self._other_keys: list[str] = []  # keys in reach that are not classes
        for key, reach in reaches.items():
            may_be_inline = key in _INLINE_TAGS or key[0] in "#*["  # an id, any element or an attribute
            if key[0] != "." and (reach == ALL or (reach == INLINE and may_be_inline)):
                self._other_keys.append(key)
        # The rules that ask for no class or id. Rules for other tags, such as li, are left out.
        self._general = RuleIndex(self._positions)
        for key in self._other_keys:
            if key[0] in "*[" or key in _INLINE_TAGS or key in BOXES:  # ids are looked up one by one in kinds()
                for rule in self._rules.rules[key]:
                    if self._reaches[rule] != NONE:
                        self._general.put(key, rule)

    def _read(self, sheet: Sheet) -> None:
        """Index the sheet's rules that arrange boxes."""
        for selectors, values, important, weight in sheet.arranging:
            reach = _reach(values)
            for text in selectors:
                rule = StyleRule(text, values, important, weight)
                self._reaches[rule] = reach
                keys = [KEY_OF[text]]
                if not keys[0]:  # only parsing the selector tells its keys
                    selector = rule.parse(sheet.positions)
                    keys = selector.compounds[-1].index_keys() if selector else []
                for key in keys:
                    self._rules.put(key, rule)

    def kinds(self, page: PageElements) -> dict[Element, str]:
        """See boxes_of()."""
        reaches = self._class_reaches
        reaches.update([(name, ALL) for name in page.class_names if layout_names.arranges(name)])
        for classes, elements in page.by_classes.items():
            names = page.names_in[classes]
            if reaches.keys().isdisjoint(names):
                continue
            reach = max([reaches.get(name, NONE) for name in names])
            for element in elements:
                if reach == ALL or element.tag in _INLINE_TAGS:
                    self._look_at(element)
        for element in page.with_display:
            self._look_at(element)
        for key in self._other_keys:
            for element in page.by_id.get(key, ()):
                self._look_at(element)
        matched = self._general.matched(page) if self._general else ()
        if matched:
            for element in page.all:
                if element in matched and element.children:
                    self._look_at(element)
        if self._rows:
            numbers = {element: number for number, element in enumerate(page.all)}
            add_tables(self._kinds, self._rows, numbers, self._hidden)
        for element in self._struck:  # a block, or a part of a table, keeps its kind
            if element not in self._kinds or self._kinds[element] in (ITEM, LAST_ITEM):
                self._kinds[element] = STRUCK
        return self._kinds

    def _values(self, element: Element) -> Values:
        """Return the values that arrange an element, from rules, class names and its style attribute."""
        attrs = element.attrs
        style = attrs.get("style", "")
        # The attribute may set the display, or turn the direction ("flex-...") of a flex container.
        style = style[:MAX_STYLE] if "display" in style or "flex-" in style else ""
        matching = self._rules.matching(element, self._positions.names_of(element)) if self._rules else []
        classes = attrs.get("class", "")
        values = self._values_of_names[classes]
        needed = INLINE if element.tag in _INLINE_TAGS else ALL  # the least reach that covers the element
        if not style and _reach(values) < needed and all(self._reaches[rule] < needed for rule in matching):
            return _NO_VALUES
        if not matching and not style:
            return values
        key = style, classes, *matching
        combined = self._combined.get(key)
        if combined is None:
            if len(self._combined) > _MAX_CACHED:
                self._combined.clear()
            combined = self._combined[key] = {**values, **Cascade(matching).with_attribute(*read_attribute(style)[:2])}
        return combined

    def _look_at(self, element: Element) -> None:
        """Arrange an element that a rule, a class name or its style attribute may lay out."""
        around = self._around
        if around is not None and element not in around and element.parent not in around:
            return
        has_no_items = element.tag not in _INLINE_TAGS and not _has_several_children(element)  # it can only be struck
        if (has_no_items and element.tag not in _STRIKABLE) or role_of(element.attrs) in _TABLE_ROLES:
            return
        values = self._values(element)
        if "text-decoration" in values and element.tag in _STRIKABLE and _is_struck(element, values):
            self._struck.append(element)
        display = values.get("display", "")
        if has_no_items or (not display and "row" not in values):
            return
        if display in _OUTER_BLOCK and element.tag in _INLINE_TAGS and not _is_in_sentence(element):
            self._kinds.setdefault(element, BLOCK)
        if display in _KINDS_OUTSIDE_TABLES and element.tag in _INLINE_TAGS:
            self._kinds.setdefault(element, _KINDS_OUTSIDE_TABLES[display])  # add_tables() may overwrite it
        is_flex = display.endswith(("flex", "-webkit-box"))
        is_column = "column" in values.get("flex-direction", values.get("flex-flow", ""))
        is_stack, is_line = is_flex and is_column, is_flex and not is_column
        if is_flex or display.endswith("grid"):
            self._arrange_children(element, is_line=is_line)
        is_named_as_row = "row" in values and display != "table-cell" and not is_stack  # the layout wins over the name
        is_row = is_line or is_named_as_row or display == "table-row"
        if is_row and element.parent is not None and element.tag in _ROW_TAGS:
            self._rows.setdefault(element.parent, {})[element] = display

    def _arrange_children(self, container: Element, *, is_line: bool) -> None:
        """Set the kind of inline children of a flex or grid container: each of them is a box.

        They are lines of their own, unless the container is a line (`is_line`), has text of its own, or has a child
        that consists of signs such as "/".
        """
        items = [
            node for node in shown_children(container, self._hidden) if node.tag in _INLINE_TAGS or "-" in node.tag
        ]
        if len(items) >= MIN_LETTERS and all(len(short_text(node).strip()) < 2 for node in items):
            return
        has_signs = any(not _has_letter_or_nothing(short_text(node)) for node in items)
        has_own_text = any(node.tag is None and node.text.strip() for node in container.children)
        are_in_line = is_line or has_signs or has_own_text
        for node in items:
            self._kinds[node] = ITEM if are_in_line else BLOCK
        if are_in_line:
            for node, text_after in zip(items, map(_text_after, items)):
                if any(map(is_alnum, text_after[:1])):
                    self._kinds[node] = LAST_ITEM


def _has_several_children(element: Element) -> bool:
    """Return whether an element has two children, blank text not counted."""
    has_one = False
    for node in element.children:
        if node.tag is not None or not node.text.isspace():
            if has_one:
                return True
            has_one = True
    return False


def _has_letter_or_nothing(text: str) -> bool:
    """Return whether a text is blank or has a letter or digit, so that it is not a sign alone."""
    return _letter_in(text) is not None or not text.strip()


def _is_struck(element: Element, values: Values) -> bool:
    """Return whether text has a line through it. If only a shop's class name tells it, the text must be a price."""
    if values["text-decoration"] != layout_names.NAMED or "through" in element.attrs.get("class", ""):
        return True
    return _PRICE.fullmatch(short_text(element).strip()) is not None


def _is_in_sentence(element: Element) -> bool:
    """Return whether an element is part of a sentence that goes on after it, or consists of signs.

    `See <a class=block>this</a>, and that.` -> True. Such an element is not a line of its own, whatever its class says:
    a linked sheet probably makes it inline again.
    """
    if not _has_letter_or_nothing(short_text(element)):
        return True
    after = _text_after(element)
    first = after.lstrip()[:1]
    if not first or first.isupper() or first.isdigit():
        return False
    return not is_alnum(after[0])  # "<b>a</b>b" would be one word, so the element must be a line


def _text_after(element: Element) -> str:
    """Return the text that follows an element directly, "" if something else does."""
    siblings = element.parent.children if element.parent is not None else ()
    if len(siblings) > _MAX_SIBLINGS or element not in siblings:
        return ""
    after = next((node for node in siblings[siblings.index(element) + 1 :] if node.tag != "#comment"), None)
    return after.text if after is not None and after.tag is None else ""
