"""Find the main content of a page and its metadata. In: HTML. Out: Extraction. Pure.

page/ cuts the tree into blocks, model/ gives each block a probability, rules/ correct the choice, metadata/ reads
title, author and dates, output/ writes the chosen blocks. labels/ has the words in human languages that they look for.
"""

from __future__ import annotations

from webtool.extraction.article import Extraction, extract

__all__ = ["Extraction", "extract"]
