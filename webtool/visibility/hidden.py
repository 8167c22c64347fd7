"""Which elements a page hides. Tree in, the hidden elements with the reason out; nothing is changed.

Seen are the hidden and aria-hidden attributes, inline styles, the simple rules of style elements (sheets.py) and
the usual class names. Without layout some things stay guesses; where one would swallow the page, the text stays: a
container that holds most of the text is not hidden (pages fade in by script), and something inside a hidden container
that makes itself visible again brings it back. Specification: HTML section 15.3.1, CSS Display 3, CSS Color 4, CSS
Transforms 1; sizes that count as invisible are this module's.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import islice

from webtool.css.declarations import Style, style_of
from webtool.css.sheets import read_sheets
from webtool.html.elements import HEADINGS
from webtool.html.node import SILENT, Document, Element, Node, around, elements, nodes_below, walk
from webtool.lean import patterns
from webtool.lean.memory import Remembered
from webtool.visibility.arranged import boxes_of
from webtool.visibility.grounds import MAX_STYLE, Grounds, attribute_colour, style_at
from webtool.visibility.panels import Panels, is_in_overlay, is_overlay

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.visibility.arranged import Page

_HIDING_CLASSES = frozenset((
    "assistive-text", "element-invisible", "element-hidden", "d-none", "invisible", "hidden", "is-hidden", "u-hidden",
    "a11y-hidden", "hidden-visually", "offscreen", "off-screen", "show-for-sr", "aok-hidden", "clipped", "sr-clipped",
    "mw-jump-link", "gform_validation_container", "gfield_visibility_hidden", "gform_hidden",
    "wpforms-field-hp", "honeypot",
))  # fmt: skip
# What screen readers alone are to say, whatever a framework puts before and behind: wt-cli-sr-only. XenForo's u-srOnly
# stays: it names who began a thread. Links that skip the navigation are seen by nobody who did not ask for them.
_for_ears = patterns.Worded(
    "sr-only|sr_only|screenreader|screen-reader|visually|skip",
    r"^(?:[\w-]*[_-]|is|u)?(?<!not-)(?:sr[_-]only|screen-?readers?(?:-?only)?(?:-?text)?|visually-?hidden)"
    r"(?:-(?:text|focusable))?(?:_[\w-]+)?$|^(?:[\w-]*[_-])?skip[_-]?(?:links?|to|nav)(?:[_-][\w-]*)?$",
)
# "hidden md:block", "d-none d-lg-flex": hidden on small screens only.
_shown_again = patterns.compile(
    r"(?i)(?:^|\s)(?:(?:sm|md|lg|xl|2xl|print|group-[a-z]+)\\?:(?:block|flex|grid|inline|table|contents|visible|not-sr-only)"
    r"|d-(?:sm|md|lg|xl|xxl)-(?:block|flex|grid|inline|table)|show\b|active\b|in\b)"
).search
# Attributes and classes by which scripts of fade-in effects find what they will show.
_ANIMATED = (
    "data-aos", "data-w-id", "data-animate", "data-animation", "data-framer-appear-id", "data-scroll", "data-sal",
)  # fmt: skip
_animated_class = patterns.compile(r"(?i)(?:^|[\s_-])(?:wow|aos|fade|reveal|animat\w*|animate__\w+|lazy\w*)").search
_GRAPHICS = ("svg", "foreignObject")
_WHOLLY = frozenset(
    ("hidden", "display", "popover")
)  # nothing inside can show itself, and no page shows them later as a whole
# What does nothing to an inline element in a line, and the elements that are such.
_OF_BOXES = frozenset(("size", "height", "transform", "scale", "translate", "rotate", "margin-top"))
_INLINE = frozenset(("span", "a", "b", "i", "em", "strong", "small", "code", "u", "s", "cite", "abbr", "label", "font"))
_REPLACED = frozenset(("img", "video", "iframe", "canvas", "embed", "object"))  # what shows is no text of the page
_SEEN = _REPLACED | {"svg"}
_MOVED = frozenset(("position", "transform", "translate", "margin-left"))
_MAX_CAROUSEL = 3  # boxes around a slide that may be named as a carousel's
_is_carousel = patterns.compile(
    r"(?i)swiper|slick|splide|carousel|slider|slides|slideshow|glide|flickity|embla|owl-stage|owl-item|(?<![a-z])track(?![a-z])"
).search
_SIGNS = frozenset(", . ; : / | \\ · • – — - > › » → & + ×".split())
_LEAVING_ROOM = frozenset(("color", "opacity", "visibility", "aria-hidden"))
_OF_TEXT = frozenset(("color", "font-size", "text-indent", "blur", "content"))
_NO_LENGTH = frozenset(("0", "0px", "1", "1px"))
_CELLS = frozenset(("td", "th", "tr", "tbody", "thead", "table"))  # as wide and high as what they hold
_MOST = 0.6  # share of the document's text that no element can hide
_ALMOST_NOTHING = 1000  # characters of visible text below which a page is built by scripts
_TIMES = 4  # how much more text than the rest a wholly hidden element must hold to be the page
_MAX_PANELS = 8  # panels in panels
_FEW = 40  # characters: below this there is no document to save
_FIRST = 40  # nodes among which a heading is looked for
_MAX_LABELLED = 3  # elements around whose label is looked at
_LABEL, _FIRST_TEXTS = 300, 200  # characters of a label and texts that it is compared with
_NAME = 40  # characters of a link's name


def take_marks(root: Document, mark: str) -> None:
    """Believe what a browser said: `mark` is an attribute that holds, on an element it does not show, the reason.

    The attribute is taken off. find_hidden() then answers from these reasons alone, without a guess.
    """
    seen: dict[Element, str] = {}
    for element in elements(root):
        if mark in element.attrs:
            seen[element] = element.attrs.pop(mark)
    root.unseen = seen


class Hidden(dict["Element", str]):
    """Hidden elements, each with its reason: hidden, aria-hidden, class, popover, size or a CSS property.

    `doubtful` may be hidden: where the page's declarations do not decide it, the text stays. `panels` were hidden, each
    for its reason, until find_hidden() was told to keep what a click opens.
    """

    def __init__(
        self,
        found: Mapping[Element, str],
        doubtful: Iterable[Element],
        panels: dict[Element, str],
        page: Page,
        grounds: Grounds | None = None,
    ) -> None:
        super().__init__(found)
        self._page = page
        self._grounds = grounds
        self.doubtful = [element for element in doubtful if element not in found]
        self.panels = panels

    def fill_of(self, element: Element) -> str:
        """What style sheets and its style attribute fill the letters of a graphic's text with."""
        return style_at(element, self._page[1]).get("fill", "")

    def blends(self, colour: str, element: Element) -> bool:
        """Whether the colour is that of what is behind the element."""
        return self._grounds is not None and self._grounds.hide(colour, element)

    def boxes(self, around: Container[Node] | None = None) -> dict[Element, str]:
        """What style sheets arrange otherwise than the tags say: see boxes_of()."""
        return boxes_of(*self._page, self, around)


def words_in(elements: Iterable[Element]) -> int:
    """How many words the elements hold that are no script."""
    return sum(len(node.text.split()) for element in elements for node in _shown_text(element))


def find_hidden(root: Element, *, keep_panels: bool = False) -> Hidden:
    """The hidden elements below `root`.

    What is in a wholly hidden element is not looked at. `keep_panels` leaves out what a reader opens with a click:
    tabs, accordions, answers. Linear in the size of the tree (style rules per element are bounded).
    """
    if isinstance(root, Document) and root.unseen is not None:
        sheet, _, page = read_sheets(root)
        panels = Panels(root, page, root.unseen).among(list(root.unseen)) if keep_panels else []
        found = dict(root.unseen)
        opened = {element: found.pop(element) for element in panels}
        return Hidden(found, (), opened, (page, sheet))
    search = _Search(root)
    search.walk(root)
    if keep_panels and search.found:
        search.open_panels(root)
    search.show_what_is_everything()
    return search.without_most()


class _Search:
    """One walk: collects what is hidden."""

    def __init__(self, root: Element) -> None:
        self.root = root
        self.sheet, has_links, self.page = read_sheets(root)
        self.is_whole = not has_links
        self.grounds = Grounds(self.sheet, self.is_whole)
        self.is_webflow = any("data-wf-page" in node.attrs for node in root.children if node.tag == "html")
        self.found: dict[Element, str] = {}
        self.closed: set[Node] = set()  # of these, what is wholly hidden
        self.open_soft: dict[str, list[Element]] = {"font-size": [], "visibility": [], "color": []}
        self.doubtful: list[Element] = []
        self.panels: dict[Element, str] = {}

        self.hit = self.sheet.hit(self.page) if self.sheet is not None else set()
        """Elements that rules match which hide something."""
        self.shown: set[Element] | None = None
        """Elements that rules make visible in what is not, once something is not."""
        self.judged: set[Node] = set()
        self.ways: set[Node] = set()
        """The elements in which some are judged."""
        self._judge_these(self.hit)
        self._judge_these(node for node in self.page.notable if _tells(node.attrs))
        self._judge_these(self._named_so())
        self._judge_these(self.page.by_type.get("dialog", ()))
        for tag in _GRAPHICS:
            self._judge_these(node for node in self.page.by_type.get(tag, ()) if _has_no_size(node.attrs))

    def _named_so(self) -> Iterator[Element]:
        """The elements that have class names which say that they are hidden."""
        page = self.page
        judge = _name_hides if _for_ears.may_be_in(" ".join(page.names_in).lower()) else _HIDING_CLASSES.__contains__
        hiding = {name for name in page.class_names if judge(name.lower())}
        for names, alike in page.by_classes.items() if hiding else ():
            if not hiding.isdisjoint(page.names_in[names]):
                yield from alike

    def _judge_these(self, elements: Iterable[Element]) -> None:
        judged, ways = self.judged, self.ways
        for node in elements:
            judged.add(node)
            at = node.parent
            while at is not None and at not in ways and at.tag not in SILENT:
                ways.add(at)
                at = at.parent

    def walk(self, root: Element) -> None:
        """Judge the elements below one that is looked into."""
        judged, ways, found, closed = self.judged, self.ways, self.found, self.closed
        small, unseen = self.open_soft["font-size"], self.open_soft["color"]
        stack: list[tuple[Iterator[Node], str | None, Element]] = [(iter(root.children), None, root)]
        while stack:
            rest, colour, element = stack[-1]
            for node in rest:
                is_open = small or unseen
                if not (node in ways or node in judged or is_open) or node.tag is None or node.tag in SILENT:
                    continue
                inner = colour
                if node in judged or is_open:
                    inner = self._enter(node, colour)  # type: ignore[arg-type]
                    if node in closed:
                        continue
                if node.children and (node in ways or small or unseen):
                    stack.append((iter(node.children), inner, node))  # type: ignore[arg-type]
                    break
                if node in found:
                    self._leave(node)
            else:
                stack.pop()
                if element in found:
                    self._leave(element)

    def _enter(self, element: Element, inherited: str | None) -> str | None:
        """Judge an element whose text inherits a colour; returns the colour for what is inside it."""
        attrs = element.attrs
        style = self._style_of(element)
        reason = self._by_attribute(element, style)
        colour = style.get("colour")
        if style:
            reason = reason or self._by_style(element, style)
            if "place" in style:
                reason = reason or self._by_place(element, style["place"])
            for name in ("font-size", "visibility"):
                if style.get(name) == "visible" and self.open_soft[name]:
                    self._bring_back(name)
        if element.tag == "font" and "color" in attrs:
            colour = colour or attribute_colour(attrs["color"])
        paints = "background" in style or "bgcolor" in attrs
        shown = colour or (inherited if paints else None)
        if shown:
            if self.grounds.hide(shown, element):
                reason = reason or "color"
            elif self.open_soft["color"]:
                self._bring_back("color")
        if reason in _OF_TEXT and element.tag in _REPLACED:
            return colour or inherited  # Next.js writes color:transparent at every picture
        if reason in _LEAVING_ROOM and _parts_words(element, reason):
            return colour or inherited
        if reason is not None:
            self.found[element] = reason
            if reason in _WHOLLY:
                self.closed.add(element)
            elif reason in self.open_soft:
                self.open_soft[reason].append(element)
                if reason == "visibility" and self.shown is None:
                    self.shown = self.sheet.shown_again(self.page) if self.sheet is not None else set()
                    self._judge_these(self.shown)
        return colour or inherited

    def _style_of(self, element: Element) -> Style:
        """What the rules that match and the style attribute mean together, as far as something may be hidden."""
        text = element.attrs.get("style", "")[:MAX_STYLE]
        own = _styles[text]
        sheet = self.sheet
        if sheet is None:
            return own
        soft = self.open_soft
        is_shown = soft["visibility"] and self.shown and element in self.shown
        if "var(" in text or element in self.hit or soft["font-size"] or soft["color"] or is_shown:
            return sheet.style_of(element, text)
        attrs = element.attrs
        if "colour" in own or "popover" in attrs or "hidden" in attrs or element.tag == "dialog":
            return sheet.style_of(element, text)
        return sheet.style_of(element, text, only_important=True) if "hides" in own else own

    def _by_attribute(self, element: Element, style: Style) -> str | None:
        attrs = element.attrs
        is_displayed = "display" in style  # the page's own rules win over the attribute's (HTML section 15.3.1)
        if "hidden" in attrs and attrs["hidden"].strip().lower() != "until-found" and not is_displayed:
            return "hidden"
        if "popover" in attrs and not is_displayed:  # HTML section 6.12: not displayed until it is asked for
            return "popover"
        if element.tag == "dialog" and "open" not in attrs and not is_displayed:
            return "display"
        if "aria-hidden" in attrs and attrs["aria-hidden"].strip().lower() == "true":
            return None if _is_said_by_label(element) else "aria-hidden"
        if "class" in attrs and _class_hides[attrs["class"]]:
            return "class"
        return "size" if element.tag in _GRAPHICS and _has_no_size(attrs) else None

    def _by_style(self, element: Element, style: Style) -> str | None:
        reason = style.get("hides")
        if reason is None:
            return "opacity" if self._is_animated_away(style) else None
        if reason == "rows":  # of no height: text of its own would hold them open, and boxes that clip theirs do not
            has_text = any(node.tag is None and not node.text.isspace() for node in element.children)
            return None if has_text else "height"
        if reason in ("size", "height") and element.tag in _CELLS:
            return None
        if reason == "pushed":  # what is placed stands elsewhere
            is_plain = all(node.tag is None or node.tag in _INLINE for node in nodes_below(element))
            return "height" if is_plain and element.tag not in _CELLS else None
        if reason == "backface-visibility" and any("back" in other for other in self._styles_beside(element)):
            return None  # the other side of the same thing, which turns, is not to be seen from behind either
        if reason == "beyond" and not any(map(_is_placed, self._styles_beside(element))):
            return "position"
        if reason == "beyond" or (reason in _MOVED and self._is_of_carousel(element, style)):
            return None
        if reason == "x-covered":
            return "position" if "position" in style and self._has_nothing_placed(element) else None
        if reason == "blur" and any(node.tag in _SEEN for node in islice(nodes_below(element), _FIRST)):
            return None  # a picture that comes later
        if reason in _OF_BOXES and element.tag in _INLINE and not self._is_box(element, style):
            self.doubtful.append(element)
            return None
        if reason == "text-indent" and element.tag in ("a", "button") and len(element.text.strip()) <= _NAME:
            return None  # a picture or a colour stands in its place: this is its name
        if reason not in ("opacity", "visibility", "transform", "scale", "translate", "position"):
            return reason
        if (reason in ("opacity", "visibility") and _is_animated(element)) or (
            reason == "opacity" and self._fades_in(element)
        ):
            self.doubtful.append(element)
            return None
        if "animation" not in style:
            return reason
        end = self._end_of(style["animation"])
        if end is None and not self.is_whole:  # it may come with a linked style sheet
            self.doubtful.append(element)
            return None
        return None if end and "animation-end" in style else reason

    def _by_place(self, element: Element, stands: str) -> str | None:
        """Whether an element is out of sight by where it stands, or lies over what is before it with nothing to see."""
        if stands != "over":
            return "position" if self.grounds.put_away(element, stands) else None
        siblings = element.parent.children if element.parent is not None else []
        if len(siblings) > _FEW or any(node.tag in _SEEN or node.text.strip() for node in nodes_below(element)):
            return None
        if "position" in style_at(element.parent, self.sheet):  # type: ignore[arg-type]
            for node in siblings[: siblings.index(element)]:
                if node.tag is not None and "stacking" not in style_at(node, self.sheet):  # type: ignore[arg-type]
                    self.found[node] = "position"  # type: ignore[index]
                    self.closed.discard(node)
        return None

    def _is_box(self, element: Element, style: Style) -> bool:
        """Whether an inline element has a box of its own, which has a size and a place (CSS Display 3 section 2.7)."""
        display = style.get("display", "")
        if (display and display not in ("inline", "contents")) or "float" in style:
            return True
        if style.get("position") in ("absolute", "fixed"):
            return True
        if not self.is_whole and "class" in element.attrs:
            return True  # a linked sheet may say so
        parent = element.parent
        display = style_at(parent, self.sheet).get("display", "") if parent is not None else ""
        return "flex" in display or "grid" in display

    def _has_nothing_placed(self, element: Element) -> bool:
        """Whether all of a small element's content is painted before what is placed over it."""
        inside = [node for node in islice(nodes_below(element), _FEW + 1) if node.tag is not None]
        styles = [style_at(node, self.sheet) for node in inside]  # type: ignore[arg-type]
        return len(inside) <= _FEW and not any("position" in style or "stacking" in style for style in styles)

    def _styles_beside(self, element: Element) -> Iterator[Style]:
        """What is said of the first elements beside it."""
        return (style_at(node, self.sheet) for node in _elements_in(element.parent) if node is not element)

    def _is_of_carousel(self, element: Element, style: Style) -> bool:
        """Whether it is a strip of slides that was moved on, or a slide before the one that is to be seen."""
        beside = [node for node in _elements_in(element.parent) if node is not element and _are_alike(node, element)]
        is_named = style.get("position") == "absolute" and bool(element.attrs.get("class"))
        if is_named and any(_is_placed(style_at(node, self.sheet)) for node in beside):
            return True
        first, *others = _elements_in(element) or [element]
        if not beside and not any(_are_alike(first, node) for node in others):
            return False
        boxes = (element, *around(element, _MAX_CAROUSEL))
        return any(_is_carousel(f"{box.attrs.get('class', '')} {box.attrs.get('id', '')}") for box in boxes)

    def _fades_in(self, element: Element) -> bool:
        """Whether a transparent element is one that scripts bring into view: its class has a state in which it is seen,
        it is a heading or has one, or the page is Webflow's, which writes such styles."""
        attrs = element.attrs
        is_later = (
            (self.is_webflow and "style" in attrs)
            or (self.sheet is not None and "class" in attrs and self.sheet.fades_in(attrs["class"]))
            or any(node.tag in HEADINGS for node in (element, *islice(nodes_below(element), _FIRST)))
        )
        return is_later and not (is_overlay(element) or is_in_overlay(element))

    def _end_of(self, animation: str) -> bool | None:
        """Whether the last of the animations that the page defines ends with the element visible; None without one."""
        return self.sheet.animations.end_visible(animation) if self.sheet is not None else None

    def _is_animated_away(self, style: Style) -> bool:
        """Whether an animation hides the element: in its end, which stays, or as long as it lasts, for ever."""
        if self.sheet is None or "animation-end" not in style:
            return False
        if style["animation-end"] == "forwards":
            return self._end_of(style["animation"]) is False
        return self.sheet.animations.hide_throughout(style["animation"])

    def _bring_back(self, reason: str) -> None:
        """Something inside elements hidden for `reason` is visible after all, so they are not dropped."""
        for element in self.open_soft[reason]:
            if self.found.get(element) == reason:
                del self.found[element]
        self.open_soft[reason].clear()

    def _leave(self, element: Element) -> None:
        soft = self.open_soft.get(self.found[element])
        if soft and soft[-1] is element:
            soft.pop()

    def open_panels(self, root: Element) -> None:
        """Take panels for visible, and judge what is in them."""
        panels = Panels(root, self.page, self.found)
        seen: set[Element] = set()
        for _ in range(_MAX_PANELS):
            new = [element for element in self.found if element not in seen]
            seen.update(new)
            opened = panels.among(new)
            if not opened:
                break
            self._open(opened)
        self._open(panels.page())

    def _open(self, elements: list[Element]) -> None:
        for element in elements:
            reason = self.panels[element] = self.found.pop(element)
            if reason in _WHOLLY:
                self.closed.discard(element)
                self.walk(element)

    def show_what_is_everything(self) -> None:
        """Look into wholly hidden elements that hold nearly all text: the page shows them when its scripts have run."""
        total = _length(self.root, self.closed, _ALMOST_NOTHING) if self.closed else _ALMOST_NOTHING
        closed = [element for element in self.found if element in self.closed]
        for element in closed if total < _ALMOST_NOTHING else ():
            length = sum(len(node.text.strip()) for node in _shown_text(element))
            if length > _TIMES * total + _FEW:
                del self.found[element]
                self.closed.discard(element)
                self.walk(element)
                total += _length(element, self.closed)

    def without_most(self) -> Hidden:
        """What was found, without the elements that hold most of the text."""
        within = self._within()
        if within and _length(self.root, self.found, within) < within * (1 - _MOST) / _MOST:
            lengths, total = self._lengths()
            for element in list(self.found) if total >= _FEW else ():
                if lengths.get(element, 0) > total * _MOST:
                    del self.found[element]
                    self.doubtful.append(element)
        return Hidden(self.found, self.doubtful, self.panels, (self.page, self.sheet), self.grounds)

    def _within(self) -> int:
        """How many characters of text are in what is hidden, but not wholly."""
        length = 0
        passed = self.closed.copy()
        for element in self.found:
            if element not in passed:
                below = [node for node in nodes_below(element, passed) if node.tag is None or node in self.found]
                length += sum([len(node.text) for node in below if node.tag is None and not node.text.isspace()])
                passed.update(below)
                passed.add(element)
        return length

    def _lengths(self) -> tuple[dict[Node, int], int]:
        """How many characters of text are in what is hidden, but not wholly, and in all that is not wholly hidden."""
        lengths: dict[Node, int] = {}
        total = 0
        passed: Node | None = None
        for event, node in walk(self.root):
            if passed is not None:
                passed = None if event == "close" and node is passed else passed
            elif event == "text":
                total += 0 if node.text.isspace() else len(node.text)
            elif event == "close":
                if node in lengths:
                    lengths[node] = total - lengths[node]
            elif node is not self.root and (node.tag in SILENT or node in self.closed):
                passed = node
            elif node in self.found:
                lengths[node] = total
        return lengths, total


def _length(element: Element, hidden: Container[Node], most: float = float("inf")) -> int:
    """How many characters of text are in an element, without what is hidden; counting ends at `most`."""
    length = 0
    stack = [element]
    while stack and length < most:
        for node in stack.pop().children:
            if node.tag is None:
                length += 0 if node.text.isspace() else len(node.text)
            elif node.children and node.tag not in SILENT and node not in hidden:
                stack.append(node)  # type: ignore[arg-type]
    return length


def _shown_text(element: Element, most: int | None = None) -> list[Node]:
    """The text nodes below an element that are no scripts; where there are more, the first `most`."""
    return list(islice((node for node in nodes_below(element) if node.tag is None), most))


def _is_said_by_label(element: Element) -> bool:
    """Whether an element around says the same in aria-label: <h2 aria-label="Now"><span aria-hidden="true">N</span>...,
    as scripts write it that move each letter into its place."""
    for box in around(element, _MAX_LABELLED):
        label = box.attrs.get("aria-label", "")
        if label:
            wanted = "".join(filter(str.isalnum, label[:_LABEL].lower()))
            said = "".join([node.text for node in _shown_text(box, _FIRST_TEXTS)])
            return bool(wanted) and wanted == "".join(filter(str.isalnum, said[: 2 * _LABEL].lower()))
    return False


def _name_hides(name: str) -> bool:
    return name in _HIDING_CLASSES or _for_ears.search(name) is not None


def _has_no_size(attrs: dict[str, str]) -> bool:
    return attrs.get("width", "").strip() in _NO_LENGTH and attrs.get("height", "").strip() in _NO_LENGTH


def _tells(attrs: dict[str, str]) -> bool:
    """Whether an element's attributes say something of what may hide it or its text, its style attribute included."""
    if not _OF_HIDING.isdisjoint(attrs):
        return True
    text = attrs.get("style", "")[:MAX_STYLE]
    return "var(" in text or not _MEANT.isdisjoint(_styles[text])


_OF_HIDING = frozenset(("hidden", "aria-hidden", "popover", "bgcolor", "background", "color"))
_MEANT = frozenset(("hides", "place", "animation-end", "colour", "background", "font-size", "visibility"))
# Of class and style attributes, which pages repeat.
_class_hides = Remembered(lambda names: any(map(_name_hides, names.lower().split())) and _shown_again(names) is None)
_styles = Remembered(style_of)


def _parts_words(element: Element, reason: str) -> bool:
    """Whether it has a space alone, or is a sign between two texts that is only not to be read aloud."""
    children = element.children
    if len(children) != 1 or children[0].tag is not None:
        return False
    text = children[0].text.strip()
    if not text or reason != "aria-hidden":
        return not text
    siblings = element.parent.children if element.parent is not None else []
    if text not in _SIGNS or element.tag not in _INLINE or len(siblings) > _FEW:
        return False
    others = [node for node in siblings if node is element or node.tag is not None or not node.text.isspace()]
    return others[0] is not element is not others[-1]


def _elements_in(element: Element | None) -> list[Element]:
    """The first elements in it."""
    children = element.children if element is not None else []
    return [node for node in children[:_FEW] if node.tag is not None]  # type: ignore[misc]


def _are_alike(one: Element, other: Element) -> bool:
    return one.tag == other.tag and one.attrs.get("class") == other.attrs.get("class")


def _is_placed(style: Style) -> bool:
    return style.get("position") == "absolute" and not style.get("hides")


def _is_animated(element: Element) -> bool:
    attrs = element.attrs
    if any(name in attrs for name in _ANIMATED) or _animated_class(attrs.get("class", "")):
        return True
    return "transform" in attrs.get("style", "") or "transition" in attrs.get("style", "")
