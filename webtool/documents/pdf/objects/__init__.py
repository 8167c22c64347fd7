"""PDF objects from bytes. In: a buffer and a position. Out: Python values and the position after them.

Names are Name, indirect references Ref, strings bytes, arrays lists, dictionaries dicts with str keys, null None;
what is none of these is a Keyword (operators, `obj`, `stream`). Specification: ISO 32000-1 sections 7.2 and 7.3.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any

MAX_DEPTH = 100  # of arrays and dictionaries in each other; real files stay below ten
MAX_ITEMS = 200_000  # of one array or dictionary


class PdfError(Exception):
    """The file breaks the rules beyond what can be repaired; says where. Never leaves this package."""


class Name(str):
    """A name object, without its slash."""

    __slots__ = ()


class Keyword(bytes):
    """An operator or a structural word."""

    __slots__ = ()


class Ref(NamedTuple):
    """An indirect reference."""

    number: int
    generation: int


class Stream:
    """A stream object: its dictionary, and its bytes as they stand in the file (decrypted, not decoded).

    They are read when asked for: most streams of a file are pictures.
    """

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
# No two parts of these may match the same bytes one after the other: what fails then would try all ways to share them.
_SKIP = rb"[" + _WS + rb"]*(?:%[^\r\n]*(?:[\r\n][" + _WS + rb"]*|\Z))*"
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
# Groups: 1 number, 2 name, 3 string, 4 bracket, 5 hexadecimal, 6 other string, 7 keyword, 8 stray.
CONTENT_TOKEN = patterns.compile(_SKIP + rb"(?:" + _NUMBER + rb"|" + _REST + rb")?")
_REF_TOKEN = patterns.compile(_SKIP + _REF)

_MAX_NUMBER = 100  # bytes
_CONSTANTS = {b"true": True, b"false": False, b"null": None}
_BAD_NUMBER = patterns.compile(rb"(?=[-+.\d]*\Z)[+-]*?([+-]?(?:\d+(?:\.\d*)?|\.\d+))")
_NAME_ESCAPE = patterns.compile(rb"#([0-9A-Fa-f]{2})")
_PARENTHESIS = patterns.compile(rb"[()\\]")
_STRING_ESCAPE = patterns.compile(rb"\\([0-7]{1,3}|\r\n|[\x00-\xff])|\r\n?")
_ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"\r\n": b"", b"\r": b"", b"\n": b""}
_NOT_HEX = bytes(code for code in range(256) if code not in b"0123456789abcdefABCDEF")


def read_object(data: bytes, at: int) -> tuple[Any, int]:
    """The object at a position. A Keyword stands for itself, END for the end of the data.

    Raises PdfError where arrays and dictionaries nest too deep. Unclosed ones are closed by what cannot stand in them.
    """
    value, at = _read_token(data, at)
    if type(value) is not Keyword or value not in (b"[", b"<<"):
        return value, at
    stack: list[tuple[bytes, list[Any]]] = [(value, [])]
    while True:
        value, after = _read_token(data, at)
        if type(value) is Keyword:
            if value in (b"[", b"<<"):
                stack.append((value, []))
                if len(stack) > MAX_DEPTH:
                    raise PdfError(f"has objects nested more than {MAX_DEPTH} deep")
                at = after
                continue
            if value not in (b"]", b">>"):
                if value not in (b"endobj", b"endstream", b"stream", b"obj", b""):
                    at = after  # junk inside an array is passed over
                    continue
                after = at
            at = after
            value = _closed(*stack.pop())
            if not stack:
                return value, at
        at = after
        items = stack[-1][1]
        items.append(value)
        if len(items) > MAX_ITEMS:
            raise PdfError(f"has an array of more than {MAX_ITEMS:,} items")


def _read_token(data: bytes, at: int) -> tuple[Any, int]:
    match = _REF_TOKEN.match(data, at)
    if match:
        return Ref(int(match.group(1)), int(match.group(2))), match.end()
    match = CONTENT_TOKEN.match(data, at)
    assert match is not None  # every part of the pattern is optional
    return token_value(match, data)


def token_value(match: re.Match[bytes], data: bytes) -> tuple[Any, int]:
    """What a match of CONTENT_TOKEN stands for, and the position after it; brackets come as Keywords."""
    kind = match.lastindex
    at = match.end()
    if kind == 1:
        return _number(match.group(1)), at
    if kind == 7:
        return word_value(match.group(7)), at
    if kind == 3:
        return match.group(3), at
    if kind == 2:
        return _name(match.group(2)), at
    if kind == 4:
        return Keyword(match.group(4)), at
    if kind == 5:
        return hexadecimal(match.group(5)), at
    if kind == 6:
        return _read_string(data, at)
    return (END, len(data)) if kind is None else (Keyword(match.group(8)), at)


def operand(match: re.Match[bytes], data: bytes) -> tuple[Any, int]:
    """token_value() of a content stream: arrays and dictionaries are whole, brackets that close nothing null."""
    value, at = token_value(match, data)
    if match.lastindex != 4:
        return value, at
    try:
        return read_object(data, at - len(value)) if value in (b"[", b"<<") else (None, at)
    except PdfError:
        return None, len(data)


def word_value(word: bytes) -> Any:
    """A constant, a number in a form that only lenient readers take, or a Keyword."""
    if word in _CONSTANTS:
        return _CONSTANTS[word]
    # Some producers write --5 or 0.0-35; other readers take what a number begins with.
    number = _BAD_NUMBER.match(word) if word[0] in b"+-.0123456789" and len(word) <= _MAX_NUMBER else None
    return _number(number.group(1)) if number else Keyword(word)


def _number(text: bytes) -> int | float:
    if len(text) > 40:
        text = text[:40]
    return float(text) if b"." in text else int(text)


def _name(text: bytes) -> Name:
    if b"#" in text:
        text = _NAME_ESCAPE.sub(lambda found: bytes((int(found.group(1), 16),)), text)
    return Name(text.decode("latin-1"))


def hexadecimal(text: bytes) -> bytes:
    """The bytes that hexadecimal digits stand for; anything else among them is passed over (section 7.3.4.3)."""
    digits = text.translate(None, _NOT_HEX)
    return bytes.fromhex((digits + b"0" if len(digits) % 2 else digits).decode("ascii"))


def _read_string(data: bytes, start: int) -> tuple[bytes, int]:
    """A literal string with escapes or balanced parentheses; `start` is after its opening one (section 7.3.4.2)."""
    depth = 1
    at = start
    while True:
        match = _PARENTHESIS.search(data, at)
        if not match:
            return _unescaped(data[start:]), len(data)
        at = match.end()
        sign = match.group()
        if sign == b"\\":
            at += 1
        elif sign == b"(":
            depth += 1
        else:
            depth -= 1
            if not depth:
                return _unescaped(data[start : at - 1]), at


def _unescaped(text: bytes) -> bytes:
    return _STRING_ESCAPE.sub(_escape, text)


def _escape(match: re.Match[bytes]) -> bytes:
    sign = match.group(1)
    if sign is None:
        return b"\n"  # an end-of-line marker in any form reads as a line feed
    if sign[0] in b"01234567":
        return bytes((int(sign, 8) & 0xFF,))
    return _ESCAPES.get(sign, sign)


def _closed(bracket: bytes, items: list[Any]) -> Any:
    if bracket == b"[":
        return items
    # A key without a value is dropped; what is not a name where a key belongs is passed over.
    attrs: dict[str, Any] = {}
    at = 0
    while at + 1 < len(items):
        if type(items[at]) is Name:
            attrs[str(items[at])] = items[at + 1]
            at += 2
        else:
            at += 1
    return attrs
