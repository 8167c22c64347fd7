"""The table of reasons why an element is hidden, one row a reason. In: an element and its Style. Out: a verdict.

A style sheet says that an element has opacity 0, or is off the screen. That alone does not hide it from readers: it may
be a slide of a carousel, or a heading that fades in. Each row lists the exceptions that show the element all the same.
An exception returns one of three verdicts:

    APPLIES    no exception: the element is hidden
    SHOWN      the reader sees the element
    DOUBTFUL   the page's declarations do not decide it: the element stays, and is counted as doubtful

Most reasons are names of attributes and CSS properties. "height", "size" and "pushed" come from webtool.css.clipping,
"beyond" from webtool.css.positions, "blur" from webtool.css.paint, "rows" and "x-covered" from webtool.css.properties.
A reason without a row, such as a new property's name, has no exceptions.
Specification: CSS Display 3 section 2.7 (boxes of inline elements), CSS Animations 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from webtool.css.declarations import Style
from webtool.html.elements import HEADINGS
from webtool.html.node import Element, around, nodes_below
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.visibility.controls import is_in_overlay, is_overlay
from webtool.visibility.styles import PageStyles

APPLIES, SHOWN, DOUBTFUL = "", "shown", "doubtful"  # APPLIES is false: `if verdict` asks for an exception

MAX_CHILDREN = 40  # children of one element that are looked at
_MAX_NODES = 40  # nodes below an element that are searched for a heading or a picture
_MAX_CAROUSEL_DEPTH = 3  # ancestors of a slide whose names may say that it is in a carousel
_MAX_LINK_NAME = 40  # characters; a longer text of a link is not just the name of the picture over it

# Elements that are inline by default.
INLINE = frozenset(("span", "a", "b", "i", "em", "strong", "small", "code", "u", "s", "cite", "abbr", "label", "font"))
_TABLE_PARTS = frozenset(("td", "th", "tr", "tbody", "thead", "table"))
REPLACED = frozenset(("img", "video", "iframe", "canvas", "embed", "object"))  # they show something other than text
PICTURES = REPLACED | {"svg"}
_ATOMIC = PICTURES | {"button", "input", "select", "textarea"}  # boxes even if they are inline
# Attributes and classes by which scripts of fade-in effects find the elements that they will show.
_FADE_IN_ATTRIBUTES = (
    "data-aos", "data-w-id", "data-animate", "data-animation", "data-framer-appear-id", "data-scroll", "data-sal",
)  # fmt: skip
# "wow fadeInUp", "js-reveal", "animate__animated", "lazyload"
_FADE_IN_CLASS = patterns.compile(r"(?i)(?:^|[\s_-])(?:wow|aos|fade|reveal|animat\w*|animate__\w+|lazy\w*)")
# "transform: none", "will-change: transform", "transition: all 1s"; not "text-transform: uppercase"
_is_moving = patterns.compile(r"(?i)(?<!text-)transform|transition").search
# "swiper-slide", "glide__track", "owl-item"; not "backtrack"
_CAROUSEL = patterns.compile(
    r"(?i)swiper|slick|splide|carousel|slider|slides|slideshow|glide|flickity|embla|owl-stage|owl-item|(?<![a-z])track(?![a-z])"
)


class Case(NamedTuple):
    """A hidden element in question."""

    element: Element
    style: Style
    styles: PageStyles


# --- Exceptions ---


def _has_own_text(case: Case) -> str:
    """Show grid rows of no height if they have text of their own, which holds them open."""
    has_text = any(node.tag is None and node.text.strip() for node in case.element.children)
    return SHOWN if has_text else APPLIES


def _is_table_part(case: Case) -> str:
    """Show cells and rows of tables: they are as large as their content, whatever size is set."""
    return SHOWN if case.element.tag in _TABLE_PARTS else APPLIES


def _has_blocks_inside(case: Case) -> str:
    """Show a box with blocks inside: padding pushes its text out, but perhaps not the blocks."""
    is_plain = all(node.tag in INLINE for node in nodes_below(case.element) if isinstance(node, Element))
    return APPLIES if is_plain else SHOWN


def _is_side_of_card(case: Case) -> str:
    """Show the back of a card that turns: its front is a sibling with backface-visibility: hidden."""
    return SHOWN if any("back" in other for other in _sibling_styles(case.styles, case.element)) else APPLIES


def _has_placed_siblings(case: Case) -> str:
    """Show an element among other placed ones: slides, bricks of a grid, lines of a scanned page."""
    return SHOWN if any(map(_is_placed, _sibling_styles(case.styles, case.element))) else APPLIES


def _is_slide(case: Case) -> str:
    """Show a placed box of a class among placed siblings alike, and what is in a carousel by its names.

    `<ul class=slides style="left: -1000px"><li class=slide>...` is a strip of slides that was moved on.
    """
    element = case.element
    alike_siblings = [node for node in _children(element.parent) if node is not element and _are_alike(node, element)]
    is_placed_by_class = case.style.get("position") == "absolute" and bool(element.attrs.get("class"))
    if is_placed_by_class and any(_is_placed(case.styles.style_at(node)) for node in alike_siblings):
        return SHOWN
    is_slide_or_strip = bool(alike_siblings) or _is_strip(element)
    return SHOWN if is_slide_or_strip and _is_in_carousel(element) else APPLIES


def _is_strip(element: Element) -> bool:
    """Return whether one of an element's children is like its first child, as the slides of a strip are."""
    children = _children(element)
    return any(_are_alike(children[0], node) for node in children[1:])


def _is_in_carousel(element: Element) -> bool:
    boxes = (element, *around(element, _MAX_CAROUSEL_DEPTH))
    return any(_CAROUSEL.search(f"{box.attrs.get('class', '')} {box.attrs.get('id', '')}") for box in boxes)


def _is_not_covered(case: Case) -> str:
    """Show an element if its covering box may lie elsewhere (it is not positioned), or below some of its content."""
    inside = [node for node in islice(nodes_below(case.element), MAX_CHILDREN + 1) if isinstance(node, Element)]
    if "position" not in case.style or len(inside) > MAX_CHILDREN:
        return SHOWN
    inner_styles = [case.styles.style_at(node) for node in inside]
    is_above = any("position" in inner or "stacking" in inner for inner in inner_styles)
    return SHOWN if is_above else APPLIES


def _is_blurred_picture(case: Case) -> str:
    """Show a blurred picture: it is the placeholder of one that loads later."""
    return SHOWN if any(node.tag in PICTURES for node in islice(nodes_below(case.element), _MAX_NODES)) else APPLIES


def _has_no_box(case: Case) -> str:
    """Return DOUBTFUL for an inline element in a line of text: sizes and transforms have no effect on it."""
    return APPLIES if has_box(case) else DOUBTFUL


def has_box(case: Case) -> bool:
    """Return whether an element is a box of its own: an inline element in a line of text is not."""
    display = case.style.get("display", "inline" if case.element.tag in INLINE else "block")
    is_placed = case.style.get("position") in ("absolute", "fixed")
    if display not in ("inline", "contents") or "float" in case.style or is_placed or case.element.tag in _ATOMIC:
        return True
    if not case.styles.is_complete and "class" in case.element.attrs:
        return True  # a linked sheet may give it a box
    parent = case.element.parent
    outer = case.styles.style_at(parent).get("display", "") if parent is not None else ""
    return "flex" in outer or "grid" in outer


def _is_name_of_picture(case: Case) -> str:
    """Show the short indented text of a link or button: it names the picture that is drawn instead."""
    is_name = case.element.tag in ("a", "button") and len(case.element.text.strip()) <= _MAX_LINK_NAME
    return SHOWN if is_name else APPLIES


def _is_made_to_fade_in(case: Case) -> str:
    """Return DOUBTFUL if names or transitions hint at a script that shows the element: `<div class="wow fadeIn">`."""
    attrs = case.element.attrs
    if any(name in attrs for name in _FADE_IN_ATTRIBUTES) or _FADE_IN_CLASS.search(attrs.get("class", "")):
        return DOUBTFUL
    return DOUBTFUL if _is_moving(attrs.get("style", "")) else APPLIES


def _fades_in(case: Case) -> str:
    """Return DOUBTFUL if the element probably fades in: it has a heading, or a rule makes its class opaque later.

    `sheet.fading` has such classes: "in" of `.in { opacity: 0 } .in.is-visible { opacity: 1 }`.

    Pages made with Webflow write opacity: 0 into the style attribute of each element that fades in.
    """
    element, sheet = case.element, case.styles.sheet
    comes_later = (
        (case.styles.is_webflow and "style" in element.attrs)
        or (sheet is not None and "class" in element.attrs and sheet.fading.has_one_of(element.attrs["class"]))
        or any(node.tag in HEADINGS for node in (element, *islice(nodes_below(element), _MAX_NODES)))
    )
    return DOUBTFUL if comes_later and not (is_overlay(element) or is_in_overlay(element)) else APPLIES


def _ends_visible(case: Case) -> str:
    """Show an element that its animation shows in the end; DOUBTFUL if a linked sheet may define the animation."""
    if "animation" not in case.style:
        return APPLIES
    sheet = case.styles.sheet
    is_visible = sheet.animations.end_visible(case.style["animation"]) if sheet is not None else None
    if is_visible is None and not case.styles.is_complete:
        return DOUBTFUL
    return SHOWN if is_visible and "animation-end" in case.style else APPLIES


# --- The table ---


class Reason(NamedTuple):
    """One row: a reason, and what follows from it."""

    name: str
    legend: str  # completes "the element ..."
    exceptions: tuple[Callable[[Case], str], ...] = ()  # asked in order; the first verdict counts
    reported: str = ""  # the reason that callers get, if it is another
    closes: bool = False  # descendants cannot show themselves, so they are not looked at
    is_overridable: bool = False  # a descendant with a visible style of its own is shown alone
    keeps_space: bool = False  # an empty element still separates words
    hides_text_only: bool = False  # pictures are still seen
    scripts_undo: bool = False  # scripts often show such an element later
    is_unheard: bool = False  # screen readers skip the element too
    for_ears: bool = False  # authors use it for text meant for screen readers only


REASONS = (
    Reason("hidden", "has the hidden attribute", closes=True, scripts_undo=True, is_unheard=True),
    Reason("popover", "has the popover attribute and is not open", closes=True, is_unheard=True),
    Reason("display", "is not displayed", closes=True, scripts_undo=True, is_unheard=True),
    Reason("aria-hidden", "is hidden from screen readers", keeps_space=True, scripts_undo=True, is_unheard=True),
    Reason("class", "has a class name that hides, by convention", scripts_undo=True, for_ears=True),
    Reason(
        "visibility", "is invisible", (_is_made_to_fade_in, _ends_visible),
        is_overridable=True, keeps_space=True, scripts_undo=True, is_unheard=True,
    ),
    Reason(
        "opacity", "is transparent", (_is_made_to_fade_in, _fades_in, _ends_visible),
        keeps_space=True, scripts_undo=True,
    ),
    Reason(
        "color", "has transparent text, or text of its background's colour",
        is_overridable=True, keeps_space=True, hides_text_only=True,
    ),
    Reason("font-size", "has a tiny font", is_overridable=True, hides_text_only=True, for_ears=True),
    Reason(
        "text-indent", "is indented off the page", (_is_name_of_picture,),
        is_overridable=True, hides_text_only=True, for_ears=True,
    ),
    Reason("content", "shows a picture instead of its content", hides_text_only=True),
    Reason("blur", "is blurred", (_is_blurred_picture,), hides_text_only=True),
    Reason("size", "clips its content and has no size", (_is_table_part, _has_no_box), for_ears=True),
    Reason("height", "clips its content and has no height", (_is_table_part, _has_no_box)),
    Reason("rows", "has grid rows of no height", (_has_own_text,), "height"),
    Reason("pushed", "pushes its text out of its clipped box", (_has_blocks_inside, _is_table_part), "height"),
    Reason("clip", "is clipped away", for_ears=True),
    Reason("clip-path", "is clipped away", for_ears=True),
    Reason("position", "is placed off the page", (_is_slide, _ends_visible), for_ears=True),
    Reason("beyond", "is placed far away, as slides are too", (_has_placed_siblings,), "position"),
    Reason("x-covered", "is covered by its own ::before or ::after box", (_is_not_covered,), "position"),
    Reason("margin-left", "is pulled off the page by a margin", (_is_slide,)),
    Reason("margin-top", "is pulled above the page by a margin", (_has_no_box,)),
    Reason("transform", "is moved away, flattened or turned", (_is_slide, _has_no_box, _ends_visible)),
    Reason("translate", "is moved away", (_is_slide, _has_no_box, _ends_visible)),
    Reason("scale", "is scaled to nothing", (_has_no_box, _ends_visible)),
    Reason("rotate", "shows only its edge", (_has_no_box,)),
    Reason("backface-visibility", "shows its invisible back", (_is_side_of_card,)),
)  # fmt: skip

_ROWS = {row.name: row for row in REASONS}
CLOSING = frozenset([row.name for row in REASONS if row.closes])
OVERRIDABLE = tuple([row.name for row in REASONS if row.is_overridable])
KEEPING_SPACE = frozenset([row.name for row in REASONS if row.keeps_space])
OF_TEXT = frozenset([row.name for row in REASONS if row.hides_text_only])
UNDONE_BY_SCRIPTS = frozenset([row.name for row in REASONS if row.scripts_undo])
UNHEARD = frozenset([row.name for row in REASONS if row.is_unheard])
FOR_EARS = frozenset([row.name for row in REASONS if row.for_ears])


def verdict_of(reason: str, case: Case) -> tuple[str, str]:
    """Return the verdict on an element whose Style hides it for a reason, and the reason to report."""
    row = _ROWS.get(reason)
    if row is None:
        return APPLIES, reason
    for exception in row.exceptions:
        verdict = exception(case)
        if verdict:
            return verdict, reason
    return APPLIES, row.reported or reason


# --- Neighbours of an element ---


def _children(element: Element | None) -> list[Element]:
    children = element.children if element is not None else []
    return [node for node in children[:MAX_CHILDREN] if isinstance(node, Element)]


def _sibling_styles(styles: PageStyles, element: Element) -> Iterator[Style]:
    return (styles.style_at(node) for node in _children(element.parent) if node is not element)


def _are_alike(one: Element, other: Element) -> bool:
    return one.tag == other.tag and one.attrs.get("class") == other.attrs.get("class")


def _is_placed(style: Style) -> bool:
    """Return whether an element is positioned absolutely and seen."""
    return style.get("position") == "absolute" and not style.get("hides")
