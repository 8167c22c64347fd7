"""Write a WARC file while pages are fetched. In: the connections of the HTTP client. Out: records in a file.

The client passes each connection to tap() before an exchange and calls Tap.end() after it. The bytes sent and received
in between become two records (writer.py), written together. An existing WARC file is continued; if a killed run left an
incomplete record at its end, that is cut off first. A file of another kind is never changed. Several processes may
write to one file: each locks it while it writes.
Tests: tests/bulk/warc/test_recorder.py
"""

from __future__ import annotations

import os
import time
from _thread import allocate_lock
from collections.abc import Iterator
from contextlib import contextmanager

from webtool import urls
from webtool.bulk.warc import reader
from webtool.bulk.warc.writer import Exchange, exchange_records, split_head, warcinfo
from webtool.errors import FetchTimeout, FetchTooLarge, InvalidArgument, UnsupportedContent
from webtool.lean import patterns
from webtool.lean.optional import zlib
from webtool.lean.typing import Any, BinaryIO
from webtool.net.messages import Response
from webtool.output import CannotWrite, lock, open_to_append, unlock, write_all

_INFORMATIONAL = patterns.compile(rb"HTTP/\d\.\d[ \t]+1\d\d")
_HINT = "Name another file with --warc (WEBTOOL_WARC)."
_MAX_INFLATED = 1 << 20  # bytes of a member that are decompressed at once
_MAX_WAIT = 10.0  # seconds to wait for another process that is writing to the file


class Recorder:
    """The open file. Thread-safe. Raises InvalidArgument if the file cannot be written."""

    def __init__(self, path: str, *, respects_robots: bool = True, keeps_secrets: bool = False) -> None:
        self._path = path
        self.keeps_secrets = keeps_secrets
        self._is_compressed = path.endswith(".gz")
        self._lock = allocate_lock()
        try:
            self._fd = open_to_append(path)
        except (OSError, ValueError) as exc:
            raise _unusable(path, exc) from exc
        info = warcinfo(os.path.basename(path), time.time(), self._is_compressed, respects_robots)
        try:
            self._prepare(info)
        except InvalidArgument:
            os.close(self._fd)
            raise

    def tap(self, connection: Any, url: urls.Url) -> Tap:
        """Wrap the connection so that one exchange is recorded."""
        return Tap(self, connection, url.without_fragment)

    def record(self, exchange: Exchange) -> None:
        with self._alone():
            write_all(self._fd, exchange_records(exchange, self._is_compressed))

    def close(self) -> None:
        with self._lock:
            os.close(self._fd)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other threads and processes from the file. Raises InvalidArgument if it cannot be read or written."""
        with self._lock:
            if not lock(self._fd, _MAX_WAIT):
                problem = f"Another process has been writing to {self._path} for over {_MAX_WAIT:.0f} s"
                raise InvalidArgument(problem, hint=_HINT)
            try:
                yield
            except (CannotWrite, OSError) as exc:
                raise _unusable(self._path, exc) from exc
            finally:
                unlock(self._fd)

    def _prepare(self, info: bytes) -> None:
        """Write the first record of a new file, or cut off what a killed run left at the end of an existing one."""
        with self._alone():
            if os.fstat(self._fd).st_size:
                self._cut_torn_record()  # reads the file: one that can be written only cannot be continued
            else:
                write_all(self._fd, info)

    def _cut_torn_record(self) -> None:
        """Cut the file after its last whole record. Raises InvalidArgument for a file of another kind."""
        try:
            end, is_compressed = _end_of_records(self._path)
        except UnsupportedContent as exc:
            problem = f"{self._path} exists and is not a WARC file; it was not changed"
            raise InvalidArgument(problem, hint=_HINT) from exc
        if is_compressed != self._is_compressed:
            state = "compressed" if is_compressed else "not compressed"
            raise InvalidArgument(f"{self._path} is {state}, which contradicts its name", hint=_HINT)
        if end < os.fstat(self._fd).st_size:
            os.ftruncate(self._fd, end)


def _end_of_records(path: str) -> tuple[int, bool]:
    """Return where the last whole record ends, and whether the file is compressed. Raises UnsupportedContent."""
    with open(path, "rb") as file:
        is_compressed = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        last = None
        for record in reader.records(file):
            last = record
        if last is None:
            raise UnsupportedContent("It has no whole record")
        if not is_compressed:
            return last.offset + last.size, False
        return _end_of_members(file, last.offset), True


def _end_of_members(file: BinaryIO, start: int) -> int:
    """Return where the last whole gzip member ends, of those from `start` on; the first one is whole.

    `start` is where the last record begins. More than one member may follow, as some programs cut records at any byte.
    """
    file.seek(start)
    end, data = start, b""
    while True:
        inflate, size = zlib.decompressobj(wbits=31), 0
        while not inflate.eof:
            data = data or file.read(65536)
            if not data:
                return end
            try:
                inflate.decompress(data, _MAX_INFLATED)
            except zlib.error:
                return end
            rest = inflate.unused_data if inflate.eof else inflate.unconsumed_tail
            size += len(data) - len(rest)
            data = rest
        end += size


class Tap:
    """A connection that collects the bytes of send() and recv(), the only methods by which the client moves bytes."""

    def __init__(self, recorder: Recorder, connection: Any, url: str) -> None:
        self._recorder = recorder
        self._connection = connection
        self._url = url
        self._sent = bytearray()
        self._received = bytearray()
        self._started_at = time.time()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def send(self, data: bytes) -> int:
        count: int = self._connection.send(data)
        self._sent += data[:count]
        return count

    def recv(self, size: int) -> bytes:
        data: bytes = self._connection.recv(size)
        self._received += data
        return data

    def end(self, outcome: Response | BaseException) -> None:
        """Write the records of the exchange, if an HTTP response arrived. `outcome` is the response or the error."""
        received = bytes(self._received).lstrip(b"\r\n")
        while _INFORMATIONAL.match(received):  # readers would take a 1xx response for the response itself
            received = split_head(received)[2]  # b"" if the connection broke in or after it
        if not received.startswith(b"HTTP/"):
            return
        facts = (self._started_at, self._address(), _why_truncated(outcome), self._recorder.keeps_secrets)
        self._recorder.record(Exchange(self._url, bytes(self._sent), received, *facts))

    def _address(self) -> str:
        try:
            return str(self._connection.getpeername()[0]).partition("%")[0]
        except (OSError, AttributeError, IndexError, TypeError):
            return ""


def _why_truncated(outcome: Response | BaseException) -> str:
    """Return the value of WARC-Truncated, "" for a whole response."""
    if isinstance(outcome, FetchTimeout):
        return "time"
    if isinstance(outcome, FetchTooLarge):
        return "length"
    if isinstance(outcome, BaseException):
        return "disconnect"
    is_partial = outcome.status == 206  # the answer to a range that was asked for: whole, though `truncated` is set
    return "length" if outcome.truncated and not is_partial else ""


def _unusable(path: str, exc: BaseException) -> InvalidArgument:
    return InvalidArgument(f"{path} cannot be written: {getattr(exc, 'strerror', None) or exc}", hint=_HINT)
