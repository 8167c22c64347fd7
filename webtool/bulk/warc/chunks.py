"""An archive's bytes, decompressed in chunks. In: a binary stream. Out: (offset of the member, chunk) in order.

A chunk belongs to one gzip member or Zstandard frame, and a member shorter than CHUNK is one chunk, so that a record in
a member of its own, as archives are written, lies whole in one string. The checksum of a member has been compared when
its last chunk comes. Where a member is damaged, None comes in place of a chunk, and reading goes on at the next place
where a member begins with a record. Spec: RFC 1952, RFC 8878, and "Zstandard for WARC" of the IIPC for dictionaries.
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.errors import UnsupportedContent
from webtool.lean.optional import zlib, zstd_module
from webtool.lean.typing import Any, BinaryIO, Union

Chunk = tuple[int, Union[bytes, None]]

CHUNK = 1 << 20
"""Bytes past which a member is not gathered any more but given out as it comes."""
_READ = 1 << 17  # bytes asked of the stream at once
_SLICE = 1 << 15  # bytes given to zlib at once: it copies what lies behind the member's end
_MAX_PARTS = 32  # slices of a member that are joined to one chunk
_TRIED = 4096  # bytes in which the first of a record must show
_RETAINED = 8 << 20  # bytes of a member kept to look for the next one in, should it turn out to be damaged
_ATTEMPTS = 16  # places tried as a member's beginning inside one damaged stretch: each may cost a stretch again
_GZIP = b"\x1f\x8b\x08"
_ZSTD = b"\x28\xb5\x2f\xfd"
_ZSTD_DICTIONARY = b"\x5d\x2a\x4d\x18"
_MAX_DICTIONARY = 16 << 20
_RECORD = b"WARC/"


class Raw:
    """A window on the stream: what is not used yet begins at `data[at]`; at most `limit` bytes are read in all."""

    def __init__(self, stream: BinaryIO, offset: int = 0, limit: int | None = None) -> None:
        self._stream = stream
        self._left = limit
        self._base = offset
        self.data = b""
        self.at = 0

    @property
    def offset(self) -> int:
        """The place in the stream of what is not used yet."""
        return self._base + self.at

    @property
    def end(self) -> int:
        """The place in the stream up to which it was read."""
        return self._base + len(self.data)

    def more(self) -> bool:
        """Drop what was used and read on; False at the end, where nothing changes."""
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
    """Whether the archive is compressed, and its chunks. Raises UnsupportedContent for Zstandard without support."""
    raw.more()
    if raw.data.startswith(_GZIP):
        return True, _gzip_chunks(raw)
    if raw.data.startswith((_ZSTD, _ZSTD_DICTIONARY)):
        return True, _framed(raw, _zstd_opener(raw), _ZSTD)
    return False, _plain_chunks(raw)


def _plain_chunks(raw: Raw) -> Iterator[Chunk]:
    while raw.at < len(raw.data) or raw.more():
        start = raw.offset
        chunk = raw.data[raw.at :]
        raw.at = len(raw.data)
        yield start, chunk


def _gzip_chunks(raw: Raw) -> Iterator[Chunk]:
    """What _framed() gives, at the speed of zlib, while members are sound and shorter than a chunk."""
    while raw.at < len(raw.data) or raw.more():
        data, view = raw.data, memoryview(raw.data)
        while data.startswith(_GZIP, raw.at):
            inflate = zlib.decompressobj(wbits=31)
            end = min(raw.at + _SLICE, len(data))
            try:
                out = inflate.decompress(view[raw.at : end], CHUNK)
                parts = [out]
                while not inflate.eof and len(parts[-1]) < CHUNK and len(parts) < _MAX_PARTS:
                    if end == len(data):
                        end -= raw.at
                        if not raw.more():
                            break
                        data, view = raw.data, memoryview(raw.data)
                    piece = view[end : end + _SLICE]
                    end += len(piece)
                    parts.append(inflate.decompress(piece, CHUNK))
            except zlib.error:
                break
            if not inflate.eof:
                break
            start = raw.offset
            raw.at = end - len(inflate.unused_data)
            yield start, out if len(parts) == 1 else b"".join(parts)
        if raw.at < len(raw.data):
            yield from _framed(raw, lambda: zlib.decompressobj(wbits=31), _GZIP, only_one=True)


def _framed(raw: Raw, opener: Any, magic: bytes, only_one: bool = False) -> Iterator[Chunk]:
    """Members or frames, each from the window's beginning on; with `only_one` it ends behind the first whole one."""
    attempts, furthest = 0, 0
    while _skip_padding(raw):
        is_lost = furthest > 0
        if not _begins(raw, opener, magic, is_lost):
            if not is_lost:
                yield raw.offset, None
                furthest = raw.offset + 1
            _advance(raw, magic, 1)
            continue
        member = _Member(raw, opener())
        start = raw.offset
        for out in member.chunks():
            yield start, out
        if member.is_whole:
            furthest = attempts = 0
            if only_one:
                return
            continue
        yield start, None
        attempts = attempts + 1 if start < furthest else 0
        furthest = max(furthest, member.end, start + 1)
        # Data that pretends to begin a member everywhere must not be read once for each of these places.
        _advance(raw, magic, 1 if attempts < _ATTEMPTS else furthest - raw.offset)


def _skip_padding(raw: Raw) -> bool:
    """Pass over zeros, with which some writers fill up; False at the end of the stream."""
    while True:
        if raw.data.startswith(b"\0", raw.at):
            raw.at = len(raw.data) - len(raw.data[raw.at :].lstrip(b"\0"))
        if raw.at < len(raw.data):
            return True
        if not raw.more():
            return False


def _begins(raw: Raw, opener: Any, magic: bytes, must_hold_record: bool) -> bool:
    """Whether a member begins here; after damage, one that begins with a record, as the mark may be there by chance."""
    if len(raw.data) - raw.at < _TRIED:
        raw.more()
    if not raw.data.startswith(magic, raw.at):
        return False
    if not must_hold_record:
        return True
    try:
        found: bytes = opener().decompress(raw.data[raw.at : raw.at + _TRIED], len(_RECORD))
    except _damage():
        return False
    return found == _RECORD


def _advance(raw: Raw, magic: bytes, step: int) -> None:
    """Go on to the next place, `step` or more bytes further, that has the mark of a beginning; else to the end."""
    while True:
        found = raw.data.find(magic, raw.at + step)
        if found >= 0:
            raw.at = found
            return
        # The mark may lie across the window's end.
        used = min(max(len(raw.data) - raw.at - len(magic) + 1, step), len(raw.data) - raw.at)
        step = max(step - used, 0)
        raw.at += used
        if not raw.more():
            raw.at = len(raw.data)
            return


class _Member:
    """One member or frame, read from the window's beginning; a whole one is used up, a damaged one is not."""

    def __init__(self, raw: Raw, decompressor: Any) -> None:
        self._raw = raw
        self._decompressor = decompressor
        self._end = raw.at
        self.is_whole = False

    @property
    def end(self) -> int:
        """The place in the stream up to which it was read."""
        return self._raw.offset - self._raw.at + self._end

    def chunks(self) -> Iterator[bytes]:
        """Its content, as far as it is sound."""
        held: list[bytes] = []
        size = 0
        try:
            for out in self._pieces():
                held.append(out)
                size += len(out)
                if size >= CHUNK:
                    yield b"".join(held)
                    held, size = [], 0
        except _damage():
            return
        self.is_whole = True
        self._raw.at = self._end
        yield b"".join(held)

    def _pieces(self) -> Iterator[bytes]:
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
            while not decompressor.eof and _holds_input(decompressor):
                yield decompressor.decompress(getattr(decompressor, "unconsumed_tail", b""), CHUNK)
        self._end -= len(decompressor.unused_data)


def _holds_input(decompressor: Any) -> bool:
    """Whether it can give more without being given more: zlib hands back what it did not use, zstd keeps it."""
    tail = getattr(decompressor, "unconsumed_tail", None)
    return bool(tail) if tail is not None else not decompressor.needs_input


def _damage() -> tuple[type[Exception], ...]:
    """What a damaged member raises."""
    zstd = zstd_module()
    return (zlib.error, EOFError) if zstd is None else (zlib.error, EOFError, zstd.ZstdError)


def _zstd_opener(raw: Raw) -> Any:
    """What makes a decompressor for each frame. A dictionary stands in the archive's first frame."""
    zstd = zstd_module()
    if zstd is None:
        raise UnsupportedContent(
            "the archive is compressed with Zstandard, which Python has from 3.14 on",
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
