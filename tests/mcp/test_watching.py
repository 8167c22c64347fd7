"""Changes of the cache file are seen, whoever makes them."""

import pytest

from webtool import settings
from webtool.cache import files, store
from webtool.cache.snapshot import Snapshot
from webtool.lean import dates
from webtool.mcp.watching import Change, Watch

A, B = "a" * 64, "b" * 64


def snapshot(key, at=0.0):
    url = "https://e.example/"
    return Snapshot(key, url, url, "readable", "text/html", 200, dates.iso(at))


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "cache.sqlite3")


@pytest.fixture
def cache(path):
    opened = store.open_cache(path, settings.Settings(), warn=pytest.fail)
    yield opened
    opened.close()


@pytest.fixture
def watch(cache, path):
    started = Watch(path)
    yield started
    started.close()


def test_nothing_new_is_no_change(cache, watch):
    watch.add([A])
    assert watch.look() == Change()
    cache.put_robots("https://e.example", b"", 200, 0.0)
    assert watch.look() == Change()


def test_a_row_stored_renewed_and_deleted_is_seen_each_time(cache, watch):
    watch.add([A])
    cache.put(snapshot(A))
    assert watch.look() == Change(frozenset((A,)), is_list_changed=True)
    assert watch.look() == Change()
    cache.touch(snapshot(A, at=60.0))
    assert watch.look().hashes == {A}
    cache.put(snapshot(B, at=1.0))
    assert watch.look() == Change(frozenset(), is_list_changed=True)
    cache.delete(A)
    assert watch.look() == Change(frozenset((A,)), is_list_changed=True)


def test_rows_that_nobody_wants_any_more_are_not_looked_at(cache, watch):
    watch.add([A, B])
    watch.keep(frozenset((B,)))
    cache.put(snapshot(A))
    cache.put(snapshot(B))
    assert watch.look().hashes == {B}


def test_a_row_is_watched_from_when_it_is_added(cache, watch):
    cache.put(snapshot(A))
    watch.add([A])
    assert watch.look() == Change(frozenset(), is_list_changed=True)


def test_a_file_begun_anew_is_followed(cache, watch, path, tmp_path):
    cache.put(snapshot(A))
    watch.add([A])
    watch.look()
    for file in tmp_path.iterdir():
        file.rename(tmp_path / f"old-{file.name}")
    other = store.open_cache(path, settings.Settings(), warn=pytest.fail)
    assert watch.look() == Change(frozenset((A,)), is_list_changed=True)
    other.put(snapshot(A, at=5.0))
    assert watch.look() == Change(frozenset((A,)), is_list_changed=True)
    other.close()


def test_a_change_that_cannot_be_read_at_once_is_told_at_the_next_look(cache, watch, monkeypatch):
    def busy(_key):
        raise files.Error("database is locked")

    watch.add([A])
    cache.put(snapshot(A))
    with monkeypatch.context() as patched:
        patched.setattr(watch, "_row", busy)
        assert watch.look() == Change()
    assert watch.look() == Change(frozenset((A,)), is_list_changed=True)


def test_a_file_that_cannot_be_read_is_no_change(cache, watch, tmp_path):
    cache.close()
    for file in tmp_path.iterdir():
        file.unlink()
    tmp_path.joinpath("cache.sqlite3").mkdir()
    assert watch.look() == Change()
