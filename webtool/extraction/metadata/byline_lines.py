"""Find the author in lines of text: after "By" or a label, or in a line that is only a name. In: Sources. Out: a name.

bylines.py asks of_text() and of_line() last, after the page's data and its elements. On a forum, of_first_post() finds
the user name of whoever began the thread: in a line like "Started by annlee", in data-author of the first post, or in
the first element or link that names a user: class "username", address "/members/annlee".
Tests: tests/extraction/metadata/test_fields.py
"""

from __future__ import annotations

from itertools import islice

from webtool.extraction import labels
from webtool.extraction.metadata import dates
from webtool.extraction.metadata.evidence import Sources
from webtool.extraction.metadata.names import (
    FAMILY_NAMES,
    KOREAN_ROLE,
    MAX_NAME,
    NO_NAME,
    PLACE,
    after_label,
    is_name,
    name_of,
)
from webtool.extraction.page.blocks import link_around
from webtool.html.node import Element, elements
from webtool.lean import patterns

# Blocks of a page that are searched for "By", and blocks after a forum's headline that are searched for "Started by".
# Lines with "By" near the headline are searched even if the headline comes after this many blocks.
MAX_LINES = 1000
LABELLED_WITHIN = 60  # blocks after the headline; "By" lines and links to authors' pages further down do not count
BEFORE = 5  # blocks before the headline; "By" lines and links to authors' pages further up do not count
_BESIDE = 3  # blocks after the headline in which one word after "by" is a name: "by annlee"
_WORD = patterns.compile(r"\S+\s*(?:$|\W|\d|(?:on|in)\s)")  # all of a line, or followed by a day or a topic
_DIGIT = patterns.compile(r"\d")
_MAX_LINE_WITH_BY = 120  # characters; a longer block is text
# The beginning of a line before the name. Group 1 begins with a word of authorship; a bare "By" leaves it empty.
_WRITTEN = patterns.compile(
    r"(?:.{0,40}\d.{0,12}?\s)??"  # all up to a number, but no word of authorship: "May 4, 2024 | By"
    # "Written by", "Posted in Recipes by", "Posted on May 4 by"
    r"((?:[Ww]ritten|[Pp]osted|[Aa]rticle|[Ww]ords|(?:[Cc]o-)?[Aa]uthored|[Ss]tarted|[Ss]ubmitted|[Aa]uthors?)\b"
    r".{0,25}?)?"
    r"(?:^(?:Guest post|Story|Reported|Contributed) by\s"
    r"|\b[Bb]y\b(?::|\s)\s?|^BY\b:?\s"  # "By Ann Lee", "by:Ann Lee"; "BY ANN LEE", but not "TOP 10 BY PRICE"
    r"|\bBy(?=[A-Z][a-z])"  # "ByAnn Lee"
    r"|(?:(?<=[Aa]uthor):|(?<=[Aa]uthors):"  # "Author: Ann Lee": group 1 is "Author"
    # "Von Ann Lee", "Ein Gastbeitrag von Ann Lee", "Autor: Ann Lee", "Contributors: Ann Lee"
    rf"|\b(?:Von|Par|Por|Autor):?|^(?i:{labels.any_of('written')}) von|^Contributors?:)\s)"
)
_MAX_LABELLED = 61  # characters after a label; a longer text is not a name
# Ambiguous words for "by", one of each language: {"da": "af"}. They are used only if the page is in that language.
_BY_OF_LANGUAGE = {language: word for language, [word] in labels.words("by_in_language").items()}
# Chinese newspapers have the label inside a line with day and source; Korean ones have it after the name.
_IN_LINE = patterns.compile(
    # "2024-05-04 作者：王小明 | 日报", "记者 : 王小明"
    r"(?:\u4f5c\u8005|(?:^|[\s|])(?:\u8bb0\u8005|\u8a18\u8005|\u64b0\u6587|\u6587))\s?[:\uff1a]\s?([^\W\d_]{2,12})(?=[\s|/\uff0f]|$)"
    r"|^(?:[\u4e00-\u9fff]{2,8}\s)?\u8a18\u8005([\u4e00-\u9fff]{2,4})[/\uff0f]"  # "記者李明／台北報導"
    r"|[|\uff5c]\s?\u4f5c\u8005\s?([^\W\d_]{2,4})$"  # "日报 | 作者 王小明"
    # "日报记者 王小明 李华"
    r"|^[\u4e00-\u9fff]{0,8}\u8bb0\u8005\s+([\u4e00-\u9fff]{2,4}(?: [\u4e00-\u9fff]{2,4}){0,3})$"
    # "(서울=뉴스) 김영희 기자 = "
    rf"|(?:^|[\s=|\]])([\uac00-\ud7a3]{{2,4}}(?:\u00b7[\uac00-\ud7a3]{{2,4}})*)\s{KOREAN_ROLE}(?=\s*(?:[=(|\]]|\S+@|$))"
)
_AFTER_COLON = 1  # the group of _IN_LINE that follows a label with a colon
_LONE_NAME_WITHIN = 6  # blocks from the headline on; a line further down that is only a name does not count
MAX_LINE = 90  # characters; a longer line is not only a name
_MAX_NAME_WORDS = 4  # words of a name in a line of its own
_WORDS = patterns.compile(r"[^\W\d_]+")
_PARTICLES = frozenset("van von der den de da do dos du la le ten ter zu af bin al".split())  # "Ursula von der Leyen"
_TOPIC = patterns.compile(r"(?i)/(?:tags?|topics?|categor(?:y|ies))/")  # the address of a list of articles on a topic
# Between the parts of a line: "Ann Lee | Writer", "May 4 - Ann Lee", and after a year: "4 May 2024Ann Lee".
_PARTS = patterns.compile(r"\s*[|\u2022\u00b7\u2013\u2014/,]\s*|\s-\s|(?<=\d{4})(?=[^\W\d_])")

# User names of forums
MAX_ADDRESS = 300  # characters of an address that are searched
MAX_NODES = 200  # elements in an element that are searched for a link
_FIRST_POST = 10  # blocks after the headline in which the first post begins
_MAX_USER_NAME = 40  # characters; a longer text is not a user name
_MAX_SPACES = 2  # in a user name
_POSTERS = patterns.compile(
    r"(?i)(?:^|[\s_-])(?:user-?name|poster|post-?author|message-?name|creator|post-?username|nick(?:name)?)(?:$|[\s_-])"
)
# "Thread starter: annlee" and "Started by @annlee": a blank and a user name follow, and often when that was.
_STARTED_BY = patterns.compile(
    r"(?i)(?:(?:thread|topic|discussion) starter:?|(?:(?:thread|topic|discussion) )?(?:started|asked|posted) by)(?= )"
)
_STARTER_AFTER = patterns.compile(r"(?i)@?(\S+) (?:thread|topic|discussion) starter$")  # "annlee thread starter"
_MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}"
# When a thread was begun, and all after it: ", June 04, 2024", " on 4 May", " 3 days ago", " \u00bb Sun May 4".
_WHEN = patterns.compile(
    r"(?i),(?=.{0,20}\d).*"
    r"|\W*\s(?:on |at )?(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? )?"
    rf"(?:{_MONTH}\.? \d|\d{{1,2}}(?:st|nd|rd|th|\.)? {_MONTH}|\d{{1,4}}[:./-]\d|at \d"
    r"|(?:\d{1,3}|an?) \w{3,7} ago|yesterday|today|just now|start date).*"
)
# The address of a forum's member, as Discourse, XenForo, phpBB, vBulletin, MyBB, SMF and others write it.
_MEMBER = patterns.compile(
    r"(?i)^(?!\w*:?//[^/]*(?:youtube|facebook|linkedin))\S*/(?:users?|members?|u|profiles?|people)/(?!sign|log|register|settings)[^/?#]{2,}|/user-\d|member(?:list)?\.php\?\S*\bu=|profile\.php\?\S*\b(?:id|u)="
    r"|action=profile;u="
)


def of_text(sources: Sources) -> str:
    """Read the name in a line near the headline with "By" or a label, or in one further on with "Written by"."""
    blocks = sources.page.blocks
    start = max(0, sources.headline - BEFORE)
    last_near = sources.headline + LABELLED_WITHIN
    language = sources.head.language[:2].lower()
    end = max(MAX_LINES, last_near + 1)
    for i, block in enumerate(blocks[start:end], start):
        text = block.text
        is_near = i <= last_near
        if len(text) > _MAX_LINE_WITH_BY:
            continue
        if is_near and (name := _labelled(text, language)):
            return name
        beginning = _WRITTEN.match(text)
        has_word_of_authorship = beginning is not None and bool(beginning[1])  # more than a bare "By"
        if beginning is None or not (is_near or has_word_of_authorship):
            continue
        rest = text[beginning.end() :]
        name = name_of(rest)
        is_usual = name[:1].isupper() and (" " in name or has_word_of_authorship)
        may_be_one_word = has_word_of_authorship or text[:3].lower() == "by "
        is_author = is_usual or (may_be_one_word and _is_one_word(sources, i, rest, name))
        if not (name and is_name(name) and is_author):
            continue
        # In capitals, "BY USING THIS SITE" looks like "BY ANN LEE".
        # A given name may be a common word, as in "BY WILL SMITH", but hardly one in -ing.
        is_shouted = beginning[0].startswith("BY")
        given, _, rest = name.replace(" AND ", " ").partition(" ")
        if not (is_shouted and is_common(sources, f"{given} {rest}" if given.endswith("ING") else rest)):
            return name
    return ""


def _is_one_word(sources: Sources, i: int, rest: str, name: str) -> bool:
    """Return whether a name is one word after "by", nearly all of a block right below the headline.

    It may be a login ("Submitted by annlee on May 4"), but not "Brand" of "By Brand" if the page speaks of a brand, nor
    "hand" of "by hand": a number, as of a day, is in the block or in a short one on either side.
    """
    if not (sources.has_headline and 0 < i - sources.headline <= _BESIDE and " " not in name and _WORD.match(rest)):
        return False
    beside = [block.text for block in sources.page.blocks[max(i - 1, sources.headline + 1) : i + 2]]
    has_number = any(len(text) <= MAX_LINE and _DIGIT.search(text) for text in beside)
    return has_number and (name.islower() or not is_common(sources, name))


def _labelled(text: str, language: str) -> str:
    """Return the name after a label ("Autor: Ann Lee"), or after the page's word for "by" ("af Ann Lee"); else ""."""
    labelled = after_label(text)
    if not labelled and not text.isascii() and (match := _IN_LINE.search(text)):
        labelled = match[match.lastindex or 0]  # each alternative has a group of its own for the name
        # Without a colon it may be a common word: "\u8bb0\u8005 \u62db\u8058", "\uc2dc\ubbfc \uae30\uc790".
        labelled = labelled if match.lastindex == _AFTER_COLON or labelled[0] in FAMILY_NAMES else ""
    if labelled and len(labelled) <= _MAX_LABELLED:
        name = name_of(labelled)
        if name and is_name(name):
            return name
    return _after_by(text, language)


def _after_by(text: str, language: str) -> str:
    """Return the full name after the word for "by" of a language, else "": ("af Ann Lee", "da") -> "Ann Lee"."""
    first, _, rest = text.partition(" ")
    is_full_name = " " in rest and is_name(rest)
    return rest if is_full_name and _BY_OF_LANGUAGE.get(language) == first.casefold() else ""


def of_line(sources: Sources) -> str:
    """Read the name in a short line after the headline that is only a name, with a date in it or in a line near it."""
    if not sources.has_headline or sources.is_forum:
        return ""
    start = sources.headline
    lines = [block.text for block in sources.page.blocks[start : start + _LONE_NAME_WITHIN]]
    days = [bool(len(text) <= MAX_LINE and dates.in_text(text, sources.day_first)) for text in lines]
    for i, text in enumerate(lines[1:], 1):
        # A date counts in the line itself or in two lines on either side, but not in the headline.
        if len(text) <= MAX_LINE and any(days[max(1, i - 2) : i + 3]) and not _is_of_site(sources, start + i):
            for part in _PARTS.split(text):
                name = name_of(part) if " " in part else ""  # quicker: a lone name has two words
                is_whole = part == name or part.startswith(f"{name} in ")
                if is_whole and _is_lone_name(sources, name):
                    return name
    return ""


def _is_of_site(sources: Sources, i: int) -> bool:
    """Return whether block i is a button or begins with a link to a topic's articles."""
    block = sources.page.blocks[i]
    link = link_around(block.nodes[0])
    return sources.page.element[block.container].tag == "button" or (link is not None and is_topic(link))


def is_topic(link: Element) -> bool:
    """Return whether a link leads to the articles on a topic: <a rel=tag>, <a href="/category/tea">."""
    return "tag" in link.attrs.get("rel", "").lower().split() or bool(_TOPIC.search(link.attrs.get("href", "")))


def _is_lone_name(sources: Sources, text: str) -> bool:
    """Return whether a text without any label is a name: two to four words that the page never writes in lower case.

    Text in a script without capitals never counts: there a name looks like any other word.
    """
    return (
        1 < text.count(" ") + 1 <= _MAX_NAME_WORDS
        and text != text.casefold()
        and is_name(text)
        and not PLACE.match(text)
        and not is_common(sources, text)
    )


def is_common(sources: Sources, name: str) -> bool:
    """Return whether the page writes a word of the name in lower case, as it does with "local" for "Local News"."""
    words = [word for word in _WORDS.findall(name) if word not in _PARTICLES]
    return any(word.islower() or (word != word.lower() and sources.has_word(word.lower())) for word in words)


def of_first_post(sources: Sources) -> str:
    """Return the user name of the first post's author, "" if the page is not of a forum or does not name the author."""
    if not sources.is_forum:
        return ""
    page = sources.page
    for block in page.blocks[sources.headline : sources.headline + MAX_LINES]:  # above may be other threads
        if len(block.text) < MAX_NAME and (name := _starter(block.text)):
            return name
    for first, element in zip(page.first, page.element):
        if 0 <= first - sources.headline <= _FIRST_POST and (name := element.attrs.get("data-author", "").strip()):
            return name[:MAX_NAME]
    for matches in (lambda element: element.attrs.get("itemprop") == "author", is_poster):
        for i, element in sources.elements_at(matches):
            inside = islice(elements(element), MAX_NODES)
            links = (" ".join(node.text[:MAX_NAME].split()) for node in inside if node.tag == "a")
            name = next(filter(None, links), "") or " ".join(element.text[:100].split())
            name = name.partition(" (")[0].lstrip("@").strip()
            if i >= sources.headline and _is_user_name(name):
                return name
    return ""


def _starter(line: str) -> str:
    """Return the user name in a line that says who began a thread, else "": "annlee" of "Started by annlee, May 4"."""
    if match := _STARTER_AFTER.match(line):
        return match[1]
    match = _STARTED_BY.match(line)
    name = _WHEN.sub("", line[match.end() :]).lstrip(" @") if match else ""
    return name if 1 < len(name) <= _MAX_USER_NAME and not {",", ":"}.intersection(name) else ""


def _is_user_name(text: str) -> bool:
    """Return whether a text may be a user name: "user3080392" and "Ann Lee", not "May 4" or "12 posts"."""
    if not 1 < len(text) <= _MAX_USER_NAME or text.count(" ") > _MAX_SPACES:
        return False
    if any(char.isdigit() for char in text):
        return " " not in text and not text[0].isdigit()
    return not NO_NAME.search(text)


def is_poster(element: Element) -> bool:
    """Return whether an element names a post's author by its class or by the address that it leads to."""
    names = f"{element.attrs.get('class', '')} {element.attrs.get('itemprop', '')}"[:200]
    return bool(
        _POSTERS.search(names) or (element.tag == "a" and _MEMBER.search(element.attrs.get("href", "")[:MAX_ADDRESS]))
    )
