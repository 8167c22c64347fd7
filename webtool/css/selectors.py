"""Selectors of style rules. In: their text. Out: Selector objects that can be asked whether they match an element.

A Selector is a list of compounds, from left to right: `ul.menu > li:first-child` has two. Supported are type, id, class
and attribute selectors with all operators, the four combinators, the pseudo-classes of pseudo.py, and :is(), :where(),
:not() and :has(). Everything else makes a selector invalid, as an unknown pseudo-class does in a browser.

Two words are used throughout. The lineage of an element is the list of names (type, class, id) of its ancestors and
itself: elements of one lineage give the same answer to a selector that asks for names alone (`has_names_only`).
A selector is idle if it matches nothing while nobody uses the page: `a:hover`, `a::before`.
Specification: Selectors 4.
"""

from __future__ import annotations

from collections.abc import Container

from webtool.css import pseudo
from webtool.css.elements import Positions
from webtool.css.pseudo import Pseudo, Test
from webtool.html.elements import SVG_TYPES
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.memory import Remembered
from webtool.lean.patterns import Match
from webtool.lean.typing import Callable, Optional

# name, operator's test (None: the attribute is present), value, whether case counts
Attribute = tuple[str, Optional[Callable[[str, str], bool]], str, bool]

_MAX_COMPOUNDS = 12  # a longer selector is invalid
_MAX_CACHED = 1000  # answers that are remembered for one compound; when full, the older half is dropped
_MAX_NESTED = 4  # levels of :not(:is(:where(...))); deeper ones are invalid
_ID, _CLASS = 10000, 100  # specificity
_NAME = r"(?:[\w-]|\\[0-9a-fA-F]{1,6}\s?|\\.|[^\x00-\x7f])+"
_simple_selector = patterns.compile(
    rf"(?P<type>[a-zA-Z][\w-]*|\*)|\#(?P<id>{_NAME})|\.(?P<class>{_NAME})"
    rf"|\[\s*(?P<attribute>[\w-]+)\s*(?:(?P<operator>[~|^$*]?=)\s*(?P<value>\"[^\"]*\"|'[^']*'|{_NAME})\s*(?P<flag>[iIsS])?\s*)?\]"
    r"|::?(?P<pseudo>-?[a-zA-Z][\w-]*)(?P<open>\()?"
).match
_combinator = patterns.compile(r"\s*([>+~])\s*|\s+").match
_brackets_and_commas = patterns.compile(r"[()\[\],]").finditer
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
_class_names = Remembered(lambda classes: frozenset(classes.split()))  # by class attribute


# Classes that a browser's scripts take away from html and body: `html.no-js .story { display: none }` hides nothing.
_WITHOUT_SCRIPTS = frozenset(("no-js", "nojs", "no-javascript", "js-disabled", "no_js", "js-off"))
_escape = patterns.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))").sub


class Compound:
    """A compound selector such as `a.b[c]:first-child`, and the combinator between it and the one before."""

    __slots__ = (
        "alternatives", "attributes", "by_classes", "classes", "combinator", "has_names_only", "id", "specificity",
        "tests", "type",
    )  # fmt: skip

    def __init__(self, combinator: str = " ") -> None:
        self.type = ""  # "" is any
        self.id = ""
        self.classes: set[str] = set()
        self.by_classes: dict[str, bool] = {}  # class attribute -> whether it has all of `classes`; pages repeat them
        self.attributes: list[Attribute] = []
        self.tests: list[Test] = []  # tests of pseudo-classes
        # The selectors inside each :is() and :where(), for limit_to_page() and index_keys(). `tests` has their tests.
        self.alternatives: list[list[Selector]] = []
        self.combinator = combinator  # " ", ">", "+" or "~"
        self.has_names_only = True  # whether all elements of one lineage give the same answer
        self.specificity = 0

    def has_names(self, element: Element) -> bool:
        """Return whether the element has the type, id and classes."""
        if (self.type and self.type != element.tag) or (self.id and element.attrs.get("id") != self.id):
            return False
        return not self.classes or self._has_classes(element)

    def _has_classes(self, element: Element) -> bool:
        classes = element.attrs.get("class")
        if not classes:
            return False
        has_all = self.by_classes.get(classes)
        if has_all is None:
            has_all = self.by_classes[classes] = self.classes <= _class_names[classes]
        if has_all and element.tag in ("html", "body"):
            return self.classes.isdisjoint(_WITHOUT_SCRIPTS)
        return has_all

    def matches(self, element: Element) -> bool:
        """Return whether the compound matches the element."""
        attrs = element.attrs
        if (self.type and self.type != element.tag) or (self.id and attrs.get("id") != self.id):
            return False
        if self.classes and not self._has_classes(element):
            return False
        for name, test, value, counts_case in self.attributes:
            actual = attrs.get(name)
            if actual is None or not (test is None or test(actual if counts_case else actual.lower(), value)):
                return False
        for test_element in self.tests:  # noqa: SIM110 - a third of the time of all()
            if not test_element(element):
                return False
        return True

    def limit_to_page(self, page_names: Container[str]) -> bool:
        """Return whether a page with these types, ".class" and "#id" names may have a matching element.

        Selectors inside :is() and :where() that need other names match nothing from now on.
        """
        for name in self.classes:
            if "." + name not in page_names:
                return False
        if (self.id and "#" + self.id not in page_names) or (self.type and self.type not in page_names):
            return False
        return all(any(inner.limit_to_page(page_names) for inner in selectors) for selectors in self.alternatives)

    def key(self) -> str:
        """Return the name that is probably rarest: "#id", the longest ".class", "[attribute", a type, or "*" for none.

        Rules are indexed by it.
        """
        if self.id:
            return "#" + self.id
        if self.classes:
            return "." + max(self.classes, key=len)
        if self.attributes:
            return "[" + self.attributes[-1][0]
        return self.type or "*"

    def index_keys(self) -> list[str]:
        """Return its key; if that is "*", the keys of the selectors in :is() or :where()."""
        key = self.key()
        if key != "*" or not self.alternatives:
            return [key]
        return sorted({key for selector in self.alternatives[0] for key in selector.compounds[-1].index_keys()})


class Selector:
    """A complex selector: its compounds from left to right, and the text that they were read from."""

    __slots__ = (
        "_answers", "_is_single", "_matches_siblings", "_positions", "compounds", "has_names_only", "may_match",
        "specificity", "text",
    )  # fmt: skip

    def __init__(self, compounds: list[Compound], positions: Positions, text: str) -> None:
        self.compounds = compounds
        self.text = text
        self.has_names_only = all(compound.has_names_only and compound.combinator in " >" for compound in compounds)
        self.may_match = True  # False once the page is known to lack a name
        self.specificity = sum(compound.specificity for compound in compounds)
        self._positions = positions
        self._matches_siblings = compounds[-1].combinator in "+~"
        self._is_single = len(compounds) == 1
        # _answers[i][node]: whether the compounds before compound i match if the search for them begins at this node,
        # which is the parent or the sibling before an element that compound i matches.
        self._answers: list[dict[Element | None, bool]] = [{} for _ in compounds]

    def is_type(self) -> bool:
        """Return whether it asks for an element's type and for nothing else."""
        return self._is_single and self.specificity == 1 and not self.compounds[0].tests

    def limit_to_page(self, page_names: Container[str]) -> bool:
        """Return whether the page has all names of the selector. If not, the selector matches nothing from now on.

        `page_names` are the page's types, ".class" and "#id".
        """
        for compound in self.compounds:
            if not compound.limit_to_page(page_names):
                self.may_match = False
                break
        return self.may_match

    def matches(self, element: Element) -> bool:
        """Return whether the whole selector matches the element."""
        if not self.may_match:
            return False
        last = self.compounds[-1]
        if self._is_single:
            return last.matches(element)
        # Children of one parent share the answer about their ancestors. None: not asked yet.
        known = None if self._matches_siblings else self._answers[-1].get(element.parent)
        if known is False or not last.matches(element):
            return False
        return known or self._matches_before(len(self.compounds) - 1, element)

    def _matches_before(self, index: int, element: Element) -> bool:
        """Return whether the compounds before `index` match, given that compound `index` matches the element.

        Goes up the ancestors or back along the siblings. Every element passed on the way gets the same answer, so none
        is asked twice.
        """
        if index == 0:
            return True
        combinator, outer, answers = self.compounds[index].combinator, self.compounds[index - 1], self._answers[index]
        goes_up, is_adjacent = combinator in " >", combinator in ">+"
        if len(answers) > _MAX_CACHED:
            for oldest in list(answers)[: _MAX_CACHED // 2]:
                del answers[oldest]
        passed, is_match = [], False
        node = element.parent if goes_up else self._positions.before(element)
        while node is not None and node.tag[0] != "#" and not is_match:
            known = answers.get(node)
            if known is not None:
                is_match = known
                break
            passed.append(node)
            is_match = outer.matches(node) and self._matches_before(index - 1, node)
            if is_adjacent:
                break
            node = node.parent if goes_up else self._positions.before(node)
        for node in reversed(passed[:_MAX_CACHED]):  # the nearest last: the oldest answers are dropped first
            answers[node] = is_match
        return is_match


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
        at, size = 0, len(text)
        compound_start = 0
        while at < size:
            match = _simple_selector(text, at)
            if match:
                if match["type"] and at > compound_start:
                    return None  # "[title]p": the type comes first
                at = self._add(compounds[-1], match)
                if at < 0:
                    return None
                continue
            match = _combinator(text, at)
            has_empty_compound = at == compound_start or (match is not None and match.end() == size)
            if match is None or has_empty_compound or len(compounds) >= _MAX_COMPOUNDS:
                return None
            compounds.append(Compound(match[1] or " "))
            at = compound_start = match.end()
        return compounds if size else None

    def _add(self, compound: Compound, match: Match[str]) -> int:
        """Add a simple selector to the compound; return where it ends in the text, -1 if it is invalid."""
        if match["type"]:
            compound.type = "" if match["type"] == "*" else type_of(match["type"])
            compound.specificity += 0 if match["type"] == "*" else 1
        elif match["id"]:
            name = _unescaped(match["id"])
            if compound.id not in ("", name):
                compound.tests.append(lambda _: False)  # "#a#b": no element has two ids
            compound.id = name
            compound.specificity += _ID
        elif match["pseudo"]:
            return self._add_pseudo(compound, match)
        elif match["class"]:
            compound.specificity += _CLASS
            compound.classes.add(_unescaped(match["class"]))
        else:
            compound.specificity += _CLASS
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
            compound.specificity += 0 if is_element else _CLASS
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
            compounds = inner.compounds(text.lstrip(">+~ "))
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
            compound.type, compound.specificity = type_of(kind), 1
        if classes:
            for name in classes.split(".")[1:]:
                compound.classes.add(name)
                compound.specificity += _CLASS
        compounds.append(compound)
    return compounds if combinator == " " else None


def split_list(text: str) -> list[str]:
    """Split at commas outside of brackets: "a, :is(b, c)" -> ["a", " :is(b, c)"]."""
    if "," not in text:
        return [text]
    if "(" not in text and "[" not in text:
        return text.split(",")
    parts, depth, start = [], 0, 0
    for match in _brackets_and_commas(text):
        character = match[0]
        if character in "([":
            depth += 1
        elif character in ")]":
            depth -= 1
        elif depth <= 0:
            parts.append(text[start : match.start()])
            start = match.end()
    return [*parts, text[start:]]


def _closing_bracket(text: str, start: int) -> int:
    """Return where the bracket closes that was opened before `start`, -1 if it does not."""
    depth = 1
    for index in range(start, len(text)):
        depth += (text[index] == "(") - (text[index] == ")")
        if depth == 0:
            return index
    return -1
