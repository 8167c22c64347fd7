"""What a page says about its encoding in its first bytes: a meta element, or an XML declaration.

In: bytes. Out: the encoding's name, or None. Imported where neither a byte order mark nor Content-Type answers.
Spec: the HTML Standard, 13.2.3.2 (prescan a byte stream to determine its encoding, get an attribute, get an XML
encoding) and 2.5 (extracting a character encoding from a meta element).
"""

from __future__ import annotations

from webtool.html.labels import encoding_for_label
from webtool.lean import patterns

LENGTH = 16384  # browsers look at 1,024 bytes first, but start over when they meet a meta element later

_CHARSET = patterns.compile(
    "(?i)charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:\"([^\"]*)\"|'([^']*)'|([^\t\n\f\r ;\"'][^\t\n\f\r ;]*))"
)
_TAG = patterns.compile("(?i)<(?:(meta)[\t\n\f\r /]|/?[a-z][^\t\n\f\r >]*)")
_NAME = patterns.compile("[\t\n\f\r /]*(=?[^\t\n\f\r />=]*)")
_EQUALS = patterns.compile("[\t\n\f\r ]*=[\t\n\f\r ]*")
_UNQUOTED = patterns.compile("[^\t\n\f\r >]*")
_XML = patterns.compile("<\\?xml[^>]*?encoding[\0- ]*=[\0- ]*(?:\"([^\">\0- ]*)\"|'([^'>\0- ]*)')[^>]*>")

_UTF_16 = ("utf-16be", "utf-16le")


def prescan(data: bytes) -> str | None:
    """The encoding that the first LENGTH bytes declare.

    A meta element cut off there does not count; one that the file itself ends in does.
    """
    whole = len(data) <= LENGTH
    data = data[:LENGTH]
    text = data.decode("latin-1")
    if text.startswith("<\0?\0x\0"):
        return "utf-16le"
    if text.startswith("\0<\0?\0x"):
        return "utf-16be"
    return _first_meta(text, whole) or _xml_encoding(text)


def _first_meta(text: str, whole: bool) -> str | None:
    position = text.find("<")
    while position >= 0:
        match = _TAG.match(text, position)
        if text.startswith("<!--", position):
            position = _behind(text, "-->", position + 2)
        elif match and match.group(1):
            attributes, position = _attributes(text, position + 5)
            name = _declared_by(attributes) if whole or position >= 0 else None
            if name:
                return name
        elif match:
            position = _attributes(text, match.end())[1]
        elif text.startswith(("<!", "</", "<?"), position):
            position = _behind(text, ">", position + 1)
        else:
            position += 1
        if position >= 0:
            position = text.find("<", position)
    return None


def _behind(text: str, end: str, position: int) -> int:
    found = text.find(end, position)
    return found if found < 0 else found + len(end)


def _attributes(text: str, position: int) -> tuple[dict[str, str], int]:
    """A tag's attributes in lower case, the first of a name only, and where the tag ends: -1 if the bytes end first."""
    attributes: dict[str, str] = {}
    while True:
        match = _NAME.match(text, position)
        assert match is not None  # it matches the empty string too
        name, position = match.group(1).lower(), match.end()
        if not name:
            return attributes, (position + 1 if text.startswith(">", position) else -1)
        value = ""
        match = _EQUALS.match(text, position)
        if match:
            value, position = _value(text, match.end())
            if position < 0:
                return attributes, -1
        attributes.setdefault(name, value.lower())


def _value(text: str, position: int) -> tuple[str, int]:
    quote = text[position : position + 1]
    if quote in ('"', "'"):
        end = text.find(quote, position + 1)
        return text[position + 1 : end], (end + 1 if end >= 0 else -1)
    match = _UNQUOTED.match(text, position)
    assert match is not None
    return match.group(), (match.end() if match.end() < len(text) else -1)


def _declared_by(attributes: dict[str, str]) -> str | None:
    """The encoding that a meta element's attributes declare, by charset or by the pragma."""
    if "charset" in attributes:
        name = encoding_for_label(attributes["charset"])
    elif attributes.get("http-equiv") == "content-type":
        match = _CHARSET.search(attributes.get("content", ""))
        name = encoding_for_label(match.group(1) or match.group(2) or match.group(3) or "") if match else None
    else:
        return None
    if name in _UTF_16:
        return "utf-8"
    return "windows-1252" if name == "x-user-defined" else name


def _xml_encoding(text: str) -> str | None:
    match = _XML.match(text)
    if not match:
        return None
    name = encoding_for_label(match.group(1) or match.group(2) or "")
    return "utf-8" if name in _UTF_16 else name
