"""Blocks that JSON-LD repeats are kept, and facts that only it has are added."""

import json

import pytest
from choices import run_rows

from webtool import html
from webtool.extraction import extract
from webtool.extraction.page import cutting, head

STORY = [f"The kiln is fired with beech wood for {n} days, and nobody sleeps much while it burns." for n in range(4)]
RECIPE = {
    "@type": "Recipe",
    "recipeYield": ["4", "4 bowls"],
    "prepTime": "PT0H15M",
    "totalTime": "PT1H30M",
    "recipeIngredient": ["500 g dried beans", "2 tins of tomatoes"],
    "recipeInstructions": [{"@type": "HowToSection", "itemListElement": [{"text": "Soak the beans overnight."}]}],
}
QUESTION = {
    "@type": "Question",
    "name": "How long does it burn?",
    "acceptedAnswer": {"text": f"<p>Two days.</p><p>{STORY[1]} {STORY[2]}</p>"},
}


def settled(source, data, chosen=lambda text: False):
    root = html.parse_html(f'<script type="application/ld+json">{json.dumps(data)}</script>{source}')
    page = cutting.cut(root)
    keep = [chosen(block.text) for block in page.blocks]
    run_rows("keep_questions_and_recipes", "keep_questions_and_recipes", page, keep, head.read(root))
    return [block.text for block, is_kept in zip(page.blocks, keep) if is_kept]


def test_a_question_is_kept_with_its_answer():
    source = f"<h3>How long does it burn?</h3><p>Two days.</p><p>{STORY[1]}</p><p>Two days</p><p>Two nights.</p>"
    assert settled(source, QUESTION) == ["How long does it burn?", "Two days.", STORY[1], "Two days"]


@pytest.mark.parametrize(
    "source",
    [
        "<li><a href=#q>How long does it burn?</a>",
        "<li>How long does it burn?" * 3,
        "<p>How long does it burn in the rain?",
    ],
)
def test_a_list_of_questions_without_answers_is_not_kept(source):
    assert settled(source, QUESTION) == []


def test_ingredients_and_steps_of_a_recipe_are_kept():
    parts = "<li>500 g dried beans</li><li>2 tins of tomatoes</li><p>Soak the beans overnight.</p>"
    kept = ["500 g dried beans", "2 tins of tomatoes", "Soak the beans overnight."]
    assert settled(f"{parts}<p>4 years ago", RECIPE) == kept


def test_a_blank_line_in_the_data_matches_no_row_of_stars():
    recipe = {**RECIPE, "recipeInstructions": "Soak the beans overnight.\n\nBoil them."}
    assert settled("<p>Soak the beans overnight.</p><p>* * *</p>", recipe) == ["Soak the beans overnight."]


def test_recipe_facts_that_the_text_lacks_are_added():
    source = f'<script type="application/ld+json">{json.dumps(RECIPE)}</script><h1>Chili</h1>'
    extraction = extract(source + "".join(f"<p>{text}</p>" for text in STORY) + "<p>Total: 1 h 30 min</p>")
    assert extraction.markdown.endswith("Yield: 4 bowls\nPreparation: 15 min\n")
    assert "4 bowls" not in extraction.text


def test_a_yield_that_begins_with_p_is_no_duration():
    recipe = {**RECIPE, "recipeYield": "Portions: 4", "prepTime": "P1D"}
    source = f'<script type="application/ld+json">{json.dumps(recipe)}</script><h1>Chili</h1>'
    extraction = extract(source + "".join(f"<p>{text}</p>" for text in STORY))
    assert "Yield: Portions: 4" in extraction.markdown
    assert "P1D" not in extraction.markdown


EVENT = {
    "@type": "MusicEvent",
    "name": "Songs of six islands",
    "startDate": "2026-11-14T19:30:00+01:00",
    "endDate": "2026-11-14T21:30:00+01:00",
    "location": {
        "@type": "Place",
        "name": "Annenkirche",
        "address": {"streetAddress": "Hafenstraße 12", "postalCode": "18055", "addressLocality": "Rostock"},
    },
}
WHEN = "When: 2026-11-14 19:30 \u2013 21:30"
WHERE = "Where: Annenkirche, Hafenstraße 12, 18055, Rostock"
ABOUT = "".join(f"<p>{text}</p>" for text in STORY)


def markdown_of(data, above=""):
    script = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    return extract(f"<title>Songs</title>{script}<main><h1>Songs of six islands</h1>{above}{ABOUT}</main>").markdown


@pytest.mark.parametrize("data", [EVENT, [EVENT], {"@graph": [{"@type": "WebPage"}, EVENT]}])
def test_day_time_and_place_of_an_event_are_added_if_the_text_lacks_them(data):
    assert markdown_of(data).rstrip().endswith(f"{WHEN}\n{WHERE}")


@pytest.mark.parametrize(
    ("line", "lacks"),
    [
        ("The choir sings on Saturday, 14 November 2026 at 7:30 pm, in the Annenkirche, Hafenstraße 12.", []),
        ("Der Chor singt am Samstag, dem 14. November 2026, um 19.30 Uhr in der Annenkirche, Hafenstraße 12.", []),
        ("Le chœur chante le 14 novembre 2026 à 19h30 devant un public venu de loin, dit-on dans la ville.", [WHERE]),
        ("The choir sings on 14 November 2026 in the Annenkirche, Hafenstraße 12, before guests from afar.", [WHEN]),
    ],
)
def test_facts_of_an_event_that_the_text_has_are_not_added(line, lacks):
    markdown = markdown_of(EVENT, f"<p>{line}</p>")
    assert [fact for fact in (WHEN, WHERE) if fact in markdown] == lacks


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"startDate": "2026-11-14", "endDate": "2026-11-16"}, "When: 2026-11-14 \u2013 2026-11-16"),
        ({"endDate": None, "location": "Town hall"}, "Where: Town hall"),
        (
            {"location": [{"name": "Quay", "address": "1 Harbour Road, Falmouth"}]},
            "Where: Quay, 1 Harbour Road, Falmouth",
        ),
        ({"location": {"name": "&nbsp;", "address": {"addressLocality": "Kiel"}}}, "Where: Kiel\n"),
        ({"startDate": 7, "location": {"name": ["a"]}}, ""),
    ],
)
def test_other_forms_of_event_data_are_read(changes, line):
    assert line in markdown_of({**EVENT, **changes})


def test_a_calendar_of_events_adds_nothing():
    assert "When:" not in markdown_of([EVENT, {**EVENT, "name": "Songs of the seventh island"}])
