"""Which blocks are comments, and how much else the page says. In: a cut page with its sums. Out: columns.

The lexicon says how far a name speaks for or against content; that something is a comment does neither by itself: it is
the content of a forum, and none of an article's. So comments are features of their own, found by class and id
attributes and by the words of headings, beside how much running text there is without them.
"""

from __future__ import annotations

from itertools import accumulate

from webtool.extraction.model.columns.scales import log_scale, percent
from webtool.extraction.model.columns.tree import Sums
from webtool.extraction.page.blocks import Page
from webtool.html.elements import HEADINGS
from webtool.lean.memory import Remembered

_NAMES = ("comment", "kommentar", "comentario", "disqus", "respond", "replies", "reply")
_WORDS = (*_NAMES, "thoughts on", "join the discussion", "join the conversation", "opini")
MAX_NAMES = 200  # characters of the attributes of one element
MAX_HEADING = 80  # characters of a heading

NAMES = "in_comments under_comments outside_words before_comments comments_share comments_count".split()


def columns(page: Page, sums: Sums, tags: list[str]) -> list[list[int]]:
    """One column per entry of NAMES."""
    inside = _inside(page)
    flags = [inside[block.container] for block in page.blocks]
    count = len(flags)
    long = [after - before for before, after in zip(sums.long, sums.long[1:])]
    outside = [0, *accumulate([0 if flag else words for flag, words in zip(flags, long)])]
    first = flags.index(True) if True in flags else count
    starts = sum(flag and not (parent >= 0 and inside[parent]) for flag, parent in zip(inside, page.parent))
    return [
        [int(flag) for flag in flags],
        _under(page, tags),
        [log_scale(outside[-1])] * count,
        [log_scale(outside[first])] * count,
        [percent(sums.long[-1] - outside[-1], sums.long[-1])] * count,
        [log_scale(starts)] * count,
    ]


def _inside(page: Page) -> list[bool]:
    """For each container whether it or one around it is called after comments; html and body name the whole page."""
    if not _speaks(page.called(), _NAMES):
        return [False] * len(page.element)
    found: list[bool] = []
    for parent, element in zip(page.parent, page.element):
        flag = parent >= 0 and found[parent]
        attrs = element.attrs
        if not flag and attrs and element.tag not in ("html", "body"):
            flag = ("class" in attrs and _is_named[attrs["class"]]) or ("id" in attrs and _is_named[attrs["id"]])
        found.append(flag)
    return found


def _under(page: Page, tags: list[str]) -> list[int]:
    """Whether the heading before a block speaks of comments."""
    found = []
    flag = 0
    for tag, block in zip(tags, page.blocks):
        if tag in HEADINGS:
            flag = int(_speaks(block.text[:MAX_HEADING].lower(), _WORDS))
        found.append(flag)
    return found


def _speaks(text: str, words: tuple[str, ...]) -> bool:
    for word in words:  # noqa: SIM110 - a third of the time of any()
        if word in text:
            return True
    return False


_is_named = Remembered(lambda names: _speaks(names[:MAX_NAMES].lower(), _NAMES))
