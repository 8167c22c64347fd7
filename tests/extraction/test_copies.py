"""Which repeats are copies of a region made for another device, and which a reader needs."""

import pytest

from webtool.extraction import blocks, copies
from webtool.html import parse_html

LINES = "".join(f"<p>Line {i} of a text that is told once and once more.</p>" for i in range(20))
SHORT = (
    "<h3>Parameters</h3><p>The file descriptor that was opened before.</p>"
    "<p>A function that is called back at the end.</p>"
)


def dropped(source):
    page = blocks.cut(parse_html(source))
    return sum(copies.find(page))


@pytest.mark.parametrize(
    ("source", "count"),
    [
        (f"<div>{LINES}</div><div>{LINES}</div>", 20),
        (f"<div><div>{LINES}</div></div>", 0),
        (f"<div class=desktop>{SHORT}</div><div class=mobile>{SHORT}</div>", 3),
        (f"<div><div class='d-none d-md-block'>{SHORT}</div></div><main>{SHORT}<p>x</p></main>", 0),
        (f"<div><div class='d-none d-md-block'>{SHORT}</div></div><main><div>{SHORT}</div></main>", 3),
        (f"<section>{SHORT}</section><section>{SHORT}</section>", 0),
        (f"<div class=mobile><section>{SHORT}</section><section>{SHORT}</section></div>", 0),
        (f"<section>{SHORT}</section><section>{SHORT}<p>And more.</p></section>", 0),
        ("<ul>" + "<li class=clone>Buy now</li>" * 9 + "</ul>", 0),
    ],
)
def test_only_copies_for_devices_and_long_copies_are_dropped(source, count):
    assert dropped(source) == count


def test_deep_pages_are_compared_in_linear_time():
    deep = "<div class=mobile>" * 3000 + SHORT + "</div>" * 3000
    assert dropped(deep + deep) in (0, 3)
