"""Rich text (RTF) as markdown. In: a Source. Out: a Document.

A file is groups in braces, control words and text. A group may be a destination, whose text goes elsewhere or nowhere:
tables of fonts and styles, pictures, notes. What a group sets ends with it. Headings come from styles and outline
levels, items from the labels that are written before them. Deleted and hidden text is left out.
Specification: Rich Text Format 1.9.1.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

from webtool.documents import NODE, Document, Source, heads
from webtool.documents.docx.inline import field_url, symbol
from webtool.documents.office_math import RTF_PARTS, rtf_math
from webtool.documents.rtf.story import Paragraph, Story
from webtool.documents.tree import Notes, Run, collapse, comment, markdown, text_of
from webtool.html import node
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any, Optional, XmlElement
from webtool.running.budget import Spent

_TOKEN = patterns.compile(
    rb"\\([A-Za-z]{1,32})(-?\d{1,20})? ?|\\'([0-9A-Fa-f]{2})|\\([^A-Za-z])|([{}])|([^\\{}\r\n]+)|[\\\r\n]"
)
_MAX_GROUPS = 1000  # in each other
_LATE = 0xFFF  # tokens between two looks at the clock
_HEADING = patterns.compile(r"heading ([1-9])")
_PRIVATE = patterns.compile("[\ue000-\uf8ff]")

_CHARACTERS = {
    "tab": "\t", "line": "\n", "lbr": "\n", "emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’",
    "ldblquote": "“", "rdblquote": "”", "emspace": " ", "enspace": " ", "qmspace": " ", "~": " ", "_": "-",
    "{": "{", "}": "}", "\\": "\\",
}  # fmt: skip
_PARAGRAPH = {
    "s": "style", "outlinelevel": "outline", "ilvl": "depth", "li": "left", "fi": "first", "intbl": "is_in_table",
}  # fmt: skip
_ENDS = ("par", "\n", "\r", "sect", "page", "nestcell", "column")
_FORMATS = {"b": "strong", "i": "em", "strike": "del", "striked": "del", "super": "sup", "sub": "sub"}
_CHARSETS = {
    128: "cp932", 129: "cp949", 134: "gbk", 136: "big5", 161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255",
    178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250", 77: "mac_roman", 2: "symbol",
}  # fmt: skip
_CODECS = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}
# Destinations whose text stands in the document or beside it. Others without an asterisk that are not its text follow.
_STORIES = {
    "footnote": "note", "annotation": "comment", "shptxt": "box", "dptxbxtext": "box",
    **{f"header{page}": "header" for page in ("", "l", "r", "f")},
    **{f"footer{page}": "footer" for page in ("", "l", "r", "f")},
}  # fmt: skip
_ENTERED = frozenset(("shpinst", "do", "ud", "moMathPara"))
_SKIPPED = frozenset((
    "colortbl", "pict", "object", "info", "sp", "shprslt", "nonshppict", "xe", "tc", "filetbl", "upr", "template",
    "private", "rxe", "pntxta", "pntxtb", "nonesttables", "mmathPict",
))  # fmt: skip
_COLLECTED = frozenset(("fonttbl", "stylesheet", "fldinst", "listtext", "pntext", "title", "atnauthor"))


class _Group(NamedTuple):
    """What holds up to a brace. `to` is the destination: "" the text, skip nowhere, else one of _COLLECTED."""

    to: str = ""
    story: str = ""  # what ends with this group
    formats: frozenset[str] = frozenset()
    is_hidden: bool = False
    font: int = -1
    url: str = ""
    fallback: int = 1  # characters behind \u for readers that do not know it
    math: Optional[XmlElement] = None  # the part of a formula that the group stands in


class _Reader:
    """Carries out tokens; `text` collects what is decoded but not yet a run."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._codec = "cp1252"
        self._charsets: dict[int, int] = {}
        self._headings: dict[int, int] = {}  # by the numbers of styles
        self._group = _Group()
        self._groups: list[_Group] = []
        self._text: list[str] = []
        self._bytes = bytearray()
        self._passed = 0  # characters still to be passed over
        self._collected: dict[str, str] = {}
        self._stories = [Story()]
        self._bodies: dict[str, tuple[str, list[node.Element]]] = {}
        self.heads: dict[str, list[list[node.Element]]] = {"header": [], "footer": []}
        self.notes = Notes()
        self.title = ""
        self._is_starred = False
        self.unseen = 0

    def read(self) -> list[node.Element]:
        """The blocks of the document, as many as time and budget have room for."""
        body, at, count = self._source.body, 0, 0
        try:
            while at < len(body):
                found = _TOKEN.match(body, at)
                assert found is not None  # every byte begins a token
                at = found.end()
                count += 1
                word, number, code, sign, brace, text = found.groups()
                if text:
                    self._add_bytes(text)
                elif code:
                    self._add_bytes(bytes((int(code, 16),)))
                elif brace:
                    self._open() if brace == b"{" else self._close()
                elif sign:
                    self._carry_out(sign.decode("latin-1"), None)
                elif word:
                    name, value = word.decode("ascii"), int(number) if number else None
                    at += max(0, value or 0) if name == "bin" else 0
                    self._carry_out(name, value)
                if not count & _LATE and self._source.is_late():
                    self._source.add_note(f"Only {at:,} of {len(body):,} bytes were read before the deadline.")
                    break
        except Spent:
            pass  # the note says so
        while len(self._stories) > 1 and self._groups:
            self._close()
        self._end_paragraph()
        self._stories[0].end_table()
        return self._stories[0].blocks

    def note(self, key: str) -> list[node.Element]:
        """The blocks of a footnote or a comment."""
        author, blocks = self._bodies[key]
        return comment(author, blocks) if key.startswith("comment") else blocks

    def _open(self) -> None:
        self._flush()
        if len(self._groups) >= _MAX_GROUPS:
            raise self._source.failed(f"has more than {_MAX_GROUPS:,} groups in each other")
        self._groups.append(self._group)
        self._group = self._group._replace(story="")
        self._passed = 0

    def _close(self) -> None:
        self._flush()
        ended = self._group
        if not self._groups:
            return
        self._group = self._groups.pop()
        self._passed = 0
        if ended.story:
            self._end_story(ended.story)
        elif ended.math is not None and self._group.math is None:
            made = rtf_math(ended.math)
            self._stories[-1].runs.append(Run(made.text, node=made))
        elif ended.to in _COLLECTED and ended.to != self._group.to:
            self._take(ended.to, self._collected.pop(ended.to, ""))
        elif ended.to == "stylesheet":
            self._name_style()

    def _carry_out(self, name: str, value: int | None) -> None:
        is_starred, self._is_starred = self._is_starred, name == "*"
        if self._passed and name not in ("u", "*"):
            self._passed -= 1
        elif name == "u":
            self._flush_bytes()
            self._add(chr((value or 0) & 0xFFFF))
            self._passed = self._group.fallback
        elif name in _CHARACTERS:
            self._flush_bytes()
            self._add(_CHARACTERS[name])
        elif name in RTF_PARTS and self._group.to != "skip" and (name == "moMath" or self._group.math is not None):
            self._flush()
            inside = self._group.math
            part = Element(RTF_PARTS[name]) if inside is None else SubElement(inside, RTF_PARTS[name])
            self._group = self._group._replace(math=part)
        elif name in _STORIES or name in _COLLECTED or name in _SKIPPED or is_starred:
            self._go_to(name, is_starred)
        elif name in _FORMATS or name in ("plain", "nosupersub", "v", "deleted", "f", "uc"):
            self._flush()
            self._group = self._group._replace(**self._format(name, value))
        else:
            self._structure(name, value)

    def _go_to(self, name: str, is_starred: bool) -> None:
        self._flush()
        if name in _STORIES and self._group.to != "skip":
            kind = _STORIES[name]
            if not self._group.story and (not is_starred or kind in ("note", "comment")):
                self._stories.append(Story())
                self._group = _Group(story=kind, font=self._group.font)
        elif name == "title" or self._group.to != "skip":
            to = name if name in _COLLECTED else "" if name in _ENTERED else "skip"
            self._group = self._group._replace(to=to)

    def _format(self, name: str, value: int | None) -> dict[str, Any]:
        """What a format of characters changes in the group."""
        formats = self._group.formats
        if name == "plain":
            return {"formats": frozenset(), "is_hidden": False, "font": -1}
        if name == "f":
            return {"font": value or 0}
        if name == "uc":
            return {"fallback": 1 if value is None else min(value, 100)}
        if name in ("v", "deleted"):
            return {"is_hidden": value != 0}
        formats -= {"sup", "sub"} if name in ("super", "sub", "nosupersub") else {_FORMATS[name]}
        return {"formats": formats | {_FORMATS[name]} if value != 0 and name in _FORMATS else formats}

    def _structure(self, name: str, value: int | None) -> None:
        """Paragraphs, tables, and what the file says of its character sets."""
        story, to = self._stories[-1], self._group.to
        if name == "ansicpg" and value:
            self._codec = f"cp{value}"
        elif name in _CODECS:
            self._codec = _CODECS[name]
        elif name == "fcharset":
            self._charsets[self._group.font] = value or 0
        elif to not in ("", "stylesheet"):
            pass
        elif name in _PARAGRAPH:
            story.paragraph = story.paragraph._replace(**{_PARAGRAPH[name]: 1 if value is None else value})
        elif name == "pard":
            story.paragraph = Paragraph()
        elif name in _ENDS:
            self._end_paragraph()
        elif name == "trowd":
            story.edges = []
        elif name == "cellx":
            story.edges.append(value or 0)
        elif name in ("cell", "row"):
            self._flush()
            self._source.budget.take(NODE)
            story.end_cell() if name == "cell" else story.end_row()

    def _add_bytes(self, data: bytes) -> None:
        passed = min(self._passed, len(data))
        self._passed -= passed
        if self._group.to != "skip":
            self._bytes += data[passed:]

    def _flush_bytes(self) -> None:
        if not self._bytes:
            return
        data = bytes(self._bytes)
        self._bytes.clear()
        codec = _CHARSETS.get(self._charsets.get(self._group.font, 0), self._codec)
        if codec == "symbol":
            self._add("".join([symbol(f"F0{byte:02X}") or chr(byte) for byte in data]))
            return
        try:
            self._add(data.decode(codec, "replace"))
        except LookupError:  # a code page that Python does not know
            self._add(data.decode("cp1252", "replace"))

    def _add(self, text: str) -> None:
        if self._group.to != "skip":
            self._text.append(text)

    def _flush(self) -> None:
        """Make what was read a run, or add it to what is collected."""
        self._flush_bytes()
        if not self._text:
            return
        text = "".join(self._text).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").replace("\0", "")
        text = _PRIVATE.sub(lambda found: symbol(f"{ord(found.group()):X}"), text)
        self._text.clear()
        group = self._group
        self._source.budget.take(NODE + len(text))
        if group.math is not None and not group.to:
            group.math.text = (group.math.text or "") + text
        elif group.to:
            self._collected[group.to] = self._collected.get(group.to, "") + text
        elif group.is_hidden:
            self.unseen += len(text.split())
        else:
            self._stories[-1].runs.append(Run(text, group.formats, group.url))

    def _take(self, to: str, text: str) -> None:
        """What a destination held."""
        if to == "fldinst":
            self._group = self._group._replace(url=field_url(text))
        elif to in ("listtext", "pntext"):
            self._stories[-1].label = collapse(text)
        elif to == "title":
            self.title = self.title or collapse(text)
        elif to == "atnauthor":
            self._collected["author"] = collapse(text)

    def _name_style(self) -> None:
        """A style of the stylesheet, whose name ends with a semicolon."""
        name = self._collected.pop("stylesheet", "").strip().rstrip(";").lower()
        match = _HEADING.match(name)
        said = self._stories[-1].paragraph
        outline = 0 if name == "title" else int(match.group(1)) - 1 if match else said.outline
        if outline < 9:
            self._headings[said.style] = outline + 1
        self._stories[-1].paragraph = Paragraph()

    def _end_paragraph(self) -> None:
        self._flush()
        self._source.budget.take(NODE)
        paragraph = self._stories[-1].paragraph
        level = self._headings.get(paragraph.style) or (paragraph.outline + 1 if paragraph.outline < 9 else 0)
        story = self._stories[-1]
        if level and not self.title and len(self._stories) == 1:
            self.title = text_of(story.runs)
        story.end_paragraph(min(level, 6))

    def _end_story(self, kind: str) -> None:
        self._end_paragraph()
        story = self._stories.pop()
        story.end_table()
        around = self._stories[-1]
        if kind == "box":
            around.blocks.extend(story.blocks)
        elif kind in self.heads:
            self.heads[kind].append(story.blocks)
        elif story.blocks:
            key = f"{kind} {len(self._bodies)}"
            self._bodies[key] = self._collected.pop("author", ""), story.blocks
            around.runs.append(Run(self.notes.mark(key)))


def convert(source: Source) -> Document:
    """The document's text with its structure. Raises ExtractFailed for groups nested beyond reason."""
    reader = _Reader(source)
    blocks = reader.read()
    blocks = [*heads.once(reader.heads["header"]), *blocks, *heads.once(reader.heads["footer"])]
    text = reader.notes.markdown(markdown(blocks, source.url), reader.note, source.url)
    source.leave_out(reader.unseen, "deleted or hidden word")
    return Document(reader.title, text, source.kind)
