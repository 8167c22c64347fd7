"""Watch, retries, cookies, and the hosts file: the small parts around one hop."""

import json
import os
import time

import pytest

from webtool import urls
from webtool.errors import Cancelled, FetchTimeout, InvalidArgument
from webtool.net.cookies import Cookies
from webtool.net.identity import HostHeaders
from webtool.net.messages import Headers
from webtool.net.retries import LONGEST_WAIT, retry_after, retry_delay
from webtool.net.watch import POLL, Watch
from webtool.robots.gate import product_token
from webtool.settings import Settings


def test_a_watch_says_how_long_and_what_was_going_on():
    watch = Watch(time.monotonic() + 100)
    assert 99 < watch.remaining("x") <= 100
    assert watch.step("x") > 99
    with pytest.raises(FetchTimeout, match="reading it") as caught:
        Watch(time.monotonic() - 1).step("reading it")
    assert caught.value.retryable


def test_a_watched_call_is_looked_at_often_and_can_be_given_up():
    assert Watch(time.monotonic() + 100, lambda: False).step("x") == POLL
    with pytest.raises(Cancelled):
        Watch(time.monotonic() + 100, lambda: True).step("x")


# (status, Retry-After, seconds left, delay)
RETRIES = [
    (429, "1", 10, 1), (503, "2", 10, 2), (503, "0", 10, 0.1), (500, "1", 10, None), (200, "1", 10, None),
    (429, None, 10, None), (429, "soon", 10, None), (429, "-1", 10, None), (429, "1.5", 10, None),
    (429, str(int(LONGEST_WAIT) + 1), 100, None), (429, "3", 3.5, None), (429, "9" * 400, 100, None),
    (429, "Fri, 31 Dec 1999 23:59:59 GMT", 100, None), (429, "\u0663", 100, None),
]  # fmt: skip


@pytest.mark.parametrize(("status", "value", "left", "delay"), RETRIES)
def test_a_short_wait_is_waited_and_a_long_one_told(status, value, left, delay):
    headers = Headers([] if value is None else [("Retry-After", value)])
    assert retry_delay(status, headers, left) == delay


# RFC 9110 section 10.2.3: (Retry-After, Date, seconds)
MOMENTS = [
    ("Fri, 16 Jan 2026 12:00:30 GMT", "Fri, 16 Jan 2026 12:00:00 GMT", 30.0),
    ("Fri, 16 Jan 2026 12:00:00 GMT", "Fri, 16 Jan 2026 12:00:30 GMT", 0.0),
    ("Friday, 16-Jan-26 12:02:00 GMT", "Friday, 16-Jan-26 12:00:00 GMT", 120.0),
    ("Fri, 16 Jan 2026 12:00:30 GMT", None, None),
    ("Fri, 16 Jan 2026 12:00:30 GMT", "now", None),
    ("in a while", "Fri, 16 Jan 2026 12:00:00 GMT", None),
]


@pytest.mark.parametrize(("value", "date", "seconds"), MOMENTS)
def test_a_moment_to_come_back_is_counted_from_the_servers_own_clock(value, date, seconds):
    pairs = [("Retry-After", value)] + ([("Date", date)] if date else [])
    assert retry_after(Headers(pairs)) == seconds


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
    cookies.store(HERE, Headers([("Set-Cookie", f"n{n}=v") for n in range(1000)] + [("Set-Cookie", "l=" + "x" * 5000)]))
    assert len(cookies.header(HERE)) < 1000


def headers_for(tmp_path, text, url="https://docs.example.com/"):
    path = tmp_path / "hosts.json"
    path.write_text(text)
    return HostHeaders(Settings(hosts_file=str(path)), {}).for_url(urls.parse(url))


ENTRIES = [
    ("docs.example.com", "https://docs.example.com/", True),
    ("DOCS.example.com.", "https://docs.example.com/", True),
    ("docs.example.com:8443", "https://docs.example.com:8443/", True),
    ("docs.example.com:8443", "https://docs.example.com/", False),
    ("docs.example.com", "https://docs.example.com:8443/", True),
    ("docs.example.com", "http://docs.example.com/", False),
    ("docs.example.com:80", "http://docs.example.com/", False),
    ("https://docs.example.com", "http://docs.example.com/", False),
    ("http://docs.example.com", "http://docs.example.com/", True),
    ("http://docs.example.com", "http://docs.example.com/robots.txt", False),
    ("docs.example.com", "https://docs.example.com/robots.txt", True),
    ("http://docs.example.com", "https://docs.example.com/", False),
    ("http://docs.example.com:8080/", "http://docs.example.com:8080/", True),
    ("http://docs.example.com:8080", "http://docs.example.com/", False),
    ("http://*.example.com:8080", "http://docs.example.com:8080/a", True),
    ("*.example.com", "http://docs.example.com/", False),
    ("[::1]:8443", "https://[::1]:8443/", True),
    ("[2001:db8::1]", "https://[2001:db8::1]/", True),
    ("*.example.com", "https://docs.example.com/", True),
    ("*.example.com", "https://example.com/", False),
    ("example.com", "https://docs.example.com/", False),
]


@pytest.mark.parametrize(("name", "url", "applies"), ENTRIES)
def test_an_entry_applies_to_its_host(tmp_path, name, url, applies):
    found = headers_for(tmp_path, json.dumps({name: {"headers": {"X": "1"}}}), url)
    assert found == ([("X", "1")] if applies else [])


@pytest.mark.parametrize("text", ["{", "[]", '{"a": 1}', "\x00", "[" * 200000])
def test_a_broken_hosts_file_is_an_error_that_names_it(tmp_path, text):
    with pytest.raises(InvalidArgument, match=r"hosts\.json"):
        headers_for(tmp_path, text)


@pytest.mark.parametrize("name", ["exa mple", "*.", "", "exa mple:80", "["])
def test_a_host_that_is_none_is_an_error_and_not_passed_over(tmp_path, name):
    with pytest.raises(InvalidArgument, match="is not a host name"):
        headers_for(tmp_path, json.dumps({"docs.example.com": {}, name: {"headers": {"X": "1"}}}))


def test_a_missing_hosts_file_is_an_error_only_where_a_setting_names_it(tmp_path):
    assert HostHeaders(Settings(), {"XDG_CONFIG_HOME": str(tmp_path)}).for_url(HERE) == []
    with pytest.raises(InvalidArgument):
        HostHeaders(Settings(hosts_file=str(tmp_path / "none.json")), {}).for_url(HERE)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are POSIX'")
def test_a_pipe_in_place_of_the_hosts_file_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "hosts.json")
    with pytest.raises(InvalidArgument, match=r"hosts\.json"):
        HostHeaders(Settings(hosts_file=str(tmp_path / "hosts.json")), {}).for_url(HERE)


@pytest.mark.parametrize("data", [b"nonsense x y\n", b"machine \xff\xfe login \xff password x\n"])
def test_a_broken_netrc_is_an_error_that_names_it(tmp_path, data):
    (tmp_path / "netrc").write_bytes(data)
    (tmp_path / "netrc").chmod(0o600)
    (tmp_path / "hosts.json").write_text('{"docs.example.com": {"netrc": true}}')
    settings = Settings(hosts_file=str(tmp_path / "hosts.json"))
    headers = HostHeaders(settings, {"NETRC": str(tmp_path / "netrc")})
    with pytest.raises(InvalidArgument, match="netrc"):
        headers.for_url(urls.parse("https://docs.example.com/"))


def test_a_missing_netrc_is_an_error_that_names_it(tmp_path):
    with pytest.raises(InvalidArgument, match="netrc"):
        headers_for(tmp_path, '{"docs.example.com": {"netrc": true}}')


@pytest.mark.parametrize(
    ("text", "token"), [("webtool/1 (x)", "webtool"), ("My-Bot", "My-Bot"), ("", "webtool"), ("9", "webtool")]
)
def test_the_product_token_is_the_first_word_of_the_user_agent(text, token):
    assert product_token(text) == token
