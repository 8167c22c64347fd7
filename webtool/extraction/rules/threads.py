"""Who wrote each post of a thread, and when. In: a cut page of a forum, which blocks are chosen. Out: the choice,
changed in place.

Lines of one kind (what they are and their elements and classes are the same) that stand before each of the posts say
who wrote it where they lead to a member or are called a name, and when where they are a day: both are kept. Others that
always say the same ("Reply", "Member") or have a label ("Posts: 12") are not, nor is what follows the last post.
"""

from __future__ import annotations

from itertools import accumulate, islice

from webtool.extraction.metadata import dates, posters
from webtool.extraction.page.blocks import Block, Page
from webtool.extraction.rules.choice import Choice
from webtool.html.elements import HEADINGS
from webtool.html.node import Element
from webtool.lean import patterns

MOST_WORDS, MOST_LABELLED = 10, 5
"""Words of such a line, and of one with a label."""
LEAST_POST = 4
"""Words of a post."""
LEAST_SHARE = 0.7
"""The share of such lines behind which a post stands before the next, and of those that say the same."""
MOST_QUOTED = 60
"""Words of what a post answers to."""
MOST_STEPS = 4  # from a paragraph to the quotation that it is in
LEAST_ALIKE = 0.6
"""The share of what is alike that is kept where all of it are posts."""
MOST_AFTER = 0.3
"""The share of the kept words that stand behind the last post."""
LEAST_TIMES = 3
"""Entries of a report that goes on."""
_CLOCK = patterns.compile(
    r"(?i)\d{1,2}(?::\d\d(?::\d\d)?|[.h]\d\d(?= ?uhr)|h\d\d)(?: ?[ap]\.?m\.?)?(?: ?uhr| ?[a-z]{2,4})?"
)
_LABEL = patterns.compile(r"[^\W\d]\s*[:\uff1a](?:\s|$)|(?i:\b(?:said|wrote|edited|replied|posts? \d)\b|\d posts?\b)")
_LABELLED = patterns.compile(r"[^\W\d][\w ]{1,20}:\s")
_AUTHOR = patterns.compile(r"(?i)(?:^|[\s_-])author(?:$|[\s_-])")
_NAME = patterns.compile(r"[^\W\d].*[^\W\d]")
NAME, DAY, LABELLED, OTHER = range(4)


def keep_posters_and_days(choice: Choice) -> None:
    """All of it, linear in the size of the page but for the way up from a line."""
    page, keep = choice.page, choice.keep
    blocks = page.blocks
    posts = _posts(page, keep)
    kinds: dict[tuple[object, ...], list[int]] = {}
    for i, block in enumerate(blocks):
        if block.words <= MOST_WORDS:
            kinds.setdefault(_kind(page, block), []).append(i)
    heads: tuple[list[list[int]], list[list[int]]] = [], []
    for (role, *_), lines in kinds.items():
        followed = sum([posts[after] > posts[line] for line, after in zip(lines, [*lines[1:], len(keep)])])
        if role in (NAME, DAY):
            below = sum([_is_below(page, posts, i) for i in lines])
            if len(lines) > 1 and followed >= LEAST_SHARE * len(lines) > 2 * LEAST_SHARE * below:
                heads[role].append(lines)
        elif 2 < len(lines) <= 1 + followed / LEAST_SHARE and (role == LABELLED or _are_same(page, lines)):
            _set(keep, lines, False)
    for series in heads:
        most = max(map(len, series), default=0)
        full = [lines for lines in series if len(lines) >= LEAST_SHARE * most]
        lines = min(full, key=lambda lines: sum([len(blocks[i].text) for i in lines]) / len(lines), default=[])
        _set(keep, lines, True)
    choice.post_lines = [lines for series in heads for lines in series]


def keep_short_posts(choice: Choice) -> None:
    """Short posts in elements of the class and place that most posts are in: they answer in a word or two."""
    page, keep = choice.page, choice.keep
    kinds: dict[tuple[int, int], list[int]] = {}
    for i, (block, size) in enumerate(zip(page.blocks, page.sizes)):
        at = block.container
        element = page.element[at]
        may_be_one = size >= LEAST_POST and element.attrs.get("class") and element.tag not in HEADINGS
        is_quoted = any(page.element[n].tag == "blockquote" for n in islice(page.around(at), MOST_STEPS))
        if may_be_one and not (block.links or is_quoted or _is_day(block)):
            kinds.setdefault((page.kinds[at], page.kinds[max(page.parent[at], 0)]), []).append(i)
    for lines in kinds.values():
        if len(lines) > 2 and sum([keep[i] for i in lines]) >= LEAST_ALIKE * len(lines):
            _set(keep, lines, True)


def keep_answered(choice: Choice) -> None:
    """What a kept post answers to, where it is kept who said it: that says nothing without."""
    page, keep = choice.page, choice.keep
    for i in page.tagged(("blockquote",)):
        first, last, outer = page.first[i], page.last[i], page.parent[i]
        is_cited = page.first[outer] == first - 1 and page.last[outer] == last and keep[first - 1]
        is_cited = is_cited and page.sizes[first - 1] <= MOST_LABELLED
        if is_cited and page.words[last] - page.words[first] <= MOST_QUOTED:
            keep[first:last] = [True] * (last - first)


def _posts(page: Page, keep: list[bool]) -> list[int]:
    """Running total of the kept blocks that are long enough for a post."""
    return [0, *accumulate([is_kept and size >= LEAST_POST for size, is_kept in zip(page.sizes, keep)])]


def keep_times(choice: Choice) -> None:
    """The times of day above the entries of a report that goes on."""
    page, keep = choice.page, choice.keep
    kinds: dict[tuple[object, ...], list[int]] = {}
    for i, block in enumerate(page.blocks):
        if block.words <= MOST_LABELLED and block.text[0].isdigit() and _CLOCK.fullmatch(block.text):
            kinds.setdefault(_kind(page, block)[1:], []).append(i)
    posts = _posts(page, keep) if kinds else []
    for lines in kinds.values():
        followed = sum([posts[after] > posts[line] for line, after in zip(lines, [*lines[1:], len(keep)])])
        if len(lines) >= LEAST_TIMES and followed >= LEAST_SHARE * len(lines):
            _set(keep, lines, True)


def _set(keep: list[bool], lines: list[int], value: bool) -> None:
    for i in lines:
        keep[i] = value


def _kind(page: Page, block: Block) -> tuple[object, ...]:
    element, outer = page.element[block.container], page.element[max(page.parent[block.container], 0)]
    role = OTHER
    if _LABEL.search(block.text):
        role = LABELLED if block.words <= MOST_LABELLED and _LABELLED.match(block.text) else OTHER
    elif element.tag != "dd":  # when a member joined
        role = DAY if _is_day(block) else NAME if _is_name(block, element, outer) else OTHER
    return role, element.tag, element.attrs.get("class", ""), outer.tag, outer.attrs.get("class", "").partition(" ")[0]


def _is_day(block: Block) -> bool:
    is_time = any(node.parent is not None and node.parent.tag == "time" for node in block.nodes)
    return is_time or bool(dates.in_text(block.text, True))


def _is_name(block: Block, element: Element, outer: Element) -> bool:
    """Whether a line names a member by its class, or the address that it leads to."""
    around: list[Element] = [element, outer]
    for node in block.nodes[:4]:
        inner = node.parent
        while inner is not None and inner is not element:
            around.append(inner)
            inner = inner.parent
    return bool(_NAME.search(block.text)) and any(
        posters.is_poster(one) or _AUTHOR.search(one.attrs.get("class", "")) for one in around
    )


def _is_below(page: Page, posts: list[int], i: int) -> bool:
    """Whether the post that a line belongs to, by the elements that both are in, stands before it."""
    at = page.blocks[i].container
    while at > 0 and posts[page.last[at]] == posts[page.first[at]]:
        at = page.parent[at]
    return posts[page.last[at]] == posts[i]


def _are_same(page: Page, lines: list[int]) -> bool:
    times: dict[str, int] = {}
    for i in lines:
        times[page.blocks[i].text] = times.get(page.blocks[i].text, 0) + 1
    return max(times.values()) >= LEAST_SHARE * len(lines)


def drop_after_posts(choice: Choice) -> None:
    """What follows the last post: the widest element of it that holds no other, and its siblings of the same class,
    which are posts without a line."""
    page, keep = choice.page, choice.keep
    heads = choice.post_lines
    end = 0
    ends = dict(zip(zip(page.parent, page.kinds), page.last)) if heads else {}
    for lines in heads:
        at = page.blocks[lines[-1]].container
        while at > 0 and page.first[at] > lines[-2]:
            is_of_class = page.element[at].attrs.get("class")
            end = max(end, ends[page.parent[at], page.kinds[at]] if is_of_class else page.last[at])
            at = page.parent[at]
    words = page.words_of(keep)
    if end and words[-1] - words[end] <= MOST_AFTER * words[-1]:
        keep[end:] = [False] * (len(keep) - end)
