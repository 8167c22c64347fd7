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


# FIPS 197 figure 7.
_S_BOX = bytes.fromhex(
    "637c777bf26b6fc53001672bfed7ab76ca82c97dfa5947f0add4a2af9ca472c0b7fd9326363ff7cc34a5e5f171d8311504c723c31896059a"
    "071280e2eb27b27509832c1a1b6e5aa0523bd6b329e32f8453d100ed20fcb15b6acbbe394a4c58cfd0efaafb434d338545f9027f503c9fa8"
    "51a3408f929d38f5bcb6da2110fff3d2cd0c13ec5f974417c4a77e3d645d197360814fdc222a908846eeb814de5e0bdbe0323a0a4906245c"
    "c2d3ac629195e479e7c8376d8dd54ea96c56f4ea657aae08ba78252e1ca6b4c6e8dd741f4bbd8b8a703eb5664803f60e613557b986c11d9e"
    "e1f8981169d98e949b1e87e9ce5528df8ca1890dbfe6426841992d0fb054bb16"
)
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
