"""States of form controls, on a page that nobody has touched. In: an element. Out: whether :required and so on match.

Attributes and content decide. A control is invalid if it has to be filled in and is empty, or if its number is out of
range. Left out are what needs the whole form: groups of radio buttons, the default button and option. Patterns and
addresses in filled controls are not checked. Specification: HTML Standard, section 4.16.3.
Tests: tests/css/test_selectors.py
"""

from __future__ import annotations

from webtool.css.elements import Positions
from webtool.html.node import Element, around
from webtool.lean.typing import Callable

_MAX_AROUND = 50  # ancestors that are searched for a disabled fieldset
_TEXT_TYPES = frozenset(("text", "search", "url", "tel", "email", "password", "number"))
_DATE_TYPES = frozenset(("date", "month", "week", "time", "datetime-local"))
_NEVER_REQUIRED = frozenset(("hidden", "range", "color", "submit", "image", "reset", "button"))
_OTHER_TYPES = _NEVER_REQUIRED | {"checkbox", "radio", "file"}
_NEVER_VALIDATED = frozenset(("hidden", "reset", "button"))  # neither valid nor invalid
_CONTROLS = frozenset(("input", "select", "textarea", "button"))
_CAN_BE_DISABLED = _CONTROLS | {"fieldset", "option", "optgroup"}


def _type_of(control: Element) -> str:
    """Return the type of an input element; the tag of another one. An unknown type is "text"."""
    if control.tag != "input":
        return control.tag
    name = control.attrs.get("type", "").strip().lower()
    return name if name in _OTHER_TYPES or name in _DATE_TYPES or name in _TEXT_TYPES else "text"


def _is_empty(control: Element) -> bool:
    """Return whether a text field, list or check box has no value."""
    if control.tag == "textarea":
        return not any(child.text for child in control.children)
    if control.tag == "select":
        options = [child for child in control.children if child.tag == "option"]
        chosen = next((option for option in options if "selected" in option.attrs), options[0] if options else None)
        return chosen is None or chosen.attrs.get("value", "-") == ""
    if _type_of(control) == "checkbox":
        return "checked" not in control.attrs
    return control.attrs.get("value", "") == ""


def _is_checked(element: Element) -> bool:
    if element.tag == "option":
        return "selected" in element.attrs
    return "checked" in element.attrs and _type_of(element) in ("checkbox", "radio")


def _shows_placeholder(element: Element) -> bool:
    can_show = _type_of(element) in ("textarea", *_TEXT_TYPES)
    return can_show and element.attrs.get("placeholder", "") != "" and _is_empty(element)


def _is_disabled(element: Element, positions: Positions) -> bool:
    if element.tag not in _CAN_BE_DISABLED:
        return False
    if "disabled" in element.attrs:
        return True
    if element.tag in ("option", "optgroup"):
        group = element.parent
        return group is not None and group.tag == "optgroup" and "disabled" in group.attrs
    if element not in positions.disabled:
        positions.disabled[element] = _is_in_disabled_fieldset(element)
    return positions.disabled[element]


def _is_in_disabled_fieldset(element: Element) -> bool:
    """Return whether a fieldset around an element disables it. Controls in the legend of a fieldset stay enabled."""
    inner = element
    for outer in around(element, _MAX_AROUND):
        if outer.tag == "fieldset" and "disabled" in outer.attrs and inner.tag != "legend":
            return True
        inner = outer
    return False


def _is_required(element: Element) -> bool:
    return (
        element.tag in ("input", "select", "textarea")
        and "required" in element.attrs
        and _type_of(element) not in _NEVER_REQUIRED
    )


def _is_writable(element: Element, positions: Positions) -> bool:
    if element.attrs.get("contenteditable", "false").lower() != "false":
        return True
    if _type_of(element) not in ("textarea", *_TEXT_TYPES, *_DATE_TYPES):
        return False
    return "readonly" not in element.attrs and not _is_disabled(element, positions)


def _range_of(element: Element) -> bool | None:
    """Return whether a control's number is in its range; None for a control without a range."""
    if _type_of(element) == "range":
        return True
    if _type_of(element) != "number" or not ("min" in element.attrs or "max" in element.attrs):
        return None
    low, value, high = (_number(element.attrs.get(name, "")) for name in ("min", "value", "max"))
    return value is None or ((low is None or low <= value) and (high is None or value <= high))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _validity_of(element: Element, positions: Positions) -> bool | None:
    """Return whether a control, or all controls of a form, are valid; None for any other element."""
    if element not in positions.validities:
        is_form = element.tag in ("form", "fieldset")
        find_validity = _validity_of_form if is_form else _validity_of_control
        positions.validities[element] = find_validity(element, positions)
    return positions.validities[element]


def _validity_of_form(form: Element, positions: Positions) -> bool | None:
    """Return whether all controls of a form or fieldset are valid; None if the page's budget is used up."""
    stack = [form]
    while stack:
        for child in stack.pop().children:
            positions.budget_of_has -= 1
            if positions.budget_of_has < 0:
                return None
            if type(child) is Element:
                if _validity_of_control(child, positions) is False:
                    return False
                stack.append(child)
    return True


def _validity_of_control(element: Element, positions: Positions) -> bool | None:
    """Return whether a control is valid; None for another element, or without a value that a reader may change."""
    if element.tag not in _CONTROLS or _is_disabled(element, positions):
        return None
    if element.tag == "button":
        return True if element.attrs.get("type", "submit").lower() == "submit" else None
    if _type_of(element) in _NEVER_VALIDATED:
        return None
    if element.tag != "select" and "readonly" in element.attrs:
        return None
    is_missing = _is_required(element) and _type_of(element) != "radio" and _is_empty(element)
    return not is_missing and _range_of(element) is not False


# Tests by the name of the pseudo-class.
STATES: dict[str, Callable[[Element], bool]] = {
    "checked": _is_checked,
    "default": _is_checked,
    "required": _is_required,
    "optional": lambda e: e.tag in _CONTROLS and not _is_required(e),
    "placeholder-shown": _shows_placeholder,
    "in-range": lambda e: _range_of(e) is True,
    "out-of-range": lambda e: _range_of(e) is False,
    "indeterminate": lambda e: e.tag == "progress" and "value" not in e.attrs,
    "open": lambda e: e.tag in ("details", "dialog") and "open" in e.attrs,
}
# These depend on other elements too: a fieldset around the control, or the controls in a form. `positions` remembers
# the answers, and looking through forms uses its budget_of_has.
STATES_IN_FORMS: dict[str, Callable[[Element, Positions], bool]] = {
    "disabled": _is_disabled,
    "enabled": lambda e, positions: e.tag in _CAN_BE_DISABLED and not _is_disabled(e, positions),
    "read-only": lambda e, positions: not _is_writable(e, positions),
    "read-write": _is_writable,
    "valid": lambda e, positions: _validity_of(e, positions) is True,
    "invalid": lambda e, positions: _validity_of(e, positions) is False,
}
