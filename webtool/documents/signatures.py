"""Byte signatures of files that are not read as documents: pictures, audio, archives, programs. Tables only.

A row is (offset, bytes at that offset, media type). formats.py has the signatures of readable formats.
Specification: WHATWG MIME Sniffing, sections 6 (images, audio, video, fonts, archives) and 7.1 (unknown types). Rows
for old Office files, 7-Zip, SQLite and executables are ours.
Tests: tests/documents/test_sniff.py
"""

from __future__ import annotations

# No text starts with one of these: each has a control character or a byte that is not ASCII. PostScript is the
# exception: it is ASCII, but a program rather than text for people.
BINARY = (
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

# Plain names for error texts, for media types that do not explain themselves.
TYPE_NAMES = {
    "application/postscript": "PostScript",
    "application/zip": "a zip file that is not a document",
    "application/x-ole-storage": "an old Office file (.doc, .xls, .ppt or .msg)",
    "application/octet-stream": "binary data",
}
