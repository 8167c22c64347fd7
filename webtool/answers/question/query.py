"""Read a query: its content words, the names in it, and the kind of answer it wants. In: the query. Out: these.

Stop words (how, does, the) say nothing about a subject, but some of them say what an answer holds: an answer to "how
many" holds a number. The tables below have the commonest such words of the languages that readers ask in. Their words
are folded as answers.words.fold() does it: lower case, without accents.

Tests: tests/answers/question/test_excerpt.py
"""

from __future__ import annotations

from collections.abc import Callable

from webtool.answers.words import fold, is_unspaced, words
from webtool.lean import patterns

# English, Spanish, German, French, Italian, Portuguese, Russian, Indonesian.
_STOP_WORDS = frozenset(
    """
a an the of to in on at for from by with and or but if then than as is are was were be been being am do does did
done doing have has had having can could will would shall should may might must i you he she it we they me my
your his her its our their them this that these those there here what which who whom whose when where why how
not no nor so such into about between during over under again any some all each both more most other own same
too very just also please tell give find know want need explain describe get got one s t don isn doesn up down
out off until while because upon per via else ever yet still even though although since among within without el
la los las un una unos unas de del al y o en por para con sin que se su sus es son ser fue como cual cuales
quien quienes cuando donde cuanto cuanta cuantos cuantas porque lo le les me mi tu hay esta este estos estas der
die das den dem des ein eine einen einem einer eines und oder aber ist sind war waren wird werden wurde im am zu
zum zur von vom mit fur auf aus bei nach als auch wie was wer wem wen welche welcher welches welchen wann wo
warum man sich es ich du er sie wir ihr kann nicht hat haben in an le les une des du au aux et ou en dans pour
par sur avec sans qui que quoi dont est sont etre ce cet cette ces il elle ils elles on nous vous je se sa son
ses leur quel quelle quels quelles quand comment pourquoi combien n d l qu c s il lo gli uno della delle dei
degli di da per con su che chi come quando dove perche quanto e sono o os as um uma do da dos das no na nos nas
em ao e ou que como quando onde por quem qual quais и в во на с со к ко о об от до для по за из у не что это как
так а но или ли же бы был была было были быть есть кто где когда почему какой какая какое какие каких каков
сколько чем чего тот та то те его ее их он она оно они мы вы я при apakah apa adalah yang dan di ke dari untuk
dengan pada itu ini atau bagaimana mengapa kapan siapa berapa
""".split()
)
# Pairs of characters in scripts without spaces: Chinese, Japanese, Korean.
_STOP_PAIRS = frozenset(
    """
什么 怎么 么样 如何 哪些 哪个 哪里 为什 为何 多少 是否 可以 以及 一个 这个 那个 的是 是什 有哪 请问 是多 几个
です ます ました した する して いる ある こと もの どの どれ どこ なに 何が 何で でし なぜ いつ とは には では
から まで たの のは のが すか か？ ので とき です か。 どう うや よう いく くら らい ですか んで 무엇 엇인 인가
가요 어떤 어떻 떻게 언제 어디 누가 누구 얼마 마나 하나 나요 는가 니까 입니 습니 이다 하는 있는 에서 으로 까지
부터 은가 인지 은 는 이 가 을 를
""".split()
)
# Ideographs that are mostly grammar. The others mean something by themselves.
_STOP_CHARACTERS = frozenset(
    "的了是在有和与就不也都很多少几什么怎样哪谁吗呢吧为以可能会要被把从到对这那其之及或个用时間何誰方法上下中大小一二三年月日"
)
_is_ideograph = patterns.compile(f"[{patterns.IDEOGRAPHS}]").match
_KANA = range(0x3040, 0x3100)
# Words that fit any subject, so that finding them says little.
_VAGUE_WORDS = frozenset(
    """
give gives giving given gave take takes taking taken took make makes making made go goes going gone went come
comes coming came put puts putting keep keeps kept let lets look looks looking see sees seen seem seems use uses
used using thing things way ways kind kinds type types sort part parts case cases someone something anything
anyone everything good better best well much many lot lots most main certain right work works working happen
happens avoid try person people place time times different else without page article say says said mean means
called name author
""".split()
)
# Words of a question for a page's author or date that name nothing on the page.
ABOUT_PAGE = frozenset(
    "article author writer wrote written page post published posted updated date byline name".split()
)
_MAX_WORDS = 32  # content words of a query; the rest is ignored
MAX_CHARACTERS = 2000  # of a query; the rest is ignored


def content_words(query: str) -> list[str]:
    """Return the folded words of the query without stop words, each once, in their order: "the harbour" -> ["harbour"].

    Returns all words if every one is a stop word.
    """
    folded = fold(query[:MAX_CHARACTERS])
    all_words = list(dict.fromkeys(words(folded)))
    content = [word for word in all_words if word not in _STOP_WORDS and word not in _STOP_PAIRS]
    content = [word for word in content if len(word) > 1 or word.isdigit() or is_unspaced(word) is not None]
    # The page may have a character of the query in another pair: "how long is the river", "river water".
    ideographs = [character for character in dict.fromkeys(folded) if _is_ideograph(character)]
    content += [character for character in ideographs if character not in _STOP_CHARACTERS and character not in content]
    return (content or all_words)[:_MAX_WORDS]


def strength(word: str) -> float:
    """Return how much finding a word says, 0.25 to 1: vague words and pieces of scripts without spaces say less.

    A word of four ideographs is three pairs and four single ideographs.
    """
    if word in _VAGUE_WORDS:
        return 0.6
    if not is_unspaced(word):
        return 1.0
    if len(word) == 1:
        return 0.25
    return 0.4 if all(ord(character) in _KANA for character in word) else 0.65


_MIN_NAME = 3  # characters
_MAX_NAMES = 10  # names of a query; the rest is ignored


def names_in(query: str) -> list[str]:
    """Return the names of programs, files, flags and versions in the query, folded: "is os.path" -> ["os.path"]."""
    names = [fold(word.strip("\"'`(),.?;:!")) for word in query.split() if is_name(word)]
    return [name for name in names if len(name) >= _MIN_NAME][:_MAX_NAMES]


def is_name(word: str) -> bool:
    """Return whether a word looks like a name: os.path, --flag, utf8, camelCase, HTTP."""
    inner = word.strip("\"'`(),.?;:!\u201c\u201d")
    if len(inner) < _MIN_NAME or not inner.isascii():
        return False
    has_symbol = inner[0] in "-_$@#./" or any(not c.isalnum() and c != "'" for c in inner[1:-1])
    has_letters_and_digits = any(map(str.isdigit, inner)) and any(map(str.isalpha, inner))
    has_inner_capital = not inner[1:].islower() and inner[1:] != inner[1:].lower()
    return has_symbol or has_letters_and_digits or has_inner_capital


def _phrases(text: str) -> tuple[str, ...]:
    """Return the phrases of a list with commas."""
    return tuple(" ".join(phrase.split()) for phrase in text.split(","))


# Phrases that ask for a number, a time, a reason, the page's author, the page's date.
_AMOUNT = _phrases(
    """what age, what income, what percentage, what rate, what distance, what temperature, how many, how much,
    how long, how old, how far, how big, how large, how tall, how high, how often, how late, how early, how fast,
    how heavy, what share, percent, number of, amount, price, cost, size, limit, maximum, minimum, cuanto, cuanta,
    precio, wie viel, wie lang, wie alt, wie hoch, wie gross, wie oft, wie weit, combien, prix, сколько, какова,
    цена, стоимость, 多少, 几, 多长, 多大, 多久, 价格, いくつ, いくら, 何人, 何年, 何分, 何時, どのくらい,
    どれくらい, 몇, 얼마, berapa"""
)
_TIME = _phrases(
    """when, what year, which year, what date, since, until, deadline, cuando, que ano, fecha, wann, welchem jahr,
    quand, quelle annee, date, когда, каком году, дата, 什么时候, 何时, 哪一年, 哪年, いつ, 何年, 언제, 몇 년,
    kapan"""
)
_REASON = _phrases(
    """why, reason, por que, warum, wieso, pourquoi, почему, зачем, 为什么, 为何, なぜ, どうして, 왜, mengapa, kenapa"""
)
_AUTHOR = _phrases(
    """who wrote, who is the author, who are the authors, who is the writer, author of, authors of, written by whom,
    by whom, byline, who posted, who published, name of the author, quien escribio, autor de, autora de, wer schrieb,
    autor des, autorin, verfasser, qui a ecrit, auteur de, кто написал, автор статьи,
    谁写, 作者, 誰が書, 著者, 누가 썼, 저자"""
)
_PUBLISHED = _phrases(
    """published, posted, last updated, last modified, publication date, date of publication, date of the article,
    how old is this, fecha de publicacion, publicado, veroffentlicht, publie, опубликован,
    опубликована, 发布, 发表, 公開日, 게시"""
)
# A byline begins with "by", or links to a page about its author.
_is_byline = patterns.compile(
    r"(?:\A|[\s·|•])(?:by|written by|author|authors|posted by|por|von|par|autor|auteur|автор)\b\s*:?"
    "|文/|作者|著者|글쓴이"
).search
_links_to_author = patterns.compile(
    r"(?i)\]\([^()\s]*[/?](?:authors?|writers?|people|contributors?|by|staff|profile)[/=]"
).search
_has_digit = patterns.compile(r"\d").search
_has_number_word = patterns.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|hundred|thousand|million|once|twice|half|third|quarter|dozen|every)\b"
).search
_has_date = patterns.compile(
    r"\b(?:1[5-9]|20)\d\d\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d|\d{1,2}[:/.]\d\d"
    "|[年月日년월일]"
).search
_has_reason = patterns.compile(
    r"\b(?:because|since|due to|so that|reason|in order|weil|denn|porque|parce que|car|потому|так как)\b"
    "|因为|由于|ため|から|때문"
).search
_counted_thing = patterns.compile(
    r"\b(?:how many|number of|cuant[oa]s|combien de|wie viele|quant[ie]|quant[oa]s|сколько)\s+(\w{3,})"
).search
_counted_words = patterns.compile(r"\d\+?\s+(\w{3,})").findall
# Words that ask for a value of a kind, and how such values look in folded text: "weight" -> "180 g".
_VALUES = tuple(
    (frozenset(asking.split()), patterns.compile(value).search)
    for asking, value in (
        (
            """price prices priced cost costs fee fees pay paid charge expensive cheap precio cuesta preis kostet
            prix coute prezzo preco цена стоимость стоит 价格 価格 値段 가격 harga""",
            r"[$€£¥₹₩₽]\s?\d|\d\s?(?:[$€£¥₹₽円元원]|(?:usd|eur|gbp|chf|euros?|dollars?|pounds?|kr|zł|kc|руб)\b)",
        ),
        (
            """weight weigh weighs heavy light peso pesa gewicht wiegt schwer poids pese вес весит 重量 重さ 무게
            berat""",
            r"\d\s?(?:(?:k?g|grams?|kilos?|kilograms?|lbs?|oz|pounds?|ounces?|tons?|tonnes?|кг|г)\b|[克斤])",
        ),
        (
            """length height width depth size dimensions long tall wide high deep thick diameter distance far altitude
            tamano altura ancho grosse hohe breite lange taille hauteur largeur размер высота ширина длина 尺寸 高さ
            크기""",
            r"\d\s?(?:(?:[mck]?m|in|inch|inches|ft|feet|foot|yards?|miles?|met(?:er|re)s?|мм|см|м|км)\b|[\"″'′×])",
        ),
        (
            "memory storage capacity ram disk space size big large buffer",
            r"\d\s?(?:[kmgtp]i?b|bytes?|(?:kilo|mega|giga)bytes?|mah|l|lit(?:er|re)s?|ml)\b",
        ),
        (
            "long duration time timeout last lasts takes delay interval period battery dauer dauert duree duracion",
            r"\d\s?(?:ms|s|secs?|seconds?|min|mins|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?|stunden|heures)\b",
        ),
        (
            "phone telephone tel call ring fax telefono telefon telefonnummer телефон 电话 電話 전화",
            r"\d[\d ()/.-]{6,}\d",
        ),
        ("email mail correo courriel contact", r"\w@\w"),
        (
            "percent percentage share rate proportion prozent pourcentage porcentaje процент",
            r"\d\s?(?:%|percent|prozent)",
        ),
        ("temperature temperatur warm hot cold", r"\d\s?(?:°|℃|degrees\b|grad\b)"),
        ("hours open opens opening closing horario offnungszeiten horaires", r"\d\s?(?:[ap]\.?m\b|uhr)|\d:\d\d"),
        ("website url link homepage", r"https?://|www\."),
    )
)
_MAX_BYLINE = 200  # characters; a longer text is not a byline
_MAX_BELOW_TITLE = 12  # units; a byline or date of publication further down is less likely


_asks_definition = patterns.compile(
    r"(?:what(?: is| are|'s)|what does|define|definition of|meaning of|was (?:ist|sind)|qu'est[- ]ce que?|que es"
    r"|cos'e|o que e|что такое) +(?:(?:an?|the|eine?|un[ae]?|l[ae]|el) )?(\w[^?]{1,40}?)(?: mean)?[ ?]*\Z"
).match
_opening = patterns.compile(r"\W*(?:(?:an?|the|eine?|un[ae]?|l[ae]|el) )?").match
_is_defining = patterns.compile(
    r"s?[^.;:!?\w]{0,3}(?:in [^.;:!?]{0,20}|\([^()]{0,30}\) )?"
    r"(?:(?:is|are|means?|refers? to|denotes?|ist|sind|est|es|son|e) |[—–:]|- |это )"
).match


def value_searches(word: str) -> list[Callable[[str], object]]:
    """Return searches for the values that a word asks for: "size" for 30 cm, and for 4 GB; [] for most words."""
    return [search for asking, search in _VALUES if word in asking]


class AnswerKind:
    """The kind of answer that a query asks for: an amount, a time, a reason, a definition, an author or a date."""

    def __init__(self, query: str) -> None:
        folded = fold(query)
        self._is_amount = _has_phrase(folded, _AMOUNT)
        self._is_time = _has_phrase(folded, _TIME)
        counted = _counted_thing(folded)
        self._count = counted[1].rstrip("s") if counted else ""
        self._is_reason = _has_phrase(folded, _REASON)
        self._is_author = _has_phrase(folded, _AUTHOR)
        self._is_publication = _has_phrase(folded, _PUBLISHED)
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

    def is_about_page(self) -> bool:
        """Return whether the query asks who wrote the page, or when."""
        return self._is_author or self._is_publication

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


def _has_phrase(folded: str, phrases: tuple[str, ...]) -> bool:
    """Return whether the folded text has one of the phrases; in scripts with spaces, as whole words."""
    spaced = f" {folded} "
    return any((phrase if is_unspaced(phrase) else f" {phrase} ") in spaced for phrase in phrases)
