"""Style sheets, cut into rules. In: a sheet's text. Out: each rule that holds on a screen, with selectors and block.

Nested rules, @media, @supports, @container, @layer, @scope and @keyframes are resolved here. Blocks stay text, for
declarations.py. Nine in ten of a site's rules are about its other pages: those are dropped before anything is parsed.
Specification: CSS Syntax 3, CSS Nesting 1, CSS Cascade 5 section 6.4 (layers), CSS Conditional 3.
Tests: tests/css/test_selectors.py
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.css.elements import Positions
from webtool.css.media import matches_screen
from webtool.css.properties import BY_NAME, is_known
from webtool.css.selector_text import closing_bracket, is_supported, split_list
from webtool.html.elements import ASCII_SPACE
from webtool.lean import patterns
from webtool.lean.memory import Remembered
from webtool.lean.patterns import Match

# Selectors that may match on the page; all selectors; block; layer; animation. A keyframe has the name of its
# animation, its offsets as selectors ("from,50%") and an empty list; other rules have "" for the animation.
Rule = tuple[list[str], str, str, int, str]

UNLAYERED = 1 << 30  # the layer of rules outside of layers: it wins over all others
_MAX_REPLACED_STRINGS = 50  # different strings; with more, one pass over the text is quicker
_MAX_NAMESPACES = 10  # further @namespace rules are ignored
_MAX_INLINE = 60  # characters of a rule's selectors that are repeated in each nested rule; others are referred to
_MAX_NESTED = 40  # blocks in blocks; deeper ones are skipped
_MAX_OFFSETS = 500  # characters of a keyframe's offsets that are read
_MAX_LAYER = 200  # characters of a layer's full name; a number stands for a longer one
# Conditions that few desktop browsers meet.
_UNSUPPORTED = (
    "(-moz-", "(-ms-", "(-webkit-touch-callout", "(-webkit-overflow-scrolling", "(-apple-", "-webkit-named-image",
    "(margin-trim",
)  # fmt: skip

_comment = patterns.compile(r"(?s)/\*.*?(?:\*/|\Z)").sub
# An escaped quote in a name begins no string. Trying it as one takes quadratic time on sheets with many.
_string = patterns.compile(r"\\.|\"[^\"\\\n]*(?:\\.[^\"\\\n]*)*\"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'")
_keyframes = patterns.compile(r"(?i)@(?:-[a-z]+-)?keyframes\s+[\"']?([\w-]{1,80})").match
_at_rule = patterns.compile(r"(?s)@([\w-]+)\s*(.*)").match
# Numeric escapes of letters and signs. Digits are left out: unescaped, "\1" would be a numeric escape again.
_numeric_escape = patterns.compile(r"(?i)\\0{0,4}(2[1-9a-f]|3[a-f]|[4-6][0-9a-f]|7[0-9a-e])(?:\s|(?![0-9a-f]))").sub
_before_brackets = patterns.compile(r"(?:[^\\(\[]|\\.)*").match
_has_numeric_escape = patterns.compile(r"\\[0-9a-fA-F\n]").search
_escaped_names_in = patterns.compile(r"[.#](?:[a-zA-Z0-9_\x80-\U0010ffff-]|\\.)+").findall
_names_in = patterns.compile(r"[.#][a-zA-Z0-9_\x80-\U0010ffff-]+").findall
# "(display: grid)" and "selector(:has(a))" of "(display: grid) and selector(:has(a))"
_condition = patterns.compile(r"(?:selector|font-\w+)?\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")
# "@namespace svg url(http://...)" -> "svg" and the address; "" for the default namespace
_namespaces_in = patterns.compile(r"(?i)@namespace\s+(?:([\w-]+)\s+)?(?:url\(\s*)?[\"']?([^\"')\s;]*)").findall
_pseudo_element_at_end = patterns.compile(r":{1,2}(?:before|after)\Z").search
_XHTML = "http://www.w3.org/1999/xhtml"
_has_or = patterns.compile(r"\)\s*or\b").search


class _Block:
    """A block that is open."""

    __slots__ = ("_is_read", "_is_valid", "animation", "applies", "is_plain", "layer", "root", "scope", "selectors")

    def __init__(
        self, applies: bool, selectors: str = "", layer: str = "", animation: str = "", outer: _Block | None = None
    ) -> None:
        self.applies = applies  # whether its conditions hold
        self.selectors = selectors  # of the style rule that it belongs to
        self.layer = layer  # name of the layer with a dot after each part, "" outside of layers
        self.animation = animation
        self.is_plain = not (selectors or animation)  # whether it holds rules, as the sheet itself does
        self.scope = ""  # a condition that @scope puts on the rules inside, such as ":is(...)"
        # The outermost block with its selectors; another one for @media in a rule. The next two members are the root's.
        self.root: _Block = outer.root if outer is not None else self
        self._is_read = False  # whether some of its declarations were read
        self._is_valid: bool | None = None  # see has_valid_selectors(); None until it is asked

    def has_valid_selectors(self, positions: Positions) -> bool:
        """Return whether the rule around a nested one is valid. In `.x, .2col {.y {display: block}}` it is not."""
        root = self.root
        if root._is_valid is None:
            root._is_valid = not root.selectors or is_supported(_spelt_out(root.selectors), positions)
        return root._is_valid

    def next_selectors(self, positions: Positions) -> str:
        """Return the selectors of a further piece of its declarations; nested rules between them make many pieces."""
        root = self.root
        if root._is_read and not root.animation:
            return _around(root.selectors, positions)
        root._is_read = True
        return root.selectors


def read_rules(
    text: str, layers: dict[str, int], page_names: set[str], positions: Positions, *, is_complete: bool
) -> Iterator[Rule]:
    """Return the rules of a style sheet that hold on a screen, in order.

    `layers` are the layers of earlier sheets by name; new ones are added. `page_names` are the page's ".class" and
    "#id". Rules that match nothing on the page are left out. Those about opacity are returned all the same, and those
    about backgrounds if `is_complete` says that the page links no other sheets. Their selectors may refer to others,
    which `positions` knows: parse them with it.
    """
    text = _without_comments_and_strings(text).replace("\0", "\ufffd")
    if "@namespace" in text:
        text = _without_namespaces(text)
    return _Reader(layers, page_names, positions, is_complete=is_complete).rules(text)


class _Reader:
    """Reads one sheet; `_open` are the blocks that are open at the present place of its text."""

    def __init__(
        self, layers: dict[str, int], page_names: set[str], positions: Positions, *, is_complete: bool
    ) -> None:
        self._layers = layers
        self._page_names = page_names
        self._positions = positions
        self._is_complete = is_complete
        self._open = [_Block(True)]  # the sheet itself, and the open blocks inside it
        self._skipped = 0  # open blocks that are nested too deep
        self._is_broken = False  # a surplus "}" makes the next rule invalid

    def rules(self, text: str) -> Iterator[Rule]:
        """Yield the rules of the text, which is cut at each "}". Ordinary rules, nine in ten, take the short way."""
        stack, page_names = self._open, self._page_names
        has_escapes = "\\" in text or "*|" in text
        pieces = text.split("}")
        pieces += [""] * _unclosed(pieces)  # the end of the sheet closes them
        pieces.pop()
        for piece in pieces:
            # Before the last "{" of a piece are preludes, after it is the content of the block that ends.
            heads = piece.split("{")
            block = stack[-1]
            if not block.is_plain or self._skipped or self._is_broken:
                yield from self._nested_rules(heads)
                continue
            # "@media (...) {.a {content" opens a block and a rule inside it.
            is_media = len(heads) == 3 and heads[0].lstrip()[:6] == "@media" and ";" not in heads[0]
            if is_media and len(stack) < _MAX_NESTED:
                prelude = heads.pop(0).strip(ASCII_SPACE)
                block = self._opened(prelude, block) if len(stack) > 1 else _OUTERMOST[prelude]
                stack.append(block)
            if len(heads) == 2 and "@" not in heads[0] and ";" not in heads[0]:  # an ordinary rule: ".a {content"
                if not block.applies:
                    continue
                selectors, content = heads
                selectors = _spelt_out(selectors) if has_escapes else selectors.strip(ASCII_SPACE)
                matching = _about_page(selectors, page_names)
                is_of_use = matching or "opacity" in content or (self._is_complete and "background" in content)
                if is_of_use and selectors and not content.isspace():
                    yield matching, selectors, content, self._layer_of(block), ""
            elif len(heads) == 1 and len(stack) > 1:  # the "}" of an @media block
                stack.pop()
            else:
                yield from self._nested_rules(heads)

    def _nested_rules(self, heads: list[str]) -> Iterator[Rule]:
        """Open the blocks of a piece, close its last one, and yield the rules on the way."""
        stack = self._open
        content = heads.pop()
        if self._is_broken:
            self._is_broken = False
            if len(heads) == 1:
                return
        for head in heads:
            if self._skipped or len(stack) >= _MAX_NESTED:
                self._skipped += 1
                continue
            before, _, prelude = head.rpartition(";")
            block = stack[-1]
            if block.selectors:
                yield from self._rules_of(block, before)
            elif "@layer" in before:
                _note_layers(before, block.layer, self._layers)
            stack.append(self._opened(prelude.strip(ASCII_SPACE), block))
        if self._skipped:
            self._skipped -= 1
            return
        yield from self._rules_of(stack[-1], content)
        self._is_broken = len(stack) == 1
        if not self._is_broken:
            stack.pop()

    def _rules_of(self, block: _Block, content: str) -> Iterator[Rule]:
        """Yield the rule whose declarations are some content of a block, if the block belongs to one and applies."""
        if block.applies and block.selectors and content and not content.isspace():
            selectors = _spelt_out(block.next_selectors(self._positions))
            matching = [] if block.animation else _about_page(selectors, self._page_names)
            yield matching, selectors, content, self._layer_of(block), block.animation

    def _layer_of(self, block: _Block) -> int:
        return self._layers[block.layer] if block.layer else UNLAYERED

    def _opened(self, prelude: str, outer: _Block) -> _Block:
        """Return the block that a prelude ("@media print", ".a, .b") opens inside an outer block."""
        return _opened(prelude, outer, self._layers, self._positions)


def _unclosed(pieces: list[str]) -> int:
    """Return how many blocks are open at the end of a sheet, cut at each "}"; 0 if only space follows the last one."""
    depth, last = 0, pieces[-1]
    if last and not last.isspace():
        for piece in pieces[:-1]:
            depth = max(0, depth + piece.count("{") - 1)
        depth += last.count("{")
    return depth


def _without_comments_and_strings(text: str) -> str:
    """Return a style sheet without comments, and without strings that hold a brace or a semicolon."""
    if "/*" in text:
        text = _comment(" ", text)
    if '"' in text or "'" in text:
        text = _without_misleading_strings(text)
    return text.replace("<!--", " ").replace("-->", " ")


def _without_namespaces(text: str) -> str:
    """Return a style sheet with "*|" for the prefix of HTML and "|" for others; "" if it is not about HTML."""
    for prefix, namespace in _namespaces_in(text.partition("{")[0])[:_MAX_NAMESPACES]:
        if prefix:
            text = patterns.compile(rf"(?<![\w-]){prefix}\|(?=[\w*-])").sub("*|" if namespace == _XHTML else "|", text)
        elif namespace != _XHTML and "*|" not in text:
            return ""
    return text


def _spelt_out(selectors: str) -> str:
    """Return selectors with numeric escapes replaced, and without "*|" (any namespace)."""
    if "\\" in selectors:
        selectors = _numeric_escape(_unescaped, selectors)
    return selectors.strip(ASCII_SPACE).replace("*|", "")


def _unescaped(match: Match[str]) -> str:
    character = chr(int(match[1], 16))
    return character if character.isalpha() else "\\" + character


def _about_page(selectors: str, page_names: set[str]) -> list[str]:
    """Return the selectors of a list whose classes and ids are all on the page, as far as a quick look tells."""
    if "(" in selectors or "[" in selectors or "\\" in selectors:
        return [part for part in split_list(selectors) if page_names.issuperset(_names_before_brackets(part))]
    if "," in selectors:
        return [part for part in selectors.split(",") if page_names.issuperset(_names_in(part))]
    return [selectors] if page_names.issuperset(_names_in(selectors)) else []


def _names_before_brackets(selector: str) -> list[str]:
    """Return the ".class" and "#id" in a selector up to its first bracket; [] if it has numeric escapes."""
    if "\\" not in selector:
        return _names_in(selector.partition("(")[0].partition("[")[0])
    plain = _before_brackets(selector)[0]  # type: ignore[index]  # it matches the empty text too
    return [] if _has_numeric_escape(plain) else [name.replace("\\", "") for name in _escaped_names_in(plain)]


def _without_misleading_strings(text: str) -> str:
    """Return a style sheet in which strings with a brace or a semicolon are empty: they would end a rule."""
    misleading = {string for string in _strings_in(text) if "{" in string or "}" in string or ";" in string}
    if len(misleading) > _MAX_REPLACED_STRINGS:
        return _string.sub(lambda match: '""' if match[0] in misleading else match[0], text)
    for string in misleading:
        text = text.replace(string, '""')
    return text


def _strings_in(text: str) -> list[str]:
    """Return the strings of a style sheet, or [] if none holds a brace or a semicolon.

    Cutting the text at its quotes takes a fifth of the pattern's time. It works if no string holds a quote, an escape
    or a line end, which is nearly always.
    """
    pieces = text.split('"')
    others = '"'.join(pieces[::2]).split("'")
    doubles, singles = pieces[1::2], others[1::2]
    inner = "".join(doubles) + "".join(singles)
    has_unpaired_quote = len(pieces) % 2 == 0 or len(others) % 2 == 0
    is_misread = has_unpaired_quote or any('"' in string for string in singles) or "\n" in inner
    if is_misread or "\\" in inner or "\\'" in text or '\\"' in text:
        return _string.findall(text)
    if "{" in inner or "}" in inner or ";" in inner:
        return [f'"{string}"' for string in doubles] + [f"'{string}'" for string in singles]
    return []


def _note_layers(statements: str, outer: str, layers: dict[str, int]) -> None:
    """Add the layers that `@layer a, b;` puts in order."""
    for statement in statements.split(";"):
        match = _at_rule(statement.strip())
        if match and match[1] == "layer":
            for name in match[2].split(","):
                _layer(outer, name.strip(), layers)


def _layer(outer: str, name: str, layers: dict[str, int]) -> str:
    """Add a layer inside an outer one ("" outside of layers); return its full name with a dot after each part.

    A long name is replaced by a number, as each layer inside would repeat it.
    """
    layer = f"{outer}{name}."
    number = layers.setdefault(layer, len(layers))
    if len(layer) <= _MAX_LAYER:
        return layer
    layers[f"\0{number}."] = number
    return f"\0{number}."


def _opened(prelude: str, outer: _Block, layers: dict[str, int], positions: Positions) -> _Block:
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
        applies = outer.applies and outer.has_valid_selectors(positions)
        return _Block(applies, _nested(prelude, outer, positions) if applies else "*", outer.layer)
    name, condition = match[1].lower(), match[2].strip()
    keyframes = _keyframes(prelude)
    if keyframes:
        return _Block(outer.applies, "", outer.layer, keyframes[1].lower())
    if name == "layer":
        layer = _layer(outer.layer, condition or str(len(layers)), layers)
        return _Block(outer.applies, outer.selectors, layer, outer=outer)
    if name == "scope":
        return _scope(condition, outer, positions)
    if name == "container":
        applies = outer.applies and matches_screen(condition[condition.find("(") :])
        return _Block(applies, outer.selectors, outer.layer, outer=outer)
    holds = {"media": matches_screen, "supports": _is_supported}.get(name)
    applies = outer.applies and holds is not None and holds(condition)
    return _Block(applies, outer.selectors, outer.layer, outer=outer)


# Blocks of media queries outside of any other block, by prelude. Sheets repeat the same few.
_OUTERMOST = Remembered(lambda prelude: _opened(prelude, _Block(True), {}, Positions()))


def _is_supported(condition: str) -> bool:
    """Return whether a desktop browser meets an @supports condition. Most values of known properties pass."""
    text = condition.strip().lower()
    parts = _condition.findall(text)
    is_negated = text[:3] == "not"
    values = [_is_known(part) if part[0] == "(" else _is_of_desktop(part) for part in parts]
    is_one_enough = bool(_has_or(_condition.sub("()", text)))  # an "or" inside of a part joins that part alone
    return (any(values) if is_one_enough else all(values)) != is_negated


def _is_known(part: str) -> bool:
    """Return whether "(property: value)" is supported: the value is invalid if the property's row lacks the keyword."""
    inner = part[1:-1].strip()
    if inner[:1] == "(" or inner[:4] == "not " or inner.partition("(")[0] in ("selector", "font-tech", "font-format"):
        return _is_supported(inner)
    name, value = (text.strip() for text in inner.partition(":")[::2])
    row = BY_NAME.get(name)
    is_invalid = row is not None and bool(row.keywords) and value not in row.keywords
    return bool(value) and is_known(name) and not is_invalid and _is_of_desktop(part)


def _is_of_desktop(text: str) -> bool:
    if text.startswith("selector("):
        selector = text[len("selector(") : -1]
        # Here :is() and :where() skip no invalid selectors, and :not() never does.
        strict = selector.replace(":is(", ":not(").replace(":where(", ":not(")
        return len(split_list(selector)) == 1 and is_supported(strict, Positions())
    return not any(name in text for name in _UNSUPPORTED)


def _around(outer: str, positions: Positions) -> str:
    """Return a selector that matches what a rule's selectors match: ":is(a, b)"."""
    is_short = len(outer) <= _MAX_INLINE and outer.count("(") < 2  # brackets in brackets in brackets are not read
    return f":is({outer if is_short else positions.refer_to(outer)})"


def _nested(selectors: str, outer: _Block, positions: Positions) -> str:
    """Return a nested rule's selectors as they read outside of the outer rule: "& > b" in "a" -> ":is(a) > b"."""
    scope = outer.root.scope
    if not outer.selectors and not scope:
        return selectors
    around = _around(outer.selectors, positions)
    parts = [part.strip(ASCII_SPACE).replace(":scope", "&") for part in split_list(selectors)]
    if scope:
        parts = [_with_condition(part, scope) for part in parts]
    else:
        parts = [part if "&" in part else f"& {part}" for part in parts]
    return ",".join([part.replace("&", around) for part in parts])


def _with_condition(selector: str, condition: str) -> str:
    """Return a selector whose elements must also meet a condition: ".a::before" -> ".a:is(...)::before"."""
    end = _pseudo_element_at_end(selector)
    place = end.start() if end else len(selector)
    return f"{selector[:place]}{condition}{selector[place:]}"


def _scope(condition: str, outer: _Block, positions: Positions) -> _Block:
    """Return the block of `@scope (roots) to (limits)`. Without roots, the style element's parent is the root.

    That parent is not known here: then the rules apply everywhere, except those that name the root.
    """
    roots, limits = _scope_bounds(condition)
    applies = outer.applies and outer.has_valid_selectors(positions)
    block = _Block(applies, _nested(roots, outer, positions) if roots else ":not(*)", outer.layer)
    root = _around(block.selectors, positions)
    ends = [part.strip(ASCII_SPACE) for part in split_list(limits)] if limits else [":not(*)"]
    ends = [f"{root} {end}" if end[:1] in (">", "+", "~") else end for end in ends]
    limits = ",".join(ends).replace(":scope", "&").replace("&", root)
    block.scope = f":is({positions.refer_to(block.selectors if roots else ':root', limits)})"
    return block


def _scope_bounds(condition: str) -> tuple[str, str]:
    """Return the selectors of roots and limits: "(.a) to (.b > c)" -> ".a", ".b > c"; "" for one that is missing."""
    bounds = {"": "", "to": ""}
    start = condition.find("(")
    before = condition[:start]
    while start >= 0:
        end = closing_bracket(condition, start + 1)
        if end < 0:
            break
        bounds[before.strip(ASCII_SPACE).lower()] = condition[start + 1 : end]
        start, before = condition.find("(", end), condition[end + 1 : condition.find("(", end)]
    return bounds[""], bounds["to"]
