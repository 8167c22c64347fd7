"""Boxes that style sheets lay out otherwise than tags do: lines, spaced items, tables, struck text.

In: a page's elements, its Sheet, its hidden elements. Out: element -> kind. Kinds are constants of webtool.html.node:

    BLOCK          an inline element that is a line of its own: `<span style="display: block">`
    ITEM           an inline element in a line of boxes; a space is written before it
    LAST_ITEM      an ITEM followed by text that begins with a letter or digit; a space is written after it too
    TABLE, ROW, CELL   boxes that together look like a table
    STRUCK         text with a line through it

`<div class=spec><span>Height</span><span>12 cm</span></div>` shows "Height 12 cm" if .spec is a flex container.
Several of these boxes below one another are rows of a table. Linked style sheets are not read, so class names of
Bootstrap and Tailwind ("d-flex", "md:flex-row") and names of rows ("specs__row") count too.

Looking up the rules of each element would be slow. So each rule and class name first gets a reach, which says which
elements it may lay out otherwise: NONE, INLINE (inline elements only) or ALL. Only elements in reach are looked at.
Specification: CSS Display 3 (inner and outer types, blockification), CSS Flexbox 1, CSS Grid 2, CSS 2 section 17.
"""

from __future__ import annotations

from collections.abc import Container

from webtool.css.cascade import KEY_OF, RuleIndex, StyleRule, cascaded
from webtool.css.declarations import read_declarations
from webtool.css.elements import PageElements, Positions
from webtool.css.lengths import Values
from webtool.css.sheets import Sheet
from webtool.html.node import BLOCK, CELL, ITEM, LAST_ITEM, ROW, STRUCK, TABLE, Element, Node, short_text
from webtool.lean import patterns
from webtool.lean.characters import is_alnum
from webtool.lean.memory import Remembered

_INLINE_TAGS = frozenset((
    "span", "a", "b", "strong", "i", "em", "u", "s", "small", "big", "label", "time", "font", "mark", "abbr", "cite",
    "bdi", "bdo", "data", "output", "ins", "q", "var", "dfn", "code", "button",
))  # fmt: skip
_BOXES = frozenset(("div", "section", "article", "main", "header", "footer", "aside", "form", "fieldset", "body", "p"))
_ROW_TAGS = _BOXES | {"span"}
_WITHOUT_TEXT = frozenset((
    "head", "script", "style", "template", "noscript", "link", "meta", "#comment", "svg", "math", "select", "pre",
))  # fmt: skip
_NOT_IN_CELL = frozenset((
    "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "pre", "blockquote", "form", "input", "select",
    "textarea", "article", "section", "nav", "header", "footer", "iframe", "video", "button", "figure", "hr",
))  # fmt: skip
# Elements with these roles are left alone: another module makes tables of them.
_TABLE_ROLES = frozenset((
    "table", "grid", "treegrid", "rowgroup", "row", "cell", "gridcell", "columnheader", "rowheader",
))  # fmt: skip
_STRIKABLE = _INLINE_TAGS - {"s", "ins"} | {"div", "p"}  # s is struck by its tag, and ins marks added text
_OUTER_BLOCK = frozenset(("block", "flex", "grid", "table", "list-item", "flow-root", "-webkit-box"))
_KINDS_OUTSIDE_TABLES = {"table-row": BLOCK, "table-cell": ITEM}  # by display

NONE, INLINE, ALL = 0, 1, 2  # values of a reach (see above), a larger one covers more elements

MIN_ROWS = 2
MAX_COLUMNS = 12
MIN_ROWS_AND_COLUMNS = 5  # rows plus columns of a table of flex boxes: two rows of two boxes may be anything
MAX_CELL = 160  # characters; a box with more text is not the cell of a table
MIN_LETTERS = 3  # this many items of one letter each are one word with animated letters
_MAX_CELL_NODES = 40  # a box with more nodes is not the cell of a table
_MAX_CHILDREN = 3000  # children of one container that are arranged
_MAX_SIBLINGS = 200  # if an element has more siblings, the text after it is not looked for
_MAX_CACHED = 5000  # class attributes, or combinations of rules, whose values are remembered
_MAX_STYLE = 5000  # characters of a style attribute that are read
_MAX_CLASSES = 50  # names of one class attribute that are read

_tailwind_size = patterns.compile(r"(?:sm|md|lg|xl):").match
_bootstrap_size = patterns.compile(r"(d|flex)-(?:sm|md|lg|xl)-").match
_is_price = patterns.compile(
    r"(?:[Ww]as:? ?)?(?:[A-Z]{1,3} ?)?[$€£¥₹] ?[0-9][0-9.,]*|[0-9][0-9.,]* ?(?:€|zł|kr|Kč)"
).fullmatch
_row_name_in = patterns.compile(r"(?i)(?:^|[\s_-])(?:table-?)?(?:row|tr)(?![\w])").search
_letter_in = patterns.compile(r"[^\W_]").search
# Class names of frameworks for struck text, and of shops for a former price. Similar names mean other things too.
_STRUCK_NAMES = frozenset((
    "line-through", "text-decoration-line-through", "strike", "strikethrough", "old-price", "price-old", "was-price",
    "price--non-sale",
))  # fmt: skip
_NAMED = "named"  # value of "row" and "text-decoration" if only a class name tells it
# By class name of Bootstrap or Tailwind: the property that it sets, and its value.
_FRAMEWORK_NAMES: dict[str, tuple[str, str]] = {
    **{name: ("display", name) for name in ("flex", "inline-flex", "grid", "inline-grid", "block")},
    **{f"d-{name}": ("display", name) for name in ("flex", "inline-flex", "grid", "block", "inline", "inline-block")},
    "flex-col": ("flex-direction", "column"),
    "flex-column": ("flex-direction", "column"),
    "flex-row": ("flex-direction", "row"),
    **dict.fromkeys(_STRUCK_NAMES, ("text-decoration", _NAMED)),
}
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


def _values_of_names(classes: str) -> Values:
    """Return what framework class names set; names for wide screens win.

    "flex flex-col md:flex-row" -> {"display": "flex", "flex-direction": "row"}, "spec-row" -> {"row": "named"}.
    """
    values: Values = {}
    wide: Values = {"row": _NAMED} if _names_row(classes) else {}
    for name in classes.split()[:_MAX_CLASSES]:
        if name not in _FRAMEWORK_NAMES and name[:1] not in "smlxdf":  # "sm:", "md:", "lg:", "xl:", "d-", "flex-"
            continue
        plain, is_wide = name, True
        if match := _tailwind_size(name):
            plain = name[match.end() :]
        elif match := _bootstrap_size(name):
            plain = f"{match[1]}-{name[match.end() :]}"
        else:
            is_wide = False
        if plain in _FRAMEWORK_NAMES:
            key, value = _FRAMEWORK_NAMES[plain]
            if is_wide:
                wide[key] = value
            else:
                values[key] = value
    return {**values, **wide}


def _names_row(classes: str) -> bool:
    """Return whether a class name says that the element is a row: "specs__row", "table-row"."""
    return ("row" in classes or "tr" in classes) and bool(_row_name_in(classes))


def _arranges(name: str) -> bool:
    """Return whether a class name may arrange its elements by itself."""
    if _names_row(name) or name in _STRUCK_NAMES:
        return True
    if "flex" in name or "grid" in name or "block" in name or "d-" in name:
        return name in _FRAMEWORK_NAMES or bool(_tailwind_size(name) or _bootstrap_size(name))
    return False


def _reach(values: Values) -> int:
    """Return which elements the values lay out otherwise than by default: ALL, INLINE ones or NONE."""
    display = values.get("display", "")
    if display.endswith(("flex", "grid", "-webkit-box")) or display[:6] == "table-":
        return ALL
    if not _WITHOUT_DISPLAY.isdisjoint(values):
        return ALL
    return INLINE if display in _OUTER_BLOCK else NONE


class _Arrangement:
    """The boxes of one page."""

    def __init__(self, sheet: Sheet | None, hidden: Container[Element], around: Container[Node] | None) -> None:
        self._hidden = hidden
        self._around = around
        self._positions = Positions() if sheet is None else sheet.positions
        self._rules = RuleIndex(self._positions)
        self._reaches: dict[StyleRule, int] = {}
        self._values_of_names = Remembered(_values_of_names, _MAX_CACHED)
        self._combined: dict[tuple[object, ...], Values] = {}  # style attribute, class attribute, rules -> values
        self._kinds: dict[Element, str] = {}
        self._struck: list[Element] = []
        self._rows: dict[Element, dict[Element, str]] = {}  # container -> possible row -> its display
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
            if key[0] in "*[" or key in _INLINE_TAGS or key in _BOXES:  # ids are looked up one by one in kinds()
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
        reaches.update([(name, ALL) for name in page.class_names if _arranges(name)])
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
            self._make_tables({element: number for number, element in enumerate(page.all)})
        for element in self._struck:  # a block, or a part of a table, keeps its kind
            if element not in self._kinds or self._kinds[element] in (ITEM, LAST_ITEM):
                self._kinds[element] = STRUCK
        return self._kinds

    def _values(self, element: Element) -> Values:
        """Return the values that arrange an element, from rules, class names and its style attribute."""
        attrs = element.attrs
        style = attrs.get("style", "")
        # The attribute may set the display, or turn the direction ("flex-...") of a flex container.
        style = style[:_MAX_STYLE] if "display" in style or "flex-" in style else ""
        matching = self._rules.matching(element, self._positions.names_of(element)) if self._rules else []
        classes = attrs.get("class", "")
        values = self._values_of_names[classes]
        needed = INLINE if element.tag in _INLINE_TAGS else ALL
        if not style and _reach(values) < needed and all(self._reaches[rule] < needed for rule in matching):
            return _NO_VALUES
        if not matching and not style:
            return values
        key = style, classes, *matching
        combined = self._combined.get(key)
        if combined is None:
            if len(self._combined) > _MAX_CACHED:
                self._combined.clear()
            combined = self._combined[key] = {**values, **cascaded(matching, *read_declarations(style)[:2])}
        return combined

    def _look_at(self, element: Element) -> None:
        """Arrange an element that a rule, a class name or its style attribute may lay out."""
        around = self._around
        if around is not None and element not in around and element.parent not in around:
            return
        has_no_items = element.tag not in _INLINE_TAGS and not _has_several_children(element)
        if (has_no_items and element.tag not in _STRIKABLE) or element.attrs.get("role", "") in _TABLE_ROLES:
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
            self._kinds.setdefault(element, _KINDS_OUTSIDE_TABLES[display])  # _make_tables() may overwrite it
        is_flex = display.endswith(("flex", "-webkit-box"))
        is_column = "column" in values.get("flex-direction", values.get("flex-flow", ""))
        is_line = is_flex and not is_column
        if is_flex or display.endswith("grid"):
            self._arrange_children(element, is_line=is_line)
        is_named_as_row = "row" in values and display != "table-cell"  # the page's own display wins over a class name
        is_row = is_line or is_named_as_row or display == "table-row"
        if is_row and element.parent is not None and element.tag in _ROW_TAGS:
            self._rows.setdefault(element.parent, {})[element] = display

    def _arrange_children(self, container: Element, *, is_line: bool) -> None:
        """Set the kind of inline children of a flex or grid container: each of them is a box.

        They are lines of their own, unless the container is a line (`is_line`), has text of its own, or has a child
        that consists of signs such as "/".
        """
        items = [node for node in self._shown_children(container) if node.tag in _INLINE_TAGS or "-" in node.tag]
        if len(items) >= MIN_LETTERS and all(len(short_text(node).strip()) < 2 for node in items):
            return
        is_line = is_line or any(not _has_letter_or_nothing(short_text(node)) for node in items)
        is_line = is_line or any(node.tag is None and node.text.strip() for node in container.children)
        for node in items:
            self._kinds[node] = ITEM if is_line else BLOCK
        if is_line:
            for node, text_after in zip(items, map(_text_after, items)):
                if any(map(is_alnum, text_after[:1])):
                    self._kinds[node] = LAST_ITEM

    def _shown_children(self, element: Element) -> list[Element]:
        children = element.children[:_MAX_CHILDREN]
        return [node for node in children if node.tag and node.tag not in _WITHOUT_TEXT and node not in self._hidden]  # type: ignore[misc]

    def _make_tables(self, numbers: dict[Element, int]) -> None:
        """Set the kinds of boxes that make tables: a container all of whose visible children are rows.

        `numbers` give the document order: an outer container comes first, and its cells become no tables.
        """
        for container, displays in sorted(self._rows.items(), key=lambda item: numbers.get(item[0], -1)):
            if len(displays) < MIN_ROWS or container in self._kinds or container.tag not in _BOXES:
                continue
            rows = self._shown_children(container)
            if len(rows) != len(displays) or not all(row in displays for row in rows):
                continue
            is_table = all(display == "table-row" for display in displays.values())
            cells = [self._shown_children(row) for row in rows]
            columns = self._columns(cells, is_table=is_table)
            if len(columns) > 1 and (is_table or len(rows) + len(columns) >= MIN_ROWS_AND_COLUMNS):
                self._kinds[container] = TABLE
                self._kinds.update(dict.fromkeys(rows, ROW))
                for row in cells:
                    self._kinds.update((row[at], CELL) for at in columns if at < len(row))

    def _columns(self, rows: list[list[Element]], *, is_table: bool) -> list[int]:
        """Return the numbers of the columns that hold something, or [] if the rows do not make a table.

        Cells hold short texts only. If the rows have `display: table-row` (`is_table`), that is all. Other rows must
        all have the same number of cells, text in the first column that holds any, and no pictures.
        """
        widths = {len(row) for row in rows}
        width = max(widths)
        if 0 in widths or not 2 <= width <= MAX_COLUMNS or (len(widths) > 1 and not is_table):
            return []
        if any(node.tag is None and node.text.strip() for row in rows for node in row[0].parent.children):  # type: ignore[union-attr]
            return []
        lengths = [[self._cell_length(cell, may_have_pictures=is_table) for cell in row] for row in rows]
        if any(length is None for row in lengths for length in row):
            return []
        columns = [at for at in range(width) if any(at < len(row) and row[at] for row in lengths)]
        if columns and not is_table and not all(row[columns[0]] for row in lengths):
            return []
        return columns

    def _cell_length(self, cell: Element, *, may_have_pictures: bool) -> int | None:
        """Return the characters of text in a cell, or None if it holds more than the cell of a table does."""
        if cell.tag in _NOT_IN_CELL:
            return None
        nodes = length = 0
        stack = [cell]
        while stack:
            for node in stack.pop().children:
                nodes += 1
                tag = node.tag
                if tag is None:
                    length += len(node.text.strip())
                elif tag in _NOT_IN_CELL or (tag == "img" and not may_have_pictures):
                    return None
                elif tag not in _WITHOUT_TEXT and node not in self._hidden:
                    stack.append(node)  # type: ignore[arg-type]
                if nodes > _MAX_CELL_NODES or length > MAX_CELL:
                    return None
        return length


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
    if values["text-decoration"] != _NAMED or "through" in element.attrs.get("class", ""):
        return True
    return _is_price(short_text(element).strip()) is not None


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
    return not is_alnum(after[0])  # a letter without a space before it begins a line of its own


def _text_after(element: Element) -> str:
    """Return the text that follows an element directly, "" if something else does."""
    siblings = element.parent.children if element.parent is not None else ()
    if len(siblings) > _MAX_SIBLINGS or element not in siblings:
        return ""
    after = next((node for node in siblings[siblings.index(element) + 1 :] if node.tag != "#comment"), None)
    return after.text if after is not None and after.tag is None else ""
