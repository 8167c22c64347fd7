"""What stands before and after a block. In: a cut page with its sums. Out: columns of small integers, one a feature."""

from __future__ import annotations

from webtool.extraction.columns.scales import log_scale, percent
from webtool.extraction.columns.tree import TAG_CODES
from webtool.html.elements import HEADINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.extraction.blocks import Page
    from webtool.extraction.columns.tree import Sums

_WINDOWS = (3, 8, 25)
_OFFSETS = (-1, 1)

NAMES = [
    *(f"{name}{offset:+d}" for offset in _OFFSETS for name in ("words", "links", "tag")),
    *(f"{name}_around_{size}" for size in _WINDOWS for name in ("words", "links", "long")),
    *["index", "before", "after", "prev_long", "next_long", "step_prev", "step_next"],
    *[
        "heading",
        "heading_blocks",
        "heading_words",
        "heading_score",
        "heading_section",
        "h1_before",
        "h1_blocks",
        "headings_seen",
    ],
]


def columns(page: Page, sums: Sums, tags: list[str], text: dict[str, list[int]], heads: list[int]) -> list[list[int]]:
    """One column per entry of NAMES; `text` has the columns of text_columns by name, `heads` is of heading_scores."""
    codes = [TAG_CODES.get(tag, 0) for tag in tags]
    found: list[list[int]] = []
    for offset in _OFFSETS:
        found += [_shift(text["words"], offset), _shift(text["link_share"], offset), _shift(codes, offset)]
    for size in _WINDOWS:
        found += _window(sums, size)
    found += _positions(sums)
    found += _steps(page)
    found += _under_headings(sums, tags, heads)
    return found


def heading_scores(tags: list[str], text: dict[str, list[int]]) -> list[int]:
    """What the words of each heading tell, 128 for a block that is none."""
    return [
        (mean if abs(mean - 128) > abs(phrase - 128) else phrase) if tag in HEADINGS else 128
        for tag, mean, phrase in zip(tags, text["word_mean"], text["phrase"])
    ]


def _shift(column: list[int], offset: int) -> list[int]:
    """The column of the blocks `offset` further on; 255 where there is none."""
    size = len(column)
    if offset < 0:
        return [255] * min(size, -offset) + column[: max(0, size + offset)]
    return column[offset:] + [255] * min(size, offset)


def _window(sums: Sums, size: int) -> list[list[int]]:
    words, links, long = sums.words, sums.links, sums.long
    count = len(words) - 1
    ranges = [(max(0, i - size), min(count, i + size + 1)) for i in range(count)]
    totals = [words[j] - words[i] for i, j in ranges]
    return [
        [log_scale(total) for total in totals],
        [percent(links[j] - links[i], total) for (i, j), total in zip(ranges, totals)],
        [percent(long[j] - long[i], total) for (i, j), total in zip(ranges, totals)],
    ]


def _positions(sums: Sums) -> list[list[int]]:
    words = sums.words
    count = len(words) - 1
    whole = words[-1]
    return [
        [percent(i, count) for i in range(count)],
        [percent(words[i], whole) for i in range(count)],
        [log_scale(count - i) for i in range(count)],
        _distances(sums.is_long),
        _distances(sums.is_long[::-1])[::-1],
    ]


def _distances(flags: list[bool]) -> list[int]:
    """Blocks since the last flagged one, 255 before the first."""
    found = []
    last = None
    for i, flag in enumerate(flags):
        found.append(255 if last is None else min(254, log_scale(i - last)))
        if flag:
            last = i
    return found


def _steps(page: Page) -> list[list[int]]:
    """How many containers lie between a block and what it shares with the block before, and with the one after."""
    parent, depth = page.parent, page.depth
    before: list[int] = []
    after: list[int] = []
    last = -1
    for block in page.blocks:
        here = block.container
        a, b = last, here
        if last >= 0:
            while a != b:
                if depth[a] >= depth[b]:
                    a = parent[a]
                else:
                    b = parent[b]
            before.append(min(255, depth[here] - depth[a]))
            after.append(min(255, depth[last] - depth[a]))
        else:
            before.append(255)
        last = here
    if page.blocks:
        after.append(255)
    return [before, after]


def _under_headings(sums: Sums, tags: list[str], heads: list[int]) -> list[list[int]]:
    rows = []
    first_h1 = tags.index("h1") if "h1" in tags else None
    level, at, seen, section = 7, 0, 0, 128
    words = sums.words
    score = 128
    for i, tag in enumerate(tags):
        distance = 0 if first_h1 is None else i - first_h1
        rows.append(
            (
                level,
                log_scale(i - at),
                log_scale(words[i] - words[at]),
                score,
                section,
                1 if distance > 0 else 2 if distance < 0 else 0,
                log_scale(abs(distance)),
                log_scale(seen),
            )
        )
        rank = HEADINGS.get(tag)
        if rank:
            score = heads[i]
            if rank <= level or rank < 4:
                section = score
            level, at = rank, i
            seen += 1
    return [list(column) for column in zip(*rows)] if rows else [[]] * 8
