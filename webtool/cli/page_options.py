"""Options of the commands that open one page: header fields (-H), --save, and the number of a search result.

In: words of the command line. Out: header pairs, a file with the body, or a URL. The addresses of the last search are
in last-search.json beside the cache file, so that `webtool open 3` opens the third result.
Tests: tests/cli/test_people.py
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from webtool import settings, urls
from webtool.context import Context, Result
from webtool.errors import InvalidArgument, counted
from webtool.lean import jsontext, patterns
from webtool.output import ask, is_terminal, replace_file, write_file
from webtool.settings import Settings

# Option: whether it takes a value.
OPTIONS = {"header": True, "save": True, "force": False, "ignore_robots": False}
HELP = {
    "-H, --header 'Name: value'": "Send this header field too, to the page's own origin; may be repeated",
    "--save FILE": "Save the body as it was received, of any kind, and print no text",
    "--force": "With --save: replace a file that exists, without a question",
    "--ignore-robots": "Do not ask robots.txt (your own click, on a terminal)",
}
# A token and a field value (RFC 9110 sections 5.1 and 5.5).
_FIELD = patterns.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x20-\x7e\t]*)")
MAX_RESULTS = 1000  # further results of a search cannot be opened by number


def headers(values: str) -> tuple[tuple[str, str], ...]:
    """Split -H values that NUL joins: `A: 1\0B: 2` -> `(("A", "1"), ("B", "2"))`. Raises InvalidArgument."""
    from webtool.net.request_headers import RESERVED_FIELDS

    pairs = []
    for value in values.split("\0"):
        field = _FIELD.fullmatch(value.strip())
        if field is None:
            raise InvalidArgument(f"-H {value[:40]!r} is not a header field", hint="Write -H 'Name: value', in ASCII.")
        if field[1].lower() in RESERVED_FIELDS:
            raise InvalidArgument(f"-H {field[1]} cannot be set: webtool sets it itself", hint="Leave it out.")
        pairs.append((field[1], field[2].strip()))
    return tuple(pairs)


def refuse_rendered(members: Mapping[str, object]) -> None:
    """Raise InvalidArgument for mode rendered: a browser sends requests of its own, to other origins too."""
    if members.get("mode") == "rendered":
        raise InvalidArgument("-H cannot be used for rendered pages", hint="Leave it out, or use another mode.")


def require_person(flag: str) -> None:
    """Raise InvalidArgument if none of the standard files is a terminal: a script has other ways to decide."""
    if not any(is_terminal(fd) for fd in (0, 1, 2)):
        hint = "A script decides with WEBTOOL_RESPECT_ROBOTS=0."
        raise InvalidArgument(f"{flag} is for a person at a terminal", hint=hint)


def require_new(path: str, *, is_forced: bool) -> None:
    """Ask a person whether to replace a file (devices need no question). Raises InvalidArgument unless yes."""
    if is_forced or not os.path.isfile(path) or ask(f"{path} exists. Replace it?"):
        return
    raise InvalidArgument(f"{path} exists and was not changed", hint="Give another file, or --force to replace it.")


def save(ctx: Context, url: str, path: str, max_bytes: int | None) -> Result:
    """Fetch the page and write its body to the file. Returns a report. Raises WebtoolError."""
    from webtool.net.messages import Request
    from webtool.net.statuses import error_for
    from webtool.pages import policy

    request = Request(urls.normalise(url), "GET", ctx.headers)
    response = policy.fetch(ctx, request, max_bytes=max_bytes or ctx.settings.max_bytes)
    if response.status >= 400:
        raise error_for(response)
    write_file(path, response.body)
    media_type = response.media_type or "unknown type"
    data: dict[str, object] = {"success": True, "url": urls.redact(response.url), "file": path}
    data.update(content_type=media_type, bytes=len(response.body))
    return Result(f"{path}: {len(response.body):,} bytes, {media_type}", data)


def remember(result: Result, current: Settings) -> None:
    """Store the addresses of a search's results. A result without an address keeps its number."""
    results = result.data.get("results")
    path = settings.last_search_path(current, os.environ)
    if not path or not current.cache or not isinstance(results, list) or not results:
        return
    addresses = [str(row.get("url", "")) if isinstance(row, dict) else "" for row in results[:MAX_RESULTS]]
    try:
        os.makedirs(os.path.dirname(path) or ".", mode=0o700, exist_ok=True)
        replace_file(path, jsontext.dumps(addresses).encode("utf-8", "replace") + b"\n", 0o600)
    except OSError:
        pass  # the user has the results, only their numbers will not work


def result_numbered(word: str, current: Settings) -> str:
    """Return the address of a result of the last search; `word` is digits. Raises InvalidArgument without a result."""
    hint = "Search first (webtool search WORDS), then open a result by its number."
    try:
        addresses = jsontext.loads(settings.read_small(settings.last_search_path(current, os.environ)).decode("utf-8"))
    except (OSError, ValueError):
        addresses = []
    if not isinstance(addresses, list) or not addresses:
        raise InvalidArgument(f"{word} is not an address, and no search's results are known", hint=hint)
    number = int(word[:18])  # int() refuses more than 4300 digits
    if not 1 <= number <= len(addresses):
        number_of_results = counted(len(addresses), "result")
        raise InvalidArgument(f"the last search has {number_of_results}, but no number {word}", hint=hint)
    if not addresses[number - 1]:
        raise InvalidArgument(f"result {word} of the last search has no address", hint="Open another result.")
    return str(addresses[number - 1])
