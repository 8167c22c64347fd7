"""A PDF file's objects. In: its bytes. Out: objects by number, decrypted and with their filters undone.

Cross-reference tables, streams, hybrids and incremental updates are followed; where they lie, the file is scanned
for its objects. Every buffer has a limit and so has the sum of all of them. Specification: ISO 32000-1 section 7.5.
"""

from __future__ import annotations

from webtool.documents.pdf.objects import Keyword, PdfError, Ref, Stream, crypt, filters, read_object, xref
from webtool.lean.typing import Any

MAX_STREAM = 32 * 1024 * 1024  # bytes of one decoded stream
MAX_DECODED = 256 * 1024 * 1024  # bytes of all decoded streams of one file
MAX_HELD = 48 * 1024 * 1024  # bytes of object streams, which are kept for the objects in them
MAX_PARSED = 32 * 1024 * 1024  # bytes that are read as objects, which take some twenty times as much
MAX_MEMBERS = 500_000  # of all object streams
MAX_TABLE = 1_500_000  # entries of all tables that fonts come with: maps of characters, widths
MAX_STRING = 16_384  # bytes of one text string
MAX_CHAIN = 32  # references to references, filters on one stream
_HEAD = 400  # bytes of an object in which its type is looked for
_SCANS = 20  # how often over the file may be searched for ends of streams


class PdfFile:
    """Objects of one file, read when asked for and kept. `root` is the catalog; `info` the information dictionary."""

    def __init__(self, data: bytes, decrypts: bool = True) -> None:
        """Raises PdfError where there is no catalog, NeedsPassword or UnknownCipher where it cannot be decrypted.

        Where `decrypts` is false, strings and streams of an encrypted file stay as they are.
        """
        self._decrypts = decrypts
        start = data.find(b"%PDF-", 0, 1024)
        self.data = data[start:] if start > 0 else data
        self._objects: dict[int, Any] = {}
        self._members: dict[int, tuple[bytes, list[tuple[int, int]]]] = {}
        self._held = self._parsed = self._listed = 0
        self._table = MAX_TABLE
        self.cmaps: dict[int, tuple[Any, Stream]] = {}
        self._pending: set[int] = set()
        self._decoded = 0
        self._scanned = 0
        self._repaired = False
        self._decrypt: tuple[crypt.Decrypt | None, crypt.Decrypt | None] = (None, None)
        self._encrypt_number = -1
        self.was_scanned = False
        table = xref.Table(self.data, self.object_at, self.decode)
        self.entries, self.trailer = table.entries, table.trailer
        if table.read():
            self.trailer = table.trailer
        else:
            self._scan()
        self._start_decryption()
        if self._catalog() is None:
            self.repair()
            self._start_decryption()
        root = self._catalog()
        if not isinstance(root, dict):
            raise PdfError("has no catalog, so its pages cannot be found")
        self.root: dict[str, Any] = root

    @property
    def info(self) -> dict[str, Any]:
        """The document information dictionary; empty where there is none."""
        return self.dict_of(self.trailer.get("Info"))

    def get(self, number: int) -> Any:
        """The object with this number; None where there is none."""
        if number in self._objects:
            return self._objects[number]
        if number in self._pending:
            return None  # an object that needs itself to be read
        self._pending.add(number)
        try:
            value = self._load(number)
        finally:
            self._pending.discard(number)
        self._objects[number] = value
        return value

    def resolve(self, value: Any) -> Any:
        """What a reference stands for; any other value as it is."""
        for _ in range(MAX_CHAIN):
            if type(value) is not Ref:
                return value
            value = self.get(value.number)
        return None

    def dict_of(self, value: Any) -> dict[str, Any]:
        """The dictionary behind a value, or of the stream behind it; empty where it is something else."""
        value = self.resolve(value)
        if type(value) is Stream:
            return value.attrs
        return value if type(value) is dict else {}

    def list_of(self, value: Any) -> list[Any]:
        """The array behind a value; empty where it is something else."""
        value = self.resolve(value)
        return value if type(value) is list else []

    def numbers_of(self, value: Any) -> list[float]:
        """The array of numbers behind a value; empty where one of them is something else."""
        items = [self.resolve(item) for item in self.list_of(value)]
        return items if all(type(item) in (int, float) for item in items) else []

    def text_of(self, value: Any) -> str:
        """The text string behind a value (section 7.9.2.2); "" where it is something else."""
        from webtool.documents.pdf.fonts.encodings import text_string

        value = self.resolve(value)
        return text_string(value[:MAX_STRING]) if isinstance(value, bytes) and type(value) is not Keyword else ""

    def take_entries(self, count: int) -> int:
        """How many entries more a table of a font may have, of those that it asks for."""
        given = min(count, self._table)
        self._table -= given
        return given

    def decode(self, stream: Stream) -> bytes:
        """A stream's bytes with all filters undone. Raises PdfError for a filter of images and past the limits."""
        names = self.resolve(stream.attrs.get("Filter", stream.attrs.get("F")))
        parameters = self.resolve(stream.attrs.get("DecodeParms", stream.attrs.get("DP")))
        names = names if type(names) is list else [] if names is None else [names]
        parameters = parameters if type(parameters) is list else [parameters]
        if len(names) > MAX_CHAIN:
            raise PdfError(f"has a stream with {len(names)} filters")
        data = stream.raw
        for index, name in enumerate(names):
            given = self.dict_of(parameters[index]) if index < len(parameters) else {}
            options = {key: self.resolve(item) for key, item in given.items()}
            if self._decoded >= MAX_DECODED:
                raise PdfError(f"decodes to more than {MAX_DECODED:,} bytes")
            limit = min(MAX_DECODED - self._decoded, MAX_STREAM)
            data = filters.decode(str(self.resolve(name)), options, data, limit)
            self._decoded += len(data)
        return data

    def repair(self) -> None:
        """Find the objects by scanning the whole file, once."""
        if self._repaired:
            return
        self._repaired = True
        self._objects.clear()
        self._members.clear()
        self._scan()

    def _scan(self) -> None:
        """Entries and trailer from the objects themselves, those in object streams too."""
        self.entries, self.trailer = xref.scan(self.data)
        self.was_scanned = True
        for number, (_, at) in list(self.entries.items()):
            value = self.object_at(at, number) if b"/XRef" in self.data[at : at + _HEAD] else None
            if type(value) is Stream:
                kept = ("Root", "Info", "Encrypt", "ID")
                self.trailer.update((key, value.attrs[key]) for key in kept if key in value.attrs)
        if "Encrypt" not in self.trailer or any(self._decrypt):  # else its key is not known yet
            self._add_members()
        if not self.dict_of(self.trailer.get("Root")):
            for number in self.entries:
                if self.readable(number).get("Type") == "Catalog":
                    self.trailer["Root"] = Ref(number, 0)

    def _add_members(self) -> None:
        """Add what the object streams of a scanned file hold; those of an encrypted file need its key first."""
        for number, (_, at) in list(self.entries.items()):
            if b"/ObjStm" in self.data[at : at + _HEAD]:
                try:
                    members = self._holder(number)[1]
                except PdfError:
                    continue
                for index, (member, _) in enumerate(members):
                    self.entries.setdefault(member, (number, index))

    def readable(self, number: int) -> dict[str, Any]:
        """The dictionary with this number; empty where it is something else, or cannot be read."""
        try:
            value = self.get(number)
        except PdfError:
            return {}
        return value if type(value) is dict else {}

    def object_at(self, at: int, wanted: int = -1) -> Any:
        """The object whose `N G obj` stands at a position; None where none does, or not the wanted one."""
        match = xref.OBJECT.match(self.data, at)
        number = int(match.group(1)) if match else -1
        if not match or wanted not in (-1, number):
            return None
        value, after = self._parse(self.data, match.end())
        if type(value) is dict:
            word, after = read_object(self.data, after)
            if type(word) is Keyword and word == b"stream":
                start, end = self._stream_range(value, after)
                return self._stream(value, start, end, number, int(match.group(2)))
        elif type(value) is Keyword:
            value = None
        return self._decrypted(value, number, int(match.group(2)))

    def _parse(self, data: bytes, at: int) -> tuple[Any, int]:
        """read_object() within what may be read; null behind that."""
        if self._parsed > MAX_PARSED:
            return None, len(data)
        value, after = read_object(data, at)
        self._parsed += after - at  # objects inside of each other count each time
        return value, after

    def _catalog(self) -> Any:
        root = self.resolve(self.trailer.get("Root"))
        return root if type(root) is dict and ("Pages" in root or root.get("Type") == "Catalog") else None

    def _load(self, number: int) -> Any:
        holder, where = self.entries.get(number, (xref.FREE, 0))
        if holder == xref.FREE:
            return None
        if holder >= 0:
            return self._member(holder, where, number)
        value = self.object_at(where, number)
        if value is None and not self._repaired and not xref.OBJECT.match(self.data, where):
            self.repair()
            return self._load(number)
        return value

    def _member(self, holder: int, index: int, number: int) -> Any:
        """An object inside an object stream (section 7.5.7)."""
        data, members = self._holder(holder)
        if not (0 <= index < len(members) and members[index][0] == number):
            index = next((at for at, (candidate, _) in enumerate(members) if candidate == number), -1)
        if index < 0:
            return None
        value = self._parse(data, members[index][1])[0]
        return None if type(value) is Keyword else value

    def _holder(self, holder: int) -> tuple[bytes, list[tuple[int, int]]]:
        """The data of an object stream, and number and position of each object in it."""
        if holder not in self._members:
            stream = self.get(holder)
            self._members[holder] = b"", []
            if type(stream) is Stream and self._held < MAX_HELD:
                self._members[holder] = self._read_members(stream)
        return self._members[holder]

    def _read_members(self, stream: Stream) -> tuple[bytes, list[tuple[int, int]]]:
        first = self.resolve(stream.attrs.get("First"))
        count = self.resolve(stream.attrs.get("N"))
        if type(first) is not int or type(count) is not int:
            return b"", []
        data = self.decode(stream)
        self._held += len(data)
        count = min(count, MAX_MEMBERS - self._listed)
        members: list[tuple[int, int]] = []
        at = 0
        while len(members) < count and at < first:
            number, at = read_object(data, at)
            offset, at = read_object(data, at)
            if type(number) is not int or type(offset) is not int:
                break
            members.append((number, first + offset))
        self._listed += len(members)
        return data, members

    def _stream_range(self, attrs: dict[str, Any], at: int) -> tuple[int, int]:
        """Where the bytes after `stream` are, by Length where `endstream` follows, else by looking for that word."""
        data = self.data
        if data.startswith(b"\r\n", at):
            at += 2
        elif data.startswith((b"\n", b"\r"), at):
            at += 1
        length = self.resolve(attrs.get("Length"))
        if (
            type(length) is int
            and 0 <= length <= len(data) - at
            and b"endstream" in data[at + length : at + length + 16]
        ):
            return at, at + length
        end = data.find(b"endstream", at)
        end = len(data) if end < 0 else end
        self._scanned += end - at
        if self._scanned > _SCANS * len(data):
            raise PdfError("has streams whose lengths are all wrong")
        line_end = 2 if data.endswith(b"\r\n", at, end) else 1 if data.endswith((b"\n", b"\r"), at, end) else 0
        return at, end - line_end

    def _start_decryption(self) -> None:
        reference = self.trailer.get("Encrypt")
        if reference is None or not self._decrypts:
            return
        if type(reference) is Ref:
            self._encrypt_number = reference.number
        identifiers = self.list_of(self.trailer.get("ID"))
        file_id = self.resolve(identifiers[0]) if identifiers else b""
        encrypt = {key: self.resolve(value) for key, value in self.dict_of(reference).items()}
        encrypt["CF"] = {name: self.dict_of(chosen) for name, chosen in self.dict_of(encrypt.get("CF")).items()}
        self._decrypt = crypt.open_with_empty_password(encrypt, file_id if isinstance(file_id, bytes) else b"")
        self._objects.clear()  # read before the key was known
        self._members.clear()
        if self.was_scanned:
            self._add_members()

    def _decrypted(self, value: Any, number: int, generation: int) -> Any:
        decrypt = self._decrypt[0] if number != self._encrypt_number else None
        return crypt.with_strings(value, decrypt, number, generation)

    def _stream(self, attrs: dict[str, Any], start: int, end: int, number: int, generation: int) -> Stream:
        """A stream whose bytes are cut out of the file, and decrypted, when they are asked for."""
        data, decrypt = self.data, self._decrypt[1]
        names = attrs.get("Filter")  # section 7.4.10: the filter Crypt says that a stream is not encrypted
        is_plain = attrs.get("Type") in ("XRef", "Metadata") or "Crypt" in (names if type(names) is list else [names])
        if decrypt is None or is_plain or number == self._encrypt_number:
            return Stream(attrs if is_plain else self._decrypted(attrs, number, generation), lambda: data[start:end])
        return Stream(self._decrypted(attrs, number, generation), lambda: decrypt(number, generation, data[start:end]))
