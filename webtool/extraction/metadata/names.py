"""The name in a text that should be one. In: a byline, a value of data. Out: the name, "" where there is none.

What stands around names is cut off: By and its like, roles, days, places, whom somebody writes for.
"""

from __future__ import annotations

from webtool.extraction import labels
from webtool.lean import patterns

MAX_NAME = 80
MAX_NAMES = 200
_BY = patterns.compile(
    rf"(?i)^\W{{0,3}}(?:(?:{labels.any_of('written')})\s+)?"
    rf"(?:(?:{labels.any_of('by')})\b[\s:|]*|(?-i:By(?=[A-Z][a-z])))"
    rf"|^\W{{0,3}}(?:{labels.any_of('author_line')})\s*[:\uff1a|]?\s*(?:\s|(?<=\|))"
)
_INSIDE = patterns.compile(
    r"\b(?:[Ww]ritten |[Pp]osted |[Ss]tarted |[Ss]ubmitted .{0,30}?)?[Bb]y:?\s+(?=[A-Z\u00c0-\u024f]|\w+$)"
)
KOREAN_ROLE = f"(?:{labels.any_of('byline_role')})"
"""What stands behind the name of who writes for a Korean newspaper."""
_KOREAN = patterns.compile(rf"(?<=[\uac00-\ud7a3]{{2}})\s{KOREAN_ROLE}(?=\W|$).*")
_CHINESE = patterns.compile(
    r"^\W*(?:(?:\u4f5c\u8005|\u64b0\u6587)\s*[:\uff1a]\s*|[\u4e00-\u9fff]{2,8}\u8bb0\u8005\s+)"
    r"|\s+(?:\u8d23\u4efb\u7f16\u8f91|\u8d23\u7f16|\u7f16\u8f91|\u6821\u5bf9|\u5173\u6ce8|\u8ba2\u9605).*$"
)
"""What stands before and behind a name in Chinese: the author's or reporter's label, the editor's, a button."""
_DOUBLED = patterns.compile(r"(\S.{3,}?\w)[\s|,]*\1")
_END = patterns.compile(
    r";\s+(?=[a-z])|\s*[|\u2022\u00b7\u22c5\u2013\u2014\n\t\u2192(\[]\s*|\s-\s|,? on (?=\w+)|\s+(?=\d)"
    rf"|[.,;]?\s+(?:{labels.any_of('after_name')})\b"
    r"|,\s+(?:[a-z]|[A-Z][a-z]{3,}(?:\s|$)(?!and\b))"
    r"|\s+(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.? \d"
    r"|\s+(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\s+@|\s+\S+\.(?:com|net|org)\b"
)
_EMPLOYER = patterns.compile(r"\s[-|\u2013\u2014]\s")
"""Behind it stands whom somebody writes for."""
LOGIN = patterns.compile(r"[a-z\d]\S*|\S*(?:\d|[a-z][A-Z])\S*|.*(?i:admin|webmaster|website|blog|news)")
"""What somebody is called by a program rather than by readers."""
NO_NAME = patterns.compile(
    r"(?i)https?://|www\.|@\w+\.|\d{4}|^\d{1,2}:|[{}<>=*?!]|"
    rf"^(?:{labels.any_of('no_name_start')})|^(?:{labels.any_of('no_name')})\W*$"
)
ROLE = patterns.compile(rf"(?i)\b(?:{labels.any_of('not_in_name')})\b")
_SENTENCE = patterns.compile(r" (?!with\b)[^\W\d_]")
_NAME = patterns.compile(
    r"[^\W\d_][\w.'\u2019\u00b7-]*(?: (?:[^\W\d_a-z][\w.'\u2019-]*|\([^\W\d_][\w.-]*\)|de|del|della|da|das|di"
    r"|do|dos|du|van|von|der|den|la|le|"
    r"al|bin|ibn|el|y|e|ter|ten|zu|the|and|&|und|et|of)){0,8}"
)


def name_of(text: str) -> str:
    """The name, or the names, in a byline; "" where it is none."""
    text = " ".join(text[:400].split())
    inside = _INSIDE.search(text)
    if inside and inside.start() < 60:
        text = text[inside.end() :]
    for _ in range(2):
        text = _BY.sub("", text, count=1)
    text = _END.split(_KOREAN.sub("", text), maxsplit=1)[0] if text else ""
    text = _CHINESE.sub("", text).strip(" ,.:;|*&-\u2013\u2014\u00b7\u2022/\"'\u200b\u00bb")
    if doubled := _DOUBLED.fullmatch(text):
        text = doubled[1]
    return "" if not text or len(text) > MAX_NAMES or NO_NAME.search(text) else text


def is_name(text: str) -> bool:
    """Whether a text from an element that says nothing of authors has the shape of a name."""
    return (
        len(text) <= MAX_NAME
        and not ROLE.search(text)
        and all(_NAME.fullmatch(part.strip()) for part in text.split(","))
    )


def at_start(text: str) -> str:
    """The name that a sentence begins with: Ann Lee of "Ann Lee writes on roads"; the text itself where it has none."""
    match = None if is_name(text) else _NAME.match(text)
    if match is None or match[0].count(" ") not in (1, 2) or not _SENTENCE.match(text, match.end()):
        return text
    return match[0]


def person(text: str) -> str:
    """The name in a value of data: no quotes, nobody that somebody writes for."""
    name = _EMPLOYER.split(" ".join(text.split()).strip(" ,;\"'\u201c\u201d"), maxsplit=1)[0]
    return _BY.sub("", _KOREAN.sub("", name), count=1) if len(name) <= MAX_NAMES else ""
