"""The folder of a crawl: names of files, what is refused, the manifest, the list of pages."""

import json
import os
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool import output, urls
from webtool.bulk import folder
from webtool.bulk.finishing import list_of_pages, title_as_markdown, without_site_name
from webtool.bulk.folder import Folder, file_name, relative
from webtool.errors import InvalidArgument

SITE = "https://h.example/docs/"

NAMES = [
    ("", "home.md"),
    ("index.html", "home.md"),
    ("INDEX.HTM", "home.md"),
    ("guide", "guide.md"),
    ("guide.html", "guide.md"),
    ("guide.md", "guide.md"),
    ("guide/", "guide/index.md"),
    ("guide/index.html", "guide/index.md"),
    ("paper.pdf", "paper.pdf.md"),
    ("v1.2/a.php", "v1.2/a.php.md"),
    ("a%20b/c%3Fd.html", "a-b/c-d.md"),
    ("page?id=3&x=y", "page_id-3-x-y.md"),
    ("?page=2", "home_page-2.md"),
    ("con.html", "_con.md"),
    ("Aux/lpt1.txt.html", "_Aux/_lpt1.txt.md"),
    ("COM%C2%B9", "_COM¹.md"),
    ("nul.tar.gz", "_nul.tar.gz.md"),
    ("end./x..", "end/x.md"),
    ("%2e%2e%2fetc/passwd", "_..-etc/passwd.md"),
    ("a/%5c..%5cb", "a/_-..-b.md"),
    (".git/config", "_.git/config.md"),
    ("-rf", "_-rf.md"),
    ("~root", "_~root.md"),
    ("a.md/b.html", "a.md_/b.md"),
    ("%00%1b%e2%80%aex", "_-x.md"),
    ("caf%C3%A9", "café.md"),
    ("cafe%CC%81", "café.md"),
    ("index.md.html", "index.md.md"),
    ("manifest.ndjson", "manifest.ndjson.md"),
    ("...", "_-.md"),
]


@pytest.mark.parametrize(("path", "name"), NAMES)
def test_files_are_named_after_urls(path, name):
    assert file_name(SITE + path, "/docs/") == name


def test_long_names_are_cut_and_still_differ():
    first, second = (file_name(f"{SITE}{'a' * 300}{end}.html", "/docs/") for end in "xy")
    assert first != second
    assert len(first) <= 120
    deep = file_name(SITE + "/".join(["folder"] * 39) + "/page", "/docs/")
    assert len(deep) < 200
    assert "page" in deep
    assert len(file_name(SITE + "%E4%B8%AD" * 200, "/docs/").encode()) <= 120


SEGMENT = st.one_of(
    st.sampled_from(
        [
            "a",
            "A",
            "index",
            "index.html",
            "a.md",
            "con",
            "..",
            ".",
            "%2e%2e",
            "%2F",
            "a%20",
            "\u00e9",
            "e\u0301",
            "ß",
            "SS",
            "ﬁ",
            "fi",
            "",
        ]
    ),
    st.text(max_size=12),
)


@given(st.lists(SEGMENT, max_size=6), st.text(max_size=8), st.sampled_from(["", "?"]))
def test_a_name_never_leaves_the_folder_and_no_two_urls_share_one(parts, more, mark):
    site = Folder("unused")
    texts = ["/".join(parts) + mark + more, "/".join(parts).swapcase(), "/".join(parts) + "/", "/".join(parts[:-1])]
    names = {}
    for text in texts:
        url = urls.parse(SITE + text).without_fragment
        if not url.startswith(SITE):
            continue
        name = site.file_for(url, "/docs/")
        names[url] = unicodedata.normalize("NFKC", name).casefold()
        pieces = name.split("/")
        assert name.endswith(".md")
        assert names[url] not in ("index.md", "manifest.ndjson")
        assert all(piece.strip(". ") and piece[0] not in ".-~" and piece[-1] not in ". " for piece in pieces)
        assert not any(piece.lower().endswith(".md") for piece in pieces[:-1])
        assert not set(name) & set('<>:"\\|?*\0')
        assert len(name) <= 240
        assert all(len(piece.encode()) <= 130 for piece in pieces)
    assert len(set(names.values())) == len(names)


def opened(path):
    folder = Folder(str(path))
    folder.open()
    return folder


def test_a_name_stays_with_its_url(tmp_path):
    with_capital, small = f"{SITE}Zoo.html", f"{SITE}zoo.html"
    folder = opened(tmp_path / "new" / "folder")
    folder.begin(start=SITE, run=1)
    names = {url: folder.file_for(url, "/docs/") for url in (small, with_capital)}
    assert names[small] == "zoo.md"
    assert names[with_capital].startswith("Zoo-")
    for url, name in names.items():
        folder.write(name, b"text")
        written = os.stat(tmp_path / "new" / "folder" / name)
        folder.write(name, b"text")  # nothing to do: the file is not replaced
        assert os.path.samestat(written, os.stat(tmp_path / "new" / "folder" / name))
        folder.record({"url": url, "status": "saved", "file": name})
    folder.close()
    again = opened(tmp_path / "new" / "folder")
    assert {url: again.file_for(url, "/docs/") for url in (with_capital, small)} == names
    again.close()


def test_half_a_line_at_the_end_is_no_harm(tmp_path):
    folder = opened(tmp_path)
    folder.begin(start=SITE, run=1)
    folder.record({"url": SITE, "status": "saved", "file": "home.md"})
    folder.close()
    path = tmp_path / "manifest.ndjson"
    for cut in range(1, len(path.read_bytes()) + 1):
        copy = tmp_path / str(cut)
        copy.mkdir()
        (copy / "manifest.ndjson").write_bytes(path.read_bytes()[:cut])
        again = opened(copy)
        again.begin(start=SITE, run=2)
        again.record({"url": f"{SITE}a", "status": "left"})
        again.close()
        last = opened(copy)
        assert last.rows[f"{SITE}a"] == {"url": f"{SITE}a", "status": "left"}
        last.close()


@pytest.mark.parametrize("content", [b"[]\n", b"{}\n", b'{"name": "an application"}', b"\xff\n", b'{"url": "x"}\n'])
def test_a_foreign_manifest_is_refused(tmp_path, content):
    (tmp_path / "manifest.ndjson").write_bytes(content)
    with pytest.raises(InvalidArgument, match="did not write"):
        opened(tmp_path)
    assert (tmp_path / "manifest.ndjson").read_bytes() == content


def test_only_an_empty_folder_is_taken(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InvalidArgument, match="files that webtool did not write"):
        opened(tmp_path)
    assert os.listdir(tmp_path) == ["notes.txt"]
    with pytest.raises(InvalidArgument, match="cannot be written"):
        opened(tmp_path / "notes.txt")


def test_two_runs_cannot_write_one_folder(tmp_path):
    first = opened(tmp_path)
    with pytest.raises(InvalidArgument, match="another run"):
        opened(tmp_path)
    first.close()


def test_a_run_that_opened_the_manifest_before_another_replaced_it_is_refused(tmp_path, monkeypatch):
    first = opened(tmp_path)
    first.begin(start=SITE)

    def lock_late(fd):
        first.finish([])  # between opening and locking
        return output.lock(fd)

    monkeypatch.setattr(folder, "lock", lock_late)
    with pytest.raises(InvalidArgument, match="another run"):
        opened(tmp_path)


def test_a_run_whose_manifest_was_removed_before_it_was_locked_is_refused(tmp_path, monkeypatch):
    def lock_late(fd):
        os.unlink(tmp_path / "manifest.ndjson")
        return output.lock(fd)

    monkeypatch.setattr(folder, "lock", lock_late)
    with pytest.raises(InvalidArgument, match="another run"):
        opened(tmp_path)


HOSTILE = [
    "../out.md",
    "/etc/x.md",
    "a/../../out.md",
    "index.md",
    "manifest.ndjson",
    "a\\b.md",
    "C:x.md",
    ".x.md",
    7,
    "x",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_manifest_cannot_name_a_file_elsewhere(tmp_path, name):
    rows = [{"webtool_crawl": 1, "start": SITE}, {"url": f"{SITE}page", "status": "saved", "file": name}]
    (tmp_path / "manifest.ndjson").write_text("".join(json.dumps(row) + "\n" for row in rows))
    folder = opened(tmp_path)
    assert folder.file_for(f"{SITE}page", "/docs/") == "page.md"
    folder.close()


@pytest.mark.skipif(os.name == "nt", reason="links as POSIX has them")
def test_nothing_is_written_or_read_through_a_link(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret")
    folder = opened(tmp_path / "site")
    site = tmp_path / "site"
    (site / "api").symlink_to(outside)
    (site / "dead").symlink_to(tmp_path / "nowhere")
    (site / "secret.md").symlink_to(outside / "secret.md")
    os.mkfifo(site / "pipe.md")
    for name in ("api/a.md", "api/deep/a.md", "dead/a.md"):
        with pytest.raises(InvalidArgument, match="link"):
            folder.write(name, b"text")
    assert folder.read("secret.md") is None
    assert folder.read("api/secret.md") is None
    assert folder.read("pipe.md") is None
    folder.write("secret.md", b"page")
    assert not (site / "secret.md").is_symlink()
    assert (outside / "secret.md").read_text() == "secret"
    assert os.listdir(outside) == ["secret.md"]
    assert not (tmp_path / "nowhere").exists()
    folder.close()
    os.remove(site / "manifest.ndjson")
    (site / "manifest.ndjson").symlink_to(outside / "manifest")
    with pytest.raises(InvalidArgument, match="not a file"):
        opened(site)
    assert os.listdir(outside) == ["secret.md"]


def test_the_list_is_nested_by_paths():
    pages = [
        ("home.md", "Home"), ("guide/index.md", "Guide"), ("guide/a(b).md", "A"), ("api.md", "API"), ("zoo.md", "Zoo"),
        ("api/x/y/one.md", "One"), ("org/ex/package-summary.md", "org.ex"), ("org/ex/Kettle.md", "Kettle"),
    ]  # fmt: skip
    assert list_of_pages(pages, "Kettles", "8 pages.") == (
        "# Kettles\n\n8 pages.\n\n"
        "- [Home](home.md)\n"
        "- [Guide](guide/index.md)\n"
        "  - [A](guide/a%28b%29.md)\n"
        "- [API](api.md)\n"
        "  - [One](api/x/y/one.md)\n"
        "- [Zoo](zoo.md)\n"
        "- [org.ex](org/ex/package-summary.md)\n"
        "  - [Kettle](org/ex/Kettle.md)\n"
    )


@pytest.mark.parametrize(
    ("titles", "expected"),
    [
        (["A - Kettle", "B - Kettle", "C - Kettle", "Home"], ["A", "B", "C", "Home"]),
        (["Kettle: A", "Kettle: B", "Kettle: C"], ["A", "B", "C"]),
        (["Top (Kettle 2)", "Lid (Kettle 2)", "Spout (Kettle 2)"], ["Top", "Lid", "Spout"]),
        (["A - Linux", "B - Mac", "C - Windows"], ["A - Linux", "B - Mac", "C - Windows"]),
        (["A - Kettle", "B - Kettle"], ["A - Kettle", "B - Kettle"]),
        ([], []),
    ],
)
def test_the_name_of_the_site_is_cut_from_titles(titles, expected):
    assert without_site_name(titles) == expected


def test_titles_are_text():
    assert title_as_markdown(" [x](y)\n`z` ", "n") == "\\[x\\](y) \\`z\\`"
    assert title_as_markdown("", "name") == "name"
    assert relative("a/b c.md", "a/d/e.md") == "../b%20c.md"


def test_temporary_files_of_a_killed_run_are_removed_and_others_stay(tmp_path):
    folder = Folder(str(tmp_path / "site"))
    folder.open()
    folder.begin(start="https://a.example/")
    folder.close()
    inside = tmp_path / "site" / "api"
    inside.mkdir()
    (inside / "x.md.0123456789abcdef.part").write_text("half")
    (inside / "mine.part").write_text("mine")
    again = Folder(str(tmp_path / "site"))
    again.open()
    again.close()
    assert [path.name for path in inside.iterdir()] == ["mine.part"]


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b"])
def test_a_name_that_no_folder_can_have_is_refused(tmp_path, name):
    with pytest.raises(InvalidArgument, match="cannot be written"):
        Folder(str(tmp_path / name)).open()
