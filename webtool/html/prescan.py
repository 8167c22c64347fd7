"""Find the encoding that a page declares in its first bytes: in a meta element or an XML declaration.

In: bytes. Out: the encoding's name, or None. It is imported if neither a byte order mark nor Content-Type names an
encoding.
Spec: the HTML Standard, 13.2.3.2 (prescan a byte stream to determine its encoding, get an XML encoding) and 2.5
(extracting a character encoding from a meta element).
"""

from __future__ import annotations

from webtool.html.labels import encoding_for_label
from webtool.html.tags import read_tag
from webtool.lean import patterns

LENGTH = 16384  # bytes that are looked at; browsers begin with 1,024 and start over if a meta element comes later

_CHARSET = patterns.compile(
    "(?i)charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:\"([^\"]*)\"|'([^']*)'|([^\t\n\f\r ;\"'][^\t\n\f\r ;]*))"
)
_TAG = patterns.compile("</?[A-Za-z]")
_XML = patterns.compile("<\\?xml[^>]*?encoding[\0- ]*=[\0- ]*(?:\"([^\">\0- ]*)\"|'([^'>\0- ]*)')[^>]*>")

_UTF_16 = ("utf-16be", "utf-16le")


def prescan(data: bytes) -> str | None:
    """Return the encoding that the first LENGTH bytes declare, or None.

    A meta element that is cut off by LENGTH does not count. If the file itself ends inside a meta element, it counts if
    its last value is complete: `<meta charset="utf-8"`.
    """
    text = data[:LENGTH].decode("latin-1").replace("\r", "\n")
    if text.startswith("<\0?\0x\0"):
        return "utf-16le"
    if text.startswith("\0<\0?\0x"):
        return "utf-16be"
    is_whole = len(data) <= LENGTH and text.endswith(('"', "'", " ", "\n", "\t", "\f"))
    return _first_meta(text + ">" if is_whole else text) or _xml_encoding(text)


def _first_meta(text: str) -> str | None:
    """Return the encoding of the first meta element that declares one, or None."""
    position = text.find("<")
    while position >= 0:
        if text.startswith("<!--", position):
            position = _after(text, "-->", position + 2)
        elif _TAG.match(text, position):
            tag, position = read_tag(text, position + 1)
            name, is_end_tag, attributes, _ = tag or ("", False, None, False)
            encoding = _declared_by(attributes or {}) if name == "meta" and not is_end_tag else None
            if encoding:
                return encoding
        elif text.startswith(("<!", "</", "<?"), position):
            position = _after(text, ">", position + 1)
        else:
            position += 1
        if position >= 0:
            position = text.find("<", position)
    return None


def _after(text: str, end: str, position: int) -> int:
    """Return the position after the next `end`, or -1."""
    index = text.find(end, position)
    return index if index < 0 else index + len(end)


def _declared_by(attributes: dict[str, str]) -> str | None:
    """Return the encoding that a meta element declares, by charset or by http-equiv, or None."""
    if "charset" in attributes:
        name = encoding_for_label(attributes["charset"])
    elif attributes.get("http-equiv", "").lower() == "content-type":
        match = _CHARSET.search(attributes.get("content", ""))
        name = encoding_for_label(match.group(1) or match.group(2) or match.group(3) or "") if match else None
    else:
        return None
    if name in _UTF_16:
        return "utf-8"
    return "windows-1252" if name == "x-user-defined" else name


def _xml_encoding(text: str) -> str | None:
    """Return the encoding of an XML declaration at the beginning, or None."""
    match = _XML.match(text)
    if not match:
        return None
    name = encoding_for_label(match.group(1) or match.group(2) or "")
    return "utf-8" if name in _UTF_16 else name
