"""Formulas in rich text. In: elements made of the groups of a formula. Out: a math element for the renderer.

Each element of Office Math Markup Language is a group that begins with a control word of its name, e.g. mf and mnum.
Specification: Rich Text Format 1.9.1, "Mathematics"; ECMA-376 part 1, clause 22.1.
"""

from __future__ import annotations

from xml.etree.ElementTree import SubElement

from webtool.documents import office_math
from webtool.documents.xmltree import child
from webtool.html.node import Element
from webtool.lean.typing import XmlElement

# Elements by their control words: m:f for mf. What runs say of their letters' shapes is passed over.
PARTS = {
    f"m{name}": f"m:{name}"
    for name in (
        "oMath r f num den sSup sSub sSubSup sPre rad deg e sub sup nary d func fName acc bar groupChr limLow limUpp"
        " lim m mr eqArr box borderBox phant fPr naryPr dPr accPr barPr groupChrPr chr begChr sepChr endChr type pos"
        " nor"
    ).split()
}


def formula(root: XmlElement) -> Element:
    """The formula whose elements hold what their groups say as their text."""
    for part in list(root.iter()):
        if part.tag == "m:r":
            text = "".join(part.itertext())
            if child(part, "m:nor") is not None:  # stands before the text in the group, not around it
                SubElement(SubElement(part, "m:rPr"), "m:nor")
            SubElement(part, "m:t").text = text
        elif part.text and part.text.strip():
            part.set("m:val", part.text.strip())
    return office_math.math(root)
