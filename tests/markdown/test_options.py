"""Check the options of to_markdown: how links and images are written, and where a long text ends."""

import pytest

from webtool.html import parse_fragment, parse_html
from webtool.markdown import to_markdown
from webtool.running.budget import Budget

PAGE = (
    '<h1><a href="/">Home</a></h1><p>See <a href="/a">one</a>, <a href="/b">two</a> and <a href="/a">one again</a>; '
    '<img src="/c.png" alt="a cat"> and <a href="/d"><img src="/d.png" alt="a dog"></a></p>'
)


def test_links_are_numbered_at_the_end_each_address_once():
    text = to_markdown(parse_html(PAGE), "https://x.example/", links="refs")
    assert text.startswith("# [Home][1]\n\nSee [one][2], [two][3] and [one again][2]; ")
    assert text.endswith(
        "\n\n[1]: https://x.example/\n[2]: https://x.example/a\n[3]: https://x.example/b\n[4]: https://x.example/d\n"
    )


def test_numbered_links_render_to_the_same_document(to_html, outline):
    numbered, inline = (to_markdown(parse_html(PAGE), "https://x.example/", links=how) for how in ("refs", "inline"))
    assert outline(to_html(numbered)) == outline(to_html(inline))


def test_numbers_in_the_text_do_not_become_links():
    page = '<p>as shown in [1] and [2]</p><p>[1]: <a href="/a">one</a></p>'
    text = to_markdown(parse_html(page), "https://x.example/", links="refs")
    assert text == "as shown in \\[1] and \\[2]\n\n\\[1]: [one][1]\n\n[1]: https://x.example/a\n"


def test_an_element_without_a_parent_may_be_what_a_heading_links_to():
    page = "<div id=a><div><div><div><div><h2><a href=#a>b</a></h2><p>c</p></div></div></div></div></div>"
    element = parse_fragment(page).children[0]
    element.parent = None
    assert to_markdown(element) == "## [b](#a)\n\nc\n"


def test_a_cell_without_a_parent_may_begin_like_a_list_item():
    cell = parse_fragment("<td>1.</td>", "tr").children[0]
    cell.parent = None
    assert to_markdown(cell) == "1\\.\n"


def test_links_may_be_their_text_only():
    text = to_markdown(parse_html(PAGE), links="none")
    assert text.startswith("# Home\n\nSee one, two and one again; ")
    assert "](" not in text.replace("![a cat](/c.png)", "").replace("![a dog](/d.png)", "")


@pytest.mark.parametrize(("images", "end"), [("alt", "; a cat and [a dog](/d)\n"), ("none", "; and [a dog](/d)\n")])
def test_pictures_may_be_their_description_or_nothing(images, end):
    text = to_markdown(parse_html(PAGE), images=images)
    assert "![" not in text
    assert text.endswith(end)


def test_a_long_base_is_not_written_with_each_link():
    page = '<base href="http://e/' + "a" * 60_000 + '/">' + "<a href=x>y</a> <img src=z alt=w>" * 4_000
    assert len(to_markdown(parse_html(page))) < 200_000
    assert len(to_markdown(parse_html(page[60_050:]), "http://e/" + "a" * 60_000 + "/")) < 200_000


@pytest.mark.parametrize(
    "page",
    [
        "<p>" + "<a href=x>y</a>" * 20_000,
        "<p>word</p>" * 20_000,
        ("<table><tr><th colspan=900>" + "a" * 20 + "<tr>" + "<td>b" * 900 + "</table>") * 20,
        "<blockquote>" * 20 + "<pre>" + "\n" * 100_000,
    ],
    ids=["links", "paragraphs", "tables", "quotes"],
)
def test_text_beyond_the_budget_is_cut_with_a_note(page):
    budget = Budget(50_000)
    text = to_markdown(parse_html(page), "http://e/" + "a" * 500 + "/", budget=budget)
    assert budget.is_spent
    assert text.endswith("[The text was cut: written out, it would have more than 50,000 characters.]\n")
    assert len(text) < 200_000


def test_a_budget_that_ends_inside_a_cell_gives_the_row_so_far():
    page = "<table><tr><th>Name<th>Link<tr><td>x<td><a href=/abc>one</a> and <a href=/bcd>two</a></table>"
    text = to_markdown(parse_html(page), "http://e/", budget=Budget(20))
    assert text.startswith("| Name | Link |\n| --- | --- |\n| x | [one](http://e/abc) and |\n")


def test_twenty_panels_with_white_space_between_them_have_the_names_of_their_tabs():
    tabs = "".join(f"<label>T{number}</label>" for number in range(20))
    panels = "\n".join(f"<div role=tabpanel>p{number}</div>" for number in range(20))
    text = to_markdown(parse_html(f"<div><div class=tabs>{tabs}</div>\n{panels}</div>"))
    assert all(f"**T{number}**\n\np{number}\n" in text for number in range(20))


@pytest.mark.parametrize("limit", range(30))
def test_a_budget_that_ends_before_the_numbered_links_gives_a_list_of_them(limit):
    text = to_markdown(parse_html("<p><a href=/b>a</a>"), "http://e/", links="refs", budget=Budget(limit))
    assert "[a][1]" not in text or "[1]: http://e/b" in text
    assert limit < 29 or "[a][1]" in text
