"""Write what is beside the main text: footnotes, comments, page headers, footers. In: blocks. Out: blocks, markdown.

HTML has no footnotes, so a reference is a mark in the text (runs.NOTE_MARK) until the markdown is written. Then marks
become GFM references, `[^1]`, and the notes follow the document.
Tests: tests/documents/test_beside_the_text.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from webtool.documents.runs import NOTE_MARK
from webtool.documents.tree import collapse, element, markdown
from webtool.html.node import Element
from webtool.lean import patterns

_MARKS = patterns.compile(NOTE_MARK.replace("{}", r"(\d+)"))
_REFERENCE = patterns.compile(r"(?<!\\)\[\^(\d{1,6})\]")
_MAX_AUTHOR = 100  # characters of a commenter's name

# Words beside a page number, in the languages of most documents: "Page 3 of 7", "Seite 3 von 7".
PAGE_WORD = patterns.compile(
    r"(?:p|pg|pp|page|pages|of|seite|von|sur|página|pagina|pág|de|di|van|sida|av|side|af|strona|strana|z|стр|страница|из"
    r"|第|共|页|頁|ページ|쪽)"
)


class Notes:
    """The footnotes of one document, numbered in the order of their first references."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._keys: list[str] = []

    def __len__(self) -> int:
        return len(self._keys)

    def mark(self, key: str) -> str:
        """Return the text that represents a reference to the note with this key."""
        if key not in self._numbers:
            self._keys.append(key)
            self._numbers[key] = len(self._keys)
        return NOTE_MARK.format(self._numbers[key])

    def markdown(self, text: str, blocks_of: Callable[[str], list[Element]], url: str) -> str:
        """Return markdown with its marks as references, then the notes. `blocks_of` gives the blocks of a key."""
        parts = [_MARKS.sub(r"[^\1]", text).rstrip("\n")]
        for number, key in enumerate(self._keys, 1):  # the list grows: a note may refer to another one
            lines = _MARKS.sub(r"[^\1]", markdown(blocks_of(key), url)).strip("\n").split("\n")
            rest = [f"    {line}" if line else "" for line in lines[1:]]
            parts.append("\n".join([f"[^{number}]: {lines[0]}", *rest]))
        return "\n\n".join(parts) + "\n" if any(parts) else ""


def renumbered(text: str, before: int) -> tuple[str, int]:
    """Shift the note numbers of a chapter's markdown by `before`; return it with the last number in use.

    ("a[^1]\\n\\n[^1]: b", 3) -> ("a[^4]\\n\\n[^4]: b", 4)
    """
    numbers = [int(number) for number in _REFERENCE.findall(text)] if "\n[^" in text else []
    if not before or not numbers:
        return text, before + max(numbers, default=0)
    return _REFERENCE.sub(lambda match: f"[^{int(match.group(1)) + before}]", text), before + max(numbers)


def comment(author: str, blocks: list[Element]) -> list[Element]:
    """Return a reviewer's comment as blocks: "Comment (Ada): Is it so?"."""
    name = collapse(author)[:_MAX_AUTHOR]
    opening = f"Comment ({name}): " if name else "Comment: "
    if blocks and blocks[0].tag == "p":
        return [element("p", [opening, *blocks[0].children]), *blocks[1:]]  # type: ignore[list-item]
    return [element("p", [opening]), *blocks]


def labelled(label: str, blocks: list[Element]) -> list[Element]:
    """Return blocks below a bold label, e.g. a slide's "Notes:"; nothing without blocks."""
    return [element("p", [element("strong", [label])]), *blocks] if blocks else []


def distinct_headers(headers: Iterable[list[Element]]) -> list[Element]:
    """Return the blocks of page headers, each text once; headers with nothing but a page number are dropped."""
    by_text: dict[str, list[Element]] = {}
    for blocks in headers:
        words = " ".join(block.text for block in blocks).split()
        if not all(_is_page_number(word) for word in words):
            by_text.setdefault(" ".join(words), blocks)
    return [block for blocks in by_text.values() for block in blocks]


def _is_page_number(word: str) -> bool:
    """Return whether a word is a page number, a word beside one, or punctuation: "7", "(Page", "—"."""
    plain = word.strip(".,:()[]-–—|/").lower()
    if plain.isdigit():
        return len(plain) < 4
    return not plain or PAGE_WORD.fullmatch(plain) is not None
