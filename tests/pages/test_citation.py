"""A citation has all that it takes to check a quote again, and is refused where nobody else could."""

import json

import pytest
from fakes import FakeClient
from servers import Server, page

from webtool import __version__, pages, registry
from webtool.answers.question import quotes
from webtool.context import Context
from webtool.errors import CacheMiss, InvalidArgument, UnsupportedContent
from webtool.pages import citation
from webtool.pages.request import PageRequest
from webtool.pages.stored_copies import with_rendered_body
from webtool.settings import Settings

HTML = "<title>Tides</title><main><h1>Tides</h1><p>The harbour has \u201ctwo\u201d tides a <b>day</b>.</p></main>"
PRIVATE = "<nav><a href=?token=hunter2&x=1>Next tide</a></nav>"


@pytest.fixture
def site():
    routes = {
        "/page": page(HTML),
        "/away": (302, {"Location": "/page"}, b""),
        "/secret": page(HTML + PRIVATE),
        "/typeless": (200, {}, HTML.encode()),
        "/no-store": (200, {"Content-Type": "text/html", "Cache-Control": "no-store"}, HTML.encode()),
    }
    with Server(routes) as server:
        yield server


def opened(ctx, url, mode="full", **choices):
    return pages.open_page(ctx, PageRequest(url, mode, **choices)).snapshot


def test_a_citation_says_what_was_read_where_and_when(ctx, site):
    snapshot = opened(ctx, f"{site.url}/away")
    cited = citation.cite(ctx, snapshot, "  has \u201ctwo\u201d tides a day ", "claim 4")
    assert cited == {
        "quote": "has \u201ctwo\u201d tides a day",
        "verdict": "verbatim",
        "lines": [3, 3],
        "url": f"{site.url}/page",
        "title": "Tides",
        "mode": "full",
        "extractor": "html",
        "content_type": "text/html; charset=utf-8",
        "body_sha256": citation.sha256(HTML.encode()),
        "fetched_at": snapshot.fetched_at,
        "webtool": __version__,
        "hash": snapshot.hash,
        "note": "claim 4",
    }


def test_lines_are_those_of_the_whole_page_in_every_mode(ctx, site):
    for mode in ("readable", "full", "raw"):
        cited = citation.cite(ctx, opened(ctx, f"{site.url}/page", mode), "two tides")
        assert cited["verdict"] == "absent"
        cited = citation.cite(ctx, opened(ctx, f"{site.url}/page", mode), "The harbour has")
        assert (cited["mode"], cited["lines"], cited["title"]) == ("full", [3, 3], "Tides")


def test_the_same_bytes_give_the_same_verdict_whatever_is_set(make_context, site):
    """Settings, the clock and the time that is left do not reach the conversion."""
    seen = []
    for settings in ({}, {"max_bytes": 400, "render": "auto", "debug": True}, {"siteconfig_dir": "/nowhere"}):
        ctx = make_context(**settings)
        snapshot = opened(ctx, f"{site.url}/page")
        ctx.deadline = 0.0 if seen else ctx.deadline
        seen.append({**citation.cite(ctx, snapshot, "has two tides"), "fetched_at": ""})
    assert seen[0] == seen[1] == seen[2]


def test_secrets_of_an_address_are_blanked_and_change_no_line(ctx, site):
    snapshot = opened(ctx, f"{site.url}/secret?access_token=hunter2&code=hunter2&page=1")
    cited = citation.cite(ctx, snapshot, "The harbour has")
    assert "hunter2" not in json.dumps(cited)
    assert cited["url"].endswith("/secret?access_token=***&code=***&page=1")


def test_a_body_without_a_media_type_can_be_cited(ctx, site):
    assert citation.cite(ctx, opened(ctx, f"{site.url}/typeless"), "The harbour")["content_type"] == ""


def test_a_rendered_page_and_a_cut_body_are_refused_and_the_hint_says_what_to_do(ctx, site):
    snapshot = opened(ctx, f"{site.url}/page")
    for refused, hint in (
        (snapshot._replace(mode="rendered"), "without scripts"),
        (with_rendered_body(snapshot, HTML.encode(), "data-x"), "without scripts"),
        (snapshot._replace(raw_truncated=1), "force_refresh"),
        (opened(ctx, f"{site.url}/page", "raw", max_bytes=40), "max_bytes"),
    ):
        with pytest.raises(UnsupportedContent) as failed:
            citation.cite(ctx, refused, "The harbour")
        assert hint in failed.value.hint


def test_a_cut_body_of_the_same_entity_tag_is_not_cited(ctx, site, monkeypatch):
    snapshot = opened(ctx, f"{site.url}/page")._replace(etag='"a"')
    monkeypatch.setattr(citation, "rows_of", lambda *_: [snapshot._replace(raw_truncated=1)])
    with pytest.raises(CacheMiss):
        citation.cite(ctx, snapshot._replace(raw_bytes=None), "The harbour")


def test_a_page_whose_body_is_gone_is_refused(ctx, site):
    snapshot = opened(ctx, f"{site.url}/page")
    ctx.cache.delete(snapshot.hash)
    with pytest.raises(CacheMiss):
        citation.cite(ctx, snapshot._replace(raw_bytes=None), "The harbour")
    with pytest.raises(CacheMiss):  # without a cache nothing is stored
        citation.cite(Context(Settings(cache=False), FakeClient({})), snapshot._replace(raw_bytes=None), "The harbour")


def test_a_page_that_was_renewed_is_cited_by_the_body_that_is_stored(make_context):
    def page_with_validator(handler):
        headers = {"Content-Type": "text/html", "ETag": '"1"', "Cache-Control": "max-age=1"}
        return (304, headers, b"") if handler.headers.get("If-None-Match") else (200, headers, HTML.encode())

    with Server({"/page": page_with_validator}) as server:
        times = [1.8e9]
        ctx = make_context(now=lambda: times[0])
        opened(ctx, f"{server.url}/page", "readable")
        opened(ctx, f"{server.url}/page")
        times[0] += 9e4
        assert (
            citation.cite(ctx, opened(ctx, f"{server.url}/page", force=False), "The harbour")["verdict"] == "verbatim"
        )


TOOLS = [
    ("open", "url", {"verify": "The harbour has"}),
    ("open", "url", {"verify": "The harbour has", "mode": "raw"}),
    ("fetch", "url", {"verify": "The harbour has"}),
    ("verify", "page", {"quote": "The harbour has"}),
    ("cache get", "hash", {"verify": "The harbour has"}),
]


@pytest.mark.parametrize(("command", "name", "members"), TOOLS)
def test_verify_answers_with_the_citation_on_every_tool(ctx, site, command, name, members):
    snapshot = opened(ctx, f"{site.url}/page")
    place = snapshot.hash if name == "hash" else f"{site.url}/page"
    data = registry.call(command, ctx, {name: place, **members}).data
    assert {**data["citation"], "hash": ""} == {**citation.cite(ctx, snapshot, "The harbour has"), "hash": ""}
    absent = {next(iter(members)): "nine tides"}
    assert "citation" not in registry.call(command, ctx, {name: place, **members, **absent}).data


def test_a_note_says_why_verify_has_no_citation(ctx, site):
    data = registry.call("open", ctx, {"url": f"{site.url}/page", "verify": "<title>", "mode": "raw"}).data
    assert data["verdict"] == "verbatim"
    assert "citation" not in data
    assert "no citation: the page in mode full does not have the quote" in data["note"]
    cut = {"mode": "raw", "max_bytes": 60, "force_refresh": True}
    data = registry.call("open", ctx, {"url": f"{site.url}/page", "verify": "Tides", **cut}).data
    assert "no citation: Only a part of" in data["note"]
    ctx.is_person = True  # a person has webtool cite
    assert "citation" not in registry.call("fetch", ctx, {"url": f"{site.url}/page", "verify": "The harbour"}).data


def test_html_at_hand_has_no_citation(ctx):
    data = registry.call("extract", ctx, {"html": HTML, "verify": "The harbour has"}).data
    assert (data["verdict"], "citation" in data, "note" in data) == ("verbatim", False, False)


# Letters and compatibility characters that came with Unicode 14 to 16: Pythons know them or do not.
LATER = "\u0870\u08b5\u0c5d\u9ffd\ua7c0\ua7f2\U00010781\U0001e030\U0001df00\U0001e4d0\U00031350\U0002ebf0\ua7da"


@pytest.mark.parametrize("character", LATER)
def test_characters_that_only_some_pythons_know_are_no_letters(character):
    text = f"Words x{character}y and tides{character}."
    assert quotes.plain(text) == text
    assert quotes.verify(text, "tides")["verdict"] == "verbatim"
    assert quotes.verify(text, f"x{character}y  and")["verdict"] == "normalised"
    assert quotes.verify(text, character)["verdict"] == "verbatim"


@pytest.mark.parametrize("character", LATER)
def test_markup_beside_such_a_character_is_written_alike_everywhere(character):
    """Each of these has one form, whether the Python knows the character or not, and a reader sees all of the text."""
    html = f"<p>b<b>{character}</b>bb_{character}_ a<i>{character}a</i>{character} <b>({character})</b>c"
    quote = f"b{character}bb_{character}_ a"
    checked = citation.check(html.encode(), "text/html; charset=utf-8", "https://a.example/", [quote])
    assert checked.verdicts[0]["verdict"] == "verbatim"


def test_a_text_without_words_is_no_quote():
    for text in ("", "\u2026 \u2014", "*"):
        with pytest.raises(InvalidArgument):
            quotes.verify("words", text)


def test_check_gives_the_verdicts_that_it_has_when_its_time_is_up():
    checked = citation.check(HTML.encode(), "text/html", "https://a.example/", ["The harbour"] * 3, 0.0)
    assert len(checked.verdicts) == 1
