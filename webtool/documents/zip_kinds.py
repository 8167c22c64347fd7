"""Which document a zip file is. In: its bytes. Out: a kind. Only the directory and the member `mimetype` are read.

Specification: APPNOTE 4.3.12; OpenDocument 1.2 part 3 and EPUB OCF (the `mimetype` member), ECMA-376 part 2.
"""

from __future__ import annotations

from webtool.documents.signatures import KIND_OF_ZIP_FOLDER, KIND_OF_ZIP_TYPE


def kind_of_zip(body: bytes) -> str | None:
    """The kind of a zip file: its `mimetype` entry (ODF, EPUB), else the folders in its directory (OOXML)."""
    if body[26:28] == b"\x08\x00" and body.startswith(b"mimetype", 30):
        extra = int.from_bytes(body[28:30], "little")
        size = int.from_bytes(body[18:22], "little")
        media_type = body[38 + extra : 38 + extra + min(size, 100)].decode("latin-1").strip()
        return KIND_OF_ZIP_TYPE.get(media_type)
    names = _zip_names(body)
    if b"mimetype" in names:  # somewhere in it, perhaps compressed: packed anew with another program
        kind = KIND_OF_ZIP_TYPE.get(_member(body, "mimetype").decode("latin-1").strip())
        if kind:
            return kind
    if b"[Content_Types].xml" in names:
        for folder, kind in KIND_OF_ZIP_FOLDER:
            if any(name.startswith(folder) for name in names):
                return kind
    if b"META-INF/container.xml" in names and any(name.endswith(b".opf") for name in names):
        return "epub"
    return None


def _member(body: bytes, name: str) -> bytes:
    """The beginning of a member; nothing where it is damaged."""
    import io
    import zipfile

    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive, archive.open(name) as member:
            return member.read(100)
    except Exception:  # the archive's own reader says what is wrong with it
        return b""


def _zip_names(body: bytes, most: int = 5000) -> set[bytes]:
    """Names in the central directory (APPNOTE 4.3.12), at most `most`; empty where it is damaged."""
    names: set[bytes] = set()
    end = body.rfind(b"PK\x05\x06", max(0, len(body) - 65557))
    at = int.from_bytes(body[end + 16 : end + 20], "little") if end >= 0 else len(body)
    while len(names) < most and body.startswith(b"PK\x01\x02", at):
        lengths = [int.from_bytes(body[at + field : at + field + 2], "little") for field in (28, 30, 32)]
        names.add(body[at + 46 : at + 46 + lengths[0]])
        at += 46 + sum(lengths)
    return names
