"""Pinned floors on a tenth of the corpus, where that lies beside the repository. The model has seen these pages."""

import pathlib
import time

import pytest
from bench.extraction import corpus, measures

from webtool.extraction import extract

pytestmark = pytest.mark.skipif(
    not (pathlib.Path(corpus.ROOT) / "ground-truth.jsonl.gz").exists(),
    reason="no ../shared/corpus beside the repository",
)

FLOORS = {"f1": 0.90, "precision": 0.88, "recall": 0.93, "with": 0.85, "without": 0.80}
ARTICLES = 0.955
SECONDS = 10.0  # a bound for any single page on a loaded machine; the measured worst is in the benchmark


@pytest.fixture(scope="module")
def results():
    rows = []
    for row in corpus.rows()[::10]:
        page = corpus.html(row["id"])
        start = time.process_time()
        kept = extract(page, row["url"])
        seconds = time.process_time() - start
        values = measures.measure(kept.text, row["main_content"], row["with"], row["without"])
        rows.append((row["page_type"], seconds, kept, dict(zip(measures.COLUMNS, values))))
    return rows


def mean(values):
    values = list(values)
    return sum(values) / len(values)


@pytest.mark.parametrize("column", FLOORS)
def test_means_stay_above_the_floor(results, column):
    assert mean(values[column] for _, _, _, values in results) >= FLOORS[column]


def test_articles_stay_above_their_floor(results):
    assert mean(values["f1"] for kind, _, _, values in results if kind == "article") >= ARTICLES


def test_no_page_takes_long(results):
    assert max(seconds for _, seconds, _, _ in results) < SECONDS


def test_most_pages_need_no_fallback(results):
    assert mean(kept.strategy_used == "readability" for _, _, kept, _ in results) > 0.97


def test_titles_are_found(results):
    assert mean(bool(kept.title) for _, _, kept, _ in results) > 0.97
