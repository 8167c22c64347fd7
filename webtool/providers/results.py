"""Define the records of one search; clean and write results.

Query and Account go to an Engine; Page, a list of SearchResults, comes back; the driver makes an Answer of it, which
members() and text() write for programs and for readers. plain() and checked() clean what strangers wrote: control
characters and invisible characters that could mislead a terminal or a reader are removed here, for all providers.
Tests: tests/providers/test_results.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from webtool.answers import budget
from webtool.context import Result
from webtool.errors import InvalidArgument
from webtool.html.charrefs import decode_text
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any
from webtool.net.messages import Request, Response

NO_OPTIONS: Mapping[str, object] = {}
MAX_TITLE = 500  # characters; a longer title is cut
MAX_DESCRIPTION = 2000  # characters; a longer description is cut
MAX_URL = 8000  # characters; a result with a longer URL is dropped
_MAX_WORD = 80  # characters; a text that ends in a longer word is cut inside the word
MAX_EXTRA_SNIPPETS = 10  # of one result; the rest is dropped
# The schema of the member that every search tool has.
MAX_TOKENS_PROPERTY = {"type": "integer", "description": "Cut the answer after about this many tokens", "minimum": 1}


class Query(NamedTuple):
    """One search."""

    text: str
    limit: int  # maximum number of results
    allowed_domains: tuple[str, ...] = ()  # as queries.canonical() returns them; empty allows all
    blocked_domains: tuple[str, ...] = ()
    options: Mapping[str, object] = NO_OPTIONS
    """Options that only some providers have, by webtool's names: freshness, country, goggles ..."""

    @property
    def offset(self) -> int:
        """The number of pages to skip."""
        return int(str(self.options.get("offset") or 0))


class Account(NamedTuple):
    """Where to ask, and with which secrets."""

    endpoint: str
    key: str = ""  # secret
    engine_id: str = ""
    headers: tuple[tuple[str, str], ...] = ()  # secret too: they may hold a password
    setting: str = ""  # name of the setting that holds the endpoint
    engine: Engine | None = None  # who asks there; None is the ENGINE of the provider's module


class Engine(NamedTuple):
    """How to talk to one API of a provider. All functions are pure."""

    name: str  # for messages
    options: frozenset[str]  # that it understands
    max_count: int  # results of one page
    first: Callable[[Query], Any]  # returns the position of the first page, in a form of the engine's own
    request: Callable[[Query, Account, Any], Request]  # returns the request for the page at a position
    results: Callable[[Response, Query, Any, float], Page]  # reads a response; the last argument is now
    unused: Callable[[Mapping[str, object]], Mapping[str, str]] = lambda _options: {}
    """Returns the options that it understands and cannot use together with the others, each with the reason."""
    further_pages: int = 0  # asked for after the first, while there are too few results, because asking costs nothing
    reads_redirects: bool = False  # whether results() accepts a redirect
    skipped: Callable[[Query], int] = lambda _query: 0
    """Returns how many of the results that the domain lists allow come before those that the query asks for."""


class SearchResult(NamedTuple):
    """One result in plain text."""

    title: str
    url: str  # absolute, http or https
    description: str
    published_date: str | None = None  # ISO 8601 in UTC, None if unknown
    extra_snippets: tuple[str, ...] = ()


class Page(NamedTuple):
    """One response of a provider."""

    results: list[SearchResult]
    next: object = None  # position that the module's request() takes for the next page, None at the end
    request_id: str | None = None
    altered: str | None = None  # corrected query that the provider searched for, None if it is the original
    notes: tuple[str, ...] = ()
    answers: tuple[SearchResult, ...] = ()
    """Direct answers and boxes beside the results: "10 USD = 9.2 EUR". Title and URL may be empty."""


class Answer(NamedTuple):
    """The result of one search."""

    provider: str
    query: str
    results: list[SearchResult]
    more_results_available: bool = False
    request_id: str | None = None
    altered: str | None = None  # corrected query that the provider searched for, None if it is the original
    ignored: tuple[str, ...] = ()  # names of options that had no effect
    notes: tuple[str, ...] = ()  # sentences for the answer's `note`
    answers: tuple[SearchResult, ...] = ()  # as in Page


def require_length(text: str, maximum: int, provider: str) -> None:
    """Raise InvalidArgument if the query has more characters than the provider accepts."""
    if len(text) > maximum:
        hint = f"{provider} takes at most {maximum}: shorten the query."
        raise InvalidArgument(f"query has {len(text)} characters", hint=hint)


def hint_for_unknown_error(status: int, setting: str) -> str:
    """Return what to do about an error that the provider's documentation does not name."""
    return "Try again in a while." if status >= 500 else f"Check {setting}, or search with another provider."


def age_limit(query: Query, names: Mapping[str, str], provider: str) -> str:
    """Return the provider's name for the option `freshness`, "" if it is not given.

    `pw` with `{"pw": "week"}` -> `week`. Raises InvalidArgument for a range of days, which few providers support.
    """
    freshness = str(query.options.get("freshness") or "")
    if freshness and freshness not in names:
        hint = f"Use one of: {', '.join(names)}."
        raise InvalidArgument(f"freshness is {freshness}; {provider} takes no range of days", hint=hint)
    return names.get(freshness, "")


# Tags only: "a < b" and "vector<int>" in encoded text are not markup.
_BREAK = patterns.compile(r"(?i)</?(?:br|p|div|li|ul|ol|tr|t[dh]|h[1-6])(?:[\s/][^<>]*)?>")
_TAG = patterns.compile(r"</?[A-Za-z][^<>]*>|<!--[^<>]*-->")
# C0 and C1 controls, soft hyphen, bidirectional embeddings, overrides and isolates, zero-width space, word joiner and
# invisible operators, byte order mark, interlinear marks, tag characters, lone surrogates. Joiners (U+200C, U+200D) and
# the plain directional marks stay: scripts and emoji need them.
_INVISIBLE = patterns.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u200b\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)
# User information of a URL (RFC 3986 section 3.2.1): the name and password of a stranger.
_USER_INFO = patterns.compile(r"(?i)\A(https?://)[^/?#\\]*@")


def plain(text: object, limit: int = MAX_DESCRIPTION) -> str:
    """Return the text on one line, cut after a word if it has more than `limit` characters; "" if it is not a string.

    `"High\\n tide\\u200b"` -> `"High tide"`.
    """
    if not isinstance(text, str):
        return ""
    line = " ".join(_INVISIBLE.sub("", text[: 8 * limit]).split())  # 8: most of it may be white space
    if len(line) <= limit:
        return line
    head = line[: limit - 1]
    space = head.rfind(" ", max(limit - _MAX_WORD, 0))
    return f"{head[:space] if space > 0 else head}…"


def plain_from_html(text: object, limit: int = MAX_DESCRIPTION) -> str:
    """Return the plain text of HTML. Tags are removed before entities are decoded: `<b>A</b> &lt;b&gt;` -> `A <b>`.

    A tag between two lines or blocks becomes a blank: `one<br>two` -> `one two`.
    """
    if not isinstance(text, str):
        return ""
    return plain(decode_text(_TAG.sub("", _BREAK.sub(" ", text[: 16 * limit]))), limit)  # 16: most may be markup


def checked(
    url: object, title: str, description: str, published_date: str | None = None, extra_snippets: tuple[str, ...] = ()
) -> SearchResult | None:
    """Return a result of cleaned texts, or None unless `url` is an http(s) URL.

    User information is removed from the URL. An empty title becomes the URL.
    """
    if not isinstance(url, str):
        return None
    url = url.strip()
    if len(url) > MAX_URL or not url[:8].lower().startswith(("http://", "https://")):
        return None
    has_space = len(url.split()) > 1
    if has_space or _INVISIBLE.search(url):
        return None
    url = _USER_INFO.sub(lambda match: match[1], url, 1)
    return SearchResult(title or url, url, description, published_date, extra_snippets)


def fitted(answer: Answer, data: Mapping[str, object], max_tokens: int) -> Result:
    """Return a tool's result, text and data each cut to about `max_tokens`; 0 is unlimited."""
    if not max_tokens:
        return Result(text(answer), dict(data))
    return Result(budget.take_lines(text(answer), 1, max_tokens).text, budget.fit_tokens(data, max_tokens))


def members(answer: Answer, *, has_extra_snippets: bool = False) -> dict[str, object]:
    """Return the JSON members success, count, results and, if there are any notes, note.

    `description` and `snippet` have the same text: some agent hosts read the one, some the other.
    """
    rows = []
    for result in answer.results:
        row: dict[str, object] = {"title": result.title, "url": result.url}
        row["description"] = row["snippet"] = result.description
        if result.published_date:
            row["published_date"] = result.published_date
        if has_extra_snippets and result.extra_snippets:
            row["extra_snippets"] = list(result.extra_snippets)
        rows.append(row)
    data = {"success": True, "count": len(rows), "results": rows, **answer_members(answer)}
    return {**data, "note": "; ".join(answer.notes)} if answer.notes else data


def answer_members(answer: Answer) -> dict[str, object]:
    """Return the member `answers` with title, url and text of each direct answer, {} without any."""
    rows = [{"title": row.title, "url": row.url, "text": row.description} for row in answer.answers]
    return {"answers": [{name: value for name, value in row.items() if value} for row in rows]} if rows else {}


def text(answer: Answer) -> str:
    """Return a numbered list: title, URL, date and description. A corrected query and direct answers come first."""
    lines = [f"Searched for: {answer.altered}", ""] if answer.altered else []
    for row in answer.answers:
        lines += ["Answer: " + " - ".join(part for part in (row.title, row.description, row.url) if part), ""]
    if answer.answers and not answer.results:
        return "\n".join(lines[:-1])
    if not answer.results:
        return "\n".join([*lines, f"No results for: {answer.query}"])  # the notes say which filters applied
    width = len(str(len(answer.results)))
    indent = " " * (width + 2)
    for number, result in enumerate(answer.results, 1):
        lines += [f"{number:>{width}}. {result.title}", *[f"{indent}{line}" for line in _details(result)], ""]
    return "\n".join(lines[:-1])


def _details(result: SearchResult) -> Iterator[str]:
    """Yield the lines below a result's title."""
    yield result.url
    day = (result.published_date or "")[:10]
    description = " - ".join(part for part in (day, result.description) if part)
    if description:
        yield description
    for snippet in result.extra_snippets:
        yield f"... {snippet}"
