"""Turn documents that are not HTML into markdown. In: a body, its kind and its origin. Out: a Document.

kind_of() finds the kind; convert() loads the module that formats.py names for it. A converter is a module with
`convert(source: Source) -> Document`, which raises UnsupportedContent or ExtractFailed and nothing else. This package
imports the table and the sniffing only: a converter is imported with the first document of its kind. Whole HTML pages
are left to webtool.html and webtool.markdown.
Tests: tests/documents/test_sniff.py
"""

from __future__ import annotations

import time

from webtool.documents import formats
from webtool.documents.formats import is_text
from webtool.documents.sniff import kind_of, media_type_of
from webtool.errors import ExtractFailed, FetchTooLarge, UnsupportedContent, counted
from webtool.lean import media_types, patterns
from webtool.lean.characters import without_surrogates
from webtool.lean.imports import load
from webtool.lean.records import NamedTuple
from webtool.running.budget import DEFAULT_LIMIT, MAX_GROWTH, Budget, Spent

__all__ = ["NODE_COST", "Document", "Source", "convert", "is_text", "kind_of", "media_type_of", "unsupported"]

NODE_COST = 100  # characters that one element of a tree costs in a budget: about as many bytes as it takes in memory
_MAX_ZIP_END = 22 + 65535  # bytes after a zip file's directory: the record of its end, with the longest comment
_SECONDS_TO_WRITE = 3.0  # before the deadline: reading stops then, so that what was read can still be written


class Document(NamedTuple):
    """A converted document. `note` says what was left out; `hidden_words` counts words that readers do not see."""

    title: str
    markdown: str
    kind: str
    note: str = ""
    hidden_words: int = 0


class Source(NamedTuple):
    """The input of a converter. `deadline` is a time of the monotonic clock, or None.

    A converter takes from `budget` the characters that it writes, and NODE_COST for each element that it holds. If the
    budget is spent, the converter returns the text so far; without any text it lets Spent through.
    """

    body: bytes
    kind: str
    budget: Budget
    notes: list[str]  # sentences for the reader, see add_note()
    hidden: dict[str, int]  # numbers of words that were left out, by the reason why nobody sees them
    content_type: str | None = None
    url: str = ""
    deadline: float | None = None

    def is_late(self) -> bool:
        """Return whether reading must stop now to leave time for writing."""
        return self.deadline is not None and time.monotonic() > self.deadline - _SECONDS_TO_WRITE

    def add_note(self, note: str) -> None:
        """Add a sentence to the document's note, once."""
        if note not in self.notes:
            self.notes.append(note)

    def leave_out(self, count: int, noun: str, which: str = "") -> None:
        """Add a note how much was left out, unless `count` is 0: (2, "cell", " in hidden rows").

        -> "Left out: 2 cells in hidden rows."
        """
        if count:
            self.add_note(f"Left out: {counted(count, noun)}{which}.")

    def hide(self, words: int, reason: str) -> None:
        """Count words that are left out since no reader of the document sees them; `reason` follows their number."""
        if words:
            self.hidden[reason] = self.hidden.get(reason, 0) + words

    def failed(self, what: str, hint: str | None = None) -> ExtractFailed:
        """Return the error for a damaged or refused document: "has no body" -> "The docx document has no body"."""
        return ExtractFailed(f"The {self.kind} document {what}", hint=hint or "Try another copy.", url=self.url or None)


def convert(
    body: bytes,
    kind: str,
    content_type: str | None = None,
    url: str = "",
    *,
    deadline: float | None = None,
    max_bytes: int = DEFAULT_LIMIT // MAX_GROWTH,
) -> Document:
    """Convert a document to markdown. `kind` comes from kind_of(); `max_bytes` is the limit of the fetch.

    A text is cut after MAX_GROWTH characters for each byte. Raises FetchTooLarge if nothing can be shown before that,
    UnsupportedContent, with type and size, for a kind without text, and ExtractFailed for a damaged document.
    """
    budget = Budget(MAX_GROWTH * max(max_bytes, len(body)))
    notes: list[str] = []
    hidden: dict[str, int] = {}
    try:
        document = convert_source(Source(body, kind, budget, notes, hidden, content_type, url, deadline))
    except Spent:
        message = f"The {kind} document of {len(body):,} bytes would make more than {budget.limit:,} characters of text"
        raise FetchTooLarge(message, hint="Open it with its own program, or a part of it.", url=url or None) from None
    hidden_words, hidden_note = sum(hidden.values()), ""
    if hidden:
        reasons = ", ".join(f"{words:,} {reason}" for reason, words in hidden.items())
        hidden_note = f"Left out: {counted(hidden_words, 'hidden word')} ({reasons})."
    note = " ".join(filter(None, (document.note, *notes, hidden_note, budget.note())))
    title, markdown = without_surrogates(document.title), without_surrogates(document.markdown)
    return Document(title, markdown, document.kind, note, hidden_words)


def convert_source(source: Source) -> Document:
    """Convert a Source with the module of its kind. Raises Spent and the errors of convert()."""
    row = formats.of_kind(source.kind)
    if row is None or not row.module:
        raise unsupported(source.body, source.content_type, source.url)
    document: Document = load(f"{__name__}.{row.module}").convert(source)
    return document


# Bytes that no text has (MIME Sniffing section 4.1).
_CONTROL = patterns.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")


def unsupported(body: bytes, content_type: str | None = None, url: str = "") -> UnsupportedContent:
    """Return the error for a body that cannot become text. Its message explains why, as far as the bytes show it."""
    actual = media_type_of(body, content_type)
    declared = media_types.extract(content_type)[0]
    control = _CONTROL.search(body) if actual.startswith("text/") else None
    if control:
        message = (
            f"Not text, though served as {declared or actual}: byte {control.start() + 1:,} of {len(body):,} is the"
            f" control character 0x{control[0][0]:02X}"
        )
        hint = "It is binary data, or damaged; webtool fetch URL --save FILE keeps it as it is."
    elif actual == "application/zip" and b"PK\x05\x06" not in body[-_MAX_ZIP_END:]:
        message = f"A zip file, perhaps a document, that is cut off: its {len(body):,} bytes end without its directory"
        hint = "Get the whole file; webtool fetch URL --save FILE keeps this one as it is."
    else:
        name = formats.TYPE_NAMES.get(actual, "")
        if actual == "application/x-ole-storage" and "EncryptedPackage".encode("utf-16-le") in body:
            name = "a document that is encrypted with a password"
        served = f", served as {declared}" if declared and declared != actual else ""
        message = f"Cannot turn {actual}{f' ({name})' if name else ''} into text: {len(body):,} bytes{served}"
        hint = f"Webtool reads {formats.readable()}. The command webtool fetch URL --save FILE keeps this one as it is."
    return UnsupportedContent(message, hint=hint, url=url or None, content_type=actual, size=len(body))
