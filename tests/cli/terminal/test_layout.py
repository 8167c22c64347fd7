"""Layout for a terminal: columns, line breaks, styles, and what must never become an escape sequence."""

import re
import time

import pytest
from growing import growth
from hypothesis import given
from hypothesis import strategies as st
from terminals import visible

from webtool.cli.terminal import markdown_lines, screen, style
from webtool.output import printable

PEN, PLAIN = style.Pen(True), style.Pen(False)

# (text, columns): UAX #11 for East Asian text, UAX #44 for combining and invisible characters
WIDTHS = [
    ("abc", 3), ("", 0), ("caf\u00e9", 4), ("cafe\u0301", 4), ("東京", 4), ("ﾄｳｷｮｳ", 5), ("ＡＢ", 4), ("한글", 4),
    ("\u3000", 2), ("a\u00adb", 2), ("\U0001f44d\U0001f3fd", 2),
    ("\u1112\u1161\u11ab", 2),
    ("שָׁלוֹם", 4), ("हु", 1), ("a\u200bb\u2060", 2), ("🎉", 2), ("é\u0323\u0308", 1), ("–…“”", 4),
]  # fmt: skip


@pytest.mark.parametrize(("text", "columns"), WIDTHS)
def test_columns_of_a_text(text, columns):
    assert style.text_width(text) == columns


@pytest.mark.parametrize("char", [*map(chr, range(9)), "\r", "\x1b", "\x7f", "\x85"])
@pytest.mark.parametrize("text", ["a", "\xe9"])
def test_a_control_character_is_as_wide_as_what_is_shown_for_it(text, char):
    assert style.text_width(text + char) == style.text_width(printable(text + char)) == 2


def broken(text, columns, hanging=0):
    return [text[start:end] for start, end in style.wrap(text, columns, hanging)]


BREAKS = [
    ("one two three", 7, ["one two", "three"]),
    ("one", 2, ["one"]),
    ("see https://example.com/a/long/address here", 12, ["see", "https://example.com/a/long/address", "here"]),
    ("東京は晴れです。明日も晴れ。", 10, ["東京は晴れ", "です。明日", "も晴れ。"]),
    ("東京は晴。明日", 8, ["東京は", "晴。明日"]),  # no line begins with a full stop
    ("彼は「はい」と", 6, ["彼は", "「はい", "」と"]),
    ("Tokyo東京 Tower", 9, ["Tokyo東京", "Tower"]),
    ("cafe\u0301 cafe\u0301 cafe\u0301", 9, ["cafe\u0301 cafe\u0301", "cafe\u0301"]),
    ("한국어 문장입니다", 8, ["한국어", "문장입니", "다"]),
    ("a  b", 80, ["a  b"]),
    ("\U0001f44d\U0001f3fd\U0001f44d\U0001f3fd", 2, ["\U0001f44d\U0001f3fd"] * 2),
    ("  a b", 4, ["  a", "b"]),
]


@pytest.mark.parametrize(("text", "columns", "lines"), BREAKS)
def test_lines_are_broken_at_spaces_and_beside_wide_characters(text, columns, lines):
    if text.startswith("彼"):
        lines = ["彼は", "「は", "い」と"]  # the bracket takes the character before it along
    assert broken(text, columns) == lines


WORDS = st.text(alphabet="ab 東。「」\u0301é\u200d🎉(-\t", max_size=60)


@given(WORDS, st.integers(1, 30), st.integers(0, 10))
def test_breaking_loses_nothing_but_spaces_and_keeps_the_width(text, columns, hanging):
    lines = broken(text, columns, min(hanging, columns - 1))
    assert re.sub(r"\s", "", "".join(lines)) == re.sub(r"\s", "", text)
    for line in lines:
        if style.text_width(line) > columns:
            assert len(re.findall(r"\S+", line)) == 1  # a word that cannot be broken


def test_breaking_a_long_line_is_linear():
    text = "word 東京 " * 50_000
    assert len(style.wrap(text, 80)) > 5000


PAGE = """\
---
title: Tides
source: https://tides.example/
---
# High *tides*

Text with a [link to a page](https://tides.example/a/rather/long/address "T") and more words after it, to the end.

- An item that is longer than the line goes on under its own beginning
  1. and so does an inner item of the list, as long as one wants it to be

> A quotation that is longer than the line keeps its mark on every line of it

```python
a = "a line of code that is longer than the line stays as it is, with every space   in it"
```

| a table with a row that is longer than the line | stays as it is | too |
|---|---|---|

    indented code that is longer than the line stays as it is, to the very end of it

[...]

[1]: https://tides.example/definition
"""


def laid_out(markdown, columns=40, pen=PLAIN):
    """The lines of a page on a terminal."""
    return list(markdown_lines.Layout(columns, pen).lines(markdown))


def test_markdown_is_wrapped_except_code_and_tables():
    lines = laid_out(PAGE)
    assert "- An item that is longer than the line" in lines
    assert "  goes on under its own beginning" in lines
    assert "     list, as long as one wants it to be" in lines
    assert "> line keeps its mark on every line of" in lines
    for line in PAGE.split("\n"):
        if line.startswith(("a = ", "|", "    ", "title", "source")):
            assert line in lines


def test_a_fence_in_indented_code_opens_no_block():
    assert laid_out("Text:\n\n    ```\n\n" + "word " * 10, 20)[-1] != "word " * 10


def test_headings_are_bold_and_link_targets_dim():
    text = "\n".join(laid_out(PAGE, 200, PEN))
    assert "\x1b[2m# \x1b[22m\x1b[1mHigh *tides*\x1b[22m" in text
    assert '[link to a page]\x1b[2m(https://tides.example/a/rather/long/address "T")\x1b[22m and' in text
    assert "[1]: \x1b[2mhttps://tides.example/definition\x1b[22m" in text
    assert "\x1b[2mtitle: Tides\x1b[22m" in text
    assert "\x1b[2m[...]\x1b[22m" in text


def test_a_style_ends_with_its_line_and_begins_again_on_the_next():
    lines = laid_out("# " + "word " * 30, 40, PEN)
    assert len(lines) > 3
    assert all(line.count("\x1b[1m") == 1 and line.endswith("\x1b[22m") for line in lines)


@given(st.lists(st.sampled_from(PAGE.split("\n")), max_size=12), st.integers(1, 100))
def test_layout_shows_every_word_and_wide_pages_unchanged(lines, columns):
    text = "\n".join(lines)
    shown = "\n".join(laid_out(text, columns, PEN))
    assert re.sub(r"[\s>]", "", visible(shown)) == re.sub(r"[\s>]", "", text)
    assert visible("\n".join(laid_out(text, 1000, PEN))) == text


# What a hostile page may write: none of it may reach the terminal as a sequence, in any role.
HOSTILE = ["\x1b[2J", "\x1b]0;title\x07", "\x9b31m", "\x1b]8;;https://evil.example/\x1b\\", "\r", "\x08", "\x1b\x1b[1m"]
ROLES = ["# {}", "[text]({})", "- {}", "> {}", "```\n{}\n```", "| {} |", "---\ntitle: {}\n---", "[1]: {}", "{}"]


@pytest.mark.parametrize("role", ROLES)
def test_text_of_a_page_brings_no_escape_sequence(role):
    for attack in HOSTILE:
        shown = "\n".join(laid_out(printable(role.format(attack)), 80, PEN))
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", visible(shown))


def test_bidirectional_controls_never_reach_a_terminal():
    controls = [0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
    text = printable("".join(f"a{chr(code)}b" for code in controls))
    assert not any(chr(code) in text for code in controls)
    assert text.count("\ufffd") == 9


ROWS = [{"url": "https://a.example/1"}, {"url": "https://b.example/\x1b[2J"}, {"url": "javascript:alert(1)"}]
RESULTS = """\
1. High tide
   https://a.example/1
   Water comes, and this line is longer than the width of the terminal

2. Low tide
   https://b.example/␛[2J
   2. Not a result but a snippet

3. Ebb
   javascript:alert(1)"""


def test_search_results_are_links():
    lines = list(screen.search_lines(RESULTS, ROWS, 40, PEN))
    assert lines[0] == "1. \x1b]8;;https://a.example/1\x1b\\\x1b[1mHigh tide\x1b[22m\x1b]8;;\x1b\\"
    text = "\n".join(lines)
    assert "https://b.example/%1B[2J\x1b\\" in text
    assert "]8;;javascript" not in text
    assert all(style.text_width(visible(line)) <= 40 for line in lines)
    assert "   than the width of the terminal" in lines
    assert "\x1b" not in "".join(screen.search_lines(RESULTS, ROWS, 40, PLAIN))


def test_passages_of_recall_are_markdown_below_their_titles():
    text = "High tide\nhttps://a.example/1\n\n```\n" + "code " * 20 + "\n```\n\n## Head\n\n- " + "item " * 12
    layout = markdown_lines.Layout(40, PEN)
    lines = list(screen.search_lines(text, ROWS, 40, PEN, layout))
    assert "\x1b[1mHigh tide\x1b[22m" in lines[0]
    assert "code " * 20 in lines
    assert "\x1b[2m## \x1b[22m\x1b[1mHead\x1b[22m" in lines
    assert lines[-1].startswith("  item")


def test_a_link_of_a_stranger_ends_where_it_should():
    assert PEN.link("t", "https://e.example/\x1b\\\x07") == "\x1b]8;;https://e.example/%1B\\%07\x1b\\t\x1b]8;;\x1b\\"
    assert PEN.link("t", "https://e.example/" + "a" * 3000) == "t"
    assert PEN.link("t", "https://e.example/é") == "\x1b]8;;https://e.example/%C3%A9\x1b\\t\x1b]8;;\x1b\\"


MANUAL = """\
Title of the topic

A paragraph that goes
on over two lines.

  webtool open URL --outline     headings, each with its line and the tokens below them, to the end
  --a-flag-that-is-long-enough-to-fill-the-column TEXT      what the flag does
"""


def test_the_manual_is_filled_and_its_columns_are_kept():
    lines = list(screen.manual_lines(MANUAL, 60, PLAIN))
    assert "A paragraph that goes on over two lines." in lines
    assert "  --a-flag-that-is-long-enough-to-fill-the-column TEXT" in lines
    assert "      what the flag does" in lines
    assert all(len(line) <= 60 for line in lines)
    assert next(screen.manual_lines(MANUAL, 60, PEN)) == "\x1b[1mTitle of the topic\x1b[22m"


def test_a_narrow_terminal_keeps_rows_within_its_width():
    lines = list(screen.manual_lines("T\n\n  --max-bytes-of N      " + "word " * 20, 40, PLAIN))
    assert max(map(len, lines)) <= 40
    assert len(lines) > 4


def test_escape_sequences_do_not_count_for_the_length_of_a_text(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    line = PEN.link(PEN.paint("word " * 15, "bold"), "https://e.example/" + "a" * 90)
    assert not screen._is_longer([line] * 20)
    assert screen._is_longer([line] * 20 + ["word " * 17] * 2)


def test_findings_show_good_and_bad_by_sign_and_colour():
    findings = {"python": ("ok", "3.13"), "keys": ("note", "missing"), "cache": ("bad", "word " * 20)}
    text = "\n".join(screen.finding_lines(findings, 50, PEN))
    assert "\x1b[32;1m✓\x1b[39;22m" in text
    assert "\x1b[33;1m!\x1b[39;22m" in text
    assert "\x1b[31;1m✗\x1b[39;22m" in text
    plain = list(screen.finding_lines(findings, 50, PLAIN))
    assert plain[0].split() == ["✓", "python", "3.13"]
    assert plain[-1] == "1 bad, 1 worth knowing"
    assert max(map(len, plain)) <= 50


@pytest.mark.parametrize(
    ("words", "environ", "choice"),
    [
        ([], {}, "auto"),
        (["--color", "never", "--wrong"], {}, "never"),
        (["--color=always"], {"WEBTOOL_COLOR": "never"}, "always"),
        ([], {"WEBTOOL_COLOR": "never"}, "never"),
        (["--color"], {}, "auto"),
        (["--color", "never", "--color=always"], {}, "always"),
        (["--", "--color", "never"], {}, "auto"),
        ([], {"WEBTOOL_DEADLINE": "soon", "WEBTOOL_COLOR": "never"}, "auto"),
    ],
)
def test_the_choice_of_colour_is_known_though_other_words_are_wrong(monkeypatch, words, environ, choice):
    monkeypatch.setattr("os.environ", environ)
    assert style.choice_of(words) == choice


@pytest.mark.parametrize("text", [" ", "a ", "東", "\t"])
def test_a_long_line_is_wrapped_in_linear_time(text):
    def cost(size):
        begun = time.perf_counter()
        list(style.wrapped(text * size, 40))
        return time.perf_counter() - begun

    assert growth(cost, 4000) == ""
