#!/usr/bin/env python3
"""Learn webtool/extraction/model.bin from the corpus, the same to the byte each time, and cross-validate it by domain.

    python3 -m venv V && V/bin/pip install -r tests/bench/extraction/requirements.txt
    V/bin/python tests/bench/extraction/train.py            model.bin and the table of cross-validated figures
    V/bin/python tests/bench/extraction/train.py --check    compare with the model.bin that is there, write nothing

The second forest learns from scores that the first gave to pages it had not seen: five first forests are trained, each
without one group of domains, and judge that group. The same scores give the cross-validated figures.
"""

from __future__ import annotations

import os
import sys
from types import SimpleNamespace

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.normpath(os.path.join(HERE, "..", "..", ".."))]
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import corpus  # noqa: E402
import dataset  # noqa: E402
import evaluate  # noqa: E402
import export  # noqa: E402
import lightgbm  # noqa: E402
import numpy as np  # noqa: E402
import package  # noqa: E402

from webtool.extraction import around_columns, features, model  # noqa: E402

SEED = 7
MOST_WORDS = 400  # of one block, in its weight
MOST_BLOCKS = 700  # of one page in training: the rest are skipped evenly
COMMON = {
    "objective": "binary",
    "feature_fraction": 0.4,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "max_bin": 63,
    "seed": SEED,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 2,
    "verbose": -1,
}
FIRST = {**COMMON, "learning_rate": 0.09, "num_leaves": 31, "min_data_in_leaf": 60}
SECOND = {**COMMON, "learning_rate": 0.06, "num_leaves": 47, "min_data_in_leaf": 80}
FIRST_TREES = 180
SECOND_TREES = 260


def weights(page: dict) -> np.ndarray:
    """A block counts by its words, a page by the root of its own."""
    found = np.minimum(np.array(page["words"], dtype=float), MOST_WORDS) ** 0.8
    return found / (found.sum() ** 0.5 + 5)


def fit(pages: list[dict], matrices: list[np.ndarray], parameters: dict, trees: int) -> lightgbm.Booster:
    """One forest."""
    rows = [np.arange(0, len(page["words"]), 1 + len(page["words"]) // MOST_BLOCKS) for page in pages]
    data = np.concatenate([matrix[kept] for matrix, kept in zip(matrices, rows)])
    target = np.concatenate([(page["shares"] >= 0.5)[kept] for page, kept in zip(pages, rows)])
    weight = np.concatenate(
        [weights(page)[kept] * len(page["words"]) / max(1, len(kept)) for page, kept in zip(pages, rows)]
    )
    table = lightgbm.Dataset(data, label=target.astype(np.float32), weight=weight / weight.mean())
    return lightgbm.train(parameters, table, trees)


def without_each_group(pages, matrices, parameters, trees) -> list[np.ndarray]:
    """Each page's chances from a forest that saw no page of its group."""
    chances: list[np.ndarray] = [np.zeros(0)] * len(pages)
    for group in range(corpus.GROUPS):
        seen = [i for i, page in enumerate(pages) if page["group"] != group and len(page["words"])]
        forest = fit([pages[i] for i in seen], [matrices[i] for i in seen], parameters, trees)
        for i, page in enumerate(pages):
            if page["group"] == group and len(page["words"]):
                chances[i] = forest.predict(matrices[i])
    return chances


def with_around(page: dict, chances: np.ndarray) -> np.ndarray:
    """The page's matrix for the second forest."""
    if not len(page["words"]):
        return np.zeros((0, len(features.NAMES) + len(around_columns.NAMES)), dtype=np.uint8)
    cut = SimpleNamespace(
        blocks=[SimpleNamespace(words=w, container=c) for w, c in zip(page["words"], page["places"])],
        first=page["first"],
        last=page["last"],
    )
    chain = SimpleNamespace(wider=page["wider"], signature=page["signature"])
    found = around_columns.columns(cut, chain, chances.tolist(), page["tags"])
    return np.hstack([page["matrix"], np.array(found, dtype=np.uint8).T])


def learn() -> bytes:
    """The whole of model.bin; prints the cross-validated figures on the way."""
    rows = corpus.rows()
    pages, lexicon = dataset.build(rows)
    used = [i for i, page in enumerate(pages) if len(page["words"])]
    first = [page["matrix"] for page in pages]
    chances = without_each_group(pages, first, FIRST, FIRST_TREES)
    print(evaluate.table(pages, chances, "first forest"), flush=True)
    second = [with_around(page, found) for page, found in zip(pages, chances)]
    judged = without_each_group(pages, second, SECOND, SECOND_TREES)
    print(evaluate.table(pages, judged, "second forest"), flush=True)
    forests = []
    for matrices, parameters, trees in ((first, FIRST, FIRST_TREES), (second, SECOND, SECOND_TREES)):
        forest = fit([pages[i] for i in used], [matrices[i] for i in used], parameters, trees)
        forests.append(export.to_bytes(forest.dump_model()))
    provenance = {
        "corpus": "WCXB (Web Content eXtraction Benchmark), development half, Murrough Foley, 2026",
        "licence": "CC-BY-4.0",
        "pages": len(rows),
        "seed": SEED,
        "trees": [FIRST_TREES, SECOND_TREES],
        "features": [*features.NAMES, *around_columns.NAMES],
        "lightgbm": lightgbm.__version__,
        "cross_validated": evaluate.figures(pages, judged),
    }
    return package.pack(provenance, lexicon, forests)


def main() -> int:
    """Write or check model.bin."""
    path = os.path.join(os.path.dirname(model.__file__), "model.bin")
    data = learn()
    if "--check" in sys.argv[1:]:
        with open(path, "rb") as file:
            is_same = file.read() == data
        print("model.bin is the same" if is_same else "model.bin differs")
        return 0 if is_same else 1
    with open(path, "wb") as file:
        file.write(data)
    print(f"model.bin: {len(data)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
