"""Answer the questions about a page that the rules of metadata share. In: head, cut page, address. Out: Sources.

Where is the headline, what is the site called, is it a forum, a shop, a page kept up to date? Each answer is worked out
once, when the first rule asks. The data are untrusted; head.py and json_ld.py bound them. A rule is a function that
reads a field from Sources, "" without one; first_read() asks rules in order.
Tests: tests/extraction/metadata/test_fields.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from webtool.extraction.metadata import dates
from webtool.extraction.page import json_ld
from webtool.extraction.page.blocks import BLOCK, KINDS, Page
from webtool.extraction.page.head import Head
from webtool.extraction.rules import headings
from webtool.html.elements import HEADINGS
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.memory import cached
from webtool.lean.records import NamedTuple

MAX_BLOCKS = 3000  # of a page; elements and words of later blocks are not looked at
MAX_TEXT = 200_000  # characters whose words are looked at
MAX_INSIDE = 6  # blocks; an element with more is too large for a byline or a date
MAX_NODES = 20  # text nodes of a block whose elements are looked at
MAX_WORKS = 20  # works of the JSON-LD whose members are read
MIN_LINE_WORDS = 4  # a shorter line is not taken for the headline though the title begins with it
MAX_LINE_WORDS = 40  # after a longer block no line is taken for the headline
MIN_SHARED = 0.5  # of the words of heading and title together; a lower heading with less is not the headline
_WORDS = patterns.compile(r"\w+")
# Types of works that somebody published on some day.
DATED = frozenset(
    """
    article newsarticle blogposting reportagenewsarticle opinionnewsarticle analysisnewsarticle scholarlyarticle
    techarticle discussionforumposting qapage question recipe howto liveblogposting report medicalscholarlyarticle
    socialmediaposting videoobject podcastepisode advertisercontentarticle satiricalarticle backgroundnewsarticle
    """.split()
)
_WORKS = DATED | {"product", "review", "jobposting", "event", "course", "book"}
PRODUCTS = frozenset(("product", "productgroup"))
_FORUM_TYPES = frozenset(("discussionforumposting", "qapage", "socialmediaposting"))
_ARTICLES = DATED - _FORUM_TYPES - {"question", "videoobject"}
_FORUM_PATH = patterns.compile(
    r"(?i)/(?:forums?|threads?|topics?(?=/[^/?]*\d)|t|questions?|discussions?|viewtopic|showthread|comments|d(?=/\d+-))\b"
    r"|[?&;]topic=\d|//[^/]*(?:forum|boards?\.|\bbbs\.|discuss)"
)

# Addresses of pages that are kept up to date: manuals, services, lists of topics or products.
_STANDING_PATH = patterns.compile(
    r"(?i)//(?:docs?|developer)\.|/(?:docs|documentation|reference|manual|services?|solutions?|wiki)(?:/|$)"
    r"|/(?:topics?|categor(?:y|ies)|tags?|genres?|sections?|departments?|search|shop|store|list|products?)(?:/[^/]+)?/?$"
)
_TEXT_PATH = patterns.compile(r"(?i)[/.](?:blogs?|news|posts?|articles?|stor(?:y|ies)|releases?)/|/(?:19|20)\d\d/")


def is_forum(head: Head, address: str) -> bool:
    """Return whether a page's JSON-LD or its address says that it is a forum's."""
    return bool(head.schema_types & _FORUM_TYPES or _FORUM_PATH.search(address or head.address))


def host_of(address: str) -> str:
    """Return the host of an address, lower-cased."""
    return address.partition("//")[2].partition("/")[0].lower()


def is_first(address: str) -> bool:
    """Return whether an address is a site's first page: it has a host and no path, or the path of an index file."""
    path = address.partition("//")[2].partition("/")[2].partition("?")[0].partition("#")[0]
    return bool(host_of(address)) and path in ("", "index.html", "index.php")


def is_article(head: Head) -> bool:
    """Return whether a page's Open Graph type or JSON-LD says that it is an article."""
    return head.og_type.startswith("article") or bool(head.schema_types & _ARTICLES)


def is_product(head: Head) -> bool:
    """Return whether a page's Open Graph type or JSON-LD says that it is about a product."""
    return "product" in head.og_type or bool(head.schema_types & PRODUCTS)


class Line(NamedTuple):
    """A short block with a date."""

    block: int
    date: str
    text: str


class Sources:
    """A page as the rules of metadata see it.

    head, page, address   the page's head, its blocks, and where it came from ("" if unknown)
    objects, works        the objects of its JSON-LD, and those that are works: articles, products, recipes
    dated                 its lines with a date; None until published.py looks for them
    """

    def __init__(self, head: Head, page: Page, address: str) -> None:
        self.head = head
        self.page = page
        self.address = address
        self.objects = head.objects
        self.dated: list[Line] | None = None
        self.works = [entry for entry in self.objects if json_ld.types(entry) & _WORKS]

    def meta(self, *names: str) -> str:
        """Return the content of the first meta element of these names that has any, else ""."""
        for name in names:
            value = " ".join(self.head.meta.get(name, "").split())
            if value:
                return value
        return ""

    def work(self, *names: str, among: frozenset[str] = _WORKS) -> Iterator[object]:
        """Yield members of the works that have one of these types: the first name of each work, then the second."""
        for name in names:
            for work in self.works[:MAX_WORKS]:
                if work.get(name) and json_ld.types(work) & among:
                    yield work[name]

    @cached
    def host(self) -> str:
        """The host of the page's address, or of the one that it gives itself."""
        return host_of(self.address or self.head.address)

    @cached
    def host_name(self) -> str:
        """The host as names of sites are compared with it: "www.the-paper.co.uk" -> "thepaper".

        Port, www., hyphens and top-level domain are removed, other subdomains stay: "news.paper.com" -> "news.paper".
        """
        name = self.host.partition(":")[0].removeprefix("www.").rpartition(".")[0].replace("-", "")
        return name.removesuffix(".co").removesuffix(".com")

    @cached
    def headline(self) -> int:
        """The number of the block with the headline, 0 without one.

        That is the h1 most like the title (shared words over all words of both). Without an h1 it is the most similar
        lower heading with more than MIN_SHARED, or else the first line, not linked, with which the title begins.
        """
        title = self.head.title or self.head.meta.get("og:title", "")
        words = set(headings.words_of(title))
        headline = 0
        best = (False, MIN_SHARED)  # whether the best heading is an h1, and the share of words: any h1 beats others
        may_be_line = True  # no long block and no line like the title came so far
        for i, block in enumerate(self.page.blocks):
            tag = self.page.element[block.container].tag
            if tag in HEADINGS:
                own = set(headings.words_of(block.text))
                likeness = (tag == "h1", len(words & own) / max(1, len(words | own)))
                if likeness > best:
                    best, headline = likeness, i
            elif may_be_line and block.words >= MIN_LINE_WORDS and not block.links and title.startswith(block.text):
                headline, may_be_line = headline or i, False
            may_be_line = may_be_line and block.words <= MAX_LINE_WORDS
        return headline

    @cached
    def has_headline(self) -> bool:
        """Whether the page has a headline: a block that is like the title, or an h1 as its first block."""
        page = self.page
        return self.headline > 0 or (bool(page.blocks) and page.element[page.blocks[0].container].tag == "h1")

    @cached
    def is_article(self) -> bool:
        """Whether the page's data say that it is an article."""
        return is_article(self.head)

    @cached
    def site_names(self) -> list[str]:
        """The names of the site and of the publishers of the page's works."""
        values = [entry.get("publisher") for entry in self.works[:5]]
        values += [entry.get("name") for entry in self.objects[:200] if "website" in json_ld.types(entry)]
        names = [self.meta("og:site_name", "application-name", "apple-mobile-web-app-title")]
        return [name for name in (*names, *map(json_ld.name_of, values)) if name]

    def has_word(self, word: str) -> bool:
        """Return whether the page has a word in just this spelling."""
        return word in self._text and word in self._words  # most names' words are not even in the text

    @cached
    def _text(self) -> str:
        return " ".join([block.text for block in self.page.blocks[:MAX_BLOCKS]])[:MAX_TEXT]

    @cached
    def _words(self) -> set[str]:
        return set(_WORDS.findall(self._text))

    @cached
    def day_first(self) -> bool | None:
        """Whether the day comes first in a date of numbers, by the page's language; None if that is unknown."""
        return dates.is_day_first(self.head.language or self.meta("content-language", "og:locale"))

    @cached
    def is_home(self) -> bool:
        """Whether it is a site's first page, by its address and by the one that it gives itself.

        For a page that gives itself no address, the caller may know the site's address only. Such a page counts if its
        headline has a word of the host's name, or if it has no headline.
        """
        address, own = self.address or self.head.address, self.head.address
        if not is_first(address):
            return False
        if own:
            return is_first(own) or host_of(own) != self.host
        headline = self.page.blocks[self.headline].text if self.has_headline else ""
        words = [word for word in headings.words_of(headline) if len(word) > 2]
        return not words or any(word in self.host for word in words)

    @cached
    def is_forum(self) -> bool:
        """Whether the page is a forum's."""
        return is_forum(self.head, self.address)

    @cached
    def is_standing(self) -> bool:
        """Whether the address is that of a page kept up to date: a manual, a service, the list of a topic's articles.

        Such a page has neither date nor author.
        """
        address = (self.address or self.head.address).partition("?")[0].partition("#")[0]
        return bool(_STANDING_PATH.search(address)) and not (_TEXT_PATH.search(address) or self.is_forum)

    @cached
    def dated_types(self) -> frozenset[str]:
        """DATED, and "review" if the page is one critic's review of a thing that is neither its own nor for sale."""
        reviews = [entry for entry in self.works if "review" in json_ld.types(entry) and entry.get("itemReviewed")]
        if len(reviews) != 1 or any("offers" in entry or "review" in entry for entry in self.objects):
            return DATED
        # A guest's review is beside the hotel's own entry, which has the name of the thing that is reviewed.
        thing = reviews[0]["itemReviewed"]
        thing = thing[0] if isinstance(thing, list) else thing
        name = json_ld.name_of(thing)
        is_own = bool(name) and any(entry.get("name") == name and entry is not thing for entry in self.objects)
        return DATED if is_own and "publisher" not in reviews[0] else DATED | {"review"}

    @cached
    def is_event(self) -> bool:
        """Whether the page is about an event and is not an article, by its data: days in its text are the event's."""
        types = self.head.schema_types
        return any(name.endswith("event") for name in types) and not (types & DATED or self.is_article)

    @cached
    def is_shop(self) -> bool:
        """Whether the page sells something, by its data."""
        types = self.head.schema_types
        return self.head.og_type.startswith(("product", "og:product")) or (
            "product" in types and not types & _ARTICLES and self.dated_types is DATED
        )

    def elements_at(self, matches: Callable[[Element], bool]) -> Iterator[tuple[int, Element]]:
        """Yield (block, element) for the elements around text that match: in order of blocks, inner ones first."""
        return ((i, element) for i, element in self._around if matches(element))

    @cached
    def _around(self) -> list[tuple[int, Element]]:
        """(first block, element) of the elements around text that have attributes, and of time elements."""
        around: list[tuple[int, Element]] = []
        seen: set[Element] = set()
        page = self.page
        for i, block in enumerate(page.blocks[:MAX_BLOCKS]):
            nodes = block.nodes[:MAX_NODES] if block.inline is not None or len(block.nodes) > 1 else []
            for node in nodes:
                element = node.parent
                while element is not None and element not in seen and KINDS.get(element.tag) != BLOCK:
                    seen.add(element)
                    if element.attrs or element.tag == "time":
                        around.append((i, element))
                    element = element.parent
            container = block.container
            while container >= 0 and page.last[container] - page.first[container] <= MAX_INSIDE:
                element = page.element[container]
                if element in seen:
                    break
                seen.add(element)
                if element.attrs:
                    around.append((i, element))
                container = page.parent[container]
        return around


def first_read(sources: Sources, rules: Iterable[tuple[str, Callable[[Sources], str]]]) -> tuple[str, str]:
    """Return the first value that a rule reads and the rule's name; ("", "") if no rule reads one."""
    return next(((value, name) for name, rule in rules if (value := rule(sources))), ("", ""))
