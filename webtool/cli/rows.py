"""Rows on their way out of a command for many pages: a file that a later run takes up, progress, a summary by code.

A row is one line of JSON that begins with the member `input`, by which a later run knows what was done. A file that
begins otherwise is not ours and is left as it is.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable

from webtool.answers import budget
from webtool.errors import InvalidArgument
from webtool.output import is_terminal, lock, open_to_append, write_all, write_error, write_status

_SOME_FAILED = 7
_BEGIN = b'{"input"'
_STEP = 0.1  # seconds between two lines of progress
_RETRIED = frozenset(("INTERNAL_ERROR", "CANCELLED"))
_HINT = "Give another file to -o."


class Sink:
    """Where the lines go: stdout, or the end of a file. Each line is there before the next row is waited for.

    A file is one run's alone: a second one would do again what the first is about to write. Raises InvalidArgument for
    a file that another run writes, and for one with a line that is not ours.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._fd = 1
        self.held: set[str] = set()
        """Inputs that the file answers already; failures that may go otherwise another time are none."""

    def __enter__(self) -> Sink:
        if self._path != "-":
            try:
                self._fd = open_to_append(self._path)
            except OSError as exc:
                raise InvalidArgument(f"{self._path} cannot be written: {exc.strerror}", hint=_HINT) from exc
            try:
                if stat.S_ISREG(os.fstat(self._fd).st_mode):
                    self._take_up()
            except BaseException:
                os.close(self._fd)
                raise
        return self

    def __exit__(self, *exc: object) -> None:
        if self._fd != 1:
            os.close(self._fd)

    def write(self, row: dict[str, object]) -> None:
        """Write one whole line; what UTF-8 cannot say becomes a question mark."""
        write_all(self._fd, budget.encode(row))

    def _take_up(self) -> None:
        """Read what the file holds. A last line that was broken off is taken out, once all lines before are known to be
        ours."""
        import json

        if not lock(self._fd):
            raise InvalidArgument(f"{self._path} is being written by another run", hint=f"Wait for it. {_HINT}")
        with open(self._fd, "r+b", closefd=False) as file:
            end = 0
            for line in file:
                if not line.startswith(_BEGIN[: len(line)]):
                    raise InvalidArgument(
                        f"{self._path} is there and holds other lines than webtool's: nothing was changed", hint=_HINT
                    )
                if not line.endswith(b"\n"):
                    file.truncate(end)
                    break
                end += len(line)
                try:
                    entry = json.loads(line)
                except (ValueError, RecursionError):
                    continue
                if not isinstance(entry, dict) or entry.get("retryable") or entry.get("error_code") in _RETRIED:
                    continue  # it may go otherwise another time: the network, a mended bug, a machine that was full
                self.held.add(str(entry.get("input")))


class Progress:
    """One line on the terminal that is written over, and a summary at the end.

    `path` is where the rows go: where they go to the terminal themselves, they are the progress. `share` gives how much
    of all is done, from 0 to 1, where somebody knows it; `total` is 0 where nobody does.
    """

    def __init__(
        self,
        total: int,
        skipped: int,
        path: str,
        *,
        is_quiet: bool,
        verb: str = "opened",
        share: Callable[[], float] | None = None,
    ) -> None:
        is_file = path != "-"
        self._total = total
        self._skipped = skipped
        self._is_shown = not is_quiet and is_terminal(2) and (is_file or not is_terminal(1))
        self._is_summed_up = not is_quiet and is_file
        self._verb = verb
        self._share = share
        self._begun = self._told = time.monotonic()
        self._codes: dict[str, int] = {}
        self.done = 0

    @property
    def failed(self) -> int:
        """Rows that are errors."""
        return sum(self._codes.values())

    def count(self, row: dict[str, object]) -> None:
        """Count a row, and say how far it all is."""
        self.done += 1
        if not row.get("success"):
            code = str(row.get("error_code"))
            self._codes[code] = self._codes.get(code, 0) + 1
        now = time.monotonic()
        if self._is_shown and (self.done in (1, self._total) or now - self._told >= _STEP):
            self._told = now
            write_status(f"\r{self._line(now)}\x1b[K")

    def _line(self, now: float) -> str:
        total = f"/{self._total}" if self._total else ""
        skipped = f", {self._skipped} skipped" if self._skipped else ""
        return f"{self.done - self.failed}{total} {self._verb}, {self.failed} failed{skipped}{self._speed(now)}"

    def _speed(self, now: float) -> str:
        seconds = now - self._begun
        if seconds < 2 * _STEP:
            return ""
        share = self.done / self._total if self._total else self._share() if self._share else 0.0
        left = f", {_clock(seconds / share - seconds)} left" if 0 < share < 1 else ""
        return f", {self.done / seconds:.1f}/s{left}"

    def end(self, further: str = "") -> int:
        """Leave the line and sum up; where there was nothing to do, say so. Returns the exit status."""
        if self._is_shown and not self.done and self._total == 0 and self._skipped:
            write_error(f"nothing left to open: all {self._skipped} are in the file already\n")
            return 0
        if self._is_shown and self.done:
            write_status(f"\r{self._line(time.monotonic())}\x1b[K\n")
        if self._is_summed_up:
            codes = sorted(self._codes.items(), key=lambda item: -item[1])
            listed = f" ({', '.join(f'{code} {count}' for code, count in codes)})" if codes else ""
            seconds = time.monotonic() - self._begun
            summary = f"{self.done - self.failed} {self._verb}, {self.failed} failed{listed} in {_clock(seconds)}"
            write_error(f"webtool: {summary}{'; ' + further if further else ''}\n")
        return _SOME_FAILED if self.failed else 0


def _clock(seconds: float) -> str:
    """1:02:03, 2:03 or 7.5 s."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
