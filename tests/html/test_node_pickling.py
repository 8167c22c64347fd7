"""Pickle and copy trees, however deep they are: clusters send them from process to process."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees import serialize

from webtool import extract, parse_html, to_markdown
from webtool.html.node import walk

PAGES = [
    "<!DOCTYPE html><title>T</title><p class=a id=b>One <b>two</b><!-- three --><svg><path d=x></svg>",
    "<p>quirks<?pi x?><math><mi>y</mi></math><template><i>z</template>",
    "<div>" * 20000 + "deep",
    "",
]


@pytest.mark.parametrize("source", PAGES)
@pytest.mark.parametrize("through", [lambda tree: pickle.loads(pickle.dumps(tree)), copy.deepcopy])
def test_a_tree_is_the_same_afterwards(source, through):
    tree = parse_html(source)
    again = through(tree)
    assert serialize(again) == serialize(tree)
    assert (again.quirks, type(again)) == (tree.quirks, type(tree))
    assert to_markdown(again) == to_markdown(tree)
    assert all(node.parent is not None for _, node in walk(again) if node is not again)


def test_a_pickled_element_is_its_subtree():
    body = parse_html("<p>One <b>two</b>").children[-1].children[-1]
    again = pickle.loads(pickle.dumps(body.children[0]))
    assert (again.tag, again.text, again.parent) == ("p", "One two", None)


def test_elements_that_a_browser_does_not_show_stay_known():
    tree = parse_html("<p>One<p>Two<p>Three")
    second = next(node for event, node in walk(tree) if event == "open" and node.text == "Two")
    tree.unseen = {second: "covered"}
    again = pickle.loads(pickle.dumps(tree))
    assert [(node.text, reason) for node, reason in again.unseen.items()] == [("Two", "covered")]


def test_an_extraction_of_a_copy_is_that_of_the_original():
    source = "<title>T</title><article>" + "<p>Some words that are worth reading, and some more of them.</p>" * 9
    assert extract(copy.deepcopy(parse_html(source))) == extract(source)


@given(st.text(alphabet="<>/abp!-? ='\"", max_size=200))
def test_any_tree_is_the_same_afterwards(source):
    tree = parse_html(source)
    assert serialize(pickle.loads(pickle.dumps(tree))) == serialize(tree)
