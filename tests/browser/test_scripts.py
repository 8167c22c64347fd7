"""The scripts that run in pages: each file parses, says what it does, and is read whole."""

import pathlib
import shutil
import subprocess

import pytest

from webtool.browser import scripts
from webtool.browser.behaviour import PageOptions, session_commands

FILES = sorted(pathlib.Path(scripts.__file__).parent.glob("*.js"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_script_begins_with_what_it_does(path):
    assert path.read_text(encoding="utf-8").startswith("// ")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_script_is_in_a_constant_as_a_whole(path):
    text = path.read_text(encoding="utf-8").rstrip("\n")
    if f"scripts.{path.stem}(" in scripts.SNAPSHOT:  # one that snapshot.js uses
        assert f"{path.stem}: {text}" in scripts.SNAPSHOT
    else:
        assert getattr(scripts, path.stem.upper()).startswith(text)


@pytest.mark.skipif(not shutil.which("node"), reason="needs node to parse JavaScript")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_script_parses(path):
    done = subprocess.run(["node", "--check", str(path)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("kind", "has_document"), [("page", False), ("iframe", True)])
def test_scripts_run_at_once_in_a_frame_that_has_its_document(kind, has_document):
    commands = session_commands(kind, PageOptions("agent", 1, 1))
    added = [values for method, values in commands if method == "Page.addScriptToEvaluateOnNewDocument"]
    assert [values["runImmediately"] for values in added] == [has_document] * 2
