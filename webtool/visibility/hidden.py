"""Find the elements that a page hides from readers. In: a tree. Out: the hidden elements, each with its reason.

find_hidden() takes these steps, in this order:
1. Suspects are elements that may be hidden: a rule that hides matches them, or their attributes or names hint at it.
2. A walk judges the suspects: first their attributes (hints.py), then their Style. reasons.py lists all reasons and
   the exceptions to each. It may leave an element "doubtful": the page's declarations do not decide, so it is shown.
3. Descendants that make themselves visible (font-size: 16px inside font-size: 0) are shown (overriding.py).
4. On request, panels that a click opens are taken out (panels.py).
5. An element with most of the page's text is shown, because scripts will probably show it.

A hidden element is closed if its reason is in reasons.CLOSING, such as `display: none`. Nothing in a closed element can
make itself visible, so the walk skips it. All other hidden elements are searched for hidden ones inside.

A Style is the dictionary of webtool.css.declarations. Its keys used here: "hides" (a reason), "place" (where a
positioned box is painted), "colour" and "background", "animation-end", and "font-size" or "visibility" ("visible" if
the element makes itself readable; also "text-indent").

Nothing is laid out, so some verdicts are guesses. If a browser has rendered the page, take_marks() passes on its
verdicts and nothing is guessed. Specification: HTML section 15.3.1, CSS Display 3.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping

from webtool.css.declarations import MAX_STYLE, Style
from webtool.html.node import SILENT, Document, Element, Node, elements, nodes_below
from webtool.visibility import hints, reasons
from webtool.visibility.arranged import boxes_of
from webtool.visibility.overriding import Overrides
from webtool.visibility.panels import Panels
from webtool.visibility.styles import PageStyles, attribute_colour
from webtool.visibility.text_lengths import hidden_length, length_outside, lengths_of, stripped_length

MAX_HIDDEN_SHARE = 0.6  # an element with a larger share of the document's text counts as visible
MIN_TEXT = 40  # characters; in a document with less, step 5 shows nothing
MIN_VISIBLE = 1000  # characters; a page that shows less may be built by scripts
MIN_HIDDEN_TIMES = 4  # a closed element with this many times the visible text is taken for the page itself
_MAX_NESTED_PANELS = 8  # panels in panels that are opened


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
    elements that a click opens, each with the reason that hides it until then. They count as visible, and are {} unless
    find_hidden() keeps panels.
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


def _own_style(element: Element) -> str:
    return element.attrs.get("style", "")[:MAX_STYLE]


class _Search:
    """Finds the hidden elements of one document."""

    def __init__(self, root: Element) -> None:
        self.root = root
        self.styles = PageStyles(root)
        self.sheet = self.styles.sheet
        self.hidden: dict[Element, str] = {}  # hidden element -> reason
        self.closed: set[Node] = set()  # closed elements
        self.overrides = Overrides(self.hidden)
        self.open = self.overrides.open  # overridable reason -> elements hidden for it around the place of the walk
        self.doubtful: list[Element] = []
        self.panels: dict[Element, str] = {}
        page = self.styles.page
        self.hit = self.sheet.hit(page) if self.sheet is not None else set()  # elements that hiding rules match
        # Elements that rules make visible. They only matter inside visibility: hidden; None before the first such one.
        self.shown: set[Element] | None = None
        self.suspects: set[Node] = set()
        self.on_the_way: set[Node] = set()  # ancestors of suspects
        self._suspect(self.hit)
        self._suspect(hints.find_suspects(page))

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
        """Judge the suspects below an element, and all elements inside tiny, blended or indented text."""
        suspects, on_the_way, closed = self.suspects, self.on_the_way, self.closed
        # Elements around the place of the walk; the lists change during the walk. All elements inside these are judged.
        tiny, blended, indented = self.open["font-size"], self.open["color"], self.open["text-indent"]
        # (children still to visit, colour that their text inherits, their parent)
        stack: list[tuple[Iterator[Node], str | None, Element]] = [(iter(root.children), None, root)]
        while stack:
            rest, colour, element = stack[-1]
            for node in rest:
                is_judged = node in suspects or tiny or blended or indented
                if not (is_judged or node in on_the_way) or node.tag is None or node.tag in SILENT:
                    continue
                inner_colour = colour
                if is_judged:
                    inner_colour = self._judge(node, colour)  # type: ignore[arg-type]
                    if node in closed:
                        continue
                # The node itself may be tiny, blended or indented.
                if node.children and (node in on_the_way or tiny or blended or indented):
                    stack.append((iter(node.children), inner_colour, node))  # type: ignore[arg-type]
                    break
                self.overrides.leave(node)  # type: ignore[arg-type]
            else:
                stack.pop()
                self.overrides.leave(element)
        self.overrides.apply()

    def _judge(self, element: Element, inherited: str | None) -> str | None:
        """Judge an element whose text inherits a colour. Returns the colour for the text inside it."""
        style = self._style_of(element)
        reason = hints.reason_of_attributes(element, is_displayed="display" in style)
        if style:
            reason = reason or self._reason_of_style(element, style)
            if "place" in style:
                reason = reason or self._reason_of_place(element, style["place"])
        if reason is None:  # its visibility or font size may override that of a hidden element around it
            if self.open["visibility"] and "visibility" in style:
                self.overrides.show(element, "visibility")
            if self.open["font-size"] and ("font-size" in style or hints.uses_variables[_own_style(element)]):
                self.overrides.show(element, "font-size", is_sure=style.get("font-size") == "visible")
            if self.open["text-indent"] and "text-indent" in style and reasons.has_box(self._case(element, style)):
                self.overrides.show(element, "text-indent")
        colour = style.get("colour")
        if element.tag == "font" and "color" in element.attrs:
            colour = colour or attribute_colour(element.attrs["color"])
        # Text may blend in where its colour changes, or the background below it.
        is_painted = "background" in style or "bgcolor" in element.attrs
        painted_colour = colour or (inherited if is_painted else None)
        if painted_colour:
            if self.styles.is_blended(painted_colour, element):
                reason = reason or "color"
            elif reason is None and self.open["color"]:
                self.overrides.show(element, "color")
        if reason is not None and not hints.is_exempt(element, reason):
            self._hide(element, reason, style)
        return colour or inherited

    def _hide(self, element: Element, reason: str, style: Style) -> None:
        self.hidden[element] = reason
        if reason in reasons.CLOSING:
            self.closed.add(element)
        elif reason in self.open and not self._is_hidden_too(element, style):
            self.overrides.enter(element, reason)
            if reason == "visibility" and self.shown is None:
                self.shown = self.sheet.shown_again(self.styles.page) if self.sheet is not None else set()
                self._suspect(self.shown)

    def _is_hidden_too(self, element: Element, style: Style) -> bool:
        """Return whether a reason that no descendant can override hides the element as well.

        `visibility: hidden; opacity: 0` around `visibility: visible` shows nothing.
        """
        others = [reason for reason in style.get("hides-too", "").split() if reason not in self.open]
        return any(reasons.verdict_of(reason, self._case(element, style))[0] == reasons.APPLIES for reason in others)

    def _case(self, element: Element, style: Style) -> reasons.Case:
        return reasons.Case(element, style, self.styles)

    def _style_of(self, element: Element) -> Style:
        """Return the element's Style, as exactly as judging it needs: asking all rules takes the most time."""
        text = _own_style(element)
        own = hints.styles[text]
        if self.sheet is None:
            if not (hints.uses_variables[text] and self.styles.is_complete):
                return own
            from webtool.css.variables import style_without_sheets

            return style_without_sheets(text)
        if self._is_set_by_rules(element, text, own):
            return self.sheet.style_of(element, text)
        if "hides" in own:  # only an !important rule can win over the style attribute
            return self.sheet.style_of(element, text, only_important=True)
        return own

    def _is_set_by_rules(self, element: Element, text: str, own: Style) -> bool:
        """Return whether rules may decide what is seen of an element with this style attribute and its own Style."""
        if element in self.hit or hints.uses_variables[text]:
            return True
        if self.open["font-size"] or self.open["color"] or self.open["text-indent"]:
            return True
        if self.open["visibility"] and self.shown and element in self.shown:
            return True
        attrs = element.attrs
        return "colour" in own or "popover" in attrs or "hidden" in attrs or element.tag == "dialog"

    def _reason_of_style(self, element: Element, style: Style) -> str | None:
        """Return the reason that the element's Style gives, or None if an exception of reasons.py shows it."""
        hides = style.get("hides")
        if hides is None:
            return "opacity" if self._is_animated_away(style) else None
        verdict, reason = reasons.verdict_of(hides, self._case(element, style))
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
        box = element.parent
        if box is None or len(box.children) > reasons.MAX_CHILDREN:
            return None
        if any(node.tag in reasons.PICTURES or node.text.strip() for node in nodes_below(element)):  # it is not empty
            return None
        if "position" in self.styles.style_at(box):
            for node in box.children[: box.children.index(element)]:
                if not isinstance(node, Element) or node in self.closed:  # a closed element keeps its own reason
                    continue
                if "stacking" not in self.styles.style_at(node):
                    self.hidden[node] = "position"
        return None

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
        """Show closed elements that hold nearly all text of a page that shows little: scripts build such pages.

        The element holds more than MIN_HIDDEN_TIMES the text of the page, which is less than MIN_VISIBLE characters.
        """
        if not self.closed:
            return
        visible = length_outside(self.root, self.closed, MIN_VISIBLE)
        if visible >= MIN_VISIBLE:
            return
        for element in [element for element in self.hidden if element in self.closed]:
            if stripped_length(element) > MIN_HIDDEN_TIMES * visible + MIN_TEXT:
                del self.hidden[element]
                self.closed.discard(element)
                self.walk(element)
                visible += length_outside(element, self.closed)

    def show_largest(self) -> None:
        """Show each element with more than MAX_HIDDEN_SHARE of the text, except closed ones. It counts as doubtful."""
        length = hidden_length(self.hidden, self.closed)
        # With at least this much visible text, all hidden text together is at most MAX_HIDDEN_SHARE of the whole.
        enough = length * (1 - MAX_HIDDEN_SHARE) / MAX_HIDDEN_SHARE
        if not length or length_outside(self.root, self.hidden, length) >= enough:
            return
        lengths, total = lengths_of(self.hidden, self.root, self.closed)
        if total < MIN_TEXT:
            return
        for element in list(self.hidden):
            if lengths.get(element, 0) > total * MAX_HIDDEN_SHARE:
                del self.hidden[element]
                self.doubtful.append(element)
