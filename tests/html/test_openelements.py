"""Search and pop the stack of open elements. HTML Standard, 13.2.4.2 and 13.2.6.3."""

import pathlib

import pytest

from webtool.html import elements
from webtool.html.elements import BUTTON_SCOPE, DEFAULT_SCOPE, LIST_ITEM_SCOPE, TABLE_SCOPE, role_of
from webtool.html.insertion import MAX_SEARCH, OpenElements, last_index
from webtool.html.node import Document, Element


def make_stack(names):
    elements = OpenElements(Document())
    for name in names.split():
        namespace, _, tag = name.rpartition(":")
        elements.stack.append(Element(tag, None, namespace or "html"))
        elements.seen.add(tag)
        elements.open_p += name == "p"
    return elements


# Open elements, the name to search for, the scope, whether it is in scope.
SCOPES = [
    ("html body p span", "p", BUTTON_SCOPE, True),
    ("html body p button span", "p", BUTTON_SCOPE, False),
    ("html body p button span", "p", DEFAULT_SCOPE, True),
    ("html body p select", "p", DEFAULT_SCOPE, False),
    ("html body p object", "p", DEFAULT_SCOPE, False),
    ("html body li ul", "li", LIST_ITEM_SCOPE, False),
    ("html body li ul", "li", DEFAULT_SCOPE, True),
    ("html body table tbody tr td div", "td", TABLE_SCOPE, True),
    ("html body table td table", "td", TABLE_SCOPE, False),
    ("html body td select p", "td", TABLE_SCOPE, True),
    ("html body p svg:svg", "p", DEFAULT_SCOPE, True),
    ("html body p svg:desc", "p", DEFAULT_SCOPE, False),
    ("html body p desc", "p", DEFAULT_SCOPE, True),
    ("html body p math:mi", "p", DEFAULT_SCOPE, False),
    ("html body td math:mi", "td", TABLE_SCOPE, True),
    ("html body svg:p", "p", DEFAULT_SCOPE, False),
    ("html body table", "table", TABLE_SCOPE, True),
    ("html template p", "body", DEFAULT_SCOPE, False),
    ("html body", "never", DEFAULT_SCOPE, False),
]


@pytest.mark.parametrize(("names", "name", "scope", "is_in_scope"), SCOPES)
def test_search_ends_at_the_scope(names, name, scope, is_in_scope):
    elements = make_stack(names)
    assert elements.has_in_scope(name, scope) is is_in_scope
    matches = [node for node in elements.stack if node.tag == name and node.namespace == "html"]
    assert any(elements.is_in_scope(node, scope) for node in matches) is is_in_scope


@pytest.mark.parametrize(
    ("names", "but", "left"),
    [
        ("html body li p", "", "body"),
        ("html body li p", "li", "li"),
        ("html body div rt rp", "", "div"),
        ("html body option span", "", "span"),
        ("html body td dd", "", "td"),
        ("html body svg:rt", "", "rt"),
    ],
)
def test_elements_with_implied_end_tags_are_popped(names, but, left):
    elements = make_stack(names)
    elements.generate_implied_end_tags(but)
    assert elements.stack[-1].tag == left


def test_thorough_popping_includes_table_parts():
    elements = make_stack("html template table tbody tr td p")
    elements.generate_all_implied_end_tags_thoroughly()
    assert elements.stack[-1].tag == "table"


def test_popping_counts_paragraphs():
    elements = make_stack("html body p b p i")
    elements.pop_until("p")
    assert (elements.open_p, elements.stack[-1].tag) == (1, "b")
    elements.pop_to(2)
    assert (elements.open_p, elements.stack[-1].tag) == (0, "html")
    elements.pop_until("html")
    assert elements.stack[-1].tag == "html"


def test_close_p_closes_elements_with_optional_end_tags():
    elements = make_stack("html body p li span")
    elements.close_p()
    assert (elements.open_p, elements.stack[-1].tag) == (0, "body")


def test_clearing_stops_at_the_context_and_at_the_root():
    elements = make_stack("html body table tbody tr td")
    elements.clear_back_to(frozenset(("table",)))
    assert elements.stack[-1].tag == "table"
    elements.clear_back_to(frozenset(("none",)))
    assert elements.stack[-1].tag == "html"


def test_searches_look_at_the_nearest_elements():
    elements = make_stack("html body section" + " span" * MAX_SEARCH)
    assert not elements.has_in_scope("section")
    assert not elements.is_open(elements.stack[2])
    elements.stack.pop()
    assert elements.has_in_scope("section")


def test_the_last_of_equal_nodes_is_found():
    node = Element("a")
    assert last_index([node, Element("a"), node, Element("b")], node) == 2
    assert last_index([Element("a")], node) == 1


ROLES = [
    ("main", "main"),
    (" Main ", "main"),
    ("Table presentation", "table"),
    ("tab\tbutton", "tab"),
    ("\n", ""),
    ("", ""),
]


@pytest.mark.parametrize(("value", "role"), ROLES)
def test_a_role_is_the_first_word_in_lower_case(value, role):
    assert role_of({"role": value}) == role


def test_an_element_without_the_attribute_has_no_role():
    assert role_of({"class": "main"}) == ""


def test_no_module_compares_a_role_as_it_is_written():
    modules = pathlib.Path(elements.__file__).parents[1].rglob("*.py")
    texts = {module.name: module.read_text(encoding="utf-8") for module in modules if module.name != "elements.py"}
    assert [name for name, text in texts.items() if 'attrs.get("role"' in text or 'attrs["role"]' in text] == []
