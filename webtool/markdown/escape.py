"""Escape the lines of a block, and the parts of constructs, so that they read back as the same text.

In: raw text, or inline markdown for line_start(), paragraph() and heading(). Out: markdown. escape_text.py escapes what
is inside a line. Where cmark-gfm and markdown-it differ, the output suits both.
Specification: CommonMark 0.31 sections 4 (what may begin a line), 6.1 (code spans), 6.3 (links); GFM's task list items.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from webtool.lean import patterns
from webtool.lean.patterns import Match

# Line starts that would begin another block than a paragraph. Group 1 is the number of an ordered list item.
_line_start = patterns.compile(
    r"""(?x)
    \#{1,6}(?=[ \t]|$)  # heading
    | [-+*](?=[ \t]|$)  # item of a bullet list
    | ([0-9]{1,9})(?=[.)](?:[ \t]|$))  # item of an ordered list
    | >  # quote
    | ~~~  # code block; backticks are escaped everywhere
    | (?:=+|-+)[ \t]*$  # underline that makes the lines above a heading
    | (?:(?:\*[ \t]*)+|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$  # thematic break
    | [|:-](?=[|:\- \t]*$)  # second row of a table
    | \[[ xX]\](?=[ \t]|$)  # box of a task
    | \[(?:[^\[\]\\]|\\(?s:.))*\]:  # link reference definition, or footnote; may go over several lines
    """
).match
_LINE_STARTS = frozenset("#-+*>0123456789~=_|:[")
_backtick_runs = patterns.compile("`+").finditer
_label_part = patterns.compile(r"\\.|`+|[\[\]]").search
_closing_sequence = patterns.compile(r"(?:(?<=[ \t])|^)(?=#+[ \t]*$)")
_backticks = patterns.compile("`+").findall
_plain_destination = patterns.compile(r"[^\x00-\x20<>()\\&\x7f]+\Z").match
_destination_special = patterns.compile(r"[<>\\]").sub
_bare_special = patterns.compile(r"\\(?=[!-/:-@\[-`{-~]|\Z)").sub
# cmark decodes character references in destinations and titles before backslashes: "&" is written "&amp;", not "\&".
_reference = patterns.compile(r"&(?=\#[0-9xX]|[A-Za-z][A-Za-z0-9]*;)").sub
_MAX_PARENTHESES = 32  # nested parentheses in a bare destination, cmark's limit; deeper ones need angle brackets
_bracket_reason = patterns.compile(r"[\x00-\x20<>\x7f]").search
_title_special = patterns.compile(r'["\\]').sub


def line_start(line: str) -> str:
    """Return a line of a paragraph, without white space before it, escaped if it would begin another block.

    A line that begins with "[" may have the rest of the paragraph after it: a definition may go over several lines.
    """
    if not line or line[0] not in _LINE_STARTS:
        return line
    if line[0] == "[" and line[2:3] != "]" and "]:" not in line:
        return line  # neither the box of a task, "[x]", nor a definition, "[a]: b"
    match = _line_start(line)
    if not match:
        return line
    number = match[1]
    if number:
        return f"{number}\\{line[len(number) :]}"
    if line.startswith("[^"):  # a reference: text has "\\[^". Written "[^1]\\:" it does not become a note.
        return line.replace("]:", "]\\:", 1)
    return line if _begins_with_link(line.partition("\n")[0]) else "\\" + line


def _begins_with_link(line: str) -> bool:
    """Whether the line begins with a link, though it has "]:" like a link reference definition.

    That may be in a code span of the link's text: `` [`a]:`](b) ``.
    """
    if line[0] != "[":
        return False
    position = depth = 0
    while True:
        match = _label_part(line, position)
        if not match:
            return False
        position, part = match.end(), match[0]
        if part[0] == "`":
            position = _end_of_code_span(line, position, part)
        elif part in "[]":
            depth += 1 if part == "[" else -1
            if not depth:
                return line.startswith("(", position)


def _end_of_code_span(line: str, position: int, fence: str) -> int:
    """Return where the code span ends whose first backticks end at `position`; that position if nothing closes it."""
    return next((run.end() for run in _backtick_runs(line, position) if run[0] == fence), position)


def paragraph(inline: str, *, is_task: bool = False) -> str:
    """Return inline markdown as the lines of a paragraph; with `is_task` its first line keeps the box that begins it.

    No line begins with white space: layout.py removes it.
    """
    if "\n" not in inline:
        return inline if is_task else line_start(inline)
    is_first_done = is_task  # a box stays as it is
    if inline[0] == "[" and not is_task:
        inline, is_first_done = line_start(inline), True
    first, *further_lines = inline.split("\n")
    return "\n".join([first if is_first_done else line_start(first), *map(line_start, further_lines)])


def heading(inline: str) -> str:
    """Return inline markdown as an ATX heading's content: a trailing # would be its closing sequence (section 4.2)."""
    if inline.endswith("#"):
        return _closing_sequence.sub(lambda _: "\\", inline, 1)
    return inline


def code_span(raw: str) -> str:
    """Return a code span (section 6.1) whose content is `raw`, one line; "" for "", as a code span cannot be empty."""
    if not raw:
        return ""
    lengths = {len(run) for run in _backticks(raw)}
    fence = "`"
    while len(fence) in lengths:  # a fence must not be a run of the content: `` a`b ``
        fence += "`"
    # A renderer removes one space from both ends if both have one and there is more than spaces.
    is_stripped = raw[0] == raw[-1] == " " and raw.strip(" ")
    pad = " " if is_stripped or "`" in (raw[0], raw[-1]) else ""
    return f"{fence}{pad}{raw}{pad}{fence}"


def destination(url: str) -> str:
    """Return the URL as a link destination (section 6.3), in angle brackets if it cannot be bare."""
    if _plain_destination(url):
        return url
    url = _reference("&amp;", url.replace("\n", "%0A").replace("\r", "%0D"))
    if _needs_brackets(url):
        return "<" + _destination_special(_escaped, url) + ">"
    return _bare_special(_escaped, url)


def info_string(word: str) -> str:
    """Return the first word of an info string (section 4.5), escaped."""
    return _bare_special(_escaped, _reference("&amp;", word))


def _needs_brackets(url: str) -> bool:
    """Whether a URL needs angle brackets: it is empty, has spaces or controls, or unbalanced parentheses."""
    if not url or _bracket_reason(url):
        return True
    if "(" not in url and ")" not in url:
        return False
    depth = 0
    for char in url:
        if char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
        if depth < 0 or depth > _MAX_PARENTHESES:
            return True
    return depth != 0


def title(raw: str) -> str:
    """Return a link title with a space before it, or "" without a title. Line ends become character references."""
    if not raw:
        return ""
    return ' "' + _title_special(_escaped, _reference("&amp;", raw)).replace("\n", "&#10;").replace("\r", "&#13;") + '"'


# Replacements are functions: for a template such as r"\\\g<0>" Python would import re.
def _escaped(match: Match[str]) -> str:
    return "\\" + match[0]
