"""The Brave Search API. In: a Query and a position (a page, from 0). Out: the Request; the Page or error in a Response.

Errors go by the code in the body first, then by the status: a wrong key is a 422 here, and so is a wrong parameter.
Specification: https://api-dashboard.search.brave.com/app/documentation/web-search.
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool.errors import ApiError, AuthInvalid, InvalidArgument, QuotaExceeded, RateLimited, WebtoolError
from webtool.net.messages import Request, Response
from webtool.net.statuses import retry_after
from webtool.providers import forms, payload
from webtool.providers.dates import iso_date, seconds
from webtool.providers.results import (
    MAX_EXTRA_SNIPPETS,
    MAX_TITLE,
    Account,
    Page,
    Query,
    SearchResult,
    plain,
    plain_from_html,
    result,
    unknown_hint,
)

NAME = "Brave"
OPTIONS = frozenset(
    ("offset", "freshness", "country", "search_lang", "ui_lang", "safesearch", "extra_snippets", "goggles")
)
MAX_COUNT = 20
MAX_OFFSET = 9
MAX_CHARACTERS = 400
MAX_WORDS = 50
# Past this the parameters go into a POST body: servers and proxies refuse longer request lines.
_MAX_URL = 4000
# ISO 639-1 codes that Brave knows by another name.
_LANGUAGES = {"ja": "jp", "zh": "zh-hans", "pt": "pt-pt", "no": "nb"}


def first(query: Query) -> int:
    """The position of the first page wanted."""
    return int(str(query.options.get("offset") or 0))


def request(query: Query, account: Account, position: int) -> Request:
    """The request for one page. Raises InvalidArgument for a query longer than Brave takes."""
    require_length(query.text)
    pairs = [("q", query.text), ("count", str(min(query.limit, MAX_COUNT))), ("offset", str(position))]
    pairs += [("text_decorations", "false"), ("result_filter", "web"), *options(query.options), *goggles(query)]
    headers = (("Accept", "application/json"), ("X-Subscription-Token", account.key), *account.headers)
    url = forms.with_query(account.endpoint, pairs)
    if len(url) <= _MAX_URL:
        return Request(url, headers=headers)
    headers += (("Content-Type", "application/json"),)
    return Request(account.endpoint, "POST", headers, payload.encode(_body(pairs)))


def require_length(text: str) -> None:
    """Raises InvalidArgument for a query longer than Brave takes."""
    if len(text) > MAX_CHARACTERS or len(text.split()) > MAX_WORDS:
        raise InvalidArgument(
            f"query has {len(text)} characters and {len(text.split())} words",
            hint=f"Brave takes at most {MAX_CHARACTERS} characters and {MAX_WORDS} words: shorten the query.",
        )


def goggles(query: Query) -> list[tuple[str, str]]:
    """The rules to rank and filter by: the caller's and those of the domain lists."""
    both = (str(query.options.get("goggles") or ""), domain_rules(query.allowed_domains, query.blocked_domains))
    return [("goggles", rules) for rules in both if rules]


def options(given: Mapping[str, object]) -> list[tuple[str, str]]:
    """The search's options by Brave's names."""
    pairs = []
    for name in ("freshness", "country", "search_lang", "ui_lang", "safesearch"):
        value = str(given.get(name) or "")
        if name == "country":
            value = value.upper()
        elif name == "search_lang":
            value = _LANGUAGES.get(value.lower(), value.lower())
        if value:
            pairs.append((name, value))
    if given.get("extra_snippets") is not None:
        pairs.append(("extra_snippets", "true" if given["extra_snippets"] else "false"))
    return pairs


def _body(pairs: list[tuple[str, str]]) -> dict[str, object]:
    body: dict[str, object] = {}
    for name, value in pairs:
        if name == "goggles":
            body.setdefault(name, []).append(value)  # type: ignore[attr-defined]
        elif name in ("count", "offset"):
            body[name] = int(value)
        else:
            body[name] = value == "true" if value in ("true", "false") else value
    return body


def domain_rules(allowed: tuple[str, ...], blocked: tuple[str, ...]) -> str:
    """Goggle rules for domain lists, "" for none. A rule that discards a site wins over one that boosts it.

    The domains come from domains.canonical(), so none of them can hold a separator and start a rule of its own.
    """
    rules = ["$discard", *[f"$boost,site={domain}" for domain in allowed]] if allowed else []
    return "\n".join(rules + [f"$discard,site={domain}" for domain in blocked])


def results(response: Response, query: Query, position: int, now: float) -> Page:
    """The page in the response. Raises WebtoolError for what is not a page of results."""
    if response.status != 200:
        raise error_for(response)
    members = payload.decode(response, NAME)
    asked = payload.mapping(members.get("query"))
    # Brave leaves out `web` where nothing was found.
    found = payload.items(payload.mapping(members.get("web")).get("results"))
    kept = [one for one in (_result(item, now) for item in found) if one is not None]
    has_more = asked.get("more_results_available", len(found) >= min(query.limit, MAX_COUNT))
    following = position + 1 if has_more is True and found and position < MAX_OFFSET else None
    altered = plain_from_html(asked.get("altered")) or None
    return Page(kept, following, response.headers.get("x-request-id"), altered)


def _result(item: Mapping[str, object], now: float) -> SearchResult | None:
    published = None
    for name in ("page_age", "age"):
        published = published or iso_date(item.get(name), now)
    extra = item.get("extra_snippets")
    snippets = [plain_from_html(text) for text in extra[:MAX_EXTRA_SNIPPETS]] if isinstance(extra, list) else []
    return result(
        item.get("url"),
        plain_from_html(item.get("title"), MAX_TITLE),
        plain_from_html(item.get("description")),
        published,
        tuple(text for text in snippets if text),
    )


def error_for(response: Response) -> WebtoolError:
    """The error that a response other than 200 tells."""
    body = payload.decode_leniently(response) or {}
    # The reference page shows `errors`, a list; the service sends `error`.
    error = payload.mapping(body.get("error")) or next(iter(payload.items(body.get("errors"))), {})
    code = payload.string(error.get("code"))
    unknown = (ApiError, unknown_hint(response.status, "WEBTOOL_BRAVE_URL"))
    kind, hint = _ERRORS.get(code) or _ERRORS.get(str(response.status)) or unknown
    said = plain_from_html(error.get("detail"), 300) or f"it answered with status {response.status}"
    faults = payload.items(payload.mapping(error.get("meta")).get("errors"))
    if any(fault.get("loc") == ["header", "x-subscription-token"] for fault in faults):
        kind, hint = _BAD_KEY
    listed = [f"{_place(fault)}: {plain_from_html(fault.get('msg'), 100)}" for fault in faults[:5]]
    text = f"Brave: {': '.join([said, '; '.join(listed)]) if listed else said}{f' ({code})' if code else ''}"
    members: dict[str, object] = {"request_id": plain(error["id"], 100)} if error.get("id") else {}
    wait = _retry_after(response, kind)
    passing = response.status >= 500 or None
    return kind(text, hint=hint, status_code=response.status, retry_after=wait, retryable=passing, **members)  # type: ignore[arg-type]


def _place(fault: Mapping[str, object]) -> str:
    """The parameter that a validation error is about: the end of its `loc`."""
    location = fault.get("loc")
    return plain(location[-1], 40) if isinstance(location, list) and location else "request"


def _retry_after(response: Response, kind: type[WebtoolError]) -> float | None:
    """Seconds, from `X-RateLimit-Reset: 1, 1419704`: the windows of the second and of the month."""
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
    "OPTION_NOT_IN_PLAN": (InvalidArgument, "Leave out the option that the plan of this key does not have."),
    "VALIDATION": _BAD_PARAMETER,
    "RATE_LIMITED": _TOO_FAST,
    "QUOTA_LIMITED": (QuotaExceeded, "The month's requests are used up: raise the plan, or use another provider."),
    "401": _BAD_KEY,
    "403": _BAD_KEY,
    "422": _BAD_PARAMETER,
    "429": _TOO_FAST,
}
