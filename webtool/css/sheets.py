"""The rules of a page's style elements. In: CSS text. Out: which elements they hide, and the Style of an element.

A Sheet works in stages, in this order, because most rules of a site hide nothing on this page:
1. read() cuts the text into rules and keeps those about the page: the page has the types, classes and ids that one of
   their selectors names (rules.py). `matching` are these selectors, `selectors` the text of all.
2. judge() sorts the rules by what their block does on this page: it "hides", it "shows" what others hide, or neither.
   Rules of the first two kinds are indexed (cascade.py). The others are deferred: their text is kept.
3. hit() gives the elements that the hiding rules match.
4. style_of() computes the Style of one such element. Deferred rules are parsed only here, since they hide nothing.

If a page links no style sheets, its rules are complete (`is_complete`): then a colour of the text can be compared with
the background, since both are known. A selector is unsupported if selector_parser.py cannot read it; the elements it
matches are then unknown. An invalid selector drops its whole rule, as in a browser.

Effects of a block are bit flags of properties.py: VARIES uses var(), SHOWS is !important and may show, ARRANGES lays
boxes out; can_hide() judges the others. The names of an element are its type, class attribute and id.
Specification: CSS Cascade 5 section 6.
"""

from __future__ import annotations

from webtool.css.appearing import STATE_OR_PSEUDO_ELEMENT, Animations, FadingClasses
from webtool.css.cascade import Cascade, Cascades, Layer, RuleIndex, StyleRule, Weight
from webtool.css.colours import Colours
from webtool.css.declarations import Style, custom_names_in, read_attribute, read_declarations, style_of_values
from webtool.css.deferred import DeferredRules, SelectorLists, is_surely_supported
from webtool.css.elements import PageElements, Positions
from webtool.css.properties import ARRANGES, CAN_SHOW, COVERED, SHOWS, VARIES, can_hide
from webtool.css.rules import read_rules
from webtool.css.selector_parser import is_supported
from webtool.css.values import Values
from webtool.css.variables import Scope, Variables, registered_as_rules
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.memory import Remembered
from webtool.lean.typing import Any

# A rule whose block is text. `matching` and `selectors` are those of stage 1.
PendingRule = tuple[list[str], str, str, Weight]  # matching, selectors, block, weight
# A rule whose block is read: without selectors, and with them.
StyleValues = tuple[Values, set[str], Weight]  # values, names of the !important ones, weight
ReadRule = tuple[list[str], Values, set[str], Weight]  # matching, values, names of the !important ones, weight

_MAX_CACHED = 1000  # combinations of rules whose Style is remembered
_HIDING_KEYS = frozenset(("hides", "place", "animation-end"))  # of a Style that may hide the element
# Elements that have no text of their own: rules for them are dropped.
_WORDLESS = frozenset((
    "input", "select", "textarea", "img", "svg", "path", "br", "hr", "video", "audio", "iframe", "canvas", "use", "g",
))  # fmt: skip
# A selector with one of these ends matches nothing while nobody uses the page.
_IDLE_ENDS = (":before", ":after", ":hover", ":focus", ":active", ":visited", ":focus-visible", ":focus-within")

_state_or_pseudo_element_in = patterns.compile(STATE_OR_PSEUDO_ELEMENT).search
_before_or_after = patterns.compile(r"(.*[^\s>+~:]):{1,2}(?:before|after)\s*").fullmatch


class Sheet:
    """The rules of all style elements of one page.

    `page_names` are the page's types, ".class" and "#id"; `inline_variables` the variables that its style attributes
    set; `backgrounds` the colours of the backgrounds that its attributes set; `is_complete` says that it links no other
    style sheets.
    """

    def __init__(
        self, page_names: set[str], inline_variables: set[str], backgrounds: set[str], *, is_complete: bool
    ) -> None:
        self._page_names = page_names
        self._is_complete = is_complete
        self.animations = Animations()
        self.positions = Positions()
        self._lists = SelectorLists(self.positions)
        self.variables = Variables(inline_variables, DeferredRules(self.positions, page_names, self._lists))
        self.arranging: list[ReadRule] = []  # rules that say how boxes are laid out
        self._layers: dict[str, Layer] = {}  # by full name
        self._count = 0  # rules read
        self._pending: list[PendingRule] = []  # rules about the page, until judge()
        self._hiding = RuleIndex(self.positions)  # rules that may hide
        self._showing = RuleIndex(self.positions)  # rules that may win over hiding ones because they are !important
        self._deferred: list[PendingRule] = []  # until the first style_of()
        self._all: DeferredRules | None = None  # after it: hiding, showing and deferred rules
        self._reappearing: list[tuple[str, StyleValues]] = []  # selectors of rules that set visibility: visible
        # Selectors of rules about the page that may be unsupported, each with its block, which sets a background.
        self._unclear: list[tuple[str, str]] = []
        self._has_unread_backgrounds: bool | None = None  # None until it is asked for
        # The page's background, and those of attributes and rules; text is compared with them on a complete page only.
        self._backgrounds: set[str] = {"#ffffff", *backgrounds} if is_complete else set()
        self._near_backgrounds: Colours | None = None  # _backgrounds, once all are known
        self.fading = FadingClasses(page_names)
        self._values_of = Remembered(read_declarations)  # block -> its declarations
        self._verdicts: dict[str, str] = {}  # block -> verdict of judge(); half of the blocks are repeated
        self._cascades = Cascades()
        # Matching rules and style attribute -> their values, and their Style if it is that of every such element.
        self._combined: dict[tuple[Cascade, str], tuple[Values, Style | None]] = {}
        self._styles: dict[tuple[Scope, Cascade, str], Style] = {}  # Styles of the others by Scope

    def is_of_use(self) -> bool:
        """Return whether it tells anything about the page's elements. Ask after judge()."""
        return bool(self._hiding or self._showing or self._deferred or self._unclear or self.variables.are_set())

    # --- Stage 1: cut text into rules ---

    def read(self, text: str) -> None:
        """Add the rules of a style sheet's text."""
        text = registered_as_rules(text)
        rules = read_rules(text, self._layers, self._page_names, self.positions)
        for matching, selectors, block, layer, animation in rules:
            if animation:
                self.animations.add(animation, selectors, block)
                continue
            if "opacity" in block:
                self.fading.add(selectors, block)
            self._count += 1
            weight = (layer, self._count)
            if ":" in selectors:
                if self._is_complete and "absolute" in block.lower() and _is_cover(block) and self._is_valid(selectors):
                    for match in filter(None, map(_before_or_after, matching)):
                        # For `.a::after {...}`, add the rule `.a {x-covered: yes}`. This property hides its element.
                        self._pending.append(([match[1]], match[1], COVERED, weight))
                matching = [selector for selector in matching if not _is_idle(selector.rstrip())]
            if matching:
                self._add(matching, selectors, block, weight)

    def _add(self, matching: list[str], selectors: str, block: str, weight: Weight) -> None:
        """Keep a rule about the page for judge(), and note what judging it needs."""
        if "[" in selectors:
            self.positions.note_attributes(matching)
        self._pending.append((matching, selectors, block, weight))
        if "--" in block or "\\" in block:
            self.variables.note(matching, selectors, block, weight)

    # --- Stage 2: find the rules that hide ---

    def judge(self) -> None:
        """Index the rules that hide or show something, and defer the others. Call it once, after the last read()."""
        read = [self._values_of[block] for _, _, block, _ in self._pending]
        if self._is_complete:
            for (matching, _, block, _), (values, _, _) in zip(self._pending, read):
                self._note_background(matching, block, values)
        for (matching, selectors, block, weight), (values, important, effects) in zip(self._pending, read):
            verdict = self._verdicts.get(block)
            if verdict is None:
                verdict = self._verdicts[block] = self._verdict(block, values, effects)
            if effects & VARIES:
                self.variables.note_uses(custom_names_in(" ".join(values.values())))
            if effects & ARRANGES:
                self.arranging.append((matching, values, important, weight))
            visibility = values.get("visibility", values.get("all", ""))
            if visibility in ("visible", "initial", "revert-layer") or "var(" in visibility:
                self._reappearing.append((selectors, (values, important, weight)))
            if not verdict:
                if values or "background" in block:
                    self._deferred.append((matching, selectors, block, weight))
                continue
            index = self._hiding if verdict == "hides" else self._showing
            # All selectors are read, not just `matching`: an invalid one makes a browser drop the whole rule.
            for selector in self._lists.of(selectors).values():
                if selector.compounds[-1].key() not in _WORDLESS:
                    rule = StyleRule(selector.text, values, important, weight, hides=verdict == "hides")
                    index.add(selector, rule, self._page_names)
        self._pending.clear()

    def _note_background(self, matching: list[str], block: str, values: Values) -> None:
        """Note the background that a rule about the page sets: its colour, and selectors that may be unsupported."""
        if "background" in values or "background-color" in values:
            # Another rule may take a picture away, so the colour below the picture counts.
            without_picture = {name: value for name, value in values.items() if name != "background-image"}
            style = style_of_values(self.variables.fill(without_picture))
            self._backgrounds.add(style.get("background", ""))
        if "background" in block:
            self._unclear += [(selector, block) for selector in matching if not is_surely_supported(selector.strip())]

    def _verdict(self, block: str, values: Values, effects: int) -> str:
        """Return "hides" if a block may hide something, "shows" if it may show what others hide, "" otherwise."""
        hides_by_variable = effects & VARIES and self.variables.may_hide(block)
        if not (hides_by_variable or can_hide(effects, is_complete=self._is_complete)):
            return ""
        for filled in self.variables.variants(values) if effects & VARIES else [values]:
            style = style_of_values(filled)
            # A value is not in `filled` if its variable is unknown or set by style attributes. `display: var(--a)` is
            # "none" on each element whose attribute sets --a to that.
            depends_on_element = any(name in values and name not in filled for name in CAN_SHOW)
            if depends_on_element or not _HIDING_KEYS.isdisjoint(style) or self._blends(style):
                return "hides"
        return "shows" if effects & SHOWS else ""

    def _blends(self, style: Style) -> bool:
        """Return whether the text's colour may be that of a background on this page."""
        colour = style.get("colour", "")
        if not colour:
            return False
        if style.get("background"):
            return True  # the block has both colours: visibility compares them later, element by element
        if self._near_backgrounds is None:
            self._near_backgrounds = Colours(self._backgrounds)
        return self._near_backgrounds.have(colour)

    # --- Stage 3: which elements ---

    def hit(self, page: PageElements) -> set[Element]:
        """Return the elements that a hiding rule matches."""
        return self._hiding.matched(page)

    def shown_again(self, page: PageElements) -> set[Element]:
        """Return the elements that a rule makes visible inside an element with visibility: hidden."""
        index = RuleIndex(self.positions)
        for selectors, values in self._reappearing:
            for selector in self._lists.of(selectors).values():
                index.add(selector, StyleRule(selector.text, *values), self._page_names)
        return index.matched(page)

    def has_unread_backgrounds(self) -> bool:
        """Return whether a rule with an unsupported selector sets a background somewhere."""
        if self._has_unread_backgrounds is None:
            selectors = [selector for selector, block in self._unclear if self._values_of[block][0]]
            self._has_unread_backgrounds = not all(is_supported(text, self.positions) for text in selectors)
        return self._has_unread_backgrounds

    # --- Stage 4: the style of one element ---

    def style_of(self, element: Element, inline: str = "", *, only_important: bool = False) -> Style:
        """Return the Style of an element from all matching rules and its style attribute `inline`.

        `only_important` leaves the deferred rules out. Use it if only the attribute hides the element: just an
        !important rule can win over that.
        """
        if only_important:
            names = self.positions.names_of(element)
            matching = self._hiding.matching(element, names) + self._showing.matching(element, names)
            return self._style(element, matching, inline)
        rules = self._all_rules() if self._all is None else self._all
        return self._style(element, rules.matching(element), inline)

    def _is_valid(self, selectors: str) -> bool:
        """Return whether a browser keeps a rule: an invalid selector of its list drops it."""
        return bool(is_surely_supported(selectors)) or is_supported(selectors, self.positions)

    def _all_rules(self) -> DeferredRules:
        """Return all rules, those that judge() indexed and those that it deferred."""
        rules = self._all = DeferredRules(self.positions, self._page_names, self._lists)
        for index in (self._hiding, self._showing):
            rules.take(index)
        for matching, selectors, block, weight in self._deferred:
            values, important, _ = self._values_of[block]
            if values:
                rules.add(matching, selectors, values, important, weight)
        self._deferred = []
        return rules

    def _style(self, element: Element, matching: list[StyleRule], inline: str) -> Style:
        """Return the Style of some rules and a style attribute, from memory if the element has no others.

        With variables it may differ: style attributes and rules set some for a part of the page.
        """
        cascade = self._cascades[tuple(matching)]
        combined = self._combined.get((cascade, inline))
        if combined is None:
            combined = self._computed(cascade, matching, inline)
            _remember(self._combined, (cascade, inline), combined)
        values, style = combined
        if style is not None:
            return style
        scope = self.variables.scope_of(element)
        style = self._styles.get((scope, cascade, inline))
        if style is None:
            style = style_of_values(self.variables.fill(values, scope))
            _remember(self._styles, (scope, cascade, inline), style)
        return style

    def _computed(self, cascade: Cascade, matching: list[StyleRule], inline: str) -> tuple[Values, Style | None]:
        """Return the values that win, and the Style if it holds for every element with these rules and attribute."""
        values = self._cascaded(cascade, matching, inline)
        if not any("var(" in value for value in values.values()):
            return values, style_of_values(values)
        if self.variables.depend_on_element(values):
            return values, None
        return values, style_of_values(self.variables.fill(values))

    def _cascaded(self, cascade: Cascade, matching: list[StyleRule], inline: str) -> Values:
        """Return the values that win.

        If the page links sheets, they may set variables and colours too. So the attribute's values with variables that
        the page does not set are left out: `color: var(--a, red)` need not be red. If a background wins as well as a
        text colour, the colour stays only if one rule or attribute sets both: a linked rule may come between two.
        """
        own, important, _ = read_attribute(inline) if inline else ({}, set(), 0)
        if not self._is_complete:
            own = {name: value for name, value in own.items() if "var(" not in value or self.variables.are_known(value)}
        values = cascade.with_attribute(own, important) if own else cascade.values
        if not self._is_complete and "color" in values:
            sources = [own, *(rule.values for rule in matching)]
            if not any(_sets_winning_colours(values, source) for source in sources):
                values = {name: value for name, value in values.items() if name != "color"}
        return values


def _remember(memory: dict[Any, Any], key: object, value: object) -> None:
    """Keep a value in a memory of bounded size."""
    if len(memory) > _MAX_CACHED:
        memory.clear()
    memory[key] = value


def _sets_winning_colours(values: Values, source: Values) -> bool:
    """Return whether one source (a rule or style attribute) sets the winning text colour and background, if any."""
    names = [name for name in ("color", "background", "background-color") if name in values]
    return all(source.get(name) == values[name] for name in names)


def _is_cover(block: str) -> bool:
    """Return whether a ::before or ::after box with this block covers the whole element, and stays."""
    values = read_declarations(block)[0]
    exists = values.get("content", "none") not in ("none", "normal") and "transition" not in block
    return exists and style_of_values(values).get("place") == "over"


def _is_idle(selector: str) -> bool:
    """Return whether a selector surely asks for a state or pseudo-element, so it matches nothing on an untouched page.

    "a:hover b" and "a:not(b):hover" -> True, "a:not(:hover)" -> False; ".md\\:hover" -> False: the class has a colon.
    """
    if "\\" not in selector and "(" not in selector and "[" not in selector:
        return _state_or_pseudo_element_in(selector) is not None
    return selector.endswith(_IDLE_ENDS) and selector[selector.rfind(":") - 1] != "\\"
