"""Read the corpus. In: its folder. Out: ground truth as rows, pages as bytes, and groups of domains (the folds)."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", "..", "..", "..", "shared", "corpus", "wcxb-dev"))
GROUPS = 5  # folds of cross-validation


def rows() -> list[dict]:
    """Return the ground truth, one dictionary per page; exit with status 2 and one line without a corpus."""
    path = os.path.join(ROOT, "ground-truth.jsonl.gz")
    if not os.path.exists(path):
        print(f"{path} is missing; tests/bench/README.md says how to get the corpus", file=sys.stderr)
        sys.exit(2)
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def html(page_id: str) -> bytes:
    """Return the bytes of a page as it was fetched."""
    with gzip.open(os.path.join(ROOT, "html", f"{page_id}.html.gz")) as file:
        return file.read()


def group(row: dict) -> int:
    """Return the fold of a page, from 0 on: pages of a domain share one, whatever the order of the corpus."""
    domain = (row["domain"] or row["id"]).lower()
    return int(hashlib.sha256(domain.encode()).hexdigest(), 16) % GROUPS
