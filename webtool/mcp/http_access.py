"""Decide which HTTP requests the MCP server takes. In: headers and a message. Out: nothing, or HttpError. Pure.

Three kinds of clients must not get in: a web page that a browser shows (its Origin is foreign), a web page whose name
was changed to point at this machine (its Host is foreign: DNS rebinding), and a program without the token. A stateless
request repeats members of its message in headers; both must agree, as a proxy may have decided by the headers.
Specification: MCP, Streamable HTTP, 2025-03-26 to 2026-07-28; Fetch (CORS); RFC 6750 (bearer tokens).
"""

from __future__ import annotations

import base64
import hmac
from collections.abc import Mapping

from webtool.errors import InvalidArgument
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.mcp.http_request import HttpError
from webtool.mcp.messages import (
    HANDSHAKE_VERSIONS,
    HEADER_MISMATCH,
    INVALID_PARAMS,
    META_VERSION,
    STATELESS_VERSIONS,
    SUPPORTED_VERSIONS,
    UNSUPPORTED_VERSION,
    Line,
    RpcError,
    stateless_version,
)

SESSION_HEADER = "Mcp-Session-Id"
_DEFAULT_HOST = "127.0.0.1"
_ALLOWED_HEADERS = (
    "Accept, Authorization, Content-Type, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id"
)
_AUTHORITY = patterns.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?")
_ADDRESS = patterns.compile(r"(?:(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):)?([0-9]{1,5})")
_LOOPBACK = patterns.compile(r"127(\.[0-9]{1,3}){3}")
_ORIGIN = patterns.compile(r"https?://(.+)")
# Method: the member of params that the header Mcp-Name repeats.
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


class Access(NamedTuple):
    """Who may send requests."""

    token: str  # the bearer token, "" if requests need none
    hosts: frozenset[str]
    """Names under which the server is reached, and origins (https://chat.example) whose pages may use it."""

    def check_names(self, headers: Mapping[str, str], local_address: str) -> dict[str, str]:
        """Return the CORS headers of the answer. Raises HttpError for a foreign Host or Origin."""
        host = headers.get("host")
        if host is not None and not self._is_own(host, local_address):
            raise HttpError(403, f"Host {host[:100]} is foreign; the setting WEBTOOL_MCP_HOSTS adds names")
        origin = headers.get("origin")
        if origin is None:
            return {}
        match = _ORIGIN.fullmatch(origin)
        if origin not in self.hosts and not (match and self._is_own(match[1], local_address)):
            raise HttpError(403, f"Origin {origin[:100]} is foreign; the setting WEBTOOL_MCP_HOSTS adds names")
        return {
            "Access-Control-Allow-Origin": origin,
            "Access-Control-Expose-Headers": f"{SESSION_HEADER}, WWW-Authenticate",
            "Vary": "Origin",
        }

    def _is_own(self, authority: str, local_address: str) -> bool:
        """Whether a host, with any port, is one of ours: loopback, the address connected to, or from the setting."""
        host = host_of(authority)
        own = (local_address.partition("%")[0], "localhost", *self.hosts)
        return is_loopback(host) or (host != "" and host in own)

    def check_token(self, headers: Mapping[str, str]) -> None:
        """Raise HttpError unless the request has the token; the time it takes does not depend on the token."""
        if not self.token:
            return
        scheme, _, token = headers.get("authorization", "").partition(" ")
        is_bearer = scheme.lower() == "bearer"
        if not (hmac.compare_digest(token.strip().encode(), self.token.encode()) and is_bearer):
            challenge = 'Bearer realm="webtool"' + (', error="invalid_token"' if is_bearer else "")
            text = "Unauthorized: send Authorization: Bearer with the token of WEBTOOL_MCP_TOKEN"
            raise HttpError(401, text, {"WWW-Authenticate": challenge})


def host_of(authority: str) -> str:
    """Return the host of `HOST[:PORT]` in lower case, without brackets; "" if it is malformed."""
    match = _AUTHORITY.fullmatch(authority.lower())
    return match[1].strip("[]").rstrip(".") if match else ""


def is_loopback(address: str) -> bool:
    """Whether an IP address is one of this machine's own loopback addresses."""
    return address == "::1" or _LOOPBACK.fullmatch(address) is not None


def preflight() -> dict[str, str]:
    """Return the headers that answer a browser's question before it sends a request."""
    return {
        "Access-Control-Allow-Methods": "POST, DELETE",
        "Access-Control-Allow-Headers": _ALLOWED_HEADERS,
        "Access-Control-Max-Age": "600",
    }


def is_stateless(headers: Mapping[str, str], line: Line) -> bool:
    """Whether the message belongs to the stateless family. Raises HttpError if its headers say otherwise."""
    message = line.messages[0]
    meta = message.params.get("_meta")
    version = meta.get(META_VERSION) if isinstance(meta, dict) else None
    header = headers.get("mcp-protocol-version")
    if line.is_batch:
        return header in STATELESS_VERSIONS
    if version is None:
        if header in STATELESS_VERSIONS:
            if message.is_request:
                raise _refusal(message.id, INVALID_PARAMS, f"_meta lacks {META_VERSION}")
            return True
        if header is not None and header not in HANDSHAKE_VERSIONS:
            data = {"supported": list(SUPPORTED_VERSIONS), "requested": header[:200]}
            raise _refusal(message.id, UNSUPPORTED_VERSION, "Unsupported protocol version", data)
        return False
    if message.is_request:
        repeated: dict[str, object] = {"MCP-Protocol-Version": version, "Mcp-Method": message.method}
        member = _NAMED.get(message.method)
        if member and message.params.get(member) is not None:
            repeated["Mcp-Name"] = message.params[member]
        for name, value in repeated.items():
            if _decoded(headers.get(name.lower(), ""), name == "Mcp-Name") != value:
                raise _refusal(message.id, HEADER_MISMATCH, f"Header mismatch: {name} does not repeat the message's")
        try:
            stateless_version(meta)  # type: ignore[arg-type]
        except RpcError as error:
            raise _refusal(message.id, error.code, error.message, error.data) from error
    return True


def _refusal(message_id: object, code: int, text: str, data: object = None) -> HttpError:
    error = HttpError(400, text, code=code)
    error.id, error.data = message_id, data
    return error


def _decoded(value: str, may_be_encoded: bool) -> str | None:
    """Return the value of a header, decoded from `=?base64?...?=`; None if it is malformed."""
    if not (value and value.isascii() and value.isprintable()):
        return None
    if may_be_encoded and value.startswith("=?base64?") and value.endswith("?=") and len(value) >= 11:
        try:
            return base64.b64decode(value[9:-2], validate=True).decode("utf-8")
        except ValueError:
            return None
    return value


def parse_address(address: str) -> tuple[str, int]:
    """Return host and port of `[HOST:]PORT`. Raises InvalidArgument."""
    match = _ADDRESS.fullmatch(address)
    if match is None or int(match[2]) > 65535:
        hint = "Write --http 8000, or --http HOST:8000; all addresses are 0.0.0.0:8000."
        raise InvalidArgument(f"--http {address[:80]} is not [HOST:]PORT", hint=hint)
    return (match[1] or _DEFAULT_HOST).strip("[]"), int(match[2])
