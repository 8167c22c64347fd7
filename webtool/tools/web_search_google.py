"""web_search_google: search with Google's Custom Search JSON API, or with Vertex AI Search.

Vertex AI Search is asked if the engine id names a serving config (webtool.providers.google).
webtool.providers.driver does the search; this module has the schema and the form of the answer.
Tests: tests/tools/test_web_search_google.py
"""

from __future__ import annotations

from webtool.context import Context, Result
from webtool.lean.typing import Any
from webtool.providers import driver, queries, results

SCHEMA = {
    "name": "web_search_google",
    "description": "Search the web using Google Custom Search API and use the results to inform responses. Provides"
    " up-to-date information for current events and recent data. Returns search result information formatted as search"
    " result blocks, including links as markdown hyperlinks.",
    "parameters": {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "The search query to use", "minLength": 2},
            **queries.PROPERTIES,
            "num": {
                "type": "integer",
                "description": "Number of results to return (default: 10)",
                "minimum": 1,
                "maximum": 10,
            },
            "start": {
                "type": "integer",
                "description": "Number of the first result, from 1 (default: 1)",
                "minimum": 1,
                "maximum": 91,
            },
            "max_tokens": results.MAX_TOKENS_PROPERTY,
        },
        "required": ["query"],
    },
}
# What --schema lists without --full: the arguments that agent hosts give to their own search tool.
HOST_MEMBERS = ("query", "allowed_domains", "blocked_domains")


def run(ctx: Context, *, query: str, num: int = 10, start: int = 1, max_tokens: int = 0, **options: Any) -> Result:
    """Search and return at most `max_tokens` of the answer, 0 for all. `options`: allowed_domains, blocked_domains."""
    answer = driver.search(ctx, "google", query, num, start=start, **options)
    return results.fitted(answer, results.members(answer), max_tokens)
