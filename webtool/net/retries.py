"""Whether to ask once more. In: status, headers, seconds left. Out: seconds to wait first, or None.

Spec: RFC 9110 section 10.2.3 (Retry-After).
"""

from __future__ import annotations

from webtool.lean import dates
from webtool.net.messages import Headers

LONGEST_WAIT = 5.0  # seconds; a longer wait is left to the caller
_MARGIN = 1.0  # seconds that must be left for the second answer


def retry_after(headers: Headers) -> float | None:
    """Retry-After in seconds; None where it is absent or malformed. A date is counted from the answer's own Date."""
    value = (headers.get("retry-after") or "").strip()
    if value.isascii() and value.isdigit() and len(value) < 10:
        return float(value)
    sent = dates.from_http(headers.get("date"), 0.0)
    moment = dates.from_http(value, 0.0) if sent is not None else None
    return None if sent is None or moment is None else max(0.0, moment - sent)


def retry_delay(status: int, headers: Headers, left: float) -> float | None:
    """Seconds to wait before the one retry of a 429 or 503, None where there is to be none."""
    if status not in (429, 503):
        return None
    seconds = retry_after(headers)
    if seconds is None or seconds > min(LONGEST_WAIT, left - _MARGIN):
        return None
    return max(seconds, 0.1)
