"""Decide which addresses may be opened, apply what sites ask of programs, and fetch a page under these rules.

robots.txt is checked before each hop. Content-Signal holds lists such as "search=yes, ai-input=no, ai-train=no".
Content-Usage is the IETF's proposal for the same (draft-ietf-aipref-attach): a structured dictionary with the values y
and n. Every answer shows both. "ai-input=no" asks programs not to put the page before a model: opening many pages at
once heeds it, opening a single page does not.

Tests: tests/tools/test_signals.py
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from webtool import urls
from webtool.cache.freshness import stored_headers
from webtool.cache.tables import Snapshot
from webtool.context import Context
from webtool.errors import InvalidUrl, RobotsDisallowed, WebtoolError
from webtool.lean.typing import Any
from webtool.net.messages import Request, Response
from webtool.pages.request import PageRequest

RESERVE = 1.0  # seconds before the deadline at which fetching a further page ends, to answer with the pages at hand
_SIGNAL_FIELDS = {"content-signal": "content_signal", "content-usage": "content_usage"}  # header field: answer member
_MAX_SIGNAL = 200  # characters of a header field that an answer shows


def robots_check(ctx: Context) -> Callable[[str], None] | None:
    """Return the check to run before each hop: robots.txt after the caller's own. None if there is neither."""
    if not ctx.settings.respect_robots:
        return ctx.check_hop

    def check(url: str) -> None:
        if ctx.check_hop is not None:
            ctx.check_hop(url)
        try:
            ctx.robots.check(url, ctx.deadline, ctx.is_cancelled)
        except WebtoolError as error:
            error.url = urls.redact(url)  # that of the page, not of its robots.txt
            raise

    return check


def normalised(url: str) -> str:
    """Return the normalised URL, "" if it is not a URL."""
    try:
        return urls.normalise(url)
    except InvalidUrl:
        return ""


def crawl_delay(ctx: Context) -> Callable[[str], float | None]:
    """Return a function that gives the Crawl-delay of a URL's site; None as long as its robots.txt was not read."""

    def delay(url: str) -> float | None:
        normal = normalised(url) if ctx.settings.respect_robots else ""
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
    """Return the header fields that the rules of the requested site set; () if rules are not applied."""
    if not request.use_siteconfig or request.mode in ("full", "raw"):
        return ()
    from webtool import siteconfig

    folder, host = ctx.settings.siteconfig_dir, urls.hostname(request.url)
    rules = siteconfig.find(host, folder, chosen=request.siteconfig_id)
    return rules.http_headers if rules is not None else ()


def own_headers(ctx: Context, request: PageRequest) -> tuple[tuple[str, str], ...]:
    """Return the caller's header fields; () for a URL that they do not go to."""
    return tuple(ctx.headers) if request.sends_headers else ()


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
    ordered = sorted(_preferences(signal), key=lambda text: not text.lower().startswith("ai-input"))
    return ", ".join(ordered)[:_MAX_SIGNAL]


def _preferences(signal: str) -> list[str]:
    """Return the items of a header field: "search=yes, ai-input=no" -> ["search=yes", "ai-input=no"]."""
    return [text.strip() for text in signal.replace(";", ",").split(",")]


def check_ai_input(ctx: Context, data: Mapping[str, object], url: str) -> None:
    """Raise RobotsDisallowed if the signals among an answer's members, or in robots.txt, say ai-input=no.

    In the structured dictionary of Content-Usage, no is "n" or "?0". The setting respect_robots is about robots.txt
    alone: header fields of the page are heeded without it too.
    """
    texts = {field.title(): data.get(member) or "" for field, member in _SIGNAL_FIELDS.items()}
    if ctx.settings.respect_robots:
        texts["Content-Signal of robots.txt"] = ctx.robots.content_signal(url)
    for field, text in texts.items():
        for preference in _preferences(str(text)):
            key, _, value = preference.partition("=")
            if key.strip().lower() == "ai-input" and value.strip().strip('"').lower() in ("no", "n", "?0"):
                raise RobotsDisallowed(
                    f"the server says ai-input=no ({field}), which opening many pages heeds",
                    hint="Open the page by itself.",
                    url=url,
                )
