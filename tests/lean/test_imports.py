"""The first use from several threads: every thread gets every module whole."""

import os
import pathlib
import subprocess
import sys

import pytest

# Whoever makes webtool.html rests in the middle of it, so that others come to its modules meanwhile.
SCRIPT = """
import importlib.util, sys, threading, time
sys.path.insert(0, sys.argv[1])
import webtool

class Slow:
    def find_spec(self, name, path=None, target=None):
        if name != "webtool.html":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        make = spec.loader.create_module
        # The archive has one loader for all modules.
        spec.loader.create_module = lambda spec: (time.sleep(spec.name == name), make(spec))[1]
        return spec

sys.meta_path.insert(0, Slow())
html = "<title>T</title><h1>H</h1><p>Some words, and <math><mi>x</mi></math> more.</p><table><tr><td>1</table>"
CALLS = [
    lambda: webtool.parse_html(html),
    lambda: webtool.to_markdown(html),
    lambda: webtool.extract(html, "https://e.example/"),
    lambda: webtool.run("web_extract", {"html": html}),
    lambda: webtool.sniff_encoding(b"<meta charset=utf-8>"),
    lambda: webtool.parse_fragment(html, "div"),
    lambda: webtool.run("cache_info", {}),
    lambda: (time.sleep(0.3), __import__("webtool.html.node")),
]
errors, start = [], threading.Barrier(16)

def work(number):
    start.wait()
    try:
        CALLS[number % len(CALLS)]()
    except BaseException as exc:
        errors.append(repr(exc))

threads = [threading.Thread(target=work, args=(number,)) for number in range(16)]
for thread in threads: thread.start()
for thread in threads: thread.join(60)
print(errors, any(thread.is_alive() for thread in threads))
"""


@pytest.mark.parametrize("place", ["checkout", "archive"])
def test_threads_that_begin_at_different_ends_do_not_block_each_other(place, archive, tmp_path):
    path = archive if place == "archive" else pathlib.Path(__file__).resolve().parents[2]
    command = [sys.executable, "-I", "-B", "-c", SCRIPT, str(path)]
    environment = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert done.stdout == "[] False\n", done.stderr


def test_an_import_of_others_goes_its_own_way():
    script = (
        "import builtins; from webtool.lean import imports; plain = builtins.__import__\n"
        "imports.make_whole(); first = builtins.__import__; imports.make_whole()\n"
        "import json, xml.dom.minidom as minidom\n"
        "from os import path\n"
        "print(first is not plain, builtins.__import__ is first, json.__name__, minidom.__name__, path.__name__)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout == f"True True json xml.dom.minidom {os.path.__name__}\n", done.stderr


def test_who_holds_pythons_lock_meanwhile_is_not_waited_for_without_end(monkeypatch):
    from webtool.lean import imports

    class Busy:
        def acquire(self, timeout):
            assert 0 < timeout < 60
            return False

    monkeypatch.setattr(imports, "_lock", Busy())
    monkeypatch.setattr("builtins.__import__", __import__)
    imports.make_whole()
    import webtool.errors

    assert webtool.errors.WebtoolError
