"""Find the end of an element whose content is not markup: RCDATA, RAWTEXT and script data.

In: the whole text and a position in it. Out: a position.
Spec: the HTML Standard, 13.2.5.2 to 13.2.5.31.
Tests: tests/html/test_tokenizer.py
"""

from __future__ import annotations

from webtool.html.charrefs import REFERENCE, ascii_lower, decode_text
from webtool.lean import patterns

_SCRIPT_PART = patterns.compile("(?ai)<!--|-->|<(/?)script[\\t\\n\\f />]")
_AFTER_NAME = frozenset("\t\n\f />")


def after_newline(text: str, position: int) -> int:
    """Return the position, or that after a line feed there, written literally or as a character reference."""
    if text.startswith("\n", position):
        return position + 1
    match = REFERENCE.match(text, position)
    return match.end() if match and decode_text(match.group()) == "\n" else position


def end_tag_at(text: str, name: str, position: int) -> int:
    """Return the position of the appropriate end tag, or the length of the text."""
    length = len(name) + 2
    while True:
        position = text.find("</", position)
        if position < 0:
            return len(text)
        after = position + length
        if text[after : after + 1] in _AFTER_NAME and ascii_lower(text[position + 2 : after]) == name:
            return position
        position += 2


def script_end(text: str, position: int) -> int:
    """Return the position of a script's end tag, by the script data states with their escaped forms.

    `<!--` begins the escaped state, `-->` ends it. In the escaped state, `<script` begins the double escaped state, in
    which the next end tag is text.
    """
    end = end_tag_at(text, "script", position)
    position = text.find("<!--", position, end)
    if position < 0:
        return end
    state = 0  # 0 plain, 1 escaped, 2 double escaped
    while True:
        match = _SCRIPT_PART.search(text, position)
        if not match:
            return len(text)
        position = match.end()
        if match.group() == "<!--":
            state = state or 1
            position -= 2  # the dashes may be those of "-->"
        elif match.group() == "-->":
            state = 0
        elif match.group(1):
            if state < 2:
                return match.start()
            state = 1
        elif state == 1:
            state = 2
