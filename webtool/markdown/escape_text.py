r"""Escape inline page text so that it reads back from markdown as the same text.

In: raw text, and a judge that knows what is around it. Out: markdown. Only what would be read as markup is escaped, and
only where it would be. Where cmark-gfm and markdown-it differ, the output suits both.

A delimiter run is a row of equal `*`, `_` or `~`: it opens emphasis, closes it, or is shown. A judge decides which runs
and signs need a backslash. Which judge a text has depends on what is around it:

judge           the text                          a run gets a backslash if it could  `*a* b *c` becomes
ALONE           begins a block without emphasis   close an earlier run                `*a\* b *c`
AFTER           follows content of such a block   close, or is at the text's start    `\*a\* b *c`
BESIDE_EMPHASIS is in a block with real emphasis  close or open                       `\*a\* b \*c`

In a block without emphasis a run that can only open is shown, because nothing closes it. In a block with real emphasis
the closing delimiter of that emphasis could close it.

Addresses need care, because renderers link them by themselves (GFM's extended autolinks). An address ends at white
space or "<"; the punctuation before that is not part of it. Readers copy addresses, so an address gets no backslashes.
If a renderer would link more than the address, or less, the link is written out.
Specification: CommonMark 0.31 sections 2.4 (backslash escapes), 2.5 (entities), 6.2 (emphasis), 6.3 (links); GFM's
strikethrough and extended autolinks.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from webtool.lean import patterns
from webtool.lean.characters import is_alnum
from webtool.lean.patterns import Match
from webtool.lean.typing import Callable
from webtool.markdown.escape import destination

Judge = Callable[["Match[str]"], str]

# A run of delimiters is one match. Every other match is one character that needs a backslash.
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
# The end of a text that the next string may complete to markup, and such a sign completed.
_unfinished_sign = patterns.compile(r"(?<!\\)(?:\\\\)*([<\[\]]|&\#?[0-9A-Za-z]*)\Z").search
_completed_sign = patterns.compile(r"<[A-Za-z/!?]|&(?:\#[0-9xX]|[A-Za-z][A-Za-z0-9]*;)|\]\(|\[\^").match
_MAX_UNFINISHED = 40  # characters of both strings that are looked at; names of characters are shorter
# Characters of a text's beginning in which _may_be_open() tells apart underscores that open from those in snake_case.
# After them each underscore counts as one that opens: asking for each run would take quadratic time.
_MAX_SNAKE_CASE = 1000
# What is assumed to follow the text, because its neighbour is unknown. Both make a backslash more likely.
_NEXT_IF_CLOSING = " "  # an underscore closes before a space, and not before a letter
_NEXT_IF_EITHER = "*"  # before a star a run may open and close: it is neither white space nor part of a word

# One search finds out whether a text can hold markup at all; most prose cannot. It begins with a set of characters,
# because the engine skips quickly to the next of them. The look-behinds then say which of the set counts here: each one
# but a colon and a full stop, which count only in "://" and "www.".
_suspicious = patterns.compile(
    r"""(?x)
    [\\`*_~<&\[\]:.]
    (?:(?<=[^:.])  # a*, a_b
    | (?<=:)(?=//)  # http://
    | (?<=www\.) | (?<=WWW\.)
    )
    """
).search
_BEGINNING = r"(?:https?://|ftp://|(?<![a-z0-9])www\.)"  # of what a renderer links
_address = patterns.compile(
    rf"""(?xi)
    {_BEGINNING}
    (?![!-/:-@^-`{{-~])  # the host name does not begin with a sign
    [^\s<>]*[^\s<>?!.,:*_~'\"`)\]]
    """
).finditer
_beginning_of_address = patterns.compile(rf"(?i){_BEGINNING}").search
_scheme = patterns.compile(r"(?i)(?:https?|ftp)(?=://)").sub
_end_of_word = patterns.compile(r"[\s<]|\Z").search
# The beginning of an address without the rest: a renderer would take what follows it for a host name. The match ends
# where the backslash goes.
_UNFINISHED = patterns.compile(
    r"""(?xi)
    www(?=\.\Z)  # "www." at the end of the text: markup follows
    # "www.(x)", "www.\u00a0x", "www..*": cmark-gfm links what follows "www." up to the next ASCII space.
    | (?<![^\s*_~(])www(?=\.(?:[!-\-/:-@\[-`{-~]|[^\S\x00-\x20]|\.+[^\x00-\x20.]))
    | (?<!://)(?<![a-z0-9.+-])(?:https?|ftp)(?=://(?:[$+=^`|~]|\Z))  # http://|
    """
)
# The scheme of an address in link text after which the link goes on. A renderer looks for addresses before it looks for
# the closing bracket, and would swallow that: [see http://a[1]](b), [http://a (b](c)
_MISLEADING = patterns.compile(
    r"""(?xi)
    (?:https?|ftp)(?=://\S*(?:
        [\\\[\]&`{"']  # a sign that renderers disagree about
        | \([^\s()]*(?:\s|\Z)  # a parenthesis that is not closed
    ))
    """
)


def _judge_alone(match: Match[str]) -> str:
    """Escape a match in a text that begins a block without emphasis."""
    run = match[0]
    if run[0] in "*_~" and not _may_be_open(run[0], match.string, match.start()):
        return run  # nothing before it can open, so it cannot close
    return _judge_after_start(match)


def _may_be_open(sign: str, text: str, end: int) -> bool:
    """Whether a run of `sign` before `end` may open emphasis. An underscore after a letter or digit opens nothing."""
    position = text.find(sign, 0, end)
    if sign == "_" and end < _MAX_SNAKE_CASE:
        while position > 0 and is_alnum(text[position - 1]):  # snake_case
            position = text.find(sign, position + 1, end)
    return position >= 0


def _judge_after(match: Match[str]) -> str:
    """Escape a match in a text that follows other content of a block without emphasis."""
    is_at_start = not match.start() and match[0][0] in "*_~"
    return _all_escaped(match[0]) if is_at_start else _judge_after_start(match)


def _judge_after_start(match: Match[str]) -> str:
    """Escape a match, unless it is a run that cannot close anything. A run at the text's start never comes here."""
    run, text = match[0], match.string
    if run[0] not in "*_~":
        return "\\" + run
    start, end = match.span()
    before = text[start - 1]
    after = text[end] if end < len(text) else _NEXT_IF_CLOSING
    is_in_word = run[0] == "_" and is_alnum(after)  # snake_case
    # https://example.com/~user: between a sign and a letter a tilde only opens. The last one of "~a/~" closes.
    is_before_user = run == "~" and before in "/:" and is_alnum(after)
    return run if before.isspace() or is_in_word or is_before_user else _all_escaped(run)


def _judge_beside_emphasis(match: Match[str]) -> str:
    """Escape a match, unless it is a run that can neither open nor close."""
    run, text = match[0], match.string
    if run[0] not in "*_~":
        return "\\" + run
    start, end = match.span()
    before = text[start - 1] if start else _NEXT_IF_EITHER  # the same holds for what precedes the text
    after = text[end] if end < len(text) else _NEXT_IF_EITHER
    is_between_spaces = before.isspace() and after.isspace()
    is_in_word = run[0] == "_" and is_alnum(before) and is_alnum(after)  # snake_case
    is_in_address = run == "~" and _is_before_user_in_address(text, start) and is_alnum(after)
    return run if is_between_spaces or is_in_word or is_in_address else _all_escaped(run)


def _is_before_user_in_address(text: str, start: int) -> bool:
    """Whether a tilde begins a later part of an address's path: https://example.com/~user, but not https://~user."""
    return "://" in text and text[start - 1 : start] == "/" and text[start - 2 : start - 1] != "/"


def _all_escaped(run: str) -> str:
    """Return a run with a backslash before each of its characters."""
    return "\\" + "\\".join(run)


ALONE, AFTER, BESIDE_EMPHASIS = _judge_alone, _judge_after, _judge_beside_emphasis


def _as_later(judge: Judge) -> Judge:
    """Return the judge for what follows in the block of a text that has this judge."""
    return AFTER if judge is ALONE else judge


def text(raw: str, judge: Judge = ALONE, *, is_followed: bool = False) -> str:
    """Return `raw` escaped for inline content outside links.

    `is_followed` says that more content follows in the line.
    """
    if not _suspicious(raw):
        return raw
    if "://" in raw or "www." in raw or "WWW." in raw:
        return _with_addresses(raw, judge, is_followed)
    return _in_text(judge, raw)


def _with_addresses(raw: str, judge: Judge, is_followed: bool) -> str:
    """Return `raw` escaped, but its addresses as they are: plain where a renderer links just them, else written out.

    `see http://a.b/c_d now` -> as it is; `http://a.b/c*` -> `<http://a.b/c>\\*`, as a renderer would take in the star.
    """
    out: list[str] = []
    position = 0  # `raw` is written up to here
    # A link's text does not count what is before it in `raw`, so it has the judge of the whole text.
    first_judge, first_tilde = judge, raw.find("~")
    for match in _address(raw):
        start, end = match.span()
        word_end = _end_of_word(raw, end).start()  # type: ignore[union-attr]
        # One renderer takes into the address markdown that follows directly, and a space that is not ASCII.
        goes_on = is_followed if word_end == len(raw) else raw[word_end] not in " \t\n\r\f\v"
        has_first_tilde = judge is ALONE and start < first_tilde < word_end  # as in https://a.b/~user
        if not goes_on and not _needs_backslash(raw[start:word_end], _as_later(judge), has_first_tilde=has_first_tilde):
            continue  # a renderer links just the address
        out.append(before_link(_unaddressed(judge, raw[position:start], True)))
        out.append(_written_out(match[0], first_judge))
        position, judge = end, _as_later(judge)
    out.append(_unaddressed(judge, raw[position:], is_followed))
    return "".join(out)


def _needs_backslash(word: str, judge: Judge, *, has_first_tilde: bool) -> bool:
    """Whether an address and what is attached to it would get a backslash.

    The first tilde of a text that begins its block gets none, as it closes nothing.
    """
    if has_first_tilde:
        word = word.replace("~", "-", 1)
    return "\\" in _in_text(judge, word)


def _written_out(address: str, judge: Judge) -> str:
    """Return a link to the address: `<http://a.b/c>`, or `[www.a.b](http://www.a.b)` for what cannot be in brackets."""
    is_short = address[:4].lower() == "www."
    if is_short or "&" in address or "%" in address:  # renderers decode what is between angle brackets
        url = "http://" + address if is_short else address
        return f"[{link_text(address, judge)}]({destination(url)})"
    return f"<{address}>"


def _unaddressed(judge: Judge, raw: str, is_followed: bool) -> str:
    """Return `raw` escaped, with a backslash in whatever is not an address but would be read as the start of one."""
    escaped = _in_text(judge, raw)
    if "://" not in escaped and "www." not in escaped.lower() and not escaped.endswith("."):
        return escaped
    end = "" if is_followed else " "  # at the end of a line no address begins: a space stands for it
    marked = _UNFINISHED.sub(_with_backslash_after, escaped + end)
    return marked.removesuffix(end)


def joined(strings: list[str]) -> str:
    """Return the strings of a line as one: delimiters, escaped texts, ready markdown.

    Where emphasis was given up, two texts touch that were escaped apart. They must not make markup together:
    `x&` and `amp;` give `x\\&amp;`.
    """
    out: list[str] = []
    for string in strings:
        before = out[-1] if out else ""
        if string[:1] == "(" and type(before) is not str and before.endswith("]"):
            out.append("\\")  # after a footnote reference, see inline.py
        # Of the other strings that end in "]", a footnote's is a subclass of str, and "][1]" ends a numbered link.
        is_text = type(before) is str and not before.startswith("][")
        end = _unfinished_sign(before[-_MAX_UNFINISHED:]) if is_text else None
        if end and _completed_sign(end[1] + string[:_MAX_UNFINISHED]):
            out[-1] = before[: -len(end[1])] + "\\" + end[1]
        out.append(string)
    return "".join(out)


def ends_in_address(text: str) -> bool:
    """Whether `text` ends in an address, so that a renderer's autolink would take what follows without a space."""
    *_, word = text.rsplit(None, 1) or [""]
    return text.endswith(word) and _beginning_of_address(word) is not None


def before_link(escaped: str) -> str:
    """Escape a "!" at the end of text before a link: it would make the link an image."""
    if escaped[-1:] != "!":
        return escaped
    text = escaped[:-1]
    is_escaped = (len(text) - len(text.rstrip("\\"))) % 2 == 1  # "a\!" is, but "a\\!" ends in a backslash and a "!"
    return escaped if is_escaped else text + "\\!"


def without_addresses(link: str) -> str:
    """Put a backslash into each address of a link text: a renderer would take a code span after it for a part of it."""
    return _scheme(_with_backslash_after, link)


def link_text(raw: str, judge: Judge = BESIDE_EMPHASIS) -> str:
    """Return `raw` escaped for a link text or an image description. Markup there would be read and thrown away."""
    if not raw or not (_suspicious(raw) or raw[0] == "^"):
        return raw
    escaped = _in_link(judge, raw)
    return _MISLEADING.sub(_with_backslash_after, escaped) if "://" in escaped else escaped


def _with_backslash_after(match: Match[str]) -> str:
    """Return a scheme or "www" with a backslash after it: `http\\://a.b` is shown without a link."""
    return match[0] + "\\"
