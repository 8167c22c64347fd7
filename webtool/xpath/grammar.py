"""Tokens to a tree of tuples. In: an expression. Out: nested tuples, the first member naming the kind. Spec: XPath 1.0.

Kinds: ("number", n), ("literal", s), ("call", name, arguments), ("or" | "and" | "=" | "+" | ..., left, right),
("-", operand), ("|", left, right), ("filter", primary, predicates), ("path", start, steps) where start is None
(relative), "/" or an expression, and a step is (axis, test, predicates), as steps.py prepares it; a test is
(kind, name).
"""

from __future__ import annotations

from webtool.xpath.axes import AXES
from webtool.xpath.functions import FUNCTIONS
from webtool.xpath.lexer import Token, XPathError, tokens
from webtool.xpath.steps import ANY_BELOW, Tree, prepared

MAX_DEPTH = 30
"""Nesting of an expression; parsing and evaluation recurse over the expression, never over the page."""
MAX_CHAIN = 100
"""Operators in a row, such as 1 + 2 + 3."""
_NODE_TYPES = frozenset(("comment", "text", "processing-instruction", "node"))
# Binary operators by rising precedence (section 3.4, 3.5).
_LEVELS = (("or",), ("and",), ("=", "!="), ("<", "<=", ">", ">="), ("+", "-"), ("*", "div", "mod"))


def parse(text: str) -> Tree:
    """The tree of an expression. Raises XPathError naming what is wrong and where."""
    return _Parser(text).whole()


class _Parser:
    """Recursive descent over the tokens of one expression."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(tokens(text))
        self._at = 0
        self._depth = 0

    def whole(self) -> Tree:
        """Expr, and nothing behind it."""
        tree = self._expression()
        if self._token.kind != "end":
            raise self._unexpected()
        return tree

    @property
    def _token(self) -> Token:
        return self._tokens[self._at]

    def _is(self, *values: str) -> bool:
        return self._token.kind in ("symbol", "operator") and self._token.value in values

    def _take(self, *values: str) -> str:
        """Go past the next token if it is one of these symbols; "" otherwise."""
        if not self._is(*values):
            return ""
        self._at += 1
        return self._tokens[self._at - 1].value

    def _expect(self, value: str) -> None:
        if not self._take(value):
            raise self._unexpected(f", {value!r} was expected")

    def _unexpected(self, more: str = "") -> XPathError:
        token = self._token
        what = "end" if token.kind == "end" else repr(token.value)
        return XPathError(f"unexpected {what} at character {token.position + 1} of {self._text!r}{more}")

    def _expression(self) -> Tree:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise XPathError(f"nested deeper than {MAX_DEPTH} levels: {self._text[:60]!r}...")
        tree = self._binary(0)
        self._depth -= 1
        return tree

    def _binary(self, level: int) -> Tree:
        if level == len(_LEVELS):
            return self._unary()
        tree = self._binary(level + 1)
        chain = 0
        while operator := self._take(*_LEVELS[level]):
            tree = (operator, tree, self._binary(level + 1))
            chain = self._longer(chain)
        return tree

    def _longer(self, chain: int) -> int:
        """A chain of operators nests to the left, one level each."""
        if chain >= MAX_CHAIN:
            raise XPathError(f"more than {MAX_CHAIN} operators in a row: {self._text[:60]!r}...")
        return chain + 1

    def _unary(self) -> Tree:
        negations = 0
        while self._take("-"):
            negations += 1
        tree = self._union()
        for _ in range(2 - negations % 2 if negations else 0):  # twice is not never: the value becomes a number
            tree = ("-", tree)
        return tree

    def _union(self) -> Tree:
        tree = self._path()
        chain = 0
        while self._take("|"):
            tree = ("|", tree, self._path())
            chain = self._longer(chain)
        return tree

    def _path(self) -> Tree:
        if self._starts_filter():
            return self._filter_path()
        if self._take("//"):
            return ("path", "/", prepared([ANY_BELOW, *self._steps()]))
        if self._take("/"):
            return ("path", "/", prepared(self._steps()) if self._starts_step() else ())
        return ("path", None, prepared(self._steps()))

    def _filter_path(self) -> Tree:
        tree = self._primary()
        predicates = self._predicates()
        if predicates:
            tree = ("filter", tree, predicates)
        if self._take("//"):
            return ("path", tree, prepared([ANY_BELOW, *self._steps()]))
        if self._take("/"):
            return ("path", tree, prepared(self._steps()))
        return tree

    def _starts_filter(self) -> bool:
        token, following = self._token, self._tokens[min(self._at + 1, len(self._tokens) - 1)]
        if token.kind in ("number", "literal") or self._is("(", "$"):
            return True
        return token.kind == "name" and following.value == "(" and token.value not in _NODE_TYPES

    def _starts_step(self) -> bool:
        return self._token.kind == "name" or self._is(".", "..", "@")

    def _primary(self) -> Tree:
        token = self._token
        self._at += 1
        if token.kind == "number":
            return ("number", float(token.value))
        if token.kind == "literal":
            return ("literal", token.value[1:-1])
        if token.value == "(":
            tree = self._expression()
            self._expect(")")
            return tree
        if token.value == "$":
            raise XPathError(f"variables are not supported: {self._text!r}")
        return self._call(token)

    def _call(self, token: Token) -> Tree:
        function = FUNCTIONS.get(token.value)
        if function is None:
            raise XPathError(f"there is no function {token.value}() (character {token.position + 1} of {self._text!r})")
        self._expect("(")
        arguments: list[Tree] = []
        while not self._is(")"):
            if arguments:
                self._expect(",")
            arguments.append(self._expression())
        self._expect(")")
        fewest, most = function.arity
        if not fewest <= len(arguments) <= most:
            raise XPathError(f"{token.value}() does not take {len(arguments)} arguments: {self._text!r}")
        return ("call", token.value, tuple(arguments))

    def _steps(self) -> list[Tree]:
        steps = [self._step()]
        while separator := self._take("/", "//"):
            if separator == "//":
                steps.append(ANY_BELOW)
            steps.append(self._step())
        return steps

    def _step(self) -> Tree:
        if self._take("."):
            return ("self", ("node", ""), ())
        if self._take(".."):
            return ("parent", ("node", ""), ())
        axis = "attribute" if self._take("@") else self._axis()
        return (axis, self._test(), self._predicates())

    def _axis(self) -> str:
        token = self._token
        if token.kind != "name" or self._tokens[self._at + 1].value != "::":
            return "child"
        if token.value not in AXES:
            raise XPathError(f"there is no axis {token.value} (character {token.position + 1} of {self._text!r})")
        self._at += 2
        return token.value

    def _test(self) -> Tree:
        token = self._token
        if token.kind != "name":
            raise self._unexpected()
        self._at += 1
        if token.value in _NODE_TYPES and self._take("("):
            target = ""
            if token.value == "processing-instruction" and self._token.kind == "literal":
                target = self._token.value[1:-1]
                self._at += 1
            self._expect(")")
            return (token.value, target)
        if ":" in token.value:
            raise XPathError(f"no namespace prefix is known, not that of {token.value} either: {self._text!r}")
        return ("name", token.value)

    def _predicates(self) -> tuple[Tree, ...]:
        predicates = []
        while self._take("["):
            predicates.append(self._expression())
            self._expect("]")
        return tuple(predicates)
