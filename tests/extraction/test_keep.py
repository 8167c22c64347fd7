"""From chosen blocks to tree, text and links."""

from webtool.extraction import blocks, keep
from webtool.html import parse_html
from webtool.markdown import to_markdown


def kept(source, *wanted):
    """Markdown of the blocks that contain one of the wanted strings."""
    page = blocks.cut(parse_html(source))
    chosen = keep.settle(page, [any(part in block.text for part in wanted) for block in page.blocks])
    return to_markdown(keep.tree(page, chosen)).strip(), keep.text(page, chosen)


def test_dropped_items_leave_no_markers():
    assert kept("<ul><li>one<li>two<li>three</ul>", "one", "three")[0] == "- one\n- three"


def test_rows_are_whole():
    table = "<table><tr><th>a<th>b<tr><td>c<td>d d d d</table>"
    assert kept(table, "a", "b", "d")[0].count("|") == kept(table, "a", "b", "c", "d")[0].count("|")
    assert kept(table, "a", "b", "d")[1] == "a\tb\n\nc\td d d d"


def test_code_is_whole_or_not_at_all():
    code = "<pre><div>first line of code</div><div>second line of code</div><div>}</div></pre><p>after"
    assert kept(code, "first", "second")[1].startswith("first line of code\n\nsecond line of code")
    assert "}" in kept(code, "first", "second")[1]
    assert kept(code, "}", "after")[1] == "after"


def test_code_keeps_its_lines():
    assert kept("<pre>a\n  b\n</pre>", "a")[1] == "a\n  b"


def test_inline_markup_and_links_survive():
    assert kept("<p>see <a href=/x><b>this</b></a></p><p>not", "see")[0] == "see [**this**](/x)"


def test_repeated_text_is_kept_once():
    line = "the same long enough line of text"
    assert kept(f"<p>{line}</p><p>{line}</p><p>short</p><p>short</p>", "same", "short")[1].count(line) == 1
    assert kept("<p>short</p><p>short</p>", "short")[1] == "short\n\nshort"


def test_images_of_kept_content_survive_and_icons_do_not():
    source = (
        "<div><p>kept words here</p><figure><img src=/photo.jpg alt=Photo></figure><img src=/icon.png></div>"
        "<div><p>dropped</p><img src=/other.jpg></div>"
    )
    found = kept(source, "kept")[0]
    assert "![Photo](/photo.jpg)" in found
    assert "icon" not in found
    assert "other" not in found


def test_links_only_where_they_lead_somewhere():
    root = parse_html("<a href=/a>A</a><a href='#x'>B</a><a href=' JavaScript:x'>C</a><a href=/a>A</a><a href=/b></a>")
    assert keep.links(root, "https://x.example/") == [{"text": "A", "href": "https://x.example/a"}]


def test_a_picture_is_shown_once_whatever_its_query():
    source = "<div><p>kept words here</p><div><img src=/a.jpg?w=1 alt=A><img src=/a.jpg?w=2 alt=A></div></div>"
    assert kept(source, "kept")[0].count("](/a.jpg") == 1


def test_a_wall_of_pictures_without_text_is_left_out():
    def wall(size, alt):
        return "<div>" + "".join(f"<img src=/{i}.jpg alt='{alt}'>" for i in range(size)) + "</div>"

    few, many = keep.MOST_NAMELESS, keep.MOST_NAMELESS + 1
    for size, alt, shown in ((few, "", few), (many, "", 0), (many, "A view", many)):
        markdown = kept(f"<div><p>kept words here</p>{wall(size, alt)}</div>", "kept")[0]
        assert markdown.count(".jpg)") == shown


def test_cells_of_a_layout_table_are_judged_by_themselves():
    source = "<table><tr><td>Home<br><br>Links<td>one paragraph<br><br>another paragraph<br><br>a third one</table>"
    assert kept(source, "paragraph", "third")[1] == "one paragraph\n\nanother paragraph\n\na third one"
