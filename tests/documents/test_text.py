"""Text passes as it is, whatever it is encoded in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.documents import convert

DECODED = [
    ("é€".encode(), "text/plain", "é€"),
    ("é€".encode("cp1252"), "text/plain", "é€"),
    ("é€".encode("cp1252"), "text/plain; charset=iso-8859-1", "é€"),
    ("é".encode("latin-1"), "text/plain; charset=utf-8", "\ufffd"),
    ("日本".encode("cp932"), 'text/plain; charset="Shift_JIS"', "日本"),
    ("日本".encode(), "text/plain; charset=nonsense", "日本"),
    ("日本".encode("utf-16"), "text/plain", "日本"),
    ("日本".encode("utf-16-be"), "text/plain; charset=utf-16be", "日本"),
    (b"\xef\xbb\xbfx", "text/plain; charset=windows-1252", "x"),
    (b"a\r\nb\rc\n", "text/plain", "a\nb\nc\n"),
    (b"<meta charset=utf-16>\xe9", "text/plain", "<meta charset=utf-16>é"),
]


@pytest.mark.parametrize(("body", "content_type", "text"), DECODED)
def test_decoded(body, content_type, text):
    assert convert(body, "text", content_type).markdown == text


def test_xml_names_its_own_encoding():
    body = "<?xml version='1.0' encoding='koi8-r'?><a>да</a>".encode("koi8-r")
    assert "да" in convert(body, "xml", "application/xml").markdown


def test_long_text_cut_inside_a_character_stays_utf_8():
    body = ("é" * 1000).encode()[:-1]
    assert convert(body, "text").markdown.startswith("éé")


TITLES = [
    ("# One\n\ntext", "One"),
    ("intro\n\n# Two ##\n", "Two"),
    ("Three\n=====\n", "Three"),
    ("---\nauthor: a\ntitle: 'Four'\n---\n# Other\n", "Four"),
    ("## no first level\n", ""),
    ("#hashtag", ""),
    ("", ""),
]


@pytest.mark.parametrize(("text", "title"), TITLES)
def test_markdown_title(text, title):
    document = convert(text.encode(), "markdown")
    assert document.title == title
    assert document.markdown == text


@pytest.mark.parametrize("kind", ["text", "json", "csv", "xml", "markdown"])
@given(body=st.binary(max_size=500))
def test_text_kinds_never_fail(kind, body):
    assert isinstance(convert(body, kind, "text/plain").markdown, str)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\ufeff")))
def test_utf_8_text_comes_out_as_it_went_in(text):
    assert convert(text.encode(), "text", "text/plain; charset=utf-8").markdown == text
