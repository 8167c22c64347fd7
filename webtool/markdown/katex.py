"""Read TeX from the boxes that KaTeX draws a formula with.

In: an element of class "katex". Out: TeX. This is for pages that have neither KaTeX's MathML nor the author's TeX.

Each box says by its class what it is. Vertical lists ("vlist") are written from the bottom up: a lower index before an
upper one, a denominator before its numerator. The boxes become presentation MathML, which mathml.py translates. Besides
MathML's own, five tags are used on the way: "list" (the items of a vlist), "scripts" (indices), "small" (an item in
small type), "index" (of a root) and "line" (a fraction's line).
Tests: tests/markdown/test_katex.py
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest

from webtool.html.node import Element, Node, Text, around
from webtool.lean import patterns
from webtool.lean.typing import Any
from webtool.markdown import mathml
from webtool.markdown.mathml import element_of

Parts = list[Element]

# Classes of boxes that only hold space or lines.
_SKIPPED = frozenset(
    "pstrut strut katex-strut vlist-s mspace nulldelimiter hide-tail arraycolsep overline-line underline-line "
    "katex-mathml".split()
)
# Pieces of tall delimiters, and the glyph that strikes an equals sign through.
_PIECES = {"⎛": "(", "⎝": "(", "⎞": ")", "⎠": ")", "⎡": "[", "⎣": "[", "⎤": "]", "⎦": "]", "⎨": "{", "⎬": "}", "∣": "|"}
_DOUBLE_STRUCK = str.maketrans("CNQRZ", "ℂℕℚℝℤ")
_struck_equals = patterns.compile("\ue020 *=").sub
_MAX_ABOVE_CELL = 4  # boxes between a cell and its column


def translated(box: Element) -> str:
    """Return the TeX of a box of class katex, "" if it is empty. It works bottom-up over an explicit stack."""
    stack: list[tuple[Node, Any, Parts]] = [(box, iter(box.children), [])]
    while True:
        node, rest, parts = stack[-1]
        for child in rest:
            if child.tag is None:
                parts += _token(child.text, node)
            elif child.tag != "svg" and _SKIPPED.isdisjoint(_classes(child)):
                stack.append((child, iter(child.children), []))
                break
        else:
            stack.pop()
            result = _box(node, parts)
            if not stack:
                return _struck_equals(r"\\ne ", mathml.translated(element_of("math", result))).strip()
            if not result and "top" in node.attrs.get("style", "") and _is_in_column(node):
                result = [_row([])]  # an empty cell
            if result and "vlist" in _classes(stack[-1][0]):  # an item of a vertical list
                is_small = any("mtight" in _classes(child) for child in node.children)
                result = [element_of("small" if is_small else "mrow", result)]
            stack[-1][2].extend(result)


def _is_in_column(item: Node) -> bool:
    """Whether an item of a vertical list is a cell of a matrix or of aligned equations."""
    return any("col-align" in box.attrs.get("class", "") for box in around(item, _MAX_ABOVE_CELL))


def _classes(node: Node) -> list[str]:
    return node.attrs.get("class", "").split()


def _row(parts: Parts) -> Element:
    return element_of("mrow", parts)


def _token(text: str, box: Node) -> Parts:
    """Return a text as MathML tokens: mtext, mn, mi or mo, by the box that it is in."""
    names = _classes(box)
    text = text.strip("\u200b\n")
    if "mathbb" in names:
        text = text.translate(_DOUBLE_STRUCK)
    if not text:
        return []
    if "text" in names or (box.parent is not None and "text" in _classes(box.parent)):
        tag = "mtext"
    elif text.isdigit():
        tag = "mn"
    elif text.strip().isalpha():
        tag = "mi"
    else:
        tag = "mo"
    words = text if "mathnormal" in names else (text,)  # each letter is a name of its own
    tokens = [element_of(tag, [Text(word)]) for word in words]
    if "mathbf" in names:
        for token in tokens:
            token.attrs["mathvariant"] = "bold"
    return tokens


def _box(node: Node, parts: Parts) -> Parts:
    """Return the MathML of a box, given that of its content.

    The tags "list" and "scripts" stay until the box around them says what they are: a fraction, indices, a matrix.
    """
    names = _classes(node)
    if "mult" in names:
        return _token(_PIECES.get("".join([part.text for part in parts])[:1], ""), node)
    for name in names:
        rule = _RULES.get(name)
        if rule is not None:
            return rule(parts, "vlist-t2" in names)
    if "mop" in names and len(parts) > 1 and all(part.tag == "mi" for part in parts):
        return _token("".join([part.text for part in parts]), node)  # the letters of "log" are separate parts
    result: Parts = []
    for part in parts:
        if part.tag == "scripts":
            items: Parts = part.children  # type: ignore[assignment]
            if len(items) > 1:
                tag = "msubsup"
            else:
                tag = "msub" if "low" in part.attrs else "msup"
            result = [element_of(tag, [_row(result), *items[:2]])]
        elif part.tag == "list":
            result.append(_row(list(reversed(part.children))))  # type: ignore[arg-type]
        else:
            result.append(part)
    return result


def _items(parts: Parts) -> Parts:
    """Return the items of the lists among the parts, or the parts themselves without a list."""
    lists = [part for part in parts if part.tag == "list"]
    return [item for part in lists for item in part.children] if lists else parts  # type: ignore[misc]


def _list(parts: Parts, is_low: bool) -> Parts:
    """Make a vertical list; `is_low` says that it has a part below the baseline."""
    items = element_of("list", _items(parts))
    if is_low:
        items.attrs["low"] = ""
    return [items]


def _scripts(parts: Parts, _: bool) -> Parts:
    """Make upper and lower indices of a vertical list."""
    scripts = element_of("scripts", _items(parts))
    scripts.attrs.update(parts[0].attrs if parts else {})
    return [scripts] if scripts.children else []


def _fraction(parts: Parts, _: bool) -> Parts:
    """Make a fraction, or a matrix of one column without a line."""
    items = _items(parts)
    written = [item for item in items if not any(child.tag == "line" for child in item.children)]
    if len(written) == len(items):  # one above the other, without a line
        return [element_of("mtable", [element_of("mtr", [item]) for item in reversed(items)])]
    return [element_of("mfrac", list(reversed(written)))]


def _root(parts: Parts, _: bool) -> Parts:
    """Make a root. Its index, the 3 of a cube root, is a part of its own."""
    index = [part for part in parts if part.tag == "index"]
    base = _row(_items([part for part in parts if part.tag != "index"])[:1])
    return [element_of("mroot", [base, *index])] if index else [element_of("msqrt", [base])]


def _limits(parts: Parts, _: bool) -> Parts:
    """Make a base with limits: items in small type are the limits, the lower one before the base."""
    items = _items(parts)
    base = next((index for index, item in enumerate(items) if item.tag != "small"), 0)
    if 0 < base < len(items) - 1:
        tag = "munderover"
    elif base:
        tag = "munder"
    else:
        tag = "mover" if len(items) > 1 else "mrow"
    return [element_of(tag, [*items[base : base + 1], *items[:base], *items[base + 1 :]])]


def _with_sign(sign: str) -> Callable[[Parts, bool], Parts]:
    """Return a rule that puts a sign above the base."""

    def rule(parts: Parts, _: bool) -> Parts:
        over = element_of("mo", [Text(sign)])  # not used if the sign is a character: then it is the second item
        return [element_of("mover", [*_items(parts), over][:2])]

    return rule


def _table(parts: Parts, _: bool) -> Parts:
    """Make a matrix: KaTeX draws it by columns."""
    columns: list[Parts] = [list(part.children) for part in parts if part.tag == "list"]  # type: ignore[arg-type]
    rows = zip_longest(*columns)
    return [element_of("mtable", [element_of("mtr", [cell or _row([]) for cell in row]) for row in rows])]


# Class of a box -> the rule for it. A rule gets the parts, and whether the box reaches below the baseline.
_RULES: dict[str, Callable[[Parts, bool], Parts]] = {
    "vlist": _list,
    **dict.fromkeys(("vlist-r", "col-align-l", "col-align-c", "col-align-r"), lambda parts, _: parts),
    "vlist-t": _list,
    "msupsub": _scripts,
    "mfrac": _fraction,
    "sqrt": _root,
    **dict.fromkeys(("root", "katex-root"), lambda parts, _: [element_of("index", _items(parts))]),
    **dict.fromkeys(("op-limits", "munder", "mover"), _limits),
    **dict.fromkeys(("accent", "katex-accent"), _with_sign("\u2192")),
    **dict.fromkeys(("overline", "katex-overline"), _with_sign("\u203e")),
    "mtable": _table,
    "frac-line": lambda _, __: [Element("line", {})],
}
