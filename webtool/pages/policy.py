"""What a site asks of programs. robots.txt: whether it is asked before each hop of a page, and what is said where it is
not. Signals: what a server says its pages may be used for, from the header fields of a stored page.

Content-Signal has lists such as "search=yes, ai-input=no, ai-train=no"; Content-Usage is the IETF's proposal of the
same (draft-ietf-aipref-attach), a structured dictionary with the values y and n. They are shown on every answer.
ai-input=no asks that a page is not put before a model: opening many at once heeds it, a person's own click does not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from webtool import urls
from webtool.cache.freshness import stored_headers
from webtool.cache.snapshot import Snapshot
from webtool.context import Context
from webtool.errors import RobotsDisallowed, WebtoolError
from webtool.lean.typing import Any
from webtool.net.messages import Request, Response

RESERVE = 1.0
"""Seconds of the deadline that are left for answering with what there is, where a further page is fetched."""


def robots_check(ctx: Context) -> Callable[[str], None] | None:
    """The check before each hop, or None where robots.txt is not asked."""
    if not ctx.settings.respect_robots:
        return None

    def check(url: str) -> None:
        try:
            ctx.robots.check(url, ctx.deadline, ctx.is_cancelled)
        except WebtoolError as error:
            error.url = urls.redact(url)  # the page asked for; nobody asked for its robots.txt
            raise

    return check


def fetch(ctx: Context, request: Request, *, reserve: float = 0.0, **bounds: Any) -> Response:
    """The answer to a request for a page, asked for under the call's deadline, less `reserve` seconds, and under
    robots.txt. `bounds` are further ones of the client's."""
    return ctx.client.fetch(
        request, deadline=ctx.deadline - reserve, check_hop=robots_check(ctx), is_cancelled=ctx.is_cancelled, **bounds
    )


def robots_note(ctx: Context) -> tuple[str, ...]:
    """What an answer says where robots.txt was passed over."""
    return () if ctx.settings.respect_robots else ("robots.txt was not asked (respect_robots is off)",)


_FIELDS = {"content-signal": "content_signal", "content-usage": "content_usage"}
_MAX_VALUE = 200  # characters that are shown


def signals(snapshot: Snapshot) -> dict[str, object]:
    """`content_signal` and `content_usage`, where the server sent them."""
    text = (snapshot.headers_json or "").lower()
    if not any(name in text for name in _FIELDS):
        return {}
    headers = stored_headers(snapshot)
    return {member: headers[name][:_MAX_VALUE] for name, member in _FIELDS.items() if headers.get(name)}


def require_input(data: Mapping[str, object], url: str) -> None:
    """Raises RobotsDisallowed where the members say ai-input=no."""
    for name, member in _FIELDS.items():
        for one in str(data.get(member, "")).replace(";", ",").split(","):
            key, _, value = one.partition("=")
            if key.strip().lower() == "ai-input" and value.strip().strip('"').lower() in ("no", "n", "?0"):
                raise RobotsDisallowed(
                    f"the server says ai-input=no ({name.title()}), which opening many pages heeds",
                    hint="Open the page by itself.",
                    url=url,
                )
