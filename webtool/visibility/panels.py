"""Find panels: hidden text that a reader opens with a click. In: hidden elements. Out: those that count as content.

Panels are contents of tabs and accordions, answers of an FAQ, slides, and what follows "read more". Something must open
a panel. Text hidden to instruct language models has no such control, so it is not a panel. An element is a panel if one
of these holds:
1. A control names it (aria-controls, data-bs-target, a link to its id), or it has a panel's role. Clipped to a height
   of 0, it need only follow a button with aria-expanded.
2. A box before it, with a label, shows it when it is ticked: `<input type=checkbox id=q><label for=q>...</label><div>`.
3. Its class or id is named like a panel ("tab-2"), and something near opens it.
4. Only screen readers skip it (aria-hidden), and it has a class, id or link. A tag of icons needs several words, too.
5. It is a custom element that scripts define later, or a widget that scripts show as they start.
6. Its class, or a sibling's, says that a slide is to come: `<p class=present>`, `<p class=future hidden>`.
7. At least three elements of its form are each below a short visible line, as answers are below questions.
8. At least three elements of its form are beside a visible twin, as slides are.
9. A visible sibling shows the beginning of its text ("read more").
The form of an element is its tag, its class attribute and the reason why it is hidden. An element is not a panel if it
is an overlay such as a dialog (controls.py), a list of links, or a copy of visible text.

The reason why an element is hidden is a word of webtool.visibility.reasons. These are used here:

    "aria-hidden"  screen readers skip it; everybody else may see it: it is for eyes
    "class"        a class name such as "hidden"
    "height"       it is clipped to a height of 0, as accordions that open with an animation are
    "visibility"   visibility: hidden
    FOR_EARS       several reasons: only screen readers read it, as it is drawn one pixel small or off the page
Specification: WAI-ARIA 1.2 (tabpanel, aria-controls), HTML section 6.1 (hidden).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from webtool.css.elements import PageElements
from webtool.html.elements import role_of
from webtool.html.node import SILENT, Element, Node, around, nodes_below
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.visibility import reasons
from webtool.visibility.controls import Controls, is_in_overlay, is_overlay, names_of
from webtool.visibility.text_alternatives import is_needed
from webtool.visibility.text_lengths import MIN_DISTINCT, PanelTexts
from webtool.visibility.twins import write_once

_PANEL_REASONS = reasons.UNDONE_BY_SCRIPTS | {"height"}  # why a panel may be hidden
_ICON_TAGS = frozenset(("i", "span", "svg", "em", "b", "sup", "small"))
# The first list only makes the search fast: the pattern is tried on text that contains one of these words.
_is_named_as_panel = patterns.GuardedPattern(
    "tab|accordion|accordeon|collaps|panel|faq|answer|toggle|expand|spoiler|more|truncat|fold|content|slide|variant|"
    "descri|detail|gform_wrapper|rs-module",
    r"(?i)tab|accordion|accordeon|collaps|panel|faq|answer|toggle|expand|spoiler|read-?more|show-?more|more-?text|"
    r"truncat|fold|content|slide|variant|descri|detail|gform_wrapper|rs-module",
).search
_NAMED_AS_ANSWER = patterns.compile(r"(?i)accord|collaps|faq|answer|toggle|expand|spoiler|more|truncat")
_is_named_as_widget = patterns.compile(r"gform_wrapper|rs-module").search  # forms and sliders that scripts show at once
# States of the slides of a deck (reveal.js, impress.js, deck.js, bespoke.js).
_is_present = patterns.compile(r"(?:^|[\s-])(?:present|current|active)(?:\s|$)").search
_waits = patterns.compile(r"(?:^|[\s-])(?:future|past|next|prev(?:ious)?|before|after|inactive)(?:\s|$)").search

MIN_ALIKE = 3  # a group of panels has at least this many elements of one form
MIN_LINE, MAX_LINE = 2, 200  # characters of the visible line above a panel
# A page with at most MAX_EMPTY_PAGE visible characters waits for its scripts, if they may show more than
# MIN_WAITING_TIMES * visible + MIN_WAITING_MORE characters. The summand is for pages that show next to nothing.
MAX_EMPTY_PAGE = 3000
MIN_WAITING_TIMES, MIN_WAITING_MORE = 2, 400
_MAX_NAMES = 400  # characters of a class attribute
_MAX_SIBLINGS = 200  # siblings, or nodes of a box, that are looked at
_FEW_SIBLINGS = 8  # siblings that may show the beginning of a text
_FEW_CHILDREN = 8  # children of a heading that may be its button


class _Row(NamedTuple):
    """The children of an element."""

    before: dict[Node, Element | None]  # child -> the element before it, scripts skipped
    class_counts: dict[str, int]  # class name -> how many of the elements have it


_NO_ROW = _Row({}, {})


class Panels:
    """The panels of one document. Cost: a walk over the tree, and each hidden element's text once."""

    def __init__(self, root: Element, page: PageElements, hidden: Mapping[Element, str]) -> None:
        self._root = root
        self._hidden = hidden  # element -> reason
        self._texts = PanelTexts(root, hidden)
        self._controls = Controls(page, hidden)
        self._is_deck_known: dict[tuple[Element, str], bool] = {}
        self._rows: dict[Element, _Row] = {}  # by parent

    def among(self, elements: list[Element]) -> list[Element]:
        """Return which of the hidden elements count as content.

        These are the panels, and texts for screen readers that say what a picture shows ("4 of 5 stars").
        """
        candidates = [element for element in elements if self._may_open(element)]
        opened = {element for element in candidates if self._is_panel_alone(element)}
        answers, slides = self._groups([element for element in candidates if element not in opened])
        opened |= answers
        panels = []
        for element in candidates:
            is_slide = element in slides
            if (is_slide or element in opened) and not self._texts.is_menu_or_copy(element, may_link=is_slide):
                panels.append(element)
        for_eyes = [node for node in elements if self._hidden[node] == "aria-hidden"]
        unseen = self._hidden.keys() - set(for_eyes)  # elements that eyes do not see
        for node in elements:
            if self._hidden[node] in reasons.FOR_EARS and is_needed(node, unseen):
                panels.append(node)
        # Pages write a text twice, for eyes and for screen readers: keep one of the two.
        return write_once(panels, for_eyes, self._hidden, self._texts.length)

    def of_empty_page(self) -> list[Element]:
        """Return the hidden elements that scripts will show, if the page shows little before; [] for other pages."""
        visible = self._texts.length(self._root, self._hidden, MAX_EMPTY_PAGE)
        if visible > MAX_EMPTY_PAGE:
            return []
        shown_later = [element for element, reason in self._hidden.items() if reason in reasons.UNDONE_BY_SCRIPTS]
        waiting = [box for box in shown_later if not is_overlay(box) and not self._texts.is_menu_or_copy(box)]
        inner = set(waiting)  # the text of an element inside another one counts once, as its own
        length = sum(self._texts.length(element, inner) for element in waiting)
        return waiting if length > MIN_WAITING_TIMES * visible + MIN_WAITING_MORE else []

    # --- Panels by themselves ---

    def _may_open(self, element: Element) -> bool:
        """Return whether an element could be a panel: scripts may show it, it has text, and it is not an overlay."""
        reason = self._hidden[element]
        if reason not in _PANEL_REASONS:
            return False
        if reason == "aria-hidden" and not self._texts.length(element, most=0):
            return False
        if is_overlay(element) and role_of(element.attrs) != "tabpanel" and not self._is_labelled_by_button(element):
            return False  # "drawer" in its class, say, but nothing tells that it is a panel all the same
        return not is_in_overlay(element)

    def _is_panel_alone(self, element: Element) -> bool:
        """Return whether the element is a panel by one of the rules 1 to 6."""
        attrs, reason = element.attrs, self._hidden[element]
        role = role_of(attrs)
        if role == "tabpanel" or (role == "region" and "aria-labelledby" in attrs):  # 1
            return True
        if self._is_slide(element) or self._follows_box(element) or self._is_folded_by_button(element):  # 6, 2, 1
            return True
        if reason == "visibility" and "-" in element.tag:  # 5
            return True  # ":not(:defined)" hides custom elements until scripts define them
        if not is_overlay(element) and self._is_named_and_opened(element):  # 3, 4, 5
            return True
        if reason == "aria-hidden":
            return self._has_words_for_eyes(element)  # 4
        return bool(attrs.get("id")) and attrs["id"] in self._controls.targets()  # 1

    def _is_named_and_opened(self, element: Element) -> bool:
        """Return whether the element has any name and only screen readers skip it, or a panel's name and an opener."""
        is_silent = self._hidden[element] == "aria-hidden"
        if is_silent and element.tag not in _ICON_TAGS and not {"class", "id"}.isdisjoint(element.attrs):
            return True  # any name will do: carousels and animations
        names = names_of(element)
        if not _is_named_as_panel(names):
            return False
        return is_silent or bool(_is_named_as_widget(names)) or self._has_opener(element, names)

    def _follows_box(self, element: Element) -> bool:
        """Return whether a check box or radio button before this element, the nearest one, has a label.

        The label may be anywhere among the _FEW_SIBLINGS elements before this one.
        """
        box = ""  # the id of the nearest check box or radio button
        labels: set[str] = set()
        node, steps = self._element_before(element), 0
        while node is not None and steps < _FEW_SIBLINGS:
            if node.tag == "label" and node not in self._hidden:
                labels.add(node.attrs.get("for", ""))
            elif node.tag == "input" and node.attrs.get("type", "").lower() in ("checkbox", "radio"):
                box = box or node.attrs.get("id", "")
                if not box:
                    return False
            node, steps = self._element_before(node), steps + 1
        return bool(box) and box in labels

    def _is_slide(self, element: Element) -> bool:
        """Return whether an element is a slide: a sibling is to come and a visible one is present.

        Slides inside a slide to come are all hidden; reveal.js calls them vertical slides.
        """
        box = element.parent
        if box is None or not self._has_slide_to_come(box, element.tag):
            return False
        if any(_is_present(node.attrs.get("class", "")[:_MAX_NAMES]) for node in self._visible_siblings(element)):
            return True
        deck = box.parent
        return box in self._hidden and deck is not None and self._has_slide_to_come(deck, box.tag)

    def _has_slide_to_come(self, box: Element, tag: str) -> bool:
        """Return whether one of the first children of a box with this tag has the class of a slide to come."""
        if (box, tag) not in self._is_deck_known:
            names = [node.attrs.get("class", "") for node in box.children[:_MAX_SIBLINGS] if node.tag == tag]
            self._is_deck_known[box, tag] = any(_waits(text[:_MAX_NAMES]) for text in names)
        return self._is_deck_known[box, tag]

    def _has_opener(self, element: Element, names: str) -> bool:
        """Return whether something near opens an element that is named as a panel.

        That is a sibling with one of its classes, any element before an answer, or a control in one of the two
        boxes around it.
        """
        row = self._row(element.parent) if element.parent is not None else _NO_ROW
        if any(row.class_counts.get(name, 0) > 1 for name in element.attrs.get("class", "").split()):
            return True
        if row.before.get(element) is not None and _NAMED_AS_ANSWER.search(names):
            return True
        return any(self._controls.are_in(box) for box in around(element, 2))

    def _is_labelled_by_button(self, element: Element) -> bool:
        """Return whether a button just before the element labels it, as in accordions of the ARIA practices guide.

        `<h3><button id=q1>...</button></h3><div role=region aria-labelledby=q1>`
        """
        label = element.attrs.get("aria-labelledby", "") if role_of(element.attrs) == "region" else ""
        button = self._button_before(element) if label else None
        return button is not None and button.attrs.get("id") == label

    def _is_folded_by_button(self, element: Element) -> bool:
        """Return whether an element without height follows a button that says that something is folded.

        `<button aria-expanded=false>...</button><div style="display: grid; grid-template-rows: 0fr">`
        """
        button = self._button_before(element) if self._hidden[element] == "height" else None
        return button is not None and "aria-expanded" in button.attrs and "aria-haspopup" not in button.attrs

    def _button_before(self, element: Element) -> Element | None:
        """Return the button just before the element, or the one that begins a heading there; None without one."""
        node = self._element_before(element)
        while node is not None and node.tag != "button":
            node = next((child for child in node.children[:_FEW_CHILDREN] if isinstance(child, Element)), None)
        return node

    def _has_words_for_eyes(self, element: Element) -> bool:
        """Return whether an element with aria-hidden has a class name, id or link, and more than one word.

        A single word may be the name of an icon in an icon font: `<i aria-hidden=true>close</i>`. A number never is.
        """
        has_name = not {"class", "id", "href"}.isdisjoint(element.attrs)
        if not has_name and not any("class" in child.attrs for child in element.children):
            return False
        return self._texts.has_words_or_digits(element)

    # --- Groups of panels ---

    def _groups(self, elements: list[Element]) -> tuple[set[Element], set[Element]]:
        """Return the elements that are answers below lines (7), and those that are slides (8) or cut short (9).

        An element without a class attribute has no form to share, unless it is a dd.
        """
        below_lines: dict[object, list[Element]] = {}  # form -> elements
        beside: dict[object, list[Element]] = {}  # parent and form -> elements
        for element in elements:
            if element.attrs.get("class") or element.tag == "dd":
                form = element.tag, element.attrs.get("class", ""), self._hidden[element]
                beside.setdefault((element.parent, form), []).append(element)
                if self._has_line_above(element):
                    below_lines.setdefault(form, []).append(element)
        answers: set[Element] = set()
        for alike in below_lines.values():
            if len(alike) >= MIN_ALIKE:
                answers.update(alike)
        slides: set[Element] = set()
        for alike in beside.values():  # one element of each group is tried
            are_slides = len(alike) >= MIN_ALIKE and self._has_visible_twin(alike[0])
            if are_slides or self._is_cut_short(alike[0]):
                slides.update(alike)
        return answers, slides

    def _has_line_above(self, element: Element) -> bool:
        """Return whether the element just before shows a short text."""
        before = self._element_before(element)
        if before is None or before in self._hidden:
            return False
        return MIN_LINE <= self._texts.length(before, most=MAX_LINE) <= MAX_LINE

    def _has_visible_twin(self, element: Element) -> bool:
        """Return whether a visible sibling has the element's tag, and one's class names include those of the other.

        Names that hide do not count: "slide hidden" and "slide active" are twins.
        """
        names = set(element.attrs.get("class", "").split())
        if self._hidden[element] == "class":
            names = {name for name in names if "hid" not in name and "none" not in name and "invis" not in name}
        if not names:
            return False
        for node in self._visible_siblings(element):
            shown = set(node.attrs.get("class", "").split())
            if names <= shown or (shown and shown <= names):
                return True
        return False

    def _is_cut_short(self, whole: Element) -> bool:
        """Return whether a visible sibling shows only the beginning of the element's text."""
        beginning = ""
        for node in self._visible_siblings(whole)[:_FEW_SIBLINGS]:
            beginning = beginning or _beginning(whole)[:MIN_DISTINCT]
            if len(beginning) == MIN_DISTINCT and _beginning(node).startswith(beginning):
                return self._texts.length(whole) > self._texts.length(node) + MIN_DISTINCT
        return False

    def _visible_siblings(self, element: Element) -> list[Element]:
        """Return the visible siblings with the element's tag."""
        siblings = element.parent.children[:_MAX_SIBLINGS] if element.parent is not None else []
        return [node for node in siblings if node.tag == element.tag and node not in self._hidden]  # type: ignore[misc]

    def _element_before(self, element: Element) -> Element | None:
        """Return the sibling element just before, scripts skipped."""
        parent = element.parent
        return self._row(parent).before.get(element) if parent is not None else None

    def _row(self, parent: Element) -> _Row:
        """Return what is known of the children of an element; the first call goes over them."""
        if parent not in self._rows:
            row = self._rows[parent] = _Row({}, {})
            last: Element | None = None
            for node in parent.children:
                row.before[node] = last
                if isinstance(node, Element) and node.tag not in SILENT:
                    last = node
                    for name in node.attrs.get("class", "").split():
                        row.class_counts[name] = row.class_counts.get(name, 0) + 1
        return self._rows[parent]


def _beginning(element: Element) -> str:
    """Return the first text of an element, about MAX_LINE characters. Cost: a constant."""
    texts: list[str] = []
    for node in islice(nodes_below(element), _MAX_SIBLINGS):
        if node.tag is None:
            texts.append(node.text.strip()[:MAX_LINE])
        if sum(map(len, texts)) >= MAX_LINE:
            break
    return " ".join(filter(None, texts))
