"""What stands before and after a block. In: a cut page with its sums. Out: columns of small integers, one a feature."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from operator import sub

from webtool.extraction.model.columns.scales import log_scales, percents
from webtool.extraction.model.columns.tree import TAG_CODES, Sums
from webtool.extraction.page.blocks import Page
from webtool.html.elements import HEADINGS

_WINDOWS = (3, 8, 25)
_OFFSETS = (-1, 1)

NAMES = [
    *(f"{name}{offset:+d}" for offset in _OFFSETS for name in ("words", "links", "tag")),
    *(f"{name}_around_{size}" for size in _WINDOWS for name in ("words", "links", "long")),
    *"index before after prev_long next_long step_prev step_next".split(),
    *"heading heading_blocks heading_words heading_score heading_section h1_before h1_blocks headings_seen".split(),
]


def columns(
    page: Page, sums: Sums, tags: list[str], text: dict[str, Sequence[int]], heads: list[int]
) -> list[Sequence[int]]:
    """One column per entry of NAMES; `text` has the columns of text_columns by name, `heads` is of heading_scores."""
    codes = [TAG_CODES.get(tag, 0) for tag in tags]
    found: list[Sequence[int]] = []
    for offset in _OFFSETS:
        found += [_shift(text["words"], offset), _shift(text["link_share"], offset), _shift(codes, offset)]
    for size in _WINDOWS:
        found += _window(sums, size)
    found += _positions(sums)
    found += _steps(page)
    found += _under_headings(sums, tags, heads)
    return found


def heading_scores(tags: list[str], text: dict[str, Sequence[int]]) -> list[int]:
    """What the words of each heading tell, 128 for a block that is none."""
    return [
        (mean if abs(mean - 128) > abs(phrase - 128) else phrase) if tag in HEADINGS else 128
        for tag, mean, phrase in zip(tags, text["word_mean"], text["phrase"])
    ]


def _shift(column: Sequence[int], offset: int) -> bytes:
    """The column of the blocks `offset` further on; 255 where there is none."""
    figures, none = bytes(column), b"\xff" * min(len(column), abs(offset))
    return none + figures[: max(0, len(figures) + offset)] if offset < 0 else figures[offset:] + none


def _window(sums: Sums, size: int) -> list[bytes]:
    words, links, long = [_around(totals, size) for totals in (sums.words, sums.links, sums.long)]
    return [log_scales(words), percents(links, words), percents(long, words)]


def _around(totals: list[int], size: int) -> list[int]:
    """For each block the sum over it, `size` blocks before and as many after."""
    at_edge = min(size, len(totals) - 1)
    before = [0] * at_edge + totals[: max(0, len(totals) - 1 - size)]
    after = totals[size + 1 :] + [totals[-1]] * at_edge
    return list(map(sub, after, before))


def _positions(sums: Sums) -> list[Sequence[int]]:
    words = sums.words
    count = len(words) - 1
    return [
        percents(range(count), repeat(count)),
        percents(words[:-1], repeat(words[-1])),
        log_scales(range(count, 0, -1)),
        _distances(sums.is_long),
        _distances(sums.is_long[::-1])[::-1],
    ]


def _distances(flags: list[bool]) -> bytes:
    """Blocks since the last flagged one, 255 before the first and there."""
    last = flags.index(True) if True in flags else len(flags)
    none = flags[: last + 1]
    found = []
    for i in range(last + 1, len(flags)):
        found.append(i - last)
        if flags[i]:
            last = i
    return b"\xff" * len(none) + log_scales(found)


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


def _under_headings(sums: Sums, tags: list[str], heads: list[int]) -> list[Sequence[int]]:
    rows = []
    first_h1 = tags.index("h1") if "h1" in tags else None
    level, at, seen, section = 7, 0, 0, 128
    words = sums.words
    score = 128
    for i, tag in enumerate(tags):
        rows.append((level, i - at, words[i] - words[at], score, section, seen))
        rank = HEADINGS.get(tag)
        if rank:
            score = heads[i]
            if rank <= level or rank < 4:
                section = score
            level, at = rank, i
            seen += 1
    if not rows:
        return [[]] * 8
    levels, blocks, inside, scores, sections, count = zip(*rows)
    distances = [0] * len(rows) if first_h1 is None else range(-first_h1, len(rows) - first_h1)
    sides = [1 if distance > 0 else 2 if distance < 0 else 0 for distance in distances]
    far = log_scales(map(abs, distances))
    return [levels, log_scales(blocks), log_scales(inside), scores, sections, sides, far, log_scales(count)]
