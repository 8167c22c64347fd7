"""Find and drop boxes that ask for consent to cookies, above, beside or below a text.

In: a page and its head. Out: ranges of blocks; for the rule, a Choice with them dropped. A page is a list of blocks
(runs of text) in a tree of containers (block-level elements): first[c]:last[c] are the blocks in container c, and
words[last] - words[first] counts their words. A container is a consent box if it speaks of cookies and one more thing
shows that it asks:

- a name or role: `class=cookie-banner`, `id=onetrust-sdk`, `aria-label="Cookie notice"`, `role=alertdialog`;
- a button to accept, fewer than MAX_BUTTON_STEPS blocks after those words: "Accept all";
- words about a website ("we use cookies on this site"), if the box has any button, or is apart from the page's text.

A box never holds the headline. A container is mixed if it has more words in sentences about other things than in blocks
about cookies, websites or privacy. On a page about cookies or privacy only boxes outside of its text count.
"""

from __future__ import annotations

from itertools import accumulate, islice
from operator import and_

from webtool.extraction import labels
from webtool.extraction.model import scoring
from webtool.extraction.page.blocks import Page
from webtool.extraction.page.head import Head
from webtool.extraction.rules import headings, part_labels
from webtool.extraction.rules.choice import Choice
from webtool.html.elements import role_of
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

MAX_BUTTON_STEPS = 6  # an "Accept" this many blocks after the words about cookies belongs to another box
MAX_BOX_WORDS = 200  # a container without a telling name that has more words is a text about cookies, and stays
MAX_NAMED_WORDS = 1500  # a box with a telling name may have this many words: some boxes list all partners
MAX_MIXED_SHARE = 0.4  # a mixed box with a telling name and more than this share of the page's words is the page itself
MIN_SENTENCE_WORDS = 5  # a shorter block is a label or a button
MIN_OTHER_WORDS = 3  # if no block outside of the boxes has this many words, nothing is dropped: the boxes are the page
MAX_NAME_CHARACTERS = 300  # the rest of a longer class or id is not read
MAX_STEPS = 40  # containers around a block that are looked at, from the inside
MAX_HEADLINES = 20  # later h1 headings are not looked at
_WHOLES = frozenset(("html", "body", "#document", "#document-fragment"))  # elements around the whole page
_HOMES = frozenset(("main", "article"))  # elements around the page's text
_LINES = frozenset(  # elements that are too small to be a box with a button
    ("p", "li", "td", "th", "dd", "dt", "button", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote")
)
_DIALOGS = frozenset(("dialog", "alertdialog"))
# Telling names. The first list holds a plain word of each name; the pattern runs only if one of them occurs.
_NAMED = patterns.GuardedPattern(
    "cookie|consent|gdpr|dsgvo|rgpd|privacy|onetrust|cmp|didomi|usercentrics|truste|sp_message|osano|iubenda|klaro|"
    "tarteaucitron|borlabs|termly",
    r"(?i)cookies?[\s_-]*(?:banner|notice|notif|bar(?:$|[\s_-])|popup|pop-up|modal|dialog|overlay|layer|consent|message|"
    r"alert|law|compliance|disclaimer|prompt|warning|wall|hint|hinweis|toast|preferences|settings|policy-|bot)|"
    r"(?:gdpr|dsgvo|rgpd|consent|privacy)[\s_-]*(?:banner|notice|bar(?:$|[\s_-])|popup|pop-up|modal|dialog|overlay|layer|"
    r"cookie|message|box|container|wrapper|sdk|root|manager|tool|wall)|(?:^|[\s_-])(?:gdpr|consent)(?:$|\s)|"
    r"onetrust|cmplz|qc-cmp|cmpbox|didomi|usercentrics|truste|sp_message|osano|iubenda|klaro|"
    r"tarteaucitron|borlabscookie|termly",
)


_COOKIES = labels.all_words("cookie_words")  # "cookies"
_CONTEXT = labels.all_words("cookie_context")  # "this site", "privacy policy"


class _Facts(NamedTuple):
    """Facts about one page. A running total has total[last] - total[first] for the blocks first to last - 1."""

    page: Page
    speaks: list[bool]  # by block: whether it speaks of cookies
    asks: list[bool]  # by block: whether it speaks of cookies and of a website or privacy
    texts: list[str]  # by block: its text in lower case
    own: list[int]  # running total of the words of blocks about cookies, websites or privacy
    other: list[int]  # running total of the words of other sentences
    buttons: list[int]  # running total of button elements
    is_inside: list[bool]  # by container: whether it is in a main or article element
    headlines: list[int]  # the blocks of h1 headings: those about other things, and the one that the page title names
    is_about: bool  # whether the page's headline or title speaks of cookies or privacy


def drop_consent_boxes(choice: Choice) -> None:
    """Drop boxes that ask for consent to cookies. If the model chose a block of one, it chooses again without them.

    `<div class=cookie-banner>We use cookies. <button>Save</button></div><p>Closed today.</p>`: the p is chosen.
    """
    page, keep = choice.page, choice.keep
    boxes = find(page, choice.head)
    if not any(any(keep[first:last]) for first, last in boxes):
        return
    if choice.chances:
        for first, last in boxes:
            choice.chances[first:last] = [0.0] * (last - first)
        keep[:] = scoring.choose(page, choice.chances)
    for first, last in boxes:
        choice.set_range(first, last, False)


def find(page: Page, head: Head) -> list[tuple[int, int]]:
    """Return the ranges of the blocks of consent boxes; [] if the page has no other text."""
    if page.consent is None:
        page.consent = _boxes(page, head)
    return page.consent


def is_all(texts: list[str]) -> bool:
    """Return whether one of some lower-case texts asks for consent, and most words are in texts of such a request."""
    speaks, names_site = ([any(map(text.__contains__, words)) for text in texts] for words in (_COOKIES, _CONTEXT))
    sizes = [len(text.split()) for text in texts]
    own = sum([size for size, cookie, site in zip(sizes, speaks, names_site) if cookie or site])
    return any(map(and_, speaks, names_site)) and 2 * own > sum(sizes)


def _boxes(page: Page, head: Head) -> list[tuple[int, int]]:
    whole = part_labels.folded("\n".join([block.text for block in page.blocks]))
    cookies = [word for word in _COOKIES if word in whole]
    texts = whole.split("\n")
    speaks = [any(map(text.__contains__, cookies)) for text in texts] if cookies else [False] * len(texts)
    is_said = any(speaking and 2 * block.link_words < block.words for block, speaking in zip(page.blocks, speaks))
    if not is_said and not page.has_name(_NAMED):
        return []
    facts = _facts(page, head, texts, speaks, cookies)
    ranges: list[tuple[int, int]] = []
    is_outside = [True] * len(texts)
    for i in range(len(facts.own) - 1):
        if facts.own[i + 1] > facts.own[i] and is_outside[i]:
            first, last = _box(facts, i)
            if first < last:
                ranges.append((first, last))
                is_outside[first:last] = [False] * (last - first)
    has_other_text = any(
        outside and block.words >= MIN_OTHER_WORDS and 2 * block.link_words < block.words
        for block, outside in zip(page.blocks, is_outside)
    )
    return ranges if has_other_text else []


def _facts(page: Page, head: Head, texts: list[str], speaks: list[bool], cookies: list[str]) -> _Facts:
    """Collect the facts. `cookies` are the words of _COOKIES that the page has; see _Facts for `texts` and `speaks`."""
    whole = "\n".join(texts)
    context = [word for word in _CONTEXT if word in whole]
    names_site = [any(map(text.__contains__, context)) for text in texts]
    own = [size * (cookie or site) for size, cookie, site in zip(page.sizes, speaks, names_site)]
    other = [
        size * (not own_words and size >= MIN_SENTENCE_WORDS and 2 * block.link_words < size)
        for size, own_words, block in zip(page.sizes, own, page.blocks)
    ]
    titled = headings.titled(page, head.titles)  # the h1 that the page title names, or -1
    title = part_labels.folded(" ".join(head.titles))
    headlines = [i for i in headings.of_first_rank(page) if not own[i] or i == titled]
    is_about = any(word in title for word in (*cookies, *context)) or (titled >= 0 and own[titled] > 0)
    buttons = [0] * len(texts)  # that begin with a block; buttons without text are not counted
    for button in page.by_tag.get("button", ()):
        if page.first[button] < page.last[button]:
            buttons[page.first[button]] += 1
    return _Facts(
        page=page,
        speaks=speaks,
        asks=[cookie and site for cookie, site in zip(speaks, names_site)],
        texts=texts,
        own=[0, *accumulate(own)],
        other=[0, *accumulate(other)],
        buttons=[0, *accumulate(buttons)],
        is_inside=page.inside(element.tag in _HOMES for element in page.element),
        headlines=headlines[:MAX_HEADLINES],
        is_about=is_about,
    )


def _box(facts: _Facts, i: int) -> tuple[int, int]:
    """Return the range of the widest consent box around block i, or (0, 0)."""
    page = facts.page
    box = (0, 0)
    for container in islice(page.around(page.blocks[i].container), MAX_STEPS):
        first, last, tag = page.first[container], page.last[container], page.element[container].tag
        is_whole = tag in _WHOLES or any(first <= headline < last for headline in facts.headlines)
        if is_whole or page.words[last] - page.words[first] > MAX_NAMED_WORDS:
            break
        is_text = tag in _HOMES or (facts.is_about and not _is_apart(facts, container))
        if not is_text and _asks(facts, i, container, box == (0, 0)):
            box = first, last
    return box


def _asks(facts: _Facts, i: int, container: int, is_first: bool) -> bool:
    """Return whether a container around block i is a consent box; `is_first` if no container inside it is one."""
    page = facts.page
    element, first, last = page.element[container], page.first[container], page.last[container]
    words = page.words[last] - page.words[first]
    is_mixed = facts.other[last] - facts.other[first] > facts.own[last] - facts.own[first]
    if _is_named(element):
        return not is_mixed or words <= MAX_MIXED_SHARE * page.words[-1]
    if words > MAX_BOX_WORDS:
        return False
    if facts.speaks[i] and (role_of(element.attrs) or element.tag) in _DIALOGS:
        return True
    next_texts = facts.texts[i + 1 : min(last, i + MAX_BUTTON_STEPS)]
    if facts.speaks[i] and any(part_labels.ACCEPT.fullmatch(text[:60]) for text in next_texts):
        return is_first or not is_mixed
    if is_mixed or element.tag in _LINES or not any(facts.asks[first:last]):
        return False
    return facts.buttons[last] > facts.buttons[first] or _is_apart(facts, container)


def _is_named(element: Element) -> bool:
    """Return whether tag, class, id or label of an element says that it asks for consent."""
    attrs = element.attrs
    names = (element.tag, attrs.get("class", ""), attrs.get("id", ""), attrs.get("aria-label", ""))
    return any(_NAMED.search(name[:MAX_NAME_CHARACTERS]) for name in names)


def _is_apart(facts: _Facts, container: int) -> bool:
    """Return whether a container is outside of the page's text.

    The text is in the main and article elements. A page without them has its text in _home(), from the headline on; a
    page without a headline has it from the first sentence on.
    """
    first, last = facts.page.first[container], facts.page.last[container]
    if any(facts.is_inside):
        return not facts.is_inside[container]
    if not facts.headlines:
        return facts.own[first] + facts.other[first] == 0
    start, end = _home(facts)
    return last <= facts.headlines[0] or not start <= first < end


def _home(facts: _Facts) -> tuple[int, int]:
    """Return the range of the smallest container with the first headline and half of all sentences."""
    page, first, last = facts.page, 0, 0
    totals = [own + other for own, other in zip(facts.own, facts.other)]
    for container in page.around(page.blocks[facts.headlines[0]].container):
        first, last = page.first[container], page.last[container]
        if 2 * (totals[last] - totals[first]) >= totals[-1]:
            break
    return first, last
