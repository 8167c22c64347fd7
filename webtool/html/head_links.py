"""What a page's head says about where its text is: a markdown alternate, or another page to go to at once.

In: a tree and the page's URL. Out: absolute URLs, or None. Spec: the HTML Standard, sections 4.6.7 (alternate) and
4.2.5.3 (refresh).
"""

from __future__ import annotations

from webtool import urls
from webtool.html.node import walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.html.node import Element, Node

LONGEST_DELAY = 10.0  # seconds; a page that stays longer is meant to be read, and reloads itself
SHORT_TEXT = 500  # characters of visible text up to which a page that refreshes is only a signpost
_WHITE_SPACE = "\t\n\f\r "
_SILENT = frozenset(("script", "style", "title", "noscript", "template"))


def markdown_alternate(root: Element, url: str) -> str | None:
    """The URL of <link rel=alternate type=text/markdown>."""
    for node in _elements(root, "link"):
        kind = node.attrs.get("type", "").partition(";")[0].strip().lower()
        if (
            kind == "text/markdown"
            and "alternate" in node.attrs.get("rel", "").lower().split()
            and node.attrs.get("href")
        ):
            return urls.join(url, node.attrs["href"])
    return None


def refresh_target(root: Element, url: str) -> str | None:
    """Where <meta http-equiv=refresh> leads, if it is soon, elsewhere, and the page itself says next to nothing."""
    for node in _elements(root, "meta"):
        if node.attrs.get("http-equiv", "").strip().lower() != "refresh":
            continue
        delay, target = parse_refresh(node.attrs.get("content", ""))
        if target and delay is not None and delay <= LONGEST_DELAY and not _says_much(root):
            absolute = urls.join(url, target)
            return absolute if absolute.partition("#")[0] != url.partition("#")[0] else None
    return None


def base_of(root: Element, url: str) -> str:
    """The document base URL: the first <base> that has an href, joined to the page's URL (section 2.4.3)."""
    for node in _elements(root, "base"):
        if "href" in node.attrs:
            return urls.join(url, node.attrs["href"])
    return url


def generator_of(root: Element) -> str:
    """What <meta name=generator> says; "" where there is none."""
    for node in _elements(root, "meta"):
        if node.attrs.get("name", "").strip().lower() == "generator":
            return node.attrs.get("content", "").strip()
    return ""


def parse_refresh(content: str) -> tuple[float | None, str]:
    """Delay in seconds (None: not a refresh) and the URL ("": the page itself), as the shared declarative refresh
    steps read them."""
    text = content.strip(_WHITE_SPACE)
    end = 0
    while end < len(text) and (text[end].isdigit() or text[end] == "."):
        end += 1
    digits = text[:end].partition(".")[0]
    if not end or not (digits or text[:end].startswith(".")) or not digits.isascii():
        return None, ""
    rest = text[end:].lstrip(_WHITE_SPACE)
    if rest and rest[0] not in ";," and rest == text[end:]:
        return None, ""
    rest = rest[1:].lstrip(_WHITE_SPACE) if rest[:1] in (";", ",") else rest
    if rest[:3].lower() == "url":
        after = rest[3:].lstrip(_WHITE_SPACE)
        if after.startswith("="):
            rest = after[1:].lstrip(_WHITE_SPACE)
    if rest[:1] in ("'", '"'):
        rest = rest[1:].partition(rest[0])[0]
    return float(digits[:9] or 0), rest


def _elements(root: Element, tag: str) -> list[Element]:
    return [node for event, node in walk(root) if event == "open" and node.tag == tag]  # type: ignore[misc]


def _says_much(root: Element) -> bool:
    length, silent = 0, 0
    for event, node in walk(root):
        if event == "text":
            length += 0 if silent else len(_stripped(node))
        elif node.tag in _SILENT:
            silent += 1 if event == "open" else -1
        if length > SHORT_TEXT:
            return True
    return False


def _stripped(node: Node) -> str:
    return node.text.strip()
