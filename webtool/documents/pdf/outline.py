"""Read the structure that a PDF file declares: title, outline, tags, layers. In: a PdfFile. Out: values.

Tags are the structure tree: a tree of elements such as P, H1 and Table, whose leaves are numbers of marked content
(MCID) on pages. Layers are optional content, which may be switched off. Layer states that depend on zoom or printing
are ignored.
Specification: ISO 32000-1 sections 8.11 (optional content), 12.3.3 (outline), 14.3 (metadata), 14.7 and 14.8
(structure tree, standard types).
Tests: tests/documents/pdf/test_convert.py
"""

from __future__ import annotations

from webtool.documents.pdf.objects import PdfError, Ref, Stream
from webtool.documents.pdf.objects.file import PdfFile
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any, Optional

MAX_ITEMS = 5000  # of the outline; the rest is ignored
MAX_ELEMENTS = 200_000  # of the structure tree; the rest is ignored
_MAX_TITLE = 500  # characters; the rest is cut
_MAX_ROLES = 10  # steps from a type of the file to a standard one
_MAX_SPAN = 64  # columns or rows of one cell; a larger span counts as 1
_MAX_DEPTH = 3  # of nested visibility expressions; deeper ones count as visible
_MAX_TERMS = 12  # of a visibility expression; the rest is ignored
_XMP_TITLE = patterns.compile(r"(?s)<dc:title>\s*<rdf:Alt>\s*<rdf:li[^>]{0,200}>([^<]{1,500})<")
# Titles that programs generate.
_GENERATED_TITLE = patterns.compile(
    r"(?i)(?:untitled\d*|title|document\d*|slide 1|powerpoint presentation|microsoft word|\(?anonymous\)?|unknown)\Z"
)
_PROGRAM = patterns.compile(r"Microsoft (?:Word|PowerPoint|Excel) - ")
_FILE_SUFFIX = patterns.compile(r"(?i)\.(?:docx?|pptx?|xlsx?|odt|tex|dvi|rtf|indd|qxd|fm|pdf)\Z")


def title(file: PdfFile) -> str:
    """Return the file's title; "" without a title or for a generated one."""
    info = file.dict_of(file.trailer.get("Info"))
    for value in (file.text_of(info.get("Title")), _xmp_title(file)):
        text = " ".join(_FILE_SUFFIX.sub("", _PROGRAM.sub("", value[:_MAX_TITLE])).split())
        if text and not _GENERATED_TITLE.match(text):
            return text
    return ""


def _xmp_title(file: PdfFile) -> str:
    stream = file.resolve(file.root.get("Metadata"))
    if type(stream) is not Stream:
        return ""
    try:
        match = _XMP_TITLE.search(file.decode(stream)[:100_000].decode("utf-8", "replace"))
    except PdfError:
        return ""
    if not match:
        return ""
    import html

    return html.unescape(match.group(1))


def key_of(text: str) -> str:
    """Return the letters and digits of a title, in lower case: they are equal in the outline and on the page."""
    return "".join(letter for letter in text.lower() if letter.isalnum())


def headings(file: PdfFile) -> dict[str, int]:
    """Return the levels of the outline's titles, 1 to 6, by key_of() the title with and without its number."""
    levels: dict[str, int] = {}
    seen: set[int] = set()
    waiting: list[tuple[Any, int]] = [(file.dict_of(file.root.get("Outlines")).get("First"), 1)]
    while waiting and len(seen) < MAX_ITEMS:
        reference, level = waiting.pop()
        item = file.dict_of(file.new_node(reference, seen))
        if not item:
            continue
        key = key_of(file.text_of(item.get("Title"))[:_MAX_TITLE])
        if key:
            levels.setdefault(key, min(level, 6))
            levels.setdefault(key.lstrip("0123456789"), min(level, 6))
        waiting.append((item.get("Next"), level))
        waiting.append((item.get("First"), level + 1))
    return levels


class Cell(NamedTuple):
    """A cell of a table. Elements are numbered in document order."""

    table: int  # number of the table's element
    row: int  # number of the row's element
    number: int  # number of the cell's element
    columns: int  # that the cell covers
    rows: int  # that the cell covers


class Tags(NamedTuple):
    """The structure tree, by marked content: a key is the object number of the page and the MCID."""

    elements: dict[tuple[int, int], tuple[str, int]]  # standard structure type and number of the element
    cells: dict[tuple[int, int], Cell]  # the cell that has this content
    rows: dict[int, list[Cell]]  # by number of a row: its cells, also empty ones, in order


class _Position(NamedTuple):
    """Where a node of the structure tree is."""

    page: int = -1  # object number
    role: str = ""  # standard structure type of the element around it
    element: int = -1  # number of that element
    is_first: bool = True  # the first content of its element
    table: int = -1  # number of the innermost table
    row: int = -1  # number of the row in that table
    cell: Optional[Cell] = None


def tags(file: PdfFile) -> Tags:
    """Return the tags of a file, which may be empty. Elements are numbered in document order."""
    root = file.dict_of(file.root.get("StructTreeRoot"))
    roles = {key: str(file.resolve(value)) for key, value in file.dict_of(root.get("RoleMap")).items()}
    result = Tags({}, {}, {})
    waiting: list[tuple[Any, _Position]] = [(root.get("K"), _Position())]
    seen: set[int] = set()
    count = 0
    while waiting and count < MAX_ELEMENTS:
        value, position = waiting.pop()
        count += 1
        value = file.new_node(value, seen)
        if type(value) is int:
            _register(result, value, position)
        elif type(value) is list:
            # In a list item the label comes first; the content right after it counts as the first, too.
            has_label = bool(value) and file.dict_of(value[0]).get("S") == "Lbl"
            firsts = 2 if has_label else 1
            kids = list(enumerate(value[:MAX_ELEMENTS]))  # the last one goes to the bottom of the stack
            waiting.extend((kid, position._replace(is_first=index < firsts)) for index, kid in reversed(kids))
        elif type(value) is dict:
            page = value["Pg"].number if type(value.get("Pg")) is Ref else position.page
            position = position._replace(page=page)
            if type(value.get("MCID")) is int:
                _register(result, value["MCID"], position)
                continue
            waiting.append((value.get("K"), _inside(file, value, position, count, roles, result.rows)))
    return result


def _register(tags: Tags, content: int, position: _Position) -> None:
    """Enter marked content at its position; the first entry for it counts."""
    key = position.page, content
    tags.elements.setdefault(key, (position.role, position.element))
    if position.cell:
        tags.cells.setdefault(key, position.cell)


def _inside(
    file: PdfFile,
    element: dict[str, Any],
    position: _Position,
    number: int,
    roles: dict[str, str],
    rows: dict[int, list[Cell]],
) -> _Position:
    """Return the position of the content of an element, which has this number; a cell is added to its row."""
    kind = _standard_type(str(file.resolve(element.get("S"))), roles)
    role, owner = position.role, position.element
    if role == "LI" and kind in ("Lbl", "LBody"):
        pass  # an item's label and its text are on one line
    elif kind != "None" and kind not in _TRANSPARENT:
        # The first paragraph of a list item is the text after its bullet, so it belongs to the item.
        is_item_text = kind == "P" and role in ("LI", "LBody") and position.is_first
        role, owner = role if is_item_text else kind, number
    table, row, cell = position.table, position.row, position.cell
    if cell:
        pass  # a table inside a cell is text of that cell
    elif kind == "Table":
        table, row = number, -1
    elif kind == "TR" and table >= 0:
        row = number
    elif kind in ("TD", "TH") and row >= 0:
        cell = Cell(table, row, number, *_spans(file, element))
        rows.setdefault(row, []).append(cell)
    return _Position(position.page, role, owner, True, table, row, cell)


def _spans(file: PdfFile, cell: dict[str, Any]) -> tuple[int, int]:
    """Return how many columns and rows a cell covers (table 337)."""
    value = file.resolve(cell.get("A"))
    attrs: dict[str, Any] = {}
    for item in value if type(value) is list else [value]:
        attrs.update(file.dict_of(item))
    columns, rows = attrs.get("ColSpan"), attrs.get("RowSpan")
    return (
        columns if type(columns) is int and 0 < columns <= _MAX_SPAN else 1,
        rows if type(rows) is int and 0 < rows <= _MAX_SPAN else 1,
    )


# Inline types: their content belongs to the element around them.
_TRANSPARENT = frozenset(
    ("Span", "Link", "Reference", "Quote", "Note", "Code", "BibEntry", "Annot", "NonStruct", "Strong", "Em")
)


def _standard_type(name: str, roles: dict[str, str]) -> str:
    """Return the standard structure type of a type of the file, by its role map."""
    for _ in range(_MAX_ROLES):
        if name not in roles or roles[name] == name:
            break
        name = roles[name]
    return name


class Layers:
    """The layers of one file in its default configuration (section 8.11.4.3)."""

    def __init__(self, file: PdfFile) -> None:
        self._file = file
        self._known: dict[int, bool] = {}
        properties = file.dict_of(file.root.get("OCProperties"))
        defaults = file.dict_of(properties.get("D"))
        self._off = self._numbers(defaults.get("OFF"))
        if file.resolve(defaults.get("BaseState")) == "OFF":
            self._off |= self._numbers(properties.get("OCGs")) - self._numbers(defaults.get("ON"))

    def is_hidden(self, value: Any) -> bool:
        """Return whether the content of a layer, or of a membership dictionary (section 8.11.2.2), is not shown."""
        if type(value) is not Ref or not self._off:
            return False
        if value.number not in self._known:
            self._known[value.number] = value.number in self._off or self._is_hidden_by_rule(self._file.dict_of(value))
        return self._known[value.number]

    def _is_hidden_by_rule(self, attrs: dict[str, Any]) -> bool:
        """Return whether a membership dictionary hides its content, by its expression or by its policy."""
        if attrs.get("Type") != "OCMD":
            return False
        expression = self._file.list_of(attrs.get("VE"))
        if expression:
            return not self._is_true(expression)
        groups = attrs.get("OCGs")
        layers = {groups.number} if type(groups) is Ref and not self._file.list_of(groups) else self._numbers(groups)
        off = len(layers & self._off)
        is_hidden = {"AnyOn": off == len(layers), "AllOn": off > 0, "AnyOff": off == 0, "AllOff": off < len(layers)}
        return bool(layers) and is_hidden.get(str(attrs.get("P")), is_hidden["AnyOn"])

    def _is_true(self, value: Any, depth: int = 0) -> bool:
        """Return whether a visibility expression (section 8.11.2.2), or a layer in one, is visible."""
        items = self._file.list_of(value)
        if not items or depth > _MAX_DEPTH:
            return not (type(value) is Ref and value.number in self._off)
        terms = (self._is_true(item, depth + 1) for item in items[1:_MAX_TERMS])
        operator = str(self._file.resolve(items[0]))
        if operator == "Or":
            return any(terms)
        return not any(terms) if operator == "Not" else all(terms)

    def _numbers(self, groups: Any) -> set[int]:
        """Return the object numbers of the layers in an array."""
        return {group.number for group in self._file.list_of(groups) if type(group) is Ref}
