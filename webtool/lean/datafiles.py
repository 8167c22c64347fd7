"""Read data files beside a module, in a checkout, a wheel or an archive. In: names of module and file. Out: bytes.

Tests: tests/browser/test_scripts.py
"""

from __future__ import annotations

import os
import sys


def read(module: str, name: str) -> bytes:
    """Return the bytes of the file `name` in the folder of the imported module `module`. Raises OSError."""
    neighbour = sys.modules[module]
    path = os.path.join(os.path.dirname(neighbour.__file__ or ""), name)
    data: bytes = neighbour.__loader__.get_data(path)  # type: ignore[union-attr]
    return data
