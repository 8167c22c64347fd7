"""What a rendered page costs, in wall and CPU time, in turn with playwright over the same Chromium.

    python3 tests/bench/rendering.py [--rounds 7] [--playwright PYTHON]

The pages are made here and served on loopback. --playwright names a Python in which playwright is installed; without it
only webtool is measured. CPU is that of all processes that were waited for: the browser's too.
"""

import argparse
import concurrent.futures
import http.server
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PAGE = (
    "<!doctype html><title>Tides</title><link rel=stylesheet href=/a.css><div id=root></div>"
    + "<p>The harbour has two tides a day.</p>" * 20
    + "<script>fetch('/data').then((r) => r.text()).then((t) => { root.innerHTML = '<h1>' + t + '</h1>' })</script>"
).encode()
OTHER = {"/a.css": ("text/css", b"p {color: #333}"), "/data": ("text/plain", b"Fruit")}
PEER = """
import sys
from playwright.sync_api import sync_playwright
with sync_playwright() as p:
    browser = p.chromium.launch(executable_path=sys.argv[1], args=['--no-sandbox'])
    page = browser.new_page()
    page.goto(sys.argv[2], wait_until='networkidle')
    assert 'Fruit' in page.content()
    browser.close()
"""
OURS = """
import os, sys, time
sys.path.insert(0, sys.argv[3])
from webtool.browser.session import Browser
from webtool.settings import Settings
settings = Settings(render='on', browser=sys.argv[1], allow_private_hosts=('127.0.0.1',), browser_no_sandbox=True)
with Browser(settings, os.environ) as browser:
    assert 'Fruit' in browser.render(sys.argv[2], deadline=time.monotonic() + 60).html
"""


class Handler(http.server.BaseHTTPRequestHandler):
    """The page, and what it asks for."""

    def do_GET(self):
        kind, body = OTHER.get(self.path, ("text/html", PAGE))
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        """Nothing is logged."""


def cost(argv):
    """Wall and CPU seconds of a process and of those that it waited for."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(argv, check=True, timeout=120)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - started, cpu


def cold(browser, url, options):
    """A browser's start, one page, its end: in pairs."""
    rows = []
    for _ in range(options.rounds):
        ours = cost([sys.executable, "-c", OURS, browser, url, str(ROOT)])
        rows.append((ours, cost([options.playwright, "-c", PEER, browser, url]) if options.playwright else None))
    for name, index in (("wall", 0), ("CPU", 1)):
        print(f"cold, {name}: {statistics.median(ours[index] for ours, _ in rows):.2f} s", end="")
        if options.playwright:
            theirs = statistics.median(peer[index] for _, peer in rows)
            ratio = statistics.median(ours[index] / peer[index] for ours, peer in rows)
            print(f", playwright {theirs:.2f} s, median of the pairs' ratios {ratio:.2f}", end="")
        print()


def warm(browser, url, options):
    """The same browser for one page after another, and for 30 pages in four tabs."""
    sys.path.insert(0, str(ROOT))
    from webtool.browser.session import Browser
    from webtool.settings import Settings

    settings = Settings(render="on", browser=browser, allow_private_hosts=("127.0.0.1",), browser_no_sandbox=True)
    with Browser(settings, os.environ) as kept:

        def render(number):
            started = time.monotonic()
            kept.render(f"{url}?{number}", deadline=started + 60)
            return time.monotonic() - started

        render(0)
        times = sorted(render(number) for number in range(max(10, options.rounds)))
        print(f"warm: {statistics.median(times):.2f} s, fastest {times[0]:.2f} s")
        started = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(render, range(30)))
        print(f"30 pages in four tabs: {30 / (time.monotonic() - started):.1f} pages a second")


def main():
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--playwright", default="")
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    from webtool.browser.finder import find_browser

    browser = find_browser("", os.environ)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/"
    warm(browser, url, options)
    cold(browser, url, options)
    server.shutdown()


if __name__ == "__main__":
    main()
