"""Floors on pages of this project's own, of the seven kinds and ten languages, with all of the text that belongs."""

import json
import pathlib
import re
from collections import Counter

import pytest

from webtool.extraction import extract

FOLDERS = sorted(path.parent for path in pathlib.Path(__file__).parents[1].glob("cases/extraction/*/truth.json"))
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0eff]|[^\W\u3040-\u30ff\u3400-\u9fff\u0e00-\u0eff]+")
MIN_F1 = 0.9
MIN_MEANS = {
    "article": 0.97,
    "documentation": 0.985,
    "service": 0.99,
    "forum": 0.96,
    "listing": 0.99,
    "collection": 0.96,
}


def f1(text, truth):
    """Words, and single characters of scripts without spaces, as multisets."""
    ours, theirs = (Counter(_WORD.findall(each.lower())) for each in (text, truth))
    common = sum((ours & theirs).values())
    return 2 * common / (sum(ours.values()) + sum(theirs.values()))


def with_headline(truth, extraction):
    """The text as readers get it: a headline that the model left to the markdown alone is above it."""
    headline = truth["text"].partition("\n")[0]
    words, text = (" ".join(_WORD.findall(line.lower())) for line in (headline, extraction.text))
    is_said_once = " ".join(_WORD.findall(extraction.markdown.lower())).count(words) == 1
    return extraction.text if words in text or not is_said_once else f"{headline}\n{extraction.text}"


@pytest.fixture(scope="module")
def results():
    extractions = {}
    for folder in FOLDERS:
        truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
        extractions[folder.name] = truth, extract((folder / "page.html").read_bytes(), truth["address"])
    return extractions


def test_there_are_forty_pages_of_seven_kinds():
    kinds = {json.loads((folder / "truth.json").read_text(encoding="utf-8"))["kind"] for folder in FOLDERS}
    assert len(FOLDERS) >= 39
    assert len(kinds) == 7


@pytest.mark.parametrize("slug", [folder.name for folder in FOLDERS])
def test_a_page_keeps_its_content_and_little_else(results, slug):
    truth, extraction = results[slug]
    assert f1(with_headline(truth, extraction), truth["text"]) >= MIN_F1


@pytest.mark.parametrize("kind", [*MIN_MEANS, "product"])
def test_the_mean_of_a_kind_stays_above_its_floor(results, kind):
    values = [
        f1(with_headline(truth, extraction), truth["text"])
        for truth, extraction in results.values()
        if truth["kind"] == kind
    ]
    assert sum(values) / len(values) >= MIN_MEANS.get(kind, 0.965)


def test_most_furniture_is_gone(results):
    gone = [snippet not in extraction.text for truth, extraction in results.values() for snippet in truth["without"]]
    assert sum(gone) / len(gone) >= 0.95


def test_blocks_that_are_not_kept_are_listed(results):
    for truth, extraction in results.values():
        assert extraction.left_out, truth["text"][:40]
        assert 0.2 < extraction.kept_ratio < 1
