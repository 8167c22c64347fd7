"""What a link holds, where HTML lets it hold more than one line. In: the a element. Out: what of it is to be linked.

A card on a page is often one link around a picture, a heading and two lines of text, and GFM has no such link: its
heading is linked where it has one; lines of text become the lines of one link; of anything longer, the first
paragraph. Specification: HTML section 4.5.1 (a, transparent content), CommonMark 0.31 section 6.3.
"""

from __future__ import annotations

from collections.abc import Container, Mapping

from webtool.html.elements import HEADINGS
from webtool.html.node import BLOCK, Element
from webtool.markdown.render import is_block_style
from webtool.markdown.rules import BLOCKS, CODE_BLOCKS, LISTS, SKIPPED

FIRST, LINES = "first", "lines"
_MAX_NODES = 80  # that are looked at
_MAX_TEXT = 400  # characters of the lines of one link
_NOT_A_LINE = LISTS | CODE_BLOCKS | {"table", "blockquote", "hr", "dl"}
_ENDS_LINE = BLOCKS | set(HEADINGS)


def content_of(link: Element, hidden: Container[Element], arranged: Mapping[Element, str]) -> str | Element:
    """LINES, the heading inside that says what the link is about, or FIRST: what is inline, or a first paragraph.

    Cost: bounded by a constant.
    """
    nodes, length, kind = 0, 0, ""
    heading: Element | None = None
    stack = [(iter(link.children), heading)]
    while stack:
        rest, heading = stack[-1]
        for node in rest:
            nodes += 1
            tag = node.tag
            if tag is None:
                size = len(node.text.strip())
                if size and heading is not None:
                    return heading
                length += size
            elif tag not in SKIPPED and tag != "svg" and node not in hidden:
                if tag in _NOT_A_LINE:
                    kind = FIRST
                elif not kind and (
                    tag in _ENDS_LINE
                    or arranged.get(node) == BLOCK  # type: ignore[arg-type]
                    or is_block_style(node.attrs.get("style", ""))
                ):
                    kind = LINES
                stack.append((iter(node.children), node if tag in HEADINGS else heading))  # type: ignore[arg-type]
                break
        else:
            stack.pop()
        if nodes > _MAX_NODES or length > _MAX_TEXT:
            return FIRST
    return kind or FIRST
