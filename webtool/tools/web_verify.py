"""web_verify: whether a page says what is quoted from it. The page is a URL, or the hash of a stored one.

answers.quotes decides; the page is what web_fetch gives, so that one fetched before is not asked for again.
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
_LEAST_DIGITS = 6


def run(ctx: Context, *, quote: str, page: str) -> Result:
    """Look the quote up. Raises WebtoolError."""
    if ctx.local is None and len(page) >= _LEAST_DIGITS and _HEXADECIMAL.issuperset(page):
        snapshot = find(ctx.require_cache(), page)
    else:
        snapshot = pages.open_page(ctx, pages.Wanted(page, accept_age=freshness.TTL_PARTS)).snapshot
    given = in_worker.part(ctx, snapshot.markdown or snapshot.text or "", {"verify": quote})
    about = {"hash": snapshot.hash, "fetched_at": snapshot.fetched_at, "url": snapshot.final_url}
    shown = f"{given.text}\n{snapshot.final_url} of {snapshot.fetched_at}, {snapshot.hash[:12]}".rstrip(", ")
    return Result(shown, {**given.members, **about})
