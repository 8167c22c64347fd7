"""Describe the columns of extract_many, to_markdown_many and `webtool extract`: name, type and meaning, one line each.

Out: COLUMNS; arrow_schema(), which gives them as an Arrow schema where pyarrow is installed; fit(), which gives a row
every column. The types are those that query engines share: "text", "flag", "count" (64-bit integer), "number"
(64-bit float), "links" (list of {text, href}), "groups" (list of {n, kind, words, begins}), "sources" ({author,
published}).
Tests: tests/bulk/test_columns.py
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module

from webtool.errors import InvalidArgument
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any


class Column(NamedTuple):
    """One column. A row without a value has None there."""

    name: str
    kind: str
    meaning: str


COLUMNS = tuple(Column(*line) for line in (
    ("url", "text", "address of the page, as it was given"),
    ("success", "flag", "whether the page could be read; if not, see the columns error and error_code"),
    ("title", "text", "title of the page"),
    ("markdown", "text", "main content as markdown; the whole page from to_markdown_many"),
    ("text", "text", "main content as plain text"),
    ("links", "links", "links of the main content with absolute addresses"),
    ("strategy_used", "text", "readability, dom_smoothie, plain_text, structured_data, or the kind of a document"),
    ("byline", "text", "author"),
    ("published", "text", "day of publication, ISO 8601"),
    ("language", "text", "language that the page states"),
    ("site_name", "text", "name of the site"),
    ("excerpt", "text", "description that the page states"),
    ("confidence", "number", "expected word F1 of the choice, 0 to 1; empty if the model was not asked"),
    ("kept_ratio", "number", "share of the page's words that is kept, 0 to 1"),
    ("left_out", "groups", "groups of blocks that are not kept, with their first words"),
    ("read_from", "sources", "where author and published were read: json-ld, meta, element, time, address, ..."),
    ("hidden_words", "count", "words that the page hides from its readers"),
    ("doubtful_words", "count", "words that the page may hide"),
    ("no_content", "text", "why the page holds no content, such as an error page"),
    ("warc_date", "text", "time of the capture (WARC-Date), ISO 8601 in UTC"),
    ("record_id", "text", "WARC-Record-ID of the capture"),
    ("digest", "text", "WARC-Payload-Digest, or the digest of the block"),
    ("status", "count", "HTTP status of the capture"),
    ("media_type", "text", "media type of the capture"),
    ("error", "text", "what went wrong"),
    ("error_code", "text", "code of the error, see webtool help errors"),
    ("hint", "text", "what to do about the error"),
    ("retryable", "flag", "whether the same page may succeed another time"),
    ("more", "text", "JSON of members without a column of their own"),
))  # fmt: skip


def fit(row: Mapping[str, object], first: tuple[str, ...] = ()) -> dict[str, object]:
    """Return a row with the columns `first` and all COLUMNS: None where the row lacks one, the rest as JSON in `more`.

    Lone surrogates, which UTF-8 and Arrow cannot hold, become question marks.
    """
    import json

    members = json.loads(json.dumps(dict(row), ensure_ascii=False, default=str).encode("utf-8", "replace"))
    fitted = {name: members.pop(name, None) for name in (*first, *(column.name for column in COLUMNS))}
    return {**fitted, "more": json.dumps(members)} if members else fitted


def arrow_schema(first: tuple[str, ...] = ()) -> Any:
    """Return COLUMNS as a pyarrow.Schema, after text columns `first`. Raises InvalidArgument without pyarrow."""
    pa = load_arrow()
    text, count = pa.string(), pa.int64()
    group = pa.struct([("n", count), ("kind", text), ("words", count), ("begins", text)])
    types = {
        "text": text,
        "flag": pa.bool_(),
        "count": count,
        "number": pa.float64(),
        "links": pa.list_(pa.struct([("text", text), ("href", text)])),
        "groups": pa.list_(group),
        "sources": pa.struct([("author", text), ("published", text)]),
    }
    fields = [pa.field(column.name, types[column.kind], metadata={"comment": column.meaning}) for column in COLUMNS]
    return pa.schema([*((name, text) for name in first), *fields])


def load_arrow(module: str = "pyarrow") -> Any:
    """Import pyarrow or a module of it. Raises InvalidArgument if it is not installed."""
    try:
        if "pyarrow" not in sys.modules:
            import site

            site.main()  # the built file starts without site-packages
        return import_module(module)
    except ImportError:
        hint = "Install pyarrow, or use lines of JSON: FILE.ndjson."
        raise InvalidArgument("Parquet needs pyarrow, which is not installed", hint=hint) from None


def described() -> str:
    """Return name, type and meaning of each column, one a line, for help."""
    return "\n".join(f"  {column.name:<16} {column.kind:<8} {column.meaning}" for column in COLUMNS)
