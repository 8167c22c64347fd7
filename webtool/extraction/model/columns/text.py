"""Measure the text of each block by itself: length, links, marks, dates, words. In: a cut page, the title's words, the
lexicon. Out: one column of figures from 0 to 255 per name in NAMES.

Loops over blocks are list comprehensions around one call into C where that is possible: a page has thousands of blocks.
Equal texts are measured once.
Tests: tests/extraction/model/test_model.py
"""

from __future__ import annotations

from collections.abc import Sequence

from webtool.extraction.model.columns.scales import getter, log_scales, percent, percents
from webtool.extraction.model.lexicon import Lexicon
from webtool.extraction.page.blocks import CJK, Page
from webtool.lean import patterns
from webtool.lean.memory import Remembered

_PRICE = patterns.compile("[$\u20ac\u00a3\u00a5\u20b9]\\s?\\d|\\d\\s?(?:[\u20ac\u00a3\u20b9]|USD|EUR|kr\\b|z\u0142)")
_DATE = patterns.compile(
    r"\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|"
    r"\b\d+\s?(?:min(?:ute)?s?|hours?|hrs?|days?|weeks?|months?|years?)\b"
)
_WORD = patterns.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
# Tables for bytes.translate(): all but ASCII letters and line ends become spaces; capitals become "A".
_LETTERS = bytes([code if chr(code).isalpha() or code == 10 else 32 for code in range(128)]) + b" " * 128
_CAPITALS = bytes([65 if 65 <= code <= 90 else code for code in range(256)])
_digit = patterns.compile(r"\d").search
# A text's last character is coded 1 to 12 by the group that it is in.
_ENDS = '.\u3002\u06d4\u0964 !?\uff01\uff1f\u061f :\uff1a \u2026 ,; % ) "\u201d \u00bb>\u203a\u2192 *+'.split()
_TAIL = {char: code for code, chars in enumerate(_ENDS, 1) for char in chars}

_MAX_HEAD = 160  # characters at the beginning of a text whose words are scored
_MAX_SHORT = 60  # characters; a price or a date in a longer text is not what the text is about

NAMES = """
    words chars_per_word link_share capitals tail price date
    repeats first_seen hidden title_share word_mean word_min word_max phrase
""".split()


def columns(page: Page, title_words: frozenset[str], lexicon: Lexicon) -> list[Sequence[int]]:
    """Return one column per entry of NAMES; `title_words` is what the function of that name returns."""
    blocks, times = page.blocks, page.times
    words = page.sizes
    by_name = _of_texts({block.text: block.words for block in blocks}, title_words, lexicon)
    by_name["repeats"] = log_scales(times.values())
    again = [0] * len(blocks)  # 1 for a block whose text an earlier block has
    if len(times) < len(blocks):  # in tables of figures two thirds of the texts are repeated
        number = {text: i for i, text in enumerate(times)}
        places = [number[block.text] for block in blocks]
        seen: set[int] = set()
        again = [1 if place in seen or seen.add(place) else 0 for place in places]  # type: ignore[func-returns-value]
        get = getter(places)
        by_name = {name: get(column) for name, column in by_name.items()}
    by_name["words"] = log_scales(words)
    by_name["link_share"] = percents([block.link_words for block in blocks], words)
    by_name["first_seen"] = again
    by_name["hidden"] = [int(block.hidden) for block in blocks]
    return [by_name[name] for name in NAMES]


def _of_texts(words_in: dict[str, int], title_words: frozenset[str], lexicon: Lexicon) -> dict[str, Sequence[int]]:
    """Return by name the columns that depend on texts alone. `words_in` has each text once, with its words."""
    texts = list(words_in)
    heads = [text[:_MAX_HEAD] for text in texts]
    tokens, capitals = _tokens(heads)
    with_digit = [text if len(text) < _MAX_SHORT and _digit(text) else "" for text in texts]
    scores = list(zip(*map(lexicon.words, tokens, heads))) or [()] * 4
    return {
        "chars_per_word": [min(255, _letters(text) * 8 // count) for text, count in words_in.items()],
        "capitals": percents(capitals, map(len, tokens)),
        "tail": [_tails[text[-1]] for text in texts],
        "price": [1 if text and _PRICE.search(text) else 0 for text in with_digit],
        "date": [1 if text and _DATE.search(text) else 0 for text in with_digit],
        "title_share": [0 if title_words.isdisjoint(own) else _title_share(own, title_words) for own in tokens],
        **dict(zip(NAMES[-4:], map(list, scores))),
    }


def _tokens(heads: list[str]) -> tuple[list[list[str]], list[int]]:
    """Return the words of each text in lower case, and how many of them begin with a capital."""
    is_plain = [head.isascii() and "'" not in head for head in heads]
    plain = "\n".join([" " + head for head, flag in zip(heads, is_plain) if flag]).encode().translate(_LETTERS)
    lines = iter(plain.lower().decode().split("\n"))  # all texts at once take two thirds of the time
    initials = iter(plain.translate(_CAPITALS).split(b"\n"))
    tokens: list[list[str]] = []
    capitals: list[int] = []
    for head, flag in zip(heads, is_plain):
        if flag:
            tokens.append(next(lines).split())
            capitals.append(next(initials).count(b" A"))
        else:
            words = _WORD.findall(head)
            tokens.append(" ".join(words).lower().split())
            capitals.append(sum([word[0].isupper() for word in words]))
    return tokens, capitals


def title_words(title: str) -> frozenset[str]:
    """Return the words of a title in lower case."""
    return frozenset(_WORD.findall(title.lower()))


def _letters(text: str) -> int:
    """Return the length of a text, where an ideograph counts as the 3.5 letters that an alphabet needs instead."""
    return len(text) if text.isascii() else len(text) + 5 * len(CJK.findall(text)) // 2


_tails = Remembered(lambda last: _TAIL.get(last, 0) or (6 if last.isdigit() else 0))


def _title_share(words: list[str], title: frozenset[str]) -> int:
    """Return how alike two sets of words are, in hundredths (Dice's coefficient)."""
    shared = len(title.intersection(words))
    return percent(2 * shared, len(title) + len(set(words)))
