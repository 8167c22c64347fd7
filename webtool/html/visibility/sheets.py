"""The style elements of a page: their simple rules, matched against elements. Text of rules in, values per element out.

Understood are the selectors of selectors.py, in the media that a desktop screen matches. Everything else
(pseudo-classes, siblings, layers' order) is passed over. What a linked style sheet says is unknown here.
Specification: CSS Cascade 4 section 6 (specificity, order), Media Queries 4.
"""

from __future__ import annotations

from webtool.html.visibility.declarations import declared, meaning_of
from webtool.html.visibility.selectors import rules_of
from webtool.lean import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.html.node import Element
    from webtool.html.visibility.declarations import Style, Values
    from webtool.html.visibility.selectors import Rule

_MAX_TEXT = 2_000_000  # characters of style elements that are read
_MAX_PER_KEY = 40  # rules that share their most telling selector; more is not a page's habit
_MAX_SELECTORS = 5000  # characters of one rule's selector list
_SCREEN_WIDTH = 1280

# What a block must contain at least to hide something. Looking for words one by one is ten times as fast as one
# expression with all of them.
_hiding_font = patterns.compile(r"font(?:-size)?\s*:\s*[0-2.]").search
_hiding_offset = patterns.compile(r"-[0-9]{3}").search
_text_colour = patterns.compile(r"(?<![\w-])color\s*:").search

_comment = patterns.compile(r"(?s)/\*.*?(?:\*/|\Z)").sub
_token = patterns.compile(r"[^{}]*[{}]").match
_is_momentary = patterns.compile(r":(?:hover|focus|active|visited|:|before|after|checked|disabled)").search
_keyframes = patterns.compile(r"@(?:-[a-z]+-)?keyframes\s+[\"']?([\w-]{1,80})").match
_condition = patterns.compile(r"\(\s*(min|max)-width\s*:\s*([0-9.]+)(px|em|rem)?\s*\)").findall


def _may_hide(block: str) -> bool:
    block = block.lower()
    if (
        ("none" in block and "display" in block)
        or "hidden" in block
        or "opacity" in block
        or "clip" in block
        or "collapse" in block
        or "trans" in block
        or "scale" in block
        or "rotate" in block
        or "vw" in block
        or "rgba" in block
        or "hsla" in block
        or "zoom" in block
        or "\\" in block
    ):
        return True
    if "font" in block and _hiding_font(block):
        return True
    return bool(_hiding_offset(block) or ("background" in block and _text_colour(block)))


class Sheet:
    """The rules of all style elements.

    Only rules that hide something are looked for at first; the others count where one of those matches, and where a
    background is in question.
    """

    def __init__(self) -> None:
        self.hiding: dict[str, list[Rule]] = {}
        self.others: dict[str, list[Rule]] = {}
        self._by_class: dict[str, list[Rule]] = {}
        self._unread: list[tuple[str, str, int]] = []  # selectors, block and order of rules that hide nothing
        self.has_types = False
        self.has_attributes = False
        self._has_unread_backgrounds = False
        self.animations: dict[str, bool] = {}  # name: whether it ends with the element visible

    def add(self, selectors: str, block: str, order: int) -> None:
        """Add a rule. Those that hide nothing are not read before they are asked for."""
        if len(selectors) > _MAX_SELECTORS:
            return
        if not _may_hide(block):
            self._unread.append((selectors, block, order))
            return
        values, important = declared(block)
        meaning = meaning_of(values)
        if "hides" not in meaning and not (meaning.get("colour") and meaning.get("background")):
            self._unread.append((selectors, block, order))
            return
        for rule in rules_of(selectors, values, important, order):
            key = rule.key()
            self.has_types = self.has_types or key[0] not in ".#["
            self.has_attributes = self.has_attributes or key[0] == "["
            self._put(self.hiding, key, rule)

    def add_keyframe(self, animation: str, at: str, block: str) -> None:
        """One keyframe of an animation: its last one tells whether the element is visible in the end."""
        if "to" in at.split(",") or "100%" in at:
            values = declared(block)[0]
            self.animations[animation] = "hides" not in meaning_of(values)

    def _read_others(self) -> None:
        unread, self._unread = self._unread, []
        for selectors, block, order in unread:
            rules = rules_of(selectors, *declared(block), order)
            if len(rules) <= selectors.count(",") and "background" in block and not _is_momentary(selectors):
                self._has_unread_backgrounds = True
            for rule in rules:
                self._put(self.others, rule.key(), rule)

    def has_unread_backgrounds(self) -> bool:
        """Whether a rule whose selector is not understood gives something a background."""
        if self._unread:
            self._read_others()
        return self._has_unread_backgrounds

    def __bool__(self) -> bool:
        return bool(self.hiding or self.others or self._unread)

    @staticmethod
    def _put(index: dict[str, list[Rule]], key: str, rule: Rule) -> None:
        rules = index.setdefault(key, [])
        if len(rules) < _MAX_PER_KEY:
            rules.append(rule)
        else:
            rules[-1] = rule  # the last one wins over those before it, mostly

    def style_for(self, element: Element) -> Style:
        """What the rules mean together for an element that a hiding rule matches; nothing for others."""
        for rule in self._candidates(element) if self.hiding else ():
            if rule.matches(element):
                return self.whole_style_for(element)
        return {}

    def names_class(self, names: str) -> bool:
        """Whether a hiding rule is indexed by one of the class names."""
        return any("." + name in self.hiding for name in names.split())

    def _candidates(self, element: Element) -> list[Rule]:
        """The hiding rules that may match."""
        attrs, hiding = element.attrs, self.hiding
        names = attrs.get("class")
        rules: list[Rule] = []
        if names:
            known = self._by_class.get(names)
            if known is None:
                known = [rule for name in names.split()[:50] for rule in hiding.get("." + name, ())]
                self._by_class[names] = known
            rules = known
        if "id" in attrs and "#" + attrs["id"] in hiding:
            rules = rules + hiding["#" + attrs["id"]]
        if self.has_types:
            rules = rules + hiding.get(element.tag, []) + hiding.get("*", [])
        if self.has_attributes:
            for name in list(attrs)[:30]:
                rules = rules + hiding.get("[" + name, [])
        return rules

    def whole_style_for(self, element: Element) -> Style:
        """What all rules that match the element mean together."""
        if self._unread:
            self._read_others()
        matching = [
            rule
            for key in _keys_of(element)
            for index in (self.hiding, self.others)
            for rule in index.get(key, ())
            if rule.matches(element)
        ]
        if len(matching) == 1:
            return matching[0].meaning()
        matching.sort(key=_weight)
        values: Values = {}
        important: Values = {}
        for rule in matching:
            values.update(rule.values)
            important.update({name: rule.values[name] for name in rule.important})
        values.update(important)
        return meaning_of(values)


def _weight(rule: Rule) -> tuple[int, int]:
    return rule.specificity, rule.order


def _keys_of(element: Element) -> list[str]:
    attrs = element.attrs
    keys = [element.tag, "*"]
    if "id" in attrs:
        keys.append("#" + attrs["id"])
    keys.extend(["." + name for name in attrs.get("class", "").split()[:50]])
    keys.extend(["[" + name for name in list(attrs)[:30]])
    return keys


def read_sheets(root: Element) -> tuple[Sheet | None, bool]:
    """The rules of the document's style elements (None when there are none) and whether it links style sheets."""
    texts: list[str] = []
    has_links = False
    top = root
    while top.parent is not None:
        top = top.parent
    stack = [iter(top.children)]
    while stack:
        for node in stack[-1]:
            tag = node.tag
            if tag == "style":
                if "media" not in node.attrs or _matches_screen("@media " + node.attrs["media"][:_MAX_SELECTORS]):
                    texts.append("".join([child.text for child in node.children]))
            elif tag == "link":
                has_links = has_links or "stylesheet" in node.attrs.get("rel", "").lower()
            elif node.children:
                stack.append(iter(node.children))
                break
        else:
            stack.pop()
    sheet = Sheet()
    read_rules("\n".join(texts)[:_MAX_TEXT], sheet)
    return (sheet if sheet else None), has_links


def read_rules(text: str, sheet: Sheet) -> None:
    """Put the rules of a style sheet's text into `sheet`."""
    if "/*" in text:
        text = _comment("", text)
    applies = [True]  # per open block: whether what is in it applies
    at, order = 0, 0
    prelude, animation, outside = "", "", 0  # of keyframes that are open: the animation's name, and the depth outside
    while True:
        match = _token(text, at)
        if not match:
            return
        at = match.end()
        head = match[0][:-1]
        if match[0][-1] == "{":
            prelude = head.rpartition(";")[2].strip()
            if prelude.startswith("@"):
                keyframes = _keyframes(prelude)
                if keyframes:
                    animation, outside = keyframes[1].lower(), len(applies)
                applies.append(applies[-1] and _matches_screen(prelude))
                prelude = ""
            else:
                applies.append(applies[-1])
        else:
            if prelude and animation:
                sheet.add_keyframe(animation, prelude, head)
            elif prelude and applies[-1] and "&" not in prelude:
                order += 1
                sheet.add(prelude, head, order)
            prelude = ""
            if len(applies) > 1:
                applies.pop()
            if len(applies) <= outside:
                animation, outside = "", 0


def _matches_screen(prelude: str) -> bool:
    """Whether an at-rule's block applies on a desktop screen."""
    name, _, condition = prelude.partition(" ")
    name = name.lower()
    if name in ("@supports", "@layer", "@container"):
        return name != "@container" and "not" not in condition
    if not name.startswith("@media"):
        return False
    condition = prelude[6:].lower()
    return any(_query_matches(query) for query in condition.split(","))


def _query_matches(query: str) -> bool:
    words = query.replace("(", " (").split()
    if "print" in words or "not" in words or "speech" in words:
        return False
    widths = _condition(query)
    if query.count("(") != len(widths):
        return False
    for bound, number, unit in widths:
        try:
            width = float(number) * (1 if unit in ("px", "") else 16)
        except ValueError:
            return False
        if (bound == "min" and width > _SCREEN_WIDTH) or (bound == "max" and width < _SCREEN_WIDTH):
            return False
    return True
