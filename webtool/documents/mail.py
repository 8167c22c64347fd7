"""Convert emails (.eml) and saved web pages (.mht, .mhtml) to markdown. In: a Source. Out: a Document.

An email becomes its subject, a list of From, To, Cc and Date, the text, and the names of the attachments. Of the
alternatives of a text the HTML is used. A saved page is a message without a sender, so it has only the text.
Specification: RFC 5322 (messages), RFC 2045 to 2047 (MIME), RFC 2557 (pages in a message).
Tests: tests/documents/test_mail.py
"""

from __future__ import annotations

from webtool.documents import Document, Source
from webtool.documents.text import cleaned, decode
from webtool.documents.tree import collapse, element, markdown
from webtool.html import parse_html
from webtool.markdown import to_markdown
from webtool.running.budget import Spent
from webtool.visibility.hidden import find_hidden

TYPE_CHECKING = False
if TYPE_CHECKING:
    from email.message import Message

    from webtool.html.node import Document as HtmlDocument

_SHOWN_HEADERS = ("From", "To", "Cc", "Date")
_MAX_HEADER = 1000  # characters of a header or a file name; the rest is cut
_MAX_PARTS = 200  # multipart bodies of a message, more are refused: each line is compared with all their boundaries


def convert(source: Source) -> Document:
    """Convert the message. Raises ExtractFailed if it has too many parts or no text."""
    message = read(source)
    page = html_of(message)
    title = _header(message, "Subject")
    blocks = []
    if message["Snapshot-Content-Location"] is None:  # not a page that Chrome saved
        lines = [f"{name}: {value}" for name in _SHOWN_HEADERS if (value := _header(message, name))]
        blocks = [element("h1", [title])] if title else []
        blocks += [element("ul", [element("li", [line]) for line in lines])] if lines else []
    if page is None:
        text = _plain_text(message)
    else:
        tree, address = page
        base = address if address[:4] == "http" else source.url or address  # RFC 2557: the part names its own URL
        hidden = find_hidden(tree, keep_panels=True)
        text = to_markdown(tree, base or None, hidden=hidden, budget=source.budget)
    attached = [name for part in message.walk() if (name := _file_name(part))]
    if attached:
        items = element("ul", [element("li", [name]) for name in attached])
        text = f"{text.rstrip()}\n\n{markdown([element('p', ['Attached:']), items])}"
    whole = "\n\n".join(filter(None, (markdown(blocks).strip("\n"), text.strip("\n"))))
    if not whole:
        raise source.failed("has no text")
    if len(whole) > source.budget.limit:
        raise Spent
    return Document(title, cleaned(source, f"{whole}\n"), source.kind)


def read(source: Source) -> Message:
    """Parse the message. Raises ExtractFailed if it has too many parts, which would take too long."""
    from email import message_from_bytes

    if source.body.lower().count(b"boundary=") > _MAX_PARTS:
        raise source.failed(f"holds more than {_MAX_PARTS} messages in each other")
    return message_from_bytes(source.body)


def html_of(message: Message) -> tuple[HtmlDocument, str] | None:
    """Return the first HTML that is not an attachment, and its URL or ""; None without HTML."""
    for part in message.walk():
        if part.get_content_type() == "text/html" and not _file_name(part):
            return parse_html(_payload(part), str(part["Content-Type"])), str(part["Content-Location"] or "")
    return None


def _plain_text(message: Message) -> str:
    """Return the plain text parts that are not attachments."""
    parts = (part for part in message.walk() if part.get_content_type() == "text/plain" and not _file_name(part))
    return "\n\n".join(decode(_payload(part), str(part["Content-Type"] or "")) for part in parts)


def _payload(part: Message) -> bytes:
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _file_name(part: Message) -> str:
    """Return the name of an attachment; "" for a part that is shown, also for the pictures of a page."""
    if part.is_multipart() or part.get_content_disposition() != "attachment":
        return ""
    return collapse(_decoded(part.get_filename() or "a file without a name"))[:_MAX_HEADER]


def _header(message: Message, name: str) -> str:
    return collapse(_decoded(str(message[name] or "")))[:_MAX_HEADER]


def _decoded(value: str) -> str:
    """Decode the encoded words (RFC 2047) of a header: "=?utf-8?q?Caf=C3=A9?=" -> "Café"; damaged ones stay."""
    from email.errors import HeaderParseError
    from email.header import decode_header, make_header

    try:
        return str(make_header(decode_header(value[: 4 * _MAX_HEADER])))
    except (HeaderParseError, LookupError, ValueError):
        return value
