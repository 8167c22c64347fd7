"""Write the rows of a command for many pages, show progress, and resume a run that was interrupted.

In: rows. Out: lines of JSON on stdout or appended to a file, a line of progress, a summary. Each line begins with the
member `input`, by which a later run recognises what was done. A file with other lines is not webtool's and is not
changed.
Tests: tests/cli/commands/test_batch.py
"""

from __future__ import annotations

import os
import stat
import time
from collections import deque
from collections.abc import Callable

from webtool.answers import budget
from webtool.errors import InvalidArgument
from webtool.output import is_terminal, lock, open_to_append, printable, write_all, write_error, write_status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.cli.terminal.stderr import Block

INTERRUPTED = 130
SOME_FAILED = 7
_LINE_BEGIN = b'{"input"'
_MAX_FAILURES = 3  # failures that the terminal shows: the last ones
_MIN_WAIT = 5.0  # seconds; shorter waits for a host are not named
_STEP = 0.1  # seconds between two updates of the progress
_RETRIED = frozenset(("INTERNAL_ERROR", "CANCELLED"))  # codes that a later run tries again, besides retryable errors
_HINT = "Give another file to -o."


class Sink:
    """Destination of the lines: stdout ("-") or the end of a file, as a context manager. No line is buffered.

    Raises InvalidArgument for a file that another run is writing, and for a file with lines that are not webtool's.
    """

    def __init__(self, path: str, note: Callable[[dict[str, object]], None] | None = None) -> None:
        """`note` gets each row that the file contains and that a later run does not try again."""
        self._path = path
        self._note = note
        self._fd = 1
        self.held: set[str] = set()
        """Inputs that the file answers already. Failures that may succeed another time do not count."""
        self.failed: set[str] = set()
        """Inputs in `held` that the file answers with an error."""

    def __enter__(self) -> Sink:
        if self._path != "-":
            try:
                self._fd = open_to_append(self._path)
            except OSError as exc:
                raise InvalidArgument(f"{self._path} cannot be written: {exc.strerror or exc}", hint=_HINT) from exc
            try:
                if stat.S_ISREG(os.fstat(self._fd).st_mode):
                    self._resume()
            except BaseException:
                os.close(self._fd)
                raise
        return self

    def __exit__(self, *exc: object) -> None:
        if self._fd != 1:
            os.close(self._fd)

    def write(self, row: dict[str, object]) -> None:
        """Write one line; lone surrogates become question marks."""
        write_all(self._fd, budget.encode(row))

    def _resume(self) -> None:
        """Read the inputs that the file answers. An incomplete last line is removed after all others were checked."""
        import json

        if not lock(self._fd):
            raise InvalidArgument(f"{self._path} is being written by another run", hint=f"Wait for it. {_HINT}")
        with open(self._fd, "r+b", closefd=False) as file:
            end = 0
            for line in file:
                if not line.startswith(_LINE_BEGIN[: len(line)]):  # an incomplete last line may be shorter
                    problem = f"{self._path} exists and has lines that are not webtool's: nothing was changed"
                    raise InvalidArgument(problem, hint=_HINT)
                if not line.endswith(b"\n"):
                    file.truncate(end)
                    break
                end += len(line)
                try:
                    entry = json.loads(line)
                except (ValueError, RecursionError):
                    continue
                if isinstance(entry, dict) and is_final(entry):
                    name = str(entry.get("input"))
                    self.held.add(name)
                    if entry.get("success"):
                        self.failed.discard(name)  # an earlier line may say that it failed
                    else:
                        self.failed.add(name)
                    if self._note:
                        self._note(entry)


def is_final(row: dict[str, object]) -> bool:
    """Return whether a later run skips the page of this row: all but failures that may succeed another time."""
    return not row.get("retryable") and str(row.get("error_code")) not in _RETRIED


class Progress:
    """A bar on the terminal with the last failures below it, and a summary at the end.

    `total` is the number of rows to come, 0 if unknown. Then `share`, if given, returns the part of the whole work that
    is done, from 0 to 1, by earlier runs too. `path` is where the rows go: if that is the terminal itself, no progress
    is shown. `skipped` rows, which are not among `total`, are in the file already, `failed_before` of them as errors.
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
        failed_before: int = 0,
    ) -> None:
        is_file = path != "-"
        self._total = total
        self.skipped = skipped
        self.failed_before = failed_before
        self._is_shown = not is_quiet and is_terminal(2) and (is_file or not is_terminal(1))
        self._names_waits = not is_quiet and not self._is_shown
        self._waited_for: set[str] = set()
        self._has_summary = not is_quiet and is_file
        self._verb = verb
        self._share = share
        self._share_before = 0.0  # the share that was done when this run got its first row
        self._begun = self._updated = time.monotonic()
        self._codes: dict[str, int] = {}
        self._can_resume = is_file
        self._failures: deque[str] = deque(maxlen=_MAX_FAILURES)
        self._block: Block | None = None
        self.done = 0

    @property
    def failed(self) -> int:
        """Number of rows that are errors."""
        return sum(self._codes.values())

    def count(self, row: dict[str, object]) -> None:
        """Count a row and update the line."""
        if not self.done and not self._total:
            self._share_before = self._done_share()
        self.done += 1
        if not row.get("success"):
            code = str(row.get("error_code"))
            self._codes[code] = self._codes.get(code, 0) + 1
            self._failures.append(f"{code}  {row.get('input')}")
        now = time.monotonic()
        if self._is_shown and (self.done in (1, self._total) or now - self._updated >= _STEP):
            self._updated = now
            self._draw(now)

    def _draw(self, now: float, waiting: str = "") -> None:
        """Rewrite the bar, the line of numbers (with `waiting` at its end) and the last failures on the terminal."""
        if self._block is None:
            from webtool.cli.terminal.stderr import Block

            self._block = Block()
        self._block.draw(self._done_share(), self._line(now) + waiting, self._failures)

    def _done_share(self) -> float:
        return self.done / self._total if self._total else self._share() if self._share else 0.0

    def interrupted(self, resumable: str = "") -> int:
        """Say how much is done and how to go on. Returns the exit status of an interruption.

        `resumable` is given if the output cannot be resumed: another one that could.
        """
        line_end = "\n" if is_terminal(2) else ""  # ends the line of the bar or of the terminal's ^C
        total = f" of {self._total}" if self._total else ""
        how = "The same command goes on from there."
        if resumable or not self._can_resume:
            how = f"With -o {resumable or 'FILE'} it could be resumed."
        done = f"{self.done - self.failed}{total} {self._verb}, {self.failed} failed"
        write_error(f"{line_end}webtool: interrupted: {done}. {how}\n")
        return INTERRUPTED

    def wait(self, host: str, seconds: float) -> None:
        """Show that nothing is done but to wait for a host: in the line, or once for each host in a line of its own."""
        now = time.monotonic()
        if self._is_shown and now - self._updated >= _STEP:
            self._updated = now
            self._draw(now, f", waiting {_clock(seconds)} for {printable(host)}")
        elif self._names_waits and seconds >= _MIN_WAIT and host not in self._waited_for:
            self._waited_for.add(host)
            write_error(f"webtool: waiting {_clock(seconds)} for {host}, which asks for a pause between two pages\n")

    def _line(self, now: float) -> str:
        """Return the progress: `12/40 opened, 1 failed, 3 skipped, 2.5/s, 11.2 s left`."""
        total = f"/{self._total}" if self._total else ""
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        return f"{self.done - self.failed}{total} {self._verb}, {self.failed} failed{skipped}{self._speed(now)}"

    def _speed(self, now: float) -> str:
        """Return rows per second and the time left, "" in the beginning."""
        seconds = now - self._begun
        if seconds < 2 * _STEP:
            return ""
        share = self._done_share()
        by_this_run = share - self._share_before
        left = f", {_clock(seconds * (1 - share) / by_this_run)} left" if by_this_run > 0 and share < 1 else ""
        return f", {self.done / seconds:.1f}/s{left}"

    def end(self, further: str = "") -> int:
        """End the line and write a summary, with `further` at its end. Returns the exit status."""
        has_only_skipped = self.skipped and not (self.done or self._total or self.failed_before or further)
        if self._is_shown and has_only_skipped:
            write_error(f"nothing left to open: all {self.skipped} are in the file already\n")
            return 0
        if self._is_shown and self.done:
            self._draw(time.monotonic())
            write_status("\n")
        if self._has_summary:
            codes = sorted(self._codes.items(), key=lambda item: -item[1])
            listed = f" ({', '.join(f'{code} {count}' for code, count in codes)})" if codes else ""
            seconds = time.monotonic() - self._begun
            summary = f"{self.done - self.failed} {self._verb}, {self.failed} failed{listed} in {_clock(seconds)}"
            failed_before = f", {self.failed_before} of them failed" if self.failed_before else ""
            before = f"{self.skipped} done before{failed_before}" if self.skipped else ""  # by an earlier run
            write_error(f"webtool: {'; '.join(filter(None, (summary, before, further)))}\n")
        return SOME_FAILED if self.failed or self.failed_before else 0


def _clock(seconds: float) -> str:
    """Return a duration: `7.5 s`, `2:03` or `1:02:03`."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
