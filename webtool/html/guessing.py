"""Guess the encoding of bytes that declare none and are not UTF-8.

In: bytes. Out: an encoding's name, or None if the bytes look like Western European text or like no text at all.

Each language of letters.txt, in each of its encodings, gives the text a probability: how often the language uses its
letters, and where. The bytes CF F0 E8 E2 E5 F2 are "Привет" in windows-1251, frequent letters after one capital; in
windows-1252 they are "Ïðèâåò", six rare letters in a row; in KOI8-R "оПХБЕР", a small letter before capitals. The most
probable encoding is returned, if it is clearly more probable than windows-1252. A score is a sum of natural logarithms
of probabilities, so it is negative, and a higher score is better. An ASCII character that is not part of a longer
sequence adds 0 in every encoding. "Beyond ASCII" means bytes of 0x80 or more.

Costs a search through the bytes, and about 10 ms for at most MAX_SAMPLE bytes of text.
Spec: the Encoding Standard leaves the guess to the reader of the bytes (the HTML Standard, 13.2.3.2, step 8).
"""

from __future__ import annotations

import math
from collections import Counter

from webtool.html.decoding import CODECS
from webtool.lean import datafiles, patterns

MAX_SAMPLE = 4000  # bytes of a page that are judged
_MAX_WORD = 1500  # bytes of one word (in Chinese: of one paragraph) that are judged
_MIN_LEAD = 9.0  # the best score must be this much above the score of windows-1252
_MIN_LATIN_LEAD = 12.0  # this much for encodings of Latin letters, which share most letters with windows-1252
_MIN_MEAN = -5.6  # a lower mean score for each byte beyond ASCII means that the bytes are not text in that encoding
_MAX_BAD_SHARE = 0.02  # damaged UTF-8 may have this many bad sequences for each good one
_MIN_UTF8 = 20  # damaged UTF-8 with fewer characters beyond ASCII is not recognised

# A character beyond ASCII with its second byte, which is 0x40 or more in two-byte encodings.
_words = patterns.compile(rb"[\x80-\xff][\x40-\xff]*").finditer

_Groups = list[tuple[float, str]]  # groups of letters with their share of a text
# Two-byte encoding: a codec of its basic set, and the lead bytes of the characters in daily use there.
_BASIC = {
    "gbk": ("gb2312", 0xB0, 0xD7),
    "big5": ("big5", 0xA4, 0xC6),
    "shift_jis": ("euc_jp", 0xB0, 0xCF),
    "euc-jp": ("euc_jp", 0xB0, 0xCF),
    "euc-kr": ("euc_kr", 0xB0, 0xC8),
}

# Scores of one character in a two-byte encoding.
_BAD = -14.0  # a byte sequence without a character, a control character
_SWALLOWED = 3.5  # an ASCII letter that another encoding takes for a letter, here part of a two-byte character
_CJK_COMMA = -3.0  # one of the two or three most frequent punctuation marks
_CJK_PUNCTUATION = -5.5
_FULL_WIDTH = -7.5  # a Latin letter or digit in the width of an ideograph
_HALF_WIDTH = -8.5  # katakana of one byte
_BASIC_LETTER = -9.3  # a character in daily use that letters.txt does not list
_RARE_LETTER = -13.0  # a character of the basic set beyond those
_OTHER_LETTER = -16.0  # a character beyond the basic set
_SYMBOL = -10.0

# Scores that a character in a single-byte encoding adds.
_CAPITAL = -2.5  # a capital letter: added to the score of the small letter
_CAPITAL_INSIDE = -6.0  # a capital after a small letter: "оПХБЕР"
_LATIN_NEIGHBOUR = -3.2  # two letters beyond ASCII in a row, in a language of Latin letters: "créée"
_LATIN_START = -1.2  # a word that begins with a letter beyond ASCII, in such a language
_MIXED_SCRIPTS = -6.0  # a Cyrillic letter beside an ASCII letter
_FOREIGN_LETTER = -9.0  # a letter that the language does not have
_TYPOGRAPHY = -1.5  # quotation marks, dashes, the no-break space, the copyright sign
_MARK = -6.5  # other signs
_MARK_IN_WORD = -4.0  # a sign directly after or before a letter, where no word has one: "p³ywa"

# Encodings that few texts have: this is subtracted from their score.
_UNUSUAL = {"x-mac-cyrillic": 7.0, "ibm866": 2.0, "iso-8859-5": 2.0, "koi8-u": 2.0, "iso-8859-7": 2.0}

_COMMAS = frozenset("、。，")
_PUNCTUATION = frozenset("．・：；？！「」『』（）【】《》〈〉“”‘’—…～ー　·〜－／％")
_TYPOGRAPHIC = frozenset("“”„‘’‚«»–—…•·°©®™€£¹²³½¼×±\u00a0§№")
_BEFORE_WORDS = frozenset("“„‘‚«»¡¿©§£№–—•·’\u00a0°")  # signs that may come directly before a letter
_AFTER_WORDS = frozenset("”“’‘«»…®™¹²³ªº–—·©•\u00a0°")  # and directly after one
_table: list[tuple[list[str], _Groups]] = []  # the lines of letters.txt


def guess(data: bytes) -> str | None:
    """Return the most probable encoding, or None if nothing is clearly more probable than windows-1252.

    `data` is not valid UTF-8, or all ASCII.
    """
    if b"\x1b$" in data and data.isascii():
        return "iso-2022-jp" if _is_iso_2022_jp(data) else None
    if _is_nearly_utf_8(data):
        return "utf-8"
    sample = _sample(data)
    if not sample:
        return None
    scores: dict[str, float] = {}
    latin: set[str] = set()
    places = _Places(sample)
    for names, groups in _languages():
        for name in names:
            if name in _BASIC:
                score = _score_of_characters(sample, name, groups)
            else:
                letters = groups[0][1]
                score = _score_of_letters(places, name, letters) - _UNUSUAL.get(name, 0.0)
                if _is_latin(letters):
                    latin.add(name)
            scores[name] = max(score, scores.get(name, -math.inf))
    return _best(scores, latin, sum(byte >= 0x80 for byte in sample))


def _best(scores: dict[str, float], latin: set[str], size: int) -> str | None:
    """Return the encoding with the highest score, if it is high enough and far enough above windows-1252."""
    name = max(scores, key=scores.__getitem__)
    lead = scores[name] - scores["windows-1252"]
    if scores[name] < _MIN_MEAN * size or lead < (_MIN_LATIN_LEAD if name in latin else _MIN_LEAD):
        return None
    return name


def _is_iso_2022_jp(data: bytes) -> bool:
    """Whether ASCII bytes with escape sequences are Japanese: kana between `ESC $ B` and `ESC ( B`."""
    text = data[: MAX_SAMPLE * 4].decode(CODECS["iso-2022-jp"], "replace")
    return "\ufffd" not in text[:-2] and sum("\u3041" <= char <= "\u30fe" for char in text) > 1


def _is_nearly_utf_8(data: bytes) -> bool:
    """Whether the bytes are UTF-8 with a few damaged places, such as a name that a database cut."""
    text = data.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    if bad > len(data) * _MAX_BAD_SHARE:
        return False
    good = len(data) - len(text)  # each character beyond ASCII has at least one byte more than characters
    return good >= _MIN_UTF8 and bad <= good * _MAX_BAD_SHARE


def _sample(data: bytes) -> bytes:
    """Return words with bytes beyond ASCII, each with the byte before it, up to MAX_SAMPLE bytes."""
    parts = []
    size = 0
    for match in _words(data):
        start = match.start()
        part = data[max(0, start - 1) : min(match.end(), start + _MAX_WORD) + 1]
        parts.append(part)
        size += len(part)
        if size >= MAX_SAMPLE:
            break
    return b" ".join(parts)


def _languages() -> list[tuple[list[str], _Groups]]:
    """Return the lines of letters.txt: encodings, and groups of letters with their share of a text (0 to 1)."""
    if not _table:
        for line in datafiles.read(__name__, "letters.txt").decode("utf-8").splitlines():
            if not line.startswith("#"):
                _, names, *texts = line.split()
                groups = []
                for text in texts:
                    letters = text.lstrip("0123456789")
                    groups.append((int(text[: len(text) - len(letters)] or "100") / 100, letters))
                _table.append((names.split(","), groups))
    return _table


def _score_of_characters(sample: bytes, name: str, groups: _Groups) -> float:
    """Return the logarithm of the probability of a text in a two-byte encoding."""
    text = sample.decode(CODECS.get(name, name), "replace")
    logs: dict[str, float] = {}
    for share, letters in groups:
        value = math.log(share / len(letters))
        for letter in letters:
            logs.setdefault(letter, value)
    score = _SWALLOWED * (sum(byte < 0x80 for byte in sample) - sum(char < "\x80" for char in text))
    for char, count in Counter(text).items():
        if char >= "\x80":
            score += count * (logs[char] if char in logs else _log_of_other(char, name))
    return score


def _log_of_other(char: str, name: str) -> float:
    """Return the logarithm of the probability of a character that letters.txt does not list."""
    if char in _COMMAS:
        return _CJK_COMMA if name != "euc-kr" else _CJK_PUNCTUATION - 2
    if char in _PUNCTUATION:
        return _CJK_PUNCTUATION if name != "euc-kr" else _CJK_PUNCTUATION - 2
    if char < "\xa0" or char == "\ufffd" or "\ue000" <= char < "\uf900":
        return _BAD
    if "\uff01" <= char <= "\uff5e":
        return _FULL_WIDTH
    if "\uff61" <= char <= "\uff9f":
        return _HALF_WIDTH
    codec, first, last = _BASIC[name]
    code = char.encode(codec, "replace")
    if len(code) != 2:
        return _OTHER_LETTER
    if first <= code[0] <= last:
        return _BASIC_LETTER
    return _RARE_LETTER if code[0] > last else _SYMBOL


def _is_latin(letters: str) -> bool:
    return letters[0] < "\u0250"


def _score_of_letters(places: _Places, name: str, letters: str) -> float:
    """Return the logarithm of the probability of a text in a single-byte encoding.

    `letters` are those of the language, the most frequent first.
    """
    count = len(letters)
    logs = {letter: 1.2 - math.log(count) - 3.3 * rank / count for rank, letter in enumerate(letters)}
    chars = _characters(name)
    score = places.score(name, is_latin=_is_latin(letters))
    for byte, number in places.bytes.items():
        score += number * _log_of_char(chars[byte], logs)
    return score


def _characters(name: str) -> str:
    """Return the characters of the 256 bytes of a single-byte encoding."""
    return bytes(range(0x100)).decode(CODECS.get(name, name), "replace")


class _Places:
    """Scores the places of the bytes beyond ASCII in a sample: which byte is before each, which one after it."""

    def __init__(self, sample: bytes) -> None:
        self.bytes = Counter(byte for byte in sample if byte >= 0x80)
        self._pairs = Counter(zip(b" " + sample, sample))
        self._scores: dict[tuple[str, bool], float] = {}  # encoding, Latin or not -> score

    def score(self, name: str, *, is_latin: bool) -> float:
        """Return the score of the places of all characters in an encoding, for a language with Latin letters or not."""
        key = name, is_latin
        if key not in self._scores:
            chars = _characters(name)
            score = 0.0
            for (before, byte), number in self._pairs.items():
                if byte >= 0x80:
                    score += number * _log_of_place(chars[before], chars[byte], is_latin)
                elif before >= 0x80:
                    score += number * _log_of_end(chars[before], chars[byte], is_latin)
            self._scores[key] = score
        return self._scores[key]


def _log_of_char(char: str, logs: dict[str, float]) -> float:
    """Return the logarithm of the probability of one character, wherever it is."""
    if char < "\x80":
        return 0.0
    if char in logs:
        return logs[char]
    small = char.lower()
    if small in logs:
        return logs[small] + _CAPITAL
    if char < "\xa0" or char == "\ufffd":
        return _BAD
    if char.isalpha() and char not in "ªº":
        return _FOREIGN_LETTER
    return _TYPOGRAPHY if char in _TYPOGRAPHIC else _MARK


def _is_letter(char: str) -> bool:
    return (char.isalpha() and char not in "ªº") or "\u0e30" <= char <= "\u0e4e"


def _log_of_place(before: str, char: str, is_latin: bool) -> float:
    """Return the score of a character beyond ASCII for its place after the character `before`."""
    follows_letter = _is_letter(before)
    if not _is_letter(char):
        return _MARK_IN_WORD if follows_letter and char not in _AFTER_WORDS else 0.0
    if not follows_letter:
        is_odd = before >= "\x80" and (before not in _BEFORE_WORDS or (before == "’" and not is_latin))
        return (_MARK_IN_WORD if is_odd else 0.0) + (_LATIN_START if is_latin else 0.0)
    score = 0.0
    if before < "\x80":
        score = 0.0 if is_latin else _MIXED_SCRIPTS
    elif is_latin and before != char:  # Finnish doubles vowels: "pää"
        score = _LATIN_NEIGHBOUR
    if char.isupper() and before.islower():
        return score + _CAPITAL_INSIDE
    if char.isupper() and before.isupper():
        return score - _CAPITAL / 2  # in a word of capitals the next capital is likely
    return score


def _log_of_end(before: str, char: str, is_latin: bool) -> float:
    """Return the score of an ASCII character for its place after a character beyond ASCII."""
    if not char.isalpha():
        return 0.0
    if not _is_letter(before):
        return 0.0 if before in _BEFORE_WORDS else _MARK_IN_WORD
    score = 0.0 if is_latin else _MIXED_SCRIPTS
    return score + (_CAPITAL_INSIDE if char.isupper() and before.islower() else 0.0)
