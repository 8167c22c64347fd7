"""Boxes that style sheets make of elements whose tags do not: lines, items that stand apart, tables.

In: a tree, what it hides, its style elements. Out: the elements that are arranged so, each with its kind.

`<div class="spec"><span>Height</span><span>12 cm</span></div>` shows two words where .spec is a flex container, and one
line of a table where several such boxes stand below one another. Where a page links its style sheets, the class names
of Bootstrap and Tailwind say the same ("flex", "d-block", "md:flex-row"), and rows and cells are called so.
Specification: CSS Display 3 (inner and outer types, blockification), CSS Flexbox 1, CSS Grid 2, CSS 2 section 17.
"""

from __future__ import annotations

from collections.abc import Container

from webtool.css.cascade import KEY_OF, RuleIndex, StyleRule, cascaded
from webtool.css.declarations import read_declarations
from webtool.css.positions import Positions
from webtool.html.node import BLOCK, CELL, ITEM, LAST_ITEM, ROW, STRUCK, TABLE, Element, Node, short_text
from webtool.lean import patterns
from webtool.lean.memory import Remembered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    from webtool.css.boxes import Values
    from webtool.css.elements import PageElements
    from webtool.css.sheets import Sheet

    Page = tuple[PageElements, Optional[Sheet]]

_INLINE = frozenset((
    "span", "a", "b", "strong", "i", "em", "u", "s", "small", "big", "label", "time", "font", "mark", "abbr", "cite",
    "bdi", "bdo", "data", "output", "ins", "q", "var", "dfn", "code", "button",
))  # fmt: skip
_BOXES = frozenset(("div", "section", "article", "main", "header", "footer", "aside", "form", "fieldset", "body", "p"))
_SILENT = frozenset((
    "head", "script", "style", "template", "noscript", "link", "meta", "#comment", "svg", "math", "select", "pre",
))  # fmt: skip
_ROWS = _BOXES | {"span"}
# What no cell of a table made of boxes holds, and what is no text in one.
_NOT_IN_CELL = frozenset((
    "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "pre", "blockquote", "form", "input", "select",
    "textarea", "article", "section", "nav", "header", "footer", "iframe", "video", "button", "figure", "hr",
))  # fmt: skip
# ARIA says itself what these are, and how far its tables go.
_TOLD = frozenset(("table", "grid", "treegrid", "rowgroup", "row", "cell", "gridcell", "columnheader", "rowheader"))
_STRUCK = _INLINE - {"s", "ins"} | {"div", "p"}  # what a style sheet crosses out, unless its tag does or says no
_OUTER_BLOCK = frozenset(("block", "flex", "grid", "table", "list-item", "flow-root", "-webkit-box"))
_TABLE_PARTS = {"table-row": BLOCK, "table-cell": ITEM}
_MAX_CHILDREN = 3000  # of one container that are arranged
_MAX_NODES = 40  # of a cell that are looked at
_MAX_CELL = 160  # characters of a cell
_MAX_COLUMNS = 12
_LEAST_ROWS = 2
_LEAST_SIZE = 4  # rows and columns that only flex containers make: two of each are no table
_FEW = 200  # siblings among which the next one is looked for
_MAX_KNOWN = 5000
_MAX_STYLE = 5000  # characters of a style attribute
_LETTERS = 3  # items of one letter each are a word whose letters move

_prefix = patterns.compile(r"(?:sm|md|lg|xl):").match
_bootstrap = patterns.compile(r"(d|flex)-(?:sm|md|lg|xl)-").match
_is_price = patterns.compile(
    r"(?:[Ww]as:? ?)?(?:[A-Z]{1,3} ?)?[$€£¥₹] ?[0-9][0-9.,]*|[0-9][0-9.,]* ?(?:€|zł|kr|Kč)"
).fullmatch
_names_row = patterns.compile(r"(?i)(?:^|[\s_-])(?:table-?)?(?:row|tr)(?![\w])").search
# Of frameworks, and what shops call a price that is no longer asked: names that say no more than that mislead.
_STRUCK_NAMES = frozenset((
    "line-through", "text-decoration-line-through", "strike", "strikethrough", "old-price", "price-old", "was-price",
    "price--non-sale",
))  # fmt: skip
_NAMED: dict[str, tuple[str, str]] = {
    **{name: ("display", name) for name in ("flex", "inline-flex", "grid", "inline-grid", "block")},
    **{f"d-{name}": ("display", name) for name in ("flex", "inline-flex", "grid", "block", "inline", "inline-block")},
    "flex-col": ("flex-direction", "column"),
    "flex-column": ("flex-direction", "column"),
    "flex-row": ("flex-direction", "row"),
    **dict.fromkeys(_STRUCK_NAMES, ("text-decoration", "named")),
}


_NOTHING: Values = {}


def boxes_of(
    page: PageElements, sheet: Sheet | None, hidden: Container[Element], around: Container[Node] | None = None
) -> dict[Element, str]:
    """The elements of a page that are arranged as their tags do not say, with their kinds.

    `around` are the elements of interest: only these and their children are looked at. Cost: a constant an
    element; elements are looked for one by one only where a rule says no class or id.
    """
    return _Arrangement(sheet, hidden, around).of(page)


def _values_named(names: str) -> Values:
    """What the class names of the usual frameworks say; those for wide screens count more."""
    values: Values = {}
    wide: Values = {"row": "named"} if _is_row(names) else {}
    for name in names.split()[:50]:
        if name not in _NAMED and name[:1] not in "smlxdfg":
            continue
        match = _prefix(name) or _bootstrap(name)
        plain = name[match.end() :] if match and name[match.end() - 1] == ":" else name
        if match and plain is name:
            plain = f"{match[1]}-{name[match.end() :]}"
        if plain in _NAMED:
            key, value = _NAMED[plain]
            (wide if match else values)[key] = value
    return {**values, **wide}


def _is_row(names: str) -> bool:
    """Whether a class name says so."""
    return ("row" in names or "tr" in names) and bool(_names_row(names))


def _tells(name: str) -> bool:
    """Whether a class name says by itself how a box may stand."""
    if _is_row(name) or name in _STRUCK_NAMES:
        return True
    if "flex" in name or "grid" in name or "block" in name or "d-" in name:
        return name in _NAMED or bool(_prefix(name) or _bootstrap(name))
    return False


_PLAIN = frozenset(("row", "text-decoration"))  # which say it whatever the display is


def _force(values: Values) -> int:
    """How much more a way to be displayed is than what elements do by themselves: 2 for all, 1 for inline ones, 0."""
    display = values.get("display", "")
    if display.endswith(("flex", "grid", "-webkit-box")) or display[:6] == "table-" or not _PLAIN.isdisjoint(values):
        return 2
    return int(display in _OUTER_BLOCK)


class _Arrangement:
    """One page."""

    def __init__(self, sheet: Sheet | None, hidden: Container[Element], around: Container[Node] | None) -> None:
        self._hidden = hidden
        self._around = around
        self._places = Positions() if sheet is None else sheet.positions
        self._rules = RuleIndex(self._places)
        self._named = Remembered(_values_named, _MAX_KNOWN)
        self._together: dict[tuple[object, ...], Values] = {}
        self._boxes: dict[Element, str] = {}
        self._struck: list[Element] = []
        self._rows: dict[Element, dict[Element, str]] = {}  # by container: what may be its rows
        self._forces: dict[StyleRule, int] = {}
        if sheet is not None:
            self._read(sheet)
        force = {key: max([self._forces[rule] for rule in rules]) for key, rules in self._rules.rules.items()}
        self._classes = {key[1:]: most for key, most in force.items() if key[0] == "." and most}
        self._open = {
            key
            for key, most in force.items()
            if key[0] != "." and (most > 1 or (most and (key in _INLINE or key[0] in "#*[")))
        }
        self._wide = RuleIndex(self._places)
        """The rules among them that say no class or id."""
        for key in self._open:
            if key[0] in "*[" or key in _INLINE or key in _BOXES:
                for rule in self._rules.rules[key]:
                    if self._forces[rule]:
                        self._wide.put(key, rule)

    def _read(self, sheet: Sheet) -> None:
        for selectors, values, important, weight in sheet.arranging:
            force = _force(values)
            for text in selectors:
                key = KEY_OF[text]
                rule = StyleRule(text, values, important, weight)
                self._forces[rule] = force
                selector = None if key else rule.parse(sheet.positions)
                for found in selector.compounds[-1].index_keys() if selector else filter(None, [key]):
                    self._rules.put(found, rule)

    def of(self, page: PageElements) -> dict[Element, str]:
        """See boxes_of."""
        forces = self._classes
        forces.update([(name, 2) for name in page.class_names if _tells(name)])
        for names, elements in page.by_classes.items():
            found = page.names_in[names]
            if forces.keys().isdisjoint(found):
                continue
            most = max([forces.get(name, 0) for name in found])
            for element in elements:
                if most > 1 or element.tag in _INLINE:
                    self._see(element)
        for element in page.with_display:
            self._see(element)
        for key in self._open:
            if key in page.by_id:
                self._see(page.by_id[key][-1])
        matched = self._wide.matched(page) if self._wide else ()
        for element in page.all if matched else ():
            if element in matched and element.children:
                self._see(element)
        self._make_tables()
        self._boxes.update((one, STRUCK) for one in self._struck if self._boxes.get(one, ITEM) in (ITEM, LAST_ITEM))
        return self._boxes

    def _values(self, element: Element) -> Values:
        attrs = element.attrs
        style = attrs["style"][:_MAX_STYLE] if "style" in attrs and "display" in attrs["style"] else ""
        rules = self._rules
        matching = rules.matching(element, self._places.names_of(element)) if rules else []
        return self._joined(element, matching, style)

    def _joined(self, element: Element, matching: list[StyleRule], style: str) -> Values:
        names = element.attrs.get("class", "")
        values = self._named[names]
        least = 1 if element.tag in _INLINE else 2
        if not style and _force(values) < least and all(self._forces[rule] < least for rule in matching):
            return _NOTHING
        if not matching and not style:
            return values
        known = style, names, *matching
        together = self._together.get(known)
        if together is None:
            if len(self._together) > _MAX_KNOWN:
                self._together.clear()
            together = self._together[known] = {**values, **cascaded(matching, *read_declarations(style)[:2])}
        return together

    def _see(self, element: Element) -> None:
        around = self._around
        if around is not None and element not in around and element.parent not in around:
            return
        is_plain = element.tag not in _INLINE and not _holds_two(element)
        if (is_plain and element.tag not in _STRUCK) or element.attrs.get("role", "") in _TOLD:
            return
        values = self._values(element)
        if "text-decoration" in values and element.tag in _STRUCK and _is_crossed_out(element, values):
            self._struck.append(element)
        display = values.get("display", "")
        if is_plain or (not display and "row" not in values):
            return
        if display in _OUTER_BLOCK and element.tag in _INLINE and not _is_in_sentence(element):
            self._boxes.setdefault(element, BLOCK)
        if display in _TABLE_PARTS and element.tag in _INLINE:
            self._boxes.setdefault(element, _TABLE_PARTS[display])  # unless it turns out to be in a table
        is_flex = display.endswith(("flex", "-webkit-box"))
        is_column = "column" in values.get("flex-direction", values.get("flex-flow", ""))
        if is_flex or display.endswith("grid"):
            self._arrange(element, is_line=is_flex and not is_column)
        is_row = display == "table-row" or ("row" in values and display != "table-cell") or (is_flex and not is_column)
        if is_row and element.parent is not None and element.tag in _ROWS:
            self._rows.setdefault(element.parent, {})[element] = display

    def _arrange(self, container: Element, *, is_line: bool) -> None:
        """Children of a flex or grid container: each is a box, whatever its tag."""
        items = [node for node in self._shown(container) if node.tag in _INLINE or "-" in node.tag]
        if len(items) >= _LETTERS and all(len(short_text(node).strip()) < 2 for node in items):
            return
        is_line = is_line or any(not _has_letter(short_text(node)) for node in items)
        is_line = is_line or any(node.tag is None and node.text.strip() for node in container.children)
        for node in items:
            self._boxes[node] = ITEM if is_line else BLOCK
        if is_line and items:
            for node, behind in zip(items, map(_behind, items)):
                if behind[:1].isalnum():
                    self._boxes[node] = LAST_ITEM

    def _shown(self, element: Element) -> list[Element]:
        children = element.children[:_MAX_CHILDREN]
        return [node for node in children if node.tag and node.tag not in _SILENT and node not in self._hidden]  # type: ignore[misc]

    def _make_tables(self) -> None:
        for outer, found in self._rows.items():
            if len(found) < _LEAST_ROWS or outer in self._boxes or outer.tag not in _BOXES:
                continue
            rows = self._shown(outer)
            if len(rows) != len(found) or not all(row in found for row in rows):
                continue
            is_table = all(display == "table-row" for display in found.values())
            cells = [self._shown(row) for row in rows]
            columns = self._columns(cells, is_table=is_table)
            if len(columns) > 1 and (is_table or len(rows) + len(columns) > _LEAST_SIZE):
                self._boxes[outer] = TABLE
                self._boxes.update(dict.fromkeys(rows, ROW))
                self._boxes.update((row[at], CELL) for row in cells for at in columns if at < len(row))

    def _columns(self, rows: list[list[Element]], *, is_table: bool) -> list[int]:
        """The columns that hold something where rows of boxes are a table's: each has as many cells, short ones.

        Rows that only a flex container makes have more to show: a first cell with words in each, and no pictures.
        """
        widths = {len(row) for row in rows}
        width = max(widths)
        if 0 in widths or not 2 <= width <= _MAX_COLUMNS or (len(widths) > 1 and not is_table):
            return []
        if any(node.tag is None and node.text.strip() for row in rows for node in row[0].parent.children):  # type: ignore[union-attr]
            return []
        sizes = [[self._size(cell, may_show=is_table) for cell in row] for row in rows]
        if any(size < 0 for row in sizes for size in row):
            return []
        columns = [at for at in range(width) if any(row[at : at + 1] > [0] for row in sizes)]
        is_even = is_table or all(row[columns[0]] for row in sizes if columns)
        return columns if is_even else []

    def _size(self, cell: Element, *, may_show: bool) -> int:
        """The characters of a cell; -1 where it holds more than the cell of a table does."""
        if cell.tag in _NOT_IN_CELL:
            return -1
        nodes = length = 0
        stack = [cell]
        while stack:
            for node in stack.pop().children:
                nodes += 1
                tag = node.tag
                if tag is None:
                    length += len(node.text.strip())
                elif tag in _NOT_IN_CELL or (tag == "img" and not may_show):
                    return -1
                elif tag not in _SILENT and node not in self._hidden:
                    stack.append(node)  # type: ignore[arg-type]
                if nodes > _MAX_NODES or length > _MAX_CELL:
                    return -1
        return length


def _holds_two(element: Element) -> bool:
    """Whether something stands beside something else in an element."""
    has_one = False
    for node in element.children:
        if node.tag is not None or not node.text.isspace():
            if has_one:
                return True
            has_one = True
    return False


_letter = patterns.compile(r"[^\W_]").search


def _has_letter(text: str) -> bool:
    return _letter(text) is not None or not text.strip()


def _is_crossed_out(element: Element, values: Values) -> bool:
    """Whether a style sheet says so, or a class name says it, of a price unless its name is a framework's."""
    if values["text-decoration"] != "named" or "through" in element.attrs.get("class", ""):
        return True
    return _is_price(short_text(element).strip()) is not None


def _is_in_sentence(element: Element) -> bool:
    """Whether text goes on behind an element: a linked sheet says otherwise of it then."""
    if not _has_letter(short_text(element)):
        return True
    behind = _behind(element)
    first = behind.lstrip()[:1]
    return bool(first) and not (behind[0].isalnum() or first.isupper() or first.isdigit())


def _behind(element: Element) -> str:
    """The text that goes on behind an element."""
    siblings = element.parent.children if element.parent is not None else ()
    if len(siblings) > _FEW or element not in siblings:
        return ""
    behind = next((node for node in siblings[siblings.index(element) + 1 :] if node.tag != "#comment"), None)
    return behind.text if behind is not None and behind.tag is None else ""
