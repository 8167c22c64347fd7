"""Requests to Vertex AI Search, and its answers: results and errors."""

import json
import pathlib

import pytest
from fake_providers import received

from webtool.errors import WebtoolError
from webtool.providers import google
from webtool.providers.results import Account, Query

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
    assert google.is_serving_config(engine) is is_config


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
