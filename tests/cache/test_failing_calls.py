"""Each system call of the cache fails once: no error is raised, no stored row is lost, and the cache works again."""

import os
import shutil
import subprocess
import sys
import textwrap

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a preloaded library as Linux has it"),
    pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc to build the library that makes calls fail"),
]

SCRIPT = """
import ctypes, os, shutil, sqlite3, sys, time
sys.path.insert(0, sys.argv[1])
from webtool.cache import files
from webtool.cache.tables import Snapshot
from webtool.cache.store import open_cache
from webtool.context import Context
from webtool.settings import Settings

files._PRAGMAS = ("PRAGMA busy_timeout=50", *files._PRAGMAS[1:])  # nobody else has the file: waiting changes nothing
files.BUSY_MS = 50
PAGES = 8
folder, what, lasts = sys.argv[2], sys.argv[3], int(sys.argv[4])
library = ctypes.CDLL(None)
path = folder + "/cache.sqlite3"
SETTINGS = Settings(cache_path=path)

def page(key, old=False):
    times = ("2020-01-01T00:00:00Z",) * 2 if old else ("2026-01-01T00:00:00Z", "2036-01-01T00:00:00Z")
    return Snapshot(key, "https://e.example/" + key, "https://e.example/", "readable", "text/html", 200, *times,
                    markdown=key * 3000)

def make():
    cache = open_cache(path, Settings(), print)
    for number in range(PAGES):
        cache.put(page(f"k{number}"))
        cache.put(page(f"old{number}", old=True))
    cache.close()
    shutil.copy(path, path + ".made")

def prepare():
    for suffix in ("", "-wal", "-shm"):
        try: os.unlink(path + suffix)
        except OSError: pass
    if what != "create":
        shutil.copy(path + ".made", path)
    return Context(SETTINGS, warn=warnings.append).cache if what in ("get", "put", "purge") else None

make()
n = fired = 0
began = time.monotonic()
while True:
    n += max(1, n // 2) if lasts else 1  # where all that follow fail too, a sample tells as much
    warnings = []
    cache = prepare()
    library.fail_at(n, lasts)
    if what in ("open", "create"):
        opened = Context(SETTINGS, warn=warnings.append).cache
        snapshot_read = opened and opened.get("k1")
    elif what == "put":
        cache.put(page("new"))
    elif what == "purge":
        cache.purge()
    elif what == "get":
        snapshot_read = cache.get("k1")
    is_over = library.calls_left() > 0
    library.fail_at(0, 0)
    if what in ("open", "create") and opened:
        opened.close()
    if cache is not None:
        cache.close()
    if what == "put" and not warnings:
        acknowledged = sqlite3.connect(path)
        assert acknowledged.execute("SELECT count(*) FROM snapshots WHERE hash = 'new'").fetchall() == [(1,)], n
        acknowledged.close()
    again = open_cache(path, Settings(), print)
    assert again is not None, n
    assert len(warnings) < 3, warnings
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)], n
    db.close()
    if what != "create":
        kept = sum(again.get(f"k{number}") is not None for number in range(PAGES))
        assert kept == PAGES, (n, kept, warnings)
    again.put(page("after"))
    assert again.get("after") == page("after"), n
    again.close()
    assert not [name for name in os.listdir(folder) if "corrupt" in name], n
    fired += not is_over
    if is_over or time.monotonic() - began > 8:
        break
print("fired", fired)
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("preload") / "failing_calls.so")
    source = os.path.join(HERE, "failing_calls.c")
    built = subprocess.run(
        ["gcc", "-shared", "-fPIC", "-O1", "-o", path, source, "-ldl"], capture_output=True, text=True
    )
    if built.returncode:
        pytest.skip(f"gcc cannot build the library: {built.stderr[-200:]}")
    return path


@pytest.mark.parametrize("lasts", [0, 1], ids=["once", "from then on"])
@pytest.mark.parametrize("what", ["create", "open", "get", "put", "purge"])
def test_any_system_call_may_fail_without_losing_data(library, tmp_path, what, lasts):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(SCRIPT), ROOT, str(tmp_path), what, str(lasts)],
        env={**os.environ, "LD_PRELOAD": library, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-2000:] + done.stdout[-500:]
    fired = int(done.stdout.split("fired ")[1])
    assert fired >= 3, "the calls were not intercepted"
