"""Cookies: which host gets which, and how many are kept."""

import pytest

from webtool import urls
from webtool.net.cookies import Cookies
from webtool.net.messages import Headers

HERE, SECURE, OTHER = (urls.parse(text) for text in ("http://a.example/", "https://a.example/", "http://b.example/"))


def test_cookies_come_back_to_their_host():
    cookies = Cookies()
    assert not cookies
    cookies.store(
        HERE, Headers([("Set-Cookie", "a=1; Path=/; HttpOnly"), ("set-cookie", "b=2; Secure"), ("Set-Cookie", "x")])
    )
    assert cookies.header(HERE) == "a=1"
    assert cookies.header(SECURE) == "a=1; b=2"
    assert cookies.header(OTHER) == ""
    cookies.store(HERE, Headers([("Set-Cookie", "a=; Max-Age=0"), ("Set-Cookie", "b=3; max-age=-1")]))
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
def test_a_cookie_of_a_domain_goes_to_the_hosts_below_it(host, domain, get, miss):
    cookies = Cookies()
    attribute = f"; Domain={domain}" if domain else ""
    cookies.store(HERE._replace(host=host), Headers([("Set-Cookie", f"a=1{attribute}")]))
    assert [cookies.header(HERE._replace(host=name)) for name in get] == ["a=1"] * len(get)
    assert [cookies.header(HERE._replace(host=name)) for name in miss] == [""] * len(miss)


# RFC 6265 section 4.1.1: what could not be sent back is not kept.
@pytest.mark.parametrize("pair", ["a\x01=1", "a=\x7f", "a=b\tc", "a=\u00e9", "=1", "a", ""])
def test_cookies_that_no_header_could_carry_are_not_kept(pair):
    cookies = Cookies()
    cookies.store(HERE, Headers([("Set-Cookie", pair)]))
    assert not cookies


def test_cookies_have_a_bound():
    cookies = Cookies()
    cookies.store(HERE, Headers([("Set-Cookie", f"n{n}=v") for n in range(1000)]))
    assert cookies.header(HERE) == "; ".join(f"n{n}=v" for n in range(50))
    cookies.store(HERE, Headers([("Set-Cookie", "n7=newer"), ("Set-Cookie", "n8=; Max-Age=0"), ("Set-Cookie", "x=y")]))
    assert "n7=newer" in cookies.header(HERE)
    assert "n8" not in cookies.header(HERE)
    assert cookies.header(HERE).endswith("x=y")


@pytest.mark.parametrize(("length", "is_kept"), [(4096, True), (4097, False)])
def test_a_cookie_has_a_bound(length, is_kept):
    cookies = Cookies()
    cookies.store(HERE, Headers([("Set-Cookie", "l=" + "x" * (length - 2))]))
    assert bool(cookies) is is_kept
