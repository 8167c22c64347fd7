"""A search's answer for readers and for programs."""

from webtool.providers import listing
from webtool.providers.driver import Answer
from webtool.providers.results import SearchResult

FULL = SearchResult("Tides", "https://a.example/", "High and low.", "2026-01-16T12:00:00Z", ("More.", "And more."))
BARE = SearchResult("https://b.example/", "https://b.example/", "")


def test_members_are_those_of_the_search_tools():
    assert listing.members(Answer("brave", "tides", [FULL, BARE])) == {
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


def test_extra_snippets_are_there_when_asked_for():
    first, second = listing.members(Answer("brave", "tides", [FULL, BARE]), has_extra_snippets=True)["results"]
    assert first["extra_snippets"] == ["More.", "And more."]
    assert "extra_snippets" not in second


def test_the_list_for_readers():
    text = listing.text(Answer("brave", "tides", [FULL, BARE], altered="tide tables"))
    assert text == (
        "Searched for: tide tables\n\n"
        "1. Tides\n   https://a.example/\n   2026-01-16 - High and low.\n   ... More.\n   ... And more.\n\n"
        "2. https://b.example/\n   https://b.example/"
    )


def test_numbers_of_ten_and_more_stay_in_line():
    lines = listing.text(Answer("brave", "tides", [BARE] * 10)).split("\n")
    assert lines[0].startswith(" 1. ")
    assert lines[-2].startswith("10. ")
    assert lines[1] == lines[-1] == "    https://b.example/"


def test_nothing_found_is_said():
    assert listing.text(Answer("brave", "tides", [])) == "No results for: tides"
    assert listing.members(Answer("brave", "tides", [])) == {"success": True, "count": 0, "results": []}
