"""Parse an email into MIME parts, and sort these into text, files and messages. In: a Source. Out: email.message.

parse() returns the tree of parts, shown_parts() sorts it. The other functions read one part; if it is damaged so that
the module `email` fails, they return an empty value.
Specification: RFC 2045 to 2047 (MIME), RFC 2387 (multipart/related), RFC 6532 (headers in UTF-8).
Tests: tests/documents/test_mail.py
"""

from __future__ import annotations

from webtool.documents import Source
from webtool.documents.sniff import RESOURCE_HEADER, utf_16_of
from webtool.documents.text import decode
from webtool.documents.tree import collapse
from webtool.lean import patterns
from webtool.lean.characters import without_surrogates
from webtool.lean.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from email.message import Message

_FREE_HEADERS = ("from", "to", "cc", "subject", "content-type", "content-disposition")  # names of people and files
_MAX_HEADER = 1000  # characters of a header or a file name; the rest is cut
_MAX_MULTIPARTS = 200  # a message with more is refused: the parser compares each line with all their boundaries
_MAX_MESSAGES = 100  # later attached messages are shown as plain text, since the parser recurses into messages
# The start of an attached message, except a delivery report or a receipt.
_ATTACHED_MESSAGE = patterns.compile(rb"(?i)(content-type:\s{0,20})message/(?!delivery|disposition)[\w.-]{1,40}")
# A field with parameters. Reading n of them takes n * n steps, so those after _MAX_PARAMETERS are cut.
_PARAMETERS = patterns.compile(rb"(?i)(?<![^\r\n])content-(?:type|disposition):[^\r\n]*(?:\r?\n?[ \t][^\r\n]*)*")
_MAX_PARAMETERS = 200
_ENCODED_WORD = patterns.compile(r"=\?[A-Za-z0-9_*-]{1,80}\?[bBqQ]\?[!->@-~]*\?=")


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
    """Decode _FREE_HEADERS that are not ASCII: as UTF-8 (RFC 6532) if they are valid UTF-8, else by a guess.

    Of several fields with one name the first counts.
    """
    first = {name.lower(): value for name, value in reversed(list(part.raw_items()))}
    for name in _FREE_HEADERS:
        value = first.get(name, "")
        if not value.isascii():
            part.replace_header(name, decode(value.encode("ascii", "surrogateescape"), None))


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
        elif kind in ("message/rfc822", "message/global") and children(part):
            shown.messages.append(_inner_message(part))
        elif kind == "multipart/alternative":
            shown.attachments.extend(item for item in children(part) if _is_attachment(item))
            choices = [item for item in reversed(children(part)) if not _is_attachment(item)]
            choices.sort(key=_rank, reverse=True)  # the best one first; of equal ones the later one
            if choices:
                waiting.append((choices[0], [*(item for item in choices[1:] if not item.is_multipart()), *others]))
        elif kind == "multipart/related":
            root = _root_of(part)
            rest = [item for item in children(part) if item is not root and _is_attachment(item)]
            waiting.extend((item, []) for item in reversed(rest))
            if root is not None:
                waiting.append((root, others))
        elif kind.startswith("multipart/"):
            waiting.extend((item, []) for item in reversed(children(part)))
        elif part.get_content_maintype() not in ("text", "message") and _stated_file_name(part):
            shown.attachments.append(part)  # a picture or a file that a mail program shows at this place
            shown.bodies.extend([others] if others else [])
        else:
            shown.bodies.append([part, *others])
    return shown


def children(part: Message) -> list[Message]:
    items = part.get_payload() if part.is_multipart() else []
    return [item for item in items if not isinstance(item, str)]


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
            waiting.extend(children(item))
    return best


def _root_of(part: Message) -> Message | None:
    """Return the root of a multipart/related, None if it is empty.

    The `start` parameter names the root. Without it the root is the first part that has text, else the first part.
    """
    parts = children(part)
    start = parameter(part, "start").strip("<> ")
    by_id = [item for item in parts if start and str(item["Content-ID"] or "").strip("<> ") == start]
    with_text = [item for item in parts if _rank(item)]
    return next(iter([*by_id, *with_text, *parts]), None)


def _inner_message(part: Message) -> Message:
    """Return the message in a message/rfc822 part; some programs encode it in base64, against RFC 2046.

    The parser reads such a message as a body without headers. It is decoded here. It stays a text if it is damaged, or
    has attached messages again: parse() has limited only those that it could see.
    """
    inner = children(part)[0]
    encoding = str(part["Content-Transfer-Encoding"] or "").strip().lower()
    if encoding in ("base64", "quoted-printable") and not inner.keys() and not inner.is_multipart():
        inner["Content-Transfer-Encoding"] = encoding
        data = payload(inner)
        if not _ATTACHED_MESSAGE.search(data):
            try:
                return _parsed(data)
            except ValueError:
                pass
    return inner


def payload(part: Message) -> bytes:
    try:
        data = part.get_payload(decode=True)
    except ValueError:  # a charset with a NUL in it
        return b""
    return data if isinstance(data, bytes) else b""


def _is_attachment(part: Message) -> bool:
    """Return whether a part declares itself as a file (Content-Disposition: attachment) and is not a message."""
    is_declared = part.get_content_disposition() == "attachment" and not part.is_multipart()
    return is_declared and part.get_content_type() not in ("message/rfc822", "message/global")


def parameter(part: Message, name: str) -> str:
    """Return a parameter of a part's Content-Type; "" without it, or if it is given twice in forms that contradict."""
    try:
        return str(part.get_param(name) or "")
    except (TypeError, ValueError):  # see _stated_file_name()
        return ""


def _stated_file_name(part: Message) -> str:
    """Return the file name that a part states; "" without one, or if its parameters contradict each other."""
    try:
        return part.get_filename() or ""
    except (TypeError, ValueError):  # filename*=a; filename*0=b
        return ""


def file_name(part: Message) -> str:
    return collapse(_decoded(_stated_file_name(part) or "a file without a name"))[:_MAX_HEADER]


def header(message: Message, name: str) -> str:
    return collapse(_decoded(str(message[name] or "")))[:_MAX_HEADER]


def _decoded(value: str) -> str:
    """Decode a header's encoded words (RFC 2047): "=?utf-8?q?Caf=C3=A9?=" -> "Café"; lone surrogates become U+FFFD."""
    if not value.isascii():  # decode_header() does not read encoded words beside other characters
        return without_surrogates(_ENCODED_WORD.sub(lambda word: _decoded(word[0]), value[: 4 * _MAX_HEADER]))
    from email.errors import HeaderParseError
    from email.header import decode_header, make_header

    try:
        value = str(make_header(decode_header(value[: 4 * _MAX_HEADER])))
    except (HeaderParseError, LookupError, ValueError):
        pass
    return without_surrogates(value)
