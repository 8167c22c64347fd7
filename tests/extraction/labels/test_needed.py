"""Words that a text must have before a pattern can match it."""

import re

import pytest

from webtool.extraction import labels
from webtool.extraction.labels import needed

# phrases, the words that they need
EXAMPLES = [
    (["sign up for our newsletter"], "sign up for our newsletter"),
    (["sign up for (?:our|the) newsletter"], "sign up for "),
    (["(?:sign up|subscribe).{0,60}newsletters?"], "newsletter"),
    (["(?:donate|give) (?:now|today)?"], "donate|give"),
    (["newsletters", "newsletter"], "newsletter"),
    (["e-?mail"], "mail"),
    (["[到至]您"], "您"),
    (["\\d+"], ""),
]


@pytest.mark.parametrize(("phrases", "words"), EXAMPLES)
def test_the_rarest_words_of_each_phrase_are_needed(phrases, words):
    assert needed.of_phrases(phrases) == words


def test_a_phrase_that_can_be_empty_needs_no_word():
    assert needed.of_phrases(["(?:now)?"]) == ""
    assert needed.of_phrases(["(?:now|)"]) == ""


# What each kind that is searched for matches.
TEXTS = {
    "asking": ["sign up for our weekly newsletter", "jetzt online spenden", "後援 뉴스레터를 구독", "支持我们100元"],
    "rights": ["all rights reserved", "责任编辑:李"],
    "disclaimer": ["the views expressed here are my own", "本文只代表作者观点"],
    "earlier_version": ["an earlier version of this article", "in einer früheren fassung", "em una versão"],
    "correction": ["corrections", "訂正", "fe de erratas"],
    "photo_credit_at_end": ["photo", "crédit photo"],
}


@pytest.mark.parametrize("kind", TEXTS)
def test_texts_that_match_have_a_needed_word(kind):
    words = labels.needed_words(kind).split("|")
    assert all(words)
    for text in TEXTS[kind]:
        if re.search(labels.any_of(kind), text):
            assert any(word in text for word in words), text
