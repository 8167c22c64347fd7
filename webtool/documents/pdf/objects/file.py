"""Read the objects of a PDF file. In: its bytes. Out: objects by number, decrypted; streams decoded on demand.

The cross-reference table says where objects are (xref.py). If it is wrong, the whole file is scanned for objects. An
object may be inside an object stream, its holder. Each buffer has a limit, and so has the sum of all buffers.
Specification: ISO 32000-1 section 7.5.
Tests: tests/documents/pdf/test_objects.py, tests/documents/pdf/test_convert.py
"""

from __future__ import annotations

from webtool.documents.pdf.objects import Keyword, PdfError, Ref, Stream, crypt, filters, read_object, xref
from webtool.lean.typing import Any

MAX_STREAM = 32 * 1024 * 1024  # bytes of one decoded stream
MAX_DECODED = 256 * 1024 * 1024  # bytes of all decoded streams of one file
MAX_HELD = 48 * 1024 * 1024  # bytes of decoded object streams, which stay in memory; further ones count as empty
MAX_PARSED = 32 * 1024 * 1024  # bytes parsed as objects, which take twenty times as much; further objects are null
MAX_MEMBERS = 500_000  # objects in all object streams; further ones are ignored
MAX_TABLE = 1_500_000  # entries of all character maps and widths of fonts; further tables are cut
MAX_STRING = 16_384  # bytes of one text string; the rest is cut
MAX_REFERENCES = 32  # references that lead to one another, as 1 to 2 to 3; the value after more of them is null
MAX_FILTERS = 32  # filters of one stream; more are an error
_MAX_HEAD = 400  # bytes of an object that are searched for its type
_TRAILER_KEYS = ("Root", "Info", "Encrypt", "ID")  # of a trailer; others lead to tables, which a scan replaces
_MAX_SCANS = 20  # searches for `endstream` may read this many times the file's size in all; more is an error


class PdfFile:
    """The objects of one file, which are read on demand, once. `root` is the catalog."""

    def __init__(self, data: bytes) -> None:
        """Find the catalog. Raises PdfError, NeedsPassword, UnknownCipher."""
        start = data.find(b"%PDF-", 0, 1024)
        self.data = data[start:] if start > 0 else data
        self._objects: dict[int, Any] = {}
        self._members: dict[int, tuple[bytes, list[tuple[int, int]]]] = {}  # by holder, see _holder()
        self._held = self._parsed = self._decoded = self._scanned = 0  # bytes, see the limits above
        self._listed = 0  # members of object streams
        self._entries_left = MAX_TABLE  # entries that fonts may still have
        self.cmaps: dict[int, tuple[Any, Stream]] = {}  # by id() of the stream, kept so that its id is not reused
        self._pending: set[int] = set()  # numbers of the objects that are being read
        self._decryption: crypt.Decryption | None = None  # None if the file is not encrypted, or not known yet
        self.was_scanned = False  # by repair(): `entries` and `trailer` come from the scan, not from the table
        self.entries: xref.Entries = {}
        self.trailer: dict[str, Any] = {}
        self._read_table()
        self._start_decryption()
        if self._catalog() is None:
            self.repair()
            self._start_decryption()
            self._find_catalog()
        root = self._catalog()
        if root is None:
            raise PdfError("has no catalog, so its pages cannot be found")
        self.root: dict[str, Any] = root

    def _read_table(self) -> None:
        """Take entries and trailer from the file's own tables; scan the file if one of them is damaged.

        A table may be a stream whose Length is an object. So the table's entries are used while they grow. If such an
        object is not at its place, repair() scans the file meanwhile; then what the scan found counts.
        """
        table = xref.Table(self.data, self.object_at, self.decode)
        self.entries = table.entries
        is_whole = table.read()
        if not is_whole:
            self.repair()
        elif not self.was_scanned:
            self.trailer = table.trailer

    def get(self, number: int) -> Any:
        """Return the object with this number; None if it is missing or cannot be read (section 7.3.10)."""
        if number in self._objects:
            return self._objects[number]
        if number in self._pending:
            return None  # it would have to be read before itself
        self._pending.add(number)
        try:
            value = self._load(number)
        except (PdfError, RecursionError):  # a Length may lead to a stream with a Length, and so on
            value = None  # so that a damaged bookmark does not cost the document
        finally:
            self._pending.discard(number)
        self._objects[number] = value
        return value

    def resolve(self, value: Any) -> Any:
        """Return the object of a reference; any other value unchanged."""
        for _ in range(MAX_REFERENCES):
            if type(value) is not Ref:
                return value
            value = self.get(value.number)
        return None

    def new_node(self, value: Any, seen: set[int]) -> Any:
        """Resolve a node of a tree, and add its number to `seen`; None for one that is there: the tree has a loop."""
        if type(value) is Ref:
            if value.number in seen:
                return None
            seen.add(value.number)
        return self.resolve(value)

    def dict_of(self, value: Any) -> dict[str, Any]:
        """Resolve a value to a dictionary, also that of a stream; {} for anything else."""
        value = self.resolve(value)
        if type(value) is Stream:
            return value.attrs
        return value if type(value) is dict else {}

    def list_of(self, value: Any) -> list[Any]:
        """Resolve a value to an array; [] for anything else."""
        value = self.resolve(value)
        return value if type(value) is list else []

    def numbers_of(self, value: Any) -> list[float]:
        """Resolve a value to an array of numbers; [] if one item is something else."""
        items = [self.resolve(item) for item in self.list_of(value)]
        return items if all(type(item) in (int, float) for item in items) else []

    def text_of(self, value: Any) -> str:
        """Resolve a value to a text string (section 7.9.2.2); "" for anything else."""
        from webtool.documents.pdf.fonts.encodings import text_string

        value = self.resolve(value)
        return text_string(value[:MAX_STRING]) if isinstance(value, bytes) and type(value) is not Keyword else ""

    def take_entries(self, count: int) -> int:
        """Reserve entries for a font's table; return how many it gets. A negative count gives entries back."""
        granted = min(count, self._entries_left)
        self._entries_left -= granted
        return granted

    def decode(self, stream: Stream) -> bytes:
        """Return a stream's decoded bytes. Raises PdfError for a filter of images or beyond the limits."""
        names = self.resolve(stream.attrs.get("Filter", stream.attrs.get("F")))
        parameters = self.resolve(stream.attrs.get("DecodeParms", stream.attrs.get("DP")))
        if type(names) is not list:
            names = [] if names is None else [names]
        parameters = parameters if type(parameters) is list else [parameters]
        if len(names) > MAX_FILTERS:
            raise PdfError(f"has a stream with {len(names)} filters")
        data = stream.raw
        for index, name in enumerate(names):
            attrs = self.dict_of(parameters[index]) if index < len(parameters) else {}
            options = {key: self.resolve(item) for key, item in attrs.items()}
            if self._decoded >= MAX_DECODED:
                raise PdfError(f"decodes to more than {MAX_DECODED:,} bytes")
            limit = min(MAX_DECODED - self._decoded, MAX_STREAM)
            data = filters.decode(str(self.resolve(name)), options, data, limit)
            self._decoded += len(data)
        return data

    def repair(self) -> None:
        """Replace entries and trailer by those that a scan of the whole file finds; only the first call does so.

        The members of object streams are added now, or by _start_decryption() if the file is encrypted and its key is
        not known yet.
        """
        if self.was_scanned:
            return
        self.was_scanned = True
        self._forget_objects()
        self.entries, trailers = xref.scan(self.data)
        for number, (_, position) in list(self.entries.items()):
            if b"/XRef" not in self.data[position : position + _MAX_HEAD]:
                continue
            try:
                table = self.object_at(position, number)
            except PdfError:
                continue
            if type(table) is Stream:
                trailers[position] = table.attrs
        self.trailer = {}
        for _, trailer in sorted(trailers.items()):  # by position: an update is appended to the file
            self.trailer.update((key, trailer[key]) for key in _TRAILER_KEYS if key in trailer)
        if "Encrypt" not in self.trailer or self._decryption is not None:
            self._add_members()

    def _forget_objects(self) -> None:
        """Drop all objects and object streams, which are then read again."""
        self._objects.clear()
        self._members.clear()
        self._held = self._listed = 0

    def _find_catalog(self) -> None:
        """Make the last catalog among all objects the root, unless the trailer leads to one."""
        if self._catalog() is None:
            catalogs = [ref for ref in self.references() if self.dict_of(ref).get("Type") == "Catalog"]
            if catalogs:
                self.trailer["Root"] = catalogs[-1]

    def _add_members(self) -> None:
        """Add the objects in the object streams of a scanned file; for an encrypted file the key must be known.

        Of several objects with one number the last in the file counts, as an update is appended to the file.
        """
        in_file = {number: where for number, (holder, where) in self.entries.items() if holder == xref.IN_FILE}
        streams = {number for number, position in in_file.items() if self._is_object_stream(position)}
        last_places = {number: in_file[number] for number in in_file.keys() - streams}
        for stream in sorted(streams, key=in_file.__getitem__):
            try:
                members = self._holder(stream)[1]
            except PdfError:
                continue
            for index, (member, _) in enumerate(members):
                # No member has the number of an object stream, as object streams are never inside others.
                if member not in streams and last_places.get(member, -1) < in_file[stream]:
                    last_places[member] = in_file[stream]
                    self.entries[member] = stream, index
                    self._objects.pop(member, None)

    def _is_object_stream(self, position: int) -> bool:
        """Return whether the object at a position says that it is an object stream, before the next object begins."""
        return b"/ObjStm" in self.data[position : position + _MAX_HEAD].partition(b"endobj")[0]

    def references(self) -> list[Ref]:
        """Return references to all objects that the file may have, in the order of their entries."""
        return [Ref(number, 0) for number in self.entries]

    def object_at(self, position: int, expected: int = -1) -> Any:
        """Return the object whose `N G obj` is at a position; None without one or for an unexpected number."""
        match = xref.OBJECT.match(self.data, position)
        number = int(match.group(1)) if match else -1
        if not match or expected not in (-1, number):
            return None
        value, after = self._parse(self.data, match.end())
        if type(value) is dict:
            word, after = read_object(self.data, after)
            if type(word) is Keyword and word == b"stream":
                start, end = self._stream_range(value, after)
                value = Stream(value, lambda: self.data[start:end])
        elif type(value) is Keyword:
            value = None
        return self._decryption.decrypted(value, number, int(match.group(2))) if self._decryption else value

    def _parse(self, data: bytes, position: int) -> tuple[Any, int]:
        """Call read_object(); after MAX_PARSED bytes return null. Bytes that are parsed twice count twice."""
        if self._parsed > MAX_PARSED:
            return None, len(data)
        value, after = read_object(data, position)
        self._parsed += after - position
        return value, after

    def _catalog(self) -> Any:
        """Return the catalog; None if the trailer leads to something else, or to what cannot be read."""
        root = self.resolve(self.trailer.get("Root"))
        return root if type(root) is dict and ("Pages" in root or root.get("Type") == "Catalog") else None

    def _load(self, number: int) -> Any:
        """Read an object; if nothing or another object is at its place, repair the file and try again."""
        holder, where = self.entries.get(number, (xref.FREE, 0))
        if holder == xref.FREE:
            return None
        if holder != xref.IN_FILE:
            return self._member(holder, where, number)
        value = self.object_at(where, number)
        if value is None and not self.was_scanned:
            head = xref.OBJECT.match(self.data, where)
            if not head or int(head.group(1)) != number:
                self.repair()
                return self._load(number)
        return value

    def _member(self, holder: int, index: int, number: int) -> Any:
        """Return an object inside an object stream, by index or else by number (section 7.5.7)."""
        data, members = self._holder(holder)
        if not (0 <= index < len(members) and members[index][0] == number):
            index = next((position for position, (candidate, _) in enumerate(members) if candidate == number), -1)
        if index < 0:
            return None
        value = self._parse(data, members[index][1])[0]
        return None if type(value) is Keyword else value

    def _holder(self, holder: int) -> tuple[bytes, list[tuple[int, int]]]:
        """Return the data of an object stream, and the number and position of each object in it."""
        if holder not in self._members:
            stream = self.get(holder)
            self._members[holder] = b"", []  # also while it is read, if its own dictionary refers to a member
            if type(stream) is Stream and self._held < MAX_HELD:
                self._members[holder] = self._read_members(stream)
        return self._members[holder]

    def _read_members(self, stream: Stream) -> tuple[bytes, list[tuple[int, int]]]:
        """Read the table at the start of an object stream, within the limits."""
        first = self.resolve(stream.attrs.get("First"))
        count = self.resolve(stream.attrs.get("N"))
        if type(first) is not int or type(count) is not int:
            return b"", []
        data = self.decode(stream)
        self._held += len(data)
        count = min(count, MAX_MEMBERS - self._listed)
        members: list[tuple[int, int]] = []
        position = 0
        while len(members) < count and position < first:
            number, position = read_object(data, position)
            offset, position = read_object(data, position)
            if type(number) is not int or type(offset) is not int:
                break
            members.append((number, first + offset))
        self._listed += len(members)
        return data, members

    def _stream_range(self, attrs: dict[str, Any], position: int) -> tuple[int, int]:
        """Return the range of a stream's bytes: by Length if `endstream` follows, else up to that word."""
        data = self.data
        if data.startswith(b"\r\n", position):
            position += 2
        elif data.startswith((b"\n", b"\r"), position):
            position += 1
        length = self.resolve(attrs.get("Length"))
        if (
            type(length) is int
            and 0 <= length <= len(data) - position
            and b"endstream" in data[position + length : position + length + 16]
        ):
            return position, position + length
        if self._scanned > _MAX_SCANS * len(data):
            raise PdfError("has streams whose lengths are all wrong")
        end = data.find(b"endstream", position)
        end = len(data) if end < 0 else end
        self._scanned += end - position
        if data.endswith(b"\r\n", position, end):
            return position, end - 2
        return position, end - data.endswith((b"\n", b"\r"), position, end)

    def _start_decryption(self) -> None:
        """Make the functions that decrypt. Raises NeedsPassword, UnknownCipher."""
        reference = self.trailer.get("Encrypt")
        if reference is None:
            return
        identifiers = self.list_of(self.trailer.get("ID"))
        file_id = self.resolve(identifiers[0]) if identifiers else b""
        encrypt = {key: self.resolve(value) for key, value in self.dict_of(reference).items()}
        encrypt["CF"] = {name: self.dict_of(chosen) for name, chosen in self.dict_of(encrypt.get("CF")).items()}
        number = reference.number if type(reference) is Ref else -1
        self._decryption = crypt.decryption(encrypt, file_id if isinstance(file_id, bytes) else b"", number)
        self._forget_objects()  # they were read without the key
        if self.was_scanned:
            self._add_members()
