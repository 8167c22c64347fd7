"""Move punctuation and links so that emphasis beside them reads back. In: pieces of a block. Out: the pieces, changed.

A piece is a string, or a Delimiter where a span opens or closes. A span is "hard" on a side if a letter is outside and
punctuation inside: `**foo:**bar` is not strong, because the closing run is not right-flanking. Three things help:

- punctuation moves out of the span: `**foo**:bar`; brackets and quotation marks leave it only together
- a span around a link moves into the link: `**[a](b)**c` becomes `[**a**](b)c`
- a span of nothing but punctuation loses its delimiters

"Inside" and "outside" are the two sides of one delimiter. `step` is 1 or -1, the direction in which a function goes
through the pieces.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.lean import patterns
from webtool.lean.characters import is_alnum, is_new
from webtool.lean.patterns import Match
from webtool.markdown import escape_text, flanking
from webtool.markdown.flanking import Delimiter, Pieces

_DELIMITERS = frozenset("*_~\\")
# Opening brackets and quotation marks: they leave a span only together with their closing ones.
_OPENING = frozenset("(\u00ab\u2018\u201c\u3008\u300a\u300c\u300e\u3010\uff08")
# Punctuation that may be moved: between a letter and a delimiter it has no meaning as markup.
_MARK = r"[^\w\s\\*_~`<>\[\]&!|\x00-\x1f]"
# "(a" -> "(", ": a" -> ": "; at the end "a)" -> ")" and "a !" -> " !": with white space it moves too.
_leading_marks = patterns.compile(rf"{_MARK}+(?=\w|\Z)|{_MARK}+\s+(?=\S)").match
_TRAILING_MARKS = patterns.compile(rf"(?:(?<=\w)|\A)(?:{_MARK}|!)+\Z|(?<=\S)\s+(?:{_MARK}|!)+\Z")


def _spans(pieces: Pieces) -> Iterator[tuple[int, int, Delimiter]]:
    """Yield (begin, end, closing Delimiter) of each span, inner ones first.

    The caller may replace pieces meanwhile, but not add or remove any before `end`.
    """
    open_indices: list[int] = []
    for index, piece in enumerate(pieces):
        if isinstance(piece, str):
            continue
        if piece.opens:
            open_indices.append(index)
        else:
            yield open_indices.pop(), index, piece


def eased(pieces: Pieces) -> Pieces:
    """Return `pieces` changed so that fewer spans are hard. No piece may be an empty string, before and after."""
    if not any(_is_hard(pieces, index) for index in range(len(pieces))):
        return pieces
    roomy = _into_links(_with_room(pieces))
    for begin, end, _ in _spans(roomy):
        if _is_only_punctuation(roomy, begin, end):
            roomy[begin] = roomy[end] = ""
        else:
            _move_marks_out(roomy, begin, end)
    return _swapped(_with_bangs_escaped([piece for piece in roomy if piece != ""]))


def _is_only_punctuation(pieces: Pieces, begin: int, end: int) -> bool:
    """Return whether a span has nothing but punctuation inside; code and links are not punctuation."""
    if begin + 2 != end or pieces[end].kind == "del":  # type: ignore[union-attr]
        return False
    text = _text_at(pieces, begin + 1)
    return text != "" and not any(map(is_alnum, text))


def _move_marks_out(pieces: Pieces, begin: int, end: int) -> None:
    """Move punctuation out of the hard sides of a span; out of both sides if it is in brackets."""
    is_hard_begin, is_hard_end = _is_hard(pieces, begin), _is_hard(pieces, end)
    if not (is_hard_begin or is_hard_end):
        return
    leading, trailing = _leading(_text_inside(pieces, begin, 1)), _trailing(_text_inside(pieces, end, -1))
    in_brackets = bool(leading and trailing and not _OPENING.isdisjoint(leading.group()))
    has_moved = (is_hard_begin or in_brackets) and _move_out(pieces, begin, 1, leading)
    closes_too = has_moved if in_brackets else is_hard_end
    if closes_too:
        trailing = _trailing(_text_inside(pieces, end, -1))  # again: the first move may have changed the text
        _move_out(pieces, end, -1, trailing)


def _with_room(pieces: Pieces) -> Pieces:
    """Return `pieces` with empty texts at both ends and between neighbouring spans, so that marks can move there."""
    roomy: Pieces = [""]
    for piece in pieces:
        before = roomy[-1]
        if not isinstance(before, str) and not isinstance(piece, str) and piece.opens and not before.opens:
            roomy.append("")
        roomy.append(piece)
    return [*roomy, ""]


def _with_bangs_escaped(pieces: Pieces) -> Pieces:
    """Escape each "!" that a move has put directly before a link: it would make the link an image."""
    for index in range(1, len(pieces)):
        before, piece = pieces[index - 1], pieces[index]
        if isinstance(before, str) and isinstance(piece, str) and piece[0] == "[":
            pieces[index - 1] = escape_text.before_link(before)
    return pieces


def _swapped(pieces: Pieces) -> Pieces:
    """Turn `** *a* **` (strong, nothing in it but emphasis) into `* **a** *`: renderers read `***a***` this way."""
    for begin, end, closer in _spans(pieces):
        before = pieces[begin - 1] if begin else ""
        after = pieces[end + 1] if end + 1 < len(pieces) else ""
        if isinstance(before, str) or isinstance(after, str):
            continue
        is_whole_content = before.opens and not after.opens
        if closer.kind != "em" or not is_whole_content:
            continue
        if before.kind == after.kind == "strong":
            before.kind = after.kind = "em"
            closer.kind = pieces[begin].kind = "strong"  # type: ignore[union-attr]
    return pieces


def _text_at(pieces: Pieces, index: int) -> str:
    """Return the text at `index`; "" for a delimiter and for ready markdown: code, an image, a link or its target."""
    piece = pieces[index]
    if type(piece) is not str or "](" in piece or piece[:2] == "][" or piece[:1] == "`":
        return ""
    return piece


def _past_delimiters(pieces: Pieces, index: int, step: int) -> int:
    """Return the index after the delimiters that open (or close) together with the one at `index`, going by `step`."""
    opens = pieces[index].opens  # type: ignore[union-attr]
    index += step
    while 0 <= index < len(pieces):
        piece = pieces[index]
        if isinstance(piece, str) or piece.opens is not opens or piece.kind == "del":
            break
        index += step
    return index


def _text_inside(pieces: Pieces, index: int, step: int) -> str:
    """Return the text just inside the delimiter at `index`; `step` is the direction into the span."""
    return _text_at(pieces, _past_delimiters(pieces, index, step))


def _move_out(pieces: Pieces, index: int, step: int, match: Match[str] | None) -> bool:
    """Move the matched punctuation from inside the delimiter at `index` to the text on its other side.

    `step` is the direction into the span. Returns whether it was moved. It stays in these cases:

    - nothing matched, or another delimiter is in the way;
    - only white space, such as a line break, would be left beside the delimiter;
    - the rest would begin or end with a character that needs a backslash beside a delimiter.
    """
    outer_index, inner_index = _past_delimiters(pieces, index, -step), _past_delimiters(pieces, index, step)
    if match is None or not isinstance(pieces[outer_index], str):
        return False
    inner, outer = _text_at(pieces, inner_index), pieces[outer_index]
    if len(match[0]) == len(inner) and _begins_with_space(pieces[inner_index + step], step):
        return False
    rest = inner[match.end() :] if step > 0 else inner[: match.start()]
    if rest[:1] in _DELIMITERS or rest[-1:] in _DELIMITERS:
        return False
    pieces[inner_index] = rest
    pieces[outer_index] = escape_text.joined([outer, match[0]] if step > 0 else [match[0], outer])  # type: ignore[list-item]
    return True


def _begins_with_space(piece: str | Delimiter, step: int) -> bool:
    """Return whether a piece is a text that begins with white space, seen in the direction `step`."""
    return isinstance(piece, str) and (piece[:1] if step > 0 else piece[-1:]).isspace()


def _leading(text: str) -> Match[str] | None:
    """Return a match for marks at the beginning that may be moved.

    None in a text with characters that older Pythons do not know: whether those are letters depends on the Python.
    """
    return None if any(map(is_new, text)) else _leading_marks(text)


def _trailing(text: str) -> Match[str] | None:
    """Return a match for marks at the end that may be moved; see _leading()."""
    return None if any(map(is_new, text)) else _TRAILING_MARKS.search(text)


def _is_hard(pieces: Pieces, index: int) -> bool:
    """Return whether the delimiter at `index` has a letter outside and punctuation (for some renderer) inside."""
    delimiter = pieces[index]
    if isinstance(delimiter, str) or delimiter.kind == "del":
        return False
    step = 1 if delimiter.opens else -1
    outside, outer_index = flanking.neighbour(pieces, index - step, -step, through=True)
    if outside != flanking.LETTER or outer_index < 0:
        return False
    inside, _ = flanking.neighbour(pieces, index + step, step, through=True)
    return inside in (flanking.PUNCTUATION, flanking.EITHER)


def _into_links(pieces: Pieces) -> Pieces:
    """Move a hard span that contains one link and nothing else into that link's text.

    There its neighbours are the link's brackets: `**[a](b)**c` becomes `[**a**](b)c`.
    """
    for index, opener in enumerate(pieces):
        if isinstance(opener, str) or not opener.opens:
            continue
        end = _end_of_link_alone(pieces, index)
        if end and (_is_hard(pieces, index) or _is_hard(pieces, end)):
            pieces[index], pieces[index + 1] = pieces[index + 1], opener
            pieces[end], pieces[end - 1] = pieces[end - 1], pieces[end]
    return pieces


def _end_of_link_alone(pieces: Pieces, begin: int) -> int:
    """Return the index where the span that opens at `begin` closes, if it holds one link and nothing else; else 0.

    The pieces of such a span are its opener, "[", the link's text, "](" with the target, and its closer.
    """
    if pieces[begin + 1 : begin + 2] != ["["]:
        return 0
    end = next((index for index in range(begin + 1, len(pieces)) if isinstance(pieces[index], Delimiter)), 0)
    inner, target = pieces[begin + 2 : end - 1], pieces[end - 1]
    if not end or pieces[end].opens:  # type: ignore[union-attr]
        return 0
    is_link = isinstance(target, str) and target.startswith(("](", "]["))
    return end if is_link and inner and "[" not in inner else 0
