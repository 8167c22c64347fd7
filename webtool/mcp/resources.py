"""Stored pages as resources. In: a URI. Out: the page's markdown, or what is known about it.

resource://cache/<sha256> is the page, resource://meta/<sha256> its metadata as JSON; the list has the newest first.
Completions are URLs for the prompts and hashes for the templates: both known from opened pages, so this asks nobody.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from webtool import urls
from webtool.cache.front_matter import with_header
from webtool.context import Context
from webtool.errors import CacheMiss, WebtoolError
from webtool.lean import patterns
from webtool.mcp.answers import framed, framed_members
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
_PAGE_SIZE = 100
_MAX_NAME = 120

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
    """One page of the stored pages. Raises RpcError for a cursor that this server did not give."""
    is_ours = isinstance(cursor, str) and cursor.isascii() and cursor.isdigit() and len(cursor) < 10
    if cursor is not None and not is_ours:
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
                    "title": f"A page of {urls.hostname(row.url)[:_MAX_NAME]}",  # not its own title: nothing frames it
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
    """The two forms of URIs."""
    return [without_later_members(template, version) for template in TEMPLATES]


def read(ctx: Context, uri: object, version: str) -> dict[str, object]:
    """The contents of a resource. Raises RpcError."""
    kind, key = require_ours(uri, version)
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
        media_type, text = _media_type(snapshot.mode), framed(whole, has_header=False)
    return {"contents": [{"uri": uri, "mimeType": media_type, "text": text}]}


def require_ours(uri: object, version: str) -> tuple[str, str]:
    """ "cache" or "meta", and the hash, of a resource's URI. Raises RpcError where it is none of ours."""
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


_MOST = 100  # the protocol's own limit
_LOOKED_AT = 1000  # newest pages that URLs are taken from


def completed(ctx: Context, params: Mapping[str, object]) -> dict[str, object]:
    """Up to 100 values. Raises RpcError for a reference to something that is not there."""
    reference, argument = params.get("ref"), params.get("argument")
    if not isinstance(reference, dict) or not isinstance(argument, dict) or not isinstance(argument.get("value"), str):
        raise RpcError(INVALID_PARAMS, "ref and argument are objects, argument.value is a string")
    name, start = argument.get("name"), argument["value"]
    if reference.get("type") == "ref/prompt" and any(reference.get("name") == prompt for prompt in PROMPTS):
        values = _urls(ctx, start) if name == "url" else []
    elif reference.get("type") == "ref/resource" and reference.get("uri") in [one["uriTemplate"] for one in TEMPLATES]:
        values = ctx.cache.hashes(start.lower(), _MOST + 1) if name == "hash" and ctx.cache is not None else []
    else:
        raise RpcError(INVALID_PARAMS, "ref names no prompt or resource template of this server")
    return {"completion": {"values": values[:_MOST], "total": len(values), "hasMore": len(values) > _MOST}}


def _urls(ctx: Context, start: str) -> list[str]:
    """URLs of stored pages that begin so, with or without their scheme, newest first."""
    rows = ctx.cache.listing(_LOOKED_AT) if ctx.cache is not None else []
    found = dict.fromkeys(row.url for row in rows)
    return [url for url in found if url.startswith(start) or url.partition("://")[2].startswith(start)]
