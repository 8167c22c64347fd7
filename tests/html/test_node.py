"""Build and walk the tree's nodes."""

from webtool.html import parse_html
from webtool.html.node import Comment, Doctype, Document, Element, ProcessingInstruction, Text, walk


def make_tree():
    root = Element("div", {"id": "a"})
    inner = Element("p")
    for node in (Text("one "), Comment("no"), inner, ProcessingInstruction("no no"), Text(" three")):
        root.append(node)
    inner.append(Text("two"))
    return root, inner


def test_text_is_the_text_below_without_comments():
    assert make_tree()[0].text == "one two three"


def test_append_sets_the_parent():
    root, inner = make_tree()
    assert inner.parent is root
    assert [node.parent for node in root.children] == [root] * 5


def test_every_node_has_the_common_attributes():
    tree = parse_html("<!DOCTYPE html><!--a--><?b c?><p>d")
    tags = [node.tag for node in tree.children]
    assert tags == ["!doctype", "#comment", "#processing-instruction", "html"]
    for node in (*tree.children, Text("x"), tree):
        assert isinstance(node.text, str)
        assert list(node.children) == list(node.children)
        assert not node.attrs


def test_walk_opens_and_closes_in_document_order():
    root, _ = make_tree()
    seen = [(event, node.text if event == "text" else node.tag) for event, node in walk(root)]
    assert seen == [
        ("open", "div"),
        ("text", "one "),
        ("open", "p"),
        ("text", "two"),
        ("close", "p"),
        ("text", " three"),
        ("close", "div"),
    ]


def test_walk_does_not_recurse():
    root = node = Element("div")
    for _ in range(20_000):
        child = Element("div")
        node.append(child)
        node = child
    assert sum(event == "open" for event, _ in walk(root)) == 20_001


def test_repr_names_the_node():
    assert repr(Element("a", {"b": "c"})) == "<a {'b': 'c'} with 0 children>"
    assert repr(Text("a")) == "Text('a')"
    assert (Doctype("html").name, Document().quirks, Document().tag) == ("html", False, "#document")
