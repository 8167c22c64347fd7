"""Escape inline page text so that it reads back from markdown as the same text.

In: raw text, and a judge that knows what is around it (delimiters.py). Out: markdown. Only what would be read as markup
is escaped, and only where it would be.

Addresses need care, because renderers link them by themselves (GFM's extended autolinks). An address ends at white
space or "<"; the punctuation before that is not part of it. Readers copy addresses, so an address gets no backslashes.
If a renderer would link more than the address, or less, the link is written out. Where cmark-gfm and markdown-it
differ, the output suits both.
Specification: CommonMark 0.31 section 6.3 (links), GFM's extended autolinks.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from webtool.lean import patterns
from webtool.lean.patterns import Match
from webtool.markdown.delimiters import ALONE, BESIDE_EMPHASIS, Judge, as_later, in_link, in_text
from webtool.markdown.escape import destination

# One search finds out whether a text can hold markup at all; most prose cannot. It begins with a set of characters,
# because the engine skips quickly to the next of them. Then it looks back at the character that it found.
_suspicious = patterns.compile(
    r"""(?x)
    [\\`*_~<&\[\]:.]
    (?:(?<=[^:.])  # any of them but a colon or full stop
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


def text(raw: str, judge: Judge = ALONE, *, is_followed: bool = False) -> str:
    """Return `raw` escaped for inline content outside links.

    `is_followed` says that more content follows in the line.
    """
    if not _suspicious(raw):
        return raw
    if "://" in raw or "www." in raw or "WWW." in raw:
        return _with_addresses(raw, judge, is_followed)
    return in_text(judge, raw)


def _with_addresses(raw: str, judge: Judge, is_followed: bool) -> str:
    """Return `raw` escaped, but its addresses as they are: plain where a renderer links just them, else written out.

    `see http://a.b/c_d now` -> as it is; `http://a.b/c*` -> `<http://a.b/c>\\*`, as a renderer would take in the star.
    """
    out: list[str] = []
    position = 0  # `raw` is written up to here
    first_judge, first_tilde = judge, raw.find("~")
    for match in _address(raw):
        start, end = match.span()
        word_end = _end_of_word(raw, end).start()  # type: ignore[union-attr]
        # One renderer takes into the address markdown that follows directly, and a space that is not ASCII.
        goes_on = is_followed if word_end == len(raw) else raw[word_end] not in " \t\n\r\f\v"
        has_first_tilde = judge is ALONE and start < first_tilde < word_end
        if not goes_on and not _needs_backslash(raw[start:word_end], as_later(judge), has_first_tilde=has_first_tilde):
            continue  # a renderer links just the address
        out.append(before_link(_unaddressed(judge, raw[position:start], True)))
        out.append(_written_out(match[0], first_judge))
        position, judge = end, as_later(judge)
    out.append(_unaddressed(judge, raw[position:], is_followed))
    return "".join(out)


def _needs_backslash(word: str, judge: Judge, *, has_first_tilde: bool) -> bool:
    """Whether an address and what is attached to it would get a backslash.

    The first tilde of a text that begins its block gets none, as it closes nothing.
    """
    if has_first_tilde:
        word = word.replace("~", "-", 1)
    return "\\" in in_text(judge, word)


def _written_out(address: str, judge: Judge) -> str:
    """Return a link to the address: `<http://a.b/c>`, or `[www.a.b](http://www.a.b)` for what cannot be in brackets."""
    is_short = address[:4].lower() == "www."
    if is_short or "&" in address or "%" in address:  # renderers decode what is between angle brackets
        url = "http://" + address if is_short else address
        return f"[{link_text(address, judge)}]({destination(url)})"
    return f"<{address}>"


def _unaddressed(judge: Judge, raw: str, is_followed: bool) -> str:
    """Return `raw` escaped, with a backslash in whatever is not an address but would be read as the start of one."""
    escaped = in_text(judge, raw)
    if "://" not in escaped and not escaped.endswith("."):
        return escaped
    if is_followed:
        return _UNFINISHED.sub(_with_backslash_after, escaped)
    return _UNFINISHED.sub(_with_backslash_after, escaped + " ")[
        :-1
    ]  # the space: at the end of a line no address begins


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
    escaped = in_link(judge, raw)
    return _MISLEADING.sub(_with_backslash_after, escaped) if "://" in escaped else escaped


def _with_backslash_after(match: Match[str]) -> str:
    """Return a scheme or "www" with a backslash after it: `http\\://a.b` is shown without a link."""
    return match[0] + "\\"
