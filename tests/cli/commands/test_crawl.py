"""crawl as a command: words, exit status, what is printed, killed runs."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from servers import Server, page, serving

TEXT = "has enough words to be the main content of a page, as every page of this manual has."
LINKS = "".join(f'<a href="{n}">{n}</a> ' for n in range(40))
PAGES = {
    f"/docs/{n}": page(f"<title>Page {n}</title><main><h1>Page {n}</h1><p>It {TEXT}</p></main>") for n in range(40)
}
HOME = page(f"<title>Home</title><main><h1>Home</h1><p>It {TEXT} {LINKS}</p></main>")

site = serving({"/docs/": HOME, **PAGES}, scope="function")


@pytest.fixture
def command(archive, tmp_path):
    """The words of a command line, and its environment."""
    environ = {
        **os.environ,
        "WEBTOOL_CACHE_PATH": str(tmp_path / "c.sqlite3"),
        "WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1",
    }
    return [sys.executable, "-I", "-S", str(archive), "crawl"], environ


@pytest.fixture
def crawl(command, tmp_path):
    """Run the command; (status, stdout, stderr)."""
    words, environ = command

    def run(*more):
        done = subprocess.run([*words, *more], capture_output=True, text=True, env=environ, timeout=120, cwd=tmp_path)
        return done.returncode, done.stdout, done.stderr

    return run


def test_a_site_is_saved_and_the_summary_says_how(crawl, site, tmp_path):
    status, printed, errors = crawl(f"{site.url}/docs/", "-o", "new/site")
    assert (status, printed) == (0, "")
    assert "41 saved, 0 failed" in errors
    assert "41 written" in errors
    assert (tmp_path / "new/site/index.md").read_text().startswith("# Home\n")
    status, printed, errors = crawl(f"{site.url}/docs/", "-o", "new/site", "--json", "-q")
    assert (status, errors) == (0, "")
    answer = json.loads(printed)
    names = ("success", "saved", "changed", "left", "failed")
    assert [answer[name] for name in names] == [True, 41, 0, 0, 0]


def test_the_summary_says_why_there_is_one_page(crawl, site):
    status, printed, errors = crawl(f"{site.url}/docs/3", "-o", "site", "--json")
    assert status == 0
    note = json.loads(printed)["note"]
    assert note == "the start page has no links to follow; --mode rendered runs its scripts first"
    assert errors.endswith(f"; {note}\n")


def test_what_is_left_and_what_failed_exit_7(crawl, site, tmp_path):
    status, printed, errors = crawl(f"{site.url}/docs/", "-o", "site", "--max-pages", "10", "--json")
    assert status == 7
    assert json.loads(printed)["left"] == 31
    assert "31 left, listed in manifest.ndjson: --max-pages is 10" in errors
    site.routes["/docs/9"] = (500, {}, b"")
    status, printed, _ = crawl(f"{site.url}/docs/", "-o", "other", "--exclude", "1,2,3", "--json")
    assert status == 7
    assert json.loads(printed)["failed"] == 1
    assert '"HTTP_ERROR"' in (tmp_path / "other/manifest.ndjson").read_text()
    del site.routes["/docs/9"]
    status, printed, _ = crawl(f"{site.url}/docs/", "-o", "third", "--json")
    assert (status, json.loads(printed)["missing"]) == (0, 1)


REFUSED = [
    (["URL"], "takes one URL and a folder"),
    (["-o", "x"], "takes one URL and a folder"),
    (["URL", "-o", "-"], "takes one URL and a folder"),
    (["URL", "URL", "-o", "x"], "takes one URL and a folder"),
    (["URL", "-o", "x", "--mode", "raw"], "mode"),
    (["URL", "-o", "x", "--max-pages", "0"], "max_pages"),
    (["URL", "-o", "x", "--depth", "many"], "depth"),
    (["URL", "-o", "full"], "files that webtool did not write"),
    (["URL", "-o", "x", "--include", "https://other.example/"], "outside"),
    (["ftp://h.example/", "-o", "x"], "only http and https"),
]


@pytest.mark.parametrize(("words", "message"), REFUSED)
def test_wrong_words_are_errors_before_a_request(crawl, site, tmp_path, words, message):
    (tmp_path / "full").mkdir()
    (tmp_path / "full/mine.md").write_text("mine")
    status, printed, errors = crawl(*(f"{site.url}/docs/" if word == "URL" else word for word in words))
    assert (status, printed) == (2, "")
    assert message in errors
    assert site.asked == []
    assert os.listdir(tmp_path / "full") == ["mine.md"]


def test_the_error_of_the_start_page_is_the_command_s(crawl, site):
    site.routes["/robots.txt"] = (200, "text/plain", "User-agent: *\nDisallow: /docs/")
    assert crawl(f"{site.url}/none/", "-o", "site")[0] == 5
    status, printed, _ = crawl(f"{site.url}/docs/", "-o", "site", "--json")
    assert status == 4
    assert json.loads(printed)["error_code"] == "ROBOTS_DISALLOWED"


def run_for(requests, words, environ, site, tmp_path, number):
    """Start the command and send it the signal after that many requests."""
    process = subprocess.Popen(words, env=environ, cwd=tmp_path, stderr=subprocess.PIPE)
    until = time.monotonic() + 60
    while len(site.paths()) < requests and time.monotonic() < until and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(number)
    errors = process.communicate(timeout=60)[1].decode()
    return process.returncode, errors


@pytest.mark.skipif(os.name == "nt", reason="signals as POSIX has them")
def test_a_killed_run_goes_on_and_gives_the_same_folder(command, crawl, tmp_path):
    words, environ = command

    def slow(n):
        def route(_handler):
            time.sleep(0.03)
            return PAGES[f"/docs/{n}"]

        return route

    with Server({"/docs/": HOME, **{f"/docs/{n}": slow(n) for n in range(40)}}) as site:
        address = f"{site.url}/docs/"
        assert run_for(12, [*words, address, "-o", "site"], environ, site, tmp_path, signal.SIGKILL)[0] == -9
        assert not (tmp_path / "site/index.md").exists()
        status, errors = run_for(25, [*words, address, "-o", "site"], environ, site, tmp_path, signal.SIGINT)
        assert status == 130
        assert "The same command goes on from there" in errors
        status, _, errors = crawl(address, "-o", "site")
        assert status == 0
        saved = [path for path in site.paths() if path.startswith("/docs/") and path[6:].isdigit()]
        assert len(saved) <= 40 + 4  # two pages are under way when a run is killed
        assert crawl(address, "-o", "whole")[0] == 0
    first, second = (sorted(path.name for path in (tmp_path / name).iterdir()) for name in ("site", "whole"))
    assert first == second
    assert (tmp_path / "site/index.md").read_text() == (tmp_path / "whole/index.md").read_text()
    assert not [name for name in first if name.endswith(".part")]


def test_help_names_every_flag_and_status(archive):
    text = subprocess.run(
        [sys.executable, str(archive), "crawl", "--help"], capture_output=True, text=True, timeout=60
    ).stdout
    for word in ("--max-pages", "--depth", "--include", "--exclude", "--mode", "--per-host", "duplicate", "home.md"):
        assert word in text
    assert "{{" not in text
    every = subprocess.run([sys.executable, str(archive), "help"], capture_output=True, text=True, timeout=60).stdout
    assert "crawl" in every
