"""Which executables a host would register: rules, limits, precedence, and that one bad tool spoils nothing."""

import json
import os
import stat
import subprocess
import time

import pytest

from webtool.cli.commands import tools

pytestmark = pytest.mark.skipif(os.name != "posix", reason="executables as scripts")

GOOD = '{"name": "%s", "description": "x", "parameters": {"type": "object", "properties": {}}}'


def tool(folder, name, body, mode=0o755):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text("#!/bin/sh\n" + body + "\n")
    path.chmod(mode)
    return path


def printing(text):
    return f"cat <<'END'\n{text}\nEND"


@pytest.fixture(autouse=True)
def _patience(monkeypatch, request):
    """A second is the host's limit; good tools get more here, where a busy machine may need it to start them."""
    if "late" not in request.node.name:
        monkeypatch.setattr(tools, "MAX_SECONDS", 30.0)


# file name, script, a part of the reason
REJECTED = [
    ("late-tool", "exec sleep 30", "took longer than 1 s"),
    ("late-child-tool", "sleep 30 &\nsleep 30", "took longer than 1 s"),
    ("late-daemon-tool", "setsid sleep 30 &\nsleep 30", "took longer than 1 s"),
    ("long-tool", "head -c 9000 /dev/zero | tr '\\0' x", "more than 8191 bytes"),
    ("endless-tool", "yes", "more than 8191 bytes"),
    ("failing-tool", printing(GOOD % "a") + "\nexit 3", "ended with status 3"),
    ("text-tool", "echo hello", "no valid JSON"),
    ("dash-tool", printing(GOOD % "a-b"), "alphanumeric"),
    ("empty-tool", ":", "no valid JSON"),
    ("argument-tool", f'[ "$#" = 1 ] && [ "$1" = --schema ] && exit 9\n{printing(GOOD % "a")}', "status 9"),
]


@pytest.mark.parametrize(("name", "script", "reason"), REJECTED)
def test_a_tool_that_breaks_a_rule_is_rejected_with_the_reason(tmp_path, name, script, reason):
    path = tool(tmp_path, name, script)
    started = time.monotonic()
    (finding,) = tools.find([(str(tmp_path), "given")])
    assert reason in finding.problem
    assert finding.path == str(path)
    assert time.monotonic() - started < 20


def test_a_program_that_cannot_start_is_rejected(tmp_path):
    path = tmp_path / "x-tool"
    path.write_text("no start line\n")
    path.chmod(stat.S_IRWXU)
    (finding,) = tools.find([(str(tmp_path), "given")])
    assert finding.problem


def test_other_files_are_ignored(tmp_path):
    tool(tmp_path, "plain", printing(GOOD % "a"))
    tool(tmp_path, "not-executable-tool", printing(GOOD % "a"), mode=0o644)
    (tmp_path / "folder-tool").mkdir()
    assert tools.find([(str(tmp_path), "given"), (str(tmp_path / "missing"), "given")]) == []


def test_later_places_override_earlier_ones_and_others_still_load(tmp_path):
    tool(tmp_path / "system", "one-tool", printing(GOOD % "one"))
    tool(tmp_path / "system", "two-tool", printing(GOOD % "two"))
    tool(tmp_path / "user", "one-tool", printing(GOOD % "one"))
    tool(tmp_path / "user", "bad-tool", "exit 1")
    tool(tmp_path / "project", "two-tool", "exit 1")
    places = [(str(tmp_path / name), name) for name in ("system", "user", "project")]
    findings = {(one.name, one.origin): one for one in tools.find(places)}
    assert findings["one", "system"].overridden_by == findings["one", "user"].path
    assert findings["one", "user"].overridden_by == ""
    assert findings["two", "system"].overridden_by == "", "a rejected tool overrides nothing"
    assert findings["two", "project"].problem
    assert findings["bad", "user"].problem


def run(archive, *words, cwd=None, home=None):
    environment = {"PATH": os.environ["PATH"], "HOME": str(home or cwd or "/")}
    return subprocess.run([str(archive), *words], capture_output=True, timeout=120, cwd=cwd, env=environment)


def run_in_time(archive, *words, **places):
    """run(), again where the machine was too busy to start a good tool within the host's second."""
    until = time.monotonic() + 60
    done = run(archive, *words, **places)
    while b"took longer" in done.stdout and time.monotonic() < until:
        done = run(archive, *words, **places)
    return done


def test_our_own_names_are_registered(archive):
    done = run_in_time(archive, "tools", str(archive.parent), "--json")
    listing = json.loads(done.stdout)
    assert done.returncode == 0
    assert {one["name"] for one in listing["tools"]} == {
        "web_fetch", "web_search_brave", "web_search_duckduckgo", "web_search_google",
    }  # fmt: skip
    assert listing["rejected"] == []


def test_the_folders_of_user_and_project_are_searched(archive, tmp_path):
    home, project = tmp_path / "home", tmp_path / "project"
    tool(home / ".ikigai" / "tools", "one-tool", printing(GOOD % "one"))
    tool(project / ".ikigai" / "tools", "one-tool", printing(GOOD % "one"))
    tool(project / ".ikigai" / "tools", "bad-tool", "exit 4")
    done = run_in_time(archive, "tools", cwd=project, home=home)
    text = done.stdout.decode()
    assert done.returncode == 1
    assert "rejected: --schema ended with status 4" in text
    assert "overridden by" in text
    listing = json.loads(run_in_time(archive, "tools", "--json", cwd=project, home=home).stdout)
    assert [one["origin"] for one in listing["tools"] if one["name"] == "one"] == ["project"]


def test_without_tools_the_searched_folders_are_listed(archive, tmp_path):
    done = run(archive, "tools", cwd=tmp_path, home=tmp_path)
    assert ".ikigai/tools" in done.stdout.decode()
    assert "webtool install" in done.stdout.decode()
