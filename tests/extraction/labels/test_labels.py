"""The files of labels: each line can be read, each phrase compiles, none is there twice."""

import pathlib
import re

import pytest

from webtool.extraction import labels

FOLDER = pathlib.Path(labels.__file__).parent
KINDS = sorted(path.stem for path in FOLDER.glob("*.txt"))
SOURCES = [path.read_text("utf-8") for path in FOLDER.parent.rglob("*.py")]
# ISO 639-1, and "mul" of ISO 639-2 for phrases of several languages.
LANGUAGES = set(
    "ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms mul nl no nb nn pl pt ro ru sk sl sv "
    "sw th tl tr uk ur vi zh".split()
)


@pytest.mark.parametrize("kind", KINDS)
def test_every_file_begins_with_a_sentence_about_its_phrases_and_an_example(kind):
    first = (FOLDER / f"{kind}.txt").read_text("utf-8").splitlines()[0]
    assert re.fullmatch("# .*[.]", first)
    assert "for example" in first or kind in labels.WORDS


@pytest.mark.parametrize("kind", KINDS)
def test_every_file_is_used(kind):
    assert any(f'"{kind}"' in source or f"'{kind}'" in source for source in SOURCES)


@pytest.mark.parametrize("kind", KINDS)
def test_every_line_has_a_known_language(kind):
    assert labels.read(kind).keys() <= LANGUAGES


@pytest.mark.parametrize("kind", KINDS)
def test_no_phrase_is_twice_in_a_kind(kind):
    phrases = [phrase for of_language in labels.read(kind).values() for phrase in of_language]
    if kind not in ("months", "by_in_language"):  # languages share words there
        assert len(set(phrases)) == len(phrases)


@pytest.mark.parametrize("kind", KINDS)
def test_every_phrase_is_an_expression_of_its_own(kind):
    for phrases in labels.read(kind).values():
        for phrase in phrases:
            assert phrase == phrase.strip() != ""
            re.compile(phrase)


def test_a_line_without_a_language_is_an_error():
    with pytest.raises(ValueError, match="not the line of a new language"):
        labels.parse("# Comment.\nread also | see also\n")


def test_two_lines_of_a_language_are_an_error():
    with pytest.raises(ValueError, match="not the line of a new language"):
        labels.parse("de: lies auch\nde: siehe auch\n")


def test_any_of_two_kinds_matches_the_phrases_of_both():
    pattern = re.compile(labels.any_of("read_also", "most_read"))
    assert pattern.fullmatch("lesen sie auch")
    assert pattern.fullmatch("most read")


@pytest.mark.parametrize("kind", ["months", "months_short"])
def test_every_language_has_twelve_months(kind):
    assert {len(names) for names in labels.words(kind).values()} == {12}


def test_words_are_listed_by_language():
    assert labels.words("networks")["zh"] == ["微信", "微博"]
