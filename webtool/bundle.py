"""The archive's modules in three members instead of hundreds. In: the archive that is running. Out: an importer.

Reading the directory of a zip archive costs 10 microseconds an entry, importing a module from one 0.3 ms. So build.py
leaves only what --schema needs as single members and puts the rest together: _fetch.bin has the bytecode of one fetch,
_rest.bin that of all other modules, _sources.zip every source, for the eye and for other Pythons than the one that
built. A .bin is the magic number of that Python, the length of an index, the index, and the code.
"""

from __future__ import annotations

import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable

    Index = dict[str, tuple[bool, Callable[[], Any]]]
    """Module name: is it a package, and what gives its code."""

# What --schema needs lies in the archive as single members; zipimport finds these.
SINGLE = ("__init__", "__main__", "dispatch", "registry", "output", "bundle", "_schemas")
HEADER = 16
SOURCES = "_sources.zip"


class Importer:
    """A finder and loader for sys.meta_path (importlib.abc: MetaPathFinder, InspectLoader, ResourceLoader)."""

    def __init__(self, archive: Any) -> None:
        self._archive = archive
        self._folder = os.path.join(archive.archive, "webtool")
        self._members = ["_fetch.bin", "_rest.bin", SOURCES]
        self._index: Index = {}

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> Any:
        """The spec of one of our modules, None for all others."""
        if not name.startswith("webtool.") or name[len("webtool.") :] in SINGLE:
            return None
        while name not in self._index:
            if not self._members:
                return None
            self._read(self._members.pop(0))
        is_package = self._index[name][0]
        spec = type(__spec__)(name, self, is_package=is_package)  # type: ignore[misc,arg-type]
        spec.origin = self._origin(name)
        spec.has_location = True
        return spec

    def create_module(self, _spec: object) -> None:
        """An ordinary module will do."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code."""
        exec(self._index[module.__name__][1](), module.__dict__)

    def get_data(self, path: str) -> bytes:
        """A file of the archive, for modules that have data beside them; they may have made its path absolute."""
        archive = self._archive.archive
        if not path.startswith(archive + os.sep):
            path = os.path.relpath(path, os.path.abspath(archive))
        data: bytes = self._archive.get_data(path)
        return data

    def get_source(self, name: str) -> str | None:
        """A module's source, for tracebacks."""
        return self._sources().get(name, (False, ""))[1]

    def _origin(self, name: str) -> str:
        path = os.path.join(self._archive.archive, *name.split("."))
        return os.path.join(path, "__init__.py") if self._index[name][0] else path + ".py"

    def _read(self, member: str) -> None:
        if member == SOURCES:
            self._index = {**_compiled_later(self._sources(), self._archive.archive), **self._index}
            return
        try:
            data = self._archive.get_data(os.path.join(self._folder, member))
        except OSError:
            return
        if data.startswith(sys.modules["_frozen_importlib_external"].MAGIC_NUMBER):
            self._index.update(_unmarshalled_later(data))

    def _sources(self) -> dict[str, tuple[bool, str]]:
        """Every module's source: is it a package, and the text."""
        import io
        import zipfile

        found = {}
        data = self._archive.get_data(os.path.join(self._folder, SOURCES))
        with zipfile.ZipFile(io.BytesIO(data)) as sources:
            for path in sources.namelist():
                name = path[: -len(".py")].replace("/", ".")
                is_package = name.endswith(".__init__")
                name = name[: -len(".__init__")] if is_package else name
                found[name] = (is_package, sources.read(path).decode("utf-8"))
        return found


def install(archive: Any) -> None:
    """Let webtool's modules be found, where `archive` is the importer of an archive that build.py made."""
    sys.meta_path.insert(0, Importer(archive))


def _unmarshalled_later(data: bytes) -> Index:
    start = HEADER + int.from_bytes(data[8:HEADER], "little")
    places: dict[str, tuple[bool, int, int]] = marshal.loads(data[HEADER:start])
    code = memoryview(data)[start:]

    def loader(begin: int, end: int) -> Callable[[], Any]:
        return lambda: marshal.loads(code[begin:end])

    return {name: (is_package, loader(begin, end)) for name, (is_package, begin, end) in places.items()}


def _compiled_later(sources: dict[str, tuple[bool, str]], archive: str) -> Index:
    def compiler(name: str, text: str) -> Callable[[], Any]:
        path = os.path.join(archive, *name.split(".")) + ".py"
        return lambda: compile(text, path, "exec", dont_inherit=True)

    return {name: (is_package, compiler(name, text)) for name, (is_package, text) in sources.items()}
