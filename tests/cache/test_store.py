"""The cache file: many processes, sudden death, full disks, damage, old and foreign files, purging."""

import os
import random
import signal
import sqlite3
import stat
import subprocess
import sys
import textwrap
import threading
import time

import pytest

from webtool.cache import schema
from webtool.cache.snapshot import Snapshot
from webtool.cache.store import open_cache
from webtool.errors import CacheError
from webtool.lean import dates
from webtool.settings import Settings

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
POSIX = pytest.mark.skipif(os.name == "nt", reason="signals, modes and limits as POSIX has them")


def snapshot(key="k", url="https://e.example/", age=0.0, lifetime=3600.0, **members):
    now = time.time() - age
    return Snapshot(key, url, url, "readable", "text/html", 200, dates.iso(now), dates.iso(now + lifetime))._replace(
        **members
    )


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "folder" / "cache.sqlite3")


@pytest.fixture
def warnings():
    return []


@pytest.fixture
def cache(path, warnings):
    opened = open_cache(path, Settings(), warnings.append)
    yield opened
    opened.close()


def run(code, *arguments, **options):
    """Python code in a process of its own that can import webtool."""
    script = f"import sys, os, time\nsys.path.insert(0, {ROOT!r})\n{textwrap.dedent(code)}"
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options
    )


OPEN = """
from webtool.cache.snapshot import Snapshot
from webtool.cache.store import open_cache
from webtool.settings import Settings
cache = open_cache(sys.argv[1], Settings(), lambda text: print("warned:", text, file=sys.stderr, flush=True))
"""


def test_what_is_put_comes_back_whole(cache):
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


@POSIX
def test_folder_and_files_are_the_owners_alone(path, warnings):
    cache = open_cache(path, Settings(), warnings.append)
    cache.put(snapshot())
    folder = os.path.dirname(path)
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    for name in os.listdir(folder):
        assert stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode) == 0o600
    cache.close()


def test_the_file_is_as_the_design_says(cache, path):
    cache.put(snapshot())
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert db.execute("PRAGMA auto_vacuum").fetchone() == (2,)
    assert db.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)
    ours = cache._connection
    assert ours.execute("PRAGMA synchronous").fetchone() == (1,)
    assert ours.execute("PRAGMA temp_store").fetchone() == (2,)
    assert ours.execute("PRAGMA foreign_keys").fetchone() == (1,)
    columns = [row[1] for row in db.execute("PRAGMA table_info(snapshots)")]
    assert columns == list(Snapshot._fields)
    assert [row[1] for row in db.execute("PRAGMA table_info(search_cache)")] == [
        "key_hash", "query_json", "response_json", "fetched_at", "expires_at",
    ]  # fmt: skip
    indexes = {row[1] for row in db.execute("PRAGMA index_list(snapshots)")}
    assert {"idx_snapshots_url", "idx_snapshots_fetched", "idx_snapshots_expires"} <= indexes
    db.close()


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


# What a damaged file may hold.
DAMAGES = {
    "text": b"this is not a database\n" * 100,
    "zeros": bytes(8192),
    "header only": b"SQLite format 3\x00" + bytes(range(84)) + b"\xff" * 5000,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_set_aside_and_a_new_one_begun(path, warnings, damage):
    os.makedirs(os.path.dirname(path))
    with open(path, "wb") as file:
        file.write(DAMAGES[damage])
    cache = open_cache(path, Settings(), warnings.append)
    cache.put(snapshot())
    assert cache.get("k") is not None
    cache.close()
    aside = [name for name in os.listdir(os.path.dirname(path)) if ".corrupt-" in name]
    assert len(aside) == len(warnings) == 1
    assert aside[0] in warnings[0]
    with open(os.path.join(os.path.dirname(path), aside[0]), "rb") as file:
        assert file.read() == DAMAGES[damage]


def test_damage_in_the_middle_of_use_is_survived(path, warnings):
    cache = open_cache(path, Settings(), warnings.append)
    for n in range(300):
        cache.put(snapshot(str(n), markdown="z" * 4000))
    cache.close()
    with open(path, "r+b") as file:  # every page but the first: the file opens and its tables are listed, but no more
        file.seek(4096)
        file.write(os.urandom(os.path.getsize(path) - 4096))
    cache = open_cache(path, Settings(), warnings.append)
    found = [cache.get(str(n)) for n in range(300)]
    assert None in found
    cache.put(snapshot("new"))
    assert cache.get("new") is not None
    assert len(warnings) == 1
    assert ".corrupt-" in warnings[0]
    cache.close()


def test_the_log_of_a_damaged_file_is_not_replayed_into_the_new_one(path, warnings):
    cache = open_cache(path, Settings(), warnings.append)
    cache.put(snapshot("first"))  # makes the tables of the index
    cache.close()
    cache = open_cache(path, Settings(), warnings.append)  # the log now holds the next row only, not the whole file
    cache.put(snapshot("old"))
    log = path + "-wal"
    with open(log, "rb") as file:
        saved = file.read()
    cache.close()
    with open(path, "wb") as file:
        file.write(b"no database")
    with open(log, "wb") as file:
        file.write(saved)
    cache = open_cache(path, Settings(), warnings.append)
    assert cache.get("old") is None
    cache.put(snapshot("new"))
    cache.close()
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    db.close()


def test_a_foreign_table_without_our_key_is_set_aside(path, warnings):
    os.makedirs(os.path.dirname(path))
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE snapshots (name TEXT)")
    db.commit()
    db.close()
    cache = open_cache(path, Settings(), warnings.append)
    cache.put(snapshot())
    assert cache.get("k") is not None
    assert len(warnings) == 1
    cache.close()


def test_an_older_file_gets_what_it_lacks_and_keeps_its_rows(path, warnings):
    os.makedirs(os.path.dirname(path))
    db = sqlite3.connect(path)
    db.execute(
        "CREATE TABLE snapshots (hash TEXT PRIMARY KEY, url TEXT NOT NULL, final_url TEXT NOT NULL, mode TEXT NOT NULL,"
        " fetched_at TEXT NOT NULL, markdown TEXT)"
    )
    db.execute("INSERT INTO snapshots VALUES ('old', 'u', 'u', 'readable', '2026-01-01T00:00:00Z', 'kept')")
    db.commit()
    db.close()
    for _ in range(2):
        cache = open_cache(path, Settings(), warnings.append)
        assert cache.get("old").markdown == "kept"
        cache.put(snapshot())
        assert cache.get("k").raw_truncated == 0
        assert cache.reserve_slot("s", 1, time.monotonic() + 9) is not None
        cache.close()
    assert warnings == []


def test_a_newer_file_is_used_as_it_is(path, warnings):
    open_cache(path, Settings(), warnings.append).close()
    db = sqlite3.connect(path)
    db.execute("ALTER TABLE snapshots ADD COLUMN invented_later TEXT")
    db.execute("PRAGMA user_version=99")
    db.close()
    cache = open_cache(path, Settings(), warnings.append)
    cache.put(snapshot())
    assert cache.get("k") == snapshot(fetched_at=cache.get("k").fetched_at, expires_at=cache.get("k").expires_at)
    cache.close()
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA user_version").fetchone() == (99,)
    db.close()
    assert warnings == []


@POSIX
@pytest.mark.parametrize("limit", [0, 300_000])
def test_a_full_disk_costs_one_warning(path, limit):
    """The process may write no file larger than `limit` bytes, as on a disk that is full."""
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


def test_a_full_file_is_an_error_of_the_cache_tools_only(cache, warnings):
    cache._connection.execute("PRAGMA max_page_count=1")
    cache.put(snapshot(markdown="x" * 100_000))
    cache.put(snapshot(markdown="x" * 100_000))
    assert len(warnings) == 1
    with pytest.raises(CacheError) as caught:
        cache.put(snapshot(markdown="x" * 100_000), strict=True)
    assert caught.value.hint


def test_a_locked_file_is_waited_for_once_and_then_left_alone(cache, path, warnings):
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


UNUSABLE = ["", "/dev/null/cache.sqlite3", "/proc/webtool/cache.sqlite3", "bad\x00name"]


@pytest.mark.parametrize("name", UNUSABLE)
def test_a_place_that_cannot_be_used_is_no_cache_and_one_warning(name, warnings):
    assert open_cache(name, Settings(), warnings.append) is None
    assert len(warnings) == 1


@POSIX
def test_a_folder_that_may_not_be_written_is_no_cache(path):
    code = (
        OPEN.replace("cache =", "if os.getuid() == 0: os.setgid(65534), os.setuid(65534)\ncache =")
        + """
if cache is not None:
    cache.put(Snapshot("k", "u", "u", "raw", None, 200, "2026-01-01T00:00:00Z"))
print(cache and cache.get("k"))
"""
    )
    folder = os.path.dirname(path)
    os.makedirs(folder)
    parent = folder
    while parent != "/" and os.getuid() == 0:  # another user has to get there
        parent = os.path.dirname(parent)
        if parent.startswith("/tmp/"):
            os.chmod(parent, os.stat(parent).st_mode | 0o055)
    os.chmod(folder, 0o555)
    out, errors = run(code, path).communicate(timeout=60)
    os.chmod(folder, 0o755)
    assert out.strip() == b"None", errors
    assert errors.count(b"warned:") == 1


def test_a_closed_cache_finds_nothing_and_keeps_nothing(cache, warnings):
    cache.close()
    cache.put(snapshot())
    assert cache.get("k") is None
    assert cache.purge() == 0
    with pytest.raises(CacheError):
        cache.get("k", strict=True)
    assert warnings == []


def test_values_that_sqlite_cannot_hold_are_not_kept(cache, warnings):
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
def test_purge_deletes_what_meets_every_criterion(cache, criteria, stay):
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
    """Write rows of `size` bytes, older first, every fifth already expired; what stays, and the largest size seen."""
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


def test_past_its_size_the_file_loses_expired_rows_then_the_oldest_and_shrinks(path):
    check_purged(path, limit=8_000_000, rows=400, size=50_000)


@pytest.mark.skipif(os.environ.get("WEBTOOL_TEST_PROFILE") != "nightly", reason="writes more than a gigabyte")
def test_past_a_gigabyte(path):
    check_purged(path, limit=Settings().cache_max_bytes, rows=1300, size=1_000_000)


def test_purging_gives_pages_back_to_the_file_system(cache, path):
    for n in range(100):
        cache.put(snapshot(str(n), markdown="x" * 50_000))
    cache.close()
    before = os.path.getsize(path)
    again = open_cache(path, Settings(), print)
    assert again.purge(max_entries=1) == 99
    again.close()
    assert os.path.getsize(path) < before / 10


def test_searches_are_kept_until_they_expire(cache):
    cache.put_search("k", "{}", '{"a": 1}', now=1000.0, ttl=60.0)
    assert cache.get_search("k", 1059.0).response_json == '{"a": 1}'
    assert cache.get_search("k", 1060.0) is None
    assert cache.get_search("other", 1000.0) is None


def test_robots_rows(cache):
    assert cache.get_robots("https://e.example") is None
    cache.put_robots("https://e.example", b"\xff", 404, 12.5)
    assert cache.get_robots("https://e.example") == (b"\xff", 404, 12.5)


def test_slots_are_an_interval_apart_and_none_lies_past_the_deadline(cache):
    far = time.monotonic() + 100
    waits = [cache.reserve_slot("a", 10, far) for _ in range(4)]
    assert [round(wait) for wait in waits] == [0, 10, 20, 30]
    assert cache.reserve_slot("b", 10, far) == 0
    assert cache.reserve_slot("a", 10, time.monotonic() + 5) is None
    assert round(cache.reserve_slot("a", 10, far)) == 40


def test_slots_of_several_processes_do_not_meet(path):
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


def test_hashes_by_prefix(cache):
    for key in ("aa1", "aa2", "ab1"):
        cache.put(snapshot(key))
    assert cache.hashes("aa", 10) == ["aa1", "aa2"]
    assert cache.hashes("aa", 1) == ["aa1"]
    assert cache.hashes("b", 10) == []


@POSIX
def test_a_page_whose_answer_was_read_is_kept_though_the_process_is_killed(path, warnings):
    """The row is committed before the answer is given: killed at once after its line, nothing acknowledged is lost."""
    code = """
    cache = open_cache(sys.argv[1], Settings(), print)
    for number in range(1000000):
        key = f"page{number}"
        cache.put(Snapshot(key, "u", "u", "raw", None, 200, "2026-01-01T00:00:00Z", markdown="m" * 3000))
        print(key, flush=True)
    """
    for _ in range(5):
        process = run(OPEN + textwrap.dedent(code), path)
        told = [process.stdout.readline().decode().strip() for _ in range(random.randrange(1, 60))]
        process.kill()
        process.communicate()
        again = open_cache(path, Settings(), warnings.append)
        assert told
        assert all(again.get(key) is not None for key in told)
        again.close()
        assert warnings == []
