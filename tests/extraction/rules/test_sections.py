"""Headings are kept with their sections and questions with their answers."""

import pytest
from choices import run_rows

from webtool.extraction.page import sources
from webtool.html import parse_html


def kept(source, *chosen):
    page, *_ = sources.read(parse_html(source))
    keep = [any(part in block.text for part in chosen) for block in page.blocks]
    run_rows("keep_openers", "match_headings", page, keep)
    return [block.text for block, is_kept in zip(page.blocks, keep) if is_kept]


LONG = "word " * 20


@pytest.mark.parametrize(
    ("source", "chosen", "expected"),
    [
        (f"<p>a<h2>Left</h2><p>{LONG}<h2>Kept</h2><p>b", ["a", "Left", "Kept", "b"], ["a", "Kept", "b"]),
        ("<p>a<h2>Name</h2><p>Oslo<h2>Kept</h2><p>b", ["a", "Name", "Kept", "b"], ["a", "Name", "Kept", "b"]),
        ("<p>aa<h2>Title</h2><p>bb", ["aa", "bb"], ["aa", "Title", "bb"]),
        (f"<h1>The page</h1><p>{LONG}", ["The page"], ["The page"]),
        ("<a href=#t aria-expanded=true>Size</a><div id=t>Ten feet</div><div id=t>More</div>", ["Ten"],
         ["Size", "Ten feet"]),
        ("<a href=#z aria-expanded=true>Top</a><div>Ten</div><div>Plain</div><div id=''>Ten feet</div>", ["Ten"],
         ["Ten", "Ten feet"]),
        ("<h4><button data-target='#a1'>Who?</button></h4><div id=a1>Ann did</div><p><button>More</button>", ["Ann"],
         ["Who?", "Ann did"]),
        ("<a href=#t aria-expanded=true>Size</a><div id=t>Ten feet</div><a href=#u>Top</a><div id=u>Ten</div>", ["Ten"],
         ["Size", "Ten feet", "Ten"]),
        (f"<button aria-controls=x>Why?</button><div id=x>Since<p>{LONG}</div>", ["Since"], ["Since"]),
    ],
)  # fmt: skip
def test_headings_and_answers_are_kept_together(source, chosen, expected):
    assert kept(source, *chosen) == expected
