"""Find when a page was published. In: Sources. Out: an ISO 8601 date, or "" if the page does not say.

Only works with a day of publication have a date here: an article, a post, a recipe. A product that was reviewed on some
day has no date, nor has a page that is kept up to date. RULES lists where dates are read from, best first: meta
elements, JSON-LD, time elements, the address, lines of text.

Words used here: a line is a short block with a date. A listed line belongs to a list, because three or more lines with
different days hang in equal elements. A changed line tells the day of a change ("Updated May 4"); another line tells
of something else ("Joined 2012", "Sale ends May 4"). A place is a block's element by tag and class. On a forum the date
is that of the first post.
Tests: tests/extraction/metadata/test_fields.py
"""

from __future__ import annotations

from collections.abc import Callable

from webtool.extraction import labels
from webtool.extraction.metadata import dates
from webtool.extraction.metadata.evidence import Line, Sources, first_read
from webtool.extraction.page import json_ld
from webtool.html.node import Element
from webtool.lean import patterns

_BEFORE, _AFTER = 6, 12  # blocks before and after the headline whose lines belong to it
_BESIDE_BEFORE, _BESIDE_AFTER = 3, 9  # blocks before and after the headline whose lines win over the page's data
_FAR = 25  # blocks after the headline whose time elements count, and whose lines count on a page without a headline
_NEXT = 4  # blocks after the headline whose line counts although lines of a list follow
_MAX_WORDS = 25  # a longer block is a sentence that speaks of a day, not a line
_MAX_LABEL_WORDS = 3  # a longer block is not the label of the line after it
_MAX_SHORT_WORDS = 15  # only a line this short beside the headline is believed against the page's data
_MAX_DATES = 4  # more days beside the headline are those of a list
_MAX_LISTED = 2  # more days or lines in equal elements are those of a list
FIRST = "1990"  # the Web's first year: a line with an earlier one speaks of something else
MIN_NEW_EDITION = 60  # days from the data's date to the shown one that make the shown one the day of a new text
MAX_LINES = 3000  # blocks of a page that are searched for lines
MAX_WORKS = 40  # objects of the JSON-LD that are asked for a date
MAX_OBJECTS = 200  # objects of the JSON-LD that are searched for the entry of the page itself
_digits = patterns.compile(r"\d")
_YEAR = patterns.compile(r"(?:19|2[05])\d\d")  # 25: the Buddhist era
# A year in digits of other scripts, or of a reign ("\u4ee4\u548c6\u5e74").
_OTHER_YEAR = patterns.compile(r"[^\D0-9]{4}|\u4ee4\u548c|\u5e73\u6210|\u6c11\u570b")
_MEMBERS = ("datePublished", "dateCreated", "uploadDate")
_META = """
    article:published_time og:article:published_time og:published_time datepublished publication_date
    parsely-pub-date sailthru.date pubdate publishdate publish_date publish-date og:pubdate date.release
    dc.date.issued dc.date dcterms.created dcterms.date citation_publication_date citation_date citation_online_date
    date article.published release_date bt:pubdate cxenseparse:recs:publishtime article:published dcterms.issued
    publication-date published_time published published-date
""".split()
_CHANGED = patterns.compile(f"(?i){labels.any_of('changed')}")  # "Updated May 4, 2025"
_LABEL = patterns.compile(rf"(?i)^\W*(?:{labels.any_of('published')})")  # "Published May 4, 2025"
_ORIGINAL = patterns.compile(f"(?i){labels.any_of('first_published')}")  # "First published May 4, 2025"
# After a mark or number: "Updated May 5, published May 4, 2025"; not "Updated May 5 after the study published in 2019".
_LABEL_INSIDE = patterns.compile(rf"(?i)(?<=[^\sa-z])\s?(?:originally )?(?:{labels.any_of('published')})")
# Words beside days of something else: of who joined when, of offers and events; and spans of days: "2025-05-04 to
# 2025-05-06". A time and minutes of reading are not a span: "May 4, 2025 - 09:10", "May 4, 2025 - 5 min".
_OTHER = patterns.compile(
    r"(?i)joined|registered|member|since|founded|expire|until|event|copyright|\u00a9|dead\xad?line|next|"
    r"releas(?!ed this)|"
    r"\b(?:sale|ends?|book|apply|starts?|open|hours)\b|\d{4}-\d\d-\d\d\s*(?:[-\u2013\u2014]|to)\s*\d"
    r"|\d{4}\s+(?:[-\u2013\u2014]|to|bis|au)\s+(?:\w{3,9}\.? )?\d{1,2}\b(?!:\d|\s*(?:m|\u043c|\u5206|\ubd84))"
)
# Place and day at the beginning of a press release: "BASEL, March 14, 2023 /Wire/ --".
_DATELINE = patterns.compile(r"([^\W\d_a-z][^.!?;:]{2,40}[,.(] ?[^!?;:]{6,40}\d)\)?\s*(?:/|\(|[-\u2013\u2014]{1,2}\s)")


def find(sources: Sources) -> tuple[str, str]:
    """Return the date and what it was read from; ("", "") for a shop, a page kept up to date, and a site's first page.

    For an event only the page's data are read.

    A line beside the headline is preferred to the page's data in two cases. If its day is earlier, the data tell when
    the text was moved. If it is at least MIN_NEW_EDITION days later than the JSON-LD's, the text was written anew and
    the JSON-LD kept the day of the first version (guides).
    """
    if sources.is_shop or sources.is_standing or (sources.is_home and not sources.is_forum):
        return "", ""
    date, source = first_read(sources, RULES[:2] if sources.is_event else RULES)
    if source in ("json-ld", "meta") and not sources.is_forum:
        shown = _beside_headline(sources)
        if shown and shown < date[:10]:
            return shown, "text"
    if source == "json-ld" and not sources.is_forum:
        shown = of_element(sources) or of_text(sources)
        if shown and _days(shown) - _days(date) >= MIN_NEW_EDITION:
            return shown, "update"
    return date, source


def _days(date: str) -> int:
    """Return a number of days that grows with the date, as if each month had 31 days."""
    year, month, day = map(int, date[:10].split("-"))
    return (12 * year + month) * 31 + day


def of_meta(sources: Sources) -> str:
    """Read the date from meta elements."""
    return next(filter(None, (dates.iso(sources.meta(name), sources.day_first) for name in _META)), "")


def of_work(sources: Sources) -> str:
    """Read the date of the first dated work in the JSON-LD; "" if works of many days make the page a list."""
    work_dates = []
    kinds = sources.dated_types if sources.head.og_type.startswith("video") else sources.dated_types - {"videoobject"}
    for work in sources.works[:MAX_WORKS]:
        if json_ld.types(work) & kinds:
            values = (dates.iso(json_ld.scalar(work.get(name)), sources.day_first) for name in _MEMBERS)
            if date := next(filter(None, values), ""):
                work_dates.append(date)
    days = {date[:10] for date in work_dates}
    if not work_dates or (len(days) > _MAX_DATES and not sources.is_forum):
        return ""
    return work_dates[0]


def of_page(sources: Sources) -> str:
    """Read the date of the JSON-LD's WebPage entry if the page's address has its month: "/2025/05/".

    Any page has such an entry, so the date alone says little.
    """
    for entry in sources.objects[:MAX_OBJECTS]:
        if "webpage" in json_ld.types(entry):
            date = dates.iso(entry.get("datePublished"))
            if date and f"/{date[:7].replace('-', '/')}/" in sources.address:
                return date
    return ""


def of_element(sources: Sources) -> str:
    """Read the date of a time element: one beside the headline, or the only one, or the first post's on a forum."""
    near: list[Line] = []  # time elements beside the headline
    away: list[str] = []  # dates of time elements elsewhere
    named: list[str] = []  # dates of elements with itemprop=datePublished, wherever they are
    start, blocks = sources.headline, sources.page.blocks
    for i, element in sources.elements_at(_is_dated):
        attrs = element.attrs
        value = attrs.get("datetime") or attrs.get("content") or attrs.get("ts")
        value = value or (attrs.get("title") if element.tag == "abbr" else "") or element.text[:60]
        date = dates.iso(value, sources.day_first)
        words = _words_before(blocks[i].text, element.text)
        text = f"{attrs.get('class', '')} {attrs.get('itemprop', '')} {_label_before(sources, i)} {words}"
        if not date or _OTHER.search(text) or _CHANGED.search(text):
            continue
        if -_BEFORE <= i - start <= _FAR:
            near.append(Line(i, date, text))
        elif i > start or not sources.is_forum:  # above a thread are a clock and when somebody was last seen
            away.append(date)
        if attrs.get("itemprop") == "datePublished":
            named.append(date)
    days = {*map(_day, near), *(date[:10] for date in away)}
    listed = _places_of_several(sources, near, _day)
    if near and (sources.is_forum or (len(days) <= _MAX_DATES and not listed)):
        return near[0].date
    close = [
        line.date for line in near if 0 < line.block - start <= _NEXT and _place(sources, line.block) not in listed
    ]
    for candidates in (named, close):
        if len({date[:10] for date in candidates}) == 1:
            return candidates[0]
    return away[0] if away and (len(days) == 1 or sources.is_forum) else ""


def of_address(sources: Sources) -> str:
    """Read the date in the path of the page's address, or of the address that it gives itself."""
    return dates.in_address(sources.address) or dates.in_address(sources.head.address)


def of_text(sources: Sources) -> str:
    """Read the date of a line beside the headline, or of one anywhere that tells of the first publication.

    Changed lines and lines of other days come last, and so do lines above the headline.
    """
    start = sources.headline
    all_lines = _all_lines(sources)
    lines = [line for line in all_lines if -_BEFORE <= line.block - start < _FAR]
    if not sources.is_forum:
        listed = _places_of_several(sources, lines, lambda line: line.block)  # even if they have one day
        is_list = bool(listed) or len({line.date for line in lines}) > _MAX_DATES
        before, after = _BEFORE, (_AFTER if sources.has_headline else _FAR)
        if is_list:
            before, after = 0, _NEXT
        lines = [line for line in lines if -before <= line.block - start < after]
        lines = [line for line in lines if _place(sources, line.block) not in listed]
    lines += [line for line in all_lines if _ORIGINAL.search(line.text)]
    if not lines:
        return ""
    return min(lines, key=lambda line: (_doubt(line.text), line.block < start)).date


def of_label(sources: Sources) -> str:
    """Read the date of labelled lines anywhere ("Published May 4, 2025"), if they all name one day.

    Without such a day, if the page is an article or has no headline, the only day of all other lines counts; not if one
    of them is long, or if most of them hang in equal elements.
    """
    blocks = sources.page.blocks
    lines = _all_lines(sources)
    days = {
        line.date for line in lines if _LABEL.search(line.text) or _LABEL.search(_label_before(sources, line.block))
    }
    if not days and (sources.is_article or not sources.has_headline):
        days = {line.date for line in lines if not _is_changed(line.text)}
        places = [_place(sources, line.block) for line in lines]
        if any(blocks[line.block].words > _MAX_SHORT_WORDS for line in lines) or len(places) > 2 * len(set(places)):
            return ""
    return days.pop() if len(days) == 1 else ""


def _is_changed(text: str) -> bool:
    """Return whether the first day in a line is that of a change."""
    match = _CHANGED.search(text)
    return match is not None and not dates.in_text(text[: match.start()])


def _doubt(text: str) -> int:
    """Return how doubtful a line is: -1 sure, 0 plain, 1 perhaps of something else, 2 of a change."""
    original = _ORIGINAL.search(text)
    if original is not None and not _is_changed(text[original.end() :]):
        return -1
    if _is_changed(text):
        return 2
    return 1 if _OTHER.search(text) else 0


def _is_dated(element: Element) -> bool:
    """Return whether it is a time element, one named like it (relative-time, faceplate-timeago), or datePublished.

    Drupal 7 has `<span property="dc:date dc:created" content="2014-03-04T09:10:11+00:00">Submitted by annlee</span>`,
    Blogger `<abbr class=published title="2014-03-04T09:10:11+00:00">9:10 AM</abbr>`.
    """
    attrs = element.attrs
    is_rdf = "property" in attrs and "dc:created" in attrs["property"]
    is_of_feed = element.tag == "abbr" and "published" in attrs.get("class", "").split()
    return "time" in element.tag or attrs.get("itemprop") == "datePublished" or is_rdf or is_of_feed


def _label_before(sources: Sources, i: int) -> str:
    """Return the text of the block before block i if it is short enough for a label."""
    block = sources.page.blocks[i - 1] if i else None
    return block.text if block is not None and block.words <= _MAX_LABEL_WORDS else ""


def _words_before(line: str, date: str) -> str:
    """Return the words between the last digit and a date in its line; without such words, the line's beginning."""
    shown = " ".join(date[:100].split())
    before = line[:300].partition(shown)[0] if shown else ""
    return _digits.split(before)[-1] if before.strip() else line[:60]


def _place(sources: Sources, i: int) -> tuple[str, str]:
    """Return tag and class of the container of block i, which the entries of a list have in common."""
    element = sources.page.element[sources.page.blocks[i].container]
    return element.tag, element.attrs.get("class", "")


def _places_of_several(sources: Sources, lines: list[Line], key: Callable[[Line], object]) -> set[tuple[str, str]]:
    """Return the places that have lines of more than _MAX_LISTED different keys: those of a list's entries."""
    keys: dict[tuple[str, str], set[object]] = {}
    for line in lines:
        keys.setdefault(_place(sources, line.block), set()).add(key(line))
    return {place for place, of_place in keys.items() if len(of_place) > _MAX_LISTED}


def _day(line: Line) -> str:
    """Return a line's date without the time."""
    return line.date[:10]


def _all_lines(sources: Sources) -> list[Line]:
    if sources.dated is None:
        sources.dated = _lines(sources, 0, MAX_LINES)
    return sources.dated


def _lines(sources: Sources, first: int, end: int) -> list[Line]:
    """Return the lines in a range of blocks, without those that tell of something else than the page."""
    lines = []
    first = max(first, 0)
    for i, block in enumerate(sources.page.blocks[first : min(end, MAX_LINES)], first):
        is_sentence = block.words > _MAX_WORDS
        text = _dateline(block.text) if is_sentence else block.text
        if not text or not _has_year(text):
            continue
        date = dates.in_text(text[:300], sources.day_first)
        label = _LABEL_INSIDE.search(text) if _is_changed(text) else None
        if label and (first_date := dates.in_text(text[label.start() :][:300], sources.day_first)):
            text, date = text[label.start() :], first_date
        if date > FIRST:
            is_other = _OTHER.search(text) or (_OTHER.search(_label_before(sources, i)) and not _LABEL.search(text))
            if sources.is_forum or is_sentence or not is_other:
                lines.append(Line(i, date, text))
    return lines


def _has_year(text: str) -> bool:
    return bool(_YEAR.search(text) or (not text.isascii() and _OTHER_YEAR.search(text)))


def _dateline(text: str) -> str:
    """Return place and day from the beginning of a press release: "BASEL, March 14, 2023 /Wire/ --"; else ""."""
    begin = text[:120]
    match = _DATELINE.match(begin) if _has_year(begin) else None
    return match[1] if match else ""


def _beside_headline(sources: Sources) -> str:
    """Return the day of the nearest short line around the headline, lines after it first; "" for lists and changes."""
    start = sources.headline
    lines = [line for line in _lines(sources, start - _BESIDE_BEFORE, start + _BESIDE_AFTER) if line.block != start]
    if not sources.has_headline or _places_of_several(sources, lines, _day):
        return ""
    blocks = sources.page.blocks
    short = [line for line in lines if blocks[line.block].words <= _MAX_SHORT_WORDS and not _is_changed(line.text)]
    if not short:
        return ""
    return min(short, key=lambda line: (line.block < start, abs(line.block - start))).date


# (name, rule), best first; the name says what a date was read from.
RULES = (
    ("meta", of_meta), ("json-ld", of_work), ("time", of_element), ("address", of_address), ("text", of_text),
    ("text", of_label), ("json-ld", of_page),
)  # fmt: skip
