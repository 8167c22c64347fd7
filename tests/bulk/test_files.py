"""Files instead of URLs: `fetch FILE` and `extract FILE`, for every kind of content that a URL can have."""

import gzip
import io
import json
import os
import subprocess
import sys
import threading
import time

import pytest
from documents import writers
from growing import growth

from webtool.bulk import files
from webtool.cli import main
from webtool.errors import FetchTooLarge, InvalidArgument

ARTICLE = "<article><h1>A title</h1>" + "<p>A paragraph with words enough to be kept by anybody.</p>" * 8 + "</article>"
HTML = f"<!doctype html><title>T</title><nav><a href=/>Home</a></nav>{ARTICLE}<footer>All rights</footer>"
RSS = "<rss><channel><title>News</title><item><title>One</title><link>https://e.example/1</link></item></channel></rss>"
NOTEBOOK = {"nbformat": 4, "cells": [{"cell_type": "markdown", "source": "# Notes"}]}
CELL = "<sheetData><row r='1'><c r='A1'><v>7</v></c></row></sheetData>"

# name, bytes, words that fetch and extract both show
KINDS = [
    ("a.pdf", writers.pdf(writers.text(12, 72, 700, "Hello, world.")), "Hello, world."),
    ("a.docx", writers.docx("<w:p><w:r><w:t>Hello</w:t></w:r></w:p>"), "Hello"),
    ("a.xlsx", writers.xlsx({"Sums": CELL}), "## Sums"),
    ("a.odt", writers.odf("text", "<text:p>Hello</text:p>"), "Hello"),
    ("a.epub", writers.epub({"c.xhtml": "<html><body><p>Hello</p></body></html>"}), "Hello"),
    ("a.ipynb", json.dumps(NOTEBOOK).encode(), "# Notes"),
    ("feed.xml", RSS.encode(), "[One](https://e.example/1)"),
    ("a.md", b"# Hello\n\n<b>kept</b>\n", "<b>kept</b>"),
    ("a.csv", b"a,b\n1,2\n", "1,2"),
    ("a.rtf", b"{\\rtf1 Plain {\\b words}.\\par}", "Plain **words**."),
    ("a.eml", b"From: a@x.example\nSubject: Tides\n\nHigh water.\n", "# Tides"),
    ("a.txt", b"plain </b> text\n", "plain </b> text"),
    ("a.html", HTML.encode(), "# A title"),
    ("nameless", HTML.encode(), "# A title"),
]


def run(capfd, *words):
    status = main.main(words[0], list(words[1:]))
    out, err = capfd.readouterr()
    return status, out, err


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("WEBTOOL_CACHE", "off")


@pytest.mark.parametrize(("name", "body", "words"), KINDS, ids=[name for name, _, _ in KINDS])
def test_every_kind_is_read(name, body, words, tmp_path, monkeypatch, capfd):
    (tmp_path / name).write_bytes(body)
    monkeypatch.chdir(tmp_path)
    for command in ("fetch", "extract", "open"):
        for word in (name, str(tmp_path / name)):
            status, out, _ = run(capfd, command, word)
            assert (status, words in out) == (0, True), (command, word, out)


class Stdin:
    def __init__(self, body):
        self.buffer = io.BytesIO(body)


@pytest.mark.parametrize("command", ["fetch", "extract", "open"])
def test_standard_input(command, monkeypatch, capfd):
    monkeypatch.setattr(sys, "stdin", Stdin(KINDS[0][1]))
    assert run(capfd, command, "-")[1].endswith("Hello, world.\n")
    monkeypatch.setattr(sys, "stdin", Stdin(b"Words first <b>and</b> tags later, which is HTML."))
    assert "tags later" in run(capfd, command, "-")[1]


def test_fetch_gives_the_whole_document_and_extract_its_main_content(tmp_path, capfd):
    path = tmp_path / "a.html"
    path.write_text(HTML)
    assert "All rights" in run(capfd, "fetch", str(path))[1]
    assert "All rights" not in run(capfd, "extract", str(path))[1]
    assert "All rights" not in run(capfd, "fetch", str(path), "--mode", "readable")[1]
    assert run(capfd, "fetch", str(path), "--mode", "raw")[1].strip() == HTML


def test_arguments_of_fetch_apply_to_files(tmp_path, capfd):
    path = tmp_path / "a.md"
    path.write_text("one\ntwo\nthree\n")
    status, out, _ = run(capfd, "fetch", str(path), "--offset", "2", "--limit", "1", "--json")
    data = json.loads(out)
    assert (status, data["content"], data["next_offset"], data["url"]) == (0, "two", 3, str(path))


def test_an_unreadable_file_is_reported(tmp_path, capfd):
    status, _, err = run(capfd, "fetch", "./not-here.pdf")
    assert (status, "not-here.pdf cannot be read" in err) == (2, True)
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    status, _, err = run(capfd, "extract", str(tmp_path / "a.png"))
    assert (status, "UNSUPPORTED_CONTENT" in err) == (1, True)
    (tmp_path / "a.txt").write_bytes(bytes(2000))
    status, _, err = run(capfd, "fetch", str(tmp_path / "a.txt"), "--max-bytes", "1000")
    assert (status, "FETCH_TOO_LARGE" in err) == (1, True)


INSTEAD = [
    ("https://e.example/", "webtool open https://e.example/"),
    ("<p>text</p>", "--html"),
    (".", "webtool extract . reads all pages in a folder"),
    ("gone.html", "Give a file"),
]


@pytest.mark.parametrize(("word", "hint"), INSTEAD)
def test_a_word_that_is_not_a_file_gets_a_hint(word, hint):
    with pytest.raises(InvalidArgument) as caught:
        files.read(word)
    assert hint in caught.value.hint


EMPTY = [
    ("a.html", b"", "the page has no text"),
    ("a.html", b"<div id=root></div><script src=a.js></script>", "need a browser"),
    ("a.html", b"<h1>Sign in</h1><form><input name=u><input type=password></form>", "asks for a login"),
    ("a.pdf", b"", "the document has no text"),
    ("a.docx", writers.docx(""), "no text"),
]


@pytest.mark.parametrize("command", ["fetch", "extract", "open"])
@pytest.mark.parametrize(("name", "body", "note"), EMPTY)
def test_a_result_without_text_has_a_note(command, name, body, note, tmp_path, capfd):
    (tmp_path / name).write_bytes(body)
    _, _, err = run(capfd, command, str(tmp_path / name))
    assert note in err


def test_a_truncated_document_is_not_called_an_archive(tmp_path, capfd):
    (tmp_path / "a.docx").write_bytes(KINDS[1][1][:-30])
    assert "is cut off" in run(capfd, "fetch", str(tmp_path / "a.docx"))[2]


def test_a_compressed_file_is_read_as_its_content(tmp_path, capfd):
    for name, body, words in KINDS:
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(body))
        assert words in run(capfd, "fetch", str(tmp_path / f"{name}.gz"))[1], name
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(HTML.encode())[:5] + b"no deflate data")
    status, _, err = run(capfd, "fetch", str(tmp_path / "a.html.gz"))
    assert (status, "is damaged" in err) == (2, True)
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(bytes(5000)))
    assert "FETCH_TOO_LARGE" in run(capfd, "fetch", str(tmp_path / "a.txt.gz"), "--max-bytes", "1000")[2]


def test_gzip_of_many_members_is_read_to_its_end():
    """`cat a.gz b.gz` is a gzip file; so are blocks of bgzip."""
    text = b"".join(b"https://a.example/%d\n" % n for n in range(20_000))
    packed = b"".join(gzip.compress(text[at : at + 3000]) for at in range(0, len(text), 3000))
    assert files.unpacked("a.gz", packed, 10**7) == text
    assert files.unpacked("a.gz", packed + bytes(512), 10**7) == text  # padded
    for limit in (0, 1, 2999, 3000, 5000):
        assert files.unpacked("a.gz", packed, limit) == text[: limit + 1]
    assert files.unpacked("a.gz", packed[:-9], 10**7, is_part=True)


@pytest.mark.parametrize("cut", [5, 30, 1000, -1, -9])
def test_gzip_that_ends_early_is_named(cut):
    packed = gzip.compress(os.urandom(3000)) + gzip.compress(b"b")
    with pytest.raises(InvalidArgument, match=r"a\.gz is damaged: it ends too early"):
        files.unpacked("a.gz", packed[:cut], 10**6)


def test_many_tiny_members_take_linear_time():
    def seconds(size):
        packed = gzip.compress(b"") * size
        begin = time.process_time()
        files.unpacked("a.gz", packed, 10**6)
        return time.process_time() - begin

    assert growth(seconds, 5000) == ""


def test_save_is_refused_for_a_file(tmp_path, capfd):
    (tmp_path / "a.html").write_text(HTML)
    status, _, err = run(capfd, "fetch", str(tmp_path / "a.html"), "--save", str(tmp_path / "b.html"))
    assert (status, "--save" in err) == (2, True)


def test_a_quote_is_looked_up_in_a_file(tmp_path, capfd):
    (tmp_path / "a.pdf").write_bytes(KINDS[0][1])
    assert run(capfd, "verify", "Hello, world", str(tmp_path / "a.pdf"))[1].startswith("verbatim: line 1\n")


def test_words_that_look_like_hosts_are_urls(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "b.example").mkdir()
    words = ("example.com", "https://e.example/a.pdf", "e.example/a.pdf", "b.example", "example.md", "localhost")
    assert [files.is_file(word) for word in words] == [False] * 6
    (tmp_path / "folder").mkdir()
    assert [files.is_file(word) for word in ("gone.pdf", "gone.HTML", "folder")] == [True] * 3
    (tmp_path / "a.pdf").write_bytes(b"")
    assert [files.is_file(word) for word in ("a.pdf", "./gone.pdf", "-", "https://e.example/a.pdf")] == [
        True, True, True, False,
    ]  # fmt: skip


@pytest.mark.parametrize("word", ["C:\\page.html", "c:/page.html", "\\\\server\\share\\page.html", "~\\page.html"])
def test_a_windows_path_is_a_file(word):
    assert files.is_file(word)
    with pytest.raises(InvalidArgument, match="cannot be read"):
        files.read(word)


@pytest.mark.skipif(sys.platform != "linux", reason="the limit on data as Linux counts it")
def test_a_small_page_needs_little_memory(archive, tmp_path):
    import resource

    def limit():
        resource.setrlimit(resource.RLIMIT_DATA, (64 << 20, 64 << 20))

    page = tmp_path / "page.html"
    page.write_text("<h1>T</h1>" + "<p>Words, and more of them.</p>" * 50)
    for word, given in ((str(page), None), ("-", page.read_bytes())):
        command = [sys.executable, "-I", "-S", str(archive), "extract", word]
        done = subprocess.run(command, input=given, capture_output=True, timeout=60, preexec_fn=limit)
        assert done.stdout.count(b"Words") == 50, done.stderr


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_list_is_read_in_the_encodings_that_shells_write(encoding):
    text = "# pages\r\nhttps://a.example/caf\u00e9\r\n\r\n https://b.example/ \r\n"
    mark = "\ufeff" if encoding[-3:] in ("-le", "-be") else ""
    lines = ["https://a.example/caf\u00e9", "https://b.example/"]
    assert list(files.list_lines((mark + text).encode(encoding))) == lines


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_named_pipe_is_opened_once(archive, tmp_path):
    pipe = tmp_path / "page"
    os.mkfifo(pipe)
    text = "The tide table of the harbour lists the times of high and low water for each day of the year. " * 9
    threading.Thread(target=pipe.write_text, args=[f"<title>T</title><p>{text}</p>"], daemon=True).start()
    ended = subprocess.run([sys.executable, archive, "extract", pipe], stdout=subprocess.PIPE, timeout=20, check=True)
    assert b"The tide table" in ended.stdout


def test_gzip_longer_than_the_limit_is_too_large_not_damaged(tmp_path):
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(os.urandom(3000)))
    with pytest.raises(FetchTooLarge):
        files.read(str(path), 1000)
