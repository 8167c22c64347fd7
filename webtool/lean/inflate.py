"""Decompress raw deflate without zlib, 1 MB a second. In: bytes. Out: bytes.

On a Python that was built without zlib, each start of the release reads the sources with it, until `webtool install`
has put bytecode beside them that is not compressed. Spec: RFC 1951.
"""

from __future__ import annotations

# The length of a match with symbol 257 + n is _LENGTHS[n] plus the number in the next _LENGTH_BITS[n] bits (3.2.5).
_LENGTHS = (
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
)  # fmt: skip
_LENGTH_BITS = (0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0)
# A block writes the code lengths of its two Huffman codes in a third one. First come that one's own code lengths, for
# its symbols in this order (section 3.2.7).
_ORDER = (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15)
Codes = dict[tuple[int, int], int]  # a Huffman code: (length in bits, code) -> symbol


class _Bits:
    """Read a byte string bit by bit, the lowest bit of each byte first."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._position = 0  # of the next byte
        self._held = self._count = 0  # bits that were read and not taken yet, and how many

    def take(self, count: int) -> int:
        """Take the next `count` bits as a number. Raises IndexError after the end."""
        while self._count < count:
            self._held |= self._data[self._position] << self._count
            self._position += 1
            self._count += 8
        value = self._held & (1 << count) - 1
        self._held >>= count
        self._count -= count
        return value

    def take_symbol(self, codes: Codes) -> int:
        """Take the next symbol of a Huffman code. Raises ValueError for bits that form no code."""
        code = 0
        for length in range(1, 16):
            code = code << 1 | self.take(1)
            symbol = codes.get((length, code))
            if symbol is not None:
                return symbol
        raise ValueError("no such code")

    def take_stored_block(self) -> bytes:
        """Take a block that is not compressed, from the next whole byte on: its size, the size inverted, its bytes."""
        head = self._position - self._count // 8
        start = head + 4
        self._held = self._count = 0
        size = int.from_bytes(self._data[head : head + 2], "little")
        inverted = int.from_bytes(self._data[head + 2 : start], "little")
        self._position = start + size
        if size ^ 0xFFFF != inverted or self._position > len(self._data):
            raise ValueError("a stored block is damaged")
        return self._data[start : self._position]


def inflate(data: bytes) -> bytes:
    """Return the decompressed bytes. Raises IndexError or ValueError for anything else than raw deflate."""
    bits, out, is_last = _Bits(data), bytearray(), 0
    while not is_last:
        is_last, kind = bits.take(1), bits.take(2)
        if kind == 0:
            out += bits.take_stored_block()
        elif kind == 1:
            _copy(bits, out, _codes([8] * 144 + [9] * 112 + [7] * 24 + [8] * 8), _codes([5] * 30))
        elif kind == 2:
            _copy(bits, out, *_dynamic(bits))
        else:
            raise ValueError("no such block")
    return bytes(out)


def _codes(lengths: list[int]) -> Codes:
    """Return the codes of symbols by their lengths; 0 is a symbol without a code.

    Codes of one length follow each other in the order of their symbols (section 3.2.2).
    """
    codes, code = {}, 0
    for length in range(1, 16):
        for symbol, symbol_length in enumerate(lengths):
            if symbol_length == length:
                codes[length, code] = symbol
                code += 1
        code <<= 1
    return codes


def _dynamic(bits: _Bits) -> tuple[Codes, Codes]:
    """Read the two Huffman codes of a block: of literals and lengths, and of distances (section 3.2.7)."""
    literals, distances, count = bits.take(5) + 257, bits.take(5) + 1, bits.take(4) + 4
    lengths_of_codes = [0] * 19
    for place in _ORDER[:count]:
        lengths_of_codes[place] = bits.take(3)
    codes = _codes(lengths_of_codes)
    lengths: list[int] = []
    while len(lengths) < literals + distances:
        symbol = bits.take_symbol(codes)
        if symbol < 16:
            lengths.append(symbol)
        elif symbol == 16:
            lengths += lengths[-1:] * (3 + bits.take(2))
        else:
            lengths += [0] * (3 + bits.take(3) if symbol == 17 else 11 + bits.take(7))
    return _codes(lengths[:literals]), _codes(lengths[literals:])


def _copy(bits: _Bits, out: bytearray, literals: Codes, distances: Codes) -> None:
    """Append the bytes that the symbols of one block encode, up to its end.

    A symbol below 256 is a byte, 256 the end, and a larger one a match: bytes of `out` that come again.
    """
    while True:
        symbol = bits.take_symbol(literals)
        if symbol < 256:
            out.append(symbol)
            continue
        if symbol == 256:
            return
        length = _LENGTHS[symbol - 257] + bits.take(_LENGTH_BITS[symbol - 257])
        place = bits.take_symbol(distances)
        extra_bits = max(place // 2 - 1, 0)
        distance = 1 + (place if place < 4 else ((2 + place % 2) << extra_bits) + bits.take(extra_bits))
        for _ in range(length):
            out.append(out[-distance])
