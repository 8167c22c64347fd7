"""How lists, their items, task boxes and footnotes are written, and what of a form is visible text. In: the renderer
and an element that opens. Out: what to call when it closes, or None.

Specification: CommonMark 0.31 sections 5.2 and 5.3, GFM 5.3 (task list items); HTML sections 4.4.5-4.4.8 and 4.10.
"""

from __future__ import annotations

import math

from webtool.html.node import Element, around, short_text
from webtool.lean import patterns
from webtool.markdown import blocks, levels
from webtool.markdown.handlers.blocks import end_quote, write_code
from webtool.markdown.handlers.inline import end_each
from webtool.markdown.layout import TASKS, Raw
from webtool.markdown.render import PLAIN, Opened, Renderer
from webtool.markdown.rules import BLOCKS, LISTS


def open_list(r: Renderer, element: Element) -> Opened:
    r.flush()
    if r.flat:
        return r.flush, None
    outer = r.lists[-1] if r.lists else None
    parent = element.parent
    if outer is not None and not outer.is_open and parent is not None and parent.tag in LISTS:
        r.writer.open_item(outer)  # ul > ul without an li before it
    ordered = element.tag == "ol"
    items: list[Element] = [
        node  # type: ignore[misc]
        for node in element.children
        if node.tag == "li" or node.attrs.get("role") == "listitem"
    ]
    is_reversed = ordered and "reversed" in element.attrs
    number = _number(element.attrs.get("start", ""), len(items) if is_reversed else 1) if ordered else 1
    if ordered and items and "value" in items[0].attrs:
        number = _number(items[0].attrs["value"], number)
    loose = any(child.tag == "p" for item in items for child in item.children)
    goes_on = not _EACH_A_LIST.isdisjoint(element.attrs.get("class", "").split())
    level = levels.level_of(element)
    if level is None and items:
        level = levels.level_of(items[0])
        ordered = _kind_of(items[0], ordered)
    state, close = begin_list(r, level or 0, ordered=ordered, number=number, loose=loose, goes_on=goes_on)
    state.step = -1 if is_reversed else 1
    return close


def begin_list(
    r: Renderer, level: float, *, ordered: bool, number: int | None, loose: bool = False, goes_on: bool = False
) -> tuple[blocks.ListState, Opened]:
    """A list, in the last item of the one before it where that has a lower level; and what ends it."""
    around = r.writer.reopen(level) if level else []
    state = r.writer.begin_list(ordered=ordered, number=number, loose=loose, goes_on=goes_on)
    state.level = level
    r.lists += [*around, state]
    return state, (_end_lists, (r, len(around) + 1))


def _end_lists(state: tuple[Renderer, int]) -> None:
    r, count = state
    for _ in range(count):
        _end_list(r)


_EACH_A_LIST = frozenset(("bulleted-list", "numbered-list", "to-do-list"))  # Notion writes a list for each item


def _end_list(r: Renderer) -> None:
    r.flush()
    state = r.lists.pop()
    if state is not None:
        if state.is_open:
            r.writer.close_item(state)
        r.writer.end_list(state)


_digits = patterns.compile(r"\s*([0-9]{1,9})(?![0-9])").match


def _number(text: str, default: int) -> int:
    """A list number that CommonMark can write: 0 to 999999999."""
    match = _digits(text[:40])
    return int(match[1]) if match else default


def open_item(r: Renderer, element: Element) -> Opened:
    r.flush()
    if r.flat:
        return r.flush, None
    if r.page.notes is not None and element.attrs.get("id") in r.page.notes.labels:
        return open_note(r, r.page.notes.labels[element.attrs["id"]])
    state = r.lists[-1] if r.lists else None
    if state is None:  # an li outside a list: a list of its own
        state = r.writer.begin_list(ordered=False, number=1, loose=False)
        r.lists.append(state)
        r.writer.open_item(state)
        return _end_list, r
    if state.is_open:
        r.writer.close_item(state)
    if element.attrs and state.has_item:
        level = levels.level_of(element) or 0
        ordered = _kind_of(element, state.ordered)
        if level > state.level or ordered is not state.ordered:
            return _open_other_item(r, element, level, ordered)
    if state.has_item:
        if state.ordered and "value" in element.attrs:
            state.number = _number(element.attrs["value"], state.number)
        r.writer.open_item(state)
    else:
        late = (state.ordered and state.number != 1) or not any(
            node.tag is not None or node.text.strip() for node in element.children
        )
        r.writer.open_item(state, late=late)
    # An item whose elements turn out to show nothing goes, as an empty one of a list with a class; others stay empty.
    state.keep_empty = not element.attrs and (element.parent is None or "class" not in element.parent.attrs)
    for node in element.children:
        if node.tag is not None:
            state.keep_empty = False
            break
    _add_box(r, element)
    return r.flush, None


def _kind_of(item: Element, ordered: bool) -> bool:
    """Whether an item has a number: those of some editors say themselves what they are."""
    return item.attrs["data-list"] == "ordered" if "data-list" in item.attrs else ordered


def _add_box(r: Renderer, item: Element) -> None:
    """The box of a task of Quill, or of Confluence, whose style sheet draws it."""
    if item.attrs.get("data-list") in _BOXES:
        is_done = item.attrs["data-list"] == "checked"
    elif "data-inline-task-id" in item.attrs:
        is_done = "checked" in item.attrs.get("class", "").split()
    else:
        return
    r.run.add_box(TASKS[is_done])


_BOXES = ("checked", "unchecked")


def _open_other_item(r: Renderer, item: Element, level: float, ordered: bool) -> Opened:
    """An item that belongs into the one before it, or is of another list, and says so itself."""
    state = r.lists.pop()
    r.writer.end_list(state)  # type: ignore[arg-type]
    inner, close = begin_list(r, level, ordered=ordered, number=None, goes_on=True)
    r.writer.open_item(inner)
    _add_box(r, item)
    return end_each, (close, (r.lists.append, inner if level <= state.level else state))  # type: ignore[union-attr]


def open_paragraph_item(r: Renderer, paragraph: Element) -> Opened:
    """A paragraph of Word that is an item; one without a sign goes on with the item before it."""
    r.flush()
    sign = levels.sign_of(paragraph)
    style = paragraph.attrs.get("style", "")
    if r.flat or len(r.lists) > blocks.MAX_DEPTH or paragraph.tag not in BLOCKS:
        return r.flush, None
    if not sign.text:
        around = r.writer.reopen(math.inf)
        r.lists += around
        return _end_lists, (r, len(around))
    number = sign.number
    state, close = begin_list(
        r, levels.level_in_word(style), ordered=number is not None, number=number or 1, goes_on=True
    )
    r.writer.open_item(state, late=(number or 1) != 1)
    if number is None and not sign.is_bullet:
        r.run.append(sign.text + " ")
    r.walk(sign.rest)
    end_each((close,))
    return None


def open_note(r: Renderer, label: str) -> Opened:
    """A footnote's text, in the place where the page has it."""
    state = r.lists[-1] if r.lists else None
    if state is not None and state.is_open:
        r.writer.close_item(state)
    r.writer.open(blocks.NOTE, f"[^{label}]: ", "    ")
    r.lists.append(None)
    return end_quote, r


def open_input(r: Renderer, element: Element) -> Opened:
    attrs = element.attrs
    kind = attrs.get("type", "text").strip().lower()
    if kind in ("checkbox", "radio") and (r.grid is not None or (kind == "checkbox" and _is_task(element))):
        task = TASKS["checked" in attrs]
        r.run.add_box(Raw(task) if _is_written_empty(element) else task)
    elif kind in _SHOWN and attrs.get("value"):
        r.run.append(f" {attrs['value'][:_MAX_OPTIONS]} ")
    elif kind in ("submit", "button", "reset") and attrs.get("value"):
        r.run.append(f" {attrs['value']} ")
    elif kind == "image" and attrs.get("alt"):
        r.run.append(f" {attrs['alt']} ")
    return None


_WRITTEN = frozenset(("type", "checked", "disabled", "class"))  # what a box has that an author of Markdown wrote


def _is_written_empty(box: Element) -> bool:
    """Whether an author wrote a task without a text: a box of a form without one is left out."""
    item = box.parent
    return item is not None and item.tag == "li" and _WRITTEN.issuperset(box.attrs) and not short_text(item).strip()


def _is_task(box: Element) -> bool:
    """Whether a check box is the first thing of a list item."""
    node = box
    for parent in around(box, 4):
        for sibling in parent.children:
            if sibling is node:
                break
            if (sibling.tag not in (None, "#comment") and "-" not in sibling.tag) or sibling.text.strip():
                return False
        if parent.tag == "li" or parent.tag not in ("p", "label", "span"):
            return parent.tag == "li"
        node = parent
    return False


# Controls whose value is text that is seen.
_SHOWN = frozenset((
    "text", "number", "date", "time", "datetime-local", "month", "week", "url", "email", "tel", "search", "range", "",
))  # fmt: skip
_LONG_BAR = 40  # characters of a bar's value or a date
_MAX_OPTIONS = 800  # characters of options beside the one that shows; a list of all countries is not content


def open_select(r: Renderer, element: Element) -> Opened:
    """A closed select shows its selected option, else the first one; what else one can choose stands behind it."""
    options: list[str] = []
    shown = ""
    for node in element.children:
        for option in node.children if node.tag == "optgroup" else (node,):
            if option.tag == "option" and "hidden" not in option.attrs:
                text = " ".join(option.text.split())
                options.append(text)
                if "selected" in option.attrs:
                    shown = f"{shown}, {text}" if shown and "multiple" in element.attrs else shown or text
    options = list(dict.fromkeys(filter(None, options)))
    shown = shown or (options[0] if options else "")
    others = ", ".join(text for text in options if text not in shown.split(", ") and text != shown)
    if shown:
        r.run.append(f" {shown} (or {others}) " if others and len(others) <= _MAX_OPTIONS else f" {shown} ")
    return None


_COPY = frozenset(("copy", "copied"))
_COPIED = _COPY.union("as clipboard code item link markdown page path snippet the this to".split())


def open_control(r: Renderer, element: Element) -> Opened:
    """A button or a text area is a box of its own on the line; the length of a bar is said where it holds no text."""
    if element.tag == "textarea" and not r.flat and "\n" in element.text.strip():
        r.flush()
        write_code(r, element.text, "")
        return None
    words = short_text(element).lower().strip(" \n!").split() if element.tag == "button" else []
    if _COPIED.issuperset(words) and not _COPY.isdisjoint(words):
        return None
    r.run.append(" ")
    if element.tag not in ("meter", "progress"):
        return r.run.append, " "
    value = element.attrs.get("value", "").strip()
    if value.strip("0."):
        most = element.attrs.get("max", "").strip()
        said = short_text(element).strip()  # what browsers without bars would show: nobody sees more than a figure
        figure = f"{value}/{most}" if most else value
        r.run.append((said if value in said else figure)[:_LONG_BAR] + " ")
    return None


def open_time(r: Renderer, element: Element) -> Opened:
    """A date; one that a script would write is told as the page's source has it."""
    if not element.children and element.attrs.get("datetime", "").strip():
        r.run.append(f" {element.attrs['datetime'].strip()[:_LONG_BAR]} ")
    return r.by_attributes(element) if element.attrs else PLAIN
