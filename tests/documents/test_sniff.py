"""The kind of a body from its bytes, declared type and suffix (WHATWG MIME Sniffing); the table of formats."""

import codecs
import random

import pytest
from documents import writers
from hypothesis import given
from hypothesis import strategies as st

from webtool.bulk import files
from webtool.documents import convert, formats, kind_of, media_type_of, text
from webtool.errors import UnsupportedContent
from webtool.pages import local_file

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
RSS = b'<?xml version="1.0"?>\n<!-- news -->\n<rss version="2.0"><channel></channel></rss>'
RANDOM = random.Random(3).randbytes(3000)
ATOM = b'<feed xmlns="http://www.w3.org/2005/Atom"></feed>'
RDF = b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">'

KINDS = [
    # Binary never passes for text.
    (PNG, "text/html", "binary"),
    (PNG, "text/plain; charset=utf-8", "binary"),
    (PNG, "text/markdown", "binary"),
    (PNG, None, "binary"),
    (b"\xff\xd8\xff\xe0\x00\x10JFIF", "application/json", "binary"),
    (b"GIF89a\x01\x00\x01\x00", "text/html", "binary"),
    (b"RIFF\x00\x00\x00\x00WEBPVP8 ", "text/plain", "binary"),
    (b"\x00\x00\x00\x1cftypisom\x00", None, "binary"),
    (b"\x7fELF\x02\x01\x01", "text/plain", "binary"),
    (b"SQLite format 3\x00", None, "binary"),
    (bytes(range(256)) * 4, "text/html", "binary"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100), "application/msword", "binary"),
    (b"junk\n%PDF-1.4\n1 0 obj\n<<>>\nendobj\n", None, "pdf"),
    (b"How a file begins:\n%PDF-1.4\n1 0 obj\n<<>>\nendobj\n", "text/plain", "text"),
    (b"{\\rtf1\\ansi Hello}", "text/plain", "rtf"),
    (b"%!PS-Adobe-3.0", "text/plain", "binary"),
    # A PDF is one under every name.
    (b"%PDF-1.7\n", "text/html", "pdf"),
    (b"%PDF-1.7\n", "application/octet-stream", "pdf"),
    (b"%PDF-1.7\n", None, "pdf"),
    (b"junk from a proxy\n%PDF-1.4\n", "application/pdf", "pdf"),
    # ASCII letters that only look like a signature.
    (b"BMW builds cars", "text/plain", "text"),
    (b"ID3 tags explained", "text/plain", "text"),
    (b"OTTO met wOFF", None, "text"),
    # HTML.
    (b"<!doctype html><p>x", "text/html", "html"),
    (b"plain words", "text/html", "html"),
    (b'\xef\xbb\xbf{"a": 1}', "text/html", "json"),
    (b"<feed>custom</feed>", "text/xml", "xml"),
    (b"<p>one\x00two", "text/html", "html"),
    (b"  <!DOCTYPE HTML>", None, "html"),
    (b"<?xml version='1.0'?><!DOCTYPE html><html xmlns='x'>", "application/xhtml+xml", "html"),
    (b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>", "application/xml", "html"),
    (b"<!-- c --><html>", "application/pdf", "html"),
    (b"<!--><html>", "application/pdf", "html"),
    (b"<!---><html><!-- c -->", "application/pdf", "html"),
    (b"<!DOCTYPE html><title>404</title>", "application/json", "html"),
    (b"<!DOCTYPE html><title>404</title>", "image/png", "html"),
    # Markdown and plain text keep their type unless they are documents.
    (b"# Title\n", "text/markdown; charset=utf-8", "markdown"),
    (b"<p align=center>logo</p>\n\n# Title", "text/markdown", "markdown"),
    (b"<!-- note -->\n# Title", "text/markdown", "markdown"),
    (b"\xef\xbb\xbf<!doctype html><html>", "text/markdown", "html"),
    (b"\n<!-- app shell -->\n<html lang=en>", "text/markdown", "html"),
    (b"<!doctype html><p>source", "text/plain", "text"),
    (b"a,b\n1,2", "text/csv", "csv"),
    (b"var x = 1", "application/javascript", "text"),
    (b"a: 1", "application/yaml", "text"),
    # JSON and XML.
    (b'{"a": 1}', "application/json", "json"),
    (b'{"a": 1}', "application/ld+json", "json"),
    (b'{"a": 1}', None, "json"),
    (b'{"a": 1}', "text/html", "json"),
    (b"{not json", "text/html", "html"),
    # A field that was joined or misspelled on its way (the Fetch Standard, "extract a MIME type").
    (b"<!doctype html><p>x", "text/html, text/html; charset=utf-8", "html"),
    (b"plain words", "text/plain, text/html", "html"),
    (b"<!doctype html><p>x", "text/html charset=utf-8", "html"),
    (b"<!doctype html><p>x", "text/html: charset=utf-8", "html"),
    (b"<html><p>x", "Content-Type: text/html", "html"),
    (b"plain words", "text/html charset=utf-8", "text"),
    (b'{"version": "https://jsonfeed.org/version/1.1", "items": []}', "application/json", "feed"),
    (b"<a/>", "text/xml", "xml"),
    (b"<?xml version='1.0'?><a/>", None, "xml"),
    (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml", "xml"),
    (RSS, "text/html", "feed"),
    (RSS, "application/rss+xml", "feed"),
    (RSS, "text/xml", "feed"),
    (RSS, None, "feed"),
    (ATOM, "application/atom+xml", "feed"),
    (RDF, "application/rdf+xml", "feed"),
    (b"<rdf:RDF xmlns:rdf='x'/>", "application/rdf+xml", "xml"),
    (b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'/>", "text/xml", "sitemap"),
    (b"<sitemapindex/>", "application/xml", "sitemap"),
    (b"<opml version='2.0'/>", "text/x-opml", "opml"),
    # Other encodings.
    ("<!doctype html>".encode("utf-16"), None, "html"),
    ("plain".encode("utf-16"), "text/plain", "text"),
    ("plain".encode("utf-16-be"), "text/plain; charset=utf-16", "text"),
    (b"plain bytes", "text/plain; charset=utf-16", "text"),
    (b'{"a": [1, 2]}', "application/octet-stream; charset=utf-16", "json"),
    (RSS, "text/xml; charset=utf-16", "feed"),
    ("你好世界".encode("utf-16-le"), "text/plain; charset=utf-16le", "text"),  # b"`O}Y\x16NLu"
    (RANDOM, "text/plain; charset=utf-16", "binary"),
    (RANDOM, "text/html; charset=utf-16le", "binary"),
    (codecs.BOM_UTF16_LE + random.Random(1).randbytes(3000), None, "binary"),
    (codecs.BOM_UTF16_BE + random.Random(2).randbytes(3000), "text/plain", "binary"),
    ("\U0001f30a".encode("utf-16") * 1000, None, "text"),
    ("潮汐は月の引力で起こる。".encode("utf-16") + b"\0", None, "text"),
    (b"\x1f\x8b\x08\x00", None, "gzip"),
    (b"", "text/plain", "text"),
    (b"", None, "text"),
]


@pytest.mark.parametrize(
    ("url", "kind"),
    [("https://e.example/csv", "text"), ("https://e.csv", "text"), ("https://e.example/a.CSV?b=c.d", "csv")],
)
def test_only_what_follows_a_dot_of_the_path_is_a_suffix(url, kind):
    assert kind_of(b"a,b", "text/plain", url) == kind


@pytest.mark.parametrize(("body", "content_type", "kind"), KINDS)
def test_the_kind_follows_from_bytes_and_type(body, content_type, kind):
    assert kind_of(body, content_type) == kind


ZIPS = [
    (writers.docx(""), "docx"),
    (writers.xlsx({"A": ""}), "xlsx"),
    (writers.pptx(""), "pptx"),
    (writers.odf("text", ""), "odt"),
    (writers.zipped({"a": "", "mimetype": "application/vnd.oasis.opendocument.text"}), "odt"),
    (writers.zipped({"a": "", "mimetype": "application/epub+zip"}), "epub"),
    (writers.zipped({"mimetype": "x/y", "a": ""}), "binary"),
    (writers.odf("spreadsheet", ""), "ods"),
    (writers.odf("presentation", ""), "odp"),
    (writers.odf("graphics", ""), "odp"),
    (writers.zipped({"content.xml": ""}, "application/vnd.oasis.opendocument.text-web"), "odt"),
    (writers.epub({"a.xhtml": ""}), "epub"),
    (writers.zipped({"a.txt": "x"}), "binary"),
]


@pytest.mark.parametrize(("body", "kind"), ZIPS)
@pytest.mark.parametrize("content_type", [None, "application/zip", "application/octet-stream", "text/html"])
def test_the_kind_of_a_zip_file_follows_from_its_members(body, kind, content_type):
    assert kind_of(body, content_type) == kind


def test_a_truncated_zip_file_has_the_kind_of_its_declared_type():
    wordprocessing = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    assert kind_of(writers.docx("")[:200], wordprocessing) == "docx"


BOOK = b'{"nbformat": 4, "cells": []}'
NAMED = [
    (b"a,b", "text/plain", "https://x.example/a.md?raw=1", "markdown"),
    (b"a,b", "text/plain", "https://x.example/a.csv", "csv"),
    (b"a,b", "text/plain", "https://x.md/a", "text"),
    (BOOK, "application/x-ipynb+json", "https://x.example/a", "notebook"),
    (BOOK, "text/plain", "https://x.example/a.ipynb?raw=1", "notebook"),
    (BOOK, "application/json", "https://x.example/a.ipynb", "notebook"),
    (BOOK, None, "https://x.example/a.ipynb", "notebook"),
    (BOOK, "application/json", "https://x.example/a.json", "json"),
    (b"\xef\xbb\xbf" + BOOK, "text/plain", "https://x.example/a.ipynb", "notebook"),
    (b"Not found", "application/x-ipynb+json", "https://x.example/a.ipynb", "text"),
    (b'{"error": 404}', "application/x-ipynb+json", "https://x.example/a", "json"),
    (b'{"items": []}', "application/feed+json", "https://x.example/a", "feed"),
    (b"Not found", "application/feed+json", "https://x.example/a", "text"),
    (b"Not found", "application/pdf", "https://x.example/a.pdf", "text"),
    (b"<!doctype html><p>x", "text/html", "https://x.example/a.ipynb", "html"),
    (b"# Site\n\n> <b>x</b> &amp;\n", "text/html", "https://x.example/llms.txt", "text"),
    (b"<SYSTEM>x</SYSTEM>\n# Site", "text/html", "https://x.example/llms-full.txt", "text"),
    (b"\xef\xbb\xbf\n# Site", "text/html; charset=utf-8", "https://x.example/a.md?raw=1", "markdown"),
    (b"a,b\n1,2\n", "text/html", "https://x.example/a.csv", "csv"),
    (b"<!DOCTYPE html>\n# x", "text/html", "https://x.example/llms.txt", "html"),
    (b"<p align=center>x</p>\n# x", "text/html", "https://x.example/a.md", "html"),
    (b"<!-- x -->\n# x", "text/html", "https://x.example/a.md", "html"),
    (b"<meta charset=utf-8>\n<p>x", "text/html", "https://x.example/a.md", "html"),
    (b"<main>x</main>\n", "text/html", "https://x.example/llms.txt", "html"),
    (b"", "text/html", "https://x.example/a.md", "html"),
    (b"if x < 1 & y:\n    return 1\n", "text/html", "https://x.example/raw/7", "text"),
    (b"one\ntwo &amp; three", "text/html", "https://x.example/a", "html"),
    (b"one\ntwo<br>three", "text/html", "https://x.example/a", "html"),
    (b"one\ntwo</p>", "text/html", "https://x.example/a", "html"),
    (b"one line\n", "text/html", "https://x.example/a", "html"),
    (b"Subject: x\n\ny", "message/rfc822", "", "mail"),
    (b"Subject: x\n\ny", "multipart/related; boundary=b", "", "mail"),
    (b"Subject: x\n\ny", None, "a.eml", "mail"),
    (b"Subject: x\n\ny", "text/plain", "https://x.example/a.mhtml", "mail"),
]


@pytest.mark.parametrize(("body", "content_type", "url", "kind"), NAMED)
def test_the_suffix_decides_between_kinds_of_text(body, content_type, url, kind):
    assert kind_of(body, content_type, url) == kind


def test_the_error_gives_actual_type_size_and_declared_type():
    with pytest.raises(UnsupportedContent) as caught:
        convert(PNG, kind_of(PNG, "text/html"), "text/html; charset=utf-8", "https://x.example/a")
    assert caught.value.message == f"Cannot turn image/png into text: {len(PNG)} bytes, served as text/html"
    assert caught.value.to_dict()["content_type"] == "image/png"
    assert caught.value.url == "https://x.example/a"


def test_the_error_names_old_and_encrypted_office_files():
    body = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    with pytest.raises(UnsupportedContent, match="old Office file"):
        convert(body, "binary", "application/msword")
    with pytest.raises(UnsupportedContent, match="encrypted with a password"):
        convert(body + "EncryptedPackage".encode("utf-16-le"), "binary")


MADE_UP = formats.Format(
    kind="tide",
    module="text",
    name="tide tables",
    is_text=True,
    media_types=("application/x-tide",),
    suffixes=("tide",),
    is_suffix_decisive=True,
    signature=(b"TIDE\x01", "application/x-tide"),
    zip_types=("application/x-tide+zip",),
    zip_folder="tide/",
    xml_roots=(b"tides",),
)
OF_MADE_UP_FORMAT = [
    (b"high water", "application/x-tide", ""),
    (b"high water", "text/plain", "https://e.example/a.tide"),
    (b"TIDE\x01", "text/html", ""),
    (writers.zipped({"a": ""}, "application/x-tide+zip"), None, ""),
    (writers.zipped({"[Content_Types].xml": "", "tide/main.xml": ""}), None, ""),
    (b"<tides/>", "text/xml", ""),
]


@pytest.fixture
def with_made_up_format(monkeypatch):
    monkeypatch.setattr(formats, "FORMATS", (*formats.FORMATS, MADE_UP))


@pytest.mark.parametrize(("body", "content_type", "url"), OF_MADE_UP_FORMAT)
def test_one_row_teaches_sniffing_a_format(body, content_type, url, with_made_up_format):
    assert kind_of(body, content_type, url) == "tide"


def test_one_row_teaches_every_reader_a_format(with_made_up_format):
    assert convert(b"high water", "tide")[:4] == ("", "high water", "tide", "")
    assert formats.is_text("tide")
    assert media_type_of(b"TIDE\x01") == "application/x-tide"
    assert text.decode("<?xml version='1.0' encoding='iso-8859-1'?>é".encode("latin-1"), None, "tide").endswith("é")
    assert files.is_file("gone.tide")
    assert local_file._content_type("a.tide") == "application/x-tide"
    with pytest.raises(UnsupportedContent) as caught:
        convert(PNG, "binary")
    assert "RTF, mails and tide tables." in caught.value.hint


def test_every_row_names_a_module_that_converts():
    from webtool.lean.imports import load

    for row in formats.FORMATS:
        assert row.kind == "html" or callable(load(f"webtool.documents.{row.module}").convert), row.kind


def test_readable_formats_are_listed():
    *names, last = [row.name for row in formats.FORMATS if row.name]
    assert formats.readable() == f"{', '.join(names)} and {last}"
    assert {"HTML", "PDF", "docx", "epub"} <= set(names)


@given(
    st.binary(max_size=3000), st.sampled_from([None, "text/html", "text/plain", "application/json", "x", "image/png"])
)
def test_every_body_has_a_kind(body, content_type):
    kind = kind_of(body, content_type)
    assert kind == "binary" or formats.of_kind(kind)
    assert media_type_of(body, content_type)


@given(st.binary(max_size=200))
def test_signatures_win_over_every_type(rest):
    for content_type in ("text/html", "text/plain", "text/markdown", "application/json", None):
        assert kind_of(b"\x89PNG\r\n\x1a\n" + rest, content_type) == "binary"
