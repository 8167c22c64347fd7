"""Plain text, markdown, JSON, CSV and XML in all encodings; deceptive characters are removed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.documents import convert, kind_of
from webtool.documents import text as texts

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
    # A text of bytes is not UTF-16, though it is declared so.
    (b"a,b\n1,2\n", "text/csv; charset=utf-16", "a,b\n1,2\n"),
    ("é".encode(), "text/plain; charset=utf-16le", "é"),
    (("x" * 1444 + "é").encode(), "text/plain; charset=UTF-16BE", "x" * 1444 + "é"),
    ("ab".encode("utf-16-be"), "text/plain; charset=utf-16be", "ab"),
    ("é€".encode("utf-16-be"), "text/plain; charset=utf-16be", "é€"),
]


@pytest.mark.parametrize(("body", "content_type", "text"), DECODED)
def test_the_charset_is_found_as_in_browsers(body, content_type, text):
    assert convert(body, "text", content_type).markdown == text


def test_an_xml_declaration_gives_the_encoding():
    body = "<?xml version='1.0' encoding='koi8-r'?><a>да</a>".encode("koi8-r")
    assert "да" in convert(body, "xml", "application/xml").markdown


@pytest.mark.parametrize("content_type", ["application/rss+xml", "text/xml; charset=utf-16", "text/xml"])
def test_a_feed_of_bytes_that_declares_utf_16_is_read_as_utf_8(content_type):
    body = "<?xml version='1.0' encoding='utf-16'?>\n<rss><channel><title>Flüsse</title></channel></rss>".encode()
    kind = kind_of(body, content_type)
    assert (kind, convert(body, kind, content_type).title) == ("feed", "Flüsse")


def test_long_text_cut_inside_a_character_stays_utf_8():
    body = ("é" * 1000).encode()[:-1]
    assert convert(body, "text").markdown.startswith("éé")


TITLES = [
    ("# One\n\ntext", "One"),
    ("intro\n\n# Two ##\n", "Two"),
    ("Three\n=====\n", "Three"),
    ("---\nauthor: a\ntitle: 'Four'\n---\n# Other\n", "Four"),
    ("```sh\n# a comment\n```\n# Five\n", "Five"),
    ("~~~~\n# a\n~~~\n# b\n~~~~~\n# Six\n", "Six"),
    ("```code``` here\n# Seven\n", "Seven"),
    ("~~~ `a`\n# a\n~~~\n# Eight\n", "Eight"),
    ("`" * 9000 + "a`\n# Nine\n", "Nine"),
    ("  ```\n# a\n   ```\n# Ten\n", "Ten"),
    ("```\n# a\n```sh\n# b\n    ```\n# c\n```\n# Eleven\n", "Eleven"),
    ("    # code\n   # Twelve\n", "Twelve"),
    ("  Thirteen\n  ===\n", "Thirteen"),
    ("## no first level\n", ""),
    ("# About C#\n", "About C#"),
    ("# #\n# Fourteen\n", ""),
    ("\t# code\n# Fifteen\n", "Fifteen"),
    ("#hashtag", ""),
    ("", ""),
]


@pytest.mark.parametrize(("text", "title"), TITLES)
def test_the_title_of_markdown_is_found(text, title):
    document = convert(text.encode(), "markdown")
    assert document.title == title
    assert document.markdown == text


@pytest.mark.parametrize("kind", ["text", "json", "csv", "xml", "markdown"])
@given(body=st.binary(max_size=500))
def test_text_kinds_never_fail(kind, body):
    assert isinstance(convert(body, kind, "text/plain").markdown, str)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Cf"])))
def test_utf_8_text_is_unchanged(text):
    assert convert(text.encode(), "text", "text/plain; charset=utf-8").markdown == text


DECEPTIONS = ["a\u202eb", "a\U000e0041b", "a\x1b[31mb", "a\x1b]0;title\x07b", "a\x9bb", "a\u2066b"]


@pytest.mark.parametrize("deception", DECEPTIONS)
@pytest.mark.parametrize("kind", ["text", "markdown", "json", "csv"])
def test_deceptive_characters_are_removed_with_a_note(kind, deception):
    document = convert(deception.encode(), kind, "text/plain; charset=utf-8")
    assert document.markdown == "ab"
    assert "deceive" in document.note


WRITTEN = [
    (
        "feed",
        "<rss><channel><title>t</title><item><title>a\u202eb\U000e0041</title></item></channel></rss>",
        "# t\n\n- ab\n",
    ),
    ("notebook", '{"cells":[{"cell_type":"markdown","source":"a\\u202eb"}],"nbformat":4}', "ab\n"),
]


@pytest.mark.parametrize(("kind", "body", "markdown"), WRITTEN)
def test_deceptive_characters_of_converted_documents_are_removed(kind, body, markdown):
    document = convert(body.encode(), kind)
    assert document.markdown == markdown
    assert "deceive" in document.note


FLAG = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"


@pytest.mark.parametrize("text", [f"naïve 日本 {FLAG}", "a\tb\fc\n", "می‌خواهم"])
def test_ordinary_text_is_unchanged(text):
    document = convert(text.encode(), "text", "text/plain; charset=utf-8")
    assert (document.markdown, document.note) == (text, "")


@pytest.mark.parametrize("encoding", ["utf-16le", "utf-16be"])
def test_a_feed_in_utf_16_without_a_byte_order_mark_is_read(encoding):
    feed = '<?xml version="1.0"?><rss><channel><title>Größe</title><item><title>a</title></item></channel></rss>'
    body = feed.encode(encoding)
    kind = kind_of(body, "application/rss+xml")
    assert "# Größe" in convert(body, kind, "application/rss+xml").markdown


# A database exported it, and the server declares UTF-8 for all texts.
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_read_whatever_charset_is_declared(encoding):
    body = "name,place\nAda,Brest\nBob,Dover\n".encode(encoding)
    assert texts.decode(body, "text/csv; charset=utf-8", "csv") == "name,place\nAda,Brest\nBob,Dover\n"


# All that tells kinds apart holds for UTF-16, too.
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    ("words", "declared", "url", "kind"),
    [
        ('{"name": "Ada"}', None, "", "json"),
        ("name,place\nAda,Brest\n", "text/plain", "https://e.example/a.csv", "csv"),
        ("# Site\n\nWords\n", "text/html", "https://e.example/llms.txt", "text"),
    ],
)
def test_utf_16_has_the_kind_of_its_text(encoding, words, declared, url, kind):
    assert kind_of(words.encode(encoding), declared, url) == kind
