"""Build HTML trees of blocks, so that one renderer writes all markdown. In: tags, texts, list items. Out: Elements.

Converters build the HTML elements for what they read (h1, p, ul, table, a, strong). Escaping, nesting and table syntax
are left to webtool.markdown. BlockBuilder nests lists; table() makes every table; runs.py makes what is inside a block.

Footnotes, comments, page headers and footers are beside the main text. HTML has no footnotes, so a reference to one is
a NOTE_MARK in the text until the markdown is written. Then Notes.markdown() turns the marks into GFM references,
`[^1]`, and writes the footnotes below the document.
Tests: tests/documents/test_tree.py, tests/documents/test_beside_the_text.py
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from webtool.html.node import Document, Element, Text
from webtool.lean import patterns
from webtool.lean.patterns import Match
from webtool.lean.typing import Any, Union
from webtool.running.budget import Spent

Child = Union[Element, Text, str]
Cell = list[Child]  # the content of a table cell

MAX_BASE = 4096  # characters of a base URL; a longer one is ignored, as it would be written out with every link
MAX_CELLS = 200_000  # a larger table is not filled up to rows of equal length
MAX_DEPTH = 8  # of nested lists; deeper items are added at this depth
_SPACES = patterns.compile(r"[ \t\n\r]+")
NOTE_MARK = "\ue0f0{}\ue0f1"  # the number of a footnote between two private-use characters
_MARKS = patterns.compile(NOTE_MARK.replace("{}", r"(\d+)"))
_REFERENCE = patterns.compile(r"(?<!\\)\[\^(\d{1,6})\]")
MAX_AUTHOR = 100  # characters of a commenter's name; the rest is cut

# Words beside a page number, in the languages of most documents: "Page 3 of 7", "Seite 3 von 7".
PAGE_WORD = patterns.compile(
    r"(?:p|pg|pp|page|pages|of|seite|von|sur|página|pagina|pág|de|di|van|sida|av|side|af|strona|strana|z|стр|страница|из"
    r"|第|共|页|頁|ページ|쪽)"
)


def element(tag: str, children: Iterable[Child] = (), **attrs: str) -> Element:
    """Return an element with its children; strings become text nodes."""
    node = Element(tag, attrs)
    add(node, children)
    return node


def add(parent: Element, children: Iterable[Child]) -> None:
    """Append children; strings become text nodes."""
    for child in children:
        parent.append(Text(child) if isinstance(child, str) else child)


def link(children: Iterable[Child], url: str) -> Element:
    return element("a", children, href=url)


def collapse(text: str) -> str:
    """Replace each run of white space by one space, and strip both ends."""
    return _SPACES.sub(" ", text).strip(" ")


def markdown(blocks: Iterable[Element], url: str = "") -> str:
    """Render blocks as markdown; relative links are resolved against `url`."""
    from webtool.markdown import to_markdown

    root = Document("#document-fragment")
    for block in blocks:
        root.append(block)
    base = url if url and len(url) <= MAX_BASE else None
    return to_markdown(root, base, keep_nav=True, hidden=())


def table(rows: Iterable[Iterable[Cell]]) -> Element:
    """Return a table whose first row is its head; short rows are filled up with empty cells.

    If the budget ends while `rows` are read, the table has the rows so far; the budget's note tells the reader.
    """
    read: list[list[Cell]] = []
    try:
        for row in rows:
            read.append([])
            read[-1].extend(row)
    except Spent:
        pass
    width = max((len(row) for row in read), default=0)
    if width * len(read) > MAX_CELLS:
        width = 0  # rows stay ragged, which markdown allows
    node = element("table")
    for number, row in enumerate(read):
        tag = "td" if number else "th"
        cells = [element(tag, content) for content in row]
        cells.extend(element(tag) for _ in range(width - len(row)))
        node.append(element("tr", cells))
    return node


def spanning(content: Cell, columns: int) -> Iterator[Cell]:
    """Yield a cell, and empty cells for the other columns that it spans: markdown tables have no spans."""
    yield content
    yield from ([] for _ in range(columns - 1))


_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


def numeral(number: int, digits: str) -> str:
    """Return a list's number in the digits "1", "a", "A", "i" or "I": 4 -> "d", "iv"; 28 in letters is "bb"."""
    text = ""
    if digits in "aA" and 0 < number <= 260:
        text = chr(ord("a") + (number - 1) % 26) * ((number + 25) // 26)
    elif digits in "iI" and 0 < number < 4000:
        rest = number
        for value, letters in _ROMAN:
            text += letters * (rest // value)
            rest %= value
    return (text.upper() if digits.isupper() else text) or str(number)


# Roles of paragraphs, by the names that Word, LibreOffice and pandoc give to their styles, in lower case.
QUOTATION, CODE = "quotation", "code"
ROLES = {
    **dict.fromkeys(("quote", "intense quote", "block text", "quotations", "block quotation"), QUOTATION),
    **dict.fromkeys(
        ("html preformatted", "preformatted text", "source code", "sourcecode", "code", "plain code"), CODE
    ),
}
CODE_SPANS = frozenset(("verbatim char", "html code", "source text", "code char", "inline code", "teletype"))
_HEADING = patterns.compile(r"heading ([1-9]\d?)")


def heading_level(styles: Collection[str]) -> int:
    """Return the level from 1 that a style means, by its name and those of the styles that it is based on; 0 for text.

    The names are in lower case, the nearest one first: ["my style", "heading 2"] -> 2. A "title" has level 1.
    """
    matches = map(_HEADING.fullmatch, styles)
    return 1 if "title" in styles else next((int(match[1]) for match in matches if match), 0)


def code(line: str) -> Element:
    """Return a code block with its first line."""
    return element("pre", [element("code", [line])])


class _OpenList:
    """A list to which items may be added. `next_number` is that of its next item, None for bullets."""

    def __init__(self, node: Element, depth: int, next_number: int | None) -> None:
        self.node = node
        self.depth = depth  # from 0
        self.next_number = next_number


class BlockBuilder:
    """Nest list items into lists, between blocks of other kinds. `blocks` are the outermost blocks so far.

    Items come in document order, each with its depth from 0. Any other block ends the open lists, unless it is added
    to an item. A text box, a note or a slide has a builder of its own.
    """

    def __init__(self) -> None:
        self.blocks: list[Element] = []
        self._open_lists: list[_OpenList] = []  # outermost first
        self._picture: Element | None = None  # the last block, if it is only a picture's text alternative

    def add_block(self, block: Element, is_picture: bool = False) -> None:
        """Append a block, which ends all lists. A caption that repeats the text of the picture above replaces it."""
        if self._picture is not None and self._picture.text.strip() == block.text.strip():
            self.blocks.pop()
        self._picture = block if is_picture else None
        self._open_lists.clear()
        self.blocks.append(block)

    def add_item(self, children: Iterable[Child], depth: int, number: int | None = None, label: str = "") -> None:
        """Append a list item with its number, or with a bullet and a label that markdown lacks, e.g. "(b)".

        A number that does not follow that of the item before starts a new list.
        """
        self._picture = None
        depth = min(depth, MAX_DEPTH)
        lists = self._open_lists
        while lists and lists[-1].depth > depth:
            lists.pop()
        if lists and lists[-1].depth == depth and lists[-1].next_number != number:
            lists.pop()
        if not lists or lists[-1].depth < depth:
            start = {} if number in (None, 1) else {"start": str(number)}
            node = element("ul" if number is None else "ol", **start)
            if lists:
                lists[-1].node.children[-1].append(node)  # type: ignore[union-attr]
            else:
                self.blocks.append(node)
            lists.append(_OpenList(node, depth, number))
        if number is not None:
            lists[-1].next_number = number + 1
        lists[-1].node.append(element("li", [f"{label} ", *children] if label else children))

    def add_to_item(self, block: Element, depth: int) -> None:
        """Append a block to the last item at a depth; to the document if no list is open."""
        item = self._last_item(depth)
        if item is None:
            self.add_block(block)
        else:
            item.append(block)

    def add_code(self, line: str, item_depth: int | None = None) -> None:
        """Append a line of code to the code block before it, or start one, but not with an empty line.

        The block is in the last item if a depth is given.
        """
        item = self._last_item(item_depth) if item_depth is not None else None
        blocks: list[Any] = self.blocks if item is None else item.children
        if blocks and blocks[-1].tag == "pre":
            add(blocks[-1].children[0], [f"\n{line}"])
        elif not line.strip():
            return
        elif item is None:
            self.add_block(code(line))
        else:
            item.append(code(line))

    def _last_item(self, depth: int) -> Element | None:
        """Close the lists deeper than `depth`, but not the outermost one; return the last open item, or None."""
        while len(self._open_lists) > 1 and self._open_lists[-1].depth > depth:
            self._open_lists.pop()
        return self._open_lists[-1].node.children[-1] if self._open_lists else None  # type: ignore[return-value]


# Beside the main text


def _reference(mark: Match[str]) -> str:
    return f"[^{mark[1]}]"


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

    def markdown(self, blocks: Iterable[Element], blocks_of: Callable[[str], list[Element]], url: str) -> str:
        """Write blocks with references for the marks, then the notes. `blocks_of` gives the blocks of a key."""
        parts = [_MARKS.sub(_reference, markdown(blocks, url)).rstrip("\n")]
        for number, key in enumerate(self._keys, 1):  # mark() appends keys meanwhile: a note may refer to another one
            lines = _MARKS.sub(_reference, markdown(blocks_of(key), url)).strip("\n").split("\n")
            rest = [f"    {line}" if line else "" for line in lines[1:]]
            parts.append("\n".join([f"[^{number}]: {lines[0]}", *rest]))
        return "\n\n".join(parts) + "\n" if any(parts) else ""


def renumbered(text: str, before: int) -> tuple[str, int]:
    """Shift note numbers by `before`, the last number in use; return the text and the new last number.

    ("a[^1]\\n\\n[^1]: b", 3) -> ("a[^4]\\n\\n[^4]: b", 4)
    """
    numbers = [int(number) for number in _REFERENCE.findall(text)] if "\n[^" in text else []
    if not before or not numbers:
        return text, before + max(numbers, default=0)
    return _REFERENCE.sub(lambda match: f"[^{int(match.group(1)) + before}]", text), before + max(numbers)


def comment(author: str, blocks: list[Element]) -> list[Element]:
    """Return a reviewer's comment as blocks: "Comment (Ada): Is it so?"."""
    name = collapse(author)[:MAX_AUTHOR]
    opening = f"Comment ({name}): " if name else "Comment: "
    if blocks and blocks[0].tag == "p":
        return [element("p", [opening, *blocks[0].children]), *blocks[1:]]  # type: ignore[list-item]
    return [element("p", [opening]), *blocks]


def remark(author: str, text: str) -> str:
    """Return a comment on one line: ("Ada", "Is it so?") -> "Ada: Is it so?"; "" without text."""
    name, words = " ".join(author.split())[:MAX_AUTHOR], " ".join(text.split())
    return f"{name}: {words}" if name and words else words


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
