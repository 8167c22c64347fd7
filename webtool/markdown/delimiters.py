r"""Decide which delimiter runs and signs of inline text need a backslash.

In: a match of in_text() or in_link(). Out: the match with the backslashes that it needs. A delimiter run is a row of
equal `*`, `_` or `~`: it opens emphasis, closes it, or is shown. The function that decides is called a judge. Which one
decides depends on what is around the text:

judge           the text                          a run gets a backslash if it could  `*a* b *c` becomes
ALONE           begins a block without emphasis   close an earlier run                `*a\* b *c`
AFTER           follows content of such a block   close, or is at the text's start    `\*a\* b *c`
BESIDE_EMPHASIS is in a block with real emphasis  close or open                       `\*a\* b \*c`

In a block without emphasis a run that can only open is shown, because nothing closes it. Beside real emphasis the
markup of that could close it.
Specification: CommonMark 0.31 sections 2.4 (backslash escapes), 2.5 (entities), 6.2 (emphasis); GFM's strikethrough.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from webtool.lean import patterns
from webtool.lean.characters import is_alnum
from webtool.lean.patterns import Match
from webtool.lean.typing import Callable

Judge = Callable[["Match[str]"], str]

# A run of delimiters is one match. Every other match is one character that needs a backslash.
_COMMON = r"""(?x)
    \*+ | _+ | ~+  # delimiter run: **a**, snake_case, ~~a~~
    | \\(?=[!-/:-@\[-`{-~]|\Z)  # backslash that would escape a sign, or what follows the text: \*
    | `  # code span: `a`
    | <(?=[A-Za-z/!?])  # tag, comment or autolink: <b>
    | &(?=\#[0-9xX]|[A-Za-z][A-Za-z0-9]*;)  # character reference: &amp;
"""
in_text = patterns.compile(
    _COMMON
    + r"""
    | \](?=\()  # end of a link's text: [a](b)
    | \[(?=\^)  # reference to a footnote: [^1]
    """
).sub
in_link = patterns.compile(
    _COMMON
    + r"""
    | [\[\]]  # a bracket would end the link's text, or be a link in it
    | \A\^  # "[^" would begin a reference to a footnote
    """
).sub
_MAX_BEFORE = 1000  # further than this from the text's start, any underscore before a run counts as one that opens
# What is assumed where the text ends, because its neighbour is unknown. Both make a backslash more likely.
_END_AFTER = " "  # for closing: an underscore closes before a space, and not before a letter
_END_BESIDE = "*"  # for opening and closing: a star is neither white space nor part of a word


def _judge_alone(match: Match[str]) -> str:
    """Escape a match in a text that begins a block without emphasis."""
    run = match[0]
    if run[0] in "*_~" and not _may_be_open(run[0], match.string, match.start()):
        return run  # nothing before it can open, so it cannot close
    return _judge_after_start(match)


def _may_be_open(sign: str, text: str, end: int) -> bool:
    """Whether a run of `sign` before `end` may open emphasis. An underscore after a letter or digit opens nothing."""
    position = text.find(sign, 0, end)
    if sign == "_" and end < _MAX_BEFORE:
        while position > 0 and is_alnum(text[position - 1]):  # snake_case
            position = text.find(sign, position + 1, end)
    return position >= 0


def _judge_after(match: Match[str]) -> str:
    """Escape a match in a text that follows other content of a block without emphasis."""
    is_at_start = not match.start() and match[0][0] in "*_~"
    return _all_escaped(match[0]) if is_at_start else _judge_after_start(match)


def _judge_after_start(match: Match[str]) -> str:
    """Escape a match, unless it is a run that cannot close anything. A run at the text's start never comes here."""
    run, text = match[0], match.string
    if run[0] not in "*_~":
        return "\\" + run
    start, end = match.span()
    before = text[start - 1]
    after = text[end] if end < len(text) else _END_AFTER
    is_in_word = run[0] == "_" and is_alnum(after)  # snake_case
    # https://example.com/~user: between a sign and a letter a tilde only opens. The last one of "~a/~" closes.
    is_before_user = run == "~" and before in "/:" and is_alnum(after)
    return run if before.isspace() or is_in_word or is_before_user else _all_escaped(run)


def _judge_beside_emphasis(match: Match[str]) -> str:
    """Escape a match, unless it is a run that can neither open nor close."""
    run, text = match[0], match.string
    if run[0] not in "*_~":
        return "\\" + run
    start, end = match.span()
    before = text[start - 1] if start else _END_BESIDE
    after = text[end] if end < len(text) else _END_BESIDE
    is_between_spaces = before.isspace() and after.isspace()
    is_in_word = run[0] == "_" and is_alnum(before) and is_alnum(after)  # snake_case
    is_in_address = run == "~" and _is_before_user_in_address(text, start) and is_alnum(after)
    return run if is_between_spaces or is_in_word or is_in_address else _all_escaped(run)


def _is_before_user_in_address(text: str, start: int) -> bool:
    """Whether a tilde begins a later part of an address's path: https://example.com/~user, but not https://~user."""
    return "://" in text and text[start - 1 : start] == "/" and text[start - 2 : start - 1] != "/"


def _all_escaped(run: str) -> str:
    """Return a run with a backslash before each of its characters."""
    return "\\" + "\\".join(run)


ALONE, AFTER, BESIDE_EMPHASIS = _judge_alone, _judge_after, _judge_beside_emphasis


def as_later(judge: Judge) -> Judge:
    """Return the judge for what follows in the block of a text that has this judge."""
    return AFTER if judge is ALONE else judge
