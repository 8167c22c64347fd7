"""List what tags and class names mean to the renderer.

A tag without an entry in any table is an inline box without markup: its content is written as it is. class_kind()
returns the key of the handler for a class attribute; keys that begin with "#" or "@" are in handlers.roles.MEANINGS and
handlers.HANDLERS. To give a class name a meaning, add it to _CLASS_KEYS. Sources: HTML Standard sections 4 and 15
(rendering).

A callout is a box for a note, tip or warning, which GitHub writes as an alert: `class="admonition warning"` is
"> [!WARNING]". The class names are those of GitHub, Docusaurus, MkDocs, mdBook, Sphinx, MDN, VitePress, Starlight,
Quarto, Asciidoctor, Bootstrap, ReadMe, Confluence and Microsoft Learn. To add a callout, add a line to _CALLOUT_BOXES
(`box class: prefixes`), to _CALLOUT_TITLES (the class of its title) or to CALLOUT_KINDS (`word: kind`).
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from webtool.lean.memory import Remembered
from webtool.markdown import formulas

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
_CLASS_KEYS = {
    "fragment": "#listing", "ltx_listing": "#listing", "MCTextPopupBody": "#note",
    "react-code-lines": "#lines", "react-line-numbers": "#skip", "mw-editsection": "#skip",
    "mw-cite-backlink": "#skip", "ltx_tag_note": "#skip", "ltx_tag_item": "#mark", "ltx_note_content": "#note",
    "ltx_bibblock": "#apart", "ltx_contact": "#apart", "ltx_author_notes": "#apart", "ltx_tabular": "#table",
    "ltx_tr": "#row", "ltx_td": "#cell", "line-numbers-wrapper": "#skip", "line-numbers": "#numbers",
    "two-column-summary": "#columns", "three-column-summary": "#columns", "four-column-summary": "#columns",
    **dict.fromkeys(("note", "tip", "important", "warning", "caution"), "#titled"),
    "__cf_email__": "#protected", "footnote": "@doc-footnote", "checkbox-on": "#checked", "checkbox-off": "#unchecked",
    **dict.fromkeys(("whitespace-pre", "whitespace-pre-line", "whitespace-pre-wrap"), "#preserved"),
    **dict.fromkeys(("CodeMirror-code", "view-lines", "ace_text-layer"), "#lines"), "cm-content": "#editor",
    **dict.fromkeys(("cm-gutters", "ace_gutter", "crayon-plain-wrap"), "#skip"),
    "classifier": "#classifier", "tabbed-block": "@tabpanel", "vp-adaptive-theme": "@tabpanel",
}  # fmt: skip

# Words in class names and titles -> the alert's kind.
CALLOUT_KINDS = {
    "note": "NOTE", "info": "NOTE", "abstract": "NOTE", "summary": "NOTE", "seealso": "NOTE", "secondary": "NOTE",
    "example": "NOTE", "question": "NOTE", "quote": "NOTE", "todo": "NOTE", "tip": "TIP", "hint": "TIP",
    "success": "TIP", "important": "IMPORTANT", "attention": "WARNING", "warning": "WARNING", "deprecated": "WARNING",
    "primary": "NOTE", "information": "NOTE", "okay": "TIP", "warn": "WARNING",
    "caution": "CAUTION", "danger": "CAUTION", "error": "CAUTION", "bug": "CAUTION", "failure": "CAUTION",
}  # fmt: skip
# A title of one of these words only repeats the kind. "Deprecated", "See also" or "Todo" say more.
_REPEATED_TITLES = frozenset(
    ("note", "info", "information", "tip", "hint", "important", "attention", "warning", "caution", "danger")
)
# Class of a callout box -> prefixes of its kind in its other classes: class="alert alert-danger" is a CAUTION.
_CALLOUT_BOXES = {
    "markdown-alert": ("markdown-alert-",), "admonition": ("", "admonition-"), "admonitionblock": ("",),
    "theme-admonition": ("theme-admonition-",), "notecard": ("",), "custom-block": ("",),
    "starlight-aside": ("starlight-aside--",), "callout": ("callout-", "callout_"), "bs-callout": ("bs-callout-",),
    "blockquote-tag": ("blockquote-tag-",), "alert": ("alert-", "is-"),
    "confluence-information-macro": ("confluence-information-macro-",),
}  # fmt: skip
_CALLOUT_TITLES = frozenset((
    "markdown-alert-title", "admonition-title", "admonition-heading", "custom-block-title", "starlight-aside__title",
    "callout-title", "callout-title-container", "theme-admonition-title", "alert-title", "alert-heading",
    "blockquote-tag-title",
))  # fmt: skip
# Microsoft Learn writes the kind as the only class of the box: class="NOTE".
_LEARN_CLASSES = frozenset(("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"))


def class_kind(names: str) -> str:
    """Return the handler key for a class attribute, "" if none of its names has a meaning."""
    kind = "#formula" if formulas.is_formula(names) else _callout_meaning(names)
    if kind:
        return kind
    if "script" in names and names.strip().lower() in _SCRIPTS:
        return _SCRIPTS[names.strip().lower()]
    if "MsoListParagraph" in names:
        return "#levelled"
    words = names.split()
    if "material-" in names and not _ICONS.isdisjoint(words):
        return "#icon"
    # An attribute may say which kind of callout a plain "callout" is.
    return next((_CLASS_KEYS[word] for word in words if word in _CLASS_KEYS), "#callout" if "callout" in words else "")


class_kinds = Remembered(class_kind)  # class attribute -> class_kind() of it


def callout_kind(names: str) -> str:
    """Return the kind of a callout by its class attribute, or "" for other boxes."""
    words = names.split()
    if len(words) == 1 and words[0] in _LEARN_CLASSES:
        return words[0]
    if _CALLOUT_BOXES.keys().isdisjoint(words):
        return ""
    for box, prefixes in _CALLOUT_BOXES.items():
        if box in words:
            for word in words:
                for prefix in prefixes:
                    suffix = word[len(prefix) :].lower()
                    if word.startswith(prefix) and suffix in CALLOUT_KINDS:
                        return CALLOUT_KINDS[suffix]
    return "NOTE" if "admonition" in words else ""


def details_callout_kind(names: str) -> str:
    """Return the kind of a details element, or "". MkDocs writes `<details class="note inline end">`."""
    kind = callout_kind(names)
    words = [word for word in names.split() if word not in ("inline", "end")]
    if not kind and len(words) == 1:
        kind = CALLOUT_KINDS.get(words[0].lower(), "")
    return kind


def repeats_callout_kind(text: str) -> bool:
    """Whether a title such as "Note:" only repeats the kind, which GitHub writes itself."""
    return "".join(text.split()).strip(":!").lower() in _REPEATED_TITLES


def _callout_meaning(names: str) -> str:
    """Return the handler key for a class attribute: "#callout", "#callout-title", or "" for any other."""
    if callout_kind(names):
        return "#callout"
    is_title = not _CALLOUT_TITLES.isdisjoint(names.split()) or "admonitionHeading" in names
    return "#callout-title" if is_title else ""
