"""Find the pages that `webtool extract` is to convert. In: words of the command line. Out: (name, page), lazily.

A word names an archive (WARC, WET), an index of archives (CDX, CDXJ), lines of JSON (`url`, `html`), a folder, a list
of files, or a page; kind_of() decides by the first bytes. A name is equal in every run, so that an interrupted run can
resume: the file, for an archive with the record's offset (a.warc.gz#1234), for JSON lines with the line number. A page
is (url, body, content type), or the error that its row will be.

Files may come from strangers, such as a crawled folder, so none of them may pull other files of this machine into the
output. Only a word of the user is read as a list. Lists and indexes name files below their folder, by relative paths.
Links out of a folder are not followed.
Tests: tests/bulk/test_files.py
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator

from webtool.answers.budget import shortened
from webtool.bulk.files import MAX_LIST, list_lines, read_at_most
from webtool.bulk.warc import captures, reader
from webtool.bulk.warc.pages import MAX_PAGE_BYTES, is_page, page_of
from webtool.errors import FetchTooLarge, InvalidArgument, UnsupportedContent, WebtoolError
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any

_SNIFFED = 65536  # bytes at the beginning of a file by which its kind is decided
# Endings of the files that are read from a folder; files without an ending are read too.
_PAGE_ENDINGS = (".html", ".htm", ".xhtml", ".shtml", ".warc", ".wet", ".gz", ".zst", ".ndjson", ".jsonl", ".pdf")
_ARCHIVE_MARKS = (b"WARC/", b"filedesc:")
_COMPRESSED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\x5d\x2a\x4d\x18")  # gzip, Zstandard, Zstandard with a dictionary


class Options(NamedTuple):
    """Values of the command's flags."""

    filter: captures.Filter = captures.Filter()
    offset: int = 0  # bytes; where reading an archive begins
    length: int | None = None  # bytes of the archive to read
    folder: str = ""  # folder of the archives that an index names; "" is the index's own folder


class Sources:
    """Iterates over (name, page). `skipped`, `damaged` and share() describe the progress."""

    def __init__(self, words: list[str], options: Options) -> None:
        self._words = words
        self._options = options
        self.done: Collection[str] = ()  # names of pages that the output contains already; they are skipped
        self.failed: Collection[str] = ()  # those of `done` that the output contains as errors
        self._total_bytes = sum(_size_of(word) for word in words)
        self._bytes_before = 0  # of the words that are finished
        self._position: Any = None  # returns how many bytes of the current file were read
        self.skipped = 0  # pages that were in `done`
        self.failed_before = 0  # pages that were in `failed`
        self.damaged = 0  # records, compressed members and lines that could not be read

    def share(self) -> float:
        """Return the share of all bytes that was read, 0 to 1; 0 if it is unknown."""
        position = self._bytes_before + (self._position() if self._position else 0)
        return min(position / self._total_bytes, 0.999) if self._total_bytes else 0.0

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        for word in self._words:
            yield from self._of_word(word, may_be_list=True)
            self._bytes_before += _size_of(word)
            self._position = None

    def _of_word(self, word: str, *, may_be_list: bool = False) -> Iterator[tuple[str, Any]]:
        """Yield the pages of one word; for a folder, those of its files. Each is made only if it is not `done`."""
        if word != "-" and os.path.isdir(word):
            for path in _files_below(word):
                yield from self._of_word(path)
            return
        with _opened(word) as file:
            start = file.peek(_SNIFFED)[:_SNIFFED]
            kind = kind_of(start, word, may_be_list=may_be_list)
            for name, make_page in getattr(self, "_of_" + kind)(word, file):
                if name in self.done:
                    self.skipped += 1
                    self.failed_before += name in self.failed
                else:
                    yield name, make_page()

    def _of_archive(self, word: str, file: Any) -> Iterator[tuple[str, Any]]:
        """Yield name and maker of each page of an archive. Raises UnsupportedContent for a WAT file."""
        options = self._options
        if word == "-" and options.offset:
            raise InvalidArgument("--offset needs a file", hint="Standard input has no positions to seek to.")
        records = reader.records(file, max_bytes=MAX_PAGE_BYTES, offset=options.offset, length=options.length)
        self._position = lambda: records.position
        last, repeats, has_pages = -1, 0, False
        damaged_before = self.damaged
        for record in records:
            repeats = repeats + 1 if record.offset == last else 0  # records in one compressed member share an offset
            last = record.offset
            kind = record.kind
            if kind == "wat" and not has_pages:
                message = f"{word} is a WAT file: metadata of pages, without the pages"
                raise UnsupportedContent(message, hint="Give the WARC file, or the WET file for plain text.")
            if is_page(record, options.filter):
                name = f"{word}#{last}" + (f".{repeats}" if repeats else "")
                yield name, lambda record=record: page_of(record)
            has_pages = has_pages or kind in ("page", "text")
            self.damaged = damaged_before + records.damaged
        self.damaged = damaged_before + records.damaged

    def _of_index(self, word: str, file: Any) -> Iterator[tuple[str, Any]]:
        """Yield name and maker of each page that an index lists and the filter accepts."""
        entries = captures.Index(file)
        self._position = (lambda: file.tell()) if word != "-" else None
        folder = self._options.folder or os.path.dirname(word)
        for entry in entries:
            if self._options.filter.accepts(entry):
                path = _archive_path(folder, entry.filename)
                yield f"{path}#{entry.offset}", lambda path=path, entry=entry: _page_at(path, entry)
        self.damaged += entries.damaged

    def _of_lines(self, word: str, file: Any) -> Iterator[tuple[str, Any]]:
        """Yield name and maker of the page in each line of JSON."""
        self._position = (lambda: file.tell()) if word != "-" else None
        for number, line in enumerate(iter(lambda: file.readline(MAX_PAGE_BYTES), b""), 1):
            if line.strip():
                yield f"{word}#{number}", lambda line=line: _page_of_line(line)

    def _of_list(self, word: str, file: Any) -> Iterator[tuple[str, Any]]:
        """Yield name and maker of each page of the listed files; a file that may not or cannot be read is an error."""
        folder = os.path.join(os.path.realpath(os.path.dirname(word)), "")
        for path in list_lines(file.read(MAX_LIST)):
            try:
                _require_listable(path, folder)
                for name, page in self._of_word(path):
                    yield name, lambda page=page: page
            except InvalidArgument as error:  # the file cannot be read: the others can
                yield path, lambda error=error: error

    def _of_page(self, word: str, file: Any) -> Iterator[tuple[str, Any]]:
        yield word, lambda: _page_of_file(word, file)


def kind_of(start: bytes, word: str, *, may_be_list: bool = False) -> str:
    """Return the kind of a file by its beginning: archive, index, lines (of JSON), list (of files) or page."""
    plain = start.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(_ARCHIVE_MARKS):
        return "archive"
    if start.startswith(_COMPRESSED):
        return "archive" if is_packed_archive(start, word) else "page"
    if captures.looks_like_index(plain):
        return "index"
    if plain.startswith(b"{"):
        return "lines"
    first = next(list_lines(start), "") if may_be_list else ""
    is_path = first and not first.startswith("<") and len(first) < 4096
    return "list" if is_path and os.path.exists(first) else "page"


def is_below(path: str) -> bool:
    """Return whether a path that a file names is relative and does not lead out of its folder."""
    parts = path.replace("\\", "/").split("/")
    return path != "-" and parts[0] not in ("", "~") and ".." not in parts and not os.path.splitdrive(path)[0]


def _require_listable(path: str, folder: str) -> None:
    """Raise InvalidArgument unless a list in this folder may name the path."""
    target = os.path.realpath(path)
    if not is_below(path) or not os.path.join(target, "").startswith(folder):
        problem = f"the list names {shortened(path, 200)}, which is not a relative path below the list's own folder"
        raise InvalidArgument(problem, hint="Give this path as a word of the command line.")
    if os.path.exists(target) and not os.path.isfile(target) and not os.path.isdir(target):
        raise InvalidArgument(
            f"{shortened(path, 200)} cannot be read: it is not a file", hint="Remove it from the list."
        )


def is_packed_archive(start: bytes, word: str) -> bool:
    """Return whether compressed bytes contain WARC records. Zstandard is judged by name, as few Pythons can read it."""
    from webtool.lean.optional import zlib

    if not start.startswith(b"\x1f\x8b"):
        return ".warc" in word.lower()
    try:
        return zlib.decompressobj(wbits=31).decompress(start, 16).startswith(_ARCHIVE_MARKS)
    except zlib.error:
        return ".warc" in word.lower()


def is_bulk(word: str) -> bool:
    """Return whether a word of `webtool extract` names many pages: a folder, an archive or an index of archives."""
    if os.path.isdir(word):
        return True
    try:
        with open(word, "rb") as file:
            return os.path.isfile(word) and kind_of(file.read(_SNIFFED), word) in ("archive", "index")
    except (OSError, ValueError):
        return False


def _opened(word: str) -> Any:
    """Open a file with a buffer in which its beginning can be peeked at. Raises InvalidArgument."""
    try:
        if word == "-":
            # closefd=False: standard input stays open after this file is closed.
            return open(0, "rb", buffering=1 << 17, closefd=False)
        return open(word, "rb", buffering=1 << 17)
    except (OSError, ValueError) as exc:
        reason = getattr(exc, "strerror", None) or exc
        raise InvalidArgument(f"{word} cannot be read: {reason}", hint="Give files, folders, or - for stdin.") from exc


def _size_of(word: str) -> int:
    """Return the size of a file in bytes; 0 for folders and standard input."""
    try:
        return 0 if os.path.isdir(word) else os.stat(word).st_size
    except (OSError, ValueError):
        return 0


def _files_below(folder: str) -> Iterator[str]:
    """Yield the files of a folder and its subfolders that may be pages or archives, sorted.

    Hidden files and links to files outside of the folder are skipped.
    """
    root = os.path.join(os.path.realpath(folder), "")
    for inside, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            ending = os.path.splitext(name)[1].lower()
            path = os.path.join(inside, name)
            if name.startswith(".") or (ending and ending not in _PAGE_ENDINGS) or not os.path.isfile(path):
                continue
            if not os.path.islink(path) or os.path.realpath(path).startswith(root):
                yield path


def _archive_path(folder: str, name: str) -> str:
    """Return the path of an archive that an index names: in the folder by its whole name, or by its last part.

    An index names archives relative to the root of a collection, and people move them. A name that leads out of the
    folder counts by its last part only.
    """
    last = os.path.join(folder, name.replace("\\", "/").rpartition("/")[2])
    whole = os.path.join(folder, name) if is_below(name) else last
    return whole if os.path.isfile(whole) or not os.path.isfile(last) else last


def _page_at(path: str, entry: captures.Entry) -> Any:
    """Return the page of an index entry, or an error."""
    try:
        with open(path, "rb") as file:
            for record in reader.records(file, max_bytes=MAX_PAGE_BYTES, offset=entry.offset, length=entry.length):
                return page_of(record)
    except OSError as exc:
        return InvalidArgument(f"{path} cannot be read: {exc.strerror}", hint="Name their folder with --archives.")
    except WebtoolError as error:
        return error
    return UnsupportedContent(
        f"{path} has no whole record at {entry.offset}", hint="Check that the index belongs to this file."
    )


def _page_of_line(line: bytes) -> Any:
    """Return the page of a line such as {"url": ..., "html": ..., "content_type": ...}, or an error."""
    import json

    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as exc:
        return InvalidArgument(f"the line is not JSON: {exc}", hint='Give {"url": ..., "html": ...} on each line.')
    if not isinstance(fields, dict):
        return InvalidArgument("the line is not a JSON object", hint='Give {"url": ..., "html": ...} on each line.')
    content_type = fields.get("content_type")
    return str(fields.get("url") or ""), fields.get("html"), content_type if isinstance(content_type, str) else None


def _page_of_file(word: str, file: Any) -> Any:
    """Return the page in a file, without a URL, or an error."""
    body = read_at_most(file, MAX_PAGE_BYTES + 1)
    if len(body) > MAX_PAGE_BYTES:
        return FetchTooLarge(f"{word} is larger than {MAX_PAGE_BYTES >> 20} MB")
    return "", body, None
