"""Write the YAML front matter above a page's markdown. In: a snapshot, markdown. Out: text. Pure.

It has five fields, always in this order, so that answers can be compared over time: title, source, fetched_at,
extractor, siteconfig. A value that YAML would not read back as the same string is double-quoted (YAML 1.2.2 section
7.3.1): `title: Tea` but `title: "yes"`.
Tests: tests/cache/test_front_matter.py
"""

from __future__ import annotations

from webtool.cache.tables import Snapshot
from webtool.lean import dates, patterns
from webtool.lean.patterns import Match

# Safe without quotes in YAML 1.1 and 1.2: words that begin with a letter, and URLs; neither contains ": " or " #".
_PLAIN = patterns.compile(r"[A-Za-z][A-Za-z0-9 ._/()@+=-]*|https?://[!-~]+")
# Words that YAML reads as a boolean, null or a number.
_RESERVED_WORDS = frozenset(("y", "n", "yes", "no", "true", "false", "on", "off", "null", "nan", "inf"))
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
# Characters that are escaped: not printable in YAML, line separators, invisible ones, changes of text direction.
_UNPRINTABLE = patterns.compile(
    '["\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufffe\uffff]'
)
_MAX_VALUE = 1000  # characters of a value; the rest is cut


def with_header(snapshot: Snapshot, markdown: str) -> str:
    """Return the markdown with its front matter above it."""
    fetched = dates.from_iso(snapshot.fetched_at)
    extractor = f"{snapshot.extractor_name or 'webtool'}@{snapshot.extractor_version or '0'}"
    return (
        f"---\ntitle: {scalar(snapshot.title or '')}\nsource: {scalar(snapshot.final_url)}\n"
        f"fetched_at: {scalar(snapshot.fetched_at) if fetched is None else dates.iso(fetched)}\n"
        f"extractor: {scalar(extractor)}\nsiteconfig: {scalar(snapshot.siteconfig_id or 'none')}\n---\n{markdown}"
    )


def scalar(text: str) -> str:
    """Return a YAML scalar on one line that reads back as the text, white space collapsed, cut at 1,000 characters."""
    text = " ".join(text.split())[:_MAX_VALUE]
    if _PLAIN.fullmatch(text) and text.lower() not in _RESERVED_WORDS and not text.endswith(":"):
        return text
    return '"' + _UNPRINTABLE.sub(_escape, text) + '"'


def _escape(match: Match[str]) -> str:
    character = match[0]
    if "\ud800" <= character <= "\udfff":
        return "\\uFFFD"  # YAML cannot contain half of a surrogate pair
    return _ESCAPES.get(character) or (f"\\u{ord(character):04X}")
