"""Which file belongs to a host: exact names, www, wildcard parents, the user's folder, generators; no way out of it."""

import os

import pytest

from webtool.errors import InvalidArgument
from webtool.siteconfig import GENERATORS, find, names_of
from webtool.urls.hosts import MAX_NAME

NAMES = [
    ("x.example", ["x.example", "www.x.example", ".x.example"]),
    ("www.x.example", ["www.x.example", "x.example", ".www.x.example", ".x.example"]),
    ("A.B.x.Example.", ["a.b.x.example", "www.a.b.x.example", ".a.b.x.example", ".b.x.example", ".x.example"]),
    ("localhost", ["localhost"]),
    ("127.0.0.1", ["127.0.0.1", ".127.0.0.1", ".0.0.1", ".0.1"]),
    ("", []),
    ("[::1]", []),
    ("../../etc", []),
    ("a b.example", []),
    ("a." * MAX_NAME, []),
]  # fmt: skip


@pytest.mark.parametrize(("host", "names"), NAMES)
def test_a_host_has_these_file_names(host, names):
    assert names_of(host) == names


def write(folder, name, title="//h1"):
    (folder / f"{name}.txt").write_text(f"title: {title}\n", encoding="utf-8")


def test_the_longest_name_wins(tmp_path):
    for name in (".example", ".x.example", "x.example", "www.x.example"):
        write(tmp_path, name)
    assert find("www.x.example", str(tmp_path)).id == "www.x.example"
    assert find("x.example", str(tmp_path)).id == "x.example"
    assert find("deep.er.x.example", str(tmp_path)).id == ".x.example"
    assert find("y.example", str(tmp_path)) is None  # never for a whole top-level domain


def test_the_users_files_win_over_all_built_in_ones(tmp_path):
    assert find("github.com").id == "github.com"
    write(tmp_path, ".github.com", "//mine")
    rules = find("github.com", str(tmp_path))
    assert (rules.id, rules.title[0].text) == (".github.com", "//mine")
    write(tmp_path, "discourse", "//mine")
    assert find("", str(tmp_path), generator="Discourse 3").title[0].text == "//mine"


def test_www_belongs_to_the_name_without_it():
    assert find("www.github.com").id == find("GITHUB.com.").id == "github.com"
    assert find("notgithub.com") is None
    assert find("gist.github.com").id == "gist.github.com"


@pytest.mark.parametrize("name", GENERATORS)
def test_software_is_known_by_its_generator(name):
    assert find("x.example", generator=f"{name.title()} 3.1").id == name
    assert find("x.example", generator=f"not {name}") is None


def test_rules_of_the_host_win_over_those_of_its_software():
    assert find("en.wikipedia.org", generator="MediaWiki 1.45").id == ".wikipedia.org"


@pytest.mark.parametrize(
    "name",
    ["../secret", "..", "../sites/github.com", "/etc/passwd", "a/b", "a\\b", "C:secret", "\0", "x\n", "none.such", "é"],
)
def test_no_name_can_leave_the_folder(tmp_path, name):
    inside = tmp_path / "rules"
    inside.mkdir()
    write(tmp_path, "secret")
    with pytest.raises(InvalidArgument, match="unknown site rules"):
        find("", str(inside), chosen=name)
    assert find(name, str(inside)) is None


def test_an_unreadable_folder_has_no_rules(tmp_path):
    (tmp_path / "github.com.txt").mkdir()
    assert find("github.com", str(tmp_path)).id == "github.com"
    assert find("github.com", str(tmp_path / "missing")).id == "github.com"
    assert find("github.com", "nul\0byte").id == "github.com"


def test_bytes_that_are_not_text_are_reported(tmp_path):
    (tmp_path / "x.example.txt").write_bytes(b"\xff\xfe\x00bad\ntitle: //h1\n")
    rules = find("x.example", str(tmp_path))
    assert rules.problems
    assert len(rules.title) == 1


def test_names_may_have_capitals_and_www(tmp_path):
    write(tmp_path, "WWW.Capital.Example")
    assert find("capital.example", str(tmp_path)).title[0].text == "//h1"
    write(tmp_path, "Other.Example")
    assert find("other.example", str(tmp_path)).id == "other.example"


def test_files_of_a_host_are_merged_and_global_comes_last(tmp_path):
    write(tmp_path, "x.example", "//first")
    write(tmp_path, ".x.example", "//second")
    write(tmp_path, "global", "//third")
    assert [one.text for one in find("x.example", str(tmp_path)).title] == ["//first", "//second", "//third"]
    assert find("x.example", str(tmp_path)).id == "x.example"
    assert find("y.example", str(tmp_path)) is None
    assert find("y.example", str(tmp_path), or_global=True).id == "global"
    (tmp_path / "x.example.txt").write_text("title: //alone\nautodetect_on_failure: no\n", encoding="utf-8")
    assert [one.text for one in find("x.example", str(tmp_path)).title] == ["//alone"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_instead_of_a_file_is_not_read(tmp_path):
    os.mkfifo(tmp_path / "x.example.txt")
    assert find("x.example", str(tmp_path)) is None
