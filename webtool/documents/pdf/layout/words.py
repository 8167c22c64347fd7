"""Put the letters and words of a PDF page's lines in order. In: runs of lines from left to right. Out: text to read.

A PDF stores right-to-left text as it is seen. A line that runs from right to left is reversed, except the numbers and
Latin words in it. In any other line only the right-to-left parts are reversed. This is Unicode's algorithm (UAX 9) with
one level of embedding.

The end of a line may divide a word. joined() marks these places with _BREAK or _HYPHEN. with_whole_words() decides on
them last, when all words of the document are known.
Tests: tests/documents/pdf/test_layout.py, tests/documents/pdf/test_convert.py
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, groupby
from operator import itemgetter
from unicodedata import normalize

from webtool.lean import patterns
from webtool.lean.patterns import Match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.documents.pdf.layout.paragraphs import Block

Run = tuple[str, str]  # text, and the URL that it links to or ""

_RTL = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_ARABIC_DIGITS = "\u0660-\u0669\u06f0-\u06f9"
_LATIN = "A-Za-z\u00b2\u00b3\u00b9\u2070-\u209c\u00c0-\u024f"
STRONG_RTL = patterns.compile(f"[{_RTL}]")
_is_arabic = patterns.compile("[\u0600-\u065f\u066e-\u06ef\u06fa-\u08ff\ufb50-\ufdff\ufe70-\ufefc]").search
_RTL_RUN = patterns.compile(f"[{_RTL}](?:[^A-Za-z\u00c0-\u024f]*[{_RTL}])?")
_BETWEEN = patterns.compile(f"[^{_RTL}]+|[{_ARABIC_DIGITS}.,:/\u066b\u066c]+")  # stretches without letters of it
_has_latin = patterns.compile(f"[{_LATIN}]").search
_SIGNS = "#$%\u00a2-\u00a5\u00b0\u2030\u20a0-\u20cf"  # of a number: "$25", "40 %" (class ET of UAX 9)
_NUMBER = f"[0-9]+(?:[.,:/][0-9]+)*|[{_ARABIC_DIGITS}]+(?:[.,:/\u066b\u066c][{_ARABIC_DIGITS}]+)*"
_NUMBERS = patterns.compile(_NUMBER)
_NUMBERS_WITH_SIGNS = patterns.compile(f"[{_SIGNS}]*[0-9]+(?:[-+.,:/][0-9]+)*[{_SIGNS}]*|{_NUMBER}")
_WORDS = patterns.compile(f"(?s)[0-9{_LATIN}](?:.*[0-9{_LATIN}{_SIGNS}])?")
_PRESENTED = patterns.compile("[\ufb1d-\ufdff\ufe70-\ufefc]+[\u0591-\u05c7\u064b-\u0652]*")  # presentation forms
_OPENERS, _CLOSERS = "([{<\u00ab", ")]}>\u00bb"
_MIRRORED = str.maketrans(_OPENERS + _CLOSERS, _CLOSERS + _OPENERS)
_STOPS = ".,:;!?،؛؟"
# Scripts without spaces between words, so without Hangul.
CJK = patterns.compile("[\u2e80-\u312f\u3190-\u9fff\uf900-\ufaff\uff00-\uff9f\uffe0-\uffef]")
# Until all words are known, these private-use characters replace the end of a line of Hangul, which may be inside a
# word, and the hyphen at the end of a line, which may belong to the word.
_BREAK = "\ue0f4"
_HYPHEN = "\ue0f5"
_HANGUL = patterns.compile("[가-힣]")
_WORD = patterns.compile(r"[가-힣]+|[^\W\d_]+(?:-[^\W\d_]+)*")
_BROKEN_WORD = patterns.compile(f"([가-힣]+){_BREAK}(?=([가-힣]+))")
_HYPHENATED = patterns.compile(
    rf"(?<![^\W\d_])((?:[^\W\d_]{{1,40}}-){{0,4}}[^\W\d_]+){_HYPHEN}(?=([^\W\d_]+(?:-[^\W\d_]{{1,40}}){{0,4}}))"
)
# Korean particles and endings, which are never words of their own.
_ENDINGS = frozenset(
    "는 을 를 의 에 에서 에서는 에게 에는 에도 와 과 으로 으로는 까지 부터 며 으며 이며 었다 였다 았다 했다 니다 습니다"
    " 라고 이라고 라는 이라는 들은 들을 들의 들이 들에게 이다 하여 되어 이나 이라".split()
)


def joined_by_url(runs: Iterable[Run]) -> list[Run]:
    """Join neighbouring runs that have one URL."""
    return [("".join([text for text, _ in group]), url) for url, group in groupby(runs, key=itemgetter(1))]


def in_reading_order(runs: list[Run]) -> list[Run]:
    """Return runs with right-to-left letters in reading order; the input has letters from left to right."""
    text = "".join([text for text, _ in runs])
    urls = [url for text, url in runs for _ in text]
    if _runs_right_to_left(text):
        letters = _reversed(text, urls)
    else:
        letters = list(zip(text, urls))
        for match in _RTL_RUN.finditer(text):
            start, end = match.span()
            letters[start:end] = _reversed(match.group(), urls[start:end])
    runs = joined_by_url(letters)
    return [(_PRESENTED.sub(lambda match: normalize("NFKC", match.group()), text), url) for text, url in runs]


def _runs_right_to_left(text: str) -> bool:
    """Return whether a line runs from right to left: its end has the full stop, else most letters are of that kind."""
    if text[-1] in _STOPS or text[0] in _STOPS:
        return text[-1] not in _STOPS
    return 2 * len(STRONG_RTL.findall(text)) >= sum(letter.isalpha() for letter in text)


def _reversed(text: str, urls: list[str]) -> list[Run]:
    """Return the letters of right-to-left text reversed, each with its URL; numbers and Latin words stay in order.

    Brackets are mirrored if the text has them as they look: "(" at the left of a word and ")" at its right.
    """
    looks = text if _closes_first(text) else text.translate(_MIRRORED)
    letters = list(zip(looks, urls))[::-1]
    length = len(text)
    for start, end in _left_to_right(text):
        letters[length - end : length - start] = zip(text[start:end], urls[start:end])
    return letters


def _closes_first(text: str) -> bool:
    """Return whether brackets have the letters of reading order, not of their shapes: the first of a pair closes."""
    places = [(text.find(opener), text.find(closer)) for opener, closer in zip(_OPENERS, _CLOSERS)]
    return any(0 <= closer < opener for opener, closer in places)


def _left_to_right(text: str) -> list[tuple[int, int]]:
    """Return where the numbers and Latin words of a text begin and end.

    Latin words with what is between them are one: "Python 3.11". Numbers without Latin words are read from right to
    left one by one. In Hebrew they have their signs ("40%"), after Arabic letters signs are on the other side ("%40").
    """
    numbers = _NUMBERS if _is_arabic(text) else _NUMBERS_WITH_SIGNS
    places = []
    for stretch in _BETWEEN.finditer(text):
        start, end = stretch.span()
        runs = [_WORDS.search(text, start, end)] if _has_latin(text, start, end) else numbers.finditer(text, start, end)
        places += [_with_closers(text, *run.span()) for run in runs if run]
    return places


def _with_closers(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the range with the brackets after it that close one inside it: f(x) is not f(x."""
    for opener, closer in zip(_OPENERS, _CLOSERS):
        if text[end : end + 1] == closer and text.count(opener, start, end) > text.count(closer, start, end):
            return start, end + 1
    return start, end


# --- Words that the end of a line divides ---


def joined(lines: list[list[Run]]) -> list[Run]:
    """Join lines to one paragraph: with spaces, except in Chinese and Japanese; hyphens at line ends become _HYPHEN."""
    result: list[Run] = []
    for runs in lines:
        if not runs:
            continue
        if not result:
            result = list(runs)
            continue
        last, target = result[-1]
        first = runs[0][0]
        # A hyphen after a letter, but not that of "--option-".
        is_hyphen = last[-1:] in ("-", "‐") and last[-2:-1].isalpha() and not last[-4:].startswith("--")
        if last.endswith("\u00ad") or (is_hyphen and first[:1].islower()):
            result[-1] = (last[:-1] + _HYPHEN * is_hyphen, target)
        elif not (CJK.match(last[-1:]) and CJK.match(first[:1])):
            space = _BREAK if _HANGUL.match(last[-1:]) and _HANGUL.match(first[:1]) else " "
            if target in ("", runs[0][1]):  # a link over two lines is one link
                result[-1] = (f"{last}{space}", target)
            else:
                result.append((space, ""))
        result.extend(runs)
    return [(text.replace("\u00ad", ""), url) for text, url in joined_by_url(result)]


def with_whole_words(blocks: list[Block]) -> list[Block]:
    """Replace _BREAK and _HYPHEN according to the words that the document has elsewhere.

    _BREAK is removed if the document has the joined word, or if its second part is an ending; else it becomes a space.
    _HYPHEN becomes a hyphen if the document has the word with a hyphen, or has both parts as words, and never has the
    word without a hyphen; else it is removed: "docu-ment" becomes "document".
    """
    lists_of_runs = [runs for block in blocks for runs in (block.runs, *chain.from_iterable(block.rows or ()))]
    texts = [text for runs in lists_of_runs for text, _ in runs]
    if not any(_BREAK in text or _HYPHEN in text for text in texts):
        return blocks
    words = _whole_words(texts)

    def without_break(match: Match[str]) -> str:
        before, after = match.groups()
        return before if before + after in words or after in _ENDINGS else f"{before} "

    def without_hyphen(match: Match[str]) -> str:
        before, after = match.groups()
        parts = {before.lower().rpartition("-")[2], after.lower().partition("-")[0]}
        is_long = min(map(len, parts)) > 2 or "-" in before + after
        is_compound = f"{before}-{after}".lower() in words or (is_long and parts <= words)
        return f"{before}-" if is_compound and (before + after).lower() not in words else before

    def repaired(runs: list[Run]) -> list[Run]:
        texts = ((_HYPHENATED.sub(without_hyphen, _BROKEN_WORD.sub(without_break, text)), url) for text, url in runs)
        return [(text.replace(_BREAK, " ").replace(_HYPHEN, ""), url) for text, url in texts]

    result = []
    for block in blocks:
        rows = [[repaired(cell) for cell in row] for row in block.rows] if block.rows else block.rows
        result.append(block._replace(runs=repaired(block.runs), rows=rows))
    return result


def _whole_words(texts: list[str]) -> set[str]:
    """Return the words of texts in lower case that no line end divides, and the parts of compounds among them."""
    pieces = [piece for text in texts for piece in text.lower().split()]
    whole = [piece for piece in pieces if _BREAK not in piece and _HYPHEN not in piece]
    words = {word for piece in whole for word in _WORD.findall(piece)}
    words.update([part for word in words if "-" in word for part in word.split("-")])
    return words
