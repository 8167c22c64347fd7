"""Open links, including those that contain more than one line.

In: the renderer and an a element. Out: (close, argument), PLAIN, or None to skip the content (see
handlers/__init__.py).

A card on a page is often one link around a picture, a heading and two lines of text. GFM has no such link. So the
heading gets the link, if the card has one; lines of text become the lines of one link; in anything longer the first
paragraph is linked. Permalinks are dropped and footnote references become [^1].
Specification: HTML section 4.5.1 (a, transparent content), CommonMark 0.31 section 6.3.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from collections.abc import Container, Mapping

from webtool.html.elements import HEADINGS, role_of
from webtool.html.node import BLOCK, Element, short_text
from webtool.lean.characters import is_alnum
from webtool.markdown import footnotes
from webtool.markdown.handlers import attributes
from webtool.markdown.handlers.attributes import is_block_style
from webtool.markdown.handlers.inline import end_each, holds
from webtool.markdown.layout import Raw
from webtool.markdown.links import protected_address
from webtool.markdown.meanings import BLOCKS, CODE_BLOCKS, LISTS, SKIPPED
from webtool.markdown.naming import heading_of, is_permalink, leads_to_heading
from webtool.markdown.render import PLAIN, Opened, Renderer

# Roles by which a link is also an item, row, cell or heading.
_BOX_ROLES = frozenset(("listitem", "row", "cell", "gridcell", "columnheader", "rowheader", "heading"))
_MAX_TITLE = 40  # characters of a tooltip that is kept: a label may be useful, a sentence is not on the page
_FIRST, _LINES = "first", "lines"  # what of a link's content is linked: the first paragraph, all lines
_MAX_CARD_NODES = 80  # nodes of a link that are looked at; a link with more gets _FIRST
_MAX_CARD_TEXT = 400  # characters of a link's lines; a link with more gets _FIRST
_NOT_A_LINE = LISTS | CODE_BLOCKS | {"table", "blockquote", "hr", "dl"}
_ENDS_LINE = BLOCKS | set(HEADINGS)


def open_link(r: Renderer, element: Element) -> Opened:
    """Open a link, inside the item, row, cell or heading that its role makes of it."""
    role = role_of(element.attrs)
    if role not in _BOX_ROLES:
        return _open_link(r, element)
    opened = r.page.handlers["@" + role](r, element)
    inner = _open_link(r, element) if opened is not None else None
    return opened if inner is None else (end_each, (inner, opened))


def _open_link(r: Renderer, element: Element) -> Opened:
    """Open a link: a footnote reference, permalink, mail address, link or card."""
    attrs = element.attrs
    href = attrs.get("href")
    if href and href[:27] == "/cdn-cgi/l/email-protection":
        return _open_protected(r, element, href)
    if href and "#" in href:
        notes = r.notes
        # A link back from a note has no other use. In a list of sources it may be the source's name.
        is_unnamed = None in r.lists or not any(map(is_alnum, short_text(element)))
        if notes is not None and (element in notes.back_links or (is_unnamed and footnotes.is_back_link(element))):
            return None
        label = r.note_label(element, href.partition("#")[2]) if footnotes.may_refer(element, href) else None
        if label:
            r.run.append(Raw(f"[^{label}]"))
            return None
    is_run_link = attrs.get("class") == "test-arrow"  # rustdoc's link to run the code
    if href and (is_run_link or is_permalink(element, href)):
        return None
    url = r.page.links.resolve(href) if href is not None else None
    if r.run:
        attributes.keep_apart(r, element)
    if url is None or (url[:1] == "#" and _leads_here(r, element, url[1:])):
        return PLAIN
    title = attrs.get("title", "").strip()
    if len(title) > _MAX_TITLE or (len(title) > 3 and url.endswith("/" + title.replace(" ", "_"))):
        title = ""  # the second: a wiki's link repeats the name of the page
    children = element.children
    if r.flat or (len(children) == 1 and children[0].tag is None):
        return r.open_format("link", url, title, element=element)
    content = _linked_content(element, r.hidden, r.arranged)
    if content is _FIRST:
        return r.open_format("link", url, title, element=element)
    if content is _LINES:  # they become the lines of one link
        r.flush()
        r.flat = True
        return _end_lines, (r, r.open_format("link", url, title, element=element))
    if url[:1] != "#":
        r.linked = content, url, title  # type: ignore[assignment]
    return PLAIN


def _leads_here(r: Renderer, link: Element, name: str) -> bool:
    """Whether a link leads to the heading that it is in, `name` being the id in its address."""
    heading = heading_of(link)
    return leads_to_heading(link, name) if heading is None else not r.labels.leads_away(heading, link, name)


def _open_protected(r: Renderer, element: Element, href: str) -> Opened:
    """Open a link to a mail address that Cloudflare hides from robots, in the link's address or its text."""
    address = protected_address(element.attrs.get("data-cfemail") or href.partition("#")[2])
    if "data-cfemail" in element.attrs:
        return open_protected_text(r, element)
    if address and "[email" in short_text(element) and not holds(element, lambda node: "data-cfemail" in node.attrs):
        r.write_span("link", address, f"mailto:{address}")
        return None
    return r.open_format("link", f"mailto:{address}", element=element) if address else PLAIN


def open_protected_text(r: Renderer, element: Element) -> Opened:
    """Write the mail address that Cloudflare hides as "[email protected]" in a text."""
    address = protected_address(element.attrs.get("data-cfemail", ""))
    if not address:
        return PLAIN
    r.run.append(address)
    return None


def _end_lines(state: tuple[Renderer, Opened]) -> None:
    """Close a link around several lines."""
    r, opened = state
    r.flat = False
    end_each((opened,))
    r.flush()


def _linked_content(link: Element, hidden: Container[Element], arranged: Mapping[Element, str]) -> str | Element:
    """Return the heading inside the link that is to be linked, or _LINES or _FIRST.

    _LINES: the link has several lines of text and nothing larger. _FIRST: it is inline, or has lists, tables, long
    text.
    """
    nodes, length, kind = 0, 0, ""
    heading: Element | None = None
    stack = [(iter(link.children), heading)]
    while stack:
        children, heading = stack[-1]
        for node in children:
            nodes += 1
            tag = node.tag
            if tag is None:
                size = len(node.text.strip())
                if size and heading is not None:
                    return heading
                length += size
            elif tag not in SKIPPED and tag != "svg" and node not in hidden:
                if tag in _NOT_A_LINE:
                    kind = _FIRST
                elif not kind and (
                    tag in _ENDS_LINE
                    or (arranged.get(node) == BLOCK and not attributes.is_icon(node))  # type: ignore[arg-type]
                    or is_block_style(node.attrs.get("style", ""))
                ):
                    kind = _LINES
                stack.append((iter(node.children), node if tag in HEADINGS else heading))  # type: ignore[arg-type]
                break
        else:
            stack.pop()
        if nodes > _MAX_CARD_NODES or length > _MAX_CARD_TEXT:
            return _FIRST
    return kind or _FIRST
