import pytest

from webtool.css.deferred import DeferredRules, SelectorLists
from webtool.css.elements import Positions
from webtool.css.selector_text import split_list
from webtool.html import parse_html
from webtool.html.node import elements

PAGE = "<ul class=menu><li class=item title=x>a<li>b</ul>"
# The list of a rule, and how many elements of PAGE match it.
LISTS = [
    ("li", 2), (".menu > .item, li", 2), ("li:not(.item)", 1), ("[title]", 1), (":is(.item, .other)", 1),
    ("li:hover", 0), ("li:hover, .item", 1), (".item, .2col", 0), (".item, :bogus", 0),
]  # fmt: skip


@pytest.mark.parametrize(("selectors", "count"), LISTS)
def test_deferred_rules_match_unless_their_list_is_invalid(selectors, count):
    positions = Positions()
    rules = DeferredRules(positions, {".menu", ".item", "ul", "li"}, SelectorLists(positions))
    rules.add(split_list(selectors), selectors, {"left": "0"}, set(), ((0,), 1))
    matched = [element for element in elements(parse_html(PAGE)) if rules.matching(element)]
    assert len(matched) == count
