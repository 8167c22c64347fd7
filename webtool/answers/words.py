"""Split text of any script into words, folded so that "Café" equals "cafe". In: text. Out: words.

Chinese, Japanese, Korean and Thai have no spaces between words. There, each pair of neighbouring characters counts as a
word; that finds nearly all that a dictionary would find. Folding: NFKC, lower case, no accents.

Tests: tests/answers/question/test_excerpt.py
"""

from __future__ import annotations

import unicodedata

from webtool.lean import patterns

_UNSPACED = f"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\uac00-\ud7af{patterns.IDEOGRAPHS}"
_tokens = patterns.compile(rf"[0-9]+(?:[.,][0-9]+)*|[{_UNSPACED}]+|[^\W{_UNSPACED}]+").findall
is_unspaced = patterns.compile(rf"[{_UNSPACED}]").match
"""Return a match if the text begins with a character of a script without spaces."""
has_unspaced = patterns.compile(rf"[{_UNSPACED}]").search
"""Return a match if the text has a character of a script without spaces."""
unspaced_runs = patterns.compile(rf"[{_UNSPACED}]+").sub
"""Replace each run of characters of scripts without spaces: re.Pattern.sub."""
_number = patterns.compile(r"[0-9]+(?:,[0-9]{3})+(?![0-9])").sub
_parts = patterns.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+").findall
_MIN_PLURAL = 3  # letters of a word that may have an s at its end
SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4"  # signs that are written like "'"
DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"  # signs that are written like '"'
DASHES = "\u207b\u2010\u2011\u2012\u2013\u2014\u2015\u2212"  # signs that are written like "-"
_accents: dict[int, None] = dict.fromkeys(range(0x300, 0x370))


def fold(text: str) -> str:
    """Return the text in NFKC and lower case, without accents on Latin, Greek and Cyrillic letters."""
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", text).casefold()
    bare = unicodedata.normalize("NFKD", text).translate(_accents)
    # NFKD splits Hangul and kana, which would change what a pair of characters is.
    return unicodedata.normalize("NFC", bare) if has_unspaced(text) else bare


def words(folded: str) -> list[str]:
    """Return the words of folded text in their order: "port of 漢字" -> ["port", "of", "漢字"]."""
    if folded.isascii() or not has_unspaced(folded):
        return _tokens(_number(lambda number: number[0].replace(",", ""), folded) if "," in folded else folded)
    all_words: list[str] = []
    for token in _tokens(folded):
        if is_unspaced(token) and len(token) > 1:
            all_words += map("".join, zip(token, token[1:]))
        else:
            all_words.append(token)
    return all_words


def parts(name: str) -> list[str]:
    """Return the words inside a name: serializationAlias -> serialization, alias; [] if it is one word."""
    inner_words = [part.lower() for piece in name.split("_") for part in _parts(piece)]
    return inner_words if len(inner_words) > 1 else []


def has_word(text: str, word: str, *, is_name: bool = False) -> bool:
    """Return whether the text has the word itself or its plural, and not only a longer word: both folded.

    "port" is in "ports" and "port-side", not in "airport"; "30" is not in "30,000". A name also goes on with other
    signs: "/usr/lib" is not in "/usr/lib/x11", "opt17" is in "reed.opt17".
    """
    if has_unspaced(word) or not any(map(str.isalnum, word)):
        return word in text
    plural = "s" if word.isalpha() and len(word) >= _MIN_PLURAL and not is_name else ""
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        if plural and text.startswith(plural, end):
            end += 1
        before, after = text[max(start - 2, 0) : start][::-1], text[end : end + 2]
        is_longer = _goes_on(before, word[0], is_name) or _goes_on(after, word[-1], is_name)
        if not is_longer and not (is_name and after[:1] == "." and after[1:].isalnum()):
            return True
        start = text.find(word, start + 1)
    return False


def _goes_on(beside: str, edge: str, is_name: bool) -> bool:
    """Return whether the characters beside a word, the nearest first, make it longer. `edge` is its own at that end."""
    nearest = beside[:1]
    if not nearest or nearest.isspace():
        return False
    if nearest.isalnum() or nearest in ("_-/$@" if is_name else "_"):
        return True
    return nearest in ".," and edge.isdigit() and beside[1:].isdigit()
