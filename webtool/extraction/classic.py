"""Choose the main content by the classical scoring of Readability: points for containers, no learned model.

In: a cut page and two limits. Out: one flag a block. Paragraphs give points to the containers around them. The
container with most points, less its share of links, is the article (the top candidate), and siblings of its kind join
it. If too little text comes out, the rules are loosened step by step (_STEPS). Terms as in Arc90's and Mozilla's
Readability: candidate, score, link density, class weight. Containers are numbers; page.first and page.last have the
range of each container's blocks.
Tests: tests/extraction/test_classic.py
"""

from __future__ import annotations

from itertools import accumulate, islice

from webtool.extraction.page.blocks import Block, Page
from webtool.html.elements import role_of
from webtool.lean import patterns

CHAR_THRESHOLD = 500  # characters of text; with fewer the next, looser step is tried
MAX_TOP_CANDIDATES = 5  # best candidates that are compared to find an ancestor that several share
_SHARES = (1, 2, 6, 9, 12)  # a paragraph's points are divided by these for the containers around it, innermost first
_MIN_PARAGRAPH = 25  # characters; a shorter block gives no points
_MAX_BOX = 2000  # characters; a longer container in the text is not looked at as a box
_MAX_ANCESTORS = 200  # containers around a candidate that are looked at

_UNLIKELY = patterns.compile(
    r"(?i)-ad-|ai2html|banner|breadcrumb|combx|comment|community|cover-wrap|disqus|extra|footer|gdpr|header|legends|menu|"
    r"related|remark|replies|rss|shoutbox|sidebar|skyscraper|social|sponsor|supplemental|ad-break|agegate|pagination|"
    r"pager|popup|yom-remote|cookie|newsletter|subscribe"
)
# A container with one of these names is not left out, whatever else it is called: "comment-content".
_MAYBE = patterns.compile(r"(?i)and|article|body|column|content|main|shadow|post|entry|text")
# Names that content has, and names that it has not, for _class_weight(). A name may be in both.
_POSITIVE = patterns.compile(r"(?i)article|body|content|entry|hentry|h-entry|main|page|pagination|post|text|blog|story")
_NEGATIVE = patterns.compile(
    r"(?i)-ad-|hidden|banner|combx|comment|com-|contact|footer|gdpr|masthead|media|meta|outbrain|promo|related|scroll|share|"
    r"shoutbox|sidebar|skyscraper|sponsor|shopping|tags|widget"
)
_SENTENCE = patterns.compile(r"\.( |$)|[\u3002\uff0e\u0964\u06d4]")  # the last ones are full stops of other scripts
# Commas of all scripts: Latin, Arabic, Chinese, Japanese and others.
_COMMA = patterns.compile(r"[,\u060c\u3001\ufe10\ufe11\ufe50\ufe51\uff0c\uff64\u2e32\u2e34\u2e41\u055d\u1363\u1802]")
_NEVER_UNLIKELY = frozenset("html body article main a table td tr tbody".split())
_UNLIKELY_ROLES = frozenset(("menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog"))
_TAG_SCORES = {
    "div": 5,
    **dict.fromkeys(("pre", "td", "blockquote"), 3),
    **dict.fromkeys(("address", "ol", "ul", "dl", "dd", "dt", "li", "form"), -3),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6", "th"), -5),
}
_PARAGRAPHS = frozenset(("p", "td", "pre", "section", "h2", "h3", "h4", "h5", "h6", "div", "article", "blockquote"))
_CLEANED = frozenset(("form", "fieldset", "table", "ul", "ol", "div", "section", "aside", "footer", "nav", "button"))
_ALWAYS_CLEANED = frozenset(("aside", "footer", "nav", "button", "form"))
# (leave out unlikely containers, weigh class attributes, take boxes out of the text), from strict to loose.
_STEPS = ((True, True, True), (False, True, True), (False, False, True), (False, False, False))


def choose(
    page: Page, char_threshold: int = CHAR_THRESHOLD, max_top_candidates: int = MAX_TOP_CANDIDATES
) -> list[bool]:
    """Return which blocks to keep: the choice of the first step with char_threshold characters, else the longest."""
    best: list[bool] = [False] * len(page.blocks)
    longest = -1
    for step in _STEPS:
        keep = _Scoring(page, *step).keep(max(1, max_top_candidates))
        size = sum(len(block.text) for block, is_kept in zip(page.blocks, keep) if is_kept)
        if size >= char_threshold:
            return keep
        if size > longest:
            best, longest = keep, size
    return best


class _Scoring:
    """One step over the containers of a page."""

    def __init__(self, page: Page, strip_unlikely: bool, weigh_classes: bool, clean: bool) -> None:
        self.page = page
        self.weigh_classes = weigh_classes
        self.clean = clean
        self.names = [
            (element.attrs.get("class", "")[:300], element.attrs.get("id", "")[:300]) for element in page.element
        ]
        # By container: whether it is left out, because it or one around it is unlikely to be content.
        self.is_out = page.inside(strip_unlikely and self._is_unlikely(i) for i in range(len(page.element)))
        sizes = [0 if self.is_out[block.container] else len(block.text) for block in page.blocks]
        linked = [size * block.link_words // max(1, block.words) for size, block in zip(sizes, page.blocks)]
        self.chars = [0, *accumulate(sizes)]  # running total of characters over the blocks
        self.linked = [0, *accumulate(linked)]  # running total of characters in links

    def _is_unlikely(self, i: int) -> bool:
        """Return whether class, id or role say that a container is not content."""
        element, names = self.page.element[i], " ".join(self.names[i])
        if element.tag in _NEVER_UNLIKELY:
            return False
        has_unlikely_name = bool(_UNLIKELY.search(names) and not _MAYBE.search(names))
        return has_unlikely_name or role_of(element.attrs) in _UNLIKELY_ROLES

    def keep(self, max_top_candidates: int) -> list[bool]:
        """Return one flag a block: those of the top candidate and of the siblings that join it, without boxes."""
        page = self.page
        keep = [False] * len(page.blocks)
        scores = self._scores()
        if not scores:
            return keep
        joined = self._joined(self._top(scores, max_top_candidates), scores)
        for i in joined:
            keep[page.first[i] : page.last[i]] = [True] * (page.last[i] - page.first[i])
        if self.clean:
            self._drop_boxes(keep, joined)
        return [is_kept and not self.is_out[block.container] for is_kept, block in zip(keep, page.blocks)]

    def _drop_boxes(self, keep: list[bool], joined: list[int]) -> None:
        """Drop the boxes inside the joined containers."""
        page = self.page
        is_inside = page.inside(parent in joined for parent in page.parent)
        for i, element in enumerate(page.element):
            if is_inside[i] and element.tag in _CLEANED and self._is_box(i):
                keep[page.first[i] : page.last[i]] = [False] * (page.last[i] - page.first[i])

    def _scores(self) -> dict[int, float]:
        """Return points by container: those of the paragraphs inside, less the share of the container's links."""
        points: dict[int, float] = {}
        for block in self.page.blocks:
            i = block.container
            tag = self.page.element[i].tag
            if self.is_out[i] or len(block.text) < _MIN_PARAGRAPH or tag not in _PARAGRAPHS:
                continue
            # text directly in a div is a paragraph of that div
            up = i if tag in ("div", "section", "article") else self.page.parent[i]
            for share in _SHARES:
                if up < 0:
                    break
                start = _TAG_SCORES.get(self.page.element[up].tag, 0) + self._class_weight(up)
                points[up] = points.get(up, start) + _paragraph_points(block) / share
                up = self.page.parent[up]
        return {i: score * (1 - self._link_density(i)) for i, score in points.items()}

    def _class_weight(self, i: int) -> int:
        """Return 25 for each of class and id with a name that content has, -25 for each with one that it has not."""
        names = self.names[i] if self.weigh_classes else ()
        return sum(25 * bool(_POSITIVE.search(name)) - 25 * bool(_NEGATIVE.search(name)) for name in names)

    def _size(self, i: int) -> int:
        """Return the characters of a container."""
        return self.chars[self.page.last[i]] - self.chars[self.page.first[i]]

    def _link_density(self, i: int) -> float:
        """Return the share of a container's characters that are in links, 0 to 1."""
        linked = self.linked[self.page.last[i]] - self.linked[self.page.first[i]]
        return linked / self._size(i) if linked else 0.0

    def _top(self, scores: dict[int, float], count: int) -> int:
        """Return the top candidate: the best one, or an ancestor of it that three others of the `count` best share.

        If containers around it hold nothing else, the outermost of them is returned, so that its siblings may join.
        """
        page = self.page
        top, *others = sorted(scores, key=lambda i: (-scores[i], i))[:count]
        ancestors_of_rivals = [set(self._ancestors(i)) for i in others if scores[i] >= 0.75 * scores[top]]
        for up in self._ancestors(top):
            if page.element[up].tag != "body" and sum(up in ancestors for ancestors in ancestors_of_rivals) > 2:
                top = up
                break
        while (up := page.parent[top]) >= 0 and page.element[up].tag not in ("body", "html", "#document"):
            if (page.first[up], page.last[up]) != (page.first[top], page.last[top]):
                break
            top = up
        return top

    def _ancestors(self, i: int) -> list[int]:
        """Return the containers around a container, the nearest first."""
        return list(islice(self.page.around(i), 1, 1 + _MAX_ANCESTORS))

    def _joined(self, top: int, scores: dict[int, float]) -> list[int]:
        """Return the top candidate and the siblings that join it: by their score, or as a paragraph."""
        page = self.page
        min_score = max(10.0, scores.get(top, 0.0) * 0.2)
        parent = page.parent[top]
        joined = [top]
        if parent < 0:
            return joined
        for i in range(parent + 1, len(page.element)):
            if page.first[i] >= page.last[parent] and page.first[i] > page.first[parent]:
                break  # i is after the parent, not in it
            if page.parent[i] != parent or i == top:
                continue
            is_alike = any(self.names[i]) and self.names[i] == self.names[top]
            bonus = scores.get(top, 0.0) * 0.2 if is_alike else 0.0
            has_score = i in scores and scores[i] + bonus >= min_score
            if has_score or (page.element[i].tag == "p" and self._is_paragraph(i)):
                joined.append(i)
        return joined

    def _is_paragraph(self, i: int) -> bool:
        """Return whether a p element is text: long with few links, or short with a sentence and no link."""
        if self._size(i) > 80:
            return self._link_density(i) < 0.25
        blocks = self.page.blocks[self.page.first[i] : self.page.last[i]]
        return not self._link_density(i) and any(_SENTENCE.search(block.text) for block in blocks)

    def _is_box(self, i: int) -> bool:
        """Return whether a container in the text is a form, a list of links or another box."""
        tag = self.page.element[i].tag
        if tag in _ALWAYS_CLEANED:
            return True
        blocks = self.page.blocks[self.page.first[i] : self.page.last[i]]
        if not blocks or self._size(i) > _MAX_BOX:
            return False
        weight, density = self._class_weight(i), self._link_density(i)
        if weight < 0:
            return True
        if sum(len(_COMMA.findall(block.text)) for block in blocks) >= 10:
            return False
        tags = [self.page.element[block.container].tag for block in blocks]
        is_list = tag not in ("ul", "ol") and tags.count("li") > tags.count("p") and density > 0.33
        is_link_box = weight < 25 and density > 0.2 and len(blocks) > 1 and tag in ("div", "section")
        return is_list or is_link_box or density > 0.5


def _paragraph_points(block: Block) -> int:
    """Return the points of a paragraph: 1, one more for each comma, and up to 3 for its length."""
    return 1 + len(_COMMA.findall(block.text)) + min(len(block.text) // 100, 3)
