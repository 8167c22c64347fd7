"""How delimiters of emphasis read back: what stands beside them, and the algorithm that pairs them.

In: the pieces of one block's inline markdown, with a Delimiter where a span opens or closes. Out: the class of a
neighbour, or the delimiter that would be misread. Specification: CommonMark 0.31 section 6.2 (flanking, rules 1-17,
"process emphasis"), GFM 6.5. The two usual renderers differ in whether symbols such as the euro sign count as
punctuation, so what they disagree on must work either way.
"""

from __future__ import annotations

from webtool.lean.typing import Union

Pieces = list[Union[str, "Delimiter"]]

LENGTH = {"em": 1, "strong": 2, "del": 2}
ASCII_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
SPACE, LETTER, PUNCTUATION, EITHER = 0, 1, 2, 3  # EITHER: renderers disagree whether it is punctuation


class Delimiter:
    """One end of a span; `mate` is the other end, `char` what it is written with."""

    __slots__ = ("char", "depth", "group", "index", "kind", "mate", "opens")
    mate: Delimiter

    def __init__(self, kind: str, opens: bool) -> None:
        self.kind = kind
        self.opens = opens
        self.char = "~" if kind == "del" else "*"
        self.index = 0
        self.depth = 0
        self.group = 0  # number of the outermost span that it is in


def class_of(char: str) -> int:
    """The class of a character."""
    if char in ASCII_PUNCTUATION:
        return PUNCTUATION
    if char.isalnum():
        return LETTER
    if char.isspace():
        return SPACE
    if char.isascii():
        return LETTER
    from unicodedata import category  # on few pages

    return PUNCTUATION if category(char)[0] == "P" else EITHER


def neighbour(pieces: Pieces, index: int, step: int, through: bool) -> tuple[int, int]:
    """The class of what stands at `index`, and the index of the text that decides it.

    cmark-gfm looks through "~" when it judges the flanks of "*" and "_", the other renderer does not: `through` asks
    for a class that is safe for both.
    """
    looked_through = False
    while 0 <= index < len(pieces):
        piece = pieces[index]
        if isinstance(piece, str):
            if not piece:
                index += step
                continue
            found = class_of(piece[-1 if step < 0 else 0])
            if looked_through:
                found = {LETTER: EITHER, SPACE: PUNCTUATION}.get(found, found)
            return found, index
        if not through or piece.kind != "del":
            return PUNCTUATION, index
        looked_through = True
        index += step
    return (PUNCTUATION if looked_through else SPACE), -1


def class_before(pieces: Pieces, first: Delimiter) -> int:
    """The class of what stands before a delimiter run that begins with `first`."""
    return neighbour(pieces, first.index - 1, -1, first.kind != "del")[0]


def class_after(pieces: Pieces, last: Delimiter) -> int:
    """The class of what stands behind a delimiter run that ends with `last`."""
    return neighbour(pieces, last.index + 1, 1, last.kind != "del")[0]


class _Run:
    """A delimiter run of the written text: neighbouring delimiters of one character."""

    __slots__ = ("both", "can_close", "can_open", "char", "is_sure", "items", "left", "length")

    def __init__(self, pieces: Pieces, items: list[Delimiter]) -> None:
        self.items = items
        self.char = items[0].char
        self.length = self.left = sum(LENGTH[item.kind] for item in items)
        before, after = class_before(pieces, items[0]), class_after(pieces, items[-1])
        self.is_sure = EITHER not in (before, after)
        left_flanking = after != SPACE and (after in (LETTER, EITHER) or before != LETTER)
        right_flanking = before != SPACE and (before in (LETTER, EITHER) or after != LETTER)
        self.can_open, self.can_close = left_flanking, right_flanking
        if self.char == "_":
            self.can_open = left_flanking and (not right_flanking or before != LETTER)
            self.can_close = right_flanking and (not left_flanking or after != LETTER)
        self.both = self.can_open and self.can_close

    def matches(self, closer: _Run) -> bool:
        """Whether this opener and `closer` may match (rules 9 and 10)."""
        if self.char != closer.char:
            return False
        if not (self.both or closer.both):
            return True
        return (self.length + closer.length) % 3 != 0 or (self.length % 3 == 0 and closer.length % 3 == 0)


def _runs(pieces: Pieces, delimiters: list[Delimiter]) -> list[_Run]:
    groups: list[list[Delimiter]] = []
    for this in delimiters:
        if groups and groups[-1][-1].index == this.index - 1 and groups[-1][-1].char == this.char:
            groups[-1].append(this)
        else:
            groups.append([this])
    return [_Run(pieces, group) for group in groups]


def misread(pieces: Pieces, delimiters: list[Delimiter]) -> Delimiter | None:
    """None when "process emphasis" pairs the delimiters as meant, else one that it does not."""
    openers: list[_Run] = []
    for run in _runs(pieces, delimiters):
        this = run.items[0]
        opening = [item for item in run.items if item.opens]
        if len(opening) < len(run.items):
            if opening and not run.is_sure:
                return this
            run.items = [item for item in run.items if not item.opens]
            if not run.can_close or not _closes(run, openers):
                return this
        if opening:  # what a run does not close it opens
            if not run.can_open or (run.can_close and any(opener.matches(run) for opener in openers)):
                return this
            run.items = opening
            openers.append(run)
    return None


def _closes(run: _Run, openers: list[_Run]) -> bool:
    for item in run.items:
        opener = openers[-1] if openers else None
        if opener is None or not opener.matches(run) or opener.items[-1] is not item.mate:
            return False
        used = 2 if opener.left >= 2 and run.left >= 2 else 1
        if used != LENGTH[item.kind]:
            return False
        opener.left -= used
        run.left -= used
        opener.items.pop()
        if not opener.items:
            openers.pop()
    return True
