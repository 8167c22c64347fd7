"""web_verify: check whether a page has a quote. The page is a URL, or the hash of a stored page.

answers.question.quotes decides. A URL is opened as web_fetch opens it (mode full), so a page that was fetched within
the last 15 minutes is not fetched again.
Tests: tests/cli/test_people.py
"""

from __future__ import annotations

import os

from webtool import pages
from webtool.cache import freshness
from webtool.context import Context, Result, add_notes
from webtool.pages import answer, citation, in_worker
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
_MIN_SURE_HASH = 12  # hexadecimal digits; such a word is a page's hash, also in the place of the quote
_MIN_HASH = 6  # hexadecimal digits; in the place of the page, a shorter word is a host name: cafe
_HEXADECIMAL = frozenset("0123456789abcdefABCDEF")


def run(ctx: Context, *, quote: str, page: str) -> Result:
    """Look for the quote in the page. Raises WebtoolError."""
    snapshot = open_named(ctx, page).snapshot
    choice = answer.read_choice({"verify": quote})
    whole = answer.whole_text(ctx, snapshot, choice)
    part = in_worker.give_part(ctx, snapshot.markdown or snapshot.text or "", choice.part, whole=whole)
    source = {"hash": snapshot.hash, "fetched_at": snapshot.fetched_at, "url": snapshot.final_url}
    source_line = f"{snapshot.final_url} of {snapshot.fetched_at}, {snapshot.hash[:12]}".rstrip(", ")
    cited, notes = ({}, []) if part.is_missed else citation.members(ctx, snapshot, quote)
    result = Result(part.text, {**part.members, **source, **cited}, f"{part.about}\n{source_line}")
    add_notes(result.data, notes)
    return result


def open_named(ctx: Context, page: str) -> pages.Page:
    """Return the page that a word names: the file at hand, a stored page by its hash, or a URL. Raises WebtoolError."""
    if ctx.local is None and len(page) >= _MIN_HASH and _HEXADECIMAL.issuperset(page):
        return pages.Page(find(ctx.require_cache(), page))
    return pages.open_page(ctx, pages.PageRequest(page, accept_age=freshness.TTL_PARTS))


def arrange_words(words: list[str]) -> list[str]:
    """Return quote and page in this order, whichever comes first; the first is the quote if in doubt."""
    if len(words) == 2 and _is_page(words[0]) and not _is_page(words[1]):
        return words[::-1]
    return words


def _is_page(word: str) -> bool:
    """Whether a word is a URL with a scheme, an existing file, or a hash."""
    scheme, separator, _ = word.partition("://")
    if separator and scheme.isalnum():
        return True
    return (len(word) >= _MIN_SURE_HASH and _HEXADECIMAL.issuperset(word)) or os.path.isfile(os.path.expanduser(word))


def prepare_command(
    _options: dict[str, str], members: dict[str, object]
) -> tuple[dict[str, object], dict[str, object]]:
    """Return the members, with a single word that is a page as `page`, so that the quote is what is missing."""
    quote = members.get("quote")
    if isinstance(quote, str) and "page" not in members and _is_page(quote):
        members = {"page": quote}
    return members, {}
