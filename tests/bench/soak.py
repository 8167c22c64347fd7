"""Check that a server does not grow over tens of thousands of calls. Prints its memory and open descriptors.

Fails if memory grows by more than 2 MB after the warm-up, or if descriptors stay open.

    python3 build.py && nice python3 tests/bench/soak.py 50000

Linux only: reads /proc. The calls are a mix of new and stored pages, pages that fail, parts of pages, searches without
a key, given HTML, the cache, lists, pings, and cancelled calls.
"""

import os
import random
import sys
import tempfile

from costs import ARCHIVE
from mcp_peer import Peer
from processes import running
from servers import Server, page

WARM_UP = 0.5  # share of the calls in which pages are new and SQLite fills its page cache of 2 MB
MAX_GROWTH = 2048  # KB; more fails
MAX_DESCRIPTORS = 8  # by which the number of open descriptors may vary
WORDS = "Some words for a page that is as long as many are, with a <a href=/x>link</a> in each of its sentences. "


def body(request):
    number = request.path.rpartition("-")[2]
    return page(f"<title>Page {number}</title>" + f"<h2>Part {number}</h2><p>{WORDS * 5}" * 12)


ROUTES = {
    "/robots.txt": (404, {}, b""),
    "/known": page("<title>Known</title>" + f"<p>{WORDS * 5}" * 40, **{"Cache-Control": "max-age=86400"}),
    "/gone": (410, {"Content-Type": "text/plain"}, b"gone"),
    "/broken": (200, {"Content-Type": "application/octet-stream"}, b"\x00\x01" * 100),
    "/data": (200, {"Content-Type": "application/json"}, b'{"a": [1, 2, 3]}'),
    "*": body,
}


def call(site, draw, number):
    """Return a random call: a tool and its arguments."""
    new = f"{site.url}/page-{number % 3000}"
    return draw.choice(
        [
            ("web_open", {"url": f"{site.url}/known"}),
            ("web_open", {"url": f"{site.url}/known", "offset": 20, "max_tokens": 300}),
            ("web_open", {"url": new}),
            ("web_open", {"url": new, "mode": "raw"}),
            ("web_open", {"url": new, "force_refresh": True}),
            ("web_open", {"url": f"{site.url}/gone"}),
            ("web_open", {"url": f"{site.url}/broken"}),
            ("web_open", {"url": f"{site.url}/data"}),
            ("web_open", {"url": "http://169.254.169.254/"}),
            ("web_open", {"url": 5}),
            ("web_extract", {"html": f"<title>T</title><p>{WORDS * 9}"}),
            ("web_batch_open", {"items": [{"url": f"{site.url}/known"}, {"url": new}, {"url": f"{site.url}/gone"}]}),
            ("cache_get", {"hash": f"{number:064x}"}),
            ("cache_purge", {"older_than_days": 1000}),
            ("web_search", {"query": "x"}),
        ]
    )


def size(pid):
    """Return the KB of memory of a process, its number of open descriptors, and the KB of its workers."""
    with open(f"/proc/{pid}/status") as file:
        own = next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
    pages = sum(process.resident_pages for process in running() if process.parent == pid)
    workers = pages * os.sysconf("SC_PAGE_SIZE") // 1024
    return own, len(os.listdir(f"/proc/{pid}/fd")), workers


def answer_of(peer, number):
    """Return the response to a request."""
    while True:
        answer = peer.hear(120)
        if answer.get("id") == number:
            return answer


def main():
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 50000
    draw, rows = random.Random(1), []
    with Server(ROUTES) as site, tempfile.TemporaryDirectory() as folder:
        environ = {
            "WEBTOOL_CACHE_PATH": f"{folder}/c.sqlite3",
            "WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1",
            "WEBTOOL_SEARCH_PROVIDER": "brave",
            "BRAVE_API_KEY": "",
        }
        with Peer(ARCHIVE, **environ) as peer:
            peer.shake_hands()
            for number in range(1, total + 1):
                if number % 50 == 0:
                    peer.request(number, draw.choice(["ping", "tools/list", "resources/list"]))
                else:
                    name, arguments = call(site, draw, number)
                    peer.request(number, "tools/call", name=name, arguments=arguments)
                if number % 500 == 499:
                    params = {"requestId": number}
                    peer.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
                else:
                    answer_of(peer, number)
                del peer.errors[:]
                del site.asked[:]
                if number % (total // 50 or 1) == 0:
                    rows.append((number, *size(peer.process.pid)))
                    print("{:7} calls {:7} KB {:4} descriptors, workers {:7} KB".format(*rows[-1]), flush=True)
    after = [row for row in rows if row[0] > total * WARM_UP]
    third = max(len(after) // 3, 1)
    growth = min(row[1] for row in after[-third:]) - min(row[1] for row in after[:third])
    descriptors = max(row[2] for row in after) - min(row[2] for row in after)
    print(f"growth after {after[0][0]} calls: {growth} KB; descriptors between them differ by {descriptors}")
    return int(growth > MAX_GROWTH or descriptors > MAX_DESCRIPTORS)


if __name__ == "__main__":
    sys.exit(main())
