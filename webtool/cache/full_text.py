"""Full-text index of the stored pages, in the same SQLite file as the pages.

In: an open connection; for changes, inside the caller's transaction. Out: Hits, best match first.
SQLite's FTS5 extension does the matching. Table `recall_2` is the FTS5 index, with several rows for a long page.
It stores no text (`content=''`). To remove a page from such an index SQLite needs the exact words that were inserted,
but another program may have changed or deleted the page's row. So table `recall_pages_2` stores the words, compressed.
Text in scripts without spaces (Chinese, Japanese, Korean, Thai) is indexed as pairs of characters.

Two things may fail, and neither fails a fetch. Without FTS5 or zlib, search_slowly() scans the newest pages. If the
index is damaged, pages are stored without it. Pages that are missing from the index are added by the next search.
Tests: tests/cache/test_full_text.py
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from webtool import urls
from webtool.cache import files
from webtool.cache.tables import Transaction
from webtool.lean import patterns
from webtool.lean.optional import HAS_ZLIB, zlib
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Connection

# Increase the number in the table names when the indexed words change: only the same words can be removed again.
_TABLES = (
    "DROP TABLE IF EXISTS recall_1",  # of versions that indexed only the beginning of a page
    "DROP TABLE IF EXISTS recall_pages_1",
    "CREATE TABLE IF NOT EXISTS recall_pages_2 (id INTEGER PRIMARY KEY, hash TEXT NOT NULL, part INTEGER NOT NULL,"
    " fetched_at TEXT NOT NULL, body BLOB NOT NULL, UNIQUE (hash, part))",
    "CREATE INDEX IF NOT EXISTS idx_recall_pages_2_fetched ON recall_pages_2(fetched_at) WHERE part = 0",
    "CREATE VIRTUAL TABLE IF NOT EXISTS recall_2 USING fts5(title, body, site, content='',"
    " tokenize='unicode61 remove_diacritics 2')",
)
_ADD = "INSERT INTO recall_2 (rowid, title, body, site) VALUES (?, ?, ?, ?)"
_DROP = "INSERT INTO recall_2 (recall_2, rowid, title, body, site) VALUES ('delete', ?, ?, ?, ?)"
_MATCH = "SELECT rowid, bm25(recall_2, 4.0, 1.0, 0.0) FROM recall_2 WHERE recall_2 MATCH ? ORDER BY rowid DESC LIMIT ?"
# Hashes of snapshots that are not indexed, or were fetched again since.
_MISSING = (
    "SELECT s.hash FROM snapshots s LEFT JOIN recall_pages_2 p ON p.hash = s.hash AND p.part = 0"
    " WHERE p.hash IS NULL OR p.fetched_at <> s.fetched_at"
    " ORDER BY s.fetched_at DESC LIMIT ?"
)
_GONE = "SELECT hash FROM recall_pages_2 WHERE part = 0 AND hash NOT IN (SELECT hash FROM snapshots)"
_PAGE = "SELECT hash, url, title, fetched_at, coalesce(markdown, text) FROM snapshots WHERE hash = ?"
_INDEXED = _PAGE.replace("hash = ?", "hash = (SELECT hash FROM recall_pages_2 WHERE id = ?)")

MAX_PART = 200_000  # characters of a page in one row of the index
_MAX_PARTS = 100  # of a page; text beyond these is not indexed
_MAX_RANKED = 2000  # matches; of more, only the newest are ranked, as ranking costs time for each
_MAX_SCANNED = 100  # matching pages that a search without the index reads, newest first
_MAX_FORGOTTEN = 2000  # pages removed one by one, 2 ms each; for more the whole index is emptied and built again
_MAX_MISSING = 100_000  # pages that one search notices as missing from the index
_BATCH = 20  # pages indexed in one transaction, so that other processes do not wait long
_SEPARATOR = "\x00"  # between the fields of recall_pages_2.body

# "](https://a.example/x)" of a markdown link: the target is not indexed.
_link_targets = patterns.compile(r"\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s\"[^\"\n]*\")?\)").sub


class Hit(NamedTuple):
    """A stored page that matches."""

    hash: str
    url: str
    title: str | None
    fetched_at: str
    text: str  # its markdown, or the text of a raw body


class Found(NamedTuple):
    """The answer to one search."""

    hits: list[Hit]
    pending: int = 0  # stored pages that are not indexed yet
    is_indexed: bool = True  # False without FTS5 or zlib: only the newest pages were scanned


class Index:
    """Keeps the index in step with the stored pages. Never raises for a damaged index: it then stops changing it."""

    def __init__(self) -> None:
        self._is_ready: bool | None = None  # None: not checked yet; False: unavailable, or it failed

    def change(self, db: Connection, operation: Callable[..., None], *values: object) -> None:
        """Run `operation` (add, touch, forget or forget_gone) with these values; undo it if the index fails."""
        if self._is_ready is None:
            self._is_ready = is_available(db)
        if not self._is_ready:
            return
        db.execute("SAVEPOINT recall")
        try:
            prepare(db)
            operation(db, *values)
        except files.Error:
            self._is_ready = False
            db.execute("ROLLBACK TO recall")
        db.execute("RELEASE recall")

    def search(self, db: Connection, query: str, limit: int, domain: str, until: float) -> Found:
        """Search, after adding missing pages, newest first, until that monotonic time. Raises what SQLite raises."""
        if not is_available(db):
            return Found(search_slowly(db, query, limit, domain), is_indexed=False)
        prepare(db)
        pending = 0 if is_in_step(db) else self._catch_up(db, until)
        return Found(search(db, query, limit, domain), pending)

    def _catch_up(self, db: Connection, until: float) -> int:
        """Add missing pages to the index until that monotonic time; return how many are still missing."""
        with Transaction(db):
            forget_gone(db)
        keys = [row[0] for row in db.execute(_MISSING, (_MAX_MISSING,)).fetchall()]  # newest first
        done = 0
        while done < len(keys) and time.monotonic() < until:
            batch = keys[done : done + _BATCH]
            with Transaction(db):
                add_stored(db, batch)
            done += len(batch)
        return len(keys) - done


def is_available(db: Connection) -> bool:
    """Return whether this Python can keep the index: whether it has zlib, and its SQLite has FTS5."""
    return HAS_ZLIB and bool(db.execute("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").fetchall())


def prepare(db: Connection) -> None:
    """Create the tables of the index if they are missing."""
    for statement in _TABLES:
        db.execute(statement)


def add(db: Connection, row: tuple[str, str, str | None, str, str]) -> None:
    """Index a page; replaces an earlier version under its hash. `row` is hash, url, title, fetched_at, text."""
    key, url, title, fetched_at, text = row
    forget(db, [key])
    site = " ".join(_site_words(url))
    for number, part in enumerate(_parts(text)):
        fields = (searchable(title or ""), searchable(_link_targets("]", part)), site)
        body = zlib.compress(_SEPARATOR.join(fields).encode("utf-8", "replace"), 1)
        inserted = db.execute(
            "INSERT INTO recall_pages_2 (hash, part, fetched_at, body) VALUES (?, ?, ?, ?)",
            (key, number, fetched_at, body),
        )
        db.execute(_ADD, (inserted.lastrowid, *fields))


def _parts(text: str) -> list[str]:
    """Return a text in parts of at most MAX_PART characters, cut at line ends where there are any."""
    parts: list[str] = []
    start = 0
    while len(text) - start > MAX_PART and len(parts) < _MAX_PARTS - 1:
        end = text.rfind("\n", start + MAX_PART // 2, start + MAX_PART) + 1 or start + MAX_PART
        parts.append(text[start:end])
        start = end
    return [*parts, text[start : start + MAX_PART]]


def touch(db: Connection, key: str, fetched_at: str) -> None:
    """Record that the page was fetched again and had not changed."""
    db.execute("UPDATE recall_pages_2 SET fetched_at = ? WHERE hash = ?", (fetched_at, key))


def forget(db: Connection, keys: Iterable[str]) -> None:
    """Remove pages from the index; all of them, for the next search to add them again, if one is damaged."""
    for key in keys:
        for number, body in db.execute("SELECT id, body FROM recall_pages_2 WHERE hash = ?", (key,)).fetchall():
            try:
                title, text, site = zlib.decompress(body).decode("utf-8").split(_SEPARATOR)
            except (zlib.error, ValueError, TypeError):
                _forget_all(db)
                return
            db.execute(_DROP, (number, title, text, site))
            db.execute("DELETE FROM recall_pages_2 WHERE id = ?", (number,))


def _forget_all(db: Connection) -> None:
    db.execute("INSERT INTO recall_2 (recall_2) VALUES ('delete-all')")
    db.execute("DELETE FROM recall_pages_2")


def forget_gone(db: Connection) -> None:
    """Remove every page whose snapshot was deleted, by this or another program."""
    gone = [row[0] for row in db.execute(_GONE).fetchall()]
    if len(gone) > _MAX_FORGOTTEN:
        _forget_all(db)
    else:
        forget(db, gone)


def is_in_step(db: Connection) -> bool:
    """Return whether the index seems complete: its number of pages and newest time equal those of the snapshots."""
    stored, indexed = (
        db.execute(f"SELECT count(*), max(fetched_at) FROM {table}").fetchall()[0]
        for table in ("snapshots", "recall_pages_2 WHERE part = 0")
    )
    return bool(stored == indexed)


def add_stored(db: Connection, keys: Iterable[str]) -> None:
    """Index the stored pages with these hashes."""
    for key in keys:
        for row in db.execute(_PAGE, (key,)).fetchall():
            add(db, tuple(value if isinstance(value, str) else "" for value in row))  # type: ignore[arg-type]


def search(db: Connection, query: str, limit: int, domain: str = "") -> list[Hit]:
    """Return pages with all words of the query, best first; if fewer than `limit`, then pages with some of them."""
    terms = [_variants(word) for word in _search_words(query)]
    if not terms:
        return []
    hits = _matching(db, " AND ".join(terms), limit, domain)
    if len(hits) < limit and len(terms) > 1:
        hits += _matching(db, " OR ".join(terms), limit - len(hits), domain, {hit.url for hit in hits})
    return hits


def search_slowly(db: Connection, query: str, limit: int, domain: str = "") -> list[Hit]:
    """Search without the index: return the newest pages that contain every word of the query literally."""
    query_words = _search_words(query)
    if not query_words:
        return []
    has_all = " AND ".join(["instr(lower(coalesce(markdown, text)), ?) > 0"] * len(query_words))
    select = _PAGE.replace("hash = ?", has_all) + " ORDER BY fetched_at DESC LIMIT ?"
    return _distinct(db.execute(select, (*query_words, _MAX_SCANNED)).fetchall(), limit, domain)


def _matching(db: Connection, expression: str, limit: int, domain: str, known: Iterable[str] = ()) -> list[Hit]:
    """Return the best pages for an FTS5 expression, except those whose URLs are in `known`."""
    if domain:
        expression = f'site : "{_site_word(domain.lower())}" AND ({expression})'
    ranked = sorted(db.execute(_MATCH, (expression, _MAX_RANKED)).fetchall(), key=lambda row: (row[1], -row[0]))
    rows = (row for number, _ in ranked for row in db.execute(_INDEXED, (number,)).fetchall())
    return _distinct(rows, limit, domain, known)


def _distinct(rows: Iterable[tuple[object, ...]], limit: int, domain: str, known: Iterable[str] = ()) -> list[Hit]:
    """Return the first `limit` pages whose URLs are not in `known`, each once: a page has a row for each mode."""
    seen = set(known)
    hits: list[Hit] = []
    for row in rows:
        if not all(isinstance(value, str) for value in (row[0], row[1], row[3], row[4])):
            continue  # a damaged row
        hit = Hit(*row)  # type: ignore[arg-type]
        if hit.url not in seen and (not domain or urls.matches_domain(hit.url, domain)):
            seen.add(hit.url)
            hits.append(hit)
            if len(hits) == limit:
                break
    return hits


def searchable(text: str) -> str:
    """Return the text as it is indexed: case folded, scripts without spaces cut into pairs of characters."""
    from webtool.answers.words import fold, has_unspaced, unspaced_runs, words  # a process for one page indexes nothing

    folded = fold(text).replace(_SEPARATOR, " ")
    return unspaced_runs(lambda run: f" {' '.join(words(run[0]))} ", folded) if has_unspaced(folded) else folded


def _search_words(query: str) -> list[str]:
    """Return the words of the query without stop words; single ideographs only if there is nothing else."""
    from webtool.answers.question.query import (
        content_words,  # only searches need its tables, and every fetch runs this
    )

    query_words = content_words(query)
    return [word for word in query_words if len(word) > 1 or word.isascii()] or query_words


def _variants(word: str) -> str:
    """Return an FTS5 expression for the word and its plural or singular: kettle -> ("kettle" OR "kettles")."""
    forms = [word]
    if word.isascii() and word.isalpha() and len(word) > 3:
        forms.append(word[:-1] if word.endswith("s") else word + "s")
    return "(" + " OR ".join('"' + form.replace('"', " ") + '"' for form in forms) + ")"


def _site_words(url: str) -> list[str]:
    """Return one index word for the host and for each parent domain, so that a domain can be searched."""
    labels = urls.hostname(url).lower().split(".")
    return [_site_word(".".join(labels[start:])) for start in range(len(labels))]


def _site_word(domain: str) -> str:
    """Return the index word of a domain: FTS5 would split the name at its dots."""
    return f"s{zlib.crc32(domain.strip('.').encode()):08x}"
