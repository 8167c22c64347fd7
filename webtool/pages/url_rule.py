"""Refuse addresses that a page may have made up to carry data away: the setting url_rule=seen.

In: a URL that a model wants to open. Out: SsrfBlocked, or nothing. A model may open only addresses that the cache has
seen: as an opened page, as a search result, or in an opened page (a link, or plain text). So a page cannot talk an
agent into fetching an address that carries away what the agent knows. As a link may have room for data too, long query
strings and URLs that hold a key of this machine are refused as well. Addresses that a person types are always allowed.
Tests: tests/pages/test_url_rule.py
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from webtool import urls
from webtool.context import Context
from webtool.errors import SsrfBlocked
from webtool.lean import patterns
from webtool.providers.table import PROVIDERS
from webtool.settings import credentials_folder, read_small

MAX_QUERY = 512  # characters of a query string; a longer one could carry somebody's data
_MAX_ESCAPED = 8  # times that a URL is decoded; a key that was percent-encoded more often is not found
_MIN_SECRET = 8  # characters; a shorter value of an environment variable is not taken for a key
# Names of environment variables that hold keys, such as API_KEY and AUTH_TOKEN, unlike GIT_AUTHOR_NAME.
_SECRET_NAME = patterns.compile(r"(?i)key|token|secret|passw|credential|auth(?!ors?(?:_|\Z))|engine_id")
# AUTH_URL=https://login.example/ is not a key, but an address may have one among its words.
_is_address = patterns.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s\"]+").fullmatch
_address_words = patterns.compile(r"[^/?#&=:@]{8,}").findall
_ESCAPE = patterns.compile(r"%([0-9A-Fa-f]{2})")
_ENDS = frozenset("\"'<>)]# \t\r\n\\")  # what may follow an address in JSON and markdown
_PUNCTUATION = ".,;:!?"  # what may stand between an address and _ENDS, as in "see https://a.example/b."
# A word in a file of keys, and what follows a member's name in JSON: "api_key": "AKIAIOSFODNN7EXAMPLE".
_credential_words_in = patterns.compile(r"([^\s\"',:{}\[\]]{8,})(\"\s*:)?").findall
_ONE_SPELLING = str.maketrans({"-": "+", "_": "/", " ": "+"})  # see _comparable()


def require_seen(ctx: Context, url: str) -> None:
    """Raise SsrfBlocked if a model may not open this URL; nothing is sent."""
    query = urls.parse(url).query or ""
    if len(query) > MAX_QUERY:
        raise _refused(url, f"its query string has {len(query)} characters, more than {MAX_QUERY}")
    forms = [_comparable(form) for form in _unescaped_forms(url)]
    for secret in map(_comparable, _secrets(ctx.environ)):
        if any(secret in form for form in forms):
            raise _refused("", "it holds a key of this machine")
    if ctx.cache is None:
        raise _refused(url, "no cache is there to tell which addresses were seen")
    for spelling in _spellings_on_pages(url):
        if any(_has_address(text, spelling) for text in ctx.cache.texts_with(spelling)):
            return
    raise _refused(url, "nobody gave it: no search returned it and no opened page links to it")


def _refused(url: str, reason: str) -> SsrfBlocked:
    """Return the error for a URL; "" for one that must not be repeated."""
    shown = urls.shortened(url) if url else "the address"
    return SsrfBlocked(
        f"{shown} is not opened: {reason}",
        hint="The setting url_rule is seen. Search for the page, or open one that links to it; a person may open it"
        " with the command webtool open.",
        url=urls.redact(url) if url else None,
    )


def _spellings_on_pages(url: str) -> Iterator[str]:
    """Yield how pages may write a URL: without fragment, without a final slash, and with one for an origin."""
    bare = url.partition("#")[0]
    yield bare
    if bare.endswith("/"):
        yield bare[:-1]
    elif urls.parse(bare).path == "/":
        yield f"{bare}/"


def _has_address(text: str, address: str) -> bool:
    """Return whether the text has the address itself, and not only a longer one that begins with it."""
    start = text.find(address)
    while start >= 0:
        end = start + len(address)
        while text[end : end + 1] and text[end] in _PUNCTUATION:
            end += 1
        if end == len(text) or text[end] in _ENDS:
            return True
        start = text.find(address, end)
    return False


# Keys of this machine.


def _unescaped_forms(url: str) -> Iterator[str]:
    """Yield the URL with percent-escapes decoded never, once, twice and so on: as UTF-8, Latin-1 and UTF-16."""
    url = url.encode("utf-8", "replace").decode("latin-1")
    for _ in range(_MAX_ESCAPED + 1):
        yield url
        yield url.encode("latin-1").decode("utf-8", "replace")
        if "\0" in url:
            yield url.replace("\0", "")  # UTF-16 has a NUL beside each ASCII character
        url, count = _ESCAPE.subn(lambda match: chr(int(match[1], 16)), url)
        if not count:
            break


def _comparable(text: str) -> str:
    """Return a text in a form in which all spellings of a key are equal.

    Capitals are lowered, as in a host name that holds the key. "-" and "_" become the "+" and "/" of the other
    Base64 alphabet, and a space the "+" that it is in a query.
    """
    return text.lower().translate(_ONE_SPELLING)


def _secrets(environ: Mapping[str, str]) -> Iterator[str]:
    """Yield the keys in environment variables and credential files: plain, in hexadecimal and in Base64."""
    values: set[str] = set()
    for name, value in environ.items():
        if _SECRET_NAME.search(name):
            value = value.strip()
            values.update(_without_host(value) if _is_address(value) else (value,))
    files = [credential.file for provider in PROVIDERS.values() for credential in provider.credentials]
    for name in ("credentials.json", *files):
        values.update(_credential_words(os.path.join(credentials_folder(environ), name)))
    for value in values:
        if len(value) >= _MIN_SECRET:
            yield value
            for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
                data = value.encode(encoding, "replace")
                yield data.hex()
                yield from _base64_forms(data)


def _without_host(address: str) -> list[str]:
    """Return the words of an address that may be keys: those with a digit outside of its host, and a password.

    https://hooks.example/services/T024BE7LD -> ["T024BE7LD"]; https://user:hunter2hunter2@h/ -> ["hunter2hunter2"]
    """
    rest = address.partition("://")[2]
    authority = min((rest.partition(mark)[0] for mark in "/?#"), key=len)
    user_info = authority.rpartition("@")[0]
    words = [word for word in _address_words(rest[len(authority) :]) if any(map(str.isdigit, word))]
    password = user_info.partition(":")[2] or user_info
    return [*words, password] if password else words


def _base64_forms(data: bytes) -> Iterator[str]:
    """Yield how bytes may look inside a longer text in Base64.

    Base64 writes three bytes as four letters, so there are three forms, by the number of bytes before the data, modulo
    3. The first and last letters of a form may depend on the bytes around the data: these letters are left out.
    b"key" gives "a2V5" after 0 bytes, "tle" after 1 and "rZX" after 2.
    """
    from binascii import b2a_base64  # a shared library that few starts need

    for before in range(3):
        letters = b2a_base64(bytes(before) + data, newline=False).decode("ascii")
        first_own = before + (before > 0)
        end = (before + len(data)) * 8 // 6
        yield letters[first_own:end]


def _credential_words(path: str) -> list[str]:
    """Return the words of at least 8 characters in a file of keys, except its member names; [] if unreadable."""
    try:
        text = read_small(path, 65536).decode("utf-8", "replace")
    except (OSError, ValueError):
        return []
    return [word for word, is_name in _credential_words_in(text) if not is_name]
