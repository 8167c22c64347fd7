"""The adoption agency algorithm: what an end tag of a formatting element does when blocks are still open inside it.

Spec: the HTML Standard, 13.2.6.4.7 ("in body"), "adoption agency algorithm"; the numbers in comments are its steps.
"""

from __future__ import annotations

from webtool.html import formatting
from webtool.html.elements import DEFAULT_SCOPE
from webtool.html.modes import TreeBuilder
from webtool.html.node import Element

OUTER_LOOPS = 8
INNER_LOOPS = 3


def adoption_agency(tb: TreeBuilder, subject: str) -> bool:
    """Run the algorithm for a tag name; false where "any other end tag" is to act instead."""
    node = tb.stack[-1]
    if node.tag == subject and node.namespace == "html" and formatting.index_of(tb, node) < 0:  # 2
        tb.pop()
        return True
    for _ in range(OUTER_LOOPS):  # 3, 4
        element = formatting.find_after_marker(tb, subject)
        if element is None:
            return False
        if element is tb.stack[-1]:  # the ordinary case: no furthest block, nothing to pop but the element
            formatting.remove(tb, element)
            tb.stack.pop()
            return True
        if not tb.is_open(element):
            formatting.remove(tb, element)
            return True
        if not tb.is_in_scope(element, DEFAULT_SCOPE):
            return True
        index = tb.stack_index(element)
        block_index = _furthest_block(tb, index)
        if not block_index or tb.is_deep():
            tb.pop_to(index)
            formatting.remove(tb, element)
            return True
        _adopt(tb, element, index, block_index)
    return True


def _furthest_block(tb: TreeBuilder, index: int) -> int:
    """The stack index of the first special element above the formatting element; 0 where there is none."""
    stack = tb.stack
    for i in range(index + 1, len(stack)):
        if tb.is_special(stack[i]):
            return i
    return 0


def _adopt(tb: TreeBuilder, element: Element, index: int, block_index: int) -> None:
    stack, entries = tb.stack, tb.formatting
    block = stack[block_index]
    common_ancestor = stack[index - 1]
    bookmark = formatting.index_of(tb, element)
    last = block
    kept: list[Element] = []
    # 13: the elements between, innermost first; those not kept leave the stack together.
    for counter, node in enumerate(reversed(stack[index + 1 : block_index]), 1):
        place = formatting.index_of(tb, node)
        if place < 0:
            continue
        if counter > INNER_LOOPS:
            del entries[place]
            if place < bookmark:
                bookmark -= 1
            continue
        clone = Element(node.tag, node.attrs.copy())
        entries[place] = clone
        if last is block:
            bookmark = place + 1
        detach(last)
        clone.append(last)
        last = clone
        kept.append(clone)
    tb.move_to_appropriate_place(last, common_ancestor)  # 14
    clone = Element(element.tag, element.attrs.copy())  # 15
    clone.children = block.children  # 16
    for child in clone.children:
        child.parent = clone
    clone.parent = block  # 17
    block.children = [clone]
    place = formatting.index_of(tb, element)  # 18
    del entries[place]
    entries.insert(bookmark - 1 if place < bookmark else bookmark, clone)
    stack[index : block_index + 1] = [*reversed(kept), block, clone]  # 19


def detach(node: Element) -> None:
    """Take a node out of its parent; in most cases it is the last child."""
    parent = node.parent
    if parent is None:
        return
    children = parent.children
    if children[-1] is node:
        children.pop()
    else:
        children.remove(node)
    node.parent = None
