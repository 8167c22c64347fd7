"""A growing buffer over an archive's chunks. In: chunks. Out: as many bytes as are asked for, from a place that moves.

It never goes on by itself over a place where what is held cannot continue: a damaged member, or a member that begins
with a record of its own.
"""

from __future__ import annotations

from webtool.bulk.warc.chunks import Raw, chunks

BEGIN = b"WARC/"


class Feed:
    """`data` from `at` on is what was not used yet."""

    def __init__(self, raw: Raw) -> None:
        self._raw = raw
        self.is_compressed, self._chunks = chunks(raw)
        self._ahead: list[tuple[int, bytes | None]] = []
        self._offset = raw.offset
        self.data = b""
        self.at = 0
        self.damaged = 0
        """Damaged members passed over."""

    @property
    def position(self) -> int:
        """Bytes of the stream that were read."""
        return self._raw.end

    @property
    def left(self) -> int:
        """Bytes held and not used."""
        return len(self.data) - self.at

    @property
    def is_before_damage(self) -> bool:
        """Whether fill() stopped at a damaged member."""
        return bool(self._ahead) and self._ahead[0][1] is None

    def place(self, at: int) -> int:
        """The offset in the file of that place, or of the member that the place lies in."""
        return self._offset if self.is_compressed else self._offset + at

    def skip_blank(self) -> None:
        """Pass over line ends."""
        while self.data[self.at : self.at + 1] in (b"\r", b"\n"):
            self.at += 1

    def fill(self, size: int) -> bool:
        """Have at least that many unused bytes; False where that many do not follow."""
        have = self.left
        if have >= size:
            return True
        parts = [self.data[self.at :]] if have else []
        # An eighth more than is held: joining what is held costs its size, however little is asked for.
        aim = max(size, have + have // 8)
        if not self.is_compressed:
            self._offset += self.at
        while have < aim and self._peek():
            offset, chunk = self._ahead[0]
            if have and (chunk is None or (offset != self._offset and chunk.startswith(BEGIN) and self.is_compressed)):
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

    def _peek(self) -> bool:
        if not self._ahead:
            for chunk in self._chunks:
                self._ahead.append(chunk)
                break
        return bool(self._ahead)
