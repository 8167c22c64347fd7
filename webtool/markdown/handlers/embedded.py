"""Frames, image maps, documents in attributes, text in graphics. In: the renderer and an element that opens. Out: what
to call when it closes, or None.

Specification: HTML sections 4.8.5 (srcdoc), 4.8.13 (image maps), 16.3 (framesets); SVG 2 section 11 (text).
"""

from __future__ import annotations

from itertools import takewhile

from webtool.css.colours import colour_of, number_of
from webtool.html.node import Element, Node, around, short_text
from webtool.markdown import escape, formulas, media
from webtool.markdown.handlers.inline import holds, write_formula
from webtool.markdown.invisible import clean
from webtool.markdown.layout import Raw, collapsed
from webtool.markdown.naming import name_of
from webtool.markdown.render import PLAIN, Opened, Renderer
from webtool.visibility import pictures

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.visibility.hidden import Hidden

_SAME_TITLE = 12  # characters of a tooltip that says what the description says: shorter ones cost nothing
_SHORT_TITLE = 40  # a tooltip is not on the page: a label may stay, a sentence may not
_SHORT_LABEL = 40  # characters of what a picture says; nobody who sees the page can read a longer one
_DESIGNED = 2  # attributes of a frame that somebody made for readers
_MAX_INSIDE = 3  # documents in documents


def open_image(r: Renderer, element: Element) -> Opened:
    attrs = element.attrs
    if media.is_pixel(element):
        return None
    tex = formulas.of_picture(element)
    if tex:
        write_formula(r, tex, "latexcenter" in attrs.get("class", ""))
        return None
    said = attrs.get("alt") or _name_of_linked(r)
    alt = escape.link_text(clean(collapsed(said).strip(" ")))
    if r.page.images != "keep":
        if alt and r.page.images == "alt":
            r.run.append(f" {said} ")
        return None
    source = media.image_source(element)
    url = r.page.links.resolve(source) if source or attrs.get("src") == "" else None
    if url is None:
        if alt:
            r.run.append(f" {said} ")
        return None
    title = attrs.get("title", "").strip()
    if len(title) > _SAME_TITLE and title == attrs.get("alt", "").strip():
        title = ""  # shops and wikis say it twice
    r.run.append(Raw(f"![{alt}]({escape.destination(url)}{escape.title(title)})"))
    return None


def _name_of_linked(r: Renderer) -> str:
    """What the open link is called, when it shows nothing but pictures."""
    link = next((span.element for span in r.run.spans if span.element is not None), None)
    return "" if link is None or short_text(link).strip() else name_of(link, r.labels)


def open_embedded(r: Renderer, element: Element) -> Opened:
    source = media.embedded_source(element)
    is_player = element.tag == "lite-youtube"
    if (not source and element.tag == "object") or (is_player and holds(element, lambda node: node.tag == "a")):
        return PLAIN  # then its content is what shows
    url = r.page.links.resolve(source) if source and source[:5] != "blob:" else None
    if url is None:
        attrs = element.attrs
        if not attrs.get("poster", "").strip():
            return None
        # Scripts have the film: its picture is better than nothing.
        return open_image(r, Element("img", {"src": attrs["poster"], "alt": attrs.get("title", "")}))
    names = (
        element.attrs.get("title"),
        element.attrs.get("aria-label"),
        (is_player or element.tag == "object") and element.text,
    )
    label = next((name.strip() for name in names if name and 0 < len(name.strip()) <= _SHORT_TITLE), str(element.tag))
    if element.attrs.get("type", "").startswith("image/"):
        alt = "" if label == element.tag else clean(collapsed(label))
        if r.page.images == "keep":
            r.run.append(Raw(f"![{escape.link_text(alt)}]({escape.destination(url)})"))
        elif r.page.images == "alt":
            r.run.append(f" {alt} ")
        return None
    r.run.append(" ")
    r.write_span("link", label, url)
    r.run.append(" ")
    return None


def open_iframe(r: Renderer, element: Element) -> Opened:
    """Its document where the page brings it (srcdoc), else a link to it."""
    source = element.attrs.get("srcdoc", "").strip()
    if not source:
        return open_embedded(r, element)
    if r.inside >= _MAX_INSIDE or r.flat:
        return None
    from webtool.html import parse_page
    from webtool.visibility.hidden import find_hidden

    document = parse_page(source)
    body = document.children[-1].children[-1]
    if len(element.attrs) < _DESIGNED and sum(node.tag is not None for node in body.children) < _DESIGNED:
        return None  # a frame without name, size or class around one paragraph: no author's, but a way to slip text in
    _walk_inside(r, document.children, None if r.hidden == () else find_hidden(document, keep_panels=True))
    return None


def _walk_inside(r: Renderer, nodes: list[Node], hidden: Hidden | None) -> None:
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
    """What a frameset says where frames are not shown: its document's only text."""
    if element.parent is None or element.parent.tag not in ("frameset", "html") or r.inside >= _MAX_INSIDE:
        return None
    from webtool.html import parse_page
    from webtool.visibility.hidden import find_hidden

    document = parse_page(element.text)
    _walk_inside(r, document.children, find_hidden(document, keep_panels=True))
    return None


def open_frame(r: Renderer, element: Element) -> Opened:
    """A frame of a frameset: a link."""
    url = r.page.links.resolve(element.attrs["src"]) if element.attrs.get("src") else None
    if url is not None:
        r.flush()
        r.write_span("link", element.attrs.get("title") or element.attrs.get("name") or element.attrs["src"], url)
        r.flush()
    return None


def open_area(r: Renderer, element: Element) -> Opened:
    """A place in an image map: a link with its description."""
    attrs = element.attrs
    url = r.page.links.resolve(attrs["href"]) if attrs.get("href") else None
    name = attrs.get("alt", "").strip() or name_of(element, r.labels)
    if url is not None and name:
        r.run.append(" ")
        r.write_span("link", name, url)
        r.run.append(" ")
    return None


_SHAPES = frozenset((
    None, "path", "use", "circle", "rect", "line", "polygon", "polyline", "ellipse", "title", "desc", "defs", "image",
))  # fmt: skip


def open_graphic(r: Renderer, element: Element) -> Opened:
    """The text in a graphic is text. Most graphics are icons, which have none."""
    for node in element.children:
        if node.tag not in _SHAPES:
            return PLAIN
    open_icon(r, element)
    return None


def open_picture(r: Renderer, element: Element) -> Opened:
    """Boxes that make a picture together, such as the stars of a rating: where they hold no text, their description,
    unless a text beside them says the same."""
    if any(map(str.isalnum, short_text(element))) or holds(element, lambda node: node.tag == "img"):
        return PLAIN
    return _open_named(r, element, is_picture=element.attrs.get("role") == "img")


def open_icon(r: Renderer, element: Element) -> Opened:
    """A graphic or a sign: what it says where a reader needs that."""
    return _open_named(r, element, is_picture=False)


def _open_named(r: Renderer, element: Element, *, is_picture: bool) -> Opened:
    label = r.labels.of(element, may_hide=True) or element.attrs.get("aria-label", "").strip()
    if not label and element.tag == "svg":
        label = next((short_text(node).strip() for node in element.children if node.tag == "title"), "")  # type: ignore[arg-type]
    is_name = is_picture and len(label) <= _SHORT_LABEL
    if label and pictures.says_picture(element, label, r.hidden, is_name=is_name):
        r.run.append(f" {label} ")
        return None
    if element.tag == "svg" and r.run:
        r.run.add_seam()
    return PLAIN


def open_graphic_text(r: Renderer, element: Element) -> Opened:
    """A line of text in a graphic stands apart from the others."""
    if _is_unpainted(r, element):
        return None
    r.run.append(" ")
    return r.run.append, " "


def open_graphic_part(r: Renderer, element: Element) -> Opened:
    """A part of such a line, or a box of HTML in a graphic."""
    if _is_unpainted(r, element):
        return None
    if element.tag == "tspan" and not element.attrs.keys().isdisjoint(("x", "dy")):
        r.run.append(" ")  # a line of its own
    return PLAIN


# Presentation attributes (SVG 2 section 6.6) with which nothing of a text is painted.
_UNPAINTED = {
    "display": ("none",), "visibility": ("hidden", "collapse"), "opacity": ("0", "0%", "0.0", ".0"),
    "fill-opacity": ("0", "0%"), "font-size": ("0", "0px"),
}  # fmt: skip
_PAINTED = frozenset(("rect", "path", "circle", "polygon", "polyline", "ellipse", "image", "use", "foreignObject"))


def _is_unpainted(r: Renderer, text: Element) -> bool:
    boxes = list(takewhile(lambda box: box.tag != "svg", (text, *around(text, -1))))
    for box in boxes:
        if any(box.attrs.get(name, "-").strip() in values for name, values in _UNPAINTED.items()):
            return True
    graphic = boxes[-1].parent
    if graphic is None:
        return False
    if not any(box.attrs.keys() & {"transform", "dy", "dx"} for box in boxes) and _is_beside(text, graphic):
        return True
    if text.tag == "foreignObject" or any("stroke" in box.attrs for box in boxes):
        return False
    colour = colour_of(_fill_of(r, [*boxes, graphic]))
    return colour == "transparent" or (
        colour is not None
        and r.hidden != ()
        and not holds(graphic, lambda node: node.tag in _PAINTED)
        and r.hidden.blends(colour, graphic)  # type: ignore[attr-defined]
    )


def _fill_of(r: Renderer, boxes: list[Element]) -> str:
    """What the innermost of the boxes that says so fills letters with; by itself that is black."""
    for box in boxes:
        fill = r.hidden.fill_of(box) if r.hidden != () else ""  # type: ignore[attr-defined]
        fill = (fill or box.attrs.get("fill", "")).strip().lower()
        if fill:
            return "transparent" if fill == "none" else fill
    return "black"


def _is_beside(text: Element, graphic: Element) -> bool:
    """Whether a text begins above, far below, or far beside what its graphic shows."""
    attrs = graphic.attrs
    shown = [number_of(one) for one in attrs.get("viewBox", "").replace(",", " ").split()]
    if len(shown) != 4:
        shown = [(0.0, ""), (0.0, ""), number_of(attrs.get("width", "300")), number_of(attrs.get("height", "150"))]
    x, y = (number_of(text.attrs[name]) if name in text.attrs else None for name in ("x", "y"))
    if any(one is None or one[1] == "%" for one in (*shown, x or (0.0, ""), y or (0.0, ""))) or "overflow" in attrs:
        return False
    left, top, width, height = (one[0] for one in shown if one is not None)
    if not (width and height):
        return True
    is_above = y is not None and (y[0] < top or y[0] > top + 2 * height)
    return is_above or (x is not None and not left - max(_WIDE, width) < x[0] < left + 2 * width)


_WIDE = 900.0  # px of a line of text
