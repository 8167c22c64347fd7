"""Tell the kind of a region: navigation, footer, comments, cards. In: an element, a range of blocks. Out: a word.

Group in receipt.py lists the kinds. kind_of() goes by role, class, id and tag of the region's element. What these do
not name, Shapes tells by its label, the tags in it and the likeness of its parts: `<h3>Read also</h3><div>..</div>` is
a teaser by its label; three equal `<div><h4>..</h4><p>..</p></div>` are cards. In each table the first kind that fits
counts.
Tests: tests/extraction/output/test_receipt.py
"""

from __future__ import annotations

from itertools import accumulate, islice

from webtool.extraction import labels
from webtool.extraction.page.blocks import Page
from webtool.extraction.rules import part_labels
from webtool.html.elements import role_of
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.memory import Remembered, cached

MAX_NAMES = 300  # characters of class and id that are read
_TAGS = {tag: tag for tag in ("aside", "footer", "header", "form")}
_TAGS |= {"nav": "navigation", "menu": "navigation", "dialog": "consent"}
_OF_CARDS = frozenset(("header", "footer"))  # a card or an article has these parts too, so they name no region inside
_ROLES = {
    "navigation": "navigation", "menu": "navigation", "menubar": "navigation", "complementary": "aside",
    "contentinfo": "footer", "banner": "header", "search": "form", "form": "form", "dialog": "consent",
    "alertdialog": "consent",
}  # fmt: skip
# By kind, the beginnings of parts of class names and ids: "nav" is in "nav", "main-nav" and "navbar", not in "canvas".
# With a $ it is a whole part: "bio$" is in "bio" and "author-bio", not in "biology".
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
_END = r"(?:$|[\s_-])"
_Kinds = list[tuple[str, patterns.GuardedPattern]]


def _patterns(words_of: dict[str, str]) -> _Kinds:
    """Return each kind with a pattern for its words, which is tried only on text that has one of the plain words."""
    compiled: _Kinds = []
    for kind, words in words_of.items():
        plain_words, ends_marked = words.replace("$", ""), words.replace("$", _END)
        compiled.append((kind, patterns.GuardedPattern(plain_words, rf"(?:^|[\s_-])(?:{ends_marked})")))
    return compiled


_NAMES = _patterns(_WORDS)
_LAST_NAMES = _patterns(_LAST_WORDS)


def kind_of(element: Element) -> str:
    """Return the kind of an element by its role, its class and id, or its tag; else ""."""
    kind = _ROLES.get(role_of(element.attrs), "")
    return kind or next(iter(_kinds_named[_names_of(element)]), "") or _TAGS.get(element.tag, "")


def _last_kind_of(element: Element) -> str:
    """Return the kind by a word that is asked last, or ""."""
    return next(iter(_last_kinds[_names_of(element)]), "")


def is_named(element: Element) -> bool:
    """Return whether tag, role, class or id name a kind other than header and footer, which a card has too."""
    if role_of(element.attrs) in _ROLES or (element.tag in _TAGS and element.tag not in _OF_CARDS):
        return True
    return not _OF_CARDS.issuperset(_kinds_named[_names_of(element)])


def _names_of(element: Element) -> str:
    """Return class and id."""
    attrs = element.attrs
    names = f"{attrs.get('class', '')} {attrs['id']}" if "id" in attrs else attrs.get("class", "")
    return names.strip()[:MAX_NAMES]


def _kinds_in(lower: str, table: _Kinds) -> list[str]:
    """Return the kinds of a table with a word in class and id, given in lower case."""
    return [kind for kind, guarded in table if guarded.might_match(lower) and guarded.pattern.search(lower)]


# By class and id, which pages repeat. Ignoring case takes three times as long as lower().
_kinds_named = Remembered(lambda names: _kinds_in(names.lower(), _NAMES))
_last_kinds = Remembered(lambda names: _kinds_in(_CAPITAL.sub("-", names).lower(), _LAST_NAMES))


# For Shapes. A shape is the kind that a tag stands for: "list" for li.
_MAX_LINKED = 0.5  # share of linked words; a region of unknown kind with more is navigation
_MIN_SHAPE_SHARE = 0.6  # of a region's words; a shape with a smaller share is not that of the region
_MIN_CARDS = 3  # equal containers with several blocks each, side by side
_MAX_LABEL_WORDS = 10  # a longer block is not a label
_MAX_ASKING = 600  # characters of a region that are searched for a request
_MAX_AROUND = 12  # containers around a region whose class and id are read
_LABELLED = {"teaser": "teaser", "author": "author", "comments": "comments", "call": "form"}
_SHAPE_TAGS = {  # shape -> tags; of two that fit, the first counts
    "table": "td th tr caption",
    "facts": "dt dd dl",
    "quote": "blockquote",
    "form": "form fieldset legend button",
    "aside": "aside",
    "list": "li",
    "caption": "figcaption",
    "heading": "h1 h2 h3 h4 h5 h6",
    "code": "pre",
}
_SHAPE_NAMES = ("", *_SHAPE_TAGS)
_SHAPES = {tag: _SHAPE_NAMES.index(name) for name, tags in _SHAPE_TAGS.items() for tag in tags.split()}
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
# A longer block is not a label ("Moderator", "Loading...") and not an item of a list without tags:
# `<span>Gym</span> <span>Weights</span>`.
_MAX_ITEM_WORDS = 4
_MIN_ITEMS = 3  # equal items, side by side


class Shapes:
    """Answers what a region without a telling name is, by its label, its tags and the likeness of its parts."""

    def __init__(self, page: Page, kept_before: list[int]) -> None:
        self.page = page
        self._kept_before = kept_before  # by block: how many blocks before it are kept
        # The shape of each container, as a place in _SHAPE_NAMES: its own, else that of the container around it.
        code_of: list[int] = []
        for element, parent in zip(page.element, page.parent):
            own = _SHAPES.get(element.tag, 0)
            code_of.append(own or (code_of[parent] if parent >= 0 else 0))
        of_blocks = [code_of[block.container] for block in page.blocks]
        self._words = [  # of each shape that a block has, its name and a running total
            (_SHAPE_NAMES[code], [0, *accumulate([size * (code == own) for size, own in zip(page.sizes, of_blocks)])])
            for code in sorted({*of_blocks} - {0})
        ]
        boxes = page.consent or []  # found before, by the rule that drops them
        self._in_consent_boxes = {i for first, last in boxes for i in range(first, last)}

    @cached
    def _cards(self) -> dict[int, int]:
        """For each container with a row of cards in it the words of these cards."""
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
        """Return what a range of blocks is: navigation, consent, what its label says, its shape, "label" or "text"."""
        if self._is_linked(first, last):
            return "navigation"
        if first in self._in_consent_boxes:
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
        is_of_labels = all(block.words <= _MAX_ITEM_WORDS for block in self.page.blocks[first:last])
        return "label" if is_of_labels else "text"

    def _is_linked(self, first: int, last: int) -> bool:
        """Return whether most words of a range of blocks are in links."""
        links, words = self.page.links, self.page.words
        return links[last] - links[first] > _MAX_LINKED * (words[last] - words[first])

    def _kind_by_names(self, first: int, last: int) -> str:
        """Return the kind by class and id of a container that has most of the region's words, or "".

        Looked at are the first block's containers, from the innermost up to the region's own.
        """
        page = self.page
        words = page.words[last] - page.words[first]
        i = page.blocks[first].container
        while i >= 0 and first <= page.first[i] and page.last[i] <= last:
            own_words = page.words[page.last[i]] - page.words[page.first[i]]
            if own_words >= _MIN_SHAPE_SHARE * words and (kind := _last_kind_of(page.element[i])):
                return kind
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
        page, kept_before = self.page, self._kept_before
        for i in islice(page.around(page.blocks[first].container), _MAX_AROUND):
            begin, end = page.first[i], page.last[i]
            if kept_before[end] > kept_before[begin]:
                break
            if begin <= first and last <= end and (kind := _last_kind_of(page.element[i])):
                return kind
        return ""

    def _kind_by_likeness(self, first: int, last: int) -> str:
        """Return "list" for short blocks in equal elements, "teaser" for text that ends with a link, or ""."""
        page = self.page
        blocks = page.blocks[first:last]
        kinds = [page.kinds[block.container] for block in blocks if block.words <= _MAX_ITEM_WORDS]
        if len(kinds) >= _MIN_ITEMS:
            # A kind that most blocks have is as a rule that of one of the first three.
            most_alike = max(map(kinds.count, kinds[:_MIN_ITEMS]))
            if most_alike >= _MIN_SHAPE_SHARE * len(blocks):
                return "list"
        final = blocks[-1]
        is_link = 0 < final.words == final.link_words <= _MAX_LABEL_WORDS
        return "teaser" if len(blocks) > 1 and is_link else ""

    def _shape(self, first: int, last: int) -> str:
        """Return the first shape that most words of a range of blocks have, or ""."""
        words = self.page.words[last] - self.page.words[first]
        for name, totals in self._words:
            # A heading with text below it is a card or an article.
            share = 1 if name == "heading" else _MIN_SHAPE_SHARE
            if totals[last] - totals[first] >= max(share * words, 1):
                return name
        return ""
