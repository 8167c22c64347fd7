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
import base64
import calendar
import functools
import glob
import gzip
import hashlib
import io
import json
import marshal
import os
import re
import shlex
import subprocess
import sys
import tarfile
import time
import tokenize
import zipfile
import zlib
from collections.abc import Iterator, Mapping

try:
    import lzma
except ImportError:  # a release made by this Python is larger
    lzma = None  # type: ignore[assignment]

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True
PACKAGE = os.path.join(HERE, "webtool")
DIST = os.path.join(HERE, "dist")

# The start line, a shell script. `env` does not take options on every system, and -I -S -c save a third of the start:
# -S skips site, and importing the archive skips runpy. python3 is tried first, because the user chose it. On macOS,
# /usr/bin/python3 opens a dialog if the developer tools are not installed. The folder that precedes the archive on
# sys.path has the first modules as bytecode for the Python version in its name.
PREAMBLE = rb"""#!/bin/sh
for p in python3 python3.15 python3.14 python3.13 python3.12 python3.11 python3.10 python3.9; do
command -v $p >/dev/null 2>&1 || continue
[ -d /System/Library/CoreServices ] && case "$(command -v $p)" in
/usr/bin/python3) xcode-select -p >/dev/null 2>&1 || continue;; esac
exec $p -I -S -c 'import sys
del sys.argv[0]
f=sys.argv[0]
sys.path[:0]=["%s/%s-%d.%d"%((f,sys.implementation.name)+sys.version_info[:2]),f]
import webtool.__main__' "$0" "$@"
done
e='webtool needs Python 3.9 or newer, and there is no python3 on PATH'
echo "$e" >&2
case "$0" in *-tool)
echo '{"success": false, "error": "'"$e"'", "error_code": "INTERNAL_ERROR", "retryable": false,' \
'"hint": "Install Python 3.9 or newer as python3."}'
case "$WEBTOOL_EXIT_ZERO" in 1|true|yes|on) exit 0;; esac;;
esac
exit 70
"""
# Data files that the archive and the wheel hold. Markdown is packed below HELP_FOLDER only: READMEs are for engineers.
DATA_SUFFIXES = (".bin", ".js", ".json", ".txt", ".typed")
LABELS_FOLDER = "webtool/extraction/labels/"  # its .txt files are packed as one module
LANGUAGES = "webtool/answers/question/languages"  # its .txt is packed as .marshal, which Python reads faster
HELP_FOLDER = "webtool/help/"
# Groups that LZMA packs, a fifth smaller than deflated: unpacking one takes some milliseconds.
SELDOM_READ = ("-ask.bin", "-rest.bin", "-screen.bin", "-rules.bin", "-rare.bin")
RARE_FUNCTIONS = "webtool/setup/rare_functions.txt"  # read by a Python that compiles
MODEL = "webtool/extraction/model/model.bin"  # inflating it takes 1 ms of a release's `open`
HELP_SOURCE = "webtool/settings.py"  # `webtool help settings` prints its docstrings
SCRIPT_COMMENT = re.compile(rb"(?m)^[ \t]*//.*$")  # a comment line of a script: left out of a release
MINORS = range(9, 16)  # the minor versions of Python 3 that a release is built for
MAX_BYTES = 8 << 20  # a larger release is reported: it is a file to copy around
# What the source distribution holds: all that a checkout has, except what build.py and the tests write.
SOURCE_PATHS = (".ci", ".github", "LICENSE", "README.md", "build.py", "pyproject.toml", "tests", "webtool")
# The keys of pyproject.toml's [project] table, and the fields of the core metadata that they become.
METADATA_FIELDS = {
    "name": "Name",
    "version": "Version",
    "description": "Summary",
    "authors": "Author",
    "license": "License-Expression",
    "license-files": "License-File",
    "requires-python": "Requires-Python",
    "keywords": "Keywords",
    "classifiers": "Classifier",
}


def main(arguments: list[str]) -> int:
    """Run the command line and return the exit status."""
    path = os.path.join(DIST, "webtool.pyz")
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
    if options.check:
        return check(path)
    os.makedirs(DIST, exist_ok=True)
    if options.wheel or options.release:
        settings = {"repository": "https://github.com/" + "/".join(options.repository)} if options.repository else None
        print(f"built {os.path.relpath(os.path.join(DIST, build_wheel(DIST, settings)))}")
    if options.wheel and not options.release:
        return 0
    from webtool.output import replace_file
    from webtool.setup import tool_links

    program = release(options.python) if options.release else for_this_python()
    replace_file(path, program, 0o755)
    digest = f"{hashlib.sha256(program).hexdigest()}  {os.path.basename(path)}\n"
    replace_file(path + ".sha256", digest.encode("ascii"), 0o644)
    replace_file(os.path.join(DIST, "webtool.zip"), library(program), 0o644)
    for name in tool_links.launcher_names():
        tool_links.link(path, os.path.join(DIST, name))
    print(f"built {os.path.relpath(path)} ({os.path.getsize(path) // 1024} KiB) and webtool.zip, the library alone")
    if options.release:
        bundle = write_mcpb(program)
        if options.repository:
            owner, name = options.repository
            write_server_json(owner, name, bundle)
        elif os.path.exists(os.path.join(DIST, "server.json")):
            os.remove(os.path.join(DIST, "server.json"))  # it has the digest of an older bundle
    return tool_links.install(path, options.install) if options.install else 0


def for_this_python() -> bytes:
    """Return the archive with a section for the running Python; print why if it cannot compile one."""
    from webtool.setup import bytecode

    plain = archive()
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
    return archive(members)


def library(program: bytes) -> bytes:
    """Return the archive without __main__: clusters take a library as .zip and would run a __main__ in it."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(program)) as whole, zipfile.ZipFile(stream, "w") as part:
        for member in whole.infolist():
            if member.filename.startswith("webtool/"):
                part.writestr(entry(member.filename), whole.read(member), member.compress_type, 9)
    return stream.getvalue()


def release(further: list[list[str]]) -> bytes:
    """Return the compressed archive with a section for each Python that is found. Print which, and which failed.

    `further` has more Pythons, each a command and its first arguments.
    """
    from webtool.setup import bytecode

    plain = archive()
    members: dict[str, bytes] = {}
    for version, python in sorted(find_pythons(further).items()):
        try:
            section = bytecode.make(python, plain, with_lines=False)
        except OSError as exc:
            print(f"left out: {exc}", file=sys.stderr)
            continue
        members.update((name, data) for name, data in section.items() if not name.endswith("-seldom.bin"))
        print(f"with {version}: {shlex.join(python)}")
    program = archive(members, compressed=True)
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


def archive(sections: dict[str, bytes] | None = None, compressed: bool = False) -> bytes:
    """Return the whole file: the start line, then the zip archive, with the members of `sections` added.

    `compressed` deflates the sections, and packs rarely used groups with LZMA.
    """
    stream = io.BytesIO()
    stream.write(PREAMBLE)
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive_file:
        for name, data in sorted([*entries(compressed), *(sections or {}).items()]):
            is_deflated = compressed and ((name.endswith(".bin") and "-" in name) or name == RARE_FUNCTIONS)
            if is_deflated and name.endswith(SELDOM_READ) and lzma is not None:
                packing = {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "pb": 0}
                name, data, is_deflated = name + ".xz", lzma.compress(data, filters=[packing]), False
            archive_file.writestr(entry(name), data, zipfile.ZIP_DEFLATED if is_deflated else zipfile.ZIP_STORED, 9)
    return stream.getvalue()


def entry(name: str) -> zipfile.ZipInfo:
    """Return the header of a member without traces of who built it, where and when."""
    info = zipfile.ZipInfo(name, entry_time())
    info.external_attr = 0o100644 << 16
    info.create_system = 3
    return info


def entries(compressed: bool) -> list[tuple[str, bytes]]:
    """Return (name, bytes) of every member of an archive without sections."""
    from webtool.bundle import DATA, SINGLE, SOURCES
    from webtool.extraction.model.model_file import ready

    sources, data = read_package()
    # zipimport reads the directory at each start, 37,000 instructions a member, so small data files are one.
    small = {name: content for name, content in data.items() if not name.endswith((".bin", ".typed", "functions.txt"))}
    files = [("__main__.py", sources["webtool/__main__.py"])]
    files += [(name, content) for name, content in data.items() if name not in small and name != MODEL]
    if compressed:
        sources = {name: without_comments(text, keep_docstrings=name == HELP_SOURCE) for name, text in sources.items()}
        small.update((name, SCRIPT_COMMENT.sub(b"", text)) for name, text in small.items() if name.endswith(".js"))
    large = {MODEL: ready(data[MODEL]), f"webtool/{DATA}": zipped(small), f"webtool/{SOURCES}": zipped(sources)}
    for name, content in large.items():
        if compressed:
            packer = zlib.compressobj(9, zlib.DEFLATED, -15)
            name, content = name + ".deflate", packer.compress(content) + packer.flush()
        files.append((name, content))
    return files + [(f"webtool/{name}.py", sources[f"webtool/{name}.py"]) for name in SINGLE]


def without_comments(source: bytes, *, keep_docstrings: bool = False) -> bytes:
    """Blank comments and, by default, docstrings of a module; keep each statement on its line.

    Tracebacks of a release show correct lines, and the release is 0.2 MB smaller. The wheel has the full text.
    """
    lines = source.decode("utf-8").split("\n")
    starts_statement = True
    for token in list(tokenize.tokenize(io.BytesIO(source).readline)):
        (row, column), (last_row, last_column) = token.start, token.end
        if token.type == tokenize.COMMENT:
            lines[row - 1] = lines[row - 1][:column].rstrip()
        elif token.type == tokenize.STRING and starts_statement and not keep_docstrings:
            rest_of_line = lines[last_row - 1][last_column:]
            lines[row - 1 : last_row] = [lines[row - 1][:column] + '""', *[""] * (last_row - row)]
            lines[last_row - 1] += rest_of_line
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            starts_statement = token.type in (tokenize.ENCODING, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    return "\n".join(lines).encode("utf-8")


def read_package() -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Return the package's sources and its data files, each as {name in the archive: bytes}.

    The sources include the modules that only archives and wheels have. One of these replaces the label files.
    """
    sources: dict[str, bytes] = {}
    data: dict[str, bytes] = {}
    for folder, folders, files in os.walk(PACKAGE):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(files):
            path = os.path.join(folder, name)
            inside = os.path.relpath(path, HERE).replace(os.sep, "/")
            with open(path, "rb") as file:
                if name.endswith(".py"):
                    sources[inside] = file.read()
                elif name.endswith(DATA_SUFFIXES) or is_help(inside):
                    data[inside] = file.read()
    kinds = [name[len(LABELS_FOLDER) : -len(".txt")] for name in data if name.startswith(LABELS_FOLDER)]
    for kind in kinds:
        del data[f"{LABELS_FOLDER}{kind}.txt"]
    if data.pop(f"{LANGUAGES}.txt", None):
        from webtool.answers.question import word_matching

        data[f"{LANGUAGES}.marshal"] = marshal.dumps(word_matching.kinds(), 2)  # any Python reads version 2
    sources["webtool/_schemas.py"] = schemas_source().encode("utf-8")
    sources[f"{LABELS_FOLDER}_ready.py"] = labels_source(tuple(sorted(kinds))).encode("utf-8")
    return sources, data


def is_help(inside: str) -> bool:
    """Whether a path in the archive is a help text: webtool/help/rules.md is, webtool/help/README.md is not."""
    return inside.startswith(HELP_FOLDER) and inside.endswith(".md") and not inside.endswith("/README.md")


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    """Return a zip archive of the files. Archives inside the archive are stored, for a Python without zlib."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as inner:
        for name in sorted(files):
            inner.writestr(entry(name), files[name], method, 9)
    return stream.getvalue()


@functools.lru_cache(maxsize=1)
def schemas_source() -> str:
    """Return the source of webtool/_schemas.py, from which --schema and the MCP server's tools/list are answered."""
    from webtool import registry
    from webtool.mcp import tools
    from webtool.schemas.printed import schema_of

    lines = ['"""The texts of --schema, --schema=full and of the list of MCP tools, written by build.py."""']
    for table, full in (("PLAIN", False), ("FULL", True)):
        lines.append(f"{table} = {{")
        lines += [f"    {name!r}: {schema_of(registry.load(name), full)!r}," for name in sorted(registry.TOOLS)]
        lines.append("}")
    lines.append(f"MCP = {tools.all_entries()!r}")
    return "\n".join(lines) + "\n"


@functools.lru_cache(maxsize=1)
def labels_source(kinds: tuple[str, ...]) -> str:
    """Return the module that webtool.extraction.labels reads instead of dozens of files."""
    from webtool.extraction import labels

    lines = ['"""The labels of each kind as a pattern, and the words that it needs, written by build.py."""']
    lines.append(f"PATTERNS = { ({kind: labels.any_of(kind) for kind in kinds})!r}")
    lines.append(f"NEEDED = { ({kind: labels.needed_words(kind) for kind in kinds})!r}")
    lines.append(f"WORDS = { ({kind: labels.words(kind) for kind in labels.WORDS})!r}")
    return "\n".join(lines) + "\n"


def project() -> dict[str, list[str]]:
    """Return the [project] table of pyproject.toml, each value as a list of strings, and the version.

    Read without tomllib, which Python 3.9 lacks: a value may be a string, or an array of strings or `{name = "..."}`.
    """
    from webtool import __version__

    with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as file:
        table = file.read().partition("[project]\n")[2].partition("\n[")[0]
    values = dict(re.findall(r"^([\w-]+) = (.*?)(?=^[\w-]+ = |\Z)", table, re.MULTILINE | re.DOTALL))
    return {**{key: re.findall(r'"([^"]*)"', text) for key, text in values.items()}, "version": [__version__]}


def name_and_version() -> str:
    """Return how the names of distributions begin: webtool_pyz-0.2.0."""
    fields = project()
    return f"{fields['name'][0].replace('-', '_')}-{fields['version'][0]}"


def metadata(config_settings: Mapping[str, str] | None = None) -> bytes:
    """Return the core metadata of the distributions, with README as the long description.

    `{"repository": "https://github.com/OWNER/REPO"}` adds links to the repository, its issues and its changes.
    """
    fields = {**project(), "keywords": [",".join(project()["keywords"])]}
    lines = ["Metadata-Version: 2.4"]
    lines += [f"{field}: {value}" for key, field in METADATA_FIELDS.items() for value in fields[key]]
    url = (config_settings or {}).get("repository", "")
    if url:
        pages = {"Source": "", "Issues": "/issues", "Changes": "/blob/HEAD/.github/CHANGES.md"}
        lines += [f"Project-URL: {label}, {url}{path}" for label, path in pages.items()]
    lines += ["Description-Content-Type: text/markdown", "", ""]
    with open(os.path.join(HERE, "README.md"), "rb") as file:
        return "\n".join(lines).encode("utf-8") + file.read()


def wheel(files: dict[str, bytes], config_settings: Mapping[str, str] | None) -> bytes:
    """Return a wheel (PyPA's binary distribution format) with `files`, metadata and the commands of the archive."""
    from webtool import registry

    with open(os.path.join(HERE, "LICENSE"), "rb") as file:
        text = file.read()
    info = f"{name_and_version()}.dist-info"
    scripts = "\n".join(f"{name} = webtool.dispatch:run" for name in ("webtool", *registry.HOST_NAMES))
    files = {
        **files,
        f"{info}/METADATA": metadata(config_settings),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: webtool\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": f"[console_scripts]\n{scripts}\n".encode("ascii"),
        f"{info}/licenses/LICENSE": text,
    }
    record = "".join(f"{name},sha256={url_digest(files[name])},{len(files[name])}\n" for name in sorted(files))
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode("utf-8")
    return zipped(files, zipfile.ZIP_DEFLATED)


def build_wheel(
    wheel_directory: str,
    config_settings: Mapping[str, str] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Write the wheel and return its name: the hook of PEP 517 that `pip install .` calls in the checkout.

    See `metadata` for the settings. `metadata_directory` is ignored: no other hook prepares metadata.
    """
    sources, data = read_package()
    return write_wheel(wheel_directory, {**sources, **data}, config_settings)


def build_editable(
    wheel_directory: str,
    config_settings: Mapping[str, str] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Write a wheel that puts this checkout on sys.path, for `pip install --editable .` (PEP 660); return its name."""
    return write_wheel(wheel_directory, {"webtool_pyz.pth": f"{HERE}\n".encode()}, config_settings)


def build_sdist(sdist_directory: str, config_settings: Mapping[str, str] | None = None) -> str:
    """Write the source distribution and return its name. It builds the wheel that the checkout builds, to the byte."""
    top = name_and_version()
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as file:
        for name, data in [("PKG-INFO", metadata(config_settings)), *source_files()]:
            member = tarfile.TarInfo(f"{top}/{name}")
            member.size = len(data)
            member.mtime = calendar.timegm(entry_time())
            member.mode = 0o755 if data.startswith(b"#!") else 0o644
            file.addfile(member, io.BytesIO(data))
    with open(os.path.join(sdist_directory, f"{top}.tar.gz"), "wb") as binary:
        binary.write(gzip.compress(stream.getvalue(), mtime=0))
    return f"{top}.tar.gz"


def source_files() -> Iterator[tuple[str, bytes]]:
    """Yield (path, bytes) of each file of the checkout, sorted, except files that programs wrote."""
    for top in SOURCE_PATHS:
        paths = [os.path.join(HERE, top)]
        for folder, folders, files in os.walk(paths[0]):
            folders[:] = sorted(name for name in folders if name != "__pycache__" and not name.endswith("_cache"))
            paths += [os.path.join(folder, name) for name in sorted(files)]
        for path in filter(os.path.isfile, paths):
            with open(path, "rb") as file:
                yield os.path.relpath(path, HERE).replace(os.sep, "/"), file.read()


def write_wheel(folder: str, files: dict[str, bytes], config_settings: Mapping[str, str] | None) -> str:
    """Write a wheel with `files` into the folder and return its name."""
    from webtool.output import replace_file

    name = f"{name_and_version()}-py3-none-any.whl"
    replace_file(os.path.join(folder, name), wheel(files, config_settings), 0o644)
    return name


def url_digest(data: bytes) -> str:
    """Return the SHA-256 of `data` as the wheel's RECORD file spells it: URL-safe base64 without padding."""
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode("ascii")


def write_mcpb(program: bytes) -> bytes:
    """Write webtool.mcpb, a zip archive of `program` and the manifest that an MCP host shows; return its bytes."""
    from webtool import __version__
    from webtool.mcp import tools
    from webtool.output import replace_file

    start = {"args": ["-I", "-S", "${__dirname}/webtool.pyz", "mcp"], "env": {}}
    manifest = {
        "manifest_version": "0.3",
        "name": "webtool",
        "version": __version__,
        "description": "Search the web, read pages and documents as markdown, extract main content, keep snapshots.",
        "author": {"name": "the webtool authors"},
        "license": "MIT",
        "server": {
            "type": "python",
            "entry_point": "webtool.pyz",
            "mcp_config": {"command": "python3", **start, "platform_overrides": {"win32": {"command": "py", **start}}},
        },
        "tools": [{"name": entry["name"], "description": entry["description"]} for entry in tools.all_entries()],
        "compatibility": {"platforms": ["darwin", "linux", "win32"], "runtimes": {"python": ">=3.9"}},
    }
    bundle = zipped({"manifest.json": json_bytes(manifest), "webtool.pyz": program}, zipfile.ZIP_DEFLATED)
    path = os.path.join(DIST, "webtool.mcpb")
    replace_file(path, bundle, 0o644)
    print(f"built {os.path.relpath(path)}")
    return bundle


def github_repository(url: str) -> tuple[str, str]:
    """Owner and name in the URL of a GitHub repository, whose release assets the registry of MCP servers takes.

    Raises argparse.ArgumentTypeError for any other URL.
    """
    match = re.fullmatch(r"https://github\.com/([\w-]+)/([\w.-]+?)(?:\.git|/)?", url)
    if match is None:
        raise argparse.ArgumentTypeError(f"{url} is not https://github.com/OWNER/REPO")
    return match[1], match[2]


def write_server_json(owner: str, name: str, bundle: bytes) -> None:
    """Write server.json, the registry's entry of a release whose webtool.mcpb has the bytes `bundle`.

    The registry downloads the bundle and compares its SHA-256, so a host that follows the entry runs these bytes.
    """
    from webtool import __version__
    from webtool.output import replace_file

    url = f"https://github.com/{owner}/{name}"
    server = {
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": f"io.github.{owner}/{name}",
        "description": "Search, fetch and extract web pages as markdown; standard library only.",
        "version": __version__,
        "repository": {"url": url, "source": "github"},
        "packages": [
            {
                "registryType": "mcpb",
                "identifier": f"{url}/releases/download/v{__version__}/webtool.mcpb",
                "version": __version__,
                "fileSha256": hashlib.sha256(bundle).hexdigest(),
                "transport": {"type": "stdio"},
            }
        ],
    }
    path = os.path.join(DIST, "server.json")
    replace_file(path, json_bytes(server), 0o644)
    print(f"built {os.path.relpath(path)}")


def json_bytes(value: object) -> bytes:
    """Return `value` as an indented JSON file."""
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode("utf-8")


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
    plain = zipfile.ZipFile(io.BytesIO(archive(compressed="webtool/_sources.zip" not in built.namelist())))
    stale = [name for name in plain.namelist() if name not in built.namelist() or plain.read(name) != built.read(name)]
    if not data.startswith(PREAMBLE + b"PK"):
        stale.insert(0, "the start line")
    if digest != hashlib.sha256(data).hexdigest():
        stale.append(os.path.basename(path) + ".sha256")
    if stale:
        print(f"{os.path.relpath(path)} is not built from this source: {', '.join(stale)}; run python3 build.py")
    return 1 if stale else 0


def entry_time() -> tuple[int, int, int, int, int, int]:
    """Return the time stamp of every member: SOURCE_DATE_EPOCH, at least 1980, before which zip has no dates."""
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    year, month, day, hour, minute, second = time.gmtime(max(epoch, 315532800))[:6]
    return year, month, day, hour, minute, second


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
