"""Decide which addresses may be opened, apply what sites ask of programs, and fetch a page under these rules.

robots.txt is checked before each hop. Content-Signal holds lists such as "search=yes, ai-input=no, ai-train=no".
Content-Usage is the IETF's proposal for the same (draft-ietf-aipref-attach): a structured dictionary with the values y
and n. Every answer shows both. "ai-input=no" asks programs not to put the page before a model: opening many pages at
once heeds it, opening a single page does not.

With the setting url_rule=seen, a model may open only addresses that the cache has seen: as an opened page, as a search
result, or as a link on an opened page. So a page cannot talk an agent into fetching an address that the page made up to
carry away what the agent knows. As a link may have room for data too, long query strings and URLs that hold a key of
this machine are refused as well. Addresses that a person types are always allowed.
Tests: tests/tools/test_signals.py, tests/pages/test_url_rule.py
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping

from webtool import urls
from webtool.cache.freshness import stored_headers
from webtool.cache.tables import Snapshot
from webtool.context import Context
from webtool.errors import InvalidUrl, RobotsDisallowed, SsrfBlocked, WebtoolError
from webtool.lean import patterns
from webtool.lean.typing import Any
from webtool.net.messages import Request, Response
from webtool.pages.request import PageRequest
from webtool.providers.table import PROVIDERS
from webtool.settings import credentials_folder, read_small

RESERVE = 1.0  # seconds before the deadline that fetching a further page leaves for answering with the pages at hand
_SIGNAL_FIELDS = {"content-signal": "content_signal", "content-usage": "content_usage"}  # header field: answer member
_MAX_SIGNAL = 200  # characters of a header field that an answer shows


def robots_check(ctx: Context) -> Callable[[str], None] | None:
    """Return the check to run before each hop, or None without a check: respect_robots is off, any URL will do."""
    if not ctx.settings.respect_robots:
        return ctx.check_hop

    def check(url: str) -> None:
        if ctx.check_hop is not None:
            ctx.check_hop(url)
        try:
            ctx.robots.check(url, ctx.deadline, ctx.is_cancelled)
        except WebtoolError as error:
            error.url = urls.redact(url)  # the user asked for this page, not for its robots.txt
            raise

    return check


def address(url: str) -> str:
    """Return the normalised URL, "" if it is not a URL."""
    try:
        return urls.normalise(url)
    except InvalidUrl:
        return ""


def crawl_delay(ctx: Context) -> Callable[[str], float | None]:
    """Return a function that gives the Crawl-delay of a URL's site; None as long as its robots.txt was not read."""

    def delay(url: str) -> float | None:
        normal = address(url) if ctx.settings.respect_robots else ""
        return ctx.robots.crawl_delay(normal) if normal else 0.0

    return delay


def fetch(ctx: Context, request: Request, *, reserve: float = 0.0, **bounds: Any) -> Response:
    """Fetch a page under robots.txt and the call's deadline, less `reserve` seconds.

    `bounds` are further arguments of the client's fetch(), such as max_bytes. Raises WebtoolError.
    """
    return ctx.client.fetch(
        request, deadline=ctx.deadline - reserve, check_hop=robots_check(ctx), is_cancelled=ctx.is_cancelled, **bounds
    )


def rule_headers(ctx: Context, request: PageRequest) -> tuple[tuple[str, str], ...]:
    """Return the header fields that the rules of the requested site set; () if rules are not to be used."""
    if not request.use_siteconfig:
        return ()
    from webtool import siteconfig

    folder, host = ctx.settings.siteconfig_dir, urls.hostname(request.url)
    rules = siteconfig.find(host, folder, chosen=request.siteconfig_id)
    return rules.http_headers if rules is not None else ()


def robots_note(ctx: Context) -> tuple[str, ...]:
    """Return a note if robots.txt was not asked, else ()."""
    return () if ctx.settings.respect_robots else ("robots.txt was not asked (respect_robots is off)",)


def signals(snapshot: Snapshot) -> dict[str, object]:
    """Return `content_signal` and `content_usage` of a page, if its server sent them."""
    text = (snapshot.headers_json or "").lower()
    if not any(name in text for name in _SIGNAL_FIELDS):
        return {}
    headers = stored_headers(snapshot)
    return {member: _shortened(headers[name]) for name, member in _SIGNAL_FIELDS.items() if headers.get(name)}


def _shortened(signal: str) -> str:
    """Return a header field in at most _MAX_SIGNAL characters; of a longer one, ai-input comes first."""
    if len(signal) <= _MAX_SIGNAL:
        return signal
    preferences = [text.strip() for text in signal.replace(";", ",").split(",")]
    preferences.sort(key=lambda text: not text.lower().startswith("ai-input"))
    return ", ".join(preferences)[:_MAX_SIGNAL]


def require_input(ctx: Context, data: Mapping[str, object], url: str) -> None:
    """Raise RobotsDisallowed if the signals among an answer's members, or in robots.txt, say ai-input=no."""
    texts = {field.title(): data.get(member) or "" for field, member in _SIGNAL_FIELDS.items()}
    if ctx.settings.respect_robots:
        texts["Content-Signal of robots.txt"] = ctx.robots.content_signal(url)
    for field, text in texts.items():
        for preference in str(text).replace(";", ",").split(","):
            key, _, value = preference.partition("=")
            if key.strip().lower() == "ai-input" and value.strip().strip('"').lower() in ("no", "n", "?0"):
                raise RobotsDisallowed(
                    f"the server says ai-input=no ({field}), which opening many pages heeds",
                    hint="Open the page by itself.",
                    url=url,
                )


MAX_QUERY = 512  # characters of a query string; a longer one could carry somebody's data
_MAX_ESCAPED = 8  # times that a URL is decoded; a key that was percent-encoded more often is not found
_MIN_SECRET = 8  # characters; a shorter value of an environment variable is not taken for a key
_SECRET_NAME = patterns.compile(r"(?i)key|token|secret|passw|credential|auth|engine_id")
_ESCAPE = patterns.compile(r"%([0-9A-Fa-f]{2})")
_ENDS = frozenset("\"'<>)]# \t\r\n\\")  # what may follow an address in JSON and markdown
# A word in a file of keys, and what follows a member's name in JSON: "api_key": "AKIAIOSFODNN7EXAMPLE".
_credential_words_in = patterns.compile(r"([^\s\"',:{}\[\]]{8,})(\"\s*:)?").findall
_ONE_SPELLING = str.maketrans("-_ ", "+/+")  # of Base64 in URLs, to that elsewhere; of a space, to that in a query


def require_seen(ctx: Context, url: str) -> None:
    """Raise SsrfBlocked if the setting url_rule keeps a model from opening this URL; nothing is sent."""
    if ctx.settings.url_rule != "seen" or ctx.is_person:
        return
    query = urls.parse(url).query or ""
    if len(query) > MAX_QUERY:
        raise _refused(url, f"its query string has {len(query)} characters, more than {MAX_QUERY}")
    texts = [_comparable(text) for text in _unescaped_forms(url)]
    if any(secret in text for secret in map(_comparable, _secrets(ctx.environ)) for text in texts):
        raise _refused("", "it holds a key of this machine")
    if ctx.cache is None:
        raise _refused(url, "no cache is there to tell which addresses were seen")
    for address in _addresses(url):
        if any(_has_address(text, address) for text in ctx.cache.texts_with(address)):
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


def _addresses(url: str) -> Iterator[str]:
    """Yield a URL's spellings on pages: without fragment, without a final slash, and with one for an origin."""
    bare = url.partition("#")[0]
    yield bare
    if bare.endswith("/"):
        yield bare[:-1]
    if urls.parse(bare).path == "/" and not bare.endswith("/"):
        yield f"{bare}/"


def _has_address(text: str, address: str) -> bool:
    """Return whether the text has the address itself, and not only a longer one that begins with it."""
    start = text.find(address)
    while start >= 0:
        end = start + len(address)
        if end == len(text) or text[end] in _ENDS:
            return True
        start = text.find(address, end)
    return False


def _unescaped_forms(url: str) -> Iterator[str]:
    """Yield the URL with percent-escapes decoded never, once, twice and so on, as UTF-8 and as Latin-1."""
    url = url.encode("utf-8", "replace").decode("latin-1")
    for _ in range(_MAX_ESCAPED):
        yield url
        yield url.encode("latin-1").decode("utf-8", "replace")
        url, count = _ESCAPE.subn(lambda match: chr(int(match[1], 16)), url)
        if not count:
            break


def _comparable(text: str) -> str:
    """Return a text with capitals, Base64's two spellings and a space's two made equal: hosts have no capitals."""
    return text.lower().translate(_ONE_SPELLING)


def _secrets(environ: Mapping[str, str]) -> Iterator[str]:
    """Yield the keys in environment variables and credential files: plain, in hexadecimal and in Base64.

    Base64 writes three bytes as four letters, so a key has three spellings by its place in a text. The letters that its
    neighbours decide too are left out.
    """
    values = {value for name, value in environ.items() if _SECRET_NAME.search(name)}
    files = [credential.file for provider in PROVIDERS.values() for credential in provider.credentials]
    for name in ("credentials.json", *files):
        values.update(_credential_words(os.path.join(credentials_folder(environ), name)))
    for value in values:
        value = value.strip()
        if len(value) >= _MIN_SECRET:
            from binascii import b2a_base64  # a shared library that few starts need

            data = value.encode("utf-8", "replace")
            yield value
            yield data.hex()
            for before in range(3):  # bytes before the key, modulo 3
                letters = b2a_base64(bytes(before) + data, newline=False).decode("ascii")
                yield letters[before + (before > 0) : (before + len(data)) * 8 // 6]


def _credential_words(path: str) -> list[str]:
    """Return the words of at least 8 characters in a file of keys, except its member names; [] if unreadable."""
    try:
        text = read_small(path, 65536).decode("utf-8", "replace")
    except (OSError, ValueError):
        return []
    return [word for word, is_name in _credential_words_in(text) if not is_name]
