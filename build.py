#!/usr/bin/env python3
"""Build dist/webtool.pyz and links with the -tool names. In: webtool/. Out: one file that needs only Python.

    python3 build.py                 the archive for the running Python, and its links, in dist/
    python3 build.py --install DIR   build, then install into a tools directory
    python3 build.py --release       build for every Python from 3.9 to 3.15 that is found, and print which.
                                     --python COMMAND names one more ("chroot /srv/sid python3.15"); repeatable
                                     Also writes webtool.mcpb, for MCP hosts that install bundles, and the wheel
    python3 build.py --release --repository https://github.com/OWNER/REPO
                                     also server.json, the entry for the registry of MCP servers: it names webtool.mcpb
                                     as an asset of the release vVERSION there, with its SHA-256
    python3 build.py --wheel         the wheel alone; install it by its path: pip install dist/NAME.whl.
                                     `pip install .` builds the same wheel: pyproject.toml names this file as backend
    python3 build.py --check         exit 1 if dist/webtool.pyz differs from what webtool/ would build now

The archive has the source of every module and, for each Python it was built for, a section with bytecode and compiled
regular expressions. Other Pythons run the source. webtool/bundle.py describes the layout. Members are sorted, and
stamped with SOURCE_DATE_EPOCH or 1980-01-01, so equal sources and Pythons give equal bytes on every machine.
dist/webtool.pyz.sha256 has their digest in the form that `sha256sum -c` reads.
"""

from __future__ import annotations

import argparse
import glob
import hashlib
import io
import os
import re
import shlex
import subprocess
import sys
import zipfile
from collections.abc import Mapping

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

from webtool.output import replace_file  # noqa: E402
from webtool.setup import bytecode, distributions, tool_links, zip_archive  # noqa: E402

DIST = os.path.join(HERE, "dist")
MINORS = range(9, 16)  # the minor versions of Python 3 that a release is built for
MAX_BYTES = 8 << 20  # a larger release is reported: it is a file to copy around


def main(arguments: list[str]) -> int:
    """Run the command line and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--install", metavar="DIR")
    parser.add_argument("--release", action="store_true")
    parser.add_argument("--python", metavar="COMMAND", action="append", default=[], type=shlex.split)
    parser.add_argument("--repository", metavar="URL", type=github_repository)
    parser.add_argument("--wheel", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    if options.repository and not options.release:
        parser.error("--repository goes with --release: server.json describes a release")
    path = os.path.join(DIST, "webtool.pyz")
    if options.check:
        return check(path)
    os.makedirs(DIST, exist_ok=True)
    if options.wheel or options.release:
        settings = {"repository": "https://github.com/" + "/".join(options.repository)} if options.repository else None
        print_built(build_wheel(DIST, settings))
    if options.wheel and not options.release:
        return 0
    program = release(options.python) if options.release else for_this_python()
    replace_file(path, program, 0o755)
    digest = f"{hashlib.sha256(program).hexdigest()}  {os.path.basename(path)}\n"
    write("webtool.pyz.sha256", digest.encode("ascii"))
    write("webtool.zip", zip_archive.library(program))
    for name in tool_links.launcher_names():
        tool_links.link(path, os.path.join(DIST, name))
    print(f"built {os.path.relpath(path)} ({len(program) // 1024} KiB) and webtool.zip, the library alone")
    if options.release:
        write_for_mcp(program, options.repository)
    return tool_links.install(path, options.install) if options.install else 0


def write(name: str, data: bytes, folder: str | None = None) -> str:
    """Write a file into a folder, by default dist/, and return its name."""
    replace_file(os.path.join(DIST if folder is None else folder, name), data, 0o644)
    return name


def print_built(name: str) -> None:
    """Print the path of a file that was written into dist/."""
    print(f"built {os.path.relpath(os.path.join(DIST, name))}")


def write_for_mcp(program: bytes, repository: tuple[str, str] | None) -> None:
    """Write webtool.mcpb and, with a repository (owner, name), server.json, else remove an older server.json."""
    bundle = distributions.mcp_bundle(program)
    print_built(write("webtool.mcpb", bundle))
    if repository:
        print_built(write("server.json", distributions.server_json(*repository, bundle)))
    elif os.path.exists(os.path.join(DIST, "server.json")):
        os.remove(os.path.join(DIST, "server.json"))  # it has the digest of an older bundle


def for_this_python() -> bytes:
    """Return the archive with a section for the running Python; print why if it cannot compile one."""
    plain = zip_archive.archive()
    try:
        members = bytecode.make([sys.executable], plain)
    except OSError as exc:
        print(f"this file has only sources: {exc}", file=sys.stderr)
        return plain
    for name in list(members):
        if name.endswith(".pyc"):  # for starts that skip the start line, as `python3 webtool.pyz`
            members[name.split("/", 1)[1]] = members[name]
            members[os.path.basename(name)] = members[name]
    del members["__init__.pyc"]
    return zip_archive.archive(members)


def release(further: list[list[str]]) -> bytes:
    """Return the compressed archive with a section for each Python that is found. Print which, and which failed.

    `further` has more Pythons, each a command and its first arguments.
    """
    plain = zip_archive.archive()
    members: dict[str, bytes] = {}
    for version, python in sorted(find_pythons(further).items()):
        try:
            section = bytecode.make(python, plain, with_lines=False)
        except OSError as exc:
            print(f"left out: {exc}", file=sys.stderr)
            continue
        members.update((name, data) for name, data in section.items() if not name.endswith("-seldom.bin"))
        print(f"with {version}: {shlex.join(python)}")
    program = zip_archive.archive(members, is_release=True)
    if len(program) > MAX_BYTES:
        print(f"warning: this release has {len(program)} bytes, more than {MAX_BYTES}", file=sys.stderr)
    return program


def find_pythons(further: list[list[str]]) -> dict[str, list[str]]:
    """Return {"cpython-3.13": command}, for each version the first command that runs.

    Tried in order: this Python, the further commands, those on PATH, those of pyenv.
    """
    names = [f"python3.{minor}" for minor in MINORS] + ["python3"]
    folders = [*os.get_exec_path(), *sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/*/bin")))]
    paths = [os.path.join(folder, name) for folder in folders if folder != "" for name in names]
    commands: dict[str, list[str]] = {}
    for command in ([sys.executable], *further, *([path] for path in paths if os.access(path, os.X_OK))):
        version = version_of(command)
        if version and version not in commands:
            commands[version] = command
    return commands


def version_of(command: list[str]) -> str:
    """Return a Python's implementation and version, as "cpython-3.13"; "" if it does not run or is not in MINORS."""
    script = "import sys; print(sys.implementation.name, *sys.version_info[:2])"
    try:
        done = subprocess.run([*command, "-I", "-S", "-c", script], capture_output=True, text=True, timeout=60)
        name, major, minor = done.stdout.split()
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""
    return f"{name}-{major}.{minor}" if major == "3" and int(minor) in MINORS else ""


def github_repository(url: str) -> tuple[str, str]:
    """Owner and name in the URL of a GitHub repository, whose release assets the registry of MCP servers takes.

    Raises argparse.ArgumentTypeError for any other URL.
    """
    match = re.fullmatch(r"https://github\.com/([\w-]+)/([\w.-]+?)(?:\.git|/)?", url)
    if match is None:
        raise argparse.ArgumentTypeError(f"{url} is not https://github.com/OWNER/REPO")
    return match[1], match[2]


def check(path: str) -> int:
    """Return 1, and print what differs, if the archive or its digest file is not what the source would build now."""
    try:
        with open(path, "rb") as file:
            data = file.read()
        with open(path + ".sha256", encoding="ascii") as file:
            digest = file.read().split()[0]
        built = zipfile.ZipFile(io.BytesIO(data))
    except (OSError, IndexError, zipfile.BadZipFile) as exc:
        print(f"{os.path.relpath(path)}: {exc}; run python3 build.py")
        return 1
    plain = zipfile.ZipFile(io.BytesIO(zip_archive.archive(is_release="webtool/_sources.zip" not in built.namelist())))
    stale = [name for name in plain.namelist() if name not in built.namelist() or plain.read(name) != built.read(name)]
    if not data.startswith(zip_archive.PREAMBLE + b"PK"):
        stale.insert(0, "the start line")
    if digest != hashlib.sha256(data).hexdigest():
        stale.append(os.path.basename(path) + ".sha256")
    if stale:
        print(f"{os.path.relpath(path)} is not built from this source: {', '.join(stale)}; run python3 build.py")
    return 1 if stale else 0


# --- The hooks of PEP 517 and PEP 660 that installers such as `pip install .` call in a checkout ---
#
# The names of arguments are those of the PEPs. config_settings: see distributions.metadata. metadata_directory is
# ignored, because no hook here prepares metadata.


def build_wheel(
    wheel_directory: str, config_settings: Mapping[str, str] | None = None, metadata_directory: str | None = None
) -> str:
    """Write the wheel and return its name."""
    return write(*distributions.wheel(distributions.package_files(), config_settings), wheel_directory)


def build_editable(
    wheel_directory: str, config_settings: Mapping[str, str] | None = None, metadata_directory: str | None = None
) -> str:
    """Write the wheel of an editable installation and return its name."""
    return write(*distributions.wheel(distributions.editable_files(), config_settings), wheel_directory)


def build_sdist(sdist_directory: str, config_settings: Mapping[str, str] | None = None) -> str:
    """Write the source distribution and return its name."""
    return write(*distributions.source_distribution(config_settings), sdist_directory)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
