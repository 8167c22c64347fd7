"""Choose delimiters for emphasis, strong emphasis and strikethrough that read back as they were meant.

In: the pieces of one block's inline markdown: strings, and a Delimiter where a span opens or closes. Out: a list of
strings. White space has already been moved out of the spans. flanking.py has CommonMark's rules of delimiter runs
(section 6.2).

Words for the places of characters: "inside" and "outside" are the two sides of one delimiter. `step` is 1 or -1, the
direction in which a function goes through the pieces. A span's kind is "em", "strong" or "del" (strikethrough).

Words for characters, from flanking.py: SPACE, LETTER (letters and digits), PUNCTUATION, and EITHER for symbols such as
"€", which some renderers take for punctuation and some for letters.

A span is "hard" on a side if a letter is outside and punctuation inside: `**foo:**bar` is not strong, because the
closing run is not right-flanking. The remedies, in this order:

- Move the punctuation out of the span: `**foo**:bar`. Move a span around a link into the link.
- Write the letter outside as a character reference: `` **`foo`**&#x62;ar ``. A reference begins with "&" and ends with
  ";", which are both punctuation.
- Drop spans: losing emphasis is better than stray asterisks.

Each spelling is checked with flanking.misread, which runs the renderers' algorithm on it.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.lean import patterns
from webtool.lean.characters import is_alnum, is_new
from webtool.lean.patterns import Match
from webtool.lean.records import NamedTuple
from webtool.markdown import escape, flanking
from webtool.markdown.flanking import Delimiter, Pieces

_MAX_PASSES = 6  # tries, each without the spans that failed before; then all emphasis of the block is dropped
# Pairs (class outside, class inside) beside a delimiter that cannot be misread.
_SURE = frozenset((
    (flanking.SPACE, flanking.LETTER), (flanking.SPACE, flanking.PUNCTUATION), (flanking.SPACE, flanking.EITHER),
    (flanking.PUNCTUATION, flanking.LETTER),
))  # fmt: skip
_DELIMITERS = frozenset("*_~\\")
# Opening brackets and quotation marks: they leave a span only together with their closing ones.
_OPENING = frozenset("(\u00ab\u2018\u201c\u3008\u300a\u300c\u300e\u3010\uff08")
# Punctuation that may be moved: between a letter and a delimiter it has no meaning as markup.
_MARK = r"[^\w\s\\*_~`<>\[\]&!|\x00-\x1f]"
# "(a" -> "(", ": a" -> ": "; at the end "a)" -> ")" and "a !" -> " !": with white space it moves too.
_leading_marks = patterns.compile(rf"{_MARK}+(?=\w|\Z)|{_MARK}+\s+(?=\S)").match
_trailing_marks = patterns.compile(rf"(?:(?<=\w)|\A)(?:{_MARK}|!)+\Z|(?<=\S)\s+(?:{_MARK}|!)+\Z").search


def resolve(pieces: Pieces) -> list[str]:
    """Return `pieces` with every Delimiter replaced by a string. No piece may be an empty string.

    If no spelling reads back as meant (spans of one kind nested without a space between them), spans are dropped until
    one does. Each time, take the outermost span that fails, or that a failing span is in. Drop the first of these that
    exist:

    1. of it and the spans inside it, those inside a span of their own kind;
    2. all spans inside it;
    3. the span itself.

    If the only good spelling needs character references, spans inside a span of their own kind go, too. The rest may
    then be written without references.
    """
    simple = _simple(pieces)
    if simple is None:
        pieces = _eased(pieces)
        simple = _simple(pieces)
    if simple is not None:
        return simple
    for _ in range(_MAX_PASSES):
        delimiters = _paired(pieces)
        written, culprit, has_references = _spelled(pieces, delimiters)
        if culprit is None:
            if not has_references:
                return written
            dropped = _doubled(delimiters)
            if not dropped:
                return written
        else:
            group = [d for d in delimiters if d.group == culprit.group]
            dropped = _doubled(group) or {d for d in group if d.depth > 0} or set(group)
        pieces = [piece for piece in pieces if isinstance(piece, str) or piece not in dropped]
    return [piece for piece in pieces if isinstance(piece, str)]


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
        if piece.opens is is_in_span or piece.kind == "del":
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


def _eased(pieces: Pieces) -> Pieces:
    """Return `pieces` changed so that fewer spans are hard: punctuation moved out, spans moved into links."""
    if not any(_is_hard(pieces, index) for index in range(len(pieces))):
        return pieces
    eased = _into_links(_with_room(pieces))
    for begin, end, closer in _spans(eased):
        if begin + 2 == end and closer.kind != "del":
            only_text = _text_at(eased, begin + 1)  # "" for code and links, which keep their delimiters
            if only_text and not any(map(is_alnum, only_text)):
                eased[begin] = eased[end] = ""  # a span of nothing but punctuation loses its delimiters
                continue
        is_hard_begin, is_hard_end = _is_hard(eased, begin), _is_hard(eased, end)
        if not (is_hard_begin or is_hard_end):
            continue
        leading, trailing = _leading(_text_inside(eased, begin, 1)), _trailing(_text_inside(eased, end, -1))
        in_brackets = bool(leading and trailing and not _OPENING.isdisjoint(leading.group()))
        has_moved = (is_hard_begin or in_brackets) and _move_out(eased, begin, 1, leading)
        if has_moved if in_brackets else is_hard_end:  # "(" and ")" leave a span together
            trailing = _trailing(_text_inside(eased, end, -1))  # again: the first move may have changed the text
            _move_out(eased, end, -1, trailing)
    return _swapped(_with_bangs_escaped([piece for piece in eased if piece != ""]))


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
            pieces[index - 1] = escape.before_link(before)
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
    inner, outer = _text_at(pieces, inner_index), str(pieces[outer_index])
    beyond = pieces[inner_index + step]
    if len(match[0]) == len(inner) and isinstance(beyond, str):
        next_char = beyond[:1] if step > 0 else beyond[-1:]
        if next_char.isspace():
            return False
    rest = inner[match.end() :] if step > 0 else inner[: match.start()]
    if rest[:1] in _DELIMITERS or rest[-1:] in _DELIMITERS:
        return False
    pieces[inner_index] = rest
    pieces[outer_index] = outer + match[0] if step > 0 else match[0] + outer
    return True


def _leading(text: str) -> Match[str] | None:
    """Return a match for marks at the beginning that may be moved.

    None in a text with characters that older Pythons do not know: whether those are letters depends on the Python.
    """
    return None if any(map(is_new, text)) else _leading_marks(text)


def _trailing(text: str) -> Match[str] | None:
    """Return a match for marks at the end that may be moved; see _leading()."""
    return None if any(map(is_new, text)) else _trailing_marks(text)


def _is_hard(pieces: Pieces, index: int) -> bool:
    """Whether the delimiter at `index` has a letter outside and punctuation (for some renderer) inside."""
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
        if isinstance(opener, str) or not opener.opens or index + 1 >= len(pieces) or pieces[index + 1] != "[":
            continue
        end = next((i for i in range(index + 1, len(pieces)) if not isinstance(pieces[i], str)), 0)
        inner = pieces[index + 2 : end - 1]
        target = pieces[end - 1] if end else ""
        closes = end > 0 and not pieces[end].opens and pieces[end].kind == opener.kind  # type: ignore[union-attr]
        has_target = isinstance(target, str) and target.startswith(("](", "]["))
        holds_link = closes and inner and "[" not in inner and has_target
        if holds_link and (_is_hard(pieces, index) or _is_hard(pieces, end)):
            pieces[index], pieces[index + 1] = pieces[index + 1], opener
            pieces[end], pieces[end - 1] = target, pieces[end]
    return pieces


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


def _spelled(pieces: Pieces, delimiters: list[Delimiter]) -> tuple[list[str], Delimiter | None, bool]:
    """Try all spellings; return (strings, None, whether character references were needed) for one that reads back.

    If none does, return ([], a delimiter that is misread, True). A spelling without character references is preferred.
    """
    culprit: Delimiter | None = None
    with_references: list[str] = []
    for inner_char, merge, encode_all in _ATTEMPTS:
        if encode_all and with_references:
            break
        spelled = list(pieces)
        _choose(spelled, delimiters, inner_char, merge)
        has_references = _encode_neighbours(spelled, delimiters, encode_all)
        if has_references and with_references:
            continue
        culprit = flanking.misread(spelled, delimiters)
        if culprit is None and not has_references:
            return _written(spelled), None, False
        if culprit is None:
            with_references = _written(spelled)
    if with_references:
        return with_references, None, True
    return [], culprit, True


def _paired(pieces: Pieces) -> list[Delimiter]:
    """Return the delimiters of `pieces` in order, with index, depth, group and mate filled in."""
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


def _written(pieces: Pieces) -> list[str]:
    """Return `pieces` with each delimiter written with its character."""
    return [piece if isinstance(piece, str) else piece.char * flanking.LENGTH[piece.kind] for piece in pieces]


class _Attempt(NamedTuple):
    """Hold one way to spell the delimiters."""

    inner_char: str  # "*" or "_", for every second level of nested spans
    merge: bool  # delimiters that touch may have one character
    encode_all: bool  # all letters outside a delimiter become character references


_ATTEMPTS = tuple(_Attempt(char, merge, encode) for encode in (False, True) for char in "*_" for merge in (False, True))


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

    Underscores next to it get a backslash: beside a letter they are not delimiters, beside the reference they would be.
    `a_b` with `last` gives `a\\_&#x62;`.
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
