"""Byte patterns that tell what a body is. Tables only: (offset, bytes, media type).

Specification: WHATWG MIME Sniffing, section 6 (image, audio or video, font, archive patterns) and 7.1 (unknown types),
with the formats that it leaves to others and that servers send all the same (Office, 7-Zip, SQLite, executables).
"""

from __future__ import annotations

# Patterns that no text starts with: they hold a byte that is a binary data byte, or one that is not ASCII.
BINARY = (
    (0, b"\x89PNG\r\n\x1a\n", "image/png"), (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"\x00\x00\x01\x00", "image/x-icon"), (0, b"\x00\x00\x02\x00", "image/x-icon"), (0, b"II*\x00", "image/tiff"),
    (0, b"MM\x00*", "image/tiff"), (0, b"\xff\x0a", "image/jxl"), (0, b"\x00\x00\x00\x0cJXL \r\n\x87\n", "image/jxl"),
    (0, b"\x00\x00\x00\x0cjP  \r\n\x87\n", "image/jp2"), (0, b"OggS\x00", "application/ogg"),
    (0, b"MThd\x00\x00\x00\x06", "audio/midi"), (0, b"\x1aE\xdf\xa3", "video/webm"), (0, b"\xff\xfb", "audio/mpeg"),
    (0, b"\xff\xf3", "audio/mpeg"), (0, b"\xff\xf2", "audio/mpeg"), (0, b"\x00\x01\x00\x00", "font/ttf"),
    (0, b"PK\x03\x04", "application/zip"), (0, b"PK\x05\x06", "application/zip"),
    (0, b"\x1f\x8b\x08", "application/gzip"), (0, b"Rar!\x1a\x07", "application/vnd.rar"),
    (0, b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"), (0, b"\xfd7zXZ\x00", "application/x-xz"),
    (0, b"\x28\xb5\x2f\xfd", "application/zstd"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"), (0, b"\x00asm", "application/wasm"),
    (0, b"\x7fELF", "application/x-executable"), (0, b"\xfe\xed\xfa\xce", "application/x-mach-binary"),
    (0, b"\xcf\xfa\xed\xfe", "application/x-mach-binary"), (0, b"\xca\xfe\xba\xbe", "application/java-vm"),
    (0, b"SQLite format 3\x00", "application/vnd.sqlite3"), (257, b"ustar", "application/x-tar"),
)  # fmt: skip

# Patterns of plain ASCII letters: a text may start with them too, so they count only where binary data bytes follow.
ASCII = (
    (0, b"BM", "image/bmp"), (0, b"GIF87a", "image/gif"), (0, b"GIF89a", "image/gif"), (8, b"WEBPVP", "image/webp"),
    (8, b"WAVE", "audio/wave"), (8, b"AVI ", "video/avi"), (8, b"AIFF", "audio/aiff"), (4, b"ftypavif", "image/avif"),
    (4, b"ftypheic", "image/heic"), (4, b"ftypM4A", "audio/mp4"), (4, b"ftypqt", "video/quicktime"),
    (4, b"ftyp", "video/mp4"), (0, b"ID3", "audio/mpeg"), (0, b"fLaC", "audio/flac"), (0, b"OTTO", "font/otf"),
    (0, b"ttcf", "font/collection"), (0, b"wOFF", "font/woff"), (0, b"wOF2", "font/woff2"),
    (34, b"LP", "application/vnd.ms-fontobject"), (0, b"BZh", "application/x-bzip2"),
    (0, b"8BPS", "image/vnd.adobe.photoshop"), (0, b"FLV\x01", "video/x-flv"),
    (0, b"MZ", "application/vnd.microsoft.portable-executable"),
)  # fmt: skip

# Documents that are text to a byte scanner but not to a reader.
TEXTUAL = (
    (0, b"%PDF-", "application/pdf"),
    (0, b"%!PS-Adobe-", "application/postscript"),
    (0, b"{\\rtf", "application/rtf"),
)

# The kind that each media type is read as, where the body does not say otherwise.
_TYPES_OF_KIND = {
    "html": "text/html application/xhtml+xml",
    "markdown": "text/markdown text/x-markdown application/markdown",
    "json": "text/json application/json application/x-json",
    "feed": "application/feed+json",
    "notebook": "application/x-ipynb+json",
    "csv": "text/csv application/csv text/tab-separated-values",
    "xml": "text/xml application/xml application/rss+xml application/atom+xml application/rdf+xml text/x-opml",
    "mail": "message/rfc822 multipart/related application/x-mimearchive",
    "text": "application/javascript application/x-javascript application/ecmascript application/x-sh application/yaml"
    " application/x-yaml application/toml application/sql application/x-ndjson application/jsonl application/x-tex"
    " application/typescript",
}
KIND_OF_TYPE = {name: kind for kind, names in _TYPES_OF_KIND.items() for name in names.split()}

# The kind that a file name's ending suggests where the type says no more than "text" or nothing.
KIND_OF_ENDING = {
    "md": "markdown", "markdown": "markdown", "mdx": "markdown", "csv": "csv", "tsv": "csv", "json": "json",
    "geojson": "json", "eml": "mail", "mht": "mail", "mhtml": "mail",
}  # fmt: skip

_OPEN = "application/vnd.oasis.opendocument."
_OFFICE = "application/vnd.openxmlformats-officedocument."
KIND_OF_ZIP_TYPE = {
    "application/epub+zip": "epub",
    **dict.fromkeys((f"{_OPEN}text", f"{_OPEN}text-template", f"{_OPEN}text-web", f"{_OPEN}text-master"), "odt"),
    **dict.fromkeys((f"{_OPEN}spreadsheet", f"{_OPEN}spreadsheet-template"), "ods"),
    **{f"{_OPEN}{name}": "odp" for name in ("presentation", "presentation-template", "graphics", "graphics-template")},
    **{f"{_OFFICE}wordprocessingml.{name}": "docx" for name in ("document", "template")},
    **{f"{_OFFICE}spreadsheetml.{name}": "xlsx" for name in ("sheet", "template")},
    **{f"{_OFFICE}presentationml.{name}": "pptx" for name in ("presentation", "slideshow")},
    "application/vnd.ms-word.document.macroenabled.12": "docx",
    "application/vnd.ms-excel.sheet.macroenabled.12": "xlsx",
    "application/vnd.ms-powerpoint.presentation.macroenabled.12": "pptx",
}

# ECMA-376: the folder of the main part tells the three office formats apart.
KIND_OF_ZIP_FOLDER = (("word/", "docx"), ("xl/", "xlsx"), ("ppt/", "pptx"))

# What to call types in an error message whose names do not say it.
TYPE_NAMES = {
    "application/postscript": "PostScript",
    "application/zip": "a zip file that is no document",
    "application/x-ole-storage": "an old Office file (.doc, .xls, .ppt or .msg)",
    "application/octet-stream": "binary data",
}
