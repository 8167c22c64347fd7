"""List the headings of a page, and find one section. In: markdown. Out: entries with lines and tokens; a Section.

A page without headings has landmarks instead: its labels (lines in bold), or else the first words of a block every few
hundred tokens. Lines are numbered from 1, as `offset` counts them. Tokens of a heading include all that is below it.
"""

from __future__ import annotations

from collections.abc import Iterable

from webtool.answers.blocks import HEADING, LABEL, LABEL_LEVEL, Heading, Page, parse
from webtool.answers.budget import estimate_tokens
from webtool.answers.reading import as_read
from webtool.answers.words import fold
from webtool.errors import InvalidArgument
from webtool.lean.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.answer_types import OutlineRow

_LANDMARK_TOKENS = 400  # a new landmark begins after at least this many tokens
_MAX_LANDMARK = 70  # characters of a landmark's title
_MAX_NEAREST = 5  # sections that an error names
# The nearest sections are found in two steps: by words in all sections, then by letters in the best of these.
_MAX_COMPARED = 5000  # sections whose words are compared with those of an unknown title
_STEM = 6  # letters of each word that are compared
_MAX_ALIKE = 200  # sections whose letters are compared
_MAX_DIGITS = 18  # of a line number; int() refuses more than 4300
_SEPARATORS = (">", " / ", "/", "\u203a", "\u00bb", "\u2192")  # between the names of a path


class Section(NamedTuple):
    """A heading and all that is below it."""

    title: str
    path: str
    first_line: int
    last_line: int
    text: str


class _Extent(NamedTuple):
    """A heading or landmark with the lines that belong to it."""

    heading: Heading
    last: int  # the last line of its section
    path: tuple[str, ...]  # the titles from the top down to it


def outline(markdown: str) -> list[OutlineRow]:
    """Return level, title, line and tokens of each heading in order, or of landmarks on a page without headings."""
    page = parse(markdown)
    tokens_up_to = [0]  # by line
    for line in page.lines:
        tokens_up_to.append(tokens_up_to[-1] + estimate_tokens(line + "\n"))
    return [
        {
            "level": extent.heading.level,
            "title": extent.heading.title,
            "line": extent.heading.line,
            "tokens": tokens_up_to[extent.last] - tokens_up_to[extent.heading.line - 1],
        }
        for extent in _extents(page)
    ]


def find_section(markdown: str, name: str) -> Section:
    """Return the section of a title, path ("A > B") or line. Raises InvalidArgument, which names the nearest five."""
    page = parse(markdown)
    extents = _extents(page)
    extent = _at_line(page, extents, int(name)) if _is_line(extents, name.strip()) else _named(page, extents, name)
    first = extent.heading.line
    text = "\n".join(page.lines[first - 1 : extent.last])
    return Section(extent.heading.title, " > ".join(extent.path), first, extent.last, text)


def _named(page: Page, extents: list[_Extent], name: str) -> _Extent:
    """Return the section of a title or path, else of a term that the page defines, or of an anchor: "#install"."""
    from webtool.answers import terms

    name = name.strip()
    if name.startswith("#") and not name.startswith("# "):
        name = name.lstrip("#")
        extent = _at_anchor(extents, name)
        if extent is not None:
            return extent
        name = _text_of_link(page, name) or name
    exact = [extent for extent in extents if _plain(extent.heading.title) == _plain(name)]
    term = None if exact else terms.find_term(page, name)
    if term is None:
        return _titled(extents, name)
    title, first, last = term
    above = [extent for extent in extents if extent.heading.line <= first <= extent.last]
    path = above[-1].path if above else ()
    if above and above[-1].heading.line == first:  # the term is in this heading, whose title it replaces
        path = path[:-1]
    return _Extent(Heading(LABEL_LEVEL, title, first, -1), last, (*path, title))


def _at_anchor(extents: list[_Extent], anchor: str) -> _Extent | None:
    """Return the section whose title has the letters of an anchor, or None: "whats-new" belongs to "What's new?".

    Sites number the anchors of equal titles: "setup", "setup-1".
    """
    base, _, number = anchor.rpartition("-")
    index = int(number) if number.isascii() and number.isdigit() and len(number) <= _MAX_DIGITS else 0
    for letters, place in ((_letters(anchor), 0), (_letters(base), index)):
        same = [extent for extent in extents if letters and _letters(extent.heading.title) == letters]
        if place < len(same):
            return same[place]
    return None


def _text_of_link(page: Page, anchor: str) -> str:
    """Return the text of the first link to an anchor of the page, "" without one."""
    for line in page.lines:
        place = line.find(f"#{anchor})")
        if place >= 0:
            start = line.rfind("](", 0, place)
            return as_read(line[line.rfind("[", 0, start) + 1 : start]).strip() if start >= 0 else ""
    return ""


def section(markdown: str, title: str) -> str:
    """Return the markdown of the section of this title, path ("A > B") or line. Raises InvalidArgument."""
    return find_section(markdown, title).text


def _extents(page: Page) -> list[_Extent]:
    """Return the headings of a page (labels excepted) with their extents, or landmarks on a page without headings."""
    numbers = [number for number, heading in enumerate(page.headings) if heading.level < LABEL_LEVEL]
    if not numbers:
        return _landmarks(page)
    extents: list[_Extent] = []
    ends = _section_ends([page.headings[number] for number in numbers], len(page.lines))
    for number, end in zip(numbers, ends):
        while end > page.headings[number].line and not page.lines[end - 1].strip():
            end -= 1
        extents.append(_Extent(page.headings[number], end, tuple(page.path(number))))
    return extents


def _section_ends(headings: list[Heading], last_line: int) -> list[int]:
    """Return the last line of each section: it ends before the next heading of its level or above. Cost: linear."""
    ends = [last_line] * len(headings)
    following: list[Heading] = []  # a stack: the next headings that can end a section
    for index in range(len(headings) - 1, -1, -1):
        while following and following[-1].level > headings[index].level:
            following.pop()
        if following:
            ends[index] = following[-1].line - 1
        following.append(headings[index])
    return ends


def _landmarks(page: Page) -> list[_Extent]:
    """Return a page's labels; on a page without labels, a landmark at the first block after every _LANDMARK_TOKENS."""
    starts: list[Heading] = [heading._replace(level=1, parent=-1) for heading in page.headings]
    if not starts:
        tokens_left = 0
        for block in page.blocks:
            if block.kind in (HEADING, LABEL):
                continue
            if tokens_left <= 0:
                starts.append(Heading(1, _first_words(page, block.first, block.last), block.first, -1))
                tokens_left = _LANDMARK_TOKENS
            tokens_left -= sum(estimate_tokens(line) for line in page.lines[block.first - 1 : block.last])
    ends = [start.line - 1 for start in starts[1:]] + [len(page.lines)]
    return [_Extent(start, end, (start.title,)) for start, end in zip(starts, ends)]


def _first_words(page: Page, first: int, last: int) -> str:
    """Return the first words of a block, at most _MAX_LANDMARK characters; "line 12" if it has no words."""
    for line in page.lines[first - 1 : last]:
        text = " ".join(as_read(line[: 4 * _MAX_LANDMARK]).strip("`~|#>- \t").split())
        if any(map(str.isalnum, text)):
            return text if len(text) <= _MAX_LANDMARK else text[: _MAX_LANDMARK - 1].rsplit(" ", 1)[0] + "…"
    return f"line {first}"


def _is_line(extents: list[_Extent], name: str) -> bool:
    """Return whether the name is a line number.

    Digits that are a heading's title ("1984") name that section instead, unless another heading is at this line.
    """
    if not (name.isascii() and name.isdigit() and len(name) <= _MAX_DIGITS):
        return False
    begins_there = any(extent.heading.line == int(name) for extent in extents)
    return begins_there or all(_plain(extent.heading.title) != name for extent in extents)


def _at_line(page: Page, extents: list[_Extent], line: int) -> _Extent:
    """Return the innermost section that holds a line. Raises InvalidArgument."""
    if not 1 <= line <= len(page.lines):
        raise InvalidArgument(f"section {line} is not a line of the page", hint=f"It has {len(page.lines)} lines.")
    labels = [heading for heading in page.headings if heading.level == LABEL_LEVEL]
    # `extents` has no labels, unless the page has no headings. The innermost section of a line may be a label's.
    if labels and len(labels) < len(page.headings):
        ends = _section_ends(page.headings, len(page.lines))
        extents = [
            _Extent(heading, end, tuple(page.path(n))) for n, (heading, end) in enumerate(zip(page.headings, ends))
        ]
    sections = [extent for extent in extents if extent.heading.line <= line <= extent.last]
    if not sections:
        raise InvalidArgument(f"line {line} is in no section", hint=_hint("The sections", extents[:_MAX_NEAREST]))
    return sections[-1]


def _titled(extents: list[_Extent], name: str) -> _Extent:
    """Return the only section whose title or path is `name`, or else has it in its title. Raises InvalidArgument."""
    title = _plain(name)
    matches = [extent for extent in extents if title and _plain(extent.heading.title) == title]
    if not any(_folded(extent.heading.title) == _folded(name) for extent in matches):
        # "Install > Linux" is a path before it is the title "Install Linux".
        readings = (list(map(_plain, name.split(separator))) for separator in _SEPARATORS if separator in name)
        on_path = ([extent for extent in extents if _is_on_path(map(_plain, extent.path), names)] for names in readings)
        matches = next(filter(None, on_path), matches)
    if not matches:
        matches = [extent for extent in extents if title and title in _plain(extent.heading.title)]
    if not matches:  # "whats new"
        letters = _letters(name)
        matches = [extent for extent in extents if letters and _letters(extent.heading.title) == letters]
    if len(matches) > 1:  # signs tell apart "C", "C++" and "C#"
        matches = [extent for extent in matches if _is_spelt(extent, name)] or matches
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise InvalidArgument(
            f"{len(matches)} sections are called {name[:80]!r}",
            hint=_hint("Give a path or the line:", matches[:_MAX_NEAREST]),
        )
    if not extents:
        raise InvalidArgument("the page has no sections", hint="Ask with find or query.")
    raise InvalidArgument(f"unknown section {name[:80]!r}", hint=_hint("The nearest:", _nearest(extents, title)))


def _is_on_path(path: Iterable[str], names: list[str]) -> bool:
    """Return whether the names are among the titles of a path in this order, the last one at its end."""
    titles = list(path)
    if titles[-1] != names[-1]:
        return False
    rest = iter(titles)  # `in` takes titles off up to the one it finds, so the order counts
    return all(name in rest for name in names)


def _is_spelt(extent: _Extent, name: str) -> bool:
    """Return whether the name is the title or path of a section with all its signs: "C++", "C++ > Install"."""
    readings = [[name], *(name.split(separator) for separator in _SEPARATORS)]
    return any(_is_on_path(map(_folded, extent.path), list(map(_folded, names))) for names in readings)


def _folded(title: str) -> str:
    return " ".join(fold(as_read(title)).split())


def _plain(title: str) -> str:
    """Return a title without its signs: "What's new?" -> "what s new"."""
    return " ".join("".join(c if c.isalnum() else " " for c in fold(as_read(title))).split())


def _letters(title: str) -> str:
    """Return the letters and digits of a title: "What's new?" -> "whatsnew"."""
    return _plain(title).replace(" ", "")


def _nearest(extents: list[_Extent], plain_title: str) -> list[_Extent]:
    """Return the sections whose titles share most words, or else most letters in their order, with a title."""
    import difflib

    asked = plain_title[:200]
    asked_words = asked.split()
    stems = {word[:_STEM] for word in asked_words}

    def shared_words(extent: _Extent) -> float:
        title_words = _plain(extent.heading.title)[:200].split()
        shared = len(stems & {word[:_STEM] for word in title_words})
        return shared / max(len(asked_words), 1) + shared / max(len(title_words), 1)

    def likeness(extent: _Extent) -> float:
        ratio = difflib.SequenceMatcher(None, _plain(extent.heading.title)[:200], asked).ratio()
        return shared_words(extent) + ratio

    best = sorted(extents[:_MAX_COMPARED], key=shared_words, reverse=True)[:_MAX_ALIKE]
    return sorted(best, key=likeness, reverse=True)[:_MAX_NEAREST]


def _hint(beginning: str, extents: list[_Extent]) -> str:
    if not extents:
        return "Ask for outline: true."
    shown = []
    for extent in extents:
        path = " > ".join(title[:60] for title in extent.path[-2:])
        shown.append(f"{path} (line {extent.heading.line})")
    return f"{beginning} {'; '.join(shown)}."
