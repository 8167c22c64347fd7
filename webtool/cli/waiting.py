"""Show on a terminal that slow work goes on. Out: one line on stderr, rewritten each second and removed at the end.

Tests: tests/cli/test_people.py
"""

from __future__ import annotations

import time
from _thread import allocate_lock, start_new_thread

from webtool.output import is_terminal, write_status

_QUIET_SECONDS = 1.5  # before the line appears; most work is done by then
_STEP = 1.0  # seconds between two updates


class Waiting:
    """Context manager: `with Waiting(): ...`. Does nothing if stderr is not a terminal."""

    def __init__(self, is_shown: bool = True) -> None:
        self._is_active = is_shown and is_terminal(2)
        self._done = allocate_lock()
        self._write_lock = allocate_lock()
        self._has_written = False

    def __enter__(self) -> Waiting:
        if self._is_active:
            self._done.acquire()
            try:
                start_new_thread(self._update, ())
            except RuntimeError:  # the system allows no further thread
                self._is_active = False
        return self

    def __exit__(self, *_error: object) -> None:
        if self._is_active:
            with self._write_lock:
                self._is_active = False
                if self._has_written:
                    write_status("\r\x1b[K")
            self._done.release()

    def _update(self) -> None:
        """Rewrite the line until the work is done."""
        begun = time.monotonic()
        wait = _QUIET_SECONDS
        while not self._done.acquire(timeout=wait):
            wait = _STEP
            with self._write_lock:
                if not self._is_active:
                    return
                self._has_written = True
                write_status(f"\rwebtool: still working, {time.monotonic() - begun:.0f} s (Ctrl-C ends it)\x1b[K")
