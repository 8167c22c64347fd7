"""Convert rich text (RTF) to markdown. In: a Source. Out: a Document.

A file consists of groups in braces, control words and text: `{\\b bold} plain\\par`. Formats that are set in a group
end with it. A group may be a destination: its text belongs to a font table, a picture, a footnote and so on, not to the
document. A story is a text with paragraphs of its own: the document, a note, a text box or a page header. Headings come
from styles and outline levels, list items from the labels before them, code from styles and from fonts with letters of
equal width. Hidden text is left out. state.py has the tables of control words, and the classes Group and Story.

Text is collected until the state of its group changes, so _flush() comes before each change. A control word may fit
several branches of _carry_out(): the first counts. A fallback is the text after \\u that older readers show instead.
Specification: Rich Text Format 1.9.1.
Tests: tests/documents/test_rtf.py
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

from webtool.documents import NODE_COST, Document, Source, unseen
from webtool.documents.docx.inline import field_url, symbol
from webtool.documents.formulas import RTF_PARTS, rtf_math
from webtool.documents.rtf import state
from webtool.documents.rtf.state import Fonts, Group, Paragraph, Story
from webtool.documents.runs import Run, text_of
from webtool.documents.tree import ROLES, Notes, collapse, comment, distinct_headers, heading_level
from webtool.html import node
from webtool.lean import patterns
from webtool.lean.characters import without_surrogates
from webtool.running.budget import Spent

# Groups: control word, its number, \'hh byte, control symbol, brace, text. The last alternative skips line breaks.
_TOKEN = patterns.compile(
    rb"\\([A-Za-z]{1,32})(-?\d{1,20})? ?|\\'([0-9A-Fa-f]{2})|\\([^A-Za-z])|([{}])|([^\\{}\r\n]+)|[\\\r\n]"
)
_MAX_DEPTH = 1000  # a file with more groups inside each other is refused
_CLOCK_CHECK_MASK = 0xFFF  # the deadline is checked every 4,096 tokens
_MAX_COLOURS = 10_000  # characters of the colour table that are used, and pieces of it that are kept
_PRIVATE = patterns.compile("[\ue000-\uf8ff]")


class _Reader:
    """Carries out the tokens of one file."""

    def __init__(self, source: Source, has_code: bool = True) -> None:
        self._source = source
        self._has_code = has_code  # text in a font of code is code
        self._code_size = self._text_size = 0  # characters in these fonts, and all characters
        self._fonts = Fonts()
        self._styles: dict[int, tuple[int, str]] = {}  # level of a heading, and role, by number of a style
        self._group = Group()
        self._groups: list[Group] = []  # the groups around `_group`, outermost first
        self._bytes = bytearray()  # not yet decoded
        self._text: list[str] = []  # decoded, but not yet a run
        self._to_skip = 0  # characters of a fallback that still follow
        self._is_starred = False  # the last word was \*, so the next one begins a destination, even an unknown one
        self._collected: dict[str, list[str]] = {}  # pieces of text by destination (state.COLLECTED)
        self._author = ""  # of the next comment
        self._stories = [Story()]  # the open ones, innermost last
        self._notes: dict[str, tuple[str, list[node.Element]]] = {}  # author and blocks by key
        self.headers: dict[str, list[list[node.Element]]] = {"header": [], "footer": []}
        self.notes = Notes()
        self._colours: list[str] = []  # "#rrggbb", "" for the reader's own colour
        self._has_backgrounds = False  # some paragraphs or cells are coloured, so the background of a text is unknown
        self.title = ""

    def read(self) -> list[node.Element]:
        """Return the blocks of the document. If time or budget ends, return the blocks so far."""
        try:
            self._read_tokens()
            while len(self._stories) > 1 and self._groups:
                self._close()
            self._end_paragraph()
        except Spent:  # the budget's note tells the reader
            self._stories[0].end_paragraph(0)  # keeps the runs of the open paragraph; takes nothing from the budget
        self._stories[0].end_table()
        return self._stories[0].blocks

    def _read_tokens(self) -> None:
        """Carry out all tokens up to the deadline. Raises Spent."""
        body, end, count = self._source.body, 0, 0
        while end < len(body):
            token = _TOKEN.match(body, end)
            assert token is not None  # every byte starts a token
            end = token.end()
            count += 1
            word, number, code, sign, brace, text = token.groups()
            if text:
                self._add_bytes(text)
            elif code:
                self._add_bytes(bytes((int(code, 16),)))
            elif brace == b"{":
                self._open()
            elif brace:
                self._close()
            elif sign:
                self._carry_out(sign.decode("latin-1"), None)
            elif word:
                name, value = word.decode("ascii"), int(number) if number else None
                if name == "bin" and value:  # this many bytes of data follow
                    end += max(0, value)
                self._carry_out(name, value)
            if not count & _CLOCK_CHECK_MASK and self._source.is_late():
                self._source.add_note(f"Only {end:,} of {len(body):,} bytes were read before the deadline.")
                return

    def note(self, key: str) -> list[node.Element]:
        """Return the blocks of a footnote or a comment."""
        author, blocks = self._notes[key]
        return comment(author, blocks) if key.startswith("comment") else blocks

    def _open(self) -> None:
        self._flush()
        self._is_starred = False
        if len(self._groups) >= _MAX_DEPTH:
            raise self._source.failed(f"has more than {_MAX_DEPTH:,} groups in each other")
        self._groups.append(self._group)
        self._group = self._group._replace(story="")
        self._to_skip = 0

    def _close(self) -> None:
        """End a group: its story, its formula, or what it collected."""
        self._flush()
        self._is_starred = False
        ended = self._group
        if not self._groups:
            return
        self._group = self._groups.pop()
        self._to_skip = 0
        if ended.story:
            self._end_story(ended.story)
        elif ended.math is not None and self._group.math is None:  # the outermost group of a formula
            if any(text.strip() for text in ended.math.itertext()):  # not all of it is hidden
                formula = rtf_math(ended.math)
                self._stories[-1].runs.append(Run(formula.text, node=formula))
        elif ended.destination in state.COLLECTED:
            if ended.destination != self._group.destination:  # the destination ends, not a group inside it
                self._end_destination(ended.destination, "".join(self._collected.pop(ended.destination, ())))
            elif ended.destination == "stylesheet":  # a group inside the style sheet is one style
                self._end_style()

    def _carry_out(self, name: str, value: int | None) -> None:
        """Carry out a control word or symbol; `value` is its number, if it has one."""
        # {\*\cs10 words} in a text: the words are shown. {\*\cs10 heading 1 char;} in the style sheet: the name of a
        # character style is skipped, since it is not a heading.
        is_style_of_text = name in state.STYLE_WORDS and self._group.destination != "stylesheet"
        begins_destination = self._is_starred and not is_style_of_text
        in_formula = name == "moMath" or self._group.math is not None
        self._is_starred = name == "*"
        if self._to_skip and name not in ("u", "*"):
            self._to_skip -= 1  # in a fallback a control word counts as one character
        elif name == "u":
            self._flush_bytes()
            self._add(chr((value or 0) & 0xFFFF))  # the file may have 65,533 as -3
            self._to_skip = self._group.fallback
        elif name in state.CHARACTERS:
            self._flush_bytes()
            self._add(state.CHARACTERS[name])
        elif in_formula and name in RTF_PARTS and self._group.destination != "skip":
            self._flush()
            inside = self._group.math
            part = Element(RTF_PARTS[name]) if inside is None else SubElement(inside, RTF_PARTS[name])
            self._group = self._group._replace(math=part)
        elif name in state.STORIES or name in state.COLLECTED or name in state.SKIPPED or begins_destination:
            self._enter_destination(name)
        elif name in state.FORMAT_WORDS:
            self._flush()
            self._group = state.formatted(self._group, name, value)
        else:
            self._set_structure(name, value)

    def _enter_destination(self, name: str) -> None:
        """Direct the text of the group that starts to its destination."""
        self._flush()
        outer = self._group
        if name in state.STORIES and outer.destination != "skip":
            if not outer.story:  # a group is one story at most
                self._stories.append(Story())
                kind = state.STORIES[name]
                # Hidden text hides its notes. It does not hide a page header, which belongs to the page.
                is_hidden = outer.is_in_hidden_text if kind in self.headers else outer.is_hidden
                self._group = Group(story=kind, font=outer.font, fallback=outer.fallback, is_in_hidden_text=is_hidden)
        elif name == "ud":  # {\upr{\title plain}{\*\ud{\title Unicode}}}: the second form replaces the first
            around_upr = self._groups[-2].destination if len(self._groups) > 1 else ""  # [-1] is \upr
            self._group = outer._replace(destination=around_upr)
        elif outer.destination != "skip":
            destination = state.DESTINATIONS.get(name, "skip")
            self._group = outer._replace(destination=destination or outer.destination)

    def _set_structure(self, name: str, value: int | None) -> None:
        """Carry out control words of character sets, paragraphs and tables. Raises Spent."""
        story, destination = self._stories[-1], self._group.destination
        if name in state.FONT_WORDS:
            self._fonts.carry_out(name, value, self._group.font)
        elif name in ("red", "green", "blue") and destination == "colortbl":
            self._flush()
            pieces = self._collected.setdefault(destination, [])
            if len(pieces) < _MAX_COLOURS:  # this takes nothing from the budget
                pieces.append(f"{min(max(value or 0, 0), 255):02x}")  # the semicolon after a colour comes as text
        elif name in state.BACKGROUNDS:
            self._has_backgrounds = self._has_backgrounds or bool(value)
        elif destination not in ("", "stylesheet"):
            pass  # the other words are for the text of a story or a style only
        elif name in state.PARAGRAPH:
            story.paragraph = story.paragraph._replace(**{state.PARAGRAPH[name]: 1 if value is None else value})
        elif name == "pard":
            story.paragraph = Paragraph()
        elif name in state.PARAGRAPH_ENDS:
            self._end_paragraph()
        elif name == "trowd":
            story.edges = []
        elif name == "cellx":
            story.edges.append(value or 0)
        elif name in ("cell", "row"):
            self._flush()
            self._source.budget.take(NODE_COST)
            story.end_cell() if name == "cell" else story.end_row()

    def _add_bytes(self, data: bytes) -> None:
        """Add text that is not yet decoded, except a fallback."""
        skipped = min(self._to_skip, len(data))
        self._to_skip -= skipped
        if self._group.destination != "skip":
            self._bytes += data[skipped:]

    def _flush_bytes(self) -> None:
        """Decode the bytes so far. Collected text has no font."""
        if self._bytes:
            self._add(self._fonts.decoded(bytes(self._bytes), self._group.font, not self._group.destination))
            self._bytes.clear()

    def _add(self, text: str) -> None:
        if self._group.destination != "skip":
            self._text.append(text)

    def _flush(self) -> None:
        """Make the text so far a run, or add it to its destination. Raises Spent."""
        self._flush_bytes()
        if not self._text:
            return
        text = without_surrogates("".join(self._text)).replace("\0", "")
        text = _PRIVATE.sub(lambda match: symbol(f"{ord(match.group()):X}"), text)  # an unknown symbol is dropped
        self._text.clear()
        group = self._group
        self._source.budget.take(NODE_COST + len(text))
        if group.destination:
            self._collected.setdefault(group.destination, []).append(text)
        elif reason := self._reason():
            self._source.hide(len(text.split()), reason)
        elif group.math is not None:
            group.math.text = (group.math.text or "") + text
        else:
            formats = frozenset(["del" if name == "double del" else name for name in group.formats])
            self._text_size += len(text)
            if self._fonts.is_code(group.font):
                self._code_size += len(text)
                if self._has_code:
                    formats |= {"code"}
            self._stories[-1].runs.append(Run(text, formats, group.url))

    def is_typewritten(self) -> bool:
        """Return whether most of the text is in a font with letters of equal width, so that the font means nothing."""
        return 2 * self._code_size > self._text_size

    def _reason(self) -> str:
        """Return why the text of the group is not seen, or ""."""
        group = self._group
        if group.is_hidden:
            return unseen.MARKED
        if not group.look:
            return ""
        look = {**state.LOOK, **dict(group.look)}
        has_own_background = any(look[word] for word in ("cb", "highlight", "chcbpat"))
        is_on_page = not (self._has_backgrounds or has_own_background or len(self._stories) > 1)
        background = unseen.PAGE if is_on_page else ""
        colour = self._colours[look["cf"]] if 0 <= look["cf"] < len(self._colours) else ""
        return unseen.reason(colour, background, look["fs"] / 2 or 12.0, look["charscalex"] / 100 or 1.0)

    def _end_destination(self, destination: str, text: str) -> None:
        """Use the text that a destination collected."""
        if destination == "fldinst":
            self._group = self._group._replace(url=field_url(text))
        elif destination in ("listtext", "pntext"):
            self._stories[-1].label = collapse(text)
        elif destination == "title":
            self.title = self.title or collapse(text)
        elif destination == "colortbl":  # the numbers of a colour, then a semicolon: "ff0000;;00ff00;"
            # A colour without all three numbers is unknown. It is not white, so it does not hide a text.
            entries = text[:_MAX_COLOURS].replace(" ", "").split(";")
            self._colours = list(map(unseen.hexadecimal_colour, entries))
        elif destination == "atnauthor":
            self._author = collapse(text)

    def _end_style(self) -> None:
        """Register a style of the style sheet, of a heading or of code: `{\\s1\\outlinelevel0 heading 1;}`.

        The control words of a style set fields of the open paragraph, as those of a text do. They are reset here.
        """
        source = "".join(self._collected.pop("stylesheet", ())).strip().rstrip(";").lower()
        names = source.split(",")  # Word adds further names of a style: "heading 1,h1"
        paragraph = self._stories[-1].paragraph
        self._styles[paragraph.style] = heading_level(names) or paragraph.level, ROLES.get(names[0], "")
        self._stories[-1].paragraph = Paragraph()

    def _end_paragraph(self) -> None:
        """End the paragraph of the current story; the document's first heading is its title. Raises Spent."""
        self._flush()
        self._source.budget.take(NODE_COST)
        story = self._stories[-1]
        paragraph = story.paragraph
        level, role = self._styles.get(paragraph.style, (0, ""))
        level = level or paragraph.level
        if level and not self.title and len(self._stories) == 1:
            self.title = text_of(story.runs)
        story.end_paragraph(min(level, 6), role, self._has_code and self._fonts.is_code(self._group.font))

    def _end_story(self, kind: str) -> None:
        """Add a story's blocks to the story around it, to the page headers, or to the notes."""
        self._end_paragraph()
        story = self._stories.pop()
        story.end_table()
        outer = self._stories[-1]
        if kind == "box":
            outer.blocks.extend(story.blocks)
        elif kind in self.headers:
            self.headers[kind].append(story.blocks)
        elif story.blocks:
            key = f"{kind} {len(self._notes)}"
            self._notes[key] = self._author, story.blocks
            outer.runs.append(Run(self.notes.mark(key)))
        if kind == "comment":
            self._author = ""


def convert(source: Source) -> Document:
    """Convert the document. Raises ExtractFailed if its groups nest too deep."""
    size_left, hidden_before = source.budget.left, source.hidden.copy()
    reader = _Reader(source)
    blocks = reader.read()
    if reader.is_typewritten() and not source.is_late():
        source.budget.left = size_left
        source.hidden.clear()
        source.hidden.update(hidden_before)  # of a document that has this one in it
        reader = _Reader(source, has_code=False)
        blocks = reader.read()
    headers, footers = distinct_headers(reader.headers["header"]), distinct_headers(reader.headers["footer"])
    text = reader.notes.markdown([*headers, *blocks, *footers], reader.note, source.url)
    return Document(reader.title, text, source.kind)
