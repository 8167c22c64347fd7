"""Serialize trees. HTML Standard, 13.3."""

import pytest
from html_serializer import serialize
from hypothesis import given
from hypothesis import strategies as st

from webtool.html import parse_fragment, parse_html
from webtool.html.node import Element, Text

# Fragments that are serialized as they were written.
STABLE = [
    "<p>a</p>",
    '<p class="x" id="a&amp;&quot;b&lt;&gt;&nbsp;c">a &lt; b &amp; c&nbsp;&gt;</p>',
    '<br><img src="x">',
    "<!--a--><?b c?>",
    "<script>a < b && c</script><style>a > b</style>",
    "<xmp><b></xmp><iframe><p></iframe><noembed>&</noembed><noframes>&</noframes>",
    "<textarea>&lt;</textarea><title>&amp;</title>",
    "<template><td>a</td></template>",
    '<svg viewBox="0"><path></path><foreignObject><p>a</p></foreignObject></svg>',
    "<noscript><p>a</p></noscript>",
]


@pytest.mark.parametrize("source", STABLE)
def test_fragment_is_serialized_as_written(source):
    assert serialize(parse_fragment(source)) == source


def test_document_is_serialized_with_its_doctype():
    source = '<!DOCTYPE html><html lang="en"><head></head><body>a</body></html>'
    assert serialize(parse_html(source)) == source


def test_inner_leaves_the_element_out():
    element = parse_fragment("<p>a<b>c</b></p>").children[0]
    assert serialize(element) == "<p>a<b>c</b></p>"
    assert serialize(element, inner=True) == "a<b>c</b>"
    assert serialize(element.children[0]) == "a"


def test_noscript_is_text_with_scripting():
    tree = parse_fragment("<noscript><p>&amp;</noscript>", scripting=True)
    assert serialize(tree, scripting=True) == "<noscript><p>&amp;</noscript>"


def test_serializing_does_not_recurse():
    root = node = Element("i")
    for _ in range(20_000):
        child = Element("i")
        node.append(child)
        node = child
    node.append(Text("x"))
    assert serialize(root) == "<i>" * 20_001 + "x" + "</i>" * 20_001


BLOCKS = st.recursive(
    st.text(alphabet="ab &<>\"'\xa0", min_size=1, max_size=5).map(Text),
    lambda nodes: st.builds(
        lambda tag, attrs, children: (tag, attrs, children),
        st.sampled_from(["div", "section", "blockquote", "article"]),
        st.dictionaries(st.sampled_from(["id", "class", "title"]), st.text(alphabet="a&<\"'\xa0\n", max_size=4)),
        st.lists(nodes, max_size=3),
    ),
    max_leaves=12,
)


def build(plan):
    if isinstance(plan, Text):
        return Text(plan.text)
    tag, attrs, children = plan
    element = Element(tag, dict(attrs))
    for child in children:
        node = build(child)
        if not (node.tag is None and element.children and element.children[-1].tag is None):
            element.append(node)
    return element


@given(BLOCKS)
def test_a_tree_of_blocks_survives_the_round_trip(plan):
    source = serialize(build(plan))
    assert serialize(parse_fragment(source)) == source
