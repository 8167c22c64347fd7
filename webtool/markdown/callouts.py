"""Recognise callouts (boxes for notes, tips, warnings) that GitHub writes as alerts.

In: a class attribute. Out: the alert's kind, such as "NOTE", or "".

The class names are those of GitHub, Docusaurus, MkDocs, mdBook, Sphinx, MDN, VitePress, Starlight, Quarto, Asciidoctor,
Bootstrap, ReadMe, Confluence and Microsoft Learn. To add one, add a line to _BOXES (`box class: prefixes`), to _TITLES
(the class of its title) or to KINDS (`word: kind`). Example: `class="admonition warning"` is a WARNING.
Specification: GitHub's documentation of "> [!NOTE]".
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

# Words in class names and titles -> the alert's kind.
KINDS = {
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
_LEARN = frozenset(("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"))  # Microsoft Learn's class names, in capitals
_KNOWN = _TITLES | _LEARN | _BOXES.keys()


def kind_of(names: str) -> str:
    """Return the kind of a callout by its class attribute, or "" for other boxes."""
    words = names.split()
    if not _LEARN.isdisjoint(words) and len(words) == 1:
        return words[0]
    if _BOXES.keys().isdisjoint(words):
        return ""
    for box, prefixes in _BOXES.items():
        if box in words:
            for word in words:
                for prefix in prefixes:
                    suffix = word[len(prefix) :].lower()
                    if word.startswith(prefix) and suffix in KINDS:
                        return KINDS[suffix]
    return "NOTE" if "admonition" in words else ""


def kind_of_details(names: str) -> str:
    """Return the kind of a details element, or "". MkDocs writes `<details class="note inline end">`."""
    kind = kind_of(names)
    words = [word for word in names.split() if word not in ("inline", "end")]
    if not kind and len(words) == 1:
        kind = KINDS.get(words[0].lower(), "")
    return kind


def repeats_kind(text: str) -> bool:
    """Whether a title such as "Note:" only repeats the kind, which GitHub writes itself."""
    return "".join(text.split()).strip(":!").lower() in _REPEATED_TITLES


def is_title(names: str) -> bool:
    """Whether a class attribute is that of a callout's title."""
    return not _TITLES.isdisjoint(names.split()) or "admonitionHeading" in names


def meaning_of(names: str) -> str:
    """Return the handler key for a class attribute: "#callout", "#callout-title", or "" for any other."""
    if _KNOWN.isdisjoint(names.split()) and "admonitionHeading" not in names:
        return ""
    if kind_of(names):
        return "#callout"
    return "#callout-title" if is_title(names) else ""
