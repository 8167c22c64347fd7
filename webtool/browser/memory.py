"""What a browser's processes hold of the machine's memory, and the end of one that holds too much. Linux; elsewhere
nothing is known and nothing ended.

In: a process group. Out: whether it is crowded, so that pages are read while they can be; a process above the bound is
killed, which its page is told as a crash. Between two looks the kernel's own limit on a process's data holds.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator

from webtool.running.threads import start_thread

CROWDED_MEMORY = 800 << 20  # bytes of one process; a page that needs so much is read as it stands
MAX_PROCESS_MEMORY = 1400 << 20  # bytes of one process
MAX_GROUP_MEMORY = 3 << 30  # bytes of the group: four tabs, their frames, and the browser itself
MAX_DATA = 3 << 30  # of address space that a process may write to; Chromium reserves 600 MB of it at its start
PAUSE = 0.2  # seconds between two looks


def limit_data(pid: int) -> None:
    """Let a process that was just started, and all it will start, have no more than MAX_DATA of data."""
    if sys.platform == "linux":
        import resource

        try:
            resource.prlimit(pid, resource.RLIMIT_DATA, (MAX_DATA, MAX_DATA))
        except (OSError, ValueError):  # a lower limit is set already, or containers forbid it
            return


class Watch:
    """Looks at a process group while pages are open."""

    def __init__(self) -> None:
        self._group = 0
        self._strangers: set[int] = set()
        self._pages = 0
        self._changed = threading.Condition()
        self._is_closed = False
        self.highest = 0
        """Bytes that the largest process held, at the last look."""
        self.has_killed = False
        """Whether a process was ended since the first of the open pages was opened."""

    def begin(self, group: int) -> None:
        """Look after this process group, where the system tells of it."""
        self._group = group
        if os.path.exists("/proc/self/status"):
            start_thread(self._look_after)

    @property
    def is_crowded(self) -> bool:
        """Whether a page should be read now, before it must be ended."""
        return self.highest > CROWDED_MEMORY

    def page_opens(self) -> None:
        """Look from now on."""
        with self._changed:
            if self._pages == 0:
                self.highest, self.has_killed = 0, False
            self._pages += 1
            self._changed.notify_all()

    def page_closes(self) -> None:
        """With the last page the looking rests."""
        with self._changed:
            self._pages -= 1

    def close(self) -> None:
        """End the thread."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def _look_after(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._pages or self._is_closed)
                self._changed.wait_for(lambda: self._is_closed, PAUSE)
                if self._is_closed:
                    return
            held = dict(self._held())
            self.highest = max(held.values(), default=0)
            if self.highest > MAX_PROCESS_MEMORY or sum(held.values()) > MAX_GROUP_MEMORY:
                self._kill(max(held, key=lambda pid: held[pid]))

    def _kill(self, pid: int) -> None:
        if pid == self._group:
            return  # the browser itself: its pages are what grows
        self.has_killed = True
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            return

    def _held(self) -> Iterator[tuple[int, int]]:
        """Each process of the group, and its bytes of memory that are not files'."""
        try:
            pids = {int(name) for name in os.listdir("/proc") if name.isdigit()}
        except OSError:  # out of descriptors: they come back
            return
        self._strangers &= pids
        for pid in pids - self._strangers:
            try:
                if os.getpgid(pid) != self._group:
                    self._strangers.add(pid)
                    continue
                with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
                    text = file.read()
            except OSError:
                continue
            yield pid, sum(_kilobytes(text, name) for name in ("RssAnon:", "RssShmem:")) << 10


def _kilobytes(status: str, name: str) -> int:
    """A line of /proc/PID/status, such as "RssAnon:     1234 kB"."""
    value = status.partition(name)[2].partition("kB")[0].strip()
    return int(value) if value.isdigit() else 0
