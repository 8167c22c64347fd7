"""HTTP dates, and the header fields that a cache would send with a stored response, Age included."""

from email.utils import formatdate

from webtool.cache.freshness import stored_headers
from webtool.cache.headers import SELECTED, age
from webtool.lean import dates


def to_http(seconds):
    """Return Unix seconds as an IMF-fixdate (RFC 9110 section 5.6.7)."""
    return formatdate(int(seconds), usegmt=True)


def response_headers(kept, now):
    """Return the header fields of a stored response, in lower case, with its current Age (RFC 9111 section 5.1)."""
    headers = stored_headers(kept)
    headers["age"] = str(int(age(headers, dates.from_iso(kept.fetched_at) or now, now, kept.fetch_ms or 0)))
    headers.pop(SELECTED, None)
    return headers
