"""A sign of life on slow work, on the terminal of a person who waits. In: nothing. Out: one line on stderr that is
written over each second, and gone when the work is done.
"""

from __future__ import annotations

import time
from _thread import allocate_lock, start_new_thread

from webtool.output import is_terminal, write_status

_QUIET_SECONDS = 1.5  # most work is done by then
_STEP = 1.0


class Waiting:
    """`with Waiting(): ...`; does nothing where stderr is not a terminal."""

    def __init__(self, is_wanted: bool = True) -> None:
        self._is_wanted = is_wanted and is_terminal(2)
        self._done = allocate_lock()
        self._pen = allocate_lock()
        self._has_written = False

    def __enter__(self) -> Waiting:
        if self._is_wanted:
            self._done.acquire()
            try:
                start_new_thread(self._tell, ())
            except RuntimeError:  # no thread to be had
                self._is_wanted = False
        return self

    def __exit__(self, *_error: object) -> None:
        if self._is_wanted:
            with self._pen:
                self._is_wanted = False
                if self._has_written:
                    write_status("\r\x1b[K")
            self._done.release()

    def _tell(self) -> None:
        begun = time.monotonic()
        wait = _QUIET_SECONDS
        while not self._done.acquire(timeout=wait):
            wait = _STEP
            with self._pen:
                if not self._is_wanted:
                    return
                self._has_written = True
                write_status(f"\rwebtool: still at it, {time.monotonic() - begun:.0f} s (Ctrl-C ends it)\x1b[K")
