"""What a page's data repeat of what it shows. In: a cut page, its head, which blocks are kept. Out: the choice, changed
in place; lines.

Search engines ask for questions with their answers, the parts of a recipe and the body of an article as data. What
stands there the page means to say; what interrupts the body and is not in it is a teaser, a caption or a box.
Spec: schema.org Question, Recipe, HowToStep, Article.
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.extraction.page import embedded_text, json_ld
from webtool.extraction.page.blocks import Page
from webtool.extraction.page.head import Head
from webtool.extraction.rules import headings
from webtool.extraction.rules.choice import Choice
from webtool.html.elements import HEADINGS
from webtool.lean import patterns

SIZE = 12
"""Letters of the pieces by which a text is found again in the data; a shorter text is not looked for."""
MAX_CHARACTERS = 200_000
"""Characters of data that are looked at."""
LEAST_LONG = 60
"""Characters of a text that may be a part of what the data have; a shorter one is all of it."""
LEAST_COVER = 0.75
"""The share of the kept words that the body of an article has where it is all of the text."""
LEAST_SHARE = 0.6
"""The share of its pieces that the data have of a text that is there."""
MOST_FACT = 10
"""Words of a line that says how much a recipe makes, or how long it takes."""
MOST_OFTEN = 2
"""Times that a page says a question: what it says oftener is a list of them beside the text."""
MOST_BOX = 40
"""Words of what interrupts a text."""
NEAR_FACTS = 20
"""Blocks between such a line and the ingredients."""
_WRITTEN = frozenset((*HEADINGS, "li", "td", "th", "caption", "pre", "dt", "dd", "blockquote"))
"""What those who write data of an article often leave out."""
_FACTS = {"recipeYield": "Yield", "prepTime": "Preparation", "cookTime": "Cooking", "totalTime": "Total time"}
_DURATION = patterns.compile(r"PT(?:(\d{1,3})H)?(?:(\d{1,4})M)?(?:0+S)?")
_NUMBER = patterns.compile(r"\d+")


def keep_questions_and_recipes(choice: Choice) -> None:
    """All of it, linear in the size of the page and of its data."""
    page, keep, head = choice.page, choice.keep, choice.head
    recipe = _recipe(head)
    if recipe or "question" in head.schema_types:
        texts = [embedded_text.plain(text) for text in _texts(head)]
        found = _find(page, texts)
        facts = [_numbers(said) for said in _facts(recipe).values()]
        for i in range(max(0, found[0] - NEAR_FACTS), found[-1]) if found and facts else ():
            block = page.blocks[i]
            if block.words <= MOST_FACT and not block.links and any(fact in _numbers(block.text) for fact in facts):
                found.append(i)
        for i in found:
            keep[i] = True


def drop_interruptions(choice: Choice) -> None:
    page, keep, head = choice.page, choice.keep, choice.head
    body = embedded_text.longest(head, "articleBody")
    if len(body) >= embedded_text.LEAST_CHARACTERS:
        _drop_outside_body(page, keep, _pieces(embedded_text.plain(body)))


def _find(page: Page, texts: list[str]) -> list[int]:
    """The blocks that are one of some texts, or are long and in one of them, and lead nowhere."""
    whole = {headings.letters(line) for text in texts for line in text.split("\n")}
    pieces = _pieces("\n".join(texts))
    return [
        i
        for i, block in enumerate(page.blocks)
        if 2 * block.link_words < block.words
        and page.times[block.text] <= MOST_OFTEN
        and (
            _share(block.text, pieces) == 1 if len(block.text) >= LEAST_LONG else headings.letters(block.text) in whole
        )
    ]


def _drop_outside_body(page: Page, keep: list[bool], body: set[str]) -> None:
    """What is kept between the first and the last paragraph of the body, and is not in it; but for what is written in
    elements of the same kind, as some leave out the end of their texts."""
    shares = [_share(block.text, body) if is_kept else -1.0 for block, is_kept in zip(page.blocks, keep)]
    inside = [i for i, share in enumerate(shares) if share >= LEAST_SHARE]
    kept = sum([block.words for block, is_kept in zip(page.blocks, keep) if is_kept])
    if not inside or sum([page.blocks[i].words for i in inside]) < LEAST_COVER * kept:
        return
    own = {_kind(page, i) for i in inside}
    for i in range(inside[-1], inside[0], -1):
        block = page.blocks[i]
        tag = page.element[block.container].tag
        is_alone = tag in HEADINGS and not keep[i + 1]
        is_other = tag not in _WRITTEN and (_kind(page, i) not in own or 2 * block.link_words >= block.words)
        if 0 <= shares[i] < LEAST_SHARE and block.words <= MOST_BOX and (is_alone or is_other):
            keep[i] = False


def _kind(page: Page, i: int) -> tuple[int, int]:
    at = page.blocks[i].container
    return page.kinds[at], page.kinds[max(page.parent[at], 0)]


def lines(head: Head, text: str) -> list[str]:
    """How much a recipe makes and how long it takes, where the text does not say so."""
    facts = _facts(_recipe(head))
    short = _numbers("|".join([line for line in text.split("\n") if line.count(" ") < MOST_FACT])) if facts else ""
    return [f"{_FACTS[name]}: {said}" for name, said in facts.items() if _numbers(said) not in short]


def _recipe(head: Head) -> dict[str, object]:
    """The recipe that a page is, the first in its data; empty where it is none."""
    found = head.objects if "recipe" in head.schema_types else []
    return next((entry for entry in found if "recipe" in json_ld.types(entry)), {})


def _facts(recipe: dict[str, object]) -> dict[str, str]:
    """What a recipe says of its yield and its times, as people write it."""
    found = {}
    for name in _FACTS:
        value = recipe.get(name)
        value = value[-1] if isinstance(value, list) and value else value  # ["4", "4 servings"]
        said = str(value).strip()[:60] if isinstance(value, (str, int)) else ""
        if duration := _DURATION.fullmatch(said):
            hours, minutes = (int(part or 0) for part in duration.groups())
            said = " ".join([f"{n} {unit}" for n, unit in ((hours, "h"), (minutes, "min")) if n])
        if _numbers(said) and not said.startswith("P"):
            found[name] = said
    return found


def _numbers(text: str) -> str:
    """The numbers of a text in their order, " 1 30 "; "" where there is none."""
    found = _NUMBER.findall(text)
    return f" {' '.join(found)} " if found else ""


def _texts(head: Head) -> Iterator[str]:
    """Questions, answers, ingredients and steps."""
    for entry in head.objects:
        kinds = json_ld.types(entry)
        if "question" in kinds:
            yield from _strings([entry.get("name"), entry.get("acceptedAnswer")])
        elif "recipe" in kinds:
            yield from _strings([entry.get("recipeIngredient"), entry.get("recipeInstructions")])


def _strings(value: object) -> Iterator[str]:
    """The texts of a value, and of the steps and answers in it."""
    stack = [value]
    while stack:
        value = stack.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            stack.extend([value.get(name) for name in ("itemListElement", "text", "name")])
        elif isinstance(value, list):
            stack.extend(reversed(value))


def _pieces(text: str) -> set[str]:
    """All pieces of a text."""
    letters = headings.letters(text[:MAX_CHARACTERS])
    return {letters[i : i + SIZE] for i in range(len(letters) - SIZE + 1)}


def _share(text: str, pieces: set[str]) -> float:
    """The share of a text's pieces that are among some; -1 of one that is too short."""
    letters = headings.letters(text[:MAX_CHARACTERS])
    starts = [*range(0, len(letters) - SIZE, SIZE), len(letters) - SIZE]
    return sum([letters[i : i + SIZE] in pieces for i in starts]) / len(starts) if starts[-1] >= 0 else -1.0
