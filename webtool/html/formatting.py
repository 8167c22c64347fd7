"""The list of active formatting elements: entries are elements, None is a marker.

Spec: the HTML Standard, 13.2.4.3. Two bounds of ours keep hostile pages linear and change nothing on others: behind
a marker the list holds MAX_ENTRIES, the earliest goes first; and reconstruction stops when it has made FREE_CLONES
elements and one more for every start tag, after which formatting that was left open is closed for good.
"""

from __future__ import annotations

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
