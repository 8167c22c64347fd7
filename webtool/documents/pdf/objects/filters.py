"""Stream filters undone. In: a filter's name, its parameters, bytes, a limit. Out: at most that many bytes.

A damaged stream gives what could be decoded. Filters of images (DCT, JPX, CCITT, JBIG2) raise PdfError: no text is
behind them. Specification: ISO 32000-1 section 7.4.
"""

from __future__ import annotations

from collections.abc import Callable

from webtool.documents.pdf.objects import PdfError, hexadecimal
from webtool.lean import patterns
from webtool.lean.optional import zlib
from webtool.lean.typing import Any

_WHITE_SPACE = b"\x00\t\n\x0c\r "


def decode(name: str, parameters: dict[str, Any], data: bytes, limit: int) -> bytes:
    """Undo one filter. Raises PdfError for an unknown one."""
    decoder = FILTERS.get(name)
    if decoder is None:
        raise PdfError(f"has a stream with the filter {name[:40]}, which holds no text")
    return decoder(data, parameters, limit)


def flate(data: bytes, parameters: dict[str, Any], limit: int) -> bytes:
    """zlib data, RFC 1950; raw deflate where the zlib header is wrong; what came before an error where there is one."""
    inflated = _inflate(data, zlib.MAX_WBITS, limit)
    if not inflated and data:
        inflated = _inflate(data.lstrip(_WHITE_SPACE), zlib.MAX_WBITS, limit) or _inflate(data[2:], -15, limit)
    return _unpredicted(inflated, parameters, limit)


def _inflate(data: bytes, window: int, limit: int) -> bytes:
    inflater = zlib.decompressobj(window)
    try:
        return inflater.decompress(data, limit)
    except zlib.error:
        pass
    # An error throws away the whole call's output, so come again in small steps and keep those before it.
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
    """Variable-length LZW codes of 9 to 12 bits, most significant bit first (section 7.4.4)."""
    early = 0 if parameters.get("EarlyChange") == 0 else 1
    base = [bytes((code,)) for code in range(256)] + [b"", b""]
    table = list(base)
    parts: list[bytes] = []
    size = 0
    previous = b""
    width = 9
    bits = held = 0
    for byte in data:
        bits = bits << 8 | byte
        held += 8
        if held < width:
            continue
        held -= width
        code = bits >> held
        bits &= (1 << held) - 1
        if code == 256:
            table = list(base)
            width = 9
            previous = b""
            continue
        if code == 257 or size > limit:
            break
        if code < len(table):
            entry = table[code]
        elif previous and code == len(table):
            entry = previous + previous[:1]
        else:
            break
        if previous and len(table) < 4096:
            table.append(previous + entry[:1])
        parts.append(entry)
        size += len(entry)
        previous = entry
        if len(table) + early >= 1 << width and width < 12:
            width += 1
    return _unpredicted(b"".join(parts)[:limit], parameters, limit)


_ASCII85_GROUP = patterns.compile(rb"z|[!-u]{1,5}")


def ascii85(data: bytes, _parameters: dict[str, Any], limit: int) -> bytes:
    """Groups of five letters, four bytes each, up to `~>` (section 7.4.3)."""
    start = 2 if data.startswith(b"<~") else 0
    clean = data[start:].partition(b"~")[0].translate(None, _WHITE_SPACE)
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
    """A length byte and a run, or a byte to repeat; 128 ends (section 7.4.5)."""
    parts: list[bytes] = []
    at = size = 0
    while at < len(data) and size < limit:
        length = data[at]
        if length == 128:
            break
        if length < 128:
            parts.append(data[at + 1 : at + 2 + length])
            at += 2 + length
        else:
            parts.append(data[at + 1 : at + 2] * (257 - length))
            at += 2
        size += len(parts[-1])
    return b"".join(parts)[:limit]


FILTERS: dict[str, Callable[[bytes, dict[str, Any], int], bytes]] = {
    **dict.fromkeys(("FlateDecode", "Fl"), flate),
    **dict.fromkeys(("LZWDecode", "LZW"), lzw),
    **dict.fromkeys(("ASCII85Decode", "A85"), ascii85),
    # Section 7.4.2: pairs of hexadecimal digits up to `>`.
    **dict.fromkeys(("ASCIIHexDecode", "AHx"), lambda data, _, limit: hexadecimal(data.partition(b">")[0])[:limit]),
    **dict.fromkeys(("RunLengthDecode", "RL"), run_length),
    "Crypt": lambda data, _parameters, _limit: data,  # section 7.4.10: streams arrive here decrypted
}


def _unpredicted(data: bytes, parameters: dict[str, Any], limit: int) -> bytes:
    """Undo the predictor of Flate and LZW (section 7.4.4.4): 2 is TIFF's, 10 and above are PNG's."""
    predictor = _small(parameters, "Predictor", 1, 15)
    if predictor < 2:
        return data
    colors = _small(parameters, "Colors", 1, 32)
    bits = _small(parameters, "BitsPerComponent", 8, 16)
    columns = _small(parameters, "Columns", 1, limit)
    row = (colors * bits * columns + 7) // 8
    pixel = max(1, colors * bits // 8)
    if predictor == 2 and bits != 8:
        return data
    return _undone(data, row, pixel, has_kinds=predictor != 2)


def _small(parameters: dict[str, Any], name: str, default: int, most: int) -> int:
    value = parameters.get(name, default)
    return value if type(value) is int and 1 <= value <= most else default


def _undone(data: bytes, row: int, pixel: int, has_kinds: bool) -> bytes:
    """Data with its predictor undone; rows of TIFF are all of PNG's first kind and do not say so."""
    rows: list[bytes] = []
    above = bytes(row)
    for start in range(0, len(data), row + has_kinds):
        line = bytearray(data[start + has_kinds : start + has_kinds + row])
        line.extend(bytes(row - len(line)))
        _undo_png_row(data[start] if has_kinds else 1, line, above, pixel)
        above = bytes(line)
        rows.append(above)
    return b"".join(rows)


def _undo_png_row(kind: int, line: bytearray, above: bytes, pixel: int) -> None:
    """One row in place; PNG specification section 9.2."""
    if kind == 2:
        line[:] = bytes([(here + up) & 0xFF for here, up in zip(line, above)])
    elif kind == 1:
        for at in range(pixel, len(line)):
            line[at] = (line[at] + line[at - pixel]) & 0xFF
    elif kind == 3:
        for at in range(len(line)):
            left = line[at - pixel] if at >= pixel else 0
            line[at] = (line[at] + (left + above[at]) // 2) & 0xFF
    elif kind == 4:
        for at in range(len(line)):
            left, corner = (line[at - pixel], above[at - pixel]) if at >= pixel else (0, 0)
            line[at] = (line[at] + _paeth(left, above[at], corner)) & 0xFF


def _paeth(left: int, up: int, corner: int) -> int:
    guess = left + up - corner
    by_left, by_up, by_corner = abs(guess - left), abs(guess - up), abs(guess - corner)
    if by_left <= by_up and by_left <= by_corner:
        return left
    return up if by_up <= by_corner else corner
