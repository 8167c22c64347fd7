"""Evaluate XPath 1.0 on the tree of webtool.html. In: an expression and a node. Out: nodes, text, number or boolean.

    xpath.compile("//div[@class='post']//p").select(root)

Supports all of the recommendation except variables. The namespace axis is always empty, because HTML does not use it.
An element name matches the local name in the tree, and case matters. Spec: XPath 1.0, W3C 1999.

grammar.py reads the text, evaluate.py and functions.py compile it to closures, data.py has the node model, the axes
and the work budget.
Tests: tests/xpath/test_xpath.py
"""

from __future__ import annotations

from webtool.html.node import Element
from webtool.xpath.data import AnyNode, Attribute, Budget, Work, XPathError
from webtool.xpath.functions import Value
from webtool.xpath.grammar import parse

__all__ = ["Attribute", "Budget", "Expression", "Value", "XPathError", "compile"]


NODES = 5_000_000  # that one evaluation may visit before it raises XPathError, by default


class Expression:
    """A compiled expression. It can be used on many trees."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._call = parse(text).call

    def evaluate(self, node: Element, *, budget: int | Budget = NODES) -> Value:
        """Return the value for the context node: a list of nodes in document order, a str, a float or a bool.

        `budget` limits the nodes that may be visited. Several evaluations can share one Budget. Raises XPathError when
        it is used up.
        """
        shared = budget if isinstance(budget, Budget) else Budget(budget)
        position = size = 1  # of the context (section 1)
        value: Value = self._call(Work(node, shared, self.text), node, position, size)
        return value

    def select(self, node: Element, *, budget: int | Budget = NODES) -> list[AnyNode]:
        """Return the nodes in document order, or [] if the value is not a node-set: `count(//p)` is a number."""
        value = self.evaluate(node, budget=budget)
        return value if isinstance(value, list) else []


def compile(text: str) -> Expression:  # noqa: A001 -- as re.compile
    """Parse an expression. Raises XPathError, whose message says what is wrong and where."""
    return Expression(text)
