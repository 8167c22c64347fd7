"""Images and embedded media: elements in, the address that a browser would load and the text for it out.

Specification: HTML Standard 4.8.4 (img, srcset), 4.8.5 (iframe), 4.8.8-4.8.10 (video, audio). The data- attributes are
those of the usual lazy loaders.
"""

from __future__ import annotations

from webtool.html.node import Element
from webtool.lean import patterns

_LAZY = (
    "data-src", "data-lazy-src", "data-original", "data-lazy", "data-url", "data-hi-res-src", "data-actualsrc",
    "data-echo", "data-image", "data-img-src", "data-full-src", "data-cfsrc", "nitro-lazy-src", "data-orig-file",
)  # fmt: skip
_LAZY_SETS = ("data-srcset", "data-lazy-srcset", "data-original-set")
_is_no_address = patterns.compile(r"(?i)\s*(?:(?:data|about|javascript):|\Z)").match
_names_placeholder = patterns.compile(
    r"(?i)\s*(?:[\w.-]{0,24}[-_.])?"
    r"(?:blank|placeholder|spacer|lazy-?load(?:ing)?|loading|loader|1x1|transparent|pixel|gr[ae]y)"
    r"(?:[-_.][\w.-]{0,16})?\.(?:gif|png|svg|webp)"
).fullmatch
_candidates = patterns.compile(r"\s*([^\s,]\S*[^\s,])\s*([0-9.]+[wx])?\s*(?:,|$)").finditer


def image_source(image: Element) -> str:
    """The image's address as written, "" when there is only a placeholder."""
    attrs = image.attrs
    source = attrs.get("src", "")
    if source and (len(attrs) < 2 or not is_placeholder(source[:300])):
        return "" if source.lstrip()[:5].lower() == "data:" else source
    for name in _LAZY:
        value = attrs.get(name, "").strip()
        if value and not is_placeholder(value[:300]) and not value.startswith(("{", "[")):
            return value
    best = ""
    for name in (*_LAZY_SETS, "srcset"):
        best = best or best_candidate(attrs.get(name, ""))
    return best or _from_picture(image) or _from_noscript(image) or ("" if _is_inline(source) else source)


def is_placeholder(address: str) -> bool:
    """Inline data, or a file that is called by what it is: spacer.gif, lazy-placeholder.svg, grey-pixel.gif."""
    name = address.partition("?")[0].partition("#")[0].rpartition("/")[2]
    return bool(_names_placeholder(name) or _is_no_address(address))


def _is_inline(source: str) -> bool:
    return source.lstrip()[:5].lower() in ("data:", "about", "javas")


def best_candidate(srcset: str) -> str:
    """The largest candidate of a srcset."""
    best, best_size = "", -1.0
    for match in _candidates(srcset[:20000]):
        url, descriptor = match[1], match[2] or "1x"
        if _is_inline(url):
            continue
        try:
            size = float(descriptor[:-1])
        except ValueError:
            size = 0.0
        if size > best_size:
            best, best_size = url, size
    return best


def _from_picture(image: Element) -> str:
    parent = image.parent
    if parent is None or parent.tag != "picture":
        return ""
    sources = [node for node in parent.children if node.tag == "source"]
    found = (best_candidate(node.attrs.get(name, "")) for node in sources for name in ("srcset", *_LAZY_SETS))
    return next(filter(None, found), "")


_source_attribute = patterns.compile(
    r"""(?i)<img\b[^>]{0,500}?\ssrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))"""
).search


def _from_noscript(image: Element) -> str:
    """The address in a noscript twin that follows the image or its picture."""
    holder = image.parent if image.parent is not None and image.parent.tag == "picture" else image
    if holder is None or holder.parent is None:
        return ""
    siblings = holder.parent.children
    if len(siblings) > 50:
        return ""
    index = next((i for i, node in enumerate(siblings) if node is holder), len(siblings))
    for node in siblings[index + 1 : index + 3]:
        if node.tag == "noscript":
            return _image_in(node)  # type: ignore[arg-type]
    return ""


def _image_in(noscript: Element) -> str:
    for node in noscript.children:
        if node.tag == "img":
            source = node.attrs.get("src", "")
        elif node.tag is None:
            match = _source_attribute(node.text[:4000])
            source = (match[1] or match[2] or match[3] or "") if match else ""
        else:
            continue
        if source and not is_placeholder(source[:300]):
            return source
    return ""


def is_pixel(image: Element) -> bool:
    """Whether the image is a tracker, a spacer or the bullet before a text: at most one pixel wide and high, which
    WordPress writes at vector graphics too, or without a name and one pixel wide or high or as small as a letter."""
    attrs = image.attrs
    sides = [attrs.get(side, "").strip("px ") for side in ("width", "height")]
    if not all(side.isdecimal() and len(side) <= _DIGITS for side in sides):
        return False
    least, most = sorted(map(int, sides))
    if attrs.get("alt"):
        return most <= 1 and not attrs.get("src", "").partition("?")[0].endswith(".svg")
    return least <= 1 or (most <= _LETTER and "alt" in attrs)


_DIGITS = 4  # of a size
_LETTER = 16  # pixels


def embedded_source(element: Element) -> str:
    """The address of an audio, video, iframe, embed or object element; "" if it has none."""
    attrs = element.attrs
    for name in ("src", "data", "data-src", "data-lazy-src"):
        value = attrs.get(name, "").strip()
        if value and not _is_inline(value):
            return value
    film = attrs.get("data-videoid", attrs.get("videoid", ""))  # amp-youtube, lite-youtube
    if film:
        return f"https://www.youtube.com/watch?v={film}"
    for node in element.children:
        if node.tag == "source" and node.attrs.get("src", "").strip():
            return node.attrs["src"].strip()
    return ""
