"""Requests to Vertex AI Search, and its answers: results and errors."""

import json
import pathlib

import pytest
from fake_providers import received

from webtool.context import Context
from webtool.errors import WebtoolError
from webtool.providers import driver, google
from webtool.providers.results import Account, Query
from webtool.settings import Settings

FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "fixtures"
vertex = google.VERTEX
ENGINE = "projects/p-1/locations/global/collections/default_collection/engines/e_1/servingConfigs/default_search"
ENDPOINT = "https://discoveryengine.googleapis.com/v1"
NOW = 1795300000


def sent(query, position=("offset", 0), engine=ENGINE, endpoint=ENDPOINT):
    request = vertex.request(query, Account(endpoint, "K/Y", engine), position)
    assert request.method == "POST"
    assert ("Content-Type", "application/json") in request.headers
    return request.url, json.loads(request.body)


def test_later_pages_come_by_offset_or_token():
    assert vertex.first(Query("tides", 5, options={"start": 11})) == ("offset", 10)
    assert sent(Query("tides", 5), ("offset", 10))[1]["offset"] == 10
    body = sent(Query("tides", 5), ("pageToken", "abc"))[1]
    assert body["pageToken"] == "abc"
    assert "offset" not in body


def test_domain_lists_ask_for_a_larger_page():
    assert sent(Query("tides", 5, ("a.example",)))[1]["pageSize"] == 25
    assert sent(Query("tides", 5, (), ("a.example",)))[1]["pageSize"] == 25


def test_options_become_members():
    options = {"safesearch": "strict", "search_lang": "jp", "country": "DE"}
    body = sent(Query("tides", 5, options=options))[1]
    assert (body["safeSearch"], body["languageCode"], body["params"]) == (True, "ja", {"user_country_code": "de"})
    body = sent(Query("tides", 5, options={"safesearch": "off", "country": "ALL"}))[1]
    assert body["safeSearch"] is False
    assert "params" not in body


NAMES = [
    (ENGINE, True),
    (f"//discoveryengine.googleapis.com/{ENGINE}", True),
    (f"//eu-discoveryengine.googleapis.com/{ENGINE}", True),
    ("0a1b2c3d4e5f60718", False),
    ("myprojects/1", False),
    ("", False),
]


@pytest.mark.parametrize(("engine", "is_config"), NAMES)
def test_resource_names_are_distinguished_from_engine_ids(engine, is_config):
    account = google.account(Settings(), {"GOOGLE_SEARCH_API_KEY": "k", "GOOGLE_SEARCH_ENGINE_ID": engine})
    assert (account.engine is google.VERTEX) is is_config


def test_the_full_resource_name_is_accepted():
    assert sent(Query("tides", 5), engine=f"//discoveryengine.googleapis.com/{ENGINE}")[0].startswith(
        f"{ENDPOINT}/{ENGINE}:searchLite?"
    )


@pytest.mark.parametrize("region", ["us", "eu"])
def test_multi_regions_have_their_own_host(region):
    engine = ENGINE.replace("/global/", f"/{region}/")
    for name in (engine, f"//{region}-discoveryengine.googleapis.com/{engine}"):
        assert sent(Query("tides", 5), engine=name)[0].startswith(
            f"https://{region}-discoveryengine.googleapis.com/v1/"
        )
    assert sent(Query("tides", 5), engine=engine, endpoint="http://127.0.0.1:1/v1")[0].startswith("http://127.0.0.1:1/")


WRONG = [
    "projects/p/locations/global",
    "projects/p/../../servingConfigs/x",
    "projects/p/servingConfigs/x?key=other",
    "projects/p/servingConfigs/x#",
    "projects//servingConfigs/x",
    "projects/p/servingConfigs/x y",
    "projects/p\n/servingConfigs/x",
]


@pytest.mark.parametrize("engine", WRONG)
def test_a_name_that_could_leave_its_path_is_not_sent(engine):
    with pytest.raises(WebtoolError) as caught:
        vertex.request(Query("tides", 5), Account(ENDPOINT, "K", engine), ("offset", 0))
    assert caught.value.code == "AUTH_INVALID"
    assert "servingConfigs" in caught.value.hint


def test_results_are_read():
    response = received((FIXTURES / "vertex_results.json").read_bytes())
    answer = vertex.results(response, Query("t", 5), ("offset", 0), NOW)
    first, second = answer.results
    assert first.description == "The tide turns & waits for none ..."
    assert first.published_date == "2026-05-06T07:08:09Z"
    assert (second.title, second.description, second.published_date) == ("Charts", "", None)
    assert answer.next == ("pageToken", "page-two-token")
    assert answer.altered == "tides"
    assert answer.request_id == "token-of-this-search"


class SearchApp:
    """Vertex AI Search over pages of which every third is on a.example."""

    def __init__(self, pages=90):
        self.asked, self.pages = [], pages

    def ask(self, request, **_):
        body = json.loads(request.body)
        begin = int(body.get("pageToken") or body.get("offset", 0))
        end = begin + body["pageSize"]
        self.asked.append((begin, end))
        links = [f"https://{'bac'[n % 3]}.example/{n}" for n in range(begin, min(end, self.pages))]
        documents = [{"document": {"derivedStructData": {"link": link}}} for link in links]
        return received({"results": documents, **({"nextPageToken": str(end)} if end < self.pages else {})})


def found(client, query="tides", count=10, **options):
    keys = {"GOOGLE_SEARCH_API_KEY": "key", "GOOGLE_SEARCH_ENGINE_ID": ENGINE}
    ctx = Context(Settings(search_interval=0.0), client, cache=None, environ=keys)
    answer = driver.search(ctx, "google", query, count, **options)
    return [int(result.url.rpartition("/")[2]) for result in answer.results], answer


FILTERS = [{"allowed_domains": ["a.example"]}, {"blocked_domains": ["b.example"]}, {}]


@pytest.mark.parametrize("lists", FILTERS)
def test_pages_neither_overlap_nor_leave_out_results(lists):
    numbers = [n for n in range(90) if not lists or (n % 3 == 1 or ("blocked_domains" in lists and n % 3))]
    by_offset = [found(SearchApp(), offset=page, **lists)[0] for page in range(3)]
    assert [number for page in by_offset for number in page] == numbers[:30]
    by_start = [found(SearchApp(), start=start, **lists)[0] for start in (1, 11, 21)]
    assert by_start == by_offset


def test_a_page_after_the_last_result_is_empty_and_says_so():
    numbers, answer = found(SearchApp(), start=41, allowed_domains=["a.example"])
    assert (numbers, answer.more_results_available) == ([], False)


def test_a_page_far_behind_the_first_costs_few_requests():
    client = SearchApp(pages=1000)
    numbers, answer = found(client, start=900_000_000, allowed_domains=["a.example"])
    assert (numbers, answer.more_results_available) == ([], True)
    assert len(client.asked) == 1 + driver.MAX_FURTHER_PAGES + driver.MAX_SKIPPED_PAGES
    assert "the pages that were read have 108 allowed results; number 900000000 was asked for" in answer.notes


def test_a_page_with_enough_results_costs_one_request():
    client = SearchApp()
    found(client, blocked_domains=["b.example"])
    assert client.asked == [(0, 25)]


def test_a_page_that_names_itself_as_the_next_one_is_the_last():
    body = {"results": [], "nextPageToken": "same"}
    assert vertex.results(received(body), Query("t", 5), ("pageToken", "same"), NOW).next is None
    assert vertex.results(received({}), Query("t", 5), ("offset", 0), NOW).next is None


@pytest.mark.parametrize(
    ("status", "name", "ours"),
    [
        (400, "FAILED_PRECONDITION", "API_ERROR"),
        (400, "INVALID_ARGUMENT", "INVALID_ARGUMENT"),
        (403, "PERMISSION_DENIED", "AUTH_INVALID"),
        (404, "NOT_FOUND", "AUTH_INVALID"),
        (429, "RESOURCE_EXHAUSTED", "RATE_LIMITED"),
        (503, "UNAVAILABLE", "API_ERROR"),
    ],
)
def test_errors_are_read_like_those_of_google(status, name, ours):
    body = {"error": {"code": status, "message": "Said so.", "status": name}}
    with pytest.raises(WebtoolError, match=r"^Vertex AI Search: Said so\.$") as caught:
        vertex.results(received(body, status), Query("t", 5), ("offset", 0), NOW)
    assert caught.value.code == ours
