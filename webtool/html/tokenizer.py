"""The tokenizer: HTML text in, handler calls out, on the interface of html.parser.HTMLParser.

Subclasses define handle_starttag, handle_startendtag, handle_endtag, handle_data, handle_comment, handle_pi and
handle_decl; users call feed() with text and close() at its end. Attributes come as a new dict, the first of equal names
wins. A handler may set `content_model` after a start tag (the tree builder does for title, style, script and their
like), with `last_start_tag` as the element to end, and `skips_newline` to drop a line feed that follows.

One pass with str.find and anchored regular expressions; each construct is read once, so the time is linear whatever the
input. Tags that were seen before come from a table. Spec: the HTML Standard, 13.2.5 (tokenization) and 13.2.3.5
(newlines). No parse errors are reported.
"""

from __future__ import annotations

from sys import intern

from webtool.html.charrefs import ascii_lower, decode_attribute, decode_text, without_null
from webtool.html.doctype import DoctypeToken, parse_doctype
from webtool.html.rawtext import behind_newline, end_tag_at, script_end
from webtool.lean import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.html.tags import Tag

# Content models, named after the standard's states. DATA has to be set only to have `skips_newline` looked at.
DATA = "data"
RCDATA = "RCDATA"
RAWTEXT = "RAWTEXT"
SCRIPT_DATA = "script data"
PLAINTEXT = "PLAINTEXT"

# An ordinary tag whole: anything that the states would treat in a special way does not match and is read by tags.py.
_TAG = patterns.compile(
    "(/?[a-zA-Z][^\0\t\n\f />]*)"
    "((?:[\t\n\f ]+[^\0\t\n\f \"'<>/=]+(?:=(?:\"[^\0\"]*\"|'[^\0']*'|[^\0\t\n\f \"'<>=`]+))?)*)"
    "[\t\n\f ]*(/?)>"
)
_ATTRIBUTE = patterns.compile("([^\t\n\f \"'<>/=]+)(?:=(?:\"([^\"]*)\"|'([^']*)'|([^\t\n\f \"'<>=`]+)))?")

_SHAPE = patterns.compile('([a-zA-Z][^\0\t\n\f "\'/<=>]*)((?:[\t\n\f ]+[^\0\t\n\f "\'<>/=]+="")+) ?(/?)')

_MARKUP = patterns.compile("<[a-zA-Z/!?]")
_TARGET = patterns.compile("<\\?([a-zA-Z_][a-zA-Z0-9_-]*)(?:[\t\n\f ]+|(?=[?>])|\\Z)")
_COMMENT_END = patterns.compile("--!?>")
_COMMENT_CUT = ("--!", "--", "-")  # what the states have not yet taken for data when the input ends

_SHORT = 200
_LONGEST_TABLE = 5000  # tags remembered
_NO_TAG = "", False, None, False
_MERGED = frozenset(("html", "body"))  # the first takes the attributes of the others


class Tokenizer:
    """Calls its handlers for the tokens of the text it is fed."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._text = ""
        self._tags: dict[str, Tag] = {}
        self.has_null = False
        self.content_model = ""
        self.skips_newline = False
        self.last_start_tag = ""

    def feed(self, data: str) -> None:
        """Take a part of the text; tokens are delivered when the text is complete."""
        self._parts.append(data)

    def close(self) -> None:
        """Deliver all tokens of what was fed."""
        text = "".join(self._parts)
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        self._parts = []
        self._text = text
        self.has_null = "\0" in text
        self._run(0)

    def handle_starttag(self, tag: str, attrs: dict[str, str]) -> None:
        """A start tag."""

    def handle_startendtag(self, tag: str, attrs: dict[str, str]) -> None:
        """A start tag with the self-closing flag."""
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """An end tag."""

    def handle_data(self, data: str) -> None:
        """Characters, never none; the text between two tags may come in several parts."""

    def handle_comment(self, data: str) -> None:
        """A comment, or markup that is read as one."""

    def handle_pi(self, data: str) -> None:
        """A processing instruction: its target, a space, its data."""

    def handle_decl(self, token: DoctypeToken) -> None:
        """A DOCTYPE."""

    def allows_cdata(self) -> bool:
        """Whether a CDATA section may stand here: the adjusted current node is a foreign element."""
        return False

    def _run(self, position: int) -> None:
        """The data state, tags included; the rest has functions that return the position behind what they read.

        The text is cut at each "<", which takes half of the time of looking for one after the other. What is behind
        the first of a script's or a comment's pieces was read with it.
        """
        text, known = self._text, self._tags.get
        start, end, data = self.handle_starttag, self.handle_endtag, self.handle_data
        if self.content_model:
            position = self._raw_text(position)
        behind = -1
        for piece in text.split("<"):
            less, behind = behind, behind + 1 + len(piece)
            if position > less:
                run = text[position:behind]
            else:
                source, greater, run = piece.partition(">")
                tag = known(source) if greater else None
                if tag is not None:
                    name, is_end, attrs, self_closing = tag
                    if attrs:
                        attrs = attrs.copy()
                else:
                    tag = self._quoted_tag(source) if greater else None
                    if tag is None:
                        tag, position = self._tag_at(less, source if greater else "")
                        if position < 0:
                            return
                        run = text[position:behind]
                    name, is_end, attrs, self_closing = tag or _NO_TAG
                if is_end:
                    end(name)
                elif name:
                    (self.handle_startendtag if self_closing else start)(name, attrs or {})
                    if self.content_model:
                        position = self._raw_text(less + 2 + len(source) if position <= less else position)
                        run = text[position:behind]
            if run:
                data(decode_text(run) if "&" in run else run)

    def _tag_at(self, less: int, source: str) -> tuple[Tag | None, int]:
        """Read what begins with the "<" at `less`: a tag, or something else that is delivered at once.

        `source` is the text up to the next ">", "" where that is far away.
        The position is -1 when the input ended inside a tag: such a tag is dropped.
        """
        match = _TAG.match(self._text, less + 1)
        if not match:
            return self._markup_at(less)
        tag, end = _ordinary_tag(*match.groups()), match.end()
        if 0 < len(source) < _SHORT and end == less + len(source) + 2:
            self._remember(source, tag)
        return tag, end

    def _quoted_tag(self, source: str) -> Tag | None:
        """A start tag all of whose attributes have values in double quotes; None where it may be another.

        Nine tags in ten are such; cut at the quotes they take a third of the time that the expressions take.
        """
        pieces = source.split('"')
        if not len(pieces) & 1 or len(pieces) == 1 or self.has_null:
            return None
        leads = tuple(pieces[::2])
        try:
            shape = _shapes[leads]
        except KeyError:
            shape = _shape_of(leads)
        if shape is None:
            return None
        name, names, self_closing = shape
        values = pieces[1::2]
        if "&" in source:
            values = [decode_attribute(value) if "&" in value else value for value in values]
        tag = name, False, dict(zip(names, values)), self_closing
        if len(source) < _SHORT:
            self._remember(source, tag)
        return tag

    def _remember(self, source: str, tag: Tag) -> None:
        if len(self._tags) >= _LONGEST_TABLE:
            self._tags.clear()
        if tag[0] not in _MERGED:
            self._tags[source] = tag

    def _markup_at(self, less: int) -> tuple[Tag | None, int]:
        """The tag open state and those behind it, for everything but ordinary tags."""
        text = self._text
        first = text[less + 1 : less + 2]
        if first == "!":
            return None, self._declaration(less)
        if first == "?":
            return None, self._processing_instruction(less)
        letter = text[less + 2 : less + 3] if first == "/" else first
        if letter.isascii() and letter.isalpha():
            from webtool.html.tags import read_tag  # one page in two has no such tag

            return read_tag(text, less + 1)
        if first == "/" and letter == ">":
            return None, less + 3
        if first == "/" and letter:
            return None, self._bogus_comment(less + 2)
        match = _MARKUP.search(text, less + 1)
        end = match.start() if match else len(text)
        run = text[less:end]
        self.handle_data(decode_text(run) if "&" in run else run)
        return None, end

    def _declaration(self, less: int) -> int:
        """The markup declaration open state."""
        text = self._text
        if text.startswith("<!--", less):
            return self._comment(less + 4)
        if text[less + 2 : less + 9].lower() == "doctype":
            end = text.find(">", less)
            stop = len(text) if end < 0 else end
            self.handle_decl(parse_doctype(without_null(text[less + 9 : stop]), end >= 0))
            return stop + 1 if end >= 0 else stop
        if text.startswith("[CDATA[", less + 2) and self.allows_cdata():
            end = text.find("]]>", less + 9)
            run = text[less + 9 :] if end < 0 else text[less + 9 : end]
            if run:
                self.handle_data(run)
            return len(text) if end < 0 else end + 3
        return self._bogus_comment(less + 2)

    def _processing_instruction(self, less: int) -> int:
        """The processing instruction states (13.2.5, since 2026); what has no proper target is a bogus comment."""
        text = self._text
        if less + 2 == len(text):
            return len(text)
        match = _TARGET.match(text, less)
        if not match:
            return self._bogus_comment(less + 1)
        target, begin = match.group(1), match.end()
        if begin < len(text) and target.lower() in ("xml", "xml-stylesheet"):
            return self._bogus_comment(less + 1)
        end = text.find(">", begin)
        if end < 0:  # dropped, as a tag is
            return len(text)
        data = text[begin : end - 1 if text.endswith("?", begin, end) else end]
        self.handle_pi(without_null(f"{target} {data}"))
        return end + 1

    def _bogus_comment(self, begin: int) -> int:
        text = self._text
        end = text.find(">", begin)
        stop = len(text) if end < 0 else end
        self.handle_comment(without_null(text[begin:stop]))
        return stop + 1 if end >= 0 else stop

    def _comment(self, begin: int) -> int:
        """The comment states; `begin` is behind "<!--"."""
        text = self._text
        for closing in (">", "->"):
            if text.startswith(closing, begin):
                self.handle_comment("")
                return begin + len(closing)
        match = _COMMENT_END.search(text, begin)
        if match:
            self.handle_comment(without_null(text[begin : match.start()]))
            return match.end()
        end = len(text)
        for cut in _COMMENT_CUT:
            if text.endswith(cut, begin):
                end -= len(cut)
                break
        self.handle_comment(without_null(text[begin:end]))
        return len(text)

    def _raw_text(self, begin: int) -> int:
        """Deliver the text of an element whose contents are no markup; return where its end tag begins."""
        text, model = self._text, self.content_model
        self.content_model = ""
        if self.skips_newline:
            self.skips_newline = False
            begin = behind_newline(text, begin)
        if model == DATA:
            return begin
        if model == PLAINTEXT or not self.last_start_tag:  # no end tag is appropriate before a start tag
            end = len(text)
        elif model == SCRIPT_DATA:
            end = script_end(text, begin)
        else:
            end = end_tag_at(text, self.last_start_tag, begin)
        run = without_null(text[begin:end])
        if run:
            self.handle_data(decode_text(run) if model == RCDATA and "&" in run else run)
        return end


# Of a tag with all its values taken out, `a class="" href=""`: its name, its attributes and the self-closing flag, None
# for one of another form.
_shapes: dict[tuple[str, ...], tuple[str, tuple[str, ...], bool] | None] = {}


def _shape_of(leads: tuple[str, ...]) -> tuple[str, tuple[str, ...], bool] | None:
    text = '""'.join(leads)
    match = _SHAPE.fullmatch(text)
    shape = None
    if match:
        names = tuple([intern(ascii_lower(name.strip("\t\n\f "))) for name in match[2].split('=""')[:-1]])
        shape = (intern(ascii_lower(match[1])), names, bool(match[3])) if len(set(names)) == len(names) else None
    if len(text) < _SHORT:
        if len(_shapes) >= _LONGEST_TABLE:
            _shapes.clear()
        _shapes[leads] = shape
    return shape


def _ordinary_tag(name: str, source: str, slash: str) -> Tag:
    is_end = name[0] == "/"
    if is_end:
        name, source = name[1:], ""
    return intern(ascii_lower(name)), is_end, _ordinary_attributes(source) if source else None, bool(slash)


def _ordinary_attributes(source: str) -> dict[str, str]:
    attrs: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(source):
        value = double or single or bare
        if "&" in value:
            value = decode_attribute(value)
        if not name.islower():
            name = ascii_lower(name)
        if name not in attrs:
            attrs[name] = value
    return attrs
