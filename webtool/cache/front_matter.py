"""The header block of a page's markdown: YAML that says where the text comes from. In: a snapshot. Out: text. Pure.

Five lines, always the same and in the same order, so that answers can be compared over time. Values that YAML would
read as something else than this very string are double-quoted (YAML 1.2.2 section 7.3.1).
"""

from __future__ import annotations

from webtool.cache.snapshot import Snapshot
from webtool.lean import dates, patterns
from webtool.lean.patterns import Match

# Safe without quotes in YAML 1.1 and 1.2: words that begin with a letter, and URLs; neither holds ": " or " #".
_PLAIN = patterns.compile(r"[A-Za-z][A-Za-z0-9 ._/()@+=-]*|https?://[!-~]+")
_WORDS = frozenset(("y", "n", "yes", "no", "true", "false", "on", "off", "null", "nan", "inf"))
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
# Everything YAML calls not printable, the line separators, and what is invisible or turns text around.
_UNPRINTABLE = patterns.compile(
    '["\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufffe\uffff]'
)
_MAX_VALUE = 1000


def with_header(snapshot: Snapshot, markdown: str) -> str:
    """The markdown below its header block."""
    fetched = dates.from_iso(snapshot.fetched_at)
    extractor = f"{snapshot.extractor_name or 'webtool'}@{snapshot.extractor_version or '0'}"
    return (
        f"---\ntitle: {scalar(snapshot.title or '')}\nsource: {scalar(snapshot.final_url)}\n"
        f"fetched_at: {scalar(snapshot.fetched_at) if fetched is None else dates.iso(fetched)}\n"
        f"extractor: {scalar(extractor)}\nsiteconfig: {scalar(snapshot.siteconfig_id or 'none')}\n---\n{markdown}"
    )


def scalar(text: str) -> str:
    """A YAML scalar on one line that reads back as the text (white space collapsed, cut at 1,000 characters)."""
    text = " ".join(text.split())[:_MAX_VALUE]
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS and not text.endswith(":"):
        return text
    return '"' + _UNPRINTABLE.sub(_escape, text) + '"'


def _escape(match: Match[str]) -> str:
    character = match[0]
    if "\ud800" <= character <= "\udfff":
        return "\\uFFFD"  # YAML cannot hold half a character
    return _ESCAPES.get(character) or (f"\\u{ord(character):04X}")
