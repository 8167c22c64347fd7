"""Read the learned model from model.bin, on first use. In: bytes. Out: Model, with the lexicon and the forest.

tests/bench/extraction/train.py writes model.bin; the same corpus gives the same bytes. It has four bytes of magic and
then, compressed with zlib, six sections. Each is a length of 32 bits and that many bytes: the provenance as JSON
(corpus, licence, seed, figures), the lexicon's tables of words, phrases and tokens, the calibration (one byte for each
hundredth of expected F1), and the forest.
Tests: tests/extraction/model/test_model.py
"""

from __future__ import annotations

from struct import unpack

from webtool.errors import InternalError
from webtool.extraction.model.forest import Forest
from webtool.extraction.model.lexicon import Lexicon
from webtool.lean import datafiles
from webtool.lean.optional import zlib

MAGIC = b"WTM2"  # with compressed sections
UNPACKED = b"WTU2"  # with plain sections, as the archive has it
_NAME = "model.bin"


class Model:
    """The lexicon for words and class names, the forest for features, and what is known about both."""

    __slots__ = ("calibration", "forest", "lexicon", "provenance")

    def __init__(self, data: bytes) -> None:
        sections = _sections(unpacked(data)[4:])
        self.provenance = sections[0].decode("utf-8")
        self.lexicon = Lexicon(*[_table(section) for section in sections[1:4]])
        self.calibration = sections[4]
        self.forest = Forest(sections[5])


def unpacked(data: bytes) -> bytes:
    """Return the model with plain sections, which a Python without zlib can read, too; raises InternalError."""
    if data[:4] == UNPACKED:
        return data
    if data[:4] != MAGIC:
        raise InternalError(f"{_NAME} is not a model of this version", hint="Build webtool again from its sources.")
    return UNPACKED + zlib.decompress(data[4:])


def _sections(data: bytes) -> list[bytes]:
    sections = []
    offset = 0
    while offset < len(data):
        size = int.from_bytes(data[offset : offset + 4], "little")
        sections.append(data[offset + 4 : offset + 4 + size])
        offset += 4 + size
    return sections


def _table(section: bytes) -> dict[str, int]:
    """Return {name: score} from a section: names in lines, an empty line, then a signed byte for each name."""
    names, scores = section.split(b"\n\n", 1)
    return dict(zip(names.decode("utf-8").split("\n"), unpack(f"{len(scores)}b", scores)))


_loaded: list[Model] = []


def use(model: Model) -> None:
    """Judge with another model from now on. Cross-validation needs one that has not seen the page."""
    _loaded[:] = [model]


def load() -> Model:
    """Return the model; it is read once per process."""
    if not _loaded:
        _loaded.append(Model(datafiles.read(__name__, _NAME)))
    return _loaded[0]
