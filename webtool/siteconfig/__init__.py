"""Site rules: files in which people say where a site has its title, text and next page.

In: a host, rules, a tree. Out: Rules, and the main content that they select. lookup.py finds the files for a host or a
generator, rules.py reads them, apply.py uses them. Most pages have no rules and need lookup.py only. Fetching further
pages is left to webtool.pages.site_rule_pages. Format: the site configuration files of Five Filters' Full-Text RSS.
Tests: tests/siteconfig/test_sites.py
"""

from __future__ import annotations

from webtool.siteconfig.lookup import find

__all__ = ["find"]
