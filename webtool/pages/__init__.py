"""Pages: what web_fetch, web_open and the batch open. `open_page(ctx, Wanted(url, ...))` is all that tools need."""

from __future__ import annotations

from webtool.pages.opening import open_page
from webtool.pages.request import MODES, Page, Wanted

__all__ = ["MODES", "Page", "Wanted", "open_page"]
