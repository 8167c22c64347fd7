"""Excel workbooks (xlsx) as markdown tables. In: a Source. Out: a Document.

Values as Excel shows them, but for dates, which are in ISO 8601; a formula without a stored result is shown itself.
Hidden sheets, rows and columns are left out. Specification: ECMA-376 part 1, SpreadsheetML (clause 18).
"""

from __future__ import annotations

from webtool.documents import Document, Source
from webtool.documents.archive import Archive, Links
from webtool.documents.sheets import MAX_CELLS, Sheet, markdown
from webtool.documents.xlsx import extras
from webtool.documents.xlsx.cells import Enough, Formats, SheetReader, Workbook, place
from webtool.documents.xmltree import TOO_MUCH, XmlError, child, read
from webtool.lean import patterns
from webtool.running.budget import Spent

_MAX_SHEETS = 500
_MAX_NAME = 200  # Excel allows 31 characters
MAX_SHEET = 20_000_000  # weight of a part that no tree is made of


def convert(source: Source) -> Document:
    """The visible sheets in order. Raises ExtractFailed for a damaged workbook."""
    archive = Archive(source)
    title = archive.core_title()
    part = archive.main_part("xl/workbook.xml")
    root = archive.xml(part)
    links = archive.relationships(part)
    properties = child(root, "x:workbookPr")
    is_1904 = properties is not None and properties.get("date1904") in ("1", "true")
    formats = Formats(archive.optional_xml(archive.part_of_kind(part, "styles")), is_1904)
    strings = _shared_strings(archive, archive.part_of_kind(part, "sharedStrings"))
    workbook = Workbook(strings, formats, source.budget)
    sheets: list[Sheet] = []
    hidden = 0
    listed = list(root.iter("x:sheet"))
    if len(listed) > _MAX_SHEETS:
        source.add_note(f"Only the first {_MAX_SHEETS:,} of {len(listed):,} sheets are read.")
    for item in listed[:_MAX_SHEETS]:
        link = links.get(item.get("r:id", ""))
        if link is None or link.target not in archive or link.kind != "worksheet":
            continue  # a chart sheet
        if item.get("state", "visible") != "visible":
            hidden += 1
            continue
        sheets.append(_sheet(archive, source, workbook, link.target, item.get("name", "")[:_MAX_NAME]))
        if workbook.left <= 0 or source.budget.is_spent:
            source.add_note(f"Only the first {MAX_CELLS - max(0, workbook.left):,} cells are shown.")
            break
        if source.is_late():
            source.add_note(f"Only {len(sheets):,} sheets were read before the deadline.")
            break
    source.leave_out(hidden, "hidden sheet")
    source.leave_out(workbook.unseen, "cell", " in hidden rows or columns")
    return Document(title, markdown(sheets, source.budget), source.kind)


def _sheet(archive: Archive, source: Source, workbook: Workbook, part: str, name: str) -> Sheet:
    """One sheet, as far as the workbook's bounds go. Raises ExtractFailed where it is damaged."""
    data, is_whole = archive.read(part)
    own = archive.relationships(part)
    reader = SheetReader(workbook, Sheet(name), _links(data, own))
    try:
        if read(data, reader.start, reader.end, reader.text, not is_whole, most=MAX_SHEET) < 0:
            source.add_note(TOO_MUCH)
    except XmlError as exc:
        raise archive.damaged(part, exc) from exc
    except (Enough, Spent):
        reader.keep_row()
    if workbook.left > 0 and not source.budget.is_spent:
        extras.add(reader.sheet, archive, own, source.budget)
    return reader.sheet


def _shared_strings(archive: Archive, name: str | None) -> list[str]:
    """Clause 18.4.9; phonetic runs, which say how to read the others, are left out."""
    if name is None or name not in archive:
        return []
    reader = _Strings()
    data, is_whole = archive.read(name)
    try:
        read(data, reader.start, reader.end, reader.text, not is_whole, most=MAX_SHEET)
    except XmlError as exc:
        raise archive.damaged(name, exc) from exc
    return reader.strings


class _Strings:
    """Handlers for shared strings: x:si, x:t, x:rPh. There may be a million of them, so no tree is made."""

    def __init__(self) -> None:
        self.strings: list[str] = []
        self._parts: list[str] = []
        self._in_phonetic = self._collects = False

    def start(self, name: str, _attrs: dict[str, str]) -> None:
        """An element opens."""
        self._collects = name == "x:t" and not self._in_phonetic
        self._in_phonetic = self._in_phonetic or name == "x:rPh"

    def text(self, text: str) -> None:
        """Character data."""
        if self._collects:
            self._parts.append(text)

    def end(self, name: str) -> None:
        """An element closes."""
        self._collects = False
        if name == "x:rPh":
            self._in_phonetic = False
        elif name == "x:si":
            self.strings.append("".join(self._parts))
            self._parts = []


_HYPERLINK = patterns.compile(rb"<(?:\w+:)?hyperlink\s")


def _links(data: bytes, relationships: Links) -> dict[tuple[int, int], str]:
    """URLs by cell. They stand after the cells in the file, so they are read before."""
    urls: dict[tuple[int, int], str] = {}
    if not any(link.kind == "hyperlink" for link in relationships.values()) or not _HYPERLINK.search(data):
        return urls

    def start(name: str, attrs: dict[str, str]) -> None:
        url = relationships.url(attrs.get("r:id")) if name == "x:hyperlink" else ""
        if url:
            urls[place(attrs.get("ref", "").partition(":")[0]) or (-1, -1)] = url

    try:
        read(data, start, lambda _name: None, lambda _text: None, most=MAX_SHEET)
    except XmlError:
        pass  # said when the cells are read
    return urls
