"""The cache file on disk: permissions, damage, old and foreign files, unusable paths."""

import os
import sqlite3
import stat
import time

import pytest
from cache.stores import OPEN, POSIX, run, snapshot

from webtool.cache import tables
from webtool.cache.store import open_cache
from webtool.cache.tables import Snapshot
from webtool.context import Context
from webtool.errors import CacheError
from webtool.settings import Settings


@POSIX
def test_only_the_owner_can_read_the_folder_and_the_files(path, warnings):
    cache = open_cache(path, Settings(), warnings.append)
    cache.put(snapshot())
    folder = os.path.dirname(path)
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    for name in os.listdir(folder):
        assert stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode) == 0o600
    cache.close()


def test_the_file_has_the_tables_indexes_and_pragmas_of_the_design(cache, path):
    cache.put(snapshot())
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert db.execute("PRAGMA auto_vacuum").fetchone() == (2,)
    assert db.execute("PRAGMA user_version").fetchone() == (tables.VERSION,)
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


# What a damaged file may hold.
DAMAGES = {
    "text": b"this is not a database\n" * 100,
    "zeros": bytes(8192),
    "header only": b"SQLite format 3\x00" + bytes(range(84)) + b"\xff" * 5000,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_renamed_and_a_new_one_begun(path, warnings, damage):
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


def open_damaged(path, warnings):
    """Open a cache of 300 pages in which every database page after the first is damaged: it opens, but reads fail."""
    cache = open_cache(path, Settings(), warnings.append)
    for n in range(300):
        cache.put(snapshot(str(n), markdown="z" * 4000))
    cache.close()
    with open(path, "r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (os.path.getsize(path) - 4096))
    return open_cache(path, Settings(), warnings.append)


def test_damage_in_the_middle_of_use_is_survived(path, warnings):
    cache = open_damaged(path, warnings)
    snapshots = [cache.get(str(n)) for n in range(300)]
    assert None in snapshots
    cache.put(snapshot("new"))
    assert cache.get("new") is not None
    assert len(warnings) == 1
    assert ".corrupt-" in warnings[0]
    cache.close()


STRICT_CALLS = {
    "get": lambda cache: cache.get("7", strict=True),
    "put": lambda cache: cache.put(snapshot(), strict=True),
    "purge": lambda cache: cache.purge(domain="a.example", strict=True),
    "info": lambda cache: cache.info(strict=True),
    "recall": lambda cache: cache.recall("words", 10, "", time.monotonic() + 5),
}


@pytest.mark.parametrize("name", STRICT_CALLS)
def test_a_cache_tool_reports_a_file_damaged_in_use_and_its_next_call_works(name, path, warnings):
    cache = open_damaged(path, warnings)
    with pytest.raises(CacheError, match="was damaged") as caught:
        STRICT_CALLS[name](cache)
    assert "renamed" in caught.value.hint
    assert len(warnings) == 1
    STRICT_CALLS[name](cache)
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


def test_a_file_with_a_foreign_table_is_renamed(path, warnings):
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


def test_an_older_file_gets_the_missing_columns_and_keeps_its_rows(path, warnings):
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


# (settings, warnings, what the cache tools say)
UNUSABLE = [
    ({"cache": False}, 0, "The cache is off"),
    ({}, 0, "no home folder is known"),
    ({"cache_path": "/dev/null/cache.sqlite3"}, 1, "/dev/null/cache.sqlite3 cannot be used: [A-Z]"),
    ({"cache_path": "/proc/webtool/cache.sqlite3"}, 1, "/proc/webtool/cache.sqlite3 cannot be used: [A-Z]"),
    ({"cache_path": "bad\x00name"}, 1, "cannot be used: "),
]


@pytest.mark.parametrize(("given", "warned", "reason"), UNUSABLE)
def test_an_unusable_path_disables_the_cache_and_the_cache_tools_say_why(given, warned, reason, warnings):
    ctx = Context(Settings(**given), environ={}, warn=warnings.append)
    assert ctx.derive().cache is None
    for _ in range(2):
        with pytest.raises(CacheError, match=reason) as caught:
            ctx.require_cache()
    assert caught.value.hint
    assert len(warnings) == warned


@POSIX
def test_a_read_only_folder_disables_the_cache(path):
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
