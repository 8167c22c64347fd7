#!/usr/bin/env python3
"""Measure what each extraction rule is worth: run the corpus with one row of the rule table switched off at a time.

    python3 tests/bench/extraction/ablate.py [--every N] [--rows NAME ...] [--models FOLDER] [--pages]

First all pages run with the trace on, which tells the pages on which each rule changes something. Only those run again
without the rule. A difference is with minus without, in points of 100: above 0 the rule helps. Its standard error is
that of the mean of paired differences over all pages of the group, sd / sqrt(n). Judged by the model that ships, pages
are those that it learned from: it makes fewer mistakes there, so that a rule looks less useful than it is elsewhere.
`--models` names a folder with the models of cross-validation (train.py --folds FOLDER writes them), which is fairer.
Ends with the effects of two standard errors, and their p-values after Holm's correction for the number of rules.
"""

from __future__ import annotations

import argparse
import collections
import json
import math
import os
import pathlib
import re
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = pathlib.Path(HERE).parents[2]
sys.path[:0] = [HERE, str(ROOT / "tests" / "bench"), str(ROOT / "tests"), str(ROOT)]

import corpus  # noqa: E402
import measures  # noqa: E402
from bench import fidelity  # noqa: E402

from webtool import html  # noqa: E402
from webtool.extraction import extract  # noqa: E402
from webtool.extraction.article import Extraction  # noqa: E402
from webtool.extraction.model import model_file, scoring  # noqa: E402
from webtool.extraction.model.columns import features  # noqa: E402
from webtool.extraction.page import sources  # noqa: E402
from webtool.extraction.rules import cards, table  # noqa: E402

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

TABLE = table.TABLE
# Rule: rules that need what it keeps. It matters also on the pages on which one of these changes something.
FOLLOWERS = {"keep_headline": ("keep_kicker", "keep_standfirst")}
TEXT_FIGURES = ("f1", "markdown f1", "with", "without")
FIDELITY = (
    "wanted words", "numbers", "rows", "repeats", "code", "list items", "cells", "headings", "pictures", "formulas",
)  # fmt: skip
FIGURES = (*TEXT_FIGURES, *FIDELITY, "prices", "captions", "metadata")
FIELD = pathlib.Path(corpus.ROOT).parents[1] / "cases" / "field" / "web"
OWN = ROOT / "tests" / "cases" / "extraction"
MIN_ERRORS = 2.0  # standard errors; a smaller effect is taken for chance
MIN_SHARE = 0.9  # word F1 that an own page must have, as tests/extraction/test_pages.py asks
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0eff]|[^\W\u3040-\u30ff\u3400-\u9fff\u0e00-\u0eff]+")


_cut, _judge = sources.read, scoring.probabilities
_done: dict[str, object] = {}  # of the current page: how it is cut and judged, which no rule changes


def _cut_once(root):
    if "cut" not in _done:
        _done["cut"] = _cut(root)
    _done["cut"][0].headline = ()  # set by rules
    return _done["cut"]


def _judge_once(page, about, model):
    if "chances" not in _done:
        _done["chances"] = _judge(page, about, model)
    return _done["chances"]


sources.read, scoring.probabilities = _cut_once, _judge_once


class Page:
    """One page: its tree, and what it gives with all rules."""

    def __init__(self, source: bytes, address: str, row: dict | None = None) -> None:
        self.address, self.row = address, row or {}
        self.root = html.parse_page(source, scripting=True)
        self.source = source
        self.fired: set[str] = set()
        _done.clear()
        self.base = self.extract(self.fired)
        self.figures: dict[str, float] = {}
        self.facts: fidelity.Source | None = None

    def extract(self, fired: set[str] | None = None) -> Extraction:
        """Extract by the rules that are on; `fired` gets the names of those that change something."""
        report = (lambda change: fired.add(change.rule)) if fired is not None else None
        return extract(self.root, self.address, report=report)

    def needs(self, name: str) -> bool:
        """Return whether a rule, or one that builds on it, changes something here."""
        return any(not self.fired.isdisjoint((rule, *FOLLOWERS.get(rule, ()))) for rule in name.split("+"))

    def measure(self, extraction: Extraction) -> dict[str, float]:
        """Return one value a figure, 0 to 100; figures that the page does not have are left out."""
        row = self.row
        values = measures.measure(extraction.text, row["main_content"], row["with"], row["without"])
        f1, _, _, wanted, unwanted = values
        markdown_f1 = measures.score(measures.unmarked(extraction.markdown), row["main_content"])[0]
        shares = dict(zip(TEXT_FIGURES, (f1, markdown_f1, wanted, unwanted)))
        sums = fidelity.Sums()
        self.facts = self.facts or fidelity.Source(self.source)
        fidelity.measure(sums, row["id"], row["main_content"], self.facts, extraction.markdown)
        shares.update((name, kept / asked) for name, (kept, asked) in sums.pairs.items() if asked and name in FIDELITY)
        shares.update(_lines_kept(row["main_content"], self.facts, extraction.markdown))
        shares["metadata"] = float(metadata(extraction) == metadata(self.base))
        return {name: 100 * share for name, share in shares.items()}


def _lines_kept(truth: str, source: fidelity.Source, markdown: str) -> dict[str, float]:
    """Return the shares of wanted prices and of wanted captions that are in the answer."""
    answer = fidelity.squeeze(fidelity.plain(markdown))
    lines = [line.strip() for line in truth.split("\n")]
    prices = {fidelity.squeeze(line) for line in lines if cards.is_price(line)}
    wanted = {fidelity.squeeze(line) for line in lines}
    captions = {
        fidelity.squeeze(node.text) for node in fidelity.elements(source.root) if node.tag in ("caption", "figcaption")
    }
    asked = {"prices": prices - {""}, "captions": captions & wanted - {""}}
    return {name: sum(text in answer for text in texts) / len(texts) for name, texts in asked.items() if texts}


def metadata(extraction: Extraction) -> tuple[str, ...]:
    """Return what no rule should change."""
    names = ("title", "byline", "published", "language", "site_name", "excerpt")
    return tuple(getattr(extraction, name) for name in names)


def without(name: str) -> None:
    """Switch off one rule; "" switches all on."""
    table.TABLE = tuple(rule for rule in TABLE if rule.name not in name.split("+"))


def timed(seconds: dict[str, float]) -> None:
    """Let each rule count its CPU time, condition included."""

    def timing(rule: table.Rule) -> table.Rule:
        def measured(function):
            def call(choice):
                start = time.process_time()
                try:
                    return function(choice)
                finally:
                    seconds[rule.name] = seconds.get(rule.name, 0.0) + time.process_time() - start

            return call

        return rule._replace(apply=measured(rule.apply), when=measured(rule.when))

    table.TABLE = tuple(timing(rule) for rule in TABLE)


def use_model(models: list[model_file.Model], row: dict) -> None:
    """Judge a page by the model that has seen no page of its group, if there are such."""
    if models:
        model_file.use(models[corpus.group(row)])


class Result:
    """Paired differences of one rule: by (figure, page type) the sum, the sum of squares and the pages that moved."""

    def __init__(self) -> None:
        self.sums: dict[tuple[str, str], list[float]] = {}
        self.pages: list[tuple[str, float, float]] = []
        self.lost: list[str] = []

    def add(self, figure: str, kind: str, difference: float) -> None:
        for group in (kind, "all"):
            entry = self.sums.setdefault((figure, group), [0.0, 0.0])
            entry[0] += difference
            entry[1] += difference * difference

    def effect(self, figure: str, group: str, count: int) -> tuple[float, float]:
        """Return the mean difference over all `count` pages of the group and its standard error."""
        total, squares = self.sums.get((figure, group), (0.0, 0.0))
        mean = total / max(1, count)
        variance = max(0.0, squares - count * mean * mean) / max(1, count - 1)
        return mean, math.sqrt(variance / max(1, count))


def compare(page: Page, result: Result) -> None:
    """Add what a page loses without the rule that is switched off."""
    extraction = page.extract()
    base = page.base
    if (extraction.text, extraction.markdown, metadata(extraction)) == (base.text, base.markdown, metadata(base)):
        return
    page.figures = page.figures or page.measure(page.base)
    values = page.measure(extraction)
    for figure, value in page.figures.items():
        if value != values.get(figure, value):
            result.add(figure, page.row["page_type"], value - values[figure])
    result.pages.append((page.row["id"], page.figures["f1"], values["f1"]))


def cases() -> Iterator[tuple[str, Page, Callable[[Extraction], set[str]]]]:
    """Yield the project's own pages and the field cases of extract: name, page, demands."""
    for file in sorted(OWN.glob("*/truth.json")):
        truth = json.loads(file.read_text(encoding="utf-8"))
        page = Page((file.parent / "page.html").read_bytes(), truth["address"])
        yield f"own/{file.parent.name}", page, lambda extraction, truth=truth: _own_demands(extraction, truth)
    for file in sorted(OWN.glob("*.json")):
        case = json.loads(file.read_text(encoding="utf-8"))
        parts = case["with"], case["without"], case["markdown"]
        yield f"own/{file.stem}", Page(file.with_suffix(".html").read_bytes(), case["address"]), _demands(*parts)
    if (FIELD / "cases.json").exists():
        for case in json.loads((FIELD / "cases.json").read_text(encoding="utf-8")):
            if case["surface"] != "to_markdown":
                page = Page((FIELD / case["file"]).read_bytes(), case["base_url"])
                demands = _demands((), case.get("must_not_have", ()), case.get("must_have", ()))
                yield f"field/{case['file']}", page, demands


def _demands(
    wanted: Sequence[str], unwanted: Sequence[str], written: Sequence[str]
) -> Callable[[Extraction], set[str]]:
    """Return a check for parts of the text, parts that the markdown must not have, and parts that it must have."""

    def met(extraction: Extraction) -> set[str]:
        done = {f"text {part}" for part in wanted if part in extraction.text}
        done.update(f"not {part}" for part in unwanted if part not in extraction.markdown)
        done.update(f"markdown {part}" for part in written if part in extraction.markdown)
        return done

    return met


def _own_demands(extraction: Extraction, truth: dict) -> set[str]:
    """Return which snippets are gone, which lines of the truth are there, and whether the words have MIN_SHARE."""
    words, wanted = (_WORD.findall(text.lower()) for text in (extraction.text, truth["text"]))
    size = len(words) + len(wanted)
    met = {f"not {snippet}" for snippet in truth["without"] if snippet not in extraction.text}
    met.update(line for line in truth["text"].split("\n") if line in extraction.markdown)
    if size - _distance(words, wanted) >= MIN_SHARE * size:
        met.add("F1")
    return met


def _distance(left: list[str], right: list[str]) -> int:
    """Return how many entries of two lists have no equal in the other."""
    counts, others = collections.Counter(left), collections.Counter(right)
    return sum(((counts - others) + (others - counts)).values())


def p_value(mean: float, error: float) -> float:
    """Return the one-sided p-value of an improvement under the normal distribution."""
    return math.erfc(mean / error / math.sqrt(2)) / 2 if error else 1.0


def holm(p_values: dict[str, float], count: int) -> dict[str, float]:
    """Return p-values after Holm's correction for `count` comparisons."""
    corrected: dict[str, float] = {}
    worst = 0.0
    for rank, (name, p) in enumerate(sorted(p_values.items(), key=lambda pair: pair[1])):
        worst = max(worst, min(1.0, p * (count - rank)))
        corrected[name] = worst
    return corrected


def print_table(results: dict[str, Result], counts: dict[str, int], seconds: dict[str, float]) -> None:
    """Print one line a rule, then every figure that a rule improves by two standard errors."""
    print(f"{counts['all']} pages; points of 100 that are lost without the rule ± standard error\n")
    print("| rule | pages | F1 of text | F1 of markdown | with | without | cases lost | CPU ms a page |")
    print("|---|---:|---:|---:|---:|---:|---|---:|")
    for name, result in results.items():
        effects = [result.effect(figure, "all", counts["all"]) for figure in TEXT_FIGURES]
        cells = [f"{mean:+.3f} ± {error:.3f}" if error else "0" for mean, error in effects]
        cost = 1000 * seconds.get(name, 0.0) / max(1, counts["all"])
        print(f"| {name} | {len(result.pages)} | {' | '.join(cells)} | {', '.join(result.lost) or '-'} | {cost:.2f} |")
    print_effects(results, counts)


def print_effects(results: dict[str, Result], counts: dict[str, int]) -> None:
    """Print the figures that move by MIN_ERRORS, with Holm's correction for the number of rules."""
    print(f"\nEffects of {MIN_ERRORS:.0f} standard errors; p is one-sided, after Holm for {len(results)} rules")
    print("\n| rule | figure | pages of | points | errors | p | p after Holm |\n|---|---|---|---:|---:|---:|---:|")
    lines: list[tuple[float, float, str]] = []
    for figure in FIGURES:
        for group, count in counts.items():
            effects = {name: result.effect(figure, group, count) for name, result in results.items()}
            p_values = {name: p_value(*effect) for name, effect in effects.items()}
            corrected = holm(p_values, len(results))
            for name, (mean, error) in effects.items():
                if error and abs(mean) >= MIN_ERRORS * error:
                    after = f"{p_values[name]:.1e} | {corrected[name]:.1e}"
                    line = f"| {name} | {figure} | {group} | {mean:+.3f} | {mean / error:+.1f} | {after} |"
                    lines.append((corrected[name], p_values[name], line))
    print("\n".join(line for *_, line in sorted(lines)))


def main() -> int:
    """Run, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each Nth page")
    parser.add_argument("--rows", nargs="+", default=[], metavar="NAME", help="only these rules; A+B: both off at once")
    parser.add_argument("--models", metavar="FOLDER", help="models of cross-validation, 0.bin to 4.bin")
    parser.add_argument("--pages", action="store_true", help="name the pages that each rule changes, with both F1")
    options = parser.parse_args()
    if not os.path.exists(os.path.join(corpus.ROOT, "ground-truth.jsonl.gz")):
        print(f"no corpus in {corpus.ROOT}: tests/bench/extraction/README.md says where it comes from")
        return 1
    names = options.rows or [rule.name for rule in TABLE]
    unknown = {name for row in names for name in row.split("+")} - {rule.name for rule in TABLE}
    if unknown:
        parser.error(f"no such rows: {', '.join(sorted(unknown))}")
    models = [
        model_file.Model(pathlib.Path(options.models, f"{group}.bin").read_bytes())
        for group in range(corpus.GROUPS if options.models else 0)
    ]
    if any(feature >= len(features.NAMES) for model in models for feature, _ in model.forest.thresholds):
        parser.error(f"models in {options.models} need other columns: run train.py --folds {options.models} again")
    results = {name: Result() for name in names}
    seconds: dict[str, float] = {}
    counts = {"all": 0}
    for row in corpus.rows()[:: options.every]:
        use_model(models, row)
        timed(seconds)
        page = Page(corpus.html(row["id"]), row["url"], row)
        counts["all"] += 1
        counts[row["page_type"]] = counts.get(row["page_type"], 0) + 1
        for name in filter(page.needs, names):
            without(name)
            compare(page, results[name])
    model_file.use(model_file.Model(pathlib.Path(model_file.__file__).with_name("model.bin").read_bytes()))
    without("")
    for case, page, demands in cases():
        met = demands(page.base)
        for name in filter(page.needs, names):
            without(name)
            if met - demands(page.extract()):
                results[name].lost.append(case)
        without("")
    print_table(results, counts, seconds)
    if options.pages:
        for name, result in results.items():
            print(f"\n{name}: " + ", ".join(f"{key} {f1:.2f}/{f1_without:.2f}" for key, f1, f1_without in result.pages))
    print(f"\nCPU seconds: {time.process_time():.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
