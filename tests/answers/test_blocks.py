"""Text of the whole page that its main content lacks."""

import pytest

from webtool.answers import blocks, parts

MAIN = "# Lamp\n\nA party of 1,299 guests bought it in stockings.\n\nIt is made\n\nof brass."


@pytest.mark.parametrize(
    ("line", "is_outside"),
    [
        ("Art", True),
        ("In stock", True),
        ("made of brass", True),  # the words of two lines
        ("1450", True),
        ("| 1450 |", True),
        ("party of 1,299 guests", False),
        ("**Brass**", False),
        ("---", False),
        ("", False),
    ],
)
def test_a_line_is_outside_unless_a_line_of_the_main_content_has_its_words(line, is_outside):
    assert blocks.outside_of(MAIN)(line) == is_outside


def test_a_page_without_anything_outside_ends_without_a_gap():
    assert not parts.give(MAIN, {"query": "brass guests"}, whole=f"\n{MAIN}\n").text.endswith("[...]")
