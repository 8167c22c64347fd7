"""Title, byline, date, language, site name and excerpt of a page. In: head, cut page, address. Out: Metadata.

Each field has a table of sources in order; the first that gives something usable wins. Nothing is guessed: a field
without a source stays empty. Specs: Open Graph, schema.org, Dublin Core and WHATWG's standard metadata names.
"""

from __future__ import annotations

from webtool.extraction import dates, json_ld, titles
from webtool.html.charrefs import decode_text
from webtool.lean import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import NamedTuple

    from webtool.extraction.blocks import Page
    from webtool.extraction.head import Head
    from webtool.html.node import Element
else:
    from webtool.lean.records import NamedTuple

MAX_TITLE = 500
MAX_BYLINE = 200
MAX_EXCERPT = 500
_WORKS = frozenset(
    """
    article newsarticle blogposting reportagenewsarticle opinionnewsarticle analysisnewsarticle scholarlyarticle
    techarticle discussionforumposting qapage question product recipe howto review liveblogposting report
    medicalscholarlyarticle socialmediaposting videoobject podcastepisode jobposting event course book
    """.split()
)
_PAGES = frozenset(("webpage", "itempage", "collectionpage", "aboutpage", "faqpage", "profilepage"))
_BYLINE_NAME = patterns.compile(
    r"(?i)(?:^|[\s_-])(?:byline|by-?line|author|p-author|dateline-?author|writer)(?:$|[\s_-])"
)
_BY = patterns.compile(r"(?i)^\s*(?:written\s+|posted\s+|words\s+|story\s+)?(?:by|von|par|por|di|door|av)\b[:\s]+")
_BYLINE_END = patterns.compile(r"\s*[|\u2022\u00b7]\s*|,? on ")
_TAG = patterns.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}")
_NO_NAME = patterns.compile(
    r"(?i)https?://|www\.|@|\d{4}|^(?:admin|administrator|editor|staff|unknown|null|none|undefined)$"
)


class Metadata(NamedTuple):
    """What a page says about itself; "" where it says nothing."""

    title: str = ""
    byline: str = ""
    published: str = ""
    """ISO 8601 date, with time and zone where the page gives them."""
    language: str = ""
    """BCP 47 tag."""
    site_name: str = ""
    excerpt: str = ""


class Sources:
    """What the rules read from."""

    def __init__(self, head: Head, page: Page, address: str) -> None:
        self.head = head
        self.page = page
        self.address = address
        self.objects = json_ld.objects(head.json_ld)
        self.works = [entry for entry in self.objects if json_ld.types(entry) & _WORKS]

    def meta(self, *names: str) -> str:
        """The first meta element of these names that has content."""
        for name in names:
            value = " ".join(self.head.meta.get(name, "").split())
            if value:
                return value
        return ""

    def work(self, *names: str) -> Iterator[object]:
        """The members of the page's main works, in order of the names."""
        for name in names:
            for entry in self.works[:20]:
                if entry.get(name):
                    yield entry[name]

    def elements(self, matches: Callable[[Element], bool]) -> Iterator[Element]:
        """The elements around the page's text that match, inline ones too, in document order."""
        seen: set[int] = set()
        for block in self.page.blocks[:3000]:
            for element in (block.inline, self.page.element[block.container]):
                if element is not None and id(element) not in seen:
                    seen.add(id(element))
                    if matches(element):
                        yield element


def read(head: Head, page: Page, address: str = "") -> Metadata:
    """All fields; `address` is where the page came from."""
    sources = Sources(head, page, address)
    site_name = _first(sources, _SITE_NAMES)
    return Metadata(
        title=_clip(titles.title(sources, site_name), MAX_TITLE),
        byline=_clip(_first(sources, _BYLINES), MAX_BYLINE),
        published=_first(sources, _DATES),
        language=_first(sources, _LANGUAGES),
        site_name=_clip(site_name, MAX_BYLINE),
        excerpt=_clip(_first(sources, _EXCERPTS), MAX_EXCERPT),
    )


def _first(sources: Sources, rules: tuple[Callable[[Sources], str], ...]) -> str:
    for rule in rules:
        value = rule(sources)
        if value:
            return value
    return ""


def _clip(text: str, most: int) -> str:
    """The text without the character references that pages leave in attributes and data, cut to a length."""
    if "&" in text:
        text = " ".join(decode_text(text).split())
    return text if len(text) <= most else text[: most - 1].rstrip() + "\u2026"


def _person(value: object) -> str:
    name = " ".join(_BY.sub("", json_ld.name_of(value)).split())
    return "" if not name or len(name) > MAX_BYLINE or _NO_NAME.search(name) else name


def _byline_of_work(sources: Sources) -> str:
    return next((name for value in sources.work("author", "creator") if (name := _person(value))), "")


def _byline_of_meta(sources: Sources) -> str:
    for key in (
        "author",
        "article:author",
        "parsely-author",
        "sailthru.author",
        "dc.creator",
        "citation_author",
        "byl",
    ):
        name = _person(sources.meta(key))
        if name:
            return name
    return ""


def _byline_of_element(sources: Sources) -> str:
    def matches(element: Element) -> bool:
        attrs = element.attrs
        return (
            attrs.get("itemprop", "") == "author"
            or "author" in attrs.get("rel", "").split()
            or bool(_BYLINE_NAME.search(f"{attrs.get('class', '')} {attrs.get('id', '')}"[:200]))
        )

    for element in sources.elements(matches):
        name = _person(element.text[:400])
        if name and len(name) <= 80:
            return name
    return ""


def _byline_of_text(sources: Sources) -> str:
    for block in sources.page.blocks[:400]:
        if len(block.text) <= 60 and block.text[:3].lower() == "by " and block.text[3:4].isupper():
            name = _person(_BYLINE_END.split(block.text)[0])
            if name.count(" ") <= 5:
                return name
    return ""


def _date_of_work(sources: Sources) -> str:
    names = ("datePublished", "dateCreated", "uploadDate", "datePosted", "startDate")
    return next((date for value in sources.work(*names) if (date := dates.iso(value))), "")


def _date_of_any(sources: Sources) -> str:
    values = (entry.get("datePublished") for entry in sources.objects[:200] if json_ld.types(entry) & _PAGES)
    return next((date for value in values if (date := dates.iso(value))), "")


def _date_of_meta(sources: Sources) -> str:
    for name in _DATE_NAMES:
        date = dates.iso(sources.meta(name))
        if date:
            return date
    return ""


def _date_of_element(sources: Sources) -> str:
    def matches(element: Element) -> bool:
        return element.tag == "time" or element.attrs.get("itemprop") == "datePublished"

    for element in sources.elements(matches):
        attrs = element.attrs
        date = dates.iso(attrs.get("datetime") or attrs.get("content") or element.text[:60])
        if date:
            return date
    return ""


def _date_of_text(sources: Sources) -> str:
    for block in sources.page.blocks[:200]:
        if len(block.text) <= 80:
            date = dates.in_text(block.text)
            if date:
                return date
    return ""


_DATE_NAMES = """
    article:published_time og:article:published_time og:published_time datepublished publication_date
    parsely-pub-date sailthru.date pubdate publishdate publish_date dc.date.issued dc.date dcterms.created
    citation_publication_date citation_date date article.published release_date bt:pubdate
""".split()


def _publisher(sources: Sources) -> str:
    values = [entry.get("publisher") for entry in sources.works[:5]]
    values += [entry.get("name") for entry in sources.objects[:200] if "website" in json_ld.types(entry)]
    return next((name for value in values if (name := json_ld.name_of(value))), "")


def _language(tag: str) -> str:
    tag = tag.strip().replace("_", "-")
    return tag if _TAG.fullmatch(tag) else ""


def _lead(sources: Sources) -> str:
    for block in sources.page.blocks:
        if block.words >= 20 and 4 * block.link_words < block.words:
            return block.text
    return ""


_BYLINES = (_byline_of_work, _byline_of_meta, _byline_of_element, _byline_of_text)
_DATES = (
    _date_of_work,
    _date_of_meta,
    _date_of_any,
    _date_of_element,
    lambda sources: dates.in_address(sources.address or sources.head.address),
    _date_of_text,
)
_LANGUAGES = (
    lambda sources: _language(sources.head.language),
    lambda sources: _language(sources.meta("content-language", "dc.language", "language")),
    lambda sources: _language(sources.meta("og:locale")),
    lambda sources: next((_language(value) for value in sources.work("inLanguage") if isinstance(value, str)), ""),
)
_SITE_NAMES = (
    lambda sources: sources.meta("og:site_name", "application-name", "apple-mobile-web-app-title"),
    _publisher,
    lambda sources: sources.meta("twitter:app:name:iphone", "al:ios:app_name", "dc.publisher", "copyright"),
)
_EXCERPTS = (
    lambda sources: sources.meta("description", "og:description", "twitter:description", "dc.description"),
    lambda sources: next((" ".join(v.split()) for v in sources.work("description") if isinstance(v, str)), ""),
    _lead,
)
