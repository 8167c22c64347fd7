"""The DOCTYPE token: its text in; name, identifiers and the document's quirks mode out.

Spec: the HTML Standard, 13.2.5.53 to 13.2.5.68 (DOCTYPE states) and 13.2.6.4.1 (the "initial" insertion mode).
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from webtool.records import NamedTuple


class DoctypeToken(NamedTuple):
    """A DOCTYPE: identifiers are None where the source names none."""

    name: str
    public_id: str | None
    system_id: str | None
    force_quirks: bool


_SPACE = "[\t\n\f ]*"
_NAME = re.compile(_SPACE + "([^\t\n\f ]*)" + _SPACE)
_KEYWORD = re.compile("(?i)(public|system)" + _SPACE)
_IDENTIFIER = re.compile("\"([^\"]*)(\"?)|'([^']*)('?)")
_REST = re.compile(_SPACE)


def parse_doctype(text: str, ended: bool = True) -> DoctypeToken:
    """Read what stands between "<!doctype" and ">"; `ended` is false where the input ended before the ">"."""
    match = _NAME.match(text)
    assert match is not None  # every part of it may be empty
    name = _ascii_lower(match.group(1))
    if not ended or not name:
        force = True
        if not name:
            return DoctypeToken("", None, None, True)
    else:
        force = False
    if match.end() == len(text):
        return DoctypeToken(name, None, None, force)
    keyword = _KEYWORD.match(text, match.end())
    if not keyword:
        return DoctypeToken(name, None, None, True)
    public_id, system_id, complete = _identifiers(text, keyword.end(), keyword.group(1).lower() == "public")
    return DoctypeToken(name, public_id, system_id, force or not complete)


def _identifiers(text: str, position: int, is_public: bool) -> tuple[str | None, str | None, bool]:
    first, position, complete = _identifier(text, position)
    if not is_public:
        return None, first, complete
    if not complete:
        return first, None, False
    position = _skip(text, position)
    if position == len(text):  # a public identifier may stand alone
        return first, None, True
    second, _, complete = _identifier(text, position)
    return first, second, complete


def _identifier(text: str, position: int) -> tuple[str | None, int, bool]:
    match = _IDENTIFIER.match(text, position)
    if not match:
        return None, position, False
    double, end_double, single, end_single = match.groups()
    value = double if double is not None else single
    return value, match.end(), bool(end_double or end_single)


def _skip(text: str, position: int) -> int:
    match = _REST.match(text, position)
    return match.end() if match else position


def _ascii_lower(text: str) -> str:
    return text.lower() if text.isascii() else re.sub("[A-Z]+", lambda match: match.group().lower(), text)


_QUIRKY_PUBLIC = frozenset(
    ("-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html")
)
_QUIRKY_SYSTEM = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"
_QUIRKY_PREFIXES = (
    "+//silmaril//dtd html pro v0r11 19970101//",
    "-//as//dtd html 3.0 aswedit + extensions//",
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
    "-//ietf//dtd html 2.0 level 1//",
    "-//ietf//dtd html 2.0 level 2//",
    "-//ietf//dtd html 2.0 strict level 1//",
    "-//ietf//dtd html 2.0 strict level 2//",
    "-//ietf//dtd html 2.0 strict//",
    "-//ietf//dtd html 2.0//",
    "-//ietf//dtd html 2.1e//",
    "-//ietf//dtd html 3.0//",
    "-//ietf//dtd html 3.2 final//",
    "-//ietf//dtd html 3.2//",
    "-//ietf//dtd html 3//",
    "-//ietf//dtd html level 0//",
    "-//ietf//dtd html level 1//",
    "-//ietf//dtd html level 2//",
    "-//ietf//dtd html level 3//",
    "-//ietf//dtd html strict level 0//",
    "-//ietf//dtd html strict level 1//",
    "-//ietf//dtd html strict level 2//",
    "-//ietf//dtd html strict level 3//",
    "-//ietf//dtd html strict//",
    "-//ietf//dtd html//",
    "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer 2.0 html strict//",
    "-//microsoft//dtd internet explorer 2.0 html//",
    "-//microsoft//dtd internet explorer 2.0 tables//",
    "-//microsoft//dtd internet explorer 3.0 html strict//",
    "-//microsoft//dtd internet explorer 3.0 html//",
    "-//microsoft//dtd internet explorer 3.0 tables//",
    "-//netscape comm. corp.//dtd html//",
    "-//netscape comm. corp.//dtd strict html//",
    "-//o'reilly and associates//dtd html 2.0//",
    "-//o'reilly and associates//dtd html extended 1.0//",
    "-//o'reilly and associates//dtd html extended relaxed 1.0//",
    "-//sq//dtd html 2.0 hotmetal + extensions//",
    "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
    "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
    "-//spyglass//dtd html 2.0 extended//",
    "-//sun microsystems corp.//dtd hotjava html//",
    "-//sun microsystems corp.//dtd hotjava strict html//",
    "-//w3c//dtd html 3 1995-03-24//",
    "-//w3c//dtd html 3.2 draft//",
    "-//w3c//dtd html 3.2 final//",
    "-//w3c//dtd html 3.2//",
    "-//w3c//dtd html 3.2s draft//",
    "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental 19960712//",
    "-//w3c//dtd html experimental 970421//",
    "-//w3c//dtd w3 html//",
    "-//w3o//dtd w3 html 3.0//",
    "-//webtechs//dtd mozilla html 2.0//",
    "-//webtechs//dtd mozilla html//",
)
_HTML_401 = ("-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//")
_XHTML_1 = ("-//w3c//dtd xhtml 1.0 frameset//", "-//w3c//dtd xhtml 1.0 transitional//")


def quirks_mode(token: DoctypeToken) -> str:
    """The mode a DOCTYPE asks for: "no-quirks", "limited-quirks" or "quirks"."""
    public = _ascii_lower(token.public_id or "")
    system = _ascii_lower(token.system_id or "")
    if (
        token.force_quirks
        or token.name != "html"
        or public in _QUIRKY_PUBLIC
        or system == _QUIRKY_SYSTEM
        or public.startswith(_QUIRKY_PREFIXES)
        or (token.system_id is None and public.startswith(_HTML_401))
    ):
        return "quirks"
    return "limited-quirks" if public.startswith(_XHTML_1 + _HTML_401) else "no-quirks"
