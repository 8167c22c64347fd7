"""Convert formulas of office documents to MathML. In: XML elements. Out: HTML elements.

The tree is converted bottom-up: _RULES has a function for each element, which gets the element and its converted
children (Parts). An element without a rule is replaced by its children. Properties, whose names end
in "Pr", are not converted; rules look them up. RTF writes the same elements as groups: `{\\mf{\\mnum 1}{\\mden 2}}`
for m:f.
Specification: ECMA-376 part 1, clause 22.1; MathML Core; RTF 1.9.1.
Tests: tests/documents/test_office.py, tests/documents/test_rtf.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from xml.etree.ElementTree import SubElement

from webtool.documents.tree import element
from webtool.documents.xmltree import attribute, child, child_text
from webtool.html.node import Element, walk
from webtool.lean import patterns
from webtool.lean.typing import XmlElement
from webtool.markdown.mathml import FUNCTIONS

Parts = dict[str, list[Element]]  # the converted children of an element by their tags

_TOKENS = patterns.compile(r"(?P<mn>\d+(?:[.,]\d+)*)|(?P<mi>[^\W\d_])|(?P<mo>[^\w\s]|_)")
MAX_NODES = 20_000  # elements of one formula; a larger one is shown as its text


def math(formula: XmlElement, is_display: bool = False) -> Element:
    """Return a formula as MathML; `is_display` gives it a line of its own."""
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
            rule = _RULES.get(str(node.tag))
            if rule:
                converted = rule(node, parts)
            else:
                converted = element("mrow", [item for items in parts.values() for item in items])
            if not stack:
                return element("math", [converted], **({"display": "block"} if is_display else {}))
            # A rule looks up children by tag. An element without a rule gets all under one name, in their order.
            parent, _rest, parent_parts = stack[-1]
            name = str(node.tag) if str(parent.tag) in _RULES else "m:e"
            parent_parts.setdefault(name, []).append(converted)


def _part(parts: Parts, name: str) -> Element:
    """Return the converted children of one name as a row."""
    return element("mrow", parts.get(name, ()))


def _property(node: XmlElement, name: str, default: str = "") -> str:
    """Return the m:val of an element's property; those of m:f are in m:fPr, and so on."""
    return attribute(node, f"{node.tag}Pr", f"m:{name}", "m:val", default=default)


def _run(node: XmlElement, _parts: Parts) -> Element:
    """Return the characters of an m:r as numbers, identifiers and operators: "2x+1" -> mn, mi, mo, mn."""
    text = "".join(item.text or "" for item in node if item.tag == "m:t")
    properties = child(node, "m:rPr")
    if properties is not None:
        if child(properties, "m:nor") is not None:
            return element("mtext", [text])
        script = child(properties, "m:scr")
        if attribute(properties, "m:sty", "m:val") == "p" and text.isalpha() and len(text) > 1:
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
    """Return a rule that puts the named children into one MathML element."""
    return lambda _node, parts: element(tag, [_part(parts, name) for name in names])


def _radical(_node: XmlElement, parts: Parts) -> Element:
    degree = _part(parts, "m:deg")
    if degree.text.strip():
        return element("mroot", [_part(parts, "m:e"), degree])
    return element("msqrt", [_part(parts, "m:e")])


def _large_operator(node: XmlElement, parts: Parts) -> Element:
    sign = element("mo", [_property(node, "chr", "\u222b")])
    limits = [_part(parts, "m:sub"), _part(parts, "m:sup")]
    has_sub, has_sup = (bool(limit.text.strip()) for limit in limits)
    tag = {(True, True): "msubsup", (True, False): "msub", (False, True): "msup"}.get((has_sub, has_sup))
    if tag:
        sign = element(tag, [sign, *(limit for limit in limits if limit.text.strip())])
    return element("mrow", [sign, _part(parts, "m:e")])


def _delimiters(node: XmlElement, parts: Parts) -> Element:
    row: list[Element] = [element("mo", [_property(node, "begChr", "(")])]
    for number, content in enumerate(parts.get("m:e", ())):
        if number:
            row.append(element("mo", [_property(node, "sepChr", "|")]))
        row.append(content)
    return element("mrow", [*row, element("mo", [_property(node, "endChr", ")")])])


def _function(_node: XmlElement, parts: Parts) -> Element:
    name = _part(parts, "m:fName")
    plain = name.text.strip()
    has_scripts = any((node.tag or "").startswith(("ms", "mu", "mover")) for _, node in walk(name))
    operator = element("mi", [plain]) if plain.isalpha() and not has_scripts else name
    return element("mrow", [operator, _part(parts, "m:e")])


def _marked(default: str, below: str = "", *, is_accent: bool = False) -> Callable[[XmlElement, Parts], Element]:
    """Return a rule for a sign above or below a base: m:chr, else `default`, or `below` (if given) for one below it."""

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

# Elements by their RTF control words: "mf" -> "m:f". The shapes of letters are left out.
RTF_PARTS = {
    f"m{name}": f"m:{name}"
    for name in (
        "oMath r f num den sSup sSub sSubSup sPre rad deg e sub sup nary d func fName acc bar groupChr limLow limUpp"
        " lim m mr eqArr box borderBox phant fPr naryPr dPr accPr barPr groupChrPr chr begChr sepChr endChr type pos"
        " nor"
    ).split()
}


def rtf_math(root: XmlElement) -> Element:
    """Return the formula of an RTF file as MathML.

    The reader of RTF put the text of each group into `text` of its element. Here it becomes m:t of a run (m:r), and
    m:val of a property.
    """
    for part in list(root.iter()):
        if part.tag == "m:r":
            text = "".join(part.itertext())
            if child(part, "m:nor") is not None:  # plain text: in RTF the mark precedes the text in the group
                SubElement(SubElement(part, "m:rPr"), "m:nor")
            SubElement(part, "m:t").text = text
        elif part.text and part.text.strip():
            part.set("m:val", part.text.strip())
    return math(root)
