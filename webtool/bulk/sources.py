"""Find the pages that `webtool extract` is to convert. In: words of the command line. Out: (name, page), lazily.

A word names an archive (WARC, WET, WACZ), an index of archives (CDX, CDXJ), lines of JSON or Parquet (`url`, `html`),
a folder, a list of files (Common Crawl's warc.paths.gz), or a page; kind_of() decides by the first bytes. The name of a
page is its file's path; for an archive plus the record's offset (a.warc.gz#1234; #1234.1 for the second record of a
compressed member; a.wacz#archive/data.warc.gz#1234), for JSON lines and Parquet plus the number of the row (a.jsonl#7).
Done recognises pages of an earlier run, however their files were named then. A page is (url, body, content type), or
an error, which becomes the page's row in the output.

Each method _of_KIND yields (name, maker) for the pages of one file: the maker is called only if the page is not done.

Files may come from strangers, such as a crawled folder, so none of them may pull other files of this machine into the
output. Only a word of the user is read as a list. Lists and indexes name files below their folder, by relative paths.
Links out of a folder are not followed.
Tests: tests/bulk/test_sources.py
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from webtool.answers.budget import shortened
from webtool.bulk.columns import load_arrow
from webtool.bulk.file_kinds import SNIFFED, is_archive_name, kind_of, opened, unzipped
from webtool.bulk.files import MAX_LIST, list_lines, read_at_most, unpacked, unusable
from webtool.bulk.warc import captures, reader
from webtool.bulk.warc.captures import MAX_PAGE_BYTES, is_page, page_of
from webtool.errors import FetchTooLarge, InvalidArgument, UnsupportedContent, WebtoolError
from webtool.lean import patterns
from webtool.lean.optional import zlib
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any

# Endings of the files that are read from a folder; files without an ending are read too.
_PAGE_ENDINGS = ".html .htm .xhtml .shtml .pdf .warc .wet .wacz .gz .zst .ndjson .jsonl .parquet".split()
_PARQUET_ROWS = 64  # pages of a Parquet file that are in memory at once
_MAX_PATHS = 10_000  # files whose real paths are remembered
_numbered = patterns.compile(r"(?s)(.*)(#[0-9]+(?:\.[0-9]+)?)").fullmatch


class Options(NamedTuple):
    """Values of the command's flags."""

    filter: captures.Filter = captures.Filter()
    offset: int = 0  # bytes; where reading an archive begins
    length: int | None = None  # bytes of the archive to read
    folder: str = ""  # folder of the archives that an index names; "" is the index's own folder


class Done:
    """The pages that an earlier run wrote to the output, and whether each of them failed.

    A page is recognised by the real path of its file with the number after it: ./a.warc.gz#5 and /data/a.warc.gz#5 are
    one page. The record of an archive that was moved is recognised by its file's name, number and WARC-Record-ID.
    """

    def __init__(self) -> None:
        self._failed: dict[str, bool] = {}  # by the keys of a page
        self._paths: dict[str, str] = {}  # real paths of files, by the names that were given

    def add(self, row: Mapping[str, object]) -> None:
        """Note a row of an earlier run: its members input, success and record_id."""
        for key in self._keys(str(row.get("input")), str(row.get("record_id") or "")):
            self._failed[key] = not row.get("success")

    def find(self, name: str, record_id: str = "") -> bool | None:
        """Return whether an earlier run wrote this page as a failure; None if it did not write the page."""
        if not self._failed:
            return None
        return next((self._failed[key] for key in self._keys(name, record_id) if key in self._failed), None)

    def _keys(self, name: str, record_id: str) -> list[str]:
        match = _numbered(name)
        path, number = match.groups() if match else (name, "")
        if path not in self._paths:
            if len(self._paths) >= _MAX_PATHS:
                self._paths.clear()
            self._paths[path] = path if path == "-" or "\0" in path else os.path.realpath(path)
        keys = [self._paths[path] + number]
        return [*keys, f"{os.path.basename(path)}{number} {record_id}"] if record_id else keys


class Sources:
    """Iterates over (name, page). `skipped`, `damaged` and share() describe the progress."""

    def __init__(self, words: list[str], options: Options, done: Done | None = None) -> None:
        """Prepare to iterate. Pages in `done` are skipped."""
        self._words = words
        self._options = options
        self._done = done or Done()
        self._total_bytes = sum(_size_of(word) for word in words)
        self._bytes_before = 0  # of the words that are finished
        self._position: Any = None  # returns how many bytes of the present word's file were read
        self.skipped = 0  # pages that are in `done`
        self.failed_before = 0  # pages that are in `done` as failures
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
        """Yield the pages of one word that are not done; for a folder, those of its files."""
        if word != "-" and os.path.isdir(word):
            for path in _files_below(word):
                yield from self._of_inner_file(path)
            return
        with opened(word) as file:
            start = file.peek(SNIFFED)[:SNIFFED]
            kind = kind_of(start, word, may_be_list=may_be_list)
            try:
                for name, make_page, *record_id in getattr(self, "_of_" + kind)(word, file):
                    has_failed = self._done.find(name, *record_id)
                    if has_failed is None:
                        yield name, make_page()
                    else:
                        self.skipped += 1
                        self.failed_before += has_failed
            except (OSError, EOFError, zlib.error) as exc:  # the last two are of gzip; _of_wacz() raises the first
                raise unusable(word, "read to its end", exc, "Try another copy.") from exc

    def _of_inner_file(self, path: str) -> Iterator[tuple[str, Any]]:
        """Yield the pages of a file in a folder or list. One that cannot be read is an error, and the others go on."""
        position = self._position  # that in the list or folder; _of_word() sets the one in the file
        try:
            for name, page in self._of_word(path):
                self._position = position
                yield name, page
        except WebtoolError as error:
            self._position = position
            yield path, error
        self._position = position

    def _of_archive(self, word: str, file: Any) -> Iterator[tuple[str, Any, str]]:
        """Yield name, maker and record id of each page of an archive. Raises UnsupportedContent for a WAT file."""
        options = self._options
        if word == "-" and options.offset:
            raise InvalidArgument("--offset needs a file", hint="Standard input has no positions to seek to.")
        records = reader.records(file, max_bytes=MAX_PAGE_BYTES, offset=options.offset, length=options.length)
        self._position = lambda: records.position
        last, repeats = -1, 0  # offset of the last record, and how many before it are at the same offset
        has_pages = False
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
                yield name, lambda record=record: page_of(record), record.id
            has_pages = has_pages or kind in ("page", "text")
            self.damaged = damaged_before + records.damaged
        self.damaged = damaged_before + records.damaged

    def _of_wacz(self, word: str, file: Any) -> Iterator[tuple[str, Any, str]]:
        import zipfile

        try:
            with zipfile.ZipFile(file) as wacz:
                for name in filter(is_archive_name, wacz.namelist()):
                    if wacz.getinfo(name).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                        raise zipfile.BadZipFile(f"the compression of {name} is not supported")
                    with wacz.open(name) as archive:
                        yield from self._of_archive(f"{word}#{name}", archive)
        except (zipfile.BadZipFile, RuntimeError) as exc:  # RuntimeError: an encrypted member, an unknown compression
            raise OSError(str(exc)) from exc

    def _of_index(self, word: str, file: Any) -> Iterator[tuple[str, Any]]:
        """Yield name and maker of each page that an index lists and the filter accepts."""
        entries = captures.Index(line or b"{" for line in _lines_of(unzipped(file)))  # too long a line is damaged
        self._position = (lambda: file.tell()) if word != "-" else None
        folder = self._options.folder or os.path.dirname(word)
        for entry in entries:
            if self._options.filter.accepts(entry):
                path = _archive_path(folder, entry.filename)
                yield f"{path}#{entry.offset}", lambda path=path, entry=entry: _page_at(path, entry)
        self.damaged += entries.damaged

    def _of_lines(self, word: str, file: Any) -> Iterator[tuple[str, Any]]:
        self._position = (lambda: file.tell()) if word != "-" else None
        for number, line in enumerate(_lines_of(unzipped(file)), 1):
            if line is None:
                message = f"row {number} of {shortened(word, 200)} is longer than {MAX_PAGE_BYTES >> 20} MB"
                yield f"{word}#{number}", lambda message=message: FetchTooLarge(message)
            elif line.strip():
                yield f"{word}#{number}", lambda line=line: _page_of_line(line)

    def _of_parquet(self, word: str, file: Any) -> Iterator[tuple[str, Any]]:
        """Yield name and maker of each row's page. Raises InvalidArgument for a file without a column `html`."""
        if word == "-":
            raise InvalidArgument("Parquet cannot be read from standard input", hint="Give the name of the file.")
        parquet, arrow = load_arrow("pyarrow.parquet"), load_arrow()
        try:
            table = parquet.ParquetFile(file)
            columns = [name for name in ("url", "html", "content_type") if name in table.schema_arrow.names]
            if "html" not in columns:
                hint = f"Its columns are {', '.join(table.schema_arrow.names)[:200]}; rename one to html."
                raise InvalidArgument(f"{shortened(word, 200)} has no column html", hint=hint)
            number = 0
            for batch in table.iter_batches(_PARQUET_ROWS, columns=columns):
                for row in batch.to_pylist():
                    number += 1
                    yield f"{word}#{number}", lambda row=row: _page_of_fields(row)
        except arrow.ArrowException as exc:
            raise InvalidArgument(f"{shortened(word, 200)} is damaged: {exc}", hint="Try another copy.") from exc

    def _of_list(self, word: str, file: Any) -> Iterator[tuple[str, Any]]:
        """Yield name and maker of each page of the listed files. A file that must not be read gives an error.

        An archive is also looked for in the folder of Options, or beside the list: a crawl's list names archives
        relative to the root of the crawl.
        """
        list_folder = os.path.join(os.path.realpath(os.path.dirname(word)), "")
        lines = list(list_lines(unpacked(word, file.read(MAX_LIST), MAX_LIST)))
        size, count = _size_of(word), len(lines)
        for number, line in enumerate(lines):
            self._position = lambda number=number: size * number / count
            for name, page in self._of_listed_file(line, os.path.dirname(word), list_folder):
                yield name, lambda page=page: page  # it is made already

    def _of_listed_file(self, line: str, beside_list: str, list_folder: str) -> Iterator[tuple[str, Any]]:
        """Yield the pages of a listed file. `list_folder` is the real path of `beside_list`, the list's folder."""
        path, archives = line, self._options.folder
        try:
            if archives and is_archive_name(line):
                path = _archive_path(archives, line)  # the user named this folder, and the path never leads out of it
            else:
                if is_archive_name(line) and not os.path.exists(line):
                    path = _archive_path(beside_list, line)
                _require_listable(line, path, list_folder)
        except InvalidArgument as error:
            yield path, error
            return
        yield from self._of_inner_file(path)

    def _of_page(self, word: str, file: Any) -> Iterator[tuple[str, Any]]:
        yield word, lambda: _page_of_file(word, file)


def _is_below(path: str) -> bool:
    """Return whether a path that a file names is relative and does not lead out of its folder."""
    parts = path.replace("\\", "/").split("/")
    has_root = parts[0] in ("", "~") or os.path.splitdrive(path)[0]
    return not (path == "-" or "\0" in path or ".." in parts or has_root)


def _require_listable(line: str, path: str, list_folder: str) -> None:
    """Raise InvalidArgument unless a list in this folder may name a file as `line`. `path` is where the file is."""
    target = os.path.realpath(path) if _is_below(line) else ""
    if not os.path.join(target, "").startswith(list_folder):
        problem = f"the list names {shortened(path, 200)}, which is not a relative path below the list's own folder"
        raise InvalidArgument(problem, hint="Give this path as a word of the command line.")
    if os.path.exists(target) and not os.path.isfile(target) and not os.path.isdir(target):
        hint = "Remove it from the list."
        raise InvalidArgument(f"{shortened(path, 200)} cannot be read: it is not a file", hint=hint)


def _size_of(word: str) -> int:
    try:
        return 0 if os.path.isdir(word) else os.stat(word).st_size
    except (OSError, ValueError):
        return 0


def _files_below(folder: str) -> Iterator[str]:
    """Yield a folder's possible pages and archives, sorted, without hidden files, indexes, links to other folders."""
    root = os.path.join(os.path.realpath(folder), "")
    for inside, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            ending = os.path.splitext(name)[1].lower()
            path = os.path.join(inside, name)
            is_skipped = name.startswith(".") or name.lower().endswith((".cdx.gz", ".cdxj.gz"))
            if is_skipped or (ending and ending not in _PAGE_ENDINGS) or not os.path.isfile(path):
                continue
            if not os.path.islink(path) or os.path.realpath(path).startswith(root):
                yield path


def _archive_path(folder: str, name: str) -> str:
    """Return the path of an archive that an index names: in the folder by its whole name, or by its last part.

    An index names archives relative to the root of a collection, and people move them. A name that leads out of the
    folder counts by its last part only.
    """
    last = os.path.join(folder, name.replace("\\", "/").rpartition("/")[2])
    whole = os.path.join(folder, name) if _is_below(name) else last
    is_only_last_there = os.path.isfile(last) and not os.path.isfile(whole)
    return last if is_only_last_there else whole


def _page_at(path: str, entry: captures.Entry) -> Any:
    """Return the page of an index entry, or an error."""
    try:
        with open(path, "rb") as file:
            for record in reader.records(file, max_bytes=MAX_PAGE_BYTES, offset=entry.offset, length=entry.length):
                return page_of(record)
    except OSError as exc:
        return unusable(path, "read", exc, "Name their folder with --archives.")
    except WebtoolError as error:
        return error
    hint = "Check that the index belongs to this file."
    return UnsupportedContent(f"{path} has no whole record at {entry.offset}", hint=hint)


def _lines_of(file: Any) -> Iterator[bytes | None]:
    """Yield the lines of a file; None for one that is too long with its line end: it is read and dropped."""
    while line := file.readline(MAX_PAGE_BYTES + 1):
        if len(line) <= MAX_PAGE_BYTES:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(MAX_PAGE_BYTES + 1)
        yield None


def _page_of_line(line: bytes) -> Any:
    """Return the page of a line such as {"url": ..., "html": ..., "content_type": ...}, or an error."""
    import json

    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as exc:
        return InvalidArgument(f"the line is not JSON: {exc}", hint='Give {"url": ..., "html": ...} on each line.')
    if not isinstance(fields, dict):
        return InvalidArgument("the line is not a JSON object", hint='Give {"url": ..., "html": ...} on each line.')
    return _page_of_fields(fields)


def _page_of_fields(fields: dict[str, Any]) -> Any:
    content_type = fields.get("content_type")
    return str(fields.get("url") or ""), fields.get("html"), content_type if isinstance(content_type, str) else None


def _page_of_file(word: str, file: Any) -> Any:
    body = read_at_most(file, MAX_PAGE_BYTES + 1)
    if len(body) > MAX_PAGE_BYTES:
        return FetchTooLarge(f"{word} is larger than {MAX_PAGE_BYTES >> 20} MB")
    return "", body, None
