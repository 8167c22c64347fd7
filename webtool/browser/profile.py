"""Where a browser's profile goes: a new folder that the browser can use and that we can remove.

On Linux the browser's temporary files go into it too (`flags.environment`), and among them is the socket by which a
second start would find the first: Chromium ends at once with "Socket path too long" where its path does not fit
sockaddr_un (unix(7): 108 bytes with the final NUL). Agent hosts and batch systems give long folders in TMPDIR.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping

SHORT_FOLDER = "/tmp"
_PREFIX = "webtool-"
_LONGEST = 107 - len(f"/{_PREFIX}12345678/org.chromium.Chromium.123456/SingletonSocket")  # bytes for the folder above


def make_folder(browser: str, environ: Mapping[str, str]) -> str:
    """A new folder, 0700; OSError where none can be had."""
    return tempfile.mkdtemp(prefix=_PREFIX, dir=_snaps_folder(browser, environ) or _short_folder())


def _snaps_folder(browser: str, environ: Mapping[str, str]) -> str | None:
    """A snap has a /tmp of its own, where we could not remove it, so it goes where both can see."""
    program = os.path.realpath(browser)
    if not program.startswith("/snap/") and program != "/usr/bin/snap":
        return None
    shared = os.path.join(environ.get("HOME", ""), "snap", "chromium", "common")
    return shared if os.path.isdir(shared) else None


def _short_folder() -> str | None:
    """Another folder than the usual one, where that is too long for the socket and there is a shorter one."""
    usual = os.fsencode(tempfile.gettempdir())
    if not sys.platform.startswith("linux") or len(usual) <= _LONGEST:
        return None
    return SHORT_FOLDER if os.access(SHORT_FOLDER, os.W_OK | os.X_OK) else None
