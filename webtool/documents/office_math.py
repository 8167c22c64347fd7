"""Formulas of Office documents as MathML. In: an m:oMath element. Out: a math element for the markdown renderer.

In rich text each element is a group that begins with a control word of its name, e.g. mf and mnum.
Specification: ECMA-376 part 1, clause 22.1 (Office Math Markup Language); MathML Core; Rich Text Format 1.9.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from xml.etree.ElementTree import SubElement

from webtool.documents.tree import element
from webtool.documents.xmltree import child, child_text
from webtool.html.node import Element, walk
from webtool.lean import patterns
from webtool.lean.typing import XmlElement
from webtool.markdown.mathml import FUNCTIONS

Parts = dict[str, list[Element]]  # what was made of the children, by their tags

_TOKENS = patterns.compile(r"(?P<mn>\d+(?:[.,]\d+)*)|(?P<mi>[^\W\d_])|(?P<mo>[^\w\s]|_)")
MAX_NODES = 20_000  # of one formula; larger ones are shown as their text


def math(formula: XmlElement, is_display: bool = False) -> Element:
    """The formula; bottom-up over an explicit stack."""
    if sum(1 for _ in islice(formula.iter(), MAX_NODES + 1)) > MAX_NODES:
        return element("math", [element("mtext", ["".join(formula.itertext())])])
    stack: list[tuple[XmlElement, Iterator[XmlElement], Parts]] = [(formula, iter(formula), {})]
    while True:
        node, rest, parts = stack[-1]
        for item in rest:
            if not str(item.tag).endswith("Pr"):
                stack.append((item, iter(item), {}))
                break
        else:
            stack.pop()
            rule = _RULES.get(str(node.tag))  # what has none is its contents, in order
            made = rule(node, parts) if rule else element("mrow", [item for each in parts.values() for item in each])
            if not stack:
                return element("math", [made], **({"display": "block"} if is_display else {}))
            # A child is looked up by its tag where its parent has a rule for it.
            role = str(node.tag) if str(stack[-1][0].tag) in _RULES else "m:e"
            stack[-1][2].setdefault(role, []).append(made)


def _part(parts: Parts, name: str) -> Element:
    return element("mrow", parts.get(name, ()))


def _property(node: XmlElement, name: str, default: str = "") -> str:
    """The m:val of a property of a node (m:fPr for m:f and so on)."""
    found = child(node, f"{node.tag}Pr", f"m:{name}")
    return found.get("m:val", default) if found is not None else default


def _run(node: XmlElement, _parts: Parts) -> Element:
    text = "".join(item.text or "" for item in node if item.tag == "m:t")
    properties = child(node, "m:rPr")
    if properties is not None:
        if child(properties, "m:nor") is not None:
            return element("mtext", [text])
        style, script = child(properties, "m:sty"), child(properties, "m:scr")
        if style is not None and style.get("m:val") == "p" and text.isalpha() and len(text) > 1:
            return element("mi", [text])
        if script is not None and text.isalpha():
            return element("mi", [text], mathvariant=script.get("m:val", ""))
    if text in FUNCTIONS:
        return element("mi", [text])
    return element("mrow", [element(match.lastgroup or "mi", [match.group()]) for match in _TOKENS.finditer(text)])


def _fraction(node: XmlElement, parts: Parts) -> Element:
    sides = [_part(parts, "m:num"), _part(parts, "m:den")]
    if _property(node, "type") == "lin":
        return element("mrow", [sides[0], element("mo", ["/"]), sides[1]])
    return element("mfrac", sides, **({"linethickness": "0"} if _property(node, "type") == "noBar" else {}))


def _scripts(tag: str, *names: str) -> Callable[[XmlElement, Parts], Element]:
    return lambda _node, parts: element(tag, [_part(parts, name) for name in names])


def _radical(_node: XmlElement, parts: Parts) -> Element:
    degree = _part(parts, "m:deg")
    if degree.text.strip():
        return element("mroot", [_part(parts, "m:e"), degree])
    return element("msqrt", [_part(parts, "m:e")])


def _large_operator(node: XmlElement, parts: Parts) -> Element:
    sign = element("mo", [_property(node, "chr", "\u222b")])
    limits = [_part(parts, "m:sub"), _part(parts, "m:sup")]
    has = [bool(limit.text.strip()) for limit in limits]
    tag = {(True, True): "msubsup", (True, False): "msub", (False, True): "msup"}.get((has[0], has[1]))
    head = element(tag, [sign, *(limit for limit, is_there in zip(limits, has) if is_there)]) if tag else sign
    return element("mrow", [head, _part(parts, "m:e")])


def _delimiters(node: XmlElement, parts: Parts) -> Element:
    made: list[Element] = [element("mo", [_property(node, "begChr", "(")])]
    for number, content in enumerate(parts.get("m:e", ())):
        made.extend([element("mo", [_property(node, "sepChr", "|")])] if number else [])
        made.append(content)
    return element("mrow", [*made, element("mo", [_property(node, "endChr", ")")])])


def _function(_node: XmlElement, parts: Parts) -> Element:
    name = _part(parts, "m:fName")
    plain = name.text.strip()
    has_scripts = any((node.tag or "").startswith(("ms", "mu", "mover")) for _, node in walk(name))
    head = element("mi", [plain]) if plain.isalpha() and not has_scripts else name
    return element("mrow", [head, _part(parts, "m:e")])


def _marked(default: str, below: str = "", *, is_accent: bool = False) -> Callable[[XmlElement, Parts], Element]:
    """What stands above or below a base, the default where it does not say which sign; `below` where that differs."""

    def rule(node: XmlElement, parts: Parts) -> Element:
        is_above = is_accent or _property(node, "pos", "bot") == "top"
        mark = element("mo", [_property(node, "chr", default if is_above else below or default)])
        attrs = {"accent": "true"} if is_accent else {}
        return element("mover" if is_above else "munder", [_part(parts, "m:e"), mark], **attrs)

    return rule


_RULES: dict[str, Callable[[XmlElement, Parts], Element]] = {
    "m:r": _run,
    "w:r": lambda node, _parts: element("mtext", [child_text(node, "w:t")]),  # ordinary text inside a formula
    "m:f": _fraction,
    "m:sSup": _scripts("msup", "m:e", "m:sup"),
    "m:sSub": _scripts("msub", "m:e", "m:sub"),
    "m:sSubSup": _scripts("msubsup", "m:e", "m:sub", "m:sup"),
    "m:sPre": lambda _node, parts: element(
        "mrow",
        [element("msubsup", [element("mrow"), _part(parts, "m:sub"), _part(parts, "m:sup")]), _part(parts, "m:e")],
    ),
    "m:rad": _radical,
    "m:nary": _large_operator,
    "m:d": _delimiters,
    "m:func": _function,
    "m:acc": _marked("\u0302", is_accent=True),
    "m:bar": _marked("\u203e", "_"),
    "m:groupChr": _marked("\u23df"),
    "m:limLow": _scripts("munder", "m:e", "m:lim"),
    "m:limUpp": _scripts("mover", "m:e", "m:lim"),
    "m:m": lambda _node, parts: element("mtable", parts.get("m:mr", ())),
    "m:mr": lambda _node, parts: element("mtr", [element("mtd", [cell]) for cell in parts.get("m:e", ())]),
    "m:eqArr": lambda _node, parts: element(
        "mtable", [element("mtr", [element("mtd", [row])]) for row in parts.get("m:e", ())]
    ),
}

# Elements by their control words: m:f for mf. What runs say of their letters' shapes is passed over.
RTF_PARTS = {
    f"m{name}": f"m:{name}"
    for name in (
        "oMath r f num den sSup sSub sSubSup sPre rad deg e sub sup nary d func fName acc bar groupChr limLow limUpp"
        " lim m mr eqArr box borderBox phant fPr naryPr dPr accPr barPr groupChrPr chr begChr sepChr endChr type pos"
        " nor"
    ).split()
}


def rtf_math(root: XmlElement) -> Element:
    """The formula whose elements hold what their groups say as their text."""
    for part in list(root.iter()):
        if part.tag == "m:r":
            text = "".join(part.itertext())
            if child(part, "m:nor") is not None:  # stands before the text in the group, not around it
                SubElement(SubElement(part, "m:rPr"), "m:nor")
            SubElement(part, "m:t").text = text
        elif part.text and part.text.strip():
            part.set("m:val", part.text.strip())
    return math(root)
