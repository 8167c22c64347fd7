"""extract for many pages: archives, lines of JSON, folders.

In: the command's words. Out: one row for each page, on stdout or in a file, and the exit status.
"""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Iterator

from webtool.bulk import many, sources
from webtool.bulk.warc import captures
from webtool.cli import flags, parquet, rows
from webtool.errors import InvalidArgument
from webtool.lean.typing import Any
from webtool.schemas import surfaces

_OPTIONS = {"output": True, "quiet": False, "json": False, "batch": False, "full": False}
_WORDS = {"type": "array", "items": {"type": "string"}}
_COUNT = {"type": "integer", "minimum": 0}
_PARAMETERS = {
    "type": "object",
    "properties": {
        "workers": _COUNT,
        "strategy": {"type": "string"},
        "status": _WORDS,
        "media_type": _WORDS,
        "url": _WORDS,
        "offset": _COUNT,
        "length": _COUNT,
        "archives": {"type": "string"},
    },
}


def main(words: list[str]) -> int:
    """Extract the pages. Returns 0 if all could be extracted, 7 if some failed. Raises WebtoolError."""
    gc.enable()  # dispatch turned it off for commands that read one page
    parsed = flags.parse(words, _PARAMETERS, _OPTIONS)
    if not parsed.plain:
        raise InvalidArgument("extract --batch needs pages", hint="Give archives, folders, files, or - for stdin.")
    path = parsed.options.get("output", "-")
    done = sources.Done()
    pages = sources.Sources(parsed.plain, _source_options(parsed.members), done)
    extracted = _rows(pages, parsed)
    progress = rows.Progress(0, 0, path, is_quiet="quiet" in parsed.options, verb="extracted", share=pages.share)
    with parquet.Sink(path, done.add) if parquet.is_parquet(path) else rows.Sink(path, done.add) as sink:
        try:
            for row in extracted:
                sink.write(row)
                progress.count(row)
        except KeyboardInterrupt:
            return progress.interrupted()
    progress.skipped, progress.failed_before = pages.skipped, pages.failed_before
    return progress.end(f"{pages.damaged} damaged" if pages.damaged else "")


def _source_options(members: dict[str, Any]) -> sources.Options:
    """Return which records of archives are read, and from where."""
    record_filter = captures.make_filter(
        members.get("status", ["2xx"]), members.get("media_type", ["html"]), members.get("url", [])
    )
    length = members.get("length")
    return sources.Options(record_filter, members.get("offset", 0), length or None, members.get("archives", ""))


def _rows(pages: sources.Sources, parsed: flags.Words) -> Iterator[dict[str, Any]]:
    """Yield the rows in the order of the pages, each with its page's name as `input`. Raises InvalidArgument."""
    names: deque[str] = deque()  # of the pages that are given out and whose rows have not come back

    def without_names() -> Iterator[Any]:
        for name, page in pages:
            names.append(name)
            yield page

    members: dict[str, Any] = parsed.members
    workers = members.get("workers")
    seconds: float | None = flags.settings_of(parsed).deadline
    if workers == 0:
        if "deadline" in parsed.settings:
            raise InvalidArgument("--workers 0 has no limit of time", hint="Use --workers 1, or leave out --deadline.")
        seconds = None
    if "full" in parsed.options:
        results = many.to_markdown_many(without_names(), workers, seconds=seconds)
    else:
        strategy = members.get("strategy", "readability")
        results = many.extract_many(without_names(), workers, strategy=strategy, seconds=seconds)
    return ({"input": names.popleft(), **surfaces.members_of("command", row)} for row in results)
