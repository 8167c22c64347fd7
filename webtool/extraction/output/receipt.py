"""List what was left out. In: a cut page and which blocks are kept. Out: groups of left-out blocks.

Each block that is not kept is in one group. Hidden text is in the last group, of which only the number of words is
shown. A region is a container of known kind without a kept block, the widest such. The kind is read from its element,
its class and id, or, without these, from its share of links, its label and its shape (regions.py). A group is one
region, or all regions of a kind.

There are at most MAX_GROUPS besides the hidden one, so that the list costs an agent fewer than 300 tokens. If there are
more regions, those with the fewest words join the others of their kind.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate

from webtool.errors import InvalidArgument
from webtool.extraction.output.regions import Shapes, is_named, kind_of
from webtool.extraction.page import cutting
from webtool.extraction.page.blocks import Page
from webtool.extraction.rules import copies
from webtool.html.node import Element
from webtool.lean.records import NamedTuple
from webtool.visibility.text_lengths import words_in

MAX_GROUPS = 11  # besides the hidden one
HIDDEN = "hidden"  # the kind of the group of hidden text
_NOT_SHOWN = "(not shown)"
MAX_BEGINS = 33  # bytes in UTF-8 of a group's first words
_MAX_WHOLE = 40  # words; a longer region of unknown kind is divided into the containers inside it

# Kinds whose regions are one group: nobody asks for the second of two menus.
_ONE_GROUP_KINDS = frozenset(
    ("navigation", "header", "footer", "consent", "share", "form", "repeat", "advertisement", "sign", "label")
)


class Group(NamedTuple):
    """Left-out blocks.

    n       the number that with_groups() takes to add them back, from 1 on
    kind    navigation, header, footer, aside, teaser (leads to another page), comments, author, share, form, consent,
            advertisement, repeat (a copy of a kept region), cards (of other items), list, table, facts (terms with
            values, dates, prices), quote, caption, heading, code, reviews, faq, disclaimer, sign (icons and marks
            without a word), label (a few words: buttons, badges), other (small parts of several kinds), hidden or text
    words   the number of words
    begins  the first words
    blocks  the numbers of the page's blocks, ascending
    """

    n: int
    kind: str
    words: int
    begins: str
    blocks: tuple[int, ...]


class _Region(NamedTuple):
    """Blocks of one kind that are left out together."""

    kind: str
    blocks: list[int]


def groups(page: Page, kept: Sequence[bool], hidden: Collection[Element] = ()) -> tuple[Group, ...]:
    """Return the groups in the order in which they begin on the page; the hidden one is the last."""
    shown = () if all(kept) else _groups(page, kept)
    words = words_in(hidden)
    return (*shown, Group(len(shown) + 1, HIDDEN, words, _NOT_SHOWN, ())) if words else shown


def with_groups(
    page: Page, kept: list[bool], hidden: set[Element], all_groups: Sequence[Group], numbers: Sequence[int]
) -> tuple[Page, list[bool], set[Element]]:
    """Return page, kept blocks and hidden elements after some groups are added back.

    `all_groups` is what groups() returned, `numbers` are those of the groups to add. Raises InvalidArgument for a
    number that no group has.
    """
    unknown = [n for n in numbers if not 1 <= n <= len(all_groups)]
    if unknown:
        listed = f"Groups are numbered from 1 to {len(all_groups)}; left_out lists them."
        raise InvalidArgument(f"unknown left-out group {unknown[0]}", hint=listed if all_groups else "All is kept.")
    kept = kept[:]
    for n in numbers:
        for i in all_groups[n - 1].blocks:
            kept[i] = True
    if not any(all_groups[n - 1].kind == HIDDEN for n in numbers):
        return page, kept, hidden
    # Cut the page once more, with the hidden text as blocks, which are added. Blocks that were there stay as they were.
    whole = cutting.cut(page.element[0], hidden, hidden)
    was_kept = {node: is_kept for block, is_kept in zip(page.blocks, kept) for node in block.nodes}
    return whole, [any(was_kept.get(node, block.hidden) for node in block.nodes) for block in whole.blocks], set()


def _groups(page: Page, kept: Sequence[bool]) -> tuple[Group, ...]:
    """Return the groups of blocks that are not hidden; the largest regions have a group of their own."""
    regions = _with_few_kinds(page, _neighbours_joined(list(_regions(page, kept)), kept))
    # {("table", 12): [12, 13], ("form", -1): [3, 40]}: a region with a group of its own has its first block in the key,
    # all other regions of a kind share -1.
    blocks_of: dict[tuple[str, int], list[int]] = {}
    singles = [region for region in regions if region.kind not in _ONE_GROUP_KINDS]
    room = MAX_GROUPS - len({kind for kind, _ in regions})  # each kind may need one group for its other regions
    large = sorted(singles, key=lambda region: -_words_in(page, region.blocks))[:room]
    alone = {region.blocks[0] for region in large}
    for kind, numbers in regions:
        key = kind, numbers[0] if numbers[0] in alone else -1
        blocks_of.setdefault(key, []).extend(numbers)
    ordered = sorted(blocks_of.items(), key=lambda entry: entry[1][0])
    return tuple(
        Group(n, kind, _words_in(page, numbers), _begins(page, numbers), tuple(sorted(numbers)))
        for n, ((kind, _), numbers) in enumerate(ordered, 1)
    )


def _with_few_kinds(page: Page, regions: list[_Region]) -> list[_Region]:
    """Return the regions with at most MAX_GROUPS kinds: those with the fewest words become "other"."""
    words_of: dict[str, int] = {}
    for kind, numbers in regions:
        words_of[kind] = words_of.get(kind, 0) + _words_in(page, numbers)
    if len(words_of) <= MAX_GROUPS:
        return regions
    large = sorted(words_of, key=lambda kind: -words_of[kind])[: MAX_GROUPS - 1]
    return [_Region(kind if kind in large else "other", numbers) for kind, numbers in regions]


def _words_in(page: Page, numbers: list[int]) -> int:
    return sum([page.sizes[i] for i in numbers])


def _begins(page: Page, numbers: list[int]) -> str:
    """Return the first words of some blocks, in at most MAX_BEGINS bytes; "\u2026" follows them if there are more."""
    text = " ".join(page.blocks[i].text[: MAX_BEGINS + 1] for i in numbers[:MAX_BEGINS])
    data = text.encode("utf-8", "replace")
    if len(data) <= MAX_BEGINS:
        return text
    start = data[: MAX_BEGINS - len("\u2026".encode())].decode("utf-8", "ignore")
    if text[len(start)] != " ":  # the last word is cut; a text without spaces is cut anywhere
        start = start.rpartition(" ")[0] or start
    return start.rstrip() + "\u2026"


def _regions(page: Page, kept: Sequence[bool]) -> Iterator[_Region]:
    """Yield each region, and each block that is left out and in no region as one.

    Blocks of copies come first, then the regions, then the single blocks. A container without a kept block is a region
    if its own kind is known. It also is if no container of known kind is inside, and it is short, of one shape, or has
    no container with text inside.
    """
    kept_before = [0, *accumulate(kept)]  # by block: how many blocks before it are kept
    done = list(kept)
    for copy_first, copy_last, _ in copies.regions(page):
        for i in range(copy_first, copy_last):
            if not done[i]:
                done[i] = True
                yield _Region("repeat", [i])
    has_text = [first < last for first, last in zip(page.first, page.last)]  # by container
    next_with_text = _next_of(has_text)  # entry i: the first container with text from container i on
    starts = [*page.first, len(page.blocks)]  # the first blocks of the containers; the last entry is the end
    shapes = Shapes(page, kept_before)
    end = 0  # the block after the last region; a container that begins before this block is inside the region
    named = 0  # the search for a container with text and of known kind has come this far
    for i, element in enumerate(page.element):
        first, last = page.first[i], page.last[i]
        if not has_text[i] or kept_before[last] > kept_before[first] or first < end:
            continue
        kind = kind_of(element)
        if not kind:
            named = max(named, i + 1)
            while starts[named] < last and not (has_text[named] and is_named(page.element[named])):
                named += 1
            if starts[named] < last:
                continue  # a container of known kind is inside; the containers inside come next
        if not kind and page.words[last] - page.words[first] > _MAX_WHOLE:
            kind = shapes.kind_of_whole(i)
            if not kind and starts[next_with_text[i + 1]] < last:
                continue  # the containers inside come next
        end = last
        numbers = [k for k in range(first, last) if not done[k]]
        if not numbers:  # copies of kept regions alone
            continue
        done[first:last] = [True] * (last - first)
        yield _Region(kind or shapes.kind(first, last), numbers)
    for i, is_done in enumerate(done):
        if not is_done:
            yield _Region(shapes.kind(i, i + 1), [i])


def _next_of(flags: list[bool]) -> list[int]:
    """Return for each place in a list the first flagged one from there on, the list's length without one."""
    following = [len(flags)] * (len(flags) + 1)
    for i in range(len(flags) - 1, -1, -1):
        following[i] = i if flags[i] else following[i + 1]
    return following


def _neighbours_joined(regions: list[_Region], kept: Sequence[bool]) -> list[_Region]:
    """Join regions of one kind that have no kept block between them."""
    kept_before = [0, *accumulate(kept)]
    joined: list[_Region] = []
    for region in sorted(regions, key=lambda region: region.blocks[0]):
        last = joined[-1] if joined else None
        if last and last.kind == region.kind and kept_before[last.blocks[-1]] == kept_before[region.blocks[0]]:
            last.blocks.extend(region.blocks)
        else:
            joined.append(region)
    return joined
