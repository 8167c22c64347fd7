"""extract for many pages: archives, lines of JSON, folders.

In: the command's words. Out: one row for each page, on stdout or in a file, and the exit status. A file has lines of
JSON, or with pyarrow and a name such as pages.parquet the format Parquet (ParquetSink).
"""

from __future__ import annotations

import gc
import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress

from webtool.bulk import columns, many, sources
from webtool.bulk.warc import captures
from webtool.cli import flags, rows
from webtool.errors import InvalidArgument
from webtool.lean import patterns
from webtool.lean.typing import Any
from webtool.output import CannotWrite, lock, open_partial, open_to_append
from webtool.schemas import surfaces


def parameters() -> dict[str, Any]:
    """Return the schema of the flags."""
    text, count = {"type": "string"}, {"type": "integer", "minimum": 0}
    words = {"type": "array", "items": text}
    properties = {"workers": count, "strategy": text, "status": words, "media_type": words, "url": words}
    return {"type": "object", "properties": {**properties, "offset": count, "length": count, "archives": text}}


def main(parsed: flags.Words) -> int:
    """Extract the pages. Returns 0 if all could be extracted, 7 if some failed. Raises WebtoolError."""
    gc.enable()  # dispatch turned it off for commands that read one page
    if not parsed.plain:
        raise InvalidArgument("extract --batch needs pages", hint="Give archives, folders, files, or - for stdin.")
    path = parsed.options.get("output", "-")
    done = sources.Done()
    pages = sources.Sources(parsed.plain, _source_options(parsed.members), done)
    extracted = _rows(pages, parsed)
    progress = rows.Progress(0, 0, path, is_quiet="quiet" in parsed.options, verb="extracted", share=pages.share)
    try:
        with ParquetSink(path, done.add) if is_parquet(path) else rows.Sink(path, done.add) as sink:
            for row in extracted:
                sink.write(row)
                progress.count(row)
    except KeyboardInterrupt:
        is_one_file = is_parquet(path) and not os.path.isdir(path)  # it is not complete, so it was removed
        return progress.interrupted("pages.parquet/" if is_one_file else "")
    progress.skipped, progress.failed_before = pages.skipped, pages.failed_before
    return progress.end(f"{pages.damaged} damaged" if pages.damaged else "")


def _source_options(members: dict[str, Any]) -> sources.Options:
    """Return which records of archives are read, and from where."""
    record_filter = captures.make_filter(
        members.get("status", ["2xx"]), members.get("media_type", ["html"]), members.get("url", [])
    )
    length = members.get("length")
    return sources.Options(record_filter, members.get("offset", 0), length or None, members.get("archives", ""))


def _rows(pages: sources.Sources, parsed: flags.Words) -> Iterator[dict[str, Any]]:
    """Yield the rows in the order of the pages, each with its page's name as `input`. Raises InvalidArgument."""
    names: deque[str] = deque()  # names of the pages that were given out and whose rows have not come back

    def without_names() -> Iterator[Any]:
        for name, page in pages:
            names.append(name)
            yield page

    members: dict[str, Any] = parsed.members
    workers = members.get("workers")
    seconds: float | None = flags.settings_of(parsed).deadline
    if workers == 0:
        if "deadline" in parsed.settings:
            raise InvalidArgument("--workers 0 has no limit of time", hint="Use --workers 1, or leave out --deadline.")
        seconds = None
    if "full" in parsed.options:
        results = many.to_markdown_many(without_names(), workers, seconds=seconds)
    else:
        strategy = members.get("strategy", "readability")
        results = many.extract_many(without_names(), workers, strategy=strategy, seconds=seconds)
    return ({"input": names.popleft(), **surfaces.members_of("command", row)} for row in results)


# --- Parquet ---

_GROUP_ROWS = 500  # rows that are in memory and written at once
_PART_ROWS = 2000  # rows of a part; a run that is killed loses at most these
_FIRST = ("input",)
_READ = ["input", "success", "error_code", "retryable", "record_id"]  # columns from which a run is resumed
_LOCK = ".webtool.lock"
_part_number = patterns.compile(r"part-([0-9]{6,12})\.parquet").fullmatch
_HINT = "Give another name to -o."


def is_parquet(path: str) -> bool:
    """Return whether an output is Parquet: pages.parquet, or the folder of parts pages.parquet/."""
    return path.rstrip("/" + os.sep).endswith(".parquet")


class ParquetSink:
    """A Parquet file or folder of such files, as a context manager. `note` gets each row that the folder contains.

    FILE.parquet gets its name when it is complete. An existing file is never replaced, because nothing can be appended
    to it. A folder, named with a slash (pages.parquet/), gets parts of _PART_ROWS rows, part-000000.parquet and so on,
    each named when it is complete. A later run reads from the parts what is done and adds further ones. The columns are
    those of webtool.bulk.columns after `input`.

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

    def __enter__(self) -> ParquetSink:
        try:
            if self._is_folder:
                os.makedirs(self._path, exist_ok=True)
                self._resume()
            else:
                self._open()
        except BaseException as exc:
            self._discard()
            if isinstance(exc, OSError):
                raise InvalidArgument(f"{self._path} cannot be written: {exc}", hint=_HINT) from exc
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
        finally:
            self._discard()

    def _resume(self) -> None:
        """Lock the folder, note what its parts contain, and remove what a killed run left. Raises InvalidArgument."""
        self._lock = open_to_append(os.path.join(self._path, _LOCK))
        if not lock(self._lock):
            raise InvalidArgument(f"{self._path} is being written by another run", hint=f"Wait for it. {_HINT}")
        incomplete = []
        for name in sorted(os.listdir(self._path)):
            path = os.path.join(self._path, name)
            match = _part_number(name)
            if match:
                self._note_rows(path)
                self._part = int(match[1]) + 1
            elif name.endswith(".part") and name.startswith("part-"):
                incomplete.append(path)
            elif name != _LOCK:
                raise InvalidArgument(f"{path} is not a part that webtool wrote: nothing was changed", hint=_HINT)
        for path in incomplete:
            os.unlink(path)

    def _note_rows(self, path: str) -> None:
        """Note the rows of a part. Raises InvalidArgument if it is not one of webtool's."""
        try:
            with self._parquet.ParquetFile(path) as part:
                for batch in part.iter_batches(columns=_READ):
                    for row in batch.to_pylist():
                        if rows.is_final(row):
                            self._note(row)
        except (self._arrow.ArrowException, KeyError) as exc:
            problem = f"{path} is damaged or not webtool's ({exc}): nothing was changed"
            raise InvalidArgument(problem, hint=f"Remove it, then its pages are extracted again. {_HINT}") from exc

    def _open(self) -> None:
        """Begin the file, or the next part. Raises OSError."""
        fd, partial = open_partial(self._name())
        self._file, self._partial = open(fd, "wb"), partial  # noqa: SIM115 -- _close() or _discard() closes it
        self._writer = self._parquet.ParquetWriter(self._file, self._schema, compression="zstd")
        self._written = 0

    def _name(self) -> str:
        return os.path.join(self._path, f"part-{self._part:06}.parquet") if self._is_folder else self._path

    def _flush(self) -> None:
        """Write the rows that were added since the last time, and complete a part that is full."""
        added, self._rows = self._rows, []
        if not added:
            return
        try:
            if self._writer is None:
                self._open()
            self._writer.write_table(self._arrow.Table.from_pylist(added, schema=self._schema))
        except OSError as exc:
            self._discard()
            raise CannotWrite(exc.errno, exc.strerror) from exc
        self._written += len(added)
        if self._is_folder and self._written >= _PART_ROWS:
            self._close()

    def _close(self) -> None:
        """Complete the open file: only now it gets its name."""
        if self._writer is not None:
            try:
                self._writer.close()
                self._file.close()
                os.replace(self._partial, self._name())
            except OSError as exc:
                raise CannotWrite(exc.errno, exc.strerror) from exc
            self._part += 1
            self._writer, self._partial = None, ""

    def _discard(self) -> None:
        """Remove the open file, which is not complete, and give up the lock."""
        if self._partial:
            with suppress(OSError):  # the disk may be full
                if self._writer is not None:
                    self._writer.close()
                self._file.close()
            os.unlink(self._partial)
        self._writer, self._partial = None, ""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1
