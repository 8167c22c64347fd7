"""Open pages: a URL in, a snapshot out. `open_page(ctx, PageRequest(url, ...))` is all that most tools need.

opening.py asks the cache, then the server or a browser; conversion.py makes text of a body; answer.py makes the answer
of a tool out of a page. How a body is fetched is left to webtool.net, how it is read to html, documents and extraction.
Tests: tests/pages/test_opening.py
"""

from __future__ import annotations

from webtool.pages.opening import open_page
from webtool.pages.request import MODES, Page, PageRequest

__all__ = ["MODES", "Page", "PageRequest", "open_page"]
