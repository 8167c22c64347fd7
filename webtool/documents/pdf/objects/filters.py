"""Decode the filters of streams. In: a filter's name, its parameters, bytes, a limit. Out: at most that many bytes.

Of a damaged stream, the part before the damage is returned. Filters of images (DCT, JPX, CCITT, JBIG2) raise PdfError,
since their streams have no text.
Specification: ISO 32000-1 section 7.4.
Tests: tests/documents/pdf/test_objects.py
"""

from __future__ import annotations

from collections.abc import Callable

from webtool.documents.pdf.objects import PdfError, hexadecimal
from webtool.lean import patterns
from webtool.lean.optional import zlib
from webtool.lean.typing import Any

_WHITE_SPACE = b"\x00\t\n\x0c\r "
_LZW_CLEAR, _LZW_END = 256, 257  # codes that empty the table, and end the data
_RUN_LENGTH_END = 128


def decode(name: str, parameters: dict[str, Any], data: bytes, limit: int) -> bytes:
    """Decode one filter. Raises PdfError for an unknown one."""
    decoder = FILTERS.get(name)
    if decoder is None:
        raise PdfError(f"has a stream with the filter {name[:40]}, which holds no text")
    return decoder(data, parameters, limit)


def flate(data: bytes, parameters: dict[str, Any], limit: int) -> bytes:
    """Decompress zlib data (RFC 1950), or raw deflate data if the zlib header is wrong."""
    inflated = (
        _inflate(data, zlib.MAX_WBITS, limit)
        or _inflate(data.lstrip(_WHITE_SPACE), zlib.MAX_WBITS, limit)
        or _inflate(data[2:], -15, limit)  # raw deflate data after a two-byte header
    )
    return _unpredicted(inflated, parameters, limit)


def _inflate(data: bytes, window: int, limit: int) -> bytes:
    """Decompress up to a limit; return the output before an error."""
    inflater = zlib.decompressobj(window)
    try:
        return inflater.decompress(data, limit)
    except zlib.error:
        pass
    # An error discards the output of its call, so decompress again in small steps.
    inflater = zlib.decompressobj(window)
    parts: list[bytes] = []
    size = 0
    try:
        for start in range(0, len(data), 256):
            parts.append(inflater.decompress(data[start : start + 256], limit - size + 1))
            size += len(parts[-1])
            if size > limit:
                break
    except zlib.error:
        pass
    return b"".join(parts)[:limit]


def lzw(data: bytes, parameters: dict[str, Any], limit: int) -> bytes:
    """Decode LZW codes of 9 to 12 bits, most significant bit first (section 7.4.4)."""
    early = 0 if parameters.get("EarlyChange") == 0 else 1  # usually codes get wider one code before they must
    base = [bytes((code,)) for code in range(256)] + [b"", b""]  # the last two are _LZW_CLEAR and _LZW_END
    table = list(base)
    parts: list[bytes] = []
    size = 0
    previous = b""
    width = 9
    bits = held = 0  # the bits that are not yet part of a code, and how many they are
    for byte in data:
        bits = bits << 8 | byte
        held += 8
        if held < width:
            continue
        held -= width
        code = bits >> held
        bits &= (1 << held) - 1
        if code == _LZW_CLEAR:
            table = list(base)
            width = 9
            previous = b""
            continue
        if code == _LZW_END or size > limit:
            break
        if code < len(table):
            entry = table[code]
        elif previous and code == len(table):
            entry = previous + previous[:1]
        else:
            break
        if previous and len(table) < 4096:  # codes have at most 12 bits
            table.append(previous + entry[:1])
        parts.append(entry)
        size += len(entry)
        previous = entry
        if len(table) + early >= 1 << width and width < 12:
            width += 1
    return _unpredicted(b"".join(parts)[:limit], parameters, limit)


_ASCII85_GROUP = patterns.compile(rb"z|[!-u]{1,5}")


def ascii85(data: bytes, _parameters: dict[str, Any], limit: int) -> bytes:
    """Decode groups of five letters to four bytes each, up to `~>` (section 7.4.3); `<~` may come first."""
    clean = data.translate(None, _WHITE_SPACE)
    start = 2 if clean.startswith(b"<~") else 0
    clean = clean[start:].partition(b"~")[0]
    parts: list[bytes] = []
    for match in _ASCII85_GROUP.finditer(clean):
        group = match.group()
        if group == b"z":
            parts.append(b"\0\0\0\0")
            continue
        value = 0
        for letter in group.ljust(5, b"u"):
            value = value * 85 + letter - 33
        parts.append((value & 0xFFFFFFFF).to_bytes(4, "big")[: len(group) - 1])
    return b"".join(parts)[:limit]


def run_length(data: bytes, _parameters: dict[str, Any], limit: int) -> bytes:
    """Decode runs: a length byte, then bytes to copy or one to repeat; 128 ends the data (section 7.4.5)."""
    parts: list[bytes] = []
    index = size = 0
    while index < len(data) and size < limit:
        length = data[index]
        if length == _RUN_LENGTH_END:
            break
        if length < _RUN_LENGTH_END:
            parts.append(data[index + 1 : index + 2 + length])  # 0 stands for one byte, 127 for 128
            index += 2 + length
        else:
            parts.append(data[index + 1 : index + 2] * (257 - length))  # 255 stands for twice, 129 for 128 times
            index += 2
        size += len(parts[-1])
    return b"".join(parts)[:limit]


FILTERS: dict[str, Callable[[bytes, dict[str, Any], int], bytes]] = {
    **dict.fromkeys(("FlateDecode", "Fl"), flate),
    **dict.fromkeys(("LZWDecode", "LZW"), lzw),
    **dict.fromkeys(("ASCII85Decode", "A85"), ascii85),
    # Section 7.4.2: pairs of hexadecimal digits up to `>`.
    **dict.fromkeys(("ASCIIHexDecode", "AHx"), lambda data, _, limit: hexadecimal(data.partition(b">")[0])[:limit]),
    **dict.fromkeys(("RunLengthDecode", "RL"), run_length),
    "Crypt": lambda data, _parameters, _limit: data,  # section 7.4.10: the data is decrypted already
}


def _unpredicted(data: bytes, parameters: dict[str, Any], limit: int) -> bytes:
    """Undo the predictor of Flate and LZW (section 7.4.4.4): 2 is that of TIFF, 10 and above are those of PNG.

    A PNG row starts with its kind; a TIFF row is like kind 1, without naming it.
    """
    predictor = _small(parameters, "Predictor", 1, 15)
    if predictor < 2:
        return data
    colors = _small(parameters, "Colors", 1, 32)
    bits = _small(parameters, "BitsPerComponent", 8, 16)
    columns = _small(parameters, "Columns", 1, limit)
    row = (colors * bits * columns + 7) // 8
    pixel = max(1, colors * bits // 8)
    if row > limit or (predictor == 2 and bits != 8):
        return data
    rows: list[bytes] = []
    above = bytes(row)
    kind_size = 0 if predictor == 2 else 1  # bytes before each row
    length = 0
    for start in range(0, len(data), row + kind_size):
        line = bytearray(data[start + kind_size : start + kind_size + row])
        length += len(line)
        line.extend(bytes(row - len(line)))
        _undo_png_row(data[start] if kind_size else 1, line, above, pixel)
        above = bytes(line)
        rows.append(above)
    return b"".join(rows)[:length]  # the last row may be cut


def _small(parameters: dict[str, Any], name: str, default: int, maximum: int) -> int:
    """Return a parameter from 1 to a maximum, else the default."""
    value = parameters.get(name, default)
    return value if type(value) is int and 1 <= value <= maximum else default


def _undo_png_row(kind: int, line: bytearray, above: bytes, pixel: int) -> None:
    """Undo a PNG filter of one row in place: none, left, up, average or Paeth (PNG specification section 9.2)."""
    if kind == 2:
        line[:] = bytes([(here + up) & 0xFF for here, up in zip(line, above)])
    elif kind == 1:
        for index in range(pixel, len(line)):
            line[index] = (line[index] + line[index - pixel]) & 0xFF
    elif kind == 3:
        for index in range(len(line)):
            left = line[index - pixel] if index >= pixel else 0
            line[index] = (line[index] + (left + above[index]) // 2) & 0xFF
    elif kind == 4:
        for index in range(len(line)):
            left, corner = (line[index - pixel], above[index - pixel]) if index >= pixel else (0, 0)
            line[index] = (line[index] + _paeth(left, above[index], corner)) & 0xFF


def _paeth(left: int, up: int, corner: int) -> int:
    """Return the neighbour that is nearest to left + up - corner (PNG specification section 9.4)."""
    guess = left + up - corner
    by_left, by_up, by_corner = abs(guess - left), abs(guess - up), abs(guess - corner)
    if by_left <= by_up and by_left <= by_corner:
        return left
    return up if by_up <= by_corner else corner
