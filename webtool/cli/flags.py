"""Command-line words to arguments. In: words and a tool's schema. Out: members for the tool, settings, and the rest.

Every member of a schema is a flag (`--allowed-domains a.example,b.example`, `--extra-snippets`, `--no-extra-snippets`),
the required ones may come as plain words; every setting is a flag too. Values are converted here and checked by
`arguments.check`, as for every surface.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from webtool import settings
from webtool.errors import InvalidArgument
from webtool.lean.records import NamedTuple
from webtool.schemas.aliases import nearest
from webtool.settings import Settings

# Options that every tool has as a command, and whether each takes a value.
OPTIONS = {"help": False, "json": False, "output": True, "quiet": False}
_SHORT = {"-o": "--output", "-h": "--help", "-q": "--quiet", "-H": "--header"}
_REPEATED = ("header", "env")  # options whose values add up, a NUL between two
_NUMBER_OF_RESULTS = ("count", "num", "max_results", "limit")  # what -n is, by the first that the tool has


class Words(NamedTuple):
    """What the words of a command line said."""

    members: dict[str, object]
    """Arguments of the tool."""
    settings: dict[str, str]
    """Settings given as flags, still text."""
    options: dict[str, str]
    """Options of the command itself, without dashes; switches have the value ""."""
    plain: list[str]
    """Words that are no flags."""


def parse(words: list[str], parameters: Mapping[str, object], options: Mapping[str, bool]) -> Words:
    """Sort the words. `options` names the command's own options and whether each takes a value.

    Raises InvalidArgument for an unknown flag (with the nearest known one) or a missing or unfit value.
    """
    properties: Mapping[str, Mapping[str, object]] = parameters.get("properties", {})  # type: ignore[assignment]
    result = Words({}, {}, {}, [])
    rest = iter(words)
    for word in rest:
        if word == "--":
            result.plain.extend(rest)
        elif word.startswith("-") and word != "-" and not word[1:].replace(".", "", 1).isdigit():
            flag, equals, value = _long(word, properties).partition("=")
            _take(result, flag, value if equals else None, rest, properties, options)
        else:
            result.plain.append(word)
    return result


def number_flag(properties: Mapping[str, object]) -> str:
    """The flag that -n stands for, without dashes; "" where the tool counts nothing."""
    return next((name.replace("_", "-") for name in _NUMBER_OF_RESULTS if name in properties), "")


def _long(word: str, properties: Mapping[str, object]) -> str:
    """The long form of a short flag: -n 5 and -n5 are --count 5 where the tool counts results so."""
    if word.startswith("-n") and not word[2:].strip("0123456789"):
        name = number_flag(properties)
        if name:
            return f"--{name}" + (f"={word[2:]}" if word[2:] else "")
    return _SHORT.get(word, word)


def settings_of(words: Words) -> Settings:
    """The environment's settings with those given as flags laid over them. Raises InvalidArgument."""
    given = words.settings.items()
    changes = {name: settings.convert(name, text, "--" + name.replace("_", "-")) for name, text in given}
    return settings.from_environ(os.environ)._replace(**changes)  # type: ignore[arg-type]


def _take(
    result: Words,
    flag: str,
    value: str | None,
    rest: object,
    properties: Mapping[str, Mapping[str, object]],
    options: Mapping[str, bool],
) -> None:
    name = flag.lstrip("-").replace("-", "_")
    if name in options:
        given = _filled(flag, _value_of(flag, value, rest)) if options[name] else _no_value(flag, value)
        is_again = name in _REPEATED and name in result.options
        result.options[name] = f"{result.options[name]}\0{given}" if is_again else given
    elif name in properties:
        _take_member(result.members, name, flag, value, rest, properties[name])
    elif name.startswith("no_") and properties.get(name[3:], {}).get("type") == "boolean":
        result.members[name[3:]] = False
    elif name in Settings._fields:
        switch = isinstance(Settings._field_defaults[name], bool)
        result.settings[name] = (value or "1") if switch else _value_of(flag, value, rest)
    elif name.startswith("no_") and isinstance(Settings._field_defaults.get(name[3:]), bool):
        result.settings[name[3:]] = "0"
    else:
        raise InvalidArgument(f"unknown flag {flag}", hint=_suggest(flag, properties, options))


_NUMBERS = ("integer", "number")


def _take_member(
    members: dict[str, object], name: str, flag: str, value: str | None, rest: object, schema: Mapping[str, object]
) -> None:
    kind = schema["type"]
    if kind == "boolean":
        members[name] = _boolean(flag, value)
    elif kind == "array":
        items: list[object] = members.setdefault(name, [])  # type: ignore[assignment]
        parts = [part.strip() for part in _value_of(flag, value, rest).split(",")]
        kind = schema.get("items", {}).get("type", "string")  # type: ignore[attr-defined]
        items.extend(_scalar(flag, kind if kind in _NUMBERS else "string", part) for part in parts if part)
    elif kind == "object":
        members[name] = _json(flag, _value_of(flag, value, rest))
    else:
        members[name] = _scalar(flag, str(kind), _value_of(flag, value, rest))


def _boolean(flag: str, value: str | None) -> bool:
    if value is None or value.lower() in ("1", "true", "yes", "on"):
        return True
    if value.lower() in ("0", "false", "no", "off"):
        return False
    raise InvalidArgument(f"{flag} is {value!r}, not true or false", hint=f"Use {flag} or --no-{flag[2:]}.")


def _scalar(flag: str, kind: str, text: str) -> object:
    if kind == "string":
        return text
    try:
        return int(text) if kind == "integer" else float(text)
    except ValueError:
        noun = "a whole number" if kind == "integer" else "a number"
        raise InvalidArgument(f"{flag} is {text!r}, not {noun}", hint=f"Give {flag} as {noun}.") from None


def _json(flag: str, text: str) -> object:
    import json

    try:
        return json.loads(text)
    except ValueError as exc:
        raise InvalidArgument(f"{flag} is not JSON: {exc}", hint=f"Give {flag} as one JSON object.") from exc


def _value_of(flag: str, value: str | None, rest: object) -> str:
    if value is None:
        value = next(rest, None)  # type: ignore[call-overload]
    return _filled(flag, value) if value is None else str(value)


def _filled(flag: str, value: str | None) -> str:
    if not value:
        raise InvalidArgument(f"{flag} needs a value", hint=f"Write {flag} VALUE or {flag}=VALUE.")
    return value


def _no_value(flag: str, value: str | None) -> str:
    if value is not None:
        raise InvalidArgument(f"{flag} takes no value", hint=f"Write {flag} alone.")
    return ""


def _suggest(flag: str, properties: Mapping[str, object], options: Mapping[str, bool]) -> str:
    if flag == "--schema":
        return "Give --schema or --schema=full alone, behind the name of a tool."
    known = [name.replace("_", "-") for name in (*properties, *options, *Settings._fields)]
    # Without the dashes, which all of them have: with them "--version" would be near to "--json".
    near = nearest(flag.lstrip("-"), known)
    return near.replace("Did you mean ", "Did you mean --") or "Use --help for the flags."
