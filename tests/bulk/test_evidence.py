"""An archive of citations is checked again: what was changed is named, and hostile archives cost little."""

import gzip
import io
import json
import os
import threading
import time
import zlib

import pytest
from bulk.warcs import answer, members, record
from fakes import FakeClient
from growing import growth

from webtool import __version__, pages
from webtool.bulk import evidence, evidence_check
from webtool.bulk.warc import records
from webtool.cache.store import open_cache
from webtool.context import Context
from webtool.errors import CacheMiss, FetchTimeout, FetchTooLarge, InvalidArgument, UnsupportedContent
from webtool.pages import citation
from webtool.pages.request import PageRequest
from webtool.settings import Settings

A, B = "https://a.example/tides", "https://b.example/ports"
BODIES = {
    A: "<title>Tides</title><h1>Tides</h1><p>The harbour has two tides a day.</p><p style='display:none'>Hidden words.",
    B: "<title>Ports</title><h1>Ports</h1><p>The port of Skagen has \u201ctwelve\u201d berths.</p>",
}
QUOTES = [(A, "two tides a day"), (B, 'Skagen has "twelve" berths'), (A, "The harbour")]


@pytest.fixture
def ctx(tmp_path):
    cache = open_cache(str(tmp_path / "c.sqlite3"), Settings(), print)
    answers = {url: (200, {"Content-Type": "text/html"}, body) for url, body in BODIES.items()}
    return Context(Settings(respect_robots=False), FakeClient(answers), cache, now=lambda: 1.8e9)


@pytest.fixture
def citations(ctx):
    return [citation.cite(ctx, pages.open_page(ctx, PageRequest(url)).snapshot, quote) for url, quote in QUOTES]


@pytest.fixture
def packed(ctx, citations):
    """The records of a pack, not compressed."""
    return list(evidence.pack(ctx, citations, is_compressed=False))


@pytest.fixture
def check(tmp_path):
    """Verify an archive that is given as bytes, or as records."""

    def verify(data):
        path = tmp_path / "evidence.warc.gz"
        path.write_bytes(data if isinstance(data, bytes) else b"".join(data))
        return evidence_check.verify(str(path), citation.check)

    return verify


def verdicts(report):
    return [row["verdict"] for row in report.rows]


def test_a_pack_gives_the_verdicts_of_its_citations(check, ctx, citations, packed):
    for data in (packed, list(evidence.pack(ctx, citations, is_compressed=True))):
        report = check(data)
        assert verdicts(report) == ["verbatim", "normalised", "verbatim"]
        assert (report.is_sound, report.pages, report.problems) == (True, 2, [])
        assert not any("stated" in row or "problem" in row for row in report.rows)
    assert list(evidence.pack(ctx, citations * 2, is_compressed=False)) == packed


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_pack_may_come_from_a_pipe(tmp_path, packed):
    path = tmp_path / "pipe.warc"
    os.mkfifo(path)
    writing = threading.Thread(target=path.write_bytes, args=(b"".join(packed),), daemon=True)
    writing.start()
    report = evidence_check.verify(str(path), citation.check)
    writing.join(10)
    assert report.rows
    assert report.is_sound


def test_records_with_one_id_are_equal_whatever_the_order_and_time_of_their_citations(ctx, citations):
    later = {**citations[0], "fetched_at": "2030-01-01T00:00:00Z"}
    one = list(evidence.pack(ctx, [citations[0], later], is_compressed=False))
    other = list(evidence.pack(ctx, [later, citations[0]], is_compressed=False))
    assert sorted(one) == sorted(other)
    alone = list(evidence.pack(ctx, [later], is_compressed=False))
    identities = [item.partition(b"WARC-Record-ID: ")[2][:50] for item in (one[-1], alone[-1])]
    assert identities[0] != identities[1]


def test_the_order_of_records_and_records_of_others_do_not_matter(check, packed):
    others = [record("metadata", b"a: b", content_type="application/warc-fields"), record("request", b"GET / HTTP/1.1")]
    assert check([*others, *reversed(packed), *others, *packed[1:]]).is_sound
    assert check([*packed, *packed]).is_sound


def test_a_body_that_is_there_twice_does_not_stand_for_a_missing_one(check, ctx, citations, packed):
    first, last = packed[-2:]
    for items in ([*packed[:-1], first], [*packed[:-2], last, last]):
        assert check(items).problems == ["the archive is not whole: it has 1 of its 2 pages"]
    other = list(evidence.pack(ctx, citations[:1], is_compressed=False))
    assert check([*packed, *other]).is_sound  # two packs in one file may share a page


def test_a_capture_of_a_crawler_serves_as_the_body(check, citations, packed):
    zipped = zlib.compressobj(wbits=31)
    body = zipped.compress(BODIES[A].encode()) + zipped.flush()
    capture = record("response", answer(body, Content_Encoding="gzip"), url=A)
    content_records = [item for item in packed if b"WARC-Type: metadata" in item]
    assert verdicts(check([*content_records, capture])) == ["verbatim", "missing body", "verbatim"]


def changed(packed, old, new):
    """The records with one text replaced by another one in each, and their lengths corrected."""
    result = []
    for item in packed:
        if old in item:
            head, _, content = item.partition(b"\r\n\r\n")
            content = content[:-4].replace(old, new)
            fields = [line for line in head.replace(old, new).split(b"\r\n") if not line.startswith(b"Content-Length")]
            head = b"\r\n".join([*fields, b"Content-Length: %d" % len(content)])
            item = head + b"\r\n\r\n" + content + b"\r\n\r\n"
        result.append(item)
    return result


HELD = ["verbatim", "normalised", "verbatim"]
A_BODY, B_BODY = BODIES[A].encode(), BODIES[B].encode()
# What is replaced by what; the verdicts; what the rows or the problems say of it.
CHANGES = [
    (b"two tides a day.</p>", b"ten tides a day.</p>", ["body altered", "normalised", "body altered"], "SHA-256"),
    (b'"two tides a day"', b'"ten tides a day"', ["absent", "normalised", "verbatim"], "two tides a day"),
    (b'"verdict": "normalised"', b'"verdict": "verbatim"', HELD, "'verdict': 'verbatim'"),
    (b'"lines": [3, 3]', b'"lines": [4, 4]', HELD, "'lines': [4, 4]"),
    (b'"title": "Tides"', b'"title": "Times"', HELD, "'title': 'Times'"),
    (A_BODY, B_BODY, ["body altered", "normalised", "body altered"], "SHA-256"),
    (b"\r\nContent-Type: text/html\r\n", b"\r\nContent-Type: text/plain\r\n", ["body altered"] * 3, "media type"),
    (b"URI: " + A.encode(), b"URI: https://c.example/", ["missing body", "normalised", "missing body"], "c.example"),
    (b'"url": "' + B.encode(), b'"url": "' + A.encode(), ["verbatim", "body altered", "verbatim"], "b.example"),
    (b'"mode": "full"', b'"mode": "rendered"', ["unreadable"] * 3, "rendered"),
    (b'"quote":', b'"quote" ', ["unreadable"] * 3, "not JSON"),
    (b'"webtool": "' + __version__.encode(), b'"webtool": "0.0.9', HELD, "webtool 0.0.9"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "expected", "named"), CHANGES)
def test_what_was_changed_is_named(check, packed, old, new, expected, named):
    items = changed(packed, old, new)
    assert items != packed
    report = check(items)
    assert verdicts(report) == expected
    assert named in f"{report.rows} {report.problems}"
    is_harmless = old.startswith((b'"lines', b'"title', b'"webtool'))
    assert report.is_sound == is_harmless
    assert all(
        row["ok"] or row["verdict"] in named or "problem" in row or "stated" in row or "nearest" in row
        for row in report.rows
    )


def test_two_bodies_that_were_swapped_are_named(check, packed):
    swapped = [*packed[:4], packed[5].replace(B.encode(), A.encode()), packed[4].replace(A.encode(), B.encode())]
    report = check(swapped)
    assert verdicts(report) == ["body altered"] * 3
    assert f"the cited body is there as {B}" in report.rows[0]["problem"]
    assert f"the cited body is there as {A}" in report.rows[1]["problem"]


def test_a_media_type_that_was_changed_everywhere_shows_by_the_extractor(check, packed):
    """`Hidden words` are in the body; read as text/plain it shows them."""
    items = changed(changed(packed, b'two tides a day", ', b'Hidden words", '), b"text/html", b"text/plain")
    report = check(items)
    assert report.rows[0]["verdict"] == "verbatim"
    assert report.rows[0]["stated"]["extractor"] == "html"


@pytest.mark.parametrize("is_compressed", [True, False])
def test_every_truncation_is_named(check, ctx, citations, is_compressed):
    items = list(evidence.pack(ctx, citations, is_compressed))
    data = b"".join(items)
    borders = [sum(map(len, items[:end])) for end in range(1, len(items))]
    for end in (*borders, *range(len(items[0]), len(data) - 4, 97)):  # the last line end of a record may be missing
        report = check(data[:end])
        assert report.problems, end
        assert not report.is_sound
    with pytest.raises(UnsupportedContent):
        check(data[: len(items[0]) // 2])


def test_an_archive_without_citations_is_refused(check, packed):
    for data in (record("response", answer(), url=A), b"", b"plain words", gzip.compress(b"words")):
        with pytest.raises(UnsupportedContent):
            check(data)
    with pytest.raises(InvalidArgument):
        evidence_check.verify("/nowhere/evidence.warc.gz", citation.check)


def cited(**members):
    value = {
        "quote": "two tides",
        "url": A,
        "body_sha256": citation.sha256(A_BODY),
        "fetched_at": "2026-01-02T03:04:05Z",
    }
    return {name: member for name, member in {**value, **members}.items() if member is not None}


def metadata(content):
    return record("metadata", content, url=A, content_type=evidence.CITATION_TYPE)


WRONG = [
    {"quote": None}, {"quote": 5}, {"quote": "..."}, {"quote": "a" * 20001}, {"quote": "a" * 10**6}, {"url": "ftp://a/"},
    {"url": "https://a.example/\r\nWARC-Type: response"}, {"body_sha256": "0" * 63}, {"body_sha256": "../" * 20},
    {"fetched_at": "2026-13-02T03:04:05Z"}, {"fetched_at": "x\r\ny"}, {"fetched_at": None}, {"mode": "readable"},
    {"verdict": "absent"}, {"title": ["a"]}, {"hash": 5}, {"content_type": {}}, {"webtool": 9},
]  # fmt: skip


@pytest.mark.parametrize("members", WRONG)
def test_a_wrong_member_is_named(check, members):
    [name] = members
    content = json.dumps(cited(**members)).encode()
    with pytest.raises(InvalidArgument, match=rf"c\.json, line 1: {name} of a citation"):
        list(evidence.read_citations(content, "c.json"))
    report = check(metadata(content) + metadata(json.dumps(cited()).encode()))
    assert verdicts(report) == ["unreadable", "missing body"]
    assert not report.is_sound


NO_CITATIONS = [
    b"", b"[]", b"[" * 10**5, b"null", b'{"a":', b"\xff\xfe", b"[1]", b"9" * 250_000, b"[NaN]", b" " * 10**6,
    json.dumps([cited()] * 2).encode(),
]  # fmt: skip


@pytest.mark.parametrize("content", NO_CITATIONS)
def test_metadata_that_is_no_citation_is_unreadable(check, content):
    assert verdicts(check(metadata(content))) == ["unreadable"]


def test_citations_are_read_from_objects_lines_lists_and_answers():
    one, two = cited(), cited(note="n\n2")
    forms = [
        json.dumps(one) + "\n" + json.dumps(two),
        json.dumps([one, two]),
        json.dumps(one, indent=1) + json.dumps(two, indent=1),
        "\ufeff" + json.dumps({"verdict": "verbatim", "citation": one}) + "\r\n\r\n" + json.dumps([two]) + "\n",
        json.dumps([{"content": [], "structuredContent": {"citation": one}}, two]),
    ]
    for form in forms:
        assert list(evidence.read_citations(form.encode(), "c.json")) == [one, two]
    with pytest.raises(InvalidArgument, match=r"c\.json, line 3: this is not JSON"):
        list(evidence.read_citations((json.dumps(one) + "\n\n{").encode(), "c.json"))
    assert list(evidence.read_citations(b" \n", "c.json")) == []


def test_reading_many_citations_takes_linear_time():
    def seconds(size):
        data = (json.dumps(cited()) + "\n").encode() * size
        begin = time.process_time()
        assert sum(1 for _ in evidence.read_citations(data, "c.json")) == size
        return time.process_time() - begin

    assert growth(seconds, 5000) == ""


def test_no_pack_is_written_that_verify_would_refuse(ctx, citations, monkeypatch):
    for name, value in (("MAX_CITATIONS", 2), ("_MAX_ALL", 900)):
        with monkeypatch.context() as patched:
            patched.setattr(evidence, name, value)
            with pytest.raises(FetchTooLarge, match="more than"):
                next(evidence.pack(ctx, citations, is_compressed=True))
            assert list(evidence.pack(ctx, citations[:1] * 9, is_compressed=True))


def test_a_quote_with_half_a_surrogate_pair_stays_as_it_is(check, ctx, citations):
    """With a question mark instead it would be another quote."""
    given = {**citations[0], "quote": "two \ud800 tides", "note": "\udfff"}
    [read] = evidence.read_citations(json.dumps(given).encode(), "c.json")
    packed = list(evidence.pack(ctx, [read], is_compressed=False))
    [content] = [line for record in packed for line in record.splitlines() if line.startswith(b'{"quote"')]
    assert json.loads(content) == {name: value for name, value in given.items() if name != "hash"}
    [row] = check(packed).rows
    assert row["quote"] == given["quote"]


@pytest.mark.parametrize("is_last", [True, False])
def test_a_body_under_two_media_types_serves_the_citations_of_both(check, ctx, citations, packed, is_last):
    plain = changed(packed[4:5], b"\r\nContent-Type: text/html\r\n", b"\r\nContent-Type: text/plain\r\n")
    items = [*packed, *plain] if is_last else [*packed[:4], *plain, *packed[4:]]
    assert check(items).is_sound
    assert check(items[::-1]).is_sound
    wrong = check([*packed[:4], *plain, packed[5]])
    assert verdicts(wrong) == ["body altered", "normalised", "body altered"]
    assert "media type" in wrong.rows[0]["problem"]


def test_both_readings_have_time_of_their_own(check, packed, monkeypatch):
    clock, readings = [0.0], []
    timed_file = evidence_check._TimedFile

    def begun(file):
        clock[0] += 70.0 * len(readings)  # the second reading begins after the time of the first
        readings.append(file)
        return timed_file(file)

    monkeypatch.setattr(evidence_check.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(evidence_check, "_TimedFile", begun)
    assert check(packed[::-1]).is_sound
    assert len(readings) == 2


def test_a_body_that_is_gone_or_another_one_by_now_is_named(ctx, citations):
    ctx.client.pages[A] = (200, {"Content-Type": "text/html"}, "<p>Other words")
    pages.open_page(ctx, PageRequest(A, force=True))
    with pytest.raises(CacheMiss, match=r"a\.example/tides .* there is another one, fetched"):
        list(evidence.pack(ctx, citations, is_compressed=True))
    ctx.cache.delete(citations[1]["hash"])
    with pytest.raises(CacheMiss, match=r"b\.example/ports .* is not in the cache any more$"):
        list(evidence.pack(ctx, citations[1:2], is_compressed=True))
    for unfit in ([], [{**citations[2], "own": "x" * evidence.MAX_CITATION}]):
        with pytest.raises(InvalidArgument):
            list(evidence.pack(ctx, unfit, is_compressed=True))


def test_a_citation_without_hash_finds_its_body_and_one_of_another_address_does_not(ctx, citations):
    without = {name: value for name, value in citations[0].items() if name != "hash"}
    assert len(list(evidence.pack(ctx, [without], is_compressed=True))) == 3
    with pytest.raises(CacheMiss):
        list(evidence.pack(ctx, [{**citations[0], "url": B}], is_compressed=True))


def test_a_record_cannot_get_fields_of_a_citation(ctx, citations):
    """A citation is written as JSON; its other members never begin a line of the record."""
    evil = {**citations[0], "note": "x\r\nWARC-Type: response\r\n\r\nHTTP/1.1 200", "title": "a\nb"}
    items = list(evidence.pack(ctx, [evil], is_compressed=False))
    assert [item.type for item in records(io.BytesIO(b"".join(items)))] == ["warcinfo", "metadata", "resource"]


def test_the_hash_and_secrets_of_an_address_are_not_packed(tmp_path, ctx):
    url = "https://a.example/x?access_token=hunter2&code=hunter2"
    ctx.client.pages[url] = (200, {"Content-Type": "text/html", "Set-Cookie": "a=hunter2"}, BODIES[A])
    cite = citation.cite(ctx, pages.open_page(ctx, PageRequest(url)).snapshot, "two tides")
    data = b"".join(evidence.pack(ctx, [cite], is_compressed=False))
    assert b"hunter2" not in data
    assert cite["hash"].encode() not in data


def test_an_archive_that_decompresses_for_ever_is_ended(check, monkeypatch, packed):
    monkeypatch.setattr(evidence_check, "_READING_SECONDS", -1.0)
    with pytest.raises(FetchTimeout):
        check(packed)


def test_huge_records_are_cut_and_skipped(check, packed):
    head = b"WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: https://c.example/\r\nContent-Length: %d\r\n\r\n" % (
        80 << 20
    )
    report = check(members(packed[0]) + gzip.compress(head + bytes(80 << 20) + b"\r\n\r\n", 1) + members(*packed[1:]))
    assert verdicts(report) == ["verbatim", "normalised", "verbatim"]


def test_too_many_citations_and_pages_are_refused(check, monkeypatch, packed):
    for name, value in (("MAX_CITATIONS", 2), ("MAX_CITATIONS", 1), ("_MAX_ALL", 900)):
        with monkeypatch.context() as patched:
            patched.setattr(evidence, name, value)
            with pytest.raises(FetchTooLarge):
                check(packed)


def test_a_page_that_cannot_be_converted_fails_alone(check, ctx, citations, packed):
    """The body is called a PDF, but is not one: its citation cannot be checked, the others can."""
    body = b"%PDF-1.7 nothing"
    entry = cited(body_sha256=citation.sha256(body), url="https://c.example/")
    bad = record("resource", body, url="https://c.example/", content_type="application/pdf")
    report = check([metadata(json.dumps(entry).encode()), bad, *packed])
    assert verdicts(report) == ["unreadable", "verbatim", "normalised", "verbatim"]
    assert "EXTRACT_FAILED" in report.rows[0]["problem"]


def test_quotes_that_were_not_reached_in_time_fail(tmp_path, packed):
    path = tmp_path / "e.warc"
    path.write_bytes(b"".join(packed))
    report = evidence_check.verify(str(path), lambda *arguments: citation.check(*arguments, seconds=0.0))
    assert verdicts(report) == ["verbatim", "normalised", "unreadable"]
    assert "--deadline" in report.rows[2]["problem"]


@pytest.mark.peers("warcio")
@pytest.mark.parametrize("is_compressed", [True, False])
def test_warcio_reads_the_pack_and_its_digests_hold(tmp_path, ctx, citations, is_compressed):
    from warcio.archiveiterator import ArchiveIterator
    from warcio.checker import Checker

    data = b"".join(evidence.pack(ctx, citations, is_compressed))
    path = tmp_path / ("e.warc.gz" if is_compressed else "e.warc")
    path.write_bytes(data)
    seen = []
    for item in ArchiveIterator(io.BytesIO(data), check_digests="raise"):
        content = item.content_stream().read()
        seen.append((item.rec_type, item.rec_headers.get_header("WARC-Target-URI"), content))
    assert [kind for kind, _, _ in seen] == ["warcinfo"] + ["metadata"] * 3 + ["resource"] * 2
    assert [json.loads(content)["quote"] for _, _, content in seen[1:4]] == [quote for _, quote in QUOTES]
    assert [(url, content) for _, url, content in seen[4:]] == [(A, A_BODY), (B, B_BODY)]
    checker = Checker(type("Options", (), {"inputs": [str(path)], "verbose": False})())
    checker.process_all()
    assert checker.exit_value == 0


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b", ""])
def test_a_name_that_no_file_can_have_is_refused(check, name):
    with pytest.raises(InvalidArgument, match="cannot be read"):
        evidence_check.verify(name, None)


def test_an_error_of_reading_without_a_number_has_its_text(monkeypatch, check):
    def fails(*_arguments):
        raise OSError("the tape is torn")

    monkeypatch.setattr(evidence_check, "_opened", fails)
    with pytest.raises(InvalidArgument, match="the tape is torn"):
        evidence_check.verify("a.warc", None)


def test_a_bug_while_an_archive_is_checked_is_not_blamed_on_the_file(monkeypatch, check):
    def fails(*_arguments, **_options):
        raise ValueError("a bug")

    monkeypatch.setattr(evidence_check.reader, "records", fails)
    with pytest.raises(ValueError, match="a bug"):
        check(b"")
