"""Find the objects of a PDF file. In: its bytes. Out: Entries and the trailer dictionary.

An entry is (holder, place). For holder IN_FILE the place is a byte offset; FREE means that the object was deleted; any
other holder is the number of an object stream, and the place is an index. Table.read() uses the file's own tables: one
for the file and one for each incremental update, as text or as a stream. scan() ignores them and searches the file.
Specification: ISO 32000-1 sections 7.5.4, 7.5.5, 7.5.6 and 7.5.8.
Tests: tests/documents/pdf/test_objects.py
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice

from webtool.documents.pdf.objects import PdfError, Stream, read_object
from webtool.lean import patterns
from webtool.lean.typing import Any

Entries = dict[int, tuple[int, int]]  # by number of the object: holder, place

IN_FILE = -1
FREE = -2
MAX_ENTRIES = 500_000  # further entries of a table are ignored; more objects in a scanned file are an error
MAX_SECTIONS = 1000  # older tables of a file, and later trailers of a scanned file, are ignored

_WS = rb"[\x00\t\n\x0c\r ]"
OBJECT = patterns.compile(_WS + rb"{0,20}(\d{1,10})" + _WS + rb"{1,20}(\d{1,5})" + _WS + rb"{1,20}obj")
_ANY_OBJECT = patterns.compile(rb"(?<!\d)(\d{1,10})" + _WS + rb"{1,20}(\d{1,5})" + _WS + rb"{1,20}obj")
_START = patterns.compile(_WS + rb"{0,20}(\d{1,12})")
_TABLE = patterns.compile(_WS + rb"{0,20}xref")
_SUBSECTION = patterns.compile(_WS + rb"{0,20}(\d{1,10})" + _WS + rb"{1,20}(\d{1,10})" + _WS + rb"{0,20}(?=\d)")
_EMPTY_SUBSECTION = patterns.compile(_WS + rb"{0,20}\d{1,10}" + _WS + rb"{1,20}0(?!\d)")
_ENTRY = patterns.compile(_WS + rb"{0,4}(\d{1,10}) (\d{1,5}) ([nf])")
_TRAILER = patterns.compile(_WS + rb"{0,20}trailer")


class Table:
    """A file's entries and trailer. Its tables are read newest first; a newer entry is never replaced."""

    def __init__(self, data: bytes, object_at: Callable[[int], Any], decode: Callable[[Stream], bytes]) -> None:
        self.entries: Entries = {}
        self.trailer: dict[str, Any] = {}
        self._data = data
        self._object_at = object_at
        self._decode = decode

    def read(self) -> bool:
        """Read the tables from the last one back; return False if one of them cannot be read."""
        position = self._data.rfind(b"startxref")
        match = _START.match(self._data, position + len(b"startxref")) if position >= 0 else None
        waiting = [int(match.group(1))] if match else []
        seen: set[int] = set()
        while waiting and len(seen) < MAX_SECTIONS:
            start = waiting.pop()
            if start in seen:
                continue
            seen.add(start)
            try:
                section = self._section(start)
            except PdfError:
                return False
            if not section:
                return False
            self.trailer = {**section, **self.trailer}
            if type(section.get("Prev")) is int:
                waiting.append(section["Prev"])
        return "Root" in self.trailer

    def _section(self, start: int) -> dict[str, Any]:
        """Read one table, as text or stream; return its trailer, {} if it is damaged."""
        match = _TABLE.match(self._data, start)
        if match:
            return self._read_table(match.end())
        stream = self._object_at(start)
        is_table = type(stream) is Stream and stream.attrs.get("Type") == "XRef"
        return self._read_stream(stream) if is_table else {}

    def _read_table(self, position: int) -> dict[str, Any]:
        """Read a table of text and its trailer dictionary; return the trailer, {} if it is damaged."""
        free: list[int] = []
        while True:
            empty = _EMPTY_SUBSECTION.match(self._data, position)
            match = None if empty else _SUBSECTION.match(self._data, position)
            if match:
                position = self._read_subsection(match, free)
            elif empty:
                position = empty.end()
            else:
                break
        match = _TRAILER.match(self._data, position)
        trailer = read_object(self._data, match.end())[0] if match else None
        if type(trailer) is not dict:
            return {}
        # Section 7.5.8.4: in a hybrid file, entries that are free in the table may be in its stream.
        hidden = trailer.get("XRefStm")
        stream = self._object_at(hidden) if type(hidden) is int else None
        if type(stream) is Stream:
            self._read_stream(stream)
        for number in free:
            self.entries.setdefault(number, (FREE, 0))
        return trailer

    def _read_subsection(self, head: re.Match[bytes], free: list[int]) -> int:
        """Read one run of entries and return the position after it; numbers of free entries go to `free`."""
        first, count = int(head.group(1)), int(head.group(2))
        position = head.end()
        for number in range(first, first + min(count, MAX_ENTRIES)):
            match = _ENTRY.match(self._data, position)
            if not match:
                break
            position = match.end()
            # Some producers count from 1 although their table starts with the head of the free list, number 0.
            if number == first == 1 and match.group(3) == b"f" and match.group(2) == b"65535":
                raise PdfError("has a table that counts from the wrong number")
            if match.group(3) == b"n":
                self.entries.setdefault(number, (IN_FILE, int(match.group(1))))
            else:
                free.append(number)
        return position

    def _read_stream(self, stream: Stream) -> dict[str, Any]:
        """Read a table that is a stream; return its dictionary, {} if it is damaged."""
        attrs = stream.attrs
        widths = attrs.get("W")
        if type(widths) is not list or len(widths) < 3:
            return {}
        if not all(type(width) is int and 0 <= width <= 8 for width in widths):
            return {}
        index = attrs.get("Index", [0, attrs.get("Size", 0)])
        if type(index) is not list or not all(type(number) is int and number >= 0 for number in index):
            return {}
        data = self._decode(stream)
        row_size = sum(widths[:3])
        position = 0
        for first, count in zip(index[::2], index[1::2]):
            for number in range(first, first + min(count, MAX_ENTRIES)):
                if not row_size or position + row_size > len(data):
                    break
                self._add_entry(data[position : position + row_size], widths, number)
                position += row_size
        return attrs

    def _add_entry(self, row: bytes, widths: list[int], number: int) -> None:
        """Add one entry of a stream, unless a newer one is known."""
        kind_end, place_end = widths[0], widths[0] + widths[1]
        kind = int.from_bytes(row[:kind_end], "big") if kind_end else 1
        place, index = (int.from_bytes(field, "big") for field in (row[kind_end:place_end], row[place_end:]))
        entry = {0: (FREE, 0), 1: (IN_FILE, place), 2: (place, index)}.get(kind)  # 2: in the object stream `place`
        if entry:
            self.entries.setdefault(number, entry)


def scan(data: bytes) -> tuple[Entries, dict[int, dict[str, Any]]]:
    """Search the file for `N G obj` and `trailer`. Return entries, and trailers by position.

    Of several objects with one number the last one counts.
    """
    entries: Entries = {}
    for match in _ANY_OBJECT.finditer(data):
        entries[int(match.group(1))] = (IN_FILE, match.start())
        if len(entries) > MAX_ENTRIES:
            raise PdfError(f"has more than {MAX_ENTRIES:,} objects")
    trailers: dict[int, dict[str, Any]] = {}
    for match in islice(re.finditer(b"trailer", data), MAX_SECTIONS):
        try:
            value, _ = read_object(data, match.end())
        except PdfError:
            continue
        if type(value) is dict:
            trailers[match.start()] = value
    return entries, trailers
