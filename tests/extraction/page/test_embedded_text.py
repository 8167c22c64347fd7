"""Text that only data holds."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.extraction import extract

SENTENCE = "The kiln is fired with beech wood for two days, and nobody sleeps much while it burns. "
LONG = SENTENCE * 6


def script(kind, value):
    return f'<body><div id=root></div><script type="{kind}">{json.dumps(value)}</script>'


HELD = [
    script("application/ld+json", {"@type": "Article", "articleBody": LONG}),
    script("application/ld+json", {"@graph": [{"@type": "Product", "name": "Kiln", "description": LONG}]}),
    script("application/json", {"props": {"page": {"body": f"<p>{LONG}</p><p>{SENTENCE}</p>", "id": "x" * 300}}}),
    script("application/json", {"a": [LONG, {"b": SENTENCE}]}),
]


@pytest.mark.parametrize("source", HELD)
def test_data_is_the_text_where_the_page_has_none(source):
    found = extract(source)
    assert found.strategy_used == "structured_data"
    assert SENTENCE.strip() in found.text
    assert SENTENCE.strip() in found.markdown
    assert "xxx" not in found.text


def test_visible_text_comes_first():
    source = f"<p>{LONG * 2}</p>" + script("application/ld+json", {"@type": "Article", "articleBody": "Other. " * 90})
    found = extract(source)
    assert found.strategy_used == "readability"
    assert "Other." not in found.text


STORY = [f"{name} {SENTENCE}".strip() for name in ("In May", "In June", "In July", "In August", "Today")]


def test_a_body_that_the_page_does_not_show_is_its_text():
    teaser = "<article><h1>The kiln</h1><p>" + "Only subscribers read how the kiln is fired this year, and why. " * 8
    data = script("application/ld+json", {"@type": "NewsArticle", "articleBody": " ".join(STORY * 5)})
    found = extract(teaser + data)
    assert found.strategy_used == "structured_data"
    assert STORY[3] in found.text


def test_code_and_addresses_are_no_prose():
    source = script(
        "application/json",
        {"a": "function (x) { return 'a b c d e f g h i j k l m n'; }" * 9, "b": "http://x.example/" + "y" * 300},
    )
    assert extract(source).text == ""


def test_a_page_of_a_few_words_gives_its_longest_description_too():
    long = "All that there is, told at the length that a preview of the page in another place may have."
    metas = f'<meta name=description content="All that\u2026"><meta property="og:description" content="{long}">'
    assert extract(f"{metas}<p>Sign in").text == f"{long}\n\nSign in"
    assert extract(f"{metas}<p>{'Tea is made of leaves. ' * 20}").text.startswith("Tea is")


def test_a_page_without_text_gives_its_description():
    assert extract("<meta name=description content='All that there is.'>").text == "All that there is."


@given(
    st.recursive(
        st.one_of(st.none(), st.text(max_size=90), st.integers()),
        lambda v: st.lists(v) | st.dictionaries(st.text(max_size=9), v),
        max_leaves=8,
    )
)
def test_any_data_is_survived(value):
    assert isinstance(extract(script("application/json", value)).text, str)
