"""Cross-validate extract(). In: pages, and for each group of domains a model that saw no page of it. Out: a table.

The whole of extract() is measured, from the bytes of a page to text, with its rules and fallbacks. Only the trust in a
page's ground truth, which is needed before there are models, is measured by chosen blocks.
"""

from __future__ import annotations

import multiprocessing
from itertools import accumulate
from types import SimpleNamespace

import corpus
from measures import COLUMNS, TYPES, measure, unmarked, words

from webtool import html
from webtool.extraction import extract
from webtool.extraction.model import model_file, scoring
from webtool.extraction.page import head
from webtool.extraction.page.blocks import Grid, Page
from webtool.extraction.page.head import Head
from webtool.extraction.rules import manuals
from webtool.extraction.rules.choice import Choice


def block_f1(page: dict, chances) -> float:
    """Return the F1 of the blocks that probabilities choose on a page of dataset.py."""
    cut = Page()
    cut.blocks = [
        SimpleNamespace(text=text, words=count, link_words=0, container=place, nodes=())
        for text, count, place in zip(page["texts"], page["words"], page["places"])
    ]
    cut.sizes, cut.words = page["words"], [0, *accumulate(page["words"])]
    cut.element = [SimpleNamespace(tag=tag, attrs={}) for tag in page["element_tags"]]
    cut.parent, cut.first, cut.last = page["parent"], page["first"], page["last"]
    for i, tag in enumerate(page["element_tags"]):
        cut.by_tag.setdefault(tag, []).append(i)
    # Only elements tell data tables from layout tables, and they are not here: all tables count as data.
    cut.grids = [Grid(i, ()) for i in cut.by_tag.get("table", ())]
    code = sum(page["element_tags"][place] == "pre" for place in page["places"])
    cut.is_manual = code >= max(manuals.MIN_CODE_BLOCKS, manuals.MIN_CODE_SHARE * len(cut.blocks))
    evened = scoring.even_out(list(chances), page["groups"])
    chosen = scoring.choose(cut, evened)
    if cut.is_manual:
        manuals.keep_reference(Choice(cut, Head(), "", chosen, evened))
    kept = "\n".join(text for text, is_chosen in zip(page["texts"], chosen) if is_chosen)
    return measure(kept, page["truth"], [], [])[0]


def whole(rows: list[dict], models: list[list[bytes]], processes: int = 2) -> list[dict]:
    """Judge each page by its group's model of each set of models, with the whole of extract().

    Each result has the page's `values` (see COLUMNS), the `promised` F1 and the number of the set.
    """
    with multiprocessing.Pool(processes, _load, (models,)) as pool:
        return [result for of_page in pool.map(_judge, rows, chunksize=20) for result in of_page]


_models: list[list[model_file.Model]] = []


def _load(models: list[list[bytes]]) -> None:
    _models[:] = [[model_file.Model(data) for data in of_set] for of_set in models]


def _judge(row: dict) -> list[dict]:
    root = html.parse_page(corpus.html(row["id"]), scripting=True)
    kind = scoring.kind_of(head.read(root), row["url"])
    results = []
    for number, of_set in enumerate(_models):
        model_file.use(of_set[corpus.group(row)])
        extraction = extract(root, row["url"])
        result = {
            "id": row["id"],
            "set": number,
            "type": row["page_type"],
            "values": measure(extraction.text, row["main_content"], row["with"], row["without"]),
            "f1_of_markdown": measure(unmarked(extraction.markdown), row["main_content"], [], [])[0],
            "promised": None if extraction.no_content else extraction.confidence,
            "kind": kind,
            "group": corpus.group(row),
            "words": (len(words(row["main_content"])), len(words(extraction.text))),
        }
        results.append(result)
    return results


def f1_by_seeds(results: list[dict]) -> list[float]:
    """Return the mean F1 of each set of models."""
    sets = sorted({result["set"] for result in results})
    return [figures([result for result in results if result["set"] == number])["all"][0] for number in sets]


def figures(results: list[dict]) -> dict[str, list[float]]:
    """Return the mean values by page type, and of all pages ("all")."""
    by_type: dict[str, list[tuple[float, ...]]] = {}
    for result in results:
        by_type.setdefault(result["type"], []).append(result["values"])
        by_type.setdefault("all", []).append(result["values"])
    return {
        name: [round(sum(column) / len(rows), 4) for column in zip(*rows)] for name, rows in sorted(by_type.items())
    }


def table(results: list[dict]) -> str:
    """Return the figures as lines of text."""
    means = figures(results)
    lines = [f"{'cross-validated':22}" + "".join(f"{name:>11}" for name in COLUMNS)]
    for name in ("all", *TYPES):
        if name in means:
            lines.append(f"{name:22}" + "".join(f"{value:11.4f}" for value in means[name]))
    return "\n".join(lines)


def f1_of_markdown(results: list[dict]) -> float:
    """Return the mean F1 of the markdown's words; unlike the text, it has headline and prices."""
    return sum(result["f1_of_markdown"] for result in results) / len(results)


def worst(results: list[dict], count: int = 20) -> str:
    """Return the pages with the lowest F1 as lines of text."""
    first = [result for result in results if not result["set"]]
    rows = sorted((*result["values"][:3], result["id"], result["type"], *result["words"]) for result in first)
    line = "{:.2f} precision {:.2f} recall {:.2f}  {} {}, {} words of truth, {} kept"
    return "\n".join(line.format(*row) for row in rows[:count])


def calibration(results: list[dict]) -> bytes:
    """Return a table for each of scoring.KINDS: a byte for each promised F1 of 0, 0.01 ... 1, the F1 in hundredths.

    The F1 is the mean of choices that promised it, on pages of all kinds, and the mean error of the kind's pages is
    added. This is isotonic regression: neighbours in the wrong order are pooled (pool adjacent violators).
    """
    rows = [result for result in results if result["promised"] is not None]
    pools: list[list[float]] = []  # highest promise, sum of F1, number of choices
    for promise, value in sorted((row["promised"], row["values"][0]) for row in rows):
        pools.append([promise, value, 1])
        while len(pools) > 1 and pools[-2][1] * pools[-1][2] >= pools[-1][1] * pools[-2][2]:
            end, total, size = pools.pop()
            pools[-1] = [end, pools[-1][1] + total, pools[-1][2] + size]
    means = []
    for step in range(scoring.STEPS):
        _, total, size = next((pool for pool in pools if pool[0] >= step / 100), pools[-1])
        means.append(total / size)
    tables = []
    for kind in range(len(scoring.KINDS)):
        errors = [row["values"][0] - means[round(100 * row["promised"])] for row in rows if row["kind"] == kind]
        shift = sum(errors) / max(1, len(errors))
        tables.append(bytes(max(0, min(100, round(100 * (mean + shift)))) for mean in means))
    return b"".join(tables)


def error_outside(results: list[dict]) -> float:
    """Return the calibration error on pages outside of the domains that the calibration was made with.

    It is the mean distance of calibrated promise and F1 over ten bins, weighted by size.
    """
    bins: dict[int, list[tuple[float, float]]] = {}
    for group in range(corpus.GROUPS):
        table = calibration([result for result in results if result["group"] != group])
        for result in results:
            if result["group"] == group and result["promised"] is not None:
                promise = table[scoring.STEPS * result["kind"] + round(100 * result["promised"])] / 100
                bins.setdefault(min(9, int(promise * 10)), []).append((promise, result["values"][0]))
    distances = [abs(sum(p - value for p, value in pairs)) for pairs in bins.values()]
    return sum(distances) / max(1, sum(map(len, bins.values())))
