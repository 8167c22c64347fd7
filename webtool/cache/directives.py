"""Cache-Control read into its directives. In: the combined field value. Out: name -> argument. Pure.

RFC 9111 section 5.2; arguments as tokens or quoted strings (RFC 9110 section 5.6)."""

from __future__ import annotations

from webtool.lean import patterns

# A directive, its argument as token or quoted-string (RFC 9110 section 5.6); each alternative is anchored by match().
_QUOTED_PAIR = patterns.compile(r"\\(.)").sub
_DIRECTIVE = patterns.compile(r'[ \t,]*([^\s,="]+)(?:=("(?:[^"\\]|\\.)*"|[^,"]*))?[^,"]*')
_MAX_FIELD = 8192  # no honest Cache-Control comes near; what is beyond is not read


def directives(field: str) -> dict[str, str]:
    """Directives with lower-case names; "" for one without argument. Of a repeated one the first counts."""
    found: dict[str, str] = {}
    position, end = 0, min(len(field), _MAX_FIELD)
    while position < end:
        match = _DIRECTIVE.match(field, position, end)
        if match is None or match.end() == position:
            position += 1
            continue
        position = match.end()
        argument = match[2] or ""
        if argument[:1] == '"':
            argument = _QUOTED_PAIR(r"\1", argument[1:-1])
        found.setdefault(match[1].lower(), argument.rstrip())
    return found


def delta_seconds(text: str) -> int | None:
    """Whole seconds, RFC 9111 section 1.2.2: digits only, and what is too large becomes 2^31; None for all else."""
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0")
    return min(int(digits or "0"), 2**31) if len(digits) < 20 else 2**31
