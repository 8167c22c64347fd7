"""Damaged rows: a fetch treats them as missing, warns once and replaces them; only the cache tools report an error."""

import os
import random
import sqlite3
import time
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.cache import tables
from webtool.cache.store import open_cache
from webtool.cache.tables import Snapshot
from webtool.errors import CacheError
from webtool.lean import dates
from webtool.settings import Settings

NOW = dates.iso(time.time())
LATER = dates.iso(time.time() + 3600)
WHOLE = Snapshot("k", "https://e.example/", "https://e.example/", "readable", "text/html", 200, NOW, LATER)._replace(
    title="T", markdown="# T", text="T", links_json='[{"text": "a", "href": "https://e.example/a"}]', headers_json="{}",
    extract_cfg_json="{}", fetch_ms=1, extract_ms=1,
)  # fmt: skip
DAMAGE = [
    ("status_code", "abc"),
    ("status_code", -5),
    ("status_code", 10**12),
    ("url", b"\xff\xfe"),
    ("final_url", b"blob"),
    ("content_type", b"text/html"),
    ("fetched_at", "yesterday"),
    ("fetched_at", 5),
    ("etag", b"\x00"),
    ("raw_bytes", "text where bytes belong"),
    ("raw_bytes", b"\0deflated\0"),
    ("raw_bytes", b"\0deflated\0" + (9).to_bytes(8, "big") + zlib.compress(b"12345678")),
    ("raw_bytes", b"\0deflated\0" + (8).to_bytes(8, "big") + zlib.compress(b"12345678")[:-1]),
    ("raw_bytes", b"\0deflated\0" + (1 << 60).to_bytes(8, "big") + zlib.compress(b"12345678")),
    ("raw_truncated", "no"),
    ("title", b"\xff"),
    ("markdown", b"\x80\x81"),
    ("links_json", "[{"),
    ("links_json", "{}"),
    ("links_json", "[1, 2]"),
    ("links_json", '[{"text": 5}]'),
    ("links_json", "[" * 100000),
    ("extract_cfg_json", "[]"),
    ("extract_cfg_json", "{"),
    ("headers_json", '"text"'),
    ("headers_json", b"{}"),
    ("siteconfig_id", b"x"),
    ("fetch_ms", "soon"),
    ("extract_ms", b"1"),
]


def change(path, statement, *values):
    db = sqlite3.connect(path)
    with db:
        db.execute(statement, values)
    db.close()


@pytest.mark.parametrize(("column", "value"), DAMAGE)
def test_a_damaged_row_is_a_miss_and_is_replaced(cache, path, warnings, column, value):
    cache.put(WHOLE)
    assert cache.get("k") == WHOLE
    change(path, f"UPDATE snapshots SET {column} = ? WHERE hash = 'k'", value)
    assert cache.get("k") is None
    assert cache.get("k") is None
    assert len(warnings) == 1
    with pytest.raises(CacheError, match="damaged"):
        cache.get("k", strict=True)
    cache.listing(10)
    cache.purge(domain="nowhere.example")
    cache.info()
    cache.put(WHOLE)
    assert cache.get("k") == WHOLE


def test_invalid_utf_8_in_one_row_leaves_the_others(cache, path):
    cache.put(WHOLE)
    cache.put(WHOLE._replace(hash="l"))
    change(path, "UPDATE snapshots SET title = CAST(x'ff41' AS TEXT) WHERE hash = 'l'")
    assert cache.get("k") == WHOLE
    assert cache.get("l") is None
    assert [row.hash for row in cache.listing(10)] == ["k"]


def test_damaged_rows_of_other_tables_are_misses_too(cache, path):
    now = time.time()
    cache.put_robots("https://e.example", b"x", 200, now)
    cache.put_search("s", "{}", "{}", now, 60)
    cache.reserve_slot("n", 1.0, time.monotonic() + 5)
    change(path, "UPDATE robots SET status = 'abc'")
    change(path, "UPDATE search_cache SET response_json = x'00'")
    change(path, "UPDATE rate_slots SET next_at = 'soon'")
    assert cache.get_robots("https://e.example") is None
    assert cache.get_search("s", now) is None
    assert cache.reserve_slot("n", 1.0, time.monotonic() + 5) == 0.0


@pytest.mark.parametrize(
    ("age", "members", "stays"),
    [
        (1, {"etag": '"a"'}, True),
        (3600, {"etag": '"a"'}, True),
        (3600, {"last_modified": "Thu, 01 Jan 2026 00:00:00 GMT"}, True),
        (1, {}, True),
        (3600, {}, False),
        (8 * 86400, {"etag": '"a"'}, False),
        (-60, {}, True),
    ],
)
def test_purge_without_criteria_keeps_useful_rows(cache, age, members, stays):
    fetched = time.time() - age
    times = {"fetched_at": dates.iso(fetched), "expires_at": dates.iso(min(fetched, time.time() - 1))}
    cache.put(WHOLE._replace(**times, **members))
    cache.purge()
    assert (cache.get("k") is not None) is stays


HTML = b"<p>The harbour has two tides a day.</p>\n" * 1000
NOISE = random.Random(3).randbytes(50_000)
LOOKALIKE = tables.packed(HTML)
KEPT = [b"", b"x", HTML[:4095], NOISE, NOISE[:3000]]
PACKED = [HTML, HTML[:4096], LOOKALIKE, LOOKALIKE[:11], LOOKALIKE[:30], tables.packed(LOOKALIKE), LOOKALIKE + NOISE]


@pytest.mark.parametrize("body", KEPT + PACKED)
def test_a_packed_body_unpacks_to_itself(body):
    stored = tables.packed(body)
    assert (stored == body) is (body in KEPT)
    assert tables.unpacked(stored) == body
    assert tables.size_of(stored[: tables.HEAD], len(stored)) == len(body)


def test_html_is_packed_to_a_fraction_of_its_size():
    assert len(tables.packed(HTML)) < len(HTML) / 20
    assert tables.packed(None) is None


@given(st.binary(), st.booleans())
def test_any_packed_bytes_unpack_to_themselves(data, is_marked):
    body = LOOKALIKE[:11] + data if is_marked else data
    assert tables.unpacked(tables.packed(body)) == body


def test_a_stored_body_is_small_in_the_file_and_whole_to_its_readers(tmp_path):
    path = str(tmp_path / "cache.sqlite3")
    cache = open_cache(path, Settings(), pytest.fail)
    snapshot = Snapshot(
        hash="k", url="https://a.example/", final_url="https://a.example/", mode="raw", content_type="text/html",
        status_code=200, fetched_at="2026-05-01T00:00:00Z", raw_bytes=HTML * 100,
    )  # fmt: skip
    cache.put(snapshot)
    assert cache.get("k") == snapshot
    assert cache.listing(5)[0].size == len(HTML) * 100
    cache.close()
    assert os.path.getsize(path) < len(HTML) * 20


def test_without_zlib_bodies_are_stored_plain_and_packed_ones_are_fetched_again(monkeypatch):
    row = Snapshot(
        hash="k", url="https://a.example/", final_url="https://a.example/", mode="readable", content_type="text/html",
        status_code=200, fetched_at="2026-05-01T00:00:00Z", markdown="words", raw_bytes=LOOKALIKE,
    )  # fmt: skip
    assert tables.snapshot(row).raw_bytes == HTML
    monkeypatch.setattr(tables, "HAS_ZLIB", False)
    assert tables.packed(HTML * 100) == HTML * 100
    assert tables.packed(LOOKALIKE) is None  # another Python would take it for a compressed body
    assert tables.snapshot(row) == row._replace(raw_bytes=None)
