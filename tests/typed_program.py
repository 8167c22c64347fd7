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
    found = webtool.extract(PAGE)
    title: str = found.title
    encoding: str = webtool.sniff_encoding(PAGE.encode())
    trees = [webtool.parse_html(PAGE), webtool.parse_fragment("<b>x</b>", "div")]
    names: list[str | None] = [tree.tag for tree in trees]
    part: str = webtool.section(markdown, "Tides") + webtool.excerpt(markdown, "how many tides", max_tokens=100)
    count: int = len(webtool.outline(markdown)) + len(webtool.find(markdown, "tides"))
    verdict = webtool.verify(markdown, "two tides a day")
    rows = list(webtool.to_markdown_many([("https://harbour.example/", PAGE.encode())], workers=1))
    kept = list(webtool.records(io.BytesIO(b"")))
    return [title, encoding, str(names), part, str(count), str(verdict), str(len(rows) + len(kept))]


if __name__ == "__main__":
    print("\n".join(main()))
