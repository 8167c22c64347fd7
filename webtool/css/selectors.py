"""Selectors of style rules, as objects that can be asked whether they match an element. In: elements. Out: answers.

A Selector is a list of compounds, from left to right: `ul.menu > li:first-child` has two. selector_parser.py reads them
from text.

The lineage of an element is the types, classes, ids (and Positions.name_attributes) of its ancestors and itself. A
selector with `has_names_only` asks for nothing else, so all elements of one lineage get one answer, which callers
remember. The weight of a selector is about the number of tests that asking it about one element takes.
Specification: Selectors 4.
"""

from __future__ import annotations

from collections.abc import Container

from webtool.css.elements import Positions, has_words, keys_of
from webtool.css.pseudo import Test
from webtool.html.node import Element
from webtool.lean.typing import Callable, Optional

# name, operator's test (None: the attribute is present), value, whether case counts
Attribute = tuple[str, Optional[Callable[[str, str], bool]], str, bool]

OPERATORS: dict[str, Callable[[str, str], bool]] = {
    "=": lambda has, value: has == value,
    "~=": lambda has, value: has_words(has, {value}),
    "|=": lambda has, value: has == value or has.startswith(value + "-"),
    "^=": lambda has, value: value != "" and has.startswith(value),
    "$=": lambda has, value: value != "" and has.endswith(value),
    "*=": lambda has, value: value != "" and value in has,
}
# Attributes whose values are compared without regard to case (HTML Standard, section 4.16.2).
CASELESS = frozenset(
    """
accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare defer dir direction
disabled enctype face frame hreflang http-equiv lang language link media method multiple nohref noresize noshade nowrap
readonly rel rev rules scope scrolling selected shape target text type valign valuetype vlink
""".split()
)

ID, CLASS, TYPE = 10000, 100, 1  # specificity
_MAX_CACHED = 1000  # answers that are remembered for one compound; when full, the older half is dropped
# Classes that a browser's scripts take away from html and body: `html.no-js .story { display: none }` hides nothing.
_WITHOUT_SCRIPTS = frozenset(("no-js", "nojs", "no-javascript", "js-disabled", "no_js", "js-off"))
_MAX_END = 5000  # characters at the beginning and at the end of an attribute that selectors look at
_SIBLING = 4  # weight of a compound after "+" or "~", as going back along the siblings takes longer
_MAX_SCANNED = 8  # selectors of a list that are asked one by one; more are indexed by the key of their last compound
_MAX_KEYS = 400  # keys of the selectors of a list; a list with more has the key "*" instead
_MAX_ATTRIBUTES = 30  # attributes of one element that are looked up
_MAX_KNOWN = 20_000  # elements whose answer a list remembers


class Compound:
    """A compound selector such as `a.b[c]:first-child`, and the combinator between it and the one before."""

    __slots__ = (
        "alternatives", "attributes", "by_classes", "classes", "combinator", "has_names_only", "id", "specificity",
        "tests", "type", "weight",
    )  # fmt: skip

    def __init__(self, combinator: str = " ") -> None:
        self.type = ""  # "" is any
        self.id = ""
        self.classes: set[str] = set()
        self.by_classes: dict[str, bool] = {}  # class attribute -> whether it has all of `classes`; pages repeat them
        self.attributes: list[Attribute] = []
        self.tests: list[Test] = []  # tests of pseudo-classes
        # The lists of which a matching element matches one selector, as in :is() and :where(). They are for
        # limit_to_page() and index_keys(); matches() asks `tests`.
        self.alternatives: list[SelectorList] = []
        self.combinator = combinator  # " ", ">", "+" or "~"
        self.has_names_only = True  # whether all elements of one lineage give the same answer
        self.specificity = 0
        self.weight = 1

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
            has_all = self.by_classes[classes] = has_words(classes, self.classes)
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
            if actual is None:
                return False
            if test is not None:
                if len(actual) > 2 * _MAX_END:
                    actual = actual[:_MAX_END] + actual[-_MAX_END:]
                if not test(actual if counts_case else actual.lower(), value):
                    return False
        for test_element in self.tests:  # noqa: SIM110 - a third of the time of all()
            if not test_element(element):
                return False
        return True

    def limit_to_page(self, page_names: Container[str]) -> bool:
        """Return whether a page with these types, ".class" and "#id" names may have a matching element.

        Selectors in `alternatives` that need other names match nothing from now on.
        """
        for name in self.classes:
            if "." + name not in page_names:
                return False
        if (self.id and "#" + self.id not in page_names) or (self.type and self.type not in page_names):
            return False
        limited = [selectors.limit_to_page(page_names) for selectors in self.alternatives]  # all, whatever the first is
        return all(limited)

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
        """Return the compound's key; if that is "*", the keys of its first alternatives: ":is(.a, b)" -> ".a", "b"."""
        key = self.key()
        if key != "*" or not self.alternatives:
            return [key]
        return self.alternatives[0].index_keys()


class Selector:
    """A complex selector: its compounds from left to right, and the text that they were read from."""

    __slots__ = (
        "_answers", "_is_single", "_matches_siblings", "_positions", "compounds", "has_names_only", "may_match",
        "specificity", "text", "weight",
    )  # fmt: skip

    def __init__(self, compounds: list[Compound], positions: Positions, text: str) -> None:
        self.compounds = compounds
        self.text = text
        self.has_names_only = all(compound.has_names_only and compound.combinator in " >" for compound in compounds)
        self.may_match = True  # False once the page is known to lack a name
        self.specificity = sum(compound.specificity for compound in compounds)
        self.weight = sum(compound.weight + _SIBLING * (compound.combinator in "+~") for compound in compounds)
        self._positions = positions
        self._matches_siblings = compounds[-1].combinator in "+~"
        self._is_single = len(compounds) == 1
        # _answers[i][node]: whether the compounds before compound i match if the search for them begins at this node.
        # For `ul a`, _answers[1][parent of the a] is whether that parent, or an element around it, is a ul.
        self._answers: list[dict[Element | None, bool]] = [{} for _ in compounds]

    def is_type(self) -> bool:
        """Return whether it asks for an element's type and for nothing else."""
        return self._is_single and self.specificity == TYPE and not self.compounds[0].tests

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
        # Whether the compounds before the last one match from the element's parent upwards; None if not known yet.
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
        goes_up = combinator in " >"
        is_adjacent = combinator in ">+"
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
        for node in reversed(passed[:_MAX_CACHED]):  # the nearest one is written last, so that it is kept longest
            answers[node] = is_match
        return is_match


class SelectorList:
    """The selectors in the brackets of :is() and its relatives.

    `matches` tells whether one of them matches an element, unless another test is given; `remembers` makes it remember
    its answers. Many rules may share one list, so limit_to_page() and index_keys() are worked out once.
    """

    __slots__ = ("_keys", "_may_match", "has_names_only", "matches", "selectors", "specificity", "weight")

    def __init__(
        self, selectors: list[Selector], specificity: int, *, remembers: bool = False, matches: Test | None = None
    ) -> None:
        self.selectors = selectors
        self.specificity = specificity
        self.has_names_only = all(selector.has_names_only for selector in selectors)
        self._keys: list[str] | None = None
        self._may_match: bool | None = None
        others = [selector for selector in selectors if not selector.is_type()]
        types = {selector.compounds[0].type for selector in selectors if selector.is_type()}
        if len(others) > _MAX_SCANNED:
            test, self.weight = _indexed(others)
        else:
            test, self.weight = _scanned(others), sum(selector.weight for selector in others)
        if types:
            of_others = test
            test = lambda element: element.tag in types or of_others(element)  # noqa: E731
        self.matches = matches or (_remembered(test) if remembers else test)

    def limit_to_page(self, page_names: Container[str]) -> bool:
        """Return whether a page with these names may have an element that one of the selectors matches."""
        if self._may_match is None:
            limited = [selector.limit_to_page(page_names) for selector in self.selectors]
            self._may_match = any(limited)
        return self._may_match

    def index_keys(self) -> list[str]:
        """Return the keys of elements that the selectors may match; ["*"] instead of more than _MAX_KEYS."""
        if self._keys is None:
            keys = {key for selector in self.selectors for key in selector.compounds[-1].index_keys()}
            self._keys = sorted(keys) if len(keys) <= _MAX_KEYS else ["*"]
        return self._keys


def _scanned(selectors: list[Selector]) -> Test:
    """Return a test that asks the selectors one by one."""
    tests = [selector.matches for selector in selectors]

    def matches_one(element: Element) -> bool:
        for test in tests:  # noqa: SIM110 - half of the time of any()
            if test(element):
                return True
        return False

    return matches_one


def _indexed(selectors: list[Selector]) -> tuple[Test, int]:
    """Return a test that asks only selectors under a key of the element, and its weight."""
    by_key: dict[str, list[Selector]] = {}
    for selector in selectors:
        for key in selector.compounds[-1].index_keys():
            by_key.setdefault(key, []).append(selector)
    attributes = {key[1:] for key in by_key if key[0] == "["}

    def matches_one(element: Element) -> bool:
        keys = keys_of(element)
        if attributes and not attributes.isdisjoint(element.attrs):
            keys += ["[" + name for name in list(element.attrs)[:_MAX_ATTRIBUTES]]
        return any(selector.matches(element) for key in keys if key in by_key for selector in by_key[key])

    # Selectors that match nothing, such as `:is(:hover)`, have no key.
    weights = [sum(selector.weight for selector in under) for under in by_key.values()]
    return matches_one, max(weights, default=1)


def _remembered(test: Test) -> Test:
    """Return a test that is asked once about each element."""
    known: dict[Element, bool] = {}

    def ask(element: Element) -> bool:
        answer = known.get(element)
        if answer is None:
            answer = test(element)
            if len(known) >= _MAX_KNOWN:
                known.clear()
            known[element] = answer
        return answer

    return ask


def in_scope(roots: Test, limits: Test) -> Test:
    """Return a test that holds for scope roots and elements below them, but not from a limit below a root downwards."""
    known: dict[Element, bool] = {}

    def test(element: Element) -> bool:
        passed: list[Element] = []
        node: Element | None = element
        answer: bool | None = None
        while answer is None:
            if node is None or node.tag[0] == "#":
                answer = False
            elif node in known:
                answer = known[node]
            else:
                passed.append(node)
                answer = True if roots(node) else False if limits(node) else None
                node = node.parent
        if len(known) >= _MAX_KNOWN:
            known.clear()
        known.update(dict.fromkeys(passed, answer))
        return answer

    return test
