"""Find a Chromium-based browser. In: the `browser` setting, the environment, the platform. Out: a path to run.

Chromium, Chrome, Edge, Brave and the headless shell all speak the DevTools protocol. Nothing is started here.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping

from webtool.errors import RenderFailed

# The headless shell is the same engine without a desktop browser around it: it starts faster and needs less memory.
# On Ubuntu, chromium-browser is a script around the snap, which has its own view of /tmp, so it is the last.
NAMES = (
    "chrome-headless-shell chromium-headless-shell chromium google-chrome-stable google-chrome chrome "
    "microsoft-edge-stable microsoft-edge msedge brave-browser brave chromium-browser"
).split()

LINUX_PATHS = (
    "/usr/lib/chromium/chromium", "/opt/google/chrome/chrome", "/opt/microsoft/msedge/msedge",
    "/opt/brave.com/brave/brave", "/snap/bin/chromium", "/var/lib/flatpak/exports/bin/org.chromium.Chromium",
)  # fmt: skip

MACOS_APPLICATIONS = (
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Chromium.app/Contents/MacOS/Chromium",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "Brave Browser.app/Contents/MacOS/Brave Browser",
)

WINDOWS_PROGRAMS = (
    r"Google\Chrome\Application\chrome.exe",
    r"Chromium\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
    r"BraveSoftware\Brave-Browser\Application\brave.exe",
)
WINDOWS_FOLDERS = ("ProgramFiles", "ProgramFiles(x86)", "ProgramW6432", "LOCALAPPDATA")

_HINT = "Install Chromium, Chrome or Edge, or set WEBTOOL_BROWSER to the path of one."


def find_browser(
    setting: str,
    environ: Mapping[str, str],
    *,
    platform: str = sys.platform,
    is_program: Callable[[str], bool] | None = None,
) -> str:
    """Return the path of the browser: the setting (a path or a name on PATH), else the first candidate that exists.

    Raises RenderFailed if the setting names nothing that can be run, or without a browser.
    """
    runs = is_program or _is_program
    if setting:
        return _from_setting(setting, environ, runs)
    for path in candidates(environ, platform):
        if runs(path):
            return path
    raise RenderFailed("No Chromium, Chrome, Edge or Brave was found on this machine", hint=_HINT)


def candidates(environ: Mapping[str, str], platform: str) -> Iterator[str]:
    """Every path worth a look, the best first."""
    suffix, separator = (".exe", ";") if platform == "win32" else ("", ":")
    folders = [folder for folder in environ.get("PATH", "").split(separator) if folder]
    for name in NAMES:
        for folder in folders:
            yield _join(platform, folder, name + suffix)
    if platform == "win32":
        folders_of = {name.upper(): value for name, value in environ.items()}  # names have no case there
        bases = [base for name in WINDOWS_FOLDERS if (base := folders_of.get(name.upper()))]
        yield from (_join(platform, base, program) for program in WINDOWS_PROGRAMS for base in bases)
    elif platform == "darwin":
        bases = ["/Applications"] + ([environ["HOME"] + "/Applications"] if environ.get("HOME") else [])
        yield from (f"{base}/{program}" for program in MACOS_APPLICATIONS for base in bases)
    else:
        yield from LINUX_PATHS


def _from_setting(setting: str, environ: Mapping[str, str], runs: Callable[[str], bool]) -> str:
    path = os.path.expanduser(setting)
    if os.path.dirname(path):
        if runs(path):
            return path
        reason = "cannot be executed" if os.path.exists(path) else "does not exist"
        raise RenderFailed(f"The browser {path} {reason}", hint=_HINT)
    program = shutil.which(path, path=environ.get("PATH", ""))
    if program is None:
        raise RenderFailed(f"The browser {setting!r} is not on PATH", hint=_HINT)
    return program


def _is_program(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def _join(platform: str, folder: str, name: str) -> str:
    return folder.rstrip("\\/") + ("\\" if platform == "win32" else "/") + name
