"""Raw deflate without zlib, for a Python that was built without it: 1 MB a second. In: bytes. Out: bytes.

Only the start of a release needs it there, to read the sources; `webtool install` then puts bytecode beside them that
is not compressed. Spec: RFC 1951.
"""

from __future__ import annotations

_LENGTHS = (
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
)  # fmt: skip
_LENGTH_BITS = (0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0)
_ORDER = (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15)  # of the lengths of code lengths


class _Bits:
    """Bits of a byte string, the lowest of each byte first."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = self._held = self._count = 0

    def take(self, count: int) -> int:
        """The next `count` bits as a number. Raises IndexError after the end."""
        while self._count < count:
            self._held |= self._data[self._at] << self._count
            self._at += 1
            self._count += 8
        value = self._held & (1 << count) - 1
        self._held >>= count
        self._count -= count
        return value

    def symbol(self, codes: dict[tuple[int, int], int]) -> int:
        """The next symbol of a Huffman code: (length, code) -> symbol."""
        code = 0
        for length in range(1, 16):
            code = code << 1 | self.take(1)
            symbol = codes.get((length, code))
            if symbol is not None:
                return symbol
        raise ValueError("no such code")

    def block(self) -> bytes:
        """A stored block, from the next whole byte on."""
        self._at -= self._count // 8
        self._held = self._count = 0
        size = int.from_bytes(self._data[self._at : self._at + 2], "little")
        self._at += 4 + size
        return self._data[self._at - size : self._at]


def inflate(data: bytes) -> bytes:
    """Return the decompressed bytes. Raises IndexError or ValueError for anything else than raw deflate."""
    bits, out, is_last = _Bits(data), bytearray(), 0
    while not is_last:
        is_last, kind = bits.take(1), bits.take(2)
        if kind == 0:
            out += bits.block()
        elif kind == 1:
            _copy(bits, out, _codes([8] * 144 + [9] * 112 + [7] * 24 + [8] * 8), _codes([5] * 30))
        elif kind == 2:
            _copy(bits, out, *_dynamic(bits))
        else:
            raise ValueError("no such block")
    return bytes(out)


def _codes(lengths: list[int]) -> dict[tuple[int, int], int]:
    """Section 3.2.2: codes of one length follow each other in the order of their symbols."""
    codes, code = {}, 0
    for length in range(1, 16):
        for symbol, symbol_length in enumerate(lengths):
            if symbol_length == length:
                codes[length, code] = symbol
                code += 1
        code <<= 1
    return codes


def _dynamic(bits: _Bits) -> tuple[dict[tuple[int, int], int], dict[tuple[int, int], int]]:
    """Section 3.2.7: the codes of literals and lengths, and of distances."""
    literals, distances, count = bits.take(5) + 257, bits.take(5) + 1, bits.take(4) + 4
    first = [0] * 19
    for place in _ORDER[:count]:
        first[place] = bits.take(3)
    codes, lengths = _codes(first), [0][:0]
    while len(lengths) < literals + distances:
        symbol = bits.symbol(codes)
        if symbol < 16:
            lengths.append(symbol)
        elif symbol == 16:
            lengths += lengths[-1:] * (3 + bits.take(2))
        else:
            lengths += [0] * (3 + bits.take(3) if symbol == 17 else 11 + bits.take(7))
    return _codes(lengths[:literals]), _codes(lengths[literals:])


def _copy(
    bits: _Bits, out: bytearray, literals: dict[tuple[int, int], int], distances: dict[tuple[int, int], int]
) -> None:
    """The symbols of one block, up to its end."""
    while True:
        symbol = bits.symbol(literals)
        if symbol < 256:
            out.append(symbol)
            continue
        if symbol == 256:
            return
        length = _LENGTHS[symbol - 257] + bits.take(_LENGTH_BITS[symbol - 257])
        place = bits.symbol(distances)
        extra = max(place // 2 - 1, 0)
        distance = 1 + (place if place < 4 else ((2 + place % 2) << extra) + bits.take(extra))
        for _ in range(length):
            out.append(out[-distance])
