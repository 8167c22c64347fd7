"""Where a PDF file's objects are. In: a PdfFile. Out: {number: (holder, where)} and the trailer dictionary.

`holder` is IN_FILE for an object at the byte offset `where`, FREE for none, else the number of the object stream whose
member number `where` it is. read() follows what the file says; scan() looks for the objects themselves.
Specification: ISO 32000-1 sections 7.5.4, 7.5.5, 7.5.6 and 7.5.8.
"""

from __future__ import annotations

import re

from webtool.documents.pdf.objects import PdfError, Stream, read_object
from webtool.lean import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from webtool.documents.pdf.objects.file import PdfFile

    Entries = dict[int, tuple[int, int]]

IN_FILE = -1
FREE = -2
MAX_ENTRIES = 500_000
MAX_SECTIONS = 1000  # incremental updates of one file

_WS = rb"[\x00\t\n\x0c\r ]"
OBJECT = patterns.compile(_WS + rb"{0,20}(\d{1,10})" + _WS + rb"{1,20}(\d{1,5})" + _WS + rb"{1,20}obj")
_ANY_OBJECT = patterns.compile(rb"(?<!\d)(\d{1,10})" + _WS + rb"{1,20}(\d{1,5})" + _WS + rb"{1,20}obj")
_START = patterns.compile(_WS + rb"{0,20}(\d{1,12})")
_TABLE = patterns.compile(_WS + rb"{0,20}xref")
_SUBSECTION = patterns.compile(_WS + rb"{0,20}(\d{1,10})" + _WS + rb"{1,20}(\d{1,10})" + _WS + rb"{0,20}(?=\d)")
_EMPTY_SUBSECTION = patterns.compile(_WS + rb"{0,20}\d{1,10}" + _WS + rb"{1,20}0(?!\d)")
_ENTRY = patterns.compile(_WS + rb"{0,4}(\d{1,10}) (\d{1,5}) ([nf])")
_TRAILER = patterns.compile(_WS + rb"{0,20}trailer")


def read(file: PdfFile) -> tuple[Entries, dict[str, Any]]:
    """Entries and trailer as the file gives them, newest first; a scan where it gives none that can be read."""
    entries: Entries = {}
    trailer: dict[str, Any] = {}
    at = file.data.rfind(b"startxref")
    match = _START.match(file.data, at + 9) if at >= 0 else None
    waiting = [int(match.group(1))] if match else []
    seen: set[int] = set()
    while waiting and len(seen) < MAX_SECTIONS:
        start = waiting.pop()
        if start in seen:
            continue
        seen.add(start)
        try:
            section = _read_section(file, start, entries)
        except PdfError:
            section = {}
        if not section:
            return scan(file)
        for key, value in section.items():
            trailer.setdefault(key, value)
        if type(section.get("Prev")) is int:
            waiting.append(section["Prev"])
    return (entries, trailer) if "Root" in trailer else scan(file)


def scan(file: PdfFile) -> tuple[Entries, dict[str, Any]]:
    """Entries by looking for `N G obj` (the last one wins) and into object streams; the trailer from what is found."""
    entries: Entries = {}
    for match in _ANY_OBJECT.finditer(file.data):
        entries[int(match.group(1))] = (IN_FILE, match.start())
        if len(entries) > MAX_ENTRIES:
            raise PdfError(f"has more than {MAX_ENTRIES:,} objects")
    trailer = _scanned_trailer(file.data)
    file.entries = entries
    file.was_scanned = True
    for number, (_, at) in list(entries.items()):
        head = file.data[at : at + 400]
        if b"/XRef" in head:
            value = file.object_at(at, number)
            if type(value) is Stream:
                trailer.update(
                    (key, value.attrs[key]) for key in ("Root", "Info", "Encrypt", "ID") if key in value.attrs
                )
    file.trailer = trailer
    if not file.is_locked:
        add_members(file, entries)
    if not file.dict_of(trailer.get("Root")):
        _find_catalog(file, entries, trailer)
    return entries, trailer


def add_members(file: PdfFile, entries: Entries) -> None:
    """Add what the object streams of a scanned file hold; those of an encrypted file need its key first."""
    for number, (_, at) in list(entries.items()):
        if b"/ObjStm" not in file.data[at : at + 400]:
            continue
        try:
            members = file.members_of(number)
        except PdfError:
            continue
        for index, member in enumerate(members):
            entries.setdefault(member, (number, index))


def _scanned_trailer(data: bytes) -> dict[str, Any]:
    trailer: dict[str, Any] = {}
    at = data.find(b"trailer")
    for _ in range(MAX_SECTIONS):
        if at < 0:
            break
        try:
            value, _ = read_object(data, at + 7)
        except PdfError:
            value = None
        if type(value) is dict:
            trailer.update(value)
        at = data.find(b"trailer", at + 7)
    return trailer


def _find_catalog(file: PdfFile, entries: Entries, trailer: dict[str, Any]) -> None:
    from webtool.documents.pdf.objects import Ref

    for number in entries:
        try:
            value = file.get(number)
        except PdfError:
            continue
        if type(value) is dict and value.get("Type") == "Catalog":
            trailer["Root"] = Ref(number, 0)


def _read_section(file: PdfFile, start: int, entries: Entries) -> dict[str, Any]:
    """One table or stream; its entries are added where no newer one is known. Out: its trailer, empty if damaged."""
    match = _TABLE.match(file.data, start)
    if match:
        return _read_table(file, match.end(), entries)
    match = OBJECT.match(file.data, start)
    stream = file.object_at(start, int(match.group(1))) if match else None
    if type(stream) is Stream and stream.attrs.get("Type") == "XRef":
        return _read_stream(file, stream, entries)
    return {}


def _read_table(file: PdfFile, at: int, entries: Entries) -> dict[str, Any]:
    data = file.data
    free: list[int] = []
    while True:
        empty = _EMPTY_SUBSECTION.match(data, at)
        if empty:
            at = empty.end()
            continue
        match = _SUBSECTION.match(data, at)
        if not match:
            break
        at = _read_subsection(data, match, entries, free)
    match = _TRAILER.match(data, at)
    trailer = read_object(data, match.end())[0] if match else None
    if type(trailer) is not dict:
        return {}
    # Section 7.5.8.4: what the table of a hybrid file calls free may be in its stream.
    hidden = trailer.get("XRefStm")
    match = OBJECT.match(data, hidden) if type(hidden) is int else None
    stream = file.object_at(match.start(), int(match.group(1))) if match else None
    if type(stream) is Stream:
        _read_stream(file, stream, entries)
    for number in free:
        entries.setdefault(number, (FREE, 0))
    return trailer


def _read_subsection(data: bytes, head: re.Match[bytes], entries: Entries, free: list[int]) -> int:
    first, count = int(head.group(1)), int(head.group(2))
    at = head.end()
    for number in range(first, first + min(count, MAX_ENTRIES)):
        match = _ENTRY.match(data, at)
        if not match:
            break
        at = match.end()
        # Some producers count from 1 although their table begins with the head of the free list.
        if number == first == 1 and match.group(3) == b"f" and match.group(2) == b"65535":
            raise PdfError("has a table that counts from the wrong number")
        if match.group(3) == b"n":
            entries.setdefault(number, (IN_FILE, int(match.group(1))))
        else:
            free.append(number)
    return at


def _read_stream(file: PdfFile, stream: Stream, entries: Entries) -> dict[str, Any]:
    attrs = stream.attrs
    widths = attrs.get("W")
    if (
        type(widths) is not list
        or len(widths) < 3
        or not all(type(width) is int and 0 <= width <= 8 for width in widths)
    ):
        return {}
    index = attrs.get("Index", [0, attrs.get("Size", 0)])
    if type(index) is not list or not all(type(number) is int and number >= 0 for number in index):
        return {}
    data = file.decode(stream)
    row = sum(widths[:3])
    at = 0
    for first, count in zip(index[::2], index[1::2]):
        for number in range(first, first + min(count, MAX_ENTRIES)):
            if not row or at + row > len(data):
                break
            _add_entry(data[at : at + row], widths, number, entries)
            at += row
    return attrs


def _add_entry(row: bytes, widths: list[int], number: int, entries: Entries) -> None:
    first, second = widths[0], widths[0] + widths[1]
    kind = int.from_bytes(row[:first], "big") if first else 1
    where = int.from_bytes(row[first:second], "big")
    if kind == 1:
        entries.setdefault(number, (IN_FILE, where))
    elif kind == 2:
        entries.setdefault(number, (where, int.from_bytes(row[second:], "big")))
    elif kind == 0:
        entries.setdefault(number, (FREE, 0))
