"""Read the text of selectors. In: a selector list such as "ul.menu > li, a:not(.x)". Out: Selector objects.

Supported are type, id, class and attribute selectors with all operators, the four combinators, the pseudo-classes of
pseudo.py, and :is(), :where(), :not() and :has(). Everything else makes a selector invalid, as an unknown pseudo-class
does in a browser, and with it the whole list. Only in :is() and :where() an invalid selector is skipped.

A selector is idle if it matches nothing while nobody uses the page: `a:hover`, `a::before`. It is valid, but left out.
Its specificity still counts in :is() and :not(), as in `a:not(:hover)`.
Specification: Selectors 4, CSS Syntax 3 section 4.3.7 (escapes).
Tests: tests/css/test_selectors.py
"""

from __future__ import annotations

from webtool.css import pseudo
from webtool.css.elements import Positions
from webtool.css.pseudo import Pseudo, Test
from webtool.css.selectors import CLASS, ID, TYPE, Compound, Selector
from webtool.html.elements import SVG_TYPES
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.patterns import Match
from webtool.lean.typing import Callable

_MAX_COMPOUNDS = 12  # a longer selector is invalid
_MAX_NESTED = 4  # levels of :not(:is(:where(...))); deeper ones are invalid
_NAME = r"(?:[\w-]|\\[0-9a-fA-F]{1,6}\s?|\\.|[^\x00-\x7f])+"
_simple_selector = patterns.compile(
    rf"(?P<type>[a-zA-Z][\w-]*|\*)|\#(?P<id>{_NAME})|\.(?P<class>{_NAME})"
    rf"|\[\s*(?P<attribute>[\w-]+)\s*(?:(?P<operator>[~|^$*]?=)\s*(?P<value>\"[^\"]*\"|'[^']*'|{_NAME})\s*(?P<flag>[iIsS])?\s*)?\]"
    r"|::?(?P<pseudo>-?[a-zA-Z][\w-]*)(?P<open>\()?"
).match
_combinator = patterns.compile(r"\s*([>+~])\s*|\s+").match
_strings_and_delimiters = patterns.compile(r"""\"[^\"]*\"|'[^']*'|[()\[\],]""").finditer
_is_pseudo_element = patterns.compile(r"(?i)::|:(?:before|after|first-line|first-letter)(?![\w-])").match
_type_and_classes = patterns.compile(r"([a-zA-Z][\w-]*|\*)?((?:\.[\w-]+)*)").fullmatch
_WITH_SELECTORS = frozenset(("is", "where", "not", "has", "matches", "-webkit-any"))  # pseudo-classes
_OPERATORS: dict[str, Callable[[str, str], bool]] = {
    "=": lambda has, value: has == value,
    "~=": lambda has, value: value in has.split(),
    "|=": lambda has, value: has == value or has.startswith(value + "-"),
    "^=": lambda has, value: value != "" and has.startswith(value),
    "$=": lambda has, value: value != "" and has.endswith(value),
    "*=": lambda has, value: value != "" and value in has,
}
_escape = patterns.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))").sub


def selectors_of(text: str, positions: Positions) -> list[Selector]:
    """Return the selectors of a comma-separated list, or [] if one of them is invalid. Idle ones are left out."""
    return _Reader(text.strip(), positions).selectors() or []


def is_supported(text: str, positions: Positions) -> bool:
    """Return whether a selector list can be read: "a:hover" -> True though it is idle, "a:bogus" -> False."""
    return _Reader(text.strip(), positions).selectors() is not None


def type_of(name: str) -> str:
    """Return a type as the tree spells it: "DIV" -> "div", but "foreignObject" keeps its capital."""
    return name if name in SVG_TYPES else name.lower()


def _unescaped(name: str) -> str:
    r"""Return a name without its escapes: `\31 a` is "1a", `sm\:flex` is "sm:flex" (CSS Syntax 3, section 4.3.7)."""
    return _escape(_character, name) if "\\" in name else name


def _character(match: Match[str]) -> str:
    code = int(match[1], 16) if match[1] else 0
    return match[2] or (chr(code) if 0 < code < 0x110000 else "\ufffd")


class _Reader:
    """Reads one selector list."""

    def __init__(self, text: str, positions: Positions, depth: int = 0) -> None:
        self._text = text
        self._positions = positions
        self._depth = depth
        self.is_idle = False  # whether the selector being read is idle
        self.specificity = 0  # the greatest of the selectors read, idle ones included

    def selectors(self) -> list[Selector] | None:
        """Return the selectors that may match, or None if one is invalid."""
        selectors = []
        for part in split_list(self._text):
            self.is_idle = False
            compounds = self.compounds(part.strip())
            if not compounds:
                return None
            selector = Selector(compounds, self._positions, part)
            self.specificity = max(self.specificity, selector.specificity)
            if not self.is_idle:
                selectors.append(selector)
        return selectors

    def compounds(self, text: str) -> list[Compound] | None:
        """Return the compounds of one selector, or None if it is invalid."""
        plain = _plain_compounds(text)
        if plain:
            return plain
        compounds = [Compound()]
        position, size = 0, len(text)
        compound_start = 0
        while position < size:
            match = _simple_selector(text, position)
            if match:
                if match["type"] and position > compound_start:
                    return None  # "[title]p": the type comes first
                position = self._add(compounds[-1], match)
                if position < 0:
                    return None
                continue
            match = _combinator(text, position)
            if match is None or position == compound_start or match.end() == size:
                return None  # no combinator, or an empty compound before or after it
            if len(compounds) >= _MAX_COMPOUNDS:
                return None
            compounds.append(Compound(match[1] or " "))
            position = compound_start = match.end()
        return compounds if size else None

    def _add(self, compound: Compound, match: Match[str]) -> int:
        """Add a simple selector to the compound; return where it ends in the text, -1 if it is invalid."""
        if match["type"]:
            compound.type = "" if match["type"] == "*" else type_of(match["type"])
            compound.specificity += 0 if match["type"] == "*" else TYPE
        elif match["id"]:
            name = _unescaped(match["id"])
            if compound.id not in ("", name):
                compound.tests.append(lambda _: False)  # "#a#b": no element has two ids
            compound.id = name
            compound.specificity += ID
        elif match["pseudo"]:
            return self._add_pseudo(compound, match)
        elif match["class"]:
            compound.specificity += CLASS
            compound.classes.add(_unescaped(match["class"]))
        else:
            compound.specificity += CLASS
            self._add_attribute(compound, match)
        return match.end()

    def _add_attribute(self, compound: Compound, match: Match[str]) -> None:
        value = match["value"] or ""
        value = value[1:-1] if value[:1] in ("'", '"') else _unescaped(value)
        counts_case = (match["flag"] or "").lower() != "i"
        value = value if counts_case else value.lower()
        test = _OPERATORS[match["operator"]] if match["operator"] else None
        name = match["attribute"].lower()
        compound.attributes.append((name, test, value, counts_case))
        # role, data-* and the like are part of a lineage, as class and id are.
        compound.has_names_only = compound.has_names_only and name in self._positions.name_attributes

    def _add_pseudo(self, compound: Compound, match: Match[str]) -> int:
        """Add a pseudo-class or pseudo-element; return where it ends in the text, -1 if it is invalid."""
        end, argument = match.end(), None
        if match["open"]:
            close = _closing_bracket(match.string, end)
            if close < 0:
                return -1
            argument, end = match.string[end:close], close + 1
        name = match["pseudo"].lower()
        is_element = _is_pseudo_element(match[0]) is not None
        if is_element or name in (pseudo.NEVER if argument is None else pseudo.NEVER_WITH_ARGUMENT):
            self.is_idle = True
            compound.specificity += 0 if is_element else CLASS
            return end
        if argument is not None and name in _WITH_SELECTORS:
            test = self._test_with_selectors(name, argument, compound)
        else:
            test = pseudo.test_of(name, argument, self._positions)
            compound.has_names_only = compound.has_names_only and name == "root"
        if test is None:
            return -1
        compound.tests.append(test[0])
        compound.specificity += test[1]
        return end

    def _test_with_selectors(self, name: str, argument: str, compound: Compound) -> Pseudo:
        """Return the test of :is(), :where(), :not() or :has(); note in the compound what it asks for."""
        if self._depth >= _MAX_NESTED:
            return None
        if name == "has":
            compound.has_names_only = False
            return self._has(argument)
        selectors: list[Selector] = []
        specificity = 0  # that of the most specific selector, even if it is idle: `:not(:hover)` counts as a class
        for part in split_list(argument):
            reader = _Reader(part.strip(), self._positions, self._depth + 1)
            inner = reader.selectors()
            if inner is None and name == "not":
                return None  # :is() and :where() skip invalid selectors, :not() does not
            selectors += inner or []
            if inner is not None and name != "where":
                specificity = max(specificity, reader.specificity)
        compound.has_names_only = compound.has_names_only and all(inner.has_names_only for inner in selectors)
        matches_one = _any_of(selectors)
        if name == "not":
            return lambda element: not matches_one(element), specificity
        compound.alternatives.append(selectors)
        return matches_one, specificity

    def _has(self, argument: str) -> Pseudo:
        """Return the test of :has(): an invalid selector in its list makes all of it invalid."""
        tests: list[Test] = []
        specificity = 0
        for part in split_list(argument):
            text = part.strip()
            combinator = text[:1] if text[:1] in (">", "+", "~") else " "
            inner = _Reader("", self._positions, self._depth + 1)  # compounds() takes the text of one selector
            compounds = inner.compounds(text if combinator == " " else text[1:].strip())
            if not compounds:
                return None
            selector = Selector(compounds, self._positions, text)
            specificity = max(specificity, selector.specificity)
            if inner.is_idle:  # a:hover in `div:has(a:hover)`
                continue
            tests.append(pseudo.has(combinator, selector.matches, self._positions))
        return lambda element: any(test(element) for test in tests), specificity


def _any_of(selectors: list[Selector]) -> Test:
    """Return a test that holds if one of the selectors matches."""
    types = {selector.compounds[0].type for selector in selectors if selector.is_type()}
    tests = [selector.matches for selector in selectors if not selector.is_type()]

    def matches_one(element: Element) -> bool:
        if element.tag in types:
            return True
        for test in tests:  # noqa: SIM110 - half of the time of any()
            if test(element):
                return True
        return False

    return matches_one


def _plain_compounds(text: str) -> list[Compound] | None:
    """Return the compounds of a selector with types and classes only, or None if it has anything else.

    Nine selectors in ten are like this, and reading them here takes a third of the time.
    """
    compounds: list[Compound] = []
    combinator = " "
    if ">" in text or "+" in text or "~" in text:
        text = text.replace(">", " > ").replace("+", " + ").replace("~", " ~ ")
    for word in text.split():
        if word in ">+~":
            if combinator != " " or not compounds:
                return None
            combinator = word
            continue
        match = _type_and_classes(word)
        if not match or len(compounds) == _MAX_COMPOUNDS:
            return None
        compound = Compound(combinator)
        combinator = " "
        kind, classes = match[1], match[2]
        if kind and kind != "*":
            compound.type, compound.specificity = type_of(kind), TYPE
        if classes:
            for name in classes.split(".")[1:]:
                compound.classes.add(name)
                compound.specificity += CLASS
        compounds.append(compound)
    return compounds if combinator == " " else None


def split_list(text: str) -> list[str]:
    """Split at commas outside of brackets and strings: "a, :is(b, c)" -> ["a", " :is(b, c)"]."""
    if "," not in text:
        return [text]
    if "(" not in text and "[" not in text:
        return text.split(",")
    parts, depth, start = [], 0, 0
    for match in _strings_and_delimiters(text):
        character = match[0]
        if character in "([":
            depth += 1
        elif character in ")]":
            depth -= 1
        elif character == "," and depth <= 0:
            parts.append(text[start : match.start()])
            start = match.end()
    return [*parts, text[start:]]


def _closing_bracket(text: str, start: int) -> int:
    """Return where the bracket closes that was opened before `start`, -1 if it does not. Strings are skipped."""
    depth = 1
    for match in _strings_and_delimiters(text, start):
        depth += (match[0] == "(") - (match[0] == ")")
        if depth == 0:
            return match.start()
    return -1
