"""What follows one response, by RFC 9110 section 15.4."""

import pytest

from webtool import urls
from webtool.errors import HttpError, InvalidUrl, NetworkError, SsrfBlocked
from webtool.net.messages import Headers, Request, Response
from webtool.net.redirects import Chain, RedirectError, next_request

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


def walked(*places, cookie_at=None, most=5):
    """A chain that has been led to these places, the first one aside, one after the other."""
    chain, request = Chain(most), Request(places[0])
    for at, place in enumerate(places[1:]):
        cookie = [("Set-Cookie", "a=1")] if at == cookie_at else []
        response = Response(request.url, 302, "", Headers([("Location", place), *cookie]), b"")
        request = chain.follow(request, urls.parse(request.url), response)
    return chain


A, B, C = "https://a.example/1", "https://b.example/2", "https://c.example/3"


def test_the_error_of_a_place_that_is_refused_names_the_page_that_leads_there():
    for places, leader in (((A, B), A), ((A, B, C), B)):
        error = SsrfBlocked("it is private")
        walked(*places).name_redirect(error, "http://127.0.0.1/")
        assert error.message == f"{leader} redirects to http://127.0.0.1/: it is private"
        assert error.url == "http://127.0.0.1/"


def test_a_chain_ends_where_it_comes_back_but_once_with_cookies():
    with pytest.raises(RedirectError, match=f"in a circle, back to {A}"):
        walked(A, B, A)
    walked(A, B, A, cookie_at=0)
    with pytest.raises(RedirectError, match="in a circle"):
        walked(A, B, A, B, A, cookie_at=0)


@pytest.mark.parametrize(("most", "text"), [(0, "0 redirects"), (1, "1 redirect;"), (2, "2 redirects;")])
def test_a_chain_has_a_bound(most, text):
    places = [f"https://a.example/{n}" for n in range(most + 2)]
    walked(*places[:-1], most=most)
    with pytest.raises(RedirectError, match=f"more than {text}"):
        walked(*places, most=most)
