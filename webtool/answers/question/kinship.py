"""Which words of a page answer to a word of a query, and how well. In: a word, a vocabulary. Out: words with a weight.

No dictionary: two words are kin where they differ only in endings that inflect or derive words, in any of the
languages below; where one is a part of the other (compounds, names as programs write them); or where a table says so,
of irregular forms or of general synonyms. The page's vocabulary is asked, so a query of ten words costs ten look-ups,
not a pass.
"""

from __future__ import annotations

from bisect import bisect_left

from webtool.answers.question.synonyms import IRREGULAR, SYNONYMS
from webtool.answers.words import is_unspaced, parts

SAME, INFLECTED, DERIVED, PART, SYNONYM = 1.0, 0.95, 0.6, 0.5, 0.4
_MIN_STEM = 3
_MIN_PART = 4
_MAX_KIN = 60  # words of a page that one word of a query may stand for

# What may follow a common stem: English, then Romance, German, Russian, Indonesian. "" is the bare stem.
_INFLECTIONS = frozenset(
    """
s es e ed d ing y ies ied 's
a o as os i
en er n em et te t st ten
а я ы и у ю е о ой ей ам ям ах ях ами ями ов ев ом ем ию ия ии ие ый ий ая яя ое ее ые его ого ему ому
ым им ых их ую юю ть л ла ло ли ет ют ит ят ешь ишь
""".split()
) | {""}
# Behind three letters only what surely is an ending: "car" and "care" are no kin.
_SHORT_STEMS = (
    frozenset(["", "s", "es", "ed", "ing"]),
    frozenset(["e", "es", "ed", "ing"]),
    frozenset(["y", "ies", "ied"]),
)
_DERIVATIONS = _INFLECTIONS | frozenset(
    """
er or ers ors ion ions ation ations ment ments ly al able ible ive ity ness ance ence ant ent ism ist ful fully
less ating ated ate ates ization ize izes ized isation ise ised ic ical ally iness ier iest th
ar ir ado ada ados adas ido ida ando iendo cion ciones cao mente dad idade zione zioni
eur euse ement tion tions ants ante antes ee ees
ung ungen lich liche lichen keit heit isch ische ig ige igen eren ierung
ение ения ание ания ость ости ный ная ное ные ного ной ных ник ать ить еть ует уют ировать ка ки ок
kan an nya
""".split()
)


class Vocabulary:
    """The distinct words of a page."""

    def __init__(self, words: set[str]) -> None:
        self._words = words
        self._sorted = sorted(words)
        self._joined = "\n".join(["", *self._sorted, ""])

    def kin(self, word: str, *, synonyms: bool = True) -> dict[str, float]:
        """Words of the page that answer to this one, each with its weight in 0 to 1."""
        found: dict[str, float] = {}
        if word in self._words:
            found[word] = SAME
        if len(word) == 1 and is_unspaced(word):
            self._add_holders(word, found)
        elif not word.isdigit() and len(word) > 2:
            self._add_relatives(word, found)
            for piece in parts(word):
                if piece in self._words and len(piece) > 2:
                    found.setdefault(piece, PART)
        if synonyms:
            self._add_meaning(found, IRREGULAR.get(word, ()), INFLECTED, INFLECTED)
            self._add_meaning(found, synonyms_of(word), DERIVED, SYNONYM)
        return found

    def _add_meaning(self, found: dict[str, float], others: tuple[str, ...], least: float, share: float) -> None:
        """Other words that mean about the same, each with its own kin that is at least so near."""
        for other in others:
            for kin, weight in self.kin(other, synonyms=False).items():
                if weight >= least and found.get(kin, 0) < share * weight:
                    found[kin] = share * weight

    def _add_relatives(self, word: str, found: dict[str, float]) -> None:
        """Words with a common beginning that differ only in endings, and words that hold this one."""
        stem = word[: max(_MIN_STEM, len(word) - 4)]
        position = bisect_left(self._sorted, stem)
        while position < len(self._sorted) and self._sorted[position].startswith(stem) and len(found) < _MAX_KIN:
            other = self._sorted[position]
            weight = related(word, other)
            if weight > found.get(other, 0):
                found[other] = weight
            position += 1
        if len(word) >= _MIN_PART:
            self._add_holders(word, found)

    def _add_holders(self, word: str, found: dict[str, float]) -> None:
        base = word[:-1] if word.endswith("s") and len(word) > _MIN_PART + 1 else word
        start = self._joined.find(base)
        while start >= 0 and len(found) < _MAX_KIN:
            begin = self._joined.rfind("\n", 0, start) + 1
            end = self._joined.find("\n", start)
            other = self._joined[begin:end]
            share = len(base) / len(other)
            found.setdefault(other, PART if share >= 0.5 or start == begin or "_" in other else PART * 0.6)
            start = self._joined.find(base, end)


def related(word: str, other: str) -> float:
    """How near two words are whose spelling begins alike: SAME, INFLECTED, DERIVED or 0."""
    if word == other:
        return SAME
    limit = min(len(word), len(other))
    common = 0
    while common < limit and word[common] == other[common]:
        common += 1
    best = 0.0
    # A stem may end before the last common letter: bake, baking; cities, city.
    for stem in (common, common - 1):
        if stem < _MIN_STEM or stem * 2 < limit:
            break
        left, right = word[stem:], other[stem:]
        if stem == _MIN_STEM:
            return INFLECTED if any(left in pair and right in pair for pair in _SHORT_STEMS) else 0.0
        if _undoubled(left, word, stem) in _INFLECTIONS and _undoubled(right, other, stem) in _INFLECTIONS:
            return INFLECTED
        if left in _DERIVATIONS and right in _DERIVATIONS:
            best = DERIVED
    return best


def _undoubled(ending: str, word: str, stem: int) -> str:
    """The ending without the letter that doubles the stem's last: n-ing behind plan."""
    return ending[1:] if ending and ending[0] == word[stem - 1] else ending


def synonyms_of(word: str) -> tuple[str, ...]:
    """Words of about the same meaning, by the table; inflected forms find their base form's."""
    found = SYNONYMS.get(word)
    if found is not None:
        return found
    for ending, base in (
        ("ies", "y"),
        ("es", ""),
        ("s", ""),
        ("ed", ""),
        ("ed", "e"),
        ("ing", ""),
        ("ing", "e"),
        ("d", ""),
    ):
        if word.endswith(ending) and len(word) - len(ending) >= _MIN_STEM:
            found = SYNONYMS.get(word[: -len(ending)] + base)
            if found is not None:
                return found
    return ()
