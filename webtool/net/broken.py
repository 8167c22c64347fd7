"""Answers that are not what HTTP says they must be. In: what is wrong, in words. Out: errors that say what to do.

To the outside both are ordinary NetworkErrors; whether asking again helps is what tells them apart.
"""

from __future__ import annotations

from webtool.errors import NetworkError


class Malformed(NetworkError):
    """The server, or something on the way, does not keep to HTTP: the same request would bring the same answer."""

    retryable = False
    default_hint = (
        "The server's answer breaks the rules of HTTP, so asking again will hardly help. Look for the same text "
        "elsewhere (a search, an archive)."
    )


class CutShort(NetworkError):
    """The connection ended before the answer did; what came is not handed on as if it were the page."""

    default_hint = (
        "The server, or something on the way, ended the connection early. Try again; if it happens each time, look "
        "for the same text elsewhere."
    )
