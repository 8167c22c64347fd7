"""What a conversion keeps from its first block to its last. In: options of to_markdown. Out: what rules look up."""

from __future__ import annotations

from webtool.html.node import Element, top_of
from webtool.markdown import callouts, footnotes, formulas, tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.markdown.links import Links
    from webtool.markdown.render import Handler
    from webtool.running.budget import Budget


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


class Conversion:
    """Options, targets of links, the table of rules, and what was found out about the whole page on the way."""

    def __init__(self, links: Links, rules: dict[str, Handler], budget: Budget, images: str = "keep") -> None:
        self.links = links
        self.rules = rules
        self.budget = budget
        self.images = images  # "keep", "alt" or "none"
        self.notes: footnotes.Notes | None = None  # once one may have been referred to
        self.class_kinds: dict[str, str] = {}  # class names: "" where they mean nothing here
        self.fills = [tables.FILLED]

    def class_kind(self, names: str) -> str:
        """The rule for an element with these class names; "" where they mean nothing here."""
        kind = self.class_kinds.get(names)
        if kind is None:
            kind = "#formula" if formulas.is_formula(names) else callouts.meaning_of(names)
            if not kind and "script" in names:
                kind = _SCRIPTS.get(names.strip().lower(), "")
            elif not kind and "MsoListParagraph" in names:
                kind = "#levelled"
            elif not kind and "material-" in names and not _ICONS.isdisjoint(names.split()):
                kind = "#icon"
            elif not kind and not _PARTS.keys().isdisjoint(names.split()):
                kind = next(_PARTS[name] for name in names.split() if name in _PARTS)
            self.class_kinds[names] = kind
        return kind

    def note_label(self, element: Element, name: str) -> str | None:
        """The label of the footnote with this id; None where the page has no such footnote."""
        if self.notes is None:
            self.notes = footnotes.Notes(top_of(element))
        return self.notes.labels.get(name)
