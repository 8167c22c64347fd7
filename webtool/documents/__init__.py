"""Documents that are not HTML, as markdown. In: a body, its kind and where it came from. Out: a Document.

Only the sniffing is imported with this package; each converter comes with the first document of its kind. Converters
are modules with `convert(source: Source) -> Document`; they raise UnsupportedContent or ExtractFailed and nothing else.
"""

from __future__ import annotations

import time

from webtool.documents.sniff import kind_of, media_type_of
from webtool.errors import ExtractFailed, FetchTooLarge, UnsupportedContent
from webtool.lean import patterns
from webtool.lean.imports import load
from webtool.lean.records import NamedTuple
from webtool.running.budget import DEFAULT, TIMES, Budget, Spent

__all__ = ["CONVERTERS", "TEXT_KINDS", "Document", "Source", "convert", "counted", "kind_of", "media_type_of"]

READABLE = (
    "HTML, markdown, plain text, JSON, CSV, XML, feeds, notebooks, PDF, docx, xlsx, pptx, odt, ods, odp, epub, RTF and"
    " mails"
)

# kind -> module below webtool.documents
CONVERTERS = {
    "markdown": "text", "text": "text", "json": "text", "csv": "text", "xml": "text", "pdf": "pdf", "docx": "docx",
    "xlsx": "xlsx", "pptx": "pptx", "odt": "odf", "ods": "odf", "odp": "odf", "epub": "epub", "feed": "feeds",
    "sitemap": "sitemaps", "opml": "sitemaps", "notebook": "notebook", "gzip": "gzipped", "rtf": "rtf", "mail": "mail",
}  # fmt: skip


# Kinds whose body is text, so that the decoded body says something to a reader.
TEXT_KINDS = frozenset(("html", "markdown", "text", "json", "csv", "xml", "feed", "sitemap", "opml", "notebook"))


_WRITING = 3.0  # seconds before the deadline in which nothing more is read
NODE = 100  # what an element of a tree counts as, in characters: about as many bytes as it takes


def counted(count: int, noun: str) -> str:
    """How many there are of something, e.g. "1 word", "2,000 words"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


class Document(NamedTuple):
    """What a document says. `title` is "" where it names none; `note` says what was left out and why, else ""."""

    title: str
    markdown: str
    kind: str
    note: str = ""


class Source(NamedTuple):
    """What a converter is given. `deadline` is a reading of the monotonic clock, or None.

    What the converter writes, and what it holds to do so, is taken from `budget`, an element as NODE characters. When
    that is spent the converter returns what it has, or lets Spent through where it has nothing.
    """

    body: bytes
    kind: str
    budget: Budget
    notes: list[str]
    content_type: str | None = None
    url: str = ""
    deadline: float | None = None

    def is_late(self) -> bool:
        """Whether most of the time is over: what was read has to be written yet."""
        return self.deadline is not None and time.monotonic() > self.deadline - _WRITING

    def add_note(self, note: str) -> None:
        """Add a sentence to the document's note, once."""
        if note not in self.notes:
            self.notes.append(note)

    def leave_out(self, count: int, noun: str, which: str = "") -> None:
        """Say in the document's note how much of something is not in its text; nothing for 0."""
        if count:
            self.add_note(f"Left out: {counted(count, noun)}{which}.")

    def failed(self, what: str, hint: str | None = None) -> ExtractFailed:
        """The error for a document that is damaged or refused; `what` follows "The <kind> document"."""
        return ExtractFailed(f"The {self.kind} document {what}", hint=hint or "Try another copy.", url=self.url or None)


def convert(
    body: bytes,
    kind: str,
    content_type: str | None = None,
    url: str = "",
    *,
    deadline: float | None = None,
    max_bytes: int = DEFAULT // TIMES,
) -> Document:
    """The document as markdown; `kind` is what kind_of() said, `max_bytes` the most that would have been fetched.

    Raises UnsupportedContent, naming type and size, for what has no text, ExtractFailed for a damaged document, and
    FetchTooLarge for one that would make more text than can be held and has none before that.
    """
    budget = Budget(TIMES * max(max_bytes, len(body)))
    found: list[str] = []
    try:
        document = convert_source(Source(body, kind, budget, found, content_type, url, deadline))
    except Spent:
        message = f"The {kind} document of {len(body):,} bytes would make more than {budget.limit:,} characters of text"
        raise FetchTooLarge(message, hint="Open it with its own program, or a part of it.", url=url or None) from None
    notes = [note for note in (document.note, *found, budget.note()) if note]
    return document._replace(note=" ".join(notes))


def convert_source(source: Source) -> Document:
    """convert() for values that are together already."""
    name = CONVERTERS.get(source.kind)
    if name is None:
        raise unsupported(source.body, source.content_type, source.url)
    document: Document = load(f"{__name__}.{name}").convert(source)
    return document


# Bytes that no text has (MIME Sniffing section 4.1).
_CONTROL = patterns.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")


def unsupported(body: bytes, content_type: str | None = None, url: str = "") -> UnsupportedContent:
    """The error for a body that cannot become text."""
    from webtool.documents.signatures import TYPE_NAMES

    actual = media_type_of(body, content_type)
    declared = (content_type or "").partition(";")[0].strip().lower()
    served = f", served as {declared}" if declared and declared != actual else ""
    name = TYPE_NAMES.get(actual)
    if actual == "application/x-ole-storage" and "EncryptedPackage".encode("utf-16-le") in body:
        name = "a document that is encrypted with a password"
    control = _CONTROL.search(body) if actual.startswith("text/") else None
    if control:
        message = (
            f"Not text, though served as {declared or actual}: byte {control.start() + 1:,} of {len(body):,} is the"
            f" control character 0x{control[0][0]:02X}"
        )
        hint = "It is binary data, or damaged; webtool fetch URL --save FILE keeps it as it is."
    elif actual == "application/zip" and b"PK\x05\x06" not in body[-65557:]:
        message = f"A zip file, perhaps a document, that is cut off: its {len(body):,} bytes end without its directory"
        hint = "Get the whole file; webtool fetch URL --save FILE keeps this one as it is."
    else:
        message = f"Cannot turn {actual}{f' ({name})' if name else ''} into text: {len(body):,} bytes{served}"
        hint = f"Webtool reads {READABLE}. The command webtool fetch URL --save FILE keeps this one as it is."
    return UnsupportedContent(message, hint=hint, url=url or None, content_type=actual, size=len(body))
