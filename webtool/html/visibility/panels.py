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

from webtool.html.elements import HEADINGS
from webtool.html.node import Element, Node, elements, short_text
from webtool.lean import patterns

# Ways of hiding that scripts undo. The others (tiny, transparent, off the screen) are never undone.
UNDONE = frozenset(("hidden", "aria-hidden", "display", "visibility", "opacity", "class"))
_CLOSED = UNDONE | {"height"}  # a height of 0 is how accordions close with an animation
_named_as_panel = patterns.compile(
    r"(?i)tab|accordion|accordeon|collaps|panel|faq|answer|toggle|expand|spoiler|read-?more|show-?more|more-?text|"
    r"truncat|fold|content|slide|variant|descri|detail|gform_wrapper|rs-module"
).search
# Of these, what is called so by the line above it, and what scripts show as soon as they run.
_named_as_answer = patterns.compile(r"(?i)accord|collaps|faq|answer|toggle|expand|spoiler|more|truncat").search
_named_as_late = patterns.compile(r"gform_wrapper|rs-module").search
_named_as_control = patterns.compile(r"(?i)btn|button|toggle|more|tab|accordion|trigger|arrow|slick|swiper|next").search
_named_as_tabs = patterns.compile(
    r"(?i)(?:^|[\s_-])(?:tabs?|tab-?(?:list|nav|bar|menu|links?|titles?|set))(?:$|[\s_-])"
).search
_named_as_overlay = patterns.compile(
    r"(?i)menu|nav|modal|popup|popover|dialog|overlay|cookie|consent|tooltip|toast|search|drawer|dropdown|"
    r"offcanvas|login|signup|paging|paginat|banner|lightbox|share|clone|autocomplete|suggest|minicart|screen-?reader|sr-only|visually|(?<![a-z])mm-"
).search
_OVERLAY_ROLES = frozenset((
    "dialog", "alertdialog", "tooltip", "menu", "menubar", "listbox", "alert", "status", "navigation", "search",
    "combobox", "banner", "log", "progressbar",
))  # fmt: skip
_NOT_FOR_EARS = frozenset((None, "aria-hidden", "hidden", "display", "visibility", "popover"))
"""Ways of not hiding, and of hiding that hide from screen readers too."""
_SILENT = frozenset(("script", "style", "template", "noscript", "head", "title", "#comment", "!doctype"))
_INLINE = frozenset(("i", "span", "svg", "em", "b", "sup", "small"))
_TARGETS = frozenset(("aria-controls", "data-target", "data-bs-target", "data-toggle-target", "data-controls"))
_MAX_STEPS = 1_000_000  # nodes that are looked at for one document's panels: one may stand in another
_MAX_NAMES = 5000  # whose answer is remembered
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


_overlays: dict[str, bool] = {}  # pages repeat their class attributes; to match one takes ten times as long


def is_overlay(element: Element) -> bool:
    """Whether an element is called what opens over a page, or has its role."""
    attrs = element.attrs
    if "role" in attrs and attrs["role"].strip().lower() in _OVERLAY_ROLES:
        return True
    names = names_of(element)
    found = _overlays.get(names)
    if found is None:
        if len(_overlays) > _MAX_NAMES:
            _overlays.clear()
        found = _overlays[names] = bool(_named_as_overlay(names))
    return found


def is_panel(element: Element, reason: str, openers: Openers) -> bool:
    """Whether a hidden element says itself that it is content which waits for a click or a script.

    A name is not enough: something must open it.
    """
    if reason not in UNDONE:
        return False
    attrs = element.attrs
    if attrs.get("role") == "tabpanel":
        return True
    if reason == "visibility" and "-" in element.tag:
        return True  # ":not(:defined)": shown when the custom element is there
    if is_overlay(element):
        return False
    if reason == "aria-hidden" and element.tag not in _INLINE and ("class" in attrs or "id" in attrs):
        return True  # hidden from screen readers only: carousels and animations
    names = names_of(element)
    if not _named_as_panel(names):
        return False
    return reason == "aria-hidden" or bool(_named_as_late(names)) or openers.has_opener(element, names)


class Openers:
    """What opens the panels of one document: looked for once around each. Cost: a constant for each element around."""

    def __init__(self, hidden: Container[Element]) -> None:
        self._hidden = hidden
        self._controls: dict[Element, bool] = {}
        self._before: dict[Element, dict[Node, Node | None]] = {}  # by parent: each child's element before it
        self._counts: dict[Element, dict[str, int]] = {}  # by parent: how many children have a class

    def has_opener(self, element: Element, names: str) -> bool:
        """Whether a control is in the box around it or in the one around that, or a sibling has one of its classes; a
        line above is enough for what is called an answer."""
        parent = element.parent
        if parent is None:
            return False
        self.before(element)
        counts = self._counts[parent]
        if any(counts[name] > 1 for name in element.attrs.get("class", "").split()):
            return True
        if _named_as_answer(names) and self.before(element) is not None:
            return True
        return self._has_control(parent) or (parent.parent is not None and self._has_control(parent.parent))

    def is_labelled_by_button(self, element: Element) -> bool:
        """Whether a button just before gives it its name, as in an accordion by the ARIA Authoring Practices."""
        name = element.attrs.get("aria-labelledby", "") if element.attrs.get("role") == "region" else ""
        found = self.before(element) if name else None
        while found is not None and found.tag != "button":
            found = next((node for node in found.children[:_FEW_SIBLINGS] if node.tag is not None), None)  # type: ignore[assignment]
        return found is not None and found.attrs.get("id") == name

    def before(self, element: Element) -> Element | None:
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
                if node.tag is not None and node.tag not in _SILENT:
                    last = node
                    for name in node.attrs.get("class", "").split() if node.attrs else ():
                        counts[name] = counts.get(name, 0) + 1
        return self._before[parent].get(element)  # type: ignore[return-value]

    def _has_control(self, around: Element) -> bool:
        """Whether one of the first elements in it is a control, by its tag, its attributes or its name."""
        found = self._controls.get(around)
        if found is None:
            found, seen, stack = False, 0, list(around.children[:_MAX_SIBLINGS])
            while stack and seen < _MAX_SIBLINGS and not found:
                node = stack.pop()
                seen += 1
                if node.tag is not None and node.tag not in _SILENT and node not in self._hidden:
                    found = _opens(node)  # type: ignore[arg-type]
                    stack += node.children[:_MAX_SIBLINGS]
            self._controls[around] = found
        return found


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


def names_of(element: Element) -> str:
    attrs = element.attrs
    if not attrs:
        return ""
    return f"{attrs.get('class', '')} {attrs.get('id', '')} {attrs.get('data-testid', '')}"[:400]


class Panels:
    """The panels of one document. Cost: two walks over the tree, and each hidden element's text once."""

    def __init__(self, root: Element, hidden: Mapping[Element, str]) -> None:
        self._root = root
        self._hidden = hidden
        self._controlled: set[str] | None = None
        self._visible: set[str] | None = None
        self._steps = _MAX_STEPS
        self._openers = Openers(hidden)

    def among(self, elements: list[Element]) -> list[Element]:
        """Those of the hidden elements that are panels."""
        candidates = [element for element in elements if self._may_open(element)]
        opened = {element for element in candidates if self._is_named(element)}
        twins: set[Element] = set()
        below: dict[object, list[Element]] = {}  # by form: those under a line of their own
        beside: dict[object, list[Element]] = {}  # by parent and form
        for element in candidates:
            if element.attrs.get("class") and element not in opened:
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
        return self._said_once(found, [node for node in elements if self._hidden[node] == "aria-hidden"])

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
        wanted, text = _letters(element), short_text(element).strip().lower()
        siblings = element.parent.children if element.parent is not None and wanted else ()
        is_told = False
        for node in siblings[:_FEW_SIBLINGS]:
            if node is element or node.tag is None or node.tag in _SILENT:
                continue
            reason = self._hidden.get(node)  # type: ignore[arg-type]
            if _letters(node) == wanted and (reason is None or (reason == "class" and "style" not in element.attrs)):
                if self._length(node, self._hidden) >= len(wanted):  # type: ignore[arg-type]
                    return node  # type: ignore[return-value]
            elif reason not in _NOT_FOR_EARS and _says(short_text(node).strip().lower(), text):  # type: ignore[arg-type]
                if node.tag in HEADINGS:  # a heading is one as a whole only
                    return node  # type: ignore[return-value]
                is_told = True
        return element if is_told and "style" not in element.attrs else None

    def page(self) -> list[Element]:
        """What scripts will show of a page that shows next to nothing before they have run; nothing of other pages."""
        shown = self._length(self._root, self._hidden, _FEW)
        if shown > _FEW:
            return []
        later = [element for element, reason in self._hidden.items() if reason in UNDONE and not is_overlay(element)]
        later = [element for element in later if not self._is_menu_or_copy(element)]
        return later if sum(self._length(element, ()) for element in later) > _TIMES * shown + _MUCH else []

    def _form(self, element: Element) -> tuple[str, str, str]:
        """What the panels of one accordion have in common."""
        return element.tag, element.attrs.get("class", ""), self._hidden[element]

    def _has_visible_twin(self, element: Element) -> bool:
        """Whether a sibling that shows has its tag and its class names, but for one that hides or shows it."""
        names = set(element.attrs["class"].split())
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
        around = element.parent.children[:_MAX_SIBLINGS] if element.parent is not None else []
        return [node for node in around if node.tag == element.tag and node not in self._hidden]  # type: ignore[misc]

    def _may_open(self, element: Element) -> bool:
        if self._hidden[element] not in _CLOSED:
            return False
        if element.attrs.get("role") != "tabpanel" and is_overlay(element):
            return self._openers.is_labelled_by_button(element) and not is_in_overlay(element)
        return not is_in_overlay(element)

    def _is_named(self, element: Element) -> bool:
        """Whether the element's own words, its role or a control name it as a panel."""
        attrs, reason = element.attrs, self._hidden[element]
        if is_panel(element, "display" if reason == "height" else reason, self._openers):
            return True
        if attrs.get("role") == "region" and "aria-labelledby" in attrs:
            return True
        if "aria-hidden" in attrs and reason == "aria-hidden":
            return self._is_only_silent(element)
        return bool(attrs.get("id")) and attrs["id"] in self._targets()

    def _targets(self) -> set[str]:
        """The ids that controls name, without those of menus."""
        if self._controlled is None:
            self._controlled = set()
            for node in elements(self._root):
                attrs = node.attrs
                if not attrs or "aria-haspopup" in attrs:
                    continue
                for name in () if _TARGETS.isdisjoint(attrs) else _TARGETS.intersection(attrs):
                    self._controlled.update(word.lstrip("#") for word in attrs[name][:500].split()[:_MAX_IDS])
                if node.tag == "a" and attrs.get("href", "")[:1] == "#" and (_is_control(attrs) or _is_in_tabs(node)):
                    self._controlled.add(attrs["href"][1:])
        return self._controlled

    def _is_menu_or_copy(self, element: Element, *, may_link: bool = False) -> bool:
        """Whether nearly all its text is links (unless it `may_link`), or stands elsewhere on the page too."""
        length = linked = copied = long = 0
        stack: list[tuple[Node, bool]] = [(element, False)]
        while stack:
            outer, in_link = stack.pop()
            self._steps -= len(outer.children) + 1
            if self._steps < 0:
                return True
            for node in outer.children:
                tag = node.tag
                if tag is None:
                    text = node.text.strip()
                    size = len(text)
                    if size:
                        length += size
                        if in_link:
                            linked += size
                        if size >= _LONG:
                            long += size
                            copied += size if text in self._texts() else 0
                elif node.children and tag not in _SILENT:
                    stack.append((node, in_link or tag == "a"))
        if not length:
            return True
        is_menu = linked > length * _LINKED and not may_link and element.attrs.get("role") != "tabpanel"
        return is_menu or (copied > long * 0.8 and long > length * 0.5)

    def _texts(self) -> set[str]:
        """The longer texts that are visible."""
        if self._visible is None:
            self._visible = set()
            stack = [iter(self._root.children)]
            while stack:
                for node in stack[-1]:
                    if node.tag is None:
                        text = node.text.strip()
                        if len(text) >= _LONG:
                            self._visible.add(text)
                    elif node.children and node not in self._hidden and node.tag not in _SILENT:
                        stack.append(iter(node.children))
                        break
                else:
                    stack.pop()
        return self._visible

    def _is_only_silent(self, element: Element) -> bool:
        """Whether an element with aria-hidden is seen by all who see: it was designed (class names), and has words.

        A word alone may be the name of an icon in its font.
        """
        designed = not {"class", "id", "href"}.isdisjoint(element.attrs)
        for node in element.children:
            designed = designed or "class" in node.attrs
        if not designed:
            return False
        words, stack = 0, [iter(element.children)]
        while stack and self._steps > 0:
            for node in stack[-1]:
                self._steps -= 1
                if node.tag is None:
                    text = node.text[:_MAX_TEXT]
                    words += 2 if any(map(str.isdigit, text)) else len(text.split())
                    if words > 1:
                        return True
                elif node.children:
                    stack.append(iter(node.children))
                    break
            else:
                stack.pop()
        return False

    def _line_above(self, element: Element) -> bool:
        """Whether a short text shows in the element just before it."""
        found = self._openers.before(element)
        if found is None or found in self._hidden:
            return False
        return _LINE[0] <= self._length(found, (), _LINE[1]) <= _LINE[1]

    def _length(self, element: Element, hidden: Container[Element], most: float = float("inf")) -> int:
        """How many characters of text are in an element, without what is hidden; counting ends above `most`."""
        length = 0
        stack = [iter(element.children)]
        while stack and length <= most:
            for node in stack[-1]:
                self._steps -= 1
                if node.tag is None:
                    length += len(node.text.strip())
                elif node.children and node.tag not in _SILENT and node not in hidden:
                    stack.append(iter(node.children))
                    break
            else:
                stack.pop()
            if self._steps < 0:
                break
        return length


def _letters(node: Node) -> str:
    """The figures of a short text, or its letters where it has no figures; "" for a longer one."""
    text = short_text(node).strip().lower()  # type: ignore[arg-type]
    if len(text) > _SHORT:
        return ""
    return "".join(filter(str.isdigit, text)) or _joined(text)


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
    stack, seen = list(reversed(element.children)), 0
    while stack and seen < _MAX_SIBLINGS and sum(map(len, texts)) < _LINE[1]:
        node = stack.pop()
        seen += 1
        if node.tag is None:
            texts.append(node.text.strip()[: _LINE[1]])
        elif node.tag not in _SILENT:
            stack += reversed(node.children[:_MAX_SIBLINGS])
    return " ".join(filter(None, texts))


def _is_control(attrs: dict[str, str]) -> bool:
    if attrs.get("role") in ("tab", "button") or "aria-expanded" in attrs:
        return True
    return any(name in attrs for name in ("data-toggle", "data-bs-toggle", "aria-selected"))


def _is_in_tabs(link: Element) -> bool:
    """Whether a link is an entry of a list of tabs."""
    around = link.parent
    for _ in range(_TABS_ABOVE):
        if around is None:
            break
        if around.attrs and (around.attrs.get("role") == "tablist" or _named_as_tabs(names_of(around))):
            return True
        around = around.parent
    return False


def is_in_overlay(element: Element) -> bool:
    """Whether something around it opens over the page, or is the page's header or navigation."""
    around, steps = element.parent, 0
    while around is not None and steps < _MAX_AROUND:
        role = around.attrs.get("role")
        if around.tag in ("nav", "dialog") or (role in _OVERLAY_ROLES and role != "listbox"):  # filters are listboxes
            return True
        if around.tag == "header" and around.parent is not None and around.parent.tag in ("body", "div"):
            return True
        if around.tag in ("article", "main"):
            return False
        around, steps = around.parent, steps + 1
    return False
