"""Markdown conversion against its peers: python3 tests/bench/markdown.py [PAGES].

Reads the pages of ../shared/corpus (or those in the folder WEBTOOL_BENCH_PAGES), converts each with every converter in
turn, and prints a table: MB/s of HTML, the time relative to webtool in the same pair of runs, and how many of a page's
headings, links, images, table cells and code blocks come back when two renderers read the markdown again. The peers are
installed into a virtual environment under the temporary folder on first use.
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
from urllib.parse import unquote

ROOT = pathlib.Path(__file__).resolve().parents[2]
PEERS = ["markdownify", "html2text", "markitdown", "justhtml", "beautifulsoup4", "markdown-it-py", "cmarkgfm"]
HOME = pathlib.Path(tempfile.gettempdir()) / "webtool-bench-markdown"


def main() -> int:
    """Install the peers, then run this file again inside their environment."""
    python = HOME / ("Scripts" if os.name == "nt" else "bin") / "python"
    if pathlib.Path(sys.prefix) != HOME:
        if not python.exists():
            venv.create(HOME, with_pip=True)
            subprocess.run([str(python), "-m", "pip", "install", "-q", *PEERS], check=True)
        return subprocess.run([str(python), __file__, *sys.argv[1:]]).returncode
    sys.path.insert(0, str(ROOT))
    print_table(pages(int(sys.argv[1]) if len(sys.argv) > 1 else 40))
    return 0


def pages(count: int) -> list[str]:
    """That many pages, spread over the folder."""
    folder = pathlib.Path(os.environ.get("WEBTOOL_BENCH_PAGES", ROOT.parent / "shared/corpus/wcxb-dev/html"))
    found = sorted(folder.glob("*.html*"))
    if not found:
        sys.exit(f"No pages in {folder}; set WEBTOOL_BENCH_PAGES to a folder of .html or .html.gz files.")
    chosen = found[:: max(len(found) // count, 1)][:count]
    texts = [gzip.decompress(p.read_bytes()) if p.suffix == ".gz" else p.read_bytes() for p in chosen]
    return [text.decode("utf-8", "replace") for text in texts]


def converters() -> dict[str, object]:
    """Name and function from HTML text to markdown."""
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
    """What is compared of a document, by webtool's own parser, without what a page hides."""
    from webtool.html import parse_html
    from webtool.html.hidden import find_hidden
    from webtool.html.node import walk

    root = parse_html(html)
    hidden = find_hidden(root)
    skipped = {
        "script",
        "style",
        "template",
        "noscript",
        "nav",
        "svg",
        "select",
        "head",
        "iframe",
        "video",
        "audio",
        "object",
    }
    found: dict[str, list[str]] = {"headings": [], "links": [], "images": [], "cells": [], "code": [], "lists": []}
    depth = lists = 0
    for event, node in walk(root):
        if event == "text":
            continue
        gone = node in hidden or node.tag in skipped
        if event == "close":
            depth -= gone
            lists -= node.tag in ("ul", "ol")
            continue
        depth += gone
        lists += node.tag in ("ul", "ol")
        if depth:
            continue
        text = visible_text(node) if node.tag in HEADINGS | {"td", "th"} else ""
        if node.tag in HEADINGS and text:
            found["headings"].append(f"{node.tag} {text}")
        elif node.tag == "a" and node.attrs.get("href", "").strip() and "script:" not in node.attrs["href"][:12]:
            found["links"].append(unquote(node.attrs["href"].strip()))
        elif node.tag == "img" and node.attrs.get("src", "").strip() and node.attrs["src"][:5] != "data:":
            found["images"].append(unquote(node.attrs["src"].strip()))
        elif node.tag in ("td", "th"):
            found["cells"].append(text)
        elif node.tag == "pre":
            found["code"].append(node.text.rstrip("\n"))
        elif node.tag == "li":
            found["lists"].append(str(lists))
    return found


def visible_text(element: object) -> str:
    """The text of an element without white space, so that it does not matter how its lines were broken."""
    from webtool.html.node import walk

    pieces, skipped = [], 0
    for event, node in walk(element):  # type: ignore[arg-type]
        if event == "text":
            pieces.append("" if skipped else node.text)
        elif node.tag in ("style", "script", "svg", "noscript", "select"):
            skipped += 1 if event == "open" else -1
    return "".join("".join(pieces).split())


HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}


def kept(want: list[str], got: list[str]) -> tuple[int, int]:
    """How many of the wanted things came back, and how many there were; as multisets."""
    from collections import Counter

    wanted = Counter(want)
    return sum((wanted & Counter(got)).values()), sum(wanted.values())


def print_table(texts: list[str]) -> None:
    """Run all pages through all converters, one page at a time, so that a loaded machine slows all alike."""
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
        want = facts(text)
        for name, convert in names.items():
            start = time.process_time()
            try:
                markdown = convert(text)  # type: ignore[operator]
            except Exception:  # a peer that fails keeps nothing
                failed[name] += 1
                markdown = ""
            seconds[name] += time.process_time() - start
            for render in renderers:
                got = facts(render(markdown))
                for kind, things in want.items():
                    sums = scores[name].setdefault(kind, [0, 0])
                    found, all_ = kept(things, got[kind])
                    sums[0] += found
                    sums[1] += all_
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
