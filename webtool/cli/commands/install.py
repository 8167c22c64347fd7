"""install DIR: put the -tool names into a tools directory. In: words. Out: the exit status."""

from __future__ import annotations

import os

from webtool.cli import flags
from webtool.errors import InvalidArgument
from webtool.setup import tool_links


def main(words: list[str]) -> int:
    """The command: one word, the directory. Raises InvalidArgument."""
    parsed = flags.parse(words, {}, {"force": False})
    if len(parsed.plain) != 1 or not parsed.plain[0]:
        raise InvalidArgument("install takes one directory", hint="For ikigai: webtool install ~/.ikigai/tools")
    return tool_links.install(
        tool_links.archive_path(), os.path.expanduser(parsed.plain[0]), force="force" in parsed.options
    )
