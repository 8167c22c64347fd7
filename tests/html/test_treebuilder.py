"""Parse fragments, with and without scripting; check limits, and what holds for every tree. HTML Standard, 13.2.6 and
13.4.
"""

import gc

import pytest
from html_serializer import serialize
from hypothesis import given
from hypothesis import strategies as st
from trees import outline

from webtool.html import parse_fragment, parse_html
from webtool.html.formatting import FREE_CLONES
from webtool.html.insertion import MAX_DEPTH
from webtool.html.node import Element

# Context, source, tree.
FRAGMENTS = [
    ("div", "<p>a", "p('a')"),
    ("div", "</div>a", "'a'"),
    ("div", "<td>a", "'a'"),
    ("div", "<body><html><head>a", "'a'"),
    ("p", "<p>a<p>b", "p('a') p('b')"),
    ("table", "<td>a", "tbody(tr(td('a')))"),
    ("table", "a<tr>", "'a' tbody(tr)"),
    ("tbody", "<tr><td>a", "tr(td('a'))"),
    ("tbody", "<td>a</tbody>b", "tr(td('ab'))"),
    ("tr", "<td>a<td>b", "td('a') td('b')"),
    ("tr", "</table><td>a", "td('a')"),
    ("td", "<td>a</td>b", "'ab'"),
    ("caption", "<caption>a<td>b", "'ab'"),
    ("colgroup", "<col>a<col>", "col col"),
    ("template", "<td>a", "td('a')"),
    ("template", "<tr><td>a<div>b", "tr(td('a' div('b')))"),
    ("template", "<form><form>", "form(form)"),
    ("select", "<option>a<option>b", "option('a') option('b')"),
    ("select", "<input><select>a", "'a'"),
    ("select", "<div>a", "div('a')"),
    ("form", "<form>a", "'a'"),
    ("html", "<p>a", "head body(p('a'))"),
    ("html", "<head><title>a", "head(title('a')) body"),
    ("html", "<body><frameset>", "head body"),
    ("head", "<title>a</title>b", "title('a') 'b'"),
    ("body", "<body>a", "'a'"),
    ("frameset", "<frame>a<frameset>", "frame frameset"),
    ("frameset", "</frameset><frame>", "frame"),
    ("title", "<b>&amp;</title>", "'<b>&</title>'"),
    ("textarea", "\n<b>", "'\\n<b>'"),
    ("style", "<b>&amp;</style>", "'<b>&amp;</style>'"),
    ("script", "<!--<script></script>", "'<!--<script></script>'"),
    ("xmp", "<b>", "'<b>'"),
    ("plaintext", "<b>", "'<b>'"),
    ("noscript", "<b>a", "b('a')"),
    ("svg svg", "<g/><p>a", "svg:g p('a')"),
    ("svg path", "<LINEARGRADIENT>a", "svg:linearGradient('a')"),
    ("svg foreignObject", "<p>a<g>", "p('a' g)"),
    ("svg desc", "<td>a", "'a'"),
    ("svg title", "<b>a</title>", "b('a')"),
    ("math math", "<mi>a<b>c", "math:mi('a' b('c'))"),
    ("math mi", "<b>a<mglyph>", "b('a' mglyph)"),
    ("math annotation-xml", "<svg>a", "svg:svg('a')"),
    ("svg svg", "<![CDATA[a]]></svg>b", "'ab'"),
    ("svg svg", "</p>a</br>b", "p 'a' br 'b'"),
]


@pytest.mark.parametrize(("context", "source", "tree"), FRAGMENTS)
def test_fragment_gives_its_tree(context, source, tree):
    fragment = parse_fragment(source, context)
    assert fragment.tag == "#document-fragment"
    assert outline(fragment) == tree


def test_the_context_may_be_an_element_with_attributes():
    context = Element("annotation-xml", {"encoding": "text/html"}, "math")
    assert outline(parse_fragment("<p>a", context)) == "p('a')"
    assert not context.children


def test_a_context_inside_a_form_takes_no_further_form():
    form, context = Element("form"), Element("div")
    form.append(context)
    assert outline(parse_fragment("<form><input></form>", context)) == "input"


@pytest.mark.parametrize(
    ("scripting", "tree"),
    [(False, "noscript(i('a')) noscript(meta)"), (True, "noscript('<i>a</i>') noscript('<meta>')")],
)
def test_scripting_flag_decides_about_noscript(scripting, tree):
    fragment = parse_fragment("<noscript><i>a</i></noscript><noscript><meta></noscript>", scripting=scripting)
    assert outline(fragment) == tree


def test_scripting_flag_in_the_head():
    source = "<head><noscript><p></noscript>"
    assert serialize(parse_html(source)) == "<html><head><noscript></noscript></head><body><p></p></body></html>"
    assert "<noscript>&lt;p&gt;</noscript></head>" in serialize(parse_html(source, scripting=True))


# Text that comes in many parts becomes one node.
@pytest.mark.parametrize("source", ["a<b&c</x>d&amp;</y>e", "a</x>" * 50, "<table>a<tr>b<tr>c</table>", "a\0b<![x"[:3]])
def test_adjacent_text_is_one_node(source):
    for node in _nodes(parse_html(source)):
        kinds = [child.tag for child in node.children]
        assert (None, None) not in list(zip(kinds, kinds[1:]))


def test_garbage_collection_is_restored():
    assert gc.isenabled()
    parse_html("<p>")
    assert gc.isenabled()
    gc.disable()
    try:
        parse_html("<p>")
        assert not gc.isenabled()
    finally:
        gc.enable()


# Limits: each of these took quadratic time, memory or call stack in some parser.
NESTED = "div span b p a font table select svg math template li option button nobr ruby"
HOSTILE = [
    *(f"<{tag}>" for tag in NESTED.split()),
    *("<b><p>", "<a><div>", "<table><tr><td>", "<svg><foreignObject>", "<marquee><b>", "<ul><li>", "<table><b>x"),
    *("<", "</", "<a ", "<a b='", "&", "&#", "<!--", "<![CDATA[", "<?", "</p>", "x</y>", "<td>", "<b></p>"),
    *("<script><!--", "<body x=1>", "<form>", "<select><selectedcontent>", "<table>x", "\0", "<b><i></b>"),
    *("<frameset>", "<rt>"),
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_repetition_gives_a_bounded_tree(piece):
    times = 5000
    tree = parse_html("<p>sentinel</p>" + piece * times)
    depth, count = _measure(tree)
    assert depth <= 2 * MAX_DEPTH
    assert count <= 4 * times * max(1, piece.count("<")) + FREE_CLONES


def test_formatting_left_open_does_not_multiply():
    source = "<p>" + "".join(f"<font size={number}>" for number in range(90)) + "<p>x" * 5000
    _, count = _measure(parse_html(source))
    assert count < 3 * 5090 + FREE_CLONES
    assert parse_html(source).text == "x" * 5000


def test_below_the_greatest_depth_elements_become_siblings():
    tree = parse_html("<div>" * 600 + "x" + "</div>" * 600 + "<p>after")
    assert _measure(tree)[0] <= MAX_DEPTH + 1
    assert tree.text == "xafter"
    assert tree.children[0].children[1].children[-1].tag == "p"


def test_100_000_attributes_are_read_once_each():
    element = parse_fragment("<a " + " ".join(f"a{number}={number}" for number in range(100_000)) + " a1=x>").children[
        0
    ]
    assert len(element.attrs) == 100_000
    assert element.attrs["a1"] == "1"


TAGS = (
    "p b a i div table tr td th tbody caption colgroup col select option optgroup ul li dl dd h1 form button template "
    "svg math mi desc foreignObject title script style textarea pre frameset body html head nobr font object ruby rt "
    "br img input hr noscript selectedcontent plaintext"
)
PARTS = [
    *(f"<{tag}>" for tag in TAGS.split()),
    *(f"</{tag}>" for tag in TAGS.split()),
    *("x", " ", "\n", "\0", "&amp;", "<!--c-->", "<?a b?>", "<!DOCTYPE html>", "<a href=x>", "<font color=red>"),
    *("<input type=hidden>", "<annotation-xml encoding=text/html>", "<![CDATA[x]]>", "<svg/>"),
]
SOUP = st.lists(st.sampled_from(PARTS), max_size=40).map("".join)
CONTEXTS = st.sampled_from(["div", "table", "tr", "td", "select", "template", "html", "svg g", "math mi", "frameset"])


@given(SOUP)
def test_every_document_is_well_formed(source):
    tree = parse_html(source)
    _check(tree)
    assert [node.tag for node in tree.children].count("html") == 1
    html = next(node for node in tree.children if node.tag == "html")
    assert [node.tag for node in html.children if type(node) is Element][:1] == ["head"]
    assert sum(node.tag in ("body", "frameset") for node in html.children) >= 1


@given(SOUP, CONTEXTS)
def test_every_fragment_is_well_formed(source, context):
    _check(parse_fragment(source, context))


@given(st.text(max_size=200))
def test_any_text_has_a_tree(source):
    _check(parse_html(source))


def _check(tree):
    seen = set()
    for node in _nodes(tree):
        assert id(node) not in seen
        seen.add(id(node))
        for child in node.children:
            assert child.parent is node
            assert child.tag is not None or child.text


def _nodes(tree):
    rest = [tree]
    while rest:
        node = rest.pop()
        yield node
        rest.extend(node.children)


def _measure(tree):
    """Return the greatest depth and the number of nodes."""
    rest, deepest, count = [(tree, 0)], 0, 0
    while rest:
        node, depth = rest.pop()
        count += 1
        deepest = max(deepest, depth)
        rest.extend((child, depth + 1) for child in node.children)
    return deepest, count
