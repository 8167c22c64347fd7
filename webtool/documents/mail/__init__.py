"""Convert emails (.eml), mailboxes (.mbox) and saved pages (.mht, .mhtml). In: a Source. Out: a Document.

An email becomes: its subject as a heading, a list of From, To, Cc and Date, its text, the names of its attachments.
Below, each attached text and each attached message gets a section of its own. A mailbox is its emails one after the
other. Of a page that Chrome saved, only the text is written: its headers are the browser's.

A message is a tree of MIME parts, which parts.py sorts into bodies (the text), attachments and messages. Of a group of
alternatives, usually plain text and HTML, one part is shown; of a mixed body all parts are. _Writer then writes one
message. convert() calls it for the message and for each message that is attached to it.
Specification: RFC 5322 (messages), RFC 2557 (pages), RFC 3464 (delivery reports), RFC 3676 (format=flowed), RFC 4155
(mailboxes).
Tests: tests/documents/test_mail.py
"""

from __future__ import annotations

from webtool.documents import Document, Source, convert_source, formats, kind_of, tree, unseen
from webtool.documents.mail import parts
from webtool.documents.text import cleaned, decode
from webtool.documents.tree import element, renumbered
from webtool.errors import ExtractFailed, WebtoolError
from webtool.html import parse_html
from webtool.html.node import Text, elements
from webtool.lean import patterns
from webtool.markdown import escape, escape_text, to_markdown
from webtool.visibility.hidden import find_hidden
from webtool.visibility.text_lengths import words_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from email.message import Message

_SHOWN_HEADERS = ("From", "To", "Cc", "Date")
_MAX_PARTS = 2000  # later parts are left out with a note
_MAX_MAILS = 1000  # of a mailbox; later ones are left out with a note
_MAX_HEADING = 6  # the deepest heading level of markdown
_READ_TYPES = ("application/octet-stream", "application/json", "application/xml", "application/csv")  # beside text/*
_ENCRYPTED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")
# The line before each message of a mailbox: "From ada@e.example Thu May  2 10:00:00 2024". A header line follows.
_MAILBOX_LINE = patterns.compile(rb"(?<![^\n])From [^\r\n]{1,200}?\d:\d\d[^\r\n]{0,40}\r?\n(?=[!-9;-~]{1,80}:)")
_ESCAPED_FROM = patterns.compile(rb"(?<![^\n])>(?=>*From )")  # in a mailbox: a line of a text that begins with "From "


def convert(source: Source) -> Document:
    """Convert the message or the mailbox. Raises ExtractFailed without text, or if a single message is unreadable."""
    writer = _Writer(source)
    bodies = _mails(source)
    title, is_encrypted, unreadable = "", False, 0
    for number, body in enumerate(bodies):
        if number and source.is_late():
            source.add_note(f"Only {number:,} of {len(bodies):,} emails were read before the deadline.")
            break
        try:
            message = parts.parse(source._replace(body=body))
        except ExtractFailed:
            if len(bodies) == 1:
                raise
            unreadable += 1
            continue
        title = title or parts.header(message, "Subject")
        is_encrypted = message.get_content_type() in _ENCRYPTED
        waiting = [(message, 1)]  # messages, each with the level of its heading; the last one is next
        while waiting:
            current, level = waiting.pop()
            attached = writer.add_message(current, level)
            waiting.extend((inner, min(level + 1, _MAX_HEADING)) for inner in reversed(attached))
    source.leave_out(unreadable, "unreadable email")
    if not any(writer.texts):
        raise source.failed("is encrypted: its text cannot be read" if is_encrypted else "has no text")
    return Document(title, cleaned(source, "\n\n".join(writer.texts) + "\n"), source.kind)


def _mails(source: Source) -> list[bytes]:
    """Return the messages of a mailbox, at most _MAX_MAILS; any other body as it is."""
    body = source.body
    starts = [match.span() for match in _MAILBOX_LINE.finditer(body)] if body.startswith(b"From ") else []
    if not starts:
        return [body]
    if len(starts) > _MAX_MAILS:
        source.add_note(f"Only the first {_MAX_MAILS:,} of {len(starts):,} emails are shown.")
    ends = [start for start, _ in starts[1:]] + [len(body)]
    return [_ESCAPED_FROM.sub(b"", body[start:end]) for (_, start), end in zip(starts[:_MAX_MAILS], ends)]


class _Writer:
    """Writes messages one after the other."""

    def __init__(self, source: Source) -> None:
        self.texts: list[str] = []  # the markdown so far
        self._source = source
        self._note_count = 0  # footnotes in `texts`; those of the next part are numbered from here
        self._parts_left = _MAX_PARTS

    def add_message(self, message: Message, level: int) -> list[Message]:
        """Add one message with its attached texts; return the messages that are attached to it. Raises Spent."""
        if level > 1 or message["Snapshot-Content-Location"] is None:  # not a page that Chrome saved
            lines = [f"{name}: {value}" for name in _SHOWN_HEADERS if (value := parts.header(message, name))]
            title = parts.header(message, "Subject") or ("" if level == 1 else "Attached message")
            blocks = [element(f"h{level}", [title])] if title else []
            blocks += [element("ul", [element("li", [line]) for line in lines])] if lines else []
            self._add(tree.markdown(blocks))
        shown = parts.shown_parts(message)
        for alternatives in shown.bodies:
            # The HTML may consist of pictures only. Then the next alternative, plain text, is written.
            self._add(next(filter(None, map(self._text, alternatives)), ""))
        names = [name for part in shown.attachments if (name := parts.file_name(part))]
        if names:
            items = element("ul", [element("li", [name]) for name in names])
            self._add(tree.markdown([element("p", ["Attached:"]), items]))
        for part in shown.attachments:
            self._add_attachment(part, min(level + 1, _MAX_HEADING))
        return shown.messages

    def _add_attachment(self, part: Message, level: int) -> None:
        """Add an attached text below its file name: plain text in a fence, other kinds as markdown."""
        body, declared = parts.payload(part), part.get_content_type()
        if not (declared.startswith("text/") or declared in _READ_TYPES) or not self._takes_part():
            return
        kind = kind_of(body, None if declared == "application/octet-stream" else declared, parts.file_name(part))
        if not body.strip() or not formats.is_text(kind):
            return
        if kind == "html":
            text = self._html(part)
        else:
            content_type = str(part["Content-Type"] or "")
            try:
                inner = self._source._replace(body=body, kind=kind, content_type=content_type, url="")
                text = convert_source(inner).markdown.strip("\n")
            except WebtoolError:
                return
            self._source.budget.take(len(text))
            if kind in ("text", "csv", "json", "xml"):
                text = tree.markdown([tree.code(text)]).strip("\n")
        if text:
            self._add(f"{'#' * level} {escape.heading(escape_text.text(parts.file_name(part)))}")
            self._add(text)

    def _text(self, part: Message) -> str:
        """Return an inline part as markdown; "" for pictures and other data. Raises Spent.

        Plain text is not escaped: in mails, * and > mean the same as in markdown.
        """
        kind = part.get_content_type()
        if not self._takes_part():
            return ""
        if kind == "text/html":
            return self._html(part)
        if part.is_multipart():  # a delivery report: groups of header lines, one for each recipient
            groups = ["\n".join(f"{name}: {value}" for name, value in item.items()) for item in parts.children(part)]
            text = "\n\n".join(groups)
        elif kind.startswith("text/") or kind == "message/disposition-notification":
            text = decode(parts.payload(part), str(part["Content-Type"] or ""))
            if parts.parameter(part, "format").lower() == "flowed":
                text = _unflowed(text, parts.parameter(part, "delsp").lower() == "yes")
        else:
            return ""
        self._source.budget.take(len(text))
        return text.strip("\n")

    def _html(self, part: Message) -> str:
        """Return an HTML part as markdown, without hidden text. Raises Spent."""
        root = parse_html(parts.payload(part), str(part["Content-Type"] or ""))
        address = str(part["Content-Location"] or "")  # RFC 2557: the part names its own URL
        base = address if address.startswith("http") else self._source.url or address
        hidden = find_hidden(root, keep_panels=True)
        for picture in [node for node in elements(root) if node.tag == "img"]:
            if picture.attrs.get("src", "").startswith("cid:"):  # a part of the message, which has no URL to fetch
                alt = picture.attrs.get("alt", "")
                picture.tag, picture.attrs, picture.children = "span", {}, [Text(alt, picture)] if alt else []
        self._source.hide(words_in(hidden), unseen.BY_HTML)
        return to_markdown(root, base or None, hidden=hidden, budget=self._source.budget).strip("\n")

    def _takes_part(self) -> bool:
        """Count a part; return False if _MAX_PARTS were counted before it."""
        self._parts_left -= 1
        if self._parts_left < 0:
            self._source.add_note(f"Only the first {_MAX_PARTS:,} parts of the message are read.")
        return self._parts_left >= 0

    def _add(self, text: str) -> None:
        text, self._note_count = renumbered(text.strip("\n"), self._note_count)
        if text.strip():
            self.texts.append(text)


def _unflowed(text: str, deletes_spaces: bool) -> str:
    """Join the lines of a paragraph in a format=flowed text (RFC 3676).

    A line that ends in a space continues in the next line, if that is quoted as deep. With DelSp=yes the space is
    deleted. The first space of a line is padding: " From me" -> "From me".
    """
    pieces: list[str] = []
    continued_depth = -1  # number of ">" before a line that the next line continues; -1 if it does not
    for line in text.split("\n"):
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        is_signature = content == "-- "
        if depth != continued_depth or is_signature or not content:
            pieces.append("\n" + ">" * depth + (" " if depth and content else ""))
        is_flowed = content.endswith(" ") and not is_signature
        pieces.append(content[:-1] if is_flowed and deletes_spaces else content)
        continued_depth = depth if is_flowed else -1
    return "".join(pieces)[1:]
