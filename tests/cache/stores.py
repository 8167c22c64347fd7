"""Snapshots to store, and other processes that use the cache."""

import os
import subprocess
import sys
import textwrap
import time

import pytest

from webtool.cache.tables import Snapshot
from webtool.lean import dates

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
POSIX = pytest.mark.skipif(os.name == "nt", reason="signals, modes and limits as POSIX has them")


def snapshot(key="k", url="https://e.example/", age=0.0, lifetime=3600.0, **members):
    now = time.time() - age
    return Snapshot(key, url, url, "readable", "text/html", 200, dates.iso(now), dates.iso(now + lifetime))._replace(
        **members
    )


def run(code, *arguments, **options):
    """Python code in a process of its own that can import webtool."""
    script = f"import sys, os, time\nsys.path.insert(0, {ROOT!r})\n{textwrap.dedent(code)}"
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options
    )


OPEN = """
from webtool.cache.tables import Snapshot
import webtool.cache.store  # now: another user may not read the modules
from webtool.context import Context
from webtool.settings import Settings
warn = lambda text: print("warned:", text, file=sys.stderr, flush=True)
cache = Context(Settings(cache_path=sys.argv[1]), warn=warn).cache
"""
