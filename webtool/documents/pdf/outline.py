"""What a PDF file says about its structure: title, outline, tags, layers. In: a PdfFile. Out: plain values.

States of layers that depend on the zoom or on printing are left out.
Specification: ISO 32000-1 sections 8.11 (optional content), 12.3.3 (outline), 14.3 (metadata), 14.7 and 14.8
(structure tree, standard types).
"""

from __future__ import annotations

from webtool.documents.pdf.objects import PdfError, Ref, Stream
from webtool.documents.pdf.objects.file import PdfFile
from webtool.documents.tree import numeral
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any

MAX_ITEMS = 5000
_MAX_TITLE = 500  # characters
_MAX_LABEL = 50
_DIGITS = {"D": "1", "R": "I", "r": "i", "A": "A", "a": "a"}  # table 159
MAX_ELEMENTS = 200_000
_MAX_SPAN = 64  # columns or rows of one cell
_MAX_DEPTH = 3  # of expressions on layers in each other, each of at most so many terms
_MAX_TERMS = 12
_XMP_TITLE = patterns.compile(r"(?s)<dc:title>\s*<rdf:Alt>\s*<rdf:li[^>]{0,200}>([^<]{1,500})<")
# Titles that programs put in by themselves.
_NO_TITLE = patterns.compile(
    r"(?i)(?:untitled\d*|title|document\d*|slide 1|powerpoint presentation|microsoft word|\(?anonymous\)?|unknown)\Z"
)
_PROGRAM = patterns.compile(r"Microsoft (?:Word|PowerPoint|Excel) - ")
_FILE_ENDING = patterns.compile(r"(?i)\.(?:docx?|pptx?|xlsx?|odt|tex|dvi|rtf|indd|qxd|fm|pdf)\Z")


def title(file: PdfFile) -> str:
    """The title that the file gives itself, "" where it gives none or one that a program made up."""
    for found in (file.text_of(file.info.get("Title")), _xmp_title(file)):
        text = " ".join(_FILE_ENDING.sub("", _PROGRAM.sub("", found[:_MAX_TITLE])).split())
        if text and not _NO_TITLE.match(text):
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
    """A title reduced to what the outline and the page have in common: letters and digits."""
    return "".join(letter for letter in text.lower() if letter.isalnum())


def headings(file: PdfFile) -> dict[str, int]:
    """Levels from 1 by key_of() the titles in the outline."""
    levels: dict[str, int] = {}
    seen: set[int] = set()
    waiting: list[tuple[Any, int]] = [(file.dict_of(file.root.get("Outlines")).get("First"), 1)]
    while waiting and len(seen) < MAX_ITEMS:
        reference, level = waiting.pop()
        if type(reference) is not Ref or reference.number in seen:
            continue
        seen.add(reference.number)
        item = file.dict_of(reference)
        key = key_of(file.text_of(item.get("Title"))[:_MAX_TITLE])
        if key:
            levels.setdefault(key, min(level, 6))
            levels.setdefault(key.lstrip("0123456789"), min(level, 6))  # pages may number where outlines do not
        waiting.append((item.get("Next"), level))
        waiting.append((item.get("First"), level + 1))
    return levels


def labels(file: PdfFile, count: int) -> list[str]:
    """What the pages are called (section 12.4.2), by their order where the file does not say."""
    ranges: dict[int, dict[str, Any]] = {}
    waiting: list[Any] = [file.root.get("PageLabels")]
    for _ in range(MAX_ITEMS):
        if not waiting:
            break
        node = file.dict_of(waiting.pop())
        waiting.extend(file.list_of(node.get("Kids"))[:MAX_ITEMS])
        numbers = [file.resolve(item) for item in file.list_of(node.get("Nums"))[: 2 * MAX_ITEMS]]
        ranges.update((at, file.dict_of(value)) for at, value in zip(numbers[::2], numbers[1::2]) if type(at) is int)
    made: list[str] = []
    start, current = 0, ranges.get(0)
    for page in range(count):
        start, current = (page, ranges[page]) if page in ranges else (start, current)
        if current is None:
            made.append(str(page + 1))
            continue
        first = file.resolve(current.get("St"))
        number = page - start + (first if type(first) is int and first > 0 else 1)
        digits = _DIGITS.get(str(file.resolve(current.get("S"))), "")
        label = file.text_of(current.get("P"))[:_MAX_LABEL] + (numeral(number, digits) if digits else "")
        made.append(label or str(page + 1))
    return made


class Cell(NamedTuple):
    """A cell of a table in the structure tree. Numbers of elements grow from the last to the first."""

    table: int
    row: int
    number: int
    columns: int
    rows: int


class Tags(NamedTuple):
    """What the structure tree says of marked content, by the page's object number and the MCID.

    `elements` are standard structure types and numbers of elements, `cells` the cells that contents stand in, `rows`
    the cells of each row of a table by its number, empty ones too, from the last to the first.
    """

    elements: dict[tuple[int, int], tuple[str, int]]
    cells: dict[tuple[int, int], Cell]
    rows: dict[int, list[Cell]]


def tags(file: PdfFile) -> Tags:
    """The tags of a file; empty where it has none."""
    root = file.dict_of(file.root.get("StructTreeRoot"))
    roles = {key: str(file.resolve(value)) for key, value in file.dict_of(root.get("RoleMap")).items()}
    result = Tags({}, {}, {})
    waiting: list[tuple[Any, int, str, int, bool, Cell | None]] = [(root.get("K"), -1, "", -1, True, None)]
    seen: set[int] = set()
    count = 0

    def note(page: int, content: int) -> None:
        result.elements.setdefault((page, content), (role, element))
        if cell and cell.number >= 0:
            result.cells.setdefault((page, content), cell)

    while waiting and count < MAX_ELEMENTS:
        value, page, role, element, is_first, cell = waiting.pop()
        count += 1
        if type(value) is Ref:
            if value.number in seen:
                continue
            seen.add(value.number)
        value = file.resolve(value)
        if type(value) is int:
            note(page, value)
        elif type(value) is list:
            behind = int(bool(value) and file.dict_of(value[0]).get("S") == "Lbl")  # the label is not content
            kids = enumerate(value[:MAX_ELEMENTS])
            waiting.extend((item, page, role, element, at <= behind, cell) for at, item in kids)
        elif type(value) is dict:
            page = value["Pg"].number if type(value.get("Pg")) is Ref else page
            if type(value.get("MCID")) is int:
                note(page, value["MCID"])
                continue
            kind = _standard_type(str(file.resolve(value.get("S"))), roles)
            if kind != "None" and kind not in _TRANSPARENT:
                # The first paragraph in an item is what stands behind its bullet.
                stays = kind == "P" and role in ("LI", "LBody") and is_first
                role, element = role if stays else kind, count
            if kind == "Table" and (cell is None or cell.number < 0):  # one in a cell of another is text of that cell
                cell = Cell(count, -1, -1, 1, 1)
            elif cell and cell.number < 0:
                cell = _inside(file, cell, kind, value, count)
                if cell.number >= 0:
                    result.rows.setdefault(cell.row, []).append(cell)
            waiting.append((value.get("K"), page, role, element, True, cell))
    return result


def _inside(file: PdfFile, cell: Cell, kind: str, element: dict[str, Any], count: int) -> Cell:
    """What a row or a cell of a table adds to what is known of its place (table 337: its columns and rows)."""
    if kind == "TR":
        return cell._replace(row=count)
    if kind not in ("TD", "TH") or cell.row < 0:
        return cell
    given = file.resolve(element.get("A"))
    attrs: dict[str, Any] = {}
    for item in given if type(given) is list else [given]:
        attrs.update(file.dict_of(item))
    spans = [attrs.get(name) for name in ("ColSpan", "RowSpan")]
    columns, rows = (value if type(value) is int and 0 < value <= _MAX_SPAN else 1 for value in spans)
    return cell._replace(number=count, columns=columns, rows=rows)


_TRANSPARENT = frozenset(
    ("Span", "Link", "Reference", "Quote", "Note", "Code", "BibEntry", "Annot", "NonStruct", "Strong", "Em")
)


def _standard_type(name: str, roles: dict[str, str]) -> str:
    for _ in range(10):
        if name not in roles or roles[name] == name:
            break
        name = roles[name]
    return name


class Layers:
    """The layers of one file as its default configuration shows them (section 8.11.4.3)."""

    def __init__(self, file: PdfFile) -> None:
        self._file = file
        self._known: dict[int, bool] = {}
        properties = file.dict_of(file.root.get("OCProperties"))
        defaults = file.dict_of(properties.get("D"))
        self._off = self._numbers(defaults.get("OFF"))
        if file.resolve(defaults.get("BaseState")) == "OFF":
            self._off |= self._numbers(properties.get("OCGs")) - self._numbers(defaults.get("ON"))

    def hide(self, value: Any) -> bool:
        """Whether what belongs to a group or to a membership dictionary (section 8.11.2.2) is not shown."""
        if type(value) is not Ref or not self._off:
            return False
        if value.number not in self._known:
            self._known[value.number] = value.number in self._off or self._is_hidden(self._file.dict_of(value))
        return self._known[value.number]

    def _is_hidden(self, attrs: dict[str, Any]) -> bool:
        if attrs.get("Type") != "OCMD":
            return False
        expression = self._file.list_of(attrs.get("VE"))
        if expression:
            return not self._is_true(expression)
        groups = attrs.get("OCGs")
        own = {groups.number} if type(groups) is Ref and not self._file.list_of(groups) else self._numbers(groups)
        off = len(own & self._off)
        hidden_by = {"AllOn": off > 0, "AnyOff": off == 0, "AllOff": off < len(own)}
        return bool(own) and hidden_by.get(str(attrs.get("P")), off == len(own))

    def _is_true(self, value: Any, depth: int = 0) -> bool:
        """Whether a visibility expression (section 8.11.2.2), or a group in one, shows what belongs to it."""
        items = self._file.list_of(value)
        if not items or depth > _MAX_DEPTH:
            return not (type(value) is Ref and value.number in self._off)
        terms = (self._is_true(item, depth + 1) for item in items[1:_MAX_TERMS])
        operator = str(self._file.resolve(items[0]))
        return any(terms) if operator == "Or" else not any(terms) if operator == "Not" else all(terms)

    def _numbers(self, groups: Any) -> set[int]:
        return {group.number for group in self._file.list_of(groups) if type(group) is Ref}
