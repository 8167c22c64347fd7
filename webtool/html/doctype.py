"""Read a DOCTYPE and choose the document's mode.

In: the text of a DOCTYPE. Out: its name and identifiers, and "quirks", "limited-quirks" or "no-quirks". In quirks mode
a table does not close an open p element. A document without a DOCTYPE is in quirks mode too: see modes/document.py.
Spec: the HTML Standard, 13.2.5.53 to 13.2.5.68 (DOCTYPE states) and 13.2.6.4.1 (the "initial" insertion mode).
"""

from __future__ import annotations

from webtool.html.charrefs import ascii_lower
from webtool.lean import patterns

_NAME = patterns.compile("[^\t\n\f ]*")
_KEYWORD = patterns.compile("(?ai)(public|system)[\t\n\f ]*")
_SPACE = "\t\n\f "
_IDENTIFIER = patterns.compile("[\t\n\f ]*(?:\"([^\"]*)(\"?)|'([^']*)('?))")
_QUIRKY_PUBLIC = frozenset(("-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html"))
_QUIRKY_SYSTEM = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"
# Public identifiers of quirks mode begin with one of these: a key, one of the endings after it (separated by "|"; "" is
# one too), and "//". "a": "| 2.0" stands for "a//" and "a 2.0//".
_QUIRKY = {
    "+//silmaril//dtd html pro": " v0r11 19970101",
    "-//as//dtd html": " 3.0 aswedit + extensions",
    "-//advasoft ltd//dtd html": " 3.0 aswedit + extensions",
    "-//ietf//dtd html": (
        "| 2.0| 2.0 level 1| 2.0 level 2| 2.0 strict| 2.0 strict level 1| 2.0 strict level 2| 2.1e| 3| 3.0| 3.2"
        "| 3.2 final| level 0| level 1| level 2| level 3| strict| strict level 0| strict level 1| strict level 2"
        "| strict level 3"
    ),
    "-//metrius//dtd metrius": " presentational",
    "-//microsoft//dtd internet explorer 2.0": " html| html strict| tables",
    "-//microsoft//dtd internet explorer 3.0": " html| html strict| tables",
    "-//netscape comm. corp.//dtd": " html| strict html",
    "-//o'reilly and associates//dtd html": " 2.0| extended 1.0| extended relaxed 1.0",
    "-//sq//dtd html": " 2.0 hotmetal + extensions",
    "-//softquad software//dtd hotmetal pro": " 6.0::19990601::extensions to html 4.0",
    "-//softquad//dtd hotmetal pro": " 4.0::19971010::extensions to html 4.0",
    "-//spyglass//dtd html": " 2.0 extended",
    "-//sun microsystems corp.//dtd hotjava": " html| strict html",
    "-//w3c//dtd": (
        " html 3 1995-03-24| html 3.2| html 3.2 draft| html 3.2 final| html 3.2s draft| html 4.0 frameset"
        "| html 4.0 transitional| html experimental 19960712| html experimental 970421| w3 html"
    ),
    "-//w3o//dtd w3 html": " 3.0",
    "-//webtechs//dtd mozilla html": "| 2.0",
}
_QUIRKY_PREFIXES = tuple(f"{first}{ending}//" for first, endings in _QUIRKY.items() for ending in endings.split("|"))
_HTML_401 = ("-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//")
_XHTML_1 = ("-//w3c//dtd xhtml 1.0 frameset//", "-//w3c//dtd xhtml 1.0 transitional//")


class DoctypeToken:
    """Hold a DOCTYPE. An identifier is None if the source lacks it."""

    __slots__ = ("force_quirks", "name", "public_id", "system_id")

    def __init__(
        self, name: str, public_id: str | None = None, system_id: str | None = None, force_quirks: bool = False
    ) -> None:
        self.name = name
        self.public_id = public_id
        self.system_id = system_id
        self.force_quirks = force_quirks


def parse_doctype(text: str, ended: bool = True) -> DoctypeToken:
    """Read the text between "<!doctype" and ">"; `ended` is false if the input ended before the ">"."""
    text = text.lstrip(_SPACE)
    if not text:
        return DoctypeToken("", force_quirks=True)
    if text.isalnum():
        return DoctypeToken(ascii_lower(text), force_quirks=not ended)
    match = _NAME.match(text)
    name = match.group() if match else ""
    rest = text[len(name) :].lstrip(_SPACE)
    keyword = _KEYWORD.match(rest)
    token = DoctypeToken(ascii_lower(name), force_quirks=not ended or bool(rest and not keyword))
    if keyword:
        _read_identifiers(token, rest[keyword.end() :], keyword.group(1).lower() == "public")
    return token


def _read_identifiers(token: DoctypeToken, text: str, is_public: bool) -> None:
    """Read the identifiers after PUBLIC or SYSTEM into the token.

    An identifier that cannot be read forces quirks mode; what follows the last one is ignored.
    """
    values: list[str] = []
    position = 0
    while len(values) < 1 + is_public:
        match = _IDENTIFIER.match(text, position)
        if match is None:
            is_complete = bool(values) and not text[position:].strip(_SPACE)  # PUBLIC "a" needs no system identifier
            token.force_quirks = token.force_quirks or not is_complete
            break
        double, end_double, single, end_single = match.groups()
        values.append(single if double is None else double)
        position = match.end()
        if not (end_double or end_single):
            token.force_quirks = True
            break
    if is_public and values:
        token.public_id = values.pop(0)
    if values:
        token.system_id = values[0]


def quirks_mode(token: DoctypeToken) -> str:
    """Return the mode that a DOCTYPE asks for: "no-quirks", "limited-quirks" or "quirks"."""
    public = ascii_lower(token.public_id or "")
    system = ascii_lower(token.system_id or "")
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
