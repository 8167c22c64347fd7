#!/usr/bin/env python3
"""Train model.bin on the corpus, with the same bytes each time, and cross-validate it by domain.

    python3 -m venv V && V/bin/pip install -r tests/bench/extraction/requirements.txt
    V/bin/python tests/bench/extraction/train.py            model.bin and the table of cross-validated figures
    V/bin/python tests/bench/extraction/train.py --check    compare with the present model.bin, write nothing
    V/bin/python tests/bench/extraction/train.py --folds F  write the models of cross-validation to folder F as well

Ground truth is made by people and programs, and on some pages it is wrong or a matter of taste. So five small forests
are trained first, each without one group of domains, and predict that group. A page whose ground truth they do not
predict counts less when the real forest is trained.

A model is three forests whose scores are averaged: how one forest judges a page of a rare kind is partly chance.
Figures of one set of seeds are off by chance. With more sets in SEEDS the figures and the calibration are those of all
sets together, while the model that ships has the first set, whatever the others reach. Each set adds six CPU minutes.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.normpath(os.path.join(HERE, "..", "..", ".."))]
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

try:
    import lightgbm
    import numpy as np
except ImportError as exc:
    print(f"{exc.name} is missing: V/bin/pip install -r tests/bench/extraction/requirements.txt", file=sys.stderr)
    sys.exit(2)

import corpus  # noqa: E402
import dataset  # noqa: E402
import evaluate  # noqa: E402
import export  # noqa: E402
import package  # noqa: E402

from webtool.extraction.model import model_file, scoring  # noqa: E402
from webtool.extraction.model.columns import features  # noqa: E402

SEED = 7
MAX_WORDS = 400  # of a block in its weight; a longer block weighs as much
MAX_BLOCKS = 700  # of a page in training, about; of a longer page some are skipped, evenly
MIN_TRUST = 0.25  # the weight of a page whose ground truth the small forests do not predict at all
COMMON = {
    "objective": "binary",
    "extra_trees": True,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "min_data_in_leaf": 60,
    "max_bin": 47,
    "seed": SEED,
    "deterministic": True,
    "force_col_wise": True,  # half the time of force_row_wise here
    "num_threads": 1,  # two processes train one model each
    "verbose": -1,
}
SMALL = {**COMMON, "learning_rate": 0.2, "num_leaves": 47}
# Fewer features to choose from make the trees of a forest differ more: on rare kinds of pages their mean is steadier.
LARGE = {**COMMON, "learning_rate": 0.3, "feature_fraction": 0.25, "num_leaves": 47}
SMALL_TREES = 60
LARGE_TREES = 50
SEEDS = ((9, 10, 15), (1, 2, 3), (4, 5, 6), (7, 8, 9))  # sets; how far their figures are apart is chance


def weights(page: dict) -> np.ndarray:
    """Return the weight of each block: by its words, the root of the page's sum, and the trust in its ground truth."""
    by_words = np.minimum(np.array(page["words"], dtype=float), MAX_WORDS) ** 0.8
    return by_words / (by_words.sum() ** 0.5 + 5) * page.get("trust", 1.0)


def fit(pages: list[dict], parameters: dict, trees: int) -> lightgbm.Booster:
    """Return a forest trained on these pages."""
    rows = [np.arange(0, len(page["words"]), 1 + len(page["words"]) // MAX_BLOCKS) for page in pages]
    data = np.concatenate([page["matrix"][kept] for page, kept in zip(pages, rows)])
    target = np.concatenate([(page["shares"] >= 0.5)[kept] for page, kept in zip(pages, rows)])
    scale = [len(page["words"]) / len(kept) for page, kept in zip(pages, rows)]
    weight = np.concatenate([weights(page)[kept] * factor for page, kept, factor in zip(pages, rows, scale)])
    table = lightgbm.Dataset(data, label=target.astype(np.float32), weight=weight / weight.mean())
    return lightgbm.train(parameters, table, trees)


def without_each_group(pages: list[dict], parameters: dict, trees: int) -> list[np.ndarray]:
    """Return for each page its blocks' probabilities by a forest that saw no page of its group."""
    chances: list[np.ndarray] = [np.zeros(0)] * len(pages)
    for group in range(corpus.GROUPS):
        forest = fit([page for page in pages if page["group"] != group and page["words"]], parameters, trees)
        for i, page in enumerate(pages):
            if page["group"] == group and page["words"]:
                chances[i] = forest.predict(page["matrix"])
    return chances


def learn(folder: str = "") -> bytes:
    """Return the whole of model.bin. Prints the cross-validated figures; writes their models to `folder` if given."""
    rows = corpus.rows()
    pages, lexicons = dataset.build(rows)
    chances = without_each_group(pages, SMALL, SMALL_TREES)
    for page, of_page in zip(pages, chances):
        page["trust"] = MIN_TRUST + (1 - MIN_TRUST) * evaluate.block_f1(page, of_page)
    models = cross_models(pages, lexicons)
    if folder:
        os.makedirs(folder, exist_ok=True)
    for group, model in enumerate(models[0] if folder else []):
        with open(os.path.join(folder, f"{group}.bin"), "wb") as file:
            file.write(model)
    results = evaluate.whole(rows, models)
    calibration = evaluate.calibration(results)
    print("F1 of each set of seeds:", *evaluate.f1_by_seeds(results))
    print(evaluate.table(results), evaluate.worst(results), sep="\n\n", flush=True)
    print(f"the words of the markdown: F1 {evaluate.f1_of_markdown(results):.4f}")
    print(f"confidence is off by {evaluate.error_outside(results):.3f} on average of ten bins, on other domains")
    provenance = {
        "corpus": "WCXB (Web Content eXtraction Benchmark), development half, Murrough Foley, 2026",
        "licence": "CC-BY-4.0",
        "pages": len(rows),
        "seeds": SEEDS,
        "trees": LARGE_TREES * len(SEEDS[0]),
        "features": list(features.NAMES),
        "lightgbm": lightgbm.__version__,
        "cross_validated": evaluate.figures(results),
    }
    return _model(pages, lexicons, None, SEEDS[0], calibration, provenance)


def cross_models(pages: list[dict], lexicons: dict, processes: int = 2) -> list[list[bytes]]:
    """Return for each set of seeds the models of the groups: each is trained without one group."""
    jobs = [(group, seeds) for seeds in SEEDS for group in range(corpus.GROUPS)]
    with multiprocessing.get_context("spawn").Pool(processes, _share, (pages, lexicons)) as pool:
        models = pool.map(_model_of, jobs, chunksize=1)
    return [models[i : i + corpus.GROUPS] for i in range(0, len(models), corpus.GROUPS)]


_shared: list = []  # in a process of cross_models: the pages and their lexicons


def _share(pages: list[dict], lexicons: dict) -> None:
    _shared[:] = pages, lexicons


def _model_of(job: tuple[int, tuple[int, ...]]) -> bytes:
    return _model(_shared[0], _shared[1], *job)


def _model(
    pages: list[dict],
    lexicons: dict,
    skip: int | None,
    seeds: tuple[int, ...],
    calibration: bytes = bytes(range(scoring.STEPS)) * len(scoring.KINDS),
    provenance: dict | None = None,
) -> bytes:
    """Return model.bin trained on all pages except those of one group. By default it promises what it computes."""
    seen = [page for page in pages if page["group"] != skip and page["words"]]
    forests = [fit(seen, {**LARGE, "seed": seed}, LARGE_TREES).dump_model() for seed in seeds]
    return package.pack(provenance or {}, lexicons[skip], calibration, export.to_bytes(export.mean(forests)))


def differences(present: bytes, data: bytes) -> str:
    """Return which sections of two model.bin differ. A changed rule alters figures and calibration, but no forest."""
    sections = [model_file._sections(zlib.decompress(model[4:])) for model in (present, data)]
    names = ("figures", "words", "phrases", "tokens", "calibration", "forest")
    return ", ".join(name for name, ours, theirs in zip(names, *sections) if ours != theirs)


def main() -> int:
    """Write or check model.bin."""
    path = os.path.join(os.path.dirname(model_file.__file__), "model.bin")
    arguments = sys.argv[1:]
    data = learn(arguments[arguments.index("--folds") + 1] if "--folds" in arguments else "")
    if "--check" in arguments:
        with open(path, "rb") as file:
            present = file.read()
        print(f"model.bin differs: {differences(present, data)}" if present != data else "model.bin is the same")
        return int(present != data)
    with open(path, "wb") as file:
        file.write(data)
    print(f"model.bin: {len(data)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
