"""Regular expressions in linear time. In: a pattern of Python's syntax. Out: whether a line has a match.

Python's own engine tries one way after the other, and a pattern such as (a+)+b makes it try for years; nothing can stop
it. Here the standard library's parser reads the pattern, and its states are walked all at once, one step for each
character (Thompson 1968); sets of states that were met before are looked up (a lazy DFA). What that cannot do,
back-references and look-around, is refused. Repetition counts are written out, so their number is bounded.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable

from webtool.errors import InvalidArgument
from webtool.lean.typing import Any

MAX_PATTERN = 500
"""Characters of a pattern."""
_MAX_STATES = 4000
_MAX_KEPT = 2000  # sets of states that are remembered
_MAX_WORK = 3_000_000  # states looked at in all, one or two seconds: few patterns come near it, and then by design
_END = ""  # stands for the character behind the last
_HINT = "find takes regular expressions without look-around, back-references and conditions."

# Kinds of states: a test of one character, two ways on, a test of the place, the end.
_TEST, _FORK, _PLACE, _MATCH = range(4)


def _parser() -> Any:
    if sys.version_info >= (3, 11):
        from re import _parser  # type: ignore[attr-defined]

        return _parser
    import sre_parse

    return sre_parse


class Automaton:
    """A compiled pattern. Raises InvalidArgument for one that is wrong, too large, or not regular."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        import re

        if len(pattern) > MAX_PATTERN:
            raise InvalidArgument(f"the pattern is longer than {MAX_PATTERN} characters", hint="Give a shorter one.")
        parser = _parser()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # FutureWarning, for sets that may mean something else one day
                parsed = parser.parse(pattern, flags)
            flags = parsed.state.flags
            self._ignore_case = bool(flags & re.IGNORECASE)
            self._dot_all, self._ascii = bool(flags & re.DOTALL), bool(flags & re.ASCII)
            self._states: list[tuple[int, Any, int]] = []  # (kind, what, where to go on)
            self._start = self._sequence(parsed, self._state(_MATCH, None, -1))
        except (re.error, OverflowError, RecursionError) as exc:
            raise InvalidArgument(f"the pattern is not a regular expression: {exc}", hint=_HINT) from exc
        self._sets: dict[tuple[frozenset[int], str], dict[str, Any]] = {}
        self._work = 0

    # From the parse tree to states, from the end to the beginning: each part is given the state that follows it.

    def _state(self, kind: int, what: Any, after: int) -> int:
        if len(self._states) >= _MAX_STATES:
            raise InvalidArgument("the pattern repeats too much", hint="Lower the numbers in {...}.")
        self._states.append((kind, what, after))
        return len(self._states) - 1

    def _sequence(self, parsed: Any, after: int) -> int:
        for operation, argument in reversed(list(parsed)):
            after = self._part(str(operation), argument, after)
        return after

    def _part(self, operation: str, argument: Any, after: int) -> int:
        if operation in ("LITERAL", "NOT_LITERAL", "IN", "ANY"):
            return self._state(_TEST, self._test(operation, argument), after)
        if operation == "AT":
            return self._state(_PLACE, str(argument), after)
        if operation == "BRANCH":
            ways = [self._sequence(one, after) for one in argument[1]]
            while len(ways) > 1:
                ways.append(self._state(_FORK, ways.pop(), ways.pop()))
            return ways[0]
        if operation == "SUBPATTERN":
            _, added, removed, parsed = argument
            return self._group(parsed, added, removed, after)
        if operation in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            least, most, parsed = argument
            return self._repeat(int(least), int(most), parsed, after)
        if operation == "ATOMIC_GROUP":
            return self._sequence(argument, after)
        raise InvalidArgument(f"the pattern uses {operation.lower().replace('_', ' ')}", hint=_HINT)

    def _group(self, parsed: Any, added: int, removed: int, after: int) -> int:
        """A group may have flags of its own: (?i:...)."""
        import re

        outer = self._ignore_case, self._dot_all
        self._ignore_case = (outer[0] or bool(added & re.IGNORECASE)) and not removed & re.IGNORECASE
        self._dot_all = (outer[1] or bool(added & re.DOTALL)) and not removed & re.DOTALL
        start = self._sequence(parsed, after)
        self._ignore_case, self._dot_all = outer
        return start

    def _repeat(self, least: int, most: int, parsed: Any, after: int) -> int:
        if most > _MAX_STATES:  # no upper limit
            loop = self._state(_FORK, after, after)
            inner = self._sequence(parsed, loop)
            self._states[loop] = (_FORK, inner, after)
            after = loop
        else:
            end = after
            for _ in range(most - least):
                after = self._state(_FORK, self._sequence(parsed, after), end)
        for _ in range(min(least, _MAX_STATES)):
            after = self._sequence(parsed, after)
        return after

    def _test(self, operation: str, argument: Any) -> Callable[[str], bool]:
        if operation == "ANY":
            return bool if self._dot_all else "\n".__ne__
        items = [(operation, argument)] if operation != "IN" else [(str(kind), value) for kind, value in argument]
        negated = items[0][0] in ("NEGATE", "NOT_LITERAL")
        tests = [_test_of(kind, value, self._ascii) for kind, value in items if kind != "NEGATE"]
        if not self._ignore_case:
            return lambda character: any(test(character) for test in tests) != negated
        forms = (str, str.lower, str.upper)
        return lambda character: any(test(form(character)) for form in forms for test in tests) != negated

    # Walking the states

    def has_match(self, line: str) -> bool:
        """Whether the pattern matches anywhere in the line. Cost: linear in the line; bounded for the worst pattern.

        Raises InvalidArgument past that bound.
        """
        current = self._set_of(frozenset([self._start]), "")
        for character in line:
            following = current.get(character)
            if following is None:
                following = self._step(current, character)
            if following is True:
                return True
            current = following
        return self._step(current, _END) is True

    def _set_of(self, states: frozenset[int], before: str) -> dict[str, Any]:
        """The remembered set of states, as a table of what follows each character; made new where there is none."""
        key = (states, _kind(before))
        kept = self._sets.get(key)
        if kept is None:
            if len(self._sets) >= _MAX_KEPT:
                self._sets.clear()
            kept = self._sets[key] = {"states": states, "before": key[1]}
        return kept

    def _step(self, current: dict[str, Any], character: str) -> Any:
        """True for a match, else the set of states behind the character; remembered either way."""
        known = current.get("end") if character == _END else None
        if known is not None:
            return known
        reached = self._closure(current["states"], current["before"], character)
        result: Any
        if reached is None:
            result = True
        elif character == _END:
            result = False
        else:
            passed = {self._states[state][2] for state in reached if self._states[state][1](character)}
            passed.add(self._start)
            result = self._set_of(frozenset(passed), character)
        if len(current) < _MAX_KEPT:
            current["end" if character == _END else character] = result
        return result

    def _closure(self, states: frozenset[int], before: str, character: str) -> list[int] | None:
        """The tests that are next, all ways followed; None where the match is complete."""
        stack, seen, tests = list(states), set(states), []
        while stack:
            state = stack.pop()
            kind, what, after = self._states[state]
            if kind == _MATCH:
                return None
            if kind == _TEST:
                tests.append(state)
                continue
            ways = (what, after) if kind == _FORK else (after,) if _is_at(what, before, _kind(character)) else ()
            for way in ways:
                if way not in seen:
                    seen.add(way)
                    stack.append(way)
        self._work += len(seen)
        if self._work > _MAX_WORK:
            raise InvalidArgument(
                "the pattern takes too long on this page", hint="Lower its {...} or search for words."
            )
        return tests


def _kind(character: str) -> str:
    """What a place needs to know of a character: none, a letter, or another."""
    if not character:
        return ""
    return "w" if character.isalnum() or character == "_" else "."


def _is_at(place: str, before: str, after: str) -> bool:
    """Whether a place is what the pattern asks for; a line is the whole text, so ^ and \\A are the same."""
    if place.startswith("AT_BEGINNING"):
        return not before
    if place.startswith("AT_END"):
        return not after
    is_boundary = (before == "w") != (after == "w")
    return is_boundary if "NON_BOUNDARY" not in place else not is_boundary


def _test_of(kind: str, value: Any, is_ascii: bool) -> Callable[[str], bool]:
    if kind in ("LITERAL", "NOT_LITERAL"):
        literal = chr(value)
        return lambda character: character == literal
    if kind == "RANGE":
        low, high = value
        return lambda character: len(character) == 1 and low <= ord(character) <= high
    name = str(value)  # CATEGORY_DIGIT, CATEGORY_NOT_SPACE, ...
    test = _CATEGORIES[name.rpartition("_")[2]]
    negated = "_NOT_" in name
    return lambda character: (test(character) and (character.isascii() or not is_ascii)) != negated


_CATEGORIES: dict[str, Callable[[str], bool]] = {
    "DIGIT": str.isdecimal,
    "SPACE": str.isspace,
    "WORD": lambda character: character.isalnum() or character == "_",
}
