"""Tell what kind of file holds pages, by its first bytes. In: a file's name or its beginning. Out: a kind.

The kinds are archive (WARC, WET), wacz (a zip file of archives, known by its name), index (CDX or CDXJ of archives),
lines (of JSON), parquet, list (of files) and page. All but parquet and wacz may be compressed by gzip.
opened() opens a file so that its first bytes can be looked at, standard input too.
Tests: tests/bulk/test_sources.py
"""

from __future__ import annotations

import io
import os

from webtool.bulk.files import list_lines, unpacked, unusable
from webtool.bulk.warc import captures
from webtool.errors import InvalidArgument
from webtool.lean import patterns
from webtool.lean.typing import Any

SNIFFED = 65536  # bytes at the beginning of a file by which its kind is decided
_MIN_PACKED = 512  # bytes of compressed data; with fewer, what they decompress to may be too short to tell its kind
_ARCHIVE_ENDINGS = (".warc", ".warc.gz", ".warc.zst", ".wet", ".wet.gz", ".wat.gz")
_ARCHIVE_MARKS = (b"WARC/", b"filedesc:")
_COMPRESSED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\x5d\x2a\x4d\x18")  # gzip, Zstandard, Zstandard with a dictionary
_JSON_OF_LINES = patterns.compile(rb"\{[ \t]*\r?\n")  # begins one object of JSON on several lines: a page of its own


def kind_of(start: bytes, word: str, *, may_be_list: bool = False) -> str:
    """Return the kind of a file by its beginning."""
    is_packed = start.startswith(_COMPRESSED)
    if start.startswith(_ARCHIVE_MARKS) or (is_packed and is_packed_archive(start, word)):
        return "archive"
    if start.startswith(b"PAR1"):
        return "parquet"
    if start.startswith(b"PK\3\4") and word.lower().endswith(".wacz"):
        return "wacz"
    if is_packed:
        start = _beginning(start, SNIFFED)
    plain = start.lstrip(b"\xef\xbb\xbf \t\r\n")
    if captures.looks_like_index(plain):
        return "index"
    if plain.startswith(b"{") and not _JSON_OF_LINES.match(plain):
        return "lines"
    first = next(list_lines(start), "") if may_be_list else ""
    is_path = first and not first.startswith("<") and len(first) < 4096
    return "list" if is_path and (is_archive_name(first) or os.path.exists(first)) else "page"


def is_archive_name(line: str) -> bool:
    """Return whether a line of a list names an archive: "crawl-data/.../CC-MAIN-2026.warc.gz"."""
    return line.lower().endswith(_ARCHIVE_ENDINGS) and not line.startswith("<") and "://" not in line


def is_packed_archive(start: bytes, word: str) -> bool:
    """Return whether compressed bytes contain WARC records. Zstandard is judged by name, as few Pythons can read it."""
    beginning = _beginning(start, 16)
    return beginning.startswith(_ARCHIVE_MARKS) if beginning else ".warc" in word.lower()


def _beginning(data: bytes, size: int) -> bytes:
    """Return what gzip data begin with, b"" if they cannot be decompressed."""
    try:
        return unpacked("", data, size, is_part=True) if data.startswith(b"\x1f\x8b\x08") else b""
    except InvalidArgument:
        return b""


def is_bulk(word: str) -> bool:
    """Return whether a word of `webtool extract` names many pages: a folder, archives or an index of archives."""
    if not os.path.isfile(word):  # a pipe can be read only once, so it is not opened here
        return os.path.isdir(word)
    try:
        with open(word, "rb") as file:
            return kind_of(file.read(SNIFFED), word) in ("archive", "wacz", "index")
    except (OSError, ValueError):
        return False


def opened(word: str) -> Any:
    """Open a file, or standard input for "-". Raises InvalidArgument."""
    try:
        if word == "-":
            # closefd=False: standard input stays open after this file is closed.
            return io.BufferedReader(_Piped(open(0, "rb", buffering=0, closefd=False)), 1 << 17)
        return open(word, "rb", buffering=1 << 17)
    except (OSError, ValueError) as exc:
        raise unusable(word, "read", exc, "Give files, folders, or - for stdin.") from exc


def unzipped(file: Any) -> Any:
    """Return an opened file without its gzip coding. Reading a damaged one raises OSError, EOFError or zlib.error."""
    if not file.peek(2).startswith(b"\x1f\x8b"):
        return file
    import gzip

    return gzip.GzipFile(fileobj=file)


class _Piped(io.RawIOBase):
    """Standard input whose first read goes on until it tells the kind: a pipe may give "WAR", then "C/1.1"."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self._is_at_start = True

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Read into the buffer; return how many bytes, 0 at the end."""
        view = memoryview(buffer)
        size: int = self._raw.readinto(view) or 0
        while self._is_at_start and 0 < size < min(len(view), SNIFFED):
            start = bytes(view[:size])
            if b"\n" in start and (size >= _MIN_PACKED or not start.startswith(b"\x1f")):
                break  # a line tells the kind, and a writer that waits for an answer gives no more
            more = self._raw.readinto(view[size:])
            if not more:
                break
            size += more
        self._is_at_start = False
        return size
