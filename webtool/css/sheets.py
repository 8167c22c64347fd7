"""The style elements of a page: their rules, matched against elements. Text of rules in, values per element out.

Understood are the rules of rules.py with the selectors of selectors.py. What a linked style sheet says is unknown here.
Specification: CSS Cascade 5 section 6 (importance, layers, specificity, order), CSS Variables 1.
"""

from __future__ import annotations

from _collections import defaultdict  # type: ignore[import-not-found]  # the package costs 2 ms
from collections.abc import Iterable, Iterator
from itertools import chain

from webtool.css import properties
from webtool.css.cascade import KEY_IN, Index, StyleRule, cascaded, keys_of
from webtool.css.colours import colour_of, is_same_colour
from webtool.css.declarations import Style, read_declarations, style_of_values
from webtool.css.media import matches_screen
from webtool.css.pseudo import Places
from webtool.css.rules import MAX_SELECTORS, read_rules
from webtool.css.selectors import Selector, selectors_of, split_list
from webtool.html.node import Element, listed, top_of
from webtool.lean import patterns
from webtool.lean.memory import Remembered

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from webtool.css.boxes import Values

    Waiting = tuple[list[str], str, tuple[int, int]]  # selectors, block and weight of a rule that is not read yet
    Arranging = tuple[list[str], Values, set[str], tuple[int, int]]  # those of one that says how boxes stand
    Later = tuple[str, str, tuple[int, int]]  # the same of one selector

_MAX_TEXT = 2_000_000  # characters of style elements that are read
_MAX_AROUND = 60  # ancestors whose style attributes are asked for a variable
_MAX_KNOWN = 1000  # combinations of rules whose meaning together is remembered
_MAX_TOGETHER = 30  # and how many they may be
_MAX_CLASSES = 50  # of one element that rules are looked for under
_MAX_FILLS = 5  # variables in variables

TARGETS = frozenset(("aria-controls", "data-target", "data-bs-target", "data-toggle-target", "data-controls"))
"""Attributes that name what a control opens."""
# Those, and attributes that may hide an element or colour its text.
_TELLING = TARGETS.union(("style", "hidden", "aria-hidden", "popover", "bgcolor", "background", "color"))
# Elements whose text is not written: rules for them need not be matched.
_WORDLESS = frozenset((
    "input", "select", "textarea", "img", "svg", "path", "br", "hr", "video", "audio", "iframe", "canvas", "use", "g",
))  # fmt: skip

# What the linked sheets of the most used themes say, by a class that they are about. Shopify's Dawn has a price twice,
# for sales and for other days, and the name of a product on its card twice.
_LINKED = {
    ".price__regular": ".price__sale,.price__availability,.price__badge-sale,.price__badge-sold-out,"
    ".price--on-sale .price__regular{display:none}.price--on-sale .price__sale,.price--on-sale .price__badge-sale,"
    ".price--sold-out .price__badge-sold-out,.price--sold-out .price__availability{display:block}",
    ".card__information": ".card--media .card__inner .card__information,.card--standard.card--text>.card__content "
    ".card__heading,.card--card.card--text .card__inner{display:none}",
    ".product__title": ".product__title>a{display:none}",
}

_hiding_value = patterns.compile(
    r"-[0-9]{3}|-[0-9]+(?:em|rem|%)|[0-9]{4}|0(?![.0-9])|0?\.0|none|hidden|trans|coll|scale|rot|inset|circle|rect|calc\(-"
).match
_background = patterns.compile(r"background(?:-color)?\s*:\s*([^;{}]{1,80})").findall
_variable = patterns.compile(r"(?<![\w-])(--[\w-]+)\s*:([^;{}]*)").findall
_property = patterns.compile(r"@property\s+(--[\w-]+)\s*\{[^{}]*initial-value\s*:([^;{}]*)[^{}]*\}").sub
_names_in = patterns.compile(r"--[\w-]+").findall
_ANY_GROUND = "url()"  # a background of which nothing is known
_use = patterns.compile(r"var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)").sub
_is_plain = patterns.compile(r"[\w\s.#>-]*").fullmatch  # no selector of a page that has nothing else is not understood
_is_never = patterns.compile(r":(?:hover|focus|active|visited|:|before|after)").search
_is_momentary = patterns.compile(r":(?:hover|focus|active|visited|:|before|after|checked|disabled)").search
_IDLE = (":before", ":after", ":hover", ":focus", ":active", ":visited", ":focus-visible", ":focus-within")


class Sheet:
    """The rules of all style elements.

    Only rules that hide something are looked for at first; the others count where one of those matches, and where a
    background is in question. `is_whole` says that the page links no other sheets: text may then have the colour of
    what is behind it in one rule, and its background in another. `names` are the types, ".class" and "#id" of the page:
    most rules of a site's sheets are about its other pages. `inline` are the variables of its style attributes.
    """

    def __init__(self, names: set[str], inline: set[str], *, is_whole: bool) -> None:
        self._names = names
        self._inline = inline
        self.places = Places()
        self._hiding = Index(self.places)
        self._showing = Index(self.places)  # rules that win over others because they are important
        self._all = Index(self.places)  # these and those that hide nothing, as far as they are read
        self._is_sorted = False
        self._rules: list[tuple[list[str], str, str, tuple[int, int]]] = []  # what is about the page, before all are
        self._declared = Remembered(read_declarations)  # lists of selectors ask for a block once for each
        self._judged: dict[str, str] = {}
        self._meanings: dict[tuple[object, ...], Style] = {}
        self._unread: list[Waiting] = []  # rules that hide nothing,
        self._later: dict[str, list[Later]] = {}  # and those by what they are found under
        self.arranging: list[Arranging] = []
        self._reappearing: list[Arranging] = []  # what makes visible what is in something that is not
        self._odd: list[tuple[str, str]] = []  # selectors that may not be understood, of blocks with a background
        self._has_unread: bool | None = None
        self.animations: dict[str, bool] = {}  # name: whether it ends with the element visible
        self.always_hidden: dict[str, bool] = {}  # name: whether none of its keyframes shows the element
        self.begun: set[str] = set()  # animations that say how they begin
        self._is_whole = is_whole
        self._grounds: set[str] = {"#ffffff"} if is_whole else set()
        self._blending: dict[str, bool] = {}  # colours: whether they are the same as one of these
        self._variables: dict[str, str] = {}
        self._set_by: dict[Element, dict[str, str]] = {}  # variables that elements set in their style attributes
        self._varying: set[str] = set()  # variables with another value elsewhere: it may be the one that counts
        self._fading: list[tuple[str, str]] = []  # selectors and blocks with an opacity,
        self._faded: set[str] | None = None  # and the classes of what they make opaque in some state
        self._layers: dict[str, int] = {}
        self._count = 0

    def read(self, text: str) -> None:
        """Add the rules of a style sheet's text."""
        if "@property" in text:
            text = _property(r"\g<0> :root{\1:\2}", text)
        rules = read_rules(text, self._layers, self._names, is_whole=self._is_whole)
        for found, selectors, block, layer, animation in rules:
            if animation:
                self._add_keyframe(animation, selectors, block)
                continue
            if "opacity" in block:
                self._fading.append((selectors, block))
            self._count += 1
            if ":" in selectors:
                if self._is_whole and "absolute" in block and _is_cover(block):
                    covered = [match[1] for match in map(_before_or_after, found) if match]
                    self._rules += [([one], one, properties.COVERED, (layer, self._count)) for one in covered]
                found = [one for one in found if not _is_idle(one.rstrip())]
            if found:
                if "[" in selectors:
                    self.places.note_attributes(found)
                self._rules.append((found, selectors, block, (layer, self._count)))
                if "--" in block:
                    self._note_variables(block)
                if self._is_whole and "background" in block and not all(map(_is_never, found)):
                    self._grounds.update(filter(None, (colour_of(value.lower()) for value in _background(block))))
            else:
                self._wait([], selectors, block, (layer, self._count))

    def _wait(self, about_page: list[str], selectors: str, block: str, weight: tuple[int, int]) -> None:
        """Leave a rule unread; of one that gives a background note the selectors that may not be understood."""
        if about_page:
            self._unread.append((about_page, block, weight))
        if self._is_whole and "background" in block and not _is_plain(selectors):
            others = [one for one in split_list(selectors) if not (_is_plain(one) or _is_momentary(one))]
            self._odd += [(one, block) for one in others]

    def _note_variables(self, block: str) -> None:
        for part in block.split(";"):
            if "--" in part:
                name, _, value = part.partition(":")
                name, value = name.strip(), value.strip().lower()
                if name[:2] == "--" and self._variables.setdefault(name, value) != value:
                    self._varying.add(name)

    def judge(self) -> None:
        """Look for what hides something, when all sheets are read. What hides nothing is not read before it is asked
        for."""
        for about_page, selectors, block, weight in self._rules:
            values, important, may = self._declared[block]
            judged = self._judged.get(block)
            if judged is None:
                judged = self._judged[block] = self._judge(block, values, may)
            if may & properties.ARRANGES:
                self.arranging.append((about_page, values, important, weight))
            if values.get("visibility") == "visible" or "var(" in values.get("visibility", ""):
                self._reappearing.append((about_page, values, important, weight))
            if judged == "":
                if values or "background" in block:
                    self._wait(about_page, selectors, block, weight)
                continue
            hides = judged == "hides"
            for selector in selectors_of(selectors, self.places):
                if selector.compounds[-1].key() in _WORDLESS:
                    continue
                rule = StyleRule(selector.text, values, important, weight)
                self._put(self._hiding if hides else self._showing, selector, rule)
        self._rules.clear()

    def _judge(self, block: str, values: Values, may: int) -> str:
        """ "hides", "shows" what other rules hide, or "": asked once for each block of a sheet; half are repeated."""
        if not (
            may & (properties.HIDES | properties.SHOWS)
            or (may & properties.TEXT and (self._is_whole or may & properties.GROUND))
            or (may & properties.CLIPS and may & properties.SMALL)
            or (may & properties.PLACES and may & (properties.FAR | properties.GROUND))
            or (may & properties.VARIES and self._hides_by_variable(block.lower()))
        ):
            return ""
        filled = self._filled(values, None) if may & properties.VARIES else values
        meaning = style_of_values(filled)
        # A style attribute may set the variable that decides.
        is_open = any(name in values and name not in filled for name in properties.CAN_SHOW)
        if "hides" in meaning or "place" in meaning or is_open or "animation-end" in meaning or self._blends(meaning):
            return "hides"
        return "shows" if may & properties.SHOWS else ""

    def _put(self, index: Index, selector: Selector, rule: StyleRule) -> None:
        """Put a rule where it is found, if the page has the names it asks for."""
        if not selector.check_names(self._names):
            return
        rule.selector = selector
        for key in selector.compounds[-1].found_under():
            index.put(key, rule)

    def _hides_by_variable(self, block: str) -> bool:
        """Whether a block uses a variable that may hide something, or has one that it is displayed as."""
        if any(name in block for name in properties.SET_INLINE):
            return True
        has_font = "font" in block
        for name in _names_in(block):
            value = self._variables.get(name)
            if value and (_hiding_value(value) or (has_font and value[0] in "012.cm")):
                return True
        return False

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
        times = at.split(",")
        shows = _keyframe_shows[block]
        if "to" in times or "100%" in times:
            self.animations[animation] = shows
        if self.always_hidden.setdefault(animation, True) and shows:
            self.always_hidden[animation] = False
        if "from" in times or "0%" in times:
            self.begun.add(animation)

    def _sort_others(self) -> None:
        """Put all rules where they are found: by the last part of each selector."""
        if self._is_sorted:
            return
        self._is_sorted = True
        for index in (self._hiding, self._showing):
            for key, rules in index.rules.items():
                for rule in rules:
                    self._all.put(key, rule)
        unread, self._unread = self._unread, []
        for selectors, block, weight in unread:
            for selector in selectors:
                self._later.setdefault(KEY_IN[selector], []).append((selector, block, weight))
        self._read_later("")

    def _read_later(self, key: str) -> None:
        """Put in the rules that are found under a key, or, with "", those of which only reading tells under which."""
        for text, block, weight in self._later.pop(key, ()):
            values, important, _ = self._declared[block]
            if not values:
                continue
            rule = StyleRule(text, values, important, weight)
            if key:
                self._all.put(key, rule)
                continue
            for selector in selectors_of(text, self.places):
                self._put(self._all, selector, rule)

    def has_unread_backgrounds(self) -> bool:
        """Whether a rule whose selector is not understood gives something a background."""
        if self._has_unread is None:
            given = (text for text, block in self._odd if self._declared[block][0])
            self._has_unread = not all(selectors_of(text, self.places) for text in given)
        return self._has_unread

    def __bool__(self) -> bool:
        return bool(self._hiding or self._showing or self._unread or self._later or self._odd or self._inline)

    def hit(self, named: Named) -> set[Element]:
        """The elements that rules match which hide something."""
        return self._hiding.matched(named)

    def shown_again(self, named: Named) -> set[Element]:
        """The elements that rules match which make visible what is in something that is not."""
        index = Index(self.places)
        for about_page, values, important, weight in self._reappearing:
            for selector in selectors_of(",".join(about_page), self.places):
                self._put(index, selector, StyleRule(selector.text, values, important, weight))
        return index.matched(named)

    def fades_in(self, names: str) -> bool:
        """Whether something with one of the class names is opaque in another state: with another class, which a script
        sets, on it or around it."""
        if self._faded is None:
            self._faded = {name for rule in self._fading for name in _faded_by(*rule, self._names)}
        return not self._faded.isdisjoint(names.split())

    def style_of(self, element: Element, own: str = "", *, only_important: bool = False) -> Style:
        """What all rules that match the element and its style attribute `own` mean together.

        `only_important` is enough where only the attribute hides something: nothing else wins over it.
        """
        names = self.places.names_of(element)
        if only_important:
            found = self._hiding.matching(element, names) + self._showing.matching(element, names)
            return self._meaning(element, found, own)
        self._sort_others()
        if self._later and not self._all.has_found(names):
            for key in keys_of(element):
                self._read_later(key)
        return self._meaning(element, self._all.matching(element, names), own)

    def _meaning(self, element: Element, matching: list[StyleRule], own: str) -> Style:
        """What rules and an attribute mean together; remembered where no variable makes it the element's alone."""
        key = own, *matching
        known = self._meanings.get(key) if len(key) <= _MAX_TOGETHER else None
        if known is None:
            known, is_general = self._together(element, matching, own)
            if is_general and len(key) <= _MAX_TOGETHER:
                if len(self._meanings) > _MAX_KNOWN:
                    self._meanings.clear()
                self._meanings[key] = known
        return known

    def _together(self, element: Element, matching: list[StyleRule], own: str) -> tuple[Style, bool]:
        if len(matching) == 1 and not own:
            values = matching[0].values  # as half of all elements have
        else:
            values, important, _ = read_declarations(own) if own else ({}, set(), 0)
            if "var(" in own and not self._is_whole:  # a linked sheet may set a variable that nothing here does
                values = {name: value for name, value in values.items() if self._knows(value)}
            sources = [values, *(rule.values for rule in matching)]
            values = cascaded(matching, values, important)
            if not self._is_whole and "color" in values and not any(_sets_both(values, source) for source in sources):
                del values["color"]  # a linked sheet may say another colour, or another background
        has_variables = any("var(" in value for value in values.values())
        meaning = style_of_values(self._filled(values, element) if has_variables else values)
        return meaning, not (has_variables and self._inline)

    def _filled(self, values: Values, element: Element | None) -> Values:
        """The values with their variables put in; one whose variable is not known is left out."""
        filled = {name: self._fill(value, element) if "var(" in value else value for name, value in values.items()}
        for name in ("color", "background", "background-color"):
            if name in filled and "var(" in values[name] and self._varies(values[name], element):
                filled[name] = "" if name == "color" else _ANY_GROUND
        return {name: value for name, value in filled.items() if value and "var(" not in value}

    def _knows(self, value: str) -> bool:
        return all(name in self._inline or name in self._variables for name in _names_in(value))

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
                if element not in self._set_by:
                    self._set_by[element] = dict(_variable(style[:MAX_SELECTORS]))
                if name in self._set_by[element]:
                    return self._set_by[element][name].strip().lower()
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


# Sheets have thousands of keyframes, and few that differ.
_keyframe_shows = Remembered(lambda block: "hides" not in style_of_values(read_declarations(block)[0]))


_before_or_after = patterns.compile(r"(.*[^\s>+~:]):{1,2}(?:before|after)\s*").fullmatch


def _is_cover(block: str) -> bool:
    """Whether what a rule adds before or after an element's content lies over all of it and stays there."""
    values = read_declarations(block)[0]
    is_there = values.get("content", "none") not in ("none", "normal") and "transition" not in block
    return is_there and style_of_values(values).get("place") == "over"


def _is_idle(selector: str) -> bool:
    """Whether it matches no element of a page that nobody has touched: its end is a state or no element, not a name
    with a colon."""
    if "::" in selector and "\\" not in selector and "(" not in selector:
        return True
    return selector.endswith(_IDLE) and selector[selector.rfind(":") - 1] != "\\"


def _faded_by(selectors: str, block: str, names: set[str]) -> Iterator[str]:
    """`.a.shown {opacity: 1}`, `.shown .a {opacity: 1}` and `.a:not(.shown) {opacity: 0}` give "a", if it is among the
    ".class" `names`."""
    is_transparent: bool | None = None
    for selector in split_list(selectors):
        last = selector.split()[-1:] or [""]
        found = [name for name in _classes_in(last[0].partition(":")[0]) if "." + name in names]
        if not found or _is_momentary(selector):
            continue
        if is_transparent is None:
            is_transparent = style_of_values(read_declarations(block)[0]).get("hides") == "opacity"
        if ":not(." in last[0] if is_transparent else len(_classes_in(selector)) > 1:
            yield from found


_classes_in = patterns.compile(r"(?<=\.)[\w-]+").findall


def _sets_both(values: Values, source: Values) -> bool:
    """Whether the text's colour and its background, where it has one of its own, are set in one place."""
    names = [name for name in ("color", "background", "background-color") if name in values]
    return all(source.get(name) == values[name] for name in names)


class Named:
    """The elements of a page by what rules may find them under, and those whose attributes may say of themselves that
    they are hidden, or how they are displayed, or what they open."""

    def __init__(self, page: list[Element]) -> None:
        self.page = page
        self.ids: dict[str, list[Element]] = {}
        """By "#id"."""
        self.classes: defaultdict[str, list[Element]] = defaultdict(list)
        """By class attribute."""
        self.types: defaultdict[str, list[Element]] = defaultdict(list)
        """By type."""
        self.telling: list[Element] = []
        classes, types = self.classes, self.types
        for node in page:
            types[node.tag].append(node)
            attrs = node.attrs
            if attrs:
                if "class" in attrs:
                    classes[attrs["class"]].append(node)
                    if len(attrs) == 1:
                        continue
                if "id" in attrs:
                    self.ids.setdefault("#" + attrs["id"], []).append(node)
                if not _TELLING.isdisjoint(attrs):
                    self.telling.append(node)
        classes.default_factory = types.default_factory = None
        styled = [(node, node.attrs["style"]) for node in self.telling if "style" in node.attrs]
        self.displayed = [node for node, style in styled if "display" in style]
        self.variables = {name for _, style in styled if "--" in style for name, _ in _variable(style)}
        """That style attributes set."""
        self.words = {names: names.split() for names in classes}
        """The class names of class attributes."""
        self.names = set(chain.from_iterable(self.words.values()))
        """All class names."""

    def under(self, keys: Iterable[str]) -> dict[str, list[Element]]:
        """The elements by the keys that rules are found under: "#id", ".class", "[attribute", types and "*"."""
        under: dict[str, list[Element]] = {key: self.ids.get(key, []) for key in keys}
        if not under:
            return under
        for names, alike in self.classes.items():
            for name in self.words[names][:_MAX_CLASSES]:
                if "." + name in under:
                    under["." + name].extend(alike)
        for key in self.types.keys() & under.keys():
            under[key] = self.types[key]
        attributes = {key[1:] for key in under if key[0] == "["}
        for node in self.page if attributes - _TELLING else self.telling if attributes else ():
            if not attributes.isdisjoint(node.attrs):
                for name in attributes.intersection(node.attrs):
                    under["[" + name].append(node)
        if "*" in under:
            under["*"] = self.page
        return under

    def inside(self, selector: Selector) -> Iterable[Element]:
        """The elements that may match a selector whose last compound asks for no name: those in what the compound
        before it is found under."""
        joined = selector.compounds[-1].joined
        keys = selector.compounds[-2].found_under() if len(selector.compounds) > 1 and joined in " >" else ["*"]
        if "*" in keys:
            return self.page
        inside: set[Element] = set()
        stack = list(chain.from_iterable(self.under(keys).values()))
        while stack:
            for node in stack.pop().children:
                if type(node) is Element and node not in inside:
                    inside.add(node)
                    if joined == " ":
                        stack.append(node)
        return inside


def read_sheets(root: Element) -> tuple[Sheet | None, bool, Named]:
    """The rules of the document's style elements (None when there are none), whether it links style sheets, and its
    elements by what rules may find them under."""
    named = Named(listed(top_of(root)))
    has_links = any("stylesheet" in node.attrs.get("rel", "").lower() for node in named.types.get("link", ()))
    texts = _texts_of(named.types.get("style", ()))
    names = {"." + name for name in named.names}
    if has_links:
        texts[:0] = [rules for name, rules in _LINKED.items() if name in names]
    if not texts and not named.variables:
        return None, has_links, named
    sheet = Sheet(names.union(named.ids, named.types), named.variables, is_whole=not has_links)
    left = _MAX_TEXT
    for text in texts:
        sheet.read(text[:left])
        left = max(0, left - len(text))
    sheet.judge()
    return (sheet if sheet else None), has_links, named


def _texts_of(styles: Iterable[Element]) -> list[str]:
    """The text of the style elements; lazy loaders hide their pictures from browsers without scripts by others."""
    styles = [node for node in styles if _holds(node.attrs)]
    styles = [node for node in styles if node.parent is None or node.parent.tag != "noscript"]
    return ["".join([child.text for child in node.children]) for node in styles]


def _holds(attrs: dict[str, str]) -> bool:
    """Whether a style element is CSS, for a screen."""
    if attrs.get("type", "").strip().lower() not in ("", "text/css"):
        return False
    return "media" not in attrs or matches_screen(attrs["media"][:MAX_SELECTORS])
