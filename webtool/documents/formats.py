"""The table of formats that become markdown: one row each, and the byte signatures of all other files.

In: a kind, media type, suffix or signature. Out: its row. To add a format, add a row and a module below
webtool.documents with `convert(source: Source) -> Document`. Everything else reads the table: sniffing (sniff.py),
conversion and error texts (__init__), names of local files.
Specification of the signatures: WHATWG MIME Sniffing, sections 6 (images, audio, video, fonts, archives) and 7.1
(unknown types). Rows for old Office files, 7-Zip, SQLite and executables are ours.
Tests: tests/documents/test_sniff.py
"""

from __future__ import annotations

from webtool.lean.records import NamedTuple

_ODF = "application/vnd.oasis.opendocument."
_OOXML = "application/vnd.openxmlformats-officedocument."


class Format(NamedTuple):
    """One format. Fields that a format does not need are empty."""

    kind: str  # what kind_of() returns
    module: str  # below webtool.documents; "" for html, which webtool.html reads
    name: str = ""  # in the list "Webtool reads ..." of error texts; "" leaves the format out
    is_text: bool = False  # people can read the undecoded file in a text editor
    media_types: tuple[str, ...] = ()  # of a Content-Type, if the bytes do not contradict; the first one is canonical
    suffixes: tuple[str, ...] = ()  # of file names, in lower case
    is_suffix_decisive: bool = False  # the suffix of a URL turns plain or unknown text into this kind
    signature: tuple[bytes, str] | None = None  # the first bytes, and the media type that they mean
    zip_types: tuple[str, ...] = ()  # media types inside a zip file's `mimetype` member, or of a truncated zip file
    zip_folder: str = ""  # the folder of an Office Open XML file's main part
    xml_roots: tuple[bytes, ...] = ()  # local names of root elements

    @property
    def is_xml(self) -> bool:
        """Whether the whole file is XML, which may declare its own encoding."""
        return self.kind == "xml" or (bool(self.xml_roots) and self.kind != "html")


FORMATS = (
    Format(
        "html", "", "HTML", True, ("text/html", "application/xhtml+xml"), ("html", "htm", "xhtml", "xht"),
        xml_roots=(b"html",),
    ),
    Format(
        "markdown", "text", "markdown", True, ("text/markdown", "text/x-markdown", "application/markdown"),
        ("md", "markdown", "mdx"), is_suffix_decisive=True,
    ),
    Format(
        "text", "text", "plain text", True,
        (
            "text/plain", "application/javascript", "application/x-javascript", "application/ecmascript",
            "application/x-sh", "application/yaml", "application/x-yaml", "application/toml", "application/sql",
            "application/x-ndjson", "application/jsonl", "application/x-tex", "application/typescript",
        ),
        ("txt",),
    ),
    Format(
        "json", "text", "JSON", True, ("application/json", "text/json", "application/x-json"), ("json", "geojson"),
        is_suffix_decisive=True,
    ),
    Format(
        "csv", "text", "CSV", True, ("text/csv", "application/csv", "text/tab-separated-values"), ("csv", "tsv"),
        is_suffix_decisive=True,
    ),
    Format(
        "xml", "text", "XML", True,
        (
            "application/xml", "text/xml", "application/rss+xml", "application/atom+xml", "application/rdf+xml",
            "text/x-opml",
        ),
        ("xml",),
    ),
    Format("feed", "feeds", "feeds", True, ("application/feed+json",), xml_roots=(b"rss", b"feed", b"RDF")),
    Format("sitemap", "feeds", is_text=True, xml_roots=(b"urlset", b"sitemapindex")),
    Format("opml", "feeds", is_text=True, xml_roots=(b"opml",)),
    Format("notebook", "text", "notebooks", True, ("application/x-ipynb+json",), ("ipynb",)),
    Format("gzip", "archive", signature=(b"\x1f\x8b\x08", "application/gzip")),
    Format("pdf", "pdf", "PDF", suffixes=("pdf",), signature=(b"%PDF-", "application/pdf")),
    Format(
        "docx", "docx", "docx", suffixes=("docx",), zip_folder="word/",
        zip_types=(
            f"{_OOXML}wordprocessingml.document", f"{_OOXML}wordprocessingml.template",
            "application/vnd.ms-word.document.macroenabled.12",
        ),
    ),
    Format(
        "xlsx", "xlsx", "xlsx", suffixes=("xlsx",), zip_folder="xl/",
        zip_types=(
            f"{_OOXML}spreadsheetml.sheet", f"{_OOXML}spreadsheetml.template",
            "application/vnd.ms-excel.sheet.macroenabled.12",
        ),
    ),
    Format(
        "pptx", "pptx", "pptx", suffixes=("pptx",), zip_folder="ppt/",
        zip_types=(
            f"{_OOXML}presentationml.presentation", f"{_OOXML}presentationml.slideshow",
            f"{_OOXML}presentationml.template", "application/vnd.ms-powerpoint.presentation.macroenabled.12",
        ),
    ),
    Format(
        "odt", "odf", "odt", suffixes=("odt",),
        zip_types=(f"{_ODF}text", f"{_ODF}text-template", f"{_ODF}text-web", f"{_ODF}text-master"),
    ),
    Format(
        "ods", "odf", "ods", suffixes=("ods",), zip_types=(f"{_ODF}spreadsheet", f"{_ODF}spreadsheet-template"),
    ),
    Format(
        "odp", "odf", "odp", suffixes=("odp",),
        zip_types=(
            f"{_ODF}presentation", f"{_ODF}presentation-template", f"{_ODF}graphics", f"{_ODF}graphics-template",
        ),
    ),
    Format("epub", "epub", "epub", suffixes=("epub",), zip_types=("application/epub+zip",)),
    Format("rtf", "rtf", "RTF", suffixes=("rtf",), signature=(b"{\\rtf", "application/rtf")),
    Format(
        "mail", "mail", "mails", False,
        ("message/rfc822", "multipart/related", "application/x-mimearchive", "application/mbox"),
        ("eml", "mht", "mhtml", "mbox"), is_suffix_decisive=True,
    ),
)  # fmt: skip

# Signatures of files that are not read: (offset, bytes at that offset, media type).
# No text begins so. All but two have a control character or a byte that is not ASCII; the two are "ustar", which comes
# after the NUL bytes of a tar file's first entry, and PostScript, which is a program rather than text for people.
BINARY_SIGNATURES = (
    (0, b"\x89PNG\r\n\x1a\n", "image/png"), (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"\x00\x00\x01\x00", "image/x-icon"), (0, b"\x00\x00\x02\x00", "image/x-icon"), (0, b"II*\x00", "image/tiff"),
    (0, b"MM\x00*", "image/tiff"), (0, b"\xff\x0a", "image/jxl"), (0, b"\x00\x00\x00\x0cJXL \r\n\x87\n", "image/jxl"),
    (0, b"\x00\x00\x00\x0cjP  \r\n\x87\n", "image/jp2"), (0, b"OggS\x00", "application/ogg"),
    (0, b"MThd\x00\x00\x00\x06", "audio/midi"), (0, b"\x1aE\xdf\xa3", "video/webm"), (0, b"\xff\xfb", "audio/mpeg"),
    (0, b"\xff\xf3", "audio/mpeg"), (0, b"\xff\xf2", "audio/mpeg"), (0, b"\x00\x01\x00\x00", "font/ttf"),
    (0, b"PK\x03\x04", "application/zip"), (0, b"PK\x05\x06", "application/zip"),
    (0, b"Rar!\x1a\x07", "application/vnd.rar"), (0, b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (0, b"\xfd7zXZ\x00", "application/x-xz"), (0, b"\x28\xb5\x2f\xfd", "application/zstd"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"), (0, b"\x00asm", "application/wasm"),
    (0, b"\x7fELF", "application/x-executable"), (0, b"\xfe\xed\xfa\xce", "application/x-mach-binary"),
    (0, b"\xcf\xfa\xed\xfe", "application/x-mach-binary"), (0, b"\xca\xfe\xba\xbe", "application/java-vm"),
    (0, b"SQLite format 3\x00", "application/vnd.sqlite3"), (257, b"ustar", "application/x-tar"),
    (0, b"%!PS-Adobe-", "application/postscript"),
)  # fmt: skip

# ASCII letters, which a text may start with too ("BMW builds cars"). They count only if control characters follow.
ASCII_SIGNATURES = (
    (0, b"BM", "image/bmp"), (0, b"GIF87a", "image/gif"), (0, b"GIF89a", "image/gif"), (8, b"WEBPVP", "image/webp"),
    (8, b"WAVE", "audio/wave"), (8, b"AVI ", "video/avi"), (8, b"AIFF", "audio/aiff"), (4, b"ftypavif", "image/avif"),
    (4, b"ftypheic", "image/heic"), (4, b"ftypM4A", "audio/mp4"), (4, b"ftypqt", "video/quicktime"),
    (4, b"ftyp", "video/mp4"), (0, b"ID3", "audio/mpeg"), (0, b"fLaC", "audio/flac"), (0, b"OTTO", "font/otf"),
    (0, b"ttcf", "font/collection"), (0, b"wOFF", "font/woff"), (0, b"wOF2", "font/woff2"),
    (34, b"LP", "application/vnd.ms-fontobject"), (0, b"BZh", "application/x-bzip2"),
    (0, b"8BPS", "image/vnd.adobe.photoshop"), (0, b"FLV\x01", "video/x-flv"),
    (0, b"MZ", "application/vnd.microsoft.portable-executable"),
)  # fmt: skip

# Section 7.1: the opening tags that make an unknown type HTML.
HTML_TAGS = (
    b"<!DOCTYPE HTML", b"<HTML", b"<HEAD", b"<SCRIPT", b"<IFRAME", b"<H1", b"<DIV", b"<FONT", b"<TABLE", b"<A",
    b"<STYLE", b"<TITLE", b"<B", b"<BODY", b"<BR", b"<P",
)  # fmt: skip
HTML_ROOTS = (b"<!DOCTYPE HTML", b"<HTML", b"<HEAD", b"<BODY")  # the tags that open a whole document
# Further tags with which pages begin, and texts do not.
PAGE_TAGS = tuple(b"<META <LINK <BASE <MAIN <HEADER <NAV <SECTION <ARTICLE <FORM".split())

# Plain names for error texts, for media types that do not explain themselves.
TYPE_NAMES = {
    "application/postscript": "PostScript",
    "application/zip": "a zip file that is not a document",
    "application/x-ole-storage": "an old Office file (.doc, .xls, .ppt or .msg)",
    "application/octet-stream": "binary data",
}


def of_kind(kind: str) -> Format | None:
    """Return the row of a kind; None for "binary", which has no row."""
    return next((row for row in FORMATS if row.kind == kind), None)


def find(field: str, value: str | bytes) -> Format | None:
    """Return the first row whose tuple `field` contains the value, e.g. find("suffixes", "docx")."""
    return next((row for row in FORMATS if value in getattr(row, field)), None)


def is_text(kind: str) -> bool:
    """Return whether people can read a file of this kind without conversion."""
    row = of_kind(kind)
    return row is not None and row.is_text


def readable() -> str:
    """List the formats for an error text: "HTML, markdown, ... and mails"."""
    names = [row.name for row in FORMATS if row.name]
    return f"{', '.join(names[:-1])} and {names[-1]}"
