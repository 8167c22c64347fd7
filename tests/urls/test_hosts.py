"""Hosts and addresses, against the standard library's ipaddress and own cases."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.errors import InvalidUrl
from webtool.urls import hosts

V4 = st.integers(0, 2**32 - 1)
V6 = st.one_of(
    st.integers(0, 2**128 - 1),
    st.lists(st.sampled_from([0, 0, 1, 0xFFFF]), min_size=8, max_size=8).map(
        lambda pieces: sum(piece << (16 * position) for position, piece in enumerate(pieces))
    ),
)


@given(V4)
def test_ipv4_round_trip(value):
    text = str(ipaddress.IPv4Address(value))
    assert hosts.format_ipv4(value) == text
    assert hosts.parse_dotted(text) == hosts.parse_ipv4(text) == value
    assert hosts.parse_host(f"0x{value:x}") == text
    assert hosts.parse_host(f"0{value:o}.") == text


@given(V6)
def test_ipv6_round_trip(value):
    address = ipaddress.IPv6Address(value)
    assert hosts.parse_ipv6(address.exploded) == hosts.parse_ipv6(address.compressed) == value
    assert hosts.parse_ipv6(hosts.format_ipv6(value)) == value
    if address.ipv4_mapped is None:  # newer Pythons print those with a dotted end, URLs do not
        assert hosts.format_ipv6(value) == address.compressed


@given(st.text(alphabet="0123456789abcdefABCDEF:.x", max_size=45))
def test_addresses_are_taken_and_refused_as_ipaddress_does(text):
    try:
        expected = int(ipaddress.IPv6Address(text))
    except ValueError:
        expected = None
    try:
        assert hosts.parse_ipv6(text) == expected
    except InvalidUrl:
        assert expected is None
    try:
        dotted = int(ipaddress.IPv4Address(text))
    except ValueError:
        dotted = None
    # Python before 3.9.5 let leading zeros pass; they are octal to others, so here they never do.
    if dotted is None or all(part == "0" or part[0] != "0" for part in text.split(".")):
        assert hosts.parse_dotted(text) == dotted


@given(st.text(alphabet="0123456789.xXabf", max_size=20))
def test_numbers_give_an_address_or_are_refused(text):
    try:
        host = hosts.parse_host(text)
    except InvalidUrl:
        return
    if hosts.ends_in_number(text.lower()):
        assert hosts.parse_dotted(host) is not None


PARSED = [("1.2.3.4", "1.2.3.4"), ("[::1]", "::1"), ("fe80::1%eth0", "fe80::1"), ("::ffff:10.0.0.1", "::ffff:a00:1")]


@pytest.mark.parametrize(("text", "shown"), PARSED)
def test_what_resolvers_and_sockets_print_is_an_address(text, shown):
    assert str(hosts.parse_address(text)) == shown


@pytest.mark.parametrize("text", ["", "a.example", "1.2.3", "01.2.3.4", "1.2.3.4.5", "::g", "[", "1:2", "\u0661.2.3.4"])
def test_names_and_half_addresses_are_none(text):
    assert hosts.parse_address(text) is None


def test_a_long_run_of_digits_is_refused_at_once():
    with pytest.raises(InvalidUrl):
        hosts.parse_host("1" * 1000000)
    assert hosts.parse_host("0" * 1000000 + "1") == "0.0.0.1"
