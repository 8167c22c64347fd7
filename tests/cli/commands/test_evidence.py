"""cite, pack and verify as people type them: what is printed, where, and the exit status."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from servers import Server, page
from terminals import on_terminal

HTML = "<title>Tides</title><main><h1>Tides</h1><p>The harbour has \u201ctwo\u201d tides a day.</p></main>"
OTHER = "<title>Ports</title><p>Skagen has twelve berths, and\x1b[31m the ferry calls there.</p>"


@pytest.fixture(scope="module")
def site():
    no_store = (200, {"Content-Type": "text/html", "Cache-Control": "no-store"}, HTML.encode())
    with Server({"/tides": page(HTML), "/ports": page(OTHER), "/no-store": no_store}) as server:
        yield server


def environ_of(home):
    return {"PATH": os.environ["PATH"], "HOME": str(home), "WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1"}


@pytest.fixture
def environ(tmp_path):
    return environ_of(tmp_path)


def command_in(folder, archive, site, environ):
    """Return a function that runs webtool with words and stdin in a folder: (exit status, stdout, stderr)."""

    def command(*words, stdin=b"", **more):
        argv = [sys.executable, "-I", "-S", str(archive), *(word.replace("WEB", site.url) for word in words)]
        done = subprocess.run(argv, input=stdin, capture_output=True, env={**environ, **more}, timeout=120, cwd=folder)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    return command


@pytest.fixture
def run(archive, tmp_path, site, environ):
    return command_in(tmp_path, archive, site, environ)


@pytest.fixture(scope="module")
def home_with_pack(archive, site, tmp_path_factory):
    """A home folder with a cache, the two citations of c.ndjson, and evidence.warc.gz; tests get a copy."""
    folder = tmp_path_factory.mktemp("packed")
    run = command_in(folder, archive, site, environ_of(folder))
    lines = run("cite", "two\u201d tides", "WEB/tides", "--json")[1]
    lines += run("cite", "WEB/ports", "Skagen  has twelve", "--note", "claim 2", "--json")[1]
    (folder / "c.ndjson").write_text(lines)
    status, out, err = run("pack", "evidence.warc.gz", "c.ndjson")
    assert (status, out) == (0, "")
    assert "wrote evidence.warc.gz, 2 citations of 2 pages, " in err
    return folder


@pytest.fixture
def packed(home_with_pack, tmp_path):
    """The two citations of evidence.warc.gz, as JSON lines."""
    shutil.copytree(home_with_pack, tmp_path, dirs_exist_ok=True)
    return (tmp_path / "c.ndjson").read_text()


def test_a_citation_is_printed_for_a_reader_and_as_data(run, site):
    status, out, err = run("cite", 'has "two" tides', "WEB/tides", "--note", "claim 4")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[:2] == ['> has "two" tides', f"Tides, {site.url}/tides, line 3 (normalised)"]
    assert lines[4] == "Note: claim 4"
    assert all(word in out for word in ("SHA-256", "Fetched 2", "mode full, html", "webtool 0."))
    status, out, _ = run("cite", "WEB/tides", 'has "two" tides', "--json")
    data = json.loads(out)
    assert (status, data["verdict"], data["body_sha256"] in " ".join(lines)) == (0, "normalised", True)
    assert run("cite", "has two tides", data["hash"], "--json")[0] == 1
    assert json.loads(run("cite", "harbour", data["hash"][:12], "--json")[1])["hash"] == data["hash"]


def test_an_absent_quote_exits_one_and_shows_the_nearest_passage(run):
    status, out, err = run("cite", "has nine tides a day", "WEB/tides")
    assert (status, out) == (1, "")
    assert "absent: " in err
    assert "two\u201d tides a day" in err
    status, out, _ = run("cite", "has nine tides a day", "WEB/tides", "--json")
    assert (status, json.loads(out)["success"], json.loads(out)["verdict"]) == (1, False, "absent")


WRONG = [
    (["cite"], "takes a quote and a page, and got 0 words"),
    (["cite", "one"], "got 1 word"),
    (["cite", "one", "two", "three"], "got 3 words"),
    (["cite", "a quote", "WEB/tides", "--note", "n" * 3000], "the note has 3,000 characters"),
    (["cite", "...", "WEB/tides"], "has no words"),
    (["cite", "a quote", "./c.ndjson"], "./c.ndjson is a file"),
    (["cite", "a quote", "WEB/tides", "--mode", "rendered"], "text of mode rendered cannot be cited"),
    (["pack"], "needs the name of an archive"),
    (["pack", "c.ndjson"], "c.ndjson is not a name for an archive"),
    (["pack", "new.warc.gz", "missing.json"], "missing.json cannot be read"),
    (["pack", "new.warc.gz", "evidence.warc.gz"], "is not JSON"),
    (["pack", "evidence.warc.gz", "c.ndjson"], "exists and was not changed"),
    (["pack", "no/where/new.warc.gz", "c.ndjson"], "cannot be written"),
    (["pack", "new.warc.gz", "-"], "the input has no citation"),
    (["verify", "missing.warc.gz"], "missing.warc.gz cannot be read"),
    (["verify", "c.ndjson"], "UNSUPPORTED_CONTENT: This is not a WARC file"),
]


@pytest.mark.parametrize(("words", "named"), WRONG)
def test_a_wrong_word_is_named_and_the_hint_says_what_to_do(run, packed, tmp_path, words, named):
    before = (tmp_path / "evidence.warc.gz").read_bytes()
    status, out, err = run(*words)
    assert (status, out) == (1 if "rendered" in words or "UNSUPPORTED" in named else 2, "")
    assert named in err.splitlines()[0]
    assert len(err.splitlines()[1].split()) > 3
    assert (tmp_path / "evidence.warc.gz").read_bytes() == before
    assert not [name for name in os.listdir(tmp_path) if name.endswith(".part") or name.startswith("new")]


def test_citations_come_from_files_stdin_and_answers_and_an_equal_pack_has_equal_bytes(run, packed, tmp_path):
    first = (tmp_path / "evidence.warc.gz").read_bytes()
    listed = "[" + packed.replace("\n", ",").rstrip(",") + "]"
    for words, stdin in (([], packed), (["-"], listed), (["c.ndjson", "-"], packed)):
        assert run("pack", "two.warc.gz", *words, "--force", "-q", stdin=stdin.encode()) == (0, "", "")
        assert (tmp_path / "two.warc.gz").read_bytes() == first
    answer = run(
        "fetch", stdin=json.dumps({"url": json.loads(packed.splitlines()[0])["url"], "verify": "tides"}).encode()
    )
    assert run("pack", "three.warc.gz", stdin=answer[1].encode())[0] == 0
    assert run("verify", "three.warc.gz")[0] == 0


def test_an_archive_is_verified_without_network_and_cache(run, packed, site, tmp_path):
    asked = len(site.asked)
    offline = {"WEBTOOL_CACHE": "off", "HOME": str(tmp_path / "elsewhere")}
    status, out, err = run("verify", "evidence.warc.gz", **offline)
    assert (status, err, len(site.asked)) == (0, "", asked)
    assert out == (
        f"ok   verbatim, line 3: 'two\u201d tides' {site.url}/tides\n"
        f"ok   normalised, line 1: 'Skagen has twelve' {site.url}/ports\n"
        "2 citations of 2 pages: 1 verbatim, 1 normalised; 0 failed\n"
    )
    status, out, _ = run("verify", "evidence.warc.gz", "--json", **offline)
    data = json.loads(out)
    assert (status, data["success"], data["pages"], data["problems"]) == (0, True, 2, [])
    assert [row["verdict"] for row in data["citations"]] == ["verbatim", "normalised"]
    assert data["citations"][1]["note"] == "claim 2"


def test_what_fails_is_named_and_exits_one(run, packed, tmp_path):
    forged = packed.replace("two\u201d tides", "ten tides a day").replace('"webtool": "0.', '"webtool": "9.')
    assert run("pack", "forged.warc.gz", stdin=forged.encode())[0] == 0
    status, out, _ = run("verify", "forged.warc.gz")
    assert status == 1
    assert "FAIL absent: 'ten tides a day'" in out
    assert "nearest, line 3: The harbour has" in out
    assert "made this citation" in out
    assert out.endswith("1 absent, 1 normalised; 1 failed\n")
    assert run("verify", "forged.warc.gz", "--json")[0] == 1
    data = (tmp_path / "evidence.warc.gz").read_bytes()
    (tmp_path / "cut.warc.gz").write_bytes(data[:-40])
    status, out, _ = run("verify", "cut.warc.gz")
    assert status == 1
    assert "FAIL missing body: 'Skagen" in out
    assert "FAIL the archive is damaged or cut off" in out


def test_a_page_that_is_not_in_the_cache_any_more_cannot_be_packed(run, packed, site, tmp_path):
    status, out, err = run("cite", "The harbour", "WEB/no-store", "--json")
    assert (status, "webtool pack will not find this page: its server forbids to store it" in err) == (0, True)
    status, _, err = run("pack", "x.warc.gz", stdin=out.encode())
    assert status == 1
    assert f"CACHE_MISS: the cited body of {site.url}/no-store" in err
    assert f"webtool cite QUOTE {site.url}/no-store" in err
    assert not (tmp_path / "x.warc.gz").exists()
    status, _, err = run("pack", "x.warc.gz", "c.ndjson", WEBTOOL_CACHE="off")
    assert (status, "CACHE_ERROR" in err) == (1, True)


def test_a_folder_with_one_word_is_no_quote_without_page(run):
    assert "quote is required" in run("verify", "WEB/tides")[2]
    assert "page is required" in run("verify", "words")[2]
    assert run("verify", "two\u201d tides", "WEB/tides")[0] == 0


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
def test_control_characters_of_an_archive_do_not_reach_the_terminal(archive, packed, environ, tmp_path):
    forged = json.loads(packed.splitlines()[1])
    forged = {**forged, "quote": "\x1b[2J nine berths", "webtool": "\x1b]0;x\x07"}
    argv = [sys.executable, str(archive), "pack", "t.warc.gz", "-"]
    subprocess.run(argv, input=json.dumps(forged).encode(), env=environ, cwd=tmp_path, check=True, capture_output=True)
    status, seen = on_terminal(
        [sys.executable, str(archive), "verify", "t.warc.gz"], environ=environ, cwd=str(tmp_path)
    )
    assert status == 1
    assert "\x1b[2J" not in seen
    assert "\x1b[31m" not in seen
    assert "nine berths" in seen


def test_help_names_the_commands(run):
    for command in ("cite", "pack"):
        assert run(command, "--help")[1].startswith(f"Usage: webtool {command} ")
    assert "webtool verify evidence.warc.gz" in run("verify", "--help")[1]
    assert "cite" in run("completion", "bash")[1]
