"""extract for many pages: what is taken for what, the filters, a run taken up again, files that are not ours."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time

import pytest
from bulk.warcs import answer, members, page, record

import webtool
from webtool.errors import InvalidArgument

WORDS = "<title>T</title><p>Tides are known. " + "The sea rises and falls twice a day under the moon and the sun. " * 9


@pytest.fixture
def extract(archive, tmp_path):
    """Run the command; (status, rows of stdout, stderr)."""

    def run(*words, stdin=b"", text=False):
        command = [sys.executable, "-I", "-S", str(archive), "extract", *words]
        done = subprocess.run(command, input=stdin, capture_output=True, timeout=120, cwd=tmp_path)
        errors = done.stderr.decode()
        assert "Traceback" not in errors
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], errors

    return run


def warc(count=6):
    """A crawl with pages and other records."""
    return members(
        record("warcinfo", b"software: x\r\n", url=None, content_type="application/warc-fields"),
        *(page(n, WORDS.replace("Tides", f"Tides {n}").encode()) for n in range(count)),
        record("response", answer(b"<p>no", status="404 Not Found"), url="https://a.example/missing"),
        record("response", answer(b"a,b\n1,2\n", content_type="text/csv"), url="https://b.example/table.csv"),
        record("request", b"GET / HTTP/1.1\r\n\r\n", content_type="application/http; msgtype=request"),
    )


def names(rows):
    return [row["url"].rpartition("/")[2] for row in rows]


def test_names_that_no_file_can_have_are_rows(extract, tmp_path):
    """Lists and indexes come from strangers, and the rows of an earlier run are read again."""
    (tmp_path / "c.warc.gz").write_bytes(warc())
    (tmp_path / "list.txt").write_bytes(b"c.warc.gz\nx\0y.warc.gz\nx\0y\n")
    for _ in range(2):
        assert extract("--batch", "list.txt", "-o", "o.ndjson")[0] == 7
        rows = [json.loads(line) for line in (tmp_path / "o.ndjson").read_text().splitlines()]
        assert [row["success"] for row in rows] == [True] * 6 + [False] * 2
    lines = [b'a)/ 2026 {"filename": "%b", "offset": "0"}' % name for name in (b"gone", rb"c\u0000", rb"\ud800")]
    (tmp_path / "i.cdxj").write_bytes(b"\n".join([*lines, b"a)/ 2026 {}", b""]))
    _, _, errors = extract("i.cdxj", "-o", "i.ndjson")
    assert "0 extracted, 1 failed" in errors
    assert "3 damaged" in errors


def test_an_archive_is_extracted_in_its_order(extract, tmp_path):
    (tmp_path / "c.warc.gz").write_bytes(warc())
    for words in (["c.warc.gz"], ["--batch", "c.warc.gz"], ["--batch", "-", "--workers", "1"]):
        status, rows, errors = extract(*words, stdin=warc() if "-" in words else b"")
        assert (status, errors) == (0, "")
        assert names(rows) == ["0", "1", "2", "3", "4", "5"]
        assert rows[3]["markdown"].startswith("Tides 3 are known.")
        assert rows[3]["success"] is True
        assert len({row["input"] for row in rows}) == 6
    start = int(rows[4]["input"].partition("#")[2])
    assert names(extract("c.warc.gz", "--offset", str(start))[1]) == ["4", "5"]
    length = int(rows[5]["input"].partition("#")[2]) - start
    assert names(extract("c.warc.gz", "--offset", str(start), "--length", str(length))[1]) == ["4"]


def test_filters_choose_among_the_answers(extract, tmp_path):
    (tmp_path / "c.warc.gz").write_bytes(warc())
    assert names(extract("c.warc.gz", "--status", "404")[1]) == ["missing"]
    assert names(extract("c.warc.gz", "--media-type", "text/csv")[1]) == ["table.csv"]
    assert "a,b" in extract("c.warc.gz", "--media-type", "text/csv")[1][0]["text"]
    assert len(extract("c.warc.gz", "--media-type", "*", "--status", "2xx,404")[1]) == 8
    assert names(extract("c.warc.gz", "--url", "/[24]$/")[1]) == ["2", "4"]
    assert extract("c.warc.gz", "--status", "many")[0] == 2


def test_an_index_leads_to_the_records(extract, tmp_path):
    parts = [members(page(n, WORDS.encode())) for n in range(4)]
    (tmp_path / "crawl").mkdir()
    (tmp_path / "crawl" / "c.warc.gz").write_bytes(b"".join(parts))
    lines = []
    for n in (2, 0):
        place = {"offset": str(len(b"".join(parts[:n]))), "length": str(len(parts[n])), "filename": "x/y/c.warc.gz"}
        lines.append(f"example,a)/{n} 2026 " + json.dumps({"url": f"https://a.example/{n}", "status": "200", **place}))
    lines += [lines[0].replace('"200"', '"500"'), lines[0].replace("c.warc.gz", "gone.warc.gz")]
    (tmp_path / "crawl" / "i.cdxj").write_text("\n".join(lines) + "\n")
    status, rows, _ = extract("crawl/i.cdxj")
    assert status == 7
    assert [row.get("url") for row in rows[:2]] == ["https://a.example/2", "https://a.example/0"]
    assert rows[2]["error_code"] == "INVALID_ARGUMENT"
    (tmp_path / "i.cdxj").write_text("\n".join(lines[:2]))
    assert len(extract("i.cdxj", "--archives", "crawl")[1]) == 2


def test_wet_is_text_and_wat_is_refused_by_name(extract, tmp_path):
    wet = members(record("conversion", "Grüße\nvon der See".encode(), content_type="text/plain"))
    wat = members(record("metadata", b'{"Envelope": {}}', content_type="application/json"))
    (tmp_path / "c.warc.wet.gz").write_bytes(wet)
    (tmp_path / "c.warc.wat.gz").write_bytes(wat)
    assert extract("c.warc.wet.gz")[1][0]["text"] == "Grüße\nvon der See"
    status, _, errors = extract("c.warc.wat.gz")
    assert status == 1
    assert "WAT file" in errors
    (tmp_path / "c.arc.gz").write_bytes(gzip.compress(b"filedesc://c.arc 0.0.0.0 2026 text/plain 3\n"))
    assert "ARC file" in extract("c.arc.gz")[2]


def test_lines_of_json_are_extracted_and_bad_ones_are_rows(extract, tmp_path):
    lines = [
        json.dumps({"url": "https://a.example/ü", "html": WORDS}),
        "",
        '{"url": broken',
        "[]",
        json.dumps({"url": "https://a.example/2", "html": 5}),
        json.dumps({"html": WORDS, "more": 1}),
    ]
    status, rows, _ = extract("--batch", "-", stdin="\n".join(lines).encode())
    assert status == 7
    assert [row.get("error_code") for row in rows] == [None, *["INVALID_ARGUMENT"] * 3, None]
    assert [row["input"] for row in rows] == ["-#1", "-#3", "-#4", "-#5", "-#6"]
    assert rows[0]["url"] == "https://a.example/ü"
    full = extract("--batch", "-", "--full", stdin=lines[0].encode())[1][0]
    assert full["markdown"].startswith("Tides are")
    assert "text" not in full


def test_the_value_of_a_flag_is_no_source(archive, tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.html").write_text("<h1>A</h1><p>Other words.")
    (tmp_path / "page.html").write_text("<h1>T</h1><h2>docs</h2><p>Words of the part.</p><h2>Rest</h2><p>More.")
    command = [sys.executable, "-I", "-S", str(archive), "extract"]

    def run(*words):
        done = subprocess.run([*command, *words], capture_output=True, timeout=120, cwd=tmp_path)
        return done.stdout.decode()

    for words in (["--section", "docs", "page.html"], ["page.html", "--section", "docs"], ["page.html", "--find=docs"]):
        assert not run(*words).startswith("{")
    assert "Words of the part." in run("page.html", "--section", "docs")
    for words in (["docs"], ["docs", "--strategy", "readability", "--workers", "1"], ["page.html", "docs"]):
        assert run(*words).startswith('{"url"') or run(*words).startswith('{"input"')


def test_folders_and_lists_of_files_are_extracted(extract, tmp_path):
    (tmp_path / "site" / "sub").mkdir(parents=True)
    for name in ("b.html", "a.htm", "sub/c", "sub/d.css", ".hidden.html"):
        (tmp_path / "site" / name).write_text(WORDS)
    (tmp_path / "site" / "e.warc.gz").write_bytes(warc(1))
    _, rows, _ = extract("site")
    assert [row["input"].partition("#")[0] for row in rows] == [
        "site/a.htm",
        "site/b.html",
        "site/e.warc.gz",
        "site/sub/c",
    ]
    (tmp_path / "list.txt").write_text("# pages\nsite/b.html\n\nsite/sub\n")
    _, rows, _ = extract("--batch", "list.txt", "site/a.htm")
    assert [row["input"] for row in rows] == ["site/b.html", "site/sub/c", "site/a.htm"]


SECRET = "root:x:0:0:root:/root:/bin/sh\nhunter2\n"


@pytest.fixture
def crawl(tmp_path):
    """Make a folder of strangers' pages beside and below files with a secret; return the pages' folder."""
    (tmp_path / "secret.txt").write_text(SECRET)
    folder = tmp_path / "crawl"
    folder.mkdir()
    (folder / "page.html").write_text(WORDS)
    return folder


# What strangers may write into a file to make it name another one. HERE is the folder above the file's own.
NAMES = ["HERE/secret.txt", "secret.txt", "../secret.txt", "crawl/../secret.txt", "crawl/page.html\nHERE/secret.txt"]


@pytest.mark.parametrize("line", NAMES)
@pytest.mark.parametrize("words", [("crawl",), ("--batch", "crawl"), ("--batch", "crawl/evil", "crawl/page.html")])
def test_a_crawled_file_names_no_other_file(extract, crawl, tmp_path, line, words):
    (crawl / "evil").write_text(line.replace("HERE", str(tmp_path)) + "\n")
    _, rows, errors = extract(*words)
    assert "hunter2" not in json.dumps(rows) + errors
    assert any(str(row.get("text")).startswith("Tides are known") for row in rows)


def test_a_list_out_of_a_folder_or_a_list_is_a_page(extract, crawl, tmp_path):
    (crawl / "list").write_text("crawl/page.html\n")
    _, rows, _ = extract("crawl")
    assert [row["input"] for row in rows] == ["crawl/list", "crawl/page.html"]
    (tmp_path / "outer").write_text("crawl/list\n")
    _, rows, _ = extract("--batch", "outer")
    assert [row["input"] for row in rows] == ["crawl/list"]


@pytest.mark.skipif(os.name != "posix", reason="links and pipes as POSIX has them")
def test_links_out_of_a_folder_are_not_followed(extract, crawl, tmp_path):
    (crawl / "evil").symlink_to("../secret.txt")
    (crawl / "twin.html").symlink_to("page.html")
    _, rows, _ = extract("crawl")
    assert [row["input"] for row in rows] == ["crawl/page.html", "crawl/twin.html"]
    os.mkfifo(crawl / "pipe")
    (tmp_path / "list").write_text("crawl/page.html\ncrawl/evil\ncrawl/pipe\n-\nmissing\n")
    status, rows, _ = extract("--batch", "list", stdin=b"hunter2")
    assert status == 7
    assert [row.get("error_code") for row in rows] == [None, None, *["INVALID_ARGUMENT"] * 3]


def test_lists_that_name_themselves_or_each_other_end(extract, tmp_path):
    (tmp_path / "self").write_text("self\n")
    (tmp_path / "one").write_text("two\n")
    (tmp_path / "two").write_text("one\n")
    for word in ("self", "one", "two"):
        status, rows, _ = extract("--batch", word)
        assert (status, len(rows)) == (0, 1)


@pytest.mark.parametrize("name", ["HERE/secret.txt", "../secret.txt", "secret.txt"])
def test_an_index_names_no_other_file(extract, crawl, tmp_path, name):
    name = name.replace("HERE", str(tmp_path))
    entry = {"url": "https://a.example/", "filename": name, "offset": "0", "length": "20", "status": "200"}
    (crawl / "i.cdxj").write_text(f"a 20260101000000 {json.dumps(entry)}\n")
    (crawl / "secret.txt").write_text(SECRET)
    status, rows, errors = extract("crawl/i.cdxj")
    assert (status, len(rows)) == (7, 1)
    assert "root:x" not in json.dumps(rows) + errors
    assert rows[0]["input"] == "crawl/secret.txt#0"


def test_a_killed_run_is_resumed(extract, archive, tmp_path):
    (tmp_path / "c.warc.gz").write_bytes(warc(200))
    whole = extract("c.warc.gz")[1]
    command = [sys.executable, "-I", "-S", str(archive), "extract", "c.warc.gz", "-o", "o.ndjson", "-q"]
    out = tmp_path / "o.ndjson"
    for size in (20_000, 60_000):
        running = subprocess.Popen(command, cwd=tmp_path, start_new_session=True)
        until = time.monotonic() + 60
        while (not out.exists() or out.stat().st_size < size) and time.monotonic() < until:
            time.sleep(0.01)
        running.send_signal(signal.SIGKILL)
        running.wait(30)
        assert out.stat().st_size >= size
    out.write_bytes(out.read_bytes()[:-7])  # a line that was being written
    status, _, errors = extract("c.warc.gz", "-o", "o.ndjson")
    assert status == 0
    assert " extracted, 0 failed in " in errors
    assert " done before" in errors
    assert [json.loads(line) for line in out.read_text().splitlines()] == whole
    before = out.read_bytes()
    extract("c.warc.gz", "-o", "o.ndjson")
    assert out.read_bytes() == before


@pytest.mark.parametrize("content", ["my thesis, without a line end", '{"mine": 1}\n', "\n"])
def test_a_file_of_another_program_is_not_changed(extract, tmp_path, content):
    (tmp_path / "c.warc.gz").write_bytes(warc(1))
    (tmp_path / "thesis").write_text(content)
    status, _, errors = extract("c.warc.gz", "-o", "thesis")
    assert status == 2
    assert "nothing was changed" in errors
    assert (tmp_path / "thesis").read_text() == content


def test_pages_that_failed_in_an_earlier_run_count(extract, tmp_path):
    lines = [json.dumps({"url": "https://a.example/", "html": f"<p>{WORDS}"}), '{"url": "https://b.example/"}']
    (tmp_path / "p.jsonl").write_text("\n".join(lines) + "\n")
    assert extract("p.jsonl", "--batch", "-o", "o.ndjson")[0] == 7
    status, _, errors = extract("p.jsonl", "--batch", "-o", "o.ndjson")
    assert (status, "; 2 done before, 1 of them failed" in errors) == (7, True)


def test_damage_is_counted_in_the_summary(extract, tmp_path):
    parts = [members(page(n, WORDS.encode())) for n in range(4)]
    parts[1] = parts[1][:-40]
    (tmp_path / "c.warc.gz").write_bytes(b"".join(parts))
    status, _, errors = extract("c.warc.gz", "-o", "o.ndjson")
    assert status == 0
    assert "3 extracted, 0 failed in " in errors
    assert "1 damaged" in errors


@pytest.mark.peers("pyarrow")
def test_parquet_is_written_if_pyarrow_is_installed(archive, tmp_path):
    from pyarrow import parquet

    (tmp_path / "c.warc.gz").write_bytes(warc())
    command = [sys.executable, str(archive), "extract", "c.warc.gz", "-o", "o.parquet", "-q", "--status=2xx,404"]
    assert subprocess.run(command, cwd=tmp_path, timeout=60).returncode == 0
    rows = parquet.read_table(tmp_path / "o.parquet").to_pylist()
    assert names(rows) == ["0", "1", "2", "3", "4", "5", "missing"]
    assert rows[2]["markdown"].startswith("Tides 2 are")
    assert sorted(os.listdir(tmp_path)) == ["c.warc.gz", "o.parquet"]
    assert subprocess.run(command, cwd=tmp_path, timeout=60, capture_output=True).returncode == 2


def test_parquet_without_pyarrow_is_an_error_with_a_hint(extract, tmp_path, archive):
    (tmp_path / "c.warc.gz").write_bytes(warc(1))
    (tmp_path / "pyarrow.py").write_text("raise ImportError")
    command = [
        sys.executable,
        "-c",
        "import sys; sys.path[:0] = sys.argv[1:3]; sys.argv[:3] = ['webtool']; import webtool.__main__",
    ]
    done = subprocess.run(
        [*command, str(tmp_path), str(archive), "extract", "c.warc.gz", "-o", "o.parquet"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 2
    assert "Install pyarrow" in done.stderr


def test_wrong_words_are_errors(extract, tmp_path):
    for words in (
        ["--batch"],
        ["--batch", "no-such-file"],
        ["--batch", "-", "--fly"],
        ["--batch", "-", "--strategy=x"],
    ):
        status, rows, errors = extract(*words)
        assert (status, rows) == (2, [])
        assert "INVALID_ARGUMENT" in errors


# Each way to name one archive, from the folder of the run.
@pytest.mark.parametrize("word", ["./c.warc.gz", "sub/../c.warc.gz", "{folder}/c.warc.gz", "link.warc.gz"])
def test_a_run_resumes_however_its_file_is_named(extract, tmp_path, word):
    (tmp_path / "c.warc.gz").write_bytes(warc())
    (tmp_path / "sub").mkdir()
    (tmp_path / "link.warc.gz").symlink_to("c.warc.gz")
    assert extract("c.warc.gz", "-o", "o.ndjson")[0] == 0
    before = (tmp_path / "o.ndjson").read_bytes()
    assert "6 done before" in extract(word.format(folder=tmp_path), "-o", "o.ndjson")[2]
    assert (tmp_path / "o.ndjson").read_bytes() == before


def test_a_run_resumes_after_its_archive_was_moved(extract, tmp_path):
    (tmp_path / "c.warc.gz").write_bytes(warc())
    assert extract("c.warc.gz", "-o", "o.ndjson")[0] == 0
    (tmp_path / "other").mkdir()
    (tmp_path / "c.warc.gz").rename(tmp_path / "other" / "c.warc.gz")
    assert "6 done before" in extract("other/c.warc.gz", "-o", "o.ndjson")[2]
    # An archive of this name with another record at this place is another one.
    another = record("warcinfo", b"software: x\r\n", url=None, content_type="application/warc-fields")
    page_of_another = record("response", answer(WORDS.encode()), **{"WARC-Record-ID": "<urn:uuid:1>"})
    (tmp_path / "c.warc.gz").write_bytes(members(another, page_of_another))
    assert extract("other/c.warc.gz", "-o", "moved.ndjson")[0] == 0
    assert "1 extracted" in extract("c.warc.gz", "-o", "moved.ndjson")[2]


def test_rows_of_archives_state_their_capture(extract, tmp_path):
    (tmp_path / "c.warc.gz").write_bytes(
        members(
            record(
                "response",
                answer(WORDS.encode()),
                url="https://a.example/1",
                **{"WARC-Payload-Digest": "sha1:AAAA", "WARC-Date": "2026-02-03T04:05:06Z"},
            ),
            record("response", answer(b"no", status="404 Not Found"), url="https://a.example/2"),
        )
    )
    rows = extract("c.warc.gz", "--status=2xx,404")[1]
    assert rows[0]["warc_date"] == "2026-02-03T04:05:06Z"
    assert rows[0]["digest"] == "sha1:AAAA"
    assert rows[0]["record_id"].startswith("urn:uuid:")
    assert [(row["status"], row["media_type"]) for row in rows] == [(200, "text/html"), (404, "text/html")]


@pytest.mark.parametrize("pack", [gzip.compress, bytes], ids=["gzip", "plain"])
def test_a_list_of_archives_is_read_beside_it_or_in_a_folder(extract, tmp_path, pack):
    """Common Crawl's warc.paths.gz names archives relative to the root of the crawl."""
    lines = b"crawl-data/CC-MAIN-2026-05/segments/1/warc/a.warc.gz\ncrawl-data/x/b.warc.gz\ncrawl-data/x/gone.warc.gz\n"
    (tmp_path / "warc.paths.gz").write_bytes(pack(lines))
    (tmp_path / "a.warc.gz").write_bytes(warc(2))
    (tmp_path / "crawl-data" / "x").mkdir(parents=True)
    (tmp_path / "crawl-data" / "x" / "b.warc.gz").write_bytes(warc(1))
    status, rows, _ = extract("--batch", "warc.paths.gz")
    assert (status, names(rows)) == (7, ["0", "1", "0", ""])
    assert "gone.warc.gz cannot be read" in rows[-1]["error"]
    _, rows, _ = extract("--batch", str(tmp_path / "warc.paths.gz"))
    assert names(rows) == ["0", "1", "0", ""]
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "a.warc.gz").rename(tmp_path / "elsewhere" / "a.warc.gz")
    _, rows, _ = extract("--batch", "warc.paths.gz", "--archives", "elsewhere")
    assert names(rows)[:2] == ["0", "1"]


def test_a_list_of_archives_names_no_file_out_of_its_folder(extract, tmp_path):
    (tmp_path / "secret.warc.gz").write_bytes(warc(1))
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "warc.paths").write_text("../secret.warc.gz\n/etc/passwd.warc\n")
    status, rows, _ = extract("--batch", "in/warc.paths")
    assert status == 7
    assert not any(row["success"] for row in rows)


def test_without_workers_a_limit_is_refused(extract, tmp_path):
    (tmp_path / "c.warc.gz").write_bytes(warc(1))
    status, _, errors = extract("c.warc.gz", "--workers", "0", "--deadline", "5")
    assert status == 2
    assert "--workers 1" in errors
    with pytest.raises(InvalidArgument, match="workers=0"):
        webtool.extract_many([], workers=0, seconds=5)
    with pytest.raises(InvalidArgument, match="workers=0"):
        webtool.to_markdown_many([], workers=0, memory=1 << 30)


@pytest.fixture
def parquet(archive, tmp_path):
    """Run extract on c.warc.gz into o.parquet/; (status, stderr, rows of all parts)."""
    arrow_parquet = pytest.importorskip("pyarrow.parquet")

    def run(*words, name="o.parquet/"):
        command = [sys.executable, str(archive), "extract", *(words or ("c.warc.gz",)), "-o", name, "-q"]
        done = subprocess.run(command, cwd=tmp_path, timeout=120, capture_output=True)
        paths = sorted((tmp_path / name).glob("part-*.parquet"))
        return (
            done.returncode,
            done.stderr.decode(),
            [row for p in paths for row in arrow_parquet.read_table(p).to_pylist()],
        )

    return run


@pytest.mark.peers("pyarrow")
def test_parquet_has_every_member_of_a_row(parquet, extract, tmp_path):
    (tmp_path / "c.warc.gz").write_bytes(warc())
    lines = extract("c.warc.gz", "--status=2xx,404")[1]
    assert parquet("c.warc.gz", "--status=2xx,404")[0] == 0
    _, _, rows = parquet("c.warc.gz", "--status=2xx,404")
    for line, row in zip(lines, rows):
        assert {name: value for name, value in row.items() if name in line} == {
            **line,
            "read_from": row["read_from"],
        }


@pytest.mark.peers("pyarrow")
def test_one_text_that_is_not_unicode_loses_no_parquet(parquet, extract, tmp_path):
    lines = [
        {"url": "https://a.example/\ud800", "html": WORDS},
        {"url": "https://a.example/1", "html": WORDS + "\udc00"},
    ]
    (tmp_path / "pages.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    status, _, rows = parquet("--batch", "pages.ndjson")
    assert status == 0
    assert [row["url"] for row in rows] == ["https://a.example/?", "https://a.example/1"]
    assert [path for path in os.listdir(tmp_path / "o.parquet") if path.endswith(".part")] == []


@pytest.mark.peers("pyarrow")
def test_a_killed_run_into_parts_is_resumed(parquet, archive, tmp_path):
    (tmp_path / "c.warc.gz").write_bytes(warc(2500))
    command = [sys.executable, str(archive), "extract", "c.warc.gz", "-o", "o.parquet/", "-q"]
    running = subprocess.Popen(command, cwd=tmp_path, start_new_session=True)
    until = time.monotonic() + 120
    while not list((tmp_path / "o.parquet").glob("part-*.parquet")) and time.monotonic() < until:
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    running.wait(30)
    status, _, rows = parquet()
    assert status == 0
    assert sorted(int(name) for name in names(rows)) == list(range(2500))
    assert not list((tmp_path / "o.parquet").glob("*.part"))


@pytest.mark.peers("pyarrow")
def test_an_interrupted_run_leaves_no_parquet_file_that_looks_complete(archive, tmp_path):
    pytest.importorskip("pyarrow")
    (tmp_path / "c.warc.gz").write_bytes(warc(2500))
    command = [sys.executable, str(archive), "extract", "c.warc.gz", "-o", "o.parquet"]
    with subprocess.Popen(command, cwd=tmp_path, start_new_session=True, stderr=subprocess.PIPE) as running:
        until = time.monotonic() + 120
        while not list(tmp_path.glob("o.parquet.*.part")) and time.monotonic() < until:
            time.sleep(0.02)
        running.send_signal(signal.SIGINT)
        errors = running.communicate(timeout=60)[1].decode()
    assert (running.returncode, os.listdir(tmp_path)) == (130, ["c.warc.gz"])
    assert "With -o pages.parquet/ it could be resumed" in errors


@pytest.mark.peers("pyarrow")
@pytest.mark.parametrize("name", ["o.parquet", "o.parquet/"])
def test_a_full_disk_is_no_bug_and_leaves_no_unfinished_parquet(archive, tmp_path, name):
    resource, _ = pytest.importorskip("resource"), pytest.importorskip("pyarrow")
    (tmp_path / "c.warc.gz").write_bytes(warc(600))
    command = [sys.executable, str(archive), "extract", "c.warc.gz", "-o", name, "-q"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000)),
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, b"webtool: the answer cannot be written: File too large\n")
    assert not [path for path in tmp_path.rglob("*") if "part" in path.suffix]
    assert not (tmp_path / "o.parquet").is_file()


@pytest.mark.peers("pyarrow")
def test_a_folder_of_others_gets_no_part(parquet, tmp_path):
    (tmp_path / "c.warc.gz").write_bytes(warc(1))
    (tmp_path / "o.parquet").mkdir()
    (tmp_path / "o.parquet" / "part-000000.parquet.12.part").write_text("left")
    (tmp_path / "o.parquet" / "zzz.txt").write_text("mine")
    status, errors, rows = parquet()
    assert (status, rows) == (2, [])
    assert "zzz.txt is not a part" in errors
    assert (tmp_path / "o.parquet" / "part-000000.parquet.12.part").exists()


@pytest.mark.peers("pyarrow")
def test_parquet_is_read_too(extract, archive, tmp_path):
    import pyarrow
    from pyarrow import parquet

    columns = [
        pyarrow.array([f"https://a.example/{n}" for n in range(3)]),
        pyarrow.array([WORDS.encode(), WORDS.encode(), None], pyarrow.binary()),
    ]
    parquet.write_table(pyarrow.table(columns, ["url", "html"]), tmp_path / "in.parquet")
    parquet.write_table(pyarrow.table({"id": [1]}), tmp_path / "bad.parquet")

    def rows_of(name):
        command = [sys.executable, str(archive), "extract", "--batch", name]
        done = subprocess.run(command, cwd=tmp_path, timeout=120, capture_output=True)
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode()

    status, rows, _ = rows_of("in.parquet")
    assert (status, [row["success"] for row in rows]) == (7, [True, True, False])
    assert [row["input"] for row in rows] == ["in.parquet#1", "in.parquet#2", "in.parquet#3"]
    status, _, errors = rows_of("bad.parquet")
    assert status == 2
    assert "no column html" in errors
