"""Find captures of an archive, choose among them by a filter, and decode their pages.

A capture is one page as it was archived: a Record of a WARC file, or an Entry of an index. Index takes lines of a CDX
or CDXJ file. A CDXJ line is a sort key, a timestamp and a JSON object, or the object alone. CDX names its columns by
letters in its first line (legend of the Internet Archive); without it the usual eleven or nine columns are assumed.

Filter takes words of the user: statuses (200, 2xx, 200-206), media types (text/*; "html" is XHTML too), and URLs as
shell patterns or /regular expressions/. A capture whose status or type is unknown passes the filter for it.
pages() gives (url, body, content type) of each page of an archive, for extract_many.
Tests: tests/bulk/warc/test_captures.py, tests/bulk/test_files.py
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from webtool.bulk.warc import reader
from webtool.bulk.warc.record import Record
from webtool.errors import FetchTooLarge, InvalidArgument, WebtoolError
from webtool.lean import patterns
from webtool.lean.patterns import Pattern
from webtool.lean.records import NamedTuple
from webtool.lean.typing import BinaryIO, Union

# Letter of a CDX column: the field of Entry that it fills. Other columns are not read.
_CDX_FIELDS = {"a": "url", "m": "media_type", "s": "status", "V": "offset", "S": "length", "g": "filename"}
# Number of columns of a CDX file that does not name them: their letters.
_CDX_USUAL = {11: "N b a m s k r M S V g", 9: "N b a m s k r V g"}
_IMPOSSIBLE = patterns.compile("[\0\ud800-\udfff]")  # in the name of a file
_MAX_LINE = 1 << 20  # bytes of an index line; the rest is ignored
_HTML = ("text/html", "application/xhtml+xml")
_STATUS = patterns.compile(r"([1-9])xx|([1-9][0-9]{2})(?:-([1-9][0-9]{2}))?")


class Entry(NamedTuple):
    """One line of an index: a file, and its record's place there in bytes; `length` is None if not stated."""

    filename: str
    offset: int
    length: int | None = None
    url: str = ""
    status: int | None = None
    media_type: str = ""


class Index:
    """Iterates over the entries of an index in its order. `damaged` counts lines without a file or an offset."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = lines
        self._letters: list[str] = []
        self.damaged = 0

    def __iter__(self) -> Iterator[Entry]:
        for raw in self._lines:
            line = raw[:_MAX_LINE].decode("utf-8", "replace").strip()
            if line.startswith("CDX "):
                self._letters = line.split()[1:]
                continue
            if not line or line.startswith(("#", "!")):
                continue
            entry = _entry(self._values(line))
            if entry is None:
                self.damaged += 1
            else:
                yield entry

    def _values(self, line: str) -> dict[str, object]:
        """Return the values of a CDXJ, JSON or CDX line by their names in Entry; {} if it cannot be read."""
        start = 0 if line.startswith("{") else line.find(" {") + 1  # a sort key may have a "{" too
        if line.startswith("{", start) and line.endswith("}"):
            try:
                values = json.loads(line[start:])
            except (ValueError, RecursionError):
                return {}
            names = {"mime-detected": "media_type", "mime": "media_type"}
            return {names.get(name, name): value for name, value in values.items()}
        words = line.split(" ")
        letters = self._letters or _CDX_USUAL.get(len(words), "").split()
        columns = zip(letters, words)
        return {_CDX_FIELDS[letter]: word for letter, word in columns if letter in _CDX_FIELDS and word != "-"}


def looks_like_index(start: bytes) -> bool:
    """Return whether a file with this beginning is an index: a CDX legend, or a line with a file and an offset."""
    if start.startswith((b" CDX ", b"CDX ")):
        return True
    line = start.partition(b"\n")[0]
    if start.startswith(b"WARC/") or b"\0" in line:
        return False
    return next(iter(Index([line])), None) is not None


def _entry(values: dict[str, object]) -> Entry | None:
    """Return the entry with these fields, None without a file name and an offset that can be used."""
    filename, offset = str(values.get("filename") or ""), _number(values.get("offset"))
    if offset is None or not filename or _IMPOSSIBLE.search(filename):
        return None
    return Entry(
        filename,
        offset,
        _number(values.get("length")),
        str(values.get("url") or ""),
        _number(values.get("status")),
        str(values.get("media_type") or "").lower(),
    )


def _number(value: object) -> int | None:
    """Return a whole number in decimal digits, None for anything else."""
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


class Filter(NamedTuple):
    """Conditions on a capture, all of which must hold; an empty tuple is not a condition."""

    statuses: tuple[tuple[int, int], ...] = ()  # ranges, both ends included
    media_types: tuple[str, ...] = ()
    urls: tuple[Pattern[str], ...] = ()

    def accepts(self, capture: Record | Entry) -> bool:
        """Return whether the capture meets all conditions. The URL is compared first, because that is cheapest."""
        if not self.accepts_url(capture.url):
            return False
        if self.statuses:
            status = capture.status
            if status is not None and not any(low <= status <= high for low, high in self.statuses):
                return False
        return not self.media_types or _matches_type(capture.media_type, self.media_types)

    def accepts_url(self, url: str) -> bool:
        return not self.urls or any(pattern.search(url) for pattern in self.urls)


def make_filter(statuses: Iterable[str] = (), media_types: Iterable[str] = (), urls: Iterable[str] = ()) -> Filter:
    """Return the filter for words as a user writes them. Raises InvalidArgument naming the word."""
    types: list[str] = []
    for word in media_types:
        types += _HTML if word.lower() == "html" else (word.lower(),)
    return Filter(
        tuple(_status_range(word) for word in statuses),
        () if "*" in types or "*/*" in types else tuple(types),
        tuple(_url_pattern(word) for word in urls),
    )


def _matches_type(media_type: str, accepted: tuple[str, ...]) -> bool:
    """Return whether the type is accepted; text/* accepts text/plain, and an unknown type ("") always passes."""
    beginnings = tuple(pattern[:-1] for pattern in accepted if pattern.endswith("*"))
    return not media_type or media_type in accepted or media_type.startswith(beginnings)


def _status_range(word: str) -> tuple[int, int]:
    match = _STATUS.fullmatch(word.strip().lower())
    if not match:
        raise InvalidArgument(f"status is {word[:60]!r}", hint="Give statuses as 200, 2xx or 200-206.")
    if match[1]:
        return int(match[1]) * 100, int(match[1]) * 100 + 99
    return int(match[2]), int(match[3] or match[2])


def _url_pattern(word: str) -> Pattern[str]:
    """Compile /regex/, a shell pattern, or a literal that begins somewhere in the URL and ends where the URL ends."""
    import re
    from fnmatch import translate

    if len(word) > 2 and word[0] == word[-1] == "/":
        try:
            return re.compile(word[1:-1])
        except (re.error, OverflowError, RecursionError) as exc:
            raise InvalidArgument(f"url is not a regular expression: {exc}", hint="Give /REGEX/ or a pattern.") from exc
    return re.compile(translate(word) if any(sign in word for sign in "*?[") else re.escape(word) + r"\Z")


class ArchivedPage(tuple[str, bytes, Union[str, None]]):
    """(url, body, content type) of a page, with its provenance in `capture`: columns of the row that it becomes."""

    capture: dict[str, object]


Page = Union[ArchivedPage, WebtoolError]

MAX_PAGE_BYTES = 64 << 20  # bytes of a record, and of a decoded page; a longer record is an error, a longer page is cut


def pages(
    stream: BinaryIO,
    *,
    statuses: Iterable[str] = ("2xx",),
    media_types: Iterable[str] = ("html",),
    urls: Iterable[str] = (),
) -> Iterator[Page]:
    """Yield the decoded pages of a WARC file and the texts of a WET file, for extract_many and to_markdown_many.

    captures.py describes the filters. A page that cannot be decoded is given as an error, which becomes its row.
    Raises UnsupportedContent if the stream is not a WARC file, InvalidArgument for a malformed filter.
    """
    page_filter = make_filter(statuses, media_types, urls)
    records = reader.records(stream, max_bytes=MAX_PAGE_BYTES)
    return (page_of(record) for record in records if is_page(record, page_filter))


def is_page(record: Record, page_filter: Filter) -> bool:
    """Return whether a record is a page that the filter accepts, or the text (WET) of a page whose URL it accepts."""
    if record.kind == "text":  # its type is that of the text, not of the page
        return page_filter.accepts_url(record.url)
    return record.kind == "page" and page_filter.accepts(record)


def page_of(record: Record) -> Page:
    """Return the page of a record to convert, or the error that its row will be. Both have its capture."""
    page: Page
    try:
        page = _decoded(record)
    except WebtoolError as error:
        error.url = record.url
        page = error
    page.capture = _capture(record)  # type: ignore[union-attr]
    return page


def _decoded(record: Record) -> ArchivedPage:
    if record.is_cut:
        raise FetchTooLarge(f"the record has more than {MAX_PAGE_BYTES >> 20} MB")
    if record.kind == "text":
        return ArchivedPage((record.url, record.content, "text/plain; charset=utf-8"))
    response = record.response(MAX_PAGE_BYTES)
    return ArchivedPage((record.url, response.body, response.content_type or record.media_type or None))


def _capture(record: Record) -> dict[str, object]:
    """Return where a page comes from, as columns of its row (columns.py); those that the record states."""
    stated = {
        "warc_date": record.date,
        "record_id": record.id,
        "digest": record.headers.get("WARC-Payload-Digest") or record.headers.get("WARC-Block-Digest"),
        "status": record.status,
        "media_type": record.media_type,
    }
    return {name: value for name, value in stated.items() if value}
