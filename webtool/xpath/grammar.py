"""Parse an XPath expression by recursive descent. In: text. Out: a Compiled, which evaluates it.

The text is split into tokens: after an operand, `*`, `and`, `or`, `div` and `mod` are operators; elsewhere they are
names. Each method of _Parser parses one grammar rule and returns it compiled; evaluate.py and functions.py do the
compiling, without a syntax tree in between. Binary operators are parsed by precedence climbing over _LEVELS.
Spec: XPath 1.0 sections 2 and 3.
Tests: tests/xpath/test_xpath.py
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.xpath.data import AXES, XPathError
from webtool.xpath.evaluate import ANY_BELOW, ROOT, Step, filtered, negated, operation, path
from webtool.xpath.functions import Compiled, call

MAX_DEPTH = 30  # levels of (), [] and arguments; deeper is an error, because parsing and evaluation recurse over them
MAX_OPERATORS = 200  # in one expression; more is an error, because each operator nests the one before it
_NODE_TYPES = frozenset(("comment", "text", "processing-instruction", "node"))
_NEGATION = ("-",)
# Operators from lowest to highest precedence (sections 3.3 to 3.5). _NEGATION is the unary minus.
_LEVELS = (("or",), ("and",), ("=", "!="), ("<", "<=", ">", ">="), ("+", "-"), ("*", "div", "mod"), _NEGATION, ("|",))
_NAME = r"[^\W\d][\w.\-\u00b7]*"
_TOKEN = patterns.compile(
    rf"""(?x)[ \t\r\n]*(?:
    (?P<number>[0-9]+(?:\.[0-9]*)?|\.[0-9]+)
    |(?P<string>"[^"]*"|'[^']*')
    |(?P<symbol>\.\.|::|//|!=|<=|>=|[()\[\].@,/|+\-=<>*$])
    |(?P<name>{_NAME}(?::(?!:)(?:{_NAME}|\*))?)  # "::" ends the name of an axis
    )"""
)
_SPACE = patterns.compile(r"[ \t\r\n]*")
_OPERATOR_NAMES = frozenset(("and", "or", "mod", "div"))
# Tokens after which an operand must follow (section 3.7).
_BEFORE_OPERAND = frozenset(("@", "::", "(", "[", ",", "/", "//", "|", "+", "-", "=", "!=", "<", "<=", ">", ">=", "$"))


class Token(NamedTuple):
    """One token. `kind` is number, string, name, operator, symbol or end; `position` is its index in the text."""

    kind: str
    value: str
    position: int


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of an expression, then one of kind "end". Raises XPathError."""
    position, before = 0, None
    while True:
        match = _TOKEN.match(text, position)
        if match is None:
            end = _SPACE.match(text, position).end()  # type: ignore[union-attr]
            if end < len(text):
                raise XPathError(f"unexpected {text[end]!r} at character {end + 1}")
            yield Token("end", "", len(text))
            return
        kind, value = str(match.lastgroup), match[str(match.lastgroup)]
        after_operand = before is not None and before.kind != "operator" and before.value not in _BEFORE_OPERAND
        if after_operand and (value == "*" or (kind == "name" and value in _OPERATOR_NAMES)):
            kind = "operator"
        elif kind == "symbol" and value == "*":
            kind = "name"
        before = Token(kind, value, match.start(str(match.lastgroup)))
        yield before
        position = match.end()


def parse(text: str) -> Compiled:
    """Parse and compile an expression. Raises XPathError, whose message says what is wrong and where."""
    try:
        return _Parser(list(tokens(text))).whole()
    except XPathError as exc:
        raise XPathError(f"{exc}: {text[:200]!r}") from None


class _Parser:
    """Recursive descent over the tokens of one expression."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._index = self._depth = self._operators = 0

    def whole(self) -> Compiled:
        """Parse the whole text as one Expr."""
        whole = self._expression()
        if self._token.kind != "end":
            raise self._unexpected()
        return whole

    @property
    def _token(self) -> Token:
        return self._tokens[self._index]

    def _is(self, *values: str) -> bool:
        return self._token.kind in ("symbol", "operator") and self._token.value in values

    def _take(self, *values: str) -> str:
        """Consume the next token if it is one of these symbols, and return its value, else ""."""
        if not self._is(*values):
            return ""
        self._index += 1
        return self._tokens[self._index - 1].value

    def _expect(self, value: str) -> None:
        if not self._take(value):
            raise self._unexpected(f", {value!r} was expected")

    def _unexpected(self, more: str = "") -> XPathError:
        token = self._token
        what = "end" if token.kind == "end" else repr(token.value)
        return XPathError(f"unexpected {what} at character {token.position + 1}{more}")

    def _expression(self) -> Compiled:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise XPathError(f"nested deeper than {MAX_DEPTH} levels")
        whole = self._binary(0)
        self._depth -= 1
        return whole

    def _binary(self, level: int) -> Compiled:
        """Parse operators of this precedence level and above."""
        if level == len(_LEVELS):
            return self._path()
        negations = 0
        while _LEVELS[level] == _NEGATION and self._take("-"):
            negations += 1
        left = self._binary(level + 1)
        if negations:  # --x is not x but number(x), so an even count is two
            left = negated(left)
            if negations % 2 == 0:
                left = negated(left)
        while _LEVELS[level] != _NEGATION and (operator := self._take(*_LEVELS[level])):
            self._operators += 1
            if self._operators > MAX_OPERATORS:
                raise XPathError(f"more than {MAX_OPERATORS} operators")
            left = operation(operator, left, self._binary(level + 1))
        return left

    def _path(self) -> Compiled:
        """Parse a location path, or a filter expression with the path that follows it: `id("a")/p`."""
        start = None
        if self._starts_filter():
            start = self._primary()
            predicates = self._predicates()
            start = filtered(start, predicates) if predicates else start
            if not self._is("/", "//"):
                return start
        elif self._is("/", "//"):
            start = ROOT
        if self._take("//"):
            return path(start, [ANY_BELOW, *self._steps()])
        has_slash = self._take("/")
        begins_step = self._token.kind == "name" or self._is(".", "..", "@")
        if has_slash and start is ROOT and not begins_step:  # a lone "/" is the root itself
            return ROOT
        return path(start, self._steps())

    def _starts_filter(self) -> bool:
        """Return whether a literal, a parenthesis, a variable or a function call comes next."""
        token, following = self._token, self._tokens[min(self._index + 1, len(self._tokens) - 1)]
        if token.kind in ("number", "string") or self._is("(", "$"):
            return True
        return token.kind == "name" and following.value == "(" and token.value not in _NODE_TYPES

    def _primary(self) -> Compiled:
        """Parse a literal, a number, a parenthesised expression or a function call."""
        token = self._token
        self._index += 1
        if token.kind in ("number", "string"):
            value = float(token.value) if token.kind == "number" else token.value[1:-1]
            return Compiled(token.kind, lambda *_: value, constant=value)
        if token.value == "$":
            raise XPathError("variables are not supported")
        if token.value == "(":
            whole = self._expression()
            self._expect(")")
            return whole
        self._expect("(")
        arguments: list[Compiled] = []
        while not self._is(")"):
            if arguments:
                self._expect(",")
            arguments.append(self._expression())
        self._expect(")")
        return call(token.value, arguments)

    def _steps(self) -> list[Step]:
        steps = [self._step()]
        while separator := self._take("/", "//"):
            if separator == "//":
                steps.append(ANY_BELOW)
            steps.append(self._step())
        return steps

    def _step(self) -> Step:
        if self._take("."):
            return Step("self")
        if self._take(".."):
            return Step("parent")
        axis = "attribute" if self._take("@") else self._axis()
        return Step(axis, self._test(), self._predicates())

    def _axis(self) -> str:
        token = self._token
        if token.kind != "name" or self._tokens[self._index + 1].value != "::":
            return "child"
        if token.value not in AXES:
            raise XPathError(f"unknown axis {token.value} at character {token.position + 1}")
        self._index += 2
        return token.value

    def _test(self) -> tuple[str, str]:
        token = self._token
        if token.kind != "name":
            raise self._unexpected()
        self._index += 1
        if token.value in _NODE_TYPES and self._take("("):
            if token.value == "processing-instruction" and self._token.kind == "string":
                self._index += 1  # the target: an HTML tree has no processing instructions, whatever their target
            self._expect(")")
            return token.value, ""
        if ":" in token.value:
            raise XPathError(f"the namespace prefix of {token.value} is not known: pages declare none")
        return "name", token.value

    def _predicates(self) -> list[Compiled]:
        predicates = []
        while self._take("["):
            predicates.append(self._expression())
            self._expect("]")
        return predicates
