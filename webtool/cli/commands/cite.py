"""cite QUOTE PAGE: check a quote and print a citation, which anybody can check again.

In: the command's words. Out: the citation as text or JSON on stdout, and the exit status: 1 if the page does not have
the quote.

Tests: tests/cli/commands/test_evidence.py
"""

from __future__ import annotations

import json
import os

from webtool.bulk import files
from webtool.cli import flags
from webtool.cli.waiting import Waiting
from webtool.context import Context
from webtool.errors import InvalidArgument, UnsupportedContent, counted
from webtool.lean.typing import Any
from webtool.output import one_line, write_all, write_error
from webtool.pages import citation
from webtool.running import deadline
from webtool.tools import web_verify

OPTIONS = {"note": True, "mode": True, "json": False, "quiet": False}
_MAX_NOTE = 2000  # characters
_USE = "Use: webtool cite QUOTE URL [--note TEXT] [--json]"


def main(words: list[str]) -> int:
    """Print the citation. Returns 0, or 1 for an absent quote. Raises WebtoolError."""
    parsed = flags.parse(words, {}, OPTIONS)
    if len(parsed.plain) != 2:
        raise InvalidArgument(f"cite takes a quote and a page, and got {counted(len(parsed.plain), 'word')}", hint=_USE)
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
    return _print(cited, notes, parsed.options)


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


def _print(cited: dict[str, Any], notes: list[str], options: dict[str, str]) -> int:
    """Write the citation to stdout, and notes or the absence of the quote to stderr. Returns the exit status."""
    is_absent = cited["verdict"] == "absent"
    if "json" in options:
        data = {"success": False, **cited} if is_absent else cited
        write_all(1, (json.dumps(data, ensure_ascii=False) + "\n").encode("utf-8", "replace"))
    elif not is_absent:
        write_all(1, text_of(cited).encode("utf-8", "replace"))
    if is_absent:
        write_error(f"webtool: absent: {cited['url']} does not have this quote: nothing is cited\n")
        if "nearest" in cited:
            write_error(f"  The nearest, line {cited['lines'][0]}: {one_line(cited['nearest'], 1000)}\n")
    if notes and "quiet" not in options:
        write_error(f"webtool: {one_line('; '.join(notes), 2000)}\n")
    return 1 if is_absent else 0


def text_of(cited: dict[str, Any]) -> str:
    """Return a citation for a reader: the quote, where it is, and what it takes to check it."""
    first, last = cited["lines"]
    place = f"line {first}" if first == last else f"lines {first} to {last}"
    quote = "\n".join(f"> {line}".rstrip() for line in cited["quote"].split("\n"))
    title = f"{cited['title']}, " if cited["title"] else ""
    lines = [
        quote,
        f"{title}{cited['url']}, {place} ({cited['verdict']})",
        f"Fetched {cited['fetched_at']}; SHA-256 of the body: {cited['body_sha256']}",
        f"Read by webtool {cited['webtool']} (mode {cited['mode']}, {cited['extractor']})",
    ]
    return "\n".join([*lines, *([f"Note: {cited['note']}"] if cited.get("note") else []), ""])
