"""Open block elements: paragraphs, headings, quotes, callouts, code blocks, thematic breaks, terms.

In: the renderer and an element. Out: (close, argument), PLAIN, or None to skip the content (see handlers/__init__.py).
Specification: CommonMark 0.31 sections 4 and 5.1; HTML section 4; GitHub's alerts.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from itertools import islice

from webtool.html.elements import HEADINGS, role_of
from webtool.html.node import Element, around, nodes_below, short_text
from webtool.markdown import blocks, code, escape, formulas, meanings
from webtool.markdown.handlers import attributes
from webtool.markdown.handlers.attributes import display_of, keeps_white_space
from webtool.markdown.handlers.inline import end_each, holds, open_tex_attribute
from webtool.markdown.layout import GAP, Code
from webtool.markdown.render import PLAIN, Opened, Renderer

_MAX_AROUND = 4  # ancestors of a callout's title among which the callout is looked for
_MAX_NODES = 60  # nodes of a heading that are looked at
_MAX_HEADING = 160  # characters; a longer heading with a paragraph in it was never closed by its author

# Elements that a heading cannot contain. A heading with one of them was never closed by its author.
_NOT_IN_HEADING = frozenset((
    "table", "ul", "ol", "pre", "hr", "blockquote", "dl", "form", "section", "article", "main", *HEADINGS,
))  # fmt: skip
_LINES = frozenset(("line", "ltx_listingline"))
# How a server's list of files begins, by nginx, IIS and Apache: `<pre><a href="../">../</a>`.
_DIRECTORIES = ("../\n", "[To Parent Directory]", "Name  ")
_MAX_ICONS = 4  # nodes before the first link of such a list: Apache's icon and the spaces around it


def open_skip(_: Renderer, __: Element) -> Opened:
    """Skip the element."""
    return None


def open_block(r: Renderer, element: Element) -> Opened:
    """Open an element whose edges end a line; its class, role or style may make something else of it."""
    attrs = element.attrs
    if attrs:
        if formulas.of_attributes(element):
            return open_tex_attribute(r, element)
        opened = attributes.open_by_meaning(r, element)
        if opened is not PLAIN:
            return opened
    if attrs and "style" in attrs:
        style = attrs["style"].lower()
        if "mso-list" in style and element.tag == "p":
            return r.page.handlers["#levelled"](r, element)
        if "white-space" in style or "display" in style:
            match = display_of(style)
            display = match[1] if match is not None else ""
            if display == "table-cell":
                return r.page.handlers["td"](r, element)
            return attributes.open_box(r, display not in ("inline", "contents"), keeps_white_space(style) is not None)
    if r.run and not r.run.waits():
        r.flush()
    return r.flush, None


def open_heading(r: Renderer, element: Element) -> Opened:
    """Open a heading. If it is the heading of a card (see handlers/links.py), it gets the card's link."""
    opened = _open_heading(r, element)
    if r.linked is None or r.linked[0] is not element:
        return opened
    return end_each, (r.open_format("link", *r.linked[1:]), opened)


def _open_heading(r: Renderer, element: Element) -> Opened:
    """Open an h1 to h6; aria-level changes its level, and a presentation role makes it a plain block."""
    level = HEADINGS[element.tag]
    if "aria-level" in element.attrs:
        level = level_of(element, level)
    elif role_of(element.attrs) in ("presentation", "none"):
        r.flush()
        return r.flush, None
    return open_heading_of(r, element, level)


def level_of(element: Element, default: int) -> int:
    """Return a heading's aria-level, at most 6, or `default` without a valid one."""
    level = element.attrs.get("aria-level", "").strip()
    return min(int(level), 6) if len(level) == 1 and level in "123456789" else default


def open_heading_of(r: Renderer, element: Element, level: int) -> Opened:
    """Open a heading of this level, whatever its tag."""
    r.flush()
    if r.flat:
        return r.flush, None
    if _holds_blocks(element):
        r.heading = "#" * level + " "
        return _end_heading_with_blocks, r
    r.flat = True
    return _end_heading, (r, level, element)


def _holds_blocks(heading: Element) -> bool:
    """Whether a heading contains what no heading can. Only its first nodes are looked at.

    A paragraph counts in a long heading only: some pages write a heading's lines as paragraphs.
    """
    nodes = list(islice(nodes_below(heading), _MAX_NODES))
    if any(node.tag in _NOT_IN_HEADING and node.namespace == "html" for node in nodes):
        return True
    if not any(node.tag == "p" for node in nodes):
        return False
    length = sum(len(node.text.strip()) for node in nodes if node.tag is None)
    return len(nodes) == _MAX_NODES or length > _MAX_HEADING


def _end_heading_with_blocks(r: Renderer) -> None:
    """End a heading that was never closed: its first text became the heading."""
    r.flush()
    r.heading = ""


def _end_heading(state: tuple[Renderer, int, Element]) -> None:
    """Write the heading on one line; a line break in it becomes a space."""
    r, level, element = state
    r.flat = False
    text = r.run.take_line()
    # An author's empty heading stays; a heading with an invisible icon has children or attributes.
    is_bare = not (element.children or element.attrs)
    if text:
        r.writer.block(blocks.HEADING, f"{'#' * level} {escape.heading(text)}")
    elif is_bare and not r.writer.has_text:
        r.writer.block(blocks.HEADING, "#" * level)


def open_rule(r: Renderer, _: Element) -> Opened:
    """Write a thematic break."""
    r.flush()
    if not r.flat:
        r.writer.block(blocks.RULE, "___" if r.writer.needs_underscores else "---")
    return None


def open_code_block(r: Renderer, element: Element) -> Opened:
    """Write a code block; in a cell or heading, each line as a code span. A directory stays a list of links."""
    if r.flat:
        r.flush()
        for line in code.text_of(element, r.hidden).split("\n"):
            if line.strip():
                r.run += (Code(line), GAP)
        return None
    r.flush()
    if _is_directory(element):
        return attributes.open_box(r, True, True)
    write_code(r, code.text_of(element, r.hidden), "math" if formulas.is_code(element) else code.language_of(element))
    return None


def open_listing(r: Renderer, element: Element) -> Opened:
    """Open a box of code lines by Doxygen or LaTeXML. Formulas and tables in such boxes are not code."""
    names = {node.attrs.get("class") for node in element.children}
    if _LINES.isdisjoint(names) or holds(element, lambda node: node.tag in ("math", "table")):
        return PLAIN
    return open_code_block(r, element)


def write_code(r: Renderer, text: str, language: str) -> None:
    """Write a code block, and drop a paragraph above it that only names the language."""
    if language:
        r.writer.replace_word(language)
    r.writer.block(blocks.CODE, code.fenced(text, language))


def open_quote(r: Renderer, _: Element) -> Opened:
    """Open a block quote."""
    r.flush()
    if r.flat:
        return r.flush, None
    r.writer.open(blocks.QUOTE, "> ", "> ")
    r.lists.append(None)
    return end_quote, r


def end_quote(r: Renderer) -> None:
    """Close a quote, callout or footnote."""
    r.flush()
    r.lists.pop()
    r.writer.close()


def _is_directory(element: Element) -> bool:
    """Return whether a code block is a server's list of files: its first words are a link of _DIRECTORIES."""
    text = short_text(element).lstrip()
    link = next((node for node in element.children[:_MAX_ICONS] if node.tag == "a"), None)
    if link is None or "href" not in link.attrs or not text.startswith(_DIRECTORIES):
        return False
    name = short_text(link)
    return name in ("../", "[To Parent Directory]", "Name") and text.startswith(name)


def open_editor(r: Renderer, element: Element) -> Opened:
    """Write the code in an editor (CodeMirror 6). A theme (ColorMag) has a "cm-content" without lines of code."""
    has_lines = any("cm-line" in node.attrs.get("class", "").split() for node in element.children)
    return open_code_block(r, element) if has_lines else PLAIN


def open_callout(r: Renderer, element: Element) -> Opened:
    """Open a callout: a quote that begins with its kind, as in [!NOTE]. Without a class an attribute names the kind.

    `<div class=callout data-callout=tip>` (Obsidian, Quartz), `data-callout-type` (Mintlify).
    """
    attrs = element.attrs
    kind = meanings.callout_kind(attrs.get("class", "")) or meanings.CALLOUT_KINDS.get(
        attrs.get("data-callout", attrs.get("data-callout-type", ""))
    )
    return _open_callout(r, element, kind) if kind else PLAIN


def _open_callout(r: Renderer, element: Element, kind: str) -> Opened:
    """Open a callout of this kind. A first line that only repeats the kind is left out."""
    r.flush()
    text = short_text(element).strip()
    if r.flat or not text or meanings.repeats_callout_kind(text):  # scripts may fill an empty box later
        return r.flush, None
    r.writer.open(blocks.QUOTE, "> ", "> ")
    r.writer.block(blocks.ALERT, f"[!{kind}]")
    r.lists.append(None)
    for index, node in enumerate(element.children):
        if node.tag is None and not node.text.strip():
            continue
        if node.tag not in ("p", "div", "h3", "h4", "h5", "summary") or not meanings.repeats_callout_kind(
            short_text(node)
        ):
            break
        r.walk(element.children[index + 1 :])
        end_quote(r)
        return None
    return end_quote, r


def open_titled(r: Renderer, element: Element) -> Opened:
    """Open a DocBook callout, recognised by its heading: "Note"."""
    first = next((node for node in element.children if isinstance(node, Element)), element)
    kind = meanings.CALLOUT_KINDS.get(short_text(first).strip().lower(), "") if first.tag in HEADINGS else ""
    return _open_callout(r, element, kind) if kind else PLAIN


def open_quote_or_callout(r: Renderer, element: Element) -> Opened:
    """Open a blockquote; one with a callout's class is a callout."""
    opened = open_callout(r, element)
    return open_quote(r, element) if opened is PLAIN else opened


def open_details(r: Renderer, element: Element) -> Opened:
    """Open a details element; MkDocs writes callouts so."""
    kind = meanings.details_callout_kind(element.attrs["class"]) if "class" in element.attrs else ""
    return _open_callout(r, element, kind) if kind else open_block(r, element)


def open_callout_title(r: Renderer, element: Element) -> Opened:
    """Open the title of a callout in bold, or skip it if it only repeats the kind."""
    if not any(meanings.callout_kind(box.attrs.get("class", "")) for box in around(element, _MAX_AROUND)):
        return PLAIN  # it is not in a callout
    text = short_text(element)
    if meanings.repeats_callout_kind(text) or not text.strip():
        return None
    r.flush()
    return end_each, (r.open_format("strong"), (r.flush, None))


def open_bold_line(r: Renderer, element: Element) -> Opened:
    """Open a summary or a term (dt): a line in bold, unless it has bold text or a heading in it."""
    r.flush()
    if r.flat:
        return r.flush, None
    has_bold = any(node.tag in ("b", "strong") for node in element.children)
    is_bold = has_bold or holds(element, lambda node: node.tag in HEADINGS)
    return end_each, (None if is_bold else r.open_format("strong"), (r.flush, None))


def open_dialog(r: Renderer, element: Element) -> Opened:
    """Open a dialog if the page shows it open, else skip it."""
    return open_block(r, element) if "open" in element.attrs else None
