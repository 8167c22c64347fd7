"""JSON to and from providers. In: a response. Out: its members, read without trusting their types.

A provider may leave out any member or send another type than documented; that is a missing member, never a crash.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from webtool.errors import ApiError
from webtool.net.messages import Response


def encode(members: Mapping[str, object]) -> bytes:
    """A request body."""
    return json.dumps(members, ensure_ascii=False).encode("utf-8", "replace")


def decode(response: Response, provider: str) -> dict[str, object]:
    """The object in the body of an answer that must hold one. Raises ApiError."""
    members = decode_leniently(response)
    if members is None:
        kind = response.headers.get("content-type") or "no media type"
        raise ApiError(
            f"{provider} answered with {len(response.body)} bytes that are no JSON object ({kind})",
            hint="Check the endpoint setting; a proxy or a login page may have answered instead.",
            status_code=response.status,
            retryable=response.status >= 500,
        )
    return members


def decode_leniently(response: Response) -> dict[str, object] | None:
    """The object in the body, or None: error answers come from proxies too, as HTML."""
    try:
        members = json.loads(response.body.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    return members if isinstance(members, dict) else None


def mapping(value: object) -> Mapping[str, object]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Mapping[str, object]]:
    """The objects in the value if it is an array, else none."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def string(value: object) -> str:
    """The value if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""
