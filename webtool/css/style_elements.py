"""The style elements of a page, read. In: its tree. Out: a Sheet (sheets.py), whether it links sheets, its elements.

Linked style sheets are not fetched. Style elements in noscript are left out: lazy loaders hide placeholder pictures
with them. For a few classes of one very common shop theme, the rules of its linked sheet are known (_LINKED_RULES).
Tests: tests/css/test_sheets.py
"""

from __future__ import annotations

from collections.abc import Iterable

from webtool.css.elements import PageElements
from webtool.css.media import matches_screen
from webtool.css.sheets import Sheet
from webtool.html.node import Element, listed, top_of

_MAX_TEXT = 2_000_000  # characters of all style elements together; the rest is not read
_MAX_MEDIA = 5000  # characters of a media attribute that are read
# Class -> rules of a linked style sheet that very many shops use; they are read if the page has the class and links
# sheets. Shopify's theme Dawn writes each price twice, for sales and for other days, and product names on cards twice.
_LINKED_RULES = {
    ".price__regular": ".price__sale,.price__availability,.price__badge-sale,.price__badge-sold-out,"
    ".price--on-sale .price__regular{display:none}.price--on-sale .price__sale,.price--on-sale .price__badge-sale,"
    ".price--sold-out .price__badge-sold-out,.price--sold-out .price__availability{display:block}",
    ".card__information": ".card--media .card__inner .card__information,.card--standard.card--text>.card__content "
    ".card__heading,.card--card.card--text .card__inner{display:none}",
    ".product__title": ".product__title>a{display:none}",
}


def read_sheets(root: Element) -> tuple[Sheet | None, bool, PageElements]:
    """Read the style elements of a document.

    Returns their Sheet (None if they have no rules of use), whether the document links style sheets, and its elements.
    """
    page = PageElements(listed(top_of(root)))
    has_links = any("stylesheet" in node.attrs.get("rel", "").lower() for node in page.by_type.get("link", ()))
    texts = _texts_of(page.by_type.get("style", ()))
    class_names = {"." + name for name in page.class_names}
    if has_links:
        texts[:0] = [rules for name, rules in _LINKED_RULES.items() if name in class_names]
    if not texts and not page.variables:
        return None, has_links, page
    page_names = class_names.union(page.by_id, page.by_type)  # ".class", "#id" and types
    sheet = Sheet(page_names, page.variables, is_complete=not has_links)
    left = _MAX_TEXT
    for text in texts:
        sheet.read(text[:left])
        left = max(0, left - len(text))
    sheet.judge()
    return (sheet if sheet else None), has_links, page


def _texts_of(styles: Iterable[Element]) -> list[str]:
    """Return the text of the style elements that are CSS for a screen, outside of noscript."""
    texts: list[str] = []
    for style in styles:
        is_fallback = style.parent is not None and style.parent.tag == "noscript"
        if _is_for_screen(style.attrs) and not is_fallback:
            texts.append("".join([child.text for child in style.children]))
    return texts


def _is_for_screen(attrs: dict[str, str]) -> bool:
    if attrs.get("type", "").strip().lower() not in ("", "text/css"):
        return False
    return "media" not in attrs or matches_screen(attrs["media"][:_MAX_MEDIA])
