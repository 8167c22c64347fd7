"""Recognise pages that hold no content: shells of scripts, error pages, logins, checks for robots, consent walls.

In: a cut page, its head, the kept blocks. Out: why the page lacks content, for people, or "". The words are in
labels/error_title.txt, error_sentence.txt, login_title.txt, login_sentence.txt, robot_check.txt, turned_away.txt and
no_page.txt. A page may also have nothing but menus and a footer: `<nav>..</nav><main></main><footer>..</footer>`.

A line with such words alone is not enough: articles explain errors and logins. What counts is the rest, the kept words
beside these lines. `<h1>404</h1><p>The page you are looking for has moved.</p>` has a rest of 0. An article below
`<h1>502 Bad Gateway</h1>` has a rest of all its sentences.
Tests: tests/extraction/test_walls.py
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from operator import and_

from webtool.extraction import labels
from webtool.extraction.page.blocks import Page
from webtool.extraction.page.head import Head
from webtool.extraction.rules import consent, headings, part_labels
from webtool.html.elements import role_of
from webtool.html.node import Element
from webtool.html.shell import asks_for_login, looks_like_js_shell
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

MAX_WORDS = 250  # kept words outside of links; a page with more has content
MAX_SHELL_WORDS = 60  # kept words outside of links; a page with more does not wait for its scripts
MAX_REST = 8  # words of a page with a title of a wall, or with a sentence of one; with more it has content
MAX_REST_OF_BOTH = 30  # words of a page with a title and a sentence of a wall; with more it has content
MAX_PLAIN_WORDS = 20  # words outside of links, menus and footers; a page with more has a place for its content
MAX_LABEL_WORDS = 3  # a shorter line is a button or the label of a field, and no rest
MAX_TITLE_CHARACTERS = 90  # a longer line is not a title
MAX_LINE_CHARACTERS = 400  # of a block; the rest of a longer one is not searched
CONFIDENCE = 0.02  # the most that is promised for a page without content
LOGIN = "it asks for a login"
# Tags and roles of what is around the content of a page. A header may be all that a small site has.
_FURNITURE = frozenset("nav footer dialog navigation contentinfo menubar alertdialog search".split())
_HOMES = frozenset(("main", "article"))  # tags and roles of elements around a page's text
_FOOTER = patterns.compile(r"(?i)(?:^|[\s_-])footer(?:$|[\s_-])")
_TEMPLATE = patterns.compile(r"\{\{[^{}]*\}\}")
_FORM_PARTS = frozenset(("form", "label", "button", "fieldset", "legend"))


class Wall(NamedTuple):
    """A kind of page without content: why it lacks content, and by which words it is known."""

    reason: str
    title: patterns.Pattern[str] | None  # matches a whole title or line
    sentence: patterns.GuardedPattern  # matches a part of a line
    needs_title: bool  # whether a sentence alone does not suffice: "Please try again on Monday"

    def is_title(self, text: str) -> bool:
        """Return whether a text in lower case is a title of such a page and nothing else."""
        return self.title is not None and len(text) <= MAX_TITLE_CHARACTERS and bool(self.title.fullmatch(text))


def _wall(reason: str, title: str, sentence: str) -> Wall:
    """Return the Wall whose words are in the files of labels/ with these two names."""
    whole = patterns.compile(rf"\W*(?:{labels.any_of(title)})\W*") if title else None
    part = patterns.GuardedPattern(labels.needed_words(sentence), labels.any_of(sentence))
    return Wall(reason, whole, part, needs_title=title == "error_title")


WALLS = (
    _wall("it checks whether a person asks", "", "robot_check"),
    _wall("it is an error page", "error_title", "error_sentence"),
    _wall(LOGIN, "login_title", "login_sentence"),
    _wall("it turns away some readers: by browser, age or place", "", "turned_away"),
    _wall("it only leads elsewhere", "", "no_page"),
)


def reason(page: Page, head: Head, kept: Sequence[bool]) -> str:
    """Return why a page has no content, such as "it is an error page"; "" if it has content."""
    blocks = [block for block, is_kept in zip(page.blocks, kept) if is_kept]
    if blocks and not any(_TEMPLATE.sub("", block.text[:MAX_LINE_CHARACTERS]).strip() for block in blocks):
        return "it needs a browser: its templates are not filled in"  # <p>{{ page.body }}</p>
    words = sum([block.words - block.link_words for block in blocks])
    if words > MAX_WORDS:
        return ""
    shell = looks_like_js_shell(page.element[0]) if words <= MAX_SHELL_WORDS else None
    if shell:
        return f"it needs a browser: {shell}"
    titles = {_folded(part) for title in head.titles for part in (title, *headings.SEPARATOR.split(title))}
    lines = []  # (text, how many of its words count as rest)
    for block in blocks:
        text = _folded(block.text)
        is_label = block.words <= MAX_LABEL_WORDS or page.element[block.container].tag in _FORM_PARTS
        is_rest = not is_label and 2 * block.link_words < block.words and text not in titles
        lines.append((text, block.words * is_rest))
    lines.sort(key=lambda line: -line[1])  # a few long lines rule a wall out
    if any(kept[i] and page.sizes[i] > 1 for i in headings.of_first_rank(page)):
        titles = set()  # the title "Error" of a page with the headline "Error analysis"
    for wall in WALLS:
        if _is_wall(wall, lines, titles):
            return wall.reason
    if _asks_for_consent(page, head, lines):
        return "it asks for consent to cookies"
    if asks_for_login(page.element[0]):
        return LOGIN
    if any(kept):
        return ""
    return "it has no text outside of menus and footers" if page.blocks else "it has no text"


def keeps_furniture_alone(page: Page, kept: Sequence[bool]) -> bool:
    """Return whether all that is kept is in menus and footers, and the page has next to nothing else.

    Scripts would have filled the rest. An element around an h1 or a main element is content.
    """
    if page.words_of(kept)[-1] > MAX_WORDS:
        return False
    begins_content = [0] * (len(kept) + 1)  # 1 after a block that is an h1 or the first of a main or article element
    for element, first, last in zip(page.element, page.first, page.last):
        if first < last and (element.tag in _HOMES or role_of(element.attrs) in _HOMES):
            begins_content[first + 1] = 1
    for i in headings.of_first_rank(page):
        begins_content[i + 1] = 1
    content = list(accumulate(begins_content))  # running total over the blocks
    is_outside = [True] * len(kept)  # by block: whether it is outside of menus and footers
    for element, first, last in zip(page.element, page.first, page.last):
        if first < last and is_outside[first] and content[last] == content[first] and _is_furniture(element):
            is_outside[first:last] = [False] * (last - first)
    if not any(kept) or any(map(and_, kept, is_outside)):
        return False
    plain = [block.words - block.link_words for block, outside in zip(page.blocks, is_outside) if outside]
    return sum(plain) <= MAX_PLAIN_WORDS


def _is_furniture(element: Element) -> bool:
    """Return whether an element is a menu, a footer or a dialog, by its tag or role, or a footer by class or id."""
    attrs = element.attrs
    if element.tag in _FURNITURE or role_of(attrs) in _FURNITURE:
        return True
    names = f"{attrs.get('class', '')} {attrs.get('id', '')}"
    return element.tag not in ("html", "body") and bool(_FOOTER.search(names))


def _folded(text: str) -> str:
    """Return the beginning of a text in lower case, for comparison."""
    return part_labels.folded(text[:MAX_LINE_CHARACTERS]).strip()


def _is_wall(wall: Wall, lines: list[tuple[str, int]], titles: set[str]) -> bool:
    """Return whether little is left beside the titles and sentences of a wall.

    `lines` are (text, how many of its words count as rest), those with most first.
    """
    has_title = has_sentence = False
    rest = 0
    for text, words in lines:
        if wall.is_title(text):
            has_title = True
        elif wall.sentence.search(text):
            has_sentence = True
        else:
            rest += words
            if rest > MAX_REST_OF_BOTH:
                return False
    has_title = has_title or any(map(wall.is_title, titles))
    has_sentence = has_sentence or any(map(wall.sentence.search, titles))
    is_named = has_title or (has_sentence and not wall.needs_title)
    return is_named and rest <= (MAX_REST_OF_BOTH if has_title and has_sentence else MAX_REST)


def _asks_for_consent(page: Page, head: Head, lines: list[tuple[str, int]]) -> bool:
    """Return whether all that a page has is a request for consent, with a button to accept.

    consent.find() drops such a request if the page has other text.
    """
    return (
        any(part_labels.ACCEPT.fullmatch(_folded(block.text[:60])) for block in page.blocks)
        and not consent.find(page, head)
        and consent.is_all([text for text, _ in lines])
    )
