"""extract() as callers see it: small pages of all seven kinds, strategies, fallbacks, any input."""

import json
import pathlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

import webtool
from webtool.errors import InvalidArgument
from webtool.extraction import article, extract
from webtool.html import parse_html
from webtool.html.node import walk

CASES = pathlib.Path(__file__).resolve().parents[1] / "cases" / "extraction"
KINDS = ["article", "documentation", "service", "forum", "listing", "collection", "product"]


def case(kind):
    return (CASES / f"{kind}.html").read_bytes(), json.loads((CASES / f"{kind}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", KINDS)
def test_the_content_is_kept_and_the_rest_is_not(kind):
    source, expected = case(kind)
    extraction = extract(source, expected["address"])
    assert extraction.strategy_used == "readability"
    for snippet in expected["with"]:
        assert snippet in extraction.text
    for snippet in expected["without"]:
        assert snippet not in extraction.text


@pytest.mark.parametrize("kind", KINDS)
def test_structure_survives_in_the_markdown(kind):
    source, expected = case(kind)
    extraction = extract(source, expected["address"])
    for part in expected["markdown"]:
        assert part in extraction.markdown


@pytest.mark.parametrize("kind", KINDS)
def test_metadata_is_found(kind):
    source, expected = case(kind)
    extraction = extract(source, expected["address"])
    for field in ("title", "byline", "published", "language", "site_name"):
        if expected.get(field):
            assert getattr(extraction, field) == expected[field]


@pytest.mark.parametrize("kind", KINDS)
def test_bytes_text_and_tree_give_the_same(kind):
    source, expected = case(kind)
    root = parse_html(source, scripting=True)
    before = [(event, id(node)) for event, node in walk(root)]
    assert extract(source, expected["address"]) == extract(source.decode(), expected["address"])
    assert extract(root, expected["address"]) == extract(source, expected["address"])
    assert [(event, id(node)) for event, node in walk(root)] == before


@pytest.mark.parametrize("strategy", ["readability", "dom_smoothie", "plain_text"])
def test_each_strategy_answers(strategy):
    source, expected = case("article")
    extraction = extract(source, expected["address"], strategy)
    assert extraction.strategy_used == strategy
    assert "Ice does not care about budgets." in extraction.text


def test_plain_text_is_everything_visible():
    extraction = extract(case("article")[0], strategy="plain_text")
    assert "Ferry prices rise again" in extraction.text
    assert "All rights reserved" in extraction.text


def test_an_unknown_strategy_is_refused():
    with pytest.raises(InvalidArgument, match="strategy is 'magic'"):
        extract("<p>x", strategy="magic")


def test_links_are_absolute_and_lead_somewhere():
    links = extract(case("article")[0], "https://tidal.example/2024/02/11/harbour-froze-twice").links
    assert {"text": "plan for the sluice", "href": "https://tidal.example/plans/sluice"} in links
    assert not extract("<p>" + "word " * 40 + "<a href='javascript:x()'>go</a>").links


def test_a_link_called_base_is_not_the_base_element():
    source = (
        "<link rel=base href=https://other.example/><p>" + "A long enough sentence of text. " * 9 + "<a href=c>a</a>"
    )
    assert extract(source, "https://x.example/d").links[0]["href"] == "https://x.example/c"


def test_the_base_element_counts():
    source = "<base href=/b/><p>" + "A long enough sentence for an article, with words. " * 8 + "<a href=c>link</a>"
    assert extract(source, "https://x.example/a/").links == ({"text": "link", "href": "https://x.example/b/c"},)


def test_a_loss_falls_back_to_the_next_strategy(monkeypatch):
    monkeypatch.setattr(article.scoring, "choose", lambda page, chances: [False] * len(page.blocks))
    extraction = extract(case("article")[0])
    assert extraction.strategy_used == "dom_smoothie"
    assert "a marked oar" in extraction.text


def test_a_loss_asks_the_data_of_the_page_first(monkeypatch):
    monkeypatch.setattr(article.scoring, "choose", lambda page, chances: [False] * len(page.blocks))
    body = "The lamp is turned from one piece of ash and oiled by hand. " * 8
    data = json.dumps({"@type": "Product", "name": "Lamp", "description": body})
    notice = "<p>" + "We may collect identifiers under the law of your state, as said in the notice. " * 12
    extraction = extract(f"<script type=application/ld+json>{data}</script>{notice}")
    assert extraction.strategy_used == "structured_data"
    assert extraction.text.strip() == body.strip()


def test_nothing_but_links_is_given_whole(monkeypatch):
    monkeypatch.setattr(article.scoring, "choose", lambda page, chances: [False] * len(page.blocks))
    source = "<ul>" + "".join(f"<li><a href=/{i}>Story number {i}</a>" for i in range(40))
    extraction = extract(source)
    assert extraction.strategy_used == "plain_text"
    assert "Story number 39" in extraction.text


@pytest.mark.parametrize(("around", "used"), [("<a href=/>{}</a>", "readability"), ("{}", "dom_smoothie")])
def test_dropped_menus_are_not_a_loss_and_dropped_text_is(monkeypatch, around, used):
    lines = "".join(f"<p>{around.format(f'Line {i} of a page, with some more words in it.')}</p>" for i in range(40))
    source = f"<body>Six words are what it says.<div>{lines}</div>"
    monkeypatch.setattr(
        article.scoring, "choose", lambda page, _: [block.text.startswith("Six") for block in page.blocks]
    )
    assert extract(source).strategy_used == used


@pytest.mark.parametrize("source", ["<p>y", "<div>Short page</div>", "one two three"])
def test_a_few_words_are_better_than_none(source):
    assert extract(source).text in ("y", "Short page", "one two three")


def test_hidden_text_stays_out():
    paragraph = "<p>" + "Ordinary words of an ordinary article, one after another. " * 6
    source = f"{paragraph}</p><div style='display:none'><p>{'Do what I say now. ' * 5}</p></div>{paragraph}"
    extraction = extract(source)
    assert "Do what I say" not in extraction.text
    assert "Do what I say" not in extraction.markdown
    assert "Do what I say" not in extract(source, strategy="plain_text").text


@pytest.mark.parametrize(
    "source", ["", b"", "   ", "<html>", "<!-- x -->", "plain words", b"\xff\xfe", "<title>t</title>"]
)
def test_pages_with_next_to_nothing(source):
    assert isinstance(extract(source).text, str)


@given(
    st.one_of(st.text(max_size=300), st.binary(max_size=300), st.text(alphabet="<>/pdivtrahu l=\"'x&;", max_size=300))
)
def test_any_input_is_answered(source):
    extraction = extract(source, "https://x.example/")
    assert isinstance(extraction.markdown, str)
    assert extraction.strategy_used in ("readability", "dom_smoothie", "plain_text")
    assert extract(source, "https://x.example/") == extraction


def test_formulas_that_hold_no_text_stay_in_the_main_content():
    text = "<p>The harbour has two tides a day, and the second one comes later than the first one did.</p>" * 6
    line = "<p>The area is <mjx-container><mjx-math data-latex='x^2'></mjx-math></mjx-container>, and in full it is</p>"
    alone = "<p><mjx-container display=true><svg><g data-latex='y^2'></g></svg></mjx-container></p>"
    markdown = webtool.extract(f"<article><h1>Tides</h1>{text}{line}{alone}{text}</article>").markdown
    assert "$x^2$" in markdown
    assert "$$y^2$$" in markdown


ROLES = [  # a part of a page, and what its role makes of it in the main content
    ("<div role={}><div role={row}><b role={cell}>Tide</b><b role={cell}>High</b></div>" * 2, "table"),
    ("<p>Read<a role={} href=#n1 id=r1>1</a>.</p><div role={section}><ol><li id=n1>A note.<a href=#r1>x</a></ol></div>",
     "doc-noteref"),
    ("<div role={}><h3>Tides</h3><p>One two three.</p></div>", "main"),
    ("<div role={list}><a role={} href=/a>Tides of the year</a><a role={} href=/b>Moon</a></div>", "listitem"),
    ("<div role={} aria-label='A boat below the bridge'></div>", "img"),
]  # fmt: skip


@pytest.mark.parametrize(("part", "role"), ROLES, ids=[role for _, role in ROLES])
@pytest.mark.parametrize("strategy", ["readability", "dom_smoothie", "plain_text"])
def test_a_role_counts_however_it_is_written(part, role, strategy):
    text = "The old harbour was rebuilt by the town after the second storm, and boats have moored there since. " * 3
    names = {"row": "row", "cell": "cell", "section": "doc-endnotes", "list": "list"}

    def made(written):
        roles = {key: repr(written(name)) for key, name in names.items()}
        body = part.replace("{}", repr(written(role))).format(**roles)
        menu = f"<div role={written('navigation')!r}><a href=/c>All boats</a> of the town</div>"
        found = extract(f"<body>{menu}<h1>Harbour</h1><p>{text}</p>{body}<p>{text}</p></body>", strategy=strategy)
        return found.markdown, found.left_out

    assert made(lambda role: f" {role.title()} ") == made(str)


def test_only_links_to_pages_are_listed():
    links = "<a href=/a>A</a><a href='#x'>B</a><a href=' JavaScript:x'>C</a><a href=/a>A</a><a href=/b></a>"
    page = f"<main><h1>Tides</h1><p>The harbour has two tides a day: {links} and more of them.</p></main>"
    assert extract(page, "https://x.example/").links == ({"text": "A", "href": "https://x.example/a"},)
