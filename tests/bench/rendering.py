"""Measure a rendered page, in wall and CPU time, in turn with playwright over the same Chromium.

    python3 tests/bench/rendering.py [--rounds 7] [--playwright PYTHON]

The pages are made here and served on loopback. --playwright names a Python in which playwright is installed; without it
only webtool is measured. CPU is that of all processes of a run: this one becomes the parent of those of the browser
that outlive their own (prctl(2), PR_SET_CHILD_SUBREAPER), so none is missed.
"""

import argparse
import concurrent.futures
import contextlib
import ctypes
import os
import statistics
import sys
import time

from costs import ROOT, cost, cpu, leave
from servers import Server, page

PAGE = (
    "<!doctype html><title>Tides</title><link rel=stylesheet href=/a.css><div id=root></div>"
    + "<p>The harbour has two tides a day.</p>" * 20
    + "<script>fetch('/data').then((r) => r.text()).then((t) => { root.innerHTML = '<h1>' + t + '</h1>' })</script>"
)
LONG = "<!doctype html><title>Tides</title><h1>Fruit</h1>" + "".join(
    f"<p>Paragraph {n} says that the <b>harbour</b> has two <a href=/{n}>tides</a> a day, and why.</p>"
    for n in range(6000)
)
ROUTES = {
    "/long": page(LONG),
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
options = {'max_bytes': 1 << 23, 'allow_private_hosts': ('127.0.0.1',), 'browser_no_sandbox': True}
settings = Settings(render='on', browser=sys.argv[1], **options)
with Browser(settings, os.environ) as browser:
    assert 'Fruit' in browser.render(sys.argv[2], deadline=time.monotonic() + 60).html
"""


PR_SET_CHILD_SUBREAPER = 36


def whole_cost(command):
    """Return (wall, CPU) seconds of a command and all processes that it started."""
    before = cpu()
    wall, _ = cost(command)
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()
    return wall, cpu() - before


def cold(browser, url, options):
    """A browser's start, one page, its end: in pairs."""
    print(f"{url.rpartition('/')[2] or 'small'}:")
    rows = []
    for _ in range(options.rounds):
        ours = whole_cost([sys.executable, "-c", OURS, browser, url, str(ROOT)])
        rows.append((ours, whole_cost([options.playwright, "-c", PEER, browser, url]) if options.playwright else None))
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
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with Server(ROUTES) as server:
        warm(browser, f"{server.url}/", options)
        for path in ("/", "/long"):
            cold(browser, server.url + path, options)


if __name__ == "__main__":
    main()
