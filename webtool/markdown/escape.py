"""Escaping: page text in, markdown that reads back as the same text out.

Only what would be read as markup is escaped, and only where it would be. Specification: CommonMark 0.31 sections 2.4
(backslash escapes), 2.5 (entities), 6.1 (code spans), 6.2 (emphasis), 6.3 (links), 4 (what may begin a line), and GFM's
strikethrough, task list and extended autolink sections.
"""

from __future__ import annotations

from webtool.lean import patterns
from webtool.lean.patterns import Match
from webtool.lean.typing import Callable

Replace = Callable[["Match[str]"], str]

# One search tells whether a text can hold markup at all; most prose cannot.
# It begins with a set of characters, so that the engine skips to the next of them.
_suspicious = patterns.compile(r"[\\`*_~<&\[\]:.](?:(?<=[^:.])|(?<=:)(?=//)|(?<=www\.)|(?<=WWW\.))").search

# Runs of delimiters are judged as a whole; every other alternative is one character that needs a backslash.
_COMMON = r"\*+|_+|~+|\\(?=[!-/:-@\[-`{-~]|\Z)|`|<(?=[A-Za-z/!?])|&(?=\#[0-9xX]|[A-Za-z][A-Za-z0-9]*;)"
_in_text = patterns.compile(_COMMON + r"|\](?=\()|\[(?=\^)").sub
_in_link = patterns.compile(_COMMON + r"|[\[\]]|\A\^").sub


def _calm(match: Match[str]) -> str:
    """Escape for text that begins a block without emphasis: only a run that could close something needs it."""
    run, start = match[0], match.start()
    if run[0] in "*_~" and run[0] not in match.string[:start]:
        return run  # nothing is open yet
    if run[0] == "_" and start < _NEAR and not _opening_underscore(match.string, 0, start):
        return run
    return _calm_later(match)


_NEAR = 1000  # characters that are looked through for what may be open
_opening_underscore = patterns.compile(r"(?<![^\W_])_").search


def _calm_later(match: Match[str]) -> str:
    run, text = match[0], match.string
    if run[0] not in "*_~":
        return "\\" + run
    start, end = match.span()
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    if before.isspace() or (run[0] == "_" and after.isalnum()) or (run == "~" and before in "/:"):
        return run
    return "\\" + "\\".join(run)


def _strict(match: Match[str]) -> str:
    """Escape for text beside real emphasis: a run that could open or close needs it."""
    run, text = match[0], match.string
    if run[0] not in "*_~":
        return "\\" + run
    start, end = match.span()
    before = text[start - 1] if start else "*"
    after = text[end] if end < len(text) else "*"
    if before.isspace() and after.isspace():
        return run
    if run == "~" and before == "/" and "://" in text and text[start - 2 : start - 1] != "/":
        return run  # in the path of an address
    if run == "_" * len(run) and before.isalnum() and after.isalnum():
        return run
    return "\\" + "\\".join(run)


def _calm_inside(match: Match[str]) -> str:
    """Like _calm for a text that follows other inline content than text."""
    if match.start() or match[0][0] not in "*_~":
        return _calm_later(match)
    return "\\" + "\\".join(match[0])


ALONE, AFTER, BESIDE_EMPHASIS = _calm, _calm_inside, _strict


# GFM's extended autolinks: they end at white space, and without the punctuation before it.
_address = patterns.compile(
    r"(?i)(?:https?://|ftp://|(?<![a-z0-9])www\.)(?![!-/:-@^-`{-~])[^\s<>]*[^\s<>?!.,:*_~'\"`)\]]"
).finditer
# No address, but one renderer takes symbols, and the other what we write behind it, for the name of a host.
_unfinished = patterns.compile(r"(?i)www(?=\.\Z)|(?<!://)(?<![a-z0-9.+-])(?:https?|ftp)(?=://(?:[$+=^`|~]|\Z))").sub
# In brackets one renderer looks for addresses before it looks for the end of the brackets.
_misleading = patterns.compile(r"(?i)(?:https?|ftp)(?=://\S*(?:[\\\[\]&`{\"']|\([^\s()]*(?:\s|\Z)))").sub


def text(raw: str, judge: Replace = ALONE, *, is_followed: bool = False) -> str:
    """`raw` escaped for inline content outside links.

    `judge`: ALONE for a text that begins a block without emphasis, AFTER for one that follows other content there,
    BESIDE_EMPHASIS for any text of a block with emphasis. `is_followed` says that something stands behind it.
    """
    if not _suspicious(raw):
        return raw
    if "://" in raw or "www." in raw or "WWW." in raw:
        return _with_addresses(raw, judge, is_followed)
    return _in_text(judge, raw)


def _with_addresses(raw: str, judge: Replace, is_followed: bool) -> str:
    """An address in text is left alone, because readers copy it, unless it would take what follows or need escapes.

    Then it is written as the link that a renderer would make of it.
    """
    out: list[str] = []
    at = 0
    for match in _address(raw):
        address, end = match[0], match.end()
        behind = _end_of_word(raw, end).start()  # type: ignore[union-attr]
        rest = raw[end:behind]
        # To one renderer only ASCII's white space ends an address.
        would_take_more = is_followed if behind == len(raw) else raw[behind] not in " \t\n\r\f\v"
        if not would_take_more and "`" not in address + rest and "\\" not in _in_text(_as_later(judge), address + rest):
            continue
        out.append(before_link(_unaddressed(judge if not at else _as_later(judge), raw[at : match.start()], True)))
        is_short = address[:4].lower() == "www."
        if is_short or "&" in address or "%" in address:  # renderers decode what is between angle brackets
            url = "http://" + address if is_short else address
            out.append(f"[{link_text(address, judge)}]({destination(url)})")
        else:
            out.append(f"<{address}>")
        at = end
    out.append(_unaddressed(judge if not at else _as_later(judge), raw[at:], is_followed))
    return "".join(out)


_scheme = patterns.compile(r"(?i)(?:https?|ftp)(?=://)").sub


def _unaddressed(judge: Replace, raw: str, is_followed: bool) -> str:
    """`raw` escaped, with a backslash in what is no address and would be read as the beginning of one."""
    escaped = _in_text(judge, raw)
    if "://" not in escaped and "." not in escaped[-1:]:
        return escaped
    return _unfinished(_backslashed, escaped) if is_followed else _unfinished(_backslashed, escaped + " ")[:-1]


_end_of_word = patterns.compile(r"[\s<]|\Z").search


def _as_later(judge: Replace) -> Replace:
    return AFTER if judge is ALONE else judge


_address_at_end = patterns.compile(r"(?i)(?:https?://|ftp://|(?<![a-z0-9])www\.)\S*\Z").search


def ends_in_address(text: str) -> bool:
    """Whether a renderer's autolink would take what follows `text` without a space."""
    return ("://" in text or "www." in text) and _address_at_end(text) is not None


def before_link(escaped: str) -> str:
    """Text that stands before a link: "!" at its end would make that a picture."""
    if escaped[-1:] != "!" or (len(escaped) - 1 - len(escaped[:-1].rstrip("\\"))) % 2:
        return escaped
    return escaped[:-1] + "\\!"


def without_addresses(link: str) -> str:
    """A link's text, with a backslash in each address: a renderer would take code behind it for a part of it."""
    return _scheme(_backslashed, link)


def link_text(raw: str, judge: Replace = _strict) -> str:
    """`raw` escaped for a link's text or an image's description, whose markup would be read and thrown away."""
    if not raw or not (_suspicious(raw) or raw[0] == "^"):
        return raw
    escaped = _in_link(judge, raw)
    return _misleading(_backslashed, escaped) if "://" in escaped else escaped


# What would begin another block than a paragraph. Group 1 is a number before its delimiter.
_line_start = patterns.compile(
    r"""(?x)
    \#{1,6}(?=[ \t]|$) | [-+*](?=[ \t]|$) | > | ([0-9]{1,9})(?=[.)](?:[ \t]|$)) | ~~~ |
    (?: =+ | -+ | (?:\*[ \t]*)+ | (?:_[ \t]*){3,} | (?:-[ \t]*){3,} )[ \t]*$ |
    [|:-](?=[|:\- \t]*$) | \[[ xX]\](?=[ \t]|$) | \[(?:[^\[\]\\]|\\.)*\]:
    """
).match
_LINE_STARTS = frozenset("#-+*>0123456789~=_|:[")


def line_start(line: str) -> str:
    """One line of a paragraph, its beginning escaped where it would begin another block."""
    if not line or line[0] not in _LINE_STARTS or (line[0] == "[" and line[2:3] != "]" and "]:" not in line):
        return line
    match = _line_start(line)
    if not match:
        return line
    number = match[1]
    if number:
        return f"{number}\\{line[len(number) :]}"
    return line if _begins_with_link(line) else "\\" + line


_backtick_runs = patterns.compile("`+").finditer
_label_part = patterns.compile(r"\\.|`+|[\[\]]").search


def _begins_with_link(line: str) -> bool:
    """Whether "[" at the beginning is a link's: "]:" can stand in a code span in its text."""
    if line[0] != "[":
        return False
    at = depth = 0
    while True:
        match = _label_part(line, at)
        if not match:
            return False
        at, part = match.end(), match[0]
        if part[0] == "`":
            at = next((run.end() for run in _backtick_runs(line, at) if run[0] == part), at)
        elif part in "[]":
            depth += 1 if part == "[" else -1
            if not depth:
                return line.startswith("(", at)


def paragraph(inline: str, *, is_task: bool = False) -> str:
    """Inline markdown as the lines of a paragraph; the first of a task's begins with its box."""
    if "\n" not in inline:
        return inline if is_task else line_start(inline)
    first, *others = inline.split("\n")
    return "\n".join([first if is_task else line_start(first), *map(line_start, others)])


_closing_sequence = patterns.compile(r"(?:(?<=[ \t])|^)(?=#+[ \t]*$)")


def heading(inline: str) -> str:
    """Inline markdown as the content of an ATX heading (section 4.2: a closing sequence of # is optional)."""
    if inline.endswith("#"):
        return _closing_sequence.sub(lambda _: "\\", inline, 1)
    return inline


_backticks = patterns.compile("`+").findall


def code_span(raw: str) -> str:
    """A code span (section 6.1) whose content is `raw`, one line."""
    if "`" not in raw:
        if raw[0] == raw[-1] == " " and raw.strip(" "):
            return f"` {raw} `"
        return f"`{raw}`"
    lengths = {len(run) for run in _backticks(raw)}
    size = 1
    while size in lengths:
        size += 1
    fence = "`" * size
    pad = " " if raw[0] in "` " or raw[-1] in "` " else ""
    return f"{fence}{pad}{raw}{pad}{fence}"


_plain_destination = patterns.compile(r"[^\x00-\x20<>()\\&|\x7f]+\Z").match
_destination_special = patterns.compile(r"[<>\\]").sub
_bare_special = patterns.compile(r"\\(?=[!-/:-@\[-`{-~]|\Z)").sub
# cmark decodes references in destinations and titles before it looks at backslashes, so "&" is one, not "\&".
_reference = patterns.compile(r"&(?=\#[0-9xX]|[A-Za-z][A-Za-z0-9]*;)").sub
_NESTED_PARENTHESES = 32  # cmark's limit


def destination(url: str) -> str:
    """A link destination (section 6.3)."""
    if _plain_destination(url):
        return url
    url = _reference("&amp;", url.replace("\n", "%0A").replace("\r", "%0D"))
    if _needs_brackets(url):
        return "<" + _destination_special(_escaped, url) + ">"
    return _bare_special(_escaped, url)


def info_string(word: str) -> str:
    """The first word of an info string (section 4.5)."""
    return _bare_special(_escaped, _reference("&amp;", word))


_bracket_reason = patterns.compile(r"[\x00-\x20<>\x7f]").search


def _needs_brackets(url: str) -> bool:
    if not url or _bracket_reason(url):
        return True
    depth = 0
    for char in url if "(" in url or ")" in url else ():
        if char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
        if depth < 0 or depth > _NESTED_PARENTHESES:
            return True
    return depth != 0


_title_special = patterns.compile(r'["\\]').sub


def title(raw: str) -> str:
    """A link title with the space before it; "" for none. Line ends are kept as character references."""
    if not raw:
        return ""
    return ' "' + _title_special(_escaped, _reference("&amp;", raw)).replace("\n", "&#10;") + '"'


# Replacements are functions: Python imports re to read a template such as r"\\\g<0>".
def _escaped(match: Match[str]) -> str:
    return "\\" + match[0]


def _backslashed(match: Match[str]) -> str:
    return match[0] + "\\"
