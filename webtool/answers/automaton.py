"""Match regular expressions in linear time. In: a pattern in Python's syntax. Out: whether a line has a match.

Python's own engine tries one path after the other: a pattern such as (a+)+b can keep it busy for years, and nothing can
interrupt it. Here the standard library's parser reads the pattern. The parse tree becomes a list of states (an NFA),
and all states that are possible are followed at once, one step for each character (Thompson 1968). A set of states that
occurred before is looked up with its next steps (a lazy DFA). Back-references and look-around are not regular and are
refused. Repetition counts such as {3,9} are written out as states, so their number is limited.

Tests: tests/answers/test_finding.py
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable

from webtool.errors import InvalidArgument
from webtool.lean.typing import Any

MAX_PATTERN = 500  # characters of a pattern; a longer one is refused
_MAX_STATES = 4000  # of one pattern; one that needs more is refused
_MAX_SETS = 2000  # sets of states that are remembered, and next steps of one set
_MAX_WORK = 3_000_000  # states looked at for all lines, in one to two seconds; then the pattern is refused
_END = ""  # the "character" after the last one; the next step from there is True for a match, else False
_HINT = "find takes regular expressions without look-around, back-references and conditions."

# Kinds of states: (_TEST, test of one character, next state), (_FORK, next state, other next state),
# (_PLACE, name of a place such as AT_BEGINNING, next state), (_MATCH, None, -1).
_TEST, _FORK, _PLACE, _MATCH = range(4)


def _parser() -> Any:
    """Return the standard library's parser of regular expressions."""
    if sys.version_info >= (3, 11):
        from re import _parser  # type: ignore[attr-defined]

        return _parser
    import sre_parse

    return sre_parse


class Automaton:
    """A compiled pattern. The constructor raises InvalidArgument if it is wrong, too large, or not regular."""

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
            self._states: list[tuple[int, Any, int]] = []
            self._start = self._sequence(parsed, self._state(_MATCH, None, -1))
        except (re.error, OverflowError, RecursionError) as exc:
            raise InvalidArgument(f"the pattern is not a regular expression: {exc}", hint=_HINT) from exc
        # (states, kind of the character before) -> the table of a set, as _set_of() makes it
        self._sets: dict[tuple[frozenset[int], str], dict[str, Any]] = {}
        self._work = 0  # states looked at so far

    # From parse tree to states, from the end to the beginning. Each function is given `after`, the state that follows
    # its part, and returns the state in which the part begins.

    def _state(self, kind: int, what: Any, after: int) -> int:
        """Add a state and return its number; see the kinds of states above."""
        if len(self._states) >= _MAX_STATES:
            raise InvalidArgument("the pattern repeats too much", hint="Lower the numbers in {...}.")
        self._states.append((kind, what, after))
        return len(self._states) - 1

    def _sequence(self, parsed: Any, after: int) -> int:
        for operation, argument in reversed(list(parsed)):
            after = self._part(str(operation), argument, after)
        return after

    def _part(self, operation: str, argument: Any, after: int) -> int:
        """Add one part of a sequence.

        Only whether a line matches is asked, so a lazy repeat is as good as a greedy one. Possessive repeats and atomic
        groups are read as ordinary ones: a*+a matches here, in Python it never does.
        """
        if operation in ("LITERAL", "NOT_LITERAL", "IN", "ANY"):
            return self._state(_TEST, self._character_test(operation, argument), after)
        if operation == "AT":
            return self._state(_PLACE, str(argument), after)
        if operation == "BRANCH":
            starts = [self._sequence(branch, after) for branch in argument[1]]
            while len(starts) > 1:
                starts.append(self._state(_FORK, starts.pop(), starts.pop()))
            return starts[0]
        if operation == "SUBPATTERN":
            _, added, removed, parsed = argument
            return self._group(parsed, added, removed, after)
        if operation in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            minimum, maximum, parsed = argument
            return self._repeat(int(minimum), int(maximum), parsed, after)
        if operation == "ATOMIC_GROUP":
            return self._sequence(argument, after)
        raise InvalidArgument(f"the pattern uses {operation.lower().replace('_', ' ')}", hint=_HINT)

    def _group(self, parsed: Any, added: int, removed: int, after: int) -> int:
        """Add a group, which may switch flags on and off for itself: (?i:...)."""
        import re

        outer = self._ignore_case, self._dot_all
        self._ignore_case = (outer[0] or bool(added & re.IGNORECASE)) and not removed & re.IGNORECASE
        self._dot_all = (outer[1] or bool(added & re.DOTALL)) and not removed & re.DOTALL
        start = self._sequence(parsed, after)
        self._ignore_case, self._dot_all = outer
        return start

    def _repeat(self, minimum: int, maximum: int, parsed: Any, after: int) -> int:
        """Add a part `minimum` times, then `maximum - minimum` times as an option, or as a loop without a maximum."""
        if maximum > _MAX_STATES:  # the parser's mark for "without a maximum", or as good as that
            loop = self._state(_FORK, after, after)
            inner = self._sequence(parsed, loop)
            self._states[loop] = (_FORK, inner, after)
            after = loop
        else:
            end = after
            for _ in range(maximum - minimum):
                after = self._state(_FORK, self._sequence(parsed, after), end)
        for _ in range(min(minimum, _MAX_STATES)):
            after = self._sequence(parsed, after)
        return after

    def _character_test(self, operation: str, argument: Any) -> Callable[[str], bool]:
        """Return the test of one character for a literal, a set in brackets, or a dot."""
        if operation == "ANY":
            return bool if self._dot_all else "\n".__ne__
        items = [(operation, argument)] if operation != "IN" else [(str(kind), value) for kind, value in argument]
        negated = items[0][0] in ("NEGATE", "NOT_LITERAL")
        tests = [_test_of(kind, value, self._ascii) for kind, value in items if kind != "NEGATE"]
        if not self._ignore_case:
            return lambda character: any(test(character) for test in tests) != negated
        forms = (str, str.lower, str.upper)
        return lambda character: any(test(form(character)) for form in forms for test in tests) != negated

    # Following the states through a line.

    def has_match(self, line: str) -> bool:
        """Return whether the pattern matches anywhere in the line. Cost: linear in the line.

        Raises InvalidArgument after _MAX_WORK states.
        """
        current = self._set_of(frozenset([self._start]), "")
        for character in line:
            next_set = current.get(character)
            if next_set is None:
                next_set = self._step(current, character)
            if next_set is True:
                return True
            current = next_set
        is_match: bool | None = current.get(_END)
        return self._step(current, _END) if is_match is None else is_match

    def _set_of(self, states: frozenset[int], before: str) -> dict[str, Any]:
        """Return the table of a set of states after the character `before`.

        Keys: "states", "before" (kind of that character), and each character that occurred, or _END: its next step.
        """
        key = (states, _kind(before))
        table = self._sets.get(key)
        if table is None:
            if len(self._sets) >= _MAX_SETS:
                self._sets.clear()
            table = self._sets[key] = {"states": states, "before": key[1]}
        return table

    def _step(self, current: dict[str, Any], character: str) -> Any:
        """Return True for a match, else the table of the states after this character; False at the end of the line.

        The result is remembered in the table `current`.
        """
        reached = self._closure(current["states"], current["before"], character)
        result: Any
        if reached is None:
            result = True
        elif character == _END:
            result = False
        else:
            next_states = {self._start}  # a match may begin at any character
            for _, test, after in map(self._states.__getitem__, reached):
                if test(character):
                    next_states.add(after)
            result = self._set_of(frozenset(next_states), character)
        if len(current) < _MAX_SETS:
            current[character] = result
        return result

    def _closure(self, states: frozenset[int], before: str, character: str) -> list[int] | None:
        """Follow forks and places; return the states with a test that are reached, or None if the match is complete."""
        stack, seen, tests = list(states), set(states), []
        while stack:
            state = stack.pop()
            kind, what, after = self._states[state]
            if kind == _MATCH:
                return None
            if kind == _TEST:
                tests.append(state)
                continue
            next_states: tuple[int, ...] = ()
            if kind == _FORK:
                next_states = (what, after)
            elif _is_at(what, before, _kind(character)):
                next_states = (after,)
            for next_state in next_states:
                if next_state not in seen:
                    seen.add(next_state)
                    stack.append(next_state)
        self._work += len(seen)
        if self._work > _MAX_WORK:
            raise InvalidArgument(
                "the pattern takes too long on this page", hint="Lower its {...} or search for words."
            )
        return tests


def _kind(character: str) -> str:
    """Return the kind of a character beside a place: "" outside the line, "w" for word characters, "." for others."""
    if not character:
        return ""
    return "w" if character.isalnum() or character == "_" else "."


def _is_at(place: str, before: str, after: str) -> bool:
    """Return whether the place between two kinds of characters is ^, $, \\b or \\B.

    \\A and \\Z equal ^ and $, because a pattern is searched in one line at a time.
    """
    if place.startswith("AT_BEGINNING"):
        return not before
    if place.startswith("AT_END"):
        return not after
    is_boundary = (before == "w") != (after == "w")
    return is_boundary if "NON_BOUNDARY" not in place else not is_boundary


def _test_of(kind: str, value: Any, is_ascii: bool) -> Callable[[str], bool]:
    """Return the test of one character for one item of a set: a literal, a range, a category such as \\d."""
    if kind in ("LITERAL", "NOT_LITERAL"):
        literal = chr(value)
        return lambda character: character == literal
    if kind == "RANGE":
        low, high = value
        # Of a character that is asked for in upper case there may be two: "SS" for "\u00df".
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
