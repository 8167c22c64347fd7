"""The functions of `import webtool`: their names, their parameters' names, values and errors."""

import os
import pathlib
import runpy
import subprocess
import sys

import pytest

import webtool
from webtool.errors import WebtoolError

PAGE = "<html lang=en><title>T</title><h1>Head</h1><p>One <a href=/x>two</a>.</p></html>"
SOURCES = [PAGE, PAGE.encode(), bytearray(PAGE.encode()), memoryview(PAGE.encode()), webtool.parse_html(PAGE)]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: type(source).__name__)
def test_html_comes_in_any_form(source):
    assert (
        webtool.to_markdown(html=source, base_url="https://a.example/") == "# Head\n\nOne [two](https://a.example/x).\n"
    )
    found = webtool.extract(html=source, base_url="https://a.example/", strategy="plain_text")
    assert (found.title, found.strategy_used, found.language) == ("T", "plain_text", "en")
    assert "One two." in found.text


@pytest.mark.parametrize("source", [None, 5, ["<p>"], {"html": "<p>"}])
def test_what_is_no_html_is_refused_by_its_type(source):
    for function in (webtool.to_markdown, webtool.extract):
        with pytest.raises(WebtoolError, match=f"html is {type(source).__name__}") as caught:
            function(source)
        assert caught.value.code == "INVALID_ARGUMENT"


# function, arguments, code of the error
REFUSED = [
    (webtool.run, ("no_such_tool", {}), "INVALID_ARGUMENT"),
    (webtool.run, ("web_fetch", {}), "INVALID_ARGUMENT"),
    (webtool.run, ("web_fetch", {"url": 5}), "INVALID_ARGUMENT"),
    (webtool.run, ("fetch", {"url": "ftp://a.example/"}), "INVALID_URL"),
    (webtool.run, ("fetch", "https://a.example/"), "INVALID_REQUEST"),
    (webtool.run, ("fetch", None), "INVALID_REQUEST"),
    (webtool.fetch, ("http://127.0.0.1/",), "SSRF_BLOCKED"),
    (webtool.search, ("tides", "no_such_provider"), "INVALID_ARGUMENT"),
    (webtool.search, ("x",), "INVALID_ARGUMENT"),
    (webtool.extract, ("<p>x", None, "no_such_strategy"), "INVALID_ARGUMENT"),
]


@pytest.mark.parametrize(("function", "arguments", "code"), REFUSED)
def test_failures_are_coded_as_on_every_surface(function, arguments, code, monkeypatch):
    monkeypatch.delenv("WEBTOOL_ALLOW_PRIVATE_HOSTS", raising=False)
    with pytest.raises(WebtoolError) as caught:
        function(*arguments)
    assert caught.value.code == code
    assert caught.value.hint


def test_a_tree_has_tags_attributes_children_and_text():
    root = webtool.parse_html(b"<p class=a>One <b>two</b></p>")
    body = root.children[-1].children[-1]
    paragraph = body.children[0]
    assert (paragraph.tag, paragraph.attrs["class"], paragraph.text) == ("p", "a", "One two")
    assert [child.tag for child in paragraph.children] == [None, "b"]
    assert [child.tag for child in webtool.parse_fragment("<td>x", "tr").children] == ["td"]
    assert webtool.sniff_encoding(b"", content_type="text/html; charset=latin1") == "windows-1252"


def test_the_archive_is_a_library_too(archive):
    script = "import webtool; print(webtool.to_markdown('<h1>x'), webtool.extract('<p>y').markdown)"
    environ = {**os.environ, "PYTHONPATH": str(archive)}
    command = [sys.executable, "-W", "error", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, env=environ, cwd=archive.parent, timeout=60)
    assert (done.stdout.split(), done.stderr) == (["#", "x", "y"], "")


def test_importing_it_imports_nothing_else():
    script = "import sys; import webtool; print([name for name in sys.modules if name.startswith('webtool.')])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() in ("[]", "['webtool.bundle']")


def test_the_typed_program_runs():
    """mypy checks the same file; here it does what its types say."""
    path = pathlib.Path(__file__).with_name("typed_program.py")
    found = runpy.run_path(str(path))["main"]()
    assert found[0] == "Tides"
    assert "two tides a day" in found[3]
    assert found[4] == "3"
