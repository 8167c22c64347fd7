"""What a body is, whatever its Content-Type says. In: bytes and the header's value. Out: a kind, or a media type.

Kinds: html, markdown, text, json, csv, xml, feed, sitemap, opml, notebook, gzip, pdf, docx, xlsx, pptx, odt, ods, odp,
epub, rtf, mail and binary, which is everything that cannot become text. Only the first kilobytes are read, of a zip
file its directory.
Specification: WHATWG MIME Sniffing, with the formats of signatures.py.
"""

from __future__ import annotations

from webtool.documents.signatures import (
    ASCII,
    BINARY,
    KIND_OF_ENDING,
    KIND_OF_TYPE,
    KIND_OF_ZIP_FOLDER,
    KIND_OF_ZIP_TYPE,
    TEXTUAL,
)

RESOURCE_HEADER = 1445  # MIME Sniffing section 5.2: the bytes that decide
_XML_HEAD = 8192  # prologues with long comments hide the root element from 1,445 bytes
_BOMS = (b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe")

# MIME Sniffing section 3: 00-08, 0B, 0E-1A and 1C-1F never occur in text.
_BINARY_DATA_BYTES = bytes([*range(9), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)])
_BINARY_SHARE = 50  # compressed data has one such byte in ten; one in 50 is not a slip in a page

# Section 7.1: the opening tags that make an unknown type HTML. No regular expressions here: compiling one costs every
# fetch more than all the sniffing does.
_HTML_TAGS = (
    b"<!DOCTYPE HTML", b"<HTML", b"<HEAD", b"<SCRIPT", b"<IFRAME", b"<H1", b"<DIV", b"<FONT", b"<TABLE", b"<A",
    b"<STYLE", b"<TITLE", b"<B", b"<BODY", b"<BR", b"<P",
)  # fmt: skip
_HTML_ROOTS = (b"<!DOCTYPE HTML", b"<HTML", b"<HEAD", b"<BODY")
_UNKNOWN_TYPES = ("", "application/octet-stream")
_WHITE_SPACE = b"\t\n\x0c\r "
_NAME_END = b"\t\n\x0c\r />"
_KIND_OF_ROOT = {
    b"rss": "feed", b"feed": "feed", b"RDF": "feed", b"urlset": "sitemap", b"sitemapindex": "sitemap", b"opml": "opml",
    b"html": "html",
}  # fmt: skip


def kind_of(body: bytes, content_type: str | None = None, url: str = "") -> str:
    """The kind of a body. The type is believed where the bytes allow it; `url` only tells kinds of plain text apart."""
    declared = essence(content_type)
    signature = _signature(body, declared)
    if signature:
        return _kind_of_signature(signature, body, declared)
    head = body[:RESOURCE_HEADER]
    if body.startswith((*_BOMS[1:], b"<\0?\0", b"\0<\0?")) or "utf-16" in (content_type or "").lower():
        return _kind_of_utf16(head, declared)
    kind = KIND_OF_TYPE.get(declared) or _kind_of_suffix(declared)
    if kind == "html":
        return _kind_of_declared_html(body, head)
    if kind in (None, "text", "json") and _is_notebook(body, url):
        return "notebook"
    if kind is None or kind == "text":
        return _kind_of_loose(body, head, declared, url)
    if _opens_html(_without_bom(body[:_XML_HEAD])):
        return "html"
    if _is_mostly_binary(head):
        return "binary"
    return _refined(kind, body)


def media_type_of(body: bytes, content_type: str | None = None) -> str:
    """The media type to name in a message: what the bytes say, else what the server said."""
    declared = essence(content_type)
    return _signature(body, declared) or declared or "application/octet-stream"


def essence(content_type: str | None) -> str:
    """Type and subtype in lower case; "" where there is none or it says nothing (MIME Sniffing section 7)."""
    value = (content_type or "").partition(";")[0].strip().lower()
    return "" if value in ("unknown/unknown", "application/unknown", "*/*") or "/" not in value else value


def _signature(body: bytes, declared: str) -> str:
    for offset, pattern, media_type in BINARY + TEXTUAL:
        if body.startswith(pattern, offset):
            return media_type
    for offset, pattern, media_type in ASCII:
        if body.startswith(pattern, offset):
            return media_type if _has_binary(body[:RESOURCE_HEADER]) else ""
    # ISO 32000-1, annex H, note 13: readers accept the header anywhere in the first 1,024 bytes.
    if b"%PDF-" in body[:1024]:
        is_said = declared == "application/pdf" or (declared in _UNKNOWN_TYPES and b"\nendobj" in body)
        return "application/pdf" if is_said else ""
    return ""


def _kind_of_signature(media_type: str, body: bytes, declared: str) -> str:
    if media_type == "application/pdf":
        return "pdf"
    if media_type == "application/zip":
        return _kind_of_zip(body) or KIND_OF_ZIP_TYPE.get(declared, "binary")
    return {"application/gzip": "gzip", "application/rtf": "rtf"}.get(media_type, "binary")


def _kind_of_zip(body: bytes) -> str | None:
    """The kind of a zip file: its `mimetype` entry (ODF, EPUB), else the folders in its directory (OOXML).

    Specification: APPNOTE 4.3.12; OpenDocument 1.2 part 3 and EPUB OCF (the `mimetype` member), ECMA-376 part 2.
    """
    import io
    import zipfile

    if body[26:28] == b"\x08\x00" and body.startswith(b"mimetype", 30):
        extra = int.from_bytes(body[28:30], "little")
        size = int.from_bytes(body[18:22], "little")
        return KIND_OF_ZIP_TYPE.get(body[38 + extra : 38 + extra + min(size, 100)].decode("latin-1").strip())
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            names = archive.namelist()
            if "mimetype" in names:  # somewhere in it, perhaps compressed: packed anew with another program
                with archive.open("mimetype") as member:
                    kind = KIND_OF_ZIP_TYPE.get(member.read(100).decode("latin-1").strip())
                if kind:
                    return kind
    except Exception:  # damaged, encrypted or compressed in another way: no document that can be read
        return None
    if "[Content_Types].xml" in names:
        for folder, kind in KIND_OF_ZIP_FOLDER:
            if any(name.startswith(folder) for name in names):
                return kind
    if "META-INF/container.xml" in names and any(name.endswith(".opf") for name in names):
        return "epub"
    return None


def _kind_of_suffix(declared: str) -> str | None:
    if declared.endswith("+xml"):
        return "xml"
    if declared.endswith("+json"):
        return "json"
    return "text" if declared.startswith("text/") else None


def _kind_of_utf16(head: bytes, declared: str) -> str:
    """UTF-16 hides the marks of everything else: go by the type, or by the letters between the NULs."""
    kind = KIND_OF_TYPE.get(declared) or _kind_of_suffix(declared)
    letters = head.replace(b"\x00", b"")
    if kind in (None, "html", "text") and _opens_html(letters.lstrip(b"\xfe\xff")):
        return "html"
    if kind in (None, "xml"):
        return _kind_of_root(letters.lstrip(b"\xfe\xff")) or kind or "text"
    return kind or "text"


def _kind_of_declared_html(body: bytes, head: bytes) -> str:
    """HTML, unless it is a feed (MIME Sniffing section 7.3), JSON, or binary data without a tag."""
    if _has_binary(head) and _is_mostly_binary(head) and not _has_html_tag(_without_bom(head)):
        return "binary"
    root = _kind_of_root(body)
    if root in ("feed", "sitemap", "opml"):
        return root
    if head.lstrip()[:1] in (b"{", b"[") and _is_json(body):
        return _refined("json", body)
    return "html"


def _kind_of_loose(body: bytes, head: bytes, declared: str, url: str) -> str:
    """Plain text, unknown and foreign types: what the bytes look like."""
    if _has_binary(head) or (declared.partition("/")[0] in ("image", "audio", "video", "font")):
        return "html" if _opens_html(_without_bom(head)) else "binary"
    if declared.startswith("text/"):
        return _kind_of_ending(url)
    clean = _without_bom(head)
    root = _kind_of_root(body)
    if root == "html" or _has_html_tag(clean):
        return "html"
    if root or clean.lstrip().startswith(b"<?xml"):
        return root or "xml"
    if clean.lstrip()[:1] in (b"{", b"[") and _is_json(body):
        return _refined("json", body)
    return _kind_of_ending(url)


def _is_notebook(body: bytes, url: str) -> bool:
    """Whether a body is what a notebook's name promises: servers send them as text, JSON or unknown data."""
    path = url.partition("#")[0].partition("?")[0]
    return path.endswith(".ipynb") and body[:64].lstrip()[:1] == b"{" and b'"nbformat"' in body


def _kind_of_ending(url: str) -> str:
    path = url.partition("#")[0].partition("?")[0]
    return KIND_OF_ENDING.get(path.rpartition("/")[2].rpartition(".")[2].lower(), "text")


def _refined(kind: str, body: bytes) -> str:
    """Feeds, sitemaps and outlines among XML and JSON."""
    if kind == "xml":
        return _kind_of_root(body) or "xml"
    if kind == "json" and b'"version"' in body[:_XML_HEAD] and b"jsonfeed.org" in body[:_XML_HEAD]:
        return "feed"
    return kind


def _kind_of_root(body: bytes) -> str | None:
    """The kind that the root element of an XML document names."""
    head = _without_bom(body[:_XML_HEAD])
    at = _after_prologue(head, 0)
    if head[at : at + 9].upper() == b"<!DOCTYPE":
        subset, end = head.find(b"[", at), head.find(b">", at)
        if 0 <= subset < end:
            end = head.find(b">", head.find(b"]", subset))
        at = _after_prologue(head, end + 1) if end >= 0 else len(head)
    if head[at : at + 1] != b"<":
        return None
    end = at + 1
    while end < len(head) and head[end] not in _NAME_END:
        end += 1
    name = head[at + 1 : end].rpartition(b":")[2]
    kind = _KIND_OF_ROOT.get(name)
    if name == b"RDF" and b"http://purl.org/rss/1.0/" not in head and b"http://my.netscape.com/rdf/simple/" not in head:
        return None
    if name == b"feed" and b"tom" not in head:  # http://www.w3.org/2005/Atom, or http://purl.org/atom/ns#
        return None
    return kind


def _after_prologue(head: bytes, at: int) -> int:
    """The position after white space, comments and processing instructions."""
    while True:
        while at < len(head) and head[at] in _WHITE_SPACE:
            at += 1
        if head.startswith(b"<!--", at):
            end = head.find(b"-->", at + 4)
            at = end + 3
        elif head.startswith(b"<?", at):
            end = head.find(b">", at)
            at = end + 1
        else:
            return at
        if end < 0:
            return len(head)


def _opens_html(head: bytes) -> bool:
    """Whether an HTML document's first tag comes first, comments and the like passed over."""
    return _begins_with(head, _after_prologue(head, 0), _HTML_ROOTS)


def _has_html_tag(head: bytes) -> bool:
    """Whether the first thing is a tag that the standard takes for HTML, or a comment."""
    at = len(head) - len(head.lstrip(_WHITE_SPACE))
    return head.startswith(b"<!--", at) or _begins_with(head, at, _HTML_TAGS)


def _begins_with(head: bytes, at: int, tags: tuple[bytes, ...]) -> bool:
    start = head[at : at + 16].upper()
    return any(
        start.startswith(tag) and start[len(tag) : len(tag) + 1] in (b" ", b">", b"\t", b"\n", b"\r", b"\x0c")
        for tag in tags
    )


def _is_json(body: bytes) -> bool:
    import json

    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return False
    return True


def _without_bom(data: bytes) -> bytes:
    return data[3:] if data.startswith(_BOMS[0]) else data


def _has_binary(head: bytes) -> bool:
    return len(head.translate(None, _BINARY_DATA_BYTES)) != len(head)


def _is_mostly_binary(head: bytes) -> bool:
    return (len(head) - len(head.translate(None, _BINARY_DATA_BYTES))) * _BINARY_SHARE > len(head)
