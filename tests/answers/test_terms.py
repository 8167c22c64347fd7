"""Terms, options and anchors: find shows their definitions, section gives them."""

import pytest

from webtool.answers import finding, outline, parts
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
