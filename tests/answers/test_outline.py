"""The headings of a page are listed, and one section is found by title, path or line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import webtool
from webtool.answers.outline import find_section, outline, section
from webtool.errors import InvalidArgument

PAGE = """# Kettle

Boils water.

## Setup

### Linux

Use the package.

### Windows

Use the installer.

## Care

Descale it.

### Windows

Never open them.

```
# not a heading
```

- #### In a list
  Text.

Under
-----
last
"""


def test_headings_have_level_line_and_tokens_below():
    rows = [(one["level"], one["title"], one["line"]) for one in outline(PAGE)]
    assert rows == [
        (1, "Kettle", 1), (2, "Setup", 5), (3, "Linux", 7), (3, "Windows", 11), (2, "Care", 15), (3, "Windows", 19),
        (4, "In a list", 27), (2, "Under", 30),
    ]  # fmt: skip
    tokens = {one["line"]: one["tokens"] for one in outline(PAGE)}
    assert tokens[1] > tokens[5] > tokens[7] > 0


# name of a section, its first line, its last line
SECTIONS = [
    ("Setup", 5, 13),
    ("setup", 5, 13),
    ("Linux", 7, 9),
    ("Setup > Windows", 11, 13),
    ("Kettle > Care > Windows", 19, 28),
    ("Kettle > Windows > nothing", None, None),
    ("Desc", None, None),
    ("9", 7, 9),
    ("Lin", 7, 9),
]


@pytest.mark.parametrize(("name", "first", "last"), SECTIONS)
def test_a_section_is_a_heading_and_what_is_below_it(name, first, last):
    if first is None:
        with pytest.raises(InvalidArgument, match="unknown section") as caught:
            section(PAGE, name)
        assert caught.value.hint.count("line") == 5
    else:
        result = find_section(PAGE, name)
        assert (result.first_line, result.last_line) == (first, last)
        assert result.text == "\n".join(PAGE.split("\n")[first - 1 : last])


def test_an_ambiguous_title_names_the_lines():
    with pytest.raises(InvalidArgument, match="2 sections") as caught:
        section(PAGE, "Windows")
    assert "line 11" in caught.value.hint
    assert "line 19" in caught.value.hint


def test_a_page_without_headings_has_landmarks():
    assert [one["title"] for one in outline("**Opening**\n\nText.\n\n**Prices**\n\nMore.")] == ["Opening", "Prices"]
    plain = "\n\n".join(f"Paragraph {n} begins here. " + "word " * 100 for n in range(20))
    rows = outline(plain)
    assert 4 <= len(rows) <= 10
    assert rows[0]["title"].startswith("Paragraph 0 begins here.")
    assert sum(row["tokens"] for row in rows) >= len(plain) // 4
    assert section(plain, str(rows[1]["line"])).startswith(rows[1]["title"][:20])


def test_an_empty_page_has_no_outline():
    assert outline("") == []
    with pytest.raises(InvalidArgument, match="no sections"):
        section("", "x")


@given(st.text(alphabet="#-=*>|` \n\tab1.", max_size=300))
def test_any_text_has_an_outline_whose_sections_can_be_asked_for(text):
    lines = text.count("\n") + 1
    for row in outline(text):
        assert 1 <= row["line"] <= lines
        assert webtool.section(text, str(row["line"])) is not None


NUMBERED = """# Log

## 2024

Old.

## 2025

### Fixes

New fixes.

## 7

Seven.
"""


ASKED = [("2024", 3), ("7", 7), ("15", 13), ("13", 13), ("4", 3), ("2025 > Fixes", 9), ("2025/Fixes", 9),
         ("2025 \u203a fixes", 9), ("Log \u2192 2025", 7)]  # fmt: skip


@pytest.mark.parametrize(("name", "first"), ASKED)
def test_a_number_is_a_line_or_a_heading_and_paths_have_many_signs(name, first):
    assert find_section(NUMBERED, name).first_line == first


def test_a_section_of_signs_only_is_unknown():
    with pytest.raises(InvalidArgument, match="unknown section"):
        find_section("# ---\n\ntext\n\n# B\n", "***")


LANGUAGES = "# Guide\n\n## C\n\nold\n\n### Install\n\n1\n\n## C++\n\nnew\n\n### Install\n\n2\n\n## C#\n\nother\n"


@pytest.mark.parametrize(
    ("name", "line"), [("C", 3), ("C++", 11), ("c#", 19), ("C++ > Install", 15), ("C / Install", 7), ("Guide > C#", 19)]
)
def test_signs_tell_apart_titles_with_the_same_letters(name, line):
    assert find_section(LANGUAGES, name).first_line == line


@pytest.mark.parametrize(
    ("name", "line"),
    [("Install > Linux", 3), ("Install Linux", 7), ("install/linux", 3), ("A/B Testing", 9), ("B > Testing", 13)],
)
def test_a_path_comes_before_a_title_that_differs_in_signs_only(name, line):
    page = "# Install\n\n## Linux\n\nx\n\n# Install Linux\n\n# A/B testing\n\n# B\n\n## Testing\n"
    assert find_section(page, name).first_line == line


ANCHORED = (
    "# Guide\n\n## What's new?\n\n## Setup\n\n## Setup\n\n## What's new in 3.0?\n\n## Part 2\n\n[Fees](#f)\n\n## Fees\n"
)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("#whats-new", 3), ("#whats-new-in-30", 9), ("#what-s-new", 3), ("whats new", 3), ("#setup", 5),
        ("#setup-1", 7), ("#part-2", 11), ("#f", 15), ("##Guide", 1),
    ],
)  # fmt: skip
def test_an_anchor_is_a_title_without_its_signs(name, line):
    assert find_section(ANCHORED, name).first_line == line


@pytest.mark.parametrize("name", ["#setup-2", "#-", "#-1", "#new-1"])
def test_an_anchor_of_no_title_is_unknown(name):
    with pytest.raises(InvalidArgument):
        find_section(ANCHORED, name)


def test_a_line_of_html_is_a_heading():
    page = (
        '<h1 align="center"><img src="a.png"></h1>\n\n<h1><a href="/">My</a> <b>Kit</b></h1>\n\n<H2>Use</H2>\n\nx\n\n'
    )
    page += "```\n<h2>code</h2>\n```\n\n\\<h2>text</h2>\n\n<header>y</header>\n"
    assert [(row["level"], row["title"], row["line"]) for row in outline(page)] == [(1, "My Kit", 3), (2, "Use", 5)]
    assert section(page, "use").startswith("<H2>Use</H2>\n\nx")


def test_a_name_of_very_many_digits_is_an_unknown_section():
    with pytest.raises(InvalidArgument, match="unknown section"):
        find_section(PAGE, "9" * 5000)


def test_a_term_in_a_heading_has_the_path_of_the_heading():
    markdown = "# Guide\n\n## Options\n\n### `timeout` (seconds)\n\nHow long.\n\n### Other\n\ntext\n"
    assert find_section(markdown, "timeout").path.startswith("Guide > Options > ")
