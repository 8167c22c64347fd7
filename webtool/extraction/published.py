"""When a page was published. In: what a page says of itself. Out: ISO 8601, "" where it does not say.

Only works that have a day of publication have a date here: an article, a post, a recipe, and not the product that was
reviewed on some day or the collection that was put up once. What is read from the visible text stands beside the
headline; on a forum it is the date of the first post. A date of a change, or of who joined when, comes last.
"""

from __future__ import annotations

from webtool.extraction import dates, json_ld
from webtool.lean import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.extraction.metadata import Sources
    from webtool.html.node import Element

_BEFORE, _AFTER = 6, 25
"""Blocks before and after the headline in which a date belongs to it."""
_MOST_WORDS = 25
"""A longer block is a sentence that speaks of a day."""
_MOST_DATES = 4
"""So many days beside the headline are those of a list, not of a page."""
DATED = frozenset(
    """
    article newsarticle blogposting reportagenewsarticle opinionnewsarticle analysisnewsarticle scholarlyarticle
    techarticle discussionforumposting qapage question recipe howto liveblogposting report medicalscholarlyarticle
    socialmediaposting videoobject podcastepisode advertisercontentarticle satiricalarticle backgroundnewsarticle
    """.split()
)
"""Types of works that somebody published on some day."""
_MEMBERS = ("datePublished", "dateCreated", "uploadDate")
_META = """
    article:published_time og:article:published_time og:published_time datepublished publication_date
    parsely-pub-date sailthru.date pubdate publishdate publish_date dc.date.issued dc.date dcterms.created dcterms.date
    citation_publication_date citation_date date article.published release_date bt:pubdate cxenseparse:recs:publishtime
    article:published dcterms.issued publication-date published_time
""".split()
_OTHER = patterns.compile(
    r"(?i)edit|modif|updat|last |joined|registered|member|since|founded|expire|until|event|copyright|\u00a9|"
    r"aktualisiert|actualizado|mis \u00e0 jour|deadline|next|review"
)


def of_work(sources: Sources) -> str:
    """From JSON-LD; a page that lists several works of other days has none of its own."""
    found = []
    for entry in sources.works[:40]:
        if json_ld.types(entry) & DATED:
            date = next((date for name in _MEMBERS if (date := dates.iso(entry.get(name)))), "")
            if date:
                found.append(date)
    many = len({date[:10] for date in found}) > _MOST_DATES and not sources.is_forum
    return "" if many or not found else found[0]


def of_meta(sources: Sources) -> str:
    """From meta elements."""
    return next((date for name in _META if (date := dates.iso(sources.meta(name)))), "")


def of_element(sources: Sources) -> str:
    """From a time element: one beside the headline, or the only one, or the first post's."""
    near: list[str] = []
    away: list[str] = []
    start = sources.headline
    for at, element in sources.elements_at(_is_dated):
        attrs = element.attrs
        date = dates.iso(attrs.get("datetime") or attrs.get("content") or element.text[:60])
        text = f"{attrs.get('class', '')} {attrs.get('itemprop', '')} {sources.page.blocks[at].text[:60]}"
        if date and not _OTHER.search(text):
            (near if -_BEFORE <= at - start <= _AFTER else away).append(date)
    days = {date[:10] for date in near + away}
    if near and (len(days) <= _MOST_DATES or sources.is_forum):
        return near[0]
    return away[0] if away and (len(days) == 1 or sources.is_forum) else ""


def _is_dated(element: Element) -> bool:
    return element.tag == "time" or element.attrs.get("itemprop") == "datePublished"


def of_address(sources: Sources) -> str:
    """From the path of the page's address."""
    return dates.in_address(sources.address or sources.head.address)


def of_text(sources: Sources) -> str:
    """From the lines beside the headline."""
    if sources.is_shop:
        return ""
    start = sources.headline
    found: list[tuple[bool, str]] = []
    for block in sources.page.blocks[max(0, start - _BEFORE) : start + _AFTER]:
        if block.words <= _MOST_WORDS:
            date = dates.in_text(block.text[:300])
            if date:
                found.append((bool(_OTHER.search(block.text)), date))
    if len({date for _, date in found}) > _MOST_DATES and not sources.is_forum:
        return ""
    return min(found, key=lambda entry: entry[0])[1] if found else ""


RULES = (
    ("json-ld", of_work),
    ("meta", of_meta),
    ("time", of_element),
    ("address", of_address),
    ("text", of_text),
)
