"""The classical scoring of Readability, by rules alone. In: a cut page, the thresholds. Out: which blocks to keep.

Paragraphs give points to the containers around them; the container with most points, less its share of links, is the
article, and siblings of its kind join it. When too little text comes out the rules are loosened step by step.
Terms: candidate, score, link density, class weight, as in Arc90's and Mozilla's Readability.
"""

from __future__ import annotations

from itertools import accumulate, islice

from webtool.extraction.page.blocks import Page
from webtool.lean import patterns

CHAR_THRESHOLD = 500
MAX_TOP_CANDIDATES = 5
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
_NEVER_UNLIKELY = frozenset("html body article main a table td tr tbody".split())
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
_STEPS = ((True, True, True), (False, True, True), (False, False, True), (False, False, False))
"""Whether unlikely containers are left out, class attributes weigh, and boxes in the text are taken out."""


def choose(
    page: Page, char_threshold: int = CHAR_THRESHOLD, max_top_candidates: int = MAX_TOP_CANDIDATES
) -> list[bool]:
    """Which blocks the rules keep: the first set of rules that gives char_threshold characters, else the longest."""
    best: list[bool] = [False] * len(page.blocks)
    longest = -1
    for rules in _STEPS:
        keep = _Scoring(page, *rules).keep(max(1, max_top_candidates))
        size = sum(len(block.text) for block, is_kept in zip(page.blocks, keep) if is_kept)
        if size >= char_threshold:
            return keep
        if size > longest:
            best, longest = keep, size
    return best


class _Scoring:
    """One attempt over the containers of a page."""

    def __init__(self, page: Page, strip_unlikely: bool, weigh_classes: bool, clean: bool) -> None:
        self.page = page
        self.weigh_classes = weigh_classes
        self.clean = clean
        self.names = [
            (element.attrs.get("class", "")[:300], element.attrs.get("id", "")[:300]) for element in page.element
        ]
        self.out: list[bool] = []
        for i, parent in enumerate(page.parent):
            self.out.append(strip_unlikely and ((parent >= 0 and self.out[parent]) or self._is_unlikely(i)))
        sizes = [0 if self.out[block.container] else len(block.text) for block in page.blocks]
        self.chars = [0, *accumulate(sizes)]
        linked = (size * block.link_words // max(1, block.words) for size, block in zip(sizes, page.blocks))
        self.linked = [0, *accumulate(linked)]

    def _is_unlikely(self, i: int) -> bool:
        element, names = self.page.element[i], " ".join(self.names[i])
        if element.tag in _NEVER_UNLIKELY:
            return False
        return (
            bool(_UNLIKELY.search(names) and not _MAYBE.search(names)) or element.attrs.get("role") in _UNLIKELY_ROLES
        )

    def keep(self, max_top_candidates: int) -> list[bool]:
        """The blocks of the top candidate and of the siblings that join it."""
        page = self.page
        keep = [False] * len(page.blocks)
        scores = self._scores()
        if not scores:
            return keep
        joined = self._joined(self._top(scores, max_top_candidates), scores)
        for i in joined:
            keep[page.first[i] : page.last[i]] = [True] * (page.last[i] - page.first[i])
        inside = [False] * len(page.element)
        for i, parent in enumerate(page.parent if self.clean else ()):
            inside[i] = parent >= 0 and (inside[parent] or parent in joined)
            if inside[i] and page.element[i].tag in _CLEANED and self._is_box(i):
                keep[page.first[i] : page.last[i]] = [False] * (page.last[i] - page.first[i])
        return [is_kept and not self.out[block.container] for is_kept, block in zip(keep, page.blocks)]

    def _scores(self) -> dict[int, float]:
        """Points of the containers around paragraphs: fewer the further out, less by the share of links."""
        found: dict[int, float] = {}
        for block in self.page.blocks:
            i = block.container
            tag = self.page.element[i].tag
            if self.out[i] or len(block.text) < _LEAST_PARAGRAPH or tag not in _PARAGRAPHS:
                continue
            points = 1 + block.text.count(",") + min(len(block.text) // 100, 3)
            # a run of text directly in a div is a paragraph of that div
            up = i if tag in ("div", "section", "article") else self.page.parent[i]
            for share in (1, 2, 6, 9, 12):
                if up < 0:
                    break
                start = _TAG_SCORES.get(self.page.element[up].tag, 0) + self._class_weight(up)
                found[up] = found.get(up, start) + points / share
                up = self.page.parent[up]
        return {i: score * (1 - self._link_density(i)) for i, score in found.items()}

    def _class_weight(self, i: int) -> int:
        """25 for names that content has, -25 for names that it has not."""
        names = self.names[i] if self.weigh_classes else ()
        return sum(25 * bool(_POSITIVE.search(name)) - 25 * bool(_NEGATIVE.search(name)) for name in names)

    def _size(self, i: int) -> int:
        return self.chars[self.page.last[i]] - self.chars[self.page.first[i]]

    def _link_density(self, i: int) -> float:
        """The share of the container's characters that are in links."""
        linked = self.linked[self.page.last[i]] - self.linked[self.page.first[i]]
        return linked / self._size(i) if linked else 0.0

    def _top(self, scores: dict[int, float], count: int) -> int:
        """The best candidate, or an ancestor that three of the best share; of containers around nothing but it the
        outermost, whose siblings may join."""
        page = self.page
        top, *others = sorted(scores, key=lambda i: (-scores[i], i))[:count]
        rivals = [set(self._ancestors(i)) for i in others if scores[i] >= 0.75 * scores[top]]
        around = [up for up in self._ancestors(top) if page.element[up].tag != "body"]
        top = next((up for up in around if sum(up in chain for chain in rivals) > 2), top)
        while (up := page.parent[top]) >= 0 and page.element[up].tag not in ("body", "html", "#document"):
            if (page.first[up], page.last[up]) != (page.first[top], page.last[top]):
                break
            top = up
        return top

    def _ancestors(self, i: int) -> list[int]:
        """The containers around one, the nearest first."""
        return list(islice(self.page.around(i), 1, 201))

    def _joined(self, top: int, scores: dict[int, float]) -> list[int]:
        page = self.page
        threshold = max(10.0, scores.get(top, 0.0) * 0.2)
        parent = page.parent[top]
        joined = [top]
        for i in range(parent + 1, len(page.element)) if parent >= 0 else ():
            if page.first[i] >= page.last[parent] and page.first[i] > page.first[parent]:
                break
            if page.parent[i] != parent or i == top:
                continue
            is_alike = any(self.names[i]) and self.names[i] == self.names[top]
            bonus = scores.get(top, 0.0) * 0.2 if is_alike else 0.0
            if scores.get(i, -threshold) + bonus >= threshold or (page.element[i].tag == "p" and self._is_paragraph(i)):
                joined.append(i)
        return joined

    def _is_paragraph(self, i: int) -> bool:
        blocks = self.page.blocks[self.page.first[i] : self.page.last[i]]
        if self._size(i) > 80:
            return self._link_density(i) < 0.25
        return not self._link_density(i) and any(_SENTENCE.search(block.text) for block in blocks)

    def _is_box(self, i: int) -> bool:
        """Whether a container in the text is a form, a list of links or another box."""
        tag = self.page.element[i].tag
        weight, density = self._class_weight(i), self._link_density(i)
        blocks = self.page.blocks[self.page.first[i] : self.page.last[i]] if self._size(i) <= 2000 else []
        if tag in _ALWAYS_CLEANED or not blocks:
            return tag in _ALWAYS_CLEANED
        if weight < 0 or sum(block.text.count(",") for block in blocks) >= 10:
            return weight < 0
        tags = [self.page.element[block.container].tag for block in blocks]
        is_list = tag not in ("ul", "ol") and tags.count("li") > tags.count("p") and density > 0.33
        is_box = weight < 25 and density > 0.2 and len(blocks) > 1 and tag in ("div", "section")
        return is_list or is_box or density > 0.5
