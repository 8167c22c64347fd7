"""Find the running webtool: the folder of its package, and whether that is in a temporary environment.

In: this module's own path and the Python that runs. Out: a path, or an error.

Tests: tests/setup/test_program.py
"""

from __future__ import annotations

import os
import sys

import webtool
from webtool.errors import InvalidArgument
from webtool.lean import patterns

# Caches of `uvx` and `pipx run`, which delete their environments: ~/.cache/uv/archive-v0/x/, ~/.local/pipx/.cache/x/
_TEMPORARY = patterns.compile(
    r"[\\/](?:(?:archive|environments|builds)-v\d+|\.?[Cc]aches?[\\/](?:uv|pipx)|pipx[\\/]\.cache)[\\/]"
)


def package_folder() -> str:
    """Return the folder that holds the package `webtool`; of an archive, a path into the archive."""
    return os.path.dirname(os.path.dirname(os.path.abspath(webtool.__file__ or "")))


def refuse_temporary() -> None:
    """Raise InvalidArgument if the package or its Python is in an environment that its runner deletes later.

    Example: `uvx --from . webtool mcp --install cursor`; the host would start a program that is gone.
    """
    for path in (package_folder(), sys.executable or ""):
        if _TEMPORARY.search(path):
            raise InvalidArgument(
                f"webtool runs in a temporary environment, {path}, which is deleted later",
                hint="Install it with uv tool, pipx or pip, then run the installed command; or use dist/webtool.pyz.",
            )
