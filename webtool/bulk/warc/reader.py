"""WARC records in the order of the file. In: a binary stream. Out: Records, one at a time, and what was passed over.

Held in memory: one record and a window of the stream. A record that is damaged, cut off or shorter than it says is
passed over and counted; reading goes on at the next record. A header block ends with an empty line; the content follows
for Content-Length bytes and is closed by two line ends. Spec: ISO 28500, sections 4 and 5, annex D.
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.bulk.warc.chunks import Raw
from webtool.bulk.warc.feed import BEGIN, Feed
from webtool.bulk.warc.record import Record
from webtool.errors import UnsupportedContent
from webtool.lean import patterns
from webtool.lean.typing import BinaryIO

MAX_RECORD = 64 << 20
"""Bytes of one record's content that are kept, unless the caller says otherwise."""
_MAX_HEAD = 1 << 20  # bytes of one header block
_EMPTY_LINE = b"\r\n\r\n"
_LENGTH = b"\r\nContent-Length: "
_ANY_LENGTH = patterns.compile(rb"(?i)\ncontent-length[ \t]*:[ \t]*([0-9]{1,18})[ \t]*(?:\r?\n|$)")
_FIRST_LINE = patterns.compile(rb"WARC/[01]\.[0-9]{1,2}\r?\n")
_LONGEST_LINE = 12  # bytes of a first line


def records(stream: BinaryIO, *, max_bytes: int = MAX_RECORD, offset: int = 0, length: int | None = None) -> Records:
    """The records of a WARC file, plain, gzip or Zstandard, read from `stream` as they are asked for.

    `max_bytes` of a record's content are kept, and Record.is_cut says that there were more. `offset` and `length` in
    bytes, as an index gives them, choose a part of a stream that can seek. Raises UnsupportedContent for what is no
    WARC file, ARC by its name, and for Zstandard where Python has none.
    """
    if offset:
        stream.seek(offset)
    return Records(Raw(stream, offset, length), max_bytes)


class Records:
    """An iterator of Records."""

    def __init__(self, raw: Raw, max_bytes: int) -> None:
        self._feed = Feed(raw)
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
        """Records and compressed members passed over so far because they were damaged or cut off."""
        return self._lost + self._feed.damaged

    @property
    def position(self) -> int:
        """Bytes of the stream read so far, to show progress by."""
        return self._feed.position

    def _read(self) -> Iterator[Record]:
        feed, longest = self._feed, self._max_bytes
        while self._reach_record():
            data, at = feed.data, feed.at
            end = data.find(_EMPTY_LINE, at, at + _MAX_HEAD)
            digits = data.find(_LENGTH, at, end)
            # The common case: all of the record is here. Everything else takes the long way.
            if end >= 0 and digits >= 0:
                number = data[digits + 18 : data.find(b"\r", digits + 18)]
                stop = end + 4 + int(number) if number.isdigit() and len(number) <= 18 else -1
                if 0 <= stop <= end + 4 + longest and data.startswith(_EMPTY_LINE, stop):
                    feed.at = stop + 4
                    yield Record(data[at:end], data, end + 4, stop, feed.place(at))
                    continue
            record = self._whole_record()
            if record is not None:
                yield record

    def _reach_record(self) -> bool:
        """Go to where the next record begins; False at the end. What lies between is damage."""
        feed = self._feed
        while not feed.data.startswith(BEGIN, feed.at):
            if feed.left:
                feed.skip_blank()
            if feed.left < _LONGEST_LINE and not feed.fill(_LONGEST_LINE) and not feed.left:
                return False
            if not feed.data.startswith((BEGIN, b"\r", b"\n"), feed.at):
                self._pass_over_damage()
        self._has_begun, self._is_lost = True, False
        return True

    def _pass_over_damage(self) -> None:
        """Go on to what looks like a record's first line, or to the end of what is held."""
        feed = self._feed
        found = _FIRST_LINE.search(feed.data, feed.at)
        if found is None and not self._has_begun:
            raise _not_warc(feed.data[feed.at : feed.at + 512])
        self._count_damage()
        feed.at = found.start() if found else max(len(feed.data) - _LONGEST_LINE, feed.at + 1)

    def _count_damage(self) -> None:
        """Once for each damaged stretch, and not where the compressed member counts as damaged itself."""
        if not self._is_lost and not self._feed.is_before_damage:
            self._lost += 1
        self._is_lost = True

    def _whole_record(self) -> Record | None:
        """The record that begins here, whatever it takes; None for a damaged one."""
        feed = self._feed
        head_size, gap = self._head_size()
        if not gap:  # nothing that is held has a whole header block: only the last one may be going on
            self._pass_over(max(feed.data.rfind(BEGIN, feed.at) - feed.at, len(BEGIN)))
            return None
        head = feed.data[feed.at : feed.at + head_size]
        match = _ANY_LENGTH.search(head)
        if match is None:
            self._pass_over(head_size)
            return None
        length, offset = int(match[1]), feed.place(feed.at)
        kept = min(length, self._max_bytes)
        start = head_size + gap
        feed.fill(start + kept + len(_EMPTY_LINE))
        if feed.left < start + kept:
            self._pass_over(start)
            return None
        begin, data = feed.at + start, feed.data
        feed.at = begin + kept
        if kept < length:
            is_sound = self._skip(length - kept)
        else:
            is_sound = self._is_between_records()
            if not is_sound:
                feed.data, feed.at = data, begin - start
                self._pass_over(start)
                return None
        return Record(head, data, begin, begin + kept, offset, is_cut=kept < length) if is_sound else None

    def _head_size(self) -> tuple[int, int]:
        """Bytes of the header block, and of the empty line behind it (0: there is none)."""
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

    def _pass_over(self, searched_from: int) -> None:
        """Count the record that begins here and look for the next one, that many bytes further on."""
        feed = self._feed
        self._count_damage()
        found = _FIRST_LINE.search(feed.data, feed.at + searched_from)
        feed.at = found.start() if found else len(feed.data)

    def _is_between_records(self) -> bool:
        """Whether what follows is a record's end: line ends, then another record or nothing."""
        feed = self._feed
        while True:
            feed.skip_blank()
            if feed.left >= len(BEGIN) or not feed.fill(len(BEGIN)):
                break
        return feed.data.startswith(BEGIN[: feed.left], feed.at)

    def _skip(self, size: int) -> bool:
        """Pass over content that is not kept; False where it does not come."""
        feed = self._feed
        while size > feed.left:
            size -= feed.left
            feed.at = len(feed.data) - 1  # one byte stays, so that fill() does not go on into another record
            if not feed.fill(2):
                self._count_damage()
                feed.at = len(feed.data)
                return False
            feed.at += 1
        feed.at += size
        return True


def _not_warc(start: bytes) -> UnsupportedContent:
    if start.startswith(b"filedesc:"):
        return UnsupportedContent(
            "This is an ARC file, the format before WARC, which is not read",
            hint="Convert it first: warcio recompress FILE.arc.gz FILE.warc.gz",
        )
    return UnsupportedContent(
        f"This is not a WARC file: it begins with {start[:20]!r}",
        hint="Give a WARC file (.warc, .warc.gz, .warc.zst), as crawlers and `webtool batch --warc` write them.",
    )
