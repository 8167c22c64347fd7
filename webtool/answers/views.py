"""Rewrite links and pictures in markdown. In: markdown, how to write them. Out: the markdown.

    links: refs     [port](https://a.example/)  ->  [port][1], and at the end [1]: https://a.example/
    links: none     [port](https://a.example/)  ->  port
    images: alt     ![a crane](/crane.png)      ->  a crane

One stored copy of a page serves all these forms. Code is left alone. Lines keep their numbers; references are added at
the end. Specification: CommonMark 0.31 sections 4.7, 6.3, 6.4. Cost: linear.
"""

from __future__ import annotations

from collections.abc import Callable

from webtool.answers.reading import Marks
from webtool.lean import patterns
from webtool.lean.patterns import Match

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
