"""Errors of fetches that fail outside the page's own response: they name the cause and what to do next.

Every failure is provoked over loopback. Text from a page, user or setting is shortened in messages, and credentials
never appear.
"""

import errno
import json
import re
import socket

import pytest
from net import faults
from net.fault_server import FaultServer
from net.proxy_server import ProxyServer
from servers import closed_port

from webtool.context import Context
from webtool.errors import WebtoolError, of_bug
from webtool.net.messages import Headers, Response
from webtool.net.statuses import error_for
from webtool.settings import Settings
from webtool.tools import web_fetch

SECRET = "hunter2"


def failure(url, environ=None, **settings):
    """Fetch and return the error object."""
    values = {"allow_private_hosts": ("127.0.0.1", "localhost"), "deadline": 5.0, "cache": False, **settings}
    ctx = Context(Settings(**values), environ=environ or {})
    try:
        with pytest.raises(WebtoolError) as caught:
            web_fetch.run(ctx, url=url)
    finally:
        ctx.close()
    error_object = caught.value.to_dict()
    assert SECRET not in json.dumps(error_object)
    assert len(error_object["error"]) < 800
    assert error_object["error"].isprintable()
    assert error_object["hint"].endswith(".")
    return error_object


def test_a_proxy_that_is_down_is_named_with_its_variable():
    port = closed_port()
    for variable, scheme in (("http_proxy", "http"), ("HTTPS_PROXY", "https"), ("all_proxy", "https")):
        error_object = failure(f"{scheme}://site.example/", {variable: f"http://u:{SECRET}@127.0.0.1:{port}"})
        assert f"the proxy 127.0.0.1:{port} that {variable} names cannot be reached" in error_object["error"]
        assert "Connection refused" in error_object["error"]
        assert f"unset {variable}" in error_object["hint"]
        assert "no_proxy=site.example" in error_object["hint"]
        assert error_object["error_code"] == "NETWORK_ERROR"


def test_an_unresolvable_proxy_is_blamed_not_the_site():
    error_object = failure("https://site.example/", {"https_proxy": "http://no-such-proxy.invalid:3128"})
    assert "the proxy no-such-proxy.invalid:3128 that https_proxy names" in error_object["error"]


# (value of http_proxy, what the message shows of it)
NO_PROXIES = [
    ("nonsense://[", "'nonsense://['"),
    (f"socks5://u:{SECRET}@p.example:1080", "'socks5://p.example:1080'"),
    (f"http://u:{SECRET}@[", "'http://['"),
    (f"http://u:{SECRET}://x@[", "'http://['"),
    (f"u:{SECRET}://x@[", "'['"),
    (f"http://u:{SECRET} x@p:y", "'http://p:y'"),
    ("x" * 5000 + "://[", "'xxxxxxxxxxxxxxxxxxxx://['"),
    ("http://" + "y" * 5000 + ":z", "yyy...'"),
]


@pytest.mark.parametrize(("value", "shown"), NO_PROXIES, ids=range(len(NO_PROXIES)))
def test_an_invalid_proxy_value_is_shown_without_credentials(value, shown):
    error_object = failure("http://site.example/", {"http_proxy": value})
    assert error_object["error"].startswith("Failed to fetch URL: http_proxy names ")
    assert shown in error_object["error"]
    assert "http://host:port" in error_object["hint"]


# (what the proxy answers to CONNECT, what the error says, what the hint says)
TUNNELS = [
    (b"HTTP/1.1 407 Who\r\n\r\n", "HTTP 407", "user:password"),
    (b"HTTP/1.1 403 No\r\n\r\n", "HTTP 403", "rules forbid"),
    (b"HTTP/1.1 502 No\r\n\r\n", "HTTP 502", "https_proxy"),
    (b"what?\r\n\r\n", "does not answer like a proxy: the server's answer is not HTTP", "not an HTTP proxy"),
    (b"HTTP/1.1 20", "closed the connection", "Try again"),
]


@pytest.mark.parametrize(("answer", "error", "hint"), TUNNELS, ids=range(len(TUNNELS)))
def test_a_failed_tunnel_is_blamed_on_the_proxy(answer, error, hint):
    with FaultServer(faults.page()) as server, ProxyServer(server.port, refusal=answer) as proxy:
        error_object = failure("https://site.example/", {"https_proxy": f"127.0.0.1:{proxy.port}"})
    assert error in error_object["error"]
    assert f"127.0.0.1:{proxy.port} that https_proxy names" in error_object["error"]
    assert hint in error_object["hint"]


def test_a_response_that_breaks_off_behind_a_proxy_names_the_proxy():
    with FaultServer(faults.page()) as server, ProxyServer(server.port, refusal=b"HTTP/1.1 200 OK\r\n") as proxy:
        error_object = failure("http://site.example/", {"http_proxy": f"127.0.0.1:{proxy.port}"}, respect_robots=False)
    assert "inside the headers (through the proxy 127.0.0.1:" in error_object["error"]


def test_a_silent_proxy_is_a_timeout_that_names_it():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        environ = {"https_proxy": f"127.0.0.1:{silent.getsockname()[1]}"}
        error_object = failure("https://site.example/", environ, deadline=1.0)
    assert error_object["error_code"] == "FETCH_TIMEOUT"
    assert re.search(r"no answer from the proxy within [01]\.\d s \(through the proxy 127", error_object["error"])


LONG = "a" * 3000
# (URL, settings, code, in the error, in the hint)
REFUSALS = [
    ("http://site.example:22/", {}, "SSRF_BLOCKED", "port 22 of site.example", "Check the port"),
    ("http://site.example:0/", {}, "SSRF_BLOCKED", "port 0 of site.example", "Check the port"),
    ("http://x.example/", {"allow_domains": ("a.test", "b.test")}, "SSRF_BLOCKED", "not on the list", "a.test, b.test"),
    ("http://x.a.test/", {"deny_domains": ("a.test",)}, "SSRF_BLOCKED", "x.a.test is on", "another source"),
    (
        "http://printer.local/",
        {},
        "SSRF_BLOCKED",
        "this machine or its network",
        "WEBTOOL_ALLOW_PRIVATE_HOSTS=printer.local",
    ),
    ("http://10.0.0.1/", {}, "SSRF_BLOCKED", "10.0.0.1 is not a public address (a private network)", "public"),
    ("http://a..example/", {}, "INVALID_URL", "nothing before or between its dots", "spelling"),
    (f"http://{LONG}.example/", {}, "INVALID_URL", "longer than DNS allows", "spelling"),
    (f"http://{LONG}.local/", {}, "SSRF_BLOCKED", "aaa... is a name", "public"),
    (f"http://{LONG}.a.test/", {"deny_domains": ("a.test",)}, "SSRF_BLOCKED", "aaa... is on", "another"),
    (f"http://{LONG}.a.test/", {"allow_domains": ("b.test",)}, "SSRF_BLOCKED", "aaa... is not on", "b.test"),
    (f"http://x.example/?{LONG * 30}", {}, "INVALID_URL", "at most 65536", "Leave out"),
    ("http://[::1", {}, "INVALID_URL", "opening bracket without a closing one", "https://example.com/page"),
    ("http://a:b/", {}, "INVALID_URL", "the port is not a number", "https://example.com/page"),
    ("http://a b/", {}, "INVALID_URL", "no host may have: ' '", "https://example.com/page"),
    ("mailto:a@b.example", {}, "INVALID_URL", "'mailto:a@b.example' has the scheme mailto", "http or https"),
    (f"{LONG}:x", {}, "INVALID_URL", "has the scheme aaaaaaaaaaaaaaaaaaaa...;", "http or https"),
    ("", {}, "INVALID_URL", "the URL is empty", "https://example.com/page"),
    (f"u:{SECRET}@site.example", {}, "INVALID_URL", "'***@site.example'", "http or https"),
    (f"http://u:{SECRET}/x@site.example", {}, "INVALID_URL", "'http://site.example'", "https://example.com/page"),
    (f"http://u:{SECRET} x@site.example:y", {}, "INVALID_URL", "'http://site.example:y'", "https://example.com/page"),
    ("http://x.example/", {"allow_private_hosts": ("/" * 3000,)}, "INVALID_ARGUMENT", "///...'", "10.0.0.0/8"),
]


@pytest.mark.parametrize(("url", "settings", "code", "error", "hint"), REFUSALS, ids=range(len(REFUSALS)))
def test_a_refusal_names_what_would_be_allowed(url, settings, code, error, hint):
    error_object = failure(url, **settings)
    assert error_object["error_code"] == code
    assert error in error_object["error"]
    assert hint in error_object["hint"]
    assert len(error_object.get("url") or "") < 2100


def test_a_refused_connection_names_address_and_port():
    port = closed_port()
    error_object = failure(f"http://127.0.0.1:{port}/")
    assert f"Connection refused (127.0.0.1 port {port})" in error_object["error"]
    assert "port" in error_object["hint"]


# (Location, in the error, in the hint); every one begins with the page that redirects there
REDIRECTS = [
    ("http://169.254.169.254/latest", " redirects to http://169.254.169.254/latest: ", "public"),
    ("http://[::1", " redirects to a URL that cannot be fetched: 'http://[::1'", "https"),
    ("mailto:a@b", "'mailto:a@b' has the scheme mailto", "another source"),
    ("y" * 4000 + ":z", "has the scheme yyyyyyyyyyyyyyyyyyyy; only", "another source"),
    (f"http://u:{SECRET}@127.0.0.1/", "carries user information", "before the @"),
    ("/" + "x" * 70000, "at most 65536", "search for the page"),
    ("http://site.example:25/", "port 25 of site.example", "Check the port"),
]


@pytest.mark.parametrize(("location", "error", "hint"), REDIRECTS, ids=range(len(REDIRECTS)))
def test_a_bad_redirect_is_reported_with_the_page_that_redirects(location, error, hint):
    with FaultServer(faults.status("302 Found", f"Location: {location}")) as server:
        page = f"http://127.0.0.1:{server.port}/page"
        error_object = failure(page)
    assert error_object["error"].startswith(f"{page} redirects to ")
    assert error in error_object["error"]
    assert hint in error_object["hint"]


# (status line, header lines, in the hint)
STATUSES = [
    ("429 Slow", ["Retry-After: 77"], "come back in 77 s"),
    ("503 Busy", ["Retry-After: 3600"], "come back in 3600 s"),
    ("503 Busy", ["Retry-After: never"], "later"),
    ("404 Gone", ["Retry-After: 77"], "does not have this page"),
    ("418 Teapot", [], "will not help"),
    ("599 Odd", [], "later"),
    ("999 Denied", [], "keep programs out"),
]


@pytest.mark.parametrize(("line", "fields", "hint"), STATUSES)
def test_an_error_status_says_whether_and_when_to_retry(line, fields, hint):
    with FaultServer(faults.status(line, *fields)) as server:
        assert hint in failure(f"http://127.0.0.1:{server.port}/")["hint"]


def test_a_failure_of_robots_txt_is_not_reported_as_the_pages():
    with FaultServer(faults.page(), robots=lambda exchange: exchange.send(b"no HTTP\r\n\r\n")) as server:
        origin = f"http://127.0.0.1:{server.port}"
        error_object = failure(f"{origin}/page")
    assert f"(of {origin}/robots.txt, which is asked for first)" in error_object["error"]
    with FaultServer(faults.page(), robots=faults.status("503 Busy")) as server:
        assert "robots.txt cannot be read (HTTP 503)" in failure(f"http://127.0.0.1:{server.port}/")["error"]


def test_a_long_path_that_robots_txt_forbids_is_not_echoed_whole():
    with FaultServer(faults.page(), robots=faults.robots_txt("User-agent: *\nDisallow: /")) as server:
        error_object = failure(f"http://127.0.0.1:{server.port}/{LONG}")
    assert len(error_object["path"]) < 300


# (entry of the hosts file, in the error)
HOSTS_FILES = [
    ({"headers": ["X-A: b"]}, "'headers' of 'http://127.0.0.1' is not an object"),
    ({"header": {"X-A": "b"}}, "'header' of 'http://127.0.0.1' is not one of headers, cookies, user_agent, netrc"),
    ({"netrc": "yes"}, "'netrc' of 'http://127.0.0.1' is not true or false"),
    ({"cookies": 1}, "is not an object/a string"),
    ({"headers": {"X-A": ["b"]}}, "'headers' of 'http://127.0.0.1' has a value that is not a string"),
    ({"cookies": {"a": None}}, "'cookies' of 'http://127.0.0.1' has a value that is not a string"),
    ({"headers": {"X-A": "b\r\nX-B: c"}}, "'X-A' contains a character that headers may not contain"),
    ({"headers": {"X A" * 1000: "b"}}, "...' contains a character that headers may not contain"),
]


@pytest.mark.parametrize(("entry", "error"), HOSTS_FILES, ids=range(len(HOSTS_FILES)))
def test_a_useless_or_harmful_hosts_file_is_an_error(tmp_path, entry, error):
    path = tmp_path / "hosts.json"
    path.write_text(json.dumps({"http://127.0.0.1": entry}))
    with FaultServer(faults.page()) as server:
        error_object = failure(f"http://127.0.0.1:{server.port}/", hosts_file=str(path), respect_robots=False)
    assert error in error_object["error"]
    assert "hosts file" in error_object["hint"]


@pytest.mark.parametrize(
    ("headers", "is_of_proxy"),
    [
        ({"Server": "squid/5.7", "X-Squid-Error": "ERR_CONNECT_FAIL 111"}, True),
        ({"Proxy-Status": "ExampleCDN; error=connection_refused"}, True),
        ({"Proxy-Status": "ExampleCDN;error=dns_error"}, True),
        ({"Proxy-Agent": "x"}, True),
        ({"Server": "nginx", "Via": "1.1 proxy"}, False),
        ({"Proxy-Status": "ExampleCDN; next-hop=backend"}, False),
    ],
)
@pytest.mark.parametrize("status", [403, 502])
def test_a_proxys_own_response_is_reported_as_the_proxys(headers, is_of_proxy, status):
    http_error = error_for(
        Response("http://e.example/", status, "X", Headers(headers.items()), b"", proxy="the proxy P")
    )
    assert http_error.message.startswith("the proxy P answered") is is_of_proxy
    assert "the proxy P" in http_error.message


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, 0])
def test_a_process_without_free_descriptors_says_so(number):
    error = of_bug(OSError(number, "Too many open files", "webtool/net.bin"))
    assert error.message.startswith("this process can open no further file")
    assert "ulimit" in error.hint
    assert "a bug" in of_bug(OSError(errno.EIO, "x")).message
