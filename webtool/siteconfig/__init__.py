"""Site rules: where a site keeps title, text and next page, written by people. In: rules, a tree. Out: the kept body.

lookup.py finds a file by host or generator, rules.py reads it, apply.py uses it: most pages have none, and need only
the first. Format: the site configuration
files of Five Filters' Full-Text RSS.
"""

from __future__ import annotations

from webtool.siteconfig.lookup import find

__all__ = ["find"]
