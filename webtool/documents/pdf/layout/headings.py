"""Find the headings among blocks and build the HTML tree. In: blocks, the outline. Out: heading levels, elements.

In a tagged file the tags decide, except on the title of the document. Otherwise a block is a heading if the outline
has its title, if its type is larger than the body's, or if it is short and bold. The value of a form field is not a
heading, however large its type is.
Tests: tests/documents/pdf/test_convert.py
"""

from __future__ import annotations

from collections import Counter
from itertools import groupby

from webtool.documents.pdf.layout import LEADER
from webtool.documents.pdf.layout.bidi import Run
from webtool.documents.pdf.layout.paragraphs import Block
from webtool.documents.pdf.outline import key_of
from webtool.documents.pdf.state import ANNOTATION
from webtool.documents.runs import linkified
from webtool.documents.tree import BlockBuilder, Child, element, link, table
from webtool.html.node import Element
from webtool.lean import patterns

_MIN_SIZE = 1.12  # times the body's font size; smaller type is not a heading by its size
_MAX_SIZE_STEP = 0.6  # points between the type of two headings of one level
_MAX_LENGTH = 200  # characters of a heading in large type
_MAX_BOLD_LENGTH = 100  # characters of a heading that is only bold
_MAX_LINES = 4  # of a heading in large type
_MIN_LIST_STEP = 0.5  # font sizes that nested items are further in
_LONG_DASHES = ("–", "—")
_TAG = patterns.compile(r"H([1-6])?\Z")


def levels(blocks: list[Block], outline: dict[str, int]) -> list[int]:
    """Return the heading level of each block, 0 for no heading. `outline` has levels (1 to 6) by key_of() titles."""
    body = _body_size(blocks)
    if any(_TAG.match(block.role) for block in blocks):
        result = [_level_of_tag(block.role) for block in blocks]
        title = _title_above(blocks, result)
        if title >= 0 and _may_be_heading(blocks[title], body):
            result[title] = 1
        return result
    sizes = _heading_sizes(blocks, body)
    bold_level = min(6, len(sizes) + 1)
    return [_level(block, body, sizes, bold_level, outline) for block in blocks]


def _title_above(blocks: list[Block], levels: list[int]) -> int:
    """Return the index of the block above all headings in larger type than theirs, -1 without one.

    Word and LibreOffice tag the title of a document as a paragraph.
    """
    first_heading = next(index for index, level in enumerate(levels) if level)
    index = max(range(first_heading), key=lambda index: blocks[index].size, default=-1)
    largest = max(block.size for block, level in zip(blocks, levels) if level)
    return index if index >= 0 and blocks[index].size > largest else -1


def _level_of_tag(role: str) -> int:
    """Return the level of a structure type: "Title" -> 1, "H3" -> 3, "H" -> 2, others 0."""
    match = _TAG.match(role)
    return int(match.group(1) or 2) if match else int(role == "Title")


def _body_size(blocks: list[Block]) -> float:
    """Return the font size of most characters, in points, rounded to half a point."""
    weights: Counter[float] = Counter()
    for block in blocks:
        if block.kind in ("text", "item"):
            weights[round(block.size * 2) / 2] += len(block.text)
    return max(weights.items(), key=lambda item: (item[1], -item[0]))[0] if weights else 10.0


def _heading_sizes(blocks: list[Block], body: float) -> list[float]:
    """Return the sizes of the headings from the largest; nearly equal ones count as one."""
    sizes: list[float] = []
    for size in sorted({block.size for block in blocks if _may_be_heading(block, body)}, reverse=True):
        if not sizes or sizes[-1] - size > _MAX_SIZE_STEP:
            sizes.append(size)
    return sizes


def _may_be_heading(block: Block, body: float) -> bool:
    """Return whether a block is in large type and may be a heading."""
    text = block.text
    return (
        block.kind in ("text", "item")
        and block.tag != ANNOTATION
        and block.size >= _MIN_SIZE * body
        and block.lines <= _MAX_LINES
        and len(text) <= _MAX_LENGTH
        and any(letter.isalpha() for letter in text)
        and "://" not in text
        and not (block.kind == "item" and not block.marker[:1].isdigit())
    )


def _level(block: Block, body: float, sizes: list[float], bold_level: int, outline: dict[str, int]) -> int:
    """Return the level of one block by outline, size or weight."""
    if LEADER in block.text or block.tag == ANNOTATION:  # an entry of a table of contents, or a form field's value
        return 0
    in_outline = _outline_level(block, outline)
    if in_outline:
        return in_outline
    if _may_be_heading(block, body):
        # There is one: _heading_sizes() has the size of each such block, or a nearly equal one.
        by_size = next(rank for rank, size in enumerate(sizes, 1) if size - block.size <= _MAX_SIZE_STEP)
        return min(6, by_size)
    return bold_level if _is_bold_heading(block) else 0


def _outline_level(block: Block, outline: dict[str, int]) -> int:
    """Return the level of a title in the outline, also if only one of both has a number; 0 if it is not in it."""
    if not outline or block.kind == "table" or block.lines > _MAX_LINES or len(block.text) > _MAX_LENGTH:
        return 0
    key = key_of(block.marker + block.text)
    if not key.strip("0123456789"):
        return 0
    return outline.get(key) or outline.get(key_of(block.text)) or outline.get(key.lstrip("0123456789")) or 0


def _is_bold_heading(block: Block) -> bool:
    """Return whether a short bold block looks like a heading rather than a sentence."""
    text = block.text
    if not block.is_bold or block.lines > 2 or not 1 < len(text) <= _MAX_BOLD_LENGTH:
        return False
    if block.kind == "item" and not block.marker[:1].isdigit():
        return False
    return block.kind in ("text", "item") and not text.endswith((".", ",", ";", ":")) and text[:1].isalnum()


def tree(blocks: list[Block], levels: list[int]) -> list[Element]:
    """Return one element for each block; consecutive items share a list."""
    result: list[Element] = []
    for is_list, group in groupby(zip(blocks, levels), key=lambda pair: pair[0].kind == "item" and not pair[1]):
        pairs = list(group)
        first = pairs[0][0]
        if is_list and len(pairs) == 1 and first.marker in _LONG_DASHES:  # "— Jane Doe", who said what is above
            result.append(element("p", [f"{first.marker} ", *_children(first.runs)]))
        else:
            result.extend(_lists([item for item, _ in pairs]) if is_list else [_element(*pair) for pair in pairs])
    return result


def _element(block: Block, level: int) -> Element:
    """Return the element of a block that is not a list item."""
    if level:
        number = f"{block.marker} " if block.kind == "item" else ""
        return element(f"h{level}", [number, *_children(block.runs)])
    if block.kind == "pre":
        return element("pre", [element("code", [block.text])])
    if block.kind == "table":
        return table([[_children(cell) for cell in row] for row in block.rows or []])
    return element("p", _children(block.runs))


def _children(runs: list[Run]) -> list[Child]:
    children: list[Child] = []
    for text, url in runs:
        children.extend([link([text], url)] if url else linkified(text))
    return children


def _lists(items: list[Block]) -> list[Element]:
    """Return items as lists, nested by their indents."""
    builder = BlockBuilder()
    indents: list[float] = []
    for item in items:
        while indents and item.x < indents[-1] - _MIN_LIST_STEP * item.size:
            indents.pop()
        if not indents or item.x > indents[-1] + _MIN_LIST_STEP * item.size:
            indents.append(item.x)
        number = item.marker.rstrip(".")
        is_ordered = number.isdigit()
        builder.add_item(_children(item.runs), len(indents) - 1, int(number) if is_ordered else None)
    return builder.blocks
