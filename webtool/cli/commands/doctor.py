"""doctor: what works here and what does not, each line with what to do. Nothing is sent anywhere without --online.

Each check returns (state, text): "ok", "note" (works without it) or "bad". --json prints the same for programs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from webtool import settings
from webtool.cli import flags
from webtool.cli.commands import version
from webtool.context import Context
from webtool.errors import InvalidArgument, WebtoolError
from webtool.lean.optional import HAS_ZLIB
from webtool.output import write_all
from webtool.schemas.aliases import nearest

Finding = tuple[str, str]


def main(words: list[str]) -> int:
    """Print the findings; exit 1 where one is bad."""
    parsed = flags.parse(words, {}, {"json": False, "online": False})
    if parsed.plain:
        raise InvalidArgument(
            f"doctor takes no word {parsed.plain[0]!r}", hint="Use: webtool doctor [--online] [--json]"
        )
    findings = {name: _guarded(check) for name, check in CHECKS.items()}
    if "online" in parsed.options:
        findings.update(_online(flags.settings_of(parsed)))
    if "json" in parsed.options:
        import json

        text = json.dumps({name: {"state": state, "text": text} for name, (state, text) in findings.items()})
    else:
        text = "\n".join(f"{state:<5}{name:<12}{text}" for name, (state, text) in findings.items())
    write_all(1, (text + "\n").encode("utf-8", "replace"))
    return 1 if any(state == "bad" for state, _ in findings.values()) else 0


def _guarded(check: Callable[[], Finding]) -> Finding:
    try:
        return check()
    except WebtoolError as error:
        return "bad", f"{error.message} ({error.code}). {error.hint or ''}".strip()


def _online(current: settings.Settings) -> dict[str, Finding]:
    """What is found by asking."""
    if current.offline:
        return {"online": ("note", "not asked: the setting offline is on")}
    from webtool.cli.commands import doctor_online

    ctx = Context(current, environ=os.environ)
    try:
        return {name: _guarded(check) for name, check in doctor_online.checks(ctx).items()}
    except WebtoolError as error:
        return {"online": ("bad", error.message)}
    finally:
        ctx.close()


def _context() -> Context:
    return Context(settings.from_environ(os.environ), environ=os.environ)


def _python() -> Finding:
    found = version.versions()
    text = f"webtool {found['webtool']} on {found['python']}"
    if not HAS_ZLIB:
        return "note", f"{text}, without zlib: compressed pages, documents and archives cannot be read"
    return "ok", text


def _settings() -> Finding:
    current = settings.from_environ(os.environ)
    path = settings.config_path(os.environ)
    unknown = settings.unknown_members(path) if path else []
    if unknown:
        near = nearest(unknown[0], list(current._fields))
        return "note", f"{path} has {', '.join(unknown)}, which no setting is called. {near}".strip()
    changed = [name for name in current._fields if getattr(current, name) != settings.Settings._field_defaults[name]]
    return "ok", f"changed: {', '.join(changed)}" if changed else "all at their defaults"


def _tls() -> Finding:
    try:
        import ssl
    except ImportError:
        return "bad", "this Python has no ssl module: https will not work. Use another python3."
    paths = ssl.get_default_verify_paths()
    names = "SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE".split()
    own = [name for name in names if os.environ.get(name)]
    if not own and not paths.cafile and not paths.capath:
        return "bad", "no certificates found. Install the system's CA certificates, or set SSL_CERT_FILE."
    return "ok", f"{ssl.OPENSSL_VERSION}; certificates from {', '.join(own) or paths.cafile or paths.capath}"


def _proxies() -> Finding:
    names = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
    found = [name for name in names if os.environ.get(name) or os.environ.get(name.upper())]
    return "ok", f"from the environment: {', '.join(found)}" if found else "none"


def _cache() -> Finding:
    ctx = _context()
    if not ctx.settings.cache:
        return "note", "off"
    path = settings.cache_path(ctx.settings, os.environ)
    if not path:
        return "note", "no home directory, so nothing is kept. Set WEBTOOL_CACHE_PATH."
    ctx.warn = lambda _: None  # the finding says it
    info = ctx.require_cache().info()
    ctx.close()
    counters: dict[str, int] = info.pop("counters", {})  # type: ignore[assignment]
    shown = [f"{name} {value}" for name, value in {**info, **counters}.items() if name != "path"]
    if not info.get("full_text", True):
        return "note", f"{path}: {', '.join(shown)}. This SQLite has no FTS5: recall reads the newest pages through."
    return "ok", f"{path}: {', '.join(shown)}"


def _keys() -> Finding:
    """Whether each search provider has its keys; one of the user's own is named, but not missed."""
    from webtool.providers import credentials
    from webtool.providers.table import PROVIDERS

    ctx = _context()
    states, keyless, is_complete = [], [], True
    for name, provider in PROVIDERS.items():
        if provider.is_keyless:
            keyless.append(name)
        elif provider.is_self_hosted:
            states.append(f"{name} {'set' if credentials.is_set_up(ctx, provider) else 'not set'}")
        elif credentials.is_set_up(ctx, provider):
            states.append(f"{name} found")
        else:
            states.append(f"{name} missing")
            is_complete = False
    text = ", ".join(states) + f"; {', '.join(keyless)} needs none"
    return ("ok" if is_complete else "note"), text


def _browser() -> Finding:
    from webtool.browser import finder

    current = settings.from_environ(os.environ)
    try:
        path = finder.find_browser(current.browser, os.environ)
    except WebtoolError as error:
        return ("bad" if current.browser or current.render == "on" else "note"), error.message
    return "ok", f"{path}; rendered mode is {current.render}"


def _names() -> Finding:
    """Where webtool is installed: -tool names in ikigai's directories, entries in the settings of MCP hosts."""
    from webtool import registry
    from webtool.cli.commands import tools
    from webtool.setup import mcp_entries

    found = tools.find(tools.default_places())
    mine = {name[: -len("-tool")].replace("-", "_") for name in registry.HOST_NAMES}
    here = sorted({one.name for one in found if not one.problem} & mine)
    hosts = mcp_entries.installed(os.environ, sys.platform)
    gone = [f"{name} ({path})" for name, path in hosts.items() if os.path.isabs(path) and not os.path.exists(path)]
    if gone:
        named = f"settings of MCP hosts name what is gone: {', '.join(gone)}"
        return "bad", f"{named}. webtool mcp --install NAME mends it."
    listed = [f"installed: {', '.join(here)}"] if here else []
    listed += [f"in the settings of the MCP hosts {', '.join(hosts)}"] if hosts else []
    nowhere = "nowhere: webtool install ~/.ikigai/tools is for ikigai, webtool mcp --install HOST for MCP hosts"
    return ("ok", "; ".join(listed)) if listed else ("note", nowhere)


CHECKS: dict[str, Callable[[], Finding]] = {
    "python": _python, "settings": _settings, "tls": _tls, "proxies": _proxies, "cache": _cache, "keys": _keys,
    "browser": _browser, "tools": _names,
}  # fmt: skip
