"""Purging: which rows are deleted, which stay, and that the file shrinks."""

import os

import pytest
from cache.stores import snapshot

from webtool.cache.store import open_cache
from webtool.settings import Settings

# (criteria, the keys that stay): a is new, b an hour old, c three days, d of another host and ten days old
PURGES = [
    ({}, "abd"),
    ({"older_than_days": 2}, "ab"),
    ({"older_than_days": 0}, ""),
    ({"older_than_days": 0.01}, "a"),
    ({"domain": "e.example"}, "d"),
    ({"domain": "EXAMPLE."}, "d"),
    ({"domain": "www.e.example"}, "abcd"),
    ({"domain": "other.test:8080"}, "abc"),
    ({"max_entries": 1}, "a"),
    ({"max_entries": 0}, ""),
    ({"max_entries": 9}, "abcd"),
    ({"domain": "e.example", "older_than_days": 2}, "abd"),
    ({"domain": "e.example", "max_entries": 2}, "abd"),
    ({"older_than_days": 2, "max_entries": 3}, "abc"),
]


@pytest.mark.parametrize(("criteria", "stay"), PURGES)
def test_purge_deletes_the_rows_that_meet_every_criterion(cache, criteria, stay):
    for key, url, age, lifetime in (
        ("a", "https://e.example/", 1, 3600),
        ("b", "https://e.example:8443/x", 3700, 7200),
        ("c", "http://e.example/", 3 * 86400, 3600),
        ("d", "http://x.other.test/", 10 * 86400, 1e9),
    ):
        cache.put(snapshot(key, url, age, lifetime))
    assert cache.purge(**criteria, strict=True) == 4 - len(stay)
    assert "".join(sorted(row.hash for row in cache.listing(10))) == stay


def fill(path, limit, rows, size):
    """Store rows of `size` bytes, older first, every fifth expired; return the remaining rows and the largest size."""
    cache = open_cache(path, Settings(cache_max_bytes=limit), print)
    largest = 0
    for n in range(rows):
        cache.put(snapshot(f"{n:06}", age=rows - n, lifetime=-1 if n % 5 == 0 else 1e6, markdown="m" * size))
        largest = max(largest, os.path.getsize(path))
    left = [row.hash for row in cache.listing(rows)]
    cache.close()
    return left, largest


def check_purged(path, limit, rows, size):
    left, largest = fill(path, limit, rows, size)
    assert largest <= limit * 1.1 + 2 * size
    assert os.path.getsize(path) <= limit * 1.1
    assert len(left) > 0.5 * limit / size
    assert left[0] == f"{rows - 1:06}"
    fresh = sorted(int(key) for key in left if int(key) % 5)
    assert fresh == [n for n in range(fresh[0], rows) if n % 5]  # the oldest went, and none from the middle
    expired = [int(key) for key in left if not int(key) % 5]
    assert len(expired) < len(fresh) / 5  # expired ones went first


def test_a_file_over_its_limit_loses_expired_rows_then_the_oldest_and_shrinks(path):
    check_purged(path, limit=8_000_000, rows=400, size=50_000)


@pytest.mark.skipif(os.environ.get("WEBTOOL_TEST_PROFILE") != "nightly", reason="writes more than a gigabyte")
def test_a_gigabyte_file_shrinks_below_its_limit(path):
    check_purged(path, limit=Settings().cache_max_bytes, rows=1300, size=1_000_000)


def test_purge_returns_free_pages_to_the_file_system(cache, path):
    for n in range(100):
        cache.put(snapshot(str(n), markdown="x" * 50_000))
    cache.close()
    before = os.path.getsize(path)
    again = open_cache(path, Settings(), print)
    assert again.purge(max_entries=1) == 99
    again.close()
    assert os.path.getsize(path) < before / 10
