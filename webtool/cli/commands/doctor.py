"""doctor: show what works on this machine and what does not, each line with what to do.

In: the command's words. Out: the findings on stdout and the exit status. Each check returns a Finding: a state and a
text. "ok" works, "note" means that webtool works without it, "bad" needs the user. Nothing is sent anywhere without
--online: a query may cost money, and a look-up tells somebody that webtool is here.
Tests: tests/cli/commands/test_others.py
"""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Callable
from functools import partial

from webtool import registry, settings, urls
from webtool.answers import budget
from webtool.browser import launch
from webtool.cli import flags
from webtool.cli.commands import config, tools
from webtool.context import Context
from webtool.errors import WebtoolError, counted
from webtool.lean.optional import HAS_ZLIB
from webtool.net.messages import Request
from webtool.output import is_terminal, write_all
from webtool.providers import chain, credentials, driver
from webtool.providers.table import PROVIDERS
from webtool.setup import mcp_entries

Finding = tuple[str, str]  # state, text

MAX_SECONDS = 10.0  # seconds that one check of --online may take
_QUERY = "webtool"
_PROXY_VARIABLES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


def main(parsed: flags.Words) -> int:
    """Print the findings as a table, or as JSON. Returns 1 if one is bad."""
    findings = {name: _guarded(check) for name, check in CHECKS.items()}
    if "online" in parsed.options:
        findings.update(_online(flags.settings_of(parsed)))
    color = parsed.settings.get("color", "")
    if "json" in parsed.options:
        data: dict[str, object] = {name: {"state": state, "text": text} for name, (state, text) in findings.items()}
        write_all(1, budget.encode(data))
    elif is_terminal(1) or color == "always":
        from webtool.cli.terminal import screen, style

        screen.show_findings(findings, color or style.choice_of([]))
    else:
        lines = [f"{state:<5}{name:<12}{text}\n" for name, (state, text) in findings.items()]
        write_all(1, "".join(lines).encode("utf-8", "replace"))
    return 1 if any(state == "bad" for state, _ in findings.values()) else 0


def _guarded(check: Callable[[], Finding]) -> Finding:
    """Return what a check finds; its error is a bad finding."""
    try:
        return check()
    except WebtoolError as error:
        return "bad", f"{error.message} ({error.code}). {error.hint or ''}".strip()


def _context() -> Context:
    return Context(settings.from_environ(os.environ), environ=os.environ)


def _python() -> Finding:
    """Name the versions, and say what does not work without zlib."""
    versions = config.versions()
    text = f"webtool {versions['webtool']} on {versions['python']}"
    if not HAS_ZLIB:
        return "note", f"{text}, without zlib: compressed pages, documents and archives cannot be read"
    return "ok", text


def _settings() -> Finding:
    """Name the settings that are not at their defaults, and names in config.json or of variables that are unknown."""
    current = settings.from_environ(os.environ)
    unknown = config.unknown_names()
    if unknown:
        return "note", " ".join(unknown)
    changed = [name for name in current._fields if getattr(current, name) != settings.Settings._field_defaults[name]]
    return "ok", f"changed: {', '.join(changed)}" if changed else "all at their defaults"


def _tls() -> Finding:
    """Name OpenSSL and where certificates come from."""
    try:
        import ssl
    except ImportError:
        return "bad", "this Python has no ssl module: https will not work. Use another python3."
    paths = ssl.get_default_verify_paths()
    from webtool.net import tls

    used = next((name for name in tls.FILE_VARIABLES if os.environ.get(name)), "")
    variables = [name for name in (used, "SSL_CERT_DIR") if os.environ.get(name)]
    if not variables and not paths.cafile and not paths.capath:
        return "bad", "no certificates found. Install the system's CA certificates, or set SSL_CERT_FILE."
    return "ok", f"{ssl.OPENSSL_VERSION}; certificates from {', '.join(variables) or paths.cafile or paths.capath}"


def _proxies() -> Finding:
    """Name the variables that set a proxy."""
    variables = [name for name in _PROXY_VARIABLES if os.environ.get(name) or os.environ.get(name.upper())]
    return "ok", f"from the environment: {', '.join(variables)}" if variables else "none"


def _cache() -> Finding:
    """Show the path and size of the cache."""
    ctx = _context()
    if not ctx.settings.cache:
        return "note", "off"
    path = settings.cache_path(ctx.settings, os.environ)
    if not path:
        return "note", "no home folder is known, so nothing is stored. Set WEBTOOL_CACHE_PATH."
    ctx.warn = lambda _: None  # the finding has the same words
    info = ctx.require_cache().info()
    ctx.close()
    counters: dict[str, int] = info.pop("counters", {})  # type: ignore[assignment]
    shown = [f"{name} {value}" for name, value in {**info, **counters}.items() if name != "path"]
    if not info.get("full_text", True):
        lack = "It has no index (no zlib, or no FTS5 in SQLite): recall searches the newest pages only."
        return "note", f"{path}: {', '.join(shown)}. {lack}"
    return "ok", f"{path}: {', '.join(shown)}"


def _keys() -> Finding:
    """Say which search providers have their keys. One that users host themselves may be absent."""
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
    """Name the browser of rendered mode. A missing one is bad only if the settings ask for it."""
    current = settings.from_environ(os.environ)
    try:
        path = launch.find_browser(current.browser, os.environ)
    except WebtoolError as error:
        return ("bad" if current.browser or current.render == "on" else "note"), error.message
    return "ok", f"{path}; rendered mode is {current.render}"


def _installations() -> Finding:
    """Say where webtool is installed: -tool names in ikigai's folders, entries in the settings of MCP hosts."""
    own_names = {name[: -len("-tool")].replace("-", "_") for name in registry.HOST_NAMES}
    executables = tools.find(tools.default_places())
    installed = sorted({executable.name for executable in executables if not executable.problem} & own_names)
    hosts = mcp_entries.installed(os.environ, sys.platform)
    gone = [f"{name} ({path})" for name, path in hosts.items() if os.path.isabs(path) and not os.path.exists(path)]
    if gone:
        problem = f"settings of MCP hosts name files that no longer exist: {', '.join(gone)}"
        return "bad", f"{problem}. webtool mcp --install NAME corrects it."
    places = [f"installed: {', '.join(installed)}"] if installed else []
    if hosts:
        places.append(f"in the settings of the MCP hosts {', '.join(hosts)}")
    if places:
        return "ok", "; ".join(places)
    return "note", "nowhere: webtool install ~/.ikigai/tools is for ikigai, webtool mcp --install HOST for MCP hosts"


CHECKS: dict[str, Callable[[], Finding]] = {
    "python": _python, "settings": _settings, "tls": _tls, "proxies": _proxies, "cache": _cache, "keys": _keys,
    "browser": _browser, "tools": _installations,
}  # fmt: skip


def _online(current: settings.Settings) -> dict[str, Finding]:
    """Run the checks that send something: host names, a connection, and one query to each provider that is set up."""
    if current.offline:
        return {"online": ("note", "not asked: the setting offline is on")}
    ctx = Context(current, environ=os.environ)
    try:
        names = chain.providers(ctx)
        checks = {"dns": partial(_look_up, ctx, names), "connection": partial(_connect, ctx, names)}
        checks.update({name: partial(_search, ctx, name) for name in names})
        return {name: _guarded(check) for name, check in checks.items()}
    except WebtoolError as error:
        return {"online": ("bad", error.message)}
    finally:
        ctx.close()


def _endpoint(ctx: Context, name: str) -> str:
    """Return the URL of a provider: with usable keys that of its account, else the one in its first setting."""
    try:
        return credentials.account_of(ctx, name).endpoint
    except WebtoolError:
        return str(getattr(ctx.settings, PROVIDERS[name].settings[0]))


def _look_up(ctx: Context, names: tuple[str, ...]) -> Finding:
    """Say whether the host names of the endpoints are known here. Behind a proxy they need not be."""
    hosts = {host for name in names if (host := urls.hostname(_endpoint(ctx, name)))}
    unknown = []
    for host in sorted(hosts):
        try:
            socket.getaddrinfo(host, 443)
        except OSError as exc:
            unknown.append(f"{host} ({exc.strerror or exc})")
    if unknown:
        return "bad", f"not found: {', '.join(unknown)}. Behind a proxy that looks up names this does no harm."
    return "ok", f"found: {', '.join(sorted(hosts))}"


def _connect(ctx: Context, names: tuple[str, ...]) -> Finding:
    """Connect to the first endpoint, through proxy and handshake. Any status is an answer."""
    url = f"{urls.parse(_endpoint(ctx, names[0])).origin}/"
    begun = time.monotonic()
    response = ctx.client.ask(Request(url), deadline=begun + MAX_SECONDS)
    return "ok", f"{url} answered with status {response.status} in {_milliseconds_since(begun)}"


def _search(ctx: Context, name: str) -> Finding:
    """Ask one provider one query."""
    begun = time.monotonic()
    answer = driver.search(ctx.derive(deadline=begun + MAX_SECONDS), name, _QUERY, 1)
    return "ok", f"answered with {counted(len(answer.results), 'result')} in {_milliseconds_since(begun)}"


def _milliseconds_since(begun: float) -> str:
    return f"{(time.monotonic() - begun) * 1000:.0f} ms"
