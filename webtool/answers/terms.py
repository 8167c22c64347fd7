"""Find what a page defines: terms, options, anchors. In: a Page of blocks. Out: lines of terms and their definitions.

Reference pages introduce a term on a line of its own, and define it below. A term is a heading, or one of these:

    **tune.bufsize <size>**      a line that is all in bold or code
                                 Sets the buffer size.

    --max-bytes N                a short line above an indented line
      Largest body

    tide                         a short line above one that begins with ":"
    :   Rise of the sea

    ```                          each line of a code block of at most four lines
    pool.size N
    ```
"""

from __future__ import annotations

from webtool.answers.blocks import CODE, HEADING, LABEL, ROW, Page
from webtool.answers.reading import as_read
from webtool.answers.words import fold
from webtool.lean import patterns

_MAX_TERM = 160  # characters of a line; a longer one is text
_MAX_CODE_LINES = 4  # of a code block whose lines are terms; a longer one is an example
_DEFINITION_LINES = 6  # lines with text that are shown of a definition
_MAX_LINES = 15  # lines that are shown of a definition, with empty ones
_MIN_INDENT = 2  # characters by which a definition is indented below its term
_AFTER_NAME = " \t=<[({,:;"  # signs that end a name: "open(path)" is a form of "open", "open-file" is not
# "- **tune.bufsize <size>**", "`-x` (short for --exact):"
_marked = patterns.compile(r"[ \t>]*(?:[-*+] )?(\*\*|__|`)(?=\S)(.{1,150}?)\1[^.!?]{0,60}:?\s*\Z").match
_indent = patterns.compile(r"[ \t]*").match


def term_lines(page: Page) -> dict[int, str]:
    """Return the lines of terms with the terms as a reader sees them. Cost: linear."""
    terms: dict[int, str] = {}
    for block in page.blocks:
        if block.kind in (HEADING, LABEL):
            terms[block.first] = _shown(page.headings[block.heading].title)
        elif block.kind == CODE and block.last - block.first - 1 <= _MAX_CODE_LINES:
            # A block of code has an opening fence. Its last line is the closing fence, or the end of the page.
            for number in range(block.first + 1, block.last):
                if page.lines[number - 1].strip():
                    terms[number] = page.lines[number - 1].lstrip(" \t>").rstrip()
        elif block.kind not in (CODE, ROW) and _is_term(page, block.first):
            terms[block.first] = _shown(as_read(page.lines[block.first - 1]))
    return terms


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
    if below.lstrip().startswith(": "):
        return True
    indent, indent_below = (_indent(text).end() for text in (line, below))  # type: ignore[union-attr]
    has_indented = bool(below.strip()) and indent_below >= indent + _MIN_INDENT
    return has_indented and not line.lstrip().startswith(("- ", "* ", "+ "))


def definition_ends(page: Page, numbers: list[int]) -> dict[int, int]:
    """Return for each of these lines that is a term the last line to show of its definition."""
    if not numbers:
        return {}
    terms = term_lines(page)
    prose = _outside_code(page, terms)
    return {number: _end(page, prose if number in prose else terms, number) for number in numbers if number in terms}


def _outside_code(page: Page, terms: dict[int, str]) -> dict[int, str]:
    """Return the terms that are not in code.

    The definition of a term in prose may have lines of code as examples: they do not end it.
    """
    code = {n for block in page.blocks if block.kind == CODE for n in range(block.first, block.last + 1)}
    return {number: term for number, term in terms.items() if number not in code}


def _end(page: Page, terms: dict[int, str], number: int) -> int:
    """Return the last line to show of the definition of the term on line `number`: at most _DEFINITION_LINES with text.

    It ends before the next term. Terms that follow each other directly share one definition.
    """
    filled, last = 0, number  # lines of the definition with text so far; the last line to show so far
    for line in range(number + 1, min(len(page.lines), number + _MAX_LINES) + 1):
        text = page.lines[line - 1]
        if line in terms and filled:
            break
        if text.strip():
            is_text = line not in terms and bool(text.strip(" \t>`~"))
            filled, last = filled + is_text, line
        if filled >= _DEFINITION_LINES:
            break
    return last


def find_term(page: Page, name: str) -> tuple[str, int, int] | None:
    """Return the term of this name, and the first and last line of it and its definition; or None.

    The whole term is looked for first, then one that begins with the name: "tune.bufsize" in "tune.bufsize <size>".
    Terms in code come last: the call `open(path)` in an example is not where `open` is defined. Cost: linear.
    """
    terms = term_lines(page)
    prose = _outside_code(page, terms)
    for some_terms in (prose, terms):
        line = _line_of(some_terms, " ".join(fold(_shown(name)).split()))
        if line:
            first, last = _extent(page, some_terms, line)
            return terms[line], first, last
    return None


def _line_of(terms: dict[int, str], folded_name: str) -> int:
    """Return the line of the term of this folded name, or of one that begins with it; 0 without one.

    For "--max-bytes": "--max-bytes" itself, else "--max-bytes N", else "--max-bytes-total N".
    """
    if not folded_name:
        return 0
    folded = {number: " ".join(fold(term).split()) for number, term in terms.items()}
    rests = {number: term[len(folded_name) :] for number, term in folded.items() if term.startswith(folded_name)}
    for matches in (
        [number for number, rest in rests.items() if not rest],
        [number for number, rest in rests.items() if rest[:1] in _AFTER_NAME],
        [number for number, rest in rests.items() if not rest[:1].isalnum()],
    ):
        if matches:
            return matches[-1] if len(matches) == 2 else matches[0]  # of two, the first is in a table of contents
    return 0


def _extent(page: Page, terms: dict[int, str], term_line: int) -> tuple[int, int]:
    """Return the first and last line of a term with its whole definition: up to the next term after some text.

    A code block is whole or left out: if the term is inside one, the extent begins with the opening fence.
    """
    first, last, has_text = term_line, len(page.lines), False
    for number in range(term_line + 1, len(page.lines) + 1):
        if number in terms:
            if has_text:
                last = number - 1
                break
        elif page.lines[number - 1].strip(" \t>`~"):
            has_text = True
    for block in page.blocks:
        if block.kind == CODE and block.first < first <= block.last:
            first = block.first
        elif block.kind == CODE and first < block.first <= last < block.last:
            last = block.first - 1
    while last > first and not page.lines[last - 1].strip(" \t>"):
        last -= 1
    return first, last
