"""The archive's modules in a few members instead of hundreds. In: the archive that is running. Out: an importer.

Reading the directory of a zip archive costs 10 microseconds an entry, importing a module from one 0.3 ms. So build.py
lays together what is needed together. For each Python it builds for there is a section, the bytecode of all modules in
a few groups: `cpython-3.13-start.bin` has what --schema needs, `-fetch.bin` what a fetch needs beyond that, and so on.
_sources.zip has every source, for the eye and for a Python without a section. webtool/setup/bytecode.py writes
sections; webtool/__init__.py finds the one of this Python and runs this module from it.

patterns-2a395276.bin or the like has the compiled regular expressions; sections whose Pythons compile them alike share
it.

A group is the marshalled code of its modules, one after the other; in a release it is compressed, the last two by
LZMA. An index is {name: (is a package, group, begin, end)}. The start group begins with a head: the magic number of its
Python (4 bytes), the digest of the sources (8), the length of its own index (4), that index. Its member "" is the index
of the other groups.

The groups in WHOLE are needed nearly all or not at all. Such a group is one marshalled {name: (is a package, code)} in
the order in which the modules need each other, and all of it runs when the first is imported: names that are read once,
and no look-ups and locks of importlib's, make that 16 ms instead of 22 for the 220 modules of an open.
"""

from __future__ import annotations

import marshal
import os
import sys
from _thread import _count as other_threads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, ModuleType
    from typing import Any

# What lies in the archive as single members; zipimport finds these.
SINGLE = ("__init__", "__main__", "bundle", "lean/inflate")
WHOLE = ("front", "http", "cache", "net", "html", "page", "open", "rules")
HEADER = 16
SECTION = f"{sys.implementation.name}-{sys.version_info[0]}.{sys.version_info[1]}"
SOURCES = "_sources.zip"


class Importer:
    """A finder and loader for sys.meta_path (importlib.abc: MetaPathFinder, InspectLoader, ResourceLoader).

    Threads need no lock here: reading a group or an index twice gives the same.
    """

    def __init__(self, archive: Any, start: bytes) -> None:
        self.archive: str = archive.archive
        """The path of the archive, under the name that zipimporter has for it."""
        self._archive = archive
        self._folder = os.path.join(self.archive, "webtool")
        self._compiled: dict[str, tuple[bool, CodeType]] = {}
        self._texts: dict[str, tuple[bool, bytes]] = {}
        self._modules: dict[str, tuple[bool, str, int, int]] = {}
        self._groups: dict[str, memoryview] = {}
        self._ran: set[str] = set()
        if start:
            codes = HEADER + int.from_bytes(start[12:HEADER], "little")
            self._modules = marshal.loads(start[HEADER:codes])
            self._groups["start"] = memoryview(start)[codes:]
        else:
            self._texts = self.sources()

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> Any:
        """The spec of one of our modules, None for all others."""
        if not name.startswith("webtool."):
            return None
        if name not in self._modules and "" in self._modules:
            self._modules = {**marshal.loads(self._bytecode("")), **self._modules}
            del self._modules[""]
        found = self._compiled.get(name) or self._modules.get(name) or self._texts.get(name)
        if found is None:
            return None
        spec = _ModuleSpec(name, self, is_package=found[0])
        spec.origin = self._path(name, found[0])
        spec.has_location = True
        return spec

    def create_module(self, _spec: object) -> None:
        """An ordinary module will do."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code, and that of its group if that is one that runs as a whole."""
        name = module.__name__
        group = self._modules[name][1] if name in self._modules else ""
        # Another thread might find a module that has not run yet.
        if group not in WHOLE or group in self._ran or other_threads() or not self._run_group(group, module):
            exec(self._code(name), module.__dict__)

    def _run_group(self, group: str, first: ModuleType) -> bool:
        """Run the modules of a group, among them `first`, which importlib has made; whether that one has run."""
        self._ran.add(group)
        self._code(first.__name__)  # reads all of them
        names = [name for name, place in self._modules.items() if place[1] == group and name not in sys.modules]
        modules = {name: self._made(name) for name in names}
        # Packages before they run: their modules, which run first, ask for them.
        sys.modules.update({name: module for name, module in modules.items() if self._modules[name][0]})
        modules[first.__name__] = first
        ran = set()
        try:
            for name in [name for name, place in self._modules.items() if name in modules]:
                sys.modules[name] = module = modules[name]
                exec(self._code(name), module.__dict__)
                parent, _, child = name.rpartition(".")
                __import__(parent)
                setattr(sys.modules[parent], child, module)
                ran.add(name)
        except ImportError:  # a Python without sqlite3, say; what does without it is imported one by one
            pass
        finally:
            for name in names:
                if name not in ran:
                    sys.modules.pop(name, None)
        return first.__name__ in ran

    def _made(self, name: str) -> ModuleType:
        """A module as importlib makes it, but for __cached__, which names a file that is not there."""
        spec = self.find_spec(name)
        module = type(sys)(name)
        module.__spec__, module.__loader__ = spec, self  # type: ignore[assignment]
        module.__package__, module.__file__ = spec.parent, spec.origin
        if spec.submodule_search_locations is not None:
            module.__path__ = spec.submodule_search_locations
        return module

    def get_data(self, path: str) -> bytes:
        """A file of the archive, for modules that have data beside them; they may have made its path absolute."""
        if not path.startswith(self.archive + os.sep):
            path = os.path.relpath(path, os.path.abspath(self.archive))
        data: bytes = self._archive.get_data(path)
        return data

    def get_source(self, name: str) -> str | None:
        """A module's source, for tracebacks."""
        return self.sources().get(name, (False, b""))[1].decode("utf-8")

    def sources(self) -> dict[str, tuple[bool, bytes]]:
        """Every module's source: is it a package, and the text."""
        found = {}
        for path, text in _stored(self._packed_sources()):
            name = path[: -len(".py")].replace("/", ".")
            is_package = name.endswith(".__init__")
            found[name[: -len(".__init__")] if is_package else name] = (is_package, text)
        return found

    def _packed_sources(self) -> bytes:
        """_sources.zip; in a release it is compressed, and `.deflate` stands behind its name."""
        try:
            packed: bytes = self._archive.get_data(os.path.join(self._folder, SOURCES))
            return packed
        except OSError:
            packed = self._archive.get_data(os.path.join(self._folder, SOURCES + ".deflate"))
        try:
            import zlib

            return zlib.decompress(packed, -15)
        except ImportError:
            namespace: dict[str, Any] = {"__name__": "webtool.lean.inflate"}
            exec(self._archive.get_data(os.path.join(self._folder, "lean", "inflate.py")), namespace)
            inflated: bytes = namespace["inflate"](packed)
            return inflated

    def use(self, compiled: dict[str, tuple[bool, CodeType]]) -> None:
        """Run this code from now on: name, is it a package, and what compile() gave."""
        self._compiled = compiled

    def _path(self, name: str, is_package: bool) -> str:
        path = self.archive + os.sep + name.replace(".", os.sep)
        return f"{path}{os.sep}__init__.py" if is_package else path + ".py"

    def _code(self, name: str) -> Any:
        if name in self._compiled:
            return self._compiled[name][1]
        if name in self._modules:
            try:
                made = marshal.loads(self._bytecode(name))
                if type(made) is not dict:
                    return made
                self._compiled.update(made)
                self._groups[self._modules[name][1]] = memoryview(b"")  # the next group is read to the same place
                return made[name][1]
            except ImportError:  # a compressed group, and a Python without zlib or lzma
                self._texts = self._texts or self.sources()
        if name not in self._texts:  # _patterns has no source
            raise ImportError(f"no source of {name}")
        is_package, text = self._texts[name]
        return compile(text, self._path(name, is_package), "exec", dont_inherit=True)

    def _bytecode(self, name: str) -> memoryview:
        _, group, begin, end = self._modules[name]
        if group not in self._groups:
            self._groups[group] = memoryview(self._unpacked(os.path.join(self._folder, f"{SECTION}-{group}.bin")))
        return self._groups[group][begin:end]

    def _unpacked(self, path: str) -> Any:
        """A group; in a release some that not all starts need lie there as .xz, a fifth smaller, for 5 to 10 ms."""
        try:
            return self._archive.get_data(path)
        except OSError:
            packed = self._archive.get_data(path + ".xz")
        from _lzma import LZMADecompressor  # the module around it takes half as long to import as this to run

        return LZMADecompressor().decompress(packed)


def install(archive: Any, start: bytes) -> None:
    """Let webtool's modules be found, where `archive` is the importer of an archive that build.py made.

    `start` is the first group of this Python's section; b"" where there is none, and each module is compiled when it is
    imported.
    """
    sys.meta_path.insert(0, Importer(archive, start))


_ModuleSpec = sys.modules["_frozen_importlib"].ModuleSpec


def _stored(archive: bytes) -> Iterator[tuple[str, bytes]]:
    """The members of a zip archive without compression, from their local headers: the zipfile module costs 10 ms."""
    at = 0
    while archive[at : at + 4] == b"PK\3\4":
        name_end = at + 30 + int.from_bytes(archive[at + 26 : at + 28], "little")
        begin = name_end + int.from_bytes(archive[at + 28 : at + 30], "little")
        end = begin + int.from_bytes(archive[at + 18 : at + 22], "little")
        yield archive[at + 30 : name_end].decode("ascii"), archive[begin:end]
        at = end
