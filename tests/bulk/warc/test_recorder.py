"""--warc FILE writes archives that other programs can read: warcio reads them and checks the digests."""

import base64
import gzip
import hashlib
import io
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from bulk.warcs import members, page
from servers import Server

from webtool.bulk.warc import records

pytestmark = pytest.mark.peers("warcio")
warcio_check = pytest.importorskip("warcio.checker", reason="needs warcio")
from warcio.archiveiterator import ArchiveIterator  # noqa: E402

HTML = b"<title>T</title><h1>Head</h1><p>Words of a page.</p>"


def chunked(handler):
    handler.wfile.write(
        b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
        b"Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n"
    )
    body = gzip.compress(HTML)
    handler.wfile.write(b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body))


# What a server sends, and what of it is a secret: all values have "hunter2".
SECRET_FIELDS = (
    b"Set-Cookie: sid=hunter2; Path=/\r\nset-cookie: b=hunter2\r\nX-Auth-Token: hunter2\r\nX-CSRF-Token:hunter2\r\n"
    b"X-Amz-Security-Token: a\r\n  hunter2\r\nX-Api-Key: hunter2\r\nAuthorization: Bearer hunter2\r\n"
    b"Content-Location: /page?Signature=hunter2&x=1\r\nLink: </next?access_token=hunter2>; rel=next\r\n"
    b"Refresh: 9; url=/page?code=hunter2\r\n"
)
KEPT_FIELDS = b'ETag: "session"\r\nX-Request-Id: token\r\nAccess-Control-Allow-Credentials: true\r\n'
SECRET_QUERY = "token access_token sig signature X-Amz-Signature key code api_key".split()


def secretive(handler):
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + SECRET_FIELDS + KEPT_FIELDS
    handler.wfile.write(head + b"Content-Length: %d\r\n\r\n" % len(HTML) + HTML)


def with_bare_line_feeds(handler):
    handler.wfile.write(b"HTTP/1.1  103 Early\n\nHTTP/1.1 200 OK\nContent-Type: text/html\nX-Token: hunter2\n\n" + HTML)


@pytest.fixture
def site():
    routes = {
        "/secret": secretive,
        "/bare": with_bare_line_feeds,
        "/page": (200, {"Content-Type": "text/html", "Set-Cookie": "a=b"}, HTML),
        "/moved": (302, {"Location": "/page?x=1"}, b"gone"),
        "/chunked": chunked,
        "/none": (404, {"Content-Type": "text/html"}, b"<p>no"),
        "/large": (200, {"Content-Encoding": "gzip"}, gzip.compress(b"x" * 50_000)),
    }
    with Server(routes) as server:
        yield server


@pytest.fixture
def webtool(archive, tmp_path, site):
    """Return a function that runs a command in its own folder."""
    hosts = tmp_path / "hosts.json"
    hosts.write_text(
        json.dumps({"http://127.0.0.1": {"headers": {"X-Team": "t0ps3cret"}, "cookies": {"session": "t0ps3cret"}}})
    )

    def run(*words, **environ):
        environ = {
            **os.environ,
            "WEBTOOL_CACHE_PATH": str(tmp_path / "c.sqlite3"),
            "WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1",
            "WEBTOOL_HOSTS_FILE": str(hosts),
            **environ,
        }
        command = [sys.executable, "-I", "-S", str(archive), *words]
        done = subprocess.run(command, capture_output=True, text=True, env=environ, timeout=60, cwd=tmp_path)
        assert "Traceback" not in done.stderr
        return done

    return run


def read_by_warcio(path):
    """Return (type, path of the URL, status, body) of each record."""
    rows = []
    with open(path, "rb") as file:
        for one in ArchiveIterator(file):
            url = one.rec_headers.get_header("WARC-Target-URI") or ""
            status = one.http_headers.get_statuscode() if one.rec_type == "response" else ""
            body = one.content_stream().read() if one.rec_type == "response" else b""
            rows.append((one.rec_type, url.partition("/")[2].partition("/")[2].partition("/")[2], status, body))
    return rows


@pytest.mark.parametrize("name", ["out.warc.gz", "out.warc"])
def test_the_bytes_of_an_exchange_are_recorded(webtool, site, tmp_path, name, capsys):
    assert webtool("fetch", f"{site.url}/moved", "--warc", name).returncode == 0
    assert webtool("batch", f"{site.url}/chunked", f"{site.url}/none", "-q", "--warc", name).returncode == 7
    path = tmp_path / name
    rows = read_by_warcio(path)
    assert [one[0] for one in rows] == ["warcinfo"] + ["response", "request"] * 5
    answers = {one[1]: one[2:] for one in rows if one[0] == "response"}
    assert answers["moved"] == ("302", b"gone")
    assert answers["page?x=1"] == ("200", HTML)
    assert answers["chunked"] == ("200", HTML)
    assert answers["none"] == ("404", b"<p>no")
    assert answers["robots.txt"][0] == "404"
    check_digests(path, capsys)
    with open(path, "rb") as file:
        ours = {
            one.url.partition("127.0.0.1")[2].partition("/")[2]: one for one in records(file) if one.type == "response"
        }
    assert ours["chunked"].response().body == HTML
    assert b"103 Early Hints" not in ours["chunked"].content
    assert b"t0ps3cret" not in gzip.decompress(path.read_bytes()) if name.endswith("gz") else path.read_bytes()
    assert next(fields for path, fields in site.asked if path != "/robots.txt")["X-Team"] == "t0ps3cret"


def check_digests(path, capsys):
    """Fail unless warcio finds every digest right."""
    checker = warcio_check.Checker(type("Options", (), {"inputs": [str(path)], "verbose": True})())
    checker.process_one(str(path))
    assert checker.exit_value == 0
    assert "digest failed" not in capsys.readouterr().out


def test_secrets_are_blanked_and_the_digests_are_right(webtool, site, tmp_path, capsys):
    query = "&".join(f"{name}=hunter2" for name in SECRET_QUERY)
    assert webtool("fetch", f"{site.url}/secret?q=cats&{query}", "--warc", "a.warc").returncode == 0
    written = (tmp_path / "a.warc").read_bytes()
    assert b"hunter2" not in written
    assert KEPT_FIELDS in written
    assert f"GET /secret?q=cats&{'&'.join(name + '=***' for name in SECRET_QUERY)} HTTP/1.1".encode() in written
    assert b"\r\nX-Amz-Security-Token: ***\r\n ***\r\nX-Api-Key: ***\r\n" in written
    assert [asked for asked, _ in site.asked if "token=hunter2" in asked]  # the server got what was asked for
    check_digests(tmp_path / "a.warc", capsys)


def test_secrets_are_kept_on_request(webtool, site, tmp_path, capsys):
    words = ("--warc", "a.warc", "--warc-secrets", "keep")
    assert webtool("fetch", f"{site.url}/secret?token=hunter2", *words).returncode == 0
    written = (tmp_path / "a.warc").read_bytes()
    assert SECRET_FIELDS + KEPT_FIELDS in written
    assert b"/secret?token=hunter2\r\n" in written
    assert b"X-Team: t0ps3cret" in written
    check_digests(tmp_path / "a.warc", capsys)


def test_a_head_with_bare_line_feeds_ends_where_the_body_begins(webtool, site, tmp_path, capsys):
    assert webtool("fetch", f"{site.url}/bare", "--warc", "a.warc").returncode == 0
    digest = b"sha1:" + base64.b32encode(hashlib.sha1(HTML).digest())
    written = (tmp_path / "a.warc").read_bytes()
    assert b"WARC-Payload-Digest: " + digest in written
    assert b"X-Token: ***\n\n" + HTML in written
    assert b" 103 " not in written
    check_digests(tmp_path / "a.warc", capsys)
    assert ("response", "bare", "200", HTML) in read_by_warcio(tmp_path / "a.warc")


def test_a_cached_page_is_fetched_again_for_the_archive(webtool, site, tmp_path):
    webtool("fetch", f"{site.url}/page")
    assert webtool("fetch", f"{site.url}/page", "--warc", "a.warc.gz").returncode == 0
    assert ("response", "page", "200", HTML) in read_by_warcio(tmp_path / "a.warc.gz")


def test_a_response_that_is_too_large_is_marked_truncated(webtool, site, tmp_path):
    assert webtool("fetch", f"{site.url}/large", "--max-bytes", "9000", "--warc", "a.warc").returncode == 1
    with open(tmp_path / "a.warc", "rb") as file:
        marks = [one.headers.get("WARC-Truncated") for one in records(file) if one.url.endswith("/large")]
    assert marks == ["length", None]


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_an_incomplete_record_of_a_killed_run_is_cut_off(webtool, site, tmp_path, name):
    whole = page(1) + page(2) if name == "a.warc" else members(page(1), page(2))
    third = page(3) if name == "a.warc" else members(page(3))
    (tmp_path / name).write_bytes(whole + third[: len(third) // 2])
    assert webtool("fetch", f"{site.url}/page", "--warc", name).returncode == 0
    assert (tmp_path / name).read_bytes().startswith(whole)
    assert [one[1] for one in read_by_warcio(tmp_path / name)][:2] == ["1", "2"]
    assert ("response", "page", "200", HTML) in read_by_warcio(tmp_path / name)


def test_a_record_that_another_process_is_writing_is_not_cut_off(webtool, site, tmp_path):
    third = page(3)
    writing = "import sys, time, webtool.output as o; fd = o.open_to_append(sys.argv[1]); o.lock(fd); "
    writing += "o.write_all(fd, sys.stdin.buffer.read(100)); print(flush=True); time.sleep(1.5); "
    writing += "o.write_all(fd, sys.stdin.buffer.read()); o.unlock(fd)"
    (tmp_path / "a.warc").write_bytes(page(1))
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", writing, str(tmp_path / "a.warc")], **pipes) as other:
        other.stdin.write(third)
        other.stdin.close()
        other.stdout.readline()  # half of it is there
        assert webtool("fetch", f"{site.url}/page", "--warc", "a.warc").returncode == 0
    assert (tmp_path / "a.warc").read_bytes().startswith(page(1) + third)
    assert ("response", "page", "200", HTML) in read_by_warcio(tmp_path / "a.warc")


def test_many_processes_write_one_file(webtool, site, tmp_path):
    with ThreadPoolExecutor(6) as pool:
        done = list(pool.map(lambda at: webtool("fetch", f"{site.url}/page?{at}", "--warc", "a.warc.gz"), range(12)))
    assert [one.returncode for one in done] == [0] * 12
    kept = [one[1] for one in read_by_warcio(tmp_path / "a.warc.gz") if one[3] == HTML]
    assert sorted(kept) == sorted(f"page?{at}" for at in range(12))


@pytest.mark.parametrize("content", [b"My thesis\n", gzip.compress(b"My thesis"), b"WARC/1.0\r\nnothing"])
def test_a_file_of_another_kind_is_not_changed(webtool, site, tmp_path, content):
    for name in ("mine", "mine.gz"):
        (tmp_path / name).write_bytes(content)
        done = webtool("fetch", f"{site.url}/page", "--warc", name)
        assert done.returncode == 2
        assert "it was not changed" in done.stderr
        assert (tmp_path / name).read_bytes() == content
    assert webtool("fetch", f"{site.url}/page", "--warc", "no/such/folder/x").returncode == 2


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read every file")
def test_a_file_that_cannot_be_read_is_not_continued(webtool, site, tmp_path):
    (tmp_path / "a.warc").write_bytes(page(1))
    (tmp_path / "a.warc").chmod(0o200)
    done = webtool("fetch", f"{site.url}/page", "--warc", "a.warc")
    assert (done.returncode, "a.warc cannot be written" in done.stderr) == (2, True)


def test_a_name_that_contradicts_the_compression_is_refused(webtool, site, tmp_path):
    (tmp_path / "a.warc.gz").write_bytes(page(1))
    done = webtool("fetch", f"{site.url}/page", "--warc", "a.warc.gz")
    assert (done.returncode, "not compressed, which contradicts its name" in done.stderr) == (2, True)


def test_hand_made_records_are_readable_by_warcio():
    """Checks the test data: another program reads the hand-made records too."""
    kinds = [one.rec_type for one in ArchiveIterator(io.BytesIO(members(page(1), page(2))))]
    assert kinds == ["response", "response"]


def test_recording_rendered_pages_is_refused(webtool, site, tmp_path):
    done = webtool("open", f"{site.url}/page", "--mode", "rendered", "--warc", "a.warc", WEBTOOL_RENDER="1")
    assert (done.returncode, "not kept in a WARC file" in done.stderr) == (2, True)
