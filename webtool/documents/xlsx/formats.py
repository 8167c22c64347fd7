"""The formats of the cells of a workbook. In: styles.xml, a cell's value and style. Out: text, dates in ISO 8601.

Specification: ECMA-376 part 1, clause 18.8.30 (numFmt, and the formats that need no declaration).
"""

from __future__ import annotations

from webtool.documents import number_formats
from webtool.documents.xmltree import children, integer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_KNOWN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 37: "#,##0;(#,##0)",
    38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;(#,##0.00)", 41: "#,##0;(#,##0);-",
    42: '"$"#,##0;"$"(#,##0);"$"-', 43: "#,##0.00;(#,##0.00);-", 44: '"$"#,##0.00;"$"(#,##0.00);"$"-', 48: "##0.0E+0",
    22: "yyyy-mm-dd hh:mm", 46: "[h]:mm:ss",
    **dict.fromkeys((14, 15, 16, 17, 27, 28, 29, 30, 31, 36, *range(50, 59)), "yyyy-mm-dd"),
    **dict.fromkeys((18, 19, 20, 21, 32, 33, 34, 35, 45, 47), "hh:mm:ss"),
}  # fmt: skip
_MAX_CODE = 1000  # characters of a format; Excel takes 255


class Formats:
    """Formats by the index of a cell's style (clause 18.8.45)."""

    def __init__(self, root: Element | None, is_1904: bool) -> None:
        self._is_1904 = is_1904
        codes = dict(_KNOWN)
        self._codes: list[str] = []
        if root is None:
            return
        for item in root.iter("x:numFmt"):
            codes[integer(item.get("numFmtId"))] = item.get("formatCode", "")[:_MAX_CODE]
        self._codes = [codes.get(integer(item.get("numFmtId")), "") for item in children(root, "x:cellXfs", "x:xf")]

    def text(self, value: str, style: int) -> str:
        """A number as its format shows it."""
        code = self._codes[style] if 0 <= style < len(self._codes) else ""
        return number_formats.shown(value, code, self._is_1904)
