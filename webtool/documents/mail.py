"""Mails (.eml) and pages saved with all they need (.mht, .mhtml) as markdown. In: a Source. Out: a Document.

Who wrote to whom, when and about what, then the text; of alternatives the HTML, and the names of what is attached.
Specification: RFC 5322 (messages), RFC 2045 to 2047 (MIME), RFC 2557 (pages in a message).
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

_SHOWN = ("From", "To", "Cc", "Date")
_MAX_HEADER = 1000  # characters that are shown
_MAX_PARTS = 200  # in a message: each line is compared with the borders of all that are open


def convert(source: Source) -> Document:
    """The message's text. Raises ExtractFailed for one of very many parts or without text."""
    message = read(source)
    page = html_of(message)
    title = _header(message, "Subject")
    blocks = []
    if message["Snapshot-Content-Location"] is None:  # a page that was saved has no sender
        lines = [f"{name}: {value}" for name in _SHOWN if (value := _header(message, name))]
        blocks = [element("h1", [title])] if title else []
        blocks += [element("ul", [element("li", [line]) for line in lines])] if lines else []
    if page is None:
        plain = (part for part in message.walk() if part.get_content_type() == "text/plain" and not _file_name(part))
        text = "\n\n".join(decode(_payload(part), str(part["Content-Type"] or "")) for part in plain)
    else:
        tree, address = page
        base = address if address[:4] == "http" else source.url or address  # RFC 2557: the part says where it was
        hidden = find_hidden(tree, keep_panels=True)
        text = to_markdown(tree, base or None, hidden=hidden, budget=source.budget)
    attached = [name for part in message.walk() if (name := _file_name(part))]
    if attached:
        items = element("ul", [element("li", [name]) for name in attached])
        text = f"{text.rstrip()}\n\n{markdown([element('p', ['Attached:']), items])}"
    made = "\n\n".join(filter(None, (markdown(blocks).strip("\n"), text.strip("\n"))))
    if not made:
        raise source.failed("has no text")
    if len(made) > source.budget.limit:
        raise Spent
    return Document(title, cleaned(source, f"{made}\n"), source.kind)


def read(source: Source) -> Message:
    """The message. Raises ExtractFailed for one of very many parts, which take long to part."""
    from email import message_from_bytes

    if source.body.lower().count(b"boundary=") > _MAX_PARTS:
        raise source.failed(f"holds more than {_MAX_PARTS} messages in each other")
    return message_from_bytes(source.body)


def html_of(message: Message) -> tuple[HtmlDocument, str] | None:
    """The first HTML that is not attached, and where it came from; None where there is none."""
    for part in message.walk():
        if part.get_content_type() == "text/html" and not _file_name(part):
            return parse_html(_payload(part), str(part["Content-Type"])), str(part["Content-Location"] or "")
    return None


def _payload(part: Message) -> bytes:
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _file_name(part: Message) -> str:
    """The name of what is attached; "" for what is shown, and for the pictures of a page."""
    if part.is_multipart() or part.get_content_disposition() != "attachment":
        return ""
    return collapse(_decoded(part.get_filename() or "a file without a name"))[:_MAX_HEADER]


def _header(message: Message, name: str) -> str:
    return collapse(_decoded(str(message[name] or "")))[:_MAX_HEADER]


def _decoded(value: str) -> str:
    """A header's text, encoded words (RFC 2047) made characters; as it is where they are damaged."""
    from email.errors import HeaderParseError
    from email.header import decode_header, make_header

    try:
        return str(make_header(decode_header(value[: 4 * _MAX_HEADER])))
    except (HeaderParseError, LookupError, ValueError):
        return value
