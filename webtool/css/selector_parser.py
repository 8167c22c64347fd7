"""Read the text of selectors. In: a selector list such as "ul.menu > li, a:not(.x)". Out: Selector objects.

Supported are type, id, class and attribute selectors with all operators, the four combinators, the pseudo-classes and
pseudo-elements of pseudo.py, and :is(), :where(), :not() and :has(). Everything else makes a selector invalid, as in a
browser, and with it the whole list: `.2col` and `#1a` do not begin as a name does, `:bogus` is unknown. This matters
for hidden text: `.x, .2col {display: block}` shows nothing. Only in :is() and :where() an invalid selector is skipped.
Where browsers differ, Chromium decides.

A selector is idle if it matches nothing while nobody uses the page: `a:hover`, `a::before`. It is valid, but left out.
Its specificity still counts in :is() and :not(), as in `a:not(:hover)`. In this module None means an invalid
selector, and [] a list of idle ones.

For rules in other rules, selector_text.py writes selectors such as `:is(REFERENCE) b`. A reference stands for a long
list of selectors that many rules share, or for a scope with its limits: see Positions.refer_to().
Specification: Selectors 4, CSS Syntax 3 section 4.3.7 (escapes).
Tests: tests/css/test_selectors.py
"""

from __future__ import annotations

from webtool.css import pseudo, selectors
from webtool.css.cleaning import unescaped
from webtool.css.elements import HEAVY, Positions, type_of
from webtool.css.pseudo import Pseudo, Test
from webtool.css.selector_text import STRING, closing_bracket, split_list
from webtool.css.selectors import CLASS, ID, TYPE, Compound, Selector, SelectorList, in_scope
from webtool.html.elements import ASCII_SPACE
from webtool.lean import patterns
from webtool.lean.patterns import Match

_MAX_COMPOUNDS = 30  # of a longer selector only the last ones are asked for: it may match more than in a browser
_MAX_NESTED = 4  # levels of :not(:is(:where(...))); deeper ones are invalid
_S = f"[{ASCII_SPACE}]"
# An escape ends in one way only, which keeps the time linear: after all its digits, and after a space that is there.
_ESCAPE = rf"\\(?:[0-9a-fA-F]{{6}}|[0-9a-fA-F]{{1,5}}(?![0-9a-fA-F]))(?:{_S}|(?!{_S}))|\\[^0-9a-fA-F\n\r\f]"
# An identifier: "a1", "-a", "--", "\31 a"; not "1a", "-1" or "-".
_NAME = rf"(?:--|-?(?:[a-zA-Z_]|[^\x00-\x7f]|{_ESCAPE}))(?:[a-zA-Z0-9_-]|[^\x00-\x7f]|{_ESCAPE})*"
_simple_selector = patterns.compile(
    rf"(?P<type>(?:\*?\|)?(?:{_NAME}|\*))"  # "li", "*", "|li" (of no namespace), "*|li" (of any)
    rf"|\#(?P<id>{_NAME})"  # "#a"
    rf"|\.(?P<class>{_NAME})"  # ".a"
    rf"|\[{_S}*(?:\*?\|)?(?P<attribute>{_NAME}){_S}*"  # "[a]", "[|a]", and the beginning of "[a=b i]"
    rf"(?:(?P<operator>[~|^$*]?=){_S}*(?P<value>{STRING}|{_NAME}){_S}*(?P<flag>[iI])?{_S}*)?\]"  # "=b]", "^='b c' i]"
    r"|::?(?P<pseudo>-?[a-zA-Z][a-zA-Z0-9_-]*)(?P<open>\()?"  # ":hover", "::before", and the beginning of ":not(.a)"
    r"|(?P<scope>&)"
).match
_combinator = patterns.compile(rf"{_S}*([>+~]){_S}*|{_S}+").match
_is_name = patterns.compile(_NAME).fullmatch
_is_parts = patterns.compile(rf"{_NAME}(?:{_S}+{_NAME})*").fullmatch  # "a b"
_is_transition = patterns.compile(rf"(?:{_NAME}|\*|(?=\.))(?:\.{_NAME})*").fullmatch  # "a", "*.b" or ".b.c"
_is_pseudo_element = patterns.compile(r"(?i)::|:(?:before|after|first-line|first-letter)(?![\w-])").match
# "2n" and " .a" of `:nth-child(2n of .a)`. As in Chromium, "OF" makes the selector invalid.
_nth_of = patterns.compile(rf"(?s)(.*?){_S}of(?=[^a-zA-Z0-9_-])(.*)").fullmatch
_is_plain = patterns.compile(r"[a-zA-Z0-9_.*> \t\n\r\f+~-]*").fullmatch
_type_and_classes = patterns.compile(r"([a-zA-Z][\w-]*|\*)?((?:\.-?[a-zA-Z_][\w-]*)*)").fullmatch
_WITH_SELECTORS = frozenset(("is", "where", "not", "has", "-webkit-any"))  # pseudo-classes


def selectors_of(text: str, positions: Positions) -> list[Selector]:
    """Return the selectors of a comma-separated list, or [] if one of them is invalid. Idle ones are left out."""
    return _Reader(positions).selectors(text) or []


def is_supported(text: str, positions: Positions) -> bool:
    """Return whether a selector list can be read: "a:hover" -> True though it is idle, "a:bogus" -> False."""
    return _Reader(positions).selectors(text) is not None


class _Reader:
    """Reads one list by selectors(), or one selector by compounds(). The inside of brackets has a reader of its own."""

    def __init__(self, positions: Positions, depth: int = 0, *, is_in_has: bool = False) -> None:
        self._positions = positions
        self._depth = depth  # brackets around the text
        self._is_in_has = is_in_has
        # None until a pseudo-element is read; then what may follow that one, for pseudo.may_follow().
        self._followers: frozenset[str] | None = None
        self.is_idle = False  # whether the selector being read is idle
        self.specificity = 0  # the greatest of the selectors read, idle ones included

    def selectors(self, text: str) -> list[Selector] | None:
        """Return the selectors of a list that may match, or None if one is invalid."""
        selectors = []
        for part in split_list(text.strip(ASCII_SPACE)):
            self.is_idle = False
            compounds = self.compounds(part.strip(ASCII_SPACE))
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
        self._followers = None
        position, size = 0, len(text)
        compound_start = left_out = 0
        while position < size:
            match = _simple_selector(text, position)
            if match:
                if match["type"] and position > compound_start:
                    return None  # "[title]p": the type comes first
                if self._followers is not None and not match["pseudo"]:
                    return None  # "::before.a"
                position = self._add(compounds[-1], match)
                if position < 0:
                    return None
                continue
            match = _combinator(text, position)
            if match is None or position == compound_start or match.end() == size or self._followers is not None:
                return None  # no combinator, an empty compound before or after it, or "::before b"
            if len(compounds) == _MAX_COMPOUNDS:
                left_out += compounds.pop(0).specificity
            compounds.append(Compound(match[1] or " "))
            position = compound_start = match.end()
        compounds[0].specificity += left_out
        return compounds if size else None

    def _add(self, compound: Compound, match: Match[str]) -> int:
        """Add a simple selector to the compound; return where it ends in the text, -1 if it is invalid."""
        if match["type"]:
            name = match["type"].rpartition("|")[2]
            self.is_idle = self.is_idle or match["type"][0] == "|"  # no element of a page is without a namespace
            compound.type = "" if name == "*" else type_of(unescaped(name))
            compound.specificity += 0 if name == "*" else TYPE
        elif match["id"]:
            name = unescaped(match["id"])
            if compound.id not in ("", name):
                compound.tests.append(lambda _: False)  # "#a#b": no element has two ids
            compound.id = name
            compound.specificity += ID
        elif match["pseudo"]:
            return self._add_pseudo(compound, match)
        elif match["scope"]:  # outside of nested rules "&" is the root
            compound.tests.append(pseudo.is_root)
        elif match["class"]:
            compound.specificity += CLASS
            compound.classes.add(unescaped(match["class"]))
        else:
            compound.specificity += CLASS
            self._add_attribute(compound, match)
        return match.end()

    def _add_attribute(self, compound: Compound, match: Match[str]) -> None:
        value = match["value"] or ""
        value = unescaped(value[1:-1] if value[:1] in ("'", '"') else value)
        test = selectors.OPERATORS[match["operator"]] if match["operator"] else None
        name = unescaped(match["attribute"]).lower()
        counts_case = match["flag"] is None and name not in selectors.CASELESS
        value = value if counts_case else value.lower()
        compound.attributes.append((name, test, value, counts_case))
        # Elements of one lineage (see selectors.py) have equal types, classes, ids and name attributes, such as role.
        # They may differ in all other attributes.
        compound.has_names_only = compound.has_names_only and name in self._positions.name_attributes
        compound.weight += 1

    def _add_pseudo(self, compound: Compound, match: Match[str]) -> int:
        """Add a pseudo-class or pseudo-element; return where it ends in the text, -1 if it is invalid."""
        end, argument = match.end(), None
        if match["open"]:
            close = closing_bracket(match.string, end)
            if close < 0:
                return -1
            argument, end = match.string[end:close], close + 1
        name = match["pseudo"].lower()
        is_element = _is_pseudo_element(match[0]) is not None
        if self._followers is not None and not pseudo.may_follow(name, self._followers, is_element=is_element):
            is_valid = False
        elif is_element:
            is_valid = self._add_element(name, argument)
        elif name in (pseudo.NEVER if argument is None else pseudo.NEVER_WITH_ARGUMENT):
            self.is_idle = True  # ":hover", ":host(.a)"
            compound.specificity += CLASS
            is_valid = argument is None or self._is_valid_argument(name, argument)
        else:
            is_valid = self._add_class(compound, name, argument)
        return end if is_valid else -1

    def _add_element(self, name: str, argument: str | None) -> bool:
        """Add "::before" or "::part(a)" and note what may follow it. Return whether it is valid: never in brackets."""
        self.is_idle = True
        self._followers = pseudo.followers_of(name, has_argument=argument is not None)
        is_known = self._followers is not None  # an unknown pseudo-element makes the selector invalid
        return is_known and self._depth == 0 and (argument is None or self._is_valid_argument(name, argument))

    def _add_class(self, compound: Compound, name: str, argument: str | None) -> bool:
        """Add the test of ":root" or ":not(.a)" to the compound. Return whether it is valid."""
        of = _nth_of(argument) if argument is not None and name in ("nth-child", "nth-last-child") else None
        if argument is not None and name in _WITH_SELECTORS:
            test = self._test_with_selectors(name, argument, compound)
        elif of:
            formula, selectors = of.groups()
            test = self._nth_of_selectors(name, formula, selectors, compound)
        else:
            test = pseudo.test_of(name, argument, self._positions)
            # Only the root has a lineage without ancestors, so ":root" depends on the lineage alone.
            compound.has_names_only = compound.has_names_only and name == "root"
            compound.weight += 1
        if test is None:
            return False
        compound.tests.append(test[0])
        compound.specificity += test[1]
        return True

    def _nth_of_selectors(self, name: str, formula: str, selectors: str, compound: Compound) -> Pseudo:
        """Return the test of :nth-child(2n of .a), whose specificity is that of the selectors and of a class."""
        compound.has_names_only = False
        of_selectors = self._test_with_selectors("of", selectors, compound)
        nth = pseudo.nth(name, formula, self._positions, of_selectors[0]) if of_selectors else None
        return (nth[0], nth[1] + of_selectors[1]) if nth and of_selectors else None

    def _is_valid_argument(self, name: str, argument: str) -> bool:
        """Return whether an argument is valid for a pseudo-element or an idle pseudo-class.

        ::slotted(li.a)              one compound selector
        ::picker(select)             this word
        ::part(a b)                  names
        ::view-transition-old(*.a)   a name or "*", and classes
        ::highlight(a), :state(a)    one name
        """
        argument = argument.strip(ASCII_SPACE)
        if name in ("host", "host-context", "slotted", "cue"):
            if self._depth >= _MAX_NESTED:
                return False
            compounds = _Reader(self._positions, self._depth + 1).compounds(argument)
            return compounds is not None and len(compounds) == 1
        if name == "picker":
            return argument.lower() == "select"
        is_valid = _is_transition if name in pseudo.TRANSITIONS else _is_parts if name == "part" else _is_name
        return is_valid(argument) is not None

    def _test_with_selectors(self, name: str, argument: str, compound: Compound) -> Pseudo:
        """Return the test of :is(), :where(), :not(), :has() or "of", and note in the compound what these need."""
        if argument in self._positions.referred:
            return self._test_with_list(*self._referred(argument), compound)
        if self._depth >= _MAX_NESTED:
            return None
        if name == "has":
            return None if self._is_in_has else self._has(argument, compound)
        selectors, are_all_valid = self._list_of(argument, self._depth + 1)
        if not are_all_valid and name not in ("is", "where"):  # these two skip invalid selectors
            return None
        return self._test_with_list(name, selectors, compound)

    def _test_with_list(self, name: str, selectors: SelectorList, compound: Compound) -> Pseudo:
        """Return the test of a list in :is(), :where(), :not(), "of" or a scope, and note it in the compound."""
        compound.has_names_only = compound.has_names_only and selectors.has_names_only
        compound.weight += selectors.weight
        matches_one = selectors.matches
        if name == "not":
            return lambda element: not matches_one(element), selectors.specificity
        if name != "scope":  # an element in a scope need not match the scope's selectors: an ancestor may
            compound.alternatives.append(selectors)
        return matches_one, 0 if name == "where" else selectors.specificity

    def _referred(self, reference: str) -> tuple[str, SelectorList]:
        """Return the kind of a reference of Positions.refer_to(), "is" or "scope", and its selector list."""
        text, limits = self._positions.referred[reference]
        key = reference, self._is_in_has
        known = self._positions.lists.get(key)
        if known is None:
            # Rules inside of an invalid rule are dropped, so the text is valid. Only inside of a :has() its own :has()
            # is not, and matches nothing.
            known, _ = self._list_of(text, remembers=True)
            if limits:
                outside, _ = self._list_of(limits, remembers=True)
                test = in_scope(known.matches, outside.matches)
                # The test alone decides; the selectors that it asks tell its weight and has_names_only.
                known = SelectorList(known.selectors + outside.selectors, specificity=0, matches=test)
            self._positions.lists[key] = known
        return "scope" if limits else "is", known

    def _list_of(self, text: str, depth: int = 0, *, remembers: bool = False) -> tuple[SelectorList, bool]:
        """Return the valid selectors of a list in `depth` brackets, and whether all are valid.

        Their specificity is that of the most specific one, even if it is idle: `:not(:hover)` counts as a class.
        """
        selectors: list[Selector] = []
        specificity = 0
        are_all_valid = True
        for part in split_list(text):
            reader = _Reader(self._positions, depth, is_in_has=self._is_in_has)
            inner = reader.selectors(part)
            if inner is None:
                are_all_valid = False
            else:
                selectors += inner
                specificity = max(specificity, reader.specificity)
        return SelectorList(selectors, specificity, remembers=remembers), are_all_valid

    def _has(self, argument: str, compound: Compound) -> Pseudo:
        """Return the test of :has(): an invalid selector in its list makes all of it invalid."""
        compound.has_names_only = False
        tests: list[Test] = []
        specificity = 0
        for part in split_list(argument):
            text = part.strip(ASCII_SPACE)
            combinator = text[:1] if text[:1] in (">", "+", "~") else " "
            inner = _Reader(self._positions, self._depth + 1, is_in_has=True)
            compounds = inner.compounds(text if combinator == " " else text[1:].strip(ASCII_SPACE))
            if not compounds:
                return None
            selector = Selector(compounds, self._positions, text)
            specificity = max(specificity, selector.specificity)
            if inner.is_idle:  # a:hover in `div:has(a:hover)`
                continue
            cost = 1 + selector.weight // HEAVY  # for each element asked, from positions.budget_of_has
            tests.append(pseudo.has(combinator, selector.matches, self._positions, cost))
            compound.weight += 1
        return lambda element: any(test(element) for test in tests), specificity


def _plain_compounds(text: str) -> list[Compound] | None:
    """Return the compounds of a selector with types and classes only, or None if it has anything else.

    Nine selectors in ten are like this, and reading them here takes a third of the time.
    """
    if not _is_plain(text):
        return None
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
        for name in classes.split(".")[1:]:
            compound.classes.add(name)
            compound.specificity += CLASS
        compounds.append(compound)
    return compounds if combinator == " " else None
