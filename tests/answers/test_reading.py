"""Inline markdown becomes the text that a reader sees."""

import time

import pytest
from growing import growth

from webtool.answers.reading import as_read

READ = [
    ('a [link](https://a.example/x_(y) "T") b', "a link b"),
    ("[![alt](/i.png)](https://a.example/)", "alt"),
    ("![](/i.png)x", "x"),
    ("*one* **two** __three__ ~~four~~ snake_case_name 2 * 3", "one two three four snake_case_name 2 * 3"),
    ("`a*b\\*c` and ``x ` y``", "`a*b\\*c` and ``x ` y``"),
    ("1\\. \\*not emphasis\\* \\[1\\]", "1. *not emphasis* [1]"),
    ("<https://a.example/b> a<br>b 1 < 2", "https://a.example/b a b 1 < 2"),
    ("[not a link] (text) ]x[", "[not a link] (text) ]x["),
    ("line\\\nbreak", "line\nbreak"),
    ("a ` b [c](d) e", "a ` b c e"),
]


@pytest.mark.parametrize(("markdown", "text"), READ)
def test_marks_go_and_text_stays(markdown, text):
    assert as_read(markdown) == text


@pytest.mark.parametrize("piece", ["[", "![", "](", "[a](", "`", "`` ", "*_", "\\", "<a ", '[a](b "'])
def test_marks_that_never_close_take_linear_time(piece):
    def cost(count):
        text, begin = piece * count, time.process_time()
        as_read(text)
        return time.process_time() - begin

    assert not growth(cost, 20000)
