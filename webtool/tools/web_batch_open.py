"""web_batch_open: open several pages at once, within one deadline; results come in the order of the items.

Each item is opened as web_open does it. One that fails is listed in `failed`, the others are not affected. With
max_tokens, only as many items are opened as the answer can hold, and `next_item` says where to go on.
Tests: tests/tools/test_web_batch_open.py
"""

from __future__ import annotations

import itertools
import json
import math
import threading
import time
from collections.abc import Mapping

from webtool import urls
from webtool.answers import budget, parts
from webtool.bulk import crawl
from webtool.context import Context, Result
from webtool.errors import InvalidArgument, WebtoolError
from webtool.pages import policy
from webtool.running.workers import Workers
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
            "max_tokens": {"type": "integer", "minimum": 1, "description": "Shared by the pages; see next_item"},
            "query": {"type": "string", "description": "For every page"},
            "find": {"type": "string"},
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
MAX_ITEMS = 500  # a call with more is refused
MAX_CONCURRENCY = 16  # pages that are opened at the same time, whatever the call asks for
MIN_PAGE_TOKENS = 250  # of a page in an answer: addresses, times, hash, header, frame, and a beginning of its text
_MIN_SECONDS_LEFT = 0.4  # before the deadline of a whole command, in which its answer is put together
_PART_TOKENS = 300  # of each page's answer to query or find, if the call has no max_tokens
_FRAME_TOKENS = 30  # that an MCP answer puts around a page's text


def run(
    ctx: Context,
    *,
    items: list[dict[str, str]],
    concurrency: int = 4,
    max_tokens: int = 0,
    query: str = "",
    find: str = "",
) -> Result:
    """Open the pages. Raises Cancelled and InvalidArgument; a page's failure is a member of the answer.

    Pages are converted in worker processes, as one hostile page could use all time and memory of the others.
    """
    question = {name: value for name, value in (("query", query), ("find", find)) if value}
    parts.is_asked(question)
    if ctx.workers is not None:
        return _opened(ctx, items, concurrency, max_tokens, question)
    workers = Workers()
    try:
        within = ctx.derive(workers=workers, deadline=ctx.deadline - _MIN_SECONDS_LEFT, report=ctx.report)
        return _opened(within, items, concurrency, max_tokens, question)
    finally:
        workers.close()


def _opened(
    ctx: Context, items: list[dict[str, str]], concurrency: int, max_tokens: int, question: Mapping[str, str]
) -> Result:
    """Open the pages in the workers of the context."""
    if len(items) > MAX_ITEMS:
        raise InvalidArgument(f"items has {len(items)} members", hint=f"Give at most {MAX_ITEMS} at once.")
    total = len(items)
    if max_tokens:
        items = items[: max(max_tokens // MIN_PAGE_TOKENS, 1)]
        page_tokens = max(max_tokens // max(len(items), 1), 1)
    else:
        page_tokens = _PART_TOKENS if question else 0  # 0 is unlimited
    done, progress_lock = itertools.count(1), threading.Lock()
    concurrency = max(min(concurrency, MAX_CONCURRENCY), 1)
    assert ctx.workers is not None
    # If pages wait for others, none takes more than half of the time that is left: a few may hang.
    time_share = 0.5 if len(items) > min(concurrency, ctx.workers.count) else 1.0

    def work(item: dict[str, str]) -> object:
        try:
            deadline = time.monotonic() + (ctx.deadline - time.monotonic()) * time_share
            return open_one(ctx, item["url"], item.get("mode", "readable"), page_tokens, deadline, question)
        finally:
            with progress_lock:  # pages end on several threads
                ctx.progress(next(done), len(items), urls.redact(item["url"]))

    # An agent waits for these few pages, so a host is asked for all at once, unless it wants a pause between two.
    manners = crawl.Manners(concurrency, per_host=concurrency, max_wait=math.inf)
    # An address without a host counts as a host of its own, by its number.
    hosts = [urls.hostname(policy.normalised(item["url"])) or number for number, item in enumerate(items)]
    delay_of = policy.crawl_delay(ctx)
    jobs = crawl.Crawl(
        items,
        hosts,
        work,
        manners,
        lambda item: delay_of(item["url"]),
        deadline=ctx.deadline,
        is_cancelled=ctx.is_cancelled,
    )
    outcomes = [
        failure(items[index]["url"], outcome) if isinstance(outcome, WebtoolError) else outcome
        for index, outcome in jobs.outcomes()
    ]
    return _answer(ctx, outcomes, total, max_tokens)  # type: ignore[arg-type]


def _answer(ctx: Context, outcomes: list[dict[str, object]], total: int, max_tokens: int) -> Result:
    """Return as many outcomes as fit, at least one, and the number of the first item that is left."""
    encoded = (json.dumps(outcome, ensure_ascii=False).encode("utf-8", "replace") for outcome in outcomes)
    sizes = (len(data) // budget.BYTES_PER_TOKEN + _FRAME_TOKENS for data in encoded)
    shown = outcomes[: max(budget.count_fitting(sizes, max_tokens), 1)] if max_tokens else outcomes
    opened = [outcome for outcome in shown if "error" not in outcome]
    failed = [outcome for outcome in shown if "error" in outcome]
    ctx.report["status"] = f"{len(opened)} opened, {len(failed)} failed"
    data: dict[str, object] = {"items": opened, "failed": failed}
    if len(shown) < total:
        number = data["next_item"] = len(shown) + 1
        left = f"{total - len(shown)} of {total} items are left, as an answer has {max_tokens} tokens"
        data["note"] = f"{left}: call again with the items from number {number} on"
    texts = [text for text in map(_shown, opened) if text]
    about = [f"{page['url']}: {note}" for page in opened for note in _notes(page)]
    about += [f"failed: {urls.redact(str(entry['url']))}: {entry['error']}" for entry in failed]
    return Result("\n\n".join(texts), data, "\n".join(about))


def _notes(page: Mapping[str, object]) -> list[str]:
    """Return what webtool says of a page: ["no line matches"]."""
    no_match = ["no line matches"] if page.get("total_matches") == 0 else []
    return [*no_match, *([" ".join(str(page["note"]).split())] if page.get("note") else [])]


def _shown(page: dict[str, object]) -> str:
    """Return a page for a reader: its markdown, or its URL and raw text or part; "" if no line matches."""
    markdown = str(page.get("markdown", ""))
    if markdown.startswith("---\n"):
        return markdown
    matches: list[dict[str, object]] = page.get("matches", [])  # type: ignore[assignment]
    matching_lines = "\n\n".join(f"line {match['line']}:\n{match['text']}" for match in matches)
    text = markdown or str(page.get("raw", "")) or matching_lines
    return "" if page.get("total_matches") == 0 else f"{page['url']}\n{text}"


def open_one(
    ctx: Context, url: str, mode: str, max_tokens: int, deadline: float, question: Mapping[str, object]
) -> dict[str, object]:
    """Open one page by the deadline, and within the setting of that name. Raises WebtoolError."""
    page_ctx = ctx.derive(deadline=min(deadline, time.monotonic() + ctx.settings.deadline))
    data = web_open.run(page_ctx, url=url, mode=mode, max_tokens=max_tokens, **question).data  # type: ignore[arg-type]
    policy.check_ai_input(ctx, data, str(data["url"]))
    return data


def failure(url: str, error: WebtoolError) -> dict[str, object]:
    """Return the error object of a failed page, with its URL."""
    members = error.to_dict()
    del members["success"]
    return {**members, "url": urls.redact(url)}
