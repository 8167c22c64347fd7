"""Turn the corpus into matrices. In: pages and ground truth. Out: features and labels of each page.

The lexicon for a page's features was learned from the other groups' domains, so that no page is judged by words and
class names of its own domain. Two processes hold half of the pages each; the result does not depend on that.
"""

from __future__ import annotations

import gc
import multiprocessing

import corpus
import labels
import lexicons
import numpy as np

from webtool import html
from webtool.extraction.model import lexicon, scoring
from webtool.extraction.model.columns import features
from webtool.extraction.page import head, sources


def build(rows: list[dict], processes: int = 2) -> tuple[list[dict], dict[int | None, dict[str, dict[str, int]]]]:
    """Return the pages in the order of rows, and {group: the lexicon learned without it}; None is for all groups."""
    workers = []
    for k in range(processes):
        ours, theirs = multiprocessing.Pipe()
        process = multiprocessing.Process(target=_work, args=(rows[k::processes], theirs))
        process.start()
        workers.append((process, ours))
    observed: dict[str, dict] = {}
    for _, pipe in workers:
        observed.update(pipe.recv())
    learned = {skip: _learn(rows, observed, skip) for skip in (*range(corpus.GROUPS), None)}
    for _, pipe in workers:
        pipe.send(learned)
    pages = {page["id"]: page for process, pipe in workers for page in _received(process, pipe)}
    return [pages[row["id"]] for row in rows], learned


def _received(process, pipe) -> list[dict]:
    pages = pipe.recv()
    process.join()
    return pages


def _learn(rows: list[dict], observed: dict, skip: int | None) -> dict[str, dict[str, int]]:
    return lexicons.learn([(row["domain"], observed[row["id"]]) for row in rows if corpus.group(row) != skip])


def _work(rows: list[dict], pipe) -> None:
    """Cut pages, send what they tell of words and names, receive the lexicons, send the pages' matrices."""
    gc.disable()
    cut = {row["id"]: _cut(row) for row in rows}
    gc.freeze()
    pipe.send({page_id: lexicons.observe(page, shares) for page_id, (page, _, shares) in cut.items()})
    lexicon_of = {group: lexicon.Lexicon(**scores) for group, scores in pipe.recv().items() if group is not None}
    pipe.send([_page(row, *cut[row["id"]], lexicon_of[corpus.group(row)]) for row in rows])


def _cut(row: dict):
    root = html.parse_page(corpus.html(row["id"]), scripting=True)
    page = sources.read(root)[0]
    return page, head.read(root), labels.label([block.text for block in page.blocks], row["main_content"])


def _page(row: dict, page, of_page, shares: list[float], names: lexicon.Lexicon) -> dict:
    columns = features.columns(page, of_page, names)
    matrix = np.array([np.frombuffer(column, dtype=np.uint8) for column in columns]).T
    return {
        "id": row["id"],
        "type": row["page_type"],
        "group": corpus.group(row),
        "truth": row["main_content"],
        "with": row["with"],
        "without": row["without"],
        "texts": [block.text for block in page.blocks],
        "words": [block.words for block in page.blocks],
        "shares": np.array(shares, dtype=np.float32),
        "matrix": matrix.reshape(len(page.blocks), len(features.NAMES)),
        "groups": scoring.groups(page),
        "places": [block.container for block in page.blocks],
        "first": page.first,
        "last": page.last,
        "element_tags": [element.tag for element in page.element],
        "parent": page.parent,
    }
