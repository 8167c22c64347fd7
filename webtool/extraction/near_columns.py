"""What stands before and after a block. In: a cut page with its sums. Out: columns of small integers, one a feature."""

from __future__ import annotations

from webtool.extraction.scales import log_scale, percent
from webtool.extraction.tree_columns import TAG_CODES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.extraction.blocks import Page
    from webtool.extraction.tree_columns import Sums

_WINDOWS = (3, 8, 25)
_OFFSETS = (-1, 1)
_HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}

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
    *["best", "best_words", "home_long_40", "home_long_60", "home_long_85", "home_plain_50", "home_plain_75"],
]


def columns(page: Page, sums: Sums, tags: list[str], text: dict[str, list[int]]) -> list[list[int]]:
    """One column per entry of NAMES; `text` has the columns of text_columns by name."""
    codes = [TAG_CODES.get(tag, 0) for tag in tags]
    found: list[list[int]] = []
    for offset in _OFFSETS:
        found += [_shift(text["words"], offset), _shift(text["link_share"], offset), _shift(codes, offset)]
    for size in _WINDOWS:
        found += _window(sums, size)
    found += _positions(sums)
    found += _steps(page)
    found += _under_headings(sums, tags, text)
    found += _best(page, sums)
    return found


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


def _under_headings(sums: Sums, tags: list[str], text: dict[str, list[int]]) -> list[list[int]]:
    rows = []
    first_h1 = tags.index("h1") if "h1" in tags else None
    level, at, seen, section = 7, 0, 0, 128
    words = sums.words
    score = 128
    means = text["word_mean"]
    phrases = text["phrase"]
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
        rank = _HEADINGS.get(tag)
        if rank:
            score = min(means[i], phrases[i], key=lambda s: -abs(s - 128))
            if rank <= level or rank < 4:
                section = score
            level, at = rank, i
            seen += 1
    return [list(column) for column in zip(*rows)] if rows else [[]] * 8


def _best(page: Page, sums: Sums) -> list[list[int]]:
    """Where a block lies to the container that holds most running text with least around it, and to those that hold
    so many per cent of the running text, or of all words outside of links."""
    words, links, long = sums.words, sums.links, sums.long
    count = len(page.blocks)
    best, most = 0, -1.0
    for i, (first, last) in enumerate(zip(page.first, page.last)):
        inside = long[last] - long[first]
        size = words[last] - words[first]
        if inside and inside * inside / (size + links[last] - links[first] + 5.0) >= most:
            best, most = i, inside * inside / (size + links[last] - links[first] + 5.0)
    plain = [all_words - linked for all_words, linked in zip(words, links)]
    return [
        _rings(page, best, count),
        [percent(words[page.last[best]] - words[page.first[best]], words[-1])] * count,
        *(_rings(page, _home(page, long, share), count) for share in (40, 60, 85)),
        *(_rings(page, _home(page, plain, share), count) for share in (50, 75)),
    ]


def _home(page: Page, totals: list[int], share: int) -> int:
    """The innermost container with so many per cent of the whole: containers come in document order."""
    least = share * totals[-1]
    if not least:
        return 0
    home = 0
    for i, (first, last) in enumerate(zip(page.first, page.last)):
        if 100 * (totals[last] - totals[first]) >= least:
            home = i
    return home


def _rings(page: Page, start: int, count: int) -> list[int]:
    """0 inside container `start`, 1 inside the next wider one, and so on."""
    rings = [255] * count
    if not page.element:
        return rings
    first, last = page.first[start], page.last[start]
    rings[first:last] = [0] * (last - first)
    ring = 1
    i = page.parent[start]
    while i >= 0 and ring < 250:
        if page.first[i] < first or page.last[i] > last:
            rings[page.first[i] : first] = [ring] * (first - page.first[i])
            rings[last : page.last[i]] = [ring] * (page.last[i] - last)
            first, last = page.first[i], page.last[i]
            ring += 1
        i = page.parent[i]
    return rings
