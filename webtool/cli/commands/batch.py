"""batch: open every URL of a list; one line of JSON for each, and no host is asked more than it likes.

In: the command's words and a file of URLs. Out: NDJSON, and the exit status. With -o FILE a broken-off run is taken up
where it ended: what the file holds is not opened again, except what failed and may succeed another time.
"""

from __future__ import annotations

import os

from webtool import registry, urls
from webtool.bulk import files
from webtool.bulk.crawl import Crawl, Manners
from webtool.bulk.polite import MAX_DELAY
from webtool.cli import flags, page_options, rows
from webtool.context import Context
from webtool.errors import InvalidArgument, InvalidUrl, WebtoolError
from webtool.lean.typing import Any
from webtool.pages import policy
from webtool.running import threads
from webtool.running.workers import Workers
from webtool.schemas import arguments

OPTIONS = {"header": True, "output": True, "quiet": False, "json": False}
_PASSED_ON = ("mode", "max_bytes", "force_refresh", "timeout_ms", "accept", "use_siteconfig", "siteconfig_id")
_HINT = "Give a file of URLs, - for stdin, or URLs with their scheme: https://..."


def main(words: list[str]) -> int:
    """Open the pages; the exit status says whether all could be. Raises WebtoolError."""
    parsed = flags.parse(words, parameters(), OPTIONS)
    members = arguments.check(parameters(), parsed.members)
    path = parsed.options.get("output", "-")
    own: dict[str, Any] = {name: members.pop(name) for name in Manners._fields if name in members}
    manners = Manners(**own, is_ordered=path == "-")
    if not parsed.plain:
        raise InvalidArgument("batch needs a list of URLs", hint="Give a file, - for stdin, or URLs.")
    found: dict[str, None] = {}
    for word in parsed.plain:
        listed = [word] if "://" in word else files.list_lines(files.read(word, files.MAX_LIST, _HINT).body)
        found.update(dict.fromkeys(listed))
    current = flags.settings_of(parsed)
    fields = page_options.headers(parsed.options["header"]) if "header" in parsed.options else ()
    if fields:
        page_options.refuse_rendered(members)
        current = current._replace(cache=False)  # what such a page says is for this call alone
    with rows.Sink(path) as sink:
        left = [url for url in found if urls.redact(url) not in sink.held]
        ctx = Context(current, environ=os.environ, workers=Workers())
        ctx.headers, ctx.is_person = fields, True
        progress = rows.Progress(len(left), len(found) - len(left), path, is_quiet="quiet" in parsed.options)
        try:
            return _run(ctx, left, members, manners, sink, progress)
        finally:
            ctx.close()


def parameters() -> dict[str, Any]:
    """web_open's members that can be the same for all pages, and the number of threads."""
    known = registry.load("open").SCHEMA["parameters"]["properties"]
    properties = {name: known[name] for name in _PASSED_ON}
    properties["concurrency"] = {"type": "integer", "minimum": 1, "maximum": threads.MAX_THREADS}
    properties["per_host"] = {"type": "integer", "minimum": 1, "maximum": threads.MAX_THREADS}
    properties["delay"] = {"type": "number", "minimum": 0, "maximum": MAX_DELAY}
    properties["retry"] = {"type": "integer", "minimum": 0, "maximum": 10}
    return {"type": "object", "properties": properties}


def _run(
    ctx: Context,
    found: list[str],
    members: dict[str, object],
    manners: Manners,
    sink: rows.Sink,
    progress: rows.Progress,
) -> int:
    def work(url: str) -> object:
        data = registry.call("open", ctx.derive(), {"url": url, **members}).data
        policy.require_input(data, str(data["url"]))
        return data

    def delay_of(url: str) -> float:
        address = _address(url)
        return ctx.robots.crawl_delay(address) if ctx.settings.respect_robots and address else 0.0

    ctx.client.widen(manners.per_host)
    jobs = Crawl(found, [urls.hostname(_address(url)) for url in found], work, manners, delay_of)
    for index, outcome in jobs.outcomes():
        said = outcome.to_dict() if isinstance(outcome, WebtoolError) else {"success": True, **outcome}  # type: ignore[dict-item]
        row = {"input": urls.redact(found[index]), **said}  # the URL as the list has it: a later run knows it by that
        sink.write(row)
        progress.count(row)
    return progress.end()


def _address(url: str) -> str:
    """What is opened for a line of the list, "" for what is no URL."""
    try:
        return urls.normalise(url)
    except InvalidUrl:
        return ""
