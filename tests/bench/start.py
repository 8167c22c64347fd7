"""Measure a start: --schema and a whole fetch against an empty Python, CPU time of whole processes, in turn.

    python3 tests/bench/start.py [--rounds 15] [--python /usr/bin/python3]

Needs the built file (python3 build.py). The page is made here.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

from costs import ROOT, cost, need_archive
from servers import Server, page

TOOL = ROOT / "dist" / "web-fetch-tool"
# Real pages have some 600 elements in 100 KB (270 to 1,080 in nine of ten); this one has about 1,000.
WORDS = "The harbour wakes before the town does, and boats, tides and the price of fish decide what the day will be. "
SECTION = (
    "<div class='section js-section' id='section-{0}' data-index='{0}'><h2>Section {0}</h2><p class='text'>"
    + WORDS * 4
    + "Then <a href='/pages/{0}' class='link link--inline'>page {0}</a> says <b>why</b>.</p><p class='text'>"
    + WORDS * 3
    + "</p><ul class='list'><li>One</li><li>Two</li></ul></div>"
)


def main():
    """Print the medians and the ratios, pair by pair."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--python", default=sys.executable)
    options = parser.parse_args()
    need_archive()
    body = "<title>A page</title>" + "".join(SECTION.format(number) for number in range(98))
    rows = {"empty Python": [], "--schema": [], "fetch": []}
    with Server({"*": page(body)}) as server, tempfile.TemporaryDirectory() as home:
        environment = {
            "PATH": f"{os.path.dirname(options.python)}:{os.environ['PATH']}",
            "HOME": home,
            "WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1",
        }
        for number in range(options.rounds + 1):
            request = json.dumps({"url": f"{server.url}/{number}", "limit": 50}).encode()
            measured = {
                "empty Python": cpu([options.python, "-I", "-S", "-c", "pass"], b"", environment),
                "--schema": cpu([str(TOOL), "--schema"], b"", environment),
                "fetch": cpu([str(TOOL)], request, environment),
            }
            if number:  # the first round warms the disk's cache
                for name, value in measured.items():
                    rows[name].append(value)
    print(f"{len(body) // 1000} KB page, {options.rounds} rounds")
    for name, values in rows.items():
        ratios = [value / empty for value, empty in zip(values, rows["empty Python"])]
        print(f"{name:14}{statistics.median(values):8.1f} ms CPU{statistics.median(ratios):8.2f} times")


def cpu(command, data, environment):
    """User and system time of one process in milliseconds."""
    return cost(command, input=data, stdout=subprocess.DEVNULL, env=environment)[1] * 1000


if __name__ == "__main__":
    main()
