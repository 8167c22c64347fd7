"""Cookies within one chain of redirects: some sites set one and redirect to see it come back.

In: Set-Cookie fields of a hop. Out: the Cookie value for the next one. Kept for one fetch only, and for exactly
the host that set them.

Spec: RFC 6265 sections 4.1 and 5.2, of which only name, value, expiry by Max-Age and Secure matter here.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.net.messages import Headers
    from webtool.urls import Url

_MAX_COOKIES = 50
_MAX_LENGTH = 4096  # characters of one cookie


class Cookies:
    """Name and value by host."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, str], tuple[str, bool]] = {}

    def __bool__(self) -> bool:
        return bool(self._values)

    def store(self, url: Url, headers: Headers) -> None:
        """Keep what a response sets."""
        for field in headers.get_all("set-cookie"):
            pair, _, attributes = field.partition(";")
            name, equals, value = pair.strip().partition("=")
            if not equals or not name or len(pair) > _MAX_LENGTH or not pair.isascii() or not pair.isprintable():
                continue
            words = [word.strip().lower() for word in attributes.split(";")]
            key = (url.host or "", name)
            if "max-age=0" in words or any(word.startswith("max-age=-") for word in words):
                self._values.pop(key, None)
            elif len(self._values) < _MAX_COOKIES:
                self._values[key] = (value.strip(), "secure" in words)

    def header(self, url: Url) -> str:
        """The Cookie value for a URL, "" for none."""
        is_secure = url.scheme == "https"
        return "; ".join(
            f"{name}={value}"
            for (host, name), (value, needs_tls) in self._values.items()
            if host == url.host and (is_secure or not needs_tls)
        )
