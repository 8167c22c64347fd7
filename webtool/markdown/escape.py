"""Escape page text so that it reads back from markdown as the same text.

In: raw text. Out: markdown. Only what would be read as markup is escaped, and only where it would be. The functions
belong to the places of a text: text() and link_text() inside a line, paragraph() and heading() for whole lines,
code_span(), destination(), title() and info_string() for the parts of constructs.

How careful inline text has to be is chosen by a "judge", a function that replaces one match of the search expression:

- ALONE: the text begins a block without emphasis. Only a delimiter run that could close something needs a backslash.
- AFTER: the text follows other content of the block.
- BESIDE_EMPHASIS: the block has real emphasis. A run that could open or close needs a backslash.

Only beside emphasis does a run that could merely open need a backslash: elsewhere nothing closes it, and it is shown.
Specification: CommonMark 0.31 sections 2.4 (backslash escapes), 2.5 (entities), 4 (what may begin a line), 6.1 (code
spans), 6.2 (emphasis), 6.3 (links); GFM's strikethrough, task list items and extended autolinks. Where cmark-gfm and
markdown-it differ, the output suits both.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from webtool.lean import patterns
from webtool.lean.characters import is_alnum
from webtool.lean.patterns import Match
from webtool.lean.typing import Callable

Replace = Callable[["Match[str]"], str]

# One search finds out whether a text can hold markup at all; most prose cannot. It begins with a set of characters:
# the engine skips quickly to the next of them. After the sign: a colon counts only before "//", a full stop only at the
# end of "www.".
_suspicious = patterns.compile(r"[\\`*_~<&\[\]:.](?:(?<=[^:.])|(?<=:)(?=//)|(?<=www\.)|(?<=WWW\.))").search

# A run of delimiters is one match, which a judge decides on. Every other match is one character that needs a backslash.
_COMMON = r"""(?x)
    \*+ | _+ | ~+  # delimiter run: **a**, snake_case, ~~a~~
    | \\(?=[!-/:-@\[-`{-~]|\Z)  # backslash that would escape a sign, or what follows the text: \*
    | `  # code span: `a`
    | <(?=[A-Za-z/!?])  # tag, comment or autolink: <b>
    | &(?=\#[0-9xX]|[A-Za-z][A-Za-z0-9]*;)  # character reference: &amp;
"""
_in_text = patterns.compile(
    _COMMON
    + r"""
    | \](?=\()  # end of a link's text: [a](b)
    | \[(?=\^)  # reference to a footnote: [^1]
    """
).sub
_in_link = patterns.compile(
    _COMMON
    + r"""
    | [\[\]]  # a bracket would end the link's text, or be a link in it
    | \A\^  # "[^" would begin a reference to a footnote
    """
).sub
_MAX_BEFORE = 1000  # characters before an underscore in which one that may open emphasis is looked for
_scheme = patterns.compile(r"(?i)(?:https?|ftp)(?=://)").sub
_end_of_word = patterns.compile(r"[\s<]|\Z").search
_address_at_end = patterns.compile(r"(?i)(?:https?://|ftp://|(?<![a-z0-9])www\.)\S*\Z").search
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
    | \[(?:[^\[\]\\]|\\.)*\]:  # link reference definition, or footnote
    """
).match
_LINE_STARTS = frozenset("#-+*>0123456789~=_|:[")
_backtick_runs = patterns.compile("`+").finditer
_label_part = patterns.compile(r"\\.|`+|[\[\]]").search
_closing_sequence = patterns.compile(r"(?:(?<=[ \t])|^)(?=#+[ \t]*$)")
_backticks = patterns.compile("`+").findall
_plain_destination = patterns.compile(r"[^\x00-\x20<>()\\&|\x7f]+\Z").match
_destination_special = patterns.compile(r"[<>\\]").sub
_bare_special = patterns.compile(r"\\(?=[!-/:-@\[-`{-~]|\Z)").sub
# cmark decodes character references in destinations and titles before backslashes: "&" is written "&amp;", not "\&".
_reference = patterns.compile(r"&(?=\#[0-9xX]|[A-Za-z][A-Za-z0-9]*;)").sub
_MAX_PARENTHESES = 32  # nested parentheses in a bare destination, cmark's limit; deeper ones need angle brackets
_bracket_reason = patterns.compile(r"[\x00-\x20<>\x7f]").search
_title_special = patterns.compile(r'["\\]').sub


# The neighbours of a text are unknown. These are assumed, which make a backslash more likely: beside a space an
# underscore may close; a star is neither white space nor part of a word.
_UNKNOWN_AFTER = " "
_UNKNOWN = "*"


def _judge_alone(match: Match[str]) -> str:
    """Return the match with the backslashes that it needs in a text that begins a block without emphasis."""
    run, start = match[0], match.start()
    is_first = run[0] in "*_~" and run[0] not in match.string[:start]
    if is_first or (run[0] == "_" and start < _MAX_BEFORE and not _has_opening_underscore(match.string, start)):
        return run  # nothing before it can open, so it cannot close
    return _judge_after_start(match)


def _has_opening_underscore(text: str, end: int) -> bool:
    """Return whether an underscore before `end` may open emphasis: one that does not follow a letter or digit."""
    position = text.find("_", 0, end)
    while position > 0 and is_alnum(text[position - 1]):
        position = text.find("_", position + 1, end)
    return position >= 0


def _judge_after_start(match: Match[str]) -> str:
    """Return the match with a backslash, unless it is a delimiter run that cannot close anything."""
    run, text = match[0], match.string
    if run[0] not in "*_~":
        return "\\" + run
    start, end = match.span()
    before = text[start - 1]  # exists: the callers decide on a run at the start themselves
    after = text[end] if end < len(text) else _UNKNOWN_AFTER
    is_in_word = run[0] == "_" and is_alnum(after)  # snake_case
    # https://example.com/~user, but not the last one of "~a/~": GFM would strike the words between them through
    is_in_address = run == "~" and before in "/:" and is_alnum(after)
    return run if before.isspace() or is_in_word or is_in_address else _all_escaped(run)


def _judge_beside_emphasis(match: Match[str]) -> str:
    """Return the match with a backslash, unless it is a delimiter run that can neither open nor close."""
    run, text = match[0], match.string
    if run[0] not in "*_~":
        return "\\" + run
    start, end = match.span()
    before = text[start - 1] if start else _UNKNOWN
    after = text[end] if end < len(text) else _UNKNOWN
    is_between_spaces = before.isspace() and after.isspace()
    is_in_word = run[0] == "_" and is_alnum(before) and is_alnum(after)  # snake_case
    # https://example.com/~user, but not the "~" that follows "//"
    is_in_address = run == "~" and before == "/" and "://" in text and text[start - 2 : start - 1] != "/"
    is_in_address = is_in_address and is_alnum(after)
    return run if is_between_spaces or is_in_word or is_in_address else _all_escaped(run)


def _judge_after(match: Match[str]) -> str:
    """Return the match with the backslashes that it needs in a text that follows other inline content."""
    is_at_start = not match.start() and match[0][0] in "*_~"
    return _all_escaped(match[0]) if is_at_start else _judge_after_start(match)


def _all_escaped(run: str) -> str:
    """Return a run with a backslash before each of its characters."""
    return "\\" + "\\".join(run)


ALONE, AFTER, BESIDE_EMPHASIS = _judge_alone, _judge_after, _judge_beside_emphasis


# GFM's extended autolinks. An address ends at white space or "<"; the punctuation before that is not part of it.
_address = patterns.compile(
    r"""(?xi)
    (?:https?://|ftp://|(?<![a-z0-9])www\.)  # the beginning that makes a renderer link what follows
    (?![!-/:-@^-`{-~])  # the host name does not begin with a sign
    [^\s<>]*[^\s<>?!.,:*_~'\"`)\]]
    """
).finditer
# The beginning of an address without the rest: a renderer would take what follows it for a host name.
_unfinished = patterns.compile(
    r"""(?xi)
    www(?=\.\Z)  # "www." at the end of the text: markup follows
    | (?<!://)(?<![a-z0-9.+-])(?:https?|ftp)(?=://(?:[$+=^`|~]|\Z))  # http://|
    """
).sub
# An address in link text after which the link goes on. A renderer looks for addresses before it looks for the closing
# bracket, and would swallow that: [see http://a[1]](b), [http://a (b](c)
_misleading = patterns.compile(
    r"""(?xi)
    (?:https?|ftp)(?=://\S*(?:
        [\\\[\]&`{"']  # a sign that renderers disagree about
        | \([^\s()]*(?:\s|\Z)  # a parenthesis that is not closed
    ))
    """
).sub


def text(raw: str, judge: Replace = ALONE, *, is_followed: bool = False) -> str:
    """Return `raw` escaped for inline content outside links.

    `judge` is ALONE, AFTER or BESIDE_EMPHASIS. `is_followed` says that more content follows in the line.
    """
    if not _suspicious(raw):
        return raw
    if "://" in raw or "www." in raw or "WWW." in raw:
        return _with_addresses(raw, judge, is_followed)
    return _in_text(judge, raw)


def _with_addresses(raw: str, judge: Replace, is_followed: bool) -> str:
    """Return `raw` escaped, with its addresses left as they are if a renderer would link just them.

    Readers copy addresses, so an address gets no escapes. If a renderer's autolink would take more than the address, or
    less, the link is written out: `<address>` or `[address](url)`.
    """
    out: list[str] = []
    position = 0
    first_tilde = raw.find("~") if judge is ALONE else -1  # it closes nothing, so ALONE leaves it as it is
    for match in _address(raw):
        address, end = match[0], match.end()
        word_end = _end_of_word(raw, end).start()  # type: ignore[union-attr]
        word = raw[match.start() : word_end]
        # One renderer takes into the address markdown that follows directly, and a space that is not ASCII.
        goes_on = is_followed if word_end == len(raw) else raw[word_end] not in " \t\n\r\f\v"
        is_first = not position and match.start() < first_tilde < word_end
        judged = word.replace("~", "-", 1) if is_first else word
        if not goes_on and "`" not in word and "\\" not in _in_text(_as_later(judge), judged):
            continue  # a renderer links just the address
        before = raw[position : match.start()]
        out.append(before_link(_unaddressed(_as_later(judge) if position else judge, before, True)))
        is_short = address[:4].lower() == "www."
        if is_short or "&" in address or "%" in address:  # renderers decode what is between angle brackets
            url = "http://" + address if is_short else address
            out.append(f"[{link_text(address, judge)}]({destination(url)})")
        else:
            out.append(f"<{address}>")
        position = end
    out.append(_unaddressed(_as_later(judge) if position else judge, raw[position:], is_followed))
    return "".join(out)


def _unaddressed(judge: Replace, raw: str, is_followed: bool) -> str:
    """Return `raw` escaped, with a backslash in whatever is not an address but would be read as the start of one."""
    escaped = _in_text(judge, raw)
    if "://" not in escaped and not escaped.endswith("."):
        return escaped
    if is_followed:
        return _unfinished(_backslashed, escaped)
    return _unfinished(_backslashed, escaped + " ")[:-1]  # the space: at the end of a line no address begins


def _as_later(judge: Replace) -> Replace:
    """Return the judge for a text that does not begin its block."""
    return AFTER if judge is ALONE else judge


def ends_in_address(text: str) -> bool:
    """Whether `text` ends in an address, so that a renderer's autolink would take what follows without a space."""
    return ("://" in text or "www." in text) and _address_at_end(text) is not None


def before_link(escaped: str) -> str:
    """Escape a "!" at the end of text before a link: it would make the link an image."""
    if escaped[-1:] != "!":
        return escaped
    text = escaped[:-1]
    is_escaped = (len(text) - len(text.rstrip("\\"))) % 2 == 1  # "a\!" is, but "a\\!" ends in a backslash and a "!"
    return escaped if is_escaped else text + "\\!"


def without_addresses(link: str) -> str:
    """Put a backslash into each address of a link text: a renderer would take a code span after it for a part of it."""
    return _scheme(_backslashed, link)


def link_text(raw: str, judge: Replace = _judge_beside_emphasis) -> str:
    """Return `raw` escaped for a link text or an image description. Markup there would be read and thrown away."""
    if not raw or not (_suspicious(raw) or raw[0] == "^"):
        return raw
    escaped = _in_link(judge, raw)
    return _misleading(_backslashed, escaped) if "://" in escaped else escaped


def line_start(line: str) -> str:
    """Return one line of a paragraph, without white space before it, escaped if it would begin another block."""
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
    return line if _begins_with_link(line) else "\\" + line


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
            position = next((run.end() for run in _backtick_runs(line, position) if run[0] == part), position)
        elif part in "[]":
            depth += 1 if part == "[" else -1
            if not depth:
                return line.startswith("(", position)


def paragraph(inline: str, *, is_task: bool = False) -> str:
    """Return inline markdown as the lines of a paragraph; with `is_task` its first line keeps the box that begins it.

    No line begins with white space: layout.py removes it.
    """
    if "\n" not in inline:
        return inline if is_task else line_start(inline)
    first, *further_lines = inline.split("\n")
    return "\n".join([first if is_task else line_start(first), *map(line_start, further_lines)])


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


def _backslashed(match: Match[str]) -> str:
    """Return the match with a backslash after it."""
    return match[0] + "\\"
