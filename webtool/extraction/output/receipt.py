"""What was left out, as a short list. In: a cut page and which blocks are kept. Out: groups of left-out blocks.

Every block that is not kept is in one group, and what the page hides is the last one, told by its words alone: a text
that no reader was to see is shown only to who adds it back. A group is a region of the page (a container without any
kept block) or all regions of one kind; its kind is read from the region's elements, from their class and id attributes,
and where these are silent, from its links. At most MOST_GROUPS, so that the list costs an agent fewer than 300 tokens;
of what does not fit, the regions with fewest words join the others of their kind.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate

from webtool.errors import InvalidArgument
from webtool.extraction.page import blocks
from webtool.extraction.page.blocks import Page
from webtool.extraction.rules import copies
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.memory import Remembered
from webtool.lean.records import NamedTuple
from webtool.visibility.hidden import words_in

MOST_GROUPS = 11
"""Without the hidden one."""
HIDDEN = "hidden"
"""The kind of the group of what the page hides."""
_NOT_SHOWN = "(not shown)"
MOST_BEGINS = 33
"""Bytes of a group's first words in UTF-8."""
_SPLIT_WORDS = 40
"""A region of more words whose kind is not known is taken apart."""
_LINKED = 0.5
"""The share of linked words from which a region without a name is navigation."""

_TAGS = {tag: tag for tag in ("aside", "footer", "header", "form")}
_TAGS |= {"nav": "navigation", "menu": "navigation", "dialog": "consent"}
_KINDS = {
    "navigation": "navigation menu menubar", "aside": "complementary", "footer": "contentinfo", "header": "banner",
    "form": "search form", "consent": "dialog alertdialog",
}  # fmt: skip
_ROLES = {role: kind for kind, roles in _KINDS.items() for role in roles.split()}
_WORDS = {
    "consent": "cookie|consent|gdpr|onetrust|privacy-banner|privacy-notice",
    "comments": "comment|disqus|respond|reply|replies",
    "teaser": "related|recommend|teaser|read-next|readnext|more-from|more-stories|also-like|popular|trending|promo|"
    "latest",
    "share": "share|social|follow-us",
    "author": "author|byline|contributor|bio$",
    "form": "newsletter|subscri|sign-up|signup|login|search|contact-form",
    "navigation": "nav|menu|breadcrumb|pagination|pager|toc|table-of-contents|skip|tab$|tabs$",
    "footer": "footer|copyright|legal",
    "header": "header|masthead|top-bar|topbar",
    "aside": "sidebar|widget|aside|rail",
    "advertisement": "ad$|ads$|advert|sponsor|banner",
}
"""What names begin with; with a $ behind it, whole names."""
_END = r"(?:$|[\s_-])"
_NAMES = [
    (kind, patterns.Worded(words.replace("$", ""), rf"(?:^|[\s_-])(?:{words.replace('$', _END)})"))
    for kind, words in _WORDS.items()
]
_ONE_OF_A_KIND = frozenset(("navigation", "header", "footer", "consent", "share", "form", "repeat", "advertisement"))


class Group(NamedTuple):
    """Left-out blocks. `n` is what with_groups takes to add them back."""

    n: int
    kind: str
    """navigation, header, footer, aside, teaser, comments, author, share, form, consent, advertisement, repeat (a copy
    of a region that is kept), hidden or text."""
    words: int
    begins: str
    blocks: tuple[int, ...]
    """Numbers of the page's blocks, in order."""


def groups(page: Page, kept: Sequence[bool], hidden: Collection[Element] = ()) -> tuple[Group, ...]:
    """The groups in the order in which they begin on the page, numbered from 1; the hidden one is the last."""
    found = () if all(kept) else _groups(page, kept)
    words = words_in(hidden)
    return (*found, Group(len(found) + 1, HIDDEN, words, _NOT_SHOWN, ())) if words else found


def with_groups(
    page: Page, kept: list[bool], hidden: set[Element], found: Sequence[Group], wanted: Sequence[int]
) -> tuple[Page, list[bool], set[Element]]:
    """The page, what is kept of it and what it hides, once some groups are added. Raises InvalidArgument."""
    unknown = [n for n in wanted if not 1 <= n <= len(found)]
    if unknown:
        raise InvalidArgument(
            f"there is no left-out group {unknown[0]}",
            hint=f"Groups are numbered from 1 to {len(found)}; left_out lists them." if found else "All is kept.",
        )
    kept = kept[:]
    for n in wanted:
        for i in found[n - 1].blocks:
            kept[i] = True
    if not any(found[n - 1].kind == HIDDEN for n in wanted):
        return page, kept, hidden
    whole = blocks.cut(page.element[0], hidden, hidden)
    flags = {node: is_kept for block, is_kept in zip(page.blocks, kept) for node in block.nodes}
    return whole, [any(flags.get(node, block.hidden) for node in block.nodes) for block in whole.blocks], set()


def _groups(page: Page, kept: Sequence[bool]) -> tuple[Group, ...]:
    regions = _joined(list(_regions(page, kept)), kept)
    found: dict[object, list[int]] = {}
    singles = [region for region in regions if region[0] not in _ONE_OF_A_KIND]
    room = MOST_GROUPS - len({kind for kind, _ in regions})
    large = sorted(singles, key=lambda region: -sum(page.blocks[i].words for i in region[1]))[: max(0, room)]
    alone = {region[1][0] for region in large}
    kinds: dict[object, str] = {}
    for kind, numbers in regions:
        key: object = numbers[0] if numbers[0] in alone else kind
        kinds[key] = kind
        found.setdefault(key, []).extend(numbers)
    ordered = sorted(found.items(), key=lambda entry: entry[1][0])
    return tuple(
        Group(n, kinds[key], sum(page.blocks[i].words for i in numbers), _begins(page, numbers), tuple(sorted(numbers)))
        for n, (key, numbers) in enumerate(ordered, 1)
    )


def _begins(page: Page, numbers: list[int]) -> str:
    text = " ".join(page.blocks[i].text[:MOST_BEGINS] for i in numbers[:10])
    data = text.encode("utf-8", "replace")
    return text if len(data) <= MOST_BEGINS else data[: MOST_BEGINS - 3].decode("utf-8", "ignore").rstrip() + "\u2026"


def _regions(page: Page, kept: Sequence[bool]) -> Iterator[tuple[str, list[int]]]:
    """(kind, blocks) of the widest containers without a kept block whose kind is known, and of blocks without such."""
    totals = [0, *accumulate(kept)]
    words = page.words
    links = page.links
    is_copy = copies.find(page)
    done = [bool(flag) for flag in kept]
    for i, flag in enumerate(is_copy):
        if flag and not done[i]:
            done[i] = True
            yield "repeat", [i]
    parts = _Parts(page)
    for i, element in enumerate(page.element):
        first, last = page.first[i], page.last[i]
        if first == last or totals[last] > totals[first] or done[first]:
            continue
        kind = _kind(element)
        if not kind and (parts.has_named(i) or (words[last] - words[first] > _SPLIT_WORDS and parts.has_any(i))):
            continue  # its parts are asked
        numbers = [k for k in range(first, last) if not done[k]]
        done[first:last] = [True] * (last - first)
        is_linked = links[last] - links[first] > _LINKED * (words[last] - words[first])
        yield kind or ("navigation" if is_linked else "text"), numbers
    for i, flag in enumerate(done):
        if not flag:
            block = page.blocks[i]
            yield ("navigation" if block.link_words > _LINKED * block.words else "text"), [i]


class _Parts:
    """What the containers with text hold that are asked about, one behind the other: each is looked at once."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._named = self._seen = -1  # the last one found whose kind is known, and how far they were looked at

    def has_any(self, i: int) -> bool:
        """Whether there are containers with text in it."""
        first, last = self.page.first, self.page.last
        at = i + 1
        while at < len(first) and first[at] == last[at] < last[i]:
            at += 1
        return at < len(first) and first[at] < last[i]

    def has_named(self, i: int) -> bool:
        """Whether there are some whose kind is known."""
        first, last = self.page.first, self.page.last
        at = max(self._seen, i) + 1 if self._named <= i else self._named
        while at < len(first) and first[at] < last[i]:
            if at == self._named or (first[at] < last[at] and _is_named(self.page.element[at])):
                self._named = self._seen = at
                return True
            at += 1
        self._seen = max(self._seen, at - 1)
        return False


def _is_named(element: Element) -> bool:
    """Whether its kind is known whatever it is in: a card has a header and a footer of its own."""
    attrs = element.attrs
    if "role" in attrs or (element.tag in _TAGS and element.tag not in ("header", "footer")):
        return True
    return bool(attrs) and _kinds_named[_names_of(attrs)][1]


def _joined(regions: list[tuple[str, list[int]]], kept: Sequence[bool]) -> list[tuple[str, list[int]]]:
    """Regions of one kind between which nothing is kept made one."""
    totals = [0, *accumulate(kept)]
    found: list[tuple[str, list[int]]] = []
    for kind, numbers in sorted(regions, key=lambda region: region[1][0]):
        if found and found[-1][0] == kind and totals[found[-1][1][-1]] == totals[numbers[0]]:
            found[-1][1].extend(numbers)
        else:
            found.append((kind, numbers))
    return found


def _kind(element: Element) -> str:
    """The kind, or ""."""
    attrs = element.attrs
    kind = _ROLES.get(attrs["role"].strip().lower(), "") if "role" in attrs else ""
    return kind or (attrs and _kinds_named[_names_of(attrs)][0]) or _TAGS.get(element.tag, "")


def _names_of(attrs: dict[str, str]) -> str:
    names = attrs.get("class", "")
    return f"{names} {attrs['id']}" if "id" in attrs else names


def _kinds_by(names: str) -> tuple[str, bool]:
    """The kind that class and id tell, or "", and whether they tell another than a header's or a footer's."""
    names = names.strip()[:300].lower()  # ignoring case takes three times as long
    found = [kind for kind, one in _NAMES if one.may_be_in(names) and one.pattern.search(names)]
    return (found[0] if found else ""), not {"header", "footer"}.issuperset(found)


_kinds_named = Remembered(_kinds_by)  # pages repeat their class attributes
