"""Write a WARC file while pages are fetched. In: connections in use. Out: a WARC file.

The HTTP client passes each connection to tap() before an exchange and calls Tap.end() after it. The bytes sent and
received in between become two records, written together. An existing WARC file is continued; if a killed run left an
incomplete record at its end, that is cut off first. A file of another kind is never changed. Several processes may
write to one file: each locks it while it writes.
Tests: tests/bulk/warc/test_recorder.py
"""

from __future__ import annotations

import os
import time
from _thread import allocate_lock

from webtool import urls
from webtool.bulk.warc import reader, writer
from webtool.errors import FetchTimeout, FetchTooLarge, InvalidArgument, UnsupportedContent
from webtool.lean.optional import zlib
from webtool.lean.typing import Any, BinaryIO
from webtool.net.messages import Response
from webtool.output import CannotWrite, lock, open_to_append, unlock, write_all

_HINT = "Name another file with --warc (WEBTOOL_WARC)."
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
        info = writer.warcinfo(os.path.basename(path), time.time(), self._is_compressed, respects_robots)
        try:
            self._write(info, is_first=True)
        except InvalidArgument:
            os.close(self._fd)
            raise

    def tap(self, connection: Any, url: urls.Url) -> Tap:
        """Wrap the connection so that one exchange is recorded."""
        return Tap(self, connection, url.without_fragment)

    def record(self, exchange: writer.Exchange) -> None:
        """Write the records of an exchange."""
        self._write(writer.exchange_records(exchange, self._is_compressed))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            os.close(self._fd)

    def _write(self, data: bytes, *, is_first: bool = False) -> None:
        """Write records while no other process has the file; with `is_first`, prepare an existing file instead."""
        with self._lock:
            if not lock(self._fd, _MAX_WAIT):
                raise InvalidArgument(
                    f"Another process has been writing to {self._path} for over {_MAX_WAIT:.0f} s", hint=_HINT
                )
            try:
                if is_first and os.fstat(self._fd).st_size:
                    self._cut_torn_record()
                else:
                    write_all(self._fd, data)
            except (CannotWrite, OSError) as exc:  # a file that can be written, and not read, cannot be continued
                raise _unusable(self._path, exc) from exc
            finally:
                unlock(self._fd)

    def _cut_torn_record(self) -> None:
        """Cut the file after its last whole record. Raises InvalidArgument for a file of another kind."""
        try:
            end, is_compressed = _end_of_records(self._path)
        except UnsupportedContent as exc:
            raise InvalidArgument(
                f"{self._path} exists and is not a WARC file; it was not changed", hint=_HINT
            ) from exc
        if is_compressed != self._is_compressed:
            raise InvalidArgument(
                f"{self._path} is {'' if is_compressed else 'not '}compressed, which contradicts its name", hint=_HINT
            )
        if end < os.fstat(self._fd).st_size:
            os.ftruncate(self._fd, end)


def _end_of_records(path: str) -> tuple[int, bool]:
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
        file.seek(last.offset)
        return last.offset + _length_of_member(file), True


def _length_of_member(file: BinaryIO) -> int:
    inflate = zlib.decompressobj(wbits=31)
    length = 0
    while not inflate.eof:
        data = inflate.unconsumed_tail or file.read(65536)
        inflate.decompress(data, 1 << 20)
        length += len(data) - len(inflate.unconsumed_tail)
    return length - len(inflate.unused_data)


class Tap:
    """A connection that collects the bytes sent and received."""

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
        """Send some of the data; return how many bytes."""
        count: int = self._connection.send(data)
        self._sent += data[:count]
        return count

    def recv(self, size: int) -> bytes:
        """Receive some bytes."""
        data: bytes = self._connection.recv(size)
        self._received += data
        return data

    def end(self, outcome: Response | BaseException) -> None:
        """Write the records of the exchange, if an HTTP response arrived. `outcome` is the response or the error."""
        received = bytes(self._received).lstrip(b"\r\n")
        if not received.startswith(b"HTTP/"):
            return
        facts = (self._started_at, self._address(), _why_truncated(outcome), self._recorder.keeps_secrets)
        self._recorder.record(writer.Exchange(self._url, bytes(self._sent), received, *facts))

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
    return "length" if outcome.truncated and outcome.status != 206 else ""


def _unusable(path: str, exc: BaseException) -> InvalidArgument:
    return InvalidArgument(f"{path} cannot be written: {getattr(exc, 'strerror', None) or exc}", hint=_HINT)
