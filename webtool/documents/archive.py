"""Decompress within bounds: the members of a zip file, a gzip file. In: a Source. Out: an Archive; a Document.

The size in a member's header is not trusted: each member is inflated up to a limit, and all members together up to
MAX_TOTAL. Only the beginning of a larger member is read, with a note. The members of Office Open XML files are called
parts. They refer to each other by relationships: an id, a kind and a target (Links).
convert() is for gzip: it converts the document inside. Sitemaps are often served this way.
Specification: APPNOTE 6.3 as far as the standard library's zipfile goes; ECMA-376 part 2 for relationships; RFC 1952.
Tests: tests/documents/test_office.py, tests/documents/test_bounds.py, tests/documents/test_feeds.py
"""

from __future__ import annotations

import io
import posixpath
import struct
import zipfile

from webtool.documents import Document, Source, convert_source, kind_of, unsupported
from webtool.documents.xmltree import MAX_WEIGHT, TOO_MUCH, XmlError, child_text, children, parse
from webtool.errors import ExtractFailed
from webtool.lean.optional import zlib
from webtool.lean.records import NamedTuple
from webtool.lean.typing import XmlElement as Element
from webtool.running.budget import Spent
from webtool.urls.hosts import percent_decode

MAX_MEMBERS = 20_000  # of an archive; one with more is refused
MAX_READS = 20_000  # of members, 0.5 ms each; later reads raise Spent: a document may name one member a million times
MAX_TOTAL = 192 * 1024 * 1024  # inflated bytes of all reads; later reads raise Spent
MAX_SMALL = 1024 * 1024  # bytes of a member that optional() reads; the rest is not read
# A tree may have this weight (see xmltree.MAX_WEIGHT) even after large ones, so that a small part is always read.
_MIN_WEIGHT = 20_000
_MEMBER_SIGNATURE = b"PK\x01\x02"  # starts the entry of each member in the directory (APPNOTE 4.3.12)

_SLICE = 4096  # bytes of a gzip file given to zlib at a time, as it copies those after a member's end
_MAX_GZIP_MEMBERS = 100_000  # of a file; the rest is not read

# RuntimeError: an encrypted member. NotImplementedError: an unknown compression.
_ZIP_ERRORS = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError,
    OverflowError,
)  # fmt: skip


class Relationship(NamedTuple):
    """One relationship of an OOXML part: `target` is the name of a member, or a URL if it is external."""

    kind: str
    target: str
    is_external: bool


class Links(dict[str, Relationship]):
    """The relationships of one part by id. An id may be None or unknown."""

    def url(self, identity: str | None) -> str:
        """Return the URL of an external relationship; "" without one."""
        link = self.get(identity) if identity else None
        return link.target if link and link.is_external else ""

    def part(self, identity: str | None) -> str | None:
        """Return the name of the member that a relationship leads to; None without one."""
        link = self.get(identity) if identity else None
        return link.target if link and not link.is_external else None

    def of_kind(self, kind: str) -> list[str]:
        """Return the names of the members with a relationship of one kind, e.g. "styles", each once."""
        names = (link.target for link in self.values() if link.kind == kind and not link.is_external)
        return list(dict.fromkeys(names))

    def first(self, kind: str) -> str | None:
        """Return the name of the first member with a relationship of one kind; None without one."""
        return next(iter(self.of_kind(kind)), None)


class Archive:
    """The members of a zip file. Every failure is an ExtractFailed that says what is wrong."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._bytes_left = MAX_TOTAL
        self._reads = 0
        self._weight_left = MAX_WEIGHT  # for trees that are kept
        count = source.body.count(_MEMBER_SIGNATURE)  # before ZipFile takes a kilobyte for each member
        if count > MAX_MEMBERS:
            raise source.failed(f"holds {count:,} files, more than {MAX_MEMBERS:,}")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(source.body))
            self._names = frozenset(self._zip.namelist())
        except _ZIP_ERRORS as exc:
            raise source.failed(f"is damaged: {exc}") from exc

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def read(self, name: str, max_bytes: int = 0) -> tuple[bytes, bool]:
        """Return a member's beginning, and whether that is all of it. Raises ExtractFailed, Spent."""
        limit = min(max_bytes or self._source.budget.limit, self._bytes_left)
        self._reads += 1
        if self._reads > MAX_READS or limit <= 0:
            self._source.add_note(TOO_MUCH)
            raise Spent
        try:
            with self._zip.open(name) as member:
                data = member.read(limit + 1)
        except KeyError:
            raise self._source.failed(f"has no {name[:100]} in it") from None
        except _ZIP_ERRORS as exc:
            raise self._source.failed(f"is damaged at {name[:100]}: {exc}") from exc
        is_whole = len(data) <= limit
        if not is_whole:
            self._source.add_note(TOO_MUCH)
        self._bytes_left -= len(data)
        return data[:limit], is_whole

    def xml(self, name: str, is_kept: bool = True) -> Element:
        """Return a member's root element, see xmltree.parse(); the end of a large one is cut. Raises ExtractFailed.

        Trees that the caller keeps share MAX_WEIGHT. Say is_kept=False for a tree that is dropped before the next one.
        Of the alternative forms of a shape only the first one stays (mc:Choice, ECMA-376 part 3 clause 7.5).
        """
        data, is_whole = self.read(name)
        max_weight = max(_MIN_WEIGHT, self._weight_left if is_kept else MAX_WEIGHT // 2)
        try:
            root, rest = parse(data, not is_whole, max_weight)
        except XmlError as exc:
            raise self.damaged(name, exc) from exc
        if rest < 0:  # the tree was cut
            self._source.add_note(TOO_MUCH)
        if is_kept:
            self._weight_left = max(0, self._weight_left - (max_weight - rest))
        for node in list(root.iter("mc:AlternateContent")):
            node[:] = children(node, "mc:Choice")[:1]
        return root

    def damaged(self, name: str, exc: XmlError) -> ExtractFailed:
        """Return the error for a member that is not well-formed."""
        return self._source.failed(f"is damaged at {name[:100]}: {exc}")

    def optional_xml(self, name: str | None, is_kept: bool = True) -> Element | None:
        """Return a member's root element; None if no such member exists. Raises ExtractFailed."""
        return self.xml(name, is_kept) if name and name in self._names else None

    def optional(self, name: str) -> bytes:
        """Return the bytes of a small member; b"" if it is missing. Raises ExtractFailed."""
        return self.read(name, MAX_SMALL)[0] if name in self._names else b""

    def side_xml(self, name: str | None, is_kept: bool = True) -> Element | None:
        """Return the root element of styles, titles or comments; None, with a note, if it is damaged."""
        try:
            return self.optional_xml(name, is_kept)
        except ExtractFailed:
            self._source.add_note(f"{(name or '')[:100]} is damaged and was not read.")
            return None

    def relationships(self, part: str) -> Links:
        """Return the relationships of an OOXML part; "" is the whole package (ECMA-376 part 2, clause 6.5)."""
        folder, name = posixpath.split(part)
        root = self.side_xml(posixpath.join(folder, "_rels", f"{name}.rels"), is_kept=False)
        links = Links()
        if root is None:
            return links
        for item in root:
            target = item.get("Target", "")
            is_external = item.get("TargetMode") == "External"
            kind = item.get("Type", "").rpartition("/")[2]
            if not is_external:
                target = posixpath.normpath(posixpath.join("/", folder, target.partition("#")[0])).lstrip("/")
                if target not in self._names:  # a target is a URI, and some programs name the member itself plainly
                    target = percent_decode(target)
            links[item.get("Id", "")] = Relationship(kind, target, is_external)
        return links

    def main_part(self, usual: str) -> str:
        """Return the name of an OOXML package's main part: by relationship, else the usual one."""
        return self.relationships("").first("officeDocument") or usual

    def core_title(self) -> str:
        """Return the title in an OOXML package's core properties, or ""."""
        name = self.relationships("").first("core-properties") or "docProps/core.xml"
        root = self.side_xml(name, is_kept=False)
        return " ".join(child_text(root, "dc:title").split())


def convert(source: Source) -> Document:
    """Convert the document in a gzip file. Raises UnsupportedContent for other data, ExtractFailed if it is damaged."""
    limit = source.budget.limit // 2  # bytes; a decoded text takes up to four bytes of memory for each
    try:
        body, _ = inflated(source.body, limit + 1)
    except ValueError as exc:
        raise source.failed(f"is damaged: {exc}") from exc
    if len(body) > limit:
        raise Spent
    kind = kind_of(body, None, source.url.removesuffix(".gz"))
    if kind in ("html", "gzip", "binary"):
        raise unsupported(source.body, source.content_type, source.url)
    return convert_source(source._replace(body=body, kind=kind, content_type=None))


def inflated(data: bytes, limit: int) -> tuple[bytes, bool]:
    """Return at most `limit` bytes of the members of a gzip file, and whether the last one was read to its end.

    Raises ValueError if the data is damaged. What follows the last member is ignored.
    """
    pieces: list[bytes] = []
    position = 0
    for _ in range(_MAX_GZIP_MEMBERS):
        inflater = zlib.decompressobj(wbits=31)
        try:
            while limit and position < len(data) and not inflater.eof:
                piece = data[position : position + _SLICE]
                position += len(piece)
                pieces.append(inflater.decompress(piece, limit))
                limit -= len(pieces[-1])
        except zlib.error as exc:
            raise ValueError(str(exc)) from exc
        position -= len(inflater.unused_data)
        if not limit or not data.startswith(b"\x1f\x8b\x08", position):
            break
    return b"".join(pieces), inflater.eof
