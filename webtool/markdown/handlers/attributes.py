"""Open an inline element whose tag has no handler by its class, role or style attribute.

In: the renderer and an element. Out: (close, argument), PLAIN, or None to skip the content (see handlers/__init__.py).
Handlers of other elements use parts of it: what a class or role means, and boxes that a style makes.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from collections.abc import Container

from webtool.html.elements import role_of
from webtool.html.node import SILENT, Element, Node, short_text
from webtool.lean import patterns
from webtool.lean.characters import is_alnum
from webtool.lean.typing import Any
from webtool.markdown import formulas
from webtool.markdown.layout import SEAM, is_letter
from webtool.markdown.meanings import class_kinds
from webtool.markdown.render import PLAIN, Opened, Renderer

_MAX_TOKENS_BEFORE = 6  # last tokens of the run in which keep_apart looks for the text before an element
display_of = patterns.compile(r"(?i)(?:^|[;\s])display\s*:\s*([a-z-]+)").search
keeps_white_space = patterns.compile(
    r"(?i)white-space(?:-collapse)?\s*:\s*(?:pre\b|pre-wrap|pre-line|break-spaces|preserve)"
).search
vertical_align = patterns.compile(r"(?i)vertical-align\s*:\s*(super|sub)\b").search
_ALIGNED = {"super": "#raised", "sub": "#lowered"}
_MAX_SIBLINGS = 300  # siblings of an element; with more, no space is added
_MAX_BOXES = 3  # boxes around the drawing of an icon
_CURRENCIES = frozenset("$€£¥")
_ENDS = frozenset(":).")  # after these a word may begin without a space
_QUOTES = '"\u201c\u2018'
# Nodes without a text of their own: the sibling before them decides.
_PASSED = frozenset(("#comment", "input", "meta", "link", "script", "style", "template"))
# Classes that editors number or LaTeXML writes; they say nothing about what the text is.
_is_editor_class = patterns.compile(r"(?:[A-Za-z]{1,10}[0-9]{1,4}|ltx_\w+)").fullmatch
_BLOCK_DISPLAYS = frozenset(("block", "flex", "grid", "table", "list-item", "flow-root", "table-row"))


def open_by_attributes(r: Renderer, element: Element) -> Opened:
    """Open an element by an attribute with TeX, its class, its role or its style: the first that has a handler."""
    attrs = element.attrs
    if formulas.of_attributes(element):
        return r.page.handlers["#tex"](r, element)
    if r.run:
        keep_apart(r, element)
    opened = open_by_meaning(r, element)
    return _open_by_style(r, element) if opened is PLAIN and "style" in attrs else opened


def keep_apart(r: Renderer, element: Element) -> None:
    """Write a space before an inline element if only the page's style sheet sets it apart from the text before it.

    `<span class=brand>Kelty</span><span class=name>Wayback</span>` gives "Kelty Wayback" (shops). A word after an
    empty link also gets a space, because the link will be written with a name:
    `<a href=/ title=Home></a><span>Shop</span>`.
    """
    tokens: list[Any] = [token for token in r.run[-_MAX_TOKENS_BEFORE:] if token is not SEAM]
    if len(tokens) > 1 and type(tokens[-1]) is tuple and not tokens[-1][0]:  # (False, span): a span ends here
        span = tokens.pop()[1]
        is_empty = tokens[-1] == (True, span)
        if is_empty and span.kind == "link" and any(map(is_alnum, short_text(element)[:1])):
            r.run.append(" ")
    is_text = bool(tokens) and type(tokens[-1]) is str and not (r.preserve or r.formula_boxes)
    if is_text and _are_apart(tokens[-1], element, r.hidden):
        r.run.append(" ")


def _is_of_editor(classes: tuple[str, str]) -> bool:
    """Whether two spans are pieces of an editor's text: `<span class=c0>Rot</span><span class=c5>terdam</span>`.

    Google Docs, Pages, e-books and LaTeXML write such spans, also inside words.
    """
    names = [name for attribute in classes for name in attribute.split()]
    return bool(names) and all(map(_is_editor_class, names))


def _is_running_text(siblings: list[Node]) -> bool:
    """Whether a span is part of a sentence: a text beside it has letters that are not in a span."""
    return any(node.tag is None and any(map(str.isalpha, node.text)) for node in siblings)


def _shown_before(element: Element, siblings: list[Node], hidden: Container[Element]) -> Node | None:
    """Return the nearest sibling before the element that may show something, or None."""
    for node in reversed(siblings[: siblings.index(element)]):
        is_empty_span = node.tag == "span" and not node.children
        if node.tag not in _PASSED and node not in hidden and not is_empty_span:
            return node
    return None


def _are_apart(before: str, element: Element, hidden: Container[Element]) -> bool:
    """Whether the last word of `before` and the first word of `element` are two words, though no space is between them.

    A style sheet sets such boxes apart: `<span class=brand>Kelty</span><span class=name>Wayback</span>`. Two boxes are
    parts of one word only if a letter is decorated (`<b>W</b><i>ord</i>`) or an editor left spans inside a word. Then
    one part is a single letter, or the word continues in lower case in a box of the same class.

    `before` is the text so far in the element's block.
    """
    last = before[-1:]
    if not (is_letter(last) or last in _ENDS) or element.parent is None:
        return False
    after = short_text(element)
    after = after.lstrip(_QUOTES) if last == "." else after
    siblings = element.parent.children
    if not (is_letter(after[:1]) or after[:1] in _CURRENCIES) or len(siblings) > _MAX_SIBLINGS:
        return False
    previous = _shown_before(element, siblings, hidden)
    if previous is None or previous.tag is None:  # beside a text only a link may be apart: `by<a class=name>Ann</a>`
        return element.tag == "a" and "class" in element.attrs and last.islower() and after[0].isupper()
    if "-" in element.tag or "-" in previous.tag:  # custom elements are boxes of their own
        return True
    previous_text = short_text(previous).strip()
    classes = previous.attrs.get("class", ""), element.attrs.get("class", "")
    if last == ".":  # the full stop of a sentence or of a number in a list, not of a name in code (a.B)
        return any(classes) and (" " in previous_text or previous_text[:-1].isdecimal()) and after[0].isupper()
    if "label" in (element.tag, previous.tag) or (element.tag == previous.tag == "a" and any(classes)):
        return True
    if _is_of_editor(classes) or (last.islower() and after[0].islower() and _is_running_text(siblings)):
        return False
    have_two_classes = classes[0] != classes[1] and all(classes)
    is_one_character = len(previous_text) < 2 or len(after.strip()) < 2
    if not is_one_character:
        return have_two_classes or (any(classes) and not after[0].islower())
    # A single character is a word of its own only beside or as a number: "5" "kg", "120" "4".
    has_number = previous_text.isdecimal() or after.strip().isdecimal()
    is_digit_beside_letter = last.isdigit() != after[0].isdigit()
    return have_two_classes and has_number and (is_digit_beside_letter or len(previous_text) > 2)


def open_by_meaning(r: Renderer, element: Element) -> Opened:
    """Open an element by its class or role: a formula, a callout, part of an ARIA table.

    An element with a label and no handler may be drawn by its style sheet: the handler of images decides. Returns PLAIN
    if nothing is known about the element.
    """
    attrs = element.attrs
    kind = class_kinds[attrs["class"]] if "class" in attrs else ""
    if kind:
        return r.page.handlers[kind](r, element)
    handler = r.page.handlers.get("@" + role_of(attrs)) if "role" in attrs else None
    if handler is None and "aria-label" in attrs:
        handler = r.page.handlers["@img"]
    return PLAIN if handler is None else handler(r, element)


def _open_by_style(r: Renderer, element: Element) -> Opened:
    """Open an inline element by its style attribute; return PLAIN if the style changes nothing.

    The style may make the element a block, preserve its spaces, strike it through, or raise or lower it. A block or
    preserved spaces win over the others.
    """
    style = element.attrs["style"].lower()
    if "mso-list" in style:
        return _open_bullet_of_word(r, element)
    is_block = is_block_style(style)
    preserves = "white-space" in style and keeps_white_space(style) is not None
    if is_block or preserves:
        return open_box(r, is_block, preserves)
    if "line-through" in style and not r.code:
        return r.open_format("del", tag="s")
    aligned = vertical_align(style) if "vertical-align" in style else None
    return PLAIN if aligned is None else r.page.handlers[_ALIGNED[aligned[1].lower()]](r, element)


def _open_bullet_of_word(r: Renderer, element: Element) -> Opened:
    """Leave out the bullet that Word writes into a list item; outside of lists write it without the spaces after it."""
    is_in_list = bool(r.lists) and r.lists[-1] is not None
    if not is_in_list:
        r.run.append(f"{short_text(element).strip()} ")
    return None


def is_block_style(style: str) -> bool:
    """Whether a style attribute makes an inline element a block."""
    display = display_of(style) if "display" in style.lower() else None
    return display is not None and display[1].lower() in _BLOCK_DISPLAYS


def is_icon(element: Element) -> bool:
    """Whether a box has only a drawing in it: `<span class=flex><svg></svg></span>` after the text of a link.

    Such a box ends no line, whatever its display is: it is in a line of the box around it and the text.
    """
    box: Node = element
    for _ in range(_MAX_BOXES):
        shown = [node for node in box.children if node.tag not in SILENT and (node.tag or node.text.strip())]
        if len(shown) != 1 or box.tag not in ("span", "i"):
            return False
        box = shown[0]
        if box.tag == "svg":
            return True
    return False


def open_box(r: Renderer, is_block: bool, preserves: bool) -> Opened:
    """Open a box that ends lines (`is_block`) or keeps its white space (`preserves`)."""
    if is_block:
        r.flush()
    r.preserve += preserves
    return _end_box, (r, is_block, preserves)


def _end_box(state: tuple[Renderer, bool, bool]) -> None:
    r, is_block, preserves = state
    r.preserve -= preserves
    if is_block:
        r.flush()
