"""Name the columns of a stored page, create the tables of the cache file, and check the rows that are read from them.

The primary key of a Snapshot is sha256(normalized_url + "\\n" + vary_headers + "\\n" + mode) in hexadecimal, so any
program can compute the hash of a page. prepare() adds the columns that an older version or another program left out.
SQLite's `user_version` is the version of the tables; it is 0 for a new file, and for one of another program of this
design.

SQLite accepts any value in any column, and the file lives for years among other programs and failing disks. So a row
that webtool would not write counts as damaged: its page is fetched again and the row replaced. The functions that check
a row are pure: a row in, its value out, or None if it is damaged.

A body of 4 KB or more is stored as a mark, its length in eight bytes, and a zlib stream, if that saves a tenth. HTML
shrinks to a fifth. With their text columns, which stay readable for people, 100 real pages shrank from 371 KB to 109 KB
each, for 1.1 ms of CPU time to store and 0.7 ms to read.
Tests: tests/cache/test_files.py, tests/cache/test_rows.py
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from webtool.lean import dates, jsontext
from webtool.lean.optional import HAS_ZLIB, zlib
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any, Connection

try:  # importing hashlib takes 3.5 ms, this 0.2 ms; the module's name depends on the Python version
    from _sha2 import sha256 as _sha256  # type: ignore[import-not-found]
except ImportError:
    try:
        from _sha256 import sha256 as _sha256  # type: ignore[import-not-found]
    except ImportError:
        from hashlib import sha256 as _sha256


class Snapshot(NamedTuple):
    """A row of `snapshots`: each field is a column. Times are ISO 8601 in UTC with a trailing Z."""

    hash: str
    url: str
    final_url: str
    mode: str  # raw, readable or rendered; "full" for web_fetch's whole-document markdown
    content_type: str | None
    status_code: int | None
    fetched_at: str
    expires_at: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    raw_bytes: bytes | None = None
    raw_truncated: int = 0
    title: str | None = None
    markdown: str | None = None
    text: str | None = None
    links_json: str | None = None
    extractor_name: str | None = None
    extractor_version: str | None = None
    siteconfig_id: str | None = None
    extract_cfg_json: str | None = None
    headers_json: str | None = None
    fetch_ms: int | None = None
    extract_ms: int | None = None


def digest(text: str) -> str:
    """Return the SHA-256 of the text in UTF-8, in hexadecimal; lone surrogates are encoded too."""
    hexadecimal: str = _sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return hexadecimal


def vary_headers(chosen: Iterable[tuple[str, str]]) -> str:
    """Join the header fields that the caller chose over webtool's own, one line each, sorted; "" without one."""
    return "\n".join(sorted(f"{name.strip().lower()}: {value.strip()}" for name, value in chosen))


def snapshot_hash(normalized_url: str, vary_headers: str, mode: str) -> str:
    """Return the primary key of table `snapshots`."""
    return digest(f"{normalized_url}\n{vary_headers}\n{mode}")


VERSION = 1  # of the tables

SNAPSHOT_COLUMNS = Snapshot._fields
# SQL type of a column by the type of its field in Snapshot.
_SQL_TYPES = {
    "str": "TEXT NOT NULL", "str | None": "TEXT", "int": "INTEGER NOT NULL DEFAULT 0", "int | None": "INTEGER",
    "bytes | None": "BLOB",
}  # fmt: skip
_COLUMN_TYPES = {name: _SQL_TYPES[kind] for name, kind in Snapshot.__annotations__.items()}
_COLUMN_TYPES["hash"] = "TEXT PRIMARY KEY"

_COLUMN_DEFINITIONS = ", ".join(f"{name} {kind}" for name, kind in _COLUMN_TYPES.items())

_TABLES = f"""
CREATE TABLE IF NOT EXISTS snapshots ({_COLUMN_DEFINITIONS});
CREATE TABLE IF NOT EXISTS search_cache (
  key_hash        TEXT PRIMARY KEY,
  query_json      TEXT NOT NULL,
  response_json   TEXT NOT NULL,
  fetched_at      TEXT NOT NULL,
  expires_at      TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS robots (
  origin          TEXT PRIMARY KEY,
  body            BLOB NOT NULL,
  status          INTEGER NOT NULL,
  fetched_at      REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS rate_slots (
  name            TEXT PRIMARY KEY,
  next_at         REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS counters (
  name            TEXT PRIMARY KEY,
  value           INTEGER NOT NULL
)
"""
_INDEXES = """
CREATE INDEX IF NOT EXISTS idx_snapshots_url ON snapshots(url);
CREATE INDEX IF NOT EXISTS idx_snapshots_fetched ON snapshots(fetched_at);
CREATE INDEX IF NOT EXISTS idx_snapshots_expires ON snapshots(expires_at)
"""


class UnusableSchema(Exception):
    """The file's tables cannot be upgraded without losing data."""


class Transaction:
    """`with Transaction(db):` commits all changes at its end, or none after an exception. Raises what SQLite raises.

    The write lock is taken at the beginning: SQLite does not wait for a lock in a transaction that has already read.
    """

    def __init__(self, db: Connection) -> None:
        self._db = db

    def __enter__(self) -> None:
        self._roll_back()  # an earlier transaction whose end failed
        self._db.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self._db.execute("COMMIT")
        finally:
            self._roll_back()

    def _roll_back(self) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")


def prepare(connection: Connection) -> None:
    """Create or upgrade the tables; a single statement if they are up to date. Raises UnusableSchema, files.Error."""
    if version_of(connection) >= VERSION:
        return  # newer versions only add columns
    with Transaction(connection):
        for statement in _TABLES.split(";"):
            connection.execute(statement)
        # Add missing columns to an older or foreign table; its rows stay.
        present = {row[1]: row for row in connection.execute("PRAGMA table_info(snapshots)")}
        if "hash" not in present or not present["hash"][5]:
            raise UnusableSchema("its table snapshots has no primary key `hash`")
        for name, kind in _COLUMN_TYPES.items():
            if name not in present:  # ADD COLUMN needs a default for a NOT NULL column
                default = " DEFAULT ''" if "NOT NULL" in kind and "DEFAULT" not in kind else ""
                connection.execute(f"ALTER TABLE snapshots ADD COLUMN {name} {kind}{default}")
        for statement in _INDEXES.split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version={VERSION}")


def version_of(connection: Connection) -> int:
    """Return the version of the file's tables, 0 for a new file."""
    # fetchall, here and everywhere: on PyPy, a statement with unread rows prevents a commit.
    version: int = connection.execute("PRAGMA user_version").fetchall()[0][0]
    return version


_MARK = b"\x00deflated\x00"  # begins a compressed body
HEAD = len(_MARK) + 8  # bytes before the zlib stream (RFC 1950): mark and length
_MIN_PACKED = 4096  # bytes; a smaller body fits into one page of SQLite anyway
_MAX_BODY = 256 << 20  # bytes; a row that states a longer body is damaged, since settings allow at most this


def packed(body: bytes | None) -> bytes | None:
    """Return the body as stored.

    A body that itself begins with the mark is always compressed, as it would else be read as a compressed one. On a
    Python without zlib such a body is not stored.
    """
    is_marked = body is not None and body.startswith(_MARK)
    if body is None or not (len(body) >= _MIN_PACKED or is_marked):
        return body
    if not HAS_ZLIB:
        return None if is_marked else body
    stream = zlib.compress(body, 1)
    if HEAD + len(stream) > len(body) * 0.9 and not is_marked:
        return body
    return _MARK + len(body).to_bytes(8, "big") + stream


def unpacked(stored: bytes) -> bytes | None:
    """Return the body; None if it is damaged, or compressed and this Python has no zlib."""
    if not stored.startswith(_MARK):
        return stored
    size = size_of(stored[:HEAD], len(stored))
    if size > _MAX_BODY or not HAS_ZLIB:
        return None
    reader = zlib.decompressobj()
    try:
        body = reader.decompress(stored[HEAD:], size + 1)
    except zlib.error:
        return None
    return body if reader.eof and len(body) == size else None


def size_of(head: bytes, length: int) -> int:
    """Return the size of a body in bytes, from the first HEAD bytes of its stored form and the length of that."""
    return int.from_bytes(head[len(_MARK) : HEAD], "big") if head.startswith(_MARK) else length


_TEXT = (str, type(None))
_NUMBER = (int, type(None))
# Types of the columns of Snapshot that are not optional text.
_TYPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("hash", "url", "final_url", "mode", "fetched_at"), (str,)),
    **dict.fromkeys(("status_code", "raw_truncated", "fetch_ms", "extract_ms"), _NUMBER),
    "raw_bytes": (bytes, type(None)),
}
_PYTHON_TYPES = tuple(_TYPES.get(name, _TEXT) for name in Snapshot._fields)


def snapshot(row: Sequence[Any]) -> Snapshot | None:
    """Return a row of table `snapshots`, or None if damaged. Without zlib, a compressed body is None."""
    if not all(map(isinstance, row, _PYTHON_TYPES)):
        return None
    stored = Snapshot(*row)
    if stored.raw_bytes is not None:
        body = unpacked(stored.raw_bytes)
        if body is None and HAS_ZLIB:
            return None
        stored = stored._replace(raw_bytes=body)
    if dates.from_iso(stored.fetched_at) is None or not 0 <= (stored.status_code or 200) <= 999:
        return None
    objects = (jsontext.members(text) for text in (stored.headers_json, stored.extract_cfg_json))
    return stored if None not in objects and _has_links(stored.links_json) else None


def listed(row: Sequence[Any]) -> tuple[Any, ...] | None:
    """Return a row of a listing: hash, URL, title, mode, media type, time, size; None if it is damaged.

    The size is that of the markdown, or of the body without markdown. For it `row` ends in three columns: the
    length of the markdown, the length of the body as it is stored, and the first HEAD bytes of the stored body.
    """
    *texts, size, body_length, body_head = row
    if not all(isinstance(text, _TEXT) for text in texts) or None in (texts[0], texts[1]):
        return None
    if size is None and isinstance(body_head, bytes):
        size = size_of(body_head, body_length)
    return (*texts, size or 0)


def robots(row: Sequence[Any]) -> tuple[bytes, int, float] | None:
    """Return a row of table `robots`: body, status, time; None if it is damaged."""
    body, status, fetched_at = row
    is_whole = isinstance(body, bytes) and isinstance(status, int) and isinstance(fetched_at, (int, float))
    return (body, status, float(fetched_at)) if is_whole else None


def _has_links(text: str | None) -> bool:
    """Return whether links_json is NULL or a list of objects whose text and href are strings."""
    try:
        links = [] if text is None else jsontext.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(links, list) and all(
        isinstance(link, dict) and all(isinstance(link.get(name, ""), str) for name in ("text", "href"))
        for link in links
    )
