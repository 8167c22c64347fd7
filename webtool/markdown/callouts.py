"""Boxes that GitHub writes as alerts: notes, tips, warnings. In: a class attribute. Out: which kind it names.

Known are the class names of GitHub, Docusaurus, MkDocs, mdBook, Sphinx, MDN, VitePress, Starlight, Quarto, Asciidoctor,
Bootstrap, ReadMe, Confluence and Microsoft Learn. Specification: GitHub's documentation of "> [!NOTE]".
"""

from __future__ import annotations

KINDS = {
    "note": "NOTE", "info": "NOTE", "abstract": "NOTE", "summary": "NOTE", "seealso": "NOTE", "secondary": "NOTE",
    "example": "NOTE", "question": "NOTE", "quote": "NOTE", "todo": "NOTE", "tip": "TIP", "hint": "TIP",
    "success": "TIP", "important": "IMPORTANT", "attention": "WARNING", "warning": "WARNING", "deprecated": "WARNING",
    "primary": "NOTE", "information": "NOTE",
    "caution": "CAUTION", "danger": "CAUTION", "error": "CAUTION", "bug": "CAUTION", "failure": "CAUTION",
}  # fmt: skip
# A line of one of these words says no more than the kind does; "Deprecated", "See also" or "Todo" does.
_SAID = frozenset(
    ("note", "info", "information", "tip", "hint", "important", "attention", "warning", "caution", "danger")
)
# A box's class, and what may stand before the kind in another of its classes.
_BOXES = {
    "markdown-alert": ("markdown-alert-",), "admonition": ("", "admonition-"), "admonitionblock": ("",),
    "theme-admonition": ("theme-admonition-",), "notecard": ("",), "custom-block": ("",),
    "starlight-aside": ("starlight-aside--",), "callout": ("callout-", "callout_"), "bs-callout": ("bs-callout-",),
    "blockquote-tag": ("blockquote-tag-",), "alert": ("alert-", "is-"),
    "confluence-information-macro": ("confluence-information-macro-",),
}  # fmt: skip
_TITLES = frozenset((
    "markdown-alert-title", "admonition-title", "admonition-heading", "custom-block-title", "starlight-aside__title",
    "callout-title", "callout-title-container", "theme-admonition-title", "alert-title", "alert-heading",
    "blockquote-tag-title",
))  # fmt: skip
_LEARN = frozenset(("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"))  # Microsoft's class names, in capitals
_TELLING = _TITLES | _LEARN | _BOXES.keys()


def kind_of(names: str) -> str:
    """The kind of a callout by its class names, "" for other boxes."""
    words = names.split()
    if not _LEARN.isdisjoint(words) and len(words) == 1:
        return words[0]
    if _BOXES.keys().isdisjoint(words):
        return ""
    for box, prefixes in _BOXES.items():
        if box in words:
            for word in words:
                for before in prefixes:
                    kind = KINDS.get(word[len(before) :].lower()) if word.startswith(before) else None
                    if kind:
                        return kind
    return "NOTE" if "admonition" in words else ""


def kind_of_details(names: str) -> str:
    """The kind of a details element, whose only class is its kind where MkDocs wrote it."""
    words = names.split()
    return kind_of(names) or (KINDS.get(words[0].lower(), "") if len(words) == 1 else "")


def is_kind(text: str) -> bool:
    """Whether a line only says the kind again."""
    return "".join(text.split()).strip(":!").lower() in _SAID


def is_title(names: str) -> bool:
    """Whether a class attribute is that of the line with a callout's name."""
    return not _TITLES.isdisjoint(names.split()) or "admonitionHeading" in names


def meaning_of(names: str) -> str:
    """ "#callout", "#callout-title", or "" for any other class attribute."""
    if _TELLING.isdisjoint(names.split()) and "admonitionHeading" not in names:
        return ""
    if kind_of(names):
        return "#callout"
    return "#callout-title" if is_title(names) else ""
