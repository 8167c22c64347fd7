"""List what was left out. In: a cut page and which blocks are kept. Out: groups of left-out blocks.

Each block that is not kept is in one group. Hidden text is in the last group, of which only the number of words is
shown. A region is a container of known kind without a kept block, the widest such. The kind is read from its element,
its class and id, or, without these, from its share of links, its label and its shape. A group is one region, or all
regions of a kind. `<h3>Read also</h3><div>..</div>` is a teaser by its label; three equal
`<div><h4>..</h4><p>..</p></div>` are cards by their shape.

There are at most MAX_GROUPS besides the hidden one, so that the list costs an agent fewer than 300 tokens. If there are
more, the regions with the fewest words join the others of their kind.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate, islice

from webtool.errors import InvalidArgument
from webtool.extraction import labels
from webtool.extraction.page import cutting
from webtool.extraction.page.blocks import Page
from webtool.extraction.rules import copies, part_labels
from webtool.html.elements import role_of
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.memory import Remembered
from webtool.lean.records import NamedTuple
from webtool.visibility.text_lengths import words_in

MAX_GROUPS = 11  # besides the hidden one
HIDDEN = "hidden"  # the kind of the group of hidden text
_NOT_SHOWN = "(not shown)"
MAX_BEGINS = 33  # bytes in UTF-8 of a group's first words
MAX_NAMES = 300  # characters of class and id that are read
_MAX_WHOLE = 40  # words; a longer region of unknown kind is divided into the containers inside it
_MAX_LINKED = 0.5  # share of linked words; a region of unknown kind with more is navigation

_MIN_SHAPE_SHARE = 0.6  # of a region's words; from here on a shape is that of the region
_MIN_CARDS = 3  # equal containers with several blocks each, side by side
_MAX_LABEL_WORDS = 10  # a longer block is not a label
_MAX_ASKING = 600  # characters of a region that are searched for a request
_MAX_AROUND = 12  # containers around a region whose class and id are read
_LABELLED = {"teaser": "teaser", "author": "author", "comments": "comments", "call": "form"}
_SHAPE_NAMES = ("", "table", "facts", "quote", "form", "aside", "list", "caption", "heading", "code")
_SHAPE_TAGS = {
    "table": "td th tr caption",
    "facts": "dt dd dl",
    "quote": "blockquote",
    "form": "form fieldset legend button",
}
_SHAPE_TAGS |= {"aside": "aside", "list": "li", "caption": "figcaption", "heading": "h1 h2 h3 h4 h5 h6"}
_SHAPE_TAGS["code"] = "pre"
_SHAPES = {tag: _SHAPE_NAMES.index(name) for name, tags in _SHAPE_TAGS.items() for tag in tags.split()}

_TAGS = {tag: tag for tag in ("aside", "footer", "header", "form")}
_TAGS |= {"nav": "navigation", "menu": "navigation", "dialog": "consent"}
_KINDS = {
    "navigation": "navigation menu menubar", "aside": "complementary", "footer": "contentinfo", "header": "banner",
    "form": "search form", "consent": "dialog alertdialog",
}  # fmt: skip
_ROLES = {role: kind for kind, roles in _KINDS.items() for role in roles.split()}
# By kind, words that class and id attributes of its regions begin with; with a $ after them, whole names.
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
# The words that are asked last, for a region that nothing else names: `<div class="review-card_heading">`. A container
# around it that has no kept block may have them too.
_LAST_WORDS = {
    "reviews": "review|testimonial|rating",
    "faq": "faq",
    "disclaimer": "disclos|disclaim|affiliate",
    "cards": "card|tile|item$",
    "form": "filter|sort|button|btn|cta|modal|popup|paywall|optin|sign|form$|inquiry|cart$|overlay|drawer|dropdown"
    "|select$|toolbar|thank-you",
    "caption": "caption|credit",
    "facts": "meta|date|time|price|badge|tags|tag$|stats|label$|eyebrow",
    "header": "tagline|strapline|site-title|site-description|branding",
    "aside": "sticky|notice|alert|bulletin|announcement|message-bar|callout|note$|notes$",
}
_CAPITAL = patterns.compile(r"(?<=[a-z])(?=[A-Z])")  # where a word begins in "headerStrapline"
# "By Ann Lee", "Written by", "Autor: Ann Lee": a line that begins so and goes on with a capital, if it goes on.
_BYLINE = patterns.compile(
    rf"\W{{0,3}}(?i:(?:(?:{labels.any_of('written')})\s+)?(?:{labels.any_of('by')})|{labels.any_of('author_line')})"
    r"\b[\s:|]*(?:[^\W\d_a-z]|$)"
)
# What sites must say of links that they earn with, or of advice: "As an Amazon Associate I earn a commission".
_DISCLOSURE = patterns.GuardedPattern(
    "affiliate|commission|qualifying|disclos|disclaim",
    r"\baffiliate|\bcommissions?\b|qualifying purchases|^\W*(?:disclos|disclaim)",
)
_WORD = patterns.compile(r"[^\W\d_]{2}|\d")  # what a text of signs alone lacks
_MAX_ITEM_WORDS = 4  # a longer block is not an item of a list without tags: `<span>Gym</span> <span>Weights</span>`
_MIN_ITEMS = 3  # equal items, side by side
_END = r"(?:$|[\s_-])"
_Kinds = list[tuple[str, patterns.GuardedPattern]]


def _patterns(words_of: dict[str, str]) -> _Kinds:
    """Return each kind with a pattern for its words."""
    return [
        (kind, patterns.GuardedPattern(words.replace("$", ""), rf"(?:^|[\s_-])(?:{words.replace('$', _END)})"))
        for kind, words in words_of.items()
    ]


_NAMES = _patterns(_WORDS)
_LAST_NAMES = _patterns(_LAST_WORDS)
# Kinds whose regions are one group: nobody asks for the second of two menus.
_ONE_GROUP_KINDS = frozenset(
    ("navigation", "header", "footer", "consent", "share", "form", "repeat", "advertisement", "sign")
)


class Group(NamedTuple):
    """Left-out blocks.

    n       the number that with_groups() takes to add them back, from 1 on
    kind    navigation, header, footer, aside, teaser (leads to another page), comments, author, share, form, consent,
            advertisement, repeat (a copy of a kept region), cards (of other items), list, table, facts (terms with
            values, dates, prices), quote, caption, heading, code, reviews, faq, disclaimer, sign (icons and marks
            without a word), other (small parts of several kinds), hidden or text
    words   the number of words
    begins  the first words
    blocks  the numbers of the page's blocks, ascending
    """

    n: int
    kind: str
    words: int
    begins: str
    blocks: tuple[int, ...]


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
        raise InvalidArgument(
            f"unknown left-out group {unknown[0]}",
            hint=f"Groups are numbered from 1 to {len(all_groups)}; left_out lists them."
            if all_groups
            else "All is kept.",
        )
    kept = kept[:]
    for n in numbers:
        for i in all_groups[n - 1].blocks:
            kept[i] = True
    if not any(all_groups[n - 1].kind == HIDDEN for n in numbers):
        return page, kept, hidden
    whole = cutting.cut(page.element[0], hidden, hidden)
    flags = {node: is_kept for block, is_kept in zip(page.blocks, kept) for node in block.nodes}
    return whole, [any(flags.get(node, block.hidden) for node in block.nodes) for block in whole.blocks], set()


def _groups(page: Page, kept: Sequence[bool]) -> tuple[Group, ...]:
    """Return the groups of blocks that are not hidden; the largest regions have a group of their own."""
    regions = _with_few_kinds(page, _neighbours_joined(list(_regions(page, kept)), kept))
    blocks_of: dict[object, list[int]] = {}  # by a kind, or the first block of a region with a group of its own
    singles = [region for region in regions if region[0] not in _ONE_GROUP_KINDS]
    room = MAX_GROUPS - len({kind for kind, _ in regions})
    large = sorted(singles, key=lambda region: -sum(page.blocks[i].words for i in region[1]))[:room]
    alone = {region[1][0] for region in large}
    kinds: dict[object, str] = {}
    for kind, numbers in regions:
        key: object = numbers[0] if numbers[0] in alone else kind
        kinds[key] = kind
        blocks_of.setdefault(key, []).extend(numbers)
    ordered = sorted(blocks_of.items(), key=lambda entry: entry[1][0])
    return tuple(
        Group(n, kinds[key], sum(page.blocks[i].words for i in numbers), _begins(page, numbers), tuple(sorted(numbers)))
        for n, (key, numbers) in enumerate(ordered, 1)
    )


def _with_few_kinds(page: Page, regions: list[tuple[str, list[int]]]) -> list[tuple[str, list[int]]]:
    """Return the regions with at most MAX_GROUPS kinds: those with the fewest words become "other"."""
    words_of: dict[str, int] = {}
    for kind, numbers in regions:
        words_of[kind] = words_of.get(kind, 0) + sum(page.blocks[i].words for i in numbers)
    if len(words_of) <= MAX_GROUPS:
        return regions
    large = sorted(words_of, key=lambda kind: -words_of[kind])[: MAX_GROUPS - 1]
    return [(kind if kind in large else "other", numbers) for kind, numbers in regions]


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


def _regions(page: Page, kept: Sequence[bool]) -> Iterator[tuple[str, list[int]]]:
    """Yield (kind, blocks) of each region, and of each block that is left out and in no region."""
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
    shapes = _Shapes(page, totals)
    end = 0  # of the last region; a container that begins before it is inside
    for i, element in enumerate(page.element):
        first, last = page.first[i], page.last[i]
        if first == last or totals[last] > totals[first] or first < end:
            continue
        kind = _kind(element)
        is_large = words[last] - words[first] > _MAX_WHOLE
        if not kind and parts.has_named(i):
            continue  # the containers inside it come next
        if not kind and is_large:
            kind = shapes.kind_of_whole(i)
            if not kind and parts.has_any(i):
                continue
        end = last
        numbers = [k for k in range(first, last) if not done[k]]
        if not numbers:  # copies of kept regions alone
            continue
        done[first:last] = [True] * (last - first)
        is_linked = links[last] - links[first] > _MAX_LINKED * (words[last] - words[first])
        yield kind or ("navigation" if is_linked else shapes.kind(first, last)), numbers
    for i, flag in enumerate(done):
        if not flag:
            block = page.blocks[i]
            yield ("navigation" if block.link_words > _MAX_LINKED * block.words else shapes.kind(i, i + 1)), [i]


class _Shapes:
    """Answers what a region without a telling name is, by its label, its tags and the likeness of its parts."""

    def __init__(self, page: Page, totals: list[int]) -> None:
        self.page = page
        self._totals = totals  # of kept blocks
        code_of: list[int] = []  # of each container: the shape of the innermost element around that has one
        for element, parent in zip(page.element, page.parent):
            own = _SHAPES.get(element.tag, 0)
            code_of.append(own or (code_of[parent] if parent >= 0 else 0))
        of_blocks = [code_of[block.container] for block in page.blocks]
        self._words = [  # of each shape, a running total
            [0, *accumulate([size * (code == own) for size, own in zip(page.sizes, of_blocks)])]
            for code in range(len(_SHAPE_NAMES))
        ]
        self._cards = self._words_in_cards()
        consent = page.consent or []
        self._consent = {i for first, last in consent for i in range(first, last)}

    def _words_in_cards(self) -> dict[int, int]:
        """Return for each container with a row of cards in it the words of these cards."""
        page = self.page
        rows: dict[tuple[int, int], tuple[int, int]] = {}  # (parent, tag and class) -> items, words
        for key, first, last in zip(zip(page.parent, page.kinds), page.first, page.last):
            if last - first > 1:
                count, words = rows.get(key, (0, 0))
                rows[key] = count + 1, words + page.words[last] - page.words[first]
        cards: dict[int, int] = {}
        for (parent, _), (count, words) in rows.items():
            if count >= _MIN_CARDS:
                cards[parent] = max(words, cards.get(parent, 0))
        return cards

    def kind_of_whole(self, i: int) -> str:
        """Return the shape of a large container that is one thing, or "": cards, table, facts, quote, list."""
        first, last = self.page.first[i], self.page.last[i]
        words = self.page.words[last] - self.page.words[first]
        if self._cards.get(i, 0) >= _MIN_SHAPE_SHARE * words and not self._is_linked(first, last):
            return "cards"
        shape = self._shape(first, last)
        return "" if shape == "form" else shape

    def kind(self, first: int, last: int) -> str:
        """Return what a range of blocks is: consent, what its label says, its shape, or "text"."""
        if first in self._consent:
            return "consent"
        for i in (first, first - 1):
            block = self.page.blocks[max(i, 0)]
            if block.words <= _MAX_LABEL_WORDS and part_labels.LABEL[block.text]:
                return _LABELLED[part_labels.LABEL[block.text]]
        for kind_of in (
            self._shape, self._kind_of_lines, self._kind_by_names, self._kind_of_words, self._kind_around,
            self._kind_by_likeness,
        ):  # fmt: skip
            if kind := kind_of(first, last):
                return kind
        return "text"

    def _kind_by_names(self, first: int, last: int) -> str:
        """Return the kind by class and id of a container inside that has most of the region's words, or ""."""
        page = self.page
        words = page.words[last] - page.words[first]
        i = page.blocks[first].container
        while i >= 0 and first <= page.first[i] and page.last[i] <= last:
            if page.words[page.last[i]] - page.words[page.first[i]] >= _MIN_SHAPE_SHARE * words:
                kinds = _last_kinds_named[_names_of(page.element[i].attrs)]
                if kinds:
                    return kinds[0]
            i = page.parent[i]
        return ""

    def _kind_of_lines(self, first: int, last: int) -> str:
        """Return "facts" for short lines with a figure (a date, a price), "share" for buttons, or ""."""
        blocks = self.page.blocks[first:last]
        if any(block.words > _MAX_LABEL_WORDS for block in blocks):
            return ""
        with_figure = sum([block.words for block in blocks if any(map(str.isdigit, block.text))])
        words = self.page.words[last] - self.page.words[first]
        if with_figure >= _MIN_SHAPE_SHARE * words:
            return "facts"
        return "share" if all(part_labels.IS_SERVICE[block.text] for block in blocks) else ""

    def _kind_of_words(self, first: int, last: int) -> str:
        """Return the kind that the text itself tells: sign, caption, disclaimer, form, author, or ""."""
        texts = [block.text for block in self.page.blocks[first:last]]
        if not any(map(_WORD.search, texts)):
            return "sign"
        if all(len(text) <= part_labels.MAX_LINE and part_labels.CREDITED.search(text) for text in texts):
            return "caption"
        folded = part_labels.folded("\n".join(texts)[:_MAX_ASKING])
        if part_labels.DISCLAIMER.search(texts[0][: part_labels.MAX_DISCLAIMER]) or _DISCLOSURE.search(folded):
            return "disclaimer"
        if part_labels.ASKING.search(folded):
            return "form"
        is_byline = self.page.blocks[first].words <= _MAX_LABEL_WORDS and _BYLINE.match(texts[0])
        return "author" if is_byline else ""

    def _kind_around(self, first: int, last: int) -> str:
        """Return the kind by class and id of the nearest container around a region that has no kept block, or ""."""
        page, totals = self.page, self._totals
        for i in islice(page.around(page.blocks[first].container), _MAX_AROUND):
            begin, end = page.first[i], page.last[i]
            if totals[end] > totals[begin]:
                break
            if begin <= first and last <= end and (kinds := _last_kinds_named[_names_of(page.element[i].attrs)]):
                return kinds[0]
        return ""

    def _kind_by_likeness(self, first: int, last: int) -> str:
        """Return "list" for short blocks in equal elements, "teaser" for text that ends with a link, or ""."""
        page = self.page
        blocks = page.blocks[first:last]
        kinds = [page.kinds[block.container] for block in blocks if block.words <= _MAX_ITEM_WORDS]
        if len(kinds) >= _MIN_ITEMS and max(map(kinds.count, kinds[:_MIN_ITEMS])) >= _MIN_SHAPE_SHARE * len(blocks):
            return "list"
        end = blocks[-1]
        return "teaser" if len(blocks) > 1 and 0 < end.words == end.link_words <= _MAX_LABEL_WORDS else ""

    def _is_linked(self, first: int, last: int) -> bool:
        links, words = self.page.links, self.page.words
        return links[last] - links[first] > _MAX_LINKED * (words[last] - words[first])

    def _shape(self, first: int, last: int) -> str:
        words = self.page.words[last] - self.page.words[first]
        for name, totals in zip(_SHAPE_NAMES[1:], self._words[1:]):
            share = 1 if name == "heading" else _MIN_SHAPE_SHARE  # with some text it may be cards, or anything
            if totals[last] - totals[first] >= max(share * words, 1):
                return name
        return ""


class _Parts:
    """Answers what is inside containers with text. They are asked about in document order, and each is read once."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._named = -1  # the last container found whose kind is known
        self._seen = -1  # the last container that was read

    def has_any(self, i: int) -> bool:
        """Return whether container i has containers with text inside."""
        first, last = self.page.first, self.page.last
        at = i + 1
        while at < len(first) and first[at] == last[at] < last[i]:
            at += 1
        return at < len(first) and first[at] < last[i]

    def has_named(self, i: int) -> bool:
        """Return whether container i has containers of known kind inside."""
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
    """Return whether an element's kind holds wherever it is. header and footer do not: a card has its own."""
    attrs = element.attrs
    if element.tag in _TAGS and element.tag not in ("header", "footer"):
        return True
    if role_of(attrs) in _ROLES:
        return True
    return bool(attrs) and _kinds_named[_names_of(attrs)][1]


def _neighbours_joined(regions: list[tuple[str, list[int]]], kept: Sequence[bool]) -> list[tuple[str, list[int]]]:
    """Join regions of one kind that have no kept block between them."""
    totals = [0, *accumulate(kept)]
    joined: list[tuple[str, list[int]]] = []
    for kind, numbers in sorted(regions, key=lambda region: region[1][0]):
        last_kind, last_numbers = joined[-1] if joined else ("", [])
        if joined and last_kind == kind and totals[last_numbers[-1]] == totals[numbers[0]]:
            last_numbers.extend(numbers)
        else:
            joined.append((kind, numbers))
    return joined


def _kind(element: Element) -> str:
    """Return the kind of an element by its role, its class and id, or its tag; else ""."""
    attrs = element.attrs
    kind = _ROLES.get(role_of(attrs), "")
    return kind or (attrs and _kinds_named[_names_of(attrs)][0]) or _TAGS.get(element.tag, "")


def _names_of(attrs: dict[str, str]) -> str:
    """Return class and id."""
    names = attrs.get("class", "")
    return f"{names} {attrs['id']}" if "id" in attrs else names


def _kinds_by(names: str) -> tuple[str, bool]:
    """Return the kind that class and id tell, or "", and whether they tell more than that it is a header or footer."""
    names = names.strip()[:MAX_NAMES].lower()  # ignoring case takes three times as long
    kinds = _kinds_in(names, _NAMES)
    return (kinds[0] if kinds else ""), not {"header", "footer"}.issuperset(kinds)


def _kinds_in(lower: str, table: _Kinds) -> list[str]:
    """Return the kinds of a table with a word in class and id, given in lower case."""
    return [kind for kind, guarded in table if guarded.might_match(lower) and guarded.pattern.search(lower)]


# Pages repeat their class attributes.
_kinds_named = Remembered(_kinds_by)
_last_kinds_named = Remembered(
    lambda names: _kinds_in(_CAPITAL.sub("-", names.strip()[:MAX_NAMES]).lower(), _LAST_NAMES)
)
