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


def page_with_body(body, after=""):
    text = "".join(f"<p>{paragraph}</p>" for paragraph in STORY)
    data = script("application/ld+json", {"@type": "NewsArticle", "articleBody": body})
    return f"<title>The kiln</title><article><h1>The kiln</h1>{text}{after}</article>{data}"


def test_what_stands_below_the_end_of_the_body_that_the_data_have_is_not_of_it():
    below = "<p>Mara fires pots and writes of it.</p>"
    assert "Mara" in extract(page_with_body("Only a summary. " * 20, below)).text
    found = extract(page_with_body("&lt;" + "<br>".join(STORY).replace("kiln", "<i>kiln</i>"), below)).text
    assert "Mara" not in found
    assert all(paragraph in found for paragraph in STORY)


def test_a_body_of_which_the_data_have_the_beginning_alone_does_not_end_there():
    found = extract(page_with_body(" ".join(STORY[:3])))
    assert all(paragraph in found.text for paragraph in STORY)


def test_a_body_that_nobody_took_for_the_text_is_the_text():
    boxes = "".join(f"<nav class=menu><a href=/{i}>{paragraph}</a></nav>" for i, paragraph in enumerate(STORY))
    other = "<p>The workshop is open on Mondays. " * 9
    data = script("application/ld+json", {"@type": "NewsArticle", "articleBody": " ".join(STORY)})
    assert STORY[3] in extract(f"<article>{other}</article>{boxes}{data}").text


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
