"""The control words of RTF, and the state of a group that they change. In: words and numbers. Out: tables, a Group.

Each table says what the reader does with its words: represent a character, format text, set a field of a paragraph,
open a story of its own, collect text for a purpose, or drop it.
Specification: Rich Text Format 1.9.1.
Tests: tests/documents/test_rtf.py
"""

from __future__ import annotations

from webtool.lean.records import NamedTuple
from webtool.lean.typing import Optional, XmlElement

_MAX_FALLBACK = 100  # a larger number of \uc is cut to this

# Control words and symbols that represent characters.
CHARACTERS = {
    "tab": "\t", "line": "\n", "lbr": "\n", "emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’",
    "ldblquote": "“", "rdblquote": "”", "emspace": " ", "enspace": " ", "qmspace": " ", "~": " ", "_": "-",
    "{": "{", "}": "}", "\\": "\\",
}  # fmt: skip
# Control words that set a field of Paragraph.
PARAGRAPH = {
    "s": "style", "outlinelevel": "outline", "ilvl": "depth", "li": "left", "fi": "first", "intbl": "is_in_table",
}  # fmt: skip
PARAGRAPH_ENDS = ("par", "\n", "\r", "sect", "page", "nestcell", "column")
FORMATS = {"b": "strong", "i": "em", "strike": "del", "striked": "del", "super": "sup", "sub": "sub"}
# Control words that can hide a text, with their default values: colour, ground, half points, per cent of the width.
LOOK = {"cf": 0, "cb": 0, "highlight": 0, "chcbpat": 0, "fs": 24, "charscalex": 100}
GROUNDS = ("cbpat", "clcbpat", "clcbpatraw")  # backgrounds of paragraphs and cells
# Codecs by the character set of a font (\fcharset), then by the control word of a document.
CHARSETS = {
    128: "cp932", 129: "cp949", 134: "gbk", 136: "big5", 161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255",
    178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250", 77: "mac_roman", 2: "symbol",
}  # fmt: skip
CODECS = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}
# Destination: the kind of story that it opens.
STORIES = {
    "footnote": "note", "annotation": "comment", "shptxt": "box", "dptxbxtext": "box",
    **{f"header{page}": "header" for page in ("", "l", "r", "f")},
    **{f"footer{page}": "footer" for page in ("", "l", "r", "f")},
}  # fmt: skip
# Starred destinations (\*) whose text belongs to the story around them. All other unknown starred ones are dropped.
TRANSPARENT = frozenset(("shpinst", "do", "moMathPara"))
# Control words that name a style. A starred one begins a style in the style sheet. Elsewhere it only names a style, and
# the text after it is shown, as OpenOffice wrote it: {\*\cs7 words}
STYLE_WORDS = frozenset(("cs", "ts", "ds", "s"))
# Destinations whose text is dropped.
SKIPPED = frozenset((
    "pict", "object", "sp", "shprslt", "nonshppict", "xe", "tc", "filetbl", "upr", "template",
    "private", "rxe", "pntxta", "pntxtb", "nonesttables", "mmathPict",
))  # fmt: skip
# Destinations whose text is collected until the group ends.
COLLECTED = frozenset((
    "colortbl", "fonttbl", "stylesheet", "fldinst", "listtext", "pntext", "info", "title", "atnauthor",
))  # fmt: skip
# Control words of formatted(), with those of FORMATS and LOOK.
FORMAT_WORDS = frozenset((*FORMATS, *LOOK, "plain", "nosupersub", "v", "deleted", "f", "uc"))


class Group(NamedTuple):
    """The state of a group: copied from the outer group at `{`, restored at `}`."""

    to: str = ""  # destination: "" the story, "skip" nowhere, else one of COLLECTED
    story: str = ""  # kind of the story that this group is, a value of STORIES; "" inside other groups
    formats: frozenset[str] = frozenset()
    is_hidden: bool = False
    is_unseen: bool = False  # a story that is part of hidden text, as a footnote of it is; \\plain does not end that
    look: tuple[tuple[str, int], ...] = ()  # values of the control words of _LOOK
    font: int = -1  # -1: the default font
    url: str = ""
    fallback: int = 1  # so many characters after each \u are skipped: they are for readers without Unicode
    math: Optional[XmlElement] = None  # the part of a formula that takes the text


def formatted(group: Group, name: str, value: int | None) -> Group:
    """Return the group with a character format changed by a control word and its number, None if it has none."""
    formats = group.formats
    if name == "plain":
        return group._replace(formats=frozenset(), is_hidden=False, font=-1, look=())
    if name in LOOK:
        look = dict(group.look)
        look[name] = LOOK[name] if value is None else value
        return group._replace(look=tuple(look.items()))
    if name == "f":
        return group._replace(font=value or 0)
    if name == "uc":
        return group._replace(fallback=1 if value is None else max(0, min(value, _MAX_FALLBACK)))
    if name in ("v", "deleted"):
        return group._replace(is_hidden=value != 0)
    formats -= {"sup", "sub"} if name in ("super", "sub", "nosupersub") else {FORMATS[name]}
    if value != 0 and name in FORMATS:  # \b0 switches bold off
        formats |= {FORMATS[name]}
    return group._replace(formats=formats)
