"""Find out what a body is, whatever its Content-Type says. In: bytes and the header's value. Out: a kind.

A kind is one of formats.FORMATS, or "binary" for everything that cannot become text. Evidence counts in this order:
a byte signature, UTF-16, the declared type, then the shape of the text (first tag, root element, JSON). The suffix of
the URL tells kinds of plain text apart, and a notebook from JSON. Usually the first kilobytes are read, and the
directory of a zip file. `declared` is the media type of the Content-Type header, in lower case and without parameters,
`head` the first RESOURCE_HEADER bytes of a body, `prologue` its first _MAX_PROLOGUE bytes.
Specification: WHATWG MIME Sniffing, which is extended by formats.py.
Tests: tests/documents/test_sniff.py
"""

from __future__ import annotations

from webtool.documents import formats
from webtool.lean import media_types, patterns

RESOURCE_HEADER = 1445  # bytes; MIME Sniffing section 5.2: these decide
_MAX_PROLOGUE = 8192  # bytes in which a root element is searched: comments before it may be long
UTF_8_BOM = b"\xef\xbb\xbf"
# By the first bytes: a byte order mark, or "<?" without one (XML 1.0, appendix F).
_UTF_16_STARTS = {b"\xfe\xff": "utf-16be", b"\xff\xfe": "utf-16le", b"\0<\0?": "utf-16be", b"<\0?\0": "utf-16le"}

# MIME Sniffing section 3: 00-08, 0B, 0E-1A and 1C-1F never occur in text.
_BINARY_DATA_BYTES = bytes([*range(9), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)])
_MIN_NUL_SHARE = 0.8  # UTF-16 text: share of two-byte units with a NUL byte, as each Latin letter has
_MAX_BINARY_SHARE = 0.02  # a page: share of binary data bytes; compressed data has 0.1
_MAX_BROKEN_SHARE = 0.01  # UTF-16 text: share of characters that are half a pair or a control; random data has 0.03

# A notebook and a JSON feed have this member. A body without it is of another kind, whatever it is declared as.
_JSON_MEMBERS = {"notebook": b'"nbformat"', "feed": b'"items"'}
_CHARACTER_REFERENCES = (b"&amp;", b"&lt;", b"&gt;", b"&quot;", b"&nbsp;", b"&#")  # those that most pages with any have
_TAG = patterns.compile(rb"<[A-Za-z/!?]")
_WHITE_SPACE = b"\t\n\x0c\r "
_NAME_END = b"\t\n\x0c\r />"


def kind_of(body: bytes, content_type: str | None = None, url: str = "") -> str:
    """Return the kind of a body. The declared type is believed if the bytes allow it."""
    declared = essence(content_type)
    media_type = _type_of_signature(body, declared)
    if media_type == "application/zip":
        return _kind_of_zip(body) or _kind_in("zip_types", declared) or "binary"
    if media_type:  # that of a row, or of a file that is not read
        return next((row.kind for row in formats.FORMATS if row.signature and row.signature[1] == media_type), "binary")
    head = body[:RESOURCE_HEADER]
    encoding = utf_16_of(head)
    if encoding or ("utf-16" in (content_type or "").lower() and not is_utf_8(head)):
        encodings = [encoding] if encoding else ["utf-16le", "utf-16be"]
        encoding = next((name for name in encodings if not _is_broken(head, name)), "")
        if not encoding:
            return "binary"
        body = body.decode(encoding, "replace").encode()
    return _kind_of_text(body.removeprefix(UTF_8_BOM), declared, url)


def _kind_of_text(body: bytes, declared: str, url: str) -> str:
    """Return the kind of a body that has no signature, in ASCII or a superset of it, without its byte order mark."""
    head, kind = body[:RESOURCE_HEADER], _kind_of_type(declared)
    if kind == "html":
        return _kind_of_declared_html(body, head, url)
    if kind in (None, "text", "json") and suffix_of(url) == "ipynb" and _is_json_of("notebook", body):
        return "notebook"  # servers send notebooks as text, JSON or unknown data
    if kind in _JSON_MEMBERS and not _is_json_of(kind, body):  # other feeds are declared as "xml"
        kind = None
    if kind is None or kind == "text":
        return _kind_of_plain_text(body, head, declared, url)
    if _opens_html(body[:_MAX_PROLOGUE]):
        return "html"
    if _is_mostly_binary(head):
        return "binary"
    return _refined(kind, body)


def media_type_of(body: bytes, content_type: str | None = None) -> str:
    """Return the media type to name in a message: from the bytes, else the declared one."""
    declared = essence(content_type)
    return _type_of_signature(body, declared) or declared or "application/octet-stream"


def essence(content_type: str | None) -> str:
    """Return type/subtype in lower case; "" if it is missing or means nothing (MIME Sniffing section 7)."""
    value = media_types.extract(content_type)[0]
    return "" if value in ("unknown/unknown", "application/unknown") else value


def suffix_of(url: str) -> str:
    """Return the suffix of a URL's or file's name in lower case: "https://e.example/A.MD?raw=1" -> "md"."""
    path = url.partition("#")[0].partition("?")[0]
    path = path.partition("://")[2].partition("/")[2] if "://" in path else path  # the host has no suffix
    _, dot, suffix = path.rpartition("/")[2].rpartition(".")
    return suffix.lower() if dot else ""


def _type_of_signature(body: bytes, declared: str) -> str:
    """Return the media type that the first bytes mean, or ""."""
    for offset, pattern, media_type in formats.BINARY_SIGNATURES:
        if body.startswith(pattern, offset):
            return media_type
    for row in formats.FORMATS:
        if row.signature and body.startswith(row.signature[0]):
            return row.signature[1]
    for offset, pattern, media_type in formats.ASCII_SIGNATURES:
        if body.startswith(pattern, offset):
            return media_type if _binary_count(body[:RESOURCE_HEADER]) else ""
    # ISO 32000-1, annex H, note 13: readers accept the header anywhere in the first 1,024 bytes.
    if b"%PDF-" in body[:1024]:
        has_objects = b"\nendobj" in body or b"\rendobj" in body
        if declared == "application/pdf" or (has_objects and declared in ("", "application/octet-stream")):
            return "application/pdf"
    return ""


def _kind_in(field: str, value: str | bytes) -> str | None:
    """Return the kind of the row of formats.py with this value in a field."""
    row = formats.find(field, value)
    return row.kind if row else None


def _kind_of_zip(body: bytes) -> str | None:
    """Return the kind of a zip file by its `mimetype` member (ODF, EPUB), else by its folders (OOXML).

    Specification: APPNOTE 4.3.12; OpenDocument 1.2 part 3 and EPUB OCF (`mimetype`), ECMA-376 part 2.
    """
    import io
    import zipfile

    # The first member's local header (APPNOTE 4.3.7): size at 18, lengths of name and extra field at 26 and 28, name.
    if body[26:28] == b"\x08\x00" and body.startswith(b"mimetype", 30):
        size, extra = int.from_bytes(body[18:22], "little"), int.from_bytes(body[28:30], "little")
        start = 30 + len(b"mimetype") + extra
        kind = _kind_of_package(body[start : start + min(size, 100)])
        if kind:  # else it is compressed, or its size comes after it
            return kind
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            names = archive.namelist()
            for name in ("mimetype", "META-INF/manifest.xml"):
                if name in names:
                    with archive.open(name) as member:
                        kind = _kind_of_package(member.read(_MAX_PROLOGUE))
                    if kind:
                        return kind
    except Exception:  # damaged, encrypted, or compressed in an unknown way: the declared type decides
        return None
    if "[Content_Types].xml" in names:
        for row in formats.FORMATS:
            if row.zip_folder and any(name.startswith(row.zip_folder) for name in names):
                return row.kind
    if "META-INF/container.xml" in names and any(name.endswith(".opf") for name in names):
        return "epub"
    return None


def _kind_of_package(data: bytes) -> str | None:
    """Return the kind that a `mimetype`, or an OpenDocument manifest, declares for a package (ODF 1.2 part 3, 4.8).

    `<manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/>` -> odt
    """
    tags = [tag.replace(b"'", b'"').split(b'"')[1::2] for tag in data.split(b"<")[1:]]  # the values of attributes
    names = next((values for values in tags if b"/" in values), [data.strip()])
    return next(filter(None, (_kind_in("zip_types", name.decode("latin-1")) for name in names)), None)


def _kind_of_type(declared: str) -> str | None:
    """Return the kind of a media type: from the table, else by +xml, +json or text/; None for all others."""
    kind, suffix = _kind_in("media_types", declared), declared.rpartition("+")[2]
    if kind or suffix in ("xml", "json"):
        return kind or suffix
    return "text" if declared.startswith("text/") else None


def utf_16_of(head: bytes) -> str:
    """Return "utf-16le" or "utf-16be" by the first bytes, or for mostly Latin text; "" for all other bytes.

    b"a\\0,\\0b\\0" has a NUL in each second byte, and nowhere else. Databases export CSV files this way.
    """
    if name := _UTF_16_STARTS.get(head[:2]) or _UTF_16_STARTS.get(head[:4]):
        return name
    units = len(head) // 2
    if units < 4 or b"\0" not in head[:64]:
        return ""
    for name, letters, nulls in (("utf-16le", head[::2], head[1::2]), ("utf-16be", head[1::2], head[::2])):
        if nulls.count(0) > _MIN_NUL_SHARE * units and not _binary_count(letters):
            return name
    return ""


def is_utf_8(head: bytes) -> bool:
    """Return whether bytes are a text in UTF-8, so not in UTF-16, whatever is declared; the end may be cut."""
    try:
        head.decode()
    except UnicodeDecodeError as exc:
        if exc.reason != "unexpected end of data":
            return False
    return not _binary_count(head)


def _is_broken(head: bytes, codec: str) -> bool:
    """Return whether bytes are not UTF-16 of this byte order: too many surrogates without partner, or controls."""
    text = head[: len(head) // 2 * 2].decode(codec, "replace")
    broken = text.count("\ufffd") + sum(text.count(chr(byte)) for byte in _BINARY_DATA_BYTES)
    return broken > 1 + _MAX_BROKEN_SHARE * len(text)  # one character may be cut at the end


def _kind_of_declared_html(body: bytes, head: bytes, url: str) -> str:
    """Return html, except for a feed (MIME Sniffing section 7.3), JSON, text, or mostly binary data without a tag."""
    if _is_mostly_binary(head) and not _has_html_tag(head):
        return "binary"
    root = _kind_of_root(body)
    if root and root != "html":
        return root
    if _is_json(body):
        return _refined("json", body)
    return _kind_of_suffix(url) if _is_plain_text(body, url) else "html"


def _is_plain_text(body: bytes, url: str) -> bool:
    """Return whether a body that is declared as HTML is text. Frameworks declare all that a program returns as HTML.

    Under a name such as llms.txt it begins without a tag of HTML ("# Site", "<SYSTEM>"); under others it has lines, and
    no markup at all.
    """
    start = body[:_MAX_PROLOGUE].strip()
    if not start or start.startswith((b"<!", b"<?")) or _begins_with(start, 0, formats.HTML_TAGS + formats.PAGE_TAGS):
        return False
    row = formats.find("suffixes", suffix_of(url))
    if row is not None and row.kind in ("markdown", "text", "csv"):
        return True
    has_markup = _TAG.search(body) or any(reference in body for reference in _CHARACTER_REFERENCES)
    return b"\n" in start and not has_markup


def _kind_of_plain_text(body: bytes, head: bytes, declared: str, url: str) -> str:
    """Return the kind of plain text, or of an unknown or foreign type, by what the bytes look like."""
    # One binary byte is enough here (MIME Sniffing section 7.2).
    if _binary_count(head) or declared.partition("/")[0] in ("image", "audio", "video", "font"):
        return "html" if _opens_html(head) else "binary"
    if declared.startswith("text/"):
        return _kind_of_suffix(url)
    root = _kind_of_root(body)
    if root == "html" or _has_html_tag(head):
        return "html"
    if root or head.lstrip().startswith(b"<?xml"):
        return root or "xml"
    return _refined("json", body) if _is_json(body) else _kind_of_suffix(url)


def _kind_of_suffix(url: str) -> str:
    row = formats.find("suffixes", suffix_of(url))
    return row.kind if row and row.is_suffix_decisive else "text"


def _refined(kind: str, body: bytes) -> str:
    """Return feed, sitemap or opml if XML or JSON is one of them; else the kind."""
    if kind == "xml":
        return _kind_of_root(body) or "xml"
    if kind == "json" and b'"version"' in body[:_MAX_PROLOGUE] and b"jsonfeed.org" in body[:_MAX_PROLOGUE]:
        return "feed"
    return kind


def _kind_of_root(body: bytes) -> str | None:
    """Return the kind that an XML document's root element names: `<?xml ..?><rss ..>` -> "feed"."""
    prologue = body[:_MAX_PROLOGUE]
    start = _after_prologue(prologue, 0)
    if prologue[start : start + 9].upper() == b"<!DOCTYPE":
        subset, end = prologue.find(b"[", start), prologue.find(b">", start)
        if 0 <= subset < end:
            end = prologue.find(b">", prologue.find(b"]", subset))
        start = _after_prologue(prologue, end + 1) if end >= 0 else len(prologue)
    if prologue[start : start + 1] != b"<":
        return None
    end = start + 1
    while end < len(prologue) and prologue[end] not in _NAME_END:
        end += 1
    name = prologue[start + 1 : end].rpartition(b":")[2]
    is_rss = b"http://purl.org/rss/1.0/" in prologue or b"http://my.netscape.com/rdf/simple/" in prologue
    if name == b"RDF" and not is_rss:
        return None
    # The namespaces of Atom: http://www.w3.org/2005/Atom, http://purl.org/atom/ns#
    if name == b"feed" and b"/atom" not in prologue.lower():
        return None
    return _kind_in("xml_roots", name)


def _after_prologue(prologue: bytes, start: int) -> int:
    """Return the position after white space, comments and processing instructions.

    `<?xml version="1.0"?>` ends at its first ">", as all that begins with "<?" does in HTML. XML allows a ">" inside.
    """
    while True:
        while start < len(prologue) and prologue[start] in _WHITE_SPACE:
            start += 1
        if prologue.startswith(b"<!--", start):
            end = prologue.find(b"-->", start + 2)  # <!--> and <!---> are comments, too
            start = end + 3
        elif prologue.startswith(b"<?", start):
            end = prologue.find(b">", start)
            start = end + 1
        else:
            return start
        if end < 0:
            return len(prologue)


def _opens_html(prologue: bytes) -> bool:
    """Return whether the first tag opens an HTML document; comments before it are skipped."""
    return _begins_with(prologue, _after_prologue(prologue, 0), formats.HTML_ROOTS)


def _has_html_tag(head: bytes) -> bool:
    """Return whether the body starts with a comment or with a tag that the standard accepts as HTML."""
    start = len(head) - len(head.lstrip(_WHITE_SPACE))
    return head.startswith(b"<!--", start) or _begins_with(head, start, formats.HTML_TAGS)


def _begins_with(head: bytes, start: int, tags: tuple[bytes, ...]) -> bool:
    opening = head[start : start + 16].upper()
    return any(
        opening.startswith(tag) and opening[len(tag) : len(tag) + 1] in (b" ", b">", b"\t", b"\n", b"\r", b"\x0c")
        for tag in tags
    )


def _is_json_of(kind: str, body: bytes) -> bool:
    """Return whether the body looks like a JSON object of a kind of _JSON_MEMBERS."""
    return body[:_MAX_PROLOGUE].lstrip()[:1] == b"{" and _JSON_MEMBERS[kind] in body


def _is_json(body: bytes) -> bool:
    """Return whether the body is a JSON object or array."""
    if body[:_MAX_PROLOGUE].lstrip()[:1] not in (b"{", b"["):
        return False
    import json

    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return False
    return True


def _is_mostly_binary(head: bytes) -> bool:
    """Return whether more than one byte in 50 is a binary data byte. Pages have single ones by mistake."""
    return _binary_count(head) > _MAX_BINARY_SHARE * len(head)


def _binary_count(head: bytes) -> int:
    """Return the number of binary data bytes, which no text has."""
    return len(head) - len(head.translate(None, _BINARY_DATA_BYTES))
