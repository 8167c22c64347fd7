"""When a page was published. In: what a page says of itself. Out: ISO 8601, "" where it does not say.

Only works that have a day of publication have a date here: an article, a post, a recipe, and not the product that was
reviewed on some day or the collection that was put up once. What is read from the visible text stands beside the
headline; on a forum it is the date of the first post. A date of a change, or of who joined when, comes last.
"""

from __future__ import annotations

from webtool.extraction.metadata import dates
from webtool.extraction.metadata.evidence import DATED, Sources
from webtool.extraction.page import json_ld
from webtool.html.node import Element
from webtool.lean import patterns

_BEFORE, _AFTER = 6, 12
"""Blocks before and after the headline in which a line with a date belongs to it."""
_FAR = 25
"""Blocks after the headline, for time elements and for lines of a page that has no headline."""
_MOST_WORDS = 25
"""A longer block is a sentence that speaks of a day."""
_NEXT = 4
"""A line before that block after the headline belongs to it, although a list of other days follows."""
_LABEL_WORDS = 3
_FEW_WORDS = 15
"""So short is a line beside the headline that is believed more than the page's data."""
_MOST_DATES = 4
"""So many days beside the headline are those of a list, not of a page."""
FIRST = "1990"
"""The Web's first year: a line with an earlier one speaks of something else."""
NEW_EDITION = 60
"""Days after which what is shown beside the headline is no correction but the day of another text."""
MOST_LINES = 3000
_digits = patterns.compile(r"\d")
_YEAR = patterns.compile(r"(?:19|2[05])\d\d")
_MEMBERS = ("datePublished", "dateCreated", "uploadDate")
_META = """
    article:published_time og:article:published_time og:published_time datepublished publication_date
    parsely-pub-date sailthru.date pubdate publishdate publish_date dc.date.issued dc.date dcterms.created dcterms.date
    citation_publication_date citation_date date article.published release_date bt:pubdate cxenseparse:recs:publishtime
    article:published dcterms.issued publication-date published_time published published-date
""".split()
_CHANGED = patterns.compile(
    r"(?i)edit(?!or|ion|ing)|modif|updat|last |review|aktualisiert|actualizado|mis \u00e0 jour|"
    r"g\u00fcncelle|zaktualizowan|bijgewerkt|aggiornat|atualiza|uppdatera|"
    r"opp?datere|p\u00e4ivitet|diperbarui|c\u1eadp nh\u1eadt|"
    r"\u66f4\u65b0|\uc218\uc815|\u043e\u0431\u043d\u043e\u0432\u043b|\u043e\u043d\u043e\u0432\u043b|\u062a\u062d\u062f\u064a\u062b"
    r"|\u05e2\u05d5\u05d3\u05db\u05df|\u03b5\u03bd\u03b7\u03bc\u03ad\u03c1\u03c9"
)
_OTHER = patterns.compile(
    r"(?i)joined|registered|member|since|founded|expire|until|event|copyright|\u00a9|dead\xad?line|next|"
    r"releas(?!ed this)|"
    r"\b(?:sale|ends?|book|apply|starts?|open|hours)\b|\d{4}-\d\d-\d\d\s*(?:[-\u2013\u2014]|to)\s*\d"
    r"|\d{4}\s+(?:[-\u2013\u2014]|to|bis|au)\s+(?:\w{3,9}\.? )?\d{1,2}\b(?!\s*(?:m|\u043c|\u5206|\ubd84))"
)
"""Days of something else than the page: of who joined when, of offers and events, and spans of days; not the minutes
that reading takes."""
_DATELINE = patterns.compile(r"([^\W\d_a-z][^.!?;:]{2,40}[,.(] ?[^!?;:]{6,40}\d)\)?\s*(?:/|\(|[-\u2013\u2014]{1,2}\s)")
_ORIGINAL = patterns.compile(
    r"(?i)(?:originally|first) (?:published|posted)|erstmals ver\u00f6ffentlicht|publi\u00e9 initialement"
)
_LABEL = patterns.compile(
    r"(?i)^\W*(?:first |originally )?(?:publi(?:shed|cation)|posted|post (?:time|date)|"
    r"ver\u00f6ffentlicht|publicado|publi\u00e9|pubblicato|gepubliceerd|\u043e\u043f\u0443\u0431\u043b\u0438\u043a\u043e\u0432\u0430\u043d\u043e|"
    r"\u53d1\u5e03|\u516c\u958b|\u63b2\u8f09|\u6295\u7a3f\u65e5)"
)


def find(sources: Sources) -> tuple[str, str]:
    """The date, and what it was read from.

    Nothing is published on a day that is sold or kept up to date, and not the page that a site begins with. A line
    beside the headline that names an earlier day than the page's data is right: data tell when a text was moved, too.
    One that names a much later day than the JSON-LD is that of the text that stands there: guides are written anew and
    keep the day of their first version in the data.
    """
    if sources.is_shop or sources.is_standing or (sources.is_home and not sources.is_forum):
        return "", ""
    found = next(((date, name) for name, rule in RULES if (date := rule(sources))), ("", ""))
    if found[1] in ("json-ld", "meta") and not sources.is_forum:
        shown = _beside_headline(sources)
        if shown and shown < found[0][:10]:
            return shown, "text"
    if found[1] == "json-ld" and not sources.is_forum:
        shown = of_element(sources) or of_text(sources)
        if shown and _days(shown) - _days(found[0]) >= NEW_EDITION:
            return shown, "update"
    return found


def _days(date: str) -> int:
    """Days, as if all months had 31."""
    year, month, day = date[:10].split("-")
    return 372 * int(year) + 31 * int(month) + int(day)


def of_work(sources: Sources) -> str:
    """From JSON-LD; a page that lists several works of other days has none of its own."""
    found = []
    kinds = DATED if sources.head.og_type.startswith("video") else DATED - {"videoobject"}
    for entry in sources.works[:40]:
        if json_ld.types(entry) & kinds:
            date = next((date for name in _MEMBERS if (date := dates.iso(entry.get(name), sources.day_first))), "")
            if date:
                found.append(date)
    many = len({date[:10] for date in found}) > _MOST_DATES and not sources.is_forum
    return "" if many or not found else found[0]


def of_page(sources: Sources) -> str:
    """From JSON-LD's entry of the page itself, where its address has the month: any page has such an entry."""
    found = (dates.iso(one.get("datePublished")) for one in sources.objects[:200] if "webpage" in json_ld.types(one))
    return next((date for date in found if date and f"/{date[:7].replace('-', '/')}/" in sources.address), "")


def of_meta(sources: Sources) -> str:
    """From meta elements."""
    return next((date for name in _META if (date := dates.iso(sources.meta(name), sources.day_first))), "")


def of_element(sources: Sources) -> str:
    """From a time element: one beside the headline, or the only one, or the first post's."""
    near: list[tuple[int, str, object]] = []
    away: list[str] = []
    named: list[str] = []
    start, blocks = sources.headline, sources.page.blocks
    for at, element in sources.elements_at(_is_dated):
        attrs = element.attrs
        date = dates.iso(
            attrs.get("datetime") or attrs.get("content") or attrs.get("ts") or element.text[:60], sources.day_first
        )
        said = _said(blocks[at].text, element.text)
        text = f"{attrs.get('class', '')} {attrs.get('itemprop', '')} {_label_before(sources, at)} {said}"
        if date and not _OTHER.search(text) and not _CHANGED.search(text):
            if -_BEFORE <= at - start <= _FAR:
                near.append((at, date, _place(sources, at)))
            elif at > start or not sources.is_forum:  # what stands above a thread is a clock, or when who came last
                away.append(date)
            if attrs.get("itemprop") == "datePublished":
                named.append(date)
    days = {date[:10] for _, date, _ in near} | {date[:10] for date in away}
    listed = _listed(near)
    if near and (sources.is_forum or (len(days) <= _MOST_DATES and not listed)):
        return near[0][1]
    if len({date[:10] for date in named}) == 1:
        return named[0]
    close = [date for at, date, place in near if 0 < at - start <= _NEXT and place not in listed]
    if len({date[:10] for date in close}) == 1:
        return close[0]
    return away[0] if away and (len(days) == 1 or sources.is_forum) else ""


def _is_changed(text: str) -> bool:
    """Whether the first day in a line is that of a change."""
    match = _CHANGED.search(text)
    return match is not None and not dates.in_text(text[: match.start()])


def _doubt(text: str) -> int:
    """What speaks against a dated line: 2 where the day is a change's, 1 where it may be that of something else; -1
    where the line is sure."""
    first = _ORIGINAL.search(text)
    is_sure = first is not None and not _is_changed(text[first.end() :])
    return -1 if is_sure else 2 if _is_changed(text) else bool(_OTHER.search(text))


def _is_dated(element: Element) -> bool:
    """A time element, or one of a page's own making (relative-time, local-time, faceplate-timeago)."""
    return "time" in element.tag or element.attrs.get("itemprop") == "datePublished"


def _label_before(sources: Sources, at: int) -> str:
    """The few words before a block that may say what it is."""
    block = sources.page.blocks[at - 1] if at else None
    return block.text if block is not None and block.words <= _LABEL_WORDS else ""


def _said(line: str, date: str) -> str:
    """What a line says of the date in it: what stands before it, or what it begins with."""
    shown = " ".join(date[:100].split())
    before = line[:300].partition(shown)[0] if shown else ""
    return _digits.split(before)[-1] if _digits.search(before) else line[:60]


def _place(sources: Sources, at: int) -> object:
    """What the entries of a list have in common: the element around a block, and its class."""
    element = sources.page.element[sources.page.blocks[at].container]
    return element.tag, element.attrs.get("class", "")


def _listed(found: list[tuple[int, str, object]]) -> set[object]:
    """The places that have three days (or other values) or more: those of a list's entries."""
    days: dict[object, set[str]] = {}
    for _, date, place in found:
        days.setdefault(place, set()).add(date[:10])
    return {place for place, of_place in days.items() if len(of_place) > 2}


def of_address(sources: Sources) -> str:
    """From the path of the page's address, or of the one that it gives itself."""
    return dates.in_address(sources.address) or dates.in_address(sources.head.address)


def of_text(sources: Sources) -> str:
    """From the lines beside the headline, or one anywhere that says when it was first published; a line that says what
    was changed comes last."""
    start = sources.headline
    found = _all_lines(sources)
    lines = [line for line in found if -_BEFORE <= line[0] - start < _FAR]
    if not sources.is_forum:
        listed = _listed([(at, str(at), _place(sources, at)) for at, _, _ in lines])
        is_list = bool(listed) or len({date for _, date, _ in lines}) > _MOST_DATES
        least, most = (0, _NEXT) if is_list else (-_BEFORE, _AFTER if sources.has_headline else _FAR)
        lines = [line for line in lines if least <= line[0] - start < most and _place(sources, line[0]) not in listed]
    lines += [line for line in found if _ORIGINAL.search(line[2])]
    return next((date for _, date, _ in sorted(lines, key=lambda line: (_doubt(line[2]), line[0] < start))), "")


def of_label(sources: Sources) -> str:
    """From a line anywhere that says when the page was published, or that is the only one with a day, where all such
    lines name one day."""
    blocks = sources.page.blocks
    lines = _all_lines(sources)
    days = {
        date
        for at, date, text in lines
        if _LABEL.search(text) or (at and blocks[at - 1].words <= _LABEL_WORDS and _LABEL.search(blocks[at - 1].text))
    }
    if not days and (sources.is_article or not sources.has_headline):
        days = {date for _, date, text in lines if not _is_changed(text)}
        places = [_place(sources, at) for at, _, _ in lines]
        if any(blocks[at].words > _FEW_WORDS for at, _, _ in lines) or len(places) > 2 * len(set(places)):
            return ""
    return days.pop() if len(days) == 1 else ""


def _all_lines(sources: Sources) -> list[tuple[int, str, str]]:
    if sources.dated is None:
        sources.dated = _lines(sources, 0, MOST_LINES)
    return sources.dated


def _lines(sources: Sources, first: int, end: int) -> list[tuple[int, str, str]]:
    """(block, day, text) of the lines that are dated and do not speak of the day of something else."""
    found = []
    first = max(first, 0)
    for at, block in enumerate(sources.page.blocks[first : min(end, MOST_LINES)], first):
        text = block.text if block.words <= _MOST_WORDS else _dateline(block.text)
        if text and _YEAR.search(text) and (date := dates.in_text(text[:300], sources.day_first)) > FIRST:
            last = _label_before(sources, at)
            is_other = _OTHER.search(text) or (_OTHER.search(last) and not _LABEL.search(text))
            if sources.is_forum or not is_other or text != block.text:
                found.append((at, date, text))
    return found


def _dateline(text: str) -> str:
    """The place and the day that the first sentence of a press release begins with: BASEL, March 14, 2023 /Wire/ --"""
    begin = text[:120]
    match = _DATELINE.match(begin) if _YEAR.search(begin) else None
    return match[1] if match else ""


def _beside_headline(sources: Sources) -> str:
    """The day in the first short line after the headline, or before it, that does not say what was changed."""
    start = sources.headline
    lines = [entry for entry in _lines(sources, start - 3, start + 9) if entry[0] != start]
    if not sources.has_headline or _listed([(at, date, _place(sources, at)) for at, date, _ in lines]):
        return ""
    short = [e for e in lines if sources.page.blocks[e[0]].words <= _FEW_WORDS and not _is_changed(e[2])]
    return next((date for at, date, _ in sorted(short, key=lambda e: (e[0] < start, abs(e[0] - start)))), "")


RULES = (
    ("meta", of_meta), ("json-ld", of_work), ("time", of_element), ("address", of_address), ("text", of_text),
    ("text", of_label), ("json-ld", of_page),
)  # fmt: skip
