"""Find the address of an image or of embedded media, as a browser would load it.

In: img, iframe, video, audio, embed and object elements. Out: the address as written, "" without one. Lazy loaders
put a placeholder into src and the address into a data attribute or a noscript element; those are looked at too.
Specification: HTML Standard 4.8.4 (img, srcset), 4.8.5 (iframe), 4.8.8-4.8.10 (video, audio). The data- attributes are
those of the usual lazy loaders.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from webtool.html.node import Element
from webtool.lean import patterns

# Attributes of lazy loaders with an address, and with a srcset.
_LAZY = (
    "data-src", "data-lazy-src", "data-original", "data-lazy", "data-url", "data-hi-res-src", "data-actualsrc",
    "data-echo", "data-image", "data-img-src", "data-full-src", "data-cfsrc", "nitro-lazy-src", "data-orig-file",
)  # fmt: skip
_LAZY_SETS = ("data-srcset", "data-lazy-srcset", "data-original-set")
_is_no_address = patterns.compile(r"(?i)\s*(?:(?:data|about|javascript):|\Z)").match
_names_placeholder = patterns.compile(
    r"(?i)\s*(?:[\w.-]{0,24}[-_.])?"
    r"(?:blank|placeholder|spacer|lazy-?load(?:ing)?|loading|loader|spinner|1x1|transparent|pixel|gr[ae]y)"
    r"(?:[-_.][\w.-]{0,16})?\.(?:gif|png|svg|webp)"
).fullmatch
# One candidate of a srcset: its address and its descriptor ("2x", "640w").
_CANDIDATES = patterns.compile(r"\s*([^\s,]\S*[^\s,])\s*([0-9.]+[wx])?\s*(?:,|$)")
_SOURCE_ATTRIBUTE = patterns.compile(r"""(?i)<img\b[^>]{0,500}?\ssrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_MAX_DIGITS = 4  # digits of a width or height; longer values are ignored
_MAX_LETTER = 16  # pixels; a decorative image up to this size is a bullet


def image_source(image: Element) -> str:
    """Return the image's address as written, "" if there is only a placeholder."""
    attrs = image.attrs
    source = attrs.get("src", "")
    is_lazy = "class" in attrs and "lazy" in attrs["class"].lower()
    # A script replaces src by the address in another attribute, so an image with src alone keeps it.
    is_replaced = len(attrs) > 1 and (is_lazy or is_placeholder(source[:300]))
    if source and not is_replaced:
        return "" if source.lstrip()[:5].lower() == "data:" else source
    for name in _LAZY:
        value = attrs.get(name, "").strip()
        if value and not is_placeholder(value[:300]) and not value.startswith(("{", "[")):
            return value
    best = ""
    for name in (*_LAZY_SETS, "srcset"):
        best = best or best_candidate(attrs.get(name, ""))
    return best or _from_picture(image) or _from_noscript(image) or ("" if _is_no_address(source) else source)


def is_placeholder(address: str) -> bool:
    """Whether an address is inline data or a file named like a placeholder: spacer.gif, lazy-placeholder.svg."""
    name = address.partition("?")[0].partition("#")[0].rpartition("/")[2]
    return bool(_names_placeholder(name) or _is_no_address(address))


def best_candidate(srcset: str) -> str:
    """Return the address of the largest candidate of a srcset."""
    best, best_size = "", -1.0
    for match in _CANDIDATES.finditer(srcset[:20000]):
        url, descriptor = match[1], match[2] or "1x"
        if _is_no_address(url):
            continue
        try:
            size = float(descriptor[:-1])
        except ValueError:
            size = 0.0
        if size > best_size:
            best, best_size = url, size
    return best


def _from_picture(image: Element) -> str:
    """Return the address in the source elements of the picture around the image."""
    parent = image.parent
    if parent is None or parent.tag != "picture":
        return ""
    sources = [node for node in parent.children if node.tag == "source"]
    srcsets = (node.attrs.get(name, "") for node in sources for name in ("srcset", *_LAZY_SETS))
    return next(filter(None, map(best_candidate, srcsets)), "")


def _from_noscript(image: Element) -> str:
    """Return the address in a noscript element that follows the image or its picture."""
    holder = image.parent if image.parent is not None and image.parent.tag == "picture" else image
    if holder is None or holder.parent is None:
        return ""
    siblings = holder.parent.children
    if len(siblings) > 50:
        return ""
    index = next((i for i, node in enumerate(siblings) if node is holder), len(siblings))
    following = siblings[index + 1 : index + 3]
    return next((_image_in(node) for node in following if node.tag == "noscript"), "")  # type: ignore[arg-type]


def _image_in(noscript: Element) -> str:
    """Return the address of the first image in a noscript element, which may hold elements or text."""
    for node in noscript.children:
        if node.tag == "img":
            source = node.attrs.get("src", "")
        elif node.tag is None:
            match = _SOURCE_ATTRIBUTE.search(node.text[:4000])
            source = (match[1] or match[2] or match[3] or "") if match else ""
        else:
            continue
        if source and not is_placeholder(source[:300]):
            return source
    return ""


def is_pixel(image: Element) -> bool:
    """Whether the image is a tracking pixel, a spacer or a bullet.

    With a name (alt): not more than one pixel wide and high, unless it is an SVG, for which WordPress writes 1x1. With
    an empty or missing alt: one pixel wide or high. With an empty alt also if it is not larger than a letter.
    """
    attrs = image.attrs
    sides = [attrs.get(side, "").strip("px ") for side in ("width", "height")]
    if not all(side.isdecimal() and len(side) <= _MAX_DIGITS for side in sides):
        return False
    smaller, larger = sorted(map(int, sides))
    if attrs.get("alt"):
        return larger <= 1 and not attrs.get("src", "").partition("?")[0].endswith(".svg")
    return smaller <= 1 or (larger <= _MAX_LETTER and "alt" in attrs)


def embedded_source(element: Element) -> str:
    """Return the address of an audio, video, iframe, embed or object element, "" without one."""
    attrs = element.attrs
    for name in ("src", "data", "data-src", "data-lazy-src"):
        value = attrs.get(name, "").strip()
        if not _is_no_address(value):
            return value
    video_id = attrs.get("data-videoid", attrs.get("videoid", ""))  # amp-youtube, lite-youtube
    if video_id:
        return f"https://www.youtube.com/watch?v={video_id}"
    sources = (node.attrs.get("src", "").strip() for node in element.children if node.tag == "source")
    return next(filter(None, sources), "")
