"""Characters as the tokenizer treats them in names. Spec: the HTML Standard, 13.2.5; the Infra Standard, 4.6."""

from __future__ import annotations


def ascii_lower(text: str) -> str:
    """Text with A to Z lowered and nothing else changed: str.lower() changes the length of some other letters."""
    if text.isascii():
        return text.lower()
    return "".join(letter.lower() if letter.isascii() else letter for letter in text)


def without_null(text: str) -> str:
    """Text with U+FFFD for every null, as everywhere but in character data."""
    return text.replace("\0", "\ufffd") if "\0" in text else text
