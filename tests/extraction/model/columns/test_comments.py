"""Features of comments: found by class names and headings, with the text outside of them counted."""

from webtool.extraction.model.columns import features
from webtool.extraction.model.columns import tree as tree_columns
from webtool.extraction.model.columns.scales import log_scale
from webtool.extraction.page import cutting
from webtool.html import parse_html

LONG = "A sentence of running text that is long enough to count as such, with sixteen words in it."


def figures(source):
    page = cutting.cut(parse_html(source))
    tags = [page.element[block.container].tag for block in page.blocks]
    columns = features.comment_columns(page, tree_columns.Sums(page, tags), tags)
    return dict(zip(features.COMMENT_NAMES, columns))


def test_blocks_inside_an_element_named_after_comments_are_comments():
    row = figures(f"<p>{LONG}<div id=disqus_thread><p>{LONG}</div><ol class=commentlist><li><p>{LONG}</ol><p>{LONG}")
    assert row["in_comments"] == [0, 1, 1, 0]
    assert row["comments_share"] == [50] * 4
    assert row["comments_count"] == [log_scale(2)] * 4


def test_a_body_named_after_comments_is_not_a_comment():
    assert figures(f"<body class='post comments-open'><p>{LONG}")["in_comments"] == [0]


def test_blocks_below_a_heading_about_comments_are_marked():
    row = figures("<p>a<h2>3 Thoughts on ice</h2><p>b<h3>Replies</h3><p>c<h2>Other</h2><p>d")
    assert row["under_comments"] == [0, 1, 1, 1, 1, 0, 0]


def test_running_text_before_and_outside_of_comments_is_counted():
    words = len(LONG.split())
    row = figures(f"<p>{LONG}<div class=comments><p>{LONG}</div><p>{LONG}")
    assert row["before_comments"] == [log_scale(words)] * 3
    assert row["outside_words"] == [log_scale(2 * words)] * 3


def test_a_page_without_text_has_empty_columns():
    assert figures("") == {name: [] for name in features.COMMENT_NAMES}
