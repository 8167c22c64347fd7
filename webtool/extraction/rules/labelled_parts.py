"""Drop parts of a page by their labels: "Read also", "About the author", "12 comments", "Subscribe", "Share".

In: a Choice. Out: its `keep` changed. part_labels knows the labels in some two dozen languages. A part is dropped only
in or below a text: a page that is a list has no text that outweighs its teasers, and a forum page is its comments.
A label can be a block that is not kept itself, if it is right before kept blocks.

Boxes that ask for an e-mail address need no label. A box is the widest container of few words and at most one heading
around what asks.
Tests: tests/extraction/rules/test_labelled_parts.py
"""

from __future__ import annotations

from itertools import islice

from webtool.extraction.page.blocks import Block, link_around, takes_address
from webtool.extraction.rules import headings, part_labels
from webtool.extraction.rules.choice import H1_WEIGHT, MIN_STORY_WORDS, Choice
from webtool.html.node import Element, elements
from webtool.lean import patterns

MAX_PART_SHARE = 0.4  # of the kept words; a labelled part with more is content
MAX_TEASERS_SHARE = 0.6  # of the kept words; a part that is labelled as links to other texts and has more is content
MAX_SHARE_BELOW = 0.9  # of the kept words; a part below a whole text and with more is content
MIN_WORDS_ABOVE = 100  # story words above a part; from here on the text counts as whole and MAX_SHARE_BELOW applies
MAX_TABS = 12  # blocks not kept between a label and its part, below a whole text: the part's tabs
MAX_GAP = 2  # blocks not kept between a label and its part elsewhere; with more it is not the label of that part
MAX_LABEL_WORDS = 10  # a longer line is not a label
MAX_LABEL_CHARACTERS = 120  # a longer line is not a label
MAX_LABEL_TIMES = 2  # a label that occurs more often belongs to list entries, not to the page
MIN_COUNTERS = 4  # lines with a number in elements of one kind; from this number on they belong to a list's entries
MAX_LINE_WORDS = 40  # a longer line is not a button or a teaser
MIN_LINKED_SHARE = 0.5  # of a line's words; from here on a line is a link
MIN_TEASER_LINKS = 0.15  # of a part's words; with fewer linked words it is not a list of teasers
MAX_TEASER_STORY = 0.85  # of a part's words; with more words in sentences it is text
MAX_BOX_WORDS = 60  # a container with more kept words is not a box that asks for something
MAX_BOX_SHARE = 0.4  # of the kept words; a container with more is the text itself
MAX_FORM_ELEMENTS = 200  # later elements of a form are not looked at
MAX_LINE_CHARACTERS = 120  # of a line, that are searched for the words of a correction
MAX_BLOCKS_AT_END = 20  # kept blocks; a disclaimer further from the end is text
MIN_CORRECTION_WORDS = 6  # a shorter line is a label
MAX_CORRECTION_WORDS = 60  # a longer line is a text about a correction
_INLINE_LABEL = patterns.compile(r"(?s)(.{3,45}?)\s*[:\uff1a\u00bb\u203a|>\u2192\]\u3011]\s*\S")
_CELLS = frozenset(("td", "th"))  # a word in a table is not a button: Deel is a company, and "share" in Dutch


def drop_labelled_parts(choice: Choice) -> None:
    """Drop parts that are labelled as teasers, author box, comments or appeal, and their labels.

    `<h3>Read also</h3><ul><li><a>..</a></ul>` below an article is dropped.
    """
    page, keep, story = choice.page, choice.keep, choice.totals.story
    for i, block in enumerate(page.blocks):
        is_below = story[i] >= MIN_WORDS_ABOVE and choice.titled >= 0  # below a whole text
        if block.words > MAX_LABEL_WORDS or len(block.text) > MAX_LABEL_CHARACTERS:
            continue
        if not (keep[i] or _is_beside(keep, i, MAX_TABS if is_below else MAX_GAP)):
            continue
        label = part_labels.LABEL[block.text]
        if label == "call":
            _drop_appeal(choice, i)
        elif label == "teaser":
            _drop_teasers(choice, i, MAX_SHARE_BELOW if is_below else MAX_TEASERS_SHARE)
        elif label == "comments" and not choice.is_forum:
            _drop_below_text(choice, i, MAX_SHARE_BELOW if is_below else MAX_PART_SHARE)
        elif label == "author" and (keep[i] or _is_beside(keep, i, MAX_GAP)):
            _drop_below_text(choice, i, MAX_PART_SHARE)


def _drop_appeal(choice: Choice, i: int) -> None:
    """Drop the box around "Subscribe" or "Donate", and the part that it labels if that is short."""
    kept = choice.totals.kept
    drop_box_around(choice, choice.page.blocks[i].container)
    end = _end(choice, i, MAX_PART_SHARE)
    if kept[end] - kept[i] <= MAX_BOX_WORDS:
        choice.set_range(i, end, False)


def _drop_teasers(choice: Choice, i: int, share: float) -> None:
    """Drop the links below "Read also" if they have at most `share` of the kept words.

    A label that occurs often is dropped alone if it is a link.
    """
    page, keep = choice.page, choice.keep
    block = page.blocks[i]
    if page.times[block.text] > MAX_LABEL_TIMES:
        keep[i] = keep[i] and not block.links
        return
    end = _end(choice, i, share)
    if not _is_list_of_links(choice, i + 1, end):
        end = i + 1
        while end < len(keep) and (not keep[end] or _is_link(page.blocks[end])):
            end += 1
    is_next_kept = i + 1 < len(keep) and keep[i + 1]
    if end > i + 1 or block.links or not is_next_kept:
        choice.set_range(i, end, False)


def _drop_below_text(choice: Choice, i: int, share: float) -> None:
    """Drop the part that block i labels, if a text is above it and it has at most `share` of the kept words.

    Below a text of less than MIN_STORY_WORDS only the last part is dropped: "Comments" may be a section of a manual.
    """
    totals = choice.totals
    end = _end(choice, i, share)
    is_rare = choice.page.times[choice.page.blocks[i].text] <= MAX_LABEL_TIMES
    is_small = totals.kept[end] - totals.kept[i] <= share * totals.kept[-1]
    min_story_words = choice.min_story_words if totals.kept[end] == totals.kept[-1] else MIN_STORY_WORDS
    if is_rare and is_small and totals.story[i] >= min_story_words:
        choice.set_range(i, end, False)


def _is_beside(keep: list[bool], i: int, gap: int) -> bool:
    """Return whether the block before i is kept, or one of those after it with at most `gap` blocks between."""
    return (i > 0 and keep[i - 1]) or any(keep[i + 1 : i + 2 + gap])


def _end(choice: Choice, i: int, share: float) -> int:
    """Return the block after the part that block i labels; i + 1 if it has more than `share` of the kept words."""
    kept, weights = choice.totals.kept, choice.totals.headings
    max_words = share * kept[-1]

    def fits(last: int) -> bool:
        has_h1 = weights[last] - weights[i] >= H1_WEIGHT
        return kept[last] - kept[i] <= max_words and not has_h1

    end = headings.end_of_part(choice.page, i, fits)
    return end if kept[end] - kept[i] <= max_words else i + 1


def _is_list_of_links(choice: Choice, first: int, last: int) -> bool:
    """Return whether a part is to a good deal links, and not all sentences."""
    page, story_before = choice.page, choice.totals.story
    words, links = page.words[last] - page.words[first], page.links[last] - page.links[first]
    story = story_before[last] - story_before[first]
    return words > 0 and links >= MIN_TEASER_LINKS * words and story <= MAX_TEASER_STORY * words


def _is_link(block: Block) -> bool:
    return block.link_words >= MIN_LINKED_SHARE * block.words


def drop_service_lines(choice: Choice) -> None:
    """Drop lines to be clicked ("Share", "Add to cart"), photo credits, copyright lines and calendar entries.

    On a page with a text they can be longer, as they are next to kept blocks.
    """
    page, keep = choice.page, choice.keep
    max_words = MAX_LINE_WORDS if choice.has_story else MAX_LABEL_WORDS
    counters: dict[int, list[int]] = {}  # by tag and class: dropped lines that begin with a number, as "12 comments"
    for i, block in enumerate(page.blocks):
        if keep[i] and block.words <= max_words and page.element[block.container].tag not in _CELLS:
            keep[i] = not part_labels.IS_SERVICE[block.text]
            if not keep[i] and block.text[0].isdigit():
                counters.setdefault(page.kinds[block.container], []).append(i)
    for lines in counters.values():
        if len(lines) >= MIN_COUNTERS:  # each entry of a list has one
            for i in lines:
                keep[i] = True


def drop_teaser_lines(choice: Choice) -> None:
    """Drop lines that lead to another text: `<p>Read also: <a>The old harbour</a></p>`, and linked hashtags: `#tides`.

    A hashtag is dropped on a page that is named after its headline.
    """
    page, keep = choice.page, choice.keep
    for i, block in enumerate(page.blocks):
        if not keep[i] or block.words > MAX_LINE_WORDS or page.element[block.container].tag in _CELLS:
            continue
        is_hashtag = block.text[0] == "#" and block.link_words == block.words and choice.titled >= 0
        keep[i] = not (is_hashtag or part_labels.LABEL[_label_of_line(block)] == "teaser")


def _label_of_line(block: Block) -> str:
    """Return the label inside a line that is mostly a link, or "".

    The label is the text before a mark (`Read also: ...`), else the text before the link. If the whole line is one
    link with several texts, the label is the first of them.
    """
    if not _is_link(block):
        return ""
    if match := _INLINE_LABEL.match(block.text):
        return match[1]
    before = []
    for node in block.nodes:
        if link_around(node):
            break
        before.append(node.text)
    if not before and len(block.nodes) > 1 and block.links == 1:
        before = [block.nodes[0].text]
    return " ".join("".join(before).split())[:MAX_LABEL_CHARACTERS]


def drop_address_forms(choice: Choice) -> None:
    """Drop forms that take an e-mail address, with the few words around that ask for it (newsletter forms).

    `<div><h3>Stay in touch</h3><form><input type=email></form></div>` is dropped. Scripts need no form element: a
    container with such a field directly in it counts as a form.
    """
    page = choice.page
    forms = [i for i in page.tagged(("form",)) if _takes_address(page.element[i])]
    for i in page.fields:
        if not any(page.element[outer].tag == "form" for outer in page.around(i)):
            forms.append(i)
    for i in forms:
        if page.last[i] - page.first[i] <= MAX_BOX_WORDS:
            drop_box_around(choice, i)


def drop_box_around(choice: Choice, container: int) -> None:
    """Drop the widest box that a container is or is in; nothing if the container itself is too large for one."""
    page, totals = choice.page, choice.totals
    max_words = min(MAX_BOX_WORDS, MAX_BOX_SHARE * totals.kept[-1])
    box = -1
    for outer in page.around(container):
        first, last = page.first[outer], page.last[outer]
        has_several_headings = totals.headings[last] - totals.headings[first] > 1  # or an h1
        if totals.kept[last] - totals.kept[first] > max_words or has_several_headings:
            break
        box = outer
    if box >= 0:
        choice.set_range(page.first[box], page.last[box], False)


def _takes_address(form: Element) -> bool:
    """Return whether one of the first elements of a form is a field for an e-mail address."""
    inside = islice(elements(form), MAX_FORM_ELEMENTS)
    return any(takes_address(element.attrs) for element in inside if element.tag == "input")


def drop_disclaimers(choice: Choice) -> None:
    """Drop at the end what a site says about a text: "The views expressed are those of the author"."""
    page, keep = choice.page, choice.keep
    kept_from_end = [i for i in range(len(keep) - 1, -1, -1) if keep[i]]
    for i in islice(kept_from_end, MAX_BLOCKS_AT_END):
        text = page.blocks[i].text
        keep[i] = len(text) > part_labels.MAX_DISCLAIMER or not part_labels.DISCLAIMER.search(text)


def keep_corrections(choice: Choice) -> None:
    """Keep the correction notice right after a kept block: "Correction: an earlier version named the wrong pier"."""
    page, keep = choice.page, choice.keep
    after_kept = [i for i in range(1, len(keep)) if keep[i - 1] and not keep[i]]
    for i in after_kept:
        block = page.blocks[i]
        is_line = MIN_CORRECTION_WORDS <= block.words <= MAX_CORRECTION_WORDS and 2 * block.link_words <= block.words
        keep[i] = is_line and bool(part_labels.AMENDED.search(block.text[:MAX_LINE_CHARACTERS]))
