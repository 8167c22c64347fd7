"""batch: open every URL of a list, without asking a host for more than it allows.

In: the command's words and a list of URLs. Out: one line of JSON for each URL, and the exit status. With -o FILE an
interrupted run is resumed: URLs that the file answers are not opened again, except failures that may succeed now.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from webtool import registry, urls
from webtool.answers import parts
from webtool.bulk import files
from webtool.bulk.crawl import Crawl, Manners
from webtool.bulk.polite import MAX_DELAY
from webtool.cli import flags, page_options, rows
from webtool.context import Context
from webtool.errors import InvalidArgument, WebtoolError
from webtool.lean.typing import Any
from webtool.pages import policy
from webtool.running import threads
from webtool.running.workers import Workers
from webtool.schemas import arguments, surfaces

OPTIONS = {"header": True, "output": True, "quiet": False, "json": False}
# Members of web_open that may be given for all pages.
_PAGE_MEMBERS = (
    "mode", "max_bytes", "force_refresh", "timeout_ms", "accept", "use_siteconfig", "siteconfig_id", "query", "find",
    "max_tokens",
)  # fmt: skip
# Fields of Manners, as flags.
HOST_LIMITS: dict[str, Any] = {
    "concurrency": {"type": "integer", "minimum": 1, "maximum": threads.MAX_THREADS},
    "per_host": {"type": "integer", "minimum": 1, "maximum": threads.MAX_THREADS},
    "delay": {"type": "number", "minimum": 0, "maximum": MAX_DELAY},
    "max_wait": {"type": "number", "minimum": 0, "maximum": 86400},
    "retry": {"type": "integer", "minimum": 0, "maximum": 10},
}
_WAIT_HINT = "Run the same command with -o FILE again later, or let it wait longer with --max-wait SECONDS."
_HINT = "Give a file of URLs, - for stdin, or URLs with their scheme: https://..."


def main(words: list[str]) -> int:
    """Open the pages. Returns 0 if all could be opened, 7 if some failed. Raises WebtoolError."""
    parsed = flags.parse(words, parameters(), OPTIONS)
    members = arguments.check(parameters(), parsed.members)
    parts.is_asked(members)
    path = parsed.options.get("output", "-")
    manners = manners_of(members, is_ordered=path == "-", hint=_WAIT_HINT)
    if not parsed.plain:
        raise InvalidArgument("batch needs a list of URLs", hint="Give a file, - for stdin, or URLs.")
    listed = _listed(parsed.plain)
    with rows.Sink(path) as sink:
        pending = [url for url in listed if urls.redact(url) not in sink.held]
        ctx = context_of(parsed, members)
        progress = rows.Progress(
            len(pending),
            len(listed) - len(pending),
            path,
            is_quiet="quiet" in parsed.options,
            failed_before=sum(urls.redact(url) in sink.failed for url in listed),
        )
        try:
            return _open_all(ctx, pending, members, manners, sink, progress)
        except KeyboardInterrupt:
            return progress.interrupted()
        finally:
            ctx.close()


def context_of(parsed: flags.Words, members: dict[str, Any]) -> Context:
    """Return a context for many pages. With header fields (-H) nothing is cached: such pages may be for this caller."""
    settings = flags.settings_of(parsed)
    fields = page_options.headers(parsed.options["header"]) if "header" in parsed.options else ()
    if fields:
        page_options.refuse_rendered(members)
        settings = settings._replace(cache=False)
    ctx = Context(settings, environ=os.environ, workers=Workers())
    ctx.headers, ctx.is_person = fields, True
    return ctx


def manners_of(members: dict[str, Any], **others: Any) -> Manners:
    """Remove the limits for hosts from the members, and return them."""
    manners = Manners(**{name: members.pop(name) for name in HOST_LIMITS if name in members}, **others)
    return manners._replace(max_wait=max(manners.max_wait, manners.delay))


def _listed(words: Iterable[str]) -> list[str]:
    """Return the URLs that the words are, or that the files named by them list, without duplicates."""
    listed: dict[str, None] = {}
    for word in words:
        lines = [word] if "://" in word else files.list_lines(files.read(word, files.MAX_LIST, _HINT).body)
        listed.update(dict.fromkeys(lines))
    return list(listed)


def parameters() -> dict[str, Any]:
    """Return the schema of the flags: members of web_open for all pages, and limits for hosts."""
    known = registry.load("open").SCHEMA["parameters"]["properties"]
    properties = {name: known[name] for name in _PAGE_MEMBERS}
    return {"type": "object", "properties": {**properties, **HOST_LIMITS}}


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
        policy.require_input(ctx, data, str(data["url"]))
        return data

    ctx.client.widen(manners.per_host)
    hosts = [urls.hostname(policy.address(url)) for url in pending]
    crawl = Crawl(pending, hosts, open_page, manners, policy.crawl_delay(ctx), on_wait=progress.wait)
    for index, outcome in crawl.outcomes():
        answer = outcome.to_dict() if isinstance(outcome, WebtoolError) else {"success": True, **outcome}  # type: ignore[dict-item]
        row = {
            "input": urls.redact(pending[index]),
            **surfaces.members_of("command", answer),
        }  # as the list has it, so that a later run recognises it
        sink.write(row)
        progress.count(row)
    return progress.end()
