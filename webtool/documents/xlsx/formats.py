"""What the cells of a workbook show. In: styles.xml, a cell's value and style. Out: text, dates in ISO 8601.

Specification: ECMA-376 part 1, clauses 18.8.30 (numFmt, and the formats that need no declaration), 18.17.4 (dates).
"""

from __future__ import annotations

from datetime import datetime, timedelta

from webtool.documents import number_formats
from webtool.documents.xmltree import children, integer
from webtool.lean import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_DATES = frozenset((14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58))
_TIMES = frozenset((18, 19, 20, 21, 32, 33, 34, 35, 45, 47))
_NUMBERS = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 37: "#,##0;(#,##0)",
    38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;(#,##0.00)", 41: "#,##0;(#,##0);-",
    42: '"$"#,##0;"$"(#,##0);"$"-', 43: "#,##0.00;(#,##0.00);-", 44: '"$"#,##0.00;"$"(#,##0.00);"$"-', 48: "##0.0E+0",
}  # fmt: skip
_DATE_TIME = 22
_ELAPSED = 46
_QUOTED = patterns.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]')
_ELAPSED_MARK = patterns.compile(r"(?i)\[(?:h+|m+|s+)\]")
_MAX_CODE = 1000  # characters of a format; Excel takes 255
_MAX_DATE = 2_958_466  # the day after 9999-12-31


class Formats:
    """Formats by the index of a cell's style (clause 18.8.45)."""

    def __init__(self, root: Element | None, is_1904: bool) -> None:
        self._epoch = datetime(1904, 1, 1) if is_1904 else datetime(1899, 12, 30)
        declared: dict[int, str] = {}
        known: dict[int, tuple[str, str]] = {}
        self._kinds: list[tuple[str, str]] = []
        if root is None:
            return
        for item in root.iter("x:numFmt"):
            declared[integer(item.get("numFmtId"))] = item.get("formatCode", "")[:_MAX_CODE]
        for item in children(root, "x:cellXfs", "x:xf"):
            identity = integer(item.get("numFmtId"))
            if identity not in known:
                known[identity] = _kind(identity, declared.get(identity))
            self._kinds.append(known[identity])

    def text(self, value: str, style: int) -> str:
        """A number as its format shows it."""
        try:
            number = float(value)
        except ValueError:
            return value
        kind, code = self._kinds[style] if 0 <= style < len(self._kinds) else ("number", "")
        if kind == "elapsed" and abs(number) < _MAX_DATE:
            return _elapsed(number)
        if kind in ("date", "time", "datetime") and 0 <= number < _MAX_DATE:
            return self._moment(number, kind)
        return number_formats.formatted(code, number) if code else number_formats.general(number)

    def _moment(self, number: float, kind: str) -> str:
        moment = self._epoch + timedelta(days=int(number), seconds=round(number % 1 * 86400))
        if kind == "time" or number < 1:
            return moment.strftime("%H:%M:%S")
        if kind == "date" and not number % 1:
            return f"{moment.date().isoformat()}"
        return moment.isoformat(" ")


def _elapsed(number: float) -> str:
    """A length of time, which may have more than 24 hours."""
    minutes, seconds = divmod(round(abs(number) * 86400), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{'-' if number < 0 else ''}{hours}:{minutes:02}:{seconds:02}"


def _kind(identity: int, code: str | None) -> tuple[str, str]:
    """What a format shows, and the format's code where that is a number in one."""
    if code is None:
        if identity == _ELAPSED:
            return "elapsed", ""
        if identity in _DATES or identity == _DATE_TIME:
            return ("datetime" if identity == _DATE_TIME else "date"), ""
        return ("time", "") if identity in _TIMES else ("number", _NUMBERS.get(identity, ""))
    if _ELAPSED_MARK.search(code):
        return "elapsed", ""
    first = _QUOTED.sub("", code.partition(";")[0]).lower()
    if "general" in first:
        return "number", ""
    has_date = any(letter in first for letter in "yd")
    has_time = any(letter in first for letter in "hs")
    if has_date or has_time or first.strip("/- .,:") in ("m", "mm", "mmm", "mmmm"):
        return ("datetime" if has_date and has_time else "time" if has_time else "date"), ""
    return "number", "" if code == "@" else code
