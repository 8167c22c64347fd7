"""List the sets of element names that tree construction asks for. In: nothing. Out: constants, and elements' roles.
Spec: the HTML Standard, 13.2.4.2 (stack of open elements: scopes, the special category), 13.2.4.3 and 13.2.6.3 (implied
end tags).
Tests: tests/html/test_openelements.py
"""

from __future__ import annotations

from webtool.lean.memory import Remembered

MATH_TEXT = frozenset(("mi", "mo", "mn", "ms", "mtext"))  # MathML text integration points
SVG_HTML = frozenset(("foreignObject", "desc", "title"))  # SVG's HTML integration points
# Foreign elements, as (namespace, tag), that end every scope except the table scope.
FOREIGN_SCOPE = frozenset(
    [("math", tag) for tag in (*MATH_TEXT, "annotation-xml")] + [("svg", tag) for tag in SVG_HTML]
)


def name_set(names: str) -> frozenset[str]:
    """Return the set of the names in a text, separated by spaces."""
    return frozenset(names.split())


class Scope(Remembered[frozenset[str]]):
    """Hold a specific scope: the names that end a search on the stack of open elements.

    scope[name] is the set of tags at which a search for `name` must look closer: the name itself and all that may end
    the search. It is computed once per name.
    """

    def __init__(self, names: str, has_foreign: bool = True) -> None:
        super().__init__(lambda name: self.names | {name} | {tag for _, tag in self.foreign}, 500)
        # "#document" is at the bottom of the stack.
        self.names = name_set("#document " + names)
        self.foreign = FOREIGN_SCOPE if has_foreign else frozenset()


_DEFAULT = "applet caption html table td th marquee object select template"
DEFAULT_SCOPE = Scope(_DEFAULT)
LIST_ITEM_SCOPE = Scope(_DEFAULT + " ol ul")
BUTTON_SCOPE = Scope(_DEFAULT + " button")
TABLE_SCOPE = Scope("html table template", has_foreign=False)

SPECIAL = name_set(
    "#document address applet area article aside base basefont bgsound blockquote body br button caption center "
    "col colgroup dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 "
    "h5 h6 head header hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed "
    "noframes noscript object ol p param plaintext pre script search section select source style summary table "
    "tbody td template textarea tfoot th thead title tr track ul wbr xmp"
)
SPECIAL_ANYWHERE = SPECIAL | {tag for _, tag in FOREIGN_SCOPE}  # other tags are never special: a quick first test

IMPLIED_END = name_set("dd dt li optgroup option p rb rp rt rtc")
IMPLIED_END_THOROUGHLY = IMPLIED_END | name_set("caption colgroup tbody td tfoot th thead tr")

HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}  # tag -> level
# "Clear the stack back to a table (table body, table row) context" stops at these.
TABLE_CONTEXT = frozenset(("#document", "html", "table", "template"))
TABLE_BODY_CONTEXT = frozenset(("#document", "html", "tbody", "tfoot", "thead", "template"))
TABLE_ROW_CONTEXT = frozenset(("#document", "html", "tr", "template"))
# Foster parenting applies if the current node is one of these.
FOSTERED_FROM = frozenset(("table", "tbody", "tfoot", "thead", "tr"))

# End tags for which "in body" only pops the current node, if that has the same name: no implied end tags, no markers.
PLAIN_END = name_set(
    "abbr address article aside blockquote button cite dd del details dialog dir div dl dt fieldset figcaption "
    "figure footer h1 h2 h3 h4 h5 h6 header hgroup ins kbd label li main menu nav noscript ol optgroup option "
    "picture pre q search section select span sub summary sup time ul var video"
)

ASCII_SPACE = " \t\n\r\f"  # separates names in attributes; str.split() takes more, such as the no-break space
# Element names of SVG that have capitals in the tree, although the HTML tokenizer lowers every name.
SVG_TYPES = name_set(
    "altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath feBlend feColorMatrix "
    "feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow "
    "feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset "
    "fePointLight feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef linearGradient "
    "radialGradient textPath"
)


def role_of(attrs: dict[str, str]) -> str:
    """Return the first word of the role attribute in lower case: "Table presentation" -> "table"; "" without one."""
    words = attrs["role"].lower().split(None, 1) if "role" in attrs else ()
    return words[0] if words else ""
