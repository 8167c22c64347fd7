"""Words of any script, folded so that those a reader takes for the same compare equal. In: text. Out: words.

Chinese, Japanese, Korean and Thai do not put spaces between words: there, pairs of neighbouring characters stand for
words, which find what a dictionary would find for nearly all of them. Folding: NFKC, case, and accents of Latin script.
"""

from __future__ import annotations

import unicodedata

from webtool.lean import patterns

_UNSPACED = f"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\uac00-\ud7af{patterns.IDEOGRAPHS}"
_tokens = patterns.compile(rf"[0-9]+(?:[.,][0-9]+)*|[{_UNSPACED}]+|[^\W{_UNSPACED}]+").findall
is_unspaced = patterns.compile(rf"[{_UNSPACED}]").match
"""Whether a text begins with such a character."""
has_unspaced = patterns.compile(rf"[{_UNSPACED}]").search
"""Whether a text has a character of a script without spaces."""
unspaced_runs = patterns.compile(rf"[{_UNSPACED}]+").sub
"""Put something in the place of each run of such characters."""
_number = patterns.compile(r"[0-9]+(?:,[0-9]{3})+(?![0-9])").sub
_parts = patterns.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+").findall
_accents: dict[int, None] = dict.fromkeys(range(0x300, 0x370))


def fold(text: str) -> str:
    """NFKC without case, and without accents on Latin, Greek and Cyrillic letters."""
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", text).casefold()
    if has_unspaced(text):  # taking Hangul and kana apart would change what a pair of characters is
        return text
    return unicodedata.normalize("NFKD", text).translate(_accents)


def words(folded: str) -> list[str]:
    """The words of folded text in their order; pairs of characters where a script has no spaces."""
    if folded.isascii() or not has_unspaced(folded):
        return _tokens(_number(lambda number: number[0].replace(",", ""), folded) if "," in folded else folded)
    found: list[str] = []
    for token in _tokens(folded):
        if is_unspaced(token) and len(token) > 1:
            found += map("".join, zip(token, token[1:]))
        else:
            found.append(token)
    return found


def parts(name: str) -> list[str]:
    """The words inside a name as programs write them: serializationAlias, HTTP_PROXY; [] where it is one word."""
    found = [part.lower() for piece in name.split("_") for part in _parts(piece)]
    return found if len(found) > 1 else []
