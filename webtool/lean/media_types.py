"""Read the value of a Content-Type: "extract a MIME type" of the Fetch Standard, and MIME Sniffing section 4.4.

In: the field as sent; a field that was sent several times is joined by commas. Out: media type and charset. A value
that is not a media type is skipped, so that the bytes decide: `text/html charset=utf-8` lacks its semicolon -> "".
Tests: tests/net/test_messages.py
"""

from __future__ import annotations

from webtool.lean import patterns

_MAX_HEADER = 2000  # characters of a Content-Type that are looked at
_values = patterns.compile(r"""(?:"(?:\\.|[^"\\])*"?|[^",])+""").findall  # between commas outside of quotes
_ESSENCE = patterns.compile(r"[!#$%&'*+\-.^_`|~0-9a-z]+/[!#$%&'*+\-.^_`|~0-9a-z]+")
# A parameter with its value, quoted or not.
_parameter = patterns.compile(r""";\s*([^=;"]*)(?:=\s*(?:"((?:\\.|[^"\\])*)"?|([^;]*)))?""").finditer
_BLANKS = " \t\r\n"


def extract(content_type: str | None) -> tuple[str, str | None]:
    """Return media type ("" without one) and charset as sent (None without one).

    The last usable value counts. If it repeats an earlier media type without a charset, the earlier charset stays:
    "text/html; charset=x, text/html" -> ("text/html", "x").
    """
    media_type, charset = "", None
    for value in _values((content_type or "")[:_MAX_HEADER]):
        candidate = value.partition(";")[0].strip(_BLANKS).lower()
        if candidate == "*/*" or not _ESSENCE.fullmatch(candidate):
            continue
        if candidate != media_type:
            media_type, charset = candidate, None
        charset = _charset(value) or charset
    return media_type, charset


def _charset(value: str) -> str:
    """Return the charset parameter of one value, "" without one."""
    for match in _parameter(value):
        if match[1].strip().lower() == "charset":
            if match.lastindex == 1:  # a name without a value
                return ""
            charset = match[3] if match[2] is None else match[2]
            return charset.strip().strip("'")
    return ""
