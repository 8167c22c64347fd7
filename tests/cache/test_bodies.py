"""Bodies come back as they were, whatever they look like, and take less room where that is to be had."""

import os
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.cache import bodies, rows
from webtool.cache.snapshot import Snapshot
from webtool.cache.store import open_cache
from webtool.settings import Settings

HTML = b"<p>The harbour has two tides a day.</p>\n" * 1000
NOISE = random.Random(3).randbytes(50_000)
LOOKALIKE = bodies.packed(HTML)
KEPT = [b"", b"x", HTML[:4095], NOISE, NOISE[:3000]]
PACKED = [HTML, HTML[:4096], LOOKALIKE, LOOKALIKE[:11], LOOKALIKE[:30], bodies.packed(LOOKALIKE), LOOKALIKE + NOISE]


@pytest.mark.parametrize("body", KEPT + PACKED)
def test_a_body_comes_back(body):
    stored = bodies.packed(body)
    assert (stored == body) is (body in KEPT)
    assert bodies.unpacked(stored) == body
    assert bodies.size_of(stored[: bodies.HEAD], len(stored)) == len(body)


def test_html_takes_a_fraction():
    assert len(bodies.packed(HTML)) < len(HTML) / 20
    assert bodies.packed(None) is None


@given(st.binary(), st.booleans())
def test_any_bytes_come_back(data, is_marked):
    body = LOOKALIKE[:11] + data if is_marked else data
    assert bodies.unpacked(bodies.packed(body)) == body


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


def test_without_zlib_bodies_stay_as_they_are_and_packed_ones_are_fetched_anew(monkeypatch):
    row = Snapshot(
        hash="k", url="https://a.example/", final_url="https://a.example/", mode="readable", content_type="text/html",
        status_code=200, fetched_at="2026-05-01T00:00:00Z", markdown="words", raw_bytes=LOOKALIKE,
    )  # fmt: skip
    assert rows.snapshot(row).raw_bytes == HTML
    for module in (bodies, rows):
        monkeypatch.setattr(module, "HAS_ZLIB", False)
    assert bodies.packed(HTML) == HTML
    assert rows.snapshot(row) == row._replace(raw_bytes=None)
