"""XPath 1.0 over the tree of webtool.html. In: an expression and a node. Out: nodes, a string, a number or a boolean.

    xpath.compile("//div[@class='post']//p").select(root)

All axes, functions and operators of the recommendation but the namespace axis, which HTML has no use for (it is always
empty), and variables. Element names match by their local name, as written in the tree. Spec: XPath 1.0, W3C 1999.
"""

from __future__ import annotations

from webtool.html.node import Element
from webtool.xpath.conversions import Value
from webtool.xpath.data import AnyNode, Attribute, Budget, Work
from webtool.xpath.grammar import parse
from webtool.xpath.lexer import XPathError

__all__ = ["Attribute", "Budget", "Expression", "XPathError", "compile"]


NODES = 5_000_000
"""Budget of one evaluation, in nodes looked at."""


class Expression:
    """A compiled expression; the same one can be used on many trees."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._call = parse(text).call

    def evaluate(self, node: Element, *, budget: int | Budget = NODES) -> Value:
        """The value with `node` as context node: nodes in document order, a string, a number or a boolean.

        `budget` bounds the nodes looked at; raises XPathError when it is used up. Several evaluations share what is
        left of a Budget.
        """
        shared = budget if isinstance(budget, Budget) else Budget(budget)
        value: Value = self._call(Work(node, shared, self.text), node, 1, 1)
        return value

    def select(self, node: Element, *, budget: int | Budget = NODES) -> list[AnyNode]:
        """The nodes, in document order; [] for an expression whose value is not a node-set."""
        value = self.evaluate(node, budget=budget)
        return value if isinstance(value, list) else []


def compile(text: str) -> Expression:  # noqa: A001 -- as re.compile
    """Parse an expression. Raises XPathError naming what is wrong and where."""
    return Expression(text)
