"""Make the headers that webtool sends: those of every request, and those that the hosts file adds for one host.

In: settings, environment, a URL. Out: header pairs. The hosts file is JSON and maps a host to what only it may see:

    {"docs.example.com": {"headers": {"X-Team": "a"}, "cookies": {"session": "..."}, "netrc": true},
     "*.example.org": {"user_agent": "..."}}

An entry applies to https, unless it is written with a scheme: "http://localhost:8080". Without a port it applies to all
ports. `*.` means all subdomains. `netrc` reads login and password from $NETRC or ~/.netrc. The headers are computed for
each hop, so they never reach another host, and none of them is logged. A request for robots.txt over plain http gets
no extra headers.
Tests: tests/net/test_request_headers.py
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from webtool import settings as settings_module
from webtool import urls
from webtool.errors import InvalidArgument
from webtool.lean.optional import HAS_ZLIB
from webtool.net import messages
from webtool.settings import Settings

ACCEPT = (
    "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, application/xml;q=0.7, "
    "application/json;q=0.7, */*;q=0.5"
)
ACCEPT_ENCODING = "gzip, deflate" if HAS_ZLIB else "identity"
# Header fields that decide where a message goes and where it ends. Neither the hosts file nor a caller may set them.
RESERVED_FIELDS = frozenset(
    ("host", "content-length", "transfer-encoding", "connection", "te", "upgrade", "accept-encoding")
)
# Fields of an entry in the hosts file and their types.
_ENTRY_FIELDS: dict[str, tuple[type, ...]] = {
    "headers": (dict,), "cookies": (dict, str), "user_agent": (str,), "netrc": (bool,),
}  # fmt: skip
_TYPE_NAMES = {dict: "an object", str: "a string", bool: "true or false"}


def user_agent(settings: Settings) -> str:
    """Return the User-Agent: the setting user_agent, else product and version, with the contact if one is set."""
    if settings.user_agent:
        return settings.user_agent
    from webtool import __version__

    contact = f" (+{settings.contact})" if settings.contact else ""
    return f"webtool/{__version__}{contact}"


def base_headers(settings: Settings) -> tuple[tuple[str, str], ...]:
    """Return the headers of every request except Host and Connection."""
    return (("User-Agent", user_agent(settings)), ("Accept", ACCEPT), ("Accept-Encoding", ACCEPT_ENCODING))


class HostHeaders:
    """The hosts file, read on first use. Without a file, no extra headers are sent."""

    def __init__(self, settings: Settings, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._path = settings.hosts_file
        self._is_required = bool(settings.hosts_file)
        if not self._path:
            config = settings_module.config_path(environ)
            self._path = os.path.join(os.path.dirname(config), "hosts.json") if config else ""
        self._entries: dict[str, dict[str, object]] | None = None

    def for_url(self, url: urls.Url) -> list[tuple[str, str]]:
        """Return the extra headers for a URL, from the most specific entry. Raises InvalidArgument for a bad file."""
        if self._entries is None:
            self._entries = self._read()
        if not self._entries:
            return []
        if url.scheme == "http" and url.path == "/robots.txt":
            return []
        host = (url.host or "").rstrip(".")
        labels = host.split(".")
        names = [host, *("*." + ".".join(labels[position:]) for position in range(1, len(labels)))]
        for name in names:
            for key in (f"{url.scheme}://{name}:{url.effective_port}", f"{url.scheme}://{name}"):
                if key in self._entries:
                    return self._headers(self._entries[key], host)
        return []

    def _headers(self, entry: dict[str, object], host: str) -> list[tuple[str, str]]:
        """Return the headers that an entry of the hosts file adds."""
        pairs = []
        headers, cookies = entry.get("headers"), entry.get("cookies")
        if isinstance(headers, dict):
            pairs += [(str(name), str(value)) for name, value in headers.items()]
        if isinstance(cookies, dict):
            cookies = "; ".join(f"{name}={value}" for name, value in cookies.items())
        if isinstance(cookies, str) and cookies:
            pairs.append(("Cookie", cookies))
        if entry.get("user_agent"):
            pairs.append(("User-Agent", str(entry["user_agent"])))
        if entry.get("netrc") is True:
            pairs += self._from_netrc(host)
        return pairs

    def _from_netrc(self, host: str) -> list[tuple[str, str]]:
        """Return an Authorization header from the netrc file, or []. Raises InvalidArgument for an unusable file."""
        import netrc

        home = settings_module.home_folder(self._environ)
        path = self._environ.get("NETRC") or os.path.join(home, ".netrc")
        try:
            login = netrc.netrc(path).authenticators(host)
        except (OSError, ValueError, netrc.NetrcParseError) as exc:
            hint = "Correct it, or unset netrc in the hosts file."
            raise InvalidArgument(f"the netrc file {path} cannot be used", hint=hint) from exc
        return [("Authorization", messages.basic(login[0], login[2] or ""))] if login else []

    def _read(self) -> dict[str, dict[str, object]]:
        """Read and check the hosts file; return its entries by canonical key. Raises InvalidArgument."""
        hosts_file = settings_module.read_members(self._path)
        if hosts_file is None and self._is_required:
            raise InvalidArgument(f"hosts_file {self._path} cannot be read", hint="Check the path.")
        entries: dict[str, dict[str, object]] = {}
        for name, entry in (hosts_file or {}).items():
            if not isinstance(entry, dict):
                raise self._wrong(f"{name[:100]!r} is not mapped to an object")
            self._check(name, entry)
            entries[_canonical(name)] = entry
        return entries

    def _check(self, host: str, entry: dict[str, object]) -> None:
        """Raise InvalidArgument for a host or a field that would otherwise be ignored silently."""
        scheme, _, name = _canonical(host).partition("://")
        if scheme not in ("http", "https") or not name.removeprefix("*.").partition(":")[0]:
            raise self._wrong(f"{host[:100]!r} is not a host name")
        for name, value in entry.items():
            field = f"{name[:40]!r} of {host[:100]!r}"
            types = _ENTRY_FIELDS.get(name)
            if types is None:
                raise self._wrong(f"{field} is not one of {', '.join(_ENTRY_FIELDS)}")
            if not isinstance(value, types):
                raise self._wrong(f"{field} is not {'/'.join(_TYPE_NAMES[kind] for kind in types)}")
            if isinstance(value, dict) and not all(isinstance(text, str) for text in value.values()):
                raise self._wrong(f"{field} has a value that is not a string")
        for name in entry.get("headers", ()):  # type: ignore[attr-defined]
            if name.lower() in RESERVED_FIELDS:
                raise self._wrong(f"{name} of {host[:100]!r} cannot be set: webtool sets it itself")

    def _wrong(self, problem: str) -> InvalidArgument:
        return InvalidArgument(f"{self._path}: {problem}", hint="Correct the hosts file.")


def _canonical(text: str) -> str:
    """Return a key of the hosts file as scheme://host or scheme://host:port. The host is "" if it is not a host name.

    Docs.Example.com:8443 -> https://docs.example.com:8443
    """
    scheme, mark, name = text.rpartition("://")
    name = name.rstrip("/")
    star = "*." if name.startswith("*.") else ""
    host, colon, port = name[len(star) :].rpartition(":")
    if not colon or not port.isdigit() or name.endswith("]"):
        host, colon, port = name[len(star) :], "", ""
    return f"{scheme.lower() if mark else 'https'}://{star}{urls.hostname(host)}{colon}{port}"
