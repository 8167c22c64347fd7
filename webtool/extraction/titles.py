"""The title of a page, without the name of its site. In: what a page says of itself. Out: its title.

The heading that the title element repeats is the best source: it is written for readers and bears no name of a site.
"""

from __future__ import annotations

from webtool.lean import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.extraction.metadata import Sources

_SEPARATOR = patterns.compile(r"\s+[|\u2013\u2014\u00b7\u2022\u00bb\u203a:~-]+\s+|\s*[|\u00bb\u2022]\s*|:\s+")
_WORDS = patterns.compile(r"\w+")


def title(sources: Sources, site_name: str) -> str:
    """The heading that the title element repeats; else the title of the work; else the title without the site."""
    whole = sources.head.title
    given = sources.meta("og:title", "twitter:title", "dc.title", "citation_title", "parsely-title", "sailthru.title")
    given = given or next((value for value in sources.work("headline", "name") if isinstance(value, str)), "")
    headings = [text for text in _headings(sources, "h1") if text]
    own = _without_site(whole, site_name)
    for text in headings:
        if len(text) > 2 and (_alike(text, own, given) or (len(headings) == 1 and _shares_words(text, own))):
            return text
    if given:
        return _without_site(" ".join(given.split()), site_name)
    if whole:
        return own
    return headings[0] if headings else next(iter(_headings(sources, "h2")), "")


def _headings(sources: Sources, tag: str) -> list[str]:
    page = sources.page
    found: dict[int, list[str]] = {}
    for block in page.blocks:
        i = block.container
        if page.element[i].tag == tag:
            found.setdefault(i, []).append(block.text)
    return [" ".join(texts) for texts in found.values()]


def _alike(heading: str, whole: str, given: str) -> bool:
    folded = heading.casefold()
    return bool(given and folded == given.casefold()) or (
        len(folded) >= 0.3 * len(whole) and folded in whole.casefold()
    )


def _shares_words(heading: str, whole: str) -> bool:
    words = set(_WORDS.findall(heading.casefold()))
    return 3 * len(words.intersection(_WORDS.findall(whole.casefold()))) >= len(words) > 1


def _without_site(title: str, site_name: str) -> str:
    """Cut the site's name off either end: what the site calls itself, else the shorter end of a long title."""
    parts = [(match.start(), match.end()) for match in _SEPARATOR.finditer(title)]
    if not parts:
        return title
    if site_name:
        name = site_name.casefold()
        if title[parts[-1][1] :].casefold() in (name, f"the {name}"):
            return title[: parts[-1][0]]
        if title[: parts[0][0]].casefold() == name:
            return title[parts[0][1] :]
    start, end = parts[-1]
    is_colon = ":" in title[start:end]
    if not is_colon and title[:start].count(" ") >= 3 and title[end:].count(" ") <= 3:
        return title[:start]
    return title
