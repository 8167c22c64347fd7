"""install DIR: one copy of the archive and the -tool names as relative links to it.

Where links are refused, as on Windows without developer mode, each name is a copy.
"""

from __future__ import annotations

import os
import shutil
import sys

from webtool import registry
from webtool.errors import InvalidArgument
from webtool.output import write_all

FILE_NAME = "webtool.pyz"


def main(words: list[str]) -> int:
    """The command: one word, the directory. Raises InvalidArgument."""
    if len(words) != 1 or words[0].startswith("-"):
        raise InvalidArgument("install takes one directory", hint="For ikigai: webtool install ~/.ikigai/tools")
    return install(archive_path(), words[0])


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

    return zipfile.is_zipfile(path)


def install(archive: str, folder: str) -> int:
    """Copy the archive into the folder and link the names to the copy. Returns 0; raises InvalidArgument."""
    target = os.path.join(folder, FILE_NAME)
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


def _copy(source: str, target: str) -> None:
    """Copy beside and rename over: whoever runs the old file keeps it."""
    partial = f"{target}.{os.getpid()}.part"
    shutil.copyfile(source, partial)
    os.chmod(partial, 0o755)
    os.replace(partial, target)
