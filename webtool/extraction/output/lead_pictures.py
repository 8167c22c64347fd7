"""Recognise the picture above a page's text: the one that the page's head names for social networks.

In: the root of a page; an img. Out: names of files without size and format, so that the picture is found again however
it is scaled: "photo" for photo-300x200.jpg.webp.
Spec: og:image of the Open Graph protocol, and Twitter's twitter:image.
Tests: tests/extraction/rules/test_whole_units.py
"""

from __future__ import annotations

from webtool.html.node import Element
from webtool.lean import patterns

MIN_NAME = 5  # characters; many files have a shorter name, so it identifies no picture
_MEMBERS = frozenset(("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src"))
_BESIDE = frozenset(("nav", "aside", "footer", "form"))
_LOGO = patterns.compile(r"(?i)logo")
_SLASH = patterns.compile("(?i)%2f")
_FORMAT = r"\.(?:jpe?g|png|gif|webp|avif)"
_SIZE_AND_FORMAT = patterns.compile(rf"(?i)(?:[-_](?:\d{{2,4}}x\d{{2,4}}|scaled)|@\dx)?(?:{_FORMAT})*$")
_is_file = patterns.compile(rf"(?i){_FORMAT}(?:[?#]|$)").search


def names(root: Element) -> set[str]:
    """Return the names of the pictures in a page's og:image and twitter:image."""
    top = next((child for child in root.children if child.tag == "html"), root)
    head = next((child for child in top.children if child.tag == "head"), top)
    metas = [node.attrs for node in head.children if node.tag == "meta"]
    images = [attrs.get("content", "") for attrs in metas if attrs.get("property", attrs.get("name", "")) in _MEMBERS]
    return {name(address) for address in images if len(name(address)) >= MIN_NAME}


def name(address: str) -> str:
    """Return the name of a picture's file: "photo" for photo-300x200.jpg.webp and for /_next/image?url=%2Fphoto.png."""
    path = _SLASH.sub("/", address.rpartition("url=")[2]).partition("?")[0].partition("&")[0]
    return _SIZE_AND_FORMAT.sub("", path.rstrip("/").rpartition("/")[2]).lower()


def is_larger(element: Element) -> bool:
    """Return whether an element is a link to a picture's file, as around a small picture that is shown larger there."""
    return element.tag == "a" and bool(_is_file(element.attrs.get("href", "")[-400:]))


def may_lead(image: Element) -> bool:
    """Return whether an img may be the picture above the text: it is outside of menus, margins and logos."""
    element = image.parent
    while element is not None:
        if element.tag in _BESIDE or _LOGO.search(element.attrs.get("class", "")[:400]):
            return False
        element = element.parent
    return True
