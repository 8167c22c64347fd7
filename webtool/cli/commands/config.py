"""config: show every setting with its value and where that comes from.

In: the command's words, of which flags change settings. Out: a table on stdout and the exit status. WEBTOOL_ variables
and members of config.json that are not settings are named on stderr.

Tests: tests/cli/commands/test_others.py
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from webtool import settings, urls
from webtool.cli import flags
from webtool.errors import InvalidArgument
from webtool.output import is_terminal, write_all, write_error
from webtool.schemas.aliases import nearest

OPTIONS = {"json": False, "quiet": False}
_DEFAULT = "default"


def main(words: list[str]) -> int:
    """Print the settings. Returns 0. Raises InvalidArgument."""
    parsed = flags.parse(words, {}, OPTIONS)
    if parsed.plain:
        hint = "Use: webtool config [--json]; webtool help settings says what each setting does."
        raise InvalidArgument(f"config takes no word {parsed.plain[0]!r}", hint=hint)
    current = flags.settings_of(parsed)
    origins = origins_of(os.environ)
    origins.update({name: "--" + name.replace("_", "-") for name in parsed.settings})
    path = settings.config_path(os.environ)
    unknown = unknown_members(path) + unknown_variables(os.environ)
    rows = [(name, _shown(getattr(current, name)), origins.get(name, _DEFAULT)) for name in current._fields]
    if "json" in parsed.options:
        import json

        values = {name: {"value": _redacted(getattr(current, name)), "from": origin} for name, _, origin in rows}
        data = {"settings": values, "config_file": path, "unknown": unknown}
        write_all(1, (json.dumps(data, ensure_ascii=False) + "\n").encode("utf-8", "replace"))
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
    aliases = {**settings.ALIASES, "MCP_WEB_TIMEOUT_MS": "deadline"}
    origins.update({name: alias for alias, name in aliases.items() if environ.get(alias)})
    variables = {name: f"WEBTOOL_{name.upper()}" for name in settings.Settings._fields}
    origins.update({name: variable for name, variable in variables.items() if environ.get(variable)})
    return origins


def unknown_variables(environ: Mapping[str, str]) -> list[str]:
    """Return a sentence on each WEBTOOL_ variable that is not a setting: `WEBTOOL_DEADLIN is not a setting. ...`."""
    sentences = []
    for variable in settings.unknown_variables(environ):
        near = nearest(variable[len("WEBTOOL_") :].lower(), settings.Settings._fields)
        meant = near.removeprefix("Did you mean ").upper()
        sentences.append(f"{variable} is not a setting.{f' Did you mean WEBTOOL_{meant}' if near else ''}")
    return sentences


def unknown_members(path: str) -> list[str]:
    """Return a sentence on each member of config.json that is not a setting."""
    names = settings.unknown_members(path) if path else []
    return [f"{name} in {path} is not a setting. {nearest(name, settings.Settings._fields)}".strip() for name in names]


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
