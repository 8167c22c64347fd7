"""Find the main content of a page, with its title, author, date and site.

In: HTML or a tree, and the page's URL. Out: Extraction. Pure: no network, no cache.
article.py makes attempts: the learned model first, then classical scoring, then all visible text.
The folders: page/ cuts the tree into blocks, model/ gives each block a probability, rules/ corrects the choice,
metadata/ reads what the page says about itself, output/ writes the kept blocks and lists what was left out. labels/ has
the words in human languages that they look for.
Left to others: which elements are hidden (webtool.visibility) and how markdown is written (webtool.markdown).
Tests: tests/extraction/test_article.py
"""

from __future__ import annotations

from webtool.extraction.article import Extraction, extract, trace

__all__ = ["Extraction", "extract", "trace"]
