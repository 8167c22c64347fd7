"""Open images, embedded media, frames, image maps, documents in attributes, and text in graphics.

In: the renderer and an element. Out: (close, argument), PLAIN, or None to skip the content (see handlers/__init__.py).
Specification: HTML sections 4.8.3 (img), 4.8.5 (iframe, srcdoc), 4.8.13 (image maps), 16.3 (framesets); SVG 2 section
11 (text).
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from itertools import takewhile

from webtool.css.colours import colour_of
from webtool.css.values import number_of
from webtool.html.elements import role_of
from webtool.html.node import Element, Node, around, short_text
from webtool.lean.characters import is_alnum
from webtool.markdown import escape, escape_text, formulas, media
from webtool.markdown.handlers.inline import holds, write_formula
from webtool.markdown.invisible import clean
from webtool.markdown.layout import Raw, collapsed
from webtool.markdown.naming import name_of
from webtool.markdown.render import PLAIN, Opened, Renderer
from webtool.visibility.text_alternatives import says_picture

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.visibility.hidden import Hidden

_MAX_SAME_TITLE = 12  # characters of a tooltip that may repeat the description; a longer one is dropped
_MAX_TITLE = 40  # characters of a title that may label embedded media; a longer one is a sentence
_MAX_LABEL = 40  # characters of a picture's text alternative that counts as its name
_MIN_FRAME_PARTS = 2  # attributes of a frame, or elements in it; a frame with less of both is a way to slip text in
_MAX_INSIDE = 3  # documents inside documents; deeper ones are left out
_MAX_LINE = 900.0  # pixels; a graphic's text that begins further to the left cannot reach into the graphic
# Children of a graphic without text. None is the tag of text nodes: white space between elements.
_SHAPES = frozenset((
    None, "path", "use", "circle", "rect", "line", "polygon", "polyline", "ellipse", "title", "desc", "defs", "image",
))  # fmt: skip
# Values of presentation attributes (SVG 2 section 6.6) that make a text invisible.
_UNPAINTED = {
    "display": ("none",), "visibility": ("hidden", "collapse"), "opacity": ("0", "0%", "0.0", ".0"),
    "fill-opacity": ("0", "0%"), "font-size": ("0", "0px"),
}  # fmt: skip
_TEXTS = frozenset(("text", "tspan", "foreignObject"))
_MOVED = frozenset(("transform", "dy", "dx"))  # attributes that move a text from where its x and y put it
# Elements that may be the background of a text.
_PAINTED = frozenset(("rect", "path", "circle", "polygon", "polyline", "ellipse", "image", "use", "foreignObject"))


def open_image(r: Renderer, element: Element) -> Opened:
    """Write an image, a formula that is an image, or, by the option `images`, only its description or nothing."""
    attrs = element.attrs
    if media.is_pixel(element):
        return None
    tex = formulas.of_picture(element)
    if tex:
        write_formula(r, tex, "latexcenter" in attrs.get("class", ""))
        return None
    description = attrs.get("alt") or _name_of_linked(r)
    alt = escape_text.link_text(clean(collapsed(description).strip(" ")))
    if r.page.images != "keep":
        if alt and r.page.images == "alt":
            r.run.append(f" {description} ")
        return None
    source = media.image_source(element)
    url = r.page.links.resolve(source) if source or attrs.get("src") == "" else None
    if url is None:
        if alt:
            r.run.append(f" {description} ")
        return None
    title = attrs.get("title", "").strip()
    if len(title) > _MAX_SAME_TITLE and title == attrs.get("alt", "").strip():
        title = ""  # shops and wikis repeat the description in the tooltip
    r.run.append(Raw(f"![{alt}]({escape.destination(url)}{escape.title(title)})"))
    return None


def _name_of_linked(r: Renderer) -> str:
    """Return the name of the open link if the link has no text, only pictures; else ""."""
    link = next((span.element for span in r.run.spans if span.element is not None), None)
    return "" if link is None or short_text(link).strip() else name_of(link, r.labels)


def open_embedded(r: Renderer, element: Element) -> Opened:
    """Write audio, video or another embedded document as a link, or as an image if it is one."""
    source = media.embedded_source(element)
    is_player = element.tag == "lite-youtube"
    is_empty_object = element.tag == "object" and not source
    if is_empty_object or (is_player and holds(element, lambda node: node.tag == "a")):
        return PLAIN  # its content is shown instead
    url = r.page.links.resolve(source) if source and source[:5] != "blob:" else None
    if url is None:
        attrs = element.attrs
        if not attrs.get("poster", "").strip():
            return None
        # Only scripts know the video's address: its poster is better than nothing.
        return open_image(r, Element("img", {"src": attrs["poster"], "alt": attrs.get("title", "")}))
    text = element.text if is_player or element.tag == "object" else ""
    names = (element.attrs.get("title"), element.attrs.get("aria-label"), text)
    labels = [name.strip() for name in names if name and 0 < len(name.strip()) <= _MAX_TITLE]
    label = labels[0] if labels else str(element.tag)
    if element.attrs.get("type", "").startswith("image/"):
        alt = "" if label == element.tag else clean(collapsed(label))
        if r.page.images == "keep":
            r.run.append(Raw(f"![{escape_text.link_text(alt)}]({escape.destination(url)})"))
        elif r.page.images == "alt":
            r.run.append(f" {alt} ")
        return None
    r.run.append(" ")
    r.write_span("link", label, url)
    r.run.append(" ")
    return None


def open_iframe(r: Renderer, element: Element) -> Opened:
    """Write the document of an iframe if the page contains it (srcdoc), else a link to it."""
    source = element.attrs.get("srcdoc", "").strip()
    if not source:
        return open_embedded(r, element)
    if r.inside >= _MAX_INSIDE or r.flat:
        return None
    from webtool.html import parse_page
    from webtool.visibility.hidden import find_hidden

    document = parse_page(source)
    body = document.children[-1].children[-1]
    if len(element.attrs) < _MIN_FRAME_PARTS and sum(node.tag is not None for node in body.children) < _MIN_FRAME_PARTS:
        return None  # a bare frame around one paragraph: a way to slip text in
    is_all_shown = r.hidden == ()  # the caller wants what the page hides, too
    _walk_inside(r, document.children, None if is_all_shown else find_hidden(document, keep_panels=True))
    return None


def _walk_inside(r: Renderer, nodes: list[Node], hidden: Hidden | None) -> None:
    """Walk an inner document as blocks of their own, with its own hidden elements; None keeps the page's."""
    outer, arranged = r.hidden, r.arranged
    r.inside += 1
    if hidden is not None:
        r.hidden = hidden
        r.arranged = hidden.boxes()
    r.flush()
    r.walk(nodes)
    r.flush()
    r.hidden, r.arranged = outer, arranged
    r.inside -= 1


def open_noframes(r: Renderer, element: Element) -> Opened:
    """Write the document for browsers without frames: the only text of a frameset."""
    if element.parent is None or element.parent.tag not in ("frameset", "html") or r.inside >= _MAX_INSIDE:
        return None
    from webtool.html import parse_page
    from webtool.visibility.hidden import find_hidden

    document = parse_page(element.text)
    _walk_inside(r, document.children, find_hidden(document, keep_panels=True))
    return None


def open_frame(r: Renderer, element: Element) -> Opened:
    """Write a frame of a frameset as a link."""
    url = r.page.links.resolve(element.attrs["src"]) if element.attrs.get("src") else None
    if url is not None:
        r.flush()
        r.write_span("link", element.attrs.get("title") or element.attrs.get("name") or element.attrs["src"], url)
        r.flush()
    return None


def open_area(r: Renderer, element: Element) -> Opened:
    """Write a place in an image map as a link with its description."""
    attrs = element.attrs
    url = r.page.links.resolve(attrs["href"]) if attrs.get("href") else None
    name = attrs.get("alt", "").strip() or name_of(element, r.labels)
    if url is not None and name:
        r.run.append(" ")
        r.write_span("link", name, url)
        r.run.append(" ")
    return None


def open_graphic(r: Renderer, element: Element) -> Opened:
    """Open an svg element: its text is written. Most graphics are icons and have only shapes."""
    for node in element.children:
        if node.tag not in _SHAPES:
            return PLAIN
    open_icon(r, element)
    return None


def open_picture(r: Renderer, element: Element) -> Opened:
    """Open boxes that make a picture together, such as the stars of a rating.

    If they have no text, their description is written, unless a text beside them says the same.
    """
    if any(map(is_alnum, short_text(element))) or holds(element, lambda node: node.tag == "img"):
        return PLAIN
    return _open_named(r, element, is_picture=role_of(element.attrs) == "img")


def open_icon(r: Renderer, element: Element) -> Opened:
    """Open an icon: its text alternative is written if a reader needs it, as for a tick in a table."""
    return _open_named(r, element, is_picture=False)


def _open_named(r: Renderer, element: Element, *, is_picture: bool) -> Opened:
    """Write the text alternative of a picture or icon if a reader needs it; else open it as an inline box."""
    label = r.labels.of(element, may_hide=True) or element.attrs.get("aria-label", "").strip()
    if not label and element.tag == "svg":
        label = next((short_text(node).strip() for node in element.children if node.tag == "title"), "")
    is_name = is_picture and len(label) <= _MAX_LABEL
    if label and says_picture(element, label, r.hidden, is_name=is_name):
        r.run.append(f" {label} ")
        return None
    if element.tag == "svg" and r.run:
        r.run.add_seam()
    return PLAIN


def open_graphic_text(r: Renderer, element: Element) -> Opened:
    """Open a line of text in a graphic, with a space before and after it."""
    if _is_unpainted(r, element):
        return None
    r.run.append(" ")
    return r.run.append, " "


def open_graphic_part(r: Renderer, element: Element) -> Opened:
    """Open a part of a text in a graphic, or HTML inside a graphic."""
    if _is_unpainted(r, element):
        return None
    if element.tag == "tspan" and not element.attrs.keys().isdisjoint(("x", "dy")):
        r.run.append(" ")  # it begins a new line
    return PLAIN


def _is_unpainted(r: Renderer, text: Element) -> bool:
    """Whether a graphic's text is invisible: by an attribute, outside of the graphic, or in its background's colour."""
    boxes = list(takewhile(lambda box: box.tag != "svg", (text, *around(text, -1))))
    # A text around this one was looked at when it was opened, with all boxes around it.
    for box in (text, *takewhile(lambda box: box.tag not in _TEXTS, boxes[1:])):
        if any(box.attrs.get(name, "-").strip() in values for name, values in _UNPAINTED.items()):
            return True
    graphic = boxes[-1].parent
    if graphic is None:
        return False
    if all(_MOVED.isdisjoint(box.attrs) for box in boxes) and _is_beside(text, graphic):
        return True
    if text.tag == "foreignObject" or any("stroke" in box.attrs for box in boxes):
        return False
    colour = colour_of(_fill_of(r, [*boxes, graphic]))
    if colour == "transparent":
        return True
    if colour is None or r.hidden == () or holds(graphic, lambda node: node.tag in _PAINTED):
        return False
    return bool(r.hidden.blends(colour, graphic))  # type: ignore[attr-defined]


def _fill_of(r: Renderer, boxes: list[Element]) -> str:
    """Return the fill colour of the innermost of the boxes that gives one; the default is "black"."""
    for box in boxes:
        fill = r.hidden.fill_of(box) if r.hidden != () else ""  # type: ignore[attr-defined]
        fill = (fill or box.attrs.get("fill", "")).strip().lower()
        if fill:
            return "transparent" if fill == "none" else fill
    return "black"


def _is_beside(text: Element, graphic: Element) -> bool:
    """Whether a text begins above, far below, or far beside the visible part of its graphic."""
    attrs = graphic.attrs
    view_box = [number_of(part) for part in attrs.get("viewBox", "").replace(",", " ").split()]
    if len(view_box) != 4:
        view_box = [(0.0, ""), (0.0, ""), number_of(attrs.get("width", "300")), number_of(attrs.get("height", "150"))]
    x = number_of(text.attrs["x"]) if "x" in text.attrs else None
    y = number_of(text.attrs["y"]) if "y" in text.attrs else None
    lengths = (*view_box, x or (0.0, ""), y or (0.0, ""))
    if "overflow" in attrs or any(length is None or length[1] == "%" for length in lengths):
        return False
    left, top, width, height = (amount for amount, _unit in filter(None, view_box))
    if not (width and height):
        return True
    is_above_or_below = y is not None and not top <= y[0] <= top + 2 * height
    is_left_or_right = x is not None and not left - max(_MAX_LINE, width) < x[0] < left + 2 * width
    return is_above_or_below or is_left_or_right
