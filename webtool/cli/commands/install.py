"""install DIR: one copy of the archive and the -tool names as relative links to it.

Where links are refused, as on Windows without developer mode, each name is a copy.
"""

from __future__ import annotations

import os
import shutil
import sys

from webtool import registry
from webtool.cli import flags
from webtool.errors import InvalidArgument
from webtool.output import write_all

FILE_NAME = "webtool.pyz"
USAGE = """Usage: webtool install DIR [--force]

Puts one copy of webtool into DIR and links the -tool names to it, so that an agent host finds them:
  webtool install ~/.ikigai/tools      for this user
  webtool install .ikigai/tools        for this project

A tool of yours that has one of the names is left alone and named; --force replaces it.
"""


def main(words: list[str]) -> int:
    """The command: one word, the directory. Raises InvalidArgument."""
    parsed = flags.parse(words, {}, {"help": False, "force": False})
    if "help" in parsed.options:
        write_all(1, USAGE.encode("utf-8"))
        return 0
    if len(parsed.plain) != 1 or not parsed.plain[0]:
        raise InvalidArgument("install takes one directory", hint="For ikigai: webtool install ~/.ikigai/tools")
    return install(archive_path(), os.path.expanduser(parsed.plain[0]), force="force" in parsed.options)


def archive_path() -> str:
    """The archive that is running. Raises InvalidArgument in a checkout, which has none."""
    path = os.path.realpath(sys.argv[0])
    loader = globals().get("__loader__")
    path = getattr(loader, "archive", path)
    if not os.path.isfile(path) or not path_is_archive(path):
        raise InvalidArgument("this is a checkout, not the built file", hint="Use: python3 build.py --install DIR")
    return os.path.realpath(path)


def path_is_archive(path: str) -> bool:
    """Whether the file is a built webtool."""
    import zipfile

    try:
        with zipfile.ZipFile(path) as archive:
            return "webtool/dispatch.py" in archive.namelist()
    except (OSError, zipfile.BadZipFile):
        return False


def install(archive: str, folder: str, force: bool = False) -> int:
    """Copy the archive into the folder and link the names to the copy. Returns 0.

    Raises InvalidArgument, before anything is changed where a name is taken by a tool that is not webtool's and `force`
    is not given.
    """
    target = os.path.join(folder, FILE_NAME)
    foreign = [name for name in (FILE_NAME, *registry.HOST_NAMES) if not _is_ours(os.path.join(folder, name))]
    if foreign and not force:
        raise InvalidArgument(
            f"{folder} has {', '.join(foreign)} of another origin; nothing was changed",
            hint="Move them away, install into another directory, or replace them with --force.",
        )
    try:
        os.makedirs(folder, exist_ok=True)
        if not (os.path.exists(target) and os.path.samefile(archive, target)):
            _copy(archive, target)
        lines = [target] + [
            f"{os.path.join(folder, name)} -> {link(target, os.path.join(folder, name))}"
            for name in registry.HOST_NAMES
        ]
    except OSError as exc:
        raise InvalidArgument(
            f"cannot install into {folder}: {exc.strerror or exc}", hint="Name a directory that you can write to."
        ) from exc
    write_all(1, ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape"))
    return 0


def link(target: str, name: str) -> str:
    """Make `name` a relative link to `target` in the same folder; returns what it points to, or "a copy"."""
    if os.path.islink(name) and os.readlink(name) == os.path.basename(target):
        return os.path.basename(target)
    if os.path.lexists(name):
        os.unlink(name)
    try:
        os.symlink(os.path.basename(target), name)
    except (OSError, NotImplementedError, AttributeError):
        _copy(target, name)
        return "a copy"
    return os.path.basename(target)


def _is_ours(path: str) -> bool:
    """Whether nothing is lost by replacing what is there: nothing, a link to the archive, or a copy of it."""
    if os.path.islink(path):
        return os.path.basename(os.readlink(path)) == FILE_NAME
    return not os.path.lexists(path) or (os.path.isfile(path) and path_is_archive(path))


def _copy(source: str, target: str) -> None:
    """Copy beside and rename over: whoever runs the old file keeps it."""
    partial = f"{target}.{os.getpid()}.part"
    shutil.copyfile(source, partial)
    os.chmod(partial, 0o755)
    os.replace(partial, target)
