"""Links and pictures of markdown, written another way. In: markdown. Out: the same text, as the reader wants it.

webtool.markdown writes them so when it renders; here they are changed in markdown that is kept already, of whatever it
was made, so that one stored copy serves them all. Code stays as it is, and so do the lines, to which references at
the end are added. Specification: CommonMark 0.31 sections 4.7, 6.3, 6.4. Cost: linear.
"""

from __future__ import annotations

from webtool.answers.reading import Marks
from webtool.lean import patterns
from webtool.lean.patterns import Match

_fence = patterns.compile(r"[ \t>]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)*(`{3,}|~{3,})").match
_destination = patterns.compile(r"\]\((<[^<>\n]*>|\S*?)(?:[ \t]+\"(?:[^\"\\\n]|\\.)*\")?\)\Z").match


def view(markdown: str, links: str = "inline", images: str = "keep") -> str:
    """The markdown with links inline, as numbered references at the end, or as text only; with pictures, with their
    alternative text, or without."""
    if "](" not in markdown or (links, images) == ("inline", "keep"):
        return markdown
    numbers: dict[str, int] = {}
    seen = [
        text if is_code else _Viewing(text, links, images, numbers).read() for text, is_code in _stretches(markdown)
    ]
    if not numbers:
        return "\n".join(seen)
    references = [f"[{number}]: {target}" for target, number in numbers.items()]
    return "\n".join(["\n".join(seen).rstrip("\n"), "", *references, ""])


def _stretches(markdown: str) -> list[tuple[str, bool]]:
    """The text in turns, whole lines outside and inside of fenced code."""
    turns: list[tuple[list[str], bool]] = [([], False)]
    fence = ""
    for line in markdown.split("\n"):
        mark = _fence(line) if "```" in line or "~~~" in line else None
        if fence:
            turns[-1][0].append(line)
            if line.lstrip(" \t>").startswith(fence) and not line.strip(" \t>" + fence[0]):
                turns.append(([], False))
                fence = ""
        elif mark:
            turns.append(([line], True))
            fence = mark[1]
        else:
            turns[-1][0].append(line)
    return [("\n".join(lines), is_code) for lines, is_code in turns if lines]


class _Viewing(Marks):
    """One stretch; what is not a link or picture stays letter for letter."""

    def __init__(self, text: str, links: str, images: str, numbers: dict[str, int]) -> None:
        super().__init__(text)
        self._links, self._images, self._numbers = links, images, numbers

    def take(self, match: Match[str], start: int, end: int) -> int:
        """Links and pictures change; other marks are kept."""
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
        out = self.out
        if self._images == "keep":
            out.append(mark)
            return
        out[opened] = ""
        is_linked = any(out[place] == "[" for place in self.brackets[-1:]) and self._links != "none"
        if self._images == "none" and not is_linked:
            del out[opened:]

    def _link(self, opened: int, mark: str) -> None:
        out = self.out
        if self._links == "none":
            out[opened] = ""
        elif self._links == "refs":
            found = _destination(mark)
            target = found[1] if found else mark[2:-1]
            number = self._numbers.setdefault(target, len(self._numbers) + 1)
            out.append(f"][{number}]" if any(out[opened + 1 :]) else "]")
            if not any(out[opened + 1 : -1]):
                del out[opened:]  # a link without text: its address stands at the end
        else:
            out.append(mark)
