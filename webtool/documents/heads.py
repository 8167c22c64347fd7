"""Running heads of office documents: what stands on every page, once. In: the blocks of each head. Out: blocks."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from webtool.html.node import Element

_BESIDE_NUMBERS = frozenset("page of seite von p de sur página pagina di strana 第 页".split())


def once(heads: Iterable[list[Element]]) -> list[Element]:
    """The blocks of heads that say something new, without those that only number the pages."""
    made: dict[str, list[Element]] = {}
    for blocks in heads:
        text = " ".join(block.text for block in blocks)
        if not _is_page_number(text):
            made.setdefault(" ".join(text.split()), blocks)
    return [block for blocks in made.values() for block in blocks]


def _is_page_number(text: str) -> bool:
    words = (word.strip(".,:()[]-–—|/") for word in text.lower().split())
    return all(len(word) < 4 if word.isdigit() else not word or word in _BESIDE_NUMBERS for word in words)
