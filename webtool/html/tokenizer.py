"""Tokenize HTML text: call a handler for each token.

In: text. Out: handler calls. Subclasses define handle_starttag, handle_startendtag, handle_endtag, handle_data,
handle_comment, handle_pi and handle_decl. Attributes come as a new dict; of equal names the first wins.

If the content of an element is not markup (title, style, script and their like), the handler of its start tag sets
`content_model`, and `last_start_tag` to the element whose end tag ends it.

The text is read in one pass with str.find, str.split and anchored regular expressions. Each construct is read once, so
the time is linear for any input. Parse errors are not reported. A tag is read in the first of these ways that fits:

1. `_tags` holds the tags seen before, by their source.
2. tags.quoted_tag() splits a start tag at its double quotes.
3. tags.read_tag() reads tags of any form.
Spec: the HTML Standard, 13.2.5 (tokenization) and 13.2.3.5 (newlines).
"""

from __future__ import annotations

from webtool.html.charrefs import decode_text, without_null
from webtool.html.doctype import DoctypeToken, parse_doctype
from webtool.html.tags import (
    MAX_REMEMBERED,
    MAX_TABLE,
    Tag,
    after_newline,
    end_tag_at,
    quoted_tag,
    read_tag,
    script_end,
)
from webtool.lean import patterns

# Content models, named after the standard's states, with the elements that have them. "" is markup, the content of most
# elements. AFTER_NEWLINE: a line feed directly after the start tag is dropped.
DATA_AFTER_NEWLINE = "data, after a newline"  # pre, listing: markup
RCDATA = "RCDATA"  # title: text with character references
RCDATA_AFTER_NEWLINE = "RCDATA, after a newline"  # textarea
RAWTEXT = "RAWTEXT"  # style, xmp, iframe, noembed, noframes
SCRIPT_DATA = "script data"  # script
PLAINTEXT = "PLAINTEXT"  # plaintext: no end tag ends it

_MARKUP = patterns.compile("<[a-zA-Z/!?]")
_TARGET = patterns.compile("<\\?([a-zA-Z_][a-zA-Z0-9_-]*)(?:[\t\n\f ]+|(?=[?>])|\\Z)")
_COMMENT_END = patterns.compile("--!?>")
_COMMENT_CUT = ("--!", "--", "-")  # endings that are dropped from a comment if the input ends before its "-->"

_NO_TAG: Tag = "", False, None, False  # stands for a comment or other construct that is not a tag


class Tokenizer:
    """Call the handlers for the tokens of a text."""

    def __init__(self) -> None:
        self._text = ""
        # Tags seen before, by what is between "<" and ">": 'a id="b"' -> ("a", False, {"id": "b"}, False). The items
        # are name, is_end, attributes (None instead of {}) and self-closing.
        self._tags: dict[str, Tag] = {}
        self.has_null = False  # the text has NUL characters, which only the slower ways of reading handle
        self.content_model = ""
        self.last_start_tag = ""

    def tokenize(self, text: str) -> None:
        """Deliver the tokens of a whole text."""
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        self._text = text
        self.has_null = "\0" in text
        self._read()

    def handle_starttag(self, tag: str, attrs: dict[str, str]) -> None:
        """Handle a start tag."""

    def handle_startendtag(self, tag: str, attrs: dict[str, str]) -> None:
        """Handle a start tag with the self-closing flag."""
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """Handle an end tag."""

    def handle_data(self, data: str) -> None:
        """Handle characters, at least one. The text between two tags may come in several parts."""

    def handle_comment(self, data: str) -> None:
        """Handle a comment, or markup that is read as one."""

    def handle_pi(self, data: str) -> None:
        """Handle a processing instruction; `data` is its target, a space and its data."""

    def handle_decl(self, token: DoctypeToken) -> None:
        """Handle a DOCTYPE."""

    def allows_cdata(self) -> bool:
        """Whether a CDATA section may come here: the adjusted current node is a foreign element."""
        return False

    def _read(self) -> None:
        """Read the text (the data state). Comments and other constructs have functions of their own.

        The text is split at each "<", which takes half the time of searching for one after the other. `less` is the
        index of the "<" before a piece, `piece_end` the index of the next "<". The first piece has no "<" before it:
        its `less` is -1, so it counts as characters.

        All before `position` is delivered. If `position` is after `less`, the "<" at `less` was delivered as part of a
        script, a comment or the like. Then only the piece's characters from `position` on, if any, are left. For
        "a<script>b<c</script>d":

        less  piece_end  piece      what is delivered
        -1    1          a          the characters "a"
        1     10         script>b   the start tag; then _raw_text() delivers "b<c" and returns `position` 12
        10    12         c          nothing: `position` is after `less`, at the end of the piece
        12    22         /script>d  the end tag, and the characters "d"
        """
        text, known = self._text, self._tags.get
        start, end, data = self.handle_starttag, self.handle_endtag, self.handle_data
        position = self._raw_text(0) if self.content_model else 0  # a fragment may begin in raw text
        piece_end = -1
        for piece in text.split("<"):
            less, piece_end = piece_end, piece_end + 1 + len(piece)
            if position > less:
                characters = text[position:piece_end]
            else:
                source, greater, characters = piece.partition(">")
                tag = known(source) if greater else None
                if tag is not None:
                    name, is_end, attrs, self_closing = tag
                    if attrs:
                        attrs = attrs.copy()
                else:
                    tag = self._quoted_tag(source) if greater else None
                    if tag is None:
                        tag, position = self._markup_at(less, source if greater else "")
                        if position < 0:
                            return
                        characters = text[position:piece_end]
                    name, is_end, attrs, self_closing = tag or _NO_TAG
                if is_end:
                    end(name)
                elif name:
                    (self.handle_startendtag if self_closing else start)(name, attrs or {})
                    if self.content_model:
                        # The tag ends where its characters begin, or after the piece: <title lang="<">.
                        position = self._raw_text(max(position, piece_end - len(characters)))
                        characters = text[position:piece_end]
            if characters:
                data(decode_text(characters) if "&" in characters else characters)

    def _quoted_tag(self, source: str) -> Tag | None:
        """Read a start tag in the second way; return None if it may be another tag."""
        tag = None if self.has_null else quoted_tag(source)
        if tag is not None:
            self._remember(source, tag)
        return tag

    def _remember(self, source: str, tag: Tag) -> None:
        """Put a tag into the table of tags seen before, with a copy of its attributes: handlers may change theirs."""
        if len(source) >= MAX_REMEMBERED:
            return
        if len(self._tags) >= MAX_TABLE:
            self._tags.clear()
        name, is_end, attrs, self_closing = tag
        self._tags[source] = name, is_end, attrs.copy() if attrs else None, self_closing

    def _markup_at(self, less: int, source: str) -> tuple[Tag | None, int]:
        """Read a tag that begins with the "<" at `less`, or read and deliver a comment, DOCTYPE or other construct.

        `source` is the text from there to the next ">"; it is "" if a "<" comes first. Returns the tag (None for other
        constructs) and the position after it. The position is -1 if the input ended inside a tag: such a tag is
        dropped.
        """
        text = self._text
        first = text[less + 1 : less + 2]
        if first == "!":
            return None, self._declaration(less)
        if first == "?":
            return None, self._processing_instruction(less)
        letter = text[less + 2 : less + 3] if first == "/" else first
        if letter.isascii() and letter.isalpha():
            tag, end = read_tag(text, less + 1)
            # <a title="1>2"> ends after `source`, which ends inside the quotes.
            if tag is not None and source and end == less + len(source) + 2:
                self._remember(source, tag)
            return tag, end
        if first == "/" and letter == ">":
            return None, less + 3
        if first == "/" and letter:
            return None, self._bogus_comment(less + 2)
        match = _MARKUP.search(text, less + 1)
        end = match.start() if match else len(text)
        characters = text[less:end]
        self.handle_data(decode_text(characters) if "&" in characters else characters)
        return None, end

    def _declaration(self, less: int) -> int:
        """Read a comment, DOCTYPE or CDATA section: the markup declaration open state."""
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
            characters = text[less + 9 :] if end < 0 else text[less + 9 : end]
            if characters:
                self.handle_data(characters)
            return len(text) if end < 0 else end + 3
        return self._bogus_comment(less + 2)

    def _processing_instruction(self, less: int) -> int:
        """Read a processing instruction (states of 13.2.5, since 2026).

        Without a proper target it is a bogus comment.
        """
        text = self._text
        if less + 2 == len(text):
            return len(text)
        match = _TARGET.match(text, less)
        if not match:
            return self._bogus_comment(less + 1)
        target, begin = match.group(1), match.end()
        # A target is judged when the character after it is read. If the input ends there, it is dropped below.
        if begin < len(text) and target.lower() in ("xml", "xml-stylesheet"):
            return self._bogus_comment(less + 1)
        end = text.find(">", begin)
        if end < 0:  # dropped, like a tag that does not end
            return len(text)
        data = text[begin : end - 1 if text.endswith("?", begin, end) else end]
        self.handle_pi(without_null(f"{target} {data}"))
        return end + 1

    def _bogus_comment(self, begin: int) -> int:
        """Deliver the text up to the next ">" as a comment."""
        text = self._text
        end = text.find(">", begin)
        stop = len(text) if end < 0 else end
        self.handle_comment(without_null(text[begin:stop]))
        return stop + 1 if end >= 0 else stop

    def _comment(self, begin: int) -> int:
        """Read a comment; `begin` is the position after "<!--"."""
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
        """Deliver an element's content as its content model says; return the position of its end tag.

        If the content is markup, nothing is delivered, and the position is where the content begins. Resets
        `content_model`.
        """
        text, model = self._text, self.content_model
        self.content_model = ""
        if model in (DATA_AFTER_NEWLINE, RCDATA_AFTER_NEWLINE):
            begin = after_newline(text, begin)
        if model == DATA_AFTER_NEWLINE:
            return begin
        if model == PLAINTEXT or not self.last_start_tag:  # before the first start tag nothing can be ended
            end = len(text)
        elif model == SCRIPT_DATA:
            end = script_end(text, begin)
        else:
            end = end_tag_at(text, self.last_start_tag, begin)
        characters = without_null(text[begin:end])
        if characters:
            has_references = "&" in characters and model in (RCDATA, RCDATA_AFTER_NEWLINE)
            self.handle_data(decode_text(characters) if has_references else characters)
        return end
