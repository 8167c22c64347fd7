"""Look-ups that can be abandoned, and connection attempts that do not wait for dead addresses."""

import _socket
import socket
import threading
import time

import pytest
from net import faults
from net.fault_server import FaultServer

from webtool.errors import FetchTimeout, NetworkError, SsrfBlocked
from webtool.net import dial
from webtool.net.dial import Watch
from webtool.urls import hosts


def soon(seconds=5.0):
    return Watch(time.monotonic() + seconds)


def test_a_lookup_that_hangs_is_abandoned_at_the_deadline(monkeypatch):
    release = threading.Event()
    monkeypatch.setattr(dial._socket, "getaddrinfo", lambda *arguments: release.wait(60) and [])
    begun = time.monotonic()
    with pytest.raises(FetchTimeout, match="DNS"):
        dial.Network().resolve("slow.example", 80, soon(0.2))
    assert time.monotonic() - begun < 20
    release.set()


def test_too_many_hanging_lookups_are_refused(monkeypatch):
    monkeypatch.setattr(dial, "_running_lookups", set(range(dial.MAX_LOOKUPS)))
    with pytest.raises(NetworkError, match="resolver"):
        dial.Network().resolve("a.example", 80, soon())


@pytest.mark.parametrize("name", ["localhost", "LocalHost.", "a.localhost"])
def test_localhost_resolves_without_a_hosts_file(monkeypatch, name):
    """RFC 6761 section 6.3; a bare container has no /etc/hosts."""

    def unknown(*_):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr("_socket.getaddrinfo", unknown)
    assert dial.Network().resolve(name, 80, soon()) == ["127.0.0.1", "::1"]


def test_a_name_that_does_not_resolve_is_a_network_error(monkeypatch):
    def fail(*arguments):
        raise _socket.gaierror(_socket.EAI_NONAME, "no such name")

    monkeypatch.setattr(dial._socket, "getaddrinfo", fail)
    with pytest.raises(NetworkError, match=r"a\.example does not resolve") as caught:
        dial.Network().resolve("a.example", 80, soon())
    assert not caught.value.retryable


def test_addresses_come_in_the_resolvers_order_without_repeats(monkeypatch):
    entries = [
        (2, 1, 6, "", ("9.9.9.9", 80)),
        (10, 1, 6, "", ("2620:fe::fe", 80, 0, 0)),
        (2, 1, 6, "", ("9.9.9.9", 80)),
    ]
    monkeypatch.setattr(dial._socket, "getaddrinfo", lambda *arguments: entries)
    assert dial.Network().resolve("a.example", 80, soon()) == ["9.9.9.9", "2620:fe::fe"]


LOOPBACK = hosts.parse_address("127.0.0.1")
DEAD6 = hosts.parse_address("2620:fe::fe")


def test_a_dead_ipv6_address_costs_only_the_attempt_delay(monkeypatch):
    start = dial._Attempts.start

    def start_silent_ipv6(attempts, address):
        if address.width == 32:
            return start(attempts, address)
        silent = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
        silent.setblocking(False)
        # Not connected and never writable: a listener whose queue is full does not answer either.
        silent.bind(("127.0.0.1", 0))
        silent.listen(0)
        attempts.pending[silent.fileno()] = (silent, address)
        return None

    monkeypatch.setattr(dial._Attempts, "start", start_silent_ipv6)
    with FaultServer(faults.page()) as server:
        begun = time.monotonic()
        connection = dial.Network().connect([DEAD6, LOOPBACK], server.port, soon(60.0))
        connection.close()
        assert 0.9 * dial.ATTEMPT_DELAY < time.monotonic() - begun < 20  # loaded machines


def test_a_failing_socket_option_does_not_end_the_connection(monkeypatch):
    monkeypatch.setattr(dial._socket, "TCP_NODELAY", 9999)
    with FaultServer(faults.page()) as server:
        dial.Network().connect([LOOPBACK], server.port, soon()).close()


def test_ipv6_and_ipv4_addresses_take_turns():
    four = [hosts.parse_address(f"9.9.9.{n}") for n in (1, 2, 3)]
    six = [hosts.parse_address(f"2620:fe::{n}") for n in (1, 2)]
    assert dial._interleaved([*six, *four]) == [six[0], four[0], six[1], four[1], four[2]]


def test_after_a_refusal_the_next_address_is_tried_at_once():
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        with pytest.raises(NetworkError, match="refused"):
            dial.Network().connect([LOOPBACK], closed.getsockname()[1], soon())


def test_a_connection_to_another_address_than_dialled_is_refused(monkeypatch):
    with FaultServer(faults.page()) as server:
        elsewhere = hosts.parse_address("9.9.9.9")
        start = dial._Attempts.start

        def start_elsewhere(attempts, address):
            start(attempts, LOOPBACK)
            for number, (connection, _) in list(attempts.pending.items()):
                attempts.pending[number] = (connection, address)

        monkeypatch.setattr(dial._Attempts, "start", start_elsewhere)
        with pytest.raises(SsrfBlocked, match="another address"):
            dial.Network().connect([elsewhere], server.port, soon())


def test_threads_that_cannot_start_are_an_error_and_not_counted(monkeypatch):
    def refuse(*_):
        raise RuntimeError("can't start new thread")

    before = set(dial._running_lookups)
    monkeypatch.setattr(dial._thread, "start_new_thread", refuse)
    with pytest.raises(NetworkError, match="threads"):
        dial.Network().resolve("a.example", 80, soon())
    assert dial._running_lookups == before


# (outcome of each address in turn, phrase in the reported error)
FAILURES = [
    (["ECONNREFUSED", "ENETUNREACH"], "refused"),
    (["ENETUNREACH", "ECONNREFUSED"], "refused"),
    (["EAFNOSUPPORT", "EHOSTUNREACH"], "No route"),
    (["ECONNREFUSED", "ETIMEDOUT", "EADDRNOTAVAIL"], "timeout"),
    ([], "no address"),
]


@pytest.mark.parametrize(("codes", "phrase"), FAILURES)
def test_of_several_failures_one_caused_by_a_server_is_reported(codes, phrase):
    import errno

    attempts = dial._Attempts(80)
    for code in codes:
        attempts._add_failure(OSError(getattr(errno, code), ""), LOOPBACK)
    assert phrase in attempts.error().message


def test_an_empty_address_list_is_an_error_at_once():
    with pytest.raises(NetworkError):
        dial.Network().connect([], 80, soon())


@pytest.mark.parametrize(
    ("code", "phrase"), [("ECONNREFUSED", "refused"), ("ENETUNREACH", "unreachable"), ("EPIPE", "closed")]
)
def test_system_errors_are_translated_to_words(code, phrase):
    import errno

    error = dial.connection_error(OSError(getattr(errno, code), "x"), LOOPBACK, 80)
    assert phrase in error.message
    assert error.hint
