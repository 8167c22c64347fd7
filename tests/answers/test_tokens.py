"""Parts of a text that fit."""

from hypothesis import given
from hypothesis import strategies as st

from webtool.answers import tokens

LINES = st.lists(st.text(alphabet='ab"\\é漢 ', max_size=60), max_size=40).map("\n".join)


@given(LINES, st.integers(1, 120))
def test_parts_fit_and_make_the_whole(text, limit):
    offset, parts, cut = 1, [], False
    while offset is not None:
        part = tokens.part_of(text, offset, limit)
        assert tokens.estimate(part.text) <= limit
        parts.append(part.text)
        cut = cut or part.cut_line is not None
        assert part.next_offset is None or part.next_offset > offset
        offset = part.next_offset
    if not cut:
        assert "\n".join(parts) == text


@given(LINES, st.integers(1, 60))
def test_without_a_limit_everything_from_a_line_on_comes(text, offset):
    part = tokens.part_of(text, offset)
    assert part.text == "\n".join(text.split("\n")[offset - 1 :])
    assert part.next_offset is None


def test_a_single_line_too_long_is_cut_within_and_named():
    assert tokens.part_of("x" * 100 + "\nrest", 1, 5) == tokens.Part("x" * 20, 1, 2, 2, 1)
    assert tokens.part_of("x" * 100, 1, 5).next_offset is None


def test_tokens_count_what_json_writes():
    assert [tokens.estimate(text) for text in ("", "abcd", "abcde", "abc\n", 'ab"\\', "\u6f22x")] == [0, 1, 2, 2, 2, 1]


def test_a_text_that_just_fits_is_whole_and_one_token_more_is_not():
    text = "\n".join(["abcdefg"] * 8)  # eight bytes a line with its end, two of them for the end
    whole = tokens.estimate(text)
    assert tokens.part_of(text, 1, whole).next_offset is None
    part = tokens.part_of(text, 1, whole - 1)
    assert part.next_offset is not None


def test_a_cut_is_no_shorter_than_it_must_be():
    assert 45 <= len(tokens.cut('"' * 100, 25)) <= 50  # brought down in steps of a sixteenth
    assert tokens.cut("a" * 101, 25) == "a" * 100
