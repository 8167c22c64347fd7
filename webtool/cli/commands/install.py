"""install DIR: put the -tool names into a tools directory. In: the command's words. Out: the exit status.

Tests: tests/test_build.py
"""

from __future__ import annotations

import os

from webtool.cli import flags
from webtool.errors import InvalidArgument
from webtool.setup import tool_links

OPTIONS = {"force": False}


def main(words: list[str]) -> int:
    """Install into the directory that is the only word. Returns the exit status. Raises InvalidArgument."""
    parsed = flags.parse(words, {}, OPTIONS)
    if len(parsed.plain) != 1 or not parsed.plain[0]:
        raise InvalidArgument("install takes one directory", hint="For ikigai: webtool install ~/.ikigai/tools")
    return tool_links.install(
        tool_links.program_path(), os.path.expanduser(parsed.plain[0]), force="force" in parsed.options
    )
