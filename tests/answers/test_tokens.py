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
