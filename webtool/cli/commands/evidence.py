"""Quotes that others can check: cite one, pack citations with their pages into an archive, verify an archive.

    cite QUOTE PAGE                      check a quote and print a citation
    pack FILE.warc.gz CITATION.json ...  write the cited pages, from the cache, and the citations into one archive
    verify FILE.warc.gz                  check every citation of an archive, offline

In: the command's words. Out: text or JSON on stdout, and the exit status: 1 if the page does not have the quote, if a
citation fails, or if a part of the archive is missing. `verify QUOTE PAGE` is the tool web_verify.
Tests: tests/cli/commands/test_evidence.py
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator

from webtool.answers import budget
from webtool.bulk import evidence, evidence_check, files
from webtool.cli import flags, page_options
from webtool.cli.waiting import Waiting
from webtool.context import Context
from webtool.errors import InvalidArgument, UnsupportedContent, counted
from webtool.lean.typing import Any
from webtool.output import is_terminal, one_line, replace_file, write_all, write_error
from webtool.pages import citation, in_worker
from webtool.running import deadline
from webtool.running.workers import Workers
from webtool.tools import web_verify

_MAX_NOTE = 2000  # characters
_PACK_USAGE = "Use: webtool pack FILE.warc.gz CITATION.json ...; - is standard input."
_ENDINGS = (".warc", ".warc.gz")
_SECONDS_A_QUOTE = 0.02  # added to the deadline of a page for each quote: 30 s + 0.02 s x 500 quotes = 40 s


def cite(parsed: flags.Words) -> int:
    """Check a quote and print a citation. Returns 0, or 1 for an absent quote. Raises WebtoolError."""
    if len(parsed.plain) != 2:
        problem = f"cite takes a quote and a page, and got {counted(len(parsed.plain), 'word')}"
        raise InvalidArgument(problem, hint="Use: webtool cite QUOTE URL [--note TEXT] [--json]")
    quote, page = web_verify.arrange_words(parsed.plain)
    note = parsed.options.get("note", "")
    if len(note) > _MAX_NOTE:
        raise InvalidArgument(f"the note has {len(note):,} characters", hint=f"Use at most {_MAX_NOTE:,}.")
    if parsed.options.get("mode", citation.MODE) != citation.MODE:
        problem = f"text of mode {parsed.options['mode']} cannot be cited, as others would not read the same"
        raise UnsupportedContent(problem, hint="Leave out --mode: a citation is about the whole page (mode full).")
    if files.is_file(page):
        hint = f"webtool verify QUOTE {page} checks it. Cite the address where others find it."
        raise InvalidArgument(f"{page} is a file, and a citation names a page that others can open", hint=hint)
    settings = flags.settings_of(parsed)
    ctx = Context(settings, environ=os.environ, deadline=deadline.start(settings.deadline))
    ctx.is_person = True
    try:
        with Waiting("quiet" not in parsed.options):
            cited, notes = _cite(ctx, quote, page, note)
    finally:
        ctx.close()
    deadline.stop()
    return _print_citation(cited, notes, parsed.options)


def _cite(ctx: Context, quote: str, page: str, note: str) -> tuple[dict[str, Any], list[str]]:
    """Return the citation and notes on the page."""
    opened = web_verify.open_named(ctx, page)
    cited = citation.cite(ctx, opened.snapshot, quote, note)
    notes = list(opened.notes)
    stored = ctx.cache.get(str(cited["hash"])) if ctx.cache is not None else None
    if stored is None or stored.raw_bytes is None:
        why = "the cache is off" if ctx.cache is None else "its server forbids to store it"
        notes.append(f"webtool pack will not find this page: {why}")
    return cited, notes


def _print_citation(cited: dict[str, Any], notes: list[str], options: dict[str, str]) -> int:
    """Write the citation to stdout, and notes or the absence of the quote to stderr. Returns the exit status."""
    is_absent = cited["verdict"] == "absent"
    if "json" in options:
        data = {"success": False, **cited} if is_absent else cited
        write_all(1, budget.encode(data))
    elif not is_absent:
        write_all(1, _citation_text(cited).encode("utf-8", "replace"))
    if is_absent:
        write_error(f"webtool: absent: {cited['url']} does not have this quote: nothing is cited\n")
        if "nearest" in cited:
            write_error(f"  The nearest, line {cited['lines'][0]}: {one_line(cited['nearest'], 1000)}\n")
    if notes and "quiet" not in options:
        write_error(f"webtool: {one_line('; '.join(notes), 2000)}\n")
    return 1 if is_absent else 0


def _citation_text(cited: dict[str, Any]) -> str:
    """Return a citation for a reader: the quote, where it is, and what it takes to check it."""
    quote = "\n".join(f"> {line}".rstrip() for line in cited["quote"].split("\n"))
    title = f"{cited['title']}, " if cited["title"] else ""
    lines = [
        quote,
        f"{title}{cited['url']}, {_place(*cited['lines'])} ({cited['verdict']})",
        f"Fetched {cited['fetched_at']}; SHA-256 of the body: {cited['body_sha256']}",
        f"Read by webtool {cited['webtool']} (mode {cited['mode']}, {cited['extractor']})",
    ]
    return "\n".join([*lines, *([f"Note: {cited['note']}"] if cited.get("note") else []), ""])


def _place(first: int, last: int) -> str:
    return f"line {first}" if first == last else f"lines {first} to {last}"


def pack(parsed: flags.Words) -> int:
    """Write cited pages and their citations into one new archive. Returns 0. Raises WebtoolError."""
    if not parsed.plain or not parsed.plain[0].lower().endswith(_ENDINGS):
        problem = f"{parsed.plain[0]} is not a name for" if parsed.plain else "pack needs the name of"
        raise InvalidArgument(f"{problem} an archive", hint=f"It has to end in {' or '.join(_ENDINGS)}. {_PACK_USAGE}")
    path, *names = parsed.plain
    if not names and is_terminal(0):
        raise InvalidArgument("pack needs citations", hint=_PACK_USAGE)
    citations = list(_citations(names or ["-"]))
    is_new = not os.path.lexists(path)
    page_options.require_new(path, is_forced="force" in parsed.options)
    ctx = Context(flags.settings_of(parsed), environ=os.environ)
    try:
        records = evidence.pack(ctx, citations, path.lower().endswith(".gz"))
        replace_file(path, records, is_new=is_new)
    except FileExistsError:
        problem = f"{path} was written by another program meanwhile"
        raise InvalidArgument(problem, hint="Give the name of another file.") from None
    except OSError as exc:
        hint = "Give a file in a folder of yours."
        raise InvalidArgument(f"{path} cannot be written: {exc.strerror or exc}", hint=hint) from exc
    finally:
        ctx.close()
    if "quiet" not in parsed.options:
        pages = len({(citation["url"], citation["body_sha256"]) for citation in citations})
        number = f"{counted(len(citations), 'citation')} of {counted(pages, 'page')}"
        size = f"{os.path.getsize(path):,} bytes"
        write_error(f"webtool: wrote {path}, {number}, {size}; webtool verify {path} checks it\n")
    return 0


def _citations(names: list[str]) -> Iterator[evidence.Citation]:
    """Yield the citations of the files. Raises InvalidArgument."""
    hint = "Give files that webtool cite --json wrote."
    for name in names:
        data = files.read(name, files.MAX_LIST, hint).body
        yield from evidence.read_citations(data, "standard input" if name == "-" else name)


def verify(parsed: flags.Words) -> int:
    """Check every citation of an archive, offline. Returns 0, or 1 if anything fails. Raises WebtoolError."""
    if len(parsed.plain) != 1:
        usage = "Use: webtool verify FILE.warc.gz"
        raise InvalidArgument("verify takes one archive, or a quote and a page", hint=usage)
    seconds, pool = flags.settings_of(parsed).deadline, Workers()

    def convert(body: bytes, content_type: str, url: str, quotes: list[str]) -> citation.Checked:
        limit = seconds + _SECONDS_A_QUOTE * len(quotes)
        bounds: dict[str, Any] = {"deadline": time.monotonic() + limit, "memory": in_worker.memory_for(body)}
        checked: Any = pool.call("webtool.pages.citation:check", body, content_type, url, quotes, limit, **bounds)
        return checked  # type: ignore[no-any-return]

    try:
        with Waiting("quiet" not in parsed.options):
            report = evidence_check.verify(parsed.plain[0], convert)
    finally:
        pool.close()
    verdicts = Counter(str(row["verdict"]) for row in report.rows)
    if "json" in parsed.options:
        data: dict[str, Any] = {"success": report.is_sound, "archive": parsed.plain[0], "verdicts": verdicts}
        data.update(pages=report.pages, citations=report.rows, problems=report.problems)
        write_all(1, budget.encode(data))
    else:
        lines = [line for row in report.rows for line in _lines(row)]
        counts = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.items())
        failed = sum(not row["ok"] for row in report.rows)
        number = f"{counted(len(report.rows), 'citation')} of {counted(report.pages, 'page')}"
        end = f"{number}: {counts}; {failed} failed".replace(": ;", ";")
        lines += [f"FAIL {sentence}" for sentence in report.problems]
        write_all(1, "\n".join([*lines, end, ""]).encode("utf-8", "replace"))
    return 0 if report.is_sound else 1


def _problem(sentence: object) -> str:
    return f"    {one_line(str(sentence), 1000)}"


def _lines(row: dict[str, Any]) -> list[str]:
    """Return a line with the verdict, the place and the quote, and lines on what is wrong or different."""
    first, last = row.get("lines") or (0, 0)
    place = f", {_place(first, last)}" if row["ok"] and first else ""
    mark = "ok  " if row["ok"] else "FAIL"
    quote, url, stated = row.get("quote", ""), row.get("url", ""), row.get("stated", {})
    lines = [f"{mark} {row['verdict']}{place}: {one_line(quote, 100)!r} {one_line(url, 300)}".rstrip()]
    lines += [_problem(f"the citation says {name} {stated[name]}, it is {row.get(name)}") for name in stated]
    lines += [_problem(f"nearest, line {first}: {row['nearest']}")] if "nearest" in row else []
    return lines + ([_problem(row["problem"])] if "problem" in row else [])
