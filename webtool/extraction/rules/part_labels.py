"""Recognise the labels of parts of a page that are not its text, in the languages that pages are written in.

In: a short text. Out: whether it is a label of links to other articles, of an author box, of comments, of buttons that
share a page. The words are in webtool/extraction/labels/*.txt; each pattern names the files it takes them from and adds
what may be around the words. TEASER to REVIEWS are for fullmatch() on folded() texts, CREDIT is for fullmatch(), ASKING
for search() on folded() texts, the others for search().
Tests: tests/extraction/rules/test_part_labels.py
"""

from __future__ import annotations

from webtool.extraction import labels
from webtool.lean import patterns
from webtool.lean.memory import Remembered
from webtool.lean.patterns import Pattern


def _whole(*kinds: str) -> Pattern[str]:
    """Compile a pattern for texts that are a phrase of these kinds and nothing else but marks around it."""
    return patterns.compile(rf"\W*(?:{labels.any_of(*kinds)})\W*")


def folded(text: str) -> str:
    """Return the text in lower case; the lower case of \u0130 is i, without the dot that Python adds.

    Folding once takes a third of the time of patterns that ignore case.
    """
    return text.lower().replace("i\u0307", "i")


TEASER = _whole("read_also", "most_read", "next_article")  # "Read also": a list of links to other articles follows
AUTHOR = _whole("about_author")  # "About the author"
_COUNTED = rf"(?:\d+ ?)?(?:{labels.any_of('comments')})(?: ?\(?\d+\)?)?"
COMMENTS = patterns.compile(rf"\W*(?:{labels.any_of('comment_prompts')}|{_COUNTED})\W*")  # "12 Kommentare"
SERVICE = _whole(
    "advertisement", "share", "reading_time", "was_it_helpful", "cart", "page_tools", "reply"
)  # "Share on Facebook": a button, a counter, or a note about the page
CALL = _whole("support")  # "Subscribe now"
ACCEPT = _whole("accept_cookies")  # "Accept all"
PRODUCTS = _whole("products")  # "Customers also bought"
REVIEWS = _whole("reviews")  # "Customer reviews (12)"

# A line that is the credit of a picture, for fullmatch(): "Photo: Ann Lee".
CREDIT = patterns.compile(
    rf"(?i)\W*(?:{labels.any_of('photo_credit')})"
    r"(?: (?:credits?|source|courtesy|by|crédits?|de|von|di))?\W{0,2}[:：=|/©](?! ?\d).{1,80}"
)
# A credit at the end of a caption: "The harbour at dawn (photo: Ann Lee)", "港口。張三攝".
_PHOTOGRAPHER = r"(?:撮影|提供)[)）]?$|[\u4e00-\u9fff]{2,12}\s?(?:摄[)）]?|攝[)）]?)$"
CREDITED = patterns.GuardedPattern(
    labels.needed_words("photo_credit_at_end") + "|撮影|提供|摄|攝",
    rf"(?i)(?:[\u2014\u2013|(\uff08=\uff1d]\s*|[.\u3002\u300d\"\u201d] )(?:{labels.any_of('photo_credit_at_end')})"
    r"(?:graf\w*|s)?(?:\W{0,2}[:=\uff1a](?! ?\d)| (?:by|courtesy|von)\b).{2,50}$|" + _PHOTOGRAPHER,
)
MAX_LINE = 220  # characters; a longer line is not a request to follow a site, a note of rights or a caption's credit

_NETWORKS = labels.all_words("networks")
_FOLLOWING = patterns.compile(f"(?i){labels.any_of('follow_us')}")  # "Follow us on Instagram"
_RIGHTS = patterns.GuardedPattern(
    labels.needed_words("rights"), f"(?i){labels.any_of('rights')}"
)  # "All rights reserved"
# "The views expressed here are the author's own."
DISCLAIMER = patterns.GuardedPattern(labels.needed_words("disclaimer"), rf"(?i)^\W*(?:{labels.any_of('disclaimer')})")
MAX_DISCLAIMER = 400  # characters; a longer block is text, whatever it says
# A correction notice: "An earlier version of this article ...", "Correction: ...".
AMENDED = patterns.GuardedPattern(
    labels.needed_words("earlier_version", "correction"),
    rf"(?i)^\W*(?:{labels.any_of('earlier_version')}|(?:{labels.any_of('correction')})\b[^:.]{{0,40}}[:：】])",
)
# What scripts turn into a calendar entry: "2026-05-01 18:00 2026-05-01 20:00 Europe/Berlin", or a time zone alone.
_TIME = r"(?:\d{4}-\d\d-\d\d|\d{1,2}[/.]\d{1,2}[/.]\d{4})[T ]+\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?"
_ZONE = r"(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)/[A-Z]\w+"
CALENDAR = patterns.GuardedPattern("/", rf"(?i:^\W*{_TIME}.{{0,40}}{_TIME}.{{0,40}}){_ZONE}|^\W*{_ZONE}\W*$")

# A request for an address or money, anywhere in a few folded() lines: "Sign up for our newsletter".
ASKING = patterns.GuardedPattern(labels.needed_words("asking"), labels.any_of("asking"))


def _is_service(text: str) -> bool:
    """Work out IS_SERVICE[text]."""
    if SERVICE.fullmatch(folded(text[:200])) or CREDIT.fullmatch(text[:160]) or CALENDAR.search(text[:300]):
        return True
    if len(text) > MAX_LINE:
        return False
    lower = text.lower()
    for guarded in (_RIGHTS, CREDITED):
        if guarded.might_match(lower) and guarded.pattern.search(text):
            return True
    networks = [name for name in _NETWORKS if name in lower]
    is_row_of_names = len(networks) > 2 and "," not in text and text.count(" ") < 4 * len(networks)  # where to share
    return is_row_of_names or bool(networks and _FOLLOWING.search(text))


# IS_SERVICE[line]: whether a line is a button, a request to follow the site, a note of rights, a picture's credit, or a
# calendar entry. Sites and lists repeat these lines.
IS_SERVICE = Remembered(_is_service)


_LABELS = (("call", CALL), ("teaser", TEASER), ("author", AUTHOR), ("comments", COMMENTS))


def _label(text: str) -> str:
    """Work out LABEL[text]."""
    text = folded(text)
    return next((name for name, pattern in _LABELS if pattern.fullmatch(text)), "")


LABEL = Remembered(_label)  # LABEL[text]: what a short text is the label of: call, teaser, author, comments, or ""
