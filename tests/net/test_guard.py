"""Which URLs and addresses may be fetched: the shared table through the whole client, and the guard on its own."""

import ipaddress
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from net.fake_network import PAGE, FakeNetwork
from shared_cases import rows

from webtool import urls
from webtool.errors import InvalidArgument, InvalidUrl, SsrfBlocked, WebtoolError
from webtool.net import guard
from webtool.net.client import Client
from webtool.net.messages import Request
from webtool.robots.gate import RobotsGate
from webtool.settings import Settings
from webtool.urls import hosts

PUBLIC = "93.184.215.14"


def fetch(network, url, settings=Settings(), environ=None):  # noqa: B008
    """Fetch a page and its robots.txt; return the error code, "" for success."""
    client = Client(settings, environ or {}, network)
    gate = RobotsGate(client, settings)
    deadline = time.monotonic() + 20
    try:
        response = client.fetch(
            Request(urls.normalise(url)), deadline=deadline, check_hop=lambda hop: gate.check(hop, deadline)
        )
    except WebtoolError as exc:
        return exc.code
    assert response.status == 200
    return ""


def redirect(row):
    location = row["location"].encode("utf-8")
    return b"HTTP/1.1 %d Found\r\nLocation: %b\r\nContent-Length: 0\r\nConnection: close\r\n\r\n" % (
        row["status"],
        location,
    )


@pytest.mark.parametrize("row", rows("ssrf.json", "cases"))
def test_each_shared_case_is_allowed_or_refused(row):
    pages = [*map(redirect, row.get("redirects", ())), PAGE]
    network = FakeNetwork(row.get("dns", {}), pages)
    environ = {}
    if row["cls"] == "proxy-env":
        environ = {"HTTP_PROXY": "http://proxy.example:3128"}
        network.names["proxy.example"] = [["10.0.0.3"]]
    if row["cls"] == "robots-redirect":
        network.robots = redirect({"status": 302, "location": "http://169.254.169.254/"})
    code = fetch(network, row["url"], environ=environ)
    if row["verdict"] == "allow":
        assert code == ""
    elif row["verdict"] in ("block", "invalid"):
        assert code
        assert code in row["codes"] or "*" in row["codes"]
    assert all(is_public(address) for address in network.dialled)


def is_public(text):
    """Judge by the standard library's tables. They differ by version, and ours may be stricter."""
    address = ipaddress.ip_address(text)
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_global or text.startswith("192.0.0.")


@given(st.one_of(st.integers(0, 2**32 - 1), st.sampled_from(range(0, 2**32, 2**16 + 1))))
def test_nothing_that_ipaddress_calls_local_is_public_ipv4(value):
    address = ipaddress.IPv4Address(value)
    if guard.why_not_public(hosts.Address(value, 32)) is None:
        local = address.is_private, address.is_multicast, address.is_reserved, address.is_loopback
        assert not any(local)
        assert address.is_global


@given(st.one_of(st.integers(0, 2**128 - 1), st.integers(0x2 << 124, (0x4 << 124) - 1), st.integers(0, 2**112)))
def test_nothing_that_ipaddress_calls_local_is_public_ipv6(value):
    if guard.why_not_public(hosts.Address(value, 128)) is None:
        address = ipaddress.IPv6Address(value)
        embedded = guard.unwrapped(hosts.Address(value, 128))
        if embedded.width == 32:
            assert ipaddress.IPv4Address(embedded.value).is_global
        else:
            assert address.is_global


# (allow_private_hosts, URL, what the name resolves to, passes)
ALLOWED = [
    (("127.0.0.1",), "http://127.0.0.1:8000/", (), True),
    (("127.0.0.1",), "http://127.0.0.2:8000/", (), False),
    (("127.0.0.1",), "http://2130706433/", (), True),
    (("127.0.0.1",), "http://[::ffff:127.0.0.1]/", (), True),
    (("127.0.0.0/8",), "http://127.9.9.9/", (), True),
    (("::1",), "http://[::1]/", (), True),
    (("[::1]",), "http://[::1]/", (), True),
    (("fd00::/8",), "http://[fd12::1]/", (), True),
    (("fd00::/8",), "http://[fc12::1]/", (), False),
    (("10.0.0.0/8",), "http://wiki.example/", ("10.1.1.1",), True),
    (("10.0.0.0/8",), "http://wiki.example/", ("192.168.1.1",), False),
    (("wiki.example",), "http://wiki.example/", ("192.168.1.1",), True),
    (("wiki.example",), "http://x.wiki.example/", ("192.168.1.1",), False),
    (("*.wiki.example",), "http://x.wiki.example/", ("192.168.1.1",), True),
    (("localhost",), "http://localhost:3000/", ("127.0.0.1", "::1"), True),
    (("LOCALHOST",), "http://LocalHost.:3000/", ("127.0.0.1", "::1"), True),
    ((), "http://localhost:3000/", ("127.0.0.1",), False),
    (("nas.local",), "http://nas.local/", ("192.168.1.7",), True),
    (("127.0.0.1",), "http://127.0.0.1:25/", (), False),
]


@pytest.mark.parametrize(("allowed", "url", "answers", "passes"), ALLOWED)
def test_listed_private_hosts_pass(allowed, url, answers, passes):
    judge = guard.Guard(Settings(allow_private_hosts=allowed))
    if passes:
        parsed = judge.check_url(url)
        judge.check_answers(parsed.host, answers)
        return
    with pytest.raises(SsrfBlocked) as caught:
        judge.check_answers(judge.check_url(url).host, answers)
    assert caught.value.hint


@pytest.mark.parametrize("text", ["127.0.0.1/99", "127.0.0.1/x", "a/b", "[", "*."])
def test_a_meaningless_private_host_entry_is_refused(text):
    with pytest.raises(InvalidArgument, match="allow_private_hosts"):
        guard.Guard(Settings(allow_private_hosts=(text,)))


@pytest.mark.parametrize("setting", ["allow_domains", "deny_domains"])
@pytest.mark.parametrize("text", ["exa mple", "*", "*.", "a.*.example", "10.0.0.0/8", "example.com/path", "[", "/"])
def test_a_meaningless_domain_entry_is_refused(setting, text):
    with pytest.raises(InvalidArgument, match=setting) as caught:
        guard.Guard(Settings(**{setting: ("example.org", text)}))
    assert "example.com" in caught.value.hint


# (allow_domains, deny_domains, host, passes)
DOMAINS = [
    ((), ("*.Example.com",), "a.b.example.com.", False),
    ((), ("https://example.com:8443/",), "example.com", False),
    ((), ("b\u00fccher.example",), "x.xn--bcher-kva.example", False),
    ((), ("com",), "example.com", False),
    ((), ("ample.com",), "example.com", True),
    ((), ("93.184.215.14",), "93.184.215.14", False),
    ((), ("215.14",), "93.184.215.14", True),
    ((), ("2600::1",), "[2600::1]", False),
    (("a.example",) * 3 + ("b.example",), (), "c.b.example", True),
    (("example.com",), (), "example.com", True),
    (("example.com",), (), "www.example.com", True),
    (("example.com",), (), "example.org", False),
    ((), ("example.com",), "www.example.com", False),
    ((), ("example.com",), "example.org", True),
    (("example.com",), ("www.example.com",), "www.example.com", False),
    (("example.com",), ("www.example.com",), "a.example.com", True),
]


@pytest.mark.parametrize(("allowed", "denied", "host", "passes"), DOMAINS)
def test_domain_lists_apply_and_deny_wins_over_allow(allowed, denied, host, passes):
    judge = guard.Guard(Settings(allow_domains=allowed, deny_domains=denied))
    if passes:
        assert judge.check_url(f"https://{host}/").host == host
    else:
        with pytest.raises(SsrfBlocked):
            judge.check_url(f"https://{host}/")


def test_a_private_proxy_is_allowed_but_names_of_its_network_are_not():
    environ = {"http_proxy": "http://10.0.0.3:3128"}
    network = FakeNetwork({"public.example": [[PUBLIC]]})
    assert fetch(network, "http://public.example/", environ=environ) == ""
    assert set(network.dialled) == {"10.0.0.3"}
    for url in ("http://intranet/", "http://192.168.0.1/", "http://db.internal/", "http://[::1]:8080/"):
        network = FakeNetwork({})
        assert fetch(network, url, environ=environ) == "SSRF_BLOCKED"
        assert network.dialled == []


def test_every_hop_is_checked_before_it_is_dialled():
    seen = []
    pages = [redirect({"status": 302, "location": "http://other.example/x"}), PAGE]
    network = FakeNetwork({"a.example": [[PUBLIC]], "other.example": [["9.9.9.9"]]}, pages)

    def check(url):
        seen.append((url, list(network.dialled)))

    client = Client(Settings(), {}, network)
    client.fetch(Request("http://a.example/"), deadline=time.monotonic() + 5, check_hop=check)
    assert seen == [("http://a.example/", []), ("http://other.example/x", [PUBLIC])]


@given(
    st.text(alphabet="htp:/\\@.[]%0127xXa-f\u3002\uff11\u2488\u200b #?", max_size=40).map(lambda tail: f"http://{tail}")
)
def test_any_url_is_judged_and_an_allowed_literal_address_is_public(text):
    try:
        url = guard.Guard(Settings()).check_url(text)
    except (InvalidUrl, SsrfBlocked):
        return
    address = hosts.parse_address(url.host)
    assert address is None or guard.why_not_public(address) is None


def test_long_urls_are_refused():
    with pytest.raises(InvalidUrl, match="characters"):
        guard.Guard(Settings()).check_url("http://a.example/?" + "a" * 2000000)


# Addresses at both ends of a block, of blocks in CIDR form, and IPv4 inside IPv6 (RFC 4291, RFC 6052).
EDGES = [
    ("::ffff:10.0.0.1", False), ("::ffff:8.8.8.8", True), ("::fffe:8.8.8.8", False), ("64:ff9b::7f00:1", False),
    ("64:ff9b::808:808", True), ("64:ff9b::1:0:808:808", False), ("172.15.255.255", True), ("172.16.0.0", False),
    ("168.63.129.16", False), ("168.63.129.15", True), ("168.63.129.17", True), ("161.26.0.10", False),
    ("192.80.8.124", False), ("199.36.153.8", False), ("199.36.153.7", False), ("199.36.153.12", True),
    ("172.31.255.255", False), ("172.32.0.0", True), ("100.63.255.255", True), ("100.64.0.0", False),
    ("169.253.255.255", True), ("169.254.0.0", False), ("223.255.255.255", True), ("224.0.0.0", False),
    ("2000::1", True), ("3fff:ffff::1", True), ("4000::1", False), ("fe80::1", False), ("0.255.255.255", False),
]  # fmt: skip


@pytest.mark.parametrize(("address", "is_public"), EDGES)
def test_special_blocks_end_where_the_registry_says(address, is_public):
    parsed = hosts.parse_address(address)
    assert (guard.why_not_public(parsed) is None) == is_public


@pytest.mark.parametrize("text", [text for text, _ in guard._IPV4_SPECIAL + guard._IPV6_SPECIAL])
def test_no_row_of_the_tables_is_left_out(text):
    block = guard.parse_block(text)
    assert guard.why_not_public(hosts.Address(block.prefix, block.width)) is not None


@pytest.mark.parametrize(
    ("text", "bits"), [("10.0.0.0/8", 8), ("10.0.0.0/0", 0), ("::/128", 128), ("10.0.0.0/032", 32)]
)
def test_a_block_has_the_bits_it_names(text, bits):
    assert guard.parse_block(text).bits == bits


@pytest.mark.parametrize("text", ["10.0.0.0/33", "::/129", "10.0.0.0/0008", "10.0.0.0/-1", "10.0.0.0/", "host/8"])
def test_parse_block_returns_none_for_anything_else(text):
    assert guard.parse_block(text) is None


@pytest.mark.parametrize("denied", ["198.51.99.7", "::ffff:198.51.99.7", "64:ff9b::c633:6307"])
@pytest.mark.parametrize("host", ["198.51.99.7", "[::ffff:198.51.99.7]", "[64:ff9b::c633:6307]"])
def test_a_denied_address_is_denied_in_every_spelling(denied, host):
    with pytest.raises(SsrfBlocked, match="denied"):
        guard.Guard(Settings(deny_domains=(denied,))).check_url(f"https://{host}/")
    assert guard.Guard(Settings(allow_domains=(denied,))).check_url(f"https://{host}/")


@pytest.mark.parametrize("end", ["com", "bad.example"])
def test_a_host_of_thousands_of_labels_is_compared_with_the_domain_lists_at_once(end):
    judge = guard.Guard(Settings(deny_domains=("bad.example",)))
    start = time.process_time()
    with pytest.raises((InvalidUrl, SsrfBlocked), match="denied" if end == "bad.example" else "DNS"):
        judge.check_url(f"http://{'a.' * 30_000}{end}/")
    assert time.process_time() - start < 0.4
