"""Build foreign content: elements of SVG and MathML inside HTML.

In: the tree builder and a token whose adjusted current node is a foreign element. Out: changes of the tree. Attributes
with a prefix keep it in their names ("xlink:href", "xml:lang", "xmlns:xlink").
Spec: the HTML Standard, 13.2.6.5 (rules for parsing tokens in foreign content) and the adjustments of 13.2.6.1.
"""

from __future__ import annotations

from webtool.html.charrefs import without_null
from webtool.html.elements import MATH_TEXT, SVG_HTML, SVG_TYPES, name_set
from webtool.html.insertion import MAX_SEARCH
from webtool.html.modes import SPACE_CR, TreeBuilder
from webtool.html.node import Element

_HTML_ENCODINGS = frozenset(("text/html", "application/xhtml+xml"))

# Start tags that end foreign content.
_BREAKOUT = name_set(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta "
    "nobr ol p pre ruby s small span strong strike sub sup table tt u ul var"
)
_FONT_ATTRIBUTES = frozenset(("color", "face", "size"))
_SVG_TAGS = {name.lower(): name for name in SVG_TYPES}
_SVG_ATTRIBUTES = {
    name.lower(): name
    for name in (
        "attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits diffuseConstant edgeMode "
        "filterUnits glyphRef gradientTransform gradientUnits kernelMatrix kernelUnitLength keyPoints keySplines "
        "keyTimes lengthAdjust limitingConeAngle markerHeight markerUnits markerWidth maskContentUnits maskUnits "
        "numOctaves pathLength patternContentUnits patternTransform patternUnits pointsAtX pointsAtY pointsAtZ "
        "preserveAlpha preserveAspectRatio primitiveUnits refX refY repeatCount repeatDur requiredExtensions "
        "requiredFeatures specularConstant specularExponent spreadMethod startOffset stdDeviation stitchTiles "
        "surfaceScale systemLanguage tableValues targetX targetY textLength viewBox viewTarget xChannelSelector "
        "yChannelSelector zoomAndPan "
    ).split()
}
_MATH_ATTRIBUTES = {"definitionurl": "definitionURL"}


def is_html_integration_point(node: Element) -> bool:
    """Whether the contents of a foreign element are HTML."""
    if node.namespace == "svg":
        return node.tag in SVG_HTML
    return node.tag == "annotation-xml" and node.attrs.get("encoding", "").lower() in _HTML_ENCODINGS


def _is_math_text(node: Element) -> bool:
    return node.namespace == "math" and node.tag in MATH_TEXT


def is_html_start(node: Element, name: str) -> bool:
    """Whether the insertion mode processes a start tag inside this foreign element (the dispatcher's list)."""
    if _is_math_text(node):
        return name not in ("mglyph", "malignmark")
    if node.tag == "annotation-xml" and name == "svg" and node.namespace == "math":
        return True
    return is_html_integration_point(node)


def is_html_text(node: Element) -> bool:
    """Whether the insertion mode processes characters inside this foreign element."""
    return _is_math_text(node) or is_html_integration_point(node)


def insert(tb: TreeBuilder, name: str, attrs: dict[str, str], namespace: str) -> None:
    """Insert a foreign element, with the case of its name and attributes adjusted."""
    table = _MATH_ATTRIBUTES
    if namespace == "svg":
        name = _SVG_TAGS.get(name, name)
        table = _SVG_ATTRIBUTES
    tb.insert_element(name, {table.get(key, key): value for key, value in attrs.items()}, namespace)


def start_tag(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Process a start tag in foreign content."""
    if name in _BREAKOUT or (name == "font" and not _FONT_ATTRIBUTES.isdisjoint(attrs)):
        _leave(tb)
        mode = tb.mode
        mode.start.get(name, mode.other_start)(tb, name, attrs)
        return
    insert(tb, name, attrs, tb.stack[-1].namespace)


def end_tag(tb: TreeBuilder, name: str) -> None:
    """Process an end tag in foreign content: close the nearest element with its name, up to the next HTML element.

    If MAX_SEARCH elements have other names, the tag is ignored.
    """
    stack = tb.stack
    if name in ("br", "p"):
        _leave(tb)
    else:
        # The root, stack[1], is not looked at. If all above it are foreign, as in a fragment, the tag is ignored here:
        # the insertion mode would ignore it too.
        lowest = max(2, len(stack) - MAX_SEARCH + 1)
        for index in range(len(stack) - 1, lowest - 1, -1):
            if stack[index].namespace == "html":
                break
            if stack[index].tag.lower() == name:
                tb.pop_to(index)
                return
        else:
            return
    mode = tb.mode
    mode.end.get(name, mode.other_end)(tb, name)


def _leave(tb: TreeBuilder) -> None:
    """Pop foreign elements until HTML or an integration point is the current node."""
    stack = tb.stack
    while len(stack) > 2 and stack[-1].namespace != "html" and not is_html_text(stack[-1]):
        tb.pop()


def characters(tb: TreeBuilder, data: str) -> None:
    """Process characters in foreign content: null becomes U+FFFD."""
    tb.insert_text(without_null(data))
    if tb.frameset_ok and data.strip(SPACE_CR + "\0"):
        tb.frameset_ok = False
