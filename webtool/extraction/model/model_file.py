"""The learned model: lexicon and forest, read from model.bin on first use. In: bytes. Out: Model.

model.bin is written by tests/bench/extraction/train.py, the same to the byte from the same corpus: four bytes of
magic, then zlib-compressed sections, each a 32-bit length and its bytes: provenance (JSON: corpus, licence, seed,
figures), the lexicon's three tables, the calibration of confidence (a byte for each hundredth), and the forest.
"""

from __future__ import annotations

import os
from struct import unpack

from webtool.errors import InternalError
from webtool.extraction.model.forest import Forest
from webtool.extraction.model.lexicon import Lexicon
from webtool.lean.optional import zlib

MAGIC = b"WTM2"
UNPACKED = b"WTU2"
_NAME = "model.bin"


class Model:
    """What judges blocks: the lexicon for words and class names, the forest for features."""

    __slots__ = ("calibration", "forest", "lexicon", "provenance")

    def __init__(self, data: bytes) -> None:
        sections = _sections(unpacked(data)[4:])
        self.provenance = sections[0].decode("utf-8")
        self.lexicon = Lexicon(*[_table(section) for section in sections[1:4]])
        self.calibration = sections[4]
        self.forest = Forest(sections[5])


def unpacked(data: bytes) -> bytes:
    """The model with its sections as they are, which the archive has: a Python without zlib extracts too."""
    if data[:4] == UNPACKED:
        return data
    if data[:4] != MAGIC:
        raise InternalError(f"{_NAME} is not a model of this version", hint="Build webtool again from its sources.")
    return UNPACKED + zlib.decompress(data[4:])


def _sections(data: bytes) -> list[bytes]:
    found = []
    offset = 0
    while offset < len(data):
        size = int.from_bytes(data[offset : offset + 4], "little")
        found.append(data[offset + 4 : offset + 4 + size])
        offset += 4 + size
    return found


def _table(section: bytes) -> dict[str, int]:
    """Names in lines, an empty line, then a signed byte for each."""
    names, scores = section.split(b"\n\n", 1)
    return dict(zip(names.decode("utf-8").split("\n"), unpack(f"{len(scores)}b", scores)))


_loaded: list[Model] = []


def use(model: Model) -> None:
    """Judge with another model from here on: for cross-validation, which needs one that has not seen the page."""
    _loaded[:] = [model]


def load() -> Model:
    """The model, read once per process."""
    if not _loaded:
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), _NAME)
        loader = globals().get("__loader__")
        if loader is not None and hasattr(loader, "get_data"):  # inside the archive there is no file to open
            data = loader.get_data(path)
        else:
            with open(path, "rb") as file:
                data = file.read()
        _loaded.append(Model(data))
    return _loaded[0]
