"""Read class names that say how a box is laid out, if the style sheets are linked. In: class names. Out: values.

Known are the names of Bootstrap and Tailwind ("d-flex", "md:flex-row"), names of rows ("specs__row") and of struck
text ("old-price"). Values are those of CSS properties, except two:

    "row": "named"              a class name means a row; there is no such property
    "text-decoration": "named"  a shop's name for a former price: the text must be a price, too
Tests: tests/visibility/test_arranged.py
"""

from __future__ import annotations

from webtool.css.values import Values
from webtool.lean import patterns

_MAX_CLASSES = 50  # names of one class attribute that are read
_tailwind_size = patterns.compile(r"(?:sm|md|lg|xl):").match
_bootstrap_size = patterns.compile(r"(d|flex)-(?:sm|md|lg|xl)-").match
_row_name_in = patterns.compile(r"(?i)(?:^|[\s_-])(?:table-?)?(?:row|tr)(?![\w])").search
# Class names of frameworks for struck text, and of shops for a former price. Similar names mean other things too.
_STRUCK_NAMES = frozenset((
    "line-through", "text-decoration-line-through", "strike", "strikethrough", "old-price", "price-old", "was-price",
    "price--non-sale",
))  # fmt: skip
NAMED = "named"  # see the top of the module
# By class name of Bootstrap or Tailwind: the property that it sets, and its value.
_FRAMEWORK_NAMES: dict[str, tuple[str, str]] = {
    **{name: ("display", name) for name in ("flex", "inline-flex", "grid", "inline-grid", "block")},
    **{f"d-{name}": ("display", name) for name in ("flex", "inline-flex", "grid", "block", "inline", "inline-block")},
    "flex-col": ("flex-direction", "column"),
    "flex-column": ("flex-direction", "column"),
    "flex-row": ("flex-direction", "row"),
    **dict.fromkeys(_STRUCK_NAMES, ("text-decoration", NAMED)),
}


def values_of_names(classes: str) -> Values:
    """Return what framework class names set; names for wide screens win.

    "flex flex-col md:flex-row" -> {"display": "flex", "flex-direction": "row"}, "spec-row" -> {"row": "named"}.
    """
    values: Values = {}
    wide: Values = {"row": NAMED} if _names_row(classes) else {}
    for name in classes.split()[:_MAX_CLASSES]:
        if name in _FRAMEWORK_NAMES:
            key, value = _FRAMEWORK_NAMES[name]
            values[key] = value
        elif name[:1] in "smlxdf":  # the first letters of a size, or of "d-" and "flex-"
            key, value = _FRAMEWORK_NAMES.get(_without_size(name), ("", ""))
            if key:
                wide[key] = value
    return {**values, **wide}


def _without_size(name: str) -> str:
    """Return the name without the size of the window that it is for: "md:flex" -> "flex", "d-lg-flex" -> "d-flex"."""
    tailwind = _tailwind_size(name)
    if tailwind:
        return name[tailwind.end() :]
    bootstrap = _bootstrap_size(name)
    return f"{bootstrap[1]}-{name[bootstrap.end() :]}" if bootstrap else ""


def _names_row(classes: str) -> bool:
    """Return whether a class name says that the element is a row: "specs__row", "table-row"."""
    return ("row" in classes or "tr" in classes) and bool(_row_name_in(classes))


def arranges(name: str) -> bool:
    """Return whether a class name may arrange its elements by itself."""
    if _names_row(name) or name in _STRUCK_NAMES:
        return True
    if "flex" in name or "grid" in name or "block" in name or "d-" in name:
        return name in _FRAMEWORK_NAMES or bool(_tailwind_size(name) or _bootstrap_size(name))
    return False
