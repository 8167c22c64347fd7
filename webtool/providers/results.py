"""What is asked of a provider and what it gives: Query, Account, SearchResult, Page; the cleaning of their texts.

In: members of a provider's answer, as text or as HTML. Out: records with plain text. Texts come from strangers: control
characters and invisible ones that could steer a terminal or a reader are taken out here, once, for all providers.
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool.errors import InvalidArgument
from webtool.html.charrefs import decode_text
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

NO_OPTIONS: Mapping[str, object] = {}
MAX_TITLE = 500
MAX_DESCRIPTION = 2000
MAX_URL = 8000
MAX_EXTRA_SNIPPETS = 10


class Query(NamedTuple):
    """One search. `limit` is how many results are wanted; `options` what not every provider has, as given."""

    text: str
    limit: int
    allowed_domains: tuple[str, ...] = ()
    blocked_domains: tuple[str, ...] = ()
    options: Mapping[str, object] = NO_OPTIONS


class Account(NamedTuple):
    """Where to ask, and as whom. `key` and `headers` are secret; `setting` is the name of the endpoint's setting."""

    endpoint: str
    key: str = ""
    engine_id: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    setting: str = ""


class SearchResult(NamedTuple):
    """One result: plain texts, an absolute http(s) URL, the date as ISO 8601 in UTC or None where it is not known."""

    title: str
    url: str
    description: str
    published_date: str | None = None
    extra_snippets: tuple[str, ...] = ()


def require_length(text: str, most: int, provider: str) -> None:
    """Raises InvalidArgument for a query of more characters than the provider takes."""
    if len(text) > most:
        hint = f"{provider} takes at most {most}: shorten the query."
        raise InvalidArgument(f"query has {len(text)} characters", hint=hint)


def unknown_hint(status: int, setting: str) -> str:
    """What to do about an error that no documentation names."""
    return "Try again in a while." if status >= 500 else f"Check {setting}, or search with another provider."


def age_limit(query: Query, names: Mapping[str, str], provider: str) -> str:
    """The provider's own name for `freshness`, "" for none. Raises InvalidArgument for a range of days."""
    wanted = str(query.options.get("freshness") or "")
    if wanted and wanted not in names:
        raise InvalidArgument(
            f"freshness is {wanted}; {provider} takes no range of days", hint=f"Use one of: {', '.join(names)}."
        )
    return names.get(wanted, "")


class Page(NamedTuple):
    """One answer. `next` is what the engine's request() takes to ask for the page after this one, None at the end."""

    results: list[SearchResult]
    next: object = None
    request_id: str | None = None
    altered: str | None = None
    notes: tuple[str, ...] = ()


# Tags only: "a < b" and "vector<int>" in encoded text are no markup. Each "<" is scanned to the next one at most.
_TAG = patterns.compile(r"</?[A-Za-z][^<>]*>|<!--[^<>]*-->")
# C0 and C1 controls, soft hyphen, bidirectional embeddings, overrides and isolates, zero-width space, word joiner and
# invisible operators, byte order mark, interlinear marks, tag characters, lone surrogates. Joiners (U+200C, U+200D) and
# the plain directional marks stay: scripts and emoji need them.
_UNSEEN = patterns.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u200b\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)


# User information of a URL (RFC 3986 section 3.2.1): nobody asked for a stranger's name and password.
_USER_INFO = patterns.compile(r"(?<=://)[^/?#\\]*@")


def plain(text: object, limit: int = MAX_DESCRIPTION) -> str:
    """Plain text on one line, cut at a word past `limit` characters; anything but a string is not text."""
    if not isinstance(text, str):
        return ""
    line = " ".join(_UNSEEN.sub("", text[: 8 * limit]).split())
    if len(line) <= limit:
        return line
    head = line[: limit - 1]
    space = head.rfind(" ", limit - 80)
    return f"{head[:space] if space > 0 else head}…"


def plain_from_html(text: object, limit: int = MAX_DESCRIPTION) -> str:
    """Plain text of a scrap of HTML: tags are cut out first, entities decoded after, so `&lt;b&gt;` stays `<b>`."""
    if not isinstance(text, str):
        return ""
    return plain(decode_text(_TAG.sub("", text[: 16 * limit])), limit)


def result(
    url: object, title: str, description: str, published_date: str | None = None, extra_snippets: tuple[str, ...] = ()
) -> SearchResult | None:
    """A result from cleaned texts; None where the URL is not an http(s) URL. Without a title the URL stands for it."""
    if not isinstance(url, str):
        return None
    url = url.strip()
    if len(url) > MAX_URL or not url[:8].lower().startswith(("http://", "https://")):
        return None
    if _UNSEEN.search(url) or len(url.split(None, 1)) != 1:
        return None
    url = _USER_INFO.sub("", url, 1)
    return SearchResult(title or url, url, description, published_date, extra_snippets)
