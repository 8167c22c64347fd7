"""Encrypt and decrypt AES in CBC mode. In: a key of 16 or 32 bytes, an initialisation vector, data. Out: data.

Decryption works on all blocks at once: the bytes at one index of every block are a lane. bytes.translate() looks up a
whole lane, and one large integer adds it, so a megabyte takes a tenth of a second instead of a minute. Encryption,
which PDF needs only to derive keys, must go block by block.
Specification: FIPS 197, NIST SP 800-38A section 6.2.
Tests: tests/documents/pdf/test_objects.py
"""

from __future__ import annotations

BLOCK = 16


def _times(byte: int, factor: int) -> int:
    """Multiply in GF(2^8), FIPS 197 section 4.2."""
    product = 0
    while factor:
        if factor & 1:
            product ^= byte
        byte = byte << 1 ^ (0x11B if byte & 0x80 else 0)
        factor >>= 1
    return product


def _s_box() -> bytes:
    """Return the S-box: the inverse in the field, then an affine transformation (FIPS 197 section 5.1.1)."""
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
    """Return the key of each round (FIPS 197 section 5.2)."""
    words = [key[index : index + 4] for index in range(0, len(key), 4)]
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
    return [b"".join(words[index : index + 4]) for index in range(0, len(words), 4)]


def decrypt(key: bytes, vector: bytes, data: bytes) -> bytes:
    """Decrypt whole blocks in CBC mode; the padding stays, and bytes after the last whole block are dropped."""
    data = data[: len(data) // BLOCK * BLOCK]
    count = len(data) // BLOCK
    if not count:
        return b""
    keys = _round_keys(key)
    lanes = [_keyed(data[index::BLOCK], keys[-1][index], count) for index in range(BLOCK)]
    for number in range(len(keys) - 2, -1, -1):
        # Section 5.3.1: row r of a block, the bytes r, r + 4, ..., is shifted by r columns.
        lanes = [lanes[(index - 4 * (index % 4)) % BLOCK].translate(_INVERSE) for index in range(BLOCK)]
        lanes = [_keyed(lane, keys[number][index], count) for index, lane in enumerate(lanes)]
        if number:
            lanes = [lane for index in range(0, BLOCK, 4) for lane in _unmixed(lanes[index : index + 4])]
    result = bytearray(len(data))
    for index, lane in enumerate(lanes):
        result[index::BLOCK] = lane
    return _added(bytes(result), vector + data[:-BLOCK])


def encrypt(key: bytes, vector: bytes, data: bytes) -> bytes:
    """Encrypt whole blocks in CBC mode."""
    keys = [int.from_bytes(words, "big") for words in _round_keys(key)]
    parts: list[bytes] = []
    state = int.from_bytes(vector, "big")
    for index in range(0, len(data), BLOCK):
        state ^= int.from_bytes(data[index : index + BLOCK], "big") ^ keys[0]
        for round_key in keys[1:-1]:
            block = state.to_bytes(BLOCK, "big")
            mixed = 0
            for table, place in _STEPS:
                mixed ^= table[block[place]]
            state = mixed ^ round_key
        # The last round: bytes substituted, rows shifted, columns left as they are.
        block = state.to_bytes(BLOCK, "big").translate(_S_BOX)
        state = int.from_bytes([block[(index + 4 * (index % 4)) % BLOCK] for index in range(BLOCK)], "big") ^ keys[-1]
        parts.append(state.to_bytes(BLOCK, "big"))
    return b"".join(parts)


def _steps() -> list[tuple[list[int], int]]:
    """Return a table for each index of a block: the share of the new block after SubBytes, ShiftRows and MixColumns."""
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
    size = len(lanes[0])
    mixed_lanes: list[bytes] = []
    for row in range(4):
        total = 0
        for other, lane in enumerate(lanes):
            total ^= int.from_bytes(lane.translate(_BY[_UNMIXED[(other - row) % 4]]), "little")
        mixed_lanes.append(total.to_bytes(size, "little"))
    return mixed_lanes


def _keyed(lane: bytes, key: int, count: int) -> bytes:
    return _added(lane, bytes((key,)) * count)


def _added(first: bytes, second: bytes) -> bytes:
    """Add bytes in the field, which is exclusive or."""
    total = int.from_bytes(first, "little") ^ int.from_bytes(second, "little")
    return total.to_bytes(len(first), "little")
