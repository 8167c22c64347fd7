"""Resolve host names and connect sockets, by the deadline of a Watch. Every wait of this room asks the Watch first.

In: a host name in ASCII; addresses that the guard has checked; a Watch. Out: addresses as text; a connected socket
whose peer is one of the given addresses. Which addresses may be dialled is decided by webtool.net.guard.
Addresses are tried as RFC 8305 (Happy Eyeballs) says: IPv6 and IPv4 in turns, the next one started after 0.2 seconds
while earlier attempts go on. The first connection that succeeds is used, the others are closed.
Tests: tests/net/test_dial.py, tests/net/test_watch.py
"""

from __future__ import annotations

import _socket  # the socket module would cost an import of enum tables that nothing here needs
import _thread
import errno
import select
import time
from collections.abc import Callable, Collection, Sequence

from webtool.errors import Cancelled, FetchTimeout, NetworkError, SsrfBlocked
from webtool.lean.typing import Any
from webtool.urls import hosts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Socket(Protocol):
        """The methods that plain, encrypted and tunnelled connections share."""

        def recv(self, size: int) -> bytes: ...
        def send(self, data: bytes) -> int: ...
        def settimeout(self, seconds: float | None) -> None: ...
        def fileno(self) -> int: ...
        def close(self) -> None: ...

else:
    Socket = object

ATTEMPT_DELAY = 0.2  # seconds before the next address is tried too; an address that does not answer costs only this
MAX_LOOKUPS = 64  # look-ups running at a time, abandoned ones included; then resolve() fails at once
# Results of connect_ex() that mean "connected" (0) or "not finished yet"; 10035 is WSAEWOULDBLOCK of Windows.
_IN_PROGRESS = frozenset((0, errno.EINPROGRESS, errno.EWOULDBLOCK, errno.EALREADY, errno.EAGAIN, 10035))
# RFC 6761 section 6.3: localhost is always this machine, also in a container whose /etc/hosts is missing.
_LOOPBACK = ("127.0.0.1", "::1")
_SPARE_DESCRIPTORS = 6  # file descriptors that look-ups may need at a time


POLL = 0.25  # seconds between two calls of is_cancelled
_MAX_STEP = 3600.0  # seconds of one wait; a longer one overflows in poll() on some platforms


class Watch:
    """The deadline of one fetch, in seconds of time.monotonic(), and a function that says whether it was cancelled.

    `waiting_for` is the beginning of the timeout's message, such as "no answer from DNS for a.example".
    """

    def __init__(self, deadline: float, is_cancelled: Callable[[], bool] | None = None) -> None:
        self.deadline = deadline
        self.is_cancelled = is_cancelled
        self._step = _MAX_STEP if is_cancelled is None else POLL
        self._started_at = time.monotonic()

    def remaining(self, waiting_for: str) -> float:
        """Return the seconds left, above zero. Raises Cancelled, or FetchTimeout saying what did not happen in time."""
        if self.is_cancelled is not None and self.is_cancelled():
            raise Cancelled("the call was cancelled")
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise FetchTimeout(f"{waiting_for} within {max(self.deadline - self._started_at, 0):.1f} s")
        return left

    def step(self, waiting_for: str) -> float:
        """Return the seconds that one wait may take before asking again. Raises as remaining()."""
        return min(self.remaining(waiting_for), self._step)

    def acquire(self, lock: Any, waiting_for: str) -> None:
        """Wait for a lock of the _thread module."""
        while not lock.acquire(timeout=self.step(waiting_for)):
            pass

    def sleep(self, seconds: float, waiting_for: str) -> None:
        """Sleep for that many seconds, unless the deadline or a cancellation comes first."""
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            if left <= 0:
                return
            time.sleep(min(left, self.step(waiting_for)))


_running_lookups: set[int] = set()  # by id(); adding to a set is one step, so no thread needs a lock


class _Lookup:
    """One getaddrinfo call in its own thread. It has no timeout, so a caller that waits too long abandons it."""

    def __init__(self, host: str, port: int) -> None:
        self.answers: list[str] = []
        self.error: OSError | None = None
        self.done = _thread.allocate_lock()
        self.done.acquire()
        _running_lookups.add(id(self))
        try:
            _thread.start_new_thread(self._run, (host.encode("ascii"), port))
        except RuntimeError as exc:
            _running_lookups.discard(id(self))
            raise NetworkError("this machine cannot start more threads", hint="Ask for fewer pages at once.") from exc

    def _run(self, host: bytes, port: int) -> None:
        try:
            entries = _socket.getaddrinfo(host, port, 0, _socket.SOCK_STREAM)
            self.answers = list(dict.fromkeys(str(entry[4][0]) for entry in entries))
        except OSError as exc:
            self.error = exc
        finally:
            _running_lookups.discard(id(self))
            self.done.release()


class Network:
    """The real network. Tests give the client a fake one."""

    def resolve(self, host: str, port: int, watch: Watch) -> list[str]:
        """Return the addresses of a name in the resolver's order. Raises NetworkError, FetchTimeout, Cancelled."""
        if len(_running_lookups) >= MAX_LOOKUPS:
            hint = "Try again in a minute; if this continues, check this machine's resolver."
            raise NetworkError("the resolver does not answer; too many look-ups are waiting", hint=hint)
        lookup = _Lookup(host, port)
        watch.acquire(lookup.done, f"no answer from DNS for {host}")
        if lookup.error is not None or not lookup.answers:
            if f".{host.rstrip('.').lower()}".endswith(".localhost"):
                return list(_LOOPBACK)
            raise _unresolved(host, lookup.error) from lookup.error
        return lookup.answers

    def connect(self, addresses: Sequence[hosts.Address], port: int, watch: Watch) -> _socket.socket:
        """Connect to whichever address answers first. Raises NetworkError, FetchTimeout, Cancelled."""
        waiting = list(_interleaved(addresses))
        attempts = _Attempts(port)
        next_start = 0.0
        try:
            while waiting or attempts.pending:
                now = time.monotonic()
                if waiting and (not attempts.pending or now >= next_start):
                    attempts.start(waiting.pop(0))
                    next_start = now + ATTEMPT_DELAY
                    continue
                pause = watch.step(f"Connection timeout: no connection to {addresses[0]} port {port}")
                if waiting:
                    pause = min(pause, max(0.0, next_start - now))
                finished = ready(attempts.pending, pause, "POLLOUT")
                for number in finished:
                    connection = attempts.finish(number)
                    if connection is not None:
                        return connection
                if finished:
                    next_start = 0.0  # an attempt failed: start the next one at once
        finally:
            for unfinished, _ in attempts.pending.values():
                unfinished.close()
        raise attempts.error()


class _Attempts:
    """The attempts to connect to the addresses of one host; `pending` are those not finished, by file descriptor."""

    def __init__(self, port: int) -> None:
        self.pending: dict[int, tuple[_socket.socket, hosts.Address]] = {}
        self._port = port
        self._failures: list[NetworkError] = []

    def start(self, address: hosts.Address) -> None:
        """Begin connecting to an address."""
        family = _socket.AF_INET if address.width == 32 else _socket.AF_INET6
        try:
            connection = _socket.socket(family, _socket.SOCK_STREAM)
        except OSError as exc:
            self._add_failure(exc, address)
            return
        connection.setblocking(False)
        place = (str(address), self._port) if address.width == 32 else (str(address), self._port, 0, 0)
        code = connection.connect_ex(place)
        if code in _IN_PROGRESS:
            self.pending[connection.fileno()] = (connection, address)
            return
        connection.close()
        self._add_failure(OSError(code, ""), address)

    def finish(self, number: int) -> _socket.socket | None:
        """Return the connection of an attempt, None if it failed. Raises SsrfBlocked for another peer."""
        connection, address = self.pending[number]
        code = connection.getsockopt(_socket.SOL_SOCKET, _socket.SO_ERROR)
        try:
            peer = connection.getpeername() if code == 0 else ("", 0)
        except OSError as exc:
            code, peer = exc.errno or 1, ("", 0)
        if code:
            del self.pending[number]
            connection.close()
            self._add_failure(OSError(code, ""), address)
            return None
        if hosts.parse_address(str(peer[0])) != address:
            hint = "Something on this machine or its network diverts connections; its operator must find out what."
            raise SsrfBlocked(f"the connection to {address} ended up at another address", hint=hint)
        try:
            connection.setsockopt(_socket.IPPROTO_TCP, _socket.TCP_NODELAY, 1)
        except OSError:
            pass  # already closed, on some systems; the first read or write reports why
        del self.pending[number]
        return connection

    def _add_failure(self, exc: OSError, address: hosts.Address) -> None:
        self._failures.append(connection_error(exc, address, self._port))

    def error(self) -> NetworkError:
        """Return the failure to report, a server's last one before others: "refused" tells more than "unreachable"."""
        if not self._failures:
            return NetworkError("the name has no address to connect to")
        of_server = [failure for failure in self._failures if failure.hint not in (_OUR_NETWORK, _NO_IPV6)]
        return (of_server or self._failures)[-1]


def _interleaved(addresses: Sequence[hosts.Address]) -> list[hosts.Address]:
    """Return the addresses with IPv4 and IPv6 in turns, beginning with the family of the first (RFC 8305 section 4)."""
    first = [address for address in addresses if address.width == addresses[0].width]
    second = [address for address in addresses if address.width != addresses[0].width]
    order: list[hosts.Address] = []
    for position in range(max(len(first), len(second))):
        order += first[position : position + 1] + second[position : position + 1]
    return order


def _unresolved(host: str, error: OSError | None) -> NetworkError:
    """Return the error for a name without addresses.

    getaddrinfo needs file descriptors and reports an unknown name if too few are left. So some are opened here as a
    test; if that fails, "too many open connections" is the error.
    """
    is_temporary = getattr(error, "errno", None) == getattr(_socket, "EAI_AGAIN", None)
    probes: list[_socket.socket] = []
    try:
        for _ in range(_SPARE_DESCRIPTORS):
            probes.append(_socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM))
    except OSError as exc:
        return connection_error(exc)
    finally:
        for probe in probes:
            probe.close()
    return NetworkError(
        f"the host name {host} does not resolve{' for now (no answer)' if is_temporary else ''}",
        hint="Check the spelling of the host name, and whether this machine can resolve names at all.",
        retryable=is_temporary,
    )


def ready(numbers: Collection[int], seconds: float, event: str) -> list[int]:
    """Wait until a descriptor can be read (event "POLLIN") or written ("POLLOUT") or has failed; [] after the time."""
    if hasattr(select, "poll"):  # select() accepts descriptors up to 1,023 only
        poll = select.poll()
        for number in numbers:
            poll.register(number, getattr(select, event))
        milliseconds = seconds * 1000 + 1 if seconds else 0  # rounded up: 0 would not wait
        return [number for number, _ in poll.poll(milliseconds)]
    readers, writers = (numbers, ()) if event == "POLLIN" else ((), numbers)
    ready_lists = select.select(readers, writers, numbers, seconds)
    return list({number for ready_list in ready_lists for number in ready_list})


_NOBODY_LISTENS = (
    "Nothing answers there: check the port and the scheme of the URL. A server that restarts is back soon."
)
# Hints of failures that say nothing about the server; _Attempts.error() prefers others.
_OUR_NETWORK = "Check this machine's connection to the network; another host may work."
_NO_IPV6 = "Use a host that has an IPv4 address."
_CAUSES: dict[int, tuple[str, str | None]] = {
    errno.ECONNREFUSED: ("Connection refused", _NOBODY_LISTENS),
    errno.ECONNRESET: (
        "Connection reset by the server",
        "Try again; if it happens each time, the server refuses programs or wants https instead of http.",
    ),
    errno.EPIPE: ("Connection closed by the server", "Try again; if it happens each time, the server refuses us."),
    errno.ETIMEDOUT: ("Connection timeout", None),
    errno.EHOSTUNREACH: ("No route to the host", _OUR_NETWORK),
    errno.ENETUNREACH: ("Network unreachable", _OUR_NETWORK),
    errno.EADDRNOTAVAIL: ("Network unreachable", _OUR_NETWORK),
    errno.EAFNOSUPPORT: ("This machine has no IPv6", _NO_IPV6),
    errno.EACCES: ("This machine does not let the connection out", _OUR_NETWORK),
    errno.EPERM: ("This machine does not let the connection out", _OUR_NETWORK),
    errno.EMFILE: ("Too many open connections", "Ask for fewer pages at once."),
}


def connection_error(exc: OSError, address: hosts.Address | None = None, port: int = 0) -> NetworkError:
    """Translate an error of the operating system into the words of _CAUSES, equal on every platform."""
    code = exc.errno or 0
    cause, hint = _CAUSES.get(code, (exc.strerror or f"network error {code}", None))
    where = f" ({address} port {port})" if address else ""
    return NetworkError(f"{cause}{where}", hint=hint)
