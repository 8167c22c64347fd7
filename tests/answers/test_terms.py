"""Terms, options and anchors: find shows their definitions, section gives them."""

import time

import pytest
from growing import growth

from webtool.answers import finding, outline, parts, terms
from webtool.answers.blocks import parse
from webtool.errors import InvalidArgument

PAGE = """# Manual

- [Buffers](#chapter-buffers)
- tune.bufsize

## Buffer options

```
tune.bufsize <size>
```

Sets the buffer size to this size (in bytes). Lower values
allow more sessions.

The default is 16384.

```
tune.maxrewrite <number>
```

Sets the reserved space.

**`--verbose`**

Says more.

   -q, --quiet
          Says nothing at all.

   -x
          Ends at once.

tide
:   The rise of the sea.

## Table

| Port | Depth |
|---|---|
| Alta | 3 |
| Boro | 4 |
| Cerro | 5 |
"""
OPTIONS = """# Options

`--max-bytes-total N`

All pages together.

`--max-bytes N`

One page.

`--max-bytes-each N`

Each answer.
"""
DEFINED = [
    ("tune.bufsize <", "The default is 16384."),
    ("--verbose", "Says more."),
    ("--quiet", "Says nothing at all."),
    ("/^tide$/", "The rise of the sea."),
    ("Buffer options", "tune.bufsize <size>"),
]


@pytest.mark.parametrize(("words", "shown"), DEFINED)
def test_find_shows_what_a_term_means(words, shown):
    assert shown in parts.give(PAGE, {"find": words, "context": 0}).text


NAMED = [
    ("tune.bufsize", "tune.bufsize <size>", "The default is 16384."),
    ("--verbose", "--verbose", "Says more."),
    ("-q, --quiet", "-q, --quiet", "Says nothing at all."),
    ("tide", "tide", ":   The rise of the sea."),
    ("#buffer-options", "Buffer options", "The rise of the sea."),
]


@pytest.mark.parametrize(("name", "title", "last"), NAMED)
def test_section_knows_terms_and_anchors(name, title, last):
    section = outline.find_section(PAGE, name)
    assert section.title == title
    assert section.text.endswith(last) or last in section.text
    assert "Sets the reserved space" not in section.text or title == "Buffer options"


def test_the_smallest_section_around_a_line_is_given():
    line = PAGE.split("\n").index("Says more.") + 1
    assert outline.find_section(PAGE, str(line)).title == "`--verbose`"


def test_the_nearest_sections_are_near():
    page = "\n\n".join(f"## {title}" for title in ("Zebra", "Installing the pump", "Gulls", "Oats", "Yarn", "Xenon"))
    with pytest.raises(InvalidArgument) as caught:
        outline.find_section(page, "pump installation")
    assert caught.value.hint.startswith("The nearest: Installing the pump")


def test_windows_that_touch_are_one():
    windows = finding.search("a\nb\nfox\nc\nfox\nd\ne\n-\nf\ng\nfox\nh", "fox", 2).windows
    assert [(window["lines"], window["text"].split("\n")[0]) for window in windows] == [([3, 5], "a"), ([11], "f")]
    assert [match["line"] for match in finding.find("fox\nfox", "fox")] == [1, 2]
    assert finding.find("a\nfox\nb", "fox", 0)[0]["text"] == "fox"


def test_rows_come_with_the_head_of_their_table():
    assert finding.find(PAGE, "Cerro", 0)[0]["text"] == "| Port | Depth |\n|---|---|\n[...]\n| Cerro | 5 |"


REFERENCE = """# marsh

See the chapter about birds.

**`marsh.open(path)`**

Opens a marsh.

```python
import marsh
marsh.drain("reeds")
```

**`marsh.drain(path)`**

Drains it; returns the litres.

```python
import marsh
marsh.drain("reeds")
marsh.open("reeds")
```

**`marsh.close()`**

Closes it.
"""


def test_a_call_in_an_example_is_not_where_a_name_is_defined():
    section = outline.find_section(REFERENCE, "marsh.drain")
    assert section.text.startswith("**`marsh.drain(path)`**\n\nDrains it")
    assert section.text.endswith('marsh.open("reeds")\n```')


@pytest.mark.parametrize("context", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("words", ["marsh.drain", "import", "returns", "Opens", "open(", "Closes", "chapter"])
def test_code_in_a_window_stands_between_its_fences(words, context):
    for window in finding.search(REFERENCE, words, context).windows:
        fences = [line for line in str(window["text"]).split("\n") if line.startswith("```")]
        assert fences == ["```python", "```"] * (len(fences) // 2), window["text"]
        assert not str(window["text"]).endswith("```python")


def test_the_head_of_a_table_is_given_once():
    table = "| Name | Age |\n| --- | --- |\n" + "\n".join(f"| {n % 7 or 'Ada'} | {n} |" for n in range(30))
    windows = finding.search(table, "Ada", 0).windows
    assert len(windows) == 5
    assert ["| Name | Age |" in str(window["text"]) for window in windows] == [True] + 4 * [False]


def test_many_terms_show_no_definition_each():
    page = "\n\n".join(f"**opt{n}**\n\nSets the size.\n\nIt is {n}." for n in range(20))
    assert sum("It is" in str(window["text"]) for window in finding.search(page, "opt", 0).windows) == 5


@pytest.mark.parametrize(
    "piece", ["**term{n}**\n\n", "- `term{n}`\n", "```\nterm{n}\n```\n", "term{n}\n  text\n", "## term{n}\n"]
)
def test_time_grows_with_the_terms_and_no_faster(piece):
    def cost(size):
        page = parse("".join(piece.replace("{n}", str(n)) for n in range(size)))
        begin = time.process_time()
        terms.find_term(page, "term0")
        terms.definition_ends(page, list(range(1, size)))
        return time.process_time() - begin

    assert not growth(cost, 2000)


@pytest.mark.parametrize(
    ("name", "term"),
    [
        ("--max-bytes", "--max-bytes N"),
        ("--max-bytes-total", "--max-bytes-total N"),
        ("--max", "--max-bytes-total N"),
    ],
)
def test_a_name_that_ends_is_found_before_a_longer_name(name, term):
    assert terms.find_term(parse(OPTIONS), name)[0] == term
