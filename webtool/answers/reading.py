"""Turn inline markdown into the text that a reader sees. In: a line or a whole page. Out: its text, line for line.

    [the *port*](https://a.example/ "Title") \\* `x`  ->  the port * `x`

Links keep their text, pictures their alternative text; targets, emphasis marks and backslashes of escapes are removed;
references such as &#x62; become characters; code stays as it is. Half of an encyclopedia's markdown is link targets, so
a small answer holds twice as much text.
Specification: CommonMark 0.31 sections 2.4, 6.1 to 6.6. Cost: linear in the text, even if marks never close.
"""

from __future__ import annotations

from webtool.lean import patterns
from webtool.lean.characters import is_alnum
from webtool.lean.patterns import Match

# A destination is <...> or has balanced parentheses one level deep. A title in double quotes may follow.
_TARGET = r"\((?:<[^<>\n]*>|[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)(?:[ \t]+\"(?:[^\"\\\n]|\\.)*\")?\)"
_marks = patterns.compile(
    r"\\(?:[!-/:-@\[-`{-~]|(?=\n|\Z))|`+|!?\[|\](?:" + _TARGET + r")?|<(?=[A-Za-z/])[^<>\n]{1,2000}>|[*_~]+"
    r"|&#x[0-9a-f]{1,5};"  # as webtool.markdown.emphasis writes a letter beside a delimiter
)
_backtick_runs = patterns.compile(r"`+")
_needs_reading = patterns.compile(r"[\\\[\]*_~<&]").search
_is_address = patterns.compile(r"<((?:https?|mailto):[^\s<>]*)>\Z").match
_is_break = patterns.compile(r"(?i)<(?:br|/p|/li|/td)\b").match
_is_raw_html = patterns.compile(r"</?[a-z][a-z0-9-]*(?:\s[^<>]*)?/?>\Z").match


def as_read(text: str) -> str:
    """Return the text without link targets, pictures, emphasis marks and escapes. Line ends stay where they are."""
    return _Reading(text).read() if _needs_reading(text) else text


class Marks:
    """One pass over the marks of inline markdown. A subclass says in take() what becomes of each mark."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.out: list[str] = []
        self.brackets: list[int] = []  # indexes in `out` of open brackets, "[" or "!["
        self._backticks: dict[int, list[int]] | None = None  # length of a run of backticks: starts, last run first

    def read(self) -> str:
        """Return the text as the subclass writes it."""
        text, out, done = self.text, self.out, 0
        for match in _marks.finditer(text):
            start, end = match.span()
            if start < done:
                continue  # inside a code span
            if start > done:
                out.append(text[done:start])
            done = self.take(match, start, end)
        out.append(text[done:])
        return "".join(out)

    def take(self, match: Match[str], start: int, end: int) -> int:
        """Append what a mark becomes to `out`; return the position at which to go on reading."""
        raise NotImplementedError

    def code(self, start: int, end: int) -> int:
        """Append a code span with its backticks; a run of backticks without a partner in its line is text."""
        if self._backticks is None:
            self._backticks = {}
            for run in reversed(list(_backtick_runs.finditer(self.text))):
                self._backticks.setdefault(run.end() - run.start(), []).append(run.start())
        starts = self._backticks.get(end - start, [])
        while starts and starts[-1] <= start:
            starts.pop()
        line_end = self.text.find("\n", end)
        close = starts[-1] if starts and (line_end < 0 or starts[-1] < line_end) else -1
        stop = end if close < 0 else close + end - start
        self.out.append(self.text[start:stop])
        return stop


class _Reading(Marks):
    """Writes what a reader sees. Brackets without a link stay."""

    def take(self, match: Match[str], start: int, end: int) -> int:
        """Append what a reader sees of a mark."""
        mark, out = match[0], self.out
        first = mark[0]
        if first == "\\":
            out.append(mark[1:])  # at a line end it is a hard line break
        elif first == "`":
            return self.code(start, end)
        elif first in "![":
            self.brackets.append(len(out))
            out.append(mark)
        elif first == "]":
            opened = self.brackets.pop() if self.brackets else -1
            if end - start == 1:
                out.append(mark)
            elif opened >= 0:
                out[opened] = ""
            else:
                out.append("]")
        elif first == "<":
            self._angle(mark)
        elif first == "&":
            out.append(chr(int(mark[3:-1], 16)))
        elif not self._is_emphasis(mark, start, end):
            out.append(mark)
        return end

    def _angle(self, mark: str) -> None:
        """Append an autolink's address, a space for a line break, or text that only looks like HTML."""
        address = _is_address(mark)
        if address:
            self.out.append(address[1])
        elif _is_break(mark):
            self.out.append(" ")
        elif not _is_raw_html(mark):
            self.out.append(mark)

    def _is_emphasis(self, mark: str, start: int, end: int) -> bool:
        """Return whether the mark is emphasis: not between spaces, and no underscore inside a word (snake_case)."""
        before = self.text[start - 1] if start else " "
        after = self.text[end] if end < len(self.text) else " "
        if before.isspace() and after.isspace():
            return False
        if mark[0] == "~":
            return len(mark) == 2
        return mark[0] == "*" or not (is_alnum(before) and is_alnum(after))
