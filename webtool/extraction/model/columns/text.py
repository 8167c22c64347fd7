"""What the text of a block says by itself. In: the blocks of a page. Out: columns of small integers, one per feature.

Every figure is counted with one call into C per block where that is possible; all are 0 to 255.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from webtool.extraction.model.columns.scales import log_scales, percent, percents
from webtool.extraction.model.forest import getter
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
_LETTERS = bytes([code if chr(code).isalpha() or code == 10 else 32 for code in range(128)]) + b" " * 128
_CAPITALS = bytes([65 if 65 <= code <= 90 else code for code in range(256)])
_digit = patterns.compile(r"\d").search
_ENDS = '.\u3002\u06d4\u0964 !?\uff01\uff1f\u061f :\uff1a \u2026 ,; % ) "\u201d \u00bb>\u203a\u2192 *+'.split()
_TAIL = {char: code for code, chars in enumerate(_ENDS, 1) for char in chars}

FULL_STOPS = "\u3002\uff01\uff1f\u061f\u06d4\u0964"
"""Ends of sentences as Chinese, Japanese, Arabic, Urdu and Hindi write them."""

_HEAD = 160  # characters whose words are looked at
_SHORT = 60  # characters: a price or a date in a longer text is not what it is about

NAMES = """
    words chars_per_word link_share links sentence_ends commas capitals head tail separators price
    date repeats first_seen hidden title_share word_mean word_min word_max phrase
""".split()


def columns(page: Page, title_words: frozenset[str], lexicon: Lexicon) -> list[Sequence[int]]:
    """One column per entry of NAMES."""
    blocks, times = page.blocks, page.times
    words = page.sizes
    found = _of_texts({block.text: block.words for block in blocks}, title_words, lexicon)
    found["repeats"] = log_scales(times.values())
    again = [0] * len(blocks)
    if len(times) < len(blocks):  # in tables of figures two thirds of the texts are repeated
        number = {text: i for i, text in enumerate(times)}
        places = [number[block.text] for block in blocks]
        seen: set[int] = set()
        again = [1 if place in seen or seen.add(place) else 0 for place in places]  # type: ignore[func-returns-value]
        get = getter(places)
        found = {name: get(column) for name, column in found.items()}
    found["words"] = log_scales(words)
    found["link_share"] = percents([block.link_words for block in blocks], words)
    found["links"] = log_scales([block.links for block in blocks])
    found["first_seen"] = again
    found["hidden"] = [int(block.hidden) for block in blocks]
    return [found[name] for name in NAMES]


def _of_texts(words_in: dict[str, int], title_words: frozenset[str], lexicon: Lexicon) -> dict[str, Sequence[int]]:
    """The columns by name of what depends on a block's text alone, of which the number of words is known."""
    texts = list(words_in)
    heads = [text[:_HEAD] for text in texts]
    tokens, capitals = _tokens(heads)
    counted = [text if len(text) < _SHORT and _digit(text) else "" for text in texts]
    scores = list(zip(*map(lexicon.words, tokens, heads))) or [()] * 4
    return {
        "chars_per_word": [min(255, _letters(text) * 8 // count) for text, count in words_in.items()],
        "sentence_ends": log_scales(_sentence_ends(texts)),
        "commas": log_scales(counts(texts, ",\u3001\uff0c\u060c")),
        "capitals": percents(capitals, map(len, tokens)),
        "head": [_heads[text[0]] for text in texts],
        "tail": [_tails[text[-1]] for text in texts],
        "separators": log_scales(counts(texts, "|/>\u203a\u00bb\u2022\u00b7\u2192\u00ab")),
        "price": [1 if text and _PRICE.search(text) else 0 for text in counted],
        "date": [1 if text and _DATE.search(text) else 0 for text in counted],
        "title_share": [0 if title_words.isdisjoint(one) else _title_share(one, title_words) for one in tokens],
        **dict(zip(NAMES[-4:], map(list, scores))),
    }


def _tokens(heads: list[str]) -> tuple[list[list[str]], list[int]]:
    """The words in each text, in lower case, and how many of them begin with a capital."""
    is_plain = [head.isascii() and "'" not in head for head in heads]
    plain = "\n".join([" " + head for head, flag in zip(heads, is_plain) if flag]).encode().translate(_LETTERS)
    lines = iter(plain.lower().decode().split("\n"))  # all at once, in two thirds of the time
    initials = iter(plain.translate(_CAPITALS).split(b"\n"))
    tokens: list[list[str]] = []
    capitals: list[int] = []
    for head, flag in zip(heads, is_plain):
        if flag:
            tokens.append(next(lines).split())
            capitals.append(next(initials).count(b" A"))
        else:
            found = _WORD.findall(head)
            tokens.append(" ".join(found).lower().split())
            capitals.append(sum([word[0].isupper() for word in found]))
    return tokens, capitals


def title_words(title: str) -> frozenset[str]:
    """The words of a title, for the share of a block's words that it holds."""
    return frozenset(_WORD.findall(title.lower()))


def _letters(text: str) -> int:
    """Letters, as an alphabet would need them for as many words."""
    return len(text) if text.isascii() else len(text) + 5 * len(CJK.findall(text)) // 2


def counts(texts: list[str], marks: Iterable[str]) -> list[int]:
    """How many of some marks are in each text; most pages have few of them."""
    everything = "\n".join(texts)
    found = [0] * len(texts)
    for mark in marks:
        if mark in everything:
            found = [count + text.count(mark) for count, text in zip(found, texts)]
    return found


def _sentence_ends(texts: list[str]) -> list[int]:
    inside = counts(texts, (". ", "? ", "! ", *FULL_STOPS))
    return [count + (text[-1] in ".?!\u2026\u201d") for count, text in zip(inside, texts)]


def _head(first: str) -> int:
    if first.islower():
        return 1
    if first.isalpha():
        return 2
    return 3 if first.isdigit() else 4 if first in "\"'\u201c\u2018\u00ab" else 5


_heads = Remembered(_head)
_tails = Remembered(lambda last: _TAIL.get(last, 0) or (6 if last.isdigit() else 0))


def _title_share(found: list[str], title: frozenset[str]) -> int:
    inside = len(title.intersection(found))
    return percent(2 * inside, len(title) + len(set(found)))
