"""Hidden text that a reader gets to see: panels of tabs, accordions, answers, "read more". In: the tree and what it
hides. Out: the elements that count as content all the same.

A panel is known by what opens it: a control that names it (aria-controls, data-bs-target, a link to its id), its role,
the words that authors call such things by, by standing again and again under a short visible line, as answers stand
under questions, or again and again beside a visible element of its form, as the other slides stand beside the first.
What opens over the page (menus, dialogs, tooltips, popovers) is none, and neither is a list of links, a copy of visible
text, or a text that no control shows: that is how prompts are hidden. Specification: WAI-ARIA 1.2 (tabpanel,
aria-controls), HTML section 6.1 (hidden); the words are this module's.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from itertools import islice

from webtool.css.elements import TARGETS, PageElements
from webtool.html.elements import HEADINGS
from webtool.html.node import SILENT, Element, Node, around, nodes_below, short_text
from webtool.lean import patterns
from webtool.visibility import pictures, reasons
from webtool.visibility.overlays import is_in_overlay, is_overlay, names_of

_CLOSED = reasons.UNDONE_BY_SCRIPTS | {"height"}  # accordions that open with an animation have a height of 0
_named_as_panel = patterns.Worded(
    "tab|accordion|accordeon|collaps|panel|faq|answer|toggle|expand|spoiler|more|truncat|fold|content|slide|variant|"
    "descri|detail|gform_wrapper|rs-module",
    r"(?i)tab|accordion|accordeon|collaps|panel|faq|answer|toggle|expand|spoiler|read-?more|show-?more|more-?text|"
    r"truncat|fold|content|slide|variant|descri|detail|gform_wrapper|rs-module",
).search
# Of these, what is called so by the line above it, and what scripts show as soon as they run.
_named_as_answer = patterns.compile(r"(?i)accord|collaps|faq|answer|toggle|expand|spoiler|more|truncat").search
_named_as_late = patterns.compile(r"gform_wrapper|rs-module").search
_named_as_control = patterns.compile(r"(?i)btn|button|toggle|more|tab|accordion|trigger|arrow|slick|swiper|next").search
_named_as_tabs = patterns.compile(
    r"(?i)(?:^|[\s_-])(?:tabs?|tab-?(?:list|nav|bar|menu|links?|titles?|set))(?:$|[\s_-])"
).search
_INLINE = frozenset(("i", "span", "svg", "em", "b", "sup", "small"))
_MAX_STEPS = 1_000_000  # nodes that are looked at for one document's panels: one may stand in another
_MAX_AROUND = 30  # ancestors that are asked whether they are an overlay or the page's header
_TABS_ABOVE = 3  # elements between a link and the list of tabs that it is in
_MAX_IDS = 8  # that one control may name
_MAX_TEXT = 2000  # characters of a line above a panel that are looked at
_LONG = 24  # characters of a text that stands for itself: shorter ones ("Add to cart") repeat by chance
_MAX_SIBLINGS = 200  # that are looked at for one that shows
_FEW_SIBLINGS = 8  # that are asked whether they are the beginning of a text
_SAME = 3  # how often panels of one form stand under a line of their own
_LINKED = 0.7  # share of the text in links that makes a menu
_FEW = 3000  # characters of visible text up to which a page may be waiting for its scripts
_TIMES, _MUCH = 2, 400  # it is, when it hides this many times as much and this many characters more
_SHORT = 60  # characters of a price or a label that is said twice
_LINE = (2, 200)  # characters of the line above a panel


def _opens(element: Element) -> bool:
    attrs = element.attrs
    if (
        element.tag in ("button", "summary", "label")
        or _is_control(attrs)
        or "aria-controls" in attrs
        or "onclick" in attrs
    ):
        return True
    if element.tag == "a" and attrs.get("href", "").startswith(("#", "javascript")):
        return True
    return "class" in attrs and bool(_named_as_control(attrs["class"][:400]))


class Panels:
    """The panels of one document. Cost: a walk over the tree, and each hidden element's text once."""

    def __init__(self, root: Element, page: PageElements, hidden: Mapping[Element, str]) -> None:
        self._root = root
        self._page = page
        self._hidden = hidden
        self._controlled: set[str] | None = None
        self._visible: set[str] | None = None
        self._steps = _MAX_STEPS
        self._controls: dict[Element, bool] = {}
        self._before: dict[Element, dict[Node, Node | None]] = {}  # by parent: each child's element before it
        self._counts: dict[Element, dict[str, int]] = {}  # by parent: how many children have a class

    def among(self, elements: list[Element]) -> list[Element]:
        """Those of the hidden elements that are panels."""
        candidates = [element for element in elements if self._may_open(element)]
        opened = {element for element in candidates if self._is_named(element)}
        twins: set[Element] = set()
        below: dict[object, list[Element]] = {}  # by form: those under a line of their own
        beside: dict[object, list[Element]] = {}  # by parent and form
        for element in candidates:
            if (element.attrs.get("class") or element.tag == "dd") and element not in opened:
                form = self._form(element)
                beside.setdefault((element.parent, form), []).append(element)
                if self._line_above(element):
                    below.setdefault(form, []).append(element)
        for alike in below.values():
            opened.update(alike if len(alike) >= _SAME else ())
        for alike in beside.values():
            if (len(alike) >= _SAME and self._has_visible_twin(alike[0])) or self._is_cut_short(alike[0]):
                twins.update(alike)
        found = [
            element
            for element in candidates
            if (element in opened or element in twins) and not self._is_menu_or_copy(element, may_link=element in twins)
        ]
        silent = [node for node in elements if self._hidden[node] == "aria-hidden"]
        unseen = self._hidden.keys() - set(silent)
        told = [
            node for node in elements if self._hidden[node] in reasons.FOR_EARS and pictures.is_needed(node, unseen)
        ]
        return self._said_once(found + told, silent)

    def _said_once(self, found: list[Element], silent: list[Element]) -> list[Element]:
        """Of what is said twice, for those who see and for those who hear, one: the one for those who hear is written
        as a text, the other often in parts, "$", "24" and a small "50". Where it says more, "per month" for "/month",
        it is the one that is seen."""
        wanted = dict.fromkeys(found)
        for element in silent:
            said = self._twin(element)
            if said is not None:
                wanted.pop(element, None)
                if said in self._hidden:
                    wanted[said] = None
        return list(wanted)

    def _twin(self, element: Element) -> Element | None:
        """A short sibling with the same letters or figures, hidden at most from those who see, or a heading that says
        more; the element itself where another sibling only says it at greater length."""
        text = _said(element)
        wanted = _letters(text)
        siblings = element.parent.children if element.parent is not None and wanted else ()
        is_told = False
        for node in siblings[:_FEW_SIBLINGS]:
            if node is element or node.tag is None or node.tag in SILENT:
                continue
            reason, said = self._hidden.get(node), _said(node)  # type: ignore[arg-type]
            if _letters(said) == wanted and (reason is None or (reason == "class" and "style" not in element.attrs)):
                if self._length(node, self._hidden) >= len(wanted):  # type: ignore[arg-type]
                    is_whole = reason is not None and _is_whole(element, text, said)
                    return element if is_whole else node  # type: ignore[return-value]
            elif reason is not None and reason not in reasons.SILENT and _says(said, text):
                if node.tag in HEADINGS:  # a heading is one as a whole only
                    return node  # type: ignore[return-value]
                is_told = True
        return element if is_told and "style" not in element.attrs else None

    def of_empty_page(self) -> list[Element]:
        """What scripts will show of a page that shows next to nothing before they have run; nothing of other pages."""
        shown = self._length(self._root, self._hidden, _FEW)
        if shown > _FEW:
            return []
        later = [
            element
            for element, reason in self._hidden.items()
            if reason in reasons.UNDONE_BY_SCRIPTS and not is_overlay(element)
        ]
        later = [element for element in later if not self._is_menu_or_copy(element)]
        return later if sum(self._length(element, ()) for element in later) > _TIMES * shown + _MUCH else []

    def _form(self, element: Element) -> tuple[str, str, str]:
        """What the panels of one accordion have in common."""
        return element.tag, element.attrs.get("class", ""), self._hidden[element]

    def _has_visible_twin(self, element: Element) -> bool:
        """Whether a sibling that shows has its tag and its class names, but for one that hides or shows it."""
        names = set(element.attrs.get("class", "").split())
        if self._hidden[element] == "class":
            names = {name for name in names if "hid" not in name and "none" not in name and "invis" not in name}
        for node in self._visible_like(element) if names else ():
            shown = set(node.attrs.get("class", "").split())
            if names <= shown or (shown and shown <= names):
                return True
        return False

    def _is_cut_short(self, whole: Element) -> bool:
        """Whether a sibling that shows has the beginning of its text, and says that there is more."""
        beginning = ""
        for node in self._visible_like(whole)[:_FEW_SIBLINGS]:
            beginning = beginning or _beginning(whole)[:_LONG]
            if len(beginning) == _LONG and _beginning(node).startswith(beginning):
                return self._length(whole, ()) > self._length(node, ()) + _LONG
        return False

    def _visible_like(self, element: Element) -> list[Element]:
        """Siblings that show and have its tag."""
        siblings = element.parent.children[:_MAX_SIBLINGS] if element.parent is not None else []
        return [node for node in siblings if node.tag == element.tag and node not in self._hidden]  # type: ignore[misc]

    def _may_open(self, element: Element) -> bool:
        reason = self._hidden[element]
        if reason not in _CLOSED or (reason == "aria-hidden" and not self._length(element, (), 0)):  # an icon
            return False
        if element.attrs.get("role") != "tabpanel" and is_overlay(element) and not self._is_labelled_by_button(element):
            return False
        return not is_in_overlay(element)

    def _is_named(self, element: Element) -> bool:
        """Whether the element says itself that it is content which waits for a click or a script, or a control does.

        A name is not enough: something must open it.
        """
        attrs, reason = element.attrs, self._hidden[element]
        role = attrs.get("role")
        if role == "tabpanel" or (role == "region" and "aria-labelledby" in attrs):
            return True
        if reason == "visibility" and "-" in element.tag:
            return True  # ":not(:defined)": shown when the custom element is there
        is_silent = reason == "aria-hidden"
        if not is_overlay(element):
            if is_silent and element.tag not in _INLINE and ("class" in attrs or "id" in attrs):
                return True  # hidden from screen readers only: carousels and animations
            names = names_of(element)
            if _named_as_panel(names) and (is_silent or _named_as_late(names) or self._has_opener(element, names)):
                return True
        if is_silent:
            return self._is_only_silent(element)
        return bool(attrs.get("id")) and attrs["id"] in self._targets()

    def _has_opener(self, element: Element, names: str) -> bool:
        """Whether a control is in the box around it or in the one around that, or a sibling has one of its classes; a
        line above is enough for what is called an answer."""
        before = self._element_before(element)
        counts = self._counts.get(element.parent, {}) if element.parent is not None else {}
        if any(counts[name] > 1 for name in element.attrs.get("class", "").split() if name in counts):
            return True
        if before is not None and _named_as_answer(names):
            return True
        return any(self._has_control(box) for box in around(element, 2))

    def _is_labelled_by_button(self, element: Element) -> bool:
        """Whether a button just before gives it its name, as in an accordion by the ARIA Authoring Practices."""
        name = element.attrs.get("aria-labelledby", "") if element.attrs.get("role") == "region" else ""
        found = self._element_before(element) if name else None
        while found is not None and found.tag != "button":
            found = next((node for node in found.children[:_FEW_SIBLINGS] if node.tag is not None), None)  # type: ignore[assignment]
        return found is not None and found.attrs.get("id") == name

    def _element_before(self, element: Element) -> Element | None:
        """The element just before, scripts passed over. One pass over each parent's children."""
        parent = element.parent
        if parent is None:
            return None
        if parent not in self._before:
            before = self._before[parent] = {}
            counts = self._counts[parent] = {}
            last: Node | None = None
            for node in parent.children:
                before[node] = last
                if node.tag is not None and node.tag not in SILENT:
                    last = node
                    for name in node.attrs.get("class", "").split() if node.attrs else ():
                        counts[name] = counts.get(name, 0) + 1
        return self._before[parent].get(element)  # type: ignore[return-value]

    def _has_control(self, box: Element) -> bool:
        """Whether one of the first elements in it is a control, by its tag, its attributes or its name."""
        if box not in self._controls:
            self._controls[box] = any(
                node.tag is not None and node.tag not in SILENT and node not in self._hidden and _opens(node)  # type: ignore[arg-type]
                for node in islice(nodes_below(box, self._hidden), _MAX_SIBLINGS)
            )
        return self._controls[box]

    def _targets(self) -> set[str]:
        """The ids that controls name, without those of menus."""
        if self._controlled is None:
            self._controlled = set()
            for node in self._page.notable:
                attrs = node.attrs
                for name in () if "aria-haspopup" in attrs else TARGETS.intersection(attrs):
                    self._controlled.update(word.lstrip("#") for word in attrs[name][:500].split()[:_MAX_IDS])
            for node in self._page.by_type.get("a", ()):
                attrs = node.attrs
                is_inside = attrs.get("href", "")[:1] == "#" and "aria-haspopup" not in attrs
                if is_inside and (_is_control(attrs) or _is_in_tabs(node)):
                    self._controlled.add(attrs["href"][1:])
        return self._controlled

    def _is_menu_or_copy(self, element: Element, *, may_link: bool = False) -> bool:
        """Whether nearly all its text is links (unless it `may_link`), or stands elsewhere on the page too."""
        length = linked = copied = long = 0
        for node in nodes_below(element):
            self._steps -= 1
            if self._steps < 0:
                return True
            if node.tag is None:
                text = node.text.strip()
                length += len(text)
                if len(text) >= _LONG:
                    long += len(text)
                    copied += len(text) if text in self._texts() else 0
            elif node.tag == "a":
                linked += self._length(node, ())  # type: ignore[arg-type]
        if not length:
            return True
        is_menu = linked > length * _LINKED and not may_link and element.attrs.get("role") != "tabpanel"
        return is_menu or (copied > long * 0.8 and long > length * 0.5)

    def _texts(self) -> set[str]:
        """The longer texts that are visible."""
        if self._visible is None:
            below = nodes_below(self._root, self._hidden)
            texts = [node.text for node in below if node.tag is None and len(node.text) >= _LONG]
            self._visible = set(map(str.strip, texts))
        return self._visible

    def _is_only_silent(self, element: Element) -> bool:
        """Whether an element with aria-hidden is seen by all who see: it was designed (class names), and has words.

        A word alone may be the name of an icon in its font.
        """
        if {"class", "id", "href"}.isdisjoint(element.attrs) and not any(
            "class" in one.attrs for one in element.children
        ):
            return False
        words = 0
        for node in nodes_below(element):
            self._steps -= 1
            if node.tag is None:
                text = node.text[:_MAX_TEXT]
                words += 2 if any(map(str.isdigit, text)) else len(text.split())
            if words > 1 or self._steps < 0:
                break
        return words > 1

    def _line_above(self, element: Element) -> bool:
        """Whether a short text shows in the element just before it."""
        found = self._element_before(element)
        if found is None or found in self._hidden:
            return False
        return _LINE[0] <= self._length(found, (), _LINE[1]) <= _LINE[1]

    def _length(self, element: Element, hidden: Container[Element], most: float = float("inf")) -> int:
        """How many characters of text are in an element, without what is hidden; counting ends above `most`."""
        length = 0
        stack = [element]
        while stack and length <= most and self._steps >= 0:
            nodes = stack.pop().children
            self._steps -= len(nodes)
            for node in nodes:
                if node.tag is None:
                    length += len(node.text.strip())
                elif node.children and node.tag not in SILENT and node not in hidden:
                    stack.append(node)  # type: ignore[arg-type]
        return length


def _said(node: Node) -> str:
    return short_text(node).strip().lower()  # type: ignore[arg-type]


def _letters(text: str) -> str:
    """The figures of a short text, or its letters where it has no figures; "" for a longer one."""
    if len(text) > _SHORT:
        return ""
    return "".join(filter(str.isdigit, text)) or _joined(text)


def _is_whole(element: Element, text: str, longer: str) -> bool:
    """Whether a longer text only puts words around a shorter one: not where that stands in parts, "$24" and a small
    "50", or goes on with a sign, "Up to 50" with "%"."""
    if len(_joined(longer)) <= len(_joined(text)):
        return False
    if sum(any(map(str.isdigit, node.text)) for node in nodes_below(element) if node.tag is None) > 1:
        return False
    behind = " ".join(longer.split()).partition(" ".join(text.split()))[2]
    return not behind or behind[0] in " .,;"


def _says(longer: str, text: str) -> bool:
    """Whether a text has another's letters in a row, or its first word: "12 January" and "12 Jan"."""
    if not 0 < len(text) <= len(longer) <= _SHORT:
        return False
    return _joined(text) in _joined(longer) or (" " in text and longer.split()[0] == text.split()[0])


def _joined(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _beginning(element: Element) -> str:
    """The first of an element's text. Cost: a constant."""
    texts: list[str] = []
    for node in islice(nodes_below(element), _MAX_SIBLINGS):
        if node.tag is None:
            texts.append(node.text.strip()[: _LINE[1]])
        if sum(map(len, texts)) >= _LINE[1]:
            break
    return " ".join(filter(None, texts))


def _is_control(attrs: dict[str, str]) -> bool:
    if attrs.get("role") in ("tab", "button") or "aria-expanded" in attrs:
        return True
    return any(name in attrs for name in ("data-toggle", "data-bs-toggle", "aria-selected"))


def _is_in_tabs(link: Element) -> bool:
    """Whether a link is an entry of a list of tabs."""
    for box in around(link, _TABS_ABOVE):
        if box.attrs and (box.attrs.get("role") == "tablist" or _named_as_tabs(names_of(box))):
            return True
    return False
