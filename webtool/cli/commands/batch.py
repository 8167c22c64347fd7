"""Open many pages without asking a host for more than it allows: a list of URLs, or the pages below one.

    batch LIST ...    open every URL. Out: one line of JSON for each. With -o FILE an interrupted run is resumed: URLs
                      with a row in the file are not opened again, except those that failed and may succeed now.
    crawl URL -o DIR  save the pages below a URL as markdown files of a folder. The same command goes on after an
                      interruption; after a whole run it asks for every page again and writes those that changed.
Tests: tests/cli/commands/test_batch.py, tests/cli/commands/test_crawl.py
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from webtool import registry, urls
from webtool.answers import budget, parts
from webtool.bulk import files, site
from webtool.bulk.crawl import Crawl, Manners
from webtool.bulk.folder import MANIFEST, Folder
from webtool.cli import flags, page_options, rows
from webtool.context import Context
from webtool.errors import InvalidArgument, WebtoolError
from webtool.lean.typing import Any
from webtool.output import write_all
from webtool.pages import policy
from webtool.running import threads
from webtool.running.workers import Workers
from webtool.schemas import arguments, surfaces

# Members of web_open that may be given for all pages.
_PAGE_MEMBERS = (
    "mode", "max_bytes", "force_refresh", "timeout_ms", "accept", "use_siteconfig", "siteconfig_id", "query", "find",
    "max_tokens",
)  # fmt: skip
# Fields of Manners, as flags.
_HOST_LIMITS: dict[str, Any] = {
    "concurrency": {"type": "integer", "minimum": 1, "maximum": threads.MAX_THREADS},
    "per_host": {"type": "integer", "minimum": 1, "maximum": threads.MAX_THREADS},
    "delay": {"type": "number", "minimum": 0, "maximum": 300},
    "max_wait": {"type": "number", "minimum": 0, "maximum": 86400},
    "retry": {"type": "integer", "minimum": 0, "maximum": 10},
}
_BATCH_WAIT_HINT = "Run the same command with -o FILE again later, or let it wait longer with --max-wait SECONDS."
_CRAWL_WAIT_HINT = "Run the same command again later, or let it wait longer with --max-wait SECONDS."
_LIST_HINT = "Give a file of URLs, - for stdin, or URLs with their scheme: https://..."
# Status of a crawled page: how the summary names it.
_STATUS_WORDS = {
    "changed": "written", "gone": "gone", "duplicate": "twice on the site", "missing": "missing", "skipped": "skipped",
}  # fmt: skip


def batch(parsed: flags.Words) -> int:
    """Open every URL of a list. Returns 0 if all could be opened, 7 if some failed. Raises WebtoolError."""
    members = arguments.check(batch_parameters(), parsed.members)
    parts.is_asked(members)  # refuses two questions, such as query and find, before any page is opened
    path = parsed.options.get("output", "-")
    manners = _manners_of(members, is_ordered=path == "-", hint=_BATCH_WAIT_HINT)
    if not parsed.plain:
        raise InvalidArgument("batch needs a list of URLs", hint="Give a file, - for stdin, or URLs.")
    listed = _listed(parsed.plain)
    with rows.Sink(path) as sink:
        pending = [url for url in listed if urls.redact(url) not in sink.held]
        failed = sum(urls.redact(url) in sink.failed for url in listed)
        skipped, is_quiet = len(listed) - len(pending), "quiet" in parsed.options
        ctx = _context_of(parsed, members)
        progress = rows.Progress(len(pending), skipped, path, is_quiet=is_quiet, failed_before=failed)
        try:
            return _open_all(ctx, pending, members, manners, sink, progress)
        except KeyboardInterrupt:
            return progress.interrupted()
        finally:
            ctx.close()


def _context_of(parsed: flags.Words, members: dict[str, Any]) -> Context:
    """Return a context for many pages. With header fields (-H) nothing is cached: such pages may be for this caller."""
    settings = flags.settings_of(parsed)
    fields = page_options.headers(parsed.options["header"]) if "header" in parsed.options else ()
    if fields:
        page_options.refuse_rendered(members)
        settings = settings._replace(cache=False)
    ctx = Context(settings, environ=os.environ, workers=Workers())
    ctx.headers, ctx.is_person = fields, True
    return ctx


def _manners_of(members: dict[str, Any], **others: Any) -> Manners:
    """Remove the limits for hosts from the members, and return them. A longer --delay lengthens the wait for it."""
    manners = Manners(**{name: members.pop(name) for name in _HOST_LIMITS if name in members}, **others)
    return manners._replace(max_wait=max(manners.max_wait, manners.delay))


def _listed(words: Iterable[str]) -> list[str]:
    """Return the URLs that the words are, or that the files named by them list, without duplicates."""
    listed: dict[str, None] = {}
    for word in words:
        lines = [word] if "://" in word else files.list_lines(files.read(word, files.MAX_LIST, _LIST_HINT).body)
        listed.update(dict.fromkeys(lines))
    return list(listed)


def batch_parameters() -> dict[str, Any]:
    """Return the schema of the flags of batch: members of web_open for all pages, and limits for hosts."""
    known = registry.load("open").SCHEMA["parameters"]["properties"]
    properties = {name: known[name] for name in _PAGE_MEMBERS}
    return {"type": "object", "properties": {**properties, **_HOST_LIMITS}}


def _open_all(
    ctx: Context,
    pending: list[str],
    members: dict[str, object],
    manners: Manners,
    sink: rows.Sink,
    progress: rows.Progress,
) -> int:
    """Open the pages and write a row for each. Returns the exit status."""

    def open_page(url: str) -> object:
        data = registry.call("open", ctx.derive(), {"url": url, **members}).data
        policy.check_ai_input(ctx, data, str(data["url"]))
        return data

    ctx.client.widen(manners.per_host)
    hosts = [urls.hostname(policy.normalised(url)) for url in pending]
    jobs = Crawl(pending, hosts, open_page, manners, policy.crawl_delay(ctx), on_wait=progress.wait)
    for index, outcome in jobs.outcomes():
        answer = outcome.to_dict() if isinstance(outcome, WebtoolError) else {"success": True, **outcome}  # type: ignore[dict-item]
        # The address is as the list has it, so that a later run recognises it.
        row = {"input": urls.redact(pending[index]), **surfaces.members_of("command", answer)}
        sink.write(row)
        progress.count(row)
    return progress.end()


def crawl_parameters() -> dict[str, Any]:
    """Return the schema of the flags of crawl."""
    known = registry.load("open").SCHEMA["parameters"]["properties"]
    words = {"type": "array", "items": {"type": "string"}}
    properties: dict[str, Any] = {
        "max_pages": {"type": "integer", "minimum": 1, "maximum": 1_000_000},
        "depth": {"type": "integer", "minimum": 0, "maximum": 1000},
        "include": words,
        "exclude": words,
        "mode": {**known["mode"], "enum": [mode for mode in known["mode"]["enum"] if mode != "raw"]},
    }
    return {"type": "object", "properties": {**properties, **_HOST_LIMITS}}


def crawl(parsed: flags.Words) -> int:
    """Save the pages below a URL. Returns 0 if all are saved, 7 if some failed or are left. Raises WebtoolError."""
    members: dict[str, Any] = arguments.check(crawl_parameters(), parsed.members)
    manners = _manners_of(members, is_ordered=False, hint=_CRAWL_WAIT_HINT)
    path = parsed.options.get("output", "")
    if len(parsed.plain) != 1 or path in ("", "-"):
        hint = "Use: webtool crawl URL -o DIR; --help shows the flags."
        raise InvalidArgument("crawl takes one URL and a folder", hint=hint)
    options = site.Options(urls.normalise(parsed.plain[0]), **members)
    folder = Folder(path)
    ctx = _context_of(parsed, members)
    try:
        folder.open()
        ctx.client.widen(manners.per_host)
        return _save(ctx, folder, options, manners, parsed.options)
    finally:
        ctx.close()
        folder.close()


def _save(ctx: Context, folder: Folder, options: site.Options, manners: Any, switches: dict[str, str]) -> int:
    """Run the crawl with a line of progress. Returns the exit status."""
    is_quiet = "quiet" in switches
    # `share` is called when the first row comes: by then there is a site_crawl.
    progress = rows.Progress(0, 0, folder.path, is_quiet=is_quiet, verb="saved", share=lambda: site_crawl.share)
    site_crawl = site.SiteCrawl(ctx, folder, options, manners, progress.wait)
    try:
        for row in site_crawl.rows():
            if row["status"] in ("saved", "failed"):
                progress.count({"input": row["url"], "success": row["status"] == "saved", **row})
        counts = site_crawl.finish()
    except KeyboardInterrupt:
        return progress.interrupted()
    status = progress.end(_summary(site_crawl, counts))
    status = rows.SOME_FAILED if counts["left"] else status
    if "json" in switches:
        note = f"stopped: {site_crawl.stopped_by}" if site_crawl.stopped_by else site_crawl.note
        data = {"success": True, "url": urls.redact(options.url), "folder": folder.path, **counts}
        data.update({"note": note} if note else {})
        write_all(1, budget.encode(data))
    return status


def _summary(crawl: site.SiteCrawl, counts: dict[str, int]) -> str:
    """Return what the run did besides saving: `3 written, 2 skipped; 40 left, listed in ...: --max-pages is 200`."""
    summary = [", ".join(f"{counts[status]:,} {word}" for status, word in _STATUS_WORDS.items() if counts[status])]
    if crawl.endless:
        summary.append(f"{crawl.endless:,} addresses of endless series not followed")
    if counts["left"]:
        summary.append(f"{counts['left']:,} left, listed in {MANIFEST}: {crawl.stopped_by}")
    summary.append(crawl.note)
    return "; ".join(filter(None, summary))
