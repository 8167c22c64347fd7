"""Keep all posts of a thread with the name and the day above each; drop labels around the posts, such as "Reply".

In: a Choice of a forum page. Out: its `keep` changed, one flag for each block (run of text). A line is a block of a few
words. Its role is one of:
- NAME: it links to a member, or its class says author.
- DAY: it is a date.
- LABELLED: it begins with a label: "Posts: 12".
- OTHER: anything else.
Lines with equal role, tag and class are a kind. Each kind is judged as a whole. Most lines of a kind must be followed
by a post before the next line of the kind. Then names and days are kept. Labelled lines and lines that all say the
same, such as "Reply", are dropped.
"""

from __future__ import annotations

from itertools import accumulate, takewhile

from webtool.extraction.metadata import dates
from webtool.extraction.metadata.byline_lines import is_poster
from webtool.extraction.model import scoring
from webtool.extraction.page.blocks import Block, Page, is_sentence
from webtool.extraction.rules.choice import Choice
from webtool.html.node import Element, around
from webtool.lean import patterns

MAX_LINE_WORDS = 10  # a longer block is not a line
MAX_LABELLED_WORDS = 5  # a longer line with a label is text: "Note: the lamp is out of oil"
MIN_POST_WORDS = 4  # a shorter block does not count as a post
MIN_POSTS = 3  # kept sentences of one group; fewer do not show that the group is that of posts
MIN_SHARE = 0.7  # "most": at least this share of the lines of a kind
# A colon after a word, or words of a label: "Nia wrote", "12 posts". Such a line is never a name or a day.
_NEVER_NAME = patterns.compile(
    r"[^\W\d]\s*[:\uff1a](?:\s|$)|(?i:\b(?:said|wrote|edited|replied|posts? \d)\b|\d posts?\b)"
)
_BEGINS_WITH_LABEL = patterns.compile(r"[^\W\d][\w ]{1,20}:\s")
_AUTHOR = patterns.compile(r"(?i)(?:^|[\s_-])author(?:$|[\s_-])")
_NAME = patterns.compile(r"[^\W\d].*[^\W\d]")  # two letters at least
_MAX_NODES_OF_NAME = 4  # texts of a line whose elements may say that it is a name
NAME, DAY, LABELLED, OTHER = range(4)  # roles: see the module's text


def keep_all_posts(choice: Choice) -> None:
    """Keep every paragraph of a group if half of the group's words are kept: `<div class=post><p>Me too.</p></div>`.

    A group has equal tags and classes in the three innermost containers: scoring.groups(). The model doubts short
    replies, and long ones that are far down (forums).
    """
    page, keep = choice.page, choice.keep
    group_of = scoring.groups(page)
    kept_words, dropped_words, sentences = ([0] * len(group_of) for _ in range(3))  # by group
    for block, group, is_kept in zip(page.blocks, group_of, keep):
        (kept_words if is_kept else dropped_words)[group] += block.words
        if is_kept and is_sentence(block):
            sentences[group] += 1
    for i, (block, group) in enumerate(zip(page.blocks, group_of)):
        is_of_posts = kept_words[group] >= dropped_words[group] and sentences[group] >= MIN_POSTS
        if is_of_posts and 2 * block.link_words <= block.words:
            keep[i] = True


def keep_posters_and_days(choice: Choice) -> None:
    """Keep the lines with the name and the day of each post; drop lines that always say the same or have a label.

    `<b class=username>Nia</b><time>2 May</time><p>The lamp ...</p><a>Reply</a>`, three times: "Reply" is dropped. Of
    several kinds of names (name, full name), one is kept.
    """
    page, keep = choice.page, choice.keep
    # Running count of posts: entry i counts those before block i.
    posts = [0, *accumulate([is_kept and size >= MIN_POST_WORDS for size, is_kept in zip(page.sizes, keep)])]
    kinds: dict[tuple[object, ...], list[int]] = {}
    for i, block in enumerate(page.blocks):
        if block.words <= MAX_LINE_WORDS:
            kinds.setdefault(_kind(page, block), []).append(i)
    names: list[list[int]] = []
    days: list[list[int]] = []
    for (role, *_), lines in kinds.items():
        next_lines = [*lines[1:], len(posts) - 1]  # of each line the next one of its kind, or the end of the page
        # How many lines have a post between them and the next line of their kind. A line is not its own post.
        followed = sum([posts[next_line] > posts[line + 1] for line, next_line in zip(lines, next_lines)])
        if role in (NAME, DAY):
            below = sum([_is_below(page, posts, i) for i in lines])
            if len(lines) > 1 and followed >= MIN_SHARE * len(lines) and 2 * below < len(lines):
                (names if role == NAME else days).append(lines)
            continue
        is_around_posts = len(lines) > 2 and followed >= MIN_SHARE * (len(lines) - 1)  # the last one may lack a post
        if is_around_posts and (role == LABELLED or _are_same(page, lines)):
            for i in lines:
                keep[i] = False
    for i in [*_best_lines(page, names), *_best_lines(page, days)]:
        keep[i] = True


def _best_lines(page: Page, kinds: list[list[int]]) -> list[int]:
    """Return the lines of one kind: of the kinds with about the most lines, the one with the shortest texts."""
    max_lines = max(map(len, kinds), default=0)
    large = [lines for lines in kinds if len(lines) >= MIN_SHARE * max_lines]
    return min(large, key=lambda lines: sum([len(page.blocks[i].text) for i in lines]) / len(lines), default=[])


def _kind(page: Page, block: Block) -> tuple[object, ...]:
    """Return what a line has in common with others of its kind: role, tag and class, and those of its parent."""
    element, outer = page.element[block.container], page.element[max(page.parent[block.container], 0)]
    outer_class = outer.attrs.get("class", "").partition(" ")[0]
    return _role(block, element, outer), element.tag, element.attrs.get("class", ""), outer.tag, outer_class


def _role(block: Block, element: Element, outer: Element) -> int:
    if _NEVER_NAME.search(block.text):
        is_short = block.words <= MAX_LABELLED_WORDS
        return LABELLED if is_short and _BEGINS_WITH_LABEL.match(block.text) else OTHER
    if element.tag == "dd":  # a fact about the member: when they joined
        return OTHER
    is_time = any(node.parent is not None and node.parent.tag == "time" for node in block.nodes)
    if is_time or dates.in_text(block.text, day_first=True):
        return DAY
    return NAME if _is_name(block, element, outer) else OTHER


def _is_name(block: Block, element: Element, outer: Element) -> bool:
    """Return whether a line names a member, by its class or by the page that it links to."""
    if not _NAME.search(block.text):
        return False
    holders = [element, outer]  # elements that may name a member
    for node in block.nodes[:_MAX_NODES_OF_NAME]:
        holders += takewhile(lambda inner: inner is not element, around(node, -1))
    return any(is_poster(holder) or _AUTHOR.search(holder.attrs.get("class", "")) for holder in holders)


def _is_below(page: Page, posts: list[int], i: int) -> bool:
    """Return whether a line is below its post: `<div><p>The lamp ...</p><b>Nia</b></div>`.

    Its post is in the innermost container that has posts, and none of these follows the line. `posts` also counts a
    kept line of some words, such as "Posted on 2 May 2020", but no line is its own post.
    """
    own_count = posts[i + 1] - posts[i]
    container = page.blocks[i].container
    while container > 0 and posts[page.last[container]] - posts[page.first[container]] == own_count:
        container = page.parent[container]
    return posts[page.last[container]] == posts[i + 1]


def _are_same(page: Page, lines: list[int]) -> bool:
    """Return whether most of the lines have the same text."""
    times: dict[str, int] = {}
    for i in lines:
        times[page.blocks[i].text] = times.get(page.blocks[i].text, 0) + 1
    return max(times.values()) >= MIN_SHARE * len(lines)
