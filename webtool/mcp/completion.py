"""Completions from what lies in the cache. In: what is being completed, its first characters. Out: values.

URLs for the prompts, hashes for the resource templates: both known from opened pages, so this asks nobody.
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool.context import Context
from webtool.mcp.prompts import PROMPTS
from webtool.mcp.protocol import INVALID_PARAMS, RpcError
from webtool.mcp.resources import TEMPLATES

_MOST = 100  # the protocol's own limit
_LOOKED_AT = 1000  # newest pages that URLs are taken from


def complete(ctx: Context, params: Mapping[str, object]) -> dict[str, object]:
    """Up to 100 values. Raises RpcError for a reference to something that is not there."""
    reference, argument = params.get("ref"), params.get("argument")
    if not isinstance(reference, dict) or not isinstance(argument, dict) or not isinstance(argument.get("value"), str):
        raise RpcError(INVALID_PARAMS, "ref and argument are objects, argument.value is a string")
    name, start = argument.get("name"), argument["value"]
    if reference.get("type") == "ref/prompt" and any(reference.get("name") == prompt for prompt in PROMPTS):
        values = _urls(ctx, start) if name == "url" else []
    elif reference.get("type") == "ref/resource" and _is_template(reference.get("uri")):
        values = ctx.cache.hashes(start.lower(), _MOST + 1) if name == "hash" and ctx.cache is not None else []
    else:
        raise RpcError(INVALID_PARAMS, "ref names no prompt or resource template of this server")
    return {"completion": {"values": values[:_MOST], "total": len(values), "hasMore": len(values) > _MOST}}


def _is_template(uri: object) -> bool:
    return any(uri == template["uriTemplate"] for template in TEMPLATES)


def _urls(ctx: Context, start: str) -> list[str]:
    """URLs of stored pages that begin so, with or without their scheme, newest first."""
    rows = ctx.cache.listing(_LOOKED_AT) if ctx.cache is not None else []
    found = dict.fromkeys(row.url for row in rows)
    return [url for url in found if url.startswith(start) or url.partition("://")[2].startswith(start)]
