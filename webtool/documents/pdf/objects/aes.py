"""AES in CBC mode. In: a key of 16 or 32 bytes, data. Out: data. Specification: FIPS 197, NIST SP 800-38A section 6.2.

Decryption works on all blocks at once: the bytes at one place of every block make a lane, a lane is looked up with
bytes.translate and added with one large integer, so that a megabyte takes a tenth of a second instead of a minute.
Encryption, which PDF needs only to derive keys, has to go from block to block.
"""

from __future__ import annotations

BLOCK = 16


def _times(byte: int, factor: int) -> int:
    """Multiplication in GF(2^8), FIPS 197 section 4.2."""
    product = 0
    while factor:
        if factor & 1:
            product ^= byte
        byte = byte << 1 ^ (0x11B if byte & 0x80 else 0)
        factor >>= 1
    return product


def _s_box() -> bytes:
    """FIPS 197 section 5.1.1: the inverse in the field, then an affine transformation."""
    box = bytearray(256)
    power = inverse = 1
    while True:
        power = power ^ _times(power, 2)  # times 3, which generates the field
        inverse = _times(inverse, 0xF6)  # and its inverse
        turned = inverse
        for shift in range(1, 5):
            turned ^= inverse << shift | inverse >> 8 - shift
        box[power] = turned & 0xFF ^ 0x63
        if power == 1:
            break
    box[0] = 0x63
    return bytes(box)


_S_BOX = _s_box()
_INVERSE = bytes(_S_BOX.index(code) for code in range(256))
_BY = {factor: bytes(_times(code, factor) for code in range(256)) for factor in (2, 3, 9, 11, 13, 14)}
_UNMIXED = (14, 11, 13, 9)  # a column of the inverse of MixColumns, section 5.3.3


def _round_keys(key: bytes) -> list[bytes]:
    """FIPS 197 section 5.2."""
    words = [key[at : at + 4] for at in range(0, len(key), 4)]
    size = len(words)
    constant = 1
    for number in range(size, 4 * (size + 7)):
        word = words[-1]
        if number % size == 0:
            word = (word[1:] + word[:1]).translate(_S_BOX)
            word = bytes((word[0] ^ constant,)) + word[1:]
            constant = _times(constant, 2)
        elif size > 6 and number % size == 4:
            word = word.translate(_S_BOX)
        words.append(_added(word, words[number - size]))
    return [b"".join(words[at : at + 4]) for at in range(0, len(words), 4)]


def decrypt(key: bytes, vector: bytes, data: bytes) -> bytes:
    """CBC decryption, padding left in place; what follows the last whole block is left out."""
    data = data[: len(data) // BLOCK * BLOCK]
    count = len(data) // BLOCK
    if not count:
        return b""
    keys = _round_keys(key)
    lanes = [_keyed(data[at::BLOCK], keys[-1][at], count) for at in range(BLOCK)]
    for number in range(len(keys) - 2, -1, -1):
        # Section 5.3.1: row r of a block, the bytes r, r + 4, ..., is shifted by r columns.
        lanes = [lanes[(at - 4 * (at % 4)) % BLOCK].translate(_INVERSE) for at in range(BLOCK)]
        lanes = [_keyed(lane, keys[number][at], count) for at, lane in enumerate(lanes)]
        if number:
            lanes = [lane for at in range(0, BLOCK, 4) for lane in _unmixed(lanes[at : at + 4])]
    result = bytearray(len(data))
    for at, lane in enumerate(lanes):
        result[at::BLOCK] = lane
    return _added(bytes(result), vector + data[:-BLOCK])


def encrypt(key: bytes, vector: bytes, data: bytes) -> bytes:
    """CBC encryption of whole blocks."""
    keys = [int.from_bytes(words, "big") for words in _round_keys(key)]
    parts: list[bytes] = []
    state = int.from_bytes(vector, "big")
    for at in range(0, len(data), BLOCK):
        state ^= int.from_bytes(data[at : at + BLOCK], "big") ^ keys[0]
        for round_key in keys[1:-1]:
            block = state.to_bytes(BLOCK, "big")
            mixed = 0
            for table, place in _STEPS:
                mixed ^= table[block[place]]
            state = mixed ^ round_key
        # The last round: bytes substituted, rows shifted, columns left as they are.
        block = state.to_bytes(BLOCK, "big").translate(_S_BOX)
        state = int.from_bytes([block[(at + 4 * (at % 4)) % BLOCK] for at in range(BLOCK)], "big") ^ keys[-1]
        parts.append(state.to_bytes(BLOCK, "big"))
    return b"".join(parts)


def _steps() -> list[tuple[list[int], int]]:
    """For each byte of a block what SubBytes, ShiftRows and MixColumns make of it: its share of the whole new block."""
    steps: list[tuple[list[int], int]] = []
    for place in range(BLOCK):
        row = place % 4
        column = (place // 4 - row) % 4
        table = []
        for code in _S_BOX:
            factors = [code] * 4
            factors[row] = _BY[2][code]
            factors[(row - 1) % 4] = _BY[3][code]
            table.append(int.from_bytes(bytes(factors), "big") << 8 * (12 - 4 * column))
        steps.append((table, place))
    return steps


_STEPS = _steps()


def _unmixed(lanes: list[bytes]) -> list[bytes]:
    """The inverse of MixColumns for four lanes."""
    size = len(lanes[0])
    made: list[bytes] = []
    for row in range(4):
        total = 0
        for other, lane in enumerate(lanes):
            total ^= int.from_bytes(lane.translate(_BY[_UNMIXED[(other - row) % 4]]), "little")
        made.append(total.to_bytes(size, "little"))
    return made


def _keyed(lane: bytes, key: int, count: int) -> bytes:
    return _added(lane, bytes((key,)) * count)


def _added(first: bytes, second: bytes) -> bytes:
    """Bytes added in the field, which is exclusive or."""
    total = int.from_bytes(first, "little") ^ int.from_bytes(second, "little")
    return total.to_bytes(len(first), "little")
