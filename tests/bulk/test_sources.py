"""The pages of files, folders and lists: progress, files that cannot be read, and lines that are too long."""

import gzip
import json
import os
import threading
import time
import zipfile

import pytest
from bulk.warcs import members, page, record

from webtool.bulk import file_kinds, sources
from webtool.bulk.sources import Options, Sources
from webtool.errors import InvalidArgument, WebtoolError

LINES = "".join(json.dumps({"url": f"https://a.example/{n}", "html": "<p>Words."}) + "\n" for n in range(3))
WAT = members(record("metadata", b'{"Envelope": {}}', content_type="application/json"))
WARC = members(page(0), page(1))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {
        "a.jsonl": LINES.encode(),
        "b.html": b"<p>Words.",
        "c.warc.gz": WARC,
        "d.wat.gz": WAT,
        "e.html": b"<p>Last.",
    }
    (tmp_path / "crawl").mkdir()
    for name, body in files.items():
        (tmp_path / "crawl" / name).write_bytes(body)
    (tmp_path / "list.txt").write_text("".join(f"crawl/{name}\n" for name in files))
    return tmp_path


def read(words):
    """Return the name of each page, or that of its error's class, and the shares that are read with each."""
    pages = Sources(words, Options())
    names, shares = [], []
    for name, made in pages:
        names.append(type(made).__name__ if isinstance(made, WebtoolError) else name.replace("\\", "/"))
        shares.append(pages.share())
    assert shares == sorted(shares)
    return names, shares


INDEX = b"".join(
    b'org,a)/%d 2026 {"url": "https://a.example/%d", "filename": "c.warc.gz", "offset": "%d"}\n' % (n, n, offset)
    for n, offset in enumerate([0, len(members(page(0)))])
)
# What a file has before gzip, and the numbers of its pages.
PACKED = {
    "lines.jsonl": (LINES.encode(), ["#1", "#2", "#3"]),
    "index.cdxj": (INDEX, ["#0", f"#{len(members(page(0)))}"]),
    "document.json": (b'{\n  "url": "https://a.example/"\n}\n', [""]),
}


@pytest.mark.parametrize("name", PACKED)
@pytest.mark.parametrize("ending", ["", ".gz", ".GZ"])
def test_lines_and_indexes_may_be_compressed(folder, name, ending):
    body, numbers = PACKED[name]
    path = folder / "crawl" / (name + ending)
    path.write_bytes(gzip.compress(body[:50]) + gzip.compress(body[50:]) if ending else body)  # as Common Crawl's are
    pages = list(Sources([str(path)], Options()))
    assert [name.partition("#")[1] + name.partition("#")[2] for name, _ in pages] == numbers
    assert not [made for _, made in pages if isinstance(made, WebtoolError)]
    assert file_kinds.is_bulk(str(path)) == name.startswith("index")


def wacz(path, *files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, body in files:
            archive.writestr(name, body)


WACZ = (
    ("archive/one.warc.gz", WARC),
    ("archive/two.warc.gz", WARC),
    ("indexes/index.cdx.gz", gzip.compress(INDEX)),
    ("pages/pages.jsonl", '{"format": "json-pages-1.0"}\n{"url": "https://a.example/0"}\n'),
    ("datapackage.json", "{}"),
)


def test_the_archives_of_a_wacz_file_are_read(folder):
    wacz("crawl/f.wacz", *WACZ)
    wacz("crawl/f.docx", *WACZ)
    second = f"#{len(members(page(0)))}"
    expected = [f"archive/{name}.warc.gz{number}" for name in ("one", "two") for number in ("#0", second)]
    names, shares = read(["crawl/f.wacz"])
    assert names == [f"crawl/f.wacz#{name}" for name in expected]
    assert shares[-1] < 1
    assert [name for name in read(["crawl"])[0] if "wacz" in name] == names
    assert file_kinds.is_bulk("crawl/f.wacz")
    assert read(["crawl/f.docx"])[0] == ["crawl/f.docx"]
    done = sources.Done()
    pages = Sources(["crawl/f.wacz"], Options(), done)
    done.add({"input": names[0], "success": True})
    assert [name for name, _ in pages] == names[1:]


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_wacz_file_that_is_compressed_otherwise_says_so(folder, compression):
    with zipfile.ZipFile("x.wacz", "w", compression) as archive:
        archive.writestr("archive/one.warc.gz", WARC)
    with pytest.raises(InvalidArgument, match=r"x\.wacz cannot be read to its end: the compression of archive/one"):
        list(Sources(["x.wacz"], Options()))


def test_a_line_without_end_in_an_index_is_dropped_piece_by_piece(folder, monkeypatch):
    index, lengths = sources.captures.Index, []
    monkeypatch.setattr(sources, "MAX_PAGE_BYTES", 1000)
    monkeypatch.setattr(sources.captures, "Index", lambda lines: index(lengths.append(len(x)) or x for x in lines))
    (folder / "crawl" / "x.cdxj.gz").write_bytes(gzip.compress(INDEX + b"x" * 10**6 + b"\n" + INDEX))
    found = Sources(["crawl/x.cdxj.gz"], Options())
    assert len(list(found)) == 4
    assert found.damaged == 1
    assert max(lengths) <= 1000


def test_an_index_beside_its_archives_is_not_read_with_their_folder(folder):
    (folder / "crawl" / "index.cdx.gz").write_bytes(gzip.compress(INDEX))
    assert "index" not in "".join(read(["crawl"])[0])


@pytest.mark.parametrize("name", ["x.jsonl.gz", "x.cdxj.gz", "x.wacz"])
def test_a_file_that_is_cut_short_says_so(folder, name):
    wacz("x.wacz", *WACZ)
    bodies = {"x.jsonl.gz": gzip.compress(LINES.encode() * 9), "x.cdxj.gz": gzip.compress(INDEX * 9)}
    body = bodies.get(name) or (folder / "x.wacz").read_bytes()
    (folder / name).write_bytes(body[: len(body) * 3 // 4])
    with pytest.raises(InvalidArgument, match=f"{name} cannot be read to its end"):
        list(Sources([name], Options()))


NAMES = ["a.jsonl#1", "a.jsonl#2", "a.jsonl#3", "b.html", "c.warc.gz#0", "c.warc.gz#", "UnsupportedContent", "e.html"]


@pytest.mark.parametrize("word", ["crawl", "list.txt"])
def test_a_file_that_cannot_be_read_does_not_end_the_others(folder, word):
    names, _ = read([word])
    assert [name.rpartition("/")[2].rstrip("123456789") for name in names] == [name.rstrip("123") for name in NAMES]


def test_the_share_of_a_list_is_that_of_its_lines(folder):
    assert read(["list.txt"])[1] == pytest.approx([0, 0, 0, 0.2, 0.4, 0.4, 0.6, 0.8])


def test_files_of_a_folder_do_not_count_beside_other_words(folder):
    shares = read(["crawl", "crawl/a.jsonl"])[1]
    assert shares[:8] == [0] * 8
    assert shares[8] > 0


@pytest.mark.parametrize("length", [48, 49, 50, 51, 52, 99, 100, 101, 102, 103, 150, 151, 152])
@pytest.mark.parametrize("end", ["\n", ""])
def test_a_line_that_is_too_long_is_one_row(tmp_path, monkeypatch, length, end):
    monkeypatch.setattr(sources, "MAX_PAGE_BYTES", 50)
    short = json.dumps({"html": "<p>Words."}) + "\n"
    long = json.dumps({"html": "x" * (length - 12)})
    assert len(long) == length
    (tmp_path / "a.jsonl").write_text(short + "\n" + long + "\n" + short + long + end)
    rows = [(name.rpartition("#")[2], made) for name, made in Sources([str(tmp_path / "a.jsonl")], Options())]
    assert [number for number, _ in rows] == ["1", "3", "4", "5"]
    codes = [getattr(made, "code", "") for _, made in rows]
    too_long = {True: "FETCH_TOO_LARGE", False: ""}
    assert codes == ["", too_long[length + 1 > 50], "", too_long[length + len(end) > 50]]


def use_as_stdin(monkeypatch, number):
    monkeypatch.setattr(
        file_kinds, "open", lambda _, *words, **names: os.fdopen(number, *words, **names), raising=False
    )


@pytest.mark.parametrize("name", ["a.jsonl", "b.html", "c.warc.gz"])
@pytest.mark.parametrize("size", [1, 3, 100])
def test_standard_input_that_comes_in_pieces_is_read_as_its_kind(folder, monkeypatch, name, size):
    body = (folder / "crawl" / name).read_bytes()
    expected, _ = read([f"crawl/{name}"])
    reading, writing = os.pipe()

    def write():
        for start in range(0, len(body), size):
            os.write(writing, body[start : start + size])
            time.sleep(0.001 if start < 20 else 0)
        os.close(writing)

    writer = threading.Thread(target=write)
    use_as_stdin(monkeypatch, reading)
    writer.start()
    names, _ = read(["-"])
    writer.join()
    os.close(reading)
    assert names == [each.replace(f"crawl/{name}", "-") for each in expected]


def test_rows_of_a_slow_writer_are_given_out_before_its_end(monkeypatch):
    reading, writing = os.pipe()
    use_as_stdin(monkeypatch, reading)
    os.write(writing, LINES.splitlines(keepends=True)[0].encode())
    pages = iter(Sources(["-"], Options()))
    assert next(pages)[0] == "-#1"
    os.close(writing)
    assert list(pages) == []
    os.close(reading)
