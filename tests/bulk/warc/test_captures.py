"""Indexes of archives, and filters that choose captures."""

import io

import pytest
from bulk.warcs import record

from webtool.bulk.warc import captures
from webtool.bulk.warc.captures import Entry, Index
from webtool.errors import InvalidArgument

A = "https://a.example/x y"
B = "https://a.example/{x}"
JSON = (
    f'{{"url": "{A}", "mime": "text/html", "status": "200", "length": "77", "offset": "5", "filename": "c/1.warc.gz"}}'
)
ENTRY = Entry("c/1.warc.gz", 5, 77, A, 200, "text/html")
LINES = [
    (f"example,a)/x 20260102030405 {JSON}", ENTRY),
    (f"example,a)/{{x}} 20260102030405 {JSON}", ENTRY),
    (JSON, ENTRY),
    (f"a)/x 20260102 {B} text/html 200 Q - - 77 5 c/1.warc.gz", ENTRY._replace(url=B)),
    (f"a)/x 20260102 {B} text/html 200 Q - 5 c/1.warc.gz", ENTRY._replace(url=B, length=None)),
    (
        f"a)/x 20260102 {B} warc/revisit - Q - - 77 5 c/1.warc.gz",
        ENTRY._replace(url=B, status=None, media_type="warc/revisit"),
    ),
]


@pytest.mark.parametrize(("line", "entry"), LINES)
def test_an_index_line_gives_an_entry(line, entry):
    assert list(Index([line.encode() + b"\r\n"])) == [entry]
    assert captures.looks_like_index(line.encode() + b"\nmore")


def test_a_cdx_legend_names_the_columns():
    lines = (
        b" CDX N b g V a\n!meta 0 {}\n\nx 2026 f.warc 9 https://a.example/\nbroken\nx 2026 f.warc - https://a.example/"
    )
    index = Index(lines.splitlines())
    assert list(index) == [Entry("f.warc", 9, None, "https://a.example/")]
    assert index.damaged == 2
    assert captures.looks_like_index(lines)


@pytest.mark.parametrize(
    "start", [b"WARC/1.0\r\nx", b"\x1f\x8b\x08", b"<html>", b'{"url": "x", "html": "y"}', b"", b"https://a/"]
)
def test_other_files_are_not_taken_for_an_index(start):
    assert not captures.looks_like_index(start)


# words, is Entry above wanted
FILTERS = [
    ({}, True),
    ({"statuses": ["200"]}, True), ({"statuses": ["2xx"]}, True), ({"statuses": ["404", "199-201"]}, True),
    ({"statuses": ["404"]}, False), ({"statuses": ["3XX"]}, False),
    ({"media_types": ["html"]}, True), ({"media_types": ["TEXT/*"]}, True), ({"media_types": ["*"]}, True),
    ({"media_types": ["application/pdf"]}, False),
    ({"urls": ["https://*.example/*"]}, True), ({"urls": [A]}, True), ({"urls": [r"/a\.example\/x/"]}, True),
    ({"urls": ["https://a.example/"]}, False), ({"urls": ["/^http:/"]}, False),
]  # fmt: skip


@pytest.mark.parametrize(("words", "is_accepted"), FILTERS)
def test_a_filter_accepts_captures_that_meet_all_conditions(words, is_accepted):
    assert captures.make_filter(**words).accepts(ENTRY) is is_accepted


def test_a_capture_without_the_property_is_accepted():
    assert captures.make_filter(["200"], ["html"]).accepts(Entry("f", 0))


@pytest.mark.parametrize("words", [{"statuses": ["abc"]}, {"statuses": ["2"]}, {"urls": ["/(/"]}])
def test_malformed_filter_words_are_refused(words):
    with pytest.raises(InvalidArgument):
        captures.make_filter(**words)


def test_texts_of_pages_are_chosen_by_their_url():
    stream = record("conversion", b"Words", url="https://a.example/1", content_type="text/plain")
    stream += record("conversion", b"Words", url="https://b.example/2", content_type="text/plain")
    chosen = captures.pages(io.BytesIO(stream), urls=["https://b.example/*"])
    assert [page[0] for page in chosen] == ["https://b.example/2"]
