"""Read the learned model from model.bin, on first use. In: bytes. Out: Model, with the lexicon and the forest.

tests/bench/extraction/train.py writes model.bin; the same corpus gives the same bytes. It has four bytes of magic and
then, compressed with zlib, six sections. Each is a length of 32 bits and that many bytes: the provenance as JSON
(corpus, licence, seeds, figures), the lexicon's tables of words, phrases and tokens, the calibration (for each of
scoring.KINDS one byte for each hundredth of expected F1), and the forest. build.py puts ready() of these bytes into
the archive: the tables as they are used, marshalled, so that a start of the program need not build them.
Tests: tests/extraction/model/test_model.py
"""

from __future__ import annotations

import marshal

from webtool.errors import InternalError
from webtool.extraction.model.forest import Forest, tables
from webtool.extraction.model.lexicon import Lexicon, Names
from webtool.lean import datafiles
from webtool.lean.optional import zlib
from webtool.lean.typing import Any

MAGIC = b"WTM3"  # with compressed sections
READY = b"WTR4"  # with marshalled tables, as the archive has it
_NAME = "model.bin"


class Model:
    """The lexicon for words and class names, the forest for features, and what is known about both."""

    __slots__ = ("calibration", "forest", "lexicon", "provenance")

    def __init__(self, data: bytes) -> None:
        parts = marshal.loads(memoryview(data)[4:]) if data[:4] == READY else _parts(data)
        self.provenance: str = parts[0]
        self.calibration: bytes = parts[2]
        self.lexicon = Lexicon(*(Names(by_start, {}) for by_start in parts[1]))
        self.forest = Forest(parts[3])


def ready(data: bytes) -> bytes:
    """Return the model as every Python can load it at once, also one without zlib."""
    return READY + marshal.dumps(_parts(data), 2)


def _parts(data: bytes) -> tuple[Any, ...]:
    """Return provenance, the tables of words, phrases and tokens, calibration, tables of the forest."""
    if data[:4] != MAGIC:
        raise InternalError(f"{_NAME} is not a model of this version", hint="Build webtool again from its sources.")
    provenance, *names, calibration, forest = _sections(zlib.decompress(data[4:]))
    return provenance.decode("utf-8"), tuple(map(_by_start, names)), calibration, tables(forest)


def _sections(data: bytes) -> list[bytes]:
    sections = []
    offset = 0
    while offset < len(data):
        size = int.from_bytes(data[offset : offset + 4], "little")
        sections.append(data[offset + 4 : offset + 4 + size])
        offset += 4 + size
    return sections


def _by_start(section: bytes) -> dict[str, tuple[str, bytes]]:
    """Return the table that lexicon.Names takes: {first two characters: (names between line feeds, their scores)}.

    The section has names in lines, an empty line, then the scores.
    """
    names, scores = section.split(b"\n\n", 1)
    groups: dict[str, tuple[list[str], list[int]]] = {}
    for name, score in zip(names.decode("utf-8").split("\n"), scores):
        group = groups.setdefault(name[:2], ([], []))
        group[0].append(name)
        group[1].append(score)
    return {start: ("\n" + "\n".join(group[0]) + "\n", bytes(group[1])) for start, group in groups.items()}


_loaded: list[Model] = []


def use(model: Model) -> None:
    """Judge with another model from now on. Cross-validation needs one that has not seen the page."""
    _loaded[:] = [model]


def load() -> Model:
    """Return the model; it is read once per process."""
    if not _loaded:
        _loaded.append(Model(datafiles.read(__name__, _NAME)))
    return _loaded[0]
