"""Pack cited pages into one archive, and check such an archive. In: citations, a cache; a file. Out: bytes; rows.

A pack is a WARC file. Its warcinfo record says how many citations and pages follow, so that a missing end is noticed.
Each citation is a metadata record (JSON), each body a resource record. Record IDs and dates come from the content, so
equal citations give equal records.

Archives come from strangers. A body belongs to a citation only if address, SHA-256 and media type agree. Records,
citations and the time to read the file have bounds. Citations are collected first, as they may be anywhere in the file;
then bodies are read one at a time.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping

from webtool import __version__, errors, urls
from webtool.answers.question import quotes
from webtool.bulk.warc import reader, recorder
from webtool.bulk.warc.record import Record
from webtool.cache.tables import Snapshot
from webtool.context import Context
from webtool.errors import InvalidArgument, WebtoolError, counted, cut, quoted
from webtool.lean import dates, media_types, patterns
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any, BinaryIO
from webtool.pages.citation import MODE, Checked, one_line, sha256
from webtool.pages.stored_copies import rows_of

Citation = dict[str, Any]
Page = tuple[str, str]  # address, and SHA-256 of the body
Cited = tuple[dict[str, object], Citation]  # a row of the report, and the citation that it is about

CITATION_TYPE = "application/vnd.webtool.citation+json"  # tells citations from the metadata of other programs
MAX_CITATION = 256 << 10  # bytes of one citation as JSON; a longer one cannot be read
MAX_CITATIONS = 100_000  # of an archive, and as many pages
_MAX_ALL = 128 << 20  # bytes of all citations as JSON
_MAX_BODY = 64 << 20  # bytes of a body
SPLIT = "Pack the citations into several archives."
_READING_SECONDS, _READING_SPEED = 60.0, 1 << 20  # a file may take a minute, and a second more for each MB
_MAX_DIGITS = 20  # of a whole number in JSON; a longer one loses its last digits, as reading it takes quadratic time
ALTERED, MISSING, UNREADABLE = "body altered", "missing body", "unreadable"
_HOLDS = (quotes.VERBATIM, quotes.NORMALISED)

_is_url = patterns.compile(r"https?://\S+").fullmatch
_is_sha256 = patterns.compile(r"[0-9a-f]{64}").fullmatch
_date = patterns.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z").fullmatch
_counts = patterns.compile(r"(?m)^(citations|pages): ([0-9]{1,9})\r?$").findall
_space = patterns.compile(r"\s*").match
_decoder = json.JSONDecoder(parse_int=lambda digits: int(digits[:_MAX_DIGITS]))


# Citations.


def read_citations(data: bytes, name: str) -> Iterator[Citation]:
    """Yield a file's citations: JSON objects, lists, answers to `verify`. Raises InvalidArgument."""
    text, end = data.decode("utf-8-sig", "replace"), 0
    while True:
        start = _space(text, end).end()  # type: ignore[union-attr]
        if start == len(text):
            return
        try:
            value, end = _decoder.raw_decode(text, start)
            for entry in value if isinstance(value, list) else [value]:
                yield require_citation(_unwrapped(entry))
        except (ValueError, RecursionError, InvalidArgument) as exc:
            why = getattr(exc, "message", getattr(exc, "msg", "too many brackets"))
            problem = why if isinstance(exc, InvalidArgument) else f"this is not JSON ({why})"
            line = text.count("\n", 0, start) + 1
            hint = getattr(exc, "hint", "Write citations with webtool cite --json.")
            raise InvalidArgument(f"{name}, line {line}: {problem}", hint=hint) from exc


def _unwrapped(entry: object) -> object:
    """Return the citation in an answer to `verify`, or in an MCP result with such an answer; else the entry itself."""
    answer = entry.get("structuredContent", entry) if isinstance(entry, dict) else None
    citation = answer.get("citation") if isinstance(answer, dict) else None
    return citation if isinstance(citation, dict) else entry


# Member: whether it is required, whether a text may be its value, and how to write it.
_MEMBERS: dict[str, tuple[bool, Callable[[str], object], str]] = {
    "quote": (True, quotes.is_quote, f"words, in at most {quotes.MAX_QUOTE:,} characters"),
    "url": (True, _is_url, "an http or https URL"),
    "body_sha256": (True, _is_sha256, "64 hexadecimal digits"),
    "fetched_at": (True, lambda text: _date(text) and dates.from_iso(text) is not None, "such as 2026-01-02T03:04:05Z"),
    "verdict": (False, _HOLDS.__contains__, " or ".join(_HOLDS)),
    "mode": (False, MODE.__eq__, f"{MODE}: text of another mode cannot be read again"),
    **dict.fromkeys(("title", "extractor", "content_type", "webtool", "hash", "note"), (False, lambda _: True, "text")),
}


def require_citation(value: object) -> Citation:
    """Return the citation if its members can be used. Raises InvalidArgument naming the member."""
    if not isinstance(value, dict):
        raise InvalidArgument(f"a citation is {quoted(value)}", hint="Write citations with webtool cite --json.")
    for name, (is_required, is_fit, form) in _MEMBERS.items():
        if name not in value and not is_required:
            continue
        member = value.get(name)
        if not (isinstance(member, str) and is_fit(member)):
            state = f"is {quoted(member)}" if name in value else "is missing"
            hint = f"It has to be {form}; webtool cite --json writes it."
            raise InvalidArgument(f"{name} of a citation {state}", hint=hint)
    return value


def _page(citation: Citation) -> Page:
    return citation["url"], citation["body_sha256"]


# Pack.


class _PackedPage(NamedTuple):
    """A cited page whose body is still to be written. The body itself is read again then."""

    hash: str
    content_type: str
    fetched_at: str  # the earliest time in its citations

    def seed(self, page: Page) -> bytes:
        """Return what the ID of the record with the page's body is made of: all that the record has."""
        return "\n".join((*page, self.fetched_at, self.content_type)).encode("utf-8", "replace")


def pack(ctx: Context, citations: Iterable[Citation], is_compressed: bool) -> Iterator[bytes]:
    """Yield the records of a pack: warcinfo, the citations, the bodies from the cache. Raises CacheMiss.

    Equal citations are written once, without `hash`: it is computed over the address with its secrets, and only this
    cache could use it. All bodies are looked for before the first record.
    """
    contents: dict[bytes, Citation] = {}
    size = 0
    for citation in citations:
        content = _content(citation)
        if content not in contents:
            size += len(content)
        contents[content] = citation
        _require_readable(len(contents), size)
    if not contents:
        raise InvalidArgument("nothing to pack: the input has no citation", hint="Write some with webtool cite --json.")
    packed_pages = _packed_pages(ctx, contents.values())
    date = max(citation["fetched_at"] for citation in contents.values())
    info = recorder.info_fields(("citations", str(len(contents))), ("pages", str(len(packed_pages))))
    yield recorder.record("warcinfo", date, (), "application/warc-fields", info, is_compressed, seed=info)[1]
    for content, citation in contents.items():
        seed_of_body = packed_pages[_page(citation)].seed(_page(citation))
        fields = [("WARC-Target-URI", citation["url"]), ("WARC-Refers-To", recorder.identity_of(seed_of_body))]
        date = citation["fetched_at"]
        yield recorder.record("metadata", date, fields, CITATION_TYPE, content, is_compressed, seed=content)[1]
    for page, packed in packed_pages.items():
        body = _stored(ctx, {"url": page[0], "body_sha256": page[1], "hash": packed.hash}).raw_bytes or b""
        fields = [("WARC-Target-URI", page[0]), ("WARC-Payload-Digest", recorder.digest(body))]
        arguments = ("resource", packed.fetched_at, fields, packed.content_type, body, is_compressed)
        yield recorder.record(*arguments, seed=packed.seed(page))[1]


def _packed_pages(ctx: Context, citations: Iterable[Citation]) -> dict[Page, _PackedPage]:
    """Return the cited pages, all of which are in the cache. Raises CacheMiss, FetchTooLarge."""
    packed_pages: dict[Page, _PackedPage] = {}
    for citation in citations:
        page, fetched_at = _page(citation), citation["fetched_at"]
        known = packed_pages.get(page)
        if known is None:
            stored = _stored(ctx, citation)
            packed_pages[page] = _PackedPage(stored.hash, one_line(stored.content_type), fetched_at)
        else:
            packed_pages[page] = known._replace(fetched_at=min(fetched_at, known.fetched_at))
    return packed_pages


def _require_readable(count: int, size: int) -> None:
    """Raise FetchTooLarge for more citations or pages, or bytes of citations, than verify reads."""
    if size > _MAX_ALL or count > MAX_CITATIONS:
        message = f"the archive has more than {MAX_CITATIONS:,} citations or pages, or very long ones"
        raise errors.FetchTooLarge(message, hint=SPLIT)


def _content(citation: Citation) -> bytes:
    """Return a citation as JSON. Raises InvalidArgument if it is too long for verify."""
    members = {name: value for name, value in citation.items() if name != "hash"}
    content = json.dumps(members, ensure_ascii=False).encode("utf-8", "backslashreplace")  # a lone surrogate as \ud800
    if len(content) > MAX_CITATION:
        message = f"a citation of {cut(citation['url'], 500)} has {len(content):,} bytes"
        raise InvalidArgument(message, hint=f"Use at most {MAX_CITATION:,}: shorten what you added to it.")
    return content


def _stored(ctx: Context, citation: Citation) -> Snapshot:
    """Return the row of the cache with the cited body. Raises CacheMiss, FetchTooLarge."""
    url, digest = _page(citation)
    row = ctx.require_cache().get(citation.get("hash", ""))
    other = ""
    for copy in [*([row] if row else []), *rows_of(ctx, url)]:
        body, copy_url = copy.raw_bytes, urls.redact_for_archive(copy.final_url)
        if body is None or copy_url != url:
            continue
        if sha256(body) != digest:
            other = f"; there is another one, fetched {copy.fetched_at}"
        elif len(body) > _MAX_BODY:
            message = f"the body of {url} has {len(body):,} bytes, and verify reads at most {_MAX_BODY:,}"
            raise errors.FetchTooLarge(message, hint="Leave out its citations.", url=url)
        else:
            return copy
    message = f"the cited body of {cut(url, 500)} (SHA-256 {digest[:12]}...) is not in the cache any more{other}"
    raise errors.CacheMiss(message, hint=f"Cite the page again: webtool cite QUOTE {cut(url, 500)}", url=url)


# Verify.


class Report(NamedTuple):
    """The result of checking an archive."""

    rows: list[dict[str, object]]  # one for each citation: verdict, ok, quote, url, problem ..., see _result()
    pages: int  # bodies that were converted
    problems: list[str]  # sentences about the file itself: damage, records that are missing

    @property
    def is_sound(self) -> bool:
        """Whether every citation holds and nothing of the file is missing."""
        return not self.problems and all(row["ok"] for row in self.rows)


Convert = Callable[[bytes, str, str, list[str]], Checked]  # body, media type, address, quotes


def verify(path: str, convert: Convert) -> Report:
    """Check every citation of an archive. Raises InvalidArgument, and UnsupportedContent for a file of another kind."""
    try:
        with open(path, "rb") as file:
            archive = _Archive(file, convert)
            records = reader.records(archive, max_bytes=_MAX_BODY)  # type: ignore[arg-type]
            for record in records:
                archive.add(record)
            if archive.has_earlier_bodies():
                file.seek(0)
                archive.set_time()
                for record in reader.records(archive, max_bytes=_MAX_BODY):  # type: ignore[arg-type]
                    archive.add_body(record)
    except OSError as exc:
        raise InvalidArgument(
            f"{path} cannot be read: {exc.strerror}", hint="Give an archive of webtool pack."
        ) from exc
    return archive.report(records.damaged)


class _Archive:
    """An archive that is read for a limited time, as a small file may decompress to terabytes.

    A citation waits for its body. webtool writes citations first; an archive with earlier bodies is read twice.
    """

    def __init__(self, file: BinaryIO, convert: Convert) -> None:
        self._file = file
        self._convert = convert
        self.set_time()
        self._rows: list[dict[str, object]] = []
        # Citations without a body so far, by page and stated media type, which is "" if they state none.
        self._waiting: dict[tuple[Page, str], list[Cited]] = {}
        # The bodies that were read. _problem() says by these why a citation is left without a body.
        self._type_of: dict[Page, str] = {}  # media type of the first body of each page
        self._address_of: dict[str, str] = {}  # digest of a body -> its last address
        self._first_digest_at: dict[str, str] = {}  # address -> digest of the first body there
        self._stated = {"citations": 0, "pages": 0}  # by warcinfo records
        self._most_pages = 0  # that one warcinfo record states; packs in one file may share pages
        self._present = {"citations": 0, "pages": 0}
        self._size = 0  # bytes of the citations
        self._converted = 0

    def set_time(self) -> None:
        size = os.fstat(self._file.fileno()).st_size
        self._until = time.monotonic() + _READING_SECONDS + size / _READING_SPEED

    def read(self, size: int) -> bytes:
        """Read some bytes of the file. Raises FetchTimeout if the time is up."""
        if time.monotonic() > self._until:
            raise errors.FetchTimeout(
                "the archive takes too long to decompress", hint="Do not trust it: it may be a bomb."
            )
        return self._file.read(size)

    def add(self, record: Record) -> None:
        """Take a record of the first reading. Raises FetchTooLarge."""
        if record.type == "warcinfo":
            for name, number in _counts(record.content[:MAX_CITATION].decode("utf-8", "replace")):
                self._stated[name] += int(number)
                if name == "pages":
                    self._most_pages = max(self._most_pages, int(number))
        elif record.type == "metadata" and media_types.extract(record.content_type)[0] == CITATION_TYPE:
            self._present["citations"] += 1
            self._size += len(record.content)
            self._add_citation(_citation(record))
        elif self.add_body(record):
            self._present["pages"] += 1
        _require_readable(max(self._present.values()), self._size)

    def _add_citation(self, citation: Citation | str) -> None:
        """Make the row of a citation, or of a text that says why it cannot be read."""
        if isinstance(citation, str):
            self._rows.append({"verdict": UNREADABLE, "ok": False, "problem": citation})
            return
        names = ("quote", "url", "body_sha256", "fetched_at", "webtool", "note")
        row = {"verdict": MISSING, "ok": False, **{name: citation[name] for name in names if name in citation}}
        self._rows.append(row)
        key = (_page(citation), one_line(citation.get("content_type", "")))
        self._waiting.setdefault(key, []).append((row, citation))

    def add_body(self, record: Record) -> bool:
        """Check the citations that wait for the page in a record. Returns whether it has a page."""
        if record.kind != "page":
            return False
        try:
            response = record.response(_MAX_BODY)
        except WebtoolError:  # it cannot be decoded
            return False
        page = record.url, sha256(response.body)
        address, digest = page
        self._first_digest_at.setdefault(address, digest)
        self._address_of[digest] = address
        content_type = one_line(response.content_type)
        self._type_of.setdefault(page, content_type)
        cited = [*self._waiting.pop((page, ""), []), *self._waiting.pop((page, content_type), [])]
        if cited:
            self._converted += 1
            begun = time.monotonic()
            _fill(cited, content_type, response.body, self._convert)
            self._until += time.monotonic() - begun
        return True

    def has_earlier_bodies(self) -> bool:
        """Return whether a body that a citation still waits for may have come before it."""
        return any(digest in self._address_of for (_, digest), _ in self._waiting)

    def report(self, damaged: int) -> Report:
        """Say what is missing. `damaged` records could not be read. Raises UnsupportedContent without citations."""
        if not self._rows and not self._stated["citations"]:
            hint = "webtool pack writes archives with citations; webtool extract FILE reads the pages of any archive."
            damage = ", and it is damaged or cut off" if damaged else ""
            raise errors.UnsupportedContent(f"the archive has no citations{damage}", hint=hint)
        problems = []
        if damaged:
            problems.append(f"the archive is damaged or cut off: {counted(damaged, 'record')} cannot be read")
        if len(self._type_of) < self._most_pages:  # a body that is there twice does not stand for a missing one
            self._present["pages"], self._stated["pages"] = len(self._type_of), self._most_pages
        for name, number in self._stated.items():
            if self._present[name] < number:
                problems.append(f"the archive is not whole: it has {self._present[name]} of its {number} {name}")
        for (page, content_type), cited in self._waiting.items():
            verdict, problem = self._problem(page, content_type)
            for row, _ in cited:
                row.update(verdict=verdict, problem=problem)
        return Report(self._rows, self._converted, problems)

    def _problem(self, page: Page, content_type: str) -> tuple[str, str]:
        """Return the verdict and the problem of citations that are left without a body.

        The body at their address may have another media type or another digest (ALTERED), or be missing. In the last
        two cases the cited body may be there under another address.
        """
        url, digest = page
        if page in self._type_of:
            is_type = quoted(self._type_of[page])
            return ALTERED, f"the media type of the body is {is_type}, the citation says {quoted(content_type)}"
        verdict, problem = MISSING, "the archive has no body of this page"
        if url in self._first_digest_at:
            verdict = ALTERED
            problem = f"SHA-256 of the body is {self._first_digest_at[url]}, the citation says {digest}"
        if digest in self._address_of:
            problem += f"; the cited body is there as {cut(self._address_of[digest], 500)}"
        return verdict, problem


def _citation(record: Record) -> Citation | str:
    if record.is_cut or len(record.content) > MAX_CITATION:
        return f"a citation has more than {MAX_CITATION:,} bytes"
    try:
        entries = list(read_citations(record.content, "citation"))
    except InvalidArgument as error:
        return error.message
    return entries[0] if len(entries) == 1 else f"a record has {len(entries)} citations, not one"


def _fill(cited: list[Cited], content_type: str, body: bytes, convert: Convert) -> None:
    """Convert a body, and fill in the rows of the citations of it.

    If the time is up, convert() returns the verdicts of the first quotes only. The rows of the others get a reason.
    """
    page = Checked("", "", [])
    reason = "the time was up before this quote: give more with --deadline SECONDS"
    try:
        page = convert(body, content_type, cited[0][1]["url"], [citation["quote"] for _, citation in cited])
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
