"""The text of style sheets in; each rule that holds on a screen out: its selectors, its block and its layer.

Rules in rules, conditional groups, layers, scopes and keyframes are resolved here; what a block says is left to
declarations.py. Specification: CSS Syntax 3, CSS Nesting 1, CSS Cascade 5 (layers), CSS Conditional 3.
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.css.media import matches_screen
from webtool.css.properties import BY_NAME
from webtool.css.selectors import split_list
from webtool.lean import patterns
from webtool.lean.memory import Remembered
from webtool.lean.patterns import Match

Rule = tuple[list[str], str, str, int, str]

MAX_SELECTORS = 5000  # characters of one rule's selector list
UNLAYERED = 1 << 30  # the layer of rules that are in none: it wins over all others
_FEW_STRINGS = 50
_MAX_OPEN = 40  # blocks in blocks; what is deeper is passed over

_comment = patterns.compile(r"(?s)/\*.*?(?:\*/|\Z)").sub
# An escaped quote in a name begins no string; trying it as one took quadratic time where many are.
_string = patterns.compile(r"\\.|\"[^\"\\\n]*(?:\\.[^\"\\\n]*)*\"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'")
_keyframes = patterns.compile(r"(?i)@(?:-[a-z]+-)?keyframes\s+[\"']?([\w-]{1,80})").match
_at_rule = patterns.compile(r"@([\w-]+)\s*(.*)").match
# Letters and signs by their numbers; not digits, whose plain escape is a number again.
_numbered = patterns.compile(r"(?i)\\0{0,4}(2[1-9a-f]|3[a-f]|[4-6][0-9a-f]|7[0-9a-e])(?:\s|(?![0-9a-f]))").sub
_before_brackets = patterns.compile(r"(?:[^\\(\[]|\\.)*").match
_by_number = patterns.compile(r"\\[0-9a-fA-F\n]").search
_escaped_in = patterns.compile(r"[.#](?:[a-zA-Z0-9_\x80-\U0010ffff-]|\\.)+").findall
_named_in = patterns.compile(r"[.#][a-zA-Z0-9_\x80-\U0010ffff-]+").findall


class _Open:
    """A block that is open."""

    __slots__ = ("animation", "applies", "is_plain", "layer", "selectors")

    def __init__(self, applies: bool, selectors: str = "", layer: str = "", animation: str = "") -> None:
        self.applies = applies
        self.selectors = selectors
        self.layer = layer
        self.animation = animation
        self.is_plain = not (selectors or animation)
        """Whether it holds rules as the sheet itself does."""


def read_rules(text: str, layers: dict[str, int], names: set[str], *, is_whole: bool) -> Iterator[Rule]:
    """The rules of a style sheet's text that hold on a screen, in order; `layers` are those of the sheets before it.

    A Rule has those of its selectors that may match on a page with the ".class" and "#id" `names`, all of them, its
    block, its layer and the name of the keyframes that it is one of, whose offsets are then its selectors. Passed over
    are rules that match nothing, but for those about opacity and, where the sheets are the page's only ones
    (`is_whole`), about backgrounds.
    """
    if "/*" in text:
        text = _comment(" ", text)
    if '"' in text or "'" in text:
        text = _without_brackets(text)
    text = text.replace("<!--", " ").replace("-->", " ")
    top = _Open(True)
    stack = [top]
    deeper = 0
    is_odd = "\\" in text or "*|" in text
    is_broken = False  # a bracket too many makes the next rule invalid
    pieces = text.split("}")
    pieces.pop()  # a block without an end
    for piece in pieces:
        heads = piece.split("{")
        if top.is_plain and not (deeper or is_broken):
            if len(heads) == 3 and ";" not in heads[0] and heads[0].lstrip()[:6] == "@media" and len(stack) < _MAX_OPEN:
                prelude = heads.pop(0).strip()
                top = _opened(prelude, top, layers) if len(stack) > 1 else _OUTERMOST[prelude]
                stack.append(top)
            if len(heads) == 2:
                selectors, block = heads
                if "@" not in selectors and ";" not in selectors:  # nine rules in ten
                    if top.applies:
                        selectors = _spelt_out(selectors) if is_odd else selectors.strip()
                        found = _about(selectors, names)
                        is_told = found or "opacity" in block or (is_whole and "background" in block)
                        if is_told and selectors and len(selectors) <= MAX_SELECTORS and not block.isspace():
                            yield found, selectors, block, layers[top.layer] if top.layer else UNLAYERED, ""
                    continue
            elif len(heads) == 1 and len(stack) > 1:
                stack.pop()
                top = stack[-1]
                continue
        block = heads.pop()
        if is_broken:
            is_broken = False
            if len(heads) == 1:
                continue
        for head in heads:
            if deeper or len(stack) >= _MAX_OPEN:
                deeper += 1
                continue
            before, _, prelude = head.rpartition(";")
            if top.selectors:
                yield from _rule(before, top, layers, names)
            elif "@layer" in before:
                _note_layers(before, top.layer, layers)
            top = _opened(prelude.strip(), top, layers)
            stack.append(top)
        if deeper:
            deeper -= 1
            continue
        yield from _rule(block, top, layers, names)
        is_broken = len(stack) == 1
        if not is_broken:
            stack.pop()
            top = stack[-1]


def _rule(block: str, top: _Open, layers: dict[str, int], names: set[str]) -> list[Rule]:
    if not (top.applies and top.selectors) or block.isspace():
        return []
    selectors = _spelt_out(top.selectors)
    layer = layers[top.layer] if top.layer else UNLAYERED
    return [([] if top.animation else _about(selectors, names), selectors, block, layer, top.animation)]


def _spelt_out(selectors: str) -> str:
    """Selectors without numbers for letters, and without "*|", which is any namespace."""
    if "\\" in selectors:
        selectors = _numbered(_escaped, selectors)
    return selectors.strip().replace("*|", "")


def _escaped(match: Match[str]) -> str:
    char = chr(int(match[1], 16))
    return char if char.isalpha() else "\\" + char


def _about(selectors: str, names: set[str]) -> list[str]:
    """Those of a list of selectors that may match on a page that has the `names`, as far as it is seen at once: nine in
    ten of a site's rules are about its other pages, and reading them takes ten times as long."""
    if "(" in selectors or "[" in selectors or "\\" in selectors:
        return [part for part in split_list(selectors) if names.issuperset(_asked_by(part))]
    if "," in selectors:
        return [part for part in selectors.split(",") if names.issuperset(_named_in(part))]
    return [selectors] if names.issuperset(_named_in(selectors)) else []


def _asked_by(selector: str) -> list[str]:
    """The ".class" and "#id" in a selector up to what stands in brackets; none where there is more to understand."""
    if "\\" not in selector:
        return _named_in(selector.partition("(")[0].partition("[")[0])
    plain = _before_brackets(selector)[0]  # type: ignore[index]  # it matches the empty text too
    return [] if _by_number(plain) else [name.replace("\\", "") for name in _escaped_in(plain)]


def _without_brackets(text: str) -> str:
    """A style sheet whose strings hold nothing that would end a rule or a declaration."""
    found = {string for string in _strings_in(text) if "{" in string or "}" in string or ";" in string}
    if len(found) > _FEW_STRINGS:
        return _string.sub(lambda match: '""' if match[0] in found else match[0], text)
    for string in found:
        text = text.replace(string, '""')
    return text


def _strings_in(text: str) -> list[str]:
    """The strings of a style sheet. Cut at the quotes they take a fifth of the time, where no string has a quote in it
    or a line end, which is all but always."""
    pieces = text.split('"')
    others = '"'.join(pieces[::2]).split("'")
    doubles, singles = pieces[1::2], others[1::2]
    inner = "".join(doubles) + "".join(singles)
    is_cut = not (len(pieces) & len(others) & 1) or any('"' in one for one in singles) or "\n" in inner
    if is_cut or "\\" in inner or "\\'" in text or '\\"' in text:
        return _string.findall(text)
    if "{" in inner or "}" in inner or ";" in inner:
        return [f'"{one}"' for one in doubles] + [f"'{one}'" for one in singles]
    return []


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
        return _Open(top.applies, top.selectors, layer)
    if name == "scope" and condition[:1] == "(":
        return _Open(top.applies, _nested(condition.partition(")")[0][1:], top.selectors), top.layer)
    if name == "container":
        applies = top.applies and matches_screen(condition[condition.find("(") :])
        return _Open(applies, top.selectors, top.layer)
    holds = {"media": matches_screen, "supports": _is_supported}.get(name)
    return _Open(top.applies and holds is not None and holds(condition), top.selectors, top.layer)


_OUTERMOST = Remembered(lambda prelude: _opened(prelude, _Open(True), {}))
"""Blocks of media queries that are in no other block: sheets have the same again and again."""
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
    row = BY_NAME.get(name.strip())
    is_invalid = row is not None and bool(row.keywords) and value.strip() not in row.keywords
    return not is_invalid and _has_none_of_others(part)


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
