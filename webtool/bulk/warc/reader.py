"""Read WARC records in the order of the file. In: a binary stream. Out: Records, one at a time, and a count of damage.

A record is a header block that ends with an empty line, Content-Length bytes of content, and two line ends. Memory
holds one record and a window of the stream. A record that is damaged, cut off or shorter than its Content-Length is
skipped and counted; reading goes on at the next record. `_is_lost` is True between damage and the next record, so that
a damaged stretch is counted once. Spec: ISO 28500, sections 4 and 5, annex D.
Tests: tests/bulk/warc/test_reader.py
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.bulk.warc.chunks import Chunk, Raw, chunks
from webtool.bulk.warc.record import Record
from webtool.errors import UnsupportedContent
from webtool.lean import patterns
from webtool.lean.typing import BinaryIO

MAX_RECORD = 64 << 20  # bytes; default limit of a record's content, which is cut there
_MAX_HEAD = 1 << 20  # bytes of a header block; a record with a longer one is damaged
_BEGIN = b"WARC/"  # begins a record
_EMPTY_LINE = b"\r\n\r\n"
_ANY_LENGTH = patterns.compile(rb"(?i)\ncontent-length[ \t]*:[ \t]*([0-9]{1,18})[ \t]*(?:\r?\n|$)")
_FIRST_LINE = patterns.compile(rb"WARC/[01]\.[0-9]{1,2}\r?\n")
_MAX_FIRST_LINE = 12  # bytes of a record's first line, such as "WARC/1.1\r\n"


def records(stream: BinaryIO, *, max_bytes: int = MAX_RECORD, offset: int = 0, length: int | None = None) -> Records:
    """Return the records of a WARC file (plain, gzip or Zstandard), read from `stream` lazily.

    Content longer than `max_bytes` is cut; Record.is_cut is True then. `offset` and `length` in bytes, as an index
    states them, select a part of a seekable stream. Raises UnsupportedContent if the stream is not a WARC file (an ARC
    file is named as such), and for Zstandard on a Python without it.
    """
    if offset:
        stream.seek(offset)
    return Records(Raw(stream, offset, length), max_bytes)


class Records:
    """An iterator over Records, with `damaged` and `position` for progress."""

    def __init__(self, raw: Raw, max_bytes: int) -> None:
        self._feed = _Feed(raw)
        self._max_bytes = max_bytes
        self._has_begun = False
        self._is_lost = False
        self._lost = 0
        self._records = self._read()

    def __iter__(self) -> Iterator[Record]:
        return self._records

    def __next__(self) -> Record:
        return next(self._records)

    @property
    def damaged(self) -> int:
        """Records and compressed members skipped so far because they were damaged or cut off."""
        return self._lost + self._feed.damaged

    @property
    def position(self) -> int:
        """Bytes of the stream read so far."""
        return self._feed.position

    def _read(self) -> Iterator[Record]:
        while self._reach_record():
            record = self._next_record()
            if record is not None:
                yield record

    def _reach_record(self) -> bool:
        """Move to the beginning of the next record; return False at the end. Anything but line ends is damage."""
        feed = self._feed
        while not feed.data.startswith(_BEGIN, feed.at):
            feed.skip_blank()
            if not feed.fill(_MAX_FIRST_LINE) and not feed.left:
                return False
            if not feed.data.startswith((_BEGIN, b"\r", b"\n"), feed.at):
                self._skip_damage()
        self._has_begun, self._is_lost = True, False
        return True

    def _skip_damage(self) -> None:
        """Move to the next first line or the buffer's end. Raises UnsupportedContent if no record came before."""
        feed = self._feed
        first_line = _FIRST_LINE.search(feed.data, feed.at)
        if first_line is None and not self._has_begun:
            raise _not_warc(feed.data[feed.at : feed.at + 512])
        self._count_damage()
        feed.at = first_line.start() if first_line else max(len(feed.data) - _MAX_FIRST_LINE, feed.at + 1)

    def _count_damage(self) -> None:
        """Count a damaged stretch once, unless Feed counts its compressed member already."""
        if not self._is_lost and not self._feed.is_before_damage:
            self._lost += 1
        self._is_lost = True

    def _next_record(self) -> Record | None:
        """Read the record that begins here, also one longer than the buffer or the limit; None if it is damaged."""
        feed = self._feed
        head_size, gap = self._head_size()
        if not gap:  # the header block is too long or has no end: go on at the last record that begins in the buffer
            self._skip_record(max(feed.data.rfind(_BEGIN, feed.at) - feed.at, len(_BEGIN)))
            return None
        head = feed.data[feed.at : feed.at + head_size]
        match = _ANY_LENGTH.search(head)
        if match is None:
            self._skip_record(head_size)
            return None
        length, offset = int(match[1]), feed.place(feed.at)
        kept_length = min(length, self._max_bytes)
        start = head_size + gap  # of the content, in bytes from the record's beginning
        feed.fill(start + kept_length + len(_EMPTY_LINE))
        if feed.left < start + kept_length:
            self._skip_record(start)
            return None
        begin, data = feed.at + start, feed.data
        feed.at = begin + kept_length
        is_cut = kept_length < length
        if is_cut:
            if not self._skip_content(length - kept_length):
                return None
        elif not self._is_between_records():  # Content-Length is wrong: look for the next record inside the content
            feed.data, feed.at = data, begin - start
            self._skip_record(start)
            return None
        return Record(head, data, begin, begin + kept_length, offset, is_cut=is_cut)

    def _head_size(self) -> tuple[int, int]:
        """Return the sizes of the header block and of the empty line after it, in bytes; (0, 0) if it has no end."""
        feed, size = self._feed, 0
        while size < _MAX_HEAD:
            stop = feed.at + _MAX_HEAD
            end = feed.data.find(_EMPTY_LINE, feed.at, stop)
            bare = feed.data.find(b"\n\n", feed.at, end if end >= 0 else stop)  # some writers end lines with LF alone
            if bare >= 0:
                return bare - feed.at + 1, 1
            if end >= 0:
                return end - feed.at, len(_EMPTY_LINE)
            size = feed.left
            if not feed.fill(size + 1):
                break
        return 0, 0

    def _skip_record(self, searched_from: int) -> None:
        """Count the record that begins here as damaged; move to the next first line from `searched_from` bytes on."""
        feed = self._feed
        self._count_damage()
        first_line = _FIRST_LINE.search(feed.data, feed.at + searched_from)
        feed.at = first_line.start() if first_line else len(feed.data)

    def _is_between_records(self) -> bool:
        """Skip line ends; return whether a record begins after them, or the file ends."""
        feed = self._feed
        while True:
            feed.skip_blank()
            if feed.left >= len(_BEGIN) or not feed.fill(len(_BEGIN)):
                break
        return feed.data.startswith(_BEGIN[: feed.left], feed.at)

    def _skip_content(self, size: int) -> bool:
        """Skip the rest of a content that was cut; return False if the file ends before."""
        feed = self._feed
        while size > feed.left:
            size -= feed.left
            feed.at = len(feed.data) - 1  # leave one byte, so that fill() stops before another record
            if not feed.fill(2):
                self._count_damage()
                feed.at = len(feed.data)
                return False
            feed.at += 1
        feed.at += size
        return True


class _Feed:
    """A growing buffer over an archive's chunks. Bytes of `data` before `at` are used, those from `at` on are not.

    fill() never joins two things that do not belong together: it stops before a damaged member, and before a member
    that begins with a record.
    """

    def __init__(self, raw: Raw) -> None:
        self._raw = raw
        self.is_compressed, self._chunks = chunks(raw)
        self._ahead: Chunk | None = None  # the next chunk, if fill() stopped before it
        self._offset = raw.offset
        self.data = b""
        self.at = 0
        self.damaged = 0  # damaged members skipped

    @property
    def position(self) -> int:
        """Bytes of the stream that were read."""
        return self._raw.end

    @property
    def left(self) -> int:
        """Number of unused bytes in the buffer."""
        return len(self.data) - self.at

    @property
    def is_before_damage(self) -> bool:
        """True if fill() stopped before a damaged member."""
        return self._ahead is not None and self._ahead[1] is None

    def place(self, at: int) -> int:
        """Return the offset in the file of position `at` of `data`; in a compressed file, of its member."""
        return self._offset if self.is_compressed else self._offset + at

    def skip_blank(self) -> None:
        """Skip line ends."""
        while self.data[self.at : self.at + 1] in (b"\r", b"\n"):
            self.at += 1

    def fill(self, size: int) -> bool:
        """Read until there are at least `size` unused bytes; return False if there are fewer."""
        have = self.left
        if have >= size:
            return True
        parts = [self.data[self.at :]] if have else []
        # Read at least an eighth more than there is: joining costs time for all bytes, however few are added.
        target = max(size, have + have // 8)
        if not self.is_compressed:
            self._offset += self.at
        while have < target:
            self._ahead = self._ahead or next(self._chunks, None)
            if self._ahead is None:
                break
            offset, chunk = self._ahead
            if have and (chunk is None or self._begins_other_record(offset, chunk)):
                break
            self._ahead = None
            if chunk is None:
                self.damaged += 1
                continue
            if not have:
                self._offset = offset
            parts.append(chunk)
            have += len(chunk)
        self.data, self.at = parts[0] if len(parts) == 1 else b"".join(parts), 0
        return have >= size

    def _begins_other_record(self, offset: int, chunk: bytes) -> bool:
        """Return whether the chunk is from a later compressed member, one that begins with a record."""
        return self.is_compressed and offset != self._offset and chunk.startswith(_BEGIN)


def _not_warc(start: bytes) -> UnsupportedContent:
    """Return the error for a stream with this beginning."""
    if start.startswith(b"filedesc:"):
        hint = "Convert it first: warcio recompress FILE.arc.gz FILE.warc.gz"
        return UnsupportedContent("This is an ARC file, the format before WARC, which is not read", hint=hint)
    return UnsupportedContent(
        "This is not a WARC file",  # nothing of it is shown, because an index of strangers may have named it
        hint="Give a WARC file (.warc, .warc.gz, .warc.zst), as crawlers and `webtool batch --warc` write them.",
    )
