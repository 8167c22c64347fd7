"""Style sheets, cut into rules. In: a sheet's text. Out: each rule that holds on a screen, with selectors and block.

Nested rules, @media, @supports, @container, @layer, @scope and @keyframes are resolved here. Blocks stay text, for
declarations.py. Nine in ten of a site's rules are about its other pages: those are dropped before anything is parsed.
Specification: CSS Syntax 3, CSS Nesting 1, CSS Cascade 5 section 6.4 (layers), CSS Conditional 3.
Tests: tests/css/test_selectors.py, tests/css/test_sheets.py
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.css.cascade import Layer
from webtool.css.cleaning import safe_to_cut
from webtool.css.conditions import is_met, matches_screen
from webtool.css.elements import Positions
from webtool.css.selector_parser import is_supported
from webtool.css.selector_text import STRING, Scope, around, replaced, scope_of, split_list, written_out
from webtool.html.elements import ASCII_SPACE
from webtool.lean import patterns
from webtool.lean.memory import Remembered
from webtool.lean.patterns import Match
from webtool.lean.typing import Callable

Rule = tuple[
    list[str],  # the selectors that may match on the page; [] for a keyframe
    str,  # all selectors; of a keyframe its offsets: "from,50%"
    str,  # the text of the block
    Layer,  # see _layer()
    str,  # of a keyframe, the name of its animation; else ""
]

_LAST = 1 << 30  # in a Layer: after all layers with numbers
UNLAYERED: Layer = (_LAST,)  # rules outside of layers win over all layers
_MAX_NAMESPACES = 10  # further @namespace rules are ignored
_MAX_NESTED = 40  # blocks in blocks, and names in the name of a layer; deeper ones are skipped
_MAX_REPEATED = 100_000  # characters of selectors that one sheet may repeat
_MAX_OFFSETS = 500  # characters of a keyframe's offsets that are read
_MAX_LAYER = 200  # characters of a layer's full name; a longer one is replaced by its numbers

# Statements before a rule: "@import 'a.css'; @layer b, c; " of "@import 'a.css'; @layer b, c; .d"
_statements = patterns.compile(r"(?:\s*@[^;]*;)*").match
_keyframes = patterns.compile(r"(?i)@(?:-[a-z]+-)?keyframes\s+[\"']?([\w-]{1,80})").match
# "@layer a, b" and "@import 'c.css' layer(a)": the names are in the first or the second group
_layers_in = patterns.compile(r"(?i)@layer\s+([^(){}]+)\Z|@import\s[^{}]*[\s\"')]layer\(([^(){}]+)\)").match
_at_rule = patterns.compile(r"(?s)@([\w-]+)\s*(.*)").match
# Numeric escapes of letters and signs. Digits are left out: unescaped, "\1" would be a numeric escape again.
_numeric_escape = patterns.compile(r"(?i)\\0{0,4}(2[1-9a-f]|3[a-f]|[4-6][0-9a-f]|7[0-9a-e])(?:\s|(?![0-9a-f]))").sub
# "a " of "a not (width > 9px)", "a\:b " of "a\:b (width > 9px)"; nothing of "style(--a: b)"
_container_name = patterns.compile(r"(?i)\A(?:[^\s(]+\s+)*?(?=(?:not\s+)?[\w-]*\()").sub
_before_brackets = patterns.compile(r"(?:[^\\(\[]|\\.)*").match
_has_numeric_escape = patterns.compile(r"\\[0-9a-fA-F\n]").search
_escaped_names_in = patterns.compile(r"[.#](?:[a-zA-Z0-9_\x80-\U0010ffff-]|\\.)+").findall
_names_in = patterns.compile(r"[.#][a-zA-Z0-9_\x80-\U0010ffff-]+").findall
# "@namespace svg url(http://...)" -> "svg" and the address; "" for the default namespace
_namespaces_in = patterns.compile(r"(?i)@namespace\s+(?:([\w-]+)\s+)?(?:url\(\s*)?[\"']?([^\"')\s;]*)").findall
_XHTML = "http://www.w3.org/1999/xhtml"


class _Block:
    """A block that is open: of a style rule, an animation, a keyframe, or of rules (@media, @layer, the sheet).

    @media inside of a style rule has its selectors and its declarations: `owner` is the style rule's block.
    """

    __slots__ = (
        "_is_valid", "animation", "applies", "has_declarations", "is_plain", "layer", "owner", "scope", "selectors",
    )  # fmt: skip

    def __init__(
        self, applies: bool, selectors: str = "", layer: str = "", animation: str = "", owner: _Block | None = None
    ) -> None:
        self.applies = applies  # whether its conditions hold
        self.selectors = selectors  # of the style rule; "" outside of style rules
        self.layer = layer  # name of the layer with a dot after each part, "" outside of layers
        self.animation = animation  # name, "" outside of animations
        self.is_plain = not (selectors or animation)  # whether it holds rules, as the sheet itself does
        self.owner: _Block = owner if owner is not None else self
        # The next three are read and set on `owner` alone.
        self.scope: Scope | None = None  # that limits its rules
        self.has_declarations = False  # whether a piece of its declarations was read
        self._is_valid: bool | None = None  # see has_valid_selectors(); None until it is asked

    def has_valid_selectors(self, positions: Positions) -> bool:
        """Return whether the rule around a nested one is valid. In `.x, .2col {.y {display: block}}` it is not."""
        owner = self.owner
        if owner._is_valid is None:
            owner._is_valid = not owner.selectors or is_supported(_spelt_out(owner.selectors), positions)
        return owner._is_valid


def read_rules(text: str, layers: dict[str, Layer], page_names: set[str], positions: Positions) -> Iterator[Rule]:
    """Return the rules of a style sheet that hold on a screen, in order.

    `layers` are the layers of earlier sheets by name; new ones are added. `page_names` are the page's ".class" and
    "#id". Rules that match nothing on the page are left out, except those about opacity, which tell what fades in. A
    selector such as ":is(\\0 1)" refers to a list that `positions` knows: parse it with these.
    """
    text = safe_to_cut(text).replace("<!--", " ").replace("-->", " ").replace("\0", "\ufffd")
    if "@namespace" in text:
        text = _without_namespaces(text)
    return _Reader(layers, page_names, positions).rules(text)


class _Reader:
    """Reads one sheet; `_open` are the blocks that are open at the present place of its text."""

    def __init__(self, layers: dict[str, Layer], page_names: set[str], positions: Positions) -> None:
        self._layers = layers
        self._page_names = page_names
        self._positions = positions
        self._open = [_Block(True)]  # the sheet itself, and the open blocks inside it
        self._skipped = 0  # open blocks that are nested too deep
        self._repeated = 0  # characters of selectors that later pieces of declarations repeat
        self._has_surplus_brace = False  # a "}" that closes nothing begins the selectors of the next rule

    def rules(self, text: str) -> Iterator[Rule]:
        """Yield the rules of the text, which is cut at each "}". Ordinary rules, nine in ten, take the short way."""
        stack, page_names = self._open, self._page_names
        has_escapes = "\\" in text
        pieces = text.split("}")
        pieces += [""] * _unclosed(pieces)  # the end of the sheet closes them
        end = pieces.pop()
        for piece in pieces:
            # Before the last "{" of a piece are preludes, after it is the content of the block that ends.
            heads = piece.split("{")
            block = stack[-1]
            if not block.is_plain or self._skipped or self._has_surplus_brace:
                yield from self._nested_rules(heads)
                continue
            # "@media (...) {.a {content" opens a block and a rule inside it.
            is_media = len(heads) == 3 and heads[0].lstrip()[:6] == "@media" and ";" not in heads[0]
            if is_media and len(stack) < _MAX_NESTED:
                prelude = heads.pop(0).strip(ASCII_SPACE)
                block = (
                    _opened(prelude, block, self._layers, self._positions) if len(stack) > 1 else _OUTERMOST[prelude]
                )
                stack.append(block)
            if len(heads) == 2 and "@" not in heads[0] and ";" not in heads[0]:  # an ordinary rule: ".a {content"
                if not block.applies:
                    continue
                selectors, content = heads
                selectors = _spelt_out(selectors) if has_escapes else selectors.strip(ASCII_SPACE)
                matching = _about_page(selectors, page_names)
                if (matching or "opacity" in content) and selectors and not content.isspace():
                    yield matching, selectors, content, self._layer_of(block), ""
            elif len(heads) == 1 and len(stack) > 1 and "@" not in heads[0]:  # the "}" of an @media block
                stack.pop()
            else:
                yield from self._nested_rules(heads)
        self._note_layers(stack[0], end)

    def _nested_rules(self, heads: list[str]) -> Iterator[Rule]:
        """Open the blocks of a piece, close its last one, and yield the rules on the way."""
        stack = self._open
        content = heads.pop()
        if self._has_surplus_brace and heads:
            heads[0] = "}" + heads[0]
            self._has_surplus_brace = False
        for head in heads:
            if self._skipped or len(stack) >= _MAX_NESTED:
                self._skipped += 1
                continue
            block = stack[-1]
            if block.selectors:  # declarations may be before a nested rule
                before, _, prelude = head.rpartition(";")
                yield from self._rules_of(block, before)
            else:
                end = _statements(head).end()  # type: ignore[union-attr]  # it matches the empty text too
                prelude = head[end:]
                self._note_layers(block, head[:end])
            stack.append(_opened(prelude.strip(ASCII_SPACE), block, self._layers, self._positions))
        if self._skipped:
            self._skipped -= 1
        elif len(stack) > 1:
            yield from self._rules_of(stack[-1], content)
            self._note_layers(stack.pop(), content)
        else:
            self._has_surplus_brace = True

    def _rules_of(self, block: _Block, content: str) -> Iterator[Rule]:
        """Yield the rule whose declarations are some content of a block, if the block belongs to one and applies."""
        if block.applies and block.selectors and content and not content.isspace():
            selectors = _spelt_out(self._selectors_of(block.owner))
            matching = [] if block.animation else _about_page(selectors, self._page_names)
            yield matching, selectors, content, self._layer_of(block), block.animation

    def _selectors_of(self, owner: _Block) -> str:
        """Return a style rule's selectors for the next piece of its declarations: nested rules make many pieces.

        All pieces of `.a, #b {x: y; i {} z: 0}` are as specific as the rule, until _MAX_REPEATED.
        """
        if owner.has_declarations and not owner.animation:
            self._repeated += len(owner.selectors)
            if self._repeated > _MAX_REPEATED:
                return around(owner.selectors, self._positions)
        owner.has_declarations = True
        return owner.selectors

    def _note_layers(self, block: _Block, statements: str) -> None:
        """Add the layers that statements in a block of rules put in order: `@layer a, b; @import "c.css" layer(d);`."""
        if "@" not in statements or block.selectors or not block.applies:
            return
        for statement in statements.split(";"):
            match = _layers_in(statement.strip(ASCII_SPACE))
            for name in (match[1] or match[2]).split(",") if match else ():
                _layer(block.layer, name.strip(ASCII_SPACE), self._layers)

    def _layer_of(self, block: _Block) -> Layer:
        return self._layers[block.layer] if block.layer else UNLAYERED


def _unclosed(pieces: list[str]) -> int:
    """Return how many blocks are open at the end of a sheet, cut at each "}"; 0 if only space follows the last one."""
    depth, last = 0, pieces[-1]
    if last and not last.isspace():
        for piece in pieces[:-1]:
            depth = max(0, depth + piece.count("{") - 1)
        depth += last.count("{")
    return depth


def _without_namespaces(text: str) -> str:
    """Return a style sheet with "*|" for the prefix of HTML and "|" for others; "" if it is not about HTML.

    After `@namespace h url(http://www.w3.org/1999/xhtml)`, "h|a" becomes "*|a" (of any namespace).
    """
    for prefix, namespace in _namespaces_in(text.partition("{")[0])[:_MAX_NAMESPACES]:
        if prefix:
            prefixes = patterns.compile(rf"(?s){STRING}|\\.|(?<![\w-]){prefix}\|(?=[\w*-])").sub
            text = replaced(prefixes, "*|" if namespace == _XHTML else "|", text)
        elif namespace != _XHTML and "*|" not in text:
            return ""
    return text


def _spelt_out(selectors: str) -> str:
    r"""Return selectors with numeric escapes replaced: "\61 .b" -> "a.b"."""
    if "\\" in selectors:
        selectors = _numeric_escape(_unescaped, selectors)
    return selectors.strip(ASCII_SPACE)


def _unescaped(match: Match[str]) -> str:
    character = chr(int(match[1], 16))
    return character if character.isalpha() else "\\" + character


def _about_page(selectors: str, page_names: set[str]) -> list[str]:
    """Return the selectors of a list whose classes and ids are all on the page, as far as a quick look tells."""
    if "(" in selectors or "[" in selectors or "\\" in selectors:
        return [part for part in split_list(selectors) if page_names.issuperset(_names_before_brackets(part))]
    return [part for part in selectors.split(",") if page_names.issuperset(_names_in(part))]


def _names_before_brackets(selector: str) -> list[str]:
    """Return the ".class" and "#id" in a selector up to its first bracket; [] if it has numeric escapes."""
    if "\\" not in selector:
        return _names_in(selector.partition("(")[0].partition("[")[0])
    plain = _before_brackets(selector)[0]  # type: ignore[index]  # it matches the empty text too
    return [] if _has_numeric_escape(plain) else [name.replace("\\", "") for name in _escaped_names_in(plain)]


# --- Layers ---


def _layer(outer: str, name: str, layers: dict[str, Layer]) -> str:
    """Add a layer ("a" or "a.b") inside an outer one, "" outside of layers. Return its full name with a dot at the end.

    Layers are numbered as they appear. A layer wins over those inside it: "a." is (0, LAST), "a.b." is (0, 1, LAST).
    A long name is replaced by the layer's numbers, as each layer inside would repeat the name.
    """
    layer = outer
    for part in name.split(".")[:_MAX_NESTED]:
        place = layers[layer] if layer else UNLAYERED
        layer = f"{layer}{part}."
        inner_place = (*place[:-1], len(layers), _LAST) if len(place) < _MAX_NESTED else place
        inner_place = layers.setdefault(layer, inner_place)
        if len(layer) > _MAX_LAYER:
            layer = f"\0{inner_place}."
            layers[layer] = inner_place
    return layer


# --- Blocks ---


def _opened(prelude: str, outer: _Block, layers: dict[str, Layer], positions: Positions) -> _Block:
    """Return the block that a prelude opens inside an outer block.

    from, 50%         in @keyframes: a step of the animation
    .a, .b            a style rule
    @keyframes n      an animation
    @layer n          a layer of rules
    @scope (.a)       rules for what is inside .a
    @container (...)  rules that apply if the screen matches, as for @media and @supports
    @font-face, ...   rules that never apply
    """
    if outer.animation:
        offsets = prelude[:_MAX_OFFSETS].replace(" ", "").lower()
        return _Block(outer.applies, offsets, outer.layer, outer.animation)
    match = _at_rule(prelude) if prelude[:1] == "@" else None
    if not match:
        return _style_rule(prelude, outer, positions)
    name, condition = match[1].lower(), match[2].strip()
    keyframes = _keyframes(prelude)
    if keyframes:
        return _Block(outer.applies, "", outer.layer, keyframes[1].lower())
    if name == "scope":
        return _scope(condition, outer, positions)
    layer, applies = outer.layer, outer.applies
    if name != "layer":
        applies = applies and name in _CONDITIONS and _CONDITIONS[name](condition)
    elif applies:  # else its name sets no order: @media print { @layer a {} }
        layer = _layer(outer.layer, condition or str(len(layers)), layers)
    return _Block(applies, outer.selectors, layer, owner=outer.owner)


_CONDITIONS: dict[str, Callable[[str], bool]] = {
    "media": matches_screen,
    "supports": is_met,
    # A query by a container's name alone (`@container screen`) is never met: which elements have it is not known.
    "container": lambda query: "(" in query and matches_screen(_container_name("", query, 1)),
}


def _style_rule(prelude: str, outer: _Block, positions: Positions) -> _Block:
    """Return the block of a style rule with its selectors as they read outside of the blocks around it."""
    if not (outer.applies and outer.has_valid_selectors(positions)):
        return _Block(False, "*", outer.layer)  # any selector will do: a block without one holds rules alone
    scope = outer.owner.scope
    block = _Block(True, written_out(prelude, outer.selectors, scope, positions), outer.layer)
    block.scope = scope
    return block


def _scope(condition: str, outer: _Block, positions: Positions) -> _Block:
    """Return the block of an @scope rule. Declarations right inside it are about its roots."""
    scope = scope_of(condition, outer.selectors, outer.owner.scope, positions)
    is_valid = outer.has_valid_selectors(positions) and (not scope.limits or is_supported(scope.limits, positions))
    block = _Block(outer.applies and is_valid, scope.roots, outer.layer)
    block.scope = scope
    return block


# Blocks of media queries outside of any other block, by prelude. Sheets repeat the same few.
_OUTERMOST = Remembered(lambda prelude: _opened(prelude, _Block(True), {}, Positions()))
