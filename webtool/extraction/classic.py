"""The classical scoring of Readability, by rules alone. In: a cut page, the thresholds. Out: which blocks to keep.

Paragraphs give points to the containers around them; the container with most points, less its share of links, is the
article, and siblings of its kind join it. When too little text comes out the rules are loosened step by step.
Terms: candidate, score, link density, class weight, as in Arc90's and Mozilla's Readability.
"""

from __future__ import annotations

from webtool.extraction.blocks import Page
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

CHAR_THRESHOLD = 500
MAX_TOP_CANDIDATES = 5
_LEVELS = 5
_LEAST_PARAGRAPH = 25

_UNLIKELY = patterns.compile(
    r"(?i)-ad-|ai2html|banner|breadcrumb|combx|comment|community|cover-wrap|disqus|extra|footer|gdpr|header|legends|menu|"
    r"related|remark|replies|rss|shoutbox|sidebar|skyscraper|social|sponsor|supplemental|ad-break|agegate|pagination|"
    r"pager|popup|yom-remote|cookie|newsletter|subscribe"
)
_MAYBE = patterns.compile(r"(?i)and|article|body|column|content|main|shadow|post|entry|text")
_POSITIVE = patterns.compile(r"(?i)article|body|content|entry|hentry|h-entry|main|page|pagination|post|text|blog|story")
_NEGATIVE = patterns.compile(
    r"(?i)-ad-|hidden|banner|combx|comment|com-|contact|footer|gdpr|masthead|media|meta|outbrain|promo|related|scroll|share|"
    r"shoutbox|sidebar|skyscraper|sponsor|shopping|tags|widget"
)
_SENTENCE = patterns.compile(r"\.( |$)")
_UNLIKELY_ROLES = frozenset(("menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog"))
_TAG_SCORES = {
    **dict.fromkeys(("div",), 5),
    **dict.fromkeys(("pre", "td", "blockquote"), 3),
    **dict.fromkeys(("address", "ol", "ul", "dl", "dd", "dt", "li", "form"), -3),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6", "th"), -5),
}
_PARAGRAPHS = frozenset(("p", "td", "pre", "section", "h2", "h3", "h4", "h5", "h6", "div", "article", "blockquote"))
_CLEANED = frozenset(("form", "fieldset", "table", "ul", "ol", "div", "section", "aside", "footer", "nav", "button"))
_ALWAYS_CLEANED = frozenset(("aside", "footer", "nav", "button", "form"))


class _Rules(NamedTuple):
    strip_unlikely: bool
    weigh_classes: bool
    clean: bool


_STEPS = (_Rules(True, True, True), _Rules(False, True, True), _Rules(False, False, True), _Rules(False, False, False))


def choose(
    page: Page, char_threshold: int = CHAR_THRESHOLD, max_top_candidates: int = MAX_TOP_CANDIDATES
) -> list[bool]:
    """Which blocks the rules keep: the first set of rules that gives char_threshold characters, else the longest."""
    best: list[bool] = [False] * len(page.blocks)
    longest = -1
    for rules in _STEPS:
        keep = _Scoring(page, rules).keep(max_top_candidates)
        size = sum(len(block.text) for block, is_kept in zip(page.blocks, keep) if is_kept)
        if size >= char_threshold:
            return keep
        if size > longest:
            best, longest = keep, size
    return best


class _Scoring:
    """One attempt over the containers of a page."""

    def __init__(self, page: Page, rules: _Rules) -> None:
        self.page = page
        self.rules = rules
        self.names = [
            f"{element.attrs.get('class', '')} {element.attrs.get('id', '')}"[:300] if element.attrs else ""
            for element in page.element
        ]
        self.out = self._unlikely() if rules.strip_unlikely else [False] * len(page.element)
        self.chars = [0]
        self.linked = [0]
        for block in page.blocks:
            size = 0 if self.out[block.container] else len(block.text)
            self.chars.append(self.chars[-1] + size)
            self.linked.append(self.linked[-1] + size * block.link_words // max(1, block.words))
        self.scores: dict[int, float] = {}

    def _unlikely(self) -> list[bool]:
        out: list[bool] = []
        for i, element in enumerate(self.page.element):
            parent = self.page.parent[i]
            names = self.names[i]
            is_out = (parent >= 0 and out[parent]) or (
                element.tag not in ("html", "body", "article", "main", "a", "table", "td", "tr", "tbody")
                and (
                    (bool(_UNLIKELY.search(names)) and not _MAYBE.search(names))
                    or element.attrs.get("role") in _UNLIKELY_ROLES
                )
            )
            out.append(is_out)
        return out

    def keep(self, max_top_candidates: int) -> list[bool]:
        """The blocks of the top candidate and of the siblings that join it."""
        keep = [False] * len(self.page.blocks)
        self._score()
        top = self._top(max(1, max_top_candidates))
        if top is None:
            return keep
        joined = self._joined(top)
        for i in joined:
            keep[self.page.first[i] : self.page.last[i]] = [True] * (self.page.last[i] - self.page.first[i])
        for i, block in enumerate(self.page.blocks):
            if self.out[block.container]:
                keep[i] = False
        if self.rules.clean:
            self._clean(keep, set(joined))
        return keep

    def _score(self) -> None:
        parents = self.page.parent
        for block in self.page.blocks:
            i = block.container
            size = len(block.text)
            if self.out[i] or size < _LEAST_PARAGRAPH or self.page.element[i].tag not in _PARAGRAPHS:
                continue
            points = 1 + block.text.count(",") + min(size // 100, 3)
            # a run of text directly in a div is a paragraph of that div
            up = i if self.page.element[i].tag in ("div", "section", "article") else parents[i]
            for level in range(_LEVELS):
                if up < 0:
                    break
                self.scores[up] = self.scores.get(up, self._initial(up)) + points / (1, 2, 6, 9, 12)[level]
                up = parents[up]
        for i, score in self.scores.items():
            self.scores[i] = score * (1 - self.link_density(i))

    def _initial(self, i: int) -> float:
        return _TAG_SCORES.get(self.page.element[i].tag, 0) + self.class_weight(i)

    def class_weight(self, i: int) -> int:
        """25 for names that content has, -25 for names that it has not."""
        if not self.rules.weigh_classes:
            return 0
        weight = 0
        for name in (self.page.element[i].attrs.get("class", "")[:300], self.page.element[i].attrs.get("id", "")[:300]):
            if name:
                weight += 25 * bool(_POSITIVE.search(name)) - 25 * bool(_NEGATIVE.search(name))
        return weight

    def link_density(self, i: int) -> float:
        """The share of the container's characters that are in links."""
        size = self.chars[self.page.last[i]] - self.chars[self.page.first[i]]
        return (self.linked[self.page.last[i]] - self.linked[self.page.first[i]]) / size if size else 0.0

    def _top(self, count: int) -> int | None:
        """The best candidate, or an ancestor that several of the best share."""
        if not self.scores:
            return None
        ranked = sorted(self.scores, key=lambda i: (-self.scores[i], i))[:count]
        top = ranked[0]
        rivals = [i for i in ranked[1:] if self.scores[i] >= 0.75 * self.scores[top]]
        chains = [set(self._ancestors(i)) for i in rivals]
        if len(rivals) >= 3:
            for up in self._ancestors(top):
                if self.page.element[up].tag != "body" and sum(up in chain for chain in chains) >= 3:
                    top = up
                    break
        return self._only_child_up(top)

    def _ancestors(self, i: int) -> list[int]:
        found: list[int] = []
        while (i := self.page.parent[i]) >= 0 and len(found) < 200:
            found.append(i)
        return found

    def _only_child_up(self, top: int) -> int:
        """A container around nothing but the candidate has the siblings that may join."""
        page = self.page
        while True:
            up = page.parent[top]
            if up < 0 or page.element[up].tag in ("body", "html", "#document"):
                return top
            if (page.first[up], page.last[up]) != (page.first[top], page.last[top]):
                return top
            top = up

    def _joined(self, top: int) -> list[int]:
        page = self.page
        threshold = max(10.0, self.scores.get(top, 0.0) * 0.2)
        parent = page.parent[top]
        joined = [top]
        if parent < 0:
            return joined
        for i in range(parent + 1, len(page.element)):
            if page.first[i] >= page.last[parent] and page.first[i] > page.first[parent]:
                break
            if page.parent[i] != parent or i == top:
                continue
            bonus = 0.0
            if self.names[i].strip() and self.names[i] == self.names[top]:
                bonus = self.scores.get(top, 0.0) * 0.2
            is_like = i in self.scores and self.scores[i] + bonus >= threshold
            if is_like or (page.element[i].tag == "p" and self._is_paragraph(i)):
                joined.append(i)
        return joined

    def _is_paragraph(self, i: int) -> bool:
        size = self.chars[self.page.last[i]] - self.chars[self.page.first[i]]
        density = self.link_density(i)
        if size > 80:
            return density < 0.25
        text = " ".join(block.text for block in self.page.blocks[self.page.first[i] : self.page.last[i]])
        return size > 0 and density == 0 and _SENTENCE.search(text) is not None

    def _clean(self, keep: list[bool], joined: set[int]) -> None:
        """Take out lists of links, forms and boxes inside what is kept."""
        page = self.page
        inside = [False] * len(page.element)
        for i, element in enumerate(page.element):
            parent = page.parent[i]
            inside[i] = parent >= 0 and (inside[parent] or parent in joined)
            first, last = page.first[i], page.last[i]
            if inside[i] and element.tag in _CLEANED and last > first and self._is_box(i):
                keep[first:last] = [False] * (last - first)

    def _is_box(self, i: int) -> bool:
        page = self.page
        tag = page.element[i].tag
        if tag in _ALWAYS_CLEANED:
            return True
        first, last = page.first[i], page.last[i]
        size = self.chars[last] - self.chars[first]
        if size > 2000:
            return False
        weight = self.class_weight(i)
        if weight < 0:
            return True
        blocks = page.blocks[first:last]
        if sum(block.text.count(",") for block in blocks) >= 10:
            return False
        density = self.link_density(i)
        tags = [page.element[block.container].tag for block in blocks]
        items, paragraphs = tags.count("li"), tags.count("p")
        return (
            (tag not in ("ul", "ol") and items > paragraphs and density > 0.33)
            or (weight < 25 and density > 0.2 and last - first > 1 and tag in ("div", "section"))
            or density > 0.5
        )
