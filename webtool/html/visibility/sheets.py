"""The style elements of a page: their rules, matched against elements. Text of rules in, values per element out.

Understood are the rules of rules.py with the selectors of selectors.py. What a linked style sheet says is unknown here.
Specification: CSS Cascade 5 section 6 (importance, layers, specificity, order), CSS Variables 1.
"""

from __future__ import annotations

from webtool.html.visibility.arranged import arranges
from webtool.html.visibility.cascade import StyleRule, cascaded, is_about, key_in, keys_of, put
from webtool.html.visibility.colours import colour_of, is_same_colour
from webtool.html.visibility.declarations import declared, meaning_of
from webtool.html.visibility.media import matches_screen
from webtool.html.visibility.pseudo import Places
from webtool.html.visibility.rules import MAX_SELECTORS, read_rules
from webtool.html.visibility.selectors import selectors_of, split_list
from webtool.lean import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from webtool.html.node import Element
    from webtool.html.visibility.arranged import Named
    from webtool.html.visibility.boxes import Values
    from webtool.html.visibility.declarations import Style

    Names = tuple[str, str, str]  # type, class attribute and id of an element
    Waiting = tuple[list[str], str, tuple[int, int]]  # selectors, block and weight of a rule that is not read yet
    Later = tuple[str, str, tuple[int, int]]  # the same of one selector

_MAX_TEXT = 2_000_000  # characters of style elements that are read
_MAX_AROUND = 60  # ancestors whose style attributes are asked for a variable
_MAX_KNOWN = 1000  # combinations of type, classes and id whose rules are remembered
_MAX_TOGETHER = 30  # rules whose meaning together is remembered
_MAX_FILLS = 5  # variables in variables
_OPEN_WORDS = ("display", "height", "width", "visibility")  # what style attributes often set variables for
# Elements whose text is not written: rules for them need not be matched.
_WORDLESS = frozenset((
    "input", "select", "textarea", "img", "svg", "path", "br", "hr", "video", "audio", "iframe", "canvas", "use", "g",
))  # fmt: skip

# What a block must contain at least to hide something. Looking for words one by one is ten times as fast as one
# expression with all of them.
_WORDS = (
    "hidden", "opacity", "clip", "mask", "calc(-", "collapse", "trans", "scale", "rotate", "vw", "rgba", "hsla", "zoom",
    "\\", "filter", "forwards",
)  # fmt: skip
_hiding_font = patterns.compile(r"font(?:-size)?\s*:\s*(?:[a-z]+\s+)*[0-2.cm]").search
# Each begins with one character or one set of them, which the matching engine looks for at once.
_large_number = patterns.compile(r"[0-9][0-9]{2}(?:[0-9]|(?<=[2-9][0-9]{2})%)").search
_negative = patterns.compile(r"-[0-9](?:[0-9]{2}|[0-9]*(?:em|rem|%))").search
_no_height = patterns.compile(r"(?:height|block-size)\s*:\s*(?:[01](?![0-9.])|m(?:in|ax)\()").search
_hiding_colour = patterns.compile(
    r"(?<![\w-])color\s*:\s*(?:rgb|hsl|hwb|color|ok|l(?:ab|ch|ight)|#(?:...|......)?0)"
).search
_hiding_value = patterns.compile(
    r"-[0-9]{3}|-[0-9]+(?:em|rem|%)|[0-9]{4}|0(?![.0-9])|0?\.0|none|hidden|trans|coll|scale|rot|inset|circle|rect|calc\(-"
).match
_text_colour = patterns.compile(r"(?<![\w-])color\s*:").search
_showing = patterns.compile(r"(?:display|visibility|opacity)\s*:[^;]*important").search
_background = patterns.compile(r"background(?:-color)?\s*:\s*([^;{}]{1,80})").findall
_variable = patterns.compile(r"(--[\w-]+)\s*:([^;{}]*)").findall
_names_in = patterns.compile(r"--[\w-]+").findall
_ANY_GROUND = "url()"  # a background of which nothing is known
_use = patterns.compile(r"var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)").sub
_is_momentary = patterns.compile(r":(?:hover|focus|active|visited|:|before|after|checked|disabled)").search


def _may_hide(block: str) -> bool:
    if "none" in block and "display" in block:
        return True
    for word in _WORDS:
        if word in block:
            return True
    if "font" in block and _hiding_font(block):
        return True
    if _large_number(block) or _negative(block) or ("color" in block and _hiding_colour(block)):
        return True
    if ("height" in block or "block-size" in block) and _no_height(block):
        return True
    return "background" in block and _text_colour(block) is not None


class Sheet:
    """The rules of all style elements.

    Only rules that hide something are looked for at first; the others count where one of those matches, and where a
    background is in question. `is_whole` says that the page links no other sheets: text may then have the colour of
    what is behind it in one rule, and its background in another. `names` are the types, ".class" and "#id" of the page:
    most rules of a site's sheets are about its other pages. `inline` are the variables of its style attributes.
    """

    def __init__(self, names: AbstractSet[str], inline: AbstractSet[str], *, is_whole: bool) -> None:
        self._names = names
        self._inline = inline
        self.hiding: dict[str, list[StyleRule]] = {}
        self.others: dict[str, list[StyleRule]] = {}
        self._hiding_for: dict[Names, list[StyleRule]] = {}
        self._others_for: dict[Names, list[StyleRule]] = {}
        self._blocks: dict[str, tuple[Values, set[str]]] = {}
        self._judged: dict[str, str] = {}
        self._meanings: dict[tuple[object, ...], Style] = {}
        self._latest: tuple[Element | None, str, Style] = (None, "", {})
        self._attribute_keys: set[str] = set()  # attributes that rules are found under
        self._unread: list[Waiting] = []  # rules that hide nothing,
        self._later: dict[str, list[Later]] = {}  # and those by what they are found under
        self.arranging: list[Waiting] = []  # rules that say how boxes stand
        self._shows = False  # whether a rule makes visible what is in something that is not
        self.judges_all = False  # whether a hiding rule is found under no type, class, id or attribute
        self.types: set[str] = set()  # that hiding rules are found under,
        self.attributes: set[str] = set()  # and attributes
        self._has_unread_backgrounds = self._has_looked = False
        self.animations: dict[str, bool] = {}  # name: whether it ends with the element visible
        self.places = Places()
        self._is_whole = is_whole
        self._grounds: set[str] = {"#ffffff"} if is_whole else set()
        self._blending: dict[str, bool] = {}  # colours: whether they are the same as one of these
        self._variables: dict[str, str] = {}
        self._varying: set[str] = set()  # variables with another value elsewhere: it may be the one that counts
        self._fading: list[tuple[str, str]] = []  # selectors and blocks with an opacity,
        self._faded: set[str] | None = None  # and the classes of what they make opaque in some state
        self._layers: dict[str, int] = {}
        self._count = 0

    def read(self, text: str) -> None:
        """Add the rules of a style sheet's text."""
        if "var(" in text:
            for name, value in _variable(text):
                value = value.strip().lower()
                if self._variables.setdefault(name, value) != value:
                    self._varying.add(name)
        if self._is_whole:
            self._grounds.update(filter(None, (colour_of(value.lower()) for value in _background(text))))
            self._blending.clear()
        self._judged.clear()
        for selectors, block, layer, animation in read_rules(text, self._layers):
            if animation:
                self._add_keyframe(animation, selectors, block)
                continue
            if "opacity" in block:
                self._fading.append((selectors, block))
            self._count += 1
            self._add(selectors, block, (layer, self._count))

    def _add(self, selectors: str, block: str, weight: tuple[int, int]) -> None:
        """Add a rule. Those that hide nothing are not read before they are asked for."""
        if len(selectors) > MAX_SELECTORS:
            return
        parts, names = split_list(selectors), self._names
        about = [part for part in parts if is_about(part, names)]
        waiting = parts if self._is_whole and "background" in block else about, block, weight
        if not about:
            self._shows = self._shows or "visible" in block
            if waiting[0]:
                self._unread.append(waiting)
            return
        if arranges(block):
            self.arranging.append((about, block, weight))
        judged = self._judged.get(block)
        if judged is None:
            judged = self._judged[block] = self._judge(block)
        if judged == "":
            self._unread.append(waiting)
            return
        hides = judged == "hides"
        values, important = self._declared_in(block)
        for selector in selectors_of(selectors, self.places):
            if selector.compounds[-1].key() in _WORDLESS:
                continue
            self._shows = self._shows or values.get("visibility") == "visible"
            self._put(self.hiding if hides else self.others, StyleRule(selector, values, important, weight))

    def _judge(self, block: str) -> str:
        """ "hides", "shows" what other rules hide, or "": asked once for each block of a sheet; half are repeated."""
        lower = block.lower()
        may_blend = (self._is_whole and "color" in lower) or ("var(" in lower and self._hides_by_variable(lower))
        is_important = "!" in block and _showing(lower) is not None
        if not (may_blend or is_important or _may_hide(lower)):
            return ""
        values = self._declared_in(block)[0]
        filled = self._filled(values, None) if "var(" in block else values
        meaning = meaning_of(filled)
        # A style attribute may set the variable that decides.
        is_open = any(name in values and name not in filled for name in ("display", "visibility", "opacity"))
        if "hides" in meaning or is_open or meaning.get("lasts") == "forwards" or self._blends(meaning):
            return "hides"
        return "shows" if is_important else ""

    def _put(self, index: dict[str, list[StyleRule]], rule: StyleRule) -> None:
        if not rule.selector.check_names(self._names):
            return
        for key in rule.selector.compounds[-1].found_under():
            if index is self.hiding:
                self._note_key(key)
            put(index, key, rule)
            if key[0] == "[":
                self._attribute_keys.add(key[1:])

    def _declared_in(self, block: str) -> tuple[Values, set[str]]:
        """What a block declares; lists of selectors ask for it once for each."""
        found = self._blocks.get(block)
        if found is None:
            found = self._blocks[block] = declared(block)
        return found

    def _hides_by_variable(self, block: str) -> bool:
        """Whether a block uses a variable that may hide something, or has one that it is displayed as."""
        if any(word in block for word in _OPEN_WORDS):
            return True
        has_font = "font" in block
        for name in _names_in(block):
            value = self._variables.get(name)
            if value and (_hiding_value(value) or (has_font and value[0] in "012.cm")):
                return True
        return False

    def _note_key(self, key: str) -> None:
        if key == "*":
            self.judges_all = True
        elif key[0] == "[":
            self.attributes.add(key[1:])
        elif key[0] not in ".#":
            self.types.add(key)

    def _blends(self, meaning: Style) -> bool:
        """Whether text may have the colour of what is behind it."""
        colour = meaning.get("colour", "")
        if not colour:
            return False
        if meaning.get("background"):
            return True
        known = self._blending.get(colour)
        if known is None:
            known = self._blending[colour] = any(is_same_colour(colour, ground) for ground in self._grounds)
        return known

    def _add_keyframe(self, animation: str, at: str, block: str) -> None:
        """One keyframe of an animation: its last one tells whether the element is visible in the end."""
        if "to" in at.split(",") or "100%" in at:
            values = declared(block)[0]
            self.animations[animation] = "hides" not in meaning_of(values)

    def _sort_others(self) -> None:
        """Put the rules that hide nothing where they are found: by the last part of each selector."""
        unread, self._unread = self._unread, []
        for selectors, block, weight in unread:
            self._shows = self._shows or "visible" in block
            for selector in selectors:
                self._later.setdefault(key_in(selector), []).append((selector, block, weight))

    def _read_later(self, key: str) -> None:
        for text, block, weight in self._later.pop(key, ()):
            values, important = self._declared_in(block)
            found = selectors_of(text, self.places) if values else []
            if found:
                self._put(self.others, StyleRule(found[0], values, important, weight))
            elif values and "background" in block and not _is_momentary(text):
                self._has_unread_backgrounds = True

    def has_unread_backgrounds(self) -> bool:
        """Whether a rule whose selector is not understood gives something a background."""
        self._sort_others()
        if not self._has_unread_backgrounds and self._later and not self._has_looked:
            self._has_looked = True
            self._has_unread_backgrounds = any(
                "background" in block and not _is_momentary(text) and not selectors_of(text, self.places)
                for waiting in self._later.values()
                for text, block, _ in waiting
            )
        return self._has_unread_backgrounds

    def shows_again(self) -> bool:
        """Whether a rule makes visible what is in something that is not."""
        self._sort_others()
        return self._shows

    def __bool__(self) -> bool:
        return bool(self.hiding or self.others or self._unread or self._later)

    def hides(self, element: Element) -> bool:
        """Whether a rule that hides something matches the element."""
        if self.hiding:
            for rule in self._candidates(element, self.hiding, self._hiding_for):
                if rule.selector.matches(element):
                    return True
        return False

    def fades_in(self, names: str) -> bool:
        """Whether something with one of the class names is opaque in another state: with another class, which a script
        sets, on it or around it."""
        if self._faded is None:
            self._faded = {name for selectors, block in self._fading for name in _faded_by(selectors, block)}
        return not self._faded.isdisjoint(names.split())

    def names_class(self, names: str) -> bool:
        """Whether a hiding rule is indexed by one of the class names."""
        for name in names.split():  # noqa: SIM110 - half of the time of any()
            if "." + name in self.hiding:
                return True
        return False

    def _candidates(
        self, element: Element, index: dict[str, list[StyleRule]], known: dict[Names, list[StyleRule]]
    ) -> list[StyleRule]:
        """The rules of an index whose last compound may match: those for the element's names are `known` from others
        with the same ones, as nine elements in ten are, those for its attributes are not."""
        attrs = element.attrs
        identifier = attrs["id"] if "id" in attrs and "#" + attrs["id"] in index else ""
        names: Names = element.tag, attrs.get("class", ""), identifier
        rules = known.get(names)
        if rules is None:
            if len(known) > _MAX_KNOWN:
                known.clear()
            rules = known[names] = [
                rule
                for key in keys_of(element)
                for rule in index.get(key, ())
                if rule.selector.may_match and rule.selector.compounds[-1].has_names(element)
            ]
        if attrs and not self._attribute_keys.isdisjoint(attrs):
            rules = rules + [rule for name in list(attrs)[:30] for rule in index.get("[" + name, ())]
        return rules

    def style_of(self, element: Element, own: str = "", *, only_important: bool = False) -> Style:
        """What all rules that match the element and its style attribute `own` mean together.

        `only_important` is enough where only the attribute hides something: nothing else wins over it.
        """
        if not only_important:
            if self._latest[0] is element and self._latest[1] == own:
                return self._latest[2]  # a third of the calls: its background is asked for, too
            self._sort_others()
            if self._later:
                for key in [*keys_of(element), *["[" + name for name in list(element.attrs)[:30]]]:
                    if key in self._later:
                        self._read_later(key)
        known = {} if only_important else self._others_for
        candidates = self._candidates(element, self.hiding, self._hiding_for)
        candidates = candidates + self._candidates(element, self.others, known)
        matching = [rule for rule in candidates if rule.selector.matches(element)]
        style = self._meaning(element, matching, own)
        if not only_important:
            self._latest = element, own, style
        return style

    def _meaning(self, element: Element, matching: list[StyleRule], own: str) -> Style:
        """What rules and an attribute mean together; remembered where no variable makes it the element's alone."""
        if len(matching) > _MAX_TOGETHER:
            return self._together(element, matching, own)[0]
        key = own, *matching
        known = self._meanings.get(key)
        if known is None:
            known, is_general = self._together(element, matching, own)
            if is_general:
                if len(self._meanings) > _MAX_KNOWN:
                    self._meanings.clear()
                self._meanings[key] = known
        return known

    def _together(self, element: Element, matching: list[StyleRule], own: str) -> tuple[Style, bool]:
        if len(matching) == 1 and not own and not _has_variables(matching[0].values):
            return matching[0].meaning(), True
        values, important = declared(own) if own else ({}, set())
        sources = [values, *(rule.values for rule in matching)]
        values = cascaded(matching, values, important)
        if not self._is_whole and "color" in values and not any(_sets_both(values, source) for source in sources):
            del values["color"]  # a linked sheet may say another colour, or another background
        has_variables = _has_variables(values)
        meaning = meaning_of(self._filled(values, element) if has_variables else values)
        return meaning, not (has_variables and self._inline)

    def _filled(self, values: Values, element: Element | None) -> Values:
        """The values with their variables put in; one whose variable is not known is left out."""
        filled = {name: self._fill(value, element) if "var(" in value else value for name, value in values.items()}
        for name in ("color", "background", "background-color"):
            if name in filled and "var(" in values[name] and self._varies(values[name], element):
                filled[name] = "" if name == "color" else _ANY_GROUND
        return {name: value for name, value in filled.items() if value and "var(" not in value}

    def _varies(self, value: str, element: Element | None) -> bool:
        """Whether a value depends on which of a variable's values counts at the element."""
        names = self._varying.intersection(_names_in(value))
        return any(self._inline_variable(name, element) is None for name in names)

    def _inline_variable(self, name: str, element: Element | None) -> str | None:
        """The variable as the nearest style attribute has it."""
        if name not in self._inline:
            return None
        steps = 0
        while element is not None and steps < _MAX_AROUND:
            style = element.attrs.get("style", "")
            if name in style:
                found: dict[str, str] = dict(_variable(style[:MAX_SELECTORS]))
                if name in found:
                    return found[name].strip().lower()
            element, steps = element.parent, steps + 1
        return None

    def _fill(self, value: str, element: Element | None) -> str:
        def put(match: re.Match[str]) -> str:
            name, fallback = match[1], match[2]
            found = self._inline_variable(name, element) or self._variables.get(name)
            return found if found is not None else fallback.strip() if fallback is not None else "\x00"

        for _ in range(_MAX_FILLS):
            if "var(" not in value or len(value) > MAX_SELECTORS:
                break
            value = _use(put, value)
        return "" if "\x00" in value else value


def _faded_by(selectors: str, block: str) -> Iterator[str]:
    """`.a.shown {opacity: 1}`, `.shown .a {opacity: 1}` and `.a:not(.shown) {opacity: 0}` give "a"."""
    is_transparent = meaning_of(declared(block)[0]).get("hides") == "opacity"
    for selector in split_list(selectors):
        last = selector.split()[-1:] or [""]
        names = _classes_in(last[0].partition(":")[0])
        is_state = ":not(." in last[0] if is_transparent else len(_classes_in(selector)) > 1
        if is_state and not _is_momentary(selector):
            yield from names


_classes_in = patterns.compile(r"(?<=\.)[\w-]+").findall


def _sets_both(values: Values, source: Values) -> bool:
    """Whether the text's colour and its background, where it has one of its own, are set in one place."""
    names = [name for name in ("color", "background", "background-color") if name in values]
    return all(source.get(name) == values[name] for name in names)


def _has_variables(values: Values) -> bool:
    return any("var(" in value for value in values.values())


def read_sheets(root: Element) -> tuple[Sheet | None, bool, Named]:
    """The rules of the document's style elements (None when there are none), whether it links style sheets, and its
    elements by what rules may find them under."""
    texts: list[str] = []
    has_links = False
    tags, inline = set(), set()
    ids: dict[str, Element] = {}
    classes: dict[str, list[Element]] = {}
    styled: list[Element] = []
    top = root
    while top.parent is not None:
        top = top.parent
    stack = [iter(top.children)]
    while stack:
        for node in stack[-1]:
            tag = node.tag
            if tag is None:
                continue
            attrs = node.attrs
            if attrs:
                if "class" in attrs:
                    if attrs["class"] in classes:
                        classes[attrs["class"]].append(node)  # type: ignore[arg-type]
                    else:
                        classes[attrs["class"]] = [node]  # type: ignore[list-item]
                if "id" in attrs:
                    ids["#" + attrs["id"]] = node  # type: ignore[assignment]
                if "style" in attrs:
                    if "--" in attrs["style"]:
                        inline.update(_names_in(attrs["style"]))
                    if "display" in attrs["style"]:
                        styled.append(node)  # type: ignore[arg-type]
            tags.add(tag)
            if tag == "style":
                # Lazy loaders hide their pictures from browsers without scripts so.
                if _holds(attrs) and (node.parent is None or node.parent.tag != "noscript"):
                    texts.append("".join([child.text for child in node.children]))
            elif tag == "link":
                has_links = has_links or "stylesheet" in attrs.get("rel", "").lower()
            elif node.children:
                stack.append(iter(node.children))
                break
        else:
            stack.pop()
    named = classes, ids, styled
    if not texts:
        return None, has_links, named
    names = {"." + name for together in classes for name in together.split()}
    sheet = Sheet(names.union(ids, tags), inline, is_whole=not has_links)
    left = _MAX_TEXT
    for text in texts:
        sheet.read(text[:left])
        left = max(0, left - len(text))
    return (sheet if sheet else None), has_links, named


def _holds(attrs: dict[str, str]) -> bool:
    """Whether a style element is CSS, for a screen."""
    if attrs.get("type", "").strip().lower() not in ("", "text/css"):
        return False
    return "media" not in attrs or matches_screen(attrs["media"][:MAX_SELECTORS])
