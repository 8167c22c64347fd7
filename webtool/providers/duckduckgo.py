"""DuckDuckGo without a key: its pages for browsers without scripts, html and lite. In: a Query and a position (the
fields of the page's form for the next page). Out: the Request; the Page or error in a Response.

The pages are no documented interface. Read in this order: results first; only where there are none, the signs of the
bot page, then those of an empty answer; what is left is a page that changed. Signs are taken from attributes, never
from text, because the query is repeated in it and results may talk about these very signs.
"""

from __future__ import annotations

from webtool import urls
from webtool.errors import ApiError, Blocked, InvalidArgument, InvalidUrl, RateLimited, WebtoolError
from webtool.html import parse_html
from webtool.html.node import Document, Element, walk
from webtool.lean import patterns
from webtool.net.messages import Request, Response
from webtool.net.statuses import retry_after
from webtool.providers import forms
from webtool.providers.dates import iso_date
from webtool.providers.domains import with_operators
from webtool.providers.results import (
    MAX_TITLE,
    Account,
    Page,
    Query,
    SearchResult,
    age_limit,
    plain,
    require_length,
    result,
)

NAME = "DuckDuckGo"
OPTIONS = frozenset(("freshness", "country", "search_lang"))
MAX_COUNT = 10
MAX_CHARACTERS = 499
_FRESHNESS = {"pd": "d", "pw": "w", "pm": "m", "py": "y"}
# A leading "!" sends the searcher to another site, a leading backslash straight to the first result.
_COMMAND = patterns.compile(r"(?<!\S)([!\\]\S*)")
# What a browser sends with the form. Without these the bot page comes sooner.
_FORM_HEADERS = (
    ("Accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"), ("Accept-Language", "en-US,en;q=0.8"),
    ("Content-Type", "application/x-www-form-urlencoded"), ("Sec-Fetch-Dest", "document"),
    ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-User", "?1"),
)  # fmt: skip


def first(query: Query) -> tuple[tuple[str, str], ...]:
    """The fields of the first page. Raises InvalidArgument for an offset: later pages need what earlier ones hold."""
    if query.options.get("offset"):
        raise InvalidArgument(
            f"offset is {query.options['offset']}; DuckDuckGo's pages cannot be skipped to",
            hint="Leave offset out, ask with other words, or set BRAVE_API_KEY and search with Brave.",
        )
    text = with_operators(query.text, query.allowed_domains, query.blocked_domains, MAX_CHARACTERS)
    text = _COMMAND.sub(lambda match: '"' + match[1].replace('"', "") + '"', text)
    fields = [("q", text), ("b", ""), ("kl", _region(query))]
    age = age_limit(query, _FRESHNESS, NAME)
    return (*fields, ("df", age)) if age else tuple(fields)


def _region(query: Query) -> str:
    country = str(query.options.get("country") or "").lower()
    if not country or country == "all":
        return "wt-wt"
    language = str(query.options.get("search_lang") or "en").lower().partition("-")[0]
    return f"{'uk' if country == 'gb' else country}-{language}"


def request(query: Query, account: Account, position: tuple[tuple[str, str], ...]) -> Request:
    """The request for one page. Raises InvalidArgument for a query longer than DuckDuckGo takes."""
    require_length(query.text, MAX_CHARACTERS, NAME)
    cookies = "; ".join(f"{name}={value}" for name, value in position if name in ("kl", "df") and value)
    headers = (*_FORM_HEADERS, ("Referer", f"{urls.parse(account.endpoint).origin}/"), *account.headers)
    if cookies:
        headers += (("Cookie", cookies),)
    return Request(account.endpoint, "POST", headers, forms.encode(position).encode("ascii"))


def results(response: Response, _query: Query, position: tuple[tuple[str, str], ...], now: float) -> Page:
    """The page in the response. Raises WebtoolError for the bot page and for what is not a page of results."""
    if 300 <= response.status < 400:  # a command word got through; where it leads is not followed
        return Page([])
    is_later = any(name == "s" for name, _ in position)
    if is_later and response.status == 403:  # some regions have no later pages
        return Page([])
    page = _Scan(parse_html(response.body, response.headers.get("content-type")), now)
    if page.results:
        return Page(page.results, page.next_form(position))
    if page.is_challenge:
        raise _blocked(response.status)
    if page.is_empty and response.status < 400:
        return Page([])
    raise error_for(response)


def error_for(response: Response) -> WebtoolError:
    """The error for an answer that holds neither results, nor the bot page, nor word that there are none."""
    status = response.status
    if status == 429:
        wait = retry_after(response.headers)
        hint = "Wait some minutes before the next search, or set BRAVE_API_KEY and search with Brave."
        return RateLimited(f"{NAME} answered with status 429", retry_after=wait, hint=hint, status_code=status)
    if status == 403:
        return _blocked(status)
    if status >= 400:
        hint = "Try again in a while, or search with a provider that takes a key."
        return ApiError(f"{NAME} answered with status {status}", hint=hint, status_code=status, retryable=status >= 500)
    return ApiError(
        f"{NAME} answered with a page that is neither results nor an empty list; its layout may have changed",
        hint="Look for a newer webtool, or search with Brave, Google or a SearXNG instance.",
        status_code=status,
    )


def _blocked(status: int) -> WebtoolError:
    return Blocked(
        f"{NAME} took this address for a bot and gave a puzzle instead of results",
        hint="Do not repeat it: the block lasts up to an hour and repeating prolongs it. Until then set BRAVE_API_KEY "
        "and use web_search_brave, or set WEBTOOL_SEARXNG_URL.",
        status_code=status,
        retryable=False,
    )


_PARTS = {"result__a": "title", "result-link": "title", "result__snippet": "snippet", "result-snippet": "snippet"}


class _Scan:
    """One pass over the page: organic results, forms with hidden fields, and the signs in attributes.

    html marks a result's parts result__a, result__snippet and a span with a date; lite result-link, result-snippet,
    timestamp. A part belongs to the link before it.
    """

    def __init__(self, document: Document, now: float) -> None:
        self.results: list[SearchResult] = []
        self.forms: list[dict[str, str]] = []
        self.is_challenge = False
        self.is_empty = False
        self._now = now
        self._is_ad = False
        self._found: dict[str, str] = {}
        self._part: tuple[Element, str, list[str]] | None = None
        self._form: Element | None = None
        for event, node in walk(document):
            if event == "text":
                if self._part:
                    self._part[2].append(node.text)
            elif event == "open":
                self._open(node)  # type: ignore[arg-type]
            else:
                self._close(node)  # type: ignore[arg-type]
        self._finish()

    def _open(self, element: Element) -> None:
        tokens = element.attrs.get("class", "").split()
        if element.tag == "form":
            self._open_form(element)
        elif element.tag == "input":
            self._field(element)
        elif "result" in tokens:
            self._is_ad = any(token.startswith("result--ad") for token in tokens)
            self.is_empty = self.is_empty or "result--no-result" in tokens
        elif element.tag == "tr":
            self._is_ad = any(token.startswith("result-sponsored") for token in tokens)
        if any(token.startswith("anomaly-modal__") for token in tokens):
            self.is_challenge = True
        self.is_empty = self.is_empty or "no-results" in tokens
        part = next((_PARTS[token] for token in tokens if token in _PARTS), "")
        if part == "title":
            self._finish()
            self._found = {"href": "" if self._is_ad else target(element.attrs.get("href", ""))}
        elif not part and element.tag == "span" and (not tokens or "timestamp" in tokens):
            part = "date"
        if part and not (self._part and part == "date"):
            self._part = (element, part, [])

    def _close(self, element: Element) -> None:
        if self._part and self._part[0] is element:
            _, part, texts = self._part
            self._part = None
            if part in ("title", "snippet") or iso_date("".join(texts), self._now):
                self._found.setdefault(part, "".join(texts))
        if element is self._form:
            self._form = None

    def _open_form(self, element: Element) -> None:
        self._form = element
        self.forms.append({})
        action = element.attrs.get("action", "")
        if element.attrs.get("id") == "challenge-form" or "/anomaly.js" in action.partition("?")[0]:
            self.is_challenge = True

    def _field(self, element: Element) -> None:
        name = element.attrs.get("name", "")
        if self._form is not None and name and element.attrs.get("type", "").lower() == "hidden":
            self.forms[-1].setdefault(name, element.attrs.get("value", ""))

    def _finish(self) -> None:
        found, self._found = self._found, {}
        one = result(
            found.get("href"),
            plain(found.get("title"), MAX_TITLE),
            plain(found.get("snippet")),
            iso_date(plain(found.get("date"), 64), self._now),
        )
        if one is not None:
            self.results.append(one)

    def next_form(self, position: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...] | None:
        """The fields of the form for the next page. Without vqd, a later page costs the address a block."""
        here = _start(dict(position))
        forms_ahead = [form for form in self.forms if form.get("vqd") and _start(form) > here]
        return tuple(min(forms_ahead, key=_start).items()) if forms_ahead else None


def _start(fields: dict[str, str]) -> int:
    text = fields.get("s", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0


def target(href: str) -> str:
    """Where a result's link leads: the `uddg` parameter of DuckDuckGo's redirect, decoded once, or the link itself.

    "" for an advertisement (y.js) and for what is not a URL.
    """
    try:
        url = urls.parse(href.strip(), "https://duckduckgo.com/")
    except InvalidUrl:
        return ""
    if not urls.matches_domain(url.host or "", "duckduckgo.com"):
        return href.strip() if "://" in href else url.href
    if url.path == "/y.js":
        return ""
    if url.path.rstrip("/") != "/l":
        return url.href
    inner = forms.value_of(url.query or "", "uddg") or ""
    return "" if "duckduckgo.com/y.js" in inner[:40] else inner
