"""Sort the words of a command line. In: words and a tool's schema. Out: members for the tool, settings, options, rest.

Every member of the schema is a flag (`--allowed-domains a.example,b.example`, `--extra-snippets`,
`--no-extra-snippets`), and so is every setting. Values get their types here; webtool.schemas.arguments checks them, as
it does for every interface.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from webtool import settings
from webtool.errors import InvalidArgument
from webtool.lean.records import NamedTuple
from webtool.schemas.aliases import nearest
from webtool.settings import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    # Options of a command by name. What each says of `--output=FILE`:
    #     True     it needs a value, which may be the next word
    #     False    it is a switch and takes no value
    #     None     it is a switch, and the value is a plain word: `--install=cursor` means `--install cursor`
    Options = Mapping[str, Optional[bool]]

OPTIONS: Options = {"help": False, "json": False, "output": True, "quiet": False}
_SHORT = {"-o": "--output", "-h": "--help", "-q": "--quiet", "-H": "--header"}
_TAKES_VALUE = ("-o", "-H")  # short flags whose value may follow without a space: -opage.md
_REPEATED = ("header", "env")  # options whose values are joined by NUL if they are repeated
_NUMBER_OF_RESULTS = ("count", "num", "max_results", "limit")  # -n is the first of these that the tool has
_NUMBERS = ("integer", "number")
_TRUTHS = ("on", "off", "true", "false")  # people write these after a switch, which takes no word


class Words(NamedTuple):
    """The words of a command line, sorted."""

    members: dict[str, object]  # arguments of the tool, by name
    settings: dict[str, str]  # settings given as flags, as text
    options: dict[str, str]  # options of the command itself, without dashes; the value of a switch is ""
    plain: list[str]  # words that are not flags or their values


def parse(words: list[str], parameters: Mapping[str, object], options: Options) -> Words:
    """Sort the words. `options` are the command's own.

    Raises InvalidArgument for an unknown flag (with the nearest known one) or a missing or unfit value.
    """
    properties: Mapping[str, Mapping[str, object]] = parameters.get("properties", {})  # type: ignore[assignment]
    result = Words({}, {}, {}, [])
    rest = iter(words)
    switch_before = ""  # the word before, if it was a switch without a value
    for word in rest:
        if switch_before and word.lower() in _TRUTHS:
            raise _word_after_switch(switch_before, word)
        switch_before = ""
        if word == "--":
            result.plain.extend(rest)
        elif _is_flag(word):
            flag, equals, value = _long(word, properties).partition("=")
            _take(result, flag, value if equals else None, rest, properties, options)
            switch_before = flag if not equals and _is_switch(flag, properties) else ""
        else:
            result.plain.append(word)
    return result


def _is_flag(word: str) -> bool:
    """Return whether a word is a flag: not `-` (stdin), and not a negative number such as -2.5."""
    return word.startswith("-") and word != "-" and not word[1:].replace(".", "", 1).isdigit()


def _is_switch(flag: str, properties: Mapping[str, Mapping[str, object]]) -> bool:
    """Return whether a flag switches something of the tool or of a setting on or off: --cache, --no-cache."""
    name = flag.lstrip("-").replace("-", "_")
    name = name if name in properties or name in Settings._fields else name.removeprefix("no_")
    kind = properties[name]["type"] if name in properties else ""
    return kind == "boolean" or isinstance(Settings._field_defaults.get(name), bool)


def _opposite(flag: str) -> str:
    """Return --no-cache for --cache, and --cache for --no-cache, -no-cache and --no_cache."""
    name = flag.lstrip("-").replace("_", "-")
    return f"--{name[3:]}" if name.startswith("no-") else f"--no-{name}"


def _word_after_switch(flag: str, word: str) -> InvalidArgument:
    """Return the error for `--cache off`: "off" is not taken as a value, and hardly ever meant as a word of a query."""
    other = flag if word.lower() in ("on", "true") else _opposite(flag)
    return InvalidArgument(f"{flag} takes no word {word!r}", hint=f"Write {flag}={word} or {other}.")


def number_flag(properties: Mapping[str, object]) -> str:
    """Return the flag for which -n is short, without dashes; "" if the tool has no number of results."""
    return next((name.replace("_", "-") for name in _NUMBER_OF_RESULTS if name in properties), "")


def _long(word: str, properties: Mapping[str, object]) -> str:
    """Return the long form of a short flag: `-n5` -> `--count=5` if the tool has a member `count`."""
    if word.startswith("-n") and not word[2:].strip("0123456789"):
        name = number_flag(properties)
        if name:
            return f"--{name}" + (f"={word[2:]}" if word[2:] else "")
    return _SHORT.get(word, word)


def settings_of(words: Words) -> Settings:
    """Return the settings of the environment, replaced by those given as flags. Raises InvalidArgument."""
    changes = {
        name: settings.convert(name, text, "--" + name.replace("_", "-")) for name, text in words.settings.items()
    }
    return settings.from_environ(os.environ)._replace(**changes)  # type: ignore[arg-type]


def _take(
    result: Words,
    flag: str,
    value: str | None,
    rest: Iterator[str],
    properties: Mapping[str, Mapping[str, object]],
    options: Options,
) -> None:
    """Put one flag into the result; its value may be the next word in `rest`. Raises InvalidArgument."""
    name = flag.lstrip("-").replace("-", "_")
    if name in options and options[name] is None:  # a switch; what comes after its "=" is a plain word
        result.options[name] = ""
        result.plain.extend([value] if value else [])
    elif name in options:
        text = _value_of(flag, value, rest, may_be_empty=False) if options[name] else _refuse_value(flag, value)
        is_repeated = name in _REPEATED and name in result.options
        result.options[name] = f"{result.options[name]}\0{text}" if is_repeated else text
    elif name in properties:
        _take_member(result.members, name, flag, value, rest, properties[name])
    elif name.startswith("no_") and properties.get(name[3:], {}).get("type") == "boolean":
        result.members[name[3:]] = not _boolean(flag, value)
    elif name in Settings._fields:
        is_switch = isinstance(Settings._field_defaults[name], bool)
        result.settings[name] = "1" if is_switch and value is None else _value_of(flag, value, rest)
    elif name.startswith("no_") and isinstance(Settings._field_defaults.get(name[3:]), bool):
        result.settings[name[3:]] = "0" if _boolean(flag, value) else "1"
    elif flag[:2] in _TAKES_VALUE and any(sign in flag for sign in "./:"):  # a file or header; -otuline is a mistake
        value = flag[2:] if value is None else f"{flag[2:]}={value}"
        _take(result, _SHORT[flag[:2]], value, rest, properties, options)
    else:
        raise InvalidArgument(f"unknown flag {flag}", hint=_suggest(flag, properties, options))


def _take_member(
    members: dict[str, object],
    name: str,
    flag: str,
    value: str | None,
    rest: Iterator[str],
    schema: Mapping[str, object],
) -> None:
    """Put a flag into the members of the tool, with the type that its schema names. Raises InvalidArgument."""
    kind = schema["type"]
    if kind == "boolean":
        members[name] = _boolean(flag, value)
    elif kind == "array":
        items: list[object] = members.setdefault(name, [])  # type: ignore[assignment]
        text = _value_of(flag, value, rest)
        if text.lstrip().startswith("["):
            listed = _json(flag, text, "array")
            items.extend(listed if isinstance(listed, list) else [listed])
            return
        parts = [part.strip() for part in text.split(",")]
        kind = schema.get("items", {}).get("type", "string")  # type: ignore[attr-defined]
        items.extend(_scalar(flag, kind if kind in _NUMBERS else "string", part) for part in parts if part)
    elif kind == "object":
        members[name] = _json(flag, _value_of(flag, value, rest), "object")
    else:
        members[name] = _scalar(flag, str(kind), _value_of(flag, value, rest))


def _boolean(flag: str, value: str | None) -> bool:
    """Return the value of a switch, true without one. Raises InvalidArgument."""
    if value is None or value.lower() in ("1", "true", "yes", "on"):
        return True
    if value.lower() in ("0", "false", "no", "off"):
        return False
    raise InvalidArgument(f"{flag} is {value!r}, not true or false", hint=f"Use {flag} or {_opposite(flag)}.")


def _scalar(flag: str, kind: str, text: str) -> object:
    """Return the text as a string, integer or number, None for an empty number. Raises InvalidArgument."""
    if kind == "string":
        return text
    if not text:
        return None  # not given
    try:
        return int(text) if kind == "integer" else float(text)
    except ValueError:
        noun = "a whole number" if kind == "integer" else "a number"
        raise InvalidArgument(f"{flag} is {text!r}, not {noun}", hint=f"Give {flag} as {noun}.") from None


def _json(flag: str, text: str, kind: str) -> object:
    """Return the JSON value in the text, None for no text. Raises InvalidArgument."""
    import json

    try:
        return json.loads(text) if text else None
    except (ValueError, RecursionError) as exc:
        raise InvalidArgument(f"{flag} is not JSON: {exc}", hint=f"Give {flag} as one JSON {kind}.") from exc


def _value_of(flag: str, value: str | None, rest: Iterator[str], *, may_be_empty: bool = True) -> str:
    """Return the value after the equals sign, else the next word. Raises InvalidArgument without one.

    Values of members and settings may be empty, which means that they are not given; those of options may not.
    """
    if value is None:
        value = next(rest, None)
    if value is None or not (value or may_be_empty):
        raise InvalidArgument(f"{flag} needs a value", hint=f"Write {flag} VALUE or {flag}=VALUE.")
    return value


def _refuse_value(flag: str, value: str | None) -> str:
    """Return "". Raises InvalidArgument if there is a value."""
    if value is not None:
        raise InvalidArgument(f"{flag} takes no value", hint=f"Write {flag} alone.")
    return ""


def _suggest(flag: str, properties: Mapping[str, object], options: Options) -> str:
    if flag == "--schema":
        return "Give --schema or --schema=full alone, after the name of a tool."
    if flag == "--limit" and "max_tokens" in properties:
        return "To cut the answer: --max-tokens N. For a number of lines: webtool fetch URL --limit N."
    known = [name.replace("_", "-") for name in (*properties, *options, *Settings._fields)]
    # Compared without dashes, which all flags share: with them "--version" would be near to "--json".
    near = nearest(flag.lstrip("-"), known)
    return near.replace("Did you mean ", "Did you mean --") or "Use --help for the flags."
