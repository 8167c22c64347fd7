"""Pages about code keep their sections whole; what is around them, and other pages, stay as the model chose."""

import pytest
from choices import run_rows

from webtool.extraction.page import cutting
from webtool.extraction.rules import manuals
from webtool.html import parse_html

MEMBER = "<dt><code>size(value)</code></dt><dd>How many there are of a value.</dd>"
MENU = "<nav>" + "<a href=#x><code>size</code></a><br><br>" * 12 + "</nav>"
FOOT = "<footer><p>Made by the <code>builder</code> of pages.</p></footer>"


def chosen(source, chance):
    """The texts that are chosen when the model chose those with "many" in them, and gave the others a chance."""
    page = cutting.cut(parse_html(source))
    keep = ["many" in block.text for block in page.blocks]
    run_rows("keep_reference", "keep_reference", page, keep, chances=[chance] * len(keep))
    return [block.text for block, is_chosen in zip(page.blocks, keep) if is_chosen]


def test_doubtful_signatures_are_kept_with_their_definitions():
    texts = chosen(f"{MENU}<main><dl>{MEMBER * 12}</dl></main>{FOOT}", 0.2)
    assert texts == ["size(value)", "How many there are of a value."] * 12


@pytest.mark.parametrize("chance", [0.0, manuals.MIN_CHANCE - 0.01])
def test_an_unlikely_block_of_a_reference_stays_out(chance):
    texts = chosen(f"{MENU}<main><dl>{MEMBER * 12}</dl></main>{FOOT}", chance)
    assert texts == ["How many there are of a value."] * 12


def test_links_between_the_members_stay_out():
    source = "<main><dl>" + MEMBER * 12 + "<dd><a href=#top>Up to the overview</a></dd></dl></main>"
    assert "Up to the overview" not in chosen(source, 0.3)


@pytest.mark.parametrize(
    ("source", "is_about_code"),
    [
        (f"<dl>{MEMBER * 12}</dl>", True),
        (f"<dl>{MEMBER * 9}</dl>", False),
        ("<p>Text and <code>code</code>.</p>" * 12 + "<p>Text.</p>" * 100, False),
        ("<pre>run()</pre>" * 12, True),
        ("<pre><span>run()</span></pre>" * 12, True),
        ("<p><code><b>run</b>()</code></p>" * 12, True),
        ("", False),
    ],
)
def test_a_page_is_about_code_by_its_blocks(source, is_about_code):
    assert manuals.is_manual(cutting.cut(parse_html(source))) == is_about_code
