"""Watch the memory of a browser's processes, and kill one that takes too much. Linux only; elsewhere it does nothing.

In: a process group. Out: `is_crowded`, which lets pages be read before their process is killed. The page of a killed
process gets a crash event. A thread reads /proc every PAUSE seconds while pages are open. Between two readings, the
kernel's limit on a process's data holds (limit_data).
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator

from webtool.running.threads import start_thread

CROWDED_MEMORY = 800 << 20  # bytes of one process; above it, pages are read in their present state
MAX_PROCESS_MEMORY = 1400 << 20  # bytes of one process; above it, the largest process is killed
MAX_GROUP_MEMORY = 3 << 30  # bytes of all processes (four tabs, frames, the browser); above it, the largest is killed
MAX_DATA = 3 << 30  # bytes of writable address space of one process; Chromium reserves 600 MB of it at its start
PAUSE = 0.2  # seconds between two readings


def limit_data(pid: int) -> None:
    """Limit the writable memory of a new process, and of its future children, to MAX_DATA."""
    if sys.platform == "linux":
        import resource

        try:
            resource.prlimit(pid, resource.RLIMIT_DATA, (MAX_DATA, MAX_DATA))
        except (OSError, ValueError):  # a lower limit is set already, or containers forbid it
            return


class Watch:
    """The thread that watches a process group while pages are open."""

    def __init__(self) -> None:
        self._group = 0
        self._strangers: set[int] = set()  # processes that are not in the group
        self._pages = 0  # open pages
        self._changed = threading.Condition()
        self._is_closed = False
        self.highest = 0  # bytes of the largest process at the last reading
        self.has_killed = False  # a process was killed since the first of the open pages was opened

    def begin(self, group: int) -> None:
        """Start watching this process group, if the system has /proc."""
        self._group = group
        if os.path.exists("/proc/self/status"):
            start_thread(self._look_after)

    @property
    def is_crowded(self) -> bool:
        """Whether pages should be read now, before their process is killed."""
        return self.highest > CROWDED_MEMORY

    def page_opens(self) -> None:
        """Note that a page opens. The first one starts the readings."""
        with self._changed:
            if self._pages == 0:
                self.highest, self.has_killed = 0, False
            self._pages += 1
            self._changed.notify_all()

    def page_closes(self) -> None:
        """Note that a page closes. After the last one, the readings pause."""
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
            return  # the browser itself; memory grows in the processes of pages
        self.has_killed = True
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            return

    def _held(self) -> Iterator[tuple[int, int]]:
        """Yield (pid, bytes of memory without mapped files) for each process of the group."""
        try:
            pids = {int(name) for name in os.listdir("/proc") if name.isdigit()}
        except OSError:  # no descriptor is free at the moment
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
    """Return the number in a line of /proc/PID/status: 1234 for "RssAnon:     1234 kB"."""
    value = status.partition(name)[2].partition("kB")[0].strip()
    return int(value) if value.isdigit() else 0
