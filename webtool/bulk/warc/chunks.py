"""Decompress an archive in chunks. In: a binary stream. Out: (offset of the member, chunk) in order.

A compressed archive is a sequence of members: gzip members or Zstandard frames, usually one per record. A chunk never
crosses a member's end, and a member shorter than CHUNK gives one chunk, so that its record is one bytes object. The
member's checksum has been verified when its last chunk is given. For a damaged member the chunk is None; reading goes
on at the next member that begins with a record. A member is whole if it was decompressed to its end.
Spec: RFC 1952, RFC 8878, "Zstandard for WARC" of the IIPC (dictionaries).
Tests: tests/bulk/warc/test_reader.py
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.errors import UnsupportedContent
from webtool.lean.optional import zlib, zstd_module
from webtool.lean.typing import Any, BinaryIO, Union

Chunk = tuple[int, Union[bytes, None]]  # offset of the member in the stream; decompressed bytes, None if damaged

CHUNK = 1 << 20  # decompressed bytes; a longer member is given in several chunks
_READ = 1 << 17  # bytes read from the stream at a time
_SLICE = 1 << 15  # bytes given to zlib at a time, as it copies those after the member's end
_PROBE = 4096  # compressed bytes that must decompress to the beginning of a record
_RETAINED = 8 << 20  # bytes of a member kept in memory, to look for the next one in them if this one is damaged
# Candidates for a member's beginning that are tried inside one damaged stretch; each may read the stretch again.
_MAX_ATTEMPTS = 16
_GZIP = b"\x1f\x8b\x08"
_ZSTD = b"\x28\xb5\x2f\xfd"
_ZSTD_DICTIONARY = b"\x5d\x2a\x4d\x18"
_MAX_DICTIONARY = 16 << 20  # bytes of a Zstandard dictionary; more of it is not read
_RECORD = b"WARC/"  # begins a record


class Raw:
    """A window on the stream: unused bytes begin at `data[at]`. At most `limit` bytes are read in all."""

    def __init__(self, stream: BinaryIO, offset: int = 0, limit: int | None = None) -> None:
        self._stream = stream
        self._left = limit
        self._base = offset
        self.data = b""
        self.at = 0

    @property
    def offset(self) -> int:
        """Position in the stream of the first unused byte."""
        return self._base + self.at

    @property
    def end(self) -> int:
        """Position in the stream up to which it was read."""
        return self._base + len(self.data)

    def more(self) -> bool:
        """Drop the used bytes and read more; at the end of the stream change nothing and return False."""
        size = _READ if self._left is None else min(_READ, self._left)
        block = self._stream.read(size) if size else b""
        if not block:
            return False
        if self._left is not None:
            self._left -= len(block)
        self._base += self.at
        self.data = self.data[self.at :] + block
        self.at = 0
        return True


def chunks(raw: Raw) -> tuple[bool, Iterator[Chunk]]:
    """Return whether the archive is compressed, and its chunks. Raises UnsupportedContent if zstd is not supported."""
    raw.more()
    if raw.data.startswith(_GZIP):
        return True, _framed(raw, lambda: zlib.decompressobj(wbits=31), _GZIP)
    if raw.data.startswith((_ZSTD, _ZSTD_DICTIONARY)):
        return True, _framed(raw, _zstd_opener(raw), _ZSTD)
    return False, _plain_chunks(raw)


def _plain_chunks(raw: Raw) -> Iterator[Chunk]:
    while raw.at < len(raw.data) or raw.more():
        start = raw.offset
        chunk = raw.data[raw.at :]
        raw.at = len(raw.data)
        yield start, chunk


def _framed(raw: Raw, opener: Any, magic: bytes) -> Iterator[Chunk]:
    """Yield the chunks of members from the window's beginning on.

    `magic` are the bytes that begin a member, `opener` makes a decompressor for one.
    """
    is_damaged = False  # whether this is inside a damaged stretch
    read_until, attempts = 0, 0  # of the stretch: the position up to which it was read, and how often from inside it
    while _skip_padding(raw):
        if not _begins_member(raw, opener, magic, is_damaged):
            if not is_damaged:
                yield raw.offset, None
                is_damaged, read_until = True, raw.offset + 1
            _advance(raw, magic, 1)
            continue
        member = _Member(raw, opener())
        start = raw.offset
        for out in member.chunks():
            yield start, out
        if member.is_whole:
            is_damaged, read_until, attempts = False, 0, 0
            continue
        yield start, None
        attempts = attempts + 1 if start < read_until else 0
        is_damaged, read_until = True, max(read_until, member.end, start + 1)
        # Hostile data may contain `magic` everywhere; after _MAX_ATTEMPTS go on after the part that was read.
        _advance(raw, magic, 1 if attempts < _MAX_ATTEMPTS else read_until - raw.offset)


def _skip_padding(raw: Raw) -> bool:
    """Skip zero bytes, which some writers add; return False at the end of the stream."""
    while True:
        if raw.data.startswith(b"\0", raw.at):
            raw.at = len(raw.data) - len(raw.data[raw.at :].lstrip(b"\0"))
        if raw.at < len(raw.data):
            return True
        if not raw.more():
            return False


def _begins_member(raw: Raw, opener: Any, magic: bytes, must_hold_record: bool) -> bool:
    """Return whether a member begins here; after damage it must begin with a record, as `magic` may be chance."""
    if len(raw.data) - raw.at < _PROBE:
        raw.more()
    if not raw.data.startswith(magic, raw.at):
        return False
    if not must_hold_record:
        return True
    try:
        start: bytes = opener().decompress(raw.data[raw.at : raw.at + _PROBE], len(_RECORD))
    except _damage_errors():
        return False
    return start == _RECORD


def _advance(raw: Raw, magic: bytes, step: int) -> None:
    """Move the window to the next `magic`, at least `step` bytes further, or to the end of the stream."""
    while True:
        position = raw.data.find(magic, raw.at + step)
        if position >= 0:
            raw.at = position
            return
        # `magic` may cross the window's end, so its last bytes stay in the window.
        used = min(max(len(raw.data) - raw.at - len(magic) + 1, step), len(raw.data) - raw.at)
        step = max(step - used, 0)
        raw.at += used
        if not raw.more():
            raw.at = len(raw.data)
            return


class _Member:
    """One member, read from the window's beginning. A whole member is consumed; of a damaged one nothing is."""

    def __init__(self, raw: Raw, decompressor: Any) -> None:
        self._raw = raw
        self._decompressor = decompressor
        self._end = raw.at
        self.is_whole = False

    @property
    def end(self) -> int:
        """Position in the stream up to which the member was read."""
        return self._raw.offset - self._raw.at + self._end

    def chunks(self) -> Iterator[bytes]:
        """Yield its content in chunks up to its end or the damage."""
        pieces: list[bytes] = []
        size = 0
        try:
            for piece in self._pieces():
                pieces.append(piece)
                size += len(piece)
                if size >= CHUNK:
                    yield b"".join(pieces)
                    pieces, size = [], 0
        except _damage_errors():
            return
        self.is_whole = True
        self._raw.at = self._end
        yield b"".join(pieces)

    def _pieces(self) -> Iterator[bytes]:
        """Decompress slice by slice. Raises EOFError at the end of the stream and what the decompressor raises."""
        raw, decompressor = self._raw, self._decompressor
        while not decompressor.eof:
            if self._end == len(raw.data):
                if self._end - raw.at > _RETAINED:
                    raw.at = self._end
                self._end -= raw.at
                if not raw.more():
                    self._end += raw.at
                    raise EOFError
            piece = raw.data[self._end : self._end + _SLICE]
            self._end += len(piece)
            yield decompressor.decompress(piece, CHUNK)
            while not decompressor.eof and _has_pending_input(decompressor):
                yield decompressor.decompress(getattr(decompressor, "unconsumed_tail", b""), CHUNK)
        self._end -= len(decompressor.unused_data)


def _has_pending_input(decompressor: Any) -> bool:
    """Return whether it can give output without more input. zlib hands back unused input, zstd stores it."""
    tail = getattr(decompressor, "unconsumed_tail", None)
    return bool(tail) if tail is not None else not decompressor.needs_input


def _damage_errors() -> tuple[type[Exception], ...]:
    zstd = zstd_module()
    return (zlib.error, EOFError) if zstd is None else (zlib.error, EOFError, zstd.ZstdError)


def _zstd_opener(raw: Raw) -> Any:
    """Return a function that makes a decompressor for each frame, with the dictionary of the archive's first frame."""
    zstd = zstd_module()
    if zstd is None:
        raise UnsupportedContent(
            "the archive is compressed with Zstandard, which needs Python 3.14 or newer",
            hint="Run webtool with Python 3.14 or newer, or recompress: zstd -dc FILE.zst | gzip > FILE.gz",
        )
    dictionary = None
    if raw.data.startswith(_ZSTD_DICTIONARY):
        size = 8 + int.from_bytes(raw.data[4:8], "little")
        while len(raw.data) < size <= _MAX_DICTIONARY and raw.more():
            pass
        content = raw.data[8:size]
        raw.at = min(size, len(raw.data))
        dictionary = zstd.ZstdDict(zstd.decompress(content) if content.startswith(_ZSTD) else content)
    return lambda: zstd.ZstdDecompressor(zstd_dict=dictionary)
