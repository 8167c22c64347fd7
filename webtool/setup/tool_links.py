"""The -tool names in a tools directory: one copy of the archive and relative links to it. In: a folder. Out: files.

Windows starts no file without an ending, so each name is a small .cmd file there. A file system that refuses symbolic
links gets copies. If the archive has no bytecode for this Python, it is added here once, so that starts do not compile.
A package that pip, pipx or uv installed has no archive: each name is a small script that runs the package.
Tests: tests/test_build.py, tests/setup/test_program.py
"""

from __future__ import annotations

import os
import shlex
import sys

import webtool
from webtool import bundle, registry
from webtool.errors import InvalidArgument
from webtool.lean import patterns
from webtool.output import replace_file, write_all, write_error

# Caches of `uvx` and `pipx run`, which delete their environments: ~/.cache/uv/archive-v0/x/, ~/.local/pipx/.cache/x/
_TEMPORARY = patterns.compile(
    r"[\\/](?:(?:archive|environments|builds)-v\d+|\.?[Cc]aches?[\\/](?:uv|pipx)|pipx[\\/]\.cache)[\\/]"
)
FILE_NAME = "webtool.pyz"
_MARK = "webtool's launcher, written by webtool install"  # a launcher has this line, so that it may be replaced


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


def program_path() -> str:
    """Return the archive that runs, or the folder of the installed package. Raises InvalidArgument in a checkout."""
    path = os.path.realpath(getattr(globals().get("__loader__"), "archive", sys.argv[0]))
    if os.path.isfile(path) and path_is_archive(path):
        return path
    home = package_folder()
    if os.path.isfile(os.path.join(home, "build.py")):
        raise InvalidArgument("this is a checkout, not the built file", hint="Use: python3 build.py --install DIR")
    refuse_temporary()
    return home


def path_is_archive(path: str) -> bool:
    """Whether the file is an archive that build.py made."""
    import zipfile

    try:
        with zipfile.ZipFile(path) as archive:
            return "webtool/bundle.py" in archive.namelist()
    except (OSError, zipfile.BadZipFile):
        return False


def install(source: str, folder: str, force: bool = False) -> int:
    """Make the -tool names in the folder, print what was made, and return 0. `source` is program_path().

    Raises InvalidArgument if the folder cannot be written. Raises it, and changes nothing, if one of the names is
    already a tool of another origin, unless `force` is set.
    """
    paths = [os.path.join(folder, name) for name in launcher_names()]
    copies = [] if os.path.isdir(source) else [os.path.join(folder, FILE_NAME)]  # a package has no archive to copy
    foreign = [os.path.basename(path) for path in (*copies, *paths) if not _is_ours(path)]
    if foreign and not force:
        raise InvalidArgument(
            f"{folder} has {', '.join(foreign)} of another origin; nothing was changed",
            hint="Move them away, install into another directory, or replace them with --force.",
        )
    try:
        os.makedirs(folder, exist_ok=True)
        if copies and not (os.path.exists(copies[0]) and os.path.samefile(source, copies[0])):
            _copy(source, copies[0])
        if copies:
            _compile(copies[0])
            lines = [copies[0]] + [f"{path} -> {link(copies[0], path)}" for path in paths]
        else:
            lines = [f"{path} -> {_run_package(source, path)}" for path in paths]
        missing = [path for path in (*copies, *paths) if not os.path.isfile(path)]
    except OSError as exc:
        raise InvalidArgument(
            f"cannot install into {folder}: {exc.strerror or exc}",
            hint="Name a directory that you can write to and that has room.",
        ) from exc
    if missing:  # a Python from the Microsoft Store is redirected to a private folder when it writes below AppData
        raise InvalidArgument(
            f"{', '.join(missing)} was written and is not there: this Python's files are redirected elsewhere",
            hint="Install into a folder outside AppData, or with another Python.",
        )
    write_all(1, ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape"))
    return 0


def launcher_names() -> list[str]:
    """Return the -tool names as this system starts them: with .cmd on Windows."""
    return [name + (".cmd" if os.name == "nt" else "") for name in registry.HOST_NAMES]


def link(target: str, name: str) -> str:
    """Make the file `name` start `target` beside it; return the link's target, "a launcher" or "a copy"."""
    if name.endswith(".cmd"):
        replace_file(name, launcher(os.path.basename(target), sys.executable), 0o755)
        return "a launcher"
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


def launcher(file_name: str, python: str) -> bytes:
    """Return a .cmd file that starts the archive under its own name with `python`, else with the newest of `py`."""
    start = (
        "import sys;del sys.argv[0];f=sys.argv.pop(0);"
        "sys.path[:0]=['/'.join((f,'-'.join((sys.implementation.name,'.'.join(map(str,sys.version_info[:2])))))),f];"
        "import webtool.__main__"
    )
    return _command_file(python, f'-I -S -c "{start}" "%~dp0{file_name}" "%~f0" %*')


def _command_file(python: str, arguments: str) -> bytes:
    """Return a .cmd file that runs `python` with the arguments. A % in their text has to be doubled."""
    python = python.replace("%", "%%")
    lines = [
        "@echo off",
        f'if exist "{python}" goto found',
        f"py -3 {arguments}",
        "exit /b %errorlevel%",
        ":found",
        f'"{python}" {arguments}',
        "exit /b %errorlevel%",
        f"rem {_MARK}",
        "",
    ]
    return "\r\n".join(lines).encode("oem" if os.name == "nt" else "utf-8", "replace")


def _run_package(home: str, path: str) -> str:
    """Write a launcher at `path` that runs the package in the folder `home` with this Python. Returns `home`.

    The package's folder is the only one that is added to the standard library, so starts are fast.
    """
    start = "import sys;del sys.argv[0];sys.path.insert(0,sys.argv.pop(0));import webtool.__main__"
    if path.endswith(".cmd"):
        folder = home.replace("%", "%%")
        text = _command_file(sys.executable, f'-I -S -c "{start}" "{folder}" "%~f0" %*')
    else:
        words = " ".join(shlex.quote(word) for word in (sys.executable, "-I", "-S", "-c", start, home))
        text = os.fsencode(f'#!/bin/sh\n# {_MARK}\nexec {words} "$0" "$@"\n')
    if os.path.islink(path):
        os.unlink(path)
    replace_file(path, text, 0o755)
    return home


def _compile(target: str) -> None:
    """Add bytecode for this Python to the installed archive, unless it has it."""
    import io
    import zipfile

    from webtool.setup import bytecode

    with open(target, "rb") as file:
        data = file.read()
    if has_section(data):
        return
    try:
        members = bytecode.make([sys.executable], data)
    except OSError as exc:
        write_error(f"webtool: every start will compile the source: {exc}\n")
        return
    stream = io.BytesIO(data)
    with zipfile.ZipFile(stream, "a") as archive:
        for name in sorted(set(members) - set(archive.namelist())):
            archive.writestr(zipfile.ZipInfo(name), members[name])
    replace_file(target, stream.getvalue(), 0o755)


def has_section(data: bytes) -> bool:
    """Whether the archive has bytecode for the running Python."""
    import importlib.util
    import io
    import zipfile

    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        name = f"webtool/{bundle.SECTION}-start.bin"
        return name in archive.namelist() and archive.read(name).startswith(importlib.util.MAGIC_NUMBER)


def _is_ours(path: str) -> bool:
    """Whether `path` may be replaced: it does not exist, or it is our link, our launcher or a copy of the archive."""
    if os.path.islink(path):
        return os.path.basename(os.readlink(path)) == FILE_NAME
    if not os.path.lexists(path):
        return True
    if not os.path.isfile(path):
        return False
    if path_is_archive(path):
        return True
    with open(path, "rb") as file:
        return _MARK.encode("ascii") in file.read(4096)


def _copy(source: str, target: str) -> None:
    with open(source, "rb") as file:
        replace_file(target, file.read(), 0o755)
