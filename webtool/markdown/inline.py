"""Inline content: the run of tokens collected for one block in, its markdown out. What is between the words and where
spans end says layout.py. Specification: CommonMark 0.31 section 6.
"""

from __future__ import annotations

from webtool.markdown import escape
from webtool.markdown.emphasis import resolve
from webtool.markdown.flanking import Delimiter
from webtool.markdown.layout import BREAK, GAP, Code, Piece, Token, lay_out, plain

# How a line break is written: in a paragraph, in a table cell, where there is only one line.
PARAGRAPH, CELL, LINE = "\\\n", "<br>", " "


def render(run: list[Token], line_break: str = PARAGRAPH) -> str:
    """Inline markdown of `run`; line starts are not yet escaped. "" when there is nothing to see."""
    if len(run) == 1 and type(run[0]) is str:
        return escape.text(plain(run[0]).strip())
    return _write(lay_out(run), line_break)


def _write(pieces: list[Piece], line_break: str) -> str:
    out: list[str | Delimiter] = []
    has_emphasis = False
    for piece in pieces:
        if type(piece) is tuple and piece[1].kind != "link":
            has_emphasis = True
            break
    judge = escape.BESIDE_EMPHASIS if has_emphasis else escape.ALONE
    in_link, begin, guard, last = 0, 0, "", len(pieces) - 1
    for index, piece in enumerate(pieces):
        kind = type(piece)
        if kind is str:
            if out and not has_emphasis:
                judge = escape.AFTER
            if in_link:
                out.append(escape.link_text(piece, judge))
            else:
                is_followed = index < last and pieces[index + 1] is not BREAK and pieces[index + 1] is not GAP
                out.append(escape.text(piece, judge, is_followed=is_followed))
        elif kind is tuple:
            opens, span = piece
            if span.kind != "link":
                out.append(Delimiter(span.kind, opens))
            elif opens:
                if out and isinstance(out[-1], str):
                    out[-1] = escape.before_link(out[-1])
                in_link += 1
                begin, guard = len(out) + 1, ""
                out.append("[")
            else:
                in_link -= 1
                if span.number:
                    out.append(f"][{span.number}]")
                    continue
                title = span.title
                if len(out) > begin + 1:
                    _guard_addresses(out, begin)
                if title and title == "".join([piece for piece in out[begin:] if isinstance(piece, str)]):
                    title = ""  # it says what the text says
                out.append(f"]({escape.destination(span.url)}{escape.title(title)}{guard})")
        elif piece is BREAK:
            if line_break is not PARAGRAPH or pieces[index - 1] is not BREAK:  # no line is only a backslash
                in_address = line_break is PARAGRAPH and isinstance(out[-1], str) and escape.ends_in_address(out[-1])
                out.append("  \n" if in_address else line_break)
        elif piece is GAP:
            out.append(line_break if line_break is CELL or in_link else " ")
        else:
            out.append(escape.code_span(piece) if kind is Code else piece)
            if "]:" in piece:  # "[`]:`](x)" would define a reference; with a space inside the parentheses it cannot
                guard = " "
    return "".join(resolve(out) if has_emphasis else out)  # type: ignore[arg-type]


def _guard_addresses(out: list[str | Delimiter], begin: int) -> None:
    """Keep one renderer from reading "http://a`b`" in a link as one address, and from missing the link's end so."""
    texts = [piece for piece in out[begin:] if isinstance(piece, str)]
    if any("://" in text for text in texts) and any(text[:1] == "`" for text in texts):
        out[begin:] = [
            escape.without_addresses(piece) if isinstance(piece, str) and piece[:1] not in "`!" else piece
            for piece in out[begin:]
        ]
