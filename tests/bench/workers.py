"""Measure what workers cost and gain: opening pages, pings while parsers are busy, a batch on one core and on all.

    python3 build.py && python3 tests/bench/workers.py

Times are medians of wall-clock milliseconds. Compare them with each other, not with those of other machines.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

from costs import ARCHIVE
from mcp_peer import Peer
from servers import Server, page

CELL = "<td><b><a href='/x?q=1&amp;r=2'>link <i>text</i></a></b> words and <code>code</code> &amp; more</td>"
WORDS = "Some more words for a page that is as long as most are, with a <a href=/x>link</a> in each sentence. "
ROUTES = {
    "/heavy": page("<title>Heavy</title><table>" + ("<tr>" + CELL * 8 + "</tr>") * 6000 + "</table>"),
    "/page": page("<title>Page</title>" + ("<p>" + WORDS * 8) * 120),
}


def timed(peer, number, method, **params):
    """Return the milliseconds from a request to its response."""
    started = time.perf_counter()
    peer.request(number, method, **params)
    while peer.hear(60).get("id") != number:
        pass
    return (time.perf_counter() - started) * 1000


def open_time(peer, number, url, **more):
    """Return the milliseconds that web_open takes."""
    return timed(peer, number, "tools/call", name="web_open", arguments={"url": url, **more})


def server_figures(site, environ):
    """Print times of one server."""
    with Peer(ARCHIVE, **environ) as peer:
        peer.shake_hands()
        first = open_time(peer, 1, f"{site.url}/page?first")
        cold = [open_time(peer, 10 + n, f"{site.url}/page?{n}") for n in range(20)]
        warm = [open_time(peer, 100 + n, f"{site.url}/page?1") for n in range(100)]
        for number in range(200, 204):
            peer.request(number, "tools/call", name="web_open", arguments={"url": f"{site.url}/heavy?{number}"})
        pings = []
        for n in range(40):
            pings.append(timed(peer, 300 + n, "ping"))
            time.sleep(0.05)
        print(f"web_open, the first page of a server  {first:8.1f} ms")
        print(f"web_open, 100 KB page not in cache    {statistics.median(cold):8.1f} ms")
        print(f"web_open, warm                        {statistics.median(warm):8.2f} ms")
        print(f"ping beside four busy parsers         {statistics.median(pings):8.2f} ms, worst {max(pings):.1f} ms")


def batch_figures(site, environ):
    """Print times of the command batch on one core and on all."""
    for count in (1, os.cpu_count()):
        command = [sys.executable, "-I", "-S", str(ARCHIVE), "batch", "-q", "-o", os.devnull]
        urls = [f"{site.url}/page?batch{count}-{n}" for n in range(60)]
        if count == 1 and hasattr(os, "sched_setaffinity"):
            command = ["taskset", "-c", "0", *command]
        started = time.perf_counter()
        subprocess.run([*command, *urls], env={**os.environ, **environ}, check=True)
        print(f"batch of 60 pages on {count} core(s)           {(time.perf_counter() - started) * 1000:8.0f} ms")


def main():
    with Server(ROUTES) as site, tempfile.TemporaryDirectory() as folder:
        environ = {"WEBTOOL_CACHE_PATH": f"{folder}/c.sqlite3", "WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1"}
        server_figures(site, environ)
        batch_figures(site, environ)


if __name__ == "__main__":
    main()
