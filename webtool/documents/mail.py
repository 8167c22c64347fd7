"""Convert emails (.eml), mailboxes (.mbox) and saved pages (.mht, .mhtml). In: a Source. Out: a Document.

An email becomes: its subject as a heading, a list of From, To, Cc and Date, its text, the names of its attachments.
Below, each attached text and each attached message gets a section of its own. A mailbox is its emails one after the
other. Of a page that Chrome saved, only the text is written: its headers are the browser's.

A message is a tree of MIME parts. shown_parts() sorts them into bodies (the text), attachments and messages. Of a group
of alternatives, usually plain text and HTML, one part is shown; of a mixed body all parts are. _Writer then writes one
message. convert() calls it for the message and for each message that is attached to it.
Specification: RFC 5322 (messages), RFC 2045 to 2047 (MIME), RFC 2387 and 2557 (pages), RFC 3464 (delivery reports),
RFC 3676 (format=flowed), RFC 4155 (mailboxes), RFC 6532 (headers in UTF-8).
Tests: tests/documents/test_mail.py
"""

from __future__ import annotations

from webtool.documents import Document, Source, convert_source, formats, kind_of, tree, unseen
from webtool.documents.sniff import RESOURCE_HEADER, utf_16_of
from webtool.documents.text import cleaned, decode
from webtool.documents.tree import collapse, element, renumbered
from webtool.errors import WebtoolError
from webtool.html import parse_html
from webtool.html.node import Text, elements
from webtool.lean import patterns
from webtool.lean.characters import without_surrogates
from webtool.lean.records import NamedTuple
from webtool.markdown import escape, escape_text, to_markdown
from webtool.visibility.hidden import find_hidden
from webtool.visibility.text_lengths import words_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from email.message import Message

_SHOWN_HEADERS = ("From", "To", "Cc", "Date")
_FREE_HEADERS = ("from", "to", "cc", "subject", "content-type", "content-disposition")  # names of people and files
_MAX_HEADER = 1000  # characters of a header or a file name; the rest is cut
_MAX_MULTIPARTS = 200  # a message with more is refused: the parser compares each line with all their boundaries
_MAX_MESSAGES = 100  # later attached messages are shown as plain text, since the parser recurses into messages
_MAX_PARTS = 2000  # later parts are left out with a note
_MAX_MAILS = 1000  # of a mailbox; later ones are left out with a note
_MAX_HEADING = 6  # the deepest heading level of markdown
# The start of an attached message, except a delivery report or a receipt.
_ATTACHED_MESSAGE = patterns.compile(rb"(?i)(content-type:\s{0,20})message/(?!delivery|disposition)[\w.-]{1,40}")
# A field with parameters. Reading n of them takes n * n steps, so those after _MAX_PARAMETERS are cut.
_PARAMETERS = patterns.compile(rb"(?i)(?<![^\r\n])content-(?:type|disposition):[^\r\n]*(?:\r?\n?[ \t][^\r\n]*)*")
_MAX_PARAMETERS = 200
_READ_TYPES = ("application/octet-stream", "application/json", "application/xml", "application/csv")  # beside text/*
_ENCRYPTED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")


# The line before each message of a mailbox: "From ada@e.example Thu May  2 10:00:00 2024". A header line follows.
_MAILBOX_LINE = patterns.compile(rb"(?<![^\n])From [^\r\n]{1,200}?\d:\d\d[^\r\n]{0,40}\r?\n(?=[!-9;-~]{1,80}:)")
_ESCAPED_FROM = patterns.compile(rb"(?<![^\n])>(?=>*From )")  # in a mailbox: a line of a text that begins with "From "


def convert(source: Source) -> Document:
    """Convert the message or the mailbox. Raises ExtractFailed if it has too many parts or no text."""
    writer = _Writer(source)
    bodies = _mails(source)
    title, is_encrypted = "", False
    for number, body in enumerate(bodies):
        if source.is_late():
            source.add_note(f"Only {number:,} of {len(bodies):,} emails were read before the deadline.")
            break
        message = parse(source._replace(body=body))
        title = title or _header(message, "Subject")
        is_encrypted = message.get_content_type() in _ENCRYPTED
        waiting = [(message, 1)]  # messages, each with the level of its heading; the last one is next
        while waiting:
            current, level = waiting.pop()
            attached = writer.add_message(current, level)
            waiting.extend((inner, min(level + 1, _MAX_HEADING)) for inner in reversed(attached))
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


def parse(source: Source) -> Message:
    """Parse the message. Raises ExtractFailed if its parts are too many for the parser."""
    body = source.body
    if utf_16_of(body[:RESOURCE_HEADER]):
        body = decode(body, None, source.kind).encode()
    starts = [match.start() for match in _ATTACHED_MESSAGE.finditer(body)]
    if len(starts) > _MAX_MESSAGES:
        cut = starts[_MAX_MESSAGES]
        body = body[:cut] + _ATTACHED_MESSAGE.sub(lambda match: match[1] + b"text/plain", body[cut:])
        source.add_note(f"Only the first {_MAX_MESSAGES} attached messages have sections of their own.")
    try:
        return _parsed(body)
    except ValueError as exc:
        raise source.failed(str(exc)) from exc


def _parsed(body: bytes) -> Message:
    """Parse a message that has few attached messages. Raises ValueError, which says what is wrong with the message."""
    from email import message_from_bytes

    if sum(b"boundary" in field[0].lower() for field in _PARAMETERS.finditer(body)) > _MAX_MULTIPARTS:
        raise ValueError(f"has more than {_MAX_MULTIPARTS} groups of parts")
    if body.count(b";") > _MAX_PARAMETERS:
        body = _PARAMETERS.sub(lambda field: b";".join(field[0].split(b";")[: _MAX_PARAMETERS + 1]), body)
    try:
        message = message_from_bytes(body)
        for part in message.walk():
            _decode_headers(part)
        return message
    except RecursionError:
        raise ValueError("holds too many messages in each other") from None
    except (TypeError, ValueError) as exc:  # parameters that contradict each other: boundary*=a; boundary*0=b
        raise ValueError(f"is damaged: {exc}") from exc


def _decode_headers(part: Message) -> None:
    """Decode _FREE_HEADERS that are not ASCII: as UTF-8 (RFC 6532) if they are valid UTF-8, else by a guess."""
    for name, value in reversed(list(part.raw_items())):  # the first field of a name counts, so it is replaced last
        if name.lower() in _FREE_HEADERS and not value.isascii():
            part.replace_header(name, decode(value.encode("ascii", "surrogateescape"), None))


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
            lines = [f"{name}: {value}" for name in _SHOWN_HEADERS if (value := _header(message, name))]
            title = _header(message, "Subject") or ("" if level == 1 else "Attached message")
            blocks = [element(f"h{level}", [title])] if title else []
            blocks += [element("ul", [element("li", [line]) for line in lines])] if lines else []
            self._add(tree.markdown(blocks))
        shown = shown_parts(message)
        for alternatives in shown.bodies:
            # The HTML may consist of pictures only. Then the next alternative, plain text, is written.
            self._add(next(filter(None, map(self._text, alternatives)), ""))
        names = [name for part in shown.attachments if (name := _file_name(part))]
        if names:
            items = element("ul", [element("li", [name]) for name in names])
            self._add(tree.markdown([element("p", ["Attached:"]), items]))
        for part in shown.attachments:
            self._add_attachment(part, min(level + 1, _MAX_HEADING))
        return shown.messages

    def _add_attachment(self, part: Message, level: int) -> None:
        """Add an attached text below its file name: plain text in a fence, other kinds as markdown."""
        body, declared = _payload(part), part.get_content_type()
        if not (declared.startswith("text/") or declared in _READ_TYPES) or not self._takes_part():
            return
        kind = kind_of(body, None if declared == "application/octet-stream" else declared, _file_name(part))
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
            self._add(f"{'#' * level} {escape.heading(escape_text.text(_file_name(part)))}")
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
            groups = ["\n".join(f"{name}: {value}" for name, value in item.items()) for item in _children(part)]
            text = "\n\n".join(groups)
        elif kind.startswith("text/") or kind == "message/disposition-notification":
            text = decode(_payload(part), str(part["Content-Type"] or ""))
            if _parameter(part, "format").lower() == "flowed":
                text = _unflowed(text, _parameter(part, "delsp").lower() == "yes")
        else:
            return ""
        self._source.budget.take(len(text))
        return text.strip("\n")

    def _html(self, part: Message) -> str:
        """Return an HTML part as markdown, without hidden text. Raises Spent."""
        root = parse_html(_payload(part), str(part["Content-Type"] or ""))
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


class _Shown(NamedTuple):
    """The parts of one message that a reader sees, in order."""

    bodies: list[list[Message]]  # each a piece of the text: its alternatives, the best one first
    attachments: list[Message]  # files
    messages: list[Message]


def shown_parts(message: Message) -> _Shown:
    """Sort the parts of a message into text, attachments and attached messages, whose own parts are not sorted.

    multipart/alternative: the last part with HTML is shown, else the last with text (RFC 2046, section 5.1.4). The
    others come after it, as the HTML may consist of pictures only: [plain, related[HTML, picture]] -> [HTML, plain].
    multipart/related: the root is shown; the other parts are its pictures (RFC 2387).
    multipart/mixed and all other multiparts: each part is shown in order (RFC 2046, sections 5.1.3 and 5.1.7).
    """
    shown = _Shown([], [], [])
    waiting: list[tuple[Message, list[Message]]] = [(message, [])]  # parts and their alternatives; the last is next
    while waiting:
        part, others = waiting.pop()
        kind = part.get_content_type()
        if part is not message and _is_attachment(part):
            shown.attachments.append(part)
        elif kind in ("message/rfc822", "message/global") and _children(part):
            shown.messages.append(_inner_message(part))
        elif kind == "multipart/alternative":
            shown.attachments.extend(item for item in _children(part) if _is_attachment(item))
            choices = [item for item in reversed(_children(part)) if not _is_attachment(item)]
            choices.sort(key=_rank, reverse=True)  # the best one first; of equal ones the later one
            if choices:
                waiting.append((choices[0], [*(item for item in choices[1:] if not item.is_multipart()), *others]))
        elif kind == "multipart/related":
            root = _root_of(part)
            rest = [item for item in _children(part) if item is not root and _is_attachment(item)]
            waiting.extend((item, []) for item in reversed(rest))
            if root is not None:
                waiting.append((root, others))
        elif kind.startswith("multipart/"):
            waiting.extend((item, []) for item in reversed(_children(part)))
        elif part.get_content_maintype() not in ("text", "message") and _stated_file_name(part):
            shown.attachments.append(part)  # a picture or a file that a mail program shows at this place
            shown.bodies.extend([others] if others else [])
        else:
            shown.bodies.append([part, *others])
    return shown


def _children(part: Message) -> list[Message]:
    payload = part.get_payload() if part.is_multipart() else []
    return [item for item in payload if not isinstance(item, str)]


def _rank(part: Message) -> int:
    """Return how well a part can be shown: 2 if it is or contains HTML, 1 for other text, 0 for the rest."""
    best = 0
    waiting = [part]
    while waiting and best < 2:
        item = waiting.pop()
        kind = item.get_content_type()
        if kind == "text/html" and not _is_attachment(item):
            best = 2
        elif kind in ("text/plain", "text/enriched", "text/markdown"):
            best = 1
        elif kind != "message/rfc822":
            waiting.extend(_children(item))
    return best


def _root_of(part: Message) -> Message | None:
    """Return the root of a multipart/related, None if it is empty.

    The `start` parameter names the root. Without it the root is the first part that has text, else the first part.
    """
    parts = _children(part)
    start = _parameter(part, "start").strip("<> ")
    by_id = [item for item in parts if start and str(item["Content-ID"] or "").strip("<> ") == start]
    with_text = [item for item in parts if _rank(item)]
    return next(iter([*by_id, *with_text, *parts]), None)


def _inner_message(part: Message) -> Message:
    """Return the message in a message/rfc822 part; some programs encode it in base64, against RFC 2046.

    The parser reads such a message as a body without headers. It is decoded here. It stays a text if it is damaged, or
    has attached messages again: parse() has limited only those that it could see.
    """
    inner = _children(part)[0]
    encoding = str(part["Content-Transfer-Encoding"] or "").strip().lower()
    if encoding in ("base64", "quoted-printable") and not inner.keys() and not inner.is_multipart():
        inner["Content-Transfer-Encoding"] = encoding
        data = _payload(inner)
        if not _ATTACHED_MESSAGE.search(data):
            try:
                return _parsed(data)
            except ValueError:
                pass
    return inner


def _payload(part: Message) -> bytes:
    try:
        data = part.get_payload(decode=True)
    except ValueError:  # a charset with a NUL in it
        return b""
    return data if isinstance(data, bytes) else b""


def _is_attachment(part: Message) -> bool:
    """Return whether a part declares itself as a file (Content-Disposition: attachment) and is not a message."""
    is_declared = part.get_content_disposition() == "attachment" and not part.is_multipart()
    return is_declared and part.get_content_type() not in ("message/rfc822", "message/global")


def _parameter(part: Message, name: str) -> str:
    """Return a parameter of a part's Content-Type; "" without it, or if it is given twice in forms that contradict."""
    try:
        return str(part.get_param(name) or "")
    except (TypeError, ValueError):  # see _stated_file_name()
        return ""


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


def _stated_file_name(part: Message) -> str:
    """Return the file name that a part states; "" without one, or if its parameters contradict each other."""
    try:
        return part.get_filename() or ""
    except (TypeError, ValueError):  # filename*=a; filename*0=b
        return ""


def _file_name(part: Message) -> str:
    return collapse(_decoded(_stated_file_name(part) or "a file without a name"))[:_MAX_HEADER]


def _header(message: Message, name: str) -> str:
    return collapse(_decoded(str(message[name] or "")))[:_MAX_HEADER]


def _decoded(value: str) -> str:
    """Decode a header's encoded words (RFC 2047): "=?utf-8?q?Caf=C3=A9?=" -> "Café"; lone surrogates become U+FFFD."""
    from email.errors import HeaderParseError
    from email.header import decode_header, make_header

    try:
        value = str(make_header(decode_header(value[: 4 * _MAX_HEADER])))
    except (HeaderParseError, LookupError, ValueError):
        pass
    return without_surrogates(value)
