"""Commands on a real terminal: colour, pager, questions, progress; and pipes, which get the same bytes without them."""

import os
import signal
import subprocess
import sys
import time

import pytest
from fake_providers import Providers
from servers import Server, page
from terminals import on_terminal, open_terminal, visible

from webtool.cli.terminal import screen, stderr

WORDS = "The harbour has two tides a day, and the moon makes both of them. "
LONG = f"<title>Tides</title><main><h1>Tides \u202egnp.exe</h1><p>{WORDS * 5}<a href=/next>next page</a></p></main>"
MANY = "<title>Many</title><main><h1>Many</h1>" + "".join(
    f"<p>Number {number}: {WORDS * 2}</p>" for number in range(60)
)

pytestmark = pytest.mark.skipif(os.name == "nt", reason="terminals as POSIX has them")


def late(_handler):
    time.sleep(30)
    return page(LONG)


@pytest.fixture(scope="module")
def web():
    routes = {"/page": page(LONG), "/many": page(MANY), "/late": late}
    routes["/a.bin"] = (200, {"Content-Type": "application/zip"}, b"PK\x03\x04")
    with Server(routes) as server:
        yield server


def environ_of(tmp_path, **variables):
    allowed = {"WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1", "WEBTOOL_SEARCH_INTERVAL": "0", "TERM": "xterm-256color"}
    return {"PATH": os.environ["PATH"], "HOME": str(tmp_path), **allowed, **variables}


@pytest.fixture
def person(archive, tmp_path, web):
    """Run webtool on a terminal; returns (exit status, what is seen)."""

    def run(*words, columns=80, lines=24, typed=b"", streams=(0, 1, 2), **variables):
        argv = [sys.executable, "-S", str(archive), *(word.replace("WEB", web.url) for word in words)]
        options = {"columns": columns, "lines": lines, "typed": typed, "streams": streams, "cwd": tmp_path}
        return on_terminal(argv, environ=environ_of(tmp_path, **variables), **options)

    return run


@pytest.fixture
def piped(archive, tmp_path, web):
    """Run webtool with its output in pipes; returns (exit status, stdout, stderr)."""

    def run(*words, **variables):
        done = subprocess.run(
            [sys.executable, "-S", str(archive), *(word.replace("WEB", web.url) for word in words)],
            capture_output=True, stdin=subprocess.DEVNULL, timeout=60, cwd=tmp_path,
            env=environ_of(tmp_path, **variables),
        )  # fmt: skip
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    return run


def test_a_page_is_wrapped_at_the_width_with_styles(person):
    for columns in (60, 80, 120):
        status, seen = person("open", "WEB/page", columns=columns)
        assert status == 0
        assert "\x1b[1mTides" in seen
        assert "\x1b[2m(http://127.0.0.1" in seen
        lines = visible(seen).split("\n")
        assert max(map(len, lines)) <= columns
        assert max(map(len, lines)) > columns - 15


@pytest.mark.parametrize(
    ("words", "variables"), [((), {"NO_COLOR": "1"}), (("--color", "never"), {}), ((), {"TERM": "dumb"})]
)
def test_colour_can_be_turned_off(person, words, variables):
    for command in (("open", "WEB/page"), ("open", "WEB/nothing"), ("help", "limits"), ("doctor",), ("config",)):
        assert "\x1b" not in person(*command, *words, "--no-pager", **variables)[1]


def test_pipes_and_files_get_the_text_without_layout(piped, tmp_path):
    status, out, _ = piped("open", "WEB/page", COLUMNS="40")
    assert (status, max(map(len, out.split("\n"))) > 300, "\x1b" in out) == (0, True, False)
    assert piped("open", "WEB/page", "-o", "f.md")[1] == ""
    assert (tmp_path / "f.md").read_text() == out
    colored = piped("open", "WEB/page", "--color", "always")[1]
    assert visible(colored) == out
    assert "\x1b[1m" in colored


def test_terminal_code_is_imported_for_terminals_only(piped):
    status, _, err = piped("open", "WEB/page", PYTHONVERBOSE="1")
    assert status == 0
    assert "webtool.net.client" in err
    assert "webtool.cli.terminal" not in err


def test_bidirectional_controls_of_a_page_do_not_reach_the_terminal(person, tmp_path, web):
    (tmp_path / "a.txt").write_text("file \u202egnp.exe \u2066x\u2069 \x1b[31mred\n", encoding="utf-8")
    for words in (
        ("fetch", "a.txt"),
        ("open", "a.txt"),
        ("open", "a.txt", "--mode", "raw"),
        ("open", "a.txt", "--json"),
    ):
        status, seen = person(*words)
        assert status == 0
        assert not set("\u202e\u2066\u2069") & set(seen)
        assert "\x1b[31m" not in seen


def test_errors_are_red_on_a_terminal_only(piped, person):
    seen = person("open", "WEB/nothing", columns=40)[1]
    assert "\x1b[31;1mwebtool: HTTP_ERROR:\x1b[39;22m" in seen
    assert max(map(len, visible(seen).split("\n"))) <= 40
    notes = person("open", "WEB/page", "--find", "submarine", columns=40)[1]
    assert "\x1b[31;1mwebtool: \x1b[39;22mno line matches" in notes
    assert "\x1b" not in piped("open", "WEB/nothing")[2]
    assert "\x1b[31;1m" in piped("open", "WEB/nothing", "--color=always")[2]


def test_a_long_page_goes_through_the_pager_and_a_short_one_does_not(person, tmp_path):
    pager = tmp_path / "my pager"
    pager.write_text('#!/bin/sh\necho "PAGER with $1 and LESS=$LESS"\ncat > /dev/null\n')
    pager.chmod(0o755)
    variables = {"PAGER": f"'{pager}' -x"}
    assert "PAGER with -x and LESS=FRX" in person("open", "WEB/many", **variables)[1]
    assert "PAGER with" in person("help", "limits", **variables)[1]
    assert "PAGER with" in person("fetch", "--help", **variables)[1]
    assert "PAGER with" not in person("open", "WEB/page", **variables)[1]
    assert "PAGER with" not in person("open", "WEB/many", lines=400, **variables)[1]
    assert "PAGER with" not in person("open", "WEB/many", "--no-pager", **variables)[1]
    assert "PAGER with" not in person("open", "WEB/many", WEBTOOL_PAGER="off", **variables)[1]


@pytest.mark.parametrize("name", ["", "cat", "no-such-pager-here", "'"])
def test_without_a_pager_the_text_is_shown_at_once(person, name):
    status, seen = person("open", "WEB/many", PAGER=name)
    assert (status, "Number 59: The harbour" in seen) == (0, True)


def test_a_pager_that_is_closed_early_is_no_error(person):
    assert person("open", "WEB/many", PAGER="head -n 1")[0] == 0


def test_webtool_alone_fits_one_screen(person, tmp_path, web):
    for columns in (80, 120):
        status, seen = person(columns=columns)
        lines = visible(seen).rstrip("\n").split("\n")
        assert (status, len(lines) <= 23, max(map(len, lines)) <= columns) == (0, True, True)


@pytest.mark.parametrize("words", [["open"], ["search"], ["cache"], ["batch"], ["doctor"], ["mcp"], ["extract"]])
def test_help_is_as_wide_as_the_terminal(person, words):
    status, seen = person(*words, "--help", columns=72, PAGER="cat")
    assert status == 0
    assert max(map(len, visible(seen).split("\n"))) <= 72


def test_help_groups_the_flags_and_lists_choices(piped):
    text = piped("open", "--help")[1]
    assert "--mode {readable,full,raw,rendered}" in text
    headings = [line for line in text.split("\n") if line.endswith(":") and line[:1] != " "]
    assert headings == [
        "Flags:", "Part of the page:", "How it is written:", "How it is fetched:", "Output:", "Examples:",
    ]  # fmt: skip


def test_search_results_are_links_on_a_terminal(person, web):
    with Providers() as providers:
        row = {"title": "High tide", "url": f"{web.url}/page", "description": WORDS * 2}
        providers.answer("brave", 200, {"web": {"results": [row]}})
        seen = person("search", "tides", columns=60, **providers.environ())[1]
        assert f"\x1b]8;;{web.url}/page\x1b\\\x1b[1mHigh tide" in seen
        assert "\x1b" not in person("search", "tides", NO_COLOR="1", **providers.environ())[1]


def test_save_asks_before_it_replaces_a_file(piped, person, tmp_path, web):
    target = tmp_path / "a.zip"
    target.write_text("mine")
    words = ("fetch", "WEB/a.bin", "--save", "a.zip")
    web.asked.clear()
    status, _, err = piped(*words)
    assert (status, "INVALID_ARGUMENT" in err, "--force" in err, target.read_text()) == (2, True, True, "mine")
    status, seen = person(*words, typed=b"n\n")
    assert (status, "a.zip exists. Replace it? [y/N]" in seen, target.read_text()) == (2, True, "mine")
    assert web.asked == []
    assert person(*words, typed=b"y\n")[0] == 0
    assert target.read_bytes() == b"PK\x03\x04"
    target.write_text("mine")
    assert piped(*words, "--force")[0] == 0
    assert target.read_bytes() == b"PK\x03\x04"


def test_cache_clear_asks(piped, person):
    def pages():
        return piped("cache", "list", "--limit", "9")[1].count(" KB ")

    for name in ("page", "many"):
        assert piped("open", f"WEB/{name}")[0] == 0
    assert pages() == 2
    status, _, err = piped("cache", "clear", "-q")
    assert (status, "--yes" in err, pages()) == (2, True, 2)
    assert person("cache", "clear", typed=b"\n")[0] == 2
    assert pages() == 2
    status, seen = person("cache", "clear", typed=b"y\n")
    assert (status, "deleted: 2 pages" in seen) == (0, True)
    assert piped("cache", "list", "--limit", "9")[1] == "the cache holds no pages\n"
    assert piped("cache", "clear", "--yes")[:2] == (0, "deleted: 0 pages\n")


def test_o_says_what_was_written(piped, tmp_path):
    status, out, err = piped("open", "WEB/page", "-o", "f.md")
    assert (status, out) == (0, "")
    assert f"webtool: wrote f.md, {(tmp_path / 'f.md').stat().st_size:,} bytes" in err
    assert "wrote" not in piped("open", "WEB/page", "-o", "f.md", "-q")[2]


def test_doctor_is_a_table(person):
    seen = person("doctor", WEBTOOL_CACHE_PATH="/", WEBTOOL_BROWSER="/nowhere")[1]
    assert "\x1b[31;1m✗" in seen
    assert "\x1b[32;1m✓" in seen
    assert "2 bad" in seen
    assert max(map(len, visible(seen).split("\n"))) <= 80


def test_batch_shows_a_bar_and_the_last_failures(person, tmp_path):
    words = ("batch", "WEB/page", "WEB/gone", "-o", "o.ndjson", "--no-respect-robots")
    status, seen = person(*words, streams=(2,))
    assert status == 7
    assert "█" * 24 in seen
    assert "1/2 opened, 1 failed" in visible(seen)
    assert "✗ HTTP_ERROR" in visible(seen)


def test_an_interrupted_batch_says_how_much_is_done_and_how_to_go_on(archive, tmp_path, web):
    urls = [f"{web.url}/page", *[f"{web.url}/late?{number}" for number in range(3)]]
    argv = [sys.executable, "-S", str(archive), "batch", "--no-respect-robots", "-o", "o.ndjson", *urls]
    process = subprocess.Popen(argv, env=environ_of(tmp_path), cwd=tmp_path, stderr=subprocess.PIPE)
    file = tmp_path / "o.ndjson"
    ends_at = time.monotonic() + 30
    while not (file.exists() and file.read_bytes().endswith(b"\n")) and time.monotonic() < ends_at:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    err = process.communicate(timeout=30)[1].decode()
    assert process.returncode == 130
    assert "interrupted: 1 of 4 opened, 0 failed. The same command goes on from there." in err


@pytest.mark.parametrize("share", [-1, 0, 0.01, 0.5, 0.999, 1, 7])
def test_the_bar_keeps_its_width(share):
    assert len(stderr.bar_of(share)) == 24


def test_numbers_are_cut_to_the_width():
    assert stderr.cut("東京東京", 5) == "東…"
    assert stderr.cut("abc\ndef", 20) == "abc def"


def test_a_block_with_fewer_lines_clears_those_below(monkeypatch):
    written = []
    monkeypatch.setattr(stderr, "write_status", written.append)
    block = stderr.Block()
    block.draw(0.5, "1 of 2", ["a failed", "b failed"])
    block.draw(1.0, "2 of 2", [])
    assert written[1].startswith("\r\x1b[2A")
    assert written[1].endswith("\x1b[J")


def test_a_text_is_long_if_it_does_not_fit_beside_the_prompt(monkeypatch):
    _, terminal = open_terminal(20, 5)
    size = os.get_terminal_size(terminal)
    monkeypatch.setattr(os, "get_terminal_size", lambda _fd: size)
    monkeypatch.delenv("COLUMNS", raising=False)
    assert not screen._is_longer(["a"] * 4)
    assert screen._is_longer(["a"] * 5)
    assert screen._is_longer(["a" * 41, "a", "a"])


def test_a_message_that_a_server_chose_brings_no_sequence(capfd):
    stderr.write("webtool: X:", " high \x1b[2J water \u202e", "always", is_error=True)
    err = capfd.readouterr().err
    assert err == "\x1b[31;1mwebtool: X:\x1b[39;22m high ␛[2J water \ufffd\n"
