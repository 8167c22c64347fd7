"""Offer stored pages as MCP resources, and complete arguments. In: a URI. Out: a page's markdown, or its metadata.

resource://cache/<sha256> is the page, resource://meta/<sha256> its metadata as JSON; lists begin with the newest page.
Completions are URLs for the prompts and hashes for the URI templates. Both come from stored pages, so nothing is
fetched.

Tests: tests/mcp/test_server.py
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from webtool import urls
from webtool.cache.front_matter import with_header
from webtool.context import Context
from webtool.errors import CacheMiss, WebtoolError
from webtool.lean import patterns
from webtool.mcp.framing import framed, framed_members
from webtool.mcp.prompts import PROMPTS
from webtool.mcp.protocol import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    RESOURCE_NOT_FOUND,
    STATELESS_VERSIONS,
    RpcError,
    without_later_members,
)

_URI = patterns.compile(r"resource://(cache|meta)/([0-9a-fA-F]{64})/?")
_PAGE_SIZE = 100  # resources in one answer
_MAX_NAME = 120  # characters of a resource's name; the rest is cut
_MAX_COMPLETIONS = 100  # the protocol's own limit
_MAX_COMPLETED_PAGES = 1000  # newest stored pages whose URLs are completed

TEMPLATES = (
    {
        "uriTemplate": "resource://cache/{hash}",
        "name": "page",
        "title": "Stored page",
        "description": "Markdown of a page that was opened before",
        "mimeType": "text/markdown",
    },
    {
        "uriTemplate": "resource://meta/{hash}",
        "name": "metadata",
        "title": "Metadata of a stored page",
        "description": "URLs, times, validators, headers and extractor",
        "mimeType": "application/json",
    },
)


def listing(ctx: Context, cursor: object, version: str) -> dict[str, object]:
    """Return one part of the list of stored pages. Raises RpcError for a cursor that this server did not give."""
    is_cursor = isinstance(cursor, str) and cursor.isascii() and cursor.isdigit() and len(cursor) < 10
    if cursor is not None and not is_cursor:
        raise RpcError(INVALID_PARAMS, "Invalid cursor")
    start = int(str(cursor or 0))
    cache = ctx.cache
    rows = cache.listing(_PAGE_SIZE + 1, start) if cache is not None else []
    result: dict[str, object] = {
        "resources": [
            without_later_members(
                {
                    "uri": f"resource://cache/{row.hash}",
                    "name": row.url[:_MAX_NAME],
                    "title": f"A page of {urls.hostname(row.url)[:_MAX_NAME]}",  # its own title has no frame
                    "description": f"{row.mode}, fetched {row.fetched_at}",
                    "mimeType": _media_type(row.mode),
                },
                version,
            )
            for row in rows[:_PAGE_SIZE]
        ]
    }
    if len(rows) > _PAGE_SIZE:
        result["nextCursor"] = str(start + _PAGE_SIZE)
    return result


def templates(version: str) -> list[dict[str, object]]:
    """Return the two URI templates."""
    return [without_later_members(template, version) for template in TEMPLATES]


def read(ctx: Context, uri: object, version: str) -> dict[str, object]:
    """Return the contents of a resource. Raises RpcError."""
    kind, key = parse_uri(uri, version)
    uri = str(uri)
    from webtool.tools import cache_get

    try:
        snapshot = cache_get.find(ctx.require_cache(), key)
    except CacheMiss:
        raise _not_found(uri, version) from None
    except WebtoolError as error:
        raise RpcError(INTERNAL_ERROR, urls.redact(error.message), error.to_dict()) from error
    if kind == "meta":
        members = framed_members(cache_get.metadata(snapshot))
        media_type, text = "application/json", json.dumps(members, ensure_ascii=False, indent=2)
    else:
        is_raw = snapshot.mode == "raw"
        whole = (snapshot.text or "") if is_raw else with_header(snapshot, snapshot.markdown or "")
        media_type, text = _media_type(snapshot.mode), framed(whole)
    return {"contents": [{"uri": uri, "mimeType": media_type, "text": text}]}


def parse_uri(uri: object, version: str) -> tuple[str, str]:
    """Return the kind ("cache" or "meta") and the hash of a resource's URI. Raises RpcError for any other URI."""
    if not isinstance(uri, str):
        raise RpcError(INVALID_PARAMS, "uri is a string")
    match = _URI.fullmatch(uri)
    if match is None:
        raise _not_found(uri, version)
    return match[1], match[2].lower()


def _media_type(mode: str) -> str:
    return "text/plain" if mode == "raw" else "text/markdown"


def _not_found(uri: str, version: str) -> RpcError:
    code = INVALID_PARAMS if version in STATELESS_VERSIONS else RESOURCE_NOT_FOUND
    return RpcError(code, "Resource not found", {"uri": urls.redact(uri[:2000])})


def completed(ctx: Context, params: Mapping[str, object]) -> dict[str, object]:
    """Return up to 100 values for an argument. Raises RpcError for a reference to an unknown prompt or template."""
    reference, argument = params.get("ref"), params.get("argument")
    if not isinstance(reference, dict) or not isinstance(argument, dict) or not isinstance(argument.get("value"), str):
        raise RpcError(INVALID_PARAMS, "ref and argument are objects, argument.value is a string")
    name, start = argument.get("name"), argument["value"]
    if reference.get("type") == "ref/prompt" and any(reference.get("name") == prompt for prompt in PROMPTS):
        values = _urls(ctx, start) if name == "url" else []
    elif reference.get("type") == "ref/resource" and reference.get("uri") in [
        template["uriTemplate"] for template in TEMPLATES
    ]:
        has_hashes = name == "hash" and ctx.cache is not None
        values = ctx.cache.hashes(start.lower(), _MAX_COMPLETIONS + 1) if has_hashes else []  # type: ignore[union-attr]
    else:
        raise RpcError(INVALID_PARAMS, "ref names no prompt or resource template of this server")
    shown, has_more = values[:_MAX_COMPLETIONS], len(values) > _MAX_COMPLETIONS
    return {"completion": {"values": shown, "total": len(values), "hasMore": has_more}}


def _urls(ctx: Context, start: str) -> list[str]:
    """Return URLs of stored pages that begin with `start`, with or without their scheme, newest first."""
    rows = ctx.cache.listing(_MAX_COMPLETED_PAGES) if ctx.cache is not None else []
    stored_urls = dict.fromkeys(row.url for row in rows)
    return [url for url in stored_urls if url.startswith(start) or url.partition("://")[2].startswith(start)]
