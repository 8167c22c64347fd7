"""What the benchmarks beside this file share: where things are, costs of processes, several ways measured in turn.

Importing it puts the checkout and its tests on sys.path.
"""

import pathlib
import resource
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
ARCHIVE = ROOT / "dist" / "webtool.pyz"
CORPUS = ROOT.parent / "shared" / "corpus" / "wcxb-dev" / "html"
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]


def cpu(*kinds):
    """Seconds of user and system time of this process's children that ended, or of what `kinds` says."""
    found = map(resource.getrusage, kinds or (resource.RUSAGE_CHILDREN,))
    return sum(usage.ru_utime + usage.ru_stime for usage in found)


def cost(command, **more):
    """(wall, CPU) seconds of a process and of those that it waited for; it must succeed."""
    before, begun = cpu(), time.monotonic()
    done = subprocess.run(command, timeout=300, **more)
    wall = time.monotonic() - begun
    assert done.returncode == 0, (done.stderr or b"").decode()[-500:]
    return wall, cpu() - before


def in_turn(runs, rounds):
    """Name to the results of its function: one round after another, so that whatever else the machine does hits all."""
    found = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            found[name].append(run())
    return found


def medians(results):
    """The median of each name's results; where they are tuples, of each member."""
    return {
        name: tuple(map(statistics.median, zip(*rows))) if isinstance(rows[0], tuple) else statistics.median(rows)
        for name, rows in results.items()
    }
