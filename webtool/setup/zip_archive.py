"""Pack webtool/ into dist/webtool.pyz: a start line for the shell, then a zip archive. build.py uses this.

In: the files of a checkout, and the sections that bytecode.py compiled. Out: bytes. webtool/bundle.py describes the
layout. Members are sorted, and stamped with SOURCE_DATE_EPOCH or 1980-01-01, so equal sources and Pythons give equal
bytes on every machine.
Tests: tests/test_build.py
"""

from __future__ import annotations

import functools
import io
import marshal
import os
import re
import time
import tokenize
import zipfile
import zlib

from webtool import registry
from webtool.answers.question import word_matching
from webtool.bundle import DATA, SINGLE, SOURCES
from webtool.extraction import labels
from webtool.extraction.model.model_file import ready
from webtool.mcp import tools
from webtool.schemas.printed import schema_of
from webtool.setup import tool_links

try:
    import lzma
except ImportError:  # a release made by this Python is larger
    lzma = None  # type: ignore[assignment]

CHECKOUT = tool_links.package_folder()  # the folder that holds webtool/ and build.py

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
HELP_FOLDER = "webtool/help/"
LABELS_FOLDER = "webtool/extraction/labels/"  # its .txt files are packed as one module
LANGUAGES = "webtool/answers/question/languages"  # its .txt is packed as .marshal, which Python reads faster
MODEL = "webtool/extraction/model/model.bin"  # packed as the tables that the model reads, marshalled
RARE_FUNCTIONS = "webtool/setup/rare_functions.txt"  # read when an archive is compiled, not by other starts
HELP_SOURCE = "webtool/settings.py"  # keeps its docstrings in a release: `webtool help settings` prints them
# Ends of the names of groups that a release packs with LZMA, because few starts read them: LZMA is a fifth smaller than
# deflate, and takes some milliseconds longer to unpack.
SELDOM_READ = ("-ask.bin", "-rest.bin", "-screen.bin", "-rules.bin", "-rare.bin")
SCRIPT_COMMENT = re.compile(rb"(?m)^[ \t]*//.*$")  # a comment line of a script, which a release leaves out


def archive(sections: dict[str, bytes] | None = None, is_release: bool = False) -> bytes:
    """Return the whole file: the start line, then the zip archive, with the members of `sections` added.

    A release is packed tighter: sources without comments, groups of bytecode deflated or, if rarely read, in LZMA.
    """
    stream = io.BytesIO()
    stream.write(PREAMBLE)
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive_file:
        for name, data in sorted([*entries(is_release), *(sections or {}).items()]):
            is_group = name.endswith(".bin") and "-" in name
            method = zipfile.ZIP_DEFLATED if is_release and (is_group or name == RARE_FUNCTIONS) else zipfile.ZIP_STORED
            if is_release and name.endswith(SELDOM_READ) and lzma is not None:
                packing = {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "pb": 0}
                name, data, method = name + ".xz", lzma.compress(data, filters=[packing]), zipfile.ZIP_STORED
            archive_file.writestr(entry(name), data, method, 9)
    return stream.getvalue()


def entry(name: str) -> zipfile.ZipInfo:
    """Return the header of a member without traces of who built it, where and when."""
    info = zipfile.ZipInfo(name, entry_time())
    info.external_attr = 0o100644 << 16
    info.create_system = 3
    return info


def entry_time() -> tuple[int, int, int, int, int, int]:
    """Return the time stamp of every member: SOURCE_DATE_EPOCH, at least 1980, before which zip has no dates."""
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    year, month, day, hour, minute, second = time.gmtime(max(epoch, 315532800))[:6]
    return year, month, day, hour, minute, second


def entries(is_release: bool) -> list[tuple[str, bytes]]:
    """Return (name, bytes) of every member of an archive without sections."""
    sources, data = read_package()
    # zipimport reads the directory at each start, 37,000 instructions a member, so small data files are one member.
    single = {name for name in data if name.endswith((".bin", ".typed")) or name == RARE_FUNCTIONS}
    small = {name: content for name, content in data.items() if name not in single}
    files = [("__main__.py", sources["webtool/__main__.py"])]
    files += [(name, data[name]) for name in single - {MODEL}]
    if is_release:
        sources = {name: without_comments(text, keep_docstrings=name == HELP_SOURCE) for name, text in sources.items()}
        small.update((name, SCRIPT_COMMENT.sub(b"", text)) for name, text in small.items() if name.endswith(".js"))
    large = {MODEL: ready(data[MODEL]), f"webtool/{DATA}": zipped(small), f"webtool/{SOURCES}": zipped(sources)}
    for name, content in large.items():
        if is_release:
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
    for folder, folders, files in os.walk(os.path.join(CHECKOUT, "webtool")):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(files):
            path = os.path.join(folder, name)
            inside = os.path.relpath(path, CHECKOUT).replace(os.sep, "/")
            with open(path, "rb") as file:
                if name.endswith(".py"):
                    sources[inside] = file.read()
                elif name.endswith(DATA_SUFFIXES) or is_help(inside):
                    data[inside] = file.read()
    kinds = [name[len(LABELS_FOLDER) : -len(".txt")] for name in data if name.startswith(LABELS_FOLDER)]
    for kind in kinds:
        del data[f"{LABELS_FOLDER}{kind}.txt"]
    if data.pop(f"{LANGUAGES}.txt", None):
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
    lines = ['"""The labels of each kind as a pattern, and the words that it needs, written by build.py."""']
    lines.append(f"PATTERNS = { ({kind: labels.any_of(kind) for kind in kinds})!r}")
    lines.append(f"NEEDED = { ({kind: labels.needed_words(kind) for kind in kinds})!r}")
    lines.append(f"WORDS = { ({kind: labels.words(kind) for kind in labels.WORDS})!r}")
    return "\n".join(lines) + "\n"


def library(program: bytes) -> bytes:
    """Return the archive without __main__: clusters take a library as .zip and would run a __main__ in it."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(program)) as whole, zipfile.ZipFile(stream, "w") as part:
        for member in whole.infolist():
            if member.filename.startswith("webtool/"):
                part.writestr(entry(member.filename), whole.read(member), member.compress_type, 9)
    return stream.getvalue()
