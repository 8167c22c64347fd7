"""The cache as it grows: start, get, put and purge at 10,000 to 1,000,000 snapshots; many readers beside one writer.

    python3 tests/bench/snapshots.py [--sizes 10000,100000,1000000] [--folder DIR]

Prints microseconds of CPU and of the clock for each call, the median of many. A snapshot here has 1 KB of text; a
million take about 2 GB in DIR. Writing the first million takes minutes, and goes through the same put().
"""

import argparse
import hashlib
import multiprocessing
import os
import random
import statistics
import tempfile
import time

import costs  # noqa: F401 -- the path to webtool

from webtool.cache import store
from webtool.cache.tables import Snapshot
from webtool.lean import dates
from webtool.settings import Settings

SETTINGS = Settings(cache_max_bytes=1 << 40)
TEXT = "Some words of a page that is kept. " * 14
NOW = 1_800_000_000.0


def key_of(number):
    return hashlib.sha256(b"%d" % number).hexdigest()


def snapshot(number, lifetime=1e9):
    url = f"https://host-{number % 997}.example/{number}"
    fetched, expires = dates.iso(NOW + number), dates.iso(NOW + number + lifetime)
    found = Snapshot(key_of(number), url, url, "readable", "text/html", 200, fetched, expires)
    return found._replace(title=f"Page {number}", markdown=TEXT, text=TEXT)


def timed(call, arguments):
    """(microseconds of the clock, of CPU): medians over the calls."""
    walls, cpus = [], []
    for argument in arguments:
        at, begun = time.perf_counter(), time.process_time()
        call(argument)
        cpus.append(time.process_time() - begun)
        walls.append(time.perf_counter() - at)
    return statistics.median(walls) * 1e6, statistics.median(cpus) * 1e6


def opened(path):
    return store.open_cache(path, SETTINGS, print)


def read_for(path, seconds, count, queue):
    """Get at random for a while; the number of gets, and of those that found nothing."""
    cache, source = opened(path), random.Random(os.getpid())
    until, gets, misses = time.monotonic() + seconds, 0, 0
    while time.monotonic() < until:
        misses += cache.get(key_of(source.randrange(count))) is None
        gets += 1
    queue.put((gets, misses))


def crowd(path, count, seconds=5):
    """Gets a second by four processes while this one puts, and puts a second."""
    queue = multiprocessing.Queue()
    readers = [multiprocessing.Process(target=read_for, args=(path, seconds, count, queue)) for _ in range(4)]
    for reader in readers:
        reader.start()
    cache, puts = opened(path), 0
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        cache.put(snapshot(count + 10**7 + puts))
        puts += 1
    found = [queue.get() for _ in readers]
    for reader in readers:
        reader.join()
    cache.close()
    return sum(gets for gets, _ in found) / seconds, sum(misses for _, misses in found), puts / seconds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        path = os.path.join(folder, "cache.sqlite3")
        cache, held, source = opened(path), 0, random.Random(1)
        print(f"{'snapshots':>10}{'start':>16}{'get':>16}{'put':>16}{'purge 100':>16}   (clock/CPU, microseconds)")
        for size in map(int, options.sizes.split(",")):
            for number in range(held, size):
                cache.put(snapshot(number))
            held = size
            start = timed(lambda _: opened(path).close(), range(20))
            get = timed(cache.get, [key_of(source.randrange(size)) for _ in range(1000)])
            put = timed(cache.put, [snapshot(10**8 + size + n) for n in range(1000)])
            purges = []
            for _ in range(5):
                for n in range(100):
                    cache.put(snapshot(10**9 + n)._replace(expires_at="2001-01-01T00:00:00Z"))
                purges.append(timed(lambda _: cache.purge(), [0]))
            purge = statistics.median(wall for wall, _ in purges), statistics.median(cpu for _, cpu in purges)
            figures = "".join(f"{wall:>9.0f}/{cpu:<6.0f}" for wall, cpu in (start, get, put, purge))
            print(f"{size:>10}{figures}", flush=True)
        gets, misses, puts = crowd(path, held)
        print(f"4 readers {gets:.0f} gets/s with {misses} misses, beside 1 writer of {puts:.0f} puts/s")
        cache.close()


if __name__ == "__main__":
    main()
