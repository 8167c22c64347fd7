"""Full-text search over stored pages: its results, and that the index stays in step with the snapshots."""

import sqlite3
import time
from contextlib import closing

import pytest

from webtool.cache import full_text
from webtool.cache.store import open_cache
from webtool.cache.tables import Snapshot
from webtool.settings import Settings


def page(key, markdown, url="https://docs.a.example/x", title="T", fetched_at="2026-05-01T00:00:00Z", **columns):
    return Snapshot(
        hash=key, url=url, final_url=url, mode="readable", content_type="text/html", status_code=200,
        fetched_at=fetched_at, title=title, markdown=markdown, **columns,
    )  # fmt: skip


@pytest.fixture
def open_one(path):
    opened = []

    def make(**settings):
        opened.append(open_cache(path, Settings(**settings), lambda text: pytest.fail(text)))
        return opened[-1]

    yield make
    for cache in opened:
        cache.close()


def search(cache, query, limit=10, domain=""):
    return [hit.hash for hit in cache.recall(query, limit, domain, time.monotonic() + 5).hits]


def test_pages_are_found_by_their_words_best_first(open_one):
    cache = open_one()
    cache.put(page("a", "The kettle boils water.", "https://docs.a.example/1", "Kettle"))
    cache.put(page("b", "Water is wet. [kettle](https://x.example/quagga)", "https://b.example/2", "Rain"))
    cache.put(page("c", "Café über naïve 東京都の水道は安全です。", "https://c.example/3", "C"))
    assert search(cache, "kettle water") == ["a", "b"]
    assert search(cache, "kettles") == ["a", "b"]
    assert search(cache, "quagga") == []  # where a link goes is not what a page says
    assert search(cache, "cafe UBER") == ["c"]
    assert search(cache, "東京の水道") == ["c"]
    cache.put(page("d", "駅前に山\ufa11商店がある。", "https://d.example/4", "D"))
    assert search(cache, "山\ufa11") == ["d"]  # a compatibility ideograph that NFKC leaves as it is
    assert search(cache, "water", domain="a.example") == ["a"]
    assert sorted(search(cache, "water", domain="example")) == ["a", "b"]
    assert search(cache, "water", limit=1) in (["a"], ["b"])
    assert search(cache, "kettle zebra")[0] == "a"  # none has both words: those that have one
    assert search(cache, "the") == ["a"]
    for query in ("", "???", '"', "a OR", "NEAR(", "x" * 5000, "title:water", "*"):
        search(cache, query)


def test_a_page_stored_in_two_modes_is_one_result(open_one):
    cache = open_one()
    cache.put(page("a", "harbour tides"))
    cache.put(page("b", "harbour tides and more")._replace(mode="full"))
    assert len(search(cache, "harbour")) == 1


def test_a_process_of_one_page_leaves_indexing_to_the_next_search(open_one):
    """A page that is stored again is indexed at once: by counts alone a search would take its old words as current."""
    cache = open_one()
    cache.put(page("a", "first words", fetched_at="2026-05-01T00:00:00Z"))
    cache.indexes_at_once = False
    cache.put(page("b", "second words", url="https://b.example/", fetched_at="2026-05-02T00:00:00Z"))
    cache.put(page("a", "third words", fetched_at="2026-05-01T01:00:00Z"))
    with sqlite3.connect(cache.path) as db:
        assert db.execute("SELECT hash FROM recall_pages_2").fetchall() == [("a",)]
    assert (search(cache, "second"), search(cache, "first"), search(cache, "third")) == (["b"], [], ["a"])


def test_put_refresh_delete_and_purge_keep_the_index_in_step(open_one):
    cache = open_one()
    cache.put(page("a", "first words"))
    cache.put(page("b", "second words", url="https://b.example/", fetched_at="2026-05-02T00:00:00Z"))
    cache.put(page("a", "third words"))
    assert search(cache, "first words second")[0] == "b"
    assert search(cache, "third") == ["a"]
    cache.touch(page("a", "third words", fetched_at="2026-05-03T00:00:00Z"))
    assert search(cache, "third") == ["a"]
    cache.delete("a")
    assert search(cache, "third") == []
    cache.purge(domain="b.example")
    assert search(cache, "second") == []


def test_a_page_deleted_to_make_room_leaves_the_index_too(open_one, path):
    cache = open_one(cache_max_bytes=400_000)
    for number in range(120):
        at = f"2026-05-01T00:{number // 60:02d}:{number % 60:02d}Z"
        cache.put(
            page(str(number), f"word{number} " + "filler text " * 500, f"https://a.example/{number}", fetched_at=at)
        )
    db = sqlite3.connect(path)
    stored, indexed = ({row[0] for row in db.execute(f"SELECT hash FROM {t}")} for t in ("snapshots", "recall_pages_2"))
    assert stored == indexed
    assert len(stored) < 120
    assert db.execute("INSERT INTO recall_2 (recall_2) VALUES ('integrity-check')").fetchall() == []
    db.close()
    assert search(cache, "word0") == []
    assert search(cache, "word119") == ["119"]


def test_an_old_file_is_indexed_on_first_use_within_a_bound(open_one, path):
    cache = open_one()
    for number in range(60):
        cache.put(page(str(number), f"old page {number}", f"https://a.example/{number}"))
    db = sqlite3.connect(path)
    db.execute("DELETE FROM recall_pages_2")
    db.execute("INSERT INTO recall_2 (recall_2) VALUES ('delete-all')")
    db.commit()
    first = cache.recall("old page", 10, "", time.monotonic() - 1)
    assert (first.hits, first.pending) == ([], 60)
    second = cache.recall("old page 7", 10, "", time.monotonic() + 10)
    assert second.pending == 0
    assert second.hits[0].hash == "7"
    # Another program, which knows nothing of the index, changes and deletes rows.
    db.execute("UPDATE snapshots SET markdown = 'new text', fetched_at = '2026-06-01T00:00:00Z' WHERE hash = '7'")
    db.execute("DELETE FROM snapshots WHERE hash = '8'")
    db.commit()
    db.close()
    assert search(cache, "new text") == ["7"]
    assert "8" not in search(cache, "old page 8")


@pytest.mark.parametrize("change", ["x'00'", None])
def test_a_page_is_stored_although_the_index_fails(open_one, path, change):
    cache = open_one()
    cache.put(page("a", "kept words"))
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("DROP TABLE recall_2_data" if change is None else f"UPDATE recall_pages_2 SET body = {change}")
    cache.put(page("a", "newer words"))
    assert cache.get("a").markdown == "newer words"


# No zlib stream; one without separators; a number; a text.
BODIES = ("x'00'", "x'789c030000000001'", "7", "'old'")


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("operation", ["put", "delete", "recall"])
def test_a_damaged_row_of_the_index_is_mended(open_one, path, body, operation):
    cache = open_one()
    cache.put(page("a", "old kettle", "https://a.example/"))
    cache.put(page("b", "old kettle", "https://b.example/"))
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(f"UPDATE recall_pages_2 SET body = {body} WHERE hash = 'a'")
        if operation == "recall":  # another program deleted the page
            db.execute("DELETE FROM snapshots WHERE hash = 'a'")
    if operation == "put":
        cache.put(page("a", "new kettle", "https://a.example/"))
    elif operation == "delete":
        cache.delete("a")
    assert search(cache, "old") == ["b"]
    assert sorted(search(cache, "kettle")) == (["a", "b"] if operation == "put" else ["b"])


@pytest.mark.parametrize(("name", "lack"), [("is_available", lambda db: False), ("HAS_ZLIB", False)])
def test_without_fts5_or_zlib_the_newest_pages_are_scanned(open_one, monkeypatch, name, lack):
    monkeypatch.setattr(full_text, name, lack)
    monkeypatch.setattr(full_text, "zlib", None)
    cache = open_one()
    cache.put(page("a", "kettle water"))
    answer = cache.recall("kettle", 10, "", time.monotonic() + 5)
    assert [hit.hash for hit in answer.hits] == ["a"]
    assert not answer.is_indexed
    assert cache.info()["full_text"] is False
    cache.put(page("b", "kettle and cup", "https://b.example/", fetched_at="2026-05-02T00:00:00Z"))
    cache.put(page("c", "kettle and pot", "https://c.example/", fetched_at="2026-05-03T00:00:00Z"))
    assert search(cache, "kettle", limit=2) == ["c", "b"]
    assert search(cache, "kettle", domain="b.example") == ["b"]


@pytest.mark.parametrize(
    ("text", "query", "is_found"),
    [
        ("two cups", "cup", False),  # three letters: "gas" and "ga", "bus" and "bu" are different words
        ("many pots", "pots", True),
        ("many kettle", "kettles", True),
        ("a harbours", "harbour", True),
        ("the 404s page", "404", False),  # what has digits has no plural
        ("\u6c34", "\u6c34", True),  # one ideograph alone is a word,
        ("\u6c34\u9053 kettle", "\u7a7a kettle", True),  # and is passed over where the query has others
    ],
)
def test_a_word_matches_its_plural_and_singular(open_one, text, query, is_found):
    cache = open_one()
    cache.put(page("a", text, title=""))
    assert search(cache, query) == ["a"] * is_found


def test_the_index_does_not_change_the_other_tables(open_one, path):
    open_one().put(page("a", "x"))
    db = sqlite3.connect(path)
    columns = [row[1] for row in db.execute("PRAGMA table_info(snapshots)")]
    assert columns == list(Snapshot._fields)
    assert db.execute("SELECT count(*) FROM sqlite_master WHERE type = 'trigger'").fetchone() == (0,)
    db.close()


def test_many_pages_are_searched_quickly(open_one, path):
    cache = open_one()
    cache.put(page("first", "begins"))
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("BEGIN")
    columns = ", ".join(Snapshot._fields)
    marks = ", ".join("?" * len(Snapshot._fields))
    for number in range(5000):
        row = page(str(number), f"common words on page{number} about water", f"https://a.example/{number}")
        db.execute(f"INSERT INTO snapshots ({columns}) VALUES ({marks})", row)
        full_text.add(db, (row.hash, row.url, row.title, row.fetched_at, row.markdown))
    db.execute("COMMIT")
    db.close()
    search(cache, "water")
    begin = time.process_time()
    assert search(cache, "page4711 common")[0] == "4711"
    assert len(search(cache, "common words water")) == 10
    assert time.process_time() - begin < 0.5


def test_all_of_a_long_page_is_indexed_and_removed_again(open_one):
    cache = open_one()
    middle = "\n".join(f"Line {n} about the weather." for n in range(50_000))
    cache.put(page("a", f"kettle\n{middle}\nquagga zebra"))
    assert len(middle) > 5 * full_text.MAX_PART
    assert search(cache, "kettle") == search(cache, "quagga zebra") == search(cache, "49999") == ["a"]
    cache.delete("a")
    assert search(cache, "quagga") == []
