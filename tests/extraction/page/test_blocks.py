"""Cutting a page into blocks: borders, words and links, containers, hidden text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool import extract
from webtool.extraction.page import cutting, sources
from webtool.html import parse_html

# Rendering section of the HTML Standard: which elements are block-level, and so end a run of inline text.
BORDERS = [
    ("<p>one<p>two", ["one", "two"]),
    ("<div>one<span> two</span></div>three", ["one two", "three"]),
    ("one<br>two", ["one two"]),
    ("<p><br>one<b>two<br></b> three<br></p>", ["onetwo three"]),
    ("one<br><br>two", ["one", "two"]),
    ("<ul><li>a<ul><li>b</ul><li>c</ul>", ["a", "b", "c"]),
    ("<table><tr><th>h<td>d</table>", ["h", "d"]),
    ("<p>before <a href=/x>link</a> after", ["before link after"]),
    ("<my-card>x</my-card>y", ["x", "y"]),
    ("<button>Go</button>there", ["Go", "there"]),
    ("<p>a<script>no</script>b<style>no</style><select><option>no</select>", ["ab"]),
    ("<p>4.6<i class=star></i>71 <b class=x></b>!<svg></svg>a", ["4.6 71 !a"]),
    ("<pre>a<span class=x></span>b</pre>c<i></i>d", ["ab", "cd"]),
    ("<svg><text>no</text></svg><p>yes", ["yes"]),
    ("<p> \n\t </p><p>\u00a0x\u00a0</p>", ["x"]),
]


@pytest.mark.parametrize(("source", "texts"), BORDERS)
def test_runs_end_at_borders_of_block_level_elements(source, texts):
    assert [block.text for block in cutting.cut(parse_html(source)).blocks] == texts


# A small picture in a run, and the white space or line break after it.
SIGNS = [
    ("<p>Press<img class=emoji alt=\U0001f642><br>Then go on", "Press\U0001f642 Then go on"),
    ("<p>Water is H<img class=tex alt=2> <b>O</b> here", "Water is H2 O here"),
    ("<p>A <a href=/x>link<img class=emoji alt=\U0001f642> </a> <b>more</b>", "A link\U0001f642 more"),
    ("<p>See <a href=/x> <img class=emoji alt=maps> </a> <b>here</b>", "See maps here"),
    ("<p>Hold <img class=emoji alt=Ctrl> <img class=emoji alt=C> down", "Hold Ctrl C down"),
    ("<p><img class=emoji alt=\U0001f642><br>Then go on", "\U0001f642 Then go on"),
    ("<div><img class=emoji alt=gear>\n<p>one</p>\n two</div>", "one"),
]


@pytest.mark.parametrize(("source", "text"), SIGNS)
def test_a_small_picture_keeps_its_place_in_the_run(source, text):
    assert cutting.cut(parse_html(source)).blocks[0].text == text


def test_a_small_picture_in_a_hidden_picture_is_not_read():
    root = parse_html("<p>Go <picture hidden><img class=emoji alt=gear></picture> on")
    assert sources.read(root)[0].blocks[0].text == "Go on"


def test_link_words_and_links_are_counted():
    block = cutting.cut(parse_html("<p>see <a href=/a>one two</a> and <a href=/b>three</a>")).blocks[0]
    assert (block.words, block.link_words, block.links) == (5, 3, 2)


def test_lines_of_a_menu_are_links_and_verses_with_notes_are_text():
    menu = "<p><a href=/a>About us</a><br><a href=/b>Contact</a><br><a href=/c>Advertise here</a>"
    verses = "".join(f"<a href=/{n}>I never meant to sail<br>I only came for the light</a><br>" for n in range(4))
    assert [(b.links, b.link_words) for b in cutting.cut(parse_html(f"{menu}<p>{verses}")).blocks] == [(3, 5), (0, 0)]


@pytest.mark.parametrize("word", ["\u6f22\u5b57", "\u30c6\u30b9", "\uf900\ufa0e", "\U00020000\U0002a6df"])
def test_words_of_chinese_and_japanese_are_counted_without_spaces(word):
    assert cutting.cut(parse_html("<p>" + word * 10)).blocks[0].words == 11


def test_containers_hold_ranges_of_blocks():
    page = cutting.cut(parse_html("<main><p>a<p>b</main><footer>c</footer>"))
    ranges = {element.tag: (first, last) for element, first, last in zip(page.element, page.first, page.last)}
    assert ranges["main"] == (0, 2)
    assert ranges["footer"] == (2, 3)
    assert ranges["body"] == (0, 3)


def test_hidden_blocks_are_left_out_and_blocks_of_panels_are_marked():
    root = parse_html("<p>a</p><div><p>b <b>c</b></p></div><p>d</p>")
    hidden = root.children[0].children[1].children[1]
    assert [block.text for block in cutting.cut(root, {hidden}).blocks] == ["a", "d"]
    page = cutting.cut(root, {hidden}, {hidden})
    assert [(block.text, block.hidden) for block in page.blocks] == [("a", False), ("b c", True), ("d", False)]


def test_the_inline_element_around_a_whole_block_is_known():
    page = cutting.cut(parse_html("<div><span class=price>$5</span></div><div>only <b>part</b></div>"))
    assert page.blocks[0].inline.attrs == {"class": "price"}
    assert page.blocks[1].inline is None


def test_a_page_has_no_more_blocks_than_the_limit(monkeypatch):
    monkeypatch.setattr(cutting, "MAX_BLOCKS", 10)
    page = cutting.cut(parse_html("<p>x" * 50))
    assert len(page.blocks) <= 11
    assert all(last <= len(page.blocks) for last in page.last)


@given(st.text(alphabet="<>/pdivabulrhno =\"'x \n", max_size=200))
def test_every_text_node_is_in_at_most_one_block(source):
    page = cutting.cut(parse_html(source))
    for i, (first, last) in enumerate(zip(page.first, page.last)):
        assert 0 <= first <= last <= len(page.blocks)
        assert page.parent[i] < i
    nodes = [id(node) for block in page.blocks for node in block.nodes]
    assert len(nodes) == len(set(nodes))


@pytest.mark.parametrize(
    "formula", ["<math hidden><mi>secret</mi></math>", '<math style="display:none"><mi>secret</mi></math>']
)
def test_a_hidden_formula_is_not_read(formula):
    text = "<p>" + "Tides rise and fall twice a day under the moon and the sun. " * 6
    page = extract(f"<title>T</title><h1>T</h1>{text}<p>Before {formula} and after it, the sea is calm again.{text}")
    assert "secret" not in page.text
    assert "secret" not in page.markdown


@pytest.mark.parametrize(
    ("link", "text"),
    [
        ("<a href=/terms/0-9>#</a>", "# A B"),
        ("<a href='#terms'>#</a>", "A B"),
        ("<a href='/page#terms'>\u00b6</a>", "A B"),
        ("<a class=anchor>#</a>", "A B"),
    ],
)
def test_a_mark_is_left_out_only_if_it_leads_to_a_heading(link, text):
    page = cutting.cut(parse_html(f"<p>{link} <a href=/terms/a>A</a> <a href=/terms/b>B</a>"))
    assert [block.text for block in page.blocks] == [text]
