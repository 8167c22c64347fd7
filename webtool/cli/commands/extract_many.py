"""extract for many pages: archives, lines of JSON, folders. In: the command's words. Out: rows, and the exit status."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from webtool.bulk import many, sources
from webtool.bulk.warc import captures
from webtool.cli import flags, parquet, rows
from webtool.errors import InvalidArgument
from webtool.lean.typing import Any

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
    """Extract the pages; the exit status says whether all could be. Raises WebtoolError."""
    import gc

    gc.enable()
    parsed = flags.parse(words, _PARAMETERS, _OPTIONS)
    if not parsed.plain:
        raise InvalidArgument("extract --batch needs pages", hint="Give archives, folders, files, or - for stdin.")
    path = parsed.options.get("output", "-")
    found = sources.Sources(parsed.plain, _options(parsed.members))
    made = _rows(found, parsed)
    progress = rows.Progress(0, 0, path, is_quiet="quiet" in parsed.options, verb="extracted", share=found.share)
    with parquet.Sink(path) if path.endswith(".parquet") else rows.Sink(path) as sink:
        found.done = sink.held
        for row in made:
            sink.write(row)
            progress.count(row)
    listed = (f"{found.skipped} skipped" if found.skipped else "", f"{found.damaged} damaged" if found.damaged else "")
    return progress.end(", ".join(filter(None, listed)))


def _options(members: dict[str, Any]) -> sources.Options:
    wanted = captures.make_filter(
        members.get("status", ["2xx"]), members.get("media_type", ["html"]), members.get("url", [])
    )
    length = members.get("length")
    return sources.Options(wanted, members.get("offset", 0), length or None, members.get("archives", ""))


def _rows(found: sources.Sources, parsed: flags.Words) -> Iterator[dict[str, Any]]:
    """The rows, each with the name of where its page came from. Raises InvalidArgument."""
    names: deque[str] = deque()

    def pages() -> Iterator[Any]:
        for name, page in found:
            names.append(name)
            yield page

    members: dict[str, Any] = parsed.members
    workers, seconds = members.get("workers"), flags.settings_of(parsed).deadline
    if "full" in parsed.options:
        made = many.to_markdown_many(pages(), workers, seconds=seconds)
    else:
        strategy = members.get("strategy", "readability")
        made = many.extract_many(pages(), workers, strategy=strategy, seconds=seconds)
    return ({"input": names.popleft(), **row} for row in made)
