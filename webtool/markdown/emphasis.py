"""Delimiters of emphasis, strong emphasis and strikethrough, chosen so that they read back as they were meant.

In: the pieces of one block's inline markdown, with a Delimiter where a span opens or closes. Out: the same list with
strings in their places. White space has already been moved out of the spans. Specification: CommonMark 0.31 section 6.2
(flanking, rules 1-17, "process emphasis"), GFM 6.5. The two usual renderers differ in whether symbols such as the euro
sign count as punctuation, so what they disagree on must work either way.

A delimiter run that cannot open after a letter, or close before one, gets that letter as a character reference, because
the reference's ";" or "&" is punctuation: **foo:**&#x62;ar. What was chosen is then checked against the algorithm.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Union

    Pieces = list[Union[str, "Delimiter"]]

_MAX_LOSSES = 6  # outermost spans that may fail before all are dropped: each costs another pass
LENGTH = {"em": 1, "strong": 2, "del": 2}
_ASCII_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_ASCII_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
_SPACE, _LETTER, _PUNCTUATION, _EITHER = 0, 1, 2, 3  # _EITHER: renderers disagree whether it is punctuation


class Delimiter:
    """One end of a span; `mate` is the other end, `char` what it is written with."""

    __slots__ = ("char", "depth", "group", "index", "kind", "mate", "opens")

    def __init__(self, kind: str, opens: bool) -> None:
        self.kind = kind
        self.opens = opens
        self.mate: Delimiter = self
        self.char = "~" if kind == "del" else "*"
        self.index = 0
        self.depth = 0
        self.group = 0  # number of the outermost span that it is in


def resolve(pieces: Pieces) -> list[str]:
    """`pieces` with every Delimiter written out.

    Where no spelling reads back as meant, which takes spans of one kind nested in each other without a space between,
    the spans inside the outermost one go, and then that one: losing emphasis is better than stray asterisks.
    """
    simple = _simple(pieces)
    if simple is not None:
        return simple
    for _ in range(_MAX_LOSSES):
        delimiters = _paired(pieces)
        written, culprit = _spelled(pieces, delimiters)
        if culprit is None:
            return written
        inside = [d for d in delimiters if d.group == culprit.group and d.depth > 0]
        lost = set(inside or [d for d in delimiters if d.group == culprit.group])
        pieces = [piece for piece in pieces if isinstance(piece, str) or piece not in lost]
    return [piece for piece in pieces if isinstance(piece, str)]


def _simple(pieces: Pieces) -> list[str] | None:
    """The usual case, written at once: spans side by side, each with a letter or digit just inside its ends and a space
    or punctuation just outside. Its openers can only open and its closers only close, so nothing can be misread."""
    written: list[str] = []
    inside = False
    last = len(pieces) - 1
    for index, piece in enumerate(pieces):
        if isinstance(piece, str):
            written.append(piece)
            continue
        if piece.opens is inside or piece.kind == "del":
            return None
        inside = piece.opens
        before = pieces[index - 1] if index else " "
        after = pieces[index + 1] if index < last else " "
        if not (isinstance(before, str) and isinstance(after, str)):
            return None
        inner, outer = (after[0], before[-1]) if inside else (before[-1], after[0])
        if inner not in _ASCII_LETTERS or not (outer in _ASCII_PUNCTUATION or outer.isspace()):
            return None
        written.append("*" if piece.kind == "em" else "**")
    return written


def _spelled(pieces: Pieces, delimiters: list[Delimiter]) -> tuple[list[str], Delimiter | None]:
    """`pieces` written out, and None, or the delimiter that does not read back in any spelling."""
    culprit: Delimiter | None = None
    for inner_char, merge, encode_all in _ATTEMPTS:
        spelled = list(pieces)
        _choose(spelled, delimiters, inner_char, merge)
        _encode_neighbours(spelled, delimiters, encode_all)
        culprit = _misread(spelled, delimiters)
        if culprit is None:
            return _written(spelled), None
    return [], culprit


def _paired(pieces: Pieces) -> list[Delimiter]:
    delimiters: list[Delimiter] = []
    stack: list[Delimiter] = []
    group = 0
    for index, piece in enumerate(pieces):
        if isinstance(piece, str):
            continue
        piece.index = index
        delimiters.append(piece)
        if piece.opens:
            piece.depth = len(stack)
            group += not stack
            stack.append(piece)
        else:
            piece.mate = stack.pop()
            piece.mate.mate = piece
            piece.depth = piece.mate.depth
        piece.group = group
    return delimiters


def _written(pieces: Pieces) -> list[str]:
    return [piece if isinstance(piece, str) else piece.char * LENGTH[piece.kind] for piece in pieces]


# Character of spans inside spans, whether openers that touch may share their character, whether all letters beside
# delimiters are encoded.
_ATTEMPTS = tuple((char, merge, encode) for encode in (False, True) for char in "*_" for merge in (False, True))


def _choose(pieces: Pieces, delimiters: list[Delimiter], inner_char: str, merge: bool) -> None:
    """Give each span its character: runs of one character that touch read as one run."""
    for this in delimiters:
        if this.kind == "del":
            continue
        if not this.opens:
            this.char = this.mate.char
            continue
        before = pieces[this.index - 1] if this.index else ""
        after = pieces[this.mate.index + 1] if this.mate.index + 1 < len(pieces) else ""
        never = "" if isinstance(before, str) or (merge and before.opens) else before.char
        rather_not = after.mate.char if isinstance(after, Delimiter) and not after.opens else ""
        preferred = "*" if this.depth == 0 or inner_char == "*" else "*_"[this.depth % 2]
        other = "_" if preferred == "*" else "*"
        if preferred not in (never, rather_not):
            this.char = preferred
        elif other not in (never, rather_not):
            this.char = other
        else:
            this.char = "_" if never == "*" else "*"


def _class_of(char: str) -> int:
    if char in _ASCII_PUNCTUATION:
        return _PUNCTUATION
    if char.isalnum():
        return _LETTER
    return _SPACE if char.isspace() else _LETTER if char.isascii() else _EITHER


def _neighbour(pieces: Pieces, index: int, step: int, through: bool) -> tuple[int, int]:
    """The class of what stands at `index`, and the index of the text that decides it.

    cmark-gfm looks through "~" when it judges the flanks of "*" and "_", the other renderer does not: `through` asks
    for a class that is safe for both.
    """
    looked_through = False
    while 0 <= index < len(pieces):
        piece = pieces[index]
        if isinstance(piece, str):
            found = _class_of(piece[-1 if step < 0 else 0])
            if looked_through:
                found = {_LETTER: _EITHER, _SPACE: _PUNCTUATION}.get(found, found)
            return found, index
        if not through or piece.kind != "del":
            return _PUNCTUATION, index
        looked_through = True
        index += step
    return (_PUNCTUATION if looked_through else _SPACE), -1


def _before(pieces: Pieces, first: Delimiter) -> int:
    return _neighbour(pieces, first.index - 1, -1, first.kind != "del")[0]


def _after(pieces: Pieces, last: Delimiter) -> int:
    return _neighbour(pieces, last.index + 1, 1, last.kind != "del")[0]


def _encode_neighbours(pieces: Pieces, delimiters: list[Delimiter], encode_all: bool) -> None:
    """Turn letters outside a span into character references where the delimiter would otherwise not work."""
    changed = True
    while changed:  # an end of a piece is encoded at most once, so this ends
        changed = False
        for this in delimiters:
            step = -1 if this.opens else 1
            outside, at = _neighbour(pieces, this.index + step, step, this.kind != "del")
            if outside in (_SPACE, _PUNCTUATION):
                continue
            inside = _after(pieces, this) if this.opens else _before(pieces, this)
            if inside != _LETTER or this.char == "_" or encode_all:
                pieces[at] = _encoded(pieces[at], last=this.opens)  # type: ignore[arg-type]
                changed = True


def _encoded(text: str, last: bool) -> str:
    """`text` with its last or first character as a reference; what that character kept harmless is escaped."""
    if not last:
        rest = text[1:]
        underscores = len(rest) - len(rest.lstrip("_"))
        return f"&#x{ord(text[0]):x};" + "\\_" * underscores + rest[underscores:]
    rest = text[:-1]
    core = rest.rstrip("_")
    backslashes = len(core) - len(core.rstrip("\\"))
    if backslashes % 2 and core == rest:
        core += "\\"  # it stood before no punctuation until now
    escaped = rest[len(core) :] if backslashes % 2 else "\\_" * (len(rest) - len(core))
    return f"{core}{escaped}&#x{ord(text[-1]):x};"


class _Run:
    """A delimiter run of the written text: neighbouring delimiters of one character."""

    __slots__ = ("both", "can_close", "can_open", "char", "items", "left", "length")

    def __init__(self, pieces: Pieces, items: list[Delimiter]) -> None:
        self.items = items
        self.char = items[0].char
        self.length = self.left = sum(LENGTH[item.kind] for item in items)
        before, after = _before(pieces, items[0]), _after(pieces, items[-1])
        left_flanking = after != _SPACE and (after in (_LETTER, _EITHER) or before != _LETTER)
        right_flanking = before != _SPACE and (before in (_LETTER, _EITHER) or after != _LETTER)
        self.can_open, self.can_close = left_flanking, right_flanking
        if self.char == "_":
            self.can_open = left_flanking and (not right_flanking or before != _LETTER)
            self.can_close = right_flanking and (not left_flanking or after != _LETTER)
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


def _misread(pieces: Pieces, delimiters: list[Delimiter]) -> Delimiter | None:
    """None when "process emphasis" pairs the delimiters as meant, else one that it does not."""
    openers: list[_Run] = []
    for run in _runs(pieces, delimiters):
        this = run.items[0]
        if all(item.opens for item in run.items):
            if not run.can_open or (run.can_close and any(opener.matches(run) for opener in openers)):
                return this
            openers.append(run)
        elif any(item.opens for item in run.items) or not run.can_close or not _closes(run, openers):
            return this
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
