"""Finish the folder of a crawl. In: the folder, the crawl's scope, what is left. Out: counts; files of the folder.

Links between saved pages become relative in all files, and index.md and the manifest are written. A row is one line of
the manifest: folder.STATUSES lists its statuses.
Tests: tests/bulk/test_site.py
"""

from __future__ import annotations

from collections.abc import Iterable

from webtool.answers.views import retargeted
from webtool.bulk import contents
from webtool.bulk.folder import INDEX, STATUSES, Folder, relative
from webtool.bulk.scope import Scope


def finish(folder: Folder, scope: Scope, run: int, left: Iterable[str]) -> dict[str, int]:
    """Finish a run, in which the addresses `left` were not opened. Returns numbers of addresses by status.

    The rows of pages that have a file are kept, whichever run wrote them; of other rows, those of this run.
    """
    rows = {url: row for url, row in folder.rows.items() if row.get("file") or row.get("run") == run}
    for key in left:
        rows[key] = {**rows.get(key, {"url": key}), "status": "left"}
    pages = [row for row in contents.in_order(rows, scope.key(scope.start.href)) if row.get("file")]
    files = {row["url"]: row["file"] for row in pages}
    for _ in range(2):  # twice, since `same_as` may name a row that has a `same_as` itself: a copy, then a redirect
        files.update((url, files[row["same_as"]]) for url, row in rows.items() if row.get("same_as") in files)
    for row in pages:
        _make_relative(folder, scope, row["file"], files)
    counts = {"changed": sum(row.pop("is_changed", False) for row in pages), **dict.fromkeys(STATUSES, 0)}
    for row in rows.values():
        counts[row["status"]] += 1
    unsaved = sum(row["status"] == "left" and "file" not in row for row in rows.values())
    text = contents.index_text(pages, scope.start.host or "", scope.prefix, unsaved)
    folder.write(INDEX, text.encode("utf-8", "replace"))
    folder.finish(rows.values(), is_whole=True)
    return counts


def _make_relative(folder: Folder, scope: Scope, name: str, files: dict[str, str]) -> None:
    """Make the links of a file to other saved pages relative. `files` has the file of each address."""
    head, line, text = (folder.read(name) or b"").decode("utf-8", "replace").partition("\n---\n")
    if scope.prefix not in text:
        return

    def target(url: str) -> str:
        address, mark, fragment = url.partition("#")
        other = files.get(address) or (files.get(scope.key(address)) if "://" in address else None)
        if other == name and mark:
            return mark + fragment
        return relative(other, name) + mark + fragment if other else url

    folder.write(name, (head + line + retargeted(text, target)).encode("utf-8", "replace"))
