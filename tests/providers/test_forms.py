"""Form encoding there and back."""

import urllib.parse

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.providers import forms
from webtool.urls.hosts import percent_decode

# URL Standard section 5.2: what stays, plus for a space, the rest as bytes of UTF-8.
ENCODED = [
    ([("q", "a b")], "q=a+b"),
    ([("q", "a&b=c"), ("n", "1")], "q=a%26b%3Dc&n=1"),
    ([("q", "*-._~")], "q=*-._%7E"),
    ([("q", "é日")], "q=%C3%A9%E6%97%A5"),
    ([("q", "\r\n")], "q=%0D%0A"),
    ([("", "")], "="),
    ([], ""),
]


@pytest.mark.parametrize(("pairs", "text"), ENCODED)
def test_pairs_are_encoded(pairs, text):
    assert forms.encode(pairs) == text


@given(st.lists(st.tuples(st.text(min_size=1), st.text())))
def test_another_parser_reads_the_same_pairs(pairs):
    pairs = [tuple(part.encode("utf-8", "replace").decode() for part in pair) for pair in pairs]
    assert urllib.parse.parse_qsl(forms.encode(pairs), keep_blank_values=True) == pairs


VALUES = [
    ("uddg=https%3A%2F%2Fx.example%2F&rut=1", "uddg", "https://x.example/"),
    ("rut=1&uddg=a%2525+b", "uddg", "a%25+b"),
    ("uddg=%E6%97%A5%zz%4", "uddg", "日%zz%4"),
    ("uddg=a&uddg=b", "uddg", "a"),
    ("uddg=", "uddg", ""),
    ("uddg", "uddg", None),
    ("xuddg=a", "uddg", None),
    ("", "uddg", None),
]


@pytest.mark.parametrize(("query", "name", "value"), VALUES)
def test_a_value_is_decoded_once(query, name, value):
    assert forms.value_of(query, name) == value


@given(st.text())
def test_quoting_is_undone_by_unquoting(text):
    text = text.encode("utf-8", "replace").decode()
    assert percent_decode(forms.quote(text).replace("+", "%20")) == text
