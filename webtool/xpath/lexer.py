"""Split an XPath expression into tokens. In: text. Out: tokens (kind, value, position). Spec: XPath 1.0 section 3.7.

After an operand, `*`, `and`, `or`, `div` and `mod` are operators; elsewhere they are names.

Tests: tests/xpath/test_xpath.py
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.lean import patterns
from webtool.lean.records import NamedTuple

_NAME = r"[^\W\d][\w.\-\u00b7]*"
_TOKEN = patterns.compile(
    rf"""(?x)[ \t\r\n]*(?:
    (?P<number>\d+(?:\.\d*)?|\.\d+)
    |(?P<string>"[^"]*"|'[^']*')
    |(?P<symbol>\.\.|::|//|!=|<=|>=|[()\[\].@,/|+\-=<>*$])
    |(?P<name>{_NAME}(?:(?<!:):(?!:)(?:{_NAME}|\*))?)
    )"""
)
_SPACE = patterns.compile(r"[ \t\r\n]*")
_OPERATOR_NAMES = frozenset(("and", "or", "mod", "div"))
# Tokens after which an operand must follow (section 3.7).
_BEFORE_OPERAND = frozenset(("@", "::", "(", "[", ",", "/", "//", "|", "+", "-", "=", "!=", "<", "<=", ">", ">=", "$"))


class XPathError(ValueError):
    """An expression cannot be parsed or evaluated. The message says why and where."""


class Token(NamedTuple):
    """One token. `kind` is number, string, name, operator, symbol or end; `position` is its index in the text."""

    kind: str
    value: str
    position: int


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of an expression, then one of kind "end". Raises XPathError."""
    position, before = 0, None
    while True:
        match = _TOKEN.match(text, position)
        if match is None:
            end = _SPACE.match(text, position).end()  # type: ignore[union-attr]
            if end < len(text):
                raise XPathError(f"unexpected {text[end]!r} at character {end + 1}")
            yield Token("end", "", len(text))
            return
        kind, value = str(match.lastgroup), match[str(match.lastgroup)]
        after_operand = before is not None and before.kind != "operator" and before.value not in _BEFORE_OPERAND
        if before is not None and before.kind == "string":
            after_operand = True
        if after_operand and (value == "*" or (kind == "name" and value in _OPERATOR_NAMES)):
            kind = "operator"
        elif kind == "symbol" and value == "*":
            kind = "name"
        before = Token(kind, value, match.start(str(match.lastgroup)))
        yield before
        position = match.end()
