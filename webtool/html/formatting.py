"""The list of active formatting elements: entries are elements, None is a marker.

Spec: the HTML Standard, 13.2.4.3. Two bounds of ours keep hostile pages linear and change nothing on others: behind
a marker the list holds MAX_ENTRIES, the earliest goes first; and reconstruction stops when it has made FREE_CLONES
elements and one more for every start tag, after which formatting that was left open is closed for good.
"""

from __future__ import annotations

from webtool.html.elements import DEFAULT_SCOPE
from webtool.html.modes import TreeBuilder
from webtool.html.node import Element

MAX_ENTRIES = 100
FREE_CLONES = 20_000


def push(tb: TreeBuilder, element: Element) -> None:
    """Add an element, after the Noah's Ark clause: of equal elements behind the last marker at most three stay."""
    entries = tb.formatting
    equal = 0
    last = len(entries) - 1
    for index in range(last, -1, -1):
        entry = entries[index]
        if entry is None:
            break
        if entry.tag == element.tag and entry.attrs == element.attrs:
            equal += 1
        if equal == 3 or last - index + 1 == MAX_ENTRIES:
            del entries[index]
            break
    entries.append(element)


def index_of(tb: TreeBuilder, element: Element) -> int:
    """Where in the list an element is, -1 where it is not; looks at the last MAX_ENTRIES and their markers."""
    entries = tb.formatting
    for index in range(len(entries) - 1, max(-1, len(entries) - 2 * MAX_ENTRIES), -1):
        if entries[index] is element:
            return index
    return -1


def remove(tb: TreeBuilder, element: Element) -> None:
    """Remove an element from the list if it is there."""
    index = index_of(tb, element)
    if index >= 0:
        del tb.formatting[index]


def insert_marker(tb: TreeBuilder) -> None:
    """Insert a marker: what was opened before it is not reconstructed until it is cleared."""
    tb.formatting.append(None)


def clear_to_last_marker(tb: TreeBuilder) -> None:
    """Clear the list of active formatting elements up to the last marker."""
    entries = tb.formatting
    while entries and entries.pop() is not None:
        pass


def find_after_marker(tb: TreeBuilder, name: str) -> Element | None:
    """The last element with this name behind the last marker."""
    for entry in reversed(tb.formatting):
        if entry is None:
            return None
        if entry.tag == name:
            return entry
    return None


def reconstruct(tb: TreeBuilder) -> None:
    """Reconstruct the active formatting elements: open again what a block's end tag closed too early."""
    entries = tb.formatting
    if not entries:
        return
    entry = entries[-1]
    if entry is None or entry is tb.stack[-1] or tb.is_open(entry):
        return
    index = len(entries) - 1
    while index > 0:
        entry = entries[index - 1]
        if entry is None or tb.is_open(entry):
            break
        index -= 1
    tb.clones += len(entries) - index
    if tb.clones > FREE_CLONES + len(tb.inserted):
        del entries[index:]
        return
    for place in range(index, len(entries)):
        entry = entries[place]
        assert entry is not None
        entries[place] = tb.insert_element(entry.tag, entry.attrs.copy())


OUTER_LOOPS = 8
INNER_LOOPS = 3


def adoption_agency(tb: TreeBuilder, subject: str) -> bool:
    """Run the algorithm for a tag name; false where "any other end tag" is to act instead."""
    node = tb.stack[-1]
    if node.tag == subject and node.namespace == "html" and index_of(tb, node) < 0:  # 2
        tb.pop()
        return True
    for _ in range(OUTER_LOOPS):  # 3, 4
        element = find_after_marker(tb, subject)
        if element is None:
            return False
        if element is tb.stack[-1]:  # the ordinary case: no furthest block, nothing to pop but the element
            remove(tb, element)
            tb.stack.pop()
            return True
        if not tb.is_open(element):
            remove(tb, element)
            return True
        if not tb.is_in_scope(element, DEFAULT_SCOPE):
            return True
        index = tb.stack_index(element)
        block_index = _furthest_block(tb, index)
        if not block_index or tb.is_deep():
            tb.pop_to(index)
            remove(tb, element)
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
    bookmark = index_of(tb, element)
    last = block
    kept: list[Element] = []
    # 13: the elements between, innermost first; those not kept leave the stack together.
    for counter, node in enumerate(reversed(stack[index + 1 : block_index]), 1):
        place = index_of(tb, node)
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
    place = index_of(tb, element)  # 18
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
