"""Read citations, and pack them with the cited pages into one archive. In: citations, a cache. Out: bytes of records.

A pack is a WARC file. Its warcinfo record says how many citations and pages follow, so that a missing end is noticed.
Each citation is a metadata record (JSON), each body a resource record. Record IDs and dates come from the content, so
equal citations give equal records. evidence_check.py checks a pack; what it refuses to read is not written here.
Tests: tests/bulk/test_evidence.py
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator

from webtool import errors, urls
from webtool.answers.question import quotes
from webtool.bulk.warc import writer
from webtool.cache.tables import Snapshot
from webtool.context import Context
from webtool.errors import InvalidArgument, cut, quoted
from webtool.lean import dates, patterns
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any
from webtool.pages.citation import MODE, one_line, sha256
from webtool.pages.stored_copies import rows_of

Citation = dict[str, Any]

CITATION_TYPE = "application/vnd.webtool.citation+json"  # tells citations from the metadata of other programs
MAX_CITATION = 256 << 10  # bytes of one citation as JSON; a longer one is not written, and is not read
MAX_CITATIONS = 100_000  # of an archive, and as many pages; one with more is not written, and is not read
_MAX_ALL = 128 << 20  # bytes of all citations of an archive as JSON
MAX_BODY = 64 << 20  # bytes of a body; a longer one is not written, and only its beginning is read
_MAX_DIGITS = 20  # of a whole number in JSON; a longer one loses its last digits, as reading it takes quadratic time
_HOLDS = (quotes.VERBATIM, quotes.NORMALISED)  # verdicts of a page that has the quote

_is_url = patterns.compile(r"https?://\S+").fullmatch
_is_sha256 = patterns.compile(r"[0-9a-f]{64}").fullmatch
_date = patterns.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z").fullmatch
_space = patterns.compile(r"\s*").match
_decoder = json.JSONDecoder(parse_int=lambda digits: int(digits[:_MAX_DIGITS]))


def read_citations(data: bytes, name: str) -> Iterator[Citation]:
    """Yield a file's citations: JSON objects, lists, answers to `verify`. Raises InvalidArgument, which has `name`."""
    text, end = data.decode("utf-8-sig", "replace"), 0
    while True:
        start = _space(text, end).end()  # type: ignore[union-attr]
        if start == len(text):
            return
        hint: str | None = "Write citations with webtool cite --json."
        try:
            value, end = _decoder.raw_decode(text, start)
            entries = value if isinstance(value, list) else [value]
            citations = [require_citation(_unwrapped(entry)) for entry in entries]
        except json.JSONDecodeError as exc:
            problem = f"this is not JSON ({exc.msg})"
        except RecursionError:
            problem = "this is not JSON (too many brackets)"
        except InvalidArgument as exc:
            problem, hint = exc.message, exc.hint
        else:
            yield from citations
            continue
        line = text.count("\n", 0, start) + 1
        raise InvalidArgument(f"{name}, line {line}: {problem}", hint=hint)


def _unwrapped(entry: object) -> object:
    """Return the citation in an answer to `verify`, or in an MCP result with such an answer; else the entry itself."""
    answer = entry.get("structuredContent", entry) if isinstance(entry, dict) else None
    citation = answer.get("citation") if isinstance(answer, dict) else None
    return citation if isinstance(citation, dict) else entry


# Member, whose value is text: (whether it is required, whether a text may be its value, how to write it).
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


class Page(NamedTuple):
    """The identity of a cited page."""

    url: str
    sha256: str  # of the body


def page_of(citation: Citation) -> Page:
    return Page(citation["url"], citation["body_sha256"])


class _PackedPage(NamedTuple):
    """A cited page whose body is still to be written: it is read from the cache again then."""

    page: Page
    hash: str  # of the row of the cache
    content_type: str
    fetched_at: str  # the earliest time in its citations

    @property
    def seed(self) -> bytes:
        """Return the bytes from which the ID of the record with the page's body is computed: all its data."""
        return "\n".join((*self.page, self.fetched_at, self.content_type)).encode("utf-8", "replace")


def pack(ctx: Context, citations: Iterable[Citation], is_compressed: bool) -> Iterator[bytes]:
    """Yield the records of a pack: warcinfo, citations, bodies from the cache. Raises CacheMiss, FetchTooLarge.

    Equal citations are written once. All bodies are looked for before the first record is given.
    """
    contents: dict[bytes, Citation] = {}
    size = 0
    for citation in citations:
        content = _content(citation)
        if content not in contents:
            size += len(content)
        contents[content] = citation
        require_readable(len(contents), size)
    if not contents:
        raise InvalidArgument("nothing to pack: the input has no citation", hint="Write some with webtool cite --json.")
    packed_pages = _packed_pages(ctx, contents.values())
    date = max(citation["fetched_at"] for citation in contents.values())
    info = writer.info_fields(("citations", str(len(contents))), ("pages", str(len(packed_pages))))
    yield writer.record("warcinfo", date, (), "application/warc-fields", info, is_compressed, seed=info)[1]
    for content, citation in contents.items():
        body_id = writer.identity_of(packed_pages[page_of(citation)].seed)
        fields = [("WARC-Target-URI", citation["url"]), ("WARC-Refers-To", body_id)]
        date = citation["fetched_at"]
        yield writer.record("metadata", date, fields, CITATION_TYPE, content, is_compressed, seed=content)[1]
    for page, packed in packed_pages.items():
        body = _stored(ctx, page, packed.hash).raw_bytes or b""
        fields = [("WARC-Target-URI", page.url), ("WARC-Payload-Digest", writer.digest(body))]
        date, content_type = packed.fetched_at, packed.content_type
        yield writer.record("resource", date, fields, content_type, body, is_compressed, seed=packed.seed)[1]


def _packed_pages(ctx: Context, citations: Iterable[Citation]) -> dict[Page, _PackedPage]:
    """Return the cited pages, all of which are in the cache. Raises CacheMiss, FetchTooLarge."""
    packed_pages: dict[Page, _PackedPage] = {}
    for citation in citations:
        page, fetched_at = page_of(citation), citation["fetched_at"]
        packed = packed_pages.get(page)
        if packed is None:
            stored = _stored(ctx, page, citation.get("hash", ""))
            packed = _PackedPage(page, stored.hash, one_line(stored.content_type), fetched_at)
        packed_pages[page] = packed._replace(fetched_at=min(fetched_at, packed.fetched_at))
    return packed_pages


def require_readable(count: int, size: int) -> None:
    """Raise FetchTooLarge if an archive has too many citations or pages (`count`), or bytes of citations (`size`)."""
    if size > _MAX_ALL or count > MAX_CITATIONS:
        message = f"the archive has more than {MAX_CITATIONS:,} citations or pages, or very long ones"
        raise errors.FetchTooLarge(message, hint="Pack the citations into several archives.")


def _content(citation: Citation) -> bytes:
    r"""Return a citation as JSON. Raises InvalidArgument if it is too long for verify.

    `hash` is left out: it is made of the address with its secrets, and finds the page in this cache only. A lone
    surrogate is written as \ud800: with "?" in its place, the quote would be another one.
    """
    members = {name: value for name, value in citation.items() if name != "hash"}
    content = json.dumps(members, ensure_ascii=False).encode("utf-8", "backslashreplace")
    if len(content) > MAX_CITATION:
        message = f"a citation of {cut(citation['url'], 500)} has {len(content):,} bytes"
        raise InvalidArgument(message, hint=f"Use at most {MAX_CITATION:,}: shorten what you added to it.")
    return content


def _stored(ctx: Context, page: Page, row_hash: str) -> Snapshot:
    """Return the row of the cache with the cited body: `row_hash` or another. Raises CacheMiss, FetchTooLarge."""
    shown = cut(page.url, 500)
    row = ctx.require_cache().get(row_hash)
    other = ""
    for copy in [*([row] if row else []), *rows_of(ctx, page.url)]:
        body = copy.raw_bytes
        if body is None or urls.redact_for_archive(copy.final_url) != page.url:
            continue
        if sha256(body) != page.sha256:
            other = f"; there is another one, fetched {copy.fetched_at}"
        elif len(body) > MAX_BODY:
            message = f"the body of {page.url} has {len(body):,} bytes, and verify reads at most {MAX_BODY:,}"
            raise errors.FetchTooLarge(message, hint="Leave out its citations.", url=page.url)
        else:
            return copy
    message = f"the cited body of {shown} (SHA-256 {page.sha256[:12]}...) is not in the cache any more{other}"
    raise errors.CacheMiss(message, hint=f"Cite the page again: webtool cite QUOTE {shown}", url=page.url)
