"""What the text of a block says by itself. In: the blocks of a page. Out: columns of small integers, one per feature.

Every figure is counted with one call into C per block where that is possible; all are 0 to 255.
"""

from __future__ import annotations

from operator import itemgetter

from webtool.extraction.blocks import CJK, Block
from webtool.extraction.columns.scales import log_scales, percent, percents
from webtool.extraction.lexicon import Lexicon
from webtool.lean import patterns

_PRICE = patterns.compile("[$\u20ac\u00a3\u00a5\u20b9]\\s?\\d|\\d\\s?(?:[\u20ac\u00a3\u20b9]|USD|EUR|kr\\b|z\u0142)")
_DATE = patterns.compile(
    r"\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|"
    r"\b\d+\s?(?:min(?:ute)?s?|hours?|hrs?|days?|weeks?|months?|years?)\b"
)
_WORD = patterns.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_ASCII_WORD = patterns.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?")  # the same in half the time, for most texts
_digit = patterns.compile(r"\d").search
_first = itemgetter(0)
_ENDS = '.\u3002\u06d4\u0964 !?\uff01\uff1f\u061f :\uff1a \u2026 ,; % ) "\u201d \u00bb>\u203a\u2192 *+'.split()
_TAIL = {char: code for code, chars in enumerate(_ENDS, 1) for char in chars}

_HEAD = 160  # characters whose words are looked at
_SHORT = 60  # characters: a price or a date in a longer text is not what it is about

NAMES = """
    words chars_per_word link_share links sentence_ends commas capitals head tail separators price
    date repeats first_seen hidden title_share word_mean word_min word_max phrase
""".split()


def columns(blocks: list[Block], title_words: frozenset[str], lexicon: Lexicon) -> list[list[int]]:
    """One column per entry of NAMES."""
    texts = [block.text for block in blocks]
    words = [block.words for block in blocks]
    counts: dict[str, int] = {}
    for text in texts:
        counts[text] = counts.get(text, 0) + 1
    seen: set[str] = set()
    found = _of_texts(dict(zip(texts, words)), title_words, lexicon)
    if len(counts) < len(texts):  # in tables of figures two thirds of the texts are repeated
        number = {text: i for i, text in enumerate(counts)}
        places = [number[text] for text in texts]
        found = {name: list(map(column.__getitem__, places)) for name, column in found.items()}
    found["words"] = log_scales(words)
    found["link_share"] = percents([block.link_words for block in blocks], words)
    found["links"] = log_scales([block.links for block in blocks])
    found["repeats"] = log_scales([counts[text] for text in texts])
    found["first_seen"] = [1 if text in seen or seen.add(text) else 0 for text in texts]  # type: ignore[func-returns-value]
    found["hidden"] = [int(block.hidden) for block in blocks]
    return [found[name] for name in NAMES]


def _of_texts(words_in: dict[str, int], title_words: frozenset[str], lexicon: Lexicon) -> dict[str, list[int]]:
    """The columns by name of what depends on a block's text alone, of which the number of words is known."""
    texts = list(words_in)
    cased = [(_ASCII_WORD if text.isascii() else _WORD).findall(text[:_HEAD]) for text in texts]
    tokens = [" ".join(found).lower().split(" ") if found else found for found in cased]
    capitals = [0 if text.islower() else sum(map(str.isupper, map(_first, found))) for text, found in zip(texts, cased)]
    counted = [text if len(text) < _SHORT and _digit(text) else "" for text in texts]
    scores = [lexicon.words(found, text[:_HEAD]) for found, text in zip(tokens, texts)]
    return {
        "chars_per_word": [min(255, _letters(text) * 8 // count) for text, count in words_in.items()],
        "sentence_ends": log_scales(map(_sentence_ends, texts)),
        "commas": log_scales(map(_commas, texts)),
        "capitals": percents(capitals, map(len, cased)),
        "head": list(map(_head, texts)),
        "tail": [_TAIL.get(text[-1], 0) or (6 if text[-1].isdigit() else 0) for text in texts],
        "separators": log_scales(map(_separators, texts)),
        "price": [1 if text and _PRICE.search(text) else 0 for text in counted],
        "date": [1 if text and _DATE.search(text) else 0 for text in counted],
        "title_share": [_title_share(found, title_words) for found in tokens],
        **{name: [score[i] for score in scores] for i, name in enumerate(NAMES[-4:])},
    }


def title_words(title: str) -> frozenset[str]:
    """The words of a title, for the share of a block's words that it holds."""
    return frozenset(_WORD.findall(title.lower()))


def _letters(text: str) -> int:
    """Letters, as an alphabet would need them for as many words."""
    return len(text) if text.isascii() else len(text) + 5 * len(CJK.findall(text)) // 2


def _sentence_ends(text: str) -> int:
    found = text.count(". ") + text.count("? ") + text.count("! ") + (text[-1] in ".?!\u2026\u201d")
    return found if text.isascii() else found + full_stops(text)


def full_stops(text: str) -> int:
    """Ends of sentences as Chinese, Japanese, Arabic, Urdu and Hindi write them."""
    return sum(map(text.count, "\u3002\uff01\uff1f\u061f\u06d4\u0964"))


def _commas(text: str) -> int:
    found = text.count(",")
    return found if text.isascii() else found + sum(map(text.count, "\u3001\uff0c\u060c"))


def _separators(text: str) -> int:
    found = text.count("|") + text.count("/") + text.count(">")
    return found if text.isascii() else found + sum(map(text.count, "\u203a\u00bb\u2022\u00b7\u2192\u00ab"))


def _head(text: str) -> int:
    first = text[0]
    if first.islower():
        return 1
    if first.isalpha():
        return 2
    return 3 if first.isdigit() else 4 if first in "\"'\u201c\u2018\u00ab" else 5


def _title_share(found: list[str], title: frozenset[str]) -> int:
    if title.isdisjoint(found):
        return 0
    inside = len(title.intersection(found))
    return percent(2 * inside, len(title) + len(set(found)))
