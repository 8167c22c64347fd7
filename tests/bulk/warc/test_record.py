"""A record's content: the page as the HTTP client would return it, and the record's kind."""

import gzip
import io
import zlib

import pytest
from bulk.warcs import answer, record

from webtool.bulk.warc import records
from webtool.errors import NetworkError

BODY = "<p>Grüße</p>".encode()
GZ = gzip.compress(BODY * 50)


def only(data):
    return next(records(io.BytesIO(data)))


def response(content):
    return only(record("response", content)).response()


def chunked(body):
    half = len(body) // 2
    return b"%x\r\n%b\r\n%x;x=y\r\n%b\r\n0\r\nA: b\r\n\r\n" % (half, body[:half], len(body) - half, body[half:])


# stored content, the body that comes of it, whether something is missing
STORED = {
    "as it is": (answer(BODY), BODY, False),
    "chunked": (answer(chunked(BODY), Transfer_Encoding="chunked"), BODY, False),
    "gzip": (answer(GZ, Content_Encoding="gzip"), BODY * 50, False),
    "deflate": (answer(zlib.compress(BODY), Content_Encoding="deflate"), BODY, False),
    "chunked gzip": (answer(chunked(GZ), Transfer_Encoding="chunked", Content_Encoding="gzip"), BODY * 50, False),
    "said to be chunked": (answer(BODY, Transfer_Encoding="chunked"), BODY, False),
    "said to be gzip": (answer(BODY, Content_Encoding="gzip"), BODY, False),
    "said to be br": (answer(b"\n" + BODY, Content_Encoding="br"), b"\n" + BODY, False),
    "said to be gzip and br": (answer(BODY, Content_Encoding="gzip, br"), BODY, False),
    "chunked, said to be br": (answer(chunked(BODY), Transfer_Encoding="chunked", Content_Encoding="br"), BODY, False),
    "chunks without the last line end": (answer(chunked(BODY)[:-2], Transfer_Encoding="chunked"), BODY, False),
    "said to be deflate": (answer(BODY, Content_Encoding="deflate"), BODY, False),
    "longer than Content-Length": (answer(BODY * 9, Content_Length="12"), BODY * 9, False),
    "gzip cut short": (answer(GZ[:-8], Content_Encoding="gzip"), BODY * 50, True),
    "said to be gzip, chunks cut short": (
        answer(chunked(BODY)[:-20], Transfer_Encoding="chunked", Content_Encoding="deflate"),
        BODY[:12],
        True,
    ),
    "chunks cut short": (answer(chunked(BODY)[:-20], Transfer_Encoding="chunked"), BODY[:12], True),
    "after informational answers": (b"HTTP/1.1 103 Hints\r\nLink: </a>\r\n\r\n" * 3 + answer(BODY), BODY, False),
    "line ends of LF": (answer(BODY).replace(b"\r\n", b"\n"), BODY, False),
    "a head alone": (b"HTTP/1.1 204 No Content\r\nServer: x", b"", False),
}


@pytest.mark.parametrize("name", STORED)
def test_a_response_is_decoded_as_the_client_does(name):
    content, body, is_short = STORED[name]
    page = response(content)
    if name.endswith("chunks cut short"):
        assert BODY.startswith(page.body)
        assert page.body
    else:
        assert page.body == body
    assert page.truncated is is_short
    assert page.status == (204 if name == "a head alone" else 200)


def test_a_decompression_bomb_is_cut():
    bomb = answer(gzip.compress(bytes(30_000_000)), Content_Encoding="gzip")
    page = only(record("response", bomb)).response(max_bytes=1000)
    assert (len(page.body), page.truncated) == (1000, True)


@pytest.mark.parametrize(
    "one",
    [
        record("response", answer(BODY, Content_Encoding="gzip")),  # stored decoded
        record("resource", BODY, content_type="text/html"),
        record("response", answer(BODY)),
    ],
)
def test_a_body_above_the_limit_is_cut_and_marked(one):
    page = only(one).response(max_bytes=5)
    assert (page.body, page.truncated) == (BODY[:5], True)
    page = only(one).response(max_bytes=len(BODY))
    assert (page.body, page.truncated) == (BODY, False)


def test_unknown_codings_and_malformed_heads_are_errors():
    with pytest.raises(NetworkError, match="coded as 'br'"):
        response(answer(b"\x0b\x02", Content_Encoding="br"))
    assert response(b"SSH-2.0-x").body == b"SSH-2.0-x"
    with pytest.raises(NetworkError, match="status line"):
        response(b"HTTP/1.1 no\r\n\r\n")


def test_status_and_media_type_are_read_without_the_rest():
    one = only(record("response", answer(BODY, status="404 Not Found", content_type="Text/HTML; charset=utf-8")))
    assert (one.status, one.media_type) == (404, "text/html")
    one = only(record("response", b"HTTP/1.0 200 OK\r\n\r\n", WARC_Identified_Payload_Type="application/pdf"))
    assert (one.status, one.media_type) == (200, "application/pdf")
    one = only(record("resource", b"%PDF", content_type="application/pdf; x=y"))
    assert (one.status, one.media_type, one.response().body) == (None, "application/pdf", b"%PDF")


def test_a_capture_that_was_cut_is_marked_truncated():
    assert only(record("response", answer(BODY), WARC_Truncated="length")).response().truncated


KINDS = [
    (record("response", answer()), "page"),
    (record("response", b"220 ftp", url="ftp://a.example/x", content_type="text/plain"), "other"),
    (record("resource", b"<p>", url="file:///x.html", content_type="text/html"), "page"),
    (record("conversion", b"Words", content_type="text/plain"), "text"),
    (record("conversion", b"<p>", content_type="text/html"), "page"),
    (record("metadata", b'{"Envelope": {}}', content_type="application/json"), "wat"),
    (record("metadata", b"a: b", content_type="application/warc-fields"), "other"),
    (record("request", b"GET / HTTP/1.1\r\n\r\n", content_type="application/http; msgtype=request"), "other"),
    (record("revisit", b"HTTP/1.1 200 OK\r\n\r\n"), "other"),
    (record("warcinfo", b"software: x\r\n", url=None, content_type="application/warc-fields"), "other"),
]


@pytest.mark.parametrize(("data", "kind"), KINDS)
def test_each_record_has_its_kind(data, kind):
    assert only(data).kind == kind
