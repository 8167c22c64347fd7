"""The classical scoring and its thresholds."""

import pytest

from webtool.extraction import classic
from webtool.extraction.page import cutting
from webtool.html import parse_html

TEXT = "A sentence with a comma, another one, and enough words to count as a paragraph of an article. " * 3
SHORT = "This one is short, but a paragraph."


def kept(source, **thresholds):
    page = cutting.cut(parse_html(source))
    return [block.text for block, is_kept in zip(page.blocks, classic.choose(page, **thresholds)) if is_kept]


def test_the_container_with_most_text_wins():
    source = f"<div class=sidebar><a href=/a>One</a><a href=/b>Two</a></div><div class=content><p>{TEXT}<p>{TEXT}</div>"
    assert kept(source) == [TEXT.strip()] * 2


def test_lists_of_links_inside_are_cleaned():
    links = "".join(f"<li><a href=/{i}>Related story {i}</a>" for i in range(9))
    assert kept(f"<div class=content><p>{TEXT}<p>{TEXT}<ul>{links}</ul></div>") == [TEXT.strip()] * 2


def test_a_sibling_paragraph_joins():
    keep = kept(f"<div><p>{TEXT}</p><div class=entry><p>{TEXT}<p>{TEXT}</div></div>")
    assert len(keep) == 3


def test_char_threshold_loosens_the_rules():
    source = f"<div class=comment><p>{TEXT}<p>{TEXT}</div><div class=main><p>{SHORT}<p>{SHORT}</div>"
    strict = kept(source, char_threshold=10)
    loose = kept(source, char_threshold=5000)
    assert sum(map(len, loose)) > sum(map(len, strict))


def test_max_top_candidates_lets_rivals_share_a_parent():
    parts = "".join(f"<div class=part><p>{TEXT}{i}<p>{TEXT}</div>" for i in range(5))
    source = f"<div class=outer>{parts}<span>{SHORT}</span></div><div>{SHORT}</div>"
    assert len(kept(source, max_top_candidates=5)) >= len(kept(source, max_top_candidates=1))


def test_a_page_without_paragraphs_keeps_nothing():
    assert kept("<ul><li>a<li>b</ul>") == []


COMMAS = [",", "\u060c", "\uff0c", "\u3001", "\ufe50", "\u055d"]


@pytest.mark.parametrize("comma", COMMAS, ids=ascii)
def test_commas_of_every_script_give_points(comma):
    poor = "<p>" + "A paragraph of some length without any such mark at all"
    rich = f"<p>A paragraph{comma} of some length{comma} with a few{comma} of these marks{comma} in it"
    keep = kept(f"<div><section>{poor * 2}</section></div><div><section>{rich * 2}</section></div>", char_threshold=9)
    assert len(keep) == 2
    assert all(comma in text for text in keep)


def test_a_box_with_ten_commas_is_text_in_every_script():
    box = "<div class=side>" + "<p>\u6e2f\uff0c\u8239\uff0c\u98ce\uff0c" * 4 + "<a href=/a>\u6d77</a>" * 9 + "</div>"
    keep = kept(f"<div class=content><p>{TEXT}<p>{TEXT}{box}</div>")
    assert len(keep) == 6


def test_a_short_sibling_with_a_full_stop_of_another_script_joins():
    source = f"<div><p>\u8239\u5728\u6e2f\u91cc\u3002</p><div class=entry><p>{TEXT}<p>{TEXT}</div></div>"
    assert len(kept(source)) == 3
