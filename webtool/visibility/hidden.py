"""Which elements a page hides from readers. In: a tree. Out: the hidden elements, each with its reason.

1. Suspects are elements that may be hidden: a rule that hides matches them, or an attribute or class name hints at it.
2. A walk judges the suspects: first their attributes, then their Style. Reasons and exceptions are in reasons.py.
3. A descendant that makes itself visible (font-size: 16px inside font-size: 0) is shown, if the reason is overridable:
   "font-size", "visibility" or "color". The outer element is not hidden then, but the rest of its content is. Text
   directly in it is put into a span, which is hidden: the only change to the tree.
4. On request, panels that a click opens are taken out (panels.py).
5. An element that holds most of the page's text counts as visible: the page's scripts probably show it. It must hold
   more than MAX_HIDDEN_SHARE of the text (show_largest). Closed elements are treated apart: the page must show less
   than MIN_VISIBLE characters, and the element hold MIN_HIDDEN_TIMES as many (show_hidden_pages).

A hidden element is closed if its reason is in reasons.CLOSING, such as `display: none`. Nothing in it can make itself
visible, so it is not searched.

A Style is the dictionary of webtool.css.declarations. Its keys used here: "hides" (a reason), "place" (where a
positioned box is painted), "colour" and "background", "animation-end", and "font-size" or "visibility" ("visible" if
the element makes itself readable).

Nothing is laid out, so some verdicts are guesses. If a browser has rendered the page, take_marks() passes on its
verdicts and nothing is guessed. Specification: HTML section 15.3.1, CSS Display 3.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import islice

from webtool.css.declarations import Style, style_of
from webtool.css.variables import style_without_sheets
from webtool.html.node import SILENT, Document, Element, Node, around, elements, nodes_below, walk
from webtool.lean import patterns
from webtool.lean.memory import Remembered
from webtool.visibility import reasons
from webtool.visibility.arranged import boxes_of
from webtool.visibility.panels import Panels
from webtool.visibility.styles import MAX_STYLE, PageStyles, attribute_colour

_HIDING_CLASSES = frozenset((
    "assistive-text", "element-invisible", "element-hidden", "d-none", "invisible", "hidden", "is-hidden", "u-hidden",
    "a11y-hidden", "hidden-visually", "offscreen", "off-screen", "show-for-sr", "aok-hidden", "clipped", "sr-clipped",
    "mw-jump-link", "gform_validation_container", "gfield_visibility_hidden", "gform_hidden",
    "wpforms-field-hp", "honeypot",
))  # fmt: skip
# Class names for text that only screen readers say, with any framework's prefix or suffix ("wt-cli-sr-only"), and for
# links that skip the navigation. XenForo's "u-srOnly" is not matched: it names who began a thread.
_for_screen_readers = patterns.GuardedPattern(
    "sr-only|sr_only|screenreader|screen-reader|visually|skip",
    r"^(?:[\w-]*[_-]|is|u)?(?<!not-)(?:sr[_-]only|screen-?readers?(?:-?only)?(?:-?text)?|visually-?hidden)"
    r"(?:-(?:text|focusable))?(?:_[\w-]+)?$|^(?:[\w-]*[_-])?skip[_-]?(?:links?|to|nav)(?:[_-][\w-]*)?$",
)
# Class attributes that show the element on large screens ("hidden md:block", "d-none d-lg-flex"), or say that a script
# has shown it ("hidden active").
_shows_again = patterns.compile(
    r"(?i)(?:^|\s)(?:(?:sm|md|lg|xl|2xl|print|group-[a-z]+)\\?:(?:block|flex|grid|inline|table|contents|visible|not-sr-only)"
    r"|d-(?:sm|md|lg|xl|xxl)-(?:block|flex|grid|inline|table)|(?:show|active|in)(?![\w-]))"
).search
_HIDING_ATTRIBUTES = frozenset(("hidden", "aria-hidden", "popover", "bgcolor", "background", "color"))
# Keys of a Style that make an element a suspect.
_SUSPECT_KEYS = frozenset((
    "hides", "place", "animation-end", "colour", "background", "font-size", "visibility",
))  # fmt: skip
_GRAPHICS = ("svg", "foreignObject")
_SIGNS = frozenset(", . ; : / | \\ · • – — - > › » → & + ×".split())  # between texts, seen though not read aloud
_TINY_LENGTHS = frozenset(("0", "0px", "1", "1px"))

MAX_HIDDEN_SHARE = 0.6  # an element with a larger share of the document's text counts as visible
MIN_TEXT = 40  # characters; in a document with less, step 5 shows nothing
MIN_VISIBLE = 1000  # characters; a page that shows less may be built by scripts
MIN_HIDDEN_TIMES = 4  # a closed element with this many times the visible text is taken for the page itself
_MAX_NESTED_PANELS = 8  # panels in panels that are opened
_MAX_LABELLED = 3  # ancestors whose aria-label is compared with an element's text
_MAX_LABEL = 300  # characters of an aria-label
_MAX_LABEL_TEXTS = 200  # text nodes that are compared with an aria-label

# Answers by class attribute, and Styles by style attribute: pages repeat both.
_class_hides = Remembered(lambda names: any(map(_name_hides, names.lower().split())) and _shows_again(names) is None)
_styles = Remembered(style_of)


def take_marks(root: Document, mark: str) -> None:
    """Take a browser's verdicts: `mark` is an attribute that holds, on each hidden element, the reason.

    The attribute is removed. find_hidden() then returns these reasons without guessing.
    """
    unseen: dict[Element, str] = {}
    for element in elements(root):
        if mark in element.attrs:
            unseen[element] = element.attrs.pop(mark)
    root.unseen = unseen


class Hidden(dict["Element", str]):
    """Hidden elements, each with its reason: an attribute's name, "class", or a reason of reasons.py.

    `doubtful` are elements that may be hidden: the page's declarations do not decide it, so they stay. `panels` are
    elements that a click opens, each with the reason that hides it until then. They are not among the hidden elements,
    and {} unless find_hidden() keeps panels.
    """

    def __init__(
        self,
        hidden: Mapping[Element, str],
        doubtful: Iterable[Element],
        panels: dict[Element, str],
        styles: PageStyles,
        *,
        is_guess: bool,
    ) -> None:
        super().__init__(hidden)
        self.doubtful = [element for element in doubtful if element not in hidden]
        self.panels = panels
        self._styles = styles
        self._is_guess = is_guess

    def fill_of(self, element: Element) -> str:
        """Return the value of `fill` for a graphic's text, "" if no style sets it."""
        return self._styles.style_at(element).get("fill", "")

    def blends(self, colour: str, element: Element) -> bool:
        """Return whether text of this colour has the colour of its background; False if a browser judged."""
        return self._is_guess and self._styles.is_blended(colour, element)

    def boxes(self, around: Container[Node] | None = None) -> dict[Element, str]:
        """Return the elements that style sheets lay out differently than their tags: see boxes_of()."""
        return boxes_of(self._styles.page, self._styles.sheet, self, around)


def words_in(elements: Iterable[Element]) -> int:
    """Return how many words the elements hold, scripts excluded."""
    return sum(len(node.text.split()) for element in elements for node in _texts_in(element))


def find_hidden(root: Element, *, keep_panels: bool = False) -> Hidden:
    """Find the hidden elements below `root`.

    Descendants of a closed element (reasons.CLOSING) are not listed. With `keep_panels`, what a reader opens with a
    click (tabs, accordions, answers) counts as visible and is listed in `panels` instead. Takes linear time, because
    the number of rules tried per element is limited.
    """
    if isinstance(root, Document) and root.unseen is not None:
        styles = PageStyles(root)
        hidden = dict(root.unseen)
        opened = Panels(root, styles.page, root.unseen).among(list(root.unseen)) if keep_panels else []
        panels = {element: hidden.pop(element) for element in opened}
        return Hidden(hidden, (), panels, styles, is_guess=False)
    search = _Search(root)
    search.walk(root)
    if keep_panels and search.hidden:
        search.open_panels()
    search.show_hidden_pages()
    search.show_largest()
    return Hidden(search.hidden, search.doubtful, search.panels, search.styles, is_guess=True)


class _Search:
    """Finds the hidden elements of one document."""

    def __init__(self, root: Element) -> None:
        self.root = root
        self.styles = PageStyles(root)
        self.sheet = self.styles.sheet
        self.hidden: dict[Element, str] = {}  # hidden element -> reason
        self.closed: set[Node] = set()  # closed elements
        # Overridable reason -> elements hidden for it around the one that walk() is at, outermost first.
        self.open: dict[str, list[Element]] = {reason: [] for reason in reasons.OVERRIDABLE}
        # Reason -> elements that make themselves visible inside one of `open`, each with whether that is sure.
        self.shown_inside: dict[str, dict[Element, bool]] = {reason: {} for reason in reasons.OVERRIDABLE}
        # Element that makes itself visible -> reason -> the elements of `open` around it, while walk() is inside.
        self.outside: dict[Node, dict[str, list[Element]]] = {}
        self.doubtful: list[Element] = []
        self.panels: dict[Element, str] = {}
        page = self.styles.page
        self.hit = self.sheet.hit(page) if self.sheet is not None else set()  # elements that hiding rules match
        self.shown: set[Element] | None = None  # elements that rules make visible; None until it matters
        self.suspects: set[Node] = set()
        self.on_the_way: set[Node] = set()  # ancestors of suspects
        self._suspect(self.hit)
        self._suspect(node for node in page.notable if _hints_at_hiding(node.attrs))
        self._suspect(self._named_as_hidden())
        self._suspect(page.by_type.get("dialog", ()))
        for tag in _GRAPHICS:
            self._suspect(node for node in page.by_type.get(tag, ()) if _has_no_size(node.attrs))

    def _named_as_hidden(self) -> Iterator[Element]:
        """Yield the elements with a class name that hides by convention."""
        page = self.styles.page
        if _for_screen_readers.might_match(" ".join(page.names_in).lower()):
            hiding = {name for name in page.class_names if _name_hides(name.lower())}
        else:
            hiding = {name for name in page.class_names if name.lower() in _HIDING_CLASSES}
        if not hiding:
            return
        for classes, alike in page.by_classes.items():
            if not hiding.isdisjoint(page.names_in[classes]):
                yield from alike

    def _suspect(self, elements: Iterable[Element]) -> None:
        """Add suspects, and note their ancestors."""
        suspects, on_the_way = self.suspects, self.on_the_way
        for node in elements:
            suspects.add(node)
            ancestor = node.parent
            while ancestor is not None and ancestor not in on_the_way and ancestor.tag not in SILENT:
                on_the_way.add(ancestor)
                ancestor = ancestor.parent

    def walk(self, root: Element) -> None:
        """Judge the suspects below an element, and all elements inside text that is tiny or blends in."""
        suspects, on_the_way, closed = self.suspects, self.on_the_way, self.closed
        tiny, blended = self.open["font-size"], self.open["color"]  # these lists change during the walk
        stack: list[tuple[Iterator[Node], str | None, Element]] = [(iter(root.children), None, root)]
        while stack:
            rest, colour, element = stack[-1]
            for node in rest:
                is_inside = tiny or blended
                if not (node in on_the_way or node in suspects or is_inside) or node.tag is None or node.tag in SILENT:
                    continue
                inner_colour = colour
                if node in suspects or is_inside:
                    inner_colour = self._judge(node, colour)  # type: ignore[arg-type]
                    if node in closed:
                        continue
                if node.children and (node in on_the_way or tiny or blended):
                    stack.append((iter(node.children), inner_colour, node))  # type: ignore[arg-type]
                    break
                self._leave(node)  # type: ignore[arg-type]
            else:
                stack.pop()
                self._leave(element)
        self._show_inside()

    def _judge(self, element: Element, inherited: str | None) -> str | None:
        """Judge an element whose text inherits a colour. Returns the colour for the text inside it."""
        attrs = element.attrs
        style = self._style_of(element)
        reason = self._reason_of_attributes(element, style)
        colour = style.get("colour")
        if style:
            reason = reason or self._reason_of_style(element, style)
            if "place" in style:
                reason = reason or self._reason_of_place(element, style["place"])
        if reason is None and self.open["visibility"] and "visibility" in style:
            self._bring_back("visibility", element)
        if reason is None and self.open["font-size"] and ("font-size" in style or "var(" in attrs.get("style", "")):
            self._bring_back("font-size", element, is_sure=style.get("font-size") == "visible")
        if element.tag == "font" and "color" in attrs:
            colour = colour or attribute_colour(attrs["color"])
        paints = "background" in style or "bgcolor" in attrs
        painted_colour = colour or (inherited if paints else None)
        if painted_colour:
            if self.styles.is_blended(painted_colour, element):
                reason = reason or "color"
            elif reason is None and self.open["color"]:
                self._bring_back("color", element)
        if reason is not None and not _is_exempt(element, reason):
            self._hide(element, reason)
        return colour or inherited

    def _hide(self, element: Element, reason: str) -> None:
        self.hidden[element] = reason
        if reason in reasons.CLOSING:
            self.closed.add(element)
        elif reason in self.open:
            self.open[reason].append(element)
            if reason == "visibility" and self.shown is None:
                self.shown = self.sheet.shown_again(self.styles.page) if self.sheet is not None else set()
                self._suspect(self.shown)

    def _style_of(self, element: Element) -> Style:
        """Return the element's Style, as exactly as judging it needs: asking all rules takes the most time."""
        text = element.attrs.get("style", "")[:MAX_STYLE]
        own = _styles[text]
        sheet = self.sheet
        if sheet is None:
            has_variables = "var(" in text and self.styles.is_complete
            return style_without_sheets(text, element) if has_variables else own
        is_shown = self.open["visibility"] and self.shown and element in self.shown
        if "var(" in text or element in self.hit or self.open["font-size"] or self.open["color"] or is_shown:
            return sheet.style_of(element, text)
        attrs = element.attrs
        if "colour" in own or "popover" in attrs or "hidden" in attrs or element.tag == "dialog":
            return sheet.style_of(element, text)
        if "hides" in own:  # only an !important rule can win over the style attribute
            return sheet.style_of(element, text, only_important=True)
        return own

    def _reason_of_attributes(self, element: Element, style: Style) -> str | None:
        """Return the reason that the element's attributes give. The page's own display wins over some of them."""
        attrs = element.attrs
        is_displayed = "display" in style  # HTML section 15.3.1
        if "hidden" in attrs and attrs["hidden"].strip().lower() != "until-found" and not is_displayed:
            return "hidden"
        if "popover" in attrs and not is_displayed:  # HTML section 6.12: it is not displayed until it is opened
            return "popover"
        if element.tag == "dialog" and "open" not in attrs and not is_displayed:
            return "display"
        is_silent = "aria-hidden" in attrs and attrs["aria-hidden"].strip().lower() == "true"
        if is_silent and not _is_said_by_label(element):
            return "aria-hidden"
        if "class" in attrs and _class_hides[attrs["class"]]:
            return "class"
        return "size" if element.tag in _GRAPHICS and _has_no_size(attrs) else None

    def _reason_of_style(self, element: Element, style: Style) -> str | None:
        """Return the reason that the element's Style gives, unless an exception of reasons.py shows it."""
        hides = style.get("hides")
        if hides is None:
            return "opacity" if self._is_animated_away(style) else None
        verdict, reason = reasons.verdict_of(hides, reasons.Case(element, style, self.styles))
        if verdict == reasons.DOUBTFUL:
            self.doubtful.append(element)
        return reason if verdict == reasons.APPLIES else None

    def _is_animated_away(self, style: Style) -> bool:
        """Return whether an animation leaves the element hidden in the end, or hides it for as long as it runs."""
        if self.sheet is None or "animation-end" not in style:
            return False
        if style["animation-end"] == "forwards":
            return self.sheet.animations.end_visible(style["animation"]) is False
        return self.sheet.animations.hide_throughout(style["animation"])

    def _reason_of_place(self, element: Element, place: str) -> str | None:
        """Return "position" if the element is out of sight by its place.

        If it is an empty opaque element that lies "over" its container, hide the siblings before it and return None.
        """
        if place != "over":
            return "position" if self.styles.is_placed_away(element, place) else None
        siblings = element.parent.children if element.parent is not None else []
        if len(siblings) > reasons.MAX_CHILDREN or any(
            node.tag in reasons.PICTURES or node.text.strip() for node in nodes_below(element)
        ):
            return None
        if "position" in self.styles.style_at(element.parent):  # type: ignore[arg-type]
            for node in siblings[: siblings.index(element)]:
                if node.tag is None or node in self.closed:  # a closed element keeps its own reason
                    continue
                if "stacking" not in self.styles.style_at(node):  # type: ignore[arg-type]
                    self.hidden[node] = "position"  # type: ignore[index]
        return None

    def _bring_back(self, reason: str, element: Element, *, is_sure: bool = True) -> None:
        """Note that an element makes itself visible inside those hidden for a reason. Inside of it, they do not count.

        If that is not sure (font-size: calc(...)), it is shown only if another element is for sure.
        """
        self.shown_inside[reason][element] = is_sure
        if is_sure:
            open_elements = self.open[reason]
            self.outside.setdefault(element, {})[reason] = open_elements[:]
            open_elements.clear()

    def _leave(self, element: Element) -> None:
        if element in self.outside:
            for reason, outer_elements in self.outside.pop(element).items():
                self.open[reason][:] = outer_elements
        open_elements = self.open.get(self.hidden[element], []) if element in self.hidden else []
        if open_elements and open_elements[-1] is element:
            open_elements.pop()

    def _show_inside(self) -> None:
        """Show the elements that make themselves visible, and hide the rest of the elements around them."""
        for reason, shown in self.shown_inside.items():
            above_sure = _ancestors([element for element, is_sure in shown.items() if is_sure])
            on_the_way = {**above_sure, **_ancestors(shown)} if above_sure else above_sure
            seen: set[Node] = set()
            for outer in above_sure:
                if not isinstance(outer, Element) or self.hidden.get(outer) != reason:
                    continue
                del self.hidden[outer]
                stack = [outer]
                while stack:
                    box = stack.pop()
                    if box not in seen:
                        seen.add(box)
                        self._hide_rest(box, reason, on_the_way, shown, stack)
            shown.clear()

    def _hide_rest(
        self, box: Element, reason: str, on_the_way: Container[Node], shown: Container[Node], stack: list[Element]
    ) -> None:
        """Hide the children of a box, except shown ones and those `on_the_way` to them, which go to the stack.

        Pictures stay if the reason only hides text.
        """
        for index, node in enumerate(box.children):
            if not isinstance(node, Element):
                if node.tag is None and node.text.strip():
                    span = Element("span")
                    span.parent, span.children, node.parent = box, [node], span
                    box.children[index] = span
                    self.hidden[span] = reason
            elif node in on_the_way:
                stack.append(node)
            elif node not in shown and node not in self.hidden and node.tag not in SILENT:
                if reason not in reasons.OF_TEXT:
                    self.hidden[node] = reason
                elif any(inner.tag in reasons.REPLACED for inner in nodes_below(node)):
                    stack.append(node)
                elif node.tag not in reasons.REPLACED:
                    self.hidden[node] = reason

    def open_panels(self) -> None:
        """Take panels for visible, and judge what is inside them."""
        panels = Panels(self.root, self.styles.page, self.hidden)
        seen: set[Element] = set()
        for _ in range(_MAX_NESTED_PANELS):
            new = [element for element in self.hidden if element not in seen]
            seen.update(new)
            opened = panels.among(new)
            if not opened:
                break
            self._open(opened)
        self._open(panels.of_empty_page())

    def _open(self, elements: list[Element]) -> None:
        for element in elements:
            reason = self.panels[element] = self.hidden.pop(element)
            if reason in reasons.CLOSING:
                self.closed.discard(element)
                self.walk(element)

    def show_hidden_pages(self) -> None:
        """Show closed elements that hold nearly all text, if the page shows little: its scripts will show them."""
        total = _text_length(self.root, self.closed, MIN_VISIBLE) if self.closed else MIN_VISIBLE
        if total >= MIN_VISIBLE:
            return
        for element in [element for element in self.hidden if element in self.closed]:
            length = sum(len(node.text.strip()) for node in _texts_in(element))
            if length > MIN_HIDDEN_TIMES * total + MIN_TEXT:
                del self.hidden[element]
                self.closed.discard(element)
                self.walk(element)
                total += _text_length(element, self.closed)

    def show_largest(self) -> None:
        """Show each element that holds most of the text, closed ones excepted. It counts as doubtful."""
        hidden = self._hidden_length()
        # With at least this much visible text, even all hidden text together is at most MAX_HIDDEN_SHARE of the whole.
        enough = hidden * (1 - MAX_HIDDEN_SHARE) / MAX_HIDDEN_SHARE
        if not hidden or _text_length(self.root, self.hidden, hidden) >= enough:
            return
        lengths, total = self._text_lengths()
        if total < MIN_TEXT:
            return
        for element in list(self.hidden):
            if lengths.get(element, 0) > total * MAX_HIDDEN_SHARE:
                del self.hidden[element]
                self.doubtful.append(element)

    def _hidden_length(self) -> int:
        """Return how many characters of text are hidden, without those in closed elements."""
        length = 0
        passed = self.closed.copy()
        for element in self.hidden:
            if element not in passed:
                below = [node for node in nodes_below(element, passed) if node.tag is None or node in self.hidden]
                length += sum([len(node.text) for node in below if node.tag is None and not node.text.isspace()])
                passed.update(below)
                passed.add(element)
        return length

    def _text_lengths(self) -> tuple[dict[Node, int], int]:
        """Return the characters of text in each hidden element, and in the document; closed elements do not count."""
        lengths: dict[Node, int] = {}
        total = 0
        skipped: Node | None = None
        for event, node in walk(self.root):
            if skipped is not None:
                skipped = None if event == "close" and node is skipped else skipped
            elif event == "text":
                total += 0 if node.text.isspace() else len(node.text)
            elif event == "close":
                if node in lengths:
                    lengths[node] = total - lengths[node]
            elif node is not self.root and (node.tag in SILENT or node in self.closed):
                skipped = node
            elif node in self.hidden:
                lengths[node] = total
        return lengths, total


def _ancestors(elements: Iterable[Element]) -> dict[Node, None]:
    """Return the elements around these, in an order that is the same in every run."""
    above: dict[Node, None] = {}
    for node in elements:
        ancestor = node.parent
        while ancestor is not None and ancestor not in above:
            above[ancestor] = None
            ancestor = ancestor.parent
    return above


def _text_length(element: Element, hidden: Container[Node], most: float = float("inf")) -> int:
    """Return how many characters of text an element has outside of `hidden`; counting ends once it reaches `most`."""
    length = 0
    stack = [element]
    while stack and length < most:
        for node in stack.pop().children:
            if node.tag is None:
                length += 0 if node.text.isspace() else len(node.text)
            elif node.children and node.tag not in SILENT and node not in hidden:
                stack.append(node)  # type: ignore[arg-type]
    return length


def _texts_in(element: Element, most: int | None = None) -> list[Node]:
    """Return the text nodes below an element, scripts excluded; at most the first `most`."""
    return list(islice((node for node in nodes_below(element) if node.tag is None), most))


def _is_exempt(element: Element, reason: str) -> bool:
    """Return whether a reason does not hide this element: it shows no text, or it only separates words."""
    if reason in reasons.OF_TEXT and element.tag in reasons.REPLACED:
        return True  # Next.js writes color: transparent at every picture
    return reason in reasons.KEEPING_SPACE and _separates_words(element, reason)


def _separates_words(element: Element, reason: str) -> bool:
    """Return whether an element holds a space alone, or a sign ("|") between two texts that only speech skips."""
    children = element.children
    if len(children) != 1 or children[0].tag is not None:
        return False
    text = children[0].text.strip()
    if not text:
        return True
    if reason != "aria-hidden":
        return False
    siblings = element.parent.children if element.parent is not None else []
    if text not in _SIGNS or element.tag not in reasons.INLINE or len(siblings) > reasons.MAX_CHILDREN:
        return False
    written = [node for node in siblings if node is element or node.tag is not None or not node.text.isspace()]
    return element not in (written[0], written[-1])


def _is_said_by_label(element: Element) -> bool:
    """Return whether the aria-label of an ancestor has the same letters as its text.

    `<h2 aria-label="Now"><span aria-hidden="true">N</span>...`: scripts that move each letter into place write this.
    """
    for box in around(element, _MAX_LABELLED):
        label = box.attrs.get("aria-label", "")
        if label:
            letters = "".join(filter(str.isalnum, label[:_MAX_LABEL].lower()))
            text = "".join([node.text for node in _texts_in(box, _MAX_LABEL_TEXTS)])
            return bool(letters) and letters == "".join(filter(str.isalnum, text[: 2 * _MAX_LABEL].lower()))
    return False


def _name_hides(name: str) -> bool:
    """Return whether a class name, in lower case, hides by convention."""
    return name in _HIDING_CLASSES or _for_screen_readers.search(name) is not None


def _has_no_size(attrs: dict[str, str]) -> bool:
    return attrs.get("width", "").strip() in _TINY_LENGTHS and attrs.get("height", "").strip() in _TINY_LENGTHS


def _hints_at_hiding(attrs: dict[str, str]) -> bool:
    """Return whether attributes, the style attribute included, may hide an element, show it, or colour its text."""
    if not _HIDING_ATTRIBUTES.isdisjoint(attrs):
        return True
    text = attrs.get("style", "")[:MAX_STYLE]
    return "var(" in text or not _SUSPECT_KEYS.isdisjoint(_styles[text])
