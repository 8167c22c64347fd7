"""Who began a thread. In: what a page of a forum says of itself. Out: what the forum calls who wrote the first post.

It is read from what says who began, from data of the first post, or from the first element, or link to a member, that
names who posted.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from webtool.extraction.metadata.evidence import Sources
from webtool.extraction.metadata.names import MAX_NAME, NO_NAME
from webtool.html.node import Element, elements
from webtool.lean import patterns

MAX_LINES = 1000
MAX_ADDRESS = 300
MAX_NODES = 200
_FIRST_POST = 10
"""Blocks after the headline in which the first post begins."""
_MOST_LETTERS = 40
"""Of what somebody is called on a forum."""
_POSTERS = patterns.compile(
    r"(?i)(?:^|[\s_-])(?:user-?name|poster|post-?author|message-?name|creator|post-?username|nick(?:name)?)(?:$|[\s_-])"
)
_STARTER = patterns.compile(
    r"(?i)(?:(?:thread|topic|discussion) starter:?|(?:started|asked|posted) by) @?(?P<last>[^,:]{1,39}[^\s,:])$"
    r"|@?(?P<first>\S+) (?:thread|topic|discussion) starter$|started by @?(?P<dated>[^,:]{1,40}?),? (?:\w{3,9}|\d+) \d"
)
_MEMBER = patterns.compile(
    r"(?i)^(?!\w*:?//[^/]*(?:youtube|facebook|linkedin))\S*/(?:users?|members?|u|profiles?|people)/(?!sign|log|register|settings)[^/?#]{2,}|/user-\d|member(?:list)?\.php\?\S*\bu=|profile\.php\?\S*\b(?:id|u)="
    r"|action=profile;u="
)
"""The address of a member of a forum, as Discourse, XenForo, phpBB, vBulletin, MyBB, SMF and others write it."""


def of_first_post(sources: Sources) -> str:
    """On a forum, from what names who began, or from the first element that names who posted."""
    if not sources.is_forum:
        return ""
    page = sources.page
    for block in page.blocks[:MAX_LINES]:
        if len(block.text) < MAX_NAME and (match := _STARTER.match(block.text)):
            return match["first"] or match["dated"] or match["last"]
    for first, element in zip(page.first, page.element):
        if 0 <= first - sources.headline <= _FIRST_POST and (name := element.attrs.get("data-author", "").strip()):
            return name[:MAX_NAME]
    for matches in (lambda one: one.attrs.get("itemprop") == "author", is_poster):
        for at, element in sources.elements_at(matches):
            name = next(_links(element), "") or " ".join(element.text[:100].split())
            name = name.partition(" (")[0].lstrip("@").strip()
            is_short = 1 < len(name) <= _MOST_LETTERS and name.count(" ") <= 2
            has_digit = any(char.isdigit() for char in name)  # user3080392, but no day and no count of posts
            is_name = " " not in name and not name[0].isdigit() if has_digit else not NO_NAME.search(name)
            if at >= sources.headline and is_short and is_name:
                return name
    return ""


def is_poster(element: Element) -> bool:
    """Whether an element names who posted, by its class or the address that it leads to."""
    names = f"{element.attrs.get('class', '')} {element.attrs.get('itemprop', '')}"[:200]
    return bool(
        _POSTERS.search(names) or (element.tag == "a" and _MEMBER.search(element.attrs.get("href", "")[:MAX_ADDRESS]))
    )


def _links(element: Element) -> Iterator[str]:
    """The texts of the first links in an element."""
    for node in islice(elements(element), MAX_NODES):
        if node.tag == "a" and (text := " ".join(node.text[:MAX_NAME].split())):
            yield text
