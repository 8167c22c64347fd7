"""A growing buffer over an archive's chunks. In: chunks. Out: as many bytes as are requested, from a moving position.

The reader looks at `data` from `at` on, moves `at` forward, and calls fill() for more. fill() never joins two things
that do not belong together: it stops before a damaged member, and before a member that begins with a record.
Tests: tests/bulk/warc/test_reader.py
"""

from __future__ import annotations

from webtool.bulk.warc.chunks import Raw, chunks

BEGIN = b"WARC/"  # begins a record


class Feed:
    """The buffer. Bytes of `data` before `at` are used, those from `at` on are not."""

    def __init__(self, raw: Raw) -> None:
        self._raw = raw
        self.is_compressed, self._chunks = chunks(raw)
        self._ahead: list[tuple[int, bytes | None]] = []
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
        return bool(self._ahead) and self._ahead[0][1] is None

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
        while have < target and self._peek():
            offset, chunk = self._ahead[0]
            if have and (chunk is None or self._begins_other_record(offset, chunk)):
                break
            del self._ahead[0]
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
        return self.is_compressed and offset != self._offset and chunk.startswith(BEGIN)

    def _peek(self) -> bool:
        """Read the next chunk into `_ahead` if it is empty; return False at the end."""
        if not self._ahead:
            for chunk in self._chunks:
                self._ahead.append(chunk)
                break
        return bool(self._ahead)
