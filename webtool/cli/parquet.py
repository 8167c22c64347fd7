"""Write rows to a Parquet file, if pyarrow is installed. In: rows. Out: the complete file, or none.

The file gets its name when it is complete. An existing file is never replaced, because nothing can be appended to it.

Tests: tests/cli/commands/test_extract_many.py
"""

from __future__ import annotations

import os
from importlib import import_module

from webtool.errors import InvalidArgument
from webtool.lean.typing import Any
from webtool.output import open_partial

_GROUP_ROWS = 1000  # written at once
# Columns of text, before and after the others.
_FIRST_TEXT = (
    "input",
    "url",
    "title",
    "markdown",
    "text",
    "strategy_used",
    "byline",
    "published",
    "language",
    "site_name",
)
_LAST_TEXT = ("excerpt", "error", "error_code", "hint")


class Sink:
    """The file being written, as a context manager. Raises InvalidArgument if it exists or cannot be written."""

    def __init__(self, path: str) -> None:
        if os.path.lexists(path):
            raise InvalidArgument(f"{path} exists already", hint="Parquet cannot be appended to: give another name.")
        self._path = path
        self._partial = ""  # the file that gets the name `path` when it is complete
        self.held: frozenset[str] = frozenset()
        """Inputs that the file answers already: none, because it is new."""
        self.failed = self.held
        self._arrow, self._schema = _arrow_and_schema()
        self._rows: list[dict[str, Any]] = []
        self._writer: Any = None
        self._file: Any = None

    def __enter__(self) -> Sink:
        parquet = import_module("pyarrow.parquet")
        try:
            fd, self._partial = open_partial(self._path)
            self._file = open(fd, "wb")
            self._writer = parquet.ParquetWriter(self._file, self._schema, compression="zstd")
        except OSError as exc:
            raise InvalidArgument(f"{self._path} cannot be written: {exc}", hint="Give another file to -o.") from exc
        return self

    def write(self, row: dict[str, Any]) -> None:
        """Add one row."""
        self._rows.append({name: row.get(name) for name in self._schema.names})
        if len(self._rows) >= _GROUP_ROWS:
            self._flush()

    def __exit__(self, kind: object, *exc: object) -> None:
        if kind is None:
            self._flush()
        self._writer.close()
        self._file.close()
        if kind is None:
            os.replace(self._partial, self._path)
        else:
            os.unlink(self._partial)

    def _flush(self) -> None:
        """Write the rows that were added since the last time."""
        if self._rows:
            self._writer.write_table(self._arrow.Table.from_pylist(self._rows, schema=self._schema))
            self._rows = []


def _arrow_and_schema() -> tuple[Any, Any]:
    """Return the module pyarrow and the columns of the file. Raises InvalidArgument if pyarrow is not installed."""
    try:
        import site

        site.main()  # the built file starts without site-packages
        pa = import_module("pyarrow")
    except ImportError:
        raise InvalidArgument(
            "Parquet needs pyarrow, which is not installed", hint="Install pyarrow, or write FILE.ndjson."
        ) from None
    link = pa.struct([("text", pa.string()), ("href", pa.string())])
    numbers = [("confidence", pa.float64()), ("kept_ratio", pa.float64())]
    text = [(name, pa.string()) for name in _FIRST_TEXT]
    last = [(name, pa.string()) for name in _LAST_TEXT]
    return pa, pa.schema([*text, ("success", pa.bool_()), ("links", pa.list_(link)), *numbers, *last])
