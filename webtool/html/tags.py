"""Read the tags that tokenizer.py's patterns miss, step by step like the states of the standard.

In: the text and the position after "<", where a letter comes, or "/" and a letter. Out: the tag and the position after
it. The tokenizer imports this module when it meets the first such tag.
Spec: the HTML Standard, 13.2.5.8 (tag name state) and 13.2.5.32 to 13.2.5.40 (attribute states).
Tests: tests/html/test_tokenizer.py
"""

from __future__ import annotations

from sys import intern

from webtool.html.charrefs import ascii_lower, decode_attribute, without_null
from webtool.lean import patterns
from webtool.lean.typing import Optional

# (name, whether it is an end tag, attributes or None, the self-closing flag).
Tag = tuple[str, bool, Optional[dict[str, str]], bool]

_TAG_NAME = patterns.compile("/?[^\t\n\f />]*")
_BEFORE_NAME = patterns.compile("[\t\n\f /]*")
_NAME = patterns.compile("=?[^\t\n\f />=]*")
_EQUALS = patterns.compile("[\t\n\f ]*=[\t\n\f ]*")
_UNQUOTED = patterns.compile("[^\t\n\f >]*")


def read_tag(text: str, position: int) -> tuple[Tag | None, int]:
    """Read the tag at `position`; return it and the position after its ">".

    Returns (None, -1) if the input ends inside the tag. Takes linear time.
    """
    match = _TAG_NAME.match(text, position)
    assert match is not None  # all expressions here match the empty string too
    name, position = match.group(), match.end()
    is_end = name[0] == "/"
    name = intern(ascii_lower(without_null(name[1:] if is_end else name)))
    attrs: dict[str, str] = {}
    while True:
        begin = position
        match = _BEFORE_NAME.match(text, position)
        assert match is not None
        position = match.end()
        if text.startswith(">", position):
            self_closing = position > begin and text[position - 1] == "/"
            return (name, is_end, attrs or None, self_closing), position + 1
        if position < len(text):
            position = _read_attribute(text, position, attrs)
        if position < 0 or position >= len(text):
            return None, -1


def _read_attribute(text: str, position: int, attrs: dict[str, str]) -> int:
    """Read one attribute into `attrs`; return the position after it, or -1 if the input ends inside its value."""
    match = _NAME.match(text, position)
    assert match is not None
    name, position = match.group(), match.end()
    value = ""
    match = _EQUALS.match(text, position)
    if match:
        position = match.end()
        quote = text[position : position + 1]
        if quote in ('"', "'"):
            end = text.find(quote, position + 1)
            if end < 0:
                return -1
            value = text[position + 1 : end]
            position = end + 1
        else:  # directly before ">" the value is empty
            match = _UNQUOTED.match(text, position)
            assert match is not None
            value, position = match.group(), match.end()
    name = ascii_lower(without_null(name))
    if name not in attrs:
        value = without_null(value)
        attrs[name] = decode_attribute(value) if "&" in value else value
    return position
