"""Redirects (RFC 9110 section 15.4), and the cookies of a chain: which host gets which."""

import pytest

from webtool import urls
from webtool.errors import HttpError, InvalidUrl, NetworkError, SsrfBlocked
from webtool.net.messages import Headers, Request, Response
from webtool.net.redirects import Chain, Cookies, RedirectError, next_request

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
def test_a_location_is_resolved_against_the_url(location, url):
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


def test_secret_headers_do_not_reach_another_origin():
    request = Request(HERE, "GET", PRIVATE)
    assert following(302, "/z", request).headers == PRIVATE
    for place in ("https://b.example/", "http://a.example/", "https://a.example:8443/", "https://x.a.example/"):
        assert following(302, place, request).headers == (("Accept", "t"),)


def test_conditional_headers_are_dropped_at_a_redirect():
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
def test_redirects_without_a_usable_target_are_errors(status, location, error):
    with pytest.raises(error):
        following(status, location)


def walked(*places, cookie_at=None, most=5):
    """Return a chain of redirects from the first of these URLs to the last."""
    chain, request = Chain(most), Request(places[0])
    for at, place in enumerate(places[1:]):
        cookie = [("Set-Cookie", "a=1")] if at == cookie_at else []
        response = Response(request.url, 302, "", Headers([("Location", place), *cookie]), b"")
        request = chain.follow(request, urls.parse(request.url), response)
    return chain


A, B, C = "https://a.example/1", "https://b.example/2", "https://c.example/3"


def test_an_error_for_a_refused_target_names_the_redirecting_page():
    for places, leader in (((A, B), A), ((A, B, C), B)):
        error = SsrfBlocked("it is private")
        walked(*places).name_redirect(error, "http://127.0.0.1/")
        assert error.message == f"{leader} redirects to http://127.0.0.1/: it is private"
        assert error.url == "http://127.0.0.1/"


def test_a_circular_chain_ends_but_may_return_once_with_cookies():
    with pytest.raises(RedirectError, match=f"in a circle, back to {A}"):
        walked(A, B, A)
    walked(A, B, A, cookie_at=0)
    with pytest.raises(RedirectError, match="in a circle"):
        walked(A, B, A, B, A, cookie_at=0)


@pytest.mark.parametrize(("most", "text"), [(0, "0 redirects"), (1, "1 redirect;"), (2, "2 redirects;")])
def test_the_length_of_a_chain_is_limited(most, text):
    places = [f"https://a.example/{n}" for n in range(most + 2)]
    walked(*places[:-1], most=most)
    with pytest.raises(RedirectError, match=f"more than {text}"):
        walked(*places, most=most)


PLAIN_URL, SECURE_URL, OTHER_URL = (
    urls.parse(text) for text in ("http://a.example/", "https://a.example/", "http://b.example/")
)


def test_cookies_come_back_to_their_host():
    cookies = Cookies()
    assert not cookies
    cookies.store(
        PLAIN_URL,
        Headers([("Set-Cookie", " a = 1 ; Path=/; HttpOnly"), ("set-cookie", "b=2; Secure"), ("Set-Cookie", "x")]),
    )
    assert cookies.header(PLAIN_URL) == "a=1"
    assert cookies.header(SECURE_URL) == "a=1; b=2"
    assert cookies.header(OTHER_URL) == ""
    cookies.store(PLAIN_URL, Headers([("Set-Cookie", "a=; Max-Age=00"), ("Set-Cookie", "b=3; max-age=-1")]))
    assert not cookies


# RFC 6265 section 5.1.3: (host that sets, Domain, hosts that get it, hosts that do not)
DOMAINS = [
    (
        "a.example.com",
        "example.com",
        ("a.example.com", "b.example.com", "example.com"),
        ("example.org", "aexample.com"),
    ),
    ("a.example.com", ".Example.COM", ("b.example.com",), ("xexample.com",)),
    ("a.example.com", "", ("a.example.com",), ("b.a.example.com", "example.com")),
    ("example.com", "a.example.com", (), ("a.example.com", "example.com")),
    ("a.example.com", "example.org", (), ("a.example.com", "example.org")),
    ("a.example.com", "com", (), ("a.example.com", "b.com")),
    ("a.example.com", "le.com", (), ("a.example.com", "x.le.com")),
    ("localhost", "localhost", ("localhost",), ("a.localhost",)),
    ("10.0.0.1", "0.0.1", (), ("10.0.0.1", "20.0.0.1")),
    ("10.0.0.1", "10.0.0.1", ("10.0.0.1",), ("1.10.0.0.1",)),
]


@pytest.mark.parametrize(("host", "domain", "get", "miss"), DOMAINS)
def test_a_domain_cookie_goes_to_the_hosts_below_the_domain(host, domain, get, miss):
    cookies = Cookies()
    attribute = f"; Domain={domain}" if domain else ""
    cookies.store(PLAIN_URL._replace(host=host), Headers([("Set-Cookie", f"a=1{attribute}")]))
    assert [cookies.header(PLAIN_URL._replace(host=name)) for name in get] == ["a=1"] * len(get)
    assert [cookies.header(PLAIN_URL._replace(host=name)) for name in miss] == [""] * len(miss)


# RFC 6265 section 4.1.1: what could not be sent back is not kept.
@pytest.mark.parametrize("pair", ["a\x01=1", "a=\x7f", "a=b\tc", "a=\u00e9", "=1", "a", ""])
def test_cookies_that_do_not_fit_a_header_are_ignored(pair):
    cookies = Cookies()
    cookies.store(PLAIN_URL, Headers([("Set-Cookie", pair)]))
    assert not cookies


def test_the_number_of_cookies_is_limited():
    cookies = Cookies()
    cookies.store(PLAIN_URL, Headers([("Set-Cookie", f"n{n}=v") for n in range(1000)]))
    assert cookies.header(PLAIN_URL) == "; ".join(f"n{n}=v" for n in range(50))
    cookies.store(
        PLAIN_URL, Headers([("Set-Cookie", "n7=newer"), ("Set-Cookie", "n8=; Max-Age=0"), ("Set-Cookie", "x=y")])
    )
    assert "n7=newer" in cookies.header(PLAIN_URL)
    assert "n8" not in cookies.header(PLAIN_URL)
    assert cookies.header(PLAIN_URL).endswith("x=y")


@pytest.mark.parametrize(("length", "is_kept"), [(4096, True), (4097, False)])
def test_the_length_of_a_cookie_is_limited(length, is_kept):
    cookies = Cookies()
    cookies.store(PLAIN_URL, Headers([("Set-Cookie", "l=" + "x" * (length - 2))]))
    assert bool(cookies) is is_kept


EXPIRES = [
    ("a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", True),
    ("a=; expires=Thu, 01-Jan-1970 00:00:01 GMT", True),
    ("a=; Expires=Thursday, 01-Jan-70 00:00:00 GMT", False),  # 2070: less than 50 years ahead
    ("a=; Expires=Sun, 06 Nov 1994 08:49:37 GMT", True),
    ("a=2; Expires=Wed, 06 Nov 2097 08:49:37 GMT", False),
    ("a=2; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", False),
    ("a=2; Expires=yesterday", False),
]


@pytest.mark.parametrize(("field", "is_removed"), EXPIRES)
def test_a_cookie_that_has_ended_is_removed(field, is_removed):
    cookies = Cookies()
    cookies.store(PLAIN_URL, Headers([("Set-Cookie", "a=1")]))
    cookies.store(PLAIN_URL, Headers([("Date", "Tue, 15 Nov 2022 08:12:31 GMT"), ("Set-Cookie", field)]))
    assert bool(cookies) is not is_removed
