"""Running heads of office documents: what stands on every page, once. In: the blocks of each head. Out: blocks."""

from __future__ import annotations

from collections.abc import Iterable

from webtool.html.node import Element
from webtool.lean import patterns

# What stands beside a page's number, in the languages of most documents.
PAGE_WORD = patterns.compile(
    r"(?:p|pg|pp|page|pages|of|seite|von|sur|página|pagina|pág|de|di|van|sida|av|side|af|strona|strana|z|стр|страница|из"
    r"|第|共|页|頁|ページ|쪽)"
)


def once(heads: Iterable[list[Element]]) -> list[Element]:
    """The blocks of heads that say something new, without those that only number the pages."""
    made: dict[str, list[Element]] = {}
    for blocks in heads:
        words = " ".join(block.text for block in blocks).split()
        plain = (word.strip(".,:()[]-–—|/").lower() for word in words)
        if not all(len(word) < 4 if word.isdigit() else not word or PAGE_WORD.fullmatch(word) for word in plain):
            made.setdefault(" ".join(words), blocks)
    return [block for blocks in made.values() for block in blocks]
