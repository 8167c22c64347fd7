"""Read class names that say how a box is laid out. In: class names. Out: values.

Linked style sheets are not read, so the names have to tell. Known are the names of Bootstrap and Tailwind ("d-flex",
"md:flex-row"), names of rows ("specs__row") and of struck text ("old-price"). Values are those of CSS properties,
except two:

    "row": "named"              a class name means a row; there is no such property
    "text-decoration": "named"  a class name means struck text: "line-through", "old-price". With "through" in the
                                class attribute it is; else arranged.py asks whether the text is a price
Tests: tests/visibility/test_arranged.py
"""

from __future__ import annotations

from webtool.css.values import Values
from webtool.lean import patterns

_MAX_CLASSES = 50  # names of one class attribute that are read
# Least widths of the window for which a class name holds, from narrow to wide. The screen is taken to have the 1280 px
# of Tailwind's "xl", so all of them hold.
_SIZES = ("sm", "md", "lg", "xl")
_tailwind_size = patterns.compile(r"(sm|md|lg|xl):").match
_bootstrap_size = patterns.compile(r"(?:d|flex)-(sm|md|lg|xl)-").match
# "row", "specs__row", "table-tr"; not Tailwind's "row-span-2", which places a cell, or Bootstrap's "row-gap-2".
_row_name_in = patterns.compile(r"(?:^|[\s_-])(?:table-?)?(?:row|tr)(?!\w|-(?:span|start|end|gap)-)").search
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
    """Return what framework class names set; names for wide windows win.

    "spec-row" -> {"row": "named"}, "flex flex-col lg:block" -> {"display": "block", "flex-direction": "column"}.
    """
    values: Values = {}
    sized: list[tuple[int, str, str]] = []  # for names with a size: its place in _SIZES, property, value
    for name in classes.split()[:_MAX_CLASSES]:
        if name in _FRAMEWORK_NAMES:
            key, value = _FRAMEWORK_NAMES[name]
            values[key] = value
        elif name[:1] in "smlxdf":  # the first letters of a size, or of "d-" and "flex-"
            size = _tailwind_size(name) or _bootstrap_size(name)
            if size:
                plain = name[: size.start(1)] + name[size.end() :]  # "md:flex" -> "flex", "d-lg-flex" -> "d-flex"
                if plain in _FRAMEWORK_NAMES:
                    sized.append((_SIZES.index(size[1]), *_FRAMEWORK_NAMES[plain]))
    # Of two names with one size Tailwind's style sheet decides, whose order is nearly that of the alphabet.
    for _, key, value in sorted(sized):
        values[key] = value
    if _names_row(classes):
        values["row"] = NAMED
    return values


def _names_row(classes: str) -> bool:
    """Return whether a class name says that the element is a row: "specs__row", "table-row", "flex-row"."""
    lower = classes.lower()
    return ("row" in lower or "tr" in lower) and _row_name_in(lower) is not None


def arranges(name: str) -> bool:
    """Return whether a class name may arrange its elements by itself."""
    if _names_row(name) or name in _STRUCK_NAMES:
        return True
    if "flex" in name or "grid" in name or "block" in name or "d-" in name or "through" in name:
        return name in _FRAMEWORK_NAMES or bool(_tailwind_size(name) or _bootstrap_size(name))
    return False
