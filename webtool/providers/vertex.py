"""Write requests to Vertex AI Search (Discovery Engine, method searchLite) and read its answers.

In: a Query and a position: ("offset", 10) or ("pageToken", "x1"). Out: a Request, and the Page or error in a
Response. It searches the sites of the user's own search app, not the whole web. searchLite accepts an API key; the
method `search` would need OAuth.
Specification: https://docs.cloud.google.com/generative-ai-app-builder/docs/reference/rest (servingConfigs.searchLite).
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool.errors import AuthInvalid
from webtool.lean import patterns
from webtool.net.messages import Request, Response
from webtool.providers import google, payload
from webtool.providers.dates import leading_date
from webtool.providers.results import MAX_TITLE, Account, Page, Query, SearchResult, checked, plain, plain_from_html

NAME = "Vertex AI Search"
OPTIONS = frozenset(("offset", "start", "country", "search_lang", "safesearch"))
MAX_COUNT = 10  # results of one page
_FILTERED_PAGE_SIZE = 25  # results asked for if domain lists will drop some; the API allows no more
_PUBLIC_HOST = "discoveryengine.googleapis.com"
# A resource name; no part of it can leave the path. A project id may contain a colon (example.com:project).
_RESOURCE = patterns.compile(r"projects(?:/[A-Za-z0-9_~:-][A-Za-z0-9_.~:-]*)+")
_REGION = patterns.compile(r"/locations/(us|eu)/")


def first(query: Query) -> tuple[str, object]:
    """Return the position of the first page."""
    return "offset", google.first(query) - 1


def request(query: Query, account: Account, position: tuple[str, object]) -> Request:
    """Return the request for one page. Raises AuthInvalid for an engine id that is not a resource name."""
    name = google.resource_name(account.engine_id).strip("/")
    if not _RESOURCE.fullmatch(name) or "/servingConfigs/" not in name:
        raise AuthInvalid(
            "GOOGLE_SEARCH_ENGINE_ID begins with projects/ but is not a resource name of a serving config",
            hint="Copy it whole: projects/P/locations/global/collections/C/engines/E/servingConfigs/default_search.",
        )
    url = f"{_regional(account.endpoint, name).rstrip('/')}/{name}:searchLite?{payload.form([('key', account.key)])}"
    headers = (("Accept", "application/json"), ("Content-Type", "application/json"), *account.headers)
    return Request(url, "POST", headers, payload.json_body(_body(query, position)))


def _regional(endpoint: str, name: str) -> str:
    """Return the endpoint for the name's region: apps in the multi-regions us and eu have their own host name."""
    region = _REGION.search(name)
    return endpoint.replace(f"//{_PUBLIC_HOST}", f"//{region[1]}-{_PUBLIC_HOST}", 1) if region else endpoint


def _body(query: Query, position: tuple[str, object]) -> dict[str, object]:
    """Return the members of the request. searchLite documents no filter by site: webtool drops other sites itself."""
    is_filtered = bool(query.allowed_domains or query.blocked_domains)
    body: dict[str, object] = {
        "query": query.text,
        "pageSize": _FILTERED_PAGE_SIZE if is_filtered else min(query.limit, MAX_COUNT),
        "contentSearchSpec": {"snippetSpec": {"returnSnippet": True}},
    }
    kind, value = position
    if value:
        body[kind] = value
    if query.options.get("safesearch"):
        body["safeSearch"] = query.options["safesearch"] != "off"
    if query.options.get("search_lang"):
        body["languageCode"] = "ja" if query.options["search_lang"] == "jp" else query.options["search_lang"]
    country = str(query.options.get("country") or "").lower()
    if country and country != "all":
        body["params"] = {"user_country_code": country}
    return body


def results(response: Response, _query: Query, position: tuple[str, object], now: float) -> Page:
    """Return the page in the response. Raises WebtoolError if it is not a page of results."""
    if response.status != 200:
        raise google.error_for(response, NAME)
    members = payload.decode(response, NAME)
    documents = [payload.mapping(item.get("document")) for item in payload.items(members.get("results"))]
    usable = [result for result in (_result(document, now) for document in documents) if result is not None]
    token = payload.string(members.get("nextPageToken"))
    request_id = plain(members.get("attributionToken"), 200) or None
    altered = plain(members.get("correctedQuery")) or None
    has_next = token and token != position[1]
    return Page(usable, ("pageToken", token) if has_next else None, request_id, altered)


def _result(document: Mapping[str, object], now: float) -> SearchResult | None:
    data = payload.mapping(document.get("derivedStructData"))
    snippet = next(iter(payload.items(data.get("snippets"))), {})
    is_usable = snippet.get("snippet_status", "SUCCESS") == "SUCCESS"
    description = plain_from_html(snippet.get("snippet")) if is_usable else ""
    published = google.published_in(data.get("pagemap"), now) or leading_date(description, now)
    return checked(data.get("link"), plain(data.get("title"), MAX_TITLE), description, published)
