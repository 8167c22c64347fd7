"""The pages and their ground truth. In: the corpus folder. Out: rows as dictionaries, pages as bytes, domain groups."""

from __future__ import annotations

import gzip
import hashlib
import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", "..", "..", "..", "shared", "corpus", "wcxb-dev"))
GROUPS = 5


def rows() -> list[dict]:
    """The ground truth, one dictionary a page."""
    with gzip.open(os.path.join(ROOT, "ground-truth.jsonl.gz"), "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def html(page_id: str) -> bytes:
    """A page as it was fetched."""
    with gzip.open(os.path.join(ROOT, "html", f"{page_id}.html.gz")) as file:
        return file.read()


def group(row: dict) -> int:
    """The fold of a page: the same for all pages of a domain, whatever the order of the corpus."""
    domain = (row["domain"] or row["id"]).lower()
    return int(hashlib.sha256(domain.encode()).hexdigest(), 16) % GROUPS
