"""Which repeats are copies of a region made for another device, and which a reader needs."""

import pytest
from choices import run_rows

from webtool.extraction.page import cutting
from webtool.extraction.rules import copies
from webtool.html import parse_html

LINES = "".join(f"<p>Line {i} of a text that is written once and once more.</p>" for i in range(20))
SHORT = (
    "<h3>Parameters</h3><p>The file descriptor that was opened before.</p>"
    "<p>A function that is called back at the end.</p>"
)


def dropped(source):
    page = cutting.cut(parse_html(source))
    return sum(last - first for first, last, _ in copies.regions(page))


def left(source):
    """The texts that stay of a page that was kept whole."""
    page = cutting.cut(parse_html(source))
    kept = [True] * len(page.blocks)
    run_rows("drop_copied_regions", "drop_repeated_texts", page, kept)
    return [block.text for block, is_kept in zip(page.blocks, kept) if is_kept]


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


def test_a_text_shown_twice_in_places_of_another_kind_is_kept_once():
    card = "<div class=card><a class=cover><p>How tea is picked</p></a><h3>How tea is picked</h3><p>By hand.</p></div>"
    assert left(card) == ["How tea is picked", "By hand."]
    assert left("<p class=a>Buy</p><h3>Buy</h3>") == ["Buy", "Buy"]


@pytest.mark.parametrize(
    "source",
    [
        "<p>And so we sail on</p><ol><li>And so we sail on</li></ol>",
        "<ol><li>Rest for ten minutes.</li><li>Fold it.</li><li>Rest for ten minutes.</li></ol>",
        "<table><tr class=r1><td>Free of charge</td></tr><tr class=r2><td>Free of charge</td></tr></table>",
        "<h2>In the morning hours</h2>" + "<p>x</p>" * copies.MAX_DISTANCE + "<ul><li>In the morning hours</li></ul>",
        "<h4 class=name>Read all of it</h4><p>Read all of it</p>" + "<pre>read()</pre>" * 12,
    ],
)
def test_rows_steps_and_references_stay(source):
    assert left(source) == left(f"<main>{source}</main>") == [b.text for b in cutting.cut(parse_html(source)).blocks]


@pytest.mark.parametrize(("words", "is_kept"), [(20, True), (60, False)])
def test_a_quote_is_dropped_only_if_it_is_long_and_repeats_the_page(words, is_kept):
    post = " ".join(f"word{i}" for i in range(words))
    assert left(f"<p>{post}</p><blockquote><p>{post}</p></blockquote><p>I agree.</p>").count(post) == 1 + is_kept
    assert left(f"<blockquote><p>{post}</p></blockquote><p>I agree.</p>") == [post, "I agree."]


def test_the_chosen_one_of_two_copies_stays():
    text = "".join(f"<p>The ferry left the harbour on day {day}, an hour after the fog.</p>" for day in range(40))
    page = cutting.cut(parse_html(f"<div>{text}</div><main>{text}</main>"))
    half = len(page.blocks) // 2
    for keep, kept in (([False] * half + [True] * half,) * 2, ([True] * (2 * half), [True] * half + [False] * half)):
        flags = list(keep)
        run_rows("drop_copied_regions", "drop_repeated_texts", page, flags)
        assert flags == kept
