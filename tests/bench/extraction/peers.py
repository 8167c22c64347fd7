#!/usr/bin/env python3
"""Compare webtool with other extractors on the corpus: a table and a plot, with times in pairs.

    python3 -m venv V && V/bin/pip install -r tests/bench/extraction/requirements-peers.txt
    V/bin/python tests/bench/extraction/peers.py [--every N] [--svg FILE]

Every page goes through all extractors one after another in one process; CPU time is measured from bytes to text. The
ratio is the median over the pages of an extractor's time divided by webtool's. The row "webtool" uses the model that
has seen these pages. Compare the cross-validated figures, which model.bin has and the plot shows. Extractors that are
not installed are left out.
"""

from __future__ import annotations

import argparse
import importlib
import os
import statistics
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.normpath(os.path.join(HERE, "..", "..", ".."))]

import corpus  # noqa: E402
import measures  # noqa: E402
import plot  # noqa: E402


def _webtool():
    from webtool.extraction import extract

    return lambda page, _: extract(page).text


def _trafilatura():
    trafilatura = importlib.import_module("trafilatura")
    return lambda page, _: trafilatura.extract(page) or ""


def _trafilatura_metadata():
    trafilatura = importlib.import_module("trafilatura")

    def text(page, _):
        found = trafilatura.bare_extraction(page, with_metadata=True)
        return (found and found.text) or ""

    return text


def _readability():
    readability = importlib.import_module("readability")
    lxml_html = importlib.import_module("lxml.html")
    return lambda _, text: lxml_html.fromstring(readability.Document(text).summary()).text_content()


def _resiliparse():
    extract = importlib.import_module("resiliparse.extract.html2text")
    return lambda _, text: extract.extract_plain_text(text, main_content=True)


def _rs_trafilatura():
    module = importlib.import_module("rs_trafilatura")
    return lambda _, text: module.extract(text).main_content or ""


PEERS = {
    "webtool": _webtool,
    "trafilatura": _trafilatura,
    "trafilatura, with metadata": _trafilatura_metadata,
    "rs-trafilatura": _rs_trafilatura,
    "resiliparse": _resiliparse,
    "readability-lxml": _readability,
}


def load() -> dict:
    """Return the installed extractors by name."""
    extractors = {}
    for name, make in PEERS.items():
        try:
            extractors[name] = make()
        except ImportError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
    return extractors


def run(rows: list[dict], extractors: dict) -> dict[str, list[tuple]]:
    """Return by extractor (page type, seconds, F1, precision, recall, with, without) for each page."""
    results: dict[str, list[tuple]] = {name: [] for name in extractors}
    for extract in extractors.values():
        extract(b"<p>warm up</p>", "<html><body><p>warm up</p></body></html>")
    for row in rows:
        page = corpus.html(row["id"])
        text = page.decode("utf-8", "replace")
        for name, extract in extractors.items():
            start = time.process_time()
            try:
                kept = extract(page, text)
            except Exception as error:  # an extractor that fails on a page has kept nothing of it
                print(f"{name} on {row['id']}: {error!r}", file=sys.stderr)
                kept = ""
            seconds = time.process_time() - start
            values = measures.measure(kept, row["main_content"], row["with"], row["without"])
            results[name].append((row["page_type"], seconds, *values))
    return results


def table(results_of: dict[str, list[tuple]]) -> str:
    """Return the table in markdown."""
    lines = [
        "| extractor | F1 | precision | recall | with | without | "
        + " | ".join(measures.TYPES)
        + " | ms median | p95 | worst | ratio |",
        "|---|" + "---:|" * (9 + len(measures.TYPES)),
    ]
    own = [result[1] for result in results_of.get("webtool", [])]
    judged = measures.cross_validated_figures()
    if judged:
        cells = [f"{value:.3f}" for value in judged["all"]]
        cells += [f"{judged[kind][0]:.3f}" if kind in judged else "" for kind in measures.TYPES]
        lines.append("| webtool, cross-validated | " + " | ".join(cells) + " | | | | |")
    for name, results in results_of.items():
        seconds = [result[1] for result in results]
        cells = [f"{statistics.mean(result[i] for result in results):.3f}" for i in range(2, 7)]
        for kind in measures.TYPES:
            values = [result[2] for result in results if result[0] == kind]
            cells.append(f"{statistics.mean(values):.3f}" if values else "")
        ordered = sorted(seconds)
        cells += [
            f"{1000 * value:.1f}"
            for value in (statistics.median(ordered), ordered[int(0.95 * len(ordered))], ordered[-1])
        ]
        ratio = statistics.median(theirs / ours for theirs, ours in zip(seconds, own)) if own else 1.0
        lines.append(f"| {name} | " + " | ".join([*cells, f"{ratio:.2f}"]) + " |")
    return "\n".join(lines)


def main() -> int:
    """Print the table, write the plot."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--every", type=int, default=1, help="take every N-th page")
    parser.add_argument("--svg", default=os.path.join(HERE, "extraction.svg"))
    options = parser.parse_args()
    rows = corpus.rows()[:: options.every]
    results_of = run(rows, load())
    print(table(results_of))
    means = {name: statistics.mean(result[2] for result in results) for name, results in results_of.items()}
    milliseconds = {
        name: 1000 * statistics.median(result[1] for result in results) for name, results in results_of.items()
    }
    means["webtool"] = measures.cross_validated_figures().get("all", [means["webtool"]])[0]
    with open(options.svg, "w", encoding="utf-8") as file:
        file.write(plot.scatter(means, milliseconds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
