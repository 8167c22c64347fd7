"""verify FILE.warc.gz: check every citation of an archive, offline.

In: the command's words. Out: a line for each citation and a summary, or JSON, on stdout; the exit status is 1 if a
citation fails or a part of the archive is missing. `verify QUOTE PAGE` is the tool web_verify.

Tests: tests/cli/commands/test_evidence.py
"""

from __future__ import annotations

import json
import time
from collections import Counter

from webtool.bulk import evidence
from webtool.cli import flags
from webtool.cli.waiting import Waiting
from webtool.errors import InvalidArgument, counted
from webtool.lean.typing import Any
from webtool.output import one_line, write_all
from webtool.pages import in_worker
from webtool.pages.citation import Checked
from webtool.running.workers import Workers

OPTIONS = {"json": False, "quiet": False}
_SECONDS_A_QUOTE = 0.02  # more than the deadline that a page with many quotes may take


def main(words: list[str]) -> int:
    """Check the archive. Returns 0, or 1 if anything fails. Raises WebtoolError."""
    parsed = flags.parse(words, {}, OPTIONS)
    if len(parsed.plain) != 1:
        raise InvalidArgument(
            "verify takes one archive, or a quote and a page", hint="Use: webtool verify FILE.warc.gz"
        )
    seconds, pool = flags.settings_of(parsed).deadline, Workers()

    def convert(body: bytes, content_type: str, url: str, quotes: list[str]) -> Checked:
        limit = seconds + _SECONDS_A_QUOTE * len(quotes)
        bounds: dict[str, Any] = {"deadline": time.monotonic() + limit, "memory": in_worker.memory_for(body)}
        checked: Any = pool.call("webtool.pages.citation:check", body, content_type, url, quotes, limit, **bounds)
        return checked  # type: ignore[no-any-return]

    try:
        with Waiting("quiet" not in parsed.options):
            report = evidence.verify(parsed.plain[0], convert)
    finally:
        pool.close()
    verdicts = Counter(str(row["verdict"]) for row in report.rows)
    if "json" in parsed.options:
        data = {"success": report.is_sound, "archive": parsed.plain[0], "verdicts": verdicts, "pages": report.pages}
        data.update(citations=report.rows, problems=report.problems)
        text = json.dumps(data, ensure_ascii=False)
    else:
        lines = [line for row in report.rows for line in _lines(row)]
        counts = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.items())
        failed = sum(not row["ok"] for row in report.rows)
        number = f"{counted(len(report.rows), 'citation')} of {counted(report.pages, 'page')}"
        end = f"{number}: {counts}; {failed} failed".replace(": ;", ";")
        text = "\n".join([*lines, *(f"FAIL {sentence}" for sentence in report.problems), end])
    write_all(1, (text + "\n").encode("utf-8", "replace"))
    return 0 if report.is_sound else 1


def _problem(sentence: object) -> str:
    return f"    {one_line(str(sentence), 1000)}"


def _lines(row: dict[str, Any]) -> list[str]:
    """Return a line with the verdict, the place and the quote, and lines on what is wrong or different."""
    first, last = row.get("lines") or (0, 0)
    place = ""
    if row["ok"] and first:
        place = f", line {first}" if first == last else f", lines {first} to {last}"
    mark = "ok  " if row["ok"] else "FAIL"
    quote, url, stated = row.get("quote", ""), row.get("url", ""), row.get("stated", {})
    lines = [f"{mark} {row['verdict']}{place}: {one_line(quote, 100)!r} {one_line(url, 300)}".rstrip()]
    lines += [_problem(f"the citation says {name} {stated[name]}, it is {row.get(name)}") for name in stated]
    lines += [_problem(f"nearest, line {first}: {row['nearest']}")] if "nearest" in row else []
    return lines + ([_problem(row["problem"])] if "problem" in row else [])
