"""Write requests to DuckDuckGo's pages for browsers without scripts (html and lite), and read them. No key is needed.

In: a Query and a position (the fields of the form that asks for a page). Out: a Request, and the Page or error in a
Response. The pages are not a documented interface, so they are read in this order: results; without any, the signs of
the bot page; then those of an empty answer; else the layout has changed. Signs are looked for in attributes, never in
text: the page repeats the query, and a result may talk about the very same words.
Tests: tests/providers/test_duckduckgo.py
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool import __version__, urls
from webtool.errors import ApiError, Blocked, InvalidArgument, InvalidUrl, RateLimited, WebtoolError
from webtool.html import parse_html
from webtool.html.node import Document, Element, walk
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.net.messages import Request, Response
from webtool.net.statuses import retry_after
from webtool.providers import credentials, payload
from webtool.providers.payload import iso_date
from webtool.providers.queries import with_operators
from webtool.providers.results import (
    MAX_TITLE,
    Account,
    Engine,
    Page,
    Query,
    SearchResult,
    age_limit,
    checked,
    plain,
    require_length,
)
from webtool.providers.table import instance_advice, key_advice
from webtool.settings import Settings

NAME = "DuckDuckGo"
OPTIONS = frozenset(("freshness", "country", "search_lang"))
MAX_COUNT = 10  # results of one page
MAX_CHARACTERS = 499  # of a query
# The regions that its menu has; of a country with several, the first is taken unless search_lang names another one.
_REGIONS = (
    "ar-es at-de au-en be-nl be-fr bg-bg br-pt ca-en ca-fr ch-de ch-fr cl-es cn-zh co-es cz-cs de-de dk-da ee-et es-es "
    "es-ca fi-fi fr-fr gr-el hk-tzh hr-hr hu-hu id-en ie-en il-en in-en is-is it-it jp-jp kr-kr lt-lt lv-lv mx-es "
    "my-en nl-nl no-no nz-en pe-es ph-en pk-en pl-pl pt-pt ro-ro ru-ru se-sv sg-en sk-sk sl-sl th-en tr-tr tw-tzh "
    "ua-uk uk-en us-en us-es vn-en xa-ar za-en"
).split()
_ALL_REGIONS = "wt-wt"
# ISO 3166 codes for which DuckDuckGo has other names; its sl is Slovenia, and Sierra Leone (SL) has no region.
_COUNTRIES = {"gb": "uk", "sa": "xa", "si": "sl", "sl": ""}
_LANGUAGES = {"ja": "jp", "ko": "kr", "nb": "no"}  # ISO 639-1 codes for which it has other names; tzh: zh in tw and hk
_FRESHNESS = {"pd": "d", "pw": "w", "pm": "m", "py": "y"}
# A phrase in quotes, or a word with a command: !w would lead to another site, \word straight to the first result.
_PHRASE_OR_COMMAND = patterns.compile(r'"[^"]*"|(?<!\S)[!\\]\S*')
_MARK_IN_PHRASE = patterns.compile(r"(?<=\s)[!\\]+")
# DuckDuckGo ends some lists with a row titled EOF that leads to a search by Google.
_END_ROW = patterns.compile(r"https?://www\.google\.com/search\?.*")
# Header fields that a browser sends with the form; without them the bot page comes sooner.
_FORM_HEADERS = (
    ("Accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"), ("Accept-Language", "en-US,en;q=0.8"),
    ("Content-Type", "application/x-www-form-urlencoded"), ("Sec-Fetch-Dest", "document"),
    ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-User", "?1"),
)  # fmt: skip


def account(settings: Settings, _secrets: Mapping[str, str]) -> Account:
    """Return where to ask. The pages refuse User-Agents that look like a script; the default still names webtool."""
    account = credentials.at_setting(settings, "duckduckgo_url")
    agent = settings.user_agent or f"Mozilla/5.0 (compatible; webtool/{__version__})"
    return account._replace(headers=(*account.headers, ("User-Agent", agent)))


def first(query: Query) -> tuple[tuple[str, str], ...]:
    """Return the form fields of the first page.

    Raises InvalidArgument for a query longer than DuckDuckGo accepts, and for an offset: a later page can be asked for
    only with fields from the page before it.
    """
    if query.offset:
        hint = f"Leave offset out, ask with other words, or {key_advice()}."
        raise InvalidArgument(f"offset is {query.offset}; DuckDuckGo's pages cannot be skipped to", hint=hint)
    text = _PHRASE_OR_COMMAND.sub(_without_command, query.text)
    require_length(text, MAX_CHARACTERS, NAME)
    text = with_operators(text, query.allowed_domains, query.blocked_domains, MAX_CHARACTERS)
    fields = [("q", text), ("b", ""), ("kl", _region(query.options))]
    age = age_limit(query, _FRESHNESS, NAME)
    return (*fields, ("df", age)) if age else tuple(fields)


def _without_command(match: patterns.Match[str]) -> str:
    """Quote a command: `!w` -> `"!w"`. Remove it from a phrase: `"tides !w"` -> `"tides w"`."""
    if match[0].startswith('"'):
        return _MARK_IN_PHRASE.sub("", match[0])
    return '"' + match[0].replace('"', "") + '"'


def _region(options: Mapping[str, object]) -> str:
    """Return DuckDuckGo's region for a country and a language: `us-en`, `de-de`, or `wt-wt` for all."""
    country = str(options.get("country") or "").lower()
    regions = [region for region in _REGIONS if region.startswith(f"{_COUNTRIES.get(country, country)}-")]
    return next((region for region in regions if _has_language(region, options)), (*regions, _ALL_REGIONS)[0])


def _has_language(region: str, options: Mapping[str, object]) -> bool:
    language = str(options.get("search_lang") or "").lower().partition("-")[0]
    return region.partition("-")[2] in (_LANGUAGES.get(language, language), f"t{language}")


def unused(options: Mapping[str, object]) -> dict[str, str]:
    """Return the supported options that have no effect in this search, each with the reason."""
    country, region = str(options.get("country") or "").upper(), _region(options)
    reasons = {}
    if region == _ALL_REGIONS and country not in ("", "ALL"):
        reasons["country"] = f"it has no region {country}"
    if options.get("search_lang") and not _has_language(region, options):
        reasons["search_lang"] = (
            "only its regions have languages" if region == _ALL_REGIONS else f"its region is {region}"
        )
    return reasons


def request(_query: Query, account: Account, position: tuple[tuple[str, str], ...]) -> Request:
    """Return the request for one page."""
    cookies = "; ".join(f"{name}={value}" for name, value in position if name in ("kl", "df") and value)
    headers = (*_FORM_HEADERS, ("Referer", f"{urls.parse(account.endpoint).origin}/"), *account.headers)
    if cookies:
        headers += (("Cookie", cookies),)
    return Request(account.endpoint, "POST", headers, payload.form(position).encode("ascii"))


def results(response: Response, _query: Query, position: tuple[tuple[str, str], ...], now: float) -> Page:
    """Return the page in the response. Raises Blocked for the bot page, and WebtoolError without results."""
    if 300 <= response.status < 400:  # the query had a command such as !w after all; its redirect is not followed
        return Page([])
    is_later = any(name == "s" for name, _ in position)
    if is_later and response.status == 403:  # some regions refuse later pages
        return Page([])
    page = _Scan(parse_html(response.body, response.content_type), now)
    if page.results:
        return Page(page.results, page.next_form(position))
    if page.is_challenge:
        raise _blocked(response.status)
    if page.is_empty and response.status < 400:
        return Page([])
    raise error_for(response)


ENGINE = Engine(NAME, OPTIONS, MAX_COUNT, first, request, results, unused, reads_redirects=True)


def error_for(response: Response) -> WebtoolError:
    """Return the error for a response without results, without the bot page and without the sign of an empty answer."""
    status = response.status
    if status == 429:
        wait = retry_after(response.headers)
        hint = f"Wait some minutes before the next search, or {key_advice()}."
        return RateLimited(f"{NAME} answered with status 429", retry_after=wait, hint=hint, status_code=status)
    if status == 403:
        return _blocked(status)
    if status >= 400:
        hint = "Try again in a while, or search with a provider that takes a key."
        return ApiError(f"{NAME} answered with status {status}", hint=hint, status_code=status, retryable=status >= 500)
    return ApiError(
        f"{NAME} answered with a page that is neither results nor an empty list; its layout may have changed",
        hint="Look for a newer webtool, or search with another provider.",
        status_code=status,
    )


def _blocked(status: int) -> WebtoolError:
    problem = f"{NAME} took this address for a bot and gave a puzzle instead of results"
    hint = "Do not repeat it: the block lasts up to an hour, and repeating prolongs it. "
    return Blocked(problem, hint=f"{hint}Until then {key_advice()}, or {instance_advice()}.", status_code=status)


_PARTS = {"result__a": "title", "result-link": "title", "result__snippet": "snippet", "result-snippet": "snippet"}


class _Part(NamedTuple):
    """The open element of a result's field."""

    element: Element
    field: str  # title, snippet or date
    texts: list[str]


class _Scan:
    """Read a page in one pass: results without advertisements, forms with hidden fields, and the signs in attributes.

    A title starts a result; the snippet and date that follow belong to it. The html page marks them with the classes
    result__a and result__snippet and a span without a class; lite with result-link, result-snippet and timestamp.
    """

    def __init__(self, document: Document, now: float) -> None:
        self.results: list[SearchResult] = []
        self.forms: list[dict[str, str]] = []  # {name: value} of each form's hidden fields
        self.is_challenge = False
        self.is_empty = False
        self._now = now
        self._is_ad = False  # whether the current row of the list is an advertisement
        self._fields: dict[str, str] = {}  # of the current result: href, title, snippet, date
        self._part: _Part | None = None
        self._form: Element | None = None
        for event, node in walk(document):
            if event == "text":
                if self._part:
                    self._part.texts.append(node.text)
            elif event == "open":
                self._open(node)  # type: ignore[arg-type]
            else:
                self._close(node)  # type: ignore[arg-type]
        self._finish()

    def _open(self, element: Element) -> None:
        """Read what the attributes of a start tag tell; begin a form, a result, or a field of one."""
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
            self._fields = {"href": "" if self._is_ad else target(element.attrs.get("href", ""))}
        is_in_field = self._part is not None  # a plain span inside a title or a snippet is not a date
        if not part and not is_in_field and element.tag == "span" and (not tokens or "timestamp" in tokens):
            part = "date"
        if part:
            self._part = _Part(element, part, [])

    def _close(self, element: Element) -> None:
        """Store the text of a field at its end tag. A span is a date only if it reads as one."""
        if self._part and self._part.element is element:
            _, part, texts = self._part
            self._part = None
            if part in ("title", "snippet") or iso_date("".join(texts), self._now):
                self._fields.setdefault(part, "".join(texts))
        if element is self._form:
            self._form = None

    def _open_form(self, element: Element) -> None:
        """Begin a form, and recognise the puzzle of the bot page."""
        self._form = element
        self.forms.append({})
        action = element.attrs.get("action", "")
        if element.attrs.get("id") == "challenge-form" or "/anomaly.js" in action.partition("?")[0]:
            self.is_challenge = True

    def _field(self, element: Element) -> None:
        """Store the value of a hidden field in the current form."""
        name = element.attrs.get("name", "")
        if self._form is not None and name and element.attrs.get("type", "").lower() == "hidden":
            self.forms[-1].setdefault(name, element.attrs.get("value", ""))

    def _finish(self) -> None:
        """Add the current result if it has a usable address."""
        fields, self._fields = self._fields, {}
        if _END_ROW.fullmatch(fields.get("href", "")):
            self.is_empty = True  # results() asks for this only if the page has no results
            return
        result = checked(
            fields.get("href"),
            plain(fields.get("title"), MAX_TITLE),
            plain(fields.get("snippet")),
            iso_date(plain(fields.get("date"), 64), self._now),
        )
        if result is not None:
            self.results.append(result)

    def next_form(self, position: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...] | None:
        """Return the fields of the form for the next page, or None at the end.

        Forms without the field vqd are skipped: sending one gets the address blocked.
        """
        here = _start(dict(position))
        later = [form for form in self.forms if form.get("vqd") and _start(form) > here]
        return tuple(min(later, key=_start).items()) if later else None


def _start(fields: dict[str, str]) -> int:
    """Return the number of the first result that a form asks for, 0 without one."""
    text = fields.get("s", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0


def target(href: str) -> str:
    """Return the address that a result's link leads to, "" for an advertisement (y.js) or an unusable link.

    `//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2F` -> `https://a.example/`.
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
    inner = payload.value_of(url.query or "", "uddg") or ""
    return "" if "duckduckgo.com/y.js" in inner[:40] else inner
