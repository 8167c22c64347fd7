"""Names in tags. HTML Standard, 13.2.5."""

from hypothesis import given
from hypothesis import strategies as st

from webtool.html.names import ascii_lower, without_null


@given(st.text())
def test_only_ascii_letters_are_lowered(text):
    lowered = ascii_lower(text)
    assert len(lowered) == len(text)
    for before, after in zip(text, lowered):
        assert after == (chr(ord(before) + 32) if "A" <= before <= "Z" else before)


@given(st.text(alphabet="a\0"))
def test_nulls_are_replaced_one_by_one(text):
    assert without_null(text) == "".join("\ufffd" if character == "\0" else character for character in text)
