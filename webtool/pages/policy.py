"""Whether robots.txt is asked before each hop of a page, and what is said where it is not."""

from __future__ import annotations

from collections.abc import Callable

from webtool import urls
from webtool.context import Context
from webtool.errors import WebtoolError


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


def robots_note(ctx: Context) -> tuple[str, ...]:
    """What an answer says where robots.txt was passed over."""
    return () if ctx.settings.respect_robots else ("robots.txt was not asked (respect_robots is off)",)
