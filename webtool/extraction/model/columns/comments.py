"""Measure which blocks are comments, and how much running text the page has besides. In: a cut page with its sums.
Out: one column per name in NAMES.

Comments are the content of a forum but not of an article, so the lexicon's scores for and against content do not fit
them. They are found by class and id attributes ("comment-list", "disqus") and by the words of headings.
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
MAX_NAMES = 200  # characters of an attribute that are searched
MAX_HEADING = 80  # characters of a heading that are searched

NAMES = "in_comments under_comments outside_words before_comments comments_share comments_count".split()


def columns(page: Page, sums: Sums, tags: list[str]) -> list[list[int]]:
    """Return one column per entry of NAMES."""
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
    """Return for each container whether its class or id, or one further out, names comments.

    html and body are passed over: their class says what the page has, not where.
    """
    if not _has_any(page.called(), _NAMES):
        return [False] * len(page.element)
    flags: list[bool] = []
    for parent, element in zip(page.parent, page.element):
        flag = parent >= 0 and flags[parent]
        attrs = element.attrs
        if not flag and attrs and element.tag not in ("html", "body"):
            flag = ("class" in attrs and _is_named[attrs["class"]]) or ("id" in attrs and _is_named[attrs["id"]])
        flags.append(flag)
    return flags


def _under(page: Page, tags: list[str]) -> list[int]:
    """Return 1 for each block whose last heading speaks of comments, else 0."""
    flags = []
    flag = 0
    for tag, block in zip(tags, page.blocks):
        if tag in HEADINGS:
            flag = int(_has_any(block.text[:MAX_HEADING].lower(), _WORDS))
        flags.append(flag)
    return flags


def _has_any(text: str, words: tuple[str, ...]) -> bool:
    """Return whether a text has one of these words."""
    for word in words:  # noqa: SIM110 - a third of the time of any()
        if word in text:
            return True
    return False


_is_named = Remembered(lambda names: _has_any(names[:MAX_NAMES].lower(), _NAMES))
