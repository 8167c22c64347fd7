"""Selectors of style rules: their text in, selectors that can be asked whether they match an element out.

Type, id, class and attribute selectors with their operators, the four combinators, and the pseudo-classes of
pseudo.py, :is(), :where(), :not() and :has(). Specification: Selectors 4.
"""

from __future__ import annotations

from collections.abc import Container

from webtool.css import pseudo
from webtool.css.pseudo import Places, Test
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.memory import Remembered
from webtool.lean.patterns import Match
from webtool.lean.typing import Callable, Optional

# name, the operator's test, value, whether case counts
Attribute = tuple[str, Optional[Callable[[str, str], bool]], str, bool]

_MAX_COMPOUNDS = 12
_MAX_KNOWN = 1000  # elements whose answer a selector remembers
_MAX_NESTED = 4  # :not(:is(:where(...)))
_ID, _CLASS = 10000, 100
_NAME = r"(?:[\w-]|\\.|[^\x00-\x7f])+"
_part = patterns.compile(
    rf"(?P<type>[a-zA-Z][\w-]*|\*)|\#(?P<id>{_NAME})|\.(?P<class>{_NAME})"
    rf"|\[\s*(?P<attribute>[\w-]+)\s*(?:(?P<operator>[~|^$*]?=)\s*(?P<value>\"[^\"]*\"|'[^']*'|{_NAME})\s*(?P<flag>[iIsS])?\s*)?\]"
    r"|::?(?P<pseudo>-?[a-zA-Z][\w-]*)(?P<open>\()?"
).match
_combinator = patterns.compile(r"\s*([>+~])\s*|\s+").match
_brackets_and_commas = patterns.compile(r"[()\[\],]").finditer
_is_element = patterns.compile(r"(?i)::|:(?:before|after|first-line|first-letter)(?![\w-])").match


class Compound:
    """A compound selector, and how it is joined to the one before it."""

    __slots__ = (
        "among", "attributes", "by_names", "classes", "id", "is_of_names", "joined", "specificity", "tests", "type",
    )  # fmt: skip

    def __init__(self) -> None:
        self.type = ""
        self.id = ""
        self.classes: set[str] = set()
        self.by_names: dict[str, bool] = {}  # class attribute: whether it has the classes; pages repeat them
        self.attributes: list[Attribute] = []
        self.tests: list[Test] = []
        self.among: list[list[Selector]] = []  # one of each must match: :is(), :where()
        self.joined = " "
        self.is_of_names = True
        """Whether it asks for nothing but what elements of a chain have in common."""
        self.specificity = 0

    def has_names(self, element: Element) -> bool:
        """Whether the element has its type, id and classes."""
        attrs = element.attrs
        if (self.type and self.type != element.tag) or (self.id and attrs.get("id") != self.id):
            return False
        return not self.classes or self._has_classes(attrs)

    def _has_classes(self, attrs: dict[str, str]) -> bool:
        names = attrs.get("class")
        if not names:
            return False
        has_all = self.by_names.get(names)
        if has_all is None:
            has_all = self.by_names[names] = self.classes <= _names_in[names]
        return has_all

    def matches(self, element: Element) -> bool:
        """Whether it matches the element."""
        attrs = element.attrs
        if (self.type and self.type != element.tag) or (self.id and attrs.get("id") != self.id):
            return False
        if self.classes and not self._has_classes(attrs):
            return False
        for name, test, value, counts_case in self.attributes:
            has = attrs.get(name)
            if has is None or not (test is None or test(has if counts_case else has.lower(), value)):
                return False
        for one in self.tests:  # noqa: SIM110 - a third of the time of all()
            if not one(element):
                return False
        return True

    def may_match(self, names: Container[str]) -> bool:
        """Whether elements of a page may match whose types, ".class" and "#id" are `names`."""
        for name in self.classes:
            if "." + name not in names:
                return False
        if (self.id and "#" + self.id not in names) or (self.type and self.type not in names):
            return False
        return all(any(one.check_names(names) for one in several) for several in self.among)

    def key(self) -> str:
        """Its most telling part, under which it is looked up: "#id", ".class", "[attribute" or a type."""
        if self.id:
            return "#" + self.id
        if self.classes:
            return "." + max(self.classes, key=len)
        if self.attributes:
            return "[" + self.attributes[-1][0]
        return self.type or "*"

    def found_under(self) -> list[str]:
        """What it is looked up under: its key, or those of what stands in :is() and :where()."""
        key = self.key()
        if key != "*" or not self.among:
            return [key]
        return sorted({key for one in self.among[0] for key in one.compounds[-1].found_under()})


_names_in = Remembered(lambda names: frozenset(names.split()))  # the class names of an attribute


_OPERATORS: dict[str, Callable[[str, str], bool]] = {
    "=": lambda has, value: has == value,
    "~=": lambda has, value: value in has.split(),
    "|=": lambda has, value: has == value or has.startswith(value + "-"),
    "^=": lambda has, value: value != "" and has.startswith(value),
    "$=": lambda has, value: value != "" and has.endswith(value),
    "*=": lambda has, value: value != "" and value in has,
}


class Selector:
    """Compounds from left to right, and the text that they were read from."""

    __slots__ = (
        "_around", "_is_local", "_is_single", "_places", "compounds", "is_of_names", "may_match", "specificity", "text",
    )  # fmt: skip

    def __init__(self, compounds: list[Compound], places: Places, text: str) -> None:
        self.compounds = compounds
        self.text = text
        self.is_of_names = all(compound.is_of_names and compound.joined in " >" for compound in compounds)
        self.may_match = True
        self.specificity = sum(compound.specificity for compound in compounds)
        self._places = places
        # Siblings share the answer about what is above them, where nothing else is asked.
        self._is_local = compounds[-1].joined in "+~"
        self._is_single = len(compounds) == 1
        self._around: list[dict[Element | None, bool]] = [{} for _ in compounds]

    def is_type(self) -> bool:
        """Whether it asks for an element's type and for nothing else."""
        return self.specificity == len(self.compounds) == 1 and not self.compounds[0].tests

    def check_names(self, names: Container[str]) -> bool:
        """Match nothing from here on, and say so, if the page lacks a name; `names` are its types, ".class", "#id"."""
        for compound in self.compounds:
            if not compound.may_match(names):
                self.may_match = False
                break
        return self.may_match

    def matches(self, element: Element) -> bool:
        """Whether the whole selector matches the element."""
        if not self.may_match:
            return False
        last = self.compounds[-1]
        if self._is_single:
            return last.matches(element)
        known = None if self._is_local else self._around[-1].get(element.parent)
        if known is False or not last.matches(element):
            return False
        return known or self._matches_around(len(self.compounds) - 1, element)

    def _matches_around(self, index: int, element: Element) -> bool:
        """Whether what stands left of compound `index`, which matches the element, matches around it.

        All that is passed on the way, up or back, to what matched shares the answer: no element is asked twice.
        """
        if index == 0:
            return True
        joined, wanted, around = self.compounds[index].joined, self.compounds[index - 1], self._around[index]
        is_up, is_next = joined in " >", joined in ">+"
        if len(around) > _MAX_KNOWN:
            for oldest in list(around)[: _MAX_KNOWN // 2]:
                del around[oldest]
        passed, found = [], False
        at = element.parent if is_up else self._places.before(element)
        while at is not None and at.tag[0] != "#" and not found:
            known = around.get(at)
            if known is not None:
                found = known
                break
            passed.append(at)
            found = wanted.matches(at) and self._matches_around(index - 1, at)
            if is_next:
                break
            at = at.parent if is_up else self._places.before(at)
        for one in reversed(passed[:_MAX_KNOWN]):
            around[one] = found
        return found


def selectors_of(text: str, places: Places) -> list[Selector]:
    """The selectors of a list; none of them where one is invalid, as browsers have it."""
    return _Reader(text.strip(), places).selectors() or []


class _Reader:
    def __init__(self, text: str, places: Places, depth: int = 0) -> None:
        self._text = text
        self._places = places
        self._depth = depth
        self._is_idle = False  # it matches no element of a page that nobody has touched: ::before, :hover

    def selectors(self) -> list[Selector] | None:
        found = []
        for part in split_list(self._text):
            self._is_idle = False
            compounds = self._compounds(part.strip(), " ")
            if not compounds:
                return None
            if not self._is_idle:
                found.append(Selector(compounds, self._places, part))
        return found

    def _compounds(self, text: str, joined: str) -> list[Compound] | None:
        """The compounds of one selector, None where it is not understood."""
        plain = _plain_compounds(text) if joined == " " else None
        if plain:
            return plain
        compounds = [Compound()]
        compounds[0].joined = joined
        at, size = 0, len(text)
        while at < size:
            match = _part(text, at)
            if match:
                end = self._put(compounds[-1], match)
            else:
                match = _combinator(text, at)
                end = match.end() if match and at > 0 else -1
                if end == size or len(compounds) >= _MAX_COMPOUNDS:
                    return None
                compounds.append(Compound())
                compounds[-1].joined = (match and match[1]) or " "
            if end < 0:
                return None
            at = end
        return compounds if size else None

    def _put(self, compound: Compound, match: Match[str]) -> int:
        """Add what was read to the compound; where it ends, -1 where it is not understood."""
        end = match.end()
        if match["type"]:
            compound.type = "" if match["type"] == "*" else match["type"].lower()
            compound.specificity += 0 if match["type"] == "*" else 1
        elif match["id"]:
            compound.id = match["id"].replace("\\", "")
            compound.specificity += _ID
        elif match["pseudo"]:
            return self._put_pseudo(compound, match)
        else:
            compound.specificity += _CLASS
            if match["class"]:
                compound.classes.add(match["class"].replace("\\", ""))
            else:
                value = match["value"] or ""
                value = value[1:-1] if value[:1] in ("'", '"') else value.replace("\\", "")
                counts_case = (match["flag"] or "").lower() != "i"
                value = value if counts_case else value.lower()
                test = _OPERATORS[match["operator"]] if match["operator"] else None
                name = match["attribute"].lower()
                compound.attributes.append((name, test, value, counts_case))
                compound.is_of_names = compound.is_of_names and name in self._places.attributes
        return end

    def _put_pseudo(self, compound: Compound, match: Match[str]) -> int:
        end, argument = match.end(), None
        if match["open"]:
            close = _closing(match.string, end)
            if close < 0:
                return -1
            argument, end = match.string[end:close], close + 1
        name = match["pseudo"].lower()
        if _is_element(match[0]) or (argument is None and name in pseudo.NEVER):
            self._is_idle = True
            return end
        if argument is not None and name in _SELECTIVE:
            found = self._selective(name, argument, compound)
        else:
            found = pseudo.test_of(name, argument, self._places)
            compound.is_of_names = compound.is_of_names and name == "root"
        if found is None:
            return -1
        compound.tests.append(found[0])
        compound.specificity += found[1]
        return end

    def _selective(self, name: str, argument: str, compound: Compound) -> pseudo.Found:
        """The test of a pseudo-class that takes selectors."""
        if self._depth >= _MAX_NESTED:
            return None
        if name == "has":
            compound.is_of_names = False
            return self._has(argument)
        found = []
        for part in split_list(argument):
            inner = _Reader(part.strip(), self._places, self._depth + 1).selectors()
            if inner is None and name == "not":
                return None  # :is() and :where() forgive what they do not understand
            found += inner or []
        compound.is_of_names = compound.is_of_names and all(one.is_of_names for one in found)
        weight = 0 if name == "where" else max((one.specificity for one in found), default=0)
        types = {one.compounds[0].type for one in found if one.is_type()}
        tests = [one.matches for one in found if not one.is_type()]

        def one_matches(element: Element) -> bool:
            if element.tag in types:
                return True
            for test in tests:  # noqa: SIM110 - half of the time of any()
                if test(element):
                    return True
            return False

        if name == "not":
            return lambda element: not one_matches(element), weight
        compound.among.append(found)
        return one_matches, weight

    def _has(self, argument: str) -> pseudo.Found:
        tests: list[Test] = []
        weight = 0
        for part in split_list(argument):
            text = part.strip()
            joined = text[:1] if text[:1] in (">", "+", "~") else " "
            compounds = _Reader("", self._places, self._depth + 1)._compounds(text.lstrip(">+~ "), " ")
            if not compounds:
                return None
            selector = Selector(compounds, self._places, text)
            weight = max(weight, selector.specificity)
            tests.append(pseudo.has(joined, selector.matches, self._places))
        return lambda element: any(test(element) for test in tests), weight


def _plain_compounds(text: str) -> list[Compound] | None:
    """The same of a selector that has types, ids and classes alone, as nine in ten have; None where it has more. It
    takes a third of the time."""
    compounds: list[Compound] = []
    joined = " "
    if ">" in text or "+" in text or "~" in text:
        text = text.replace(">", " > ").replace("+", " + ").replace("~", " ~ ")
    for word in text.split():
        if word in ">+~":
            if joined != " " or not compounds:
                return None
            joined = word
            continue
        match = _plain(word)
        if not match or len(compounds) == _MAX_COMPOUNDS:
            return None
        compound = Compound()
        compound.joined, joined = joined, " "
        kind, names = match[1], match[2]
        if kind and kind != "*":
            compound.type, compound.specificity = kind.lower(), 1
        if names:
            for name in names.split(".")[1:]:
                compound.classes.add(name)
                compound.specificity += _CLASS
        compounds.append(compound)
    return compounds if joined == " " else None


_plain = patterns.compile(r"([a-zA-Z][\w-]*|\*)?((?:\.[\w-]+)*)").fullmatch
_SELECTIVE = frozenset(("is", "where", "not", "has", "matches", "-webkit-any"))


def split_list(text: str) -> list[str]:
    """The parts between commas that stand in no brackets."""
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


def _closing(text: str, at: int) -> int:
    """Where the bracket closes that is open at `at`; -1 where it does not."""
    depth = 1
    for index in range(at, len(text)):
        depth += (text[index] == "(") - (text[index] == ")")
        if depth == 0:
            return index
    return -1
