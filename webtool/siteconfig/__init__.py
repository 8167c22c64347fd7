"""Site rules: where a site keeps title, text and next page, written by people. In: rules, a tree. Out: the kept body.

rules.py reads a file, lookup.py finds it by host or generator, apply.py uses it. Format: the site configuration
files of Five Filters' Full-Text RSS.
"""

from __future__ import annotations

from webtool.siteconfig.apply import Applied, apply, replaced
from webtool.siteconfig.lookup import find
from webtool.siteconfig.rules import Rules, parse

__all__ = ["Applied", "Rules", "apply", "find", "parse", "replaced"]
