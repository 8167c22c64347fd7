"""The title of a page, without the name of its site. In: what a page says of itself. Out: its title.

The heading that the title element repeats is the best source: it is written for readers and bears no name of a site.
"""

from __future__ import annotations

from webtool.extraction.metadata.evidence import Sources, host_of, is_first
from webtool.extraction.page.blocks import Block
from webtool.extraction.rules.headings import SEPARATOR, is_begun
from webtool.html.node import around
from webtool.lean import patterns

LEAST_LETTERS = 4
"""Fewer letters than that are found in many hosts."""
LEAST_SHARED = 0.25
"""The share of its words that the only heading of an article has in common with the title element, where it is the
title: what other pages are headed with is often a slogan, and all of its words are asked for."""
_MOST_AROUND = 4
_WORDS = patterns.compile(r"\w+")


def title(sources: Sources, site_name: str) -> str:
    """The heading that the title element repeats; else the title of the work; else the title without the site."""
    whole = _of_topic_alone(sources.head.title) if sources.is_forum else sources.head.title
    given = sources.meta("og:title", "twitter:title", "dc.title", "citation_title", "parsely-title", "sailthru.title")
    given = given or next((value for value in sources.work("headline", "name") if isinstance(value, str)), "")
    site_name = site_name or next(iter(_headings(sources, "h1", of_site=True)), "")
    host = _host(sources.address or sources.head.address)
    host_and_site = (site_name, host)
    if sources.is_home and _is_named_and_told(whole, *host_and_site):
        return _without_name(whole, *host_and_site, at_begin=False)
    headings = [text for text in _headings(sources, "h1") if text and not _is_site(text, site_name, host)]
    own = _first_part(_without_site(whole, *host_and_site))
    given = _first_part(_without_name(" ".join(given.split()), *host_and_site))
    least = LEAST_SHARED if sources.is_article else 1.0
    is_slogan = not given and len(headings) == 1 and _begins_with_site(whole, *host_and_site)
    for text in headings:
        if len(text) > 2 and (
            is_slogan
            or _alike(text, own, given)
            or any(_begins_with(title, text) for title in (whole, given))
            or whole.casefold().startswith(f"{text.casefold()} archives")  # as WordPress calls its lists
            or (len(headings) == 1 and (_share(text, own) >= least or _ends_with(whole, text)))
        ):
            topic = _of_topic(sources, text, whole)
            if topic and not _is_site(topic, *host_and_site):
                return topic
            if given and text.endswith(given):  # behind a date or the name of a section
                return given
            return _first_part(_without_name(text, *host_and_site))
    for block in sources.page.blocks:
        if not block.links and is_begun(given or whole, block):
            return block.text
    if given:
        return _without_site(given, *host_and_site)
    if own and not (headings and _is_site(own, *host_and_site)):
        return own
    return headings[0] if headings else next(iter(_headings(sources, "h2")), "")


def _of_topic_alone(title: str) -> str:
    """The title of a topic without the forum and the board that FluxBB and phpBB write behind and before it."""
    topic = title.rpartition(" View topic - ")[2]
    first, *others = topic.split(" / ")
    return first if len(others) > 1 else topic


def _is_named_and_told(title: str, site_name: str, host: str) -> bool:
    """Whether a site says its name and then, behind a colon or a hyphen, what it is: together they are the title of
    the page that it begins with. Behind a bar stands what the page is called."""
    match = SEPARATOR.search(title)
    return match is not None and match[0].strip() in (":", "-") and _begins_with_site(title, site_name, host)


def _of_topic(sources: Sources, heading: str, whole: str) -> str:
    """The second heading that is a part of a title by itself, where a first one that is shorter is another part, as in
    Board - View topic - Which oil for a small engine?"""
    parts = [part.casefold() for part in SEPARATOR.split(whole)]
    if len(parts) < 2 or heading.casefold() not in parts:
        return ""
    found = (text for text in _headings(sources, "h2") if len(text) > len(heading) and text.casefold() in parts)
    return next(found, "")


def _headings(sources: Sources, tag: str, of_site: bool = False) -> list[str]:
    """The texts of all headings of a rank but of those that are a link to where the site begins: they name it."""
    page = sources.page
    found: dict[int, list[str]] = {}
    for block in page.blocks if tag in page.by_tag else ():
        i = block.container
        if page.element[i].tag == tag and _leads_home(sources, block) == of_site:
            found.setdefault(i, []).append(_without_label(block))
    return [" ".join(texts) for texts in found.values()]


def _without_label(block: Block) -> str:
    """The text of a heading without the kind that XenForo puts before it: News, Question."""
    first = block.nodes[0]
    names = first.parent.attrs.get("class", "").split() if first.parent is not None else []
    return block.text.removeprefix(first.text.strip()).strip() if "label" in names else block.text


def _leads_home(sources: Sources, block: Block) -> bool:
    """Whether a block is in a link to the page that the site begins with, on another page."""
    for element in () if sources.is_home else around(block.nodes[0], _MOST_AROUND):
        if element.tag == "a":
            href = element.attrs.get("href", "").strip()
            own = host_of(sources.address or sources.head.address)
            return href == "/" or (is_first(href) and host_of(href) == own)
    return False


def _alike(heading: str, whole: str, given: str) -> bool:
    folded = heading.casefold()
    return bool(given and folded == given.casefold()) or (
        len(folded) >= 0.3 * len(whole) and folded in whole.casefold()
    )


def _begins_with(title: str, heading: str) -> bool:
    """Whether a heading is all that stands before a separator of a title: Flexbox - Learn web development."""
    folded = heading.casefold()
    behind = title[len(heading) : len(heading) + 2]
    return title.casefold().startswith(folded) and (SEPARATOR.match(title, len(heading)) is not None or behind == " [")


def _ends_with(title: str, heading: str) -> bool:
    """Whether a heading is the last of three parts or more of a title: Site | Essays | A night on the ridge."""
    parts = SEPARATOR.split(title.casefold())
    return len(parts) > 2 and parts[-1] == heading.casefold()


def _begins_with_site(title: str, site_name: str, host: str) -> bool:
    """Whether a site's name comes first in a title, as where what it says of itself follows."""
    match = SEPARATOR.search(title)
    return match is not None and _is_site(title[: match.start()], site_name, host)


def _share(heading: str, whole: str) -> float:
    """The share of a heading's words that a title has; a heading of one word says too little."""
    words = set(_WORDS.findall(heading.casefold()))
    return len(words.intersection(_WORDS.findall(whole.casefold()))) / len(words) if len(words) > 1 else 0.0


def _first_part(title: str) -> str:
    """What stands before the first bar, behind which sites put their name, the section and what they are known for."""
    first, bar, _ = title.partition("|")
    return first.strip() if len(first.strip()) >= LEAST_LETTERS or (bar and not first.strip()) else title


def _without_site(title: str, site_name: str, host: str) -> str:
    """Cut the site's name off either end: what the site calls itself, what its host is called, else the shorter end of
    a long title."""
    cut = _without_name(title, site_name, host)
    parts = [(match.start(), match.end()) for match in SEPARATOR.finditer(cut)]
    if cut != title or not parts:
        return cut
    start, end = parts[-1]
    is_colon = ":" in title[start:end]
    if not is_colon and title[:start].count(" ") >= 3 and title[end:].count(" ") <= 3:
        return title[:start]
    return title


def _without_name(title: str, site_name: str, host: str, *, at_begin: bool = True) -> str:
    parts = [(match.start(), match.end()) for match in SEPARATOR.finditer(title)]
    while parts and _is_site(title[parts[-1][1] :], site_name, host):
        title = title[: parts.pop()[0]]
    if at_begin and parts and _is_site(title[: parts[0][0]], site_name, host):
        return title[parts[0][1] :]
    return title


def _is_site(part: str, site_name: str, host: str) -> bool:
    name = part.casefold().strip()
    if site_name and name in (site_name.casefold(), f"the {site_name.casefold()}"):
        return True
    letters = "".join(_WORDS.findall(name)).removeprefix("the")
    if not host or len(letters) < LEAST_LETTERS:
        return False
    return letters in host.split(".") or (len(letters) > 5 and letters in host)


def _host(address: str) -> str:
    """The host of an address without www., its last label, and hyphens: what a site's name is made of."""
    host = host_of(address).partition(":")[0].removeprefix("www.")
    return host.rpartition(".")[0].replace("-", "").removesuffix(".co").removesuffix(".com")
