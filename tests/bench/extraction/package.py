"""Write model.bin. In: provenance, lexicon tables, calibration, forest. Out: bytes for model_file.py to read."""

from __future__ import annotations

import json
import struct
import zlib

MAGIC = b"WTM3"


def pack(provenance: dict, lexicon: dict[str, dict[str, int]], calibration: bytes, forest: bytes) -> bytes:
    """Return the whole file; the same input gives the same bytes."""
    sections = [json.dumps(provenance, sort_keys=True, ensure_ascii=False).encode()]
    sections += [_table(lexicon[kind]) for kind in ("words", "phrases", "tokens")]
    sections += [calibration, forest]
    plain = b"".join(struct.pack("<I", len(section)) + section for section in sections)
    return MAGIC + zlib.compress(plain, 9)


def _table(scores: dict[str, int]) -> bytes:
    names = sorted(scores)
    return "\n".join(names).encode() + b"\n\n" + struct.pack(f"{len(names)}b", *(scores[name] for name in names))
