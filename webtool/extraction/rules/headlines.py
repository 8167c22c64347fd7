"""The headline of a page and of its text. In: a cut page, what the page is called, which blocks are kept. Out: a block;
the choice with the headline, changed in place.

The model is in doubt of a headline of one word, or one that a picture or a bar parts from the text: most texts that it
learned from have theirs elsewhere. A reader wants it above the text, once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import islice

from webtool.extraction.metadata import evidence
from webtool.extraction.page.blocks import Block, Page, is_sentence
from webtool.extraction.page.head import Head
from webtool.extraction.rules import part_labels
from webtool.html.elements import HEADINGS
from webtool.html.node import Element
from webtool.lean import patterns

MOST_WORDS = 40
"""The longest headline."""
LEAST_LINE = 6
"""Words of the second line of a headline, where only its rank tells that it is one."""
MOST_STEPS_TO_LEAD = 12
"""Blocks between the headline and its lead: a picture, who wrote the text and when."""
MOST_KICKER = 5
"""Words of the line above a headline, where only its place tells that it is one."""
_KICKER = patterns.Worded(
    "kicker|line|eyebrow|vignette|tit|occhiello|dachzeile|spitzmarke|pre",
    r"(?i)(?:^|[\s_-])(?:kicker|overline|eyebrow|vignette|ante-?tit\w*|occhiello|dachzeile|spitzmarke|sur-?titre|roofline|"
    r"topline|super-?title|pre-?(?:tit\w*|head\w*)?)(?:$|[\s_]|-(?:art|\w*\d))",
)
_LEAD = patterns.Worded(
    "sub|dek|deck|first|excerpt|chap|sommario|catenaccio|intro|amble|ingress|lea|lede|vorspann|entradilla|bajada|copete|spot|"
    "description|summary|teaser|abstract",
    r"(?i)(?:^|[\s_-])(?:sub-?(?:t(?:it\w*)?|head\w*)|(?:head|tit)\w*-sub|dek|deck|stand-?first|(?<!with-)excerpt|chap[oô]|chapeau|sommario|catenaccio|intro|"
    r"pre-?amble|ingress|lead|lede|vorspann|entradilla|bajada|copete|spot|(?:document|article|news|page)[-_]?(?:description|summary|teaser|abstract))(?:$|[\s_]|-(?:art|\w*\d))",
)
"""What newspapers call the line above a headline, and what stands below it before the text."""
_MOST_STEPS = 17  # from a heading to the entry of a menu that it is in
_HOMES = frozenset(("article", "main"))
_CELLS = frozenset(("td", "th"))
_OF_TEXT = frozenset(("p", "div", "section", "header", "span"))
_TIME = patterns.compile(r"\d:\d\d")
_STOPS = '.!?\u2026"\u201d\u3002\uff01\uff1f\u061f\u0964'
_LISTED = _CELLS | {"li", "nav", "button", "option"}
"""In such an element the title of a page is a step of a path, or an entry of a list."""
_WORD = patterns.compile(r"\w+")
_SERIES = patterns.compile(r"^\s*(?:\[[^]]{1,40}\]|\u3010[^\u3011]{1,40}\u3011)\s*")
"""In brackets before a title: the series that a text is of."""
_JOINTS = frozenset("-_|\u2013\u2014\u00b7")
LEAST_BEGUN = 4
"""Words of a line that is known for the headline by being the beginning of a title."""
SEPARATOR = patterns.compile(r"\s+[|\u2013\u2014\u00b7\u2022\u00ab\u00bb\u203a:~-]+\s+|\s*[|\u00bb\u2022]\s*|:\s+")


def rank(page: Page, container: int) -> int:
    """The rank of the heading that a container is, or is in; 0 where it is none."""
    parent = page.parent[container]
    return HEADINGS.get(page.element[container].tag) or (
        HEADINGS.get(page.element[parent].tag, 0) if parent >= 0 else 0
    )


def first(page: Page) -> int:
    """The block with the first heading of the first rank, -1 where there is none."""
    return next(iter(of_first_rank(page)), -1)


def titled(page: Page, titles: Sequence[str]) -> int:
    """The same of one that is a part of a title, or has half of its words there where it has several."""
    parts, words = _said(titles)
    return next((i for i in of_first_rank(page) if _is_told(page.blocks[i], titles, parts, words)), -1)


def is_begun(title: str, block: Block) -> bool:
    """Whether a line is all that stands before a separator of a title, or a mark without spaces: Title_Site."""
    end = len(block.text)
    is_begun = block.words >= LEAST_BEGUN and title.startswith(block.text)
    return is_begun and (title[end : end + 1] in _JOINTS or SEPARATOR.match(title, end) is not None)


def of_first_rank(page: Page) -> list[int]:
    """The blocks with headings of the first rank."""
    found: list[int] = []
    done = 0
    for i in page.by_tag.get("h1", ()):
        inside = range(max(done, page.first[i]), page.last[i])  # each once, however they are nested
        found += [at for at in inside if rank(page, page.blocks[at].container) == 1]
        done = max(done, page.last[i])
    return found


def end_of(page: Page, i: int, fits: Callable[[int], bool]) -> int:
    """Where the part ends that block i is the label of: with the widest container that begins with it and whose end
    fits; else, where it is a heading, with the next one of its rank or a higher one in the container around."""
    at = page.blocks[i].container
    own = rank(page, at)
    end = i + 1
    while at >= 0 and page.first[at] == i and fits(page.last[at]):
        end = max(end, page.last[at])
        at = page.parent[at]
    if own and end == i + 1 and at >= 0:
        while end < page.last[at] and not 0 < rank(page, page.blocks[end].container) <= own:
            end += 1
    return end


def settle(page: Page, keep: list[bool], head: Head) -> None:
    """Keep the headline above the first kept sentence (above what is kept where there is none), once, with the line
    above it and the lead below it that their classes name. What of it was not chosen becomes page.headline, which
    readers see and which is none of the text; but for products, whose texts have theirs where the model learned."""
    kept = [i for i, is_kept in enumerate(keep) if is_kept]
    start = next((i for i in kept if is_sentence(page.blocks[i])), kept[0] if kept else 0)
    found = _find(page, start, head)
    if found < 0:
        return
    at = page.blocks[found].container
    copies = (i for i in range(start) if keep[i] and i != found and page.blocks[i].text == page.blocks[found].text)
    if any(rank(page, at) != 1 or page.element[page.blocks[i].container].tag not in _CELLS for i in copies):
        return  # the first row of a table of facts has the name, too
    found, end = (page.first[at], page.last[at]) if rank(page, at) else (found, found + 1)
    parts = [*range(found, end)]
    if not evidence.is_product(head):
        parts = [
            *(_named(page, range(found - 1, found - 3, -1), _KICKER) or _above(page, found)),
            *parts,
            *(_named(page, range(end, start), _LEAD) or _below(page, end, start)),
        ]
        page.headline = tuple(i for i in parts if not keep[i])
    for i in parts:
        keep[i] = True


def _named(page: Page, blocks: Iterable[int], names: patterns.Worded) -> list[int]:
    """The first of some blocks of no links that it, or what it is in, is called by one of the names."""
    for i in islice(blocks, MOST_STEPS_TO_LEAD):
        block = page.blocks[i] if i >= 0 else None
        if block is not None and not block.links and block.words <= 2 * MOST_WORDS:
            around = [page.element[at] for at in islice(page.around(block.container), 2)]
            inner = [block.inline] if block.inline is not None else []
            if any(names.search(element.attrs.get("class", "")[:200]) for element in (*inner, *around)):
                return [i]
    return []


def _above(page: Page, found: int) -> list[int]:
    """A few words that begin the element which the headline is the next part of, and neither lead anywhere nor count:
    the subject, or the place."""
    at = page.parent[page.blocks[found].container]
    if at < 0 or page.first[at] != found - 1 or page.element[at].tag in ("body", "nav"):
        return []
    block = page.blocks[found - 1]
    is_part = at in (block.container, page.parent[block.container])
    is_said = not (block.links or any(map(str.isdigit, block.text)) or part_labels.IS_SERVICE[block.text])
    return [found - 1] if is_part and is_said and block.words <= MOST_KICKER else []


def _below(page: Page, i: int, start: int) -> list[int]:
    """A line right below the headline that is a heading itself, and no name: newspapers write their second one so. Or a
    sentence there, which is no caption."""
    block = page.blocks[i] if i < start else None
    if block is None or block.links or part_labels.IS_SERVICE[block.text]:
        return []
    if rank(page, block.container) > 1:
        return [i] if block.words >= LEAST_LINE else []
    text = block.text
    is_lead = is_sentence(block) and block.words <= 2 * MOST_WORDS and text[-1] in _STOPS and not _TIME.search(text)
    is_text = is_lead and page.element[block.container].tag in _OF_TEXT
    return [i] if is_text and not part_labels.ASKING.search(part_labels.folded(text)) else []


def _find(page: Page, start: int, head: Head) -> int:
    """The nearest heading before the text that says what a title says; else the nearest line; else the only heading of
    the first rank in the article or main element around the text."""
    parts, words = _said(head.titles)
    parts.discard(letters(head.meta.get("og:site_name", "")))
    line = -1
    for i in range(start - 1, -1, -1):
        block = page.blocks[i]
        at = rank(page, block.container)
        is_told = at > 0 and _is_told(block, head.titles, parts, words if at == 1 else frozenset())
        if _leads_home(block) or (at > 1 and is_told and _is_in_menu(page, block)):
            continue
        if is_told:
            return i
        if line < 0 and not block.links and _is_told(block, head.titles, parts, ()) and not _is_listed(page, block):
            line = i
    around = page.around(page.blocks[start].container) if line < 0 and page.blocks else ()
    home = next((at for at in around if {page.element[at].tag, page.element[at].attrs.get("role")} & _HOMES), -1)
    inside = [i for i in of_first_rank(page) if home >= 0 and page.first[home] <= i < page.last[home]]
    return inside[0] if len(inside) == 1 and inside[0] < start else line


def _is_told(block: Block, titles: Sequence[str], parts: Collection[str], words: Collection[str]) -> bool:
    own = set(_WORD.findall(block.text.casefold())) if words and block.words <= MOST_WORDS else set()
    is_like = len(own) > 1 and 2 * len(own.intersection(words)) >= len(own)
    return is_like or letters(block.text) in parts or any(is_begun(title, block) for title in titles)


def _is_listed(page: Page, block: Block) -> bool:
    return bool({page.element[i].tag for i in (block.container, max(0, page.parent[block.container]))} & _LISTED)


def _is_in_menu(page: Page, block: Block) -> bool:
    """Whether a heading is in an entry of a menu."""
    return any(page.element[at].tag in ("li", "nav") for at in islice(page.around(block.container), _MOST_STEPS))


def unlisted(page: Page, keep: Sequence[bool]) -> set[Element]:
    """The lists and items around the headline that hold nothing else that is kept (the path of a site often ends with
    it), and an item that holds all that is kept: it is a column of the page."""
    kept = [i for i, is_kept in enumerate(keep) if is_kept]
    ways = [at for at in page.around(page.blocks[kept[0]].container) if page.last[at] > kept[-1]] if kept else []
    items = [at for at in ways if page.element[at].tag == "li"]
    found = {page.element[around] for at in items for around in (at, page.parent[at])}
    if not page.headline:
        return found
    start, end = page.headline[0], page.headline[-1] + 1
    before = next((i for i in range(start - 1, -1, -1) if keep[i]), -1)
    behind = next((i for i in range(end, len(keep)) if keep[i]), len(keep))
    for at in page.around(page.blocks[start].container):
        if page.first[at] <= before or behind < page.last[at]:
            break
        if page.element[at].tag in ("li", "ol", "ul", "menu"):
            found.add(page.element[at])
    return found


def _leads_home(block: Block) -> bool:
    """Whether it is the site's name, which leads to the page that the site begins with."""
    link = block.inline if block.links and block.inline is not None else None
    return (
        link is not None
        and link.tag == "a"
        and (link.attrs.get("href") == "/" or evidence.is_first(link.attrs.get("href", "")))
    )


def _said(titles: Sequence[str]) -> tuple[set[str], set[str]]:
    """The letters of each title and of what stands between its separators, but for the site's name, which the last
    title leaves out; and the words of all."""
    last = letters(titles[-1]) if titles else ""
    names = {letters(part) for one in titles if last in letters(one) for part in SEPARATOR.split(one)}
    parts = {letters(part) for one in titles for part in (one, *SEPARATOR.split(one), _SERIES.sub("", one))}
    parts -= {name for name in names if last and name not in last}
    return parts - {""}, {word for title in titles for word in _WORD.findall(title.casefold())}


def letters(text: str) -> str:
    """A text without what no letter or digit is, in lower case."""
    return "".join(_WORD.findall(text.casefold()))
