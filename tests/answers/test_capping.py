"""Answers cut to a cap: still JSON, never over the cap, cut at line ends, and paging on loses nothing."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.answers import capping


def page(lines, offset=1, limit=None):
    part = lines[offset - 1 :][:limit]
    data = {"success": True, "content": "\n".join(part), "lines_read": len(part), "total_lines": len(lines)}
    if part and offset - 1 + len(part) < len(lines):
        data["next_offset"] = offset + len(part)
    return data


def test_what_fits_is_left_alone():
    data = page(["one", "two"])
    assert json.loads(capping.fit(data, 1000)) == data


def test_no_cap_cuts_nothing():
    data = page(["x" * 100] * 1000)
    assert json.loads(capping.fit(data, 0)) == data


LINES = st.lists(st.text(st.characters(exclude_characters="\n"), max_size=60), min_size=1, max_size=60)


@given(LINES, st.integers(600, 3000))
def test_parts_under_the_cap_join_to_the_whole(lines, cap):
    got, offset = [], 1
    while True:
        encoded = capping.fit(page(lines, offset), cap)
        assert len(encoded) <= cap
        data = json.loads(encoded)
        assert data["lines_read"] >= 1
        got.append(data["content"])
        if "next_offset" not in data:
            break
        assert data["truncated"] is True
        offset = data["next_offset"]
    whole = "\n".join(lines).encode("utf-8", "replace").decode("utf-8")
    assert "\n".join(got) == whole


def test_a_part_in_the_middle_is_counted_from_its_own_offset():
    lines = [f"line {number} " + "x" * 50 for number in range(1, 101)]
    data = json.loads(capping.fit(page(lines, offset=11, limit=50), 1000))
    assert data["content"].split("\n")[0] == lines[10]
    assert data["next_offset"] == 11 + data["lines_read"]
    assert data["content"].split("\n")[-1] == lines[data["next_offset"] - 2]


def test_one_line_longer_than_the_cap_gives_its_beginning_and_moves_on():
    lines = ["é" * 5000, "the end"]
    encoded = capping.fit(page(lines), 1000)
    data = json.loads(encoded)
    assert len(encoded) <= 1000
    assert len(encoded) > 900
    assert set(data["content"]) == {"é"}
    assert (data["lines_read"], data["next_offset"], data["truncated"]) == (1, 2, True)
    assert "only its beginning" in data["note"]


def test_one_long_last_line_has_no_next_offset():
    data = json.loads(capping.fit(page(["x" * 5000]), 1000))
    assert "next_offset" not in data
    assert data["truncated"] is True


def test_results_are_cut_at_a_result():
    results = [{"title": str(number), "url": "https://example.com/", "snippet": "y" * 100} for number in range(50)]
    encoded = capping.fit({"success": True, "count": 50, "results": results}, 2000)
    data = json.loads(encoded)
    assert len(encoded) <= 2000
    assert data["results"] == results[: data["count"]]
    assert 5 < data["count"] < 50
    assert data["truncated"] is True


def test_lone_surrogates_do_not_break_the_answer():
    assert json.loads(capping.encode({"content": "a\ud800b"})) == {"content": "a?b"}


@pytest.mark.parametrize("cap", [500, 1000, 60000])
def test_a_title_without_end_does_not_break_the_cap(cap):
    encoded = capping.fit({"success": True, "url": "u", "title": "\u00e9" * 100000, **page(["one", "two"])}, cap)
    data = json.loads(encoded)
    assert len(encoded) <= cap
    assert data["title"].endswith("\u00e9\u2026")
    assert data["content"] == "one\ntwo"
    assert (data["url"], data["truncated"]) == ("u", True)


def test_a_url_is_cut_only_where_nothing_else_helps():
    url = "https://a.example/" + "x" * 200
    data = json.loads(capping.fit({"success": True, "url": url, "title": "T" * 300, **page(["y" * 900])}, 500))
    assert data["url"] == url
    endless = capping.fit({"success": False, "error_code": "HTTP_ERROR", "error": "e", "url": "x" * 60000}, 500)
    assert len(endless) <= 500


@pytest.mark.parametrize("cap", [500, 1000, 60000])
def test_an_error_that_repeats_its_request_does_not_break_the_cap(cap):
    error = {"success": False, "error": "x" * 100000, "error_code": "INVALID_URL", "url": "y" * 100000}
    encoded = capping.fit({**error, "query": "\x00" * 70000, "results": []}, cap)
    assert len(encoded) <= cap
    data = json.loads(encoded)
    assert (data["error_code"], data["results"]) == ("INVALID_URL", [])
    assert data["error"].endswith("x\u2026")


def test_under_a_tiny_cap_a_line_is_worth_more_than_the_note():
    lines = ["# Hello", "", "x" * 400]
    data = json.loads(capping.fit(page(lines), 150))
    assert data["content"].startswith("# Hello")
    assert data["next_offset"] == 1 + data["lines_read"]
    assert data["truncated"] is True
    assert "note" not in data


def test_a_list_keeps_all_that_fits_to_the_byte():
    data = {"success": True, "count": 3, "results": [{"title": "t" * 40}, {"title": "u" * 40}, {"title": "v" * 40}]}
    sizes = {}
    for cap in range(64, len(capping.encode(data)) + 80):
        answer = json.loads(capping.fit(data, cap))
        assert len(capping.fit(data, cap)) <= cap
        sizes[cap] = len(answer["results"])
        assert answer["count"] == sizes[cap] or sizes[cap] == 3
    assert list(sizes.values()) == sorted(sizes.values())
    assert set(sizes.values()) == {0, 1, 2, 3}
