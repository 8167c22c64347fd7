"""web_verify: check whether a page has a quote. The page is a URL, or the hash of a stored page.

answers.question.quotes decides. A URL is opened as web_fetch opens it (mode full), so a page that was fetched within
the last 15 minutes is not fetched again.

Tests: tests/cli/test_people.py
"""

from __future__ import annotations

from webtool import pages
from webtool.cache import freshness
from webtool.context import Context, Result
from webtool.pages import in_worker
from webtool.tools.cache_get import find

SCHEMA = {
    "name": "web_verify",
    "description": "Check whether a page has a quote: verbatim, normalised or absent.",
    "parameters": {
        "type": "object",
        "properties": {
            "quote": {"type": "string", "description": "The words that the page is said to have"},
            "page": {"type": "string", "description": "Its URL, or the hash of a stored page"},
        },
        "required": ["quote", "page"],
    },
}
FILE_MEMBER = "page"
_HEXADECIMAL = frozenset("0123456789abcdefABCDEF")
_MIN_DIGITS = 6  # a shorter word of hexadecimal digits is taken for a host name


def run(ctx: Context, *, quote: str, page: str) -> Result:
    """Look for the quote in the page. Raises WebtoolError."""
    if ctx.local is None and len(page) >= _MIN_DIGITS and _HEXADECIMAL.issuperset(page):
        snapshot = find(ctx.require_cache(), page)
    else:
        snapshot = pages.open_page(ctx, pages.PageRequest(page, accept_age=freshness.TTL_PARTS)).snapshot
    part = in_worker.give_part(ctx, snapshot.markdown or snapshot.text or "", {"verify": quote})
    source = {"hash": snapshot.hash, "fetched_at": snapshot.fetched_at, "url": snapshot.final_url}
    source_line = f"{snapshot.final_url} of {snapshot.fetched_at}, {snapshot.hash[:12]}".rstrip(", ")
    return Result(f"{part.text}\n{source_line}", {**part.members, **source})
