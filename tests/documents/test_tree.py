"""Blocks, lists, tables and runs of office documents as HTML trees, rendered as markdown."""

import time

import pytest
from growing import growth

from webtool.documents import runs, tree
from webtool.documents.runs import Run
from webtool.html.node import Element
from webtool.running.budget import Spent

BOLD, BOLD_ITALIC = frozenset(("strong",)), frozenset(("strong", "em"))


def built(*steps):
    """The markdown after calls of a BlockBuilder: (method, arguments...)."""
    builder = tree.BlockBuilder()
    for method, *arguments in steps:
        getattr(builder, method)(*arguments)
    return tree.markdown(builder.blocks)


def p(text):
    return tree.element("p", [text])


BLOCKS = {
    "items nest by depth": (
        [("add_item", ["a"], 0), ("add_item", ["b"], 1), ("add_item", ["c"], 0)],
        "- a\n  - b\n- c\n",
    ),
    "a block ends the list": (
        [("add_item", ["a"], 0), ("add_block", p("text")), ("add_item", ["b"], 0)],
        "- a\n\ntext\n\n- b\n",
    ),
    "a block in an item does not": (
        [("add_item", ["a"], 0), ("add_to_item", p("more"), 0), ("add_item", ["b"], 0)],
        "- a\n\n  more\n\n- b\n",
    ),
    "a number that does not follow the last one starts a list": (
        [("add_item", ["a"], 0, 1), ("add_item", ["b"], 0, 5)],
        "1. a\n\n5) b\n",
    ),
    "without a list a block for an item is a block": ([("add_to_item", p("text"), 3)], "text\n"),
    "lines of code are one block": ([("add_code", "a = 1"), ("add_code", "b = 2")], "```\na = 1\nb = 2\n```\n"),
    "an empty line begins no code": (
        [("add_code", ""), ("add_code", "a"), ("add_code", ""), ("add_code", "b")],
        "```\na\n\nb\n```\n",
    ),
    "code can be in an item": ([("add_item", ["a"], 0), ("add_code", "b", 0)], "- a\n  ```\n  b\n  ```\n"),
    "a caption that repeats its picture's text replaces it": (
        [("add_block", p("A tide"), True), ("add_block", p("A tide"))],
        "A tide\n",
    ),
    "the text after a picture stays": (
        [("add_block", p("A tide"), True), ("add_block", p("In May"))],
        "A tide\n\nIn May\n",
    ),
}


@pytest.mark.parametrize("name", BLOCKS)
def test_builder_nests_blocks(name):
    steps, markdown = BLOCKS[name]
    assert built(*steps) == markdown


def test_deep_items_nest_at_the_deepest_level():
    builder = tree.BlockBuilder()
    for depth in range(100):
        builder.add_item(["x"], depth)
    node, depth = builder.blocks[0], 0
    while isinstance(node.children[-1], Element):
        node, depth = node.children[-1], depth + 1
    assert depth == 2 * tree.MAX_DEPTH + 1


def test_table_rows_are_filled_up():
    assert tree.markdown([tree.table([[["a"]], [["b"], ["c"]]])]) == "| a |  |\n| --- | --- |\n| b | c |\n"


def test_cells_that_span_columns_are_followed_by_empty_ones():
    assert tree.markdown([tree.table([tree.spanning(["wide"], 2), [["a"], ["b"]]])]).startswith("| wide |  |\n")


def test_a_table_has_the_rows_before_the_budget_ends():
    def rows():
        yield [["a"]]
        raise Spent

    assert tree.markdown([tree.table(rows())]) == "| a |\n| --- |\n"


NUMERALS = [(4, "1", "4"), (4, "a", "d"), (28, "A", "BB"), (14, "i", "xiv"), (1999, "I", "MCMXCIX"), (0, "a", "0")]


@pytest.mark.parametrize(("number", "digits", "text"), NUMERALS)
def test_list_numbers_are_written_in_their_digits(number, digits, text):
    assert tree.numeral(number, digits) == text


def test_neighbouring_runs_share_elements():
    children = runs.inlines([Run("a", BOLD), Run("b", BOLD_ITALIC), Run("c")])
    assert tree.markdown([tree.element("p", children)]) == "**a*b***c\n"
    assert [child.tag for child in children if isinstance(child, Element)][:1] == ["strong"]


def test_links_are_outermost():
    children = runs.inlines([Run("a", BOLD, "https://e.example/"), Run("b", frozenset(), "https://e.example/")])
    assert tree.markdown([tree.element("p", children)]) == "[**a**b](https://e.example/)\n"


@pytest.mark.parametrize("name", ["Picture 3", "Grafik 12", "image1.png", "Bild", ""])
def test_generated_names_are_no_text_alternatives(name):
    assert runs.alt_text(name) == ""


def test_an_authors_text_alternative_stays_without_words_of_word():
    text = "A tide gauge. Description automatically generated"
    assert runs.alt_text(text) == "A tide gauge"
    assert runs.alt_text(f"{text} with medium confidence") == "A tide gauge"


@pytest.mark.parametrize("url", ["file:///C:/x.docx", "FILE://server/x", "other.docx", "#mark", ""])
def test_a_file_on_somebodys_disk_is_no_link(url):
    assert runs.web_url(url) == ""
    assert runs.web_url("Mailto:a@x.example") == "Mailto:a@x.example"


@pytest.mark.parametrize(
    ("author", "text", "line"),
    [
        ("Ada", "Is\n it so?", "Ada: Is it so?"),
        ("", "Is it so?", "Is it so?"),
        ("Ada", " \n", ""),
        ("A " * 80, "x", f"{('A ' * 80)[:100]}: x"),
    ],
)
def test_a_remark_is_one_line_after_its_author(author, text, line):
    assert tree.remark(author, text) == line


def test_spaces_in_a_text_alternative_take_linear_time():
    def cost(count):
        start = time.process_time()
        runs.alt_text("a" + "\xa0" * count + "b")
        return time.process_time() - start

    assert not growth(cost, 5000)
