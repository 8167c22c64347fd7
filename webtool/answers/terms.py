"""Find what a page defines: terms, options, anchors. In: a Page of blocks. Out: lines of terms and their definitions.

Reference pages introduce a term on a line of its own, and define it below:

    **tune.bufsize <size>**      --max-bytes N          ```              tide
                                   Largest body         pool.size N      :   Rise of the sea
    Sets the buffer size.                               ```

A term is a heading, a line that is all in bold or code, a line of code alone in its block, or a short line with an
indented line or one that begins with ":" below it.

Tests: tests/answers/test_terms.py
"""

from __future__ import annotations

from webtool.answers.blocks import CODE, HEADING, LABEL, Page
from webtool.answers.reading import as_read
from webtool.answers.words import fold
from webtool.lean import patterns

_MAX_TERM = 160  # characters of a line; a longer one is text
_MAX_CODE_LINES = 4  # of a block of code that is a term; a longer one is an example
_DEFINITION_LINES = 6  # with text that are shown of a definition
_MAX_LINES = 15  # of a definition, with empty lines
_marked = patterns.compile(r"[ \t>]*(?:[-*+] )?(\*\*|__|`)(?=\S)(.{1,150}?)\1[^.!?]{0,60}:?\s*\Z").match
_indent = patterns.compile(r"[ \t]*").match


def term_lines(page: Page) -> dict[int, str]:
    """Return the lines of terms with the terms as a reader sees them. Cost: linear."""
    found: dict[int, str] = {}
    for block in page.blocks:
        if block.kind in (HEADING, LABEL):
            found[block.first] = _shown(page.headings[block.heading].title)
        elif block.kind == CODE and block.last - block.first - 1 <= _MAX_CODE_LINES:
            for number in range(block.first + 1, block.last):
                if page.lines[number - 1].strip():
                    found[number] = page.lines[number - 1].lstrip(" \t>").rstrip()
        elif not block.header and _is_term(page, block.first):
            found[block.first] = _shown(as_read(page.lines[block.first - 1]))
    return found


def _shown(text: str) -> str:
    """Return a term without marks of lists, quotes and code: "- `-x`" -> "-x"."""
    text = text.lstrip(" \t>").strip(" \t*`")
    return text[2:].strip(" `") if text.startswith(("- ", "+ ")) else text


def _is_term(page: Page, number: int) -> bool:
    """Return whether a line of text is in bold or code, or has its definition indented below it."""
    line = page.lines[number - 1]
    if len(line) > _MAX_TERM:
        return False
    if _marked(line):
        return True
    below = page.lines[number] if number < len(page.lines) else ""
    if below.lstrip().startswith((":   ", ": ")):
        return True
    indents = [_indent(text).end() for text in (line, below)]  # type: ignore[union-attr]
    return bool(below.strip()) and indents[1] >= indents[0] + 2 and not line.lstrip().startswith(("- ", "* ", "+ "))


def definition_ends(page: Page, numbers: list[int]) -> dict[int, int]:
    """Return for each of these lines that is a term the last line to show of its definition."""
    found = term_lines(page) if numbers else {}
    return {number: _end(page, found, number) for number in numbers if number in found}


def _end(page: Page, found: dict[int, str], number: int) -> int:
    """Return the last of the first lines of a definition: up to the next term that follows some text."""
    filled, last = 0, number
    for line in range(number + 1, min(len(page.lines), number + _MAX_LINES) + 1):
        text = page.lines[line - 1]
        if line in found and filled:
            break
        if text.strip():
            is_text = line not in found and bool(text.strip(" \t>`~"))
            filled, last = filled + is_text, line
        if filled >= _DEFINITION_LINES:
            break
    return last


def find_term(page: Page, name: str) -> tuple[str, int, int] | None:
    """Return the term of this name, and the first and last line of it and its definition; or None.

    The whole term is looked for first, then one that begins with the name: "tune.bufsize" in "tune.bufsize <size>".
    """
    found = term_lines(page)
    wanted = " ".join(fold(_shown(name)).split())
    folded = {number: " ".join(fold(term).split()) for number, term in found.items()}
    matches = [number for number, term in folded.items() if term == wanted]
    if not matches:
        matches = [
            number for number, term in folded.items() if term.startswith(wanted) and not term[len(wanted)].isalnum()
        ]
    if not wanted or not matches:
        return None
    first = matches[-1] if len(matches) == 2 else matches[0]  # of two, the first is in a table of contents
    last = next((number - 1 for number in sorted(found) if number > first and _has_text(page, found, first, number)), 0)
    last = last or len(page.lines)
    while last > first and not page.lines[last - 1].strip(" \t>`~"):
        last -= 1
    return found[first], first, last


def _has_text(page: Page, found: dict[int, str], after: int, before: int) -> bool:
    """Return whether there is text between two lines, besides terms."""
    return any(number not in found and page.lines[number - 1].strip(" \t>`~") for number in range(after + 1, before))
