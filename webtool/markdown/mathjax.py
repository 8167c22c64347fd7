"""Read TeX from the boxes that MathJax 3 draws a formula with, in HTML (CHTML) or SVG.

In: an mjx-container element. Out: TeX, or "" if it has a part that is not known here. This is for pages that have
neither MathJax's assistive MathML nor the author's TeX. The glyphs are in class names (`<mjx-c class=mjx-c2211>`) or in
attributes (`<use data-c=2211>`). The boxes become presentation MathML, which mathml.py translates.
Tests: tests/markdown/test_mathjax.py
"""

from __future__ import annotations

import unicodedata

from webtool.html.node import Element, Node, Text
from webtool.lean import patterns
from webtool.lean.typing import Any
from webtool.markdown import mathml
from webtool.markdown.mathml import element_of

Parts = list[tuple[str, Element]]  # names of boxes, and their MathML

_GLYPH = "c"
_TOKENS = frozenset(("mi", "mn", "mo", "mtext", "ms"))
_ROWS = frozenset(("math", "mrow", "TeXAtom", "texatom", "mstyle", "semantics", "mpadded", "mtd", "mtr", "mtable"))
_WRAPPERS = frozenset(("script", "num", "den", "over", "under", "base"))  # their content belongs to the box around them
# Boxes around other boxes, which say nothing of their own.
_PASSED = frozenset(("container", "frac", "dbox", "dtable", "row", "sqrt", "box", "table", "itable", "stretchy"))
_SKIPPED = frozenset((
    "spacer", "nstrut", "dstrut", "tstrut", "mstrut", "strut", "line", "surd", "mspace", "assistive-mml", "speech",
    "annotation", "test", "break", "rowlabels",
))  # fmt: skip
_TEXTS = frozenset(("utext", "text"))  # characters that MathJax's fonts lack: <mjx-utext> in HTML, <text> in SVG
_code_in_class = patterns.compile(r"(?:^|\s)mjx-c([0-9A-F]{2,6})(?:\s|$)").search
_is_code = patterns.compile(r"[0-9A-Fa-f]{2,6}").fullmatch


def translated(box: Element) -> str:
    """Return the TeX of an mjx-container, or "". It works bottom-up over an explicit stack."""
    stack: list[tuple[Node, Any, Parts]] = [(box, iter(box.children), [])]
    while True:
        node, rest, parts = stack[-1]
        for child in rest:
            if child.tag is not None and _name(child) not in _SKIPPED:
                stack.append((child, iter(child.children), []))
                break
        else:
            stack.pop()
            result = _parts_of(node, parts)
            if result is None:
                return ""
            if not stack:
                return mathml.translated(element_of("math", [part for _, part in result])).strip()
            stack[-1][2].extend(result)


def _name(node: Node) -> str:
    """Return the name of a box: "mfrac" for mjx-mfrac and `<g data-mml-node=mfrac>`; "" for a box without one."""
    tag = node.tag or ""
    return tag[4:] if tag[:4] == "mjx-" else node.attrs.get("data-mml-node", "")


def _glyph(node: Node) -> str:
    """Return the character that an element draws, or ""."""
    code = node.attrs.get("data-c", "")
    if node.tag == "mjx-c":
        match = _code_in_class(node.attrs.get("class", ""))
        code = match[1] if match else ""
    if not _is_code(code) or int(code, 16) > 0x10FFFF or 0xD800 <= int(code, 16) < 0xE000:
        return ""
    char = chr(int(code, 16))
    return unicodedata.normalize("NFKC", char) if char >= "\U0001d400" else char  # a letter in italics is a letter


def _parts_of(node: Node, parts: Parts) -> Parts | None:
    """Return the MathML of a box, given that of its content; None if the box is not known."""
    char = _glyph(node)
    if char:
        return [(_GLYPH, element_of(_GLYPH, [Text(char)]))]
    name = _name(node)
    if name in _TEXTS or node.tag in _TEXTS:
        characters = "".join([child.text for child in node.children if isinstance(child, Text)])
        return None if parts else [(_GLYPH, element_of(_GLYPH, [Text(characters)]))]
    if node.tag == "use":  # a glyph that is not named
        return None
    elements = [part for _, part in parts]
    if name in _TOKENS:
        return [(name, element_of(name, [Text("".join([part.text for part in elements]))]))]
    if not name or name in _PASSED:
        return parts
    if name in _ROWS:
        return [(name, element_of(name if name[:2] == "mt" else "mrow", elements))]
    if name in _WRAPPERS:
        return [(name, element_of(name, elements))]
    rule = _RULES.get(name)
    is_html = node.tag != "g"
    built = rule(parts, is_html) if rule is not None else None
    return None if built is None else [(name, built)]


def _of(parts: Parts, name: str) -> Element | None:
    """Return the content of the first wrapper of this name as a row."""
    return next((element_of("mrow", list(part.children)) for key, part in parts if key == name), None)


def _build(tag: str, *children: Element | None) -> Element | None:
    """Return an element with these children, or None if one is missing."""
    present = [child for child in children if child is not None]
    return element_of(tag, present) if len(present) == len(children) else None


def _fraction(parts: Parts, _: bool) -> Element | None:
    names = [name for name, _ in parts]
    if len(parts) == 2 and names[0] != "num":  # SVG has no wrappers
        return element_of("mfrac", [part for _, part in parts])
    return _build("mfrac", _of(parts, "num"), _of(parts, "den"))


def _root(parts: Parts, is_html: bool) -> Element | None:
    """Make a square root; in SVG the sign is the last part."""
    content = [part for _, part in parts]
    if not is_html and parts and parts[-1][0] == "mo" and content[-1].text == "\u221a":
        content.pop()
    return element_of("msqrt", content)


def _scripts(parts: Parts, is_html: bool) -> list[Element]:
    """Return the base and its scripts, the upper one before the lower one."""
    elements = [part for _, part in parts]
    if is_html and len(parts) == 2 and parts[1][0] == "script":  # one box has both scripts
        base, both = elements
        return [base, *both.children]  # type: ignore[list-item]
    return elements


def _one_script(tag: str) -> Any:
    """Return the rule for a base with one index or limit."""

    def rule(parts: Parts, is_html: bool) -> Element | None:
        script = _of(parts, "under" if tag == "munder" else "over")
        if script is not None:
            return _build(tag, _of(parts, "base"), script)
        scripts = _scripts(parts, is_html)
        return element_of(tag, scripts) if len(scripts) == 2 else None

    return rule


def _two_scripts(parts: Parts, is_html: bool) -> Element | None:
    """Make a base with a lower and an upper script or limit."""
    below = next((part for name, part in parts if name == "munder"), None)
    if is_html and below is not None:  # <mjx-munderover> has the upper limit, and <mjx-munder> with all else
        return _build("munderover", *below.children, _of(parts, "over"))  # type: ignore[arg-type]
    scripts = _scripts(parts, is_html)
    return element_of("msubsup", [scripts[0], scripts[2], scripts[1]]) if len(scripts) == 3 else None


_RULES: dict[str, Any] = {
    "mfrac": _fraction,
    "msqrt": _root,
    **{tag: _one_script(tag) for tag in ("msub", "msup", "munder", "mover")},
    **dict.fromkeys(("msubsup", "munderover"), _two_scripts),
}
