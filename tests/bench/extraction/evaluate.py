"""Cross-validated figures. In: pages of dataset.py with a chance per block. Out: means per page type, and a table."""

from __future__ import annotations

from types import SimpleNamespace

from measures import COLUMNS, TYPES, measure, words

from webtool.extraction import keep, scoring


def kept_text(page: dict, chances) -> str:
    """What extract() would keep of the page, block by block."""
    cut = SimpleNamespace(
        blocks=[
            SimpleNamespace(text=text, words=words, container=place)
            for text, words, place in zip(page["texts"], page["words"], page["places"])
        ],
        element=[SimpleNamespace(tag=tag) for tag in page["element_tags"]],
        parent=page["parent"],
        first=page["first"],
        last=page["last"],
    )
    kept = keep.settle(cut, scoring.choose(cut, scoring.even_out(list(chances), page["groups"])))
    return "\n".join(text for text, is_kept in zip(page["texts"], kept) if is_kept)


def f1(page: dict, chances) -> float:
    """The score of one page."""
    return measure(kept_text(page, chances), page["truth"], [], [])[0]


def figures(pages: list[dict], chances: list) -> dict[str, list[float]]:
    """Means by page type, and of all pages ("all")."""
    found: dict[str, list[tuple[float, ...]]] = {}
    for page, of_page in zip(pages, chances):
        row = measure(kept_text(page, of_page), page["truth"], page["with"], page["without"])
        found.setdefault(page["type"], []).append(row)
        found.setdefault("all", []).append(row)
    return {name: [round(sum(column) / len(rows), 4) for column in zip(*rows)] for name, rows in sorted(found.items())}


def table(pages: list[dict], chances: list, title: str) -> str:
    """The figures as lines of text."""
    found = figures(pages, chances)
    lines = [f"{title:22}" + "".join(f"{name:>11}" for name in COLUMNS)]
    for name in ("all", *TYPES):
        if name in found:
            lines.append(f"{name:22}" + "".join(f"{value:11.4f}" for value in found[name]))
    return "\n".join(lines)


def worst(pages: list[dict], chances: list, count: int = 20) -> str:
    """The pages with the lowest F1, as lines of text."""
    rows = []
    for page, of_page in zip(pages, chances):
        values = measure(kept_text(page, of_page), page["truth"], [], [])
        rows.append((*values[:3], page["id"], page["type"], len(words(page["truth"])), sum(page["words"])))
    line = "{:.2f} precision {:.2f} recall {:.2f}  {} {}, {} words of truth, {} on the page"
    return "\n".join(line.format(*row) for row in sorted(rows)[:count])
