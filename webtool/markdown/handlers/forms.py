"""Open form controls: write the text in them that a reader sees.

In: the renderer and an element. Out: (close, argument), PLAIN, or None to skip the content (see handlers/__init__.py).
Specification: HTML section 4.10; GFM 5.3 (task list items).
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from webtool.html.node import Element, around, short_text
from webtool.lean import patterns
from webtool.markdown.handlers import attributes
from webtool.markdown.handlers.blocks import write_code
from webtool.markdown.layout import TASK_BOXES, EmptyTaskBox
from webtool.markdown.render import PLAIN, Opened, Renderer

# The attributes that Markdown renderers give the box of a task.
_MARKDOWN_ATTRIBUTES = frozenset(("type", "checked", "disabled", "class"))
# Types of input elements whose value is visible text; of an image it is the alt text.
_SHOWN_TYPES = frozenset((
    "submit", "button", "reset", "image",
    "text", "number", "date", "time", "datetime-local", "month", "week", "url", "email", "tel", "search", "range", "",
))  # fmt: skip
_MAX_VALUE = 40  # characters of a bar's value or of a date; the rest is cut
_MAX_OPTIONS = 800  # characters of a select's other options; longer lists, such as all countries, are left out
_MAX_FIELD = 800  # characters of a text field's value; the rest is cut
_MAX_BEFORE = 20  # children of an item among which its box is looked for
# Words of buttons that copy something; one of _COPY must be among them.
_COPY = frozenset(("copy", "copied"))
_numbers = patterns.compile(r"-?[0-9]*\.?[0-9]+").findall
_COPY_BUTTON_WORDS = _COPY.union("as clipboard code item link markdown page path snippet the this to".split())


def open_input(r: Renderer, element: Element) -> Opened:
    """Write an input: a task list box, the value of a text field, the label of a button."""
    attrs = element.attrs
    kind = attrs.get("type", "text").strip().lower()
    # In a table a box is a value, of a feature or an answer; elsewhere only the box of a task is written.
    if kind in ("checkbox", "radio") and (r.grid is not None or (kind == "checkbox" and _is_task(element))):
        box = TASK_BOXES["checked" in attrs]
        r.run.add_box(EmptyTaskBox(box) if _is_written_empty(element) else box)
    text = attrs.get("alt" if kind == "image" else "value", "") if kind in _SHOWN_TYPES else ""
    if text:
        r.run.append(f" {text[:_MAX_FIELD]} ")
    return None


def _is_written_empty(box: Element) -> bool:
    """Whether a box is a task that its author left without a text: `<li><input type=checkbox disabled></li>`.

    Such a task is written. The box of a form that has no text after it is left out: see Renderer.paragraph().
    """
    item = box.parent
    is_of_markdown = item is not None and item.tag == "li" and _MARKDOWN_ATTRIBUTES.issuperset(box.attrs)
    return is_of_markdown and not short_text(item).strip()  # type: ignore[arg-type]


def _is_task(box: Element) -> bool:
    """Whether a check box is the first thing in a list item."""
    node = box
    for parent in around(box, 4):
        for sibling in parent.children[:_MAX_BEFORE]:
            if sibling is node:
                break
            is_custom = sibling.tag is not None and "-" in sibling.tag  # an empty custom element shows nothing
            if (sibling.tag not in (None, "#comment") and not is_custom) or sibling.text.strip():
                return False
        else:  # the box is not among the first children
            return False
        if parent.tag == "li" or parent.tag not in ("p", "label", "span"):
            return parent.tag == "li"
        node = parent
    return False


def open_select(r: Renderer, element: Element) -> Opened:
    """Write the selected option of a select, else its first one, and the other options in brackets.

    `<select><option>S<option>M</select>` gives "S (or M)" (shops).
    """
    options: dict[str, None] = {}  # the texts of all options, each once
    selected: dict[str, None] = {}
    for node in element.children:
        for option in node.children if node.tag == "optgroup" else (node,):
            text = " ".join(option.text.split()) if option.tag == "option" and "hidden" not in option.attrs else ""
            if text:
                options[text] = None
                if "selected" in option.attrs:
                    if "multiple" not in element.attrs:
                        selected.clear()  # of several options that are selected the last one counts
                    selected[text] = None
    shown = ", ".join(selected or list(options)[:1])
    others = ", ".join(text for text in options if text not in selected and text != shown)
    if shown:
        r.run.append(f" {shown} (or {others}) " if others and len(others) <= _MAX_OPTIONS else f" {shown} ")
    return None


def open_control(r: Renderer, element: Element) -> Opened:
    """Open a button, text area or bar (meter, progress), with a space before and after it.

    Buttons that copy ("Copy code") are skipped. A bar's value is written.
    """
    if element.tag == "textarea" and not r.flat and "\n" in element.text.strip():
        r.flush()
        write_code(r, element.text, "")
        return None
    words = short_text(element).lower().strip(" \n!").split() if element.tag == "button" else []
    if _COPY_BUTTON_WORDS.issuperset(words) and not _COPY.isdisjoint(words):
        return None
    r.run.append(" ")
    if element.tag not in ("meter", "progress"):
        return r.run.append, " "
    value = element.attrs.get("value", "").strip()
    if value.strip("0."):
        maximum = element.attrs.get("max", "").strip()
        fallback = short_text(element).strip()  # for browsers without bars; it is used only if it has the value
        figure = f"{value}/{maximum}" if maximum else value
        r.run.append((fallback if value in _numbers(fallback) else figure)[:_MAX_VALUE] + " ")
    return None


def open_time(r: Renderer, element: Element) -> Opened:
    """Open a time element. An empty one, which a script would fill, is written as its datetime."""
    if not element.children and element.attrs.get("datetime", "").strip():
        r.run.append(f" {element.attrs['datetime'].strip()[:_MAX_VALUE]} ")
    return attributes.open_by_attributes(r, element) if element.attrs else PLAIN
