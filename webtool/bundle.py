"""The modules of one fetch in one read. In: the archive that is running. Out: an importer that knows them.

Importing a module from a zip archive opens the file, reads and checks a header and goes through three finders: 0.3 ms,
and a fetch needs a hundred. build.py therefore puts their bytecode into one member of the archive, _bundle.bin: 16 bytes
of header, an index, and the code. Without it, or under another Python, everything works as before, only slower.
"""

from __future__ import annotations

import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

MEMBER = "webtool/_bundle.bin"
MAGIC_BYTES = 16


class _Bundle:
    """A finder and loader for sys.meta_path (importlib.abc.MetaPathFinder, Loader)."""

    def __init__(self, archive: Any, index: dict[str, tuple[bool, int, int]], code: memoryview) -> None:
        self._archive = archive
        self._index = index
        self._code = code

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> Any:
        """The spec of a module that is in the bundle."""
        entry = self._index.get(name)
        if entry is None:
            return None
        spec = type(__spec__)(name, self, is_package=entry[0])  # type: ignore[misc]
        folder = os.path.join(self._archive.archive, *name.split("."))
        spec.origin = os.path.join(folder, "__init__.py") if entry[0] else folder + ".py"
        spec.has_location = True
        if entry[0]:
            spec.submodule_search_locations = [folder]  # what is not in the bundle is found there
        return spec

    def create_module(self, _spec: object) -> None:
        """An ordinary module will do."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code."""
        _, start, end = self._index[module.__name__]
        exec(marshal.loads(self._code[start:end]), module.__dict__)

    def get_data(self, path: str) -> bytes:
        """A file of the archive, for modules that have data beside them."""
        data: bytes = self._archive.get_data(path)
        return data


def install() -> None:
    """Put the bundle before the other finders, if this is an archive that has one for this Python."""
    archive = globals().get("__loader__")
    if not hasattr(archive, "archive"):
        return
    try:
        data = archive.get_data(os.path.join(archive.archive, *MEMBER.split("/")))  # type: ignore[union-attr]
    except OSError:
        return
    magic: bytes = sys.modules["_frozen_importlib_external"].MAGIC_NUMBER
    if not data.startswith(magic):
        return
    size = int.from_bytes(data[8:MAGIC_BYTES], "little")
    index = marshal.loads(data[MAGIC_BYTES : MAGIC_BYTES + size])
    sys.meta_path.insert(0, _Bundle(archive, index, memoryview(data)[MAGIC_BYTES + size :]))  # type: ignore[arg-type]
