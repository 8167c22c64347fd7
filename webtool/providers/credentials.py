"""Keys for search providers. In: the environment and ikigai's configuration folder. Out: the value, or AUTH_MISSING.

First found wins: the environment variable; credentials.json, nested (`web_search.brave.api_key`) or flat (a member
named like the variable); a one-line file. An empty value is not a value. The folder is $IKIGAI_CONFIG_DIR, else
$XDG_CONFIG_HOME/ikigai, else ~/.config/ikigai. No value found here appears in any message.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping

from webtool.context import Context
from webtool.errors import AuthInvalid, AuthMissing, InvalidArgument
from webtool.lean.records import NamedTuple
from webtool.settings import credentials_folder

_MAX_FILE = 65536
_READABLE_BY_OTHERS = stat.S_IRGRP | stat.S_IROTH


class Credential(NamedTuple):
    """One secret and where it may be: environment variable, place in credentials.json, one-line file."""

    variable: str
    place: tuple[str, ...]
    file: str


class Provider(NamedTuple):
    """What a provider needs, and the message where it is missing."""

    tool: str
    title: str
    credentials: tuple[Credential, ...]
    missing: str
    signup_url: str


PROVIDERS = {
    "brave": Provider(
        "web_search_brave",
        "Brave web search",
        (Credential("BRAVE_API_KEY", ("web_search", "brave", "api_key"), "brave-api-key"),),
        "Authentication required: BRAVE_API_KEY not found. Set environment variable or create "
        "~/.config/ikigai/brave-api-key file. Get API key from https://brave.com/search/api/",
        "https://brave.com/search/api/",
    ),
    "google": Provider(
        "web_search_google",
        "Google web search",
        (
            Credential("GOOGLE_SEARCH_API_KEY", ("web_search", "google", "api_key"), "google-api-key"),
            Credential("GOOGLE_SEARCH_ENGINE_ID", ("web_search", "google", "engine_id"), "google-engine-id"),
        ),
        "Authentication required: GOOGLE_SEARCH_API_KEY or GOOGLE_SEARCH_ENGINE_ID not found. Set environment "
        "variables or create ~/.config/ikigai/google-api-key and ~/.config/ikigai/google-engine-id files. "
        "Get credentials from https://developers.google.com/custom-search",
        "https://developers.google.com/custom-search",
    ),
}


def has(ctx: Context, provider: str) -> bool:
    """Whether everything that the provider needs is there. Raises InvalidArgument for a broken credentials.json."""
    return all(_lookup(ctx, PROVIDERS[provider].credentials).values())


def require(ctx: Context, provider: str) -> dict[str, str]:
    """The provider's secrets by variable name.

    Raises AuthMissing with the event for the user; AuthInvalid for a value that no header or URL can carry;
    InvalidArgument for a broken credentials.json.
    """
    needed = PROVIDERS[provider]
    found = _lookup(ctx, needed.credentials)
    missing = [name for name, value in found.items() if not value]
    if missing:
        hint = f"Set {' and '.join(missing)}, or search with web_search_duckduckgo, which needs no key."
        raise AuthMissing(needed.missing, event=_event(needed, missing, credentials_folder(ctx.environ)), hint=hint)
    for name, value in found.items():
        if not value.isascii() or not value.isprintable() or " " in value:
            raise AuthInvalid(f"{name} holds characters that no key has", hint=f"Copy {name} anew, without line ends.")
    return found


def _lookup(ctx: Context, wanted: tuple[Credential, ...]) -> dict[str, str]:
    """Every credential's value, "" where it is missing. Files are read only for what the environment does not have."""
    found = {credential.variable: _from_environ(ctx.environ, credential.variable) for credential in wanted}
    place = credentials_folder(ctx.environ)
    if not place or all(found.values()):
        return found
    path = os.path.join(place, "credentials.json")
    members = _read_members(path, ctx.warn)
    for credential in wanted:
        name = credential.variable
        found[name] = (
            found[name]
            or _member(members, credential.place, path)
            or _member(members, (name,), path)
            or _first_line(os.path.join(place, credential.file), ctx.warn)
        )
    return found


def _from_environ(environ: Mapping[str, str], name: str) -> str:
    """A variable's value; MCP_WEB_<NAME>, an alias as for settings, stands in for one that is not set."""
    return environ.get(name, "").strip() or environ.get(f"MCP_WEB_{name}", "").strip()


def _read_members(path: str, warn: Callable[[str], None]) -> Mapping[str, object]:
    data = _read(path, warn)
    if not data.strip():
        return {}
    if len(data) > _MAX_FILE:
        raise InvalidArgument(f"{path} is larger than {_MAX_FILE} bytes", hint="It holds keys only; take the rest out.")
    import json  # only those who keep their keys in a file pay for it

    try:
        members = json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as exc:
        raise _broken(path, exc.lineno, f"{exc.msg} (column {exc.colno})") from None
    except UnicodeDecodeError as exc:
        raise _broken(path, data.count(b"\n", 0, exc.start) + 1, "not UTF-8") from None
    except (ValueError, RecursionError):
        raise _broken(path, 1, "not usable JSON") from None
    if not isinstance(members, dict):
        raise _broken(path, 1, "not a JSON object")
    return members


def _broken(path: str, line: int, what: str) -> InvalidArgument:
    hint = 'Correct it; its form is {"web_search": {"brave": {"api_key": "..."}}}.'
    return InvalidArgument(f"{path}, line {line}: {what}", hint=hint)


def _member(members: Mapping[str, object], place: tuple[str, ...], path: str) -> str:
    """The string at a place in credentials.json, "" where there is none. Raises InvalidArgument for another type."""
    value: object = members
    for depth, name in enumerate(place):
        if not isinstance(value, dict):
            raise _misplaced(path, place[:depth], "is not an object")
        value = value.get(name)
        if value is None:
            return ""
    if not isinstance(value, str):
        raise _misplaced(path, place, "is not a string in double quotes")
    return value.strip()


def _misplaced(path: str, place: tuple[str, ...], what: str) -> InvalidArgument:
    """The error for a member of the wrong type. The line is where its name stands, below the names around it."""
    data = _read(path, lambda _: None)
    position = 0
    for name in place:
        position = max(position, data.find(f'"{name}"'.encode(), position))
    return _broken(path, data.count(b"\n", 0, position) + 1, f"{'.'.join(place)} {what}")


def _first_line(path: str, warn: Callable[[str], None]) -> str:
    text = _read(path, warn).decode("utf-8-sig", "replace").strip()
    return text.splitlines()[0].strip() if text else ""


def _read(path: str, warn: Callable[[str], None]) -> bytes:
    """A small regular file's bytes, b"" where there is none. Warns of one that others can read, or we cannot."""
    try:
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):  # a pipe would wait for a writer
            warn(f"{path} is not a regular file and was not read")
            return b""
        if os.name == "posix" and mode & _READABLE_BY_OTHERS:
            warn(f"{path} can be read by others: chmod 600 {path}")
        with open(path, "rb") as file:
            return file.read(_MAX_FILE + 1)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return b""
    except OSError as exc:
        warn(f"{path} cannot be read: {exc.strerror}")
        return b""


def _event(needed: Provider, missing: list[str], place: str) -> dict[str, object]:
    """What an agent host shows to the user, who can do what the agent cannot: get a key."""
    paths = [os.path.join(place, "credentials.json"), *[os.path.join(place, each.file) for each in needed.credentials]]
    names = " and ".join(each.variable for each in needed.credentials)
    keys = ", ".join(f'"{each.place[-1]}": "..."' for each in needed.credentials)
    section = f'{{"web_search": {{"{needed.credentials[0].place[1]}": {{{keys}}}}}}}'
    content = (
        f"⚠ Configuration Required\n\n{needed.title} needs {names}; not found: {', '.join(missing)}.\n"
        f"1. Get it at {needed.signup_url}\n"
        f"2. Set it in the environment" + (f", or put {section} into {paths[0]}" if place else "")
    )
    own = [each.place[-1] for each in needed.credentials]
    data: dict[str, object] = {
        "tool": needed.tool,
        **({"credential": own[0]} if len(own) == 1 else {"credentials": own}),
        "variables": [each.variable for each in needed.credentials],
        "missing": missing,
        "signup_url": needed.signup_url,
        "config_paths": paths if place else [],
    }
    return {"kind": "config_required", "content": content, "data": data}
