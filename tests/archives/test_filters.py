"""Which captures are wanted."""

import pytest

from webtool.archives import filters
from webtool.archives.record import Record
from webtool.errors import InvalidArgument

A = "https://a.example/x y"
HTTP = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"


def capture(content=HTTP, kind="response"):
    head = f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {A}\r\nContent-Type: application/http\r\n".encode()
    return Record(head, content, 0, len(content), 0)


# words, is the capture above wanted
WISHES = [
    ({}, True),
    ({"statuses": ["200"]}, True), ({"statuses": ["2xx"]}, True), ({"statuses": ["404", "199-201"]}, True),
    ({"statuses": ["404"]}, False), ({"statuses": ["3XX"]}, False),
    ({"media_types": ["html"]}, True), ({"media_types": ["TEXT/*"]}, True), ({"media_types": ["*"]}, True),
    ({"media_types": ["application/pdf"]}, False),
    ({"urls": ["https://*.example/*"]}, True), ({"urls": [A]}, True), ({"urls": [r"/a\.example\/x/"]}, True),
    ({"urls": ["https://a.example/"]}, False), ({"urls": ["/^http:/"]}, False),
]  # fmt: skip


@pytest.mark.parametrize(("words", "wanted"), WISHES)
def test_what_is_wanted(words, wanted):
    assert filters.make(**words).wants(capture()) is wanted


def test_what_says_nothing_is_wanted():
    assert filters.make(["200"]).wants(capture(b"", "resource"))


@pytest.mark.parametrize("words", [{"statuses": ["abc"]}, {"statuses": ["2"]}, {"urls": ["/(/"]}])
def test_words_that_mean_nothing_are_refused(words):
    with pytest.raises(InvalidArgument):
        filters.make(**words)
