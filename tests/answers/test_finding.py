"""Lines that match words or a pattern, and the automaton that matches in linear time."""

import random
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webtool.answers import automaton, tables
from webtool.answers.automaton import Automaton
from webtool.answers.finding import find, matches_of, search
from webtool.answers.question.excerpt import excerpt
from webtool.answers.reading import as_read
from webtool.answers.words import fold, has_word
from webtool.errors import InvalidArgument

PAGE = "# Top\n\nThe Timeout is 30 s.\n\n## Below\n\ntimeout of “Café” servers\nnothing\n" + "x" * 2000 + " timeout\n"


def test_words_match_lines_that_hold_all_of_them_in_any_case():
    result = find(PAGE, "TIMEOUT")
    assert [(one["line"], one["heading"]) for one in result] == [(3, "Top"), (7, "Top > Below"), (9, "Top > Below")]
    assert "## Below" in result[0]["text"]
    assert len(result[2]["text"]) < 1600
    assert "timeout" in result[2]["text"]
    assert [one["line"] for one in find(PAGE, "cafe timeout")] == [7]
    assert find(PAGE, "absent") == []


@pytest.mark.parametrize(
    ("pattern", "lines"),
    [
        ("/usr/local/bin", [1]), ("/etc/hosts", [3]), ("/usr/local/x", []), ("/usr/local/", [1]), ("/a/bc", [5]),
        (r"/usr\/local/i", [1]), ("/usr/local/i", [1]), ("/^$/", [2, 4]), ("/^/", [1, 2, 3, 4, 5]),
    ],
)  # fmt: skip
def test_a_path_is_searched_as_words(pattern, lines):
    found = search("put it into /usr/local/bin\n\nand /etc/hosts\n\n/a/bc", pattern)
    assert [number for window in found.windows for number in window["lines"]] == lines
    assert found.has_only_longer is False


@pytest.mark.parametrize("pattern", ["/a/q", "/a/x", "/a/gix", "/tides/I"])
def test_a_wrong_flag_is_named(pattern):
    with pytest.raises(InvalidArgument, match="unknown flag") as caught:
        find(PAGE, pattern)
    assert "first slash" in caught.value.hint


def test_patterns_take_flags():
    assert [one["line"] for one in find(PAGE, r"/^the .* \d+/i")] == [3]
    assert [one["line"] for one in find(PAGE, r"/^The|nothing$/")] == [3, 8]
    assert find(PAGE, "/TIMEOUT/") == []


def test_matches_are_counted_beyond_those_that_are_given():
    result = search("a\n" * 120, "a")
    assert (len(matches_of(result.windows)), result.total) == (50, 120)


WRONG = [
    ("", "no words"), ("/(/", "not a regular expression"), ("/a/q", "flag"), (r"/(a)\1/", "groupref"),
    ("/(?=a)/", "assert"), ("/" + "a" * 501 + "/", "longer"), ("/((a{99}){99}){99}/", "repeats"),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "message"), WRONG)
def test_patterns_that_are_not_regular_are_refused(pattern, message):
    with pytest.raises(InvalidArgument, match=message) as caught:
        find("a", pattern)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        ("(a+)+b", "a"),
        ("(a|aa)+$", "a"),
        ("(.*)*x", "a"),
        ("x.*y.*z.*w", "x"),
        (r"(\w+\s?)*:", "a "),
        ("(a|b)*a(a|b){9}x", "ab"),
    ],
)
def test_patterns_that_would_run_for_years_end(pattern, line):
    begin = time.process_time()
    assert Automaton(pattern).has_match(line * 50000 + "!") is False
    assert time.process_time() - begin < 5


def test_a_pattern_with_too_many_states_ends_with_an_error(monkeypatch):
    monkeypatch.setattr(automaton, "_MAX_WORK", automaton._MAX_WORK // 10)
    with pytest.raises(InvalidArgument, match="too long"):
        Automaton("(a|b|c)*a(a|b|c){1200}x").has_match("".join(random.Random(1).choices("abc", k=20000)))


_ATOMS = st.sampled_from((
    "a", "b", ".", "[ab]", "[^a]", r"\d", r"\w", r"\s", r"\b", "^", "$", "(?:ab)", "(a|b)", "[a-c0-3]", "A", "é", r"\D",
    "(?i:a)",
))  # fmt: skip
_TIMES = st.sampled_from(["", "", "*", "+", "?", "{2}", "{1,3}", "*?", "{0,2}"])
_PIECES = st.tuples(_ATOMS, _TIMES).map(lambda piece: piece[0] + ("" if piece[0] in ("^", "$", r"\b") else piece[1]))
_PATTERNS = st.recursive(
    st.lists(_PIECES, min_size=1, max_size=4).map("".join),
    lambda inner: st.tuples(inner, inner, _TIMES).map(lambda it: f"({it[0]}|{it[1]}){it[2]}"),
    max_leaves=4,
)


@settings(max_examples=300)
@given(_PATTERNS, st.text(alphabet="abcAB 01é_\t", max_size=8), st.sampled_from([0, re.IGNORECASE]))
def test_it_agrees_with_the_standard_library(pattern, line, flags):
    assert Automaton(pattern, flags).has_match(line) == bool(re.search(pattern, line, flags))


@pytest.mark.parametrize("words", ["sao", "São", "SÃO paulo", "東京", "한국어", "が"])
def test_accents_are_optional_beside_scripts_without_spaces(words):
    assert find("東京 São Paulo 한국어 が", words)
    assert not find("か 하국어 京東 sap", words)


TYPOGRAPHY = "It’s free – really.\n\nDon’t use “smart” quotes—ever.\n\n12\\. apples for **bo**ld C:\\\\Users\n"
TYPOGRAPHY += "\nDon´t cut a 5″ pipe.\n"
AS_READ = [
    ("it's free", [1]), ("don't use", [3]), ("free - really", [1]), ("quotes-ever", [3]), ("12. apples", [5]),
    ("bold", [5]), ("C:\\Users", [5]), ('"free - really"', [1]), ('"really free"', []), ('"smart"', [3]),
    ("**bo**ld", [5]), ("don't cut", [7]), ('5" pipe', [7]),
]  # fmt: skip


@pytest.mark.parametrize(("words", "lines"), AS_READ)
def test_words_match_in_any_typography_and_phrases_in_their_order(words, lines):
    assert [match["line"] for match in find(TYPOGRAPHY, words)] == lines


_MARKS = (" ", *"a B 2 é ’ . ** _ ~~ [ ![ ](/a) ] <b> <br> < > \\ ` &amp;".split())


@given(st.lists(st.sampled_from(_MARKS), max_size=8).map("".join), st.text("ab2e'.&*_<", min_size=1, max_size=3))
def test_a_word_matches_what_is_written_and_what_is_read(line, word):
    texts = [fold(text).replace("’", "'") for text in (line, as_read(line))]
    assert bool(find(line, word)) == any(word in text for text in texts)


REED = """reed.opt171 is long

reed.opt17 is short

Set reed.opt17.

reed.opt17.max

opt17-b

The airport has ports.
"""
WHOLE = [
    # words, matching lines, further lines that have them inside longer words
    ("reed.opt17", [3, 5], 2),
    ("opt17", [3, 5], 3),
    ("reed opt171", [1], 0),
    ("port", [11], 0),
    ("airpor", [11], 0),
    ("ree", [1, 3, 5, 7], 0),  # no line has it as a word
    ("set reed.opt17", [5], 0),
    ("/opt17/", [1, 3, 5, 7, 9], 0),
]


@pytest.mark.parametrize(("words", "lines", "inside"), WHOLE)
def test_lines_with_whole_words_leave_out_those_with_longer_words(words, lines, inside):
    result = search(REED, words)
    assert [line for window in result.windows for line in window["lines"]] == lines
    assert result.in_longer == inside
    assert result.has_only_longer is (words in ("airpor", "ree"))


WORDS = [
    ("it costs $30,000", "30", False), ("it costs 30, or 3.5", "30", True), ("3.5 m", "5", False),
    ("airport", "port", False), ("ports", "port", True), ("port_number", "port", False), ("port-side", "port", True),
    ("tune.bufsize <size>", "<", True), ("東京都", "京都", True), ("a b", "", True),
]  # fmt: skip


@pytest.mark.parametrize(("text", "word", "has"), WORDS)
def test_a_word_is_no_part_of_a_longer_word_or_number(text, word, has):
    assert has_word(text, word) is has


VALUES = "station,altitude_m,since\nPier 1,41,1950\nPier 2,253,2017\nPier 3,17,1999\nPier 4,90,2001\nPier 5,3,2002"


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_file_of_values_is_known_by_its_lines(delimiter):
    text = VALUES.replace(",", delimiter)
    match = find(text, "Pier 4", context=0)[0]
    assert match["line"] == 5
    assert match["text"] == "\n".join([text.split("\n")[0], "[...]", text.split("\n")[4]])
    assert f"\nPier 4{delimiter}90{delimiter}2001" in excerpt(text, "Pier 4", 30)


PROSE = [
    "On land, at sea\nIn fog, at night\nOn ice, by day",
    "The tide comes in,\nthe boats go out,\nthe gulls remain,\nand so do I.",
    "a,b\nc\nd,e",
    "a,b\nc,d",
]


@pytest.mark.parametrize("text", PROSE)
def test_prose_with_commas_is_no_file_of_values(text):
    assert not tables.page_of(text).is_values
