"""web_search_duckduckgo: search with DuckDuckGo's page for browsers without scripts; needs no key.

webtool.providers.driver does the search; this module has the schema and the form of the answer. The answer repeats the
query, and so do errors (registry.ERROR_MEMBERS).
Tests: tests/tools/test_web_search_duckduckgo.py
"""

from __future__ import annotations

from webtool.context import Context, Result
from webtool.lean.typing import Any
from webtool.providers import driver, queries, results

SCHEMA = {
    "name": "web_search_duckduckgo",
    "description": "A standard web search tool that provides access to web search capabilities without requiring API"
    " keys. It uses DuckDuckGo's search service to retrieve relevant web results.",
    "parameters": {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "The search query to execute"},
            "max_results": {
                "type": "integer",
                "description": "Maximum number of results to return (default: 5, max: 10)",
                "minimum": 1,
                "maximum": 10,
            },
            **queries.PROPERTIES,
            "max_tokens": results.MAX_TOKENS_PROPERTY,
        },
        "required": ["query"],
    },
}
# What --schema lists without --full: the arguments that agent hosts give to their own search tool.
HOST_MEMBERS = ("query", "max_results")
CLAMPED = ("max_results",)
_MAX_RESULTS = 10


def run(ctx: Context, *, query: str, max_results: int = 5, max_tokens: int = 0, **options: Any) -> Result:
    """Search and return at most `max_tokens` of the answer, 0 for all. `options`: allowed_domains, blocked_domains."""
    answer = driver.search(ctx, "duckduckgo", query, max(1, min(max_results, _MAX_RESULTS)), **options)
    members = {"success": True, "query": query, **results.members(answer)}
    return results.fitted(answer, members, max_tokens)
