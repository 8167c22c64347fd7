"""Blocks as an HTML tree. In: blocks with heading levels. Out: elements for the markdown renderer."""

from __future__ import annotations

from webtool.documents.tree import ListBuilder, element, link, linkified, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.documents.pdf.layout.lines import Run
    from webtool.documents.pdf.layout.paragraphs import Block
    from webtool.documents.tree import Child
    from webtool.html.node import Element


def tree(blocks: list[Block], levels: list[int]) -> list[Element]:
    """One element a block; items that follow each other share a list."""
    result: list[Element] = []
    items: list[Block] = []
    for block, level in zip(blocks, levels):
        if block.kind == "item" and not level:
            items.append(block)
            continue
        if items:
            result.extend(_lists(items))
            items = []
        result.append(_element(block, level))
    if items:
        result.extend(_lists(items))
    return result


def _element(block: Block, level: int) -> Element:
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
    """Lists in each other by how far in the items stand."""
    builder = ListBuilder()
    indents: list[float] = []
    for item in items:
        while indents and item.x < indents[-1] - 0.5 * item.size:
            indents.pop()
        if not indents or item.x > indents[-1] + 0.5 * item.size:
            indents.append(item.x)
        number = item.marker.rstrip(".")
        is_ordered = number.isdigit()
        builder.add(_children(item.runs), len(indents) - 1, is_ordered, int(number) if is_ordered else 1)
    return builder.top
