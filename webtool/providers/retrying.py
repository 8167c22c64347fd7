"""How long a provider asks us to wait. In: a response. Out: seconds. Specification: RFC 9110 section 10.2.3."""

from __future__ import annotations

from webtool.lean import patterns
from webtool.net.messages import Response

_SECONDS = patterns.compile(r"(?a)\s*(\d{1,8}(?:\.\d{1,9})?)\s*s?\s*")


def seconds(text: object) -> float | None:
    """A number of seconds as text, `30` or `1.5s`; None for anything else."""
    match = _SECONDS.fullmatch(text) if isinstance(text, str) else None
    return float(match[1]) if match else None


def retry_after(response: Response) -> float | None:
    """Retry-After in seconds. Its other form, a date, is left alone: no search provider sends it."""
    return seconds(response.headers.get("retry-after"))
