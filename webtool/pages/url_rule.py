"""The rule for careful hosts (url_rule=seen): only addresses that are known already are opened. In: a context, a URL.
Out: nothing, or SsrfBlocked with nothing sent.

Known is what the cache has seen: a page that was opened, a result of a search, a link on an opened page. What a page
talks an agent into fetching is then no address that the page made up for what it wants to know. Long query strings and
URLs that hold a key of this machine are refused on top of that, as a link may have room for both.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from webtool import urls
from webtool.context import Context
from webtool.errors import SsrfBlocked
from webtool.lean import patterns
from webtool.settings import credentials_folder, read_small

LONGEST_QUERY = 512
"""Characters of a query string; links with longer ones carry state, or somebody's data."""
_SHORTEST_SECRET = 8
_SECRET_NAME = patterns.compile(r"(?i)key|token|secret|passw|credential|auth|engine_id")
_ESCAPE = patterns.compile(r"%([0-9A-Fa-f]{2})")
_ENDS = frozenset("\"'<>)]# \t\r\n\\")  # what may follow an address in JSON and markdown


def require(ctx: Context, url: str) -> None:
    """Raise SsrfBlocked for a URL that the rule keeps out; a person's own words are no page's."""
    if ctx.settings.url_rule != "seen" or ctx.is_person:
        return
    parsed = urls.parse(url)
    if len(parsed.query or "") > LONGEST_QUERY:
        raise _refused(url, f"its query string has {len(parsed.query or '')} characters, more than {LONGEST_QUERY}")
    if any(secret in text for text in _spellings(url) for secret in _secrets(ctx.environ)):
        raise _refused("", "it holds a key of this machine")
    if ctx.cache is None:
        raise _refused(url, "no cache is there to tell which addresses were seen")
    for address in _addresses(url):
        if any(_has(text, address) for text in ctx.cache.texts_with(address)):
            return
    raise _refused(url, "nobody gave it: no search returned it and no opened page links to it")


def _refused(url: str, why: str) -> SsrfBlocked:
    shown = urls.shortened(url) if url else "the address"
    return SsrfBlocked(
        f"{shown} is not opened: {why}",
        hint="The setting url_rule is seen. Search for the page, or open one that links to it; a person may open it"
        " with the command webtool open.",
        url=urls.redact(url) if url else None,
    )


def _addresses(url: str) -> Iterator[str]:
    """The URL as pages and searches may write it."""
    bare = url.partition("#")[0]
    yield bare
    if bare.endswith("/"):
        yield bare[:-1]
    if urls.parse(bare).path == "/" and not bare.endswith("/"):
        yield f"{bare}/"


def _has(text: str, address: str) -> bool:
    """Whether the address stands in the text, and is not only the beginning of a longer one."""
    start = text.find(address)
    while start >= 0:
        end = start + len(address)
        if end == len(text) or text[end] in _ENDS:
            return True
        start = text.find(address, end)
    return False


def _spellings(url: str) -> Iterator[str]:
    """The URL as it stands, and with its escapes undone once and twice."""
    for _ in range(3):
        yield url
        url = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), url)


def _secrets(environ: Mapping[str, str]) -> Iterator[str]:
    """Keys of the environment and of ikigai's files, as they are and in forms that hide them."""
    values = {value for name, value in environ.items() if _SECRET_NAME.search(name)}
    for name in ("credentials.json", "brave-api-key", "google-api-key", "google-engine-id"):
        values.update(_words(os.path.join(credentials_folder(environ), name)))
    for value in values:
        value = value.strip()
        if len(value) >= _SHORTEST_SECRET:
            from binascii import b2a_base64  # a library of its own, which few starts need

            data = value.encode("utf-8", "replace")
            yield value
            yield data.hex()
            yield b2a_base64(data, newline=False).decode("ascii").rstrip("=")


_WORD = patterns.compile(r"[^\s\"',:{}\[\]]{8,}")


def _words(path: str) -> list[str]:
    """The longer words of a file of keys, all but its names of members."""
    try:
        text = read_small(path, 65536).decode("utf-8", "replace")
    except (OSError, ValueError):
        return []
    return [word for word in _WORD.findall(text) if not word.isupper() and word != "web_search"]
