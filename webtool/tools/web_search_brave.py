"""web_search_brave: search with the Brave Search API.

webtool.providers.driver does the search; this module has the schema and the form of the answer.
Tests: tests/tools/test_web_search_brave.py
"""

from __future__ import annotations

from webtool.context import Context, Result
from webtool.lean.typing import Any
from webtool.providers import driver, queries, results

SCHEMA = {
    "name": "web_search_brave",
    "description": "Search the web using Brave Search API and use the results to inform responses. Provides up-to-date"
    " information for current events and recent data. Returns search result information formatted as search result"
    " blocks, including links as markdown hyperlinks.",
    "parameters": {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "The search query to use", "minLength": 2},
            **queries.PROPERTIES,
            "count": {
                "type": "integer",
                "description": "Number of results to return (default: 10)",
                "minimum": 1,
                "maximum": 20,
            },
            "offset": {
                "type": "integer",
                "description": "Pages of count results to skip (default: 0)",
                "minimum": 0,
                "maximum": 9,
            },
            "freshness": {
                "type": "string",
                "description": "Age of the pages: pd (24 hours), pw (7 days), pm (31 days), py (a year),"
                " YYYY-MM-DDtoYYYY-MM-DD, or any (default)",
            },
            "country": {"type": "string", "description": "Country that results come from, such as US or ALL"},
            "search_lang": {"type": "string", "description": "Language of the results, such as en"},
            "ui_lang": {"type": "string", "description": "Language of the answer's own texts, such as en-US"},
            "safesearch": {
                "type": "string",
                "description": "Filter for adult content (default: moderate)",
                "enum": ["off", "moderate", "strict"],
            },
            "extra_snippets": {"type": "boolean", "description": "Up to five more excerpts of each page"},
            "goggles": {"type": "string", "description": "Brave Goggles to rank by: the URL of one, or its rules"},
            "max_tokens": results.MAX_TOKENS_PROPERTY,
        },
        "required": ["query"],
    },
}
# What --schema lists without --full: the arguments that agent hosts give to their own search tool.
HOST_MEMBERS = ("query", "allowed_domains", "blocked_domains")


def run(ctx: Context, *, query: str, count: int = 10, offset: int = 0, max_tokens: int = 0, **options: Any) -> Result:
    """Search and return at most `max_tokens` of the answer, 0 for all. `options`: further properties."""
    answer = driver.search(ctx, "brave", query, count, offset=offset, **options)
    members = results.members(answer, has_extra_snippets=bool(options.get("extra_snippets")))
    return results.fitted(answer, members, max_tokens)
