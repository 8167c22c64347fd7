"""The files inside a zip file, within bounds. In: a Source. Out: an Archive that reads its members by name.

What a member's header says of its size is not believed: members are inflated up to a limit, and all of them together up
to another; what is larger is read from its beginning.
Specification: APPNOTE 6.3 as far as the standard library's zipfile goes; ECMA-376 part 2 for relationships.
"""

from __future__ import annotations

import io
import posixpath
import struct
import zipfile

from webtool.documents import Source
from webtool.documents.xmltree import MAX_WEIGHT, TOO_MUCH, XmlError, child_text, parse
from webtool.errors import ExtractFailed
from webtool.lean.optional import zlib
from webtool.lean.records import NamedTuple
from webtool.lean.typing import XmlElement as Element
from webtool.running.budget import Spent

MAX_MEMBERS = 20_000
MAX_READS = 20_000  # of members, about 0.5 ms each; a document may name one small member a million times
_LEAST_WEIGHT = 20_000  # of a tree: a small part can always be read
MAX_TOTAL = 192 * 1024 * 1024  # inflated bytes of all members that are read, one after the other

# RuntimeError stands for encrypted members, NotImplementedError for a compression that zipfile does not have.
_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, struct.error),
    *(EOFError, OSError, RuntimeError, NotImplementedError, ValueError, OverflowError),
)


class Relationship(NamedTuple):
    """One relationship of an OOXML part: `target` is a member's name, or a URL where it is external."""

    kind: str
    target: str
    is_external: bool


class Links(dict[str, Relationship]):
    """The relationships of one part, by id."""

    def url(self, identity: str | None) -> str:
        """What a relationship leads to outside of the package; "" for none."""
        link = self.get(identity or "")
        return link.target if link and link.is_external else ""

    def part(self, identity: str | None) -> str | None:
        """The member that a relationship leads to; None for none."""
        link = self.get(identity or "")
        return link.target if link and not link.is_external else None

    def of_kind(self, kind: str) -> list[str]:
        """The members that the part is related to in one way, e.g. "styles", each once."""
        found = (link.target for link in self.values() if link.kind == kind and not link.is_external)
        return list(dict.fromkeys(found))

    def first(self, kind: str) -> str | None:
        """The first member that the part is related to in one way."""
        return next(iter(self.of_kind(kind)), None)


class Archive:
    """A zip file's members. Every failure is an ExtractFailed that says what is wrong."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._left = MAX_TOTAL
        self._reads = 0
        self._weight = MAX_WEIGHT
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(source.body))
            names = self._zip.namelist()
        except _BROKEN as exc:
            raise source.failed(f"is damaged: {exc}") from exc
        if len(names) > MAX_MEMBERS:
            raise source.failed(f"holds {len(names):,} files, more than {MAX_MEMBERS:,}")
        self._names = frozenset(names)

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def read(self, name: str, most: int = 0) -> tuple[bytes, bool]:
        """A member's bytes, as many as can be held, and whether that is all of it.

        Raises ExtractFailed where it is missing, damaged or encrypted, Spent where too much was read before.
        """
        limit = min(most or self._source.budget.limit, self._left)
        self._reads += 1
        if self._reads > MAX_READS or limit <= 0:
            self._source.add_note(TOO_MUCH)
            raise Spent
        try:
            with self._zip.open(name) as member:
                data = member.read(limit + 1)
        except KeyError:
            raise self._source.failed(f"has no {name[:100]} in it") from None
        except _BROKEN as exc:
            raise self._source.failed(f"is damaged at {name[:100]}: {exc}") from exc
        is_whole = len(data) <= limit
        if not is_whole:
            self._source.add_note(TOO_MUCH)
        self._left -= len(data)
        return data[:limit], is_whole

    def xml(self, name: str, is_kept: bool = True) -> Element:
        """A member's root element, with the names of webtool.documents.xmltree. Raises ExtractFailed.

        What there is no room for is cut. Trees that are kept take their room from one another; others are dropped
        before the next is read.
        """
        data, is_whole = self.read(name)
        try:
            root, left = parse(data, not is_whole, max(_LEAST_WEIGHT, self._weight if is_kept else MAX_WEIGHT // 2))
        except XmlError as exc:
            raise self.damaged(name, exc) from exc
        if left < 0:
            self._source.add_note(TOO_MUCH)
        if is_kept:
            self._weight = max(0, left)
        return root

    def damaged(self, name: str, exc: XmlError) -> ExtractFailed:
        """The error for a member that is not well-formed."""
        return self._source.failed(f"is damaged at {name[:100]}: {exc}")

    def optional_xml(self, name: str | None, is_kept: bool = True) -> Element | None:
        """A member's root element, or None where there is no such member."""
        return self.xml(name, is_kept) if name and name in self._names else None

    def relationships(self, part: str) -> Links:
        """The relationships of an OOXML part by id; those of the package for "" (ECMA-376 part 2, clause 6.5)."""
        folder, name = posixpath.split(part)
        root = self.optional_xml(posixpath.join(folder, "_rels", f"{name}.rels"), is_kept=False)
        found = Links()
        for item in root if root is not None else ():
            target = item.get("Target", "")
            is_external = item.get("TargetMode") == "External"
            kind = item.get("Type", "").rpartition("/")[2]
            if not is_external:
                target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            found[item.get("Id", "")] = Relationship(kind, target, is_external)
        return found

    def main_part(self, usual: str) -> str:
        """The main part of an OOXML package, by relationship, else by its usual name."""
        return self.relationships("").first("officeDocument") or usual

    def core_title(self) -> str:
        """The title in an OOXML package's core properties; "" where there is none."""
        name = self.relationships("").first("core-properties") or "docProps/core.xml"
        root = self.optional_xml(name, is_kept=False)
        title = child_text(root, "dc:title") if root is not None else None
        return " ".join((title or "").split())
