"""application/x-www-form-urlencoded, both ways (URL Standard section 5). In: pairs of text. Out: text, and back.

urllib.parse can do this too; importing it costs half a process start.
"""

from __future__ import annotations

from collections.abc import Iterable

from webtool.urls.hosts import percent_decode

_KEPT = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789*-._"
_ENCODED = [chr(byte) if byte in _KEPT else f"%{byte:02X}" for byte in range(256)]
_ENCODED[0x20] = "+"


def encode(pairs: Iterable[tuple[str, str]]) -> str:
    """`[("q", "a b"), ("n", "1")]` to `q=a+b&n=1`."""
    return "&".join([f"{quote(name)}={quote(value)}" for name, value in pairs])


def value_of(query: str, name: str) -> str | None:
    """The value of the first pair with this name, percent-decoded once, plus signs kept; None where there is none.

    Made for URLs inside URLs: those have no spaces, so a bare plus sign is their own.
    """
    for pair in query.split("&"):
        left, mark, right = pair.partition("=")
        if mark and left == name:
            return percent_decode(right)
    return None


def with_query(url: str, pairs: Iterable[tuple[str, str]]) -> str:
    """The URL with these pairs behind those that its query has."""
    return f"{url}{'&' if '?' in url else '?'}{encode(pairs)}"


def quote(text: str) -> str:
    """One name or value as it stands in a form."""
    return "".join([_ENCODED[byte] for byte in text.encode("utf-8", "replace")])
