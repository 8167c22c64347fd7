"""Which results domain lists keep, and that nothing but a name gets into a rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.errors import InvalidArgument
from webtool.providers import brave, queries

# (URL, allowed, blocked, is kept)
MATCHES = [
    ("https://example.com/", ["example.com"], [], True),
    ("https://docs.example.com/a?b#c", ["example.com"], [], True),
    ("https://notexample.com/", ["example.com"], [], False),
    ("https://example.com.evil.example/", ["example.com"], [], False),
    ("https://example.org/?u=example.com", ["example.com"], [], False),
    ("https://EXAMPLE.com", ["Example.COM"], [], True),
    ("http://example.com:8080/", ["example.com"], [], True),
    ("http://user:pw@example.com/", ["example.com"], [], True),
    ("http://example.com@evil.example/", ["example.com"], [], False),
    ("http://example.com./", ["example.com"], [], True),
    ("https://example.com/", ["example.com."], [], True),
    ("https://example.com?x", ["example.com"], [], True),
    ("https://www.example.com/", ["*.example.com"], [], True),
    ("https://www.example.com/", [".example.com"], [], True),
    ("https://www.example.com/", ["https://example.com/path"], [], True),
    ("https://www.example.com/", ["example.com:443"], [], True),
    ("https://example.com/", ["www.example.com"], [], False),
    ("https://bücher.example/", ["xn--bcher-kva.example"], [], True),
    ("https://xn--bcher-kva.example/", ["BÜCHER.example"], [], True),
    ("https://a.example/", ["a.example", "b.example"], [], True),
    ("https://b.example/", [], ["b.example"], False),
    ("https://x.b.example/", [], ["b.example"], False),
    ("https://a.example/", [], ["b.example"], True),
    ("https://x.a.example/", ["a.example"], ["x.a.example"], False),
    ("https://a.example/", ["a.example"], ["a.example"], False),
    ("https://a.example/", [], [], True),
    ("http://127.0.0.1/", ["127.0.0.1"], [], True),
    ("http://[::1]/", ["a.example"], [], False),
    ("not a url", ["a.example"], [], False),
    ("not a url", [], ["a.example"], True),
]


@pytest.mark.parametrize(("url", "allowed", "blocked", "is_kept"), MATCHES)
def test_domain_lists_keep_and_drop_results(url, allowed, blocked, is_kept):
    lists = queries.canonical(allowed, "allowed_domains"), queries.canonical(blocked, "blocked_domains")
    assert queries.is_allowed(url, *lists) is is_kept


WRONG = ["", " ", ".", "*", "a b", "a..b", "a\n$boost", "$discard", "a,site=b", "a$boost=4,site=b.example", "a|b"]
WRONG += [
    "a.example\nb.example",
    "a.example\tb",
    "a)",
    '"a"',
    "a OR b",
    "x" * 300,
    "-a-.example-",
    "::1",
    "[::1]",
    None,
    5,
]


@pytest.mark.parametrize("domain", WRONG)
def test_an_entry_that_is_not_a_domain_is_refused_by_name_and_position(domain):
    with pytest.raises(InvalidArgument, match=r"^blocked_domains\[1\] is ") as caught:
        queries.canonical(["a.example", domain], "blocked_domains")
    assert "example.com" in caught.value.hint
    assert len(caught.value.message) < 200


@given(st.lists(st.text(max_size=30)), st.lists(st.text(max_size=30)))
def test_no_list_entry_can_inject_a_rule_or_operator(allowed, blocked):
    try:
        lists = queries.canonical(allowed, "a"), queries.canonical(blocked, "b")
    except InvalidArgument:
        return
    rules = brave.domain_rules(*lists).split("\n") if any(lists) else []
    assert len(rules) == len(lists[0]) + len(lists[1]) + bool(lists[0])
    for rule in rules:
        assert rule == "$discard" or rule.startswith(("$boost,site=", "$discard,site="))
        assert rule.count("$") == 1
        assert rule.count(",") <= 1
    words = queries.with_operators("q", *lists, 10**6).replace("(", "").replace(")", "").split()[1:]
    assert all(word == "OR" or word.lstrip("-").startswith("site:") for word in words)


OPERATORS = [
    ([], [], 100, "tides"),
    (["a.example"], [], 100, "tides site:a.example"),
    (["a.example", "b.example"], [], 100, "tides (site:a.example OR site:b.example)"),
    ([], ["c.example", "d.example"], 100, "tides -site:c.example -site:d.example"),
    (["a.example"], ["x.a.example"], 100, "tides site:a.example -site:x.a.example"),
    (["a.example", "b.example"], [], 20, "tides"),
    ([], ["c.example", "d.example"], 25, "tides -site:c.example"),
]


@pytest.mark.parametrize(("allowed", "blocked", "longest", "expected"), OPERATORS)
def test_operators_follow_the_query_while_there_is_room(allowed, blocked, longest, expected):
    text = queries.with_operators("tides", tuple(allowed), tuple(blocked), longest)
    assert text == expected
    assert len(text) <= max(longest, len("tides"))


def test_a_domain_counts_once():
    assert queries.canonical(["A.example", "a.example.", "https://a.example/"], "x") == ("a.example",)


@pytest.mark.parametrize(
    "age", ["2024-13-45to2024-12-01", "2023-02-29to2024-01-01", "2024-05-02to2024-05-01", "0000-01-01to2024-01-01"]
)
def test_a_range_of_days_has_two_dates_in_order(age):
    with pytest.raises(InvalidArgument, match="freshness"):
        queries.checked("tides", freshness=age)
    assert queries.checked("tides", freshness="2024-02-29to2024-02-29").options["freshness"]


def test_a_single_domain_may_be_a_text():
    assert queries.checked("tides", allowed_domains="docs.example.com").allowed_domains == ("docs.example.com",)


def test_an_unknown_option_is_refused():
    with pytest.raises(InvalidArgument, match="freshnes"):
        queries.checked("tides", freshnes="pd")


@pytest.mark.parametrize(("given", "country"), [("UK", "GB"), ("uk", "GB"), ("gb", "gb"), ("UA", "UA")])
def test_the_country_uk_is_gb(given, country):
    assert queries.checked("tides", country=given).options["country"] == country


def test_a_language_may_be_written_as_locales_are():
    assert queries.checked("tides", search_lang="zh_TW", ui_lang="de_AT").options == {
        "search_lang": "zh-TW",
        "ui_lang": "de-AT",
    }
