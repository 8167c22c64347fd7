"""Find who began a thread. In: Sources of a forum's page. Out: the user name of the first post's author, or "".

It is read from a line like "Started by annlee", from data-author of the first post, or from the first element or link
that names a user: class "username", address "/members/annlee".
Tests: tests/extraction/metadata/test_fields.py
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from webtool.extraction.metadata.evidence import Sources
from webtool.extraction.metadata.names import MAX_NAME, NO_NAME
from webtool.html.node import Element, elements
from webtool.lean import patterns

MAX_LINES = 1000  # blocks of a page that are searched for "Started by"
MAX_ADDRESS = 300  # characters of an address that are searched
MAX_NODES = 200  # elements in an element that are searched for a link
_FIRST_POST = 10  # blocks after the headline in which the first post begins
_MAX_USER_NAME = 40  # characters; a longer text is not a user name
_MAX_SPACES = 2  # in a user name
_POSTERS = patterns.compile(
    r"(?i)(?:^|[\s_-])(?:user-?name|poster|post-?author|message-?name|creator|post-?username|nick(?:name)?)(?:$|[\s_-])"
)
# "Thread starter: annlee", "Started by annlee", "annlee thread starter", "started by annlee, May 4".
_STARTER = patterns.compile(
    r"(?i)(?:(?:thread|topic|discussion) starter:?|(?:started|asked|posted) by) @?(?P<last>[^,:]{1,39}[^\s,:])$"
    r"|@?(?P<first>\S+) (?:thread|topic|discussion) starter$|started by @?(?P<dated>[^,:]{1,40}?),? (?:\w{3,9}|\d+) \d"
)
# The address of a forum's member, as Discourse, XenForo, phpBB, vBulletin, MyBB, SMF and others write it.
_MEMBER = patterns.compile(
    r"(?i)^(?!\w*:?//[^/]*(?:youtube|facebook|linkedin))\S*/(?:users?|members?|u|profiles?|people)/(?!sign|log|register|settings)[^/?#]{2,}|/user-\d|member(?:list)?\.php\?\S*\bu=|profile\.php\?\S*\b(?:id|u)="
    r"|action=profile;u="
)


def of_first_post(sources: Sources) -> str:
    """Return the user name of the first post's author, "" if the page is not of a forum or does not name the author."""
    if not sources.is_forum:
        return ""
    page = sources.page
    for block in page.blocks[:MAX_LINES]:
        if len(block.text) < MAX_NAME and (match := _STARTER.match(block.text)):
            return match["first"] or match["dated"] or match["last"]
    for first, element in zip(page.first, page.element):
        if 0 <= first - sources.headline <= _FIRST_POST and (name := element.attrs.get("data-author", "").strip()):
            return name[:MAX_NAME]
    for matches in (lambda element: element.attrs.get("itemprop") == "author", is_poster):
        for i, element in sources.elements_at(matches):
            name = next(_links(element), "") or " ".join(element.text[:100].split())
            name = name.partition(" (")[0].lstrip("@").strip()
            if i >= sources.headline and _is_user_name(name):
                return name
    return ""


def _is_user_name(text: str) -> bool:
    """Return whether a text may be a user name: "user3080392" and "Ann Lee", not "May 4" or "12 posts"."""
    if not 1 < len(text) <= _MAX_USER_NAME or text.count(" ") > _MAX_SPACES:
        return False
    if any(char.isdigit() for char in text):
        return " " not in text and not text[0].isdigit()
    return not NO_NAME.search(text)


def is_poster(element: Element) -> bool:
    """Return whether an element names a post's author by its class or by the address that it leads to."""
    names = f"{element.attrs.get('class', '')} {element.attrs.get('itemprop', '')}"[:200]
    return bool(
        _POSTERS.search(names) or (element.tag == "a" and _MEMBER.search(element.attrs.get("href", "")[:MAX_ADDRESS]))
    )


def _links(element: Element) -> Iterator[str]:
    """Yield the texts of the links among an element's first MAX_NODES elements."""
    for node in islice(elements(element), MAX_NODES):
        if node.tag == "a" and (text := " ".join(node.text[:MAX_NAME].split())):
            yield text
