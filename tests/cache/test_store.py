"""The cache: many processes and threads, sudden death, full disks, locks, and rows of every kind."""

import random
import signal
import sqlite3
import textwrap
import threading
import time

import pytest
from cache.stores import OPEN, POSIX, run, snapshot

from webtool.cache.store import open_cache
from webtool.errors import CacheError
from webtool.settings import Settings


def test_a_stored_snapshot_is_read_back_whole(cache):
    full = snapshot(
        raw_bytes=b"\x00\xff", raw_truncated=1, title="T", markdown="# é\n\x00", text="t", links_json="[]", etag='"a"',
        last_modified="x", extractor_name="webtool", extractor_version="1", siteconfig_id="s", extract_cfg_json="{}",
        headers_json="{}", fetch_ms=5, extract_ms=2**62,
    )  # fmt: skip
    cache.put(full)
    assert cache.get("k") == full
    assert cache.get("other") is None
    cache.put(full._replace(title="U"))
    assert cache.get("k").title == "U"
    cache.touch(full._replace(etag='"b"', title="not written", expires_at="2030-01-01T00:00:00Z"))
    assert cache.get("k") == full._replace(title="U", etag='"b"', expires_at="2030-01-01T00:00:00Z")
    assert cache.delete("k") is True
    assert cache.delete("k") is False
    assert cache.get("k") is None


def test_eight_processes_write_a_thousand_rows_each_and_lose_none(path):
    code = (
        OPEN
        + """
who = int(sys.argv[2])
for n in range(1000):
    cache.put(Snapshot(f"{who}-{n}", "u", "u", "raw", None, 200, "2026-01-01T00:00:00Z", markdown="x" * 2000))
    assert cache.get(f"{who}-{n}") is not None
cache.close()
"""
    )
    writers = [run(code, path, str(who)) for who in range(8)]
    for writer in writers:
        out, errors = writer.communicate(timeout=300)
        assert (writer.returncode, out, errors) == (0, b"", b"")
    db = sqlite3.connect(path)
    assert db.execute("SELECT count(*) FROM snapshots").fetchone() == (8000,)
    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert db.execute("SELECT value FROM counters WHERE name = 'stores'").fetchone() == (8000,)
    db.close()


@POSIX
def test_a_writer_killed_in_the_middle_leaves_all_it_had_written(path):
    code = (
        OPEN
        + """
n = 0
while True:
    cache.put(Snapshot(str(n), "u", "u", "raw", None, 200, "2026-01-01T00:00:00Z", markdown="y" * 50000))
    print(n, flush=True)
    n += 1
"""
    )
    for seed in range(4):
        writer = run(code, path)
        for _ in range(random.Random(seed).randrange(1, 60)):
            last = int(writer.stdout.readline())
        writer.send_signal(signal.SIGKILL)
        rest, _ = writer.communicate()
        last = max([last, *map(int, rest.decode().rpartition("\n")[0].split())])
        warnings = []
        cache = open_cache(path, Settings(), warnings.append)
        assert all(cache.get(str(n)).markdown == "y" * 50000 for n in range(last + 1))
        assert warnings == []
        cache.close()
        db = sqlite3.connect(path)
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        db.close()


@POSIX
@pytest.mark.parametrize("limit", [0, 300_000])
def test_a_full_disk_costs_one_warning(path, limit):
    """The process may not write a file larger than `limit` bytes, as on a full disk."""
    code = (
        """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
if sys.argv[2] == "0":
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
"""
        + OPEN
        + """
if sys.argv[2] != "0":
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
if cache:
    for n in range(50):
        cache.put(Snapshot(str(n), "u", "u", "raw", None, 200, "2026-01-01T00:00:00Z", markdown="y" * 50000))
        cache.get(str(n))
    cache.close()
print("answered")
"""
    )
    done = run(code, path, str(limit))
    out, errors = done.communicate(timeout=60)
    assert out == b"answered\n", errors
    assert errors.count(b"warned:") == 1
    cache = open_cache(path, Settings(), print)
    cache.put(snapshot())
    assert cache.get("k") is not None
    cache.close()


def test_a_full_disk_is_an_error_for_the_cache_tools_only(cache, warnings):
    cache._connection.execute("PRAGMA max_page_count=1")
    cache.put(snapshot(markdown="x" * 100_000))
    cache.put(snapshot(markdown="x" * 100_000))
    assert len(warnings) == 1
    with pytest.raises(CacheError) as caught:
        cache.put(snapshot(markdown="x" * 100_000), strict=True)
    assert caught.value.hint


def test_counts_that_could_not_be_written_are_written_later(cache, path):
    cache._connection.execute("PRAGMA busy_timeout=1")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    cache.count("hits", 3)
    cache.flush()
    other.execute("ROLLBACK")
    cache._rests_until = 0.0
    cache.count("hits", 4)
    assert cache.info()["counters"] == {"hits": 7}


def test_clear_removes_indexed_texts_of_pages_that_another_program_deleted(cache):
    cache.put(snapshot(markdown="kettle"))
    cache._connection.execute("DELETE FROM snapshots")
    assert cache.clear() == 0
    assert cache._connection.execute("SELECT count(*) FROM recall_pages_2").fetchone() == (0,)


def test_a_locked_file_is_waited_for_only_once(cache, path, warnings):
    cache._connection.execute("PRAGMA busy_timeout=300")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    begun = time.monotonic()
    for n in range(100):
        cache.put(snapshot(str(n)))
    assert time.monotonic() - begun < 15  # not a hundred times the wait
    assert len(warnings) == 1
    assert "locked" in warnings[0]
    with pytest.raises(CacheError):
        cache.purge(strict=True)
    other.execute("ROLLBACK")
    assert cache.purge(strict=True) == 0
    other.close()


def test_a_closed_cache_returns_defaults_and_stores_nothing(cache, warnings):
    cache.close()
    cache.put(snapshot())
    assert cache.get("k") is None
    assert cache.purge() == 0
    with pytest.raises(CacheError):
        cache.get("k", strict=True)
    assert warnings == []


def test_values_that_sqlite_cannot_store_are_skipped(cache, warnings):
    cache.put(snapshot(fetch_ms=2**70))
    cache.put(snapshot(title="\ud800"))
    assert cache.get("k") is None
    assert len(warnings) == 1


def test_threads_share_one_cache(cache):
    def work(who):
        for n in range(100):
            cache.put(snapshot(f"{who}-{n}"))
            assert cache.get(f"{who}-{n}").hash == f"{who}-{n}"

    threads = [threading.Thread(target=work, args=(who,)) for who in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert cache.info()["snapshots"] == 800
    assert cache.info()["counters"] == {"hits": 800, "stores": 800}


def test_searches_are_stored_until_they_expire(cache):
    cache.put_search("k", "{}", '{"a": 1}', now=1000.0, ttl=60.0)
    assert cache.get_search("k", 1059.0).response_json == '{"a": 1}'
    assert cache.get_search("k", 1060.0) is None
    assert cache.get_search("k", 900.0) is None, "the clock was set back"
    assert cache.get_search("other", 1000.0) is None


def test_robots_txt_is_stored_per_origin(cache):
    assert cache.get_robots("https://e.example") is None
    cache.put_robots("https://e.example", b"\xff", 404, 12.5)
    assert cache.get_robots("https://e.example") == (b"\xff", 404, 12.5)


def test_slots_are_an_interval_apart_and_never_past_the_deadline(cache):
    far = time.monotonic() + 100
    waits = [cache.reserve_slot("a", 10, far) for _ in range(4)]
    assert [round(wait) for wait in waits] == [0, 10, 20, 30]
    assert cache.reserve_slot("b", 10, far) == 0
    assert cache.reserve_slot("a", 10, time.monotonic() + 5) is None
    assert round(cache.reserve_slot("a", 10, far)) == 40


def test_slots_of_several_processes_do_not_coincide(path):
    """Ten seconds apart, so that what a loaded machine adds between the answer and the print does not count."""
    code = (
        OPEN
        + """
for _ in range(25):
    wait = cache.reserve_slot("a", 10, time.monotonic() + 3000)
    print(time.time() + wait)
"""
    )
    processes = [run(code, path) for _ in range(4)]
    moments = sorted(float(line) for process in processes for line in process.communicate(timeout=60)[0].split())
    assert len(moments) == 100
    assert min(later - earlier for earlier, later in zip(moments, moments[1:])) > 5


def test_a_clock_set_back_does_not_block_searches(cache):
    cache._connection.execute("INSERT INTO rate_slots VALUES ('a', ?)", (time.time() + 1e6,))
    assert cache.reserve_slot("a", 1, time.monotonic() + 5) == 0


def test_hashes_are_listed_by_prefix(cache):
    for key in ("aa1", "aa2", "ab1"):
        cache.put(snapshot(key))
    assert cache.hashes("aa", 10) == ["aa1", "aa2"]
    assert cache.hashes("aa", 1) == ["aa1"]
    assert cache.hashes("b", 10) == []


@POSIX
def test_a_page_is_stored_before_its_answer_is_given(path, warnings):
    """The row is committed before the answer is given: killed at once after its line, nothing acknowledged is lost."""
    code = """
    for number in range(1000000):
        key = f"page{number}"
        cache.put(Snapshot(key, "u", "u", "raw", None, 200, "2026-01-01T00:00:00Z", markdown="m" * 3000))
        print(key, flush=True)
    """
    for _ in range(5):
        process = run(OPEN + textwrap.dedent(code), path)
        acknowledged = [process.stdout.readline().decode().strip() for _ in range(random.randrange(1, 60))]
        process.kill()
        process.communicate()
        again = open_cache(path, Settings(), warnings.append)
        assert acknowledged
        assert all(again.get(key) is not None for key in acknowledged)
        again.close()
        assert warnings == []
