"""What a query asks for. In: the query. Out: its words that tell, the names in it, the kind of answer it wants.

Words that every question has (how, does, the) tell nothing; that an answer to "how many" holds a number does. Both are
tables of the commonest words of the languages that readers ask in.
"""

from __future__ import annotations

from webtool.answers.words import fold, is_unspaced, words
from webtool.lean import patterns

_STOP = frozenset(
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
_STOP_PAIRS = frozenset(
    """
什么 怎么 么样 如何 哪些 哪个 哪里 为什 为何 多少 是否 可以 以及 一个 这个 那个 的是 是什 有哪 请问 是多 几个
です ます ました した する して いる ある こと もの どの どれ どこ なに 何が 何で でし なぜ いつ とは には では
から まで たの のは のが すか か？ ので とき です か。 どう うや よう いく くら らい ですか んで 무엇 엇인 인가
가요 어떤 어떻 떻게 언제 어디 누가 누구 얼마 마나 하나 나요 는가 니까 입니 습니 이다 하는 있는 에서 으로 까지
부터 은가 인지 은 는 이 가 을 를
""".split()
)
_KANA = range(0x3040, 0x3100)

# Characters that are mostly grammar; the others mean something by themselves.
_STOP_CHARACTERS = frozenset(
    "的了是在有和与就不也都很多少几什么怎样哪谁吗呢吧为以可能会要被把从到对这那其之及或个用时間何誰方法上下中大小一二三年月日"
)
_is_ideograph = patterns.compile(f"[{patterns.IDEOGRAPHS}]").match
_MOST_WORDS = 32
_MOST_CHARACTERS = 2000  # of a query that are looked at


def content_words(query: str) -> list[str]:
    """The folded words of the query that tell something, each once, in their order; all of them if none does."""
    folded = fold(query[:_MOST_CHARACTERS])
    found = list(dict.fromkeys(words(folded)))
    telling = [word for word in found if word not in _STOP and word not in _STOP_PAIRS]
    telling = [word for word in telling if len(word) > 1 or word.isdigit() or is_unspaced(word) is not None]
    # A short query may have a character in another pair than the page has: "how long is the river", "river water".
    single = [character for character in dict.fromkeys(folded) if _is_ideograph(character)]
    telling += [character for character in single if character not in _STOP_CHARACTERS and character not in telling]
    return (telling or found)[:_MOST_WORDS]


# Words that fit any subject: they tell a little.
_VAGUE = frozenset(
    """
give gives giving given gave take takes taking taken took make makes making made go goes going gone went come
comes coming came put puts putting keep keeps kept let lets look looks looking see sees seen seem seems use uses
used using thing things way ways kind kinds type types sort part parts case cases someone something anything
anyone everything good better best well much many lot lots most main certain right work works working happen
happens avoid try person people place time times different else without page article say says said mean means
called name author
""".split()
)


def strength(word: str) -> float:
    """How much a word can tell: pairs of kana are mostly grammar, single ideographs parts of words."""
    if word in _VAGUE:
        return 0.6
    if len(word) == 1 and _is_ideograph(word):
        return 0.4
    return 0.4 if len(word) == 2 and all(ord(character) in _KANA for character in word) else 1.0


_IN_NAMES = "_-/$@"  # characters that join words to a name


def names_in(query: str) -> list[str]:
    """Names in the query that are to be found as they are written, folded."""
    found = [fold(name.strip("\"'`(),.?;:!")) for name in query.split() if _is_name(name)]
    return [name for name in found if len(name) > 2][:10]


def is_whole(name: str, text: str) -> bool:
    """Whether the name stands in the text, and not only inside a longer one: /usr/lib in /usr/lib/X11."""
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        after = text[end : end + 2].lstrip(".")[:1]  # a full stop ends a sentence, or goes on in a name
        if not _is_of_name(text[at - 1 : at]) and not _is_of_name(after):
            return True
        at = text.find(name, end)
    return False


def _is_of_name(character: str) -> bool:
    return character.isalnum() or character in _IN_NAMES if character else False


def _is_name(word: str) -> bool:
    inner = word.strip("\"'`(),.?;:!\u201c\u201d")
    if len(inner) < 3 or not inner.isascii():
        return False
    middle = inner[1:-1]
    odd = any(not c.isalnum() and c not in "'" for c in middle) or inner[0] in "-_$@#./"
    return (
        odd
        or (any(map(str.isdigit, inner)) and any(map(str.isalpha, inner)))
        or (not inner[1:].islower() and inner[1:] != inner[1:].lower())
    )


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(" ".join(phrase.split()) for phrase in text.split(","))


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
# A byline says "by", or links to where its author's other pages are.
_is_byline = patterns.compile(
    r"(?:\A|[\s·|•])(?:by|written by|author|authors|posted by|por|von|par|autor|auteur|автор)\b\s*:?"
    "|文/|作者|著者|글쓴이"
).search
_links_to_author = patterns.compile(
    r"(?i)\]\([^()\s]*[/?](?:authors?|writers?|people|contributors?|by|staff|profile)[/=]"
).search
_MAX_BYLINE = 200  # characters; a longer text is not a byline
_NEAR_TITLE = 12  # units behind the title among which bylines and dates stand
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


class Wanted:
    """The kind of answer that a query wants, where it says so."""

    def __init__(self, query: str) -> None:
        folded = fold(query)
        self._amount = _mentions(folded, _AMOUNT)
        self._time = _mentions(folded, _TIME)
        self._reason = _mentions(folded, _REASON)
        self._author = _mentions(folded, _AUTHOR)
        self._published = _mentions(folded, _PUBLISHED)

    def is_answered_by(self, folded: str) -> bool:
        """Whether the folded text has that kind of thing in it."""
        return bool(
            (self._amount and (_has_digit(folded) or _has_number_word(folded)))
            or (self._time and _has_date(folded))
            or (self._reason and _has_reason(folded))
        )

    def is_of_page(self) -> bool:
        """Whether the query asks about the page itself: who wrote it, and when."""
        return self._author or self._published

    def names_it(self, folded: str, line: str, behind_title: int) -> float:
        """How surely a unit tells that, 0 to 1. `line` is its markdown, `behind_title` the units since the title."""
        if len(folded) > _MAX_BYLINE:
            return 0.0
        near = 0.4 if 0 <= behind_title < _NEAR_TITLE else 0.0
        if self._published and _has_date(folded):
            says_so = "publi" in folded or "posted" in folded or "updated" in folded
            return near + (0.6 if near or says_so else 0.1)
        if self._author and _links_to_author(line):
            return near + 0.6
        return near + 0.4 if self._author and _is_byline(folded) else near


def _mentions(folded: str, phrases: tuple[str, ...]) -> bool:
    spaced = f" {folded} "
    return any((phrase if is_unspaced(phrase) else f" {phrase} ") in spaced for phrase in phrases)
