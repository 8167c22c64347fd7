"""How results are cleaned, and what of them reaches a program or a reader."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.errors import InvalidArgument
from webtool.providers import payload, results
from webtool.providers.results import Answer, Query, SearchResult, age_limit, checked, plain, plain_from_html

HTML = [
    ("A <strong>b</strong> &amp; c", "A b & c"),
    ("&lt;script&gt; stays text", "<script> stays text"),
    ("It doesn&#x27;t&hellip; 40&nbsp;000 &quot;x&quot;", 'It doesn\'t… 40 000 "x"'),
    ("<b>a</b>b<br/>c<!-- no -->d", "ab cd"),
    ("<P>one</P><p class='x'>two</p><li>three", "one two three"),
    ("<brave>one</brave><pre>two</pre>", "onetwo"),
    ("x < y and y > z", "x < y and y > z"),
    ("unclosed <strong", "unclosed <strong"),
    ("&unknown; &#xFFFFFFFF; & &;", "&unknown; \ufffd & &;"),
    (" two\n lines\t here ", "two lines here"),
    (None, ""),
    (5, ""),
]


@pytest.mark.parametrize(("html", "text"), HTML)
def test_tags_are_removed_before_entities_are_decoded(html, text):
    assert plain_from_html(html) == text


PLAIN = [
    ("a\x1b[31mb\x07", "a[31mb"),
    ("\u202eevil\u202c \u2066x\u2069", "evil x"),
    ("hid\U000e0041\U000e0042den\u200b\ufeff", "hidden"),
    ("family \U0001f468\u200d\U0001f469\u200d\U0001f467", "family \U0001f468\u200d\U0001f469\u200d\U0001f467"),
    ("lone \ud800 surrogate", "lone surrogate"),
    ("<b> &amp; stay", "<b> &amp; stay"),
    (None, ""),
]


@pytest.mark.parametrize(("given_text", "text"), PLAIN)
def test_only_invisible_characters_are_removed_from_plain_text(given_text, text):
    assert plain(given_text) == text


def test_long_text_is_cut_at_a_word():
    cut = plain("word " * 1000, 100)
    assert len(cut) <= 100
    assert cut.endswith("word…")
    assert plain("x" * 1000, 100) == "x" * 99 + "…"


@given(st.text())
def test_cleaning_twice_is_the_same_as_once(text):
    once = plain(text)
    assert plain(once) == once


@pytest.mark.parametrize("piece", ["<", "<a", "&", "&#", "&#1", "<!--", "&amp;amp;", "<a ", "</", "\x1b", "> <"])
def test_hostile_text_is_cleaned_in_linear_time(piece):
    begun = time.process_time()
    plain_from_html(piece * 500000)
    plain(piece * 500000)
    assert time.process_time() - begun < 2


URLS = [
    ("https://x.example/a#b", True),
    ("  http://x.example:8080/  ", True),
    ("HTTPS://X.example/", True),
    ("https://例え.テスト/潮", True),
    ("javascript:alert(1)", False),
    ("ftp://x.example/", False),
    ("//x.example/", False),
    ("https://x.example/a b", False),
    ("https://x.example/\x1b[2J", False),
    ("https://x.example/" + "a" * 9000, False),
    ("", False),
    (None, False),
    (["https://x.example"], False),
]


@pytest.mark.parametrize(("url", "is_kept"), URLS)
def test_only_web_addresses_make_a_result(url, is_kept):
    made = checked(url, "T", "D")
    assert (made is not None) is is_kept
    if made:
        assert made.url == url.strip()


def test_the_url_replaces_a_missing_title():
    assert checked("https://x.example/", "", "").title == "https://x.example/"


def test_an_age_limit_is_translated_or_refused():
    names = {"pd": "day", "pw": "week"}
    assert age_limit(Query("q", 1, options={"freshness": "pw"}), names, "X") == "week"
    assert age_limit(Query("q", 1), names, "X") == ""
    with pytest.raises(InvalidArgument, match="X takes no range"):
        age_limit(Query("q", 1, options={"freshness": "2026-01-01to2026-02-01"}), names, "X")


@pytest.mark.parametrize(
    ("url", "bare"),
    [
        ("https://me:pw@a.example/x", "https://a.example/x"),
        ("https://me@a.example", "https://a.example"),
        ("https://a@b@c.example:1/", "https://c.example:1/"),
        ("https://a.example/@me/x@y", "https://a.example/@me/x@y"),
        ("https://a.example/?u=https://me@b.example", "https://a.example/?u=https://me@b.example"),
        ("HTTPS://me@a.example/?u=https://me@b.example", "HTTPS://a.example/?u=https://me@b.example"),
        ("https://a.example?mail=x@y.example", "https://a.example?mail=x@y.example"),
        ("https://a.example#x@y", "https://a.example#x@y"),
    ],
)
def test_user_information_is_removed_from_urls(url, bare):
    made = checked(url, "", "d")
    assert (made.url, made.title) == (bare, bare)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1", 1.0),
        (" 30 ", 30.0),
        ("1.5s", 1.5),
        ("0", 0.0),
        ("", None),
        ("-1", None),
        ("soon", None),
        (None, None),
        ("9" * 30, None),
        (5, None),
        ("١", None),
        ("Wed, 21 Oct 2026 07:28:00 GMT", None),
    ],
)
def test_numbers_of_seconds_are_read(text, seconds):
    assert payload.seconds(text) == seconds


FULL = SearchResult("Tides", "https://a.example/", "High and low.", "2026-01-16T12:00:00Z", ("More.", "And more."))
BARE = SearchResult("https://b.example/", "https://b.example/", "")


def test_members_are_those_of_the_search_tools():
    assert results.members(Answer("brave", "tides", [FULL, BARE])) == {
        "success": True,
        "count": 2,
        "results": [
            {
                "title": "Tides",
                "url": "https://a.example/",
                "description": "High and low.",
                "snippet": "High and low.",
                "published_date": "2026-01-16T12:00:00Z",
            },
            {"title": "https://b.example/", "url": "https://b.example/", "description": "", "snippet": ""},
        ],
    }


def test_extra_snippets_are_returned_if_asked_for():
    first, second = results.members(Answer("brave", "tides", [FULL, BARE]), has_extra_snippets=True)["results"]
    assert first["extra_snippets"] == ["More.", "And more."]
    assert "extra_snippets" not in second


def test_the_list_has_title_url_date_and_snippets():
    text = results.text(Answer("brave", "tides", [FULL, BARE], altered="tide tables"))
    assert text == (
        "Searched for: tide tables\n\n"
        "1. Tides\n   https://a.example/\n   2026-01-16 - High and low.\n   ... More.\n   ... And more.\n\n"
        "2. https://b.example/\n   https://b.example/"
    )


def test_numbers_of_ten_and_more_are_aligned():
    lines = results.text(Answer("brave", "tides", [BARE] * 10)).split("\n")
    assert lines[0].startswith(" 1. ")
    assert lines[-2].startswith("10. ")
    assert lines[1] == lines[-1] == "    https://b.example/"


def test_an_empty_answer_names_the_query():
    assert results.text(Answer("brave", "tides", [])) == "No results for: tides"
    assert results.members(Answer("brave", "tides", [])) == {"success": True, "count": 0, "results": []}
