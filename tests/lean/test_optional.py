"""A Python that was built without a module: what works without it works, the rest fails with one line."""

import gzip
import json
import os
import socket
import subprocess
import sys

import pytest
from mcp_peer import Peer

PARAGRAPH = b"<p>The sea rises and falls twice a day, and few people know why it does so.</p>"
PAGE = b"<title>T</title><h1>Tides</h1>" + 5 * PARAGRAPH
# Hides modules before webtool starts, as a Python built without them does.
WITHOUT = (
    "import sys\n"
    "del sys.argv[0]\n"
    "for name in sys.argv.pop(0).split(','): sys.modules[name] = None\n"
    "sys.path.insert(0, sys.argv[0])\n"
    "import webtool.__main__"
)
MODULES = {
    "zlib": "zlib", "sqlite": "_sqlite3,sqlite3", "ssl": "_ssl,ssl", "signal": "_signal,signal",
    "ctypes": "_ctypes,ctypes", "all": "zlib,_sqlite3,sqlite3,_ssl,ssl,_ctypes,ctypes,_bz2,_lzma",
}  # fmt: skip


def run(archive, names, *words, stdin=b"", home="/nowhere", **more):
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), **more}
    command = [sys.executable, "-I", "-S", "-c", WITHOUT, names, str(archive), *words]
    return subprocess.run(command, input=stdin, capture_output=True, timeout=60, env=environment)


@pytest.mark.parametrize("names", MODULES.values(), ids=MODULES)
def test_a_page_is_extracted_whatever_is_missing(archive, names):
    done = run(archive, names, "extract", "-", stdin=PAGE)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"The sea rises") == 5


@pytest.mark.parametrize("names", MODULES.values(), ids=MODULES)
def test_a_page_is_fetched_whatever_is_missing(archive, names, tmp_path):
    done = run(archive, names, "fetch", "--demo", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"# webtool at work")
    assert done.stderr.count(b"\n") <= 1


@pytest.mark.parametrize("names", MODULES.values(), ids=MODULES)
def test_the_mcp_server_answers_whatever_is_missing(archive, names):
    # It is left open until it has answered: what runs when the input ends has only a moment.
    with Peer(
        archive, (sys.executable, "-I", "-S", "-c", WITHOUT, names, str(archive), "mcp"), HOME="/nowhere"
    ) as peer:
        peer.shake_hands()
        answer = peer.call(1, "web_extract", html=PAGE.decode(), base_url="https://e.example/")
    assert "The sea rises" in answer["content"][0]["text"], peer.errors


@pytest.mark.parametrize(("names", "words", "said"), [
    (MODULES["sqlite"], ("cache", "info"), "built without sqlite3"),
    (MODULES["ssl"], ("fetch", "https://127.0.0.1:PORT/"), "ssl"),
    (MODULES["zlib"], ("extract", "-", "--json"), "zlib"),
])  # fmt: skip
def test_what_needs_it_says_so_in_one_error(archive, names, words, said, tmp_path):
    stdin = gzip.compress(b"WARC/1.0\r\n\r\n") if "extract" in words else b""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        words = [word.replace("PORT", str(listener.getsockname()[1])) for word in words]
        done = run(archive, names, *words, stdin=stdin, home=tmp_path, WEBTOOL_ALLOW_PRIVATE_HOSTS="127.0.0.1")
    assert done.returncode not in (0, 70), done.stdout
    assert said in done.stderr.decode() + done.stdout.decode()


@pytest.mark.parametrize(
    ("names", "check"), [(MODULES["sqlite"], "cache"), (MODULES["ssl"], "tls"), ("zlib", "python")]
)
def test_doctor_names_what_is_missing(archive, names, check, tmp_path):
    found = json.loads(run(archive, names, "doctor", "--json", home=tmp_path).stdout)
    assert found[check]["state"] in ("bad", "note")
    assert names.split(",")[-1] in found[check]["text"]
