"""Run some rows of the rule table on a page whose blocks a test chose itself."""

from webtool.extraction.page.head import Head
from webtool.extraction.rules import table
from webtool.extraction.rules.choice import Choice

NAMES = [rule.name for rule in table.TABLE]


def run_rows(first, last, page, keep, about=None, titles=(), meta=None, address="", chances=()):
    """Run the rows from `first` to `last`, both by name; they change `keep`. `about` is a Head; `meta` adds to it."""
    about = about or Head()
    about.title, about.meta["og:title"] = (*titles, "", "")[:2] if titles else about.titles
    about.meta.update(meta or {})
    choice = Choice(page, about, address, keep, chances)
    table.run(choice, rules=table.TABLE[NAMES.index(first) : NAMES.index(last) + 1])
    return choice
