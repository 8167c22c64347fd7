"""What stands beside the one text of a page: other texts, and what a site says around each. In: a cut page, which
blocks are chosen. Out: the choice, changed in place.

Readers know these parts by what they are headed with ("Read also", "About the author", "12 comments"), by the box for
an address that they hold, and by being texts with a headline of their own below the one that the page is named after.
Each is dropped only below or in a text: a page that lists has no text that outweighs its teasers, and a page where
people discuss is its posts.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate, compress, islice

from webtool.extraction.page.blocks import Block, Page, is_sentence, takes_address
from webtool.extraction.rules import class_names, headlines, part_labels
from webtool.html.elements import HEADINGS
from webtool.html.node import Element, around, elements
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

LEAST_STORY = 50
"""Words in sentences that a page has at least that is one text."""
LEAST_BRIEF = 15
"""The same of a page that is named after its headline."""
MOST_SHARE = 0.4
"""The share of the kept words that such a part has at most."""
MOST_TEASERS = 0.6
"""The same of what is headed as links to other texts."""
LEAST_ABOVE, MOST_BELOW = 100, 0.9
"""Words in sentences below a headline, and the share of the kept words that such a part has at most behind them: what
follows a whole text may be much longer than it."""
LEAST_READ = 200
"""Words in sentences above what is called a comment."""
MOST_TABS = 12
"""Blocks that are not kept between a label and what is kept of its part: its tabs; MOST_BETWEEN elsewhere."""
MOST_BETWEEN = 2
MOST_LABEL = 10
MOST_CHARACTERS = 120
"""Words and characters of what such a part is headed with."""
MOST_OFTEN = 2
"""Times that the page says it: what is said oftener stands below each entry of a list."""
MOST_LAST = 5
"""Words of a heading that is none without what stands below it."""
MOST_INLINE = 40
"""Words of a line that leads to another text."""
MOST_AT_END = 20
"""Kept blocks from the last one on that may say whose opinion a text is."""
NEAR_BUTTON = 6
"""Blocks from where a box speaks of cookies to where they are accepted."""
MOST_CONSENT = 200
"""Words of such a box."""
_COOKIES = tuple("ookie COOKIE куки çerez クッキー 쿠키".split())
MOST_HEADINGS = 20  # of the first rank, that are looked at
_PAGES = frozenset(("html", "body", "main", "article"))
MOST_BOX = 60
"""Words of a box with a form."""
NEAR_FACTS = 8
"""Blocks between the headline and a list of facts at most."""
MOST_LINKED = 0.25
"""The share of their words that are links."""
LEAST_LABELS = 3
"""Labels of such facts where they are no list of terms."""
MOST_FACTS = 40
"""Blocks of such a list."""
MOST_BEFORE = 20
"""Blocks between the headline and the text at most: a lead, a picture, who wrote it and when."""
LEAST_LEAD, MOST_LEAD = 30, 40
"""Letters of a lead, at least, and those with which it begins."""
LEAST_AMENDMENT = 6
"""Words of what a text had wrong, at least; MOST_BOX at most."""
MOST_IN_FORM = 200  # elements of a form that are looked at
LEAST_NEXT = 60
"""Words in sentences of another text."""
_IS_LABEL = patterns.compile(r"(?i)(?:^|[\s_-])(?:label|term)(?:$|[\s_-])")
_OF_EVENT = patterns.compile(
    r"(?i)(?:^|[\s_-])(?:event|job|posting|vacancy)\w*?[_-]+"
    r"(?:meta|info|details?|schedule|dates?|time|location|venue|salary|pay|categor(?:y|ies))\b"
)
"""When and where something takes place, or somebody is to work."""
_STEPS_TO_LINK = 4  # from a text to the link that it is in
_CELLS = frozenset(("td", "th"))  # in a table of data a word is no button: Deel is a company, and "share" in Dutch
_LINKED = 0.5
_HEADLINE = 100_000
_INLINE = patterns.compile(r"(?s)(.{3,45}?)\s*[:\uff1a\u00bb\u203a|>\u2192\]\u3011]\s*\S")


class _Sums(NamedTuple):
    """Running totals over the blocks."""

    kept: list[int]
    words: list[int]
    links: list[int]
    story: list[int]
    """Of words in sentences."""
    heads: list[int]
    """Of headings, where a headline counts _HEADLINE times."""


def settle(page: Page, keep: list[bool], titles: Sequence[str], is_forum: bool, said: str = "") -> None:
    """All of it, linear in the size of the page but for the way up from a label."""
    blocks = page.blocks
    _drop_consent(page, keep)
    if not is_forum:
        _drop_readers(page, keep)
    kept = page.words_of(keep)
    story = page.words_of([is_kept and is_sentence(block) for block, is_kept in zip(blocks, keep)])
    tags = [page.element[block.container].tag for block in blocks]
    heads = [0, *accumulate([_HEADLINE if tag == "h1" else int(tag in HEADINGS) for tag in tags])]
    sums = _Sums(kept, page.words, page.links, story, heads)
    headline = headlines.titled(page, titles)
    _drop_boxes(page, keep, sums)
    if story[-1] < (LEAST_STORY if headline < 0 else LEAST_BRIEF):
        _drop_services(page, keep, tags)
        return
    if not is_forum:
        first = headlines.of_first_rank(page) if headline < 0 else [headline]
        _keep_facts(page, keep, sums, first[0] if len(first) == 1 else len(keep))
        _keep_values(page, keep)
    if headline >= 0 and not is_forum:
        _drop_next_texts(page, keep, sums, headline)
        _keep_lead(page, keep, headline, said)
    _drop_path(page, keep, sums)
    for i, block in enumerate(blocks):
        is_below = sums.story[i] >= LEAST_ABOVE and headline >= 0
        if block.words > MOST_INLINE or not (keep[i] or _is_beside(keep, i, MOST_TABS if is_below else MOST_BETWEEN)):
            continue
        if block.words <= MOST_LABEL and len(block.text) <= MOST_CHARACTERS:
            _drop_labelled(page, keep, sums, i, is_forum, MOST_BELOW if is_below else 0)
        if keep[i] and tags[i] not in _CELLS:
            label = part_labels.LABEL[_label_of_line(block)]
            is_tag = block.text[0] == "#" and block.link_words == block.words and headline >= 0
            keep[i] = not (is_tag or part_labels.IS_SERVICE[block.text] or label == "teaser")
    _drop_disclaimer(page, keep)
    _keep_amendments(page, keep)


def _drop_readers(page: Page, keep: list[bool]) -> None:
    """What is called a comment below a text of some length: a shorter one is what people discuss, and manuals comment
    in the midst of theirs."""
    if not class_names.OF_READERS.names.may_be_in(page.called()):
        return
    story = page.words_of([is_kept and is_sentence(block) for block, is_kept in zip(page.blocks, keep)])
    below = bisect_left(story, LEAST_READ)
    weights = [float(size * is_kept) for size, is_kept in zip(page.sizes, keep)]
    found = class_names.find(page, weights, class_names.OF_READERS, below - 1) if below < len(keep) else []
    if not found or found[0][0] < below:
        return
    outside = story[-1] - story[found[0][0]] - sum([story[last] - story[first] for first, last in found])
    for first, last in found if outside < LEAST_STORY else ():
        keep[first:last] = [False] * (last - first)


def _drop_path(page: Page, keep: list[bool], sums: _Sums) -> None:
    """Where the page is in its site, in lines before its first sentence."""
    for i in compress(range(bisect_right(sums.story, 0) - 1), keep):
        block = page.blocks[i]
        is_path = 4 * block.link_words > block.words and any(mark in block.text for mark in ">\u203a\u00bb")
        keep[i] = not (is_path and part_labels.PATH.fullmatch(block.text[:MOST_CHARACTERS]))


def _drop_disclaimer(page: Page, keep: list[bool]) -> None:
    """What a site says of a text at its end."""
    for i in islice(compress(range(len(keep) - 1, -1, -1), reversed(keep)), MOST_AT_END):
        text = page.blocks[i].text
        keep[i] = len(text) > part_labels.MAX_DISCLAIMER or not part_labels.DISCLAIMER.search(text)


def _keep_amendments(page: Page, keep: list[bool]) -> None:
    """What a text had wrong: in small type right below its end, or a sentence of it."""
    for i in [i for i, (this, following) in enumerate(zip(keep, keep[1:]), 1) if this and not following]:
        block = page.blocks[i]
        is_line = LEAST_AMENDMENT <= block.words <= MOST_BOX and 2 * block.link_words <= block.words
        keep[i] = is_line and bool(part_labels.AMENDED.search(block.text[:MOST_CHARACTERS]))


def _drop_consent(page: Page, keep: list[bool]) -> None:
    """A box that speaks of cookies and has a button to accept them: on some pages it is most of what is said."""
    said = "".join([block.text for block in page.blocks])
    named = [one for one in _COOKIES if one in said]
    asking = [i for i, block in enumerate(page.blocks) if named and keep[i] and any(one in block.text for one in named)]
    headings = headlines.of_first_rank(page) if asking else []
    for i in asking:
        following = page.blocks[i : i + NEAR_BUTTON]
        end = next((n for n, one in enumerate(following, i) if part_labels.ACCEPT.fullmatch(one.text.lower()[:60])), -1)
        box = next((at for at in page.around(page.blocks[i].container) if page.last[at] > end), 0)
        first, last = page.first[box], page.last[box]
        is_box = page.words[last] - page.words[first] <= MOST_CONSENT and page.element[box].tag not in _PAGES
        if end > 0 and is_box and not any(first <= at < last for at in headings[:MOST_HEADINGS]):
            keep[first:last] = [False] * (last - first)


def _drop_services(page: Page, keep: list[bool], tags: list[str]) -> None:
    """What is to be clicked, on a page without a text."""
    for i, block in enumerate(page.blocks):
        if keep[i] and block.words <= MOST_LABEL and tags[i] not in _CELLS:
            keep[i] = not part_labels.IS_SERVICE[block.text]


def _is_beside(keep: list[bool], i: int, most: int) -> bool:
    """Whether a block that is not kept stands before or after one that is: it may be the label of that."""
    return (i > 0 and keep[i - 1]) or any(keep[i + 1 : i + 2 + most])


def _label_of_line(block: Block) -> str:
    """What stands before a mark, or before the link, in a line that is mostly a link; the first text of one that is
    all of the line."""
    if block.link_words < _LINKED * block.words:
        return ""
    if match := _INLINE.match(block.text):
        return match[1]
    before = []
    for node in block.nodes:
        if any(element.tag == "a" for element in around(node, _STEPS_TO_LINK)):
            break
        before.append(node.text)
    before = before or [node.text for node in block.nodes[:1] if len(block.nodes) > 1 and block.links == 1]
    return " ".join("".join(before).split())[:MOST_CHARACTERS]


def _keep_facts(page: Page, keep: list[bool], sums: _Sums, headline: int) -> None:
    """Terms and what they say right below the headline: how long a dish takes, where a walk begins."""
    start, end = bisect_right(page.first, headline), bisect_right(page.first, headline + NEAR_FACTS)
    for element, first, last in zip(page.element[start:end], page.first[start:end], page.last[start:end]):
        if not 0 < last - first <= MOST_FACTS:
            continue
        words = sums.words[last] - sums.words[first]
        are_facts = element.tag == "dl" or (
            words <= MOST_BOX
            and (_labels(page, first, last) >= LEAST_LABELS or _OF_EVENT.search(element.attrs.get("class", "")[:200]))
        )
        if are_facts and sums.links[last] - sums.links[first] < MOST_LINKED * words:
            keep[first:last] = [True] * (last - first)


def _keep_values(page: Page, keep: list[bool]) -> None:
    """The number that a kept label stands before, alone with it in an element: a salary, a size."""
    for i in [i for i, (this, following) in enumerate(zip(keep, keep[1:])) if this and not following]:
        label, value = page.blocks[i : i + 2]
        if max(label.words, value.words) > MOST_LABEL or label.links or value.links:
            continue
        at = next((at for at in page.around(label.container) if page.last[at] > i + 1), 0)
        is_pair = page.first[at] == i and page.last[at] == i + 2 and page.element[at].tag not in _CELLS
        if is_pair and not headlines.rank(page, label.container) and any(map(str.isdigit, value.text)):
            keep[i + 1] = True


def drop_last_headings(page: Page, keep: list[bool], titles: Sequence[str]) -> None:
    """Headings at the end of the text of whose parts nothing is kept after all, below a headline."""
    last = []
    for i in compress(range(len(keep) - 1, -1, -1), reversed(keep)):
        block = page.blocks[i]
        if headlines.rank(page, block.container) < 2 or block.links or block.words > MOST_LAST:
            break
        last.append(i)
    if last and headlines.titled(page, titles) >= 0:
        for i in last:
            keep[i] = False


def _labels(page: Page, first: int, last: int) -> int:
    """How many of the blocks begin with what is called a label; none where there are buttons to click."""
    if any(page.element[block.container].tag == "button" for block in page.blocks[first:last]):
        return 0
    starts = [around(block.nodes[0], 1) for block in page.blocks[first:last]]
    return sum([bool(_IS_LABEL.search(element.attrs.get("class", "")[:200])) for [element] in starts])


def _keep_lead(page: Page, keep: list[bool], headline: int, said: str) -> None:
    """What stands between the headline and the text and is what the page says of itself, `said`, or its beginning."""
    said = headlines.letters(said)
    if len(said) < LEAST_LEAD:
        return
    end = headline + 1 + MOST_BEFORE
    for i, block in enumerate(page.blocks[headline + 1 : end], headline + 1):
        if keep[i] and is_sentence(block):
            return
        is_told = 4 * block.link_words < block.words and page.element[block.container].tag != "li"
        letters = headlines.letters(block.text) if is_told else ""
        if len(letters) >= LEAST_LEAD and (letters in said or letters[:MOST_LEAD] == said[:MOST_LEAD]):
            keep[i] = True


def _drop_next_texts(page: Page, keep: list[bool], sums: _Sums, headline: int) -> None:
    """Below the text that the page is named after: texts with a headline of the same rank in an element of its kind."""
    others = [i for i in headlines.of_first_rank(page) if i > headline]
    if not others:
        return
    kinds: dict[object, int] = {}
    at = page.blocks[headline].container
    while at > 0:
        if sums.story[page.last[at]] - sums.story[page.first[at]] >= LEAST_STORY:
            kinds.setdefault(_kind_of(page.element[at]), at)
        at = page.parent[at]
    kinds.pop("", None)
    heads = [0] * (len(page.blocks) + 1)
    for i in others:
        heads[i + 1] = 1
    heads = list(accumulate(heads))
    for element, first, last in zip(page.element, page.first, page.last):
        ours = kinds.get(_kind_of(element)) if first > headline and heads[last] > heads[first] else None
        if ours is None or first < page.last[ours] or sums.story[last] - sums.story[first] < LEAST_NEXT:
            continue
        keep[first:last] = [False] * (last - first)


def _kind_of(element: Element) -> str:
    """What an element calls itself that holds a whole text; "" where it does not say so."""
    attrs = element.attrs
    if element.tag == "article" or attrs.get("role") == "article":
        return "article"
    return attrs.get("itemtype", "").rpartition("/")[2] if "itemtype" in attrs else attrs.get("class", "")


def _drop_boxes(page: Page, keep: list[bool], sums: _Sums) -> None:
    """Forms in a text that take an address, with the few words around that ask for it; scripts need no form element."""
    asking = [i for i in page.tagged(("form",)) if _takes_address(page.element[i])]
    for i in asking + [i for i in page.fields if not any(page.element[at].tag == "form" for at in page.around(i))]:
        if page.last[i] - page.first[i] <= MOST_BOX:
            _drop_around(page, keep, sums, i)


def _drop_around(page: Page, keep: list[bool], sums: _Sums, i: int) -> None:
    """The widest container of few words, and of one heading at most, that a container is in."""
    most = min(MOST_BOX, MOST_SHARE * sums.kept[-1])
    box = -1
    while i >= 0:
        first, last = page.first[i], page.last[i]
        if sums.kept[last] - sums.kept[first] > most or sums.heads[last] - sums.heads[first] > 1:
            break
        box, i = i, page.parent[i]
    if box >= 0:
        keep[page.first[box] : page.last[box]] = [False] * (page.last[box] - page.first[box])


def _takes_address(form: Element) -> bool:
    """Whether a field for an e-mail address is in a form, one of the first elements."""
    return any(takes_address(one.attrs) for one in islice(elements(form), MOST_IN_FORM) if one.tag == "input")


def _drop_labelled(page: Page, keep: list[bool], sums: _Sums, i: int, is_forum: bool, least: float) -> None:
    """What a block is the label of, where that is no more than a share of the kept words: `least`, or its own one."""
    label = part_labels.LABEL[page.blocks[i].text]
    times = page.times[page.blocks[i].text]
    if label == "call":
        _drop_around(page, keep, sums, page.blocks[i].container)
        end = _end(page, sums, i)
        if sums.kept[end] - sums.kept[i] <= MOST_BOX:
            keep[i:end] = [False] * (end - i)
    elif label == "teaser":
        if times > MOST_OFTEN:
            keep[i] = keep[i] and not page.blocks[i].links
            return
        end = _end(page, sums, i, max(least, MOST_TEASERS))
        if not _is_linked(sums, i + 1, end):
            end = i + 1
            while end < len(keep) and (
                not keep[end] or page.blocks[end].link_words >= _LINKED * page.blocks[end].words
            ):
                end += 1
        if end > i + 1 or page.blocks[i].links or not any(keep[i + 1 : i + 2]):
            keep[i:end] = [False] * (end - i)
    elif (label == "author" and (keep[i] or _is_beside(keep, i, MOST_BETWEEN))) or (
        label == "comments" and not is_forum
    ):
        most = max(least if label == "comments" else 0, MOST_SHARE)
        end = _end(page, sums, i, most)
        if (
            times <= MOST_OFTEN
            and sums.story[i] >= LEAST_STORY
            and sums.kept[end] - sums.kept[i] <= most * sums.kept[-1]
        ):
            keep[i:end] = [False] * (end - i)


def _end(page: Page, sums: _Sums, i: int, share: float = MOST_SHARE) -> int:
    """Where the part of the page ends that a block is the label of."""
    most = share * sums.kept[-1]
    kept, heads = sums.kept, sums.heads
    end = headlines.end_of(page, i, lambda last: kept[last] - kept[i] <= most and heads[last] - heads[i] < _HEADLINE)
    return end if kept[end] - kept[i] <= most else i + 1


def _is_linked(sums: _Sums, first: int, last: int) -> bool:
    """Whether a part is mostly links, or its sentences are short."""
    words = sums.words[last] - sums.words[first]
    return words > 0 and (
        sums.links[last] - sums.links[first] >= 0.15 * words and sums.story[last] - sums.story[first] <= 0.85 * words
    )
