"""Write emphasis, strong emphasis and strikethrough so that they read back as they were meant.

In: the pieces of one block's inline markdown: strings, and a Delimiter where a span opens or closes. Out: a list of
strings. White space has already been moved out of the spans. A span's kind is "em", "strong" or "del" (strikethrough).

resolve() tries these remedies, in this order:
1. asterisks as they are, if each is beyond doubt (most blocks)
2. punctuation moved out of a span, a span around a link moved into it (emphasis_moves.py)
3. "_" instead of "*", and letters beside a delimiter as character references (emphasis_spelling.py)
4. without some spans: losing emphasis is better than stray asterisks

flanking.py has CommonMark's rules of delimiter runs (section 6.2), and the classes of characters: SPACE, LETTER
(letters and digits), PUNCTUATION, and EITHER for symbols such as "€", which some renderers take for punctuation and
some for letters.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from webtool.markdown import flanking
from webtool.markdown.emphasis_moves import eased
from webtool.markdown.emphasis_spelling import spelled
from webtool.markdown.flanking import Delimiter, Pieces

_MAX_PASSES = 6  # tries, each without the spans that failed before; then all emphasis of the block is dropped
# Pairs (class outside, class inside) beside a delimiter that cannot be misread.
_SURE = frozenset((
    (flanking.SPACE, flanking.LETTER), (flanking.SPACE, flanking.PUNCTUATION), (flanking.SPACE, flanking.EITHER),
    (flanking.PUNCTUATION, flanking.LETTER),
))  # fmt: skip


def resolve(pieces: Pieces) -> list[str]:
    """Return `pieces` with every Delimiter replaced by a string. No piece may be an empty string.

    If no spelling reads back as meant, spans are dropped until one does. At each try, spelled() names one span that
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
        written, culprit, has_references = spelled(pieces, delimiters)
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
