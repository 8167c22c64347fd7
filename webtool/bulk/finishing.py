"""Finish the folder of a crawl. In: the folder, the crawl's scope, what is left. Out: counts; files of the folder.

Links between saved pages become relative in all files, and index.md and the manifest are written. A row is one line of
the manifest: folder.STATUSES lists its statuses. index.md reads like a table of contents: in the site's order, nested
by paths, and without the site's name, which most titles repeat.
Tests: tests/bulk/test_site.py, tests/bulk/test_folder.py
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable

from webtool.answers.reading import retargeted
from webtool.bulk.folder import ABOUT_FILE, INDEX, MANIFEST, STATUSES, Folder, Row, relative
from webtool.bulk.scope import Scope, is_late
from webtool.errors import InvalidUrl, counted
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any
from webtool.urls.hosts import percent_decode

_FOLDER_PAGES = ("index", "package-summary")  # names of files that are the page of their folder; javadoc's is the last
_MAX_TITLE = 200  # characters
_ICONS = patterns.compile("[\ue000-\uf8ff]+")  # characters of icon fonts: the sign of a link to a heading
_MARKUP = patterns.compile(r"[\\`*_\[\]<>]")
# The site's name is an ending or beginning that this many titles have, and a fifth of all.
_MIN_SHARED = 3
_MIN_SHARE = 0.2
# "Install[ - Kettle]", "Install[ (Kettle)]"
_ENDING = patterns.compile(r".*\S((?: [-\u2013\u2014|\xb7:\u2022\xbb]+ | \().*)\Z")
_BEGINNING = patterns.compile(r"(.{1,60}?(?: [-\u2013\u2014|\xb7\u2022\xbb]|:) )")  # "[Kettle: ]Install"


class _Node(NamedTuple):
    """One part of a path in the list of pages."""

    children: dict[str, Any]  # part below it: _Node
    links: list[str]  # to the pages at this path


def finish(folder: Folder, scope: Scope, run: int, left: Iterable[str]) -> dict[str, int]:
    """Finish a run, in which the addresses `left` were not opened. Returns numbers of addresses by status.

    The manifest keeps all rows with a file, and of the rows without a file those that this run wrote.
    """
    rows = {url: row for url, row in folder.rows.items() if row.get("file") or row.get("run") == run}
    for key in left:
        rows[key] = {**rows.get(key, {"url": key}), "status": "left"}
    for url, row in rows.items():
        original = _original(rows, url)
        if row["status"] == "duplicate" and "file" in row and "file" not in original:
            # Its file is the last copy, until the page that it leads to is saved.
            row["status"], target = original.get("status", ""), row.pop("same_as", "another page")
            if row["status"] != "left":
                row.update(status="failed", error_code=original.get("error_code", InvalidUrl.code))
                row["error"] = f"it leads to {target}, which is not saved"
    start = scope.key(scope.start.href)
    pages = [row for row in _in_order(rows, start) if row.get("file") and row["status"] != "duplicate"]
    originals = {url: _original(rows, url) for url in rows}
    files = {url: original["file"] for url, original in originals.items() if "file" in original}
    # The files of pages that have become copies of others: name -> name of the other's file.
    moved = [(url, row) for url, row in rows.items() if row["status"] == "duplicate" and "file" in row]
    copies = {row["file"]: files[url] for url, row in moved}
    for _, row in moved:
        for name in ABOUT_FILE:
            row.pop(name, None)
    for row in pages:
        _make_relative(folder, scope, row["file"], files, copies)
    for name in copies:
        folder.remove(name)
    counts = {"changed": sum(row.pop("is_changed", False) for row in pages), **dict.fromkeys(STATUSES, 0)}
    for row in rows.values():
        counts[row["status"]] += 1
    unsaved = sum(row["status"] == "left" and not row.get("file") for row in rows.values())
    start_title = next((row.get("title", "") for row in pages if row["file"] == files.get(start)), "")
    text = _index_text(pages, title_as_markdown(start_title, scope.start.host or ""), scope.prefix, unsaved)
    folder.write(INDEX, text.encode("utf-8", "replace"))
    folder.finish(rows.values())
    return counts


def _original(rows: dict[str, Row], url: str) -> Row:
    """Return the row of the page that has an address's text, {} without one.

    A page may redirect to another, which is a copy of a third.
    """
    row = rows[url]
    for _ in range(2):
        if row.get("status") == "duplicate":
            row = rows.get(row.get("same_as", ""), {})
    return {} if row.get("status") == "duplicate" else row


def _make_relative(folder: Folder, scope: Scope, name: str, files: dict[str, str], copies: dict[str, str]) -> None:
    """Make the links of a file to other saved pages relative. `files` has the file of each address.

    In a page that did not change, the links are relative already; those to one of `copies` lead to its original.
    """
    front_matter, line, text = (folder.read(name) or b"").decode("utf-8", "replace").partition("\n---\n")
    if scope.prefix.rstrip("/") not in text and not copies:  # the start page may be /docs, without a slash
        return

    def target(url: str) -> str:
        address, mark, fragment = url.partition("#")
        if "://" in address:
            other = files.get(address) or files.get(scope.key(address))
        else:
            other = copies.get(posixpath.normpath(posixpath.join(posixpath.dirname(name), percent_decode(address))))
        if other == name and mark:
            return mark + fragment
        return relative(other, name) + mark + fragment if other else url

    folder.write(name, (front_matter + line + retargeted(text, target)).encode("utf-8", "replace"))


def _in_order(rows: dict[str, Row], start: str) -> list[Row]:
    """Return the rows in the site's order: each page is followed by those that it was the first to link to."""
    stack = [*reversed(list(rows)), start]
    ordered: dict[str, Row] = {}
    while stack:
        url = stack.pop()
        if url in rows and url not in ordered:
            ordered[url] = rows[url]
            if rows[url]["status"] != "sitemap":  # a sitemap lists pages by date or name, not in the site's order
                links = sorted(rows[url].get("links", ()), key=is_late)
                stack += [*reversed(links), rows[url].get("same_as", "")]
    return sorted(ordered.values(), key=lambda row: is_late(row["url"]))


def _index_text(pages: list[Row], heading: str, prefix: str, unsaved: int) -> str:
    """Return the file for pages in the site's order; `unsaved` others were found."""
    titles = [row.get("title", "") for row in pages]
    listed = []
    for row, title in zip(pages, without_site_name(titles)):
        shown = title_as_markdown(title, posixpath.basename(row["file"])[:-3])
        listed.append((row["file"], shown + " (gone from the site)" * (row["status"] == "gone")))
    about = f"{counted(len(pages), 'page')} of <{prefix}>, saved by webtool."
    about += f" More were found and not saved; {MANIFEST} lists them." if unsaved else ""
    return list_of_pages(listed, heading, about)


def list_of_pages(pages: list[tuple[str, str]], heading: str, about: str) -> str:
    """Return links to (file, title) in the site's order, nested by path; api.md is the page of the folder api/.

    Folders with one folder and no page share a line. The files api.md, api/a.md, old/x/1.md, old/x/2.md give:

        - [API](api.md)
          - [A](api/a.md)
        - old/x/
          - [One](old/x/1.md)
          - [Two](old/x/2.md)
    """
    root = _Node({}, [])
    for name, title in pages:
        parts = name[:-3].split("/")
        if parts[-1] in _FOLDER_PAGES and len(parts) > 1:
            parts.pop()
        node = root
        for part in parts:
            node = node.children.setdefault(part, _Node({}, []))
        node.links.append(f"[{title}]({relative(name, '')})")
    lines = [f"# {heading}", "", about, ""]
    stack = [(part, node, 0) for part, node in reversed(root.children.items())]
    while stack:
        part, node, level = stack.pop()
        while not node.links and len(node.children) == 1:
            inner = next(iter(node.children))
            part, node = f"{part}/{inner}", node.children[inner]
        lines += [f"{'  ' * level}- {link}" for link in node.links or [f"{_escaped(part)}/"]]
        stack += [(inner, child, level + 1) for inner, child in reversed(node.children.items())]
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    return _MARKUP.sub(lambda match: f"\\{match[0]}", text)


def title_as_markdown(title: str, name: str) -> str:
    """Return the text of a link to a page; a page without a title has its file's name."""
    return _escaped(" ".join(_ICONS.sub("", title).split())[:_MAX_TITLE] or name)


def without_site_name(titles: list[str]) -> list[str]:
    """Return titles without the part that many of them end or begin with: "Install - Kettle 2.1" -> "Install"."""
    for pattern, without in ((_ENDING, str.removesuffix), (_BEGINNING, str.removeprefix)):
        shared = Counter(match[1] for match in map(pattern.match, titles) if match)
        for part, count in shared.most_common(1):
            if count >= max(_MIN_SHARED, len(titles) * _MIN_SHARE):
                titles = [without(title, part) for title in titles]
    return titles
