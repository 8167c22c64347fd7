"""Show elements that make themselves visible inside a hidden one. In: events of a walk. Out: changes to `hidden`.

Four reasons can be overridden by a descendant's own style: "visibility" (by visibility: visible), "font-size" (by a
readable font), "text-indent" (by a box with `text-indent: 0`) and "color" (by text that differs from its background).
Such an outer element is not hidden as a whole.
The descendant is shown, and the rest of the outer element's content is hidden instead. Text directly in it is put into
a span, because only elements can be hidden: this is the only change that webtool.visibility makes to the tree.

    <div style="font-size: 0">secret <p style="font-size: 16px">read me</p></div>
    hidden before: the div; hidden after: a new span with "secret"

The walk calls, in document order: enter() for a hidden element, show() for one that makes itself visible, leave() for
each element it leaves, and apply() at the end.
Tests: tests/visibility/test_hidden.py
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from webtool.html.node import SILENT, Element, Node, nodes_below
from webtool.visibility import reasons


class Overrides:
    """Records which elements override the reason of a hidden element around them."""

    def __init__(self, hidden: dict[Element, str]) -> None:
        self._hidden = hidden  # hidden element -> reason; changed by apply()
        # Reason -> elements hidden for it around the place of the walk, outermost first. Empty while the walk is inside
        # an element that surely overrides it. The lists stay the same objects.
        self.open: dict[str, list[Element]] = {reason: [] for reason in reasons.OVERRIDABLE}
        # Reason -> elements that make themselves visible, each with whether that is sure.
        self._shown: dict[str, dict[Element, bool]] = {reason: {} for reason in reasons.OVERRIDABLE}
        # Element that the walk is inside -> reason -> what was in `open` outside of it.
        self._outside: dict[Node, dict[str, list[Element]]] = {}

    def enter(self, element: Element, reason: str) -> None:
        """Note that the walk enters an element that is hidden for an overridable reason."""
        self.open[reason].append(element)

    def show(self, element: Element, reason: str, *, is_sure: bool = True) -> None:
        """Note that an element makes itself visible, inside of which the reason no longer holds.

        One that is not sure (font-size: calc(...)) is only shown if the same outer element has a sure one inside.
        """
        self._shown[reason][element] = is_sure
        if is_sure:
            open_elements = self.open[reason]
            self._outside.setdefault(element, {})[reason] = open_elements[:]
            open_elements.clear()

    def leave(self, element: Element) -> None:
        """Note that the walk leaves an element."""
        if element in self._outside:
            for reason, outer_elements in self._outside.pop(element).items():
                self.open[reason][:] = outer_elements
        open_elements = self.open.get(self._hidden.get(element, ""), [])
        if open_elements and open_elements[-1] is element:
            open_elements.pop()

    def apply(self) -> None:
        """Show the elements that make themselves visible, and hide the rest of the elements around them."""
        for reason, shown in self._shown.items():
            above_sure = _ancestors(element for element, is_sure in shown.items() if is_sure)
            if above_sure:
                on_the_way = {**above_sure, **_ancestors(shown)}
                seen: set[Node] = set()
                for outer in above_sure:
                    if isinstance(outer, Element) and self._hidden.get(outer) == reason:
                        del self._hidden[outer]
                        self._hide_rest(outer, reason, on_the_way, shown, seen)
            shown.clear()

    def _hide_rest(
        self, outer: Element, reason: str, on_the_way: Container[Node], shown: Container[Node], seen: set[Node]
    ) -> None:
        """Hide the content of an element, except `shown` elements and those on the way to them."""
        stack = [outer]
        while stack:
            box = stack.pop()
            if box in seen:
                continue
            seen.add(box)
            for index, node in enumerate(box.children):
                if not isinstance(node, Element):
                    if node.tag is None and node.text.strip():
                        self._hidden[_put_into_span(box, index)] = reason
                elif node in on_the_way:
                    stack.append(node)
                elif node not in shown and node not in self._hidden and node.tag not in SILENT:
                    is_of_text = reason in reasons.OF_TEXT  # it leaves pictures visible
                    if is_of_text and any(inner.tag in reasons.REPLACED for inner in nodes_below(node)):
                        stack.append(node)
                    elif not is_of_text or node.tag not in reasons.REPLACED:
                        self._hidden[node] = reason


def _put_into_span(box: Element, index: int) -> Element:
    """Put a text node of a box into a new span; return the span."""
    text = box.children[index]
    span = Element("span")
    span.parent, span.children, text.parent = box, [text], span
    box.children[index] = span
    return span


def _ancestors(elements: Iterable[Element]) -> dict[Node, None]:
    """Return the elements around these, in an order that is equal in every run."""
    above: dict[Node, None] = {}
    for node in elements:
        ancestor = node.parent
        while ancestor is not None and ancestor not in above:
            above[ancestor] = None
            ancestor = ancestor.parent
    return above
