"""The picture above a page's text, which the page names in its head for those who link to it.

In: the root of a page; an img. Out: names of files, by which the picture is known in all of its sizes and formats.
Spec: og:image of the Open Graph protocol, and Twitter's twitter:image.
"""

from __future__ import annotations

from webtool.html.node import Element
from webtool.lean import patterns

LEAST_NAME = 5
"""Letters of a file's name by which a picture is found again."""
_MEMBERS = frozenset(("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src"))
_BESIDE = frozenset(("nav", "aside", "footer", "form"))
_LOGO = patterns.compile(r"(?i)logo")
_SLASH = patterns.compile("(?i)%2f")
_FORMAT = r"\.(?:jpe?g|png|gif|webp|avif)"
_SIZE_AND_FORMAT = patterns.compile(rf"(?i)(?:[-_](?:\d{{2,4}}x\d{{2,4}}|scaled)|@\dx)?(?:{_FORMAT})*$")
_is_file = patterns.compile(rf"(?i){_FORMAT}(?:[?#]|$)").search


def names(root: Element) -> set[str]:
    """The names of the pictures that a page gives to those who link to it."""
    top = next((child for child in root.children if child.tag == "html"), root)
    head = next((child for child in top.children if child.tag == "head"), top)
    metas = [node.attrs for node in head.children if node.tag == "meta"]
    found = {name(one.get("content", "")) for one in metas if one.get("property", one.get("name", "")) in _MEMBERS}
    return {one for one in found if len(one) >= LEAST_NAME}


def name(address: str) -> str:
    """What the file of a picture is called: photo-300x200.jpg.webp is a "photo", /_next/image?url=%2Fphoto.png too."""
    path = _SLASH.sub("/", address.rpartition("url=")[2]).partition("?")[0].partition("&")[0]
    return _SIZE_AND_FORMAT.sub("", path.rstrip("/").rpartition("/")[2]).lower()


def is_larger(element: Element) -> bool:
    """Whether an element is a link to the file of a picture: what it holds is shown larger there."""
    return element.tag == "a" and bool(_is_file(element.attrs.get("href", "")[-400:]))


def may_lead(image: Element) -> bool:
    """Whether an img is none of a menu, a margin or the site's own sign."""
    element = image.parent
    while element is not None:
        if element.tag in _BESIDE or _LOGO.search(element.attrs.get("class", "")[:400]):
            return False
        element = element.parent
    return True
