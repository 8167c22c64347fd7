"""Parse PDF objects. In: a buffer and a position. Out: a Python value and the position after it.

A name becomes a Name, an indirect reference a Ref, a string bytes, an array a list, a dictionary a dict with str keys,
null None. All other words (operators, `obj`, `stream`) and brackets are Keywords. Two readers share the tokens:
read_object() for files, and the interpreter of content streams, where references do not occur.
Specification: ISO 32000-1 sections 7.2 and 7.3.
Tests: tests/documents/pdf/test_objects.py
"""

from __future__ import annotations

import re
from collections.abc import Callable

from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any

MAX_DEPTH = 100  # of nested arrays and dictionaries; deeper ones are an error, real files stay below ten
MAX_ITEMS = 200_000  # of one array or dictionary; more are an error


class PdfError(Exception):
    """Damage that cannot be repaired; the message follows "The pdf document". It never leaves this package."""


class Name(str):
    """A name object without its slash."""

    __slots__ = ()


class Keyword(bytes):
    """An operator or a structural word."""

    __slots__ = ()


class Ref(NamedTuple):
    """An indirect reference."""

    number: int
    generation: int


class Stream:
    """A dictionary, and bytes as in the file, decrypted but with filters; read on demand, as most are pictures."""

    __slots__ = ("_read", "attrs")

    def __init__(self, attrs: dict[str, Any], read: Callable[[], bytes]) -> None:
        self.attrs = attrs
        self._read = read

    @property
    def raw(self) -> bytes:
        """The bytes, read anew each time."""
        return self._read()


END = Keyword(b"")  # the end of the buffer

_WS = rb"\x00\t\n\x0c\r "
_REGULAR = rb"[^\x00\t\n\x0c\r ()<>\[\]{}/%]"
# Comments are bounded, since each repetition of a group takes memory.
# No two consecutive parts of these patterns may match the same bytes: otherwise a failed match would try all ways to
# divide the bytes between them.
_SKIP = rb"[" + _WS + rb"]*(?:%[^\r\n]*(?:[\r\n][" + _WS + rb"]*|\Z)){0,200}"
_NUMBER = rb"([+-]?(?:\d+(?:\.\d*)?|\.\d+))(?!" + _REGULAR + rb")"
_REF = rb"(\d{1,10})[" + _WS + rb"]{1,99}(\d{1,5})[" + _WS + rb"]{1,99}R(?!" + _REGULAR + rb")"
_REST = (
    rb"/(" + _REGULAR + rb"*)"  # name
    rb"|\(([^()\\\r]*)\)"  # a string without anything special in it
    rb"|(<<|>>|[\[\]])"
    rb"|<([^<>]*)>?"  # hexadecimal string
    rb"|(\()"
    rb"|(" + _REGULAR + rb"+|[{}])"  # keyword
    rb"|([)>])"
)
# The groups of CONTENT_TOKEN, of which a match has one. A nested string has escapes or parentheses in it. STRAY is a
# bracket that closes nothing.
NUMBER, NAME, STRING, BRACKET, HEXADECIMAL, NESTED_STRING, WORD, STRAY = range(1, 9)
CONTENT_TOKEN = patterns.compile(_SKIP + rb"(?:" + _NUMBER + rb"|" + _REST + rb")?")
_REF_TOKEN = patterns.compile(_SKIP + _REF)

# Words that cannot be in an array or a dictionary: they close all that are open.
_CLOSING_WORDS = (b"endobj", b"endstream", b"stream", b"obj", b"")
_MAX_NUMBER = 100  # bytes; a longer malformed number is a word
_MAX_DIGITS = 40  # bytes of a number that are read; the rest is cut off
_CONSTANTS = {b"true": True, b"false": False, b"null": None}
_BAD_NUMBER = patterns.compile(rb"(?=[-+.\d]*\Z)[+-]*?([+-]?(?:\d+(?:\.\d*)?|\.\d+))")
_NAME_ESCAPE = patterns.compile(rb"#([0-9A-Fa-f]{2})")
_PARENTHESIS = patterns.compile(rb"(?s)\\.|[()]")  # or an escaped character, such as "\)"
_STRING_ESCAPE = patterns.compile(rb"\\([0-7]{1,3}|\r\n|[\x00-\xff])|\r\n?")
_ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"\r\n": b"", b"\r": b"", b"\n": b""}
_NOT_HEX = bytes(code for code in range(256) if code not in b"0123456789abcdefABCDEF")


def read_object(data: bytes, position: int) -> tuple[Any, int]:
    """Return the object at a position; END at the end of the data. Raises PdfError for too deep nesting.

    A word that cannot be inside, such as `endobj`, closes all open arrays and dictionaries. Other words are skipped.
    """
    stack: list[tuple[bytes, list[Any]]] = []  # the open brackets, each with the items after it
    while True:
        value, after = _read_token(data, position)
        is_keyword = type(value) is Keyword
        if is_keyword and value in (b"[", b"<<"):
            stack.append((value, []))
            if len(stack) > MAX_DEPTH:
                raise PdfError(f"has objects nested more than {MAX_DEPTH} deep")
            position = after
            continue
        if not stack:
            return value, after
        if not is_keyword or value not in _CLOSING_WORDS:  # such a word is read again until all brackets are closed
            position = after
        if is_keyword:
            if value not in _CLOSING_WORDS and value not in (b"]", b">>"):
                continue
            value = _closed(*stack.pop())
            if not stack:
                return value, position
        items = stack[-1][1]
        items.append(value)
        if len(items) > MAX_ITEMS:
            raise PdfError(f"has an array of more than {MAX_ITEMS:,} items")


def _read_token(data: bytes, position: int) -> tuple[Any, int]:
    match = _REF_TOKEN.match(data, position)
    if match:
        return Ref(int(match.group(1)), int(match.group(2))), match.end()
    while True:
        match = CONTENT_TOKEN.match(data, position)
        assert match is not None  # every part of the pattern is optional
        position = match.end()
        if match.lastindex is not None or position == len(data):  # else there were only comments
            return token_value(match, data)


def token_value(match: re.Match[bytes], data: bytes) -> tuple[Any, int]:
    """Return the value of a match of CONTENT_TOKEN and the position after it; brackets are Keywords."""
    kind = match.lastindex
    position = match.end()
    if kind is None:
        return END, len(data)
    text = match.group(kind)
    if kind == NUMBER:
        return _number(text), position
    if kind == WORD:
        return word_value(text), position
    if kind == STRING:
        return text, position
    if kind == NAME:
        if b"#" in text:
            text = _NAME_ESCAPE.sub(lambda match: bytes((int(match.group(1), 16),)), text)
        return Name(text.decode("latin-1")), position
    if kind == HEXADECIMAL:
        return hexadecimal(text), position
    if kind == NESTED_STRING:
        return _read_string(data, position)
    return Keyword(text), position


def operand(match: re.Match[bytes], data: bytes) -> tuple[Any, int]:
    """Return a content stream's operand and the position after it; a bracket that closes nothing is None."""
    value, position = token_value(match, data)
    if match.lastindex != BRACKET:
        return value, position
    bracket_start = position - len(value)
    try:
        return read_object(data, bracket_start) if value in (b"[", b"<<") else (None, position)
    except PdfError:
        return None, len(data)


def word_value(word: bytes) -> Any:
    """Return a constant, a malformed number that other readers accept too, or a Keyword."""
    if word in _CONSTANTS:
        return _CONSTANTS[word]
    # Some producers write --5 or 0.0-35; readers use the number at the start: -5 and 0.0.
    number = _BAD_NUMBER.match(word) if word[0] in b"+-.0123456789" and len(word) <= _MAX_NUMBER else None
    return _number(number.group(1)) if number else Keyword(word)


def _number(text: bytes) -> int | float:
    text = text[:_MAX_DIGITS]
    return float(text) if b"." in text else int(text)


def hexadecimal(text: bytes) -> bytes:
    """Return the bytes of hexadecimal digits; other characters are skipped (section 7.3.4.3)."""
    digits = text.translate(None, _NOT_HEX)
    return bytes.fromhex((digits + b"0" if len(digits) % 2 else digits).decode("ascii"))


def _read_string(data: bytes, start: int) -> tuple[bytes, int]:
    """Return a string with escapes or balanced parentheses; `start` is after its first "(" (section 7.3.4.2)."""
    depth = 1
    for match in _PARENTHESIS.finditer(data, start):
        if match.group() == b"(":
            depth += 1
        elif match.group() == b")":
            depth -= 1
            if not depth:
                return _STRING_ESCAPE.sub(_escape, data[start : match.start()]), match.end()
    return _STRING_ESCAPE.sub(_escape, data[start:]), len(data)


def _escape(match: re.Match[bytes]) -> bytes:
    sign = match.group(1)
    if sign is None:
        return b"\n"  # an end-of-line marker in any form reads as a line feed
    if sign[0] in b"01234567":
        return bytes((int(sign, 8) & 0xFF,))
    return _ESCAPES.get(sign, sign)


def _closed(bracket: bytes, items: list[Any]) -> Any:
    """Return the items since an opening bracket as an array or a dictionary."""
    if bracket == b"[":
        return items
    # A key without a value is dropped; a value without a key is skipped.
    attrs: dict[str, Any] = {}
    key: str | None = None
    for item in items:
        if key is not None:
            attrs[key] = item
            key = None
        elif type(item) is Name:
            key = str(item)
    return attrs
