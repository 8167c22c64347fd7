"""Determine the encoding, and decode. HTML Standard, 13.2.3.2; the Encoding Standard."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.html import decode, parse_html, sniff_encoding
from webtool.html.decoding import _LABELS, decode_as
from webtool.html.encoding import charset_of

# Body, Content-Type, encoding.
ORDER = [
    (b"\xef\xbb\xbfa", "text/html; charset=gbk", "utf-8"),
    (b"\xfe\xff\0a", "text/html; charset=gbk", "utf-16be"),
    (b"\xff\xfea\0", None, "utf-16le"),
    (b"<meta charset=koi8-r>", "text/html; charset=gbk", "gbk"),
    (b"<meta charset=koi8-r>", "text/html", "koi8-r"),
    (b"<meta charset=koi8-r>", "text/html; charset=nonsense", "koi8-r"),
    (b"<meta charset=koi8-r>", "", "koi8-r"),
    (b"caf\xc3\xa9", None, "utf-8"),
    (b"caf\xe9", None, "windows-1252"),
    (b"cafe", None, "windows-1252"),
    (b"", None, "windows-1252"),
    (b"caf\xc3\xa9 \xc3", None, "utf-8"),
    (b"caf\xc3", None, "windows-1252"),
    (b"caf\xc3\xa9 \xe9 x", None, "windows-1252"),
    (b"x", "text/html;charset=UTF-8", "utf-8"),
    (b"x", 'text/html; a=b; Charset="Shift_JIS"', "shift_jis"),
    (b"x", "text/html; charset = utf8 ", "utf-8"),
    (b"x", "text/html; charset='latin1'", "windows-1252"),
    (b"x", "text/html; xcharset=gbk", "windows-1252"),
    (b"x", "text/html; charset=x-user-defined", "x-user-defined"),
    (b"x", "text/html; charset=iso-2022-kr", "replacement"),
    (b"x", "text/html; charset=utf-16", "utf-16le"),
]

# Encoding, bytes, text: cases in which Python's codecs differ or might differ.
BYTES = [
    ("windows-1252", b"\x80\x81\x9d\xa0", "\u20ac\x81\x9d\xa0"),
    ("windows-1250", b"\x81\x8a", "\x81\u0160"),
    ("windows-1253", b"\x81\xaa\xd2", "\x81\ufffd\ufffd"),
    ("windows-1255", b"\xca\xd9\x81", "\u05ba\ufffd\x81"),
    ("windows-1257", b"\x81\xa1", "\x81\ufffd"),
    ("windows-874", b"\x80\x81\xa1\xdb", "\u20ac\x81\u0e01\ufffd"),
    ("iso-8859-8-i", b"\xe0\xa1", "\u05d0\ufffd"),
    ("iso-8859-6", b"\xa1\xc7", "\ufffd\u0627"),
    ("iso-8859-16", b"\xa4", "\u20ac"),
    ("ibm866", b"\x80", "\u0410"),
    ("koi8-r", b"\xc1", "\u0430"),
    ("koi8-u", b"\xae\xbe\xc1", "\u045e\u040e\u0430"),
    ("macintosh", b"\xdb\xf0", "\u20ac\uf8ff"),
    ("x-mac-cyrillic", b"\xff\xa2", "\u20ac\u0490"),
    ("x-user-defined", b"a\x80\xff", "a\uf780\uf7ff"),
    ("replacement", b"abc", "\ufffd"),
    ("replacement", b"", ""),
    ("gbk", b"\xd6\xd0\x80", "\u4e2d\u20ac"),
    ("gbk", b"\x94\x39\xda\x33", "\U0001f4a9"),
    ("gb18030", b"\xd6\xd0\xffa", "\u4e2d\ufffda"),
    ("gbk", b"\xd6<p>", "\ufffd<p>"),
    ("big5", b"\xa4\xa4\xa4", "\u4e2d\ufffd"),
    ("euc-jp", b"\x81\x80a", "\ufffd\ufffda"),
    ("euc-jp", b"\xa9\xa1\xcf\xd4a", "\ufffd\ufffda"),
    ("euc-jp", b"\xa2\xaf a", "\ufffd a"),
    ("euc-jp", b"\x8f\xa1\xa1a", "\ufffda"),
    ("euc-jp", b"\x8f\xa1a", "\ufffda"),
    ("euc-jp", b"\x8f\x90\xa4\xa2", "\ufffd\u3042"),
    ("euc-jp", b"\x8e\xe0\xa4\xa2\xa4", "\ufffd\u3042\ufffd"),
    ("euc-jp", b"\xad\xa1", "\u2460"),
    ("big5", b"\x87\x40\xa3\xe1", "\u43f0\u20ac"),
    ("euc-kr", b"\xb0\xa1\x81\x41\xff", "\uac00\uac02\ufffd"),
    ("shift_jis", b"\x83\x65\x87\x40\x80\xb1", "\u30c6\u2460\x80\uff71"),
    ("shift_jis", b"\x81\x60\xa0\xfd", "\uff5e\ufffd\ufffd"),
    ("euc-jp", b"\xa4\xa2\xa1\xc1\x8e\xb1", "\u3042\uff5e\uff71"),
    ("euc-jp", b"\xad\xa1\xa4\xa2\xff", "\u2460\u3042\ufffd"),
    ("iso-2022-jp", b'a\x1b$B$"\x1b(Bb', "a\u3042b"),
    ("utf-8", b"\xf0\x9f\x98a", "\ufffda"),
    ("utf-8", b"\xc0\xaf", "\ufffd\ufffd"),
    ("utf-16le", b"a\0\0\xd8b\0c", "a\ufffdb\ufffd"),
    ("utf-16be", b"\0a\xd8\0", "a\ufffd"),
]


@pytest.mark.parametrize(("data", "content_type", "name"), ORDER)
def test_sources_of_the_encoding_have_their_order(data, content_type, name):
    assert sniff_encoding(data, content_type) == name
    assert decode(data, content_type)[1] == name


@pytest.mark.parametrize(("name", "data", "text"), BYTES)
def test_bytes_decode_as_the_standard_says(name, data, text):
    assert decode_as(data, name) == text


@pytest.mark.parametrize(
    ("bom", "codec"), [(codecs.BOM_UTF8, "utf-8"), (b"\xfe\xff", "utf-16-be"), (b"\xff\xfe", "utf-16-le")]
)
def test_the_byte_order_mark_is_not_part_of_the_text(bom, codec):
    assert decode(bom + "a\u3042".encode(codec))[0] == "a\u3042"


def test_a_byte_order_mark_inside_is_text():
    assert decode(b"a\xef\xbb\xbf")[0] == "a\ufeff"


def test_characters_between_distant_errors_are_decoded():
    text = "\u3042\u3044" * 5000
    data = text.encode("euc_jp")
    assert decode_as(data + b"\xff" + data + b"\xff", "euc-jp") == text + "\ufffd" + text + "\ufffd"


@pytest.mark.parametrize("name", sorted(_LABELS))
@given(data=st.binary(max_size=60))
def test_any_bytes_decode(name, data):
    assert isinstance(decode_as(data, name), str)


@given(st.binary(max_size=300), st.none() | st.text(max_size=30).map("text/html; charset={}".format))
def test_any_page_has_an_encoding(data, content_type):
    name = sniff_encoding(data, content_type)
    assert name in _LABELS
    assert decode(data, content_type)[1] == name
    parse_html(data, content_type)


# A header, and the encoding that it names (the Fetch Standard, "extract a MIME type"; MIME Sniffing section 4.4).
HEADERS = [
    ('text/html; x="; charset=koi8-r"', None),
    ('text/html; x="a\\"; charset=gbk"; charset=koi8-r', "koi8-r"),
    ('text/html; charset="koi8-r"', "koi8-r"),
    ("text/html; charset=utf-8; charset=gbk", "utf-8"),
    ("text/html; charset=utf-8, text/html; charset=koi8-r", "koi8-r"),
    ("text/html; charset=gbk, text/html", "gbk"),
    ("text/html; charset=gbk, text/plain", None),
    ("text/html; charset=gbk, */*", "gbk"),
    ("text/html; charset", None),
    ("text/html", None),
]


@pytest.mark.parametrize(("header", "name"), HEADERS)
def test_a_header_names_the_charset(header, name):
    assert charset_of(header) == name


# Bytes that Python's codecs decode differently from the Encoding Standard's indexes.
INDEXES = [
    ("big5", b"\x87\x7a\x87\xa1\x8e\x69\xa3\xe1\xfe\xfe", "\u3875\U000258de\u7bb8\u20ac"),
    ("big5", b"\xa1\x45\xa2\x46", "\u2027\uffe0"),
    ("gbk", b"\xa3\xa0\xa6\xd9\xa8\xbc\xfe\x59", "\u3000\ufe10\u1e3f\u9fb4"),
    ("gb18030", b"\xa6\xf3\xfe\xa0", "\ufe19\u9fbb"),
]


@pytest.mark.parametrize(("name", "data", "text"), INDEXES)
def test_indexes_are_the_standards(name, data, text):
    assert decode_as(data, name)[: len(text)] == text
