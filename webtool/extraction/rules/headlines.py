"""Keep the headline above the text, once, with the kicker above it and the standfirst below it.

In: a Choice. Out: its `keep` and page.headline changed. The model often drops a headline of one word, or one that a
picture parts from the text. Headlines and kickers that these rules add go to page.headline: markdown shows them, and
the plain text leaves them out. Headlines of products are kept as text, since the model's training data count them as
text.

Words of this module:
- a block is a run of text, a container a block-level element; both have numbers. first[c]:last[c] are the blocks in
  container c. `keep` has one flag for each block.
- `titles` are the page title and other names that the page's head gives; a heading is named if it has these words.
- a kicker is a subject or a place above the headline: "Harbour".
- a standfirst is the lead between headline and text.
- `start` is the first kept sentence: headline, kicker and standfirst are above it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from webtool.extraction.metadata import evidence
from webtool.extraction.page import embedded_text
from webtool.extraction.page.blocks import Block, Page, is_sentence
from webtool.extraction.page.head import Head
from webtool.extraction.rules import headings, part_labels
from webtool.extraction.rules.choice import Choice
from webtool.html.elements import role_of
from webtool.html.node import Element
from webtool.lean import patterns

MIN_SUBHEADING_WORDS = 6  # a shorter heading below the headline is the name of a section, not a standfirst
MAX_LEAD_STEPS = 12  # blocks; a line further below the headline is not a standfirst, whatever its class
MAX_LEAD_WORDS = 80  # a longer line is text, not a kicker or standfirst
MAX_KICKER_WORDS = 5  # a longer line above the headline is a kicker only if its class names one
_KICKER = patterns.GuardedPattern(
    "kicker|line|eyebrow|vignette|tit|occhiello|dachzeile|spitzmarke|pre",
    r"(?i)(?:^|[\s_-])(?:kicker|overline|eyebrow|vignette|ante-?tit\w*|occhiello|dachzeile|spitzmarke|sur-?titre|roofline|"
    r"topline|super-?title|pre-?(?:tit\w*|head\w*)?)(?:$|[\s_]|-(?:art|\w*\d))",
)  # class names of the line above a headline, in the languages of newspapers
_STANDFIRST = patterns.GuardedPattern(
    "sub|dek|deck|first|excerpt|chap|sommario|catenaccio|intro|amble|ingress|lea|lede|vorspann|entradilla|bajada|copete|spot|"
    "description|summary|teaser|abstract",
    r"(?i)(?:^|[\s_-])(?:sub-?(?:t(?:it\w*)?|head\w*)|(?:head|tit)\w*-sub|dek|deck|stand-?first|(?<!with-)excerpt|chap[oô]|chapeau|sommario|catenaccio|intro|"
    r"pre-?amble|ingress|lead|lede|vorspann|entradilla|bajada|copete|spot|(?:document|article|news|page)[-_]?(?:description|summary|teaser|abstract))(?:$|[\s_]|-(?:art|\w*\d))",
)  # class names of the lead between headline and text
_MAX_MENU_STEPS = 17  # containers from a heading up to the menu entry that it may be in
_HOMES = frozenset(("article", "main"))  # tags and roles of elements around a page's text
MAX_DESCRIBED_STEPS = 20  # blocks; a line further below the headline is not compared with the description
MIN_DESCRIBED_LETTERS = 30  # a shorter line or description is not compared
_DESCRIBED_BEGINNING = 40  # letters; a line and a description that share them are the same sentence
_CELLS = frozenset(("td", "th"))
_TEXT_TAGS = frozenset(("p", "div", "section", "header", "span"))  # containers of a standfirst without a telling class
_CLOCK = patterns.compile(r"\d:\d\d")  # in a line of a live report
_STOPS = '.!?\u2026"\u201d\u3002\uff01\uff1f\u061f\u0964'  # ends of sentences
_LISTED = _CELLS | {"li", "nav", "button", "option"}  # in these elements the page title is a breadcrumb or a list entry


def keep_described_lead(choice: Choice) -> None:
    """Keep lines between headline and text that the page's meta description repeats (news sites).

    `<meta name=description content="The boat is late again ...">` keeps `<p>The boat is late again ...</p>`, the
    standfirst. The search ends at the first kept sentence. List items and lines that are mostly links do not count.
    """
    page, keep = choice.page, choice.keep
    description = headings.letters(embedded_text.description(choice.head))
    if len(description) < MIN_DESCRIBED_LETTERS:
        return
    start = choice.titled + 1
    for i, block in enumerate(page.blocks[start : start + MAX_DESCRIBED_STEPS], start):
        if keep[i] and is_sentence(block):
            return
        if 4 * block.link_words >= block.words or page.element[block.container].tag == "li":
            continue
        line = headings.letters(block.text)
        begins_alike = line[:_DESCRIBED_BEGINNING] == description[:_DESCRIBED_BEGINNING]
        if len(line) >= MIN_DESCRIBED_LETTERS and (begins_alike or line in description):
            keep[i] = True


def keep_headline(choice: Choice) -> None:
    """Keep the headline above the first kept sentence and remember its place in choice.headline.

    `<h1>Tides</h1> <figure>..</figure> <p>The harbour ...` with only the paragraph kept: the h1 is kept too.
    """
    page, keep = choice.page, choice.keep
    kept = [i for i, is_kept in enumerate(keep) if is_kept]
    start = next((i for i in kept if is_sentence(page.blocks[i])), kept[0] if kept else 0)
    headline = _headline_before(page, start, choice.head)
    if headline < 0 or _is_repeated(page, keep, headline, start):
        return
    container = page.blocks[headline].container
    first, last = headline, headline + 1
    if headings.rank(page, container):
        first, last = page.first[container], page.last[container]
    choice.headline = first, last, start
    if not evidence.is_product(choice.head):
        page.headline = tuple(i for i in range(first, last) if not keep[i])
    choice.set_range(first, last, True)


def has_editorial_headline(choice: Choice) -> bool:
    """Return whether a headline was kept on a page that is not about a product."""
    first, last, _start = choice.headline
    return first < last and not evidence.is_product(choice.head)


def keep_kicker(choice: Choice) -> None:
    """Keep the line above the headline: `<p class=kicker>Harbour</p><h1>A slow crossing</h1>` (newspapers)."""
    page, (first, _last, _start) = choice.page, choice.headline
    two_above = range(first - 1, max(first - 3, -1), -1)
    kicker = _with_class(page, two_above, _KICKER) or _above(page, first)
    added = [i for i in kicker if not choice.keep[i]]
    page.headline = tuple(sorted((*page.headline, *added)))
    for i in added:
        choice.keep[i] = True


def keep_standfirst(choice: Choice) -> None:
    """Keep the lead below the headline: `<h1>..</h1><p class=standfirst>Why it is late.</p>` (newspapers)."""
    page, (_first, last, start) = choice.page, choice.headline
    for i in _with_class(page, range(last, start), _STANDFIRST) or _below(page, last, start):
        choice.keep[i] = True


def _is_repeated(page: Page, keep: Sequence[bool], headline: int, start: int) -> bool:
    """Return whether the kept blocks before the text already say the headline.

    A cell with the words of an h1 does not count as a repeat of it: it is a row of facts and has the name too.
    """
    is_h1 = headings.rank(page, page.blocks[headline].container) == 1
    for i in range(start):
        is_same = keep[i] and i != headline and page.blocks[i].text == page.blocks[headline].text
        if is_same and not (is_h1 and page.element[page.blocks[i].container].tag in _CELLS):
            return True
    return False


def _with_class(page: Page, blocks: Iterable[int], names: patterns.GuardedPattern) -> list[int]:
    """Return [i] for the first block with one of these class names, [] without one.

    The name is on the block's inline element, on its container, or on the container around that.
    """
    for i in islice(blocks, MAX_LEAD_STEPS):
        block = page.blocks[i]
        if block.links or block.words > MAX_LEAD_WORDS:
            continue
        holders = [page.element[container] for container in islice(page.around(block.container), 2)]
        if block.inline is not None:
            holders.append(block.inline)
        if any(names.search(element.attrs.get("class", "")[:200]) for element in holders):
            return [i]
    return []


def _above(page: Page, headline: int) -> list[int]:
    """Return [i] for the block before the headline if it is a short line that begins the same element, else [].

    Lines with a link or a digit are breadcrumbs and dates, not kickers.
    """
    outer = page.parent[page.blocks[headline].container]
    if outer < 0 or page.first[outer] != headline - 1 or page.element[outer].tag in ("body", "nav"):
        return []
    block = page.blocks[headline - 1]
    is_part = outer in (block.container, page.parent[block.container])
    is_plain = not (block.links or any(map(str.isdigit, block.text)) or part_labels.IS_SERVICE[block.text])
    return [headline - 1] if is_part and is_plain and block.words <= MAX_KICKER_WORDS else []


def _below(page: Page, i: int, start: int) -> list[int]:
    """Return [i] if block i, right below the headline, is a long second heading or a short sentence, else [].

    A sentence without a full stop is a caption, one with a time is of a live report, and one that asks for something is
    of an appeal: they do not count.
    """
    if i >= start:
        return []
    block = page.blocks[i]
    if block.links or part_labels.IS_SERVICE[block.text]:
        return []
    if headings.rank(page, block.container) > 1:
        return [i] if block.words >= MIN_SUBHEADING_WORDS else []
    text = block.text
    is_lead = is_sentence(block) and block.words <= MAX_LEAD_WORDS and text[-1] in _STOPS and not _CLOCK.search(text)
    is_text = is_lead and page.element[block.container].tag in _TEXT_TAGS
    return [i] if is_text and not part_labels.ASKING.search(part_labels.folded(text)) else []


def _headline_before(page: Page, start: int, head: Head) -> int:
    """Return the block of the headline before block `start`, or -1.

    It is the nearest heading that a title names, else the nearest line that is a part of a title, else the only h1 in
    the article or main element around the text.
    """
    parts, words = headings.title_parts(head.titles)
    parts.discard(headings.letters(head.meta.get("og:site_name", "")))
    line = -1  # the nearest line that is a part of a title
    for i in range(start - 1, -1, -1):
        block = page.blocks[i]
        rank = headings.rank(page, block.container)
        is_named = rank > 0 and headings.is_named(block, head.titles, parts, words if rank == 1 else ())
        if _leads_home(block) or (rank > 1 and is_named and _is_in_menu(page, block)):
            continue
        if is_named:
            return i
        if line < 0 and not block.links and headings.is_named(block, head.titles, parts, ()):
            holders = block.container, max(0, page.parent[block.container])
            line = -1 if any(page.element[container].tag in _LISTED for container in holders) else i
    return line if line >= 0 else _only_h1_at_home(page, start)


def _only_h1_at_home(page: Page, start: int) -> int:
    """Return the block of the only h1 in the article or main element around block `start`, if it is above, or -1."""
    if not page.blocks:
        return -1
    for container in page.around(page.blocks[start].container):
        element = page.element[container]
        if element.tag in _HOMES or role_of(element.attrs) in _HOMES:
            inside = [i for i in headings.of_first_rank(page) if page.first[container] <= i < page.last[container]]
            return inside[0] if len(inside) == 1 and inside[0] < start else -1
    return -1


def _is_in_menu(page: Page, block: Block) -> bool:
    """Return whether a heading is in a list item or a nav element."""
    around = islice(page.around(block.container), _MAX_MENU_STEPS)
    return any(page.element[container].tag in ("li", "nav") for container in around)


def _leads_home(block: Block) -> bool:
    """Return whether a line is a link to the site's start page, which is the site's name."""
    link = block.inline if block.links else None
    if link is None or link.tag != "a":
        return False
    href = link.attrs.get("href", "")
    return href == "/" or evidence.is_first(href)


def unlisted(page: Page, keep: Sequence[bool]) -> set[Element]:
    """Return list elements that markdown should show without a marker.

    - Lists and items around the headline with no other kept block: a breadcrumb often ends with the headline.
    - An item that holds all kept blocks, and its list: the item is a column of the page.
    """
    kept = [i for i, is_kept in enumerate(keep) if is_kept]
    elements: set[Element] = set()
    if kept:
        for container in page.around(page.blocks[kept[0]].container):
            if page.last[container] > kept[-1] and page.element[container].tag == "li":
                elements.update((page.element[container], page.element[page.parent[container]]))
    if not page.headline:
        return elements
    start, end = page.headline[0], page.headline[-1] + 1
    before = next((i for i in range(start - 1, -1, -1) if keep[i]), -1)
    after = next((i for i in range(end, len(keep)) if keep[i]), len(keep))
    for container in page.around(page.blocks[start].container):
        if page.first[container] <= before or after < page.last[container]:
            break
        if page.element[container].tag in ("li", "ol", "ul", "menu"):
            elements.add(page.element[container])
    return elements
