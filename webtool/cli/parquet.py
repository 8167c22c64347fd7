"""Rows as a Parquet file, where pyarrow is installed. In: rows. Out: the file, whole or not at all.

The file is written under another name and takes its own when it is complete; one that is there is never replaced,
because a Parquet file cannot be gone on with.
"""

from __future__ import annotations

import os
from importlib import import_module

from webtool.errors import InvalidArgument
from webtool.lean.typing import Any

_GROUP = 1000  # rows written at once
_TEXT = ("input", "url", "title", "markdown", "text", "strategy_used", "byline", "published", "language", "site_name")
_TEXT_BEHIND = ("excerpt", "error", "error_code", "hint")


class Sink:
    """The file being written; a context manager. Raises InvalidArgument."""

    def __init__(self, path: str) -> None:
        if os.path.lexists(path):
            raise InvalidArgument(f"{path} is there already", hint="Parquet cannot be appended to: give another name.")
        self._path = path
        self._partial = f"{path}.{os.getpid()}.part"
        self.held: frozenset[str] = frozenset()
        """What the file answers already: nothing, as it is new."""
        self._arrow, self._schema = _arrow_and_schema()
        self._rows: list[dict[str, Any]] = []
        self._writer: Any = None

    def __enter__(self) -> Sink:
        parquet = import_module("pyarrow.parquet")
        try:
            self._writer = parquet.ParquetWriter(self._partial, self._schema, compression="zstd")
        except OSError as exc:
            raise InvalidArgument(f"{self._path} cannot be written: {exc}", hint="Give another file to -o.") from exc
        return self

    def write(self, row: dict[str, Any]) -> None:
        """Take one row."""
        self._rows.append({name: row.get(name) for name in self._schema.names})
        if len(self._rows) >= _GROUP:
            self._flush()

    def __exit__(self, kind: object, *exc: object) -> None:
        if kind is None:
            self._flush()
        self._writer.close()
        if kind is None:
            os.replace(self._partial, self._path)
        else:
            os.unlink(self._partial)

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(self._arrow.Table.from_pylist(self._rows, schema=self._schema))
            self._rows = []


def _arrow_and_schema() -> tuple[Any, Any]:
    try:
        import site

        site.main()  # the built file is started without site-packages
        pa = import_module("pyarrow")
    except ImportError:
        raise InvalidArgument(
            "Parquet needs pyarrow, which is not installed", hint="Install pyarrow, or write FILE.ndjson."
        ) from None
    link = pa.struct([("text", pa.string()), ("href", pa.string())])
    numbers = [("confidence", pa.float64()), ("kept_ratio", pa.float64())]
    text = [(name, pa.string()) for name in _TEXT]
    behind = [(name, pa.string()) for name in _TEXT_BEHIND]
    return pa, pa.schema([*text, ("success", pa.bool_()), ("links", pa.list_(link)), *numbers, *behind])
