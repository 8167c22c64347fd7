"""What follows one response, by RFC 9110 section 15.4."""

import pytest

from webtool.errors import HttpError, InvalidUrl, NetworkError
from webtool.net.messages import Headers, Request, Response
from webtool.net.redirects import next_request

HERE = "https://a.example/x/y?q"
PRIVATE = (("Authorization", "s"), ("Cookie", "s"), ("X-Subscription-Token", "s"), ("Accept", "t"))


def following(status, location, request=Request(HERE)):  # noqa: B008
    headers = Headers([] if location is None else [("Location", location)])
    return next_request(request, Response(HERE, status, "", headers, b""))


PLACES = [
    ("z", "https://a.example/x/z"),
    ("/z#f", "https://a.example/z"),
    ("//b.example", "https://b.example/"),
    ("?r", "https://a.example/x/y?r"),
    (" /z ", "https://a.example/z"),
    ("/caf\xc3\xa9", "https://a.example/caf%C3%A9"),  # UTF-8 as the header parser reads it
    ("/caf\xe9", "https://a.example/caf%C3%A9"),
]


@pytest.mark.parametrize(("location", "url"), PLACES)
def test_location_is_joined_to_the_url(location, url):
    assert following(302, location).url == url


METHODS = [
    (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (307, "POST", "POST"), (308, "POST", "POST"),
    (303, "HEAD", "HEAD"), (302, "HEAD", "HEAD"), (301, "GET", "GET"), (303, "PUT", "GET"), (301, "PUT", "PUT"),
]  # fmt: skip


@pytest.mark.parametrize(("status", "method", "then"), METHODS)
def test_method_changes_as_the_rfc_says(status, method, then):
    request = Request(HERE, method, (("Content-Type", "t"),), b"body")
    after = following(status, "/z", request)
    assert after.method == then
    assert bool(after.body) == (then == method)
    assert bool(after.headers) == (then == method)


def test_what_was_meant_for_one_origin_does_not_reach_another():
    request = Request(HERE, "GET", PRIVATE)
    assert following(302, "/z", request).headers == PRIVATE
    for place in ("https://b.example/", "http://a.example/", "https://a.example:8443/", "https://x.a.example/"):
        assert following(302, place, request).headers == (("Accept", "t"),)


def test_conditions_belong_to_the_first_url():
    request = Request(HERE, "GET", (("If-None-Match", '"x"'),))
    assert following(302, "/z", request).headers == ()
    assert following(304, None, request) is None


@pytest.mark.parametrize("status", [200, 204, 206, 300, 400, 404, 500])
def test_other_statuses_are_final(status):
    assert following(status, "/z") is None


WRONG = [
    (302, None, HttpError), (302, "", HttpError), (305, "/z", HttpError), (306, "/z", HttpError),
    (302, "javascript:x", InvalidUrl), (302, "http://[", InvalidUrl), (302, "ftp://a/", InvalidUrl),
    (304, None, NetworkError),
]  # fmt: skip


@pytest.mark.parametrize(("status", "location", "error"), WRONG)
def test_redirects_that_lead_nowhere_are_errors(status, location, error):
    with pytest.raises(error):
        following(status, location)
