"""Running heads and page numbers. In: the segments of all pages. Out: the same without them."""

from __future__ import annotations

from collections import Counter

from webtool.lean import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.documents.pdf.layout.lines import Segment

_HEAD_ROWS = 2  # so many lines at the top and the bottom of a page may be running heads
_TITLE_SIZE = 1.25  # of the usual size
_APART = 1.9  # of the font size, from one baseline to the next
_DIGITS = patterns.compile(r"\d+|\b[ivxlc]{1,7}\b")


def without_running_heads(all_pages: list[list[Segment]]) -> list[list[Segment]]:
    """Pages without the lines that stand at the same height on many pages and differ at most in numbers.

    Large type on the first page stays: it is the title, which later pages repeat.
    """
    counts: Counter[tuple[str, int]] = Counter()
    candidates = [_edge_lines(page) for page in all_pages]
    if len(all_pages) == 2:  # what two pages repeat is a head only where it stands apart
        candidates = [[line for line in lines if _is_apart(line, page)] for page, lines in zip(all_pages, candidates)]
    for lines in candidates:
        counts.update({_head_key(line) for line in lines})
    heads = _heads(candidates, counts)
    result: list[list[Segment]] = []
    for page, lines in zip(all_pages, candidates):
        dropped = {id(line) for line in lines if _head_key(line) in heads}
        if not result:
            usual = sorted(line.size for line in page)[len(page) // 2] if page else 0.0
            dropped -= {id(line) for line in lines if line.size > _TITLE_SIZE * usual}
        result.append([line for line in page if id(line) not in dropped])
    return result


def _heads(candidates: list[list[Segment]], counts: Counter[tuple[str, int]]) -> set[tuple[str, int]]:
    """Keys of the running heads. One that names the chapter is on few pages, but where most pages repeat a line."""
    heights: Counter[int] = Counter()
    for lines in candidates:
        heights.update({_head_key(line)[1] for line in lines if counts[_head_key(line)] > 1})
    usual = {height for height, count in heights.items() if count >= max(3, 0.5 * len(candidates))}
    least = 2 if len(candidates) == 2 else max(3, 0.3 * len(candidates))
    return {key for key, count in counts.items() if count >= (2 if key[1] in usual else least)}


def _edge_lines(page: list[Segment]) -> list[Segment]:
    heights = sorted({round(segment.y) for segment in page})
    edges = {*heights[:_HEAD_ROWS], *heights[-_HEAD_ROWS:]}
    return [segment for segment in page if round(segment.y) in edges]


def _is_apart(line: Segment, page: list[Segment]) -> bool:
    """Whether there is more than a blank line between a line and all others above or below it."""
    return all(abs(other.y - line.y) < 1 or abs(other.y - line.y) > _APART * line.size for other in page)


def _head_key(line: Segment) -> tuple[str, int]:
    return _DIGITS.sub("#", line.text.lower()), round(line.y / 4)
