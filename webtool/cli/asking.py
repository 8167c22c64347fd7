"""What a person may add to the request for a page: header fields (-H), the body into a file (--save), the number of a
result in place of its address. In: words. Out: header pairs, a file, a URL.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from webtool import settings, urls
from webtool.context import Context, Result
from webtool.errors import InvalidArgument
from webtool.lean import jsontext, patterns
from webtool.output import replace_file, write_file
from webtool.settings import Settings

OPTIONS = {"header": True, "save": True}
"""Options of every command that opens one page."""
HELP = {
    "-H, --header 'Name: value'": "Send this header field too, to the page's own origin; may be repeated",
    "--save FILE": "Save the body as it came, whatever it is, and print no text",
}
# A token and a field value (RFC 9110 sections 5.1 and 5.5); what frames the message is not the caller's.
_FIELD = patterns.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x20-\x7e\t]*)")
_OURS = frozenset(("host", "content-length", "transfer-encoding", "connection", "te", "upgrade", "accept-encoding"))
_MOST_RESULTS = 1000


def headers(lines: str) -> tuple[tuple[str, str], ...]:
    """The pairs in the values of -H, a NUL between two. Raises InvalidArgument."""
    pairs = []
    for line in lines.split("\0"):
        field = _FIELD.fullmatch(line.strip())
        if field is None:
            raise InvalidArgument(f"-H {line[:40]!r} is not a header field", hint="Write -H 'Name: value', in ASCII.")
        if field[1].lower() in _OURS:
            raise InvalidArgument(f"-H {field[1]} is webtool's own to set", hint="Leave it out.")
        pairs.append((field[1], field[2].strip()))
    return tuple(pairs)


def refuse_rendered(members: Mapping[str, object]) -> None:
    """A browser makes its own requests, to other origins too. Raises InvalidArgument."""
    if members.get("mode") == "rendered":
        raise InvalidArgument("-H is not for rendered pages", hint="Leave it out, or use another mode.")


def save(ctx: Context, url: str, path: str, max_bytes: int | None) -> Result:
    """Fetch the page and write its body to the file; what was written, as text. Raises WebtoolError."""
    from webtool.net.messages import Request
    from webtool.net.statuses import error_for
    from webtool.pages import policy

    request = Request(urls.normalise(url), "GET", ctx.headers)
    response = policy.fetch(ctx, request, max_bytes=max_bytes or ctx.settings.max_bytes)
    if response.status >= 400:
        raise error_for(response)
    write_file(path, response.body)
    kind = (response.headers.get("content-type") or "unknown type").partition(";")[0]
    data: dict[str, object] = {"success": True, "url": urls.redact(response.url), "file": path}
    data.update(content_type=kind, bytes=len(response.body))
    return Result(f"{path}: {len(response.body):,} bytes, {kind}", data)


def remember(result: Result, current: Settings) -> None:
    """Keep the addresses of a search's results, so that `webtool open 3` finds the third."""
    found = result.data.get("results")
    path = _path(current)
    if not path or not current.cache or not isinstance(found, list) or not found:
        return
    addresses = [str(one["url"]) for one in found[:_MOST_RESULTS] if isinstance(one, dict) and "url" in one]
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        replace_file(path, jsontext.dumps(addresses).encode("utf-8", "replace") + b"\n", 0o600)
    except OSError:
        pass  # the results were shown, which is what was asked for


def result_numbered(word: str, current: Settings) -> str:
    """The address of a result of the last search. Raises InvalidArgument where there is none of that number."""
    hint = "Search first (webtool search WORDS), then open a result by its number."
    try:
        addresses = jsontext.loads(settings.read_small(_path(current)).decode("utf-8"))
    except (OSError, ValueError):
        addresses = []
    if not isinstance(addresses, list) or not addresses:
        raise InvalidArgument(f"{word} is not an address, and no search's results are known", hint=hint)
    if not 1 <= int(word) <= len(addresses):
        raise InvalidArgument(f"the last search has {len(addresses)} results, and no number {word}", hint=hint)
    return str(addresses[int(word) - 1])


def _path(current: Settings) -> str:
    cache = settings.cache_path(current, os.environ)
    return os.path.join(os.path.dirname(cache), "last-search.json") if cache else ""
