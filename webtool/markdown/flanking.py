"""Tell how delimiters of emphasis will be read back, by CommonMark's rules for delimiter runs.

In: the pieces of one block's inline markdown: strings, and a Delimiter where a span opens or closes. Out: the class of
the character beside a delimiter (SPACE, LETTER, PUNCTUATION, EITHER), or the delimiter that would be misread.
Specification: CommonMark 0.31 section 6.2 (left- and right-flanking, rules 1-17, "process emphasis"), GFM 6.5
(strikethrough). The two common renderers, cmark-gfm and markdown-it, differ in whether symbols such as "€" are
punctuation. Such characters have the class EITHER: what is written beside them must work under both readings.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from webtool.lean.characters import is_alnum, is_new
from webtool.lean.typing import Union

Pieces = list[Union[str, "Delimiter"]]

LENGTH = {"em": 1, "strong": 2, "del": 2}  # characters of a delimiter, by the kind of span
ASCII_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
SPACE, LETTER, PUNCTUATION, EITHER = 0, 1, 2, 3  # EITHER: renderers disagree


class Delimiter:
    """Hold one end of a span. `mate` is the other end; `char` is the character that it is written with."""

    __slots__ = ("char", "depth", "group", "index", "kind", "mate", "opens")
    mate: Delimiter

    def __init__(self, kind: str, opens: bool) -> None:
        self.kind = kind
        self.opens = opens
        self.char = "~" if kind == "del" else "*"
        self.index = 0  # its place in the pieces
        self.depth = 0  # number of spans around its span
        self.group = 0  # number of the outermost span around it, counted from 1


def class_of(char: str) -> int:
    """Return the class of a character: SPACE, LETTER, PUNCTUATION or EITHER."""
    if char in ASCII_PUNCTUATION:
        return PUNCTUATION
    if is_alnum(char):
        return LETTER
    if char.isspace():
        return SPACE
    if char.isascii():
        return LETTER
    from unicodedata import category  # imported late: few pages need it

    return PUNCTUATION if category(char)[0] == "P" and not is_new(char) else EITHER


def neighbour(pieces: Pieces, index: int, step: int, through: bool) -> tuple[int, int]:
    """Return the class of the character at `index` or beyond it in direction `step`, and the index of its piece.

    Empty strings are skipped. Beyond the ends of the block is SPACE, with index -1. cmark-gfm looks through "~" when it
    judges "*" and "_", markdown-it does not: with `through`, strikethrough delimiters are looked through, and the class
    returned is one that is safe for both renderers.
    """
    looked_through = False
    while 0 <= index < len(pieces):
        piece = pieces[index]
        if isinstance(piece, str):
            if not piece:
                index += step
                continue
            char_class = class_of(piece[-1 if step < 0 else 0])
            if looked_through:
                char_class = {LETTER: EITHER, SPACE: PUNCTUATION}.get(char_class, char_class)
            return char_class, index
        if not through or piece.kind != "del":
            return PUNCTUATION, index
        looked_through = True
        index += step
    return (PUNCTUATION if looked_through else SPACE), -1


def class_before(pieces: Pieces, first: Delimiter) -> int:
    """Return the class of the character before a delimiter run that begins with `first`."""
    char_class, _index = neighbour(pieces, first.index - 1, -1, first.kind != "del")
    return char_class


def class_after(pieces: Pieces, last: Delimiter) -> int:
    """Return the class of the character after a delimiter run that ends with `last`."""
    char_class, _index = neighbour(pieces, last.index + 1, 1, last.kind != "del")
    return char_class


class _Run:
    """Hold a delimiter run of the written text: neighbouring delimiters of one character.

    `unmatched` counts the characters that are not matched yet; `is_two_way` says that the run can open and close;
    `is_sure` that both renderers agree on what is beside it.
    """

    __slots__ = ("can_close", "can_open", "char", "is_sure", "is_two_way", "items", "length", "unmatched")

    def __init__(self, pieces: Pieces, items: list[Delimiter]) -> None:
        self.items = items
        self.char = items[0].char
        self.length = self.unmatched = sum(LENGTH[item.kind] for item in items)
        before, after = class_before(pieces, items[0]), class_after(pieces, items[-1])
        self.is_sure = EITHER not in (before, after)
        left_flanking = after != SPACE and (after in (LETTER, EITHER) or before != LETTER)
        right_flanking = before != SPACE and (before in (LETTER, EITHER) or after != LETTER)
        self.can_open, self.can_close = left_flanking, right_flanking
        if self.char == "_":
            self.can_open = left_flanking and (not right_flanking or before != LETTER)
            self.can_close = right_flanking and (not left_flanking or after != LETTER)
        self.is_two_way = self.can_open and self.can_close

    def matches(self, closer: _Run) -> bool:
        """Whether this opener and `closer` may match (rules 9 and 10, the rule of three)."""
        if self.char != closer.char:
            return False
        if not (self.is_two_way or closer.is_two_way):
            return True
        return (self.length + closer.length) % 3 != 0 or (self.length % 3 == 0 and closer.length % 3 == 0)


def _runs(pieces: Pieces, delimiters: list[Delimiter]) -> list[_Run]:
    """Group delimiters that touch and have one character into runs."""
    groups: list[list[Delimiter]] = []
    for delimiter in delimiters:
        if groups and groups[-1][-1].index == delimiter.index - 1 and groups[-1][-1].char == delimiter.char:
            groups[-1].append(delimiter)
        else:
            groups.append([delimiter])
    return [_Run(pieces, group) for group in groups]


def misread(pieces: Pieces, delimiters: list[Delimiter]) -> Delimiter | None:
    """Return None if "process emphasis" pairs the delimiters as meant, else a delimiter that it does not."""
    openers: list[_Run] = []
    for run in _runs(pieces, delimiters):
        first = run.items[0]
        opening = [item for item in run.items if item.opens]
        if len(opening) < len(run.items):
            if opening and not run.is_sure:
                return first
            run.items = [item for item in run.items if not item.opens]
            if not run.can_close or not _closes(run, openers):
                return first
        if opening:  # what a run does not close it opens
            if not run.can_open or (run.can_close and any(opener.matches(run) for opener in openers)):
                return first
            run.items = opening
            openers.append(run)
    return None


def _closes(run: _Run, openers: list[_Run]) -> bool:
    """Match the run's closing delimiters with the last openers; False if one does not meet its mate."""
    for item in run.items:
        opener = openers[-1] if openers else None
        if opener is None or not opener.matches(run) or opener.items[-1] is not item.mate:
            return False
        used = 2 if opener.unmatched >= 2 and run.unmatched >= 2 else 1
        if used != LENGTH[item.kind]:
            return False
        opener.unmatched -= used
        run.unmatched -= used
        opener.items.pop()
        if not opener.items:
            openers.pop()
    return True
