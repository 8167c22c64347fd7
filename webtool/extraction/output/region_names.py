"""Tell the kind of a region by its tag, role, class and id: navigation, footer, comments. In: an element. Out: a word.

Group in receipt.py lists the kinds. In each table of words the first kind that fits counts.
Tests: tests/extraction/output/test_receipt.py
"""

from __future__ import annotations

from webtool.html.elements import role_of
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.memory import Remembered
from webtool.lean.records import NamedTuple

MAX_NAMES = 300  # characters of class and id that are read
_TAGS = {tag: tag for tag in ("aside", "footer", "header", "form")}
_TAGS |= {"nav": "navigation", "menu": "navigation", "dialog": "consent"}
_KINDS = {
    "navigation": "navigation menu menubar", "aside": "complementary", "footer": "contentinfo", "header": "banner",
    "form": "search form", "consent": "dialog alertdialog",
}  # fmt: skip
_ROLES = {role: kind for kind, roles in _KINDS.items() for role in roles.split()}
# By kind, the beginnings of parts of class names and ids: "nav" is in "nav", "main-nav" and "navbar", not in "canvas".
# With a $ it is a whole part: "bio$" is in "bio" and "author-bio", not in "biology".
_WORDS = {
    "consent": "cookie|consent|gdpr|onetrust|privacy-banner|privacy-notice",
    "comments": "comment|disqus|respond|reply|replies",
    "teaser": "related|recommend|teaser|read-next|readnext|more-from|more-stories|also-like|popular|trending|promo|"
    "latest",
    "share": "share|social|follow-us",
    "author": "author|byline|contributor|bio$",
    "form": "newsletter|subscri|sign-up|signup|login|search|contact-form",
    "navigation": "nav|menu|breadcrumb|pagination|pager|toc|table-of-contents|skip|tab$|tabs$",
    "footer": "footer|copyright|legal",
    "header": "header|masthead|top-bar|topbar",
    "aside": "sidebar|widget|aside|rail",
    "advertisement": "ad$|ads$|advert|sponsor|banner",
}
# The words that are asked last, for a region that nothing else names: `<div class="review-card_heading">`. A container
# around it that has no kept block may have them too.
_LAST_WORDS = {
    "reviews": "review|testimonial|rating",
    "faq": "faq",
    "disclaimer": "disclos|disclaim|affiliate",
    "cards": "card|tile|item$",
    "form": "filter|sort|button|btn|cta|modal|popup|paywall|optin|sign|form$|inquiry|cart$|overlay|drawer|dropdown"
    "|select$|toolbar|thank-you",
    "caption": "caption|credit",
    "facts": "meta|date|time|price|badge|tags|tag$|stats|label$|eyebrow",
    "header": "tagline|strapline|site-title|site-description|branding",
    "aside": "sticky|notice|alert|bulletin|announcement|message-bar|callout|note$|notes$",
}
_CAPITAL = patterns.compile(r"(?<=[a-z])(?=[A-Z])")  # where a word begins in "headerStrapline"
_END = r"(?:$|[\s_-])"
_Kinds = list[tuple[str, patterns.GuardedPattern]]


def _patterns(words_of: dict[str, str]) -> _Kinds:
    """Return each kind with a pattern for its words, which is tried only on text that has one of the plain words."""
    compiled: _Kinds = []
    for kind, words in words_of.items():
        plain_words, ends_marked = words.replace("$", ""), words.replace("$", _END)
        compiled.append((kind, patterns.GuardedPattern(plain_words, rf"(?:^|[\s_-])(?:{ends_marked})")))
    return compiled


_NAMES = _patterns(_WORDS)
_LAST_NAMES = _patterns(_LAST_WORDS)


def kind_of(element: Element) -> str:
    """Return the kind of an element by its role, its class and id, or its tag; else ""."""
    attrs = element.attrs
    kind = _ROLES.get(role_of(attrs), "")
    return kind or (attrs and _kinds_named[_names_of(attrs)].kind) or _TAGS.get(element.tag, "")


def _names_of(attrs: dict[str, str]) -> str:
    """Return class and id."""
    names = attrs.get("class", "")
    return f"{names} {attrs['id']}" if "id" in attrs else names


class _Named(NamedTuple):
    """The kind of a region by its class and id."""

    kind: str  # "" for nothing
    is_telling: bool  # they name another kind than header and footer


def _named(names: str) -> _Named:
    names = names.strip()[:MAX_NAMES].lower()  # ignoring case takes three times as long
    kinds = _kinds_in(names, _NAMES)
    return _Named(kinds[0] if kinds else "", not {"header", "footer"}.issuperset(kinds))


def _kinds_in(lower: str, table: _Kinds) -> list[str]:
    """Return the kinds of a table with a word in class and id, given in lower case."""
    return [kind for kind, guarded in table if guarded.might_match(lower) and guarded.pattern.search(lower)]


# Pages repeat their class attributes.
_kinds_named = Remembered(_named)
_last_kinds = Remembered(lambda names: _kinds_in(_CAPITAL.sub("-", names.strip()[:MAX_NAMES]).lower(), _LAST_NAMES))


def last_kind_of(element: Element) -> str:
    """Return the kind by a word that is asked last, or ""."""
    kinds = _last_kinds[_names_of(element.attrs)]
    return kinds[0] if kinds else ""


def is_named(element: Element) -> bool:
    """Return whether an element's kind holds wherever it is. header and footer do not: a card has its own."""
    attrs = element.attrs
    if element.tag in _TAGS and element.tag not in ("header", "footer"):
        return True
    if role_of(attrs) in _ROLES:
        return True
    return bool(attrs) and _kinds_named[_names_of(attrs)].is_telling
