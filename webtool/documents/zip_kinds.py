"""Which document a zip file is. In: its bytes. Out: a kind. Only the directory and the member `mimetype` are read.

Specification: APPNOTE 4.3.12; OpenDocument 1.2 part 3 and EPUB OCF (the `mimetype` member), ECMA-376 part 2.
"""

from __future__ import annotations

import io
import zipfile

from webtool.documents.signatures import KIND_OF_ZIP_FOLDER, KIND_OF_ZIP_TYPE


def kind_of_zip(body: bytes) -> str | None:
    """The kind of a zip file: its `mimetype` entry (ODF, EPUB), else the folders in its directory (OOXML)."""
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
