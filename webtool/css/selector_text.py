"""Selectors as text: cut a list at its commas, and write nested and scoped rules out. In: selectors. Out: selectors.

    "a, :is(b, c)"                    ->  "a", " :is(b, c)"
    "& > b" nested in ".a, .c"        ->  ":is(.a, .c) > b"
    "b" inside of @scope (.a)         ->  ":where(.a) b" with a condition: no limit of the scope is between

Nothing is checked here: selector_parser.py finds out whether the selectors are valid.
Specification: CSS Nesting 1, CSS Cascade 6 section 3 (scopes).
Tests: tests/css/test_selectors.py, tests/css/test_sheets.py
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool.css.elements import Positions
from webtool.html.elements import ASCII_SPACE
from webtool.lean import patterns
from webtool.lean.patterns import Match
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Callable

_MAX_INLINE = 60  # characters of an outer rule's selectors that each nested rule repeats; for longer ones, a reference
_MAX_SPELLINGS = 5  # of one name in upper and lower case
_MAX_SPELT = 100_000  # characters of all spellings that one sheet gets; further such names keep their case
_NOTHING = ":not(*)"  # a selector that matches no element
STRING = r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
# What split_list() and closing_bracket() look at: strings, escapes, brackets and commas.
_strings_and_delimiters = patterns.compile(rf"{STRING}|\\.|[()\[\],]").finditer
# "&", or ":scope" inside of @scope; strings and escapes are matched too, so that they are skipped.
_ampersands = patterns.compile(rf"(?s){STRING}|\\.|&").sub
_scopes = patterns.compile(rf"(?si){STRING}|\\.|:scope(?![\w-])").sub
_class_or_id = patterns.compile(r"(?<!\\)[.#][a-zA-Z_-][\w-]*")
_pseudo_element_at_end = patterns.compile(r":{1,2}(?:before|after)\Z").search


def split_list(text: str) -> list[str]:
    """Split at commas outside of brackets and strings: "a, :is(b, c)" -> ["a", " :is(b, c)"]."""
    if "," not in text:
        return [text]
    if "(" not in text and "[" not in text and "\\" not in text:
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


def closing_bracket(text: str, start: int) -> int:
    """Return where the bracket closes that was opened before `start`, -1 if it does not. Strings are skipped."""
    depth = 1
    for match in _strings_and_delimiters(text, start):
        depth += (match[0] == "(") - (match[0] == ")")
        if depth == 0:
            return match.start()
    return -1


def in_page_case(text: str, spellings: Mapping[str, list[str]]) -> str:
    """Return a sheet of a page in quirks mode, where case does not count in classes and ids, with the page's case.

    `spellings` are the page's ".class" and "#id" by their lower case: ".HIDE{...}" -> ".hide{...}", and with two
    spellings ":is(.hide,.Hide){...}".
    """
    changed: dict[str, str] = {}
    for name in set(_class_or_id.findall(text)):
        known = spellings.get(name.lower(), [name])
        if known != [name]:
            changed[name] = known[0] if len(known) == 1 else f":is({','.join(known[:_MAX_SPELLINGS])})"
    spelt = 0

    def in_case(match: Match[str]) -> str:
        nonlocal spelt
        name = changed.get(match[0], match[0])
        if name[0] != ":":
            return name
        spelt += len(name)
        return name if spelt <= _MAX_SPELT else match[0]

    return _class_or_id.sub(in_case, text) if changed else text


def around(selectors: str, positions: Positions) -> str:
    """Return one selector that matches what a list matches: ".a, .b" -> ":is(.a, .b)".

    A long list, or one with brackets in brackets, is replaced by a reference to it, which selector_parser.py looks up.
    """
    is_short = len(selectors) <= _MAX_INLINE and selectors.count("(") < 2
    return f":is({selectors if is_short else positions.refer_to(selectors)})"


def written_out(selectors: str, outer: str, scope: Scope | None, positions: Positions) -> str:
    """Return the selectors of an inner rule as they read outside of the blocks around it.

    `outer` are the selectors of the block around it: of a style rule, or the roots of `scope` right inside that. Rules
    nested in a style rule stay limited to its scope.
    """
    if scope is not None and scope.roots == outer:
        return _scoped(selectors, scope, positions)
    if not outer:
        return selectors
    root = around(outer, positions)  # "> b" in ".a" -> ":is(.a) > b"
    condition = scope.condition if scope is not None else ""
    return ",".join([_with_condition(part, condition) for part in _with_root(selectors, root, root + " ")])


def _with_root(selectors: str, root: str, prefix: str) -> list[str]:
    """Return the selectors of a list with `root` in place of each "&". A selector without "&" gets the prefix."""
    parts = []
    for part in split_list(selectors):
        selector = part.strip(ASCII_SPACE)
        filled = replaced(_ampersands, root, selector)
        parts.append(prefix + selector if filled == selector else filled)
    return parts


def replaced(sub: Callable[[Callable[[Match[str]], str], str], str], new: str, text: str) -> str:
    """Return a text with `new` for what a pattern finds. The pattern finds strings and escapes too: they stay."""
    return sub(lambda match: match[0] if match[0][0] in "\"'\\" else new, text)


class Scope(NamedTuple):
    """The roots and limits that `@scope (roots) to (limits)` gives to the rules inside."""

    roots: str  # selectors
    limits: str  # selectors, "" without limits
    condition: str  # such as ":is(...)": holds for roots and what is below them, up to the limits


def scope_of(prelude: str, outer: str, outer_scope: Scope | None, positions: Positions) -> Scope:
    """Return the scope of an @scope prelude such as "(.a) to (.b)".

    `outer` and `outer_scope` are those of the block around it, as written_out() takes them.

    Without roots, a browser takes the style element's parent, which is not known here. Then the rules inside apply to
    the whole page ("b" stays "b"), and those that name the root match nothing (":scope b" -> ":is(:not(*)) b").
    """
    roots, limits = _scope_bounds(prelude)
    roots = written_out(roots, outer, outer_scope, positions) if roots else ""
    root = around(roots or _NOTHING, positions)
    start = roots or ":root"
    if limits:
        ends = [part.strip(ASCII_SPACE) for part in split_list(limits)]
        own = _with_root_named(",".join(filter(_is_about_root, ends)), root)
        if own:  # "to (:scope.b)" excludes the root itself, "to (.b)" does not
            start = f"{root}:not({own})"
        ends = [f"{root} {end}" if end[:1] in (">", "+", "~") else end for end in ends]
        limits = _with_root_named(",".join(ends), root)
    reference = positions.refer_to(start, limits or _NOTHING)
    outer_condition = outer_scope.condition if outer_scope is not None else ""
    return Scope(roots or _NOTHING, limits, f":is({reference}){outer_condition}")


def _is_about_root(selector: str) -> bool:
    """Return whether the last compound of a selector names the root of its scope: ".a :scope.b"."""
    start = max(map(selector.rfind, f">+~{ASCII_SPACE}")) + 1
    return "&" in selector[start:] or ":scope" in selector[start:].lower()


def _with_root_named(selectors: str, root: str) -> str:
    """Return selectors with the root in place of "&" and ":scope"."""
    return replaced(_ampersands, root, replaced(_scopes, root, selectors))


def _scoped(selectors: str, scope: Scope, positions: Positions) -> str:
    """Return the selectors of a rule as they read outside of its scope: "b" -> ":where(ROOTS) bCONDITION"."""
    root = around(scope.roots, positions)
    prefix = f":where({root}) " if scope.roots != _NOTHING else ""
    parts = _with_root(replaced(_scopes, "&", selectors), root, prefix)
    return ",".join([_with_condition(part, scope.condition) for part in parts])


def _with_condition(selector: str, condition: str) -> str:
    """Return a selector whose elements must also meet a condition: ".a::before" -> ".a:is(...)::before"."""
    end = _pseudo_element_at_end(selector)
    place = end.start() if end else len(selector)
    return f"{selector[:place]}{condition}{selector[place:]}"


def _scope_bounds(prelude: str) -> tuple[str, str]:
    """Return the selectors of roots and limits: "(.a) to (.b > c)" -> ".a", ".b > c"; "" for one that is missing."""
    bounds = {"": "", "to": ""}
    start = prelude.find("(")
    before = prelude[:start]
    while start >= 0:
        end = closing_bracket(prelude, start + 1)
        if end < 0:
            break
        bounds[before.strip(ASCII_SPACE).lower()] = prelude[start + 1 : end]
        start, before = prelude.find("(", end), prelude[end + 1 : prelude.find("(", end)]
    return bounds[""], bounds["to"]
