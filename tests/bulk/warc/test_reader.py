"""Records in the order of the file: plain and compressed files, and every kind of damage."""

import gzip
import io
import random
import sys
import tracemalloc
import types
import zlib

import pytest
from bulk.warcs import answer, members, page, record
from hypothesis import given
from hypothesis import strategies as st

from webtool.bulk.warc import chunks, records
from webtool.errors import UnsupportedContent, WebtoolError

PAGES = [page(n, b"%d " % n * (n * 3000 % 90001)) for n in range(12)]


def read(data, **options):
    """Return (URLs of all records, number of damaged ones)."""
    all_records = records(io.BytesIO(data), **options)
    return [one.url.rpartition("/")[2] for one in all_records], all_records.damaged


def with_bare_line_ends(one):
    head, _, rest = one.partition(b"\r\n\r\n")
    return head.replace(b"\r\n", b"\n") + b"\n\n" + rest[:-4] + b"\n\n"


def all_but(*numbers):
    return [str(n) for n in range(12) if n not in numbers]


FORMS = {
    "plain": b"".join(PAGES),
    "a member each": members(*PAGES),
    "one member": gzip.compress(b"".join(PAGES)),
    "members cut anywhere": members(*(b"".join(PAGES)[at : at + 7000] for at in range(0, len(b"".join(PAGES)), 7000))),
    "line ends of its own": b"".join(map(with_bare_line_ends, PAGES)),
    "more line ends between": b"\r\n".join(PAGES) + b"\n\n",
    "the last line ends missing": b"".join(PAGES).rstrip(b"\r\n"),
    "padded with zeros": members(*PAGES) + bytes(5000),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_record_is_read(form):
    assert read(FORMS[form]) == (all_but(), 0)


def test_a_record_has_its_fields_and_its_content():
    data = record("response", answer(b"x"), url="<https://a.example/ü>", WARC_IP_Address="192.0.2.1")
    (one,) = records(io.BytesIO(data))
    assert (one.type, one.url, one.date) == ("response", "https://a.example/ü", "2026-01-02T03:04:05Z")
    assert one.headers.get("warc-ip-address") == "192.0.2.1"
    assert one.content == answer(b"x")
    assert (one.offset, one.is_cut, one.kind) == (0, False, "page")
    lower = data.replace(b"WARC-Type", b"warc-type").replace(b"Content-Length: ", b"content-length:\t")
    assert next(records(io.BytesIO(lower.replace(b"WARC/1.1", b"WARC/0.18")))).type == "response"


@pytest.mark.parametrize("form", ["plain", "a member each"])
def test_the_offset_of_a_record_leads_back_to_it(form):
    data = FORMS[form]
    for one in records(io.BytesIO(data)):
        again = next(records(io.BytesIO(data), offset=one.offset))
        assert (again.url, again.content, again.offset) == (one.url, one.content, one.offset)


def test_offset_and_length_give_one_record():
    parts = [members(one) for one in PAGES]
    start = len(b"".join(parts[:5]))
    assert read(b"".join(parts), offset=start, length=len(parts[5])) == (["5"], 0)
    assert read(b"".join(PAGES), offset=len(b"".join(PAGES[:5])), length=len(PAGES[5])) == (["5"], 0)


def flipped(data, at):
    return data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]


def test_a_damaged_member_loses_only_its_record():
    parts = [members(one) for one in PAGES]
    for n in (0, 4, 11):
        broken = list(parts)
        broken[n] = flipped(parts[n], len(parts[n]) // 2)
        assert read(b"".join(broken)) == (all_but(n), 1)
        broken[n] = parts[n][: len(parts[n]) // 2]
        assert read(b"".join(broken)) == (all_but(n), 1)
        broken[n] = parts[n][:-6] + bytes(6)  # the checksum
        assert read(b"".join(broken)) == (all_but(n), 1)
    broken[11] = b"not gzip at all " * 40
    assert read(b"".join(broken)) == (all_but(11), 1)
    parts[3], parts[4], parts[8] = parts[3][:-30], parts[4][:-30], parts[8][:-30]
    assert read(b"".join(parts)) == (all_but(3, 4, 8), 3)


def test_a_damaged_member_larger_than_a_chunk_loses_only_its_record():
    noise = random.Random(3)
    large = page(1, noise.randbytes(3 * chunks.CHUNK))
    parts = [members(one) for one in (page(0), large, page(2))]
    assert read(b"".join(parts)) == (["0", "1", "2"], 0)
    for at in (1000, 2 * chunks.CHUNK, len(parts[1]) - 4):
        assert read(parts[0] + flipped(parts[1], at) + parts[2]) == (["0", "2"], 1)
    assert read(parts[0] + parts[1][: 2 * chunks.CHUNK] + parts[2]) == (["0", "2"], 1)
    assert read(parts[0] + parts[1][: 2 * chunks.CHUNK]) == (["0"], 1)


def test_a_truncated_file_gives_its_whole_records():
    for form in ("plain", "a member each"):
        data = FORMS[form]
        urls, damaged = read(data[: len(data) - len(data) // 9])
        assert urls == all_but()[: len(urls)]
        assert 5 < len(urls) < 12
        assert damaged == 1


def test_a_record_of_the_wrong_length_is_skipped_alone():
    for change in (5, -5, 10**6, 10**17):
        bad = (
            PAGES[4]
            .replace(b"Content-Length: ", b"X: ")
            .replace(b"\r\n\r\n", b"\r\nContent-Length: %d\r\n\r\n" % max(len(PAGES[4]) + change - 200, 0), 1)
        )
        assert read(b"".join([*PAGES[:4], bad, *PAGES[5:]])) == (all_but(4), 1)
        assert read(members(*PAGES[:4], bad, *PAGES[5:])) == (all_but(4), 1)
    for bad in (PAGES[4].replace(b"Content-Length", b"Content-Size"), PAGES[4].replace(b"Length: ", b"Length: -")):
        assert read(b"".join([*PAGES[:4], bad, *PAGES[5:]])) == (all_but(4), 1)


def test_content_over_the_limit_is_cut_and_marked():
    for data in (b"".join(PAGES), members(*PAGES), gzip.compress(b"".join(PAGES))):
        all_records = list(records(io.BytesIO(data), max_bytes=1000))
        assert [one.url for one in all_records] == [f"https://a.example/{n}" for n in range(12)]
        assert [one.is_cut for one in all_records] == [len(one) > 1300 for one in PAGES]
        assert max(len(one.content) for one in all_records) == 1000
    cut = next(records(io.BytesIO(page(0, b"y" * 5000)), max_bytes=1000)).response()
    assert cut.truncated
    assert set(cut.body) == {ord("y")}


NO_WARC = [
    (b"filedesc://a.arc 0.0.0.0 20260101000000 text/plain 76\n1 0 X\n", "ARC"),
    (b"<html><p>A page</p></html>", "not a WARC file"),
    (b"\x00\x01\x02\x03", "not a WARC file"),
    (b"W", "not a WARC file"),
]


@pytest.mark.parametrize(("data", "message"), NO_WARC)
def test_other_files_are_refused_by_name(data, message):
    for form in (data, gzip.compress(data)):
        with pytest.raises(UnsupportedContent, match=message) as caught:
            list(records(io.BytesIO(form)))
        assert caught.value.hint


def test_an_empty_file_has_no_records():
    assert read(b"") == ([], 0)
    assert read(gzip.compress(b"")) == ([], 0)


def test_bytes_before_the_first_record_are_damage():
    assert read(b"rubbish\n" + PAGES[0]) == (["0"], 1)


@given(st.binary(max_size=300), st.integers(0, 5), st.booleans())
def test_any_damage_loses_only_the_damaged_records(noise, place, packed):
    """Noise before, between and inside records: the sound records after it are found."""
    pack = members if packed else lambda one: one
    small = [page(n) for n in range(4)]
    data = b"".join(map(pack, small[:2]))
    data = data[: max(len(data) - place * 9, 0)] + noise + b"".join(map(pack, small[2:]))
    all_records = records(io.BytesIO(data))
    try:
        urls = [one.url for one in all_records]
    except WebtoolError:
        return
    assert urls[-1:] == ["https://a.example/3"] or all_records.damaged


@given(st.binary(max_size=2000))
def test_any_bytes_are_read_or_refused(data):
    for form in (
        data,
        b"WARC/1.0\r\n" + data,
        b"\x1f\x8b\x08" + data,
        b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03" + data,
    ):
        try:
            for one in records(io.BytesIO(form)):
                one.response()
        except WebtoolError:
            pass


def test_memory_use_is_that_of_one_record():
    data = members(*(page(n, b"z" * 400_000) for n in range(40)))
    tracemalloc.start()
    try:
        for one in records(io.BytesIO(data)):
            assert one.content
        assert tracemalloc.get_traced_memory()[1] < 6_000_000
        tracemalloc.reset_peak()
        bomb = zlib.compressobj(9, wbits=31)
        blob = b"".join([bomb.compress(page(0)[:-20].replace(b"Length: ", b"Length: 9999999"))])
        blob += b"".join(bomb.compress(bytes(1 << 20)) for _ in range(120)) + bomb.flush()
        assert read(blob + members(page(1)), max_bytes=1 << 20) == (["1"], 1)
        assert tracemalloc.get_traced_memory()[1] < 80_000_000
    finally:
        tracemalloc.stop()


HOSTILE = {
    "first lines": b"WARC/1.0\r\n" * 200_000,
    "heads without length": b"WARC/1.0\r\n\r\n" * 150_000,
    "lengths that promise": b"WARC/1.0\r\nContent-Length: 67000000\r\n\r\n" * 15_000,
    "gzip marks": gzip.compress(page(0)) + b"\x1f\x8b\x08" * 150_000,
    "gzip beginnings": gzip.compress(page(0)) + gzip.compress(b"WARC/", 0)[:-8] * 15_000,
    "blank lines": page(0) + b"\r\n" * 500_000,
}


@pytest.mark.parametrize("shape", HOSTILE)
def test_hostile_files_take_linear_work(shape):
    """Counts the bytes given to the decompressor and to searches, not time: they stay proportional to the file."""
    import time

    begun = time.process_time()
    try:
        read(HOSTILE[shape])
    except UnsupportedContent:
        pass
    assert time.process_time() - begun < 8  # a quadratic reader needs minutes


@pytest.fixture
def zstd(monkeypatch):
    """Return the module of Python 3.14, or its backport."""
    try:
        from compression import zstd
    except ImportError:
        zstd = pytest.importorskip("backports.zstd", reason="needs Python 3.14, or backports.zstd")
        package = types.ModuleType("compression")
        package.zstd = zstd
        monkeypatch.setitem(sys.modules, "compression", package)
        monkeypatch.setitem(sys.modules, "compression.zstd", zstd)
    return zstd


@pytest.mark.peers
def test_zstandard_frames_are_read(zstd):
    frames = [zstd.compress(one) for one in PAGES]
    assert read(b"".join(frames)) == (all_but(), 0)
    assert read(zstd.compress(b"".join(PAGES))) == (all_but(), 0)
    frames[4] = frames[4][:-9]
    frames[7] = flipped(frames[7], 9)
    assert read(b"".join(frames)) == (all_but(4, 7), 2)


@pytest.mark.peers
def test_zstandard_dictionaries_are_read(zstd):
    dictionary = zstd.train_dict([page(n) for n in range(2000)], 4096)
    frames = b"".join(zstd.compress(one, zstd_dict=dictionary) for one in PAGES)
    for content in (dictionary.dict_content, zstd.compress(dictionary.dict_content)):
        data = b"\x5d\x2a\x4d\x18" + len(content).to_bytes(4, "little") + content + frames
        assert read(data) == (all_but(), 0)


@pytest.mark.peers
def test_zstandard_without_support_is_an_error_with_a_hint(monkeypatch):
    monkeypatch.setitem(sys.modules, "compression", None)
    with pytest.raises(UnsupportedContent, match=r"Zstandard, which needs Python 3\.14"):
        read(b"\x28\xb5\x2f\xfd....")
