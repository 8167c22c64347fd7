"""Find where a search provider is asked, and with which keys. In: a Context and a provider's name. Out: an Account.

URLs come from the settings. If a provider's URL or headers depend on more, its module has a function account(), which
calls at_setting(). The first of these places with a value gives a key; an empty value counts as missing:

1. the environment variable
2. credentials.json: a nested member (`web_search.brave.api_key`), else a member with the variable's name
3. a file that holds nothing else, such as brave-api-key

The files are in ikigai's folder: $IKIGAI_CONFIG_DIR, else $XDG_CONFIG_HOME/ikigai, else ~/.config/ikigai. No secret
appears in a message.
Tests: tests/providers/test_credentials.py
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping

from webtool import urls
from webtool.context import Context
from webtool.errors import AuthInvalid, AuthMissing, InvalidArgument, InvalidUrl
from webtool.lean.imports import load
from webtool.net.messages import basic
from webtool.providers.results import Account
from webtool.providers.table import PROVIDERS, Credential, Provider, keyless_tool
from webtool.settings import Settings, credentials_folder
from webtool.urls.hosts import percent_decode

_MAX_FILE_BYTES = 65536  # of a file with keys; more of it is not read
_READABLE_BY_OTHERS = stat.S_IRGRP | stat.S_IROTH


def account_of(ctx: Context, name: str) -> Account:
    """Return the endpoint and secrets of a provider.

    Raises AuthMissing, and InvalidArgument for an unknown provider or an unusable URL.
    """
    provider = PROVIDERS.get(name)
    if provider is None:
        raise InvalidArgument(f"unknown provider {name[:40]!r}", hint=f"Use one of: {', '.join(PROVIDERS)}.")
    secrets = require(ctx, provider)
    module = load(f"webtool.providers.{provider.module}")
    account: Account
    if hasattr(module, "account"):
        account = module.account(ctx.settings, secrets)
    else:
        account = at_setting(ctx.settings, provider.settings[0], *secrets.values())
    return account if account.engine else account._replace(engine=module.ENGINE)


def at_setting(settings: Settings, name: str, key: str = "", engine_id: str = "") -> Account:
    """Return the account at the URL in a setting. Raises InvalidArgument unless it is an http(s) URL.

    Name and password in the URL become an Authorization header (RFC 7617): URLs appear in messages, headers do not.
    `https://me:secret@searx.example/` -> `https://searx.example/` with `Authorization: Basic ...`.
    """
    endpoint: str = getattr(settings, name)
    try:
        url = urls.parse(endpoint)
    except InvalidUrl:
        url = None
    if url is None or url.scheme not in ("http", "https"):
        problem = "is not an absolute http or https URL" if endpoint else "is not set"
        hint = f"Set WEBTOOL_{name.upper()} to the endpoint's URL."
        raise InvalidArgument(f"the setting {name} {problem}", hint=hint)
    if not url.username and not url.password:
        return Account(endpoint, key, engine_id, setting=name)
    without_user = url._replace(username="", password="").href
    authorization = basic(percent_decode(url.username), percent_decode(url.password))
    return Account(without_user, key, engine_id, (("Authorization", authorization),), setting=name)


def is_set_up(ctx: Context, provider: Provider) -> bool:
    """Return whether the provider can be asked. Raises InvalidArgument for a broken credentials.json."""
    if provider.is_self_hosted and not getattr(ctx.settings, provider.settings[0]):
        return False
    return all(_look_up(ctx, provider.credentials).values())


def require(ctx: Context, provider: Provider) -> dict[str, str]:
    """Return the provider's secrets by variable name, in the order of the table.

    Raises AuthMissing, with the event that a host shows to its user; AuthInvalid for a value that no header or URL can
    carry; InvalidArgument for a broken credentials.json.
    """
    secrets = _look_up(ctx, provider.credentials)
    missing = [name for name, value in secrets.items() if not value]
    if missing:
        hint = f"Set {' and '.join(missing)}, or search with {keyless_tool()}, which needs no key."
        event = _event(provider, missing, credentials_folder(ctx.environ))
        raise AuthMissing(_missing_message(provider), event=event, hint=hint)
    for name, value in secrets.items():
        if not value.isascii() or not value.isprintable() or " " in value:
            hint = f"Copy {name} again, without line ends."
            raise AuthInvalid(f"{name} contains characters that no key has", hint=hint)
    return secrets


def _missing_message(provider: Provider) -> str:
    """Return the error text for a provider without credentials, in the words that agent hosts know."""
    names = " or ".join(secret.variable for secret in provider.credentials)
    files = " and ".join(f"~/.config/ikigai/{secret.file}" for secret in provider.credentials)
    plural, wanted = ("", "API key") if len(provider.credentials) == 1 else ("s", "credentials")
    how = f"Set environment variable{plural} or create {files} file{plural}. Get {wanted} from {provider.signup_url}"
    return f"Authentication required: {names} not found. {how}"


def _look_up(ctx: Context, credentials: tuple[Credential, ...]) -> dict[str, str]:
    """Return each credential's value, "" if it is missing. Files are read only if the environment lacks one."""
    environ, names = ctx.environ, [credential.variable for credential in credentials]
    # MCP_WEB_BRAVE_API_KEY is an alias of BRAVE_API_KEY.
    values = {name: environ.get(name, "").strip() or environ.get(f"MCP_WEB_{name}", "").strip() for name in names}
    folder = credentials_folder(environ)
    if not folder or all(values.values()):
        return values
    path = os.path.join(folder, "credentials.json")
    members = _read_members(path, ctx.warn)
    for credential in credentials:
        name = credential.variable
        values[name] = (
            values[name]
            or _member(members, credential.path, path)
            or _member(members, (name,), path)
            or _first_line(os.path.join(folder, credential.file), ctx.warn)
        )
    return values


def _read_members(path: str, warn: Callable[[str], None]) -> Mapping[str, object]:
    """Return the members of credentials.json, {} if no such file exists. Raises InvalidArgument if it is broken."""
    data = _read(path, warn)
    if not data.strip():
        return {}
    if len(data) > _MAX_FILE_BYTES:
        hint = "It should contain keys only; remove the rest."
        raise InvalidArgument(f"{path} is larger than {_MAX_FILE_BYTES} bytes", hint=hint)
    import json  # only users who keep their keys in a file pay for it

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


def _broken(path: str, line: int, problem: str) -> InvalidArgument:
    """Return the error that names file and line, and shows the correct form."""
    provider = next(provider for provider in PROVIDERS.values() if provider.credentials)
    return InvalidArgument(f"{path}, line {line}: {problem}", hint=f"Correct it; its form is {_nested_form(provider)}.")


def _nested_form(provider: Provider) -> str:
    """Return the provider's part of credentials.json: `{"web_search": {"brave": {"api_key": "..."}}}`."""
    keys = ", ".join(f'"{secret.path[-1]}": "..."' for secret in provider.credentials)
    text = f"{{{keys}}}"
    for name in reversed(provider.credentials[0].path[:-1]):
        text = f'{{"{name}": {text}}}'
    return text


def _member(members: Mapping[str, object], names: tuple[str, ...], path: str) -> str:
    """Return the string below these names in credentials.json, "" if it is absent.

    Raises InvalidArgument, with the line, for a value of another type.
    """
    value: object = members
    for depth, name in enumerate(names):
        if not isinstance(value, dict):
            raise _wrong_type(path, names[:depth], "is not an object")
        value = value.get(name)
        if value is None:
            return ""
    if not isinstance(value, str):
        raise _wrong_type(path, names, "is not a string in double quotes")
    return value.strip()


def _wrong_type(path: str, names: tuple[str, ...], problem: str) -> InvalidArgument:
    """Return the error for a member of the wrong type, with the line where the last of the names is found."""
    data = _read(path, lambda _: None)
    position = 0
    for name in names:
        position = max(position, data.find(f'"{name}"'.encode(), position))
    return _broken(path, data.count(b"\n", 0, position) + 1, f"{'.'.join(names)} {problem}")


def _first_line(path: str, warn: Callable[[str], None]) -> str:
    """Return the first line of a file, "" if it is absent or empty."""
    text = _read(path, warn).decode("utf-8-sig", "replace").strip()
    return text.splitlines()[0].strip() if text else ""


def _read(path: str, warn: Callable[[str], None]) -> bytes:
    """Return the bytes of a regular file, b"" if it is absent. Warns if others can read it, or webtool cannot."""
    try:
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):  # a pipe would wait for a writer
            warn(f"{path} is not a regular file and was not read")
            return b""
        if os.name == "posix" and mode & _READABLE_BY_OTHERS:
            warn(f"{path} can be read by others: chmod 600 {path}")
        with open(path, "rb") as file:
            return file.read(_MAX_FILE_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return b""
    except OSError as exc:
        warn(f"{path} cannot be read: {exc.strerror or exc}")
        return b""


def _event(provider: Provider, missing: list[str], folder: str) -> dict[str, object]:
    """Return what an agent host shows to the user, because only the user can get a key."""
    secrets = provider.credentials
    paths = [os.path.join(folder, name) for name in ("credentials.json", *(secret.file for secret in secrets))]
    names = " and ".join(secret.variable for secret in secrets)
    content = (
        f"⚠ Configuration Required\n\n{provider.title} web search needs {names}; not found: {', '.join(missing)}.\n"
        f"1. Get it at {provider.signup_url}\n"
        f"2. Set it in the environment" + (f", or put {_nested_form(provider)} into {paths[0]}" if folder else "")
    )
    keys = [secret.path[-1] for secret in secrets]
    data: dict[str, object] = {
        "tool": provider.tool,
        **({"credential": keys[0]} if len(keys) == 1 else {"credentials": keys}),
        "variables": [secret.variable for secret in secrets],
        "missing": missing,
        "signup_url": provider.signup_url,
        "config_paths": paths if folder else [],
    }
    return {"kind": "config_required", "content": content, "data": data}
