"""A program that uses the library, for type checkers: every public name has its types, and none of them is Any.

mypy checks it with disallow_any_expr (pyproject.toml); test_library.py runs it.
"""

from __future__ import annotations

import io

import webtool

PAGE = "<title>Tides</title><main><h1>Tides</h1><p>The harbour has two tides a day, and some words more.</p></main>"


def main() -> list[str]:
    """A call of every function that needs no network."""
    markdown: str = webtool.to_markdown(PAGE, "https://harbour.example/")
    extraction: webtool.Extraction = webtool.extract(PAGE)
    title: str = extraction.title
    encoding: str = webtool.sniff_encoding(PAGE.encode())
    trees = [webtool.parse_html(PAGE), webtool.parse_fragment("<b>x</b>", "div")]
    names: list[str | None] = [tree.tag for tree in trees]
    part: str = webtool.section(markdown, "Tides") + webtool.excerpt(markdown, "how many tides", max_tokens=100)
    found_lines: list[int] = [match["line"] for match in webtool.find(markdown, "tides")]
    levels: list[int] = [heading["level"] for heading in webtool.outline(markdown)]
    said: str = webtool.verify(markdown, "three tides a day").get("nearest", "")
    count: int = len(webtool.outline(markdown)) + len(webtool.find(markdown, "tides"))
    verdict: str = webtool.verify(markdown, "two tides a day")["verdict"]
    rows = list(webtool.to_markdown_many([("https://harbour.example/", PAGE.encode())], workers=1))
    kept = list(webtool.records(io.BytesIO(b"")))
    numbers = [*found_lines, *levels, count, len(rows) + len(kept)]
    return [title, encoding, str(names), part, verdict, said, str(numbers)]


def online(url: str) -> list[str]:
    """A call of every function that needs the network; type checkers read it, and nothing runs it."""
    page, opened = webtool.fetch(url, limit=5), webtool.open(url, max_tokens=500)
    texts = [page["content"], page["title"], opened["markdown"], opened["final_url"], opened.get("note", "")]
    answer = webtool.search("tides", provider="duckduckgo")
    texts += [f"{result['title']} {result['url']} {result.get('published_date', '')}" for result in answer["results"]]
    texts += [match["text"] for match in webtool.fetch(url, find="tides").get("matches", [])]
    part = webtool.run("web_open", {"url": url, "query": "tides"})
    texts += [*part.get("absent_words", []), *part.get("columns", []), part["url"]]
    lines = [passage["first_line"] for passage in part.get("passages", []) if not passage.get("outside_main")]
    cells = [str(cell) for row in part.get("rows", []) for cell in row]
    numbers = [*lines, part.get("total_rows", 0), page["total_lines"], answer["count"]]
    return [*texts, *cells, str(numbers), str(webtool.run("cache_info", {})["pages"])]


if __name__ == "__main__":
    print("\n".join(main()))
