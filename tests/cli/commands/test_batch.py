"""batch as a command: NDJSON in order, resumed where it broke off."""

import json
import os
import pathlib
import re
import subprocess
import sys
import time

import pytest
from servers import Server, serving
from terminals import open_terminal

from webtool.cli.rows import Progress, Sink

ROOT = str(pathlib.Path(__file__).resolve().parents[3])


def text(body):
    return 200, {"Content-Type": "text/plain"}, body


site = serving({f"/{n}": text(b"page %d\n" % n) for n in range(8)}, scope="function")


@pytest.fixture
def batch(archive, tmp_path):
    """Run the command; (status, lines of stdout as objects, stderr)."""

    def run(*words, stdin="", environ=None):
        environ = {
            **os.environ,
            "WEBTOOL_CACHE_PATH": str(tmp_path / "c.sqlite3"),
            "WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1",
            **(environ or {}),
        }
        command = [sys.executable, "-I", "-S", str(archive), "batch", *words]
        done = subprocess.run(
            command, input=stdin, capture_output=True, text=True, env=environ, timeout=60, cwd=tmp_path
        )
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr

    return run


def test_every_url_gets_a_line_in_order(batch, site):
    lines = [f"{site.url}/{n}" for n in range(8)]
    listed = (
        "\ufeff# pages\n\n" + "\n".join([*lines[:3], f"  {site.url}/none  ", "ftp://x/", *lines[3:], lines[0]]) + "\r\n"
    )
    status, rows, errors = batch("-", "--mode", "raw", "--concurrency", "8", stdin=listed)
    assert status == 7
    assert [entry["input"] for entry in rows] == [*lines[:3], f"{site.url}/none", "ftp://x/", *lines[3:]]
    assert [entry["success"] for entry in rows] == [True] * 3 + [False] * 2 + [True] * 5
    assert rows[0]["raw"] == "page 0\n"
    assert rows[3]["error_code"] == "HTTP_ERROR"
    assert errors == ""


def test_lines_without_a_scheme_are_https(batch, site):
    lines = [f"127.0.0.1:{site.port}/1", f"//127.0.0.1:{site.port}/2?at=http://x/", "/nowhere"]
    status, rows, _ = batch("-", "--mode=raw", stdin="\n".join(lines))
    assert status == 7
    assert [entry["input"] for entry in rows] == lines
    assert [entry["error_code"] for entry in rows] == ["NETWORK_ERROR"] * 2 + ["INVALID_URL"]


def test_all_opened_is_success_and_urls_may_be_words(batch, site):
    status, rows, _ = batch(f"{site.url}/1", f"{site.url}/2", "--mode=raw")
    assert status == 0
    assert [entry["raw"] for entry in rows] == ["page 1\n", "page 2\n"]


def test_header_fields_are_sent_with_every_page_and_nothing_is_cached(batch, site):
    for key in ("one", "two"):
        status, rows, _ = batch(
            f"{site.url}/1", f"{site.url}/2", "--mode=raw", "-H", f"X-Key: {key}", "-H", "X-More: m"
        )
        assert (status, len(rows)) == (0, 2)
    sent = [fields for path, fields in site.asked if path in ("/1", "/2")]
    assert [(one["X-Key"], one["X-More"]) for one in sent] == [("one", "m")] * 2 + [("two", "m")] * 2
    assert batch(f"{site.url}/1", "--mode=rendered", "-H", "X-Key: one")[0] == 2


def test_an_interrupted_run_is_resumed(batch, site, tmp_path):
    (tmp_path / "list").write_text("".join(f"{site.url}/{n}\n" for n in range(6)))
    out = tmp_path / "out.ndjson"
    first = [
        {"input": f"{site.url}/0", "success": True, "raw": "from before"},
        {"input": f"{site.url}/1", "success": False, "error_code": "FETCH_TIMEOUT", "retryable": True},
        {"input": f"{site.url}/2", "success": False, "error_code": "UNSUPPORTED_CONTENT", "retryable": False},
    ]
    out.write_text(
        "".join(json.dumps(entry) + "\n" for entry in first)
        + '{"input": half a line\n'
        + '{"input": "'
        + site.url
        + '/3", "suc'
    )
    status, printed, _ = batch("list", "-o", "out.ndjson", "--mode", "raw")
    assert (status, printed) == (7, [])  # as one page failed for good in the first run
    lines = out.read_text().splitlines()
    assert [json.loads(line) for line in lines[:3]] == first
    assert [json.loads(line)["input"] for line in lines[4:]] == [f"{site.url}/{n}" for n in (1, 3, 4, 5)]
    before = len(site.paths())
    assert batch("list", "-o", "out.ndjson", "--mode", "raw")[0] == 7
    assert len(site.paths()) == before


def test_the_last_line_of_an_input_counts(tmp_path):
    out = tmp_path / "out.ndjson"
    failed = {"input": "a", "success": False, "error_code": "UNSUPPORTED_CONTENT", "retryable": False}
    lines = [failed, {"input": "a", "success": True}, {"input": "b", "success": True}, {**failed, "input": "b"}]
    out.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with Sink(str(out)) as sink:
        assert (sink.held, sink.failed) == ({"a", "b"}, {"b"})


@pytest.mark.parametrize("code", [[], {}, None, 1])
def test_a_line_with_an_error_code_of_any_type_is_read(tmp_path, code):
    out = tmp_path / "out.ndjson"
    out.write_text(json.dumps({"input": "a", "success": False, "error_code": code}) + "\n")
    with Sink(str(out)) as sink:
        assert sink.held == {"a"}


def test_the_time_left_is_that_of_the_work_that_an_earlier_run_left(monkeypatch):
    share = 0.8
    progress = Progress(0, 0, "-", is_quiet=True, share=lambda: share)
    begun = progress._begun
    progress.count({"success": True})
    assert "left" not in progress._line(begun + 10)  # no opened page gives a pace yet
    share = 0.9
    assert progress._line(begun + 10).endswith(", 10.0 s left")
    share = 1.0
    assert "left" not in progress._line(begun + 10)


def test_two_runs_cannot_write_one_file(batch, tmp_path):
    path = tmp_path / "o.ndjson"
    seen = []

    def meanwhile(handler):
        seen.append(batch(f"{server.url}/2", "-o", str(path), "--mode=raw"))
        return text(b"slow")

    with Server({"/1": meanwhile, "/2": text(b"other")}) as server:
        assert batch(f"{server.url}/1", "-o", str(path), "--mode=raw")[0] == 0
        (status, rows, errors), *_ = seen
        assert (status, rows) == (2, [])
        assert "is being written by another run" in errors
        assert batch(f"{server.url}/2", "-o", str(path), "--mode=raw")[0] == 0
    assert [json.loads(line)["raw"] for line in path.read_text().splitlines()] == ["slow", "other"]
    assert batch("ftp://x/", "-o", os.devnull)[0] == 7


@pytest.mark.parametrize(
    "words",
    [
        ["no-such-file"],
        ["-", "--concurrency", "0"],
        ["-", "--concurrency", "65"],
        ["-", "--fly"],
        ["-", "-o", "/no/such/folder/x"],
    ],
)
def test_wrong_words_are_errors(batch, words):
    status, rows, errors = batch(*words, stdin="https://e.example/\n")
    assert status == 2
    assert rows == []
    assert "INVALID_ARGUMENT" in errors


def test_an_empty_list_succeeds(batch):
    assert batch("-", stdin="# nothing\n") == (0, [], "")


@pytest.mark.skipif(os.name == "nt", reason="terminals as POSIX has them")
def test_progress_is_shown_on_a_terminal_unless_the_rows_go_there(archive, site, tmp_path):
    def errors_of(*words, on_both=False):
        """The text that a person sees on stderr."""
        person, terminal = open_terminal()
        environ = {**os.environ, "WEBTOOL_CACHE": "off", "WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1"}
        command = [sys.executable, "-I", "-S", str(archive), "batch", "--mode=raw", *words]
        out = terminal if on_both else subprocess.DEVNULL
        subprocess.run(command, stdout=out, stderr=terminal, env=environ, timeout=60)
        os.close(terminal)
        seen = b""
        try:
            while chunk := os.read(person, 65536):
                seen += chunk
        except OSError:  # how Linux says that nobody has the terminal open any more
            pass
        os.close(person)
        return seen.decode()

    urls = [f"{site.url}/1", f"{site.url}/2"]
    file = str(tmp_path / "o.ndjson")
    assert "1/2 opened, 0 failed" in errors_of(*urls)
    assert "opened" not in errors_of(*urls, on_both=True)
    assert "2/2 opened, 0 failed" in errors_of(*urls, "-o", file)
    assert "nothing left to open: all 2 are in the file already" in errors_of(*urls, "-o", file)
    assert errors_of(*urls, "-o", file, "--quiet") == ""


def test_a_page_that_blocks_the_parser_ends_at_its_deadline(batch, tmp_path, monkeypatch):
    cell = "<td><b><a href='/x?q=1&amp;r=2'>link <i>text</i></a></b> words and <code>code</code> &amp; more</td>"
    heavy = ("<table>" + ("<tr>" + cell * 8 + "</tr>") * 6000 + "</table>").encode()
    html = {"Content-Type": "text/html"}
    monkeypatch.setenv("WEBTOOL_DEADLINE", "1.5")
    with Server({"/heavy": (200, html, heavy), "/light": (200, html, b"<p>Some words to read.</p>")}) as server:
        began = time.monotonic()
        status, rows, errors = batch(f"{server.url}/heavy", f"{server.url}/light", "--concurrency", "2")
    assert time.monotonic() - began < 8
    assert status == 7
    assert [entry.get("error_code") for entry in rows] == ["FETCH_TIMEOUT", None]
    assert "Some words" in rows[1]["markdown"]
    assert errors == ""


def test_a_crawl_delay_does_not_hold_up_other_hosts(batch, tmp_path):
    times = []

    def noted(handler):
        times.append(time.monotonic())
        return text(b"slow")

    robots = text(b"User-agent: *\nCrawl-delay: 1\nDisallow: /private\n")
    with Server({"/robots.txt": robots, "*": noted}) as slow, Server({"*": text(b"fast")}) as fast:
        other = fast.url.replace("127.0.0.1", "localhost")
        urls = [f"{slow.url}/{n}" for n in range(3)] + [f"{other}/{n}" for n in range(6)]
        environ = {"WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1,localhost"}
        status, rows, _ = batch("-", "--mode=raw", stdin="\n".join(urls), environ=environ)
    assert status == 0
    assert [entry["input"] for entry in rows] == urls
    gaps = [later - earlier for earlier, later in zip(times, times[1:])]
    assert len(gaps) == 2
    assert all(gap >= 0.95 for gap in gaps)
    assert fast.asked_at[-1] < times[1]


ASKS_FOR_AN_HOUR = text(b"User-agent: *\nCrawl-delay: 3600\n")


def test_a_host_that_asks_for_an_hour_is_not_waited_for(batch, tmp_path):
    with Server({"/robots.txt": ASKS_FOR_AN_HOUR, "*": text(b"page")}) as server:
        urls = [f"{server.url}/{n}" for n in range(3)]
        status, _, errors = batch(*urls, "--mode=raw", "-o", "o.ndjson")
        lines = [json.loads(line) for line in (tmp_path / "o.ndjson").read_text().splitlines()]
        assert status == 7
        assert [row.get("error_code") for row in lines] == [None, "RATE_LIMITED", "RATE_LIMITED"]
        assert [row["retry_after"] for row in lines[1:]] == [3600, 3600]
        assert all("--max-wait" in row["hint"] and row["retryable"] for row in lines[1:])
        assert "RATE_LIMITED 2" in errors
        # A later run asks for one more page, as the failures may succeed then.
        batch(*urls, "--mode=raw", "-o", "o.ndjson")
        assert [path for path in server.paths() if path != "/robots.txt"] == ["/0", "/1"]


@pytest.mark.parametrize("retry", [(), ("--retry", "3")])
def test_a_host_that_is_busy_for_hours_is_not_waited_for(batch, retry):
    busy = (429, {"Retry-After": "7200"}, b"")
    with Server({"/busy": busy, "*": text(b"page")}) as server:
        status, rows, _ = batch(f"{server.url}/busy", f"{server.url}/1", "--mode=raw", "--per-host=1", *retry)
    assert status == 7
    assert [row["error_code"] for row in rows] == ["HTTP_ERROR", "RATE_LIMITED"]
    assert [row["retry_after"] for row in rows] == [7200, 7200]


def test_a_wait_is_shown_with_host_and_seconds_and_max_wait_bounds_it(batch):
    robots = text(b"User-agent: *\nCrawl-delay: 6\n")
    with Server({"/robots.txt": robots, "*": text(b"page")}) as server:
        urls = [f"{server.url}/{n}" for n in range(2)]
        status, _, errors = batch(*urls, "--mode=raw")
        assert status == 0
        assert re.search(r"^webtool: waiting \d\.\d s for 127\.0\.0\.1, which asks for a pause", errors)
        assert len(errors.splitlines()) == 1
        others = [f"{server.url}/{n}" for n in range(2, 4)]
        status, rows, errors = batch(*others, "--mode=raw", "--max-wait", "5")
        assert (status, rows[1]["error_code"], errors) == (7, "RATE_LIMITED", "")
        assert batch(*urls, "--max-wait", "-1")[0] == 2


def test_pages_that_failed_by_a_bug_are_opened_again_in_the_next_run(batch, site, tmp_path):
    codes = ["INTERNAL_ERROR", "NETWORK_ERROR", "HTTP_ERROR", "CANCELLED"]
    rows = [
        {"input": f"{site.url}/{n}", "success": False, "error_code": code, "retryable": code == "NETWORK_ERROR"}
        for n, code in enumerate(codes)
    ]
    (tmp_path / "o.ndjson").write_text("".join(json.dumps(row) + "\n" for row in rows))
    status, _, errors = batch(*(f"{site.url}/{n}" for n in range(5)), "-o", "o.ndjson", "--mode=raw")
    assert status == 7  # the failures that another try would not mend
    assert sorted(site.paths()) == ["/0", "/1", "/3", "/4"]
    assert "webtool: 4 opened, 0 failed in " in errors


def test_failures_of_an_earlier_run_count(batch, site):
    good, bad = [f"{site.url}/{number}" for number in (1, 2)], [f"{site.url}/none", f"{site.url}/missing"]
    assert batch(*good, *bad, "-o", "o.ndjson")[0] == 7
    status, _, errors = batch(*good, *bad, "-o", "o.ndjson")
    assert (status, "0 opened, 0 failed in " in errors) == (7, True)
    assert errors.rstrip().endswith("; 4 done before, 2 of them failed")
    status, _, errors = batch(*good, f"{site.url}/3", "-o", "o.ndjson")
    assert (status, errors.rstrip().endswith("; 2 done before")) == (0, True)
    assert batch(bad[0], "-o", "o.ndjson", "--quiet")[0] == 7


def test_failures_are_counted_by_code_and_tried_again(batch, tmp_path):
    asked = []

    def busy(handler):
        asked.append(handler.path)
        return (503, {"Retry-After": "0"}, b"") if len(asked) < 4 else text(b"fine")

    with Server({"/busy": busy, "/fine": text(b"x")}) as server:
        urls = [f"{server.url}/{name}" for name in ("busy", "fine", "none", "missing")]
        status, _, errors = batch(*urls, "ftp://x/", "-o", "o.ndjson", "--mode=raw", "--retry", "2")
        assert status == 7
        assert "webtool: 2 opened, 3 failed (HTTP_ERROR 2, INVALID_URL 1) in " in errors
        assert batch(*urls, "-o", "p.ndjson", "--mode=raw", "-q")[2] == ""


@pytest.mark.parametrize(
    "content",
    [
        b"precious words without a line end",
        b"http://127.0.0.1/1\nhttp://127.0.0.1/2",
        b'{"input": "http://127.0.0.1/1", "success": true}\nmy own notes, not to be lost',
        b'{"input": "http://127.0.0.1/1", "success": true}\n{"other": 1}\n{"input": "half',
        b"\x00\xff\xfe binary",
    ],
)
def test_a_file_with_other_lines_is_not_changed(batch, site, tmp_path, content):
    path = tmp_path / "precious.txt"
    path.write_bytes(content)
    for listed in (f"{site.url}/1", str(path)):
        status, rows, errors = batch(listed, "--mode", "raw", "-o", str(path))
        assert (status, rows) == (2, [])
        assert "nothing was changed" in errors
        assert path.read_bytes() == content


@pytest.mark.skipif(os.name == "nt", reason="ulimit as POSIX has it")
def test_pages_that_failed_without_descriptors_are_opened_in_the_next_run(archive, tmp_path):
    def slow(handler):
        time.sleep(0.1)
        return text(b"fine")

    with Server({"*": slow}) as server:
        urls = [f"http://{host}:{server.port}/{n}" for n in range(20) for host in ("127.0.0.1", "localhost")]
        (tmp_path / "urls").write_text("\n".join(urls))
        command = f"{sys.executable} -I -S {archive} batch urls -o o.ndjson --mode=raw --concurrency 16 --per-host 8 -q"
        environ = {**os.environ, "WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1,localhost", "WEBTOOL_CACHE": "off"}
        for limit, expected in ((14, 7), (4000, 0)):
            shell = ["sh", "-c", f"ulimit -n {limit}; exec {command}"]
            assert subprocess.run(shell, cwd=tmp_path, env=environ, timeout=60).returncode == expected
    rows = [json.loads(line) for line in (tmp_path / "o.ndjson").read_text().splitlines()]
    assert any(not row["success"] for row in rows)
    assert {row["input"] for row in rows if row["success"]} == set(urls)
