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

USAGE = """Usage: webtool extract --batch [FILE|FOLDER|-]... [flags]
       webtool extract crawl.warc.gz -o pages.ndjson

Extracts the main content of many pages on all cores and prints one line of JSON for each, in order: input, url,
success, title, markdown, text, links, ..., or error and error_code. A file may be

  a web archive        WARC, plain, .gz or (Python 3.14) .zst, and WET; damaged records are passed over and counted
  an index of archives CDX or CDXJ; its archives are looked for beside it, or in --archives FOLDER
  lines of JSON        {"url": ..., "html": ...} on each line, content_type too if known
  a list of files      one path on each line, # begins a comment
  a page               HTML, or any kind that fetch reads

A folder stands for the pages and archives below it, - for standard input. Without --batch, `extract` takes archives,
indexes and folders so too.

  -o, --output FILE    append to FILE; what it answers already is skipped, so a run can be taken up again.
                       FILE.parquet writes Parquet, where pyarrow is installed
  --full               the whole page as markdown, not its main content
  --strategy NAME      readability (default), dom_smoothie or plain_text
  --workers N          processes (default: one for each core; 0: none, without bounds on time and memory)
  --deadline SECONDS   time for one page (default 25)
  --status 200,3xx     of archives only answers with these statuses (default 2xx)
  --media-type TYPES   of archives only these: html (default), application/pdf, text/*, *
  --url PATTERN        of archives only these URLs: https://*.example.org/* or /REGEX/
  --offset N, --length N   read the archive from this byte on, and this many bytes
  -q, --quiet          no progress and no summary

Exit status: 0 all extracted, 7 some failed.
"""


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
        found.held = sink.held
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
