"""Decode character references. HTML Standard, 13.2.5.72 to .80 and 13.5."""

import html
from html.entities import html5

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.html.charrefs import LEGACY, ascii_lower, decode_attribute, decode_text, without_null

TEXT = [
    ("&amp;", "&"),
    ("&amp", "&"),
    ("&ampx", "&x"),
    ("&AMP;", "&"),
    ("&Amp;", "&Amp;"),
    ("&", "&"),
    ("& ", "& "),
    ("&&amp;", "&&"),
    ("&;", "&;"),
    ("&x;", "&x;"),
    ("&notit;", "\xacit;"),
    ("&notin;", "\u2209"),
    ("&notinx", "\xacinx"),
    ("&no", "&no"),
    ("&ngE;", "\u2267\u0338"),
    ("&CounterClockwiseContourIntegral;", "\u2233"),
    ("&CounterClockwiseContourIntegralx;", "&CounterClockwiseContourIntegralx;"),
    ("&hellip", "&hellip"),
    ("&hellip;", "\u2026"),
    ("&frac12x", "\xbdx"),
    ("&#65;", "A"),
    ("&#65", "A"),
    ("&#65x", "Ax"),
    ("&#x41;", "A"),
    ("&#X41", "A"),
    ("&#x41g", "Ag"),
    ("&#;", "&#;"),
    ("&#x;", "&#x;"),
    ("&#xg;", "&#xg;"),
    ("&#0;", "\ufffd"),
    ("&#x110000;", "\ufffd"),
    ("&#xD800;", "\ufffd"),
    ("&#xDFFF;", "\ufffd"),
    ("&#x10FFFF;", "\U0010ffff"),
    ("&#xFFFE;", "\ufffe"),
    ("&#128;", "\u20ac"),
    ("&#x9F;", "\u0178"),
    ("&#x81;", "\x81"),
    ("&#13;", "\r"),
    ("&#" + "0" * 5000 + "65;", "A"),
    ("&#" + "1" * 5000 + ";", "\ufffd"),
    ("&#x" + "f" * 5000, "\ufffd"),
    ("&" + "a" * 5000 + ";", "&" + "a" * 5000 + ";"),
]

# In an attribute a name without its semicolon is not decoded before "=" or an alphanumeric character.
ATTRIBUTE = [
    ("&amp", "&"),
    ("&amp;x", "&x"),
    ("&ampx", "&ampx"),
    ("&amp=", "&amp="),
    ("&amp;=", "&="),
    ("&copy&reg", "\xa9\xae"),
    ("&copy2", "&copy2"),
    ("&copy.", "\xa9."),
    ("&notit;", "&notit;"),
    ("&notin;", "\u2209"),
    ("&#65x", "Ax"),
    ("&#65=", "A="),
    ("?a=1&lt=2&b", "?a=1&lt=2&b"),
    ("&lt", "<"),
    ("&lt;=", "<="),
    ("&ltx;", "&ltx;"),
    ("&lt x", "< x"),
    ("&amp-x", "&-x"),
    ("&", "&"),
    ("&;", "&;"),
    ("&#", "&#"),
    ("&#x", "&#x"),
    ("&#x;", "&#x;"),
    ("&#x80;", "\u20ac"),
    ("&#0;", "\ufffd"),
    ("&#xD800;", "\ufffd"),
    ("&#x110000;", "\ufffd"),
    ("&#x41&#x42", "AB"),
    ("&not=1", "&not=1"),
    ("&not 1", "\xac 1"),
    ("&ThickSpace;", "\u205f\u200a"),
    ("&amp;amp;", "&amp;"),
    ("&AMP", "&"),
    ("&Amp", "&Amp"),
]


@pytest.mark.parametrize(("text", "expected"), TEXT)
def test_in_text(text, expected):
    assert decode_text(text) == expected


@pytest.mark.parametrize(("value", "expected"), ATTRIBUTE)
def test_in_attributes(value, expected):
    assert decode_attribute(value) == expected


def test_every_name_of_the_standard_is_known():
    assert len(html5) == 2231
    for name, characters in html5.items():
        assert decode_text("&" + name) == characters, name


def test_the_names_that_need_no_semicolon_are_the_standards():
    assert {name: characters for name, characters in html5.items() if name[-1] != ";"} == LEGACY


@given(st.text(alphabet="&;aAmptlngoce =x", max_size=30))
def test_names_in_text_agree_with_the_standard_library(text):
    assert decode_text(text) == html.unescape(text)


@given(st.integers(0, 0x110FFF), st.sampled_from(["&#{};", "&#0{}", "&#x{:x};", "&#X{:X}"]))
def test_numbers_give_their_character_or_the_replacement(code, form):
    text = decode_text(form.format(code))
    assert len(text) == 1
    assert text == "\ufffd" or ord(text) == code or 0x80 <= code < 0xA0
    assert (text == "\ufffd") == (code in (0, 0xFFFD) or code > 0x10FFFF or 0xD800 <= code < 0xE000)


@given(st.text(max_size=40))
def test_text_without_an_ampersand_is_unchanged(text):
    text = text.replace("&", "")
    assert decode_text(text) == decode_attribute(text) == text


@given(st.text())
def test_only_ascii_letters_are_lowered(text):
    lowered = ascii_lower(text)
    assert len(lowered) == len(text)
    for before, after in zip(text, lowered):
        assert after == (chr(ord(before) + 32) if "A" <= before <= "Z" else before)


@given(st.text(alphabet="a\0"))
def test_nulls_are_replaced_one_by_one(text):
    assert without_null(text) == "".join("\ufffd" if character == "\0" else character for character in text)
