"""Make what packages and hosts install webtool from: wheel, source distribution, MCP bundle. build.py uses this.

In: the files of a checkout, or the bytes of dist/webtool.pyz. Out: names and bytes of files; nothing is written here.
Tests: tests/test_build.py
"""

from __future__ import annotations

import base64
import calendar
import gzip
import hashlib
import io
import json
import os
import re
import tarfile
import zipfile
from collections.abc import Iterator, Mapping

from webtool import __version__, registry
from webtool.mcp import tools
from webtool.setup.zip_archive import CHECKOUT, entry_time, read_package, zipped

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


def project() -> dict[str, list[str]]:
    """Return the [project] table of pyproject.toml, each value as a list of strings, and the version.

    Read without tomllib, which Python 3.9 lacks: a value may be a string, or an array of strings or `{name = "..."}`.
    """
    with open(os.path.join(CHECKOUT, "pyproject.toml"), encoding="utf-8") as file:
        table = file.read().partition("[project]\n")[2].partition("\n[")[0]
    values = dict(re.findall(r"^([\w-]+) = (.*?)(?=^[\w-]+ = |\Z)", table, re.MULTILINE | re.DOTALL))
    return {**{key: re.findall(r'"([^"]*)"', text) for key, text in values.items()}, "version": [__version__]}


def name_and_version() -> str:
    """Return how the names of distributions begin: webtool_pyz-0.2.0."""
    fields = project()
    return f"{fields['name'][0].replace('-', '_')}-{fields['version'][0]}"


def metadata(config_settings: Mapping[str, str] | None = None) -> bytes:
    """Return the core metadata of the distributions, with README as the long description.

    The one setting is `{"repository": "https://github.com/OWNER/REPO"}`: it adds links to the repository, its issues
    and its changes.
    """
    fields = {**project(), "keywords": [",".join(project()["keywords"])]}
    lines = ["Metadata-Version: 2.4"]
    lines += [f"{field}: {value}" for key, field in METADATA_FIELDS.items() for value in fields[key]]
    url = (config_settings or {}).get("repository", "")
    if url:
        pages = {"Source": "", "Issues": "/issues", "Changes": "/blob/HEAD/.github/CHANGES.md"}
        lines += [f"Project-URL: {label}, {url}{path}" for label, path in pages.items()]
    lines += ["Description-Content-Type: text/markdown", "", ""]
    with open(os.path.join(CHECKOUT, "README.md"), "rb") as file:
        return "\n".join(lines).encode("utf-8") + file.read()


def wheel(files: dict[str, bytes], config_settings: Mapping[str, str] | None) -> tuple[str, bytes]:
    """Return name and bytes of a wheel (PyPA's binary distribution format) with `files`, metadata and the commands."""
    with open(os.path.join(CHECKOUT, "LICENSE"), "rb") as file:
        licence = file.read()
    info = f"{name_and_version()}.dist-info"
    scripts = "\n".join(f"{name} = webtool.dispatch:run" for name in ("webtool", *registry.HOST_NAMES))
    files = {
        **files,
        f"{info}/METADATA": metadata(config_settings),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: webtool\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": f"[console_scripts]\n{scripts}\n".encode("ascii"),
        f"{info}/licenses/LICENSE": licence,
    }
    record = "".join(f"{name},sha256={url_digest(files[name])},{len(files[name])}\n" for name in sorted(files))
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode("utf-8")
    return f"{name_and_version()}-py3-none-any.whl", zipped(files, zipfile.ZIP_DEFLATED)


def package_files() -> dict[str, bytes]:
    """Return what the wheel holds of the package: {path: bytes}."""
    sources, data = read_package()
    return {**sources, **data}


def editable_files() -> dict[str, bytes]:
    """Return what the wheel of an editable installation holds: a file that puts this checkout on sys.path."""
    line = CHECKOUT if CHECKOUT.isascii() else f"import sys; sys.path.append({CHECKOUT!a})"  # until 3.13 read as locale
    return {"webtool_pyz.pth": f"{line}\n".encode("ascii")}


def source_distribution(config_settings: Mapping[str, str] | None) -> tuple[str, bytes]:
    """Return name and bytes of the source distribution. A wheel built from it equals one from the checkout."""
    top = name_and_version()
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as file:
        for name, data in [("PKG-INFO", metadata(config_settings)), *source_files()]:
            member = tarfile.TarInfo(f"{top}/{name}")
            member.size = len(data)
            member.mtime = calendar.timegm(entry_time())
            member.mode = 0o755 if data.startswith(b"#!") else 0o644
            file.addfile(member, io.BytesIO(data))
    return f"{top}.tar.gz", gzip.compress(stream.getvalue(), mtime=0)


def source_files() -> Iterator[tuple[str, bytes]]:
    """Yield (path, bytes) of each file of the checkout, sorted, except files that programs wrote."""
    for top in SOURCE_PATHS:
        paths = [os.path.join(CHECKOUT, top)]
        for folder, folders, files in os.walk(paths[0]):
            folders[:] = sorted(name for name in folders if name != "__pycache__" and not name.endswith("_cache"))
            paths += [os.path.join(folder, name) for name in sorted(files)]
        for path in filter(os.path.isfile, paths):
            with open(path, "rb") as file:
                yield os.path.relpath(path, CHECKOUT).replace(os.sep, "/"), file.read()


def url_digest(data: bytes) -> str:
    """Return the SHA-256 of `data` as a wheel's RECORD file spells it: URL-safe base64 without padding."""
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode("ascii")


def mcp_bundle(program: bytes) -> bytes:
    """Return webtool.mcpb: a zip archive of `program` (dist/webtool.pyz) and the manifest that an MCP host shows."""
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
    return zipped({"manifest.json": json_bytes(manifest), "webtool.pyz": program}, zipfile.ZIP_DEFLATED)


def server_json(owner: str, name: str, bundle: bytes) -> bytes:
    """Return server.json, a release's entry for the registry of MCP servers. `bundle` is the release's webtool.mcpb.

    The registry downloads the bundle and compares its SHA-256, so a host that follows the entry runs these bytes.
    """
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
    return json_bytes(server)


def json_bytes(value: object) -> bytes:
    """Return `value` as an indented JSON file."""
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode("utf-8")
