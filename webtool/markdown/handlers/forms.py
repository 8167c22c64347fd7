"""What of a form and of other controls is visible text. In: the renderer and an element that opens. Out: what to call
when it closes, or None.

Specification: HTML section 4.10; GFM 5.3 (task list items).
"""

from __future__ import annotations

from webtool.html.node import Element, around, short_text
from webtool.markdown.handlers.blocks import write_code
from webtool.markdown.layout import TASKS, Raw
from webtool.markdown.render import PLAIN, Opened, Renderer


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
