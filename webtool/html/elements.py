"""Sets of element names that tree construction asks for. Spec: the HTML Standard, 13.2.4.2, 13.2.4.3 and 13.2.6.3."""

from __future__ import annotations

# "has an element in the specific scope": what ends the search. "#document" stands below everything.
DEFAULT_SCOPE = frozenset("#document applet caption html table td th marquee object select template".split())
LIST_ITEM_SCOPE = DEFAULT_SCOPE | {"ol", "ul"}
BUTTON_SCOPE = DEFAULT_SCOPE | {"button"}
TABLE_SCOPE = frozenset(("#document", "html", "table", "template"))
FOREIGN_SCOPE = frozenset(
    [("math", tag) for tag in ("mi", "mo", "mn", "ms", "mtext", "annotation-xml")]
    + [("svg", tag) for tag in ("foreignObject", "desc", "title")]
)

SPECIAL = frozenset(
    (
        "#document address applet area article aside base basefont bgsound blockquote body br button caption center "
        "col colgroup dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 "
        "h5 h6 head header hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed "
        "noframes noscript object ol p param plaintext pre script search section select source style summary table "
        "tbody td template textarea tfoot th thead title tr track ul wbr xmp"
    ).split()
)
FORMATTING = frozenset("a b big code em font i nobr s small strike strong tt u".split())

IMPLIED_END = frozenset("dd dt li optgroup option p rb rp rt rtc".split())
IMPLIED_END_THOROUGHLY = IMPLIED_END | frozenset("caption colgroup tbody td tfoot th thead tr".split())

HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
TABLE_CONTEXT = frozenset(("#document", "html", "table", "template"))
TABLE_BODY_CONTEXT = frozenset(("#document", "html", "tbody", "tfoot", "thead", "template"))
TABLE_ROW_CONTEXT = frozenset(("#document", "html", "tr", "template"))
FOSTERED_FROM = frozenset(("table", "tbody", "tfoot", "thead", "tr"))
