"""List what tags and class names mean to the renderer.

A tag without an entry in any table is an inline box without markup: its content is written as it is. class_kind()
returns the key of the handler for a class attribute; keys that begin with "#" or "@" are in handlers.roles.MEANINGS and
handlers.HANDLERS. To give a class name a meaning, add it to _PARTS. Sources: HTML Standard sections 4 and 15
(rendering).
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from webtool.markdown import callouts, formulas

# Elements of which nothing is shown, or nothing is text. Comments and doctypes are nodes with these tags.
SKIPPED = frozenset((
    "#comment", "!doctype", "script", "style", "head", "title", "meta", "link", "base", "noscript", "noframes",
    "noembed", "template", "param", "source", "track", "canvas", "datalist", "optgroup-label", "colgroup", "col",
    "desc", "metadata", "defs", "symbol", "clipPath", "mask", "pattern", "marker", "linearGradient", "radialGradient",
))  # fmt: skip

# Block elements without markup of their own: their edges end a line.
BLOCKS = frozenset((
    "html", "body", "div", "p", "section", "article", "main", "header", "footer", "aside", "address", "hgroup",
    "search", "center", "form", "fieldset", "legend", "figure", "figcaption", "dl", "dd", "details", "dialog",
    "menu-item", "nav", "listing-item", "multicol", "optgroup", "option", "thead", "tbody", "tfoot", "tr", "td",
    "th", "caption", "frameset", "foreignObject",
))  # fmt: skip

# Inline elements that GFM has delimiters for, by the kind of span.
FORMATS = {
    "b": "strong", "strong": "strong", "i": "em", "em": "em", "cite": "em", "dfn": "em", "var": "em",
    "del": "del", "s": "del", "strike": "del",
}  # fmt: skip

CODE_SPANS = frozenset(("code", "tt", "kbd", "samp"))
LISTS = frozenset(("ul", "ol", "menu", "dir"))
CODE_BLOCKS = frozenset(("pre", "listing", "xmp", "plaintext"))

_SCRIPTS = {"superscript": "#raised", "subscript": "#lowered"}
# Icon fonts that draw an icon for its name: <i class="material-icons">home</i>.
_ICONS = frozenset(
    f"material-{kind}{form}"
    for kind in ("icons", "symbols")
    for form in ("", "-outlined", "-round", "-rounded", "-sharp", "-two-tone")
)
# Class names of forges, wikis, LaTeXML, MkDocs, VitePress, Notion, Substack, DocBook and Tailwind -> handler key.
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
    """Return the handler key for a class attribute, "" if none of its names has a meaning."""
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
