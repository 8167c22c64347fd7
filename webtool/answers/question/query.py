"""Read a query: its content words, the names in it, and the kind of answer it wants. In: the query. Out: these.

Stop words (how, does, the) say nothing about a subject, but some of them say what an answer holds: an answer to "how
many" holds a number. languages.txt has the commonest such words of the languages that readers ask in.

Tests: tests/answers/question/test_excerpt.py
"""

from __future__ import annotations

from collections.abc import Callable

from webtool.answers.question.word_matching import kinds, pattern_of, unspaced_words_in, words_of
from webtool.answers.words import fold, is_unspaced, words
from webtool.lean import patterns

_STOP_WORDS = frozenset(words_of("stop_words") + words_of("stop_pairs"))
_STOP_CHARACTERS = frozenset(words_of("stop_characters"))
_VAGUE_WORDS = frozenset(words_of("vague_words"))
ABOUT_PAGE = frozenset(words_of("about_page"))
_is_ideograph = patterns.compile(f"[{patterns.IDEOGRAPHS}]").match
# Strength of pairs by script, where it is not that of two ideographs.
_PAIRS = {("katakana", "katakana"): 0.4, ("hiragana", "hiragana"): 0.25, ("other", "hiragana"): 0.4}
_MAX_WORDS = 32  # content words of a query; the rest is ignored
MAX_CHARACTERS = 2000  # of a query; the rest is ignored


def content_words(query: str) -> list[str]:
    """Return the folded words of the query without stop words, each once, in their order: "the harbour" -> ["harbour"].

    Returns all words if every one is a stop word.
    """
    folded = fold(query[:MAX_CHARACTERS])
    all_words = list(dict.fromkeys(words(folded)))
    content = [word for word in all_words if word not in _STOP_WORDS]
    content = [word for word in content if len(word) > 1 or word.isdigit() or is_unspaced(word) is not None]
    # The page may have a character of the query in another pair: "how long is the river", "river water".
    ideographs = [character for character in dict.fromkeys(folded) if _is_ideograph(character)]
    content += [character for character in ideographs if character not in _STOP_CHARACTERS and character not in content]
    return (content or all_words)[:_MAX_WORDS]


def strengths(query: str) -> dict[str, float]:
    """Return the words of a query that are looked for on a page, each with its strength()."""
    looked_for = content_words(query) + unspaced_words_in(fold(query[:MAX_CHARACTERS]))
    return {word: strength(word) for word in looked_for}


def strength(word: str) -> float:
    """Return how much finding a word says, 0.15 to 1: vague words and pieces of scripts without spaces say less.

    A word of four ideographs is three pairs and four single ideographs. A pair of two scripts is mostly the end of a
    word and the beginning of the next: "の質" in "ユーザへの質問", but "速い" is a word.
    """
    if word in _VAGUE_WORDS:
        return 0.6
    if not is_unspaced(word):
        return 1.0
    if len(word) == 1:
        return 0.25
    scripts = _script(word[0]), _script(word[-1])
    return _PAIRS.get(scripts, 0.15 if scripts[0] != scripts[1] else 0.65)


def _script(character: str) -> str:
    """Return the script of a character as far as Japanese mixes several."""
    if "\u3040" <= character < "\u30a0":
        return "hiragana"
    return "katakana" if "\u30a0" <= character < "\u3100" else "other"


_MIN_NAME = 3  # characters
_AROUND_NAMES = "\"'`(),.?;:!\u2018\u2019\u201c\u201d"  # quotes and punctuation
_MAX_NAMES = 10  # names of a query; the rest is ignored


def names_in(query: str) -> list[str]:
    """Return the names of programs, files, flags and versions in the query, folded: "is os.path" -> ["os.path"]."""
    names = [fold(word.strip(_AROUND_NAMES)) for word in query.split() if is_name(word)]
    return [name for name in names if len(name) >= _MIN_NAME][:_MAX_NAMES]


def is_name(word: str) -> bool:
    """Return whether a word looks like a name: os.path, --flag, utf8, camelCase, HTTP."""
    inner = word.strip(_AROUND_NAMES)
    if len(inner) < _MIN_NAME or not inner.isascii():
        return False
    has_symbol = inner[0] in "-_$@#./" or any(not c.isalnum() and c != "'" for c in inner[1:-1])
    has_letters_and_digits = any(map(str.isdigit, inner)) and any(map(str.isalpha, inner))
    has_inner_capital = not inner[1:].islower() and inner[1:] != inner[1:].lower()
    return has_symbol or has_letters_and_digits or has_inner_capital


# A byline begins with "by", or links to a page about its author.
_is_byline = patterns.compile(rf"(?:\A|[\s·|•])(?:{'|'.join(words_of('by'))})\b\s*:?|文/|作者|著者|글쓴이").search
# The end of "[Ann Lee](https://e.example/author/ann)".
_links_to_author = patterns.compile(
    r"(?i)\]\([^()\s]*[/?](?:authors?|writers?|people|contributors?|by|staff|profile)[/=]"
).search
_has_digit = patterns.compile(r"\d").search
_has_number_word = patterns.compile(rf"\b(?:{pattern_of('number_words')})").search
# "1999", "May 3", "12/05", "9:30", "2024年"
_has_date = patterns.compile(
    rf"\b(?:1[5-9]|20)\d\d\b|\b(?:{'|'.join(words_of('months'))})[a-z]*\.? \d|\d{{1,2}}[:/.]\d\d|[年月日년월일]"
).search
_has_reason = patterns.compile(rf"\b(?:{pattern_of('because')})|から|ため|因为|由于|때문").search
_counted_thing = patterns.compile(rf"\b(?:{'|'.join(words_of('counting'))})\s+(\w{{3,}})").search
_counted_words = patterns.compile(r"\d\+?\s+(\w{3,})").findall
# How values look in folded text, by the kind of the words that ask for them, besides a number with a unit of the kind:
# "weight" -> "180 g", "price" -> "12 euros" or "$ 12".
_VALUES = {
    "price": r"[$€£¥₹₩₽₺₫฿₪]\s?\d|\d\s?[$€£¥₹₩₽₺₫฿₪円元원]",
    "weight": "",
    "length": r"\d\s?[\"″'′×]",
    "memory": "",
    "duration": "",
    "percent": r"\d\s?%",
    "temperature": r"\d\s?[°℃]",
    "hours": r"\d:\d\d",
    "phone": r"\d[\d ()/.-]{6,}\d",
    "email": r"\w@\w",
    "website": r"https?://|www\.",
}


def _value_search(kind: str) -> Callable[[str], object]:
    """Return the search for the values of a kind."""
    with_unit = rf"\d\s?(?:{pattern_of(f'{kind}_units')})" if f"{kind}_units" in kinds() else ""
    return patterns.compile("|".join(filter(None, (with_unit, _VALUES[kind])))).search


_value_searches = [(frozenset(words_of(kind)), _value_search(kind)) for kind in _VALUES]
_MAX_BYLINE = 200  # characters; a longer text is not a byline
_MAX_BELOW_TITLE = 12  # units; a byline or date of publication further down is less likely


# "neap tide" of "what is a neap tide?", "nipptide" of "was ist eine nipptide?"
_asks_definition = patterns.compile(
    r"(?:what(?: is| are|'s)|what does|define|definition of|meaning of|was (?:ist|sind)|qu'est[- ]ce que?|que es"
    r"|cos'e|o que e|что такое) +(?:(?:an?|the|eine?|un[ae]?|l[ae]|el) )?(\w[^?]{1,40}?)(?: mean)?[ ?]*\Z"
).match
_opening = patterns.compile(r"\W*(?:(?:an?|the|eine?|un[ae]?|l[ae]|el) )?").match
# What follows a term where it is defined: "s (in spring) are" after "neap tide", ": " after "tide"
_is_defining = patterns.compile(
    r"s?[^.;:!?\w]{0,3}(?:in [^.;:!?]{0,20}|\([^()]{0,30}\) )?"
    r"(?:(?:is|are|means?|refers? to|denotes?|ist|sind|est|es|son|e) |[—–:]|- |это )"
).match


def value_searches(word: str) -> list[Callable[[str], object]]:
    """Return searches for the values that a word asks for: "size" for 30 cm, and for 4 GB; [] for most words."""
    return [search for asking, search in _value_searches if word in asking]


class AnswerKind:
    """The kind of answer that a query asks for: an amount, a time, a reason, a definition, an author or a date."""

    def __init__(self, query: str) -> None:
        folded = fold(query)
        self._is_amount = _asks_for(folded, "amount")
        self._is_time = _asks_for(folded, "time")
        counted = _counted_thing(folded)
        self._count = counted[1].rstrip("s") if counted else ""
        self._is_reason = _asks_for(folded, "reason")
        self._is_author = _asks_for(folded, "author")
        self._is_publication = _asks_for(folded, "published")
        self.is_about_page = self._is_author or self._is_publication  # the query asks who wrote the page, or when
        asked = _asks_definition(folded)
        self._defined = asked[1] if asked else ""

    def is_answered_by(self, folded: str) -> bool:
        """Return whether the folded text holds an amount, a time or a reason that the query asks for."""
        return bool(
            (self._is_amount and (_has_digit(folded) or _has_number_word(folded)))
            or (self._is_time and _has_date(folded))
            or (self._is_reason and _has_reason(folded))
        )

    def is_defined_in(self, folded: str) -> bool:
        """Return whether the folded text begins with a definition: "a branch in git is ..." for "what is a branch"."""
        if not self._defined:
            return False
        start = _opening(folded).end()  # type: ignore[union-attr]
        return folded.startswith(self._defined, start) and bool(_is_defining(folded, start + len(self._defined)))

    def is_counted_in(self, folded: str) -> bool:
        """Return whether the folded text gives a number of what the query asks to count."""
        return bool(self._count) and any(word.startswith(self._count) for word in _counted_words(folded))

    def byline_certainty(self, folded: str, line: str, units_below_title: int) -> float:
        """Return how surely a unit says who wrote the page or when, 0 to 1.

        `folded` is its folded text, `line` its markdown. `units_below_title` is negative above the title.
        """
        if len(folded) > _MAX_BYLINE:
            return 0.0
        near = 0.4 if 0 <= units_below_title < _MAX_BELOW_TITLE else 0.0
        if self._is_publication and _has_date(folded):
            names_publication = "publi" in folded or "posted" in folded or "updated" in folded
            return near + (0.6 if near or names_publication else 0.1)
        if self._is_author and _links_to_author(line):
            return near + 0.6
        return near + 0.4 if self._is_author and _is_byline(folded) else near


def _asks_for(folded: str, kind: str) -> bool:
    """Return whether the folded query has a phrase of the kind; in scripts with spaces, as whole words."""
    spaced = f" {folded.rstrip(' ?')} "
    return any((phrase if is_unspaced(phrase) else f" {phrase} ") in spaced for phrase in words_of(kind))
