"""Full-text search over the stored pages: an index beside the table of snapshots, in the same file.

In: an open connection, inside the caller's transaction where it writes. Out: Hits, best first. SQLite's FTS5 does the
work where the build has it. The index has no text of its own (`content=''`), so a page's text is kept, compressed, for
the day when it is taken out: that needs the very words that were put in, and another program may have changed the row
by then. Chinese, Japanese, Korean and Thai are indexed as pairs of characters.
"""

from __future__ import annotations

from collections.abc import Iterable

from webtool import urls
from webtool.answers.words import fold, has_unspaced, unspaced_runs, words
from webtool.lean import patterns
from webtool.lean.optional import zlib
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Connection

# The tables' names have the version of what is written into them: other words would not take these out again.
_TABLES = (
    "CREATE TABLE IF NOT EXISTS recall_pages_1 (id INTEGER PRIMARY KEY, hash TEXT UNIQUE NOT NULL,"
    " fetched_at TEXT NOT NULL, body BLOB NOT NULL)",
    "CREATE INDEX IF NOT EXISTS idx_recall_pages_1_fetched ON recall_pages_1(fetched_at)",
    "CREATE VIRTUAL TABLE IF NOT EXISTS recall_1 USING fts5(title, body, site, content='',"
    " tokenize='unicode61 remove_diacritics 2')",
)
_ADD = "INSERT INTO recall_1 (rowid, title, body, site) VALUES (?, ?, ?, ?)"
_DROP = "INSERT INTO recall_1 (recall_1, rowid, title, body, site) VALUES ('delete', ?, ?, ?, ?)"
_MATCH = "SELECT rowid, bm25(recall_1, 4.0, 1.0, 0.0) FROM recall_1 WHERE recall_1 MATCH ? ORDER BY rowid DESC LIMIT ?"
_MISSING = (
    "SELECT s.hash FROM snapshots s LEFT JOIN recall_pages_1 p ON p.hash = s.hash"
    " WHERE p.hash IS NULL OR p.fetched_at <> s.fetched_at"
    " ORDER BY s.fetched_at DESC LIMIT ?"
)
_GONE = "SELECT hash FROM recall_pages_1 WHERE hash NOT IN (SELECT hash FROM snapshots)"
_PAGE = "SELECT hash, url, title, fetched_at, coalesce(markdown, text) FROM snapshots WHERE hash = ?"
_INDEXED = _PAGE.replace("hash = ?", "hash = (SELECT hash FROM recall_pages_1 WHERE id = ?)")

MAX_TEXT = 400_000
"""Characters of a page that are indexed."""
_RANKED = 2000  # at most this many matches are ranked, the newest: words that every page has must not cost every page
_MOST_FORGOTTEN = 2000  # taking out one by one takes 2 ms each; beyond that the index is begun anew
_SEPARATOR = "\x00"

_link_targets = patterns.compile(r"\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s\"[^\"\n]*\")?\)").sub


class Hit(NamedTuple):
    """A stored page that matches."""

    hash: str
    url: str
    title: str | None
    fetched_at: str
    text: str
    """Its markdown, or the text of a raw body."""


def is_available(db: Connection) -> bool:
    """Whether this build of SQLite has FTS5."""
    return bool(db.execute("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").fetchall())


def prepare(db: Connection) -> None:
    """Make the tables where they are not there yet."""
    for statement in _TABLES:
        db.execute(statement)


def add(db: Connection, row: tuple[str, str, str | None, str, str]) -> None:
    """Index a page, in place of an earlier one under its hash. `row` is hash, url, title, fetched_at, text."""
    key, url, title, fetched_at, text = row
    forget(db, [key])
    fields = (searchable(title or ""), searchable(_link_targets("]", text[:MAX_TEXT])), " ".join(_sites(url)))
    body = zlib.compress(_SEPARATOR.join(fields).encode("utf-8", "replace"), 1)
    inserted = db.execute(
        "INSERT INTO recall_pages_1 (hash, fetched_at, body) VALUES (?, ?, ?)", (key, fetched_at, body)
    )
    db.execute(_ADD, (inserted.lastrowid, *fields))


def touch(db: Connection, key: str, fetched_at: str) -> None:
    """The page was found unchanged."""
    db.execute("UPDATE recall_pages_1 SET fetched_at = ? WHERE hash = ?", (fetched_at, key))


def forget(db: Connection, keys: Iterable[str]) -> None:
    """Take pages out of the index."""
    for key in keys:
        for number, body in db.execute("SELECT id, body FROM recall_pages_1 WHERE hash = ?", (key,)).fetchall():
            db.execute(_DROP, (number, *zlib.decompress(body).decode("utf-8").split(_SEPARATOR)))
            db.execute("DELETE FROM recall_pages_1 WHERE id = ?", (number,))


def forget_gone(db: Connection) -> None:
    """Take out what is not among the snapshots any more, in whichever way it went."""
    gone = [row[0] for row in db.execute(_GONE).fetchall()]
    if len(gone) > _MOST_FORGOTTEN:
        db.execute("INSERT INTO recall_1 (recall_1) VALUES ('delete-all')")
        db.execute("DELETE FROM recall_pages_1")
    else:
        forget(db, gone)


def is_in_step(db: Connection) -> bool:
    """Whether as many pages are indexed as are stored, up to the newest: a look that costs some milliseconds."""
    stored, indexed = (
        db.execute(f"SELECT count(*), max(fetched_at) FROM {table}").fetchall()[0]
        for table in ("snapshots", "recall_pages_1")
    )
    return bool(stored == indexed)


def missing(db: Connection, most: int) -> list[str]:
    """Hashes of stored pages that are not indexed as they are now, newest first."""
    return [row[0] for row in db.execute(_MISSING, (most,)).fetchall()]


def add_stored(db: Connection, keys: Iterable[str]) -> None:
    """Index pages that are already stored."""
    for key in keys:
        for row in db.execute(_PAGE, (key,)).fetchall():
            add(db, tuple(value if isinstance(value, str) else "" for value in row))  # type: ignore[arg-type]


def search(db: Connection, query: str, limit: int, domain: str = "") -> list[Hit]:
    """Pages that have all words of the query, best first; where these are few, those that have some come behind."""
    terms = [_variants(word) for word in _terms(query)]
    if not terms:
        return []
    hits: list[Hit] = []
    for operator in (" AND ", " OR ") if len(terms) > 1 else (" AND ",):
        if len(hits) < limit:
            hits += _matching(db, operator.join(terms), limit - len(hits), domain, {hit.url for hit in hits})
    return hits


def search_slowly(db: Connection, query: str, limit: int, domain: str = "") -> list[Hit]:
    """The same without FTS5: the newest of the pages that have all words, as they are written."""
    wanted = _terms(query)
    if not wanted:
        return []
    has = " AND ".join(["instr(lower(coalesce(markdown, text)), ?) > 0"] * len(wanted))
    select = _PAGE.replace("hash = ?", has) + " ORDER BY fetched_at DESC LIMIT ?"
    return _distinct(db.execute(select, (*wanted, _RANKED // 20)).fetchall(), limit, domain, set())


def _matching(db: Connection, expression: str, limit: int, domain: str, known: set[str]) -> list[Hit]:
    if domain:
        expression = f'site : "{_site(domain.lower())}" AND ({expression})'
    ranked = sorted(db.execute(_MATCH, (expression, _RANKED)).fetchall(), key=lambda row: (row[1], -row[0]))
    known = set(known)
    found: list[Hit] = []
    for number, _ in ranked:
        found += _distinct(db.execute(_INDEXED, (number,)).fetchall(), 1, domain, known)
        if len(found) == limit:
            break
    return found


def _distinct(rows: list[tuple[object, ...]], limit: int, domain: str, known: set[str]) -> list[Hit]:
    """The first pages of different URLs; a page is stored once for each mode."""
    found: list[Hit] = []
    for row in rows:
        if not all(isinstance(value, str) for value in (row[0], row[1], row[3], row[4])):
            continue
        hit = Hit(*row)  # type: ignore[arg-type]
        if hit.url not in known and (not domain or urls.matches_domain(hit.url, domain)) and len(found) < limit:
            known.add(hit.url)
            found.append(hit)
    return found


def searchable(text: str) -> str:
    """The text as it is indexed: folded, and in pairs of characters where a script has no spaces."""
    folded = fold(text).replace(_SEPARATOR, " ")
    return unspaced_runs(lambda run: f" {' '.join(words(run[0]))} ", folded) if has_unspaced(folded) else folded


def _terms(query: str) -> list[str]:
    """Words of the query that tell; single ideographs only where there is nothing else."""
    from webtool.answers.question.asking import content_words  # its tables are for who searches; every fetch keeps

    found = content_words(query)
    return [word for word in found if len(word) > 1 or word.isascii()] or found


def _variants(word: str) -> str:
    """The word as FTS5 reads it, with its plural or singular."""
    forms = [word]
    if word.isascii() and word.isalpha() and len(word) > 3:
        forms.append(word[:-1] if word.endswith("s") else word + "s")
    return "(" + " OR ".join('"' + form.replace('"', " ") + '"' for form in forms) + ")"


def _sites(url: str) -> list[str]:
    """One word for the host and each of its parents."""
    labels = urls.hostname(url).lower().split(".")
    return [_site(".".join(labels[start:])) for start in range(len(labels))]


def _site(domain: str) -> str:
    return f"s{zlib.crc32(domain.strip('.').encode()):08x}"
