"""What a server says its pages may be used for. In: the header fields of a stored page. Out: members of an answer.

Content-Signal has lists such as "search=yes, ai-input=no, ai-train=no"; Content-Usage is the IETF's proposal of the
same (draft-ietf-aipref-attach), a structured dictionary with the values y and n. They are shown on every answer.
ai-input=no asks that a page is not put before a model: opening many at once heeds it, a person's own click does not.
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool.cache.freshness import stored_headers
from webtool.cache.snapshot import Snapshot
from webtool.errors import RobotsDisallowed

_FIELDS = {"content-signal": "content_signal", "content-usage": "content_usage"}
_MAX_VALUE = 200  # characters that are shown


def members(snapshot: Snapshot) -> dict[str, object]:
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
