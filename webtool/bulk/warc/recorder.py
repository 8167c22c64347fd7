"""A WARC file that grows while pages are fetched. In: connections in use. Out: a file that others read.

The client hands each connection to tap() before it is used and says when the exchange is over; everything sent and
received in between becomes two records, written in one piece. A file that is there already is gone on with, if it is a
WARC file: a record that a killed run left half written is cut off first; any other file is left alone. Several
processes may write one file: each has it alone for the time of a record.
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
_MAX_WAIT = 10.0  # seconds until another process has written its record


class Recorder:
    """The file and its writer; any thread may call. Raises InvalidArgument where it cannot be written."""

    def __init__(self, path: str, *, respects_robots: bool = True) -> None:
        self._path = path
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
        """The connection, listened to for one exchange."""
        return Tap(self, connection, urls.redact(url.without_fragment))

    def keep(self, found: writer.Exchange) -> None:
        """Write the records of an exchange."""
        self._write(writer.exchange(found, self._is_compressed))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            os.close(self._fd)

    def _write(self, data: bytes, *, is_first: bool = False) -> None:
        """Write a record, which no other process sees half of and takes for a torn one."""
        with self._lock:
            if not lock(self._fd, _MAX_WAIT):
                raise InvalidArgument(f"Another process has {self._path} for over {_MAX_WAIT:.0f} s", hint=_HINT)
            try:
                if is_first and os.fstat(self._fd).st_size:
                    self._go_on()
                else:
                    write_all(self._fd, data)
            except CannotWrite as exc:
                raise _unusable(self._path, exc) from exc
            finally:
                unlock(self._fd)

    def _go_on(self) -> None:
        """Cut off what a killed run left behind the last whole record. Raises InvalidArgument for a foreign file."""
        try:
            end, is_compressed = _end_of_records(self._path)
        except UnsupportedContent as exc:
            raise InvalidArgument(
                f"{self._path} is there and is not a WARC file: nothing was changed", hint=_HINT
            ) from exc
        if is_compressed != self._is_compressed:
            raise InvalidArgument(
                f"{self._path} is {'' if is_compressed else 'not '}compressed, against its name", hint=_HINT
            )
        if end < os.fstat(self._fd).st_size:
            os.ftruncate(self._fd, end)


def _end_of_records(path: str) -> tuple[int, bool]:
    """Where the last whole record ends, and whether the file is compressed. Raises UnsupportedContent."""
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
    """A connection whose bytes are remembered."""

    def __init__(self, recorder: Recorder, connection: Any, url: str) -> None:
        self._recorder = recorder
        self._connection = connection
        self._url = url
        self._sent = bytearray()
        self._received = bytearray()
        self._at = time.time()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def send(self, data: bytes) -> int:
        """Send some of it."""
        count: int = self._connection.send(data)
        self._sent += data[:count]
        return count

    def recv(self, size: int) -> bytes:
        """Receive some bytes."""
        data: bytes = self._connection.recv(size)
        self._received += data
        return data

    def end(self, outcome: Response | BaseException) -> None:
        """The exchange is over: write it down, if anything came back."""
        if not self._received.startswith(b"HTTP/"):
            return
        found = writer.Exchange(self._url, bytes(self._sent), bytes(self._received), self._at, self._address())
        self._recorder.keep(found._replace(truncated=_why_truncated(outcome)))

    def _address(self) -> str:
        try:
            return str(self._connection.getpeername()[0]).partition("%")[0]
        except (OSError, AttributeError, IndexError, TypeError):
            return ""


def _why_truncated(outcome: Response | BaseException) -> str:
    if isinstance(outcome, FetchTimeout):
        return "time"
    if isinstance(outcome, FetchTooLarge):
        return "length"
    if isinstance(outcome, BaseException):
        return "disconnect"
    return "length" if outcome.truncated and outcome.status != 206 else ""


def _unusable(path: str, exc: BaseException) -> InvalidArgument:
    return InvalidArgument(f"{path} cannot be written: {getattr(exc, 'strerror', None) or exc}", hint=_HINT)
