"""XML as trees with known prefixes, within bounds; something like XML as a tree too."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.documents import xmltree

TREE, _ = xmltree.parse("<r><a id='1'><b id='2'/><a id='3'/></a><c><b id='4'/></c><b id='5'/></r>")


def ids(nodes):
    return [node.get("id") for node in nodes]


SEARCHES = [
    ({"tags": ("a", "b")}, "145"),
    ({"tags": ("a", "b"), "nested": True}, "12345"),
    ({"tags": ("b",), "skipped": ("c",)}, "25"),
    ({"tags": ("b",), "entered": ("c",)}, "45"),
    ({"tags": ("b",), "entered": ()}, "5"),
]


@pytest.mark.parametrize(("arguments", "expected"), SEARCHES)
def test_outermost_elements_are_searched_where_allowed(arguments, expected):
    assert "".join(ids(xmltree.outermost(TREE, **arguments))) == expected


def test_names_get_known_prefixes_and_unknown_ones_a_question_mark():
    root, _ = xmltree.parse(
        "<x:body xmlns:x='urn:oasis:names:tc:opendocument:xmlns:office:1.0'><y xmlns='urn:y'/></x:body>"
    )
    assert (root.tag, root[0].tag) == ("office:body", "?:y")


def test_declared_entities_and_deep_trees_are_errors():
    with pytest.raises(xmltree.XmlError, match="is declared"):
        xmltree.parse("<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>")
    with pytest.raises(xmltree.XmlError, match="nest more than"):
        xmltree.parse("<a>" * 300)


def test_a_tree_that_is_too_heavy_ends_early():
    root, left = xmltree.parse("<a>" + "<b/>" * 100 + "</a>", max_weight=10)
    assert (len(root), left) == (9, -1)


LENIENT = [
    ("<a>x & y<b>z</a>", "<a>x & y<b>z</b></a>"),
    ("<a><b>1</c></b>2", "<a><b>1</b>2</a>"),
    ("<a k='1 &amp; 2'><![CDATA[<i>]]></a>", "<a k='1 & 2'><i></a>"),
]


def shown(node):
    attributes = "".join(f" {key}='{value}'" for key, value in node.attrib.items())
    inner = "".join(shown(child) + (child.tail or "") for child in node)
    return f"<{node.tag}{attributes}>{node.text or ''}{inner}</{node.tag}>"


@pytest.mark.parametrize(("text", "repaired"), LENIENT)
def test_lenient_parsing_repairs_nesting(text, repaired):
    assert shown(xmltree.parse_lenient(text)) == repaired


def test_text_without_a_tag_has_no_root():
    assert xmltree.parse_lenient("a < b") is None


@given(st.text(alphabet="<>/![]-CDATArssitem&;='\" \n?a", max_size=300))
def test_lenient_parsing_never_fails(text):
    xmltree.parse_lenient(text)
