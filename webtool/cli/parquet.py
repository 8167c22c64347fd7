"""Write rows to Parquet, if pyarrow is installed. In: rows. Out: one complete file, or a folder of complete parts.

FILE.parquet gets its name when it is complete. An existing file is never replaced, because nothing can be appended to
it. A folder, named with a slash (pages.parquet/), gets parts of _PART_ROWS rows, part-000000.parquet and so on, each
named when it is complete. A later run reads from the parts what is done and adds further ones. The columns are those of
webtool.bulk.columns after `input`.

Tests: tests/cli/commands/test_extract_many.py
"""

from __future__ import annotations

import os
from collections.abc import Callable

from webtool.bulk import columns
from webtool.cli.rows import is_final
from webtool.errors import InvalidArgument
from webtool.lean import patterns
from webtool.lean.typing import Any
from webtool.output import lock, open_partial, open_to_append

_GROUP_ROWS = 500  # rows that are in memory and written at once
_PART_ROWS = 2000  # rows of a part: what a run that is killed has to do again at the most
_FIRST = ("input",)
_READ = ["input", "success", "error_code", "retryable", "record_id"]  # columns from which a run is resumed
_LOCK = ".webtool.lock"
_part_number = patterns.compile(r"part-([0-9]{6,12})\.parquet").fullmatch
_HINT = "Give another name to -o."


def is_parquet(path: str) -> bool:
    """Return whether an output is Parquet: by its ending, with a slash for a folder of parts."""
    return path.rstrip("/" + os.sep).endswith(".parquet")


class Sink:
    """The file or folder being written, as a context manager. `note` gets each row that the folder contains.

    Raises InvalidArgument if a file exists, if another run writes the folder, or if it has files of other programs.
    """

    def __init__(self, path: str, note: Callable[[dict[str, object]], None]) -> None:
        self._is_folder = path.endswith(("/", os.sep)) or os.path.isdir(path)
        self._path = path.rstrip("/" + os.sep) if self._is_folder else path
        if not self._is_folder and os.path.lexists(path):
            hint = (
                "Nothing can be appended to a Parquet file: give another name, or a folder, which grows: pages.parquet/"
            )
            raise InvalidArgument(f"{path} exists already", hint=hint)
        self._note = note
        self._arrow, self._parquet = columns.load_arrow(), columns.load_arrow("pyarrow.parquet")
        self._schema = columns.arrow_schema(_FIRST)
        self._rows: list[dict[str, object]] = []
        self._lock = -1
        self._part = 0  # number of the next part
        self._written = 0  # rows of the open file
        self._partial = ""  # the file that gets its name when it is complete
        self._file: Any = None
        self._writer: Any = None

    def __enter__(self) -> Sink:
        try:
            if self._is_folder:
                os.makedirs(self._path, exist_ok=True)
                self._resume()
            else:
                self._open()
        except OSError as exc:
            self._unlock()
            raise InvalidArgument(f"{self._path} cannot be written: {exc}", hint=_HINT) from exc
        except BaseException:
            self._unlock()
            raise
        return self

    def write(self, row: dict[str, Any]) -> None:
        """Add one row."""
        self._rows.append(columns.fit(row, _FIRST))
        if len(self._rows) >= _GROUP_ROWS:
            self._flush()

    def __exit__(self, kind: object, *exc: object) -> None:
        try:
            if kind is None or self._is_folder:  # the rows of a folder stay, also if the run ends with an error
                self._flush()
                self._close()
            elif self._writer is not None:
                self._writer.close()
                self._file.close()
                os.unlink(self._partial)
        finally:
            self._unlock()

    def _resume(self) -> None:
        """Lock the folder, note what its parts contain, and remove what a killed run left. Raises InvalidArgument."""
        self._lock = open_to_append(os.path.join(self._path, _LOCK))
        if not lock(self._lock):
            raise InvalidArgument(f"{self._path} is being written by another run", hint=f"Wait for it. {_HINT}")
        for name in sorted(os.listdir(self._path)):
            path = os.path.join(self._path, name)
            match = _part_number(name)
            if match:
                self._note_rows(path)
                self._part = int(match[1]) + 1
            elif name.endswith(".part") and name.startswith("part-"):
                os.unlink(path)
            elif name != _LOCK:
                raise InvalidArgument(f"{path} is not a part that webtool wrote: nothing was changed", hint=_HINT)

    def _note_rows(self, path: str) -> None:
        """Note the rows of a part. Raises InvalidArgument if it is not one of webtool's."""
        try:
            with self._parquet.ParquetFile(path) as part:
                for batch in part.iter_batches(columns=_READ):
                    for row in batch.to_pylist():
                        if is_final(row):
                            self._note(row)
        except (self._arrow.ArrowException, KeyError) as exc:
            problem = f"{path} is damaged or not webtool's ({exc}): nothing was changed"
            raise InvalidArgument(problem, hint=f"Remove it, then its pages are extracted again. {_HINT}") from exc

    def _open(self) -> None:
        """Begin the file, or the next part. Raises OSError."""
        fd, self._partial = open_partial(self._name())
        self._file = open(fd, "wb")  # noqa: SIM115 -- _close() closes it
        self._writer = self._parquet.ParquetWriter(self._file, self._schema, compression="zstd")
        self._written = 0

    def _name(self) -> str:
        return os.path.join(self._path, f"part-{self._part:06}.parquet") if self._is_folder else self._path

    def _flush(self) -> None:
        """Write the rows that were added since the last time, and complete a part that is full."""
        if not self._rows:
            return
        if self._writer is None:
            self._open()
        self._writer.write_table(self._arrow.Table.from_pylist(self._rows, schema=self._schema))
        self._written += len(self._rows)
        self._rows = []
        if self._is_folder and self._written >= _PART_ROWS:
            self._close()

    def _close(self) -> None:
        """Complete the open file: only now it gets its name."""
        if self._writer is not None:
            self._writer.close()
            self._file.close()
            os.replace(self._partial, self._name())
            self._part += 1
            self._writer = None

    def _unlock(self) -> None:
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1
