"""Measure CPU time of processes, several contestants in turn, and find what a benchmark needs.

Importing it puts the checkout and its tests on sys.path. The benchmarks need only the standard library. Peers to
compare with are optional, and each benchmark names its own.
"""

import glob
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
ARCHIVE = ROOT / "dist" / "webtool.pyz"
CORPUS = ROOT.parent / "shared" / "corpus" / "wcxb-dev" / "html"
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]


def need_archive():
    """Exit with status 2 and one line if dist/webtool.pyz is not built."""
    if not ARCHIVE.exists():
        leave("dist/webtool.pyz is not built. Run: python3 build.py")


def corpus_pages(every=1):
    """The paths of every `every`-th page of the corpus, sorted; exit with status 2 and one line if it is not there.

    WEBTOOL_BENCH_PAGES names another folder with *.html.gz files.
    """
    folder = pathlib.Path(os.environ.get("WEBTOOL_BENCH_PAGES", CORPUS))
    paths = sorted(folder.glob("*.html.gz"))[::every]
    if not paths:
        leave(f"no *.html.gz in {folder}; tests/bench/README.md says how to get the corpus")
    return paths


def fetch_packages(folder, packages):
    """Download and unpack the packages of Debian that the folder lacks, each into a folder of its name."""
    os.makedirs(folder, exist_ok=True)
    for package in packages:
        place = os.path.join(folder, package)
        if not os.path.isdir(place) and shutil.which("apt-get") and shutil.which("dpkg-deb"):
            subprocess.run(["apt-get", "download", "-q", package], cwd=folder, check=False)
            for archive in glob.glob(os.path.join(folder, f"{package}_*.deb")):
                subprocess.run(["dpkg-deb", "-x", archive, place], check=False)
                os.unlink(archive)


def leave(message):
    """Print what a benchmark lacks, in one line, and exit with status 2."""
    print(message, file=sys.stderr)
    sys.exit(2)


def cpu(*kinds):
    """Seconds of user and system time of ended child processes, or of the RUSAGE_ kinds that are given."""
    usages = map(resource.getrusage, kinds or (resource.RUSAGE_CHILDREN,))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def cost(command, **options):
    """Run a command; return (wall, CPU) seconds of it and of the processes that it waited for. It must succeed."""
    cpu_before, begun = cpu(), time.monotonic()
    done = subprocess.run(command, timeout=300, **options)
    wall = time.monotonic() - begun
    assert done.returncode == 0, (done.stderr or b"").decode()[-500:]
    return wall, cpu() - cpu_before


def in_turn(runs, rounds):
    """Call each function of {name: function} once per round; return {name: results}.

    Contestants alternate, so that other load on the machine slows all of them alike.
    """
    results = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            results[name].append(run())
    return results


def medians(results):
    """Return {name: median} of {name: numbers}; of tuples, the median of each position."""
    return {
        name: tuple(map(statistics.median, zip(*rows))) if isinstance(rows[0], tuple) else statistics.median(rows)
        for name, rows in results.items()
    }
