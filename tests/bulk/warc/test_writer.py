"""Secrets in the heads of archived messages, in the ways in which servers can write them."""

import base64
import gzip
import hashlib
import time

import pytest

from webtool import urls
from webtool.bulk.warc import reader, recorder, writer

SECRET = [
    "SET-COOKIE: a=hunter2", "Set-Cookie:\r\n a=hunter2", "Set-Cookie: a\r\n\t=hunter2\r\n x", "set-cookie : a=hunter2",
    "Set-Cookie\r\n : a=hunter2", "Foo: 1\rSet-Cookie: a=hunter2", "Set-Cookie: a=\rhunter2",
    "\0Set-Cookie: a=hunter2", "Cookie: a=hunter2",
    "Location: /x?%74oken=hunter2", "Location: /x?to%6Ben=hunter2", "Location: /x?access%5Ftoken=hunter2",
    "Location: /x?to%256ben=hunter2", "Location: /x?next=%2Fy%3Ftoken%3Dhunter2", "Location: /x?user[token]=hunter2",
    "Location: /x?token[]=hunter2", "Location: /x?token%5B%5D=hunter2", "Location: /x?token+=hunter2",
    "Location: /x?PHPSESSID=hunter2", "Location: /x;jsessionid=hunter2", "Location: /x?sid=hunter2",
    "Location: https://u:hunter2@h/x", "Location: //u:hunter2@h/x", "Location:\r\n //u:hunter2@h/x",
    "Location: /x?to\r\n ken=hunter2", "Location: /x?token\r\n =hunter2", "Location: /x?token=\r\n hunter2",
    "Link: <//u:hunter2@h/x>; rel=next", "Refresh: 0; url=/x?%74oken=hunter2", "Refresh: 0;url='//u:hunter2@h/'",
]  # fmt: skip
KEPT = ["X: a\r\n b", "Location: /npm//react@18/a?page=2&q%5B%5D=a", "Link: </a?b=%3Fc%3Dd>; rel=next", "Vary: Cookie"]
HEAD = b"HTTP/1.1 302 Found\r\n"


def written(fields: str, url: str = "http://h.example/") -> bytes:
    received = HEAD + fields.encode() + b"\r\nX-Last: 1\r\n\r\nbody"
    return writer.exchange_records(writer.Exchange(url, b"GET / HTTP/1.1\r\n\r\n", received, 0.0), False)


@pytest.mark.parametrize("fields", SECRET)
def test_a_secret_is_blanked_however_it_is_written(fields):
    records = written(fields)
    block = records[records.index(HEAD) : records.index(b"\r\n\r\nWARC/")]
    assert b"hunter2" not in records
    assert b"***" in block or b"//h/" in block
    assert block.endswith(b"\r\nX-Last: 1\r\n\r\nbody")
    assert b"Block-Digest: sha1:" + base64.b32encode(hashlib.sha1(block).digest()) in records


@pytest.mark.parametrize("fields", KEPT)
def test_other_fields_are_written_as_they_arrived(fields):
    assert HEAD + fields.encode() + b"\r\nX-Last: 1\r\n\r\nbody" in written(fields)


@pytest.mark.parametrize("query", ["%74oken=hunter2", "a[secret]=hunter2", "next=%2F%3Fkey%3Dhunter2", "sid=hunter2"])
def test_the_address_has_no_secret(query):
    assert b"hunter2" not in written("A: b", f"http://h.example/?{query}")


@pytest.mark.parametrize("text", ["?%74oken=a&", "?a[", "?%", "?a=%25", " //a@", " \r\n ?a=%"])
def test_long_heads_take_linear_time(text):
    begin = time.process_time()
    written("X: " + text * 30_000)
    assert time.process_time() - begin < 5


def heads(path) -> list[bytes]:
    with open(path, "rb") as file:
        return [record.content for record in reader.records(file)]


@pytest.mark.parametrize("size", [300, 700, 1500])
def test_an_archive_whose_gzip_members_are_not_its_records_is_continued(tmp_path, size):
    """Block compressors write members of one size, so that a record begins in one member and ends in a later one."""
    exchange = writer.Exchange("http://h.example/", b"GET / HTTP/1.1\r\n\r\n", HEAD + b"\r\n" + b"body " * 300, 0.0)
    data = writer.warcinfo("a.warc.gz", 0.0, False, True) + writer.exchange_records(exchange, False)
    members = [gzip.compress(data[at : at + size]) for at in range(0, len(data), size)]
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(members) + members[-1][:-3])
    before = heads(path)
    recorder.Recorder(str(path)).close()
    assert path.read_bytes() == b"".join(members)
    assert heads(path) == before


class Connection:
    def __init__(self, data: bytes) -> None:
        self.data = data

    def recv(self, size: int) -> bytes:
        return self.data[:size]


@pytest.mark.parametrize("received", [b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 103 Early", b"\r\n"])
def test_an_exchange_that_breaks_before_its_response_is_not_recorded(tmp_path, received):
    file = recorder.Recorder(str(tmp_path / "a.warc"))
    before = heads(tmp_path / "a.warc")
    tap = file.tap(Connection(received), urls.parse("http://h.example/"))
    tap.recv(1000)
    tap.end(OSError("broken"))
    file.close()
    assert heads(tmp_path / "a.warc") == before
