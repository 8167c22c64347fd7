"""Which tag is written how: the tables that the renderer follows. Sources: HTML Standard sections 4 and 15 (rendering).

A tag in no table is an inline box without markup: its content is written as it is.
"""

from __future__ import annotations

# Nothing of them is shown, or nothing of them is text. Comments and doctypes are nodes with these tags.
SKIPPED = frozenset((
    "#comment", "!doctype", "script", "style", "head", "title", "meta", "link", "base", "noscript", "noframes",
    "noembed", "template", "param", "source", "track", "canvas", "datalist", "optgroup-label", "colgroup", "col",
    "desc", "metadata", "defs", "symbol", "clipPath", "mask", "pattern", "marker", "linearGradient", "radialGradient",
))  # fmt: skip

# Their edges end a line; they have no markup of their own.
BLOCKS = frozenset((
    "html", "body", "div", "p", "section", "article", "main", "header", "footer", "aside", "address", "hgroup",
    "search", "center", "form", "fieldset", "legend", "figure", "figcaption", "dl", "dd", "details", "dialog",
    "menu-item", "nav", "listing-item", "multicol", "optgroup", "option", "thead", "tbody", "tfoot", "tr", "td",
    "th", "caption", "frameset", "foreignObject",
))  # fmt: skip

# Inline formats that GFM has.
FORMATS = {
    "b": "strong", "strong": "strong", "i": "em", "em": "em", "cite": "em", "dfn": "em", "var": "em",
    "del": "del", "s": "del", "strike": "del",
}  # fmt: skip

CODE_SPANS = frozenset(("code", "tt", "kbd", "samp"))
LISTS = frozenset(("ul", "ol", "menu", "dir"))
CODE_BLOCKS = frozenset(("pre", "listing", "xmp", "plaintext"))

# Blocks whose presence in a table cell says that the table only lays the page out.
LAYOUT_CONTENT = frozenset((
    "h1", "h2", "h3", "h4", "h5", "h6", "form", "article", "section", "main", "nav", "header", "footer", "iframe",
    "hr", "blockquote", "dl", "input", "select", "textarea",
))  # fmt: skip
SECTION_CONTENT = frozenset(("article", "section", "main", "nav", "header", "footer", "iframe"))  # in no data table
FORM_CONTENT = frozenset(("form", "input", "select", "textarea"))
# Blocks that a heading cannot hold: one that does was never closed by its author.
NOT_IN_HEADING = frozenset((
    "table", "ul", "ol", "pre", "hr", "blockquote", "dl", "form", "section", "article", "main", "p", "h1", "h2",
    "h3", "h4", "h5", "h6",
))  # fmt: skip
