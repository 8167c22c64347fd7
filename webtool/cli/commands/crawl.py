"""crawl URL -o DIR: save the pages below a URL as markdown files, without asking a host for more than it allows.

In: the command's words. Out: files in the folder, with --json an object on stdout, and the exit status. The same
command goes on after an interruption; after a whole run it asks for every page again and writes those that changed.
Tests: tests/cli/commands/test_crawl.py
"""

from __future__ import annotations

from webtool import registry, urls
from webtool.answers import budget
from webtool.bulk import site
from webtool.bulk.folder import MANIFEST, Folder
from webtool.cli import flags, rows
from webtool.cli.commands import batch
from webtool.context import Context
from webtool.errors import InvalidArgument
from webtool.lean.typing import Any
from webtool.output import write_all
from webtool.schemas import arguments

OPTIONS = {"header": True, "output": True, "quiet": False, "json": False}
_LISTED = {"type": "array", "items": {"type": "string"}}
_USAGE = "Use: webtool crawl URL -o DIR; --help shows the flags."
# Status: how the summary names it.
_NAMED = {
    "changed": "written",
    "gone": "gone",
    "duplicate": "twice on the site",
    "missing": "missing",
    "skipped": "skipped",
}
_WAIT_HINT = "Run the same command again later, or let it wait longer with --max-wait SECONDS."


def parameters() -> dict[str, Any]:
    """Return the schema of the flags."""
    known = registry.load("open").SCHEMA["parameters"]["properties"]
    properties: dict[str, Any] = {
        "max_pages": {"type": "integer", "minimum": 1, "maximum": 1_000_000},
        "depth": {"type": "integer", "minimum": 0, "maximum": 1000},
        "include": _LISTED,
        "exclude": _LISTED,
        "mode": {**known["mode"], "enum": [mode for mode in known["mode"]["enum"] if mode != "raw"]},
    }
    return {"type": "object", "properties": {**properties, **batch.HOST_LIMITS}}


def main(words: list[str]) -> int:
    """Save the pages. Returns 0 if all could be saved, 7 if some failed or are left. Raises WebtoolError."""
    parsed = flags.parse(words, parameters(), OPTIONS)
    members: dict[str, Any] = arguments.check(parameters(), parsed.members)
    manners = batch.manners_of(members, is_ordered=False, hint=_WAIT_HINT)
    path = parsed.options.get("output", "")
    if len(parsed.plain) != 1 or path in ("", "-"):
        raise InvalidArgument("crawl takes one URL and a folder", hint=_USAGE)
    options = site.Options(urls.normalise(parsed.plain[0]), **members)
    folder = Folder(path)
    ctx = batch.context_of(parsed, members)
    try:
        folder.open()
        ctx.client.widen(manners.per_host)
        return _save(ctx, folder, options, manners, parsed.options)
    finally:
        ctx.close()
        folder.close()


def _save(ctx: Context, folder: Folder, options: site.Options, manners: Any, switches: dict[str, str]) -> int:
    """Run the crawl with a line of progress. Returns the exit status."""
    progress = rows.Progress(0, 0, folder.path, is_quiet="quiet" in switches, verb="saved", share=lambda: crawl.share)
    crawl = site.SiteCrawl(ctx, folder, options, manners, progress.wait)
    try:
        for row in crawl.rows():
            if row["status"] in ("saved", "failed"):
                progress.count({"input": row["url"], "success": row["status"] == "saved", **row})
        counts = crawl.finish()
    except KeyboardInterrupt:
        return progress.interrupted()
    status = progress.end(_summary(crawl, counts))
    status = rows.SOME_FAILED if counts["left"] else status
    if "json" in switches:
        stop = {"note": f"stopped: {crawl.stopped_by}"} if crawl.stopped_by else {}
        write_all(
            1,
            budget.encode({"success": True, "url": urls.redact(options.url), "folder": folder.path, **counts, **stop}),
        )
    return status


def _summary(crawl: site.SiteCrawl, counts: dict[str, int]) -> str:
    """Return what the run did besides saving: `3 changed, 2 skipped; 40 left: --max-pages is 200`."""
    parts = [", ".join(f"{counts[name]:,} {word}" for name, word in _NAMED.items() if counts[name])]
    if crawl.endless:
        parts.append(f"{crawl.endless:,} addresses of endless series not followed")
    if counts["left"]:
        parts.append(f"{counts['left']:,} left, listed in {MANIFEST}: {crawl.stopped_by}")
    return "; ".join(filter(None, parts))
