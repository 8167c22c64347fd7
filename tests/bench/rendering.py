"""Measure a rendered page, in wall and CPU time, in turn with playwright over the same Chromium.

    python3 tests/bench/rendering.py [--rounds 7] [--playwright PYTHON]

The pages are made here and served on loopback. --playwright names a Python in which playwright is installed; without it
only webtool is measured. CPU is that of all processes that were waited for: the browser's too.
"""

import argparse
import concurrent.futures
import os
import statistics
import sys
import time

from costs import ROOT, cost, leave
from servers import Server, page

PAGE = (
    "<!doctype html><title>Tides</title><link rel=stylesheet href=/a.css><div id=root></div>"
    + "<p>The harbour has two tides a day.</p>" * 20
    + "<script>fetch('/data').then((r) => r.text()).then((t) => { root.innerHTML = '<h1>' + t + '</h1>' })</script>"
)
ROUTES = {
    "/a.css": (200, {"Content-Type": "text/css"}, b"p {color: #333}"),
    "/data": (200, {"Content-Type": "text/plain"}, b"Fruit"),
    "*": page(PAGE),
}
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
    """Measure one browser for pages in sequence, and for 30 pages in four tabs."""
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
    from webtool.browser.finder import find_browser
    from webtool.errors import RenderFailed

    try:
        browser = find_browser("", os.environ)
    except RenderFailed as exc:
        leave(str(exc))
    with Server(ROUTES) as server:
        warm(browser, f"{server.url}/", options)
        cold(browser, f"{server.url}/", options)


if __name__ == "__main__":
    main()
