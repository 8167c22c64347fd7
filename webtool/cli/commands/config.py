"""Print every setting with its value and its origin (config), or the versions (--version).

In: the command's words, of which flags change settings. Out: a table on stdout and the exit status. WEBTOOL_ variables
and members of config.json that are not settings are named on stderr.
Tests: tests/cli/commands/test_others.py
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Mapping

from webtool import __version__, settings, urls
from webtool.answers import budget
from webtool.cli import flags
from webtool.output import is_terminal, write_all, write_error
from webtool.schemas.aliases import nearest

_START = "-start.bin"  # an archive has one file `webtool/<python tag>-start.bin` for each Python with bytecode
_DEFAULT = "default"


def config(parsed: flags.Words) -> int:
    """Print the settings. Returns 0. Raises InvalidArgument for a wrong one."""
    current = flags.settings_of(parsed)
    origins = origins_of(os.environ)
    origins.update({name: "--" + name.replace("_", "-") for name in parsed.settings})
    path = settings.config_path(os.environ)
    unknown = unknown_names()
    rows = [(name, _shown(getattr(current, name)), origins.get(name, _DEFAULT)) for name in current._fields]
    if "json" in parsed.options:
        values = {name: {"value": _redacted(getattr(current, name)), "from": origin} for name, _, origin in rows}
        write_all(1, budget.encode({"settings": values, "config_file": path, "unknown": unknown}))
        return 0
    if is_terminal(1) or current.color == "always":
        from webtool.cli.terminal import screen

        screen.show_rows(rows, lambda row: row[2] != _DEFAULT, current)
    else:
        text = "".join(f"{name:<20} {value:<34} {origin}\n" for name, value, origin in rows)
        write_all(1, text.encode("utf-8", "replace"))
    if "quiet" not in parsed.options:
        write_error("".join(f"webtool: {sentence}\n" for sentence in unknown))
    return 0


def origins_of(environ: Mapping[str, str]) -> dict[str, str]:
    """Return where each setting that is not at its default comes from: a file or a variable. The last one wins."""
    path = settings.config_path(environ)
    origins = {name: path for name in (settings.read_members(path) or {}) if name in settings.Settings._fields}
    origins.update({name: alias for alias, name in settings.ALIASES.items() if environ.get(alias)})
    variables = {name: f"WEBTOOL_{name.upper()}" for name in settings.Settings._fields}
    origins.update({name: variable for name, variable in variables.items() if environ.get(variable)})
    return origins


def unknown_names() -> list[str]:
    """Return a sentence on each unknown name: `WEBTOOL_DEADLIN is not a setting. Did you mean ...?`"""
    path, known = settings.config_path(os.environ), settings.Settings._fields
    sentences = [
        f"{name} in {path} is not a setting. {nearest(name, known)}".strip()
        for name in (settings.unknown_members(path) if path else ())
    ]
    for variable in settings.unknown_variables(os.environ):
        near = nearest(variable[len("WEBTOOL_") :].lower(), known)
        meant = near.removeprefix("Did you mean ").upper()
        sentences.append(f"{variable} is not a setting.{f' Did you mean WEBTOOL_{meant}' if near else ''}")
    return sentences


def _shown(value: object) -> str:
    """Return a value as a flag or a variable would have it; "-" for an empty one."""
    if isinstance(value, bool):
        return "on" if value else "off"
    value = _redacted(value)
    return (",".join(map(str, value)) if isinstance(value, list) else str(value)) or "-"


def _redacted(value: object) -> object:
    """Return a value without the user information of an address, which may be a password."""
    if isinstance(value, tuple):
        return list(value)
    return urls.redact(value) if isinstance(value, str) and "://" in value else value


def versions() -> dict[str, str]:
    """Return the versions of what runs here."""
    try:
        import ssl

        openssl = ssl.OPENSSL_VERSION
    except ImportError:
        openssl = "OpenSSL: none (https will not work)"
    python = f"{platform.python_implementation()} {platform.python_version()} ({sys.executable})"
    return {"webtool": __version__, "python": python, "openssl": openssl}


def contents() -> dict[str, object]:
    """Return what the running file contains: the Pythons that it has bytecode for, third-party code and data."""
    import json

    from webtool.extraction.model import model_file

    compiled: list[str] = []
    path = getattr(globals().get("__loader__"), "archive", "")
    if path:
        import zipfile

        with zipfile.ZipFile(path) as archive:
            names = [name[len("webtool/") :] for name in archive.namelist() if name.endswith(_START)]
        compiled = sorted(name[: -len(_START)] for name in names)
    provenance = json.loads(model_file.load().provenance)
    return {
        "file": path or None,
        "compiled_for": compiled,
        "requires": "Python >= 3.9",
        "third_party": [],
        "model": {key: provenance[key] for key in ("corpus", "pages", "licence")},
    }


def version(parsed: flags.Words) -> int:
    """Print the versions of webtool, Python and OpenSSL; with --json also what the running file contains. Returns 0."""
    running = versions()
    if "json" in parsed.options:
        write_all(1, budget.encode({**running, **contents()}))
    else:
        text = f"webtool {running['webtool']}\nPython {running['python']}\n{running['openssl']}\n"
        write_all(1, text.encode("utf-8", "replace"))
    return 0
