"""Cookies within one chain of redirects: some sites set one and redirect to see it come back.

In: Set-Cookie fields of a hop. Out: the Cookie value for the next one. Kept for one fetch only, so that nothing of one
page reaches another, and for the host that set them or, with a Domain attribute, the hosts below that domain. Which
domains are public suffixes is not known here: all that one could do with them is to greet the next hop with its own
cookie.

Spec: RFC 6265 sections 4.1, 5.1.3 and 5.2; Path and Expires do not matter for the length of one fetch.
"""

from __future__ import annotations

from webtool.lean.records import NamedTuple
from webtool.net.messages import Headers
from webtool.urls import Url, hosts

_MAX_COOKIES = 50
_MAX_LENGTH = 4096  # characters of one cookie


class _Cookie(NamedTuple):
    value: str
    needs_tls: bool


class Cookies:
    """Cookies by domain (with a leading dot where hosts below it get them too) and name."""

    def __init__(self) -> None:
        self._cookies: dict[tuple[str, str], _Cookie] = {}

    def __bool__(self) -> bool:
        return bool(self._cookies)

    def store(self, url: Url, headers: Headers) -> None:
        """Keep what a response sets."""
        for field in headers.get_all("set-cookie"):
            pair, _, rest = field.partition(";")
            name, equals, value = pair.strip().partition("=")
            if not equals or not name or len(pair) > _MAX_LENGTH or not pair.isascii() or not pair.isprintable():
                continue
            words = (word.partition("=") for word in rest.split(";"))
            attributes = {name.strip().lower(): value.strip() for name, _, value in words}
            domain = _domain(url.host or "", attributes.get("domain", ""))
            age = attributes.get("max-age", "")
            if age == "0" or age.startswith("-"):
                self._cookies.pop((domain, name), None)
            elif domain and (len(self._cookies) < _MAX_COOKIES or (domain, name) in self._cookies):
                self._cookies[domain, name] = _Cookie(value.strip(), "secure" in attributes)

    def header(self, url: Url) -> str:
        """The Cookie value for a URL, "" for none."""
        is_secure = url.scheme == "https"
        host = url.host or ""
        return "; ".join(
            f"{name}={cookie.value}"
            for (domain, name), cookie in self._cookies.items()
            if (is_secure or not cookie.needs_tls) and _covers(domain, host)
        )


def _domain(host: str, domain: str) -> str:
    """For whom a cookie is: the host alone, `.domain` for all below that too; "" for a domain the host is not in."""
    domain = domain.lower().removeprefix(".")
    if not domain:
        return host
    if "." not in domain or hosts.parse_address(host) is not None:
        return host if domain == host else ""
    return f".{domain}" if _covers(f".{domain}", host) else ""


def _covers(domain: str, host: str) -> bool:
    return f".{host}".endswith(domain) if domain.startswith(".") else host == domain
