"""The text of style sheets in; each rule that holds on a screen out: its selectors, its block and its layer.

Rules in rules, conditional groups, layers, scopes and keyframes are resolved here; what a block says is left to
declarations.py. Specification: CSS Syntax 3, CSS Nesting 1, CSS Cascade 5 (layers), CSS Conditional 3.
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.html.visibility.declarations import KEYWORDS
from webtool.html.visibility.media import matches_screen
from webtool.html.visibility.selectors import split_list
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

Rule = tuple[str, str, int, str]

MAX_SELECTORS = 5000  # characters of one rule's selector list
UNLAYERED = 1 << 30  # the layer of rules that are in none: it wins over all others
_FEW_STRINGS = 50
_MAX_OPEN = 40  # blocks in blocks; what is deeper is passed over

_comment = patterns.compile(r"(?s)/\*.*?(?:\*/|\Z)").sub
# An escaped quote in a name begins no string; trying it as one took quadratic time where many are.
_string = patterns.compile(r"\\.|\"[^\"\\\n]*(?:\\.[^\"\\\n]*)*\"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'")
_keyframes = patterns.compile(r"(?i)@(?:-[a-z]+-)?keyframes\s+[\"']?([\w-]{1,80})").match
_at_rule = patterns.compile(r"@([\w-]+)\s*(.*)").match


class _Open(NamedTuple):
    """A block that is open."""

    applies: bool
    selectors: str = ""
    layer: str = ""
    animation: str = ""


def read_rules(text: str, layers: dict[str, int]) -> Iterator[Rule]:
    """The rules of a style sheet's text that hold on a screen, in order; `layers` are those of the sheets before it.

    A Rule has its selectors, its block, its layer and the name of the keyframes that it is one of, whose offsets are
    then its selectors.
    """
    if "/*" in text:
        text = _comment(" ", text)
    if '"' in text or "'" in text:
        text = _without_brackets(text)
    text = text.replace("<!--", " ").replace("-->", " ")
    stack = [_Open(True)]
    deeper = 0
    is_broken = False  # a bracket too many makes the next rule invalid
    pieces = text.split("}")
    pieces.pop()  # a block without an end
    for piece in pieces:
        heads = piece.split("{")
        block = heads.pop()
        top = stack[-1]
        if is_broken:
            is_broken = False
            if len(heads) == 1:
                continue
        if len(heads) == 1 and not (deeper or top.selectors or top.animation):
            selectors = heads[0]
            if "@" not in selectors and ";" not in selectors:  # nine rules in ten
                selectors = selectors.strip()
                if top.applies and selectors and len(selectors) <= MAX_SELECTORS and not block.isspace():
                    yield selectors, block, layers[top.layer] if top.layer else UNLAYERED, ""
                continue
        for head in heads:
            if deeper or len(stack) >= _MAX_OPEN:
                deeper += 1
                continue
            top = stack[-1]
            before, _, prelude = head.rpartition(";")
            if top.selectors:
                yield from _rule(top, before, layers)
            elif "@layer" in before:
                _note_layers(before, top.layer, layers)
            stack.append(_opened(prelude.strip(), top, layers))
        if deeper:
            deeper -= 1
            continue
        yield from _rule(stack[-1], block, layers)
        is_broken = len(stack) == 1
        if not is_broken:
            stack.pop()


def _rule(top: _Open, block: str, layers: dict[str, int]) -> Iterator[Rule]:
    if top.applies and top.selectors and not block.isspace():
        yield top.selectors, block, layers[top.layer] if top.layer else UNLAYERED, top.animation


def _without_brackets(text: str) -> str:
    """A style sheet whose strings hold nothing that would end a rule or a declaration."""
    found = {string for string in _string.findall(text) if "{" in string or "}" in string or ";" in string}
    if len(found) > _FEW_STRINGS:
        return _string.sub(lambda match: '""' if match[0] in found else match[0], text)
    for string in found:
        text = text.replace(string, '""')
    return text


def _note_layers(statements: str, outer: str, layers: dict[str, int]) -> None:
    """The names that `@layer a, b;` puts in order."""
    for statement in statements.split(";"):
        match = _at_rule(statement.strip())
        if match and match[1] == "layer":
            for name in match[2].split(","):
                layers.setdefault(f"{outer}{name.strip()}.", len(layers))


def _opened(prelude: str, top: _Open, layers: dict[str, int]) -> _Open:
    """The block that a prelude opens inside another."""
    if top.animation:
        return _Open(top.applies, prelude.replace(" ", "").lower(), top.layer, top.animation)
    match = _at_rule(prelude) if prelude[:1] == "@" else None
    if not match:
        selectors = _nested(prelude, top.selectors) if top.selectors else prelude
        return _Open(top.applies and len(selectors) <= MAX_SELECTORS, selectors, top.layer)
    name, condition = match[1].lower(), match[2].strip()
    keyframes = _keyframes(prelude)
    if keyframes:
        return _Open(True, "", top.layer, keyframes[1].lower())
    if name == "layer":
        layer = f"{top.layer}{condition or len(layers)}."
        layers.setdefault(layer, len(layers))
        return top._replace(layer=layer)
    if name == "scope" and condition[:1] == "(":
        return top._replace(selectors=_nested(condition.partition(")")[0][1:], top.selectors))
    if name == "container":
        return top._replace(applies=top.applies and matches_screen(condition[condition.find("(") :]))
    holds = {"media": matches_screen, "supports": _is_supported}.get(name)
    return _Open(top.applies and holds is not None and holds(condition), top.selectors, top.layer)


_OF_OTHERS = ("(-moz-", "(-ms-", "(-webkit-touch-callout", "(-apple-")  # what browsers on a desktop mostly have not


def _is_supported(condition: str) -> bool:
    """Whether a browser knows what a condition asks for; unknown properties and selectors are taken for known."""
    text = condition.strip().lower()
    parts = _condition_part(text)
    is_denied = text[:3] == "not"
    values = [_is_known(part) if part[0] == "(" else _has_none_of_others(part) for part in parts]
    return (any(values) if _joined_by_or(text) else all(values)) != is_denied


_condition_part = patterns.compile(r"(?:selector|font-\w+)?\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)").findall
_joined_by_or = patterns.compile(r"\)\s*or\b").search


def _is_known(part: str) -> bool:
    inner = part[1:-1].strip()
    if inner[:1] == "(" or inner[:4] == "not ":
        return _is_supported(inner)
    name, _, value = inner.partition(":")
    words = KEYWORDS.get(name.strip(), ())
    return _has_none_of_others(part) and not (words and value.strip() not in words)


def _has_none_of_others(text: str) -> bool:
    return not any(name in text for name in _OF_OTHERS)


def _nested(selectors: str, outer: str) -> str:
    """A nested rule's selectors as they would stand outside of the rule around it."""
    if not outer:
        return selectors
    around = f":is({outer})"
    parts = [part.strip() for part in split_list(selectors)]
    parts = [part.replace(":scope", "&") for part in parts]
    return ",".join(part.replace("&", around) if "&" in part else f"{around} {part}" for part in parts)[
        : MAX_SELECTORS + 1
    ]
