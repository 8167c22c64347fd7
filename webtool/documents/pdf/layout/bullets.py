"""How lines open list items: bullets, dashes, numbers, letters. In: a line's text. Out: whether it does, and how."""

from __future__ import annotations

from webtool.lean import patterns

_BULLET = patterns.compile(r"\s*([•◦▪▫‣●○■□➢➤✓✔❖◆⁃∙·]|[-–—*](?= ))\s*")
_SURE_BULLET = patterns.compile(r"\s*[•◦▪▫‣●○■□➢➤✓✔❖◆⁃∙]")
_NUMBER = patterns.compile(r"\s*\(?(\d{1,3})[.)]\s+(?=\S)")
_LETTERED = patterns.compile(r"\s*(?:\(?([a-z]|[ivx]{1,4})\)|[a-z]\.)\s+(?=\S)")


def is_item(text: str) -> bool:
    """Whether a line opens a list item."""
    return bool(_BULLET.match(text) or _NUMBER.match(text) or _LETTERED.match(text))


def is_sure_item(text: str) -> bool:
    """Whether a line opens with a sign that is nothing but a bullet, so that the line above need not be looked at."""
    return bool(_SURE_BULLET.match(text))


def opening(text: str) -> tuple[str, int]:
    """An item's bullet or number, and how much of the text that is; "" where it is not an item.

    Markdown has no lettered lists: a letter stays in the text, and the item gets a dash.
    """
    match = _BULLET.match(text)
    if match:
        return match.group(1), match.end()
    match = _NUMBER.match(text)
    if match:
        return f"{match.group(1)}.", match.end()
    return ("-", 0) if _LETTERED.match(text) else ("", 0)
