"""Where many pages come from. In: words of the command line. Out: (name, page) of each, as they are asked for.

A word is an archive (WARC, WET), an index of archives (CDX, CDXJ), lines of JSON (`url`, `html`), a folder, a list of
files, or a page. What it is, its bytes say. The name says where a page came from in a way that is the same in the next
run: the file, and for files of many pages the offset of the record or the number of the line.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator

from webtool.bulk.files import MAX_LIST, listed, read_at_most
from webtool.bulk.warc import captures, reader
from webtool.bulk.warc.pages import MAX_PAGE_BYTES, is_wanted, page_of
from webtool.errors import FetchTooLarge, InvalidArgument, UnsupportedContent, WebtoolError
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any

_SNIFFED = 65536
_PAGE_ENDINGS = (".html", ".htm", ".xhtml", ".shtml", ".warc", ".wet", ".gz", ".zst", ".ndjson", ".jsonl", ".pdf")
_ARCHIVE_MARKS = (b"WARC/", b"filedesc:")
_COMPRESSED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\x5d\x2a\x4d\x18")


class Options(NamedTuple):
    """What the flags said."""

    wanted: captures.Filter = captures.Filter()
    offset: int = 0
    length: int | None = None
    folder: str = ""
    """Where the archives of an index are; "" is where the index is."""


class Sources:
    """Iterates over the pages; tells how far it is."""

    def __init__(self, words: list[str], options: Options) -> None:
        self._words = words
        self._options = options
        self.held: Collection[str] = ()
        """Names of pages that the output has already."""
        self._total = sum(_size_of(word) for word in words)
        self._before = 0
        self._open: Any = None
        self.skipped = 0
        """Pages that the output has already."""
        self.damaged = 0
        """Records, members and lines that could not be read."""

    def share(self) -> float:
        """How much of all bytes was read, 0 to 1; 0 where nobody knows."""
        now = self._before + (self._open() if self._open else 0)
        return min(now / self._total, 0.999) if self._total else 0.0

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        for word in self._words:
            yield from self._of_word(word)
            self._before, self._open = self._before + _size_of(word), None

    def _of_word(self, word: str) -> Iterator[tuple[str, Any]]:
        if word != "-" and os.path.isdir(word):
            for path in _files_below(word):
                yield from self._of_word(path)
            return
        with _opened(word) as file:
            start = file.peek(_SNIFFED)[:_SNIFFED]
            kind = kind_of(start, word)
            for name, make in getattr(self, "_of_" + kind)(word, file):
                if name in self.held:
                    self.skipped += 1
                else:
                    yield name, make()

    def _of_archive(self, word: str, file: Any) -> Iterator[tuple[str, Any]]:
        options = self._options
        if word == "-" and options.offset:
            raise InvalidArgument("--offset needs a file", hint="Standard input cannot be sought in.")
        found = reader.records(file, max_bytes=MAX_PAGE_BYTES, offset=options.offset, length=options.length)
        self._open = lambda: found.position
        last, repeats, has_pages = -1, 0, False
        damaged = 0
        for record in found:
            repeats = repeats + 1 if record.offset == last else 0
            last = record.offset
            kind = record.kind
            if kind == "wat" and not has_pages:
                what = f"{word} is a WAT file: metadata of pages, without the pages"
                raise UnsupportedContent(what, hint="Give the WARC file, or the WET file for plain text.")
            if is_wanted(record, options.wanted):
                name = f"{word}#{last}" + (f".{repeats}" if repeats else "")
                yield name, lambda record=record: page_of(record)
            has_pages = has_pages or kind in ("page", "text")
            self.damaged += found.damaged - damaged
            damaged = found.damaged
        self.damaged += found.damaged - damaged

    def _of_index(self, word: str, file: Any) -> Iterator[tuple[str, Any]]:
        entries = captures.Index(file)
        self._open = (lambda: file.tell()) if word != "-" else None
        folder = self._options.folder or os.path.dirname(word)
        for entry in entries:
            if self._options.wanted.accepts(entry):
                path = _archive_path(folder, entry.filename)
                yield f"{path}#{entry.offset}", lambda path=path, entry=entry: _page_at(path, entry)
        self.damaged += entries.damaged

    def _of_lines(self, word: str, file: Any) -> Iterator[tuple[str, Any]]:
        self._open = (lambda: file.tell()) if word != "-" else None
        for number, line in enumerate(iter(lambda: file.readline(MAX_PAGE_BYTES), b""), 1):
            if line.strip():
                yield f"{word}#{number}", lambda line=line: _page_of_line(line)

    def _of_list(self, _word: str, file: Any) -> Iterator[tuple[str, Any]]:
        for path in listed(file.read(MAX_LIST)):
            yield from ((name, lambda page=page: page) for name, page in self._of_word(path))

    def _of_page(self, word: str, file: Any) -> Iterator[tuple[str, Any]]:
        yield word, lambda: _page_of_file(word, file)


def kind_of(start: bytes, word: str) -> str:
    """What a file holds, by its beginning: archive, index, lines (of JSON), list (of files) or page."""
    plain = start.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(_ARCHIVE_MARKS):
        return "archive"
    if start.startswith(_COMPRESSED):
        return "archive" if is_packed_archive(start, word) else "page"
    if captures.looks_like_index(plain):
        return "index"
    if plain.startswith(b"{"):
        return "lines"
    first = plain.partition(b"\n")[0].strip().decode("utf-8", "replace")
    if first and not first.startswith("<") and len(first) < 4096 and (first.startswith("#") or os.path.exists(first)):
        return "list"
    return "page"


def is_packed_archive(start: bytes, word: str) -> bool:
    """Whether compressed bytes hold records; Zstandard is believed by the name, as not every Python can look inside."""
    from webtool.lean.optional import zlib

    if not start.startswith(b"\x1f\x8b"):
        return ".warc" in word.lower()
    try:
        return zlib.decompressobj(wbits=31).decompress(start, 16).startswith(_ARCHIVE_MARKS)
    except zlib.error:
        return ".warc" in word.lower()


def is_bulk(word: str) -> bool:
    """Whether a word of `webtool extract` names many pages by itself: a folder, an archive or an index of archives."""
    if os.path.isdir(word):
        return True
    try:
        with open(word, "rb") as file:
            return os.path.isfile(word) and kind_of(file.read(_SNIFFED), word) in ("archive", "index")
    except (OSError, ValueError):
        return False


def _opened(word: str) -> Any:
    try:
        if word == "-":
            # A buffer of its own, large enough to look at the beginning; the descriptor stays open behind it.
            return open(0, "rb", buffering=1 << 17, closefd=False)
        return open(word, "rb", buffering=1 << 17)
    except (OSError, ValueError) as exc:
        reason = getattr(exc, "strerror", None) or exc
        raise InvalidArgument(f"{word} cannot be read: {reason}", hint="Give files, folders, or - for stdin.") from exc


def _size_of(word: str) -> int:
    try:
        return 0 if os.path.isdir(word) else os.stat(word).st_size
    except (OSError, ValueError):
        return 0


def _files_below(folder: str) -> Iterator[str]:
    """Files that look like pages or archives by their names, and files without an ending, in a settled order."""
    for inside, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            ending = os.path.splitext(name)[1].lower()
            path = os.path.join(inside, name)
            if not name.startswith(".") and (not ending or ending in _PAGE_ENDINGS) and os.path.isfile(path):
                yield path


def _archive_path(folder: str, name: str) -> str:
    """Where an index's archive is: indexes name them from the root of a collection, and people move them."""
    for path in (os.path.join(folder, name), os.path.join(folder, os.path.basename(name))):
        if os.path.exists(path):
            return path
    return os.path.join(folder, name)


def _page_at(path: str, entry: captures.Entry) -> Any:
    try:
        with open(path, "rb") as file:
            for record in reader.records(file, max_bytes=MAX_PAGE_BYTES, offset=entry.offset, length=entry.length):
                return page_of(record)
    except OSError as exc:
        return InvalidArgument(f"{path} cannot be read: {exc.strerror}", hint="--archives names the folder.")
    except WebtoolError as error:
        return error
    return UnsupportedContent(f"{path} has no whole record at {entry.offset}", hint="Is the index of this very file?")


def _page_of_line(line: bytes) -> Any:
    import json

    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as exc:
        return InvalidArgument(f"the line is not JSON: {exc}", hint='Give {"url": ..., "html": ...} on each line.')
    if not isinstance(found, dict):
        return InvalidArgument("the line is not a JSON object", hint='Give {"url": ..., "html": ...} on each line.')
    content_type = found.get("content_type")
    return str(found.get("url") or ""), found.get("html"), content_type if isinstance(content_type, str) else None


def _page_of_file(word: str, file: Any) -> Any:
    body = read_at_most(file, MAX_PAGE_BYTES + 1)
    if len(body) > MAX_PAGE_BYTES:
        return FetchTooLarge(f"{word} is larger than {MAX_PAGE_BYTES >> 20} MB")
    return "", body, None
