#!/usr/bin/env python3
"""Measure programming references: how much of their main element extract() keeps, and how much it adds.

    python3 tests/bench/extraction/references.py FOLDER [--fetch]

FOLDER has unpacked packages of Debian 12, each in a folder of its name; --fetch downloads missing ones with apt-get
(about 90 MB). Missing packages are skipped and named. The main element is what each generator marks as such. Words are
counted as multisets, without menus, buttons and scripts.
"""

from __future__ import annotations

import glob
import os
import statistics
import sys
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import costs  # noqa: E402, which puts the checkout on sys.path
import measures  # noqa: E402

from webtool import html  # noqa: E402
from webtool.extraction import extract  # noqa: E402
from webtool.extraction.page import cutting  # noqa: E402
from webtool.html.node import Element  # noqa: E402

DOCUMENTS = {
    # package: (generator, attribute and value of the main element, pages below usr/share)
    "rust-doc": (
        "rustdoc",
        ("id", "main-content"),
        "doc/rust-doc/html/std/*/",
        "struct.Vec struct.HashMap enum.Option trait.Iterator fn.read_dir primitive.str",
    ),
    "nodejs-doc": ("Node", ("id", "apicontent"), "doc/nodejs/api/", "fs path events console http"),
    "libglib2.0-doc": (
        "gtk-doc",
        ("class", "refentry"),
        "gtk-doc/html/*/",
        "glib-Hash-Tables GIcon glib-Unicode-Manipulation",
    ),
    "libgtk-4-doc": (
        "gi-docgen",
        ("id", "main"),
        "doc/libgtk-4-doc/gtk4/",
        "class.Button class.Label method.Button.set_label",
    ),
    "python3.11-doc": ("Sphinx", ("class", "body"), "doc/python3.11/html/library/", "argparse os json email.header"),
    "python-flask-doc": ("Sphinx", ("class", "body"), "doc/python-flask-doc/html/", "api quickstart"),
    "python-jinja2-doc": ("Sphinx", ("class", "body"), "doc/python-jinja2-doc/html/", "api"),
    "cmake-doc": ("Sphinx", ("class", "body"), "doc/cmake-data/html/command/", "add_executable file"),
    "libtiff-doc": ("Sphinx", ("class", "body"), "doc/libtiff-doc/manual/functions/", "TIFFOpen"),
    "openjdk-17-doc": (
        "javadoc",
        ("tag", "main"),
        "doc/openjdk-17-jre-headless/api/java.base/java/*/",
        "ArrayList String Path",
    ),
    "libcommons-lang3-java-doc": (
        "javadoc",
        ("tag", "main"),
        "doc/libcommons-lang3-java/api/org/apache/commons/lang3/",
        "StringUtils BitField",
    ),
    "libeigen3-doc": (
        "Doxygen",
        ("class", "contents"),
        "doc/libeigen3-dev/html/",
        "classEigen_1_1SparseMatrix group__QuickRefPage",
    ),
    "libglibmm-2.4-doc": (
        "Doxygen",
        ("class", "contents"),
        "doc/libglibmm-2.4-doc/reference/html/",
        "classGio_1_1File classGlib_1_1Date",
    ),
    "golang-1.19-doc": ("Go", ("tag", "body"), "doc/golang-1.19-doc/html/", "go_mem go_spec"),
    "git-doc": ("man pages", ("id", "content"), "doc/git-doc/", "git-rebase git-log"),
    "libpam-doc": ("DocBook", ("class", "section"), "doc/libpam-doc/html/", "sag-pam_unix"),
    "postgresql-doc-15": (
        "DocBook",
        ("class", "refentry"),
        "doc/postgresql-doc-15/html/",
        "sql-select sql-createtable app-pgdump",
    ),
    "mkdocs-doc": ("MkDocs", ("role", "main"), "doc/mkdocs/html/*/", "configuration choosing-your-theme"),
    "bash-doc": ("Texinfo", ("tag", "body"), "doc/bash-doc/", "bashref"),
    "apache2-doc": ("httpd", ("id", "page-content"), "doc/apache2-doc/manual/en/mod/", "core mod_rewrite"),
}
_NOT_TEXT = frozenset(("nav", "button", "form"))


def pages(folder: str) -> list[tuple[str, tuple[str, str], str]]:
    """Return (generator, main element, path) for each page in the folder."""
    in_folder = []
    for package, (generator, main, place, names) in DOCUMENTS.items():
        paths = [
            path
            for name in names.split()
            for path in sorted(glob.glob(os.path.join(folder, package, "usr/share", place, f"{name}.html*")))[:1]
        ]
        if not paths:
            print(f"{package} is skipped: it is not in {folder}", file=sys.stderr)
        in_folder += [(generator, main, path) for path in paths]
    return in_folder


def main_text(root: Element, main: tuple[str, str]) -> str:
    """Return the text of the first element with the main element's mark, without menus and buttons."""
    name, value = main
    stack = [root]
    while stack:
        element = stack.pop()
        if value in ([element.tag] if name == "tag" else element.attrs.get(name, "").split()):
            skipped = {inner for inner in _elements(element) if inner.tag in _NOT_TEXT}
            return "\n".join(block.text for block in cutting.cut(element, skipped).blocks)
        stack.extend(child for child in reversed(element.children) if isinstance(child, Element))
    return ""


def _elements(root: Element) -> list[Element]:
    found = [root]
    for element in found:
        found.extend(child for child in element.children if isinstance(child, Element))
    return found


def judge(path: str, main: tuple[str, str]) -> tuple[float, float, int, Counter[str], Counter[str]]:
    """Return recall, precision, words of the main element, missing words, added words."""
    with open(path, "rb") as file:
        root = html.parse_html(file.read(), scripting=True)
    theirs = Counter(measures.words(main_text(root, main)))
    ours = Counter(measures.words(extract(root, "https://docs.example/reference").text))
    common = sum((ours & theirs).values())
    size = sum(theirs.values())
    return common / max(1, size), common / max(1, sum(ours.values())), size, theirs - ours, ours - theirs


def main() -> int:
    """Print a line for each page, and the means."""
    folder = next((argument for argument in sys.argv[1:] if not argument.startswith("-")), ".")
    if "--fetch" in sys.argv[1:]:
        costs.fetch_packages(folder, DOCUMENTS)
    scores = []
    for generator, main_element, path in pages(folder):
        recall, precision, size, missing, added = judge(path, main_element)
        scores.append((recall, precision))
        print(f"recall {recall:.3f} precision {precision:.3f} {size:6} words  {generator:10} {os.path.basename(path)}")
        if "--words" in sys.argv[1:]:
            print("    missing", missing.most_common(12), "\n    added", added.most_common(12))
    if scores:
        recalls, precisions = zip(*scores)
        print(
            f"{len(scores)} pages: recall {statistics.mean(recalls):.3f}, precision {statistics.mean(precisions):.3f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
