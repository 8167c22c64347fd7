"""Find the lines of a page that match. In: markdown, and words or /a regular expression/. Out: windows of lines.

Words match a line that has all of them, in any case and typography, as it is written or as a reader sees it: "don't"
matches "Don’t". Words in double quotes are one phrase. Lines that have a word only inside a longer word ("opt17" in
"opt171") count only if no line has them all as words. A pattern has Python's syntax and may have the flags i (ignore
case) and s; it is matched in linear time against each line as it is written.

The context is more than the lines around a match: if the matching line is a term, the first lines of its definition are
shown (terms.py). A window that begins inside a table begins with the table's head, and one inside code with its fence.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

from webtool.answers import terms
from webtool.answers.automaton import Automaton
from webtool.answers.blocks import CODE, LABEL_LEVEL, Page, outside_of, parse
from webtool.answers.budget import BYTES_PER_TOKEN, count_fitting, cut_to_tokens, estimate_tokens, shortened
from webtool.answers.question.query import is_name
from webtool.answers.reading import as_read, joins_letters
from webtool.answers.tables import page_of
from webtool.answers.words import DASHES, DOUBLE_QUOTES, SINGLE_QUOTES, fold, has_word
from webtool.errors import InvalidArgument
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.answer_types import Match

MAX_MATCHES = 50
GAP = "[...]"
MATCH_TOKENS = 12  # of a match in an answer, besides its text and heading
CONTEXT = 2  # lines shown before and after a match
_MAX_LINE = 500  # characters of a line; of a longer one the part with the match is shown
_MAX_MERGED = 10  # matches in one window; a further match begins a new window
_MAX_DEFINITIONS = 5  # terms that show their definitions; of further ones only the lines around are shown
_MAX_PIECES = 200  # pieces of a long line that are searched for the match
_FLAGS = "imsugy"
_PLAIN_SIGNS = str.maketrans(
    {**dict.fromkeys(SINGLE_QUOTES, "'"), **dict.fromkeys(DOUBLE_QUOTES, '"'), **dict.fromkeys(DASHES, "-")}
)
_quoted = patterns.compile(r'["\u201c]\s*([^\s"\u201c\u201d][^"\u201c\u201d]*)["\u201d]').fullmatch
_runs = patterns.compile(r"[a-z0-9]+").findall
_has_slash = patterns.compile(r"(?s)(?:[^\\/]|\\.)*/").match  # one without a backslash
_delimited = patterns.compile(r"(?s)/(.+)/([a-zA-Z]*)\Z").match


# A match with the lines around it; matches whose lines touch share one window. Its members are
# - lines: the numbers of the lines that match, such as [4, 6]
# - own: the text of each of these lines
# - headings: the path of headings above each of these lines
# - text: all lines of the window
# - outside_main: True if its lines are those of mode full; else it is missing
Window = dict[str, Any]


class Found(NamedTuple):
    """The result of a search."""

    windows: list[Window]
    total: int  # the number of lines that match
    in_longer: int = 0  # the number of further lines that have a word only inside a longer one
    has_only_longer: bool = False
    """True if no line has all words as whole words, so that the windows show lines with longer words."""


def search(
    markdown: str | Page, pattern: str, context: int = CONTEXT, is_wanted: Callable[[str], bool] | None = None
) -> Found:
    """Return windows around the lines that match, at most MAX_MATCHES lines. Windows that touch are one.

    `is_wanted` is a further test of a line. Raises InvalidArgument for a bad pattern. Cost: linear in the page.
    """
    is_match, is_whole = _matchers(pattern)
    page = parse(markdown) if isinstance(markdown, str) else markdown
    numbers = [
        number for number, line in enumerate(page.lines, 1) if is_match(line) and (is_wanted is None or is_wanted(line))
    ]
    whole = [number for number in numbers if is_whole(page.searched(page.lines[number - 1]))]
    if not whole:
        return Found(_windows(page, numbers, context, is_match), len(numbers), has_only_longer=bool(numbers))
    return Found(_windows(page, whole, context, is_match), len(whole), len(numbers) - len(whole))


def search_both(main: str | Page, whole: str, pattern: str, context: int) -> Found:
    """Search the main content, and what only the whole page has; `whole` is "" if the main content is all.

    If one of these sides has the words only inside longer words, and the other has them whole, then that side is not
    shown, and its lines count as `in_longer`. For "port":

    main content   beside it   windows and total of
    port           port        both
    report         report      both
    port           report      the main content
    report         port        what is beside it
    """
    inner = search(main, pattern, context)
    if not whole or not isinstance(main, str):
        return inner
    outer = search(whole, pattern, context, outside_of(main))
    outside: list[Window] = [{**window, "outside_main": True} for window in outer.windows]
    in_longer = inner.in_longer + outer.in_longer
    if inner.total and outer.has_only_longer and not inner.has_only_longer:
        return Found(inner.windows, inner.total, in_longer + outer.total)
    if outer.total and inner.has_only_longer and not outer.has_only_longer:
        return Found(outside, outer.total, in_longer + inner.total)
    return Found((inner.windows + outside)[:MAX_MATCHES], inner.total + outer.total, in_longer)


def shortened_window(window: Window, pattern: str, max_tokens: int) -> Window:
    """Return a window that does not fit with its first match only, and the part of its text that has this line.

    Lines are dropped from the beginning until the match fits, then from the end. A longer line is cut around its match.
    """
    firsts = {name: window[name][:1] for name in ("lines", "own", "headings")}
    room = max(max_tokens - estimate_tokens(window["headings"][0]) - MATCH_TOKENS, max_tokens // 2)
    own, lines = window["own"][0], window["text"].split("\n")
    index = lines.index(own) if own in lines else 0
    left = room - estimate_tokens(own)
    if left < 0:
        text = cut_to_tokens(_piece(own, pattern, room), room)
        return {**window, **firsts, "own": [text], "text": text}
    fitting = count_fitting((estimate_tokens(line + "\n") for line in reversed(lines[:index])), left)
    return {**window, **firsts, "text": cut_to_tokens("\n".join(lines[index - fitting :]), room)}


def _windows(page: Page, numbers: list[int], context: int, is_match: Callable[[str], bool]) -> list[Window]:
    """Return the windows for matching lines, in the page's order."""
    headings = [(heading.line, index) for index, heading in enumerate(page.headings) if heading.level < LABEL_LEVEL]
    # The line of a table's row -> the line of the table's header.
    heads = {block.first: block.header_line for block in page.blocks if block.header_line}
    fences, shown_heads = _Fences(page), set[int]()
    windows: list[Window] = []
    headings_above = 0  # number of headings above the line at hand
    for matching, first, last in _spans(page, numbers[:MAX_MATCHES], context):
        paths: list[str] = []
        for number in matching:
            while headings_above < len(headings) and headings[headings_above][0] <= number:
                headings_above += 1
            paths.append(" > ".join(page.path(headings[headings_above - 1][1])) if headings_above else "")
        first, last, opening, closing = fences.around(first, last, matching)
        shown = [*opening, *(_short(line, is_match) for line in page.lines[first - 1 : last]), *closing]
        head = heads.get(first, 0)
        if 0 < head < first and head not in shown_heads:
            after_head = head + 1 if page.is_values else head + 2  # markdown has the row |---|---| below the head
            shown[:0] = page.lines[head - 1 : after_head - 1] + ([GAP] if after_head < first else [])
        shown_heads.add(head)
        text = "\n".join(shown).strip("\n")
        own = [_short(page.lines[number - 1], is_match) for number in matching]
        windows.append({"lines": matching, "text": text, "headings": paths, "own": own})
    return windows


class _Fences:
    """Adds fences to windows that begin or end inside code."""

    def __init__(self, page: Page) -> None:
        self._lines = page.lines
        self._blocks = [block for block in page.blocks if block.kind == CODE]
        self._firsts = [block.first for block in self._blocks]

    def around(self, first: int, last: int, matching: list[int]) -> tuple[int, int, list[str], list[str]]:
        """Return the first and last line of a window, and the lines to put before and after it.

        A window that begins with the closing fence of code, or ends with an opening one, loses this line.
        """
        opening: list[str] = []
        closing: list[str] = []
        begin, end = self._code_at(first)
        if first == end and first < matching[0]:  # a closing fence that does not match itself
            first += 1
        elif 0 < begin < first:  # inside code
            opening = [self._lines[begin - 1], *([GAP] if begin + 1 < first else [])]
        begin, end = self._code_at(last)
        if last == begin and last > matching[-1]:  # an opening fence that does not match itself
            last -= 1
        elif last < end:  # inside code
            closing = [*([GAP] if last + 1 < end else []), self._lines[end - 1]]
        return first, last, opening, closing

    def _code_at(self, number: int) -> tuple[int, int]:
        """Return the lines of the opening and closing fence around a line; (0, 0) if it is not in closed code."""
        index = bisect_right(self._firsts, number) - 1
        if index >= 0 and number <= self._blocks[index].last:
            block = self._blocks[index]
            if block.last > block.first and self._lines[block.last - 1].lstrip(" \t>")[:3] in ("```", "~~~"):
                return block.first, block.last
        return 0, 0


def _spans(page: Page, numbers: list[int], context: int) -> list[tuple[list[int], int, int]]:
    """Return runs of matching lines, each with the first and last line to show.

    A table row has only lines of tables as its context.
    """
    rows = [block for block in page.blocks if block.header_line]
    # No block has the line |---|---| below a head, so it is added.
    table_lines = {row.first for row in rows} | {row.header_line + 1 for row in rows}
    definitions = dict(list(terms.definition_ends(page, numbers).items())[:_MAX_DEFINITIONS])
    spans: list[tuple[list[int], int, int]] = []
    for number in numbers:
        first, last = max(1, number - context), min(len(page.lines), max(number + context, definitions.get(number, 0)))
        if number in table_lines:
            while first < number and first not in table_lines:
                first += 1
            while last > number and last not in table_lines:
                last -= 1
        matching, start, end = spans[-1] if spans else ([], 0, -1)
        if len(matching) >= _MAX_MERGED:  # a full window ends before the next match
            end = min(end, number - 1)
            spans[-1] = (matching, start, end)
            spans.append(([number], max(first, end + 1), last))
        elif first <= end + 1:
            spans[-1] = ([*matching, number], start, max(end, last))
        else:
            spans.append(([number], first, last))
    return spans


def matches_of(windows: list[dict[str, object]]) -> list[dict[str, object]]:
    """Return line, text and heading of each match. The first of a window has the window's text, the others their line.

    So no line is given twice because it is near two matches.
    """
    matches: list[dict[str, object]] = []
    for window in windows:
        extra = {"outside_main": True} if "outside_main" in window else {}
        rows = zip(window["lines"], [window["text"], *window["own"][1:]], window["headings"])  # type: ignore[call-overload,index]
        matches += [{"line": line, "text": text, "heading": heading, **extra} for line, text, heading in rows]
    return matches


def find(markdown: str, pattern: str, context: int = CONTEXT) -> list[Match]:
    """Return the first 50 lines that match: line, text (with lines around it), heading. Raises InvalidArgument."""
    return matches_of(search(page_of(markdown), pattern, context).windows)  # type: ignore[return-value]


def _matchers(pattern: str) -> tuple[Callable[[str], bool], Callable[[str], bool]]:
    """Return the test whether a line matches, and the test whether a matching line has all words as whole words."""
    delimited = _delimited(pattern.strip())
    if delimited and not _is_path(*delimited.groups()):
        return _by_pattern(*delimited.groups()), lambda _: True  # a pattern has no words: any line is whole
    quoted = _quoted(pattern.strip())
    phrases = [" ".join(quoted[1].split())] if quoted else pattern.split()
    words = [(_plain(word), is_name(word)) for word in phrases]
    if not words:
        raise InvalidArgument("find has no words", hint="Give words, or /a regular expression/i.")

    # Each word with its longest run of ASCII letters and digits.
    runs = [(word, max(_runs(word), key=len, default="")) for word, _ in words]

    def is_match(line: str) -> bool:
        folded = _plain(line)
        for word, run in runs:
            if word not in folded:
                # A run that is not in the line as it is written is seldom in what a reader sees: few lines are read.
                if run not in folded and line.isascii() and "&" not in line and not joins_letters(line):
                    return False
                folded = _searched(line)
                return all(word in folded for word, _ in words)
        return True

    def is_whole(line: str) -> bool:
        folded = _searched(line)
        return all(has_word(folded, word, is_name=named) for word, named in words)

    return is_match, is_whole


def _searched(line: str) -> str:
    """Return the plain text of a line as it is written and, if that differs, as a reader sees it."""
    read = as_read(line)
    return _plain(line if read == line else f"{line}\n{read}")


def _plain(text: str) -> str:
    """Return the folded text with plain quotation marks and dashes."""
    # The signs come first: fold() makes two quotes of a double prime, and a space of an acute accent.
    return fold(text if text.isascii() else text.translate(_PLAIN_SIGNS))


def _is_path(pattern: str, letters: str) -> bool:
    """Return whether words such as "/usr/local/bin" are a path and not a pattern with flags.

    They are a path if several letters after the last slash are not flags ("/etc/hosts"), or one is not and the pattern
    has a slash ("/a/b/x"). With one wrong letter alone, "/tides/gix" is a pattern: an error names the letter.
    """
    unknown = sum(letter not in _FLAGS for letter in letters)
    return unknown > 1 or (unknown > 0 and _has_slash(pattern) is not None)


def _by_pattern(pattern: str, letters: str) -> Callable[[str], bool]:
    """Return the test of a line for a pattern; `letters` are its flags. m, u, g and y are allowed without effect."""
    import re

    flags = 0
    for letter in letters:
        if letter not in _FLAGS:
            hint = "i ignores case; every line is searched anyway. Leave out the first slash of a path."
            raise InvalidArgument(f"unknown flag {letter!r}", hint=hint)
        flags |= {"i": re.IGNORECASE, "s": re.DOTALL}.get(letter, 0)
    return Automaton(pattern, flags).has_match


def _piece(line: str, pattern: str, max_tokens: int) -> str:
    """Return a piece of a line of at most `max_tokens` tokens with what matches the pattern, if that fits."""
    is_match = _matchers(pattern)[0]
    limit = max_tokens * BYTES_PER_TOKEN - 6  # bytes of two ellipses
    shown = line
    while limit > 1 and estimate_tokens(shown) > max_tokens:
        shown = _short(line, is_match, limit)
        limit //= 2  # letters of several bytes take more
    return shown


def _short(line: str, is_match: Callable[[str], bool], limit: int = _MAX_LINE) -> str:
    """Return a line; of one over the limit the first piece that matches, else the beginning. Pieces overlap by half."""
    if len(line) <= limit:
        return line
    step = limit // 2
    for start in range(0, min(len(line), _MAX_PIECES * step), step):
        part = line[start : start + limit]
        if is_match(part):
            return ("…" if start else "") + part + ("…" if start + limit < len(line) else "")
    return shortened(line, limit)
