"""Answers keep to a budget of tokens or bytes: still JSON, cut at line ends, and paging on loses nothing."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.answers import budget

LINES = st.lists(st.text(alphabet='ab"\\é漢 ', max_size=60), max_size=40).map("\n".join)


@given(LINES, st.integers(1, 120))
def test_parts_fit_and_make_the_whole(text, limit):
    offset, parts, cut = 1, [], False
    while offset is not None:
        part = budget.take_lines(text, offset, limit)
        assert budget.estimate_tokens(part.text) <= limit
        parts.append(part.text)
        cut = cut or part.cut_line is not None
        assert part.next_offset is None or part.next_offset > offset
        offset = part.next_offset
    if not cut:
        assert "\n".join(parts) == text


@given(LINES, st.integers(1, 60))
def test_without_a_limit_everything_from_a_line_on_comes(text, offset):
    part = budget.take_lines(text, offset)
    assert part.text == "\n".join(text.split("\n")[offset - 1 :])
    assert part.next_offset is None


def test_a_single_line_too_long_is_cut_within_and_named():
    assert budget.take_lines("x" * 100 + "\nrest", 1, 5) == budget.Lines("x" * 20, 1, 2, 2, 1)
    assert budget.take_lines("x" * 100, 1, 5).next_offset is None


def test_tokens_are_estimated_from_bytes_in_json():
    assert [budget.estimate_tokens(text) for text in ("", "abcd", "abcde", "abc\n", 'ab"\\', "\u6f22x")] == [
        0,
        1,
        2,
        2,
        2,
        1,
    ]


def test_a_text_that_just_fits_is_whole_and_one_token_more_is_not():
    text = "\n".join(["abcdefg"] * 8)  # eight bytes a line with its end, two of them for the end
    whole = budget.estimate_tokens(text)
    assert budget.take_lines(text, 1, whole).next_offset is None
    part = budget.take_lines(text, 1, whole - 1)
    assert part.next_offset is not None


def test_a_cut_is_no_shorter_than_it_must_be():
    assert 45 <= len(budget.cut_to_tokens('"' * 100, 25)) <= 50  # brought down in steps of a sixteenth
    assert budget.cut_to_tokens("a" * 101, 25) == "a" * 100


def page(lines, offset=1, count=None):
    part = lines[offset - 1 :][:count]
    data = {"success": True, "content": "\n".join(part), "lines_read": len(part), "total_lines": len(lines)}
    if part and offset - 1 + len(part) < len(lines):
        data["next_offset"] = offset + len(part)
    return data


def test_an_answer_that_fits_is_unchanged():
    data = page(["one", "two"])
    assert json.loads(budget.fit_bytes(data, 1000)) == data


def test_a_limit_of_zero_bytes_cuts_nothing():
    data = page(["x" * 100] * 1000)
    assert json.loads(budget.fit_bytes(data, 0)) == data


PAGE_LINES = st.lists(st.text(st.characters(exclude_characters="\n"), max_size=60), min_size=1, max_size=60)


@given(PAGE_LINES, st.integers(600, 3000))
def test_parts_under_a_limit_of_bytes_join_to_the_whole(lines, limit):
    got, offset = [], 1
    while True:
        encoded = budget.fit_bytes(page(lines, offset), limit)
        assert len(encoded) <= limit
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
    data = json.loads(budget.fit_bytes(page(lines, offset=11, count=50), 1000))
    assert data["content"].split("\n")[0] == lines[10]
    assert data["next_offset"] == 11 + data["lines_read"]
    assert data["content"].split("\n")[-1] == lines[data["next_offset"] - 2]


def test_one_line_longer_than_the_limit_gives_its_beginning_and_moves_on():
    lines = ["é" * 5000, "the end"]
    encoded = budget.fit_bytes(page(lines), 1000)
    data = json.loads(encoded)
    assert len(encoded) <= 1000
    assert len(encoded) > 900
    assert set(data["content"]) == {"é"}
    assert (data["lines_read"], data["next_offset"], data["truncated"]) == (1, 2, True)
    assert "only its beginning" in data["note"]


def test_one_long_last_line_has_no_next_offset():
    data = json.loads(budget.fit_bytes(page(["x" * 5000]), 1000))
    assert "next_offset" not in data
    assert data["truncated"] is True


def test_results_are_cut_at_a_result():
    results = [{"title": str(number), "url": "https://example.com/", "snippet": "y" * 100} for number in range(50)]
    encoded = budget.fit_bytes({"success": True, "count": 50, "results": results}, 2000)
    data = json.loads(encoded)
    assert len(encoded) <= 2000
    assert data["results"] == results[: data["count"]]
    assert 5 < data["count"] < 50
    assert data["truncated"] is True


def test_lone_surrogates_do_not_break_the_answer():
    assert json.loads(budget.encode({"content": "a\ud800b"})) == {"content": "a?b"}


@pytest.mark.parametrize("limit", [500, 1000, 60000])
def test_a_title_without_end_keeps_to_the_limit(limit):
    encoded = budget.fit_bytes({"success": True, "url": "u", "title": "\u00e9" * 100000, **page(["one", "two"])}, limit)
    data = json.loads(encoded)
    assert len(encoded) <= limit
    assert data["title"].endswith("\u00e9\u2026")
    assert data["content"] == "one\ntwo"
    assert (data["url"], data["truncated"]) == ("u", True)


def test_a_url_is_cut_only_if_nothing_else_helps():
    url = "https://a.example/" + "x" * 200
    data = json.loads(budget.fit_bytes({"success": True, "url": url, "title": "T" * 300, **page(["y" * 900])}, 500))
    assert data["url"] == url
    rows = [{"text": "y" * 190}] * 4
    assert budget.fit_tokens({"url": url * 9, "results": rows}, 600)["url"] == url * 9
    endless = budget.fit_bytes({"success": False, "error_code": "HTTP_ERROR", "error": "e", "url": "x" * 60000}, 500)
    assert len(endless) <= 500


@pytest.mark.parametrize("limit", [500, 1000, 60000])
def test_an_error_that_repeats_its_request_keeps_to_the_limit(limit):
    error = {"success": False, "error": "x" * 100000, "error_code": "INVALID_URL", "url": "y" * 100000}
    encoded = budget.fit_bytes({**error, "query": "\x00" * 70000, "results": []}, limit)
    assert len(encoded) <= limit
    data = json.loads(encoded)
    assert (data["error_code"], data["results"]) == ("INVALID_URL", [])
    assert data["error"].endswith("x\u2026")


def test_under_a_tiny_limit_a_line_is_worth_more_than_the_note():
    lines = ["# Hello", "", "x" * 400]
    data = json.loads(budget.fit_bytes(page(lines), 150))
    assert data["content"].startswith("# Hello")
    assert data["next_offset"] == 1 + data["lines_read"]
    assert data["truncated"] is True
    assert "note" not in data


def test_a_list_keeps_all_that_fits_to_the_byte():
    data = {"success": True, "count": 3, "results": [{"title": "t" * 40}, {"title": "u" * 40}, {"title": "v" * 40}]}
    sizes = {}
    for limit in range(64, len(budget.encode(data)) + 80):
        answer = json.loads(budget.fit_bytes(data, limit))
        assert len(budget.fit_bytes(data, limit)) <= limit
        sizes[limit] = len(answer["results"])
        assert answer["count"] == sizes[limit] or sizes[limit] == 3
    assert list(sizes.values()) == sorted(sizes.values())
    assert set(sizes.values()) == {0, 1, 2, 3}


def test_the_note_names_extra_snippets_only_if_some_were_removed():
    rows = [{"title": "x" * 1000}, {"title": "y " * 200}]
    assert budget.fit_tokens({"results": rows}, 150)["note"] == "cut to fit 150 tokens: results"
    rows = [{"title": "x", "extra_snippets": ["y " * 400]}, {"title": "z"}]
    cut = budget.fit_tokens({"results": rows}, 50)
    assert cut == {"results": [{"title": "x"}, {"title": "z"}], "note": "cut to fit 50 tokens: extra_snippets"}


def test_an_old_note_goes_before_a_line_and_leaves_nothing_to_call_for():
    for limit in range(110, 330):
        encoded = budget.fit_bytes({**page(["one", "two", "three"]), "note": "n" * 200}, limit)
        data = json.loads(encoded)
        assert len(encoded) <= limit
        assert data.get("next_offset", 4) == data["lines_read"] + 1 <= 4
        if data["content"] == "one\ntwo\nthree":
            assert "next_offset" not in data
            assert "offset" not in data.get("note", "")
    assert json.loads(budget.fit_bytes({**page(["one", "two", "three"]), "note": "n" * 200}, 120))["lines_read"] == 3


def test_a_limit_of_zero_lines_gives_no_line():
    assert budget.take_lines("x" * 100, 1, 5, 0).text == ""


def test_a_note_that_is_cut_stays_with_its_beginning():
    cut = budget.fit_tokens({"note": "Only the first page was read. " * 40}, 150)
    assert cut["note"].startswith("Only the first page was read.")
    assert cut["note"].endswith("; cut to fit 150 tokens: note")
    assert budget.estimate_tokens(json.dumps(cut)) <= 150
