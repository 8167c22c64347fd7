"""Web search. As a library function: `webtool.search("tides", provider="brave")`.

The package is callable, because the function of the library and the package with the engines have one name.
"""

from __future__ import annotations

import sys
from types import ModuleType


class _Search(ModuleType):
    """A package that can be called."""

    def __call__(self, query: str, provider: str = "auto", **members: object) -> dict[str, object]:
        """Search and return the JSON object of the search tools, with `provider` and `more_results_available`.

        `provider` is auto (Brave if it has a key, else DuckDuckGo), brave, google, duckduckgo or searxng; `members` are
        count, allowed_domains, blocked_domains, the options of driver.search, and `settings`. Raises WebtoolError.
        """
        import os

        from webtool.context import open_context
        from webtool.search import driver, listing

        ctx = open_context(os.environ, members.pop("settings", None))  # type: ignore[arg-type]
        try:
            answer = driver.search(ctx, driver.choose(ctx, provider), query, **members)  # type: ignore[arg-type]
        finally:
            ctx.close()
        found = listing.members(answer, has_extra_snippets=bool(members.get("extra_snippets")))
        found.update(provider=answer.provider, more_results_available=answer.more_results_available)
        return found


sys.modules[__name__].__class__ = _Search
