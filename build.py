#!/usr/bin/env python3
"""Build dist/webtool.pyz and, beside it, the -tool names. In: webtool/. Out: one file that needs only Python.

    python3 build.py                 the archive and its links in dist/
    python3 build.py --install DIR   the same, then install into a tools directory

The archive holds every module as source and as bytecode of the Python that builds it (another Python falls back to the
source), the schema texts and the compiled regular expressions; webtool/bundle.py says how they lie together. Entries
are sorted, stored, and stamped with SOURCE_DATE_EPOCH (else 1980-01-01), so the same input and Python give the same
bytes.
"""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
import importlib
import importlib.util
import io
import marshal
import os
import pkgutil
import struct
import subprocess
import sys
import time
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.join(HERE, "webtool")
DIST = os.path.join(HERE, "dist")

# The start line. A shell finds Python, because `env` takes no options everywhere and because -I -S and -c save a third
# of the start: -S skips site, and importing the archive skips runpy. python3 comes first: it is what the user set up.
PREAMBLE = rb"""#!/bin/sh
for p in python3 python3.15 python3.14 python3.13 python3.12 python3.11 python3.10 python3.9; do
command -v $p >/dev/null 2>&1 && exec $p -I -S -c 'import sys
del sys.argv[0]
sys.path.insert(0, sys.argv[0])
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
# Files that are data, not modules, and belong into the archive.
DATA_SUFFIXES = (".bin", ".json", ".txt")


def main(arguments: list[str]) -> int:
    """Build; with --install DIR also install. Returns the exit status."""
    if arguments and (arguments[0] != "--install" or len(arguments) != 2):
        print(__doc__)
        return 2
    sys.path.insert(0, HERE)
    sys.dont_write_bytecode = True
    from webtool.lean import patterns

    patterns.seen = {}
    path = os.path.join(DIST, "webtool.pyz")
    write_if_changed(path, archive())
    link_names(DIST)
    print(f"built {os.path.relpath(path)} ({os.path.getsize(path) // 1024} KiB)")
    if arguments:
        from webtool.cli.commands import install

        return install.install(path, arguments[1])
    return 0


def archive() -> bytes:
    """The whole file: the start line and the zip archive behind it."""
    stream = io.BytesIO()
    stream.write(PREAMBLE)
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive_file:
        for name, data in sorted(entries()):
            archive_file.writestr(entry(name, zipfile.ZIP_STORED), data)
    return stream.getvalue()


def entry(name: str, method: int) -> zipfile.ZipInfo:
    """A member that looks the same whoever builds it, and when."""
    info = zipfile.ZipInfo(name, entry_time())
    info.external_attr = 0o100644 << 16
    info.create_system = 3
    info.compress_type = method
    return info


def entries() -> list[tuple[str, bytes]]:
    """Every file of the archive: name and bytes."""
    from webtool.bundle import SINGLE

    sources, data = read_package()
    found = [("__main__.py", sources["webtool/__main__.py"]), *data.items()]
    sources["webtool/_schemas.py"] = schemas_source().encode("utf-8")
    for name in SINGLE:
        found += module_entries(f"webtool/{name}.py", sources.pop(f"webtool/{name}.py"))
    found.append(("webtool/_sources.zip", zipped(sources)))
    # What the matching engine of one Python version made is of no use to another, so there is no source of it.
    sources["webtool/_patterns.py"] = patterns_source().encode("utf-8")
    fetch = modules_of_a_fetch(sources)
    found.append(("webtool/_fetch.bin", bundle({name: sources[name] for name in fetch})))
    found.append(("webtool/_rest.bin", bundle({name: sources[name] for name in sorted(set(sources) - set(fetch))})))
    return found


def read_package() -> tuple[dict[str, bytes], dict[str, bytes]]:
    """The sources and the data files of the package, by their names in the archive."""
    sources, data = {}, {}
    for folder, folders, files in os.walk(PACKAGE):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(files):
            path = os.path.join(folder, name)
            inside = os.path.relpath(path, HERE).replace(os.sep, "/")
            with open(path, "rb") as file:
                if name.endswith(".py"):
                    sources[inside] = file.read()
                elif name.endswith(DATA_SUFFIXES):
                    data[inside] = file.read()
    return sources, data


def zipped(files: dict[str, bytes]) -> bytes:
    """An archive of its own inside the archive."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as inner:
        for name in sorted(files):
            inner.writestr(entry(name, zipfile.ZIP_DEFLATED), files[name])
    return stream.getvalue()


def module_entries(name: str, source: bytes) -> list[tuple[str, bytes]]:
    """A module as bytecode and as source."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=0)
    flags = (0b01).to_bytes(4, "little")  # PEP 552: hash-based, unchecked
    bytecode = importlib.util.MAGIC_NUMBER + flags + importlib.util.source_hash(source) + marshal.dumps(code)
    return [(name, source), (name + "c", bytecode)]


def schemas_source() -> str:
    """The module that --schema and the MCP server's list of tools are answered from."""
    from webtool import registry
    from webtool.mcp import tools
    from webtool.schemas.text import schema_of

    lines = ['"""The texts of --schema, --schema=full and of the list of MCP tools, written by build.py."""']
    for table, full in (("PLAIN", False), ("FULL", True)):
        lines.append(f"{table} = {{")
        lines += [f"    {name!r}: {schema_of(registry.load(name), full)!r}," for name in sorted(registry.TOOLS)]
        lines.append("}")
    lines.append(f"MCP = {tools.all_entries()!r}")
    return "\n".join(lines) + "\n"


# What one fetch imports, however it is started.
FETCH = (
    "webtool.cli.host", "webtool.cli.main", "webtool.tools.web_fetch", "webtool.net.client", "webtool.cache.store",
    "webtool.robots.gate", "webtool.html.visibility.hidden", "webtool.markdown",
)  # fmt: skip


def modules_of_a_fetch(sources: dict[str, bytes]) -> list[str]:
    """Their files; found by importing them in a new process."""
    script = (
        "import sys; sys.dont_write_bytecode = True; sys.path.insert(0, sys.argv[1])\n"
        "for name in sys.argv[2:]: __import__(name)\n"
        "print(*sorted(name for name in sys.modules if name.startswith('webtool.')))"
    )
    command = [sys.executable, "-I", "-S", "-c", script, HERE, *FETCH]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    paths = (name.replace(".", "/") for name in [*names, "webtool._patterns"])
    return sorted(path for base in paths for path in (base + ".py", base + "/__init__.py") if path in sources)


def bundle(sources: dict[str, bytes]) -> bytes:
    """Modules as bytecode without docstrings: header, index, code; webtool/bundle.py reads it."""
    index, code = {}, b""
    for path, source in sources.items():
        is_package = path.endswith("/__init__.py")
        name = path[: -len("/__init__.py" if is_package else ".py")].replace("/", ".")
        made = marshal.dumps(compile(source, path, "exec", dont_inherit=True, optimize=2))
        index[name] = (is_package, len(code), len(code) + len(made))
        code += made
    table = marshal.dumps(index)
    return importlib.util.MAGIC_NUMBER.ljust(8, b"\0") + len(table).to_bytes(8, "little") + table + code


def patterns_source() -> str:
    """The module that webtool.lean.patterns takes compiled regular expressions from."""
    from webtool.lean import patterns

    for module in pkgutil.walk_packages([PACKAGE], "webtool."):
        if module.name != "webtool.__main__":
            importlib.import_module(module.name)
    made = {key: compiled(*key) for key in sorted(patterns.seen or (), key=repr)}
    rows = "".join(f"    {key!r}: {made[key]!r},\n" for key in made)
    return f"ENGINE = {patterns.ENGINE!r}\nMADE = {{\n{rows}}}\n"


def compiled(pattern: str | bytes, flags: int) -> tuple[int, bytes, int, dict[str, int], tuple[str | None, ...]]:
    """What Python's compiler hands to the matching engine: flags, code, number of groups, their names."""
    if sys.version_info >= (3, 11):
        import re._compiler as compiler
    else:
        import sre_compile as compiler
    taken: list[object] = []

    class Engine:
        """Stands in for the engine for one pattern and keeps what it is given."""

        MAGIC = _sre.MAGIC
        __getattr__ = staticmethod(lambda name: getattr(_sre, name))  # type: ignore[misc]

        @staticmethod
        def compile(_pattern: object, all_flags: int, code: list[int], *rest: object) -> None:
            taken.extend((int(all_flags), struct.pack(f"={len(code)}I", *code), *rest))

    real, compiler._sre = compiler._sre, Engine()  # type: ignore[attr-defined]
    try:
        compiler.compile(pattern, flags)
    finally:
        compiler._sre = real  # type: ignore[attr-defined]
    return tuple(taken)  # type: ignore[return-value]


def entry_time() -> tuple[int, int, int, int, int, int]:
    """The time on every entry; zip cannot say anything before 1980."""
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    year, month, day, hour, minute, second = time.gmtime(max(epoch, 315532800))[:6]
    return year, month, day, hour, minute, second


def write_if_changed(path: str, data: bytes) -> None:
    """Replace the file in one step, so that a tool running from the old one is not hurt."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    partial = path + ".part"
    with open(partial, "wb") as file:
        file.write(data)
    os.chmod(partial, 0o755)
    os.replace(partial, path)


def link_names(folder: str) -> None:
    """Relative links with the -tool names beside the archive."""
    from webtool import registry
    from webtool.cli.commands import install

    for name in registry.HOST_NAMES:
        install.link(os.path.join(folder, "webtool.pyz"), os.path.join(folder, name))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
