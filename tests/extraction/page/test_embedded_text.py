"""Text that a page holds only as data: JSON-LD, state of a single-page application, descriptions."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.extraction import extract

SENTENCE = "The kiln is fired with beech wood for two days, and nobody sleeps much while it burns. "
LONG = SENTENCE * 6


def script(kind, value):
    return f'<body><div id=root></div><script type="{kind}">{json.dumps(value)}</script>'


SOURCES = [
    script("application/ld+json", {"@type": "Article", "articleBody": LONG}),
    script("application/ld+json", {"@graph": [{"@type": "Product", "name": "Kiln", "description": LONG}]}),
    script("application/json", {"props": {"page": {"body": f"<p>{LONG}</p><p>{SENTENCE}</p>", "id": "x" * 300}}}),
    script("application/json", {"a": [LONG, {"b": SENTENCE}]}),
]


@pytest.mark.parametrize("source", SOURCES)
def test_text_in_data_is_used_if_the_page_shows_none(source):
    result = extract(source)
    assert result.strategy_used == "structured_data"
    assert SENTENCE.strip() in result.text
    assert SENTENCE.strip() in result.markdown
    assert "xxx" not in result.text


def test_visible_text_is_preferred_to_text_in_data():
    source = f"<p>{LONG * 2}</p>" + script("application/ld+json", {"@type": "Article", "articleBody": "Other. " * 90})
    result = extract(source)
    assert result.strategy_used == "readability"
    assert "Other." not in result.text


STORY = [f"{name} {SENTENCE}".strip() for name in ("In May", "In June", "In July", "In August", "Today")]


def test_an_article_body_that_the_page_cuts_short_replaces_its_text():
    teaser = "<article><h1>The kiln</h1><p>" + "Only subscribers read how the kiln is fired this year, and why. " * 8
    data = script("application/ld+json", {"@type": "NewsArticle", "articleBody": " ".join(STORY * 5)})
    result = extract(teaser + data)
    assert result.strategy_used == "structured_data"
    assert STORY[3] in result.text


def test_code_and_addresses_in_data_are_not_taken_for_prose():
    source = script(
        "application/json",
        {"a": "function (x) { return 'a b c d e f g h i j k l m n'; }" * 9, "b": "http://x.example/" + "y" * 300},
    )
    assert extract(source).text == ""


def test_a_page_of_few_words_begins_with_its_longest_description():
    long = "All that there is, given at the length that a preview of the page in another place may have."
    metas = f'<meta name=description content="All that\u2026"><meta property="og:description" content="{long}">'
    assert extract(f"{metas}<p>Sign in").text == f"{long}\n\nSign in"
    assert extract(f"{metas}<p>{'Tea is made of leaves. ' * 20}").text.startswith("Tea is")


def test_the_description_is_the_text_of_a_page_without_any():
    assert extract("<meta name=description content='All that there is.'>").text == "All that there is."


@given(
    st.recursive(
        st.one_of(st.none(), st.text(max_size=90), st.integers()),
        lambda v: st.lists(v) | st.dictionaries(st.text(max_size=9), v),
        max_leaves=8,
    )
)
def test_any_json_gives_a_text(value):
    assert isinstance(extract(script("application/json", value)).text, str)
