"""Open lists, their items, and footnotes.

In: the renderer and an element. Out: (close, argument), PLAIN, or None to skip the content (see handlers/__init__.py).

Some editors write nested lists side by side and give each item a level: Google Docs a list for each level
(`lst-kix_abc-1`), Quill, Draft, Word Online and Slack one list with levels, Word paragraphs (`mso-list:l0 level2 lfo1`,
only their margin after filtering). Such an item is put inside the last item of the list before it, if that list has a
lower level. For this, Writer.reopen() opens that item again:

    <ol class=lst-kix_a-0><li>a</ol> <ul class=lst-kix_a-1><li>b</ul> <ol class=lst-kix_a-0 start=2><li>c</ol>

    1. a
       - b
    2. c

r.lists has the open lists, the innermost last. None in it is the border of a quote, callout or footnote: items in there
do not belong to the lists around it.
Specification: CommonMark 0.31 sections 5.2 and 5.3; HTML sections 4.4.5-4.4.8.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from webtool.css.values import pixels
from webtool.html.elements import role_of
from webtool.html.node import Element, Node, short_text
from webtool.lean import patterns
from webtool.lean.characters import is_alnum
from webtool.lean.memory import Remembered
from webtool.markdown import blocks
from webtool.markdown.handlers.blocks import end_quote
from webtool.markdown.handlers.inline import end_each
from webtool.markdown.layout import TASK_BOXES
from webtool.markdown.meanings import BLOCKS, LISTS
from webtool.markdown.render import Opened, Renderer

# Classes of lists that continue the list before them: Notion writes a list for each item.
_CONTINUED = frozenset(("bulleted-list", "numbered-list", "to-do-list"))
_hides_numbers = patterns.compile(r"(?i)list-style(?:-type)?\s*:\s*none\b").search
_digits = patterns.compile(r"\s*([0-9]{1,9})(?![0-9])").match
_BOXES = ("checked", "unchecked")  # values of Quill's data-list for items with a task box
# Class with an item's level.
_IN_CLASS = patterns.GuardedPattern(
    "lst-kix_|ql-indent-|listindent|draftstyledefault-depth",
    r"(?:^|\s)(?:lst-kix_\w+-|ql-indent-|listindent|public-DraftStyleDefault-depth)([0-9]{1,2})(?!\S)",
)
_match_in = Remembered(_IN_CLASS.search)  # by class attribute; items of a listing share one
# Attribute with an item's level -> its value in the outermost list.
_FIRST_LEVEL = {"aria-level": 1, "data-aria-level": 1, "data-indent": 0}
_sign_number = patterns.compile(r"([0-9]{1,9})[.)]?\Z").match
_MAX_SIGN = 16  # characters of a bullet or number; a longer word is text
# A no-break space, and others after it, at the end: they separate the sign of a Word item from its text.
_wide_space = patterns.compile("\xa0\\s*\\Z").search
_word_level = patterns.compile(r"(?i)mso-list\s*:[^;]*\blevel([0-9])").search
_MARGIN = patterns.compile(r"(?i)margin-left\s*:\s*([0-9.]+[a-z]*)")
_DEFAULT_MARGIN = 48.0  # pixels: that of Word's class MsoListParagraph


def open_list(r: Renderer, element: Element) -> Opened:
    """Open a ul or ol, or an element with the role list."""
    r.flush()
    if r.flat:
        return r.flush, None
    outer = r.lists[-1] if r.lists else None
    parent = element.parent
    if outer is not None and not outer.is_open and parent is not None and parent.tag in LISTS:
        r.writer.open_item(outer)  # a ul directly in a ul, without an li around it
    items = [node for node in element.children if node.tag == "li" or role_of(node.attrs) == "listitem"]
    ordered = element.tag == "ol" and not _has_hidden_numbers(element, items)
    is_reversed = ordered and "reversed" in element.attrs
    number = 1
    if ordered:
        number = _number(element.attrs.get("start", ""), len(items) if is_reversed else 1)
        if items and "value" in items[0].attrs:
            number = _number(items[0].attrs["value"], number)
    loose = any(child.tag == "p" for item in items for child in item.children)
    goes_on = not _CONTINUED.isdisjoint(element.attrs.get("class", "").split())
    level = _level_of(element)
    if level is None and items:
        level = _level_of(items[0])
        ordered = _is_ordered(items[0], ordered)
    state, close = _begin_list(r, level or 0, ordered=ordered, number=number, loose=loose, goes_on=goes_on)
    state.step = -1 if is_reversed else 1
    return close


def _has_hidden_numbers(element: Element, items: Sequence[Node]) -> bool:
    """Whether an ol shows no numbers: `<ol style="list-style:none"><li>1. a`, whose author wrote them into the text."""
    has_own_style = bool(items) and "list-style" in items[0].attrs.get("style", "")
    return _hides_numbers(element.attrs.get("style", "")) is not None and not has_own_style


def _begin_list(
    r: Renderer, level: float, *, ordered: bool, number: int | None, loose: bool = False, goes_on: bool = False
) -> tuple[blocks.ListState, Opened]:
    """Begin a list, inside the last item of the list before it if that one has a lower level than this one.

    Returns the list's state, and the pair (close, argument) that ends the list and the lists reopened around it.
    """
    reopened = r.writer.reopen(level) if level else []
    state = r.writer.begin_list(ordered=ordered, number=number, loose=loose, goes_on=goes_on)
    state.level = level
    r.lists += [*reopened, state]
    return state, (_end_lists, (r, len(reopened) + 1))


def _end_lists(state: tuple[Renderer, int]) -> None:
    """End this many lists, innermost first."""
    r, count = state
    for _ in range(count):
        r.flush()
        ended: blocks.ListState = r.lists.pop()  # type: ignore[assignment]
        if ended.is_open:
            r.writer.close_item(ended)
        r.writer.end_list(ended)


def _number(text: str, default: int) -> int:
    """Return a list number that CommonMark can write, 0 to 999999999, or `default` if the text is not such a number."""
    match = _digits(text[:40])
    return int(match[1]) if match else default


def open_item(r: Renderer, element: Element) -> Opened:
    """Open a list item, or the footnote that it is."""
    r.flush()
    if r.flat:
        return r.flush, None
    if r.notes is not None and element.attrs.get("id") in r.notes.labels:
        return open_note(r, r.notes.labels[element.attrs["id"]])
    state = r.lists[-1] if r.lists else None
    if state is None:  # an li outside a list: a list of its own
        state = r.writer.begin_list(ordered=False, number=1, loose=False)
        r.lists.append(state)
        r.writer.open_item(state)
        _add_box(r, element)
        return _end_lists, (r, 1)
    if state.is_open:
        r.writer.close_item(state)
    if element.attrs and state.has_item:
        level = _level_of(element) or 0
        ordered = _is_ordered(element, state.ordered)
        if level > state.level or ordered is not state.ordered:
            return _open_other_item(r, element, level, ordered)
    if state.has_item:
        if state.ordered and "value" in element.attrs:
            state.number = _number(element.attrs["value"], state.number)
        r.writer.open_item(state)
    else:
        # A list that begins with another number than 1, or with an empty item, cannot interrupt a paragraph.
        is_empty = not any(node.tag is not None or node.text.strip() for node in element.children)
        r.writer.open_item(state, late=is_empty or (state.ordered and state.number != 1))
    # An empty item stays only if its author may have meant it: `<ul><li></ul>`. With attributes, or in a list with a
    # class, it waits for a script to fill it; with elements it may be an icon.
    has_elements = any(node.tag is not None for node in element.children)
    is_of_author = not element.attrs and (element.parent is None or "class" not in element.parent.attrs)
    state.keep_empty = is_of_author and not has_elements
    _add_box(r, element)
    return r.flush, None


def _is_ordered(item: Node, ordered: bool) -> bool:
    """Whether an item is numbered: items of Quill have their own kind, others are `ordered` as their list is."""
    return item.attrs["data-list"] == "ordered" if "data-list" in item.attrs else ordered


def _add_box(r: Renderer, item: Element) -> None:
    """Add the task box that Quill's or Confluence's style sheet draws before an item."""
    if item.attrs.get("data-list") in _BOXES:
        is_done = item.attrs["data-list"] == "checked"
    elif "data-inline-task-id" in item.attrs:
        is_done = "checked" in item.attrs.get("class", "").split()
    else:
        return
    r.run.add_box(TASK_BOXES[is_done])


def _open_other_item(r: Renderer, item: Element, level: float, ordered: bool) -> Opened:
    """Open an item that its own attributes put into a new list: one inside the item before it, or of the other kind.

    The item's end closes the new list. The next item belongs to the outer list if the new one was inside it, else to
    the new list, which goes on then.
    """
    outer: blocks.ListState = r.lists.pop()  # type: ignore[assignment]
    r.writer.end_list(outer)
    new_list, close = _begin_list(r, level, ordered=ordered, number=None, goes_on=True)
    r.writer.open_item(new_list)
    _add_box(r, item)
    following_list = outer if level > outer.level else new_list
    return end_each, (close, (r.lists.append, following_list))


def open_paragraph_item(r: Renderer, paragraph: Element) -> Opened:
    """Open a paragraph of Word that is a list item.

    A paragraph without a bullet or number continues the item before it.
    """
    r.flush()
    if r.flat or len(r.lists) > blocks.MAX_DEPTH or paragraph.tag not in BLOCKS:
        return r.flush, None
    sign, rest = _sign_and_rest(paragraph)
    if not sign:
        reopened = r.writer.reopen(math.inf)
        r.lists += reopened
        return _end_lists, (r, len(reopened))
    match = _sign_number(sign)
    number = int(match[1]) if match else 1
    level = _level_in_word(paragraph.attrs.get("style", ""))
    state, close = _begin_list(r, level, ordered=match is not None, number=number, goes_on=True)
    r.writer.open_item(state, late=number != 1)
    if match is None and not _is_bullet(sign):  # letters or several numbers, "1.2": GFM has no such list
        r.run.append(sign + " ")
    r.walk(rest)
    end_each((close,))
    return None


def open_note(r: Renderer, label: str) -> Opened:
    """Open a footnote's text, at the place where the page has it."""
    state = r.lists[-1] if r.lists else None
    if state is not None and state.is_open:
        r.writer.close_item(state)
    r.writer.open(blocks.NOTE, f"[^{label}]: ", "    ")
    r.lists.append(None)
    return end_quote, r


def _level_of(element: Node) -> float | None:
    """Return the level that a list or an item gives itself, 0 for the outermost, or None."""
    attrs = element.attrs
    if not attrs:
        return None
    match = _match_in[attrs["class"]] if "class" in attrs else None
    if match:
        return float(match[1])
    for name, first_level in _FIRST_LEVEL.items():
        value = attrs.get(name, "")
        # Without the role listitem, aria-level is a heading's level, or the list is nested already.
        is_meant = name != "aria-level" or role_of(attrs) == "listitem"
        if is_meant and value.isascii() and value.isdecimal() and len(value) < 3:
            return float(value) - first_level
    return None


def _is_bullet(sign: str) -> bool:
    """Whether the sign of an item of Word is a bullet. Symbol fonts have their bullets at the places of letters."""
    is_letter = len(sign) == 1 and not sign.isnumeric()
    return is_letter or not any(map(is_alnum, sign))


def _sign_and_rest(paragraph: Element) -> tuple[str, list[Node]]:
    """Return the bullet or number that a paragraph of Word begins with, and the nodes after it; ("", []) without one.

    No-break spaces separate it from the text: `<span>1.</span>&nbsp;&nbsp; text` gives "1." and the text.
    """
    nodes = paragraph.children
    first = next((index for index, node in enumerate(nodes) if _node_text(node).strip()), None)
    if first is None:
        return "", []
    text, rest = _node_text(nodes[first]), first + 1
    if rest < len(nodes) and not _node_text(nodes[rest]).strip():
        text, rest = text + _node_text(nodes[rest]), rest + 1
    word = text.strip()
    is_sign = len(word) <= _MAX_SIGN and len(word.split()) == 1 and _wide_space(text)
    return (word, nodes[rest:]) if is_sign else ("", [])


def _node_text(node: Node) -> str:
    """Return the text of a node, "" for a comment."""
    if node.tag == "#comment":
        return ""
    return node.text if node.tag is None else short_text(node)


def _level_in_word(style: str) -> float:
    """Return the level of a paragraph of Word: that of its mso-list, else its margin in pixels."""
    match = _word_level(style)
    if match:
        return float(match[1])
    match = _MARGIN.search(style)
    margin = pixels(match[1].lower()) if match else None
    return _DEFAULT_MARGIN if margin is None else margin
