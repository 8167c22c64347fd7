"""What tags and class names mean to the renderer: the tables that it follows. Sources: HTML Standard sections 4 and 15.

A tag in no table is an inline box without markup: its content is written as it is.
"""

from __future__ import annotations

from webtool.markdown import callouts, formulas

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

_SCRIPTS = {"superscript": "#raised", "subscript": "#lowered"}
# Fonts in which the name of a picture is written for the picture.
_ICONS = frozenset(
    f"material-{kind}{form}"
    for kind in ("icons", "symbols")
    for form in ("", "-outlined", "-round", "-rounded", "-sharp", "-two-tone")
)
# What other names of classes say: of forges, wikis, LaTeXML, MkDocs, VitePress, Notion, Substack, DocBook, Tailwind.
_PARTS = {
    "fragment": "#listing", "ltx_listing": "#listing", "MCTextPopupBody": "#note",
    "react-code-lines": "#lines", "react-line-numbers": "#skip", "mw-editsection": "#skip",
    "mw-cite-backlink": "#skip", "ltx_tag_note": "#skip", "ltx_tag_item": "#mark", "ltx_note_content": "#note",
    "ltx_bibblock": "#apart", "ltx_contact": "#apart", "ltx_author_notes": "#apart", "ltx_tabular": "#table",
    "ltx_tr": "#row", "ltx_td": "#cell", "line-numbers-wrapper": "#skip", "line-numbers": "#numbers",
    "two-column-summary": "#columns", "three-column-summary": "#columns", "four-column-summary": "#columns",
    **dict.fromkeys(("note", "tip", "important", "warning", "caution"), "#titled"),
    "__cf_email__": "#protected", "footnote": "@doc-footnote", "checkbox-on": "#checked", "checkbox-off": "#unchecked",
    **dict.fromkeys(("whitespace-pre", "whitespace-pre-line", "whitespace-pre-wrap"), "#preserved"),
    "classifier": "#classifier", "tabbed-block": "@tabpanel", "vp-adaptive-theme": "@tabpanel",
}  # fmt: skip


def class_kind(names: str) -> str:
    """The rule for an element with these class names; "" where they mean nothing here."""
    kind = "#formula" if formulas.is_formula(names) else callouts.meaning_of(names)
    if kind:
        return kind
    if "script" in names:
        return _SCRIPTS.get(names.strip().lower(), "")
    if "MsoListParagraph" in names:
        return "#levelled"
    words = names.split()
    if "material-" in names and not _ICONS.isdisjoint(words):
        return "#icon"
    return next((_PARTS[word] for word in words if word in _PARTS), "")
