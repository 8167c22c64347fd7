"""Find the title of a page, without the name of its site. In: Sources, the site's name. Out: the title.

The heading that the title element repeats is the best source: it is written for readers and has no site's name in it.
After it come og:title and the like, then the title element with the site's name cut off.

Parts of a title are the texts between separators: "Flexbox" and "MDN" in "Flexbox | MDN".
Tests: tests/extraction/metadata/test_fields.py
"""

from __future__ import annotations

from webtool.extraction.metadata.evidence import Sources, host_of, is_first
from webtool.extraction.page import json_ld
from webtool.extraction.page.blocks import Block, link_around
from webtool.extraction.rules.headings import SEPARATOR, is_begun, letters, words_of
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

MIN_LETTERS = 4  # a shorter part is not compared with the host, because many hosts have it
MIN_LETTERS_INSIDE = 6  # a shorter part must be all of a subdomain or domain, not a piece of it as "paper" of newspaper
MIN_HEADING_CHARACTERS = 3  # a shorter heading is a mark or an icon
MIN_SHARED = 0.25  # of an article's only heading; with fewer of its words in the title element it is not the title
MIN_SHARED_ELSEWHERE = 1.0  # as MIN_SHARED, on pages that are not articles: their heading is often a slogan
MIN_LIKE = 0.3  # of the length of _Titles.own; a shorter heading inside it is not taken for the title
_BAR = patterns.compile("[|\uff5c]")
# Before the site's name, without blanks; the second ones only after letters of East Asian scripts:
# "\u8336-\u6d77\u6e7e\u65e5\u62a5", not "E-Paper" and "my_module".
_JOINTS, _EAST_ASIAN_JOINTS = "|\uff5c\uff1a\u30fb", "_-:"
_FIRST_EAST_ASIAN = "\u3040"  # of these scripts' letters
# What programs write if nobody gave the page a title.
_NO_TITLE = frozenset(("untitled", "untitled document", "document", "new page", "react app", "vite app"))


class _Site(NamedTuple):
    """The name of a site."""

    name: str  # as the page says; "" if it does not
    host: str  # Sources.host_name: "thepaper" for www.the-paper.co.uk

    def is_named(self, part: str) -> bool:
        """Return whether a part of a title is the name or in the host: "The Paper" in thepaper and in paper."""
        part = part.casefold().strip()
        if self.name and part in (self.name.casefold(), f"the {self.name.casefold()}"):
            return True
        full = letters(part)
        short = full.removeprefix("the")
        if not self.host or len(short) < MIN_LETTERS:
            return False
        is_inside = len(short) >= MIN_LETTERS_INSIDE and short in self.host
        return is_inside or not {full, short}.isdisjoint(self.host.split("."))


class _Titles(NamedTuple):
    """The titles that a page gives itself outside its headings."""

    whole: str  # the title element's text
    own: str  # that without the site's name
    given: str  # og:title or the like, or a name in the JSON-LD; without the site's name


def title(sources: Sources, site_name: str) -> str:
    """Return the heading that the title element repeats, else the given title, else the title without the site."""
    whole = _without_forum(sources.head.title) if sources.is_forum else sources.head.title
    whole = "" if whole.casefold() in _NO_TITLE else whole
    given = sources.meta("og:title", "twitter:title", "dc.title", "citation_title", "parsely-title", "sailthru.title")
    names = map(json_ld.scalar, sources.work("headline", "name"))
    given = given or next((value for value in names if isinstance(value, str)), "")
    site = _Site(site_name or next(iter(_headings(sources, "h1", of_site=True)), ""), sources.host_name)
    if sources.is_home and _is_name_and_slogan(whole, site):
        return _without_name(whole, site, at_start=False)
    own = _first_part(_without_site(whole, site))
    given = _first_part(_without_name(" ".join(given.split()), site))
    titles = _Titles(whole, own, given)
    headings = [text for text in _headings(sources, "h1") if text and not site.is_named(text)]
    is_only = len(headings) == 1
    # "Harbour - The page of boats" says nothing of the page: then its only heading is the title.
    is_slogan = not given and is_only and _begins_with_site(whole, site)
    for text in headings:
        if len(text) < MIN_HEADING_CHARACTERS:
            continue
        if is_slogan or _is_title(sources, text, titles, is_only=is_only):
            topic = _topic(sources, text, whole)
            if topic and not site.is_named(topic):
                return topic
            if given and text.endswith(given):  # after a date or a section's name
                return given
            is_most = len(text) <= 2 * len(own)
            if is_most and not given and text.endswith(f" {own}"):  # after a line above the headline
                return own
            return _first_part(_without_name(text, site))
    for block in sources.page.blocks:
        if not block.links and is_begun(given or whole, block):
            return block.text
    if given:
        return _without_site(given, site)
    if own and not (headings and site.is_named(own)):
        return own
    return headings[0] if headings else next(iter(_headings(sources, "h2")), "")


def _is_title(sources: Sources, heading: str, titles: _Titles, *, is_only: bool) -> bool:
    """Return whether an h1 is the page's title; `is_only` if the page has no other h1 than this and the site's name."""
    whole, own, given = titles
    if _is_alike(heading, own, given) or _begins_with(whole, heading) or _begins_with(given, heading):
        return True
    if whole.casefold().startswith(f"{heading.casefold()} archives"):  # WordPress calls its lists so
        return True
    if not is_only:
        return False
    min_shared = MIN_SHARED if sources.is_article else MIN_SHARED_ELSEWHERE
    parts = SEPARATOR.split(whole.casefold())
    is_last_of_three = len(parts) > 2 and parts[-1] == heading.casefold()  # "Site | Essays | A night on the ridge"
    return _shared(heading, own) >= min_shared or is_last_of_three


def _without_forum(title: str) -> str:
    """Return a topic's title without forum and board.

    "Board View topic - Which oil?" (phpBB) and "Which oil? / Engines / Board" (FluxBB) are "Which oil?".
    """
    topic = title.rpartition(" View topic - ")[2]
    first, *others = topic.split(" / ")
    return first if len(others) > 1 else topic


def _is_name_and_slogan(title: str, site: _Site) -> bool:
    """Return whether a title is a site's name and, after a colon or hyphen, what the site is: "Paper: news from here".

    Both together are the title of a site's first page. After a bar comes what the page is called.
    """
    match = SEPARATOR.search(title)
    return match is not None and match[0].strip() in (":", "-") and _begins_with_site(title, site)


def _topic(sources: Sources, heading: str, whole: str) -> str:
    """Return the h2 that is a part of the title if the h1 is a shorter part, else "".

    "Board - View topic - Which oil for a small engine?" with the h1 "Board" and an h2 for the topic (forums).
    """
    parts = [part.casefold() for part in SEPARATOR.split(whole)]
    if len(parts) < 2 or heading.casefold() not in parts:
        return ""
    headings = _headings(sources, "h2")
    topics = [text for text in headings if text.casefold() in parts and text.casefold() != heading.casefold()]
    # "Which oil? - Board" with the h1 "Board": on a forum the topic comes first (phpBB).
    is_topic_first = sources.is_forum and parts[-1] == heading.casefold()
    return next((text for text in topics if is_topic_first or len(text) > len(heading)), "")


def _headings(sources: Sources, tag: str, of_site: bool = False) -> list[str]:
    """Return the texts of all headings of a rank, either those that name the site or all others.

    A heading names the site if it links to the site's first page.
    """
    page = sources.page
    if tag not in page.by_tag:
        return []
    texts: dict[int, list[str]] = {}
    for block in page.blocks:
        i = block.container
        if page.element[i].tag == tag and _leads_home(sources, block) == of_site:
            texts.setdefault(i, []).append(_without_label(block))
    return [" ".join(of_heading) for of_heading in texts.values()]


def _without_label(block: Block) -> str:
    """Return a heading without the kind that XenForo puts before it in an element of class label: News, Question."""
    first = block.nodes[0]
    names = first.parent.attrs.get("class", "").split() if first.parent is not None else []
    return block.text.removeprefix(first.text.strip()).strip() if "label" in names else block.text


def _leads_home(sources: Sources, block: Block) -> bool:
    """Return whether a block is in a link to the site's first page, and this is another page."""
    link = link_around(block.nodes[0])
    if link is None or sources.is_home:
        return False
    href = link.attrs.get("href", "").strip()
    return href == "/" or (is_first(href) and host_of(href) == sources.host)


def _is_alike(heading: str, own: str, given: str) -> bool:
    """Return whether a heading equals the given title, or is a large part of the title element's own part."""
    folded = heading.casefold()
    if given and folded == given.casefold():
        return True
    return len(folded) >= MIN_LIKE * len(own) and folded in own.casefold()


def _begins_with(title: str, heading: str) -> bool:
    """Return whether a heading is all that is before a title's separator: "Flexbox" in "Flexbox - Learn the web"."""
    after = title[len(heading) : len(heading) + 2]
    is_whole_part = SEPARATOR.match(title, len(heading)) is not None or after == " ["
    return title.casefold().startswith(heading.casefold()) and is_whole_part


def _begins_with_site(title: str, site: _Site) -> bool:
    """Return whether the first part of a title is the site's name."""
    match = SEPARATOR.search(title)
    return match is not None and site.is_named(title[: match.start()])


def _shared(heading: str, whole: str) -> float:
    """Return the share of a heading's words that a title has; 0 for a heading of one word, which says too little."""
    words = set(words_of(heading))
    return len(words.intersection(words_of(whole))) / len(words) if len(words) > 1 else 0.0


def _first_part(title: str) -> str:
    """Return what is before the first bar; after the bar sites put their name, the section and a slogan.

    "C|C++ compilers" stays whole because "C" is short; " | The Shop" is "" because it has no title of its own.
    """
    first, *others = _BAR.split(title, maxsplit=1)
    first = first.strip()
    is_empty = bool(others) and not first
    return first if is_empty or len(first) >= MIN_LETTERS else title


def _without_site(title: str, site: _Site) -> str:
    """Cut the site's name off either end of a title.

    If neither end is the site's name, a last part of up to four words after four words or more is cut off as well,
    unless a colon separates it.
    """
    cut = _without_name(title, site)
    separators = list(SEPARATOR.finditer(cut))
    if cut != title or not separators:
        return cut
    last = separators[-1]
    before, after = title[: last.start()], title[last.end() :]
    is_short_part = before.count(" ") >= 3 and after.count(" ") <= 3
    return before if is_short_part and ":" not in last[0] else title


def _without_name(title: str, site: _Site, *, at_start: bool = True) -> str:
    """Cut parts that are the site's name off the end of a title, and with `at_start` one off its beginning."""
    if site.name and title[-len(site.name) :].casefold() == site.name.casefold():
        before = title[: -len(site.name)].rstrip()
        own = before.rstrip(_JOINTS)
        if own == before and before.rstrip(_EAST_ASIAN_JOINTS)[-1:] >= _FIRST_EAST_ASIAN:
            own = before.rstrip(_EAST_ASIAN_JOINTS)
        title = own.rstrip() if own and own != before else title
    separators = list(SEPARATOR.finditer(title))
    while separators and site.is_named(title[separators[-1].end() :]):
        title = title[: separators.pop().start()]
    if at_start and separators and site.is_named(title[: separators[0].start()]):
        return title[separators[0].end() :]
    return title
