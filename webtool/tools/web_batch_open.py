"""web_batch_open: several pages at once, within one deadline, in the order given.

Each item is a web_open; one that fails is reported beside the others. Where the answer has a limit, as many items are
opened as it holds, and it says which is the next.
"""

from __future__ import annotations

import itertools
import json
import threading
import time

from webtool import urls
from webtool.answers import budget
from webtool.bulk import crawl
from webtool.context import Context, Result
from webtool.errors import InvalidArgument, WebtoolError
from webtool.pages import policy
from webtool.tools import web_open

TITLE = "Open several pages"
ANNOTATIONS = web_open.ANNOTATIONS
SCHEMA = {
    "name": "web_batch_open",
    "description": "Open several pages at once, as web_open does; results in input order, failures apart.",
    "parameters": {
        "type": "object",
        "properties": {
            "items": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"url": {"type": "string"}, "mode": web_open.MODE},
                    "required": ["url"],
                },
            },
            "concurrency": {"type": "integer", "default": 4, "minimum": 1},
            "max_tokens": {
                "type": "integer",
                "minimum": 1,
                "description": "Shared by the pages; see next_offset, next_item",
            },
        },
        "required": ["items"],
    },
}
OUTPUT_SCHEMA = {
    "type": "object",
    "properties": {
        "items": {"type": "array", "items": {"type": "object", "description": "as web_open's result"}},
        "failed": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"url": {"type": "string"}, "error": {"type": "string"}},
                "required": ["url", "error"],
            },
        },
        "next_item": {"type": "integer"},
    },
    "required": ["items", "failed"],
}
MAX_ITEMS = 500
MAX_CONCURRENCY = 16
PAGE_TOKENS = 250
"""The least that a page of the answer takes: addresses, times, hash, header block, frame, and a beginning."""
_FRAME_TOKENS = 30  # what an MCP answer puts around a page's text


def run(ctx: Context, *, items: list[dict[str, str]], concurrency: int = 4, max_tokens: int = 0) -> Result:
    """Open the pages. Raises Cancelled and InvalidArgument; what fails for one page is a member of the answer."""
    if len(items) > MAX_ITEMS:
        raise InvalidArgument(f"items has {len(items)} members", hint=f"Give at most {MAX_ITEMS} at once.")
    total = len(items)
    if max_tokens:
        items = items[: max(max_tokens // PAGE_TOKENS, 1)]
    share = max(max_tokens // max(len(items), 1), 1) if max_tokens else 0
    done, telling = itertools.count(1), threading.Lock()

    def work(item: dict[str, str]) -> object:
        try:
            return open_one(ctx, item["url"], item.get("mode", "readable"), share)
        finally:
            with telling:  # pages end on several threads
                ctx.progress(next(done), len(items), urls.redact(item["url"]))

    # An agent waits for these few: no page waits for another of its host.
    manners = crawl.Manners(max(min(concurrency, MAX_CONCURRENCY), 1))
    apart = range(len(items))
    jobs = crawl.Crawl(items, apart, work, manners, deadline=ctx.deadline, is_cancelled=ctx.is_cancelled)
    outcomes = [
        failure(items[index]["url"], outcome) if isinstance(outcome, WebtoolError) else outcome
        for index, outcome in jobs.outcomes()
    ]
    return _answer(ctx, outcomes, total, max_tokens)  # type: ignore[arg-type]


def _answer(ctx: Context, outcomes: list[dict[str, object]], total: int, max_tokens: int) -> Result:
    written = (json.dumps(outcome, ensure_ascii=False).encode("utf-8", "replace") for outcome in outcomes)
    sizes = (len(one) // budget.BYTES_PER_TOKEN + _FRAME_TOKENS for one in written)
    shown = outcomes[: max(budget.count_fitting(sizes, max_tokens), 1)] if max_tokens else outcomes
    opened = [outcome for outcome in shown if "error" not in outcome]
    failed = [outcome for outcome in shown if "error" in outcome]
    ctx.report["status"] = f"{len(opened)} opened, {len(failed)} failed"
    data: dict[str, object] = {"items": opened, "failed": failed}
    if len(shown) < total:
        number = data["next_item"] = len(shown) + 1
        left = f"{total - len(shown)} of {total} items are left, as an answer has {max_tokens} tokens"
        data["note"] = f"{left}: call again with the items from number {number} on"
    parts = [str(page.get("markdown", page.get("raw", ""))) for page in opened]
    parts += [f"failed: {entry['url']}: {entry['error']}" for entry in failed]
    return Result("\n\n".join(parts), data)


def open_one(ctx: Context, url: str, mode: str, max_tokens: int) -> dict[str, object]:
    """One page, within its own time and that of the whole batch."""
    alone = ctx.derive(deadline=min(ctx.deadline, time.monotonic() + ctx.settings.deadline))
    data = web_open.run(alone, url=url, mode=mode, max_tokens=max_tokens).data
    policy.require_input(data, str(data["url"]))
    return data


def failure(url: str, error: WebtoolError) -> dict[str, object]:
    """The failed page's URL and its error object."""
    members = error.to_dict()
    del members["success"]
    return {**members, "url": urls.redact(url)}
