"""web_batch_open: several pages at once, within one deadline, in the order given.

Each item is a web_open; one that fails is reported beside the others.
"""

from __future__ import annotations

import threading
import time

from webtool import parallel, urls
from webtool.context import Context, Result
from webtool.errors import InvalidArgument, WebtoolError
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
                "description": "Shared by the pages; for the rest of one, web_open",
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
    },
    "required": ["items", "failed"],
}
MAX_ITEMS = 500
MAX_CONCURRENCY = 16
ITEM_SECONDS = 20.0


def run(ctx: Context, *, items: list[dict[str, str]], concurrency: int = 4, max_tokens: int = 0) -> Result:
    """Open the pages. Raises Cancelled and InvalidArgument; what fails for one page is a member of the answer."""
    if len(items) > MAX_ITEMS:
        raise InvalidArgument(f"items has {len(items)} members", hint=f"Give at most {MAX_ITEMS} at once.")
    share = max(max_tokens // max(len(items), 1), 1) if max_tokens else 0
    opened: list[dict[str, object]] = []
    failed: list[dict[str, object]] = []
    counter = _Counter(ctx, len(items))

    def work(item: object) -> object:
        member: dict[str, str] = item  # type: ignore[assignment]
        try:
            return open_one(ctx, member["url"], member.get("mode", "readable"), share)
        finally:
            counter.step(member["url"])

    jobs = parallel.Jobs(
        items, work, min(concurrency, MAX_CONCURRENCY), deadline=ctx.deadline, is_cancelled=ctx.is_cancelled
    )
    for index, outcome in jobs.in_order():
        if isinstance(outcome, WebtoolError):
            failed.append(failure(items[index]["url"], outcome))
        else:
            opened.append(outcome)  # type: ignore[arg-type]
    ctx.report["status"] = f"{len(opened)} opened, {len(failed)} failed"
    return Result(_text(opened, failed), {"items": opened, "failed": failed})


def open_one(ctx: Context, url: str, mode: str, max_tokens: int) -> dict[str, object]:
    """One page, within its own time and that of the whole batch."""
    alone = ctx.derive(deadline=min(ctx.deadline, time.monotonic() + ITEM_SECONDS))
    return web_open.run(alone, url=url, mode=mode, max_tokens=max_tokens).data


def failure(url: str, error: WebtoolError) -> dict[str, object]:
    """The failed page's URL and its error object."""
    members = error.to_dict()
    del members["success"]
    return {**members, "url": urls.redact(url)}


class _Counter:
    """Tells the progress of the batch; pages end on several threads."""

    def __init__(self, ctx: Context, total: int) -> None:
        self._ctx = ctx
        self._total = total
        self._done = 0
        self._lock = threading.Lock()

    def step(self, url: str) -> None:
        with self._lock:
            self._done += 1
            self._ctx.progress(self._done, self._total, urls.redact(url))


def _text(opened: list[dict[str, object]], failed: list[dict[str, object]]) -> str:
    parts = [str(page.get("markdown", page.get("raw", ""))) for page in opened]
    parts += [f"failed: {entry['url']}: {entry['error']}" for entry in failed]
    return "\n\n".join(parts)
