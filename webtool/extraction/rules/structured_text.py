"""Use what a page's JSON-LD says about its text: questions, recipes, events.

In: a Choice. Out: its `keep` changed; lines for facts that the text lacks. Search engines ask for these data, so they
hold what the page means to say. Texts are compared by pieces of a few letters, so that links, quotes and white space do
not matter. Spec: schema.org Question, Recipe, HowToStep, Event.
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.extraction.metadata import dates
from webtool.extraction.page import embedded_text, json_ld
from webtool.extraction.page.blocks import Page
from webtool.extraction.page.head import Head
from webtool.extraction.rules import headings
from webtool.extraction.rules.choice import Choice
from webtool.lean import patterns

PIECE_LETTERS = 12  # letters of one piece; a shorter text is not compared by pieces
MAX_CHARACTERS = 200_000  # of data or of a block; the rest is not compared
MIN_PART_CHARACTERS = 60  # a shorter text must be all of a line of the data, not a part of it
MAX_FACT_WORDS = 10  # a longer line does not say how much a recipe makes or how long it takes
MAX_TEXT_TIMES = 2  # a text that is on the page more often is in a menu of its questions
# The members of a recipe that are short facts, and what they are called in the text.
_FACTS = {"recipeYield": "Yield", "prepTime": "Preparation", "cookTime": "Cooking", "totalTime": "Total time"}
_DURATION = patterns.compile(r"PT(?:(\d{1,3})H)?(?:(\d{1,4})M)?(?:0+S)?")  # PT1H30M, which is written as "1 h 30 min"
_OTHER_DURATION = patterns.compile(r"P[\dT]")  # P1D, which is left out; not "Portions: 4"
_NUMBER = patterns.compile(r"\d+")


def keep_questions_and_recipes(choice: Choice) -> None:
    """Keep blocks that JSON-LD has as a question, answer, ingredient or step.

    `{"@type": "Question", "name": "How long?"}` keeps `<p>How long?</p>` (FAQs, recipes).
    """
    if choice.head.schema_types.isdisjoint(("question", "recipe")):
        return
    texts = [embedded_text.plain(text) for text in _texts(choice.head)]
    for i in _blocks_with(choice.page, texts):
        choice.keep[i] = True


def _blocks_with(page: Page, texts: list[str]) -> list[int]:
    """Return the blocks that are a line of one of the texts, or are long and part of one; linked blocks excepted."""
    lines = {headings.letters(line) for text in texts for line in text.split("\n")} - {""}
    pieces = _pieces("\n".join(texts))
    blocks = []
    for i, block in enumerate(page.blocks):
        if 2 * block.link_words >= block.words or page.times[block.text] > MAX_TEXT_TIMES:
            continue
        if len(block.text) >= MIN_PART_CHARACTERS:
            is_in_data = _is_part(block.text, pieces)
        else:
            is_in_data = headings.letters(block.text) in lines
        if is_in_data:
            blocks.append(i)
    return blocks


def lines(head: Head, text: str) -> list[str]:
    """Return facts of a recipe or an event that the text lacks: ["Yield: 4 bowls", "When: 2026-11-14 19:30"]."""
    facts = _facts(_recipe(head))
    event = _event_lines(head, text)
    if not facts:
        return event
    short_lines = [line for line in text.split("\n") if line.count(" ") < MAX_FACT_WORDS]
    numbers = _numbers("|".join(short_lines))
    return [*(f"{_FACTS[name]}: {fact}" for name, fact in facts.items() if _numbers(fact) not in numbers), *event]


def _event_lines(head: Head, text: str) -> list[str]:
    """Return when and where the only event of a page is, without what the text has already."""
    if not any(kind.endswith("event") for kind in head.schema_types):
        return []
    events = [entry for entry in head.objects if any(kind.endswith("event") for kind in json_ld.types(entry))]
    if len(events) != 1:
        return []  # a calendar
    start, end = (dates.iso(events[0].get(name))[:16].replace("T", " ") for name in ("startDate", "endDate"))
    text = text[:MAX_CHARACTERS]
    days = {dates.in_text(line) for line in text.split("\n") if start and start[:4] in line}
    facts = []
    if start and not (start[:10] in days and _has_time(start[11:], text)):
        is_same_day = end[:10] == start[:10]
        shown_end = end[11:] if is_same_day else end
        facts.append(f"When: {start} \u2013 {shown_end}" if end > start else f"When: {start}")
    place = _place(events[0].get("location"))
    letters = headings.letters(text)
    if not all(headings.letters(part) in letters for part in place[:2]):
        facts.append(f"Where: {', '.join(place)}")
    return facts


def _has_time(time: str, text: str) -> bool:
    """Return whether a text has a time of day: 19:30 is there as 19.30, 19h30 or 7:30 pm, and 19:00 as 7 pm."""
    if time in ("", "00:00"):  # the whole day
        return True
    hour, minute = time.split(":")
    hours = {hour, str(int(hour)), str((int(hour) - 1) % 12 + 1)}  # "09", "9"; "19", "7"
    numbers = _NUMBER.findall(text)
    return any(number in hours and minute in ("00", after) for number, after in zip(numbers, [*numbers[1:], ""]))


def _place(location: object) -> list[str]:
    """Return name, street, postal code and town of a schema.org Place, as far as it has them."""
    place = location[0] if isinstance(location, list) and location else location
    if not isinstance(place, dict):
        return [place.strip()[:120]] if isinstance(place, str) and place.strip() else []
    address = place.get("address")
    parts = [place.get("name"), address]
    if isinstance(address, dict):
        parts[1:] = [address.get(name) for name in ("streetAddress", "postalCode", "addressLocality")]
    texts = [embedded_text.plain(part).strip()[:120] for part in parts if isinstance(part, str)]
    return [text for text in texts if text]


def _recipe(head: Head) -> dict[str, object]:
    """Return the first recipe in the JSON-LD, or {}."""
    entries = head.objects if "recipe" in head.schema_types else []
    return next((entry for entry in entries if "recipe" in json_ld.types(entry)), {})


def _facts(recipe: dict[str, object]) -> dict[str, str]:
    """Return the yield and times of a recipe as people write them: PT1H30M -> "1 h 30 min"."""
    facts = {}
    for name in _FACTS:
        value = recipe.get(name)
        if isinstance(value, list) and value:
            value = value[-1]  # ["4", "4 servings"]
        fact = str(value).strip()[:60] if isinstance(value, (str, int)) else ""
        if duration := _DURATION.fullmatch(fact):
            hours, minutes = (int(part or 0) for part in duration.groups())
            fact = " ".join([f"{amount} {unit}" for amount, unit in ((hours, "h"), (minutes, "min")) if amount])
        if _numbers(fact) and not _OTHER_DURATION.match(fact):
            facts[name] = fact
    return facts


def _numbers(text: str) -> str:
    """Return the numbers of a text in order, as " 1 30 ", or ""."""
    numbers = _NUMBER.findall(text)
    return f" {' '.join(numbers)} " if numbers else ""


def _texts(head: Head) -> Iterator[str]:
    """Yield questions, answers, ingredients and steps."""
    for entry in head.objects:
        kinds = json_ld.types(entry)
        if "question" in kinds:
            yield from _strings([entry.get("name"), entry.get("acceptedAnswer")])
        elif "recipe" in kinds:
            yield from _strings([entry.get("recipeIngredient"), entry.get("recipeInstructions")])


def _strings(value: object) -> Iterator[str]:
    """Yield the texts of a value, and of the steps and answers in it."""
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
    """Return all pieces of PIECE_LETTERS letters."""
    letters = headings.letters(text[:MAX_CHARACTERS])
    return {letters[i : i + PIECE_LETTERS] for i in range(len(letters) - PIECE_LETTERS + 1)}


def _is_part(text: str, pieces: set[str]) -> bool:
    """Return whether all pieces of a text, which begin PIECE_LETTERS letters apart, are among `pieces`."""
    letters = headings.letters(text[:MAX_CHARACTERS])
    starts = [*range(0, len(letters) - PIECE_LETTERS, PIECE_LETTERS), len(letters) - PIECE_LETTERS]
    return starts[-1] >= 0 and all(letters[i : i + PIECE_LETTERS] in pieces for i in starts)
