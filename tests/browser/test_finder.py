"""Which browser is taken, on three platforms, without looking at this machine."""

import pytest

from webtool.browser.launch import candidates, find_browser
from webtool.errors import RenderFailed

FOUND = [
    ("linux", {"PATH": "/a:/b"}, {"/b/chromium", "/b/google-chrome"}, "/b/chromium"),
    ("linux", {"PATH": "/a:/b"}, {"/b/chrome-headless-shell", "/a/chromium"}, "/b/chrome-headless-shell"),
    ("linux", {"PATH": "/a"}, {"/opt/google/chrome/chrome"}, "/opt/google/chrome/chrome"),
    ("linux", {}, {"/snap/bin/chromium"}, "/snap/bin/chromium"),
    ("linux", {"PATH": ":/a:"}, {"/a/brave-browser", "/a/chromium-browser"}, "/a/brave-browser"),
    (
        "darwin",
        {"PATH": "/usr/bin", "HOME": "/Users/u"},
        {"/Users/u/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"},
        "/Users/u/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ),
    (
        "win32",
        {"PATH": r"C:\x;D:\y", "ProgramFiles(x86)": r"C:\Program Files (x86)"},
        {r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe"},
        r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
    ),
    (
        "win32",
        {"PROGRAMFILES": r"C:\Programme"},
        {r"C:\Programme\Google\Chrome\Application\chrome.exe"},
        r"C:\Programme\Google\Chrome\Application\chrome.exe",
    ),
    ("win32", {"PATH": r"C:\x;D:\y"}, {r"D:\y\chrome.exe"}, r"D:\y\chrome.exe"),
]


@pytest.mark.parametrize(("platform", "environ", "programs", "expected"), FOUND)
def test_first_program_in_the_usual_order_is_taken(platform, environ, programs, expected):
    assert find_browser("", environ, platform=platform, is_program=programs.__contains__) == expected


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_nothing_found_names_the_setting(platform):
    with pytest.raises(RenderFailed) as caught:
        find_browser("", {"PATH": "/a", "HOME": "/h"}, platform=platform, is_program=lambda path: False)
    assert "WEBTOOL_BROWSER" in caught.value.hint


def test_setting_wins_and_is_not_replaced_by_another(tmp_path, monkeypatch):
    program = tmp_path / "mine"
    program.write_text("#!/bin/sh\n")
    with pytest.raises(RenderFailed, match="cannot be executed"):
        find_browser(str(program), {"PATH": "/usr/bin"})
    program.chmod(0o755)
    assert find_browser(str(program), {"PATH": "/usr/bin"}) == str(program)
    assert find_browser("mine", {"PATH": str(tmp_path)}) == str(program)
    with pytest.raises(RenderFailed, match="does not exist"):
        find_browser(str(tmp_path / "other"), {"PATH": "/usr/bin"})
    with pytest.raises(RenderFailed, match="not on PATH"):
        find_browser("other", {"PATH": str(tmp_path)})
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RenderFailed, match="not on PATH"):
        find_browser("mine", {})


def test_folders_are_no_programs(tmp_path):
    (tmp_path / "chromium").mkdir()
    assert str(tmp_path / "chromium") in list(candidates({"PATH": str(tmp_path)}, "linux"))
    with pytest.raises(RenderFailed):
        find_browser(str(tmp_path / "chromium"), {})
