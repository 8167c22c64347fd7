"""Write emphasis, strong emphasis and strikethrough so that they read back as they were meant.

In: the pieces of one block's inline markdown: strings, and a Delimiter where a span opens or closes. Out: a list of
strings. White space has already been moved out of the spans. A span's kind is "em", "strong" or "del" (strikethrough).

resolve() tries these remedies, in this order:
1. asterisks as they are, if each is beyond doubt (most blocks)
2. punctuation moved out of a span, a span around a link moved into it (emphasis_moves.py)
3. "_" instead of "*", and letters beside a delimiter as character references
4. without some spans: losing emphasis is better than stray asterisks

A letter outside a delimiter may be written as a reference: `` **`foo`**&#x62;ar ``. It begins with "&" and ends with
";", which are both punctuation, so that the delimiter works. `step` is 1 or -1, the direction in which a function goes
through the pieces. "Outside" and "inside" are the two sides of one delimiter.

flanking.py has CommonMark's rules of delimiter runs (section 6.2), and the classes of characters: SPACE, LETTER
(letters and digits), PUNCTUATION, and EITHER for symbols such as "€", which some renderers take for punctuation and
some for letters.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from webtool.lean.records import NamedTuple
from webtool.markdown import flanking
from webtool.markdown.emphasis_moves import eased
from webtool.markdown.flanking import Delimiter, Pieces

_MAX_PASSES = 6  # tries, each without the spans that failed before; then all emphasis of the block is dropped
# Pairs (class outside, class inside) beside a delimiter that cannot be misread.
_SURE = frozenset((
    (flanking.SPACE, flanking.LETTER), (flanking.SPACE, flanking.PUNCTUATION), (flanking.SPACE, flanking.EITHER),
    (flanking.PUNCTUATION, flanking.LETTER),
))  # fmt: skip


def resolve(pieces: Pieces) -> list[str]:
    """Return `pieces` with every Delimiter replaced by a string. No piece may be an empty string.

    If no spelling reads back as meant, spans are dropped until one does. At each try, _spelled() names one span that
    reads back differently. Of the spans nested with it, the first kind below that exists is dropped:

    1. those inside a span of their own kind    <em>a<em>b</em></em>            <em>ab</em>
    2. those inside another span                <em>a<strong>b</strong></em>    <em>ab</em>
    3. the outermost one                        <em>a</em>                      a

    If the only good spelling needs character references, spans inside a span of their own kind are dropped, too, and
    the rest is tried again, since it may need none. If all these tries fail, the spelling with references is returned.
    """
    simple = _simple(pieces)
    if simple is None:
        pieces = eased(pieces)
        simple = _simple(pieces)
    if simple is not None:
        return simple
    with_references: list[str] | None = None
    for _ in range(_MAX_PASSES):
        delimiters = _paired(pieces)
        written, culprit, has_references = _spelled(pieces, delimiters)
        if culprit is None:
            dropped = _doubled(delimiters) if has_references else set()
            if not dropped:
                return written
            with_references = written
        else:
            group = [delimiter for delimiter in delimiters if delimiter.group == culprit.group]
            inner = {delimiter for delimiter in group if delimiter.depth > 0}
            dropped = _doubled(group) or inner or set(group)
        pieces = [piece for piece in pieces if isinstance(piece, str) or piece not in dropped]
    return with_references or [piece for piece in pieces if isinstance(piece, str)]


def _simple(pieces: Pieces) -> list[str] | None:
    """Return the pieces written with asterisks, or None unless each span is beyond doubt.

    That is: spans do not nest and are not strikethrough; beside each delimiter is a space outside, or punctuation
    outside and a letter or digit inside. An opener can then only open and a closer only close, so nothing can be
    misread.
    """
    written: list[str] = []
    is_in_span = False
    last = len(pieces) - 1
    for index, piece in enumerate(pieces):
        if isinstance(piece, str):
            written.append(piece)
            continue
        is_nested = piece.opens and is_in_span
        if is_nested or piece.kind == "del":
            return None
        is_in_span = piece.opens
        before = pieces[index - 1] if index else " "
        after = pieces[index + 1] if index < last else " "
        if not (isinstance(before, str) and isinstance(after, str)):
            return None
        class_before, class_after = flanking.class_of(before[-1]), flanking.class_of(after[0])
        sides = (class_before, class_after) if is_in_span else (class_after, class_before)  # (outside, inside)
        if sides not in _SURE:
            return None
        written.append("*" if piece.kind == "em" else "**")
    return written


def _doubled(delimiters: list[Delimiter]) -> set[Delimiter]:
    """Return the delimiters of spans inside a span of their own kind: such spans change nothing that is seen."""
    open_kinds: list[str] = []
    doubled: set[Delimiter] = set()
    for delimiter in delimiters:
        if not delimiter.opens:
            open_kinds.pop()
            continue
        if delimiter.kind in open_kinds:
            doubled |= {delimiter, delimiter.mate}
        open_kinds.append(delimiter.kind)
    return doubled


def _paired(pieces: Pieces) -> list[Delimiter]:
    """Return the delimiters of `pieces` in order, with index, depth, group and mate filled in.

    A group is an outermost span with all spans inside it; groups are numbered from 1.
    """
    delimiters: list[Delimiter] = []
    open_delimiters: list[Delimiter] = []
    group = 0
    for index, piece in enumerate(pieces):
        if isinstance(piece, str):
            continue
        piece.index = index
        delimiters.append(piece)
        if piece.opens:
            piece.depth = len(open_delimiters)
            if not open_delimiters:
                group += 1
            open_delimiters.append(piece)
        else:
            piece.mate = open_delimiters.pop()
            piece.mate.mate = piece
            piece.depth = piece.mate.depth
        piece.group = group
    return delimiters


class _Attempt(NamedTuple):
    """Hold one way to spell the delimiters."""

    inner_char: str  # "*" or "_", for every second level of nested spans
    merge: bool  # delimiters that touch may have one character
    encode_all: bool  # all letters outside a delimiter become character references


_ATTEMPTS = tuple(_Attempt(char, merge, encode) for encode in (False, True) for char in "*_" for merge in (False, True))


def _spelled(pieces: Pieces, delimiters: list[Delimiter]) -> tuple[list[str], Delimiter | None, bool]:
    """Try all spellings; return (strings, None, whether character references were needed) for one that reads back.

    If none does, return ([], a delimiter that is misread, True). A spelling without character references is preferred.
    """
    culprit: Delimiter | None = None
    second_choice: list[str] = []  # reads back, but has references
    for inner_char, merge, encode_all in _ATTEMPTS:
        if encode_all and second_choice:
            break
        attempt = list(pieces)
        _choose(attempt, delimiters, inner_char, merge)
        has_references = _encode_neighbours(attempt, delimiters, encode_all)
        if has_references and second_choice:
            continue
        culprit = flanking.misread(attempt, delimiters)
        if culprit is None and not has_references:
            return _written(attempt), None, False
        if culprit is None:
            second_choice = _written(attempt)
    if second_choice:
        return second_choice, None, True
    return [], culprit, True


def _written(pieces: Pieces) -> list[str]:
    """Return `pieces` with each delimiter written with its character."""
    return [piece if isinstance(piece, str) else piece.char * flanking.LENGTH[piece.kind] for piece in pieces]


def _choose(pieces: Pieces, delimiters: list[Delimiter], inner_char: str, merge: bool) -> None:
    """Give each span its character, "*" or "_".

    Delimiters of one character that touch read as one run; unless `merge` is set, neighbours get different characters.
    """
    for delimiter in delimiters:
        if delimiter.kind == "del":
            continue
        if not delimiter.opens:
            delimiter.char = delimiter.mate.char
            continue
        before = pieces[delimiter.index - 1] if delimiter.index else ""
        after = pieces[delimiter.mate.index + 1] if delimiter.mate.index + 1 < len(pieces) else ""
        taken_before = taken_after = ""  # characters of the neighbours that this span may not have
        if isinstance(before, Delimiter) and not merge:
            taken_before = before.char
        if isinstance(after, Delimiter) and not after.opens and not merge:
            taken_after = after.mate.char
        has_odd_depth = delimiter.depth % 2 == 1
        preferred = inner_char if has_odd_depth else "*"
        other = "_" if preferred == "*" else "*"
        if preferred not in (taken_before, taken_after):
            delimiter.char = preferred
        elif other not in (taken_before, taken_after):
            delimiter.char = other
        else:  # the neighbours have one character each: differ from the one before; misread() checks the other side
            delimiter.char = "_" if taken_before == "*" else "*"


def _encode_neighbours(pieces: Pieces, delimiters: list[Delimiter], encode_all: bool) -> bool:
    """Write letters outside a span as character references if the delimiter would not work beside them.

    With `encode_all`, every letter beside a delimiter is encoded. Returns whether any was. A strikethrough gets a space
    instead: it mostly separates an old price from a new one.
    """
    changed, has_references = True, False
    while changed:  # an encoded end begins or ends with punctuation ("&#x62;") and is not encoded again, so this ends
        changed = False
        for delimiter in delimiters:
            step = -1 if delimiter.opens else 1
            looks_through = delimiter.kind != "del"
            outside, index = flanking.neighbour(pieces, delimiter.index + step, step, through=looks_through)
            if outside in (flanking.SPACE, flanking.PUNCTUATION):
                continue
            needs_punctuation = _class_inside(pieces, delimiter) != flanking.LETTER or encode_all
            if delimiter.kind == "del" and needs_punctuation:
                pieces[index] = f"{pieces[index]} " if delimiter.opens else f" {pieces[index]}"
                changed = True
            elif needs_punctuation or delimiter.char == "_":
                pieces[index] = _encoded(pieces[index], last=delimiter.opens)  # type: ignore[arg-type]
                changed = has_references = True
    return has_references


def _class_inside(pieces: Pieces, delimiter: Delimiter) -> int:
    """Return the class of the character inside a delimiter, past the delimiters that make one run with it."""
    step, end = 1 if delimiter.opens else -1, delimiter
    while 0 <= end.index + step < len(pieces):
        beside = pieces[end.index + step]
        if isinstance(beside, str) or beside.char != delimiter.char or beside.opens is not delimiter.opens:
            break
        end = beside
    return flanking.class_after(pieces, end) if delimiter.opens else flanking.class_before(pieces, end)


def _encoded(text: str, last: bool) -> str:
    """Return `text` with its last (or first) character as a character reference.

    Underscores next to it get a backslash: `a_b` with `last` gives `a\\_&#x62;`. Between letters "_" is text;
    before the "&" of a reference it could close emphasis.
    """
    if not last:
        rest = text[1:]
        core = rest.lstrip("_")
        return f"&#x{ord(text[0]):x};" + "\\_" * (len(rest) - len(core)) + core
    reference = f"&#x{ord(text[-1]):x};"
    rest = text[:-1]
    core = rest.rstrip("_")
    underscores = rest[len(core) :]
    backslashes = len(core) - len(core.rstrip("\\"))
    ends_in_escape = backslashes % 2 == 1  # of an even number, each second one is escaped by the one before it
    if not ends_in_escape:
        return core + "\\_" * len(underscores) + reference
    if underscores:  # `a\_b`: the first underscore is escaped already
        return core + underscores + reference
    return core + "\\" + reference  # `a\b`: until now a letter followed the backslash, so it was not an escape
