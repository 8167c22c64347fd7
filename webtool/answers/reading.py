"""Read inline markdown: as a reader sees it, or with links and pictures rewritten. In: a line or a page. Out: its text.

    as_read            [the *port*](https://a.example/ "Title") \\* `x`  ->  the port * `x`
    view, links refs   [port](https://a.example/)  ->  [port][1], and at the end [1]: https://a.example/
    view, links none   [port](https://a.example/)  ->  port
    view, images alt   ![a crane](/crane.png)      ->  a crane

as_read() keeps the text of links and the alternative text of pictures; targets, emphasis marks and backslashes of
escapes are removed; references such as &#x62; and &amp; become characters. Half of an encyclopedia's markdown is link
targets, so a small answer holds twice as much text. One stored copy of a page serves all forms of view(). Code is left
alone, and lines keep their numbers. Cost: linear in the text, even if marks never close.
Specification: CommonMark 0.31 sections 2.4, 2.5, 4.7, 6.1 to 6.6.
"""

from __future__ import annotations

from collections.abc import Callable

from webtool.lean import patterns
from webtool.lean.characters import is_alnum
from webtool.lean.patterns import Match

# A destination is <...> or has balanced parentheses one level deep. A title in double quotes may follow.
_TARGET = r"\((?:<[^<>\n]*>|[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)(?:[ \t]+\"(?:[^\"\\\n]|\\.)*\")?\)"
_marks = patterns.compile(
    r"\\(?:[!-/:-@\[-`{-~]|(?=\n|\Z))"  # \*, or a backslash at the end of a line
    r"|`+"
    r"|!?\["  # where the text of a link or picture begins
    r"|\](?:" + _TARGET + r")?"  # where it ends: "](/a)"; "]" alone is text
    r"|<(?=[A-Za-z/])[^<>\n]{1,2000}>"  # <br>, <https://a.example>
    r"|[*_~]+"
    r"|&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
)
joins_letters = patterns.compile(
    r"[A-Za-z0-9](?=[!\[\]*_~<>])(?!_+[A-Za-z0-9])(?:!?\[|\]" + _TARGET + r"|<[A-Za-z/][^<>\n]*>|[*_~<>])+[A-Za-z0-9]"
).search
"""Return a match if as_read() may put ASCII letters or digits together that are apart in the text: "**p**ort"."""
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
            out.append(_character(mark))
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


def _character(reference: str) -> str:
    """Return the character of a reference: "&#x62;" -> "b", "&amp;" -> "&". An unknown name stays as it is.

    The character of a line end is a space, so that lines keep their numbers.
    """
    if reference[1] != "#":
        from html.entities import html5  # imported late: webtool's own markdown has no named references

        return html5.get(reference[1:], reference).replace("\n", " ")
    code = int(reference[3:-1], 16) if reference[2] in "xX" else int(reference[2:-1])
    character = chr(code) if 0 < code < 0xD800 or 0xE000 <= code <= 0x10FFFF else "\ufffd"
    return character.replace("\n", " ")


# Links and pictures, rewritten.

_fence = patterns.compile(r"[ \t>]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)*(`{3,}|~{3,})").match
_autolink = patterns.compile(r"<(https?://[^\s<>]*)>\Z").match
_backslashes = patterns.compile(r"\\([!-/:-@\[-`{-~])").sub
_unfit = patterns.compile(r"[\x00-\x20<>()|\\]").sub  # what a destination between parentheses cannot contain as it is
_destination = patterns.compile(r"\]\((<[^<>\n]*>|\S*?)(?:[ \t]+\"(?:[^\"\\\n]|\\.)*\")?\)\Z").match


def view(markdown: str, links: str = "inline", images: str = "keep") -> str:
    """Return the markdown with links inline, as refs or none, and images as keep, alt or none."""
    if "](" not in markdown or (links, images) == ("inline", "keep"):
        return markdown
    numbers: dict[str, int] = {}
    rewritten = []
    for text, is_code in _split_at_code(markdown):
        rewritten.append(text if is_code else _Rewriter(text, links, images, numbers).read())
    if not numbers:
        return "\n".join(rewritten)
    references = [f"[{number}]: {target}" for target, number in numbers.items()]
    return "\n".join(["\n".join(rewritten).rstrip("\n"), "", *references, ""])


def retargeted(markdown: str, target: Callable[[str], str]) -> str:
    """Return the markdown with target(URL) for the URL of each link. Pictures and code are left alone."""
    if "](" not in markdown and "<http" not in markdown:
        return markdown
    return "\n".join(
        text if is_code else _Retargeter(text, target).read() for text, is_code in _split_at_code(markdown)
    )


def _split_at_code(markdown: str) -> list[tuple[str, bool]]:
    """Return runs of whole lines, each with whether it is fenced code."""
    runs: list[tuple[list[str], bool]] = [([], False)]
    fence = ""
    for line in markdown.split("\n"):
        mark = _fence(line) if "```" in line or "~~~" in line else None
        if fence:
            runs[-1][0].append(line)
            if line.lstrip(" \t>").startswith(fence) and not line.strip(" \t>" + fence[0]):
                runs.append(([], False))
                fence = ""
        elif mark:
            runs.append(([line], True))
            fence = mark[1]
        else:
            runs[-1][0].append(line)
    return [("\n".join(lines), is_code) for lines, is_code in runs if lines]


class _Rewriter(Marks):
    """Rewrites the links and pictures of one run of lines. `numbers` are those of references: target -> number."""

    def __init__(self, text: str, links: str, images: str, numbers: dict[str, int]) -> None:
        super().__init__(text)
        self._links, self._images, self._numbers = links, images, numbers

    def take(self, match: Match[str], start: int, end: int) -> int:
        """Append a mark: links and pictures as wanted, other marks unchanged."""
        mark, out = match[0], self.out
        if mark[0] == "`":
            return self.code(start, end)
        if mark in ("[", "!["):
            self.brackets.append(len(out))
            out.append(mark)
        elif mark[0] == "]":
            opened = self.brackets.pop() if self.brackets else -1
            if len(mark) == 1 or opened < 0:
                out.append(mark)
            elif out[opened] == "![":
                self._image(opened, mark)
            else:
                self._link(opened, mark)
        else:
            out.append(mark)
        return end

    def _image(self, opened: int, mark: str) -> None:
        """Append a picture; `opened` is the index of its "![" in `out`, `mark` its "](target)".

        A picture that is all of a link keeps its alternative text, else the link would have no text.
        """
        out = self.out
        if self._images == "keep":
            out.append(mark)
            return
        out[opened] = ""
        is_in_link = bool(self.brackets) and out[self.brackets[-1]] == "[" and self._links != "none"
        if self._images == "none" and not is_in_link:
            del out[opened:]

    def _link(self, opened: int, mark: str) -> None:
        """Append a link; `opened` is the index of its "[" in `out`, `mark` its "](target)"."""
        out = self.out
        if self._links == "none":
            out[opened] = ""
        elif self._links == "refs":
            destination = _destination(mark)
            target = destination[1] if destination else mark[2:-1]
            number = self._numbers.setdefault(target, len(self._numbers) + 1)
            out.append(f"][{number}]" if any(out[opened + 1 :]) else "]")
            if not any(out[opened + 1 : -1]):
                del out[opened:]  # a link without text: only its address at the end remains
        else:
            out.append(mark)


class _Retargeter(_Rewriter):
    """Rewrites the URLs of the links in one run of lines."""

    def __init__(self, text: str, target: Callable[[str], str]) -> None:
        super().__init__(text, "inline", "keep", {})
        self._target = target

    def take(self, match: Match[str], start: int, end: int) -> int:
        """Append a mark: `<https://a.example/b>` becomes a link whose text is the address if its URL changes."""
        address = _autolink(match[0]) if match[0][0] == "<" else None
        url = self._new(address[1]) if address else ""
        if not address or url == address[1]:
            return super().take(match, start, end)
        self.out.append(f"[{address[1]}]({url})")
        return end

    def _link(self, _opened: int, mark: str) -> None:
        """Append a link; `mark` is its "](target)"."""
        destination = _destination(mark)
        if destination:
            written = destination[1]
            url = written[1:-1] if written[:1] == "<" else written
            url = _backslashes(lambda match: match[1], url).replace("&amp;", "&")
            new = self._new(url)
            mark = mark if new == url else f"]({new}{mark[2 + len(written) :]}"
        self.out.append(mark)

    def _new(self, url: str) -> str:
        new = self._target(url)
        return url if new == url else _unfit(lambda match: f"%{ord(match[0]):02X}", new)
