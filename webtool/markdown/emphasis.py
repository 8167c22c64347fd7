"""Delimiters of emphasis, strong emphasis and strikethrough, chosen so that they read back as they were meant.

In: the pieces of one block's inline markdown, with a Delimiter where a span opens or closes. Out: the same list with
strings in their places. White space has already been moved out of the spans. Specification: CommonMark 0.31 section
6.2; its rules are in flanking.py.

A delimiter run that has punctuation inside cannot open after a letter, or close before one. Then the punctuation moves
out of the span, **foo:**bar to **foo**:bar, and a span around a link moves into it. Where that does not do, the letter
becomes a character reference, whose ";" or "&" is punctuation: **`foo`**&#x62;ar. What was chosen is then checked
against the algorithm.
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.lean import patterns
from webtool.lean.patterns import Match
from webtool.markdown import escape, flanking
from webtool.markdown.flanking import Delimiter, Pieces

_MAX_LOSSES = 6  # outermost spans that may fail before all are dropped: each costs another pass


def resolve(pieces: Pieces) -> list[str]:
    """`pieces` with every Delimiter written out.

    Where no spelling reads back as meant, which takes spans of one kind nested in each other without a space between,
    those go that are in one of their kind, then all inside the outermost one, and then that one: losing emphasis is
    better than stray asterisks.
    """
    simple = _simple(pieces)
    if simple is None:
        pieces = _eased(pieces)
        simple = _simple(pieces)
    if simple is not None:
        return simple
    for _ in range(_MAX_LOSSES):
        delimiters = _paired(pieces)
        written, culprit, has_references = _spelled(pieces, delimiters)
        if culprit is None:
            lost = _doubled(delimiters) if has_references else set()
            if not lost:
                return written
        else:
            group = [d for d in delimiters if d.group == culprit.group]
            lost = _doubled(group) or {d for d in group if d.depth > 0} or set(group)
        pieces = [piece for piece in pieces if isinstance(piece, str) or piece not in lost]
    return [piece for piece in pieces if isinstance(piece, str)]


def _simple(pieces: Pieces) -> list[str] | None:
    """The usual case, written at once: spans side by side, each with a space just outside its ends, or with punctuation
    there and a letter or digit inside. Its openers can only open and its closers only close: nothing can be misread."""
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
        inner, outer = map(flanking.class_of, (after[0], before[-1]) if inside else (before[-1], after[0]))
        if (outer, inner) not in _SURE:
            return None
        written.append("*" if piece.kind == "em" else "**")
    return written


_SURE = frozenset((
    (flanking.SPACE, flanking.LETTER), (flanking.SPACE, flanking.PUNCTUATION), (flanking.SPACE, flanking.EITHER),
    (flanking.PUNCTUATION, flanking.LETTER),
))  # fmt: skip


def _spans(pieces: Pieces) -> Iterator[tuple[int, int, Delimiter]]:
    """Where each span begins and ends, with the mark that ends it, inner ones first; pieces may change meanwhile."""
    opened: list[int] = []
    for index, piece in enumerate(pieces):
        if isinstance(piece, str):
            continue
        if piece.opens:
            opened.append(index)
        else:
            yield opened.pop(), index, piece


def _eased(pieces: Pieces) -> Pieces:
    """`pieces` with the edges of spans where a letter outside and punctuation inside would break them moved."""
    if not any(_is_hard(pieces, index) for index in range(len(pieces))):
        return pieces
    eased = _into_links(list(pieces))
    for begin, index, this in _spans(eased):
        if begin + 2 == index and this.kind != "del" and not any(map(str.isalnum, _text_at(eased, begin + 1) or "x")):
            eased[begin] = eased[index] = ""  # only punctuation is marked
            continue
        hard = _is_hard(eased, begin), _is_hard(eased, index)
        if hard[0] or hard[1]:
            brackets = _leading(_text_inside(eased, begin, 1)), _trailing(_text_inside(eased, index, -1))
            both = bool(brackets[0] and brackets[1] and not _OPENING.isdisjoint(brackets[0][0]))
            if hard[0] or both:
                _move_out(eased, begin, 1, brackets[0])
            if hard[1] or both:
                _move_out(eased, index, -1, _trailing(_text_inside(eased, index, -1)))
    return _swapped(_without_pictures([piece for piece in eased if piece != ""]))


def _without_pictures(pieces: Pieces) -> Pieces:
    """`pieces` with each "!" escaped that came to stand before a link and would make it a picture."""
    for index, piece in enumerate(pieces):
        before = pieces[index - 1] if index and isinstance(piece, str) and piece[0] == "[" else ""
        if isinstance(before, str):
            pieces[index - 1] = escape.before_link(before) if before else pieces[index - 1]
    return pieces


def _swapped(pieces: Pieces) -> Pieces:
    """Strong emphasis around nothing but emphasis becomes emphasis around strong emphasis: ***a*** is read so."""
    for begin, index, this in _spans(pieces):
        before = pieces[begin - 1] if begin else ""
        after = pieces[index + 1] if index + 1 < len(pieces) else ""
        if this.kind != "em" or isinstance(before, str) or isinstance(after, str) or not before.opens or after.opens:
            continue
        if before.kind == after.kind == "strong":
            before.kind = after.kind = "em"
            this.kind = pieces[begin].kind = "strong"  # type: ignore[union-attr]
    return pieces


def _text_at(pieces: Pieces, index: int) -> str:
    """The text there; "" for a delimiter and for what is ready: code, a picture, a link or its target."""
    piece = pieces[index]
    if type(piece) is not str or "](" in piece or piece[:2] == "][" or piece[:1] == "`":
        return ""
    return piece


def _past_delimiters(pieces: Pieces, index: int, step: int) -> int:
    """Where the delimiters of emphasis end that open, or close, together with the one at `index`."""
    opens = pieces[index].opens  # type: ignore[union-attr]
    index += step
    while 0 <= index < len(pieces):
        piece = pieces[index]
        if isinstance(piece, str) or piece.opens is not opens or piece.kind == "del":
            break
        index += step
    return index


def _text_inside(pieces: Pieces, index: int, step: int) -> str:
    return _text_at(pieces, _past_delimiters(pieces, index, step))


def _move_out(pieces: Pieces, index: int, step: int, match: Match[str] | None) -> None:
    """Move what matched from inside the delimiter at `index` to its other side, where text stands there."""
    at, within = _past_delimiters(pieces, index, -step), _past_delimiters(pieces, index, step)
    if at == len(pieces):
        pieces.append("")
    if match is None or at < 0 or not isinstance(pieces[at], str):
        return
    inner, outer = _text_at(pieces, within), str(pieces[at])
    beyond = pieces[within + step]
    if len(match[0]) == len(inner) and isinstance(beyond, str) and (beyond[-1:] if step < 0 else beyond[:1]).isspace():
        return  # it stands beside a line break
    rest = inner[match.end() :] if step > 0 else inner[: match.start()]
    if rest[:1] in _DELIMITERS or rest[-1:] in _DELIMITERS:
        return  # what needed no backslash beside a space, and would beside a delimiter
    pieces[within] = rest
    pieces[at] = outer + match[0] if step > 0 else match[0] + outer


_DELIMITERS = frozenset("*_~\\")
_OPENING = frozenset("(\u00ab\u2018\u201c\u3008\u300a\u300c\u300e\u3010\uff08")
# Punctuation at the edge of a text that means nothing between a letter and a delimiter.
_MARK = r"[^\w\s\\*_~`<>\[\]&!|\x00-\x1f]"
_leading = patterns.compile(rf"{_MARK}+(?=\w|\Z)|{_MARK}+\s+(?=\S)").match
_trailing = patterns.compile(rf"(?:(?<=\w)|\A)(?:{_MARK}|!)+\Z|(?<=\S)\s+(?:{_MARK}|!)+\Z").search


def _is_hard(pieces: Pieces, index: int) -> bool:
    """Whether a delimiter has a letter outside and none inside."""
    this = pieces[index]
    if isinstance(this, str) or this.kind == "del":
        return False
    step = 1 if this.opens else -1
    outside, at = flanking.neighbour(pieces, index - step, -step, this.kind != "del")
    if outside != flanking.LETTER or at < 0:
        return False
    return flanking.neighbour(pieces, index + step, step, this.kind != "del")[0] in (
        flanking.PUNCTUATION,
        flanking.EITHER,
    )


def _into_links(pieces: Pieces) -> Pieces:
    """Spans that hold one link and nothing else are put into it: there their neighbours are the link's brackets."""
    for index, this in enumerate(pieces):
        if isinstance(this, str) or not this.opens or index + 1 >= len(pieces) or pieces[index + 1] != "[":
            continue
        end = next((i for i in range(index + 1, len(pieces)) if not isinstance(pieces[i], str)), 0)
        inner = pieces[index + 2 : end - 1]
        target = pieces[end - 1] if end else ""
        closes = end > 0 and not pieces[end].opens and pieces[end].kind == this.kind  # type: ignore[union-attr]
        holds_link = (
            closes and inner and "[" not in inner and isinstance(target, str) and target.startswith(("](", "]["))
        )
        if holds_link and (_is_hard(pieces, index) or _is_hard(pieces, end)):
            pieces[index], pieces[index + 1] = pieces[index + 1], this
            pieces[end], pieces[end - 1] = target, pieces[end]
    return pieces


def _doubled(delimiters: list[Delimiter]) -> set[Delimiter]:
    """The delimiters of spans in a span of their kind: they show nothing."""
    opened: list[str] = []
    found: set[Delimiter] = set()
    for this in delimiters:
        if this.opens:
            if this.kind in opened:
                found |= {this, this.mate}
            opened.append(this.kind)
        else:
            opened.pop()
    return found


def _spelled(pieces: Pieces, delimiters: list[Delimiter]) -> tuple[list[str], Delimiter | None, bool]:
    """`pieces` written out, or the delimiter that does not read back in any spelling; whether references were needed.

    A spelling without character references is preferred to one with some.
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
    return with_references, None if with_references else culprit, True


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
    return [piece if isinstance(piece, str) else piece.char * flanking.LENGTH[piece.kind] for piece in pieces]


# Character of spans inside spans, whether delimiters that touch may share their character, whether all letters beside
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
        never = "" if isinstance(before, str) or merge else before.char
        rather_not = after.mate.char if isinstance(after, Delimiter) and not after.opens and not merge else ""
        preferred = "*" if this.depth == 0 or inner_char == "*" else "*_"[this.depth % 2]
        other = "_" if preferred == "*" else "*"
        if preferred not in (never, rather_not):
            this.char = preferred
        elif other not in (never, rather_not):
            this.char = other
        else:
            this.char = "_" if never == "*" else "*"


def _encode_neighbours(pieces: Pieces, delimiters: list[Delimiter], encode_all: bool) -> bool:
    """Turn letters outside a span into character references where the delimiter would otherwise not work; whether any
    was turned."""
    changed, has_references = True, False
    while changed:  # an end of a piece is encoded at most once, so this ends
        changed = False
        for this in delimiters:
            step = -1 if this.opens else 1
            outside, at = flanking.neighbour(pieces, this.index + step, step, this.kind != "del")
            if outside in (flanking.SPACE, flanking.PUNCTUATION):
                continue
            inside = _class_inside(pieces, this)
            if this.kind == "del" and (
                inside != flanking.LETTER or encode_all
            ):  # a price before a price: a space says what the page's boxes say
                pieces[at] = f"{pieces[at]} " if this.opens else f" {pieces[at]}"
                changed = True
            elif inside != flanking.LETTER or this.char == "_" or encode_all:
                pieces[at] = _encoded(pieces[at], last=this.opens)  # type: ignore[arg-type]
                changed = has_references = True
    return has_references


def _class_inside(pieces: Pieces, this: Delimiter) -> int:
    """The class of what stands inside a delimiter, past those that make one run with it."""
    step, end = 1 if this.opens else -1, this
    while 0 <= end.index + step < len(pieces):
        beside = pieces[end.index + step]
        if isinstance(beside, str) or beside.char != this.char or beside.opens is not this.opens:
            break
        end = beside
    return flanking.class_after(pieces, end) if this.opens else flanking.class_before(pieces, end)


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
