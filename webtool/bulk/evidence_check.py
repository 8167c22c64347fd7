"""Check an archive that evidence.py packed: look for each quote in the body that it was taken from, offline.

In: a file, a function that converts a body. Out: a Report. The file is read twice: first for the citations, which may
be anywhere, then for the bodies, one at a time. A body belongs to a citation only if address, SHA-256 and media type
agree. Archives come from strangers: how many citations and pages they have, of which size, and how long it takes to
read them is limited.
Tests: tests/bulk/test_evidence.py
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from webtool import __version__, errors
from webtool.answers.question import quotes
from webtool.bulk import evidence
from webtool.bulk.evidence import Citation, Page, page_of, read_citations, require_readable
from webtool.bulk.files import unusable
from webtool.bulk.warc import reader
from webtool.bulk.warc.record import Record
from webtool.errors import InvalidArgument, WebtoolError, counted, cut, quoted
from webtool.lean import media_types, patterns
from webtool.lean.records import NamedTuple
from webtool.lean.typing import BinaryIO
from webtool.pages.citation import Checked, one_line, sha256

_READING_SECONDS = 60.0  # that each reading of a file may take, and one more for each _READING_SPEED bytes of it
_READING_SPEED = 1 << 20
_HINT = "Give an archive of webtool pack."
ALTERED, MISSING, UNREADABLE = "body altered", "missing body", "unreadable"  # verdicts of citations that fail

_counts = patterns.compile(r"(?m)^(citations|pages): ([0-9]{1,9})\r?$").findall

Convert = Callable[[bytes, str, str, list[str]], Checked]  # body, media type, address, quotes


class Report(NamedTuple):
    """The result of checking an archive."""

    rows: list[dict[str, object]]  # one for each citation: verdict, ok, quote, url, problem ..., see _result()
    pages: int  # bodies that were converted
    problems: list[str]  # sentences about the file itself: damage, records that are missing

    @property
    def is_sound(self) -> bool:
        """Whether every citation holds and nothing of the file is missing."""
        return not self.problems and all(row["ok"] for row in self.rows)


class _Cited(NamedTuple):
    """A citation, and its row of the report."""

    row: dict[str, object]
    citation: Citation


def verify(path: str, convert: Convert) -> Report:
    """Check every citation of an archive. Raises InvalidArgument, and UnsupportedContent for a file of another kind."""
    archive = _Archive()
    try:
        with _opened(path) as file:
            records = reader.records(_TimedFile(file), max_bytes=evidence.MAX_BODY)  # type: ignore[arg-type]
            for record in records:
                archive.add(record)
            file.seek(0)
            timed = _TimedFile(file)
            for record in reader.records(timed, max_bytes=evidence.MAX_BODY):  # type: ignore[arg-type]
                archive.add_body(record, convert, timed)
    except OSError as exc:
        raise unusable(path, "read", exc, _HINT) from exc
    return archive.report(records.damaged)


@contextmanager
def _opened(path: str) -> Iterator[BinaryIO]:
    """Open a file; of a pipe, which can be read only once, open a copy. Raises FetchTimeout and InvalidArgument."""
    try:
        opened = open(path, "rb")  # noqa: SIM115
    except ValueError as exc:  # NUL or half a surrogate pair in the name
        raise unusable(path, "read", exc, _HINT) from exc
    with opened as file:
        if file.seekable():
            yield file
            return
        import shutil
        import tempfile

        with tempfile.TemporaryFile() as copy:
            shutil.copyfileobj(_TimedFile(file), copy)
            copy.seek(0)
            yield copy


class _TimedFile:
    """A file that is read for a limited time, as a small one may decompress to terabytes."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._until = time.monotonic() + _READING_SECONDS + os.fstat(file.fileno()).st_size / _READING_SPEED

    def read(self, size: int = -1, /) -> bytes:
        """Read some bytes of the file. Raises FetchTimeout if the time is up."""
        if time.monotonic() > self._until:
            hint = "Do not trust it: it may be a bomb."
            raise errors.FetchTimeout("the archive takes too long to decompress", hint=hint)
        return self._file.read(size)

    def extend(self, seconds: float) -> None:
        """Give more time, because something else took that long."""
        self._until += seconds


class _Archive:
    """The citations of an archive: add() takes the records of the first reading, add_body() of the second."""

    def __init__(self) -> None:
        self._rows: list[dict[str, object]] = []
        self._size = 0  # bytes of the citations
        # Citations without a body so far, by page and stated media type ("" if the citation states none).
        self._waiting: dict[tuple[Page, str], list[_Cited]] = {}
        # Facts about the bodies, by which _problem() says why a citation lacks its own.
        self._type_of: dict[Page, str] = {}  # media type of the first body of each page
        self._url_of: dict[str, str] = {}  # digest of a body -> its last address
        self._first_digest_at: dict[str, str] = {}  # address -> digest of the first body there
        # What warcinfo records state. Packs that were joined to one file may share pages, but have their own citations.
        self._stated_citations = 0
        self._stated_pages = 0
        self._converted = 0

    def add(self, record: Record) -> None:
        """Take a citation, or what a warcinfo record says. Raises FetchTooLarge."""
        if record.type == "warcinfo":
            for name, number in _counts(record.content[: evidence.MAX_CITATION].decode("utf-8", "replace")):
                if name == "pages":
                    self._stated_pages = max(self._stated_pages, int(number))
                else:
                    self._stated_citations += int(number)
        elif record.type == "metadata" and media_types.extract(record.content_type)[0] == evidence.CITATION_TYPE:
            self._size += len(record.content)
            self._add_citation(_citation(record))
            require_readable(len(self._rows), self._size)

    def _add_citation(self, citation: Citation | str) -> None:
        """Make the row of a citation, or of a text that says why it cannot be read."""
        if isinstance(citation, str):
            self._rows.append({"verdict": UNREADABLE, "ok": False, "problem": citation})
            return
        names = ("quote", "url", "body_sha256", "fetched_at", "webtool", "note")
        row = {"verdict": MISSING, "ok": False, **{name: citation[name] for name in names if name in citation}}
        self._rows.append(row)
        key = (page_of(citation), one_line(citation.get("content_type", "")))
        self._waiting.setdefault(key, []).append(_Cited(row, citation))

    def add_body(self, record: Record, convert: Convert, file: _TimedFile) -> None:
        """Check the citations that wait for the page in a record, if it has one. Raises FetchTooLarge."""
        if record.kind != "page":
            return
        try:
            response = record.response(evidence.MAX_BODY)
        except WebtoolError:  # it cannot be decoded
            return
        page, content_type = Page(record.url, sha256(response.body)), one_line(response.content_type)
        self._first_digest_at.setdefault(page.url, page.sha256)
        self._url_of[page.sha256] = page.url
        self._type_of.setdefault(page, content_type)
        require_readable(len(self._type_of), 0)
        cited = self._waiting.pop((page, ""), []) + self._waiting.pop((page, content_type), [])
        if cited:
            self._converted += 1
            begun = time.monotonic()
            _fill(cited, content_type, response.body, convert)
            file.extend(time.monotonic() - begun)

    def report(self, damaged: int) -> Report:
        """Say what is missing. `damaged` records could not be read. Raises UnsupportedContent without citations."""
        if not self._rows and not self._stated_citations:
            hint = "webtool pack writes archives with citations; webtool extract FILE reads the pages of any archive."
            damage = ", and it is damaged or cut off" if damaged else ""
            raise errors.UnsupportedContent(f"the archive has no citations{damage}", hint=hint)
        problems = []
        if damaged:
            problems.append(f"the archive is damaged or cut off: {counted(damaged, 'record')} cannot be read")
        for name, present, stated in (
            ("citations", len(self._rows), self._stated_citations),
            ("pages", len(self._type_of), self._stated_pages),
        ):
            if present < stated:
                problems.append(f"the archive is not whole: it has {present} of its {stated} {name}")
        for (page, content_type), cited in self._waiting.items():
            verdict, problem = self._problem(page, content_type)
            for row, _ in cited:
                row.update(verdict=verdict, problem=problem)
        return Report(self._rows, self._converted, problems)

    def _problem(self, page: Page, content_type: str) -> tuple[str, str]:
        """Return the verdict and the problem of citations that are left without a body.

        the page is there, with another media type          ALTERED
        its address is there, with a body of another digest  ALTERED
        its address is not there                             MISSING
        """
        if page in self._type_of:
            is_type = quoted(self._type_of[page])
            return ALTERED, f"the media type of the body is {is_type}, the citation says {quoted(content_type)}"
        verdict, problem = MISSING, "the archive has no body of this page"
        if page.url in self._first_digest_at:
            verdict = ALTERED
            problem = f"SHA-256 of the body is {self._first_digest_at[page.url]}, the citation says {page.sha256}"
        if page.sha256 in self._url_of:
            problem += f"; the cited body is there as {cut(self._url_of[page.sha256], 500)}"
        return verdict, problem


def _citation(record: Record) -> Citation | str:
    """Return the citation of a record, or why it cannot be read."""
    if record.is_cut or len(record.content) > evidence.MAX_CITATION:
        return f"a citation has more than {evidence.MAX_CITATION:,} bytes"
    try:
        entries = list(read_citations(record.content, "citation"))
    except InvalidArgument as error:
        return error.message
    return entries[0] if len(entries) == 1 else f"a record has {len(entries)} citations, not one"


def _fill(cited: list[_Cited], content_type: str, body: bytes, convert: Convert) -> None:
    """Convert a body, and fill in the rows of the citations of it.

    If the time is up, convert() returns the verdicts of the first quotes only. The rows of the others get a reason.
    """
    page = Checked("", "", [])
    reason = "the time was up before this quote: give more with --deadline SECONDS"
    try:
        page = convert(body, content_type, cited[0].citation["url"], [citation["quote"] for _, citation in cited])
    except WebtoolError as failure:
        reason = f"{failure.code}: {failure.message}"
    for number, (row, citation) in enumerate(cited):
        if number < len(page.verdicts):
            row.update(_result(citation, page, page.verdicts[number]))
        else:
            row.update(verdict=UNREADABLE, problem=reason)


def _result(citation: Citation, page: Checked, verdict: Mapping[str, object]) -> dict[str, object]:
    """Return what a row says of a quote that was looked for again.

    `stated` has the values of the citation that differ from what was found: {"lines": [3, 4]} if they have moved.
    A quote that the citation calls verbatim, but is not, fails: the citation claims more than the page says.
    """
    is_absent = verdict["verdict"] == quotes.ABSENT
    result = {**verdict, "title": page.title, "extractor": page.extractor}
    names = ("title", "extractor") if is_absent else ("verdict", "lines", "title", "extractor")
    stated = {name: citation[name] for name in names if name in citation and citation[name] != result.get(name)}
    result["ok"] = not is_absent and stated.get("verdict") != quotes.VERBATIM
    if citation.get("webtool", __version__) != __version__:
        result["problem"] = f"webtool {cut(citation['webtool'], 40)} made this citation, {__version__} checks it"
    return {**result, "stated": stated} if stated else result
