"""Read running processes from /proc, so that tests need no ps: a bare machine lacks it. Linux only."""

import pathlib
from typing import NamedTuple

PROC = pathlib.Path("/proc")
HAS_PROC = (PROC / "self" / "stat").exists()


class Process(NamedTuple):
    """One line of /proc/PID/stat (proc(5)). `own_ticks` and `waited_ticks` are CPU time in clock ticks."""

    pid: int
    parent: int
    own_ticks: int
    waited_ticks: int
    resident_pages: int


def running():
    """Every process that runs now."""
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
    """The ids of the processes that `pid` started and that still run."""
    return {process.pid for process in running() if process.parent == pid}
