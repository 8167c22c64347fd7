"""Compare markdown conversion with other converters: python3 tests/bench/markdown.py [PAGES].

Takes PAGES pages (40) of ../shared/corpus, or of the folder WEBTOOL_BENCH_PAGES, and converts each with every converter
in turn. Prints a table: MB/s of HTML; the time as a multiple of webtool's; and the share of a page's headings, links,
images, table cells, code blocks and list items that come back when two renderers read the markdown again. The first run
installs the other converters into a virtual environment below the temporary folder.
"""

from __future__ import annotations

import gzip
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import venv
from unicodedata import category
from urllib.parse import unquote, urljoin

from costs import corpus_pages, leave

PEERS = ["markdownify", "html2text", "markitdown", "justhtml", "beautifulsoup4", "markdown-it-py", "cmarkgfm"]
HOME = pathlib.Path(tempfile.gettempdir()) / "webtool-bench-markdown"


def main() -> int:
    """Install the peers, then run this file again inside their environment."""
    python = HOME / ("Scripts" if os.name == "nt" else "bin") / "python"
    if pathlib.Path(sys.prefix) != HOME:
        corpus_pages()  # leaves now without data
        if not (HOME / "ready").exists():
            install_peers(python)
        return subprocess.run([str(python), __file__, *sys.argv[1:]]).returncode
    print_table(pages(int(sys.argv[1]) if len(sys.argv) > 1 else 40))
    return 0


def install_peers(python: pathlib.Path) -> None:
    """Make the virtual environment with the peers; leave with one line if that fails."""
    try:
        venv.create(HOME, with_pip=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *PEERS], check=True, stderr=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError):
        leave(f"cannot install {', '.join(PEERS)} into {HOME}: pip failed")
    (HOME / "ready").touch()


def pages(count: int) -> list[str]:
    """Return the texts of `count` pages, spread evenly over the folder."""
    paths = corpus_pages()
    chosen = paths[:: max(len(paths) // count, 1)][:count]
    return [gzip.decompress(path.read_bytes()).decode("utf-8", "replace") for path in chosen]


def converters() -> dict[str, object]:
    """Return the converters by name: functions from HTML text to markdown."""
    import html2text
    import justhtml
    import markdownify
    import markitdown
    from markitdown.converters import HtmlConverter

    import webtool

    def with_html2text(text: str) -> str:
        handler = html2text.HTML2Text()
        handler.body_width = 0
        return handler.handle(text)

    assert markitdown
    return {
        "webtool": webtool.to_markdown,
        "markdownify": markdownify.markdownify,
        "html2text": with_html2text,
        "markitdown": lambda text: HtmlConverter().convert_string(text).markdown,
        "justhtml": lambda text: justhtml.JustHTML(text).to_markdown(),
    }


def facts(html: str) -> dict[str, list[str]]:
    """Return the headings, links, images, cells, code and list items of a document that a reader sees.

    webtool's own parser reads the document. Only the cells of data tables count: at least two rows and columns, no
    table inside, no presentation role.
    """
    from webtool.html import parse_html
    from webtool.html.node import walk
    from webtool.visibility.hidden import find_hidden

    root = parse_html(html)
    hidden = find_hidden(root)
    base = next((node.attrs["href"] for _, node in walk(root) if node.tag == "base" and "href" in node.attrs), "")
    things: dict[str, list[str]] = {"headings": [], "links": [], "images": [], "cells": [], "code": [], "lists": []}
    depth = lists = 0
    for event, node in walk(root):
        if event == "text":
            continue
        is_skipped = node in hidden or node.tag in SKIPPED
        step = 1 if event == "open" else -1
        depth += is_skipped * step
        lists += (node.tag in ("ul", "ol")) * step
        if depth or event == "close":
            continue
        attrs = node.attrs
        if node.tag in HEADINGS and visible_text(node, hidden):
            things["headings"].append(f"{node.tag} {visible_text(node, hidden)}")
        elif (
            node.tag == "a" and attrs.get("href", "").strip() and "script:" not in attrs["href"][:12] and is_named(node)
        ):
            things["links"].append(address(base, attrs["href"]))
        elif node.tag == "img" and is_picture(attrs):
            things["images"].append(address(base, attrs["src"]))
        elif node.tag == "table" and is_data(node):
            cells = [cell for row in rows_of(node) for cell in row]
            cells = [cell for cell in cells if cell not in hidden and cell.parent not in hidden]  # type: ignore[attr-defined]
            things["cells"] += [visible_text(cell, hidden) for cell in cells]
        elif node.tag == "pre":
            things["code"].append(lines_of(node))
        elif node.tag == "li" and visible_text(node, hidden):
            things["lists"].append(str(max(lists, 1)))
    return things


SKIPPED = set("script style template noscript nav svg select head iframe video audio object".split())


def address(base: str, reference: str) -> str:
    """Return a reference decoded, and absolute if the page has a base."""
    reference = unquote(reference.strip())
    return reference if "://" in reference or not base else urljoin(base, reference)


def is_named(link: object) -> bool:
    """Whether a link has a text, a picture or a name, and is not a heading's permalink."""
    from webtool.html.node import walk
    from webtool.markdown.naming import Labels, is_permalink, name_of

    if is_permalink(link, link.attrs["href"]):  # type: ignore[attr-defined,arg-type]
        return False
    has_picture = any(event == "open" and node.tag == "img" for event, node in walk(link))  # type: ignore[arg-type]
    return has_picture or bool(name_of(link, Labels(())))  # type: ignore[arg-type]


def is_picture(attrs: dict[str, str]) -> bool:
    """Whether an img shows what its src says: it is not inline data, a placeholder of a lazy loader, or a pixel."""
    source = attrs.get("src", "").strip()
    is_lazy = any(name.startswith("data-") and "src" in name for name in attrs)
    return bool(source) and source[:5] != "data:" and not is_lazy and attrs.get("width") != "1"


def rows_of(table: object) -> list[list[object]]:
    """Return the cells of each row of a table."""
    from webtool.html.node import walk

    return [
        [cell for cell in row.children if cell.tag in ("td", "th")]
        for event, row in walk(table)  # type: ignore[arg-type]
        if event == "open" and row.tag == "tr"
    ]


def is_data(table: object) -> bool:
    """Whether a table has data, by its role and the widths of its rows."""
    from webtool.html.node import walk

    if table.attrs.get("role") in ("presentation", "none"):  # type: ignore[attr-defined]
        return False
    if any(event == "open" and node.tag == "table" and node is not table for event, node in walk(table)):  # type: ignore[arg-type]
        return False
    widths = [len(row) for row in rows_of(table)]
    return len(widths) > 1 and sum(width > 1 for width in widths) > len(widths) / 2


def visible_text(element: object, hidden: object) -> str:
    """Return the visible text of an element without white space, because line breaks may differ."""
    from webtool.html.node import walk

    pieces, skipped = [], 0
    for event, node in walk(element):  # type: ignore[arg-type]
        if event == "text":
            pieces.append("" if skipped else node.text)
        elif node.tag in ("style", "script", "svg", "noscript", "select") or node in hidden:  # type: ignore[operator]
            skipped += 1 if event == "open" else -1
    return "".join(char for char in "".join("".join(pieces).split()) if category(char) != "Cf")


def lines_of(pre: object) -> str:
    """Return the text of a pre element; line breaks and boxes in it end lines."""
    from webtool.html.node import walk

    text = ""
    for event, node in walk(pre):  # type: ignore[arg-type]
        if event == "text":
            text += node.text
        elif (node.tag == "br" and event == "open") or (node.tag in ("div", "p", "li") and text and text[-1] != "\n"):
            text += "\n"
    return text.rstrip("\n")


HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}


def kept(expected: list[str], got: list[str]) -> tuple[int, int]:
    """Return how many of the expected things came back, and how many were expected; equal things count each time."""
    from collections import Counter

    counts = Counter(expected)
    return sum((counts & Counter(got)).values()), sum(counts.values())


def print_table(texts: list[str]) -> None:
    """Run all pages through all converters, page by page, so that a loaded machine slows all of them alike."""
    import cmarkgfm
    from cmarkgfm.cmark import Options
    from markdown_it import MarkdownIt

    renderers = [
        lambda text: cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE),
        MarkdownIt("gfm-like", {"linkify": False, "html": True}).render,
    ]
    names = converters()
    seconds = dict.fromkeys(names, 0.0)
    scores: dict[str, dict[str, list[int]]] = {name: {} for name in names}
    failed = dict.fromkeys(names, 0)
    for text in texts:
        expected = facts(text)
        for name, convert in names.items():
            start = time.process_time()
            try:
                markdown = convert(text)  # type: ignore[operator]
            except Exception:  # a converter that fails keeps nothing
                failed[name] += 1
                markdown = ""
            seconds[name] += time.process_time() - start
            for render in renderers:
                got = facts(render(markdown))
                for kind, things in expected.items():
                    sums = scores[name].setdefault(kind, [0, 0])
                    kept_count, count = kept(things, got[kind])
                    sums[0] += kept_count
                    sums[1] += count
    size = sum(len(text) for text in texts) / 1e6
    kinds = list(scores["webtool"])
    print(f"{len(texts)} pages, {size:.1f} MB; parse and convert; share of what came back, mean of two renderers")
    print("| converter | MB/s | time | " + " | ".join(kinds) + " | failed |")
    print("|---|---:|---:|" + "---:|" * (len(kinds) + 1))
    for name in names:
        shares = [f"{100 * scores[name][kind][0] / max(scores[name][kind][1], 1):.1f} %" for kind in kinds]
        ratio = seconds[name] / seconds["webtool"]
        print(f"| {name} | {size / seconds[name]:.1f} | {ratio:.1f} | " + " | ".join(shares) + f" | {failed[name]} |")


if __name__ == "__main__":
    sys.exit(main())
