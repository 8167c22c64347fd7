"""The headings of a page, and one section of it. In: markdown. Out: entries with lines and tokens; a Section.

A page without headings has landmarks: its lines in bold, or else the first words of what begins every few hundred
tokens. Lines are numbered from 1, as `offset` counts them. Tokens are those of a heading's text and of all below it.
"""

from __future__ import annotations

from webtool.answers.blocks import HEADING, LABEL, LABEL_LEVEL, Heading, Page, parse
from webtool.answers.budget import estimate_tokens
from webtool.answers.reading import as_read
from webtool.answers.words import fold
from webtool.errors import InvalidArgument
from webtool.lean.records import NamedTuple

_LANDMARK_TOKENS = 400
_LANDMARK_LENGTH = 70
_NEAREST = 5
_SEPARATORS = (">", " / ", "/", "\u203a", "\u00bb", "\u2192")  # between the names of a path


class Section(NamedTuple):
    """A heading and what is below it."""

    title: str
    path: str
    first_line: int
    last_line: int
    text: str


class _Part(NamedTuple):
    """A heading with the lines that belong to it."""

    heading: Heading
    last: int
    path: tuple[str, ...]


def outline(markdown: str) -> list[dict[str, object]]:
    """Level, title, line and tokens of every heading, in the page's order; of landmarks where there is none."""
    page = parse(markdown)
    tokens = [0]
    for line in page.lines:
        tokens.append(tokens[-1] + estimate_tokens(line + "\n"))
    return [
        {
            "level": part.heading.level,
            "title": part.heading.title,
            "line": part.heading.line,
            "tokens": tokens[part.last] - tokens[part.heading.line - 1],
        }
        for part in _parts(page)
    ]


def find_section(markdown: str, wanted: str) -> Section:
    """The section of this title, path ("A > B") or line. Raises InvalidArgument, which names the nearest five."""
    page = parse(markdown)
    parts = _parts(page)
    part = _at_line(page, parts, int(wanted)) if _is_line(parts, wanted.strip()) else _titled(parts, wanted)
    first = part.heading.line
    text = "\n".join(page.lines[first - 1 : part.last])
    return Section(part.heading.title, " > ".join(part.path), first, part.last, text)


def section(markdown: str, title: str) -> str:
    """The markdown of the section of this title, path ("A > B") or line. Raises InvalidArgument."""
    return find_section(markdown, title).text


def _parts(page: Page) -> list[_Part]:
    """Headings with their extent; where there are none, landmarks."""
    true = [number for number, heading in enumerate(page.headings) if heading.level < LABEL_LEVEL]
    if not true:
        return _landmarks(page)
    parts: list[_Part] = []
    ends = _ends([page.headings[number] for number in true], len(page.lines))
    for number, end in zip(true, ends):
        while end > page.headings[number].line and not page.lines[end - 1].strip():
            end -= 1
        parts.append(_Part(page.headings[number], end, tuple(page.path(number))))
    return parts


def _ends(headings: list[Heading], last: int) -> list[int]:
    """The last line of each: up to the next heading of its level or above. Cost: linear, by a stack from behind."""
    ends = [last] * len(headings)
    behind: list[Heading] = []
    for place in range(len(headings) - 1, -1, -1):
        while behind and behind[-1].level > headings[place].level:
            behind.pop()
        if behind:
            ends[place] = behind[-1].line - 1
        behind.append(headings[place])
    return ends


def _landmarks(page: Page) -> list[_Part]:
    starts: list[Heading] = [heading._replace(level=1, parent=-1) for heading in page.headings]
    if not starts:
        room = 0
        for block in page.blocks:
            if block.kind in (HEADING, LABEL):
                continue
            if room <= 0:
                starts.append(Heading(1, _beginning(page, block.first, block.last), block.first, -1))
                room = _LANDMARK_TOKENS
            room -= sum(estimate_tokens(line) for line in page.lines[block.first - 1 : block.last])
    ends = [after.line - 1 for after in starts[1:]] + [len(page.lines)]
    return [_Part(start, end, (start.title,)) for start, end in zip(starts, ends)]


def _beginning(page: Page, first: int, last: int) -> str:
    """The first words of a block."""
    for line in page.lines[first - 1 : last]:
        text = " ".join(as_read(line[: 4 * _LANDMARK_LENGTH]).strip("`~|#>- \t").split())
        if any(map(str.isalnum, text)):
            return text if len(text) <= _LANDMARK_LENGTH else text[: _LANDMARK_LENGTH - 1].rsplit(" ", 1)[0] + "…"
    return f"line {first}"


def _is_line(parts: list[_Part], wanted: str) -> bool:
    """Whether a number is a line: one that a heading stands in, or that is not itself a heading, such as a year."""
    if not (wanted.isascii() and wanted.isdigit()):
        return False
    return any(part.heading.line == int(wanted) for part in parts) or all(
        _plain(part.heading.title) != wanted for part in parts
    )


def _at_line(page: Page, parts: list[_Part], line: int) -> _Part:
    """The innermost section that holds a line."""
    if not 1 <= line <= len(page.lines):
        raise InvalidArgument(f"section {line} is not a line of the page", hint=f"It has {len(page.lines)} lines.")
    holding = [part for part in parts if part.heading.line <= line <= part.last]
    if not holding:
        raise InvalidArgument(f"line {line} is in no section", hint=_hint("The sections", parts[:_NEAREST]))
    return holding[-1]


def _titled(parts: list[_Part], wanted: str) -> _Part:
    whole = _plain(wanted)
    exact = [part for part in parts if whole and _plain(part.heading.title) == whole]
    for mark in _SEPARATORS:
        if mark in wanted and not exact:
            names = [_plain(name) for name in wanted.split(mark)]
            exact = [part for part in parts if _ends_in(part.path, names)]
    found = exact or [part for part in parts if whole and whole in _plain(part.heading.title)]
    if len(found) == 1:
        return found[0]
    if found:
        raise InvalidArgument(
            f"{len(found)} sections are called {wanted[:80]!r}",
            hint=_hint("Give a path or the line:", found[:_NEAREST]),
        )
    if not parts:
        raise InvalidArgument("the page has no sections", hint="Ask with find or query.")
    raise InvalidArgument(f"there is no section {wanted[:80]!r}", hint=_hint("The nearest:", _nearest(parts, whole)))


def _ends_in(path: tuple[str, ...], names: list[str]) -> bool:
    """Whether the names stand in the path in their order, and the last of them at its end."""
    if _plain(path[-1]) != names[-1]:
        return False
    rest = iter(map(_plain, path))
    return all(name in rest for name in names)


def _plain(title: str) -> str:
    return " ".join("".join(c if c.isalnum() else " " for c in fold(as_read(title))).split())


def _nearest(parts: list[_Part], wanted: str) -> list[_Part]:
    import difflib

    def likeness(part: _Part) -> float:
        title = _plain(part.heading.title)[:200]
        shared = len(set(title.split()) & set(wanted.split()))
        return shared + difflib.SequenceMatcher(None, title, wanted[:200]).quick_ratio()

    return sorted(parts[:5000], key=likeness, reverse=True)[:_NEAREST]


def _hint(beginning: str, parts: list[_Part]) -> str:
    shown = "; ".join(f"{' > '.join(one[:60] for one in part.path[-2:])} (line {part.heading.line})" for part in parts)
    return f"{beginning} {shown}." if parts else "Ask for outline: true."
