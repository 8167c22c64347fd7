"""Cite a quote of a page, so that others can check it again. In: a snapshot and a quote. Out: a citation, a dict.

A citation is about the whole page (mode full), so its lines are those of web_fetch. Each verdict of check() depends on
the body, its media type and its address only, on no settings, time or network. So equal bytes give equal verdicts, here
and on the machine of an auditor. Only how many verdicts are made depends on the time that is left. Addresses are
redacted, as a citation is handed to others.
Tests: tests/pages/test_citation.py, tests/bulk/test_evidence.py
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from webtool import __version__, urls
from webtool.answers.question import quotes
from webtool.cache.tables import Snapshot
from webtool.context import Context
from webtool.errors import CacheMiss, Cancelled, UnsupportedContent, WebtoolError
from webtool.lean import jsontext
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any
from webtool.pages import in_worker
from webtool.pages.request import PageRequest, Source
from webtool.pages.stored_copies import is_of_browser, rows_of
from webtool.settings import Settings

MODE = "full"
_SECONDS_TO_ANSWER = 0.5  # before its limit, check() ends and returns the verdicts that it has


class Checked(NamedTuple):
    """A page that was read again. Fewer verdicts than quotes were made if the time was up."""

    title: str
    extractor: str
    verdicts: list[dict[str, object]]


def check(
    body: bytes, content_type: str, url: str, all_quotes: Sequence[str], seconds: float = float("inf")
) -> Checked:
    """Convert a body and look for quotes. Raises WebtoolError.

    It runs in a worker. The time for looking ends shortly before `seconds` are over: the last quotes get no verdict.
    """
    until = time.monotonic() + seconds - _SECONDS_TO_ANSWER
    ctx = Context(Settings(cache=False), environ={}, deadline=float("inf"))
    columns = in_worker.convert(ctx, PageRequest(url, MODE), Source(body, content_type or None, url)).columns
    text = str(columns.get("markdown") or "").rstrip("\n")
    extractor = (jsontext.members(str(columns.get("extract_cfg_json"))) or {}).get("configuration")
    verdicts: list[dict[str, object]] = []
    for quote in all_quotes:
        verdicts.append(dict(quotes.verify(text, quote)))
        if time.monotonic() > until:
            break
    return Checked(str(columns.get("title") or ""), str(extractor or ""), verdicts)


def cite(ctx: Context, snapshot: Snapshot, quote: str, note: str = "") -> dict[str, object]:
    """Return the citation of a quote. With the verdict "absent" it only shows the nearest passage (`nearest`).

    Raises UnsupportedContent for a page that others cannot read again, CacheMiss if its body is not stored.
    """
    if is_of_browser(snapshot):
        raise UnsupportedContent(
            f"{snapshot.url} was rendered by a browser, and another browser may show another text",
            hint="Cite a page that has its text without scripts, or quote the data that the page loads.",
            url=snapshot.url,
        )
    if snapshot.raw_truncated:
        raise UnsupportedContent(
            f"Only a part of {snapshot.url} was received, and the next answer may be cut elsewhere",
            hint="Open it again with force_refresh, and with a higher max_bytes if it is a large page.",
            url=snapshot.url,
        )
    stored, body = _stored_body(ctx, snapshot)
    url, content_type = urls.redact_for_archive(stored.final_url), one_line(stored.content_type)
    arguments = (body, content_type, url, (quote,))
    checked: Any = ctx.compute("webtool.pages.citation:check", *arguments, memory=in_worker.memory_for(body))
    citation = {"quote": quote.strip(), **checked.verdicts[0], "url": url, "title": checked.title, "mode": MODE}
    citation.update(extractor=checked.extractor, content_type=content_type, body_sha256=sha256(body))
    citation.update(fetched_at=stored.fetched_at, webtool=__version__, hash=stored.hash)
    return {**citation, "note": note} if note else citation


def members(ctx: Context, snapshot: Snapshot, quote: str) -> tuple[dict[str, object], list[str]]:
    """Return the member `citation` of an answer to `verify`, or a note why not: files have no address for others."""
    if ctx.is_person or not snapshot.hash:
        return {}, []
    try:
        citation = cite(ctx, snapshot, quote)
    except Cancelled:
        raise
    except WebtoolError as error:
        return {}, [f"no citation: {error.message}"]
    if citation["verdict"] == quotes.ABSENT:
        return {}, ["no citation: the page in mode full does not have the quote"]
    return {"citation": citation}, []


def _stored_body(ctx: Context, snapshot: Snapshot) -> tuple[Snapshot, bytes]:
    """Return the row with the body that a snapshot was made from, and the body. Raises CacheMiss."""
    for row in (snapshot, *rows_of(ctx, snapshot.url), *rows_of(ctx, snapshot.final_url)):
        is_same = row.fetched_at == snapshot.fetched_at or (row.etag and row.etag == snapshot.etag)
        is_same = is_same and row.final_url == snapshot.final_url
        is_same = is_same and not (is_of_browser(row) or row.raw_truncated)
        if is_same and row.raw_bytes is not None:
            return row, row.raw_bytes
    raise CacheMiss(
        f"The body of {snapshot.url} is not stored, so its quote could not be checked again",
        hint="Open it again with force_refresh and a cache that is on.",
        url=snapshot.url,
    )


def one_line(media_type: str | None) -> str:
    """Return a media type on one line, "" if a server named none."""
    return " ".join((media_type or "").split())


def sha256(body: bytes) -> str:
    import hashlib

    return hashlib.sha256(body).hexdigest()
