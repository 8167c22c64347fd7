"""Main content of a page, learned and by rules, with metadata. HTML in, Extraction out. Pure."""

from __future__ import annotations

from webtool.extraction.article import Extraction, extract

__all__ = ["Extraction", "extract"]
