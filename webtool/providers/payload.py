"""Write requests to providers and read their answers: URL-encoded forms and JSON.

In: pairs of text or members, and a Response. Out: a query string or body, and the members of an answer. Forms follow
the URL Standard section 5 (application/x-www-form-urlencoded); importing urllib.parse instead would cost half a process
start. Answers are read without trusting their types: a member that is absent or of another type than documented reads
as empty, never as a crash.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from webtool.errors import ApiError
from webtool.net.messages import Response
from webtool.urls.hosts import percent_decode

_UNESCAPED = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789*-._"
_ENCODED = [chr(byte) if byte in _UNESCAPED else f"%{byte:02X}" for byte in range(256)]
_ENCODED[0x20] = "+"


def form(pairs: Iterable[tuple[str, str]]) -> str:
    """Encode pairs: `[("q", "a b"), ("n", "1")]` -> `q=a+b&n=1`."""
    return "&".join([f"{quote(name)}={quote(value)}" for name, value in pairs])


def quote(text: str) -> str:
    """Encode one name or value of a form."""
    return "".join([_ENCODED[byte] for byte in text.encode("utf-8", "replace")])


def with_query(url: str, pairs: Iterable[tuple[str, str]]) -> str:
    """Append pairs to the URL's query: `https://x.example/?a=1` and `[("b", "2")]` -> `https://x.example/?a=1&b=2`."""
    return f"{url}{'&' if '?' in url else '?'}{form(pairs)}"


def value_of(query: str, name: str) -> str | None:
    """Return the first value with this name, percent-decoded once, or None without one.

    Plus signs stay, because this reads URLs inside URLs: `uddg=https%3A%2F%2Fx.example%2Fa+b` -> `https://x.example/a+b`.
    """
    for pair in query.split("&"):
        left, mark, right = pair.partition("=")
        if mark and left == name:
            return percent_decode(right)
    return None


def json_body(members: Mapping[str, object]) -> bytes:
    """Encode the members as JSON in UTF-8; lone surrogates become question marks."""
    return json.dumps(members, ensure_ascii=False).encode("utf-8", "replace")


def decode(response: Response, provider: str) -> dict[str, object]:
    """Return the members of the JSON object in the body. Raises ApiError without one."""
    members = decode_leniently(response)
    if members is None:
        media_type = response.headers.get("content-type") or "no media type"
        raise ApiError(
            f"{provider} answered with {len(response.body)} bytes that are not JSON object ({media_type})",
            hint="Check the endpoint setting; a proxy or a login page may have answered instead.",
            status_code=response.status,
            retryable=response.status >= 500,
        )
    return members


def decode_leniently(response: Response) -> dict[str, object] | None:
    """Return the members of the JSON object in the body, or None: proxies answer errors with HTML."""
    try:
        members = json.loads(response.body.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    return members if isinstance(members, dict) else None


def mapping(value: object) -> Mapping[str, object]:
    """Return the value if it is an object, else {}."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Mapping[str, object]]:
    """Return the objects in an array, [] for any other value."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def string(value: object) -> str:
    """Return the value if it is a string, else ""."""
    return value if isinstance(value, str) else ""
