"""Keep the list of active formatting elements, and run the adoption agency algorithm.

Entries of the list are elements, and None for a marker. Reconstruction opens elements again that a block's end tag
closed too early: `<p><b>a</p>b` gives `<p><b>a</b></p><b>b</b>`. The adoption agency algorithm handles the end tag of a
formatting element with blocks open inside it: `<b>1<p>2</b>3</p>` gives `<b>1</b><p><b>2</b>3</p>`.

Two limits keep hostile pages linear and change nothing on others. After a marker the list has at most MAX_ENTRIES; the
earliest entry is dropped. Reconstruction stops when it has made FREE_CLONES elements and one for every start tag;
formatting that is open then is closed for good.
Spec: the HTML Standard, 13.2.4.3 (the list of active formatting elements) and 13.2.6.4.7, "adoption agency algorithm";
the numbers in comments are that algorithm's steps.
"""

from __future__ import annotations

from webtool.html.elements import DEFAULT_SCOPE
from webtool.html.insertion import detach
from webtool.html.modes import TreeBuilder
from webtool.html.node import Element

MAX_ENTRIES = 100  # entries after the last marker; the earliest one is dropped
FREE_CLONES = 20_000  # elements that reconstruction may make in addition to one for each start tag
OUTER_LOOPS = 8  # the standard's limit for one end tag
INNER_LOOPS = 3  # elements between the formatting element and the furthest block that are cloned


def push(tb: TreeBuilder, element: Element) -> None:
    """Add an element to the list.

    By the Noah's Ark clause, at most three equal elements stay after the last marker: a fourth replaces the earliest.
    """
    entries = tb.formatting
    equal = 0
    for count, entry in enumerate(reversed(entries), 1):
        if entry is None:
            break
        equal += entry.tag == element.tag and entry.attrs == element.attrs
        if equal == 3 or count == MAX_ENTRIES:
            del entries[-count]
            break
    entries.append(element)


def index_of(tb: TreeBuilder, element: Element) -> int:
    """Return the index of an element in the list, or -1. Looks at the last 2 * MAX_ENTRIES entries and markers."""
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
    """Insert a marker: elements before it are not reconstructed until it is cleared."""
    tb.formatting.append(None)


def clear_to_last_marker(tb: TreeBuilder) -> None:
    """Remove all entries after the last marker, and the marker."""
    entries = tb.formatting
    while entries and entries.pop() is not None:
        pass


def find_after_marker(tb: TreeBuilder, name: str) -> Element | None:
    """Return the last element with this name after the last marker, or None."""
    for entry in reversed(tb.formatting):
        if entry is None:
            return None
        if entry.tag == name:
            return entry
    return None


def reconstruct(tb: TreeBuilder) -> None:
    """Reconstruct the active formatting elements: open those again that are in the list and no longer on the stack."""
    entries = tb.formatting
    if not entries:
        return
    entry = entries[-1]
    if entry is None or entry is tb.stack[-1] or tb.is_open(entry):
        return
    index = len(entries) - 1  # of the first entry to open: all between it and the last one are not open either
    while index > 0:
        entry = entries[index - 1]
        if entry is None or tb.is_open(entry):
            break
        index -= 1
    start_tags = len(tb.inserted) - tb.clones
    needed = len(entries) - index
    if tb.clones + needed > FREE_CLONES + start_tags:
        del entries[index:]
        return
    tb.clones += needed
    for position in range(index, len(entries)):
        entry = entries[position]
        assert entry is not None
        entries[position] = tb.insert_element(entry.tag, entry.attrs.copy())


def adoption_agency(tb: TreeBuilder, subject: str) -> bool:
    """Run the algorithm for a tag name. Returns false if "any other end tag" is to act instead."""
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
    """Return the stack index of the first special element above the formatting element at `index`, or 0."""
    stack = tb.stack
    for i in range(index + 1, len(stack)):
        if tb.is_special(stack[i]):
            return i
    return 0


def _adopt(tb: TreeBuilder, element: Element, index: int, block_index: int) -> None:
    """Move the furthest block out of the formatting element (steps 13 to 19).

    `index` and `block_index` are the places of the formatting element and the furthest block on the stack. `bookmark`
    is the index in the list at which the clone of the formatting element will be inserted; `last` is the node moved
    last.
    """
    stack, entries = tb.stack, tb.formatting
    block = stack[block_index]
    common_ancestor = stack[index - 1]
    bookmark = index_of(tb, element)
    last = block
    clones: list[Element] = []
    # 13: the elements between the two, innermost first. Those without a clone leave the stack together.
    for counter, node in enumerate(reversed(stack[index + 1 : block_index]), 1):
        position = index_of(tb, node)
        if position < 0:
            continue
        if counter > INNER_LOOPS:
            del entries[position]
            if position < bookmark:
                bookmark -= 1
            continue
        clone = Element(node.tag, node.attrs.copy())
        entries[position] = clone
        if last is block:
            bookmark = position + 1
        detach(last)
        clone.append(last)
        last = clone
        clones.append(clone)
    tb.move_to_appropriate_place(last, common_ancestor)  # 14
    clone = Element(element.tag, element.attrs.copy())  # 15
    clone.children = block.children  # 16
    for child in clone.children:
        child.parent = clone
    clone.parent = block  # 17
    block.children = [clone]
    position = index_of(tb, element)  # 18
    del entries[position]
    entries.insert(bookmark - 1 if position < bookmark else bookmark, clone)
    stack[index : block_index + 1] = [*reversed(clones), block, clone]  # 19
