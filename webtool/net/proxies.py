"""Choose the proxy for a URL. In: a URL and the environment. Out: Proxy or None. Nothing is dialled.

Variables: http_proxy, https_proxy, all_proxy and no_proxy; lower case wins over upper case. HTTP_PROXY is ignored under
CGI, where a request header can set it. no_proxy lists host names (which include their subdomains), addresses and CIDR
blocks, each with an optional port, or *. Loopback addresses never go through a proxy. On macOS and Windows, the
system's settings apply if no variable is set.
Tests: tests/net/test_proxies.py
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

from webtool import urls
from webtool.errors import FetchTimeout, InvalidUrl, NetworkError, WebtoolError
from webtool.lean.records import NamedTuple
from webtool.net import guard, messages
from webtool.urls import hosts

_LOOPBACK = (guard.Block(0x7F << 24, 8, 32), guard.Block(1, 128, 128))


class Proxy(NamedTuple):
    """An http or https proxy. `authorization` is the Proxy-Authorization value, "" for none; it is never shown."""

    scheme: str
    host: str
    port: int
    authorization: str
    source: str = "the proxy setting"  # the variable that names it, such as https_proxy

    @property
    def shown(self) -> str:
        """The proxy's name in messages."""
        return f"the proxy {self.host}:{self.port} that {self.source} names"

    def __repr__(self) -> str:
        return f"Proxy({self.scheme}://{self.host}:{self.port})"


def choose(url: urls.Url, environ: Mapping[str, str]) -> Proxy | None:
    """Return the proxy for a URL, None for a direct connection. Raises NetworkError for an unusable variable."""
    name, value = _setting(url.scheme, environ)
    if not value:
        return _from_system(url) if not name and sys.platform in ("darwin", "win32") else None
    host = url.host or ""
    no_proxy = environ.get("no_proxy") or environ.get("NO_PROXY") or ""
    if _is_loopback(host) or is_excluded(host, url.effective_port, no_proxy):
        return None
    return parse(value, name)


def _setting(scheme: str, environ: Mapping[str, str]) -> tuple[str, str]:
    """Return the name and value of the variable that applies; ("", "") if none is set."""
    names = [f"{scheme}_proxy", f"{scheme.upper()}_PROXY", "all_proxy", "ALL_PROXY"]
    if "REQUEST_METHOD" in environ and scheme == "http":
        names.remove("HTTP_PROXY")
    for name in names:
        if name in environ:
            return name, environ[name].strip()
    return "", ""


def parse(text: str, where: str) -> Proxy:
    """Parse a proxy's URL; without a scheme it is http. `where` names the variable. Raises NetworkError."""
    try:
        url = urls.parse(text if "://" in text else f"http://{text}")
    except InvalidUrl:
        raise _unusable(where, f"{_shown(text)}, which is not the URL of a proxy") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise _unusable(where, f"{_shown(text)}, a kind of proxy that is not supported (only http and https are)")
    name, password = hosts.percent_decode(url.username), hosts.percent_decode(url.password)
    authorization = messages.basic(name, password) if name or password else ""
    return Proxy(url.scheme, url.host, url.effective_port, authorization, where)


def name_proxy(error: WebtoolError, proxy: Proxy) -> None:
    """Add the proxy's name to the error of a failed request, as the proxy may be at fault."""
    if not isinstance(error, (NetworkError, FetchTimeout)) or proxy.shown in error.message:
        return
    error.rephrase(f"{error.message} (through {proxy.shown})")


def unreachable(error: WebtoolError, proxy: Proxy, host: str) -> None:
    """Change an error of connecting so that it names the proxy as unreachable, not the page's server."""
    error.rephrase(
        f"{proxy.shown} cannot be reached: {error.message}",
        hint=f"The operator of webtool must start that proxy, or correct or unset {proxy.source}; no_proxy={host} "
        "would reach this host without it. Other pages that need the proxy will fail in the same way.",
    )


def _unusable(where: str, description: str) -> NetworkError:
    """Return the error for the variable `where`, whose value is described without its secrets."""
    hint = f"The operator of webtool must set {where} to http://host:port, or unset it."
    return NetworkError(f"{where} names {description}", hint=hint, retryable=False)


def _shown(text: str) -> str:
    """Return a malformed proxy value for a message, without anything before "@" that may be a credential."""
    scheme, mark, rest = text.partition("://")
    if not mark or not scheme.isalnum():
        scheme, mark, rest = "", "", text
    host = rest.rpartition("@")[2]
    return repr(f"{scheme[:20]}{mark}{host[:60]}{'...' if len(host) > 60 else ''}")


def _is_loopback(host: str) -> bool:
    address = hosts.parse_address(host)
    if address is None:
        return host.rstrip(".") == "localhost"
    return any(block.contains(guard.unwrapped(address)) for block in _LOOPBACK)


def is_excluded(host: str, port: int, no_proxy: str) -> bool:
    """Return whether no_proxy lists the host."""
    address = hosts.parse_address(host)
    return any(_matches(host, port, address, entry) for entry in no_proxy[:65536].replace(",", " ").lower().split())


def _matches(host: str, port: int, address: hosts.Address | None, entry: str) -> bool:
    """Return whether one entry of no_proxy covers the host: *, a.example, 10.0.0.0/8, [::1]:8080."""
    if entry == "*":
        return True
    block = guard.parse_block(entry)
    if block is None:
        name, colon, digits = entry.rpartition(":")
        if colon and digits and digits != str(port):
            return False
        entry = name if colon else entry
        block = guard.parse_block(entry)
    if block is not None:
        return address is not None and block.contains(address)
    return urls.matches_domain(host, entry)


def _from_system(url: urls.Url) -> Proxy | None:
    """Return the proxy of macOS' or Windows' settings. Read by urllib, which is slow to import."""
    import urllib.request as request

    system_proxies = request.getproxies()
    value = system_proxies.get(url.scheme) or system_proxies.get("all") or ""
    if not value or _is_loopback(url.host or "") or request.proxy_bypass((url.host or "").strip("[]")):
        return None
    return parse(value, "the system's proxy setting")
