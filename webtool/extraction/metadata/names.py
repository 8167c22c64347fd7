"""Find names of people in bylines and values of data. In: a text. Out: the name, or "".

What is around names is cut off: "By", roles, days, places, employers. "By Ann Lee, Senior Writer | May 4" is "Ann Lee".
The words are in labels/*.txt.
Tests: tests/extraction/metadata/test_fields.py
"""

from __future__ import annotations

from webtool.extraction import labels
from webtool.lean import patterns

MAX_NAME = 80  # characters; a longer text is not a name
MAX_NAMES = 200  # characters; a longer text is not a list of names
MAX_BYLINE = 400  # characters of a byline that are read
MAX_BEFORE_BY = 60  # characters; text before a later "by" is not cut off
# A label of the author. "Autorka: " and "\u0628\u0642\u0644\u0645 " suffice.
# Group 1 is what menus have as well: " / " of "Tekst / Foto".
_LABEL = patterns.compile(
    rf"(?i)\W{{0,3}}(?:(?:{labels.any_of('author_label')})(?:\s*[:\uff1a]\s*|(\s*[/\uff0f|\uff5c]\s*|\s+))"
    rf"|(?:{labels.any_of('by_label')})(?:\s*:\s*|\s+(?!(?-i:[a-z]))))"
)
_LETTERS = patterns.compile(r"[^\W\d_]+")
FAMILY_NAMES = "".join(labels.all_words("family_name"))  # first characters of Chinese, Japanese and Korean ones
_FIRST_EAST_ASIAN, _FIRST_KOREAN = "\u3040", "\uac00"  # of these scripts' letters; they have names without a blank
_KOREAN_NAME = 3  # letters of a full name in Korean; two are as a rule a common word
_TWO_LETTERS = ("\ub0a8\uad81", "\ud669\ubcf4", "\uc81c\uac08", "\uc120\uc6b0")  # Korean family names: one letter more
_MAX_IDEOGRAPHS = 5  # letters of a full name in Chinese or Japanese: "\u5c71\u7530\u592a\u90ce" has four
_BY_TWICE = 2  # "By" and its label are cut off this often: "Author: By Ann Lee"
_BY = patterns.compile(
    rf"(?i)^\W{{0,3}}(?:(?:{labels.any_of('written')})\s+)?"
    rf"(?:(?:{labels.any_of('by')})\b[\s:|]*|(?-i:By(?=[A-Z][a-z])))"
    rf"|^\W{{0,3}}(?:{labels.any_of('author_line')})(?:\s*[:\uff1a|]\s*|\s+)"
)
_PLACE = f"(?i:{labels.any_of('place_start')})"
PLACE = patterns.compile(_PLACE)
# "by" inside a text: "Posted on May 4 by Ann Lee", "Submitted yesterday by Ann Lee".
_INSIDE = patterns.compile(
    r"\b(?:[Ww]ritten |[Pp]osted |[Ss]tarted |[Ss]ubmitted .{0,30}?)?[Bb]y:?\s+(?=[A-Z\u00c0-\u024f]|\w+$)"
)
# Who only read the text comes first on pages about health: "Medically reviewed by Bo Orr, MD \u2014 By Ann Lee".
_READ_BY = patterns.compile(r"^[^.]{0,20}\b(?:[Rr]eviewed|[Cc]hecked) by .{3,40}?(?=\b(?:[Ww]ritten )?[Bb]y\b)")
# Where an author was, if another one follows: " in Kiel" of "Ann Lee in Kiel and Bo Orr in Paris".
_IN_PLACE = patterns.compile(
    r"\b([A-Z][\w'\u2019-]+) in [A-Z][\w .-]{1,30}(?=,? (?:and|&) [A-Z][\w'\u2019-]+ [A-Z]\S+ in )"
)
# The profession after a reporter's name in Korean newspapers.
KOREAN_ROLE = f"(?:{labels.any_of('byline_role')})"
_KOREAN = patterns.compile(rf"(?<=[\uac00-\ud7a3]{{2}})\s{KOREAN_ROLE}(?=\W|$).*")
# Around a name in Chinese: before it the label of author or reporter, after it the editor's label or a button's.
_CHINESE = patterns.compile(
    r"^\W*(?:(?:\u4f5c\u8005|\u64b0\u6587)\s*[:\uff1a]\s*|[\u4e00-\u9fff]{0,8}\s?(?:\u8bb0\u8005\s+|\u8a18\u8005\s?))"
    r"|\s*[/\uff0f].{0,12}\u5831\u5c0e.*$"  # "記者李明／台北報導"
    r"|\s+(?:\u8d23\u4efb\u7f16\u8f91|\u8d23\u7f16|\u7f16\u8f91|\u6821\u5bf9|\u5173\u6ce8|\u8ba2\u9605).*$"
)
# The photographer after the author: " / Photos by Bo Orr" of "By Ann Lee / Photos by Bo Orr". Group 1 is "Lee".
_PHOTOGRAPHER = patterns.compile(
    r"(\s[^\W\d_a-z][\w.'\u2019-]*)[\s,.;|/&\u2013\u2014-]+(?:(?:and|with) )?"
    r"(?:[Pp]hoto\w*|[Pp]ictures?|[Ii]mages?|[Ii]llustrat\w*|[Vv]ideo)\s*(?:by\b|:).*"
)
# A name that is there twice, as in a link to the author: "Ann Lee Ann Lee".
_DOUBLED = patterns.compile(r"(\S.{3,}?\w)[\s|,]*\1")
# A full name up to a comma, a mark or "and": "Robert Smith" of "Ann Lee, Robert Smith and Bo Li". It has no word of
# labels/not_second_author.txt, as "Chief Economist" of "Ann Lee, Chief Economist" has, and is not a place: "New Delhi".
_SECOND_AUTHOR = (
    rf"(?!{_PLACE})"
    rf"(?!(?:\S+ ){{0,2}}(?i:{labels.any_of('not_second_author', 'after_name', 'not_in_name')})\b)"
    r"[A-Z][\w.'\u2019-]+ (?:[A-Z][\w.'\u2019-]* )?[A-Z][\w'\u2019-]+"
    r"(?=\s*(?:[,|(\u2022\u00b7\u2013\u2014]|(?:and|&|-)\s|$))"
)
# Where a name ends: at a mark, a number, a word of labels/after_name.txt, a month, a weekday, an address.
_END = patterns.compile(
    r";\s+(?=[a-z])|\s*[|\u2022\u00b7\u22c5\u2013\u2014\n\t\u2192(\[]\s*|\s-\s|,? on (?=\w+)|\s+(?=\d)"
    rf"|\s*[.,;/]?\s+(?:{labels.any_of('after_name')})\b"
    # "Ann Lee, writer", "Ann Lee, New Delhi", "Ann Lee, Tech Editor", "Ann Lee, La Presse", "Ann Lee, BBC News",
    # "Ann Lee, The New Paper"
    rf"|,\s+(?:(?!(?:and|with) [A-Z])[a-z]|{_PLACE}|The "
    rf"|(?:(?:Die|Der|Le|La|El|[A-Z]{{2,5}}) )?(?i:{labels.any_of('not_second_author')})\b)"
    rf"|,\s+(?!{_SECOND_AUTHOR})[A-Z][a-z]{{3,}}(?:\s|$)(?!and\b)"  # "Ann Lee, Reuters"; "Bo Li" and "Carl and Di" stay
    r"|(?:^|\s+)(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.? \d"
    r"|(?<=[a-z])/(?=[A-Z])"  # "Ann Lee/Reuters"
    r"|\s+(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\s+@|\s+\S+\.(?:com|net|org)\b"
)
_SHORT = patterns.compile(r"[\s.](?:[A-Z]|Jr|Sr|Ph\.D|Esq)$")  # the end of a name that keeps its point: "Ann Lee, M.D."
# After a dash or bar comes the employer: "Ann Lee - The Paper".
_EMPLOYER = patterns.compile(r"\s[-|\u2013\u2014]\s")
# What programs call somebody rather than readers, for fullmatch(): "annlee"; "Lee2" and "annLee"; "Site Admin".
LOGIN = patterns.compile(r"[a-z\d]\S*|\S*(?:\d|[a-z][A-Z])\S*|.*(?i:admin|webmaster|website|blog|news)")
# Texts that are not names: addresses, dates, marks, and phrases of labels/no_name*.txt.
NO_NAME = patterns.compile(
    r"(?i)https?://|www\.|@\w+\.|\d{4}|^\d{1,2}:|[{}<>=*?!]|"
    rf"^(?:{labels.any_of('no_name_start')})|^(?:{labels.any_of('no_name', 'author_label')})\W*$"
)
# Words that no name has: "editor", "university".
ROLE = patterns.compile(rf"(?i)\b(?:{labels.any_of('not_in_name')})\b")
_SENTENCE = patterns.compile(r" [^\W\d_]")  # after a name, the next word of a sentence
# Marks on letters, which \w does not match: accents, vowel signs of Hebrew, Arabic, Hindi, Thai and their neighbours.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0963\u0970-\u0e4e"
_NAME = patterns.compile(
    rf"[^\W\d_][\w{_MARKS}.'\u2019\u00b7-]*(?: (?:[^\W\d_a-z][\w{_MARKS}.'\u2019-]*|\([^\W\d_][\w.-]*\)"
    r"|de|del|della|da|das|di|do|dos|du|van|von|der|den|la|le|"
    r"al|bin|ibn|el|y|e|ter|ten|zu|the|and|&|und|et|of|with(?= [^\W\d_a-z]))){0,8}"
)


def name_of(text: str) -> str:
    """Return the name or names in a byline, else "": "By Ann Lee and Bo Li, May 4" has "Ann Lee and Bo Li"."""
    text = " ".join(text[:MAX_BYLINE].split())
    for pattern in (_IN_PLACE, _PHOTOGRAPHER):
        text = pattern.sub(lambda match: match[1], text)
    text = _READ_BY.sub("", text)
    inside = _INSIDE.search(text)
    if inside and inside.start() < MAX_BEFORE_BY:
        text = text[inside.end() :]
    labelled = after_label(text, is_byline=True)
    text = text if labelled is None else labelled
    for _ in range(_BY_TWICE):
        text = _BY.sub("", text, count=1)
    text = _END.split(_KOREAN.sub("", text), maxsplit=1)[0] if text else ""
    text = _CHINESE.sub("", text)
    name = text.strip(" ,.:;|*&-\u2013\u2014\u00b7\u2022/\"'\u200b\u00bb")
    if _SHORT.search(name) and name + "." in text:  # strip() has taken the point of "Ann Lee Jr."
        name += "."
    if doubled := _DOUBLED.fullmatch(name):
        name = doubled[1]
    return "" if not name or len(name) > MAX_NAMES or NO_NAME.search(name) else name


def after_label(text: str, *, is_byline: bool = False) -> str | None:
    """Return what follows an author's label, None without one: "Ann Lee" of "Autor: Ann Lee" and of "Text | Ann Lee".

    Menus have labels as well: "Text | Bild", "\u8bb0\u8005 \u62db\u8058". So only a full name counts after a blank.
    After a bar or slash it must be one if nothing says that the text is a byline, except in East Asian scripts.
    """
    label = _LABEL.match(text)
    if label is None:
        return None
    name, mark = text[label.end() :], label[1]
    if mark is None or (is_byline and not mark.isspace()):
        return name
    first, _, second = name.partition(" ")
    if first < _FIRST_EAST_ASIAN:
        is_full_name = not mark.isspace() and first[-1:].isalpha() and second[:1].isalpha() and not second[0].islower()
        return name if is_full_name else None
    letters = _LETTERS.match(first)
    length = len(letters[0]) if letters and first[0] in FAMILY_NAMES else 0
    if first >= _FIRST_KOREAN:
        is_full_name = length == _KOREAN_NAME + first.startswith(_TWO_LETTERS)
    else:
        is_full_name = 1 < length <= _MAX_IDEOGRAPHS
    return name if is_full_name or not mark.isspace() else None


def is_name(text: str) -> bool:
    """Return whether each part between commas or semicolons looks like a name: "Ann van der Lee", "A and Bo Li"."""
    return (
        len(text) <= MAX_NAME
        and not ROLE.search(text)
        and all(_NAME.fullmatch(part.strip()) for part in text.replace(";", ",").split(","))
    )


def at_start(text: str) -> str:
    """Return the name that a sentence begins with: "Ann Lee" of "Ann Lee writes on roads"; else the text itself."""
    match = None if is_name(text) else _NAME.match(text)
    if match is None or match[0].count(" ") not in (1, 2) or not _SENTENCE.match(text, match.end()):
        return text
    return match[0]


def person(text: str) -> str:
    """Return the name in a value of data, without quotes, labels and employer; "" if it is too long for a name."""
    name = _EMPLOYER.split(" ".join(text.split()).strip(" ,;\"'\u201c\u201d"), maxsplit=1)[0]
    return _BY.sub("", _KOREAN.sub("", name), count=1) if len(name) <= MAX_NAMES else ""
