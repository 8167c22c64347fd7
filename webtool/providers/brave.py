"""Write requests to Brave and read its answers: the Search API, and LLM Context (passages of pages, for a model).

In: a Query and a position (the number of a page, from 0). Out: a Request, and the Page or error in a Response. The code
in the body decides which error it is, as a wrong key and a wrong parameter both have status 422; without a code in the
body the status decides.
Specification: https://api-dashboard.search.brave.com/app/documentation/web-search and llm-context.
Tests: tests/providers/test_brave.py
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool.errors import ApiError, AuthInvalid, InvalidArgument, QuotaExceeded, RateLimited, WebtoolError
from webtool.net.messages import Request, Response
from webtool.net.statuses import retry_after
from webtool.providers import credentials, payload, queries
from webtool.providers.payload import iso_date, seconds
from webtool.providers.results import (
    MAX_EXTRA_SNIPPETS,
    MAX_TITLE,
    Account,
    Engine,
    Page,
    Query,
    SearchResult,
    checked,
    hint_for_unknown_error,
    plain,
    plain_from_html,
)
from webtool.settings import Settings

NAME, CONTEXT_NAME = "Brave", "Brave LLM Context"
CONTEXT_OPTIONS = frozenset(("freshness", "country", "search_lang", "goggles"))
OPTIONS = CONTEXT_OPTIONS | {"offset", "ui_lang", "safesearch", "extra_snippets"}
MAX_COUNT = 20  # results of one page
MAX_CONTEXT_COUNT = 50  # results of the only page of LLM Context
MAX_OFFSET = 9  # position of the last page
MAX_CHARACTERS = 400  # of a query
MAX_WORDS = 50  # of a query
MAX_URL = 4000  # characters; with a longer URL the parameters are sent in a POST body, as proxies refuse long lines
_SEARCH_PATH, _CONTEXT_PATH = "/web/search", "/llm/context"
_LANGUAGES = {"ja": "jp", "pt": "pt-pt", "no": "nb", "nn": "nb"}  # ISO 639-1 codes that Brave lacks
_WITH_REGION = frozenset(("en-gb", "pt-br", "pt-pt"))  # languages that Brave knows with a region


def account(settings: Settings, secrets: Mapping[str, str]) -> Account:
    """Return where to ask: the search API, or LLM Context beside it if the setting brave_api is "context"."""
    account = credentials.at_setting(settings, "brave_url", *secrets.values())
    endpoint = account.endpoint
    if settings.brave_api == "context" and endpoint.endswith(_SEARCH_PATH):
        endpoint = endpoint[: -len(_SEARCH_PATH)] + _CONTEXT_PATH
    return account._replace(endpoint=endpoint, engine=CONTEXT if endpoint.endswith(_CONTEXT_PATH) else ENGINE)


def first(query: Query) -> int:
    """Return the position of the first page to ask for."""
    return query.offset


def context_first(query: Query) -> int:
    """Return the only position. Raises InvalidArgument for an offset."""
    if query.offset:
        hint = "Leave offset out and raise count, or set WEBTOOL_BRAVE_API=web."
        raise InvalidArgument(f"offset is {query.offset}; {CONTEXT_NAME} has one page only", hint=hint)
    return 0


def request(query: Query, account: Account, position: int) -> Request:
    """Return the request for one page. Raises InvalidArgument for a query longer than Brave accepts."""
    own = [("count", str(min(query.limit, MAX_COUNT))), ("offset", str(position))]
    own += [("text_decorations", "false"), ("result_filter", "web")]
    return _request(account, _parameters(query, own, OPTIONS))


def context_request(query: Query, account: Account, _position: int) -> Request:
    """Return the request for the only page. Raises InvalidArgument for a query longer than Brave accepts."""
    own = [("maximum_number_of_urls", str(min(query.limit, MAX_CONTEXT_COUNT)))]
    return _request(account, _parameters(query, own, CONTEXT_OPTIONS))


def _request(account: Account, pairs: list[tuple[str, str]]) -> Request:
    """Return the request with these parameters: in the URL, or past MAX_URL in a body."""
    headers = (("Accept", "application/json"), ("X-Subscription-Token", account.key), *account.headers)
    url = payload.with_query(account.endpoint, pairs)
    if len(url) <= MAX_URL:
        return Request(url, headers=headers)
    headers = (*headers, ("Content-Type", "application/json"))
    return Request(account.endpoint, "POST", headers, payload.json_body(_body(pairs)))


def _parameters(query: Query, own: list[tuple[str, str]], names: frozenset[str]) -> list[tuple[str, str]]:
    """Return the parameters: the query, the engine's `own`, and the options with these `names`.

    Options `{"country": "us", "search_lang": "ja"}` -> country US, search_lang jp. `goggles` may come twice: with the
    caller's rules for ranking results, and with those for the domain lists. Raises InvalidArgument for a long query.
    """
    text, options = query.text, {name: value for name, value in query.options.items() if name in names}
    if len(text) > MAX_CHARACTERS or len(text.split()) > MAX_WORDS:
        hint = f"Brave takes at most {MAX_CHARACTERS} characters and {MAX_WORDS} words: shorten the query."
        raise InvalidArgument(f"query has {len(text)} characters and {len(text.split())} words", hint=hint)
    pairs = [("q", text), *own]
    for name in ("freshness", "country", "search_lang", "ui_lang", "safesearch"):
        value = str(options.get(name) or "")
        if name == "country":
            value = value.upper()
        elif name == "search_lang":
            value = _language(value.lower())
        if value:
            pairs.append((name, value))
    if options.get("extra_snippets") is not None:
        pairs.append(("extra_snippets", "true" if options["extra_snippets"] else "false"))
    goggles = (str(options.get("goggles") or ""), domain_rules(query.allowed_domains, query.blocked_domains))
    return pairs + [("goggles", rules) for rules in goggles if rules]


def _language(code: str) -> str:
    """Return Brave's name of a language: `ja` -> jp, `en-us` -> en, `zh-tw` -> zh-hant; "" stays."""
    language = code.partition("-")[0]
    if language == "zh":
        return "zh-hant" if queries.is_traditional(code) else "zh-hans"
    return code if code in _WITH_REGION else _LANGUAGES.get(language, language)


_SWITCHES = ("text_decorations", "extra_snippets")  # parameters that are true or false


def _body(pairs: list[tuple[str, str]]) -> dict[str, object]:
    """Return the parameters as members of a JSON body, numbers and switches with their own types."""
    body: dict[str, object] = {}
    for name, value in pairs:
        if name == "goggles":
            body.setdefault(name, []).append(value)  # type: ignore[attr-defined]
        elif name in ("count", "offset", "maximum_number_of_urls"):
            body[name] = int(value)
        else:
            body[name] = value == "true" if name in _SWITCHES else value
    return body


def domain_rules(allowed: tuple[str, ...], blocked: tuple[str, ...]) -> str:
    """Return goggle rules for domain lists, "" if both are empty. Discarding a site wins over boosting it.

    `("a.example",), ("b.a.example",)` -> `$discard`, `$boost,site=a.example`, `$discard,site=b.a.example`, a line each.
    The domains come from queries.canonical(), so none contains a separator that could begin another rule.
    """
    rules = ["$discard", *[f"$boost,site={domain}" for domain in allowed]] if allowed else []
    return "\n".join(rules + [f"$discard,site={domain}" for domain in blocked])


def results(response: Response, query: Query, position: int, now: float) -> Page:
    """Return the page in the response. Raises WebtoolError if it is not a page of results."""
    if response.status != 200:
        raise error_for(response)
    members = payload.decode(response, NAME)
    about_query = payload.mapping(members.get("query"))
    items = payload.items(payload.mapping(members.get("web")).get("results"))  # without `web` nothing was found
    usable = list(filter(None, (_result(item, now) for item in items)))
    has_more = about_query.get("more_results_available", len(items) >= min(query.limit, MAX_COUNT))
    next_position = position + 1 if has_more is True and items and position < MAX_OFFSET else None
    altered = plain_from_html(about_query.get("altered")) or None
    return Page(usable, next_position, response.headers.get("x-request-id"), altered)


def _result(item: Mapping[str, object], now: float) -> SearchResult | None:
    published = None
    for name in ("page_age", "age"):
        published = published or iso_date(item.get(name), now)
    extra = item.get("extra_snippets")
    snippets = [plain_from_html(text) for text in extra[:MAX_EXTRA_SNIPPETS]] if isinstance(extra, list) else []
    return checked(
        item.get("url"),
        plain_from_html(item.get("title"), MAX_TITLE),
        plain_from_html(item.get("description")),
        published,
        tuple(text for text in snippets if text),
    )


def context_results(response: Response, _query: Query, _position: int, now: float) -> Page:
    """Return the page in the response. Raises WebtoolError if it is not a page of passages.

    The first passage of a result becomes its description, the others its extra snippets.
    """
    if response.status != 200:
        raise error_for(response, CONTEXT_NAME)
    members = payload.decode(response, CONTEXT_NAME)
    sources = payload.mapping(members.get("sources"))
    items = payload.items(payload.mapping(members.get("grounding")).get("generic"))
    usable = list(filter(None, (_passages(item, sources, now) for item in items)))
    return Page(usable, None, response.headers.get("x-request-id"))


def _passages(item: Mapping[str, object], sources: Mapping[str, object], now: float) -> SearchResult | None:
    """Return one result, or None if it has no usable URL. `sources` has title and dates by URL."""
    source = payload.mapping(sources.get(str(item.get("url"))))
    ages = source.get("age")
    dates = (iso_date(age, now) for age in ages) if isinstance(ages, list) else ()
    passages = item.get("snippets")
    texts = [plain(text) for text in passages] if isinstance(passages, list) else []
    texts = [text for text in texts if text][: MAX_EXTRA_SNIPPETS + 1] or [""]
    title = plain(item.get("title") or source.get("title"), MAX_TITLE)
    return checked(item.get("url"), title, texts[0], next(filter(None, dates), None), tuple(texts[1:]))


ENGINE = Engine(NAME, OPTIONS, MAX_COUNT, first, request, results)
CONTEXT = Engine(CONTEXT_NAME, CONTEXT_OPTIONS, MAX_CONTEXT_COUNT, context_first, context_request, context_results)


def error_for(response: Response, engine_name: str = NAME) -> WebtoolError:
    """Return the error in a response with a status other than 200."""
    body = payload.decode_leniently(response) or {}
    # The documentation shows a list `errors`; the service sends `error`.
    error = payload.mapping(body.get("error")) or next(iter(payload.items(body.get("errors"))), {})
    code = payload.string(error.get("code"))
    unknown = (ApiError, hint_for_unknown_error(response.status, "WEBTOOL_BRAVE_URL"))
    kind, hint = _ERRORS.get(code) or _ERRORS.get(str(response.status)) or unknown
    detail = plain_from_html(error.get("detail"), 300) or f"it answered with status {response.status}"
    faults = payload.items(payload.mapping(error.get("meta")).get("errors"))
    if any(fault.get("loc") == ["header", "x-subscription-token"] for fault in faults):
        kind, hint = _BAD_KEY
    problems = "; ".join(f"{_parameter(fault)}: {plain_from_html(fault.get('msg'), 100)}" for fault in faults[:5])
    text = f"{engine_name}: {detail}" + (f": {problems}" if problems else "") + (f" ({code})" if code else "")
    members: dict[str, object] = {"request_id": plain(error["id"], 100)} if error.get("id") else {}
    wait = _retry_after(response, kind)
    is_retryable = response.status >= 500 or None  # None: as the class of the error says
    return kind(text, hint=hint, status_code=response.status, retry_after=wait, retryable=is_retryable, **members)  # type: ignore[arg-type]


def _parameter(fault: Mapping[str, object]) -> str:
    """Return the parameter that a validation error is about, the last item of its `loc`."""
    location = fault.get("loc")
    return plain(location[-1], 40) if isinstance(location, list) and location else "request"


def _retry_after(response: Response, kind: type[WebtoolError]) -> float | None:
    """Return the seconds to wait. `X-RateLimit-Reset: 1, 1419704` has the limit per second, then that per month."""
    windows = (response.headers.get("x-ratelimit-reset") or "").split(",")
    if kind is QuotaExceeded:
        return seconds(windows[1]) if len(windows) > 1 else None
    if kind is not RateLimited:
        return None
    waits = (retry_after(response.headers), seconds(windows[0]), 1.0)
    return next(wait for wait in waits if wait is not None)


_BAD_KEY: tuple[type[WebtoolError], str] = (
    AuthInvalid,
    "Check BRAVE_API_KEY and its plan; keys are at https://brave.com/search/api/.",
)
_BAD_PARAMETER = (InvalidArgument, "Correct the option that the message names.")
_TOO_FAST = (RateLimited, "Wait for retry_after seconds; the plan limits requests per second.")
_ERRORS: dict[str, tuple[type[WebtoolError], str]] = {
    "SUBSCRIPTION_TOKEN_INVALID": _BAD_KEY,
    "SUBSCRIPTION_TOKEN_MISSING": _BAD_KEY,
    "SUBSCRIPTION_NOT_FOUND": _BAD_KEY,
    "OPTION_NOT_IN_PLAN": (InvalidArgument, "Leave out the option that the plan of this key does not include."),
    "VALIDATION": _BAD_PARAMETER,
    "RATE_LIMITED": _TOO_FAST,
    "QUOTA_LIMITED": (
        QuotaExceeded,
        "The requests of this month are used up: upgrade the plan, or use another provider.",
    ),
    "401": _BAD_KEY,
    "403": _BAD_KEY,
    "422": _BAD_PARAMETER,
    "429": _TOO_FAST,
}
