"""Clean CSS text, so that it can be cut at braces and semicolons. In: CSS text. Out: text that means the same.

Comments become spaces. A brace or semicolon in a string, in url() or in brackets ends nothing in a browser. Such a sign
is replaced by its escape in strings and url(), by a space in brackets:

    .a { x: "}"; display: none }      ->  .a { x: "\\7d "; display: none }
    .a { x: (}); display: none }      ->  .a { x: ( ); display: none }

As in a browser, a bracket that is never closed takes in all that follows: `.a { width: calc(1px } .b { ...`.
Specification: CSS Syntax 3 sections 4.3 (tokens, escapes) and 5.4.8 (blocks in brackets).
Tests: tests/css/test_cleaning.py
"""

from __future__ import annotations

from webtool.lean import patterns
from webtool.lean.patterns import Match

_MAX_NESTED = 20  # brackets in brackets that are looked at fast
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_pairs = patterns.compile(r"(?s)\\.").sub
_escapes = patterns.compile(r"\\(?:([0-9a-fA-F]{1,6})[ \t\n\r\f]?|(.))").sub
_signs = patterns.compile(r"[;{}]").sub
# A string ends at the latest with its line. "url(" without quotes reads up to the next ")", whatever is between.
_STRING = r"\"(?:[^\"\\\n]|\\.)*[\"\n]?|'(?:[^'\\\n]|\\.)*['\n]?"
_REST_OF_URL = r"\s*(?![\"'\s])(?:[^)\\]|\\.)*\)?"
_URL = rf"(?i:(?<![\w-])url\(){_REST_OF_URL}"
# Strings and url() besides comments: "/*" begins no comment there. Each branch begins with a sign, so that the engine
# passes over all other characters at once.
_URL_BRACKET = rf"\((?<=[uU][rR][lL]\()(?<![\w-][uU][rR][lL]\(){_REST_OF_URL}"
_comments = patterns.compile(rf"(?s)/\*.*?(?:\*/|\Z)|\\.|{_STRING}|{_URL_BRACKET}").sub
# What may be skipped: other text, escapes, strings without signs, and brackets with at most one such string.
_PLAIN_STRING = r"\"[^\"\\\n;{}]*\"|'[^'\\\n;{}]*'"
_INNER = r"[^()\[\]{};\"'\\]*"
_PLAIN_BRACKETS = rf"\({_INNER}(?:\({_INNER}\){_INNER})*\)|\(\s*(?:{_PLAIN_STRING})\s*\)"
_PLAIN = rf"[^\\\"'(\[]+|\\.|{_PLAIN_STRING}|{_PLAIN_BRACKETS}"
# Group 1 is what has to be looked at: another string, or the first of other brackets. "url" is looked for afterwards.
_strings_and_brackets = patterns.compile(rf"(?s)(?:{_PLAIN}){{0,200}}({_STRING}|[(\[])?").finditer
_url = patterns.compile(rf"(?s){_URL}").match
_tokens = patterns.compile(rf"(?s)\\.|(?P<text>{_STRING}|{_URL})|[;{{}}()\[\]]").finditer
# What decides whether a text is cut in the right places; all other characters are dropped to look at it.
_OTHERS = bytes(set(range(256)).difference(b"\"'()[]{};"))


def safe_to_cut(text: str) -> str:
    """Return CSS text without comments in which each brace and each semicolon ends something."""
    if "/*" in text:
        text = _comments(_without_comment, text)
    if "\\" in text and ("\\}" in text or "\\{" in text or "\\;" in text):
        text = _pairs(_numeric, text)
    return _with_signs_replaced(text) if _may_mislead(text) else text


def _without_comment(match: Match[str]) -> str:
    """Return a space for a comment, and a string, url() or escape as it is."""
    return " " if match[0].startswith("/*") else match[0]


def unescaped(text: str) -> str:
    r"""Return text without escapes: `\31 a` is "1a", `sm\:flex` is "sm:flex". Surrogates become U+FFFD."""
    return _escapes(_character, text) if "\\" in text else text


def spelt_out(text: str) -> str:
    """Return a clean block without escapes. An escaped ";" becomes U+FFFD, so that it ends no declaration."""
    return _escapes(_character_of_name, text) if "\\" in text else text


def _character_of_name(escape: Match[str]) -> str:
    """Return the character of an escape if names and keywords have such."""
    character = _character(escape)
    return character if character.isalnum() or character in "-_" else "\ufffd"


def _character(escape: Match[str]) -> str:
    if escape[2]:
        return escape[2]
    code = int(escape[1], 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def _may_mislead(text: str) -> bool:
    """Return whether a brace or semicolon may be in a string or in brackets. Takes a tenth of the time of reading it.

    `.a{x:url("y")}` is {("")} without other characters. Pairs with nothing between them are taken out, again and again:
    {("")}, {()}, {}. If a quote or a bracket is left, something is between it and its partner, or brackets nest deeply.
    """
    if '"' not in text and "'" not in text and "(" not in text and "[" not in text:
        return False
    if "\\" in text:
        text = _pairs("", text)
    skeleton = text.encode("utf-8", "replace").translate(None, _OTHERS)
    for _ in range(_MAX_NESTED):
        size = len(skeleton)
        for pair in (b'""', b"''", b"()", b"[]"):
            skeleton = skeleton.replace(pair, b"")
        if len(skeleton) == size:
            break
    return any(sign in skeleton for sign in b"\"'([")


def _with_signs_replaced(text: str) -> str:
    """Return the text with the braces and semicolons in strings, url() and brackets replaced."""
    pieces: list[str] = []  # the text up to `done`
    done = position = 0
    while position < len(text):
        for match in _strings_and_brackets(text, position):
            position = match.end()
            string_or_bracket = match[1]
            if string_or_bracket in ("(", "["):
                position = done = _end_of_brackets(text, match.start(1), pieces, done)
                break
            if string_or_bracket:
                pieces += [text[done : match.start(1)], _signs(_escaped, string_or_bracket)]
                done = position
        else:
            break
    return "".join([*pieces, text[done:]])


def _end_of_brackets(text: str, start: int, pieces: list[str], done: int) -> int:
    """Add the text from `done` to the end of the brackets that open at `start` to the pieces; return that end."""
    url = _url(text, start - 3) if text[max(start - 3, 0) : start].lower() == "url" else None
    if url:
        pieces += [text[done : url.start()], _signs(_escaped, url[0])]
        return url.end()
    expected: list[str] = []  # the closing signs of the open brackets, innermost last
    for token in _tokens(text, start):
        sign = token[0]
        if token["text"] or sign in "{};":
            pieces += [text[done : token.start()], _signs(_escaped, sign) if token["text"] else " "]
            done = token.end()
        if sign in _CLOSING:
            expected.append(_CLOSING[sign])
        elif sign == expected[-1]:
            expected.pop()
            if not expected:
                pieces.append(text[done : token.end()])
                return token.end()
    pieces.append(text[done:])
    return len(text)


def _escaped(sign: Match[str]) -> str:
    """Return the numeric escape of a brace or semicolon."""
    return f"\\{ord(sign[0]):x} "


def _numeric(escape: Match[str]) -> str:
    """Return an escape, written as a number if it is of a brace or semicolon."""
    return _signs(_escaped, escape[0][1:]) if escape[0][1] in ";{}" else escape[0]
