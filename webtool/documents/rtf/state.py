"""Hold the state that RTF's control words change: fonts, groups, and the stories that gather blocks. Pure.

The tables come first, one for each thing that the reader does with a control word: represent a character, format text,
set a field of a paragraph, open a story, collect text for a purpose, or drop it. A Group is the state between braces.

A Story is the document, a footnote, a header or a text box. RTF has no elements: the reader adds runs and calls a
method at each end of a paragraph, a cell or a row. A list item is a paragraph with a label before it ("1." or "•"). RTF
marks where a row ends, but not where a table does: it ends before the first paragraph that is not in a cell.
Specification: Rich Text Format 1.9.1.
Tests: tests/documents/test_rtf.py
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.documents.docx.inline import symbol
from webtool.documents.runs import Run, cell, heading, linked, paragraph, trimmed
from webtool.documents.tree import CODE, QUOTATION, BlockBuilder, Cell, Child, element, table
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Optional, XmlElement

_MAX_FALLBACK = 100  # characters; \uc sets their number, and a larger one counts as this

# Control words and symbols that represent characters.
CHARACTERS = {
    "tab": "\t", "line": "\n", "lbr": "\n", "emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’",
    "ldblquote": "“", "rdblquote": "”", **dict.fromkeys(("emspace", "enspace", "qmspace", "~"), " "), "_": "-",
    "{": "{", "}": "}", "\\": "\\",
}  # fmt: skip
# Control words that set a field of Paragraph.
PARAGRAPH = {
    "s": "style", "outlinelevel": "outline", "ilvl": "depth", "li": "left", "fi": "first", "intbl": "is_in_table",
}  # fmt: skip
PARAGRAPH_ENDS = ("par", "\n", "\r", "sect", "page", "nestcell", "column")  # a backslash and a line break are a \par
# Control words that switch a format on, or off with the number 0, and the name of the format. "double del" is shown as
# "del" is, but \strike0 does not end it.
FORMATS = {
    "b": "strong", "i": "em", "strike": "del", "striked": "double del", "super": "sup", "sub": "sub",
    "v": "hidden", "deleted": "deleted",
}  # fmt: skip
_UNSEEN_FORMATS = frozenset(("hidden", "deleted"))
# Control words that can hide a text, with their default values: colour, three backgrounds, font size in half points,
# width of the letters in per cent.
LOOK = {"cf": 0, "cb": 0, "highlight": 0, "chcbpat": 0, "fs": 24, "charscalex": 100}
BACKGROUNDS = ("cbpat", "clcbpat", "clcbpatraw")  # backgrounds of paragraphs and cells
# Codecs by the character set of a font (\fcharset), then by the control word of a document.
_CHARSETS = {
    128: "cp932", 129: "cp949", 134: "gbk", 136: "big5", 161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255",
    178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250", 77: "mac_roman", 2: "symbol",
}  # fmt: skip
_EAST_ASIAN = (128, 129, 134, 136)  # character sets of fonts whose letters mostly have equal width
_CODECS = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}
FONT_WORDS = frozenset((*_CODECS, "ansicpg", "deff", "fcharset", "fmodern", "fprq"))  # for Fonts.carry_out()
# Destination: the kind of story that it opens.
STORIES = {
    "footnote": "note", "annotation": "comment", "shptxt": "box", "dptxbxtext": "box",
    **{f"header{page}": "header" for page in ("", "l", "r", "f")},
    **{f"footer{page}": "footer" for page in ("", "l", "r", "f")},
}  # fmt: skip
# Control words that name a style. OpenOffice wrote them after the star of a destination, but the text is shown:
# {\*\cs7 words}
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
# Group.destination after a control word of COLLECTED (the word itself) and after a starred word: {\*\shpinst ...}. ""
# means that of the group around it. Text after other starred words is dropped.
DESTINATIONS = {**{name: name for name in COLLECTED}, **dict.fromkeys(("shpinst", "do", "moMathPara"), "")}
FORMAT_WORDS = frozenset((*FORMATS, *LOOK, "plain", "nosupersub", "f", "uc"))  # control words for formatted()

NO_FONT = -1  # Group.font if none was set: a story then has the default font of the file


class Fonts:
    """The fonts of one file by their numbers: their character sets, and whether all letters are equally wide."""

    def __init__(self) -> None:
        self._codec = "cp1252"
        self._charsets: dict[int, int] = {}
        self._default = NO_FONT
        self._code: set[int] = set()  # fonts whose letters are equally wide

    def carry_out(self, name: str, value: int | None, font: int) -> None:
        """Carry out a control word of FONT_WORDS; most are for the font whose number came last."""
        if name in _CODECS:
            self._codec = _CODECS[name]
        elif name == "ansicpg":
            self._codec = f"cp{value}" if value else self._codec
        elif name == "deff":
            self._default = value or 0
        elif name == "fcharset":
            self._charsets[font] = value or 0
        elif name == "fmodern" or value == 1:  # \fprq1: its pitch is fixed
            self._code.add(font)
        else:
            self._code.discard(font)

    def decoded(self, data: bytes, font: int, has_default: bool) -> str:
        """Decode text by the character set of its font; without a font, by that of the file."""
        if font == NO_FONT and has_default:
            font = self._default
        codec = _CHARSETS.get(self._charsets.get(font, 0), self._codec)
        if codec == "symbol":
            return "".join([symbol(f"F0{byte:02X}") or chr(byte) for byte in data])
        try:
            return data.decode(codec, "replace")
        except LookupError:  # a code page that Python does not know
            return data.decode("cp1252", "replace")

    def is_code(self, font: int) -> bool:
        """Return whether text in a font is code."""
        font = self._default if font == NO_FONT else font
        return font in self._code and self._charsets.get(font) not in _EAST_ASIAN


class Group(NamedTuple):
    """The state of a group: copied from the outer group at `{`, restored at `}`."""

    destination: str = ""  # of the text: "" the story, "skip" nowhere, else one of COLLECTED
    story: str = ""  # "note", "box" or another value of STORIES if a story begins and ends with this group, else ""
    formats: frozenset[str] = frozenset()  # values of FORMATS
    is_in_hidden_text: bool = False  # the group is in a footnote of hidden text, which \plain does not show
    look: tuple[tuple[str, int], ...] = ()  # values of the control words of LOOK that were set
    font: int = NO_FONT
    url: str = ""
    fallback: int = 1  # this many characters after each \u are skipped: they are for readers without Unicode
    math: Optional[XmlElement] = None  # the part of a formula that takes the text

    @property
    def is_hidden(self) -> bool:
        """Whether the text is marked as hidden or deleted."""
        return self.is_in_hidden_text or not self.formats.isdisjoint(_UNSEEN_FORMATS)


def formatted(group: Group, name: str, value: int | None) -> Group:
    """Return the group with a character format changed by a control word; `value` is its number, if it has one."""
    formats = group.formats
    if name == "plain":
        return group._replace(formats=frozenset(), font=NO_FONT, look=())
    if name in LOOK:
        look = dict(group.look)
        look[name] = LOOK[name] if value is None else value
        return group._replace(look=tuple(look.items()))
    if name == "f":
        return group._replace(font=value or 0)
    if name == "uc":
        return group._replace(fallback=1 if value is None else max(0, min(value, _MAX_FALLBACK)))
    formats -= {"sup", "sub"} if name in ("super", "sub", "nosupersub") else {FORMATS[name]}
    if value != 0 and name in FORMATS:  # \b0 switches bold off
        formats |= {FORMATS[name]}
    return group._replace(formats=formats)


# Stories

_MAX_COLUMNS = 100  # of a table; the cells of a wider one are not aligned
_TWIPS_PER_LEVEL = 360  # a list nests one level deeper for each quarter inch of its left indent
_BULLETS = "•·▪◦–-* "
_NUMBER = patterns.compile(r"(\d{1,9})[.)]")
# "(b)", "iv.", "2.1)", "3"
_LABEL = patterns.compile(r"\(?\w{1,6}(?:\.\w{1,4}){0,8}[.)]|\d[\d.]{0,20}")

BODY_TEXT = 9  # the outline level of body text


class Paragraph(NamedTuple):
    r"""Paragraph properties, which \pard resets."""

    style: int = 0
    outline: int = BODY_TEXT  # 0 to 8 for headings
    depth: int = 0  # of the list level, from 0
    left: int = 0  # indent in twips
    first: int = 0  # indent of the first line in twips, relative to `left`; negative for a hanging label
    is_in_table: int = 0

    @property
    def level(self) -> int:
        """The level of a heading by its outline level; 0 for body text."""
        return self.outline + 1 if 0 <= self.outline < BODY_TEXT else 0


class _Row(NamedTuple):
    """A row of a table: its cells, and their right edges in twips."""

    cells: list[Cell]
    edges: list[int]


class Story:
    """The blocks of one story so far.

    The reader sets `runs`, `label`, `paragraph` and `edges`, then calls end_paragraph(), end_cell() or end_row().
    """

    def __init__(self) -> None:
        self._builder = BlockBuilder()
        self.blocks = self._builder.blocks
        self.runs: list[Run] = []  # of the open paragraph
        self.label = ""  # of the open paragraph, if it is a list item
        self.paragraph = Paragraph()  # properties of the open paragraph
        self.edges: list[int] = []  # right edges of the cells of the open row, in twips
        self._item = (0, 0)  # left indent and depth of the last list item
        self._lines: list[list[Run]] = []  # ended paragraphs of the open cell
        self._cells: list[Cell] = []  # ended cells of the open row
        self._rows: list[_Row] = []  # ended rows of the open table

    def end_paragraph(self, level: int, role: str = "", is_code_font: bool = False) -> None:
        """Append the open paragraph: a line of a table cell, a heading if `level` is not 0, a list item or a text.

        `role` is a value of tree.ROLES, or "". `is_code_font` is that of the paragraph's end, which has a font, too.
        """
        if self.paragraph.is_in_table:
            self._add_line()
            return
        text = "".join([run.text for run in self.runs])
        runs, label, depth = self._take_paragraph()
        self.end_table()
        if runs:
            is_code_font = all("code" in run.formats and not run.url for run in runs if run.text.strip())
        if role == CODE or (is_code_font and not (role or level or label)):
            self._builder.add_code(text)
        elif not runs:
            return
        elif level:
            self._builder.add_block(heading(level, f"{label} " if _LABEL.fullmatch(label) else "", runs))
        elif label:
            self._item = self.paragraph.left, depth
            self._add_item(label, linked(runs), depth)
        elif role == QUOTATION:
            self._builder.add_block(element("blockquote", [paragraph(runs)]))
        elif self.paragraph.left > 0 and self.paragraph.left == self._item[0]:  # a further paragraph of a list item
            self._builder.add_to_item(paragraph(runs), self._item[1])
        else:
            self._builder.add_block(paragraph(runs))

    def _take_paragraph(self) -> tuple[list[Run], str, int]:
        """Return the runs of the open paragraph, its label and its depth in lists; the next one is open then."""
        runs, label, depth = trimmed(self.runs), self.label, self.paragraph.depth
        if runs and self.paragraph.first < 0 and not label:
            label, depth = self._hanging_label(runs)
        self.runs, self.label = [], ""
        return runs, label, max(0, depth)

    def _add_line(self) -> None:
        """Add the open paragraph to the open cell, after its label if it is a list item."""
        runs, label, _ = self._take_paragraph()
        self._lines.append([Run(f"{label} "), *runs] if label else runs)

    def _hanging_label(self, runs: list[Run]) -> tuple[str, int]:
        """Cut off the label before a tab ("1." or "•"); return it with the item's depth, "" without one."""
        before, tab, after = runs[0].text.partition("\t")
        is_label = not before.strip(_BULLETS) or _LABEL.fullmatch(before)
        if not tab or not is_label:
            return "", self.paragraph.depth
        runs[0] = runs[0]._replace(text=after)
        return before, self.paragraph.left // _TWIPS_PER_LEVEL

    def _add_item(self, label: str, children: list[Child], depth: int) -> None:
        number = _NUMBER.fullmatch(label)
        if number:
            self._builder.add_item(children, depth, int(number.group(1)))
        else:
            self._builder.add_item(children, depth, label=label if _LABEL.fullmatch(label) else "")

    def end_cell(self) -> None:
        """End the open cell and the last paragraph in it."""
        self._add_line()
        self._cells.append(cell(self._lines))
        self._lines = []

    def end_row(self) -> None:
        """End the open row."""
        if self._cells:
            self._rows.append(_Row(self._cells, self.edges))
        self._cells = []

    def end_table(self) -> None:
        """Append the rows so far as a table, also an open row and an open cell. The last paragraph has ended before."""
        if self._lines:
            self.end_cell()
        self.end_row()
        if self._rows:
            self._builder.add_block(table(_in_columns(self._rows)))
        self._rows = []


def _in_columns(rows: list[_Row]) -> Iterator[list[Cell]]:
    """Align the cells of rows by their right edges: a cell that spans two columns is followed by an empty one."""
    edge_lists = {id(edges): edges for _, edges in rows}.values()  # each once: rows share one until new edges are set
    ends = sorted({edge for edges in edge_lists for edge in edges})
    columns = {edge: number for number, edge in enumerate(ends, 1)}
    for cells, edges in rows:
        if len(ends) > _MAX_COLUMNS or len(edges) < len(cells):
            yield cells
            continue
        row: list[Cell] = []
        for content, edge in zip(cells, edges):
            row.append(content)  # also if a damaged file repeats an edge: text is never lost
            while len(row) < columns[edge]:
                row.append([])
        yield row
