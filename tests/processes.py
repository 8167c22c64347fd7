"""Read running processes from /proc, so that tests need no ps: a bare machine lacks it. Linux only."""

import pathlib
from typing import NamedTuple

PROC = pathlib.Path("/proc")
HAS_PROC = (PROC / "self" / "stat").exists()


class Process(NamedTuple):
    """One line of /proc/PID/stat (proc(5))."""

    pid: int
    parent: int
    own_ticks: int  # CPU time in clock ticks
    waited_ticks: int  # CPU time, in clock ticks, of children that ended and that it has waited for
    resident_pages: int


def running():
    """Return every process that runs now."""
    processes = []
    for path in PROC.glob("[0-9]*/stat"):
        try:
            text = path.read_text()
        except OSError:  # the process ended since the folder was listed
            continue
        fields = text.rpartition(")")[2].split()  # the program's name, in parentheses, may have spaces
        own, waited = sum(map(int, fields[11:13])), sum(map(int, fields[13:15]))
        processes.append(Process(int(path.parent.name), int(fields[1]), own, waited, int(fields[21])))
    return processes


def children_of(pid):
    """Return the ids of the processes that `pid` started and that still run."""
    return {process.pid for process in running() if process.parent == pid}
