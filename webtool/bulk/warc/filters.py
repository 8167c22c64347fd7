"""Which captures are wanted. In: a record or an index entry. Out: yes or no.

Statuses are "200", a class such as "2xx", or a range "200-206"; media types are "text/html" or "text/*"; "html" stands
for both of HTML's. A URL pattern is a shell pattern over the whole URL ("https://*.example.org/docs/*"), or a regular
expression between slashes. A capture that does not say what is asked for, as a resource has no status, is wanted.
"""

from __future__ import annotations

from collections.abc import Iterable

from webtool.errors import InvalidArgument
from webtool.lean import patterns
from webtool.lean.patterns import Pattern
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Protocol


class Capture(Protocol):
    """What a Record and an index Entry have in common."""

    @property
    def url(self) -> str: ...
    @property
    def status(self) -> int | None: ...
    @property
    def media_type(self) -> str: ...


_HTML = ("text/html", "application/xhtml+xml")
_STATUS = patterns.compile(r"([1-9])xx|([1-9][0-9]{2})(?:-([1-9][0-9]{2}))?")


class Filter(NamedTuple):
    """What is wanted; empty members want everything."""

    statuses: tuple[tuple[int, int], ...] = ()
    media_types: tuple[str, ...] = ()
    urls: tuple[Pattern[str], ...] = ()

    def wants(self, capture: Capture) -> bool:
        """Whether this capture is wanted; the URL is looked at first, because it costs least."""
        if self.urls and not any(pattern.search(capture.url) for pattern in self.urls):
            return False
        if self.statuses:
            status = capture.status
            if status is not None and not any(low <= status <= high for low, high in self.statuses):
                return False
        return not self.media_types or _is_among(capture.media_type, self.media_types)


def make(statuses: Iterable[str] = (), media_types: Iterable[str] = (), urls: Iterable[str] = ()) -> Filter:
    """The filter of words as a user writes them. Raises InvalidArgument naming the word."""
    types = [part for word in media_types for part in (_HTML if word.lower() == "html" else (word.lower(),))]
    return Filter(
        tuple(_range(word) for word in statuses),
        () if "*" in types or "*/*" in types else tuple(types),
        tuple(_pattern(word) for word in urls),
    )


def _is_among(media_type: str, wanted: tuple[str, ...]) -> bool:
    if not media_type:
        return True
    return any(media_type == one or (one.endswith("*") and media_type.startswith(one[:-1])) for one in wanted)


def _range(word: str) -> tuple[int, int]:
    match = _STATUS.fullmatch(word.strip().lower())
    if not match:
        raise InvalidArgument(f"status is {word[:60]!r}", hint="Give statuses as 200, 2xx or 200-206.")
    if match[1]:
        return int(match[1]) * 100, int(match[1]) * 100 + 99
    return int(match[2]), int(match[3] or match[2])


def _pattern(word: str) -> Pattern[str]:
    import re
    from fnmatch import translate

    if len(word) > 2 and word[0] == word[-1] == "/":
        try:
            return re.compile(word[1:-1])
        except (re.error, OverflowError, RecursionError) as exc:
            raise InvalidArgument(f"url is not a regular expression: {exc}", hint="Give /REGEX/ or a pattern.") from exc
    return re.compile(translate(word) if any(sign in word for sign in "*?[") else re.escape(word) + r"\Z")
