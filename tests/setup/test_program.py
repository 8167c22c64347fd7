"""webtool install from a package that pip, pipx or uv put into a folder; environments that are deleted later."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

from webtool.errors import InvalidArgument
from webtool.setup import tool_links

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAMES = ["web-fetch-tool", "web-search-brave-tool", "web-search-duckduckgo-tool", "web-search-google-tool"]
posix = pytest.mark.skipif(os.name != "posix", reason="links and scripts of POSIX")


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A folder like site-packages."""
    folder = tmp_path_factory.mktemp("it's a 100% site")
    shutil.copytree(ROOT / "webtool", folder / "webtool", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def run(argv, **environ):
    environ = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], **environ}
    return subprocess.run(argv, capture_output=True, timeout=60, env=environ, stdin=subprocess.DEVNULL, cwd="/")


def install(package, folder, *flags):
    return run([sys.executable, "-m", "webtool", "install", str(folder), *flags], PYTHONPATH=str(package))


@posix
def test_an_installed_package_makes_scripts_that_run_it(package, tmp_path):
    target = tmp_path / "a folder with spaces and ü"
    for _ in range(2):
        done = install(package, target)
        assert done.returncode == 0, done.stderr
    assert sorted(os.listdir(target)) == NAMES
    done = run([str(target / "web-fetch-tool"), "--schema"])
    assert json.loads(done.stdout)["name"] == "web_fetch", done.stderr
    done = subprocess.run([str(target / "web-fetch-tool")], input=b'{"url": "x y"}', capture_output=True, timeout=60)
    assert json.loads(done.stdout)["error_code"] == "INVALID_URL"


@posix
def test_scripts_replace_our_links_and_leave_other_tools_alone(package, archive, tmp_path):
    assert run([str(archive), "install", str(tmp_path)]).returncode == 0
    assert install(package, tmp_path).returncode == 0
    assert (tmp_path / "webtool.pyz").read_bytes() == archive.read_bytes()
    assert not (tmp_path / "web-fetch-tool").is_symlink()
    assert run([str(archive), "install", str(tmp_path)]).returncode == 0
    assert (tmp_path / "web-fetch-tool").is_symlink()
    (tmp_path / "web-fetch-tool").unlink()
    (tmp_path / "web-fetch-tool").write_text("#!/bin/sh\n")
    done = install(package, tmp_path)
    assert (done.returncode, b"web-fetch-tool of another origin" in done.stderr) == (2, True)
    assert install(package, tmp_path, "--force").returncode == 0


def test_the_script_of_windows_doubles_per_cent_signs(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "executable", "C:\\100%\\python.exe")
    tool_links._run_package("C:\\site", str(tmp_path / "web-fetch-tool.cmd"))
    text = (tmp_path / "web-fetch-tool.cmd").read_text()
    assert '"C:\\100%%\\python.exe" -I -S -c "' in text
    assert '" "C:\\site" "%~f0" %*' in text


def test_a_checkout_names_the_build_command(tmp_path):
    done = install(ROOT, tmp_path)
    assert (done.returncode, b"python3 build.py --install DIR" in done.stderr) == (2, True)


TEMPORARY = [
    "/home/me/.cache/uv/archive-v0/Zx1/lib/python3.12/site-packages",
    "/home/me/.cache/uv/builds-v0/.tmpa/bin/python",
    "C:\\Users\\me\\AppData\\Local\\uv\\cache\\archive-v0\\x\\Lib\\site-packages",
    "/srv/uv/environments-v2/a-1/bin/python",
    "/home/me/.local/pipx/.cache/1f/lib/python3.12/site-packages",
    "/Users/me/Library/Caches/pipx/1f/bin/python",
]
LASTING = [
    "/home/me/.local/share/uv/tools/webtool-pyz/lib/python3.12/site-packages",
    "/home/me/.local/pipx/venvs/webtool-pyz/bin/python",
    "/home/me/.local/share/pipx/venvs/webtool-pyz/lib/python3.12/site-packages",
    "/home/me/.local/bin/webtool",
    "/srv/archive/uv/cached/lib",
    "/home/me/archive-v0",
]


@pytest.mark.parametrize(("path", "is_temporary"), [(p, True) for p in TEMPORARY] + [(p, False) for p in LASTING])
def test_an_environment_that_its_runner_deletes_is_refused(monkeypatch, path, is_temporary):
    monkeypatch.setattr(tool_links, "package_folder", lambda: path)
    if is_temporary:
        with pytest.raises(InvalidArgument, match="temporary environment"):
            tool_links.refuse_temporary()
    else:
        tool_links.refuse_temporary()
