"""The boxes that KaTeX draws a formula with in, TeX out: for pages that have neither its MathML nor the author's TeX.

A box says by its class what it is. Vertical lists are written from below: a lower index before an upper one, a
denominator before its numerator. What is read becomes presentation MathML, which mathml.py knows to write.
"""

from __future__ import annotations

from collections.abc import Callable

from webtool.html.node import Element, Node, Text
from webtool.lean import patterns
from webtool.lean.typing import Any
from webtool.markdown import mathml

Parts = list[Element]

_SKIPPED = frozenset(
    "pstrut strut katex-strut vlist-s mspace nulldelimiter hide-tail arraycolsep overline-line underline-line "
    "katex-mathml".split()
)
# Pieces of tall delimiters, and the glyph that strikes an equals sign through.
_PIECES = {"⎛": "(", "⎝": "(", "⎞": ")", "⎠": ")", "⎡": "[", "⎣": "[", "⎤": "]", "⎦": "]", "⎨": "{", "⎬": "}", "∣": "|"}
_DOUBLE_STRUCK = str.maketrans("CNQRZ", "ℂℕℚℝℤ")
_struck = patterns.compile("\ue020 *=").sub


def translated(box: Element) -> str:
    """The TeX of a box of class katex; "" where there is nothing in it. Bottom-up over an explicit stack."""
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
            made = _made(node, parts)
            if not stack:
                return _struck(r"\\ne ", mathml.translated(_element("math", made))).strip()
            if made and "vlist" in _classes(stack[-1][0]):  # an item of a list, whatever is in it
                is_small = any("mtight" in _classes(child) for child in node.children)
                made = [_element("small" if is_small else "mrow", made)]
            stack[-1][2].extend(made)


def _classes(node: Node) -> list[str]:
    return node.attrs.get("class", "").split()


def _element(tag: str, parts: Parts) -> Element:
    element = Element(tag, {})
    for part in parts:
        element.append(part)
    return element


def _row(parts: Parts) -> Element:
    return _element("mrow", parts)


def _token(text: str, around: Node) -> Parts:
    names = _classes(around)
    text = text.strip("\u200b\n")
    if "mathbb" in names:
        text = text.translate(_DOUBLE_STRUCK)
    if not text:
        return []
    is_word = "text" in names or (around.parent is not None and "text" in _classes(around.parent))
    tag = "mtext" if is_word else "mn" if text.isdigit() else "mi" if text.strip().isalpha() else "mo"
    made = []
    for word in text if "mathnormal" in names else (text,):  # letters side by side are each a name
        made.append(Element(tag, {"mathvariant": "bold"} if "mathbf" in names else {}))
        made[-1].append(Text(word))
    return made


def _made(node: Node, parts: Parts) -> Parts:
    """What a box is, given what is in it. A list keeps its items apart until the box around it is known."""
    names = _classes(node)
    if "mult" in names:
        return _token(_PIECES.get("".join([part.text for part in parts])[:1], ""), node)
    for name in names:
        rule = _RULES.get(name)
        if rule is not None:
            return rule(parts, "vlist-t2" in names)
    if "mop" in names and len(parts) > 1 and all(part.tag == "mi" for part in parts):
        return _token("".join([part.text for part in parts]), node)  # the letters of "log" stand apart
    made: Parts = []
    for part in parts:
        if part.tag == "scripts":
            items: Parts = part.children  # type: ignore[assignment]
            tag = "msubsup" if len(items) > 1 else "msub" if "low" in part.attrs else "msup"
            made = [_element(tag, [_row(made), *items[:2]])]
        else:
            made += [_row(list(reversed(part.children)))] if part.tag == "list" else [part]  # type: ignore[arg-type]
    return made


def _items(parts: Parts) -> Parts:
    """The items of the lists among the parts, or the parts where there is none."""
    lists = [part for part in parts if part.tag == "list"]
    return [item for one in lists for item in one.children] if lists else parts  # type: ignore[misc]


def _list(parts: Parts, is_low: bool) -> Parts:
    made = _element("list", _items(parts))
    if is_low:
        made.attrs["low"] = ""
    return [made]


def _scripts(parts: Parts, _: bool) -> Parts:
    made = _element("scripts", _items(parts))
    made.attrs.update(parts[0].attrs if parts else {})
    return [made] if made.children else []


def _fraction(parts: Parts, _: bool) -> Parts:
    items = _items(parts)
    written = [item for item in items if not any(child.tag == "line" for child in item.children)]
    if len(written) == len(items):  # one above the other, without a line
        return [_element("mtable", [_element("mtr", [item]) for item in reversed(items)])]
    return [_element("mfrac", list(reversed(written)))]


def _root(parts: Parts, _: bool) -> Parts:
    index = [part for part in parts if part.tag == "index"]
    base = _row(_items([part for part in parts if part.tag != "index"])[:1])
    return [_element("mroot", [base, *index])] if index else [_element("msqrt", [base])]


def _limits(parts: Parts, _: bool) -> Parts:
    items = _items(parts)
    at = next((n for n, item in enumerate(items) if item.tag != "small"), 0)
    tag = "munderover" if 0 < at < len(items) - 1 else "munder" if at else "mover" if len(items) > 1 else "mrow"
    return [_element(tag, [*items[at : at + 1], *items[:at], *items[at + 1 :]])]


def _with_sign(sign: str) -> Callable[[Parts, bool], Parts]:
    def rule(parts: Parts, _: bool) -> Parts:
        over = Element("mo", {})
        over.append(Text(sign))  # drawn, where no item has it
        return [_element("mover", [*_items(parts), over][:2])]

    return rule


def _table(parts: Parts, _: bool) -> Parts:
    columns = [list(part.children) for part in parts if part.tag == "list"]
    rows = zip(*columns)
    return [_element("mtable", [_element("mtr", list(row)) for row in rows])]


_RULES: dict[str, Callable[[Parts, bool], Parts]] = {
    "vlist": _list,
    **dict.fromkeys(("vlist-r", "col-align-l", "col-align-c", "col-align-r"), lambda parts, _: parts),
    "vlist-t": _list,
    "msupsub": _scripts,
    "mfrac": _fraction,
    "sqrt": _root,
    **dict.fromkeys(("root", "katex-root"), lambda parts, _: [_element("index", _items(parts))]),
    **dict.fromkeys(("op-limits", "munder", "mover"), _limits),
    **dict.fromkeys(("accent", "katex-accent"), _with_sign("\u2192")),
    **dict.fromkeys(("overline", "katex-overline"), _with_sign("\u203e")),
    "mtable": _table,
    "frac-line": lambda _, __: [Element("line", {})],
}
