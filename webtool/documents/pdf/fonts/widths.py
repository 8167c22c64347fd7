"""Read the widths of characters. In: font dictionaries. Out: widths by code or CID, in thousandths of the font size.

Widths show where a text ends, and so where a gap to the next text is a space.
Specification: ISO 32000-1 sections 9.2.4, 9.6.2.2 (standard fonts), 9.7.4.3 (widths of CIDs).
Tests: tests/documents/pdf/test_convert.py
"""

from __future__ import annotations

from webtool.documents.pdf.objects.file import PdfFile
from webtool.lean import datafiles
from webtool.lean.typing import Any

_MAX_CIDS = 65536  # of a font; wider ranges are cut
_MAX_ITEMS = 200_000  # of a W array; the rest is ignored
_USUAL_WIDTH = 556.0  # of the digits and many letters of Helvetica, for codes that no table lists

# Widths of characters 32 to 126 of the standard fonts (from their AFM files), for fonts without Widths.
_STANDARD: dict[str, list[float]] = {}
for _line in datafiles.read(__name__, "standard_widths.txt").decode("ascii").splitlines():
    _name, *_widths = _line.split()
    _STANDARD[_name] = list(map(float, _widths))


def simple_widths(file: PdfFile, attrs: dict[str, Any], descriptor: dict[str, Any]) -> tuple[list[float], bool]:
    """Return the widths by code of a simple font, [] if it lists none, and whether they are all the same."""
    missing = file.resolve(descriptor.get("MissingWidth"))
    listed = [file.resolve(width) for width in file.list_of(attrs.get("Widths"))[:256]]
    first = file.resolve(attrs.get("FirstChar"))
    if not listed or type(first) is not int:
        return [], False
    widths = [float(missing) if type(missing) in (int, float) and missing else 500.0] * 256
    for code, width in enumerate(listed, first):
        if 0 <= code < 256 and type(width) in (int, float):
            widths[code] = float(width)
    return widths, is_fixed_pitch(listed)


def is_fixed_pitch(widths: list[Any]) -> bool:
    """Return whether all characters have the same width, of 400 to 700: full-width CJK fonts do not count."""
    used = {width for width in widths if width}
    return len(used) == 1 and len(widths) >= 8 and 400 <= max(used) <= 700


def standard_widths(name: str, is_bold: bool, is_fixed_pitch: bool) -> list[float]:
    """Return the widths by code of a font without Widths: those of the standard font that its name resembles."""
    if is_fixed_pitch:
        return [600.0] * 256
    if "times" in name.lower() or "serif" in name.lower():
        listed = _STANDARD["Times-Bold" if is_bold else "Times-Roman"]
    else:
        listed = _STANDARD["Helvetica-Bold" if is_bold else "Helvetica"]
    return [_USUAL_WIDTH] * 32 + listed + [_USUAL_WIDTH] * (256 - 32 - len(listed))


def cid_widths(file: PdfFile, descendant: dict[str, Any]) -> dict[int, float]:
    """Return the widths by CID of a W array (section 9.7.4.3): `first [w w w]` or `first last w`."""
    widths: dict[int, float] = {}
    items = [file.resolve(item) for item in file.list_of(descendant.get("W"))[:_MAX_ITEMS]]
    index = 0
    left = file.take_entries(2 * _MAX_CIDS)  # entries that may be added: a hostile file repeats the same ranges
    while index + 1 < len(items) and left > 0:
        first, second = items[index], items[index + 1]
        if type(first) is int and type(second) is list:
            left -= len(second)
            numbers = ((cid, file.resolve(width)) for cid, width in enumerate(second[:_MAX_CIDS], first))
            widths.update((cid, float(width)) for cid, width in numbers if type(width) in (int, float))
            index += 2
        elif type(first) is int and type(second) is int and index + 2 < len(items):
            if type(items[index + 2]) in (int, float) and first <= second:
                last = min(second, first + _MAX_CIDS - 1)
                left -= last - first
                widths.update(dict.fromkeys(range(first, last + 1), float(items[index + 2])))
            index += 3
        else:
            index += 1
    file.take_entries(-max(0, left))
    return widths
