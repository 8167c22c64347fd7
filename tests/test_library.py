"""The library, `import webtool`: its public names, their parameters, values and errors."""

import ast
import functools
import importlib
import json
import os
import pathlib
import pydoc
import re
import runpy
import shutil
import subprocess
import sys

import pytest

import webtool
from webtool.cli import topics
from webtool.errors import WebtoolError

PAGE = "<html lang=en><title>T</title><h1>Head</h1><p>One <a href=/x>two</a>.</p></html>"
# Names that programs import from webtool. Removing or moving one breaks their programs.
PUBLIC_NAMES = [
    "__version__", "to_markdown", "extract", "parse_html", "parse_fragment", "sniff_encoding", "fetch", "search", "run",
    "open", "Extraction",
    "outline", "section", "find", "excerpt", "verify", "extract_many", "to_markdown_many", "records",
    "archives.pages", "archives.records", "archives.Record", "archives.Records",
    "html.parse_html", "html.parse_fragment", "html.sniff_encoding",
    "errors.WebtoolError", "settings.Settings",
]  # fmt: skip
TESTS = pathlib.Path(__file__).parent
SOURCES = [PAGE, PAGE.encode(), bytearray(PAGE.encode()), memoryview(PAGE.encode()), webtool.parse_html(PAGE)]


@pytest.mark.parametrize("name", PUBLIC_NAMES)
def test_every_public_name_can_be_imported(name):
    module, _, attribute = f"webtool.{name}".rpartition(".")
    assert hasattr(importlib.import_module(module), attribute)


def test_functions_and_archives_need_no_import_but_webtool():
    names = [name for name in PUBLIC_NAMES if "." not in name or name.startswith("archives.")]
    script = "import webtool; " + "; ".join(f"webtool.{name}" for name in names)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_help_lists_every_function_with_its_docstring():
    text = pydoc.plain(pydoc.render_doc(webtool))
    for name in webtool._LIBRARY:
        assert f"    {name}(" in text or name == "Extraction", name
        docstring = getattr(webtool, name).__doc__
        assert docstring.split("\n")[0] in text, name
    assert "__getattr__" not in text
    assert "__dir__" not in text


def test_a_star_import_gives_the_functions_and_leaves_open_alone():
    names = {}
    exec("from webtool import *", names)
    assert {name for name in names if name[:1] != "_"} == set(webtool._LIBRARY) - {"open"} == set(webtool.__all__)


def test_importing_webtool_imports_nothing_else():
    script = "import sys, webtool; print([name for name in sys.modules if name.startswith('webtool.')])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout == "[]\n"


def dotted_names(code):
    """Yield the names below webtool that Python code uses: "archives.pages" for webtool.archives.pages(stream)."""
    for node in ast.walk(ast.parse(code)):
        parts = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if parts and isinstance(node, ast.Name) and node.id == "webtool":
            yield ".".join(reversed(parts))


def test_readme_and_examples_use_public_names_only():
    readme = (TESTS.parent / "README.md").read_text(encoding="utf-8")
    programs = re.findall(r"```python\n(.*?)```", readme, re.S)
    programs += [path.read_text(encoding="utf-8") for path in sorted((TESTS / "examples").glob("*.py"))]
    used = {name for program in programs for name in dotted_names(program)}
    used |= set(re.findall(r"^ +(?:.* in )?webtool\.((?:archives\.)?[a-z_]+)\(", topics.raw_text("python"), re.M))
    assert {"to_markdown", "extract_many", "archives.pages", "outline"} <= used
    assert used <= {*PUBLIC_NAMES, "archives"}  # webtool.archives.pages contains webtool.archives


def test_every_name_of_the_library_table_is_public():
    assert set(webtool._LIBRARY) <= set(PUBLIC_NAMES)


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: type(source).__name__)
def test_html_may_be_text_bytes_or_a_tree(source):
    assert (
        webtool.to_markdown(html=source, base_url="https://a.example/") == "# Head\n\nOne [two](https://a.example/x).\n"
    )
    extraction = webtool.extract(html=source, base_url="https://a.example/", strategy="plain_text")
    assert (extraction.title, extraction.strategy_used, extraction.language) == ("T", "plain_text", "en")
    assert "One two." in extraction.text


@pytest.mark.parametrize("source", [None, 5, ["<p>"], {"html": "<p>"}])
def test_an_argument_that_cannot_be_html_is_refused_by_its_type(source):
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
    (functools.partial(webtool.extract, char_treshold=5), ("<p>x",), "INVALID_ARGUMENT"),
    (functools.partial(webtool.search, freshnes="pd"), ("tides",), "INVALID_ARGUMENT"),
]


@pytest.mark.parametrize(("function", "arguments", "code"), REFUSED)
def test_failures_have_the_codes_of_every_interface(function, arguments, code, monkeypatch):
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


def test_the_archive_can_be_imported(archive):
    script = "import webtool; print(webtool.to_markdown('<h1>x'), webtool.extract('<p>y').markdown)"
    environ = {**os.environ, "PYTHONPATH": str(archive)}
    command = [sys.executable, "-W", "error", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, env=environ, cwd=archive.parent, timeout=60)
    assert (done.stdout.split(), done.stderr) == (["#", "x", "y"], "")


def test_import_webtool_imports_no_other_module():
    script = "import sys; import webtool; print([name for name in sys.modules if name.startswith('webtool.')])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() in ("[]", "['webtool.bundle']")


def test_the_typed_program_runs():
    """mypy checks the types of the same file."""
    path = pathlib.Path(__file__).with_name("typed_program.py")
    results = runpy.run_path(str(path))["main"]()
    assert results[0] == "Tides"
    assert "two tides a day" in results[3]
    assert results[4] == "verbatim"


def test_pyright_accepts_the_typed_program(tmp_path):
    pyright = shutil.which("pyright")
    if pyright is None:
        pytest.skip("pyright is not installed (npm install -g pyright)")
    config = {"extraPaths": [str(TESTS.parent)], "typeCheckingMode": "strict", "include": ["typed_program.py"]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(config), encoding="utf-8")
    shutil.copy(TESTS / "typed_program.py", tmp_path)
    done = subprocess.run([pyright, "-p", str(tmp_path)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout
